"""How fast weights are tuned by single hypotheses: expected gain (xbleu) and pairwise ranking (PRO)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import table
from measure import least
from nbest_lists import synthetic
from table import Options, Row

from tricolore import BLEU
from tricolore.candidates import Candidates
from tricolore.tuning.bounds import Bounds
from tricolore.tuning.expected import ExpectedGain, Problem
from tricolore.tuning.pro import Pro
from tricolore.tuning.task import Task

SOURCES, HYPOTHESES, FEATURES = 1000, 100, 14
NAMES = 7000


def measure(options: Options) -> Iterator[Row]:
    """All questions about the speed of tuning by single hypotheses."""
    lists = synthetic(SOURCES, HYPOTHESES, FEATURES)
    size = f"{SOURCES:,} x {HYPOTHESES} x"
    yield epoch(lists, FEATURES, f"xbleu, an epoch, {size} {FEATURES}", options)
    yield iteration(lists, FEATURES, f"PRO, an epoch, {size} {FEATURES}", options)
    many = synthetic(SOURCES, HYPOTHESES, NAMES)
    yield epoch(many, NAMES, f"xbleu, an epoch, {size} {NAMES:,} names, sparse", options)
    yield iteration(many, NAMES, f"PRO, an epoch, {size} {NAMES:,} names, sparse", options)


def epoch(lists: Candidates, features: int, question: str, options: Options) -> Row:
    """One time over all sources; gains and step lengths, which are computed once, are ready."""
    tuner = ExpectedGain()
    problem = Problem.of(task(lists, features), tuner.weighting)
    steps = problem.steps(tuner.regularisation)

    def run() -> None:
        weights, rng = np.zeros(features), np.random.default_rng(1)
        problem.descend(weights, rng, steps, tuner.regularisation, tuner.rate, 0)

    repeats = options.repeats(5)
    return Row(question, least(run, repeats), bar=1, goal=0.02, limit=True, repeats=repeats)


def iteration(lists: Candidates, features: int, question: str, options: Options) -> Row:
    """Draw, learn and move once, with everything around it; gains are counted before."""
    job = task(lists, features)
    lists.gains(job.metric), lists.rows(job.report)
    start = np.full(features, 0.01)
    repeats = options.repeats(3)
    once = least(lambda: Pro(epochs=1).tune(job, start, 1), repeats)
    return Row(question, once, bar=5, goal=1, limit=True, repeats=repeats)


def task(lists: Candidates, features: int) -> Task:
    """What to tune."""
    return Task(lists, BLEU(smooth=2, tokenize="none"), BLEU(smooth=0, tokenize="none"), Bounds.none(features))


if __name__ == "__main__":
    table.main(measure, __doc__)
