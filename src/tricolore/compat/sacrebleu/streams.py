"""Files and standard input as sacreBLEU's command reads them."""

from __future__ import annotations

import codecs
import io
import sys

from ...errors import InputError
from ...readers.files import read_segments
from ...readers.recognise import COLUMNS
from ..strictness import lenient
from .utils import smart_open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import IO


_TABLE = "read it as a table (--table)"  #: advice of the readers, about a flag that is not sacreBLEU's
_REMEDY = "TRICOLORE_COMPAT=lenient"


class FieldError(InputError):
    """Lines with different numbers of fields; sacreBLEU leaves with 17 then."""

    exit_status = 17


def lines_of(path: str, encoding: str, reads: Sequence[str] = ()) -> Iterable[str]:
    """The lines of a file, without white space at their ends.

    sacreBLEU takes every file for text. A file that is plainly something else is refused here; `reads` are exceptions.
    """
    if not _checked(encoding):
        return _any_lines(path, encoding)
    try:
        return read_segments(path, reads, remedy=_REMEDY)
    except InputError as error:
        if _TABLE not in str(error):
            raise
        raise InputError(str(error).replace(_TABLE, "use tricolore score --table")) from None


def _checked(encoding: str) -> bool:
    """Whether the form of a file is looked at: not where the user wants the old behaviour or has other encodings."""
    try:
        return codecs.lookup(encoding).name == "utf-8" and not lenient()
    except LookupError:
        raise InputError(f"--encoding: {encoding!r} is not known") from None


def _any_lines(path: str, encoding: str) -> Iterator[str]:
    try:
        with smart_open(path, encoding=encoding) as file:
            yield from _stripped(file)
    except UnicodeError as error:
        raise InputError(f"{path}: cannot be read as {encoding} ({error})") from None
    except EOFError as error:
        raise InputError(f"{path}: corrupt gzip file ({error})") from None


def _stripped(lines: Iterable[str] | IO[str]) -> Iterator[str]:
    return (line.rstrip() for line in lines)


def read_references(tests: Sequence[Sequence[str]], number: int, encoding: str) -> list[list[str]]:
    """Streams of references; each test set is a list of files, and several are put one after the other.

    With a `number` above 1, the lines of a file have so many references between tabs.
    """
    streams: list[list[str]] = [[] for _ in range(max(len(tests[0]), number))]
    for files in tests:
        for stream, path in enumerate(files):
            for at, line in enumerate(lines_of(path, encoding, [COLUMNS] if number > 1 else []), 1):
                if number == 1:
                    streams[stream].append(line)
                    continue
                found = line.split("\t", number - 1)
                if len(found) != number:
                    raise FieldError(f"{path}: line {at}: expected {number} fields, but found {len(found)}")
                for one, reference in zip(streams, found, strict=True):
                    one.append(reference)
    return streams


def read_systems(paths: Sequence[str], paired: bool, encoding: str) -> tuple[list[str], list[list[str]]]:
    """Names and outputs of systems; a copy of the baseline is left out of paired tests."""
    names: list[str] = []
    outputs = []
    for path in paths:
        if path in names:
            if paired and path == names[0]:
                continue
            raise InputError(f"{path}: was named twice; expected different files")
        names.append(path)
        outputs.append([*lines_of(path, encoding)])
    return names, outputs


def read_standard_input(encoding: str) -> list[list[str]]:
    """Outputs of systems, separated by tabs; the first line says how many there are."""
    lines = read_segments("-", [COLUMNS], remedy=_REMEDY) if _checked(encoding) else _any_standard_input(encoding)
    first, *others = [line.split("\t") for line in lines] or [[""]]
    for at, fields in enumerate(others, 2):
        if len(fields) != len(first):
            raise FieldError(
                f"standard input: line {at}: expected {len(first)} tab-separated fields as in line 1, "
                f"but found {len(fields)}"
            )
    return [[line[i].rstrip() for line in (first, *others)] for i in range(len(first))]


def _any_standard_input(encoding: str) -> list[str]:
    try:
        text = io.TextIOWrapper(sys.stdin.buffer, encoding=encoding)
        lines = [*_stripped(text)]
    except UnicodeError as error:
        raise InputError(f"standard input: cannot be read as {encoding} ({error})") from None
    text.detach()
    return lines
