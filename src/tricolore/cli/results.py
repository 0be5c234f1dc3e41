"""Results of scoring, in every form: lines, tables, JSON, and a file of segments."""

from __future__ import annotations

from ..compression import without_suffix
from . import tables
from .printing import as_json, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TextIO

    from ..judge.significance.intervals import Confidence
    from ..metrics.base import Metric
    from ..scoring import Score

FORMATS = ("text", "json", "tsv", "markdown", "latex")


class Segments:
    """Scores of segments, and how they were computed."""

    __slots__ = ("signature", "values")

    def __init__(self, values: Any, signature: str):
        self.values = values
        self.signature = signature


class Judged:
    """What is known of a score beside it: an interval, a p-value, and what that adds to the signature."""

    __slots__ = ("compat", "confidence", "items", "p_value", "paired")

    def __init__(
        self,
        confidence: Confidence | None,
        p_value: float | None,
        items: dict[str, Any],
        paired: bool,
        compat: str | None,
    ):
        self.confidence = confidence
        self.p_value = p_value  #: None for the baseline
        self.items = items
        self.paired = paired
        self.compat = compat

    def numbers(self, scale: float, digits: int) -> dict[str, Any]:
        """Everything, under sacreBLEU's names where it has them, with so many digits after the point."""
        found: dict[str, Any] = {}
        if self.confidence is not None:
            it = self.confidence
            mean, var, low, high = (round(x * scale, digits) for x in (it.mean, it.half_width, it.low, it.high))
            found = {"confidence_mean": mean, "confidence_var": var, "confidence": it.shown(digits, self.compat)}
            found |= {"confidence_low": low, "confidence_high": high, "confidence_level": it.level}
        return found | ({"p_value": self.p_value} if self.paired else {})


class Result:
    """One cell of the table."""

    __slots__ = ("judged", "metric", "score", "segments", "system")

    def __init__(
        self,
        system: str,
        metric: Metric,
        score: Score,
        segments: Segments | None = None,
        judged: Judged | None = None,
    ):
        self.system = system
        self.metric = metric
        self.score = score
        self.segments = segments
        self.judged = judged

    @property
    def signature(self) -> str:
        """The signature of the score and of what was done beside scoring."""
        if self.judged is None:
            return self.score.signature
        from ..judge.significance.intervals import with_items

        return with_items(self.score.signature, self.judged.items)

    def cell(self, width: int | None, alone: bool = False) -> str:
        """The number, perhaps with its interval and p-value, as in sacreBLEU's tables or in its lines."""
        text = shown(self.score, width)
        if self.judged is None:
            return text
        digits = self.metric.display_digits if width is None else width
        if self.judged.confidence is not None:
            if alone:
                return f"{text} ({self.judged.confidence.shown(digits, self.judged.compat)})"
            found = self.judged.numbers(self.metric.display_scale, digits)
            text += f" ({found['confidence_mean']:.{digits}f} ± {found['confidence_var']:.{digits}f})"
        if self.judged.p_value is not None:
            text += f" (p = {self.judged.p_value:.4f})"
        return text


def shown(score: Score, width: int | None) -> str:
    """The number with the digits asked for, or as many as the metric's users expect."""
    return score.display(score.metric.display_digits if width is None else width)


def text_line(score: Score, width: int | None) -> str:
    """One line as sacreBLEU prints it."""
    return f"{score.signature} = {shown(score, width)} {score.verbose}".rstrip()


def print_results(
    results: Sequence[Result], form: str, width: int | None, numbers_only: bool, notes: Sequence[str] = ()
) -> None:
    """Print in the form asked for; notes for people stand below tables."""
    if numbers_only:
        print_numbers(results, width)
    elif form == "text":
        print_text(results, width, notes)
    elif form == "json":
        objects = [as_object(result.score, width, result.judged, system=result.system) for result in results]
        print(as_json(objects[0] if len(objects) == 1 else objects, indent=1))
    elif form == "tsv":
        print_tsv(results, width)
    else:
        table = Table(results, width)
        make, comment = (tables.markdown, "- `{}`") if form == "markdown" else (tables.latex, "% {}")
        print(make(table.header, table.rows))
        if form == "markdown":
            print()
        for signature in signatures(results):
            show(comment.format(signature))
        if notes and form == "markdown":
            print()
        for note in notes:
            show(note if form == "markdown" else f"% {note}")


def print_tsv(results: Sequence[Result], width: int | None) -> None:
    """A line for each system and metric."""
    header, rows = ["system", "metric", "score"], []
    for r in results:
        row = [r.system, r.metric.spec, shown(r.score, width)]
        if r.judged is not None:
            digits = r.metric.display_digits if width is None else width
            found = r.judged.numbers(r.metric.display_scale, digits)
            found = {key: found[key] for key in TESTED if key in found}
            header = ["system", "metric", "score", *found]
            row += ["" if value is None else f"{value:.{digits}f}" for key, value in found.items() if key != "p_value"]
            row += ["" if value is None else f"{value:.6g}" for key, value in found.items() if key == "p_value"]
        rows.append([*row, r.signature])
    print(tables.tsv([*header, "signature"], rows))


