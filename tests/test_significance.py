"""Intervals and paired tests: against slow oracles, against sacreBLEU and MultEval's rule, and under the null."""

import gzip
import itertools
import math
from itertools import combinations

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.significance import PairedTest

import tricolore as tri
from tricolore.draws import draws
from tricolore.errors import InputError, SpecError
from tricolore.examples import REFERENCES, SYSTEMS, lines
from tricolore.judge.score_table import Column, mean
from tricolore.judge.significance import run_tests
from tricolore.judge.significance.compare import compare, compare_scores
from tricolore.judge.significance.comparison import Settings
from tricolore.judge.significance.intervals import confidence, confidence_of, interval_of_scores, with_items
from tricolore.judge.significance.paired_tests import Shuffles, flip_p, flips, shuffle_p
from tricolore.judge.significance.percentiles import interval_of
from tricolore.judge.significance.run_tests import exchange_p, least_exchange_p, over_runs

REFS = tri.References.from_streams([lines(name) for name in REFERENCES])
OUTPUTS = {name: lines(name) for name in SYSTEMS}


def drawn(test, number):
    """Arguments for a test with so many draws; the bootstrap takes no trials."""
    return {"test": test, "resamples": number} | ({"trials": number} if test == "ar" else {})


def rows_of(*outputs):
    """Scores of segments as rows of value and count."""
    return Column.of_scores("score", np.array(outputs, dtype=float)).rows


# Oracles: as slow and as plain as can be ---------------------------------------------------------------------------


def all_swaps(a, b):
    """The share of all 2^n assignments whose means differ as much, in exact arithmetic of whole numbers."""
    observed = abs(sum(a) - sum(b))
    hits = 0
    for swaps in itertools.product([False, True], repeat=len(a)):
        difference = sum((y - x) if swap else (x - y) for x, y, swap in zip(a, b, swaps, strict=True))
        hits += abs(difference) >= observed
    return hits / 2 ** len(a)


def all_splits(a, b):
    """The same over all ways to deal the outputs of each segment; a and b are runs x segments."""
    runs_a, runs_b = len(a), len(b)
    pools = list(zip(*a, *b, strict=True))
    choices = list(itertools.combinations(range(runs_a + runs_b), runs_a))

    def statistic(sum_a, sum_b):  # of means, times both numbers of runs to stay whole
        return abs(sum_a * runs_b - sum_b * runs_a)

    total = sum(map(sum, pools))
    observed = statistic(sum(map(sum, a)), sum(map(sum, b)))
    hits = number = 0
    for dealt in itertools.product(choices, repeat=len(pools)):
        sum_a = sum(pool[i] for pool, choice in zip(pools, dealt, strict=True) for i in choice)
        hits += statistic(sum_a, total - sum_a) >= observed
        number += 1
    return hits / number


whole = st.integers(-3, 3)


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(*[st.lists(whole, min_size=n, max_size=n)] * 2)))
def test_every_assignment_is_tried_where_there_are_few(pair):
    a, b = pair
    shuffles = Shuffles(rows_of(a, b), [[0], [1]], 10, 1)
    assert shuffles.exact(0, 1)
    assert shuffles.p_value(0, 1, mean) == pytest.approx(all_swaps(a, b), abs=1e-12)
    assert shuffles.p_value(1, 0, mean) == shuffles.p_value(0, 1, mean)


@settings(max_examples=40)
@given(st.data(), st.integers(1, 3), st.integers(1, 2), st.integers(1, 3))
def test_every_deal_of_runs_is_tried_where_there_are_few(data, runs_a, runs_b, segments):
    run = st.lists(whole, min_size=segments, max_size=segments)
    a = data.draw(st.lists(run, min_size=runs_a, max_size=runs_a))
    b = data.draw(st.lists(run, min_size=runs_b, max_size=runs_b))
    groups = [list(range(runs_a)), list(range(runs_a, runs_a + runs_b))]
    shuffles = Shuffles(rows_of(*a, *b), groups, 10, 1)
    assert shuffles.exact(0, 1)
    assert shuffles.p_value(0, 1, mean) == pytest.approx(all_splits(a, b), abs=1e-12)


