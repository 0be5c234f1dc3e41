"""jiwer's measures as functions: `wer`, `mer`, `wil`, `wip` and `cer`.

By default nothing is aligned for WER and CER, which need the number of edits alone.
"""

from typing import Any

from ... import _native
from ...processors import worker_count
from ...tokenizers import CORE
from ..token_texts import CHARACTERS, WORDS
from .process import Counts, Sentences, Transform, aligned, counted, letters, plain
from .rates import error_rate, information_lost, information_preserved, match_error_rate
from .transformations import are_characters, are_words, cer_default, wer_default

__all__ = ["cer", "mer", "wer", "wil", "wip"]

_WORDS = _native.EditCounter(WORDS, False, 0)
_CHARACTERS = _native.EditCounter(CHARACTERS, False, 0)
_word_edits, _edit_counts = _native.word_edits, _native.edit_counts
_MISSING: Any = None  #: told as `None` is
_SPACED = _native.EditCounter(CORE["char+space"], False, 0)  # a run of spaces counts as one


def wer(
    reference: Sentences = _MISSING,
    hypothesis: Sentences = _MISSING,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Word error rate: edits per word of the references.

    >>> wer(["hello world", "a b"], ["hello duck", "a b"])
    0.25
    """
    if are_words(reference_transform, hypothesis_transform):
        try:
            found = _word_edits(hypothesis, reference)
        except TypeError:  # None
            found = None
        if found:
            return _rate(*found)
        if _are_paired(reference, hypothesis):
            return _rate(*_sums(_WORDS, hypothesis, reference))
    return error_rate(*_counts(reference, hypothesis, reference_transform, hypothesis_transform))


def mer(
    reference: Sentences = _MISSING,
    hypothesis: Sentences = _MISSING,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Match error rate: edits per edit or hit.

    >>> mer("a b", "a b c d")
    0.5
    """
    return match_error_rate(*_counts(reference, hypothesis, reference_transform, hypothesis_transform))


def wip(
    reference: Sentences = _MISSING,
    hypothesis: Sentences = _MISSING,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Word information preserved: recall times precision of the aligned words.

    >>> wip("a b", "a b c d")
    0.5
    """
    return information_preserved(*_counts(reference, hypothesis, reference_transform, hypothesis_transform))


def wil(
    reference: Sentences = _MISSING,
    hypothesis: Sentences = _MISSING,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Word information lost, 1 − WIP.

    >>> wil("a b", "a b c d")
    0.5
    """
    return information_lost(*_counts(reference, hypothesis, reference_transform, hypothesis_transform))


def cer(
    reference: Sentences = _MISSING,
    hypothesis: Sentences = _MISSING,
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> float:
    """Character error rate: edits per character of the references, spaces included.

    >>> cer("a cat", "a cut")
    0.2
    """
    if are_characters(reference_transform, hypothesis_transform):
        if isinstance(reference, str) and isinstance(hypothesis, str):
            if reference.isprintable() and hypothesis.isprintable():
                if "  " in reference or "  " in hypothesis:
                    return _rate(*_CHARACTERS.segment(letters(hypothesis), letters(reference))[0])
                return _rate(*_SPACED.segment(hypothesis, reference)[0])
        elif _are_paired(reference, hypothesis):
            sums = _sums(_SPACED, hypothesis, reference)
            if sums[1:] == [sum(map(len, map(str.strip, texts))) for texts in (hypothesis, reference)]:
                return _rate(*sums)  # there are no runs of spaces
            if plain(reference) and plain(hypothesis):
                return _rate(*_sums(_CHARACTERS, [*map(letters, hypothesis)], [*map(letters, reference)]))
    return error_rate(*_counts(reference, hypothesis, reference_transform, hypothesis_transform))


def _are_paired(refs: Any, hyps: Any) -> bool:
    """Whether these are lists of as many strings, with no white space in them but spaces."""
    lists = type(refs) is type(hyps) is list and 0 < len(refs) == len(hyps)
    return lists and _native.spaces_only(refs) and _native.spaces_only(hyps)


def _sums(counter: _native.EditCounter, hyps: Sentences, refs: Sentences) -> list[float]:
    sums, _, _ = counter.batch(hyps, refs, None, worker_count(None))
    assert sums is not None  # each has one reference
    return sums


def _rate(edits: float, hyp_len: float, ref_len: float) -> float:
    return edits / ref_len if ref_len else int(hyp_len)


def _counts(
    reference: Sentences, hypothesis: Sentences, reference_transform: Transform, hypothesis_transform: Transform
) -> Counts:
    given = reference is not None and hypothesis is not None
    if given and are_words(reference_transform, hypothesis_transform):
        found = _edit_counts(hypothesis, reference, False)
        if found:
            return found
    return counted(aligned(reference, hypothesis, reference_transform, hypothesis_transform)[2])
