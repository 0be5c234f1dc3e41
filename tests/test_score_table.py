"""Tables are scored as the lists that they hold: in memory, in files, batch by batch, in parts added up."""

import json
import re

import numpy as np
import pytest

import tricolore as tri
from tricolore.cli import run as main
from tricolore.examples import REFERENCES, SYSTEMS, lines
from tricolore.metrics import NAMES

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
datasets = pytest.importorskip("datasets")
from pyarrow import feather, parquet  # noqa: E402

HYPS = {name: lines(name) for name in SYSTEMS}
REFS = [lines(name) for name in REFERENCES]
N = len(REFS[0])
#: Metrics whose statistics are not whole numbers: their sums depend on the order of adding, in the last digits.
CLOSE = {"rel": 1e-12, "abs": 1e-12}


def rows():
    return [
        {"system": system, "segment": i, "domain": "news" if i % 2 else "talk", "mt": text, "ref": REFS[0][i]}
        | {"ref2": REFS[1][i], "refs": [REFS[0][i], REFS[1][i]]}
        for system, texts in HYPS.items()
        for i, text in enumerate(texts)
    ]


TABLE = pa.Table.from_pylist(rows())
KINDS = {
    "pandas": TABLE.to_pandas,
    "polars": lambda: pl.from_arrow(TABLE),
    "pyarrow": lambda: TABLE,
    "datasets": lambda: datasets.Dataset(TABLE),
    "mapping of columns": TABLE.to_pydict,
}
STREAMS = {
    "polars, lazy": lambda: pl.from_arrow(TABLE).lazy(),
    "datasets, streamed": lambda: datasets.Dataset(TABLE).to_iterable_dataset(),
    "batches": lambda: iter(TABLE.to_batches(max_chunksize=7)),
    "a reader of batches": lambda: TABLE.to_reader(5),
}


def test_every_metric_scores_all_kinds_of_table_as_lists():
    metrics = [*NAMES]
    expected = {(system, name): tri.metric(name)(texts, REFS[0]) for system, texts in HYPS.items() for name in metrics}
    for kind, make in KINDS.items():
        found = tri.score_table(make(), hyp="mt", refs="ref", by="system", metrics=metrics)
        for (system, name), score in expected.items():
            assert float(found[system, name]) == pytest.approx(float(score), **CLOSE), (kind, name)
            assert found[system, name].signature == score.signature, (kind, name)
            if all(float(value).is_integer() for value in score.stats.values):
                assert float(found[system, name]) == float(score), (kind, name)


@pytest.mark.parametrize("kind", STREAMS)
def test_streams(kind):
    found = tri.score_table(STREAMS[kind](), hyp="mt", refs=["ref", "ref2"], by="system", metrics=["bleu", "ter"])
    both = list(zip(*REFS, strict=True))
    for system, texts in HYPS.items():
        assert float(found[system, "bleu"]) == float(tri.BLEU()(texts, both))
        assert float(found[system, "ter"]) == float(tri.TER()(texts, both))


FILES = {
    "table.parquet": lambda path: parquet.write_table(TABLE, path),
    "table.arrow": lambda path: feather.write_feather(TABLE, path, compression="uncompressed"),
    "table.feather": lambda path: feather.write_feather(TABLE, path),
    "table.csv": lambda path: TABLE.drop(["refs"]).to_pandas().to_csv(path, index=False),
    "table.csv.gz": lambda path: TABLE.drop(["refs"]).to_pandas().to_csv(path, index=False),
    "table.jsonl": lambda path: TABLE.to_pandas().to_json(path, orient="records", lines=True, force_ascii=False),
    "table.jsonl.zst": lambda path: TABLE.to_pandas().to_json(path, orient="records", lines=True),
    "table.tsv": lambda path: path.write_text(tsv(), encoding="utf-8"),
}


def tsv():
    names = ["system", "segment", "domain", "mt", "ref", "ref2"]
    text = "".join("\t".join(str(row[name]) for name in names) + "\n" for row in rows())
    return "\t".join(names) + "\n" + text


@pytest.fixture(params=FILES)
def file(request, tmp_path):
    if request.param.endswith(".zst"):
        pytest.importorskip("zstandard")
    path = tmp_path / request.param
    FILES[request.param](path)
    return path


