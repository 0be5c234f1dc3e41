"""The results file of a search, from which an interrupted search resumes."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence

from ...errors import InputError
from ...metrics.base import Metric
from ...readers import read_text
from ...readers.json_objects import parse_object
from ...readers.tables import number_of
from ...writers import append_text
from .evaluation_sets import EvaluationSet
from .measures import Measure

#: The beginning of every line.
BEGIN = '{"set": '


class Journal:
    """Results, one per line of a file, written at once; those already in the file are not recomputed."""

    def __init__(self, path: str | None, sets: Sequence[EvaluationSet]):
        self.path = path
        self.prints = {one.name: one.fingerprint() for one in sets}
        self.known: dict[tuple[str, str, str], float] = {}
        if path is not None and os.path.exists(path):
            self._read(path)

    def get(self, one: EvaluationSet, tried: Metric, measure: Measure) -> float | None:
        """The agreement of a metric on a set, if it is known."""
        return self.known.get((one.name, tried.spec, str(measure)))

    def put(self, one: EvaluationSet, tried: Metric, values: Mapping[Measure, float]) -> None:
        """Keep values, and append them to the file in one write."""
        lines = []
        for measure, value in values.items():
            self.known[one.name, tried.spec, str(measure)] = value
            row = {"set": one.name, "data": self.prints[one.name], "metric": tried.spec, "measure": str(measure)}
            lines.append(json.dumps({**row, "value": None if math.isnan(value) else value}, ensure_ascii=False) + "\n")
        if self.path is not None:
            append_text(self.path, "".join(lines))

    def _read(self, path: str) -> None:
        """Read earlier results; a truncated last line is dropped, also from the file."""
        text = read_text(path)
        whole = text[: text.rfind("\n") + 1]
        for number, line in enumerate(whole.split("\n")[:-1], 1):
            try:
                row = parse_object(line, "")
                key, data = (row["set"], row["metric"], row["measure"]), row["data"]
                value = math.nan if row["value"] is None else number_of(row["value"])
                if not all(isinstance(part, str) for part in key):
                    raise ValueError
            except (ValueError, KeyError):
                raise InputError(
                    f"{path}: line {number}: not a result of a search; name another file to keep results in"
                ) from None
            if key[0] in self.prints and data != self.prints[key[0]]:
                raise InputError(
                    f"{path}: line {number}: was computed on other data or by another version (set {key[0]!r}); "
                    "name another file to keep results in"
                )
            self.known[key] = value
        cut = text[len(whole) :]
        if cut:
            if not (cut.startswith(BEGIN) or BEGIN.startswith(cut)):
                raise InputError(f"{path}: not a result of a search; name another file to keep results in")
            os.truncate(path, len(whole.encode("utf-8")))
