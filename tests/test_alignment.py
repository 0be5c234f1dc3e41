"""Alignments as data and as pictures, and the command that shows them."""

import io
import json
import os
import pickle
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import jiwer
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from strategies import adversarial, sentence

from tricolore import Alignment, InputError, InputTypeError, SpecError, _native, align, align_all, align_systems
from tricolore.cli import run
from tricolore.examples import lines
from tricolore.metrics.edit_rates import LER, WER
from tricolore.results import emit

words = st.sampled_from(["a", "b", "über", "中文", "😀"])
some = sentence(40, words)


def check(found, hyp_tokens, ref_tokens):
    """The operations cover both texts in order, and are what they say."""
    h = r = 0
    for one in found.operations:
        assert (one.hyp_start, one.ref_start) == (h, r)
        of_hyp, of_ref = hyp_tokens[one.hyp_start : one.hyp_end], ref_tokens[one.ref_start : one.ref_end]
        sizes = {"insert": (len(of_hyp), 0), "delete": (0, len(of_ref))}
        assert (len(of_hyp), len(of_ref)) == sizes.get(one.kind, (len(one), len(one)))
        assert len(one) > 0
        if one.kind == "equal":
            assert of_hyp == of_ref
        if one.kind == "substitute":
            assert all(a != b for a, b in zip(of_hyp, of_ref, strict=True))
        h, r = one.hyp_end, one.ref_end
    assert (h, r) == (len(hyp_tokens), len(ref_tokens))
    kinds = [one.kind for one in found.operations]
    assert all(a != b for a, b in pairwise(kinds))


# Data --------------------------------------------------------------------------------------------------------


@given(hyp=some, ref=some)
def test_edits_are_those_of_word_error_rate(hyp, ref):
    found = align(hyp, ref)
    check(found, tuple(hyp.split()), tuple(ref.split()))
    score = WER().segment(hyp, ref)
    assert (found.edits, found.rate) == (score.edits, float(score))
    assert found.hits + found.substitutions + found.deletions == score.ref_len
    assert found.hits + found.substitutions + found.insertions == score.hyp_len


@given(hyp=adversarial, ref=adversarial)
def test_characters_are_those_of_letter_error_rate(hyp, ref):
    found = align(hyp, ref, chars=True)
    check(found, tuple(" ".join(hyp.split())), tuple(" ".join(ref.split())))
    score = LER().segment(hyp, ref)
    assert (found.edits, found.rate) == (score.edits, float(score))


def operations(found):
    return [(one.kind, one.ref_start, one.ref_end, one.hyp_start, one.hyp_end) for one in found.operations]


def theirs(output):
    return [
        (one.type, one.ref_start_idx, one.ref_end_idx, one.hyp_start_idx, one.hyp_end_idx)
        for one in output.alignments[0]
    ]


@settings(max_examples=300)
@given(
    hyp=sentence(80, st.sampled_from("aab"), min_size=1),
    ref=sentence(80, st.sampled_from("aab"), min_size=1),
)
def test_ties_are_broken_as_in_jiwer(hyp, ref):
    found, peer = align(hyp, ref), jiwer.process_words(ref, hyp)
    assert operations(found) == theirs(peer)
    assert (found.hits, found.substitutions, found.insertions, found.deletions) == (
        peer.hits,
        peer.substitutions,
        peer.insertions,
        peer.deletions,
    )


@given(hyp=sentence(30, words, min_size=1), ref=sentence(30, words, min_size=1))
def test_characters_are_aligned_as_in_jiwer(hyp, ref):
    assert operations(align(hyp, ref, chars=True)) == theirs(jiwer.process_characters(ref, hyp))


