"""Edit rates: word, character and position-independent error rate, and CDER."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .. import _native
from ..elementwise import divide, maximum, where
from ..parameters import Choice, Flag, fixed, param
from ..tokenizers import TokenizerName
from .per_reference import PerReferenceMetric
from .text_metric import LOWERCASE, STRIP, TOKENIZE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from .pairwise import Group

MULTI_REF = (
    "with several references: min_ratio = the one with the lowest rate (ties go to fewer edits, then to the longest), "
    "min_edits = the one with the fewest edits (ties go to the longest), "
    "avg_len = the fewest edits over the mean length, as in TER"
)


def rate(edits: Any, length: Any) -> Any:
    """Edits per reference word; for an empty reference 0 without edits, else 1.

    >>> rate(1.0, 4.0), rate(0.0, 0.0), rate(3.0, 0.0)
    (0.25, 0.0, 1.0)
    """
    return where(length == 0.0, where(edits == 0.0, 0.0, 1.0), divide(edits, length))


@dataclass(frozen=True, repr=False)
class EditRate(PerReferenceMetric):
    """Shared code of edit rates: edits over reference length, both summed over segments.

    rate = Σ d / Σ |r|
    """

    family = "edit rates"
    higher_is_better = False
    pairs_are_rows = True
    columns = ("edits", "hyp_len", "ref_len")
    distance = 0  #: the number of the distance in the core

    multi_ref: str = param("min_ratio", Choice(("min_ratio", "min_edits", "avg_len")), MULTI_REF)
    tokenize: str = param("none", TokenizerName(), TOKENIZE)
    lowercase: bool = param(False, Flag(), LOWERCASE)
    strip_punctuation: bool = param(False, Flag(), STRIP)

    @cached_property
    def counter(self) -> _native.EditCounter:
        return _native.EditCounter(**self.core_reading, distance=self.distance)

    def row(self, pair: Sequence[Any], over: Any) -> Any:
        d, c, r = pair
        if self.multi_ref == "avg_len":
            return over.least(d), over.least(c), over.mean(r)
        return over.best(pair, d, -r) if self.multi_ref == "min_edits" else over.best(pair, rate(d, r), d, -r)

    def value(self, row: Sequence[Any]) -> Any:
        return rate(row[0], row[2])


@dataclass(frozen=True, repr=False)
class WER(EditRate):
    """WER: word error rate, edits per reference word (Levenshtein 1966).

        WER = Σ d(c, r) / Σ |r|

    d: the fewest insertions, deletions and substitutions of words that turn the hypothesis c into the reference r; both
    sums are over segments. The rate may exceed 1. If all references are empty, it is 0 for an empty hypothesis, else 1.
    By default text is split at white space, as in jiwer; for scripts without spaces use `tokenize=universal` or `ler`.

    >>> print(WER()(["hello duck"], ["hello world"]))
    WER = 50.00 (edits = 1 hyp_len = 2 ref_len = 2)
    """

    name = "wer"
    title = "WER"
    citation = (
        "Vladimir Levenshtein (1966): Binary codes capable of correcting deletions, insertions and reversals. "
        "Soviet Physics Doklady 10. In machine translation: Christoph Tillmann et al. (1997): Accelerated DP based "
        "search for statistical translation. Eurospeech."
    )


@dataclass(frozen=True, repr=False)
class WRR(EditRate):
    """WRR: word recognition rate, 1 − WER (Chiang et al. 2008, eq. 5).

        WRR = 1 − WER = Σ max (M − I) / Σ |r|

    M, I: matches and insertions of the best alignment. It may be negative.

    >>> float(WRR()(["a b x d"], ["a b c d"]))
    0.75
    """

    name = "wrr"
    title = "WRR"
    citation = (
        "David Chiang, Steve DeNeefe, Yee Seng Chan, Hwee Tou Ng (2008): Decomposability of translation metrics for "
        "improved evaluation and efficient algorithms. EMNLP."
    )
    higher_is_better = True
    counts_as = "wer"

    def value(self, row: Sequence[Any]) -> Any:
        return 1.0 - rate(row[0], row[2])


@dataclass(frozen=True, repr=False)
class LER(EditRate):
    """LER: character error rate (CER), also called letter error rate (Levenshtein 1966).

        LER = Σ d(c, r) / Σ |r|

    As WER, over characters: a run of white space counts as one space; white space at the ends is ignored.

    >>> print(LER()(["a cut sat"], ["a cat sat"]))
    LER = 11.11 (edits = 1 hyp_len = 9 ref_len = 9)
    """

    name = "ler"
    title = "LER"
    citation = WER.citation
    counts_as = "wer"

    tokenize: str = fixed("char+space")


@dataclass(frozen=True, repr=False)
class PER(EditRate):
    """PER: position-independent word error rate (Tillmann et al. 1997).

        PER = Σ (max(|c|, |r|) − |bag(c) ∩ bag(r)|) / Σ |r|

    As WER, but ignoring word order. It may exceed 1.

    >>> float(PER()(["b a"], ["a b"])), float(PER()(["a a b"], ["a b c d"]))
    (0.0, 0.5)

    Other published forms are equivalent: half the sum of the difference in length and the differences of all word
    counts; and 1 − (matches − max(0, |c| − |r|)) / |r|, as in Moses.
    """

    name = "per"
    title = "PER"
    pairs_at_a_time = 1 << 20
    citation = (
        "Christoph Tillmann, Stephan Vogel, Hermann Ney, Alex Zubiaga, Hassan Sawaf (1997): Accelerated DP based "
        "search for statistical translation. Eurospeech."
    )
    distance = 1

    def core_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        from .pairwise import shared_words

        for shared in shared_words(self, groups, 1, threads):
            c, r = shared.of_hyps(1), shared.of_refs(1)
            yield maximum(c, r) - shared.matches(1), c, r


@dataclass(frozen=True, repr=False)
class CDER(EditRate):
    """CDER: edit distance with jumps, so that blocks of words may move (Leusch, Ueffing & Ney 2006).

        CDER = Σ d_CD(c, r) / Σ |r|

    d_CD: the lowest cost of covering the words of the reference, each exactly once and in order, with words of the
    hypothesis, by insertions, deletions, substitutions, and jumps to any position in the hypothesis, at a cost of 1
    each. Words of the hypothesis may be used repeatedly or not at all. The path begins before its first word and ends
    after its last, so two blocks that swap places take three jumps, whatever their length.

    >>> float(CDER()(["c d a b"], ["a b c d"])), float(WER()(["c d a b"], ["a b c d"]))
    (0.75, 1.0)
    """

    name = "cder"
    title = "CDER"
    citation = (
        "Gregor Leusch, Nicola Ueffing, Hermann Ney (2006): CDER: efficient MT evaluation using block movements. EACL."
    )
    distance = 2
