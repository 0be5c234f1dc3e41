"""Spark counts what a table in memory counts, wherever rows lie, whoever dies, and says what is wrong in one line."""

import json
import os
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import tricolore as tri
from tricolore.cli import run
from tricolore.errors import InputError, MissingExtraError
from tricolore.examples import REFERENCES, SYSTEMS, lines
from tricolore.metrics import NAMES

pa = pytest.importorskip("pyarrow")
pyspark = pytest.importorskip("pyspark", reason="PySpark is not installed (pip install --group spark)")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark needs Java 17, and there is no java here", allow_module_level=True)

pytestmark = [
    pytest.mark.spark,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # py4j leaves its sockets to the garbage collector
]

METRICS = [*NAMES, "bleu(smooth=7)", "rouge-l(compat=rouge-score)", "wer(multi_ref=avg_len, lowercase=true)"]
COLUMNS = {"hyp": "mt", "refs": ["ref1", "ref2"], "by": ["system", "part"]}


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """A cluster on this machine: a driver, and two executors that are processes of their own."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.executor.memory": "1g",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",  # for jobs of seconds, compiling less is faster
        "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "OFF",
    }
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("tests of tricolore")
        for name, value in settings.items():
            builder = builder.config(name, value)
        found = builder.getOrCreate()
        yield found
        folder = Path(pyspark.__file__).parent / "work" / found.sparkContext.applicationId  # logs of the executors
        found.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def table():
    """The example corpus: systems, two parts, keys; one of the second references is missing."""
    first, second = ([*lines(name)] for name in (REFERENCES[0], REFERENCES[-1]))
    return pa.Table.from_pylist(
        [
            {
                "system": name,
                "part": i % 2,
                "id": i,
                "mt": text,
                "ref1": first[i],
                "ref2": None if i == 3 else second[i],
                "refs": [first[i], second[i]],
                "score": 0.5,
            }
            for name in SYSTEMS
            for i, text in enumerate(lines(name))
        ]
    )


@pytest.fixture(scope="module")
def frame(session, table):
    return session.createDataFrame(table).repartition(5).cache()


@pytest.fixture(scope="module")
def by_spark(frame):
    from tricolore import spark

    return spark.score(frame, METRICS, **COLUMNS)


@pytest.fixture(scope="module")
def locally(table):
    return tri.score_table(table, metrics=METRICS, **COLUMNS)


@pytest.fixture(scope="module")
def spark(session):
    from tricolore import spark

    return spark


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_has_the_same_rows_and_scores(by_spark, locally, name):
    number = METRICS.index(name)
    assert [*by_spark.sums.ordered()] == [*locally.sums.ordered()]
    for group in locally.sums.ordered():
        found, expected = (one.sums.stats(group, number).values for one in (by_spark, locally))
        exact = bool((expected == np.round(expected)).all())
        np.testing.assert_allclose(found, expected, rtol=0 if exact else 1e-12, atol=0)
        one, other = by_spark[(*group, name)], locally[(*group, name)]
        assert one.signature == other.signature
        assert float(one) == (float(other) if exact else pytest.approx(float(other), rel=1e-12, abs=1e-15))


def test_the_result_is_that_of_a_table_and_a_frame_of_spark(by_spark, locally):
    assert by_spark.by == ("system", "part")
    assert [cell.segments for cell in by_spark.cells] == [cell.segments for cell in locally.cells]
    rows = by_spark.to_spark().collect()
    assert [row.metric for row in rows] == [record["metric"] for record in locally.records()]
    assert {row.system for row in rows} == {*SYSTEMS}


def empty_and_skewed(frame):
    """Most rows in one partition, few in another, none in the others."""
    from pyspark.sql import functions

    found = frame.withColumn("where", functions.expr("case when id = 1 then 1 else 0 end")).repartition(7, "where")
    sizes = found.groupBy(functions.spark_partition_id()).count().collect()
    assert len(sizes) == 2
    return found


@pytest.mark.parametrize("spread", [lambda df: df.coalesce(1), lambda df: df.repartition(40), empty_and_skewed])
def test_intervals_and_tests_do_not_depend_on_where_rows_lie(frame, table, spark, spread):
    how = {"hyp": "mt", "refs": "ref1", "by": "system", "key": "id", "confidence": True}
    found = spark.score(spread(frame), ["bleu", "ter"], **how)
    expected = tri.score_table(table, metrics=["bleu", "ter"], **how)
    assert found.to_dict() == expected.to_dict()
    assert found.compare().to_dict() == expected.compare().to_dict()


def test_references_may_be_lists_and_keys_their_hash(frame, table, spark):
    how = {"hyp": "mt", "refs": "refs", "where": {"system": SYSTEMS[:2], "part": 1}, "buckets": 50, "confidence": True}
    found = spark.score(frame, ["nist", "chrf"], **how)
    expected = tri.score_table(table, metrics=["nist", "chrf"], **how)
    for one, other in zip(found.cells, expected.cells, strict=True):  # NIST adds fractions
        assert (one.signature, one.segments) == (other.signature, other.segments)
        assert float(one.score) == pytest.approx(float(other.score), rel=1e-12)
        assert one.confidence.low == pytest.approx(other.confidence.low, rel=1e-12)


def test_token_ids_are_scored(session, spark):
    table = pa.table({"h": pa.array([[1, 2, 3], [4, 5]], pa.list_(pa.int32())), "r": [[1, 2, 4], [4, 5]]})
    found = spark.score(session.createDataFrame(table), "wer", hyp="h", refs="r")
    assert found["wer"].value == tri.score_table(table, metrics="wer", hyp="h", refs="r")["wer"].value


def test_columns_may_be_called_anything(session, spark):
    table = pa.table({"a.b": ["x y", "z"], "bucket": ["x y", "u"], "sum_0_0": ["1", "2"], "error": ["k", "l"]})
    how = {"hyp": "a.b", "refs": "bucket", "by": ["sum_0_0", "error"], "where": {"a.b": "x y"}}
    found = spark.score(session.createDataFrame(table), "wer", **how)
    assert found.to_dict() == tri.score_table(table, metrics="wer", **how).to_dict()
    assert len(found) == 1


def test_segments_get_scores_when_they_are_needed(session, frame, table, spark):
    names = ["bleu", "nist", "chrf(char_order=4)"]
    session.sparkContext.setJobGroup("lazy", "nothing is computed yet")
    lazy = spark.with_scores(frame, ["bleu", "chrf(char_order=4)"], hyp="mt", refs="ref1")
    assert not session.sparkContext.statusTracker().getJobIdsForGroup("lazy")
    assert lazy.columns == [*frame.columns, "bleu", "chrf(char_order=4)"]
    session.sparkContext.setJobGroup("more", "the rest")
    found = spark.with_scores(frame, names, hyp="mt", refs=["ref1", "ref2"]).orderBy("system", "id").toArrow()
    scored = tri.score_table(table, metrics=names, hyp="mt", refs=["ref1", "ref2"], segments=True).segments
    expected = scored.sort_by([("system", "ascending"), ("id", "ascending")])
    assert found.column_names == expected.column_names
    assert found.to_pylist() == expected.to_pylist()


def test_a_segment_without_text_is_named_when_it_is_scored(frame, spark):
    from pyspark.errors import PythonException

    lazy = spark.with_scores(frame, "bleu", hyp="mt", refs="ref2")
    with pytest.raises(PythonException, match=r"InputError: partition \d, row \d+: no value in column 'ref2'"):
        lazy.collect()


def test_long_cells_are_scored(session, spark):
    text = " ".join(f"word{i % 977}" for i in range(10_000))
    table = pa.table({"mt": [text, "a"], "ref": [text[:-5], "a"]})
    found = spark.score(session.createDataFrame(table), ["bleu", "chrf"], hyp="mt", refs="ref")
    assert found.to_dict() == tri.score_table(table, metrics=["bleu", "chrf"], hyp="mt", refs="ref").to_dict()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hyp": "mmt"}, r"there is no column 'mmt' for hypotheses; did you mean 'mt'\? \(columns: system, "),
        ({"refs": "ref3"}, r"there is no column 'ref3' for references; did you mean 'ref"),
        ({"by": "domain"}, r"there is no column 'domain' for groups"),
        ({"where": {"systen": "a"}}, r"there is no column 'systen' for where; did you mean 'system'\?"),
        ({"hyp": "score"}, r"^column 'score': expected text, lists of texts or token ids, got double$"),
        ({"refs": "ref2"}, r"^partition \d, row \d+ \(system \w+, part 1, id 3\): no value in column 'ref2'; an empty"),
        (
            {"hyp": "ref2", "refs": "ref1", "key": None},
            r"^partition \d, row \d+ \(system \w+, part 1\): no value in column 'ref2'",
        ),
        ({"where": {"system": "nobody"}}, "there is nothing to score: expected at least one row, got none"),
    ],
)
def test_what_is_wrong_with_the_data_is_one_line(frame, spark, capfd, change, message):
    with pytest.raises(InputError, match=message) as caught:
        spark.score(frame, "bleu", **{**COLUMNS, "key": "id", **change})
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""  # nor does Java add anything


def test_a_table_of_another_kind_a_column_twice_and_one_that_is_there_already_are_refused(frame, spark):
    with pytest.raises(InputError, match=r"expected a DataFrame of Spark, got dict"):
        spark.score({}, hyp="mt", refs="ref1")
    with pytest.raises(InputError, match=r"there are 2 columns 'mt'; rename all but one"):
        spark.score(frame.select("mt", "mt", "ref1"), hyp="mt", refs="ref1")
    with pytest.raises(InputError, match=r"there is a column 'Bleu' already"):
        spark.with_scores(frame.selectExpr("*", "1 as Bleu"), "bleu", hyp="mt", refs="ref1")
    with pytest.raises(InputError, match=r"column 'm': expected text"):
        spark.score(frame.selectExpr("map('a', mt) as m", "ref1"), hyp="m", refs="ref1")


def worker_python(folder, code):
    """A Python for workers that runs some code first."""
    (folder / "sitecustomize.py").write_text(code, encoding="utf-8")
    path = folder / "python"
    path.write_text(f'#!/bin/sh\nPYTHONPATH="{folder}:$PYTHONPATH" exec "{sys.executable}" "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import sys; sys.modules['tricolore'] = None", r"Python of Spark's workers \(.*\) cannot load tricolore: .*"),
        ("import sys; sys.modules['pyarrow'] = None", r"Python of Spark's workers lacks pyarrow"),
    ],
)
def test_a_worker_without_a_package_says_so_in_one_line(session, frame, spark, tmp_path, monkeypatch, code, message):
    monkeypatch.setattr(session.sparkContext, "pythonExec", worker_python(tmp_path, code))
    with pytest.raises((InputError, MissingExtraError), match=message) as caught:
        spark.score(frame, hyp="mt", refs="ref1")
    assert "\n" not in str(caught.value)
    assert "PYSPARK_PYTHON" in str(caught.value)


def test_workers_without_any_python_are_told_of(session, frame, spark, monkeypatch):
    monkeypatch.setattr(session.sparkContext, "pythonExec", "/nowhere/python")
    with pytest.raises(MissingExtraError, match="Spark's workers have no Python /nowhere/python"):
        spark.score(frame, hyp="mt", refs="ref1")


def killing(flag):
    """Passes batches on; the first time, the executor that it runs in is killed."""

    def kill_once(batches):
        import os
        import signal
        import time

        for batch in batches:
            try:
                os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                yield batch
                continue
            pid = os.getpid()
            while True:  # the executor is the nearest process above that is Java's
                with open(f"/proc/{pid}/status") as status:
                    pid = int(next(line for line in status if line.startswith("PPid:")).split()[1])
                with open(f"/proc/{pid}/cmdline") as command:
                    if "CoarseGrainedExecutorBackend" in command.read():
                        break
                assert pid > 1
            os.kill(pid, signal.SIGKILL)
            time.sleep(20)  # this process ends with its executor

    return kill_once


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="processes are looked up in /proc")
def test_a_killed_executor_changes_nothing(frame, table, spark, tmp_path):
    flag = tmp_path / "killed"
    fragile = frame.mapInArrow(killing(str(flag)), frame.schema)
    found = spark.score(fragile, ["bleu", "wer"], hyp="mt", refs="ref1", by="system")
    assert flag.exists()
    expected = tri.score_table(table, metrics=["bleu", "wer"], hyp="mt", refs="ref1", by="system")
    assert found.to_dict() == expected.to_dict()


@pytest.fixture
def files(tmp_path, table):
    """The table in the formats that the command reads."""
    from pyarrow import csv, parquet

    plain = table.select(["system", "id", "mt", "ref1"])
    parquet.write_table(plain, tmp_path / "t.parquet")
    csv.write_csv(plain, tmp_path / "t.csv")
    rows = plain.to_pylist()
    (tmp_path / "t.tsv").write_text(
        "".join("\t".join(map(str, row)) + "\n" for row in [rows[0].keys(), *(row.values() for row in rows)])
    )
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "short.csv").write_text("system,id,mt,ref1\na,1,x y,x y\nb,2\n")
    (tmp_path / "empty.csv").write_text('system,id,mt,ref1\na,1,,"x ""y"""\n')
    (tmp_path / "broken.parquet").write_text("no table at all")
    (tmp_path / "latin.csv").write_bytes("system,id,mt,ref1\na,1,café,x\n".encode("latin-1"))
    latin = pa.array([b"x", "café".encode("latin-1")]).view(pa.string())
    parquet.write_table(pa.table({"id": [7, 8], "mt": latin, "ref1": ["x", "x"]}), tmp_path / "latin.parquet")
    return tmp_path


