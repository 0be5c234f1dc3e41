"""Oracles of lattices and forests, exact and approximate, against all paths."""

import gzip
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore import BLEU, GRR, WER, WRR, ChrF
from tricolore.errors import SpecError
from tricolore.graphs import Forest, Lattice, Node
from tricolore.graphs.approximate_oracle import ApproximateOracle
from tricolore.graphs.oracles import ExactOracle, is_exact

WORDS = ["a", "A", "b", "c", "c.", "d,e"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)


@st.composite
def lattices(draw):
    size = draw(st.integers(1, 4))
    chain = [(i, i + 1, draw(st.sampled_from([None, *WORDS])), draw(st.integers(-3, 3))) for i in range(size)]
    pairs = [(i, j) for i in range(size) for j in range(i + 1, size + 1)]
    word = st.sampled_from([None, *WORDS])
    more = draw(st.lists(st.tuples(st.sampled_from(pairs), word, st.integers(-3, 3)), max_size=6))
    return Lattice.of([*chain, *((*pair, w, s) for pair, w, s in more)], 0, [size])


@st.composite
def forests(draw):
    item = st.one_of(st.sampled_from(WORDS), st.sampled_from([Node("X"), Node("Y")]))
    below = {"X": st.sampled_from(WORDS), "Y": st.one_of(st.sampled_from(WORDS), st.just(Node("X")))}
    edges = []
    for head, items in (*below.items(), ("S", item)):
        for _ in range(draw(st.integers(1, 2))):
            edges.append((head, draw(st.lists(items, max_size=3)), draw(st.integers(-3, 3))))
    return Forest.of(edges, "S")


GRAPHS = st.one_of(lattices(), forests())
METRICS = [
    WER(),
    WRR(lowercase=True),
    WER(multi_ref="min_edits", tokenize="13a"),
    WER(multi_ref="avg_len"),
    GRR(),
    GRR(order=2, alpha=0.5, beta=0.25, tokenize="none"),
    GRR(order=3, alpha=-0.5, beta=1, tokenize="char"),
]


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.spec)
@given(graph=GRAPHS, references=st.lists(TEXTS, min_size=1, max_size=3))
def test_exact_oracles_equal_the_best_of_all_paths(metric, graph, references):
    found = ExactOracle(metric)(graph, references)
    paths = graph.paths()
    scores = metric.segments([path.text for path in paths], [references] * len(paths))
    if "min_edits" in metric.spec:  # edits decide, not their rate
        edits = np.asarray(metric.stats([path.text for path in paths], [references] * len(paths)))[:, 0]
        assert metric.segment(found.text, references).edits == edits.min()
        return
    best = scores.max() if metric.higher_is_better else scores.min()
    assert found.score == pytest.approx(best, abs=1e-12)
    assert found.path.text in {path.text for path in paths}
    if len(references) == 1 and references[0]:  # of equals the one with the best score of its own
        ties = [p.score for p, score in zip(paths, scores, strict=True) if abs(score - best) < 1e-12]
        assert found.path.score == pytest.approx(max(ties))


def test_which_metrics_have_an_exact_oracle():
    assert is_exact(WER())
    assert is_exact(GRR(order=2))
    assert not is_exact(BLEU())
    with pytest.raises(SpecError, match="no exact oracle; expected wer, wrr or grr"):
        ExactOracle(BLEU())
    with pytest.raises(SpecError, match="with tokenize=intl the tokens of a word depend on its neighbours"):
        ExactOracle(GRR(tokenize="intl"))


def test_references_added_up_have_none():
    lattice = Lattice.of([(0, 1, "a")], 0, [1])
    assert ExactOracle(GRR(multi_ref="pool"))(lattice, "a").score == 1.0
    with pytest.raises(SpecError, match="added up have no exact oracle"):
        ExactOracle(GRR(multi_ref="pool"))(lattice, ["a", "b"])


@given(
    st.lists(st.tuples(GRAPHS, st.lists(TEXTS, min_size=1, max_size=2)), min_size=1, max_size=3),
    st.sampled_from([BLEU(order=2, smooth=2), BLEU(smooth="floor"), ChrF(), WER()]),
    st.booleans(),
)
def test_approximate_oracles_are_between_the_best_list_and_the_best_there_is(pairs, metric, corpus):
    graphs, references = [graph for graph, _ in pairs], [refs for _, refs in pairs]
    found = ApproximateOracle(metric, corpus=corpus, size=2).choose(graphs, references)
    texts = [path.text for path in found.paths]
    assert found.score == pytest.approx(float(metric(texts, references)))
    assert found.gap == found.score - found.nbest_score
    sign = 1 if metric.higher_is_better else -1
    if corpus:
        assert sign * found.gap >= -1e-12
        everything = [list(dict.fromkeys(path.text for path in graph.paths())) for graph in graphs]
        choices = itertools.islice(itertools.product(*everything), 2000)
        if np.prod([len(texts) for texts in everything]) <= 2000:
            best = max(sign * float(metric(list(choice), references)) for choice in choices)
            assert sign * found.score <= best + 1e-12


def test_the_approximation_reaches_what_lists_do_not():
    # The model likes a, the references b; with lists of 1 only the gain leads there.
    arcs = [(i, i + 1, word, score) for i in range(8) for word, score in (("a", 0.0), ("b", -1.0))]
    lattice = Lattice.of(arcs, 0, [8])
    found = ApproximateOracle(BLEU(tokenize="none"), size=1).choose([lattice], ["b b b b b b b b"])
    assert found.score == pytest.approx(1.0)
    assert found.nbest_score == 0.0


def test_one_graph_from_python():
    lattice = Lattice.of([(0, 1, "the"), (0, 1, "a"), (1, 2, "cat"), (1, 2, "dog")], 0, [2])
    exact, approximate = lattice.oracle(["the dog"], "wer"), lattice.oracle("the dog", "chrf")
    assert (exact.text, exact.score, exact.exact) == ("the dog", 0.0, True)
    assert (str(approximate), approximate.score, approximate.exact) == ("the dog", 1.0, False)


def read_plf(path):
    """The lattices of a file, read by Python itself."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            columns = eval(line) if line.strip() else ()
            arcs = [(i, i + step, word, score) for i, column in enumerate(columns) for word, score, step in column]
            yield Lattice.of(arcs, 0, [len(columns)])


def test_fisher_bleu_oracle(shared, lines):
    folder = shared / "data/lattices/fisher-test-es"
    graphs = list(itertools.islice(read_plf(folder / "lattices.plf.gz"), 200))
    references = lines(folder / "lattice_oracle.txt")[:200]
    metric = BLEU(tokenize="none")
    found = ApproximateOracle(metric, size=20).choose(graphs, references)
    best = float(metric([graph.best().text for graph in graphs], references))
    assert best < found.nbest_score <= found.score
    wer = [ExactOracle(WER())(graph, reference).text for graph, reference in zip(graphs, references, strict=True)]
    assert found.score >= float(metric(wer, references))
