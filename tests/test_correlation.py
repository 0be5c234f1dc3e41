"""Statistics of two lists of scores: equal to scipy where scipy has them, else to looking at every pair."""

import itertools
import math
import warnings

import numpy as np
import pair_oracles as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tricolore.errors import InputError, SpecError
from tricolore.judge.correlation import statistics as correlation
from tricolore.judge.correlation.soft_accuracy import Swaps, soft_pairwise_accuracy, superiority
from tricolore.judge.score_table import Column

NAN = math.nan


def numbers(missing=True, few=True):
    """Scores with many ties, or with few; some are missing."""
    kinds = [st.integers(-3, 3).map(float)]
    if not few:
        kinds.append(st.floats(-1e6, 1e6))
    if missing:
        kinds.append(st.just(NAN))
    return st.one_of(kinds)


def two_lists(most=60, **how):
    pairs = st.tuples(numbers(**how), numbers(**how))
    return st.lists(pairs, max_size=most).map(lambda points: tuple(np.array(points).reshape(-1, 2).T))


@given(two_lists(few=False), st.integers(0, 99))
def test_counts_of_resamples_are_those_of_every_pair_of_copies(lists, seed):
    human, metric = lists
    times = np.random.default_rng(seed).integers(0, 4, (19, len(human)))
    got = correlation.resampled_pair_counts(human[None], metric[None], np.arange(len(human)), times)[:, 0]
    for row, copies in zip(got, times, strict=True):
        assert row.tolist() == oracle.pair_counts(np.repeat(human, copies), np.repeat(metric, copies))


@pytest.mark.parametrize(("values", "others"), [(3, 5000), (5000, 3), (5000, 5000), (1, 4)])
def test_counts_of_resamples_of_longer_lists(values, others):
    rng = np.random.default_rng(values)
    human, metric = rng.integers(0, values, 900).astype(float), rng.integers(0, others, 900).astype(float)
    human[::50] = NAN
    places, times = rng.integers(0, 70, 900), rng.integers(0, 3, (33, 70))
    both = np.stack([human, metric]), np.stack([metric, metric])
    got = correlation.resampled_pair_counts(*both, places, times)
    for i, copies in enumerate(times[:, places]):
        drawn = [np.repeat(side, copies, axis=1) for side in both]
        assert got[i].tolist() == correlation.pair_counts(*drawn).tolist()


@given(st.lists(two_lists(most=7), min_size=1, max_size=4), st.sampled_from([0.0, 0.5, 1.0, 3.0]))
def test_share_tied_is_that_of_looking_at_every_pair(rows, epsilon):
    width = max(len(human) for human, _ in rows)
    human, metric = (
        np.array([[*row[i], *[NAN] * (width - len(row[i]))] for row in rows]).reshape(len(rows), -1) for i in (0, 1)
    )
    differences = [
        abs(y[i] - y[j])
        for x, y in zip(human, metric, strict=True)
        for i, j in itertools.combinations(range(width), 2)
        if not math.isnan(x[i] + x[j] + y[i] + y[j]) and y[i] != y[j]
    ]
    expected = sum(one <= epsilon for one in differences) / len(differences) if differences else NAN
    assert correlation.share_tied(human, metric, epsilon) == pytest.approx(expected, nan_ok=True)
    wide = [np.pad(side, ((0, 0), (0, 130)), constant_values=NAN) for side in (human, metric)]
    assert correlation.share_tied(*wide, epsilon) == pytest.approx(expected, nan_ok=True)


@given(two_lists(few=False))
def test_pair_counts_are_those_of_looking_at_every_pair(lists):
    human, metric = lists
    got = correlation.pair_counts(human[None], metric[None])[0]
    assert got.tolist() == oracle.pair_counts(human, metric)


