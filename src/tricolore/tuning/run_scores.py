r"""Scores of methods on a set, over runs and splits, and p-values that count what varied.

With `runs_as="together"` the difference Δ of two methods, with rows averaged over J runs and splits, is compared with

    Δ* = Δ(sentences swapped) + √((1 + J c) J / (J - 1)) · (Δ(J runs and splits, drawn with replacement) - Δ)

A shuffle swaps both outputs of random sentences, all runs at once: further runs on the same sentences are no further
sentences. The second term is what Δ owes to these runs and splits; with a single one it is unknown, and missing. If σ²
is the variance of Δ over runs and splits, the term has the variance σ² (1/J + c), as in Nadeau & Bengio (2003).

c is 0 for test sets, and (K - 1) / 8 for K folds. Sources are tuned on in turn, so that two that agree by chance
improve each other's choice in every split, and part of the variance is common to all splits. If weights are the sum of
the gains gᵢ of the sources tuned on, Δ = 2 Σ_{i<j} gᵢ·gⱼ [i, j in different folds], which they are in a share
π = (K - 1) / K of the splits. Products of different pairs do not correlate; with v for the sum of their variances, the
variance over splits is σ² = 4 π (1 - π) v, and that of the mean over splits is 4 π² v, of which swaps of sentences have
2 π² v. The rest, 2 π² v = σ² (K - 1) / 2, gives c = (K - 1) / 2. Tuners bound weights, and choices are not linear in
them, so that less is common: p is then too large (c = (K - 1) / 2 rejects 1.2 to 2.5 % at 5 %). A quarter is calibrated
by simulation (docs/explanations/tuning.md), and may still be conservative: 3.8 to 5.5 %, and 2.5 % with other seeds.
The term 1 / (K - 1) of Nadeau & Bengio, for splits that are not repeated over all folds, gives 0.8, 6.2 and 9.8 % with
2, 5 and 10 folds.

`runs_as="stratified"` takes each run of each sentence for an independent output (Clark et al. 2011; Chen & Cherry
2014).

Claude Nadeau, Yoshua Bengio. Inference for the generalization error. Machine Learning 52, 2003.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..features import Floats
from ..judge.significance.paired_tests import Shuffles, shuffle_p
from ..metrics.base import Metric
from ..scoring import with_items
from ..segments import References
from .tuning_result import START, SetScores

#: Statistics of what methods chose: by method, (runs and splits) x sources x statistics.
Rows = Mapping[str, Floats]
Scoring = Callable[[Floats], Floats]

#: The variance that all splits into K folds have in common, as a share of that over splits, divided by K - 1.
OVERLAP = 1 / 8


@dataclass(frozen=True)
class RunTest:
    """How methods are compared."""

    trials: int = 10_000
    seed: int = 12345
    runs_as: str = "together"
    baseline: str = START


def set_scores(
    report: Metric, references: References, rows: Rows, how: RunTest, *, folds: int = 0, tuned_on: bool = False
) -> SetScores:
    """Score methods on a set, and test their differences from the baseline, unless weights were tuned on it."""
    ready: Any = report.ready_for(references)
    scores = {name: np.asarray(ready.score(of_runs.sum(axis=1))) for name, of_runs in rows.items()}
    signature = ready.signature(references.counts())
    if tuned_on and how.runs_as == "together":
        return SetScores(signature, scores, {}, report.display_scale)
    overlap = OVERLAP * max(0, folds - 1)
    p, exact = p_values(rows, ready.score, how, overlap)
    numbers = sorted({len(of_runs) for of_runs in rows.values()})
    items: dict[str, Any] = {} if numbers == [1] else {"runs": "/".join(map(str, numbers)), "runs-as": how.runs_as}
    items |= {"overlap": f"{overlap:g}"} if overlap and how.runs_as == "together" else {}
    items |= {"ar": "exact" if exact else how.trials, "seed": how.seed}
    return SetScores(with_items(signature, items), scores, p, report.display_scale)


def p_values(rows: Rows, score: Scoring, how: RunTest, overlap: float = 0.0) -> tuple[dict[str, float], bool]:
    """The p-value of each method's difference from the baseline, and whether all shuffles were enumerated."""
    names, base = [*rows], [*rows].index(how.baseline)
    if how.runs_as == "stratified":
        ends = np.cumsum([len(rows[name]) for name in names])
        runs = [range(end - len(rows[name]), end) for name, end in zip(names, ends.tolist(), strict=True)]
        shuffles = Shuffles(np.concatenate([*rows.values()]), runs, how.trials, how.seed)
        found = {name: shuffles.p_value(i, base, score) for i, name in enumerate(names) if i != base}
        return found, all(shuffles.exact(i, base) for i in range(len(names)) if i != base)
    runs = [range(i, i + 1) for i in range(len(names))]
    shuffles = Shuffles(np.stack([of_runs.mean(axis=0) for of_runs in rows.values()]), runs, how.trials, how.seed)
    exact = shuffles.exact(0, base) and all(len(of_runs) == 1 for of_runs in rows.values())
    rng = np.random.default_rng([how.seed, 1])
    drawn = rng.integers(shuffles.ways(0, base), size=how.trials) if shuffles.exact(0, base) and not exact else ...
    moves = {name: redrawn(of_runs, score, how, overlap) for name, of_runs in rows.items()}
    totals = score(np.stack(shuffles.totals))
    found = {}
    for i, name in enumerate(names):
        if i == base:
            continue
        one, other = (score(sums)[drawn] for sums in shuffles.pseudo(i, base))
        chance = one - other + moves[name] - moves[how.baseline]
        scale = float(max(np.abs(scores).max() for scores in (one, other, totals)))
        found[name] = shuffle_p(float(totals[i] - totals[base]), chance, scale, exact)
    return found, exact


def redrawn(rows: Floats, score: Scoring, how: RunTest, overlap: float) -> Floats | float:
    """How far the score moves if its runs and splits are drawn again; the same draws for every method."""
    number = len(rows)
    if number == 1:
        return 0.0
    totals = rows.sum(axis=1)
    times = np.random.default_rng([how.seed, 2]).multinomial(number, np.full(number, 1 / number), how.trials)
    factor = math.sqrt((1 + number * overlap) * number / (number - 1))
    return factor * (score(times @ totals / number) - score(totals.mean(axis=0)))