def test_files_are_scored_as_lists(file):
    found = tri.score_table(file, hyp="mt", refs=["ref", "ref2"], by=["system", "domain"], metrics=["bleu", "nist"])
    information = tri.NIST().prepare([list(refs) for refs in zip(*REFS, strict=True)])
    for system, texts in HYPS.items():
        for domain, first in (("talk", 0), ("news", 1)):
            some = texts[first::2], [[REFS[0][i], REFS[1][i]] for i in range(first, N, 2)]
            assert float(found[system, domain, "bleu"]) == float(tri.BLEU()(*some))
            assert float(found[system, domain, "nist"]) == pytest.approx(float(information(*some)), **CLOSE)


def test_folders_globs_lists_and_partitions(tmp_path):
    expected = tri.score_table(TABLE, hyp="mt", refs="ref", by="system").records()
    for name in HYPS:
        part = TABLE.filter(pa.compute.equal(TABLE["system"], name))
        (tmp_path / "flat").mkdir(exist_ok=True)
        parquet.write_table(part, tmp_path / "flat" / f"{name}.parquet")
        (tmp_path / "hive" / f"system={name}").mkdir(parents=True)
        parquet.write_table(part.drop(["system"]), tmp_path / "hive" / f"system={name}" / "part-0.parquet")
    (tmp_path / "flat" / "_SUCCESS").write_text("")
    places = [tmp_path / "flat", tmp_path / "hive", str(tmp_path / "flat" / "*.parquet")]
    places.append([tmp_path / "flat" / f"{name}.parquet" for name in HYPS])
    for place in places:
        assert tri.score_table(place, hyp="mt", refs="ref", by="system").records() == expected


def test_parts_add_up():
    parts = [TABLE.slice(first, 13) for first in range(0, TABLE.num_rows, 13)]
    how = {"hyp": "mt", "refs": "ref", "by": "system", "metrics": ["bleu", "meteor"], "buckets": 1000}
    total = sum(tri.table_sums(part, **how) for part in parts)
    found = tri.score_sums(total, confidence=True)
    whole = tri.score_table(TABLE, hyp="mt", refs="ref", by="system", metrics=["bleu", "meteor"], confidence=True)
    for one, other in zip(found.records(), whole.records(), strict=True):
        assert one["signature"] == other["signature"]
        for key in ("score", "confidence_low", "confidence_high"):
            assert one[key] == pytest.approx(other[key], **CLOSE)
    again = type(total).from_arrow(total.to_arrow(), total.metrics, total.by, total.buckets, total.key)
    assert tri.score_sums(again, confidence=True).records() == found.records()
    with pytest.raises(tri.InputError, match="prepare"):
        tri.table_sums(parts[0], hyp="mt", refs="ref", metrics="nist")
    with pytest.raises(tri.InputError, match="add if"):
        total + tri.table_sums(parts[0], hyp="mt", refs="ref", metrics="bleu")


def test_intervals_do_not_depend_on_the_order_of_rows_nor_on_partitions():
    rng = np.random.default_rng(3)
    shuffled = TABLE.take(rng.permutation(TABLE.num_rows))
    how = {"hyp": "mt", "refs": "ref", "by": "system", "metrics": "bleu", "confidence": True}
    assert tri.score_table(shuffled, **how).records() == tri.score_table(TABLE, **how).records()
    keyed = tri.score_table(TABLE, key="segment", **how)
    assert "buckets:1000|key:segment" in keyed.records()[0]["signature"]


def test_conditions():
    found = tri.score_table(TABLE, hyp="mt", refs="ref", where={"system": "careful", "domain": ["news", "talk"]})
    assert float(found["bleu"]) == float(tri.BLEU()(HYPS["careful"], REFS[0]))


