"""Count the segments of one record batch of Arrow: which columns hold what, which group and bucket each row is in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .. import _native
from ..columns import in_core
from ..errors import InputError, SegmentError
from ..metrics.base import Metric
from ..metrics.shared_counts import segment_rows
from ..parameters import OrNone, Word, checked
from ..segments import References
from ..stats import Stats
from .group_sums import Group


@dataclass(frozen=True)
class Roles:
    """Which columns hold what: hypotheses, references, groups, and the key of a segment (None: its references)."""

    hyp: str
    refs: tuple[str, ...]
    by: tuple[str, ...] = ()
    key: str | None = None

    def __post_init__(self) -> None:
        checked("hyp", self.hyp, Word("the name of a column"))
        checked("key", self.key, OrNone(Word("the name of a column")))

    @property
    def columns(self) -> list[str]:
        """All of them, once each."""
        return list(dict.fromkeys([self.hyp, *self.refs, *self.by, *([self.key] if self.key else [])]))

    def named(self) -> Mapping[str, Sequence[str]]:
        """The columns by what they hold, for messages."""
        key = [] if self.key is None else [self.key]
        return {"hypotheses": [self.hyp], "references": self.refs, "groups": self.by, "the key of segments": key}


def count_batch(
    batch: pa.RecordBatch, roles: Roles, metrics: Sequence[Metric], rows: Sequence[int], *, threads: int | None = None
) -> list[Stats]:
    """Count the segments of a batch by each metric; `rows` are the numbers of its rows, for messages."""
    hyps, refs = _texts(batch, roles, roles.hyp, rows), references_of(batch, roles, rows)
    with naming_rows(batch, roles, rows):
        return segment_rows(metrics, hyps, refs, threads=threads)


def references_of(batch: pa.RecordBatch, roles: Roles, rows: Sequence[int]) -> References:
    """The references of a batch: texts or lists in one column, or texts side by side in several."""
    several = [_texts(batch, roles, name, rows, missing=len(roles.refs) > 1) for name in roles.refs]
    try:
        return References.unchecked(several[0] if len(several) == 1 else _native.Columns(several))
    except (TypeError, ValueError):
        raise InputError(f"columns {', '.join(roles.refs)}: expected a text in each row of each column") from None


def groups_of(batch: pa.RecordBatch, by: Sequence[str]) -> tuple[list[Group], NDArray[np.int64]]:
    """The groups of a batch, in the order in which they begin, and which of them each row belongs to."""
    codes, groups = np.zeros(batch.num_rows, dtype=np.int64), [()]  # type: NDArray[np.int64], list[Group]
    for name in by:
        encoded = as_text(batch.column(name), name).dictionary_encode(null_encoding="encode")
        values = encoded.dictionary.to_pylist()
        both = codes * max(len(values), 1) + encoded.indices.to_numpy(zero_copy_only=False)
        found, first, codes = np.unique(both, return_index=True, return_inverse=True)
        order = np.argsort(first)
        groups = [(*groups[cell // len(values)], values[cell % len(values)]) for cell in found[order].tolist()]
        codes = np.argsort(order)[codes]
    return groups, codes


def buckets_of(batch: pa.RecordBatch, roles: Roles, buckets: int, rows: Sequence[int]) -> NDArray[np.int64]:
    """The bucket of each row: a hash of its key, or where there is no key of its references."""
    hashes = np.zeros(batch.num_rows, dtype=np.uint64)
    for name in roles.refs if roles.key is None else [roles.key]:
        column = batch.column(name)
        cells = in_core(column) if roles.key is None else in_core(as_text(column, name))
        if cells is None or (roles.key is not None and (row := cells.first_null()) is not None):
            raise InputError(f"row {rows[row or 0]}: no value in column {name!r}, the key of segments")
        hashes = hashes * np.uint64(31) + np.asarray(cells.hashes())
    return (hashes % np.uint64(buckets)).astype(np.int64)


def as_text(column: pa.Array, name: str) -> pa.Array:
    """A column as text: numbers and dates as they are written."""
    if pa.types.is_string(column.type):
        return column
    try:
        return pc.cast(column, pa.string())
    except pa.ArrowException:
        raise InputError(f"column {name!r}: expected text or numbers, got {column.type}") from None


def _texts(
    batch: pa.RecordBatch, roles: Roles, name: str, rows: Sequence[int], missing: bool = False
) -> _native.Column:
    column = in_core(batch.column(name))
    if column is None:
        raise InputError(f"column {name!r}: expected text, lists of texts or token ids, got {batch.column(name).type}")
    row = column.first_null()
    if row is not None and not missing:
        where = _row(batch, roles, row, rows)
        raise InputError(f"{where}: no value in column {name!r}; an empty text is the empty string")
    return column


@contextmanager
def naming_rows(batch: pa.RecordBatch, roles: Roles, rows: Sequence[int]) -> Iterator[None]:
    """Name the row of the table, and its key, that a message about a segment of the batch means."""
    try:
        yield
    except SegmentError as error:
        raise _at(batch, roles, rows, error.segment, error.what, error.reason) from None
    except InputError as error:
        if found := re.match(r"(hypothesis|references of segment) (\d+): (.*)", str(error), re.DOTALL):
            raise _at(batch, roles, rows, int(found[2]), found[1], found[3]) from None
        number = re.compile(r"\b(?:segment|hypothesis) (\d+)")
        raise InputError(number.sub(lambda found: f"row {rows[int(found[1])]}", str(error))) from None
    except UnicodeDecodeError:  # where texts are read one by one
        for name in (name for name in (roles.hyp, *roles.refs) if name in batch.schema.names):
            for row in range(batch.num_rows):
                try:
                    batch.column(name)[row].as_py()
                except UnicodeDecodeError as error:
                    reason = f"not UTF-8 ({error.reason} at byte {error.start})"
                    raise InputError(f"{_row(batch, roles, row, rows)}: column {name!r}: {reason}") from None
        raise


def _at(batch: pa.RecordBatch, roles: Roles, rows: Sequence[int], row: int, what: str, reason: str) -> InputError:
    column = roles.hyp if what.startswith("hyp") else ", ".join(roles.refs)
    return InputError(f"{_row(batch, roles, row, rows)}: column {column!r}: {reason}")


def _row(batch: pa.RecordBatch, roles: Roles, row: int, rows: Sequence[int]) -> str:
    """What messages call a row of a batch: its number in the table, its group and key, as far as the batch has them."""
    names = [name for name in (*roles.by, roles.key) if name in batch.schema.names]
    where = ", ".join(f"{name} {batch.column(name)[row].as_py()}" for name in names)
    return f"row {rows[row]}" + (f" ({where})" if where else "")
