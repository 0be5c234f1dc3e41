"""Several ratings of an output: how noisy their mean is, and agreement without that noise."""

import re
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tricolore as tri
from tricolore.errors import InputError, SpecError
from tricolore.judge.correlation.agreement import intervals
from tricolore.judge.correlation.attenuation import LEAST_RELIABILITY
from tricolore.judge.correlation.interval_methods import expanded_percentiles
from tricolore.judge.correlation.measures import Measure
from tricolore.judge.correlation.rating_noise import noise_of_means
from tricolore.judge.correlation.ratings import read_ratings
from tricolore.judge.correlation.resamples import Resamples
from tricolore.judge.score_table import Column, ScoreTable
from tricolore.readers.tables import as_table

POOLED, BY_SYSTEM = Measure.parse("segment pearson pooled"), Measure.parse("segment pearson by system")


def rated(seed, systems=4, segments=20, ratings=3, noise=1.0, missing=0.1):
    """A table in which each output has several ratings."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(systems, segments)) + rng.normal(size=segments)
    every = quality + noise * rng.normal(size=(ratings, systems, segments))
    means = np.where(rng.random(quality.shape) < missing, np.nan, every.mean(axis=0))
    human = replace(Column.of_scores("human", means), noise=every.var(axis=0, ddof=1) / ratings)
    metric = Column.of_scores("a", quality + rng.normal(size=quality.shape))
    names = (tuple(map(str, range(number))) for number in quality.shape)
    return ScoreTable(*names, human, (metric,))


def slow(table, measure, systems, segments):
    """Spearman's correction for some systems and segments, point by point, and the reliability of ratings."""
    groups, shares = [], []
    points = [[(i, j) for j in segments if not np.isnan(table.human.segments[i, j])] for i in systems]
    for group in [[*chain(*points)]] if measure.by == "pooled" else points:
        h, m, noise = (
            np.array([values[point] for point in group])
            for values in (table.human.segments, table.metrics[0].segments, table.human.noise)
        )
        share = np.clip(1 - noise.mean() / h.var(), 0, 1)
        r = np.corrcoef(h, m)[0, 1] / np.sqrt(max(share, LEAST_RELIABILITY))
        groups.append(np.clip(r, -1, 1))
        shares.append(share)
    return np.mean(groups), np.mean(shares)


@pytest.mark.parametrize("over", ["segments", "systems", "both"])
@pytest.mark.parametrize("measure", [POOLED, BY_SYSTEM], ids=str)
@pytest.mark.parametrize("noise", [0.5, 4.0])
def test_disattenuated_intervals(over, measure, noise):
    table = rated(3, noise=noise)
    found = intervals(table, ["a"], [measure], samples=30, seed=5, over=over, interval="disattenuated")[0]
    plan = Resamples(table, 30, 5, over)
    systems = [range(4)] * 30 if plan.systems is None else plan.systems
    segments = [range(20)] * 30 if plan.segments is None else plan.segments
    values = [slow(table, measure, *both)[0] for both in zip(systems, segments, strict=True)]
    expected = expanded_percentiles(np.array(values), 0.95, [{"segments": 20}.get(over, 4)])
    assert (found.low, found.high) == pytest.approx(expected)
    expected = slow(table, measure, range(4), range(20))
    assert (found.corrected, found.human_reliability) == pytest.approx(expected)
    assert abs(found.corrected) > abs(found.value) and np.isnan(found.metric_reliability)
    assert found.interval == "disattenuated" and "interval:disattenuated" in found.signature


def test_without_noise_nothing_is_corrected():
    table = rated(4, noise=0)
    found = intervals(table, ["a"], [POOLED], samples=20, interval="disattenuated")[0]
    plain = intervals(table, ["a"], [POOLED], samples=20)[0]
    assert found.corrected == pytest.approx(found.value)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high))


def test_several_tables_are_averaged():
    tables = [rated(seed) for seed in (1, 2)]
    found = intervals(tables, ["a"], [POOLED], samples=20, interval="disattenuated")[0]
    alone = [intervals(one, ["a"], [POOLED], samples=20, interval="disattenuated")[0] for one in tables]
    assert found.corrected == pytest.approx(np.mean([one.corrected for one in alone]))
    assert found.human_reliability == pytest.approx(np.mean([one.human_reliability for one in alone]))


