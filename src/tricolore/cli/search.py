"""Search the parameters of a metric that agree best with people.

    tricolore search 'lebleu(order=1..4, threshold=0.2..0.8:0.1)' --dev talks13 talks14 --test talks15
    tricolore search 'chrf(char_order=4..8, beta=1..3)' --dev talks.toml@1-264 --test talks.toml@265-529

A set is a folder with set.toml in it, or a TOML file, that says where texts and ratings are:

    references = "references/*.txt"
    systems = "systems/*.txt"
    human = "ratings.tsv"

It may also have form and lower_is_better (see 'tricolore correlate --help'), segments = "1-264", name, as_text = true,
and group: the language pair, for each of which parameters are chosen. Every combination is scored; the best has the
best average agreement over the --dev sets. What that is worth shows on the --test sets, which choose nothing.
"""

from __future__ import annotations

from ..errors import SpecError
from .printing import as_json, show
from .progress import ProgressBar
from .results import FORMATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    from ..judge.correlation.agreement import Measure
    from ..judge.correlation.evaluation_sets import EvaluationSet
    from ..judge.correlation.search import Search
    from ..metrics.base import Metric


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add = parser.add_argument
    add("grid", metavar="METRIC", help="a metric with ranges: order=1..4, threshold=0.2..0.8:0.1, tokenize=13a|intl")
    add("--dev", nargs="+", action="extend", default=[], metavar="SET", help="sets to choose on; SET@1-264: some lines")
    add("--test", nargs="+", action="extend", default=[], metavar="SET", help="sets held out, which choose nothing")
    add(
        "--measure",
        nargs="+",
        action="extend",
        metavar="NAME",
        help="agreement to choose by (default: 'system pearson' 'segment kendall-wmt14'); see 'tricolore correlate'",
    )
    add(
        "--shuffles", type=int, default=1000, metavar="N", help="of the permutation test on --test sets (default: 1000)"
    )
    add("--seed", type=int, default=12345, metavar="N", help="of its random draws (default: 12345)")
    add("--resume", metavar="FILE", help="keep every result in FILE as it comes, and go on from those that are there")
    add("-f", "--format", choices=FORMATS, default="text", help="how to print (default: text); json has the whole grid")
    add("-w", "--width", type=int, default=3, metavar="N", help="digits after the point (default: 3)")
    add("-q", "--quiet", action="store_true", help="no progress on standard error")
    add("-j", "--threads", type=int, metavar="N", help="threads (default and 0: all cores)")


def run(options: argparse.Namespace) -> None:
    """Read, search, print."""
    from ..judge.correlation.evaluation_sets import read_set
    from ..judge.correlation.search import MEASURES, Grid, search
    from ..readers import check_regular

    if not options.dev:
        raise SpecError("no development set is given; name one or more with --dev")
    if not 0 <= options.width <= 15:
        raise SpecError(f"--width must be from 0 to 15; got {options.width}")
    if options.shuffles < 1:
        raise SpecError(f"--shuffles must be 1 or more; got {options.shuffles}")
    if options.seed < 0:
        raise SpecError(f"--seed must be 0 or more; got {options.seed}")
    if options.resume is not None:
        check_regular(options.resume, "a file to keep results in")
    grid = Grid.parse(options.grid)
    measures = measures_of(options.measure) if options.measure else MEASURES
    with ProgressBar(quiet=options.quiet) as bar:
        bar.stage("reading")
        dev, test = [read_set(path) for path in options.dev], [read_set(path) for path in options.test]
        bar.stage(f"searching {grid.default.name}", (len(dev) + len(test)) * len(grid.all))
        found = search(
            grid,
            dev,
            test,
            measures=measures,
            resume=options.resume,
            shuffles=options.shuffles,
            seed=options.seed,
            threads=options.threads,
            progress=bar.step,
        )
    print_search(found, options.format, options.width)


def measures_of(texts: Sequence[str]) -> list[Measure]:
    """What agreement is, as it was asked for, each once."""
    from ..judge.correlation.agreement import Measure

    return list(dict.fromkeys(map(Measure.parse, texts)))


# Results ---------------------------------------------------------------------------------------------------


