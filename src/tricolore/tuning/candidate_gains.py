"""What tuners that look at single hypotheses learn from: a gain each, by any metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ..metrics.length import Length
from .task import ranges

if TYPE_CHECKING:
    from ..candidates import Candidates
    from ..features import Floats
    from ..metrics.base import Metric


def usable_gains(candidates: Candidates, metric: Metric, threads: int | None = None) -> Floats:
    """The score of every hypothesis on its own, more being better; refused if there is nothing to learn from it."""
    candidates.rows(metric, threads=threads)
    gains = candidates.gains(metric)
    wrong = np.flatnonzero(~np.isfinite(gains))
    if len(wrong):
        source = int(np.searchsorted(candidates.starts, wrong[0], side="right")) - 1
        raise InputError(
            f"source {source}: hypothesis {wrong[0] - candidates.starts[source]} scores {gains[wrong[0]]} "
            f"by {metric.spec}; expected a finite number"
        )
    if not (ranges(candidates, gains) > 0).any():
        raise InputError(
            f"by {metric.spec} all hypotheses of a source are equally good, in every source; there is nothing to learn"
        )
    return gains


def gain_spread(candidates: Candidates, gains: Floats) -> Floats:
    """The standard deviation of the gains of each source."""
    sizes = np.diff(candidates.starts)
    mean = np.add.reduceat(gains, candidates.starts[:-1]) / sizes
    squares = np.square(gains - np.repeat(mean, sizes))
    return np.asarray(np.sqrt(np.add.reduceat(squares, candidates.starts[:-1]) / sizes))


def reference_lengths(candidates: Candidates, metric: Metric) -> Floats:
    """The effective length of every source's references, in the metric's words.

    Words are as its tokeniser cuts them, so they are characters for a metric of characters. Of several references its
    own `ref_len` chooses, or else the closest; compared with the first hypothesis of the source.
    """
    known = {
        name: getattr(metric, name) for name in ("tokenize", "strip_punctuation", "ref_len") if hasattr(metric, name)
    }
    length = Length(**known)
    first = [candidates.text(int(i)) for i in candidates.starts[:-1]]
    return np.asarray(length.stats(first, candidates.references).values[:, length.columns.index("ref_len")])
