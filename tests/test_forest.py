"""Verbs of forests, each compared with a plain enumeration of all derivations."""

import gzip
import itertools
import json
import math
import re
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tricolore import GRR
from tricolore.errors import InputError, SpecError
from tricolore.features import Features, Group, Layout
from tricolore.graphs import Forest, Lattice, NgramGain, NgramTable, Node
from tricolore.weights import Weights

WORDS = "abc"


def derivations(forest):
    """All derivations of the root, as (edges, words, score), by recursion."""
    rights = [forest.items[a:b].tolist() for a, b in itertools.pairwise(forest.starts)]

    def of_node(node):
        for edge in range(forest.edge_starts[node], forest.edge_starts[node + 1]):
            yield from of_edge(edge)

    def of_edge(edge):
        parts = [of_node(~item) if item < 0 else [((), (forest.words[item],), None)] for item in rights[edge]]
        for choice in itertools.product(*map(list, parts)):
            score = float(forest.scores[edge])
            for _, _, below in choice:
                score = score if below is None else score + below
            yield (edge, *(e for edges, _, _ in choice for e in edges)), sum((w for _, w, _ in choice), ()), score

    return list(of_node(forest.nodes - 1))


def as_tuples(paths):
    return [(tuple(path.arcs.tolist()), path.words, path.score) for path in paths]


def probabilities(found, scale=1.0):
    """Derivations' probabilities."""
    scores = np.array([scale * score for _, _, score in found])
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()


DYADIC = st.integers(-8, 8).map(lambda n: n / 4)  # sums are exact, and often tied
ROUGH = st.floats(-3, 3, allow_nan=False)


@st.composite
def forests(draw, scores=DYADIC, most=300):
    """Small forests: words and nodes mixed, empty right-hand sides, the same edge twice, several nodes in an edge."""
    nodes = draw(st.integers(1, 5))
    edges = []
    for head in range(nodes):
        words = st.sampled_from(WORDS)
        item = st.one_of(words, words, st.integers(max(0, head - 3), head - 1).map(Node)) if head else words
        for _ in range(draw(st.integers(1, 3))):
            edges.append((head, draw(st.lists(item, max_size=4)), draw(scores)))
    forest = Forest.of(edges, nodes - 1)
    assume(forest.count() <= most)
    return forest


@st.composite
def lattices(draw, scores=DYADIC):
    """Small lattices: arcs without words, several ends, the same arc twice, the empty text."""
    states = draw(st.integers(1, 5))
    pairs = st.tuples(st.integers(0, states - 1), st.integers(0, states - 1)).filter(lambda pair: pair[0] < pair[1])
    labels = st.sampled_from([*WORDS, None])
    arcs = draw(st.lists(st.tuples(pairs, labels, scores), max_size=8)) if states > 1 else []
    ends = {state: draw(scores) for state in draw(st.sets(st.integers(0, states - 1), min_size=1))}
    try:
        return Lattice.of([(*pair, label, score) for pair, label, score in arcs], 0, ends)
    except InputError:  # nothing leads to an end
        assume(False)


def lattice_paths(lattice):
    """All paths, as (words, score), by recursion."""

    def of_state(state):
        if lattice.finals[state] > -np.inf:
            yield (), float(lattice.finals[state])
        for arc in np.flatnonzero(lattice.sources == state):
            own = () if lattice.labels[arc] < 0 else (lattice.words[lattice.labels[arc]],)
            for words, score in of_state(lattice.targets[arc]):
                yield own + words, float(lattice.scores[arc]) + score

    return list(of_state(0))


@given(forests())
def test_all_derivations_and_their_number(forest):
    found = derivations(forest)
    assert as_tuples(forest.paths()) == found
    assert forest.count() == len(found)


@given(forests())
def test_the_best_derivation(forest):
    best = forest.best()
    found = derivations(forest)
    assert best.score == max(score for _, _, score in found)
    # Of equally good edges the first, at every node from the top.
    assert tuple(best.arcs) == min(edges for edges, _, score in found if score == best.score)
    assert forest.kbest(1) == forest.kbest(1, distinct=False) == [best]


