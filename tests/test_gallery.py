"""The gallery shows what its code makes."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="the documentation is not part of this tree")


def test_pictures_are_those_that_the_code_of_the_page_makes(tmp_path):
    pytest.importorskip("jinja2")
    command = [sys.executable, ROOT / "website" / "gallery.py", "--check", "--reports", tmp_path / "reports"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    for report in (tmp_path / "reports").iterdir():
        assert f'"../reports/{report.name}"' in page
        assert str(tmp_path.anchor + "tmp") not in report.read_text(encoding="utf-8")
    assert len(list((tmp_path / "reports").iterdir())) == page.count('href="../reports/')


def test_every_picture_says_what_is_in_it():
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    for path in (ROOT / "docs" / "pictures" / "gallery").iterdir():
        assert f"](pictures/gallery/{path.name})" in page and f"![](pictures/gallery/{path.name})" not in page
