"""p-values over sentences, runs and splits, compared with plain loops."""

import math

import numpy as np
import pytest

from tricolore.tuning.run_scores import RunTest, p_values


def ratio(rows):
    """A score that is no mean: one sum by another."""
    return rows[..., 0] / rows[..., 1]


def made(seed, sources, **runs):
    rng = np.random.default_rng(seed)
    return {
        name: np.stack([rng.normal(5, 1, (number, sources)), rng.uniform(5, 9, (number, sources))], axis=-1)
        for name, number in runs.items()
    }


def test_a_single_run_of_few_sentences_is_enumerated():
    rows = made(1, 6, start=1, mert=1)
    a, b = rows["start"][0], rows["mert"][0]
    observed = abs(ratio(b.sum(0)) - ratio(a.sum(0)))
    hits = 0
    for ways in range(2**6):
        swap = np.array([ways >> i & 1 for i in range(6)], bool)[:, None]
        one, other = np.where(swap, a, b).sum(0), np.where(swap, b, a).sum(0)
        hits += abs(ratio(one) - ratio(other)) >= observed - 1e-12
    assert p_values(rows, ratio, RunTest()) == ({"mert": hits / 2**6}, True)


@pytest.mark.parametrize("overlap", [0.0, 0.5])
@pytest.mark.parametrize("sources", [6, 30])
def test_several_runs_are_drawn_again_beside_swapped_sentences(sources, overlap):
    rows = made(2, sources, start=1, mert=4, mira=4)
    rows["mert"][..., 0] += 0.4
    found, exact = p_values(rows, ratio, RunTest(20_000, 3, baseline="mert"), overlap)
    assert not exact and [*found] == ["start", "mira"]
    rng = np.random.default_rng(4)
    for name, p in found.items():
        hits = 0
        one, base = rows[name].mean(0), rows["mert"].mean(0)
        difference = ratio(one.sum(0)) - ratio(base.sum(0))
        for _ in range(3000):
            swap = rng.random((sources, 1)) < 0.5
            chance = ratio(np.where(swap, one, base).sum(0)) - ratio(np.where(swap, base, one).sum(0))
            drawn = rng.integers(4, size=4)
            factor = math.sqrt((1 + 4 * overlap) * 4 / 3)
            chance -= factor * (ratio(rows["mert"][drawn].sum((0, 1))) - ratio(rows["mert"].sum((0, 1))))
            if name == "mira":
                chance += factor * (ratio(rows["mira"][drawn].sum((0, 1))) - ratio(rows["mira"].sum((0, 1))))
            hits += abs(chance) >= abs(difference)
        assert p == pytest.approx(hits / 3000, abs=0.03)


def test_copies_of_a_run_are_no_more_evidence():
    rows = made(5, 40, start=1, mert=1)
    alone = p_values(rows, ratio, RunTest(2000))[0]["mert"]
    copies = {**rows, "mert": np.repeat(rows["mert"], 5, axis=0)}
    assert p_values(copies, ratio, RunTest(2000))[0]["mert"] == pytest.approx(alone, abs=1e-9)
    stratified = p_values(copies, ratio, RunTest(2000, runs_as="stratified"))[0]["mert"]
    assert stratified < alone


def test_methods_that_choose_alike_have_p_1():
    rows = made(6, 40, start=1)
    assert p_values({**rows, "mert": np.repeat(rows["start"], 3, axis=0)}, ratio, RunTest(500))[0] == {"mert": 1.0}
