"""What can be asked of a lattice, against all of its paths, one by one."""

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
import real_lattices
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy.special import logsumexp, softmax
from test_grr import levenshtein, numerator_by_automaton

from tricolore import GRR
from tricolore.errors import InputError, SpecError
from tricolore.features import Features, Group, Layout
from tricolore.graphs import Lattice, NgramGain, NgramTable

# Lattices ----------------------------------------------------------------------------------------------------

#: Sums of these are exact, and often equal.
coarse = st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.0, 0.5])
fine = st.floats(-20, 20)


@st.composite
def lattices(draw, scores=coarse, words=("a", "b", None), most_arcs=9):
    """A few states; arcs from lower to higher ones, many alike; any states final."""
    states = draw(st.integers(1, 5))
    arc = st.tuples(st.integers(0, states - 1), st.integers(1, states), st.sampled_from(words), scores).filter(
        lambda arc: arc[0] < arc[1]
    )
    arcs = draw(st.lists(arc, max_size=most_arcs))
    finals = draw(st.dictionaries(st.integers(0, states), scores, min_size=1))
    try:
        return Lattice.of(draw(st.permutations(arcs)), 0, finals)
    except InputError:
        assume(False)


def enumerated(lattice, state=0, arcs=()):
    """Every path as its arcs: to end comes first, then the arcs in their order."""
    if lattice.finals[state] > -np.inf:
        yield arcs
    for arc in range(len(lattice)):
        if lattice.sources[arc] == state:
            yield from enumerated(lattice, lattice.targets[arc], (*arcs, arc))


def words_of(lattice, arcs):
    return tuple(lattice.words[lattice.labels[arc]] for arc in arcs if lattice.labels[arc] >= 0)


def score_of(lattice, arcs):
    score = float(lattice.finals[lattice.targets[arcs[-1]] if arcs else 0])
    for arc in reversed(arcs):
        score = float(lattice.scores[arc]) + score
    return score


def as_tuples(paths):
    return [(path.words, path.score, tuple(path.arcs.tolist())) for path in paths]


def ngrams_of(words, order):
    return Counter(tuple(words[i : i + n]) for n in range(1, order + 1) for i in range(len(words) - n + 1))


def chances(lattice, scale=1.0):
    """The words of every path, and its probability."""
    paths = lattice.paths()
    return [path.words for path in paths], softmax([scale * path.score for path in paths])


chain = Lattice.of([(i, i + 1, word) for i in range(200) for word in ("a", "b", None)], 0, [200])

# Paths -------------------------------------------------------------------------------------------------------


@given(lattices())
def test_all_paths(lattice):
    expected = [(words_of(lattice, arcs), score_of(lattice, arcs), arcs) for arcs in enumerated(lattice)]
    assert as_tuples(lattice.paths()) == expected
    assert lattice.count() == len(expected)


def test_more_paths_than_can_be_listed():
    assert chain.count() == 3**200
    with pytest.raises(InputError, match="the lattice: there are more than 10000 paths"):
        chain.paths()
    assert Lattice.of([], 0, [0]).paths() == Lattice.of([], 0, [0]).kbest(5)
    assert Lattice.of([], 0, {0: -2.0}).best().score == -2.0


@given(st.one_of(lattices(), lattices(fine)))
def test_the_best_path(lattice):
    paths = as_tuples(lattice.paths())
    best = as_tuples([lattice.best()])[0]
    assert best[1] == max(score for _, score, _ in paths)
    assert best in paths


@given(lattices())
def test_of_best_paths_the_first(lattice):
    paths = as_tuples(lattice.paths())  # in the order of arcs
    assert as_tuples([lattice.best()])[0] == max(paths, key=lambda path: path[1])


@given(lattices(), st.integers(0, 12), st.booleans())
def test_the_best_few(lattice, k, distinct):
    paths = sorted(as_tuples(lattice.paths()), key=lambda path: -path[1])  # stable
    if distinct:
        by_words = {}
        for path in paths:
            by_words.setdefault(path[0], path)
        paths = [*by_words.values()]
    found = as_tuples(lattice.kbest(k, distinct=distinct))
    assert [score for _, score, _ in found] == [score for _, score, _ in paths[:k]]
    assert set(found) <= set(paths)  # each text by the first of its best paths
    assert len(set(found)) == len(found)
    assert found[:1] == ([] if k == 0 else as_tuples([lattice.best()]))


