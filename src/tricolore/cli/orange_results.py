"""The table of ORANGE in every form."""

from __future__ import annotations

import math

from ..compression import without_suffix
from . import tables
from .printing import as_json, show
from .results import title_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TextIO

    from ..judge.orange.ranking import Orange


def print_results(results: Sequence[Orange], form: str, width: int | None, sort: bool) -> None:
    """Print one row for each metric, in their order or the best first."""
    results = sorted(results, key=lambda one: one.orange) if sort else results
    if form == "json":
        print(as_json([as_object(one, results, width) for one in results], indent=1))
        return
    table = Table(results, width)
    if form == "tsv":
        rows = [[one.metric.spec, *row, one.signature] for one, row in zip(results, table.rows, strict=True)]
        print(tables.tsv(["metric", *table.header, "signature"], rows))
        return
    if form == "text":
        tables.text(table.header, table.rows, table.best)
        show(note(results))
        comment = "{}"
    else:
        make, comment = (tables.markdown, "- `{}`") if form == "markdown" else (tables.latex, "% {}")
        print(make(table.header, table.rows))
        if form == "markdown":
            show("", note(results), "")
    # A signature is that of the metric, and what all have in common.
    for signature in [*dict.fromkeys(one.metric_signature for one in results), results[0].judged]:
        show(comment.format(signature))


def title(one: Orange, among: Sequence[Orange]) -> str:
    """What the metric is called in a table of these."""
    return title_of(one.metric, [other.metric for other in among])


class Table:
    """The columns of the paper's tables, and what is best."""

    def __init__(self, results: Sequence[Orange], width: int | None):
        level = f"{100 * results[0].level:g}"
        self.header = ["Method", "ORANGE %", "Avg Rank", f"{level}%-CI-L", f"{level}%-CI-U", "Verdict"]
        percent, places = (2, 1) if width is None else (width, width)
        self.rows = [
            [
                title(one, results),
                f"{100 * one.orange:.{percent}f}",
                *(f"{x:.{places}f}" for x in (one.average_rank, *one.interval)),
                one.verdict,
            ]
            for one in results
        ]
        self.best = {(i, 1) for i, one in enumerate(results) if one.verdict == "best"}


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


def as_object(one: Orange, among: Sequence[Orange], width: int | None) -> dict[str, Any]:
    """The JSON object of one metric; nothing is rounded unless that is asked for, and null is not a number."""

    def number(x: float) -> float | None:
        return None if math.isnan(x) else x if width is None else round(x, width)

    return {
        "name": title(one, among),
        "metric": one.metric.spec,
        "orange": number(100 * one.orange),
        "average_rank": number(one.average_rank),
        "interval": [*map(number, one.interval)],
        "orange_interval": [number(100 * x) for x in one.orange_interval],
        "level": one.level,
        "verdict": one.verdict,
        "sources": len(one.sources),
        "signature": one.signature,
    }


def write_ranks(stream: TextIO, path: str, results: Sequence[Orange]) -> None:
    """Write a row for each metric and source, numbered from 0."""
    to_json = without_suffix(path).endswith(".jsonl")
    columns = ("metric", "source", "rank", "candidates", "orange", "signature")
    if not to_json:
        print(*columns, sep="\t", file=stream)
    for one in results:
        for source, rank, size in zip(one.sources.tolist(), one.ranks.tolist(), one.sizes.tolist(), strict=True):
            row = (one.metric.spec, source, rank, size, 100 * rank / (size + 1), one.signature)
            if to_json:
                print(as_json(dict(zip(columns, row, strict=True))), file=stream)
            else:
                print(*(tables.name(str(item)) for item in row), sep="\t", file=stream)
