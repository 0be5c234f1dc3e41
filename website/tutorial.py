"""What the tutorials do behind the scenes: a fresh folder of example texts for each, and pictures in the page.

A page begins with a hidden block that calls `start`; its other blocks run in the folder (`workdir` of markdown-exec).
"""

from __future__ import annotations

import base64
import os
import shutil
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from tricolore.examples import write_example
from tricolore.reporting.result_page import figures_of
from tricolore.reporting.svg import STYLE
from tricolore.results import Result

if TYPE_CHECKING:
    from pandas import DataFrame

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "tutorials"

#: The end of a picture's title, and the style and paper without which a picture of a report does not stand alone.
STYLED = f'</title><style>{STYLE}</style><rect width="100%" height="100%" fill="#fff"/>'


def start(name: str) -> None:
    """Write the example texts to build/tutorials/NAME, and put the commands of this environment on the path."""
    folder = FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    write_example(str(folder))
    commands_on_path()


def commands_on_path() -> None:
    """Let shells find the commands of this environment."""
    commands = str(Path(sys.executable).parent)
    if commands not in os.environ["PATH"].split(os.pathsep):
        os.environ["PATH"] = commands + os.pathsep + os.environ["PATH"]


def picture(path: str | Path, about: str) -> str:
    """A picture as part of the page, with its styles kept to itself.

    >>> picture("missing.svg", "nothing")
    Traceback (most recent call last):
        ...
    FileNotFoundError: [Errno 2] No such file or directory: 'missing.svg'
    """
    data = base64.b64encode(Path(path).read_bytes()).decode()
    kind = {".svg": "svg+xml", ".png": "png"}[Path(path).suffix]
    return f'<figure><img alt="{escape(about)}" src="data:image/{kind};base64,{data}"></figure>'


def figures(result: Result) -> dict[str, str]:
    """The pictures of a result by title, each to stand alone; those of its report take their styles from the page."""
    return {title: svg.replace("</title>", STYLED, 1) for title, _, svg in figures_of(result)}


def drawn(svg: str, about: str) -> str:
    """A picture from its text, as part of the page."""
    path = FOLDER / "drawn.svg"
    path.write_text(svg, encoding="utf-8")
    return picture(path, about)


def table(frame: DataFrame) -> str:
    """A data frame as a table of the page."""
    return str(frame.to_html(border=0)).replace(' class="dataframe"', "")


def preformatted(html: str) -> str:
    """What a notebook shows as it is, with a bar to scroll where the screen is narrow."""
    return f'<div style="overflow-x: auto">{html}</div>'
