"""Bytes to text: UTF-8, chunk by chunk. What is something else is refused at once, by name."""

from __future__ import annotations

import codecs
import re
from itertools import chain

from .. import _native
from ..compression import compression_of
from ..errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeVar

    Piece = TypeVar("Piece", str, bytes)

#: The most bytes of a line; a longer one is not text, and might not fit into memory.
LONGEST_LINE = 1 << 30

_BEGINNING = 1 << 12  #: bytes by which a file is recognised

_UTF8_MARK = b"\xef\xbb\xbf"

#: Byte-order marks; that of UTF-32 begins like that of UTF-16.
_OTHER_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}

#: What files begin with that are given by mistake.
_FORMATS = {
    b"PK\x03\x04": "a ZIP archive (or an office document)",
    b"PAR1": "Parquet",
    b"ARROW1": "Arrow",
    b"%PDF-": "PDF",
    b"\x04\x22\x4d\x18": "LZ4 data",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive",
    b"\x1f\x9d": "compress (.Z) data",
}


def decoded(chunks: Iterator[bytes], name: str) -> Iterator[str]:
    """The text of a file as it comes; a byte-order mark is skipped."""
    return _checked(chunks, name, _text)


def checked(chunks: Iterator[bytes], name: str) -> Iterator[bytes]:
    """The bytes of a file as they come, whole characters of UTF-8 all of them; a byte-order mark is skipped."""
    return _checked(chunks, name, _bytes)


def _checked(
    chunks: Iterator[bytes], name: str, read: Callable[[bytes], tuple[Piece, int, int] | None]
) -> Iterator[Piece]:
    """What `read` makes of the data; it also returns how many bytes it used, and the line feeds among them."""
    beginning = b""
    for chunk in chunks:
        beginning += chunk
        if len(beginning) >= _BEGINNING:
            break
    _refuse_others(beginning[:_BEGINNING], name)
    number, before, rest = 1, 0, b""  # the line of the next byte, the bytes of that line so far, half a character
    for chunk in chain([beginning.removeprefix(_UTF8_MARK)], chunks):
        data = rest + chunk if rest else chunk
        found = read(data)
        if found is None:
            raise _fault(data, name, number, before)
        piece, used, lines = found
        yield piece
        number += lines
        begin = data.rfind(b"\n", 0, used) + 1
        before = used - begin if begin else before + used
        rest = data[used:]
        if before > LONGEST_LINE:
            raise InputError(f"{name}: line {number}: is longer than {LONGEST_LINE:,} bytes; expected text")
    if rest:
        raise _not_utf8(rest, 0, name, number, before)


def _text(data: bytes) -> tuple[str, int, int] | None:
    try:
        text, used = codecs.utf_8_decode(data, "strict", False)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else (text, used, data.count(b"\n", 0, used))


def _bytes(data: bytes) -> tuple[bytes, int, int] | None:
    found = _native.whole_characters(data)
    return found and (data[: found[0]], *found)


def _fault(data: bytes, name: str, number: int, before: int) -> InputError:
    """The first byte of some data that no text has."""
    zero = data.find(b"\0")
    try:
        codecs.utf_8_decode(data[:zero] if zero >= 0 else data, "strict", zero >= 0)
    except UnicodeDecodeError as error:
        return _not_utf8(data, error.start, name, number, before)
    return _zero_byte(data, zero, name, number, before)


def _refuse_others(beginning: bytes, name: str) -> None:
    for mark, encoding in _OTHER_MARKS.items():
        if beginning.startswith(mark):
            raise _other_encoding(name, encoding, "is")
    found = next((what for mark, what in _FORMATS.items() if beginning.startswith(mark)), None)
    packed = compression_of(beginning)
    if found or packed:
        what = found or f"{packed} data inside compressed data"
        raise InputError(f"{name}: is {what}; expected text")
    if b"\0" in beginning and (wide := _wide(beginning)):
        raise _other_encoding(name, wide, "looks like")


def _zero_byte(data: bytes, at: int, name: str, number: int, before: int) -> InputError:
    line, position = _place(data, at, number, before)
    return InputError(
        f"{name}: line {line}: has a zero byte at position {position}, which text does not contain; "
        "expected UTF-8 text (tr -d '\\0' drops zero bytes)"
    )


def _wide(data: bytes) -> str | None:
    """The encoding of data with zero bytes, if they stand as those of wide characters do."""
    units = len(data) // 4
    zeros = [data[i : 4 * units : 4].count(0) for i in range(4)]
    for encoding, (low, _, middle, high) in (("UTF-32LE", zeros), ("UTF-32BE", zeros[::-1])):
        if units and high == units and 20 * middle >= 19 * units and 2 * low < units:
            return encoding
    even, odd = data[::2].count(0), data[1::2].count(0)
    encoding, blank = ("UTF-16LE", rb"[ \n]\0") if odd > even else ("UTF-16BE", rb"\0[ \n]")
    blanks = data.count(b" ") + data.count(b"\n")
    # A zero here and there is no sign of wide characters: blanks have one each, and letters none on the other side.
    is_wide = 2 * len(re.findall(blank, data)) > blanks if blanks else 4 * (even + odd) >= len(data)
    return encoding if is_wide and 20 * min(even, odd) <= max(even, odd) else None


def _other_encoding(name: str, encoding: str, verb: str) -> InputError:
    return InputError(f"{name}: {verb} {encoding}; expected UTF-8 (iconv -f {encoding} -t UTF-8 converts it)")


def _not_utf8(data: bytes, at: int, name: str, number: int, before: int) -> InputError:
    line, position = _place(data, at, number, before)
    return InputError(
        f"{name}: line {line}: not valid UTF-8 (byte 0x{data[at]:02x} at position {position} of the line)"
    )


def _place(data: bytes, at: int, number: int, before: int) -> tuple[int, int]:
    """The line of a byte, and its position there from 1 on."""
    begin = data.rfind(b"\n", 0, at) + 1
    return number + data.count(b"\n", 0, at), at - begin + 1 + (0 if begin else before)
