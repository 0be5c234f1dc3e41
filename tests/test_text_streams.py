"""Files read block by block score as the same files read whole; what is wrong with them is told in the same words."""

import gzip
import io
import random
import signal
import subprocess
import sys
import time
from itertools import product

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from strategies import WHITE_SPACE, encodable

import tricolore as tri
from tricolore import _native
from tricolore.cli import run
from tricolore.errors import InputError
from tricolore.metrics import text_metric
from tricolore.readers import files, read_segments, text_streams
from tricolore.readers.text_streams import ReferenceStreams, TextStream, piped_streams
from tricolore.readers.texts import check_segments, read_piped_systems, read_references, read_texts

WORDS = ["a", "b", "c", "the", "cat", "sat", ".", "on", "über", "中文", "😀", "don't", "3.5"]


def text(seed, lines, empty=0.1):
    draw = random.Random(seed)
    return ["" if draw.random() < empty else " ".join(draw.choices(WORDS, k=draw.randint(1, 9))) for _ in range(lines)]


def write(path, lines, ending="\n", mark=b"", last=True):
    data = mark + ending.join(lines).encode() + (ending.encode() if last else b"")
    opened = {".gz": gzip.open, ".zst": zstandard.open}.get(path.suffix, open)
    with opened(path, "wb") as file:
        file.write(data)
    return str(path)


def small(monkeypatch, block, size=7):
    monkeypatch.setattr(text_streams, "BLOCK", block)
    monkeypatch.setattr(text_streams, "_BYTES", size)
    monkeypatch.setattr(files, "_LARGE_CHUNK", size)


def whole(systems, refs, metrics, references=None, **how):
    """Score as files that are read whole are."""
    outputs = {name: read_texts(path) for name, path in systems.items()}
    refs = read_references(refs, **(references or {}))
    check_segments(outputs, refs)
    return tri.score(outputs, refs, metrics, **how)


def streamed(systems, refs, metrics, references=None, **how):
    outputs = {name: TextStream(path) for name, path in systems.items()}
    return tri.score(outputs, ReferenceStreams(refs, **(references or {})), metrics, **how)


# Lines -----------------------------------------------------------------------------------------------------------


@given(st.lists(encodable.map(lambda one: one.replace("\0", "")), min_size=1, max_size=6), st.integers(1, 9))
def test_lines_are_those_of_the_file_read_whole(tmp_path_factory, lines, size):
    path = tmp_path_factory.mktemp("lines") / "text"
    path.write_bytes("\n".join(lines).encode())
    with pytest.MonkeyPatch.context() as patch:
        small(patch, 3, size)
        try:
            expected = read_segments(str(path), files.FORMS)
        except InputError as error:
            with pytest.raises(InputError, match=r".") as found:
                TextStream(str(path), as_text=True)
            assert str(found.value) == str(error)
        else:
            assert TextStream(str(path), as_text=True).read() == expected
            assert TextStream(str(path), as_text=True).finish() == len(expected)


def test_white_space_at_the_ends_of_lines_is_dropped():
    for spaces in (*WHITE_SPACE.replace("\n", ""), WHITE_SPACE.replace("\n", "")):
        data = f"a{spaces}b{spaces}\n{spaces}\nä{spaces}".encode()
        assert _native.Column.of_lines(data, len(data), True).tolist() == [f"a{spaces}b", "", "ä"]
        assert _native.Column.of_lines(data, len(data), False).tolist() == data.decode().split("\n")
    for other in "\u180e\u200b\u2060\ufeff\x84\x86😀":
        data = f"a{other}".encode()
        assert _native.Column.of_lines(data, len(data), True).tolist() == [f"a{other}"]


@given(st.binary(max_size=12) | encodable.map(str.encode), st.integers(0, 2000))
def test_whole_characters_are_what_python_decodes(data, before):
    data = b"x" * before + data  # so that stretches of plain ASCII come before
    found = _native.whole_characters(data)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        if found is not None:  # a character that may go on
            assert error.reason in ("unexpected end of data", "invalid continuation byte")
            assert found[0] == error.start and len(data) - found[0] < 4
    else:
        assert found == (None if "\0" in text else (len(data), text.count("\n")))


def test_columns_outlive_the_stream(tmp_path):
    path = write(tmp_path / "text", [f"line {i} is longer than a cell" for i in range(100)])
    stream = TextStream(path)
    taken = [stream.take(40), stream.take(40), stream.take(40)]
    del stream
    assert [len(one) for one in taken] == [40, 40, 20]
    assert taken[2].tolist()[-1] == "line 99 is longer than a cell"


