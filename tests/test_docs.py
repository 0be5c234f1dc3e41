"""The documentation says what the code does."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tricolore.cli.parser import COMMANDS
from tricolore.metrics import NAMES

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="the documentation is not part of this tree")


def test_generated_pages_are_up_to_date():
    found = subprocess.run(
        [sys.executable, ROOT / "website" / "make.py", "--check"], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr


def test_every_metric_and_command_is_in_the_readme_or_a_page():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md"))
    for name in NAMES:
        assert f"`{name}`" in readme
    for command in COMMANDS:
        assert f"tricolore {command}" in readme + pages


def test_links_lead_somewhere():
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_examples_of_the_readme_print_what_they_say():
    how = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=how)
    assert found.failed == 0
    assert found.attempted > 15


@pytest.mark.parametrize(
    "name",
    [
        "explanations/audit",
        "coming-from/index",
        "coming-from/sacrebleu",
        "explanations/correlation",
        "reference/external-scores",
        "explanations/lattices",
        "explanations/mbr",
        "reference/results",
        "explanations/one-idea",
        "reference/sets",
        "explanations/tuning",
    ],
)
def test_examples_in_python_print_what_they_say(name):
    run_examples(name)


@pytest.mark.parametrize("name", ["coming-from/torchmetrics", "reference/training"])
def test_examples_of_adapters_print_what_they_say(name):
    pytest.importorskip("torchmetrics", reason="it is not installed (pip install --group training)")
    run_examples(name)


def run_examples(name):
    page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```\n+```\n(.*?)```", page, re.DOTALL)
    assert examples
    for code, shown in examples:
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        assert found == shown


def test_recipes_for_tables_of_other_engines_print_what_they_say(tmp_path):
    for package in ("dask", "datasets", "duckdb", "polars", "pyarrow"):
        pytest.importorskip(package)
    page = (ROOT / "docs" / "reference" / "scale.md").read_text(encoding="utf-8")
    page = page.split("## The same with other engines")[1]
    recipes = re.findall(r"```python\n(.*?)```\n+```\n(.*?)```", page, re.DOTALL)
    assert len(recipes) == 5
    for code, shown in recipes:  # the first writes what the others read
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
        assert found.stdout == shown


def test_examples_of_tables_print_what_they_say():
    pytest.importorskip("pyarrow")
    pytest.importorskip("pandas")
    how = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    found = doctest.testfile(str(ROOT / "docs" / "reference" / "tables.md"), module_relative=False, optionflags=how)
    assert (found.failed, found.attempted) == (0, 8)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("explanations/significance", 3),
        ("explanations/audit", 5),
        ("reference/tables", 1),
        ("coming-from/sacrebleu", 1),
        ("coming-from/multeval", 1),
        ("coming-from/moses", 1),
    ],
)
def test_commands_print_what_the_page_says(name, number, tmp_path, monkeypatch, capsys):
    from tricolore.cli import run

    page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    run(["demo", "--write", "texts"])
    monkeypatch.chdir(tmp_path / "texts")
    capsys.readouterr()
    blocks = re.findall(r"```console\n\$ tricolore (.*?)\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == number
    for command, expected in blocks:
        assert run(shlex.split(command)) == 0
        found = capsys.readouterr().out
        said, cut, _ = expected.partition("...\n")  # what follows is not shown
        assert without_version(found).startswith(without_version(said)), command
        assert cut or without_version(found) == without_version(said)


def without_version(text):
    return re.sub(r"version:tricolore-[^ \n]+", "", text)
