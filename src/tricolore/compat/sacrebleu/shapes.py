"""The shapes of sacreBLEU's arguments: hypotheses, and streams of references (a list per reference file).

sacreBLEU silently misreads some shapes: a bare string as a list of characters, a list of strings as streams of
characters, lists of unequal length up to the shortest. Here they are errors, unless `TRICOLORE_COMPAT=lenient` is in
the environment.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import InputError, InputTypeError
from ...segments import References
from ..strictness import lenient

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MISSING = type(None)
REMEDY = "(TRICOLORE_COMPAT=lenient reads it as sacreBLEU does)"


class EmptyError(InputError, IndexError):
    """Something must be there; sacreBLEU takes the first item of an empty list."""


def check_sentence(name: str, hypothesis: Any, references: Any) -> None:
    """Reject what is not a string and a sequence of strings, as sacreBLEU does."""
    if not isinstance(hypothesis, str):
        raise InputTypeError(f"{name}: `hyp` should be a string, got {type(hypothesis).__name__}")
    if type(references) is not list and (isinstance(references, str) or not isinstance(references, Sequence)):
        raise InputTypeError(f"{name}: `refs` should be a sequence of strings, got {type(references).__name__}")
    for reference in references:
        if not isinstance(reference, str) and reference is not None:
            raise InputTypeError(f"{name}: each element of `refs` should be a string, got {type(reference).__name__}")


def checked_hypotheses(name: str, hypotheses: Any) -> Any:
    """The hypotheses of a corpus."""
    if not isinstance(hypotheses, Sequence):
        raise InputTypeError(f"{name}: `hyps` should be a sequence of strings, got {type(hypotheses).__name__}")
    if isinstance(hypotheses, str):
        if not lenient():
            raise InputTypeError(f"{name}: `hyps` should be a sequence of strings, got one string {REMEDY}")
        hypotheses = [*hypotheses]
    if {*map(type, hypotheses)} != {str}:
        for i, line in enumerate(hypotheses):
            if not isinstance(line, str):
                raise InputTypeError(f"{name}: hypothesis {i} should be a string, got {type(line).__name__}")
    if not hypotheses:
        raise EmptyError(f"{name}: expected at least one hypothesis, got none")
    return hypotheses


def references_of(name: str, streams: Any) -> References:
    """The references of each segment, from streams: one sequence of segments for each set of references."""
    expected = "`refs` should be a sequence of sequences of strings, one for each set of references"
    if not isinstance(streams, Sequence) or (isinstance(streams, str) and not lenient()):
        raise InputTypeError(f"{name}: {expected}; got {type(streams).__name__}")
    if not streams:
        raise EmptyError(f"{name}: {expected}; got none")
    for number, stream in enumerate(streams):
        if isinstance(stream, str) and not lenient():
            raise InputTypeError(f"{name}: {expected}; element {number} is a string, write [refs] {REMEDY}")
        if not isinstance(stream, Sequence):
            raise InputTypeError(f"{name}: {expected}; element {number} is {type(stream).__name__}")
    if len({*map(len, streams)}) > 1 and not lenient():
        sizes = ", ".join(str(len(stream)) for stream in streams[:10])
        raise InputError(f"{name}: sets of references must have equal lengths, got {sizes} segments {REMEDY}")
    kinds = set().union(*[map(type, stream) for stream in streams])
    if not kinds <= {str, _MISSING}:
        _check_segments(name, streams)
    if len(streams) == 1 and _MISSING not in kinds:
        return References.unchecked([*streams[0]])
    return References.unchecked([*zip(*streams, strict=False)])


def _check_segments(name: str, streams: Sequence[Any]) -> None:
    """Reject what is no string: several references of a segment belong to as many streams, not to a list."""
    for number, stream in enumerate(streams):
        for segment, one in enumerate(stream):
            if not isinstance(one, str) and one is not None:
                raise InputTypeError(
                    f"{name}: each element of `refs` should be a sequence of strings, with None where one is missing; "
                    f"element {number} has {type(one).__name__} for segment {segment}"
                )


def paired(
    name: str, hypotheses: Sequence[str], references: References, streams: int
) -> tuple[Sequence[str], References]:
    """Hypotheses and the references of as many segments."""
    segments = len(references)
    if len(hypotheses) == segments:
        return hypotheses, references
    if not segments:
        raise EmptyError(f"{name}: `refs` should have a reference for each hypothesis, got none")
    if not lenient():
        turned = streams == len(hypotheses)
        hint = "; they look transposed: give a list for each set of references, not for each segment" if turned else ""
        raise InputError(
            f"{name}: {len(hypotheses)} hypotheses, but sets of references have {segments} segments{hint} {REMEDY}"
        )
    shortest = min(len(hypotheses), segments)
    return hypotheses[:shortest], References.unchecked(references.entries[:shortest])
