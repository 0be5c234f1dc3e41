"""Token ids as models give them, in tensors or lists, without padding and special tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..columns import spread
from ..errors import SpecError, shown
from ..segments import is_ids


def as_ids(name: str, ids: int | Iterable[int] | None) -> tuple[int, ...]:
    """The token ids that a parameter names: none, one or several.

    >>> as_ids("ignore_ids", None), as_ids("ignore_ids", -100), as_ids("ignore_ids", [0, 2])
    ((), (-100,), (0, 2))
    """
    found = spread(ids)
    found = () if found is None else (found,) if isinstance(found, int | np.integer) else found
    try:
        if isinstance(found, str | bytes) or any(isinstance(one, bool) for one in found):
            raise TypeError
        return tuple(one.__index__() for one in found)
    except (AttributeError, TypeError):
        raise SpecError(f"{name}: expected token ids, such as [0, -100]; got {shown(ids)}") from None


def without(ignored: Sequence[int], texts: Any) -> Any:
    """Drop ignored ids from token ids: a tensor or array of rows, or a list of texts or of lists of them.

    What holds no token ids stays as it is, for the metric to accept or refuse.

    >>> [ids.tolist() for ids in without((0, -100), np.array([[5, 6, 0, 0], [0, 7, 8, -100]]))]
    [[5, 6], [7, 8]]
    >>> without((0,), ["a", "b"])
    ['a', 'b']
    """
    if not ignored:
        return texts
    cells = spread(texts)
    if isinstance(cells, np.ndarray) and cells.ndim == 1:
        return _kept(ignored, cells)
    if not isinstance(cells, list | tuple):
        return texts
    if is_ids(cells):
        return _kept(ignored, np.asarray(cells))
    return [cell if isinstance(cell, str) else without(ignored, cell) for cell in cells]


def _kept(ignored: Sequence[int], ids: NDArray[np.integer[Any]]) -> NDArray[np.integer[Any]]:
    keep = np.ones(ids.shape, dtype=bool)
    for one in ignored:
        keep &= ids != one
    return ids[keep]
