"""Tables in: TSV, CSV, JSON lines, Parquet, and every way in which one can be broken."""

import gzip
import json
import math

import pytest

from tricolore.errors import InputError
from tricolore.readers.tables import read_table

ROWS = [("A", "1", "0.5"), ("A", "2", ""), ("B", "1", "-3e-2"), ("B", "2", "None")]


def written(tmp_path, name, text):
    path = tmp_path / name
    data = text.encode("utf-8") if isinstance(text, str) else text
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return str(path)


def tsv(header="system\tsegment\tbleu"):
    return "\n".join([header, *("\t".join(row) for row in ROWS)]) + "\n"


def json_lines():
    rows = [{"system": s, "segment": int(n), "bleu": float(v) if v not in ("", "None") else None} for s, n, v in ROWS]
    del rows[3]["bleu"]  # a key that is not there is a missing value
    return "".join(json.dumps(row) + "\n" for row in rows)


def parquet(path):
    pytest.importorskip("pyarrow")
    from pyarrow import parquet, table

    systems, segments = [s for s, _, _ in ROWS], [int(n) for _, n, _ in ROWS]
    numbers = [None if v in ("", "None") else float(v) for _, _, v in ROWS]
    parquet.write_table(table({"system": systems, "segment": segments, "bleu": numbers}), path)
    return str(path)


@pytest.mark.parametrize("name", ["t.tsv", "t.tsv.gz", "t.txt", "t.csv", "t.jsonl", "t.parquet"])
def test_every_form_reads_the_same(tmp_path, name):
    make = {"csv": tsv().replace("\t", ","), "jsonl": json_lines()}
    if name == "t.parquet":
        path = parquet(tmp_path / name)
    else:
        path = written(tmp_path, name, make.get(name.split(".")[1], tsv()))
    table = read_table(path)
    assert table.texts("system") == ["A", "A", "B", "B"]
    assert table.texts("segment") == ["1", "2", "1", "2"]
    values = table.numbers("bleu")
    assert values[::2] == [0.5, -0.03]
    assert all(map(math.isnan, values[1::2]))


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("a.tsv", "", "the file is empty"),
        ("a.tsv", "\n\n", "the file is empty"),
        ("a.tsv", "system\tbleu\n", "has no rows"),
        ("a.tsv", "system\tsystem\nA\tB\n", "line 1: column 'system' is there twice"),
        ("a.tsv", "system\t\nA\tB\n", "line 1: a column has no name"),
        ("a.tsv", "system\tbleu\nA\t1\nB\n", "line 3: expected 2 columns, found 1"),
        ("a.csv", 'system,bleu\nA,"1\n', "invalid CSV"),
        ("a.jsonl", '{"system": "A"}\n{"system"\n', "line 2: not JSON"),
        ("a.jsonl", "[1, 2]\n", "line 1: expected a JSON object, found list"),
        ("a.parquet", "no", "expected Parquet data, which begins with 'PAR1'"),
        ("a.tsv", b"\xff\xfes\x00", "UTF-16"),
    ],
)
def test_a_broken_table_is_told_with_its_line(tmp_path, name, text, complaint):
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow")
    with pytest.raises(InputError, match=complaint):
        read_table(written(tmp_path, name, text))


@pytest.mark.parametrize("cell", ["x", "inf", "1,5", "--", "true"])
def test_what_is_not_a_number_is_told_with_its_line(tmp_path, cell):
    table = read_table(written(tmp_path, "a.tsv", f"system\tbleu\nA\t1\nB\t{cell}\n"))
    with pytest.raises(InputError, match="line 3: bleu: expected a number or None"):
        table.numbers("bleu")


def test_columns_are_found_in_any_case_and_missing_ones_named(tmp_path):
    table = read_table(written(tmp_path, "a.tsv", "System\tSeg_ID\tBLEU\nA\t1\t2\n"))
    assert table.need("segment", "seg_id") == "Seg_ID"
    (tmp_path / "text.tsv").write_text(f"{'A line of text. ' * 20}\nAnother.\n")
    with pytest.raises(InputError, match=r"\(found A line of .{29}…\); expected tabs between columns, or commas in"):
        read_table(str(tmp_path / "text.tsv")).need("system")
    with pytest.raises(InputError, match=r"expected a column 'sistem'; did you mean 'System'"):
        table.need("sistem")
    table = read_table(written(tmp_path, "b.tsv", "system\tbleu\n\t1\n"))
    with pytest.raises(InputError, match="line 2: system is missing"):
        table.texts("system")


def test_a_number_of_hundreds_of_digits_is_no_score(tmp_path):
    text = '{"system": "A", "segment": 1, "bleu": 1' + "0" * 400 + "}\n"
    table = read_table(written(tmp_path, "t.jsonl", text))
    with pytest.raises(InputError, match=r"t\.jsonl: line 1: bleu: expected a number or None, found 1000"):
        table.numbers("bleu")
