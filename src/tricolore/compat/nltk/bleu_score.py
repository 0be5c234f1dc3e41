"""BLEU as NLTK computes it; `strict=True` for BLEU as Papineni et al. (2002) and Chen & Cherry (2014) define it."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...errors import SpecError
from ...metrics.bleu import BLEU
from .ngram_sums import Fraction, modified_precision, ngram_sums
from .smoothing import SmoothingFunction, smoothed, unsmoothed
from .tokens import TOKENIZERS, Tokens, check_corpus, check_pair, corpus_texts

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
    check_pair(references, hypothesis)
    return _bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh, strict)


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
    check_corpus(list_of_references, hypotheses)
    return _bleu(list_of_references, hypotheses, weights, smoothing_function, auto_reweigh, strict)


def _bleu(
    refs: Sequence[Sequence[Tokens]],
    hyps: Sequence[Tokens],
    weights: Any,
    smoothing: Smoothing | None,
    auto_reweigh: bool,
    strict: bool,
) -> Any:
    given = _lists_of_weights(weights)
    if strict:
        scores: list[Any] = [_strict(refs, hyps, one, smoothing) for one in given]
        return scores[0] if len(given) == 1 else scores
    order = max(map(len, given))
    matches, totals, hyp_len, ref_len = ngram_sums(refs, hyps, order)
    if not matches[0]:
        return 0 if len(given) == 1 else [0] * len(given)
    if not smoothing:
        p_n: list[Any] = unsmoothed(matches, totals)
    else:
        p_n = smoothed(smoothing, matches, totals, references=refs[-1], hypothesis=hyps[-1], hyp_len=hyp_len)
    bp = brevity_penalty(ref_len, hyp_len)
    scores = [bp * _mean(_reweighed(one, hyp_len) if auto_reweigh else one, p_n) for one in given]
    return scores[0] if len(given) == 1 else scores


def _lists_of_weights(weights: Any) -> Any:
    if weights is _UNIFORM:
        return [weights]
    try:
        weights[0][0]
    except (TypeError, IndexError):
        return [weights]
    return weights


def _reweighed(weights: Any, hyp_len: int) -> Any:
    return (1 / hyp_len,) * hyp_len if hyp_len < 4 and weights == _UNIFORM else weights


def _mean(weights: Any, p_n: list[Any]) -> float:
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


def brevity_penalty(closest_ref_len: float, hyp_len: int) -> float:
    """exp(1 − r/c) if the hypothesis is shorter than the reference, else 1.

    >>> round(brevity_penalty(13, 12), 4)
    0.92
    """
    if hyp_len > closest_ref_len:
        return 1
    return math.exp(1 - closest_ref_len / hyp_len) if hyp_len else 0