@given(forests(scores=st.one_of(DYADIC, ROUGH)), st.integers(1, 400))
def test_the_best_derivations(forest, k):
    found = derivations(forest)
    paths = forest.kbest(k, distinct=False)
    assert len({tuple(path.arcs) for path in paths}) == len(paths) == min(k, len(found))
    assert {*as_tuples(paths)} <= {*found}
    assert [path.score for path in paths] == sorted((score for _, _, score in found), reverse=True)[:k]


@given(forests(scores=st.one_of(DYADIC, ROUGH)), st.integers(1, 400))
def test_the_best_texts(forest, k):
    found = derivations(forest)
    best = defaultdict(lambda: -math.inf)
    for _, words, score in found:
        best[words] = max(best[words], score)
    paths = forest.kbest(k)
    assert len({path.words for path in paths}) == len(paths) == min(k, len(best))
    assert {*as_tuples(paths)} <= {*found}
    assert [path.score for path in paths] == sorted(best.values(), reverse=True)[:k]
    assert all(path.score == best[path.words] for path in paths)


@given(forests(), st.sampled_from([0.0, 0.5, 1.0, -2.0]))
def test_sums_over_all_derivations(forest, scale):
    found = derivations(forest)
    scores = [scale * score for _, _, score in found]
    assert forest.total(scale) == pytest.approx(max(scores) + math.log(sum(math.exp(s - max(scores)) for s in scores)))
    expected = np.zeros(len(forest))
    for (edges, _, _), probability in zip(found, probabilities(found, scale), strict=True):
        np.add.at(expected, list(edges), probability)
    assert forest.posteriors(scale) == pytest.approx(expected)


def test_large_scores_do_not_overflow():
    forest = Forest.of([("S", [Node("A"), Node("A")], 1e4), ("A", ["a"], 1e4), ("A", ["b"], 1e4 - 1)], "S")
    assert forest.total() == pytest.approx(3e4 + 2 * math.log1p(math.exp(-1)), rel=1e-15)
    assert forest.total(-1.0) == pytest.approx(-3e4 + 2 * math.log1p(math.exp(1)), rel=1e-15)
    assert forest.posteriors().sum() == pytest.approx(3.0)


@given(forests(), st.integers(0, 5), st.sampled_from([0.0, 1.0, -0.5]))
def test_samples_are_drawn_from_the_top(forest, seed, scale):
    """The same draws by recursion, with NumPy's generator."""
    rng = np.random.default_rng(seed)
    below = [[] for _ in range(forest.nodes)]  # scores of all derivations of a node
    rights = [forest.items[a:b].tolist() for a, b in itertools.pairwise(forest.starts)]
    chances = []
    for edge, right in enumerate(rights):
        parts = [below[~item] for item in right if item < 0]
        scores = [scale * float(forest.scores[edge]) + sum(choice) for choice in itertools.product(*parts)]
        below[forest.heads[edge]] += scores
        chances.append(sum(map(math.exp, scores)))

    def of_node(node):
        begin, end = forest.edge_starts[node : node + 2]
        summed = np.cumsum(chances[begin:end])
        edge = begin + (np.searchsorted(summed, rng.random() * summed[-1], side="right") if end - begin > 1 else 0)
        return [int(edge), *(e for item in rights[edge] if item < 0 for e in of_node(~item))]

    paths = forest.sample(20, seed=seed, scale=scale)
    assert [path.arcs.tolist() for path in paths] == [of_node(forest.nodes - 1) for _ in range(20)]
    assert {*as_tuples(paths)} <= {*derivations(forest)}


