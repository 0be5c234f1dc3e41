"""One row a question, with a plain verdict."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from measure import OURS_PER_REPEAT

HEADINGS = ("question", "n", "ours", "peer", "ratio", "goal", "verdict")
WIDTHS = (60, 3, 8, 8, 7, 16, 0)
SIDES = "<>>>><<"


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
    """A question and its answer.

    With `limit`, `goal` is the most our own figure may be; else it is the least the ratio may be.
    """

    question: str
    ours: float | None = None
    peer: float | None = None
    unit: str = "s"  #: s or MB
    goal: float | None = None
    stretch: float | None = None
    limit: bool = False
    agree: bool | None = None  #: whether both sides computed the same score, where that was compared
    repeats: int = 1
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times faster, or smaller, ours is."""
        return self.peer / self.ours if self.ours and self.peer is not None else None

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
        figure = self.ours if self.limit else self.ratio
        if self.ours is None:
            return "not measured"
        if self.goal is None or figure is None:
            return "for information"
        if self.stretch is not None and self._meets(figure, self.stretch):
            return "stretch reached"
        return "reached" if self._meets(figure, self.goal) else "NOT reached"

    def _meets(self, figure: float, bound: float) -> bool:
        return figure <= bound if self.limit else figure >= bound

    def cells(self) -> tuple[str, ...]:
        """Write the row as it is printed."""
        ratio = "" if self.ratio is None else f"{self.ratio:.1f}x"
        return (
            self.question,
            str(self.repeats),
            figure(self.ours, self.unit),
            figure(self.peer, self.unit),
            ratio,
            self._goal_text(),
            self.verdict,
        )

    def _goal_text(self) -> str:
        if self.goal is None:
            return ""
        sign = "<=" if self.limit else ">="
        bounds = [self.goal] if self.stretch is None else [self.goal, self.stretch]
        words = [figure(bound, self.unit) if self.limit else f"{bound:g}x" for bound in bounds]
        return f"{sign} {words[0]}" + (f" ({words[1]})" if len(words) > 1 else "")

    def figures(self) -> dict[str, Any]:
        """Return the row for JSON."""
        return asdict(self) | {"ratio": self.ratio, "verdict": self.verdict}


def figure(value: float | None, unit: str) -> str:
    """Write a number with its unit, three digits."""
    if value is None:
        return ""
    if unit == "MB":
        return f"{value:.3g} MB" if value < 1000 else f"{value:.0f} MB"
    if value < 1e-3:
        return f"{1e6 * value:.3g} us"
    return f"{1e3 * value:.3g} ms" if value < 1 else f"{value:.3g} s"


def show(rows: Iterable[Row]) -> list[Row]:
    """Print rows as they come."""
    print(f"CPU time, one thread, least of n repeats (ours is run {OURS_PER_REPEAT} times in each),")
    print("sacreBLEU's caches emptied before each, scores compared to 1e-9 in each.")
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, machine maybe shared: trust ratios to one")
    print("figure. The peer is named after the slash; goals in brackets are stretch goals.\n")
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
        json_file.write_text(json.dumps([row.figures() for row in rows], indent=2) + "\n", encoding="utf-8")
    missed = [row for row in rows if "NOT reached" in row.verdict]
    print(f"\n{len(rows)} rows, {len(missed)} below their goal.")
    return int(any(row.agree is False for row in rows))


def main(measure: Callable[[Options], Iterator[Row]], description: str | None) -> None:
    """Run one script on its own."""
    given = parser(description).parse_args()
    sys.exit(finish(show(measure(options_of(given))), given.json))
