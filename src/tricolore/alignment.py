"""Alignments of hypotheses with references, word by word or character by character: as data, and as a picture."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from . import _native
from .alignment_picture import Block, MarkedLine, page_of, shown
from .columns import plain
from .errors import InputError, InputTypeError, SpecError, explaining_arguments
from .metrics.edit_rates import LER, WER, rate
from .parameters import Flag, Options, param
from .readers.texts import TextFile, check_lines, texts_of
from .results import Page, Result
from .scoring import Score
from .segments import explain, is_ids
from .tokenizers import TokenizerName
from .types import Record, Text

#: What an alignment counts.
COUNTS = ("hits", "substitutions", "insertions", "deletions")
KINDS = {"=": "equal", "S": "substitute", "I": "insert", "D": "delete"}


@dataclass(frozen=True, slots=True)
class Operation:
    """A stretch of one kind: what tokens of the hypothesis and of the reference it is about.

    `kind` is equal, substitute, insert (tokens that only the hypothesis has) or delete (only the reference). Tokens
    are counted from 0; those at the ends of the spans do not belong to them, as in `range`.
    """

    kind: str
    hyp_start: int
    hyp_end: int
    ref_start: int
    ref_end: int

    def __len__(self) -> int:
        return max(self.hyp_end - self.hyp_start, self.ref_end - self.ref_start)


class _Aligned(Result):
    """What one alignment and several have in common: counts, a score, and a picture that needs equal columns."""

    def count(self, kind: str) -> int:
        """How many tokens operations of this kind are about."""
        raise NotImplementedError

    @property
    def hits(self) -> int:
        """Equal tokens."""
        return self.count("equal")

    @property
    def substitutions(self) -> int:
        """Tokens that stand for another."""
        return self.count("substitute")

    @property
    def insertions(self) -> int:
        """Tokens that only the hypothesis has."""
        return self.count("insert")

    @property
    def deletions(self) -> int:
        """Tokens that only the reference has."""
        return self.count("delete")

    @property
    def edits(self) -> int:
        """All but the hits; always what WER, or LER of characters, counts."""
        return self.substitutions + self.insertions + self.deletions

    @property
    def score(self) -> Score:
        """The error rate: WER, or LER for characters."""
        raise NotImplementedError

    def counts(self) -> dict[str, int]:
        """Hits, substitutions, insertions and deletions."""
        return {name: getattr(self, name) for name in COUNTS}

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.score.line()}>"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


@dataclass(frozen=True, repr=False)
class Alignment(_Aligned):
    """A shortest way to edit a reference so that it becomes the hypothesis; made by `align`.

    >>> from tricolore import align
    >>> found = align("the cat sat upon a mat", "the cat was on a big mat")
    >>> print(found)
    REF: the cat was on   a big mat
    HYP: the cat sat upon a *** mat
                 S   S      D
    >>> found.hits, found.substitutions, found.insertions, found.deletions
    (4, 2, 0, 1)
    >>> found.edits, round(found.rate, 4)
    (3, 0.4286)
    >>> [(one.kind, found.hypothesis[one.hyp_start : one.hyp_end]) for one in found.operations][:2]
    [('equal', ('the', 'cat')), ('substitute', ('sat', 'upon'))]
    """

    hypothesis: tuple[str, ...]  #: the tokens
    reference: tuple[str, ...]
    operations: tuple[Operation, ...]
    metric: WER | LER  #: what counts these edits

    def count(self, kind: str) -> int:
        return sum(len(one) for one in self.operations if one.kind == kind)

    @property
    def score(self) -> Score:
        sizes = self.edits, len(self.hypothesis), len(self.reference)
        return Score(self.metric, [*map(float, sizes)], (1, 1))

    @property
    def rate(self) -> float:
        """Edits by token of the reference, as WER or LER says."""
        return float(rate(float(self.edits), float(len(self.reference))))

    def pairs(self) -> Iterator[tuple[str, str | None, str | None]]:
        """Go through the alignment token by token: kind, token of the reference, token of the hypothesis."""
        for one in self.operations:
            for k in range(len(one)):
                ref = None if one.kind == "insert" else self.reference[one.ref_start + k]
                hyp = None if one.kind == "delete" else self.hypothesis[one.hyp_start + k]
                yield one.kind, ref, hyp

    def format(self, width: int | None = None) -> str:
        """Draw it: reference, hypothesis, and below them S, I and D where a word is substituted, inserted or deleted.

        Lines are at most `width` columns wide unless a single word is wider; 0 means one line for all, and None as
        wide as the terminal, or 100 columns where there is none. Wide characters and combining marks take the
        columns that a terminal gives them. What a terminal would not print is written as an escape.
        """
        return "\n".join(one.text for one in self.drawing(width))

    def drawing(self, width: int | None = None, labels: tuple[str, str] = ("REF", "HYP")) -> list[MarkedLine]:
        """The lines of the picture, and where in them the edits are; see `format`."""
        from shutil import get_terminal_size

        if width is None:
            width = get_terminal_size((100, 24)).columns
        if isinstance(width, bool) or not isinstance(width, int) or width < 0:
            raise SpecError(f"width must be a whole number, 0 (no limit) or more; got {width!r}")
        size = max(map(len, labels))
        names = [f"{label + ':':<{size + 1}} " for label in labels] + [" " * (size + 2)]
        blocks = [[*block.lines()] for block in self._blocks(width, names)]
        return [line for block in blocks for line in (*block, MarkedLine(""))][:-1]

    def _blocks(self, width: int, labels: Sequence[str]) -> Iterator[Block]:
        gap = 0 if isinstance(self.metric, LER) else 1
        block = Block(labels, gap)
        for kind, ref, hyp in self.pairs():
            cells = [None if token is None else shown(token, characters=not gap) for token in (ref, hyp)]
            if width and not block.empty and block.used + block.size_of(cells) > width:
                yield block
                block = Block(labels, gap)
            block.add(kind, cells)
        yield block

    def __str__(self) -> str:
        return self.format()

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.counts(),
            "rate": self.rate,
            "signature": self.score.signature,
            "hypothesis": [*self.hypothesis],
            "reference": [*self.reference],
            "operations": [asdict(operation) for operation in self.operations],
        }

    def facts(self) -> Mapping[str, Sequence[Record]]:
        between = "" if isinstance(self.metric, LER) else " "
        return {
            "operations": [
                {
                    **asdict(one),
                    "hypothesis": between.join(self.hypothesis[one.hyp_start : one.hyp_end]),
                    "reference": between.join(self.reference[one.ref_start : one.ref_end]),
                }
                for one in self.operations
            ]
        }

    def page(self, width: int | None = None) -> Page:
        return page_of(self.drawing())


@dataclass(frozen=True, repr=False)
class Alignments(_Aligned):
    """The alignments of segments, by number from 1 on; `align_all` makes it."""

    segments: Mapping[int, Alignment]
    only_errors: bool = False  #: whether segments without an error are left out, except in counts and score
    columns: int | None = None  #: columns of a line of the pictures; see `Alignment.format`

    def count(self, kind: str) -> int:
        return sum(one.count(kind) for one in self.segments.values())

    @property
    def shown(self) -> dict[int, Alignment]:
        """The segments that are shown."""
        return {number: one for number, one in self.segments.items() if one.edits or not self.only_errors}

    @property
    def score(self) -> Score:
        found = [*self.segments.values()]
        total = [float(sum(one.score.stats.values[i] for one in found)) for i in range(3)]
        return Score(found[0].metric, total, (1, 1))

    @property
    def summary(self) -> str:
        """The signature, the error rate and the counts on one line."""
        counts = " ".join(f"{name} = {number}" for name, number in self.counts().items())
        return f"{self.score.signature} = {self.score.display()} {self.score.verbose} {counts}"

    def to_dict(self) -> dict[str, Any]:
        segments = [{"segment": number, **one.to_dict()} for number, one in self.shown.items()]
        return {**self.score.to_dict(), **self.counts(), "segments": segments}

    def facts(self) -> Mapping[str, Sequence[Record]]:
        found = [{"segment": i, **one} for i, segment in self.shown.items() for one in segment.records()]
        return {"operations": found}

    def page(self, width: int | None = None) -> Page:
        lines: list[MarkedLine] = []
        for number, one in self.shown.items():
            lines += [MarkedLine("")] if lines else []
            lines += [MarkedLine(f"segment {number}: {one.score}")] if [*self.segments] != [1] else []
            lines += one.drawing(self.columns)
        return page_of(lines, self.summary)


@explaining_arguments
def align(
    hyp: Text,
    ref: Text,
    *,
    chars: bool = False,
    tokenize: str = "none",
    lowercase: bool = False,
    strip_punctuation: bool = False,
) -> Alignment:
    """Align a hypothesis with a reference by the fewest insertions, deletions and substitutions.

    Words are aligned, cut as `WER` cuts them, or with `chars` characters, as in `LER`. The other parameters are those
    of the two metrics. Token ids may stand for text.

    >>> align("a b d", "a b c d").operations[1]
    Operation(kind='delete', hyp_start=2, hyp_end=2, ref_start=2, ref_end=3)
    >>> print(align("recieve it", "receive", chars=True))
    REF: rec*eive***
    HYP: recie*ve␣it
            I D  III

    There are often several ways that are shortest. This is the one that jiwer (RapidFuzz) finds: what both texts
    begin with, then what they end with, is aligned first. Then, from the end, a word of the reference is deleted if
    a shortest way may; else one of the hypothesis is inserted if the distance before it is less than that before a
    substitution or match; else the two are matched or substituted. The rule is the same for texts of any length;
    RapidFuzz divides texts of more than about 2,000 words, and may find another shortest way there.
    """
    how = AlignmentOptions(chars, tokenize, lowercase, strip_punctuation)
    return align_with(how.metric, hyp, ref)


def align_all(
    hyps: Any,
    refs: Any,
    *,
    segments: Iterable[int] | None = None,
    only_errors: bool = False,
    chars: bool = False,
    tokenize: str = "none",
    lowercase: bool = False,
    strip_punctuation: bool = False,
) -> Alignments:
    """Align the segments of a corpus, or only `segments` (numbers from 1 on), each with its one reference.

    Hypotheses and references are lists or columns of texts, or files. `only_errors` leaves out segments without an
    error; counts and score are those of all segments. The other parameters are those of `align`.

    >>> print(align_all(["a b", "a c d"], ["a b", "a b d"], only_errors=True))
    segment 2: WER = 33.33 (edits = 1 hyp_len = 3 ref_len = 3)
    REF: a b d
    HYP: a c d
           S
    <BLANKLINE>
    WER|nrefs:1|...= 20.00 (edits = 1 hyp_len = 5 ref_len = 5) hits = 4 substitutions = 1 insertions = 0 deletions = 0
    """
    how = AlignmentOptions(chars, tokenize, lowercase, strip_punctuation)
    texts, references = texts_of(hyps, "hyps"), texts_of(refs, "refs")
    if isinstance(texts, TextFile) and isinstance(references, TextFile):
        check_lines(texts.path, len(texts), references.path, len(references))
    if len(texts) != len(references):
        raise InputError(f"there are {len(texts):,} hypotheses, but {len(references):,} references")
    if not texts:
        raise InputError("there is nothing to align: expected at least one segment, got none")
    found = {}
    for number in _chosen(segments, len(texts)):
        try:
            found[number] = align_with(how.metric, texts[number - 1], references[number - 1])
        except InputError as error:
            raise InputError(f"segment {number}: {error}") from None
    return Alignments(found, only_errors)


def _chosen(asked: Iterable[int] | None, size: int) -> Sequence[int]:
    """The segments asked for, each once, in their order."""
    if asked is None:
        return range(1, size + 1)
    numbers = sorted({*asked})
    if not numbers:
        raise SpecError("segments: expected at least one number, got none")
    if numbers[0] < 1:
        raise SpecError(f"segments are counted from 1; got {numbers[0]}")
    if numbers[-1] > size:
        raise InputError(f"there is no segment {numbers[-1]}; the texts end at {size}")
    return numbers


@dataclass(frozen=True)
class AlignmentOptions(Options):
    """What is aligned, and how text is read."""

    chars: bool = param(False, Flag(), "align characters instead of words")
    tokenize: str = param("none", TokenizerName(), "tokeniser, as for 'tricolore tokenize'")
    lowercase: bool = param(False, Flag(), "lower-case the text first")
    strip_punctuation: bool = param(False, Flag(), "drop punctuation first")

    def complete(self) -> None:
        if self.chars and self.tokenize != "none":
            raise SpecError(f"chars=True aligns characters, and tokenize='{self.tokenize}' cuts words; choose one")

    @cached_property
    def metric(self) -> WER | LER:
        """The metric whose edits are shown."""
        if self.chars:
            return LER(lowercase=self.lowercase, strip_punctuation=self.strip_punctuation)
        return WER(tokenize=self.tokenize, lowercase=self.lowercase, strip_punctuation=self.strip_punctuation)


def align_with(metric: WER | LER, hyp: Any, ref: Any) -> Alignment:
    """Align two texts as a metric reads them."""
    hyp, ref = plain(hyp), plain(ref)
    if isinstance(ref, list | tuple) and ref and not is_ids(ref):
        hint = "; join tokens with spaces" if isinstance(hyp, list | tuple) and not is_ids(hyp) else ""
        raise InputTypeError(f"an alignment is with one reference, a string or token ids; got a list{hint}")
    try:
        hyp_text, ref_text = metric.prepared(hyp), metric.prepared(ref)
        # A list of its own, so that token ids, and none of them, are one reference.
        refs = [ref_text] if hasattr(ref_text, "__len__") else ref_text
        steps = _native.edit_script(hyp_text, refs, metric.tokenizer.core, metric.core_strip)
    except (TypeError, AttributeError, ValueError):
        explain([hyp], [[ref] if hasattr(ref, "__len__") else ref])
        raise
    return Alignment(_tokens(metric, hyp_text), _tokens(metric, ref_text), tuple(_operations(steps)), metric)


def _tokens(metric: WER | LER, text: Any) -> tuple[str, ...]:
    if not isinstance(text, str):
        return tuple(map(str, text))
    return tuple(_native.tokenize(text, metric.tokenizer.core, metric.core_strip))


def _operations(steps: str) -> Iterator[Operation]:
    h = r = 0
    for letter, run in groupby(steps):
        size = sum(1 for _ in run)
        of_hyp, of_ref = size * (letter != "D"), size * (letter != "I")
        yield Operation(KINDS[letter], h, h + of_hyp, r, r + of_ref)
        h, r = h + of_hyp, r + of_ref
