"""`tricolore correlate` as people type it: every form of input, every form of output, mistakes."""

import csv
import gzip
import io
import json
import math
import re
import shlex
import shutil
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_cli import type_in

import tricolore as tri
from tricolore.cli import run
from tricolore.examples import RATINGS, SYSTEMS, lines, text_of
from tricolore.judge.correlation.metric_scores import scores_by_group
from tricolore.judge.correlation.options import FORMS, JoinOptions, RatingOptions, ScoreOptions
from tricolore.judge.correlation.rating_files import ratings_by_group
from tricolore.judge.correlation.straw_men import straw_men

REFS = ("reference-a.txt", "reference-b.txt")
TEXTS = (*REFS, "-i", *(f"{name}.txt" for name in SYSTEMS))
QUICK = ("--samples", "50")


@pytest.fixture
def rated(corpus):
    """The example corpus and its ratings."""
    (corpus / RATINGS).write_text(text_of(RATINGS), encoding="utf-8")
    return corpus


def correlate(capsys, *words, form="json"):
    """Run the command; return what it prints."""
    status, out, err = type_in(capsys, "correlate", *words, "-f", form)
    assert status == 0, err
    return json.loads(out) if form == "json" else out


def values(found):
    """Values by metric and measure."""
    return {
        (one["metric"], " ".join(filter(None, (one["level"], one["statistic"], one["by"])))): one["value"]
        for one in found["agreements"]
    }


def write(name, text):
    Path(name).write_text(text, encoding="utf-8")
    return name


# What comes out --------------------------------------------------------------------------------------------------


def human():
    """The means of the example ratings, systems x segments."""
    rows = [line.split("\t") for line in text_of(RATINGS).splitlines()[1:]]
    cells = defaultdict(list)
    for system, segment, _, score in rows:
        cells[system, int(segment)].append(float(score))
    return np.array([[np.mean(cells[system, i]) for i in range(1, 13)] for system in SYSTEMS])


def test_texts_and_ratings(rated, capsys):
    found = correlate(capsys, *TEXTS, "--human", RATINGS, "-m", "bleu", "ter", *QUICK)
    references = tri.References.from_streams(map(lines, ("reference-a", "reference-b")))
    bleu = [float(tri.BLEU()(lines(name), references)) for name in SYSTEMS]
    ter = np.array([tri.TER().segments(lines(name), references) for name in SYSTEMS])
    got = values(found)
    people = human()
    assert got["bleu", "system pearson"] == pytest.approx(scipy.stats.pearsonr(bleu, people.mean(axis=1))[0])
    assert got["ter", "segment kendall-b pooled"] == pytest.approx(
        scipy.stats.kendalltau(-ter.ravel(), people.ravel())[0]
    )
    by_segment = [scipy.stats.kendalltau(-ter[:, i], people[:, i])[0] for i in range(12)]
    assert got["ter", "segment kendall-b segment"] == pytest.approx(np.nanmean(by_segment))
    assert found["people"] == "human:scores|column:score|ratings:96|raters:2"
    assert [one["name"] for one in found["metrics"]] == ["bleu", "ter"]
    assert "eff:yes" in found["metrics"][0]["segment_signature"]
    assert found["metrics"][1]["higher_is_better"] is False
    for one in found["agreements"]:
        assert one["low"] <= one["high"]
        assert "bs:50|ci:0.95|seed:12345" in one["signature"]


@pytest.mark.parametrize("form", ["text", "tsv", "markdown", "latex", "json"])
def test_every_form_has_every_number_and_signature(rated, capsys, form):
    words = [*TEXTS, "--human", RATINGS, "-m", "bleu", "chrf", *QUICK, "--straw-men", "--test", "permutation"]
    words += ["--shuffles", "20", "--statistics", "pearson", "segment kendall-b pooled"]
    out = correlate(capsys, *words, form=form)
    out = out if isinstance(out, str) else json.dumps(out)
    for part in ("human:scores|column:score", "straw:straw-short+straw-long+straw-shuffled=worst", "ratings:96"):
        assert part in out
    assert "over:segments|bs:50|ci:0.95|seed:12345" in out
    assert "test:permutation|sided:two|correction:holm|alpha:0.05|over:systems|shuffles:20|seed:12345" in out
    assert "straw-shuffled" in out
    assert "BLEU|nrefs:2" in out


def test_the_default_is_readable(rated, capsys):
    out = correlate(capsys, *TEXTS, "--human", RATINGS, "-m", "bleu", "chrf", *QUICK, form="text")
    assert out.startswith("System level: 4 systems, 12 segments\n")
    assert "Segment level: 4 systems, 12 segments, 48 of 48 outputs rated" in out
    header = next(line for line in out.splitlines() if line.startswith("Metric"))
    assert header.split("   ")[-1].strip() == "accuracy"
    assert "[low, high]: 95% confidence interval (50 bootstrap resamples; seed 12345)." in out
    assert "system accuracy: 6 pairs not tied by annotators." in out
    assert "averaged several ratings of 48 of 48 outputs" in out


def test_tsv_has_a_row_for_each_number(rated, capsys):
    out = correlate(capsys, *TEXTS, "--human", RATINGS, "-m", "bleu", "--no-intervals", form="tsv")
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert [(row["level"], row["statistic"], row["by"]) for row in rows[-2:]] == [
        ("segment", "pearson", "pooled"),
        ("segment", "accuracy-ties", "segment"),
    ]
    assert all(row["low"] == "" for row in rows)
    assert float(rows[0]["value"]) == pytest.approx(
        values(correlate(capsys, *TEXTS, "--human", RATINGS, "-m", "bleu", "--no-intervals"))["bleu", "system pearson"]
    )


def test_results_do_not_depend_on_threads_but_on_the_seed(rated, capsys):
    words = [
        *TEXTS,
        "--human",
        RATINGS,
        "-m",
        "bleu",
        *QUICK,
        "--test",
        "permutation",
        "-m",
        "chrf",
        "--shuffles",
        "30",
    ]
    words += ["--statistics", "pearson", "segment kendall-b by segment"]
    one = correlate(capsys, *words, "-j", "1")
    assert correlate(capsys, *words, "-j", "2") == one
    other = correlate(capsys, *words, "--seed", "7")
    assert values(other) == values(one)
    assert [x["low"] for x in other["agreements"]] != [x["low"] for x in one["agreements"]]


# Every way in ----------------------------------------------------------------------------------------------------


def own_table(capsys, *extra):
    """A table of the user's own: from the example."""
    references = tri.References.from_streams(map(lines, ("reference-a", "reference-b")))
    chrf = np.array([tri.ChrF().segments(lines(name), references) for name in SYSTEMS])
    return [
        {"system": name, "segment": i + 1, "human": human()[s, i], "chrf": chrf[s, i], "errors": 1 - chrf[s, i]}
        for s, name in enumerate(SYSTEMS)
        for i in range(12)
    ]


def save(rows, path):
    names = list(rows[0])
    if path.endswith(".jsonl"):
        write(path, "".join(json.dumps(row) + "\n" for row in rows))
    elif path.endswith(".parquet"):
        import pyarrow
        import pyarrow.parquet

        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    else:
        separator = "," if path.endswith(".csv") else "\t"
        body = [separator.join(str(row[name]) for name in names) for row in rows]
        write(path, "\n".join([separator.join(names), *body]) + "\n")
    return path


