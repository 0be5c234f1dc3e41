"""How many pairs a core scores in a second: a table on one thread beside Spark on this machine, by CPU time.

    python benchmarks/spark_rate.py --rows 1200000 -m bleu --confidence

The table is made, measured and removed: pairs of generated text (about 21 words each), in `--systems` systems. Spark's
CPU time is that of Java and of the Python workers, in the last of three runs, when Java has compiled what it needs.
These are the figures that docs/reference/scale.md multiplies.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import texts
from pyarrow import parquet

import tricolore as tri

DISTINCT = 20_000  #: pairs that differ
COLUMNS = {"hyp": "mt", "refs": "ref", "by": "system", "key": "id"}


def main() -> None:
    given = options()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.parquet"
        make(path, given.rows, given.systems)
        how = {"metrics": given.metrics, "confidence": given.confidence}
        print(f"{given.rows:,} pairs, {path.stat().st_size / given.rows:.0f} bytes each as Parquet; {how}")
        local, seconds = on_one_thread(path, how)
        say("a table, one thread", given.rows, seconds)
        if given.spark:
            measure_spark(path, how, given, local)
    measure_driver(given)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_200_000)
    parser.add_argument("--systems", type=int, default=20)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--partition-mb", type=int, default=128, help="largest partition (default: 128, as Spark's)")
    parser.add_argument("-m", "--metrics", nargs="+", default=["bleu"])
    parser.add_argument("--confidence", action="store_true")
    parser.add_argument("--no-spark", dest="spark", action="store_false")
    return parser.parse_args()


def make(path: Path, rows: int, systems: int) -> None:
    """Write a table, batch by batch, in row groups that Spark can read side by side."""
    corpus = texts.english_like(DISTINCT, references=1)
    mt, ref = pa.array(corpus.hyps), pa.array([refs[0] for refs in corpus.refs])
    writer = None
    for first in range(0, rows, DISTINCT):
        n = min(DISTINCT, rows - first)
        number = pa.array([first // systems + i // systems for i in range(n)])
        names = pa.array([f"system{i % systems}" for i in range(n)])
        batch = pa.table({"system": names, "id": number, "mt": mt[:n], "ref": ref[:n]})
        writer = writer or parquet.ParquetWriter(path, batch.schema)
        writer.write_table(batch)
    if writer is not None:
        writer.close()


def on_one_thread(path: Path, how: dict[str, Any]) -> tuple[Any, float]:
    start = time.process_time()
    found = tri.score_table(path, **COLUMNS, **how, threads=1)
    return found, time.process_time() - start


def measure_spark(path: Path, how: dict[str, Any], given: argparse.Namespace, local: Any) -> None:
    from tricolore import spark
    from tricolore.spark.session import spark_session

    metrics, confidence = how["metrics"], how["confidence"]
    conf = {"spark.ui.enabled": "false", "spark.sql.files.maxPartitionBytes": f"{given.partition_mb}m"}
    with spark_session(f"local[{given.cores}]", conf, quiet=True) as session:
        for _ in range(3):
            before, wall = processes(), time.perf_counter()
            found = spark.score(session.read.parquet(str(path)), metrics, **COLUMNS, confidence=confidence)
            wall, after = time.perf_counter() - wall, processes()
        partitions = session.read.parquet(str(path)).rdd.getNumPartitions()
    spent = {kind: after[kind] - before[kind] for kind in after}
    say("Spark, Java and Python together", given.rows, sum(spent.values()))
    for kind, seconds in spent.items():
        say(f"  of these, {kind}", given.rows, seconds)
    print(f"{f'  on the clock, {given.cores} cores':<40}{wall:12.2f} s, {partitions} partitions")
    agree = all(abs(a.score.value - b.score.value) <= 1e-12 for a, b in zip(found.cells, local.cells, strict=True))
    print("scores are equal" if agree else "SCORES DISAGREE")


def measure_driver(given: argparse.Namespace, groups: int = 50) -> None:
    """What the driver gets and does for each group, all of whose buckets are filled."""
    buckets = 1000 if given.confidence else 1
    rows = [(f"system{i}", str(j)) for i in range(groups) for j in range(20 * buckets)]
    columns = {"system": [name for name, _ in rows], "id": [key for _, key in rows]}
    table = {**columns, "mt": ["a b c"] * len(rows), "ref": ["a b d"] * len(rows)}
    sums = tri.table_sums(table, **COLUMNS, metrics=given.metrics, buckets=buckets)
    start = time.process_time()
    tri.score_sums(sums, confidence=given.confidence)
    seconds = time.process_time() - start
    print(f"{'sums that the driver gets, per group':<40}{sums.to_arrow().nbytes / groups / 1e3:12,.2f} kB")
    print(f"{'scoring on the driver, per group':<40}{seconds / groups * 1e3:12,.2f} ms")


def processes() -> dict[str, float]:
    """CPU seconds so far of the processes below this one, Java's and Python's, and of this one (Linux)."""
    ticks, found = os.sysconf("SC_CLK_TCK"), {"java": 0.0, "python workers": 0.0, "driver": time.process_time()}
    parents, own = {}, {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                name, _, rest = (folder / "stat").read_text().partition("(")[2].rpartition(")")
            except OSError:  # it has ended
                continue
            values = rest.split()
            parents[int(folder.name)] = int(values[1])
            own[int(folder.name)] = name, sum(map(int, values[11:15])) / ticks
    for pid, (name, seconds) in own.items():
        above = parents[pid]
        while above not in (0, os.getpid()):
            above = parents.get(above, 0)
        if above == os.getpid():
            found["java" if name == "java" else "python workers"] += seconds
    return found


def say(what: str, rows: int, seconds: float) -> None:
    print(f"{what:<40}{seconds:12.2f} s{rows / max(seconds, 1e-9):14,.0f} pairs per second and core")


if __name__ == "__main__":
    sys.exit(main())
