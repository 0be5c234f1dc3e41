"""Columns and cells of other libraries as plain Python: decided by an explicit list of kinds, never by a buffer.

A column becomes a list with one cell per segment. A cell becomes a string, None where it is missing, a list of cells
(several references, or token ids), or a one-dimensional NumPy array of token ids. What is on no list stays as it is and
is refused where a text is expected.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Set

from . import _native
from .errors import InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def listed(items: Any, what: str) -> list[Any]:
    """Return a column as a list with one cell per segment; `what` names it in messages.

    >>> listed(("a", "b"), "hypotheses"), listed((word for word in "ab"), "hypotheses")
    (['a', 'b'], ['a', 'b'])
    """
    if isinstance(items, _native.Column):
        return items.tolist()
    found = spread(_only_column(items, what))
    if isinstance(found, str | bytes | bytearray | memoryview):
        raise InputTypeError(
            f"{what}: expected a list with one entry for each segment, got one string; "
            + ("tricolore.score reads files" if _is_file(found) else "put it in a list")
        )
    if isinstance(found, Mapping | Set) or not isinstance(found, Iterable):
        raise InputTypeError(f"{what}: expected a list with one entry for each segment, got {kind_of(items)}")
    return list(found)


def _is_file(text: Any) -> bool:
    return isinstance(text, str) and os.path.isfile(text)


def spread(thing: Any) -> Any:
    """Return a column of a library we know as a list of its cells, and everything else as it is."""
    reader = _reader(thing)
    return thing if reader is None else reader(thing)


def plain(cell: Any) -> Any:
    """Return what one cell holds, as plain Python; what we do not know stays.

    >>> plain("a"), plain(float("nan")), plain(["a", None]), plain(7.5)
    ('a', None, ['a', None], 7.5)
    """
    if isinstance(cell, str) or cell is None:
        return cell
    if isinstance(cell, float):
        return None if cell != cell else cell
    found = spread(cell)
    if isinstance(found, list | tuple):
        return [plain(one) for one in found]
    return found


def column_name(items: Any) -> str | None:
    """The name of a column, where its library gives it one."""
    if _library(type(items)) not in ("pandas", "polars", "datasets"):
        return None
    name = getattr(items, "name", getattr(items, "column_name", None))
    return None if name is None or name == "" else str(name)


def kind_of(thing: Any) -> str:
    """Name a kind of object as messages do; arrays with the type of their elements.

    >>> kind_of(None), kind_of(3), kind_of({})
    ('None', 'int', 'dict')
    """
    if thing is None:
        return "None"
    dtype = getattr(thing, "dtype", None)
    return type(thing).__name__ + (f" of {dtype}" if dtype is not None and hasattr(thing, "shape") else "")


def in_core(items: Any) -> _native.Column | None:
    """A column in Arrow's memory, for the core to read where it lies; None if it is elsewhere, or holds other things.

    >>> in_core(["a", "b"]) is None
    True
    """
    if isinstance(items, _native.Column):
        return items
    library, dtype = _library(type(items)), getattr(items, "dtype", None)
    if library == "pandas" and (type(dtype).__name__ == "ArrowDtype" or getattr(dtype, "storage", "") == "pyarrow"):
        items = getattr(items, "array", items).__arrow_array__()
    elif library not in ("pyarrow", "polars"):
        return None
    try:
        if hasattr(items, "__arrow_c_stream__"):
            return _native.Column(items.__arrow_c_stream__())
        return _native.Column.of_array(*items.__arrow_c_array__())
    except (AttributeError, ValueError):  # not a column, or one of something else
        return None


def by_name(given: Mapping[str, Any] | None, what: str, such_as: str) -> Mapping[str, Any]:
    """A mapping of names to values, or an empty one; `such_as` shows what is expected."""
    if given is not None and not isinstance(given, Mapping):
        raise InputTypeError(f"{what}: expected a dictionary such as {such_as}, got {kind_of(given)}")
    return given or {}


# Tables ----------------------------------------------------------------------------------------------------

#: Tables of libraries, and how to take the only column of one.
TABLES: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("pandas", "DataFrame"): lambda table: table.iloc[:, 0],
    ("polars", "DataFrame"): lambda table: table.to_series(0),
    ("polars", "LazyFrame"): lambda table: table.collect().to_series(0),
    ("pyarrow", "Table"): lambda table: table.column(0),
    ("pyarrow", "RecordBatch"): lambda table: table.column(0),
    ("datasets", "Dataset"): lambda table: table[table.column_names[0]],
}


def _only_column(items: Any, what: str) -> Any:
    """Return the column of a table that has one; other tables are refused, lest their columns' names be scored."""
    take = next((TABLES[key] for cls in type(items).__mro__ if (key := (_library(cls), cls.__name__)) in TABLES), None)
    if take is None and not hasattr(type(items), "columns") and not hasattr(type(items), "column_names"):
        return items
    names = _names(items)
    if take is not None and len(names) == 1:
        return take(items)
    shown = ", ".join(map(repr, names[:8])) + (", ..." if len(names) > 8 else "")
    several = "; several references per segment are a list column or a 2-D array" if "reference" in what else ""
    raise InputTypeError(
        f"{what}: expected one column, got a {type(items).__name__} with {len(names)} columns ({shown})"
        + (f"; choose one, such as [{names[0]!r}]" if names else "")
        + several
    )


