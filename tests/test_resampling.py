"""The core draws what NumPy draws, and adds up what was drawn."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.draws import draws, stream
from tricolore.errors import SpecError
from tricolore.judge import resampling
from tricolore.judge.resampling import chosen_sums, multeval_sums, resampled_sums, selected_sums
from tricolore.parameters import DRAWS, checked

seeds = st.integers(0, 2**70)
sizes = st.one_of(st.integers(1, 40), st.sampled_from([63, 64, 65, 255, 256, 257, 1000]))


def whole_rows(number, columns, seed):
    return np.random.default_rng(seed).integers(-50, 1000, size=(number, columns)).astype(float)


# The stream ----------------------------------------------------------------------------------------------------


@given(number=sizes, samples=st.integers(1, 9), seed=seeds)
def test_indices_are_numpys(number, samples, seed):
    ours = draws(number, samples, seed)
    np.testing.assert_array_equal(ours, np.random.default_rng(seed).integers(0, number, size=(samples, number)))
    np.testing.assert_array_equal(ours, np.random.default_rng(seed).choice(number, size=(samples, number)))


@pytest.mark.parametrize("below", [1, 2, 3, 2**16, 2**31 - 1, 2**31, 2**31 + 1, 3 * 2**30, 2**32 - 2, 2**32 - 1])
def test_numbers_that_are_often_drawn_again(below):
    """Just above a power of two almost every second draw is rejected."""
    ours = stream(7).integers(below, 20, 50)
    np.testing.assert_array_equal(ours, np.random.default_rng(7).integers(0, below, size=(20, 50)))


@given(number=sizes, trials=st.integers(1, 70), seed=seeds)
def test_coins_are_numpys(number, trials, seed):
    coins = np.random.default_rng(seed).integers(2, size=(trials, number), dtype=bool)
    rows = whole_rows(number, 3, 1)
    np.testing.assert_array_equal(selected_sums(rows, trials, seed), coins.astype(float) @ rows)


@given(number=sizes, columns=st.integers(0, 9), samples=st.integers(1, 20), seed=seeds)
def test_resampled_sums_of_whole_numbers_are_exact(number, columns, samples, seed):
    rows = whole_rows(number, columns, 2)
    expected = np.stack([rows[picked].sum(axis=0) for picked in draws(number, samples, seed)])
    np.testing.assert_array_equal(resampled_sums(rows, samples, seed), expected)


@pytest.mark.parametrize("number", [70_001, 200_003, 300_000])
def test_resamples_in_which_draws_are_rejected(number):
    """One draw in some ten thousand falls where the core must look twice, and some of those are drawn again."""
    rows = np.arange(float(number))[:, None]
    expected = [float(picked.sum()) for picked in np.random.default_rng(3).integers(0, number, size=(12, number))]
    np.testing.assert_array_equal(resampled_sums(rows, 12, 3)[:, 0], expected)


@given(number=sizes, samples=st.integers(1, 9), seed=seeds)
def test_sums_in_single_precision_are_numpys(number, samples, seed):
    rows = np.random.default_rng(3).normal(size=(number, 4)).astype(np.float32)
    expected = np.stack([rows[picked].sum(axis=0) for picked in draws(number, samples, seed)])
    np.testing.assert_array_equal(stream(seed).resampled_sums_single(rows, samples), expected)


@given(number=st.integers(1, 60), first=st.integers(1, 3), second=st.integers(1, 3), seed=seeds)
def test_chosen_runs(number, first, second, seed):
    a = whole_rows(number * first, 2, 4).reshape(number, first, 2)
    b = whole_rows(number * second, 5, 5).reshape(number, second, 5)
    choices = list(itertools.combinations(range(first + second), first))
    picked = np.random.default_rng(seed).integers(0, len(choices), size=(6, number))
    expected_a, expected_b = np.zeros((6, 2)), np.zeros((6, 5))
    for trial, segment in np.ndindex(6, number):
        for run in choices[picked[trial, segment]]:
            if run < first:
                expected_a[trial] += a[segment, run]
            else:
                expected_b[trial] += b[segment, run - first]
    found_a, found_b = chosen_sums(a, b, 6, seed)
    np.testing.assert_array_equal(found_a, expected_a)
    np.testing.assert_array_equal(found_b, expected_b)


def test_choices_that_are_too_many_to_keep():
    """C(20, 10) combinations are made one by one; every one is ten of twenty."""
    runs = np.zeros((3, 10, 20))
    runs[:, np.arange(10), np.arange(10)] = 1
    other = np.zeros((3, 10, 20))
    other[:, np.arange(10), 10 + np.arange(10)] = 1
    a, b = chosen_sums(runs, other, 400, 1)
    assert ((a + b).sum(axis=1) == 30).all()
    np.testing.assert_allclose((a + b).mean(axis=0), 1.5, atol=0.2)
    with pytest.raises(ValueError, match="too many runs"):
        chosen_sums(np.zeros((1, 18, 1)), np.zeros((1, 18, 1)), 1, 1)


@given(number=st.integers(1, 20), runs=st.integers(1, 4), seed=seeds)
def test_shuffles_of_multeval(number, runs, seed):
    rows = whole_rows(number * runs, 3, 6).reshape(number, runs, 3)
    rng = np.random.default_rng(seed)
    expected = np.zeros((4, 5, 3))
    for trial, segment in np.ndindex(5, number):
        swap = [rng.integers(0, 2) for _ in range(runs)]
        order = list(range(runs))
        for r in range(runs - 1, 0, -1):
            other = rng.integers(0, r + 1)
            order[r], order[other] = order[other], order[r]
        for r in range(runs):
            expected[1 if swap[r] else 0, trial] += rows[segment, order[r]]
            expected[2 if swap[r] else 3, trial] += rows[segment, order.index(r)]
    np.testing.assert_array_equal(multeval_sums(rows, 5, seed), expected)


# Around it -----------------------------------------------------------------------------------------------------


def test_sums_of_fractions():
    rows = np.random.default_rng(8).normal(size=(777, 6))
    coins = np.random.default_rng(9).integers(2, size=(50, 777), dtype=bool)
    np.testing.assert_allclose(selected_sums(rows, 50, 9), coins @ rows, rtol=0, atol=1e-11)
    expected = np.stack([rows[picked].sum(axis=0) for picked in draws(777, 50, 9)])
    np.testing.assert_allclose(resampled_sums(rows, 50, 9), expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("sums", [resampled_sums, selected_sums])
def test_parts_make_the_whole(sums, monkeypatch):
    rows = np.random.default_rng(8).normal(size=(101, 2, 3))
    whole = sums(rows, 300, 5)
    assert whole.shape == (300, 2, 3)
    monkeypatch.setattr(resampling, "PART", 101 * 6 * 7 // (16 if sums is selected_sums else 1) + 1)
    seen = []
    np.testing.assert_array_equal(sums(rows, 300, 5, progress=lambda *done: seen.append(done)), whole)
    assert seen[0] == (7, 300)
    assert seen[-1] == (300, 300)


def test_parts_of_runs(monkeypatch):
    runs = np.random.default_rng(8).normal(size=(11, 2, 3))
    whole, shuffled = chosen_sums(runs, runs, 40, 5), multeval_sums(runs, 40, 5)
    monkeypatch.setattr(resampling, "PART", 1000)
    np.testing.assert_array_equal(chosen_sums(runs, runs, 40, 5), whole)
    np.testing.assert_array_equal(multeval_sums(runs, 40, 5), shuffled)


@pytest.mark.parametrize("seed", [-1, 1.5, None, True, "12345"])
def test_a_seed_is_a_number(seed):
    with pytest.raises(SpecError, match="seed must be a whole number, 0 or more"):
        stream(seed)


@pytest.mark.parametrize("number", [0, -3, 2.0, None, True, 10**9])
def test_numbers_of_draws(number):
    with pytest.raises(SpecError, match="trials must be a whole number from 1 to 100,000,000"):
        checked("trials", number, DRAWS)
