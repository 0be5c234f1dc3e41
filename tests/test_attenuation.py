"""System scores without sampling noise: the linear map is the one that eigenvalues give, and does what it says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.judge.correlation.attenuation import (
    LEAST_RELIABILITY,
    deattenuated,
    reliability,
    sampling_noise,
    scatter,
)


def root(matrix):
    values, vectors = np.linalg.eigh(matrix)
    return vectors @ np.diag(np.sqrt(np.maximum(values, 0))) @ vectors.T


def transported(scores, wanted):
    """The optimal transport map by eigenvalues."""
    half = root(scatter(scores))
    inverse = np.linalg.inv(half)
    mean = scores.mean(axis=1, keepdims=True)
    return mean + inverse @ root(half @ wanted @ half) @ inverse @ (scores - mean)


@given(seed=st.integers(0, 10_000), systems=st.integers(3, 12), share=st.floats(0.0, 0.9))
def test_scores_move_as_little_as_they_must(seed, systems, share):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(2, systems)) * rng.uniform(0.1, 10, size=(2, 1))
    mixed = rng.normal(size=(2, 2))
    noise = mixed @ mixed.T
    noise *= share * np.linalg.eigvalsh(scatter(scores))[0] / np.linalg.eigvalsh(noise)[1]
    found = deattenuated(scores, noise, 1)
    assert scatter(found) == pytest.approx(scatter(scores) - noise, rel=1e-6, abs=1e-9)
    assert found == pytest.approx(transported(scores, scatter(scores) - noise), rel=1e-5, abs=1e-7)
    assert found.mean(axis=1) == pytest.approx(scores.mean(axis=1), abs=1e-9)


@given(seed=st.integers(0, 10_000), times=st.sampled_from([0.0, 1.0, 2.0]))
def test_the_correlation_is_spearmans_correction(seed, times):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(5, 2, 9)) + rng.normal(size=(5, 1, 9))
    noise = np.diag(rng.uniform(0, 1, size=2))
    for one, found in zip(scores, deattenuated(scores, noise, times), strict=True):
        whole = scatter(one) - times * noise
        variances = np.maximum(np.diag(whole), LEAST_RELIABILITY * np.diag(scatter(one)))
        expected = np.clip(whole[0, 1] / np.sqrt(variances.prod()), -1, 1)
        assert np.corrcoef(found)[0, 1] == pytest.approx(expected, abs=1e-6)


def test_without_noise_nothing_moves():
    scores = np.random.default_rng(1).normal(size=(4, 2, 6))
    assert deattenuated(scores, np.zeros((2, 2)), 2) == pytest.approx(scores)


def test_noise_is_what_resamples_add():
    rng = np.random.default_rng(2)
    observed = rng.normal(size=(2, 8))
    resampled = observed + rng.normal(size=(20_000, 2, 8)) * np.array([[0.5], [2.0]])
    noise = sampling_noise(observed, resampled)
    assert np.diag(noise) == pytest.approx([7 * 0.25, 7 * 4.0], rel=0.03)
    assert abs(noise[0, 1]) < 0.1
    assert reliability(observed, noise) == pytest.approx(np.clip(1 - np.diag(noise) / np.diag(scatter(observed)), 0, 1))


@pytest.mark.parametrize("scores", [[[1, 2, 3, 4], [2, 4, 6, 8]], [[1, 2, 3, 4], [4, 3, 2, 1]]])
def test_perfect_agreement_stays_perfect(scores):
    found = deattenuated(np.array(scores, dtype=float), np.eye(2) * 0.1, 1)
    assert abs(np.corrcoef(found)[0, 1]) == pytest.approx(1)
