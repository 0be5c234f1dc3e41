"""Tables as Arrow record batches, however long: files, folders and globs of them, and tables in memory.

Rows are read batch by batch, and only the columns asked for, so that a table need not fit into memory.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..compression import without_suffix
from ..errors import InputError, InputTypeError, MissingExtraError, nearest
from .corpora import read_sgm, read_tmx, read_wmt_xml
from .files import UnpackedFile
from .texts import is_path

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ImportError:
    raise MissingExtraError("tables need pyarrow; pip install 'tricolore[parquet]'") from None

#: Rows of a batch: enough that counting takes longer than everything around it, and few enough to keep memory small.
BATCH_ROWS = 32_768
#: Bytes that text tables are read by: a row must fit.
BLOCK = 16 << 20

Read = Callable[[Sequence[str]], Iterator[pa.RecordBatch]]


class Batch(NamedTuple):
    """Some rows of a table, and the number of each in its part, from 1."""

    records: pa.RecordBatch
    rows: Sequence[int]


@dataclass(frozen=True)
class Part:
    """A part of a table, which is read as a whole: a file, or a table in memory."""

    name: str  #: what the part is called within the table: its path without folder and ending
    columns: tuple[str, ...]
    rows: int | None  #: how many there are, where that is known before they are read
    read: Read  #: batches of some columns
    path: str | None = None


@dataclass(frozen=True)
class Table:
    """A table to be read batch by batch."""

    name: str  #: what messages call it
    parts: Sequence[Part]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns."""
        return self.parts[0].columns

    @property
    def rows(self) -> int | None:
        """How many rows it has, where that is known before they are read."""
        known = [part.rows for part in self.parts if part.rows is not None]
        return sum(known) if len(known) == len(self.parts) else None

    def need(self, column: str, what: str) -> str:
        """A column that must be there; `what` is its role."""
        for part in self.parts:
            if column not in part.columns:
                hint = nearest(column, [*part.columns])
                raise InputError(
                    f"{part.path or self.name}: there is no column {column!r} for {what}{hint} "
                    f"(columns: {', '.join(part.columns)})"
                )
        return column

    def batches(self, columns: Sequence[str], where: Mapping[str, Any] | None = None) -> Iterator[Batch]:
        """Batches of these columns of all parts, of the rows that have these values."""
        for part in self.parts:
            yield from self.batches_of(part, columns, where)

    def batches_of(self, part: Part, columns: Sequence[str], where: Mapping[str, Any] | None = None) -> Iterator[Batch]:
        """Batches of one part; the next is read while one is used."""
        needed = list(dict.fromkeys([*columns, *(where or {})]))
        with self.naming(part):
            first = 1
            for whole in _ahead(part.read(needed)):
                batch = _only(Batch(whole, range(first, first + whole.num_rows)), where or {})
                first += whole.num_rows
                if batch.records.num_rows:
                    yield batch

    def naming(self, part: Part) -> AbstractContextManager[None]:
        """Say in messages which part cannot be read."""
        return _naming(part.path or self.name)


def open_table(source: Any) -> Table:
    """Open files (a path, a list of paths, a folder, a glob), or a table in memory."""
    if is_path(source):
        return _of_files(os.fspath(source), _files(os.fspath(source)))
    if isinstance(source, list | tuple) and source and all(map(is_path, source)):
        files = [file for one in source for file in _files(os.fspath(one))]
        more = f" and {len(files) - 1} more" if len(files) > 1 else ""
        return _of_files(f"{files[0][0]}{more}", files)
    if isinstance(source, Mapping):
        return _of_table(_arrow_table(source))
    if hasattr(source, "collect") and hasattr(source, "collect_schema"):  # a lazy frame of polars
        source = source.collect()
    if isinstance(source, pa.Table):
        return _of_table(source)
    if isinstance(source, pa.RecordBatchReader):
        once = _Once(source)
        return _in_memory(source.schema.names, None, lambda columns: _selected(once, columns))
    if hasattr(source, "__arrow_c_stream__"):
        # A query of DuckDB would be run once more to say how many rows it gives.
        sized = hasattr(source, "__len__") and "duckdb" not in type(source).__module__
        rows = len(source) if sized else None
        names = pa.RecordBatchReader.from_stream(source).schema.names
        return _in_memory(names, rows, lambda columns: _selected(pa.RecordBatchReader.from_stream(source), columns))
    if hasattr(source, "with_format") and hasattr(source, "iter"):  # datasets, also streamed
        batches = source.with_format("arrow")
        rows = len(source) if hasattr(source, "__len__") else None
        names = source.column_names or [*next(iter(source))]
        return _in_memory(names, rows, lambda columns: _selected(batches.iter(BATCH_ROWS), columns))
    if isinstance(source, Iterable) and not isinstance(source, str | bytes):
        return _of_iterator(iter(source))
    raise InputTypeError(f"expected a table or the name of a file, got {type(source).__name__}")