def test_other_measures_get_their_default():
    measures = [Measure.parse(text) for text in ("system pearson", "segment pearson by segment", "kendall-b pooled")]
    found = intervals(rated(1), ["a"], measures, samples=20, interval="disattenuated")
    assert [one.interval for one in found] == ["corrected", "expanded", "expanded"]
    assert repr([one.low for one in found]) == repr(
        [one.low for one in intervals(rated(1), ["a"], measures, samples=20)]
    )


# From files ----------------------------------------------------------------------------------------------------------

LINES = [
    ("A", 1, "x", 70),
    ("A", 1, "y", 90),
    ("B", 1, "x", 50),
    ("B", 1, "y", 40),
    ("A", 2, "x", 60),
    ("B", 2, "y", 20),
]


def noise_of(columns, form="scores", **how):
    return read_ratings(as_table(columns, "human"), form, **how).noise


def columns_of(lines, *names):
    return dict(zip(names, map(list, zip(*lines, strict=True)), strict=True))


def test_noise_of_scores():
    """Single ratings vary as the others do: the mean of s² over 70, 90 and 50, 40."""
    columns = columns_of(LINES, "system", "segment", "rater", "score")
    del columns["rater"]
    single = (200 + 50) / 2
    assert noise_of(columns) == {("A", "1"): 100, ("B", "1"): 25, ("A", "2"): single, ("B", "2"): single}


def test_noise_of_named_annotators():
    """y is more lenient than x by 5 in the mean; 15 more and 15 less are left, with one degree of freedom of two."""
    found = noise_of(columns_of(LINES, "system", "segment", "rater", "score"))
    noise = 2 * (7.5**2 + 7.5**2)
    assert found["A", "1"] == found["B", "1"] == pytest.approx(noise / 2)
    assert found["A", "2"] == found["B", "2"] == pytest.approx(noise + 2.5**2)


def slow_noise(ratings):
    """By a linear model with an indicator for each output and annotator."""
    units = [(cell, who, value) for cell, by in ratings.items() for who, value in by.items()]
    names = sorted({who for _, who, _ in units})
    design = np.array([[*(c == one for one in ratings), *(w == one for one in names)] for c, w, _ in units], float)
    values = np.array([value for *_, value in units])
    fitted = np.linalg.lstsq(design, values, rcond=None)[0]
    left, outputs = values - design @ fitted, len(ratings)
    effects = dict(zip(names, fitted[outputs:] - fitted[outputs:].mean(), strict=True))
    freedom = len(units) - np.linalg.matrix_rank(design)
    lenient = {cell: np.mean([effects[who] for who in by]) for cell, by in ratings.items()}
    found = {}
    for cell, by in ratings.items():
        squares = sum(left[i] ** 2 for i, (c, *_) in enumerate(units) if c == cell)
        own = (
            squares / (len(by) - 1) * (len(units) - outputs) / freedom / len(by)
            if len(by) > 1
            else sum(left**2) / freedom
        )
        found[cell] = own + (lenient[cell] - np.mean([*lenient.values()])) ** 2
    return found


@given(seed=st.integers(0, 10_000))
def test_noise_is_that_of_a_linear_model(seed):
    rng = np.random.default_rng(seed)
    ratings = {
        (system, str(i)): {str(who): float(rng.integers(0, 9)) for who in rng.permutation(4)[: rng.integers(1, 4)]}
        for system in "AB"
        for i in range(12)
    }
    assert noise_of_means(ratings, named=True) == pytest.approx(slow_noise(ratings), abs=1e-9)


def test_lenient_annotators_are_no_noise_where_they_rate_everything():
    rng = np.random.default_rng(1)
    ratings = {("A", str(i)): dict(zip("xyz", rng.normal(size=3), strict=True)) for i in range(30)}
    shifted = {cell: {**by, "z": by["z"] + 100} for cell, by in ratings.items()}
    assert noise_of_means(shifted, named=True) == pytest.approx(noise_of_means(ratings, named=True))


