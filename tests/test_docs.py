"""The documentation says what the code does."""

import doctest
import io
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from tricolore.cli import run
from tricolore.cli.parser import COMMANDS, Formatter, make_parser
from tricolore.metrics import NAMES

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="the documentation is not part of this tree")


def test_generated_pages_are_up_to_date():
    found = subprocess.run(
        [sys.executable, ROOT / "website" / "make.py", "--check"], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr


def test_every_metric_and_command_is_in_an_index():
    reference = ROOT / "docs" / "reference"
    metrics = (reference / "metrics" / "index.md").read_text(encoding="utf-8")
    commands = (reference / "commands" / "index.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in metrics for name in NAMES)
    assert all(f"tricolore {command}" in commands for command in COMMANDS)


def test_links_lead_somewhere():
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        for target, anchor in re.findall(r"\]\(([^)#:]*)#?([^):]*)\)", text):
            there = page.parent / target if target else page
            assert there.exists(), f"{page.name}: {target}"
            if anchor and "python/" not in str(there.relative_to(ROOT) if there.is_relative_to(ROOT) else there):
                assert anchor in anchors(there), f"{page.name}: {target}#{anchor}"


def anchors(page):
    """The names of a page's headings."""
    headings = re.findall(r"^#+ (.*)", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", one.lower()).strip().replace(" ", "-") for one in headings]


@pytest.mark.parametrize(("page", "examples"), [("README.md", 3), ("docs/tour.md", 30)])
def test_examples_at_the_prompt_print_what_they_say(page, examples):
    how = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    found = doctest.testfile(str(ROOT / page), module_relative=False, optionflags=how)
    assert found.failed == 0
    assert found.attempted >= examples


PAGES = sorted(str(page.relative_to(ROOT)) for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
#: Code in Python, and in the next block what it prints.
PRINTS = re.compile(r"^```python\n(.*?)^```\n+```(?:text)?\n(.*?)^```", re.DOTALL | re.MULTILINE)
#: Pages whose examples other tests run, with what they need.
ELSEWHERE = {"docs/reference/adapters.md", "docs/reference/scale.md", "docs/tutorials/billion-pairs.md"}
NEEDS = {
    "docs/coming-from/torchmetrics.md": "torchmetrics",
    "docs/reference/training.md": "torchmetrics",
    "docs/tutorials/training-reward.md": "torchmetrics",
}


def pages_with(pattern):
    """The pages that have such a block."""
    return [page for page in PAGES if re.search(pattern, (ROOT / page).read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", [page for page in pages_with(PRINTS) if page not in ELSEWHERE])
def test_examples_in_python_print_what_they_say(page, tmp_path):
    if page in NEEDS:
        pytest.importorskip(NEEDS[page], reason=f"{NEEDS[page]} is not installed (pip install --group training)")
    run(["demo", "--write", str(tmp_path / "texts")])
    for code, shown in PRINTS.findall((ROOT / page).read_text(encoding="utf-8")):
        command = [sys.executable, "-c", code]
        found = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path / "texts").stdout
        said, cut, _ = without_version(shown).partition("...\n")  # what follows is not shown
        assert without_version(found).startswith(said) if cut else without_version(found) == said


def test_most_pages_show_what_they_do():
    assert len(pages_with(PRINTS)) > 12
    assert len(pages_with("```console")) > 50


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


@pytest.mark.parametrize("page", pages_with("```console"))
def test_commands_print_what_the_page_says(page, tmp_path, monkeypatch):
    """Every command is run, in order, among the texts of the demo: one that cannot be is no block of this kind."""
    monkeypatch.setenv("COLUMNS", "100")  # as in website/markup.py
    monkeypatch.chdir(tmp_path)
    run(["demo", "--write", "texts"])
    monkeypatch.chdir(tmp_path / "texts")
    text = (ROOT / page).read_text(encoding="utf-8")
    for block in re.findall(r"^```console\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        for example in re.split(r"^(?=\$ )", block, flags=re.MULTILINE)[1:]:
            command, _, shown = example.partition("\n")
            assert command.startswith("$ tricolore "), f"{command}: use ```sh for what cannot be run"
            out, both = io.StringIO(), io.StringIO()
            with redirect_stdout(Also(out, both)), redirect_stderr(Also(both)):
                run(shlex.split(command)[2:])
            said, cut, _ = without_version(shown).partition("...\n")  # what follows is not shown
            printed = [without_version(one.getvalue()).rstrip() for one in (out, both)]
            if cut:
                assert any(one.startswith(said) for one in printed), command
            else:
                assert said.rstrip() in printed, command


class Also(io.StringIO):
    """Writes to several streams."""

    def __init__(self, *streams):
        super().__init__()
        self.streams = streams

    def write(self, text):
        return max(one.write(text) for one in self.streams)


def without_version(text):
    return re.sub(r"version:tricolore-[^ \n]+", "", text)


def test_pages_use_plain_words(tmp_path):
    script = ROOT / "website" / "plain_language.py"
    hard = tmp_path / "page.md"
    text = "Utilise this.\n\n```\nutilise that\n```\n`utilise`, [a](utilise.md)\nSee [a.md](a.md).\n"
    hard.write_text(text, encoding="utf-8")
    found = subprocess.run([sys.executable, script, hard], capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert found.stderr.splitlines() == [
        f"{hard}:1: 'Utilise' is hard to read; write: use",
        f"{hard}:7: '[a.md]' is a file name; write what the page is about",
    ]
    assert subprocess.run([sys.executable, script], capture_output=True, check=False).returncode == 0


def test_figures_of_the_first_page_are_those_of_the_page_on_speed():
    ratios = set(re.findall(r"(\d+)×", (ROOT / "docs" / "reference" / "speed.md").read_text(encoding="utf-8")))
    ratios |= set(
        re.findall(r"(\d+) times as fast", (ROOT / "docs" / "reference" / "speed.md").read_text(encoding="utf-8"))
    )
    table = (ROOT / "README.md").read_text(encoding="utf-8").split("## Fast")[1].split("One thread")[0]
    told = [one for row in table.splitlines() for one in re.findall(r"\d+", row.rpartition("| ")[2])]
    assert len(told) > 10
    assert [one for one in told if one not in ratios] == []
    short = (ROOT / "docs" / "how-to" / "speed.md").read_text(encoding="utf-8")
    assert [one for one in re.findall(r"an? (\d+)(?:th|rd|nd|st)\b", short) if one not in ratios] == []


def test_commands_of_the_first_page_run_among_the_texts_of_the_demo(tmp_path, monkeypatch):
    """All lines of its blocks, in their order: who copies them has just installed the package."""
    pytest.importorskip("jinja2")
    pytest.importorskip("scipy")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    commands = [
        shlex.split(line.partition("&&")[0], comments=True)[1:] for line in lines if line.startswith("tricolore ")
    ]
    assert len(commands) > 8 and commands[0] == ["demo", "--write", "texts"]
    monkeypatch.chdir(tmp_path)
    for words in commands:
        found = [one for word in words for one in (sorted(Path().glob(word)) if "*" in word else [word])]
        assert run([str(one) for one in found]) == 0, words
        if words[0] == "demo":
            monkeypatch.chdir(tmp_path / "texts")


def test_help_and_messages_name_pages_by_their_titles(monkeypatch):
    """Beside an installed command there is no folder docs/."""
    monkeypatch.setattr(Formatter, "columns", 100)
    subparsers = next(action for action in make_parser()._actions if action.dest == "command").choices
    texts = [" ".join(one.format_help().split()) for one in subparsers.values()]
    texts += [path.read_text(encoding="utf-8") for path in (ROOT / "src/tricolore/spark").glob("[fw]*.py")]
    assert [re.findall(r".{20}docs/.{20}", one) for one in texts if "docs/" in one] == []
    named = {title.strip("\\") for one in texts for title in re.findall(r'"([^"]+)" in the documentation', one)}
    pages = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md")]
    assert named <= {title for page in pages for title in re.findall(r"(?m)^#+ (.*)", page)}
    assert len(named) > 6


def test_no_output_of_a_command_goes_unchecked():
    """Blocks of another kind would not be run: tests/test_correlate.py runs those of the one page that has some."""
    plain = re.compile(r"^```(?:text)?\n\$ tricolore ", re.MULTILINE)
    found = [page for page in PAGES if plain.search((ROOT / page).read_text(encoding="utf-8"))]
    assert found == ["docs/explanations/correlation.md"]