@pytest.mark.parametrize("size", [63, 64, 65, 128, 200, 1000])
@pytest.mark.parametrize("room", [0, 1, 100, 5000])
def test_little_room_changes_nothing(size, room):
    hyp, ref = (" ".join(str(i * i % n % 9) for i in range(size)) for n in (101, 103))
    assert _native.edit_script(hyp, ref, 0, False, room) == _native.edit_script(hyp, ref, 0, False)
    assert _native.edit_script(hyp, ref + " x y", 0, False, room) == _native.edit_script(hyp, ref + " x y", 0, False)


def test_long_texts():
    hyp, ref = (" ".join(f"w{i * i % n}" for i in range(20_000)) for n in (701, 709))
    found = align(hyp, ref)
    assert found.edits == WER().segment(hyp, ref).edits
    check(found, tuple(hyp.split()), tuple(ref.split()))


def test_text_is_read_as_the_metrics_read_it():
    assert align("The CAT, sat.", "the cat sat", lowercase=True, strip_punctuation=True).edits == 0
    assert align("cat, sat", "cat , sat", tokenize="13a").hypothesis == ("cat", ",", "sat")
    assert align("a  b\u3000c", "a b c", chars=True).edits == 0
    assert align([1, 2, 3], [1, 3]).hypothesis == ("1", "2", "3")


def test_empty_texts():
    assert align("", "").operations == ()
    assert (align("", "").rate, align("a", "").rate, align("", "a b").rate) == (0, 1, 1)
    assert str(align("", "")) == "REF:\nHYP:"


def test_alignments_are_values():
    found = align("a b", "a c")
    assert isinstance(found, Alignment)
    assert found == align("a b", "a c") == pickle.loads(pickle.dumps(found))
    assert list(found.pairs()) == [("equal", "a", "a"), ("substitute", "c", "b")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a", ["a", "b"]), "one reference, a string or token ids; got a list"),
        ((["a", "b"], ["a", "c"]), "got a list; join tokens with spaces"),
        (([1], [[1, 2]]), "one reference, a string or token ids; got a list"),
        (([1], 5), "references of segment 0: expected a string"),
        ((None, "a"), "hypothesis 0: expected a string or token ids, got None"),
        (("a", 5), "references of segment 0: expected a string"),
        (("a", [1, 2]), "all text or all token ids"),
        ((["a"], "a"), "hypothesis 0: expected a string or token ids, got list"),
    ],
)
def test_what_is_no_text_is_refused(arguments, message):
    with pytest.raises(InputTypeError, match=message):
        align(*arguments)


def test_token_numbers():
    assert align([1, 2], [1, 3]).edits == 1
    assert (align([], [1, 3]).deletions, align([1], []).insertions, align([], []).edits) == (2, 1, 0)


def test_contradictory_parameters():
    with pytest.raises(SpecError, match="tokenize='13a' cuts words; choose one"):
        align("a", "a", chars=True, tokenize="13a")
    with pytest.raises(SpecError, match="did you mean '13a'"):
        align("a", "a", tokenize="13")


# Pictures ----------------------------------------------------------------------------------------------------


def test_picture():
    assert align("the cat sat upon a big mat", "the dog sat on mat").format(80) == (
        "REF: the dog sat **** * on  mat\n"
        "HYP: the cat sat upon a big mat\n"
        "         S       I    I S"
    )  # fmt: skip
    assert align("a", "a b").format() == "REF: a b\nHYP: a *\n       D"
    assert align("a b", "a b").format() == "REF: a b\nHYP: a b"


def test_wide_characters_and_marks_stand_in_their_columns():
    picture = align("東京 に cafe\u0301 y", "東 に café x").format()
    ref, hyp, marks = picture.split("\n")
    assert [cell_len(line[: line.index("に")]) for line in (ref, hyp)] == [10, 10]
    assert cell_len(ref[: ref.index("x")]) == cell_len(hyp[: hyp.index("y")]) == marks.rindex("S")