def test_samples_are_as_frequent_as_probable():
    edges = [("S", [Node("A"), Node("A")]), ("S", ["a"], 1.0), ("A", ["a"], 0.5), ("A", ["b"]), ("A", ["c"], -800.0)]
    forest = Forest.of(edges, "S")
    found = derivations(forest)
    counts = Counter(tuple(path.arcs) for path in forest.sample(20_000, seed=1))
    for (edges, _, _), probability in zip(found, probabilities(found), strict=True):
        assert counts[edges] / 20_000 == pytest.approx(probability, abs=0.02)
    assert forest.sample(0, seed=1) == []


@given(lattices())
def test_a_lattice_as_a_forest(lattice):
    forest = Forest.of_lattice(lattice)
    found = lattice_paths(lattice)
    assert sorted((path.words, path.score) for path in forest.paths()) == sorted(found)
    assert forest.count() == len(found)
    assert forest.best().score == max(score for _, score in found)
    assert len(forest.kbest(1000)) == len({words for words, _ in found})


def chain(links, ways=2):
    """A deep forest: every node a word after the node below, in several ways."""
    edges = [(0, [], 0.0)]
    edges += [(i, [Node(i - 1), f"{j}"], -float(j)) for i in range(1, links + 1) for j in range(ways)]
    return Forest.of(edges, links)


@pytest.mark.slow
def test_deep_forests():
    forest = chain(100_000)
    assert forest.best().words == ("0",) * 100_000
    texts = forest.kbest(3)
    assert [path.score for path in texts] == [0.0, -1.0, -1.0]
    assert len({path.words for path in texts}) == 3
    assert forest.count() == 2**100_000
    assert forest.total(0.0) == pytest.approx(100_000 * math.log(2))
    assert len(forest.sample(1, seed=1)[0].words) == 100_000
    with pytest.raises(InputError, match="more than 10,000 derivations"):
        forest.paths()


def test_many_derivations_of_one_text_do_no_harm():
    edges = [(0, [])] + [(i, [Node(i - 1), "a"], -float(j)) for i in range(1, 5001) for j in range(3)]
    edges += [(5001, [Node(5000)]), (5001, ["b"], -1e9)]
    assert [path.words for path in Forest.of(edges, 5001).kbest(10)] == [("a",) * 5000, ("b",)]


def doubling(levels, score=0.0):
    """A small forest with derivations of 2 ** levels words."""
    edges = [(0, ["a"], score), (0, ["b"], score)]
    return Forest.of(edges + [(i, [Node(i - 1)] * 2, 0.0) for i in range(1, levels + 1)], levels, place="doubling")


@pytest.mark.slow
def test_derivations_too_large_to_write_down():
    forest = doubling(200)
    assert doubling(4).count() == 2**16
    for verb in (forest.best, lambda: forest.kbest(2), lambda: forest.sample(1, seed=1)):
        with pytest.raises(InputError, match=r"doubling: derivations of more than .* too many to write down"):
            verb()
    with pytest.raises(InputError, match=r"doubling: there are about 2\^.* too many to count"):
        forest.count()
    with pytest.raises(InputError, match="doubling: scores of derivations grow beyond all numbers"):
        doubling(2000, score=1.0).best()
    with pytest.raises(InputError, match="doubling: scores of derivations grow beyond all numbers"):
        doubling(2000, score=1.0).total()
    with pytest.raises(InputError, match="doubling: scores of derivations grow beyond all numbers"):
        doubling(2000).count()


def test_too_many_derivations_to_keep():
    with pytest.raises(InputError, match="the forest: more than 50 derivations of nodes would have to be kept"):
        chain(10).kbest(1000, limit=50)


def test_parameters_that_make_no_sense():
    forest = chain(2)
    for call in (
        lambda: forest.kbest(-1),
        lambda: forest.paths(0),
        lambda: forest.sample(-1, seed=1),
        lambda: forest.sample(1, seed=-1),
        lambda: forest.total(math.nan),
        lambda: forest.posteriors(math.inf),
        lambda: forest.expected_ngrams(0),
        lambda: forest.ngram_posteriors(2, math.nan),
        lambda: forest.rescored(NgramGain(NgramTable.of({("0",): math.nan}))),
    ):
        with pytest.raises(SpecError):
            call()


