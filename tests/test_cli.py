"""The command as people type it, mistakes included."""

import json
import os
import random
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

import tricolore as tri
from tricolore.cli import run
from tricolore.cli.parser import COMMANDS, make_parser
from tricolore.examples import REFERENCES, SYSTEMS, lines
from tricolore.metrics import every_metric
from tricolore.readers import read_text


def type_in(capsys, *words):
    """Run the command; return exit status, standard output and standard error."""
    status = run(list(words))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


REFS = ("reference-a.txt", "reference-b.txt")


# Results ---------------------------------------------------------------------------------------------------


def test_several_systems_and_metrics_make_one_table(corpus, capsys):
    words = ["score", *REFS, "-i", "careful.txt", "hasty.txt", "-m", "bleu", "bleu(smooth=7)", "nist"]
    _, out, _ = type_in(capsys, *words)
    assert [line.split()[0] for line in out.splitlines() if line.split()][:1] == ["System"]
    careful = tri.metric("bleu(smooth=7)")(lines("careful"), tri.References.from_streams(map(lines, REFERENCES)))
    assert careful.display(1) in next(line for line in out.splitlines() if "careful " in line)
    assert careful.signature in out.splitlines()
    _, out, _ = type_in(capsys, *words, "-f", "json")
    rows = json.loads(out)
    assert [(row["system"], row["metric"]) for row in rows] == [
        (system, metric) for system in ("careful", "hasty") for metric in ("bleu", "bleu(smooth=7)", "nist")
    ]
    assert all(isinstance(row["score"], float) and row["signature"] for row in rows)


@pytest.mark.parametrize("form", ["text", "json", "tsv", "markdown", "latex"])
@pytest.mark.parametrize("systems", [["careful.txt"], ["careful.txt", "hasty.txt"]])
def test_every_form_carries_the_signature(corpus, capsys, form, systems):
    status, out, _ = type_in(capsys, "score", *REFS, "-i", *systems, "-m", "bleu", "nist", "-f", form)
    assert status == 0
    assert "nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|order:4" in out
    assert "NIST|nrefs:2" in out


def test_bare_numbers(corpus, capsys):
    _, out, _ = type_in(capsys, "score", "reference-a.txt", "-i", "careful.txt", "-m", "bleu", "nist", "-b", "-w", "2")
    assert [float(line) for line in out.splitlines()] == pytest.approx([73.08, 6.39], abs=0.01)
    _, out, _ = type_in(capsys, "score", "reference-a.txt", "-i", "careful.txt", "hasty.txt", "-b")
    assert out == "73.1\n22.1\n"


def test_flags_leave_what_a_spec_says(corpus, capsys):
    words = [
        "score",
        "reference-a.txt",
        "-i",
        "careful.txt",
        "-m",
        "bleu(tokenize=none)",
        "bleu",
        "-tok",
        "char",
        "-f",
        "tsv",
    ]
    _, out, _ = type_in(capsys, *words)
    assert [row.split("\t")[1] for row in out.splitlines()[1:]] == ["bleu(tokenize=none)", "bleu(tokenize=char)"]


def test_a_file_named_like_a_metric_is_in_nobodys_way(corpus, capsys):
    Path("bleu").write_text("x\n")
    assert type_in(capsys, "score", "reference-a.txt", "-i", "careful.txt", "-m", "bleu", "-b")[:2] == (0, "73.1\n")


def test_standard_input(corpus):
    with Path("careful.txt").open() as text:
        found = subprocess.run(
            [sys.executable, "-m", "tricolore", "score", "reference-a.txt", "-b"],
            stdin=text,
            capture_output=True,
            text=True,
            check=True,
        )
    assert found.stdout == "73.1\n"
    assert found.stderr == ""


def test_repeated_options_add_up(corpus, capsys):
    together = type_in(capsys, "score", *REFS, "-i", "careful.txt", "hasty.txt", "-m", "bleu", "nist")
    apart = ["-r", REFS[0], "-r", REFS[1], "-i", "careful.txt", "-i", "hasty.txt", "-m", "bleu", "-m", "nist"]
    assert type_in(capsys, "score", *apart) == together


