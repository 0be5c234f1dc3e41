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
from .frames import is_of_spark, summary, told_in_one_line

#: Formats by ending, and how Spark is to read them: nothing guessed, nothing broken taken for missing values.
FORMATS: dict[str, tuple[str, dict[str, Any]]] = {
    "parquet": ("parquet", {}),
    "orc": ("orc", {}),
    "csv": ("csv", {"escape": '"', "multiLine": True}),
    "tsv": ("csv", {"sep": "\t", "quote": ""}),
    "json": ("json", {"mode": "FAILFAST"}),
}
_TEXT = {"header": True, "mode": "FAILFAST", "columnPruning": False, "enforceSchema": False}
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
        if name != "csv":
            return session.read.format(name).options(**options).load([*paths])
        # Text has no missing values: an empty cell is an empty text.
        return session.read.format(name).options(**_TEXT, **options).load([*paths]).na.fill("")


def _ending(path: str) -> str:
    ending = os.path.splitext(without_suffix(path.rstrip("/")))[1].lower()
    kind = _ENDINGS.get(ending, ending[1:])
    return kind if kind in FORMATS else "parquet"
