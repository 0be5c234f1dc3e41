"""A page of docs/reproduction: paragraphs, tables, figures, and a table of what the paper says and what comes out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tricolore.writers import writing

#: Where pages are written.
FOLDER = Path(__file__).parents[1] / "docs" / "reproduction"

#: A space at which no line is broken.
UNBROKEN = "\N{NO-BREAK SPACE}"

#: The heading of the table of claims, which the index reads.
CLAIMS = "## What the paper says, and what comes out"


@dataclass
class Page:
    """What a script has to say about its paper, in the order in which it was added; claims come first."""

    name: str  #: of the file, without extension
    title: str
    paper: str  #: its full reference
    needs: Sequence[str]  #: data that it is computed from, by name
    parts: list[str] = field(default_factory=list)
    claims: list[tuple[str, str, str, str]] = field(default_factory=list)
    figures: dict[str, str] = field(default_factory=dict)  #: SVG by file name

    def heading(self, text: str) -> None:
        """Begin a section."""
        self.parts.append(f"## {text}")

    def text(self, *paragraphs: str) -> None:
        """Add paragraphs."""
        self.parts += [one_line(one) for one in paragraphs if one]

    def points(self, *items: str) -> None:
        """Add a list."""
        self.parts.append("\n".join(f"- {one_line(one)}" for one in items if one))

    def code(self, text: str, language: str = "python") -> None:
        """Add lines of code."""
        self.parts.append(f"```{language}\n{text.strip()}\n```")

    def table(self, header: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> None:
        """Add a table whose first `left` columns are text."""
        self.parts.append(markdown_table(header, rows, left))

    def figure(self, name: str, svg: str, caption: str) -> None:
        """Add a picture, with a caption that says what to see."""
        file, caption = f"{self.name}-{name}.svg", one_line(caption)
        self.figures[file] = svg + "\n"
        self.parts.append(f"![{caption}](pictures/{file})\n\n*{caption}*")

    def claim(self, says: str, paper: str, here: str, comes_out: str) -> None:
        """Add a claim of the paper, its number, ours, and whether it comes out."""
        self.claims.append((one_line(says), paper, one_line(here), comes_out))

    def markdown(self) -> str:
        """The whole page."""
        claims = markdown_table(("claim", "paper", "here", "comes out"), self.claims, left=4)
        made = f"`make reproduce DATA=...` writes this page (`reproduce/{self.name.replace('-', '_')}.py`). "
        made += f"Data: {', '.join(self.needs)}; [where they are published](README.md#data)."
        return "\n\n".join([f"# {self.title}", self.paper, made, CLAIMS, claims, *self.parts]) + "\n"

    def write(self, folder: Path = FOLDER) -> None:
        """Write the page and its pictures; pictures that it has no more are removed."""
        pictures = folder / "pictures"
        pictures.mkdir(parents=True, exist_ok=True)
        for file in pictures.glob(f"{self.name}-*.svg"):
            if file.name not in self.figures:
                file.unlink()
        for file_name, svg in self.figures.items():
            with writing(str(pictures / file_name)) as file_out:
                file_out.write(svg)
        with writing(str(folder / f"{self.name}.md")) as file_out:
            file_out.write(self.markdown())


def one_line(text: str) -> str:
    """A text that was broken into lines in the source, as one."""
    return " ".join(text.split())


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """A table in Markdown; numbers, to the right of the first `left` columns, are aligned right."""
    lines = [f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |" for row in [header, *rows]]
    rule = "|" + "|".join([":--"] * left + ["--:"] * (len(header) - left)) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def number(value: float, digits: int = 2) -> str:
    """A number with a proper minus; a dash if it is undefined.

    >>> number(-0.004), number(-1.5, 1), number(float("nan"))
    ('0.00', '−1.5', '–')
    """
    if math.isnan(value):
        return "–"
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text.replace("-", "−")


def signed(value: float, digits: int = 1) -> str:
    """A change, with its sign; without one if it rounds to zero.

    >>> signed(0.25, 2), signed(-1.0), signed(0.01)
    ('+0.25', '−1.0', '0.0')
    """
    text = number(value, digits)
    return text if value < 0 or float(f"{value:.{digits}f}") == 0 else f"+{text}"


def span(values: Iterable[float], digits: int = 1, show=number) -> str:
    """From the lowest to the highest; a single number if both look the same.

    >>> span([0.5, -0.25], 2, signed).split(UNBROKEN), span([1, 1.01])
    (['−0.25', 'to', '+0.50'], '1.0')
    """
    there = [*values]
    low, high = show(min(there), digits), show(max(there), digits)
    return low if low == high else f"{low}{UNBROKEN}to{UNBROKEN}{high}"


def with_interval(value: float, low: float, high: float, digits: int = 2) -> str:
    """A value and its confidence interval, which is not broken into two lines."""
    return f"{number(value, digits)} [{number(low, digits)},{UNBROKEN}{number(high, digits)}]"


def listed(items: Iterable[str], nothing: str = "none") -> str:
    """Words in a row.

    >>> listed(["a", "b", "c"]), listed(["a"]), listed([])
    ('a, b and c', 'a', 'none')
    """
    some = [*items]
    return " and ".join(filter(None, [", ".join(some[:-1]), some[-1]])) if some else nothing


def none_found(differs: Iterable[bool], silent: int) -> str:
    """What becomes of a claim of no difference: if none is found, that does not show that there is none.

    `silent` sets show no difference between any two metrics that were compared.

    >>> none_found([False, False], 1), none_found([True, False], 0)
    ('no difference found (1 of 2 sets show none between any two metrics)', 'no: a difference on 1 of 2 sets')
    """
    tried = [*differs]
    if any(tried):
        return f"no: a difference on {sum(tried)} of {len(tried)} sets"
    blind = f" ({silent} of {len(tried)} sets show none between any two metrics)" if silent else ""
    return f"no difference found{blind}"


def outcome(holds: Iterable[bool], of: str = "sets") -> str:
    """Whether a claim comes out, if it was tried several times.

    >>> outcome([True, True]), outcome([False]), outcome([True, False, True])
    ('yes', 'no', 'on 2 of 3 sets')
    """
    tried = [*holds]
    if all(tried) or not any(tried):
        return "yes" if tried[0] else "no"
    return f"on {sum(tried)} of {len(tried)} {of}"
