"""System scores without sampling noise: the linear map is the one that eigenvalues give, and does what it says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from score_tables import random_table

from tricolore.draws import draws
from tricolore.judge.correlation import statistics
from tricolore.judge.correlation.agreement import agreement, intervals
from tricolore.judge.correlation.attenuation import (
    LEAST_RELIABILITY,
    deattenuated,
    reliability,
    sampling_noise,
    scatter,
)
from tricolore.judge.correlation.measures import Measure

ABLE = ("pearson", "spearman", "kendall-b", "kendall-c", "kendall-wmt12", "kendall-wmt13", "kendall-wmt14", "accuracy")


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


def system_scores(table, segments):
    """Means over some segments of the scores that are there, by annotators and by metric a."""
    sides = table.human.segment_scores(), table.metric("a").segment_scores()
    return np.stack([np.nanmean(side[:, segments], axis=1) for side in sides])


def corrected(table, name, samples, seed):
    """The corrected value, the values of resamples, and the reliability: one resample at a time."""
    n = len(table.segments)
    observed = system_scores(table, range(n))
    resampled = [system_scores(table, some) for some in draws(n, samples, seed)]
    noise = np.mean([scatter(one - observed) for one in resampled], axis=0) * n / (n - 1)
    statistic = {
        "pearson": statistics.pearson,
        "spearman": statistics.spearman,
        "kendall-b": statistics.kendall_tau_b,
        "kendall-c": statistics.kendall_tau_c,
        "accuracy": statistics.pairwise_accuracy,
    }.get(name, lambda x, y: statistics.kendall_of_scores(x, y, name.partition("-")[2]))
    values = [statistic(*deattenuated(one, noise, 2 - 1 / n)) for one in resampled]
    whole = 1 - np.diag(noise) / np.diag(scatter(observed))
    return statistic(*deattenuated(observed, noise, 1)), values, np.clip(whole, 0, 1)


def rated(seed, systems, segments):
    """A table whose systems differ."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(systems, 1))
    table = random_table(seed, systems=systems, segments=segments)
    columns = [
        type(one).of_scores(one.name, quality + rng.normal(size=(systems, segments)), higher_is_better=True)
        for one in (table.human, *table.metrics)
    ]
    return type(table)(table.systems, table.segments, columns[0], tuple(columns[1:]), table.name)


@pytest.mark.parametrize("name", ABLE)
def test_intervals_are_corrected_resample_by_resample(name):
    table, measure = rated(5, 7, 9), Measure("system", name)
    found = intervals(table, ["a"], [measure], samples=40, seed=3, level=0.9)[0]
    value, values, whole = corrected(table, name, 40, 3)
    assert (found.interval, found.resamples) == ("corrected", 40)
    assert found.corrected == pytest.approx(value, abs=1e-9)
    assert [found.low, found.high] == pytest.approx(np.quantile(values, [0.05, 0.95]), abs=1e-9)
    assert [found.human_reliability, found.metric_reliability] == pytest.approx(whole)
    assert found.value == agreement(table, "a", measure).value
    assert "|interval:corrected|over:segments|" in found.signature


def test_tables_are_averaged():
    some = [rated(1, 6, 8), rated(2, 5, 7)]
    found = intervals(some, ["a"], [Measure("system", "pearson")], samples=30, seed=3)[0]
    parts = [corrected(table, "pearson", 30, 3 + k) for k, table in enumerate(some)]
    assert found.corrected == pytest.approx(np.mean([value for value, _, _ in parts]))
    means = np.mean([values for _, values, _ in parts], axis=0)
    assert [found.low, found.high] == pytest.approx(np.quantile(means, [0.025, 0.975]))
    assert found.human_reliability == pytest.approx(np.mean([whole[0] for _, _, whole in parts]))


@pytest.mark.parametrize(("name", "a", "b"), [("pearson", 1, 3), ("spearman", 1.06, 3), ("kendall-b", 0.437, 4)])
def test_over_systems_the_interval_is_that_of_fishers_z(name, a, b):
    table = rated(4, 9, 12)
    found = intervals(table, ["a"], [Measure("system", name)], samples=20_000, over="systems")[0]
    ends = np.arctanh(found.value) + np.sqrt(a / (9 - b)) * np.array([-1.96, 1.96])
    assert [found.low, found.high] == pytest.approx(np.tanh(ends), abs=0.01)
    assert np.isnan(found.corrected) and np.isnan(found.human_reliability)
    both, these = (
        intervals(table, ["a"], [Measure("system", name)], samples=2000, over=over)[0] for over in ("both", "segments")
    )
    assert both.low < these.low and both.corrected == these.corrected > found.value