@pytest.mark.parametrize("name", ["t.tsv", "t.csv", "t.jsonl", "t.parquet"])
def test_one_table(rated, capsys, name):
    save(own_table(capsys), name)
    found = values(correlate(capsys, name, "--lower-is-better", "errors", "--no-intervals"))
    texts = values(correlate(capsys, *TEXTS, "--human", RATINGS, "-m", "chrf", "--no-intervals"))
    measures = [measure for metric, measure in texts if measure.startswith("segment")]
    for measure in measures:
        assert found["chrf", measure] == pytest.approx(texts["chrf", measure], abs=1e-9)
        assert found["errors", measure] == pytest.approx(found["chrf", measure], abs=1e-9)
    # A corpus metric is not the mean of its segments, which is all that a table knows.
    assert found["chrf", "system pearson"] != texts["chrf", "system pearson"]


def of_segments(found):
    """Values at segment level."""
    return {key: value for key, value in values(found).items() if key[1].startswith("segment")}


@pytest.mark.parametrize("name", ["segments.tsv", "segments.jsonl.gz"])
def test_what_score_wrote(rated, capsys, name):
    run(["score", *TEXTS, "-m", "bleu", "ter", "--segments", name, "-q"])
    capsys.readouterr()
    renamed = text_of(RATINGS)
    for system in SYSTEMS:
        renamed = renamed.replace(f"{system}\t", f"{system}.txt\t")
    write("named.tsv", renamed)
    texts = correlate(capsys, *TEXTS, "--human", RATINGS, "-m", "bleu", "ter", "--no-intervals")
    for people in (RATINGS, "named.tsv"):  # with the ending of files, and without
        found = correlate(capsys, name, "--human", people, "--no-intervals")
        assert of_segments(found) == pytest.approx(of_segments(texts))  # error rates turned
        assert values(found)["bleu", "system pearson"] != values(texts)["bleu", "system pearson"]  # means of segments
    beside = correlate(capsys, *TEXTS, "--human", RATINGS, "-m", "chrf", "--scores", name, "--no-intervals")
    assert values(beside).items() >= values(found).items()


def test_scores_of_whole_systems_among_those_of_segments(rated, capsys):
    run(["score", *TEXTS, "-m", "bleu", "ter", "--segments", "segments.tsv", "-q"])
    references = tri.References.from_streams(map(lines, ("reference-a", "reference-b")))
    rows = [
        f"{name}\tcorpus\t{one}\t{tri.metric(one)(lines(name), references).points}\t{one}\n"
        for name in SYSTEMS
        for one in ("bleu", "ter")
    ]
    write("all.tsv", Path("segments.tsv").read_text(encoding="utf-8") + "".join(rows))
    capsys.readouterr()
    words = ["all.tsv", "--human", RATINGS]
    texts = values(correlate(capsys, *TEXTS, "--human", RATINGS, "-m", "bleu", "ter", "--no-intervals"))
    assert values(correlate(capsys, *words, "--no-intervals")) == pytest.approx(texts)
    means = values(correlate(capsys, *words, "--no-intervals", "--system-scores", "means"))
    assert means["bleu", "system pearson"] != texts["bleu", "system pearson"]
    # Whole systems have one score each; their intervals are over systems, and the signature says so.
    found = correlate(capsys, *words, *QUICK, "--statistics", "pearson")
    assert {(one["level"], "over:systems" in one["signature"]) for one in found["agreements"]} == {
        ("system", True),
        ("segment", False),
    }


def wmt_files():
    """The example in WMT's form."""
    references = tri.References.from_streams(map(lines, ("reference-a", "reference-b")))
    people = human()
    write("en-de.people.seg.score", "".join(f"{n}\t{x}\n" for n, row in zip(SYSTEMS, people, strict=True) for x in row))
    write("en-de.people.sys.score", "".join(f"{n}\t{x.mean()}\n" for n, x in zip(SYSTEMS, people, strict=True)))
    scores = [100 * tri.ChrF().segments(lines(name), references) for name in SYSTEMS]
    write("en-de.chrF.seg.score", "".join(f"{n}\t{x}\n" for n, row in zip(SYSTEMS, scores, strict=True) for x in row))
    whole = [100 * float(tri.ChrF()(lines(name), references)) for name in SYSTEMS]
    write("en-de.chrF.sys.score", "".join(f"{n}\t{x}\n" for n, x in zip(SYSTEMS, whole, strict=True)))


def test_files_in_wmts_form(rated, capsys):
    wmt_files()
    files = ["en-de.chrF.seg.score", "en-de.chrF.sys.score"]
    both = values(correlate(capsys, "--human", "en-de.people.seg.score", *files, "--no-intervals"))
    texts = values(correlate(capsys, *TEXTS, "--human", RATINGS, "-m", "chrf", "--no-intervals"))
    assert {measure: value for (_, measure), value in both.items()} == pytest.approx(
        {measure: value for (_, measure), value in texts.items()}
    )
    only = correlate(capsys, "--human", "en-de.people.sys.score", "en-de.chrF.sys.score", *QUICK)
    assert {one["level"] for one in only["agreements"]} == {"system"}
    assert values(only)["chrF", "system pearson"] == pytest.approx(texts["chrf", "system pearson"])
    assert "no segment level" in only["notes"][0]
    mixed = values(correlate(capsys, "--human", "en-de.people.sys.score", "en-de.chrF.seg.score", "--no-intervals"))
    assert set(mixed) == set(values(only))


def test_missing_values_are_left_out(rated, capsys):
    rows = own_table(capsys)
    for row in rows[:3]:
        row["human"] = "None"
    rows[20]["chrf"] = ""
    save(rows, "t.tsv")
    found = correlate(capsys, "t.tsv", "--columns", "chrf", "--no-intervals", "--statistics", "segment pearson pooled")
    kept = [row for i, row in enumerate(rows) if i not in (0, 1, 2, 20)]
    expected = scipy.stats.pearsonr([row["human"] for row in kept], [row["chrf"] for row in kept])[0]
    assert found["agreements"][0]["value"] == pytest.approx(expected)
    assert found["agreements"][0]["points"] == 44
    out = correlate(capsys, "t.tsv", "--columns", "chrf", "--no-intervals", form="text")
    assert "45 of 48 outputs rated" in out


def test_metrics_on_what_all_of_them_score(rated, capsys):
    rows = own_table(capsys)
    for i in (3, 17, 18):
        rows[i]["errors"] = "None"
    save(rows, "t.tsv")
    words = [
        "t.tsv",
        "--lower-is-better",
        "errors",
        "--no-intervals",
        "--statistics",
        "segment pearson pooled",
        "pearson",
    ]
    found = correlate(capsys, *words)
    assert found["notes"] == [
        "scores are missing, so metrics are evaluated on different outputs (48 for chrf, 45 for errors); the option "
        "'common' keeps those that all metrics score"
    ]
    assert values(found)["chrf", "segment pearson pooled"] != values(found)["errors", "segment pearson pooled"]
    found = correlate(capsys, *words, "--common")
    assert found["notes"] == []
    assert values(found)["chrf", "segment pearson pooled"] == pytest.approx(
        values(found)["errors", "segment pearson pooled"]
    )
    assert values(found)["chrf", "system pearson"] == pytest.approx(values(found)["errors", "system pearson"])
    assert all(one["signature"].endswith("|missing:common") for one in found["metrics"])


def test_scores_from_elsewhere_beside_texts(rated, capsys):
    wmt_files()
    words = [*TEXTS, "--human", RATINGS, "-m", "chrf", "--scores", "en-de.chrF.seg.score", "--no-intervals"]
    found = values(correlate(capsys, *words))
    for (metric, measure), value in found.items():
        if measure.startswith("segment"):
            assert value == pytest.approx(found["chrf", measure], abs=1e-9), metric


