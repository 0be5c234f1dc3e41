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
        header, rows, _ = cross(results, width)
        make, comment = (tables.markdown, "- `{}`") if form == "markdown" else (tables.latex, "% {}")
        print(make(header, rows))
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
    """One line for each metric of one system, as sacreBLEU; a table for several."""
    if len({result.system for result in results}) == 1:
        for result in results:
            print(text_line(result.score, width))
        return
    header, rows, best = cross(results, width)
    tables.text(header, rows, best)
    for signature in signatures(results):
        print(signature)


def cross(results: Sequence[Result], width: int | None) -> tuple[list[str], list[list[str]], list[int | None]]:
    """Systems down, metrics across; also where the best of each column is."""
    systems = list(dict.fromkeys(result.system for result in results))
    metrics = list(dict.fromkeys(result.metric for result in results))
    scores = {(r.system, r.metric): r.score for r in results}
    titles = [m.title if m.spec == m.name else m.spec for m in metrics]
    rows = [[system, *(shown(scores[system, m], width) for m in metrics)] for system in systems]
    best: list[int | None] = [None]
    for m in metrics:
        values = [float(scores[system, m]) * (1 if m.higher_is_better else -1) for system in systems]
        best.append(values.index(max(values)))
    return ["System", *titles], rows, best


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