# N-grams.


def ngrams_of(words, order):
    return [words[i : i + n] for n in range(1, order + 1) for i in range(len(words) - n + 1)]


@given(forests(scores=ROUGH), st.integers(1, 5), st.sampled_from([0.0, 1.0, -2.0]))
def test_expected_ngrams(forest, order, scale):
    found = derivations(forest)
    expected = Counter()
    for (_, words, _), probability in zip(found, probabilities(found, scale), strict=True):
        for ngram in ngrams_of(words, order):
            expected[ngram] += probability
    table = forest.expected_ngrams(order, scale)
    assert table.order == order
    assert dict(table) == pytest.approx(expected)


@given(forests(scores=ROUGH), st.integers(1, 5), st.sampled_from([0.0, 1.0, -2.0]))
def test_ngram_posteriors(forest, order, scale):
    found = derivations(forest)
    expected = Counter()
    for (_, words, _), probability in zip(found, probabilities(found, scale), strict=True):
        for ngram in {*ngrams_of(words, order)}:
            expected[ngram] += probability
    table = forest.ngram_posteriors(order, scale)
    assert dict(table) == pytest.approx(expected)
    assert max(table.values(), default=0.0) <= 1.0


def test_small_posteriors_are_right():
    edges = [("S", [Node("A"), Node("A")]), ("A", ["a"], -100.0), ("A", ["b"])]
    table = Forest.of(edges, "S").ngram_posteriors(2)
    assert table[("a",)] == pytest.approx(2 * math.exp(-100), rel=1e-12)
    assert table[("a", "a")] == pytest.approx(math.exp(-200), rel=1e-12)


@given(lattices(), st.integers(1, 4))
def test_ngrams_of_a_lattice(lattice, order):
    found = [((), words, score) for words, score in lattice_paths(lattice)]
    expected = Counter()
    for (_, words, _), probability in zip(found, probabilities(found), strict=True):
        for ngram in {*ngrams_of(words, order)}:
            expected[ngram] += probability
    assert dict(Forest.of_lattice(lattice).ngram_posteriors(order)) == pytest.approx(expected)


GAINS = st.builds(
    lambda values, word: NgramGain(NgramTable.of(values), word),
    st.dictionaries(st.lists(st.sampled_from([*WORDS, "x"]), min_size=1, max_size=4).map(tuple), DYADIC, max_size=8),
    DYADIC,
)


@given(forests(), GAINS, st.sampled_from([0.0, 1.0, -0.5]))
def test_a_gain_of_ngrams(forest, gain, model):
    found = derivations(forest)
    rescored = forest.rescored(gain, model=model)
    assert rescored.count() == len(found)
    paths = rescored.paths()
    expected = sorted((words, gain(words) + model * score) for _, words, score in found)
    assert sorted((path.words, path.score) for path in paths) == expected
    # It is a forest like any other.
    again = Forest.build(
        rescored.words,
        rescored.heads,
        rescored.starts,
        rescored.items,
        rescored.scores,
        nodes=rescored.nodes,
        root=rescored.nodes - 1,
    )
    assert (again.heads.tolist(), again.items.tolist()) == (rescored.heads.tolist(), rescored.items.tolist())


@pytest.mark.slow
@given(forests(), GAINS)
def test_all_ngrams_as_a_gain(forest, gain):
    """The longest contexts there can be."""
    every = {ngram: 1.0 for _, words, _ in derivations(forest) for ngram in ngrams_of(words, 4)}
    gain = NgramGain(NgramTable.of(every))
    rescored = forest.rescored(gain, model=0.25)
    expected = sorted((words, gain(words) + 0.25 * score) for _, words, score in derivations(forest))
    assert sorted((path.words, path.score) for path in rescored.paths()) == expected