def test_only_what_is_rated(rated, capsys):
    rows = [line for line in text_of(RATINGS).splitlines() if line.split("\t")[1] not in ("11", "12")]
    write("some.tsv", "\n".join(rows) + "\n")
    words = [*TEXTS, "--human", "some.tsv", "-m", "bleu", "--no-intervals", "--levels", "system"]
    all_segments = correlate(capsys, *words)
    rated_ones = correlate(capsys, *words, "--rated-only")
    references = tri.References.from_streams([lines(name)[:10] for name in ("reference-a", "reference-b")])
    bleu = [float(tri.BLEU()(lines(name)[:10], references)) * 100 for name in SYSTEMS]
    assert rated_ones["tables"]["system"][0]["scores"]["bleu"] == pytest.approx(bleu)
    assert all_segments["tables"]["system"][0]["scores"]["bleu"] != pytest.approx(bleu)


def test_within_and_where(rated, capsys):
    rows = own_table(capsys)
    for row in rows:
        row["domain"] = "sea" if int(row["segment"]) <= 6 else "land"
    save(rows, "t.tsv")
    statistics = ["--statistics", "segment pearson pooled", "accuracy", "--no-intervals", "--columns", "chrf"]
    found = correlate(capsys, "t.tsv", "--within", "domain", *statistics)
    both = values(found)
    sea = values(correlate(capsys, "t.tsv", "--where", "domain=sea", *statistics))
    land = values(correlate(capsys, "t.tsv", "--where", "domain=land", *statistics))
    for key in (("chrf", "segment pearson pooled"), ("chrf", "system accuracy")):
        assert both[key] == pytest.approx((sea[key] + land[key]) / 2)
    by_table = {each["table"]: each["value"] for each in found["agreements"][0]["by_table"]}
    key = "chrf", "segment pearson pooled"
    assert by_table == pytest.approx({"sea": sea[key], "land": land[key]})
    tables = correlate(capsys, "t.tsv", "--within", "domain", *statistics[:2], *QUICK, "--over", "tables")
    (one,) = (one for one in tables["agreements"] if one["metric"] == "chrf")
    ends = sorted([sea["chrf", "segment pearson pooled"], land["chrf", "segment pearson pooled"]])
    assert [one["low"], one["high"]] == pytest.approx(ends)
    # The same from texts, where only the ratings know the domain.
    people = [{name: row[name] for name in ("system", "segment", "human", "domain")} for row in rows]
    save(people, "people.tsv")
    words = [*TEXTS, "--human", "people.tsv", "-m", "chrf", "--within", "domain", "--no-intervals"]
    texts = values(correlate(capsys, *words, "--statistics", "segment pearson pooled"))
    assert texts["chrf", "segment pearson pooled"] == pytest.approx(both["chrf", "segment pearson pooled"])


def test_a_metric_that_a_group_lacks_has_no_value_there(rated, capsys):
    rows = own_table(capsys)
    for row in rows:
        row["domain"] = "sea" if int(row["segment"]) <= 6 else "land"
        if row["domain"] == "land":
            row["errors"] = ""
    save(rows, "t.tsv")
    statistics = ["--statistics", "segment pearson pooled", "--no-intervals"]
    found = correlate(capsys, "t.tsv", "--within", "domain", *statistics)
    sea = correlate(capsys, "t.tsv", "--where", "domain=sea", *statistics)
    assert values(found)["errors", "segment pearson pooled"] == values(sea)["errors", "segment pearson pooled"]
    assert [one["undefined"] for one in found["agreements"]] == [0, 1]
    long = [
        {
            "system": row["system"],
            "segment": row["segment"],
            "domain": row["domain"],
            "metric": name,
            "score": row[name],
        }
        for row in rows
        for name in ("chrf", "errors")
        if row[name] != ""
    ]
    save(long, "long.tsv")
    save([{name: row[name] for name in ("system", "segment", "domain", "human")} for row in rows], "people.tsv")
    again = correlate(capsys, "long.tsv", "--human", "people.tsv", "--within", "domain", *statistics)
    assert values(again) == pytest.approx(values(found))


def test_segments_counted_from_0(rated, capsys):
    shifted = [
        "\t".join([s, str(int(i) - 1), *rest]) for s, i, *rest in map(str.split, text_of(RATINGS).splitlines()[1:])
    ]
    write("from0.tsv", "system\tsegment\trater\tscore\n" + "\n".join(shifted) + "\n")
    words = [*TEXTS, "-m", "bleu", "--no-intervals"]
    assert values(correlate(capsys, *words, "--human", "from0.tsv", "--first-segment", "0")) == values(
        correlate(capsys, *words, "--human", RATINGS)
    )
    status, _, err = type_in(capsys, "correlate", *words, "--human", "from0.tsv")
    assert status == 1
    assert "from 0 with --first-segment 0" in err
    status, _, err = type_in(capsys, "correlate", *words, "--human", "from0.tsv", "--ignore-unknown")
    assert status == 1
    assert "from 0 with --first-segment 0" in err  # or all ratings would be of the segment before


def test_one_system(rated, capsys):
    write("z.txt", "\n".join(str(x) for x in human()[2]) + "\n")
    found = correlate(capsys, *REFS, "-i", "literal.txt", "--human", "z.txt", "-m", "chrf", "--no-intervals")
    references = tri.References.from_streams(map(lines, ("reference-a", "reference-b")))
    chrf = tri.ChrF().segments(lines("literal"), references)
    assert set(values(found)) == {("chrf", f"segment {name} pooled") for name in ("kendall-b", "pearson", "spearman")}
    assert values(found)["chrf", "segment spearman pooled"] == pytest.approx(scipy.stats.spearmanr(chrf, human()[2])[0])
    found = correlate(
        capsys, *REFS, "-i", "literal.txt", "--human", "z.txt", "--statistics", "system pearson", "--no-intervals"
    )
    assert values(found)["bleu", "system pearson"] is None
    assert found["notes"] == ["bleu: system pearson has no value: there is only one system"]


def test_constant_columns_have_no_value_and_a_note(rated, capsys):
    rows = own_table(capsys)
    for row in rows:
        row["errors"] = 1
    save(rows, "t.tsv")
    found = correlate(capsys, "t.tsv", *QUICK)
    constant = [one for one in found["agreements"] if one["metric"] == "errors"]
    for one in constant:
        if one["statistic"] in ("pearson", "spearman", "kendall-b"):
            assert one["value"] is one["low"] is None
    assert "errors: system pearson has no value: its scores are all equal" in found["notes"]
    out = correlate(capsys, "t.tsv", *QUICK, form="text")
    assert "–" in next(line for line in out.splitlines() if line.startswith("errors"))
    for row in rows:
        row["human"] = 3
    save(rows, "t.tsv")
    found = correlate(capsys, "t.tsv", *QUICK, "--columns", "chrf")
    assert "chrf: system pearson has no value: all ratings are equal" in found["notes"]


def test_noise_is_no_preference(rated, capsys):
    rows = own_table(capsys)
    for i, row in enumerate(rows):
        row["chrf"] = repr(0.1 + 0.2) if i % 2 else "0.3"
    save(rows, "t.tsv")
    words = ["t.tsv", "--columns", "chrf", "--no-intervals", "--statistics", "segment kendall-b pooled"]
    assert correlate(capsys, *words)["agreements"][0]["value"] is not None
    found = correlate(capsys, *words, "--without-noise")
    assert found["agreements"][0]["value"] is None
    assert "noise:dropped" in found["metrics"][0]["signature"] + found["people"]


