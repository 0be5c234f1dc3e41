"""Compare the figures of two commits, as `make bench` writes them: python benchmarks/compare.py A.json B.json.

The exit status is 1 if a figure of B is worse than A's by more than 5 %, or if a row of A is not in B.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from table import amount

FALL = 0.05  #: what may be noise

Figures = dict[str, dict[str, Any]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    given = parser.parse_args()
    sys.exit(compare(read(given.before), read(given.after)))


def read(path: Path) -> Figures:
    """The measured rows by name."""
    written = json.loads(path.read_text(encoding="utf-8"))
    print(f"{path}: commit {written['commit']}, Python {written['python']}, load {written['load']:.1f}")
    return {row["name"]: row for row in written["rows"] if row["figure"] is not None}


def compare(before: Figures, after: Figures) -> int:
    """Print the rows that both have, those that fell most first, and those that are gone."""
    gains = sorted((gain(row, after[name]), name) for name, row in before.items() if name in after)
    for change, name in gains:
        old, new = (amount(rows[name]["figure"], rows[name]["unit"]) for rows in (before, after))
        print(f"{name:78}  {old:>9}  {new:>9}  {change:+7.1%}{'  FELL' if change < -FALL else ''}")
    missing = [name for name in before if name not in after]
    for name in missing:
        print(f"{name:78}  is missing")
    fell = sum(change < -FALL for change, _ in gains)
    print(f"\n{len(gains)} rows, {fell} fell by more than {FALL:.0%}, {len(missing)} missing.")
    return int(bool(fell or missing))


def gain(before: dict[str, Any], after: dict[str, Any]) -> float:
    """How much better a figure became, as a fraction of what it was."""
    old, new = before["figure"], after["figure"]
    if before["better"] == "lower":
        old, new = new, old
    return new / old - 1 if old else 0.0


if __name__ == "__main__":
    main()
