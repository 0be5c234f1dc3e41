"""Relative rankings: pairs of one ranking, expected wins, Kendall's statistics over pairs."""

import math
from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from test_ratings import table

from tricolore.errors import InputError, SpecError
from tricolore.judge.correlation.agreement import agreement, intervals
from tricolore.judge.correlation.join_scores import ScoredSystems, join_group
from tricolore.judge.correlation.measures import Measure
from tricolore.judge.correlation.metric_tests import compare_metrics, permutation_test
from tricolore.judge.correlation.options import JoinOptions
from tricolore.judge.correlation.rankings import (
    Judgement,
    Rankings,
    read_rankings,
)
from tricolore.judge.correlation.statistics import kendall
from tricolore.judge.score_table import Column, ScoreTable

LONG = """
segment annotator system rank
1 x A 1
1 x B 2
1 x C 2
1 y A 3
1 y C 1
2 x B 1
2 x A 4
"""

WIDE = """
srclang trglang srcIndex judgeId system1Number system1Id system2Number system2Id system3Number system3Id RANKS
cs en 1 x 1 A 2 B 3 C 1 2 2
cs en 1 y 1 A 2 C 3 B 3 1 -1
cs en 2 x 2 B 1 A 3 C 1 4 -1
""".replace("RANKS", "system1rank system2rank system3rank")

PAIRS = {
    Judgement("1", "A", "B", 1),
    Judgement("1", "A", "C", 1),
    Judgement("1", "B", "C", 0),
    Judgement("1", "A", "C", -1),
    Judgement("2", "B", "A", 1),
}


@pytest.mark.parametrize("text", [LONG, WIDE], ids=["a row a system", "a row a ranking"])
def test_both_forms_say_the_same(text):
    found = read_rankings(table(text))
    assert set(found.judgements) == PAIRS
    assert found.systems == ("A", "B", "C")
    assert found.segments == ("1", "2")
    assert found.signature == "human:rr|rankings:3|pairs:5|ties:1|raters:2"


def test_pairs_by_index():
    found = read_rankings(table(LONG))
    assert sorted(map(tuple, found.pairs(["C", "A", "B"], ["1", "2"]).tolist())) == [
        (0, 0, 1),
        (0, 1, 0),
        (0, 1, 2),
        (1, 2, 1),
    ]
    assert found.pairs(["A", "B"], ["2"]).tolist() == [[0, 1, 0]]


def test_expected_wins():
    people = read_rankings(table(LONG)).column(["A", "B", "C"], ["1", "2"])
    # A beat B once and lost once, beat C once and lost once; B has met A only, ties do not count.
    np.testing.assert_allclose(people.systems(), [0.5, 0.5, 0.5])
    np.testing.assert_allclose(people.segments[:, 1], [0.0, 1.0, math.nan])


def test_rankings_of_one_annotator_are_told_apart_by_a_column():
    twice = "segment annotator ranking system rank\n1 x a A 1\n1 x a B 2\n1 x b A 2\n1 x b C 1"
    assert set(read_rankings(table(twice)).judgements) == {Judgement("1", "A", "B", 1), Judgement("1", "A", "C", -1)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("segment annotator system rank\n1 x A 1\n1 x B 2\n1 x A 3", r"line 4: A is twice .* 1 \(also on line 2\)"),
        ("segment annotator system rank\n1 x A first", "line 2: rank: expected a rank such as 1 or 2, .* 'first'"),
        ("segment annotator system rank\n1 x A -2", "line 2: rank: expected a rank"),
        ("segment annotator system rank\n1 x A 1\n1 x B 1", "no ranking prefers one system to another"),
        ("segment annotator system place\n1 x A 1", "expected a column 'rank'"),
        ("annotator system rank\nx A 1", "expected a column 'segment'"),
        ("srcIndex system1Id system2Id system1rank\n1 A B 1", "expected a column 'system2rank'"),
        ("srcIndex system1Id system2Id system1rank system2rank\n1 A A 1 2", "line 2: A is twice in one ranking"),
    ],
)
def test_bad_rankings(text, message):
    with pytest.raises(InputError, match=message):
        read_rankings(table(text))


# Agreement -------------------------------------------------------------------------------------------------------

ranks = st.lists(
    st.tuples(st.sampled_from("12345"), st.dictionaries(st.sampled_from("ABCD"), st.integers(1, 3), min_size=2)),
    min_size=1,
    max_size=12,
).filter(lambda rankings: any(len(set(ranks.values())) > 1 for _, ranks in rankings))


def long_form(rankings):
    rows = [f"{seg} {i} {system} {rank}" for i, (seg, ranks) in enumerate(rankings) for system, rank in ranks.items()]
    return read_rankings(table("segment ranking system rank\n" + "\n".join(rows)))


