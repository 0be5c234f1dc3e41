"""Human ratings in their native forms become one number a cell."""

import math
import statistics
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.errors import InputError, SpecError
from tricolore.judge.correlation.mqm import MQM_WEIGHTS, mqm_weight, mqm_weights
from tricolore.judge.correlation.ratings import ratings_of_score_file, read_ratings
from tricolore.readers.score_files import ScoreFile, metric_name, read_scores
from tricolore.readers.tables import Table, read_table


def table(text, name="r.tsv"):
    """A table as a reader would make it; cells are separated by blanks."""
    header, *rows = [line.split() for line in text.strip().splitlines()]
    return Table(name, {c: [row[i] for row in rows] for i, c in enumerate(header)}, range(2, len(rows) + 2))


# Scores ----------------------------------------------------------------------------------------------------------


def test_scores_of_several_raters_are_averaged():
    found = read_ratings(table("system segment rater human\nA 1 x 70\nA 1 y 90\nA 2 x None\nB 1 x 10"))
    assert found.cells == {("A", "1"): 80.0, ("B", "1"): 10.0}
    assert found.systems == ("A", "B")
    assert found.segments == ("1", "2")
    assert found.notes == ("r.tsv: averaged several ratings of 1 of 2 outputs",)
    assert found.signature == "human:scores|column:human|ratings:3|raters:2"
    np.testing.assert_array_equal(found.array(["A", "B"], ["1", "2"]), [[80, math.nan], [10, math.nan]])


def test_scores_without_raters_are_averaged_too():
    found = read_ratings(table("system seg score\nA 1 70\nA 1 90"))
    assert found.cells == {("A", "1"): 80.0}
    assert found.notes == ("r.tsv: averaged several ratings of 1 of 1 outputs",)


def test_a_rater_must_not_rate_twice_unless_that_is_said():
    twice = table("system segment rater human\nA 1 x 70\nB 1 x 20\nA 1 x 90")
    with pytest.raises(
        InputError, match=r"r.tsv: line 4: x rated A on segment 1 already on line 2 \(keep_repeats=True"
    ):
        read_ratings(twice)
    assert read_ratings(twice, keep_repeats=True).cells["A", "1"] == 80


def test_a_missing_rating_twice_is_twice_too():
    with pytest.raises(InputError, match="line 3: x rated A on segment 1 already"):
        read_ratings(table("system segment rater human\nA 1 x None\nA 1 x None"))


def test_repeats_weigh_as_one_rater():
    found = read_ratings(table("system segment rater human\nA 1 x 70\nA 1 x 90\nA 1 y 20"), keep_repeats=True)
    assert found.cells["A", "1"] == 50


def test_whole_systems():
    found = read_ratings(table("system human\nA 1\nB 2"))
    assert found.of_systems
    assert found.cells == {("A", ""): 1.0, ("B", ""): 2.0}


def test_lists_in_cells(tmp_path):
    path = tmp_path / "da.tsv"
    path.write_text("seg\tda_scores\n1\t[90,100]\n2\t[50]\n", encoding="utf-8")
    found = read_ratings(read_table(str(path)), column="da_scores", system="mt")
    assert found.cells == {("mt", "1"): 95.0, ("mt", "2"): 50.0}
    assert found.number == 3
    for bad in ("[x]", "[NaN]", "[1e200]", "5", "{}", '["a"]', "[[1]]"):
        path.write_text(f"seg\tda_scores\n1\t[90,100]\n2\t{bad}\n", encoding="utf-8")
        with pytest.raises(InputError, match=r"da.tsv: line 3: da_scores: expected a list of numbers"):
            read_ratings(read_table(str(path)), column="da_scores", system="mt")


def test_lists_in_json(tmp_path):
    path = tmp_path / "da.jsonl"
    path.write_text('{"system": "a", "segment": 1, "score": [1, 2]}\n', encoding="utf-8")
    assert read_ratings(read_table(str(path))).cells == {("a", "1"): 1.5}


