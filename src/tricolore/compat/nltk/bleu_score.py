"""BLEU as NLTK computes it; `strict=True` for BLEU as Papineni et al. (2002) and Chen & Cherry (2014) define it."""

import math
from collections.abc import Callable, Iterable, Sequence
from operator import mul
from typing import Any

from ...errors import SpecError
from ...metrics.bleu import BLEU
from .ngram_sums import Fraction, Sums, modified_precision, ngram_sums, sums_of_one
from .smoothing import SmoothingFunction, smoothed, unsmoothed
from .tokens import TOKENIZERS, EmptyError, Tokens, check_corpus, check_pair, check_sizes, corpus_texts

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "modified_precision",
    "sentence_bleu",
]

Smoothing = Callable[..., list[Any]]
_UNIFORM = (0.25, 0.25, 0.25, 0.25)


def sentence_bleu(
    references: Sequence[Tokens],
    hypothesis: Tokens,
    weights: Any = _UNIFORM,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
    strict: bool = False,
) -> Any:
    """BLEU of one hypothesis; a list of scores for a list of weights.

    >>> round(sentence_bleu(["the cat sat on the mat".split()], "the cat sat on a mat".split(), (0.5, 0.5)), 4)
    0.7071
    """
    given = _lists_of_weights(weights)
    if strict:
        check_pair(references, hypothesis)
        return _only([_strict([references], [hypothesis], one, smoothing_function) for one in given])
    sums = sums_of_one(references, hypothesis, max(map(len, given)))
    return _scores(sums, given, smoothing_function, auto_reweigh, [references], [hypothesis])


def corpus_bleu(
    list_of_references: Sequence[Sequence[Tokens]],
    hypotheses: Sequence[Tokens],
    weights: Any = _UNIFORM,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
    strict: bool = False,
) -> Any:
    """BLEU of a corpus: for every hypothesis, the list of its references.

    NLTK counts one n-gram for a hypothesis that is too short to have any, and gives smoothing functions the last
    hypothesis with its references; `strict=True` does neither.
    """
    given = _lists_of_weights(weights)
    check_sizes(list_of_references, hypotheses)
    if not len(hypotheses):
        raise EmptyError
    if strict:
        check_corpus(list_of_references, hypotheses)
        return _only([_strict(list_of_references, hypotheses, one, smoothing_function) for one in given])
    sums = ngram_sums(list_of_references, hypotheses, max(map(len, given)))
    return _scores(sums, given, smoothing_function, auto_reweigh, list_of_references, hypotheses)


def _scores(
    sums: Sums,
    given: Any,
    smoothing: Smoothing | None,
    auto_reweigh: bool,
    refs: Sequence[Sequence[Tokens]],
    hyps: Sequence[Tokens],
) -> Any:
    """The score, or one for each of several lists of weights."""
    matches, totals, hyp_len, ref_len = sums
    if not matches[0]:
        return _only([0] * len(given))
    if smoothing is None:
        p_n: list[Any] = unsmoothed(matches, totals)
    else:
        p_n = smoothed(smoothing, matches, totals, refs[-1], hyps[-1], int(hyp_len))
    bp = brevity_penalty(ref_len, hyp_len)
    if len(given) == 1 and not auto_reweigh:
        return bp * _mean(given[0], p_n)
    return _only([bp * _mean(_reweighed(one, int(hyp_len)) if auto_reweigh else one, p_n) for one in given])


def _only(scores: list[Any]) -> Any:
    return scores[0] if len(scores) == 1 else scores


def _lists_of_weights(weights: Any) -> Any:
    if weights is _UNIFORM:
        return [weights]
    try:
        weights[0][0]
    except (TypeError, IndexError):
        if not len(weights):
            raise SpecError("weights: expected at least one, got none") from None
        return [weights]
    return weights


def _reweighed(weights: Any, hyp_len: int) -> Any:
    return (1 / hyp_len,) * hyp_len if hyp_len < 4 and weights == _UNIFORM else weights


def _mean(weights: Any, p_n: list[Any]) -> float:
    """Σ w ln p, raised from e; precisions of 0 are left out."""
    try:
        return math.exp(math.fsum(map(mul, weights, map(math.log, p_n))))
    except ValueError:
        return math.exp(math.fsum([w * math.log(p) for w, p in zip(weights, p_n, strict=False) if p > 0]))


_METHODS = [getattr(SmoothingFunction, f"method{number}") for number in range(8)]


def _strict(
    refs: Sequence[Sequence[Tokens]], hyps: Sequence[Tokens], weights: Any, smoothing: Smoothing | None
) -> float:
    """BLEU by the definitions, with the smoothing of the same number."""
    method = _METHODS[0] if smoothing is None else getattr(smoothing, "__func__", None)
    if method not in _METHODS:
        raise SpecError("strict=True: expected a method of SmoothingFunction, got another function")
    constants = getattr(smoothing, "__self__", SmoothingFunction())
    texts, lists, tokenizer = corpus_texts(refs, hyps)
    metric = BLEU(
        order=len(weights),
        weights=tuple(map(float, weights)),
        smooth=_METHODS.index(method),
        epsilon=float(constants.epsilon),
        alpha=float(constants.alpha),
        k=float(constants.k),
        tokenize=TOKENIZERS[tokenizer],
    )
    return float(metric(texts, lists))


def closest_ref_length(references: Iterable[Tokens], hyp_len: int) -> int:
    """The length of the reference closest to a length; the shorter of two.

    >>> closest_ref_length([["a"] * 13, ["a"] * 11], 12)
    11
    """
    return min(map(len, references), key=lambda length: (abs(length - hyp_len), length))


def brevity_penalty(closest_ref_len: float, hyp_len: float) -> float:
    """exp(1 − r/c) if the hypothesis is shorter than the reference, else 1.

    >>> round(brevity_penalty(13, 12), 4)
    0.92
    """
    if hyp_len > closest_ref_len:
        return 1
    return math.exp(1 - closest_ref_len / hyp_len) if hyp_len else 0
