"""Every notebook runs, and prints what it shows."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "examples"
NOTEBOOKS = [path.stem for path in sorted(FOLDER.glob("*.ipynb"))]
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the examples are not part of this tree")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_prints_what_it_shows(name):
    for package in ("nbclient", "nbformat", "ipykernel", "pandas", "matplotlib"):
        pytest.importorskip(package, reason="it is not installed (pip install --group notebooks)")
    command = [sys.executable, ROOT / "website" / "notebooks.py", "--check", name]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr


def test_every_script_has_its_notebook_and_the_tutorial_lists_them():
    assert len(NOTEBOOKS) == 6 and [path.stem for path in sorted(FOLDER.glob("*.py"))] == NOTEBOOKS
    page = (ROOT / "docs" / "tutorials" / "notebook.md").read_text(encoding="utf-8")
    assert all(f"{name}.ipynb`" in page for name in NOTEBOOKS)
    assert all(path.stat().st_size < 100_000 for path in FOLDER.glob("*.ipynb"))
    assert not any("/tmp/" in path.read_text(encoding="utf-8") for path in FOLDER.glob("*.ipynb"))
