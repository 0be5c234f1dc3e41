"""n-best lists: every form of them, and every way in which one can be broken."""

import gzip
import json
from functools import partial

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tricolore.errors import InputError
from tricolore.readers import read_segments, stream_segments
from tricolore.readers.nbest import NBest, read_nbest

#: Without the time of day, which would be in the names of tests.
pack = partial(gzip.compress, mtime=0)

MOSES = """0 ||| it is ||| LM0= -9.1 TM0= -2.5 -1.7 ||| -4.2
0 ||| it be ||| LM0= -9.9 TM0= -3 -2 ||| -5
1 |||  ||| LM0= -1 ||| -1
"""


def file(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return str(path)


def test_moses(tmp_path):
    assert [*read_nbest(file(tmp_path, "nbest", MOSES), 2)] == [
        NBest(0, 1, ["it is", "it be"], ["LM0= -9.1 TM0= -2.5 -1.7 ||| -4.2", "LM0= -9.9 TM0= -3 -2 ||| -5"]),
        NBest(1, 3, [""], ["LM0= -1 ||| -1"]),
    ]


@pytest.mark.parametrize(
    ("name", "data"),
    {
        "plain.txt": b"0 ||| a b\n0 ||| c\n1 ||| d\n",
        "cdec.txt": b"0 ||| a b ||| LM=-9.1 ||| -4.2\n0 ||| c ||| LM=1 ||| 1\n1 ||| d ||| X=1 ||| 1\n",
        "without-spaces.txt": b"0|||a b|||f\n0|||c|||f\n1|||d|||f\n",
        "crlf.txt": b"\xef\xbb\xbf0 ||| a b\r\n0 ||| c\r\n1 ||| d",
        "zeros.txt": b"000 ||| a b\n0 ||| c\n 1 ||| d",
        "packed.gz": pack(b"0 ||| a b\n") + pack(b"0 ||| c\n1 ||| d\n"),
        "packed.zst": zstandard.compress(b"0 ||| a b\n0 ||") + zstandard.compress(b"| c\n1 ||| d\n"),
        "sockeye.jsonl": b'{"sentence_id": 7, "translation": "a b", "translations": ["a b", "c"], "scores": [1, 2]}\n'
        b'{"translations": ["d"]}\n',
        "sockeye.gz": pack(b'  {"translations": ["a b", "c "]}\n{"translations": [" d"]}'),
    }.items(),
)
def test_every_form(tmp_path, name, data):
    found = [*read_nbest(file(tmp_path, name, data), 2)]
    assert [one.texts for one in found] == [["a b", "c"], ["d"]]
    assert [one.source for one in found] == [0, 1]
    assert all(len(one.rest) == len(one) for one in found)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "the file is empty; expected an n-best list"),
        (b"\xef\xbb\xbf", "the file is empty"),
        ("0 ||| a\nb\n", "line 2: expected 'source ||| text', found 'b'"),
        ("0 ||| a\n\n1 ||| b\n", "line 2: expected 'source ||| text', found ''"),
        ("just text\n", "line 1: expected 'source ||| text', found 'just text'"),
        ("0 ||| a\nx ||| b\n", "line 2: expected the number of a source, 0 or more, before the first |||, found 'x'"),
        ("-1 ||| a\n", "line 1: expected the number of a source, 0 or more, before the first |||, found '-1'"),
        ("٣ ||| a\n", "line 1: expected the number of a source"),
        ("9" * 5000 + " ||| a\n", "line 1: expected the number of a source"),
        ("1 ||| a\n2 ||| b\n", "line 1: source 1 is the first; expected source 0"),
        ("0 ||| a\n2 ||| b\n", "line 2: source 2 comes after source 0; expected source 1"),
        ("0 ||| a\n1 ||| b\n0 ||| c\n", "line 3: source 0 comes after source 1; expected sources in order"),
        ("0 ||| a\n", "ends with source 0, but ref.txt goes on to line 2; expected a list for each of 2 sources"),
        ("0 ||| a\n1 ||| b\n1 ||| b\n2 ||| c\n", "line 4: source 2 has no references; ref.txt ends at line 2"),
        (b"0 ||| a\n0 ||| caf\xe9\n", "line 2: not valid UTF-8 (byte 0xe9 at position 10 of the line)"),
        ("0 ||| a".encode("utf-16"), "is UTF-16; expected UTF-8"),
        ('{"translations": ["a"]}\n{"translations": []}\n', "line 2: source 1 has an empty list of translations"),
        ('{"translations": ["a"]}\n{"translation": "a"}\n', "line 2: expected a JSON object with 'translations'"),
        ('{"translations": ["a"]}\n{"translations": "a"}\n', "line 2: expected a JSON object with 'translations'"),
        ('{"translations": ["a", null]}\n', "line 1: expected a JSON object with 'translations', a list of texts"),
        ('{"translations": ["a"]}\n[1]\n', "line 2: expected a JSON object"),
        ('{"translations": ["a"]}\n\n', "line 2: expected a JSON object with 'translations' or 'text', found an"),
        ('{"translations": ["a"}\n', "line 1: not JSON"),
        ('{"translations": ' + "[" * 100_000 + "]" * 100_000 + "}\n", "line 1: lists within lists without end"),
        ('{"translations": ["a"], "scores": [1' + "0" * 400 + "]}\n", "line 1: feature 'score' is too large"),
    ],
)
def test_broken_lists_are_named(tmp_path, data, message):
    path = file(tmp_path, "nbest.txt", data)
    with pytest.raises(InputError) as caught:
        list(read_nbest(path, 2, "ref.txt"))
    assert str(caught.value).startswith(path + ": ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_list_is_given_before_the_rest_is_read(tmp_path):
    lists = read_nbest(file(tmp_path, "nbest", "0 ||| a\n1 ||| b\nbroken\n"))
    assert next(lists).texts == ["a"]
    with pytest.raises(InputError, match="line 3"):
        next(lists)


@given(
    st.lists(
        st.lists(
            st.text(st.characters(exclude_characters="\0\n|", exclude_categories=("Cs",))).map(str.strip),
            min_size=1,
            max_size=4,
        ),
        min_size=1,
        max_size=4,
    )
)
def test_what_was_written_is_read(tmp_path_factory, lists):
    folder = tmp_path_factory.mktemp("lists")
    text = "".join(f"{i} ||| {one} ||| f= 1 ||| 2\n" for i, texts in enumerate(lists) for one in texts)
    objects = "".join(json.dumps({"translations": texts}) + "\n" for texts in lists)
    for name, data in (("lists.txt", text), ("lists.jsonl", objects)):
        assert [one.texts for one in read_nbest(file(folder, name, data))] == lists


# Line by line is as all at once ----------------------------------------------------------------------------


@given(data=st.binary(max_size=60), chunk=st.integers(1, 7), packed=st.sampled_from(["", ".gz", ".zst"]))
def test_lines_are_those_of_a_file_read_as_a_whole(tmp_path_factory, data, chunk, packed):
    packing = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}[packed]
    path = file(tmp_path_factory.mktemp("lines"), f"x{packed}", packing(data))

    def outcome(read):
        try:
            return list(read(path))
        except InputError as error:
            return str(error)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tricolore.readers.files._CHUNK", chunk)
        found = outcome(stream_segments)
    expected = outcome(read_segments)
    assert found == expected or (found == [] and "the file is empty" in expected)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("fake.gz", b"no gzip", "is not compressed; expected gzip data"),
        ("cut.gz", pack(b"0 ||| a\n" * 9999)[:-9], "corrupt gzip data (it is cut short)"),
        ("fake.zst", b"no zstd", "is not compressed; expected zstd data"),
        ("cut.zst", zstandard.compress(b"0 ||| a\n" * 9999)[:-3], "corrupt zstd data (it is cut short)"),
    ],
)
def test_broken_packing_is_named(tmp_path, name, data, message):
    path = file(tmp_path, name, data)
    with pytest.raises(InputError) as caught:
        list(stream_segments(path, as_text=True))
    assert str(caught.value).startswith(f"{path}: {message}")


def test_missing_file_and_directory(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        list(stream_segments(str(tmp_path / "nothing")))
    with pytest.raises(InputError, match="is a directory"):
        list(stream_segments(str(tmp_path)))
