"""Straw men: made of what is there, and rated no better than anything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.errors import InputError, SpecError
from tricolore.judge.correlation.options import STRAW_MEN as KINDS
from tricolore.judge.correlation.ratings import Ratings
from tricolore.judge.correlation.straw_men import rated_straw_men, straw_men

words = st.lists(st.sampled_from(["a", "b", "c", "dd", "e"]), max_size=9).map(" ".join)
corpora = st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(words, min_size=n, max_size=n), min_size=1, max_size=4))


@given(corpora)
def test_what_they_are_made_of(outputs):
    systems = {f"s{i}": output for i, output in enumerate(outputs)}
    made = straw_men(systems, KINDS)
    assert list(made) == [f"straw-{kind}" for kind in KINDS]
    for i in range(len(outputs[0])):
        said = [outputs[(i + k) % len(outputs)][i].split() for k in range(3)]
        first = said[0]
        assert made["straw-short"][i].split() == first[: max(1, len(first) // 4)]
        assert made["straw-long"][i].split() == said[0] + said[1] + said[2]
        assert sorted(made["straw-shuffled"][i].split()) == sorted(first)
        assert made["straw-repeated"][i].split() == first * 3


def test_shuffling_is_seeded():
    systems = {"a": ["one two three four five six seven eight nine ten"] * 3}
    first = straw_men(systems, ["shuffled"])
    assert straw_men(systems, ["shuffled"], seed=12345) == first
    assert straw_men(systems, ["shuffled"], seed=1) != first
    assert len(set(first["straw-shuffled"])) == 3


def test_text_without_spaces_is_cut_into_characters():
    systems = {"a": ["今天天气很好我们去公园"], "b": ["今天天氣不錯去公園吧嗎"]}
    made = straw_men(systems, KINDS)
    assert made["straw-short"] == ["今天"]
    assert made["straw-long"] == [systems["a"][0] + systems["b"][0] + systems["a"][0]]
    assert sorted(made["straw-shuffled"][0]) == sorted(systems["a"][0])


def test_names():
    with pytest.raises(SpecError, match=r"there is no straw man 'shrt'; did you mean 'short'\?"):
        straw_men({"a": ["x"]}, ["shrt"])
    with pytest.raises(InputError, match="a system is called straw-long"):
        straw_men({"straw-long": ["x"]})


@pytest.mark.parametrize("names", ["ab", "ba"])
def test_words_are_those_of_most_outputs(names):
    outputs = {"a": ["I do not like apples."], "b": ["我不喜欢吃苹果,因为它太酸了,所以我们去纽约中央公园散步吧。"]}
    assert " " not in straw_men({name: outputs[name] for name in names}, ["shuffled"])["straw-shuffled"][0]
    assert straw_men(outputs, ["short"], spaced=True)["straw-short"] == ["I"]


PEOPLE = Ratings("r", ("A", "B"), ("1", "2", "3"), {("A", "1"): 5.0, ("B", "1"): 3.0, ("A", "2"): 9.0})


@pytest.mark.parametrize(
    ("score", "expected"), [("worst", [3.0, 3.0]), ("segment", [3.0, 9.0]), ("-1.5", [-1.5, -1.5]), (0, [0.0, 0.0])]
)
def test_what_people_would_say(score, expected):
    found = rated_straw_men(PEOPLE, ["straw-short"], score)
    assert found.systems == ("A", "B", "straw-short")
    assert [found.cells["straw-short", segment] for segment in "12"] == expected
    assert ("straw-short", "3") not in found.cells
    assert f"straw:straw-short={score}" in found.signature
    assert {cell: value for cell, value in found.cells.items() if cell[0] != "straw-short"} == PEOPLE.cells


@pytest.mark.parametrize("score", ["best", "nan", "inf", ""])
def test_scores_that_are_none(score):
    with pytest.raises(SpecError, match="straw_score must be worst, segment or a number"):
        rated_straw_men(PEOPLE, ["straw-short"], score)


def test_nothing_rated_is_told():
    people = Ratings("r.tsv", ("A", "B"), ("1", "2"), {})
    with pytest.raises(InputError, match=r"r\.tsv: has no ratings"):
        rated_straw_men(people, ["straw-short"])
