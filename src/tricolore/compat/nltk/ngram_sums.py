"""N-gram matches as NLTK's BLEU sums them, and as fractions that are not reduced."""

from collections.abc import Sequence
from fractions import Fraction as Rational
from functools import lru_cache
from itertools import accumulate
from typing import Any

from ... import _native
from ...errors import SpecError
from ...metrics.ngram_precision import REFERENCE_LENGTHS
from ...processors import worker_count
from ..token_texts import WORDS
from .tokens import Tokens, check_corpus, check_pair, corpus_texts, listed, pair_texts


class Fraction(Rational):
    """A fraction that is kept, compared and computed with as given.

    >>> Fraction(2, 4), float(Fraction(2, 4)), Fraction(2, 4) == Fraction(1, 2)
    (Fraction(2, 4), 0.5, False)
    """

    _numerator: int
    _denominator: int

    def __new__(cls, numerator: Any = 0, denominator: Any = None, _normalize: bool = False) -> "Fraction":
        """Make a fraction, reduced only if it is to be."""
        self = super().__new__(cls, numerator, denominator)
        if denominator is not None and not _normalize:
            self._numerator = numerator.numerator * denominator.denominator
            self._denominator = denominator.numerator * numerator.denominator
        return self


@lru_cache(maxsize=64)
def _counter(tokenizer: int, order: int) -> _native.NgramCounter:
    return _native.NgramCounter(tokenizer, False, order, order, REFERENCE_LENGTHS.index("closest"), False, None)


#: Matches and n-grams by order, and the lengths of hypotheses and closest references.
Sums = tuple[list[float], list[float], float, float]


def ngram_sums(refs: Sequence[Sequence[Tokens]], hyps: Sequence[Tokens], order: int) -> Sums:
    """The sums of a corpus."""
    cells = _counter(WORDS, order).batch_tokens(hyps, refs, worker_count(None))
    if cells is None:
        check_corpus(refs, hyps)
        texts, lists, tokenizer = corpus_texts(refs, hyps)
        cells, _, _ = _counter(tokenizer, order).batch(texts, lists, None, worker_count(None))
    lengths, totals = [*map(len, hyps)], cells[order : 2 * order]
    if min(lengths, default=order) < order:  # NLTK counts an n-gram for each hypothesis that has none
        short = accumulate(map(lengths.count, range(order)))
        totals = [total + more for total, more in zip(totals, short, strict=True)]
    return cells[:order], totals, cells[-2], cells[-1]


def sums_of_one(refs: Sequence[Tokens], hyp: Tokens, order: int) -> Sums:
    """The sums of a segment."""
    cells = None if hyp is None or refs is None else _counter(WORDS, order).tokens(hyp, refs)
    if cells is None:
        check_pair(refs, hyp)
        text, texts, tokenizer = pair_texts(refs, hyp)
        cells, _ = _counter(tokenizer, order).segment(text, texts)
    totals = cells[order : 2 * order]
    return cells[:order], totals if totals[-1] else [total or 1.0 for total in totals], cells[-2], cells[-1]


def modified_precision(references: Sequence[Tokens], hypothesis: Tokens, n: int) -> Fraction:
    """Clipped n-gram matches over n-grams, at least 1, not reduced.

    >>> modified_precision(["the cat is on the mat".split()], ["the"] * 7, 1).numerator
    2
    """
    if n < 1:
        raise SpecError(f"n must be 1 or more; got {n}")
    matches, totals, _, _ = sums_of_one(listed(references), hypothesis, n)
    return Fraction(int(matches[-1]), int(totals[-1]))
