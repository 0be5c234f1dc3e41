"""NIST as NLTK computes it; `strict=True` for NIST as mteval-v14 computes it."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ... import _native
from ...metrics.nist import NIST
from .tokens import TOKENIZERS, Tokens, check_corpus, check_pair, corpus_texts

__all__ = ["corpus_nist", "nist_length_penalty", "sentence_nist"]


_LOG_OF_TWO = math.log(2)


def sentence_nist(references: Sequence[Tokens], hypothesis: Tokens, n: int = 5, strict: bool = False) -> float:
    """NIST of one hypothesis, with the information of its own references."""
    check_pair(references, hypothesis)
    orders = None
    if not strict and len(references) > 0 and n > 0:
        orders = _native.information_gains(hypothesis, references, n, _LOG_OF_TWO)
    if orders is None:
        return corpus_nist([references], [hypothesis], n, strict)
    score, ref_len = 0.0, 0
    for total, of_order in zip(range(len(hypothesis), len(hypothesis) - n, -1), orders, strict=True):
        if len(of_order) == 1:
            gained, length = sum(of_order[0]), len(references[0])
        else:  # the reference of the highest precision; of several, the longest
            gained, length = max([(sum(gains), len(one)) for gains, one in zip(of_order, references, strict=True)])
        score, ref_len = score + gained / max(total, 0), ref_len + length
    return score * nist_length_penalty(ref_len, n * len(hypothesis))


def corpus_nist(
    list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens], n: int = 5, strict: bool = False
) -> float:
    """NIST of a corpus: for every hypothesis, the list of its references.

    NLTK compares with one reference for every order, the one with the highest precision, and takes its length.
    """
    check_corpus(list_of_references, hypotheses)
    if strict:
        texts, lists, tokenizer = corpus_texts(list_of_references, hypotheses)
        return float(NIST(order=n, tokenize=TOKENIZERS[tokenizer])(texts, lists))
    counted = [[_Reference(reference, n) for reference in references] for references in list_of_references]
    information = _information(counted)
    score, hyp_len, ref_len = 0.0, 0, 0
    for order in range(1, n + 1):
        gained: Any = 0
        total = 0
        for references, hypothesis in zip(counted, hypotheses, strict=True):
            best = _best(references, hypothesis, order, information)
            gained, total = gained + best[1], total + best[2]
            hyp_len, ref_len = hyp_len + len(hypothesis), ref_len + best[3]
        score += gained / total
    return score * nist_length_penalty(ref_len, hyp_len)


def _ngrams(tokens: Tokens, n: int) -> "Counter[Any]":
    return Counter(zip(*(tokens[i:] for i in range(n)), strict=False))


class _Reference:
    """The length of a reference, and its n-grams by order."""

    def __init__(self, tokens: Tokens, n: int):
        self.length = len(tokens)
        self.ngrams = [_ngrams(tokens, order) for order in range(1, n + 1)]


def _information(list_of_references: list[list[_Reference]]) -> Callable[[Any], float]:
    """Bits of an n-gram: log₂ of how often its beginning occurs over how often it does."""
    references = [one for references in list_of_references for one in references]
    words = sum(reference.length for reference in references)
    counts: list[Counter[Any]] = [*references[0].ngrams] if len(references) == 1 else []
    if not counts:
        for of_order in zip(*(reference.ngrams for reference in references), strict=True):
            counts.append(Counter())
            for ngrams in of_order:
                counts[-1].update(ngrams)

    @cache
    def bits(ngram: Any) -> float:
        order = len(ngram)
        return math.log((counts[order - 2][ngram[:-1]] if order > 1 else words) / counts[order - 1][ngram], 2)

    return bits


def _best(
    references: list[_Reference], hypothesis: Tokens, order: int, information: Callable[[Any], float]
) -> tuple[float, float, int, int]:
    """Precision, information gained, n-grams and length of the reference of the highest precision."""
    ngrams = _ngrams(hypothesis, order)
    total = max(len(hypothesis) - order + 1, 0)
    found = []
    for reference in references:
        there = reference.ngrams[order - 1]
        shared = [(ngram, min(count, there[ngram])) for ngram, count in ngrams.items() if ngram in there]
        gained = sum([information(ngram) * count for ngram, count in shared])
        found.append((gained / total if total else 0, gained, total, reference.length))
    return max(found)


def nist_length_penalty(ref_len: int, hyp_len: int) -> float:
    """exp(β ln² min(1, c/r)), with β so that it is 1/2 for c/r = 2/3.

    >>> round(nist_length_penalty(12, 10), 4)
    0.8692
    """
    ratio = hyp_len / ref_len
    if not 0 < ratio < 1:
        return max(min(ratio, 1.0), 0.0)
    return math.exp(math.log(0.5) / math.log(1.5) ** 2 * math.log(ratio) ** 2)