@given(lattices(fine), st.integers(1, 12), st.booleans())
def test_the_best_few_by_scores_that_are_rounded(lattice, k, distinct):
    paths = lattice.paths()
    best = defaultdict(lambda: -np.inf)
    for number, path in enumerate(paths):
        key = path.words if distinct else number
        best[key] = max(best[key], path.score)
    found = lattice.kbest(k, distinct=distinct)
    assert found[0] == lattice.best()
    np.testing.assert_allclose([path.score for path in found], sorted(best.values())[::-1][:k], rtol=0, atol=1e-13)
    assert sorted(found, key=lambda path: -path.score) == found
    assert len({path.words if distinct else tuple(path.arcs) for path in found}) == len(found)


def test_many_paths_with_the_same_text_cost_nothing():
    arcs = [(i, i + 1, word) for i in range(300) for word in ("a", "a", "a", None, None)]
    lattice = Lattice.of([*arcs, (0, 1, "b", -1.0)], 0, [300])
    found = lattice.kbest(5)
    assert len({path.words for path in found}) == 5
    assert all(path.score == 0.0 for path in found)
    assert lattice.kbest(1)[0] == lattice.best()
    assert len(chain.kbest(1000)) == 1000


def test_long_confusion_networks():
    """Any word may follow any other before it; what is too far behind is not kept."""
    rng = np.random.default_rng(1)
    arcs = [
        (i, i + 1, word, score)
        for i in range(1000)
        for word, score in zip((f"w{i % 7}", f"w{i % 11}", None), np.log(rng.dirichlet([1, 1, 1])), strict=True)
    ]
    found = Lattice.of(arcs, 0, [1000]).kbest(500, limit=2**20)
    assert len({path.words for path in found}) == 500


def test_a_search_that_would_keep_too_much():
    with pytest.raises(InputError, match="the lattice: the 100 best: more than 200 beginnings"):
        chain.kbest(100, limit=200)
    with pytest.raises(SpecError, match="k must be a whole number from 0 to 100,000,000; got -1"):
        chain.kbest(-1)


# Sums --------------------------------------------------------------------------------------------------------

scales = st.sampled_from([0.0, 0.5, 1.0, -2.0])


@given(lattices(fine), scales)
def test_sums_over_all_paths(lattice, scale):
    paths = lattice.paths()
    scores = np.array([scale * path.score for path in paths])
    assert math.isclose(lattice.total(scale), logsumexp(scores), rel_tol=1e-12, abs_tol=1e-11)
    expected = np.zeros(len(lattice))
    for path, chance in zip(paths, softmax(scores), strict=True):
        expected[path.arcs] += chance
    np.testing.assert_allclose(lattice.posteriors(scale), expected, rtol=1e-10, atol=1e-300)


def test_scores_far_from_nought():
    for far in (-1e4, 1e4):
        lattice = Lattice.of([(0, 1, "a", far), (0, 1, "b", far + 1), (1, 2, "c", far)], 0, [2])
        assert math.isclose(lattice.total(), 2 * far + math.log1p(math.e), rel_tol=1e-15)
        np.testing.assert_allclose(lattice.posteriors(), [1 / (1 + math.e), math.e / (1 + math.e), 1.0], rtol=1e-12)
    with pytest.raises(SpecError, match="scale must be a number; got inf"):
        lattice.total(math.inf)
    with pytest.raises(SpecError, match="scale must be a number; got nan"):
        lattice.sample(1, seed=1, scale=math.nan)
    with pytest.raises(InputError, match="score of arc 0 is -1e\\+301"):
        Lattice.of([(0, 1, "a", -1e301)], 0, [1])
    for score in (np.nan, np.inf, -np.inf):
        with pytest.raises(InputError, match="score of arc 1"):
            lattice.with_scores(np.array([0.0, score, 0.0]))
    with pytest.raises(InputError, match="2 scores for 3 arcs"):
        lattice.with_scores(np.zeros(2))


