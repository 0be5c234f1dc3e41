"""Hypergraphs of cdec: one JSON object, whose keys repeat, and whose order matters.

    {"rules":[1,"[X] ||| le ||| the",2,"[X] ||| [X,1] chat ||| [1] cat"],"features":["LM","Glue"],
     "edges":[{"tail":[],"feats":[0,-1.2],"rule":1}],"node":{"in_edges":[0],"cat":"X"},
     "edges":[{"tail":[0],"feats":[0,-0.7,1,1],"rule":2}],"node":{"in_edges":[1],"cat":"X"}}

Rules and names of features come first; then, from the leaves to the root, the edges of a node and the node. The text is
the target side of rules, in which [1] is the first node of `tail`; the last node is the root. A node without edges
yields nothing: cdec writes lattices that way. An object without nodes is the forest of the empty text. Scores are 0
until there are weights, unless the only feature is `Score`. `*EPS*` is epsilon.

Several objects may follow one another. A quotation mark after the last is ignored, as by cdec itself: one of its own
files has one.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from ...errors import InputError
from ..forest import Forest
from .collecting import EdgeList, features_of
from .lines import Lines, quoted
from .reading import Reading
from .writing import check_forest_words

EPSILON = ("*EPS*",)

_NODE = re.compile(r"\[(?:[^\[\]\s,]+,)?([0-9]{1,9})\]")
_BLANK = re.compile(r"\s*", re.ASCII)


@dataclass
class _Object:
    """A JSON object with all its keys in order, repeated ones included."""

    pairs: list[tuple[str, Any]]


def read(lines: Lines, how: Reading) -> Iterator[Forest]:
    """Read object by object."""
    text = "\n".join(lines)
    decoder = json.JSONDecoder(object_pairs_hook=_Object, parse_constant=_reject_constant)
    at = _BLANK.match(text).end()  # type: ignore[union-attr]
    number = 0
    while at < len(text):
        try:
            found, end = decoder.raw_decode(text, at)
        except RecursionError:
            raise InputError(f"{lines.name}: lists nested too deeply; expected a hypergraph of cdec") from None
        except json.JSONDecodeError as error:
            line, column = text.count("\n", 0, error.pos) + 1, error.pos - text.rfind("\n", 0, error.pos)
            raise InputError(f"{lines.name}: line {line}: column {column}: not JSON ({error.msg})") from None
        except ValueError as error:
            raise InputError(f"{lines.name}: not JSON ({error})") from None
        place = f"{lines.name}: hypergraph {number}" if number or text[end:].strip('" \n\t\r') else lines.name
        if not isinstance(found, _Object):
            raise InputError(f"{place}: expected a JSON object with 'rules', 'features', 'edges' and 'node'")
        yield _Hypergraph(place).forest(found, how)
        number += 1
        at = _BLANK.match(text, end).end()  # type: ignore[union-attr]
        if text[at:].rstrip() == '"':
            return


def _reject_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")


@dataclass
class _Hypergraph:
    """A hypergraph, collected in the order of its keys."""

    place: str
    rules: dict[int, list[str | int]] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    edges: list[tuple[list[str | int], list[tuple[str, float]]]] = field(default_factory=list)
    heads: list[int | None] = field(default_factory=list)
    nodes: list[list[int]] = field(default_factory=list)

    def forest(self, found: _Object, how: Reading) -> Forest:
        for key, value in found.pairs:
            match key:
                case "rules":
                    self.take_rules(value)
                case "features":
                    self.take_features(value)
                case "edges":
                    self.take_edges(value)
                case "node":
                    self.take_node(value)
                case "is_sorted":
                    pass
                case _:
                    raise InputError(f"{self.place}: unknown key {quoted(key)}; expected rules, features, edges, node")
        if None in self.heads:
            raise InputError(f"{self.place}: edge {self.heads.index(None)} is in no node's 'in_edges'")
        if not self.nodes:
            return how.empty_forest(self.place, "no node")
        made = EdgeList(self.place, (*EPSILON, *how.epsilon), self.names)
        for node, edges in enumerate(self.nodes):
            if not edges:  # it yields nothing
                made.add(node, [], [], self.place)
            for edge in edges:
                where = f"{self.place}: edge {edge}"
                right, features = self.edges[edge]
                for item in right:
                    if isinstance(item, int) and item >= len(self.nodes):
                        raise InputError(f"{where}: there is no node {item}; there are {len(self.nodes)}")
                made.add(node, right, features, where)
        return made.forest(len(self.nodes), len(self.nodes) - 1)

    def take_rules(self, value: Any) -> None:
        for number, rule in _pairs(value, f"{self.place}: rules", "numbers and rules"):
            where = f"{self.place}: rules: {quoted(str(number))}"
            if not _is_int(number) or not isinstance(rule, str):
                raise InputError(f"{where}: expected a number, then a rule")
            self.rules[number] = _target(rule, where)

    def take_features(self, value: Any) -> None:
        for name in _list(value, f"{self.place}: features"):
            if not isinstance(name, str) or name in self.names:
                raise InputError(f"{self.place}: features: expected distinct names, found {quoted(str(name))}")
            self.names.append(name)

    def take_edges(self, value: Any) -> None:
        for edge in _list(value, f"{self.place}: edges"):
            where = f"{self.place}: edge {len(self.edges)}"
            if not isinstance(edge, _Object):
                raise InputError(f"{where}: expected an object with 'tail', 'feats' and 'rule'")
            keys = dict(edge.pairs)
            for key in keys:
                if key not in ("tail", "feats", "rule", "spans"):
                    raise InputError(f"{where}: unknown key {quoted(key)}; expected tail, feats, rule, spans")
            tail = _list(keys.get("tail"), f"{where}: tail")
            if not all(_is_int(node) and node >= 0 for node in tail):
                raise InputError(f"{where}: tail: expected numbers of nodes, found {quoted(str(tail))}")
            self.edges.append((self.right(keys.get("rule"), tail, where), self.feats(keys.get("feats"), where)))
            self.heads.append(None)

    def right(self, rule: Any, tail: list[int], where: str) -> list[str | int]:
        """The target side with the nodes of the tail."""
        if isinstance(rule, str):
            target = _target(rule, where)
        elif _is_int(rule) and rule in self.rules:
            target = self.rules[rule]
        else:
            raise InputError(f"{where}: rule: expected the number of an earlier rule, found {quoted(str(rule))}")
        used = sorted(item for item in target if isinstance(item, int))
        if used != [*range(1, len(tail) + 1)]:
            shown = " ".join(f"[{item}]" for item in used) or "no node"
            raise InputError(f"{where}: its rule has {shown}, but its tail {len(tail)}; expected each node once")
        return [tail[item - 1] if isinstance(item, int) else item for item in target]

    def feats(self, value: Any, where: str) -> list[tuple[str, float]]:
        found = []
        for key, number in _pairs(value, f"{where}: feats", "features and values"):
            if _is_int(key) and not 0 <= key < len(self.names):
                raise InputError(f"{where}: there is no feature {key}; there are {len(self.names)}, numbered from 0")
            if not (_is_int(key) or isinstance(key, str)) or not (_is_int(number) or isinstance(number, float)):
                raise InputError(f"{where}: feats: expected a feature and a number, found {quoted(f'{key},{number}')}")
            try:
                found.append((key if isinstance(key, str) else self.names[key], float(number)))
            except OverflowError:
                raise InputError(f"{where}: feats: a number of {len(str(number)):,} digits is too large") from None
        return found

    def take_node(self, value: Any) -> None:
        where = f"{self.place}: node {len(self.nodes)}"
        if not isinstance(value, _Object):
            raise InputError(f"{where}: expected an object with 'in_edges'")
        edges = _list(dict(value.pairs).get("in_edges"), f"{where}: in_edges")
        for edge in edges:
            if not _is_int(edge) or not 0 <= edge < len(self.edges):
                raise InputError(f"{where}: in_edges: there is no edge {quoted(str(edge))} before it")
            if self.heads[edge] is not None:
                raise InputError(f"{where}: in_edges: edge {edge} is in node {self.heads[edge]} already")
            self.heads[edge] = len(self.nodes)
        self.nodes.append(edges)


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list | None):
        raise InputError(f"{where}: expected a list")
    return value or []


def _pairs(value: Any, where: str, what: str) -> Iterator[tuple[Any, Any]]:
    flat = _list(value, where)
    if len(flat) % 2:
        raise InputError(f"{where}: expected alternating {what}")
    return zip(flat[::2], flat[1::2], strict=True)


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _target(rule: str, where: str) -> list[str | int]:
    """The words of the target side of a rule, and the places of its nodes, counted from 1."""
    parts = rule.split("|||")
    if len(parts) < 3:
        raise InputError(f"{where}: expected '[X] ||| source ||| target', found {quoted(rule)}")
    return [int(match.group(1)) if (match := _NODE.fullmatch(word)) else word for word in parts[2].split()]


def write(forest: Forest) -> str:
    """One object on one line; source sides of rules, which are unknown, are copies of the target sides."""
    check_forest_words(forest, "cdec's format", _NODE, EPSILON)
    names, features = features_of(forest)
    rules: dict[str, int] = {}
    edges = []
    for right, row in zip(forest.right_hand_sides(), features, strict=True):
        rule = rules.setdefault(_rule(right, forest.words), len(rules) + 1)
        tail, feats = [~item for item in right if item < 0], [x for pair in row for x in pair]
        edges.append(_json({"tail": tail, "spans": [-1, -1, -1, -1], "feats": feats, "rule": rule}))
    flat = [x for text, number in rules.items() for x in (number, text)]
    parts = [f'"rules":{_json(flat)}', f'"features":{_json(names)}']
    for first, last in pairwise(forest.edge_starts.tolist()):
        parts.append(f'"edges":[{",".join(edges[first:last])}]')
        parts.append(f'"node":{_json({"in_edges": [*range(first, last)], "cat": "X"})}')
    return "{" + ",".join(parts) + "}\n"


def _rule(right: list[int], words: tuple[str, ...]) -> str:
    source, target, place = [], [], 0
    for item in right:
        place += item < 0
        source.append(words[item] if item >= 0 else f"[X,{place}]")
        target.append(words[item] if item >= 0 else f"[{place}]")
    return f"[X] ||| {' '.join(source)} ||| {' '.join(target)}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
