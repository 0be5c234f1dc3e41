"""Files in and out: every form of text file, and every way in which one can be broken."""

import bz2
import errno
import gzip
import io
import lzma
import os
from functools import partial
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tricolore.compression import SUFFIXES, compression_of
from tricolore.errors import InputError
from tricolore.readers import read_segments, stream_segments
from tricolore.writers import writing

#: Without the time of day, which would be in the names of tests.
pack = partial(gzip.compress, mtime=0)

TEXT = "first line\nzweite Zeile äöü\n\n第四行 😀\n"
LINES = ["first line", "zweite Zeile äöü", "", "第四行 😀"]


def file(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data)
    return str(path)


@pytest.mark.parametrize(
    ("name", "data"),
    {
        "plain.txt": TEXT.encode(),
        "no-final-newline.txt": TEXT.removesuffix("\n").encode(),
        "bom.txt": b"\xef\xbb\xbf" + TEXT.encode(),
        "crlf.txt": TEXT.replace("\n", "\r\n").encode(),
        "crlf-bom.txt": b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode(),
        "packed.gz": pack(TEXT.encode()),
        "two-members.gz": pack(TEXT[:7].encode()) + pack(TEXT[7:].encode()),
        "packed.zst": zstandard.compress(TEXT.encode()),
        "two-frames.zst": zstandard.compress(TEXT[:7].encode()) + zstandard.compress(TEXT[7:].encode()),
        "bom.txt.gz": pack(b"\xef\xbb\xbf" + TEXT.encode()),
    }.items(),
)
def test_every_form_reads_the_same(tmp_path, name, data):
    assert read_segments(file(tmp_path, name, data)) == LINES


@given(st.lists(st.text(st.characters(exclude_characters="\0\n", exclude_categories=("Cs",))), min_size=1))
def test_lines_come_back_as_they_were(tmp_path_factory, lines):
    lines = [line.rstrip() for line in lines]  # what ends a line is dropped
    data = "".join(line + "\n" for line in lines).encode()
    if data.startswith(b"\xef\xbb\xbf"):
        data = b"\xef\xbb\xbf" + data
    assert read_segments(file(tmp_path_factory.mktemp("lines"), "x.txt", data), as_text=True) == lines


def test_only_line_feeds_end_lines(tmp_path):
    text = "a\x0bb\x0cc\x85d\u2028e\u2029f\x1cg\rh\n"
    assert read_segments(file(tmp_path, "x", text.encode())) == [text[:-1]]


PACKED = {".gz": pack, ".zst": zstandard.compress, ".xz": lzma.compress, ".bz2": bz2.compress}


@pytest.mark.parametrize("packing", PACKED)
@pytest.mark.parametrize("name", ["x.txt", *(f"x.txt{suffix}" for suffix in PACKED)])
def test_packed_data_is_read_by_its_content(tmp_path, monkeypatch, packing, name):
    """Whatever the name says, in one frame or several, with or without padding; on standard input in small pieces."""
    data = PACKED[packing](TEXT.encode())
    parts = PACKED[packing](TEXT[:7].encode()) + PACKED[packing](b"") + PACKED[packing](TEXT[7:].encode())
    large = PACKED[packing](b"".join(b"%d\n" % i for i in range(100_000)))
    for packed in (data, parts, data + bytes(3000)):
        path = file(tmp_path, name, packed)
        assert read_segments(path) == [*stream_segments(path)] == LINES
    assert read_segments(file(tmp_path, name, large)) == [str(i) for i in range(100_000)]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(SlowPipe(parts)))
    assert read_segments("-") == LINES


class SlowPipe(io.BytesIO):
    """What gives a byte at a time, however many are asked for."""

    def read(self, size=-1):
        return super().read(min(size, 1))


def test_frames_that_are_skipped(tmp_path):
    """As pzstd writes them."""
    data = b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd" + zstandard.compress(TEXT.encode())
    assert read_segments(file(tmp_path, "x", data)) == LINES


