"""sacreBLEU's random seed and its bootstrap resamples."""

from __future__ import annotations

import os

from ...errors import InputTypeError, SpecError, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from ...metrics.base import Metric
    from ...types import Array

DEFAULT_SEED = "12345"


def seed_of() -> tuple[str, int]:
    """The seed as signatures write it, from SACREBLEU_SEED, and as a number; `none` draws a new one each time."""
    given = os.environ.get("SACREBLEU_SEED", DEFAULT_SEED).lower()
    try:
        return given, int.from_bytes(os.urandom(4), "big") if given == "none" else _whole(given)
    except ValueError:
        raise SpecError(
            f"SACREBLEU_SEED: expected a whole number, 0 or more, or none; got {shown(given, 40)}"
        ) from None


def _whole(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError
    return number


def resampled(metric: Metric, rows: Array, samples: int, seed: int) -> NDArray[Any]:
    """The scores of bootstrap resamples of rows, in sacreBLEU's precision."""
    from ...judge.significance.sacrebleu import resampled_scores

    if not hasattr(samples, "__index__"):
        raise InputTypeError(f"the number of resamples should be a whole number, got {shown(samples, 40)}")
    return resampled_scores(metric, rows[:, None], samples, seed)[0]