def test_segments_become_columns_of_the_table(tmp_path):
    expected = {name: 100 * tri.metric(name).segments(HYPS["careful"], REFS[0]) for name in ("bleu", "chrf")}
    for given in ("pandas", "polars", "pyarrow"):
        found = tri.score_table(KINDS[given](), hyp="mt", refs="ref", metrics=["bleu", "chrf"], segments=True).segments
        assert type(found) is type(KINDS[given]())
        for name, values in expected.items():
            assert [*found[name]][:N] == pytest.approx([*values]) or given == "pyarrow"
    path = tmp_path / "scores.parquet"
    found = tri.score_table(TABLE, hyp="mt", refs="ref", metrics=["bleu", "chrf"], segments=path)
    assert found.segments == str(path)
    written = parquet.read_table(path)
    assert written.column_names == [*TABLE.column_names, "bleu", "chrf"]
    assert written["chrf"].to_pylist()[:N] == pytest.approx([*expected["chrf"]])
    with pytest.raises(tri.InputError, match="'bleu' already"):
        tri.score_table(written, hyp="mt", refs="ref", metrics="bleu", segments=True)
    for wrong, message in ((path, "is one of the files to read"), ("a.tsv", "ends in .parquet")):
        with pytest.raises(tri.SpecError, match=message):
            tri.score_table(path, hyp="mt", refs="ref", metrics="wer", segments=wrong)
    with pytest.raises(tri.SpecError, match="a folder, for 2 files"):
        tri.score_table([path, path], hyp="mt", refs="ref", metrics="wer", segments=tmp_path / "other.parquet")


def test_a_run_over_files_continues_where_it_was_interrupted(tmp_path, monkeypatch):
    folder, state, out = tmp_path / "tables", tmp_path / "state.arrow", tmp_path / "out"
    folder.mkdir()
    for i in range(4):
        parquet.write_table(TABLE.slice(12 * i, 12), folder / f"{i}.parquet")
    how = {"hyp": "mt", "refs": "ref", "by": "system", "metrics": ["bleu", "wer"], "confidence": True}
    expected = tri.score_table(folder, **how)
    last = (folder / "3.parquet").read_bytes()
    (folder / "3.parquet").write_bytes(last[:300])
    with pytest.raises(tri.InputError, match=r"3\.parquet: cannot be read"):
        tri.score_table(folder, resume=state, segments=out, **how)
    assert not state.exists()  # what cannot be opened is said before any work
    (folder / "3.parquet").write_bytes(last)

    from tricolore.tables import score_table as module

    count, counted = module.count_into, []

    def failing(sums, batch, *others, **more):
        if len(counted) == 2:
            raise KeyboardInterrupt
        counted.append(batch.rows)
        return count(sums, batch, *others, **more)

    monkeypatch.setattr(module, "count_into", failing)
    with pytest.raises(KeyboardInterrupt):
        tri.score_table(folder, resume=state, segments=out, **how)
    assert sorted(path.name for path in out.iterdir()) == ["0.parquet", "1.parquet"]
    counted[:] = [0] * 3  # fails no more
    found = tri.score_table(folder, resume=state, segments=out, **how)
    assert len(counted) == 5
    assert found.records() == expected.records()
    assert sorted(path.name for path in out.iterdir()) == [f"{i}.parquet" for i in range(4)]
    with pytest.raises(tri.InputError, match="other metrics"):
        tri.score_table(folder, resume=state, segments=out, **how | {"metrics": "chrf"})
    (folder / "1.parquet").write_bytes(last)
    with pytest.raises(tri.InputError, match=r"1\.parquet has changed"):
        tri.score_table(folder, resume=state, segments=out, **how)


def test_groups_are_compared_by_buckets():
    found = tri.score_table(TABLE, hyp="mt", refs="ref", by="system", metrics="chrf", key="segment", buckets=100_000)
    by_bucket = found.compare()["chrf"]
    by_segment = tri.compare(HYPS, REFS[0], "chrf")["chrf"]
    for pair in by_segment.pairs:
        other = by_bucket.pair(*(system for system in (pair.first, pair.second)))
        assert other.difference == pytest.approx(pair.difference, **CLOSE)
        assert other.p == pytest.approx(pair.p)  # exact, for as many segments
    assert "buckets:100000|key:segment" in by_bucket.signature
    domains = tri.score_table(TABLE, hyp="mt", refs="ref", by=["system", "domain"], metrics="chrf", buckets=1000)
    assert {one.name for one in domains.compare(where={"domain": "news"})["chrf"].systems} == {*HYPS}
    with pytest.raises(tri.InputError, match="different segments"):
        domains.compare()
    with pytest.raises(tri.InputError, match="not kept in buckets"):
        tri.score_table(TABLE, hyp="mt", refs="ref", by="system").compare()


