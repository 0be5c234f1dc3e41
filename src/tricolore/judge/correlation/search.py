"""Choose the parameters of a metric by agreement with human ratings, by grid search.

This is how the parameters of LeBLEU were chosen (S. Virpioja and S.-A. Grönroos. LeBLEU: N-gram-based translation
evaluation score for morphologically complex languages. WMT 2015, section 3.1). For each language pair and level the
best parameters are those with the best average agreement over the dev sets; the best overall have the smallest sum of
ranks over all dev sets and levels. Held-out sets show how well the choice generalises.
"""

from __future__ import annotations

import itertools
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

import numpy as np

from ... import spec
from ...errors import InputError, SpecError
from ...metrics import metric
from ...metrics.base import Metric
from ...readers import check_regular, read_text
from ...readers.json_objects import parse_object
from ...readers.tables import number_of
from ...results import Page, Result, Table, decimal, defined
from ...types import Record, Stage
from ...writers import append_text
from ..score_table import ScoreTable
from .agreement import agreement
from .evaluation_sets import EvaluationSet, read_set
from .measures import Measure, check_ranked
from .metric_tests import least_p, permutation_test, swapped_by_default
from .options import SearchOptions, listing
from .statistics import midranks
from .value_notes import about_permutations

#: A set, or the path of its description.
Set = EvaluationSet | str | PathLike[str]

#: The measures of the paper: Pearson for systems, and pairs of systems within a segment.
MEASURES = (Measure("system", "pearson"), Measure("segment", "kendall-wmt14", "segment"))

#: A caution is printed where no p-value can be below this.
ALPHA = 0.05

#: Digits after the point in tables.
WIDTH = 3


@dataclass(frozen=True)
class Grid:
    """The metrics of a spec text with ranges, and the metric with defaults in place of the ranges.

    >>> grid = Grid.parse("lebleu(order=1..2, threshold=0.4|0.6, limit=none)")
    >>> len(grid.metrics), grid.default
    (4, lebleu(limit=none))
    >>> grid.varied(grid.metrics[1])
    {'order': 1, 'threshold': 0.6}
    """

    text: str
    default: Metric
    metrics: tuple[Metric, ...]
    parameters: tuple[str, ...] = ()  #: those with a range

    @classmethod
    def parse(cls, text: str) -> Grid:
        """Read a spec text with ranges."""
        name, given = spec.parse(text)
        parameters = tuple(key for key, value in given.items() if isinstance(value, spec.Several))
        if not parameters:
            raise SpecError(f"{text}: nothing to search; give a range, such as order=1..4 or tokenize=13a|intl")
        fixed = spec.compose(name, {key: value for key, value in given.items() if key not in parameters})
        return cls(text, metric(fixed), tuple(dict.fromkeys(map(metric, spec.expand(text)))), parameters)

    @property
    def all(self) -> tuple[Metric, ...]:
        """Every metric, the default first."""
        return tuple(dict.fromkeys((self.default, *self.metrics)))

    def varied(self, one: Metric) -> dict[str, Any]:
        """The parameters that the search chose for a metric."""
        return {name: getattr(one, name) for name in self.parameters}


@dataclass(frozen=True)
class Choice:
    """The best metric for a group of sets and a measure (Table 1 of the paper)."""

    group: str
    measure: Measure
    best: Metric
    dev: float  #: average agreement over the dev sets of the group
    default: float  #: the same with default parameters


@dataclass(frozen=True)
class Line:
    """One set and measure: agreement with default and with chosen parameters (Table 2 of the paper)."""

    set: str
    group: str
    measure: Measure
    held_out: bool
    default: float
    best: Metric
    optimised: float
    overall: float  #: with the parameters that are best overall
    p: float = math.nan  #: permutation test of chosen against default, on held-out sets


