"""What `correlate` returns: agreement of metrics with human ratings, tests between metrics, and straw men."""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import unknown
from ...results import Page, Result, Table, decimal, defined
from ...types import Record
from ..score_table import Column, ScoreTable
from .agreement import Agreement
from .join_scores import JoinedScores
from .measures import Measure
from .metric_tests import MetricComparison, MetricDifference
from .options import LEVELS, CorrelateOptions
from .value_notes import about_intervals, about_permutations

#: Digits after the point in tables.
WIDTH = 3

#: What a permutation test swaps.
SWAPPED = {"systems": "systems", "inputs": "segments", "both": "single scores"}


@dataclass(frozen=True)
class StrawMan:
    """A straw man by one metric: its score, and how many real systems score no better."""

    table: str
    system: str
    metric: str
    score: float  #: this and the next two are scaled as printed
    worst: float  #: the score of the worst real system
    best: float
    beaten: int  #: real systems that score no better
    systems: int  #: real systems in all


@dataclass(frozen=True, eq=False, repr=False)
class Correlation(Result):
    """Agreement of metrics with human ratings; see `correlate`.

    `agreements` holds a value with its interval for every metric and measure; `correlation["bleu", "system pearson"]`
    is one of them.
    """

    joined: JoinedScores  #: ratings and scores of the real systems
    agreements: tuple[Agreement, ...]  #: metric by metric, each by every measure
    options: CorrelateOptions
    comparisons: tuple[MetricComparison, ...] = ()  #: tests between metrics, by measure
    with_straw_men: tuple[Agreement, ...] = ()  #: in the order of the agreements
    straw_men: tuple[StrawMan, ...] = ()
    value_notes: tuple[str, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return self.joined.metrics

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, in order."""
        return tuple(dict.fromkeys(one.measure for one in self.agreements))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know about the data and the values."""
        return (*self.joined.notes, *self.value_notes)

    def __getitem__(self, key: tuple[str, str]) -> Agreement:
        found = {(one.metric, str(one.measure)): one for one in self.agreements}
        if key not in found:
            raise unknown("agreement", ", ".join(map(str, key)), [", ".join(known) for known in found])
        return found[key]

    def __repr__(self) -> str:
        systems = sum(len(table.systems) for table in self.joined.systems)
        return f"<Correlation of {', '.join(self.metrics)} with human ratings of {_counted(systems, 'system')}>"

    # For programs ------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Ratings, metrics, tables of system scores, agreements, and tests and straw men if there are any."""
        agreements = []
        for one, straw in zip(self.agreements, self._straw_values(), strict=True):
            record = {
                "metric": one.metric,
                **_place(one.measure),
                **self._numbers(one),
                **straw,
                "signature": one.signature,
            }
            if one.details:
                record["by_table"] = [
                    {"table": each.table, "value": defined(each.value), "points": each.points, "pairs": each.pairs}
                    for each in one.details
                ]
            agreements.append(record)
        found: dict[str, Any] = {
            "people": self.joined.human,
            "metrics": [_metric(column) for column in self.joined.systems[0].metrics],
            "tables": {level: [_table(table) for table in self.joined.tables(level)] for level in LEVELS},
            "agreements": agreements,
        }
        if self.comparisons:
            found["tests"] = [_comparison(one) for one in self.comparisons]
        if self.straw_men:
            found["straw_men"] = self.facts()["straw_men"]
        return {**found, "notes": [*self.notes]}

    def facts(self) -> Mapping[str, Sequence[Record]]:
        rows = []
        for one, straw in zip(self.agreements, self._straw_values(), strict=True):
            record = {
                **_place(one.measure),
                "metric": one.metric,
                **self._numbers(one),
                **straw,
                "signature": one.signature,
            }
            signature = _signature(self._column(one.measure.level, one.metric), one.measure.level)
            rows.append({**record, "metric_signature": signature, "human_signature": self.joined.human})
        found: dict[str, list[Record]] = {"agreements": rows}
        if self.comparisons:
            found["tests"] = [row for comparison in self.comparisons for row in _test_rows(comparison)]
        if self.straw_men:
            found["straw_men"] = [{**vars(one)} for one in self.straw_men]
        return found

    def _column(self, level: str, metric: str) -> Column:
        return self.joined.tables(level)[0].metric(metric)

    def _numbers(self, one: Agreement) -> Record:
        """The numbers of an agreement; epsilon is scaled as the scores of the metric are printed."""
        found: Record = {name: defined(getattr(one, name)) for name in ("value", "low", "high")}
        found["interval"] = one.interval or None
        found |= {
            name: defined(getattr(one, name)) for name in ("corrected", "human_reliability", "metric_reliability")
        }
        found |= {name: getattr(one, name) for name in ("groups", "undefined", "points", "pairs")}
        scale = self._column(one.measure.level, one.metric).scale
        return {**found, "epsilon": defined(one.epsilon, scale), "tied": defined(one.tied)}

    def _straw_values(self) -> Iterator[Record]:
        """How straw men change each agreement; empty without straw men."""
        if not self.with_straw_men:
            yield from ({} for _ in self.agreements)
        for one, other in zip(self.agreements, self.with_straw_men, strict=False):
            numbers = {"": other.value, "_low": other.low, "_high": other.high}
            values = {f"with_straw_men{name}": defined(value) for name, value in numbers.items()}
            yield {**values, "change": defined(other.value - one.value)}

    # For readers --------------------------------------------------------------------------------------------

    def page(self, width: int | None = None) -> Page:
        """Agreement by level, then straw men and tests; notes and signatures below."""
        digits = WIDTH if width is None else width
        tables = [self._agreements(level, digits) for level in self._levels]
        if self.straw_men:
            tables += [self._changes(level, digits) for level in self._levels]
            tables.append(self._straw_scores())
        for level in self._levels:
            found = [one for one in self.comparisons if one.measure.level == level]
            tables += [self._clusters(level, found), self._differences(level, found, digits)] if found else []
        return Page(tables, [*self._explanations(), *self.notes], [*dict.fromkeys(self._signatures())])

    @property
    def _levels(self) -> list[str]:
        return [level for level in LEVELS if any(measure.level == level for measure in self.measures)]

    def _rows(self, agreements: Sequence[Agreement], level: str) -> dict[str, list[Agreement]]:
        """The agreements of each metric at a level."""
        chosen = [one for one in agreements if one.measure.level == level]
        return {name: [one for one in chosen if one.metric == name] for name in self.metrics}

    def _agreements(self, level: str, digits: int) -> Table:
        """One row per metric, one column per measure."""
        found = self._rows(self.agreements, level)
        best = set()
        for c, column in enumerate(zip(*found.values(), strict=True), 1):
            values = [-math.inf if math.isnan(one.value) else one.value for one in column]
            if len(found) > 1 and max(values) > -math.inf:
                best |= {(r, c) for r, value in enumerate(values) if value == max(values)}
        rows = [[metric, *(_shown(one, digits) for one in row)] for metric, row in found.items()]
        return Table(self._header(level), rows, self._heading(level), best)

    def _header(self, level: str, first: str = "Metric") -> list[str]:
        groupings = {"": "", "pooled": ", pooled", "segment": ", by segment", "system": ", by system"}
        return [first, *(one.how.title + groupings[one.by] for one in self.measures if one.level == level)]

    def _heading(self, level: str) -> str:
        """The numbers of tables, systems, segments and ratings at a level."""
        found = self.joined.tables(level)
        parts = [f"{len(found):,} tables"] if len(found) > 1 else []
        parts.append(_counted(sum(len(table.systems) for table in found), "system"))
        if level == "segment" or all(len(table.segments) > 1 for table in found):
            parts.append(_counted(sum(len(table.segments) for table in found), "segment"))
        if level == "segment":
            rated = sum(int((~np.isnan(table.human.segments)).sum()) for table in found)
            parts.append(f"{rated:,} of {sum(table.human.segments.size for table in found):,} outputs rated")
        return f"{level.capitalize()} level: {', '.join(parts)}"

    def _changes(self, level: str, digits: int) -> Table:
        """Agreement without and with straw men."""
        before, after = self._rows(self.agreements, level), self._rows(self.with_straw_men, level)
        rows = [
            [metric, *(_change(*two, digits) for two in zip(before[metric], after[metric], strict=True))]
            for metric in self.metrics
        ]
        return Table(self._header(level), rows, f"{level.capitalize()} level, without and with straw men (change)")

    def _straw_scores(self) -> Table:
        """Scores of straw men by metric (and table), and how many real systems they beat, if any."""
        names = list(dict.fromkeys(one.system for one in self.straw_men))
        rows: dict[str, list[str]] = {}
        for one in self.straw_men:
            beaten = f" (not below {one.beaten} of {one.systems})" if one.beaten else ""
            name = f"{one.table}: {one.metric}" if one.table else one.metric
            rows.setdefault(name, []).append(f"{one.score:.2f}{beaten}")
            if one.system == names[-1]:
                rows[name] += [f"{one.worst:.2f}", f"{one.best:.2f}"]
        heading = "Scores of the straw men, and of the worst and best real system"
        return Table(["Metric", *names, "worst", "best"], [[name, *row] for name, row in rows.items()], heading)

    def _clusters(self, level: str, found: Sequence[MetricComparison]) -> Table:
        ranks = [
            {one.metric: str(rank or "–") for one, rank in zip(each.agreements, each.clusters, strict=True)}
            for each in found
        ]
        rows = [[metric, *(each[metric] for each in ranks)] for metric in self.metrics]
        heading = f"{level.capitalize()} level, clusters of metrics that do not differ significantly (1 is best)"
        return Table(self._header(level), rows, heading)

    def _differences(self, level: str, found: Sequence[MetricComparison], digits: int) -> Table:
        rows = [
            [f"{one} - {other}", *(_difference(each.difference(one, other), one, digits) for each in found)]
            for one, other in itertools.combinations(self.metrics, 2)
        ]
        heading = f"{level.capitalize()} level, differences (p-value; corrected for all pairs)"
        return Table(self._header(level, "Metrics"), rows, heading)

    def _explanations(self) -> Iterator[str]:
        """How to read the numbers."""
        segments = max((len(table.segments) for table in self.joined.segments), default=0)
        yield from about_intervals(self.agreements, self.options, segments)
        if self.comparisons:
            yield from self._about_tests()
        yield from self._groups_left_out()
        for measure in self.measures:
            ties = [one for one in self.agreements if one.measure == measure and not math.isnan(one.epsilon)]
            if ties:
                scales = [self._column(measure.level, one.metric).scale for one in ties]
                numbers = [
                    f"{one.epsilon * s:.4g} for {one.metric} ({one.tied:.0%} of pairs)"
                    for one, s in zip(ties, scales, strict=True)
                ]
                yield f"{measure}: differences count as ties up to {', '.join(numbers)}."

    def _about_tests(self) -> Iterator[str]:
        how = self.options
        over = {one.measure.level: one.over for one in self.comparisons}
        swapped = " and ".join(dict.fromkeys(SWAPPED.get(one, "") for one in over.values()))
        test = (
            "Williams' test" if how.test == "williams" else f"permutation test ({how.shuffles} shuffles of {swapped})"
        )
        yield (
            f"p: {test}, two-sided; corrected by Holm's method. No two metrics of a cluster differ with corrected p < "
            f"{how.alpha:g}."
        )
        if any(one.measure.by == "pooled" for one in self.comparisons):
            yield (
                "caution: pooled outputs of one segment are not independent: with 30 systems and 50 segments, swapping "
                "systems rejected 10 % of true null hypotheses at 0.05 in simulations, and Williams' test 12 %."
            )
        for level in over if how.test == "permutation" else ():
            one = next(one for one in self.comparisons if one.measure.level == level)
            yield from about_permutations(level, one.over, one.least_p, how.alpha, f"at {level} level")
        several = any(len(table.segments) > 1 for table in self.joined.systems)
        if how.test == "permutation" and over.get("system", "systems") != "systems" and several:
            yield (
                "At system level the test swaps segment scores and compares their means: if a metric scores systems "
                "in another way, p is about the difference of the means, not the difference shown."
            )

    def _groups_left_out(self) -> Iterator[str]:
        """The number of pairs that count, or of groups that have a value."""
        said: dict[str, list[str]] = {}
        for measure in self.measures:
            found = [one for one in self.agreements if one.measure == measure]
            total = found[0].groups + found[0].undefined
            if measure.how.adds_pairs:
                pairs = "pair" if all(one.pairs == 1 for one in found) else "pairs"
                text = f"{_alike([(one.pairs, one.metric) for one in found])} {pairs} not tied by annotators."
            elif any(one.undefined for one in found) and any(one.groups for one in found) and total > 1:
                what = {"segment": "segments", "system": "systems"}.get(measure.by, "tables")
                numbers = _alike([(one.groups, one.metric) for one in found])
                text = f"mean over {numbers} of {total:,} {what}; the others have no value."
            else:
                continue
            said.setdefault(text, []).append(str(measure))
        for text, measures in said.items():
            yield f"{', '.join(measures)}: {text}"

    def _signatures(self) -> Iterator[str]:
        yield self.joined.human
        columns = [(column, level) for level in self._levels for column in self.joined.tables(level)[0].metrics]
        yield from sorted(filter(None, (_signature(*one) for one in columns)))
        yield from _together(one.signature for one in self.agreements)
        yield from _together(one.signature for one in self.comparisons)


# Records -----------------------------------------------------------------------------------------------------------


def _place(measure: Measure) -> Record:
    return {"level": measure.level, "statistic": measure.statistic, "by": measure.by}


def _metric(column: Column) -> Record:
    alone = {"segment_signature": column.alone} if column.alone else {}
    better = {"higher_is_better": column.higher_is_better}
    return {"name": column.name, **better, "signature": column.signature, **alone}


def _table(table: ScoreTable) -> Record:
    """Scores of systems by annotators and metrics, scaled as printed."""
    columns = {"human": table.human, **{one.name: one for one in table.metrics}}
    scores = {name: [defined(x, one.scale) for x in one.systems().tolist()] for name, one in columns.items()}
    return {"name": table.name, "systems": list(table.systems), "segments": len(table.segments), "scores": scores}


def _comparison(comparison: MetricComparison) -> Record:
    clusters = [
        {"metric": one.metric, "value": defined(one.value), "cluster": cluster}
        for one, cluster in zip(comparison.agreements, comparison.clusters, strict=True)
    ]
    differences = [_pair(pair) for pair in comparison.differences]
    found = {**_place(comparison.measure), "clusters": clusters, "differences": differences}
    if comparison.over:
        found |= {"over": comparison.over, "least_p": comparison.least_p}
    return {**found, "signature": comparison.signature}


def _pair(pair: MetricDifference) -> Record:
    p = {"p": defined(pair.p), "p_holm": defined(pair.adjusted)}
    return {"metric": pair.first, "other": pair.second, "difference": defined(pair.difference), **p}


def _test_rows(comparison: MetricComparison) -> Iterator[Record]:
    cluster = dict(zip([one.metric for one in comparison.agreements], comparison.clusters, strict=True))
    for pair in comparison.differences:
        clusters = {"cluster": cluster[pair.first], "other_cluster": cluster[pair.second]}
        yield {**_place(comparison.measure), **_pair(pair), **clusters, "signature": comparison.signature}


def _signature(column: Column, level: str) -> str:
    return column.alone if level == "segment" and column.alone else column.signature


def _together(signatures: Iterable[str]) -> Iterator[str]:
    """Merge the signatures of measures that differ in the statistic only.

    >>> [*_together(["level:system|stat:pearson|seed:1", "level:system|stat:spearman|seed:1"])]
    ['level:system|stat:pearson,spearman|seed:1']
    """
    found: dict[tuple[str, ...], list[str]] = {}  # the statistics, by everything else
    for signature in dict.fromkeys(signatures):
        parts = tuple(signature.split("|"))
        by = "".join(f"/{part.removeprefix('by:')}" for part in parts if part.startswith("by:"))
        statistic = next((part.removeprefix("stat:") for part in parts if part.startswith("stat:")), "")
        rest = tuple(part for part in parts if not part.startswith(("stat:", "by:")))
        found.setdefault(rest, []).append(statistic + by)
    for parts, statistics in found.items():
        yield "|".join([parts[0], f"stat:{','.join(statistics)}", *parts[1:]])


# Cells -------------------------------------------------------------------------------------------------------------


def _shown(one: Agreement, digits: int) -> str:
    value = decimal(one.value, digits)
    return value if math.isnan(one.low) else f"{value} [{decimal(one.low, digits)}, {decimal(one.high, digits)}]"


def _change(before: Agreement, after: Agreement, digits: int) -> str:
    difference = decimal(after.value - before.value, digits, "+")
    return f"{decimal(before.value, digits)} → {decimal(after.value, digits)} ({difference})"


def _difference(pair: MetricDifference, first: str, digits: int) -> str:
    value = pair.difference if pair.first == first else -pair.difference
    return f"{decimal(value, digits, '+')} ({_p_shown(pair.p)}; {_p_shown(pair.adjusted)})"


def _p_shown(p: float) -> str:
    return decimal(p, 3) if p >= 0.0005 or math.isnan(p) else f"{p:.1e}"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def _alike(numbers: Sequence[tuple[int, str]]) -> str:
    """One number if all metrics have the same, else each with its metric: '1,200 (bleu), 78 (ter)'."""
    if len({number for number, _ in numbers}) == 1:
        return f"{numbers[0][0]:,}"
    return ", ".join(f"{number:,} ({metric})" for number, metric in numbers)
