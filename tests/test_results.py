"""One model of results: numbers that behave as numbers, and every result in every format."""

import csv
import io
import json
import math
import pickle
from pathlib import Path

import numpy as np
import pytest

import tricolore as tri
from tricolore.cli import run
from tricolore.examples import NBEST, REFERENCES, SYSTEMS, lines
from tricolore.results import FORMATS, emit, rounded

REFS = tri.References.from_streams([lines(name) for name in REFERENCES])
OUTPUTS = {name: lines(name) for name in SYSTEMS}
FILES = [f"{name}.txt" for name in SYSTEMS]


@pytest.fixture
def texts(tmp_path, monkeypatch, capsys):
    """The example texts as files, in the current folder."""
    run(["demo", "--write", str(tmp_path / "texts")])
    monkeypatch.chdir(tmp_path / "texts")
    capsys.readouterr()


def typed(capsys, *words):
    assert run([*words]) == 0
    return capsys.readouterr().out


RESULTS = {
    "score": lambda: tri.score(OUTPUTS["careful"], REFS)["bleu"],
    "scores": lambda: tri.score(OUTPUTS, REFS, ["bleu", "ter"], confidence=True, test="ar", trials=100),
    "segments": lambda: tri.score(OUTPUTS, REFS, ["bleu", "nist"], segments=True).segments,
    "comparison": lambda: tri.compare(OUTPUTS, REFS, ["bleu", "ter"]),
    "confidence": lambda: tri.confidence("chrf", OUTPUTS["careful"], REFS),
    "orange": lambda: tri.orange([["a b c", "a"], ["b c", "c d"]], [["a b c", "a b d"], ["b", "b c"]], ["wer", "per"]),
    "audit": lambda: tri.audit(OUTPUTS, REFS, ["bleu", "ter"], trials=99),
}


@pytest.fixture(params=RESULTS)
def result(request):
    return RESULTS[request.param]()


def test_every_result_has_every_format(result):
    for form in FORMATS:
        stream = io.StringIO()
        emit(result, form, stream=stream)
        assert stream.getvalue().strip(), form
        if form == "json":
            json.loads(stream.getvalue())
        if form == "csv":
            header, *rows = csv.reader(io.StringIO(stream.getvalue()))
            assert "signature" in header
            assert rows
    with pytest.raises(tri.SpecError, match="format must be one of text, json"):
        emit(result, "xml")


def test_every_result_is_a_table(result):
    frame, table = result.to_pandas(), result.to_arrow()
    assert len(frame) == table.num_rows == len(result.records())
    assert list(frame.columns) == table.column_names
    assert "signature" in frame.columns
    assert "<table" in result._repr_html_() or "<p>" in result._repr_html_()
    json.dumps(result.to_dict())


def test_a_representation_is_short(result):
    assert len(repr(result)) < 300


def test_six_systems_are_one_line():
    systems = {f"{name}{i}": output for name, output in OUTPUTS.items() for i in range(2)}
    assert repr(tri.compare(systems, REFS)) == "Comparison of 8 systems on 12 segments by bleu"


# A score is a number ----------------------------------------------------------------------------------------------


def test_a_score_is_a_number():
    good, bad = (tri.BLEU()(OUTPUTS[name], REFS) for name in ("careful", "hasty"))
    assert good > bad
    assert max(bad, good) is good
    assert sorted([good, bad]) == [bad, good]
    assert np.mean([good, bad]) == pytest.approx((good.value + bad.value) / 2)
    assert np.asarray([good]).dtype == np.float64
    assert json.loads(json.dumps(float(good))) == json.loads(json.dumps(good)) == good.value
    assert (good + bad) / 2 == pytest.approx(np.mean([good.value, bad.value]))
    assert math.isclose(abs(-good), good.value)
    assert pickle.loads(pickle.dumps(good)) == good
    assert pickle.loads(pickle.dumps(good)).signature == good.signature
    assert hash(good) == hash(good.value)


