"""jiwer's measures as functions: `wer`, `mer`, `wil`, `wip` and `cer`.

By default nothing is aligned for WER and CER, which need the number of edits alone.
"""

from ... import _native
from ...processors import worker_count
from ...tokenizers import CORE
from ..token_texts import CHARACTERS, WORDS
from .process import Counts, Sentences, Transform, aligned, counted, letters, plain, steps_in_text
from .rates import error_rate, information_lost, information_preserved, match_error_rate
from .transformations import are_characters, are_words, cer_default, wer_default

__all__ = ["cer", "mer", "wer", "wil", "wip"]

_WORDS = _native.EditCounter(WORDS, False, 0)
_CHARACTERS = _native.EditCounter(CHARACTERS, False, 0)
_SPACED = _native.EditCounter(CORE["char+space"], False, 0)  # a run of spaces counts as one


def wer(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Word error rate: edits per word of the references.

    >>> wer(["hello world", "a b"], ["hello duck", "a b"])
    0.25
    """
    if are_words(reference_transform, hypothesis_transform):
        if isinstance(reference, str) and isinstance(hypothesis, str):
            if found := _native.word_edits(hypothesis, reference):
                return _rate(*found)
        elif plain(reference) and plain(hypothesis) and len(reference) == len(hypothesis):
            return _rate(*_sums(_WORDS, hypothesis, reference))
    return error_rate(*_counts(reference, hypothesis, reference_transform, hypothesis_transform))


def mer(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Match error rate: edits per edit or hit.

    >>> mer("a b", "a b c d")
    0.5
    """
    return match_error_rate(*_counts(reference, hypothesis, reference_transform, hypothesis_transform))


def wip(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Word information preserved: recall times precision of the aligned words.

    >>> wip("a b", "a b c d")
    0.5
    """
    return information_preserved(*_counts(reference, hypothesis, reference_transform, hypothesis_transform))


def wil(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Word information lost, 1 − WIP.

    >>> wil("a b", "a b c d")
    0.5
    """
    return information_lost(*_counts(reference, hypothesis, reference_transform, hypothesis_transform))


def cer(
    reference: Sentences,
    hypothesis: Sentences,
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
        elif plain(reference) and plain(hypothesis) and len(reference) == len(hypothesis):
            if any("  " in "\n".join(texts) for texts in (reference, hypothesis)):
                return _rate(*_sums(_CHARACTERS, [*map(letters, hypothesis)], [*map(letters, reference)]))
            return _rate(*_sums(_SPACED, hypothesis, reference))
    return error_rate(*_counts(reference, hypothesis, reference_transform, hypothesis_transform))


def _sums(counter: _native.EditCounter, hyps: Sentences, refs: Sentences) -> list[float]:
    sums, _, _ = counter.batch(hyps, refs, None, worker_count(None))
    assert sums is not None  # each has one reference
    return sums


def _rate(edits: float, hyp_len: float, ref_len: float) -> float:
    return edits / ref_len if ref_len else int(hyp_len)


def _counts(
    reference: Sentences, hypothesis: Sentences, reference_transform: Transform, hypothesis_transform: Transform
) -> Counts:
    if isinstance(reference, str) and isinstance(hypothesis, str):
        words = are_words(reference_transform, hypothesis_transform)
        if words and (found := _native.edit_counts(hypothesis, reference, False)):
            return found
    elif steps := steps_in_text(reference, hypothesis, reference_transform, hypothesis_transform):  # type: ignore[arg-type]
        return counted(steps)
    return counted(aligned(reference, hypothesis, reference_transform, hypothesis_transform)[2])
