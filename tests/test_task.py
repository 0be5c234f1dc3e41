"""What all tuners share: which features differ, when weights are nothing any more, which step is kept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tuning import made
from tuning import task as tuning_task

import tricolore as tri
from tricolore.candidates import CandidateReader, Candidates
from tricolore.errors import InputError, SpecError
from tricolore.tuning import tuner
from tricolore.tuning.bounds import Bounds
from tricolore.tuning.task import SPREAD, Selection, Task, feature_spread, is_collapsed, ranges, spread_unit

BLEU = tri.BLEU(order=1, tokenize="none")

values = st.sampled_from([0.0, 0.0, 1.0, -2.0, 0.5])
matrices = st.lists(st.lists(st.lists(values, min_size=3, max_size=3), min_size=1, max_size=5), min_size=1, max_size=4)


@given(matrices)
def test_spread_is_the_mean_variance(drawn):
    lists = [([f"t{k}" for k in range(len(rows))], np.array(rows)) for rows in drawn]  # all texts differ
    candidates = Candidates.of(lists, ["t1"] * len(lists))
    expected = np.mean([np.var(matrix, axis=0) for _, matrix in lists], axis=0)
    assert feature_spread(candidates, 3) == pytest.approx(expected, abs=1e-12)


@given(matrices, st.lists(values, min_size=3, max_size=3))
def test_collapse_is_when_all_scores_of_every_source_are_equal(drawn, weights):
    lists = [([f"t{k}" for k in range(len(rows))], np.array(rows)) for rows in drawn]
    candidates = Candidates.of(lists, ["t1"] * len(lists))
    scores = [matrix @ np.array(weights) for _, matrix in lists]
    expected = not any(weights) or all(max(one) == min(one) for one in scores)
    assert is_collapsed(candidates, np.array(weights)) == expected
    assert is_collapsed(candidates, np.array([1.0, np.nan, 1.0]))


def task(held_out=None, **more):
    candidates = Candidates.of([(["a", "b"], np.eye(2))], ["a"])
    return Task(candidates, BLEU, BLEU, Bounds.none(2), held_out, **more)


A, B, NONE = np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.zeros(2)


def test_the_best_step_is_kept_the_first_of_equals():
    selection = Selection(task(), None)
    for weights in (B, A, 2 * A, B):
        selection.see(weights)
    found = selection.tuned()
    assert (found.step.number, found.weights.tolist(), found.warnings) == (1, [1, 0], ())
    assert [step.score for step in found.steps] == [0, 1, 1, 0]
    assert not selection.is_over


def test_a_start_that_is_not_kept_gives_way():
    selection = Selection(task(keeps_start=False), None)
    for weights in (A, B):
        selection.see(weights)
    assert selection.tuned().step.number == 1
    selection.see(A)
    assert selection.tuned().step.number == 2


def test_held_out_lists_decide():
    held_out = Candidates.of([(["a", "b"], np.eye(2))], ["b"])
    selection = Selection(task(held_out, patience=2), None)
    over = []
    for weights in (A, B, A, A):
        selection.see(weights)
        over.append(selection.is_over)
    assert over == [False, False, False, True]
    assert selection.tuned().step.number == 1


def test_weights_that_are_nothing_end_it():
    selection = Selection(task(), None)
    selection.see(B)
    selection.see(NONE)
    assert not selection.is_over
    selection.see(NONE)
    assert selection.is_over
    assert selection.tuned().weights.tolist() == B.tolist()
    assert selection.tuned().warnings == ("weights collapsed to zero; the best weights before that are kept",)


def test_weights_that_are_all_equal_for_a_moment_do_not_end_it():
    selection = Selection(task(), None)
    for weights in (B, A + B, A):
        selection.see(weights)
        assert not selection.is_over
    assert (selection.tuned().weights.tolist(), selection.tuned().warnings) == (A.tolist(), ())


def test_a_start_at_zero_does_not_end_it():
    selection = Selection(task(), None)
    selection.see(NONE)
    assert not selection.is_over
    with pytest.raises(InputError, match="the starting weights are zero"):
        selection.tuned()
    selection.see(B)
    assert selection.tuned().weights.tolist() == B.tolist()
    assert selection.tuned().warnings == ()


def test_nothing_to_tune():
    same = Candidates.of(
        [(["a", "b"], np.array([[1.0, 2.0], [1.0, 3.0]])), (["c"], np.array([[9.0, 9.0]]))], ["a", "c"]
    )
    Task(same, BLEU, BLEU, Bounds.none(2)).check()
    with pytest.raises(InputError, match="no feature differs"):
        Task(same, BLEU, BLEU, Bounds(np.array([-np.inf, 1.0]), np.array([np.inf, 1.0]))).check()


@pytest.mark.parametrize("name", ["pro", "xbleu"])
@pytest.mark.parametrize(("scale", "weight"), [(1e200, 1.0), (1.0, 1e200)])
def test_numbers_too_large_to_square_are_refused(name, scale, weight):
    candidates = Candidates.of([(["a", "b"], scale * np.eye(2))], ["a"])
    with pytest.raises(InputError, match="so large that they overflow when squared"):
        tuner(name).tune(Task(candidates, BLEU, BLEU, Bounds.none(2)), np.full(2, weight), 1)


@pytest.mark.parametrize("name", ["mert", "mira", "pro", "xbleu"])
def test_a_start_that_cannot_be_meant(name):
    made = tuner(name)
    with pytest.raises(InputError, match="expected 2 weights"):
        made.tune(task(), np.ones(1), 1)
    with pytest.raises(InputError, match="start: expected finite weights"):
        made.tune(task(), np.array([1.0, np.nan]), 1)
    with pytest.raises(SpecError, match="seed must be a whole number"):
        made.tune(task(), np.ones(2), -1)
    narrow = Task(task().candidates, BLEU, BLEU, Bounds.none(1))
    with pytest.raises(InputError, match="bounds: expected at least 2, one per feature; got 1"):
        made.tune(narrow, np.ones(1), 1)
    with pytest.raises(SpecError, match="restart: no method has such a parameter"):
        tuner(name, restart=5)


def test_a_start_that_nothing_is_better_than():
    selection = Selection(task(), None)
    for weights in (A, B):
        selection.see(weights)
    (warning,) = selection.tuned().warnings
    assert warning == "no step has a better BLEU than the start on the lists tuned on; it is kept"


@pytest.mark.parametrize("exponent", [-9, -1, 0, 3, 40])
def test_a_start_is_divided_until_scores_are_near_enough(exponent):
    candidates = made(3, sources=9)
    weights = np.array([1.0, 0.5, 0.0]) * 2.0**exponent
    scores = np.split(candidates.features.dot(weights), candidates.starts[1:-1])
    unit = 1.0
    while np.median([np.ptp(one) for one in scores]) / unit > SPREAD:
        unit *= 2
    assert spread_unit(candidates, weights) == unit
    assert spread_unit(candidates, np.zeros(3)) == 1


@pytest.mark.parametrize("name", ["mert", "mira", "pro", "xbleu"])
def test_a_large_start_is_tuned_as_well_as_a_small_one(name):
    candidates, start = made(4, sources=30, hypotheses=8), np.array([-2.0, 1.0, 1.0])
    unit = 2.0 ** np.floor(np.log2(SPREAD / np.median(ranges(candidates.features.dot(start), candidates.starts))))
    metric, small = tri.metric("bleu(smooth=4)"), start * unit  # just within what is not scaled
    tuned = [tuner(name).tune(tuning_task(candidates, metric, 3), small * scale, 1) for scale in (1, 8, 64, 2.0**20)]
    assert tuned[0].step.score > tuned[0].steps[0].score
    for scale, one in zip((8, 64, 2.0**20), tuned[1:], strict=True):
        assert one.step.score == tuned[0].step.score
        if name != "mert":  # which has no scale
            assert one.weights.tolist() == (tuned[0].weights * scale).tolist()


def test_a_start_with_bounds_is_not_scaled_but_told():
    candidates = made(4, sources=30, hypotheses=8)
    bounds = Bounds(np.full(3, -1e9), np.full(3, 1e9))
    how = tuning_task(candidates, tri.metric("bleu(smooth=4)"), 3, bounds=bounds)
    tuned = tuner("mira", epochs=2).tune(how, np.array([-2.0, 1.0, 1.0]) * 1e6, 1)
    assert tuned.step.number == 0
    assert tuned.warnings[1].startswith("scores are too far apart for its steps; divide start, fix and bounds by ")


def test_lists_may_be_in_memory():
    lists = [[("a cat", {"lm": -1.5, "tm": [-2, -1]}), ("cats", {"lm": -2}, -4)], [("dogs", {"tm": (1, 2)})]]
    reader = CandidateReader()
    found = reader.read(lists, tri.References(["a", "b"]))
    assert [group.name for group in found.layout.groups] == ["lm", "tm"]
    assert found.features.toarray(3).tolist() == [[-1.5, -2, -1], [-2, 0, 0], [0, 1, 2]]
    assert found.texts == ["a cat", "cats", "dogs"]
    wrong = {
        "source 1: expected a list of candidates, got str": [[("a", {"lm": 1})], "b"],
        "source 0: there is no candidate": [[], ["b"]],
        "source 0: expected text, ": [[3], ["b"]],
        "source 1: feature 'lm': expected a number, found 'x'": [[("a", {"lm": 1})], [("b", {"lm": "x"})]],
        "ends with source 0, but the list of references goes on": [[("a", {"lm": 1})]],
        "expected a file, or a list of candidates per source; got int": 3,
    }
    for message, lists in wrong.items():
        with pytest.raises(InputError, match=message):
            reader.read(lists, tri.References(["a", "b"]))
