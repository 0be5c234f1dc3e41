"""Tests of the difference between two metrics: right under the null, p = 1 for a copy, Holm and clusters."""

import math

import numpy as np
import pytest
from scipy import stats
from score_tables import ALL, NAN, random_table, table_of

import tricolore as tri
from tricolore.errors import SpecError
from tricolore.judge.correlation import swapped_metrics
from tricolore.judge.correlation.agreement import agreement
from tricolore.judge.correlation.measures import STATISTICS, Measure, finish
from tricolore.judge.correlation.metric_tests import compare_metrics, permutation_test, williams
from tricolore.judge.correlation.statistics import pearson
from tricolore.judge.multiplicity import holm
from tricolore.judge.score_table import Column, ScoreTable, table_of_texts, without_noise

PEARSON = Measure("system", "pearson")

# Williams' test --------------------------------------------------------------------------------------------------


def test_williams_statistic_is_that_of_its_matrix():
    """K is the determinant of the matrix of correlations, and so is the whole statistic put together here."""
    rng = np.random.default_rng(0)
    for n in (4, 10, 500):
        h, x, y = scores = rng.normal(size=(3, n)) + rng.normal(size=n)
        a, b, c = pearson(h, x), pearson(h, y), pearson(x, y)
        determinant = np.linalg.det(np.corrcoef(scores))
        middle = (a + b) / 2
        t = (a - b) * np.sqrt((n - 1) * (1 + c) / (2 * (n - 1) / (n - 3) * determinant + middle**2 * (1 - c) ** 3))
        assert williams(a, b, c, n) == pytest.approx(2 * stats.t.sf(abs(t), n - 3), rel=1e-9)
        assert williams(a, b, c, n, sided="one") == pytest.approx(stats.t.sf(t, n - 3), rel=1e-9)


def test_williams_without_a_value():
    assert math.isnan(williams(0.5, 0.4, 0.3, 3))
    assert math.isnan(williams(NAN, 0.4, 0.3, 10))
    assert math.isnan(williams(0.5, -0.5, -1.0, 10))  # a metric and itself turned round
    assert williams(0.5, 0.5, 1.0, 10) == 1.0
    assert williams(0.5, 0.5, 0.3, 10, sided="one") == 0.5


@pytest.mark.parametrize("sided", ["two", "one"])
def test_williams_is_uniform_under_the_null(sided):
    rng = np.random.default_rng(7)
    p_values = []
    for _ in range(500):
        h, x, y = rng.normal(size=(3, 30))
        x, y = x + h, y + h  # both correlate equally well with h
        p_values.append(williams(pearson(h, x), pearson(h, y), pearson(x, y), 30, sided=sided))
    assert stats.kstest(p_values, "uniform").pvalue > 0.05


def test_williams_is_for_pearson_of_one_table():
    table = random_table(1)
    for measure in ("system kendall-b", "segment pearson by segment"):
        with pytest.raises(SpecError, match="Williams' test is for 'system pearson' and 'segment pearson pooled'; got"):
            compare_metrics(table, ["a", "b"], Measure.parse(measure), test="williams")
    with pytest.raises(SpecError, match="Williams' test is for one table; got 2"):
        compare_metrics([table, table], ["a", "b"], PEARSON, test="williams")


@pytest.mark.parametrize("measure", [PEARSON, Measure("segment", "pearson", "pooled")], ids=str)
def test_williams_of_a_table_is_over_the_points_that_all_have(measure):
    table = random_table(3, systems=9, segments=10)
    sides = [table.human, *table.metrics]
    if measure.level == "system":
        scores = np.stack([side.systems() for side in sides])
    else:
        scores = np.stack([side.segments.ravel() for side in sides])
        scores = scores[:, ~np.isnan(scores).any(axis=0)]
    r = np.corrcoef(scores)
    got = compare_metrics(table, ["a", "b"], measure, test="williams").differences[0]
    assert got.p == pytest.approx(williams(r[0, 1], r[0, 2], r[1, 2], scores.shape[1]), rel=1e-9)


# The permutation test --------------------------------------------------------------------------------------------


