"""Several systems at once: pairs, adjusted p-values, clusters, runs, and what cannot be compared."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tricolore as tri
from tricolore.draws import draws
from tricolore.errors import InputError, SpecError
from tricolore.examples import REFERENCES, SYSTEMS, lines
from tricolore.judge.multiplicity import holm
from tricolore.judge.significance.compare import compare, compare_scores, without_missing
from tricolore.judge.significance.comparison import Pair, Settings
from tricolore.judge.significance.interval import Interval
from tricolore.judge.significance.intervals import interval_of_scores

REFS = tri.References.from_streams([lines(name) for name in REFERENCES])
OUTPUTS = {name: lines(name) for name in SYSTEMS}


@pytest.mark.parametrize("test", ["ar", "bs"])
@pytest.mark.parametrize("spec", ["bleu", "ter", "nist", "rouge-l", "chrf", "lebleu"])
def test_every_pair_is_as_if_alone(spec, test):
    """Pairs share draws and sums; each must be what it is with nobody else there."""
    how = {"test": test, "resamples": 200} | ({"trials": 200} if test == "ar" else {})
    together = compare(OUTPUTS, REFS, spec, **how).judgements[0]
    assert len(together.pairs) == 6
    for pair in together.pairs:
        two = {name: OUTPUTS[name] for name in (pair.first, pair.second)}
        alone = compare(two, REFS, spec, **how).judgements[0]
        assert alone.pairs[0].p == alone.pairs[0].p_adjusted == pair.p
        assert alone.pairs[0].difference == pair.difference
        assert alone.pairs[0].interval == pair.interval
        assert alone.system(pair.first).interval == together.system(pair.first).interval
    assert [pair.p_adjusted for pair in together.pairs] == holm([pair.p for pair in together.pairs])


def test_intervals_of_differences_are_paired():
    found = compare(OUTPUTS, REFS, "bleu", resamples=50, seed=4).judgements[0]
    metric = tri.BLEU()
    a, b = (metric.stats(OUTPUTS[name], REFS).values for name in ("careful", "hasty"))
    picked = draws(len(a), 50, 4)
    differences = [metric.score(a[one].sum(axis=0)) - metric.score(b[one].sum(axis=0)) for one in picked]
    pair = found.pair("careful", "hasty")
    assert pair.interval.low == pytest.approx(np.quantile(differences, 0.025), abs=1e-12)
    assert pair.interval.high == pytest.approx(np.quantile(differences, 0.975), abs=1e-12)
    assert pair.effect == pytest.approx(pair.difference / np.std(differences, ddof=1))


def test_the_order_follows_the_metric():
    up, down = compare(OUTPUTS, REFS, ["bleu", "ter"]).judgements
    assert [system.name for system in up.systems] == ["careful", "fluent", "literal", "hasty"]
    assert [system.name for system in down.systems] == ["careful", "fluent", "literal", "hasty"]
    scores = [system.score for system in down.systems]
    assert scores == sorted(scores)
    assert (up.higher_is_better, down.higher_is_better) == (True, False)


@given(st.lists(st.lists(st.integers(0, 3), min_size=6, max_size=6), min_size=2, max_size=5))
@settings(max_examples=40)
def test_systems_of_one_cluster_do_not_differ(values):
    found = compare_scores({f"s{i}": row for i, row in enumerate(values)}, resamples=20, level=0.5)["score"]
    ranks = [system.cluster for system in found.systems]
    assert ranks == sorted(ranks)
    assert ranks[0] == 1
    for pair in found.pairs:
        if found.system(pair.first).cluster == found.system(pair.second).cluster:
            assert pair.p_adjusted >= 0.5
    for above, below in zip(found.systems, found.systems[1:], strict=False):
        if above.cluster != below.cluster:  # something in the cluster above differs from the first of this one
            members = [system.name for system in found.systems if system.cluster == above.cluster]
            assert any(found.pair(name, below.name).p_adjusted < 0.5 for name in members)


# Runs --------------------------------------------------------------------------------------------------------------


def test_scores_of_runs():
    runs = {"a": [lines("careful"), lines("fluent"), lines("literal")], "b": [lines("hasty")]}
    found = compare(runs, REFS, "bleu", resamples=300).judgements[0]
    a, b = found.system("a"), found.system("b")
    single = [float(tri.BLEU()(output, REFS)) for output in runs["a"]]
    assert a.runs == pytest.approx(single)
    assert a.score == pytest.approx(np.mean(single))
    assert a.optimisation == pytest.approx(np.std(single, ddof=1))
    assert a.median == 1
    each = [tri.confidence("bleu", output, REFS, resamples=300).deviation for output in runs["a"]]
    assert a.selection == pytest.approx(np.mean(each))
    assert math.isnan(b.optimisation)
    assert b.median == 0
    assert "|runs:1/3|" in found.signature


@pytest.mark.parametrize(("scores", "median"), [([1], 0), ([2, 1], 0), ([3, 1, 2], 2), ([4, 1, 3, 2], 2), ([1, 1], 0)])
def test_the_median_run(scores, median):
    found = compare_scores({"a": [[x, x] for x in scores], "b": [0, 0]})["score"]
    assert found.system("a").median == median


def test_the_same_runs_twice_do_not_differ():
    runs = [lines("careful"), lines("fluent")]
    for test in ("ar", "bs"):
        pair = compare({"a": runs, "b": runs}, REFS, "chrf", test=test, resamples=100).judgements[0].pairs[0]
        assert pair.p == 1.0


def test_too_many_runs():
    many = np.random.default_rng(1).normal(size=(18, 30))
    with pytest.raises(InputError, match="18 and 18 runs of two systems are too many; expected at most 17 each"):
        compare_scores({"a": many, "b": many + 1}, runs_as="stratified")
    assert compare_scores({"a": many, "b": many + 1}, trials=999)["score"].pairs[0].p == 0.001  # whole runs are drawn


def test_token_numbers_are_segments_not_runs():
    refs = [[1, 2, 3, 4, 5], [6, 7, 8, 9]]
    found = compare({"a": [[1, 2, 3, 4], [6, 7, 8]], "b": [[1, 2], [7, 8]]}, refs, "bleu(tokenize=none)").judgements[0]
    assert [len(system.runs) for system in found.systems] == [1, 1]
    assert "|tok:ids|" in found.signature


# What cannot be compared -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("systems", "how", "error", "message"),
    [
        ({"a": [1, 2]}, {}, InputError, "expected two or more systems to compare, got 1"),
        ({}, {}, InputError, "expected two or more systems to compare, got 0"),
        ({"a": [], "b": []}, {}, InputError, "no segment"),
        ({"a": [1, 2], "b": [1]}, {}, InputError, "b: has 1 segments, but a has 2; expected the same segments"),
        ({"a": [[1, 2], [1]], "b": [1, 2]}, {}, InputError, "a: has 1 segments, but a has 2"),
        ({"a": [1, math.nan], "b": [1, 2]}, {}, InputError, "a: segment 1 has no score; missing='drop' drops segments"),
        (
            {"a": [1, math.inf], "b": [1, 2]},
            {},
            InputError,
            "a: segment 1: score is inf; expected a number between -1e.100 and",
        ),
        ({"a": [1, 2], "b": [1, 2]}, {"missing": "skip"}, SpecError, "missing must be refuse or drop; got 'skip'"),
        ({"a": [1, 2], "b": [1, 2]}, {"baseline": "c"}, SpecError, r"baseline: there is no system 'c' \(a, b\)"),
        ({"a": [1, 2], "b": 3}, {}, TypeError, "b: expected a list with one entry for each segment, got int"),
        ([[1, 2], [1, 2]], {}, TypeError, "systems: expected outputs by name.* got list"),
        ({"a": [1, 2], "b": [1, "x"]}, {}, TypeError, "systems: expected numbers, one score per segment"),
        ({"a": [1, 2], "b": [1, 2]}, {"trials": 10**8, "resamples": 2}, None, ""),  # all four assignments are tried
        (
            dict.fromkeys("abc", [1] * 99),
            {"trials": 10**8},
            SpecError,
            "trials: 100,000,000 would take 4 GB of memory for 6 sums each; expected 89,478,485 at most",
        ),
        (
            {"a": [1, 2], "b": [1, 2], "c": [1, 2]},
            {"resamples": 10**8},
            SpecError,
            "resamples: 100,000,000 would take 4 GB",
        ),
    ],
)
def test_what_cannot_be_compared(systems, how, error, message):
    if error is None:
        compare_scores(systems, **how)
        return
    with pytest.raises(error, match=message):
        compare_scores(systems, **how)


def test_a_text_is_no_list_of_texts():
    with pytest.raises(TypeError, match="a: expected a list of texts, or the name of a file; there is no file 'xy'"):
        tri.compare({"a": "xy", "b": ["x", "y"]}, ["x", "y"])
    with pytest.raises(SpecError, match="metrics: expected at least one, got none"):
        tri.compare({"a": ["x"], "b": ["y"]}, ["x"], [])


def test_missing_segments_are_left_out_for_all():
    nan = math.nan
    found = compare_scores({"a": [1, nan, 3, 4], "b": [2, 2, nan, 5]}, missing="drop")
    assert (found.segments, found.left_out) == (2, 2)
    assert found["score"].system("a").score == 2.5
    assert "score|segments:2|left_out:2|" in found["score"].signature
    assert without_missing({"x": np.array([[1.0, nan]])}, ["a"], ["1", "2"], "drop") == [0]


def test_no_effect_where_nothing_varies():
    nothing = Interval(1.0, 1.0, 1.0, 0.0)
    assert math.isnan(Pair("a", "b", 1.0, nothing, 0.5, 0.5).effect)
    assert Pair("a", "b", 0.0, nothing, 1.0, 1.0).effect == 0.0


def test_results_by_name():
    found = compare(OUTPUTS, REFS, ["bleu", "chrf"], resamples=10, trials=10)
    assert found["bleu"] is found["BLEU"] is found.judgements[0]
    assert found.names == tuple(OUTPUTS)
    for ask, message in (
        (lambda: found["ter"], r"^no metric 'ter' \(there are bleu, chrf\)$"),
        (lambda: found["blue"], r"^no metric 'blue'; did you mean 'bleu'\? \(there are bleu, chrf\)$"),
        (lambda: found[3], r"^no metric 3 \(there are bleu, chrf\)$"),
        (lambda: found["bleu"].system("x"), r"^no system 'x' \(there are careful"),
        (lambda: found["bleu"].pair("careful", "Hasty"), r"^no system 'Hasty'; did you mean 'hasty'\? \(there are"),
        (lambda: found["bleu"].pair("x", "hasty"), r"^no system 'x' \(there are"),
        (lambda: found["bleu"].pair("hasty", "hasty"), "^'hasty' and 'hasty' were not compared$"),
    ):
        for kind in (KeyError, tri.InputError):
            with pytest.raises(kind, match=message):
                ask()


@pytest.mark.parametrize("test", ["ar", "bs"])
@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_a_pair_is_the_first_less_the_second_in_the_order_asked_for(metric, test):
    found = compare(OUTPUTS, REFS, metric, resamples=50, test=test)[metric]
    for one in OUTPUTS:
        for other in OUTPUTS:
            if one == other:
                continue
            pair, back = found.pair(one, other), found.pair(other, one)
            assert (pair.first, pair.second) == (one, other)
            assert pair.difference == found.system(one).score - found.system(other).score
            assert (back.difference, back.effect) == (0.0 - pair.difference, 0.0 - pair.effect)
            assert (back.interval.low, back.interval.high) == (0.0 - pair.interval.high, 0.0 - pair.interval.low)
            assert (back.interval.mean, back.interval.deviation) == (0.0 - pair.interval.mean, pair.interval.deviation)
            assert (back.p, back.p_adjusted, back.flips) == (pair.p, pair.p_adjusted, pair.flips)
            assert pair.interval.low <= pair.difference <= pair.interval.high
            assert back.turned() == pair


def test_a_pair_with_the_baseline_in_either_order():
    found = compare_scores({"a": [1, 2, 3], "b": [3, 4, 6], "c": [0, 0, 1]}, baseline="a")["score"]
    assert [(pair.first, pair.second) for pair in found.pairs] == [("b", "a"), ("c", "a")]
    assert found.pair("a", "b").difference == -found.pair("b", "a").difference < 0
    with pytest.raises(tri.InputError, match="'b' and 'c' were not compared; every system was compared with 'a' only"):
        found.pair("b", "c")


@pytest.mark.parametrize("how", [{}, {"test": "bs"}, {"compat": "multeval"}, {"compat": "sacrebleu"}])
@pytest.mark.parametrize("size", [1e100, 1e30, 1.0, 1e-300, 5e-324])
@pytest.mark.filterwarnings("error")
def test_scores_of_any_size_are_compared_without_overflow(size, how):
    scores = np.random.default_rng(3).uniform(-size, size, (2, 30))
    scores[:, 0] = size, -size
    found = compare_scores({"a": scores[0], "b": scores[1]}, resamples=50, **how)["score"]
    pair = found.pair("a", "b")
    span = pair.interval
    assert all(map(math.isfinite, (pair.difference, pair.p, span.low, span.high, span.mean, span.deviation)))
    assert interval_of_scores(scores[0]).low <= interval_of_scores(scores[0]).high


@pytest.mark.parametrize("size", [1e308, -1e308, 1.1e100, math.inf])
@pytest.mark.filterwarnings("error")
def test_scores_that_would_overflow_are_refused_by_name(size):
    with pytest.raises(
        InputError, match=rf"b: segment 1: comet is {size:g}; expected a number between".replace("+", ".")
    ):
        compare_scores({"a": [1, 2], "b": [1, size]}, name="comet")
    with pytest.raises(InputError, match=f"scores: segment 1 is {size:g}; expected a number".replace("+", ".")):
        interval_of_scores([1, size])


@pytest.mark.filterwarnings("error")
def test_single_precision_has_less_room():
    with pytest.raises(InputError, match="compat: sacreBLEU adds in single precision"):
        compare_scores({"a": [1e31, 2], "b": [1, 2]}, test="bs", compat="sacrebleu")
    with pytest.raises(InputError, match="compat: sacreBLEU adds in single precision"):
        tri.confidence("grr(alpha=1e50)", ["a b", "c"], ["d", "e"], compat="sacrebleu")


def test_no_difference_has_no_sign():
    found = compare_scores({"a": [1, 2], "b": [1, 2]})["score"]
    for pair in (found.pair("a", "b"), found.pair("b", "a")):
        assert str(pair.difference) == str(pair.effect) == str(pair.interval.low) == str(pair.interval.high) == "0.0"


def test_a_metric_may_be_given_as_itself():
    one = compare(OUTPUTS, REFS, tri.TER(), resamples=10, trials=10)
    assert repr(one) == repr(compare(OUTPUTS, REFS, "ter", resamples=10, trials=10))  # nan is not equal to itself


def test_resamples_are_many_where_they_are_the_test():
    assert (Settings().resamples, Settings("bs").resamples, Settings("bs", compat="sacrebleu").resamples) == (
        1000,
        10_000,
        1000,
    )
    assert compare_scores({"a": [1, 2], "b": [2, 2]}, test="bs").how.resamples == 10_000
    with pytest.raises(SpecError, match="resamples must be a whole number from 2"):
        compare_scores({"a": [1, 2], "b": [2, 2]}, resamples=0)


def test_the_bootstrap_takes_resamples_and_no_trials():
    assert compare(OUTPUTS, REFS, "chrf", test="bs", resamples=77).how.draws == 77
    with pytest.raises(SpecError, match="trials: the bootstrap, test='bs', draws resamples; set resamples"):
        compare(OUTPUTS, REFS, "chrf", test="bs", trials=1000)
    with pytest.raises(SpecError, match="trials: shuffles require approximate randomisation, test='ar'"):
        tri.score(OUTPUTS, REFS, "chrf", test="bs", trials=1000)


@pytest.mark.parametrize("test", ["ar", "bs"])
def test_no_p_value_is_below_the_least(test):
    """Systems that differ as much as can be have the least p-value there is."""
    for number in (5, 30):
        found = compare_scores({"a": [1.0] * number, "b": [0.0] * number}, test=test, resamples=99)["score"]
        assert found.pairs[0].p == pytest.approx(found.least_p)
    runs = compare_scores({"a": [[1.0] * 3] * 2, "b": [[0.0] * 3] * 3}, resamples=99)["score"]
    assert runs.exact
    assert runs.pairs[0].p == pytest.approx(runs.least_p)


def test_significant_is_below_the_level_not_at_it():
    assert (Settings(level=0.95).alpha, Settings(level=0.9).alpha, Settings(level=0.99).alpha) == (0.05, 0.1, 0.01)
    # Of eight assignments two are as extreme, in either direction: p = 0.25, not below 1 - 0.75.
    found = compare_scores({"a": [1, 1, 1], "b": [0, 0, 0]}, level=0.75)["score"]
    assert found.pairs[0].p == 0.25
    assert [system.cluster for system in found.systems] == [1, 1]


@pytest.mark.parametrize("test", ["ar", "bs"])
def test_one_segment_is_refused_as_by_confidence(test):
    """Every resample of one segment is the same, which must not look like certainty."""
    with pytest.raises(InputError, match="nothing to resample: expected 2 segments or more, got 1"):
        compare_scores({"a": [3.0], "b": [1.0]}, test=test)
    with pytest.raises(InputError, match="expected 2 segments or more, got 1"):
        tri.score({"a": ["x"], "b": ["y"]}, ["x"], "chrf", test=test)


def test_errors_of_rounding_do_not_flip_signs():
    """The same runs in another order are the same system, though their sums differ in the last digit."""
    runs = np.random.default_rng(2).random((3, 200))
    how = {"test": "bs", "resamples": 500}
    found = compare_scores({"a": [*runs], "b": [*runs[[2, 0, 1]]]}, **how, runs_as="stratified")["score"]
    assert found.pairs[0].p == found.pairs[0].flips == 1.0
    found = compare_scores({"a": [*runs], "b": [*runs[[2, 0, 1]]]}, **how)["score"]
    assert (found.pairs[0].p, found.pairs[0].flips) == (1.0, None)
