"""Results of scoring, in every form: lines, tables, JSON, and a file of segments."""

from __future__ import annotations

from . import tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TextIO

    from ..metrics.base import Metric
    from ..score import Score

FORMATS = ("text", "json", "tsv", "markdown", "latex")


class Segments:
    """Scores of segments, and how they were computed."""

    __slots__ = ("signature", "values")

    def __init__(self, values: Any, signature: str):
        self.values = values
        self.signature = signature


class Result:
    """One cell of the table."""

    __slots__ = ("metric", "score", "segments", "system")

    def __init__(self, system: str, metric: Metric, score: Score, segments: Segments | None = None):
        self.system = system
        self.metric = metric
        self.score = score
        self.segments = segments


def shown(score: Score, width: int | None) -> str:
    """The number with the digits asked for, or as many as the metric's users expect."""
    return score.display(score.metric.display_digits if width is None else width)


def text_line(score: Score, width: int | None) -> str:
    """One line as sacreBLEU prints it."""
    return f"{score.signature} = {shown(score, width)} {score.verbose}".rstrip()


def print_results(results: Sequence[Result], form: str, width: int | None, numbers_only: bool) -> None:
    """Print in the form asked for."""
    if numbers_only:
        print_numbers(results, width)
    elif form == "text":
        print_text(results, width)
    elif form == "json":
        import json

        objects = [as_object(result.score, width, system=result.system) for result in results]
        print(json.dumps(objects[0] if len(objects) == 1 else objects, indent=1, ensure_ascii=False))
    elif form == "tsv":
        rows = [[r.system, r.metric.spec, shown(r.score, width), r.score.signature] for r in results]
        print(tables.tsv(["system", "metric", "score", "signature"], rows))
    else:
        table = Table(results, width)
        make, comment = (tables.markdown, "- `{}`") if form == "markdown" else (tables.latex, "% {}")
        print(make(table.header, table.rows))
        if form == "markdown":
            print()
        for signature in signatures(results):
            print(comment.format(signature))


def print_numbers(results: Sequence[Result], width: int | None) -> None:
    """Bare numbers: a line for each metric, or for several systems a line for each system."""
    systems = list(dict.fromkeys(result.system for result in results))
    separator = "\n" if len(systems) == 1 else "\t"
    for system in systems:
        print(separator.join(shown(r.score, width) for r in results if r.system == system))


def print_text(results: Sequence[Result], width: int | None) -> None:
    """One line for each metric of one system, as sacreBLEU; a table for several systems or many metrics."""
    if len({result.system for result in results}) == 1 and len(results) <= METRICS_ACROSS:
        for result in results:
            print(text_line(result.score, width))
        return
    table = Table(results, width)
    tables.text(table.header, table.rows, table.best)
    for signature in signatures(results):
        print(signature)


#: With more metrics than this they go down the page and the systems across, also where there is one system.
METRICS_ACROSS = 8


class Table:
    """Systems down and metrics across, or the other way round where the metrics are many."""

    def __init__(self, results: Sequence[Result], width: int | None):
        systems = list(dict.fromkeys(result.system for result in results))
        metrics = list(dict.fromkeys(result.metric for result in results))
        scores = {(r.system, r.metric): r.score for r in results}
        titles = [title_of(m, metrics) + ("" if m.higher_is_better else " ↓") for m in metrics]
        cells = [[shown(scores[system, m], width) for m in metrics] for system in systems]
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
    return list(dict.fromkeys(result.score.signature for result in results))


def as_object(score: Score, width: int | None, **first: Any) -> dict[str, Any]:
    """The JSON object of a score: sacreBLEU's keys, and ours."""
    return {
        **first,
        "name": score.metric.title,
        "score": float(shown(score, width)),
        "signature": score.signature,
        "verbose_score": score.verbose,
        "metric": score.metric.spec,
        "scale": score.metric.display_scale,
        **score.metric.signature_items(score.nrefs, score.ids),
    }


def write_segments(stream: TextIO, path: str, results: Sequence[Result]) -> None:
    """Write a row for each system, segment and metric, the corpus first; values as printed, but in full.

    The metric is named as it was asked for; the signature says how that very number was computed.
    """
    import json

    as_json = path.removesuffix(".gz").removesuffix(".zst").endswith(".jsonl")
    columns = ("system", "segment", "metric", "score", "signature")
    if not as_json:
        print(*columns, sep="\t", file=stream)
    for result in results:
        scale = result.metric.display_scale
        rows: list[tuple[Any, float, str]] = [("corpus", float(result.score) * scale, result.score.signature)]
        if result.segments is not None:
            values = (result.segments.values * scale).tolist()
            rows += [(number, value, result.segments.signature) for number, value in enumerate(values, 1)]
        for segment, value, signature in rows:
            row = (tables.cell(result.system), segment, result.metric.spec, value, signature)
            if as_json:
                print(json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False), file=stream)
            else:
                print(*row, sep="\t", file=stream)
