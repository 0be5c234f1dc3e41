"""`report`: one self-contained HTML file that shows which system is better, where, and how certain that is."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._version import __version__
from ..columns import by_name
from ..errors import InputError, InputTypeError, SpecError
from ..external_options import ExternalOptions
from ..judge.correlation.options import RatingOptions, listing
from ..judge.correlation.rankings import Rankings
from ..judge.significance.compare import criteria_of_texts
from ..judge.significance.comparison import Comparison, Settings
from ..judge.significance.system_tests import Criterion
from ..metrics import expand
from ..metrics import listed as listed_metrics
from ..metrics.base import Metric
from ..parameters import Flag, Options, OrNone, PathName, Whole, param, parameters
from ..readers.texts import check_segments, references_of, systems_of, texts_of
from ..results import Page, Result
from ..segments import References
from ..types import Record, Stage
from ..writers import check_kept, writing, writing_folder
from .contents import maps_of_agreement, overview_data, text_data
from .error_spans import error_spans, renamed
from .evaluation import (
    Evaluation,
    correlated,
    external_criteria,
    given_criteria,
    grouped,
    human_criterion,
    human_ratings,
    judged,
    missing_scores,
)
from .html_page import check_templates, page, page_target, write_page
from .overview import overview_html, overview_values
from .packing import Arrays, packed_json
from .plots import agreement_figures, plots
from .verdict import sentences

#: The views that need texts or statistics, in the order of the tabs.
VIEWS = {"pairs": "Pairs", "segments": "Segments", "buckets": "Buckets", "words": "Words"}

#: The arguments of `report` that may be files to read.
INPUTS = ("systems", "refs", "source", "human", "scores", "docs", "by")


@dataclass(frozen=True)
class ReportOptions(Options):
    """What a report holds, and what else is written."""

    title: str | None = None
    max_texts: int | None = param(
        None, OrNone(Whole(0, 100_000_000)), "embed the texts of the first N segments only (default: of all)"
    )
    no_rows: bool = param(
        False,
        Flag(),
        "embed segment scores instead of the statistics of every segment: a smaller file, in which nothing can be "
        "recomputed under a filter",
    )
    plot: str | None = param(None, PathName("a folder for pictures"), "write the pictures to this folder, as SVG")


@dataclass(frozen=True, eq=False, repr=False)
class Report(Result):
    """A report that was written: where it is, and what it says."""

    path: str
    title: str
    evaluation: Evaluation
    plots: tuple[str, ...] = ()  #: pictures that were written

    @property
    def comparison(self) -> Comparison:
        """Scores, intervals and tests, as `compare` returns them."""
        return self.evaluation.comparison

    @property
    def sentences(self) -> list[str]:
        """What is certain and what is not, in plain words."""
        return sentences(self.comparison)

    def __repr__(self) -> str:
        return f"Report of {len(self.comparison.names)} systems on {self.comparison.segments:,} segments: {self.path}"

    def to_dict(self) -> dict[str, Any]:
        found = {"path": self.path, "title": self.title, "sentences": self.sentences, "plots": [*self.plots]}
        return {**found, "comparison": self.comparison.to_dict()}

    def facts(self) -> Mapping[str, Sequence[Record]]:
        """`systems`: a record per system and metric; `pairs`: one per pair."""
        facts = self.comparison.facts()
        return {"systems": facts["systems"], "pairs": facts["pairs"]}

    def page(self, width: int | None = None) -> Page:
        return Page(lines=[*self.sentences, f"Report: {self.path}", *(f"Picture: {one}" for one in self.plots)])

    def _repr_html_(self) -> str:
        return overview_html(self.comparison)


@listing(ReportOptions, RatingOptions, Settings)
def report(
    systems: Any,
    refs: Any,
    metrics: Sequence[Metric | str] | Metric | str = ("bleu", "chrf", "ter"),
    *,
    path: str | os.PathLike[str] = "report.html",
    source: Any = None,
    human: Any = None,
    scores: Any = (),
    docs: Any = None,
    by: Mapping[str, Any] | None = None,
    title: str | None = None,
    max_texts: int | None = None,
    no_rows: bool = False,
    plot: str | os.PathLike[str] | None = None,
    human_form: str = "scores",
    human_column: str | None = None,
    human_lower_is_better: bool = False,
    mqm_weights: str | Mapping[str, float] | None = None,
    keep_repeats: bool = False,
    first_segment: int = 1,
    lower_is_better: Sequence[str] = (),
    higher_is_better: Sequence[str] = (),
    ignore_unknown: bool = False,
    test: str = "ar",
    trials: int | None = None,
    resamples: int | None = None,
    level: float = 0.95,
    seed: int = 12345,
    command: str | None = None,
    threads: int | None = None,
    progress: Stage | None = None,
) -> Report:
    """Write a report of system outputs: one HTML file that needs no network. See docs/reference/report.md.

    `systems` and `refs` are as for `tricolore.score`. `source` are the source texts; `human` ratings, in any form that
    `correlate` reads; `scores` external segment scores as for `compare`, or arrays by name (systems x segments). `docs`
    is the document of each segment, `by` further columns to group by, by name: lists, or files with one value per line.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "report.html")
    >>> refs = [f"sentence {i} has some more words" for i in range(30)]
    >>> made = report({"good": refs, "bad": [f"sentence {i}" for i in range(30)]}, refs, "chrf", path=path)
    >>> made.sentences
    ['chrF2: good is best (100.0) and beats bad (p < 0.001).']
    """
    return _Gathering({**locals()}).report()


class _Gathering:
    """The arguments of `report`, checked, and the steps from them to an evaluation."""

    def __init__(self, given: Mapping[str, Any]):
        self.given = given
        self.options = ReportOptions(*(given[name] for name in ("title", "max_texts", "no_rows", "plot")))
        self.rating = RatingOptions(*(given[field.name] for field in parameters(RatingOptions)))
        self.how = Settings(*(given[name] for name in ("test", "trials", "resamples", "level", "seed")))
        check_templates()
        self.path = page_target(given["path"])
        check_kept("path", self.path, *(given[name] for name in INPUTS))
        asked = listed_metrics(given["metrics"])
        if not asked:
            raise SpecError("metrics: expected at least one, got none")
        self.metrics = expand(*asked)
        self.outputs, self.references = systems_of(given["systems"]), references_of(given["refs"])
        check_segments(self.outputs, self.references)
        _check_texts(self.outputs)
        self.names = [*self.outputs]
        first, number = self.rating.first_segment, len(self.references)
        self.segments = [str(number) for number in range(first, first + number)]

    def report(self) -> Report:
        """Score, compare, and write."""
        evaluation, command = self.evaluation(), self.given["command"]
        return write_report(evaluation, self.path, self.options, command=command, progress=self.given["progress"])

    def evaluation(self) -> Evaluation:
        """Everything that the report shows."""
        given, progress = self.given, self.given["progress"]
        texts, number = [*self.outputs.values()], len(self.references)
        criteria = criteria_of_texts(self.names, texts, self.references, self.metrics, given["threads"], progress)
        external, notes = self.external()
        kinds = ["metric"] * len(criteria) + ["scores"] * len(external)
        criteria += external
        ratings, correlation = self.ratings(), None
        if ratings is not None:
            people = human_criterion(ratings, self.names, self.segments)
            ranked = (ratings,) if isinstance(ratings, Rankings) else ()
            correlation = correlated(criteria, people, self.names, self.segments, self.how, ranked, progress)
            criteria, kinds = [*criteria, people], [*kinds, "human"]
        return Evaluation(
            judged(criteria, self.names, self.how, progress),
            criteria,
            kinds,
            self.segments,
            texts,
            self.references,
            _source(given["source"], number),
            _groups(given["docs"], given["by"], number),
            renamed(error_spans(given["human"]), self.names) if self.rating.human_form == "mqm" else [],
            correlation,
            [*notes, *_notes(criteria, ratings)],
        )

    def external(self) -> tuple[list[Criterion], list[str]]:
        """Scores from elsewhere, and notes."""
        given = self.given
        if isinstance(given["scores"], Mapping):
            return given_criteria(given["scores"], self.names, len(self.segments)), []
        directions = ExternalOptions(given["lower_is_better"], given["higher_is_better"])
        if not directions.needed(given["scores"]):
            return [], []
        options = replace(directions, ignore_unknown=given["ignore_unknown"], missing="drop")
        beside = [one.spec for one in self.metrics]
        return external_criteria(given["scores"], self.names, len(self.segments), options, beside)

    def ratings(self) -> Any:
        """The human ratings, if there are any."""
        human = self.given["human"]
        if human is None:
            return None
        ratings = human_ratings(human, self.names, self.rating, self.given["ignore_unknown"])
        if ratings.of_systems:
            raise InputError(f"{ratings.path}: rates whole systems; a report shows ratings of segments")
        return ratings


def _check_texts(outputs: Mapping[str, Any]) -> None:
    for name, output in outputs.items():
        if output and not isinstance(output[0], str):
            raise InputTypeError(f"{name}: a report shows texts; expected strings, got {type(output[0]).__name__}")


def _source(source: Any, segments: int) -> Sequence[str]:
    texts = [] if source is None else texts_of(source, "source")
    if source is not None and len(texts) != segments:
        raise InputError(f"source: has {len(texts):,} segments, but the references have {segments:,}")
    return texts


def _groups(docs: Any, by: Mapping[str, Any] | None, segments: int) -> dict[str, list[str]]:
    given = {**({} if docs is None else {"document": docs}), **by_name(by, "by", "{'domain': values}")}
    return {name: grouped(values, name, segments) for name, values in given.items()}


def _notes(criteria: Sequence[Criterion], ratings: Any) -> list[str]:
    """What a reader should know about the data."""
    notes = [*ratings.notes] if ratings is not None else []
    for one in criteria:
        if missing := missing_scores(one.column):
            notes.append(f"{one.title}: {missing:,} of {one.column.segments.size:,} segment scores are missing.")
    return notes


# Writing -----------------------------------------------------------------------------------------------------------


def report_of_comparison(
    comparison: Comparison, path: str | os.PathLike[str], *, title: str | None = None, **how: Any
) -> Report:
    """The report of a comparison that was made already, with its texts if it was made of texts."""
    made_of = comparison.compared
    if made_of is None or comparison.has_runs:
        raise InputError("a report shows one output per system; this comparison has several runs, or not its data")
    kinds = ["metric" if one.metric else "scores" for one in made_of.criteria]
    numbers = made_of.segments(comparison.segments)
    outputs = [[output[i] for i in numbers] for output in made_of.outputs]
    references = made_of.references and References.unchecked([made_of.references.entries[i] for i in numbers])
    segments = [str(number + 1) for number in numbers]
    comparison = replace(comparison, judgements=comparison.judgements[: len(made_of.criteria)])
    evaluation = Evaluation(comparison, made_of.criteria, kinds, segments, outputs, references)
    return write_report(evaluation, page_target(path), ReportOptions(title, **how))


def write_report(
    evaluation: Evaluation,
    path: str,
    options: ReportOptions,
    *,
    command: str | None = None,
    progress: Stage | None = None,
) -> Report:
    """Write the file, and the pictures that were asked for."""
    step = progress("writing the report") if progress else None
    number = len(evaluation.segments) if evaluation.outputs else 0
    texts = number if options.max_texts is None else min(number, options.max_texts)
    title = options.title or _title(evaluation)
    arrays, maps = Arrays(), maps_of_agreement(evaluation)
    data = overview_data(evaluation, arrays, texts=texts, rows=not options.no_rows)
    values = {
        **overview_values(evaluation.comparison),
        "title": title,
        "about": _about(evaluation),
        "version": __version__,
        "views": _views(evaluation, data, maps),
        "notes": [*evaluation.notes, *_cut(texts, number, options)],
        "made": _made(evaluation, command),
        **agreement_figures(evaluation, maps),
    }
    embedded = {
        "data": packed_json(data),
        "numbers": arrays.packed(),
        "texts": packed_json(text_data(evaluation, texts)),
    }
    write_page(path, page("comparison.html", values, script="main.js", data=embedded))
    if step:
        step(1, 1)
    pictures = plots(evaluation, maps) if options.plot else {}
    return Report(path, title, evaluation, tuple(_written(pictures, options.plot)))


def _title(evaluation: Evaluation) -> str:
    names = evaluation.systems
    return names[0] if len(names) == 1 else f"{len(names)} systems compared"


def _about(evaluation: Evaluation) -> str:
    systems, references = len(evaluation.systems), evaluation.references
    parts = [f"{systems} system{'s' * (systems > 1)}", f"{len(evaluation.segments):,} segments"]
    if references is not None:
        low, high = references.counts()
        parts.append(f"{low}{'' if low == high else f' to {high}'} reference{'s' * (high > 1)}")
    if "human" in evaluation.kinds:
        parts.append("human ratings")
    return " · ".join(parts)


def _views(evaluation: Evaluation, data: Mapping[str, Any], maps: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The views that there is something to show in."""
    there = {"pairs": len(evaluation.systems) > 1, "segments": True, "buckets": True, "words": data["texts"] > 0}
    views = [("overview", "Overview"), *((id_, name) for id_, name in VIEWS.items() if there[id_])]
    return [*views, *([("metrics", "Metrics")] if maps else [])]


