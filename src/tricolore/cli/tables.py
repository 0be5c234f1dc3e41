"""Tables in the forms people paste: for the eye, TSV, Markdown, LaTeX."""

from __future__ import annotations

import os
import sys

from ..printable import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    #: A cell is a text; the first column, or as many as `left` says, is aligned left, the others right.
    Row = Sequence[str]


def text(header: Row, rows: Sequence[Row], best: Collection[tuple[int, int]] = (), left: int = 1) -> None:
    """Print a table for the eye; `best` holds the row and column of the cells to make bold, on a terminal."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(no_color=bool(os.environ.get("NO_COLOR")) or None, highlight=False, soft_wrap=True)
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    header, *rows = ([*map(name, row)] for row in (header, *rows))
    for i, title in enumerate(header):
        table.add_column(Text(title), justify="left" if i < left else "right", no_wrap=True)
    for r, row in enumerate(rows):
        table.add_row(*(Text(item, style="bold green" if (r, c) in best else "") for c, item in enumerate(row)))
    # Nothing may be cut off: a pipe has no width, and a terminal that is too narrow wraps.
    needed = sum(3 + max(len(row[i]) for row in (header, *rows)) for i in range(len(header)))
    console.width = max(console.width, needed)
    if not sys.stdout.isatty():
        with console.capture() as captured:
            console.print(table)
        print("\n".join(line.rstrip() for line in captured.get().splitlines()))
    else:
        console.print(table)


def cell(text: str) -> str:
    """A text that stays in its cell."""
    return text.replace("\t", " ").replace("\n", " ").replace("\r", " ")


def name(text: str) -> str:
    r"""A name as a cell shows it: it stays there, and a terminal does not obey it.

    >>> name("a\x1b[31m\tb")
    'a\\x1b[31m b'
    """
    return printable(cell(text))


def tsv(header: Row, rows: Sequence[Row]) -> str:
    """Lines of tab-separated cells."""
    return "\n".join("\t".join(map(name, row)) for row in (header, *rows))


def markdown(header: Row, rows: Sequence[Row], left: int = 1) -> str:
    r"""Write a Markdown table, aligned so that it reads as text too.

    >>> print(markdown(["System", "BLEU"], [["a|b", "29.3"]]))
    | System | BLEU |
    |:-------|-----:|
    | a\|b   | 29.3 |
    """
    cells = [[name(item).replace("|", "\\|") for item in row] for row in (header, *rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = [
        "| "
        + " | ".join(f"{c:<{w}}" if i < left else f"{c:>{w}}" for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        + " |"
        for row in cells
    ]
    rule = "|" + "|".join(":" + "-" * (w + 1) if i < left else "-" * (w + 1) + ":" for i, w in enumerate(widths)) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


_LATEX = {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}"}
_LATEX |= {"↓": r"$\downarrow$", "→": r"$\rightarrow$", "τ": r"$\tau$"}
_LATEX |= {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}


def latex(header: Row, rows: Sequence[Row], left: int = 1) -> str:
    r"""Write a LaTeX tabular with booktabs rules.

    >>> print(latex(["System", "BLEU"], [["my_system", "29.3"]]))
    \begin{tabular}{lr}
    \toprule
    System & BLEU \\
    \midrule
    my\_system & 29.3 \\
    \bottomrule
    \end{tabular}
    """
    escaped = [
        " & ".join("".join(_LATEX.get(c, c) for c in name(item)) for item in row) + r" \\" for row in (header, *rows)
    ]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{'l' * left}{'r' * (len(header) - left)}}}",
            r"\toprule",
            escaped[0],
            r"\midrule",
            *escaped[1:],
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )
