"""External scores beside computed metrics: the same numbers from every form, and one line for every damaged file."""

import gzip
import io
import json
import random
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import numpy as np
import pytest

import tricolore as tri
from tricolore.cli import run
from tricolore.judge.significance.intervals import interval_of_scores
from tricolore.metrics.external import ExternalMetric
from tricolore.readers.score_files import ScoreFile, read_scores

N = 12
NAMES = ("careful", "hasty", "fluent")
RNG = random.Random(16)
SCORES = {name: [round(RNG.uniform(0.3, 0.9), 4) for _ in range(N)] for name in NAMES}
MEANS = {name: sum(values) / N for name, values in SCORES.items()}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    with redirect_stdout(io.StringIO()):
        assert run(["demo", "--write", str(tmp_path / "texts")]) == 0
    monkeypatch.chdir(tmp_path / "texts")


def typed(words):
    """Exit status, results and messages of a command."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = run([*words.split()])
    return status, out.getvalue(), err.getvalue()


def write(name, text):
    Path(name).parent.mkdir(exist_ok=True, parents=True)
    Path(name).write_text(text, encoding="utf-8")


TEXTS = "reference-a.txt -i careful.txt hasty.txt fluent.txt"


# Forms of files ----------------------------------------------------------------------------------------------------


def comet_items(name):
    return [{"src": "s", "mt": f"{name} {i}", "ref": "r", "COMET": value} for i, value in enumerate(SCORES[name])]


def comet_text(old=False, variance=""):
    names = NAMES[:1] if old else NAMES
    before = {name: "" if old else f"out/{name}.txt\t" for name in names}
    lines = [f"{before[name]}Segment {i}\tscore: {SCORES[name][i]:.4f}{variance}" for i in range(N) for name in names]
    lines += [
        f"{before[name]}score: {MEANS[name]:.4f}" if not old else f"System score: {MEANS[name]:.4f}" for name in names
    ]
    return "\n".join([*lines, "Predictions saved in: x.json.", ""])


def rows(first=1):
    return [(name, i + first, value) for name in NAMES for i, value in enumerate(SCORES[name])]


def separated(delimiter, header, cells):
    return "".join(delimiter.join(map(str, row)) + "\n" for row in [header, *cells])


def metricx(first=0):
    return "".join(
        json.dumps({"source": "7", "hypothesis": "2024", "system_id": name, "segment_id": i, "prediction": value})
        + "\n"
        for name, i, value in rows(first)
    )


def compared_json():
    found = [{"name": f"out/{name}.txt", "mt": ["x"] * N, "scores": SCORES[name]} for name in NAMES]
    return json.dumps({"model": "m", "source": ["s"] * N, "statistical_results": [], "translations": found}, indent=4)


LONG = [(name, i, "x", value) for name, i, value in rows()]

#: Every form in which the same scores of three systems can be given: file and content.
FORMS = {
    "comet-score": ("c.txt", comet_text()),
    "comet-score --mc_dropout": ("c.txt", comet_text(variance="\tvariance: 0.0100")),
    "comet-score --to_json": ("c.json", json.dumps({f"a/{n}.txt": comet_items(n) for n in NAMES}, indent=4)),
    "the same on one line": ("c.json", json.dumps({f"a/{name}.txt": comet_items(name) for name in NAMES})),
    "comet-compare --to_json": ("c.json", compared_json()),
    "MetricX": ("m.jsonl", metricx()),
    "MetricX, without an ending": ("m", metricx()),
    "wide TSV": ("t.tsv", separated("\t", ("system", "segment", "COMET"), rows())),
    "wide TSV from 0": ("t.tsv", separated("\t", ("system", "segment", "COMET"), rows(0))),
    "TSV of scores": ("t.tsv", separated("\t", ("system", "segment", "score"), rows())),
    "CSV": ("t.csv", separated(",", ("system", "segment", "score"), rows())),
    "long TSV": ("t.tsv", separated("\t", ("system", "segment", "metric", "score"), LONG)),
    "mt-metrics-eval": ("en-de.x.seg.score", "".join(f"{n}\t{s}\n" for n, _, s in rows())),
}


def given_forms():
    """What is given as `scores` in Python: files of all forms, numbers, tables, folders, a file for each system."""
    for label, (file, text) in FORMS.items():
        yield label, lambda file=file, text=text: (write(file, text), f"COMET={file}")[1]
    yield "numbers", lambda: {"COMET": SCORES}
    yield "arrays", lambda: {"COMET": {name: np.array(values) for name, values in SCORES.items()}}
    yield "a mapping to a file", lambda: (write(*FORMS["comet-score"]), {"COMET": Path("c.txt")})[1]
    columns = dict(zip(("system", "segment", "score"), map(list, zip(*rows(), strict=True)), strict=True))
    yield "a table", lambda: {"COMET": columns}

    def folder():
        for ending, scores in (("seg", rows()), ("sys", [(name, 0, MEANS[name]) for name in NAMES])):
            write(f"wmt/metric-scores/en-de/COMET.{ending}.score", "".join(f"{n}\t{s}\n" for n, _, s in scores))
        write("wmt/metric-scores/en-de/COMET.doc.score", "not read\n")
        return "wmt"

    def by_system(name="{}"):
        for one in NAMES:
            write(name.format(one), "".join(f"{value}\n" for value in SCORES[one]))

    yield "a folder of mt-metrics-eval", folder
    yield "a folder of one pair", lambda: [folder(), "wmt/metric-scores/en-de"][1]
    yield "BLEURT, files called like systems", lambda: [by_system("b/{}.txt"), [f"COMET=b/{n}.txt" for n in NAMES]][1]
    yield "BLEURT, systems by name", lambda: [by_system("b{}"), [f"COMET:{name}=b{name}" for name in NAMES]][1]
    yield "BLEURT, by mapping", lambda: [by_system("b{}"), {"COMET": {name: f"b{name}" for name in NAMES}}][1]


GIVEN = dict(given_forms())


@pytest.mark.parametrize("form", GIVEN)
def test_every_form_gives_the_same_numbers_in_score_compare_and_correlate(form):
    given = GIVEN[form]()
    systems = {name: Path(f"{name}.txt") for name in NAMES}
    reference = Path("reference-a.txt")
    plain = tri.score(systems, reference, "chrf", confidence=True, test="ar")
    scores = tri.score(systems, reference, "chrf", scores=given, confidence=True, test="ar")
    assert scores.asked == ("chrf", "COMET")
    for name in NAMES:
        assert float(scores[name, "COMET"]) == pytest.approx(MEANS[name], abs=1e-12)
        assert scores[name, "chrf"] == plain[name, "chrf"]
        interval = interval_of_scores(SCORES[name])
        found = scores.cell((name, "COMET")).beside.confidence
        assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=1e-12)
    alone = tri.compare_scores(SCORES, name="COMET")["COMET"]
    together = tri.compare(systems, reference, "chrf", scores=given)
    for name in NAMES[1:]:
        pair, same = together["COMET"].pair(NAMES[0], name), alone.pair(NAMES[0], name)
        assert (pair.p, pair.difference) == (same.p, pytest.approx(same.difference, abs=1e-12))
        assert scores.cell((name, "COMET")).beside.p_value == pair.p
    human = {name: [i * (k + 1) % 7 for i in range(N)] for k, name in enumerate(NAMES)}
    found = tri.correlate(systems, reference, human=human, metrics="chrf", scores=given, intervals=False)
    by_hand = np.corrcoef(np.ravel([*SCORES.values()]), np.ravel([*human.values()]))[0, 1]
    assert found["COMET", "segment pearson pooled"].value == pytest.approx(by_hand, abs=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_the_command_reads_what_the_function_reads(form):
    write(*FORMS[form])
    words = f"{TEXTS} -m chrf --scores COMET={FORMS[form][0]}"
    status, out, err = typed(f"score {words} -q -f json")
    assert (status, err) == (0, "")
    found = {(one["system"], one["metric"]): one["score"] for one in json.loads(out)}
    assert {name: found[name, "COMET"] for name in NAMES} == pytest.approx(MEANS)
    status, out, err = typed(f"compare {words} -q -f json")
    metrics = json.loads(out)["metrics"]
    assert [(one["metric"], one["higher_is_better"]) for one in metrics] == [("chrf", True), ("COMET", True)]
    status, out, err = typed(f"correlate {words} --human ratings.tsv --ignore-unknown --no-intervals -q -f json")
    assert (status, err) == (0, "")
    assert {one["name"] for one in json.loads(out)["metrics"]} == {"chrf", "COMET"}


def test_one_system_needs_no_name():
    write("old.txt", comet_text(old=True))
    write("old.json", json.dumps(comet_items("careful"), indent=4))
    write("bleurt", "".join(f"{value}\n" for value in SCORES["careful"]))
    write("x.jsonl", "".join(json.dumps({"hypothesis": "1", "prediction": v}) + "\n" for v in SCORES["careful"]))
    hyps, refs = Path("careful.txt").read_text().splitlines(), Path("reference-a.txt").read_text().splitlines()
    for given in ("old.txt", "old.json", "bleurt", "x.jsonl", {"x": SCORES["careful"]}):
        (score,) = [*tri.score_all(["chrf"], hyps, refs, scores=given)][1:]
        assert float(score) == pytest.approx(MEANS["careful"], abs=1e-12)


def test_names_come_from_the_form_the_column_or_the_file():
    for file, text in (FORMS["comet-score"], FORMS["MetricX"], FORMS["wide TSV"]):
        write(file, text)
    write("BLEURT-20.tsv", "".join(f"{n}\t{s}\n" for n, _, s in rows()))
    systems = {name: Path(f"{name}.txt") for name in NAMES}
    found = tri.score(systems, Path("reference-a.txt"), scores=["c.txt", "m.jsonl", "BLEURT-20.tsv"])
    assert found.asked == ("bleu", "COMET", "MetricX", "BLEURT-20")
    write("two.tsv", separated("\t", ("system", "segment", "a", "b"), [(n, i, s, -s) for n, i, s in rows()]))
    found = tri.score(systems, Path("reference-a.txt"), scores="b=two.tsv")
    assert found.asked == ("bleu", "b") and float(found["careful", "b"]) == pytest.approx(-MEANS["careful"])


# Direction, signatures, scores of whole systems --------------------------------------------------------------------


def signature_of(**how):
    systems = {name: Path(f"{name}.txt") for name in NAMES}
    found = tri.score(systems, Path("reference-a.txt"), "bleu", **how)
    return found["careful", found.asked[1]].signature


def test_the_signature_has_name_file_and_direction():
    write("runs/m.jsonl", metricx())
    write("x.MetricX.seg.score", "".join(f"{n}\t{-s}\n" for n, _, s in rows()))
    ours = f"version:tricolore-{tri.__version__}"
    assert signature_of(scores="runs/m.jsonl") == f"MetricX|file:m.jsonl|better:lower|{ours}"
    assert signature_of(scores="Mine=runs/m.jsonl") == f"Mine|file:m.jsonl|better:higher|{ours}"
    better = {"scores": "Mine=runs/m.jsonl", "lower_is_better": ["Mine"]}
    assert signature_of(**better) == f"Mine|file:m.jsonl|better:lower|{ours}"
    better = {"scores": "runs/m.jsonl", "higher_is_better": ["MetricX"]}
    assert signature_of(**better) == f"MetricX|file:m.jsonl|better:higher|{ours}"
    # mt-metrics-eval negates error scores, so that higher is better.
    assert "|better:higher|" in signature_of(scores="MetricX=x.MetricX.seg.score")


def test_lower_is_better_turns_ranks_and_correlations():
    systems, refs = {name: Path(f"{name}.txt") for name in NAMES}, Path("reference-a.txt")
    given = {"COMET": SCORES, "MetricX": SCORES}
    found = tri.compare(systems, refs, "bleu", scores=given)
    assert [one.name for one in found["COMET"].systems] == [one.name for one in found["MetricX"].systems][::-1]
    human = {name: [i * (k + 1) % 7 for i in range(N)] for k, name in enumerate(NAMES)}
    agreed = tri.correlate(systems, refs, human=human, scores=given, intervals=False)
    values = [agreed[name, "segment pearson pooled"].value for name in ("COMET", "MetricX")]
    assert values[0] == pytest.approx(-values[1]) and values[0] != 0
    write("m.jsonl", metricx())
    assert "MetricX ↓" in typed(f"score {TEXTS} --scores m.jsonl")[1]


def test_scores_of_whole_systems_have_no_interval():
    write("X.sys.score", "".join(f"{name}\t{MEANS[name]}\n" for name in NAMES))
    write("only.txt", "".join(f"{name}.txt\tscore: {MEANS[name]:.4f}\n" for name in NAMES))
    systems, refs = {name: Path(f"{name}.txt") for name in NAMES}, Path("reference-a.txt")
    found = tri.score(systems, refs, "bleu", scores=["X.sys.score", "only.txt"], confidence=True, test="bs")
    for metric in ("X", "COMET"):
        cell = found.cell(("hasty", metric))
        assert float(cell.score) == pytest.approx(MEANS["hasty"], abs=1e-4) and cell.beside is None
    assert found.cell(("hasty", "bleu")).beside is not None
    assert found.page().tables[0].header == ["System", "BLEU (μ ± 95% CI)", "X", "COMET"]
    records = {(one["system"], one["metric"]): one for one in found.records()}
    assert records["hasty", "X"]["confidence_low"] is None is records["hasty", "X"]["p_value"]
    compared = tri.compare(systems, refs, "bleu", scores="X.sys.score")
    assert compared["X"].pairs == () and [one.name for one in compared["X"].systems] == sorted(
        NAMES, key=lambda name: -MEANS[name]
    )
    assert "X: scores of whole systems, which have neither intervals nor tests." in str(compared)
    assert compared.to_dict()["metrics"][1]["systems"][0]["low"] is None
    agreed = tri.correlate(
        systems, refs, human={n: i for i, n in enumerate(NAMES)}, scores="X.sys.score", intervals=False
    )
    assert agreed["X", "system pearson"].value == pytest.approx(np.corrcoef([*MEANS.values()], range(3))[0, 1])


def test_segments_have_external_scores_too():
    write(*FORMS["comet-score"])
    status, _, _ = typed(f"score {TEXTS} -m chrf --scores c.txt --segments s.tsv -q")
    assert status == 0
    table = [line.split("\t") for line in Path("s.tsv").read_text().splitlines()[1:]]
    found = {(system, int(segment)): float(score) for system, segment, metric, score, _ in table if metric == "COMET"}
    assert found == {(name, i + 1): value for name in NAMES for i, value in enumerate(SCORES[name])}
    status, out, _ = typed("score reference-a.txt -i careful.txt --scores s.tsv -sl -b -q")
    assert status == 1  # of three systems
    status, out, _ = typed(
        "score reference-a.txt -i careful.txt -m chrf --scores COMET=s.tsv --ignore-unknown -sl -b -q"
    )
    assert (status, [float(line.split()[1]) for line in out.splitlines()]) == (
        0,
        pytest.approx(SCORES["careful"], abs=5e-4),
    )


def test_bare_numbers_have_tabs_between_metrics():
    write(*FORMS["comet-score"])
    status, out, _ = typed(f"score {TEXTS} -m chrf --scores c.txt -b -q")
    assert status == 0
    assert [line.split("\t")[1] for line in out.splitlines()] == [f"{MEANS[name]:.3f}" for name in NAMES]


def test_runs_are_called_by_their_files():
    for name in NAMES:
        write(f"{name}.out", Path(f"{name}.txt").read_text())
    write(*FORMS["comet-score"])
    status, out, err = typed(
        "compare reference-a.txt --system a=careful.txt,hasty.txt --system fluent=fluent.txt --scores c.txt -q -f json"
    )
    assert (status, err) == (0, "")
    systems = {one["system"]: one for one in json.loads(out)["metrics"][1]["systems"]}
    assert [one["score"] for one in systems["a"]["runs"]] == pytest.approx([MEANS["careful"], MEANS["hasty"]])


def test_segments_without_a_score_can_be_dropped_for_all():
    lines = [(n, i, "None" if (n, i) == ("hasty", 3) else s) for n, i, s in rows()]
    write("t.tsv", separated("\t", ("system", "segment", "COMET"), lines))
    status, out, _ = typed(f"compare {TEXTS} -m chrf --scores t.tsv --missing drop -q -f json")
    found = json.loads(out)
    assert (status, found["segments"], found["left_out"]) == (0, N - 1, 1)
    kept = [i for i in range(N) if i != 2]
    texts = {name: [Path(f"{name}.txt").read_text().splitlines()[i] for i in kept] for name in NAMES}
    refs = [Path("reference-a.txt").read_text().splitlines()[i] for i in kept]
    expected = tri.compare(texts, refs, "chrf", scores={"COMET": {n: [SCORES[n][i] for i in kept] for n in NAMES}})
    for metric, ours in zip(found["metrics"], expected.judgements, strict=True):
        assert [one["p"] for one in metric["pairs"]] == [pair.p for pair in ours.pairs]


def test_scores_that_are_not_the_means_are_told():
    write("BLEU.seg.score", "".join(f"{n}\t{s}\n" for n, _, s in rows()))
    write("BLEU.sys.score", "".join(f"{name}\t{MEANS[name] + 0.1}\n" for name in NAMES))
    _, out, _ = typed(f"score {TEXTS} -m chrf --scores BLEU.seg.score BLEU.sys.score")
    assert "its scores of systems are not the means of segments; BLEU is the mean." in out


def test_an_external_metric_is_a_value_that_cannot_score_texts():
    one = ExternalMetric(name="COMET", file="c.json")
    assert one == ExternalMetric(name="COMET", file="c.json") and hash(one) and (one.spec, one.title) == ("COMET",) * 2
    with pytest.raises(tri.SpecError, match=r"COMET: its scores were computed elsewhere; it cannot"):
        one(["a"], ["a"])


def test_compressed_files_are_read():
    Path("c.json.gz").write_bytes(gzip.compress(FORMS["comet-score --to_json"][1].encode()))
    found = read_scores("c.json.gz")
    assert isinstance(found, ScoreFile) and [*found.scores] == [f"a/{name}.txt" for name in NAMES]


# Damaged inputs ----------------------------------------------------------------------------------------------------

WIDE = ("system", "segment", "COMET")


def changed(**cells):
    """The table of scores with some cells changed: `hasty_3="high"`."""
    return separated("\t", WIDE, [(n, i, cells.get(f"{n}_{i}", s)) for n, i, s in rows()])


WITH_NULL = {name: comet_items(name) for name in NAMES}
WITH_NULL["hasty"][2]["COMET"] = None

DAMAGED = {
    "wrong count": (
        "c.txt",
        "\n".join(comet_text().splitlines()[: 3 * N - 3]),
        "c.txt: has COMET of 11 segments; expected 12, as the texts have",
    ),
    "a file that ends early": (
        "c.txt",
        "\n".join(comet_text().splitlines()[: 3 * N - 1]),
        "c.txt: out/fluent.txt has 11 scores and out/careful.txt 12;",
    ),
    "segments left out": (
        "c.txt",
        comet_text().replace("out/hasty.txt\tSegment 4", "out/hasty.txt\tSegment 5", 1),
        "c.txt: line 14: found segment 5 of out/hasty.txt; expected 4",
    ),
    "a system score of other segments": (
        "c.txt",
        comet_text().replace(f"score: {MEANS['hasty']:.4f}", "score: 0.9999"),
        "c.txt: the score of out/hasty.txt is 0.9999, but the mean of its 12 segments is",
    ),
    "noise among lines": (
        "c.txt",
        comet_text() + "Traceback (most recent call last):\n",
        "c.txt: line 41: expected a line of comet-score",
    ),
    "text for a number": (
        "t.tsv",
        changed(hasty_3="high"),
        "t.tsv: line 16: COMET: expected a number or None, found 'high'",
    ),
    "no number": (
        "t.tsv",
        changed(hasty_3="nan"),
        "t.tsv: line 16: segment 3 of hasty has no COMET; expected a score of every segment",
    ),
    "an infinite number": (
        "t.tsv",
        changed(hasty_3="inf"),
        "t.tsv: line 16: COMET: expected a number or None, found 'inf'",
    ),
    "a missing row": (
        "t.tsv",
        separated("\t", WIDE, rows()[:-2]),
        "t.tsv: segment 11 of fluent has no COMET (1 more are missing)",
    ),
    "unknown system": (
        "t.tsv",
        changed().replace("fluent", "fluffy"),
        "t.tsv: has no COMET of fluent; expected the systems careful, hasty, fluent (found careful,",
    ),
    "another system": (
        "t.tsv",
        changed() + "other\t1\t0.5\n",
        "fluent (found careful, hasty, fluent, other); --ignore-unknown drops them",
    ),
    "unknown segment": (
        "t.tsv",
        changed() + "hasty\t13\t0.5\n",
        "t.tsv: has COMET of segments that are not there: 13; expected 1 to 12",
    ),
    "duplicate row": (
        "t.tsv",
        changed() + "hasty\t3\t0.5\n",
        "t.tsv: line 38: COMET of hasty on segment 3 is already on line 16; expected it once",
    ),
    "empty": ("t.tsv", "", "t.tsv: the file is empty; expected a table"),
    "only a header": ("t.tsv", "system\tsegment\tCOMET\n", "t.tsv: has no rows; expected at least one"),
    "JSON that breaks off": ("c.json", FORMS["comet-score --to_json"][1][:-40], "c.json: not JSON ("),
    "JSON without scores": (
        "c.json",
        FORMS["comet-score --to_json"][1].replace('"COMET"', '"Comet"', 1),
        "c.json: a/careful.txt: segment 1: expected a key COMET (found src, mt, ref, Comet)",
    ),
    "JSON with text for a number": (
        "c.json",
        json.dumps({"careful": [{"COMET": "high"}]}),
        "c.json: careful: segment 1: expected a number, found 'high'",
    ),
    "JSON with null": ("c.json", json.dumps(WITH_NULL), "c.json: hasty: segment 3: segment 3 of hasty has no COMET"),
    "other JSON": ("c.json", json.dumps({"a": 1}, indent=4), "c.json: expected JSON of COMET"),
    "an empty list": ("c.json", "[\n]", "c.json: has no scores; expected at least one"),
    "no system": (
        "b",
        "0.5\n" * N,
        "b: names no system; expected SYSTEM<tab>SCORE, a file called like its system, or COMET:SYSTEM=b",
    ),
    "text among numbers": (
        "careful",
        "0.5\n" * 4 + "hi\n" + "0.5\n" * 7,
        "careful: line 5: expected a number or None, found 'hi'",
    ),
    "no such file": ("other", "", "missing.json: no such file"),
    "negated error scores": (
        "MetricX.tsv",
        "".join(f"{n}\t{-s}\n" for n, _, s in rows()),
        "so that higher may be better; name it in --lower-is-better or --higher-is-better",
    ),
    "several metrics": (
        "two.tsv",
        separated("\t", (*WIDE, "b"), [(*row, 1) for row in rows()]),
        "two.tsv: has no metric 'X', and several others (COMET, b)",
    ),
}

#: The words that name a file where it is not COMET=FILE.
NAMED = {
    "no such file": "missing.json",
    "negated error scores": "MetricX.tsv",
    "several metrics": "X=two.tsv",
}


#: What `correlate` reads: it evaluates a metric on the outputs that it scores.
CORRELATED = ("no number", "a missing row", "JSON with null")
CASES = [
    (command, damage)
    for damage in DAMAGED
    for command in ("score", "compare", "correlate")
    if command != "correlate" or damage not in CORRELATED
]


@pytest.mark.parametrize(("command", "damage"), CASES)
def test_damaged_inputs_get_one_line_and_write_nothing(command, damage):
    file, text, message = DAMAGED[damage]
    write(file, text)
    words = {
        "score": f"score {TEXTS} --segments out.tsv",
        "compare": f"compare {TEXTS}",
        "correlate": f"correlate {TEXTS} --human ratings.tsv"
        + ("" if damage == "another system" else " --ignore-unknown"),
    }
    status, out, err = typed(f"{words[command]} --scores {NAMED.get(damage, f'COMET={file}')} -q")
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert message in err and not Path("out.tsv").exists()


def test_mixed_encodings_are_told_by_line():
    Path("t.tsv").write_bytes(changed().replace("hasty\t3", "hästy\t3").encode("latin-1"))
    status, out, err = typed(f"score {TEXTS} --scores t.tsv -q")
    assert (status, out, err.count("\n")) == (1, "", 1) and "t.tsv: line 16" in err


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (f"score {TEXTS} --lower-is-better COMET", 2, "--lower-is-better is for --scores"),
        (f"score {TEXTS} --ignore-unknown", 2, "--ignore-unknown is for --scores"),
        (f"compare {TEXTS} --higher-is-better COMET", 2, "--higher-is-better is for --scores"),
        (f"score {TEXTS} --scores c.txt c.txt", 2, "--scores: c.txt is given twice"),
        (f"score {TEXTS} --scores - COMET=-", 2, "standard input can be read only once"),
        ("score - -i hasty.txt --scores -", 2, "standard input can be read only once"),
        ("score reference-a.txt --scores -", 2, "standard input can be read only once; name the output with -i"),
        (f"score {TEXTS} --scores c.txt --lower-is-better X", 2, "--lower-is-better: there is no metric 'X' (COMET)"),
        (
            f"score {TEXTS} --scores c.txt --lower-is-better COMET --higher-is-better COMET",
            2,
            "--lower-is-better and --higher-is-better both name 'COMET'",
        ),
        (f"score {TEXTS} --scores bleu=c.txt", 1, "c.txt: bleu is also a metric of the texts; expected another name"),
        (f"score {TEXTS} --scores a=c.txt a=d.txt", 1, "d.txt: scores of a are also in c.txt; expected each once"),
        (f"score {TEXTS} --scores COMET:hasty=c.txt", 1, "c.txt: names its systems itself; omit ':hasty'"),
        (f"score {TEXTS} --scores X.sys.score -sl", 2, "--sentence-level prints one system"),
        (
            "score reference-a.txt -i hasty.txt --scores X.sys.score -sl --ignore-unknown",
            1,
            "X.sys.score: has X of whole systems only",
        ),
        (f"score {TEXTS} --scores empty", 1, "empty: is a folder without files of scores; expected NAME.seg.score"),
        (f"score {TEXTS} --scores wmt", 1, "wmt: is a test set of 2 language pairs; name one of its folders (wmt/"),
        (f"score {TEXTS} --scores Y=wmt/metric-scores/en-de", 1, "has no scores of 'Y' (found X)"),
    ],
)
def test_mistakes_get_one_clear_line(words, status, message):
    write(*FORMS["comet-score"])
    write("d.txt", comet_text())
    write("X.sys.score", "".join(f"{name}\t{MEANS[name]}\n" for name in NAMES))
    Path("empty").mkdir()
    for pair in ("en-de", "en-zh"):
        write(f"wmt/metric-scores/{pair}/X.sys.score", "careful\t1\n")
    found, out, err = typed(f"{words} -q")
    assert (found, out, err.count("\n")) == (status, "", 1)
    assert message in err


def test_the_segments_file_may_not_be_a_file_of_scores():
    write("c.tsv", changed())
    before = Path("c.tsv").read_bytes()
    status, _, err = typed(f"score {TEXTS} --scores COMET=c.tsv --segments c.tsv -q")
    assert status == 2 and "--segments: c.tsv is one of the files to read" in err
    assert Path("c.tsv").read_bytes() == before


def test_numbers_are_checked_as_files_are():
    systems, refs = {name: Path(f"{name}.txt") for name in NAMES}, Path("reference-a.txt")
    found = tri.score(systems, refs, scores={"COMET": SCORES})
    assert found["hasty", "COMET"].signature == f"COMET|better:higher|version:tricolore-{tri.__version__}"
    for scores, message in (
        (
            {"COMET": {**SCORES, "hasty": [*SCORES["hasty"][:-1], "high"]}},
            r"scores\['COMET'\]: hasty: segment 12: expected a",
        ),
        ({"COMET": {**SCORES, "hasty": [*SCORES["hasty"][:-1], None]}}, r"segment 12 of hasty has no COMET"),
        ({"COMET": {name: SCORES[name][1:] for name in NAMES}}, r"has COMET of 11 segments; expected 12"),
        ({"COMET": {name: SCORES[name] for name in NAMES[1:]}}, r"scores\['COMET'\]: has no COMET of careful"),
        ({"COMET": SCORES["hasty"]}, r"scores\['COMET'\]: names no system"),
        (3, r"scores: expected files, tables, or scores by metric; got"),
    ):
        with pytest.raises(tri.InputError, match=message):
            tri.score(systems, refs, scores=scores)