def test_single_segments_are_scored_alike_everywhere(corpus, capsys):
    """An exact match of two words is perfect for sacreBLEU's sentence level, and zero for corpus BLEU."""
    for name in ("ref", "hyp"):
        Path(name).write_text("two words\na longer line of text\n", encoding="utf-8")
    metrics = ["-m", "bleu", "doc-bleu", "bleu(smooth=none)"]
    _, out, _ = type_in(capsys, "score", "ref", "-i", "hyp", "-sl", "-b", *metrics)
    short, long = ([float(number) for number in line.split()] for line in out.splitlines())
    assert short == [100.0, round(100 * float(tri.BLEU(smooth=7).segment("two words", "two words")), 1), 100.0]
    assert long == [100.0, 100.0, 100.0]
    type_in(capsys, "score", "ref", "-i", "hyp", "--segments", "s.tsv", *metrics)
    rows = [line.split("\t") for line in Path("s.tsv").read_text().splitlines()[1:]]
    assert [round(float(row[3]), 1) for row in rows if row[1] == "1"] == short
    assert {row[2] for row in rows} == {"bleu", "doc-bleu", "bleu(smooth=none)"}
    assert ["eff:yes" in row[4] for row in rows if row[2] == "bleu"] == [True, True]


@pytest.mark.parametrize("name", ["s.tsv", "s.tsv.gz", "s.jsonl", "s.jsonl.zst"])
def test_segments_file(corpus, capsys, name):
    words = ["score", *REFS, "-i", "careful.txt", "hasty.txt", "-m", "bleu(smooth=2)", "nist", "-q", "--segments", name]
    status, out, _ = type_in(capsys, *words)
    assert status == 0
    assert "careful" in out
    written = read_text(name).splitlines()
    if "json" in name:
        rows = [json.loads(line) for line in written]
    else:
        header, *body = [line.split("\t") for line in written]
        rows = [dict(zip(header, row, strict=True)) for row in body]
    assert len(rows) == 2 * 2 * 12
    assert all(row["signature"] for row in rows)
    metric = tri.metric("bleu(smooth=2)")
    references = tri.References.from_streams(map(lines, REFERENCES))
    expected = metric.segments(lines("hasty"), references)
    found = {
        str(row["segment"]): float(row["score"])
        for row in rows
        if (row["system"], row["metric"]) == ("hasty", metric.spec)
    }
    assert [found[str(i)] for i in range(1, 13)] == pytest.approx(list(100 * expected), abs=1e-12)


def test_several_references_in_one_file(corpus, capsys):
    both = "\n".join(map("\t".join, zip(*map(lines, REFERENCES), strict=True))) + "\n"
    Path("both.tsv").write_text(both, encoding="utf-8")
    _, apart, _ = type_in(capsys, "score", *REFS, "-i", "fluent.txt")
    _, together, _ = type_in(capsys, "score", "both.tsv", "-nr", "2", "-i", "fluent.txt")
    assert together == apart
    status, _, err = type_in(capsys, "score", "both.tsv", "-nr", "3", "-i", "fluent.txt")
    assert status == 1
    assert "both.tsv: line 1: expected 3 references separated by tabs, found 2" in err


def test_missing_references(corpus, capsys):
    Path("some.txt").write_text("\n" * 11 + lines("reference-b")[11] + "\n", encoding="utf-8")
    _, out, _ = type_in(capsys, "score", "reference-a.txt", "some.txt", "--missing-refs", "-i", "fluent.txt")
    assert "nrefs:var" in out
    some = [None] * 11 + [lines("reference-b")[11]]
    expected = tri.BLEU()(lines("fluent"), tri.References.from_streams([lines("reference-a"), some]))
    assert out.startswith(f"{expected.signature} = {expected.display(1)} ")
    status, _, err = type_in(capsys, "score", "some.txt", "--missing-refs", "-i", "fluent.txt")
    assert status == 1
    assert "some.txt: line 1: every reference is missing" in err


