"""How well metrics agree with people, in every form: tables for the eye, TSV, Markdown, LaTeX, JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..judge.correlation.agreement import Agreement
from ..judge.correlation.measures import LEVELS, Measure
from . import tables
from .printing import as_json, show

if TYPE_CHECKING:
    import argparse

    from ..judge.correlation.metric_tests import MetricComparison
    from ..judge.correlation.study import Results, StrawMan
    from ..judge.score_table import ScoreTable


def print_study(results: Results, options: argparse.Namespace) -> None:
    """Print in the form asked for; JSON and TSV have numbers in full."""
    if options.format == "json":
        print(as_json(as_object(results), indent=1))
    elif options.format == "tsv":
        print_tsv(results)
    else:
        Page(results, options).show()


class Page:
    """A study for the eye: what was compared, tables, then what one needs to know to believe them."""

    def __init__(self, results: Results, options: argparse.Namespace):
        self.results = results
        self.options = options
        self.form = options.format

    def show(self) -> None:
        """Print all parts."""
        for level in LEVELS:
            if any(measure.level == level for measure in self.results.measures):
                self.heading(describe(self.results, level))
                self.agreements(level)
        if self.results.straw_men:
            self.straw_men()
        for level in LEVELS:
            self.tests(level)
        self.lines("", explanations(self.results, self.options))
        self.lines("- {}", [*self.results.evidence.notes, *self.results.notes])
        self.lines("`{}`" if self.form == "markdown" else "{}", signatures(self.results), end="")

    def heading(self, text: str) -> None:
        """A line above a table."""
        mark = {"markdown": "### ", "latex": "% "}.get(self.form, "")
        show(f"{mark}{text}", "")

    def table(self, header: Sequence[str], rows: Sequence[Sequence[str]], best: Any = ()) -> None:
        """A table in the form asked for, and an empty line."""
        if self.form == "text":
            tables.text(header, rows, best)
        else:
            print((tables.markdown if self.form == "markdown" else tables.latex)(header, rows))
        print()

    def lines(self, pattern: str, texts: Iterable[str], end: str = "\n") -> None:
        """Lines below the tables; in LaTeX they are comments."""
        texts = [*texts]
        comment = "% " if self.form == "latex" else ""
        bullet = "- " if self.form == "markdown" and not pattern.startswith("-") else ""
        for text in texts:
            show(comment + bullet + (pattern or "{}").format(text))
        if texts:
            print(end=end)

    def shown(self, one: Agreement) -> str:
        """A value with its interval."""
        value = self.number(one.value)
        if math.isnan(one.low):
            return value
        return f"{value} [{self.number(one.low)}, {self.number(one.high)}]"

    def number(self, value: float, sign: str = "") -> str:
        """A number with the digits asked for."""
        return f"{value:{sign}.{self.options.width}f}"

    def agreements(self, level: str) -> None:
        """Metrics down, measures across."""
        chosen, found = across(self.results.agreements, level)
        rows = [[metric, *map(self.shown, row)] for metric, row in found.items()]
        best = set()
        for column in range(len(chosen)):
            values = [-math.inf if math.isnan(row[column].value) else row[column].value for row in found.values()]
            if len(found) > 1 and max(values) > -math.inf:
                best |= {(r, column + 1) for r, value in enumerate(values) if value == max(values)}
        self.table(["Metric", *map(title, chosen)], rows, best)

    def straw_men(self) -> None:
        """What straw men change, and what metrics say of them."""
        for level in LEVELS:
            chosen, before = across(self.results.agreements, level)
            _, after = across(self.results.with_straw_men, level)
            if not chosen:
                continue
            self.heading(f"{level.capitalize()} level, without and with straw men (change)")
            rows = [
                [metric, *(self.change(*two) for two in zip(before[metric], after[metric], strict=True))]
                for metric in before
            ]
            self.table(["Metric", *map(title, chosen)], rows)
        self.heading("Scores of the straw men, and of the worst and best real system")
        names = list(dict.fromkeys(one.system for one in self.results.straw_men))
        rows = [[metric, *scores] for metric, scores in straw_rows(self.results.straw_men, names)]
        self.table(["Metric", *names, "worst", "best"], rows)

    def change(self, before: Agreement, after: Agreement) -> str:
        """A value without, with, and the difference."""
        difference = self.number(after.value - before.value, "+")
        return f"{self.number(before.value)} → {self.number(after.value)} ({difference})"

    def tests(self, level: str) -> None:
        """Which metrics can be told apart, and the tests of all pairs."""
        found = [one for one in self.results.comparisons if one.measure.level == level]
        if not found:
            return
        metrics = self.results.evidence.metrics
        header = [title(one.measure) for one in found]
        self.heading(f"{level.capitalize()} level, clusters of metrics that cannot be told apart (1 is best)")
        clusters = [
            {one.metric: str(rank or "-") for one, rank in zip(each.agreements, each.clusters, strict=True)}
            for each in found
        ]
        self.table(["Metric", *header], [[metric, *(each[metric] for each in clusters)] for metric in metrics])
        self.heading(f"{level.capitalize()} level, differences (p-value; corrected for all pairs)")
        rows = [
            [f"{one} - {other}", *(self.difference(each, one, other) for each in found)]
            for i, one in enumerate(metrics)
            for other in metrics[i + 1 :]
        ]
        self.table(["Metrics", *header], rows)

    def difference(self, comparison: MetricComparison, one: str, other: str) -> str:
        """The first metric's value less the second's, and its p-values."""
        pair = comparison.difference(one, other)
        value = pair.difference if pair.first == one else -pair.difference
        return f"{self.number(value, '+')} ({p_shown(pair.p)}; {p_shown(pair.adjusted)})"


def across(agreements: Sequence[Agreement], level: str) -> tuple[list[Measure], dict[str, list[Agreement]]]:
    """The measures of a level, and for each metric its agreements by them."""
    rows: dict[str, list[Agreement]] = {}
    for one in agreements:
        if one.measure.level == level:
            rows.setdefault(one.metric, []).append(one)
    return [one.measure for one in next(iter(rows.values()), [])], rows


def title(measure: Measure) -> str:
    """What a column is called, the grouping included."""
    grouping = {"": "", "pooled": ", pooled"}.get(measure.by, f", by {measure.by}")
    return measure.how.title + grouping


def p_shown(p: float) -> str:
    """A p-value; a small one is not rounded to nothing."""
    return f"{p:.3f}" if p >= 0.0005 or math.isnan(p) else f"{p:.1e}"


def straw_rows(straw_men: Sequence[StrawMan], names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The scores of straw men by metric (and table), as printed; how many real systems they beat, if any."""
    rows: dict[tuple[str, str], dict[str, StrawMan]] = {}
    for one in straw_men:
        rows.setdefault((one.table, one.metric), {})[one.system] = one
    for (table, metric), found in rows.items():
        any_of_them = next(iter(found.values()))
        cells = []
        for name in names:
            one = found[name]
            beaten = f" (not below {one.beaten} of {one.systems})" if one.beaten else ""
            cells.append(f"{one.score * one.scale:.2f}{beaten}")
        cells += [f"{score * any_of_them.scale:.2f}" for score in (any_of_them.worst, any_of_them.best)]
        yield f"{table}: {metric}" if table else metric, cells