# Scores ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("block", [1, 2, 3, 7, 40, 41, 1000])
@pytest.mark.parametrize("ending, mark, last", [("\n", b"", True), ("\r\n", b"\xef\xbb\xbf", True), ("\n", b"", False)])
def test_scores_do_not_depend_on_blocks(tmp_path, monkeypatch, block, ending, mark, last):
    how = {"ending": ending, "mark": mark, "last": last}
    refs = [write(tmp_path / f"ref{k}", [*text(k, 40), "end"], **how) for k in range(2)]
    systems = {name: write(tmp_path / name, [*text(name, 40), "end"], **how) for name in ("A", "B")}
    metrics = ["bleu", "chrf", "ter", "wer", "bleu(lowercase=true)", "rouge-l", "rouge-2"]
    expected = {number: whole(systems, refs[:number], metrics) for number in (1, 2)}
    small(monkeypatch, block)
    for number, scores in expected.items():
        found = streamed(systems, refs[:number], metrics)
        assert [one.signature for one in found] == [one.signature for one in scores]
        for one, other in zip(found, scores, strict=True):
            if one.metric.family.startswith("ROUGE") or "rouge" in one.metric.name:
                assert one.value == pytest.approx(other.value, rel=1e-12)  # means add up in another order
            else:
                assert one.to_dict() == other.to_dict()


def test_long_files_score_the_same_to_the_last_bit(tmp_path):
    number = 2 * text_streams.BLOCK + 5
    refs = [write(tmp_path / "ref", text("r", number, empty=0.01))]
    systems = {name: write(tmp_path / f"{name}.gz", text(name, number, empty=0.01)) for name in ("A", "B")}
    metrics = ["bleu", "chrf", "rouge-1", "rouge-l", "gleu", "ribes"]
    assert streamed(systems, refs, metrics).to_dict() == whole(systems, refs, metrics).to_dict()
    how = {"confidence": True, "test": "ar", "resamples": 20, "trials": 20}
    assert streamed(systems, refs, metrics[:3], **how).to_dict() == whole(systems, refs, metrics[:3], **how).to_dict()
    kept = streamed(systems, refs, metrics, segments=True)  # a sum over rows, which may differ in the last bit
    assert kept.to_dict() == whole(systems, refs, metrics, segments=True).to_dict()
    written = streamed(systems, refs, metrics, segments=str(tmp_path / "segments.tsv"))
    assert written.to_dict() == whole(systems, refs, metrics).to_dict()


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_segments_are_written_as_before(tmp_path, monkeypatch, suffix):
    refs = [write(tmp_path / f"ref{k}{suffix}", text(k, 40)) for k in range(2)]
    systems = {name: write(tmp_path / f"{name}{suffix}", text(name, 40)) for name in ("A", "B")}
    metrics = ["bleu", "chrf", "rouge-l"]
    expected = list(whole(systems, refs, metrics, segments=True).segments.records_of_each())
    small(monkeypatch, 7)
    kept = streamed(systems, refs, metrics, segments=True)
    assert list(kept.segments.records_of_each()) == expected
    assert [*kept.segments.each()] == [*whole(systems, refs, metrics, segments=True).segments.each()]
    for how in ({}, {"texts": True}, {"confidence": True, "resamples": 10}):
        streamed(systems, refs, metrics, segments=str(tmp_path / "streamed.jsonl"), **how)
        whole(systems, refs, metrics, segments=str(tmp_path / "whole.jsonl"), **how)
        assert (tmp_path / "streamed.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert {one.name for one in tmp_path.iterdir()} == {
        *(f"ref{k}{suffix}" for k in range(2)), *(f"{name}{suffix}" for name in "AB"), "streamed.jsonl", "whole.jsonl"
    }  # fmt: skip


def test_texts_that_were_not_kept_are_not_there(tmp_path):
    path = write(tmp_path / "a", ["a b"])
    with pytest.raises(InputError, match="the texts of files are not kept"):
        list(streamed({"A": path}, [path], "bleu", segments=True).segments.texts().records_of_each())


def test_missing_references_and_several_per_line(tmp_path, monkeypatch):
    first, second = text("r", 30, empty=0), text("s", 30, empty=0.4)
    apart = [write(tmp_path / "one", first), write(tmp_path / "two", second)]
    beside = [write(tmp_path / "both", [f"{one}\t{two}" for one, two in zip(first, second, strict=True)])]
    systems = {"A": write(tmp_path / "A", text("A", 30))}
    for refs, how in product((apart, beside), ({}, {"missing": True})):
        reading = how | ({"num_refs": 2} if refs is beside else {})
        expected = whole(systems, refs, ["bleu", "ter"], reading, segments=True)
        with monkeypatch.context() as patch:
            small(patch, 4)
            found = streamed(systems, refs, ["bleu", "ter"], reading, segments=True)
        assert found.to_dict() == expected.to_dict()
        assert [*found.segments.each()] == [*expected.segments.each()]