@given(lattices(fine), scales, st.integers(0, 2**32))
def test_a_sample_is_made_of_documented_numbers(lattice, scale, seed):
    """One random number a state, against the chances there."""
    chance = dict(zip((path.arcs.tobytes() for path in lattice.paths()), chances(lattice, scale)[1], strict=True))
    longest = max(len(path.arcs) for path in lattice.paths())
    rows = np.random.default_rng(seed).random((20, longest + 1))
    for path, row in zip(lattice.sample(20, seed=seed, scale=scale), rows, strict=True):
        before = np.zeros(0, np.int32)
        for number in row[: len(path.arcs) + 1]:
            ways = {None: chance.get(before.tobytes(), 0.0)}
            for arcs, value in chance.items():
                if arcs.startswith(before.tobytes()) and len(arcs) > before.nbytes:
                    arc = np.frombuffer(arcs, np.int32)[len(before)]
                    ways[arc] = ways.get(arc, 0.0) + value
            taken = path.arcs[len(before)] if len(before) < len(path.arcs) else None
            names = [None, *sorted(way for way in ways if way is not None)]
            upto = np.cumsum([ways[way] for way in names]) / sum(ways.values())
            at = names.index(taken)
            assert (upto[at - 1] if at else 0.0) - 1e-9 <= number <= upto[at] + 1e-9
            before = path.arcs[: len(before) + 1]


def test_a_sample_has_the_frequencies_of_its_paths():
    lattice = Lattice.of(
        [(0, 1, "a", -0.5), (0, 1, "b"), (1, 2, "c", 0.7), (0, 2, None, 0.3), (2, 3, "a")], 0, {3: 0.1, 1: 0.2}
    )
    number = 20_000
    seen = Counter(path.arcs.tobytes() for path in lattice.sample(number, seed=7, scale=1.5))
    for path, chance in zip(lattice.paths(), chances(lattice, 1.5)[1], strict=True):
        assert abs(seen[path.arcs.tobytes()] / number - chance) < 5 * math.sqrt(chance / number)
    assert lattice.sample(5, seed=7) == lattice.sample(9, seed=7)[:5]
    assert lattice.sample(0, seed=7) == []


def test_numbers_that_cannot_be():
    for ask, message in (
        (lambda: chain.sample(-1, seed=7), "number must be a whole number from 0 to 10,000,000; got -1"),
        (lambda: chain.sample(10**12, seed=7), "number must be a whole number from 0 to 10,000,000"),
        (lambda: chain.sample(2, seed=-1), "seed must be a whole number, 0 or more; got -1"),
        (lambda: chain.sample(2, seed=1, scale=math.nan), "scale must be a number; got nan"),
        (lambda: chain.kbest(10**30), "k must be a whole number from 0"),
        (lambda: chain.kbest(2, limit=-1), "limit must be a whole number"),
        (lambda: chain.ngram_posteriors(2, limit=-1), "limit must be a whole number"),
        (lambda: chain.rescored(NgramGain(NgramTable.of({})), limit=-1), "limit must be a whole number"),
        (lambda: chain.paths(-1), "limit must be a whole number"),
    ):
        with pytest.raises(SpecError, match=message):
            ask()
    with pytest.raises(InputError, match=r"scores times a scale of 1e\+308 are too large"):
        Lattice.of([(0, 1, "a", -5.0)], 0, [1]).total(1e308)


def test_paths_that_would_fill_all_memory(monkeypatch):
    few = Lattice.of([*((i, i + 1, "a") for i in range(300)), (300, 301, "b"), (300, 301, "c")], 0, [301])
    monkeypatch.setattr("tricolore.graphs.lattice.MOST_WRITTEN", 500)
    for ask in (
        few.paths,
        lambda: few.kbest(9),
        lambda: few.kbest(9, distinct=False),
        lambda: few.sample(9, seed=1),
    ):
        with pytest.raises(InputError, match=r"the lattice: .*paths of more than 500 arcs in all would have to be"):
            ask()
    monkeypatch.setattr("tricolore.graphs.lattice.MOST_WRITTEN", 200)
    assert (
        len(few.kbest(1)[0].words) == len(few.sample(1, seed=1)[0].words) == 301
    )  # one alone is no more than the lattice