def scored(rankings, values, higher_is_better=True):
    """A table of these rankings and a metric."""
    column = Column.of_scores("m", values, higher_is_better=higher_is_better)
    systems, segments = ("A", "B", "C", "D"), ("1", "2", "3", "4", "5")
    human = rankings.column(systems, segments)
    return ScoreTable(systems, segments, human, (column,))


values = st.lists(st.lists(st.sampled_from([0.0, 1.0, 2.0, math.nan]), min_size=5, max_size=5), min_size=4, max_size=4)


@given(ranks, values, st.sampled_from(["half", "wmt12", "wmt13", "wmt14"]))
def test_kendall_over_rankings_is_kendall_over_their_pairs(rankings, scores, variant):
    pairs = []
    for segment, order in rankings:
        for one, other in combinations(order, 2):
            x, y = (scores["ABCD".index(system)][int(segment) - 1] for system in (one, other))
            pairs.append((order[other] - order[one], x - y))
    people = long_form(rankings)
    measure = Measure("segment", f"kendall-{variant}", "segment")
    found = agreement([scored(people, scores)], "m", measure, rankings=[people])
    expected = kendall(pairs, variant)
    assert found.value == pytest.approx(expected, nan_ok=True)
    assert found.pairs == sum(1 for x, y in pairs if x and not math.isnan(y))
    turned = scored(people, -np.array(scores), higher_is_better=False)
    assert agreement([turned], "m", measure, rankings=[people]).value == pytest.approx(expected, nan_ok=True)


@given(ranks, values, st.sampled_from(["segments", "systems", "both"]))
def test_resamples_count_pairs_as_often_as_they_are_drawn(rankings, scores, over):
    from tricolore.judge.correlation.rankings import RankedPairs
    from tricolore.judge.correlation.resamples import Resamples

    people = long_form(rankings)
    one = scored(people, scores)
    plan = Resamples(one, 3, 5, over)
    found = RankedPairs(one, people).resampled(one.metric("m"), plan)
    for k in range(3):
        counts = [0, 0, 0]
        for segment, better, worse in people.pairs(one.systems, one.segments).tolist():
            times = 1 if plan.segments is None else plan.segments[k].tolist().count(segment)
            if plan.systems is not None:
                times *= plan.systems[k].tolist().count(better) * plan.systems[k].tolist().count(worse)
            difference = scores[better][segment] - scores[worse][segment]
            if not math.isnan(difference):
                counts[0 if difference > 0 else 1 if difference < 0 else 2] += times
        assert found[k][[0, 1, 3]].tolist() == counts


def test_intervals_hold_the_value():
    rng = np.random.default_rng(1)
    quality = rng.normal(size=(4, 60))
    rows = []
    for segment in range(60):
        order = np.argsort(-(quality[:, segment] + rng.normal(size=4)))
        rows += [f"{segment + 1} {'ABCD'[system]} {rank}" for rank, system in enumerate(order, 1)]
    people = read_rankings(table("segment system rank\n" + "\n".join(rows)))
    segments = tuple(str(i) for i in range(1, 61))
    metric = Column.of_scores("m", quality)
    one = ScoreTable(tuple("ABCD"), segments, people.column("ABCD", segments), (metric,))
    measures = [Measure.parse(f"{name} by segment") for name in ("kendall-wmt14", "accuracy")]
    for over in ("segments", "systems", "both"):
        found = intervals([one], ["m"], measures, samples=300, over=over, rankings=[people])
        assert [each.low < each.value < each.high for each in found] == [True, True]
        assert f"over:{over}|bs:300|ci:0.95|seed:12345" in found[0].signature
    assert found[0].groups == 60
    other = intervals([one, one], ["m"], measures, samples=50, over="tables", rankings=[people, people])
    assert [each.low for each in other] == pytest.approx([each.value for each in found])
    assert math.isnan(intervals([one], ["m"], measures, samples=50, over="tables", rankings=[people])[0].low)
    again = intervals([one], ["m"], measures, samples=300, over=over, rankings=[people])
    assert repr(again) == repr(found)


def test_tables_of_rankings_can_be_drawn():
    from tricolore.draws import draws

    some = [long_form([("1", {"A": 1, "B": 2 + k % 2, "C": 3 - k % 2}), ("2", {"A": 2, "B": 1})]) for k in range(6)]
    rng = np.random.default_rng(1)
    tables = [scored(people, rng.normal(size=(4, 5)).tolist()) for people in some]
    measure = Measure.parse("kendall-wmt14 by segment")
    how = {"over": "tables", "interval": "percentile"}
    found = intervals(tables, ["m"], [measure], samples=20, rankings=some, **how)[0]
    values = [
        agreement([tables[i] for i in one], "m", measure, rankings=[some[i] for i in one]).value
        for one in draws(6, 20, 12345)
    ]
    assert [found.low, found.high] == pytest.approx(np.quantile(values, [0.025, 0.975]).tolist())