def test_metrics_that_learn_from_references_read_them_first(tmp_path, monkeypatch):
    refs, systems = [write(tmp_path / "ref", text("r", 30))], {"A": write(tmp_path / "A", text("A", 30))}
    small(monkeypatch, 4)
    assert streamed(systems, refs, ["nist", "bleu"]).to_dict() == whole(systems, refs, ["nist", "bleu"]).to_dict()


def test_paths_are_streamed(tmp_path, monkeypatch):
    ref, hyp = tmp_path / "ref", tmp_path / "A"
    write(ref, text("r", 30)), write(hyp, text("A", 30))
    expected = whole({"A": str(hyp)}, [str(ref)], "bleu").to_dict()
    monkeypatch.setattr("tricolore.readers.texts.read_segments", None)  # which reads whole
    for systems, refs in (({"A": hyp}, ref), ([hyp], [ref]), (str(hyp), str(ref)), (hyp, str(ref))):
        assert tri.score(systems, refs).to_dict() == expected


def test_progress_is_told_in_bytes(tmp_path, monkeypatch):
    ref, hyp = write(tmp_path / "ref", text("r", 30)), write(tmp_path / "A.gz", text("A", 30))
    steps = []
    small(monkeypatch, 10)
    streamed({"A": hyp}, [ref], "bleu", progress=lambda stage: lambda *step: steps.append((stage, *step)))
    size = (tmp_path / "ref").stat().st_size + (tmp_path / "A.gz").stat().st_size
    assert len(steps) == 3 and steps[-1] == ("scoring", size, size)
    assert [done for _, done, _ in steps] == sorted(done for _, done, _ in steps)


# Standard input --------------------------------------------------------------------------------------------------


def pipe(monkeypatch, lines):
    data = "".join(f"{line}\n" for line in lines).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize(
    "lines",
    [
        ["a b", "c"],
        ["a\t", "b\t\t", "c"],
        ["a b\tc", "d\te f"],
        ["a\tb\tc", "\tx\ty"],
        ["a", "b\tc", "d"],
        ["a\tb", "c", "d\te"],
        ["a\tb", "c\td", "d\te\tf"],
    ],
)
@pytest.mark.parametrize("block", [1, 2, 100])
def test_outputs_from_standard_input(monkeypatch, lines, block):
    def systems(read):
        pipe(monkeypatch, lines)
        try:
            return {name: [*texts] for name, texts in read().items()}
        except InputError as error:
            return str(error)

    expected = systems(read_piped_systems)
    small(monkeypatch, block)
    assert systems(lambda: {name: stream.read() for name, stream in piped_streams().items()}) == expected


# What is wrong ---------------------------------------------------------------------------------------------------


def told(score, systems, refs, **how):
    with pytest.raises(InputError) as found:
        score(systems, refs, ["bleu", "chrf"], **how)
    return str(found.value)


@pytest.mark.parametrize("block", [1, 5, 9, 10, 100])
def test_different_lengths_are_told_in_the_same_words(tmp_path, monkeypatch, block):
    for lengths in product((9, 10, 23), repeat=4):
        if len({*lengths}) == 1:
            continue
        first, second, *outputs = [write(tmp_path / f"{k}", text(k, n)) for k, n in enumerate(lengths)]
        systems = {"A": outputs[0], "B": outputs[1]}
        expected = told(whole, systems, [first, second])
        with monkeypatch.context() as patch:
            small(patch, block)
            assert told(streamed, systems, [first, second]) == expected


