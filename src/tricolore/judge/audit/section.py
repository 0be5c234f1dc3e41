"""What the sections of an audit have in common: verdicts, tables, facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from ...results import Table, decimal
from ...types import Record

#: Characters of a text that tables show; JSON has all of it.
SHOWN = 72

#: Differences up to this are rounding errors, whatever the unit.
TINY = 1e-12


@dataclass(frozen=True)
class Verdict:
    """Whether a metric has a property; `holds` is None where there is only a number."""

    metric: str
    property: str  #: a column of the summary
    holds: bool | None
    number: float
    shown: str  #: the number for people
    sentence: str  #: the verdict in plain words


def mark(verdict: Verdict) -> str:
    """A verdict as a cell of the summary."""
    sign = "" if verdict.holds is None else "✓" if verdict.holds else "✗"
    return f"{sign} {verdict.shown}".strip() or "–"


@dataclass(frozen=True, eq=False)
class Section:
    """A part of an audit. Its fields are frozen dataclasses and plain values, which `to_dict` gives as they are."""

    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...] = ()

    name = ""
    title = ""

    def to_dict(self) -> dict[str, Any]:
        """Everything in full precision, under the names of the fields."""
        return {one.name: plain(getattr(self, one.name)) for one in fields(self) if one.name != "digits"}

    def facts(self) -> Mapping[str, Sequence[Record]]:
        """Tidy records by kind."""
        return {}

    def tables(self, width: int | None) -> list[Table]:
        """Tables for people."""
        return []

    def verdict_table(self) -> Table:
        """The verdicts, a sentence each."""
        rows = [[one.metric, one.property, mark(one), one.sentence] for one in self.verdicts]
        return Table(("Metric", "Property", "Result", "Verdict"), rows, heading=self.title, left=4)


def records(items: Sequence[Any]) -> list[Record]:
    """Dataclasses as records; what is nested in them is left out."""
    return [{key: value for key, value in plain(one).items() if not isinstance(value, list | dict)} for one in items]


def plain(value: Any) -> Any:
    """A value as JSON has it: dataclasses as objects, tuples as lists, what is not finite as None."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value + 0.0 if np.isfinite(value) else None
    return value


def clipped(text: str) -> str:
    """A text short enough for a table.

    >>> clipped("word " * 30)[-9:]
    'd word w…'
    """
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def several(number: int, noun: str) -> str:
    """A number of things.

    >>> several(1, "segment"), several(2000, "segment")
    ('1 segment', '2,000 segments')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def signed(value: float, digits: int) -> str:
    """A difference for people, with its sign; one that is more than a rounding error is not shown as 0.

    >>> signed(1.26, 1), signed(0.0032, 2), signed(-3e-7, 2), signed(1e-16, 2)
    ('+1.3', '+0.003', '-3e-07', '0.00')
    """
    return f"{value:+.1g}" if TINY < abs(value) < 0.5 * 10**-digits else decimal(value, digits, "+")


def percent(share: float, digits: int = 0) -> str:
    """A share in percent; one above 0 is not shown as 0.

    >>> percent(0.07), percent(0.005, 1), percent(0.0001, 1), percent(0.0)
    ('7 %', '0.5 %', '<0.1 %', '0 %')
    """
    text = f"{100 * share:.{digits}f}"
    return f"<{10**-digits:g} %" if share > 0 and float(text) == 0 else f"{text} %"
