"""Score the groups and the segments of a Spark DataFrame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from ..errors import InputError
from ..metrics.base import Metric
from ..readers.batches import Batch
from ..tables.batch_counts import Roles
from ..tables.group_sums import GroupSums
from ..tables.score_table import key_name, learnt, names_of, number_of_buckets, reference_sets
from ..tables.table_scores import TableOptions, TableScores, made_metrics, scores_of
from .frames import checked_frame, chosen_rows, mapped, one_line, quoted
from .workers import Count, Score, group_names, shipped


@dataclass(frozen=True, eq=False, repr=False)
class SparkScores(TableScores):
    """Scores of the groups of a Spark DataFrame: a `TableScores` on the driver, and `to_spark()` for what follows."""

    session: Any = field(default=None, repr=False)

    def to_spark(self, kind: str | None = None) -> Any:
        """The scores as a Spark DataFrame, one row per group and metric."""
        return self.session.createDataFrame(self.to_arrow(kind))


def score(
    df: Any,
    metrics: str | Metric | Sequence[str | Metric] = "bleu",
    *,
    hyp: str,
    refs: str | Sequence[str],
    by: str | Sequence[str] = (),
    where: Mapping[str, Any] | None = None,
    key: str | None = None,
    buckets: int | None = None,
    confidence: bool = False,
    resamples: int = 1000,
    seed: int = 12345,
) -> SparkScores:
    """Score the groups of a Spark DataFrame; the parameters are those of `tricolore.score_table`.

    Each partition is counted by a worker, batch by batch, and yields its sums once; Spark adds them by group and
    bucket, and only these come to the driver: one row per group, or with `confidence=True` one per group and bucket.
    `.compare()` of the result then compares groups by paired tests, `.to_spark()` is its table as a DataFrame.

    A metric that learns from references (NIST) makes a job of its own first, which brings each distinct reference to
    the driver.
    """
    how, roles = TableOptions(confidence, resamples, seed), Roles(hyp, names_of(refs, "refs"), names_of(by, "by"), key)
    checked_frame(df, roles, where or {})
    asked, made = made_metrics(metrics)
    number, session = number_of_buckets(buckets, confidence), df.sparkSession
    chosen = chosen_rows(df, where or {})
    made = prepared(made, chosen, roles)
    task = Count(made, roles, number, _threads(session))
    function = shipped(task, roles.columns, task.schema)
    counted = mapped(_selected(chosen, roles.columns), function, _spark_schema(task.schema))
    with one_line():
        table = added_up(counted, len(roles.by)).toArrow()
    for message in table.column("error").drop_null().to_pylist():
        raise InputError(message)
    sums = GroupSums.from_arrow(table.drop_columns("error"), made, roles.by, number, key_name(key))
    found = scores_of(sums, asked, how)
    return SparkScores(found.sums, found.asked, found.cells, session=session)


def with_scores(
    df: Any,
    metrics: str | Metric | Sequence[str | Metric] = "bleu",
    *,
    hyp: str,
    refs: str | Sequence[str],
) -> Any:
    """A Spark DataFrame with a column of segment scores for each metric, in points, computed when Spark needs them.

    The columns are called as the metrics were typed, as by `tricolore.score_table(..., segments=True)`. A metric that
    learns from references (NIST) does so at once, in a job of its own.
    """
    from pyspark.sql.types import DoubleType, StructField, StructType

    roles = Roles(hyp, names_of(refs, "refs"))
    checked_frame(df, roles, {})
    asked, made = made_metrics(metrics)
    existing = {name.lower(): name for name in df.columns}  # to Spark, Bleu and bleu are the same
    if taken := [existing[name.lower()] for name in asked if name.lower() in existing]:
        raise InputError(f"there is a column {taken[0]!r} already; rename it, or write the metric another way")
    schema = StructType([*df.schema.fields, *(StructField(name, DoubleType()) for name in asked)])
    task = Score(asked, prepared(made, df, roles), roles, _threads(df.sparkSession))
    return mapped(df, shipped(task, df.columns), schema)


def added_up(counted: Any, groups: int) -> Any:
    """The sums of all partitions by group and bucket, added by Spark."""
    from pyspark.sql import functions as sql

    keys = [*group_names(groups), "bucket"]
    least, most = ("fewest_refs", "error"), ("most_refs", "ids")
    return counted.groupBy(*keys).agg(
        *(
            (sql.min if name in least else sql.max if name in most else sql.sum)(name).alias(name)
            for name in counted.columns
            if name not in keys
        )
    )


def prepared(metrics: Sequence[Metric], df: Any, roles: Roles) -> list[Metric]:
    """Let metrics that learn from references (NIST) do so, in a job of its own over the distinct references."""
    from pyspark.sql import functions as sql

    if all(one.is_prepared for one in metrics):
        return [*metrics]
    names = list(dict.fromkeys(roles.refs))
    texts = _selected(df, names)
    for name, kind in texts.dtypes:  # the other job says in which row a reference is missing or no text
        column = sql.col(quoted(name))
        texts = texts.where(column.isNotNull()) if len(roles.refs) == 1 else texts
        texts = texts.where(column.isNull() | sql.is_valid_utf8(column)) if kind == "string" else texts
    times = "times" + "_" * max(map(len, names))  # a name that no column has
    with one_line():
        table = texts.groupBy(*map(quoted, names)).agg(sql.count(sql.lit(1)).alias(times)).toArrow()
    found: Counter[Any] = Counter()
    for batch in table.to_batches():
        sets = reference_sets(Batch(batch, range(batch.num_rows)), roles)
        for refs, number in zip(sets, batch.column(times).to_pylist(), strict=True):
            found[refs] += number
    return learnt(metrics, found) if found else [*metrics]


def _selected(df: Any, names: Sequence[str]) -> Any:
    return df.select(*map(quoted, names))


def _spark_schema(schema: pa.Schema) -> Any:
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(schema)


def _threads(session: Any) -> int:
    """As many threads as a task of Spark's has cores."""
    return int(session.conf.get("spark.task.cpus", "1"))
