# ruff: noqa: PLW0108 (the lambdas load a library only when a kind of it is made)
"""Every kind of Python object that somebody may pass as hypotheses or references, and what it means.

`make pages` writes this table to docs/reference/inputs.md; test_input_kinds.py holds every public entry point to it. A
kind is read as text, as token ids or as several references per segment, or it is refused with the words given.
"""

from __future__ import annotations

import ctypes
import mmap
from array import array
from collections import UserList, deque
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

TEXT, IDS, SEVERAL = "text", "token ids", "several references"

#: What cells are made of, by what they are.
HYPS = {
    TEXT: ["the cat sat on the mat today", "a dog barks", "where is it now ?"],
    IDS: [[1, 2, 3, 4, 1, 5, 6], [7, 8, 9], [10, 11, 12, 13, 14]],
}
REFS = {
    TEXT: ["the cat is on the mat today", "the dog barks", "where is it ?"],
    IDS: [[1, 2, 11, 4, 1, 5, 6], [1, 8, 9], [10, 11, 12, 14]],
    SEVERAL: [["the cat is on the mat", "a cat sat down"], ["the dog barks", "dogs bark"], ["where is it ?", "where"]],
}


@dataclass(frozen=True)
class Kind:
    """What is passed, how to make it of plain cells, and what it means as hypotheses and as references."""

    name: str
    make: Callable[[list[Any]], Any]
    hyps: str
    refs: str
    cells: str = TEXT  #: what the cells are that it is made of
    means: Callable[[list[Any]], list[Any]] = list  #: the same in plain lists


def text(name: str, make: Callable[[list[Any]], Any]) -> Kind:
    return Kind(name, make, TEXT, TEXT)


def ids(name: str, make: Callable[[list[Any]], Any]) -> Kind:
    return Kind(name, make, IDS, IDS, IDS)


def several(name: str, make: Callable[[list[Any]], Any]) -> Kind:
    return Kind(name, make, "expected a string", SEVERAL, SEVERAL)


def refused(name: str, make: Callable[[list[Any]], Any], words: str, refs: str = "", cells: str = TEXT) -> Kind:
    return Kind(name, make, words, refs or words, cells)