@given(st.integers(33, 400), st.integers(1, 400), st.integers(0, 2**32))
def test_pair_counts_of_longer_lists(size, values, seed):
    rng = np.random.default_rng(seed)
    human, metric = rng.integers(0, values, size=(2, size)).astype(float)
    metric[rng.random(size) < 0.05] = NAN
    got = correlation.pair_counts(human[None], metric[None])[0]
    first, second = (side[~np.isnan(metric)] for side in (human, metric))
    by_human = np.sign(first[:, None] - first)
    by_metric = np.sign(second[:, None] - second)
    upper = np.triu(np.ones((len(first),) * 2, dtype=bool), 1)
    expected = [
        (by_human * by_metric > 0),
        (by_human * by_metric < 0),
        (by_human == 0) & (by_metric != 0),
        (by_human != 0) & (by_metric == 0),
        (by_human == 0) & (by_metric == 0),
    ]
    assert got[:5].tolist() == [np.sum(where & upper) for where in expected]
    assert got[5:].tolist() == [len(first), len(set(first)), len(set(second))]


@pytest.mark.parametrize("size", [2, 3, 16, 31, 32, 33, 34, 48, 49, 64, 65, 129, 1000])
def test_pair_counts_where_the_way_of_counting_changes(size):
    up = np.arange(size, dtype=float)
    pairs = size * (size - 1) / 2
    assert correlation.pair_counts(up[None], up[None])[0, :5].tolist() == [pairs, 0, 0, 0, 0]
    assert correlation.pair_counts(up[None], -up[None])[0, :5].tolist() == [0, pairs, 0, 0, 0]
    assert correlation.pair_counts(up[None], 0 * up[None])[0, :5].tolist() == [0, 0, 0, pairs, 0]
    assert correlation.pair_counts(-0.0 * up[None], up[None])[0, :5].tolist() == [0, 0, pairs, 0, 0]
    assert correlation.pair_counts(0 * up[None], -0.0 * up[None])[0, :5].tolist() == [0, 0, 0, 0, pairs]


def test_rows_come_round_again_and_threads_change_nothing():
    rng = np.random.default_rng(1)
    human, metric = rng.integers(0, 5, (7, 9)).astype(float), rng.integers(0, 5, (70, 9)).astype(float)
    got = correlation.pair_counts(human, metric)
    assert got.tolist() == [oracle.pair_counts(human[i % 7], metric[i]) for i in range(70)]
    for statistic in (correlation.pearson_rows, correlation.spearman_rows):
        alone = [statistic(human[i % 7][None], metric[i][None])[0] for i in range(70)]
        np.testing.assert_allclose(statistic(human, metric), alone, rtol=0, atol=1e-15)


SCIPY = {
    correlation.pearson: lambda x, y: stats.pearsonr(x, y).statistic,
    correlation.spearman: lambda x, y: stats.spearmanr(x, y).statistic,
    correlation.kendall_tau_b: lambda x, y: stats.kendalltau(x, y).statistic,
    correlation.kendall_tau_c: lambda x, y: stats.kendalltau(x, y, variant="c").statistic,
}


