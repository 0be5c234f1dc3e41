"""The table of ORANGE in every form."""

from __future__ import annotations

import math

from . import tables
from .results import title_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..judge.orange import Orange
    from ..metrics.base import Metric


def print_results(results: Sequence[Orange], asked: Sequence[Metric], form: str, width: int | None, sort: bool) -> None:
    """Print one row for each metric; `asked` is how they were asked for."""
    rows = [*zip(results, asked, strict=True)]
    if sort:
        rows.sort(key=lambda row: row[0].orange)
    if form == "json":
        import json

        print(json.dumps([as_object(*row, asked, width) for row in rows], indent=1, ensure_ascii=False))
        return
    table = Table(rows, asked, width)
    if form == "tsv":
        more = [[metric.spec, *cells, one.signature] for (one, metric), cells in zip(rows, table.rows, strict=True)]
        print(tables.tsv(["metric", *table.header, "signature"], more))
        return
    if form == "text":
        tables.text(table.header, table.rows, table.best)
        print(note(results))
        comment = "{}"
    else:
        make, comment = (tables.markdown, "- `{}`") if form == "markdown" else (tables.latex, "% {}")
        print(make(table.header, table.rows))
        if form == "markdown":
            print(f"\n{note(results)}\n")
    # A signature is that of the metric, and what all have in common.
    for signature in [*dict.fromkeys(one.metric_signature for one, _ in rows), results[0].judged]:
        print(comment.format(signature))


class Table:
    """The columns of the paper's tables, and what is best."""

    def __init__(self, rows: Sequence[tuple[Orange, Metric]], asked: Sequence[Metric], width: int | None):
        level = f"{100 * rows[0][0].level:g}"
        self.header = ["Method", "ORANGE %", "Avg Rank", f"{level}%-CI-L", f"{level}%-CI-U", "Verdict"]
        percent, places = (2, 1) if width is None else (width, width)
        self.rows = [
            [
                title_of(metric, asked),
                f"{100 * one.orange:.{percent}f}",
                *(f"{x:.{places}f}" for x in (one.average_rank, *one.interval)),
                one.verdict,
            ]
            for one, metric in rows
        ]
        self.best = {(i, 1) for i, (one, _) in enumerate(rows) if one.verdict == "best"}


def note(results: Sequence[Orange]) -> str:
    """How to read the verdicts."""
    first = results[0]
    level, low, high = f"{100 * first.level:g}", first.sizes.min(), first.sizes.max()
    text = "Less is better."
    if len(first.sources) > 1 and len(results) > 1:
        text += f" Equivalent: ORANGE is inside the {level} % interval of the best; worse: it is not."
    if low != high:
        text += (
            f"\nLists have {low} to {high} translations; ORANGE, and so the verdict, takes each rank in its own list."
        )
    return text


def as_object(one: Orange, metric: Metric, asked: Sequence[Metric], width: int | None) -> dict[str, Any]:
    """The JSON object of one metric; nothing is rounded unless that is asked for, and null is not a number."""

    def number(x: float) -> float | None:
        return None if math.isnan(x) else x if width is None else round(x, width)

    return {
        "name": title_of(metric, asked),
        "metric": metric.spec,
        "orange": number(100 * one.orange),
        "average_rank": number(one.average_rank),
        "interval": [*map(number, one.interval)],
        "orange_interval": [number(100 * x) for x in one.orange_interval],
        "level": one.level,
        "verdict": one.verdict,
        "sources": len(one.sources),
        "signature": one.signature,
    }
