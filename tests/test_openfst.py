"""Best paths and oracles of lattices, against OpenFst."""

import numpy as np
import pytest
import real_lattices
from hypothesis import given
from hypothesis import strategies as st
from test_lattice import coarse, lattices, recognised

pynini = pytest.importorskip("pynini")

EPSILON = 0


def acceptor(lattice, *, scored=True):
    """The lattice with labels from 1 on; weights are costs."""
    fst = pynini.Fst()
    states = [fst.add_state() for _ in range(lattice.states)]
    fst.set_start(states[0])
    for source, target, label, score in zip(
        lattice.sources, lattice.targets, lattice.labels, lattice.scores, strict=True
    ):
        weight = -score if scored else 0.0
        fst.add_arc(states[source], pynini.Arc(label + 1, label + 1, pynini.Weight("tropical", weight), states[target]))
    for state, score in enumerate(lattice.finals):
        if score > -np.inf:
            fst.set_final(states[state], pynini.Weight("tropical", -score if scored else 0.0))
    return fst


def labels_of(lattice, reference):
    """Numbers from 1 on of words, those of the lattice first."""
    numbers = {word: number for number, word in enumerate(lattice.words, 1)}
    return [numbers.setdefault(word, len(numbers) + 1) for word in reference], len(numbers)


def edits(reference, labels):
    """What makes the reference of any text, at a cost of 1 an edit, followed by the reference."""
    fst = pynini.Fst()
    states = [fst.add_state() for _ in range(len(reference) + 1)]
    fst.set_start(states[0])
    fst.set_final(states[-1])
    for i, state in enumerate(states):
        for label in range(1, labels + 1):
            fst.add_arc(state, pynini.Arc(label, EPSILON, 1, state))
            if i < len(reference):
                fst.add_arc(state, pynini.Arc(label, reference[i], float(label != reference[i]), states[i + 1]))
        if i < len(reference):
            fst.add_arc(state, pynini.Arc(EPSILON, reference[i], 1, states[i + 1]))
    return fst


def recognition(reference, labels, order, alpha, beta):
    """The automaton of n-gram recognition as the paper draws it; weights are costs, so that gains are negative."""
    fst = pynini.Fst()
    states = {(i, m): fst.add_state() for i in range(len(reference) + 1) for m in range(order)}
    fst.set_start(states[0, 0])

    def arc(source, label, cost, target):
        fst.add_arc(states[source], pynini.Arc(label, label, pynini.Weight("tropical", cost), states[target]))

    for i, m in states:
        for label in range(1, labels + 1):
            arc((i, m), label, alpha, (i, 0))
        if i == len(reference):
            fst.set_final(states[i, m])
            continue
        arc((i, m), reference[i], -(m + 1), (i + 1, min(m + 1, order - 1)))
        for label in range(1, labels + 1):
            arc((i, m), label, 0, (i + 1, 0))
        arc((i, m), EPSILON, beta, (i + 1, 0))
    return fst


def least_cost(lattice, other):
    """The cost of the cheapest path of a lattice, composed with a machine."""
    composed = pynini.compose(acceptor(lattice, scored=False).arcsort("olabel"), other.arcsort("ilabel"))
    return float(pynini.shortestdistance(composed, reverse=True)[composed.start()])


def check_oracles(lattice, reference):
    numbers, labels = labels_of(lattice, reference)
    wrong = least_cost(lattice, edits(numbers, labels))
    assert recognised(lattice, reference, order=1)[0] == len(reference) - wrong
    for order, alpha, beta in ((4, 1.0, 0.0), (2, 0.5, 0.25), (3, -0.5, 1.0)):
        worth, _ = recognised(lattice, reference, order, alpha, beta)
        assert worth == -least_cost(lattice, recognition(numbers, labels, order, alpha, beta))


def check_best(lattice, number):
    best = pynini.shortestpath(acceptor(lattice))
    assert np.isclose(
        float(pynini.shortestdistance(best, reverse=True)[best.start()]), -lattice.best().score, atol=1e-5
    )
    several = pynini.shortestpath(acceptor(lattice).rmepsilon(), nshortest=number, unique=True)
    costs = sorted(float(path[2]) for path in several.paths().items())
    np.testing.assert_allclose(costs, [-path.score for path in lattice.kbest(number)], rtol=0, atol=1e-4)


@given(lattices(coarse, most_arcs=12), st.integers(1, 8))
def test_best_paths_and_texts(lattice, number):
    check_best(lattice, number)


@given(lattices(coarse, words=("a", "b", "c", None), most_arcs=12), st.lists(st.sampled_from("abz"), max_size=6))
def test_oracles(lattice, reference):
    check_oracles(lattice, reference)


def test_real_lattices(shared, lines):
    references = lines("lattices/fisher-test-es/lattice_oracle.txt")
    pairs = [*zip(real_lattices.speech_lattices(shared), references, strict=True)][::25]
    for lattice, reference in pairs:
        if lattice:
            check_best(lattice, 10)
            check_oracles(lattice, reference.split())
