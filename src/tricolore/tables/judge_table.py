"""Compare the systems of a table, and correlate metrics with ratings in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import SpecError
from ..judge.correlation.correlate import correlate
from ..judge.correlation.result import Correlation
from ..judge.significance.compare import compare
from ..judge.significance.comparison import Comparison
from ..metrics.base import Metric
from ..types import Stage
from .group_sums import BUCKETS
from .score_table import score_table
from .table_texts import table_texts

Metrics = str | Metric | Sequence[str | Metric]


def compare_table(
    table: Any,
    *,
    hyp: str | Sequence[str],
    refs: str | Sequence[str],
    system: str | None = None,
    key: str | None = None,
    where: Mapping[str, Any] | None = None,
    metrics: Metrics = "bleu",
    stream: bool = False,
    threads: int | None = None,
    progress: Stage | None = None,
    **how: Any,
) -> Comparison:
    """Compare the systems of a table, as `tricolore.compare` does; `how` are its other parameters.

    The table has a row per segment and several columns `hyp`, which are systems; or a row per system and segment, whose
    columns `system` and `key` say which. With `stream` it is read batch by batch, so that it need not fit into memory;
    1,000 buckets of segments are then resampled and shuffled instead of segments.

    >>> table = {"ref": ["a cat sat", "he left"] * 9, "a": ["a cat sat", "he left"] * 9, "b": ["a cat", "left"] * 9}
    >>> compare_table(table, hyp=["a", "b"], refs="ref", metrics="chrf")["chrf"].pair("a", "b").p < 0.01
    True
    """
    reading: dict[str, Any] = {"hyp": hyp, "refs": refs, "key": key, "where": where}
    if not stream:
        found = table_texts(table, system=system, **reading)
        return compare(found.systems, found.references, metrics, threads=threads, progress=progress, **how)
    if system is None or not isinstance(hyp, str):
        raise SpecError(
            "stream=True requires a column that says which system a row is of, and one column of hypotheses"
        )
    working: dict[str, Any] = {"threads": threads, "progress": progress}
    scores = score_table(table, by=system, metrics=metrics, buckets=BUCKETS, **reading, **working)
    return scores.compare(progress=progress, **how)


def correlate_table(
    table: Any,
    *,
    hyp: str | Sequence[str],
    refs: str | Sequence[str],
    system: str | None = None,
    key: str | None = None,
    human: str = "human",
    where: Mapping[str, Any] | None = None,
    within: Sequence[str] = (),
    metrics: Metrics = "bleu",
    **how: Any,
) -> Correlation:
    """Correlate metrics with the ratings in a column of a table, as `tricolore.correlate`; `how` are its parameters.

    The table has a row per system and segment, as for `compare_table`; `human` is the column of ratings, in which null
    means unrated.

    >>> table = {"system": ["a", "a", "b", "b"], "mt": ["a cat sat", "he left", "a cat", "left he"],
    ...          "ref": ["a cat sat", "he left"] * 2, "human": [90, 70, 80, 40]}
    >>> found = correlate_table(table, hyp="mt", refs="ref", system="system", metrics="chrf", intervals=False)
    >>> found["chrf", "system accuracy"].value
    1.0
    """
    columns = [human, *within]
    found = table_texts(table, hyp=hyp, refs=refs, system=system, key=key, where=where, columns=columns)
    if system is None:
        raise SpecError("ratings are of systems: name the column that says which system a row is of")
    names, numbers = [*found.systems], range(1, len(found.keys) + 1)
    ratings: dict[str, list[Any]] = {
        "system": [name for name in names for _ in numbers],
        "segment": [*numbers] * len(names),
        "human": [rating for name in names for rating in found.columns[name][human]],
    }
    for column in within:
        ratings[column] = [cell for name in names for cell in found.columns[name][column]]
    return correlate(
        found.systems, found.references, human=ratings, metrics=metrics, within=within, human_column="human", **how
    )
