"""`correlate`: how well metrics agree with human ratings, with confidence intervals and tests."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...columns import kind_of
from ...errors import InputError, InputTypeError, SpecError
from ...metrics import expand, listed
from ...metrics.base import Metric
from ...parameters import parameters
from ...readers.score_files import ScoreFile
from ...readers.tables import Table
from ...readers.texts import check_segments, is_path, references_of, systems_of
from ...types import Progress, Stage
from ..external_scores import fitted
from ..score_table import Column, ScoreTable
from .agreement import Agreement, agreement, intervals
from .interval_methods import can_disattenuate
from .join_scores import JoinedScores, ScoredSystems, join
from .measures import Measure, measures_for
from .metric_scores import metrics_beside_ratings, scores_by_group, scores_of_table, turned
from .metric_tests import MetricComparison, check_williams, compare_metrics_by
from .options import CORRELATE, CorrelateOptions, listing
from .rating_files import groups_of, opened, ratings_by_group, ratings_of_table
from .result import Correlation, StrawMan
from .straw_men import with_straw_men
from .value_notes import notes_on

#: Without segment scores, tables are resampled rather than systems if there are at least this many.
MANY_TABLES = 10


@listing(*CORRELATE)
def correlate(
    data: Any = None,
    refs: Any = None,
    *,
    human: Any = None,
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    scores: Any = (),
    human_form: str = "scores",
    human_column: str | None = None,
    human_lower_is_better: bool = False,
    mqm_weights: str | Mapping[str, float] | None = None,
    keep_repeats: bool = False,
    first_segment: int = 1,
    columns: Sequence[str] = (),
    lower_is_better: Sequence[str] = (),
    higher_is_better: Sequence[str] = (),
    system_scores: str = "given",
    within: Sequence[str] = (),
    where: Mapping[str, str] | Sequence[str] = (),
    ignore_unknown: bool = False,
    rated_only: bool = False,
    common: bool = False,
    without_noise: bool = False,
    statistics: Sequence[str] | None = None,
    levels: Sequence[str] | None = None,
    by: Sequence[str] | None = None,
    intervals: bool = True,
    samples: int = 1000,
    level: float = 0.95,
    over: str | None = None,
    interval: str | None = None,
    seed: int = 12345,
    test: str | None = None,
    permute: str | None = None,
    shuffles: int = 1000,
    alpha: float = 0.05,
    straw_men: Sequence[str] | None = None,
    straw_score: str | float | None = None,
    threads: int | None = None,
    progress: Stage | None = None,
) -> Correlation:
    """Measure how well metrics agree with human ratings; scores are negated where lower is better.

    `data` is a table of ratings and scores; or, with `human` ratings, files of scores; or, with `refs` too, outputs by
    system, scored by `metrics` (default: bleu), with further `scores` from files. See docs/explanations/correlation.md.

    >>> human, outputs = {"A": [90, 70], "B": [80, 40]}, {"A": ["a cat sat", "he left"], "B": ["a cat", "left he"]}
    >>> found = correlate(outputs, ["a cat sat", "he left"], human=human, metrics=["chrf"], intervals=False)
    >>> found["chrf", "system accuracy"].value
    1.0
    """
    return _MetaEvaluation({**locals()}).result()


class _MetaEvaluation:
    """The arguments of `correlate`, checked, and the steps from them to a result."""

    def __init__(self, given: Mapping[str, Any]):
        self.given = given
        self.options = CorrelateOptions(**{field.name: given[field.name] for field in parameters(CorrelateOptions)})
        self.stage: Stage = given["progress"] or (lambda _: lambda _done, _total: None)
        self.beside = _several(given["scores"])
        self._check()

    def _check(self) -> None:
        """Reject arguments that contradict each other, before any work."""
        human, form, texts = self.given["human"], self.options.human_form, self.given["refs"] is not None
        if texts and human is None:
            raise SpecError("no ratings are given; name them with human=...")
        if texts and not self.beside and (self.options.columns or self.options.lower_is_better):
            name = "columns" if self.options.columns else "lower_is_better"
            raise SpecError(f"{name}=... requires scores from files, scores=...")
        if not texts and self.given["metrics"]:
            raise SpecError("metrics=... requires texts, but only scores are given; columns=... chooses among them")
        if not texts and human is None and form not in ("scores", "da", "da-z"):
            raise SpecError(f"human_form={form!r} requires the ratings in a separate file, human=...")
        if self.options.straw_men is None:
            return
        if not texts:
            raise SpecError("straw_men requires the outputs of systems, but only scores are given")
        if form == "rr" and self.options.straw_score is not None:
            raise SpecError("straw_score: rankings (rr) have no scores; straw men are ranked last")
        if self.beside:
            raise SpecError("straw_men have no scores in files; omit scores=...")

    def joined(self) -> JoinedScores:
        """Read ratings and scores, and join them."""
        self.stage("reading")
        if self.given["refs"] is not None:
            return self._of_texts()
        sources = [*_several(self.given["data"]), *self.beside]
        if not sources:
            raise SpecError("no data is given; name a table, or outputs of systems and their references")
        if self.given["human"] is None:
            if len(sources) > 1:
                raise SpecError("several files are given, but no ratings; name them with human=...")
            return self._of_one_table(sources[0])
        rated = ratings_by_group(self.given["human"], self.options, self.options)
        scores, notes = scores_by_group(sources, self.options, self.options)
        return self._join(rated, {name: ScoredSystems.of_metrics(some) for name, some in scores.items()}, notes)

    def _join(
        self, rated: Any, scored: Mapping[str, ScoredSystems], notes: Sequence[str] = (), **how: Any
    ) -> JoinedScores:
        return join(rated, scored, self.options, means=self.options.system_scores == "means", notes=notes, **how)

    def _of_one_table(self, source: Any) -> JoinedScores:
        table = opened(source, "data")
        if isinstance(table, ScoreFile):
            raise InputError(f"{table.path}: has a single column of scores; name the file of ratings, human=...")
        if not isinstance(table, Table):
            raise InputTypeError(f"data: expected a file or table, got {kind_of(source)}; texts require refs=...")
        ratings, names, notes = metrics_beside_ratings(table, self.options)
        rated, scored = {}, {}
        for group, part in groups_of(table, self.options).items():
            rated[group] = ratings_of_table(part, ratings)
            scored[group] = ScoredSystems.of_metrics(turned(scores_of_table(part, names), self.options))
        return self._join(rated, scored, notes)

    def _of_texts(self) -> JoinedScores:
        """Score outputs, with straw men among the systems."""
        asked = expand(*listed(self.given["metrics"] or "bleu"))
        systems, references = systems_of(self.given["data"]), references_of(self.given["refs"])
        check_segments(systems, references)
        rated = ratings_by_group(self.given["human"], self.options, self.options, [*systems])
        straw: tuple[str, ...] = ()
        if self.options.straw_men is not None:
            score = "worst" if self.options.straw_score is None else self.options.straw_score
            systems, rated, straw = with_straw_men(systems, rated, self.options.straw_men, score, self.options.seed)
        how: dict[str, Any] = {"systems": [*systems], "threads": self.given["threads"]}
        columns = []
        for one in asked:
            progress = self.stage(f"scoring {one.name}")
            column = Column.of_texts(one, [*systems.values()], references, **how, progress=progress)
            columns.append(column.signed(references.origin))
        first = self.options.first_segment
        segments = tuple(str(number) for number in range(first, first + len(references)))
        scored = ScoredSystems("the texts", tuple(systems), segments, tuple(columns))
        others, notes = scores_by_group(self.beside, self.options, self.options, [*systems])
        if set(others) > {""} or (others and "" not in others):
            raise InputError("scores=... beside texts cannot be grouped by within=...; omit that column")
        if others:
            beside = fitted(others[""], [*systems], segments, self.options.ignore_unknown)
            scored = scored.with_metrics(ScoredSystems.of_metrics(beside))
        return self._join(rated, {"": scored}, notes, straw_men=straw)

    def result(self) -> Correlation:
        """Measure every metric by every measure."""
        joined = self.joined()
        measures, real = measures_for(joined, self.options), joined.without_straw_men()
        self._check_test(real, measures)
        if self.options.interval == "disattenuated" and not any(map(can_disattenuate, measures)):
            raise SpecError("interval: 'disattenuated' is for 'segment pearson pooled' and 'segment pearson by system'")
        agreements = agreements_of(real, self.options, measures, self.stage("resampling"))
        with_straw: list[Agreement] = []
        if joined.straw_men:
            with_straw = agreements_of(joined, self.options, measures, self.stage("resampling with straw men"))
        comparisons = self._comparisons(real, measures) if self.options.test else []
        tests, straw, straw_men = tuple(comparisons), tuple(with_straw), tuple(_straw_men(joined))
        notes = notes_on(real, agreements)
        return Correlation(real, tuple(agreements), self.options, tests, straw, straw_men, notes)

    def _check_test(self, joined: JoinedScores, measures: Sequence[Measure]) -> None:
        """Reject an unsupported test, before any work."""
        if self.options.test and len(joined.metrics) < 2:
            raise SpecError(f"a test compares metrics, but there is only one ({joined.metrics[0]}); name two or more")
        if self.options.test == "williams":
            for measure in measures:
                check_williams(measure, len(joined.tables(measure.level)))

    def _comparisons(self, joined: JoinedScores, measures: Sequence[Measure]) -> list[MetricComparison]:
        """Test all pairs of metrics by each measure; measures of a level share their shuffles."""
        found: dict[Measure, MetricComparison] = {}
        for level in dict.fromkeys(measure.level for measure in measures):
            tables, how = joined.tables(level), self.options
            alone = len(tables) == 1 and len(tables[0].segments) < 2  # several tables are swapped one by one
            if how.test == "permutation" and how.permute == "inputs" and alone:
                raise InputError(
                    f"at {level} level there is one score per system, so inputs cannot be swapped; "
                    "choose systems or both"
                )
            test: dict[str, Any] = {"test": how.test, "over": how.permute, "shuffles": how.shuffles, "alpha": how.alpha}
            test |= {"seed": how.seed, "rankings": joined.rankings if level == "segment" else ()}
            asked = [measure for measure in measures if measure.level == level]
            progress = self.stage(f"testing at {level} level")
            tested = compare_metrics_by(tables, joined.metrics, asked, **test, progress=progress)
            found |= {one.measure: one for one in tested}
        return [found[measure] for measure in measures]


def agreements_of(
    joined: JoinedScores, options: CorrelateOptions, measures: Sequence[Measure], progress: Progress
) -> list[Agreement]:
    """Agreements of all metrics, metric by metric, in the order of the measures."""
    found: dict[tuple[str, Measure], Agreement] = {}
    how: dict[str, Any] = {"seed": options.seed, "rankings": joined.rankings}
    for level in dict.fromkeys(measure.level for measure in measures):
        tables, asked = joined.tables(level), [measure for measure in measures if measure.level == level]
        if options.intervals:
            how |= {"samples": options.samples, "level": options.level, "over": _over(tables, level, options.over)}
            how["interval"] = options.interval
            some = intervals(tables, joined.metrics, asked, **how, progress=progress)
        else:
            some = [agreement(tables, metric, each, **how) for metric in joined.metrics for each in asked]
        found |= {(one.metric, one.measure): one for one in some}
    return [found[metric, measure] for metric in joined.metrics for measure in measures]


def _several(sources: Any) -> list[Any]:
    """One file or table, or a list of them, as a list."""
    if sources is None:
        return []
    return [*sources] if isinstance(sources, list | tuple) and not is_path(sources) else [sources]


def _over(tables: Sequence[ScoreTable], level: str, asked: str | None) -> str:
    """What to resample: not segments, where only whole systems have scores.

    Many campaigns with a few systems each are a sample themselves; a few tables hardly are.
    """
    several = all(len(table.segments) > 1 for table in tables)
    if asked in ("segments", "both") and not several:
        raise InputError(
            f"at {level} level there is one score per system, so segments cannot be resampled; choose systems"
        )
    if asked == "tables" and len(tables) < 2:
        raise InputError("there is only one table, so tables cannot be resampled; within=... makes several")
    return asked or ("segments" if several else "tables" if len(tables) >= MANY_TABLES else "systems")


def _straw_men(joined: JoinedScores) -> list[StrawMan]:
    """Scores of the straw men, beside those of the real systems."""
    found = []
    for table in joined.systems if joined.straw_men else ():
        real = [i for i, name in enumerate(table.systems) if name not in joined.straw_men]
        for column in table.metrics:
            scores, oriented = column.systems() * column.scale, column.system_scores()
            ordered = sorted(real, key=lambda i: oriented[i])
            for i, name in enumerate(table.systems):
                if name in joined.straw_men:
                    beaten = sum(bool(oriented[j] <= oriented[i]) for j in real)
                    score, worst, best = (float(scores[k]) for k in (i, ordered[0], ordered[-1]))
                    found.append(StrawMan(table.name, name, column.name, score, worst, best, beaten, len(real)))
    return found
