"""What generated pages are made of: tables, sessions of commands among the demo's texts."""

from __future__ import annotations

import io
import os
import shlex
from collections.abc import Iterable
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from tricolore.cli import run

ROOT = Path(__file__).parents[1]
#: How wide the terminal of examples is.
WIDTH = "100"


def rows(header: list[str], body: list[list[str]]) -> str:
    """A Markdown table with long cells, which are not aligned."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, [":--"] * len(header), *body))


def cell(text: str) -> str:
    """A text that may stand in a table's cell."""
    return " ".join(text.split()).replace("|", "\\|")


@cache
def _demo() -> Path:
    """A folder with the texts of `tricolore demo --write texts`."""
    folder = Path(mkdtemp())
    with chdir(folder), redirect_stdout(io.StringIO()):
        run(["demo", "--write", "texts"])
    return folder / "texts"


def printed(command: str, fails: bool = True) -> str:
    """What a command prints among the texts of the demo, standard error included; it may fail only if `fails`."""
    text = io.StringIO()
    os.environ["COLUMNS"] = WIDTH
    with chdir(_demo()), redirect_stdout(text), redirect_stderr(text):
        if run(shlex.split(command)) and not fails:
            raise ValueError(f"tricolore {command}: {text.getvalue()}")
    return text.getvalue().rstrip()


def session(*commands: str, lines: int = 10**6, fails: bool = True) -> str:
    """Commands among the texts of the demo, and what they print, cut after some lines each."""
    parts = []
    for command in commands:
        shown = printed(command, fails).split("\n")
        parts += [f"$ tricolore {command}", *shown[:lines], *["..."][: len(shown) > lines]]
    return "\n".join(parts).rstrip()


def navigation(names: Iterable[str]) -> str:
    """The order of a folder's pages."""
    return "\n".join(["# Made by `make pages`.", "nav:", "  - index.md", *(f"  - {name}.md" for name in names), ""])


def console(command: str, lines: int = 10**6) -> str:
    """One command and its output as a block of a page, which tests run again."""
    return f"```console\n{session(command, lines=lines, fails=False)}\n```"