def print_search(found: Search, form: str, width: int) -> None:
    """Print in the form asked for."""
    from . import tables

    if form == "json":
        print(as_json(as_object(found), indent=1))
        return
    if form == "tsv":
        print(tables.tsv(*set_table(found, width)))
        return
    for (header, rows), left in ((choice_table(found, width), 1), (set_table(found, width), 4)):
        if form == "text":
            tables.text(header, rows, left=left)
            print()
        else:
            print((tables.markdown if form == "markdown" else tables.latex)(header, rows, left))
            if form == "markdown":
                print()
    comment = {"text": "{}", "markdown": "- {}", "latex": "% {}"}[form]
    for line in notes(found):
        show(comment.format(line))


def choice_table(found: Search, width: int) -> tuple[list[str], list[list[str]]]:
    """What was chosen for each group and measure (Table 1 of the LeBLEU paper)."""
    grouped = found.groups != ("",)
    header = ["Measure", *(["Group"] if grouped else []), *found.grid.parameters, "default, dev", "chosen, dev"]
    rows = []
    for choice in found.choices:
        chosen = [written(value) for value in found.grid.varied(choice.best).values()]
        numbers = [number(choice.default, width), number(choice.dev, width)]
        rows.append([str(choice.measure), *([choice.group] if grouped else []), *chosen, *numbers])
    return header, rows


def set_table(found: Search, width: int) -> tuple[list[str], list[list[str]]]:
    """Agreement on every set with default and chosen parameters (Table 2 of the LeBLEU paper)."""
    header = ["Set", "Measure", "held out", "chosen metric", "default", "chosen", "p", "overall"]
    rows = []
    for line in found.lines:
        numbers = [number(value, width) for value in (line.default, line.optimised, line.p, line.overall)]
        held_out = "yes" if line.held_out else "no"
        rows.append([line.set, str(line.measure), held_out, line.best.spec, *numbers])
    return header, rows


def notes(found: Search) -> list[str]:
    """What the columns mean, and how every number was computed."""
    grid = found.grid
    lines = [
        f"{len(grid.metrics)} combinations. default: {grid.default.spec}",
        "chosen: the best average over the --dev sets, for each measure" + (" and group" if any(found.groups) else ""),
        f"overall: {found.overall.spec}, the least sum of ranks over all --dev sets and measures",
    ]
    if found.test:
        lines.append(f"p: of chosen against default on sets held out, 1 if they are the same ({found.test_signature})")
    else:
        lines.append("No set was held out (--test): agreement on the sets that chose is too good to be true.")
    shown = dict.fromkeys([grid.default, *(choice.best for choice in found.choices), found.overall])
    return [*lines, *(signature(one, [*found.dev, *found.test]) for one in shown)]


def signature(one: Metric, sets: Sequence[EvaluationSet]) -> str:
    """The signature of a metric over all sets."""
    counts = [of.references.counts() for of in sets]
    return one.signature((min(low for low, _ in counts), max(high for _, high in counts)))


def as_object(found: Search) -> dict[str, Any]:
    """Everything, with the whole grid, as JSON; what is not defined is null."""
    sets = [*found.dev, *found.test]
    rows: list[dict[str, Any]] = [
        {
            "set": one.name,
            "group": one.group,
            "held_out": one in found.test,
            "metric": tried.spec,
            "measure": str(measure),
            "value": plain(found.value(one, tried, measure)),
        }
        for one in sets
        for tried in found.grid.all
        for measure in found.measures
    ]
    chosen: list[dict[str, Any]] = [
        {
            "group": choice.group,
            "measure": str(choice.measure),
            "metric": choice.best.spec,
            "signature": signature(choice.best, sets),
            "dev": plain(choice.dev),
            "default_dev": plain(choice.default),
        }
        for choice in found.choices
    ]
    held_out: list[dict[str, Any]] = [
        {
            "set": line.set,
            "measure": str(line.measure),
            "metric": line.best.spec,
            "default": plain(line.default),
            "chosen": plain(line.optimised),
            "overall": plain(line.overall),
            "p": plain(line.p),
        }
        for line in found.lines
        if line.held_out
    ]
    return {
        "search": found.grid.text,
        "default": found.grid.default.spec,
        "overall": found.overall.spec,
        "chosen": chosen,
        "held_out": held_out,
        "test": found.test_signature,
        "grid": rows,
    }


def plain(value: float) -> float | None:
    """A number that JSON knows."""
    return value if value == value else None


def number(value: float, width: int) -> str:
    """A number as it is printed; a dash where it is not defined."""
    return f"{value:.{width}f}" if value == value else "–"


def written(value: Any) -> str:
    """A parameter as spec texts have it."""
    from .. import spec

    return spec.write(value)
