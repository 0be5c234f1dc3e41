"""`report`: what is in the file, what it says, and what it refuses."""

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from report_data import corpus

import tricolore as tri
from tricolore.cli import run
from tricolore.errors import InputError, MissingExtraError, SpecError
from tricolore.examples import RATINGS, REFERENCES, SYSTEMS, lines, text_of, write_example
from tricolore.reporting import html_page
from tricolore.reporting.figures import heat_map, line_chart
from tricolore.reporting.packing import Arrays, packed_json
from tricolore.reporting.plots import bucket_scores, length_buckets
from tricolore.reporting.verdict import sentences

pytest.importorskip("jinja2", reason="Jinja2 is not installed")

HOSTILE = "</script><script>alert(1)</script>"


def blocks(path):
    """The data blocks of a report, unpacked."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(r'<script type="text/plain" id="(\w+)">([^<]*)</script>', text)
    return {name: gzip.decompress(base64.b64decode(packed)) for name, packed in found}


def data_of(path):
    found = blocks(path)
    return json.loads(found["data"]), found["numbers"], json.loads(found["texts"])


def array(data, numbers, number):
    kind, first, length = data["arrays"][number]
    types = {"Uint8": "<u1", "Uint16": "<u2", "Int32": "<i4", "Float32": "<f4", "Float64": "<f8"}
    return np.frombuffer(numbers, types[kind], length, first).astype(float)


@pytest.fixture
def demo():
    references = tri.References.from_streams([lines(name) for name in REFERENCES])
    return {name: lines(name) for name in SYSTEMS}, references


@pytest.fixture
def ratings(tmp_path):
    (tmp_path / "ratings.tsv").write_text(text_of(RATINGS), encoding="utf-8")
    return tmp_path / "ratings.tsv"


# What is in the file -----------------------------------------------------------------------------------------------


def test_the_numbers_are_those_of_compare(demo, tmp_path):
    made = tri.report(*demo, ["bleu", "ter"], path=tmp_path / "r.html", trials=200, resamples=100)
    expected = tri.compare(*demo, ["bleu", "ter"], trials=200, resamples=100)
    assert made.comparison.to_dict() == expected.to_dict()
    data, numbers, texts = data_of(tmp_path / "r.html")
    for metric, judgement in zip(data["metrics"], expected.judgements, strict=True):
        assert [data["systems"][row[0]] for row in metric["ranked"]] == [one.name for one in judgement.systems]
        assert [row[1] for row in metric["ranked"]] == [one.score for one in judgement.systems]
        assert [row[6:] for row in metric["pairs"]] == [[one.p, one.p_adjusted] for one in judgement.pairs]
        assert metric["signature"] == judgement.signature
        for k, name in enumerate(data["systems"]):
            rows = tri.metric(metric["name"]).stats(demo[0][name], demo[1]).values
            embedded = np.stack([array(data, numbers, i) for i in metric["rows"][k]], axis=1)
            assert np.array_equal(embedded, rows)
    assert texts["outputs"] == [list(row) for row in zip(*demo[0].values(), strict=True)]
    assert texts["references"] == [list(entry) for entry in demo[1].entries]


def test_ratings_groups_source_and_scores_are_there(demo, ratings, tmp_path):
    comet = {name: [float(k * i) for i in range(12)] for k, name in enumerate(SYSTEMS)}
    made = tri.report(
        *demo, "chrf", path=tmp_path / "r.html", source=lines("reference-a"), human=ratings, scores={"COMET": comet},
        docs=["d1"] * 6 + ["d2"] * 6, by={"length": ["x", "y"] * 6}, trials=100, resamples=50,
    )  # fmt: skip
    data, numbers, texts = data_of(tmp_path / "r.html")
    assert [(one["title"], one["kind"]) for one in data["metrics"]] == [
        ("chrF2", "metric"), ("COMET", "scores"), ("Human", "human"),
    ]  # fmt: skip
    assert [(group["name"], group["values"]) for group in data["groups"]] == [
        ("document", ["d1", "d2"]), ("length", ["x", "y"]),
    ]  # fmt: skip
    assert array(data, numbers, data["groups"][1]["codes"]).tolist() == [0, 1] * 6
    assert texts["source"] == lines("reference-a")
    own = tri.correlate(demo[0], demo[1], human=ratings, metrics="chrf", samples=50)
    assert made.evaluation.correlation["chrf", "system pearson"].value == own["chrf", "system pearson"].value
    human = {name: made.comparison["human"].system(name).score for name in SYSTEMS}
    table = own.joined.systems[0]
    assert human == pytest.approx(dict(zip(table.systems, table.human.systems().tolist(), strict=True)))


def test_the_same_report_is_written_twice(demo, tmp_path):
    for name in ("a.html", "b.html"):
        tri.report(*demo, "chrf", path=tmp_path / name, trials=50, resamples=20)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_policy_names_the_script_and_the_style_that_are_there(demo, tmp_path):
    tri.report(*demo, "chrf", path=tmp_path / "r.html", trials=50, resamples=20)
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    for element in ('script type="module"', "style"):
        inside = re.search(rf"<{element}>(.*?)</{element.split()[0]}>", text, re.DOTALL)[1]
        assert base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode() in policy
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert not re.search(r'\son\w+=|\sstyle="', text), "the policy forbids these"


def test_hostile_names_and_texts_are_data(tmp_path):
    outputs, refs = corpus(10, systems=(HOSTILE, 'x" onload="alert(2)'))
    outputs[HOSTILE][0] = HOSTILE + "\ud800\u202e\x00"
    by = {"<b>": [HOSTILE] * 10}
    tri.report(outputs, refs, "chrf", path=tmp_path / "r.html", title=HOSTILE, by=by, trials=50, resamples=20)
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "alert(1)</script>" not in text and "<script>alert" not in text and 'onload="alert' not in text
    _, _, texts = data_of(tmp_path / "r.html")
    assert texts["outputs"][0][0] == HOSTILE + "\ud800\u202e\x00"


def test_texts_are_cut_only_when_asked_and_visibly(demo, tmp_path):
    tri.report(*demo, "chrf", path=tmp_path / "r.html", max_texts=3, no_rows=True, trials=50, resamples=20)
    data, numbers, texts = data_of(tmp_path / "r.html")
    assert data["texts"] == len(texts["outputs"]) == 3
    assert data["metrics"][0]["rows"] is None
    expected = tri.metric("chrf").segments(demo[0]["careful"], demo[1])
    assert array(data, numbers, data["metrics"][0]["scores"][0]) == pytest.approx(expected)
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "of the first 3 of 12 segments only" in text and "nothing is recomputed" in text


def test_a_single_system_has_intervals_and_no_pairs(demo, tmp_path):
    made = tri.report({"careful": demo[0]["careful"]}, demo[1], path=tmp_path / "r.html", resamples=50)
    confidence = tri.confidence("bleu", demo[0]["careful"], demo[1], resamples=50)
    found = made.comparison["bleu"].systems[0]
    assert (found.interval.low, found.interval.high) == (confidence.low, confidence.high)
    assert made.comparison["bleu"].pairs == ()
    interval = f"{100 * found.interval.low:.1f} to {100 * found.interval.high:.1f}"
    assert made.sentences[0] == f"BLEU: careful scores {100 * found.score:.1f} (95 % interval {interval})."
    assert 'data-view="pairs"' not in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_systems_without_ratings_are_shown_without(demo, tmp_path):
    human = {name: [50.0 + k] * 6 + [60.0 - k] * 6 for k, name in enumerate(SYSTEMS[:3])}
    with pytest.raises(InputError, match="given but not rated: hasty; ignore_unknown=True"):
        tri.report(*demo, "chrf", path=tmp_path / "r.html", human=human)
    made = tri.report(
        *demo, "chrf", path=tmp_path / "r.html", human=human, ignore_unknown=True, trials=50, resamples=20
    )
    assert [one.name for one in made.comparison["human"].systems].count("hasty") == 0
    assert "–" in made._repr_html_()


# What is said ------------------------------------------------------------------------------------------------------


def test_sentences_agree_with_the_comparison():
    outputs, refs = corpus(200)
    found = tri.compare({**outputs, "copy": outputs["good"]}, refs, ["bleu", "chrf"], trials=300, resamples=100)
    said = sentences(found)
    assert said[0].startswith("BLEU: good and copy are best (") and "both beat fair and poor (p = 0.0" in said[0]
    assert len(said) == 2
    said = sentences(tri.compare(outputs, refs, ["bleu", "chrf"], trials=300, resamples=100))
    assert said[-1] == "All 2 columns agree that good scores best."
    alone = sentences(tri.compare({"good": outputs["good"], "poor": outputs["poor"]}, refs, "chrf", trials=300))
    assert re.fullmatch(r"chrF2: good is best \(\d+\.\d\) and beats poor \(p = 0\.003\)\.", alone[0])
    same = sentences(tri.compare({"a": outputs["good"], "b": outputs["good"]}, refs, "chrf", trials=300))
    assert same == ["chrF2: a and b have the same score (84.1)."]


def test_ties_have_no_winner():
    refs = [f"sentence {i} has some more words" for i in range(30)]
    outputs = {"a": [*refs[:29], "x"], "b": [*refs[:29], "x"], "c": [*refs[:28], "x y z", "x"]}
    said = sentences(tri.compare(outputs, refs, ["bleu", "chrf"], trials=99, resamples=20))
    assert "a and b have the best score (" in said[0] and said[0].endswith("none of them is certain to be best.")
    assert len(said) == 2  # which columns agree on nothing
    outputs["b"] = [refs[0].upper(), *outputs["b"][1:]]  # which TER does not see
    said = sentences(tri.compare(outputs, refs, ["bleu", "chrf", "ter"], trials=99, resamples=20))
    assert said[-1] == "All 2 columns without a tie agree that a scores best."


def test_the_overview_is_for_notebooks(demo, tmp_path):
    made = tri.report(*demo, ["bleu", "chrf"], path=tmp_path / "r.html", trials=50, resamples=20)
    html = made._repr_html_()
    judgement = made.comparison["bleu"]
    assert judgement.shown(judgement.systems[0].score) in html and "<svg" in html
    assert str(made).splitlines()[-1] == f"Report: {tmp_path / 'r.html'}"
    assert made.to_pandas().shape[0] == 8
    assert made.to_dict()["sentences"] == made.sentences


def test_a_comparison_reports_itself(demo, tmp_path):
    found = tri.compare(*demo, ["bleu", "chrf"], trials=50, resamples=20)
    made = found.report(tmp_path / "r.html", title="Mine")
    _, _, texts = data_of(tmp_path / "r.html")
    assert made.comparison == found and len(texts["outputs"]) == 12
    assert "<title>Mine</title>" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_a_comparison_of_scores_reports_itself_without_texts(tmp_path):
    found = tri.compare_scores({"a": [3, 4, 5, 5, 6], "b": [2, 2, 5, 4, 5]})
    found.report(tmp_path / "r.html")
    data, _, texts = data_of(tmp_path / "r.html")
    assert texts["outputs"] == [] and data["metrics"][0]["title"] == "score" and data["lengths"] is None


def test_several_runs_have_no_report(demo, tmp_path):
    found = tri.compare({"a": [demo[0]["careful"]] * 2, "b": [demo[0]["hasty"]] * 2}, demo[1], trials=50, resamples=20)
    with pytest.raises(InputError, match="several runs"):
        found.report(tmp_path / "r.html")
    assert not (tmp_path / "r.html").exists()


# Other results -----------------------------------------------------------------------------------------------------


@pytest.fixture
def example(tmp_path):
    write_example(str(tmp_path / "example"))
    return tmp_path / "example"


def test_orange_search_tune_and_correlate_report_themselves(example, tmp_path):
    refs = [example / f"{name}.txt" for name in REFERENCES]
    orange = tri.orange(example / "nbest.txt", refs, ["bleu", "rouge-l"], curve=True)
    search = tri.search("chrf(char_order=2..4, beta=1..3)", example, measures=["system pearson", "segment kendall-b"])
    one = tri.search("chrf(beta=1..3)", example, measures=["system pearson"])
    tuning = tri.tune(example / "nbest.txt", refs, "mira", replicate=2, held_out=0.3)
    correlation = tri.correlate(
        [example / f"{name}.txt" for name in SYSTEMS],
        refs,
        human=example / RATINGS,
        metrics=["bleu", "ter"],
        samples=20,
    )
    expected = {
        "orange": "Curve over the length",
        "search": "char_order=2",
        "one": "beta",
        "tuning": "mira: learning curves",
    }
    expected |= {"correlation": "ter and human ratings"}
    results = {"orange": orange, "search": search, "one": one, "tuning": tuning, "correlation": correlation}
    for name, result in results.items():
        path = tmp_path / f"{name}.html"
        assert result.report(path) == str(path)
        text = path.read_text(encoding="utf-8")
        assert expected[name] in text and text.count("<svg") >= 1 and "Content-Security-Policy" in text
        for table in result.page().tables:
            for row in table.rows[:3]:
                assert all(cell.strip().replace("<", "&lt;") in text for cell in row)
    assert "held out" in (tmp_path / "tuning.html").read_text(encoding="utf-8")
    assert tuning.runs["mira"][0].steps[0].number == 0


# Pictures ----------------------------------------------------------------------------------------------------------


def test_plots_are_written(demo, ratings, tmp_path):
    import xml.etree.ElementTree as ElementTree

    how = {"trials": 50, "resamples": 20, "human": ratings}
    made = tri.report(*demo, ["bleu", "ter"], path=tmp_path / "r.html", plot=tmp_path / "plots", **how)
    kinds = {path.name.split("-")[0] for path in (tmp_path / "plots").iterdir()}
    assert kinds == {"intervals", "p", "segments", "differences", "lengths", "agreement", "ranks.svg", "human"}
    assert len(made.plots) == len([*(tmp_path / "plots").iterdir()])
    for path in (tmp_path / "plots").iterdir():
        root = ElementTree.parse(path).getroot()
        assert root.tag.endswith("svg") and "nan" not in path.read_text(encoding="utf-8").replace("hasnan", "")


def test_buckets_are_scored_as_the_library_scores_their_segments(demo):
    systems, references = demo
    found = tri.compare(systems, references, "bleu", trials=50, resamples=30)
    column = found.compared.criteria[0].column
    lengths = np.array([5.0, 12.0, 9.5, 60.0] * 3)
    buckets = length_buckets(lengths)
    assert [*buckets] == ["0–9", "10–19", "60+"] and buckets["60+"].tolist() == [3, 7, 11]
    scores, low, high = bucket_scores(column, [0, 2], buckets["60+"], 30, 0.95, 12345)
    part = {name: [systems[name][i] for i in (3, 7, 11)] for name in ("careful", "literal")}
    expected = tri.compare(part, [references.entries[i] for i in (3, 7, 11)], "bleu", trials=50, resamples=30)["bleu"]
    assert scores.tolist() == [expected.system(name).score for name in part]
    assert low.tolist() == [expected.system(name).interval.low for name in part]
    assert high.tolist() == [expected.system(name).interval.high for name in part]
    assert np.isnan(bucket_scores(column, [0], [3], 30, 0.95, 1)[1]).all()


def test_long_names_of_columns_are_within_the_picture():
    name = "segment accuracy-ties by segment"
    svg = heat_map(["a"], ["b", name], [[0.1, 0.5]], "t")
    [x] = re.findall(r'<text x="([0-9.]+)"[^>]*>' + name, svg)
    assert float(re.search(r'viewBox="0 0 ([0-9.]+)', svg)[1]) > float(x) + 7 * len(name) / 2**0.5


def test_pictures_of_undefined_and_equal_numbers():
    svg = heat_map(["a"], ["b", "c", "d"], [[None, 0.5, float("inf")]], "t", unknown="?", infinite="not")
    bars = line_chart({"x": [(1, 2)]}, ("a", "b"), "t", intervals={"x": [(1, 3)]}, alone=True)
    whisker = next(one for one in ElementTree.fromstring(bars).iter() if one.get("class") == "axis")
    assert whisker.get("stroke") == "#1f5fa8" and not re.search(
        r"\.axis \{[^}]*stroke:", bars
    )  # styles outdo attributes
    many = {"long": [(k, k) for k in range(41)], "short": [(0, 1), (1, 2)]}
    assert "<circle" not in line_chart(many, ("a", "b"), "t")  # dots on all curves or on none
    looks = [one.attrib for one in ElementTree.fromstring(svg).iter() if one.tag.endswith("rect")]
    assert [(look["fill"], look.get("fill-opacity")) for look in looks] == [
        ("none", None), ("#1f5fa8", "0.06"), ("#1c2430", "0.9")]  # fmt: skip
    assert "–" in heat_map(["a"], ["b", "c"], [[None, 0.5]], "t") and "NaN" not in line_chart(
        {"a": [(0, 1.0)]}, ("x", "y"), "t"
    )


def test_arrays_are_held_exactly():
    arrays = Arrays()
    given = [[0, 255], [256], [-1], [0.5], [0.1], [-0.0], [], [2.0**40], [float("nan"), 1]]
    kinds = ["Uint8", "Uint16", "Int32", "Float32", "Float64", "Float32", "Uint8", "Float32", "Float32"]
    assert [arrays.places[arrays.add(values)][0] for values in given] == kinds
    data = gzip.decompress(base64.b64decode(arrays.packed()))
    for k, values in enumerate(given):
        assert np.array_equal(array({"arrays": arrays.places}, data, k), values, equal_nan=True)
    assert json.loads(gzip.decompress(base64.b64decode(packed_json(["\ud800", "é"])))) == ["\ud800", "é"]


# The command, and what is refused ----------------------------------------------------------------------------------


def test_command(example, tmp_path, capsys):
    refs, systems = ([str(example / f"{name}.txt") for name in names] for names in (REFERENCES, SYSTEMS))
    (tmp_path / "docs").write_text("d1\tx\n" * 6 + "d2\ty\n" * 6)
    scores = tmp_path / "comet.tsv"
    scores.write_text(
        "".join(f"{name}\t{0.5 + k / 10 + i / 100}\n" for k, name in enumerate(SYSTEMS) for i in range(12))
    )
    target = tmp_path / "r.html"
    command = [
        "report",
        *refs,
        "-i",
        *systems,
        "-m",
        "chrf",
        "--human",
        str(example / RATINGS),
        "--docs",
        str(tmp_path / "docs"),
    ]
    command += [
        "--by",
        f"half={tmp_path / 'docs'}",
        "--scores",
        str(scores),
        "-o",
        str(target),
        "--title",
        "Demo",
        "-q",
    ]
    assert run([*command, "--trials", "50", "--resamples", "20"]) == 0
    assert f"Report: {target}" in capsys.readouterr().out
    data, _, _ = data_of(target)
    assert [one["title"] for one in data["metrics"]] == ["chrF2", "comet", "Human"]
    assert [group["name"] for group in data["groups"]] == ["document", "half"]
    assert run([*command, "--trials", "50", "--resamples", "20", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "Demo"


@pytest.mark.parametrize(
    ("more", "status", "message"),
    [
        (["--docs", "short"], 1, "short: has 1 values, but there are 12 segments"),
        (["--docs", "nothing"], 1, "nothing: no such file"),
        (["--by", "half"], 2, "--by: expected NAME=FILE"),
        (["--human-form", "mqm"], 2, "--human-form is about ratings; name them with --human"),
        (["--lower-is-better", "x"], 2, "--lower-is-better is for --scores"),
        (["--ignore-unknown"], 2, "--ignore-unknown is for --human and --scores"),
        (["-o", "no/folder/r.html"], 1, "no/folder/r.html: cannot be written"),
        (["--source", "short"], 1, "source: has 1 segments, but the references have 12"),
        (["--level", "2"], 2, "--level must be a number between 0 and 1"),
        (["-o", "r.pdf"], 2, "--output: expected a file name that ends in .html or .htm; got 'r.pdf'"),
        (["-o", "none/"], 2, "--output: expected a file name that ends in .html or .htm; got 'none/'"),
        (["--source", "s.htm", "-o", "s.htm"], 2, "--output: s.htm is one of the files to read; name another file"),
    ],
)  # fmt: skip
def test_mistakes_get_one_line_and_leave_no_file(example, tmp_path, monkeypatch, capsys, more, status, message):
    monkeypatch.chdir(tmp_path)
    for name in ("short", "s.htm"):
        (tmp_path / name).write_text("one\n")
    refs, systems = ([str(example / f"{name}.txt") for name in names] for names in (REFERENCES, SYSTEMS))
    assert run(["report", *refs, "-i", *systems, "-m", "chrf", "--resamples", "9", "--trials", "9", *more]) == status
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1 and message in said[0]
    assert not [*tmp_path.glob("*.html")] and not [*tmp_path.glob(".*part")]


@pytest.mark.parametrize("given", ["systems", "refs", "source", "human", "scores", "named scores", "docs", "by"])
def test_no_file_that_is_read_is_overwritten(demo, tmp_path, monkeypatch, given):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "read.html"
    path.write_text("".join(f"{i}\n" for i in range(12)))
    how = {"systems": demo[0], "refs": demo[1], given: path}
    how |= {"systems": {"a": "read.html"}} if given == "systems" else {}
    how |= {"refs": [Path("read.html"), path]} if given == "refs" else {"by": {"k": "read.html"}}
    how |= {"scores": ["x=read.html"]} if how.pop("named scores", None) else {}
    with pytest.raises(tri.SpecError, match=r"^path: read.html is one of the files to read; name another file$"):
        tri.report(**how, path="read.html")
    systems, refs = ({"a": path}, path) if given == "systems" else (demo[0], tri.References(["read.html"] * 12))
    with pytest.raises(tri.SpecError, match=r"^segments: .*read.html is one of the files to read"):
        tri.score(systems, refs, "ter", scores=[f"x={path}"], segments=path)
    with pytest.raises(tri.SpecError, match=r"path must be the name of a file that ends in .html or .htm; got 5"):
        tri.report(*demo, path=5)
    with pytest.raises(tri.SpecError, match="segments must be the name of a file, or true or false; got 5"):
        tri.score(*demo, segments=5)
    assert path.read_text().startswith("0\n")


def test_without_jinja2_the_extra_is_named(monkeypatch, demo, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tricolore\[report\]'"):
        html_page.render("overview.html", {})


def test_token_ids_and_no_metrics_are_refused(demo, tmp_path):
    with pytest.raises(tri.InputTypeError, match="a report shows texts"):
        tri.report({"a": [[1, 2]]}, [[[1, 2]]], path=tmp_path / "r.html")
    with pytest.raises(SpecError, match="at least one"):
        tri.report(*demo, [], path=tmp_path / "r.html")
    with pytest.raises(InputError, match="COMET: expected 4 systems x 12 segments"):
        tri.report(*demo, "chrf", path=tmp_path / "r.html", scores={"COMET": [[1.0]] * 4})


def test_the_command_of_the_documentation_prints_what_it_says(example, monkeypatch, capsys):
    page = Path(__file__).parents[1] / "docs" / "reference" / "report.md"
    if not page.exists():
        pytest.skip("the documentation is not part of this tree")
    console = re.compile(r"```console\n\$ tricolore (.*?)\n(.*?)```", re.DOTALL)
    command, expected = console.search(page.read_text(encoding="utf-8")).groups()
    monkeypatch.chdir(example)
    assert run(command.split()) == 0
    assert capsys.readouterr().out == expected


def test_the_demo_ends_by_naming_its_report(tmp_path, capsys):
    assert run(["demo", "--report", str(tmp_path / "new" / "r.html")]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith(f"to open in a browser: {tmp_path / 'new' / 'r.html'}")
    data, _, _ = data_of(tmp_path / "new" / "r.html")
    assert [one["title"] for one in data["metrics"]] == ["BLEU", "chrF2", "TER", "Human"]


def test_a_table_is_reported(tmp_path, capsys):
    outputs, refs = corpus(12)
    table = tmp_path / "table.tsv"
    rows = zip(refs, outputs["good"], outputs["poor"], ["news", "chat"] * 6, strict=True)
    table.write_text("ref\tgood\tpoor\tdomain\n" + "".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    command = ["report", "--table", str(table), "--hyp", "good", "poor", "--ref", "ref"]
    command += ["--source", "ref", "--by", "domain"]
    few = ["-m", "chrf", "--trials", "50", "--resamples", "20", "-q", "-o", str(tmp_path / "r.html")]
    assert run([*command, *few]) == 0
    data, _, texts = data_of(tmp_path / "r.html")
    assert data["systems"] == ["good", "poor"] and texts["source"] == refs
    assert [(one["name"], one["values"]) for one in data["groups"]] == [("domain", ["news", "chat"])]
    expected = tri.compare({name: outputs[name] for name in ("good", "poor")}, refs, "chrf", trials=50, resamples=20)
    assert data["metrics"][0]["ranked"][0][1] == expected["chrf"].systems[0].score
    capsys.readouterr()
    assert run(["report", "--hyp", "x", "-o", str(tmp_path / "s.html")]) == 2
    assert "--hyp needs --table" in capsys.readouterr().err
    assert run([*command, *few, "-i", "x"]) == 2
    assert "exclude each other" in capsys.readouterr().err
