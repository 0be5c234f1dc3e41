"""Data as it is embedded in a page: numbers as columns of the fewest bytes that hold them, JSON, both compressed."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from typing import Any

import numpy as np

#: The types of numbers, the smallest first, under the names that JavaScript gives their arrays.
TYPES = {"Uint8": np.uint8, "Uint16": np.uint16, "Int32": np.int32, "Float32": np.float32, "Float64": np.float64}


class Arrays:
    """Arrays one after another; each is known by its number."""

    def __init__(self) -> None:
        self.places: list[list[Any]] = []  #: type, first byte, length
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, values: Any) -> int:
        """Add numbers in the smallest type that holds each exactly; return the number of the array.

        >>> arrays = Arrays()
        >>> arrays.add([1, 2, 300]), arrays.add([0.5, float("nan")]), arrays.add([0.1])
        (0, 1, 2)
        >>> arrays.places
        [['Uint16', 0, 3], ['Float32', 8, 2], ['Float64', 16, 1]]
        """
        numbers = np.ascontiguousarray(values, dtype=np.float64)
        name = next(name for name, kind in TYPES.items() if _holds(kind, numbers))
        data = numbers.astype(np.dtype(TYPES[name]).newbyteorder("<")).tobytes()
        self.places.append([name, self._size, len(numbers)])
        self._parts += [data, bytes(-len(data) % 8)]  # arrays of JavaScript begin at multiples of their size
        self._size += len(data) + -len(data) % 8
        return len(self.places) - 1

    def packed(self) -> str:
        """All of them, compressed, as text."""
        return packed(b"".join(self._parts))


def _holds(kind: Any, numbers: Any) -> bool:
    """Whether a type of numbers holds all of these exactly."""
    if np.issubdtype(kind, np.integer):
        low, high = np.iinfo(kind).min, np.iinfo(kind).max
        if not numbers.size or not np.isfinite(numbers).all():
            return not numbers.size
        if numbers.min() < low or numbers.max() > high or np.signbit(numbers[numbers == 0]).any():
            return False
    with np.errstate(over="ignore"):
        return bool(np.array_equal(numbers.astype(kind).astype(np.float64), numbers, equal_nan=True))


def packed(data: bytes) -> str:
    """Bytes, compressed, as text; the same bytes always give the same text."""
    return b64encode(gzip.compress(data, compresslevel=6, mtime=0)).decode("ascii")


def packed_json(value: Any) -> str:
    """A value as JSON, compressed, as text; lone surrogates are written as escapes, so that every string survives."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return packed(text.encode("utf-8") if _encodes(text) else json.dumps(value, separators=(",", ":")).encode("ascii"))


def _encodes(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
