"""How long an epoch of MIRA takes, with 14 features and with 7,000 of which a hypothesis has 20; and an oracle.

No other tool does this for any metric from Python, so these are times.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import table
from measure import least
from nbest_lists import synthetic
from table import Options, Row

import tricolore
from tricolore.nbest_oracle import corpus_oracle
from tricolore.tuning.bounds import Bounds
from tricolore.tuning.mira import Mira
from tricolore.tuning.task import Task

EPOCHS = 3


def measure(options: Options) -> Iterator[Row]:
    """One epoch, evaluation included; statistics are counted before."""
    bleu = tricolore.BLEU(tokenize="none")
    sources = 100 if options.quick else 1000
    for features in (14, 7000):
        candidates = synthetic(sources, 100, features)
        candidates.rows(bleu)
        task = Task(candidates, bleu, bleu, Bounds.none(features))
        start = np.ones(features)

        def run(epochs: int, task: Task = task, start: np.ndarray = start) -> float:
            return least(lambda: Mira(epochs=epochs).tune(task, start, 1), options.repeats(3))

        seconds = (run(1 + EPOCHS) - run(1)) / EPOCHS
        question = f"MIRA, an epoch over {sources:,} x 100-best, {features:,} features"
        yield Row(question, seconds, bar=1, goal=0.2, limit=True, repeats=options.repeats(3))
    seconds = least(lambda: corpus_oracle(candidates, bleu), options.repeats(3))
    yield Row(f"BLEU oracle of the corpus, {sources:,} x 100-best", seconds, repeats=options.repeats(3))


if __name__ == "__main__":
    table.main(measure, __doc__)