# What stands above and below the tables --------------------------------------------------------------------------


def describe(results: Results, level: str) -> str:
    """What is compared at a level."""
    found = results.evidence.tables(level)
    parts = [f"{len(found):,} tables"] if len(found) > 1 else []
    parts.append(counted(sum(len(table.systems) for table in found), "system"))
    if level == "segment" or all(len(table.segments) > 1 for table in found):
        parts.append(counted(sum(len(table.segments) for table in found), "segment"))
    if level == "segment":
        parts.append(f"{sum(map(rated_cells, found)):,} of {sum(map(cells, found)):,} outputs rated")
    return f"{level.capitalize()} level: {', '.join(parts)}"


def counted(number: int, what: str) -> str:
    """A number of things.

    >>> counted(1, "system"), counted(1200, "segment")
    ('1 system', '1,200 segments')
    """
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def cells(table: ScoreTable) -> int:
    """How many outputs there are."""
    return len(table.systems) * len(table.segments)


def rated_cells(table: ScoreTable) -> int:
    """How many of them people rated."""
    import numpy as np

    return int((~np.isnan(table.human.segments)).sum())


def explanations(results: Results, options: argparse.Namespace) -> Iterator[str]:
    """How to read the numbers."""
    if any(not math.isnan(one.low) for one in results.agreements):
        over = {level: parts[0] for level in LEVELS if (parts := signature_parts(results, level, "over:"))}
        if len(set(over.values())) == 1:
            what = next(iter(over.values()))
        else:
            what = ", ".join(f"{part} at {level} level" for level, part in over.items())
        yield (
            f"[low, high]: {options.level:.0%} of {options.samples} bootstrap resamples (percentiles; over {what}; "
            f"seed {options.seed})."
        )
    if results.comparisons:
        test = "Williams' test" if options.test == "williams" else f"permutation test ({options.shuffles} shuffles)"
        yield (
            f"p: {test}, two-sided; corrected by Holm's method. No two metrics of a cluster differ with p < "
            f"{options.alpha:g}."
        )
        at_systems = any(one.measure.level == "system" for one in results.comparisons)
        several = any(len(table.segments) > 1 for table in results.evidence.systems)
        if options.test == "permutation" and at_systems and several:
            yield (
                "At system level the test exchanges scores of segments, and scores systems by their means: where a "
                "metric scores systems otherwise, p is not of the difference shown, but of that of the means."
            )
    yield from groups_left_out(results)
    for measure in results.measures:
        ties = [one for one in results.agreements if one.measure == measure and not math.isnan(one.epsilon)]
        if ties:
            scale = {one.name: one.scale for one in results.evidence.tables(measure.level)[0].metrics}
            numbers = [f"{one.epsilon * scale[one.metric]:.4g} for {one.metric}" for one in ties]
            yield f"{measure}: differences count as ties up to {', '.join(numbers)}."


