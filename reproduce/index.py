"""The index of docs/reproduction: which papers, which of their claims come out, and where the data are published."""

from __future__ import annotations

import importlib
import re
import time
from collections import Counter
from pathlib import Path

from tricolore.writers import writing

from .data import SOURCES
from .page import CLAIMS, FOLDER, markdown_table

#: The papers, in the order of the index: module, and what the page is about.
PAPERS = {
    "decomposability": "Chiang & DeNeefe 2008: correlations, straw men, gaming, choices, oracles of lattices",
    "lecture_notes": "Lecture notes on BLEU: every worked example, and how many orders of the words BLEU accepts",
    "orange": "Lin & Och 2004: ORANGE of 34 metrics, correlations by order, the curve over the length of lists",
    "lebleu": "Virpioja & Grönroos 2015: LeBLEU's grid, chosen and held out; morphologically rich targets",
    "smoothing": "Chen & Cherry 2014: eight smoothings of BLEU, judged by ratings and as objectives of tuning",
}

HEAD = """# Do the papers' results come out on public data?

One page per paper: what it did, what is done here with the public functions of Tricolore, its numbers and ours, and
where they agree and disagree. The data are not those of the papers, so a number here is not meant to *equal* the
paper's, unless it is a worked example; the question is whether the shape of a result comes out on other systems,
languages and ratings. Every number, and every sentence with a verdict, is computed by the scripts in `reproduce/`.
Not here, as the data below do not have them: the judgements of WMT07 to WMT15, lists of 1,024 and 16,384 candidates,
sparse features (Chen & Cherry, Tables 7 and 8), and rated outputs in other target languages than German and English.

```sh
make reproduce DATA=../shared/data   # all pages, in a few minutes on two cores; byte for byte what is here
```
"""

#: What becomes of claims: columns of the index.
STATES = ("come out", "in part", "do not", "no difference found")

OUTCOMES = """
“Comes out” is about the sign of a difference, or about an order, unless the claim says “significantly”. Most of the
differences here are not significant; each page says which are. Where the paper says that two things do not differ, “no
difference found” does not count as a success: that a test finds none does not show that there is none.
"""

DATA = """## Data

DATA is a folder with the folders below. Texts have one segment per line, in UTF-8, with runs of white space collapsed
to a single space; systems are files in `systems/`, references in `references/` or `ref*.txt`. Tables of ratings have a
header. If data are missing, `make reproduce` names them, and where they are published.
"""


def claims_of(page: str) -> list[list[str]]:
    """The rows of the table of claims: claim, paper, here, comes out."""
    table = page.split(CLAIMS)[1].strip().split("\n\n")[0]
    return [line.strip("| ").split(" | ") for line in table.split("\n")[2:]]


def state_of(claim: list[str]) -> str:
    """Which of `STATES` a row of the table of claims is."""
    said = claim[-1]
    if said.startswith("no difference"):
        return "no difference found"
    return "come out" if said.startswith("yes") else "do not" if said.startswith("no") else "in part"


def index(folder: Path = FOLDER) -> str:
    """The index, made of the pages that there are."""
    rows, claims = [], []
    for paper, about in PAPERS.items():
        file = folder / f"{paper.replace('_', '-')}.md"
        if not file.exists():
            continue
        text = file.read_text(encoding="utf-8")
        title, found = re.search("^# (.*)", text)[1], claims_of(text)
        states = Counter(map(state_of, found))
        rows.append([f"[{title}]({file.name})", about, str(len(found)), *(str(states[state]) for state in STATES)])
        claims += [[f"[{paper.replace('_', ' ')}]({file.name})", row[0], row[-1]] for row in found]
    header = ["page", "paper", "claims", *STATES]
    sources = [[f"`{x.folder}`", x.title, x.published, x.licence, x.files] for x in SOURCES.values()]
    parts = [HEAD.strip(), markdown_table(header, rows, left=2), "## All claims", OUTCOMES.strip()]
    parts += [markdown_table(["page", "claim", "comes out"], claims, left=3), DATA.strip()]
    parts.append(markdown_table(["folder", "what it is", "published on GitHub", "licence", "files"], sources, left=5))
    return "\n\n".join(parts) + "\n"


def write_page(paper: str, data: str) -> tuple[str, float]:
    """Write the page of a paper; return its name and the seconds of processor time of this process."""
    importlib.import_module(f"reproduce.{paper}").make(Path(data)).write()
    return paper, time.process_time()


def write_index(folder: Path = FOLDER) -> None:
    """Write the index."""
    with writing(str(folder / "README.md")) as file:
        file.write(index(folder))
