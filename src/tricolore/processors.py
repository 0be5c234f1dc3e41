"""How many threads to use: the processors that this process is bound to, and no more than its control group may use.

A container is usually given a quota of processor time, not processors of its own: with 2 of 64 processors' worth of it,
64 threads would be stopped again and again until the next period begins. Quotas of Linux are read from the files of
control groups, version 2 (`cpu.max`) or 1 (`cpu.cfs_quota_us`, `cpu.cfs_period_us`).
"""

from __future__ import annotations

import math
import os
from functools import cache

from .errors import SpecError, shown
from .parameters import Whole
from .platforms import CONTROL_GROUPS, bound_processors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 1024


def worker_count(threads: int | None) -> int:
    """How many threads to use: as many as asked for; where that is None or 0, all processors that may be used."""
    try:
        return (0 if threads is None else Whole(0, MOST).check(threads)) or available()
    except ValueError:
        raise SpecError(
            f"threads must be a whole number from 0 (all cores) to {MOST:,}; got {shown(threads)}"
        ) from None


def available() -> int:
    """The processors that this process may use; one at least."""
    bound = bound_processors()
    return bound if bound == 1 else min(bound, own_quota() or bound)


@cache
def own_quota() -> int | None:
    """The quota of this process, read once: that takes longer than to score a segment."""
    return quota(*CONTROL_GROUPS)


def quota(groups: str, root: str) -> int | None:
    """The processors, rounded up, that the control groups of a process may use at a time; None without a limit.

    `groups` is the file that names them, `root` the folder where they are mounted. A limit of a group above holds, too.
    In a container the names may be those outside, and the folder the group's own: what is not there is passed over.
    """
    limits = [
        limit
        for base, path in _hierarchies(groups, root)
        for folder in _upwards(base, path)
        if (limit := _limit(folder)) is not None
    ]
    return max(1, math.ceil(min(limits))) if limits else None


def _hierarchies(groups: str, root: str) -> Iterator[tuple[str, str]]:
    """Where the control groups are that may limit processor time, and the path of the process's own below."""
    for line in _read(groups).splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number == "0" and not controllers:  # version 2, alone or beside version 1
            yield root, path
            yield os.path.join(root, "unified"), path
        elif "cpu" in controllers.split(","):
            for name in dict.fromkeys((controllers, "cpu")):
                yield os.path.join(root, name), path


def _upwards(base: str, path: str) -> Iterator[str]:
    parts = [part for part in path.split("/") if part not in ("", "..")]
    for length in range(len(parts), -1, -1):
        yield os.path.join(base, *parts[:length])


def _limit(folder: str) -> float | None:
    """The processors' worth of time that a control group may use; None without a limit."""
    words = _read(os.path.join(folder, "cpu.max")).split()
    if not words:
        words = [*_read(os.path.join(folder, "cpu.cfs_quota_us")).split()]
        words += _read(os.path.join(folder, "cpu.cfs_period_us")).split()
    try:
        time, period = map(int, words)
    except ValueError:  # max, or there is no such file
        return None
    return time / period if time > 0 and period > 0 else None


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