def test_accuracy_over_systems_is_that_of_kendall():
    table = rated(4, 9, 12)
    how = {"samples": 200, "over": "both"}
    accuracy, kendall = intervals(table, ["a"], [Measure("system", one) for one in ("accuracy", "kendall-b")], **how)
    assert [2 * accuracy.low - 1, 2 * accuracy.high - 1] == pytest.approx([kendall.low, kendall.high])


def test_few_systems_say_nothing_about_others():
    found = intervals(rated(4, 4, 12), ["a"], [Measure("system", "kendall-b")], samples=50, over="systems")[0]
    assert (found.low, found.high) == (-1, 1)


@pytest.mark.parametrize("text", ["system soft-accuracy", "system accuracy-ties", "segment pearson pooled"])
def test_what_cannot_be_corrected_gets_expanded_percentiles(text):
    table, measure = rated(6, 4, 6), Measure.parse(text)
    found, expanded = (
        intervals(table, ["a"], [measure], samples=10, interval=how)[0] for how in ("corrected", "expanded")
    )
    assert repr(found) == repr(expanded)
    assert found.interval == "expanded" and np.isnan(found.corrected)


@pytest.mark.parametrize(
    ("over", "units", "tables"),
    [("segments", 6, 1), ("systems", 4, 1), ("both", 4, 1), ("segments", 6, 3), ("tables", 3, 3)],
)
def test_expanded_percentiles_are_those_of_t(over, units, tables):
    """The percentiles of normal quantiles that are as large as t's, with n - 1 in the variance (Hesterberg 2015)."""
    from scipy.stats import norm, t

    some = [rated(seed, 4, 6) for seed in range(tables)]
    freedom = (units - 1) * (1 if over == "tables" else tables)
    wider = 1 - 2 * norm.cdf(-np.sqrt(units / (units - 1)) * t.ppf(0.95, freedom))
    how = {"samples": 199, "over": over}
    measure = Measure.parse("segment kendall-b pooled")
    found = intervals(some, ["a"], [measure], level=0.9, interval="expanded", **how)[0]
    # The k-th of 199 values is the quantile k / 200; linearly, it is the quantile (k - 1) / 198.
    least = max((1 - wider) / 2 * 200 - 1, 1e-12) / 198
    plain = intervals(some, ["a"], [measure], level=1 - 2 * least, interval="percentile", **how)[0]
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high))
    assert wider > 0.9 and "interval:expanded" in found.signature


def bca(values, observed, left_out, level):
    """The bounds in the words of Efron (1987)."""
    from scipy.stats import norm

    below = np.mean([(value < observed) + (value == observed) / 2 for value in values])
    z_0 = norm.ppf(np.clip(below, 0.5 / len(values), 1 - 0.5 / len(values)))
    moved = np.mean(left_out) - np.array(left_out)
    a = np.sum(moved**3) / (6 * np.sum(moved**2) ** 1.5)
    ends = [norm.cdf(z_0 + (z_0 + z) / (1 - a * (z_0 + z))) for z in norm.ppf([(1 - level) / 2, (1 + level) / 2])]
    return np.quantile(values, ends)


@pytest.mark.parametrize("over", ["segments", "systems"])
@pytest.mark.parametrize(
    "text", ["system pearson", "system kendall-b", "segment pearson pooled", "kendall-b by segment"]
)
def test_bca_bounds(over, text):
    table, measure = rated(8, 8, 10), Measure.parse(text)
    found = intervals(table, ["a"], [measure], samples=60, seed=3, over=over, interval="bca")[0]
    if over == "segments":
        some = [(range(8), drawn) for drawn in draws(10, 60, 3)]
        without = [(range(8), [i for i in range(10) if i != k]) for k in range(10)]
    else:
        some = [(drawn, range(10)) for drawn in np.random.default_rng((3, 1)).integers(0, 8, size=(60, 8))]
        without = [([i for i in range(8) if i != k], range(10)) for k in range(8)]
    values, left_out = (
        [agreement(table.take([*systems], [*segments]), "a", measure).value for systems, segments in each]
        for each in (some, without)
    )
    assert [found.low, found.high] == pytest.approx(bca(values, found.value, left_out, 0.95), abs=1e-9)
    assert "|interval:bca|" in found.signature


def test_bca_of_both_and_of_tables_and_of_many_segments():
    some, measure = [rated(k, 6, 7) for k in range(4)], Measure("system", "pearson")
    for over in ("both", "tables"):
        found = intervals(some, ["a"], [measure], samples=60, over=over, interval="bca")[0]
        assert found.low < found.value < found.high
    many = intervals(rated(3, 6, 900), ["a"], [measure], samples=60, interval="bca")[0]
    assert many.low < many.value < many.high
