"""Batch k-best MIRA against a plain epoch over ordinary matrices, within bounds, with any metric, and on real lists."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tricolore as tri
from tricolore.candidates import CandidateReader, Candidates
from tricolore.errors import InputError, SpecError
from tricolore.features import Features
from tricolore.metrics import NAMES
from tricolore.tuning.bounds import Bounds
from tricolore.tuning.mira import Background, Mira, mira_step
from tricolore.tuning.task import Task
from tricolore.weights import read_weights

FISHER = "nbest/thot-fisher-test-es-en"
WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "in", "mat"]


def random_lists(random, sources=6, most=7, features=3, coarse=False):
    """Lists of random texts; coarse features are often the same."""
    lists, refs = [], []
    for _ in range(sources):
        number = int(random.integers(1, most))
        texts = [" ".join(random.choice(WORDS, random.integers(0, 8))) for _ in range(number)]
        values = random.normal(size=(number, features))
        lists.append((texts, np.round(values) if coarse else values))
        refs.append([" ".join(random.choice(WORDS, random.integers(1, 8))) for _ in range(int(random.integers(1, 3)))])
    return lists, refs


def task_of(lists, refs, metric, space=None, **more):
    candidates = Candidates.of(lists, refs)
    size = lists[0][1].shape[1]
    return Task(candidates, metric, metric, space or Bounds.none(size), **more)


# The step --------------------------------------------------------------------------------------------------


@given(
    st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 4), st.sampled_from([0.01, 0.1, 10.0]), st.booleans()
)
def test_a_step_is_the_formula(seed, hypotheses, size, C, coarse):
    random = np.random.default_rng(seed)
    matrix, gains, w = random.normal(size=(hypotheses, size)), random.normal(size=hypotheses), random.normal(size=size)
    if coarse:  # so that there are ties
        matrix, gains, w = np.round(matrix), np.round(gains), np.round(w)
    update = mira_step(w, Features.of(matrix), gains, C)
    s = [sum(w * row) for row in matrix]
    hope = max(range(hypotheses), key=lambda k: s[k] + gains[k])  # the first of equals
    fear = max(range(hypotheses), key=lambda k: s[k] - gains[k])
    if coarse:
        assert (update.hope, update.fear) == (hope, fear)
    hope, fear = update.hope, update.fear
    delta = matrix[hope] - matrix[fear]
    loss = gains[hope] - gains[fear] - w @ delta
    eta = min(C, loss / (delta @ delta)) if loss > 0 and delta.any() else 0
    assert update.eta == pytest.approx(eta, rel=1e-9, abs=1e-12)
    assert update.applied(w) == pytest.approx(w + eta * delta, rel=1e-9, abs=1e-9)


def test_after_a_long_step_hope_and_fear_are_as_far_apart_as_their_gains():
    matrix = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 0.0]])
    update = mira_step(np.zeros(3), Features.of(matrix), np.array([0.7, 0.2]), C=1e9)
    scores = matrix @ update.applied(np.zeros(3))
    assert scores[0] - scores[1] == pytest.approx(0.5)


def test_fixed_weights_do_not_count_for_the_length_of_a_step():
    matrix = np.array([[1.0, 5.0], [0.0, 1.0]])
    space = Bounds(np.array([-np.inf, 0.0]), np.array([np.inf, 0.0]))
    update = mira_step(np.zeros(2), Features.of(matrix), np.array([1.0, 0.5]), 1e9, space)
    assert update.applied(np.zeros(2)).tolist() == [0.5, 0.0]  # 0.5 / 1², not 0.5 / (1² + 4²)


def test_a_step_ends_at_a_bound():
    space = Bounds(np.array([-0.1, -np.inf]), np.array([0.1, np.inf]))
    update = mira_step(np.zeros(2), Features.of(np.eye(2)), np.array([1.0, 0.0]), 1e9, space)
    assert update.applied(np.zeros(2)).tolist() == [0.1, -0.5]


# Whole epochs ----------------------------------------------------------------------------------------------


def plain_mira(lists, refs, metric, start, seed, *, C, epochs, decay, background="hope"):
    """Every epoch's mean weights, written down as the paper has it."""
    ready = metric.prepare(tri.References(refs))
    sign = 1 if metric.higher_is_better else -1
    lengths = tri.BLEU(order=1, tokenize="none")
    sentence = " ".join("abcdefghi"[: getattr(metric, "order", 4)])

    def counted(text, ref):
        row = ready.stats([text], tri.References([ref])).values[0]
        there = "ref_len" in metric.columns
        return row, row[metric.columns.index("ref_len")] if there else lengths.stats([text], [ref])["ref_len"][0]

    bg, bg_length = counted(sentence, sentence)
    w, seen, means = start.copy(), [start.copy()], []
    random = np.random.default_rng(seed)
    for _ in range(epochs):
        for i in random.permutation(len(lists)):
            texts, h = lists[i]
            rows = [counted(text, refs[i]) for text in texts]
            B = np.array([sign * float(ready.score(row + bg)) * (length + bg_length) for row, length in rows])
            s = h @ w
            hope, fear = int(np.argmax(s + B)), int(np.argmax(s - B))
            if hope == fear:
                continue
            delta = h[hope] - h[fear]
            loss = (B[hope] - B[fear]) - w @ delta
            if loss > 0 and delta.any():
                w = w + min(C, loss / (delta @ delta)) * delta
                seen.append(w)
            joins = hope if background == "hope" else int(np.argmax(s))
            bg, bg_length = decay * bg + rows[joins][0], decay * bg_length + rows[joins][1]
        means.append(np.mean(seen, axis=0))
    return means


