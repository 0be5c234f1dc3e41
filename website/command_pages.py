"""The pages of the commands: an index, and a page for each with examples that were run, and its help."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from functools import partial

from markup import ROOT, cell, console, navigation, rows

from tricolore.cli.parser import COMMANDS, Formatter, make_parser

FOLDER = "docs/reference/commands"
#: How wide help is: what fits beside the navigation.
WIDTH = 80
REFS = "reference-a.txt reference-b.txt"
PAIR = "careful.txt hasty.txt"
SYSTEMS = "careful.txt fluent.txt hasty.txt"
ALL = "careful.txt fluent.txt literal.txt hasty.txt"

#: Examples of each command, among the texts that `tricolore demo --write texts` writes: what it does, the command, and
#: how many lines of its output are shown.
EXAMPLES: dict[str, list[tuple[str, str, int]]] = {
    "score": [
        ("Two systems, two references, three metrics", f"score {REFS} -i {PAIR} -m bleu chrf ter", 30),
        ("Several systems, with confidence intervals", f"score {REFS} -i {SYSTEMS} -m bleu chrf -ci", 30),
        ("As JSON", "score reference-a.txt -i careful.txt -m bleu -f json", 40),
        ("By length", f"score {REFS} -i careful.txt -m bleu --by-length 8", 30),
    ],
    "compare": [
        ("Which differences between systems are real", f"compare {REFS} -i {SYSTEMS} -m bleu chrf", 40),
        ("Against a baseline only", f"compare {REFS} -i {SYSTEMS} -m chrf --baseline hasty", 40),
        ("The segments on which two systems differ most", f"compare {REFS} -i {PAIR} -m chrf --examples 1", 40),
    ],
    "report": [
        ("One HTML file with everything", f"report {REFS} -i {SYSTEMS} -o report.html", 10),
        ("With human ratings", f"report {REFS} -i {ALL} --human ratings.tsv -o rated.html", 10),
    ],
    "correlate": [
        (
            "How well metrics agree with ratings",
            f"correlate {REFS} -i {ALL} --human ratings.tsv -m bleu chrf ter --statistics 'system pearson'",
            40,
        ),
        ("All measures, cut", f"correlate {REFS} -i {ALL} --human ratings.tsv -m bleu chrf", 16),
    ],
    "search": [
        (
            "Parameters chosen on some segments, checked on others",
            "search 'chrf(char_order=4..6, beta=1..2)' --dev set.toml@1-6 --test set.toml@7-12",
            40,
        ),
    ],
    "orange": [
        ("Where metrics rank the references among candidates", f"orange nbest.txt --refs {REFS} -m bleus rouge-l", 40),
    ],
    "audit": [
        (
            "Do better segments make a better corpus?",
            f"audit {REFS} -i {SYSTEMS} -m bleu chrf --only decomposability",
            30,
        ),
    ],
    "tune": [
        ("Weights that optimise BLEU, checked on folds", f"tune mert --nbest nbest.txt --refs {REFS} --folds 3", 40),
        ("Two methods beside each other", f"tune mert,mira --nbest nbest.txt --refs {REFS} -m chrf", 40),
    ],
    "rerank": [
        ("The best candidates by weights", "rerank --nbest nbest.txt --weights weights.txt", 5),
        ("And their score", f"rerank --nbest nbest.txt --weights weights.txt --refs {REFS} -o best.txt", 10),
    ],
    "oracle": [
        ("The best candidates by a metric", f"oracle --nbest nbest.txt --refs {REFS} -m chrf", 5),
        ("The best path of each lattice", f"oracle --lattice lattices.plf --refs {REFS} -m wer", 5),
    ],
    "mbr": [
        ("The candidates with the least risk", "mbr --nbest nbest.txt --scale 0.5 -m chrf", 5),
        ("Over all paths of lattices", "mbr --lattice lattices.plf", 5),
    ],
    "lattice": [
        ("How large lattices are", "lattice stats lattices.plf", 12),
        ("The three best texts of each", "lattice kbest -k 3 lattices.plf", 6),
        ("In another format", "lattice convert lattices.plf --to openfst", 8),
    ],
    "metrics": [
        ("One metric: equation, parameters, citation", "metrics wer", 40),
        ("All of them", "metrics", 14),
    ],
    "align": [
        ("Edits between an output and its reference", "align reference-a.txt -i hasty.txt --segment 1 2", 20),
        ("Two texts", "align --text 'the cat sat' 'a hat sat'", 20),
    ],
    "tokenize": [("The tokens that a metric sees", "tokenize -tok 13a careful.txt", 4)],
    "cite": [
        ("The papers that a command line needs", f"cite score {REFS} -i careful.txt -m chrf --paired-bs", 40),
        ("Those of metrics and methods, as text", "cite bleu ter holm -f text", 20),
    ],
    "sacrebleu": [
        ("As sacreBLEU prints it", "sacrebleu reference-a.txt -i careful.txt -m bleu chrf", 40),
        ("Only the score", "sacrebleu reference-a.txt -i careful.txt -b -w 2", 5),
    ],
    "demo": [("A small example that ships with the package", "demo -m bleu chrf", 40)],
    "completion": [("The script that a shell reads", "completion bash", 4)],
}
#: Commands whose output depends on what is installed or fetched.
SHOWN = {
    "doctor": ["tricolore doctor", "tricolore doctor -f json"],
    "sets": ["tricolore sets -l en-de --cached", "tricolore sets -t wmt22 -l en-de --echo src ref > texts.tsv"],
    "spark": ["tricolore spark score data.parquet --hyp mt --ref ref --by system"],
}

#: Where to read on about each command: pages below docs/.
FURTHER = {
    "score": "tutorials/score-a-table how-to/two-references how-to/segment-scores how-to/signature",
    "compare": "tutorials/is-it-better how-to/significant how-to/p-value how-to/several-runs explanations/significance",
    "report": "reference/report how-to/html-report gallery",
    "correlate": "how-to/human-ratings tutorials/choose-a-metric explanations/correlation",
    "search": "explanations/search tutorials/choose-a-metric",
    "orange": "explanations/orange tutorials/choose-a-metric reproduction/orange",
    "audit": "tutorials/audit explanations/audit explanations/why-bleu-can-be-gamed",
    "tune": "tutorials/tune-weights how-to/tune-weights explanations/tuning",
    "rerank": "how-to/rerank explanations/tuning",
    "oracle": "tutorials/lattices explanations/lattices explanations/tuning",
    "mbr": "tutorials/mbr-from-samples how-to/mbr explanations/mbr",
    "lattice": "tutorials/lattices explanations/lattices reference/lattice-formats",
    "sets": "how-to/test-sets reference/sets",
    "spark": "tutorials/billion-pairs reference/scale",
    "metrics": "how-to/metrics reference/metrics/index",
    "cite": "how-to/cite bibliography",
    "align": "how-to/align reference/alignment",
    "tokenize": "how-to/tokens reference/text",
    "sacrebleu": "coming-from/sacrebleu reference/sacrebleu how-to/sacrebleu-score",
    "demo": "tutorials/index how-to/index",
    "completion": "how-to/install",
    "doctor": "how-to/install how-to/error-messages",
}


def index() -> str:
    """All commands."""
    body = [[f"[`tricolore {name}`]({name}.md)", cell(what)] for name, what in COMMANDS.items()]
    return "\n".join(
        [
            "# Which commands are there?",
            "",
            "Made by `make pages` from the code. `tricolore COMMAND --help` explains a command; exit status is 0 for",
            "success, 1 for invalid data, 2 for invalid usage. Examples are run among the texts that this writes:",
            "",
            "```sh",
            "tricolore demo --write texts && cd texts",
            "```",
            "",
            rows(["command", "what it does"], body),
            "",
        ]
    )


def page(name: str) -> str:
    """A command: what it does, examples with their output, its help."""
    Formatter.columns = WIDTH
    subparsers = next(action for action in make_parser()._actions if action.dest == "command").choices
    parts = [f"# tricolore {name}", "", COMMANDS[name], ""]
    for what, command, lines in EXAMPLES.get(name, []):
        parts += [f"{what}:", "", console(command, lines), ""]
    if name in SHOWN:
        parts += ["```sh", *SHOWN[name], "```", ""]
    parts += ["## Help", "", "```text", narrow(subparsers[name].format_help()), "```"]
    parts += ["", "## Read on", "", *(f"- {linked(page)}" for page in FURTHER[name].split())]
    return "\n".join(parts) + "\n"


def narrow(text: str) -> str:
    """Help whose paragraphs are as wide as its options; examples stay as they are."""
    parts = text.rstrip().split("\n\n")
    return "\n\n".join(
        textwrap.fill(part, WIDTH) if re.fullmatch(r"([^\s:][^\n]+\n)+[^\s][^\n]+", part) else part for part in parts
    )


def linked(page: str) -> str:
    """A link from the page of a command to another page, by its title."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    title = re.search(r"^# (.*)", text, re.MULTILINE)
    assert title, page
    return f"[{title[1]}](../../{page}.md)"


def pages() -> dict[str, Callable[[], str]]:
    """What makes each page."""
    made: dict[str, Callable[[], str]] = {
        f"{FOLDER}/index.md": index,
        f"{FOLDER}/.nav.yml": lambda: navigation(COMMANDS),
    }
    return made | {f"{FOLDER}/{name}.md": partial(page, name) for name in COMMANDS}
