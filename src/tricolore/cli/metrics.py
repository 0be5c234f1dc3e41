"""List the metrics, or explain some: equation, parameters, citation.

For example:

    tricolore metrics
    tricolore metrics bleu nist
"""

from __future__ import annotations

import inspect
import textwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from ..metrics.base import Metric


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="metrics to explain, or all")


def run(options: argparse.Namespace) -> None:
    """Print the list or the explanation."""
    from ..metrics import expanded

    names = expanded(options.names)
    print("\n\n\n".join(explanation(str(name)) for name in names) if names else overview())


def overview() -> str:
    """All metrics by family, a line each."""
    from ..metrics import FAMILIES, NOT_HERE, metric_class

    lines = []
    for family, names in FAMILIES.items():
        lines.append(family)
        for name in names:
            summary = (inspect.getdoc(metric_class(name)) or "").split("\n")[0]
            lines.append(f"  {name:<12}{summary}")
        lines.append("")
    lines.append("not here, for want of")
    lines += [*(f"  {name:<12}{need}" for name, need in NOT_HERE.items()), ""]
    lines += ["tricolore metrics NAME explains one. Parameters go in brackets: 'bleu(order=2, smooth=7)'."]
    return "\n".join(lines)


def explanation(name: str) -> str:
    """One metric: its documentation, its parameters with defaults, its paper."""
    from ..metrics import metric
    from ..parameters import parameters
    from ..spec import write

    default = metric(name)
    cls = type(default)
    lines = [f"{cls.name}: {default.title}", "", inspect.getdoc(cls) or "", "", "Parameters"]
    for field in parameters(cls):
        implied = field.default is None and getattr(default, field.name) is not None
        value = write(getattr(default, field.name)) + (" (follows from the others)" if implied else "")
        lines.append(f"  {field.name} = {value}")
        note = f"{field.metadata['doc']}. Takes {field.metadata['kind'].expects}."
        lines.append(textwrap.fill(note, 100, initial_indent="      ", subsequent_indent="      "))
    lines += ["", "Statistics", f"  {', '.join(default.columns)}", *rescoring(default)]
    lines += ["", "Paper", textwrap.fill(cls.citation, 100, initial_indent="  ", subsequent_indent="  ")]
    return "\n".join(lines)


def rescoring(metric: Metric) -> list[str]:
    """The parameters with which rows may be scored that were counted with others."""
    from ..parameters import parameters

    counted: Metric = getattr(metric, "definition", metric)
    own = {field.name for field in parameters(type(metric))}
    lines = []
    for names, where in (
        (counted.scoring_parameters, ""),
        (counted.choosing_parameters, "with one reference per segment, "),
    ):
        if named := [name for name in names if name in own]:
            note = f"{where}rows can be scored with other values, if they have the columns: {', '.join(named)}"
            lines.append(textwrap.fill(note, 100, initial_indent="  ", subsequent_indent="  "))
    return lines
