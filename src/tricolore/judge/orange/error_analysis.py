"""The error analysis of ORANGE: for each source, the candidates that a metric ranks above the references.

Lin & Och (2004) propose it to improve metrics (section 4), and to find out whether candidates ranked above the
references are equally good (section 5).
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TextIO

from ...compression import without_suffix
from ...metrics.base import Metric
from ...printable import printable
from ...rendering import cell
from ...rendering import json as as_json
from ...writers import writing
from .ranking import Ranking
from .results import MetricOrange


@contextmanager
def writing_errors(path: str | None, *about: Any, **limits: Any) -> Iterator[ErrorFile | None]:
    """Open a file for the error analysis: .txt, .tsv or .jsonl; see `ErrorFile` for the other arguments."""
    if path is None:
        yield None
        return
    form = os.path.splitext(without_suffix(path))[1]
    kept: dict[str, Any] = {"encoding": "utf-8", "newline": "\n", "errors": "surrogatepass"}
    with writing(path) as stream, tempfile.TemporaryFile("w+", **kept) as notes:
        yield ErrorFile(stream, notes, form, *about, **limits)


@dataclass
class ErrorFile:
    """Keeps notes on every source in a temporary file, and writes them when the worst sources are known."""

    stream: TextIO
    notes: TextIO
    form: str
    metric: Metric
    by: int  #: its number among the metrics
    source: list[str] | None  #: the source text
    ties: str
    most: int | None = None  #: how many sources are written
    candidates: int | None = None  #: how many candidates of a source
    noted: list[tuple[float, int, int]] = field(default_factory=list)  #: -ORANGE, source, position of the note

    def add(self, ranking: Ranking) -> None:
        """Take a note of a source that has a candidate above its references."""
        if ranking.beaten[self.by].any():
            self.noted.append((-float(ranking.ratios[self.by]), ranking.source, self.notes.tell()))
            print(json.dumps(self._described(ranking)), file=self.notes)

    def _described(self, ranking: Ranking) -> dict[str, Any]:
        i, scale = self.by, self.metric.display_scale
        scores = (scale * ranking.reference_scores[i]).tolist()
        ranks = ranking.reference_ranks(i, self.metric, self.ties).tolist()
        above = self._above(ranking)
        return {
            "source": ranking.source,
            **({} if self.source is None else {"text": self.source[ranking.source]}),
            "rank": float(ranking.ranks[i]),
            "candidates": len(ranking.texts),
            "orange": 100 * float(ranking.ratios[i]),
            "references": [
                {"score": score, "rank": rank, "text": text}
                for score, rank, text in zip(scores, ranks, ranking.references, strict=True)
            ],
            "number_above": sum(one["times"] for one in above),
            "above": above[: self.candidates],
        }

    def _above(self, ranking: Ranking) -> list[dict[str, Any]]:
        """The distinct candidates above the references, the best first; places count from 1."""
        scores, beaten = self.metric.display_scale * ranking.scores[self.by], ranking.beaten[self.by]
        above: dict[str, dict[str, Any]] = {}
        for i in beaten.nonzero()[0].tolist():
            text = ranking.texts[i]
            new = {"place": i + 1, "times": 0, "beats": int(beaten[i]), "score": float(scores[i]), "text": text}
            above.setdefault(text, new)["times"] += 1
        sign = -1 if self.metric.higher_is_better else 1
        return sorted(above.values(), key=lambda one: (sign * one["score"], one["place"]))

    def write(self, result: MetricOrange) -> None:
        """Write the worst sources first; `result` has the sources that were judged in the end."""
        judged = set(result.sources.tolist())
        chosen = sorted(one for one in self.noted if one[1] in judged)
        if self.form == ".txt":
            print(text_head(result, len(chosen)), file=self.stream)
        elif self.form == ".tsv":
            print(*COLUMNS, sep="\t", file=self.stream)
        for _, _, where in chosen[: self.most]:
            self.notes.seek(where)
            SOURCES[self.form](self.stream, json.loads(self.notes.readline()), result)


# Text ------------------------------------------------------------------------------------------------------


def text_head(result: MetricOrange, number: int) -> str:
    """A summary of the analysis."""
    by_rank = "|average:rank|" in result.signature
    against = "every reference's score against the others" if by_rank else "their mean score"
    return (
        f"Translations that {result.metric.title} ranks above the references of their source ({against}).\n"
        f"{number} of {len(result.sources)} sources have any. ORANGE = {100 * result.orange:.2f} %, "
        f"average rank {result.average_rank:.1f}. The worst source comes first; places are those in the n-best list.\n"
        f"{printable(result.signature)}"
    )


def text_source(stream: TextIO, one: dict[str, Any], result: MetricOrange) -> None:
    """One source with its references and the candidates above them."""
    digits = result.metric.display_digits + 1
    of = one["candidates"] + 1
    print(f"\nSource {one['source']}: rank {one['rank']:g} of {of}, {one['orange']:.2f} %", file=stream)
    if "text" in one:
        print(f"  source{'':26}{one['text']}", file=stream)
    for reference in one["references"]:
        rank = f"rank {reference['rank']:g}"
        print(f"  reference {reference['score']:9.{digits}f}  {rank:<12} {reference['text']}", file=stream)
    print(f"  above: {one['number_above']} of {one['candidates']} translations", file=stream)
    several = len(one["references"]) if "|average:rank|" in result.signature else 0
    for candidate in one["above"]:
        place = f"#{candidate['place']}"
        more = f"  (×{candidate['times']})" if candidate["times"] > 1 else ""
        more += f"  (above {candidate['beats']} of {several} references)" if several else ""
        print(f"            {candidate['score']:9.{digits}f}  {place:<12} {candidate['text']}{more}", file=stream)
    left = one["number_above"] - sum(candidate["times"] for candidate in one["above"])
    if left:
        print(f"            ... and {left} more", file=stream)


# Data ------------------------------------------------------------------------------------------------------

COLUMNS = ("source", "rank", "candidates", "orange", "kind", "place", "times", "beats", "score", "text", "signature")


def tsv_source(stream: TextIO, one: dict[str, Any], result: MetricOrange) -> None:
    """One row per text; the place of a reference is its rank."""
    rows: list[dict[str, Any]] = [{"kind": "source", "text": one["text"]}] if "text" in one else []
    rows += [{"kind": "reference", "place": reference["rank"], **reference} for reference in one["references"]]
    rows += [{"kind": "candidate", **candidate} for candidate in one["above"]]
    about = {key: one[key] for key in COLUMNS[:4]} | {"signature": result.signature}
    for row in rows:
        named = {**row, **about, "text": cell(row["text"])}
        print(*(named.get(column, "") for column in COLUMNS), sep="\t", file=stream)


def json_source(stream: TextIO, one: dict[str, Any], result: MetricOrange) -> None:
    """One object per source."""
    print(as_json({**one, "metric": result.metric.spec, "signature": result.signature}), file=stream)


SOURCES = {".txt": text_source, ".tsv": tsv_source, ".jsonl": json_source}