def test_system_level_goes_by_expected_wins():
    people = read_rankings(table("segment system rank\n1 A 1\n1 B 2\n1 C 3\n2 A 1\n2 C 2\n2 B 3"))
    metric = ScoredSystems("m", ("A", "B", "C"), ("1", "2"), (Column.of_scores("m", [[3, 3], [2, 2], [1, 2]]),))
    table_ = join_group(people, metric, JoinOptions())[0]
    np.testing.assert_allclose(table_.human.systems(), [1, 0.25, 0.25])
    assert agreement(table_, "m", Measure("system", "accuracy")).value == 1
    assert agreement(table_, "m", Measure("system", "accuracy")).pairs == 2


@pytest.mark.parametrize("text", ["kendall-b by segment", "segment pearson pooled", "kendall-wmt14 by system"])
def test_what_rankings_cannot_say(text):
    people = read_rankings(table(LONG))
    with pytest.raises(SpecError, match="needs a score for each segment, but rankings order pairs"):
        agreement([scored(people, [[1.0] * 5] * 4)], "m", Measure.parse(text), rankings=[people])


# Tests between metrics -------------------------------------------------------------------------------------------


def three_metrics(seed):
    """Rankings of four systems, and metrics of which one is a copy of another."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(4, 60))
    rows = []
    for segment in range(60):
        order = np.argsort(-(quality[:, segment] + rng.normal(size=4)))
        rows += [f"{segment + 1} {'ABCD'[system]} {rank}" for rank, system in enumerate(order, 1)]
    people = read_rankings(table("segment system rank\n" + "\n".join(rows)))
    segments = tuple(str(i) for i in range(1, 61))
    blunt = Column.of_scores("blunt", quality + 4 * rng.normal(size=(4, 60)))
    columns = (Column.of_scores("sharp", quality), Column.of_scores("copy", 2 * quality + 1), blunt)
    return people, ScoreTable(tuple("ABCD"), segments, people.column("ABCD", segments), columns)


@pytest.mark.parametrize("over", ["both", "inputs", "systems"])
def test_metrics_are_compared_by_pairs(over):
    people, one = three_metrics(2)
    measure = Measure.parse("kendall-wmt14 by segment")
    found = compare_metrics([one], ["sharp", "copy", "blunt"], measure, over=over, shuffles=200, rankings=[people])
    assert found.difference("sharp", "copy").p == 1
    assert [each.value for each in found.agreements] == [
        agreement([one], each.metric, measure, rankings=[people]).value for each in found.agreements
    ]
    if over != "systems":  # sixteen ways to exchange four systems are too few
        assert found.difference("sharp", "blunt").adjusted < 0.05
        assert found.clusters == (1, 1, 2)
    scores = ScoreTable(one.systems, one.segments, as_scores(people, one), one.metrics)
    same = compare_metrics([scores], ["sharp", "copy", "blunt"], measure, over=over, shuffles=200)
    assert same.differences == found.differences


def as_scores(people, one):
    """Full rankings say the same as scores of segments."""
    values = np.zeros((4, 60))
    for segment, better, _ in people.pairs(one.systems, one.segments).tolist():
        values[better, segment] += 1
    return Column.of_scores("human", values)


def test_p_values_are_uniform_where_metrics_are_alike():
    measure = Measure.parse("kendall-wmt14 by segment")
    p_values = []
    for seed in range(120):
        people, one = three_metrics(seed)
        rng = np.random.default_rng(1000 + seed)
        noise = rng.normal(size=(2, 4, 60))
        base = one.metric("sharp").segments
        columns = tuple(Column.of_scores(f"m{k}", base + noise[k]) for k in range(2))
        both = ScoreTable(one.systems, one.segments, one.human, columns)
        p_values.append(permutation_test([both], "m0", "m1", measure, over="both", shuffles=99, rankings=[people]))
    assert scipy.stats.kstest(p_values, "uniform").pvalue > 0.01


def test_more_pairs_than_memory_holds():
    systems = tuple(f"S{i}" for i in range(100))
    people = Rankings("wmt.csv", systems, ("1",), (Judgement("1", "S0", "S1", 1),))
    with pytest.raises(InputError, match=r"wmt.csv: 100 systems on 10,000 segments are more pairs than memory"):
        people.column(systems, [str(i) for i in range(1, 10_001)])