def test_points_are_what_is_printed_and_value_is_the_papers():
    score = tri.BLEU()(OUTPUTS["careful"], REFS)
    assert score.points == 100 * score.value
    assert f"{score:.4f}" == f"{score.value:.4f}"
    assert f"{score}".startswith(f"BLEU = {score.points:.2f} ")
    nist = tri.NIST()(OUTPUTS["careful"], REFS)
    assert nist.points == nist.value > 1
    with pytest.raises(AttributeError, match=r"a Score has no 'score': .points is 92\.\d+, .value is 0\.92"):
        score.score  # noqa: B018


def test_scores_are_found_by_what_was_typed():
    found = tri.score(OUTPUTS["careful"], REFS, ["bleu(order=2)", "chrF++", tri.WER()])
    assert found["bleu(order=2)"].metric == tri.BLEU(order=2)
    assert found["chrF++"] == found[1] == [*found][1]
    assert found["wer"] == found[tri.WER()] == found[2]
    with pytest.raises(tri.TricoloreError, match="no metric 'blue'"):
        found["blue"]
    several = tri.score(OUTPUTS, REFS)
    assert several["hasty", "bleu"] < several["careful", "bleu"]
    with pytest.raises(KeyError, match="no system 'hast'; did you mean 'hasty'"):
        several["hast", "bleu"]
    assert len(several) == 4


# The command and the function say the same ------------------------------------------------------------------------


def test_score(texts, capsys):
    words = ["score", "reference-a.txt", "reference-b.txt", "-i", *FILES, "-m", "bleu", "rouge-1", "rouge-l", "ter"]
    refs = [Path("reference-a.txt"), Path("reference-b.txt")]
    found = tri.score([Path(name) for name in FILES], refs, ["bleu", "rouge-1", "rouge-l", "ter"])
    assert json.loads(typed(capsys, *words, "-f", "json")) == found.to_json()
    assert typed(capsys, *words) == f"{found}\n"
    tested = tri.score({name: f"{name}.txt" for name in SYSTEMS}, refs, "bleu", confidence=True, test="ar")
    assert json.loads(typed(capsys, *words[:-4], "bleu", "-ci", "-par", "-f", "json")) == tested.to_json()


def test_segments(texts, capsys):
    words = ["score", "reference-a.txt", "-i", "hasty.txt", "literal.txt", "-m", "bleu", "wer", "--segments"]
    found = tri.score([Path("hasty.txt"), Path("literal.txt")], "reference-a.txt", ["bleu", "wer"], segments=True)
    for name in ("s.csv", "s.parquet", "s.tsv", "s.jsonl"):
        typed(capsys, *words, name)
    import pandas
    import pyarrow.parquet

    expected = found.segments.to_pandas()
    assert len(expected) == 2 * 2 * 12
    pandas.testing.assert_frame_equal(pandas.read_csv("s.csv"), expected)
    pandas.testing.assert_frame_equal(pandas.read_csv("s.tsv", sep="\t"), expected)
    pandas.testing.assert_frame_equal(pyarrow.parquet.read_table("s.parquet").to_pandas(), expected)
    assert [json.loads(line) for line in Path("s.jsonl").read_text().splitlines()] == found.segments.records()
    np.testing.assert_array_equal(found.segments["hasty", "wer"], tri.WER().segments(*read("hasty", "reference-a")))
    typed(capsys, *words, "t.jsonl", "--texts")
    first = json.loads(Path("t.jsonl").read_text().splitlines()[0])
    assert first["hypothesis"] == lines("hasty")[0]
    assert first["references"] == [lines("reference-a")[0]]


def read(hyp, ref):
    return lines(hyp), lines(ref)


def test_single_segments_are_named_as_in_files_of_segments(texts, capsys):
    words = ["score", "reference-a.txt", "-i", "hasty.txt", "-m", "bleu", "chrf++", "-f", "tsv"]
    out = typed(capsys, *words, "-sl")
    typed(capsys, *words, "--segments", "s.tsv")
    assert Path("s.tsv").read_text() == out