@given(st.lists(st.tuples(*[st.floats(-1, 1, width=16)] * 2), min_size=3, max_size=9))
def test_drawn_shuffles_come_close_to_all(pairs):
    a, b = map(list, zip(*pairs, strict=True))
    rows = rows_of(a, b)
    exact = Shuffles(rows, [[0], [1]], 1, 1).p_value(0, 1, mean)
    drawn = Shuffles(rows, [[0], [1]], 4000, 1, enumerated=0)
    assert not drawn.exact(0, 1)
    assert drawn.p_value(0, 1, mean) == pytest.approx(exact, abs=0.04)


def test_drawn_deals_of_runs_come_close_to_all():
    a, b = np.random.default_rng(5).normal(size=(2, 3, 4))
    a += 0.5
    rows, groups = rows_of(*a, *b), [[0, 1, 2], [3, 4, 5]]
    exact = Shuffles(rows, groups, 1, 1, enumerated=20**4).p_value(0, 1, mean)
    assert Shuffles(rows, groups, 20_000, 1, enumerated=0).p_value(0, 1, mean) == pytest.approx(exact, abs=0.01)


def test_one_run_each_is_the_ordinary_test():
    """Choosing one of two outputs is tossing a coin, whichever way it is drawn."""
    a, b = np.random.default_rng(6).normal(size=(2, 9))
    coins = Shuffles(rows_of(a, b), [[0], [1]], 1, 1)
    twice = Shuffles(rows_of(a, a, b), [[0, 1], [2]], 1, 1, enumerated=3**9)
    assert twice.exact(0, 1)
    assert coins.p_value(0, 1, mean) == pytest.approx(all_swaps_of_floats(a, b))


def all_swaps_of_floats(a, b):
    from fractions import Fraction

    return all_swaps([Fraction(x) for x in a], [Fraction(x) for x in b])


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=40))
def test_a_system_and_its_copy_have_p_1(values):
    shuffles = Shuffles(rows_of(values, values), [[0], [1]], 50, 1)
    assert shuffles.p_value(0, 1, mean) == 1.0
    for test in ("ar", "bs"):
        pair = compare_scores({"a": values, "copy": values}, **drawn(test, 50))["score"].pairs[0]
        assert (pair.p, pair.p_adjusted, pair.difference, pair.effect) == (1.0, 1.0, 0.0, 0.0)


@given(st.permutations([0.1, 0.2, -0.3, 1e-9, 0.7, 1 / 3, -0.25, 0.9]))
def test_rounding_does_not_break_ties(values):
    """The same numbers in another order have the same mean but for rounding, and that is no difference."""
    shuffles = Shuffles(rows_of(sorted(values), values), [[0], [1]], 1, 1)
    assert shuffles.p_value(0, 1, mean) == 1.0


def test_sets_of_few_different_segments():
    """Where systems differ in one segment only, every shuffle is a tie."""
    a = [0.1] * 30
    assert compare_scores({"a": a, "b": [0.9, *a[1:]]})["score"].pairs[0].p == 1.0
    # in two that agree, half of them
    found = compare_scores({"a": a, "b": [0.9, 0.9, *a[2:]]}, trials=4000)["score"].pairs[0].p
    assert found == pytest.approx(0.5, abs=0.03)


# Intervals -----------------------------------------------------------------------------------------------------


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=60), st.sampled_from([0.5, 0.8, 0.95, 0.99]))
def test_the_interval_interpolates_between_order_statistics(scores, level):
    found = interval_of(np.array(scores), level)
    ordered = sorted(scores)
    for share, bound in (((1 - level) / 2, found.low), ((1 + level) / 2, found.high)):
        place = share * (len(ordered) - 1)
        below = min(math.floor(place), len(ordered) - 2)
        expected = ordered[below] + (place - below) * (ordered[below + 1] - ordered[below])
        assert bound == pytest.approx(expected, abs=1e-9)
    assert found.half_width == (found.high - found.low) / 2