def test_comparing_and_correlating_tables():
    texts = tri.compare(HYPS, REFS[0], ["bleu", "chrf"])
    how = {"refs": "ref", "metrics": ["bleu", "chrf"]}
    shuffled = TABLE.take(np.random.default_rng(5).permutation(TABLE.num_rows)).sort_by("system")
    found = tri.compare_table(TABLE, hyp="mt", system="system", key="segment", **how)
    assert found.to_dict() == texts.to_dict()
    again = tri.compare_table(shuffled, hyp="mt", system="system", key="segment", **how)["bleu"]
    assert {one.name: one.score for one in again.systems} == {one.name: one.score for one in texts["bleu"].systems}
    wide = pa.table({**HYPS, "ref": REFS[0]})
    assert tri.compare_table(wide, hyp=[*HYPS], **how).to_dict() == texts.to_dict()
    streamed = tri.compare_table(TABLE, hyp="mt", system="system", key="segment", stream=True, **how)["bleu"]
    assert [one.name for one in streamed.systems] == [one.name for one in texts["bleu"].systems]

    rng = np.random.default_rng(1)
    human = {name: rng.integers(0, 100, N).tolist() for name in HYPS}
    ratings = pa.array([rating for name in HYPS for rating in human[name]])
    table = TABLE.append_column("da", ratings)
    one = tri.correlate(HYPS, REFS[0], human=human, metrics=["chrf"], samples=50)
    other = tri.correlate_table(
        table, hyp="mt", refs="ref", system="system", key="segment", human="da", metrics=["chrf"], samples=50
    )
    assert [cell["value"] for cell in other.records()] == [cell["value"] for cell in one.records()]


def test_groups_of_texts(tmp_path):
    ids = ["a" if i < 5 else "b" for i in range(N)]
    (tmp_path / "doc.txt").write_text("".join(f"{one}\n" for one in ids))
    for by in (ids, tmp_path / "doc.txt", np.array(ids)):
        found = tri.score_by(HYPS, REFS[0], ["bleu", "chrf"], by={"doc": by}, confidence=True)
        for system, texts in HYPS.items():
            assert float(found[system, "a", "bleu"]) == float(tri.BLEU()(texts[:5], REFS[0][:5]))
            expected = tri.confidence("chrf", texts[5:], REFS[0][5:])
            cell = next(one for one in found.cells if (*one.group, one.asked) == (system, "b", "chrf"))
            assert (cell.confidence.low, cell.confidence.high) == (expected.low, expected.high)
            assert cell.signature == expected.signature
    lengths = tri.score_by(HYPS["careful"], REFS[0], "wer", lengths=[8, 12])
    sizes = {cell.group: cell.segments for cell in lengths.cells}
    assert sum(sizes.values()) == N
    assert sizes[("12+",)] == sum(len(ref.split()) >= 12 for ref in REFS[0])
    with pytest.raises(tri.InputError, match=r"doc: expected 12 ids, one for each segment; got 3"):
        tri.score_by(HYPS, REFS[0], by={"doc": ["a", "b", "c"]})
    with pytest.raises(tri.SpecError, match="got neither"):
        tri.score_by(HYPS, REFS[0])


# What is wrong with a table -----------------------------------------------------------------------------------------


