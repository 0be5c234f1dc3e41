"""Columns in Arrow's memory beside Python lists; tables longer than memory beside lists in it."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

import table
import texts
from measure import alternate, forget_peak, least, output, peak_memory
from table import Options, Row

#: Rows of the long table, and of the quick one; its text repeats every `texts.LARGE` rows.
ROWS, QUICK_ROWS = 50_000_000, 2_000_000
SYSTEMS = ("first", "second", "third", "fourth", "fifth")


def measure(options: Options) -> Iterator[Row]:
    """Columns on one thread and on two, the memory they take, and a long Parquet file."""
    corpus = texts.english_like(texts.LARGE, references=1)
    yield from columns(corpus, options)
    with tempfile.TemporaryDirectory() as folder:
        yield column_memory(corpus, folder)
        yield from long_table(corpus, folder, QUICK_ROWS if options.quick else ROWS, options)


def columns(corpus: texts.Corpus, options: Options) -> Iterator[Row]:
    """BLEU of columns of pyarrow, beside lists made of them."""
    import pyarrow as pa

    import tricolore

    bleu = tricolore.BLEU()
    hyps, refs = pa.chunked_array([corpus.hyps]), pa.chunked_array([[refs[0] for refs in corpus.refs]])
    for threads, bar, goal in ((1, 1.0, 1.2), (2, 1.8, None)):

        def ours(threads: int = threads) -> float:
            return float(bleu(hyps, refs, threads=threads))

        def peer(threads: int = threads) -> float:
            return float(bleu(hyps.to_pylist(), refs.to_pylist(), threads=threads))

        question = f"BLEU of Arrow columns, {threads} thread{'s'[: threads - 1]} / to_pylist(), 1 thread"
        repeats = options.repeats(5)
        if threads == 1:
            mine, theirs, agree = alternate(ours, peer, repeats)
        else:  # threads show in elapsed time
            one = lambda: peer(1)  # noqa: E731
            mine, theirs = least(ours, 3 * repeats, time.perf_counter), least(one, repeats, time.perf_counter)
            agree = ours() == peer()
        yield Row(question, mine, theirs, bar=bar, goal=goal, agree=agree, repeats=repeats)
    theirs = least(peer, repeats, time.perf_counter)
    yield Row("BLEU of Arrow columns / to_pylist() and lists, 2 threads each", mine, theirs, repeats=repeats)


def column_memory(corpus: texts.Corpus, folder: str) -> Row:
    """What scoring a column takes above the table."""
    import pyarrow as pa
    import pyarrow.feather

    path = os.path.join(folder, "columns.arrow")
    made = pa.table({"mt": corpus.hyps, "ref": [refs[0] for refs in corpus.refs]})
    pyarrow.feather.write_feather(made, path, compression="uncompressed")
    (megabytes,) = in_child("column", path)
    return Row(
        f"memory above the table, BLEU of columns, {len(corpus):,} rows", megabytes, unit="MB", bar=20, limit=True
    )


def long_table(corpus: texts.Corpus, folder: str, rows: int, options: Options) -> Iterator[Row]:
    """A Parquet file scored by system, beside lists in memory; both with two threads, by CPU time per row."""
    path = os.path.join(folder, "long.parquet")
    write_long(corpus, path, rows)
    seconds, cpu, megabytes, score = in_child("stream", path)
    in_memory, expected = in_child("lists", path)
    question = f"a row of {rows:,} in Parquet, BLEU by system / lists"
    agree = abs(score - expected) < 1e-9
    note = f"{rows / seconds:,.0f} rows/s with 2 threads, {cpu / seconds:.1f} cores busy"
    yield Row(question, cpu / rows, in_memory, bar=0.7, agree=agree, note=note)
    yield Row(f"peak memory, {rows:,} rows of Parquet", megabytes, unit="MB", bar=500, limit=True)


def write_long(corpus: texts.Corpus, path: str, rows: int) -> None:
    """Write a table with columns mt, ref, system and id, in row groups as long as the corpus."""
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    mt, ref = pa.array(corpus.hyps), pa.array([refs[0] for refs in corpus.refs])
    system = pa.array([SYSTEMS[i % len(SYSTEMS)] for i in range(len(corpus))])
    writer: Any = None
    for first in range(0, rows, len(corpus)):
        ids = pa.array(range(first, first + len(corpus)))
        group = pa.table({"mt": mt, "ref": ref, "system": system, "id": ids})
        writer = writer or ParquetWriter(path, group.schema, compression="zstd")
        writer.write_table(group)
    writer.close()


def in_child(task: str, path: str) -> list[float]:
    """Measure in a fresh process."""
    found: list[float] = json.loads(output([sys.executable, __file__, "--child", task, path]))
    return found


def column_child(path: str) -> list[float]:
    """Peak memory above the table."""
    import pyarrow.feather

    import tricolore

    bleu = tricolore.BLEU()
    bleu(["a b c d"], ["a b c d"])
    read = pyarrow.feather.read_table(path, memory_map=False)
    forget_peak()
    before = peak_memory()
    bleu(read["mt"], read["ref"], threads=2)
    return [peak_memory() - before]


def stream_child(path: str) -> list[float]:
    """Elapsed time, CPU time and peak memory of scoring a file, and the score of its first system."""
    import tricolore

    tricolore.score_table({"mt": ["a"], "ref": ["a"]}, hyp="mt", refs="ref")  # what is loaded once
    start, cpu = time.perf_counter(), time.process_time()
    scores = tricolore.score_table(path, hyp="mt", refs="ref", by="system", metrics="bleu", threads=2)
    elapsed = time.perf_counter() - start
    return [elapsed, time.process_time() - cpu, peak_memory(), float(scores[SYSTEMS[0], "bleu"])]


def lists_child(path: str) -> list[float]:
    """CPU time per row of scoring lists, and the score of the first system."""
    from pyarrow.parquet import ParquetFile

    import tricolore

    read = ParquetFile(path).read_row_group(0)
    hyps, refs, systems = (read[name].to_pylist() for name in ("mt", "ref", "system"))
    bleu = tricolore.BLEU()
    seconds = least(lambda: bleu(hyps, refs, threads=2), 5)
    first = [i for i, system in enumerate(systems) if system == SYSTEMS[0]]
    return [seconds / len(hyps), float(bleu([hyps[i] for i in first], [refs[i] for i in first]))]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        print(
            json.dumps({"column": column_child, "stream": stream_child, "lists": lists_child}[sys.argv[2]](sys.argv[3]))
        )
    else:
        table.main(measure, __doc__)