@pytest.mark.parametrize("spec", ["bleu", "chrf", "ter", "nist", "lebleu", "rouge-l", "length"])
def test_confidence_resamples_the_statistics(spec):
    found = confidence(spec, OUTPUTS["fluent"], REFS, resamples=60, seed=3, level=0.8)
    metric = tri.metric(spec).prepare(REFS)
    rows = metric.stats(OUTPUTS["fluent"], REFS).values
    scores = [metric.score(rows[picked].sum(axis=0)) for picked in draws(len(rows), 60, 3)]
    assert found.low == pytest.approx(np.quantile(scores, 0.1), rel=1e-12)
    assert found.high == pytest.approx(np.quantile(scores, 0.9), rel=1e-12)
    assert found.mean == pytest.approx(np.mean(scores), rel=1e-12)
    assert found.deviation == pytest.approx(np.std(scores, ddof=1), rel=1e-9)
    assert float(found) == float(found.score) == float(tri.metric(spec)(OUTPUTS["fluent"], REFS))
    assert found.signature == with_items(found.score.signature, {"bs": 60, "seed": 3, "level": 0.8})


def test_confidence_does_not_depend_on_threads():
    one, two = (confidence("chrf", OUTPUTS["hasty"], REFS, threads=threads) for threads in (1, 2))
    assert one.interval == two.interval


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"level": 1}, "level must be a number between 0 and 1"),
        ({"level": "0.95"}, "level must be a number between 0 and 1"),
        ({"resamples": 0}, "resamples must be a whole number from 1"),
        ({"seed": -1}, "seed must be a whole number, 0 or more"),
        ({"compat": "multeval"}, "compat must be one of sacrebleu, or none"),
    ],
)
def test_mistakes_in_confidence(how, message):
    with pytest.raises(SpecError, match=message):
        confidence("bleu", ["a"], ["a"], **how)


def test_intervals_of_scores_from_elsewhere():
    scores = np.random.default_rng(4).normal(size=50)
    found = interval_of_scores(scores, resamples=100, seed=8, level=0.9)
    means = [scores[picked].mean() for picked in draws(50, 100, 8)]
    assert found.low == pytest.approx(np.quantile(means, 0.05))
    assert found.deviation == pytest.approx(np.std(means, ddof=1))
    some = interval_of_scores([1.0, math.nan, 2.0], resamples=200)
    assert (some.low, some.high) == (1.0, 2.0)
    for nothing in ([], [math.nan]):
        with pytest.raises(InputError, match="expected 2 segments or more, got none"):
            interval_of_scores(nothing)


def test_scores_from_elsewhere_by_sacrebleus_rule():
    a = list(np.random.default_rng(5).normal(size=30))
    for test, number in (("ar", 500), ("bs", 300)):
        how = {**drawn(test, number), "compat": "sacrebleu"}
        found = compare_scores({"a": a, "copy": a, "b": [x - 2 for x in a]}, **how)["score"]
        assert [pair.p for pair in found.pairs] == [1 / (number + 1)] * 3


def test_no_segments_no_confidence():
    with pytest.raises(InputError, match="nothing to resample"):
        confidence_of(tri.BLEU(), tri.BLEU().stats([], []))


# sacreBLEU itself ------------------------------------------------------------------------------------------------

PEERS = {
    "bleu": sacrebleu.BLEU,
    "bleu(smooth=floor)": lambda: sacrebleu.BLEU(smooth_method="floor"),
    "bleu(smooth=add-k)": lambda: sacrebleu.BLEU(smooth_method="add-k"),
    "bleu(smooth=none)": lambda: sacrebleu.BLEU(smooth_method="none"),
    "bleu(short=effective)": lambda: sacrebleu.BLEU(effective_order=True),
    "chrf": sacrebleu.CHRF,
    "chrf(word_order=2)": lambda: sacrebleu.CHRF(word_order=2),
    "chrf(eps_smoothing=true)": lambda: sacrebleu.CHRF(eps_smoothing=True),
    "ter": sacrebleu.TER,
}


@pytest.fixture(scope="module")
def texts(shared):
    """Systems of a real task that are close to one another, and the reference."""
    folder = shared / "data" / "human" / "mqm-ted-ende"

    def read(path):
        return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")[:150]

    names = ("Facebook-AI", "HuaweiTSC", "Online-W", "UEdin", "Nemo")
    systems = {name: read(folder / "systems" / f"{name}.txt") for name in names}
    systems["copy"] = systems["Facebook-AI"]
    return systems, read(folder / "references" / "ref.txt")