def test_nodes_are_split_only_as_far_as_ngrams_need():
    edges = [("S", [Node("A"), Node("B")]), *(("A", [word]) for word in "abcd"), *(("B", [word]) for word in "abcd")]
    forest = Forest.of(edges, "S")
    assert forest.rescored(NgramGain(NgramTable.of({("a",): 1.0, ("x", "b"): 2.0}), word=1.0)).nodes == forest.nodes
    split = forest.rescored(NgramGain(NgramTable.of({("a", "b"): 1.0})))
    assert split.nodes == forest.nodes + 2  # A ends with a or not, B begins with b or not


def test_features_are_kept_where_nodes_are_split():
    features = Features.of(np.array([[1.0], [2.0], [4.0]]))
    forest = Forest.build(
        ("a", "b"),
        np.array([1, 0, 0], np.int32),
        np.array([0, 3, 4, 5], np.int64),
        np.array([~0, ~0, ~0, 0, 1], np.int32),
        np.zeros(3),
        nodes=2,
        root=1,
        features=features,
        layout=Layout((Group("f", 0, 1),)),
    )
    gain = NgramGain(NgramTable.of({("a", "b"): 1.0}))
    weighted = forest.rescored(gain).weighted(Weights({"f": (1.0,)}))
    assert sorted(path.score for path in weighted.paths()) == [7.0, 9.0, 9.0, 9.0, 11.0, 11.0, 11.0, 13.0]


def test_features_of_a_lattice_as_a_forest():
    lattice = Lattice.build(
        ("a", "b"),
        np.array([0, 1], np.int32),
        np.array([1, 2], np.int32),
        np.array([0, 1], np.int32),
        np.zeros(2),
        np.array([-np.inf, 0.0, 0.0]),
        features=Features.of(np.array([[1.0], [2.0]])),
        layout=Layout((Group("f", 0, 1),)),
    )
    weighted = Forest.of_lattice(lattice).weighted(Weights({"f": (1.0,)}))
    assert [(path.text, path.score) for path in weighted.paths()] == [("a", 1.0), ("a b", 3.0)]


def test_limits_of_ngrams():
    with pytest.raises(InputError, match="the forest: there are more than 100 n-grams"):
        chain(3, ways=10).ngram_posteriors(4, limit=100)
    with pytest.raises(InputError, match="the forest: more than 100 edges would be needed"):
        gain = NgramGain(NgramTable.of({(str(i), str(j)): 1.0 for i in range(10) for j in range(10)}))
        chain(3, ways=10).rescored(gain, limit=100)
    with pytest.raises(InputError, match="the forest: 1 scores for 5 edges"):
        chain(2).with_scores(np.zeros(1))
    with pytest.raises(InputError, match="the forest: the score of edge 1 is nan"):
        chain(2).with_scores(np.array([0.0, np.nan, 0.0, 0.0, 0.0]))


# The exact oracle for n-gram recognition rates.


def grr_numerator(tokens, reference, order, alpha, beta):
    """The best sum over all alignments, state by state as in the paper; see also the tests of GRR itself."""
    values = {(0, 0): 0.0}

    def better(values, state, value):
        values[state] = max(value, values.get(state, -math.inf))

    def skip(values):
        for i in range(len(reference)):
            for m in range(order):
                if (i, m) in values:
                    better(values, (i + 1, 0), values[i, m] - beta)
        return values

    values = skip(values)
    for token in tokens:
        after = {}
        for (i, m), value in values.items():
            better(after, (i, 0), value - alpha)
            if i < len(reference):
                better(after, (i + 1, 0), value)
                if reference[i] == token:
                    better(after, (i + 1, min(m + 1, order - 1)), value + m + 1)
        values = skip(after)
    return max(value for (i, _), value in values.items() if i == len(reference))


