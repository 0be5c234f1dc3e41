"""How much of the CPU time goes into reading the clock, which is how long work knows when to look for Ctrl-C.

Linux's `perf` samples each metric while it scores segments, and pairs of a list.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import table
import texts
from measure import output
from table import Options, Row

import tricolore

SECONDS = 1.0  #: how long each metric is sampled at least
CLOCK = re.compile(r"^\s*([\d.]+)%.*(?:clock|vdso)", re.IGNORECASE)


def measure(options: Options) -> Iterator[Row]:
    """The metrics that read the clock most."""
    if shutil.which("perf") is None:
        raise RuntimeError("perf is not installed, so nobody knows what the clock takes")
    for work in ("segments", "pairwise"):
        names = [metric.name for metric in tricolore.expand("all")]
        shares = {name: clock_share(name, work) for name in dict.fromkeys(names)}
        most = max(shares, key=lambda name: shares[name])
        question = f"CPU in the clock, {work}, most of {len(shares)} metrics"
        yield Row(question, shares[most], None, "%", 2, limit=True, note=most)


def clock_share(metric: str, work: str) -> float:
    """Sample a process that scores; return the percentage of samples in functions of the clock."""
    with tempfile.TemporaryDirectory() as folder:
        data = str(Path(folder) / "perf.data")
        child = [sys.executable, __file__, "--child", metric, work]
        output(["perf", "record", "-q", "-F", "999", "-e", "cpu-clock", "-o", data, "--", *child])
        report = output(["perf", "report", "-i", data, "--stdio", "--no-children", "--sort", "dso,symbol"])
    return sum(float(found.group(1)) for line in report.splitlines() if (found := CLOCK.match(line)))


def child(metric: str, work: str) -> None:
    """Score for a while."""
    made: Any = tricolore.metric(metric).for_segments
    corpus = texts.english_like(200, references=1)
    refs = [ref for (ref,) in corpus.refs]
    run: Callable[[], Any]
    if work == "segments":
        run = lambda: made.segments(corpus.hyps, refs, threads=1)  # noqa: E731
    else:
        run = lambda: made.pairwise(corpus.hyps[:100], refs[:100], threads=1)  # noqa: E731
    began = time.process_time()
    while time.process_time() - began < SECONDS:
        run()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:])
    else:
        table.main(measure, __doc__)