def test_a_long_path_takes_no_more_than_linear_time():
    size = 100_000
    [path] = Lattice.of([(i, i + 1, "a") for i in range(size)], 0, [size]).paths()
    assert len(path.words) == size


def test_a_sample_drawn_in_several_goes(monkeypatch):
    lattice = Lattice.of([(i, i + 1, word) for i in range(9) for word in "ab"], 0, [9])
    whole = lattice.sample(50, seed=3)
    monkeypatch.setattr("tricolore.graphs.lattice.DRAWS_AT_ONCE", 70)
    assert lattice.sample(50, seed=3) == whole


# N-grams -----------------------------------------------------------------------------------------------------

repeated = lattices(st.floats(-3, 3), words=("a", "a", "b", None), most_arcs=10)


@given(st.one_of(repeated, lattices(fine)), st.integers(1, 5), scales)
def test_expected_ngrams(lattice, order, scale):
    expected = defaultdict(float)
    for words, chance in zip(*chances(lattice, scale), strict=True):
        for ngram, count in ngrams_of(words, order).items():
            expected[ngram] += count * chance
    assert_tables_equal(lattice.expected_ngrams(order, scale), expected)


@given(st.one_of(repeated, lattices(fine)), st.integers(1, 5), scales)
@example(Lattice.of([(i, i + 1, word) for i in range(7) for word in ("a", "b")], 0, [7]), 5, 1.0)
@example(Lattice.of([(i, i + 1, word) for i in range(6) for word in ("a", "b", None)], 0, [3, 6]), 4, 1.0)
def test_ngram_posteriors(lattice, order, scale):
    expected = defaultdict(float)
    for words, chance in zip(*chances(lattice, scale), strict=True):
        for ngram in ngrams_of(words, order):
            expected[ngram] += chance
    assert_tables_equal(lattice.ngram_posteriors(order, scale), expected)


def assert_tables_equal(table, expected):
    assert table.keys() == expected.keys()
    keys = [*expected]
    np.testing.assert_allclose([table[key] for key in keys], [expected[key] for key in keys], rtol=1e-9, atol=1e-300)


def random_lattice(states, arcs, words, seed):
    """A lattice with far too many paths to list; one arc in ten has no word. Long ones may end early, too."""
    rng = np.random.default_rng(seed)
    sources = np.concatenate([np.arange(states - 1), rng.integers(0, states - 1, arcs - states + 1)]).astype(np.int32)
    targets = np.minimum(sources + rng.integers(1, 4, arcs), states - 1).astype(np.int32)
    labels = np.where(rng.random(arcs) < 0.1, -1, rng.integers(0, words, arcs)).astype(np.int32)
    finals = np.full(states, -np.inf)
    finals[50::50] = -3.0
    finals[-2:] = 0.25, 0.0
    names = tuple(f"w{i}" for i in range(words))
    return Lattice.build(names, sources, targets, labels, rng.normal(size=arcs), finals)


def contained(lattice, ngram):
    """The probability of paths that have an n-gram: what was read last, and whether it has come yet."""
    posteriors = lattice.posteriors()
    ways = [defaultdict(float) for _ in range(lattice.states)]
    ways[0][(), False] = 1.0
    ends = 0.0
    for state, here in enumerate(ways):
        visits = sum(here.values())
        arcs = range(*lattice.starts[state : state + 2])
        ends += (1 - sum(posteriors[arc] for arc in arcs) / visits) * sum(p for (_, seen), p in here.items() if seen)
        for arc in arcs:
            for (read, seen), chance in here.items():
                word = lattice.labels[arc]
                now = (*read, lattice.words[word])[-len(ngram) :] if word >= 0 else read
                ways[lattice.targets[arc]][now, seen or now == ngram] += chance * posteriors[arc] / visits
    return ends


