"""Variants of BLEU: add-one smoothing, a strict brevity penalty, characters, and averaged segments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..elementwise import divide, exp, where
from ..parameters import Choice, Whole, fixed, param, parameters
from .base import Title
from .bleu import BLEU
from .ngram_precision import ORDER, REF_LEN, REFERENCE_LENGTHS, SMOOTH, SMOOTHINGS, BLEUParameters, NgramPrecision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from ..types import Array, Counted
    from .pairwise import Group


@dataclass(frozen=True, repr=False)
class BLEUS(NgramPrecision):
    """BLEUS: BLEU with one added to matches and totals of orders above 1 (Lin & Och 2004, section 4).

        p₁ = m₁ / l₁        pₙ = (mₙ + 1) / (lₙ + 1) for n ≥ 2

    It is `bleu(smooth=2)`: candidates shorter than n words still get a score above 0, candidates without a
    matching word get 0. The paper uses orders 1 to 9, one segment at a time.

    >>> bleus = BLEUS(tokenize="none")
    >>> round(float(bleus.segment("police killed", "police killed the gunman")), 4)
    0.3679
    >>> float(bleus.segment("x y z", "police killed the gunman"))
    0.0
    """

    name = "bleus"
    title = Title("BLEUS", lambda metric: f"BLEUS{metric.order}")
    citation = (
        "Chin-Yew Lin, Franz Josef Och (2004): ORANGE: a method for evaluating automatic evaluation metrics for "
        "machine translation. COLING."
    )

    counts_as = "bleu"

    smooth: str | int = fixed(2)
    epsilon: float = fixed(0.1)
    add: float = fixed(1.0)
    k: float = fixed(5.0)
    alpha: float = fixed(5.0)
    weights: tuple[float, ...] | None = fixed(None)
    mean: str = fixed("geometric")
    short: str | None = fixed(None)
    zero_if_no_unigram: bool | None = fixed(None)


@dataclass(frozen=True, repr=False)
class BLEUSBP(NgramPrecision):
    """BLEU-SBP: BLEU with a strict brevity penalty (Chiang et al. 2008, eq. 4).

        BP = φ(Σᵢ min(cᵢ, rᵢ) / Σᵢ rᵢ)        φ(x) = exp(1 − 1/x), φ(0) = 0

    cᵢ, rᵢ: length of segment i and of its references (`ref_len`). A long segment cannot compensate for a short one.
    Everything else is as in BLEU. If all references are empty, the penalty is 1.

    >>> from tricolore import BLEU
    >>> hyps, refs = ["a b c d x y", "a b"], ["a b c d", "a b c d"]
    >>> [round(float(metric(hyps, refs)), 4) for metric in (BLEUSBP(order=1), BLEU(order=1))]
    [0.5374, 0.75]

    `ref_len` is `shortest` by default: with it (and with `average`) the sum of rᵢ does not depend on the system, as the
    paper requires of its weights.
    """

    name = "bleu-sbp"
    title = "BLEU-SBP"
    citation = (
        "David Chiang, Steve DeNeefe, Yee Seng Chan, Hwee Tou Ng (2008): Decomposability of translation metrics "
        "for improved evaluation and efficient algorithms. EMNLP."
    )
    counts_clipped_length = True
    counts_as = "bleu"

    ref_len: str = param("shortest", Choice(REFERENCE_LENGTHS), REF_LEN)

    def brevity_penalty(self, c: Any, r: Any, row: Sequence[Any]) -> Any:
        x = divide(row[-1], r, 1.0)
        return where(x == 0.0, 0.0, exp(1.0 - divide(1.0, x, 1.0)))


@dataclass(frozen=True, repr=False)
class CharBLEU(NgramPrecision):
    """Character BLEU: BLEU over characters instead of words (Denoual & Lepage 2005).

        charBLEU = BP · (Πₙ pₙ)^(1/N)        n-grams of characters, N = `order`

    A token is a code point; a run of white space counts as one space, an ordinary character. Orders are in characters,
    18 in the paper, so short texts score 0 unless smoothed. Everything else is as in BLEU. No word segmentation is
    needed, so Chinese, Japanese and Thai are treated like English.

    >>> round(float(CharBLEU(order=4)(["and saw", "house"], ["and saw", "in"])), 4)
    0.618
    """

    name = "char-bleu"
    title = "charBLEU"
    citation = (
        "Etienne Denoual, Yves Lepage (2005): BLEU in characters: towards automatic MT evaluation in languages "
        "without word delimiters. IJCNLP."
    )
    counts_as = "bleu"

    order: int = param(18, Whole(1, 10_000), ORDER + ", in characters")
    smooth: str | int = param("none", SMOOTHINGS, SMOOTH)
    tokenize: str = fixed("char+space")


@dataclass(frozen=True, repr=False)
class DocumentBLEU(BLEUParameters):
    """Document BLEU: segment scores averaged by reference length (Chen & Cherry 2014, eq. 13).

        docBLEU = Σᵢ rᵢ BLEUᵢ / Σᵢ rᵢ

    BLEUᵢ: BLEU of segment i with `smooth`; rᵢ: its effective reference length, as in the brevity penalty. If all
    references are empty, the score is 0. Smoothing 7, the paper's best, is the default.

    >>> round(float(DocumentBLEU(order=1, smooth=0)(["a b", "x y z w"], ["a b", "x y q r"])), 4)
    0.6667
    """

    name = "doc-bleu"
    title = "docBLEU"
    citation = (
        "Boxing Chen, Colin Cherry (2014): A systematic comparison of smoothing techniques for sentence-level "
        "BLEU. WMT."
    )
    columns = ("weighted_score", "ref_len", "segments")
    printed_parts = "(segments = {segments:.10g} ref_len = {ref_len:.10g})"
    pairs_at_a_time = 1 << 20
    averages_references = True

    smooth: str | int = param(7, SMOOTHINGS, SMOOTH)

    @cached_property
    def _segment_metric(self) -> BLEU:
        return BLEU(**{field.name: getattr(self, field.name) for field in parameters(self)})

    def count(self, hyps: Sequence[Any], refs: Sequence[Any], rows: Array | None, threads: int) -> Counted:
        import numpy as np

        bleu = self._segment_metric
        counted = np.empty((len(hyps), len(bleu.columns)))
        _, fewest, most = bleu.count(hyps, refs, counted, threads)
        r = counted[:, bleu.columns.index("ref_len")]
        weighed = np.column_stack([r * bleu.score(counted), r, np.ones(len(hyps))])
        if rows is not None:
            rows[:] = weighed
        return weighed.sum(axis=0).tolist(), fewest, most

    def pair_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        bleu = self._segment_metric
        at = bleu.columns.index("ref_len")
        for columns in bleu.pair_columns(groups, threads):
            yield columns[at] * bleu.value(columns), columns[at], 1.0

    def count_one(self, hyp: str, refs: Any) -> tuple[list[float], int]:
        bleu = self._segment_metric
        row, number = bleu.count_one(hyp, refs)
        r = row[bleu.columns.index("ref_len")]
        return [r * bleu.value(row), r, 1.0], number

    def value(self, row: Sequence[Any]) -> Any:
        return divide(row[0], row[1])

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        return {"value": self.value(row), "ref_len": row[1], "segments": row[2]}