def test_rankings(rated, capsys):
    people = human()
    rows = ["segment\tannotator\tsystem\trank"]
    for i in range(12):
        order = scipy.stats.rankdata(-people[:, i], method="min").astype(int)
        rows += [f"{i + 1}\tanna\t{name}\t{rank}" for name, rank in zip(SYSTEMS, order, strict=True)]
    write("ranks.tsv", "\n".join(rows) + "\n")
    words = [*TEXTS, "-m", "chrf"]
    found = correlate(capsys, *words, "--human", "ranks.tsv", "--human-form", "rr", *QUICK)
    scores = correlate(
        capsys, *words, "--human", RATINGS, *QUICK, "--by", "segment", "--levels", "segment",
        "--statistics", "kendall-wmt12", "kendall-wmt13", "kendall-wmt14", "accuracy",
    )  # fmt: skip
    for key, value in values(scores).items():
        assert values(found)[key] == pytest.approx(value)
    by_key = {(one["level"], one["statistic"]): one for one in found["agreements"]}
    for one in scores["agreements"]:
        twin = by_key[one["level"], one["statistic"]]
        assert (twin["low"], twin["high"]) == pytest.approx((one["low"], one["high"]))
    assert by_key["system", "kendall-b"]["value"] == 1
    words += ["--human", "ranks.tsv", "--human-form", "rr", "--straw-men", "--statistics", "accuracy", "--no-intervals"]
    straw = correlate(capsys, *words)
    references = tri.References.from_streams(map(lines, ("reference-a", "reference-b")))
    made = straw_men({name: lines(name) for name in SYSTEMS})
    chrf = {name: tri.ChrF().segments(text, references) for name, text in made.items()}
    real = [tri.ChrF().segments(lines(name), references) for name in SYSTEMS]
    below = [one[i] > other[i] for one in real for other in chrf.values() for i in range(12)]
    assert straw["tables"]["system"] == found["tables"]["system"]  # no system is better for beating straw men
    (segment,) = (one for one in straw["agreements"] if one["level"] == "segment")
    right = segment["value"] * segment["pairs"] + sum(below)
    assert segment["with_straw_men"] == pytest.approx(right / (segment["pairs"] + len(below)))
    assert straw["people"].startswith("human:rr|rankings:12|pairs:72|")
    assert straw["people"].endswith("|straw:straw-short+straw-long+straw-shuffled=last|straw_seed:12345")


def test_straw_men(rated, capsys):
    words = [
        *TEXTS,
        "--human",
        RATINGS,
        "-m",
        "bleu",
        "grr(alpha=-0.9)",
        *QUICK,
        "--statistics",
        "pearson",
        "--levels",
        "system",
    ]
    without = correlate(capsys, *words)
    found = correlate(capsys, *words, "--straw-men")
    assert values(found) == values(without)
    assert [len(table["systems"]) for table in found["tables"]["system"]] == [4]
    by_metric = {one["metric"]: one for one in found["agreements"]}
    for one in by_metric.values():
        assert one["change"] == pytest.approx(one["with_straw_men"] - one["value"])
        assert one["with_straw_men_low"] <= one["with_straw_men_high"]
    # A metric that rewards every word falls for a straw man that is long.
    long = {one["metric"]: one for one in found["straw_men"] if one["system"] == "straw-long"}
    assert long["grr(alpha=-0.9)"]["beaten"] == 4
    assert by_metric["grr(alpha=-0.9)"]["change"] < by_metric["bleu"]["change"]
    bad = {one["metric"]: one for one in found["straw_men"] if one["system"] == "straw-short"}
    assert bad["bleu"]["beaten"] == 0
    assert bad["bleu"]["score"] < bad["bleu"]["worst"] < bad["bleu"]["best"]
    other = correlate(capsys, *words, "--straw-men", "repeated", "--straw-score", "segment")
    assert {one["system"] for one in other["straw_men"]} == {"straw-repeated"}
    assert "straw:straw-repeated=segment" in other["people"]


def test_tests_between_metrics(rated, capsys):
    words = [*TEXTS, "--human", RATINGS, "-m", "bleu", "chrf", "bleu(order=1)", "--no-intervals"]
    found = correlate(
        capsys, *words, "--test", "permutation", "--shuffles", "99", "--statistics", "segment pearson pooled"
    )
    (test,) = found["tests"]
    assert [one["value"] for one in test["clusters"]] == sorted(
        (one["value"] for one in test["clusters"]), reverse=True
    )
    assert len(test["differences"]) == 3
    for one in test["differences"]:
        assert one["p_holm"] >= one["p"] >= 0.01
        assert one["difference"] >= 0
    found = correlate(capsys, *words, "--test", "williams", "--statistics", "segment pearson pooled")
    assert "test:williams" in found["tests"][0]["signature"]


def test_notes_on_what_was_tested(rated, capsys):
    words = [*TEXTS, "--human", RATINGS, "-m", "bleu", "chrf", "--no-intervals", "--test", "permutation"]
    of_means, caution = "p is about the difference of the means, not the difference shown.", "at 0.05; swapping systems"
    _, out, _ = type_in(capsys, "correlate", *words)
    assert "permutation test (1000 shuffles of systems)" in out and of_means not in out and caution not in out
    assert "caution: at system level there are too few systems to swap: no p-value can be below 0.125." in out
    _, out, _ = type_in(capsys, "correlate", *words, "--permute", "both")
    assert "permutation test (1000 shuffles of single scores)" in out and of_means in out and caution in out
    tests = correlate(capsys, *words)["tests"]
    assert {(one["over"], one["least_p"]) for one in tests} == {("systems", 0.125)}
    write("whole.tsv", "system\thuman\tm\tn\nA\t1\t2\t4\nB\t3\t2\t5\nC\t4\t5\t6\n")
    _, out, _ = type_in(capsys, "correlate", "whole.tsv", "--test", "permutation")
    assert "permutation test" in out
    assert "exchanges scores of segments" not in out


def test_two_systems_have_little_to_say(rated, capsys):
    write("two.tsv", HEADER + "A\t1\t1\t2\nA\t2\t3\t4\nB\t1\t2\t1\nB\t2\t5\t2\n")
    _, out, _ = type_in(capsys, "correlate", "two.tsv", *QUICK)
    assert "there are only two systems, so a system-level correlation is 1 or -1" in out
    assert "system accuracy: 1 pair not tied by annotators." in out
    assert "two systems" not in type_in(capsys, "correlate", "two.tsv", "--levels", "segment", *QUICK)[1]


def test_one_score_is_no_reason_to_blame_systems(rated, capsys):
    write("one.tsv", HEADER + "A\t1\t1\t2\n")
    _, out, _ = type_in(capsys, "correlate", "one.tsv", *QUICK)
    assert "m: segment pearson pooled has no value: there is only one score\n" in out
    write("constant.tsv", HEADER + "A\t1\t1\t2\nA\t2\t3\t2\n")
    _, out, _ = type_in(capsys, "correlate", "constant.tsv", *QUICK)
    assert "m: segment pearson pooled has no value: its scores are all equal\n" in out
    assert "of 1 tables" not in out


