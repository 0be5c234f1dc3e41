"""Every block of every tutorial runs, and what the text says about numbers is what the blocks print."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tutorial_blocks import BLOCK, blocks

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "tutorials"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the documentation is not part of this tree")

PAGES = [
    "score-a-table",
    "is-it-better",
    "choose-a-metric",
    "audit",
    "mqm",
    "tune-weights",
    "mbr-from-samples",
    "lattices",
    "training-reward",
    "billion-pairs",
    "notebook",
]

#: What a page needs beyond the package itself.
NEEDS = {"billion-pairs": ["pyarrow"], "notebook": ["nbformat", "pandas"]}


def text_of(page):
    return (FOLDER / f"{page}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_blocks_run_and_numbers_in_the_text_are_printed(page):
    for package in NEEDS.get(page, []):
        pytest.importorskip(package)
    script = ROOT / "tests" / "tutorial_blocks.py"
    command = [sys.executable, "-W", "error", script, FOLDER / f"{page}.md"]
    found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert found.returncode == 0, found.stderr
    ran = json.loads(found.stdout)
    printed = "\n".join(one["output"] for one in ran) + "\n".join(shown_outputs(page))
    assert all(one["output"].strip() for one in ran if one["options"].get("source") == "console" or has_result(one))
    assert sum(bool(one["output"].strip()) for one in ran) >= 3
    prose = re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL))
    for number in re.findall(r"(?<![\w.])\d+\.\d+(?![\w.]*\w)", prose):
        assert number in printed, f"{page}: {number} is in the text, but nothing prints it"


def has_result(one):
    return "result" in one["options"] or "html" in one["options"]


def shown_outputs(page):
    """Output that is written in the page, because what prints it is not installed everywhere; other tests run it."""
    return re.findall(r"^```\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_pages_keep_to_their_session_and_folder(page):
    first, *others = list(blocks(text_of(page)))
    session = first[1]["session"]
    assert f'start("{session}")' in first[2]
    for language, options, _ in others:
        assert options["workdir"] == f"build/tutorials/{session}"
        assert language == "console" or options["session"] == session
    assert len(BLOCK.findall(text_of(page))) == text_of(page).count('exec="true"')


def test_the_index_lists_every_tutorial():
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\(([\w-]+)\.md\)", index) == PAGES
    assert sorted(path.stem for path in FOLDER.glob("*.md")) == sorted([*PAGES, "index"])
