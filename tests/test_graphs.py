"""Lattices and forests as arrays: order, what is left out, what is refused."""

import numpy as np
import pytest

from tricolore.errors import InputError
from tricolore.graphs import Forest, Lattice, Node
from tricolore.tune.features import Features, Group, Layout
from tricolore.tune.weights import Weights


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
    with pytest.raises(InputError, match=r"x: states go round in a cycle \((b -> c -> b|c -> b -> c)\)"):
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
    with pytest.raises(InputError, match="nodes go round in a cycle"):
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