def test_a_metric_for_which_all_is_a_tie(rated, capsys):
    rows = [(s, i, int(s == "A" and i == 1), j * i, 3 * i if s == "A" and i == 1 else 0)
            for j, s in enumerate("ABC") for i in range(1, 9)]  # fmt: skip
    write("ties.tsv", "system\tsegment\thuman\tnoise\tgood\n" + "".join("\t".join(map(str, r)) + "\n" for r in rows))
    for by in ("by segment", "pooled", "by system"):
        measure = f"segment accuracy-ties {by}"
        _, out, _ = type_in(capsys, "correlate", "ties.tsv", "--statistics", measure, "--no-intervals")
        assert f"caution: {measure}: the calibrated epsilon ties nearly all pairs (" in out
        assert "% for noise): the value is near the share of human ties" in out
        found = correlate(capsys, "ties.tsv", "--statistics", measure, "--no-intervals")["agreements"]
        assert found[0]["tied"] >= 0.9 and found[1]["tied"] == 0


def test_help_says_what_there_is():
    from tricolore.cli import correlate as command
    from tricolore.judge.correlation import measures, options

    parser = __import__("argparse").ArgumentParser()
    command.add_arguments(parser)
    text = "".join(parser.format_help().split())  # names are broken at their hyphens
    words = (options.FORMS, options.LEVELS, options.GROUPINGS, options.STRAW_MEN)
    words += (options.TESTS, options.EXCHANGED, options.RESAMPLED, measures.STATISTICS)
    for name in (name for group in words for name in group):
        assert name in text


# Mistakes --------------------------------------------------------------------------------------------------------


HEADER = "system\tsegment\thuman\tm\n"


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ("", 2, "no file is given; name a table, or references and outputs (-i)"),
        ("nope.tsv", 1, "nope.tsv: no such file"),
        ("twice.tsv", 1, "twice.tsv: line 3: m of A on segment 1 is already on line 2; expected it once"),
        (
            "nohuman.tsv",
            1,
            "expected a column 'human' with the ratings (found system, segment, m); --human-",
        ),
        (
            "words.tsv",
            1,
            "words.tsv: line 3: m: expected a number or None, found 'high'; if it is not a metric, name those to read",
        ),
        ("onlyhuman.tsv", 1, "expected a column with the scores of a metric"),
        ("t.tsv --columns n", 1, "t.tsv: there is no column 'n'"),
        ("t.tsv --lower-is-better n", 2, "--lower-is-better: there is no metric 'n' (m)"),
        ("t.tsv --within lang", 1, "--within: t.tsv has no column 'lang'"),
        ("t.tsv --where m", 2, "--where must be COLUMN=VALUE; got 'm'"),
        ("t.tsv --where system=X", 1, "t.tsv: no row has 'X' in column system"),
        ("t.tsv -m bleu", 2, "-m scores texts, but no outputs are given with -i"),
        ("t.tsv --human-form mqm", 2, "--human-form mqm requires the ratings in a separate file, --human"),
        ("t.tsv --human-form mqn", 2, "did you mean 'mqm'?"),
        ("t.tsv --mqm-weights major=1", 2, "--mqm-weights requires --human-form mqm"),
        ("t.tsv other.tsv", 2, "several files are given, but no ratings; name them with --human"),
        ("t.tsv --straw-men", 2, "--straw-men requires the outputs of systems, but only scores are given"),
        ("t.tsv --straw-score 3", 2, "--straw-score requires --straw-men"),
        ("t.tsv --statistics pearsn", 2, "'pearsn'; did you mean 'pearson'?"),
        ("t.tsv --statistics soft-accuracy --levels segment", 2, "soft-accuracy is for system level only"),
        ("t.tsv --by word", 2, "--by"),
        ("t.tsv --over tables", 1, "there is only one table, so tables cannot be resampled"),
        ("t.tsv --level 95", 2, "--level must be a number between 0 and 1; got '95'"),
        ("t.tsv --level system", 2, "got 'system'; system and segment are 'levels'"),
        ("t.tsv --samples 0", 2, "--samples must be a whole number from 1 to 100,000,000; got '0'"),
        ("t.tsv --seed -1", 2, "--seed must be a whole number, 0 or more"),
        ("t.tsv --shuffles 0", 2, "--shuffles must be a whole number from 1 to 100,000,000"),
        ("t.tsv -w 99", 2, "--width must be a whole number from 0 to 15"),
        ("t.tsv --test williams", 2, "a test compares metrics, but there is only one (m); name two or more"),
        (
            "whole.tsv --test williams",
            2,
            "Williams' test is for 'system pearson' and 'segment pearson pooled'; got 'sys",
        ),
        ("TEXTS --human zero.tsv --columns m", 2, "--columns requires scores from files, --scores"),
        ("TEXTS --human nohuman.tsv", 1, "(found system, segment, m); --human-column names the column of scores"),
        ("semicolons.csv", 1, "semicolons.csv: line 1: has semicolons between columns; expected commas"),
        ("whole.tsv --levels segment", 1, "there is no segment level (whole.tsv: has scores of whole systems only"),
        ("whole.tsv --over segments", 1, "segments cannot be resampled; choose systems"),
        (
            "whole.tsv --over tables",
            1,
            "there is only one table, so tables cannot be resampled; --within makes several",
        ),
        ("whole.tsv --test permutation --permute inputs", 1, "inputs cannot be swapped; choose systems or both"),
        (
            "--human people.tsv t.tsv",
            1,
            "names differ: people.tsv rates A, B, ref; the systems of t.tsv are A, B (rated but",
        ),
        (
            "--human others.tsv t.tsv",
            1,
            "names differ: others.tsv rates X; the systems of t.tsv are A, B (none in common)",
        ),
        ("--human far.tsv t.tsv", 1, "far.tsv: rates segments that are not in t.tsv: 9 (there are 1, 2)"),
        ("--human t.tsv a.score --scores b.score", 1, "a.score: has no rows; expected at least one"),
        ("--human people.tsv x.seg.score", 1, "x.seg.score: B has 1 scores and A 2"),
        ("-", 2, "ratings and scores are not read from standard input; name a file"),
        ("t.tsv --human -", 2, "ratings and scores are not read from standard input; name a file"),
        ("--human a.seg.score t.tsv --human-form mqm", 1, "expected a table for --human-form mqm"),
        ("--human a.seg.score t.tsv --within lang", 1, "so there is no column 'lang'"),
        ("TEXTS --human zero.tsv -m chrf --scores chrf.seg.score", 1, "chrf is also a metric of the texts"),
        ("a.seg.score", 1, "has a single column of scores; name the file of ratings, --human"),
        ("segments.tsv", 1, "has metric scores only; expected the ratings in another file, --human"),
        ("reference-a.txt -i careful.txt", 2, "no ratings are given; name them with --human"),
        ("-r reference-a.txt --human t.tsv", 2, "-r names references, but no outputs are given"),
        ("t.tsv -r reference-a.txt --human t.tsv", 2, "-r names references, but no outputs are given"),
        ("TEXTS --human zero.tsv", 1, "zero.tsv: rates segments that are not in the texts: 13 (there are 1, 2, 3 and"),
        ("TEXTS --human ratings.tsv", 1, "rated but not scored: fluent, literal"),
        (
            "TEXTS --human ratings.tsv --human-form rr --straw-men --straw-score 1",
            2,
            "rankings (rr) have no scores",
        ),
        (
            "TEXTS --human zero.tsv --straw-men tall",
            2,
            "--straw-men must be one of short, long, shuffled,",
        ),
        (
            "TEXTS --human zero.tsv --straw-men --straw-score bad",
            2,
            "--straw-score must be worst, segment or a num",
        ),
        (
            "TEXTS --human zero.tsv --straw-men --scores a.seg.score",
            2,
            "--straw-men have no scores in files;",
        ),
        ("TEXTS --human ratings.tsv --human-form mqm", 1, "ratings.tsv: expected a column 'severity'"),
        ("reference-a.txt -i careful.txt careful.txt --human ratings.tsv", 2, "careful.txt is given twice"),
    ],
)
def test_mistakes_get_one_clear_line(rated, capsys, words, status, message):
    write("t.tsv", HEADER + "A\t1\t1\t2\nA\t2\t3\t4\nB\t1\t2\t1\nB\t2\t2\t2\n")
    write("other.tsv", HEADER + "A\t1\t1\t2\n")
    write("twice.tsv", HEADER + "A\t1\t1\t2\nA\t1\t1\t2\nB\t1\t1\t2\n")
    write("nohuman.tsv", "system\tsegment\tm\nA\t1\t1\n")
    write("onlyhuman.tsv", "system\tsegment\thuman\nA\t1\t1\n")
    write("words.tsv", HEADER + "A\t1\t1\t2\nB\t1\t1\thigh\n")
    write("whole.tsv", "system\thuman\tm\tn\nA\t1\t2\t4\nB\t3\t2\t5\nC\t4\t5\t6\n")
    write("people.tsv", "system\tsegment\thuman\nA\t1\t1\nB\t1\t2\nref\t1\t3\n")
    write("others.tsv", "system\tsegment\thuman\nX\t1\t1\n")
    write("far.tsv", "system\tsegment\thuman\nA\t9\t1\nA\t1\t2\nB\t1\t1\n")
    write("zero.tsv", "system\tsegment\thuman\ncareful\t1\t1\nhasty\t13\t2\n")
    write("semicolons.csv", "system;segment;human;m\r\nA;1;0,5;0,7\r\n")
    write("a.score", "x\n")
    write("b.score", "A\t1\n")
    write("a.seg.score", "A\t1\nA\t2\n")
    write("x.seg.score", "A\t1\nA\t2\nB\t1\n")
    write("chrf.seg.score", "careful\t1\n" * 12 + "hasty\t1\n" * 12)
    write("segments.tsv", "system\tsegment\tmetric\tscore\nA\t1\tbleu\t2\n")
    words = words.replace("TEXTS", "reference-a.txt -i careful.txt hasty.txt").split()
    found, out, err = type_in(capsys, "correlate", *words, "-q")
    assert (found, out) == (status, "")
    assert message in err
    assert err.startswith("tricolore: ")
    assert err.count("\n") == 1


