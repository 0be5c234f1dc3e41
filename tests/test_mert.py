"""MERT: the line search against brute force between all crossings, the climbs, and Moses' own run."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tricolore
from tricolore import BLEU, TER, WER
from tricolore.candidates import CandidateReader, Candidates
from tricolore.errors import InputError, SpecError
from tricolore.features import Features
from tricolore.segments import References
from tricolore.tuning.bounds import Bounds
from tricolore.tuning.line_search import Lines, line_search
from tricolore.tuning.mert import Mert
from tricolore.tuning.task import Task, feature_spread, is_collapsed

# Along one line -------------------------------------------------------------------------------------------------


def score(sums):
    """Something of two columns that is not their sum."""
    hits, all_ = sums[..., 0], sums[..., 1]
    return np.where(all_ > 0, hits / np.where(all_ > 0, all_, 1.0), 0.5)


class Problem:
    """Sources with features and texts, and rows of statistics of the texts; all numbers are whole ones."""

    def __init__(self, sources, weights, direction):
        self.sources = sources  # of each: a list of (features, text), and rows of its texts
        self.weights, self.direction = weights, direction

    def __repr__(self):
        return f"Problem({self.sources}, {self.weights}, {self.direction})"

    def lines(self):
        features, text_of, rows, starts = [], [], [], [0]
        for hypotheses, own in self.sources:
            features += [h for h, _ in hypotheses]
            text_of += [len(rows) + text for _, text in hypotheses]
            rows += own
            starts.append(len(features))
        return Lines(
            Features.of(np.array(features, float)),
            np.array(starts, np.int64),
            np.array(text_of, np.int32),
            np.array(rows, float),
            score,
            len(self.weights),
        )

    def value_at(self, gamma):
        """Choose by exact arithmetic, the first of equals."""
        total = np.zeros(2)
        for hypotheses, rows in self.sources:
            heights = [
                sum((w + gamma * d) * h for w, d, h in zip(self.weights, self.direction, features, strict=True))
                for features, _ in hypotheses
            ]
            total += rows[hypotheses[heights.index(max(heights))][1]]
        return float(score(total))

    def crossings(self):
        """Where any two lines of a source cross."""
        found = set()
        for hypotheses, _ in self.sources:
            lines = [
                (sum(map(lambda w, h: w * h, self.weights, f)), sum(map(lambda d, h: d * h, self.direction, f)))
                for f, _ in hypotheses
            ]
            for a, b in lines:
                found.update(Fraction(a - a2, b2 - b) for a2, b2 in lines if b2 != b)
        return sorted(found)

    def has_coincident_lines(self):
        """Whether hypotheses of one source with other features and another text have the same line."""
        for hypotheses, _ in self.sources:
            for f, text in hypotheses:
                for f2, text2 in hypotheses:
                    apart = [a - b for a, b in zip(f, f2, strict=True)]
                    if (
                        text != text2
                        and any(apart)
                        and not any(
                            sum(v * x for v, x in zip(vector, apart, strict=True))
                            for vector in (self.weights, self.direction)
                        )
                    ):
                        return True
        return False

    def oracle(self, low, high):
        """The best score between all crossings, and the joined intervals that have it."""
        edges = [low, *(x for x in self.crossings() if low < x < high), high]
        values = [self.value_at(inside(a, b)) for a, b in pairwise(edges)]
        best, intervals = max(values), []
        for (a, b), value in zip(pairwise(edges), values, strict=True):
            if value == best and intervals and intervals[-1][1] == a:
                intervals[-1] = (intervals[-1][0], b)
            elif value == best:
                intervals.append((a, b))
        return best, intervals


def inside(a, b):
    if a == -math.inf:
        return Fraction(0) if b == math.inf else b - 1
    return a + 1 if b == math.inf else (a + b) / 2


@st.composite
def problems(draw, width=3):
    number = st.integers(-3, 3)
    features = st.lists(number, min_size=width, max_size=width)
    sources = []
    for _ in range(draw(st.integers(1, 4))):
        texts = draw(st.integers(1, 4))
        row = st.tuples(st.integers(0, 4), st.integers(0, 5))
        hypotheses = st.tuples(features, st.integers(0, texts - 1))
        sources.append(
            (draw(st.lists(hypotheses, min_size=1, max_size=7)), draw(st.lists(row, min_size=texts, max_size=texts)))
        )
    return Problem(sources, draw(features), draw(features))


@given(problems(), st.sampled_from([None, (-1, 1), (0, 2), (-3, 0)]))
@settings(max_examples=300)
def test_the_line_search_is_brute_force_between_all_crossings(problem, bounds):
    weights, direction = np.array(problem.weights, float), np.array(problem.direction, float)
    space, low, high = Bounds.none(3), -math.inf, math.inf
    if bounds is not None:
        space = Bounds(weights + bounds[0] * np.abs(direction), weights + bounds[1] * np.abs(direction))
        low, high = space.reach(weights, direction)
        low, high = (Fraction(low), Fraction(high)) if math.isfinite(low) else (low, high)
    found = problem.lines().find(weights, direction, space)
    if low == high:
        assert found.gamma == 0
        return
    best, intervals = problem.oracle(low, high)
    # At a tie the first in the list is chosen, which can be better at γ = 0 than to either side of it.
    now = problem.value_at(Fraction(0))
    assert len(found.intervals) == len(intervals)
    for got, expected in zip(found.intervals, intervals, strict=True):
        assert got == pytest.approx((float(expected[0]), float(expected[1])), rel=1e-12, abs=1e-12)
    assert found.score == problem.lines().at(space.project(weights + found.gamma * direction)).value >= now
    if problem.has_coincident_lines():  # at weights that are rounded, it is rounding that tells them apart
        return
    assert found.score == pytest.approx(max(best, now), abs=1e-12)
    if best >= now:
        assert any(a < found.gamma < b for a, b in found.intervals)
        # A line may touch the others just in the middle, and be the first in the list.
        middles = [float(inside(a, b)) for a, b in intervals if problem.value_at(inside(a, b)) == best]
        if middles and 0 not in problem.crossings():
            assert abs(found.gamma) == pytest.approx(min(map(abs, middles)), rel=1e-9, abs=1e-12)
    else:
        assert found.gamma == 0


@given(problems())
def test_an_axis_is_a_direction(problem):
    lines, space = problem.lines(), Bounds.none(3)
    point = lines.at(np.array(problem.weights, float))
    for axis in range(3):
        at, sums = lines.search.along_axis(point.scores, point.best, point.total, axis, -math.inf, math.inf)
        _, _, at_along, sums_along = lines.along(point, np.eye(3)[axis], space)
        assert at.tolist() == at_along.tolist()
        assert sums.tolist() == sums_along.tolist()


@given(problems(), st.integers(0, 2), st.floats(-2, 2))
def test_a_moved_point_is_one_computed_anew(problem, axis, weight):
    lines = problem.lines()
    weights = np.array(problem.weights, float)
    moved = lines.moved(lines.at(weights), axis, weight)
    weights[axis] = weight
    anew = lines.at(weights)
    assert moved.scores.tolist() == anew.scores.tolist()
    assert moved.best.tolist() == anew.best.tolist()
    assert moved.value == anew.value


def random_lines(random, sources=30, hypotheses=12, width=4, float_rows=False):
    sizes = random.integers(1, hypotheses + 1, sources)
    number = int(sizes.sum())
    rows = random.random((number, 2)) if float_rows else random.integers(0, 9, (number, 2)).astype(float)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    own = np.arange(number, dtype=np.int32)
    return Lines(Features.of(random.normal(size=(number, width))), starts, own, rows, score, width)


@pytest.mark.parametrize("seed", range(20))
def test_sums_are_those_of_what_is_chosen_everywhere(seed):
    random = np.random.default_rng(seed)
    lines = random_lines(random, float_rows=seed % 2 == 0)
    weights, direction = random.normal(size=4), random.normal(size=4)
    _, _, at, sums = lines.along(lines.at(weights), direction, Bounds.none(4))
    assert (np.diff(at) > 0).all()
    assert len(sums) == len(at) + 1 > 30
    edges = np.concatenate([[at[0] - 2], at, [at[-1] + 2]])
    for a, b, row in zip(edges[:-1], edges[1:], sums, strict=True):
        if b - a > 1e-9:
            assert lines.at(weights + (a + b) / 2 * direction).total == pytest.approx(row, rel=1e-12)
    found = lines.find(weights, direction, Bounds.none(4))
    assert found.score == lines.at(weights + found.gamma * direction).value >= lines.at(weights).value
    assert found.score == pytest.approx(lines.values(at, sums, -math.inf, math.inf).max(), abs=1e-9)


def test_long_envelopes():
    # Tangents of a parabola: every line is somewhere the highest.
    places = np.random.default_rng(0).permutation(501) - 250.0
    features = Features.of(np.column_stack([-places * places, 2 * places]))
    rows = np.column_stack([np.arange(501.0), np.full(501, 1000.0)])
    lines = Lines(features, np.array([0, 501]), np.arange(501, dtype=np.int32), rows, score, 2)
    point = lines.at(np.array([1.0, 0.0]))
    _, _, at, sums = lines.along(point, np.array([0.0, 1.0]), Bounds.none(2))
    assert at.tolist() == [place + 0.5 for place in range(-250, 250)]
    order = np.argsort(places)
    assert sums[:, 0].tolist() == [float(i) for i in order]


def candidates_of(random, sources=20, hypotheses=8, width=4, integers=False):
    words = [*"abcdefgh"]
    lists, references = [], []
    for _ in range(sources):
        reference = [words[i] for i in random.integers(0, 8, random.integers(4, 10))]
        references.append([" ".join(reference), " ".join(reversed(reference))])
        texts = []
        for _ in range(hypotheses):
            text = [w if random.random() < 0.7 else words[random.integers(8)] for w in reference]
            texts.append(" ".join(text[: random.integers(2, 12)]))
        features = random.integers(-2, 3, (hypotheses, width)) if integers else random.normal(size=(hypotheses, width))
        lists.append((texts, features.astype(float)))
    return Candidates.of(lists, references)


METRICS = [
    "bleu",
    "bleu(smooth=none)",
    "ter",
    "wer",
    "chrf",
    "rouge-s(skip=4)",
    "nist",
    "doc-bleu",
    "gtm",
    "per",
    "wrr",
]


@pytest.mark.parametrize("name", METRICS)
def test_any_metric_gains_along_lines(name):
    random = np.random.default_rng(len(name))
    metric, candidates = tricolore.metric(name), candidates_of(random)
    for _ in range(5):
        weights, direction = random.normal(size=4), random.normal(size=4)
        found = line_search(candidates, metric, weights, direction)
        grid = np.concatenate([np.linspace(-9, 9, 301), [found.gamma]])
        values = [candidates.objective(metric, weights + gamma * direction) for gamma in grid]
        assert found.score == values[-1]
        assert found.score >= max(values) - 1e-9


def test_a_direction_of_another_length():
    with pytest.raises(InputError, match="expected a direction of the shape of weights"):
        line_search(candidates_of(np.random.default_rng(0)), BLEU(), np.ones(4), np.ones(3))


# Climbing -------------------------------------------------------------------------------------------------------


def task_of(candidates, metric, space=None, **rest):
    return Task(candidates, metric, metric, Bounds.none(4) if space is None else space, **rest)


QUICK = Mert(restarts=3, directions=3)


@pytest.mark.parametrize("name", METRICS)
def test_the_score_never_drops(name):
    random = np.random.default_rng(1)
    metric, candidates = tricolore.metric(name), candidates_of(random, integers=name == "bleu")
    start = random.integers(-1, 2, 4).astype(float)
    seen = []
    found = QUICK.tune(task_of(candidates, metric), start, 5, seen.append)
    assert found.step.score == candidates.objective(metric, found.weights)
    assert found.step.score >= candidates.objective(metric, start)
    assert found.step.score == max(step.score for step in found.steps)
    assert found.step.score > candidates.objective(metric, start) + 1e-6
    assert [step.number for step in found.steps] == [0, 1, 2, 3, 4]
    assert found.steps[0].weights.tolist() == start.tolist()
    assert {step.of for step in seen} == {4}
    within = [step for step in seen if step.number == 1]
    assert len(within) > 1
    assert all(a.objective < b.objective for a, b in pairwise(within[:-1]))
    assert within[-1].objective == within[-2].objective


def test_no_single_weight_gains_any_more():
    random = np.random.default_rng(2)
    candidates, metric = candidates_of(random), BLEU()
    found = Mert(restarts=0, directions=0).tune(task_of(candidates, metric), np.ones(4), 1)
    for axis in range(4):
        along = line_search(candidates, metric, found.weights, np.eye(4)[axis])
        assert along.score < found.step.score + 1e-6


def test_seeds_decide_and_threads_do_not():
    candidates, metric = candidates_of(np.random.default_rng(3)), BLEU()
    runs = [
        QUICK.tune(task_of(candidates, metric, threads=threads), np.ones(4), seed)
        for seed, threads in ((1, 1), (1, 2), (2, 1))
    ]
    assert runs[0].weights.tolist() == runs[1].weights.tolist()
    assert runs[0].steps == runs[1].steps
    assert runs[0].steps[2].weights.tolist() != runs[2].steps[2].weights.tolist()


@pytest.mark.parametrize("seed", range(5))
def test_bounds_and_fixed_weights(seed):
    random = np.random.default_rng(seed)
    candidates = candidates_of(random)
    space = Bounds(np.array([0.0, -1.0, 0.5, -math.inf]), np.array([math.inf, 1.0, 0.5, 0.25]))
    start = np.array([1.0, 0.3, 0.5, -1.0])
    found = QUICK.tune(task_of(candidates, BLEU(), space), start, seed)
    for step in found.steps:
        assert (space.lower <= step.weights).all()
        assert (step.weights <= space.upper).all()
    assert found.step.score > candidates.objective(BLEU(), start)
    assert found.weights[2] == 0.5


def test_a_start_out_of_bounds_is_moved_into_them():
    space = Bounds(np.zeros(4), np.ones(4))
    found = QUICK.tune(task_of(candidates_of(np.random.default_rng(0)), BLEU(), space), np.array([-1.0, 2, 1, 1]), 1)
    assert found.steps[0].weights.tolist() == [0, 1, 1, 1]


def test_held_out_lists_choose():
    candidates = candidates_of(np.random.default_rng(4), sources=40)
    tuned_on, held_out = candidates.subset(np.arange(20)), candidates.subset(np.arange(20, 40))
    mert = Mert(restarts=6, directions=2)
    found = mert.tune(task_of(tuned_on, BLEU(), held_out=held_out), np.ones(4), 3)
    assert found.step.held_out == max(step.held_out for step in found.steps)
    assert found.step.held_out == held_out.objective(BLEU(), found.weights)
    assert found.step.score < max(step.score for step in found.steps)  # which is why one holds out


def test_a_start_at_zero():
    candidates = candidates_of(np.random.default_rng(5))
    found = QUICK.tune(task_of(candidates, BLEU()), np.zeros(4), 3)
    assert not is_collapsed(candidates, found.weights)
    assert found.step.score > found.steps[0].score
    assert found.warnings == ()


def test_weights_never_become_nothing():
    # The first hypothesis of each list is the best, and only weights of 0 choose it.
    lists = [(["a b", "c d", "e f"], np.array([[0.0], [1.0], [-1.0]]))] * 3
    candidates = Candidates.of(lists, ["a b"] * 3)
    metric = WER()
    assert candidates.objective(metric, np.zeros(1)) == 0
    space = Bounds(np.array([-1.0]), np.array([1.0]))
    for start in (1.0, 0.0):
        found = QUICK.tune(Task(candidates, metric, metric, space), np.array([start]), 1)
        assert found.weights[0] != 0
    assert found.warnings  # the climb from 0 stays there


def test_features_that_differ_nowhere_are_left_alone():
    random = np.random.default_rng(6)
    lists = []
    for _ in range(10):
        texts = [" ".join(random.choice([*"abcd"], 5)) for _ in range(6)]
        same = np.full((6, 1), random.normal())
        lists.append((texts, np.hstack([random.normal(size=(6, 2)), same, np.zeros((6, 1))])))
    candidates = Candidates.of(lists, ["a b c d a"] * 10)
    space = Bounds(np.full(4, -9.0), np.full(4, 9.0))
    found = QUICK.tune(task_of(candidates, BLEU(), space), np.array([1.0, 1.0, 0.7, 0.3]), 1)
    assert found.weights[2:].tolist() == [0.7, 0.3]
    with pytest.raises(InputError, match="no feature differs"):
        fixed = Bounds(np.array([1.0, 1, -9, -9]), np.array([1.0, 1, 9, 9]))
        QUICK.tune(task_of(candidates, BLEU(), fixed), np.ones(4), 1)


def sparse_candidates(random, sources, hypotheses, names, each=10):
    """Two dense features and many sparse ones; one in ten of the sparse ones marks good or bad hypotheses."""
    good = random.choice([-1.0, 1.0], names)
    begins, columns, values, lists, references = [0], [], [], [], []
    for _ in range(sources):
        reference = random.integers(0, 50, 12)
        references.append(" ".join(map(str, reference)))
        texts = []
        for _ in range(hypotheses):
            wrong = random.random(12) < random.random()
            texts.append(" ".join(map(str, np.where(wrong, random.integers(0, 50, 12), reference))))
            present = np.unique(random.integers(2, names, each))
            present = present[(good[present] > 0) == (random.random(len(present)) > wrong.mean())]
            columns += [0, 1, *present.tolist()]
            values += [*random.normal(size=2), *np.ones(len(present))]
            begins.append(len(columns))
        lists.append((texts, np.zeros((hypotheses, 1))))
    plain = Candidates.of(lists, references)
    features = Features(np.array(begins), np.array(columns, np.int32), np.array(values))
    sizes = np.full(sources, hypotheses)
    text_of = np.concatenate([plain.text_starts[i] + places(texts) for i, (texts, _) in enumerate(lists)])
    return Candidates(
        plain.references,
        np.concatenate([[0], np.cumsum(sizes)]),
        features,
        plain.texts,
        plain.text_starts,
        text_of.astype(np.int32),
        np.full(sources * hypotheses, np.nan),
    )


def places(texts):
    known = {}
    return np.array([known.setdefault(text, len(known)) for text in texts])


@pytest.mark.slow
def test_seven_thousand_features():
    names = 7000
    candidates = sparse_candidates(np.random.default_rng(7), 60, 20, names)
    task = Task(candidates, BLEU(), BLEU(), Bounds.none(names))
    start = np.zeros(names)
    start[:2] = 1
    found = Mert(restarts=1, directions=2).tune(task, start, 1)
    assert found.step.score == candidates.objective(BLEU(), found.weights)
    assert found.step.score > 2 * found.steps[0].score
    assert np.count_nonzero(found.weights) > 20


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"restarts": -1}, "restarts"),
        ({"restarts": 1.5}, "restarts"),
        ({"directions": -1}, "directions"),
        ({"gain": 0}, "gain"),
        ({"gain": math.nan}, "gain"),
        ({"gain": "much"}, "gain"),
    ],
)
def test_parameters_are_checked(given, wrong):
    with pytest.raises(SpecError, match=f"{wrong} must be"):
        Mert(**given)


def test_the_signature_says_all():
    assert Mert(restarts=3).signature() == {"restarts": 3, "directions": 10, "gain": 1e-6}


def test_what_is_not_a_metric_that_adds_is_refused_before_any_work():
    candidates = candidates_of(np.random.default_rng(0))
    for metric, message in (
        (tricolore.Length(), "neither higher nor lower is better"),
        (len, "with additive segment statistics"),
    ):
        with pytest.raises(SpecError, match=message):
            QUICK.tune(task_of(candidates, metric), np.ones(4), 1)
        with pytest.raises(SpecError, match=message):
            line_search(candidates, metric, np.ones(4), np.ones(4))
    assert not candidates._counted


def test_scores_that_are_no_numbers():
    lists = [(["a", "b"], np.array([[1e308, 1.0], [-1e308, 2.0]]))]
    with pytest.raises(InputError, match="so large"):
        line_search(Candidates.of(lists, ["a"]), TER(), np.array([10.0, 1.0]), np.array([0.0, 1.0]))


def test_the_spread_of_features_is_their_variance_within_sources():
    random = np.random.default_rng(8)
    dense = random.normal(size=(40, 6)) * (random.random((40, 6)) < 0.6) + 1e6 * (np.arange(6) == 3)
    dense[:, 4] = np.repeat(random.normal(size=10), 4)
    lists = [([*"abcd"], dense[i : i + 4]) for i in range(0, 40, 4)]
    found = feature_spread(Candidates.of(lists, ["a"] * 10), 6)
    assert found == pytest.approx(dense.reshape(10, 4, 6).var(axis=1).mean(axis=0), rel=1e-9)
    assert found[4] == 0


# Moses ----------------------------------------------------------------------------------------------------------

METRIC = BLEU(tokenize="none", smooth="none")
#: What the totals of the first list say that Moses began with: d (7), lm, w, tm (5), divided by 3.8.
MOSES_START = np.array([0.4, *[0.15] * 6, 0.5, -1, *[0.2] * 5]) / 3.8


@pytest.fixture(scope="module")
def moses(shared):
    """The union of runs 1 to k for every k, Moses' weights after each, and its scores."""
    folder = shared / "data" / "copyleft" / "moses-mert-it-en"
    streams = [(folder / f"ref{i}.txt").read_text(encoding="utf-8").splitlines() for i in range(3)]
    references = References.unchecked([list(segment) for segment in zip(*streams, strict=True)])
    reader, unions = CandidateReader(), []
    for k in range(1, 8):
        run = reader.read([str(folder / f"run{k}.nbest.txt.gz")], references)
        unions.append(run if not unions else unions[-1].merged(run))
    said = {}
    for line in (folder / "expected_mert.txt").read_text(encoding="utf-8").splitlines():
        name, _, numbers = line.partition(":")
        said[name] = np.array(numbers.split(), float)
    return unions, [said[f"weights_{k}"] for k in range(1, 8)], [float(said[f"best_{k}"][0]) for k in range(1, 8)]


def test_moses_start_is_what_its_totals_say(moses, shared):
    candidates = moses[0][0]
    # A constant a source stands for the penalty of unknown words, which is not among the features.
    source = np.repeat(np.arange(candidates.sources), np.diff(candidates.starts))
    design = np.hstack([candidates.features.toarray(14), np.eye(candidates.sources)[source]])
    found = np.linalg.lstsq(design, candidates.totals, rcond=None)[0][:14]
    assert found == pytest.approx(MOSES_START, abs=2e-4)


def test_moses_weights_give_moses_scores(moses):
    for candidates, weights, expected in zip(*moses, strict=True):
        assert candidates.objective(METRIC, weights) == pytest.approx(expected, abs=5e-7)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, 8))
def test_as_good_as_moses_in_every_round(moses, number):
    """With nothing but defaults, from where Moses began the round: its own start, then what it had found before."""
    unions, weights, scores = moses
    start = MOSES_START if number == 1 else weights[number - 2]
    task = Task(unions[number - 1], METRIC, METRIC, Bounds.none(14))
    found = Mert().tune(task, start, 12345)
    assert found.step.score >= scores[number - 1] - 5e-7
