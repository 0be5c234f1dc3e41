"""Pairwise ranking: pairs, the classifier, and what it finds on made and on real lists."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tuning import CORPUS_BLEU, gain_lists, held_out_bleu, made, read_thot, sparse, task

from tricolore import BLEU, NIST, TER, ChrF
from tricolore.candidates import Candidates
from tricolore.errors import InputError, SpecError
from tricolore.features import Features
from tricolore.tuning.bounds import Bounds
from tricolore.tuning.pro import Pairs, Pro, largest, learn
from tricolore.tuning.task import feature_spread

BLEU2 = BLEU(smooth=2, tokenize="none")

#: Quick, and still all steps of the way.
SMALL = {"samples": 200, "keep": 10, "epochs": 5}


# Pairs ------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 5), max_size=20), st.integers(1, 25))
def test_the_largest_are_the_first_of_equals(values, number):
    ranked = sorted(range(len(values)), key=lambda i: (-values[i], i))[:number]
    assert largest(np.array(values, dtype=np.float64), number).tolist() == sorted(ranked)


def draw_slowly(pro, candidates, gains, rng):
    """The sampler of Hopkins & May (figure 4), word for word."""
    pairs = []
    for begin, end in zip(candidates.starts[:-1], candidates.starts[1:], strict=True):
        first, second = rng.integers(begin, end, (2, pro.samples), dtype=np.int32).tolist()
        accepted = []
        for t, (a, b) in enumerate(zip(first, second, strict=True)):
            if gains[a] != gains[b] and abs(gains[a] - gains[b]) >= pro.threshold:
                accepted.append((-abs(gains[a] - gains[b]), t, *((a, b) if gains[a] > gains[b] else (b, a))))
        pairs += [(t, a, b) for _, t, a, b in sorted(sorted(accepted)[: pro.keep], key=lambda pair: pair[1])]
    return [(a, b) for _, a, b in pairs]


@given(
    st.integers(0, 1000),
    st.sampled_from([0.0, 0.05, 0.3]),
    st.integers(1, 60),
    st.integers(1, 12),
)
def test_drawing(seed, threshold, samples, keep):
    pro = Pro(threshold=threshold, samples=samples, keep=keep)
    candidates = made(seed % 10, 4, 5)
    gains = candidates.gains(BLEU2).round(2)  # so that some are equal
    slow = draw_slowly(pro, candidates, gains, np.random.default_rng(seed))
    pairs = pro._draw(candidates, gains, np.random.default_rng(seed))
    used = sorted({i for pair in slow for i in pair})
    assert [(used[a], used[b]) for a, b in zip(pairs.better, pairs.worse, strict=True)] == slow
    np.testing.assert_array_equal(pairs.features.toarray(3), candidates.features.toarray(3)[used])


@st.composite
def pair_lists(draw, magnitudes=(1.0,)):
    """Pairs, and the dense matrix of their hypotheses."""
    dense, *_, weights = draw(gain_lists(magnitudes))
    number = st.integers(0, len(dense) - 1)
    chosen = draw(st.lists(st.tuples(number, number), min_size=1, max_size=10))
    better, worse = np.array(chosen, dtype=np.int32).T
    return dense, better, worse, weights


def loss_slowly(dense, better, worse, weights, regularisation):
    """Each pair and its mirror image as an example of its own."""
    examples = [(dense[a] - dense[b], +1) for a, b in zip(better, worse, strict=True)]
    examples += [(dense[b] - dense[a], -1) for a, b in zip(better, worse, strict=True)]
    losses = (float(np.logaddexp(0, -label * (x @ weights))) for x, label in examples)
    return math.fsum(losses) + regularisation * math.fsum(weights**2)


@given(pair_lists(), st.sampled_from([0.01, 0.5]))
def test_the_loss_and_its_gradient(lists, regularisation):
    dense, better, worse, weights = lists
    pairs = Pairs.of(Features.of(dense), better, worse)
    loss, gradient = pairs.loss(weights, regularisation)
    assert loss == pytest.approx(loss_slowly(*lists, regularisation), rel=1e-10, abs=1e-10)
    step = 1e-5
    for j in range(len(weights)):
        there, back = weights.copy(), weights.copy()
        there[j] += step
        back[j] -= step
        ends = (loss_slowly(dense, better, worse, where, regularisation) for where in (there, back))
        assert gradient[j] == pytest.approx((next(ends) - next(ends)) / (2 * step), rel=1e-5, abs=1e-5)


@given(pair_lists(magnitudes=(1e-9, 1e3, 1e12)))
def test_scores_of_any_size_are_borne(lists):
    dense, better, worse, weights = lists
    pairs = Pairs.of(Features.of(dense), better, worse)
    loss, gradient = pairs.loss(weights, 0.5)
    assert math.isfinite(loss) and np.isfinite(gradient).all()
    assert loss == pytest.approx(loss_slowly(*lists, 0.5), rel=1e-6)
    assert pairs.fit(weights) <= 0


@given(pair_lists(magnitudes=(0.01, 1.0, 100.0)), st.data())
def test_the_classifier_is_at_its_optimum(lists, data):
    """The loss is convex: where no weight that may move can lower it, there is no better place."""
    dense, better, worse, start = lists
    pairs = Pairs.of(Features.of(dense), better, worse)
    size = len(start)
    lower = np.array(data.draw(st.lists(st.sampled_from([-np.inf, -0.1, 0.0]), min_size=size, max_size=size)))
    upper = np.array(data.draw(st.lists(st.sampled_from([np.inf, 0.2, 0.0]), min_size=size, max_size=size)))
    spread = dense.var(axis=0)
    found = learn(pairs, start, Bounds(lower, upper), spread, 0.5)
    assert (lower <= found).all() and (found <= upper).all()
    gradient = pairs.loss(found, 0.5)[1] / np.sqrt(len(pairs) * spread + 1)
    at_bounds = 1e-9  # weights are scaled and back, so that one at its bound may be a rounding error away from it
    moves = np.where(gradient > 0, found > lower + at_bounds, found < upper - at_bounds)
    assert (np.abs(gradient[moves]) < 1e-4).all()


# Tuning -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("interpolation", [0.1, 1.0])
def test_an_epoch_goes_part_of_the_way(interpolation):
    candidates, start = made(3), np.array([0.5, 0.2, -0.1])
    pro = Pro(**SMALL | {"epochs": 1}, interpolation=interpolation)
    tuned = pro.tune(task(candidates, BLEU2, 3), start, 11)
    pairs = pro._draw(candidates, candidates.gains(BLEU2), np.random.default_rng(11))
    learnt = learn(pairs, start, Bounds.none(3), feature_spread(candidates, 3), 0.5)
    expected = interpolation * learnt + (1 - interpolation) * start
    np.testing.assert_allclose(tuned.steps[1].weights, expected, rtol=1e-12)
    assert tuned.steps[0].objective == pairs.fit(start)
    assert tuned.steps[1].objective == pairs.fit(expected) > tuned.steps[0].objective


@pytest.mark.slow
def test_real_lists_get_better_on_the_other_half(shared):
    candidates, start = read_thot(shared)
    before = held_out_bleu(candidates, lambda half: start)
    after = held_out_bleu(candidates, lambda half: Pro().tune(task(half, BLEU2, len(start)), start, 1).weights)
    assert before == pytest.approx(0.1542, abs=5e-5)
    assert after > before


def test_the_same_seed_finds_the_same():
    job, start = task(made(1), BLEU2, 3), np.array([0.1, 0.2, 0.3])
    one, two = (Pro(**SMALL).tune(job, start, 7) for _ in range(2))
    assert one.weights.tolist() == two.weights.tolist()
    assert [step.objective for step in one.steps] == [step.objective for step in two.steps]
    other = Pro(**SMALL).tune(job, start, 8)
    assert one.steps[-1].weights.tolist() != other.steps[-1].weights.tolist()
    assert start.tolist() == [0.1, 0.2, 0.3]


def test_every_epoch_is_seen():
    seen = []
    tuned = Pro(**SMALL).tune(task(made(1), BLEU2, 3), np.ones(3), 1, seen.append)
    assert seen == list(tuned.steps)
    assert [(step.number, step.of) for step in seen] == [(i, 5) for i in range(6)]
    assert seen[-1].objective > seen[0].objective
    assert tuned.step.score == max(step.score for step in seen)


def test_weights_stay_within_bounds():
    space = Bounds(np.array([0.0, -0.1, 0.5]), np.array([0.2, np.inf, 0.5]))
    tuned = Pro(**SMALL).tune(task(made(4), BLEU2, 3, bounds=space), np.ones(3), 1)
    for step in tuned.steps:
        assert (space.lower <= step.weights).all() and (step.weights <= space.upper).all()
    assert tuned.steps[-1].weights[0] == pytest.approx(0.2, rel=1e-12)
    assert tuned.weights[2] == 0.5


@pytest.mark.parametrize("metric", [TER(), NIST(), ChrF()])
def test_better_is_better_by_any_metric(metric):
    candidates = made(2, 30, 10)
    tuned = Pro(**SMALL, interpolation=1.0).tune(task(candidates, metric, 3), np.array([-1.0, 0.5, 0.5]), 1)
    first, last = (candidates.objective(metric, tuned.steps[i].weights) for i in (0, -1))
    assert last > first
    assert tuned.weights[0] > 0


def test_all_pairs_told_apart():
    lists = [(["a b c d", "x"], np.array([[1.0], [0.0]]))]
    tuned = Pro(interpolation=1.0, epochs=1).tune(task(Candidates.of(lists, ["a b c d"]), BLEU2, 1), np.ones(1), 1)
    weight = tuned.steps[-1].weights[0]
    # 50 pairs, twice each, all alike: 2λ w = 100 / (1 + e^w).
    assert weight == pytest.approx(100 / (1 + math.exp(weight)), rel=1e-5)


def test_no_pair_differs_enough():
    candidates = Candidates.of([(["a b", "a c"], np.eye(2))], ["a b"])
    with pytest.raises(InputError, match=r"pro: no two hypotheses of a source differ by 0\.9 or more by bleu\(.*\); "):
        Pro(threshold=0.9).tune(task(candidates, BLEU2, 2), np.array([1.0, 0]), 1)


def test_gains_that_teach_nothing():
    same = Candidates.of([(["a b", "a b"], np.eye(2)), (["c"], np.ones((1, 2)))], ["a b", "d"])
    with pytest.raises(InputError, match="all hypotheses have the same score by"):
        Pro(threshold=0).tune(task(same, BLEU2, 2), np.ones(2), 1)


def test_an_epoch_that_draws_no_pair_moves_nothing():
    lists = [(["a b c d", *["x"] * 60], np.arange(61.0)[:, None])]
    candidates = Candidates.of(lists, ["a b c d"])
    tuned = Pro(samples=1, epochs=4).tune(task(candidates, BLEU2, 1), np.array([0.5]), 1)
    assert [step.weights[0] for step in tuned.steps] == [0.5] * 5
    assert all(math.isnan(step.objective) for step in tuned.steps)


def test_sources_with_one_hypothesis_have_no_pairs():
    lists = [(["a"], np.ones((1, 2))), (["a b", "c"], np.eye(2)), (["d"], np.ones((1, 2)))]
    tuned = Pro(**SMALL).tune(task(Candidates.of(lists, ["a", "a b", "d"]), BLEU2, 2), np.array([0.0, 0.1]), 1)
    assert tuned.steps[-1].weights[0] > tuned.steps[-1].weights[1]


def test_it_may_start_from_nothing():
    tuned = Pro(**SMALL).tune(task(made(1), BLEU2, 3), np.zeros(3), 1)
    assert len(tuned.steps) == 6
    assert tuned.step.number > 0
    assert tuned.warnings == ()


def test_held_out_lists_end_it_early():
    held_out = made(9)
    job = task(made(1), BLEU2, 3, held_out=held_out, patience=2)
    tuned = Pro(**SMALL | {"epochs": 200}).tune(job, np.array([1.0, 0.1, 0.1]), 1)
    assert len(tuned.steps) < 201
    assert tuned.step.held_out == held_out.objective(CORPUS_BLEU, tuned.weights)


def test_weights_that_are_nothing_are_not_chosen():
    space = Bounds(np.array([-np.inf, 0.0, 0.0]), np.zeros(3))  # and the first wants to be above 0
    job = task(made(2, 30, 10), BLEU2, 3, bounds=space)
    tuned = Pro(**SMALL, interpolation=1.0).tune(job, np.array([-1.0, 0, 0]), 1)
    assert tuned.weights.tolist() == [-1, 0, 0]
    assert any("collapsed" in warning for warning in tuned.warnings)


@pytest.mark.slow
def test_seven_thousand_names():
    names = 7000
    candidates = sparse(1, 60, 30, names, 40)
    job = task(candidates, BLEU2, names)
    candidates.gains(BLEU2)
    tracemalloc.start()
    tuned = Pro(**SMALL).tune(job, np.full(names, 1e-3), 1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20e6  # hypotheses x features would be 100 MB
    assert tuned.steps[-1].objective > tuned.steps[0].objective
    assert tuned.steps[-1].score > tuned.steps[0].score


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"samples": 0}, "samples must be a whole number from 1"),
        ({"keep": 0}, "keep must be a whole number from 1"),
        ({"threshold": -0.1}, "threshold must be a number, 0 or more; got -0.1"),
        ({"interpolation": 0}, "interpolation must be a number above 0, 1 or less; got 0"),
        ({"interpolation": 1.1}, "interpolation must be a number above 0, 1 or less"),
        ({"l2": 0}, "l2 must be a number above 0"),
        ({"epochs": 0}, "epochs must be a whole number from 1"),
    ],
)
def test_parameters_are_checked(given, message):
    with pytest.raises(SpecError, match=message):
        Pro(**given)


def test_the_signature_has_every_parameter():
    assert Pro(epochs=7).signature() == {
        "samples": 5000, "keep": 50, "threshold": 0.05, "interpolation": 0.1, "l2": 0.5, "epochs": 7,
    }  # fmt: skip
    assert Pro.name == "pro"