@pytest.mark.parametrize("ours", SCIPY, ids=lambda function: function.__name__)
@given(lists=two_lists(few=False))
def test_equal_to_scipy(ours, lists):
    points = oracle.present(*lists)
    got = ours(*lists)
    if len({x for x, _ in points}) < 2 or len({y for _, y in points}) < 2:
        assert math.isnan(got)
        return
    x, y = zip(*points, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nearly constant
        expected = SCIPY[ours](x, y)
    # A list that is constant but for its last digits has a correlation of rounding errors, theirs and ours.
    if ours is correlation.pearson and min(np.std(x) / np.max(np.abs(x)), np.std(y) / np.max(np.abs(y))) < 1e-6:
        return
    assert got == pytest.approx(expected, rel=0, abs=1e-12)


@pytest.mark.parametrize("ours", SCIPY, ids=lambda function: function.__name__)
@pytest.mark.parametrize("values", [2, 10, 10**6])
def test_equal_to_scipy_on_many_points(ours, values):
    rng = np.random.default_rng(values)
    x = rng.integers(0, values, 5000).astype(float)
    y = x + rng.integers(0, values, 5000)
    assert ours(x, y) == pytest.approx(SCIPY[ours](x, y), rel=0, abs=1e-12)


@pytest.mark.parametrize("ours", [*SCIPY, correlation.pairwise_accuracy], ids=lambda function: function.__name__)
@pytest.mark.parametrize(
    "lists",
    [([], []), ([1.0], [2.0]), ([1.0, NAN], [2.0, 3.0]), ([1.0, 1.0], [1.0, 2.0]), ([NAN, NAN], [1.0, 2.0])],
    ids=["nothing", "one point", "one left", "constant", "all missing"],
)
def test_what_is_undefined_is_nan(ours, lists):
    assert math.isnan(ours(*lists))


def test_constants_that_no_float_holds_are_constant():
    third = [0.1 + 0.2] * 10
    assert math.isnan(correlation.pearson(third, range(10)))
    assert math.isnan(correlation.spearman(third, range(10)))


def test_large_and_small_numbers_do_not_overflow():
    x = np.array([1.0, 2.0, 3.0, 5.0])
    y = np.array([2.0, 1.0, 4.0, 3.0])
    expected = correlation.pearson(x, y)
    for scale in (1e300, 1e-300):
        assert correlation.pearson(x * scale, y) == pytest.approx(expected, abs=1e-12)
    assert math.isnan(correlation.pearson([1.0, math.inf, 2.0], [1.0, 2.0, 3.0]))
    assert correlation.spearman([1.0, math.inf, 2.0], [1.0, 3.0, 2.0]) == 1.0
    assert correlation.kendall_tau_b([-math.inf, math.inf, 2.0], [1.0, 3.0, 2.0]) == 1.0


@given(st.lists(st.tuples(st.integers(-1, 1), st.integers(-2, 2)), max_size=30))
def test_kendall_over_pairs(pairs):
    used = [(h, m) for h, m in pairs if h]
    right = sum(h * m > 0 for h, m in used)
    wrong = sum(h * m < 0 for h, m in used)
    ties = sum(m == 0 for _, m in used)
    expected = {
        "half": (right - wrong, right + wrong + ties),
        "wmt12": (right - wrong - ties, right + wrong + ties),
        "wmt13": (right - wrong, right + wrong),
        "wmt14": (right - wrong, right + wrong + ties),
    }
    for variant, (above, below) in expected.items():
        got = correlation.kendall(pairs, variant)
        assert got == pytest.approx(above / below, abs=1e-15) if below else math.isnan(got)


@given(two_lists(most=20))
def test_kendall_of_scores_is_that_of_their_pairs(lists):
    points = oracle.present(*lists)
    pairs = [(h1 - h2, m1 - m2) for i, (h1, m1) in enumerate(points) for h2, m2 in points[:i]]
    for variant in correlation.VARIANTS:
        got, expected = correlation.kendall_of_scores(*lists, variant), correlation.kendall(pairs, variant)
        assert got == expected or (math.isnan(got) and math.isnan(expected))


@given(two_lists())
def test_pairwise_accuracy_is_that_of_every_pair(lists):
    right, wrong, _, ties, *_ = oracle.pair_counts(*lists)
    got = correlation.pairwise_accuracy(*lists)
    assert got == right / (right + wrong + ties) if right + wrong + ties else math.isnan(got)


def test_unknown_variants_and_unequal_lists_are_refused():
    with pytest.raises(SpecError, match=r"no variant 'wmt15' of kendall; did you mean 'wmt1\d'"):
        correlation.kendall([], "wmt15")
    with pytest.raises(InputError, match=r"two lists of the same length; got shapes \(2,\) and \(3,\)"):
        correlation.pearson([1, 2], [1, 2, 3])
    with pytest.raises(InputError, match="two lists"):
        correlation.pearson([[1, 2]], [[1, 2]])


@given(two_lists(few=False))
def test_ranks_are_scipys(lists):
    values = lists[0]
    got = correlation.midranks(values[None])[0]
    np.testing.assert_array_equal(got, stats.rankdata(values, nan_policy="omit"))


# Accuracy with ties ----------------------------------------------------------------------------------------------

groups = st.integers(0, 6).flatmap(
    lambda size: st.lists(
        st.lists(st.tuples(numbers(), st.one_of(numbers(), st.floats(0, 1))), min_size=size, max_size=size),
        min_size=1,
        max_size=5,
    ).map(lambda rows: np.array(rows, dtype=float).reshape(len(rows), size, 2))
)


@given(groups)
def test_ties_are_calibrated_as_by_trying_every_epsilon(rows):
    human, metric = rows[..., 0], rows[..., 1]
    got = correlation.accuracy_with_ties(human, metric)
    expected = oracle.accuracy_with_ties(human, metric)
    assert got == pytest.approx(expected, abs=1e-12, nan_ok=True)
    # The way that takes samples, with all of them.
    slow = correlation._accuracy_of_pairs(human, metric, None, 1.0, 0)
    assert slow == pytest.approx(expected, abs=1e-9, nan_ok=True)
    for epsilon in (0.0, 0.5, 2.0):
        at = correlation.accuracy_with_ties(human, metric, epsilon=epsilon)
        assert at.accuracy == pytest.approx(oracle.accuracy_at(human, metric, epsilon), abs=1e-12, nan_ok=True)


def test_calibration_of_many_problems():
    rng = np.random.default_rng(5)
    human = rng.integers(0, 3, (6, 5)).astype(float)
    metric = rng.normal(size=(4 * 6, 5)).round(1)
    got = correlation.calibrated(human, metric)
    for k in range(4):
        assert got[k, :2] == pytest.approx(oracle.accuracy_with_ties(human, metric[6 * k : 6 * k + 6]), abs=1e-12)
        assert got[k, 2:].tolist() == [6, 60]


def test_copies_of_a_point_are_no_pair():
    human, metric = np.array([[1.0, 2.0, 2.0]]), np.array([[0.1, 0.1, 0.5]])
    result = correlation.calibrated_resamples(human, metric, np.ones((1, 1)), np.array([[1.0, 1.0, 2.0]]))[0]
    # The two in order and the two that people tie are the same distance apart, and the metric's own tie is wrong.
    assert result.tolist() == [2 / 5, 0.0, 1, 5]


@given(groups, st.integers(0, 2**32))
def test_resamples_of_groups_are_calibrated_as_tables_of_their_own(rows, seed):
    human, metric = rows[..., 0], rows[..., 1]
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, len(rows), size=(3, len(rows)))
    times = np.stack([np.bincount(one, minlength=len(rows)) for one in drawn]).astype(float)
    got = correlation.calibrated_resamples(human, metric, times, np.ones((3, human.shape[1])))
    for one, result in zip(drawn, got, strict=True):
        assert result == pytest.approx(correlation.calibrated(human[one], metric[one])[0], abs=1e-12, nan_ok=True)


