"""How long one pair takes: a hypothesis and its reference, scored alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import table
from bleu import small_corpus
from measure import least
from table import Options, Row

import tricolore

#: Seconds per pair that `metric([hyp], [ref])` may take: the bar, and the goal.
LIMITS = {"bleu": (8e-6, 5e-6), "rouge-l": (8e-6, 5e-6), "chrf": (6e-6, 5e-6)}
#: Seconds for making a metric from its text.
MAKING = 1e-6


def measure(options: Options) -> Iterator[Row]:
    """Lists of one pair, each another one; then what it takes to make a metric from text."""
    corpus = small_corpus(options).with_references(1)
    pairs = [([hyp], [ref]) for hyp, (ref,) in zip(corpus.hyps[:500], corpus.refs[:500], strict=True)]
    repeats = options.repeats(15)
    for spec, (bar, goal) in LIMITS.items():
        seconds = of_each(tricolore.metric(spec), pairs, repeats)
        yield Row(f"{spec} of one pair, metric([hyp], [ref])", seconds, bar=bar, goal=goal, limit=True)
    make = tricolore.metric
    seconds = least(lambda: [make("bleu") for _ in range(10_000)], repeats) / 10_000
    yield Row('tri.metric("bleu")', seconds, bar=MAKING, limit=True, repeats=repeats)


def of_each(score: Callable[..., Any], pairs: list[Any], repeats: int) -> float:
    """Seconds per pair."""

    def run() -> None:
        for hyps, refs in pairs:
            score(hyps, refs)

    return least(run, repeats) / len(pairs)


if __name__ == "__main__":
    table.main(measure, __doc__)
