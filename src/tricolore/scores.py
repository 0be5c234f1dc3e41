"""Score systems with metrics: the numbers, and beside them intervals, tests against the first system, and segments."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import InputError, SpecError, explaining_arguments, shown, unknown
from .external_options import ExternalOptions
from .metrics import expanded, listed, metric
from .parameters import DRAWS, SEED, Choice, Flag, Options, OrNone, Whole, implied, param
from .readers.text_streams import opened
from .readers.texts import check_segments, references_of, systems_of
from .results import Page, Result, Table, decimal
from .scored_cells import STARRED, Cell, External, counted_stream, counted_whole, external_cells
from .segment_files import writing_segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike
    from typing import Any

    from .metrics.base import Metric
    from .readers.text_streams import ReferenceStreams
    from .scoring import Score
    from .segment_scores import SegmentScores
    from .segments import References
    from .types import Progress, Record, SegmentReferences, Stage, Text


#: With more metrics than this they go down the page and the systems across, also where there is one system.
METRICS_ACROSS = 8

#: What tables for programs say of intervals and tests.
TESTED = ("confidence_mean", "confidence_var", "confidence_low", "confidence_high", "p_value")


@dataclass(frozen=True, eq=False, repr=False)
class ScoreTests(Options):
    """Intervals and tests beside scores; see `score`."""

    confidence: bool = param(False, Flag(), "95 % bootstrap confidence interval of every score")
    test: str | None = param(
        None,
        OrNone(Choice(("ar", "bs"))),
        "paired test of each system against the first: ar (approximate randomisation) or bs (bootstrap)",
    )
    resamples: int = param(1000, Whole(2, 100_000_000), "bootstrap resamples")
    trials: int | None = implied(DRAWS, "shuffles of approximate randomisation, test ar (default: 10000)")
    seed: int = param(12345, SEED, "random seed")
    compat: str | None = param(
        None, OrNone(Choice(("sacrebleu",))), "sacrebleu: the intervals and p-values of sacreBLEU 2.6.0, digit by digit"
    )

    def complete(self) -> None:
        if self.trials is not None and self.test != "ar":
            raise SpecError("trials: shuffles require approximate randomisation, test='ar'")

    @property
    def shuffles(self) -> int:
        """Shuffles of approximate randomisation."""
        return 10_000 if self.trials is None else self.trials

    @property
    def intervals(self) -> bool:
        """Whether there are intervals."""
        return self.confidence or self.test == "bs"

    @property
    def asked(self) -> bool:
        """Whether anything is computed beside scores."""
        return self.confidence or self.test is not None


@explaining_arguments
def score(
    systems: Any,
    refs: Any,
    metrics: str | Metric | Sequence[str | Metric] = "bleu",
    *,
    scores: Any = (),
    lower_is_better: Sequence[str] = (),
    higher_is_better: Sequence[str] = (),
    ignore_unknown: bool = False,
    segments: bool | str | PathLike[str] = False,
    texts: bool = False,
    confidence: bool = False,
    test: str | None = None,
    resamples: int = 1000,
    trials: int | None = None,
    seed: int = 12345,
    compat: str | None = None,
    threads: int | None = None,
    progress: Stage | None = None,
) -> Scores:
    r"""Score the outputs of one system or several with one metric or several.

    `systems` is one output (a list or column of texts, or a file), or a mapping of names to outputs. `refs` has the
    references of each segment (a text or a list of texts), or is a file, or a list of `pathlib.Path`. Metrics are
    texts such as `bleu(smooth=7)` or metric objects; `all` is every metric.

    `scores` are external scores of the same systems and segments, shown beside the metrics: files of COMET, MetricX
    and others, also as `"COMET=comet.json"`, or numbers, `{"COMET": {"a": [0.8, 0.7], "b": [0.9, 0.6]}}` (see
    docs/reference/external-scores.md). Lower is better for those in `lower_is_better`, and for those known to count
    errors unless they are in `higher_is_better`. `ignore_unknown=True` drops scores of other systems.

    Files are read block by block, and their texts are not kept, so that they may be longer than memory. They are read
    whole for NIST, which learns from all references first, with `texts=True` or `segments=True`, and where other texts
    are in memory, such as those of test sets.

    `segments=True` keeps the score of every segment as well, in `.segments`; a file name (.tsv, .csv, .jsonl, .parquet)
    writes them there instead, with `texts=True` beside hypotheses and references. `confidence=True` adds bootstrap
    intervals, `test` a paired test of every system against the first: `ar`, approximate randomisation with `trials`
    shuffles, or `bs`, the bootstrap with `resamples`. `compat="sacrebleu"` gives sacreBLEU's own numbers for both.

    >>> refs = ["the cat is on the mat", "it is too late"]
    >>> scores = score(["the cat sat on the mat", "it is late"], refs, ["bleu", "chrf"])
    >>> scores["chrf"]
    chrF2 = 54.42
    >>> found = score({"a": ["the cat sat on the mat", "it is late"], "b": refs}, refs, "bleu")
    >>> round(found["b", "bleu"].points, 1), found["a", "bleu"] < found["b", "bleu"]
    (100.0, True)
    >>> print(found)
    System    BLEU
    ──────────────
    a         32.3
    b        100.0
    <BLANKLINE>
    BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|order:4|...
    """
    how = ScoreTests(confidence, test, resamples, trials, seed, compat)
    asked = expanded(listed(metrics))
    made = [metric(one) for one in asked]
    if not made:
        raise SpecError("metrics: expected at least one, got none")
    corpus = opened(systems, refs, keep=segments is True or texts)
    if corpus is not None and (texts or not all(one.is_prepared for one in made)):
        (systems, refs), corpus = corpus.read(), None
    outputs: Mapping[str, Any] = systems_of(systems) if corpus is None else corpus.outputs
    references: Any = references_of(refs) if corpus is None else corpus.references
    if not outputs:
        raise InputError("systems: expected at least one, got none")
    if how.test and len(outputs) < 2:
        raise InputError(f"test: expected two systems or more, the first being the baseline; got {len(outputs)}")
    check_segments(outputs, references)
    options = ExternalOptions(lower_is_better, higher_is_better, ignore_unknown)  # type: ignore[arg-type]
    given = External(scores, options, [*map(str, asked)], bool(segments)) if options.needed(scores) else None
    with writing_segments(
        segments, systems, refs, scores
    ) as target:  # opened first: a file that cannot be written costs no work
        if corpus is None:
            external = given.read(outputs, len(references)) if given else ()
            ready = [one.ready_for(references) for one in made]
            found = counted_whole(ready, outputs, references, how, bool(segments), threads, progress)
        else:
            found = counted_stream(made, corpus, how, target, segments is True, threads, progress)
            external = given.read(outputs, len(references)) if given else ()
        beside = external_cells(external, [*outputs], how, progress)
        cells = (cell.with_origin(references.origin) for name in outputs for cell in (*found[name], *beside[name]))
        names = (*map(str, asked), *(one.metric.name for one in external))
        result = Scores(names, tuple(cells), how, outputs, references, tuple(given.notes if given else ()))
        if target:
            target.write(result, texts)
    return result


def score_all(
    metrics: Sequence[str | Metric],
    hyps: Sequence[Text],
    refs: Sequence[SegmentReferences] | References,
    *,
    scores: Any = (),
    threads: int | None = None,
    progress: Progress | None = None,
) -> Scores:
    r"""Score one output with several metrics; the result is a sequence of scores, also indexed by the text of a metric.

    External `scores` stand beside the others, as in `score`: files, or numbers such as `{"COMET": [0.8, 0.7]}`.

    >>> scores = score_all(["rouge-1", "rouge-l", "wer"], ["police kill the gunman"], ["police killed the gunman"])
    >>> scores["rouge-l"]
    ROUGE-L = 75.00 (P = 75.00 R = 75.00)
    >>> print(*scores, sep="\n")
    ROUGE-1 = 75.00 (P = 75.00 R = 75.00)
    ROUGE-L = 75.00 (P = 75.00 R = 75.00)
    WER = 25.00 (edits = 1 hyp_len = 4 ref_len = 4)
    """
    if isinstance(metrics, str):
        raise SpecError(f"metrics: expected a list of them, got one text; write [{shown(metrics)}]")
    stage: Stage | None = (lambda _: progress) if progress else None
    return score({"system": hyps}, refs, metrics, scores=scores, threads=threads, progress=stage)


class Scores(Result):
    """Scores of systems by metrics, in the order asked for.

    `scores["bleu"]` is the score of the only system by the metric typed so; of several systems it is
    `scores["system", "bleu"]`. `scores[0]`, iteration and `len` go through all scores, system by system.
    """

    def __init__(
        self,
        asked: tuple[str, ...],
        cells: tuple[Cell, ...],
        how: ScoreTests,
        outputs: Mapping[str, Any],
        references: References | ReferenceStreams,
        notes: tuple[str, ...] = (),
    ):
        self.asked = asked  #: the metrics as they were typed
        self.cells = cells
        self.how = how
        self.outputs = outputs  #: the texts, or files that have been read
        self.references = references
        self.notes = notes  #: on external scores

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(self.outputs)

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, as they are."""
        return tuple(cell.score.metric for cell in self.cells[: len(self.asked)])

    def __len__(self) -> int:
        return len(self.cells)

    def __iter__(self) -> Iterator[Score]:
        return (cell.score for cell in self.cells)

    def __getitem__(self, key: Any) -> Score:
        return self.cell(key).score

    def cell(self, key: Any) -> Cell:
        """A score with all that was computed beside it: by number, by metric, or by system and metric."""
        if isinstance(key, int):
            return self.cells[key]
        if isinstance(key, tuple) and len(key) == 2:
            system, asked = key
        elif len(self.systems) > 1:
            raise unknown("score", key, [f"{system!r}, {one!r}" for system in self.systems for one in self.asked])
        else:
            system, asked = self.systems[0], key
        if system not in self.systems:
            raise unknown("system", system, self.systems)
        return self.cells[self.systems.index(system) * len(self.asked) + self._number(asked)]

    def _number(self, asked: Any) -> int:
        """Which metric is meant: by the text it was typed as, its spec, its title, or the metric itself."""
        for names in (
            self.asked,
            [one.spec for one in self.metrics],
            [one.title for one in self.metrics],
            self.metrics,
        ):
            if asked in names:
                return list(names).index(asked)
        from .old_habits import instead
        from .other_packages import OF_SCORES

        error = unknown("metric", asked, self.asked)
        error.args = (f"{error}{instead(OF_SCORES, asked) if isinstance(asked, str) else ''}",)
        raise error

    @property
    def segments(self) -> SegmentScores:
        """The scores of single segments, where they were kept (`score(..., segments=True)`)."""
        from .segment_scores import SegmentScores

        if self.cells[0].rows is None:
            raise InputError("the scores of segments were not kept; score with segments=True")
        return SegmentScores(self)

    def __repr__(self) -> str:
        if len(self.systems) == 1:
            return "\n".join(score.line() for score in self)
        return f"Scores of {len(self.systems)} systems by {', '.join(self.asked)}; print() shows the table"

    def to_dict(self) -> dict[str, Any]:
        """Every score under sacreBLEU's keys, and ours."""
        return {"scores": [cell.to_dict(self.how.test is not None) for cell in self.cells]}

    def to_json(self) -> Any:
        """As in sacreBLEU: an object for one score, a list of objects for several."""
        scores = self.to_dict()["scores"]
        return scores[0] if len(scores) == 1 else scores

    def facts(self) -> Mapping[str, Sequence[Record]]:
        records = []
        for found in self.to_dict()["scores"]:
            beside = [key for key in TESTED if key in found]
            keys = ("system", "metric", "score", "value", *beside, "signature")
            records.append({key: found[key] for key in keys})
        columns = dict.fromkeys(key for record in records for key in record)  # not every score has an interval
        return {"scores": [{key: record.get(key) for key in columns} for record in records]}

    def numbers(self, width: int | None = None) -> list[str]:
        """Bare points: a line for each metric, or for several systems a line for each system."""
        M = len(self.asked)
        rows = [[one.shown(width, alone=True) for one in self.cells[i : i + M]] for i in range(0, len(self.cells), M)]
        return rows[0] if len(rows) == 1 else ["\t".join(row) for row in rows]

    def text_page(self, width: int | None = None) -> Page:
        """As sacreBLEU: one line for each metric of one system, a table for several systems or many metrics."""
        if len(self.systems) > 1 or len(self.asked) > METRICS_ACROSS:
            return self.page(width)
        lines = (f"{one.signature} = {one.shown(width, alone=True)} {one.score.verbose}" for one in self.cells)
        return Page(lines=[line.rstrip() for line in lines], notes=self._notes())

    def page(self, width: int | None = None) -> Page:
        """Systems down and metrics across, or the other way round where the metrics are many."""
        M, systems = len(self.asked), self.systems
        rows = [self.cells[i : i + M] for i in range(0, len(self.cells), M)]
        titles = [one.title_among(self.metrics) + ("" if one.higher_is_better else " ↓") for one in self.metrics]
        spans = [" (μ ± 95% CI)" if one.beside and one.beside.confidence else "" for one in self.cells[:M]]
        titles = [title + span for title, span in zip(titles, spans, strict=True)]
        names = [f"Baseline: {name}" if self.how.test and i == 0 else name for i, name in enumerate(systems)]
        shown = [[one.shown(width) for one in row] for row in rows]
        best = {(_best([row[c].score for row in rows]), c) for c in range(M)} if len(systems) > 1 else set()
        if M > METRICS_ACROSS and len(systems) <= M:
            across = [[title, *column] for title, column in zip(titles, zip(*shown, strict=True), strict=True)]
            table = Table(["Metric", *names], across, best={(c, r + 1) for r, c in best})
        else:
            down = [[name, *row] for name, row in zip(names, shown, strict=True)]
            table = Table(["System", *titles], down, best={(r, c + 1) for r, c in best})
        return Page([table], self._notes(), list(dict.fromkeys(one.signature for one in self.cells)))

    def _notes(self) -> list[str]:
        """What was tested, in words, and the caution about intervals over few segments."""
        intervals = (cell.beside.confidence for cell in self.cells if cell.beside and cell.beside.confidence)
        few = [note for one in intervals for note in one.notes][:1]
        if self.how.test is None:
            return [*few, *self.notes]
        kind = "paired approximate randomisation" if self.how.test == "ar" else "the paired bootstrap"
        notes = [
            f"p: probability of a difference from the baseline at least this large by chance, by {kind}; "
            f"* below {STARRED}.",
            "For many systems, 'tricolore compare' corrects for their number.",
        ]
        if self.how.compat:
            number = self.how.shuffles if self.how.test == "ar" else self.how.resamples
            notes.append(
                "compat:sacrebleu does not count ties as chance, so a copy of the baseline has p = "
                f"{decimal(1 / (number + 1), 4)}*; without it, p = 1."
            )
        return [*notes, *few, *self.notes]


def _best(scores: Sequence[Score]) -> int:
    choose = max if scores[0].metric.higher_is_better else min
    return scores.index(choose(scores))
