"""How long MERT takes, and how that grows with sources and hypotheses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import table
from measure import least, timed
from table import Options, Row

from tricolore import BLEU
from tricolore.tune.candidates import Candidates
from tricolore.tune.lines import Lines
from tricolore.tune.mert import Mert
from tricolore.tune.space import Space
from tricolore.tune.task import Task

SOURCES, HYPOTHESES, FEATURES, RESTARTS = 1_000, 100, 14, 20
WORDS = 3_000
SEED = 5


def measure(options: Options) -> Iterator[Row]:
    """All questions about the speed of MERT."""
    metric = BLEU(tokenize="none")
    number = SOURCES // 10 if options.quick else SOURCES
    candidates = made(2 * number, 2 * HYPOTHESES)
    candidates.rows(metric, threads=1)
    usual = first(candidates, number, HYPOTHESES)
    yield whole_run(usual, metric)
    repeats = options.repeats(5)
    once = search_time(usual, metric, repeats)
    yield Row(f"MERT, one pass of line searches, {number:,} x {HYPOTHESES}", once, repeats=repeats)
    for question, more in (
        ("twice the sources", first(candidates, 2 * number, HYPOTHESES)),
        ("twice the hypotheses", first(candidates, number, 2 * HYPOTHESES)),
    ):
        # Twice the time is linear; the time of the smaller problem stands where the peer's would.
        taken = search_time(more, metric, repeats)
        note = f"{taken / once:.2f} times as long"
        yield Row(f"MERT, {question} / the above", taken, once, goal=1 / 2.5, repeats=repeats, note=note)


def whole_run(candidates: Candidates, metric: BLEU) -> Row:
    """Tune with restarts, statistics counted before."""
    task = Task(candidates, metric, metric, Space.whole(FEATURES), threads=1)
    seconds, found = timed(lambda: Mert(restarts=RESTARTS).tune(task, np.ones(FEATURES), SEED))
    scores = f"BLEU {100 * found.steps[0].score:.1f} to {100 * found.step.score:.1f}"
    question = f"MERT, {candidates.sources:,} x {HYPOTHESES} x {FEATURES}, {RESTARTS} restarts"
    return Row(question, seconds, goal=60, stretch=20, limit=True, note=scores)


def search_time(candidates: Candidates, metric: BLEU, repeats: int) -> float:
    """Search along all axes and as many random directions, from one point."""
    lines = Lines.of(candidates, metric, FEATURES, threads=1)
    space = Space.whole(FEATURES)
    random = np.random.default_rng(SEED)
    point = lines.at(random.normal(size=FEATURES))
    directions = random.normal(size=(FEATURES, FEATURES))

    def search() -> None:
        for axis in range(FEATURES):
            lines.best_on_axis(point, axis, space, 1.0)
            lines.best_along(point, directions[axis], space, 1.0)

    return least(search, repeats)


def made(sources: int, hypotheses: int) -> Candidates:
    """Noisy variants of references; some features say how noisy, some only make noise, and one is the length."""
    random = np.random.default_rng(SEED)
    truth = random.normal(size=FEATURES)
    size = np.linspace(0.3, 3, FEATURES)
    lists, references = [], []
    for _ in range(sources):
        reference = random.zipf(1.3, random.integers(8, 40)) % WORDS
        references.append(" ".join(map(str, reference)))
        noise = random.beta(2, 3, hypotheses)
        texts = [variant(reference, share, random) for share in noise]
        features = random.normal(size=(hypotheses, FEATURES)) * size - 1.5 * noise[:, None] * truth
        features[:, 0] = [-len(text.split()) for text in texts]
        lists.append((texts, features))
    return Candidates.of(lists, references)


def variant(reference: np.ndarray, share: float, random: np.random.Generator) -> str:
    """A share of the words replaced, a few left out."""
    wrong = random.random(len(reference)) < share
    words = np.where(wrong, random.integers(0, WORDS, len(reference)), reference)
    return " ".join(map(str, words[random.random(len(reference)) > 0.1 * random.random()]))


def first(candidates: Candidates, sources: int, hypotheses: int) -> Candidates:
    """Only so many sources, and so many hypotheses of each."""
    part = candidates.subset(np.arange(sources))
    kept = np.concatenate([np.arange(begin, min(begin + hypotheses, end)) for begin, end in spans(part)])
    sizes = np.minimum(np.diff(part.starts), hypotheses)
    return Candidates(
        part.references,
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        part.features.take(kept),
        part.texts,
        part.text_starts,
        part.text_of[kept],
        part.totals[kept],
        part._counted,
    )


def spans(candidates: Candidates) -> Iterator[tuple[int, int]]:
    """From where to where the hypotheses of each source are."""
    yield from zip(candidates.starts[:-1].tolist(), candidates.starts[1:].tolist(), strict=True)


if __name__ == "__main__":
    table.main(measure, __doc__)
