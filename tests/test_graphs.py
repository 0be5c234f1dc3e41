"""Lattices and forests as arrays: order, what is left out, what is refused."""

from dataclasses import replace

import numpy as np
import pytest

import tricolore as tri
from tricolore.errors import InputError, InputTypeError, TricoloreError
from tricolore.features import Features, Group, Layout
from tricolore.graphs import Forest, Lattice, Node
from tricolore.graphs.drawing import draw
from tricolore.weights import Weights


def test_states_are_put_in_order():
    lattice = Lattice.of([("b", "c", "y"), ("a", "b", "x"), ("a", "c", None)], "a", ["c"])
    assert lattice.sources.tolist() == [0, 0, 1]
    assert lattice.targets.tolist() == [1, 2, 2]
    assert [lattice.words[i] if i >= 0 else None for i in lattice.labels] == ["x", None, "y"]
    assert lattice.finals.tolist() == [-np.inf, -np.inf, 0.0]


def test_states_on_no_path_are_left_out():
    arcs = [(0, 1, "a"), (1, 2, "b"), (0, 7, "nowhere"), (8, 1, "from nowhere"), (1, 2, "never", -np.inf)]
    lattice = Lattice.of(arcs, 0, {2: -0.5})
    assert len(lattice) == 2
    assert lattice.states == 3
    assert lattice.finals[2] == -0.5


def test_a_cycle_is_named_unless_it_is_on_no_path():
    with pytest.raises(InputError, match=r"x: states form a cycle \((b -> c -> b|c -> b -> c)\)"):
        Lattice.of([("a", "b", "1"), ("b", "c", "2"), ("c", "b", "3"), ("c", "d", "4")], "a", ["d"], place="x")
    assert len(Lattice.of([("a", "d", "1"), ("b", "c", "2"), ("c", "b", "3")], "a", ["d"])) == 1
    with pytest.raises(InputError, match=r"cycle \(a -> a\)"):
        Lattice.of([("a", "a", None), ("a", "d", "1")], "a", ["d"])


@pytest.mark.parametrize("score", [np.nan, np.inf])
def test_scores_that_are_no_numbers(score):
    with pytest.raises(InputError, match="score of arc 0"):
        Lattice.of([(0, 1, "a", score)], 0, [1])
    with pytest.raises(InputError, match="score of final state 1"):
        Lattice.of([(0, 1, "a")], 0, {1: score})
    with pytest.raises(InputError, match="score of edge 0"):
        Forest.of([("S", ["a"], score)], "S")


def test_no_path_at_all():
    with pytest.raises(InputError, match="no path leads"):
        Lattice.of([(0, 1, "a")], 0, [2])
    with pytest.raises(InputError, match="no derivation"):
        Forest.of([("S", ["a", Node("N")])], "S")
    assert Lattice.of([], 0, [0]).states == 1  # one empty path


def test_nodes_are_put_in_order_and_useless_edges_left_out():
    edges = [
        ("S", [Node("A"), "x", Node("B")]),
        ("S", ["y", Node("never")]),
        ("B", [Node("A")]),
        ("A", ["a"]),
        ("A", []),
        ("idle", ["z"]),
    ]
    forest = Forest.of(edges, "S")
    assert forest.nodes == 3
    assert forest.heads.tolist() == [0, 0, 1, 2]
    rights = [forest.items[a:b].tolist() for a, b in zip(forest.starts[:-1], forest.starts[1:], strict=True)]
    assert rights[1:3] == [[], [~0]]
    assert rights[3][0] == ~0 and rights[3][2] == ~1


def test_a_cycle_of_nodes():
    edges = [("S", [Node("A")]), ("A", [Node("B")]), ("A", ["a"]), ("B", [Node("A"), "b"])]
    with pytest.raises(InputError, match="nodes form a cycle"):
        Forest.of(edges, "S")


def test_weights_make_scores():
    features = Features.of(np.array([[1.0, 2.0], [0.0, 3.0], [5.0, 0.0]]))
    layout = Layout((Group("f", 0, 1), Group("g", 1, 1)))
    lattice = Lattice.build(
        ("a", "b"),
        np.array([1, 0, 0], np.int32),
        np.array([2, 1, 1], np.int32),
        np.array([0, 1, 0], np.int32),
        np.zeros(3),
        np.array([-np.inf, -np.inf, 0.0]),
        features=features,
        layout=layout,
    )
    assert lattice.weighted(Weights({"f": (1.0,), "g": (0.5,)})).scores.tolist() == [1.5, 5.0, 2.0]
    with pytest.raises(InputError, match="no features"):
        Lattice.of([(0, 1, "a")], 0, [1]).weighted(Weights({"f": (1.0,)}))


# What people see and mistype in a notebook -------------------------------------------------------------------

LATTICE = Lattice.of([(0, 1, "a", -0.5), (1, 2, "cat"), (1, 2, "dog", -1.0)], 0, [2])
FOREST = Forest.of([("S", ["a", Node("N")], -0.5), ("N", ["cat"]), ("N", ["dog"], -1.0)], "S")


