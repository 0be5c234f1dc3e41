"""Pages of tables as text, Markdown, LaTeX and HTML; records as TSV and CSV; objects as JSON."""

from __future__ import annotations

from .printable import printable, printable_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TextIO

    from .results import Page, Table
    from .terminal import Paint
    from .types import Record


def cell(text: str) -> str:
    r"""A text that stays in its cell, and that no terminal obeys.

    >>> cell("a\x1b[31m\tb")
    'a\\x1b[31m b'
    """
    return printable(text.replace("\t", " ").replace("\n", " ").replace("\r", " "))


# For people --------------------------------------------------------------------------------------------------------


def text(page: Page) -> str:
    """A page as plain text."""
    parts = [_plain_table(table) for table in page.tables]
    parts += ["\n".join(map(printable, lines)) for lines in (page.lines, page.notes, page.signatures) if lines]
    return "\n\n".join(parts)


def print_text(page: Page, stream: TextIO) -> None:
    """Print a page; on a terminal, the best numbers are in bold."""
    if not stream.isatty():
        print(text(page), file=stream)
        return
    from .terminal import Paint

    paint = Paint(stream)
    for table in page.tables:
        print(_plain_table(table, paint), end="\n\n", file=stream)
    if page.marks:
        print(*_coloured(page, paint), "", sep="\n", file=stream)
    rest = text(type(page)((), page.notes, page.signatures, () if page.marks else page.lines))
    if rest:
        print(rest, file=stream)


def _coloured(page: Page, paint: Paint) -> Iterator[str]:
    """Lines with their marked stretches in colour; what a terminal would obey is an escape by then."""
    from .terminal import BLUE, BOLD, RED, YELLOW

    looks = {"substitute": YELLOW, "insert": BLUE, "delete": RED, "heading": BOLD}
    for line, marks in zip(page.lines, page.marks, strict=True):
        safe, at, parts = printable(line), 0, []
        for start, end, kind in sorted(marks) if safe == line else ():
            parts += [safe[at:start], paint(safe[start:end], looks[kind])]
            at = end
        yield "".join([*parts, safe[at:]])


def _plain_table(table: Table, paint: Paint | None = None) -> str:
    """A table as text: a line below the header, numbers to the right; painted, the header and the best are bold."""
    from .terminal import BOLD, GREEN, columns_of, padded

    rows = [[*map(cell, row)] for row in (table.header, *table.rows)]
    widths = [max(columns_of(row[i]) for row in rows) for i in range(len(table.header))]
    lines = [] if widths else [""]
    for r, row in enumerate(rows if widths else ()):
        cells = [padded(one, widths[i], left=i < table.left) for i, one in enumerate(row)]
        if paint is not None:
            looks = [(BOLD,) if r == 0 else (BOLD, GREEN) if (r - 1, c) in table.best else () for c in range(len(row))]
            cells = [paint(one, *look) for one, look in zip(cells, looks, strict=True)]
        lines.append("   ".join(cells).rstrip())
        if r == 0:
            lines.append("─" * (sum(widths) + 3 * (len(widths) - 1)))
    return "\n".join([*([printable(table.heading), ""] if table.heading else []), *lines])


def markdown(page: Page) -> str:
    """A page in Markdown; signatures are set as code."""
    parts = [part for table in page.tables for part in (_heading(table, "### "), markdown_table(table)) if part]
    parts += ["\n".join(f"- {printable(line)}" for line in lines) for lines in (page.lines, page.notes) if lines]
    if page.signatures:
        parts.append("\n".join(f"- `{printable(line)}`" for line in page.signatures))
    return "\n\n".join(parts)


def _heading(table: Table, mark: str) -> str:
    return f"{mark}{printable(table.heading)}" if table.heading else ""


