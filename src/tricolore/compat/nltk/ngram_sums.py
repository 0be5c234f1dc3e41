"""N-gram matches as NLTK's BLEU sums them, and as fractions that are not reduced."""

from collections.abc import Sequence
from fractions import Fraction as Rational
from functools import lru_cache

from ... import _native
from ...errors import SpecError
from ...metrics.ngram_precision import REFERENCE_LENGTHS
from ...processors import worker_count
from ..token_texts import WORDS
from .tokens import Tokens, check_pair, corpus_texts, pair_texts


class Fraction(Rational):
    """A fraction that keeps numerator and denominator as given.

    >>> Fraction(2, 4).numerator, float(Fraction(2, 4))
    (2, 0.5)
    """

    _given: tuple[int, int]

    def __new__(cls, numerator: int = 0, denominator: int = 1) -> "Fraction":
        """Make a fraction and remember what it was made of."""
        self = super().__new__(cls, numerator, denominator)
        self._given = numerator, denominator
        return self

    @property
    def numerator(self) -> int:
        """The numerator as given."""
        return self._given[0]

    @property
    def denominator(self) -> int:
        """The denominator as given."""
        return self._given[1]


class Precision(float):
    """A precision as a plain number, which knows its numerator and denominator."""

    __slots__ = ("denominator", "numerator")
    numerator: int
    denominator: int

    def __new__(cls, numerator: int, denominator: int) -> "Precision":
        """Divide and remember."""
        self = float.__new__(cls, numerator / denominator)
        self.numerator, self.denominator = numerator, denominator
        return self


@lru_cache(maxsize=64)
def _counter(tokenizer: int, order: int) -> _native.NgramCounter:
    return _native.NgramCounter(tokenizer, False, order, order, REFERENCE_LENGTHS.index("closest"), False, None)


def ngram_sums(
    refs: Sequence[Sequence[Tokens]], hyps: Sequence[Tokens], order: int
) -> tuple[list[float], list[float], int, float]:
    """Matches and n-grams by order, and the lengths of hypotheses and closest references."""
    if len(hyps) == 1:
        return _sums_of_one(refs[0], hyps[0], order)
    texts, lists, tokenizer = corpus_texts(refs, hyps)
    cells, _, _ = _counter(tokenizer, order).batch(texts, lists, None, worker_count(None))
    lengths = [*map(len, hyps)]
    short = [sum([length < n for length in lengths]) for n in range(1, order + 1)]
    totals = [total + more for total, more in zip(cells[order : 2 * order], short, strict=True)]
    return cells[:order], totals, int(cells[-2]), cells[-1]


def _sums_of_one(refs: Sequence[Tokens], hyp: Tokens, order: int) -> tuple[list[float], list[float], int, float]:
    cells = _counter(WORDS, order).tokens(hyp, refs)
    if cells is None:
        text, texts, tokenizer = pair_texts(refs, hyp)
        cells, _ = _counter(tokenizer, order).segment(text, texts)
    return cells[:order], [total or 1.0 for total in cells[order : 2 * order]], len(hyp), cells[-1]


def modified_precision(references: Sequence[Tokens], hypothesis: Tokens, n: int) -> Fraction:
    """Clipped n-gram matches over n-grams, at least 1, not reduced.

    >>> modified_precision(["the cat is on the mat".split()], ["the"] * 7, 1).numerator
    2
    """
    check_pair(references, hypothesis)
    if n < 1:
        raise SpecError(f"n must be 1 or more; got {n}")
    matches, totals, _, _ = ngram_sums([references], [hypothesis], n)
    return Fraction(int(matches[-1]), int(totals[-1]))