def test_samples_of_pairs_are_close_to_all_pairs():
    rng = np.random.default_rng(3)
    human = rng.integers(0, 4, (200, 10)).astype(float)
    metric = human + rng.normal(size=human.shape)
    everything = correlation.accuracy_with_ties(human, metric)
    sample = correlation.accuracy_with_ties(human, metric, sample_rate=0.5, seed=1)
    assert sample == correlation.accuracy_with_ties(human, metric, sample_rate=0.5, seed=1)
    assert sample != everything
    assert sample.accuracy == pytest.approx(everything.accuracy, abs=0.03)
    with pytest.raises(SpecError, match="sample_rate must be above 0 and at most 1; got 0"):
        correlation.accuracy_with_ties(human, metric, sample_rate=0)


def test_infinite_scores_tie_with_themselves():
    assert correlation.accuracy_with_ties([1, 1, 0], [math.inf, math.inf, 0.0]) == (1.0, 0.0)


def test_too_many_pairs_are_refused():
    with pytest.raises(InputError, match=r"calibration of 112,492,500 pairs .*at most 50,000,000.*group by segment"):
        correlation.calibrated(np.zeros((1, 15000)), np.zeros((1, 15000)))


# Soft pairwise accuracy ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rounded", [0, 1, 9])
def test_soft_accuracy_is_that_of_its_definition(rounded):
    rng = np.random.default_rng(rounded)
    human, metric = rng.normal(size=(2, 4, 12)).round(rounded)
    expected = oracle.soft_accuracy(human, metric, oracle.random_swaps(12, 50, 7))
    assert soft_pairwise_accuracy(human, metric, swaps=50, seed=7) == pytest.approx(expected, abs=1e-12)


