"""chrF as NLTK computes it: the mean of F over orders, then over sentences (Popović 2015 averages P and R first)."""

from collections.abc import Sequence
from functools import lru_cache

from ... import _native
from ...errors import InputTypeError
from ..strictness import REMEDY, lenient, refuse_text
from ..token_texts import lettered
from .tokens import UnequalError

__all__ = ["chrf_precision_recall_fscore_support", "corpus_chrf", "sentence_chrf"]

_EPSILON = 1e-16


def sentence_chrf(
    reference: str | Sequence[str],
    hypothesis: str | Sequence[str],
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,
) -> float:
    """Score a hypothesis against one reference; each is a text or a list of tokens.

    >>> round(sentence_chrf("the cat sat", "the cat sits"), 4)
    0.676
    """
    return corpus_chrf([reference], [hypothesis], min_len, max_len, beta, ignore_whitespace)


def corpus_chrf(
    references: Sequence[str | Sequence[str]],
    hypotheses: Sequence[str | Sequence[str]],
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,
) -> float:
    """The mean over sentences, each with one reference."""
    refuse_text(references, "references", "a list of references")
    refuse_text(hypotheses, "hypotheses", "a list of hypotheses")
    if len(references) != len(hypotheses):
        raise UnequalError(f"there are {len(hypotheses):,} hypotheses, but {len(references):,} references")
    sums = [0.0] * (max_len - min_len + 1)
    for reference, hypothesis in zip(references, hypotheses, strict=True):
        cells = _cells(_text(reference, ignore_whitespace), _text(hypothesis, ignore_whitespace), max_len)
        for i, n in enumerate(range(min_len, max_len + 1)):
            of_hyp, of_ref, matches = cells[3 * n - 3 : 3 * n]
            sums[i] += _scores(matches, of_hyp, of_ref, beta)[2]
    return sum(sums) / len(sums) / len(hypotheses)


def chrf_precision_recall_fscore_support(
    reference: Sequence[str], hypothesis: Sequence[str], n: int, beta: float = 3.0, epsilon: float = _EPSILON
) -> tuple[float, float, float, int]:
    """Precision, recall, F and matches of one order; all characters count."""
    ref, hyp = lettered([reference, hypothesis])
    cells = _counter(n).segment(hyp, [ref])[0]
    of_hyp, of_ref, matches = cells[-3:]
    return *_scores(matches, of_hyp, of_ref, beta, epsilon), int(matches)


def _text(sentence: str | Sequence[str], ignore_whitespace: bool) -> str:
    if not isinstance(sentence, str):
        if not lenient() and any(len(token.split()) > 1 for token in sentence):
            raise InputTypeError(
                "chrF: expected a text or a list of tokens, got a list of texts, which NLTK joins into one; "
                f"it has no several references ({REMEDY})"
            )
        sentence = " ".join(sentence)
    return sentence if not ignore_whitespace else "".join(sentence.split())


@lru_cache(maxsize=64)
def _counter(order: int) -> _native.ChrfCounter:
    return _native.ChrfCounter(order, 0, False)


def _cells(reference: str, hypothesis: str, order: int) -> list[float]:
    """N-grams of the hypothesis, of the reference, and matches, order by order."""
    ref, hyp = reference, hypothesis
    if not (ref.isprintable() and hyp.isprintable()) or " " in ref or " " in hyp:
        ref, hyp = lettered([ref, hyp])
    return _counter(order).segment(hyp, [ref])[0]


def _scores(
    matches: float, of_hyp: float, of_ref: float, beta: float, epsilon: float = _EPSILON
) -> tuple[float, float, float]:
    """Precision, recall and F; without a match all are tiny."""
    factor = beta**2
    precision, recall = (matches / of if of else 0.0 for of in (of_hyp, of_ref))
    if not of_hyp or not of_ref or not factor * precision + recall:
        return epsilon, epsilon, epsilon
    return precision, recall, (1 + factor) * (precision * recall) / (factor * precision + recall)
