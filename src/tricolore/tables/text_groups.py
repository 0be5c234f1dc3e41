"""Scores of texts by document, by domain, by length: groups of segments that a file of ids, or the texts, make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..columns import by_name
from ..errors import InputError, SpecError
from ..metrics.base import Metric
from ..metrics.shared_counts import segment_rows
from ..parameters import ListOf, Whole, checked
from ..readers.texts import check_segments, is_path, naming_the_system, read_texts, references_of, systems_of
from ..segments import References, as_list, pair
from ..types import Stage
from .group_sums import GroupSums
from .table_scores import SEGMENT, TableOptions, TableScores, made_metrics, scores_of

#: Where buckets of lengths begin, in words.
LENGTHS = (10, 20, 30, 40, 50)


def score_by(
    systems: Any,
    refs: Any,
    metrics: str | Metric | Sequence[str | Metric] = "bleu",
    *,
    by: Mapping[str, Any] | None = None,
    lengths: Sequence[int] = (),
    confidence: bool = False,
    resamples: int = 1000,
    seed: int = 12345,
    threads: int | None = None,
    progress: Stage | None = None,
) -> TableScores:
    """Score groups of segments: by document, domain, or whatever the ids in `by` say, and by length.

    `systems` and `refs` are as for `tricolore.score`. `by` maps names to ids, one per segment: a list, a column, or a
    file. `lengths` are the limits of groups by the number of words of the first reference, such as 10, 20, 30.

    >>> refs = ["a cat sat", "he left", "a dog ran"]
    >>> print(score_by(["a cat sat", "he went", "a dog sat"], refs, "wer", by={"doc": ["x", "x", "y"]}))
    doc   Segments   WER ↓
    ──────────────────────
    x            2    20.0
    y            1    33.3
    <BLANKLINE>
    WER|nrefs:1|case:mixed|tok:none|punct:yes|multi_ref:min_ratio|...
    """
    how = TableOptions(confidence, resamples, seed)
    asked, made = made_metrics(metrics)
    outputs, references = systems_of(systems), references_of(refs)
    check_segments(outputs, references)
    columns = _columns(by_name(by, "by", "{'document': ids}"), lengths, references)
    named = isinstance(systems, Mapping)
    ready = [one.ready_for(references) for one in made]
    names = (*(["system"] if named else []), *columns)
    sums = GroupSums(ready, names, len(references) if how.confidence else 1, SEGMENT)
    members = [*zip(*columns.values(), strict=True)]
    found = {group: number for number, group in enumerate(dict.fromkeys(members))}
    codes = np.array([found[group] for group in members], dtype=np.int64)
    for name, texts in outputs.items():
        step = progress(f"scoring {name}") if progress else None
        with naming_the_system(name, texts):
            hyps, _ = pair(texts, references)
            counted = segment_rows(ready, hyps, references, threads=threads, progress=step)
        groups = [(*([name] if named else []), *group) for group in found]
        sums.add(counted, groups, codes, np.arange(len(references)) if how.confidence else None)
    return scores_of(sums, asked, how)


def _columns(by: Mapping[str, Any], lengths: Sequence[int], references: References) -> dict[str, list[str]]:
    """The columns that groups are made of: ids, one per segment, and the length of the first reference."""
    columns, limits = {}, checked("lengths", lengths, ListOf(Whole(1, 10**9)))
    for name, given in by.items():
        ids = read_texts(given) if is_path(given) else as_list(given, name)
        if len(ids) != len(references):
            where = getattr(ids, "path", name)
            raise InputError(f"{where}: expected {len(references)} ids, one for each segment; got {len(ids)}")
        columns[name] = [*map(str, ids)]
    if limits:
        columns["length"] = _lengths(references, limits)
    if not columns:
        raise SpecError("by: expected ids of groups, or lengths; got neither")
    return columns


def _lengths(references: References, limits: Sequence[int]) -> list[str]:
    """The range of words that the first reference of each segment is in.

    >>> _lengths(References(["a b c", ["a b c d e f", "a"]]), [3, 5])
    ['3-4', '5+']
    """
    starts = sorted({0, *limits})
    names = [f"{low}-{high - 1}" for low, high in pairwise(starts)] + [f"{starts[-1]}+"]
    first = [entry if isinstance(entry, str) else entry[0] for entry in references.entries]
    sizes = [len(text.split()) if isinstance(text, str) else len(text) for text in first]
    return [names[int(place) - 1] for place in np.searchsorted(starts, sizes, side="right")]
