"""RIBES as NLTK computes it; `strict=True` for RIBES as the authors' program aligns words."""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import Any

from ... import _native
from ...errors import InputError
from ...metrics.ribes import RIBES
from ...processors import worker_count
from ..token_texts import CHARACTERS
from .tokens import TOKENIZERS, Tokens, check_corpus, check_pair, core_texts, listed, pair_texts

__all__ = [
    "MAX_ALIGNMENT_LEN",
    "corpus_ribes",
    "find_increasing_sequences",
    "kendall_tau",
    "position_of_ngram",
    "sentence_ribes",
    "spearman_rho",
    "word_rank_alignment",
]

MAX_ALIGNMENT_LEN = 2000  #: words; NLTK rejects longer sentences


def sentence_ribes(
    references: Sequence[Tokens], hypothesis: Tokens, alpha: float = 0.25, beta: float = 0.10, strict: bool = False
) -> float:
    """RIBES of one hypothesis, with the reference that scores best."""
    references = listed(references)
    check_pair(references, hypothesis)
    if not len(references) or not len(hypothesis):
        return 0.0
    if strict:
        texts, tokenizer = core_texts([hypothesis, *references])
        metric = RIBES(alpha=alpha, beta=beta, tokenize=TOKENIZERS[tokenizer])
        return float(metric.segment(texts[0], texts[1:]))
    return _best(references, hypothesis, alpha, beta)


def corpus_ribes(
    list_of_references: Sequence[Sequence[Tokens]],
    hypotheses: Sequence[Tokens],
    alpha: float = 0.25,
    beta: float = 0.10,
    strict: bool = False,
) -> float:
    """The mean over hypotheses: for every one, the list of its references."""
    if not hypotheses:
        return 0.0
    list_of_references = listed(list_of_references, 1)
    check_corpus(list_of_references, hypotheses)
    counted = None if strict else _count(list_of_references, hypotheses)
    total = 0.0
    if counted is None:
        for references, hypothesis in zip(list_of_references, hypotheses, strict=True):
            total += sentence_ribes(references, hypothesis, alpha, beta, strict)
    else:
        for pairs in counted:
            total += _best_score(pairs, alpha, beta)
    return total / len(hypotheses)


_COUNTERS = {tokenizer: _native.OrderCounter(tokenizer, False, False, True) for tokenizer in TOKENIZERS}


def _best(references: Sequence[Tokens], hypothesis: Tokens, alpha: float, beta: float) -> float:
    """RIBES with the reference that scores best, as the core aligns words."""
    _check_length(hypothesis, *references)
    if str in map(type, references):  # only where lenient
        pairs = [_counted_in_text(reference, hypothesis) for reference in references]
    else:
        pairs = _COUNTERS[CHARACTERS].tokens(hypothesis, references) or _counted(references, hypothesis)
    return _best_score(pairs, alpha, beta)


def _best_score(pairs: list[list[float]], alpha: float, beta: float) -> float:
    """The same of what has been counted for each reference; 0 for an empty hypothesis."""
    best = 0.0
    for aligned, ascending, c, r in pairs:
        if not c:
            continue
        tau = 2 * ascending / (aligned * (aligned - 1) / 2) - 1 if aligned >= 2 else -1.0
        score = (tau + 1) / 2 * (aligned / c) ** alpha
        if r > c:
            score *= math.exp(1.0 - r / c) ** beta
        if score > best:
            best = score
    return best


def _count(references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens]) -> list[list[list[float]]] | None:
    """What is counted for each reference of each hypothesis; None if there are tokens that are no strings."""
    _check_length(*hypotheses, *chain(*references))
    return _COUNTERS[CHARACTERS].batch_tokens(hypotheses, references, worker_count(None))


def _counted(references: Sequence[Tokens], hypothesis: Tokens) -> list[list[float]]:
    """The same counts for tokens that are no strings."""
    try:
        hyp, refs, tokenizer = pair_texts(references, hypothesis)
    except TypeError:  # tokens that cannot be hashed
        hyp, *refs = [[*numbers] for numbers in _numbered(hypothesis, *references)]
        tokenizer = CHARACTERS
    return _COUNTERS[tokenizer].segment(hyp, refs)


def _counted_in_text(reference: Tokens, hypothesis: Tokens) -> list[float]:
    """The same counts, with words looked for in a reference that is a string."""
    ranks = word_rank_alignment(reference, hypothesis)
    return [len(ranks), sum(a < b for a, b in combinations(ranks, 2)), len(hypothesis), len(reference)]


def _check_length(*texts: Tokens) -> None:
    if max(map(len, texts)) > MAX_ALIGNMENT_LEN:
        raise InputError(f"expected at most {MAX_ALIGNMENT_LEN:,} words (MAX_ALIGNMENT_LEN), got more")