def _cut(texts: int, number: int, options: ReportOptions) -> list[str]:
    """What was left out of the file, on request."""
    notes = []
    if texts < number:
        notes.append(f"Texts: of the first {texts:,} of {number:,} segments only, as asked for (max_texts={texts}).")
    if options.no_rows:
        notes.append("Statistics of segments are not in this file, as asked for (no_rows): nothing is recomputed.")
    return notes


def _made(evaluation: Evaluation, command: str | None) -> list[tuple[str, str]]:
    how = evaluation.comparison.how
    made = [("Command", command)] if command else []
    test = f"{how.test}, {how.draws:,} draws" if len(evaluation.systems) > 1 else "none: a single system"
    versions = f"tricolore {__version__}, NumPy {np.__version__}, Python {sys.version.split()[0]}"
    return [
        *made,
        ("Test", test),
        ("Intervals", f"{how.resamples:,} bootstrap resamples of the segments, {100 * how.level:g} %"),
        ("Random seed", str(how.seed)),
        ("Versions", versions),
    ]


def _written(pictures: Mapping[str, str], folder: str | None) -> list[str]:
    """Write pictures to a folder; all or none of them appear."""
    if folder is None:
        return []
    with writing_folder(folder) as beside:
        for name, picture in pictures.items():
            with writing(os.fspath(beside / f"{name}.svg")) as file:
                file.write(picture)
    return [os.path.join(folder, f"{name}.svg") for name in pictures]
