"""How long MERT takes, and how that grows with sources and hypotheses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import table
from measure import least, timed
from nbest_lists import synthetic
from table import Options, Row

from tricolore import BLEU
from tricolore.candidates import Candidates
from tricolore.tuning.bounds import Bounds
from tricolore.tuning.line_search import Lines
from tricolore.tuning.mert import Mert
from tricolore.tuning.task import Task

SOURCES, HYPOTHESES, FEATURES, RESTARTS = 1_000, 100, 14, 20
SEED = 5


def measure(options: Options) -> Iterator[Row]:
    """All questions about the speed of MERT."""
    metric = BLEU(tokenize="none")
    number = SOURCES // 10 if options.quick else SOURCES
    usual = synthetic(number, HYPOTHESES, FEATURES)
    usual.rows(metric, threads=1)
    yield whole_run(usual, metric)
    repeats = options.repeats(5)
    once = search_time(usual, metric, repeats)
    yield Row(f"MERT, one pass of line searches, {number:,} x {HYPOTHESES}", once, repeats=repeats)
    for question, more in (
        ("twice the sources", synthetic(2 * number, HYPOTHESES, FEATURES)),
        ("twice the hypotheses", synthetic(number, 2 * HYPOTHESES, FEATURES)),
    ):
        # Twice the time is linear; the time of the smaller problem stands where the peer's would.
        taken = search_time(more, metric, repeats)
        note = f"{taken / once:.2f} times as long"
        yield Row(f"MERT, {question} / the above", taken, once, bar=1 / 2.5, repeats=repeats, note=note)


def whole_run(candidates: Candidates, metric: BLEU) -> Row:
    """Tune with restarts, statistics counted before."""
    task = Task(candidates, metric, metric, Bounds.none(FEATURES), threads=1)
    seconds, found = timed(lambda: Mert(restarts=RESTARTS).tune(task, np.ones(FEATURES), SEED))
    scores = f"BLEU {100 * found.steps[0].score:.1f} to {100 * found.step.score:.1f}"
    question = f"MERT, {candidates.sources:,} x {HYPOTHESES} x {FEATURES}, {RESTARTS} restarts"
    return Row(question, seconds, bar=60, goal=20, limit=True, note=scores)


def search_time(candidates: Candidates, metric: BLEU, repeats: int) -> float:
    """Search along all axes and as many random directions, from one point."""
    lines = Lines.of(candidates, metric, FEATURES, threads=1)
    space = Bounds.none(FEATURES)
    random = np.random.default_rng(SEED)
    point = lines.at(random.normal(size=FEATURES))
    directions = random.normal(size=(FEATURES, FEATURES))

    def search() -> None:
        for axis in range(FEATURES):
            lines.best_on_axis(point, axis, space, 1.0)
            lines.best_along(point, directions[axis], space, 1.0)

    return least(search, repeats)


if __name__ == "__main__":
    table.main(measure, __doc__)