def recognised(forest, reference, pieces=None, **how):
    """The oracle by words; `pieces` are the tokens of some of them."""
    numbers = {}
    cut = [[numbers.setdefault(t, len(numbers)) for t in (pieces or {}).get(w, [w])] for w in forest.words]
    reference = np.array([numbers.setdefault(token, len(numbers)) for token in reference], np.int32)
    starts = np.cumsum([0, *map(len, cut)])
    return forest.best_recognised(starts, np.array([t for own in cut for t in own], np.int32), reference, **how)


PIECES = st.dictionaries(st.sampled_from(WORDS), st.lists(st.sampled_from("abx"), max_size=3), max_size=2)


@given(
    forests(),
    st.lists(st.sampled_from([*WORDS, "x"]), max_size=6),
    PIECES,
    st.integers(1, 5),
    st.sampled_from([1.0, 0.5, 0.0, -0.75]),
    st.sampled_from([0.0, 0.5, -0.25, 2.0]),
)
def test_the_best_recognised_derivation(forest, reference, pieces, order, alpha, beta):
    value, path = recognised(forest, reference, pieces, order=order, alpha=alpha, beta=beta)
    ranked = []
    for edges, words, score in derivations(forest):
        tokens = [token for word in words for token in pieces.get(word, [word])]
        ranked.append((grr_numerator(tokens, reference, order, alpha, beta), score, edges))
    assert (value, path.score) == max((value, score) for value, score, _ in ranked)
    assert (value, path.score, tuple(path.arcs)) in ranked


@given(lattices(), st.lists(st.sampled_from(WORDS), max_size=6), st.integers(1, 4))
def test_the_best_recognised_path_of_a_lattice(lattice, reference, order):
    value, path = recognised(Forest.of_lattice(lattice), reference, order=order)
    ranked = [(grr_numerator(words, reference, order, 1.0, 0.0), score) for words, score in lattice_paths(lattice)]
    assert (value, path.score) == max(ranked)


@given(forests(), st.lists(st.sampled_from(WORDS), max_size=6), st.floats(-1, 2), st.floats(-1, 2))
def test_costs_that_are_no_fractions(forest, reference, alpha, beta):
    value, path = recognised(forest, reference, alpha=alpha, beta=beta)
    best = max(grr_numerator(words, reference, 4, alpha, beta) for _, words, _ in derivations(forest))
    assert value == pytest.approx(best, abs=1e-9)
    assert value == pytest.approx(grr_numerator(path.words, reference, 4, alpha, beta), abs=1e-12)


def test_references_too_long_to_recognise_by():
    with pytest.raises(InputError, match=r"the forest: about .* numbers would have to be kept"):
        recognised(chain(2000), ["0"] * 2000)
    with pytest.raises(InputError, match=r"the forest: it would take too long .* a reference of 10000 tokens"):
        recognised(Forest.of([(0, ["a"]), (1, [Node(0)] * 200)], 1), ["b"] * 10_000)
    with pytest.raises(SpecError):
        recognised(chain(2), ["0"], alpha=math.nan)
    with pytest.raises(SpecError):
        recognised(chain(2), ["0"], order=0)


# Real forests, as cdec wrote them.


def read_cdec(path, **weights):
    """A forest from cdec's JSON: keys repeat and their order matters."""
    data = path.read_bytes()
    pairs = json.loads(gzip.decompress(data) if path.suffix == ".gz" else data, object_pairs_hook=list)
    rules, names, raw, edges, nodes = {}, [], [], [], 0
    for key, value in pairs:
        if key == "rules":
            rules = dict(zip(value[::2], value[1::2], strict=True))
        elif key == "features":
            names = value
        elif key == "edges":
            raw += [dict(edge) for edge in value]
        elif key == "node":
            numbers = dict(value)["in_edges"]
            if not numbers:
                edges.append((nodes, [], 0.0))
            for edge in (raw[number] for number in numbers):
                target = rules[edge["rule"]].split("|||")[2].split()
                right = [
                    Node(edge["tail"][int(word[1:-1]) - 1]) if re.match(r"\[\d", word) else word for word in target
                ]
                features = zip(edge["feats"][::2], edge["feats"][1::2], strict=True)
                edges.append((nodes, right, sum(weights.get(names[i], 0.0) * x for i, x in features)))
            nodes += 1
    return Forest.of(edges, nodes - 1, place=path.name)


