"""GLEU as NLTK computes it (Wu et al. 2016)."""

from collections.abc import Sequence
from functools import lru_cache

from ... import _native
from ...errors import SpecError
from ...processors import worker_count
from ..token_texts import WORDS
from .tokens import Tokens, check_corpus, check_pair, check_sizes, listed, pair_texts

__all__ = ["corpus_gleu", "sentence_gleu"]


def sentence_gleu(references: Sequence[Tokens], hypothesis: Tokens, min_len: int = 1, max_len: int = 4) -> float:
    """GLEU of one hypothesis.

    >>> round(sentence_gleu(["the cat is on the mat".split()], ["the"] * 7), 4)
    0.0909
    """
    matches, total = _best(references, hypothesis, min_len, max_len)
    return matches / total if total else 0.0


def corpus_gleu(
    list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens], min_len: int = 1, max_len: int = 4
) -> float:
    """GLEU of a corpus: for every hypothesis, the list of its references."""
    check_sizes(list_of_references, hypotheses)
    counted = _counter(WORDS, min_len, max_len).batch_tokens(hypotheses, list_of_references, worker_count(None))
    matches = total = 0.0
    if counted is None:  # what is no list of strings
        list_of_references, hypotheses = listed(list_of_references, 2), listed(hypotheses, 1)
        check_corpus(list_of_references, hypotheses)
        segments = zip(list_of_references, hypotheses, strict=True)
        found = [_best(references, hypothesis, min_len, max_len) for references, hypothesis in segments]
    else:
        found = [*map(_best_pair, counted)]
    for of_one in found:
        matches, total = matches + of_one[0], total + of_one[1]
    return matches / total if total else 0.0


@lru_cache(maxsize=64)
def _counter(tokenizer: int, lowest: int, highest: int) -> _native.OverlapCounter:
    if lowest < 1:
        raise SpecError(f"min_len must be 1 or more; got {lowest}")
    return _native.OverlapCounter(tokenizer, False, [_native.Overlap.ngrams(lowest, highest)])


def _best(references: Sequence[Tokens], hypothesis: Tokens, lowest: int, highest: int) -> tuple[float, float]:
    """Matches and n-grams of one hypothesis."""
    counter = _counter(WORDS, lowest, highest)
    pairs = None if hypothesis is None or references is None else counter.tokens(hypothesis, references)
    if pairs is None:
        references, hypothesis = listed(references, 1), listed(hypothesis)
        check_pair(references, hypothesis)
        if not len(references):
            return 0.0, 0.0
        hyp, refs, tokenizer = pair_texts(references, hypothesis)
        pairs = _counter(tokenizer, lowest, highest).segment(hyp, refs)
    return _best_pair(pairs)


def _best_pair(pairs: list[list[float]]) -> tuple[float, float]:
    """Matches and n-grams, of the reference with the best ratio; the first of those."""
    if len(pairs) == 1:
        ((matches, of_hyp, of_ref),) = pairs
        return matches, of_hyp if of_hyp > of_ref else of_ref
    best = -1.0
    found = 0.0, 0.0
    for matches, of_hyp, of_ref in pairs:
        total = of_hyp if of_hyp > of_ref else of_ref
        if total and matches / total > best:
            best, found = matches / total, (matches, total)
    return found