def word_rank_alignment(reference: Tokens, hypothesis: Tokens, character_based: bool = False) -> list[int]:
    """Positions in the reference of the words of the hypothesis that can be aligned.

    A word is aligned by the shortest context that occurs once in both; words after it are tried before those before it.

    >>> word_rank_alignment("a b a c".split(), "a c a b".split())
    [2, 3, 0, 1]
    """
    _check_length(reference, hypothesis)
    ref, hyp = _numbered(reference, hypothesis)
    positions: dict[int, tuple[_Places, _Places]] = {}

    def only_place(start: int, end: int) -> int | None:
        size = end - start
        if size not in positions:
            positions[size] = _places(ref, size), _places(hyp, size)
        of_ref, of_hyp = positions[size]
        ngram = hyp[start:end]
        found = of_ref.get(ngram, ())
        return found[0] if len(found) == len(of_hyp[ngram]) == 1 else None

    words = {*ref}
    in_text = _places_in_text(reference, hypothesis) if isinstance(reference, str) else {}
    if not in_text and len(words) == len(ref) and len({*hyp}) == len(hyp):  # every word is its own context
        place_of = {word: j for j, word in enumerate(ref)}
        return [place_of[word] for word in hyp if word in place_of]
    aligned = []
    for i, word in enumerate(hyp):
        if i in in_text:
            aligned.append(in_text[i])
        if word not in words:
            continue
        place = only_place(i, i + 1)
        if place is not None:
            aligned.append(place)
            continue
        for window in range(1, min(max(i, len(hyp) - i + 1), len(ref))):
            if i + window < len(hyp) and (place := only_place(i, i + window + 1)) is not None:
                aligned.append(place)
                break
            if window <= i and (place := only_place(i - window, i + 1)) is not None:
                aligned.append(place + window)
                break
    return aligned


_Places = dict[tuple[int, ...], list[int]]


def _places(tokens: tuple[int, ...], size: int) -> _Places:
    """Where each n-gram begins."""
    found: _Places = {}
    for i in range(len(tokens) - size + 1):
        found.setdefault(tokens[i : i + size], []).append(i)
    return found


def _places_in_text(reference: str, hypothesis: Tokens) -> dict[int, int]:
    """Where words of several characters begin that occur once in both, as NLTK finds them in a string."""
    words = [*hypothesis]
    return {
        i: reference.index(word)
        for i, word in enumerate(words)
        if len(word) > 1 and words.count(word) == reference.count(word) == 1
    }


def _numbered(*texts: Tokens) -> list[tuple[int, ...]]:
    """Tokens as numbers; if any cannot be hashed, they are compared one by one."""
    numbers: dict[Any, int] = {}
    try:
        return [tuple([numbers.setdefault(token, len(numbers)) for token in text]) for text in texts]
    except TypeError:
        known: list[Any] = []
        for token in (token for text in texts for token in text):
            if token not in known:
                known.append(token)
        return [tuple(map(known.index, text)) for text in texts]


def position_of_ngram(ngram: Sequence[Any], sentence: Iterable[Any]) -> int | None:
    """Where an n-gram begins for the first time, or None.

    >>> position_of_ngram(("b", "a"), ["a", "b", "a"])
    1
    """
    words, size = (*sentence,), len(ngram)
    return next((i for i in range(len(words) - size + 1) if words[i : i + size] == ngram), None)


def find_increasing_sequences(worder: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """Runs of two or more positions that follow each other.

    >>> [*find_increasing_sequences([3, 4, 0, 1, 2, 7])]
    [(3, 4), (0, 1, 2)]
    """
    run: list[int] = []
    for place in worder:
        if run and place != run[-1] + 1:
            if len(run) > 1:
                yield tuple(run)
            run = []
        run.append(place)
    if len(run) > 1:
        yield tuple(run)


def choose(n: int, k: int) -> int:
    """How many ways there are to take k of n things.

    >>> choose(4, 2), choose(2, 4)
    (6, 0)
    """
    return math.comb(n, k) if 0 <= k <= n else 0


def kendall_tau(worder: Sequence[int], normalize: bool = True) -> float:
    """Kendall's τ of positions: pairs in ascending order over all pairs, scaled to −1..1, or to 0..1.

    >>> kendall_tau([0, 1, 3, 2], normalize=False)
    0.6666666666666667
    """
    size = len(worder)
    tau = -1.0
    if size >= 2:
        before: list[int] = []
        ascending = 0
        for place in worder:
            smaller = bisect_left(before, place)
            ascending += smaller
            before.insert(smaller, place)
        tau = 2 * ascending / choose(size, 2) - 1
    return (tau + 1) / 2 if normalize else tau


def spearman_rho(worder: Sequence[int], normalize: bool = True) -> float:
    """Spearman's ρ of positions, scaled to −1..1, or to 0..1."""
    squares = sum((place - i) ** 2 for i, place in enumerate(worder))
    rho = 1 - squares / choose(len(worder) + 1, 3)
    return (rho + 1) / 2 if normalize else rho
