"""chrF as NLTK computes it: the mean of F over orders, then over sentences (Popović 2015 averages P and R first)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from ... import _native
from ...errors import InputTypeError, SpecError
from ...processors import worker_count
from ...types import Array
from ..strictness import REMEDY, lenient, refuse_text
from ..token_texts import lettered
from .tokens import EmptyError, UnequalError, listed

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
    _check_orders(min_len, max_len)
    ref, hyp = _texts([reference, hypothesis])
    cells = _counter(max_len, not ignore_whitespace).segment(hyp, [ref])[0]
    fscores = [_scores(cells[3 * n - 3 : 3 * n], beta)[2] for n in range(min_len, max_len + 1)]
    return sum(fscores) / len(fscores)


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
    if not len(hypotheses):
        raise EmptyError
    _check_orders(min_len, max_len)
    counter = _counter(max_len, not ignore_whitespace)
    rows, _ = counter.pairs(_texts(hypotheses), _texts(references), worker_count(None))
    sums = [*map(sum, _fscores(rows[:, 3 * min_len - 3 :], beta))]
    return sum(sums) / len(sums) / len(hypotheses)


def _check_orders(lowest: int, highest: int) -> None:
    if not 1 <= lowest <= highest:
        raise SpecError(f"expected 1 <= min_len <= max_len; got min_len={lowest} and max_len={highest}")


def chrf_precision_recall_fscore_support(
    reference: Sequence[str], hypothesis: Sequence[str], n: int, beta: float = 3.0, epsilon: float = _EPSILON
) -> tuple[float, float, float, int]:
    """Precision, recall, F and matches of one order; all characters count."""
    if n < 1:
        raise SpecError(f"n must be 1 or more; got {n}")
    ref, hyp = lettered([reference, hypothesis])
    cells = _counter(n, True).segment(hyp, [ref])[0]
    return *_scores(cells[-3:], beta, epsilon), int(cells[-1])


def _texts(sentences: Sequence[str | Sequence[str]]) -> list[str]:
    """Sentences as texts: lists of tokens are joined."""
    lists = [one if type(one) is list else listed(one) for one in sentences if not isinstance(one, str)]
    if not lists:
        return [*cast("Sequence[str]", sentences)]
    if not _native.hold_no_spaces(lists) and not lenient():
        _refuse_texts(lists)
    joined = [*map(" ".join, lists)]
    if len(lists) == len(sentences):
        return joined
    rest = iter(joined)
    return [one if isinstance(one, str) else next(rest) for one in sentences]


def _refuse_texts(lists: list[Sequence[str]]) -> None:
    if any(not isinstance(token, str) or len(token.split()) > 1 for tokens in lists for token in tokens):
        raise InputTypeError(
            "chrF: expected a text or a list of tokens, got a list of texts, which NLTK joins into one; "
            f"it has no several references ({REMEDY})"
        )


@lru_cache(maxsize=64)
def _counter(order: int, whitespace: bool) -> _native.ChrfCounter:
    """Counts n-grams of the hypothesis, of the reference, and matches, order by order."""
    return _native.ChrfCounter(order, 0, whitespace)


def _fscores(rows: Array, beta: float) -> list[list[float]]:
    """By order, F of each sentence: what `_scores` returns, to the last bit."""
    import numpy as np

    factor = beta**2
    of_hyp, of_ref, matches = np.ascontiguousarray(rows.T.reshape(-1, 3, len(rows)).swapaxes(0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):  # where nothing matches
        precision, recall = matches / of_hyp, matches / of_ref
        fscores = (1 + factor) * (precision * recall) / (factor * precision + recall)
    fscores[matches == 0.0] = _EPSILON
    return cast("list[list[float]]", fscores.tolist())


def _scores(cells: Sequence[float], beta: float, epsilon: float = _EPSILON) -> tuple[float, float, float]:
    """Precision, recall and F; without a match all are tiny."""
    of_hyp, of_ref, matches = cells
    factor = beta**2
    precision, recall = (matches / of if of else 0.0 for of in (of_hyp, of_ref))
    if not of_hyp or not of_ref or not factor * precision + recall:
        return epsilon, epsilon, epsilon
    return precision, recall, (1 + factor) * (precision * recall) / (factor * precision + recall)
