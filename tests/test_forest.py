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

from tricolore.errors import InputError, SpecError
from tricolore.graphs import Forest, Lattice, Node

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
        lambda: forest.kbest(0),
        lambda: forest.paths(0),
        lambda: forest.sample(-1, seed=1),
        lambda: forest.sample(1, seed=-1),
        lambda: forest.total(math.nan),
        lambda: forest.posteriors(math.inf),
    ):
        with pytest.raises(SpecError):
            call()


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


def test_a_large_real_forest(cdec):
    forest = cdec("urdu-en.json.gz", **DECODER)
    assert forest.count() == 80490880847397086932437
    texts = forest.kbest(10_000)
    assert texts[0] == forest.best()
    assert len({path.words for path in texts}) == 10_000
    # The derivations that come before the last text are all of them.
    every = [path for path in forest.kbest(10_000, distinct=False) if path.score > texts[-1].score]
    assert {path.words for path in every} <= {path.words for path in texts}
