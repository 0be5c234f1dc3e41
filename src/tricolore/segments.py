"""Hypotheses and references in: shapes checked, errors that name the segment, nothing guessed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from . import _native
from .columns import column_name, in_core, kind_of, listed, plain
from .errors import InputError, InputTypeError, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .types import SegmentReferences


#: Token ids are kept in 32 bits, beside those that are code points.
LARGEST_ID = 2**32 - 2 - 0x110000


class References:
    """References of a corpus, one entry a segment.

    An entry is a string or a list of strings. Segments may have different numbers of references; None in a
    list stands for one that is missing, and an empty string for one that is truly empty. Instead of a string, a
    text may be a list or array of token ids, in hypotheses and references alike.

    >>> References(["a cat", ["a dog", "the dog"], ["a bird", None]]).counts()
    (1, 2)

    Reference *files* come the other way round, one list a file. That shape has its own constructor:

    >>> References.from_streams([["a cat", "a dog"], ["the cat", None]]).entries
    (('a cat', 'the cat'), ('a dog',))
    """

    __slots__ = ("__weakref__", "entries", "origin", "path", "paths")

    path: str | None  #: the file that they come from, for messages
    paths: Sequence[str]  #: all files that they come from
    origin: Mapping[str, str]  #: the test set that they come from, as signatures name it

    def __init__(self, entries: Iterable[SegmentReferences]):
        found = as_list(entries, "references")
        _check_references(found)
        #: One a segment; a copy, so that what is learnt from references stays true of them.
        self.entries: Sequence[Any] = tuple(map(_fixed, found))
        self.path, self.paths = None, ()
        self.origin = {}

    @classmethod
    def from_streams(cls, streams: Iterable[Sequence[str | None]]) -> References:
        """Turn reference streams (one list of segments for each reference file) round."""
        columns = []
        for number, stream in enumerate(as_list(streams, "reference streams"), 1):
            columns.append(as_list(stream, f"reference stream {number}", missing=True))
            for i, text in enumerate(columns[-1]):
                if text is not None and not isinstance(text, str) and _wrong_with(text):
                    hint = "; references per segment go to References(...)" if isinstance(text, list | tuple) else ""
                    raise InputTypeError(
                        f"reference stream {number}, segment {i}: expected a string, or None where it is missing, "
                        f"got {kind_of(text)}{hint}"
                    )
        if not columns:
            raise InputError("reference streams: expected at least one list of references, got none")
        for number, column in enumerate(columns[1:], 2):
            if len(column) != len(columns[0]):
                raise InputError(
                    f"reference streams must have equal lengths, but stream 1 has {len(columns[0])} segments "
                    f"and stream {number} has {len(column)}"
                )
        if len(columns) == 1:
            return cls(columns[0])
        return cls([[text for text in row if text is not None] for row in zip(*columns, strict=True)])

    @classmethod
    def unchecked(cls, entries: Any) -> References:
        """Wrap entries whose texts are checked when they are read; what is a References already stays."""
        if isinstance(entries, References):
            return entries
        self = cls.__new__(cls)
        self.entries = as_column(entries, "references")
        self.path, self.paths = None, ()
        self.origin = {}
        return self

    def counts(self) -> tuple[int, int]:
        """Return the fewest and the most references a segment has."""
        if isinstance(self.entries, _native.Column | _native.Columns):
            return self.entries.text_counts()
        try:
            numbers = [_number_of(entry) for entry in self.entries] or [0]
        except TypeError:
            _check_references(self.entries)
            raise
        return min(numbers), max(numbers)

    def numbers(self) -> list[int]:
        """How many references each segment has."""
        return [_number_of(entry) for entry in self.entries]

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        return f"References of {len(self)} segments"


def as_list(items: Any, what: str, missing: bool = False) -> list[Any]:
    """Return any ordered collection or column as a list of plain cells; see `columns`.

    A missing cell of a column with a name is refused by row and column, unless cells may be `missing`.
    """
    cells = items if type(items) is list else listed(items, what)
    if _native.all_plain(cells):
        return cells
    found = [plain(cell) for cell in cells]
    name = column_name(items)
    row = next((i for i, cell in enumerate(found) if cell is None), None)
    if name is not None and row is not None and not missing:
        expected = "a string; an empty output is the empty string" if what == "hypotheses" else "a string"
        raise InputTypeError(f"{what}: row {row} of column {name!r} is missing; expected {expected}")
    return found


def as_column(items: Any, what: str) -> Any:
    """Like `as_list`, but a column in Arrow's memory stays there."""
    if isinstance(items, _native.Columns):
        return items
    column = in_core(items)
    if column is None:
        return as_list(items, what)
    name, row = column_name(items), column.first_null()
    return column if name is None or row is None else as_list(items, what)  # which says what is wrong


