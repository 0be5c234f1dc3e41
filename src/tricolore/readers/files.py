"""Files: plain or compressed, UTF-8, line by line; whatever is wrong is told with file and line."""

from __future__ import annotations

import io
import os
import sys
from contextlib import contextmanager
from itertools import chain

from ..compression import unpacked
from ..errors import InputError
from .encoding import checked, decoded
from .recognise import COLUMNS, FORMS, peek, refuse_others

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from typing import Any

_CHUNK = 1 << 16  #: bytes of a file that are read at a time
_LARGE_CHUNK = 1 << 19  #: the same, where lines are cut in the core

#: What is expected of a file of segments.
PLAIN_TEXT = "plain text, one segment per line"


def read_segments(
    path: str, reads: Collection[str] = (), *, as_text: bool = False, remedy: str = "as_text=True"
) -> list[str]:
    """Read plain text, one segment per line, and refuse what is something else (see `recognise`).

    White space at the end of a line is dropped, as in sacreBLEU. `reads` are forms that the caller reads all the same;
    `as_text` takes every form for plain text, and `remedy` is how a user asks for that.
    """
    with naming_memory(path):
        return [line.rstrip() for line in read_lines(path, PLAIN_TEXT, FORMS if as_text else reads, remedy)]


def read_columns(path: str, *, as_text: bool = False, remedy: str = "as_text=True") -> list[str]:
    """Read lines of tab-separated segments, in which empty ones at the end of a line count."""
    return read_lines(path, PLAIN_TEXT, FORMS if as_text else [COLUMNS], remedy)


def stream_segments(path: str, *, as_text: bool = False, remedy: str = "as_text=True") -> Iterator[str]:
    """Read segments one by one, without ever holding them all."""
    return (line.rstrip() for line in stream_lines(path, PLAIN_TEXT, FORMS if as_text else (), remedy))


def read_lines(path: str, expected: str, reads: Collection[str] = (), remedy: str = "") -> list[str]:
    """Read the lines of a file; `-` is standard input, compressed data is unpacked.

    Lines end in LF or CRLF. A byte-order mark is skipped. A file that is plainly something else than what is `expected`
    is refused by name.
    """
    with naming_memory(path):
        text = read_text(path)
        if not text:
            raise InputError(f"{name_of(path)}: the file is empty; expected {expected}")
        lines = text.removesuffix("\n").split("\n")
        if "\r" in text:
            lines = [line.removesuffix("\r") for line in lines]
        refuse_others(peek(iter(lines)), name_of(path), expected, reads, remedy)
        return lines


def stream_lines(path: str, expected: str, reads: Collection[str] = (), remedy: str = "") -> Iterator[str]:
    """Read the lines of a file one by one, as `read_lines` would, but without ever holding them all."""
    with naming_memory(path):
        lines = (line.removesuffix("\r") for line in _split(_stream_text(path)))
        beginning = peek(lines)
        refuse_others(beginning, name_of(path), expected, reads, remedy)
        yield from chain(beginning, lines)


def read_text(path: str) -> str:
    """Read a whole file as text, whatever its form."""
    with naming_memory(path):
        return "".join(_stream_text(path))


def read_bytes(path: str, mark: bytes, expected: str) -> bytes:
    """Read a whole file of bytes, unpacked, if it begins as it should."""
    with naming_memory(path):
        chunks = unpacked(_chunks(path), path, name_of(path))
        beginning = next(chunks, b"")
        if not beginning.startswith(mark):
            raise InputError(f"{name_of(path)}: expected {expected}, which begins with {mark.decode()!r}")
        return b"".join(chain([beginning], chunks))


class UnpackedFile(io.RawIOBase):
    """A file as a stream of bytes, unpacked if it is compressed."""

    def __init__(self, path: str):
        self._chunks = unpacked(_chunks(path), path, name_of(path))
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        """Fill some room; 0 at the end."""
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            self._rest = chunk
        part, self._rest = self._rest[: len(room)], self._rest[len(room) :]
        room[: len(part)] = part
        return len(part)


def read_whole(path: str, what: str) -> bytes:
    """The bytes of a file as they are; `what` says in messages what it should be."""
    check_regular(path, f"a {what}")
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise InputError(f"{path}: cannot read the {what} ({error.strerror})") from error
    except MemoryError:
        raise InputError(f"{path}: does not fit into memory; expected a {what}") from None


def name_of(path: str) -> str:
    """Name a file as messages do."""
    return "standard input" if path == "-" else path


def check_regular(path: str, what: str) -> None:
    """Refuse devices and pipes, which may never end."""
    if os.path.exists(path) and not os.path.isfile(path):
        kind = "a folder" if os.path.isdir(path) else "a device or a pipe"
        raise InputError(f"{path}: is {kind}; expected {what}")


@contextmanager
def naming_memory(path: str) -> Iterator[None]:
    """Say which file it was that does not fit into memory."""
    try:
        yield
    except MemoryError:
        raise InputError(f"{name_of(path)}: does not fit into memory") from None


def stream_bytes(path: str, took: Callable[[int], None]) -> Iterator[bytes]:
    """Read the bytes of a file of text, unpacked and checked, a piece at a time; `took` is told how many were read."""

    def chunks() -> Iterator[bytes]:
        for chunk in _chunks(path, _LARGE_CHUNK):
            took(len(chunk))
            yield chunk

    return checked(unpacked(chunks(), path, name_of(path)), name_of(path))


def _stream_text(path: str) -> Iterator[str]:
    return decoded(unpacked(_chunks(path), path, name_of(path)), name_of(path))


def _split(texts: Iterator[str]) -> Iterator[str]:
    """Cut at line feeds; a line may go over several texts."""
    begun: list[str] = []
    for text in texts:
        first, *others = text.split("\n")
        begun.append(first)
        if others:
            yield "".join(begun)
            yield from others[:-1]
            begun = others[-1:]
    if last := "".join(begun):
        yield last


def _chunks(path: str, size: int = _CHUNK) -> Iterator[bytes]:
    """The bytes of a file as they are."""
    if path == "-" and sys.stdin is None:
        raise InputError("standard input: is closed; expected text")
    try:
        if path == "-":
            yield from iter(lambda: sys.stdin.buffer.read(size), b"")
        else:
            with open(path, "rb") as file:
                yield from iter(lambda: file.read(size), b"")
    except OSError as error:
        raise _unreadable(path, error) from None


def _unreadable(path: str, error: OSError) -> InputError:
    if isinstance(error, FileNotFoundError):
        return InputError(f"{path or repr(path)}: no such file")
    if isinstance(error, IsADirectoryError):
        return InputError(f"{path}: is a directory; expected a file")
    return InputError(f"{name_of(path)}: cannot be read ({error.strerror or error})")


def digest_of(path: str) -> str:
    """A short text that changes with the bytes of a file, which must be one that can be read again."""
    import hashlib

    check_regular(path, "a file, which can be read again")
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:16]
    except OSError as error:
        raise _unreadable(path, error) from None
