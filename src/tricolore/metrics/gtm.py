"""GTM: precision and recall of matching words, where long runs may count more."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .. import _native
from ..elementwise import divide, power
from ..parameters import Choice, Flag, Real, param
from ..tokenizers import TokenizerName
from .per_reference import PerReferenceMetric, check_counted
from .text_metric import LOWERCASE, STRIP, TOKENIZE

METHODS = ("greedy", "exact")
TOO_MUCH = "too many possible matches for method=exact; use method=greedy"


@dataclass(frozen=True, repr=False)
class GTM(PerReferenceMetric):
    """GTM, General Text Matcher: F-measure of the maximum match size (Melamed, Green & Turian 2003).

        F = 2PR / (P + R)        P = MMS / |c|        R = MMS / |r|        MMS = max over M of (Σ lenᵉ)^(1/e)

    A match M pairs equal words of the hypothesis c and the reference r, each word at most once. Its runs are maximal
    sequences of adjacent words on both sides; the sum is over runs, len is the length of a run, and e (`e`) sets how
    much more long runs count. With e = 1, the default, run length does not matter, and MMS is the number of words in
    common; 2 and 3 reward word order (GTM20 and GTM30 of Lin & Och 2004, who find that small exponents correlate with
    adequacy and large ones with fluency). The corpus score is the mean over segments.

    >>> gtm = GTM(e=2)
    >>> print(gtm(["a b c d"], ["a b x c d"]))  # two runs of 2: MMS = √8
    GTM = 62.85 (P = 70.71 R = 56.57)
    >>> print(gtm(["c d a b"], ["a b x c d"]))  # the same: the position of a run does not matter
    GTM = 62.85 (P = 70.71 R = 56.57)
    >>> print(GTM()(["d c b a"], ["a b x c d"]))  # with e = 1, order does not matter
    GTM = 88.89 (P = 100.00 R = 80.00)

    For e > 1, finding the best match can take exponential time. `method` selects the search:

    greedy   repeatedly take the longest run of unused words; ties go to the one that begins first in the hypothesis,
             then in the reference. This may miss the best match.
    exact    try all matches. A segment that takes too much work (long, with many repeated words) is an error that
             names the segment; there is no automatic switch to the greedy search.

    >>> [round(float(GTM(e=2, method=method).segment("c a b c", "a c c b c a c a")), 4) for method in METHODS]
    [0.4082, 0.4714]

    With several references (`multi_ref`), the best F counts, or the references are concatenated, no run crosses their
    boundaries, and |r| is their mean length (`concat`). Words of several references may then add up, so that recall and
    F can exceed 1 if the hypothesis is longer than the references.

    If hypothesis or reference is empty, the score is 0.

    Where others disagree. Turian et al. match against all references at once (`concat`) and search greedily. They do
    not specify how ties are broken, so for e > 1 scores of other programs may differ slightly.
    """

    name = "gtm"
    title = "GTM"
    family = "runs of words"
    citation = (
        "I. Dan Melamed, Ryan Green, Joseph P. Turian (2003): Precision and recall of machine translation. HLT-NAACL. "
        "Joseph P. Turian, Luke Shen, I. Dan Melamed (2003): Evaluation of machine translation and its "
        "evaluation. MT Summit IX."
    )
    columns = ("precision", "recall", "f", "segments")
    batch_size = 256  # an exact search may take a while

    e: float = param(1.0, Real(1), "exponent of run lengths; 1 = run length does not matter")
    method: str = param("greedy", Choice(METHODS), "search for the best match if e > 1")
    multi_ref: str = param(
        "max",
        Choice(("max", "concat")),
        "with several references: max = the one with the highest F, concat = all as one text, over their mean length",
    )
    tokenize: str = param("universal", TokenizerName(), TOKENIZE)
    lowercase: bool = param(False, Flag(), LOWERCASE)
    strip_punctuation: bool = param(False, Flag(), STRIP)

    @cached_property
    def counter(self) -> _native.RunCounter:
        return _native.RunCounter(
            **self.core_reading, exponent=self.e, search=METHODS.index(self.method), joined=self.multi_ref == "concat"
        )

    @property
    def counts_pairs(self) -> bool:  # type: ignore[override]
        return self.multi_ref == "max"

    def row(self, pair: Sequence[Any], over: Any) -> Any:
        unit, total, c, r = pair
        check_counted(total, f"gtm: {TOO_MUCH}")
        # The core measures runs relative to `unit`, the longest run if e > 1, so that powers do not overflow.
        mms = unit * power(total, 1.0 / self.e)
        if self.multi_ref == "concat":
            mms, c, r = over.least(mms), over.least(c), over.mean(r)
        p, rec = divide(mms, c), divide(mms, r)
        f = divide(2.0 * p * rec, p + rec)
        if self.multi_ref == "max":
            p, rec, f = over.best((p, rec, f), -f, -p)
        return p, rec, f, 1.0

    def value(self, row: Sequence[Any]) -> Any:
        return divide(row[2], row[3])

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        precision, recall, f = (divide(column, row[3]) for column in row[:3])
        return {"value": f, "precision": precision, "recall": recall, "segments": row[3]}

    def describe(self, parts: Mapping[str, Any]) -> str:
        return f"(P = {100.0 * parts['precision']:.2f} R = {100.0 * parts['recall']:.2f})"

    def settings(self) -> dict[str, Any]:
        return {**super().settings(), "method": self.method if self.e != 1.0 else "any"}