def signature_parts(results: Results, level: str, prefix: str) -> list[str]:
    """What the signatures of a level say of one thing."""
    signatures = [one.signature for one in results.agreements if one.measure.level == level]
    parts = [part for signature in signatures for part in signature.split("|")]
    return [part.removeprefix(prefix) for part in parts if part.startswith(prefix)]


def groups_left_out(results: Results) -> Iterator[str]:
    """How many pairs count, and how many groups have no value and so are in no average."""
    said: dict[str, list[str]] = {}
    for measure in results.measures:
        found = [one for one in results.agreements if one.measure == measure]
        if measure.how.adds_pairs:
            pairs = "pair" if all(one.pairs == 1 for one in found) else "pairs"
            text = f"{alike([(one.pairs, one.metric) for one in found])} {pairs} that people do not tie."
            said.setdefault(text, []).append(str(measure))
        elif any(one.undefined for one in found) and any(one.groups for one in found):
            what = {"segment": "segments", "system": "systems"}.get(measure.by, "tables")
            total = found[0].groups + found[0].undefined
            if total == 1:  # then there is no mean, and a note says why there is no value
                continue
            numbers = alike([(one.groups, one.metric) for one in found])
            text = f"mean over {numbers} of {total:,} {what}; the others have no value."
            said.setdefault(text, []).append(str(measure))
    for text, measures in said.items():
        yield f"{', '.join(measures)}: {text}"


def alike(numbers: Sequence[tuple[int, str]]) -> str:
    """One number where all metrics have the same, else each with its metric.

    >>> alike([(78, "bleu"), (78, "ter")]), alike([(1200, "bleu"), (78, "ter")])
    ('78', '1,200 (bleu), 78 (ter)')
    """
    if len({number for number, _ in numbers}) == 1:
        return f"{numbers[0][0]:,}"
    return ", ".join(f"{number:,} ({metric})" for number, metric in numbers)


def signatures(results: Results) -> Iterator[str]:
    """How every number was computed: people, metrics, measures."""
    yield results.evidence.people
    levels = {measure.level for measure in results.measures}
    shown = []
    for level in levels:
        for column in results.evidence.tables(level)[0].metrics:
            shown.append(column.alone if level == "segment" and column.alone else column.signature)
    yield from dict.fromkeys(filter(None, sorted(shown)))
    yield from together(one.signature for one in results.agreements)
    yield from together(one.signature for one in results.comparisons)


