"""Text files: UTF-8, plain or compressed, one segment a line."""

from __future__ import annotations

import sys

from ..errors import InputError

_BOM = b"\xef\xbb\xbf"


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


def name_of(path: str) -> str:
    """Name a file as messages do."""
    return "standard input" if path == "-" else path


def read_bytes(path: str) -> bytes:
    """Read a whole file, unpacked."""
    if path == "-" and sys.stdin is None:
        raise InputError("standard input: is closed; expected text")
    try:
        data = sys.stdin.buffer.read() if path == "-" else _read_file(path)
    except FileNotFoundError:
        raise InputError(f"{path or repr(path)}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: is a directory; expected a file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    if path.endswith(".gz"):
        return _gunzip(data, path)
    if path.endswith(".zst"):
        return _unzstd(data, path)
    return data


def _read_file(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def decode(data: bytes, name: str) -> str:
    """Decode UTF-8; where it is not, say on which line."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{name}: line 1: the file is UTF-16; expected UTF-8")
    data = data.removeprefix(_BOM)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise InputError(
            f"{name}: line {line}: not valid UTF-8 (byte 0x{data[error.start]:02x} at position {column} of the line)"
        ) from None


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
