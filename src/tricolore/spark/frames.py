"""Spark DataFrames: which columns there are and what they hold, and what Spark says that users can understand."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from ..errors import InputError, InputTypeError, MissingExtraError
from ..readers.batches import Part, Table
from ..tables.batch_counts import Roles, buckets_of, count_batch, groups_of
from ..tables.score_table import check_columns


def checked_frame(df: Any, roles: Roles, where: Mapping[str, Any]) -> None:
    """Refuse columns that are not there, or hold what cannot be scored, before Spark does anything."""
    if not hasattr(df, "mapInArrow"):
        raise InputTypeError(f"expected a DataFrame of Spark, got {type(df).__name__}")
    names = tuple(df.columns)
    check_columns(Table("the DataFrame", [Part("table", names, None, lambda _: iter(()))]), roles, where)
    for name in (*roles.columns, *where):
        if names.count(name) > 1:
            raise InputError(f"the DataFrame: there are {names.count(name)} columns {name!r}; rename all but one")
    batch = pa.RecordBatch.from_arrays([pa.array([], _arrow_type(df, name)) for name in roles.columns], roles.columns)
    count_batch(batch, roles, [], [])
    groups_of(batch, roles.by)
    buckets_of(batch, roles, 2, [])


def _arrow_type(df: Any, name: str) -> pa.DataType:
    from pyspark.errors import PySparkException
    from pyspark.sql.pandas.types import to_arrow_type

    found = next(field.dataType for field in df.schema.fields if field.name == name)
    try:
        return to_arrow_type(found)
    except PySparkException:
        raise InputError(f"column {name!r}: expected text, lists or numbers, got {found.simpleString()}") from None


def quoted(name: str) -> str:
    """The name of a column as Spark's expressions have it: dots and brackets in it mean nothing."""
    return "`" + name.replace("`", "``") + "`"


def chosen_rows(df: Any, where: Mapping[str, Any]) -> Any:
    """The rows with these values; Spark does not read what it can rule out."""
    from pyspark.sql import functions

    for name, value in where.items():
        values = [str(one) for one in (value if isinstance(value, list | tuple) else [value])]
        df = df.where(functions.col(quoted(name)).cast("string").isin(values))
    return df


def mapped(df: Any, function: Callable[[Any], Iterator[Any]], schema: Any) -> Any:
    """`mapInArrow`, which needs names without dots, and warns about pandas 3, of which nothing is used here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        return df.toDF(*(f"column_{i}" for i in range(len(df.columns)))).mapInArrow(function, schema)


#: What Spark says about workers that cannot work, and how users may read it.
_WORKERS = {
    r"\[PYTHON_VERSION_MISMATCH\] (.*?)[,.] PySpark": r"Spark's workers have another Python: \1",
    r"Cannot run program \"([^\"]+)\"": r"Spark's workers have no Python \1",
    r"(?s)Error from python worker:.*No module named '?([\w.]+)": r"the Python of Spark's workers lacks \1",
    r"(?:ModuleNotFoundError|ImportError): No module named '(py\w+|pandas|numpy)": (
        r"the Python of Spark's workers lacks \1"
    ),
    r"\[(?:PACKAGE_NOT_INSTALLED|UNSUPPORTED_PACKAGE_VERSION)\] ([^\n]*?)\.?\s": r"the Python of Spark's workers: \1",
}


@contextmanager
def one_line() -> Iterator[None]:
    """Say in one line that workers cannot work; what else happens in Spark stays as it is."""
    try:
        yield
    except Exception as error:
        if not is_of_spark(error):
            raise
        for sign, told in _WORKERS.items():
            if found := re.search(sign, str(error)):
                raise MissingExtraError(
                    f"{found.expand(told)}; name a Python with tricolore[spark] by PYSPARK_PYTHON "
                    '(see "What workers need" in the documentation)'
                ) from None
        raise


@contextmanager
def told_in_one_line(what: str) -> Iterator[None]:
    """Say in one line whatever is wrong in Spark, for a command; `what` names what was read."""
    try:
        with one_line():
            yield
    except Exception as error:
        if not is_of_spark(error):
            raise
        message = summary(error)
        missing = re.match(r"Path does not exist: (.+?)\.?$", message)
        raise InputError(f"{missing[1]}: no such file" if missing else f"{what}: Spark says: {message}") from None


def summary(error: Exception) -> str:
    """What an error of Spark's is about: the first line of its innermost cause."""
    cause, text = getattr(error, "java_exception", None), str(error)
    while cause is not None:
        cause, text = cause.getCause(), str(cause.toString())
    line = text.strip().partition("\n")[0]
    return re.sub(r"^[\w.$]+(?:Exception|Error): |\[[A-Z_.]+\] |\s*SQLSTATE: \w+$", "", line)


def is_of_spark(error: Exception) -> bool:
    """Whether Spark, or the Java behind it, raised an error."""
    return type(error).__module__.partition(".")[0] in ("pyspark", "py4j")