class Library:
    """A library that is loaded when a kind of it is made."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)


np, pd, pl, pa = Library("numpy"), Library("pandas"), Library("polars"), Library("pyarrow")
torch, datasets = Library("torch"), Library("datasets")


def one_column(cells: list[Any]) -> dict[str, list[Any]]:
    return {"mt": cells}


def two_columns(cells: list[Any]) -> dict[str, list[Any]]:
    return {"mt": cells, "id": cells}


def dataset(cells: list[Any], form: str | None = None) -> Any:
    made = datasets.Dataset.from_dict(two_columns(cells))
    return made.with_format(form) if form else made


def masked(cells: list[Any]) -> Any:
    return np.ma.MaskedArray(np.array(cells), mask=[False, True, False])


def mapped(_: list[Any]) -> Any:
    made = mmap.mmap(-1, 3)
    made.write(b"a b")
    return made


def split(cells: list[str]) -> list[list[str]]:
    return [cell.split() for cell in cells]


def nested(cells: list[list[int]]) -> list[list[list[int]]]:
    return [[cell, cell[::-1]] for cell in padded(cells)]


def padded(cells: list[list[int]], padding: int = 99) -> list[list[int]]:
    longest = max(map(len, cells))
    return [cell + [padding] * (longest - len(cell)) for cell in cells]


def raw_array(numbers: list[int]) -> Any:
    from multiprocessing import RawArray

    return RawArray("i", numbers)


def gap(cells: list[Any], missing: Any) -> list[Any]:
    return [cells[0], missing, cells[2]]


ONE_STRING, NO_LIST = "one string", "expected a list with one entry for each segment"
COLUMNS = "expected one column"
MISSING = "missing"
NO_TEXT = "expected a string"

PLAIN = [
    text("list of str", list),
    text("tuple of str", tuple),
    text("generator", lambda cells: (cell for cell in cells)),
    text("iterator", iter),
    text("map object", lambda cells: map(str, cells)),
    text("deque", deque),
    text("UserList", UserList),
    text("values of a dict", lambda cells: dict(enumerate(cells)).values()),
    refused("str", lambda cells: cells[0], ONE_STRING),
    refused("bytes", lambda cells: cells[0].encode(), ONE_STRING),
    refused("bytearray", lambda cells: bytearray(cells[0].encode()), ONE_STRING),
    refused("memoryview", lambda cells: memoryview(cells[0].encode()), ONE_STRING),
    refused("mmap", mapped, NO_LIST),
    refused("dict", lambda cells: dict(enumerate(cells)), NO_LIST),
    refused("set", set, NO_LIST),
    refused("frozenset", frozenset, NO_LIST),
    refused("None", lambda _: None, NO_LIST),
    refused("int", lambda _: 3, NO_LIST),
    refused("float", lambda _: 0.5, NO_LIST),
    refused("path", lambda _: Path("output.txt"), NO_LIST),
    refused("range", lambda _: range(3), NO_TEXT),
    refused("ctypes array", lambda _: (ctypes.c_int * 3)(1, 2, 3), NO_LIST),
    refused("RawArray", lambda _: raw_array([1, 2, 3]), NO_LIST),
    refused("array of ints", lambda _: array("i", [1, 2, 3]), NO_TEXT),
    refused("list of bytes", lambda cells: [cell.encode() for cell in cells], NO_TEXT),
    refused("list with None", lambda cells: gap(cells, None), MISSING),
    refused("list with NaN", lambda cells: gap(cells, float("nan")), MISSING),
    Kind("list of lists of words", split, NO_TEXT, SEVERAL, means=split),
    refused("list of dicts", lambda cells: [{"mt": cell} for cell in cells], NO_TEXT),
]
NUMPY = [
    text("NumPy array of str_", lambda cells: np.array(cells)),
    text("NumPy array of object", lambda cells: np.array(cells, dtype=object)),
    text("NumPy array of StringDType", lambda cells: np.array(cells, dtype=np.dtypes.StringDType())),
    text("list of NumPy str_", lambda cells: list(np.array(cells))),
    text("NumPy masked array, nothing masked", lambda cells: np.ma.MaskedArray(np.array(cells))),
    refused("NumPy masked array", masked, MISSING),
    refused("NumPy array of bytes", lambda cells: np.array([cell.encode() for cell in cells]), NO_TEXT),
    refused("NumPy array of floats", lambda _: np.array([1.0, 2.0, 3.0]), NO_TEXT),
    refused("NumPy array of ints", lambda _: np.array([1, 2, 3]), NO_TEXT),
    refused("NumPy scalar array", lambda cells: np.array(cells[0]), ONE_STRING),
    refused("NumPy structured array", lambda _: np.array([("a", 1)] * 3, dtype=[("t", "U1"), ("n", int)]), NO_TEXT),
    several("NumPy 2-D array of str_", lambda cells: np.array(cells)),
    several("NumPy 2-D array of object, NaN", lambda cells: np.array([[*cell, np.nan] for cell in cells], object)),
]
PANDAS = [
    text("pandas Series (str)", lambda cells: pd.Series(cells, name="mt")),
    text("pandas Series (object)", lambda cells: pd.Series(cells, dtype=object)),
    text("pandas Series (string)", lambda cells: pd.Series(cells, dtype="string")),
    text("pandas Series (ArrowDtype)", lambda cells: pd.Series(cells, dtype=pd.ArrowDtype(pa.string()))),
    text("pandas Series (category)", lambda cells: pd.Series(cells, dtype="category")),
    text("pandas Series, any index", lambda cells: pd.Series(cells, index=[2, 0, 1])),
    text("pandas Index", lambda cells: pd.Index(cells)),
    text("pandas array", lambda cells: pd.array(cells)),
    text("pandas DataFrame of one column", lambda cells: pd.DataFrame(one_column(cells))),
    refused("pandas DataFrame of two columns", lambda cells: pd.DataFrame(two_columns(cells)), COLUMNS),
    refused("pandas Series with None", lambda cells: pd.Series(gap(cells, None), dtype=object, name="mt"), MISSING),
    refused("pandas Series with NaN", lambda cells: pd.Series(gap(cells, float("nan")), name="mt"), MISSING),
    refused("pandas Series with NA", lambda cells: pd.Series(gap(cells, pd.NA), dtype="string"), MISSING),
    refused("pandas Series with NaT", lambda cells: pd.Series(gap(cells, pd.NaT), dtype=object), MISSING),
    refused("pandas Series of ints", lambda _: pd.Series([1, 2, 3]), NO_TEXT),
    ids("pandas Series of lists of ints", lambda cells: pd.Series(cells)),
    several("pandas Series of lists of str", lambda cells: pd.Series(cells)),
    several("pandas Series of arrays of str", lambda cells: pd.Series([np.array(cell, object) for cell in cells])),
    several("pandas Series (ArrowDtype list)", lambda cells: pd.Series(pd.array(pa.array(cells)))),
]
POLARS = [
    text("polars Series (String)", lambda cells: pl.Series("mt", cells)),
    text("polars Series (Categorical)", lambda cells: pl.Series(cells, dtype=pl.Categorical)),
    text("polars DataFrame of one column", lambda cells: pl.DataFrame(one_column(cells))),
    text("polars LazyFrame of one column", lambda cells: pl.LazyFrame(one_column(cells))),
    refused("polars DataFrame of two columns", lambda cells: pl.DataFrame(two_columns(cells)), COLUMNS),
    refused("polars Series with null", lambda cells: pl.Series("mt", gap(cells, None)), MISSING),
    refused("polars Series (Binary)", lambda cells: pl.Series([cell.encode() for cell in cells]), NO_TEXT),
    ids("polars Series (List of Int64)", lambda cells: pl.Series(cells)),
    ids("list of polars Series of ints", lambda cells: [pl.Series(cell) for cell in cells]),
    several("polars Series (List of String)", lambda cells: pl.Series(cells)),
]
PYARROW = [
    text("pyarrow array (string)", lambda cells: pa.array(cells)),
    text("pyarrow array (large_string)", lambda cells: pa.array(cells, pa.large_string())),
    text("pyarrow array (string_view)", lambda cells: pa.array(cells, pa.string_view())),
    text("pyarrow array (dictionary)", lambda cells: pa.array(cells).dictionary_encode()),
    text("pyarrow chunked array", lambda cells: pa.chunked_array([cells[:1], cells[1:]])),
    text("list of pyarrow scalars", lambda cells: list(pa.array(cells))),
    text("pyarrow Table of one column", lambda cells: pa.table(one_column(cells))),
    text("pyarrow RecordBatch of one column", lambda cells: pa.record_batch(one_column(cells))),
    refused("pyarrow Table of two columns", lambda cells: pa.table(two_columns(cells)), COLUMNS),
    refused("pyarrow array with null", lambda cells: pa.array(gap(cells, None)), MISSING),
    refused("pyarrow array (binary)", lambda cells: pa.array([cell.encode() for cell in cells]), NO_TEXT),
    refused("pyarrow array of ints", lambda _: pa.array([1, 2, 3]), NO_TEXT),
    refused("pyarrow scalar", lambda cells: pa.scalar(cells[0]), ONE_STRING),
    refused("pyarrow buffer", lambda cells: pa.py_buffer(cells[0].encode()), NO_LIST),
    refused("list of pyarrow buffers", lambda cells: [pa.py_buffer(cell.encode()) for cell in cells], NO_TEXT),
    ids("pyarrow array (list of int64)", lambda cells: pa.array(cells)),
    ids("list of pyarrow arrays of ints", lambda cells: [pa.array(cell) for cell in cells]),
    several("pyarrow array (list of string)", lambda cells: pa.array(cells)),
    several("pyarrow array (list, with null)", lambda cells: pa.array([[*cell, None] for cell in cells])),
]
DATASETS = [
    text("datasets column", lambda cells: dataset(cells)["mt"]),
    text("datasets column, arrow format", lambda cells: dataset(cells, "arrow")["mt"]),
    text("datasets column, numpy format", lambda cells: dataset(cells, "numpy")["mt"]),
    text("datasets column, pandas format", lambda cells: dataset(cells, "pandas")["mt"]),
    text("datasets column, polars format", lambda cells: dataset(cells, "polars")["mt"]),
    text("Dataset of one column", lambda cells: datasets.Dataset.from_dict(one_column(cells))),
    refused("Dataset of two columns", dataset, COLUMNS),
    ids("datasets column of ids", lambda cells: dataset(cells)["mt"]),
    ids("datasets column of ids, numpy format", lambda cells: dataset(cells, "numpy")["mt"]),
    several("datasets column of lists", lambda cells: dataset(cells)["mt"]),
    several("datasets column of lists, arrow format", lambda cells: dataset(cells, "arrow")["mt"]),
]
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
NUMBERS = [
    ids("list of lists of ints", list),
    ids("list of tuples of ints", lambda cells: [tuple(cell) for cell in cells]),
    *(
        ids(f"list of NumPy arrays of {name}", lambda cells, name=name: [np.array(cell, name) for cell in cells])
        for name in INTEGERS
    ),
    ids("list of NumPy arrays, big-endian", lambda cells: [np.array(cell, ">i4") for cell in cells]),
    ids("list of NumPy arrays, every other", lambda cells: [np.repeat(cell, 2)[::2] for cell in cells]),
    ids("NumPy array of lists (ragged)", lambda cells: np.array(cells, dtype=object)),
    ids("list of lists of NumPy ints", lambda cells: [list(np.array(cell)) for cell in cells]),
    ids("list of arrays of ints", lambda cells: [array("q", cell) for cell in cells]),
    Kind("NumPy 2-D array of ints", lambda cells: np.array(padded(cells)), IDS, IDS, IDS, padded),
    Kind("NumPy 3-D array of ints", lambda cells: np.array(nested(cells)), NO_TEXT, SEVERAL, IDS, nested),
    refused("NumPy 2-D array, padded with -1", lambda cells: np.array(padded(cells, -1)), "got -1", cells=IDS),
    refused("NumPy 2-D array of floats", lambda cells: np.array(padded(cells, 0), float), "expected a", cells=IDS),
    refused(
        "NumPy 2-D masked array of ints",
        lambda cells: np.ma.masked_equal(np.array(padded(cells, -1)), -1),
        MISSING,
        cells=IDS,
    ),
    refused("list of NumPy arrays of bool", lambda cells: [np.array(cell) > 3 for cell in cells], NO_TEXT, cells=IDS),
    refused("list of ctypes arrays", lambda cells: [(ctypes.c_int * len(c))(*c) for c in cells], NO_TEXT, cells=IDS),
    refused("list of RawArrays", lambda cells: [raw_array(cell) for cell in cells], NO_TEXT, cells=IDS),
    refused("list of mmaps", lambda cells: [mapped(cell) for cell in cells], NO_TEXT, cells=IDS),
    refused("list of bytearrays", lambda cells: [bytearray(cell) for cell in cells], NO_TEXT, cells=IDS),
    refused("list of ranges", lambda cells: [range(len(cell)) for cell in cells], NO_TEXT, cells=IDS),
    refused("list of lists of floats", lambda cells: [[0.5] * len(cell) for cell in cells], NO_TEXT, cells=IDS),
    refused("list of lists of bools", lambda cells: [[True] * len(cell) for cell in cells], "whole", cells=IDS),
    refused("list of lists of ints and None", lambda cells: [[*cell, None] for cell in cells], MISSING, cells=IDS),
]
TORCH = [
    ids("list of torch tensors", lambda cells: [torch.tensor(cell) for cell in cells]),
    Kind("torch 2-D tensor", lambda cells: torch.tensor(padded(cells)), IDS, IDS, IDS, padded),
    refused("torch 2-D tensor, padded with -100", lambda cells: torch.tensor(padded(cells, -100)), "-100", cells=IDS),
    refused("torch tensor of floats", lambda cells: torch.tensor(padded(cells, 0)).float(), "expected a", cells=IDS),
]
LISTS = [
    several("list of lists of str", list),
    several("list of tuples of str", lambda cells: [tuple(cell) for cell in cells]),
    several("list of lists, None where missing", lambda cells: [[*cell, None] for cell in cells]),
    several("list of lists, NaN where missing", lambda cells: [[float("nan"), *cell] for cell in cells]),
    several("list of arrays of str", lambda cells: [np.array(cell) for cell in cells]),
]
KINDS = [*PLAIN, *NUMPY, *PANDAS, *POLARS, *PYARROW, *DATASETS, *NUMBERS, *TORCH, *LISTS]