TWO = {"mt": ["a", "b"], "ref": ["b", None], "r": ["a", None]}
NOTHING = pa.array([], pa.string())
WRONG = {
    "no such column": (
        {"mt": ["a"], "ref": ["b"]},
        {"hyp": "mmt"},
        r"hypotheses; did you mean 'mt'\? \(columns: mt",
    ),
    "numbers": ({"mt": [1.5], "ref": ["b"]}, {}, "column 'mt': expected text, lists of texts or token ids, got double"),
    "null": ({"mt": ["a", None], "ref": ["b", "b"]}, {}, "row 2: no value in column 'mt'"),
    "null reference": ({"mt": ["a", "b"], "ref": ["b", None]}, {}, "row 2: no value in column 'ref'"),
    "no references": (
        TWO,
        {"refs": ["ref", "r"]},
        "row 2 has no reference",
    ),
    "empty list": ({"mt": ["a", "b"], "ref": [["b"], []]}, {}, "row 2 has no reference"),
    "ids beside text": ({"mt": [[1, 2]], "ref": ["b"]}, {}, "reference of row 1: expected token ids as in row 1"),
    "no rows": ({"mt": NOTHING, "ref": NOTHING}, {}, "nothing to score"),
    "null key": (
        {"mt": ["a"], "ref": ["b"], "k": [None]},
        {"key": "k", "confidence": True},
        "row 1: no value in column 'k'",
    ),
    "nothing left": ({"mt": ["a"], "ref": ["b"]}, {"where": {"mt": "c"}}, "nothing to score"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_tables(case):
    table, how, message = WRONG[case]
    with pytest.raises(tri.InputError, match=message) as raised:
        tri.score_table(table, **{"hyp": "mt", "refs": "ref", "metrics": "bleu"} | how)
    assert "\n" not in str(raised.value)


def test_rows_are_numbered_as_in_the_file(tmp_path):
    path = tmp_path / "t.parquet"
    parquet.write_table(pa.table({"mt": ["a", "b", None], "ref": ["a"] * 3, "s": ["x", "y", "y"]}), path)
    with pytest.raises(tri.InputError, match=r"t\.parquet: row 3: no value in column 'mt'"):
        tri.score_table(path, hyp="mt", refs="ref", where={"s": "y"})


DAMAGED = {
    "cut.parquet": lambda good: good[: len(good) // 2],
    "text.parquet": lambda good: b"mt,ref\na,b\n",
    "cut.csv": lambda good: b"mt,ref\na,b\nc\n",
    "bytes.csv": lambda good: b"mt,ref\n\xff\xfea,b\n",
    "wide.tsv": lambda good: "mt\tref\na\tb\n".encode("utf-16"),
    "empty.csv": lambda good: b"",
    "mixed.jsonl": lambda good: b'{"mt": "a", "ref": "b"}\n{"mt": 3, "ref": "b"}\n',
    "cut.jsonl": lambda good: b'{"mt": "a", "ref": "b"}\n{"mt": "a", "re\n',
    "empty.parquet": lambda good: b"",
    "quoted.tsv": lambda good: b'mt\tref\n"""a"" b"\tc\n',
    "cut.csv.gz": lambda good: __import__("gzip").compress(b"mt,ref\n" + b"a,b\n" * 9999)[:50],
    "no.arrow": lambda good: b"ARROW1\0\0 and nothing",
    "table.xlsx": lambda good: b"PK",
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_files_are_told_in_one_line_and_nothing_is_written(name, tmp_path, capsys):
    good = tmp_path / "good.parquet"
    parquet.write_table(TABLE, good)
    path = tmp_path / name
    path.write_bytes(DAMAGED[name](good.read_bytes()))
    out = tmp_path / "out.parquet"
    assert main(["score", "--table", str(path), "--hyp", "mt", "--ref", "ref", "--segments", str(out)]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert re.fullmatch(rf"tricolore: .*{re.escape(name)}: .*\n", told.err)
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted(["good.parquet", name])


def test_several_systems_in_one_table():
    def texts(**columns):
        return tri.compare_table(columns, hyp="mt", refs="ref", system="s", key="id" if "id" in columns else None)

    with pytest.raises(tri.InputError, match=r"row 2: s A has segment 1 again, after row 1; expected it once"):
        texts(s=["A", "A"], id=[1, 1], mt=["a", "b"], ref=["a", "b"])
    with pytest.raises(tri.InputError, match=r"s B has segment 2, which A does not have"):
        texts(s=["A", "B", "B"], id=[1, 1, 2], mt=["a"] * 3, ref=["a"] * 3)
    with pytest.raises(tri.InputError, match="row 2: the references of segment 1 differ from those in row 1; name"):
        texts(s=["A", "B"], mt=["a", "b"], ref=["a", "b"])
    with pytest.raises(tri.InputError, match=r"row 2: no value in column 's'"):
        texts(s=["A", None], mt=["a", "b"], ref=["a", "b"])
    with pytest.raises(tri.SpecError, match="got both"):
        tri.compare_table({"a": ["x"], "b": ["y"], "ref": ["x"], "s": ["A"]}, hyp=["a", "b"], refs="ref", system="s")


# The command --------------------------------------------------------------------------------------------------------


def test_the_command_gives_what_the_function_gives(tmp_path, capsys):
    path = tmp_path / "t.parquet"
    parquet.write_table(TABLE, path)
    columns = ["--table", str(path), "--hyp", "mt", "--ref", "ref", "ref2"]
    assert main(["score", *columns, "--by", "system", "--where", "domain=news", "-m", "chrf", "-ci", "-f", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    how = {"hyp": "mt", "refs": ["ref", "ref2"], "by": "system", "where": {"domain": "news"}, "metrics": "chrf"}
    assert printed == json.loads(json.dumps(tri.score_table(path, confidence=True, **how).to_dict()))
    assert main(["compare", *columns, "--by", "system", "--key", "segment", "-m", "chrf", "-f", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    both = [list(refs) for refs in zip(*REFS, strict=True)]
    assert printed == json.loads(json.dumps(tri.compare(HYPS, both, "chrf").to_dict()))
    rated = tmp_path / "rated.parquet"
    parquet.write_table(TABLE.append_column("da", pa.array(range(TABLE.num_rows))), rated)
    columns = ["--table", str(rated), *columns[2:]]
    some = ["--where", "system=careful", "system=hasty", "system=fluent", "--human-column", "da", "--no-intervals"]
    assert main(["correlate", *columns, "--system-column", "system", *some, "-m", "chrf"]) == 0
    assert "3 systems" in capsys.readouterr().out
    assert main(["compare", *columns, "--by", "system", "--stream", "-m", "chrf", "-f", "json"]) == 0
    assert "buckets:1000" in capsys.readouterr().out


def test_groups_of_texts_on_the_command_line(corpus, capsys):
    (corpus / "docs.txt").write_text("".join(f"{i // 4}\n" for i in range(N)))
    files = [f"{name}.txt" for name in HYPS]
    arguments = ["score", f"{REFERENCES[0]}.txt", "-i", *files, "--by", "docs.txt", "--by-length", "12", "-f", "json"]
    assert main(arguments) == 0
    printed = json.loads(capsys.readouterr().out)
    expected = tri.score_by(HYPS, REFS[0], by={"docs": [i // 4 for i in range(N)]}, lengths=[12])
    assert printed == json.loads(json.dumps(expected.to_dict()))
    (corpus / "short.txt").write_text("a\nb\n")
    assert main(["score", f"{REFERENCES[0]}.txt", "-i", *files, "--by", "short.txt"]) == 1
    assert capsys.readouterr().err == "tricolore: short.txt: expected 12 ids, one for each segment; got 2\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", "--table", "t.parquet", "--ref", "r"], "--table needs --hyp, the column of hypotheses"),
        (["score", "--table", "t.parquet", "--hyp", "a", "--ref", "r", "-i", "x"], "--table and -i exclude each other"),
        (["score", "--table", "t.parquet", "--hyp", "a", "b", "--ref", "r"], "--hyp: expected one column, got 2"),
        (["score", "r.txt", "-i", "x.txt", "--hyp", "a"], "--hyp needs --table"),
        (["score", "r.txt", "-i", "x.txt", "--resume", "a"], "--resume needs --table"),
        (["score", "--table", "t", "--hyp", "a", "--ref", "r", "--where", "a"], "--where: expected COLUMN=VALUE"),
        (["compare", "r.txt", "-i", "x.txt", "--by", "a"], "--by needs --table"),
        (["compare", "--table", "t", "--hyp", "a", "--ref", "r", "--stream"], "--stream needs --by"),
        (["correlate", "--table", "t", "--hyp", "a", "--ref", "r"], "--table needs --system-column"),
    ],
)
def test_usage(arguments, message, capsys):
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("metric", ["bleu", "meteor", "nist"])
@pytest.mark.parametrize("column", ["mt", "ref"])
def test_a_cell_that_is_not_utf8_is_named(metric, column):
    latin = pa.array([b"x", "café".encode("latin-1")]).view(pa.string())
    table = pa.table({"mt": ["x", "y"], "ref": ["x", "y"], "id": [7, 8]}).drop_columns(column)
    with pytest.raises(tri.InputError, match=rf"row 2.*: column '{column}': not UTF-8 \(unexpected end of data at"):
        tri.score_table(table.append_column(column, latin), hyp="mt", refs="ref", key="id", metrics=metric)