def test_soft_accuracy_does_not_depend_on_the_order_of_systems():
    rng = np.random.default_rng(2)
    human, metric = rng.integers(0, 3, size=(2, 5, 30)).astype(float)
    human[1] = human[0]
    order = [3, 1, 4, 0, 2]
    expected = soft_pairwise_accuracy(human, metric)
    assert soft_pairwise_accuracy(human[order], metric[order]) == pytest.approx(expected, abs=1e-12)
    assert soft_pairwise_accuracy(human, human) == 1.0


def test_confidence_is_the_same_from_rows_as_from_differences():
    rng = np.random.default_rng(4)
    values = rng.normal(size=(4, 20)).round(1)
    swaps = Swaps(200, 1)
    column = Column.of_scores("people", values)
    general = Column("people", values, column.rows, lambda rows: rows[..., 0] / rows[..., 1])
    times = rng.integers(0, 3, 20).astype(float)
    for weights in (None, times):
        expected = superiority(column, swaps, weights)
        np.testing.assert_allclose(superiority(general, swaps, weights), expected, atol=1e-12)
    missing = values.copy()
    missing[2] = NAN
    p = superiority(Column.of_scores("people", missing), swaps)
    assert np.isnan(p).tolist() == [False, True, False, True, False, True]  # pairs 01 02 03 12 13 23
    np.testing.assert_allclose(p[[0, 2, 4]], superiority(column, swaps)[[0, 2, 4]], atol=1e-12)


def test_soft_accuracy_is_undefined_without_segments_to_swap():
    assert math.isnan(soft_pairwise_accuracy([[1.0], [2.0]], [[1.0], [2.0]]))
    assert math.isnan(soft_pairwise_accuracy([[1.0, 2.0]], [[1.0, 2.0]]))


def test_soft_accuracy_is_for_arrays_of_the_same_shape():
    with pytest.raises(InputError, match=r"systems x segments of the same shape; got \(2, 1\) and \(1, 2\)"):
        soft_pairwise_accuracy([[1.0], [2.0]], [[1.0, 2.0]])
    with pytest.raises(SpecError, match="swaps must be a whole number from 1"):
        soft_pairwise_accuracy([[1.0, 2.0]], [[1.0, 2.0]], swaps=0)


def test_confidence_of_small_data_is_exact_in_the_limit():
    # Two systems, three segments, differences 1, 2, 3: of 8 assignments only the given one leads by 6.
    p = superiority(Column.of_scores("people", [[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]), Swaps(200_000, 1))
    assert p[0] == pytest.approx(1 / 16, abs=0.003)


@given(seed=st.integers(0, 1000), epsilon=st.sampled_from([0.0, 0.1, 0.25, 3.0]))
def test_the_share_of_pairs_that_epsilon_ties(seed, epsilon):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 3, size=(3, 6)) / 1.0, rng.integers(0, 9, size=(3, 6)) / 20
    y[rng.random(y.shape) < 0.2] = np.nan
    pairs = [abs(a - b) for row in y for a, b in itertools.combinations(row[~np.isnan(row)], 2) if a != b]
    expected = np.mean([one <= epsilon + 1e-9 for one in pairs]) if pairs else np.nan
    assert correlation.share_tied(x, y, epsilon) == pytest.approx(expected, nan_ok=True)
