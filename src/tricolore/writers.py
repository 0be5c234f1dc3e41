"""Files out: written beside, then renamed, so that nobody ever sees half a file."""

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from .compression import open_for_writing, without_suffix
from .errors import InputError, MissingExtraError, SpecError

#: How systems say that they cannot wait for the disk, least of all for folders.
CANNOT_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EPERM, errno.EBADF, errno.EISDIR}


@contextmanager
def writing(path: str, *, durable: bool = False) -> Iterator[TextIO]:
    """Open a text file for writing, compressed if it ends in `.gz` (or `.zst`, `.xz`, `.bz2`).

    It appears when all is written. A durable one appears when all is on the disk, so that it is whole even after a
    power loss.
    """
    with _appearing(path, lambda beside: _open(beside, path), durable) as stream:
        yield stream


def append_text(path: str, text: str) -> None:
    """Append a text to a file in one piece."""
    with _naming(path), open(path, "a", encoding="utf-8") as stream:
        stream.write(text)


@contextmanager
def writing_bytes(path: str) -> Iterator[BinaryIO]:
    """Open a file of bytes for writing; it appears when all is written."""
    with _appearing(path, lambda beside: beside.open("wb")) as stream:
        yield stream


@contextmanager
def writing_records(path: str | None) -> Iterator[Callable[[Iterable[dict[str, Any]]], None]]:
    """Write tidy records to a file: .csv, .jsonl, .parquet, or tab-separated under any other name; None: nowhere."""
    ending = "" if path is None else os.path.splitext(without_suffix(path))[1]
    if path is None:
        yield lambda records: None
    elif ending == ".parquet":
        arrow, parquet = _arrow()
        with writing_bytes(path) as binary:
            yield lambda records: parquet.write_table(arrow.Table.from_pylist([*records]), binary)
    else:
        with writing(path) as stream:
            yield lambda records: stream.writelines(lines_of(records, ending[1:]))


def lines_of(records: Iterable[dict[str, Any]], form: str) -> Iterator[str]:
    """Records as lines of a file: tsv or csv with a header, or jsonl."""
    from .rendering import json, separated

    for number, record in enumerate(records):
        if form == "jsonl":
            yield json(record) + "\n"
        else:
            header, _, row = separated([record], "csv" if form == "csv" else "tsv").partition("\n")
            yield f"{header}\n{row}\n" if number == 0 else f"{row}\n"


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("writing Parquet needs pyarrow; pip install 'tricolore[parquet]'") from None
    return pyarrow, pyarrow.parquet


@contextmanager
def writing_folder(path: str) -> Iterator[Path]:
    """A place to write files to, which appear in a folder when all are written; the folder is made, if need be."""
    target = Path(path)
    is_new = not target.exists()
    try:
        target.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=".", suffix=".part", dir=target))
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from None
    try:
        yield beside
        for file in sorted(beside.iterdir()):
            file.replace(target / file.name)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        if is_new:
            with suppress(OSError):  # something is in it
                target.rmdir()


def check_target(path: str) -> None:
    """Refuse a file that cannot be written, before the work whose results it is to hold."""
    target = _in_a_folder(path)
    if target.is_dir():
        raise InputError(f"{path}: is a folder; expected the name of a file")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise InputError(f"{path}: cannot be written (Permission denied)")


def check_kept(option: str, path: str | os.PathLike[str] | None, *inputs: Any) -> None:
    """Refuse to overwrite a file that is to be read; `inputs` are texts, scores or tables as they were given."""
    if path is not None and os.path.isfile(path) and any(_is_read_from(path, one) for one in inputs):
        raise SpecError(f"{option}: {os.fspath(path)} is one of the files to read; name another file")


def _is_read_from(path: str | os.PathLike[str], given: Any) -> bool:
    """Whether a file is one of those given, by name, as `NAME=FILE`, or by the folder that they are in."""
    if isinstance(given, str | os.PathLike):
        name = os.fspath(given)
        known = name if os.path.exists(name) else name.partition("=")[2]
        folder = os.path.dirname(os.path.abspath(path))
        return os.path.exists(known) and os.path.samefile(folder if os.path.isdir(known) else path, known)
    if isinstance(given, Mapping):
        return any(_is_read_from(path, one) for one in given.values())
    if hasattr(given, "path"):  # texts that have been read, or are to be read block by block
        return any(_is_read_from(path, one) for one in getattr(given, "paths", ()) or filter(None, [given.path]))
    if isinstance(given, list | tuple) and given and _names_files(given[0]):
        return any(_is_read_from(path, one) for one in given)
    return False


def _names_files(first: Any) -> bool:
    """Whether a list that begins so is one of files, and not of texts."""
    if isinstance(first, str):
        return os.path.exists(first) or os.path.exists(first.partition("=")[2])
    return isinstance(first, os.PathLike | list | tuple)


def _in_a_folder(path: str) -> Path:
    target = Path(path)
    if not target.parent.is_dir():
        raise InputError(f"{path}: cannot be written (there is no folder {target.parent})")
    return target


@contextmanager
def _appearing(path: str, open_file: Callable[[Path], Any], durable: bool = False) -> Iterator[Any]:
    target = _in_a_folder(path)
    if target.exists() and not target.is_file():  # a pipe or a device takes what it gets
        with _naming(path), open_file(target) as stream:
            yield stream
        return
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with _naming(path):
            with open_file(beside) as stream:
                yield stream
            if durable:
                rename_durably(beside, target)
            else:
                beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def rename_durably(path: Path, target: Path) -> None:
    """Rename a file when its content is on the disk, and wait until the new name is, too."""
    sync(path)
    path.replace(target)
    sync(target.parent)


def sync(path: Path) -> None:
    """Wait until a file, or what a folder holds, is on the disk."""
    try:
        number = os.open(path, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
    except OSError as error:
        if error.errno not in CANNOT_SYNC:  # a disk that is full may say so only now
            raise


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Say which file it was that could not be written."""
    try:
        yield
    except OSError as error:
        if isinstance(error.filename, str) and Path(error.filename).parent != Path(path).parent:
            raise  # another file is at fault, which was needed on the way
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from None


def _open(path: Path, name: str) -> TextIO:
    # A file name that is not UTF-8 may stand in the text; it is written as it is.
    return open_for_writing(path, name, encoding="utf-8", errors="surrogateescape", newline="\n")