def test_characters_that_cannot_be_seen_are_shown():
    picture = align("a\x1b b\u0301", "a b", chars=True).format()
    assert "\x1b" not in picture and "\\x1b" in picture and "␣" in picture and "◌\u0301" in picture
    assert "\\ud800" in align("\ud800", "\u202e").format() and "\\u202e" in align("\ud800", "\u202e").format()


@given(hyp=st.one_of(some, adversarial), ref=st.one_of(some, adversarial), width=st.integers(1, 60))
def test_wrapping_loses_nothing(hyp, ref, width):
    found = align(hyp, ref)
    whole = found.format(0).split("\n")
    blocks = [block.split("\n") for block in found.format(width).split("\n\n")]
    for i, label in enumerate(("REF:", "HYP:")):
        together = " ".join(block[i].removeprefix(label) for block in blocks)
        assert together.split() == whole[i].removeprefix(label).split()
    for block in blocks:
        for line in block:
            assert line == line.rstrip(" ")
            assert cell_len(line) <= width or len(block[0].split()) <= 2
    marks = "".join(block[2] for block in blocks if len(block) > 2)
    assert tuple(map(marks.count, "SID")) == (found.substitutions, found.insertions, found.deletions)


@given(hyp=adversarial, ref=adversarial, width=st.integers(1, 60))
def test_characters_wrap_too(hyp, ref, width):
    found = align(hyp, ref, chars=True)
    blocks = [block.split("\n") for block in found.format(width).split("\n\n")]
    marks = "".join(block[2] for block in blocks if len(block) > 2)
    assert tuple(map(marks.count, "SID")) == (found.substitutions, found.insertions, found.deletions)
    if width > 20:  # wider than any one character, escaped
        assert max(cell_len(line) for block in blocks for line in block) <= width


@pytest.mark.parametrize("width", [-1, 2.5, "wide", True])
def test_widths_that_are_none(width):
    with pytest.raises(SpecError, match="width must be a whole number"):
        align("a", "a").format(width)


# Results -----------------------------------------------------------------------------------------------------


def test_results_have_every_form():
    one = align("a b", "a <c>")
    assert repr(one) == "<Alignment: WER = 50.00 (edits = 1 hyp_len = 2 ref_len = 2)>"
    assert one.to_dict()["operations"][1]["kind"] == "substitute"
    assert one.records()[1] == {
        "kind": "substitute", "hyp_start": 1, "hyp_end": 2, "ref_start": 1, "ref_end": 2, "hypothesis": "b",
        "reference": "<c>",
    }  # fmt: skip
    assert one._repr_html_().startswith("<pre>REF: a &lt;c&gt;\n")
    several = align_all(["a b", "x"], ["a <c>", "x"])
    assert several.score == WER()(["a b", "x"], ["a <c>", "x"])
    assert (several.hits, several.edits, several.segments[1]) == (2, 1, one)
    assert len(several.to_pandas()) == 3
    assert repr(several) == "<Alignments: WER = 33.33 (edits = 1 hyp_len = 3 ref_len = 3)>"


def test_the_function_and_the_command_give_the_same(corpus, capsys):
    found = align_all("careful.txt", "reference-a.txt", segments=[2, 3], chars=True)
    _, out, _ = type_in(capsys, *FILES, "--segment", "2-3", "--chars", "-f", "json")
    assert json.loads(out) == json.loads(json.dumps(found.to_dict()))
    with pytest.raises(InputError, match="2 hypotheses, but 1 references"):
        align_all(["a", "b"], ["a"])


# The command -------------------------------------------------------------------------------------------------


def type_in(capsys, *given):
    status = run(["align", *given])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


FILES = ("reference-a.txt", "-i", "careful.txt")