@pytest.mark.parametrize(
    "metric",
    [
        *("bleu(tokenize=none)", "bleu(order=2, smooth=7, tokenize=none)", "nist(tokenize=none)", "chrf", "ter"),
        *("rouge-l(tokenize=none)", "rouge-s(skip=4, tokenize=none)", "wer", "gtm(tokenize=none)", "ler"),
    ],
)
@pytest.mark.parametrize("background", ["hope", "model"])
def test_epochs_are_those_of_the_paper(metric, background):
    metric = tri.metric(metric)
    for seed in range(4):
        random = np.random.default_rng(seed)
        lists, refs = random_lists(random)
        start = random.normal(size=3)
        how = {"C": 0.05, "epochs": 4, "decay": 0.9, "background": background}
        found = Mira(**how).tune(task_of(lists, refs, metric), start, seed)
        expected = plain_mira(lists, refs, metric, start, seed, **how)
        assert found.steps[0].weights.tolist() == start.tolist()
        assert len(found.steps) == 5
        for step, mean in zip(found.steps[1:], expected, strict=True):
            assert step.weights == pytest.approx(mean, rel=1e-9, abs=1e-9)


def test_the_epoch_that_is_best_with_the_reported_metric_is_kept():
    lists, refs = random_lists(np.random.default_rng(3), sources=20)
    bleu, chrf = tri.BLEU(tokenize="none"), tri.ChrF()
    candidates = Candidates.of(lists, refs)
    seen = []
    found = Mira(epochs=8).tune(Task(candidates, bleu, chrf, Bounds.none(3)), np.ones(3), 1, seen.append)
    assert tuple(seen) == found.steps
    assert [step.number for step in seen] == [*range(9)]
    assert [step.score for step in seen] == [candidates.objective(chrf, step.weights) for step in seen]
    assert found.step.score == max(step.score for step in seen)
    assert all(step.objective <= 0 for step in seen[1:])
    assert found.weights.tolist() == found.step.weights.tolist()


def test_without_mean_the_weights_at_the_end_of_an_epoch_count():
    lists, refs = random_lists(np.random.default_rng(3), sources=20)
    task = task_of(lists, refs, tri.BLEU(tokenize="none"))
    one, mean = (Mira(epochs=1, average=average).tune(task, np.ones(3), 1).steps[1] for average in (False, True))
    assert one.weights.tolist() != mean.weights.tolist()


def test_seeds():
    lists, refs = random_lists(np.random.default_rng(3), sources=20)
    task = task_of(lists, refs, tri.BLEU(tokenize="none"))
    runs = [Mira(epochs=3).tune(task, np.ones(3), seed).steps[-1].weights.tolist() for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


def test_threads_change_nothing():
    lists, refs = random_lists(np.random.default_rng(3), sources=20)
    tasks = [task_of(lists, refs, tri.BLEU(tokenize="none"), threads=threads) for threads in (1, 4)]
    a, b = (Mira(epochs=3).tune(task, np.ones(3), 1).weights.tolist() for task in tasks)
    assert a == b


@given(st.integers(0, 10_000))
def test_bounds_hold_all_the_way(seed):
    random = np.random.default_rng(seed)
    lists, refs = random_lists(random, coarse=True)
    lists[0] = (["a", "b"], np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]))
    lower = np.array([-0.02, 0.3, -np.inf])
    upper = np.array([0.1, 0.3, 0.2])
    space = Bounds(lower, upper)
    found = Mira(epochs=3, C=1.0).tune(task_of(lists, refs, tri.BLEU(tokenize="none"), space), np.ones(3), seed)
    for step in found.steps:
        assert (step.weights >= lower).all()
        assert (step.weights <= upper).all()


