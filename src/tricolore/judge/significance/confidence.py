"""A score with its interval, and what stands beside scores in a table: intervals, p-values, items of signatures."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from ...errors import InputError
from ...results import Page, Result, defined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ...scores import ScoreTests
    from ...scoring import Score
    from ...types import Record
    from .interval import Interval

#: The level of intervals beside scores.
SCORE_LEVEL = 0.95


@dataclass(frozen=True, repr=False)
class Confidence(Result):
    """A score with its bootstrap confidence interval, over resamples of the segments.

    `low` to `high` is the middle 95 % (`level`) of the resampled scores, `mean` and `deviation` are their mean and
    standard deviation, and `half_width` is the value after ±. Values are on the metric's own scale; printing applies
    the display scale of the score.
    """

    score: Score
    interval: Interval
    level: float
    signature: str
    notes: tuple[str, ...] = ()  #: the caution, where segments are few

    low = property(attrgetter("interval.low"), doc="The lower end of the interval.")
    high = property(attrgetter("interval.high"), doc="The upper end of the interval.")
    mean = property(attrgetter("interval.mean"), doc="The mean of the resampled scores.")
    deviation = property(attrgetter("interval.deviation"), doc="The standard deviation of the resampled scores.")
    half_width = property(attrgetter("interval.half_width"), doc="Half of the interval's width.")

    def __float__(self) -> float:
        return float(self.score)

    def __repr__(self) -> str:
        return self.line()

    __str__ = __repr__

    def line(self, width: int | None = None) -> str:
        """Name, points and interval on one line."""
        digits = self.score.metric.display_digits + 1 if width is None else width
        return f"{self.score.metric.title} = {self.score.display(digits)} ({self.shown(digits)})"

    def to_dict(self) -> dict[str, Any]:
        scale = self.score.metric.display_scale
        names = ("low", "high", "mean", "half_width", "deviation")
        found = {name: defined(getattr(self, name), scale) for name in names}
        return {"metric": self.score.metric.spec, "score": self.score.points, **found, "level": self.level,
                "scale": scale, "signature": self.signature, "notes": [*self.notes]}  # fmt: skip

    def facts(self) -> Mapping[str, Sequence[Record]]:
        found = self.to_dict()
        del found["notes"]
        return {"intervals": [found]}

    def page(self, width: int | None = None) -> Page:
        return Page(notes=self.notes, lines=[self.line(width)], signatures=[self.signature])

    def shown(self, digits: int, compat: str | None = None) -> str:
        """Mean and interval as printed; `compat='sacrebleu'` omits the ends of the interval, as sacreBLEU does."""
        scale = self.score.metric.display_scale
        mean, half, low, high = (f"{x * scale:.{digits}f}" for x in (self.mean, self.half_width, self.low, self.high))
        if compat == "sacrebleu":
            return f"μ = {mean} ± {half}"
        return f"μ = {mean} ± {half}, {100 * self.level:g} % in {low} to {high}"


@dataclass(frozen=True)
class Tested:
    """The interval and p-value of a score, and the items that they add to the signature."""

    confidence: Confidence | None
    p_value: float | None  #: None for the baseline
    items: Mapping[str, Any]


def signature_items(how: ScoreTests, exact: bool) -> dict[str, Any]:
    """The signature's items for intervals and tests, under sacreBLEU's names if it has them."""
    items: dict[str, Any] = {"test": "bs"} if how.test == "bs" else {}
    if how.intervals:
        items["bs"] = how.resamples
    if how.test == "ar":
        items["ar"] = "exact" if exact else how.shuffles
    items["seed"] = how.seed
    if how.compat:
        items["compat"] = how.compat
    elif how.intervals:
        items["level"] = SCORE_LEVEL
    return items


def check_resampled(number: int, least: int = 2) -> None:
    """Reject a single segment: all its resamples are the same, and so are its shuffles."""
    if number < least:
        raise InputError(f"there is nothing to resample: expected {least} segments or more, got {number or 'none'}")
