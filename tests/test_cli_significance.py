"""Intervals and tests on the command line: in `tricolore score` as in sacreBLEU, and in `tricolore compare`."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import tricolore as tri
from tricolore.cli import run
from tricolore.examples import REFERENCES, SYSTEMS, lines

REFS = ("reference-a.txt", "reference-b.txt")
OUTPUTS = tuple(f"{name}.txt" for name in SYSTEMS)
REFERENCE_LINES = tri.References.from_streams([lines(name) for name in REFERENCES])


def type_in(capsys, *words):
    """Run the command; return exit status, standard output and standard error."""
    status = run(list(words))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def done(capsys, *words):
    """Run a command that works and says nothing else; return what it prints."""
    status, out, err = type_in(capsys, *words)
    assert (status, err) == (0, "")
    return out


def sacrebleu(*words, seed=None):
    """What sacreBLEU prints."""
    import os

    environment = {**os.environ, "NO_COLOR": "1"} | ({} if seed is None else {"SACREBLEU_SEED": seed})
    command = [sys.executable, "-m", "sacrebleu", *words, "-q"]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


# tricolore score ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flags", [["-ci"], ["--confidence", "-cin", "200", "-w", "3"], ["-ci", "-b", "-w", "2"]])
def test_confidence_is_printed_as_in_sacrebleu(corpus, capsys, flags):
    words = [*REFS, "-i", "literal.txt", "-m", "bleu", "chrf", "ter", *flags]
    theirs = sacrebleu(*words, "-f", "text").splitlines()
    ours = done(capsys, "score", *words, "--compat", "sacrebleu").splitlines()
    assert len(ours) == 3
    cut = {line.partition(" = ")[2].strip() or line for line in theirs}
    if "-b" in flags:
        assert set(ours) == set(theirs)
    else:  # TER shows its edits here
        assert {re.sub(r"( \(edits.*\))?$", "", line.partition(" = ")[2]) for line in ours} == cut
        assert all("|compat:sacrebleu|" in line for line in ours)


def test_confidence_in_json_has_sacrebleus_keys(corpus, capsys):
    words = [*REFS, "-i", "literal.txt", "--confidence", "-f", "json", "-w", "1"]
    theirs = json.loads(sacrebleu(*words))
    ours = json.loads(done(capsys, "score", *words, "--compat", "sacrebleu"))
    assert set(theirs) <= set(ours)
    for key in ("score", "confidence_mean", "confidence_var", "confidence", "verbose_score"):
        assert ours[key] == theirs[key]
    own = json.loads(done(capsys, "score", *words[:-2]))
    expected = tri.confidence("bleu", lines("literal"), REFERENCE_LINES)
    assert own["confidence_low"] == pytest.approx(100 * expected.low, abs=1e-6)
    assert own["confidence_high"] == pytest.approx(100 * expected.high, abs=1e-6)
    assert own["confidence_mean"] == pytest.approx(100 * expected.mean, abs=1e-6)
    assert (own["bs"], own["seed"], own["signature"]) == (1000, 12345, expected.signature)


@pytest.mark.parametrize(("test", "number"), [("ar", "--paired-ar-n"), ("bs", "--paired-bs-n")])
@pytest.mark.parametrize("seed", [None, "77"])
def test_paired_tests_are_sacrebleus(corpus, capsys, monkeypatch, test, number, seed):
    metrics = ["bleu", "chrf", "ter"] if test == "ar" else ["bleu"]  # its JSON of others fails, over their precision
    words = [*REFS, "-i", *OUTPUTS, "-m", *metrics, f"--paired-{test}", number, "300", "-w", "2"]
    theirs = json.loads(sacrebleu(*words, "-f", "json", seed=seed))
    if seed:
        monkeypatch.setenv("SACREBLEU_SEED", seed)
    ours = json.loads(done(capsys, "score", *words, "-f", "json", "--compat", "sacrebleu"))
    by_cell = {(row["system"], row["name"]): row for row in ours}
    for row in theirs:
        system = row.pop("system").removeprefix("Baseline: ").removesuffix(".txt")
        for name, expected in row.items():
            found = by_cell[system, name]
            assert found["p_value"] == expected["p_value"]
            assert found["score"] == pytest.approx(expected["score"], abs=0.006)
            assert f"|seed:{seed or 12345}|" in found["signature"]
            if expected["mean"] is not None:
                assert found["confidence_mean"] == pytest.approx(expected["mean"], abs=0.006)
                assert found["confidence_var"] == pytest.approx(expected["ci"], abs=0.006)


def test_latex_of_paired_tests_reads_as_sacrebleus(corpus, capsys):
    words = [*REFS, "-i", *OUTPUTS[:3], "-m", "bleu", "chrf", "ter", "--paired-bs", "-f", "latex"]
    cells = re.findall(r"[\d.]+ \([\d.]+ ± [\d.]+\) \(p = [\d.]+\)\*?", sacrebleu(*words))
    out = done(capsys, "score", *words, "--compat", "sacrebleu").replace("$\\pm$", "±")
    assert re.findall(r"[\d.]+ \([\d.]+ ± [\d.]+\) \(p = [\d.]+\)\*?", out) == cells
    assert len(cells) == 6
    assert "Baseline: careful" in out


def test_the_environment_sets_no_seed_of_ours(corpus, capsys, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", "77")
    assert "|seed:12345|" in done(capsys, "score", *REFS, "-i", "fluent.txt", "-ci")
    assert "|seed:5|" in done(capsys, "score", *REFS, "-i", "fluent.txt", "-ci", "--seed", "5", "--compat", "sacrebleu")
    monkeypatch.setenv("SACREBLEU_SEED", "None")
    status, _, err = type_in(capsys, "score", *REFS, "-i", "fluent.txt", "-ci", "--compat", "sacrebleu")
    assert (status, "SACREBLEU_SEED must be a whole number" in err) == (2, True)


def test_a_copy_of_the_baseline_is_not_significant(corpus, capsys):
    Path("copy.txt").write_bytes(Path("careful.txt").read_bytes())
    for test in ("--paired-ar", "--paired-bs"):
        out = done(capsys, "score", *REFS, "-i", "careful.txt", "copy.txt", test)
        assert "(p = 1.0000)" in out
        assert "compat" not in out
        out = done(capsys, "score", *REFS, "-i", "careful.txt", "copy.txt", test, "--compat", "sacrebleu")
        assert re.search(r"copy .*\(p = 0.00\d+\)\*", out)
        assert "compat:sacrebleu does not count ties as chance" in out


def test_the_baseline_given_again_is_left_out(corpus, capsys):
    words = ["score", *REFS, "-i", "careful.txt", "hasty.txt"]
    _, once, _ = type_in(capsys, *words, "--paired-ar")
    status, again, err = type_in(capsys, *words, "careful.txt", "--paired-ar")
    assert (status, again) == (0, once)
    assert err == "tricolore: careful.txt is the baseline; given again, it is left out\n"


@pytest.mark.parametrize("form", ["text", "json", "tsv", "markdown", "latex"])
@pytest.mark.parametrize("flags", [["-ci"], ["-par", "-ci"], ["-pbs"]], ids=" ".join)
def test_every_form_carries_the_tests_and_the_signature(corpus, capsys, form, flags):
    out = done(capsys, "score", *REFS, "-i", "careful.txt", "hasty.txt", "-m", "bleu", "nist", *flags, "-f", form)
    assert ("NIST|nrefs:2|test:bs|bs:1000|" if "-pbs" in flags else "NIST|nrefs:2|bs:1000|") in out
    assert "|seed:12345|" in out
    if flags != ["-ci"]:
        assert "p_value" in out if form in ("json", "tsv") else "(p = 0.00" in out
    if "-par" in flags:
        assert "|ar:exact|" in out
    if form == "tsv":
        header, *rows = [line.split("\t") for line in out.splitlines()]
        assert {len(row) for row in rows} == {len(header)}
        bleu = tri.confidence("bleu", lines("hasty"), REFERENCE_LINES)
        row = dict(zip(header, rows[2], strict=True))
        assert row["confidence_low"] == repr(100 * bleu.low)


def test_intervals_and_segments_at_once(corpus, capsys):
    out = done(capsys, "score", *REFS, "-i", "careful.txt", "-ci", "--segments", "s.tsv")
    assert "± " in out
    assert len(Path("s.tsv").read_text(encoding="utf-8").splitlines()) == 13


def test_scoring_alone_loads_no_numpy(corpus):
    code = (
        "import sys; from tricolore.cli import run; run(['score', 'reference-a.txt', '-i', 'careful.txt', '-b']); "
        "print('numpy' in sys.modules, 'tricolore.judge' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found.splitlines()[-1] == "False False"


# tricolore compare -------------------------------------------------------------------------------------------------


def compared(capsys, *words):
    return json.loads(done(capsys, "compare", *words, "-f", "json"))


def test_all_pairs(corpus, capsys):
    found = compared(capsys, *REFS, "-i", *OUTPUTS, "-m", "bleu", "ter")
    expected = tri.compare({name: lines(name) for name in SYSTEMS}, REFERENCE_LINES, ["bleu", "ter"])
    assert [one["metric"] for one in found["metrics"]] == ["bleu", "ter"]
    for ours, theirs in zip(found["metrics"], expected.judgements, strict=True):
        assert ours["signature"] == theirs.signature
        assert len(ours["pairs"]) == 6
        for system, other in zip(ours["systems"], theirs.systems, strict=True):
            assert (system["system"], system["cluster"]) == (other.name, other.cluster)
            assert system["score"] == pytest.approx(100 * other.score)
            assert system["low"] == pytest.approx(100 * other.interval.low)
        for pair, other in zip(ours["pairs"], theirs.pairs, strict=True):
            assert (pair["first"], pair["second"]) == (other.first, other.second)
            assert (pair["p"], pair["p_holm"]) == (other.p, other.p_adjusted)
            assert pair["effect"] == pytest.approx(other.effect)
            assert "flips" not in pair


@pytest.mark.parametrize("form", ["text", "json", "tsv", "markdown", "latex"])
@pytest.mark.parametrize("test", ["ar", "bs"])
def test_every_form_of_a_comparison(corpus, capsys, form, test):
    out = done(capsys, "compare", *REFS, "-i", *OUTPUTS, "-m", "bleu", "chrf", "-f", form, "--test", test)
    assert "BLEU|nrefs:2|" in out
    assert "chrF2|nrefs:2|" in out
    assert ("|ar:exact|bs:1000|" if test == "ar" else "|test:bs|bs:10000|") in out
    if form == "tsv":
        header, *rows = [line.split("\t") for line in out.splitlines()]
        assert {len(row) for row in rows} == {len(header)}
        assert len(rows) == 12
    elif form != "json":
        assert "careful − fluent" in out.replace("$-$", "−")
        assert "p (Holm)" in out
        assert "95 % interval" in out.replace("\\%", "%")
    if form == "json" and test == "bs":
        assert all("flips" in pair for pair in json.loads(out)["metrics"][0]["pairs"])


def test_metrics_of_one_name_are_told_apart(corpus, capsys):
    words = [*REFS, "--system", "a=careful.txt,fluent.txt", "--system", "b=hasty.txt,literal.txt"]
    out = done(capsys, "compare", *words, "-m", "bleu", "bleu(smooth=7)")
    assert "BLEU (s_sel/s_opt/p)   bleu(smooth=7) (s_sel/s_opt/p)" in out
    assert "BLEU (bleu(smooth=7)): 2 systems" in out


def test_a_test_that_cannot_be_significant_says_so(corpus, capsys):
    out = done(capsys, "compare", *REFS, "-i", *OUTPUTS, "--test", "bs", "--resamples", "100")
    assert "No p (Holm) can be below 0.12 here, so nothing is significant: more trials are needed." in out
    assert "No p (Holm)" not in done(capsys, "compare", *REFS, "-i", *OUTPUTS, "--test", "bs")
    Path("few.tsv").write_text(
        "system\tsegment\tx\n" + "".join(f"{s}\t{i}\t{ord(s)}\n" for s in "ab" for i in range(4))
    )
    out = done(capsys, "compare", "--scores", "few.tsv")
    assert "No p (Holm) can be below 0.12 here, so nothing is significant: there are too few segments." in out


def test_a_baseline(corpus, capsys):
    found = compared(capsys, *REFS, "-i", *OUTPUTS, "--baseline", "fluent")["metrics"][0]
    assert {pair["second"] for pair in found["pairs"]} == {"fluent"}
    assert len(found["pairs"]) == 3
    assert all(system["cluster"] is None for system in found["systems"])
    out = done(capsys, "compare", *REFS, "-i", *OUTPUTS, "--baseline", "fluent")
    assert "luster" not in out


def test_several_runs(corpus, capsys):
    """One system with two runs, another with three, a third with one."""
    words = [*REFS, "--system", "a=careful.txt,fluent.txt", "--system", "b=literal.txt,hasty.txt,fluent.txt"]
    words += ["-i", "hasty.txt", "-m", "bleu", "length"]
    found = compared(capsys, *words)["metrics"][0]
    a = next(system for system in found["systems"] if system["system"] == "a")
    scores = [100 * float(tri.BLEU()(lines(name), REFERENCE_LINES)) for name in ("careful", "fluent")]
    assert a["score"] == pytest.approx(np.mean(scores))
    assert a["s_opt"] == pytest.approx(np.std(scores, ddof=1))
    assert [one["score"] for one in a["runs"]] == pytest.approx(scores)
    assert a["median_run"] == "careful.txt"  # the higher of two
    alone = next(system for system in found["systems"] if system["system"] == "hasty")
    assert alone["s_opt"] is None
    assert "|runs:1/2/3|" in found["signature"]
    out = done(capsys, "compare", *words)
    assert "BLEU (s_sel/s_opt/p)" in out
    assert "Median run" in out
    assert "against hasty" in out


@pytest.mark.slow
def test_the_published_table_of_multeval_is_printed(shared, capsys):
    folder = shared / "data" / "copyleft" / "multeval-example"
    runs = {name: ",".join(str(folder / f"{name}.opt{i}.txt.gz") for i in range(3)) for name in ("baseline", "sys1")}
    words = ["compare", str(folder / "ref.txt.gz"), "--system", f"baseline={runs['baseline']}"]
    words += ["--system", f"system 1={runs['sys1']}", "--system", f"system 2={runs['baseline']}"]
    words += ["--runs-as", "stratified"]
    words += ["-m", "bleu", "ter", "length", "-tok", "none", "-q", "--trials", "1000"]
    published = (folder / "published_table.txt").read_text(encoding="utf-8").splitlines()
    kept = [0, 2, 3]  # METEOR needs the resources of its Java program
    theirs = {row[:15].strip(): re.findall(r"[\d.]+ \([^)]*\)", row) for row in published[1:4]}
    for compat in ([], ["--compat", "multeval"]):
        out = done(capsys, *words, *compat)
        table = out.split("\n\n")[0].splitlines()
        assert table[0].split()[0] == "n=3"
        for row in table[2:]:
            cells = re.findall(r"[\d.]+ \([^)]*\)", row)
            name = row[:9].strip()
            expected = [theirs[name][i] for i in kept]
            if name == "system 2" and not compat:  # a copy of the baseline
                expected = [cell.replace("/0.00)", "/1.00)") for cell in expected]
            if name == "system 1":  # a p-value of 0.09 by MultEval's shuffles, which are not seeded
                cells[2], expected[2] = (re.sub(r"/[\d.]+\)", "", cell) for cell in (cells[2], expected[2]))
            assert cells == expected
    assert "compat:multeval: p by the rule of MultEval" in out


@pytest.mark.parametrize("words", [["--trials", "60000000"], ["--test", "bs", "--resamples", "60000000"], ["R"]])
def test_ctrl_c_is_heard_while_drawing(tmp_path, words):
    rows = "".join(f"{system}\t{i}\t{i % 7}\n" for system in "ab" for i in range(20_000))
    (tmp_path / "x.tsv").write_text("system\tsegment\tx\n" + rows, encoding="utf-8")
    if words == ["R"]:  # several runs
        (tmp_path / "ref").write_text("a b c d e\n" * 20_000, encoding="utf-8")
        command = ["compare", "ref", "--system", "a=v.txt,x.txt", "--system", "b=y.txt,z.txt", "-m", "length"]
        command += ["--trials", "20000000", "--runs-as", "stratified"]
        for name in ("v.txt", "x.txt", "y.txt", "z.txt"):
            (tmp_path / name).write_text("a b c d\n" * 20_000, encoding="utf-8")
    else:
        command = ["compare", "--scores", "x.tsv", *words]
    command = [sys.executable, "-m", "tricolore", *command]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        time.sleep(2)
        running.send_signal(signal.SIGINT)
        try:
            out, err = running.communicate(timeout=60)  # it would take hours
        finally:
            running.kill()
    assert (running.returncode, out, err) == (130, "", "tricolore: interrupted\n")


# Scores from elsewhere ---------------------------------------------------------------------------------------------

SCORES = {"a": [1.0, 2.0, 3.5, 4.0, 5.0], "b": [1.5, 1.0, 3.0, 3.0, 4.0], "c": [0.0, 1.0, 1.0, 2.0, 0.5]}


def write_scores(path):
    """The same scores in every form there is."""
    import pyarrow
    import pyarrow.parquet

    rows = [(system, i, score) for system, scores in SCORES.items() for i, score in enumerate(scores, 1)]
    name = str(path)
    if name.endswith(".parquet"):
        columns = dict(zip(("system", "segment", "mine"), map(list, zip(*rows, strict=True)), strict=True))
        pyarrow.parquet.write_table(pyarrow.table(columns), name)
        return
    if name.endswith(".jsonl"):
        text = "".join(json.dumps({"system": s, "segment": i, "mine": x, "text": "..."}) + "\n" for s, i, x in rows)
    elif name.endswith(".csv"):
        text = "System,Seg_ID,mine\n" + "".join(f"{s},{i},{x}\n" for s, i, x in rows)
    elif name.endswith(".seg.score"):
        text = "".join(f"{s}\t{x}\n" for s, _, x in rows)
    elif "long" in name:
        text = "system\tsegment\tmetric\tscore\n" + "".join(f"{s}\t{i}\tmine\t{x}\n" for s, i, x in rows)
        text += "a\tcorpus\tmine\t99\n"
    else:
        text = "system\tsegment\tdomain\tmine\n" + "".join(f"{s}\t{i}\tnews\t{x}\n" for s, i, x in rows)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "name",
    ["wide.tsv", "long.tsv", "table.csv", "lines.jsonl", "table.parquet", "mine.seg.score", "en-de.mine.seg.score"],
)
def test_scores_in_every_form(tmp_path, capsys, name):
    write_scores(tmp_path / name)
    found = compared(capsys, "--scores", str(tmp_path / name))
    expected = tri.compare_scores(SCORES, name="mine")
    assert [one["metric"] for one in found["metrics"]] == ["mine"]
    signature = expected["mine"].signature.replace("|version:", f"|file:{name}|better:higher|version:")
    assert found["metrics"][0]["signature"] == signature
    assert [pair["p"] for pair in found["metrics"][0]["pairs"]] == [pair.p for pair in expected["mine"].pairs]
    assert [system["score"] for system in found["metrics"][0]["systems"]] == [3.1, 2.5, 0.9]


def test_scores_of_segments_as_we_write_them(corpus, capsys):
    type_in(capsys, "score", *REFS, "-i", *OUTPUTS, "-m", "rouge-l", "ter", "--segments", "s.tsv.gz")
    found = compared(capsys, "--scores", "s.tsv.gz")
    rouge, ter = found["metrics"]
    assert (rouge["metric"], ter["metric"], ter["higher_is_better"]) == ("rouge-l", "ter", False)
    assert rouge["signature"].startswith("ROUGE-L|nrefs:2|segments:12|averaged:yes|ar:exact|")
    values = 100 * tri.metric("rouge-l").segments(lines("careful"), REFERENCE_LINES)
    best = next(system for system in rouge["systems"] if system["system"] == "careful")
    assert best["score"] == pytest.approx(values.mean())
    only = compared(capsys, "--scores", "s.tsv.gz", "-m", "ter")
    assert [one["metric"] for one in only["metrics"]] == ["ter"]


@pytest.mark.parametrize(
    "text", ["system\tsegment\tx\na\t1\t2\na\t2\t2\nb\t1\t3\nb\t2\t3\n", "a\t2\na\t2\nb\t3\nb\t3\n"]
)
def test_scores_from_standard_input(text):
    command = [sys.executable, "-m", "tricolore", "compare", "--scores", "-", "-f", "tsv"]
    found = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    assert [line.split("\t")[1:4] for line in found.splitlines()[1:]] == [["b", "a", "1.0"]]


def test_what_scores_from_elsewhere_are_taken_to_mean(tmp_path, capsys):
    (tmp_path / "x.tsv").write_text(
        "system\tsegment\tmqm\ter\nA\t1\t3\t0.2\nA\t2\t3\t0.2\nB\t1\t4\t0.1\nB\t2\t4\t0.1\n"
    )
    out = done(capsys, "compare", "--scores", str(tmp_path / "x.tsv"))
    assert "2 systems, 2 segments\n" in out
    assert (
        "Scores of systems are means over segments. Higher is assumed to be better for mqm, er (see lower_is_better)."
        in out
    )
    out = done(capsys, "compare", "--scores", str(tmp_path / "x.tsv"), "--lower-is-better", "mqm", "er")
    assert "Scores of systems are means over segments.\n" in out


def test_several_files_of_scores(tmp_path, capsys):
    (tmp_path / "x.tsv").write_text("system\tsegment\tx\ty\na\t1\t1\t5\na\t2\t1\t5\nb\t1\t2\t6\nb\t2\t2\t6\n")
    (tmp_path / "z.tsv").write_text("system\tsegment\tz\na\t1\t1\na\t2\t1\nb\t1\t2\nb\t2\t2\n")
    words = ["--scores", str(tmp_path / "x.tsv"), str(tmp_path / "z.tsv"), "--lower-is-better", "y"]
    found = compared(capsys, *words)
    best = {one["metric"]: one["systems"][0]["system"] for one in found["metrics"]}
    assert best == {"x": "b", "y": "a", "z": "b"}


def test_metrics_by_name_from_several_files(tmp_path, capsys):
    """A metric need not be in every file; files that have none of those asked for say nothing."""
    (tmp_path / "x.tsv").write_text("system\tsegment\tx\ty\na\t1\t1\t5\na\t2\t1\t5\nb\t1\t2\t6\nb\t2\t2\t6\n")
    (tmp_path / "en-de.z.seg.score").write_text("a\t1\na\t1\nb\t2\nb\t2\n")
    files = [str(tmp_path / name) for name in ("x.tsv", "en-de.z.seg.score")]
    for asked in (["y"], ["z"]):
        found = compared(capsys, "--scores", *files, "-m", *asked)
        assert [one["metric"] for one in found["metrics"]] == asked


@pytest.mark.filterwarnings("error")
def test_huge_scores_from_elsewhere(tmp_path, capsys):
    table = tmp_path / "huge.tsv"
    for cell, words, message in (
        ("1e308", (), "huge.tsv: line 2: score: expected a number"),
        ("inf", (), "huge.tsv: line 2: score: expected a number"),
        ("1e90", ("--compat", "sacrebleu", "--test", "bs"), "compat: sacreBLEU adds in single precision"),
    ):
        table.write_text(f"system\tsegment\tscore\na\t1\t{cell}\na\t2\t1\nb\t1\t-{cell}\nb\t2\t2\n")
        status, out, err = type_in(capsys, "compare", "--scores", str(table), *words)
        assert (status, out, err.count("\n")) == (1, "", 1)
        assert message in err
    status, out, _ = type_in(capsys, "compare", "--scores", str(table), "-f", "json")
    pair = json.loads(out)["metrics"][0]["pairs"][0]
    assert status == 0 and abs(pair["difference"]) == 1e90


def test_scores_of_whole_systems_cannot_be_compared(tmp_path, capsys):
    path = tmp_path / "x.sys.score"
    path.write_text("a\t1\nb\t2\n")
    status, _, err = type_in(capsys, "compare", "--scores", str(path))
    assert (status, err) == (1, f"tricolore: {path}: found no segment scores\n")


def test_missing_scores(tmp_path, capsys):
    path = tmp_path / "x.tsv"
    path.write_text("system\tsegment\tx\na\t1\t1\na\t2\t2\na\t3\t4\na\t4\t4\nb\t1\t2\nb\t2\tNone\nb\t4\t1\n")
    status, out, err = type_in(capsys, "compare", "--scores", str(path))
    assert (status, out) == (1, "")
    assert err == (
        "tricolore: b: segment 2 has no x, and 1 more are missing; "
        "--missing drop drops segments that not all systems have\n"
    )
    found = compared(capsys, "--scores", str(path), "--missing", "drop")
    assert (found["segments"], found["left_out"]) == (2, 2)
    assert "|segments:2|left_out:2|" in found["metrics"][0]["signature"]


def test_constant_scores_are_told_apart_or_not(tmp_path, capsys):
    path = tmp_path / "x.tsv"
    rows = [(system, i, value) for system, value in (("a", 2), ("b", 1), ("c", 1)) for i in range(12)]
    path.write_text("system\tsegment\tx\n" + "".join("{}\t{}\t{}\n".format(*row) for row in rows))
    pairs = {
        (one["first"], one["second"]): one for one in compared(capsys, "--scores", str(path))["metrics"][0]["pairs"]
    }
    assert pairs["b", "c"]["p"] == 1.0
    assert pairs["b", "c"]["effect"] == 0.0
    assert pairs["a", "b"]["effect"] is None  # no resample differs from another
    assert pairs["a", "b"]["p"] == pytest.approx(2 / 2**12)


# Mistakes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ("score R -i careful.txt -par", 2, "--paired-ar compares systems with the first; name two or more with -i"),
        ("score R -i careful.txt careful.txt -par", 2, "with -i (given again, careful.txt is left out)"),
        ("score R -i careful.txt careful.txt -pbs", 2, "--paired-bs compares systems with the first"),
        ("score R -i careful.txt hasty.txt -par -pbs", 2, "--paired-ar and --paired-bs are two tests; choose one"),
        ("score R -i careful.txt hasty.txt hasty.txt -par", 2, "hasty.txt is given twice as a system"),
        ("score R -i careful.txt -ci -sl", 2, "--sentence-level scores segments"),
        ("score R -i careful.txt -cin 100", 2, "--confidence-n needs --confidence"),
        (
            "score R -i careful.txt -ci -cin 1",
            2,
            "--confidence-n must be a whole number from 2 to 100,000,000; got '1'",
        ),
        ("score R -i careful.txt -ci --seed -1", 2, "--seed must be a whole number, 0 or more; got '-1'"),
        ("score R -i careful.txt --seed 1", 2, "--seed needs --confidence, --paired-ar or --paired-bs"),
        ("score R -i careful.txt --compat sacrebleu", 2, "--compat needs --confidence"),
        ("score R -i careful.txt -ci --compat moses", 2, "--compat must be one of sacrebleu; got 'moses'"),
        ("score R -i careful.txt hasty.txt -pbs -ci -cin 9", 2, "--paired-bs has intervals of its own"),
        ("compare R -i careful.txt", 2, "only one system is given (careful); expected two or more"),
        ("compare R", 2, "no systems are given; name their outputs with -i"),
        ("compare -i careful.txt hasty.txt", 2, "no reference file is given"),
        ("compare R -i careful.txt cut.txt", 1, "cut.txt: ends at line 3, but reference-a.txt goes on to line 12"),
        ("compare R --system a=careful.txt --system b=cut.txt", 1, "cut.txt: ends at line 3"),
        ("compare R --system a=careful.txt --system b=nope.txt", 1, "nope.txt: no such file"),
        (
            "compare R --system careful.txt --system b=hasty.txt",
            2,
            "expected NAME=FILE, or NAME=RUN,RUN,... in compare; got",
        ),
        ("compare R --system a=careful.txt --system a=hasty.txt", 2, "--system: a is given twice; name all its runs"),
        ("compare R --system a=hasty.txt,hasty.txt --system b=fluent.txt", 2, "hasty.txt is given twice as a run of a"),
        ("compare R -i careful.txt --system careful=hasty.txt", 2, "is given with -i and with --system"),
        ("compare R -i careful.txt hasty.txt -m blue", 2, "unknown metric 'blue'; did you mean 'bleu'?"),
        (
            "compare R -i careful.txt hasty.txt --baseline hast.txt",
            2,
            "no system 'hast.txt'; did you mean 'hasty'?",
        ),
        (
            "compare R -i careful.txt hasty.txt --baseline HASTY",
            2,
            "did you mean 'hasty'? (careful, hasty)",
        ),
        ("compare R -i careful.txt hasty.txt --level 95", 2, "--level must be a number between 0 and 1"),
        (
            "compare R -i careful.txt hasty.txt --trials 0",
            2,
            "--trials must be a whole number from 1 to 100,000,000; got '0'",
        ),
        (
            "compare R -i careful.txt hasty.txt --resamples 1",
            2,
            "--resamples must be a whole number from 2 to 100,000,000; got '1'",
        ),
        ("compare R -i careful.txt hasty.txt --seed -5", 2, "--seed must be a whole number, 0 or more; got '-5'"),
        ("compare R -i careful.txt hasty.txt --test t", 2, "--test must be one of ar, bs; got 't'"),
        (
            "compare R -i careful.txt hasty.txt --test bs --compat multeval",
            2,
            "--compat: MultEval has only approximate randomisation, --test ar; got --test bs",
        ),
        (
            "compare R -i careful.txt hasty.txt --test bs --trials 50",
            2,
            "--trials: the bootstrap, --test bs, draws resamples; set --resamples instead",
        ),
        (
            "compare R -i careful.txt hasty.txt --compat sacrebleu --runs-as units",
            2,
            "--runs-as units is not supported with --compat; leave out one of them",
        ),
        ("compare R -i careful.txt hasty.txt --missing drop", 2, "--missing is for --scores"),
        (
            "compare R -i careful.txt hasty.txt -f xml",
            2,
            "--format must be one of text, json, tsv, csv, markdown, latex; got 'xml'",
        ),
        ("compare --scores good.tsv -lc", 2, "--lowercase is about scoring texts; with --scores there is nothing to"),
        ("compare --scores good.tsv --chrf-beta 2", 2, "--chrf-beta is about scoring texts"),
        ("compare R --scores one.tsv", 2, "references are given, but no outputs; name them with -i"),
        (
            "compare R --system a=careful.txt,fluent.txt --system b=hasty.txt --compat multeval",
            1,
            "the same number of runs",
        ),
        (
            "compare R --system a=careful.txt,fluent.txt --system b=hasty.txt --compat sacrebleu",
            1,
            "sacreBLEU requires a single run of every system",
        ),
        ("compare --scores one.tsv", 1, "one.tsv: found only one system (a); expected two or more"),
        ("compare --scores nope.tsv", 1, "nope.tsv: no such file"),
        (
            "compare --scores twice.tsv",
            1,
            "twice.tsv: line 4: x of a on segment 1 is already on line 2; expected it once",
        ),
        ("compare --scores word.tsv", 1, "word.tsv: line 3: x: expected a number or None, found 'high'"),
        ("compare --scores nosystem.tsv", 1, "nosystem.tsv: expected a column 'system'"),
        ("compare --scores noscore.tsv", 1, "noscore.tsv: expected a column with the scores of a metric"),
        ("compare --scores corpus.tsv", 1, "corpus.tsv: found no segment scores"),
        ("compare --scores none.tsv --missing drop", 1, "no segment has scores of all systems"),
        ("compare --scores headless.score", 1, "headless.score: line 2: expected a system, a tab and a score"),
        ("compare --scores good.tsv good.tsv", 2, "--scores: good.tsv is given twice"),
        ("compare --scores good.tsv -m bleu", 1, "good.tsv: there is no column 'bleu' (found system, segment, x)"),
        ("compare --scores good.tsv --lower-is-better ter", 2, "--lower-is-better: there is no metric 'ter'"),
    ],
)
def test_mistakes_get_one_clear_line(corpus, capsys, words, status, message):
    for name, text in {
        "cut.txt": "a\nb\nc\n",
        "one.tsv": "system\tsegment\tx\na\t1\t2\n",
        "twice.tsv": "system\tsegment\tx\na\t1\t2\nb\t1\t3\na\t1\t2\n",
        "word.tsv": "system\tsegment\tx\na\t1\t2\nb\t1\thigh\n",
        "nosystem.tsv": "engine\tsegment\tx\na\t1\t2\n",
        "noscore.tsv": "system\tsegment\ttext\na\t1\tword\n",
        "corpus.tsv": "system\tsegment\tx\na\tcorpus\t2\n",
        "none.tsv": "system\tsegment\tx\na\t1\t2\nb\t2\t2\n",
        "headless.score": "a\t0.5\nb 0.7\n",
        "good.tsv": "system\tsegment\tx\na\t1\t2\nb\t1\t3\n",
    }.items():
        (corpus / name).write_text(text, encoding="utf-8")
    found, out, err = type_in(capsys, *words.replace(" R", " reference-a.txt").split())
    assert (found, out) == (status, "")
    assert message in err
    assert err.startswith("tricolore: ")
    assert err.count("\n") == 1
