"""Texts of files of any length: read block by block, in step with one another, and forgotten once they are counted."""

from __future__ import annotations

import os
from io import BytesIO
from itertools import islice

from .. import _native
from ..errors import InputError
from ..segments import References
from .files import PLAIN_TEXT, name_of, naming_memory, stream_bytes
from .recognise import CHARACTERS, COLUMNS, FORMS, LINES, peek, refuse_others
from .texts import (
    FromFile,
    TextFile,
    check_lines,
    check_segments,
    distinct,
    expected_outputs,
    missing_reference,
    reference_paths,
    split_fields,
    system_paths,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import Any

#: Segments of a block: what metrics count per call into the core, so that sums add up in the same order.
BLOCK = 8192

#: Segments that advice on texts looks at.
SAMPLE = 8192

_BYTES = 1 << 20  #: of whole lines that are cut at a time, or the longest line


class TextStream(FromFile):
    """The segments of a file, one per line, as columns in the core's memory; read once, in order.

    The file is opened, and its beginning looked at, when the stream is made.
    """

    def __init__(self, path: str, *, as_text: bool = False, reads: Collection[str] = (), strip: bool = True):
        self.path = path
        self.lines = 0  #: taken so far
        self.read_bytes = 0  #: of the file as it is, perhaps compressed
        self._strip = strip  # white space at the ends of lines
        self._pieces = stream_bytes(path, self._took)
        self._begun: list[bytes] = []  # of a line that goes on
        self._ready = _native.Column.of_lines(b"", 0, strip)
        with naming_memory(path):
            self._look_at_beginning(FORMS if as_text else reads)

    def _took(self, size: int) -> None:
        self.read_bytes += size

    def _look_at_beginning(self, reads: Collection[str]) -> None:
        data = self._whole_lines()
        while data.count(b"\n") < LINES and len(data) < 4 * CHARACTERS and (more := self._whole_lines()):
            data += more
        if not data:
            raise InputError(f"{name_of(self.path)}: the file is empty; expected {PLAIN_TEXT}")
        lines = (line.decode().removesuffix("\n").removesuffix("\r") for line in islice(BytesIO(data), LINES))
        refuse_others(peek(lines), name_of(self.path), PLAIN_TEXT, reads, "as_text=True")
        self._ready = _native.Column.of_lines(data, len(data), self._strip)

    def _whole_lines(self) -> bytes:
        """The next lines, as they are; nothing at the end."""
        size, ended = sum(map(len, self._begun)), False
        for piece in self._pieces:
            self._begun.append(piece)
            size, ended = size + len(piece), ended or b"\n" in piece
            if ended and size >= _BYTES:
                break
        else:
            data, self._begun = b"".join(self._begun), []
            return data
        *whole, last = self._begun
        end = last.rfind(b"\n") + 1
        if not end:  # a long line begins in an earlier piece
            whole, last = [], b"".join(self._begun)
            end = last.rfind(b"\n") + 1
        self._begun = [last[end:]]
        return b"".join([*whole, last[:end]])

    def _fill(self, number: int) -> None:
        with naming_memory(self.path):
            while len(self._ready) < number and (data := self._whole_lines()):
                lines = _native.Column.of_lines(data, len(data), self._strip)
                self._ready = _native.Column.joined([self._ready, lines])

    def sample(self) -> tuple[list[str], bool]:
        """The first segments that are to come, and whether more follow."""
        self._fill(SAMPLE + 1)
        return self._ready[:SAMPLE].tolist(), len(self._ready) > SAMPLE

    def take(self, number: int) -> Any:
        """The next segments; fewer at the end."""
        self._fill(number)
        taken, self._ready = self._ready[:number], self._ready[number:]
        self.lines += len(taken)
        return taken

    def finish(self) -> int:
        """Read on to the end; return how many lines the file has."""
        self.lines += len(self._ready)
        self._ready = self._ready[:0]
        while data := self._whole_lines():
            self.lines += data.count(b"\n") + (not data.endswith(b"\n"))
        return self.lines

    def read(self) -> TextFile:
        """Read all segments at once, for what cannot do without."""
        found: list[str] = []
        with naming_memory(self.path):
            while len(block := self.take(BLOCK)):
                found += block if isinstance(block, list) else block.tolist()
        return TextFile(found, self.path)

    def __len__(self) -> int:
        return self.lines


class FieldStream(TextStream):
    """One of several texts that stand on each line of a file, separated by tabs; blocks of all of them are the same."""

    def __init__(self, shared: _Fields, field: int):
        self.path, self.lines = shared.lines.path, 0
        self._shared, self._field = shared, field

    @classmethod
    def several(cls, lines: TextStream, number: int, expected: str) -> list[FieldStream]:
        """All fields of a file; `expected` says in words what they are."""
        shared = _Fields(lines, number, expected)
        return [cls(shared, field) for field in range(number)]

    @property
    def read_bytes(self) -> int:  # type: ignore[override]
        """Bytes of the file, told by the first field alone."""
        return self._shared.lines.read_bytes if self._field == 0 else 0

    def sample(self) -> tuple[list[str], bool]:
        lines, more = self._shared.lines.sample()
        return self._shared.split(lines, 0)[self._field], more

    def take(self, number: int) -> Any:
        taken = self._shared.take(self.lines, self._field, number)
        self.lines += len(taken)
        return taken

    def finish(self) -> int:
        self.lines = self._shared.finish()
        return self.lines


class _Fields:
    """Lines cut at tabs, a block at a time; a block is kept until all its fields have been taken."""

    def __init__(self, lines: TextStream, number: int, expected: str):
        self.lines, self.number, self.expected = lines, number, expected
        self._blocks: dict[int, dict[int, list[str]]] = {}  # by the first line: fields that have not been taken

    def split(self, lines: list[str], first: int) -> list[list[str]]:
        return split_fields(lines, self.number, name_of(self.lines.path), self.expected, first)

    def take(self, first: int, field: int, number: int) -> list[str]:
        if first not in self._blocks:
            self._blocks[first] = dict(enumerate(self.split(self.lines.take(number).tolist(), first)))
        taken = self._blocks[first].pop(field)
        if not self._blocks[first]:
            del self._blocks[first]
        return taken

    def finish(self) -> int:
        self._blocks.clear()
        while len(lines := self.lines.take(BLOCK)):
            self.split(lines.tolist(), self.lines.lines - len(lines))
        return self.lines.lines


# References ------------------------------------------------------------------------------------------------------


class ReferenceStreams:
    """The references of each segment: a file for each, or one with several per line; see `texts.read_references`."""

    origin: Mapping[str, str] = {}

    def __init__(self, paths: Sequence[str], *, num_refs: int = 1, missing: bool = False, as_text: bool = False):
        self.paths, self.missing = distinct(paths), missing
        self._numbers: list[int] = []
        self.streams: list[TextStream] = [
            TextStream(path, as_text=as_text, reads=[COLUMNS] if num_refs > 1 else (), strip=num_refs == 1)
            for path in paths
        ]
        if num_refs > 1:
            expected = f"{num_refs} references separated by tabs"
            self.streams = [*FieldStream.several(self.streams[0], num_refs, expected)]

    @property
    def path(self) -> str:
        """The first file, for messages."""
        return self.paths[0]

    @property
    def most(self) -> int:
        """The most references that a segment may have."""
        return len(self.streams)

    def __len__(self) -> int:
        return self.streams[0].lines

    def numbers(self) -> list[int]:
        """How many references each segment had that was taken."""
        return self._numbers if self.missing else [self.most] * len(self)

    def sample(self) -> References:
        """The references of the first segments."""
        return self._references([stream.sample()[0] for stream in self.streams], 0)

    def take(self, number: int, *, as_strings: bool = False) -> References:
        """The references of the next segments."""
        first = len(self)
        taken = [stream.take(number) for stream in self.streams]
        if len({*map(len, taken)}) > 1:
            self.finish()
        if as_strings:
            taken = [*map(as_list, taken)]
        references = self._references(taken, first)
        if self.missing:
            self._numbers += map(len, references.entries)
        return references

    def _references(self, texts: list[Any], first: int) -> References:
        if self.missing:
            rows = [[text for text in row if text] for row in zip(*map(as_list, texts), strict=False)]
            if [] in rows:
                raise missing_reference(self.paths, first + rows.index([]) + 1)
            return References.unchecked(rows)
        if len(texts) == 1:
            return References.unchecked(texts[0])
        if all(isinstance(one, _native.Column) for one in texts):
            return References.unchecked(_native.Columns(texts))
        return References.unchecked([[*row] for row in zip(*texts, strict=False)])

    def finish(self) -> int:
        """Read on to the end; return how many lines the files have, all the same."""
        lines = [stream.finish() for stream in self.streams]
        for path, number in zip(self.paths, lines, strict=False):
            check_lines(self.paths[0], lines[0], path, number)
        return lines[0]

    def read(self) -> References:
        """Read all references at once, for what cannot do without."""
        texts = [stream.read() for stream in self.streams]
        for path, one in zip(self.paths, texts, strict=False):
            check_lines(self.paths[0], len(texts[0]), path, len(one))
        references = References(self._references(texts, 0).entries)
        references.path, references.paths = self.path, self.paths
        return references


def as_list(texts: Any) -> list[str]:
    """Texts of a block as strings."""
    found: list[str] = texts if isinstance(texts, list) else texts.tolist()
    return found


# Systems ---------------------------------------------------------------------------------------------------------


class OneOutput(TextStream):
    """The output of one system on standard input; if line 1 has no tabs, no line may have."""

    several = False  #: whether line 1 has tabs
    _has_tabs = False

    def _whole_lines(self) -> bytes:
        data = super()._whole_lines()
        self._has_tabs = self._has_tabs or b"\t" in data
        return data

    def take(self, number: int) -> Any:
        first, taken = self.lines, super().take(number)
        if self._has_tabs and not self.several:  # which may yet be white space at the ends of lines
            split_fields(taken.tolist(), 1, name_of(self.path), expected_outputs(1), first)
        return taken


def piped_streams(*, as_text: bool = False) -> dict[str, TextStream]:
    """Outputs from standard input: one, or several separated by tabs, as `texts.read_piped_systems` reads them."""
    lines = OneOutput("-", as_text=as_text, reads=[COLUMNS])
    number = lines.sample()[0][0].count("\t") + 1
    if number == 1:
        return {"stdin": lines}
    lines.several = True
    outputs = FieldStream.several(lines, number, expected_outputs(number))
    return {f"System {i}": output for i, output in enumerate(outputs, 1)}


# Both ------------------------------------------------------------------------------------------------------------


class CorpusStream:
    """References and the outputs of systems, side by side in blocks."""

    def __init__(self, outputs: Mapping[str, TextStream], references: ReferenceStreams):
        self.outputs, self.references = outputs, references
        files = [*references.streams, *outputs.values()]
        paths = {stream.path for stream in files}
        self._files = files
        #: Of all files together; 0 where that is not known.
        self.bytes = sum(map(os.path.getsize, paths)) if all(map(os.path.isfile, paths)) else 0

    @property
    def read_bytes(self) -> int:
        """Bytes that have been read so far."""
        return sum(stream.read_bytes for stream in self._files)

    def blocks(self, *, as_strings: bool = False) -> Iterator[tuple[References, dict[str, Any]]]:
        """The references of some segments and the outputs for them, until there are no more.

        Texts are columns in the core's memory where they can be, unless strings are asked for.
        """
        while True:
            references = self.references.take(BLOCK, as_strings=as_strings)
            outputs = {name: stream.take(BLOCK) for name, stream in self.outputs.items()}
            if as_strings:
                outputs = {name: as_list(texts) for name, texts in outputs.items()}
            if any(len(texts) != len(references) for texts in outputs.values()):
                self.finish()
            if not len(references):
                return
            yield references, outputs

    def read(self) -> tuple[dict[str, TextFile], References]:
        """Read all texts at once, for what cannot do without."""
        references = self.references.read()
        outputs = {name: stream.read() for name, stream in self.outputs.items()}
        check_segments(outputs, references)
        return outputs, references

    def finish(self) -> None:
        """Read on to the end; refuse files of different length."""
        lines = self.references.finish()
        numbers = [stream.finish() for stream in self.outputs.values()]
        for stream, number in zip(self.outputs.values(), numbers, strict=True):
            check_lines(stream.path, number, self.references.path, lines)


def opened(systems: Any, refs: Any, *, keep: bool) -> CorpusStream | None:
    """Files to be read block by block, if all texts are files; None if some are in memory, or files are to be kept."""
    if isinstance(refs, ReferenceStreams):
        return CorpusStream(systems, refs)
    if keep:
        return None
    outputs, references = system_paths(systems), reference_paths(refs)
    if outputs is None or references is None:
        return None
    streams = {name: TextStream(os.fspath(path)) for name, path in outputs.items()}
    return CorpusStream(streams, ReferenceStreams([*map(os.fspath, references)]))
