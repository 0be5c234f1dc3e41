"""The candidates chosen by weights, a metric or minimum Bayes risk, and their scores against references."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import InputError, SpecError
from ..metrics import expand
from ..metrics.base import Metric
from ..parameters import OrNone, Whole
from ..results import Page, Result, Table, decimal
from ..scoring import Score, with_items
from ..segments import References
from ..types import Record

#: A limit on candidates, sources or rounds; None: no limit.
LIMIT = OrNone(Whole(1, 1_000_000_000))


@dataclass(frozen=True)
class Chosen:
    """The candidate chosen for a source."""

    source: int  #: numbered from 0
    text: str
    score: float  #: by which it was chosen; in points if by a metric

    def line(self) -> str:
        """The text, which must be one line."""
        if "\n" in self.text or "\r" in self.text:
            raise InputError(f"source {self.source}: the translation contains a line break; expected one line")
        return self.text


@dataclass(frozen=True)
class Scored:
    """The corpus score of chosen texts, and how they were chosen."""

    what: str  #: such as oracle, or first
    score: Score
    items: Mapping[str, Any]

    @property
    def signature(self) -> str:
        """The metric's signature, and how the texts were chosen."""
        return with_items(self.score.signature, self.items)

    def line(self, width: int | None = None) -> str:
        """The score and its signature in one line."""
        shown = self.score.display(self.score.metric.display_digits if width is None else width)
        return f"{self.what}: {self.signature} = {shown} {self.score.verbose}".rstrip()


@dataclass(frozen=True, eq=False, repr=False)
class Choices(Result):
    """One text per source, in `texts`; `scores` are corpus scores, if there are references."""

    chosen: tuple[Chosen, ...]
    scores: tuple[Scored, ...] = ()
    notes: tuple[str, ...] = ()  #: warnings about the data
    digits: int = 6  #: of a score after the decimal point

    def __repr__(self) -> str:
        scores = ", ".join(f"{one.what} {one.score.metric.title} {one.score.display()}" for one in self.scores)
        return f"{type(self).__name__} of {len(self.chosen):,} sources{': ' if scores else ''}{scores}"

    @property
    def texts(self) -> list[str]:
        """The text chosen for each source."""
        return [one.text for one in self.chosen]

    def to_dict(self) -> dict[str, Any]:
        return {"choices": [], "scores": [], **self.facts(), "notes": [*self.notes]}

    def facts(self) -> Mapping[str, Sequence[Record]]:
        """`choices`: one record per source; `scores`: one per corpus score, if there are references."""
        choices = [{"source": one.source, "text": one.text, "score": one.score} for one in self.chosen]
        scores = [
            {"chosen": one.what, "metric": one.score.metric.spec, "score": one.score.points}
            | {"value": one.score.value, "signature": one.signature}
            for one in self.scores
        ]
        return {"choices": choices, **({"scores": scores} if scores else {})}

    def page(self, width: int | None = None) -> Page:
        digits = self.digits if width is None else width
        rows = [[one.text, str(one.source), decimal(one.score, digits)] for one in self.chosen]
        return Page([Table(["text", "source", "score"], rows)], [*self.notes], self.summary(width))

    def summary(self, width: int | None = None) -> list[str]:
        """How the texts were chosen, and their scores, in lines."""
        return [one.line(width) for one in self.scores]


def scored_by(
    metrics: Sequence[Metric],
    references: References | None,
    texts: Mapping[str, tuple[Sequence[str], Mapping[str, Any]]],
    threads: int | None = None,
) -> tuple[Scored, ...]:
    """The corpus scores of several lists of texts, by name, each with how it was chosen."""
    if references is None:
        return ()
    return tuple(
        Scored(what, one(some, references, threads=threads), items)
        for one in metrics
        for what, (some, items) in texts.items()
    )


def no_progress(stage: str) -> Callable[[int, int], None]:
    """The default for `progress`: report nothing."""
    return lambda done, total: None


def ignored(one: Any) -> None:
    """The default for callbacks: do nothing."""


def metrics_of(metric: str | Metric | Sequence[str | Metric]) -> list[Metric]:
    """The metrics of one or several specs."""
    return expand(*(metric if isinstance(metric, list | tuple) else [metric]))


def judge_of(metric: str | Metric | Sequence[str | Metric]) -> Metric:
    """The single metric to choose by; higher or lower must be better."""
    metrics = metrics_of(metric)
    if len(metrics) != 1:
        raise SpecError(f"metrics: expected one metric to choose by; got {len(metrics)}")
    check_quality(metrics)
    return metrics[0]


def check_quality(metrics: Sequence[Metric]) -> None:
    """Reject metrics of which neither higher nor lower is better."""
    for one in metrics:
        if not one.tells_quality:
            raise SpecError(f"{one.spec}: neither higher nor lower is better; choose by another metric")


def reject(given: Mapping[str, Any], names: Iterable[str], because: str) -> None:
    """Reject parameters that were given and do not apply."""
    for name in names:
        if given.get(name):
            raise SpecError(f"{name}: {because}")