def test_counts_of_errors_are_asked_about():
    errors = table("system segment mqm\nA 1 0\nA 2 5")
    found = read_ratings(errors)
    assert "no value of mqm is below 0" in found.notes[0]
    turned = found.turned()
    assert turned.notes == ()
    assert turned.cells == {("A", "1"): 0.0, ("A", "2"): -5.0}
    assert math.copysign(1, turned.cells["A", "1"]) == 1
    assert "negated" in turned.signature
    assert read_ratings(table("system segment mqm\nA 1 0\nA 2 -5")).notes == ()


@pytest.mark.parametrize(
    ("text", "how", "message"),
    [
        ("sytem segment human\nA 1 2", {}, r"r.tsv: expected a column 'system'; did you mean 'sytem'\?"),
        ("system segment humn\nA 1 2", {}, r"expected a column 'human'; did you mean 'humn'\?"),
        ("system segment human\nA 1 2\nB 1 good", {}, r"r.tsv: line 3: human: expected a number or None, found 'good'"),
        ("system segment human\nA 1 inf", {}, r"line 2: human: expected a number or None"),
        ("system segment human\nA 1 2", {"column": "DA"}, "expected a column 'DA'"),
        ("system segment human\nA 1 2", {"form": "da-z"}, "expected a column 'rater'"),
        ("system segment human\nA 1 2", {"form": "mqm"}, "expected a column 'severity'"),
        ("system segment human\nA 1 2", {"form": "mqm-counts"}, "expected columns with numbers of errors"),
        ("system segment n_minor\nA 1 1.5", {"form": "mqm-counts"}, "n_minor: expected a number of errors, found 1.5"),
        ("system segment n_minor\nA 1 -1", {"form": "mqm-counts"}, "n_minor: expected a number of errors, found -1"),
        ("system segment n_critical\nA 1 1", {"form": "mqm-counts"}, "mqm_weights='critical=10'"),
        ("system segment category severity\nA 1 x Awful", {"form": "mqm"}, "severity 'Awful' has no weight"),
    ],
)
def test_bad_ratings(text, how, message):
    with pytest.raises(InputError, match=message):
        read_ratings(table(text), **how)


def test_unknown_forms():
    with pytest.raises(SpecError, match=r"unknown form of ratings 'daz'; did you mean 'da-z'\?"):
        read_ratings(table("system human\nA 1"), "daz")


# Direct assessments ----------------------------------------------------------------------------------------------


scores = st.lists(
    st.tuples(st.sampled_from("ABC"), st.sampled_from("123"), st.sampled_from("xyz"), st.integers(0, 4)),
    min_size=1,
    max_size=25,
    unique_by=lambda one: one[:3],
)


@given(scores)
def test_standardised_scores_are_those_of_the_definition(rows):
    found = read_ratings(
        table("system segment annotator score\n" + "\n".join(" ".join(map(str, r)) for r in rows)), "da-z"
    )
    own = defaultdict(list)
    for _, _, annotator, score in rows:
        own[annotator].append(score)
    cells = defaultdict(list)
    for system, segment, annotator, score in rows:
        if len(set(own[annotator])) > 1:
            z = (score - statistics.mean(own[annotator])) / statistics.stdev(own[annotator])
            cells[system, segment].append(z)
    assert found.cells.keys() == cells.keys()
    for cell, values in cells.items():
        assert found.cells[cell] == pytest.approx(statistics.mean(values), abs=1e-12)
    lost = sum(len(said) for said in own.values() if len(set(said)) == 1)
    assert found.number == len(rows) - lost
    assert any(f"dropped {lost} ratings" in note for note in found.notes) == bool(lost)


def test_raw_assessments_are_means():
    text = "system segment annotator score\nA 1 x 60\nA 1 y 80\nB 1 x 10"
    assert read_ratings(table(text), "da").cells == {("A", "1"): 70.0, ("B", "1"): 10.0}


# MQM -------------------------------------------------------------------------------------------------------------


ERRORS = """
system segment rater category severity
A 1 x Accuracy/Mistranslation Major
A 1 x Fluency/Punctuation Minor
A 1 y Fluency/Punctuation Major
A 2 x No-error no-error
B 1 x Non-translation! Major
B 1 x Style Neutral
"""