def _in_memory(names: Iterable[str], rows: int | None, read: Read) -> Table:
    return Table("the table", [Part("table", tuple(names), rows, read)])


def _arrow_table(columns: Mapping[str, Any]) -> pa.Table:
    try:
        return pa.table(dict(columns))
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise InputTypeError(f"the table cannot be read ({str(error).splitlines()[0]})") from None


def _of_table(table: pa.Table) -> Table:
    def read(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        return iter(table.select(list(columns)).to_batches(max_chunksize=BATCH_ROWS))

    return _in_memory(table.column_names, table.num_rows, read)


def _of_iterator(batches: Iterator[Any]) -> Table:
    first = next(batches, None)
    if first is None or not hasattr(first, "schema"):
        raise InputTypeError("expected record batches of Arrow, got " + ("none" if first is None else repr(first)[:40]))
    rest = _Once([first], batches)
    return _in_memory(first.schema.names, None, lambda columns: _selected(rest, columns))


class _Once:
    """Batches that can be read once; a second reading says why it cannot be."""

    def __init__(self, *parts: Iterable[Any]):
        self.parts: tuple[Iterable[Any], ...] | None = parts

    def __iter__(self) -> Iterator[Any]:
        if self.parts is None:
            raise InputError("the batches have been read; a metric that learns from references (NIST) reads them twice")
        parts, self.parts = self.parts, None
        for part in parts:
            yield from part


def _selected(parts: Iterable[Any], columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    for part in parts:
        chosen = part.select(list(columns))
        tables = chosen.to_batches() if isinstance(chosen, pa.Table) else [chosen]
        for batch in tables:
            for first in range(0, batch.num_rows, BATCH_ROWS):
                yield batch.slice(first, BATCH_ROWS)


def _only(batch: Batch, where: Mapping[str, Any]) -> Batch:
    records, rows = batch
    for column, value in where.items():
        values = [str(one) for one in (value if isinstance(value, list | tuple) else [value])]
        kept = pc.is_in(pc.cast(records.column(column), pa.string()), pa.array(values, pa.string()))
        records, rows = records.filter(kept), [rows[i] for i in pc.indices_nonzero(kept).to_pylist()]
    return Batch(records, rows)


def _ahead(batches: Iterator[Any]) -> Iterator[Any]:
    """Read the next batch in another thread while one is used."""
    with ThreadPoolExecutor(1) as reader:
        coming = reader.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = reader.submit(next, batches, None)
            yield batch


# Files -------------------------------------------------------------------------------------------------------------


def _files(path: str) -> list[tuple[str, str]]:
    """The files that a path stands for, each with its name within the table: itself, those of a folder or a glob."""
    found: list[tuple[str, str]] = []
    if os.path.isdir(path):
        for folder, _, names in sorted(os.walk(path)):
            found += [(file := os.path.join(folder, name), os.path.relpath(file, path)) for name in sorted(names)]
        found = [
            (file, name)
            for file, name in found
            if _kind(file) and not any(part.startswith((".", "_")) for part in name.split(os.sep))
        ]
    elif not os.path.exists(path) and glob.has_magic(path):
        found = [(file, os.path.basename(file)) for file in sorted(glob.glob(path, recursive=True))]
    else:
        found = [(path, os.path.basename(path))]
    if not found:
        raise InputError(f"{path}: there are no tables ({', '.join(_READERS)})")
    return found


def _kind(path: str) -> str:
    ending = os.path.splitext(without_suffix(path))[1].lower()
    return ending if ending in _READERS else ""


def _of_files(name: str, files: Sequence[tuple[str, str]]) -> Table:
    if len(files) > 1 and all(_kind(path) in (".sgm", ".sgml") for path, _ in files):  # of one test set
        return Table(name, [_open(files[0][0], files[0][1], lambda _: _whole(read_sgm)(*(path for path, _ in files)))])
    return Table(name, [_open(file, inner) for file, inner in files])


def _open(path: str, name: str, reader: Callable[[str], Opened] | None = None) -> Part:
    kind = _kind(path)
    if not kind:
        raise InputError(f"{path}: expected a table ({', '.join(_READERS)}; text tables also compressed)")
    if not os.path.exists(path):
        raise InputError(f"{path}: no such file")
    with _naming(path):
        columns, rows, read = (reader or _READERS[kind])(path)
    folders = dict(folder.split("=", 1) for folder in name.split(os.sep)[:-1] if "=" in folder)
    added = {key: value for key, value in folders.items() if key not in columns}
    inner = os.path.splitext(without_suffix(name))[0]
    return Part(inner, (*columns, *added), rows, _with_folders(read, added) if added else read, path)


def _with_folders(read: Read, added: Mapping[str, str]) -> Read:
    """Read a file of a partitioned table, whose folders (`system=A`) are columns, too."""

    def read_all(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for batch in read([name for name in columns if name not in added]):
            cells = [
                pa.repeat(pa.scalar(added[name]), batch.num_rows) if name in added else batch.column(name)
                for name in columns
            ]
            yield pa.RecordBatch.from_arrays(cells, names=list(columns))

    return read_all


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Say which file cannot be read."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: cannot be read ({str(error).splitlines()[0]})") from None
    except InputError as error:
        told = str(error)
        if not told.startswith(("row ", "column ")):
            raise
        raise InputError(f"{path}: {told}") from None


def read_arrow(path: str) -> pa.Table:
    """Read a whole Arrow file."""
    with _naming(path):
        return pa.ipc.open_file(pa.memory_map(path)).read_all()


Opened = tuple[tuple[str, ...], int | None, Read]


def _parquet(path: str) -> Opened:
    from pyarrow.parquet import ParquetFile

    file = ParquetFile(path, pre_buffer=False)

    def read(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        with ParquetFile(path, pre_buffer=False) as opened:
            for batch in opened.iter_batches(BATCH_ROWS, columns=list(columns), use_threads=False):
                yield batch.select(list(columns))

    with file:
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
    def open_one(path: str) -> Opened:
        from pyarrow import csv

        quotes = delimiter == ","  # in tab-separated text a quotation mark is a quotation mark
        parsing = csv.ParseOptions(delimiter=delimiter, quote_char='"' if quotes else False, newlines_in_values=quotes)

        def reader(columns: Sequence[str] | None) -> Any:
            how = csv.ConvertOptions(
                include_columns=columns and list(columns),
                column_types=columns and dict.fromkeys(columns, pa.string()),
                strings_can_be_null=False,
            )
            reading = csv.ReadOptions(block_size=BLOCK, use_threads=False)
            return csv.open_csv(UnpackedFile(path), reading, parsing, how)

        def read(columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
            found = _selected(reader(columns), columns)
            return found if quotes else _without_quotes(found)

        return tuple(reader(None).schema.names), None, read

    return open_one


def _without_quotes(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Refuse tab-separated cells quoted as in CSV, which other tools write: quotation marks would count as text."""
    rows = 0
    for batch in batches:
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            around = pc.and_(pc.starts_with(column, '"'), pc.ends_with(column, '"'))
            quoted = pc.and_(around, pc.match_substring(column, '""'))
            if (row := pc.index(quoted, True).as_py()) >= 0:
                raise InputError(
                    f"row {rows + row + 1}: column {name!r} is quoted as in CSV; in tab-separated text quotation marks "
                    "are text: write the table without quoting, or as CSV or Parquet"
                )
        rows += batch.num_rows
        yield batch


def _json_lines(path: str) -> Opened:
    from pyarrow import json

    def reader() -> Any:
        return json.open_json(UnpackedFile(path), json.ReadOptions(block_size=BLOCK, use_threads=False))

    return tuple(reader().schema.names), None, lambda columns: _selected(reader(), columns)


def _whole(read: Callable[..., dict[str, list[Any]]]) -> Callable[..., Opened]:
    """Formats that are read at once: mark-up of test sets."""

    def open_one(*paths: str) -> Opened:
        table = pa.table(read(*paths))
        return tuple(table.column_names), table.num_rows, lambda columns: _selected([table], columns)

    return open_one


_READERS: dict[str, Callable[[str], Opened]] = {
    ".parquet": _parquet,
    ".arrow": _arrow,
    ".feather": _arrow,
    ".csv": _separated(","),
    ".tsv": _separated("\t"),
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".sgm": _whole(read_sgm),
    ".sgml": _whole(read_sgm),
    ".xml": _whole(read_wmt_xml),
    ".tmx": _whole(read_tmx),
}