def together(signatures: Iterable[str]) -> Iterator[str]:
    """Signatures of measures that differ in the statistic only, as one.

    >>> [*together(["level:system|stat:pearson|seed:1", "level:system|stat:spearman|seed:1"])]
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


# For machines ----------------------------------------------------------------------------------------------------


def print_tsv(results: Results) -> None:
    """A row for each agreement; then, after an empty line each, tests and straw men."""
    straw = dict(zip(map(key, results.with_straw_men), results.with_straw_men, strict=True))
    header = ["level", "statistic", "by", "metric", "value", "low", "high", "groups", "undefined", "points", "pairs"]
    header += ["epsilon"]
    header += ["with_straw_men", "with_straw_men_low", "with_straw_men_high"] if straw else []
    header += ["signature", "metric_signature", "human_signature"]
    how = {
        (level, one.name): one for level in LEVELS for table in results.evidence.tables(level) for one in table.metrics
    }
    rows = []
    for one in results.agreements:
        numbers = [one.value, one.low, one.high, one.groups, one.undefined, one.points, one.pairs, one.epsilon]
        numbers += [straw[key(one)].value, straw[key(one)].low, straw[key(one)].high] if straw else []
        column = how[one.measure.level, one.metric]
        signature = column.alone if one.measure.level == "segment" and column.alone else column.signature
        rows.append([*place(one.measure), one.metric, *map(full, numbers), one.signature, signature])
        rows[-1].append(results.evidence.people)
    print(tables.tsv(header, rows))
    if results.comparisons:
        header = [
            "level",
            "statistic",
            "by",
            "metric",
            "other",
            "difference",
            "p",
            "p_holm",
            "cluster",
            "other_cluster",
        ]
        print("\n" + tables.tsv([*header, "signature"], [row for one in results.comparisons for row in test_rows(one)]))
    if results.straw_men:
        fields = ("table", "system", "metric", "score", "worst", "best", "beaten", "systems")
        straw_men = [[full(item) for item in straw_object(one, fields).values()] for one in results.straw_men]
        print("\n" + tables.tsv(fields, straw_men))


def key(one: Agreement) -> tuple[str, Measure]:
    """What an agreement is of."""
    return one.metric, one.measure


def place(measure: Measure) -> list[str]:
    """Level, statistic and grouping."""
    return [measure.level, measure.statistic, measure.by]


def full(item: Any) -> str:
    """A number in full, nothing where there is none."""
    return "" if isinstance(item, float) and math.isnan(item) else str(item)


def test_rows(comparison: MetricComparison) -> Iterator[list[str]]:
    """A row for each pair of metrics."""
    order = [one.metric for one in comparison.agreements]
    cluster = dict(zip(order, comparison.clusters, strict=True))
    for pair in comparison.differences:
        numbers = [pair.difference, pair.p, pair.adjusted, cluster[pair.first], cluster[pair.second]]
        yield [*place(comparison.measure), pair.first, pair.second, *map(full, numbers), comparison.signature]


def straw_object(one: StrawMan, fields: Sequence[str]) -> dict[str, Any]:
    """What a metric says of a straw man, scores as they are printed."""
    scaled = {"score", "worst", "best"}
    return {name: getattr(one, name) * (one.scale if name in scaled else 1) for name in fields}


def as_object(results: Results) -> dict[str, Any]:
    """The JSON object of a study; what has no value is null."""
    evidence = results.evidence
    straw = dict(zip(map(key, results.with_straw_men), results.with_straw_men, strict=True))
    found: dict[str, Any] = {
        "people": evidence.people,
        "metrics": [metric_object(results, name) for name in evidence.metrics],
        "tables": {level: [table_object(table) for table in evidence.tables(level)] for level in LEVELS},
        "agreements": [],
    }
    for one in results.agreements:
        item = agreement_object(one)
        if straw:
            other = straw[key(one)]
            item["with_straw_men"] = number(other.value)
            item["with_straw_men_low"], item["with_straw_men_high"] = number(other.low), number(other.high)
            item["change"] = number(other.value - one.value)
        found["agreements"].append(item)
    if results.comparisons:
        found["tests"] = [comparison_object(one) for one in results.comparisons]
    if results.straw_men:
        fields = ("table", "system", "metric", "score", "worst", "best", "beaten", "systems")
        found["straw_men"] = [straw_object(one, fields) for one in results.straw_men]
    found["notes"] = [*evidence.notes, *results.notes]
    return found


def number(value: float) -> float | None:
    """A number, or nothing."""
    return None if math.isnan(value) else value


def metric_object(results: Results, name: str) -> dict[str, Any]:
    """What is known of a metric."""
    evidence = results.evidence
    column = evidence.systems[0].metric(name)
    alone = {"segment_signature": column.alone} if column.alone else {}
    return {"name": name, "higher_is_better": column.higher_is_better, "signature": column.signature, **alone}


def table_object(table: ScoreTable) -> dict[str, Any]:
    """What a table holds: scores of systems by people and metrics, as they are printed."""
    scores = {
        name: [number(score * column.scale) for score in column.systems().tolist()]
        for name, column in (("human", table.human), *((one.name, one) for one in table.metrics))
    }
    return {"name": table.name, "systems": list(table.systems), "segments": len(table.segments), "scores": scores}


def agreement_object(one: Agreement) -> dict[str, Any]:
    """The JSON object of an agreement; where there are several tables, also of each of them."""
    details = [
        {"table": each.table, "value": number(each.value), "points": each.points, "pairs": each.pairs}
        for each in one.details
    ]
    return {
        "metric": one.metric,
        **dict(zip(("level", "statistic", "by"), place(one.measure), strict=True)),
        "value": number(one.value),
        "low": number(one.low),
        "high": number(one.high),
        "groups": one.groups,
        "undefined": one.undefined,
        "points": one.points,
        "pairs": one.pairs,
        "epsilon": number(one.epsilon),
        "signature": one.signature,
        **({"by_table": details} if details else {}),
    }


def comparison_object(comparison: MetricComparison) -> dict[str, Any]:
    """The JSON object of the tests by one measure."""
    return {
        **dict(zip(("level", "statistic", "by"), place(comparison.measure), strict=True)),
        "clusters": [
            {"metric": one.metric, "value": number(one.value), "cluster": cluster}
            for one, cluster in zip(comparison.agreements, comparison.clusters, strict=True)
        ],
        "differences": [
            {
                "metric": pair.first,
                "other": pair.second,
                "difference": number(pair.difference),
                "p": number(pair.p),
                "p_holm": number(pair.adjusted),
            }
            for pair in comparison.differences
        ],
        "signature": comparison.signature,
    }
