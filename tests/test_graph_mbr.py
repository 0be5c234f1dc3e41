"""Minimum Bayes risk with a linear gain, against all paths."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_graph_oracles import GRAPHS

from tricolore import mbr
from tricolore.errors import InputError, SpecError
from tricolore.graphs import Lattice
from tricolore.graphs.mbr import LinearGain, choose, choose_of_list


def ngrams(words, order):
    return [tuple(words[i : i + n]) for n in range(1, order + 1) for i in range(len(words) - n + 1)]


def expected_gain(words, evidence, gain):
    """Σ P(e) G(words, e), as it is written."""
    total = 0.0
    for other, probability in evidence:
        there = set(ngrams(other, gain.order))
        value = gain.theta(0) * len(words)
        value += sum(gain.theta(len(g)) for g in ngrams(words, gain.order) if g in there)
        total += probability * value
    return total


@given(GRAPHS, st.sampled_from([0.0, 0.5, 1.0, 2.0]), st.integers(1, 4), st.floats(0.1, 1.0), st.floats(0.1, 1.5))
def test_choice_equals_the_best_of_all_paths(graph, scale, order, precision, ratio):
    gain = LinearGain(precision, ratio, order)
    paths = graph.paths()
    scores = scale * np.array([path.score for path in paths])
    chances = np.exp(scores - scores.max())
    evidence = [(path.words, chance) for path, chance in zip(paths, chances / chances.sum(), strict=True)]
    best = max(expected_gain(path.words, evidence, gain) for path in paths)
    choice = choose(graph, gain, scale=scale)
    assert choice.gain == pytest.approx(best, rel=1e-9, abs=1e-9)
    assert expected_gain(choice.words, evidence, gain) == pytest.approx(best, rel=1e-9, abs=1e-9)
    assert graph.mbr(precision=precision, ratio=ratio, order=order, scale=scale).text == choice.text


@given(st.lists(st.text("ab ", max_size=8), min_size=1, max_size=5), st.data())
def test_lists(texts, data):
    chances = np.array(data.draw(st.lists(st.integers(1, 9), min_size=len(texts), max_size=len(texts))), float)
    chances /= chances.sum()
    gain = LinearGain()
    gains = [expected_gain(t.split(), zip([o.split() for o in texts], chances, strict=True), gain) for t in texts]
    index, value = choose_of_list(texts, chances)
    assert value == pytest.approx(max(gains))
    assert gains[index] == pytest.approx(max(gains))


@given(GRAPHS, st.floats(0.0, 0.6))
def test_rare_ngrams_may_be_left_out(graph, least):
    gain, posteriors = LinearGain(), graph.ngram_posteriors()
    choice = choose(graph, gain, least=least)
    assert choice.gain == pytest.approx(gain.expected(posteriors)(choice.words))
    worth = max(gain.expected(posteriors)(path.words) for path in graph.paths())
    lost = least * sum(gain.theta(n) * max(0, len(choice.words) - n + 1) for n in range(1, 5))
    longest = max(len(path.words) for path in graph.paths())
    most = least * sum(gain.theta(n) * max(0, longest - n + 1) for n in range(1, 5))
    assert worth - most - 1e-9 <= choice.gain + lost
    assert choose(graph, gain, least=0.0).gain == pytest.approx(worth)


def test_the_thetas():
    gain = LinearGain(0.85, 0.72, 4, 10.0)
    assert gain.theta(0) == -0.1
    assert gain.theta(3) == pytest.approx(1 / (4 * 10 * 0.85 * 0.72**2))
    assert LinearGain.estimated([8, 4, 2, 1], [10, 10, 10, 10]) == LinearGain(0.8, 0.5, 4)
    with pytest.raises(InputError, match="n-grams of some order have no match"):
        LinearGain.estimated([8, 4, 2, 0], [10, 10, 10, 10])


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({"precision": 0.0}, "precision must be a number above 0, 1 or less; got 0.0"),
        ({"precision": 1.5}, "1 or less"),
        ({"ratio": -1.0}, "ratio must be a number above 0; got -1.0"),
        ({"ratio": math.nan}, "ratio"),
        ({"order": 0}, "order must be a whole number from 1 to 10"),
        ({"length": 0.0}, "length"),
    ],
)
def test_thetas_that_cannot_be(given_, message):
    with pytest.raises(SpecError, match=message):
        LinearGain(**given_)


def test_scale_is_searched():
    # The best path says a, but most of the probability is with b unless the scale is large.
    lattice = Lattice.of([(0, 1, "a", 2.0), *[(0, 1, "b", 1.5)] * 3], 0, [1])
    found = mbr(lattices=[lattice], refs=["b"], metric="bleu(order=1, tokenize=none)", scales=[8.0, 0.1])
    assert found.texts == ["b"]
    assert [one.what for one in found.tried] == ["scale 8", "scale 0.1"]
    assert found.tried[1].score > found.tried[0].score
    assert "|scale:0.1|" in found.signature
