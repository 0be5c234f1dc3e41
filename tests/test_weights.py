"""Weights and where they may be: files of every form, mistakes, bounds and fixed features."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.errors import InputError, SpecError
from tricolore.features import Group, Layout
from tricolore.tuning.bounds import Bounds, make_bounds
from tricolore.weights import Weights, check_names, normalised, read_weights

LAYOUT = Layout((Group("lm", 0, 1), Group("tm", 1, 2)))


def read(folder, text):
    path = folder / "w.txt"
    path.write_text(text)
    return read_weights(str(path))


# Files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "lm= 0.5\ntm= 0.25 -1\n",
        "lm=0.5\ntm= 0.25 -1",
        "lm: 0.5\ntm: 0.25 -1\n",
        "lm 0.5\ntm 0.25 -1\n",
        "# of today\n\n  lm=   5e-1\r\n\ttm=\t0.25\t-1.0\n   # end\n",
        "[feature]\nlm name=x\n\n[weight]\nlm= 0.5\ntm= 0.25 -1\n\n[threads]\n4\n",
    ],
)
def test_forms(tmp_path, text):
    weights = read(tmp_path, text)
    assert dict(weights.values) == {"lm": (0.5,), "tm": (0.25, -1.0)}
    vector, missing = weights.vector(LAYOUT)
    assert (vector.tolist(), missing) == ([0.5, 0.25, -1.0], [])


def test_names_may_have_signs_in_them(tmp_path):
    assert dict(read(tmp_path, "a=b=2\nx:y= 3\nc:d 4\ne=f: 5\n").values) == {
        "a=b": (2.0,),
        "x:y": (3.0,),
        "c:d": (4.0,),
        "e=f": (5.0,),
    }


characters = st.characters(categories=("L", "N", "P", "S"), exclude_characters="#[")
names = st.text(characters | st.sampled_from("\u00a0\u2003\u2028\x85=:"), min_size=1, max_size=8).filter(
    lambda name: name.strip()  # else the line is empty
)


@given(
    st.dictionaries(
        names, st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=3), min_size=1
    )
)
def test_what_was_written_is_read(tmp_path_factory, values):
    path = str(tmp_path_factory.mktemp("weights") / "w.txt")
    weights = Weights({name: tuple(numbers) for name, numbers in values.items()})
    weights.write(path)
    assert dict(read_weights(path).values) == dict(weights.values)


def test_from_a_vector_and_back():
    vector = np.array([0.1, -2.0, 1e-300])
    assert Weights.of(vector, LAYOUT).vector(LAYOUT)[0].tolist() == vector.tolist()
    assert str(Weights.of(vector, LAYOUT)) == "lm= 0.1\ntm= -2 1e-300\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no weights; expected 'name= value ...' per line"),
        ("# nothing\n\n", "there are no weights; expected 'name= value ...' per line"),
        ("[weight]\n[x]\nlm= 1\n", "there are no weights"),
        ("lm= 1\nlm= 2\n", "line 2: 'lm' has weights already; expected each name once"),
        ("lm=\n", "line 1: expected 'name= value ...', found 'lm='"),
        ("lm\n", "line 1: expected 'name= value ...', found 'lm'"),
        ("lm= 1\ntm= 1 x\n", "line 2: expected a finite number, found 'x'"),
        ("lm= nan\n", "line 1: expected a finite number, found 'nan'"),
        ("\nlm= -inf\n", "line 2: expected a finite number, found '-inf'"),
        ("lm= 1e999\n", "line 1: expected a finite number, found '1e999'"),
        ("lm= 1_5\n", "line 1: expected a finite number, found '1_5'"),
    ],
)
def test_broken_files(tmp_path, text, message):
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(str(tmp_path / "w.txt"))
    assert message in str(caught.value)


def test_features_without_weights():
    weights = Weights({"lm": (1.0,), "other": (2.0,)}, "w.txt")
    vector, missing = weights.vector(LAYOUT)
    assert (vector.tolist(), missing) == ([1.0, 0.0, 0.0], ["tm"])
    assert weights.warning(missing) == "w.txt: no weight for 1 feature of the lists ('tm'), taken as 0"
    assert "; did you mean 'other'?" in weights.warning(["othre"])
    many = weights.warning(["a", "b", "c", "d"])
    assert many == "w.txt: no weight for 4 features of the lists ('a', 'b', 'c', ...), taken as 0"


def test_weights_of_other_features_are_refused():
    with pytest.raises(InputError, match=r"w.txt: 'tm' has 1 weight, but 2 values in the lists"):
        Weights({"tm": (1.0,)}, "w.txt").vector(LAYOUT)
    with pytest.raises(InputError, match=r"no weight is for a feature of the lists \(weights: x; lists: lm, tm\)"):
        Weights({"x": (1.0,)}).vector(LAYOUT)
    assert Weights({"x": (1.0,)}).vector(LAYOUT, strangers=True)[1] == ["lm", "tm"]


@pytest.mark.parametrize(("norm", "size"), [("l1", 7), ("l2", 5), ("max", 4), ("none", 1)])
def test_norms(norm, size):
    assert normalised(np.array([3.0, -4.0]), norm).tolist() == [3 / size, -4 / size]
    assert normalised(np.zeros(2), norm).tolist() == [0, 0]


@pytest.mark.parametrize("size", [1e300, 1e-300, 5e-324])
@pytest.mark.parametrize("norm", ["l1", "l2", "max"])
def test_norms_of_very_large_and_very_small_weights(norm, size):
    assert normalised(np.full(4, size), norm).tolist() == normalised(np.ones(4), norm).tolist()


def test_a_name_that_would_be_read_as_a_comment():
    check_names(LAYOUT)
    with pytest.raises(InputError, match="feature '#x': in a file of weights, # begins a comment"):
        check_names(Layout((Group("lm", 0, 1), Group("#x", 1, 1))))


# Bounds -----------------------------------------------------------------------------------------------------


def test_bounds_and_fixed_features():
    space, start = make_bounds(LAYOUT, np.array([5.0, -3.0, 2.0]), ["tm[1]=-1"], ["lm=0:1", "tm[0]=:-4"])
    assert space.lower.tolist() == [0, -math.inf, -1]
    assert space.upper.tolist() == [1, -4, -1]
    assert start.tolist() == [1, -4, -1]
    assert space.free.tolist() == [True, True, False]
    assert space.bounded
    space, start = make_bounds(LAYOUT, np.array([5.0, -3.0, 2.0]), ["tm"], [])
    assert (space.lower.tolist(), start.tolist()) == ([-math.inf, -3, 2], [5, -3, 2])
    assert not Bounds.none(3).bounded


@pytest.mark.parametrize(
    ("fix", "bounds", "message"),
    [
        (["l"], [], "no feature 'l' in the lists"),
        (["lmm"], [], "no feature 'lmm' in the lists; did you mean 'lm'?"),
        (["tm[2]"], [], "no feature 'tm[2]' in the lists"),
        (["lm=x"], [], "fix: 'lm=x': expected a finite number, got 'x'"),
        (["lm", "lm=1"], [], "fix: 'lm=1': 'lm' is fixed already"),
        (["lm=-1"], ["lm=0:"], "fix: 'lm=-1': the weight would stay outside its bounds"),
        ([], ["lm=0:", "lm=:1"], "bounds: 'lm=:1': 'lm' has bounds already; write both as NAME=LOW:HIGH"),
        (["lm=nan"], [], "expected a finite number, got 'nan'"),
        (["lm=inf"], [], "expected a finite number, got 'inf'"),
        (["lm", "tm"], [], "all features are fixed; there is nothing to tune"),
        ([], ["lm"], "bounds: expected NAME=LOW:HIGH, such as lm=0:1 or lm=0:, got 'lm'"),
        ([], ["lm=1"], "bounds: expected NAME=LOW:HIGH"),
        ([], ["lm=2:1"], "bounds: 'lm=2:1': the lower bound is above the upper"),
        ([], ["lm=inf:"], "bounds: 'lm=inf:': no finite number is within them"),
        ([], ["lm=:-inf"], "bounds: 'lm=:-inf': no finite number is within them"),
        ([], ["lm=a:1"], "expected a number, got 'a'"),
    ],
)
def test_mistakes(fix, bounds, message):
    with pytest.raises(SpecError) as caught:
        make_bounds(LAYOUT, np.ones(3), fix, bounds)
    assert message in str(caught.value)


numbers = st.floats(-4, 4).map(lambda x: round(x, 1))


@given(st.lists(st.tuples(numbers, numbers, numbers, numbers), min_size=1, max_size=4), numbers)
def test_reach_is_as_far_as_the_bounds_let_one_go(drawn, gamma):
    lower, upper = (np.array(side) for side in zip(*(sorted(row[:2]) for row in drawn), strict=True))
    space = Bounds(lower, upper)
    weights = space.project(np.array([row[2] for row in drawn]))
    direction = np.array([row[3] for row in drawn])
    least, most = space.reach(weights, direction)
    assert least <= 0 <= most
    moved = weights + gamma * direction
    tolerance = 1e-9
    within = bool(((moved >= lower - tolerance) & (moved <= upper + tolerance)).all())
    if least + tolerance < gamma < most - tolerance:
        assert within
    elif gamma > most + tolerance or gamma < least - tolerance:
        assert not bool(((moved >= lower) & (moved <= upper)).all())
