"""The gallery shows what its code makes."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="the documentation is not part of this tree")


def gallery(*options):
    pytest.importorskip("jinja2")
    command = [sys.executable, ROOT / "website" / "gallery.py", *options]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


def test_pictures_are_those_that_the_code_of_the_page_makes():
    gallery("--check")


def test_the_page_links_to_every_report(tmp_path):
    gallery("--only-reports", tmp_path / "reports")
    reports = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "reports").iterdir()}
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r'href="reports/([\w.]+)"', page)) == sorted(reports)
    assert not any(tempfile.gettempdir() in text for text in reports.values())


def test_every_picture_says_what_is_in_it():
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    for path in (ROOT / "docs" / "pictures" / "gallery").iterdir():
        assert f"](pictures/gallery/{path.name})" in page and f"![](pictures/gallery/{path.name})" not in page