def test_advice_about_tokenised_text(tmp_path, capsys):
    path = tmp_path / "tok.txt"
    path.write_text("This is a test .\n" * 100, encoding="utf-8")
    _, _, err = type_in(capsys, "score", str(path), "-i", str(path))
    assert "tok: 100 lines end in ' .'" in err
    for flag in ("--force", "-q"):
        assert type_in(capsys, "score", str(path), "-i", str(path), flag)[2] == ""
    assert type_in(capsys, "score", str(path), "-i", str(path), "-tok", "none")[2] == ""


def test_advice_about_references_among_the_systems(corpus, capsys):
    words = ("compare", "reference-a.txt", "reference-b.txt", "-i", "careful.txt", "./reference-b.txt", "-m", "ter")
    expected = "tricolore: ./reference-b.txt is a reference and also a system (leave it out of the systems, --force "
    assert expected + "for silence)\n" in type_in(capsys, *words)[2]
    assert type_in(capsys, *words, "--force")[2] == type_in(capsys, *words[:2], *words[3:], "-q")[2] == ""
    runs = ("--system", "x=careful.txt,reference-a.txt", "--system", "y=hasty.txt,fluent.txt")
    assert "reference-a.txt is a reference and also" in type_in(capsys, "compare", "reference-a.txt", *runs)[2]
    assert type_in(capsys, "score", "reference-a.txt", "-i", "reference-a.txt")[2] == ""


