"""Make the notebooks of examples/ from the scripts beside them, with their output.

    python website/notebooks.py [--check] [NAME ...]

A script is cut into cells at lines '# %%', and '# %% [markdown]' for text. With --check, nothing is written: the
cells are run, and what they print is compared with the notebook.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

FOLDER = Path(__file__).parents[1] / "examples"

os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # Python's frozen modules need no warning by the debugger
os.environ["COLUMNS"] = "100"  # how wide alignments are

import nbformat  # noqa: E402
from nbclient import NotebookClient  # noqa: E402


def cells(script: str) -> list[nbformat.NotebookNode]:
    """The cells of a script, in order."""
    found = []
    for number, part in enumerate(re.split(r"^# %%", script, flags=re.MULTILINE)[1:], 1):
        first, _, body = part.partition("\n")
        if first.strip() == "[markdown]":
            text = "\n".join(line.removeprefix("#").removeprefix(" ") for line in body.strip().splitlines())
            made = nbformat.v4.new_markdown_cell(unfolded(text))
        else:
            made = nbformat.v4.new_code_cell(body.strip())
        made["id"] = f"cell-{number}"
        found.append(made)
    return found


def unfolded(text: str) -> str:
    """Text with each paragraph on a line, as notebooks are edited."""
    return re.sub(r"(?<=[^\n])\n(?=[^\n#])", " ", text)


def executed(path: Path) -> nbformat.NotebookNode:
    """The notebook of a script, run in a fresh kernel of this Python."""
    notebook = nbformat.v4.new_notebook(cells=cells(path.read_text(encoding="utf-8")))
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    with TemporaryDirectory() as folder:
        place = {"metadata": {"path": folder}}
        client = NotebookClient(
            notebook, timeout=300, record_timing=False, coalesce_streams=True, resources=place
        )  # cells that print twice have one output
        client.execute()
    notebook.metadata["language_info"] = {"name": "python"}  # not the version of the Python that ran it
    nbformat.validate(notebook)
    return notebook


def printed(notebook: nbformat.NotebookNode) -> list[str]:
    """What the cells print and show as text, without the version of the package, addresses and sizes of pictures."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            text = output.get("text", "") or ("" if "image/png" in data else data.get("text/plain", ""))
            found.append(re.sub(r"version:tricolore-[^ |\n']+| at 0x[0-9a-f]+", "", text))
    return found


def main() -> int:
    """Write notebooks, or check them; return 1 if one prints something else than it shows."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*", metavar="NAME")
    options.add_argument("--check", action="store_true")
    asked = options.parse_args()
    stale = []
    for path in sorted(FOLDER.glob("*.py")):
        if asked.names and path.stem not in asked.names:
            continue
        made, target = executed(path), path.with_suffix(".ipynb")
        if not asked.check:
            nbformat.write(made, target)
            continue
        known = nbformat.read(target, as_version=4)
        sources = [[cell.source for cell in one.cells] for one in (known, made)]
        if sources[0] != sources[1] or printed(known) != printed(made):
            stale.append(target.name)
    if stale:
        print(f"{', '.join(stale)}: not what the code prints; run 'python website/notebooks.py'", file=sys.stderr)
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