def slow_permutation_test(some, measure, over, sided, shuffles, seed):
    """Metrics a and b of tables are standardised, exchanged and measured, shuffle by shuffle."""
    standard, generators = [], []
    whole = (measure.level, over) == ("system", "systems") and measure.statistic != "soft-accuracy"
    for i, table in enumerate(some):
        human, a, b = (table.human.segments, table.metric("a").segments, table.metric("b").segments)
        missing = np.isnan(a) | np.isnan(b)
        if measure.level == "segment":
            missing |= np.isnan(human)
        a, b = (np.where(missing, NAN, side) for side in (a, b))
        if whole:  # scores of systems are exchanged
            a, b = (np.nanmean(side, axis=1, keepdims=True) for side in (a, b))
        standard.append([without_noise((side - np.nanmean(side)) / np.nanstd(side)) for side in (a, b)])
        generators.append(np.random.default_rng(seed + i))

    def difference(exchanged):
        humans = [table.human.systems()[:, None] if whole else table.human.segments for table in some]
        made = [table_of(human, *sides) for human, sides in zip(humans, exchanged, strict=True)]
        return agreement(made, "a", measure, seed=seed).value - agreement(made, "b", measure, seed=seed).value

    observed, hits = difference(standard), 0
    for _ in range(shuffles):
        exchanged = []
        for (a, b), rng in zip(standard, generators, strict=True):
            shape = {"both": a.shape, "inputs": (1, a.shape[1]), "systems": (a.shape[0], 1)}[over]
            mask = rng.integers(2, size=shape, dtype=bool)
            exchanged.append((np.where(mask, b, a), np.where(mask, a, b)))
        one = difference(exchanged)
        hits += one >= observed - 1e-9 if sided == "one" else abs(one) >= abs(observed) - 1e-9
    return (hits + 1) / (shuffles + 1)


@pytest.mark.parametrize("over", ["both", "inputs", "systems"])
@pytest.mark.parametrize("sided", ["two", "one"])
def test_permutations_are_those_of_exchanged_tables(over, sided):
    some = [random_table(21, systems=5, segments=7, missing=0.05), random_table(22, systems=4, segments=6)]
    for measure in ALL:
        chosen = some if measure.by != "system" else some[:1]
        got = permutation_test(chosen, "a", "b", measure, over=over, sided=sided, shuffles=15, seed=5)
        assert got == pytest.approx(slow_permutation_test(chosen, measure, over, sided, 15, 5)), measure


@pytest.mark.parametrize("over", ["both", "inputs", "systems"])
@pytest.mark.parametrize("measure", ALL, ids=str)
def test_a_copy_is_no_better(over, measure):
    table = random_table(4, systems=5, segments=8, missing=0)
    a = table.metric("a")
    copies = [a, Column.of_scores("times", a.segments * 100 + 3), Column.of_scores("errors", -a.segments)]
    copies[2] = Column.of_scores("errors", -0.3 * a.segments, higher_is_better=False)
    for copy in copies:
        assert permutation_test(table, "a", copy, measure, over=over, shuffles=20) == 1.0


@pytest.mark.parametrize(
    ("over", "measure"),
    [
        ("both", "system pearson"),
        ("both", "pearson by segment"),
        ("both", "pearson pooled"),
        ("inputs", "system pearson"),
        ("inputs", "pearson pooled"),
        ("systems", "system pearson"),
        ("systems", "pearson pooled"),
    ],
)
def test_permutations_are_uniform_under_the_null(over, measure):
    """Two metrics err independently and alike; what they err on as a whole can be exchanged as a whole."""
    rng = np.random.default_rng(99)
    p_values = []
    systems, segments = (20, 8) if over == "systems" else (8, 20)
    for seed in range(250):
        human = rng.normal(size=(systems, 1)) + rng.normal(size=(systems, segments))
        a, b = human + rng.normal(size=(2, systems, segments))
        whole = {"both": (1, 1), "inputs": (1, segments), "systems": (systems, 1)}[over]
        table = table_of(human, a + rng.normal(size=whole), b + rng.normal(size=whole))
        one = permutation_test(table, "a", "b", Measure.parse(measure), over=over, shuffles=99, seed=seed)
        p_values.append(one - rng.random() / 100)  # they are hundredths
    assert stats.kstest(p_values, "uniform").pvalue > 0.02


