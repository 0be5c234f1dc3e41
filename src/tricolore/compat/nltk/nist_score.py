"""NIST as NLTK computes it; `strict=True` for NIST as mteval-v14 computes it."""

import math
from collections.abc import Sequence
from typing import Any

from ... import _native
from ...errors import InputError
from ...metrics.nist import NIST
from .tokens import TOKENIZERS, EmptyError, Tokens, check_corpus, check_sizes, corpus_texts

__all__ = ["corpus_nist", "nist_length_penalty", "sentence_nist"]


_LOG_OF_TWO = math.log(2)
#: Whether `sum` adds what rounding has lost, as from Python 3.12 on.
_COMPENSATED = sum([1e16, 1.0, -1e16]) == 1.0


def sentence_nist(references: Sequence[Tokens], hypothesis: Tokens, n: int = 5, strict: bool = False) -> float:
    """NIST of one hypothesis, with the information of its own references."""
    return corpus_nist([references], [hypothesis], n, strict)


def corpus_nist(
    list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens], n: int = 5, strict: bool = False
) -> float:
    """NIST of a corpus: for every hypothesis, the list of its references.

    NLTK compares with one reference for every order, the one with the highest precision, and takes its length.
    """
    check_sizes(list_of_references, hypotheses)
    if not len(hypotheses):
        raise EmptyError
    if strict:
        check_corpus(list_of_references, hypotheses)
        texts, lists, tokenizer = corpus_texts(list_of_references, hypotheses)
        return float(NIST(order=n, tokenize=TOKENIZERS[tokenizer])(texts, lists))
    score, ref_len = 0.0, 0
    for gained, ngrams, length in _gains(list_of_references, hypotheses, n):
        score, ref_len = score + gained / ngrams, ref_len + length
    return score * nist_length_penalty(ref_len, n * sum(map(len, hypotheses)))


def _gains(
    references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens], n: int
) -> list[tuple[float, int, int]]:
    """For every order: information gained, n-grams of the hypotheses, and words of the references it is gained from."""
    gains = _native.information_gains(hypotheses, references, n, _LOG_OF_TWO, _COMPENSATED)
    if gains is None:  # what is no list of strings
        check_corpus(references, hypotheses)
        numbers: dict[Any, int] = {}

        def words(tokens: Tokens) -> list[str]:
            return [str(numbers.setdefault(token, len(numbers))) for token in tokens]

        lists = [[*map(words, of_one)] for of_one in references]
        gains = _native.information_gains([*map(words, hypotheses)], lists, n, _LOG_OF_TWO, _COMPENSATED)
    if gains is None:
        raise InputError("list_of_references: expected one reference or more per hypothesis, got none")
    return gains


def nist_length_penalty(ref_len: int, hyp_len: int) -> float:
    """exp(β ln² min(1, c/r)), with β so that it is 1/2 for c/r = 2/3.

    >>> round(nist_length_penalty(12, 10), 4)
    0.8692
    """
    ratio = hyp_len / ref_len
    if not 0 < ratio < 1:
        return max(min(ratio, 1.0), 0.0)
    return math.exp(math.log(0.5) / math.log(1.5) ** 2 * math.log(ratio) ** 2)
