"""Which parameters suit a metric: every combination is scored, and agreement with people chooses.

This is how LeBLEU found its own (S. Virpioja and S.-A. Grönroos. LeBLEU: N-gram-based translation evaluation score for
morphologically complex languages. WMT 2015, section 3.1). For each language pair and level the best parameters are
those with the best average agreement over the development sets; the best for everything are those with the smallest sum
of ranks over all sets and levels. Sets that were held out show what that is worth.
"""

from __future__ import annotations

import itertools
import json
import math
import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import spec
from ...errors import InputError, SpecError
from ...metrics import metric
from ...readers import check_regular, read_text
from ...readers.json_objects import parse_object
from ...readers.tables import number_of
from ..resampling import SEED
from .agreement import Measure
from .metric_tests import SHUFFLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ...metrics.base import Metric
    from .evaluation_sets import EvaluationSet

#: What the paper used: Pearson for systems, and pairs of systems within a segment.
MEASURES = (Measure("system", "pearson"), Measure("segment", "kendall-wmt14", "segment"))


@dataclass(frozen=True)
class Grid:
    """The metrics that a spec text stands for, and the one with nothing but defaults in place of its ranges.

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
            raise SpecError(
                f"{text}: there is nothing to search; give a range, such as order=1..4 or tokenize=13a|intl"
            )
        fixed = spec.compose(name, {key: value for key, value in given.items() if key not in parameters})
        texts = spec.expand(text)
        return cls(text, metric(fixed), tuple(dict.fromkeys(map(metric, texts))), parameters)

    @property
    def all(self) -> tuple[Metric, ...]:
        """Every metric, the default first."""
        return tuple(dict.fromkeys((self.default, *self.metrics)))

    def varied(self, one: Metric) -> dict[str, Any]:
        """The parameters that the search chose for a metric."""
        return {name: getattr(one, name) for name in self.parameters}


#: How a line of the journal begins.
BEGIN = '{"set": '


class Journal:
    """Every result as it comes, a line each, in a file; results that are there already are not computed again."""

    def __init__(self, path: str | None, sets: Sequence[EvaluationSet]):
        self.path = path
        self.prints = {one.name: one.fingerprint() for one in sets}
        self.known: dict[tuple[str, str, str], float] = {}
        if path is not None:
            check_regular(path, "a file to keep results in")
            if os.path.exists(path):
                self._read(path)

    def get(self, one: EvaluationSet, tried: Metric, measure: Measure) -> float | None:
        """The agreement of a metric on a set, if it is known."""
        return self.known.get((one.name, tried.spec, str(measure)))

    def put(self, one: EvaluationSet, tried: Metric, values: Mapping[Measure, float]) -> None:
        """Remember what was found, at once and in one piece."""
        lines = []
        for measure, value in values.items():
            self.known[one.name, tried.spec, str(measure)] = value
            row = {"set": one.name, "data": self.prints[one.name], "metric": tried.spec, "measure": str(measure)}
            lines.append(json.dumps({**row, "value": None if math.isnan(value) else value}, ensure_ascii=False) + "\n")
        if self.path is not None:
            try:
                with open(self.path, "a", encoding="utf-8") as file:
                    file.write("".join(lines))
            except OSError as error:
                raise InputError(f"{self.path}: cannot be written ({error.strerror or error})") from None

    def _read(self, path: str) -> None:
        """Read earlier results; a last line that a crash cut short is dropped, from the file too."""
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
                    f"{path}: line {number}: was found on other data or by another version (set {key[0]!r}); "
                    "name another file to keep results in"
                )
            self.known[key] = value
        cut = text[len(whole) :]
        if cut:
            if not (cut.startswith(BEGIN) or BEGIN.startswith(cut)):
                raise InputError(f"{path}: not a result of a search; name another file to keep results in")
            with open(path, "r+", encoding="utf-8") as file:
                file.truncate(len(whole.encode("utf-8")))


@dataclass(frozen=True)
class Choice:
    """What was chosen for a group of sets and a measure (Table 1 of the paper)."""

    group: str
    measure: Measure
    best: Metric
    dev: float  #: average agreement over the development sets of the group
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
    overall: float  #: with the parameters that are best for everything
    p: float = math.nan  #: of a permutation test of chosen against default, on held-out sets


@dataclass(frozen=True, eq=False)
class Search:
    """The result: agreement of every metric of the grid on every set, and what follows from it."""

    grid: Grid
    dev: tuple[EvaluationSet, ...]
    test: tuple[EvaluationSet, ...]
    measures: tuple[Measure, ...]
    values: Mapping[tuple[str, str, str], float] = field(repr=False)
    p_values: Mapping[tuple[str, str], float] = field(default_factory=dict)  #: by set and measure
    test_signature: str = ""  #: how they were computed

    def value(self, one: EvaluationSet, tried: Metric, measure: Measure) -> float:
        """The agreement of a metric on a set."""
        return self.values[one.name, tried.spec, str(measure)]

    def average(self, sets: Iterable[EvaluationSet], tried: Metric, measure: Measure) -> float:
        """Unweighted mean over sets; nan if it is undefined on one of them."""
        found = [self.value(one, tried, measure) for one in sets]
        return math.fsum(found) / len(found) if found else math.nan

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups that have development sets, in their order."""
        return tuple(dict.fromkeys(one.group for one in self.dev))

    def choice(self, group: str, measure: Measure) -> Choice:
        """Choose for a group: the best average over its development sets; of equals the default, or the first."""
        sets = [one for one in self.dev if one.group == group]
        tried_first = sorted(self.grid.metrics, key=lambda one: one != self.grid.default)
        averages = [self.average(sets, tried, measure) for tried in tried_first]
        best = best_of(averages)
        if best is None:
            raise InputError(
                f"{', '.join(one.name for one in sets)}: {measure} is not defined for any metric of {self.grid.text}"
            )
        default = self.average(sets, self.grid.default, measure)
        return Choice(group, measure, tried_first[best], averages[best], default)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """For every group and measure."""
        return tuple(self.choice(group, measure) for group in self.groups for measure in self.measures)

    @property
    def overall(self) -> Metric:
        """The metric with the smallest sum of ranks over all development sets and measures, the first of equals."""
        from .statistics import midranks

        sums = [0.0] * len(self.grid.metrics)
        for one in self.dev:
            for measure in self.measures:
                values = [self.value(one, tried, measure) for tried in self.grid.metrics]
                worst_last = np.array([[math.inf if math.isnan(value) else -value for value in values]])
                sums = [a + b for a, b in zip(sums, midranks(worst_last)[0].tolist(), strict=True)]
        return self.grid.metrics[sums.index(min(sums))]

    @property
    def lines(self) -> tuple[Line, ...]:
        """Every set and measure."""
        return tuple(
            self._line(one, measure, sets is self.test)
            for sets in (self.dev, self.test)
            for one in sets
            for measure in self.measures
        )

    def chosen_for(self, one: EvaluationSet, measure: Measure) -> Metric:
        """What was chosen for the group of a set; for one without a development set, what is best for everything."""
        return self.choice(one.group, measure).best if one.group in self.groups else self.overall

    def _line(self, one: EvaluationSet, measure: Measure, held_out: bool) -> Line:
        best = self.chosen_for(one, measure)
        default, optimised, overall = (
            self.value(one, tried, measure) for tried in (self.grid.default, best, self.overall)
        )
        p = self.p_values.get((one.name, str(measure)), math.nan)
        return Line(one.name, one.group, measure, held_out, default, best, optimised, overall, p)