def test_mqm_errors():
    found = read_ratings(table(ERRORS), "mqm")
    # A 1: (5 + 0.1 by x, 5 by y) / 2; B 2 was not rated.
    assert found.cells == {("A", "1"): -5.05, ("A", "2"): 0.0, ("B", "1"): -25.0}
    assert math.copysign(1, found.cells["A", "2"]) == 1
    assert found.signature == (
        "human:mqm|weights:major=5,minor=1,minor:fluency/punctuation=0.1,any:non-translation=25|ratings:6|raters:2"
    )


def test_mqm_weights_are_a_parameter():
    weights = mqm_weights("major=4, major:accuracy=10,minor:fluency/punctuation=0")
    found = read_ratings(table(ERRORS), "mqm", weights=weights)
    assert found.cells["A", "1"] == -7.0
    assert "minor:fluency/punctuation=0" in found.signature


@pytest.mark.parametrize("text", ["major", "major=", "=5", "major=x", "major=-1", "major=inf", "major=nan", "a,b=1"])
def test_weights_that_are_none(text):
    with pytest.raises(SpecError, match=r"MQM weights: expected severity=weight or severity:category=weight"):
        mqm_weights(text)


@pytest.mark.parametrize(
    ("severity", "category", "weight"),
    [
        ("Major", "Accuracy/Omission", 5),
        ("MAJOR", "", 5),
        ("minor", "fluency/punctuation", 0.1),
        ("Minor", "Fluency/Punctuation/Comma", 0.1),
        ("Minor", "Fluency", 1),
        ("Major", "Fluency/Punctuation", 5),
        ("Minor", "Non-translation", 25),
        ("No error", "No-error", 0),
        ("Neutral", "Style", 0),
        ("Critical", "Accuracy", None),
    ],
)
def test_the_most_specific_weight_counts(severity, category, weight):
    assert mqm_weight(MQM_WEIGHTS, severity, category) == weight


def test_the_same_error_twice():
    spans = "system segment rater category severity target\nA 1 x Style Minor <v>a\nA 1 x Style Minor <v>a"
    with pytest.raises(InputError, match=r"r.tsv: line 3: the same as line 2 \(A on segment 1, x\)"):
        read_ratings(table(spans), "mqm")
    assert read_ratings(table(spans), "mqm", keep_repeats=True).cells == {("A", "1"): -2.0}
    clean = "system segment rater category severity\nA 1 x No-error No-error\nA 1 x No-error No-error"
    with pytest.raises(InputError, match="line 3: the same as line 2"):
        read_ratings(table(clean), "mqm")
    alike = "system segment rater category severity\nA 1 x Style Minor\nA 1 x Style Minor"
    assert read_ratings(table(alike), "mqm").cells == {("A", "1"): -2.0}


def test_errors_without_raters_count_as_one_raters():
    found = read_ratings(table("system segment category severity\nA 1 x Minor\nA 1 x Major"), "mqm")
    assert found.cells == {("A", "1"): -6.0}
    assert "names no annotators" in found.notes[0]


def test_numbers_of_errors():
    counts = table("system seg annotator n_minor n_major n_critical\nA 1 x 2 1 0\nA 1 y 0 0 1\nB 1 x 1 None 0")
    found = read_ratings(counts, "mqm-counts", weights=mqm_weights("critical=10"))
    assert found.cells == {("A", "1"): -8.5}
    assert found.number == 2


# Real data -------------------------------------------------------------------------------------------------------


def published(lines, name):
    rows = [line.split("\t") for line in lines(f"human/{name}/mqm_sys.tsv")[1:]]
    return dict(rows)


def system_means(found):
    means = defaultdict(list)
    for (system, _), value in found.cells.items():
        means[system].append(value)
    return {system: f"{-statistics.fmean(values):.6f}" for system, values in means.items()}


def test_averages_of_systems_come_out_of_single_errors(shared, lines):
    path = shared / "data/human/mqm-ted-ende/ratings.tsv.gz"
    found = read_ratings(read_table(str(path)), "mqm")
    assert system_means(found) == published(lines, "mqm-ted-ende")
    seg = read_ratings(read_table(str(path.with_name("mqm_seg.tsv")))).turned()
    assert seg.cells.keys() == found.cells.keys()
    assert all(value == pytest.approx(found.cells[cell], abs=1e-9) for cell, value in seg.cells.items())


