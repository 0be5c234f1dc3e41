"""The documentation says what the code does."""

import doctest
import re
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
        [sys.executable, ROOT / "docs" / "make.py", "--check"], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr


def test_every_metric_and_command_is_in_the_readme_or_a_page():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md"))
    for name in NAMES:
        assert f"`{name}`" in readme
    for command in COMMANDS:
        assert f"tricolore {command}" in readme + pages


def test_links_lead_somewhere():
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_readme_example_prints_what_it_says():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    code = "\n".join(blocks)
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert len(blocks) == 4
    score, number = found.splitlines()
    assert score.startswith(re.search(r"# (BLEU = .*?) \(BP", readme).group(1))
    assert number.startswith(re.search(r"# (0\.\d+)\.\.\.", readme).group(1))


def test_sessions_in_the_readme_are_doctests():
    blocks = re.findall(r"```pycon\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    session = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README.md", None, 0)
    assert blocks and session.examples
    assert doctest.DocTestRunner(verbose=False).run(session).failed == 0


@pytest.mark.parametrize("name", ["correlation", "lattices", "mbr", "rows", "tuning"])
def test_examples_in_python_print_what_they_say(name):
    page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```\n+```\n(.*?)```", page, re.DOTALL)
    assert examples
    for code, shown in examples:
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        assert found == shown


def test_examples_of_significance_print_what_they_say(tmp_path, monkeypatch, capsys):
    from tricolore.cli import run

    page = (ROOT / "docs" / "significance.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    run(["demo", "--write", "texts"])
    monkeypatch.chdir(tmp_path / "texts")
    capsys.readouterr()
    blocks = re.findall(r"```console\n\$ tricolore (.*?)\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 3
    for command, expected in blocks:
        assert run(command.split()) == 0
        found = capsys.readouterr().out
        said, cut, _ = expected.partition("...\n")  # what follows is not shown
        assert without_version(found).startswith(without_version(said)), command
        assert cut or without_version(found) == without_version(said)


def without_version(text):
    return re.sub(r"version:tricolore-[^ \n]+", "", text)