# Mistakes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ("score nope.txt -i careful.txt", 1, "nope.txt: no such file"),
        ("score reference-a.txt -i nope.txt", 1, "nope.txt: no such file"),
        ("score reference-a.txt -i cut.txt", 1, "cut.txt: ends at line 3, but reference-a.txt goes on to line 12"),
        ("score cut.txt -i careful.txt", 1, "cut.txt: ends at line 3, but careful.txt goes on to line 12"),
        ("score reference-a.txt cut.txt -i careful.txt", 1, "cut.txt: ends at line 3, but reference-a.txt goes on"),
        ("score reference-a.txt -i latin1.txt", 1, "latin1.txt: line 2: not valid UTF-8"),
        ("score reference-a.txt -i empty.txt", 1, "empty.txt: the file is empty"),
        ("score reference-a.txt -i careful.txt -m blue", 2, "unknown metric 'blue'; did you mean 'bleu'?"),
        ("score reference-a.txt -i careful.txt -m bleu(ordr=2)", 2, "did you mean 'order'?"),
        ("score reference-a.txt -i careful.txt -m bleu(order=two)", 2, "order must be a whole number from 1 to 10,000"),
        ("score -i careful.txt -m bleu reference-a.txt", 2, "reference-a.txt is a file, not a metric"),
        ("score -i careful.txt", 2, "no reference file is given; name references before -i, or with -r"),
        ("score -i careful.txt reference-a.txt", 2, "(careful.txt, reference-a.txt were read as systems)"),
        ("score reference-a.txt -i careful.txt -m bleu,nist", 2, "several metrics are separated by spaces"),
        ("score reference-a.txt -i careful.txt -t wmt20", 2, "-t wmt20 and references exclude each other"),
        ("score reference-a.txt -i careful.txt --list", 2, "--list is not supported: write 'tricolore sets'"),
        ("score reference-a.txt -i careful.txt -l", 2, "argument -l/--language-pair: expected one argument"),
        ("score reference-a.txt -i careful.txt -l zh", 2, "--language-pair: expected SRC-TRG, such as en-zh; got 'zh'"),
        ("score reference-a.txt -i careful.txt --low", 2, "options are written in full: --lowercase"),
        ("score reference-a.txt -i careful.txt -m chrf -lc", 2, "--lowercase does not apply to chrf; use --chrf-low"),
        (
            "score reference-a.txt -i careful.txt --segments careful.txt",
            2,
            "careful.txt is one of the files to read",
        ),
        ("score reference-a.txt -i careful.txt --segments x.xlsx", 2, "expected a file name that ends in .tsv"),
        ("score reference-a.txt -i careful.txt --segments -", 2, "expected a file name that ends in .tsv"),
        ("score reference-a.txt -i careful.txt -f latex -sl", 2, "--sentence-level prints text, json, tsv or csv"),
        ("score reference-a.txt -i careful.txt -f jsn", 2, "did you mean 'json'?"),
        ("score reference-a.txt -i careful.txt --lowcase", 2, "did you mean '--lowercase'?"),
        (
            "score reference-a.txt -i careful.txt -s exq",
            2,
            "--smooth-method must be one of none, floor, add-k, exp, 0, 1",
        ),
        ("score reference-a.txt -i careful.txt -s exp -sv 1", 2, "smoothing exp has no constant"),
        ("score reference-a.txt -i careful.txt -m nist -s exp", 2, "--smooth-method does not apply to nist"),
        ("score reference-a.txt -i careful.txt -tok 14a", 2, "did you mean '13a'?"),
        ("score reference-a.txt -i careful.txt careful.txt", 2, "careful.txt is given twice"),
        ("score reference-a.txt -i careful.txt -m bleu bleu(order=4)", 2, "metric bleu is given twice"),
        ("score reference-a.txt -i careful.txt hasty.txt -sl", 2, "--segments FILE for several"),
        ("score reference-a.txt -i careful.txt -w -1", 2, "--width"),
        ("score reference-a.txt -i careful.txt -j 2000", 2, "--threads must be a whole number from 0 to 1,024"),
        ("score reference-a.txt ./reference-a.txt -i hasty.txt", 2, "./reference-a.txt is given twice as a reference"),
        ("compare reference-a.txt reference-a.txt -i hasty.txt careful.txt", 2, "is given twice as a reference"),
        ("tune mert --nbest nbest.txt --refs reference-a.txt reference-a.txt", 2, "is given twice as a reference"),
        ("score reference-a.txt - -i -", 2, "standard input can be read only once"),
        ("score reference-a.txt -i careful.txt --segments no/where.tsv", 1, "no/where.tsv: cannot be written"),
        ("score reference-a.txt -i careful.txt -tok 13b", 2, "tricolore: --tokenize must be one of none, 13a"),
        ("score reference-a.txt -i careful.txt -m bleu(tokenize=13b)", 2, "bleu: tokenize must be one of none"),
        ("score reference-a.txt -i careful.txt -s floor -sv -1", 2, "--smooth-value must be a number, 0 or more"),
        ("score reference-a.txt -i careful.txt -o x", 2, "option '-o'; write > FILE, or --segments FILE for scores"),
        ("score reference-a.txt -i careful.txt --by docs.txt", 1, "tricolore: docs.txt: no such file"),
        ("compare reference-a.txt -i careful.txt hasty.txt --alpha -1", 2, "unknown option '--alpha' (see"),
        ("compare reference-a.txt -i careful.txt hasty.txt --bs-n 1", 2, "did you mean '--resamples'?"),
        ("align careful.txt reference-a.txt", 2, "'reference-a.txt' was not expected; outputs are named with -i"),
        ("sets nope", 2, "'nope' was not expected; test sets are named with -t"),
        ("mbr --nbest nbest.txt -f json", 2, "unknown option '-f'; use --json"),
        ("sacrebleu reference-a.txt -i cut.txt", 1, "cut.txt: has 3 lines, but reference-a.txt has 12"),
        ("tune --nbest nbest.txt --refs reference-a.txt mert", 2, "METHOD is missing; name it before --refs, which"),
        ("completion", 2, "SHELL is missing; expected one of bash, zsh, fish, tcsh"),
        ("help nope", 2, "'nope' is not one of score, compare"),
        ("tokenize -tok 13", 2, "did you mean '13a'?"),
        ("metrics bluu", 2, "did you mean 'bleu'?"),
        ("scor", 2, "did you mean 'score'?"),
        ("", 2, "a command is needed: score, compare, report"),
    ],
)
def test_mistakes_get_one_clear_line(corpus, capsys, words, status, message):
    (corpus / "cut.txt").write_text("a\nb\nc\n", encoding="utf-8")
    (corpus / "latin1.txt").write_bytes(b"fine\ncaf\xe9\n")
    (corpus / "empty.txt").write_bytes(b"")
    before = sorted(corpus.iterdir())
    found, out, err = type_in(capsys, *words.split())
    assert (found, out) == (status, "")
    assert message in err
    assert err.startswith("tricolore: ")
    assert err.count("\n") == 1
    assert sorted(corpus.iterdir()) == before