def test_equal_differences_make_permutations_careful():
    """Sums of few values of tau are often equal, and equal counts against a finding: p is too high if anything."""
    rng = np.random.default_rng(5)
    p_values = []
    for seed in range(200):
        human, a, b = rng.normal(size=(3, 4, 10)).round(1)
        measure = Measure.parse("kendall-b by segment")
        p_values.append(
            permutation_test(table_of(human, a, b), "a", "b", measure, over="inputs", shuffles=99, seed=seed)
        )
    assert stats.kstest(p_values, "uniform", alternative="greater").pvalue > 0.05


def test_a_better_metric_is_found():
    rng = np.random.default_rng(1)
    human = rng.normal(size=(8, 60))
    good, bad = human + 0.5 * rng.normal(size=human.shape), human + 2 * rng.normal(size=human.shape)
    table = table_of(human, good, bad)
    for measure in ("segment kendall-b by segment", "segment pearson pooled", "segment accuracy"):
        for over in ("both", "inputs"):
            assert permutation_test(table, "a", "b", Measure.parse(measure), over=over, shuffles=200) < 0.01
    one_sided = permutation_test(table, "b", "a", Measure.parse("pearson pooled"), sided="one", shuffles=50)
    assert one_sided == 1.0  # the worse is not better


def test_what_has_no_value_has_no_p():
    table = table_of(np.arange(12.0).reshape(3, 4), np.ones((3, 4)), np.arange(12.0).reshape(3, 4))
    assert math.isnan(permutation_test(table, "a", "b", PEARSON, shuffles=10))
    compared = compare_metrics(table, ["a", "b"], PEARSON, shuffles=10)
    assert [one.metric for one in compared.agreements] == ["b", "a"]  # nan comes last
    assert compared.clusters == (1, 0)
    assert math.isnan(compared.differences[0].adjusted)
    assert math.isnan(compare_metrics(table, ["a", "b"], PEARSON, test="williams").differences[0].p)


# All pairs -------------------------------------------------------------------------------------------------------


def test_all_pairs_with_correction_and_clusters():
    rng = np.random.default_rng(3)
    human = rng.normal(size=(6, 80))
    noise = {"a": 0.5, "b": 0.51, "c": 3.0}
    table = table_of(human, *(human + size * rng.normal(size=human.shape) for size in noise.values()))
    measure = Measure.parse("segment pearson pooled")
    seen = []
    how = {"shuffles": 200, "over": "both"}
    got = compare_metrics(table, ["c", "a", "b"], measure, **how, progress=lambda *done: seen.append(done))
    values = [one.value for one in got.agreements]
    assert values == sorted(values, reverse=True)
    assert got.clusters == (1, 1, 2)
    assert got.agreements[2].metric == "c"
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert [one.adjusted for one in got.differences] == holm([one.p for one in got.differences])
    for one in got.differences:
        expected = permutation_test(table, one.first, one.second, measure, **how)
        assert one.p == expected
        assert one.difference >= 0
        assert got.difference(one.second, one.first) is one
    assert "test:permutation|sided:two|correction:holm|alpha:0.05|over:both|shuffles:200|seed:12345" in got.signature
    by_williams = compare_metrics(table, ["c", "a", "b"], measure, test="williams")
    assert by_williams.clusters == got.clusters
    assert "seed" not in by_williams.signature


