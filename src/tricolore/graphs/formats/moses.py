"""Hypergraphs of Moses as text, which its tuners read (`-output-search-graph-hypergraph`).

    # target ||| features ||| source-covered
    3 4
    1
    <s> |||  ||| 0
    2
    [0] the small ||| LM0=-1.2 TM0=-0.7 ||| 2
    [0] a little ||| LM0=-1.9 TM0=-0.4 ||| 2
    1
    [1] </s> |||  ||| 2

After the header come the numbers of vertices and edges; then for every vertex the number of its edges, and the edges:
words and vertices, features, and the number of source words covered, which is ignored. The last vertex is the root.
`<s>` and `</s>` are epsilon. A vertex may come after those that use it. Lines with # before a vertex are comments. A
hypergraph without vertices is that of the empty text. Scores are 0 until there are weights, unless the only feature is
`Score`. Several hypergraphs may follow one another.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from ...errors import InputError
from ..forest import Forest
from .collecting import EdgeList, features_of
from .lines import Lines, is_whole, number, quoted, whole
from .reading import Reading
from .writing import check_forest_words, is_spaced

HEADER = "# target ||| features ||| source-covered"
EPSILON = ("<s>", "</s>")

_VERTEX = re.compile(r"\[([0-9]{1,9})\]")


def read(lines: Lines, how: Reading) -> Iterator[Forest]:
    """Read hypergraph by hypergraph."""
    for line in lines:
        if not line.strip():
            continue
        if line.strip() != HEADER:
            lines.fail(f"expected {HEADER!r}, found {quoted(line)}")
        yield _forest(lines, how)


def _forest(lines: Lines, how: Reading) -> Forest:
    place = lines.where.replace(": line 1", "") if lines.number == 1 else lines.where
    sizes = _next(lines, "the numbers of vertices and edges").split()
    if len(sizes) != 2 or not all(map(is_whole, sizes)):
        lines.fail(f"expected the numbers of vertices and edges, found {quoted(' '.join(sizes))}")
    vertices, declared = map(int, sizes)
    edges = EdgeList(place, (*EPSILON, *how.epsilon))
    for vertex in range(vertices):
        what = f"the number of edges of vertex {vertex}"
        count = whole(_next(lines, what).strip(), lines.where, what)
        for i in range(count):
            line = next(lines, None)
            if line is None:
                raise InputError(f"{lines.name}: ends after {i} of {count} edges of vertex {vertex} of {vertices}")
            _add_edge(edges, vertex, vertices, line, lines)
    if len(edges) != declared:
        raise InputError(f"{place}: has {len(edges)} edges; its header declares {declared}")
    return edges.forest(vertices, vertices - 1) if vertices else how.empty_forest(place, "no vertex")


def _next(lines: Lines, what: str) -> str:
    """The next line that is not a comment."""
    for line in lines:
        if line.strip() == HEADER:
            lines.fail(f"another hypergraph begins; expected {what}")
        if not line.startswith("#"):
            return line
    raise InputError(f"{lines.name}: ends after line {lines.number}; expected {what}")


def _add_edge(edges: EdgeList, vertex: int, vertices: int, line: str, lines: Lines) -> None:
    fields = line.split("|||")
    if len(fields) != 3:
        lines.fail(f"expected 'words ||| name=value ... ||| covered', found {quoted(line)}")
    right: list[str | int] = []
    for word in fields[0].split():
        match = _VERTEX.fullmatch(word)
        if match and int(match.group(1)) >= vertices:
            lines.fail(f"there is no vertex {match.group(1)}; there are {vertices}, numbered from 0")
        right.append(int(match.group(1)) if match else word)
    features = []
    for field in fields[1].split():
        name, equals, value = field.rpartition("=")
        if not (equals and name):
            lines.fail(f"expected features, 'name=value', found {quoted(field)}")
        features.append((name, number(value, lines.where, f"the value of {quoted(name)}")))
    whole(fields[2].strip(), lines.where, "the number of source words covered")
    edges.add(vertex, right, features, lines.where)


def write(forest: Forest) -> str:
    """Write a header and the vertices; the number of source words covered, which is unknown, is written as 0."""
    check_forest_words(forest, "Moses' format", _VERTEX, EPSILON)
    names, features = features_of(forest)
    for name in names:
        if is_spaced(name) or "|||" in name:
            raise InputError(f"{forest.place}: Moses' format cannot hold the feature {name!r}")
    lines = []
    for right, row in zip(forest.right_hand_sides(), features, strict=True):
        words = " ".join(forest.words[item] if item >= 0 else f"[{~item}]" for item in right)
        lines.append(f"{words} ||| {' '.join(f'{names[column]}={value!r}' for column, value in row)} ||| 0\n")
    parts = [f"{HEADER}\n{forest.nodes} {len(forest)}\n"]
    for node, (first, last) in enumerate(pairwise(forest.edge_starts.tolist())):
        parts.append(f"# node {node}\n{last - first}\n{''.join(lines[first:last])}")
    return "".join(parts)
