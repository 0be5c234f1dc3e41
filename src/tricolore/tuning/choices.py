"""What was chosen for each source, by weights, a metric or minimum Bayes risk, and how good it is beside references."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import InputError, SpecError
from ..judge.significance.intervals import with_items
from ..metrics import expand
from ..metrics.base import Metric
from ..results import Page, Result, Table, decimal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..results import Record
    from ..scoring import Score
    from ..segments import References


@dataclass(frozen=True)
class Chosen:
    """The choice for a source."""

    source: int  #: numbered from 0
    text: str
    score: float  #: what it was chosen for, in points where that is a metric

    def line(self) -> str:
        """The text, if it is one line; JSON can hold others."""
        if "\n" in self.text or "\r" in self.text:
            raise InputError(f"source {self.source}: the translation has a line break in it; expected one line")
        return self.text


@dataclass(frozen=True)
class Scored:
    """The corpus score of chosen texts, and how they were chosen."""

    what: str  #: such as oracle, or first
    score: Score
    items: Mapping[str, Any]

    @property
    def signature(self) -> str:
        """The metric's signature with how the texts were chosen."""
        return with_items(self.score.signature, self.items)

    def line(self, width: int | None = None) -> str:
        """All of it in a line."""
        shown = self.score.display(self.score.metric.display_digits if width is None else width)
        return f"{self.what}: {self.signature} = {shown} {self.score.verbose}".rstrip()


@dataclass(frozen=True, eq=False, repr=False)
class Choices(Result):
    """One text per source, in `texts`; `scores` has those of the corpus, where there are references."""

    chosen: tuple[Chosen, ...]
    scores: tuple[Scored, ...] = ()
    notes: tuple[str, ...] = ()  #: what to know about the data
    digits: int = 6  #: how many digits of a score people expect after the point

    def __repr__(self) -> str:
        scores = ", ".join(f"{one.what} {one.score.metric.title} {one.score.display()}" for one in self.scores)
        return f"{type(self).__name__} of {len(self.chosen):,} sources{': ' if scores else ''}{scores}"

    @property
    def texts(self) -> list[str]:
        """The text chosen for each source."""
        return [one.text for one in self.chosen]

    def to_dict(self) -> dict[str, Any]:
        return {"choices": self.facts()["choices"], "scores": self.facts().get("scores", []), "notes": [*self.notes]}

    def facts(self) -> Mapping[str, Sequence[Record]]:
        """`choices`: one record per source; `scores`: one per corpus score, if there are references."""
        choices = [{"source": one.source, "text": one.text, "score": one.score} for one in self.chosen]
        scores = [
            {
                "chosen": one.what,
                "metric": one.score.metric.spec,
                "score": one.score.points,
                "value": one.score.value,
                "signature": one.signature,
            }
            for one in self.scores
        ]
        return {"choices": choices, **({"scores": scores} if scores else {})}

    def page(self, width: int | None = None) -> Page:
        digits = self.digits if width is None else width
        rows = [[one.text, str(one.source), decimal(one.score, digits)] for one in self.chosen]
        return Page([Table(["text", "source", "score"], rows)], [*self.notes], self.summary(width))

    def summary(self, width: int | None = None) -> list[str]:
        """Lines that say how the texts were chosen and how good they are."""
        return [one.line(width) for one in self.scores]


def scored_by(
    metrics: Sequence[Metric],
    references: References | None,
    texts: Mapping[str, tuple[Sequence[str], Mapping[str, Any]]],
    threads: int | None = None,
) -> tuple[Scored, ...]:
    """The corpus scores of several lists of texts: by name, with how they were chosen."""
    if references is None:
        return ()
    return tuple(
        Scored(what, one(some, references, threads=threads), items)
        for one in metrics
        for what, (some, items) in texts.items()
    )


def no_progress(stage: str) -> Callable[[int, int], None]:
    """A stage that nobody watches."""
    return lambda done, total: None


def ignored(one: Any) -> None:
    """What nobody waits for."""


def metrics_of(metric: str | Metric | Sequence[str | Metric]) -> list[Metric]:
    """The metrics that some texts stand for."""
    return expand(*(metric if isinstance(metric, list | tuple) else [metric]))


def judge_of(metric: str | Metric | Sequence[str | Metric]) -> Metric:
    """The one metric that chooses; higher or lower must be better."""
    metrics = metrics_of(metric)
    if len(metrics) != 1:
        raise SpecError(f"metrics: one metric chooses; got {len(metrics)}")
    check_quality(metrics)
    return metrics[0]


def check_quality(metrics: Sequence[Metric]) -> None:
    """Reject metrics of which neither higher nor lower values are better."""
    for one in metrics:
        if not one.tells_quality:
            raise SpecError(f"{one.spec}: neither higher nor lower is better; choose by another metric")
