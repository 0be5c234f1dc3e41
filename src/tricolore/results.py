"""The one model of results: facts for programs, a page for people, and `emit`, which writes either in every format.

A result defines three things; everything else follows from them.

- `to_dict()`: everything, in full precision, under stable keys; what is undefined is None
- `facts()`: tidy records, one per fact, by kind; the first kind is what `to_pandas()` gives
- `page(width)`: tables for people, with notes and signatures below them
"""

from __future__ import annotations

import math

from .errors import MissingExtraError, SpecError, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any, TextIO

    from .types import Record


FORMATS = ("text", "json", "tsv", "csv", "markdown", "latex")

#: Values that `width` does not round.
NEVER_ROUNDED = frozenset(
    {"p", "p_value", "p_holm", "level", "confidence_level", "scale", "alpha", "epsilon", "weights"}
)


class Table:
    """A table for people: cells are text, rounded already."""

    # Not a dataclass, nor is Page: making one takes a while, and every result needs both.
    def __init__(
        self,
        header: Sequence[str],
        rows: Sequence[Sequence[str]],
        heading: str = "",
        best: Collection[tuple[int, int]] = (),
        left: int = 1,
    ):
        self.header = header
        self.rows = rows
        self.heading = heading  #: a line above it
        self.best = best  #: row and column of the cells to set in bold
        self.left = left  #: columns aligned left; the others are numbers


class Page:
    """What people read: tables, then notes on how to read them, then a signature for every number."""

    def __init__(
        self,
        tables: Sequence[Table] = (),
        notes: Sequence[str] = (),
        signatures: Sequence[str] = (),
        lines: Sequence[str] = (),
        marks: Sequence[Sequence[tuple[int, int, str]]] = (),
    ):
        self.tables = tables
        self.notes = notes
        self.signatures = signatures
        self.lines = lines  #: instead of tables: results that fit on a line each
        self.marks = marks  #: of each line: stretches to colour on a terminal, and why


class Result:
    """What every result offers; see the module's documentation for what each defines."""

    __slots__ = ()

    #: The kinds of facts that TSV and CSV hold; the others are only for `to_pandas` and `to_arrow`.
    printed_facts: tuple[str, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Everything in full precision, under stable keys, with signatures; what is undefined is None."""
        raise NotImplementedError

    def facts(self) -> Mapping[str, Sequence[Record]]:
        """Tidy records by kind: one per fact, with the same keys throughout a kind."""
        raise NotImplementedError

    def page(self, width: int | None = None) -> Page:
        """Tables for people, with `width` digits after the point."""
        raise NotImplementedError

    def text_page(self, width: int | None = None) -> Page:
        """The page for a terminal, where it differs from that of documents."""
        return self.page(width)

    def to_json(self) -> Any:
        """What JSON holds, where it is not `to_dict()`."""
        return self.to_dict()

    def records(self, kind: str | None = None) -> list[Record]:
        """Tidy records of one kind of fact (default: the first), one per row."""
        facts = self.facts()
        if kind is not None and kind not in facts:
            raise unknown("kind of fact", kind, list(facts))
        return list(facts[kind or next(iter(facts))])

    def to_pandas(self, kind: str | None = None) -> Any:
        """A pandas DataFrame of the records."""
        return _imported("pandas").DataFrame(self.records(kind))

    def to_arrow(self, kind: str | None = None) -> Any:
        """A pyarrow Table of the records."""
        return _imported("pyarrow").Table.from_pylist(self.records(kind))

    def report(self, path: Any, *, title: str | None = None, **how: Any) -> Any:
        """Write the result as one self-contained HTML file, with pictures and tables; see docs/reference/report.md."""
        from importlib import import_module

        # The one way up from results to what is made of them; loaded only here.
        return import_module("tricolore.reporting.result_page").write_result(self, path, title=title, **how)

    def __str__(self) -> str:
        from .rendering import text

        return text(self.text_page())

    def _repr_html_(self) -> str:
        from .rendering import html

        return html(self.page())


def emit(result: Result, form: str = "text", *, width: int | None = None, stream: TextIO | None = None) -> None:
    """Write a result to standard output or a stream: text, json, tsv, csv, markdown or latex.

    JSON, TSV and CSV are in full precision unless `width` says otherwise; the other formats are for people.
    """
    import sys

    from . import rendering

    to = sys.stdout if stream is None else stream
    if form == "json":
        print(rendering.json(rounded(result.to_json(), width), indent=1), file=to)
    elif form in ("tsv", "csv"):
        kinds = result.facts()
        printed = [kinds[kind] for kind in result.printed_facts or kinds]
        print("\n\n".join(rendering.separated(rounded(some, width), form) for some in printed), file=to)
    elif form == "text":
        rendering.print_text(result.text_page(width), to)
    elif form in ("markdown", "latex"):
        print(getattr(rendering, form)(result.page(width)), file=to)
    else:
        raise SpecError(f"format must be one of {', '.join(FORMATS)}; got {form!r}")


def rounded(value: Any, width: int | None, key: str = "") -> Any:
    """A value with every number in it rounded to `width` digits after the point, p-values and settings excepted.

    >>> rounded({"score": 25.2525, "p": 0.04321, "segments": 12}, 1)
    {'score': 25.3, 'p': 0.04321, 'segments': 12}
    """
    if width is None or key in NEVER_ROUNDED:
        return value
    if isinstance(value, dict):
        return {name: rounded(item, width, name) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(item, width, key) for item in value]
    return round(float(value), width) if isinstance(value, float) else value


def defined(value: float, scale: float = 1.0) -> float | None:
    """A number in full, or None where it is undefined (nan).

    >>> defined(0.25, 100), defined(math.nan)
    (25.0, None)
    """
    return None if math.isnan(value) else float(value) * scale


def decimal(value: float, digits: int, sign: str = "") -> str:
    """A number for people: a dash where it is undefined, and no minus sign before zero.

    >>> decimal(0.256, 1, "+"), decimal(-0.01, 1), decimal(math.nan, 1)
    ('+0.3', '0.0', '–')
    """
    if math.isnan(value):
        return "–"
    text = f"{value:{sign}.{digits}f}"
    return text.lstrip("+-") if float(text) == 0 else text


def _imported(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise MissingExtraError(f"{name} is not installed; pip install {name}") from None