def markdown_table(table: Table) -> str:
    r"""Write a Markdown table, aligned so that it reads as text too; the best numbers are bold.

    >>> from tricolore.results import Table
    >>> print(markdown_table(Table(["System", "BLEU"], [["a|b", "29.3"], ["c", "30.1"]], best={(1, 1)})))
    | System |     BLEU |
    |:-------|---------:|
    | a\|b   |     29.3 |
    | c      | **30.1** |
    """
    rows = _cells(table, lambda one: cell(one).replace("|", "\\|"), "**{}**")
    widths = [max(len(row[i]) for row in rows) for i in range(len(table.header))]
    left = table.left
    lines = [
        "| "
        + " | ".join(f"{c:<{w}}" if i < left else f"{c:>{w}}" for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        + " |"
        for row in rows
    ]
    rule = "|" + "|".join(":" + "-" * (w + 1) if i < left else "-" * (w + 1) + ":" for i, w in enumerate(widths)) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def _cells(table: Table, escape: Callable[[str], str], bold: str) -> list[list[str]]:
    """The header and the rows, escaped, the best in bold."""
    rows = [[*map(escape, table.header)]]
    for r, row in enumerate(table.rows):
        rows.append([bold.format(escape(one)) if (r, c) in table.best else escape(one) for c, one in enumerate(row)])
    return rows


_LATEX = {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}"}
_LATEX |= {"↓": r"$\downarrow$", "→": r"$\rightarrow$", "τ": r"$\tau$", "±": r"$\pm$", "μ": r"$\mu$", "−": "$-$"}
_LATEX |= {"–": "--", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}


def latex(page: Page) -> str:
    """A page in LaTeX: tables with booktabs rules, everything else as comments."""
    parts = [part for table in page.tables for part in (_heading(table, "% "), latex_table(table)) if part]
    for lines in (page.lines, page.notes, page.signatures):
        if lines:
            parts.append("\n".join(f"% {printable(line)}" for line in lines))
    return "\n\n".join(parts)


def latex_table(table: Table) -> str:
    r"""Write a LaTeX tabular with booktabs rules; the best numbers are bold.

    >>> from tricolore.results import Table
    >>> print(latex_table(Table(["System", "BLEU"], [["my_system", "29.3"]], best={(0, 1)})))
    \begin{tabular}{lr}
    \toprule
    System & BLEU \\
    \midrule
    my\_system & \textbf{29.3} \\
    \bottomrule
    \end{tabular}
    """
    rows = _cells(table, lambda one: "".join(_LATEX.get(c, c) for c in cell(one)), r"\textbf{{{}}}")
    header, *body = (" & ".join(row) + r" \\" for row in rows)
    columns = "l" * table.left + "r" * (len(table.header) - table.left)
    rules = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", header, r"\midrule"]
    return "\n".join([*rules, *body, r"\bottomrule", r"\end{tabular}"])


#: Rows of a longer table that a notebook shows, half of them from each end; `to_pandas()` has all.
HTML_ROWS = 60


def html(page: Page) -> str:
    """A page as HTML, for notebooks: tables scroll sideways where they are wider than the screen."""
    from html import escape

    parts = []
    for table in page.tables:
        if table.heading:
            parts.append(f"<p>{escape(cell(table.heading))}</p>")
        rows = _cells(table, lambda one: escape(cell(one)), "<b>{}</b>")
        if len(rows) > HTML_ROWS + 1:
            left_out, half = len(rows) - HTML_ROWS - 1, HTML_ROWS // 2
            rows[half + 1 : -half] = [[f"… {left_out:,} more", *[""] * (len(rows[0]) - 1)]]
        shown = (f"<tr>{_html_row(row, 'td' if i else 'th', table.left)}</tr>" for i, row in enumerate(rows))
        parts.append(f'<div style="overflow-x: auto; margin-bottom: 1em"><table>{"".join(shown)}</table></div>')
    for lines, tag in ((page.lines, "span"), (page.notes, "span"), (page.signatures, "code")):
        if lines:
            shown = (f'<{tag} style="overflow-wrap: anywhere">{escape(cell(one))}</{tag}>' for one in lines)
            parts.append(f"<p>{'<br>'.join(shown)}</p>")
    return "".join(parts)


def _html_row(row: Sequence[str], tag: str, left: int) -> str:
    style = "padding: 0 0.6em; white-space: nowrap; text-align: "
    return "".join(f'<{tag} style="{style}{("left", "right")[i >= left]}">{one}</{tag}>' for i, one in enumerate(row))


# For programs ------------------------------------------------------------------------------------------------------


def separated(records: Sequence[Record], form: str = "tsv") -> str:
    r"""Records as TSV or CSV with a header; numbers in full, nothing where a value is undefined.

    >>> print(separated([{"system": "a", "score": 0.1 + 0.2, "p": None}], "csv"))
    system,score,p
    a,0.30000000000000004,
    """
    import csv
    from io import StringIO

    header = list(records[0]) if records else []
    rows = [header, *([_field(record[name]) for name in header] for record in records)]
    if form == "tsv":
        return "\n".join("\t".join(map(cell, row)) for row in rows)
    stream = StringIO()
    csv.writer(stream, lineterminator="\n").writerows([[*map(printable, row)] for row in rows])
    return stream.getvalue().removesuffix("\n")


def _field(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None or value != value else float.__repr__(value) if isinstance(value, float) else str(value)


def json(value: Any, **how: Any) -> str:
    """A value as JSON; names that a terminal would obey are escaped, and read back as they were."""
    from json import dumps

    return printable_json(dumps(value, ensure_ascii=False, **how))
