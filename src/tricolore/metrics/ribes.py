"""RIBES: how alike the order of words is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .. import _native
from ..elementwise import divide, exp, minimum, where
from ..parameters import Choice, Flag, Real, param
from ..tokenizers import TokenizerName
from .ngram_precision import LOWERCASE, STRIP, TOKENIZE
from .per_reference import PerReferenceMetric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

CONTEXT = (
    "which words decide where a word is found in the reference if those after it and as many before it would do: "
    "after = as in the paper, before = as in the authors' program"
)


@dataclass(frozen=True, repr=False)
class RIBES(PerReferenceMetric):
    """RIBES: rank correlation of the order of words, for distant languages (Isozaki et al. 2010).

        RIBES = NKT · P^α · BP^β
        NKT = ascending pairs / C(a, 2)        P = a / |c|        BP = min(1, exp(1 − |r|/|c|))

    a: words of the hypothesis c whose place in the reference r is certain; NKT: of all pairs of them, how many stand in
    the same order in r (Kendall's τ, from 0 to 1); α: `alpha`; β: `beta`. A place is certain by the shortest context
    that is in c exactly once and in r exactly once: the word alone, or with the words after it, or with those before
    it; `context` says which of two as short decides. An example of the paper:

    >>> ribes = RIBES(tokenize="none")
    >>> print(ribes.segment("he read the book because he was interested in world history",
    ...                     "he was interested in world history because he read the book"))
    RIBES = 38.18 (NKT = 0.382 P = 1.000 BP = 1.000)

    Fewer than two certain words score 0, but for a reference of one word, where NKT is 1 if that word is found. An
    empty text on either side scores 0, and one that repeats itself ("a a a") less than 1 against itself. Of several
    references the best counts; the score of a corpus is the mean.

    Where others disagree. Contexts of any length and the rule for one-word references are those of the authors'
    program, RIBES.py 1.03. But that program looks at the words before first (`context=before`), which makes the
    example 0.309; it also lower-cases (`lowercase`) and stops at an empty reference. NLTK never looks at the words
    before as far as the beginning of the text if fewer words follow; it gives 0 to one-word references; and it refuses
    more than 2,000 words. Elsewhere it is the same number in its version 3.10.4; older ones counted only pairs within
    runs of neighbours.
    """

    name = "ribes"
    title = "RIBES"
    family = "word alignment"
    citation = (
        "Hideki Isozaki, Tsutomu Hirao, Kevin Duh, Katsuhito Sudoh, Hajime Tsukada (2010): Automatic evaluation of "
        "translation quality for distant language pairs. EMNLP."
    )
    columns = ("ribes", "nkt", "precision", "bp", "segments")

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
        ribes = nkt * precision**self.alpha * bp**self.beta
        return *over.best((ribes, nkt, precision, bp), -ribes), 1.0

    def value(self, row: Sequence[Any]) -> Any:
        return divide(row[0], row[4])

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        ribes, nkt, precision, bp = (divide(column, row[4]) for column in row[:4])
        return {"value": ribes, "nkt": nkt, "precision": precision, "bp": bp}

    def describe(self, parts: Mapping[str, Any]) -> str:
        return f"(NKT = {parts['nkt']:.3f} P = {parts['precision']:.3f} BP = {parts['bp']:.3f})"
