"""The pages of the metrics: an index by family, and a page for each with all there is to know about it."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Callable
from functools import partial

from docstrings import fenced
from edge_page import EDGES, edge_scores
from markup import ROOT, cell, console, navigation, rows

from tricolore.metrics import NAMES, NOT_HERE, Metric, aliases_of, families, metric
from tricolore.metrics.listing import SUMMARY
from tricolore.parameters import parameters
from tricolore.spec import write

FOLDER = "docs/reference/metrics"
DISAGREE = "Where others disagree"
#: What says so in a docstring, at the beginning of a paragraph or in its middle.
SAYS = re.compile(rf"(?:^|(?<= )){DISAGREE}[.:] |^(?=What is (?:uncertain|missing)\.)")


def facts() -> dict[str, dict[str, object]]:
    """What website/equations.toml has of every metric."""
    return tomllib.loads((ROOT / "website" / "equations.toml").read_text(encoding="utf-8"))


def index() -> str:
    """All metrics by family."""
    parts = [
        "# Which metrics are there?",
        "",
        "Made by `make pages` from the code. `tricolore metrics` lists them, `tricolore metrics NAME` explains one,",
        "`-m NAME` takes it:",
        "",
        console("score reference-a.txt reference-b.txt -i careful.txt hasty.txt -m bleu chrf ter"),
        "",
        "Parameters go in parentheses: `-m 'bleu(order=2, smooth=7)'`; one text may stand for several metrics:",
        "`-m 'bleus(order=1..9)'`, `-m 'bleu(tokenize=13a|intl)'`. What every metric makes of empty, short and huge",
        "texts is in [edge cases](../edge-cases.md).",
    ]
    for family, classes in families().items():
        body = []
        for cls in classes:
            summary = _summary(cls)
            aliases = ", ".join(f"`{alias}`" for alias in aliases_of(cls.name))
            sense = "higher" if cls.higher_is_better else "lower"
            body.append([f"[`{cls.name}`]({cls.name}.md)", summary["description"], summary["paper"], sense, aliases])
        parts += [
            "",
            f"## {family[0].upper()}{family[1:]}",
            "",
            rows(["name", "metric", "paper", "better", "also"], body),
        ]
    parts += [
        "",
        "## Not available",
        "",
        "`-m` names what these require:",
        "",
        rows(["name", "requires"], [[f"`{name}`", what] for name, what in NOT_HERE.items()]),
    ]
    return "\n".join(parts) + "\n"


def page(name: str) -> str:
    """All there is to know about a metric."""
    made = metric(name)
    cls, known = type(made), facts()[name]
    summary = _summary(cls)
    description, others = _description(cls)
    title = cls.title if cls.title.lower().replace(" ", "-") == name else f"{cls.title} (`{name}`)"
    parts = [
        f"# {title}",
        "",
        f"**{summary['description'][0].upper()}{summary['description'][1:]}** ({summary['paper']}). "
        + ("Higher is better." if cls.higher_is_better else "Lower is better."),
        "",
        console(f"score reference-a.txt reference-b.txt -i careful.txt hasty.txt -m {name}"),
        "",
        f'In Python: `tri.{cls.__name__}()`, or `tri.metric("{name}")`.',
        "",
        "## Equation",
        "",
        f"$$\n{known['equation']}\n$$",
        "",
        *description,
        *([str(known["more"]).strip(), ""] if "more" in known else []),
        "## Parameters",
        "",
        _parameters(made),
        "",
        *_columns(made),
        "## Edge cases",
        "",
        "One segment with one reference, all parameters at their defaults ([what the columns mean](../edge-cases.md)):",
        "",
        rows(list(EDGES), [[f"{score:.4g}" for score in edge_scores(name)]]),
        "",
        f"## {DISAGREE}",
        "",
        *(others or [str(known.get("elsewhere", _ALONE)), ""]),
        "## Speed",
        "",
        *_speed(known.get("speed")),
        "",
        "## Citation",
        "",
        cls.citation,
    ]
    return "\n".join(parts).rstrip() + "\n"


_ALONE = "No other program is compared with this metric; a slow, obvious implementation in the tests is."


def _summary(cls: type[Metric]) -> re.Match[str]:
    found = SUMMARY.fullmatch((cls.__doc__ or "").partition("\n")[0])
    assert found
    return found


def _description(cls: type[Metric]) -> tuple[list[str], list[str]]:
    """The docstring without its first line and its equation, and apart what it says of other programs."""
    blocks = fenced((inspect.getdoc(cls) or "").partition("\n\n")[2]).split("\n\n")
    description: list[str] = []
    others: list[str] = []
    equation = True
    fence = ""
    for block in blocks:
        if equation and block.startswith("```text"):  # the equation, which LaTeX sets
            continue
        if block.startswith("```pycon"):
            equation = False
        fence = "" if fence and block.endswith("```") else fence
        said = SAYS.search(block)
        if said and not block.startswith("```"):
            before, after = block[: said.start()].rstrip(), block[said.end() :]
            description += [before, ""] if before else []
            others += [after, ""]
        else:
            description += [block, ""]
    return description, others


def _parameters(made: Metric) -> str:
    body = []
    for field in parameters(type(made)):
        implied = field.default is None and getattr(made, field.name) is not None
        default = f"`{write(getattr(made, field.name))}`" + (" (depends on other parameters)" if implied else "")
        body.append([f"`{field.name}`", default, cell(field.metadata["doc"]), cell(field.metadata["kind"].expects)])
    return rows(["name", "default", "meaning", "takes"], body)


def _columns(made: Metric) -> list[str]:
    own = {field.name for field in parameters(type(made))}
    parts = [
        "## Columns",
        "",
        "A segment is counted into a row of these numbers; rows add, and any sum of rows has a score "
        "([why](../../explanations/one-idea.md)):",
        "",
        ", ".join(f"`{name}`" for name in made.columns) + ".",
        "",
    ]
    kinds = [("", made.scoring_parameters), ("with one reference per segment, ", made.choosing_parameters)]
    for where, names in kinds:
        if named := [f"`{name}`" for name in names if name in own]:
            parts += [
                f"Rows can be scored with other values of {', '.join(named)} {where}if they have the columns.",
                "",
            ]
    return parts


def _speed(questions: object) -> list[str]:
    """Rows of the table of speed, by their question."""
    if not isinstance(questions, list):
        return ["No figure stands by itself in the [table of speed](../speed.md); `make bench` measures what is there."]
    found = []
    for line in (ROOT / "docs" / "reference" / "speed.md").read_text(encoding="utf-8").split("\n"):
        cells = [one.strip() for one in line.strip("|").split("|")]
        if cells[0] in questions:
            found.append(cells)
    assert len(found) == len(questions), f"docs/reference/speed.md has not all of {questions}"
    return [
        "CPU time of one thread, measured beside the other program in one run ([how](../speed.md)):",
        "",
        rows(["what / beside", "Tricolore", "beside", "ratio"], found),
    ]


def pages() -> dict[str, Callable[[], str]]:
    """What makes each page."""
    assert set(facts()) == set(NAMES), "website/equations.toml must have every metric, and no other"
    made: dict[str, Callable[[], str]] = {f"{FOLDER}/index.md": index, f"{FOLDER}/.nav.yml": lambda: navigation(NAMES)}
    return made | {f"{FOLDER}/{name}.md": partial(page, name) for name in NAMES}
