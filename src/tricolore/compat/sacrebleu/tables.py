"""Results as sacreBLEU's command prints them: a line or JSON for one system, a table or JSON for several."""

from __future__ import annotations

import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_COLOURS = {"red": 31, "green": 32, "yellow": 33, "cyan": 36}
_ESCAPE = re.compile(r"\x1b\[\d+m")
_IN_LATEX = str.maketrans(
    {**{sign: f"\\{sign}" for sign in "&%$#_{}"}, "^": r"\^{}", "~": r"\textasciitilde{}", "\\": r"\textbackslash{}"}
    | {"<": r"\ensuremath{<}", ">": r"\ensuremath{>}"}
)
#: Spaces on both sides of the widest title.
_AROUND_TITLES = 2


class Ink:
    """Colours for a terminal, or none."""

    def __init__(self, coloured: bool):
        self.coloured = coloured

    def __call__(self, text: str, colour: str) -> str:
        return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if self.coloured else text


def single_results(results: Sequence[str], as_json: bool, ink: Ink) -> list[str]:
    """The lines for one system, aligned at the equals sign; or JSON."""
    if as_json:
        return [results[0] if len(results) == 1 else "[\n" + ",\n".join(results) + "\n]"]
    if "μ" in results[0]:
        pattern = re.compile(r"\(μ = [0-9.]+ ± [0-9.]+\)")
        results = [pattern.sub(lambda found: ink(found.group(), "cyan"), line) for line in results]
    if len(results) == 1:
        return [*results]
    places = [line.find("=") - 1 for line in results if "=" in line]
    lines = [line for line in results if "=" not in line]
    widest = max(places, default=0)
    # As in sacreBLEU, places are counted among lines with an equals sign.
    return lines + [f"{line[:at]:>{widest}}{line[at:]}" for at, line in zip(places, results, strict=False)]


def results_json(results: Mapping[str, Sequence[Any]]) -> str:
    """Several systems as JSON: an object for each, with a key for each metric."""
    rows = []
    for i, system in enumerate(results["System"]):
        cells = {name: column[i] for name, column in results.items() if name != "System"}
        values = {name: cell if isinstance(cell, str) else vars(cell) for name, cell in cells.items()}
        rows.append({"system": system, **values})
    return json.dumps(rows, indent=4, default=float)  # means in single precision


def results_table(results: Mapping[str, Sequence[Any]], width: int, latex: bool, ink: Ink) -> tuple[str, str]:
    """Several systems as a grid, or in LaTeX; also the name of the baseline, if there is one."""
    with_means = any(getattr(cell, "mean", None) is not None for column in results.values() for cell in column)
    columns: dict[str, list[str]] = {}
    for name, cells in results.items():
        title = f"{name} (μ ± 95% CI)" if with_means and name != "System" else name
        columns[title] = [_cell(one, width, " " if latex else "\n", ink) for one in cells]
    first = columns["System"][0]
    baseline = first if first.startswith("Baseline:") else ""
    if baseline:
        for column in columns.values():
            column[0] = ink(column[0], "yellow")
    titles = [ink(name, "cyan") for name in columns]
    rows = [*zip(*columns.values(), strict=True)]
    return (_latex if latex else _grid)(titles, rows), baseline


def _cell(result: Any, width: int, between: str, ink: Ink) -> str:
    if isinstance(result, str):
        return result.strip()
    text = f"{result.score:.{width}f}"
    if result.mean is not None:
        text += f" ({result.mean:.{width}f} ± {result.ci:.{width}f})"
    if result.p_value is not None:
        p = f"(p = {result.p_value:.4f})"
        text += between + (ink(p, "red") if result.p_value > 0.05 else f"{p}*")
    return text


def _width(text: str) -> int:
    return max(map(len, _ESCAPE.sub("", text).split("\n")))


def _padded(text: str, width: int, first: bool) -> str:
    """A line of a cell: the first column at the right, the others in the middle."""
    room = width - _width(text)
    left = room if first else room // 2
    return " " * left + text + " " * (room - left)


def _widths(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(_width(title) + _AROUND_TITLES, *(_width(row[i]) for row in rows)) for i, title in enumerate(titles)]


def _grid(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = _widths(titles, rows)

    def rule(left: str, line: str, cross: str, right: str) -> str:
        return left + cross.join(line * (width + 2) for width in widths) + right

    def lines(row: Sequence[str]) -> list[str]:
        cells = [cell.split("\n") for cell in row]
        height = max(map(len, cells))
        found = []
        for n in range(height):
            parts = [cell[n] if n < len(cell) else "" for cell in cells]
            padded = (_padded(part, widths[i], i == 0) for i, part in enumerate(parts))
            found.append("│" + "│".join(f" {part} " for part in padded) + "│")
        return found

    body = [rule("╒", "═", "╤", "╕"), *lines(titles), rule("╞", "═", "╪", "╡")]
    for i, row in enumerate(rows):
        body += ([rule("├", "─", "┼", "┤")] if i else []) + lines(row)
    return "\n".join([*body, rule("╘", "═", "╧", "╛")])


def _latex(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = _widths(titles, rows)

    def line(row: Sequence[str]) -> str:
        padded = (_padded(cell, widths[i], i == 0).translate(_IN_LATEX) for i, cell in enumerate(row))
        return "&".join(f" {cell} " for cell in padded) + "\\\\"

    head = [f"\\begin{{tabular}}{{r{'c' * (len(titles) - 1)}}}", "\\toprule", line(titles), "\\midrule"]
    return "\n".join([*head, *map(line, rows), "\\bottomrule", "\\end{tabular}"])


def explanation(bootstrap: bool, number: int, baseline: str, ink: Ink) -> str:
    """What sacreBLEU prints below a table of paired tests."""
    test = "bootstrap resampling" if bootstrap else "approximate randomization"
    title = f"Paired {test} test with {number} {'resampling trials' if bootstrap else 'trials'}"
    rule = "-" * len(title)
    of_baseline, named, null = ink("baseline", "yellow"), ink(baseline, "yellow"), ink("Null hypothesis", "green")
    given = " / bootstrap estimated true mean / 95% CI are" if bootstrap else " is"
    return f"""{rule}
{title}
{rule}
 - Each system is pairwise compared to {named}.
   Actual system score{given} provided for each metric.

 - {null}: the system and the {of_baseline} translations are essentially
   generated by the same underlying process. For a given system and the {of_baseline},
   the p-value is roughly the probability of the absolute score difference (delta)
   or higher occurring due to chance, under the assumption that the {null.lower()} is correct.

 - Assuming a significance threshold of 0.05, the {null.lower()} can be rejected
   for p-values < 0.05 (marked with "*"). This means that the delta is unlikely to be attributed
   to chance, hence the system is significantly "different" than the {of_baseline}.
   Otherwise, the p-values are {ink("highlighted in red", "red")}.

 - NOTE: Significance does not tell whether a system is "better" than the {of_baseline} but rather
   emphasizes the "difference" of the systems in terms of the replicability of the delta.
"""


def signature_lines(signatures: Mapping[str, str]) -> str:
    """The signatures below a table."""
    title = "-----------------\nMetric signatures\n-----------------"
    return "\n".join([title, *(f" - {name:<10} {signature}" for name, signature in signatures.items())])
