"""Tables as Arrow record batches, however long: files, folders and globs of them, and tables in memory.

Rows are read batch by batch, and only the columns asked for, so that a table need not fit into memory.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..compression import without_suffix
from ..errors import InputError, InputTypeError, MissingExtraError, nearest
from .files import UnpackedFile
from .texts import is_path

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ImportError:
    raise MissingExtraError("tables need pyarrow; pip install 'tricolore[parquet]'") from None

#: Rows of a batch: enough that counting takes longer than everything around it, and few enough to keep memory small.
BATCH_ROWS = 32_768


@dataclass(frozen=True)
class Table:
    """A table to be read batch by batch; `names` are its columns, `rows` its length where that is known."""

    name: str  #: what messages call it
    names: tuple[str, ...]
    rows: int | None
    read: Callable[[Sequence[str]], Iterator[pa.RecordBatch]]  #: batches of some columns

    def need(self, column: str, what: str) -> str:
        """A column that must be there; `what` is its role."""
        if column not in self.names:
            raise InputError(
                f"{self.name}: there is no column {column!r} for {what}{nearest(column, self.names)} "
                f"(columns: {', '.join(self.names)})"
            )
        return column

    def batches(self, columns: Sequence[str], where: Mapping[str, Any] | None = None) -> Iterator[pa.RecordBatch]:
        """Batches of these columns, of the rows that have these values; the next is read while one is used."""
        needed = list(dict.fromkeys([*columns, *(where or {})]))
        found = (_only(batch, where or {}) for batch in self.read(needed))
        return (batch for batch in _ahead(found) if batch.num_rows)


def open_table(source: Any) -> Table:
    """Open files (a path, a list of paths, a folder, a glob), or a table in memory."""
    if is_path(source):
        return _of_files(os.fspath(source), _files(os.fspath(source)))
    if isinstance(source, list | tuple) and source and all(map(is_path, source)):
        return _of_files(f"{os.fspath(source[0])} ...", [file for one in source for file in _files(os.fspath(one))])
    if isinstance(source, Mapping):
        return _of_table(pa.table(dict(source)))
    if hasattr(source, "collect") and hasattr(source, "collect_schema"):  # a lazy frame of polars
        source = source.collect()
    if hasattr(source, "__arrow_c_stream__"):
        reader = pa.RecordBatchReader.from_stream(source)
        rows = getattr(source, "num_rows", len(source) if hasattr(source, "__len__") else None)
        return Table("the table", tuple(reader.schema.names), rows, lambda columns: _selected(reader, columns))
    if hasattr(source, "with_format"):  # datasets, also streamed
        batches = source.with_format("arrow").iter(BATCH_ROWS)
        rows = len(source) if hasattr(source, "__len__") else None
        return Table("the dataset", tuple(source.column_names), rows, lambda columns: _selected(batches, columns))
    if isinstance(source, Iterable) and not isinstance(source, str | bytes):
        return _of_iterator(iter(source))
    raise InputTypeError(f"expected a table or the name of a file, got {type(source).__name__}")


def _of_table(table: pa.Table) -> Table:
    def read(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        return iter(table.select(list(columns)).to_batches(max_chunksize=BATCH_ROWS))

    return Table("the table", tuple(table.column_names), table.num_rows, read)


def _of_iterator(batches: Iterator[Any]) -> Table:
    first = next(batches, None)
    if first is None or not hasattr(first, "schema"):
        raise InputTypeError("expected record batches of Arrow, got " + ("none" if first is None else repr(first)[:40]))

    def read(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        yield from _selected([first], columns)
        yield from _selected(batches, columns)

    return Table("the batches", tuple(first.schema.names), None, read)


def _selected(parts: Iterable[Any], columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    for part in parts:
        chosen = part.select(list(columns))
        yield from chosen.to_batches() if isinstance(chosen, pa.Table) else [chosen]


def _only(batch: pa.RecordBatch, where: Mapping[str, Any]) -> pa.RecordBatch:
    for column, value in where.items():
        batch = batch.filter(pc.equal(_as_text(batch.column(column)), str(value)))
    return batch


def _as_text(column: pa.Array) -> pa.Array:
    return column if pa.types.is_string(column.type) else pc.cast(column, pa.string())


def _ahead(batches: Iterator[Any]) -> Iterator[Any]:
    """Read the next batch in another thread while one is used."""
    with ThreadPoolExecutor(1) as reader:
        coming = reader.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = reader.submit(next, batches, None)
            yield batch


# Files -------------------------------------------------------------------------------------------------------------


def _files(path: str) -> list[str]:
    """The files that a path stands for: itself, those of a folder, or those of a glob."""
    if os.path.isdir(path):
        found = [os.path.join(folder, name) for folder, _, names in sorted(os.walk(path)) for name in sorted(names)]
        found = [file for file in found if _kind(file) and not os.path.basename(file).startswith((".", "_"))]
    else:
        found = sorted(glob.glob(path)) if not os.path.exists(path) and glob.has_magic(path) else [path]
    if not found:
        raise InputError(f"{path}: there are no tables ({', '.join(_READERS)})")
    return found


def _kind(path: str) -> str:
    ending = os.path.splitext(without_suffix(path))[1].lower()
    return ending if ending in _READERS else ""


def _of_files(name: str, files: Sequence[str]) -> Table:
    opened = [_open(file) for file in files]
    names = opened[0][0]
    for file, (others, _, _) in zip(files, opened, strict=True):
        if missing := [column for column in names if column not in others]:
            raise InputError(f"{file}: there is no column {missing[0]!r}, which {files[0]} has")
    rows = [number for _, number, _ in opened]

    def read(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for file, (_, _, read_file) in zip(files, opened, strict=True):
            with _naming(file):
                yield from read_file(columns)

    return Table(name, names, None if None in rows else sum(rows), read)  # type: ignore[arg-type]


Opened = tuple[tuple[str, ...], int | None, Callable[[Sequence[str]], Iterator[pa.RecordBatch]]]


def _open(path: str) -> Opened:
    kind = _kind(path)
    if not kind:
        raise InputError(f"{path}: expected a table ({', '.join(_READERS)}; text tables also compressed)")
    if not os.path.exists(path):
        raise InputError(f"{path}: no such file")
    with _naming(path):
        return _READERS[kind](path)


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Say which file cannot be read."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: cannot be read ({str(error).splitlines()[0]})") from None


def _parquet(path: str) -> Opened:
    from pyarrow.parquet import ParquetFile

    file = ParquetFile(path, pre_buffer=False)

    def read(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        return ParquetFile(path, pre_buffer=False).iter_batches(BATCH_ROWS, columns=list(columns), use_threads=False)  # type: ignore[no-any-return]

    return tuple(file.schema_arrow.names), file.metadata.num_rows, read


def _arrow(path: str) -> Opened:
    from pyarrow import ipc

    def reader() -> Any:
        source = pa.memory_map(path)
        try:
            return ipc.open_file(source)
        except pa.ArrowInvalid:
            source.seek(0)
            return ipc.open_stream(source)

    def read(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        found = reader()
        parts = (found.get_batch(i) for i in range(found.num_record_batches)) if hasattr(found, "get_batch") else found
        return _selected(parts, columns)

    return tuple(reader().schema.names), None, read


def _separated(delimiter: str) -> Callable[[str], Opened]:
    from pyarrow import csv

    def open_one(path: str) -> Opened:
        parsing = csv.ParseOptions(delimiter=delimiter, quote_char='"' if delimiter == "," else False, newlines_in_values=False)

        def reader(columns: Sequence[str] | None) -> Any:
            how = csv.ConvertOptions(
                include_columns=columns and list(columns),
                column_types=columns and dict.fromkeys(columns, pa.string()),
                strings_can_be_null=False,
            )
            return csv.open_csv(UnpackedFile(path), parse_options=parsing, convert_options=how)

        return tuple(reader(None).schema.names), None, reader

    return open_one


def _json_lines(path: str) -> Opened:
    from pyarrow import json

    def reader() -> Any:
        return json.open_json(UnpackedFile(path))

    return tuple(reader().schema.names), None, lambda columns: _selected(reader(), columns)


_READERS: dict[str, Callable[[str], Opened]] = {
    ".parquet": _parquet,
    ".arrow": _arrow,
    ".feather": _arrow,
    ".csv": _separated(","),
    ".tsv": _separated("\t"),
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
}
