"""How long oracles, best texts and n-grams of lattices take: a large one, and 1,500 of a speech recogniser.

OpenFst, where pynini is installed, finds the same oracles by composing lattices with automata.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import table
from measure import alternate, least
from table import Options, Row

import tricolore as tri
from tricolore.graphs import Lattice, NgramGain

SPEECH = Path(__file__).parents[2] / "shared" / "data" / "lattices" / "fisher-test-es"
WORDS = 1000


def measure(options: Options) -> Iterator[Row]:
    """The large lattice first."""
    yield from large(options)
    yield many_arcs(options)
    if not SPEECH.is_dir():
        yield Row("lattices of a speech recogniser", note="../shared is not here")
        return
    yield from speech(options)


def large(options: Options) -> Iterator[Row]:
    """Twice the arcs should take twice the time."""
    repeats = options.repeats(5)
    reference = np.random.default_rng(2).integers(0, WORDS, 30).astype(np.int32)
    one_each = np.arange(WORDS + 1), np.arange(WORDS, dtype=np.int32)
    for arcs, bar, goal in ((50_000, 0.5, 0.1), (100_000, 1.0, 0.2), (200_000, 2.0, 0.4)):
        lattice = random_lattice(arcs)

        def oracle(lattice: Lattice = lattice) -> float:
            return lattice.best_recognised(*one_each, reference)[0]

        question = f"4-GRR oracle of a lattice, {arcs:,} arcs, 30 words"
        yield Row(question, least(oracle, repeats), bar=bar, goal=goal, limit=True, repeats=repeats)
    lattice = random_lattice(100_000)
    for question, run in (
        ("100 best texts of it, 100,000 arcs", lambda: lattice.kbest(100)),
        ("posteriors of its arcs", lattice.posteriors),
        ("posteriors of its n-grams, up to bigrams", lambda: lattice.ngram_posteriors(2)),
    ):
        yield Row(question, least(run, options.repeats(3)), repeats=options.repeats(3))


def many_arcs(options: Options) -> Row:
    """Words and bigrams that come again and again."""
    lattice = random_lattice(1_000_000)
    repeats = options.repeats(1)
    seconds = least(lambda: lattice.ngram_posteriors(2), repeats)
    question = "posteriors of n-grams, up to bigrams, 1,000,000 arcs"
    return Row(question, seconds, bar=10, goal=4, limit=True, repeats=repeats)


def random_lattice(arcs: int) -> Lattice:
    """Ten arcs from each state, to one of the next three; a thousand words."""
    rng = np.random.default_rng(arcs)
    states = arcs // 10
    sources = np.concatenate([np.arange(states - 1), rng.integers(0, states - 1, arcs - states + 1)]).astype(np.int32)
    targets = np.minimum(sources + rng.integers(1, 4, arcs), states - 1).astype(np.int32)
    finals = np.full(states, -np.inf)
    finals[-1] = 0.0
    words = tuple(f"w{i}" for i in range(WORDS))
    labels = rng.integers(0, WORDS, arcs).astype(np.int32)
    return Lattice.build(words, sources, targets, labels, rng.normal(size=arcs), finals)


def speech(options: Options) -> Iterator[Row]:
    """Oracles against the texts that the lattices' authors found closest."""
    lattices, references = speech_lattices()
    repeats = options.repeats(3)

    def oracles(order: int, every: int = 1) -> list[float]:
        pairs = zip(lattices[::every], references[::every], strict=True)
        return [recognised(lattice, reference, order) for lattice, reference in pairs]

    number = f"{len(lattices):,} speech lattices"
    for name, order in (("WER", 1), ("4-GRR", 4)):
        seconds = least(lambda order=order: oracles(order), repeats)
        yield Row(f"{name} oracles of {number}", seconds, bar=3, goal=0.3, limit=True, repeats=repeats)
    yield from beside_openfst(lattices[::25], references[::25], lambda: oracles(4, every=25), options)
    gains = [NgramGain(lattice.ngram_posteriors(), -1.0) for lattice in lattices]
    for question, run in (
        ("100 best texts", lambda: [lattice.kbest(100) for lattice in lattices]),
        ("posteriors of 4-grams", lambda: [lattice.ngram_posteriors() for lattice in lattices]),
        (
            "best text by 4-gram posteriors",
            lambda: [lattice.rescored(gain).best() for lattice, gain in zip(lattices, gains, strict=True)],
        ),
    ):
        yield Row(f"{question}, {number}", least(run, repeats), repeats=repeats)


