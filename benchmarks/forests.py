"""How long oracles, best texts and n-grams of forests take: a made-up one, and two of a real decoder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import table
from measure import least
from table import Options, Row

import tricolore as tri
from tricolore.graphs import Forest, NgramGain, NgramTable, Node

DECODER = Path(__file__).parents[2] / "shared" / "data" / "forests" / "cdec-json"

#: Weights that make fair translations.
WEIGHTS = {
    "LanguageModel": -1.0,
    "WordPenalty": -2.8,
    "PhraseModel_0": -0.3,
    "PhraseModel_1": -0.3,
    "PhraseModel_2": -0.1,
    "Glue": -0.2,
    "PassThrough": -20.0,
}


def measure(options: Options) -> Iterator[Row]:
    """The made-up forest first."""
    forest = made_forest(words=30, versions=5, edges=40)
    yield from verbs("made-up", forest, options)
    if not DECODER.is_dir():
        yield Row("forests of a decoder", note="../shared is not here")
        return
    yield from verbs("urdu-en", read("urdu-en.json.gz"), options)
    yield from small(options)


def verbs(name: str, forest: Forest, options: Options) -> Iterator[Row]:
    """What may be asked of a forest."""
    name = f"{name} forest, {len(forest):,} edges"
    repeats = options.repeats(3)
    best = forest.best().words
    for length, order, bar, goal in ((30, 1, 2.0, 0.2), (30, 4, 2.0, 0.3), (100, 4, 20.0, 3.0)):
        reference = perturbed((best * length)[:length], forest.words)
        oracle = recogniser(forest, reference, order)
        question = f"{name}: {order}-GRR oracle, {length} words"
        yield Row(question, least(oracle, repeats), bar=bar, goal=goal, limit=True, repeats=repeats)
    kept = {ngram: value for ngram, value in forest.ngram_posteriors(4).items() if value > 0.1}
    gain = NgramGain(NgramTable.of(kept), word=-0.1)
    asked: tuple[tuple[str, Callable[[], Any], float, float], ...] = (
        ("1,000 best texts", lambda: forest.kbest(1000), 1.0, 0.05),
        ("10,000 best texts", lambda: forest.kbest(10_000), 5.0, 0.5),
        ("1,000 samples", lambda: forest.sample(1000, seed=1), 1.0, 0.05),
        ("posteriors of edges", forest.posteriors, 0.1, 0.005),
        ("expected 4-grams", lambda: forest.expected_ngrams(4), 5.0, 1.0),
        ("posteriors of trigrams", lambda: forest.ngram_posteriors(3), 5.0, 1.0),
        ("posteriors of 4-grams", lambda: forest.ngram_posteriors(4), 20.0, 5.0),
        (f"best by a gain of {len(kept):,} n-grams", lambda: forest.rescored(gain).best(), 5.0, 0.5),
    )
    for question, run, bar, goal in asked:
        yield Row(f"{name}: {question}", least(run, repeats), bar=bar, goal=goal, limit=True, repeats=repeats)


def small(options: Options) -> Iterator[Row]:
    """The forest of a headline and its four references."""
    forest = read("zh-en.0.json.gz")
    references = [(DECODER / f"zh-en.0.ref{i}.txt").read_text(encoding="utf-8").split() for i in range(4)]
    oracles = [recogniser(forest, reference, 4) for reference in references]
    seconds = least(lambda: [oracle() for oracle in oracles], options.repeats(5))
    question = f"zh-en forest, {len(forest):,} edges: 4-GRR oracles, 4 references"
    yield Row(question, seconds, bar=0.1, goal=0.01, limit=True, repeats=options.repeats(5))


def recogniser(forest: Forest, reference: list[str], order: int) -> Callable[[], float]:
    """The oracle of a reference, ready to be run."""
    numbers = {word: i for i, word in enumerate(forest.words)}
    tokens = np.arange(len(numbers), dtype=np.int32)
    ids = np.array([numbers.setdefault(word, len(numbers)) for word in reference], np.int32)
    return lambda: forest.best_recognised(np.arange(len(tokens) + 1), tokens, ids, order)[0]


def perturbed(words: tuple[str, ...], others: tuple[str, ...]) -> list[str]:
    """One word in five is another."""
    rng = np.random.default_rng(1)
    return [str(rng.choice(others)) if rng.random() < 0.2 else word for word in words]


def made_forest(words: int, versions: int, edges: int) -> Forest:
    """All spans of a source, each in some versions: of two shorter ones, near ones in either order, or of words."""
    rng = np.random.default_rng(1)
    made: list[tuple[Any, list[str | Node], float]] = []
    for length in range(1, words + 1):
        for start in range(words - length + 1):
            for edge in range(edges if length > 1 else 2 * versions):
                head = (start, length, edge % versions)
                right: list[str | Node] = [f"{start}.{rng.integers(2)}" for _ in range(rng.integers(1, 3))]
                if length > 1:
                    cut = int(rng.integers(1, length))
                    first = Node((start, cut, int(rng.integers(versions))))
                    second = Node((start + cut, length - cut, int(rng.integers(versions))))
                    right = [second, first] if length < 5 and rng.random() < 0.2 else [first, second]
                made.append((head, right, float(rng.normal())))
    made += [("root", [Node((0, words, version))], 0.0) for version in range(versions)]
    return Forest.of(made, "root")


def read(name: str) -> Forest:
    """A forest of the decoder."""
    [forest] = tri.read_graphs(str(DECODER / name), weights=WEIGHTS)
    assert isinstance(forest, Forest)
    return forest


if __name__ == "__main__":
    table.main(measure, __doc__)