@pytest.fixture(params=[12345, 7], ids="seed={}".format)
def seed(request, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", str(request.param))
    return request.param


@pytest.mark.parametrize("spec", PEERS)
def test_sacrebleus_confidence(spec, texts, seed):
    """BLEU's means are doubles, made of precisions in 32 bits: double precision throughout is 1e-8 off."""
    systems, refs = texts
    exact = 1e-12 if spec.startswith("bleu") else 1e-6
    for name in ("Facebook-AI", "Nemo"):
        theirs = PEERS[spec]().corpus_score(systems[name], [refs], n_bootstrap=300)
        ours = confidence(spec, systems[name], refs, resamples=300, seed=seed, compat="sacrebleu")
        assert 100 * ours.mean == pytest.approx(theirs._mean, rel=exact)
        assert 100 * ours.half_width == pytest.approx(theirs._ci, rel=10 * exact)


def test_sacrebleus_confidence_with_empty_and_short_segments():
    hyps, refs = ["", "a", "a b", "the cat sat", "x y z w v"] * 2, ["a", "a", "a c", "the cat sat", "x y z w u"] * 2
    for spec, peer in PEERS.items():
        theirs = peer().corpus_score(hyps, [refs], n_bootstrap=200)
        ours = confidence(spec, hyps, refs, resamples=200, compat="sacrebleu")
        assert 100 * ours.mean == pytest.approx(theirs._mean, rel=1e-5), spec
        assert 100 * ours.half_width == pytest.approx(theirs._ci, rel=1e-4, abs=1e-5), spec


@pytest.mark.slow
@pytest.mark.parametrize("test", ["ar", "bs"])
@pytest.mark.parametrize("spec", PEERS)
def test_sacrebleus_p_values(spec, test, texts, seed):
    systems, refs = texts
    peer = PairedTest(list(systems.items()), {"it": PEERS[spec]()}, [refs], test_type=test, n_samples=400)
    _, theirs = peer()
    (column,) = (results for name, results in theirs.items() if name != "System")
    expected = [result.p_value for result in column[1:]]
    how = {**drawn(test, 400), "seed": seed, "baseline": "Facebook-AI"}
    ours = compare(systems, refs, spec, compat="sacrebleu", **how).judgements[0]
    assert [pair.p for pair in ours.pairs] == expected
    assert ours.pairs[-1].p == 1 / 401  # its copy, "significant"
    assert "|compat:sacrebleu|" in ours.signature
    assert compare(systems, refs, spec, **how).judgements[0].pairs[-1].p == 1.0


def test_several_references_in_sacrebleu(lines):
    """TER divides by the mean length of references: fractions, which single precision rounds."""
    folder = "morph/wmt16-en-fi"
    streams = [lines(f"{folder}/{name}.txt")[:200] for name in ("refA", "refB")]
    outputs = {
        name: lines(f"{folder}/systems/{name}.txt")[:200] for name in ("basic-constrained", "factored-constrained")
    }
    for test in ("ar", "bs"):
        peer = PairedTest(list(outputs.items()), {"it": sacrebleu.TER()}, streams, test_type=test, n_samples=300)
        expected = peer()[1]["TER"][1].p_value
        how = {**drawn(test, 300), "baseline": next(iter(outputs)), "compat": "sacrebleu"}
        found = compare(outputs, tri.References.from_streams(streams), "ter", **how)
        assert found.judgements[0].pairs[0].p == expected


def test_our_draws_are_sacrebleus(texts):
    """Without compat the same shuffles are made; only ties count."""
    systems, refs = texts
    pair = {name: systems[name] for name in ("Facebook-AI", "UEdin")}
    ours, theirs = (compare(pair, refs, "bleu", trials=500, compat=compat) for compat in (None, "sacrebleu"))
    assert ours.judgements[0].pairs[0].p == theirs.judgements[0].pairs[0].p


# MultEval ----------------------------------------------------------------------------------------------------------


def test_multevals_rule_for_a_copy():
    values = np.random.default_rng(1).normal(size=(3, 40))
    systems = {"base": values, "copy": values, "other": values + 1}
    theirs = compare_scores(systems, compat="multeval", baseline="base", trials=200)["score"]
    ours = compare_scores(systems, baseline="base", trials=200, runs_as="stratified")["score"]
    assert [pair.second for pair in ours.pairs] == ["base", "base"]
    assert theirs.pair("copy", "base").p == 1 / 201  # "significant"
    assert ours.pair("copy", "base").p == 1.0
    assert theirs.pair("other", "base").p == ours.pair("other", "base").p == 1 / 201
    assert "|runs:3|runs_as:stratified|ar:200|" in ours.signature
    assert "|compat:multeval|" in theirs.signature


def test_multevals_rule_for_one_run():
    """With one run nothing is permuted: it is the ordinary test with a strict comparison."""
    a = [1.0] * 12
    found = compare_scores({"a": a, "b": a}, compat="multeval", trials=99)["score"].pairs[0]
    assert found.p == 1 / 100


@pytest.fixture(scope="module")
def multeval(shared):
    """MultEval's example: two systems, three optimiser runs each, a reference, and a copy of the baseline."""
    folder = shared / "data" / "copyleft" / "multeval-example"

    def read(name):
        with gzip.open(folder / name, "rt", encoding="utf-8") as file:
            return file.read().removesuffix("\n").split("\n")

    base = [read(f"baseline.opt{i}.txt.gz") for i in range(3)]
    published = (folder / "published_table.txt").read_text(encoding="utf-8")
    systems = {"baseline": base, "system 1": [read(f"sys1.opt{i}.txt.gz") for i in range(3)], "system 2": base}
    return systems, read("ref.txt.gz"), published


@pytest.mark.parametrize("compat", [None, "multeval"])
def test_the_published_table_of_multeval(multeval, compat):
    systems, refs, published = multeval
    header, *rows = published.strip().splitlines()
    assert header.split()[1::2] == ["BLEU", "METEOR", "TER", "Length"]
    metrics = {0: "bleu(tokenize=none)", 2: "ter", 3: "length"}
    how = {"compat": compat, "runs_as": "stratified", "trials": 2000}
    found = compare(systems, refs, list(metrics.values()), baseline="baseline", **how)
    for row in rows:
        name = row[:15].strip()
        cells = row[15:].replace("(", "").replace(")", "").split()
        for place, spec in metrics.items():
            score, spread = cells[2 * place : 2 * place + 2]
            s_sel, s_opt, p = spread.split("/")
            judgement = found[spec]
            system = judgement.system(name)
            assert f"{100 * system.score:.1f}" == score
            assert f"{100 * system.selection:.1f}" == s_sel
            assert f"{100 * system.optimisation:.1f}" == s_opt
            if name == "baseline":
                continue
            ours = judgement.pair(name, "baseline").p
            if name == "system 2":  # a copy of the baseline
                assert ours == (1.0 if compat is None else 1 / 2001)
                assert p == "0.00"
            else:
                assert ours == pytest.approx(float(p), abs=0.05 if spec == "length" else 0.005)


# Runs as units -----------------------------------------------------------------------------------------------------


def slow_exchange_p(first, second):
    """Every way to call as many of all runs the first system's, in exact arithmetic."""
    from fractions import Fraction

    runs = [Fraction(x) for x in (*first, *second)]

    def difference(chosen):
        other = [x for i, x in enumerate(runs) if i not in chosen]
        return abs(sum(runs[i] for i in chosen) / len(chosen) - sum(other) / len(other))

    ways = [difference(chosen) for chosen in combinations(range(len(runs)), len(first))]
    return sum(way >= ways[0] for way in ways) / len(ways)


few = st.lists(st.integers(-5, 5), min_size=1, max_size=4)


@given(few, few)
def test_every_exchange_of_runs_is_tried_where_there_are_few(first, second):
    a, b = np.array(first, dtype=float), np.array(second, dtype=float)
    assert exchange_p(a, b, 10, 1) == slow_exchange_p(first, second)
    assert exchange_p(a, b, 10, 1) >= least_exchange_p(len(a), len(b), 10) - 1e-12


def test_drawn_exchanges_come_close_to_all(monkeypatch):
    a, b = np.random.default_rng(3).normal(size=(2, 6))
    exact = exchange_p(a, b, 1, 1)
    monkeypatch.setattr(run_tests, "ENUMERATED", 10)
    assert exchange_p(a, b, 40_000, 1) == pytest.approx(exact, abs=0.01)
    assert least_exchange_p(6, 6, 999) == 0.001


def test_variance_of_runs_and_segments_beside_covariances_of_single_runs():
    """The part that runs share is the mean bootstrap covariance of two different runs."""
    rng = np.random.default_rng(4)
    scores, resampled = [rng.normal(size=3), rng.normal(size=4)], rng.normal(size=(50, 7)) + rng.normal(size=(50, 1))
    covariance = np.cov(resampled.T)
    own = [[0, 1, 2], [3, 4, 5, 6]]
    shared = sum(np.mean([covariance[i, j] for i in of for j in of if i != j]) for of in own)
    shared -= 2 * np.mean([covariance[i, j] for i in own[0] for j in own[1]])
    found = over_runs(scores, [resampled[:, of] for of in own], 11)
    parts = [np.var(scores[0], ddof=1) / 3, np.var(scores[1], ddof=1) / 4, max(0.0, 11 / 10 * shared)]
    assert found.value == pytest.approx(scores[0].mean() - scores[1].mean())
    assert found.error**2 == pytest.approx(sum(parts))
    squares = parts[0] ** 2 / 2 + parts[1] ** 2 / 3 + parts[2] ** 2 / 10
    assert found.freedom == pytest.approx(sum(parts) ** 2 / squares)
    from scipy.stats import t

    low, high = t.interval(0.9, found.freedom, found.value, found.error)
    assert (found.interval(0.9).low, found.interval(0.9).high) == pytest.approx((low, high))
    assert found.p_value(1.0) == pytest.approx(2 * t.sf(abs(found.value) / found.error, found.freedom))


def test_runs_are_units_where_there_are_several():
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, 3, 40))
    found = compare_scores({"a": a + 9, "b": b})
    one, pair = found["score"], found["score"].pairs[0]
    assert (pair.p, pair.p_runs, one.least_p, one.exact) == (0.1, 0.1, 0.1, True)
    assert one.arrangements == "20 arrangements of 3 + 3 runs"
    assert one.least_stratified_p == 1 / 10_001
    assert "|runs:3|runs_as:units|ar:exact|" in one.signature
    assert "20 arrangements of 3 + 3 runs: p is 0.1 at least" in str(found)
    by_bs = compare_scores({"a": a + 9, "b": b}, test="bs")["score"].pairs[0]
    assert by_bs.p < 0.001
    assert by_bs.interval == pair.interval
    old = compare_scores({"a": a + 9, "b": b}, runs_as="stratified")["score"]
    assert old.pairs[0].p == one.least_stratified_p
    assert old.pairs[0].interval.half_width < pair.interval.half_width
    # With one run of each system there is no difference.
    first = compare_scores({"a": a[0], "b": b[0]})["score"]
    assert first == compare_scores({"a": a[0], "b": b[0]}, runs_as="stratified")["score"]
    # A single run varies as the others do.
    beside = compare_scores({"a": a, "b": b[0]})["score"]
    assert beside.arrangements == "4 arrangements of 1 + 3 runs"
    assert beside.pairs[0].interval.half_width > beside.system("a").interval.half_width