cells = st.sampled_from(
    ["1", "2", "0.5", "-3", "None", "", "x", "nan", "inf", "1e308", "[1,2]", "corpus", "Major", "no"]
)
columns = st.lists(
    st.sampled_from(
        ["system", "segment", "human", "m", "n", "rater", "metric", "score", "category", "severity", "rank"]
    ),
    min_size=1,
    max_size=7,
    unique=True,
)
forms = st.sampled_from(FORMS)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), columns, forms, st.booleans())
def test_whatever_is_in_a_table_there_is_no_traceback(rated, capsys, data, names, form, apart):
    rows = data.draw(st.lists(st.lists(cells, min_size=len(names), max_size=len(names)), max_size=8))
    write("any.tsv", "\n".join("\t".join(row) for row in [names, *rows]) + "\n")
    words = ["--human", "any.tsv", "--human-form", form] if apart else []
    found, out, err = type_in(capsys, "correlate", "any.tsv", *words, "--samples", "5", "-q")
    assert found in (0, 1, 2)
    assert (found == 0) == (err == "")
    assert err.count("\n") == (found != 0)
    assert bool(out) == (found == 0)


def test_unknown_systems_are_dropped_with_a_note(rated, capsys):
    words = ["reference-a.txt", "-i", "careful.txt", "hasty.txt", "--human", RATINGS, "--ignore-unknown"]
    found = correlate(capsys, *words, "--no-intervals")
    assert "dropped, rated but not scored: fluent, literal" in found["notes"]
    assert found["tables"]["system"][0]["systems"] == ["careful", "hasty"]


def test_raters_may_repeat_what_metrics_say_but_not_change_it(rated, capsys):
    rows = "system\tsegment\trater\thuman\tm\nA\t1\tx\t1\t5\nA\t1\ty\t3\t{}\nB\t1\tx\t0\t2\n"
    write("t.tsv", rows.format(5))
    assert correlate(capsys, "t.tsv", "--no-intervals")["tables"]["system"][0]["scores"]["human"] == [2, 0]
    write("t.tsv", rows.format(6))
    status, _, err = type_in(capsys, "correlate", "t.tsv")
    assert status == 1
    assert "t.tsv: line 3: m of A on segment 1 is already on line 2" in err