def test_averages_of_systems_come_out_of_numbers_of_errors(shared, lines):
    path = shared / "data/human/mqm-bio-en2de/mqm_seg_by_annotator.tsv"
    found = read_ratings(read_table(str(path)), "mqm-counts", weights=mqm_weights("critical=10"))
    assert system_means(found) == published(lines, "mqm-bio-en2de")


@pytest.mark.parametrize(("year", "systems"), [(2020, 10), (2021, 17)])
def test_tables_of_googles_repository(shared, year, systems):
    path = shared / f"data/human/mqm-score-tables/mqm_newstest{year}_ende.avg_seg_scores.tsv.gz"
    found = read_ratings(read_table(str(path)))
    assert found.signature.startswith("human:scores|column:mqm_avg_score|")
    assert len(found.systems) == systems
    assert max(found.cells.values()) == 0


def test_assessments_in_lists(shared):
    path = str(shared / "data/human/mlqe-pe-en-de/scores.tsv")
    found = read_ratings(read_table(path), "da", column="da_scores", system="mt")
    means = read_ratings(read_table(path), "da", column="da_mean", system="mt")
    assert len(found.cells) == 1000
    assert all(found.cells[cell] == pytest.approx(value, abs=1e-9) for cell, value in means.cells.items())


# Files in WMT's form ---------------------------------------------------------------------------------------------


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_score_files(tmp_path):
    segments = write(tmp_path / "en-de.mqm.seg.score", "A\t-1\nA\tNone\nB\t-3\nB\t0.5\n")
    found = ratings_of_score_file(read_scores(segments))
    assert found.cells == {("A", "1"): -1.0, ("B", "1"): -3.0, ("B", "2"): 0.5}
    assert found.segments == ("1", "2")
    systems = ratings_of_score_file(read_scores(write(tmp_path / "x.sys.score", "A\t-1\nB\tNone\n")))
    assert systems.of_systems
    assert systems.systems == ("A", "B")
    assert systems.cells == {("A", ""): -1.0}


def test_a_number_a_line(tmp_path):
    path = write(tmp_path / "z.txt", "0.5\n-1\nNone\n")
    assert ratings_of_score_file(read_scores(path), "mt").cells == {("mt", "1"): 0.5, ("mt", "2"): -1.0}
    with pytest.raises(InputError, match="names no system"):
        ratings_of_score_file(read_scores(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A\t1\nA\t2\nB\t3\n", "B has 1 scores and A 2; expected one line for each system"),
        ("A\t1\nB\tx\n", "line 2: expected a number or None, found 'x'"),
        ("A\t1\nB\n", "line 2: expected a system, a tab and a score, found 1 cells"),
        ("1\nA\t1\n", "line 2: expected a score alone, as on the first line, found 2 cells"),
        ("A\t1\n\t2\n", "line 2: the system has no name"),
        ("A\t1\nB\tinf\n", "line 2: expected a number or None"),
    ],
)
def test_bad_score_files(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read_scores(write(tmp_path / "x.score", text))


@pytest.mark.parametrize(
    ("name", "text"),
    [("t.tsv", "system\thuman\nA\t1\n"), ("t.csv", "1\n2\n"), ("t.jsonl", '{"1": 2}\n'), ("t.tsv", "1\t2\t3\n" * 2)],
)
def test_tables_are_no_score_files(tmp_path, name, text):
    assert not isinstance(read_scores(write(tmp_path / name, text)), ScoreFile)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/b/en-de.BLEU.seg.score", "BLEU"),
        ("zh-en.COMET-22.sys.score.gz", "COMET-22"),
        ("en-zh_TW.chrF.sys.score", "chrF"),
        ("MetricX-23-XL.seg.score", "MetricX-23-XL"),
        ("scores.tsv", "scores"),
        (".score", ".score"),
    ],
)
def test_names_of_metrics(path, name):
    assert metric_name(path) == name
