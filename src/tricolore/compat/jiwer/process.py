"""Words or characters aligned and counted: `process_words`, `process_characters` and what they return."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from ... import _native
from ...alignment import KINDS
from ...errors import InputError
from ..strictness import REMEDY, lenient
from ..token_texts import CHARACTERS, WORDS
from .edit_steps import SPACE, steps_between
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


class _Output:
    """What both outputs have in common: chunks are made of the steps when they are first asked for."""

    def __getattr__(self, name: str) -> Any:
        if name != "alignments" or "_steps" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self.alignments = [_chunks(steps) for steps in self.__dict__.pop("_steps")]
        return self.alignments


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


class Counts(NamedTuple):
    """Hits H, substitutions S, insertions I and deletions D, and the measures made of them.

    WER = (S + D + I) / (H + S + D), MER = (S + D + I) / (H + S + D + I), WIP = H / (H + S + D) · H / (H + S + I),
    WIL = 1 − WIP. If the references have no words, jiwer's WER is the number of insertions.
    """

    hits: int
    substitutions: int
    insertions: int
    deletions: int

    @property
    def wer(self) -> float:
        """The error rate of words or characters."""
        length = self.hits + self.substitutions + self.deletions
        return (self.substitutions + self.deletions + self.insertions) / length if length else self.insertions

    @property
    def mer(self) -> float:
        """The match error rate."""
        edits = self.substitutions + self.deletions + self.insertions
        if not self.hits + self.substitutions + self.deletions:
            return int(self.insertions > 0)
        return edits / (self.hits + edits)

    @property
    def wip(self) -> float:
        """Word information preserved."""
        of_ref, of_hyp = (self.hits + self.substitutions + more for more in (self.deletions, self.insertions))
        if not of_ref:
            return int(not of_hyp)
        return (self.hits / of_ref) * (self.hits / of_hyp) if of_hyp else 0

    @property
    def wil(self) -> float:
        """Word information lost."""
        return 1 - self.wip


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
    tokens, steps = aligned(reference, hypothesis, reference_transform, hypothesis_transform)
    found = counted(steps)
    wip = found.wip
    measures = {"wer": found.wer, "mer": found.mer, "wil": 1 - wip, "wip": wip}
    return _output(WordOutput, tokens, steps, found, measures)


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
    tokens, steps = aligned(reference, hypothesis, reference_transform, hypothesis_transform)
    found = counted(steps)
    return _output(CharacterOutput, tokens, steps, found, {"cer": found.wer})


_Kind = TypeVar("_Kind", WordOutput, CharacterOutput)


def _output(kind: type[_Kind], tokens: Any, steps: list[str], found: Counts, measures: dict[str, float]) -> _Kind:
    output = object.__new__(kind)  # without `alignments`, see `_Output`
    references, hypotheses = tokens
    fields = {"references": references, "hypotheses": hypotheses, "_steps": steps, **measures}
    output.__dict__ = fields | dict(zip(Counts._fields, found, strict=True))
    return output


def counted(scripts: Sequence[str]) -> Counts:
    """The steps of each kind, summed over sentences."""
    all_steps = scripts[0] if len(scripts) == 1 else "".join(scripts)
    return Counts(all_steps.count("="), all_steps.count("S"), all_steps.count("I"), all_steps.count("D"))


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
) -> tuple[tuple[list[list[str]], list[list[str]]], list[str]]:
    """Lists of tokens of references and hypotheses, and the steps of the edits of each sentence."""
    words = are_words(reference_transform, hypothesis_transform)
    if words and isinstance(reference, str) and isinstance(hypothesis, str) and (reference + hypothesis).isprintable():
        script = _native.edit_script(hypothesis, reference, WORDS, False)
        return ([reference.split()], [hypothesis.split()]), [script]
    refs = [reference] if isinstance(reference, str) else reference
    hyps = [hypothesis] if isinstance(hypothesis, str) else hypothesis
    steps = steps_in_text(refs, hyps, reference_transform, hypothesis_transform)
    if steps is None:
        tokens = _transformed(refs, hyps, reference_transform, hypothesis_transform)
        return tokens, [steps_between(ref, hyp) for ref, hyp in zip(*tokens, strict=True)]
    if are_words(reference_transform):
        return ([ref.split() for ref in refs], [hyp.split() for hyp in hyps]), steps
    return ([[*ref.strip()] for ref in refs], [[*hyp.strip()] for hyp in hyps]), steps


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
    ref_tokens, hyp_tokens = reference_transform(refs), hypothesis_transform(hyps)
    _check_tokens(ref_tokens, "reference")
    _check_tokens(hyp_tokens, "hypothesis")
    if len(ref_tokens) != len(hyp_tokens):
        raise InputError(
            f"after the transforms there are {len(ref_tokens):,} references, but {len(hyp_tokens):,} hypotheses"
        )
    if 1 < len(ref_tokens) != max(len(refs), len(hyps)) and not lenient():
        _check_dropped(refs, hyps, reference_transform, hypothesis_transform)
    return ref_tokens, hyp_tokens


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
    kept_refs, kept_hyps = (
        [number for number, one in enumerate(sentences, 1) if any(transform([one]))]
        for sentences, transform in ((refs, of_refs), (hyps, of_hyps))
    )
    if kept_refs != kept_hyps:
        first = min({*kept_refs} ^ {*kept_hyps})
        side = "hypothesis" if first in kept_refs else "reference"
        raise InputError(
            f"sentence {first}: the transforms drop the {side} only, so later sentences would be compared with the "
            f"wrong ones; drop both, or use wer_contiguous ({REMEDY})"
        )
