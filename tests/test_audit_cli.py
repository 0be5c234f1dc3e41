"""`tricolore audit` as people type it, mistakes included; functions of their own; pictures; interruption."""

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from interrupting import interrupt

import tricolore as tri
from tricolore.cli import run
from tricolore.examples import REFERENCES, SYSTEMS, lines
from tricolore.judge.audit.options import SECTIONS

TEXTS = ("reference-a.txt", "reference-b.txt", "-i", "careful.txt", "fluent.txt", "literal.txt", "hasty.txt")
QUICK = ("--only", "straw-men")


def type_in(capsys, *words):
    capsys.readouterr()
    status = run(["audit", *map(str, words)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def library(*metrics, **how):
    refs = tri.References.from_streams([lines(name) for name in REFERENCES])
    return tri.audit({name: lines(name) for name in SYSTEMS}, refs, list(metrics), **how)


@pytest.fixture
def own_metric(demo, monkeypatch):
    """A module of the user in the current folder."""
    with open("own_metric.py", "w", encoding="utf-8") as file:
        file.write(
            "def length(hyps, refs):\n    return [float(len(hyp)) for hyp in hyps]\n"
            "def errors(hyps, refs, sources):\n    return [float(hyp == src) for hyp, src in zip(hyps, sources)]\n"
            "def short(hyps, refs):\n    return [1.0]\n"
            "def broken(hyps, refs):\n    raise RuntimeError('no GPU')\n"
            "def words(hyps, refs):\n    return ['good'] * len(hyps)\n"
            "def ratio(hyps, refs):\n    return [1 / len(hyp) for hyp in hyps]\n"
            "def leaving(hyps, refs):\n    raise SystemExit(3)\n"
            "def endless(hyps, refs):\n    return [float('nan')] * len(hyps)\n"
        )
    with open("faulty_metric.py", "w", encoding="utf-8") as file:
        file.write("nonsense\n")
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield
    sys.modules.pop("own_metric", None)


def test_the_command_is_the_function(demo, capsys):
    status, out, err = type_in(capsys, *TEXTS, "-m", "bleu", "ter", "-f", "json")
    assert (status, err) == (0, "")
    assert json.loads(out) == json.loads(json.dumps(library("bleu", "ter").to_dict()))
    assert [*json.loads(out)["sections"]] == [*SECTIONS]


def test_the_first_table_is_the_summary(demo, capsys):
    status, out, err = type_in(capsys, *TEXTS, "-m", "bleu", "ter", "--only", "decomposability", "straw-men")
    assert (status, err) == (0, "")
    rows = out.splitlines()
    assert rows[0] == "Summary"
    assert rows[2].split("  ")[0] == "Metric"
    assert rows[4].startswith("BLEU ")
    assert rows[5].startswith("TER ↓ ")
    assert "✗" in rows[4]
    assert "Equal-score" not in out
    assert "audited:decomposability+straw-men|systems:4|segments:12|" in rows[-1]
    assert [row for row in rows if row.startswith(("BLEU|nrefs:2", "TER|nrefs:2"))] == rows[-3:-1]


def test_results_do_not_depend_on_threads_but_on_the_seed(demo, capsys):
    first, again, other = (
        type_in(capsys, *TEXTS, "-m", "chrf", "-f", "json", "--only", "sensitivity", "--trials", 99, *more)[1]
        for more in (("-j", 1), ("-j", 2), ("--seed", 1))
    )
    assert first == again != other


def test_functions_get_strings_if_every_segment_has_one_reference(demo):
    kinds = set()

    def kind(hyps, refs):
        kinds.update(map(type, refs))
        return [0.0] * len(hyps)

    tri.audit({"a": ["x y", "z"]}, ["x", "z"], kind)
    assert kinds == {str}
    kinds.clear()
    tri.audit({"a": ["x y", "z"]}, ["x", ["z", "w"]], kind)
    assert kinds == {list}


def test_outputs_of_another_length_are_named():
    with pytest.raises(tri.InputError, match=r"^b: 1 hypothesis but references for 2 segments"):
        tri.audit({"a": ["x", "y"], "b": ["x"]}, ["x", "y"], "bleu")


@pytest.mark.parametrize("form", ["markdown", "latex", "csv", "tsv"])
def test_formats(demo, capsys, form):
    status, out, _ = type_in(capsys, *TEXTS, "-m", "bleu", *QUICK, "-f", form)
    assert status == 0
    assert "straw-long ranks 4 of 5" in out


def test_functions_of_the_user(own_metric, capsys):
    words = (*TEXTS, "--function", "own_metric:length", *QUICK, "-f", "json")
    status, out, err = type_in(capsys, *words)
    assert (status, err) == (0, "")
    (metric,) = json.loads(out)["metrics"]
    assert metric["metric"] == "length"
    assert metric["signature"].startswith("length|function:own_metric.length|better:higher|")
    ranks = {one["name"]: one["rank"] for one in json.loads(out)["sections"]["straw-men"]["ranks"]}
    assert ranks["straw-repeated"] == 1
    _, out, _ = type_in(capsys, *words, "--lower-is-better", "length")
    ranks = {one["name"]: one["rank"] for one in json.loads(out)["sections"]["straw-men"]["ranks"]}
    assert ranks["straw-repeated"] == 5
    status, out, _ = type_in(capsys, *TEXTS, "-m", "bleu", "--function", "own_metric:errors", "--source",
                             "reference-a.txt", *QUICK)  # fmt: skip
    assert status == 0
    assert "errors " in out


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (
            ("--function", "own_metric"),
            2,
            "--function: expected module:name, such as my_metrics:comet; got",
        ),
        (("--function", "nowhere:f"), 2, "--function: nowhere:f: module nowhere cannot be imported"),
        (("--function", ".own_metric:f"), 2, "--function: expected module:name, such as my_metrics:comet; got"),
        (("--function", "faulty_metric:f"), 2, "module faulty_metric fails when it is imported (NameError: "),
        (("--function", "own_metric:leaving"), 1, "leaving: the function failed: SystemExit: 3"),
        (("--function", "own_metric:nothing"), 2, "own_metric has no function nothing"),
        (("--function", "own_metric:short"), 1, "short: expected 12 scores, one per segment; the function gave 1"),
        (("--function", "own_metric:broken"), 1, "broken: the function failed: RuntimeError: no GPU\n"),
        (
            ("--function", "own_metric:ratio"),
            1,
            "ratio: the function failed: ZeroDivisionError: division by zero (some of the hypotheses are empty)",
        ),
        (("--function", "own_metric:words"), 1, "words: expected a list of numbers from the function"),
        (("--function", "own_metric:endless"), 1, "endless: segment 1: expected a finite score, got nan"),
        (("--function", "own_metric:errors"), 1, "errors: the function has a parameter sources"),
        (
            ("--function", "own_metric:length", "--lower-is-better", "long"),
            2,
            "'long' is not one of the functions",
        ),
        (("--system", "two=careful.txt,hasty.txt"), 2, "--system: two has 2 runs; expected one output per system"),
        (("--lower-is-better", "bleu"), 2, "--lower-is-better is for --function"),
        (("--only", "everything"), 2, "--only must be one of decomposability"),
        (("--damaged", "me"), 2, "--damaged: no system 'me' (there are careful, fluent, literal, hasty)"),
        (("--shares", "0.5", "0.1"), 2, "--shares must be a list of numbers above 0, 1 or less, in ascending order"),
        (("--shares", "2"), 2, "--shares must be a number above 0"),
        (("--damage", "fire"), 2, "--damage must be one of drop"),
        (("--source", "nowhere.txt"), 1, "nowhere.txt"),
        (("--source", "-"), 2, "name a file"),
        (("-m", "bleu", "bleu"), 0, ""),
        (("--plot", "careful.txt", "--only", "straw-men"), 1, "careful.txt: cannot be written"),
    ],
)
def test_mistakes_are_told_in_one_line(own_metric, capsys, words, status, message):
    found, out, err = type_in(capsys, *TEXTS, *words)
    assert (found, message in err) == (status, True), err
    assert err.count("\n") == (1 if status else 0)
    assert bool(out) == (status == 0)


