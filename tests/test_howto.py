"""Short answers: every example prints what the page says, and the words that newcomers type lead to a page."""

import itertools
import re
import shlex
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
pytestmark = pytest.mark.skipif(not (DOCS / "how-to").is_dir(), reason="the documentation is not part of this tree")

PAGES = [
    *sorted((DOCS / "how-to").glob("*.md")),
    *(DOCS / name for name in ("faq.md", "glossary.md", "explanations/why-bleu-can-be-gamed.md")),
]
ANSWERS = [page for page in PAGES if page.parent.name == "how-to" and page.stem != "index"]
#: What examples of a page need beyond what the tests always have.
NEEDS = {"meteor": "Stemmer", "several-runs": "scipy", "human-ratings": "scipy", "mqm": "scipy"}
NEEDS |= {"pandas": "pandas", "segment-scores": "pandas", "training-loop": "tricolore.adapters.rewards"}


@cache
def examples():
    sys.path.append(str(ROOT / "website"))
    import examples

    return examples


def text_of(page):
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_print_what_the_page_says(page):
    pytest.importorskip(NEEDS.get(page.stem, "tricolore"))
    text = text_of(page)
    found = examples().refreshed(text)
    assert examples().VERSION.sub("", found) == examples().VERSION.sub("", text)


def test_there_are_examples():
    blocks = sum(
        len(examples().CONSOLE.findall(text_of(page)) + examples().PYTHON.findall(text_of(page))) for page in PAGES
    )
    assert blocks > 50


def test_a_wrong_output_is_found():
    page = "```console\n$ tricolore score reference-a.txt -i careful.txt -b\n73.2\n```\n"
    assert examples().refreshed(page) == page.replace("73.2", "73.1")
    page = "```python\nprint(1 + 1)\n```\n\n```\n3\n```\n"
    assert examples().refreshed(page) == page.replace("3", "2")


@pytest.mark.parametrize("page", ANSWERS, ids=lambda page: page.stem)
def test_a_page_is_a_question_with_a_short_answer(page):
    title, blank, first, *_ = text_of(page).splitlines()
    assert title.startswith("# ") and re.search(r"\?(?: \(.+\?\))?$|\?\)$|\)\?$", title), title
    assert blank == "" and len(first) > 40
    before = text_of(page).split("```")[0]
    assert len(before.splitlines()) <= 7, "the command comes after more than a few lines"
    assert "See also: [" in text_of(page)


def test_the_index_has_every_page():
    linked = re.findall(r"\]\(([\w-]+\.md)\)", text_of(DOCS / "how-to" / "index.md"))
    assert sorted(linked) == sorted(page.name for page in ANSWERS)
    navigation = re.findall(r"- ([\w-]+\.md)", text_of(DOCS / "how-to" / ".nav.yml"))
    assert navigation == ["index.md", *linked]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)\)", re.sub(r"```.*?```", "", text_of(page), flags=re.DOTALL)):
        assert target.startswith("http") or (page.parent / target).exists(), target


# Found by a search ------------------------------------------------------------------------------------------------

#: What a newcomer types, and the page that answers it.
QUESTIONS = {
    "JSON": "json",
    "two references": "two-references",
    "difference significant": "significant",
    "speed faster": "speed",
    "cite": "cite",
    "score per document": "per-document",
    "COMET beside BLEU": "comet",
    "training loop": "training-loop",
    "Windows": "windows",
    "smooth:exp": "signature",
    "sentence BLEU": "sentence-bleu",
    "p-value": "p-value",
    "WER": "wer-cer",
    "flores": "spbleu",
    "confidence interval": "confidence-interval",
    "pandas": "pandas",
    "Parquet": "table",
    "lowercase case": "lower-case",
    "MQM": "mqm",
    "offline internet": "install-offline",
    "METEOR": "meteor",
    "ROUGE": "rouge",
    "token ids": "token-ids",
    "empty outputs": "empty-lines",
    "pairwise": "pairwise",
}