@dataclass(frozen=True, eq=False, repr=False)
class Search(Result):
    """Agreement of every metric of a grid on every set, and the best metrics; see `search`."""

    grid: Grid
    dev: tuple[EvaluationSet, ...]
    test: tuple[EvaluationSet, ...]
    measures: tuple[Measure, ...]
    values: Mapping[tuple[str, str, str], float]
    p_values: Mapping[tuple[str, str], float] = field(default_factory=dict)  #: by set and measure
    test_signature: str = ""  #: how p-values were computed
    notes: tuple[str, ...] = ()  #: what a reader should know about the p-values

    def __repr__(self) -> str:
        chosen = dict.fromkeys(one.best.spec for one in self.choices)
        return f"<Search of {self.grid.text} on {len(self.dev)} sets: {', '.join(chosen)}>"

    def value(self, one: EvaluationSet, tried: Metric, measure: Measure) -> float:
        """The agreement of a metric on a set."""
        return self.values[one.name, tried.spec, str(measure)]

    def average(self, sets: Iterable[EvaluationSet], tried: Metric, measure: Measure) -> float:
        """Unweighted mean over sets; nan if it is undefined on one of them."""
        found = [self.value(one, tried, measure) for one in sets]
        return math.fsum(found) / len(found) if found else math.nan

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of the dev sets, in their order."""
        return tuple(dict.fromkeys(one.group for one in self.dev))

    def choice(self, group: str, measure: Measure) -> Choice:
        """The best average over the dev sets of a group; ties go to the default, then to the first."""
        sets = [one for one in self.dev if one.group == group]
        tried_first = sorted(self.grid.metrics, key=lambda one: one != self.grid.default)
        averages = [self.average(sets, tried, measure) for tried in tried_first]
        best = best_of(averages)
        if best is None:
            names = ", ".join(one.name for one in sets)
            raise InputError(f"{names}: {measure} is undefined for all metrics of {self.grid.text}")
        default = self.average(sets, self.grid.default, measure)
        return Choice(group, measure, tried_first[best], averages[best], default)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """For every group and measure."""
        return tuple(self.choice(group, measure) for group in self.groups for measure in self.measures)

    @property
    def overall(self) -> Metric:
        """The metric with the smallest sum of ranks over all dev sets and measures; ties go to the first."""
        places = itertools.product(self.dev, self.measures)
        values = np.array([[self.value(one, tried, measure) for tried in self.grid.metrics] for one, measure in places])
        ranks = midranks(np.where(np.isnan(values), math.inf, -values))  # undefined values are the worst
        return self.grid.metrics[int(ranks.sum(axis=0).argmin())]

    @property
    def lines(self) -> tuple[Line, ...]:
        """Every set and measure."""
        lines, overall = [], self.overall
        for one, measure in itertools.product((*self.dev, *self.test), self.measures):
            best = self.chosen_for(one, measure)
            values = [self.value(one, tried, measure) for tried in (self.grid.default, best, overall)]
            p = self.p_values.get((one.name, str(measure)), math.nan)
            held_out = one not in self.dev
            lines.append(Line(one.name, one.group, measure, held_out, values[0], best, values[1], values[2], p))
        return tuple(lines)

    def chosen_for(self, one: EvaluationSet, measure: Measure) -> Metric:
        """The best metric for the group of a set, or the best overall if the group has no dev set."""
        return self.choice(one.group, measure).best if one.group in self.groups else self.overall

    def to_dict(self) -> dict[str, Any]:
        """The chosen metrics, their agreement on held-out sets, and the whole grid."""
        facts = self.facts()
        keys = ("set", "measure", "metric", "default", "chosen", "overall", "p")
        return {
            "search": self.grid.text,
            "default": self.grid.default.spec,
            "overall": self.overall.spec,
            "chosen": facts["chosen"],
            "held_out": [{key: row[key] for key in keys} for row in facts["sets"] if row["held_out"]],
            "test": self.test_signature,
            "notes": [*self.notes],
            "grid": facts["grid"],
        }

    def facts(self) -> Mapping[str, Sequence[Record]]:
        """Agreement on every set with default and chosen parameters; the chosen metrics; the whole grid."""
        sets, chosen, grid = [], [], []
        for line in self.lines:
            place = {"set": line.set, "measure": str(line.measure), "held_out": line.held_out, "metric": line.best.spec}
            values = {"default": line.default, "chosen": line.optimised, "p": line.p, "overall": line.overall}
            sets.append({**place, **{name: defined(value) for name, value in values.items()}})
        for choice in self.choices:
            place = {"group": choice.group, "measure": str(choice.measure), "metric": choice.best.spec}
            averages = {"dev": defined(choice.dev), "default_dev": defined(choice.default)}
            chosen.append({**place, "signature": self._signature(choice.best), **averages})
        for one, tried, measure in itertools.product((*self.dev, *self.test), self.grid.all, self.measures):
            place = {"set": one.name, "group": one.group, "held_out": one in self.test, "metric": tried.spec}
            grid.append({**place, "measure": str(measure), "value": defined(self.value(one, tried, measure))})
        return {"sets": sets, "chosen": chosen, "grid": grid}

    def page(self, width: int | None = None) -> Page:
        """The chosen metrics (Table 1 of the LeBLEU paper), and agreement on every set (Table 2)."""
        digits = WIDTH if width is None else width
        grouped = self.groups != ("",)
        header = ["Measure", *["Group"] * grouped, *self.grid.parameters, "default, dev", "chosen, dev"]
        choices = []
        for choice in self.choices:
            chosen = [spec.write(value) for value in self.grid.varied(choice.best).values()]
            numbers = [decimal(value, digits) for value in (choice.default, choice.dev)]
            choices.append([str(choice.measure), *[choice.group] * grouped, *chosen, *numbers])
        sets = []
        for line in self.lines:
            numbers = [decimal(value, digits) for value in (line.default, line.optimised, line.p, line.overall)]
            held_out = "yes" if line.held_out else "no"
            sets.append([line.set, str(line.measure), held_out, line.best.spec, *numbers])
        titles = ["Set", "Measure", "held out", "chosen metric", "default", "chosen", "p", "overall"]
        best = [self.grid.default, *(choice.best for choice in self.choices), self.overall]
        signatures = [self._signature(one) for one in dict.fromkeys(best)]
        return Page([Table(header, choices), Table(titles, sets, left=4)], self._notes(grouped), signatures)

    def _notes(self, grouped: bool) -> list[str]:
        return [
            f"{len(self.grid.metrics)} combinations. default: {self.grid.default.spec}",
            "chosen: the best average over the dev sets, for each measure" + (" and group" if grouped else ""),
            f"overall: {self.overall.spec}, the smallest sum of ranks over all dev sets and measures",
            f"p: chosen against default on held-out sets; 1 if they are the same ({self.test_signature})"
            if self.test
            else "No set was held out: agreement on dev sets is optimistic.",
            *self.notes,
        ]

    def _signature(self, one: Metric) -> str:
        counts = [of.references.counts() for of in (*self.dev, *self.test)]
        return one.signature((min(low for low, _ in counts), max(high for _, high in counts)))


def best_of(values: Sequence[float]) -> int | None:
    """The index of the greatest value, ties going to the first; None if all are undefined.

    >>> best_of([0.1, float("nan"), 0.3, 0.3]), best_of([float("nan")])
    (2, None)
    """
    defined = [i for i, value in enumerate(values) if not math.isnan(value)]
    return max(defined, key=lambda i: (values[i], -i)) if defined else None


@listing(SearchOptions)
def search(
    grid: str | Grid,
    dev: Set | Sequence[Set],
    test: Set | Sequence[Set] = (),
    *,
    measures: str | Measure | Sequence[str | Measure] = MEASURES,
    resume: str | PathLike[str] | None = None,
    permute: str | None = None,
    shuffles: int = 1000,
    seed: int = 12345,
    threads: int | None = None,
    progress: Stage | None = None,
) -> Search:
    """Score every metric of a grid on every set, and choose the best by agreement with human ratings.

    The best metric has the best average agreement over the `dev` sets, for each of the `measures`; on the held-out
    `test` sets, it is tested against the default with `shuffles` permutations. Sets are `EvaluationSet`s, folders or
    TOML files (docs/explanations/search.md). Results are appended to the file `resume` at once, and an interrupted
    search continues from there. The result does not depend on the number of threads.

    >>> from importlib.resources import files
    >>> found = search("chrf(beta=1..3)", files("tricolore.examples").joinpath("set.toml"), measures=["system pearson"])
    >>> found.choices[0].best, found.overall
    (chrf(beta=1), chrf(beta=1))
    """
    options = SearchOptions(resume, permute, shuffles, seed)  # type: ignore[arg-type]
    grid = Grid.parse(grid) if isinstance(grid, str) else grid
    named = [measures] if isinstance(measures, str | Measure) else measures
    asked = list(dict.fromkeys(one if isinstance(one, Measure) else Measure.parse(one) for one in named))
    if options.resume is not None:
        check_regular(options.resume, "a file to keep results in")
    stage: Stage = progress or (lambda _: lambda _done, _total: None)
    stage("reading")
    dev, test = _sets(dev), _sets(test)
    _check_sets(dev, test, asked)
    sets = [*dev, *test]
    journal = Journal(options.resume, sets)
    work = [(one, tried) for one in sets for tried in grid.all]
    step = stage(f"searching {grid.default.name}")
    for done, (one, tried) in enumerate(work, 1):
        missing = [measure for measure in asked if (one.name, tried.spec, str(measure)) not in journal.known]
        if missing:
            table = one.scored_by([tried], threads)
            found = {each: agreement(table, tried.spec, each, rankings=one.rankings).value for each in missing}
            journal.put(one, tried, found)
        step(done, len(work))
    result = Search(grid, tuple(dev), tuple(test), tuple(asked), journal.known)
    tables = [ScoreTable(tuple(one.systems), one.segments, one.human, (), one.name) for one in test]
    over = options.permute or swapped_by_default(tables)
    signature = f"test:permutation|over:{over}|shuffles:{options.shuffles}|seed:{options.seed}"
    cautions = [
        text
        for table, level in itertools.product(tables, dict.fromkeys(one.level for one in asked))
        for text in about_permutations(
            level, over, least_p([table], over, options.shuffles), ALPHA, f"on {table.name}, at {level} level,"
        )
    ]
    p_values = _p_values(result, replace(options, permute=over), threads)
    return replace(result, p_values=p_values, test_signature=signature, notes=tuple(cautions))


def _sets(given: Set | Sequence[Set]) -> list[EvaluationSet]:
    sets = given if isinstance(given, list | tuple) else [given]
    return [one if isinstance(one, EvaluationSet) else read_set(one) for one in sets]  # type: ignore[arg-type]


def _check_sets(dev: Sequence[EvaluationSet], test: Sequence[EvaluationSet], measures: Sequence[Measure]) -> None:
    if not dev:
        raise InputError("dev: expected at least one set")
    names = [one.name for one in (*dev, *test)]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"set {name!r} is given twice; expected sets of different names")
    for chooses, held_out in itertools.product(dev, test):
        if shared := held_out.shared_with(chooses):
            raise InputError(
                f"set {held_out.name!r} is not held out: {len(shared)} of its {len(held_out.segments)} segments "
                f"({shared[0]} to {shared[-1]}) are also in dev set {chooses.name!r}"
            )
    for one, measure in itertools.product((*dev, *test), measures):
        if one.rankings:
            check_ranked(measure)


def _p_values(found: Search, options: SearchOptions, threads: int | None) -> dict[tuple[str, str], float]:
    """Test the chosen metrics against the default on every held-out set, by set and measure."""
    p_values, default = {}, found.grid.default
    for one in found.test:
        chosen = {measure: found.chosen_for(one, measure) for measure in found.measures}
        tried = [*dict.fromkeys((default, *chosen.values()))]
        tables = [one.scored_by(tried, threads)] if len(tried) > 1 else []
        how: dict[str, Any] = {"over": options.permute, "shuffles": options.shuffles, "seed": options.seed}
        how["rankings"] = one.rankings
        for measure, best in chosen.items():
            p = 1.0 if best == default else permutation_test(tables, best.spec, default.spec, measure, **how)
            p_values[one.name, str(measure)] = p
    return p_values


#: The beginning of every line.
BEGIN = '{"set": '


class Journal:
    """Results, one per line of a file, written at once; those already in the file are not recomputed."""

    def __init__(self, path: str | None, sets: Sequence[EvaluationSet]):
        self.path = path
        self.prints = {one.name: one.fingerprint() for one in sets}
        self.known: dict[tuple[str, str, str], float] = {}
        if path is not None and os.path.exists(path):
            self._read(path)

    def put(self, one: EvaluationSet, tried: Metric, values: Mapping[Measure, float]) -> None:
        """Keep values, and append them to the file in one write."""
        lines = []
        for measure, value in values.items():
            self.known[one.name, tried.spec, str(measure)] = value
            row = {"set": one.name, "data": self.prints[one.name], "metric": tried.spec, "measure": str(measure)}
            lines.append(json.dumps({**row, "value": None if math.isnan(value) else value}, ensure_ascii=False) + "\n")
        if self.path is not None:
            append_text(self.path, "".join(lines))

    def _read(self, path: str) -> None:
        """Read earlier results; a truncated last line is dropped, also from the file."""
        text = read_text(path)
        whole = text[: text.rfind("\n") + 1]
        for number, line in enumerate(whole.split("\n")[:-1], 1):
            try:
                row = parse_object(line, "")
                key, data = (row["set"], row["metric"], row["measure"]), row["data"]
                value = math.nan if row["value"] is None else number_of(row["value"])
                if not all(isinstance(part, str) for part in key):
                    raise ValueError
            except (ValueError, KeyError):
                raise InputError(
                    f"{path}: line {number}: not a result of a search; name another file to keep results in"
                ) from None
            if key[0] in self.prints and data != self.prints[key[0]]:
                raise InputError(
                    f"{path}: line {number}: was computed on other data or by another version (set {key[0]!r}); "
                    "name another file to keep results in"
                )
            self.known[key] = value
        cut = text[len(whole) :]
        if cut:
            if not (cut.startswith(BEGIN) or BEGIN.startswith(cut)):
                raise InputError(f"{path}: not a result of a search; name another file to keep results in")
            os.truncate(path, len(whole.encode("utf-8")))
