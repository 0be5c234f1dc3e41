"""RIBES: rank correlation of word order."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .. import _native
from ..elementwise import divide, exp, minimum, power, where
from ..parameters import Choice, Flag, Real, param
from ..tokenizers import TokenizerName
from .per_reference import PerReferenceMetric
from .text_metric import LOWERCASE, STRIP, TOKENIZE

CONTEXT = (
    "context that identifies a word in the reference if the words after it and equally many before it are both unique: "
    "after = as in the paper, before = as in the authors' program"
)


@dataclass(frozen=True, repr=False)
class RIBES(PerReferenceMetric):
    """RIBES: rank correlation of the order of words, for distant languages (Isozaki et al. 2010).

        RIBES = NKT · P^α · BP^β
        NKT = ascending pairs / C(a, 2)        P = a / |c|        BP = min(1, exp(1 − |r|/|c|))

    a: words of the hypothesis c that are aligned with the reference r; NKT: the fraction of pairs of them that are in
    the same order in r (Kendall's τ, scaled to 0..1); α: `alpha`; β: `beta`. A word is aligned by the shortest context
    that occurs exactly once in c and exactly once in r: the word alone, or with the words after it, or with those
    before it; `context` decides between two contexts of the same length. An example from the paper:

    >>> ribes = RIBES(tokenize="none")
    >>> print(ribes.segment("he read the book because he was interested in world history",
    ...                     "he was interested in world history because he read the book"))
    RIBES = 38.18 (NKT = 0.382 P = 1.000 BP = 1.000)

    With fewer than two aligned words the score is 0, except for a reference of one word, where NKT is 1 if that word is
    found. An empty hypothesis or reference scores 0; a text of repeated words ("a a a") scores less than 1 against
    itself. With several references the best counts; the corpus score is the mean over segments.

    Where others disagree. Contexts of any length and the rule for one-word references are those of the authors'
    program, RIBES.py 1.03. That program tries the words before first (`context=before`), which makes the example 0.309;
    it also lower-cases (`lowercase`) and fails on an empty reference. NLTK does not extend the context before a word to
    the beginning of the text if fewer words follow, scores one-word references 0, and rejects more than 2,000 words.
    Otherwise NLTK 3.10.4 gives the same scores; older versions counted only pairs within runs of adjacent words.
    """

    name = "ribes"
    title = "RIBES"
    family = "word alignment"
    citation = (
        "Hideki Isozaki, Tsutomu Hirao, Kevin Duh, Katsuhito Sudoh, Hajime Tsukada (2010): Automatic evaluation of "
        "translation quality for distant language pairs. EMNLP."
    )
    columns = ("ribes", "nkt", "precision", "bp", "segments")
    printed_parts = "(NKT = {nkt:.3f} P = {precision:.3f} BP = {bp:.3f})"

    alpha: float = param(0.25, Real(0), "exponent of the precision")
    beta: float = param(0.10, Real(0), "exponent of the brevity penalty")
    context: str = param("after", Choice(("after", "before")), CONTEXT)
    tokenize: str = param("universal", TokenizerName(), TOKENIZE)
    lowercase: bool = param(False, Flag(), LOWERCASE)
    strip_punctuation: bool = param(False, Flag(), STRIP)

    @cached_property
    def counter(self) -> _native.OrderCounter:
        return _native.OrderCounter(**self.core_reading, left_first=self.context == "before")

    def row(self, pair: Sequence[Any], over: Any) -> Any:
        a, ascending, c, r = pair
        nkt = where((a == 1.0) & (r == 1.0), 1.0, divide(ascending, a * (a - 1.0) / 2.0))
        precision = divide(a, c)
        bp = where(c == 0.0, 0.0, exp(minimum(0.0, 1.0 - divide(r, c))))
        ribes = nkt * power(precision, self.alpha) * power(bp, self.beta)
        return *over.best((ribes, nkt, precision, bp), -ribes), 1.0

    def value(self, row: Sequence[Any]) -> Any:
        return divide(row[0], row[4])

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        ribes, nkt, precision, bp = (divide(column, row[4]) for column in row[:4])
        return {"value": ribes, "nkt": nkt, "precision": precision, "bp": bp}