def best_of(values: Sequence[float]) -> int | None:
    """The place of the greatest, the first of equals; none if none is defined.

    >>> best_of([0.1, float("nan"), 0.3, 0.3]), best_of([float("nan")])
    (2, None)
    """
    defined = [i for i, value in enumerate(values) if not math.isnan(value)]
    return max(defined, key=lambda i: (values[i], -i)) if defined else None


def search(
    grid: str | Grid,
    dev: Sequence[EvaluationSet],
    test: Sequence[EvaluationSet] = (),
    *,
    measures: Sequence[Measure] = MEASURES,
    resume: str | None = None,
    shuffles: int = SHUFFLES,
    seed: int = SEED,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Search:
    """Score every metric of a grid on every set, and choose by agreement with people.

    `resume` names a file that keeps every result as it comes; a search that was interrupted goes on where it ended.
    Segments are counted on all cores; the result does not depend on how many there are. On sets that were held out, the
    metric chosen is tested against the default with `shuffles` permutations.
    """
    grid = Grid.parse(grid) if isinstance(grid, str) else grid
    _check_sets(dev, test, measures)
    sets = [*dev, *test]
    journal = Journal(resume, sets)
    work = [(one, tried) for one in sets for tried in grid.all]
    for done, (one, tried) in enumerate(work, 1):
        missing = [measure for measure in measures if journal.get(one, tried, measure) is None]
        if missing:
            table = one.scored_by([tried], threads)
            journal.put(one, tried, {measure: one.agreement(table, tried.spec, measure) for measure in missing})
        if progress is not None:
            progress(done, len(work))
    found = Search(grid, tuple(dev), tuple(test), tuple(measures), journal.known)
    p_values = _p_values(found, shuffles, seed, threads)
    return replace(
        found, p_values=p_values, test_signature=f"test:permutation|over:both|shuffles:{shuffles}|seed:{seed}"
    )


def _check_sets(dev: Sequence[EvaluationSet], test: Sequence[EvaluationSet], measures: Sequence[Measure]) -> None:
    if not dev:
        raise InputError("there is nothing to search on: expected at least one development set")
    names = [one.name for one in (*dev, *test)]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"set {name!r} is given twice; expected sets of different names")
    for chooses, held_out in itertools.product(dev, test):
        if shared := held_out.shared_with(chooses):
            raise InputError(
                f"set {held_out.name!r} is not held out: {len(shared)} of its {len(held_out.segments)} segments "
                f"({shared[0]} to {shared[-1]}) are in development set {chooses.name!r}, too"
            )
    for one in (*dev, *test):
        for measure in measures:
            one.check(measure)


def _p_values(found: Search, shuffles: int, seed: int, threads: int | None) -> dict[tuple[str, str], float]:
    """Whether what was chosen is better than the default, on every set that was held out."""
    p_values = {}
    for one in found.test:
        chosen = {measure: found.chosen_for(one, measure) for measure in found.measures}
        tried = dict.fromkeys((found.grid.default, *chosen.values()))
        table = one.scored_by([*tried], threads) if len(tried) > 1 else None
        for measure, best in chosen.items():
            if table is None or best == found.grid.default:
                p_values[one.name, str(measure)] = 1.0
                continue
            two = best.spec, found.grid.default.spec
            p_values[one.name, str(measure)] = one.p_value(table, *two, measure, shuffles, seed)
    return p_values