def test_help_may_be_a_word(capsys):
    assert type_in(capsys, "help", "score") == type_in(capsys, "score", "--help")
    assert type_in(capsys, "help") == type_in(capsys, "--help")


def shell(command, **environment):
    """Run a shell command line in which $tricolore is the command."""
    line = command.replace("$tricolore", f"{sys.executable} -m tricolore")
    return subprocess.run(["bash", "-c", line], capture_output=True, check=False, env={**os.environ, **environment})


@pytest.mark.parametrize(
    ("command", "status", "message"),
    [
        ("$tricolore score reference-a.txt -i careful.txt > /dev/full", 1, "standard output: No space left on device"),
        ("$tricolore score reference-a.txt -i careful.txt >&-", 1, "standard output: Bad file descriptor"),
        ("$tricolore score reference-a.txt -i careful.txt -f json >&-", 1, "standard output: Bad file descriptor"),
        ("$tricolore demo > /dev/full", 1, "standard output: No space left on device"),
        ("$tricolore --help > /dev/full", 1, "standard output: No space left on device"),
        ("$tricolore score --help >&-", 1, "standard output: Bad file descriptor"),
        ("$tricolore score nowhere.txt -i careful.txt >&-", 1, "nowhere.txt: no such file"),
        ("$tricolore score reference-a.txt -i nowhere.txt > /dev/full", 1, "nowhere.txt: no such file"),
        ("$tricolore tokenize reference-a.txt > /dev/full", 1, "standard output: No space left on device"),
        ("$tricolore score reference-a.txt -b <&-", 1, "standard input: is closed; expected text"),
        ("$tricolore score '' -i careful.txt", 1, "'': no such file"),
    ],
)
def test_strange_standard_streams(corpus, command, status, message):
    found = shell(command)
    assert found.returncode == status
    assert found.stderr.decode() == (f"tricolore: {message}\n" if message else "")


@pytest.mark.parametrize("errors", ["2>&-", "2> /dev/full", "2>&- <&-"])
def test_standard_error_that_cannot_be_written(corpus, errors):
    """Messages are lost, results and exit statuses are not; and no message gets among the results."""
    Path("some.txt").write_text("\n" * 6 + "text\n" * 6, encoding="utf-8")  # about which there is advice
    expected = shell("$tricolore score reference-a.txt some.txt -i careful.txt")
    assert b"--missing-refs" in expected.stderr
    found = shell(f"$tricolore score reference-a.txt some.txt -i careful.txt {errors}")
    assert (found.returncode, found.stdout, found.stderr) == (0, expected.stdout, b"")
    for words, status in (("score nowhere.txt -i careful.txt", 1), ("scor", 2), ("score -i x", 2)):
        found = shell(f"$tricolore {words} {errors}")
        assert (found.returncode, found.stdout, found.stderr) == (status, b"", b"")


def test_a_closed_output_is_no_matter_where_nothing_is_printed(demo):
    for streams in (">&-", ">&- 2>&-", "<&- >&- 2>&-"):
        found = shell(f"$tricolore mbr --nbest nbest.txt --scale 0.5 -o best.txt {streams}")
        assert found.returncode == 0
        written = Path("best.txt").read_text(encoding="utf-8")
        assert written == shell("$tricolore mbr --nbest nbest.txt --scale 0.5 -q").stdout.decode()
        found = shell(f"$tricolore mbr --nbest nbest.txt --scale 0.5 {streams}")
        assert (found.returncode, found.stdout) == (1, b"")


def test_a_reader_that_had_enough(corpus):
    Path("long.txt").write_text("a few words\n" * 100_000)
    found = shell("$tricolore tokenize long.txt | head -n 1; exit ${PIPESTATUS[0]}")
    assert (found.returncode, found.stdout, found.stderr) == (0, b"a few words\n", b"")


