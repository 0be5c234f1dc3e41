"""`report_table`: the report of the systems of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..tables.table_texts import table_texts
from .report import Report, report


def report_table(
    table: Any,
    *,
    hyp: str | Sequence[str],
    refs: str | Sequence[str],
    system: str | None = None,
    key: str | None = None,
    where: Mapping[str, Any] | None = None,
    source: str | None = None,
    by: Sequence[str] = (),
    metrics: Any = ("bleu", "chrf", "ter"),
    **how: Any,
) -> Report:
    """Write a report of the systems of a table, as `tricolore.report` does; `how` are its other parameters.

    The table has a row per segment and several columns `hyp`, which are systems; or a row per system and segment, whose
    columns `system` and `key` say which. `source` is the column of source texts, `by` are columns to group segments by.

    >>> import os, tempfile
    >>> table = {"ref": ["a cat sat", "he left"] * 9, "a": ["a cat sat", "he left"] * 9, "b": ["a cat", "left"] * 9}
    >>> table |= {"domain": ["news", "chat"] * 9}
    >>> path = os.path.join(tempfile.mkdtemp(), "report.html")
    >>> made = report_table(table, hyp=["a", "b"], refs="ref", by=["domain"], metrics="chrf", path=path)
    >>> made.sentences, made.evaluation.groups["domain"][:2]
    (['chrF2: a is best (100.0) and beats b (p = 0.001).'], ['news', 'chat'])
    """
    wanted = [*by, *([] if source is None else [source])]
    found = table_texts(table, hyp=hyp, refs=refs, system=system, key=key, where=where, columns=wanted)
    first = next(iter(found.columns.values()))  # what is said of a segment is said in the rows of the first system
    groups = {name: ["" if value is None else str(value) for value in first[name]] for name in by}
    texts = None if source is None else ["" if text is None else str(text) for text in first[source]]
    return report(found.systems, found.references, metrics, source=texts, by=groups, **how)