@pytest.fixture(scope="session")
def cdec(shared):
    """Read one of the forests by name."""
    return lambda name, **weights: read_cdec(shared / "data" / "forests" / "cdec-json" / name, **weights)


DECODER = {
    "LanguageModel": -1.0,
    "WordPenalty": -2.8,
    "PhraseModel_0": -0.3,
    "PhraseModel_1": -0.3,
    "PhraseModel_2": -0.1,
    "Glue": -0.2,
    "PassThrough": -20.0,
}


def test_what_cdec_computes(cdec):
    """The numbers that cdec's own tests expect (redpony/cdec, decoder/hg_test.cc)."""
    tiny = cdec("hg_test.tiny.json", f1=0.4, f2=0.8)
    assert (tiny.best().text, tiny.best().score) == ("X <s>", pytest.approx(-80.839996, rel=1e-6))
    assert tiny.total(0.6) == pytest.approx(-47.8577, rel=1e-6)
    lattice = cdec("hg_test.tiny_lattice.json", f1=1.0)
    assert math.exp(lattice.total()) == pytest.approx(1.7934048, rel=1e-6)
    assert lattice.best().score == pytest.approx(-0.3)
    forest = cdec("hg_test.hg.json", f1=0.4, f2=0.8)
    assert forest.total() == pytest.approx(-1.7861683, rel=1e-6)
    assert len(forest.kbest(10, distinct=False)) == forest.count() == 4
    assert len(cdec("hg_test.hg_int.json", f1=1.0).kbest(10, distinct=False)) == 4
    models = [-2.0, -0.5, -1.1, -1.0, -1.0, 0.5, 0.2, -3.0]
    small = cdec("small.json.gz", **{f"Model_{i}": weight for i, weight in enumerate(models)})
    assert small.total(0.6) == pytest.approx(2.1431036, rel=1e-6)


def test_expected_features_as_in_cdec(cdec):
    """Expectations are sums over edges (TestAddExpectations there); one derivation of each edge has each feature."""
    forest, first, second = (cdec("hg_test.hg.json", **w) for w in ({"f1": 0.4, "f2": 0.8}, {"f1": 1.0}, {"f2": 1.0}))
    posteriors = forest.posteriors()
    assert posteriors @ first.scores == pytest.approx(-2.5439765, rel=1e-6)
    assert posteriors @ second.scores == pytest.approx(-2.6357865, rel=1e-6)


@pytest.mark.parametrize("name", ["zh-en.0.json.gz", "small.json.gz", "perro.json.gz", "hg_test.hg_balanced.json"])
def test_real_forests_are_enumerated(cdec, name):
    forest = cdec(name, **DECODER, Model_0=-1.0)
    found = derivations(forest)
    assert sorted(as_tuples(forest.paths())) == sorted(found)
    best = defaultdict(lambda: -math.inf)
    for _, words, score in found:
        best[words] = max(best[words], score)
    assert {path.words: path.score for path in forest.kbest(100_000)} == best
    expected = np.zeros(len(forest))
    for (edges, _, _), probability in zip(found, probabilities(found), strict=True):
        np.add.at(expected, list(edges), probability)
    assert forest.posteriors() == pytest.approx(expected)


@pytest.mark.slow
def test_a_large_real_forest(cdec):
    forest = cdec("urdu-en.json.gz", **DECODER)
    assert forest.count() == 80490880847397086932437
    texts = forest.kbest(10_000)
    assert texts[0] == forest.best()
    assert len({path.words for path in texts}) == 10_000
    # The derivations that come before the last text are all of them.
    every = [path for path in forest.kbest(10_000, distinct=False) if path.score > texts[-1].score]
    assert {path.words for path in every} <= {path.words for path in texts}


