"""The options of ORANGE: how references and candidates are scored and ranked."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...parameters import DRAWS, LEVEL, SEED, Choice, Flag, Options, OrNone, Whole, param
from .metric_pairs import is_exact

#: The 34 metrics of the paper (section 4).
PAPER = (
    "bleus(order=1..9)",
    "nist",
    "per",
    "wer",
    "rouge-l",
    "rouge-w(weight=1.1..2.0:0.1)",
    "rouge-s(skip=0..9|none)",
)

#: The contribution to the rank of a candidate that ties with the oracle.
TIES = {"mid": 0.5, "min": 0.0, "max": 1.0}
LARGEST = 2**53  #: number of anything


@dataclass(frozen=True)
class Settings(Options):
    """How references and candidates are scored and ranked; see `orange`."""

    candidates: str = param(
        "all",
        Choice(("all", "jackknife")),
        "what candidates are scored against: all references, or (jackknife) the mean over all subsets without one "
        "reference, as many as references are scored against",
    )
    average: str = param(
        "score", Choice(("score", "rank")), "rank of the mean score of the references, or mean of their ranks"
    )
    ties: str = param(
        "mid", Choice((*TIES,)), "candidates that tie with the references: half of them rank higher, none (min), or all"
    )
    unequal: str = param(
        "keep",
        Choice(("keep", "drop")),
        "lists shorter than the longest, or than -n: divide each rank by its own length + 1, or drop them (as in the "
        "paper)",
    )
    distinct: bool = param(False, Flag(), "count identical candidates of a source once")
    n: int | None = param(None, OrNone(Whole(1, LARGEST)), "only the first N candidates of every list")
    level: float = param(0.95, LEVEL, "confidence level of intervals")
    samples: int = param(1000, DRAWS, "bootstrap resamples of the sources")
    seed: int = param(12345, SEED, "random seed")
    verdict: str = param(
        "holm",
        Choice(("holm", "interval")),
        "worse than the best: by paired tests with Holm's correction for all pairs of metrics, or outside the interval "
        "of the best (as in the paper, without a correction)",
    )
    test: bool = param(False, Flag(), "also show the paired tests between any two metrics")
    trials: int = param(
        100_000, DRAWS, "random swaps of two metrics, source by source; up to 16 sources, all are tried"
    )

    def signature(self, sources: int, sizes: NDArray[np.int64]) -> str:
        """The part of a signature that describes the judgement."""
        low, high = int(sizes.min()), int(sizes.max())
        items = {
            "judged": "orange",
            "sources": sources,
            "nbest": low if low == high else f"{low}-{high}",
            "oracle": "leave-one-out",
            "candidates": self.candidates,
            "average": self.average,
            "ties": self.ties,
            "unequal": self.unequal,
            "distinct": "yes" if self.distinct else "no",
            "level": f"{self.level:g}",
            "bs": self.samples,
            "seed": self.seed,
            "verdict": self.verdict,
        }
        if self.test or self.verdict == "holm":
            items["swaps"] = "exact" if is_exact(sources) else self.trials
        return "|".join(f"{key}:{value}" for key, value in items.items())