@pytest.mark.parametrize(
    ("flags", "metric"),
    [
        ([], WER()),
        (["--chars"], LER()),
        (["-lc", "-tok", "13a"], WER(lowercase=True, tokenize="13a")),
        (["--strip-punctuation"], WER(strip_punctuation=True)),
    ],
    ids=str,
)
def test_the_last_line_is_the_score(corpus, capsys, flags, metric):
    status, out, err = type_in(capsys, *FILES, *flags)
    score = metric(lines("careful"), lines("reference-a"))
    assert (status, err) == (0, "")
    last = out.splitlines()[-1]
    assert last.startswith(f"{score.signature} = {score.display()} {score.verbose} hits = ")
    assert out.count("segment ") == 12


def test_some_segments(corpus, capsys):
    _, out, _ = type_in(capsys, *FILES, "--segment", "3", "1", "--segment", "3")
    _, ranges, _ = type_in(capsys, *FILES, "--segment", "2-4", "3-5")
    assert ranges.count("segment ") == 4
    assert [line.split(":")[0] for line in out.splitlines() if line.startswith("segment")] == ["segment 1", "segment 3"]
    score = WER()([lines("careful")[i] for i in (0, 2)], [lines("reference-a")[i] for i in (0, 2)])
    assert score.verbose in out.splitlines()[-1]


def test_only_errors_are_shown_but_all_are_counted(corpus, capsys):
    _, all_of_them, _ = type_in(capsys, *FILES)
    _, some_of_them, _ = type_in(capsys, *FILES, "--only-errors")
    perfect = sum(hyp == ref for hyp, ref in zip(lines("careful"), lines("reference-a"), strict=True))
    assert some_of_them.count("segment ") == 12 - perfect
    assert some_of_them.splitlines()[-1] == all_of_them.splitlines()[-1]


def test_two_texts(capsys):
    status, out, _ = type_in(capsys, "--text", "the cat sat", "a hat sat", "--width", "40")
    assert status == 0
    assert out.startswith("REF: the cat sat\nHYP: a   hat sat\n     S   S\n\nWER|nrefs:1|")
    assert out.endswith("hits = 1 substitutions = 2 insertions = 0 deletions = 0\n")


def test_json(corpus, capsys):
    _, out, _ = type_in(capsys, *FILES, "-f", "json", "--only-errors")
    found = json.loads(out)
    score = WER()(lines("careful"), lines("reference-a"))
    assert found["signature"] == score.signature
    assert found["substitutions"] + found["insertions"] + found["deletions"] == score.edits
    for one in found["segments"]:
        again = align(lines("careful")[one["segment"] - 1], lines("reference-a")[one["segment"] - 1])
        assert one["hypothesis"] == list(again.hypothesis)
        assert [op["kind"] for op in one["operations"]] == [op.kind for op in again.operations]
        assert one["rate"] == again.rate
    _, out, _ = type_in(capsys, "careful.txt", "-i", "careful.txt", "-f", "json", "--only-errors")
    assert json.loads(out)["segments"] == []


def test_tsv(corpus, capsys):
    _, out, err = type_in(capsys, *FILES, "-f", "tsv")
    header, *rows = [line.split("\t") for line in out.splitlines()]
    assert {len(row) for row in rows} == {len(header)} == {8}
    assert {row[1] for row in rows} <= {"equal", "substitute", "insert", "delete"}
    together = " ".join(row[6] for row in rows if row[0] == "2" and row[6])
    assert together == " ".join(lines("careful")[1].split())
    assert err.startswith("WER|nrefs:1|") and err.count("\n") == 1


def test_standard_input(corpus):
    with Path("careful.txt").open() as text:
        found = subprocess.run(
            [sys.executable, "-m", "tricolore", "align", "reference-a.txt", "--segment", "2"],
            stdin=text,
            capture_output=True,
            text=True,
            check=True,
        )
    assert found.stdout.startswith("segment 2: WER = ")
    assert found.stderr == ""


