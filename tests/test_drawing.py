"""Pictures of lattices and forests: nothing collides, everything is there, any word can be drawn."""

import xml.etree.ElementTree as ET
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_graph_formats import forests, lattices, texts_of

from tricolore.errors import InputError, SpecError
from tricolore.graphs import Forest, Lattice, Node
from tricolore.graphs.drawing import draw, pruned
from tricolore.graphs.formats import read_graphs
from tricolore.graphs.layers import GAP, Layers, _inversions

SMALL = Lattice.of(
    [(0, 1, "a", -0.5), (0, 1, "the", -0.25), (1, 2, "cat", -1.0), (1, 2, None, -2.0), (0, 2, "dogs", -3.0)],
    0,
    {2: -0.125},
)


def elements(picture, kind):
    return [element for element in ET.fromstring(picture).iter() if element.tag.endswith("}" + kind)]


def labels(picture):
    return [element.text for element in elements(picture, "text")]


def test_words_scores_and_the_best_path():
    picture = draw(SMALL)
    assert {"a", "the", "cat", "ε", "dogs", "-0.25", "-0.12"} <= {*labels(picture)}
    best = [element.text for element in elements(picture, "text") if element.get("class") == "word best"]
    assert best == ["the", "cat"]
    assert [element.text for element in elements(picture, "title")] == ["the cat"]
    assert [element.text for element in elements(picture, "desc")] == ["3 states, 5 arcs (the lattice)"]
    plain = draw(SMALL, best=False)
    assert not [element for element in elements(plain, "text") if "best" in (element.get("class") or "")]
    assert 'width="500"' in draw(SMALL, width=500)
    assert picture == draw(SMALL)


def test_forests():
    forest = Forest.of([("S", ["a", Node("N")], -0.5), ("N", ["cat"], -0.75), ("N", [], -0.25)], "S")
    picture = draw(forest)
    assert {"a [0]", "cat", "ε", "-0.75"} <= {*labels(picture)}
    assert "2 nodes, 3 edges" in picture


@given(st.one_of(lattices(st.text(min_size=1, max_size=3)), forests(st.text(min_size=1, max_size=3))))
def test_any_word_can_be_drawn(graph):
    ET.fromstring(draw(graph).encode("utf-8"))


@pytest.mark.parametrize(("prune", "width"), [(0, None), (None, 0), (None, float("nan"))])
def test_what_cannot_be_meant(prune, width):
    with pytest.raises(SpecError, match="must be"):
        draw(SMALL, prune=prune, width=width)


def test_pruning_keeps_the_best_paths():
    arcs = [(i, i + 1, word, score) for i in range(200) for word, score in (("a", 0.0), (f"b{i}", -1.0 - i))]
    lattice = Lattice.of(arcs, 0, [200], place="x")
    with pytest.raises(InputError, match="x: has 400 arcs, too many for a readable picture"):
        draw(lattice)
    small = pruned(lattice, 210)
    assert len(small) == 210
    assert small.best().words == lattice.best().words
    assert {f"b{i}" for i in range(10)} == {lattice.words[i] for i in small.labels if lattice.words[i] != "a"}
    assert len(pruned(lattice, 3)) == 200  # the best path, whole
    assert "210 arcs of 400" in draw(lattice, prune=210)


@given(forests(), st.integers(1, 5))
def test_pruned_forests_are_parts(forest, number):
    small = pruned(forest, number)
    assert {words for words, _ in texts_of(small)} <= {words for words, _ in texts_of(forest)}
    assert small.best().words == forest.best().words


@given(st.lists(st.integers(0, 8), max_size=20))
def test_inversions(ends):
    assert _inversions(ends) == sum(one > other for one, other in combinations(ends, 2))


@given(st.data())
def test_boxes_do_not_collide(data):
    layers = Layers()
    sizes = st.floats(1, 30)
    boxes = [layers.add(data.draw(st.integers(0, 4)), data.draw(sizes), data.draw(sizes)) for _ in range(10)]
    for _ in range(data.draw(st.integers(0, 12))):
        one, other = data.draw(st.sampled_from(boxes)), data.draw(st.sampled_from(boxes))
        if one.layer < other.layer:
            layers.link(one, other)
    width, height = layers.place()
    right = 0.0
    for row in layers.rows:
        for one, other in pairwise(row):
            assert other.y - one.y >= (one.height + other.height) / 2 + GAP - 1e-6
        assert all(box.x - box.width / 2 >= right - 1e-6 for box in row)
        right = max((box.x + box.width / 2 for box in row), default=right)
    assert right <= width + 1e-6 or not layers.rows[-1]
    assert all(
        box.y - box.height / 2 >= -1e-6 and box.y + box.height / 2 <= height + 1e-6
        for row in layers.rows
        for box in row
    )


def boxes_of(picture):
    """Where texts are, about: left, top, right, bottom."""
    for element in elements(picture, "text"):
        if element.get("text-anchor") == "middle":
            x, y, size = (float(element.get(key)) for key in ("x", "y", "font-size"))
            half = 0.25 * size * len(element.text)
            yield x - half, y - 0.7 * size, x + half, y


def test_labels_of_real_lattices_do_not_collide(shared):
    found = [*read_graphs(str(shared / "data/lattices/fisher-test-es/lattices.plf.gz"))]
    for lattice in sorted(found, key=len)[::150]:
        there = [*boxes_of(draw(lattice))]
        for one, other in combinations(there, 2):
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart, lattice.place


def test_real_forests(shared):
    (forest,) = read_graphs(str(shared / "data/forests/cdec-json/zh-en.0.json.gz"))
    with pytest.raises(InputError, match="has 1,026 edges"):
        draw(forest)
    picture = draw(forest, prune=40)
    assert len(elements(picture, "text")) > 20
    assert np.isfinite([float(element.get("y")) for element in elements(picture, "text")]).all()


def test_captions_have_no_folders_and_no_scores_that_say_nothing():
    picture = draw(Lattice.of([(0, 1, "a"), (0, 1, "b")], 0, [1], place="/far/away/x.plf: line 3"))
    assert [element.text for element in elements(picture, "desc")] == ["2 states, 2 arcs (x.plf: line 3)"]
    assert "0.00" not in [element.text for element in elements(picture, "text")]
