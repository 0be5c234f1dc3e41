"""Text files: UTF-8, plain or compressed, one segment a line."""

from __future__ import annotations

import sys

from ..errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

_BOM = b"\xef\xbb\xbf"
_CHUNK = 1 << 16  #: bytes of a file that are held at a time where it is not read as a whole


def read_lines(path: str) -> list[str]:
    """Read the segments of a file; `-` is standard input, `.gz` and `.zst` are unpacked.

    Lines end in LF or CRLF. A byte-order mark is skipped. Whatever is wrong is told with file and line.
    """
    text = decode(read_bytes(path), name_of(path))
    if not text:
        raise InputError(f"{name_of(path)}: the file is empty; expected one segment a line")
    lines = text.removesuffix("\n").split("\n")
    if "\r" in text:
        lines = [line.removesuffix("\r") for line in lines]
    return lines


def stream_lines(path: str) -> Iterator[str]:
    """Read the lines of a file one by one, as `read_lines` would, but without ever holding them all."""
    for number, line in enumerate(_split(_chunks(path)), 1):
        if number == 1:
            _refuse_utf16(line, name_of(path))
        data = line.removeprefix(_BOM) if number == 1 else line
        try:
            text = data.removesuffix(b"\r").decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(_not_utf8(name_of(path), number, data, error.start)) from None
        if text or number > 1 or len(line) != len(_BOM):  # a file of nothing but a mark is empty
            yield text


def _split(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Cut at line feeds; a line may go over several chunks."""
    begun: list[bytes] = []
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        begun.append(first)
        if others:
            yield b"".join(begun)
            yield from others[:-1]
            begun = others[-1:]
    if last := b"".join(begun):
        yield last


def _chunks(path: str) -> Iterator[bytes]:
    """The bytes of a file, unpacked on the way."""
    if path == "-":
        if sys.stdin is None:
            raise InputError("standard input: is closed; expected text")
        yield from _read_in_chunks(sys.stdin.buffer, path)
        return
    try:
        file = open(path, "rb")  # noqa: SIM115
    except OSError as error:
        raise _unreadable(path, error) from None
    with file:
        if path.endswith(".gz"):
            yield from _gunzip_in_chunks(file, path)
        elif path.endswith(".zst"):
            yield from _unzstd_in_chunks(file, path)
        else:
            yield from _read_in_chunks(file, path)


def _read_in_chunks(file: BinaryIO, path: str) -> Iterator[bytes]:
    while True:
        try:
            chunk = file.read(_CHUNK)
        except OSError as error:
            raise _unreadable(path, error) from None
        if not chunk:
            return
        yield chunk


def _gunzip_in_chunks(file: BinaryIO, path: str) -> Iterator[bytes]:
    import gzip
    import zlib

    with gzip.GzipFile(fileobj=file) as unpacked:
        while True:
            try:
                chunk = unpacked.read(_CHUNK)
            except (OSError, EOFError, zlib.error) as error:
                raise InputError(f"{path}: not a sound gzip file ({error})") from None
            if not chunk:
                return
            yield chunk


def _unzstd_in_chunks(file: BinaryIO, path: str) -> Iterator[bytes]:
    """Frame by frame, as `_unzstd`."""
    import zstandard

    frame = None
    for chunk in _read_in_chunks(file, path):
        left = chunk
        while left:
            frame = frame or zstandard.ZstdDecompressor().decompressobj()
            try:
                yield frame.decompress(left)
            except zstandard.ZstdError as error:
                raise InputError(f"{path}: not a sound zstd file ({error})") from None
            left = frame.unused_data if frame.eof else b""
            frame = None if frame.eof else frame
    if frame is not None:
        raise InputError(f"{path}: not a sound zstd file (it is cut short)")


def name_of(path: str) -> str:
    """Name a file as messages do."""
    return "standard input" if path == "-" else path


def read_bytes(path: str) -> bytes:
    """Read a whole file, unpacked."""
    if path == "-" and sys.stdin is None:
        raise InputError("standard input: is closed; expected text")
    try:
        data = sys.stdin.buffer.read() if path == "-" else _read_file(path)
    except OSError as error:
        raise _unreadable(path, error) from None
    if path.endswith(".gz"):
        return _gunzip(data, path)
    if path.endswith(".zst"):
        return _unzstd(data, path)
    return data


def _unreadable(path: str, error: OSError) -> InputError:
    if isinstance(error, FileNotFoundError):
        return InputError(f"{path or repr(path)}: no such file")
    if isinstance(error, IsADirectoryError):
        return InputError(f"{path}: is a directory; expected a file")
    return InputError(f"{name_of(path)}: cannot be read ({error.strerror or error})")


def _read_file(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def decode(data: bytes, name: str) -> str:
    """Decode UTF-8; where it is not, say on which line."""
    _refuse_utf16(data, name)
    data = data.removeprefix(_BOM)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        begin = data.rfind(b"\n", 0, error.start) + 1
        line = data.count(b"\n", 0, begin) + 1
        raise InputError(_not_utf8(name, line, data[begin : error.start + 1], error.start - begin)) from None


def _refuse_utf16(data: bytes, name: str) -> None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{name}: line 1: the file is UTF-16; expected UTF-8")


def _not_utf8(name: str, number: int, line: bytes, at: int) -> str:
    return f"{name}: line {number}: not valid UTF-8 (byte 0x{line[at]:02x} at position {at + 1} of the line)"


def _gunzip(data: bytes, path: str) -> bytes:
    import gzip
    import zlib

    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: not a sound gzip file ({error})") from None


def _unzstd(data: bytes, path: str) -> bytes:
    import zstandard

    parts = []
    try:
        while data:  # frame by frame, because only a single frame says whether it was complete
            frame = zstandard.ZstdDecompressor().decompressobj()
            parts.append(frame.decompress(data))
            if not frame.eof:
                raise InputError(f"{path}: not a sound zstd file (it is cut short)")
            data = frame.unused_data
    except zstandard.ZstdError as error:
        raise InputError(f"{path}: not a sound zstd file ({error})") from None
    return b"".join(parts)
