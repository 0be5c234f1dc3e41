"""What came of rounds with a decoder: a round, and all rounds of a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..results import Table
from .task import shown_gain

if TYPE_CHECKING:
    from ..metrics.base import Metric
    from ..weights import Weights


@dataclass(frozen=True)
class Round:
    """What came of one round. Scores are negated where lower is better."""

    number: int  #: from 1
    weights: Weights = field(repr=False)  #: what the decoder was given
    decoded: float  #: the score of what it put first with those
    new: int  #: hypotheses that no earlier round had
    hypotheses: int  #: those of all rounds
    tuned: Weights | None = field(default=None, repr=False)  #: the weights found; none where they were not asked for
    score: float | None = None  #: of the tuned weights on the lists of all rounds
    held_out: float | None = None  #: the same on the lists held out
    change: float | None = None  #: of the weight that changed most
    warnings: tuple[str, ...] = ()
    was_there: bool = field(default=False, compare=False)  #: whether an earlier process had finished the round

    def line(self, report: Metric) -> str:
        """The round in a line."""
        parts = [f"round {self.number}: {report.title} {shown_gain(self.decoded, report)} decoded"]
        parts.append(f"{self.new:,} new hypotheses of {self.hypotheses:,}")
        if self.score is not None:
            parts.append(f"{shown_gain(self.score, report)} tuned")
        if self.change is not None:
            parts.append(f"largest change {self.change:.2g}")
        return ", ".join(parts) + (" (was there)" if self.was_there else "")


@dataclass(frozen=True)
class Outcome:
    """The answer, and how it came about."""

    weights: Weights
    rounds: tuple[Round, ...]
    chosen: Round  #: the round whose weights these are: those the decoder was given, or those found if it is the last
    reason: str  #: why it ended

    @property
    def warnings(self) -> tuple[str, ...]:
        """Those of all rounds, each once."""
        return tuple(dict.fromkeys(text for one in self.rounds for text in one.warnings))

    def table(self, report: Metric, heading: str = "") -> Table:
        """One row per round."""
        title = report.title
        header = ["Round", f"{title} decoded", f"{title} tuned", "new", "hypotheses", "largest change"]
        rows = [
            [
                f"{one.number}{' *' if one.number == self.chosen.number else ''}",
                shown_gain(one.decoded, report),
                "" if one.score is None else shown_gain(one.score, report),
                f"{one.new:,}",
                f"{one.hypotheses:,}",
                "" if one.change is None else f"{one.change:.2g}",
            ]
            for one in self.rounds
        ]
        return Table(header, rows, heading)