def pair(hyps: Any, refs: Any) -> tuple[Any, References]:
    """Check that there is one entry of references for each hypothesis; the texts are checked as they are read."""
    hyps = as_column(hyps, "hypotheses")
    references = References.unchecked(refs)
    if len(hyps) != len(references):
        raise unequal(hyps, references)
    return hyps, references


def hold_ids(texts: Any) -> bool:
    """Whether these are token ids, as far as the first tells; a column's cells need not be UTF-8.

    >>> hold_ids([[7, 8]]), hold_ids(["a"]), hold_ids([])
    (True, False, False)
    """
    if isinstance(texts, _native.Column):
        return texts.has_ids
    return bool(len(texts)) and not isinstance(texts[0], str)


def explain(hyps: Sequence[Any], entries: Sequence[Any], first: int = 0) -> None:
    """Raise the error that says which segment is not text, and what was expected. `first` numbers the first."""
    hyps, entries = _cells(hyps, "hypothesis", first), _cells(entries, "references of segment", first)
    for i, hyp in enumerate(hyps, first):
        if wrong := _wrong_with(hyp):
            hint = "; an empty output is the empty string" if hyp is None else ""
            if isinstance(hyp, list | tuple) and hyp and isinstance(hyp[0], str):
                hint = " of strings; join tokens with spaces and set tokenize='none'"
                if isinstance(entries[i - first], str):
                    hint = " of strings; hypotheses come first, then references"
            raise InputTypeError(f"hypothesis {i}: {wrong}{hint}")
    _check_references(entries, first)
    _check_all_alike(hyps, entries, first)


def _cells(texts: Sequence[Any], what: str, first: int) -> Sequence[Any]:
    """The cells of a column as a list; one that is not UTF-8 is an error."""
    if isinstance(texts, list | tuple):
        return texts
    found = []
    for i in range(len(texts)):
        try:
            found.append(texts[i])
        except UnicodeDecodeError as error:
            raise InputTypeError(f"{what} {first + i}: not UTF-8 ({error.reason} at byte {error.start})") from None
    return found


def explain_texts(texts: Sequence[Any], what: str, first: int = 0) -> None:
    """Raise the error that says which of some texts is not one. `first` numbers the first."""
    for i, text in enumerate(texts, first):
        if wrong := _wrong_with(text):
            raise InputTypeError(f"{what} {i}: {wrong}")
        if isinstance(text, str) != isinstance(texts[0], str):
            words = ("text", "token ids")
            alike = isinstance(texts[0], str)
            raise InputTypeError(f"{what} {i}: expected {words[not alike]} as in {what} {first}, got {words[alike]}")


def is_ids(thing: Any) -> bool:
    """Whether this is one text of token ids, as far as its first one tells.

    >>> is_ids([7, 8]), is_ids(["a", "b"]), is_ids([[7, 8], [9]]), is_ids("a")
    (True, False, False, False)
    """
    if isinstance(thing, list | tuple):
        return bool(thing) and _is_number(thing[0])
    return _is_array(thing) and thing.ndim == 1 and thing.dtype.kind in "iu"


def _is_array(thing: Any) -> bool:
    """Whether this is an array of NumPy, which need not be loaded to tell."""
    return type(thing).__module__ == "numpy" and type(thing).__name__ == "ndarray"