def test_held_out_lists_choose_and_stop():
    lists, refs = random_lists(np.random.default_rng(5), sources=30)
    bleu = tri.BLEU(tokenize="none")
    held_out = Candidates.of(lists[20:], refs[20:])
    task = Task(Candidates.of(lists[:20], refs[:20]), bleu, bleu, Bounds.none(3), held_out, patience=3)
    found = Mira(epochs=60).tune(task, np.ones(3), 1)
    assert len(found.steps) == found.step.number + 4
    assert found.step.held_out == max(step.held_out for step in found.steps)


def test_a_start_at_zero_is_a_start():
    lists, refs = random_lists(np.random.default_rng(5), sources=30)
    found = Mira(epochs=5).tune(task_of(lists, refs, tri.BLEU(tokenize="none")), np.zeros(3), 1)
    assert found.weights.any()
    assert found.warnings == ()


def test_features_that_never_differ_are_refused():
    with pytest.raises(InputError, match="no feature differs"):
        Mira().tune(task_of([(["a", "b"], np.ones((2, 2)))], ["a"], tri.BLEU()), np.ones(2), 1)


def test_seven_thousand_sparse_features():
    random = np.random.default_rng(1)
    size, lists, refs = 7000, [], []
    for _ in range(60):
        reference = random.choice(WORDS, 10)
        texts = [" ".join(np.where(random.random(10) < 0.3, random.choice(WORDS, 10), reference)) for _ in range(20)]
        matrix = np.zeros((20, size))
        for k in range(20):
            matrix[k, random.integers(0, size, 30)] = random.normal(size=30)
        lists.append((texts, matrix))
        refs.append(" ".join(reference))
    task = task_of(lists, refs, tri.BLEU(tokenize="none"))
    found = Mira(epochs=5, C=1.0).tune(task, np.zeros(size), 1)
    assert len(task.candidates.features.values) <= 60 * 20 * 30
    assert found.step.score > found.steps[0].score + 0.2  # so many features tell all hypotheses apart


# Parameters ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"C": 0}, "C must be a number above 0; got 0"),
        ({"C": float("nan")}, "C must be"),
        ({"epochs": 0}, "epochs must be a whole number from 1"),
        ({"epochs": 2.5}, "epochs must be"),
        ({"decay": 1.5}, "decay must be a number from 0 to 1; got 1.5"),
        ({"average": "yes"}, "average must be true or false"),
        ({"background": "hop"}, "background must be one of hope, model; got 'hop'; did you mean 'hope'?"),
    ],
)
def test_parameters_are_checked(given, message):
    with pytest.raises(SpecError) as caught:
        Mira(**given)
    assert message in str(caught.value)


def test_the_record_has_every_parameter():
    assert Mira().signature() == {"C": 0.01, "epochs": 60, "decay": 0.999, "average": True, "background": "hope"}


@pytest.mark.parametrize("name", [*NAMES])
def test_every_metric_has_a_background(name):
    metric = tri.metric(name)
    candidates = Candidates.of([(["the cat sat", "a dog", ""], np.eye(3))], [["the cat sat on a mat", "a cat sat"]])
    background = Background(candidates, metric, 0.9)
    gains = background.gains(0)
    background.add(0)
    assert np.isfinite(gains).all()
    assert background.length > 0
    if name != "length":
        assert gains[0] == gains.max()


# Real lists ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fisher(shared, lines):
    references = tri.References.from_streams([lines(f"{FISHER}/ref{i}.txt") for i in range(4)])
    reader = CandidateReader()
    candidates = reader.read([str(shared / "data" / FISHER / "nbest.txt.gz")], references)
    weights, missing = read_weights(str(shared / "data" / FISHER / "weights.txt")).vector(reader.layout)
    assert missing == []
    return candidates, weights


def test_real_lists_by_cross_validation(fisher):
    candidates, given = fisher
    bleu = tri.BLEU(tokenize="none")
    halves = [np.arange(half, candidates.sources, 2) for half in (0, 1)]
    total = 0
    for tuned_on, held_out in (halves, halves[::-1]):
        task = Task(candidates.subset(tuned_on), bleu, bleu, Bounds.none(len(given)))
        found = Mira().tune(task, given, 1)
        rest = candidates.subset(held_out)
        total = total + rest.rows(bleu)[rest.text_of[rest.best(found.weights)]].sum(axis=0)
    assert bleu.score(total) > candidates.objective(bleu, given) + 0.005
