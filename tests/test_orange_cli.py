"""`tricolore orange` as people type it, mistakes included."""

import csv
import gzip
import io
import json
import re
import sys
from pathlib import Path

import pytest

import tricolore as tri
from tricolore.cli import run
from tricolore.examples import NBEST, REFERENCES, lines
from tricolore.judge.orange.options import PAPER
from tricolore.judge.orange.ranking import orange
from tricolore.readers.nbest import read_nbest

FISHER = "nbest/thot-fisher-test-es-en"
REFS = ("--refs", "reference-a.txt", "reference-b.txt")


@pytest.fixture
def texts(demo):
    """The example corpus as files in the current folder."""
    return demo


def type_in(capsys, *words):
    capsys.readouterr()
    status = run(["orange", *map(str, words)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def judged(*metrics, **how):
    refs = tri.References.from_streams([lines(name) for name in REFERENCES])
    return orange([nbest.texts for nbest in read_nbest("nbest.txt")], refs, metrics or PAPER, **how)


# Results ---------------------------------------------------------------------------------------------------


def test_the_table(texts, capsys):
    status, out, err = type_in(capsys, "nbest.txt", *REFS, "-m", "bleus(order=1..2)", "rouge-l", "per")
    assert (status, err) == (0, "")
    rows = [re.split(" {2,}", line.strip()) for line in out.splitlines()]
    assert rows[0] == ["Method", "ORANGE %", "Avg Rank", "95%-CI-L", "95%-CI-U", "Verdict"]
    for row, one in zip(rows[2:6], judged("bleus(order=1..2)", "rouge-l", "per"), strict=True):
        numbers = (f"{100 * one.orange:.2f}", *(f"{x:.1f}" for x in (one.average_rank, *one.interval)))
        assert row == [one.metric.title, *numbers, one.verdict]
    assert [row[0] for row in rows[2:6]] == ["BLEUS1", "BLEUS2", "ROUGE-L", "PER"]
    for one in judged("bleus(order=1..2)", "rouge-l", "per"):
        assert one.metric_signature in out.splitlines()
    assert out.splitlines()[-1] == one.judged
    assert "|bs:1000|seed:12345" in one.judged


def test_the_papers_metrics_are_the_default(texts, capsys):
    _, out, _ = type_in(capsys, "nbest.txt", *REFS, "-f", "json", "-q")
    found = json.loads(out)
    assert [one["name"] for one in found] == [metric.title for metric in tri.expand(*PAPER)]
    assert [one["orange"] for one in found] == [100 * one.orange for one in judged()]


@pytest.mark.parametrize("form", ["text", "json", "tsv", "markdown", "latex"])
def test_every_form_has_numbers_and_signatures(texts, capsys, form):
    status, out, _ = type_in(capsys, "nbest.txt", *REFS, "-m", "rouge-l", "per", "-f", form, "-w", "3")
    best, worst = judged("rouge-l", "per")
    assert status == 0
    assert f"{100 * best.orange:.3f}".rstrip("0") in out
    for one in (best, worst):
        full = one.signature in out
        assert full or (one.metric_signature in out and one.judged in out)
        assert full == (form in ("json", "tsv"))


def test_json_holds_everything(texts, capsys):
    _, out, _ = type_in(capsys, "nbest.txt", *REFS, "-m", "rouge-l", "per", "-f", "json", "--level", "0.9")
    found, one = json.loads(out)[1], judged("rouge-l", "per", level=0.9)[1]
    assert found == {
        "name": "PER",
        "metric": "per",
        "orange": 100 * one.orange,
        "average_rank": one.average_rank,
        "interval": [*one.interval],
        "orange_interval": [100 * x for x in one.orange_interval],
        "level": 0.9,
        "verdict": one.verdict,
        "sources": 12,
        "signature": one.signature,
    }


def test_sorted(texts, capsys):
    _, out, _ = type_in(capsys, "nbest.txt", *REFS, "-m", "per", "bleus", "rouge-l", "--sort", "-f", "tsv")
    rows = [*csv.DictReader(io.StringIO(out), delimiter="\t")]
    assert rows[0]["verdict"] == "best"
    assert [float(row["orange"]) for row in rows] == sorted(float(row["orange"]) for row in rows)


@pytest.mark.parametrize(
    ("flags", "how"),
    [
        (["--candidates", "jackknife"], {"candidates": "jackknife"}),
        (["--average", "rank"], {"average": "rank"}),
        (["--ties", "max"], {"ties": "max"}),
        (["--distinct"], {"distinct": True}),
        (["-n", "3"], {"n": 3}),
        (["--unequal", "drop", "--first", "6"], {"unequal": "drop", "n": 6}),
        (["--samples", "50", "--seed", "1", "--level", "0.8"], {"samples": 50, "seed": 1, "level": 0.8}),
        (["-j", "1"], {}),
    ],
)
def test_every_option_reaches_orange(texts, capsys, flags, how):
    _, out, _ = type_in(capsys, "nbest.txt", *REFS, "-m", "rouge-l", "wer", "-f", "json", *flags)
    found, expected = json.loads(out), judged("rouge-l", "wer", **how)
    assert [one["orange"] for one in found] == [100 * one.orange for one in expected]
    assert [one["interval"] for one in found] == [[*one.interval] for one in expected]
    assert [one["signature"] for one in found] == [one.signature for one in expected]


def test_references_are_named_in_any_way(texts, capsys):
    joined = [*zip(*(lines(name) for name in REFERENCES), strict=True)]
    Path("both.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in joined))
    Path("nbest.txt.gz").write_bytes(gzip.compress(Path("nbest.txt").read_bytes()))
    ways = [
        ["nbest.txt", *REFS],
        ["nbest.txt", "reference-a.txt", "reference-b.txt"],
        ["nbest.txt.gz", "-r", "reference-a.txt", "-r", "reference-b.txt"],
        ["nbest.txt", "both.tsv", "-nr", "2"],
    ]
    outputs = {type_in(capsys, *way, "-m", "rouge-l", "bleus", "-f", "tsv")[1] for way in ways}
    assert len(outputs) == 1


def test_metric_options_and_single_segments(texts, capsys):
    _, out, _ = type_in(capsys, "nbest.txt", *REFS, "-m", "bleu", "wer", "-tok", "char", "-lc", "-f", "json")
    found = json.loads(out)
    assert [one["metric"] for one in found] == [
        "bleu(tokenize=char, lowercase=true)",
        "wer(tokenize=char, lowercase=true)",
    ]
    # As everywhere, BLEU of a single segment leaves out orders that are longer than it.
    expected = judged("bleu(tokenize=char, lowercase=true, short=effective)", "wer(tokenize=char, lowercase=true)")
    assert [one["signature"] for one in found] == [one.signature for one in expected]
    assert [one["orange"] for one in found] == [100 * one.orange for one in expected]


def test_missing_references(texts, capsys):
    third = [*lines(REFERENCES[0])]
    third[4] = ""
    Path("reference-c.txt").write_text("\n".join(third) + "\n")
    words = ["nbest.txt", *REFS, "reference-c.txt", "-m", "wer", "-f", "json"]
    status, out, _ = type_in(capsys, *words, "--missing-refs")
    assert status == 0
    assert "|nrefs:var|" in json.loads(out)[0]["signature"]
    assert "empty lines" in type_in(capsys, *words)[2]


def test_standard_input(texts, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path("nbest.txt").read_bytes())))
    assert type_in(capsys, "-", *REFS, "-m", "wer")[:2] == type_in(capsys, "nbest.txt", *REFS, "-m", "wer")[:2]


def test_one_source_has_no_interval_in_any_form(texts, capsys):
    Path("one").write_text("0 ||| a b c\n0 ||| a\n")
    Path("r1").write_text("a b c\n")
    Path("r2").write_text("a b d\n")
    _, out, _ = type_in(capsys, "one", "r1", "r2", "-m", "wer", "per", "-f", "json")
    assert json.loads(out)[0]["interval"] == [None, None]
    _, out, _ = type_in(capsys, "one", "r1", "r2", "-m", "wer", "per")
    assert [line.split()[-3:] for line in out.splitlines()[2:4]] == [["–", "–", "best"], ["–", "–", "unknown"]]
    assert "inside" not in out


# The curve -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["curve.tsv", "curve.tsv.gz", "curve.jsonl"])
def test_the_curve_as_data(texts, capsys, name):
    from tricolore.readers.tables import read_table

    status, _, _ = type_in(capsys, "nbest.txt", *REFS, "-m", "rouge-l", "wer", "--curve", name, "--curve-step", "4")
    assert status == 0
    found = read_table(name)
    assert found.columns["metric"] == ["rouge-l"] * 2 + ["wer"] * 2
    assert [int(n) for n in found.columns["n"]] == [4, 6] * 2
    expected = judged("rouge-l", "wer", curve=4)
    assert found.numbers("orange") == [100 * x for one in expected for x in one.curve.orange]
    assert found.numbers("average_rank") == [x for one in expected for x in one.curve.average_rank]
    assert found.columns["signature"] == [one.signature for one in expected for _ in range(2)]


def test_the_curve_as_a_picture(texts, capsys):
    pytest.importorskip("matplotlib")
    words = ["nbest.txt", *REFS, "-m", "rouge-l", "bleus(order=1..2)", "--curve"]
    for name in ("a.svg", "b.svg", "c.png"):
        assert type_in(capsys, *words, name)[0] == 0
    svg = Path("a.svg").read_text(encoding="utf-8")
    assert svg == Path("b.svg").read_text(encoding="utf-8")  # nothing in it depends on the day
    assert all(text in svg for text in ("ROUGE-L", "BLEUS1", "BLEUS2", "ORANGE, %", judged("rouge-l")[0].signature))
    assert Path("c.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_without_matplotlib(texts, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    status, out, err = type_in(capsys, "nbest.txt", *REFS, "-m", "wer", "--curve", "curve.svg")
    assert (status, out) == (1, "")
    assert err == "tricolore: curve.svg: plots require matplotlib; pip install 'tricolore[plot]'\n"
    assert type_in(capsys, "nbest.txt", *REFS, "-m", "wer", "--curve", "curve.tsv")[0] == 0


# The error analysis ----------------------------------------------------------------------------------------


def above(metric="bleus"):
    """What should be in the file: the sources with translations above the references, the worst first."""
    rankings = []
    judged(metric, each=rankings.append)
    found = [one for one in rankings if one.beaten[0].any()]
    return sorted(found, key=lambda one: (-one.ratios[0], one.source))


def test_errors_for_people(texts, capsys):
    Path("source.txt").write_text("".join(f"Satz {i}\n" for i in range(12)))
    words = ["nbest.txt", *REFS, "-m", "bleus", "wer", "--errors", "errors.txt", "--source", "source.txt"]
    assert type_in(capsys, *words)[0] == 0
    text = Path("errors.txt").read_text(encoding="utf-8")
    expected = above()
    assert text.startswith("Translations that BLEUS4 ranks above the references of their source (their mean score).\n")
    assert f"\n{len(expected)} of 12 sources have any." in text
    assert judged("bleus", "wer")[0].signature in text
    assert [int(n) for n in re.findall(r"^Source (\d+):", text, re.M)] == [one.source for one in expected]
    worst = expected[0]
    block = text[text.index(f"Source {worst.source}:") :].split("\n\n")[0]
    assert f"Satz {worst.source}" in block
    assert all(reference in block for reference in worst.references)
    for text, beats in zip(worst.texts, worst.beaten[0], strict=True):
        assert (text in block) == bool(beats)


@pytest.mark.parametrize("name", ["errors.jsonl", "errors.jsonl.zst"])
def test_errors_for_machines(texts, capsys, name):
    assert (
        type_in(capsys, "nbest.txt", *REFS, "-m", "wer", "bleus", "--errors", name, "--errors-metric", "bleus")[0] == 0
    )
    from tricolore.readers import read_text

    found = [json.loads(line) for line in read_text(name).splitlines()]
    expected = above()
    assert [one["source"] for one in found] == [one.source for one in expected]
    for one, ranking in zip(found, expected, strict=True):
        assert one["rank"] == ranking.ranks[0]
        assert one["candidates"] == 6
        assert one["signature"] == judged("wer", "bleus")[1].signature
        assert [reference["text"] for reference in one["references"]] == [*ranking.references]
        scores = [100 * x for x in ranking.reference_scores[0]]
        assert [reference["score"] for reference in one["references"]] == pytest.approx(scores)
        for reference, score in zip(one["references"], ranking.reference_scores[0], strict=True):
            better, equal = (ranking.scores[0] > score).sum(), (ranking.scores[0] == score).sum()
            assert reference["rank"] == 1 + better + equal / 2
        assert {candidate["text"] for candidate in one["above"]} == {
            text for text, beats in zip(ranking.texts, ranking.beaten[0], strict=True) if beats
        }
        places = [candidate["place"] for candidate in one["above"]]
        assert [candidate["score"] for candidate in one["above"]] == [100 * ranking.scores[0][p - 1] for p in places]
        assert [candidate["score"] for candidate in one["above"]] == sorted(
            (candidate["score"] for candidate in one["above"]), reverse=True
        )


def test_errors_as_rows_limits_and_ranks_of_single_references(texts, capsys):
    words = ["nbest.txt", *REFS, "-m", "ter", "rouge-w", "--errors", "errors.tsv", "--errors-metric", "ROUGE-W-1.2"]
    words += ["--errors-most", "2", "--errors-candidates", "1", "--average", "rank"]
    assert type_in(capsys, *words)[0] == 0
    written = io.StringIO(Path("errors.tsv").read_text(encoding="utf-8"))
    rows = [*csv.DictReader(written, delimiter="\t", quoting=csv.QUOTE_NONE)]
    assert len({row["source"] for row in rows}) == 2
    assert [row["kind"] for row in rows] == ["reference", "reference", "candidate"] * 2
    assert {row["signature"] for row in rows} == {judged("rouge-w", average="rank")[0].signature}
    assert type_in(capsys, *words, "--errors", "errors.txt")[0] == 0
    text = Path("errors.txt").read_text(encoding="utf-8")
    assert "(every reference's score against the others)" in text
    assert re.search(r"\(above [12] of 2 references\)", text)
    assert re.search(r"\.\.\. and \d+ more", text)


def test_errors_of_dropped_sources_and_duplicates(texts, capsys):
    Path("lists").write_text("0 ||| a b c\n0 ||| x\n0 ||| a b c\n1 ||| a b c\n")
    for name, last in (("r1", "c"), ("r2", "d")):
        Path(name).write_text(f"a b {last}\n" * 2)
    words = ["lists", "r1", "r2", "-m", "wer", "--errors"]
    assert type_in(capsys, *words, "all.jsonl")[0] == 0
    assert type_in(capsys, *words, "some.jsonl", "--unequal", "drop")[0] == 0
    everything = [json.loads(line) for line in Path("all.jsonl").read_text().splitlines()]
    assert [(one["source"], one["rank"]) for one in everything] == [(1, 2.0), (0, 3.0)]
    assert everything[1]["above"] == [{"place": 1, "times": 2, "beats": 1, "score": 0.0, "text": "a b c"}]
    assert [json.loads(line)["source"] for line in Path("some.jsonl").read_text().splitlines()] == [0]


@pytest.mark.parametrize("name", ["ranks.tsv", "ranks.jsonl.gz"])
def test_ranks_of_every_source(texts, capsys, name):
    from tricolore.readers.tables import read_table

    assert type_in(capsys, "nbest.txt", *REFS, "-m", "rouge-l", "wer", "--ranks", name)[0] == 0
    found, expected = read_table(name), judged("rouge-l", "wer")
    assert found.columns["metric"] == ["rouge-l"] * 12 + ["wer"] * 12
    assert found.numbers("source") == [*range(12)] * 2
    assert found.numbers("rank") == [rank for one in expected for rank in one.ranks]
    assert found.numbers("candidates") == [6] * 24
    assert found.numbers("orange") == pytest.approx([100 * rank / 7 for one in expected for rank in one.ranks])
    assert found.columns["signature"] == [one.signature for one in expected for _ in range(12)]


# Real lists ------------------------------------------------------------------------------------------------


def test_the_command_on_real_lists(shared, tmp_path, capsys):
    folder = shared / "data" / FISHER
    refs = [folder / f"ref{i}.txt" for i in range(4)]
    metrics = [
        "bleus(order=1..9)",
        "rouge-l",
        "rouge-w(weight=1.1..2.0:0.1)",
        "rouge-s(skip=0..9)",
        "nist",
        "per",
        "wer",
    ]
    files = [
        "--curve",
        tmp_path / "curve.tsv",
        "--errors",
        tmp_path / "errors.txt",
        "--source",
        folder / "source.es.txt",
    ]
    status, out, err = type_in(capsys, folder / "nbest.txt.gz", "--refs", *refs, "-m", *metrics, *files)
    assert (status, err) == (0, "")
    table = out.splitlines()[2:35]
    assert [line.split()[0] for line in table] == [metric.title for metric in tri.expand(*metrics)]
    assert sum(line.split()[-1] == "best" for line in table) == 1
    assert "Lists have 10 to 100 candidates" in out
    assert len((tmp_path / "curve.tsv").read_text().splitlines()) == 1 + 33 * 100
    errors = (tmp_path / "errors.txt").read_text(encoding="utf-8")
    ratios = [float(x) for x in re.findall(r"^Source .*, ([\d.]+) %$", errors, re.M)]
    assert ratios == sorted(ratios, reverse=True)
    assert f"\n{len(ratios)} of 200 sources have any." in errors


def test_the_table_in_the_documentation(shared, capsys):
    page = Path(__file__).parents[1] / "docs" / "explanations" / "orange.md"
    if not page.is_file():
        pytest.skip("the documentation is not part of this tree")
    folder = shared / "data" / FISHER
    refs = [folder / f"ref{i}.txt" for i in range(4)]
    _, out, _ = type_in(capsys, folder / "nbest.txt.gz", "--refs", *refs, "-tok", "none", "-f", "markdown")
    table = "".join(line + "\n" for line in out.splitlines() if line.startswith("|"))
    text = page.read_text(encoding="utf-8")
    assert table in text
    assert out.splitlines()[-1].removeprefix("- ") in text


# Mistakes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["nbest.txt"], 2, "no reference file is given; name two or more with --refs"),
        ([], 2, "NBEST is missing; name it before --refs"),
        (["nbest.txt", "-r", "reference-a.txt"], 2, "reference-a.txt alone gives every source one reference"),
        (["nbest.txt", "-r", "a", "a"], 2, "a is given twice as a reference"),
        (["nbest.txt", "-r", "a", "b", "-nr", "2"], 2, "--num-refs takes one file"),
        (["nbest.txt", *REFS, "-m", "wer", "wer()"], 2, "metric wer is given twice"),
        (["nbest.txt", *REFS, "-m", "blue"], 2, "unknown metric 'blue'"),
        (["nbest.txt", *REFS, "--ties", "half"], 2, "--ties must be one of mid, min, max; got 'half'"),
        (["nbest.txt", *REFS, "--level", "95"], 2, "--level must be a number between 0 and 1; got '95'"),
        (["nbest.txt", *REFS, "--samples", "0"], 2, "--samples must be a whole number from 1 to 100,000,000"),
        (["nbest.txt", *REFS, "-n", "0"], 2, "--first must be a whole number, 1 or more, or none; got '0'"),
        (["nbest.txt", *REFS, "--curve", "curve.jpg"], 2, "--curve: expected a file name that ends in .svg"),
        (
            ["nbest.txt", *REFS, "--curve", "c.tsv", "--curve-step", "0"],
            2,
            "--curve-step must be a whole number, 1 or more",
        ),
        (["nbest.txt", *REFS, "--curve-step", "5"], 2, "--curve-step needs --curve FILE"),
        (["nbest.txt", *REFS, "--errors", "errors"], 2, "--errors: expected a file name that ends in .txt"),
        (["nbest.txt", *REFS, "--errors", "nbest.txt"], 2, "--errors: nbest.txt is one of the files to read"),
        (["nbest.txt", *REFS, "--errors", "x.tsv", "--curve", "./x.tsv"], 2, "--curve and --errors are the same file"),
        (["nbest.txt", *REFS, "--ranks", "ranks.txt"], 2, "--ranks: expected a file name that ends in .tsv"),
        (["nbest.txt", *REFS, "--curve", "c.png.gz"], 2, "--curve: expected a file name that ends in .svg"),
        (["nbest.txt", *REFS, "--errors-most", "3"], 2, "--errors-most needs --errors FILE"),
        (["nbest.txt", *REFS, "--source", "hasty.txt"], 2, "--source needs --errors FILE"),
        (
            ["nbest.txt", *REFS, "-m", "wer", "--errors", "e.txt", "--errors-metric", "per"],
            2,
            "--errors-metric: per is not one of the metrics",
        ),
        (["-", "-", "reference-a.txt"], 2, "standard input can be read only once"),
        (["nothing.txt", *REFS], 1, "nothing.txt: no such file"),
        (["nbest.txt", "reference-a.txt", "short.txt"], 1, "short.txt: ends at line 2, but reference-a.txt goes on"),
        (["nbest.txt", "short.txt", "shorter.txt"], 1, "shorter.txt: ends at line 1"),
        (["nbest.txt", "short.txt", "short2.txt"], 1, "line 13: source 2 has no references; short.txt ends at line 2"),
        (["few.txt", *REFS], 1, "few.txt: ends with source 1, but reference-a.txt goes on to line 12"),
        (["empty.txt", *REFS], 1, "empty.txt: the file is empty; expected an n-best list"),
        (["hasty.txt", *REFS], 1, "hasty.txt: line 1: expected 'source ||| text'"),
        (["back.txt", *REFS], 1, "back.txt: line 3: source 0 comes after source 1"),
        (["gap.txt", *REFS], 1, "gap.txt: line 2: source 2 comes after source 0; expected source 1"),
        (
            ["nbest.txt", "reference-a.txt", "holes.txt", "--missing-refs"],
            1,
            "reference-a.txt, holes.txt: line 3: there is one reference; expected two or more",
        ),
        (["nbest.txt", *REFS, "--unequal", "drop", "-n", "7"], 1, "no source has 7 candidates (the most are 6)"),
        (["nbest.txt", *REFS, "--errors", "no/folder/e.txt"], 1, "no/folder/e.txt: cannot be written"),
        (["nbest.txt", *REFS, "--errors", "e.txt", "--source", "short.txt"], 1, "short.txt: ends at line 2"),
    ],
)
def test_mistakes(texts, capsys, words, status, message):
    Path("short.txt").write_text("a\nb\n")
    Path("short2.txt").write_text("c\nd\n")
    Path("shorter.txt").write_text("a\n")
    Path("empty.txt").write_text("")
    Path("few.txt").write_text("0 ||| a\n1 ||| b\n")
    Path("back.txt").write_text("0 ||| a\n1 ||| b\n0 ||| c\n")
    Path("gap.txt").write_text("0 ||| a\n2 ||| b\n")
    Path("holes.txt").write_text("a\nb\n" + "\n" + "c\n" * 9)
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    found, out, err = type_in(capsys, *words)
    assert (found, out) == (status, "")
    assert message in err
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


def test_interrupted(texts, capsys, monkeypatch):
    """Ctrl-C leaves no part of a file."""

    def interrupted(self, ranking):
        raise KeyboardInterrupt

    monkeypatch.setattr("tricolore.judge.orange.error_analysis.ErrorFile.add", interrupted)
    before = sorted(Path().iterdir())
    status, out, err = type_in(capsys, "nbest.txt", *REFS, "--errors", "e.txt", "--curve", "c.tsv")
    assert (status, out, err) == (130, "", "tricolore: interrupted\n")
    assert sorted(Path().iterdir()) == before


def test_the_example_list_is_sound():
    found = [line.split(" ||| ") for line in lines(NBEST)]
    assert [int(source) for source, *_ in found] == sorted(6 * [*range(12)])
    for _, text, features, total in found:  # weights 0.4 and 0.8, best first
        lm, tm, words = (float(word) for word in features.split() if not word.endswith("="))
        assert float(total) == pytest.approx(0.4 * lm + 0.8 * tm)
        assert words == -len(text.split())
    totals = [[float(row[3]) for row in found if int(row[0]) == i] for i in range(12)]
    assert all(one == sorted(one, reverse=True) for one in totals)