@pytest.mark.parametrize(
    ("given", "status", "message"),
    [
        ("-i careful.txt", 2, "a reference is needed, and the output with -i"),
        ("", 2, "a reference is needed"),
        ("-", 2, "standard input can be read only once"),
        ("nope.txt -i careful.txt", 1, "nope.txt: no such file"),
        ("reference-a.txt careful.txt", 2, "'careful.txt' was not expected"),
        ("cut.txt -i careful.txt", 1, "cut.txt: ends at line 2, but careful.txt goes on to line 12"),
        ("reference-a.txt -i careful.txt --segment 13", 1, "there is no segment 13; the texts end at 12"),
        ("reference-a.txt -i careful.txt --segment 0", 2, "segments are counted from 1; got 0"),
        ("reference-a.txt -i careful.txt --segment two", 2, "expected a number, or two such as 3-7; got 'two'"),
        ("reference-a.txt -i careful.txt --segment 7-3", 2, "expected a number, or two such as 3-7; got '7-3'"),
        (
            "reference-a.txt -i careful.txt --width -3",
            2,
            "--width must be a whole number from 0 to 1,000,000; got '-3'",
        ),
        ("reference-a.txt -i careful.txt -tok 13", 2, "did you mean '13a'?"),
        ("reference-a.txt -i careful.txt -tok 13a --chars", 2, "choose one"),
        ("reference-a.txt -i careful.txt -f latex", 2, "--format must be one of text, json, tsv, csv; got 'latex'"),
        ("careful.txt --text a b", 2, "--text takes the place of files; careful.txt was not expected"),
        ("reference-a.txt -i careful.txt --only-error", 2, "options are written in full: --only-errors"),
    ],
)
def test_mistakes_get_one_clear_line(corpus, capsys, given, status, message):
    (corpus / "cut.txt").write_text("a\nb\n", encoding="utf-8")
    found, out, err = type_in(capsys, *given.split())
    assert (found, out) == (status, "")
    assert message in err
    assert err.startswith("tricolore: ") and err.count("\n") == 1


def test_several_systems_are_aligned_one_below_the_other(tmp_path, capsys):
    for name, text in {"ref": "a b c\nd e\n", "A": "a b c\nd x\n", "B": "a c\nd e\n"}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    paths = [str(tmp_path / f"{name}.txt") for name in ("ref", "A", "B")]
    assert run(["align", paths[0], "-i", *paths[1:], "--only-errors", "--segment", "2"]) == 0
    assert capsys.readouterr().out.split("\n\n")[0] == "\n".join([
        "segment 2",
        "A: WER = 50.00 (edits = 1 hyp_len = 2 ref_len = 2)", "REF: d e", "HYP: d x", "       S",
        "B: WER = 0.00 (edits = 0 hyp_len = 2 ref_len = 2)", "REF: d e", "HYP: d e",
    ])  # fmt: skip
    found = align_systems({"A": ["a b", "d"], "B": ["a b", "e"]}, ["a b", "d"], only_errors=True)
    assert found.shown == [2] and found["B"].edits == 1
    assert [one["system"] for one in found.to_dict()["systems"]] == ["A", "B"]
    assert {row["system"] for row in found.records()} == {"B"}
    with pytest.raises(InputError, match="B: there are 1 hypotheses, but 2 references"):
        align_systems({"A": ["a", "b"], "B": ["a"]}, ["a", "b"])
    assert run(["align", paths[0], "-i", paths[1], paths[1]]) == 2
    assert "given twice as a system" in capsys.readouterr().err


def test_edits_are_coloured_on_a_terminal():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    stream = Terminal()
    with patch.dict(os.environ, {"TERM": "xterm-256color", "NO_COLOR": ""}):
        emit(align("a x c", "a b c d"), stream=stream)
    assert "\x1b[33mx" in stream.getvalue() and "\x1b[31md" in stream.getvalue()
    plain = io.StringIO()
    emit(align("a x c", "a b c d"), stream=plain)
    assert "\x1b" not in plain.getvalue()
    marks = align("a x c", "a b c d").page().marks
    assert marks[1] == ((7, 8, "substitute"), (11, 12, "delete"))
