"""What a search for the best recognised text is given, checked: the same for lattices and forests."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError, SpecError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph import Graph


@dataclass(frozen=True, eq=False)
class Recognition:
    """Tokens of the words of a graph, those of a reference, and what n-grams, insertions and deletions count."""

    token_starts: NDArray[np.int64]
    token_ids: NDArray[np.int32]
    reference: NDArray[np.int32]
    order: int
    alpha: float
    beta: float

    @staticmethod
    def checked(
        graph: Graph,
        token_starts: NDArray[np.int64],
        token_ids: NDArray[np.int32],
        reference: NDArray[np.int32],
        order: int,
        alpha: float,
        beta: float,
    ) -> Recognition:
        """Reject invalid values; an order beyond the reference is as good as its length plus one."""
        if order < 1:
            raise SpecError(f"the order must be 1 or more; got {order!r}")
        for name, value in (("alpha", alpha), ("beta", beta)):
            if not math.isfinite(value):
                raise SpecError(f"{name} must be a finite number; got {value!r}")
        if len(token_starts) != len(graph.words) + 1:
            raise InputError(f"tokens of {len(token_starts) - 1} words; expected those of {len(graph.words)}")
        for numbers in (token_ids, reference):
            if len(numbers) and not (np.min(numbers) >= 0 and np.max(numbers) < 2**31):
                raise InputError("tokens must be numbers from 0 to 2^31 - 1")
        # The core keeps a place for every number up to the highest, so they are numbered anew.
        numbers = np.unique(np.concatenate([token_ids, reference]), return_inverse=True)[1].astype(np.int32)
        return Recognition(
            np.ascontiguousarray(token_starts, np.int64),
            numbers[: len(token_ids)],
            numbers[len(token_ids) :],
            min(order, len(reference) + 1),
            alpha,
            beta,
        )
