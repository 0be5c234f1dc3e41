"""HTK's Standard Lattice Format (SLF), which speech recognisers write.

    VERSION=1.0
    lmscale=12.0 wdpenalty=-0.5
    N=3 L=2
    I=0 t=0.00
    I=1 t=0.36
    I=2 t=0.75
    J=0 S=0 E=1 W=four a=-3820.77 l=-1.20
    J=1 S=1 E=2 W=two a=-3239.01 l=-0.70

Words stand on links, or on the nodes where they end; `!NULL` and a missing word are epsilon. The score of a link is

    acscale a + lmscale l + ngscale n + prscale r + duscale ds + Σ xiscale xi + wdpenalty where there is a word

in natural logarithms, whatever the `base` of the file (base=0: probabilities). Scales default to 1, those of ds and xi
to 0, as in SRILM; a, r, ds and xi that are missing on a link are taken from the node where it ends. Weights replace the
scales: the features are `acoustic`, `lm`, `ngram`, `pronunciation`, `duration`, `x1`, `x2` and so on (Moses writes all
of its own in this way), and `words`, which is 1 for a word. Other fields are ignored. Sub-lattices and backward
lattices are errors.

The first and last node are those of `start` and `end`, or the only ones that no link leads to or leaves. A lattice
without nodes (N=0) is the empty text. Several lattices in a file follow one another, or each is ended by a line with a
full stop; a full stop that ends nothing is an empty lattice.
"""

import math
import re
from collections.abc import Iterator

import numpy as np

from ...errors import InputError
from ..lattice import ArcList, Lattice
from .collecting import FeatureRows
from .lines import Lines, number, quoted, whole
from .reading import Reading, logarithms
from .writing import check_words, is_spaced, one_end

Fields = dict[str, str]

EPSILON = ("!NULL",)
BEFORE = "before the first node"  #: not a node of any file

#: Short names of fields.
_SHORT = {"VERSION": "V", "UTTERANCE": "U", "SUBLAT": "S", "NODES": "N", "LINKS": "L"}
_SHORT_LINK = {"LINK": "J", "START": "S", "END": "E", "WORD": "W", "acoustic": "a", "language": "l", "ngram": "n"}
_SHORT_NODE = {"NODE": "I", "WORD": "W", "acoustic": "a", "time": "t", "var": "v"}

#: Features: their fields, the fields of their scales in the header, and the defaults of these.
_SCORES = {
    "acoustic": ("a", "acscale", "1"),
    "lm": ("l", "lmscale", "1"),
    "ngram": ("n", "ngscale", "1"),
    "pronunciation": ("r", "prscale", "1"),
    "duration": ("ds", "duscale", "0"),
}
_OTHER_SCORE = re.compile(r"x[0-9]{1,9}")
#: Fields of nodes that links may inherit.
_OF_NODES = ("a", "r", "ds")

_FIELD = re.compile(
    r"""\s*([A-Za-z][A-Za-z0-9]*)=("[^"\\]*(?:\\.[^"\\]*)*"(?=\s|$)|'[^'\\]*(?:\\.[^'\\]*)*'(?=\s|$)|[^"'\s]\S*|(?=\s|$))\s*""",
    re.ASCII,
)


def read(lines: Lines, how: Reading) -> Iterator[Lattice]:
    """Read lattice by lattice."""
    slf: _Slf | None = None
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        if line.strip() == ".":
            yield how.empty_lattice(lines.where, "a full stop") if slf is None else slf.lattice()
            slf = None
            continue
        fields = _fields(line, lines)
        is_link, is_node = "J" in fields or "LINK" in fields, "I" in fields or "NODE" in fields
        short = _SHORT_LINK if is_link else _SHORT_NODE if is_node else _SHORT
        fields = {short.get(name, name): value for name, value in fields.items()}
        is_header = not is_link and not is_node
        if slf is not None and is_header and slf.is_complete and (slf.begun or "V" in fields or "U" in fields):
            yield slf.lattice()
            slf = None
        slf = slf or _Slf(lines, how)
        (slf.add_link if is_link else slf.add_node if is_node else slf.add_header)(fields)
    if slf is not None:
        yield slf.lattice()


def _fields(line: str, lines: Lines) -> Fields:
    fields: Fields = {}
    at = 0
    while at < len(line.rstrip()):
        match = _FIELD.match(line, at)
        if match is None:
            rest = line[at:].strip()
            hint = "; a quotation mark that begins a word is written \\' or \\\"" if re.search("=[\"']", rest) else ""
            lines.fail(f"column {at + 1}: expected 'name=value', found {quoted(rest)}{hint}")
        name, value = match.groups()
        if name in fields:
            lines.fail(f"{name}= is given twice")
        fields[name] = _plain(value, lines)
        at = match.end()
    return fields