@pytest.mark.parametrize("name", ["t.parquet", "t.csv", "t.tsv", "t.jsonl", "empty.csv"])
def test_the_command_reads_tables(session, files, capsys, name):
    asked = ["--hyp", "mt", "--ref", "ref1", "--by", "system", "-m", "bleu", "ter", "-f", "json"]
    assert run(["spark", "score", "--table", str(files / name), *asked]) == 0
    how = {"hyp": "mt", "refs": "ref1", "by": "system", "metrics": ["bleu", "ter"]}
    expected = tri.score_table(files / name, **how)
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(expected.to_dict()))


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["none.parquet", "--hyp", "mt", "--ref", "ref1"], 1, "none.parquet: no such file"),
        (["broken.parquet", "--hyp", "mt", "--ref", "ref1"], 1, "is not a Parquet file"),
        (["short.csv", "--hyp", "mt", "--ref", "ref1"], 1, "Malformed CSV record: b,2"),
        (["latin.csv", "--hyp", "mt", "--ref", "ref1"], 1, "column 'mt': expected UTF-8, found other bytes"),
        (["latin.parquet", "--hyp", "mt", "--ref", "ref1", "--key", "id"], 1, "row 2 (id 8): column 'mt': not UTF-8"),
        (["latin.parquet", "--hyp", "ref1", "--ref", "mt", "-m", "nist"], 1, "row 2: column 'mt': not UTF-8"),
        (["t.csv", "--hyp", "mtt", "--ref", "ref1"], 1, "there is no column 'mtt' for hypotheses; did you mean 'mt'?"),
        (["t.csv", "--ref", "ref1"], 2, "--hyp is missing"),
        (["t.csv", "--hyp", "mt", "--ref", "ref1", "--conf", "x"], 2, "--conf: expected NAME=VALUE; got 'x'"),
    ],
)
def test_the_command_says_what_is_wrong_in_one_line(session, files, capsys, arguments, status, message):
    assert run(["spark", "score", "--table", str(files / arguments[0]), *arguments[1:]]) == status
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.count("\n") == 1
    assert message in found.err


