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

After the header how many vertices and edges there are; then for every vertex how many edges it has, and the edges:
words and vertices, features, and how many words of the source are covered, which is passed over. The last vertex is
the root. `<s>` and `</s>` are no words. A vertex may come after those that use it. Lines with # before a vertex are
comments. A hypergraph without vertices is that of the empty text. Scores are 0 until there are weights, unless the only
feature is `Score`. Several hypergraphs may follow one another.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...errors import InputError
from ..forest import Forest
from .arcs import check_words, is_spaced
from .edges import EdgeList, features_of, rights_of
from .lines import is_whole, number, quoted, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .lines import Lines
    from .reading import Reading

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
        yield how.weighted_forest(_forest(lines, how))


def _forest(lines: Lines, how: Reading) -> Forest:
    place = lines.where.replace(": line 1", "") if lines.number == 1 else lines.where
    sizes = _next(lines, "how many vertices and edges there are").split()
    if len(sizes) != 2 or not all(map(is_whole, sizes)):
        lines.fail(f"expected how many vertices and edges there are, found {quoted(' '.join(sizes))}")
    vertices, declared = map(int, sizes)
    edges = EdgeList(place, (*EPSILON, *how.epsilon))
    for vertex in range(vertices):
        count = whole(
            _next(lines, f"how many edges vertex {vertex} has").strip(), lines.where, "how many edges there are"
        )
        for _ in range(count):
            line = next(lines, None)
            if line is None:
                raise InputError(
                    f"{lines.name}: ends within vertex {vertex} of {vertices}; expected {count} edges of it"
                )
            _add_edge(edges, vertex, vertices, line, lines)
    if len(edges) != declared:
        raise InputError(f"{place}: has {len(edges)} edges; its second line says {declared}")
    return edges.forest(vertices, vertices - 1) if vertices else how.empty_forest(place, "no vertex")


def _next(lines: Lines, what: str) -> str:
    """The next line that is no comment."""
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
    whole(fields[2].strip(), lines.where, "how many words of the source are covered")
    edges.add(vertex, right, features, lines.where)


def write(forest: Forest) -> str:
    """Write a header and the vertices; what is covered of the source is not known, and said to be 0."""
    check_words(
        forest.words,
        forest.place,
        "Moses' format",
        lambda word: is_spaced(word) or "|||" in word or _VERTEX.fullmatch(word) is not None,
        EPSILON,
    )
    features, layout = features_of(forest)
    for name in layout.labels:
        if is_spaced(name) or "|||" in name:
            raise InputError(f"{forest.place}: Moses' format cannot hold the feature {name!r}")
    lines = []
    for i, right in enumerate(rights_of(forest)):
        words = " ".join(forest.words[item] if item >= 0 else f"[{~item}]" for item in right)
        columns, values = features.row(i)
        pairs = zip(columns.tolist(), values.tolist(), strict=True)
        lines.append(f"{words} ||| {' '.join(f'{layout.labels[c]}={v!r}' for c, v in pairs)} ||| 0\n")
    starts = forest.edge_starts.tolist()
    parts = [f"{HEADER}\n{forest.nodes} {len(forest)}\n"]
    for node in range(forest.nodes):
        first, last = starts[node], starts[node + 1]
        parts.append(f"# node {node}\n{last - first}\n{''.join(lines[first:last])}")
    return "".join(parts)