def _plain(value: str, lines: Lines) -> str:
    r"""Remove quotation marks and backslashes; `\303\255` are bytes of UTF-8."""
    if value[:1] in ('"', "'"):
        value = value[1:-1]
    if "\\" not in value:
        return value
    parts = re.split(r"((?:\\[0-7]{3})+|\\.)", value)
    for i in range(1, len(parts), 2):
        codes = [int(code, 8) for code in re.findall(r"\\([0-7]{3})", parts[i])]
        try:
            parts[i] = bytes(codes).decode("utf-8") if codes else parts[i][1:]
        except ValueError:
            lines.fail(f"{quoted(value)} is not valid UTF-8")
    return "".join(parts)


class _Slf:
    """One lattice, as it is read. No memory is reserved for the sizes that the header declares."""

    def __init__(self, lines: Lines, how: Reading):
        self.lines = lines
        self.how = how
        self.header: Fields = {}
        self.begun = False
        self.node_words: dict[int, str] = {}
        self.node_scores: dict[int, Fields] = {}
        self.rows: list[tuple[int, int, int, Fields]] = []  # line, from, to, fields
        self.first = lines.where

    @property
    def is_complete(self) -> bool:
        return "N" in self.header and "L" in self.header and len(self.rows) == int(self.header["L"])

    @property
    def place(self) -> str:
        return f"{self.lines.name}: {self.header['U']}" if self.header.get("U") else self.first

    def add_header(self, fields: Fields) -> None:
        if self.begun:
            have, declared = len(self.rows), int(self.header["L"])
            self.lines.fail(f"a header after {have} of {declared} links; expected a link, 'J=... S=... E=...'")
        if "S" in fields:
            self.lines.fail("has a sub-lattice (SUBLAT=), which is not supported")
        if fields.get("dir", "f") != "f":
            self.lines.fail("is a backward lattice (dir=b), which is not supported")
        for name, value in fields.items():
            if name in ("N", "L"):
                whole(value, self.lines.where, f"{name}=")
            if name in self.header:
                self.lines.fail(f"{name}= is given twice")
        self.header |= fields

    def begin(self) -> None:
        if not self.begun and not ("N" in self.header and "L" in self.header):
            self.lines.fail("a node or link before the sizes; expected 'N=... L=...' first")
        self.begun = True

    def node(self, text: str | None, what: str) -> int:
        if text is None:
            self.lines.fail(f"{what}= is missing")
        found = whole(text, self.lines.where, f"{what}=")
        if found >= int(self.header["N"]):
            self.lines.fail(f"{what}={found}, but there are {self.header['N']} nodes, numbered from 0")
        return found

    def add_node(self, fields: Fields) -> None:
        self.begin()
        node = self.node(fields.get("I"), "I")
        if "L" in fields:
            self.lines.fail("has a sub-lattice (L=), which is not supported; expected a word (W=)")
        if "W" in fields:
            self.node_words[node] = fields["W"]
        self.node_scores[node] = {
            name: value for name, value in fields.items() if name in _OF_NODES or _OTHER_SCORE.fullmatch(name)
        }

    def add_link(self, fields: Fields) -> None:
        self.begin()
        if len(self.rows) == int(self.header["L"]):
            self.lines.fail(f"more links than L={self.header['L']}")
        ends = (self.node(fields.get("S"), "S"), self.node(fields.get("E"), "E"))
        self.rows.append((self.lines.number, *ends, fields))

    def lattice(self) -> Lattice:
        if not self.is_complete:
            if "N" not in self.header or "L" not in self.header:
                raise InputError(f"{self.place}: ends before the sizes; expected 'N=... L=...'")
            raise InputError(f"{self.place}: ends after {len(self.rows)} of {self.header['L']} links")
        if int(self.header["N"]) == 0:
            return self.how.empty_lattice(self.place, "N=0")
        start, end = self.ends()
        arcs = ArcList(self.place, (*EPSILON, *self.how.epsilon))
        names = self.features()
        rows = FeatureRows((*names, "words"))
        columns = [self.logs(_source_of(name)[0]) for name in names]
        for i, (line, source, target, fields) in enumerate(self.rows):
            row = [column[i] for column in columns]
            is_possible = -math.inf not in row
            arcs.add(source, target, fields.get("W", self.node_words.get(target)), 0.0 if is_possible else -math.inf)
            values = [*row, float(arcs.labels[-1] >= 0)] if is_possible else []
            rows.add(zip((*names, "words"), values, strict=is_possible), f"{self.lines.name}: line {line}")
        first = self.node_words.get(start)
        begin: int | str = start
        if first is not None and arcs.label(first) >= 0:  # the word of the first node, before all links
            begin = BEFORE
            arcs.add(begin, start, first, 0.0)
            rows.add([("words", 1.0)], self.place)
        features, layout = rows.made()
        scores = features.dot(self.scales(layout.labels)) + np.array(arcs.values)
        return arcs.lattice(begin, {end: 0.0}, scores, features, layout)

    def features(self) -> list[str]:
        """The features of the file; always those of the acoustic and the language model."""
        found = set().union(*self.node_scores.values(), *(fields for *_, fields in self.rows))
        named = [name for name, (field, *_) in _SCORES.items() if name in ("acoustic", "lm") or field in found]
        return [*named, *sorted(filter(_OTHER_SCORE.fullmatch, found), key=lambda name: (int(name[1:]), name))]

    def where(self, link: int) -> str:
        return f"{self.lines.name}: line {self.rows[link][0]}"

    def logs(self, field: str) -> list[float]:
        """The scores of all links in one field, in natural logarithms."""
        none = "1" if self.scale == "prob" else "0"
        texts = [row.get(field, self.node_scores.get(target, {}).get(field, none)) for _, _, target, row in self.rows]
        values = [number(text, self.where(i), f"{field}=") for i, text in enumerate(texts)]
        unit = self.unit
        return [unit * log for log in logarithms(values, self.scale, self.where).tolist()]

    @property
    def base(self) -> float:
        base = number(self.header.get("base", str(math.e)), self.place, "base=")
        if not 0 <= base < math.inf or base == 1:
            raise InputError(f"{self.place}: base={base:g}; expected a base of logarithms, or 0 for probabilities")
        return base

    @property
    def scale(self) -> str:
        return self.how.scale or ("prob" if self.base == 0 else "log")

    @property
    def unit(self) -> float:
        """The factor from logarithms of the file to natural ones."""
        return 1.0 if self.scale == "prob" or self.base in (0.0, math.e) else math.log(self.base)

    def scales(self, names: tuple[str, ...]) -> np.ndarray:
        """The weights of the features by the header."""

        def scale(key: str, default: str) -> float:
            found = number(self.header.get(key, default), self.place, f"{key}=")
            if not math.isfinite(found):
                raise InputError(f"{self.place}: {key}={found}; expected a finite number")
            return found

        return np.array(
            [scale("wdpenalty", "0") * self.unit if name == "words" else scale(*_source_of(name)[1:]) for name in names]
        )

    def ends(self) -> tuple[int, int]:
        """The first and the last node."""
        sources, targets = {row[1] for row in self.rows}, {row[2] for row in self.rows}
        found = []
        for key, candidates, what in (("start", sources - targets, "leads to"), ("end", targets - sources, "leaves")):
            if key in self.header:
                node = whole(self.header[key], self.place, f"{key}=")
                if node >= int(self.header["N"]):
                    raise InputError(f"{self.place}: {key}={node}, but there are {self.header['N']} nodes")
                found.append(node)
                continue
            if not self.rows and self.header["N"] == "1":
                candidates.add(0)
            if len(candidates) != 1:
                raise InputError(
                    f"{self.place}: there are {len(candidates)} nodes that no link {what}; "
                    f"expected one, or '{key}=...' in the header"
                )
            found.append(candidates.pop())
        return found[0], found[1]


def _source_of(feature: str) -> tuple[str, str, str]:
    """The field of a feature, that of its scale in the header, and the default of the scale."""
    return _SCORES.get(feature, (feature, f"{feature}scale", "0"))


def write(lattice: Lattice) -> str:
    """Words and scores on links, in natural logarithms, all as acoustic scores."""
    check_words(lattice.words, lattice.place, "SLF", is_spaced, EPSILON)
    columns = one_end(lattice)
    links = [(source, *arc) for source, arcs in enumerate(columns) for arc in arcs]
    sizes = f"start=0 end={len(columns)}\nN={len(columns) + 1} L={len(links)}\n"
    lines = ["VERSION=1.0\n", "lmscale=1.0 wdpenalty=0.0\n", sizes]
    lines += [f"I={state}\n" for state in range(len(columns) + 1)]
    for i, (source, target, word, score) in enumerate(links):
        escaped = EPSILON[0] if word is None else re.sub(r"([\\\"'])", r"\\\1", word)
        lines.append(f"J={i} S={source} E={target} W={escaped} a={score!r} l=0.0\n")
    return "".join(lines)