def speech_lattices() -> tuple[list[Lattice], list[list[str]]]:
    """Those that are not empty, and a reference each."""
    references = (SPEECH / "lattice_oracle.txt").read_text(encoding="utf-8").split("\n")
    pairs = zip(tri.read_graphs(str(SPEECH / "lattices.plf.gz")), references, strict=False)
    lattices = [(lattice, reference.split()) for lattice, reference in pairs if len(lattice)]
    return [lattice for lattice, _ in lattices], [reference for _, reference in lattices]


def recognised(lattice: Lattice, reference: list[str], order: int) -> float:
    """The best numerator, numbering of words included."""
    numbers = {word: i for i, word in enumerate(lattice.words)}
    words = len(numbers)
    of_reference = [numbers.setdefault(word, len(numbers)) for word in reference]
    return lattice.best_recognised(
        np.arange(words + 1), np.arange(words, dtype=np.int32), np.array(of_reference, np.int32), order
    )[0]


def beside_openfst(lattices: list[Lattice], references: list[list[str]], ours, options: Options) -> Iterator[Row]:
    """Only the composition and its shortest distance are timed, not the making of its machines."""
    question = f"4-GRR oracles of {len(lattices)} of them / OpenFst, its machines ready"
    try:
        import pynini
    except ImportError as error:
        yield Row(question, note=str(error))
        return
    pairs = [machines(pynini, *pair) for pair in zip(lattices, references, strict=True)]

    def peer() -> list[float]:
        composed = [pynini.compose(*pair) for pair in pairs]
        return [-float(pynini.shortestdistance(fst, reverse=True)[fst.start()]) for fst in composed]

    seconds, others, agree = alternate(ours, peer, options.repeats(3))
    yield Row(question, seconds, others, agree=agree, repeats=options.repeats(3))


def machines(pynini, lattice: Lattice, reference: list[str]) -> tuple:
    """A lattice without scores, and the automaton of 4-GRR (α = 1, β = 0) with costs for gains."""
    numbers = {word: i for i, word in enumerate(lattice.words, 1)}
    words = [numbers.setdefault(word, len(numbers) + 1) for word in reference]
    paths, automaton = pynini.Fst(), pynini.Fst()
    paths.add_states(lattice.states)
    paths.set_start(0)
    for source, target, label in zip(lattice.sources, lattice.targets, lattice.labels, strict=True):
        paths.add_arc(source, pynini.Arc(label + 1, label + 1, 0, target))
    for state in np.flatnonzero(lattice.finals > -np.inf):
        paths.set_final(state)
    automaton.add_states(4 * (len(words) + 1))
    automaton.set_start(0)
    for i in range(len(words) + 1):
        for m in range(4):
            for label in range(1, len(numbers) + 1):
                automaton.add_arc(4 * i + m, pynini.Arc(label, label, 1, 4 * i))
            if i == len(words):
                automaton.set_final(4 * i + m)
                continue
            automaton.add_arc(4 * i + m, pynini.Arc(words[i], words[i], -(m + 1), 4 * (i + 1) + min(m + 1, 3)))
            automaton.add_arc(4 * i + m, pynini.Arc(0, 0, 0, 4 * (i + 1)))
            for label in range(1, len(numbers) + 1):
                automaton.add_arc(4 * i + m, pynini.Arc(label, label, 0, 4 * (i + 1)))
    return paths.arcsort("olabel"), automaton.arcsort("ilabel")


if __name__ == "__main__":
    table.main(measure, __doc__)
