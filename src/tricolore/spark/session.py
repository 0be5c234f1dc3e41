"""The Spark session of a command, and the tables it reads by Spark's own readers."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ..compression import without_suffix
from ..errors import InputError, MissingExtraError
from .frames import is_of_spark, quoted, summary, told_in_one_line

#: Formats by ending, and how Spark is to read them: nothing guessed, nothing broken taken for missing values.
_TEXT: dict[str, Any] = {"header": True, "mode": "FAILFAST", "columnPruning": False, "enforceSchema": False}
FORMATS: dict[str, tuple[str, dict[str, Any]]] = {
    "parquet": ("parquet", {}),
    "orc": ("orc", {}),
    "csv": ("csv", {**_TEXT, "escape": '"', "multiLine": True}),
    "tsv": ("csv", {**_TEXT, "sep": "\t", "quote": ""}),
    "json": ("json", {"mode": "FAILFAST"}),
}
_ENDINGS = {".jsonl": "json", ".ndjson": "json"}


@contextmanager
def spark_session(
    master: str | None = None, conf: Mapping[str, str] | None = None, *, quiet: bool = False
) -> Iterator[Any]:
    """A Spark session with this configuration, stopped at the end; one that is there already is used and stays."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtraError("Spark needs pyspark; pip install 'tricolore[spark]'") from None
    given = {**(conf or {}), **({"spark.master": master} if master else {})}
    existing = SparkSession.getActiveSession()
    builder = SparkSession.builder.appName("tricolore")
    for name, value in {**_defaults(quiet), **given}.items():
        builder = builder.config(name, value)
    if given.get("spark.master", os.environ.get("MASTER", "local")).startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", given.get("spark.pyspark.python", sys.executable))
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
            session = builder.getOrCreate()
    except Exception as error:
        if not is_of_spark(error):
            raise
        raise InputError(f"Spark cannot start: {summary(error)} (it needs Java 17 or newer)") from None
    try:
        yield session
    finally:
        if existing is None:
            session.stop()


def _defaults(quiet: bool) -> dict[str, str]:
    """Results and one line for what is wrong, and no stack traces of Java's between them."""
    watched = sys.stderr.isatty() and not quiet
    return {"spark.log.level": "FATAL", "spark.ui.showConsoleProgress": str(watched).lower()}


def read_frame(session: Any, paths: Sequence[str], form: str | None = None) -> Any:
    """A table as a Spark DataFrame; the format is that of the ending, or Parquet."""
    kind = form or _ending(paths[0])
    name, options = FORMATS[kind]
    with told_in_one_line(paths[0]):
        if name in ("parquet", "orc"):
            return session.read.format(name).load([*paths])
        text = _decoded(session.read.format(name).options(**options).load([*paths]))
        return text.na.fill("") if name == "csv" else text  # an empty cell is an empty text: CSV has no missing values


def _decoded(df: Any) -> Any:
    """A table read from text; what was no UTF-8, which Spark replaces by U+FFFD, is refused when it is used."""
    from pyspark.sql import functions as sql

    columns = []
    for field in df.schema.fields:
        found = sql.col(quoted(field.name))
        if field.dataType.simpleString() == "string":
            told = f"column {field.name!r}: expected UTF-8, found other bytes, which Spark reads as U+FFFD, in: "
            refused = sql.raise_error(sql.concat(sql.lit(told), sql.substring(found, 1, 40)))
            found = sql.when(found.contains("\ufffd"), refused).otherwise(found)
        columns.append(found.alias(field.name))
    return df.select(*columns)


def _ending(path: str) -> str:
    ending = os.path.splitext(without_suffix(path.rstrip("/")))[1].lower()
    kind = _ENDINGS.get(ending, ending[1:])
    return kind if kind in FORMATS else "parquet"