def test_demo_writes_the_ratings(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    _, out, _ = type_in(capsys, "demo", "--write", "demo")
    assert Path("demo", RATINGS).read_text(encoding="utf-8") == text_of(RATINGS)
    command = next(line for line in out.splitlines() if "correlate" in line).split()[1:]
    assert type_in(capsys, *command, *QUICK)[0] == 0


# Real data -------------------------------------------------------------------------------------------------------

MQM = {
    "mqm-ted-ende": ("ref", "mqm_seg.tsv"),
    "mqm-bio-en2de": ("reference", "mqm_seg_by_annotator.tsv"),
    "mqm-wmt23-sxs-ende": ("refA", "mqm_seg_by_rater.tsv"),
}
METRICS = ("bleu", "chrf", "chrf(word_order=2)", "ter")


def figures(text):
    """The published tables: scores of systems, and what each statistic is for each metric."""
    scores, found, level = {}, {}, None
    for line in text:
        if line.startswith("# system level"):
            level = "system"
        elif line.startswith("# segment level"):
            level = "segment"
        elif not line.startswith(("#", "system\t")):
            name, *cells = line.split("\t")
            (scores if level is None else found)[name if level is None else (level, name)] = list(map(float, cells))
    return scores, found


@pytest.mark.parametrize("name", MQM)
def test_published_tables_come_out(shared, lines, capsys, name):
    reference, ratings = MQM[name]
    folder = shared / "data" / "human" / name
    systems = sorted(map(str, (folder / "systems").iterdir()))
    words = [str(folder / "references" / f"{reference}.txt"), "-i", *systems, "--human", str(folder / ratings)]
    words += ["--human-lower-is-better", "--ignore-unknown", "-m", "bleu", "chrf", "chrf++", "ter", "--no-intervals"]
    found = correlate(capsys, *words, "-q")
    scores, expected = figures(lines(f"expected/{name}.tsv"))
    (table,) = found["tables"]["system"]
    got = zip(*(table["scores"][name] for name in ("human", *METRICS)), strict=True)
    for system, row in zip(table["systems"], got, strict=True):
        assert list(row) == pytest.approx(scores[system], abs=6e-5)
    places = {
        ("system", "pearson"): "system pearson",
        ("system", "spearman"): "system spearman",
        ("system", "kendall_tau_b"): "system kendall-b",
        ("system", "pairwise_accuracy"): "system accuracy",
        ("segment", "pearson"): "segment pearson pooled",
        ("segment", "kendall_tau_b"): "segment kendall-b pooled",
        ("segment", "kendall_tau_b_group_by_item"): "segment kendall-b segment",
    }
    for place, measure in places.items():
        # Segments whose BLEU sacreBLEU has equal but for the last digit are ties here; pooled, some pairs are such.
        tolerance = 1.2e-5 if measure == "segment kendall-b pooled" else 1.1e-6
        for metric, value in zip(METRICS, expected[place], strict=False):
            assert values(found)[metric, measure] == pytest.approx(value, abs=tolerance), (metric, measure)
    groups = [
        one["groups"] for one in found["agreements"] if one["statistic"] == "kendall-b" and one["by"] == "segment"
    ]
    assert groups[:2] == expected["segment", "n_items_defined"]


def test_single_errors_give_what_their_sums_give(shared, capsys):
    folder = shared / "data" / "human" / "mqm-ted-ende"
    systems = sorted(map(str, (folder / "systems").iterdir()))
    words = [str(folder / "references" / "ref.txt"), "-i", *systems, "--ignore-unknown", "--no-intervals", "-m", "chrf"]
    errors = correlate(capsys, *words, "--human", str(folder / "ratings.tsv.gz"), "--human-form", "mqm")
    sums = correlate(capsys, *words, "--human", str(folder / "mqm_seg.tsv"), "--human-lower-is-better")
    assert values(errors) == pytest.approx(values(sums), abs=1e-6)


@pytest.mark.slow
def test_system_pairs_of_many_campaigns(shared, capsys):
    path = shared / "data" / "human" / "toship-system-scores" / "systems.tsv.gz"
    with io.TextIOWrapper(gzip.open(path), encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    campaigns = defaultdict(list)
    for row in rows:
        campaigns[row["campaign"]].append(row)
    names = ["SacreBLEU_bleu", "SacreBLEU_chrf", "COMET"]
    words = [str(path), "--within", "campaign", "--human-column", "human_mean_valid", "--statistics", "accuracy"]
    found = correlate(capsys, *words, "--columns", *names, "--no-intervals")
    for name in names:
        right = pairs = 0
        for group in campaigns.values():
            for one, other in combinations(group, 2):
                people = float(one["human_mean_valid"] or "nan") - float(other["human_mean_valid"] or "nan")
                metric = float(one[name] or "nan") - float(other[name] or "nan")
                if people and not math.isnan(people) and not math.isnan(metric):
                    pairs += 1
                    right += people * metric > 0
        (got,) = (one for one in found["agreements"] if one["metric"] == name)
        assert got["pairs"] == pairs
        assert got["value"] == pytest.approx(right / pairs)
    common = correlate(capsys, *words, "--columns", *names, "--no-intervals", "--common")
    assert len({one["pairs"] for one in common["agreements"]}) == 1
    got = values(common)
    assert got["COMET", "system accuracy"] > got["SacreBLEU_chrf", "system accuracy"]
    assert got["SacreBLEU_chrf", "system accuracy"] > got["SacreBLEU_bleu", "system accuracy"]


def test_ratings_without_texts(shared, tmp_path, monkeypatch, capsys):
    """One year of the tables of google/wmt-mqm-human-evaluation against a part of itself."""
    monkeypatch.chdir(tmp_path)
    path = shared / "data" / "human" / "mqm-score-tables" / "mqm_newstest2021_ende.avg_seg_scores.tsv.gz"
    shutil.copy(path, "scores.tsv.gz")
    found = correlate(
        capsys, "--human", "scores.tsv.gz", "scores.tsv.gz", "--no-intervals", "--statistics", "pearson", "kendall-b"
    )
    assert {round(value, 9) for value in values(found).values()} == {1.0}
    assert {one["metric"] for one in found["agreements"]} == {"mqm_avg_score"}


# The documentation -----------------------------------------------------------------------------------------------

PAGE = Path(__file__).parents[1] / "docs" / "explanations" / "correlation.md"


@pytest.mark.skipif(not PAGE.exists(), reason="the documentation is not part of this tree")
def test_commands_of_the_page_print_what_it_says(rated, capsys):
    shown = re.findall(r"```\n\$ tricolore (.*)\n([^`]*)```", PAGE.read_text(encoding="utf-8"))
    assert len(shown) == 3
    for command, expected in shown:
        status, out, err = type_in(capsys, *shlex.split(command))
        assert (status, out, err) == (0, expected, "")


@pytest.mark.skipif(not PAGE.exists(), reason="the documentation is not part of this tree")
def test_files_of_the_page_can_be_read(rated):
    page = PAGE.read_text(encoding="utf-8").partition("## The command")[2].partition("## From Python")[0]
    blocks = [block.removeprefix("\n") for block in page.split("```")[1::2] if block.startswith("\n")]
    tables = {block.partition("\n")[0]: block for block in blocks if not block.startswith("$")}
    rows = {
        "system\tsegment\trater\tscore": "scores",
        "system\tseg_id\trater\tcategory\tseverity": "mqm",
        "system\tseg\tannotator\tn_minor\tn_major\tn_critical": "mqm-counts",
        "system\tsegment\tannotator\tscore": "da",
        "segment\tannotator\tsystem\trank": "rr",
    }
    for header, form in rows.items():
        ratings = ratings_by_group(write("x.tsv", tables.pop(header)), RatingOptions(form), JoinOptions())
        assert ratings[""].systems
    own = tables.pop("system\tsegment\thuman\tBLEU\tCOMET")
    assert tri.correlate(write("x.tsv", own), intervals=False).metrics == ("BLEU", "COMET")
    for block in tables.values():
        (found,) = scores_by_group([write("x.score", block)], ScoreOptions(), JoinOptions())[0][""]
        assert found.segments


def test_many_tables_of_systems_are_resampled_themselves(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for number in (9, 10):
        rows = [f"c{i}\t{name}\t{k + i % 3}\t{k * k}" for i in range(number) for k, name in enumerate("ABC")]
        (tmp_path / "t.tsv").write_text("campaign\tsystem\thuman\tm\n" + "\n".join(rows) + "\n")
        assert run(["correlate", "t.tsv", "--within", "campaign", "--statistics", "accuracy", "-f", "json"]) == 0
        assert f"over:{'tables' if number == 10 else 'systems'}|" in capsys.readouterr().out


def test_a_constant_metric_is_told_wherever_it_has_a_value(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [f"{name}\t{i}\t{k + i}\t5" for k, name in enumerate("ABC") for i in range(1, 4)]
    (tmp_path / "t.tsv").write_text("system\tsegment\thuman\tm\n" + "\n".join(rows) + "\n")
    assert run(["correlate", "t.tsv", "--statistics", "accuracy", "kendall-wmt12", "pearson", "--no-intervals"]) == 0
    out = capsys.readouterr().out
    for measure in ("system accuracy", "segment accuracy by segment", "segment kendall-wmt12 by segment"):
        assert f"m: {measure} is meaningless: its scores are all equal, and every pair is a tie" in out
    assert "m: system pearson has no value: its scores are all equal" in out


# The function ----------------------------------------------------------------------------------------------------


def references():
    return [Path(name) for name in REFS]


def systems():
    return {name: f"{name}.txt" for name in SYSTEMS}


@pytest.mark.parametrize(
    ("words", "data", "options"),
    [
        ("t.tsv", "t.tsv", {}),
        ("t.tsv --within half --columns chrf", "t.tsv", {"within": "half", "columns": ["chrf"]}),
        ("t.tsv --where half=b --no-intervals", "t.tsv", {"where": {"half": "b"}, "intervals": False}),
        (
            "t.tsv --lower-is-better errors --test permutation --shuffles 20 --over systems",
            "t.tsv",
            {"lower_is_better": "errors", "test": "permutation", "shuffles": 20, "over": "systems"},
        ),
        ("TEXTS --human ratings.tsv", "texts", {"human": RATINGS}),
        (
            "TEXTS --human ratings.tsv -m bleu ter --straw-men --straw-score 3 --levels system",
            "texts",
            {"human": RATINGS, "metrics": ["bleu", "ter"], "straw_men": (), "straw_score": 3, "levels": ["system"]},
        ),
        (
            "en-de.chrF.seg.score --human en-de.people.seg.score --statistics soft-accuracy --seed 7",
            "en-de.chrF.seg.score",
            {"human": Path("en-de.people.seg.score"), "statistics": "soft-accuracy", "seed": 7},
        ),
        (
            "TEXTS --human ratings.tsv -m chrf --scores en-de.chrF.seg.score --test williams --statistics pearson "
            "--levels system",
            "texts",
            {"human": RATINGS, "metrics": "chrf", "scores": "en-de.chrF.seg.score", "test": "williams"}
            | {"statistics": ["pearson"], "levels": "system"},
        ),
    ],
)
def test_function_and_command_give_the_same_numbers(rated, capsys, words, data, options):
    wmt_files()
    rows = own_table(capsys)
    save([{**row, "half": "ab"[i % 2]} for i, row in enumerate(rows)], "t.tsv")
    given = [systems(), references()] if data == "texts" else [data]
    found = tri.correlate(*given, **options, samples=50)
    words = [*words.replace("TEXTS", " ".join(TEXTS)).split(), *QUICK]
    assert correlate(capsys, *words) == found.to_dict()
    assert correlate(capsys, *words, form="text") == f"{found}\n"
    assert list(found.facts()["agreements"][0]) == list(found.to_pandas().columns)


def test_the_options_of_the_function_are_those_of_the_command():
    from inspect import signature

    from tricolore.judge.correlation.options import CORRELATE
    from tricolore.parameters import parameters

    given = {name: one.default for name, one in signature(tri.correlate).parameters.items()}
    fields = {field.name: field.default for cls in CORRELATE for field in parameters(cls)}
    assert {name: given[name] for name in fields} == fields
    assert set(given) - set(fields) == {"data", "refs", "human", "metrics", "scores", "threads", "progress"}


def test_ratings_and_scores_may_be_objects(rated, capsys):
    import pandas
    import pyarrow

    outputs = {name: lines(name) for name in SYSTEMS}
    streams = tri.References.from_streams(map(lines, ("reference-a", "reference-b")))
    how = {"metrics": ["chrf"], "intervals": False}
    expected = [one.value for one in tri.correlate(systems(), references(), human=RATINGS, **how).agreements]
    for people in (human(), human().tolist(), dict(zip(SYSTEMS, human(), strict=True))):
        found = tri.correlate(outputs, streams, human=people, **how)
        assert [one.value for one in found.agreements] == expected
    table = own_table(capsys)
    save(table, "t.tsv")
    path = tri.correlate("t.tsv", intervals=False)
    columns = {name: [row[name] for row in table] for name in table[0]}
    for data in (columns, pandas.DataFrame(table), pyarrow.Table.from_pylist(table)):
        assert [one.value for one in tri.correlate(data, intervals=False).agreements] == pytest.approx(
            [one.value for one in path.agreements]
        )
    assert repr(path) == "<Correlation of chrf, errors with human ratings of 4 systems>"
    assert path["chrf", "system pearson"] in path.agreements
    whole = tri.correlate("t.tsv", human={name: i for i, name in enumerate(SYSTEMS)}, intervals=False)
    assert {one.measure.level for one in whole.agreements} == {"system"}


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ([], {}, "no data is given"),
        ([{"A": ["a"]}], {}, r"data: expected a file or table, got dict; texts require refs="),
        ([{"A": ["a"]}, ["a"]], {}, r"no ratings are given; name them with human="),
        ([{"A": ["a"]}, ["a"]], {"human": [[1], [2]]}, "human: expected one row for each of 1 systems, got 2 rows"),
        ([{"A": ["a"]}, ["a"]], {"human": {"A": ["good"]}}, "human: expected numbers"),
        (
            [{"A": ["a"], "B": ["b"]}, ["a"]],
            {"human": {"A": [1], "B": [1, 2]}},
            "expected the same number of ratings for each",
        ),
        (["t.tsv"], {"metrics": "bleu"}, "metrics=... requires texts, but only scores are given"),
        (["t.tsv"], {"samples": 0}, "samples must be a whole number from 1"),
        (["t.tsv"], {"levels": ["sytem"]}, "levels must be .*; did you mean 'system'"),
        (["t.tsv"], {"where": ["m"]}, "where must be a mapping of columns to values"),
        (["t.tsv"], {"mqm_weights": "major"}, "mqm_weights must be weights such as major=5"),
        (["t.tsv"], {"straw_score": 1}, "straw_score requires straw_men"),
    ],
)
def test_mistakes_name_parameters(arguments, options, message):
    with pytest.raises(tri.TricoloreError, match=message):
        tri.correlate(*arguments, **options)


# Names of systems ------------------------------------------------------------------------------------------------


def test_systems_are_called_by_their_files_without_the_ending(rated, capsys):
    words = [*TEXTS, "-m", "chrf", "--no-intervals", "--human"]
    expected = correlate(capsys, *words, RATINGS)
    assert expected["tables"]["system"][0]["systems"] == [*SYSTEMS]
    renamed = text_of(RATINGS)
    for system in SYSTEMS:
        renamed = renamed.replace(f"{system}\t", f"out/{system}.txt.gz\t")
    write("named.tsv", renamed)
    assert values(correlate(capsys, *words, "named.tsv")) == values(expected)
    run(["score", *TEXTS, "-m", "chrf", "--segments", "segments.tsv", "-q"])
    capsys.readouterr()
    for people in (RATINGS, "named.tsv"):
        found = correlate(capsys, "segments.tsv", "--human", people, "--no-intervals")
        assert of_segments(found) == pytest.approx(of_segments(expected))
    own = [word for name in SYSTEMS for word in ("--system", f"{name.upper()}={name}.txt")]
    status, _, err = type_in(capsys, "correlate", *REFS, *own, "--human", RATINGS)
    assert status == 1
    assert (
        "names differ: ratings.tsv rates careful, fluent, literal, hasty; the systems of the texts are CAREFUL, " in err
    )
    write("upper.tsv", re.sub(r"^(\w+)\t", lambda m: m[0].upper(), text_of(RATINGS), flags=re.MULTILINE))
    found = correlate(capsys, *REFS, *own, "-m", "chrf", "--human", "upper.tsv", "--no-intervals")
    assert values(found) == values(expected)


def test_what_hardly_any_segment_was_rated_for_is_told(rated, capsys):
    ratings = {"careful": [None] * 12, "hasty": [None] * 12, "fluent": [None] * 12}
    texts = [rated / f"{name}.txt" for name in ratings]
    for number, scores in enumerate(([9, 5, 7], [8, 4, 6])):
        for name, score in zip(ratings, scores, strict=True):
            ratings[name][number] = score
        for over in (None, "both"):
            found = tri.correlate(texts, rated / "reference-a.txt", human=ratings, samples=20, over=over)
            assert np.isnan(found["bleu", "system pearson"].low) == (number == 0)
            assert ("reliability" in str(found)) == (number > 0)
            many = ("1 of 12 segments is rated, so there are no intervals over segments", "2 of 12 segments are rated")
            assert f"\nonly {many[number]}\n" in str(found)
