"""The result of comparing systems: scores with intervals, differences with p-values, clusters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ...errors import SpecError, UnknownNameError, unknown
from ...parameters import DRAWS, LEVEL, SEED, Choice, Kind, Options, OrNone, Whole, implied, param
from ...results import Page, Result, Table, decimal, defined
from ...types import Record
from .interval import Interval, few_segments

if TYPE_CHECKING:
    from ...segments import References
    from .examples import Examples
    from .system_tests import Criterion

TESTS = {"ar": "paired approximate randomisation", "bs": "paired bootstrap"}
RESAMPLES: Kind = Whole(2, 100_000_000)


@dataclass(frozen=True)
class Settings(Options):
    """How systems are compared; see `compare`."""

    test: str = param(
        "ar", Choice((*TESTS,)), "paired test: ar (approximate randomisation) or bs (bootstrap), both two-sided"
    )
    trials: int | None = implied(DRAWS, "shuffles of approximate randomisation, test ar (default: 10000)")
    resamples: int | None = implied(RESAMPLES, "bootstrap resamples for intervals (default: 1000; 10000 with test bs)")
    level: float = param(0.95, LEVEL, "confidence level of intervals and clusters")
    seed: int = param(12345, SEED, "random seed")
    baseline: str | None = None
    compat: str | None = param(
        None,
        OrNone(Choice(("sacrebleu", "multeval"))),
        "p-values of sacreBLEU 2.6.0 or MultEval 0.5.1, which find a copy of a system significant",
    )
    runs_as: str | None = implied(
        Choice(("units", "stratified")),
        "several runs of a system: units (whole runs are exchanged; intervals hold for new runs and segments) or "
        "stratified (outputs of a segment are exchanged; p and intervals hold for these runs alone) (default: units; "
        "stratified with --compat)",
    )

    def complete(self) -> None:
        if self.runs_as is None:
            object.__setattr__(self, "runs_as", "stratified" if self.compat else "units")
        if self.trials is not None and self.test == "bs":
            raise SpecError("trials: the bootstrap, test='bs', draws resamples; set resamples=... instead")
        if self.resamples is None:  # many for a test, so that p can be small even when adjusted for many pairs
            object.__setattr__(self, "resamples", 10_000 if self.test == "bs" and self.compat is None else 1000)
        if self.compat == "multeval" and self.test != "ar":
            raise SpecError("compat: MultEval has only approximate randomisation, test='ar'; got test='bs'")
        if self.compat and self.runs_as != "stratified":
            raise SpecError("runs_as='units' is not supported with compat=...; leave out one of them")

    @property
    def alpha(self) -> float:
        """The threshold of significance for adjusted p-values."""
        return round(1 - self.level, 12)

    @property
    def shuffles(self) -> int:
        """Shuffles of approximate randomisation."""
        return 10_000 if self.trials is None else self.trials

    @property
    def draws(self) -> int:
        """The number of random draws for a p-value."""
        return self.shuffles if self.test == "ar" else self.resamples or 0


@dataclass(frozen=True)
class System:
    """One system by one metric. Values are on the metric's own scale."""

    name: str
    score: float  #: the mean over its runs
    interval: Interval  #: of that mean: over segments, and unless stratified over runs
    runs: tuple[float, ...]  #: the score of each run
    selection: float  #: s_sel: the bootstrap standard deviation of a run's score, averaged over runs
    optimisation: float  #: s_opt: the standard deviation of the score over runs; nan for a single run
    cluster: int | None = None  #: from 1, the best; None if not all pairs were tested
    run_names: tuple[str, ...] = ()  #: the files of the runs, if they come from files

    @property
    def median(self) -> int:
        """The index of the run with the median score; of two the higher, as in MultEval."""
        return self.runs.index(sorted(self.runs)[len(self.runs) // 2])

    def to_dict(self, scale: float) -> dict[str, Any]:
        """Everything, scaled as printed."""
        return {
            "system": self.name,
            "score": defined(self.score, scale),
            **{key: defined(value, scale) for key, value in vars(self.interval).items()},
            "cluster": self.cluster,
            "runs": [
                {"run": run, "score": defined(score, scale)}
                for run, score in zip(self.run_names, self.runs, strict=True)
            ],
            "s_sel": defined(self.selection, scale),
            "s_opt": defined(self.optimisation, scale),
            "median_run": self.run_names[self.median],
        }


@dataclass(frozen=True)
class Pair:
    """The difference of two systems by one metric: the first minus the second."""

    first: str
    second: str
    difference: float
    interval: Interval  #: of the difference: over segments, and unless stratified over runs
    p: float
    p_adjusted: float  #: by Holm, over all pairs tested with this metric
    flips: float | None = None  #: fraction of resamples with the opposite sign, or zero; paired bootstrap of segments
    p_runs: float | None = None  #: if whole runs are exchanged, on these segments; `p` is no smaller

    def turned(self) -> Pair:
        """The same, the second minus the first."""
        difference, interval = 0.0 - self.difference, self.interval.turned()  # 0 stays 0, and does not become -0
        return replace(self, first=self.second, second=self.first, difference=difference, interval=interval)

    @property
    def effect(self) -> float:
        """The difference in units of its standard error; nan if that is zero."""
        if self.difference == 0:
            return 0.0
        deviation = self.interval.deviation
        return self.difference / deviation if deviation > 1e-12 * abs(self.difference) else math.nan

    def to_dict(self, scale: float) -> dict[str, Any]:
        """Everything, differences scaled as printed."""
        return {
            "first": self.first,
            "second": self.second,
            "difference": defined(self.difference, scale),
            "low": defined(self.interval.low, scale),
            "high": defined(self.interval.high, scale),
            "effect": defined(self.effect),
            "p": defined(self.p),
            "p_holm": defined(self.p_adjusted),
            **({} if self.flips is None else {"flips": defined(self.flips)}),
            **({} if self.p_runs is None else {"p_runs": defined(self.p_runs)}),
        }


@dataclass(frozen=True)
class Judgement:
    """The systems by one metric, from best to worst, and the pairs that were tested."""

    name: str  #: of the metric, as in spec texts
    title: str
    systems: tuple[System, ...]
    pairs: tuple[Pair, ...]
    signature: str
    higher_is_better: bool = True
    scale: float = 1.0  #: factor applied for printing
    digits: int = 3  #: decimal places as printed
    exact: bool = False  #: whether all assignments of the outputs were enumerated, for every pair
    least_p: float = 0.0  #: the smallest p-value possible with this number of draws, segments and runs
    arrangements: str = ""  #: of whole runs, where they are exchanged: '20 arrangements of 3 + 3 runs'
    least_stratified_p: float | None = None  #: the smallest p-value if outputs of segments were exchanged instead
    averaged: bool = False  #: whether systems are scored by the means of external segment scores

    def __repr__(self) -> str:
        ranked = ", ".join(f"{one.name} {self.shown(one.score)}" for one in self.systems)
        return f"{self.title}: {ranked} ({len(self.pairs)} pairs tested)"

    def shown(self, value: float, width: int | None = None, sign: str = "") -> str:
        """A value as printed."""
        return decimal(value * self.scale, self.digits if width is None else width, sign)

    def span(self, interval: Interval, width: int | None = None) -> str:
        """An interval as printed; a single segment has none."""
        low, high = self.shown(interval.low, width), self.shown(interval.high, width)
        return "–" if math.isnan(interval.low) else f"{low} to {high}"

    def system(self, name: str) -> System:
        """Return a system by name."""
        for system in self.systems:
            if system.name == name:
                return system
        raise unknown("system", name, [one.name for one in self.systems])

    def pair(self, first: str, second: str) -> Pair:
        """Return the difference of two systems, the first minus the second, whatever the order they were tested in."""
        for pair in self.pairs:
            if (pair.first, pair.second) == (first, second):
                return pair
            if (pair.second, pair.first) == (first, second):
                return pair.turned()
        for name in (first, second):
            self.system(name)
        raise UnknownNameError(
            f"{first!r} and {second!r} were not compared"
            + ("" if first == second else f"; every system was compared with {self.pairs[0].second!r} only")
        )


@dataclass(frozen=True, eq=False)
class Compared:
    """What a comparison was made of, for a report of it: statistics of all outputs, and the texts, if there are any."""

    criteria: Sequence[Criterion]
    outputs: Sequence[Sequence[str]] = ()  #: in the order of the columns; of all segments
    references: References | None = None
    kept: Sequence[int] = ()  #: the segments of the statistics, from 0, where not all were compared

    def segments(self, number: int) -> Sequence[int]:
        """The segments that were compared, `number` in all, as they are counted in the texts, from 0."""
        return self.kept or range(number)


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """Systems compared on the same segments, by each metric: `comparison["bleu"].pair("a", "b").p`."""

    judgements: tuple[Judgement, ...]
    names: tuple[str, ...]  #: of the systems, in the order in which they were given
    segments: int
    how: Settings
    left_out: int = 0  #: segments dropped because a system had no score for them
    remarks: tuple[str, ...] = ()  #: on external scores
    compared: Compared | None = field(default=None, compare=False)

    printed_facts = ("pairs",)  # which include the systems

    def __repr__(self) -> str:
        metrics = ", ".join(one.name for one in self.judgements)
        return f"Comparison of {len(self.names)} systems on {self.segments:,} segments by {metrics}"

    def __getitem__(self, metric: str) -> Judgement:
        for judgement in self.judgements:
            if metric in (judgement.name, judgement.title):
                return judgement
        raise unknown("metric", metric, [one.name for one in self.judgements])

    def examples(
        self, number: int = 5, first: str | None = None, second: str | None = None, metric: str | None = None
    ) -> Examples:
        """The segments on which two systems differ most by a metric, with both outputs aligned.

        By default these are the two best systems by the first metric.
        """
        from .examples import examples_of

        return examples_of(self, number, first, second, metric)

    @property
    def has_runs(self) -> bool:
        """Whether a system has several runs."""
        return any(len(system.runs) > 1 for system in self.judgements[0].systems)

    def to_dict(self) -> dict[str, Any]:
        return {
            "segments": self.segments,
            "left_out": self.left_out,
            **vars(self.how),
            "trials": self.how.draws,
            "metrics": [
                {
                    "name": one.title,
                    "metric": one.name,
                    "signature": one.signature,
                    "higher_is_better": one.higher_is_better,
                    "scale": one.scale,
                    "least_p": one.least_p if one.pairs else None,
                    "arrangements": one.arrangements or None,
                    "least_p_stratified": one.least_stratified_p,
                    "systems": [system.to_dict(one.scale) for system in one.systems],
                    "pairs": [pair.to_dict(one.scale) for pair in one.pairs],
                }
                for one in self.judgements
            ],
        }

    def facts(self) -> Mapping[str, Sequence[Record]]:
        """`pairs`: a record for each pair, with both systems; `systems`: one for each system."""
        pairs, systems = [], []
        columns = ("score", "low", "high", "cluster", "s_sel", "s_opt")
        for one in self.judgements:
            by_name = {system.name: system.to_dict(one.scale) for system in one.systems}
            for pair in one.pairs:
                record = {"metric": one.name, **pair.to_dict(one.scale)}
                for key in ("flips", "p_runs"):
                    record.pop(key, None)
                for which in ("first", "second"):
                    system = by_name[record[which]]
                    record |= {f"{which}_{column}": system[column] for column in columns}
                pairs.append({**record, "signature": one.signature})
            for name, system in by_name.items():
                record = {"metric": one.name, "system": name, **{column: system[column] for column in columns}}
                systems.append({**record, "signature": one.signature})
        return {"pairs": pairs, "systems": systems}

    def page(self, width: int | None = None) -> Page:
        tables = [self._runs_table(width)] if self.has_runs else []
        for judgement in self.judgements:
            tables.append(self._systems_table(judgement, width))
            tables += [self._pairs_table(judgement, width)] if judgement.pairs else []
        return Page(tables, self._notes(), [one.signature for one in self.judgements])

    def _headline(self, judgement: Judgement) -> str:
        arrow = "" if judgement.higher_is_better else " ↓"
        known = judgement.title.lower() == judgement.name.lower()
        title = f"{judgement.title}{arrow}" + ("" if known else f" ({judgement.name})")
        left_out = f", {self.left_out:,} left out" if self.left_out else ""
        segments = "segment" if self.segments == 1 else "segments"
        return f"{title}: {len(judgement.systems)} systems, {self.segments:,} {segments}{left_out}"

    def _runs_table(self, width: int | None) -> Table:
        """MultEval's table: score, and in parentheses s_sel, s_opt and p against the baseline."""
        baseline = self._baseline
        numbers = sorted({len(system.runs) for system in self.judgements[0].systems})
        header = [f"n={'/'.join(map(str, numbers))}"]
        for one in self.judgements:
            alike = sum(other.title == one.title for other in self.judgements)
            title = one.title if alike == 1 or one.title.lower() == one.name else one.name
            header.append(f"{title}{'' if one.higher_is_better else ' ↓'} (s_sel/s_opt/p)")
        rows = []
        for name in self.names:
            row = [name]
            for one in self.judgements:
                system = one.system(name)
                p = "-" if name == baseline or not one.pairs else f"{one.pair(name, baseline).p:.2f}"
                score, *spread = (one.shown(x, width) for x in (system.score, system.selection, system.optimisation))
                row.append(f"{score} ({'/'.join(spread)}/{p})")
            rows.append(row)
        return Table(header, rows)

    @property
    def _baseline(self) -> str:
        return self.how.baseline or self.names[0]

    @property
    def _interval_title(self) -> str:
        return f"{100 * self.how.level:g} % interval"

    def _systems_table(self, judgement: Judgement, width: int | None) -> Table:
        """Systems from best to worst, with intervals and clusters; those in the first cluster are bold."""
        clustered = judgement.systems[0].cluster is not None
        header = ["System", "Score", self._interval_title, *(["Cluster"] if clustered else [])]
        header += ["Runs", "s_sel", "s_opt", "Median run"] if self.has_runs else []
        rows = []
        for system in judgement.systems:
            row = [system.name, judgement.shown(system.score, width), judgement.span(system.interval, width)]
            if clustered:
                row.append(str(system.cluster))
            if self.has_runs:
                spread = [judgement.shown(x, width) for x in (system.selection, system.optimisation)]
                row += [str(len(system.runs)), *spread, system.run_names[system.median].rpartition("/")[2]]
            rows.append(row)
        best = {(i, 1) for i, system in enumerate(judgement.systems) if i == 0 or system.cluster == 1}
        return Table(header, rows, self._headline(judgement), best)

    def _pairs_table(self, judgement: Judgement, width: int | None) -> Table:
        """Differences with their intervals and p-values."""
        rows = []
        for pair in judgement.pairs:
            star = "*" if pair.p_adjusted < self.how.alpha else " "
            row = [f"{pair.first} − {pair.second}", judgement.shown(pair.difference, width, "+")]
            row += [judgement.span(pair.interval, width), decimal(pair.effect, 1, "+")]
            rows.append([*row, f"{pair.p:.4f}", f"{pair.p_adjusted:.4f}{star}"])
        return Table(["Difference", "", self._interval_title, "Effect", "p", "p (Holm)"], rows)

    def _notes(self) -> list[str]:
        how, first = self.how, self.judgements[0]
        pairs = f"all {len(first.pairs)} pairs" if len(first.pairs) > 1 else "the pair"
        same = "" if how.baseline else " Systems of one cluster do not differ significantly."
        lines = [
            f"p: probability of a difference at least this large {self._chance()}.",
            f"p (Holm): corrected for {pairs}; * below {how.alpha:g}.{same}",
        ]
        over = f"percentile bootstrap, {100 * how.level:g} %, {how.resamples:,} resamples of the segments"
        if self._as_units:
            over = f"for new runs and segments ({100 * how.level:g} %, by t; {how.resamples:,} resamples of segments)"
        lines.append(f"Interval: {over}. Effect: difference divided by its standard error.")
        if not how.compat:
            lines += few_segments(self.segments, tested=how.test == "bs")
        lines += self._notes_on_external_scores()
        least = len(first.pairs) * first.least_p
        if least >= how.alpha:
            few = "segments" if not first.arrangements else "runs for a test that exchanges them"
            remedy = f"there are too few {few}" if first.exact else "more trials are needed"
            lines.append(f"No p (Holm) can be below {min(least, 1):.2g} here, so nothing is significant: {remedy}.")
        if self.has_runs:
            lines += self._notes_on_runs()
        if how.compat:
            tool = {"sacrebleu": "sacreBLEU", "multeval": "MultEval"}[how.compat]
            lines.append(
                f"compat:{how.compat}: p by the rule of {tool}, which does not count ties as chance; "
                "a copy of a system has the smallest p possible. Without it, p = 1."
            )
        return lines

    def _notes_on_external_scores(self) -> list[str]:
        averaged = [one for one in self.judgements if one.averaged]
        tested = [one.name for one in averaged if one.pairs]
        of = "" if len(tested) == len(self.judgements) else f" by {', '.join(tested)}"
        lines = [f"Scores of systems{of} are means over segments."] if tested else []
        up = ", ".join(one.name for one in averaged if one.higher_is_better)
        if up:
            assumed = f"Higher is assumed to be better for {up} (see lower_is_better)."
            lines = [f"{lines[0]} {assumed}"] if lines else [assumed]
        whole = ", ".join(one.name for one in averaged if not one.pairs)
        if whole:
            lines.append(f"{whole}: scores of whole systems, which have neither intervals nor tests.")
        return [*lines, *self.remarks]

    @property
    def _as_units(self) -> bool:
        return self.has_runs and self.how.runs_as == "units"

    def _chance(self) -> str:
        """Under what p-values are computed."""
        if self._as_units:
            exchanged = ", and if whole runs were exchanged between the systems: the larger of the two"
            both = "by chance in the choice of runs and segments (t, as the interval)"
            return both + (exchanged if self.how.test == "ar" else "")
        if self.how.test == "bs":
            return "over resamples of the segments (twice the fraction that flip its sign)"
        return "if the outputs of every segment were swapped between the systems at random"

    def _notes_on_runs(self) -> list[str]:
        first = self.judgements[0]
        lines = [
            "Score: mean over runs. s_sel: standard deviation over segments; s_opt: over runs.",
            f"p in parentheses: against {self._baseline}"
            + ("." if self._as_units else ", with the runs of a system pooled."),
        ]
        if first.arrangements:
            lines.append(
                f"{first.arrangements}: p is {first.least_p:.2g} at least (the bootstrap test has no bound; "
                f"the stratified test can reach {first.least_stratified_p:.1g}, for these runs alone)."
            )
        if self._as_units and min(len(one.runs) for one in first.systems if len(one.runs) > 1) == 2:
            lines.append("Two runs say little about others: 95 % intervals may cover as few as 84 %.")
        if self.how.runs_as == "stratified":
            lines.append(
                "Stratified test: p and intervals hold for these runs alone. Of equal systems whose runs differ, "
                "27 to 54 % had p below 0.05 in simulations."
            )
        return lines
