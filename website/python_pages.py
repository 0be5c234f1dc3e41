"""The pages of the Python API: every public name, by what it is for; mkdocstrings reads signatures and docstrings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from markup import rows

from tricolore import public_names
from tricolore.metrics import NAMES

FOLDER = "docs/reference/python"
METRICS = [title for _, title in NAMES.values()]

#: Title and names by page; what no page has is an error.
PAGES: dict[str, tuple[str, str]] = {
    "score": ("Score", "score score_all Scores Score score_by References Stats"),
    "metrics": ("Metrics", "metric expand list_metrics tokenize Metric " + " ".join(METRICS)),
    "judge": (
        "Judge",
        "compare compare_scores confidence correlate Correlation search Search orange Orange audit Audit",
    ),
    "tune": ("Tune and choose", "tune tune_rounds Tuning rerank Reranking oracle OracleChoices mbr MBRChoices"),
    "graphs": ("Lattices and forests", "read_graphs Lattice Forest"),
    "tables": ("Tables", "score_table table_sums score_sums TableScores compare_table correlate_table"),
    "reports": (
        "Reports and alignments",
        "report report_table Report align align_all align_systems Alignment Alignments SystemAlignments",
    ),
    "sets": ("Test sets", "test_set test_sets TestSet TestSets"),
    "citing": ("Cite and check an installation", "cite Citations doctor Installation"),
    "errors": ("Errors", "TricoloreError InputError InputTypeError SpecError MissingExtraError"),
}


def index() -> str:
    """Every public name, by page."""
    body = []
    for page_name, (title, names) in PAGES.items():
        homes = public_names()
        links = [f"[`{name}`]({page_name}.md#tricolore.{homes[name]}.{name})" for name in names.split()]
        body.append([f"[{title}]({page_name}.md)", " ".join(links)])
    return "\n".join(
        [
            "# What is in the Python package?",
            "",
            "Made by `make pages` from the code. Everything is a name of `tricolore`:",
            "",
            "```python",
            "import tricolore as tri",
            "",
            'print(tri.score(["the cat sat on the mat"], ["the cat is on the mat"], ["bleu", "chrf"]))',
            "```",
            "",
            rows(["page", "names"], body),
            "",
            "`help(tri.score)` shows the same. Results convert to dictionaries, pandas, Arrow and text:",
            "[results](../results.md). What may be passed as hypotheses and references: [inputs](../inputs.md).",
            "Other packages: [drop-ins](../../coming-from/index.md), [adapters](../adapters.md).",
            "",
        ]
    )


def page(name: str) -> str:
    """The names of one page, as mkdocstrings reads them."""
    title, names = PAGES[name]
    homes = public_names()
    parts = [f"# {title}", "", "`import tricolore as tri`; these are `tri.NAME`.", ""]
    for one in names.split():
        parts += [f"::: tricolore.{homes[one]}.{one}", "    options:", "      heading_level: 2", ""]
    return "\n".join(parts)


def pages() -> dict[str, Callable[[], str]]:
    """What makes each page."""
    named = [name for _, names in PAGES.values() for name in names.split()]
    assert sorted(named) == sorted(public_names()), set(named) ^ set(public_names())
    made: dict[str, Callable[[], str]] = {f"{FOLDER}/index.md": index}
    return made | {f"{FOLDER}/{name}.md": partial(page, name) for name in PAGES}
