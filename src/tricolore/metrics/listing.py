"""The list of metrics, and an explanation of each."""

import inspect
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..parameters import parameters
from ..results import Page, Result, Table
from ..spec import write
from ..types import Record
from . import NOT_HERE, aliases_of, families, metric
from .base import Metric

#: The first line of a metric's docstring: name, description and paper.
SUMMARY = re.compile(r"[^:]+: (?P<description>.+) \((?P<paper>.+? \d{4}[^)]*?)(?:, (?:eq\.|sec\.|section) [^)]*)?\)\.")


@dataclass(frozen=True, repr=False)
class MetricList(Result):
    """The metrics by family; the result of `list_metrics`."""

    families: Mapping[str, Sequence[type[Metric]]]

    def __repr__(self) -> str:
        return f"<{sum(map(len, self.families.values()))} metrics in {len(self.families)} families>"

    def to_dict(self) -> dict[str, Any]:
        return {family: [*map(_record, classes)] for family, classes in self.families.items()}

    def facts(self) -> Mapping[str, Sequence[Record]]:
        records = ({"family": family, **one} for family, found in self.to_dict().items() for one in found)
        return {"metrics": [{**one, "aliases": " ".join(one["aliases"])} for one in records]}

    def page(self, width: int | None = None) -> Page:
        tables = [
            Table(("Name", "Metric"), [(cls.name, _first_line(cls)) for cls in classes], family, left=2)
            for family, classes in self.families.items()
        ]
        tables.append(Table(("Name", "Requires"), [*NOT_HERE.items()], "not available", left=2))
        return Page(tables, ["tricolore metrics NAME explains one. Parameters go in parentheses: 'bleu(order=2)'."])


def list_metrics() -> MetricList:
    """List the metrics by family: name, title, description, paper, other names, and whether lower is better.

    >>> list_metrics()
    <28 metrics in 8 families>
    >>> [one["name"] for one in list_metrics().to_dict()["edit rates"]]
    ['wer', 'wrr', 'ler', 'per', 'cder', 'ter']
    >>> list_metrics().records()[0]["paper"]
    'Papineni et al. 2002'
    """
    return MetricList(families())


def _first_line(cls: type[Metric]) -> str:
    return (cls.__doc__ or "").partition("\n")[0]


def _record(cls: type[Metric]) -> Record:
    summary = SUMMARY.fullmatch(_first_line(cls))
    assert summary, f"{cls.__name__}: the first line of the docstring must be 'Name: what it is (paper year).'"
    return {
        "name": cls.name,
        "title": cls.title,
        "description": summary["description"],
        "paper": summary["paper"],
        "aliases": aliases_of(cls.name),
        "higher_is_better": cls.higher_is_better,
    }


def explanation(text: str) -> str:
    """Explain one metric: its documentation, its parameters with defaults, its columns, its paper."""
    default = metric(text)
    cls = type(default)
    lines = [f"{cls.name}: {default.title}", "", inspect.getdoc(cls) or "", "", "Parameters"]
    for field in parameters(cls):
        implied = field.default is None and getattr(default, field.name) is not None
        value = write(getattr(default, field.name)) + (" (depends on other parameters)" if implied else "")
        lines.append(f"  {field.name} = {value}")
        lines.append(_filled(f"{field.metadata['doc']}. Takes {field.metadata['kind'].expects}.", 6))
    lines += ["", "Statistics", f"  {', '.join(default.columns)}", *_rescoring(default)]
    return "\n".join([*lines, "", "Paper", _filled(cls.citation, 2)])


def _filled(text: str, indent: int) -> str:
    return textwrap.fill(text, 100, initial_indent=" " * indent, subsequent_indent=" " * indent)


def _rescoring(metric: Metric) -> list[str]:
    """The parameters that can be changed without counting again."""
    own = {field.name for field in parameters(type(metric))}
    lines = []
    kinds = {"": metric.scoring_parameters, "with one reference per segment, ": metric.choosing_parameters}
    for where, names in kinds.items():
        if named := [name for name in names if name in own]:
            note = f"{where}rows can be scored with other values, if they have the columns: {', '.join(named)}"
            lines.append(_filled(note, 2))
    return lines