def test_output_is_utf8_whatever_the_locale(corpus):
    Path("x.txt").write_text("naïve – 東京\n", encoding="utf-8")
    found = shell("$tricolore tokenize -tok none x.txt", PYTHONIOENCODING="latin-1", LC_ALL="C")
    assert (found.stdout.decode("utf-8"), found.stderr) == ("naïve – 東京\n", b"")


def test_a_terminated_command_leaves_nothing_behind(tmp_path):
    for name in ("r", "h"):
        (tmp_path / name).write_text("a few words to count\n" * 300_000)
    words = [sys.executable, "-m", "tricolore", "score", "r", "-i", "h", "-m", "bleu", "nist", "--segments", "s.tsv"]
    child = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.DEVNULL)
    while child.poll() is None and not list(tmp_path.glob(".s.tsv.*.part")):
        time.sleep(0.01)
    child.terminate()
    assert child.wait() == 143
    assert sorted(path.name for path in tmp_path.iterdir()) == ["h", "r"]


def test_advice_about_text_without_spaces(tmp_path, capsys):
    path = tmp_path / "zh.txt"
    path.write_text("这是一个没有空格的句子，用来测试建议是否出现。\n" * 3, encoding="utf-8")
    assert "the text has few spaces" in type_in(capsys, "score", str(path), "-i", str(path))[2]
    assert type_in(capsys, "score", str(path), "-i", str(path), "-tok", "zh")[2] == ""


def test_a_closed_pipe_is_no_error(corpus):
    found = subprocess.run(
        f"{sys.executable} -m tricolore metrics bleu | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stderr == ""


# Around it -------------------------------------------------------------------------------------------------


def test_help_and_version_do_not_load_numpy():
    for words in (["--version"], ["--help"], ["score", "--help"]):
        code = (
            "import sys, tricolore.cli\n"
            "try: tricolore.cli.main(sys.argv[1:])\n"
            "except SystemExit as end: assert not end.code, end.code\n"
            "assert 'numpy' not in sys.modules and 'rich' not in sys.modules"
        )
        subprocess.run([sys.executable, "-c", code, *words], check=True, capture_output=True)


def test_the_installed_command():
    command = Path(sysconfig.get_path("scripts")) / "tricolore"
    found = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert found.stdout == f"tricolore {tri.__version__}\n"


def test_summaries_are_those_of_the_commands():
    from importlib import import_module

    for name, summary in COMMANDS.items():
        assert import_module(f"tricolore.cli.{name}").__doc__.split("\n")[0] == summary


def test_demo(capsys):
    status, out, err = type_in(capsys, "demo")
    assert (status, err) == (0, "")
    for name in SYSTEMS:
        assert name in out
    assert "\x1b" not in out


def test_colours_only_on_a_terminal_that_wants_them(corpus):
    import pty

    # Bold is no colour; green is.
    master, slave = pty.openpty()
    clean = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    words = [sys.executable, "-m", "tricolore", "score", "reference-a.txt", "-i", "careful.txt", "hasty.txt"]
    subprocess.run(words, stdout=slave, check=True, env={**clean, "TERM": "xterm"})
    assert b"32m" in os.read(master, 100_000)
    subprocess.run(words, stdout=slave, check=True, env={**clean, "TERM": "xterm", "NO_COLOR": "1"})
    assert b"32m" not in os.read(master, 100_000)


def test_a_narrow_terminal_loses_nothing(corpus):
    import pty

    master, slave = pty.openpty()
    metrics = ["bleu", "bleu(smooth=7)", "char-bleu(order=6)", "nist"]
    words = [
        sys.executable,
        "-m",
        "tricolore",
        "score",
        "reference-a.txt",
        "-i",
        "careful.txt",
        "hasty.txt",
        "-m",
        *metrics,
    ]
    subprocess.run(
        words, stdout=slave, check=True, env={**os.environ, "TERM": "dumb", "COLUMNS": "30", "NO_COLOR": "1"}
    )
    shown = os.read(master, 100_000).decode()
    plain = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert shown.split() == plain.split()
    assert "…" not in shown


def test_metrics_are_listed_and_explained(capsys):
    _, out, _ = type_in(capsys, "metrics")
    for name in tri.metrics.NAMES:
        assert f"\n{name} " in out
        _, page, _ = type_in(capsys, "metrics", name)
        assert "Parameters" in page
        assert "Paper" in page


def test_tokenize(corpus, capsys):
    Path("x.txt").write_text("It costs $3.50, OK?\n", encoding="utf-8")
    assert type_in(capsys, "tokenize", "x.txt")[1] == "It costs $ 3.50 , OK ?\n"
    assert type_in(capsys, "tokenize", "-lc", "--strip-punctuation", "-tok", "none", "x.txt")[1] == "it costs $350 ok\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion(capsys, shell):
    status, out, _ = type_in(capsys, "completion", shell)
    assert status == 0
    assert "tricolore" in out
    assert "score" in out
    if shell == "bash":
        subprocess.run(["bash", "-n"], input=out, text=True, check=True)
        for name in ("char-bleu", "ko-mecab", "add-k", "--segments"):
            assert name in out


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("sc", {"score"}),
        ("score ref", {"reference-a.txt", "reference-b.txt"}),
        ("score reference-a.txt -i has", {"hasty.txt"}),
        ("score reference-a.txt -m char", {"char-bleu"}),
        ("score reference-a.txt -tok ja", {"ja-mecab"}),
        ("score reference-a.txt --seg", {"--segments"}),
        ("metrics nis", {"nist"}),
    ],
)
def test_bash_completes_commands_files_and_names(corpus, capsys, typed, offered):
    _, script, _ = type_in(capsys, "completion", "bash")
    words = ["tricolore", *typed.split()]
    asked = f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}"
    ask = asked + "; _tricolore; printf '%s\\n' \"${COMPREPLY[@]}\""
    found = subprocess.run(["bash", "-c", f"{script}\n{ask}"], capture_output=True, text=True, check=True)
    assert set(found.stdout.split()) == offered