#: What a table for programs says of intervals and tests.
TESTED = ("confidence_mean", "confidence_var", "confidence_low", "confidence_high", "p_value")


def print_numbers(results: Sequence[Result], width: int | None) -> None:
    """Bare numbers: a line for each metric, or for several systems a line for each system."""
    systems = list(dict.fromkeys(result.system for result in results))
    separator = "\n" if len(systems) == 1 else "\t"
    for system in systems:
        print(separator.join(r.cell(width, alone=True) for r in results if r.system == system))


def print_text(results: Sequence[Result], width: int | None, notes: Sequence[str] = ()) -> None:
    """One line for each metric of one system, as sacreBLEU; a table for several systems or many metrics."""
    if len({result.system for result in results}) == 1 and len(results) <= METRICS_ACROSS:
        for result in results:
            show(f"{result.signature} = {result.cell(width, alone=True)} {result.score.verbose}".rstrip())
        return
    table = Table(results, width)
    tables.text(table.header, table.rows, table.best)
    for signature in signatures(results):
        show(signature)
    if notes:
        show("", *notes)


#: With more metrics than this they go down the page and the systems across, also where there is one system.
METRICS_ACROSS = 8


class Table:
    """Systems down and metrics across, or the other way round where the metrics are many."""

    def __init__(self, results: Sequence[Result], width: int | None):
        systems = list(dict.fromkeys(result.system for result in results))
        metrics = list(dict.fromkeys(result.metric for result in results))
        scores = {(r.system, r.metric): r.score for r in results}
        cell = {(r.system, r.metric): r.cell(width) for r in results}
        titles = [title_of(m, metrics) + ("" if m.higher_is_better else " ↓") for m in metrics]
        if any(r.judged is not None and r.judged.confidence is not None for r in results):
            titles = [f"{title} (μ ± 95% CI)" for title in titles]
        cells = [[cell[system, m] for m in metrics] for system in systems]
        best = {(_best_of(m, [scores[system, m] for system in systems]), c) for c, m in enumerate(metrics)}
        if len(metrics) > METRICS_ACROSS and len(metrics) >= len(systems):
            self.header = ["Metric", *systems]
            self.rows = [[title, *column] for title, column in zip(titles, zip(*cells, strict=True), strict=True)]
            self.best = {(column, row + 1) for row, column in best}
        else:
            self.header = ["System", *titles]
            self.rows = [[system, *row] for system, row in zip(systems, cells, strict=True)]
            self.best = {(row, column + 1) for row, column in best}
        if len(systems) == 1:  # nothing to be better than
            self.best = set()


def title_of(metric: Metric, among: Sequence[Metric]) -> str:
    """Its name in print, or what was asked for where others have the same name."""
    alone = sum(other.title == metric.title for other in among) == 1
    return metric.title if alone or metric.spec == metric.name else metric.spec


def _best_of(metric: Metric, scores: Sequence[Score]) -> int:
    values = [float(score) * (1 if metric.higher_is_better else -1) for score in scores]
    return values.index(max(values))


def signatures(results: Sequence[Result]) -> list[str]:
    """Each signature once."""
    return list(dict.fromkeys(result.signature for result in results))


def as_object(score: Score, width: int | None, judged: Judged | None = None, **first: Any) -> dict[str, Any]:
    """The JSON object of a score: sacreBLEU's keys, and ours."""
    signature, found, items = score.signature, {}, {}
    if judged is not None:
        from ..judge.significance.intervals import with_items

        digits = score.metric.display_digits if width is None else width
        signature, items = with_items(signature, judged.items), judged.items
        found = judged.numbers(score.metric.display_scale, digits)
    return {
        **first,
        "name": score.metric.title,
        "score": float(shown(score, width)),
        "signature": signature,
        **found,
        "verbose_score": score.verbose,
        "metric": score.metric.spec,
        "scale": score.metric.display_scale,
        **score.metric.signature_items(score.nrefs, score.ids),
        **items,
    }


def write_segments(stream: TextIO, path: str, results: Sequence[Result]) -> None:
    """Write a row for each system, segment and metric, the corpus first; values as printed, but in full.

    The metric is named as it was asked for; the signature says how that very number was computed.
    """
    to_json = without_suffix(path).endswith(".jsonl")
    columns = ("system", "segment", "metric", "score", "signature")
    if not to_json:
        print(*columns, sep="\t", file=stream)
    for result in results:
        scale = result.metric.display_scale
        rows: list[tuple[Any, float, str]] = [("corpus", float(result.score) * scale, result.score.signature)]
        if result.segments is not None:
            values = (result.segments.values * scale).tolist()
            rows += [(number, value, result.segments.signature) for number, value in enumerate(values, 1)]
        for segment, value, signature in rows:
            row = (tables.name(result.system), segment, result.metric.spec, value, tables.name(signature))
            if to_json:
                print(as_json(dict(zip(columns, row, strict=True))), file=stream)
            else:
                print(*row, sep="\t", file=stream)