def test_compare(texts, capsys):
    words = ["compare", "reference-a.txt", "-i", *FILES, "-m", "bleu", "ter", "--trials", "99"]
    found = tri.compare([Path(name) for name in FILES], "reference-a.txt", ["bleu", "ter"], trials=99)
    assert json.loads(typed(capsys, *words, "-f", "json")) == found.to_dict()
    assert typed(capsys, *words) == f"{found}\n"
    typed(capsys, "score", "reference-a.txt", "-i", *FILES, "-m", "wer", "--segments", "s.tsv")
    scores = tri.compare_scores("s.tsv")
    assert json.loads(typed(capsys, "compare", "--scores", "s.tsv", "-f", "json")) == scores.to_dict()


def test_runs(texts, capsys):
    words = ["compare", "reference-a.txt", "--system", "a=careful.txt,fluent.txt", "--system", "b=hasty.txt"]
    found = tri.compare({"a": [Path("careful.txt"), Path("fluent.txt")], "b": "hasty.txt"}, "reference-a.txt")
    assert json.loads(typed(capsys, *words, "-f", "json")) == found.to_dict()


def test_orange(texts, capsys):
    words = ["orange", f"{NBEST}.txt", "reference-a.txt", "reference-b.txt", "-m", "bleus(order=1..3)", "per"]
    refs = [Path("reference-a.txt"), Path("reference-b.txt")]
    found = tri.orange(f"{NBEST}.txt", refs, ["bleus(order=1..3)", "per"])
    assert json.loads(typed(capsys, *words, "-f", "json")) == found.to_json()
    assert found["per"].metric == tri.PER()


def test_a_system_has_the_same_name_everywhere(texts, capsys):
    words = ["reference-a.txt", "-i", "hasty.txt", "--system", "mine=fluent.txt", "-f", "json"]
    assert {one["system"] for one in json.loads(typed(capsys, "score", *words))} == {"hasty", "mine"}
    compared = json.loads(typed(capsys, "compare", *words))
    assert {one["system"] for one in compared["metrics"][0]["systems"]} == {"hasty", "mine"}


# Digits -----------------------------------------------------------------------------------------------------------


def test_numbers_for_programs_are_in_full(texts, capsys):
    words = ["score", "reference-a.txt", "-i", "hasty.txt"]
    exact = tri.score("hasty.txt", "reference-a.txt")["bleu"].points
    for form in ("json", "tsv", "csv"):
        assert repr(exact) in typed(capsys, *words, "-f", form)
        assert repr(round(exact, 3)) in typed(capsys, *words, "-f", form, "-w", "3")
    assert rounded([{"score": 1.26, "p": 0.123456}], 1) == [{"score": 1.3, "p": 0.123456}]


def test_latex_has_the_best_in_bold(texts, capsys):
    out = typed(capsys, "score", "reference-a.txt", "-i", *FILES, "-m", "bleu", "ter", "-f", "latex")
    assert "\\toprule" in out
    assert out.count("\\textbf{") == 2


# Documentation ----------------------------------------------------------------------------------------------------


def test_every_key_is_documented(result):
    page = Path(__file__).parents[1] / "docs" / "reference" / "results.md"
    if not page.is_file():
        pytest.skip("the documentation is not part of this tree")
    text = page.read_text(encoding="utf-8")
    items = {"nrefs", "case", "tok", "version"}  # the others of a signature are the metrics' own

    def check(value):
        if isinstance(value, dict):
            signature = value.get("signature", "")
            for key, inner in value.items():
                assert f"`{key}`" in text or key in items or f"|{key}:" in signature, key
                check(inner)
        elif isinstance(value, list):
            for inner in value:
                check(inner)

    check(result.to_dict())


def test_notebooks_show_the_ends_of_long_tables():
    texts = [f"segment {i} is here" for i in range(1000)]
    found = tri.score(texts, texts, "bleu", segments=True).segments
    assert found._repr_html_().count("<tr>") == 62
    assert "… 940 more" in found._repr_html_()
    assert len(found.to_pandas()) == 1000