def test_every_option_has_help():
    parser = make_parser()
    subparsers = next(action for action in parser._actions if action.dest == "command").choices
    for name, sub in subparsers.items():
        for action in sub._actions:
            assert action.help, f"{name} {action.dest}"


# Every metric ------------------------------------------------------------------------------------------------


def test_all_metrics_make_one_table(corpus, capsys):
    status, out, err = type_in(capsys, "score", *REFS, "-i", *(f"{name}.txt" for name in SYSTEMS), "-m", "all")
    assert (status, err) == (0, "")
    header, _, *rest = out.splitlines()
    assert header.split() == ["Metric", *SYSTEMS]
    rows = [line for line in rest if line and "|" not in line]
    assert len(rows) == len(every_metric())
    titles = [tri.metric(name).title for name in every_metric()]
    assert [row.split("  ")[0].removesuffix(" ↓") for row in rows] == titles
    assert len([line for line in rest if line]) == 2 * len(every_metric())  # a signature each
    _, demo, _ = type_in(capsys, "demo", "-m", "all")
    assert all(title in demo for title in titles)


def test_one_system_and_many_metrics_make_a_table_too(corpus, capsys):
    _, out, _ = type_in(capsys, "score", *REFS, "-i", "careful.txt", "-m", "all", "-f", "markdown")
    assert out.startswith("| Metric ")
    assert out.count("\n| ") == len(every_metric())