@pytest.mark.parametrize(("arcs", "words"), [(60, 3), (120, 12), (200, 40), (200, 150), (900, 200)])
def test_ngram_posteriors_of_larger_lattices(arcs, words):
    lattice = random_lattice(arcs // 3, arcs, words, seed=arcs + words)
    table = lattice.ngram_posteriors(3)
    expected = lattice.expected_ngrams(3)
    assert table.keys() == expected.keys()
    likely = [ngram for ngram in table if expected[ngram] > 1.0001 * table[ngram]]  # those that come twice
    some = [*likely[:: 1 + len(likely) // 60], *[*table][:: 1 + len(table) // 30]]
    np.testing.assert_allclose([table[ngram] for ngram in some], [contained(lattice, ngram) for ngram in some], 1e-9)


def test_ngrams_of_a_long_text():
    """One word comes again, early on: not worth a pass over all that follows."""
    words = [*"abcdefabcxd", *(f"w{i}" for i in range(60))]
    table = Lattice.of([(i, i + 1, word) for i, word in enumerate(words)], 0, [len(words)]).ngram_posteriors(3)
    assert set(table) == set(ngrams_of(words, 3))
    assert set(table.values()) == {1.0}


def test_ngrams_that_would_be_too_many():
    for verb in (chain.expected_ngrams, chain.ngram_posteriors):
        with pytest.raises(InputError, match="the lattice: n-grams of up to 6 words would take more than 100000 steps"):
            verb(6, limit=100_000)
        with pytest.raises(SpecError, match="order must be a whole number from 1 to 100; got 0"):
            verb(0)
    # Every state can be reached by a word, and has a long way to the next.
    size = 10_000
    arcs = [*(("start", i, "a") for i in range(size)), *((i, i + 1, None) for i in range(size)), (size, "end", "b")]
    with pytest.raises(InputError, match="n-grams of up to 2 words would take more than"):
        Lattice.of(arcs, "start", ["end"]).ngram_posteriors(2)
    # Many words, each of which comes again after all others, in one of two texts.
    there = np.arange(800_000, dtype=np.int32)
    states = np.arange(2 * len(there) + 2, dtype=np.int32)
    sources, targets = np.append(states[:-2], 0), np.append(states[1:-1], states[-1])
    labels = np.concatenate([there, there[::-1], there[:1]])
    finals = np.where(states >= states[-2], 0.0, -np.inf)
    words = tuple(map(str, there.tolist()))
    long = Lattice.build(words, sources, targets, labels, np.zeros(len(labels)), finals)
    with pytest.raises(InputError, match="n-grams of up to 1 words would take too long"):
        long.ngram_posteriors(1)


ngrams = st.lists(st.sampled_from("abz"), min_size=1, max_size=4).map(tuple)


@given(
    lattices(words=("a", "b", "a", None)),
    st.dictionaries(ngrams, st.sampled_from([-1.0, 0.25, 0.5, 2.0]), max_size=6),
    st.sampled_from([-0.5, 0.0, 1.0]),
    st.sampled_from([0.0, 0.5, -1.0]),
)
def test_rescored(lattice, values, word, model):
    gain = NgramGain(NgramTable.of(values), word)
    rescored = lattice.rescored(gain, model=model)
    expected = Counter((path.words, gain(path.words) + model * path.score) for path in lattice.paths())
    assert Counter((path.words, path.score) for path in rescored.paths()) == expected
    # As few states as there are ends of words read that begin an n-gram and may go on.
    begun = {ngram[:k] for ngram in values for k in range(len(ngram)) if set(ngram) <= set(lattice.words)}
    histories = set()
    for arcs in enumerated(lattice):
        for k in range(len(arcs) + 1):
            words = words_of(lattice, arcs[:k])
            longest = next((words[i:] for i in range(len(words)) if words[i:] in begun), ())
            histories.add((int(lattice.targets[arcs[k - 1]]) if k else 0, longest))
    assert rescored.states == len(histories)


def test_rescored_by_its_own_table():
    lattice = Lattice.of([(i, i + 1, word, i / 10) for i in range(5) for word in ("a", "b", None)], 0, [5])
    table = lattice.expected_ngrams(3)
    gain = NgramGain(table, 0.25)
    best = lattice.rescored(gain).best()
    assert math.isclose(best.score, max(gain(path.words) for path in lattice.paths()))
    assert lattice.rescored(NgramGain(NgramTable.of({}))).best().score == 0.0


def test_rescored_keeps_features():
    lattice = Lattice.build(
        ("a", "b"),
        np.array([0, 0, 1, 1], np.int32),
        np.array([1, 1, 2, 2], np.int32),
        np.array([0, 1, 0, 1], np.int32),
        np.zeros(4),
        np.array([-np.inf, -np.inf, 0.0]),
        features=Features.of(np.arange(8.0).reshape(4, 2)),
        layout=Layout((Group("f", 0, 2),)),
    )
    rescored = lattice.rescored(NgramGain(NgramTable.of({("b", "a"): 1.0})))
    assert rescored.best().text == "b a"
    sums = rescored.features.dot(np.array([1.0, 10.0]))[rescored.best().arcs]
    assert sums.tolist() == [2.0 + 30.0, 4.0 + 50.0]


def test_rescoring_that_is_refused():
    table = chain.expected_ngrams(3)
    with pytest.raises(InputError, match="the lattice: 14 n-grams would split it into more than 1000 arcs"):
        chain.rescored(NgramGain(table), limit=1000)
    with pytest.raises(SpecError, match="not finite"):
        chain.rescored(NgramGain(NgramTable.of({("a",): math.nan})))
    with pytest.raises(InputError, match="the score of arc 0 is nan"):
        chain.rescored(NgramGain(table), model=math.nan)


# Oracles -----------------------------------------------------------------------------------------------------


def recognised(lattice, reference, order=4, alpha=1.0, beta=0.0, tokens=None):
    """The oracle, every word of the lattice read as tokens."""
    read = [tokens[word] if tokens else (word,) for word in lattice.words]
    numbers = {}
    ids = [numbers.setdefault(token, len(numbers)) for word in read for token in word]
    starts = np.cumsum([0, *map(len, read)])
    of_reference = [numbers.setdefault(token, len(numbers)) for token in reference]
    return lattice.best_recognised(
        starts.astype(np.int64), np.array(ids, np.int32), np.array(of_reference, np.int32), order, alpha, beta
    )


costs = st.sampled_from([-0.9, 0.0, 0.25, 1.0, 2.5])


@given(
    lattices(words=("a", "b", "c", None)),
    st.lists(st.sampled_from("abz"), max_size=6),
    st.sampled_from([1, 2, 4, 6]),
    st.sampled_from([-0.5, 0.0, 0.25, 1.0]),
    st.sampled_from([-0.5, 0.0, 0.25, 1.0]),
    st.sampled_from([None, {"a": ("a",), "b": ("b", "a"), "c": ()}, {"a": ("z", "a", "a"), "b": (), "c": ("b",)}]),
)
def test_the_oracle(lattice, reference, order, alpha, beta, tokens):
    """The best numerator, then the best score, then the first in the order of arcs."""
    worth = {}
    for path in lattice.paths():
        text = tuple(token for word in path.words for token in (tokens[word] if tokens else (word,)))
        numerator = numerator_by_automaton(text, tuple(reference), order, alpha, beta)
        worth.setdefault((numerator, path.score), path)
    best = max(worth)
    assert recognised(lattice, reference, order, alpha, beta, tokens) == (best[0], worth[best])


@given(lattices(fine), st.lists(st.sampled_from("abz"), max_size=6), st.sampled_from([1, 4]), costs, costs)
def test_the_oracle_is_worth_what_the_metric_says(lattice, reference, order, alpha, beta):
    """To the last digit: sums are made in the same order."""
    worth, path = recognised(lattice, reference, order, alpha, beta)
    metric = GRR(order=order, alpha=alpha, beta=beta, tokenize="none")
    hyps = [path.text, *(one.text for one in lattice.paths())]
    numerators = metric.stats(hyps, [" ".join(reference)] * len(hyps))["numerator"]
    assert worth == numerators[0] == numerators.max()


def test_oracles_that_are_refused(monkeypatch):
    with pytest.raises(SpecError, match="alpha must be a number; got nan"):
        recognised(chain, ["a"], alpha=math.nan)
    with pytest.raises(SpecError, match="order must be a whole number, 1 or more; got 0"):
        recognised(chain, ["a"], order=0)
    monkeypatch.setattr("tricolore.graphs.lattice.MOST_CELLS", 1000)
    with pytest.raises(InputError, match="the lattice: 201 states and a reference of 3 words would need 6432 numbers"):
        recognised(chain, ["a", "b", "c"])


# Real lattices -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def speech_lattices(shared):
    return real_lattices.speech_lattices(shared)


def errors(path, reference):
    return levenshtein(path.words, reference.split())


def test_speech_lattices(speech_lattices, lines):
    """Counts as in the data's README: 5 lattices are empty."""
    first = lines("lattices/fisher-test-es/asr_1best.txt")
    pairs = [(lattice, text) for lattice, text in zip(speech_lattices, first, strict=True) if lattice]
    assert len(pairs) == 1495
    assert sum(lattice.best().text == text for lattice, text in pairs) == 1482
    is_path = 0
    for lattice, text in pairs:
        worth, path = recognised(lattice, text.split(), order=1)
        assert worth == len(text.split()) - errors(path, text)
        is_path += path.text == text
        assert (errors(path, text) == 0) == (path.text == text)
    assert is_path == 1489


def test_oracles_of_speech_lattices(speech_lattices, lines):
    first = lines("lattices/fisher-test-es/asr_1best.txt")
    are_paths = 0
    grr = GRR(tokenize="none")
    for lattice, reference, text in zip(
        speech_lattices, lines("lattices/fisher-test-es/lattice_oracle.txt"), first, strict=True
    ):
        if not lattice:
            continue
        worth, path = recognised(lattice, reference.split(), order=1)
        assert worth == len(reference.split()) - errors(path, reference)
        is_path = recognised(lattice, text.split(), order=1)[1].text == text
        best = lattice.best()
        assert errors(path, reference) <= errors(best, reference)
        assert not is_path or errors(path, reference) <= levenshtein(text.split(), reference.split())
        are_paths += path.text == reference
        worth, path = recognised(lattice, reference.split())
        assert worth == grr.stats([path.text], [reference])["numerator"][0]
        assert worth >= grr.stats([best.text], [reference])["numerator"][0]
    assert are_paths == 588


def test_oracles_of_word_graphs(shared, lines):
    """Every text of the 100-best lists is a path of its graph; the oracle is never worse than the best of them."""
    nbest_texts = real_lattices.nbest_texts(shared)
    references = [lines(f"nbest/thot-fisher-test-es-en/ref{k}.txt") for k in range(4)]
    for number, graph in enumerate(real_lattices.word_graphs(shared)):
        read = {word: tuple(word.split()) for word in graph.words}
        texts = nbest_texts[number]
        for text in texts:
            assert recognised(graph, text.split(), order=1, tokens=read)[1].text == text
        for order in (1, 4):
            grr = GRR(order=order, tokenize="none")
            for of in references:
                worth, path = recognised(graph, of[number].split(), order, tokens=read)
                assert worth == grr.stats([path.text], [of[number]])["numerator"][0]
                assert worth >= grr.stats(texts, [of[number]] * len(texts))["numerator"].max()


def test_arrays_that_are_no_lattice_are_refused():
    good = chain.sources, chain.targets, chain.labels, chain.scores, chain.finals
    for which, broken in (
        (0, chain.sources[::-1].copy()),
        (1, chain.sources),
        (1, chain.targets + np.int32(1)),
        (2, chain.labels - np.int32(1)),
        (3, chain.scores[1:]),
        (3, chain.scores * np.nan),
        (4, chain.finals * -1),
    ):
        arrays = [*good]
        arrays[which] = broken
        with pytest.raises(ValueError, match="arrays of other shapes"):
            Lattice(chain.words, *arrays).best()
