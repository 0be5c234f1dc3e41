"""How things are measured: the least CPU time of several repeats, and the most memory above the input."""

from __future__ import annotations

import contextlib
import gc
import json
import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Run = Callable[[], Any]
Clock = Callable[[], float]

#: What is short is disturbed more: ours is run so often in each repeat, and so is a peer that takes less than SHORT
#: seconds.
OURS_PER_REPEAT = 3
SHORT = 0.1
#: Scores that differ by no more than this are the same.
TOLERANCE = 1e-9


def timed(run: Run, clock: Clock = time.process_time) -> tuple[float, Any]:
    """Run once; return the seconds and the result."""
    gc.collect()
    return clocked(run, clock)


def clocked(run: Run, clock: Clock = time.process_time) -> tuple[float, Any]:
    """The same without collecting garbage first, after which every cache is cold."""
    start = clock()
    result = run()
    return clock() - start, result


def least(run: Run, repeats: int, clock: Clock = time.process_time) -> float:
    """Return the least time of several repeats."""
    return min(timed(run, clock)[0] for _ in range(repeats))


def alternate(
    ours: Run, peer: Run, repeats: int, before_peer: Callable[[], None] | None = None
) -> tuple[float, float, bool]:
    """Run both in turns; return the least time of each, and whether they always computed the same scores.

    `before_peer` is run, not timed, before each run of the peer.
    """
    ours_times, peer_times, agree = [], [], True
    for _ in range(repeats):
        gc.collect()
        for _ in range(OURS_PER_REPEAT):
            seconds, our_scores = clocked(ours)
            ours_times.append(seconds)
        gc.collect()
        for _ in range(OURS_PER_REPEAT):
            if before_peer:
                before_peer()
            seconds, peer_scores = clocked(peer)
            peer_times.append(seconds)
            if seconds > SHORT:
                break
        agree = agree and same(our_scores, peer_scores)
    return min(ours_times), min(peer_times), agree


def same(a: Any, b: Any) -> bool:
    """Whether two numbers, or two lists of numbers, are the same to 1e-9."""
    if isinstance(a, Iterable):
        return len(a) == len(b) and all(map(same, a, b))
    return math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def peak_memory() -> float:
    """Return the most memory this process has ever had resident, in MB."""
    # On Linux ru_maxrss starts from what the parent had when it started this process; VmHWM does not.
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 2**20 if sys.platform == "darwin" else most / 1024


def forget_peak() -> None:
    """Let the peak start again from what is resident now, where the system can do that (Linux)."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


# Packages are installed with their bytecode; an editable install writes it when it is first run.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def child_cpu(command: list[str], repeats: int) -> float:
    """Return the least CPU time, user and system, of a command and its children."""
    return min(_child_cpu_once(command) for _ in range(repeats))


def _child_cpu_once(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@dataclass(frozen=True)
class Usage:
    """What a command took, with all its threads: seconds of CPU time and on the clock, and MB resident at the most."""

    cpu: float
    wall: float
    memory: float


#: The memory of a child begins with that of its parent, so a small parent starts it.
_MEASURED = """
import json, os, resource, subprocess, sys, time
began = time.perf_counter()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(child.pid, 0)
scale = 2**20 if sys.platform == "darwin" else 2**10
print(json.dumps([used.ru_utime + used.ru_stime, time.perf_counter() - began, used.ru_maxrss / scale, status]))
"""


def child_usage(command: list[str], repeats: int) -> Usage:
    """Return the least time of several runs of a command, and the most memory."""
    found = []
    for _ in range(repeats):
        *usage, status = json.loads(output([sys.executable, "-c", _MEASURED, *command]))
        if status:
            raise RuntimeError(f"{' '.join(command[:3])} ... failed")
        found.append(usage)
    cpu, wall, memory = zip(*found, strict=True)
    return Usage(min(cpu), min(wall), max(memory))


def output(command: list[str]) -> str:
    """Return what a command prints; its errors are shown if it fails."""
    done = subprocess.run(command, check=False, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:3])} ... failed: {done.stderr.strip()[-500:]}")
    return done.stdout
