"""Columns in Arrow's memory are scored as the lists that they stand for: every metric, every layout, every script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore import InputError, _native, metric, score
from tricolore.columns import in_core
from tricolore.metrics import NAMES

pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")
pd = pytest.importorskip("pandas")

HYPS = ["the cat sat on the mat", "Zażółć gęślą jaźń", "今日は 良い 天気", "𝒳 is a letter", "", "a b c d e"] * 3
REFS = ["the cat is on the mat", "Zażółć gęsią jaźń", "今日は とても 良い 天気", "𝒳 was a letter", "x", "a b d c e"] * 3
SEVERAL = [[ref, None, f"{ref} again"] for ref in REFS]


def chunks(cells):
    return pa.chunked_array(
        [pa.array(cells[:5], pa.string()), pa.array([], pa.string()), pa.array(cells[5:], pa.string())]
    )


KINDS = {
    "string": lambda cells: pa.array(cells, pa.string()),
    "large_string": lambda cells: pa.array(cells, pa.large_string()),
    "string_view": lambda cells: pa.array(cells, pa.string_view()),
    "dictionary": lambda cells: pa.array(cells).dictionary_encode(),
    "chunked": chunks,
    "sliced": lambda cells: pa.array(["before", *cells, "after"]).slice(1, len(cells)),
    "polars": lambda cells: pl.Series("text", cells),
    "polars categorical": lambda cells: pl.Series("text", cells, dtype=pl.Categorical),
    "pandas string": lambda cells: pd.Series(cells, dtype="string[pyarrow]"),
    "pandas Arrow": lambda cells: pd.Series(cells, dtype=pd.ArrowDtype(pa.string())),
}
LISTS = {
    "list": lambda cells: pa.array(cells, pa.list_(pa.string())),
    "large_list": lambda cells: pa.array(cells, pa.large_list(pa.large_string())),
    "fixed-size list": lambda cells: pa.array(cells, pa.list_(pa.string(), 3)),
    "list of views": lambda cells: pa.array(cells, pa.list_(pa.string_view())),
    "polars": lambda cells: pl.Series("refs", cells),
    "chunked": lambda cells: pa.chunked_array([pa.array(cells[:2]), pa.array(cells[2:])]),
}


@pytest.mark.parametrize("name", NAMES)
def test_every_metric_scores_columns_as_lists(name):
    one = metric(name)
    expected = one.stats(HYPS, REFS)
    for kind, make in KINDS.items():
        found = one.stats(make(HYPS), make(REFS))
        assert found.values.tolist() == expected.values.tolist(), kind
        assert found.nrefs == expected.nrefs
    assert float(one(KINDS["string"](HYPS), REFS)) == float(one(HYPS, KINDS["polars"](REFS))) == float(one(HYPS, REFS))


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter", "rouge-l", "nist", "meteor", "wer", "bleu(lowercase=true)"])
def test_lists_of_references(name):
    one = metric(name)
    expected = one.stats(HYPS, SEVERAL)
    for kind, make in LISTS.items():
        found = one.stats(HYPS, make(SEVERAL))
        assert found.values.tolist() == expected.values.tolist(), kind
        assert found.nrefs == expected.nrefs == (2, 2)


@pytest.mark.parametrize("width", [pa.int8(), pa.uint8(), pa.int16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()])
def test_lists_of_token_ids(width):
    hyps, refs = [[1, 2, 3, 4], [5, 6], []], [[1, 2, 4, 4], [5, 6], [7]]
    columns = [pa.array(cells, pa.list_(width)) for cells in (hyps, refs)]
    assert metric("bleu").stats(*columns).values.tolist() == metric("bleu").stats(hyps, refs).values.tolist()


def test_the_core_reads_them_where_they_lie():
    assert all(isinstance(in_core(make(HYPS)), _native.Column) for make in KINDS.values())
    assert all(isinstance(in_core(make(SEVERAL)), _native.Column) for make in LISTS.values())
    assert in_core(HYPS) is in_core(pd.Series(HYPS, dtype=object)) is in_core(pa.array([1.5])) is None


@given(cells=st.lists(st.text(st.characters(codec="utf-8"), max_size=30), min_size=1, max_size=8))
def test_any_text_is_decoded_as_python_does(cells):
    for make in KINDS.values():
        column = in_core(make(cells))
        assert column.tolist() == cells == [column[i] for i in range(len(column))]
    refs = [cell[::-1] + " x" for cell in cells]
    for name in ("bleu", "chrf", "wer"):
        one = metric(name)
        found = one.stats(KINDS["string"](cells), KINDS["string_view"](refs))
        assert found.values.tolist() == one.stats(cells, refs).values.tolist()


@given(data=st.binary(min_size=1, max_size=12))
def test_what_is_not_utf8_is_refused_by_row(data):
    cells = [b"fine", data, b"fine"]
    offsets = pa.array([0, 4, 4 + len(data), 8 + len(data)], pa.int32())
    column = pa.StringArray.from_buffers(3, offsets.buffers()[1], pa.py_buffer(b"".join(cells)))
    try:
        texts = [cell.decode() for cell in cells]
    except UnicodeDecodeError:
        with pytest.raises(InputError, match=r"hypothesis 1: not UTF-8 \(.* at byte \d+\)"):
            metric("bleu")(column, ["fine"] * 3)
        with pytest.raises(InputError, match="references of segment 1: not UTF-8"):
            metric("wer").stats(["fine"] * 3, column)
    else:
        assert metric("bleu").stats(column, texts).values.tolist() == metric("bleu").stats(texts, texts).values.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_missing_cells_are_named(kind):
    column = KINDS[kind](["a", None, "c"])
    for name in ("bleu", "chrf", "rouge-l"):
        with pytest.raises(InputError, match=r"(hypothesis 1: .*missing|row 1 of column 'text' is missing)"):
            metric(name)(column, ["a", "b", "c"])
        with pytest.raises(InputError, match=r"(segment 1 has no reference|row 1 of column 'text' is missing)"):
            metric(name)(["a", "b", "c"], column)


def test_slices_share_memory():
    column = in_core(chunks(HYPS))
    part = column[3:9]
    assert part.tolist() == HYPS[3:9] and part[-1] == HYPS[8] and len(column[4:4]) == 0
    with pytest.raises(IndexError):
        part[6]
    del column
    assert part[2:].tolist() == HYPS[5:9]


def test_score_takes_columns_for_systems():
    systems = {"a": KINDS["string"](HYPS), "b": KINDS["polars"](REFS)}
    found = score(systems, KINDS["chunked"](REFS), ["bleu", "chrf", "rouge-1", "rouge-2"], segments=True)
    expected = score({"a": HYPS, "b": REFS}, REFS, ["bleu", "chrf", "rouge-1", "rouge-2"], segments=True)
    assert found.to_dict() == expected.to_dict()
    assert found.segments.texts().records() == expected.segments.texts().records()


def test_columns_side_by_side_are_several_references():
    others = [f"{ref} again" if i % 2 else None for i, ref in enumerate(REFS)]
    beside = _native.Columns([in_core(KINDS["string"](REFS)), in_core(KINDS["polars"](others))])
    entries = [[ref, other] for ref, other in zip(REFS, others, strict=True)]
    assert beside.text_counts() == (1, 2) and beside[1] == entries[1] and beside[2:4][0] == entries[2]
    for name in ("bleu", "chrf", "rouge-l", "nist", "ter(case=true)", "bleu(lowercase=true)"):
        one = metric(name)
        assert one.stats(HYPS, beside).values.tolist() == one.stats(HYPS, entries).values.tolist()
    with pytest.raises(ValueError, match="columns of texts"):
        _native.Columns([in_core(KINDS["string"](REFS)), in_core(KINDS["string"](REFS[1:]))])
    with pytest.raises(ValueError, match="columns of texts"):
        _native.Columns([in_core(LISTS["list"](SEVERAL))])


def test_numbers_of_references():
    assert in_core(LISTS["list"]([["a"], ["b", None, "c"], [], None])).text_counts() == (0, 2)
    assert in_core(KINDS["chunked"](HYPS)).text_counts() == (1, 1)
    assert in_core(pa.array([], pa.string())).text_counts() == (0, 0)


@pytest.mark.parametrize("name", [*NAMES, "bleu(lowercase=true)", "rouge-1(stem=true)"])
def test_every_metric_names_what_is_not_utf8(name):
    broken = pa.array([b"a b", b"a \xff", b"c"], pa.binary()).view(pa.string())
    with pytest.raises(InputError, match="hypothesis 1: not UTF-8"):
        metric(name).stats(broken, ["a b", "a b", "c"])
    with pytest.raises(InputError, match="references of segment 1: not UTF-8"):
        metric(name)(["a b", "a b", "c"], broken)
