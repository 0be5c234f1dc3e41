"""Score the groups of a table, batch by batch: systems, domains, documents, whatever its columns say."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from math import gcd
from typing import Any

from ..columns import by_name
from ..errors import InputError, SpecError, explaining_arguments
from ..metrics.base import Metric
from ..parameters import ListOf, Whole, Word, checked
from ..readers.batches import Batch, Table, open_table
from ..segments import References
from ..stats import Stats
from ..types import Stage
from .batch_counts import Roles, buckets_of, count_batch, groups_of, naming_rows, references_of
from .checkpoints import Checkpoint
from .group_sums import BUCKETS, GroupSums
from .segment_columns import segment_columns
from .table_scores import TableOptions, TableScores, made_metrics, scores_of


@explaining_arguments
def score_table(
    table: Any,
    *,
    hyp: str,
    refs: str | Sequence[str],
    by: str | Sequence[str] = (),
    metrics: str | Metric | Sequence[str | Metric] = "bleu",
    where: Mapping[str, Any] | None = None,
    key: str | None = None,
    buckets: int | None = None,
    confidence: bool = False,
    resamples: int = 1000,
    seed: int = 12345,
    segments: bool | str | os.PathLike[str] = False,
    resume: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Stage | None = None,
) -> TableScores:
    """Score the groups of a table, batch by batch, so that it need not fit into memory.

    `table` is a file or several (Parquet, Arrow, Feather, CSV, TSV, JSON lines), a folder or a glob of them, a table of
    pandas, polars, pyarrow, datasets or DuckDB, or an iterator of record batches. `hyp` is the column of hypotheses;
    `refs` are columns with a text each, where null means missing, or one column of lists. Rows with the same values in
    the columns `by` are a group; `where` keeps only rows with these values.

    `confidence=True` adds intervals: segments fall into 1,000 `buckets` by a hash of the column `key`, or of their
    references, and buckets are resampled, so that memory does not grow with the table. With buckets, `.compare()` of
    the result compares groups. `segments=True` gives the table with a column of scores for each metric, in points, as
    `.segments`; a name writes it to a Parquet file instead, or for several files to a folder. `resume` names a file
    that keeps the sums of the files that are done; with it, a run that was interrupted continues.

    >>> table = {"system": ["a", "a", "b"], "mt": ["a cat", "he left", "a dog"], "ref": ["a cat", "he went", "a dog"]}
    >>> print(score_table(table, hyp="mt", refs="ref", by="system", metrics=["chrf", "wer"]))
    system   Segments   chrF2   WER ↓
    ─────────────────────────────────
    a               2    31.4    25.0
    b               1   100.0     0.0
    <BLANKLINE>
    chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|beta:2|...
    WER|nrefs:1|case:mixed|tok:none|punct:yes|multi_ref:min_ratio|...
    """
    how = TableOptions(confidence, resamples, seed)
    roles = Roles(hyp, names_of(refs, "refs"), names_of(by, "by"), key)
    source = open_table(table)
    check_columns(source, roles, where or {})
    asked, made = made_metrics(metrics)
    stage = progress or (lambda _: lambda done, total: None)
    made = prepared(made, source, roles, where, stage)
    sums = GroupSums(made, roles.by, number_of_buckets(buckets, how.confidence), key_name(key))
    kept = segment_columns(segments, source, asked, made)
    done = Checkpoint.at(
        resume, source, sums, [asked, vars(roles), where, str(segments), [one.counting(None, False) for one in made]]
    )
    step, before = stage("scoring"), sums.rows
    for part in done.left(source.parts):
        with kept.of(part) as write, source.naming(part):
            for batch in source.batches_of(part, kept.columns or roles.columns, where):
                write(batch.records, count_into(sums, batch, roles, threads=threads))
                step(before + batch.rows[-1], source.rows or 0)
        before += part.rows or 0
        done.keep(part, sums)
    return scores_of(sums, asked, how, segments=kept.found(table), progress=stage("scoring groups"))


def table_sums(
    table: Any,
    *,
    hyp: str,
    refs: str | Sequence[str],
    by: str | Sequence[str] = (),
    metrics: str | Metric | Sequence[str | Metric] = "bleu",
    where: Mapping[str, Any] | None = None,
    key: str | None = None,
    buckets: int = 1,
    threads: int | None = None,
) -> GroupSums:
    """The sums of the rows of a table, or of a part of one, by group: what `score_table` scores, and what adds.

    Sums of parts, counted anywhere, add up to those of the whole, which `score_sums` scores. A metric that learns from
    references (NIST) must have been prepared with all of them. Intervals need `buckets=1000`.

    >>> parts = [{"mt": ["a cat"], "ref": ["the cat"]}, {"mt": ["he left", "yes"], "ref": ["he left", "yes"]}]
    >>> total = sum(table_sums(part, hyp="mt", refs="ref", metrics="wer") for part in parts)
    >>> score_sums(total)["wer"]
    WER = 20.00 (edits = 1 hyp_len = 5 ref_len = 5)
    """
    roles = Roles(hyp, names_of(refs, "refs"), names_of(by, "by"), key)
    source = open_table(table)
    check_columns(source, roles, where or {})
    made = made_metrics(metrics)[1]
    if unprepared := [one.spec for one in made if not one.is_prepared]:
        raise InputError(f"{unprepared[0]}: prepare(refs) first: parts of a table do not have all references")
    sums = GroupSums(made, roles.by, number_of_buckets(buckets, False), key_name(key))
    for part in source.parts:
        with source.naming(part):
            for batch in source.batches_of(part, roles.columns, where):
                count_into(sums, batch, roles, threads=threads)
    return sums


def score_sums(sums: GroupSums, *, confidence: bool = False, resamples: int = 1000, seed: int = 12345) -> TableScores:
    """Score the sums of a table, or of several added up; see `table_sums` and `score_table`."""
    if confidence and sums.buckets == 1:
        raise InputError("confidence: the sums were not kept in buckets; sum the table with buckets=1000")
    return scores_of(sums, [one.spec for one in sums.metrics], TableOptions(confidence, resamples, seed))


def number_of_buckets(asked: int | None, confidence: bool) -> int:
    """As many as asked for; by default those that intervals need."""
    if asked is None:
        return BUCKETS if confidence else 1
    return int(checked("buckets", asked, Whole(2 if confidence else 1, 1_000_000)))


def count_into(sums: GroupSums, batch: Batch, roles: Roles, *, threads: int | None = None) -> list[Stats]:
    """Count a batch and add it to the sums; return the rows of its segments by each metric."""
    records, rows = batch
    counted = count_batch(records, roles, sums.metrics, rows, threads=threads)
    buckets = buckets_of(records, roles, sums.buckets, rows) if sums.buckets > 1 else None
    sums.add(counted, *groups_of(records, roles.by), buckets)
    return counted


def check_columns(source: Table, roles: Roles, where: Mapping[str, Any]) -> None:
    """Refuse columns that are not there, by what they were to hold."""
    for what, names in {**roles.named(), "where": [*by_name(where, "where", "{'domain': 'news'}")]}.items():
        for name in names:
            source.need(name, what)
    if not roles.refs:
        raise SpecError("refs: expected at least one column, got none")


def names_of(given: str | Sequence[str], what: str) -> tuple[str, ...]:
    """One name of a column, or several; `what` is the parameter."""
    return tuple(checked(what, given, ListOf(Word("the name of a column"))))


def key_name(key: str | None) -> str:
    """What signatures say that buckets depend on."""
    return "refs" if key is None else key


def prepared(
    metrics: Sequence[Metric], source: Table, roles: Roles, where: Mapping[str, Any] | None, stage: Stage
) -> list[Metric]:
    """Let metrics that learn from references (NIST) do so, in a pass of its own over the references.

    Each counts as often as rows have it, divided by what all of these numbers have in common: a table with five systems
    teaches what the references of its segments do.
    """
    if all(one.is_prepared for one in metrics):
        return [*metrics]
    step, read, found = stage("reading references"), 0, Counter[Any]()
    names = list(dict.fromkeys(roles.refs))
    for batch in source.batches(names, where):
        found.update(reference_sets(batch, roles))
        read += len(batch.rows)
        step(read, source.rows or 0)
    return learnt(metrics, found)


def learnt(metrics: Sequence[Metric], found: Mapping[Any, int]) -> list[Metric]:
    """Let metrics learn from references, each with how many rows have it, divided by what these numbers have in common.

    A row's references are a text or a tuple of them.
    """
    common = gcd(*found.values())
    refs = References([entry for entry, times in found.items() for _ in range(times // common)])
    return [one if one.is_prepared else one.prepare(refs) for one in metrics]


def reference_sets(batch: Batch, roles: Roles) -> list[Any]:
    """The references of each row of a batch as what can be counted: a text, or a tuple of them."""
    entries = references_of(batch.records, roles, batch.rows).entries
    with naming_rows(batch.records, roles, batch.rows):
        return [_hashable(entries[i]) for i in range(len(entries))]


def _hashable(entry: Any) -> Any:
    if isinstance(entry, list):
        return tuple(_hashable(one) for one in entry if one is not None)
    return entry
