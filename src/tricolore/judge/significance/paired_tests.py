"""Paired tests of two systems: the bootstrap, and approximate randomisation, stratified over optimiser runs."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...parameters import DRAWS, SEED, checked
from ...types import Progress
from ..resampling import check_room, chosen_sums, multeval_sums, selected_sums

#: Scores any sums of rows, over the last axis.
Scoring = Callable[[NDArray[np.float64]], NDArray[np.float64]]

#: Up to this many assignments, all are enumerated instead of drawn at random.
ENUMERATED = 2**16

#: Differences that agree to this fraction of the largest score among all shuffles are ties: they differ only by
#: rounding errors.
NOISE = 1e-10


# Paired bootstrap --------------------------------------------------------------------------------------------------


def flips(observed: float, resampled: NDArray[np.float64]) -> float:
    """The fraction of resampled differences whose sign is not that of the observed one: it flips, or they are zero.

    This is the p-value of Koehn (2004) and of many papers. It is one-sided after the fact, because the better system is
    chosen by looking at the scores: under the null hypothesis it is uniform between 0 and 0.5, and below 0.05 in 10 %
    of all cases. `flip_p` is the two-sided p-value. If the observed difference is zero, the fraction is 1.
    """
    if np.isnan(observed):
        return float("nan")
    if observed == 0:
        return 1.0
    return float(np.mean(np.sign(observed) * resampled <= 0))


def flip_p(observed: float, resampled: NDArray[np.float64]) -> float:
    """The two-sided p-value of the paired bootstrap: twice the fraction of flips, at most 1.

    The observed data counts as one more resample, so that p is never 0 (Davison & Hinkley 1997, sec. 4.2). p is below
    0.05 roughly if the 95 % interval of the difference excludes zero. Identical systems have p = 1.

    >>> import numpy as np
    >>> flip_p(0.5, np.array([0.2, 0.7, -0.1] * 33)), flip_p(0.0, np.zeros(99))
    (0.68, 1.0)
    """
    number = len(resampled)
    return min(1.0, 2 * (round(flips(observed, resampled) * number) + 1) / (number + 1))


# Approximate randomisation -----------------------------------------------------------------------------------------


def shuffle_p(observed: float, shuffled: NDArray[np.float64], scale: float, exact: bool) -> float:
    """The fraction of shuffles with a difference at least as large as observed, ties included.

    If shuffles were drawn, the observed data counts as one more, so that p is never 0; if all were enumerated, it is
    among them. `scale` is the size of the scores: differences that agree up to `NOISE` times `scale` are ties.
    """
    if np.isnan(observed):
        return float("nan")
    hits = int(np.sum(np.abs(shuffled) >= abs(observed) - NOISE * scale))
    return hits / len(shuffled) if exact else (hits + 1) / (len(shuffled) + 1)


class Shuffles:
    """Pseudo-systems: two systems with the outputs of each segment reassigned at random.

    `rows` are outputs x segments x statistics, and `runs` says which outputs are runs of which system. Under the null
    hypothesis all outputs of a segment, of either system and any run, are exchangeable (Clark et al. 2011). All
    assignments are enumerated if there are at most `ENUMERATED`; otherwise `trials` of them are drawn.

    With one run each, the draws are sacreBLEU's. With R runs, the 2R outputs of a segment are split into R and R.
    `compat='multeval'` shuffles as MultEval does: the runs of the second pseudo-system are permuted by the inverse of
    the permutation of the first, so that for R >= 3 outputs may be lost or appear twice.
    """

    def __init__(
        self,
        rows: NDArray[np.float64],
        runs: Sequence[Sequence[int]],
        trials: int,
        seed: int,
        *,
        compat: str | None = None,
        enumerated: int = ENUMERATED,
        progress: Progress | None = None,
    ):
        self.rows = rows
        self.runs = runs
        self.trials = checked("trials", trials, DRAWS)
        self.seed = checked("seed", seed, SEED)
        self.compat = compat
        self.enumerated = 0 if compat else enumerated
        self.progress = progress
        self.totals = [rows[list(outputs)].sum(axis=(0, 1)) for outputs in runs]
        self._made: dict[Any, Any] = {}
        for a, b in combinations(range(len(runs)), 2):
            number = self.ways(a, b) if self.exact(a, b) else trials
            check_room("trials", number, rows.shape[0] * rows.shape[2])

    def exact(self, a: int, b: int) -> bool:
        """Whether all assignments of the outputs of two systems are enumerated."""
        return self.ways(a, b) <= self.enumerated

    def ways(self, a: int, b: int) -> int:
        """The number of ways to assign the outputs of two systems; from 64 segments on, 2**64 stands for many."""
        first, second = len(self.runs[a]), len(self.runs[b])
        one, segments = comb(first + second, first), self.rows.shape[1]
        return one**segments if segments < 64 else 2**64

    def pseudo(self, a: int, b: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The summed statistics of both pseudo-systems, one row per shuffle."""
        first, second = len(self.runs[a]), len(self.runs[b])
        if self.compat == "multeval":
            return self._multeval(a, b)
        if first == second == 1:
            chosen = self._coins(self.exact(a, b))
            moved = chosen[:, b] - chosen[:, a]
            return self.totals[a] + moved, self.totals[b] - moved
        of_first, of_second = self._dealt(first, second, self.exact(a, b))
        dealt = of_first[a] + of_second[b]
        return dealt, self.totals[a] + self.totals[b] - dealt

    def p_value(self, a: int, b: int, score: Scoring) -> float:
        """The p-value of the difference between two systems; the statistic pools the runs."""
        pooled = score(np.stack([self.totals[a], self.totals[b]]))
        observed = float(pooled[0] - pooled[1])
        one, other = (score(sums) for sums in self.pseudo(a, b))
        shuffled, scale = one - other, float(max(np.abs(scores).max() for scores in (one, other, pooled)))
        if self.compat:  # MultEval does not count ties as chance
            hits = int(np.sum(np.abs(shuffled) > abs(observed) + NOISE * scale))
            return (hits + 1) / (len(shuffled) + 1)
        return shuffle_p(observed, shuffled, scale, self.exact(a, b))

    def _coins(self, exact: bool) -> NDArray[np.float64]:
        """The sums of the segments selected from each output: trials x outputs of systems with one run x statistics."""
        if "coins" not in self._made:
            by_segment = np.stack([self.rows[outputs[0]] for outputs in self.runs], axis=1)
            if exact:
                self._made["coins"] = _every_sum([np.stack([np.zeros_like(rows), rows]) for rows in by_segment])
            else:
                self._made["coins"] = selected_sums(by_segment, self.trials, self.seed, self.progress)
        return self._made["coins"]  # type: ignore[no-any-return]

    def _dealt(
        self, first: int, second: int, exact: bool
    ) -> tuple[dict[int, NDArray[np.float64]], dict[int, NDArray[np.float64]]]:
        """The sums that the first pseudo-system gets from each system with `first` runs, and with `second`."""
        if (first, second) not in self._made:
            firsts = [i for i, outputs in enumerate(self.runs) if len(outputs) == first]
            seconds = [i for i, outputs in enumerate(self.runs) if len(outputs) == second]
            a, b = self._by_segment(firsts), self._by_segment(seconds)
            if exact:
                choices = list(combinations(range(first + second), first))
                both = _every_sum([_choices(choices, *of_segment) for of_segment in zip(a, b, strict=True)])
                sums = both[:, : a.shape[2]], both[:, a.shape[2] :]
            else:
                if comb(first + second, first) >= 2**32:
                    raise InputError(f"{first} and {second} runs of two systems are too many; expected at most 17 each")
                sums = chosen_sums(a, b, self.trials, self.seed, self.progress)
            self._made[first, second] = tuple(
                dict(zip(systems, np.split(of, len(systems), axis=1), strict=True))
                for systems, of in zip((firsts, seconds), sums, strict=True)
            )
        return self._made[first, second]  # type: ignore[no-any-return]

    def _multeval(self, a: int, b: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        if "multeval" not in self._made:
            runs = self._by_segment(range(len(self.runs)))
            sums = multeval_sums(runs, self.trials, self.seed, self.progress)
            self._made["multeval"] = sums.reshape(4, self.trials, len(self.runs), -1)
        stay, swapped, other_stay, other_swapped = self._made["multeval"]
        return stay[:, a] + swapped[:, b], other_stay[:, a] + other_swapped[:, b]

    def _by_segment(self, systems: Sequence[int]) -> NDArray[np.float64]:
        """Segments x runs x (statistics of one system after another), for systems with equally many runs."""
        return np.concatenate([self.rows[list(self.runs[i])].transpose(1, 0, 2) for i in systems], axis=2)


def _choices(
    choices: Sequence[tuple[int, ...]], first: NDArray[np.float64], second: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The sums over both systems, side by side, of the runs of one segment that each choice takes."""
    runs = len(first)
    sums = []
    for choice in choices:
        own, others = [run for run in choice if run < runs], [run - runs for run in choice if run >= runs]
        sums.append(np.concatenate([first[own].sum(axis=0), second[others].sum(axis=0)]))
    return np.stack(sums)


def _every_sum(choices: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The sums over segments for every combination of their choices."""
    sums = np.zeros((1, *choices[0].shape[1:]))
    for of_segment in choices:
        sums = (sums[:, None] + of_segment[None]).reshape(-1, *of_segment.shape[1:])
    return sums
