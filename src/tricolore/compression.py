"""Compressed files: read by their first bytes, whatever they are called, and written by the ends of their names."""

from __future__ import annotations

from itertools import chain

from .errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike
    from typing import Any, TextIO

#: The ends of names that say how a file is compressed.
SUFFIXES = {".gz": "gzip", ".zst": "zstd", ".xz": "xz", ".bz2": "bzip2"}

_LONGEST_MARK = 10
_FEED = 1 << 10  #: packed bytes that are taken at a time; they hold up to 1 MB of gzip, 32 MB of zstd
_PIECE = 1 << 16  #: bytes that are unpacked from them at a time, where the library can stop there


def without_suffix(path: str) -> str:
    """The name of a file without the ending that says how it is compressed.

    >>> without_suffix("scores.tsv.gz"), without_suffix("scores.tsv")
    ('scores.tsv', 'scores.tsv')
    """
    return next((path.removesuffix(suffix) for suffix in SUFFIXES if path.endswith(suffix)), path)


def open_for_writing(path: PathLike[str], name: str, **how: Any) -> TextIO:
    """Open a text file for writing, compressed as the end of `name` says; what else to say is that of `open`."""
    from importlib import import_module

    form = _promised(name)
    library = import_module({None: "io", "gzip": "gzip", "zstd": "zstandard", "xz": "lzma", "bzip2": "bz2"}[form])
    stream: TextIO = library.open(path, "wt", **how)
    return stream


def _promised(path: str) -> str | None:
    """How a file is compressed by its name."""
    return next((form for suffix, form in SUFFIXES.items() if path.endswith(suffix)), None)


def compression_of(beginning: bytes) -> str | None:
    """How data that begins so is compressed, if it is."""
    if beginning.startswith(b"\x1f\x8b"):
        return "gzip"
    if beginning.startswith(b"\x28\xb5\x2f\xfd") or (
        beginning[1:4] == b"\x2a\x4d\x18" and 0x50 <= beginning[0] <= 0x5F  # a frame that is skipped, as by pzstd
    ):
        return "zstd"
    if beginning.startswith(b"\xfd7zXZ\x00"):
        return "xz"
    if beginning.startswith(b"BZh") and beginning[4:10] in (b"1AY&SY", b"\x17rE8P\x90"):
        return "bzip2"
    return None


def unpacked(chunks: Iterator[bytes], path: str, name: str) -> Iterator[bytes]:
    """The data of a file, unpacked if it is compressed; `name` is what messages call it."""
    beginning = b""
    for chunk in chunks:
        beginning += chunk
        if len(beginning) >= _LONGEST_MARK:
            break
    form = compression_of(beginning)
    promised = _promised(path)
    if form is None and promised is not None:
        found = "is not compressed" if beginning else "is empty"
        raise InputError(f"{name}: {found}; expected {promised} data, as its name says (rename it if it is plain)")
    data = chain([beginning], chunks)
    return data if form is None else _unpack(data, form, name)


def _unpack(chunks: Iterator[bytes], form: str, name: str) -> Iterator[bytes]:
    """Go through the frames (of gzip: members; of xz and bzip2: streams), which may be several."""
    begin, failures = _library(form, name)
    frame = None
    for packed in _fed(chunks):
        left = packed
        while frame is not None or (left := left.lstrip(b"\0")):  # zeros may pad what follows a frame
            frame = frame or begin()
            try:
                yield from _pieces(frame, left)
            except failures as error:
                raise InputError(f"{name}: corrupt {form} data ({error})") from None
            if not frame.eof:
                break
            left, frame = frame.unused_data, None
    if frame is not None:
        raise InputError(f"{name}: corrupt {form} data (it is cut short)")


def _fed(chunks: Iterator[bytes]) -> Iterator[bytes]:
    return (chunk[start : start + _FEED] for chunk in chunks for start in range(0, len(chunk), _FEED))


def _pieces(frame: Any, packed: bytes) -> Iterator[bytes]:
    """What some packed bytes hold, a little at a time: few of them may hold more than fits into memory."""
    if not hasattr(frame, "needs_input"):
        yield frame.decompress(packed)
        return
    yield frame.decompress(packed, _PIECE)
    while not frame.eof and not frame.needs_input:
        yield frame.decompress(b"", _PIECE)


def _library(form: str, name: str) -> tuple[Any, tuple[type[Exception], ...]]:
    """What begins a frame, and what it raises where the data is corrupt."""
    if form == "gzip":
        import zlib

        return lambda: zlib.decompressobj(zlib.MAX_WBITS | 16), (zlib.error,)
    if form == "zstd":
        from .extras import load

        zstandard = load("zstandard", f"{name}: text compressed with zstd")
        return lambda: zstandard.ZstdDecompressor().decompressobj(), (zstandard.ZstdError,)
    if form == "xz":
        import lzma

        return lzma.LZMADecompressor, (lzma.LZMAError, EOFError)
    import bz2

    return bz2.BZ2Decompressor, (OSError, EOFError)