@pytest.mark.parametrize("packing", PACKED)
def test_broken_packed_data_is_named(tmp_path, packing):
    form = {".gz": "gzip", ".zst": "zstd", ".xz": "xz", ".bz2": "bzip2"}[packing]
    data = PACKED[packing](b"".join(b"%d\n" % i for i in range(10_000)))
    broken = {
        "cut short": data[:-9],
        "cut in its head": data[:11],
        "followed by something": data + b"text",
        "changed": data[: len(data) // 2] + bytes(9) + data[len(data) // 2 + 9 :],
    }
    if packing == ".zst":
        del broken["changed"]  # there is no checksum unless asked for
    for what, packed in broken.items():
        path = file(tmp_path, "x.txt", packed)
        with pytest.raises(InputError) as caught:
            read_segments(path)
        assert str(caught.value).startswith(f"{path}: corrupt {form} data ("), what
        assert "\n" not in str(caught.value)
    twice = file(tmp_path, "x.txt", PACKED[packing](data))
    with pytest.raises(InputError, match=f"is {form} data inside compressed data; expected text"):
        read_segments(twice)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("naïve\n".encode("utf-32"), "is UTF-32; expected UTF-8"),
        ("naïve text\n".encode("utf-32-le"), "looks like UTF-32LE; expected UTF-8"),
        ("naïve text\n".encode("utf-32-be"), "looks like UTF-32BE"),
        ("今天天气很好\n今天天气不错\n".encode("utf-16-le"), "looks like UTF-16LE"),
        ("今天天气很好\n今天天气不错\n".encode("utf-16-be"), "looks like UTF-16BE"),
        ("Большой дом\n".encode("utf-16-be"), "looks like UTF-16BE"),
        ("word".encode("utf-16-le"), "looks like UTF-16LE"),
        (b"a few words\nand o\0ne\n", "line 2: has a zero byte at position 6"),
        (b"a\0\n", "line 1: has a zero byte at position 2"),
        (b"words " * 20_000 + b"\0", "line 1: has a zero byte at position 120001"),
        (bytes(100), "line 1: has a zero byte at position 1"),
        (b"caf\xe9 and words\0\n", "line 1: not valid UTF-8 (byte 0xe9 at position 4"),
        (b"PK\x03\x04abc", "is a ZIP archive"),
        (b"PAR1abc", "is Parquet"),
        (b"%PDF-1.7\n", "is PDF"),
    ],
)
def test_what_is_no_utf8(tmp_path, data, message):
    for name, content in (("x.txt", data), ("x.txt.gz", pack(data))):
        path = file(tmp_path, name, content)
        for read in (read_segments, lambda path: [*stream_segments(path)]):
            with pytest.raises(InputError) as caught:
                read(path)
            assert str(caught.value).startswith(f"{path}: {message}")


def test_line_ends_do_not_hide_a_table(tmp_path):
    path = file(tmp_path, "x.txt", b"src\tmt\r\na\r\n")
    for read in (read_segments, lambda path: [*stream_segments(path)]):
        with pytest.raises(InputError, match="TSV with a header"):
            read(path)


def test_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert read_segments("-") == LINES


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("latin1.txt", b"one\ntwo\ncaf\xe9\n", "line 3: not valid UTF-8 (byte 0xe9 at position 4 of the line)"),
        ("utf16.txt", "abc".encode("utf-16"), "is UTF-16; expected UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)"),
        ("empty.txt", b"", "the file is empty"),
        ("empty.gz", pack(b""), "the file is empty"),
        ("only-bom.txt", b"\xef\xbb\xbf", "the file is empty"),
        ("fake.gz", b"no gzip", "is not compressed; expected gzip data, as its name says"),
        ("cut.gz", pack(TEXT.encode() * 1000)[:-9], "corrupt gzip data (it is cut short)"),
        ("fake.zst", b"no zstd", "is not compressed; expected zstd data"),
        ("cut.zst", zstandard.compress(TEXT.encode() * 4000)[:-3], "corrupt zstd data (it is cut short)"),
    ],
)
def test_broken_files_are_named(tmp_path, name, data, message):
    path = file(tmp_path, name, data)
    with pytest.raises(InputError) as caught:
        read_segments(path)
    assert str(caught.value).startswith(path + ": ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_file_and_directory(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_segments(str(tmp_path / "nothing"))
    with pytest.raises(InputError, match="is a directory"):
        read_segments(str(tmp_path))


def test_a_file_appears_only_when_it_is_whole(tmp_path):
    target = tmp_path / "out.tsv"
    target.write_text("old")
    with pytest.raises(ZeroDivisionError), writing(str(target)) as stream:
        stream.write("half")
        raise ZeroDivisionError
    assert target.read_text() == "old"
    with writing(str(target)) as stream:
        stream.write("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["out.tsv"]


@pytest.mark.parametrize("suffix", PACKED)
def test_packed_output_reads_back(tmp_path, suffix):
    path = str(tmp_path / f"out.txt{suffix}")
    with writing(path) as stream:
        stream.write(TEXT)
    assert read_segments(path) == LINES
    assert compression_of(Path(path).read_bytes()) == SUFFIXES[suffix]


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    path = str(tmp_path / "nowhere" / "out.tsv")
    with pytest.raises(InputError, match="cannot be written"), writing(path):
        pass


def test_a_disk_that_is_full_in_the_end(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def unable(_):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    path = tmp_path / "out.txt"
    monkeypatch.setattr(os, "fsync", full)
    with (
        pytest.raises(InputError, match=r"out.txt: cannot be written \(No space left"),
        writing(str(path), durable=True),
    ):
        pass
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(os, "fsync", unable)
    with writing(str(path), durable=True) as stream:
        stream.write("a")
    assert path.read_text() == "a"


def test_a_file_that_is_not_at_fault_is_not_blamed(tmp_path):
    with pytest.raises(FileNotFoundError), writing(str(tmp_path / "out.txt")):
        (tmp_path / "elsewhere" / "in.txt").read_text()
