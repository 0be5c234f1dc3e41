"""Expected gain: the loss and its gradient, the descent, and what it finds on made and on real lists."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from tuning import CORPUS_BLEU, gain_lists, held_out_bleu, made, read_thot, sparse, task

from tricolore import BLEU, NIST, TER, CharBLEU, ChrF, RougeS, _native
from tricolore import metric as make_metric
from tricolore.candidates import Candidates
from tricolore.errors import InputError, SpecError
from tricolore.features import Features
from tricolore.metrics import NAMES
from tricolore.tuning.bounds import Bounds
from tricolore.tuning.expected import ExpectedGain, Problem, expected_gain, gain_spread, reference_lengths
from tricolore.tuning.task import feature_spread, usable_gains

BLEU4 = BLEU(smooth=4, tokenize="none")


def loss_of(dense, starts, gains, lengths, weights, regularisation):
    """J, word for word."""
    loss = regularisation * sum(float(w) ** 2 for w in weights)
    for i, length in enumerate(lengths):
        members = range(int(starts[i]), int(starts[i + 1]))
        scores = [math.fsum(float(h * w) for h, w in zip(dense[k], weights, strict=True)) for k in members]
        chances = [math.exp(score - max(scores)) for score in scores]
        loss -= length * sum(p * gains[k] for p, k in zip(chances, members, strict=True)) / sum(chances)
    return loss


def gradient_of(dense, starts, gains, lengths, weights, regularisation):
    """The gradient of J as spec and paper have it, word for word."""
    gradient = 2 * regularisation * weights
    for i, length in enumerate(lengths):
        part = slice(int(starts[i]), int(starts[i + 1]))
        scores = dense[part] @ weights
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        expected = chances @ gains[part]
        for p, gain, row in zip(chances, gains[part], dense[part], strict=True):
            gradient = gradient - length * p * (gain - expected) * row
    return gradient


@given(gain_lists(), st.sampled_from([0.0, 0.1, 10.0]))
def test_the_gradient_is_that_of_finite_differences(lists, regularisation):
    dense, starts, gains, lengths, weights = lists
    loss, gradient = expected_gain(Features.of(dense), starts, gains, lengths, weights, regularisation)
    assert loss == pytest.approx(loss_of(*lists, regularisation), rel=1e-12, abs=1e-12)
    step = 1e-5
    for j in range(len(weights)):
        there, back = weights.copy(), weights.copy()
        there[j] += step
        back[j] -= step
        slope = (
            loss_of(dense, starts, gains, lengths, there, regularisation)
            - loss_of(dense, starts, gains, lengths, back, regularisation)
        ) / (2 * step)
        assert gradient[j] == pytest.approx(slope, rel=1e-5, abs=1e-5)


@given(gain_lists(magnitudes=(1e-9, 1.0, 1e3, 1e8, 1e300)))
def test_scores_of_any_size_are_borne(lists):
    dense, starts, gains, lengths, weights = lists
    loss, gradient = expected_gain(Features.of(dense), starts, gains, lengths, weights, 1.0)
    assert math.isfinite(loss) and np.isfinite(gradient).all()
    most = np.abs(dense).max(initial=1e-300)
    assert loss == pytest.approx(loss_of(*lists, 1.0), rel=1e-9, abs=1e-9)
    np.testing.assert_allclose(gradient / most, gradient_of(*lists, 1.0) / most, rtol=1e-6, atol=1e-9)


@given(gain_lists(), st.data())
def test_an_epoch_is_its_steps(lists, data):
    dense, starts, gains, lengths, start = lists
    size, sources = len(start), len(lengths)
    order = np.array(data.draw(st.permutations(range(sources))), dtype=np.int64)
    steps = np.array(data.draw(st.lists(st.sampled_from([0.0, 0.01, 0.3]), min_size=size, max_size=size)))
    lower = np.array(data.draw(st.lists(st.sampled_from([-np.inf, -0.5, 0.0]), min_size=size, max_size=size)))
    upper = np.array(data.draw(st.lists(st.sampled_from([np.inf, 0.5, 0.0]), min_size=size, max_size=size)))
    shrink, rate, epoch = data.draw(st.tuples(st.sampled_from([0, 2.0]), st.sampled_from([0.5, 30]), st.integers(0, 3)))

    weights = np.clip(start, lower, upper)
    sums = np.zeros(size)
    for t, i in enumerate(order, epoch * sources):
        part = np.arange(starts[i], starts[i + 1])
        pull = -gradient_of(dense[part], [0, len(part)], gains[part], lengths[[i]], weights, 0.0)
        step = rate / (1 + t / sources) * steps
        weights = np.clip((weights + step * pull) / (1 + step * shrink), lower, upper)
        sums = sums + weights

    got, got_sums = np.clip(start, lower, upper), np.zeros(size)
    features = Features.of(dense)
    _native.descend_expected_gain(
        features.begins, features.columns, features.values, starts, gains, lengths, order, steps, lower, upper,
        shrink, rate, epoch, got, got_sums,
    )  # fmt: skip
    np.testing.assert_allclose(got, weights, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(got_sums, sums, rtol=1e-7, atol=1e-9)


def test_the_core_refuses_what_does_not_fit():
    features = Features.of(np.eye(3))
    good = {
        "begins": features.begins, "columns": features.columns, "values": features.values,
        "starts": np.array([0, 1, 3]), "gains": np.zeros(3), "lengths": np.ones(2), "weights": np.zeros(3),
    }  # fmt: skip
    _native.expected_gain(**good)
    for wrong in (
        {"starts": np.array([0, 3])},
        {"starts": np.array([0, 0, 3])},
        {"starts": np.array([0, 1, 2])},
        {"gains": np.zeros(2)},
        {"lengths": np.ones(3)},
        {"weights": np.zeros(2)},
    ):
        with pytest.raises(ValueError, match="other shapes"):
            _native.expected_gain(**good | wrong)
    more = {"steps": np.ones(3), "lower": np.zeros(3), "upper": np.ones(3), "shrink": 1.0, "rate": 1.0, "epochs": 0.0}
    for order in (np.array([0, 2]), np.array([-1])):
        with pytest.raises(ValueError, match="other shapes"):
            _native.descend_expected_gain(**good, **more, order=order, sums=np.zeros(3))


# What is learnt from ------------------------------------------------------------------------------------------------


def test_lengths_of_references():
    lists = [(["a b c", "a"], np.zeros((2, 1))), (["x, y"], np.zeros((1, 1)))]
    candidates = Candidates.of(lists, [["a", "a b c d", "a b c d e f g h"], ["x, y z"]])
    assert reference_lengths(candidates, BLEU4).tolist() == [4, 3]
    assert reference_lengths(candidates, BLEU(tokenize="13a")).tolist() == [4, 4]
    assert reference_lengths(candidates, BLEU(strip_punctuation=True, tokenize="13a")).tolist() == [4, 3]
    assert reference_lengths(candidates, BLEU(ref_len="shortest", tokenize="none")).tolist() == [1, 3]
    assert reference_lengths(candidates, BLEU(ref_len="average", tokenize="none")).tolist() == [13 / 3, 3]
    assert reference_lengths(candidates, ChrF()).tolist() == [4, 4]  # characters without spaces
    assert reference_lengths(candidates, TER()).tolist() == [4, 3]
    assert reference_lengths(candidates, CharBLEU()).tolist() == [7, 6]


@pytest.mark.parametrize("name", NAMES)
def test_every_metric_has_lengths(name):
    candidates = made(1, 2, 2)
    assert (reference_lengths(candidates, make_metric(name)) > 0).all()


def test_spreads_are_weighed():
    candidates = made(3, 5, 4)
    gains, size = candidates.gains(BLEU4), 3
    dense = candidates.features.toarray(size)
    spans = [slice(a, b) for a, b in zip(candidates.starts, candidates.starts[1:], strict=False)]
    np.testing.assert_allclose(gain_spread(candidates, gains), [gains[span].std() for span in spans])
    factors = np.arange(5.0)
    variances = np.array([dense[span].var(axis=0) for span in spans])
    np.testing.assert_allclose(feature_spread(candidates, size), variances.mean(axis=0))
    np.testing.assert_allclose(feature_spread(candidates, size, factors), (factors[:, None] * variances).mean(axis=0))


def test_gains_that_teach_nothing():
    same = Candidates.of([(["a b", "a b"], np.eye(2)), (["c"], np.ones((1, 2)))], ["a b", "d"])
    with pytest.raises(InputError, match="all hypotheses have the same score by"):
        usable_gains(same, BLEU4)
    with pytest.raises(InputError, match="all hypotheses have the same score by"):
        ExpectedGain().tune(task(same, BLEU4, 2), np.ones(2), 1)


def test_references_without_words():
    ter = TER()
    candidates = Candidates.of([(["a", ""], np.eye(2)), (["c"], np.ones((1, 2)))], ["", "c"])
    with pytest.raises(InputError, match="have empty references"):
        ExpectedGain().tune(task(candidates, ter, 2), np.array([1.0, 0.0]), 1)
    ExpectedGain(weighting="equal").tune(task(candidates, ter, 2), np.array([1.0, 0.0]), 1)


def test_a_gain_that_is_no_number(monkeypatch):
    candidates = made(1, 3, 2)
    monkeypatch.setattr(Candidates, "gains", lambda self, metric: np.array([0, 1, 0, np.nan, 0, 1]))
    with pytest.raises(InputError, match=r"source 1: hypothesis 1 scores nan by bleu\(.*\); expected a finite number"):
        usable_gains(candidates, BLEU4)


def test_equal_hypotheses_do_not_pull():
    features = Features.of(np.arange(6.0).reshape(3, 2))
    _, gradient = expected_gain(features, np.array([0, 3]), np.full(3, 0.7), np.ones(1), np.array([0.1, -0.2]), 0.0)
    assert np.abs(gradient).max() < 1e-15


# What it finds ------------------------------------------------------------------------------------------------------


def lowest(problem, regularisation, starts):
    """The least loss that L-BFGS finds from any of these starts, in units that suit the features."""
    unit = np.sqrt(problem.steps(regularisation))
    candidates = problem.candidates

    def loss(scaled):
        value, gradient = expected_gain(
            candidates.features, candidates.starts, problem.gains, problem.lengths, scaled * unit, regularisation
        )
        return value, gradient * unit

    return min(minimize(loss, start / unit, jac=True, method="L-BFGS-B").fun for start in starts)


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize(("seed", "scale"), [(1, 1.0), (2, 1.0), (3, 3.0), (4, 0.1)])
def test_it_comes_near_the_optimum(seed, scale, average):
    candidates = made(seed, 40, 10, 4, scale * np.array([1.0, 100.0, 1.0, 0.01]))
    job = task(candidates, BLEU4, 4)
    start = np.zeros(4)
    tuned = ExpectedGain(regularisation=1.0, average=average).tune(job, start, seed)
    best = lowest(Problem.of(job, "length"), 1.0, [start])
    first, last = tuned.steps[0].objective, tuned.steps[-1].objective
    assert best < first
    assert last - best < 0.05 * (first - best)


def test_real_lists_end_near_the_optimum(shared):
    candidates, start = read_thot(shared)
    job = task(candidates, BLEU4, len(start))
    tuned = ExpectedGain().tune(job, start, 1)
    problem = Problem.of(job, "length")
    best = lowest(problem, 10.0, [start, 0 * start])
    zero = problem.loss(0 * start, 10.0)
    assert tuned.steps[-1].objective - best < 0.01 * (zero - best)
    assert not tuned.warnings


@pytest.mark.parametrize(
    "metric", ["bleu(smooth=2, tokenize=none)", "bleu(smooth=7, tokenize=none)", "rouge-s(skip=4)", "ter"]
)
def test_real_lists_get_better_on_the_other_half(shared, metric):
    candidates, start = read_thot(shared)
    gain = make_metric(metric)
    before = held_out_bleu(candidates, lambda half: start)
    after = held_out_bleu(candidates, lambda half: ExpectedGain().tune(task(half, gain, len(start)), start, 1).weights)
    assert before == pytest.approx(0.1542, abs=5e-5)
    assert after > before


def test_features_times_a_thousand_are_learnt_as_before():
    scales = np.array([1000.0, 0.001, 7.0])
    tuner = ExpectedGain(regularisation=0.0, epochs=5)
    start = np.array([0.3, -0.2, 0.1])
    plain = tuner.tune(task(made(5), BLEU4, 3), start, 1)
    scaled = tuner.tune(task(made(5, scale=scales), BLEU4, 3), start / scales, 1)
    np.testing.assert_allclose(scaled.weights * scales, plain.weights, rtol=1e-6)


def test_the_same_seed_finds_the_same():
    job, start = task(made(1), BLEU4, 3), np.array([0.1, 0.2, 0.3])
    one, two = (ExpectedGain(epochs=3).tune(job, start, 7) for _ in range(2))
    assert one.weights.tolist() == two.weights.tolist()
    assert [step.objective for step in one.steps] == [step.objective for step in two.steps]
    other = ExpectedGain(epochs=3).tune(job, start, 8)
    assert one.steps[-1].weights.tolist() != other.steps[-1].weights.tolist()
    assert start.tolist() == [0.1, 0.2, 0.3]


def test_every_epoch_is_seen():
    seen = []
    tuned = ExpectedGain(epochs=4).tune(task(made(1), BLEU4, 3), np.ones(3), 1, seen.append)
    assert seen == list(tuned.steps)
    assert [(step.number, step.of) for step in seen] == [(i, 4) for i in range(5)]
    problem = Problem.of(task(made(1), BLEU4, 3), "length")
    assert seen[2].objective == problem.loss(seen[2].weights, 10.0)
    assert tuned.step.score == max(step.score for step in seen)


@given(st.integers(0, 10_000))
def test_weights_stay_within_bounds(seed):
    space = Bounds(np.array([0.0, -0.1, 0.5]), np.array([0.2, np.inf, 0.5]))
    job = task(made(seed % 7), BLEU4, 3, bounds=space)
    tuned = ExpectedGain(epochs=3, regularisation=0.1, average=bool(seed % 2)).tune(job, np.ones(3), seed)
    for step in tuned.steps:
        assert (space.lower <= step.weights).all() and (step.weights <= space.upper).all()
    assert tuned.weights[2] == 0.5


def test_less_is_better_for_ter():
    candidates, ter = made(2, 30, 10), TER()
    job = task(candidates, ter, 3)
    tuned = ExpectedGain(regularisation=0.1).tune(job, np.array([-1.0, 0.5, 0.5]), 1)
    first, last = (candidates.objective(ter, tuned.steps[i].weights) for i in (0, -1))
    assert last > first
    assert tuned.weights[0] > 0
    assert tuned.steps[-1].objective < tuned.steps[0].objective


def test_equal_weighting_is_a_length_of_one():
    job = task(made(1), BLEU4, 3)
    assert Problem.of(job, "equal").lengths.tolist() == [1.0] * 8
    assert Problem.of(job, "length").lengths.tolist() == [7.0] * 8
    # All references have 7 words: one is the other with another λ.
    equal = ExpectedGain(weighting="equal", regularisation=1.0, epochs=3).tune(job, np.ones(3), 1)
    length = ExpectedGain(regularisation=7.0, epochs=3).tune(job, np.ones(3), 1)
    np.testing.assert_allclose(equal.weights, length.weights, rtol=1e-9)


def test_too_strong_a_regulariser_is_said():
    small = task(made(1, scale=1e-3), BLEU4, 3)
    start = np.ones(3)
    (warning,) = ExpectedGain().tune(small, start, 1).warnings
    assert warning.startswith("xbleu: with regularisation=10 all hypotheses of a source end up about equally probable")
    assert ExpectedGain(regularisation=1e-7).tune(small, start, 1).warnings == ()


def test_weights_that_are_nothing_are_not_chosen():
    space = Bounds(np.array([-np.inf, 0.0, 0.0]), np.array([0.0, 0.0, 0.0]))  # and the first wants to be above 0
    tuned = ExpectedGain().tune(task(made(2, 30, 10), BLEU4, 3, bounds=space), np.array([-1.0, 0, 0]), 1)
    assert tuned.weights[0] < 0
    assert any("collapsed" in warning for warning in tuned.warnings)
    assert len(tuned.steps) < 51


def test_held_out_lists_end_it_early():
    held_out = made(9)
    job = task(made(1), BLEU4, 3, held_out=held_out, patience=2)
    tuned = ExpectedGain(epochs=500).tune(job, np.array([1.0, 0.1, 0.1]), 1)
    assert len(tuned.steps) < 501
    assert tuned.step.held_out == max(step.held_out for step in tuned.steps)
    assert tuned.step.held_out == held_out.objective(CORPUS_BLEU, tuned.weights)


def test_seven_thousand_names():
    names, each = 7000, 40
    candidates = sparse(1, 60, 30, names, each)
    job = task(candidates, BLEU4, names)
    Problem.of(job, "length")
    tracemalloc.start()
    tuned = ExpectedGain().tune(job, np.full(names, 1e-3), 1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 60 * names * 8 * 4  # sources x features would be 3.4 MB, hypotheses x features 100 MB
    assert tuned.steps[-1].objective < tuned.steps[0].objective
    assert tuned.steps[-1].score > tuned.steps[0].score


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"regularisation": -1}, r"regularisation must be a number, 0 or more; got -1"),
        ({"regularisation": math.nan}, r"regularisation must be"),
        ({"epochs": 0}, r"epochs must be a whole number from 1"),
        ({"epochs": 2.5}, r"epochs must be a whole number"),
        ({"rate": 0}, r"rate must be a number above 0"),
        ({"average": 1}, r"average must be true or false"),
        ({"weighting": "lenght"}, r"weighting must be one of length, equal; got 'lenght'.*length"),
    ],
)
def test_parameters_are_checked(given, message):
    with pytest.raises(SpecError, match=message):
        ExpectedGain(**given)


def test_the_signature_has_every_parameter():
    assert ExpectedGain(epochs=7).signature() == {
        "regularisation": 10.0, "epochs": 7, "rate": 30.0, "average": False, "weighting": "length",
    }  # fmt: skip
    assert ExpectedGain.name == "xbleu"


def test_features_that_do_not_differ():
    candidates = Candidates.of([(["a", "b"], np.ones((2, 2)))], ["a"])
    with pytest.raises(InputError, match="nothing to tune"):
        ExpectedGain().tune(task(candidates, BLEU4, 2), np.ones(2), 1)


def test_any_metric_will_do():
    for metric in (ChrF(), RougeS(skip=4), NIST()):
        assert ExpectedGain(epochs=2).tune(task(made(1), metric, 3), np.ones(3), 1).weights.shape == (3,)