# Calibration -------------------------------------------------------------------------------------------------------


def null_p_values(test, number=400, segments=60):
    """p-values of pairs of systems whose scores of every segment are exchangeable."""
    rng = np.random.default_rng(2026)
    found, shares = [], []
    for i in range(number):
        hard = rng.gamma(2.0, size=segments)
        a, b = hard + rng.exponential(size=(2, segments))
        pair = compare_scores({"a": a, "b": b}, **drawn(test, 499), seed=i)["score"].pairs[0]
        found.append(pair.p)
        shares.append(pair.flips)
    return np.array(found), shares


@pytest.mark.parametrize("test", ["ar", "bs"])
def test_p_values_are_uniform_where_there_is_no_difference(test):
    from scipy.stats import kstest

    found, shares = null_p_values(test)
    assert kstest(found, "uniform").pvalue > 0.01
    assert 0.02 < np.mean(found < 0.05) < 0.09
    if test == "bs":  # the share of flips is one-sided
        assert kstest(np.array(shares) * 2, "uniform").pvalue > 0.01
        assert 0.06 < np.mean(np.array(shares) < 0.05) < 0.15


def test_p_values_of_a_corpus_metric_are_uniform():
    """BLEU over segments whose two outputs are dealt out by a coin."""
    from scipy.stats import kstest

    rng = np.random.default_rng(11)
    metric = tri.BLEU(tokenize="none")
    words = np.array(list("abcdefgh"))
    refs = [" ".join(rng.choice(words, size=9)) for _ in range(40)]
    outputs = [[" ".join(w if rng.random() < 0.8 else "x" for w in ref.split()) for ref in refs] for _ in range(2)]
    rows = np.stack([metric.stats(output, refs).values for output in outputs])
    found = []
    for i in range(300):
        coins = rng.integers(2, size=40)
        dealt = np.stack([rows[coins, np.arange(40)], rows[1 - coins, np.arange(40)]])
        found.append(Shuffles(dealt, [[0], [1]], 299, i).p_value(0, 1, metric.score))
    assert kstest(found, "uniform").pvalue > 0.01


