"""Search over sums of rows: which segments to exchange for a variant, so that the corpus score rises most.

Every segment has options; an option is the difference between its row and that of the segment as it is now. Greedy
search takes the options that raise the score most, again and again. That is a local optimum. Where all combinations
can be tried, they are, and the optimum is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..score_table import Floats
from .audited_metrics import NOISE

#: Up to this many combinations of options, all are tried.
ENUMERATED = 2**14

#: At most this fraction of the segments changes between two evaluations of all options.
STEP = 0.01

Scoring = Callable[[Floats], Floats]
Whole = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Found:
    """The best choice that was found: for every segment the number of its option, or -1 if it stays as it is."""

    chosen: Whole
    score: float
    exact: bool  #: whether all combinations were tried
    path: tuple[tuple[int, float], ...] = ()  #: how many segments had changed, and the score then

    @property
    def changed(self) -> int:
        """How many segments are exchanged."""
        return int((self.chosen >= 0).sum())


def best_choice(
    score: Scoring, total: Floats, changes: Floats, allowed: NDArray[np.bool_], starts: Sequence[Whole] = ()
) -> Found:
    """Choose an option for some segments; `changes` are options x segments x statistics, as far as they are `allowed`.

    Greedy search starts from no change, and from each of the `starts`; the best result counts.
    """
    numbers = [np.flatnonzero(column) for column in allowed.T]
    combinations = sum(math.log1p(len(one)) for one in numbers)
    if ENUMERATED and combinations <= math.log(ENUMERATED):
        return _best_of_all(score, total, changes, numbers)
    nothing = np.full(changes.shape[1], -1, dtype=np.int64)
    found = [_climb(score, total, changes, allowed, start) for start in (nothing, *starts)]
    return max(found, key=lambda one: one.score)


def _best_of_all(score: Scoring, total: Floats, changes: Floats, numbers: Sequence[Whole]) -> Found:
    sums, codes = total[None], np.zeros((1, 0), dtype=np.int64)
    for segment, options in enumerate(numbers):
        own = np.concatenate([np.zeros((1, len(total))), changes[options, segment]])
        sums = (sums[:, None] + own[None]).reshape(-1, len(total))
        repeated = np.repeat(codes, len(own), axis=0)
        codes = np.concatenate([repeated, np.tile([-1, *options], len(codes))[:, None]], axis=1)
    values = score(sums)
    best = int(np.argmax(values - NOISE * np.abs(values).max() * (codes >= 0).any(axis=1)))
    return Found(codes[best].astype(np.int64), float(values[best]), True, ((0, float(values[0])),))


def _climb(score: Scoring, total: Floats, changes: Floats, allowed: NDArray[np.bool_], start: Whole) -> Found:
    """Take the best options, some at a time, while the score rises; one that was taken may be given back."""
    chosen, segments = start.copy(), np.arange(changes.shape[1])
    taken = chosen >= 0
    at = total + changes[chosen[taken], segments[taken]].sum(axis=0)
    step = most = max(1, int(STEP * len(segments)))
    now = float(score(at[None])[0])
    path = [(int(taken.sum()), now)]
    while True:
        own = np.where((chosen >= 0)[:, None], changes[chosen, segments], 0.0)
        # The last option is the segment as it was.
        moved = np.concatenate([changes, np.zeros((1, *changes.shape[1:]))]) - own
        possible = np.concatenate([allowed, (chosen >= 0)[None]])
        possible[chosen, segments] = False  # which is the last one where nothing was chosen: it is no move
        values = np.where(possible, score(at + moved), -np.inf)
        option = values.argmax(axis=0)
        gains = values[option, segments] - now
        order = np.argsort(-gains, kind="stable")
        order = order[gains[order] > NOISE * max(abs(now), NOISE)]
        while len(order):
            some = order[:step]
            there = at + moved[option[some], some].sum(axis=0)
            then = float(score(there[None])[0])
            if step == 1 or then >= now + gains[order[0]]:
                break
            step = max(1, step // 2)
        if not len(order) or not then > now:
            return Found(chosen, now, False, tuple(path))
        at, now = there, then
        chosen[some] = np.where(option[some] == len(changes), -1, option[some])
        path.append((int((chosen >= 0).sum()), now))
        step = min(most, 2 * step)
