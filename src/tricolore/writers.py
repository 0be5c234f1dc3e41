"""Files out: written beside, then renamed, so that nobody ever sees half a file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from .errors import InputError


@contextmanager
def writing(path: str) -> Iterator[TextIO]:
    """Open a text file for writing, packed if it ends in `.gz` or `.zst`; it appears when all is written."""
    target = Path(path)
    if not target.parent.is_dir():
        raise InputError(f"{path}: cannot be written (there is no folder {target.parent})")
    if target.exists() and not target.is_file():  # a pipe or a device takes what it gets
        with _open(target, path) as stream:
            yield stream
        return
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with _open(beside, path) as stream:
            yield stream
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _open(path: Path, name: str) -> TextIO:
    try:
        if name.endswith(".gz"):
            import gzip

            return gzip.open(path, "wt", encoding="utf-8", newline="\n")
        if name.endswith(".zst"):
            import zstandard

            packed: TextIO = zstandard.open(path, "wt", encoding="utf-8", newline="\n")
            return packed
        return path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{name}: cannot be written ({error.strerror or error})") from None
