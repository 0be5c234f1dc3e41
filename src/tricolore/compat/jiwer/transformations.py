"""jiwer's ready-made pipelines of transforms."""

from . import transforms as tr

__all__ = [
    "cer_contiguous",
    "cer_default",
    "wer_contiguous",
    "wer_default",
    "wer_standardize",
    "wer_standardize_contiguous",
]


def _standardize() -> list[tr.AbstractTransform]:
    return [
        tr.ToLowerCase(),
        tr.ExpandCommonEnglishContractions(),
        tr.RemoveKaldiNonWords(),
        tr.RemoveWhiteSpace(replace_by_space=True),
    ]


def _words(*, contiguous: bool) -> list[tr.AbstractTransform]:
    joined = [tr.ReduceToSingleSentence()] if contiguous else []
    return [tr.RemoveMultipleSpaces(), tr.Strip(), *joined, tr.ReduceToListOfListOfWords()]


#: Words between single spaces; sentences are compared one by one.
wer_default = tr.Compose(_words(contiguous=False))
#: All sentences as one, for lists of different lengths.
wer_contiguous = tr.Compose(_words(contiguous=True))
#: Lower case, contractions in full, no non-words.
wer_standardize = tr.Compose([*_standardize(), *_words(contiguous=False)])
wer_standardize_contiguous = tr.Compose([*_standardize(), *_words(contiguous=True)])
#: Characters, spaces included.
cer_default = tr.Compose([tr.Strip(), tr.ReduceToListOfListOfChars()])
cer_contiguous = tr.Compose([tr.Strip(), tr.ReduceToSingleSentence(), tr.ReduceToListOfListOfChars()])

_WORD_STEPS, _CHARACTER_STEPS = [*wer_default.transforms], [*cer_default.transforms]


def are_words(first: object, second: object = wer_default) -> bool:
    """Whether these are `wer_default`, unchanged."""
    return first is wer_default and second is wer_default and wer_default.transforms == _WORD_STEPS


def are_characters(first: object, second: object = cer_default) -> bool:
    """Whether these are `cer_default`, unchanged."""
    return first is cer_default and second is cer_default and cer_default.transforms == _CHARACTER_STEPS