@pytest.mark.parametrize("order", [1, 2, 4])
def test_the_oracle_of_a_real_forest(cdec, lines, order):
    """Equal to the best of all 7,633 derivations, and so never below the best of any list."""
    forest = cdec("zh-en.0.json.gz", **DECODER)
    texts = forest.kbest(10_000)
    assert {path.words for path in texts} == {path.words for path in forest.paths()}
    metric = GRR(order=order, tokenize="none")
    for number in range(4):
        (reference,) = lines(f"forests/cdec-json/zh-en.0.ref{number}.txt")
        value, path = recognised(forest, reference.split(), order=order)
        numerators = np.asarray(metric.stats([path.text for path in texts], [reference] * len(texts)))[:, 0]
        assert (value, path.score) == max(zip(numerators, (path.score for path in texts), strict=True))


@pytest.mark.slow
def test_the_oracle_of_a_large_real_forest(cdec):
    forest = cdec("urdu-en.json.gz", **DECODER)
    texts = forest.kbest(1000)
    rng = np.random.default_rng(1)
    reference = [word for word in texts[0].words[:40] if rng.random() < 0.8]
    metric = GRR(tokenize="none")
    numerators = np.asarray(metric.stats([path.text for path in texts], [" ".join(reference)] * 1000))[:, 0]
    value, path = recognised(forest, reference)
    assert value > numerators.max()
    assert value == float(np.asarray(metric.stats([path.text], [" ".join(reference)]))[0, 0])
    # A text of the forest recognises itself.
    value, path = recognised(forest, texts[9].words)
    assert path.words == texts[9].words
    assert value == sum(len(path.words) - n for n in range(4))


def test_ngrams_of_a_large_real_forest(cdec):
    """Against plain sums over many random derivations; and what is expected of all words together."""
    forest = cdec("urdu-en.json.gz", **DECODER)
    expected, posteriors = forest.expected_ngrams(2, 0.25), forest.ngram_posteriors(2, 0.25)
    assert {*expected} == {*posteriors}
    assert all(posteriors[ngram] <= value * (1 + 1e-9) for ngram, value in expected.items())
    samples = forest.sample(2000, seed=1, scale=0.25)
    counts, present = Counter(), Counter()
    for path in samples:
        counts.update(ngrams_of(path.words, 2))
        present.update({*ngrams_of(path.words, 2)})
    assert {*counts} <= {*expected}
    for ngram, value in expected.items():
        if value < 1e-3:
            continue
        assert counts[ngram] / 2000 == pytest.approx(value, abs=0.2)
        assert present[ngram] / 2000 == pytest.approx(posteriors[ngram], abs=0.06)
    words = [value for ngram, value in expected.items() if len(ngram) == 1]
    lengths = forest.rescored(NgramGain(NgramTable.of({}), word=1.0))
    length = forest.posteriors(0.25) @ lengths.scores
    assert sum(words) == pytest.approx(length)


def test_a_gain_of_ngrams_on_a_large_real_forest(cdec):
    forest = cdec("urdu-en.json.gz", **DECODER)
    kept = {ngram: value for ngram, value in forest.ngram_posteriors(3).items() if value > 0.05}
    gain = NgramGain(NgramTable.of(kept), word=-0.1)
    rescored = forest.rescored(gain, model=0.5)
    assert rescored.count() == forest.count()
    for path in rescored.kbest(100, distinct=False):
        assert path.score - gain(path.words) < 0.5 * forest.best().score + 1e-9
    before = {path.words: path.score for path in forest.kbest(300)}
    best = rescored.best()
    assert best.score >= max(gain(words) + 0.5 * score for words, score in before.items()) - 1e-9
    plain = forest.rescored(gain)
    assert all(path.score == pytest.approx(gain(path.words)) for path in plain.sample(100, seed=1))