def test_one_system_is_enough_and_no_system_is_not(demo, capsys):
    status, out, _ = type_in(capsys, "reference-a.txt", "-i", "hasty.txt", "-m", "bleu", "ter")
    assert status == 0
    assert "Reversals and choices require two or more systems." in out
    status, _, err = type_in(capsys, "reference-a.txt")
    assert (status, "no systems are given" in err) == (2, True)


def test_pictures(demo, capsys, tmp_path):
    folder = tmp_path / "new" / "pictures"
    assert type_in(capsys, *TEXTS, "-m", "bleu", "chrf", "--plot", folder)[0] == 0
    names = {path.stem for path in folder.iterdir()}
    assert names >= {"sacrifices-bleu", "permutations", "damage", "damage-drop", "agreement", "straw-men"}
    for path in folder.iterdir():
        ElementTree.fromstring(path.read_text(encoding="utf-8"))


def test_a_page_with_pictures(demo, tmp_path):
    pytest.importorskip("jinja2")
    path = library("bleu", "ter", only=["decomposability", "sensitivity"]).report(tmp_path / "audit.html")
    page = Path(path).read_text(encoding="utf-8")
    assert page.count("<svg") > 10
    assert "no sacrifices" in page


EMPTY = ["", "", ""]


def test_empty_outputs_and_single_segments():
    for systems in ({"a": EMPTY, "b": EMPTY}, {"a": EMPTY, "b": ["a b", "", "c"]}):
        found = tri.audit(systems, ["a b c", "d", "c"], ["bleu", "ter", "chrf"])
        json.dumps(found.to_dict(), allow_nan=False)
        str(found)
    str(tri.audit({"a": ["one segment"]}, ["one section"], ["bleu", "nist"]))


def test_text_without_spaces_is_damaged_by_characters():
    refs = ["今日は天気がいいですね。散歩に行きましょう。"] * 6
    found = tri.audit({"a": refs}, refs, ["chrf", "bleu(tokenize=char)"], only=["sensitivity", "permutations"])
    kinds = {one.damage: one for one in found["sensitivity"].responses if one.metric == "chrf"}
    assert kinds["drop"].scores[-1] < 80


@pytest.mark.parametrize("metric", ["all"])
def test_every_metric_can_be_audited(metric):
    systems = {name: lines(name)[:4] for name in SYSTEMS[:2]}
    refs = lines(REFERENCES[0])[:4]
    found = tri.audit(systems, refs, metric, trials=20, sample=2)
    json.dumps(found.to_dict(), allow_nan=False)
    assert len(found.metrics) > 20
    assert len(str(found)) > 1000


def test_ctrl_c_leaves_cleanly(demo, tmp_path):
    """In the middle of a function that takes long."""
    Path("slow_metric.py").write_text(
        "import time\n"
        "def slow(hyps, refs):\n    print('begun', flush=True)\n    time.sleep(60)\n    return [0.0] * len(hyps)\n",
        encoding="utf-8",
    )
    words = [*TEXTS, "--function", "slow_metric:slow", "--plot", str(tmp_path / "p")]
    command = [sys.executable, "-m", "tricolore", "audit", *words]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "begun\n"
    assert interrupt(child) == 130
    out, err = child.communicate()
    assert (out, err) == ("", "tricolore: interrupted\n")
    assert not (tmp_path / "p").exists()