def test_graphs_are_shown_in_a_line():
    assert repr(LATTICE) == "Lattice(states=3, arcs=3, place='the lattice')"
    assert repr(FOREST) == "Forest(nodes=2, edges=3, place='the forest')"
    assert repr(LATTICE.best()) == "Path(words=('a', 'cat'), score=-0.5)"
    assert repr(LATTICE.expected_ngrams(1)).startswith("NgramTable of 3 n-grams: {('a',): 1.0, ('cat',): 0.7")
    assert len(repr(Lattice.of([(0, 1, str(i)) for i in range(1000)], 0, [1]).expected_ngrams())) < 200


@pytest.mark.parametrize("graph", [LATTICE, FOREST])
def test_notebooks_draw_graphs(graph):
    assert graph._repr_svg_() == draw(graph)


def test_notebooks_draw_no_large_graphs():
    assert Lattice.of([(0, 1, str(i)) for i in range(301)], 0, [1])._repr_svg_() is None


@pytest.mark.parametrize(
    ("arcs", "finals", "message"),
    [
        ("abc", [1], r"arc 0: expected \(from, to, word or None, score\), got 'a'"),
        ([(0, 1)], [1], "arc 0: expected"),
        ([(0, 1, "a"), (0, 1, 5)], [1], "arc 1: expected a word or None, got 5"),
        ([(0, 1, "a", "-1")], [1], "arc 0: expected a score, a number, got '-1'"),
        ([(0, 1, "a")], 1, "expected a list of final states, got 1; put it in a list"),
        ([("s", "end", "a")], "end", "expected a list of final states, got 'end'"),
    ],
)
def test_wrong_arcs(arcs, finals, message):
    with pytest.raises(InputTypeError, match=message):
        Lattice.of(arcs, 0, finals)


@pytest.mark.parametrize(
    ("edge", "message"),
    [
        (("S", "a b"), r"edge 0: expected a list of words and nodes, got 'a b'; put it in a list"),
        (("S", ["a", 1]), "edge 0: expected a word or a Node, got 1"),
        (("S",), r"edge 0: expected \(head, right-hand side, score\)"),
    ],
)
def test_wrong_edges(edge, message):
    with pytest.raises(InputTypeError, match=message):
        Forest.of([edge], "S")


@pytest.mark.parametrize("graph", [LATTICE, FOREST])
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda graph: graph.kbest("3"), "k must be a whole number from 0 .*; got '3'"),
        (lambda graph: graph.kbest(2.5), "k must be a whole number"),
        (lambda graph: graph.kbest(-1), "k must be a whole number"),
        (lambda graph: graph.sample(-1, seed=1), "number must be a whole number"),
        (lambda graph: graph.sample(1, seed="x"), "seed must be a whole number"),
        (lambda graph: graph.mbr(scale="x"), "scale must be a number; got 'x'"),
        (lambda graph: graph.oracle([]), "no reference"),
        (lambda graph: graph.oracle(None, "bleu"), "no reference"),
        (lambda graph: graph.oracle([["a", "dog"]]), "expected a string"),
        (lambda graph: graph.oracle("a dog", "were"), "did you mean 'wer'"),
    ],
)
def test_wrong_arguments_are_told(graph, call, message):
    with pytest.raises(TricoloreError, match=message):
        call(graph)


def test_weights_may_be_a_dictionary_or_a_file(tmp_path):
    layout = Layout((Group("lm", 0, 1), Group("tm", 1, 2)))
    graph = replace(LATTICE, features=Features.of(np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]])), layout=layout)
    (tmp_path / "weights").write_text("lm= 0.5\ntm= 1 2\n")
    expected = [0.5, 1.0, 2.0]
    for weights in ({"lm": 0.5, "tm": [1, 2]}, tmp_path / "weights", str(tmp_path / "weights")):
        assert graph.weighted(weights).scores.tolist() == expected
    for wrong in (["lm"], {"lm": "0.5"}, {"lm": np.nan}, {"lm": [[1.0]]}):
        with pytest.raises(InputTypeError, match="weights: expected"):
            graph.weighted(wrong)


def test_one_file_is_read_in_one_line(tmp_path):
    path = tmp_path / "x.plf"
    path.write_text("((('a',-0.5,1),),)\n")
    for given in (path, str(path), [path]):
        assert [graph.best().text for graph in tri.read_graphs(given)] == ["a"]


@pytest.mark.parametrize("graph", [Lattice.of([(0, 1, "a")], 0, [1]), Forest.of([("S", ["a"])], "S")], ids=type)
def test_the_highest_token_numbers_take_no_room(graph):
    tokens, reference = np.array([2**31 - 1]), np.array([7, 2**31 - 1])
    assert graph.best_recognised(np.array([0, 1]), tokens, reference)[0] == 1.0


def test_the_core_refuses_what_python_never_hands_over():
    forest = Forest.of([("S", [Node("N"), "a"]), ("N", ["b"])], "S")
    for edges in ([1], [1, 0, 0], [1, 1], [0, 1]):
        with pytest.raises(ValueError, match="these edges are no derivation"):
            forest.native.read(np.array([0, len(edges)]), np.array(edges, np.int32))
    ngram = np.array([0, 1]), np.array([-1], np.int32), np.ones(1)
    with pytest.raises(ValueError, match="other shapes"):
        forest.native.rescored(0.0, *ngram, 1.0, 100)
    with pytest.raises(ValueError, match="other shapes"):
        Lattice.of([(0, 1, "a")], 0, [1]).native().split(*ngram, 0.0, 100)
