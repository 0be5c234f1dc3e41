"""Files out: written beside, then renamed, so that nobody ever sees half a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from .errors import InputError


@contextmanager
def writing(path: str) -> Iterator[TextIO]:
    """Open a text file for writing, packed if it ends in `.gz` or `.zst`; it appears when all is written."""
    with _appearing(path, lambda beside: _open(beside, path)) as stream:
        yield stream


@contextmanager
def writing_bytes(path: str) -> Iterator[BinaryIO]:
    """Open a file of bytes for writing; it appears when all is written."""
    with _appearing(path, lambda beside: beside.open("wb")) as stream:
        yield stream


def check_target(path: str) -> None:
    """Refuse a file that cannot be written, before the work whose results it is to hold."""
    target = Path(path)
    if not target.parent.is_dir():
        raise InputError(f"{path}: cannot be written (there is no folder {target.parent})")
    if target.is_dir():
        raise InputError(f"{path}: is a folder; expected the name of a file")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise InputError(f"{path}: cannot be written (Permission denied)")


@contextmanager
def _appearing(path: str, open_file: Callable[[Path], Any]) -> Iterator[Any]:
    target = Path(path)
    if not target.parent.is_dir():
        raise InputError(f"{path}: cannot be written (there is no folder {target.parent})")
    if target.exists() and not target.is_file():  # a pipe or a device takes what it gets
        with _naming(path), open_file(target) as stream:
            yield stream
        return
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with _naming(path):
            with open_file(beside) as stream:
                yield stream
            beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Say which file it was that could not be written."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from None


def _open(path: Path, name: str) -> TextIO:
    # A file name that is not UTF-8 may stand in the text; it is written as it is.
    how: dict[str, Any] = {"mode": "wt", "encoding": "utf-8", "errors": "surrogateescape", "newline": "\n"}
    if name.endswith(".gz"):
        import gzip

        stream: TextIO = gzip.open(path, **how)  # noqa: SIM115
    elif name.endswith(".zst"):
        import zstandard

        stream = zstandard.open(path, **how)
    else:
        stream = path.open(**how)
    return stream