def test_stratified_p_values_are_uniform():
    from scipy.stats import kstest

    rng = np.random.default_rng(12)
    found = []
    for i in range(300):
        scores = rng.normal(size=(1, 30)) + rng.exponential(size=(6, 30))
        rows = rows_of(*scores)
        found.append(Shuffles(rows, [[0, 1, 2], [3, 4, 5]], 299, i).p_value(0, 1, mean))
    assert kstest(found, "uniform").pvalue > 0.01


def test_intervals_cover_the_truth():
    rng = np.random.default_rng(13)
    metric, covered = tri.TER(), 0
    for i in range(300):  # a rate of 0.4 edits a word, in segments of any length
        lengths = rng.integers(5, 40, size=120)
        edits = rng.binomial(lengths, 0.4)
        rows = tri.Stats(np.stack([edits, 0 * edits, lengths, lengths], axis=1).astype(float), metric.columns)
        covered += 0.4 in confidence_of(metric, rows, resamples=400, seed=i).interval
    assert 0.91 < covered / 300 < 0.98


def test_flips():
    assert flips(1.0, np.array([1.0, 0.0, -1.0, 2.0])) == 0.5
    assert flips(-1.0, np.array([1.0, 0.0, -1.0, 2.0])) == 0.75
    assert flips(0.0, np.array([1.0, -1.0])) == 1.0
    assert math.isnan(flips(math.nan, np.array([1.0])))
    assert flip_p(1.0, np.ones(99)) == 0.02
    assert math.isnan(shuffle_p(math.nan, np.array([1.0]), 1.0, exact=True))


def test_settings_are_checked():
    for how, message in (
        ({"test": "t"}, "test must be one of ar, bs"),
        ({"resamples": 1}, "resamples must be a whole number from 2"),
        ({"compat": "moses"}, "compat must be one of sacrebleu, multeval, or none"),
        ({"compat": "multeval", "test": "bs"}, "MultEval has only approximate randomisation"),
        ({"compat": "multeval", "runs_as": "units"}, "runs_as='units' is not supported with compat=..."),
        ({"runs_as": "segments"}, "runs_as must be one of units, stratified"),
    ):
        with pytest.raises(SpecError, match=message):
            Settings(**how)


def test_one_segment_has_no_interval():
    """But sacreBLEU has one, for those who must match it."""
    for make in (lambda: confidence("chrf", ["a cat"], ["a dog"]), lambda: interval_of_scores([0.3, math.nan])):
        with pytest.raises(InputError, match="nothing to resample: expected 2 segments or more, got 1"):
            make()
    assert confidence("chrf", ["a cat"], ["a dog"], compat="sacrebleu").half_width == 0
