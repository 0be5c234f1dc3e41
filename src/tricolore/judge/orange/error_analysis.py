"""The error analysis of ORANGE: for each source, the translations that a metric ranks above the references.

Lin & Och (2004, section 4) propose it as the way to better metrics, and (section 5) to find out whether translations
above the references are there because they are as good.
"""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from ...compression import without_suffix
from ...printable import printable
from ...rendering import cell
from ...rendering import json as as_json
from ...writers import writing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...metrics.base import Metric
    from .ranking import Ranking
    from .results import MetricOrange


@contextmanager
def writing_errors(
    path: str | None,
    metric: Metric,
    by: int,
    source: list[str] | None,
    ties: str,
    *,
    most: int | None = None,
    candidates: int | None = None,
) -> Iterator[ErrorFile | None]:
    """Open a file for the error analysis: .txt, .tsv or .jsonl; without a path, nothing is written."""
    if path is None:
        yield None
        return
    form = os.path.splitext(without_suffix(path))[1]
    kept: dict[str, Any] = {"encoding": "utf-8", "newline": "\n", "errors": "surrogatepass"}
    with writing(path) as stream, tempfile.TemporaryFile("w+", **kept) as notes:
        yield ErrorFile(stream, notes, form, metric, by, source, ties, most, candidates)


class ErrorFile:
    """Takes notes of every source, on disk, and writes them when it is known which are the worst."""

    def __init__(
        self,
        stream: TextIO,
        notes: TextIO,
        form: str,
        metric: Metric,
        by: int,
        source: list[str] | None,
        ties: str,
        most: int | None,
        candidates: int | None,
    ):
        self.stream = stream
        self.notes = notes
        self.form = form
        self.metric = metric.for_segments
        self.by = by  # its number among the metrics
        self.source = source
        self.ties = ties
        self.most = most
        self.candidates = candidates
        self.noted: list[tuple[float, int, int]] = []  # how bad (least first), which source, where the note is

    def add(self, ranking: Ranking) -> None:
        """Take a note of a source that has a translation above its references."""
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
        """The different translations above the references, the best first; places count from 1."""
        scores, beaten = self.metric.display_scale * ranking.scores[self.by], ranking.beaten[self.by]
        above: dict[str, dict[str, Any]] = {}
        for i in beaten.nonzero()[0].tolist():
            text = ranking.texts[i]
            new = {"place": i + 1, "times": 0, "beats": int(beaten[i]), "score": float(scores[i]), "text": text}
            above.setdefault(text, new)["times"] += 1
        sign = -1 if self.metric.higher_is_better else 1
        return sorted(above.values(), key=lambda one: (sign * one["score"], one["place"]))

    def write(self, result: MetricOrange) -> None:
        """Write the worst sources first; `result` says which sources were judged in the end."""
        judged = set(result.sources.tolist())
        chosen = sorted(one for one in self.noted if one[1] in judged)
        head, write = FORMS[self.form]
        head(self.stream, result, len(chosen))
        for _, _, where in chosen[: self.most]:
            self.notes.seek(where)
            write(self.stream, json.loads(self.notes.readline()), result)


# For people ------------------------------------------------------------------------------------------------


def text_head(stream: TextIO, result: MetricOrange, number: int) -> None:
    """What the file is about, and how often it happens."""
    title = result.metric.title
    against = (
        "every reference's score against the others" if "|average:rank|" in result.signature else "their mean score"
    )
    print(
        f"Translations that {title} ranks above the references of their source ({against}).\n"
        f"{number} of {len(result.sources)} sources have any. ORANGE = {100 * result.orange:.2f} %, "
        f"average rank {result.average_rank:.1f}. The worst source comes first; places are those in the n-best list.\n"
        f"{printable(result.signature)}",
        file=stream,
    )


def text_source(stream: TextIO, one: dict[str, Any], result: MetricOrange) -> None:
    """One source: itself, its references, and what is above them."""
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


# For machines ----------------------------------------------------------------------------------------------

COLUMNS = ("source", "rank", "candidates", "orange", "kind", "place", "times", "beats", "score", "text", "signature")


def tsv_head(stream: TextIO, result: MetricOrange, number: int) -> None:
    """The header."""
    print(*COLUMNS, sep="\t", file=stream)


def tsv_source(stream: TextIO, one: dict[str, Any], result: MetricOrange) -> None:
    """A row for each text; the place of a reference is its rank."""
    about = (one["source"], one["rank"], one["candidates"], one["orange"])
    if "text" in one:
        print(*about, "source", "", "", "", "", cell(one["text"]), result.signature, sep="\t", file=stream)
    for reference in one["references"]:
        row = ("reference", reference["rank"], "", "", reference["score"], cell(reference["text"]))
        print(*about, *row, result.signature, sep="\t", file=stream)
    for candidate in one["above"]:
        row = ("candidate", *(candidate[key] for key in ("place", "times", "beats", "score")), cell(candidate["text"]))
        print(*about, *row, result.signature, sep="\t", file=stream)


def json_head(stream: TextIO, result: MetricOrange, number: int) -> None:
    """Nothing: every line is a source."""


def json_source(stream: TextIO, one: dict[str, Any], result: MetricOrange) -> None:
    """One object a source."""
    print(as_json({**one, "metric": result.metric.spec, "signature": result.signature}), file=stream)


FORMS = {".txt": (text_head, text_source), ".tsv": (tsv_head, tsv_source), ".jsonl": (json_head, json_source)}