def search(words):
    """The best three pages, with ties, by how many words their title and headings have; the title counts twice."""
    scores = {}
    for page in DOCS.rglob("*.md"):
        text = re.sub(r"```.*?```", "", text_of(page), flags=re.DOTALL)
        headings = [*re.findall(r"(?m)^#+ (.+)$", text)]
        title = f"{headings[0] if headings else ''} {page.stem}".lower()
        below = " ".join(headings[1:]).lower()
        scores[page.stem] = sum(2 * (word in title) + (word in below) for word in words.lower().split())
    ranked = sorted(scores, key=lambda name: -scores[name])
    least = max(1, scores[ranked[2]])
    return [name for name in ranked if scores[name] >= least]


@pytest.mark.parametrize("words", QUESTIONS)
def test_a_search_over_titles_finds_the_answer(words):
    assert QUESTIONS[words] in search(words)


def test_the_ten_questions_are_in_the_faq():
    faq = text_of(DOCS / "faq.md")
    for name in [*QUESTIONS.values()][:10]:
        assert f"(how-to/{name}.md)" in faq, name


# The same facts ---------------------------------------------------------------------------------------------------


def test_figures_of_speed_are_those_that_were_measured():
    table = next(page for page in (DOCS / "reference" / "speed.md", DOCS / "speed.md") if page.exists())
    measured = re.findall(r"(\d+)× +\|", text_of(table))
    said = re.findall(r"an? (\d+)(?:th|rd|nd|st)", text_of(DOCS / "how-to" / "speed.md"))
    assert len(said) == 4 and {*said} <= {*measured}


def test_the_glossary_is_in_order():
    text = text_of(DOCS / "glossary.md")
    terms = re.findall(r"(?m)^### (.+)$", text)
    assert len(terms) >= 60
    assert [term.lower() for term in terms] == sorted(term.lower() for term in terms)
    assert len({*terms}) == len(terms)


def test_the_page_on_installing_names_every_extra():
    from tricolore.extras import EXTRAS

    rows = [line for line in text_of(DOCS / "how-to" / "install.md").splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert sorted(named) == sorted(extra.name for extra in EXTRAS)


def commands_to_copy(page):
    """The commands in blocks that are not run, without what the shell does with them."""
    for block in re.findall(r"```sh\n(.*?)```", text_of(page), re.DOTALL):
        for line in block.splitlines():
            before, name, rest = re.sub(r"\s+# .*", "", line).partition("tricolore ")
            if name and not re.search(r"[\w'/]$|install $|download $", before):
                words = itertools.takewhile(lambda word: word not in ("|", ">", "<"), shlex.split(rest.rstrip(")")))
                yield shlex.join(words)


COMMANDS = [(page.stem, line) for page in PAGES for line in commands_to_copy(page)]


@pytest.mark.parametrize(("page", "line"), COMMANDS, ids=[f"{page}: {line}" for page, line in COMMANDS])
def test_commands_to_copy_have_valid_options(page, line):
    """Nothing is run; options and metrics must exist."""
    from tricolore.cli.metric_options import make_metrics
    from tricolore.cli.parser import parse

    options = parse(shlex.split(line))
    if getattr(options, "metrics", None) and hasattr(options, "smooth_value"):
        options.quiet = True
        assert make_metrics(options, options.metrics)


def test_there_are_commands_to_copy():
    assert len(COMMANDS) > 30


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_options_in_running_text_exist(page):
    """Every `--option` of a sentence is one of some command; those of other programs are named."""
    from tricolore.cli.parser import make_parser

    parsers = next(action for action in make_parser()._actions if action.dest == "command").choices.values()
    known = {option for parser in parsers for action in parser._actions for option in action.option_strings}
    known |= {"--to_json", "--no-index", "--find-links", "--recipe"}
    text = re.sub(r"```.*?```", "", text_of(page), flags=re.DOTALL)
    assert {*re.findall(r"(?<![\w-])--[a-z][\w-]+", text)} <= known
