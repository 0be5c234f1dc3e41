"""What is done of a long run over many files, kept so that an interrupted run can continue."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from ..errors import InputError, SpecError
from ..readers.batches import Part, Table, read_arrow
from ..writers import writing_bytes
from .group_sums import GroupSums

#: Where the file says what it is about.
ABOUT = b"tricolore"


@dataclass
class Checkpoint:
    """The parts of a table that are done, in a file beside their sums; without a file, nothing is kept."""

    path: str | None = None
    asked: Any = None  #: what the run was asked, which must be the same when it continues
    done: list[list[Any]] = field(default_factory=list)  #: of each part: file, size, time of its last change

    @classmethod
    def at(cls, path: str | os.PathLike[str] | None, source: Table, sums: GroupSums, asked: Any) -> Checkpoint:
        """Open a file; if there is one already, add its sums to `sums` and leave out what is done."""
        if path is None:
            return cls()
        if any(part.path is None for part in source.parts):
            raise SpecError("resume: only a run over files can be continued")
        counting = [one.counting(None, False) for one in sums.metrics]  # with what NIST has learnt
        found = cls(os.fspath(path), json.loads(json.dumps([asked, sums.buckets, counting], default=str)))
        if os.path.exists(found.path or ""):
            found._read(source, sums)
        return found

    def left(self, parts: Sequence[Part]) -> Sequence[Part]:
        """The parts that are not done."""
        return parts[len(self.done) :]

    def keep(self, part: Part, sums: GroupSums) -> None:
        """Take note that a part is done; the file changes as a whole or not at all."""
        if self.path is None:
            return
        self.done.append(_state(part))
        about = {"asked": self.asked, "done": self.done}
        table = sums.to_arrow().replace_schema_metadata({ABOUT: json.dumps(about)})
        with writing_bytes(self.path) as stream, pa.ipc.new_file(stream, table.schema) as writer:
            writer.write_table(table)

    def _read(self, source: Table, sums: GroupSums) -> None:
        assert self.path is not None
        table = read_arrow(self.path)
        try:
            about = json.loads((table.schema.metadata or {})[ABOUT])
        except (KeyError, ValueError):
            raise InputError(f"{self.path}: expected what resume=... has written, found another Arrow file") from None
        if about["asked"] != self.asked:
            raise InputError(f"{self.path}: belongs to a run with other metrics or columns; name another file")
        states = [_state(part) for part in source.parts]
        for old, new in zip(about["done"], [*states, *[["nothing"]] * len(about["done"])], strict=False):
            if old != new:
                raise InputError(f"{self.path}: {old[0]} has changed since, or is not the next file; name another file")
        self.done = about["done"]
        sums.merge(GroupSums.from_arrow(table, sums.metrics, sums.by, sums.buckets, sums.key))


def _state(part: Part) -> list[Any]:
    assert part.path is not None
    found = os.stat(part.path)
    return [os.path.abspath(part.path), found.st_size, found.st_mtime_ns]