def _wrong_with(text: Any) -> str:
    """What is wrong with a text; nothing if it is a string or token ids."""
    if isinstance(text, str) or (isinstance(text, list | tuple) and not text):
        return ""
    if text is None:
        return "expected a string or token ids, got None (missing)"
    if not is_ids(text):
        return f"expected a string or token ids, got {kind_of(text)}"
    for number in text:
        if number is None:
            return "one of its token ids is missing; leave out padding"
        if isinstance(number, bool) or not _is_number(number):
            return f"expected whole numbers, got {number!r} among the token ids"
        if not 0 <= number <= LARGEST_ID:
            hint = "; leave out padding" if number < 0 else ""
            return f"expected token ids from 0 to {LARGEST_ID:,}, got {number}{hint}"
    return ""


def _check_references(entries: Sequence[Any], first: int = 0) -> None:
    for i, entry in enumerate(entries, first):
        if isinstance(entry, str):
            continue
        if entry is None:
            raise InputError(f"segment {i} has no reference (missing): expected a string or a list with at least one")
        if not isinstance(entry, list | tuple) or is_ids(entry):
            if wrong := _wrong_with(entry):
                wrong = wrong.replace("a string or token ids", "a string or a list of strings")
                raise InputTypeError(f"references of segment {i}: {wrong}")
            continue
        for k, text in enumerate(entry):
            if text is not None and (wrong := _wrong_with(text)):
                wrong = wrong.replace("a string or token ids", "a string, or None where it is missing")
                raise InputTypeError(f"reference {k} of segment {i}: {wrong}")
        if _number_of(entry) == 0:
            raise InputError(f"segment {i} has no reference: expected a string or a list with at least one")


def _check_all_alike(hyps: Sequence[Any], entries: Sequence[Any], first: int) -> None:
    """Refuse a mixture of text and token ids."""
    if not hyps:
        return
    expected = isinstance(hyps[0], str)
    for i, (hyp, entry) in enumerate(zip(hyps, entries, strict=True), first):
        of_entry = [entry] if isinstance(entry, str) or is_ids(entry) else [one for one in entry if one is not None]
        for what, text in [("hypothesis", hyp), *(("reference of segment", one) for one in of_entry)]:
            if isinstance(text, str) != expected:
                words = ("text", "token ids")
                raise InputTypeError(
                    f"{what} {i}: expected {words[not expected]} as in hypothesis {first}, "
                    f"got {words[expected]}; a corpus is all text or all token ids"
                )


def _fixed(entry: Any) -> Any:
    """The references of a segment, made immutable."""
    if isinstance(entry, str) or entry is None:
        return entry
    if is_ids(entry):
        return tuple(entry.tolist() if hasattr(entry, "tolist") else entry)
    return tuple(map(_fixed, entry))


def _is_number(thing: Any) -> bool:
    return hasattr(thing, "__index__") and not hasattr(thing, "__len__")  # arrays have an index, too


def _number_of(entry: Any) -> int:
    if isinstance(entry, str) or is_ids(entry):
        return 1
    return sum(one is not None for one in entry)


def unequal(hyps: Sequence[Any], references: References, name: str = "") -> InputError:
    """The error about more or fewer hypotheses, of a system perhaps, than there are segments with references."""
    entries = references.entries
    message = f"{name}: " if name else ""
    message += (
        f"{counted(len(hyps), 'hypothesis', 'hypotheses')} but references for {counted(len(entries), 'segment')}; "
        "expected one entry of references (a string or a list of strings) for each hypothesis"
    )
    if len(hyps) and isinstance(hyps[0], list | tuple) and len(hyps[0]) == len(entries):
        message += ". Several systems go by name, such as {'a': [...], 'b': [...]}"
    sizes = {len(entry) for entry in entries if isinstance(entry, list | tuple)}
    if sizes == {len(hyps)} and all(isinstance(entry, list | tuple) for entry in entries):
        message += (
            f". These look like {len(entries)} reference streams of {counted(len(hyps), 'segment')}: "
            "use References.from_streams(refs)"
        )
    return InputError(message)