def test_corpus_metrics_are_exchanged_by_their_segments():
    from tricolore.examples import REFERENCES, SYSTEMS, lines

    refs = [list(one) for one in zip(*map(lines, REFERENCES), strict=True)]
    systems = {name: lines(name) for name in SYSTEMS}
    human = np.random.default_rng(0).normal(size=(len(systems), len(refs)))
    bleu, chrf = tri.BLEU(short="effective"), tri.ChrF()
    table = table_of_texts(systems, refs, human, [bleu, chrf])
    segments = [Column.of_scores(one.name, one.segments) for one in table.metrics]
    got = permutation_test(table, bleu.spec, chrf.spec, PEARSON, shuffles=100)
    assert got == permutation_test(table, *segments, PEARSON, shuffles=100)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"test": "wiliams"}, "there is no test 'wiliams'; did you mean 'williams'"),
        ({"over": "segments"}, "there is no choice of over 'segments'"),
        ({"sided": "three"}, "there is no choice of sided 'three'"),
        ({"shuffles": 0}, "shuffles must be a whole number from 1 to"),
        ({"seed": -1}, "seed must be a whole number, 0 or more; got -1"),
        ({"alpha": 5}, "alpha must be between 0 and 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(given, message):
    with pytest.raises(SpecError, match=message):
        compare_metrics(random_table(1), ["a", "b"], PEARSON, **given)


def test_a_metric_and_its_negative_have_no_williams_test():
    """t is nothing by nothing, and what rounding makes of that is not a p-value."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        human = rng.normal(size=(8, 1))
        metric = human + rng.normal(size=(8, 1))
        found = compare_metrics(table_of(human, metric, -metric), ["a", "b"], PEARSON, test="williams")
        assert math.isnan(found.differences[0].p)


def test_metrics_differ_below_the_level_as_systems_do():
    """A p-value of exactly the level is not significant."""
    table = random_table(5, systems=6, segments=20)
    names = [column.name for column in table.metrics][:2]
    found = compare_metrics(table, names, PEARSON, shuffles=19)
    at = found.differences[0].adjusted
    assert compare_metrics(table, names, PEARSON, shuffles=19, alpha=at).clusters == (1, 1)


def test_systems_are_swapped_unless_there_is_only_one():
    table = random_table(5, systems=6, segments=8)
    got = compare_metrics(table, ["a", "b"], PEARSON, shuffles=99)
    assert (got.over, got.least_p) == ("systems", 1 / 2**5)
    alone = compare_metrics(random_table(5, systems=1, segments=8), ["a", "b"], Measure.parse("segment pearson pooled"))
    assert (alone.over, alone.least_p) == ("inputs", 1 / 2**7)
    assert compare_metrics(table, ["a", "b"], PEARSON, shuffles=99, over="both").least_p == 0.01


def test_corpus_scores_are_swapped_as_they_are():
    """Where whole systems are swapped, a copy of the system scores is as good as the corpus metric."""
    from tricolore.examples import REFERENCES, SYSTEMS, lines

    refs = [list(one) for one in zip(*map(lines, REFERENCES), strict=True)]
    human = np.random.default_rng(0).normal(size=(len(SYSTEMS), len(refs)))
    table = table_of_texts({name: lines(name) for name in SYSTEMS}, refs, human, [tri.BLEU(), tri.TER()])
    means = np.repeat(table.metric("bleu").systems()[:, None], len(refs), axis=1)
    copy = Column.of_scores("copy", 3 * means)
    assert permutation_test(table, table.metric("bleu"), copy, PEARSON, over="systems", shuffles=50) == 1


@pytest.mark.parametrize("systems", [2, 5, 6, 13])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_states_of_pairs_give_what_swapped_tables_give(monkeypatch, systems, missing):
    rng = np.random.default_rng(systems)
    human, first, second = rng.integers(0, 4, (3, systems, 30)).astype(float)
    second[:, ::2] = rng.normal(size=(systems, 15))
    human[rng.random(human.shape) < missing] = np.nan
    columns = Column.of_scores("a", first), Column.of_scores("b", second)
    names = tuple(map(str, range(systems))), tuple(map(str, range(30)))
    table = ScoreTable(*names, Column.of_scores("human", human), columns)
    measures = [Measure("segment", name) for name, one in STATISTICS.items() if "segment" in one.levels]
    measures.append(Measure("system", "soft-accuracy"))
    for measure in measures:
        fast = swapped_metrics.SwappedMetrics(table, *columns, "systems", swapped_metrics.Shuffles(25, 3))
        assert fast._by_state(measure)
        got = fast.observed(measure), fast.shuffled(measure)
        with monkeypatch.context() as patched:
            patched.setattr(swapped_metrics.SwappedMetrics, "_by_state", lambda *_: False)
            slow = swapped_metrics.SwappedMetrics(table, *columns, "systems", swapped_metrics.Shuffles(25, 3))
            expected = slow.observed(measure), slow.shuffled(measure)
        for ours, others in zip(got, expected, strict=True):
            for one, other in zip(ours, others, strict=True):
                assert finish(measure, [one]) == pytest.approx(finish(measure, [other]), abs=1e-12, nan_ok=True)
