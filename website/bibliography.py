"""The page of papers: docs/bibliography.md, from src/tricolore/bibliography.toml.

python website/bibliography.py [--check]
"""

from __future__ import annotations

import sys
from pathlib import Path

from tricolore.bibliography import Entry, entries
from tricolore.metrics import NAMES
from tricolore.rendering import markdown_table
from tricolore.results import Table

PAGE = Path(__file__).parents[1] / "docs" / "bibliography.md"
HEAD = """# Bibliography: which papers stand behind a metric or method?

Every paper that Tricolore computes something from, with its entry of BibTeX and what it is cited for. Made from
`src/tricolore/bibliography.toml` by `make pages`. `tricolore cite` prints the entries that a command line needs:

```sh
tricolore cite score ref.txt -i out.txt -m bleu chrf --paired-bs > paper.bib
tricolore cite bleu ter bootstrap holm
```

[How do I cite a score?](how-to/cite.md) has more examples. Anything in the column *for* is a name that
`tricolore cite` takes.
"""


def bibliography_page() -> str:
    """All papers, by what they are cited for, and each with BibTeX."""
    papers = entries().values()
    subjects = sorted({subject for one in papers for subject in one.subjects}, key=str.lower)
    groups = {
        "Metrics": [subject for subject in subjects if subject in NAMES],
        "Methods": [subject for subject in subjects if subject not in NAMES],
    }
    parts = [HEAD]
    for heading, names in groups.items():
        rows = [[f"`{name}`", ", ".join(map(link, citing(name)))] for name in names]
        parts += [f"## {heading}", "", markdown_table(Table(("for", "papers"), rows, left=2)), ""]
    parts += ["## Papers", ""]
    for one in sorted(papers, key=lambda entry: entry.key):
        subjects_of = ", ".join(f"`{subject}`" for subject in one.subjects)
        parts += [f"### {one.key}", "", one.text, "", f"For: {subjects_of}", "", "```bibtex", one.bibtex, "```", ""]
    return "\n".join(parts).rstrip() + "\n"


def citing(subject: str) -> list[Entry]:
    """The papers that something is cited by."""
    return [one for one in entries().values() if subject in one.subjects]


def link(entry: Entry) -> str:
    """A link to an entry on the same page, named as in running text."""
    surnames = [name.strip("{}").split()[-1] for name in entry.authors if name != "others"]
    if entry.type == "software" or entry.authors[0].startswith("{"):
        names = entry.authors[0].strip("{}").removeprefix("The ")
    elif len(surnames) > 2 or "others" in entry.authors:
        names = f"{surnames[0]} et al."
    else:
        names = " & ".join(surnames)
    return f"[{names}{f' {entry.year}' if entry.year else ''}](#{entry.key})"


def main(*asked: str) -> int:
    """Write or check the page."""
    text = bibliography_page()
    if "--check" not in asked:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    return int(not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
