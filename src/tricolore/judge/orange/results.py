"""The result of ORANGE: a table of metrics, the rank of every source, and the curve over the length of the lists."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...errors import unknown
from ...results import Page, Result, Table, decimal, defined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ...metrics.base import Metric
    from ...types import Record
    from .curve import Curve
    from .metric_pairs import MetricPair


@dataclass(frozen=True, eq=False)
class MetricOrange:
    """ORANGE of one metric; lower is better."""

    metric: Metric
    orange: float  #: from 0 to 1; printed in percent
    average_rank: float
    interval: tuple[float, float]  #: of the average rank; nan for a single source
    orange_interval: tuple[float, float]  #: of ORANGE
    sources: NDArray[np.int64]  #: which sources were judged, numbered from 0
    ranks: NDArray[np.float64]  #: the rank of each source
    sizes: NDArray[np.int64]  #: the number of candidates of each source
    verdict: str  #: best, not shown worse, worse; or unknown without an interval
    level: float  #: of the intervals
    metric_signature: str
    judged: str  #: the part of the signature that describes the judgement
    curve: Curve | None = None

    @property
    def signature(self) -> str:
        """Everything needed to reproduce these numbers, in one line."""
        metric, key, version = self.metric_signature.rpartition("|version:")
        return f"{metric}|{self.judged}{key}{version}"

    def __repr__(self) -> str:
        low, high = self.interval
        return (
            f"{self.metric.title}: ORANGE = {100 * self.orange:.2f} % "
            f"(average rank {self.average_rank:.1f}, {low:.1f} to {high:.1f}, {self.verdict})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class Orange(Result):
    """ORANGE of several metrics, in the order given; `found["rouge-l"].orange` is one of them."""

    asked: tuple[str, ...]  #: the metrics as they were typed
    metrics: tuple[MetricOrange, ...]
    pairs: tuple[MetricPair, ...] = ()  #: the paired tests, if asked for; metrics are numbers in `metrics`

    printed_facts = ("metrics",)

    def __len__(self) -> int:
        return len(self.metrics)

    def __iter__(self) -> Iterator[MetricOrange]:
        return iter(self.metrics)

    def __getitem__(self, key: int | str) -> MetricOrange:
        if isinstance(key, int):
            return self.metrics[key]
        made = self.metrics
        for names in (self.asked, [one.metric.spec for one in made], [one.metric.title for one in made]):
            if list(names).count(key) == 1:
                return made[list(names).index(key)]
        raise unknown("metric", key, self.asked)

    def __repr__(self) -> str:
        best = min(self, key=lambda one: one.orange)
        return f"Orange of {len(self)} metrics on {len(best.sources)} sources; the best is {best}"

    def sorted(self) -> Orange:
        """The same, the best metric first."""
        order = sorted(range(len(self)), key=lambda i: self.metrics[i].orange)
        place = {i: k for k, i in enumerate(order)}
        pairs = sorted(
            (replace(one, better=place[one.better], worse=place[one.worse]) for one in self.pairs),
            key=lambda one: (one.better, one.worse),
        )
        return Orange(tuple(self.asked[i] for i in order), tuple(self.metrics[i] for i in order), tuple(pairs))

    def title(self, one: MetricOrange) -> str:
        """The title of a metric, or its spec if another has the same title."""
        return one.metric.title_among([other.metric for other in self])

    def to_dict(self) -> dict[str, Any]:
        """Everything except the ranks; ORANGE in percent, as printed."""
        return {
            "metrics": [
                {
                    "name": self.title(one),
                    "metric": one.metric.spec,
                    "orange": defined(one.orange, 100),
                    "average_rank": defined(one.average_rank),
                    "interval": [*map(defined, one.interval)],
                    "orange_interval": [defined(x, 100) for x in one.orange_interval],
                    "level": one.level,
                    "verdict": one.verdict,
                    "sources": len(one.sources),
                    "signature": one.signature,
                }
                for one in self
            ],
            **({"pairs": [*self.tests()]} if self.pairs else {}),
        }

    def to_json(self) -> Any:
        """A list of metrics; with the paired tests, both lists by name."""
        found = self.to_dict()
        return found if self.pairs else found["metrics"]

    def tests(self) -> Iterator[Record]:
        """The paired tests between any two metrics, if asked for; differences in percent, as printed."""
        for one in self.pairs:
            better, worse = (self.metrics[i].metric.spec for i in (one.better, one.worse))
            about = {"better": better, "worse": worse, "difference": 100 * one.difference}
            yield {**about, "p": one.p, "p_holm": one.p_adjusted, "signature": self[0].judged}

    def facts(self) -> Mapping[str, Sequence[Record]]:
        """`metrics`, `pairs` (paired tests), `ranks` (a record per metric and source) and `curve` (per point)."""
        metrics = []
        for found in self.to_dict()["metrics"]:
            (low, high), (orange_low, orange_high) = found.pop("interval"), found.pop("orange_interval")
            signature = found.pop("signature")
            spread = {"rank_low": low, "rank_high": high, "orange_low": orange_low, "orange_high": orange_high}
            metrics.append({**found, **spread, "signature": signature})
        return {"metrics": metrics, "pairs": [*self.tests()], "ranks": [*self.ranks()], "curve": [*self.curve()]}

    def ranks(self) -> Iterator[Record]:
        """The rank of every source by every metric; sources are numbered from 0."""
        for one in self:
            for source, rank, size in zip(one.sources.tolist(), one.ranks.tolist(), one.sizes.tolist(), strict=True):
                about = {"metric": one.metric.spec, "source": source, "rank": rank, "candidates": size}
                yield {**about, "orange": 100 * rank / (size + 1), "signature": one.signature}

    def curve(self) -> Iterator[Record]:
        """Every point of every curve, if there are curves."""
        for one in self:
            if one.curve is not None:
                for n, orange, rank in zip(one.curve.n, one.curve.orange, one.curve.average_rank, strict=True):
                    values = {"n": int(n), "orange": 100 * float(orange), "average_rank": float(rank)}
                    yield {"metric": one.metric.spec, **values, "signature": one.signature}

    def page(self, width: int | None = None) -> Page:
        level = f"{100 * self[0].level:g}"
        percent, places = (2, 1) if width is None else (width, width)
        rows = [
            [
                self.title(one),
                decimal(100 * one.orange, percent),
                *(decimal(x, places) for x in (one.average_rank, *one.interval)),
                one.verdict,
            ]
            for one in self
        ]
        header = ["Method", "ORANGE %", "Avg Rank", f"{level}%-CI-L", f"{level}%-CI-U", "Verdict"]
        best = {(i, 1) for i, one in enumerate(self) if one.verdict == "best"}
        # The signatures of the metrics, and the part that all have in common.
        signatures = [*dict.fromkeys(one.metric_signature for one in self), self[0].judged]
        tables = [Table(header, rows, best=best), *([self._tests_table(percent)] if self.pairs else [])]
        return Page(tables, self._notes(), signatures)

    def _tests_table(self, width: int) -> Table:
        alpha, rows = self._alpha, []
        for one in self.pairs:
            names = [self.title(self.metrics[i]) for i in (one.better, one.worse)]
            star = "*" if one.p_adjusted < alpha else " "
            rows.append(
                [*names, decimal(100 * one.difference, width, "+"), f"{one.p:.4f}", f"{one.p_adjusted:.4f}{star}"]
            )
        return Table(["Better", "Worse", "ORANGE %", "p", "p (Holm)"], rows)

    @property
    def _alpha(self) -> float:
        return round(1 - self[0].level, 12)

    def _notes(self) -> list[str]:
        first = self[0]
        low, high = first.sizes.min(), first.sizes.max()
        notes = ["Lower is better."]
        if len(first.sources) > 1 and len(self) > 1:
            pairs, level = len(self) * (len(self) - 1) // 2, f"{100 * first.level:g}"
            corrected = (
                f"by a paired test with Holm's correction for all {pairs} pairs of metrics, below {self._alpha:g}"
            )
            if "|verdict:interval" in first.judged:
                caution = "no correction: of many equally good metrics some are worse in most cases"
                notes[0] += f" Worse: outside the {level} % interval of the best ({caution})."
            else:
                notes[0] += f" Worse: worse than the best {corrected}."
            if self.pairs:
                notes.append(
                    "p: probability of a difference at least this large if two metrics swapped ranks at random, source "
                    f"by source. p (Holm): corrected for all {pairs} pairs; * below {self._alpha:g}."
                )
            least = re.search(r"swaps:(\d+)", first.judged)
            if least and pairs / (int(least[1]) + 1) >= self._alpha:
                notes.append(f"No p (Holm) can be below {self._alpha:g} with so few trials: nothing is worse.")
        if low != high:
            notes.append(
                f"Lists have {low} to {high} candidates; ORANGE and verdicts use each rank relative to its list."
            )
        return notes
