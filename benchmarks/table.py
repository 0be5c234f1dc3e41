"""One row per question: the figure beside its bar and its goal, with a plain verdict; all rows as JSON."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measure import OURS_PER_REPEAT, SHORT

HEADINGS = ("what", "peer", "n", "ours", "peer's", "figure", "bar", "goal", "verdict")
WIDTHS = (58, 20, 3, 8, 8, 8, 10, 10, 0)
SIDES = "<<>>>>>><"


@dataclass(frozen=True)
class Options:
    """What the user asked for."""

    quick: bool = False
    peer: bool = False
    data: tuple[Path, ...] = ()
    hyp: Path | None = None

    def repeats(self, full: int) -> int:
        """How often to repeat: as often as is good, or just enough to have a look."""
        return min(full, 2) if self.quick else full


@dataclass(frozen=True)
class Row:
    """A question, `what / peer`, and its answer.

    The figure that is held against the bar, which must be reached, and the goal beyond it is the ratio of the peer's
    time (or memory) to ours, and more is better. With `limit` it is our own time or memory, and less is better.
    """

    question: str
    ours: float | None = None
    peer: float | None = None
    unit: str = "s"  #: s, MB or %
    bar: float | None = None
    goal: float | None = None
    limit: bool = False
    agree: bool | None = None  #: whether both sides computed the same score, where that was compared
    repeats: int = 1
    note: str = ""

    def __post_init__(self) -> None:
        if self.goal is not None and self.bar is None:
            raise TypeError(f"{self.question}: a goal needs a bar")

    @property
    def ratio(self) -> float | None:
        """How many times faster, or smaller, ours is."""
        return self.peer / self.ours if self.ours and self.peer is not None else None

    @property
    def figure(self) -> float | None:
        """What is held against the bar."""
        return self.ours if self.lower_is_better else self.ratio

    @property
    def lower_is_better(self) -> bool:
        """Whether our own time or memory is the figure."""
        return self.limit or self.peer is None

    @property
    def verdict(self) -> str:
        """Reached or not, in plain words."""
        if self.agree is False:
            return "SCORES DISAGREE"
        words = self._reached()
        if self.agree:
            words += ", same scores"
        return "; ".join(filter(None, (words, self.note)))

    def _reached(self) -> str:
        if self.figure is None:
            return "not measured"
        if self.bar is None:
            return "for information"
        if self.goal is not None and self._meets(self.goal):
            return "goal reached"
        return "bar reached" if self._meets(self.bar) else "NOT reached"

    def _meets(self, bound: float) -> bool:
        assert self.figure is not None
        return self.figure <= bound if self.lower_is_better else self.figure >= bound

    def cells(self) -> tuple[str, ...]:
        """Write the row as it is printed."""
        what, _, peer = self.question.partition(" / ")
        sign = "<= " if self.lower_is_better else ">= "
        bounds = (sign + self._figure_text(bound) if bound is not None else "" for bound in (self.bar, self.goal))
        both = (amount(value, self.unit) for value in (self.ours, self.peer))
        return (what, peer, str(self.repeats), *both, self._figure_text(self.figure), *bounds, self.verdict)

    def _figure_text(self, value: float | None) -> str:
        return amount(value, self.unit if self.lower_is_better else "x")

    def to_dict(self) -> dict[str, Any]:
        """Return the row for JSON."""
        return {
            "name": self.question,
            "unit": self.unit if self.lower_is_better else "x",
            "figure": self.figure,
            "bar": self.bar,
            "goal": self.goal,
            "better": "lower" if self.lower_is_better else "higher",
            "verdict": self.verdict,
            "ours": self.ours,
            "peer": self.peer,
            "agree": self.agree,
            "repeats": self.repeats,
        }


def amount(value: float | None, unit: str) -> str:
    """Write a number with its unit, three digits."""
    if value is None:
        return ""
    if unit == "x":
        return f"{value:.3g}x" if value < 1000 else f"{value:.0f}x"
    if unit != "s":
        return f"{value:.3g} {unit}" if value < 1000 else f"{value:.0f} {unit}"
    if value < 1e-3:
        return f"{1e6 * value:.3g} us"
    return f"{1e3 * value:.3g} ms" if value < 1 else f"{value:.3g} s"


def show(rows: Iterable[Row]) -> list[Row]:
    """Print rows as they come."""
    print(f"CPU time, one thread, least of n repeats ({OURS_PER_REPEAT} runs in each; one of a peer above {SHORT} s),")
    print("sacreBLEU's caches emptied before each, scores compared to 1e-9 in each.")
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}: on a shared")
    print("machine trust ratios to one figure. The figure is the ratio to the peer where there is one.\n")
    print(_line(HEADINGS))
    print(_line(["-" * (width or 7) for width in WIDTHS]))
    shown = []
    for row in rows:
        print(_line(row.cells()), flush=True)
        shown.append(row)
    return shown


def _line(cells: Iterable[str]) -> str:
    aligned = zip(cells, WIDTHS, SIDES, strict=True)
    return "  ".join(f"{cell:{side}{width}}" for cell, width, side in aligned).rstrip()


def parser(description: str | None) -> argparse.ArgumentParser:
    """Return the options that every script takes."""
    options = argparse.ArgumentParser(description=description)
    options.add_argument("--quick", action="store_true", help="fewer repeats, smaller texts")
    options.add_argument("--peer", action="store_true", help="measure the peer's memory too")
    options.add_argument("--data", nargs="+", type=Path, metavar="REF", default=[], help="real references")
    options.add_argument("--hyp", type=Path, metavar="HYP", help="the hypotheses that belong to --data")
    options.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    return options


def options_of(given: argparse.Namespace) -> Options:
    """Check and pack the options."""
    if bool(given.data) != bool(given.hyp):
        raise SystemExit("--data and --hyp go together")
    return Options(given.quick, given.peer, tuple(given.data), given.hyp)


def finish(rows: list[Row], json_file: Path | None) -> int:
    """Write the figures if asked to; the exit status is 1 only if scores disagree."""
    if json_file:
        json_file.parent.mkdir(parents=True, exist_ok=True)
        written = {"commit": commit(), **machine(), "rows": [row.to_dict() for row in rows]}
        json_file.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
        print(f"\nThe figures are in {json_file}.")
    missed = [row for row in rows if "NOT reached" in row.verdict]
    print(f"\n{len(rows)} rows, {len(missed)} below their bar.")
    return int(any(row.agree is False for row in rows))


def commit() -> str:
    """Return the short name of the commit that is measured, with `-dirty` where files differ from it."""
    asked = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--exclude=*"]
    try:
        return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def machine() -> dict[str, Any]:
    """What the figures depend on."""
    load = os.getloadavg()[0]
    return {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count(), "load": load}


def main(measure: Callable[[Options], Iterator[Row]], description: str | None) -> None:
    """Run one script on its own."""
    given = parser(description).parse_args()
    sys.exit(finish(show(measure(options_of(given))), given.json))
