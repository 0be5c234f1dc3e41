"""Words or characters aligned and counted: `process_words`, `process_characters` and what they return."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ... import _native
from ...alignment import KINDS
from ...errors import InputError, InputTypeError, shown
from ..strictness import REMEDY, lenient
from ..token_texts import CHARACTERS, WORDS
from .edit_steps import SPACE, steps_between
from .rates import error_rate, information_lost, information_preserved, match_error_rate
from .transformations import are_characters, are_words, cer_default, wer_default

__all__ = ["AlignmentChunk", "CharacterOutput", "WordOutput", "process_characters", "process_words"]

Transform = Callable[[Any], Any]
Sentences = str | list[str]
_RUNS = re.compile("=+|S+|I+|D+")


@dataclass
class AlignmentChunk:
    """A stretch of one kind: `equal`, `substitute`, `insert` or `delete`; ends are exclusive."""

    type: str
    ref_start_idx: int
    ref_end_idx: int
    hyp_start_idx: int
    hyp_end_idx: int

    def __post_init__(self) -> None:
        if self.type == "replace":
            self.type = "substitute"
        if self.type not in KINDS.values():
            raise InputError(f"type: expected one of {', '.join(KINDS.values())}; got {self.type!r}")
        for side in ("ref", "hyp"):
            start, end = getattr(self, f"{side}_start_idx"), getattr(self, f"{side}_end_idx")
            if start > end:
                raise InputError(f"{side}_start_idx={start} is larger than {side}_end_idx={end}")


def _characters(text: str) -> list[str]:
    return [*text.strip()]


class _Output:
    """What both outputs have in common: counts and the error rate are there, all else is made when first asked for.

    `_parts` are the sentences of references and hypotheses, what cuts them into tokens, and the steps of which chunks
    are made, or None if they are still to be found. Of one pair of texts it is the pair alone.
    """

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        if "_parts" not in own or name not in type(self).__annotations__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if name in _MEASURES:
            own[name] = _MEASURES[name](self.hits, self.substitutions, self.insertions, self.deletions)
            return own[name]
        references, hypotheses, cut, steps = self._all_parts()
        if name == "references":
            own[name] = [*map(cut, references)]
        elif name == "hypotheses":
            own[name] = [*map(cut, hypotheses)]
        else:
            if steps is None:
                steps = [steps_between(cut(ref), cut(hyp)) for ref, hyp in zip(references, hypotheses, strict=True)]
            own[name] = [_chunks(of_one) for of_one in steps]
        return own[name]

    def _all_parts(self) -> "_Parts":
        parts = self.__dict__["_parts"]
        if len(parts) == 2:
            return parts[:1], parts[1:], str.split if isinstance(self, WordOutput) else _characters, None
        return parts  # type: ignore[no-any-return]


@dataclass
class WordOutput(_Output):
    """What `process_words` returns: the words, their alignments, the measures and their counts."""

    references: list[list[str]]
    hypotheses: list[list[str]]
    alignments: list[list[AlignmentChunk]]
    wer: float
    mer: float
    wil: float
    wip: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


@dataclass
class CharacterOutput(_Output):
    """What `process_characters` returns: the characters, their alignments, the error rate and its counts."""

    references: list[list[str]]
    hypotheses: list[list[str]]
    alignments: list[list[AlignmentChunk]]
    cer: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


Counts = tuple[int, int, int, int]  #: hits, substitutions, insertions and deletions
_Parts = tuple[Sequence[Any], Sequence[Any], Callable[[Any], list[str]], Sequence[str] | None]
_COUNTED = ("hits", "substitutions", "insertions", "deletions")
_WORD_FIELDS, _CHARACTER_FIELDS = (*_COUNTED, "wer", "_parts"), (*_COUNTED, "cer", "_parts")
_MEASURES = {
    "wer": error_rate,
    "cer": error_rate,
    "mer": match_error_rate,
    "wip": information_preserved,
    "wil": information_lost,
}


def process_words(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> WordOutput:
    """Align words of references and hypotheses and compute all measures.

    >>> process_words("hello world", "hello duck").substitutions
    1
    """
    if are_words(reference_transform, hypothesis_transform) and not (reference is None or hypothesis is None):
        output = _native.edit_output(WordOutput, _WORD_FIELDS, hypothesis, reference, False)
        if output is not None:
            return output  # type: ignore[no-any-return]
    found = aligned(reference, hypothesis, reference_transform, hypothesis_transform)
    return _aligned_output(WordOutput, _WORD_FIELDS, *found)


def process_characters(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> CharacterOutput:
    """Align characters of references and hypotheses and compute the character error rate; spaces count.

    >>> process_characters("a cat", "a cut").cer
    0.2
    """
    if are_characters(reference_transform, hypothesis_transform) and not (reference is None or hypothesis is None):
        output = _native.edit_output(CharacterOutput, _CHARACTER_FIELDS, hypothesis, reference, True)
        if output is not None:
            return output  # type: ignore[no-any-return]
    found = aligned(reference, hypothesis, reference_transform, hypothesis_transform)
    return _aligned_output(CharacterOutput, _CHARACTER_FIELDS, *found)


_Kind = TypeVar("_Kind", WordOutput, CharacterOutput)


def _aligned_output(
    kind: type[_Kind],
    fields: tuple[str, ...],
    sentences: tuple[list[Any], list[Any]],
    cut: Callable[[Any], list[str]],
    steps: list[str],
) -> _Kind:
    """An output as `_Output` says, of what `aligned` returns."""
    counts: Counts = counted(steps)
    output = object.__new__(kind)
    output.__dict__ = dict(zip(fields, (*counts, error_rate(*counts), (*sentences, cut, steps)), strict=True))
    return output


def counted(scripts: Sequence[str]) -> Counts:
    """The steps of each kind, summed over sentences."""
    all_steps = scripts[0] if len(scripts) == 1 else "".join(scripts)
    return all_steps.count("="), all_steps.count("S"), all_steps.count("I"), all_steps.count("D")


def _chunks(steps: str) -> list[AlignmentChunk]:
    found = []
    r = h = 0
    for run in _RUNS.finditer(steps):
        letter, size = steps[run.start()], run.end() - run.start()
        next_r, next_h = r + size * (letter != "I"), h + size * (letter != "D")
        chunk = object.__new__(AlignmentChunk)  # what `__post_init__` checks holds; there may be millions
        chunk.__dict__ = {
            "type": KINDS[letter],
            "ref_start_idx": r,
            "ref_end_idx": next_r,
            "hyp_start_idx": h,
            "hyp_end_idx": next_h,
        }
        found.append(chunk)
        r, h = next_r, next_h
    return found


def aligned(
    reference: Sentences, hypothesis: Sentences, reference_transform: Transform, hypothesis_transform: Transform
) -> tuple[tuple[list[Any], list[Any]], Callable[[Any], list[str]], list[str]]:
    """References and hypotheses, what cuts each into a list of tokens, and the steps of the edits of each sentence."""
    refs = [reference] if isinstance(reference, str) else reference
    hyps = [hypothesis] if isinstance(hypothesis, str) else hypothesis
    steps = steps_in_text(refs, hyps, reference_transform, hypothesis_transform)
    if steps is None:
        tokens = _transformed(refs, hyps, reference_transform, hypothesis_transform)
        return tokens, list, [steps_between(ref, hyp) for ref, hyp in zip(*tokens, strict=True)]
    return ([*refs], [*hyps]), str.split if are_words(reference_transform) else _characters, steps


def steps_in_text(
    refs: list[str], hyps: list[str], reference_transform: Transform, hypothesis_transform: Transform
) -> list[str] | None:
    """The steps by default transforms, for sentences that the core cuts into the same tokens."""
    if not plain(refs) or not plain(hyps) or len(refs) != len(hyps):
        return None
    if are_words(reference_transform, hypothesis_transform):
        return [_native.edit_script(hyp, ref, WORDS, False) for ref, hyp in zip(refs, hyps, strict=True)]
    if not are_characters(reference_transform, hypothesis_transform):
        return None
    pairs = zip(refs, hyps, strict=True)
    return [_native.edit_script(letters(hyp), letters(ref), CHARACTERS, False) for ref, hyp in pairs]


def letters(text: str) -> str:
    """A text of which the core keeps every character but the white space at its ends."""
    return text.strip().replace(" ", SPACE)


def plain(sentences: object) -> bool:
    r"""Whether these are strings, in a list that is not empty, without white space other than the space.

    >>> plain(["a b"]), plain([]), plain(["a\tb"]), plain([None])
    (True, False, False, False)
    """
    if not isinstance(sentences, list) or not sentences:
        return False
    try:
        text = "".join(sentences)
    except TypeError:
        return False
    if len(text) > 1000 and text.isascii():  # searches are faster than a look at every character
        return not any(space in text for space in "\t\n\v\f\r\x1c\x1d\x1e\x1f")
    return text.isprintable()


def _transformed(
    refs: list[str], hyps: list[str], reference_transform: Transform, hypothesis_transform: Transform
) -> tuple[list[list[str]], list[list[str]]]:
    """Lists of tokens, as many for references as for hypotheses."""
    ref_tokens = _applied(reference_transform, refs, "reference")
    hyp_tokens = _applied(hypothesis_transform, hyps, "hypothesis")
    _check_tokens(ref_tokens, "reference")
    _check_tokens(hyp_tokens, "hypothesis")
    if len(ref_tokens) != len(hyp_tokens):
        raise InputError(
            f"after the transforms there are {len(ref_tokens):,} references, but {len(hyp_tokens):,} hypotheses"
        )
    if len(ref_tokens) != max(len(refs), len(hyps)) and not lenient():
        _check_dropped(refs, hyps, reference_transform, hypothesis_transform)
    return ref_tokens, hyp_tokens


def _applied(transform: Transform, sentences: Any, what: str) -> Any:
    try:
        return transform(sentences)
    except (TypeError, AttributeError):
        for number, sentence in enumerate(sentences):
            if not isinstance(sentence, str):
                raise InputTypeError(f"{what} {number}: expected a string, got {shown(sentence, 40)}") from None
        raise


def _check_tokens(sentences: Any, what: str) -> None:
    if not isinstance(sentences, list) or not all(
        isinstance(tokens, list) and all(isinstance(token, str) for token in tokens) for tokens in sentences
    ):
        raise InputError(
            f"{what}_transform: expected lists of lists of strings in the end, got {type(sentences).__name__}; "
            "end with ReduceToListOfListOfWords or ReduceToListOfListOfChars"
        )


def _check_dropped(refs: list[str], hyps: list[str], of_refs: Transform, of_hyps: Transform) -> None:
    """Reject transforms that drop sentences of one side only: jiwer then compares each with the wrong one."""
    kept_refs, kept_hyps = _kept(refs, of_refs), _kept(hyps, of_hyps)
    if kept_refs and kept_hyps and kept_refs != kept_hyps:
        first = min({*kept_refs} ^ {*kept_hyps})
        side = "hypothesis" if first in kept_refs else "reference"
        raise InputError(
            f"sentence {first}: the transforms drop the {side} only, so later sentences would be compared with the "
            f"wrong ones; drop both, or use wer_contiguous ({REMEDY})"
        )


def _kept(sentences: list[str], transform: Transform) -> list[int]:
    """The numbers of the sentences that a transform does not drop; none if it joins them, or leaves no word at all."""
    worded = next((one for one in sentences if any(transform([one]))), None)
    if worded is None or len(transform([worded, worded])) == 1:
        return []
    # Alone, a sentence that is dropped and one that is kept without a word both become [[]].
    return [number for number, one in enumerate(sentences, 1) if len(transform([worded, one])) == 2]
