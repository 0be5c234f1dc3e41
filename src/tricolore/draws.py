"""Random draws: the core's twin of NumPy's `default_rng(seed)`, so that anyone can repeat them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from .parameters import SEED, checked


def stream(seed: int) -> _native.Draws:
    """The core's twin of `np.random.default_rng(seed)`."""
    state: Any = np.random.PCG64(checked("seed", seed, SEED)).state["state"]
    halves = [half for name in ("state", "inc") for half in divmod(state[name], 2**64)]
    return _native.Draws(*halves)


def draws(number: int, samples: int, seed: int) -> NDArray[np.int64]:
    """Draw `samples` resamples of `number` things, with replacement: their indices, one resample per row."""
    return stream(seed).integers(number, samples, number)