@pytest.mark.parametrize("fault", [b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\0", b"\xe2\x82"])
@pytest.mark.parametrize("line", [0, 17, 29])
def test_bytes_that_are_no_text_are_told_by_line(tmp_path, monkeypatch, fault, line):
    good, bad = text("r", 30, empty=0), tmp_path / "bad"
    data = [one.encode() for one in text("h", 30, empty=0)]
    data[line] += b" " + fault
    for ending in (b"\n", b"") if line == 29 else (b"\n",):
        bad.write_bytes(b"\n".join(data) + ending)
        other = write(tmp_path / "good", good)
        for systems, refs in (({"A": str(bad)}, [other]), ({"A": other}, [str(bad)])):
            expected = told(whole, systems, refs)
            assert f"line {line + 1}: " in expected
            for block, size in ((1, 7), (10, 64), (100, 1 << 20)):
                with monkeypatch.context() as patch:
                    small(patch, block, size)
                    assert told(streamed, systems, refs) == expected


def test_segments_that_cannot_be_scored_are_told_by_line(tmp_path, monkeypatch):
    ref = write(tmp_path / "ref", text("r", 30))
    before = text_metric.prepare

    def prepare(given, *how):
        if given == picky:
            raise InputError("cannot be tokenised")
        return before(given, *how)

    picky = "the very line"
    lines = text("A", 30)
    lines[23] = picky
    hyp = write(tmp_path / "A", lines)
    monkeypatch.setattr(text_metric, "prepare", prepare)
    messages = set()
    for score, block in ((whole, 8192), (streamed, 4), (streamed, 100)):
        with monkeypatch.context() as patch:
            small(patch, block)
            with pytest.raises(InputError) as found:
                score({"A": hyp}, [ref], "bleu(lowercase=true)")
            messages.add(str(found.value))
    assert messages == {f"{hyp}: line 24: cannot be tokenised"}


@pytest.mark.parametrize(
    "data", [b"", b"\xef\xbb\xbf", b"\n", b"\r\n", b"\n\n", b'{"a": 1}\n{"a": 2}\n', b"a\tb\nc\td\n"]
)
def test_files_that_are_something_else_are_told_in_the_same_words(tmp_path, data):
    path = tmp_path / "file"
    path.write_bytes(data)
    try:
        expected = read_segments(str(path))
    except InputError as error:
        with pytest.raises(InputError) as found:
            TextStream(str(path))
        assert str(found.value) == str(error)
    else:
        assert TextStream(str(path)).read() == expected


def test_a_form_is_recognised_in_long_lines(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b'{"a": "' + b"x" * 6_000_000 + b'"}\n')
    with pytest.raises(InputError, match="found JSON"):
        TextStream(str(path))
    path.write_bytes(b"x" * 6_000_000)
    assert TextStream(str(path)).finish() == 1


def test_no_file_of_segments_is_left_if_something_is_wrong(tmp_path, monkeypatch):
    ref, hyp = write(tmp_path / "ref", text("r", 30)), write(tmp_path / "A", text("A", 29))
    small(monkeypatch, 4)
    with pytest.raises(InputError, match="ends at line 29"):
        streamed({"A": hyp}, [ref], "bleu", segments=str(tmp_path / "segments.tsv"))
    assert {one.name for one in tmp_path.iterdir()} == {"ref", "A"}


# The command -----------------------------------------------------------------------------------------------------


def test_advice_looks_at_the_first_lines(tmp_path, monkeypatch, capsys):
    lines = [f"these are {i} words ." for i in range(300)]
    ref, hyp = write(tmp_path / "ref", lines), write(tmp_path / "A", lines)
    run(["score", ref, "-i", hyp, "-b"])
    assert "A: 300 lines end in ' .'" in capsys.readouterr().err
    monkeypatch.setattr(text_streams, "SAMPLE", 200)
    run(["score", ref, "-i", hyp, "-b"])
    found = capsys.readouterr()
    assert "A: 200 of the first 200 lines end in ' .'" in found.err and found.out == "100.0\n"


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a child is known on Linux")
def test_memory_does_not_grow_with_the_files(tmp_path):
    def most(lines):
        path = write(tmp_path / f"{lines}.gz", ["the cat sat on the mat and would not go away"] * lines)
        code = "import resource, sys; from tricolore.cli import run; run(sys.argv[1:]); " \
               "print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"  # fmt: skip
        command = [sys.executable, "-c", code, "score", path, "-i", path, "-m", "bleu", "chrf", "-b", "--threads", "1"]
        return int(subprocess.check_output(command).split()[-1])

    assert most(400_000) < most(40_000) + 8_000  # kilobytes; the text has 17 MB


def test_ctrl_c_stops_a_stream(tmp_path):
    ref = write(tmp_path / "ref", ["a b c"] * 100_000)
    command = [sys.executable, "-m", "tricolore", "score", ref, "-i", "-", "--segments", str(tmp_path / "s.tsv")]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    child.stdin.write("a b c\n" * 200_000)
    child.stdin.flush()
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert (child.returncode, out, err.splitlines()[-1]) == (130, "", "tricolore: interrupted")
    assert {one.name for one in tmp_path.iterdir()} == {"ref"}
