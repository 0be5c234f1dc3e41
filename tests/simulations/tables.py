"""Tables of simulation results, as the documentation shows them.

    python tests/simulations/tables.py NAME

prints the table NAME in Markdown. Every `test_*.py` of this folder has a mapping TABLES from names to functions that
simulate and return a header and rows of numbers (shares, in per cent). The documentation holds the table between
`<!-- simulation NAME -->` and `<!-- end -->`, and tests check that both agree.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
DOCS = FOLDER.parents[1] / "docs"


def markdown(header, rows):
    """A table; numbers are rounded to whole per cent, texts stay."""
    cells = [[one if isinstance(one, str) else "–" if one != one else f"{one:.0f}" for one in row] for row in rows]
    line = "|".join("--:" if isinstance(one, float) else ":--" for one in rows[0])
    return "\n".join(f"| {' | '.join(row)} |" for row in [header, *cells]).replace("\n", f"\n|{line}|\n", 1)


def documented(name):
    """The table of that name in the documentation."""
    for page in sorted(DOCS.rglob("*.md")):
        found = re.search(rf"<!-- simulation {name} -->\n(.*?)\n<!-- end -->", page.read_text("utf-8"), re.DOTALL)
        if found:
            return found[1].strip()
    return ""


def agrees(name, headers, row):
    """Check that the documentation has this row of a table."""
    header, line, text = markdown(headers[name], [row]).split("\n")
    table = documented(name)
    assert table.startswith(f"{header}\n{line}\n"), table.split("\n")[0]
    assert text in table.split("\n"), text


def module_of(path):
    """Import a file of simulations."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.path.append(str(FOLDER))
    tables = {name: make for path in sorted(FOLDER.glob("test_*.py")) for name, make in module_of(path).TABLES.items()}
    if len(sys.argv) != 2 or sys.argv[1] not in tables:
        sys.exit(f"expected the name of a table: {', '.join(tables)}")
    print(markdown(*tables[sys.argv[1]]()))