def _names(table: Any) -> list[Any]:
    if hasattr(table, "collect_schema"):  # polars, whose lazy frames warn when asked for columns
        return list(table.collect_schema().names())
    names = getattr(table, "column_names", None)
    names = getattr(table, "columns", None) if names is None else names
    return list(names) if isinstance(names, Iterable) else []


# Libraries -------------------------------------------------------------------------------------------------


def _numpy(thing: Any) -> Any:
    import numpy as np

    if isinstance(thing, np.generic):
        return None if thing != thing else thing
    if not isinstance(thing, np.ndarray) or thing.ndim > 2:
        return thing
    if thing.ndim == 0:
        return thing.item()
    if isinstance(thing, np.ma.MaskedArray):
        return thing.tolist()  # in which None stands for what is masked
    if thing.dtype.kind in "iu":
        ids = np.asarray(thing, dtype=thing.dtype.newbyteorder("="))
        return ids if ids.ndim == 1 else list(ids)
    return thing.tolist() if thing.dtype.kind in "UTO" else thing


def _pandas(thing: Any) -> Any:
    if type(thing).__name__ in ("NAType", "NaTType"):
        return None
    return thing.tolist() if hasattr(thing, "tolist") else thing


def _polars(thing: Any) -> Any:
    return thing.to_list() if type(thing).__name__ == "Series" else thing


def _pyarrow(thing: Any) -> Any:
    if hasattr(thing, "as_py"):
        return thing.as_py()
    return thing.to_pylist() if hasattr(thing, "null_count") else thing  # arrays, but neither tables nor buffers


def _datasets(thing: Any) -> Any:
    return spread(thing[:]) if type(thing).__name__ == "Column" else thing


def _torch(thing: Any) -> Any:
    try:
        return _numpy(thing.detach().cpu().numpy())
    except (AttributeError, TypeError, RuntimeError):  # not a tensor, or one that NumPy has no kind for
        return thing


def _jax(thing: Any) -> Any:
    import numpy as np

    return _numpy(np.asarray(thing)) if hasattr(thing, "addressable_shards") else thing


def _array(thing: Any) -> Any:
    return thing.tolist() if thing.typecode in "bBhHiIlLqQ" else thing


#: How the columns and cells of a library are read, by the name of its package.
LIBRARIES: dict[str, Callable[[Any], Any]] = {
    "array": _array,
    "datasets": _datasets,
    "jaxlib": _jax,
    "numpy": _numpy,
    "pandas": _pandas,
    "polars": _polars,
    "pyarrow": _pyarrow,
    "torch": _torch,
}


def _library(cls: type) -> str:
    return cls.__module__.partition(".")[0]


def _reader(thing: Any) -> Callable[[Any], Any] | None:
    """How to read an object: by the library of its class, or of the nearest one that it derives from."""
    if isinstance(thing, list | tuple | str):
        return None
    return next((LIBRARIES[name] for cls in type(thing).__mro__ if (name := _library(cls)) in LIBRARIES), None)