def test_the_example_of_the_documentation_runs(session, files, table, capsys):
    page = (Path(__file__).parents[1] / "docs" / "reference" / "scale.md").read_text(encoding="utf-8")
    code = page.split("```python\n")[1].split("```")[0].replace('refs="ref"', 'refs="ref1"')
    for name, instead in {"outputs.parquet": "t.parquet", "scores": "scores", "scored": "scored"}.items():
        code = code.replace(f'"{name}"', repr(str(files / instead)))
    exec(code, {"spark": session})
    how = {"hyp": "mt", "refs": "ref1", "by": "system", "key": "id", "confidence": True, "metrics": ["bleu", "chrf"]}
    expected = tri.score_table(files / "t.parquet", **how)
    assert str(expected) in capsys.readouterr().out
    assert session.read.parquet(str(files / "scores")).count() == 2 * len(SYSTEMS)
    assert session.read.parquet(str(files / "scored")).columns == ["system", "id", "mt", "ref1", "chrf"]


@pytest.mark.slow
def test_the_command_runs_under_spark_submit(files):
    script = subprocess.run(
        [sys.executable, "-m", "tricolore.cli.spark_submit"], capture_output=True, text=True, check=True
    ).stdout.strip()
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    asked = ["--table", str(files / "t.parquet"), "--hyp", "mt", "--ref", "ref1", "-m", "wer", "-f", "json"]
    found = subprocess.run(
        [submit, "--master", "local[1]", script, "score", *asked],
        env={**os.environ, "PYSPARK_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=True,
    )
    expected = tri.score_table(files / "t.parquet", hyp="mt", refs="ref1", metrics="wer")
    assert json.loads(found.stdout)["scores"][0]["value"] == expected["wer"].value


def test_the_tutorial_prints_what_it_says(session, tmp_path):
    import pyarrow.parquet as pq

    page = Path(__file__).parents[1] / "docs" / "tutorials" / "billion-pairs.md"
    if not page.is_file():
        pytest.skip("the documentation is not part of this tree")
    [(code, shown)] = re.findall(
        r"^```python\n(.*?)^```\n+^```\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    refs = lines(REFERENCES[0])
    rows = [{"system": name, "id": i, "mt": mt, "ref": refs[i]} for name in SYSTEMS for i, mt in enumerate(lines(name))]
    (tmp_path / "outputs").mkdir()
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "outputs" / "part-0.parquet")
    printed = []
    code = code.replace('"outputs"', repr(str(tmp_path / "outputs")))
    exec(code, {"print": lambda value: printed.append(f"{value}\n")})
    assert "".join(printed) == shown