def test_lenient_annotators_are_noise_where_they_rate_some():
    rng = np.random.default_rng(2)
    quality, lenient, ratings = rng.normal(size=4000), rng.normal(size=8), {}
    for i, q in enumerate(quality):
        by = {str(who): q + lenient[who] + rng.normal() for who in rng.permutation(8)[:2]}
        ratings["A", str(i)] = by
    means = np.array([np.mean([*by.values()]) for by in ratings.values()])
    noise = np.mean([*noise_of_means(ratings, named=True).values()])
    assert means.var() - noise == pytest.approx(quality.var(), rel=0.1)
    assert noise == pytest.approx((means - quality).var(), rel=0.05)


def test_noise_of_lists_in_cells():
    columns = {"system": ["A", "B"], "segment": [1, 1], "score": ["[70, 90]", "[50]"]}
    assert noise_of(columns) == {("A", "1"): 100, ("B", "1"): 200}


def test_repeats_by_one_annotator_are_one_rating():
    lines = [("A", 1, "x", 70), ("A", 1, "x", 80), ("A", 1, "y", 95)]
    columns = columns_of(lines, "system", "segment", "rater", "score")
    assert noise_of(columns, keep_repeats=True) == {("A", "1"): 100}


def test_noise_of_mqm():
    lines = [("A", 1, "x", "Major"), ("A", 1, "x", "Minor"), ("A", 1, "y", "No-error")]
    columns = columns_of(lines, "system", "segment", "rater", "severity") | {"category": ["Accuracy"] * 3}
    assert noise_of(columns, "mqm") == {("A", "1"): 9}  # 6 and 0 points
    counts = {"system": ["A", "A"], "segment": [1, 1], "rater": ["x", "y"], "n_major": [1, 0], "n_minor": [1, 0]}
    assert noise_of(counts, "mqm-counts") == {("A", "1"): 9}


def test_noise_of_standardised_ratings():
    found = read_ratings(as_table(columns_of(LINES, "system", "segment", "rater", "score"), "human"), "da-z")
    z = {rater: [s for _, _, who, s in LINES if who == rater] for rater in "xy"}
    x, y = ((np.array(said) - np.mean(said)) / np.std(said, ddof=1) for said in z.values())
    said = {("A", "1"): {"x": x[0], "y": y[0]}, ("B", "1"): {"x": x[1], "y": y[1]}}
    said |= {("A", "2"): {"x": x[2]}, ("B", "2"): {"y": y[2]}}
    assert found.noise == pytest.approx(slow_noise(said))


def files(folder, lines):
    human, scores = folder / "human.tsv", folder / "scores.tsv"
    human.write_text("system\tsegment\trater\tscore\n" + "".join("\t".join(map(str, one)) + "\n" for one in lines))
    outputs = dict.fromkeys((system, segment) for system, segment, *_ in lines)
    rng = np.random.default_rng(1)
    scores.write_text("system\tsegment\tm\n" + "".join(f"{a}\t{b}\t{rng.random():.3f}\n" for a, b in outputs))
    return {"data": str(scores), "human": str(human), "samples": 20}


def test_correlate_prints_the_disattenuated_value(tmp_path):
    rng = np.random.default_rng(2)
    lines = [(s, i, who, round(50 + 10 * i + rng.normal(0, 9))) for s in "ABC" for i in range(1, 6) for who in "xy"]
    given = files(tmp_path, lines)
    found = tri.correlate(**given, interval="disattenuated")
    one = found["m", "segment pearson pooled"]
    assert one.interval == "disattenuated" and 0 < one.human_reliability < 1
    assert f"without the noise of ratings: {one.corrected:.3f} (m, segment pearson pooled)." in str(found)
    record = next(one for one in found.to_dict()["agreements"] if one["interval"] == "disattenuated")
    assert record["corrected"] == one.corrected and record["human_reliability"] == one.human_reliability
    assert one.value == tri.correlate(**given)["m", "segment pearson pooled"].value
    with pytest.raises(SpecError, match="'disattenuated' is for 'segment pearson pooled'"):
        tri.correlate(**given, interval="disattenuated", statistics=["kendall-b"])


def test_single_ratings_are_refused(tmp_path):
    lines = [one for one in LINES if one[2] == "x" or one[1] == 2]
    message = "interval: 'disattenuated' requires outputs with two ratings or more"
    with pytest.raises(InputError, match=re.escape(message)):
        tri.correlate(**files(tmp_path, lines), interval="disattenuated")
