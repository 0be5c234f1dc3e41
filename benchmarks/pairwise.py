"""How long pairs of texts take, each with each: by pair, and for many samples of one source."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import table
from mbr import CANDIDATES, SOURCES, candidates, choices, per_pair
from measure import least
from table import Options, Row

import tricolore
from tricolore.tuning.mbr import MBR

#: Seconds for 1,000 samples of a source: the bar, and the goal.
SAMPLES = {"lebleu": (6, 2), "meteor": (4, 1), "tbleu": (3, 1), "rouge-s": (1, 0.3), "ter": (3, 1.5)}


def measure(options: Options) -> Iterator[Row]:
    """ROUGE-S on lists of several lengths, and BLEU of many lists."""
    metric = tricolore.metric("rouge-s")
    taken = {}
    for number in (50, 300, 1000):
        [texts] = candidates(1, number)
        repeats = options.repeats(3)
        taken[number] = least(lambda texts=texts: metric.pairwise(texts, texts, threads=1), repeats) / number**2  # type: ignore[misc]
    yield Row("pairwise ROUGE-S, 300 x 300, by pair", taken[300], bar=1.3e-6, goal=0.5e-6, limit=True, repeats=repeats)
    growth = "pairwise ROUGE-S by pair, 1,000 x 1,000 / 50 x 50"
    yield Row(growth, taken[1000], taken[50], bar=0.8, repeats=repeats, note="texts of another draw")
    lists = candidates(SOURCES, CANDIDATES)
    way = MBR(tricolore.metric("bleu").for_segments)
    repeats = options.repeats(9)
    seconds = per_pair(least(lambda: choices(way, lists), repeats), lists)
    question = f"pairwise BLEU, {SOURCES} x {CANDIDATES}, by pair, choice included"
    yield Row(question, seconds, bar=0.1e-6, goal=0.08e-6, limit=True, repeats=repeats)


def samples(options: Options) -> Iterator[Row]:
    """The choice among 1,000 samples; the mean of three sources, because their lengths differ."""
    lists = candidates(1 if options.quick else 3, 1000)
    for name, (bar, goal) in SAMPLES.items():
        way = MBR(tricolore.metric(name).for_segments)
        seconds = least(lambda way=way: choices(way, lists), 1) / len(lists)  # type: ignore[misc]
        question = f"MBR {way.metric.title}, 1,000 samples of a source"
        yield Row(question, seconds, bar=bar, goal=goal, limit=True)


if __name__ == "__main__":
    table.main(lambda options: chain(measure(options), samples(options)), __doc__)
