"""Random draws, and sums of rows over them. The draws are NumPy's `default_rng(seed)`, so anyone can repeat them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SEED = 12345  #: sacreBLEU's
RESAMPLES = 1000
TRIALS = 10_000


def draws(number: int, samples: int, seed: int) -> NDArray[np.int64]:
    """Draw `samples` resamples of `number` things, with replacement: their indices, one resample a row."""
    import numpy as np

    return np.random.default_rng(seed).integers(0, number, size=(samples, number))


def resampled_sums(rows: NDArray[np.float64], samples: int, seed: int) -> NDArray[np.float64]:
    """Sum rows (segments x columns) over each of `samples` bootstrap resamples of the segments."""
    import numpy as np

    picked = draws(len(rows), samples, seed)
    return np.stack([rows[one].sum(axis=0) for one in picked])