def test_segments_of_every_metric(corpus, capsys):
    type_in(capsys, "score", *REFS, "-i", "careful.txt", "-m", "all", "--segments", "all.tsv", "-q")
    rows = [line.split("\t") for line in Path("all.tsv").read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 1 + len(every_metric()) * len(lines("careful"))


def test_flags_say_what_they_do_not_apply_to(corpus, capsys):
    _, _, err = type_in(capsys, "score", *REFS, "-i", "literal.txt", "-m", "ter", "chrf", "wer", "-tok", "13a")
    assert err == "tricolore: --tokenize does not apply to ter, chrf\n"
    assert type_in(capsys, "score", *REFS, "-i", "literal.txt", "-m", "ter", "wer", "-tok", "13a", "-q")[2] == ""


def test_titles_tell_metrics_apart(corpus, capsys):
    metrics = ("bleu", "bleu(smooth=7)", "chrf++", "rouge-2")
    _, out, _ = type_in(capsys, "score", *REFS, "-i", "literal.txt", "hasty.txt", "-m", *metrics)
    assert out.splitlines()[0].split() == ["System", "BLEU", "bleu(smooth=7)", "chrF2++", "ROUGE-2"]


def test_advice_about_a_flag_that_does_nothing(corpus, capsys):
    _, _, err = type_in(capsys, "score", *REFS, "-i", "literal.txt", "-m", "ter", "--ter-asian-support")
    assert err.startswith(
        "tricolore: ter(asian=true): asian does nothing alone (write ter(asian=true, normalized=true)"
    )


def test_advice_about_references(corpus, capsys):
    Path("some.txt").write_text("\n" * 6 + "text\n" * 6, encoding="utf-8")
    _, _, err = type_in(capsys, "score", "reference-a.txt", "some.txt", "-i", "literal.txt")
    assert err.startswith("tricolore: 6 of 24 references are empty lines (--missing-refs if ")
    Path("tabs.txt").write_text("a\tb\n" * 12, encoding="utf-8")
    _, _, err = type_in(capsys, "score", "tabs.txt", "-i", "literal.txt")
    assert "tabs.txt: found tab-separated columns; expected plain text" in err
    Path("tabs.txt").write_text("a\tb\n" * 11 + "a\n", encoding="utf-8")
    _, _, err = type_in(capsys, "score", "tabs.txt", "-i", "literal.txt")
    assert "-nr N if they hold N references each" in err


def test_a_segment_that_cannot_be_scored_is_named_by_its_line(tmp_path, capsys):
    words = " ".join(f"w{i}" for i in range(40_000))
    (tmp_path / "hyp").write_text(f"a b\n{words}\n", encoding="utf-8")
    (tmp_path / "ref").write_text(f"a b\n{words} x\n", encoding="utf-8")
    status, out, err = type_in(capsys, "score", str(tmp_path / "ref"), "-i", str(tmp_path / "hyp"), "-m", "ter")
    assert (status, out) == (1, "")
    assert "hyp: line 2: ter: the segment is too long" in err


def test_output_without_its_option(corpus):
    command = [sys.executable, "-m", "tricolore", "score", "reference-a.txt", "careful.txt"]
    found = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr.endswith("; name the output with -i\n")


@pytest.mark.parametrize("metric", ["cder", "ter", "grr", "meteor", "ribes", "rouge-w", "ler", "wer"])
def test_ctrl_c_is_heard_inside_a_long_segment(tmp_path, metric):
    rng = random.Random(metric)
    for name in ("hyp", "ref"):
        words = (f"w{rng.randrange(300)}" for _ in range(20_000))
        (tmp_path / name).write_text(" ".join(words) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "tricolore", "score", "ref", "-i", "hyp", "-m", metric, "meteor(beam=100000)"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        time.sleep(1)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)  # it would take much longer
    if running.returncode != 0:  # unless it was done before
        assert (running.returncode, out, err.splitlines()[-1]) == (130, "", "tricolore: interrupted")


def test_tokenizers_named_in_help_are_those_there_are():
    from tricolore.cli.metric_options import TOKENIZERS
    from tricolore.tokenizers import CORE, EXTERNAL

    assert (*CORE, *EXTERNAL) == TOKENIZERS


def test_metrics_by_other_names_are_explained_as_asked_for(capsys):
    assert "n = 2\n" in type_in(capsys, "metrics", "rouge-2")[1]
    assert type_in(capsys, "metrics", "chrf++")[1].startswith("chrf: chrF2++\n")
    assert type_in(capsys, "metrics", "all")[1].count("\nPaper\n") == len(every_metric())
