"""The result of an audit: sections, and a summary of metrics by properties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ...errors import unknown
from ...results import Page, Result, Table
from ...types import Record
from .section import Section, Verdict, mark, plain


@dataclass(frozen=True)
class AuditedName:
    """A metric as it is cited."""

    metric: str
    title: str
    signature: str
    higher_is_better: bool

    @property
    def arrowed(self) -> str:
        """The title, with an arrow where lower is better."""
        return self.title + ("" if self.higher_is_better else " ↓")


@dataclass(frozen=True, eq=False, repr=False)
class Audit(Result):
    """What was found, section by section; `found["decomposability"]` is one of them."""

    metrics: tuple[AuditedName, ...]
    sections: tuple[Section, ...]
    systems: tuple[str, ...]
    segments: int
    audited: str  #: the part of the signature that describes the audit

    printed_facts = ("verdicts",)

    def __getitem__(self, name: str) -> Any:
        for one in self.sections:
            if one.name == name:
                return one
        raise unknown("section", name, [one.name for one in self.sections])

    def __repr__(self) -> str:
        return (
            f"Audit of {', '.join(one.metric for one in self.metrics)} on {len(self.systems)} systems and "
            f"{self.segments} segments: {', '.join(one.name for one in self.sections)}"
        )

    @property
    def verdicts(self) -> list[Verdict]:
        """All verdicts, section by section."""
        return [verdict for one in self.sections for verdict in one.verdicts]

    def verdict(self, metric: str, property: str) -> Verdict:
        """The verdict about a property of a metric."""
        for one in self.verdicts:
            if (one.metric, one.property) == (metric, property):
                return one
        raise unknown("verdict", f"{metric}: {property}", [f"{one.metric}: {one.property}" for one in self.verdicts])

    def plot(self, folder: Any) -> list[str]:
        """Write pictures of every section to a folder, as SVG; return their paths."""
        # As in `Result.report`: pictures are made above results, and loaded only here.
        return import_module("tricolore.reporting.audit_pictures").write_pictures(self, folder)  # type: ignore[no-any-return]

    def summary(self) -> Table:
        """Metrics by properties: whether each holds, and the number behind it."""
        properties = [*dict.fromkeys(one.property for one in self.verdicts)]
        cells = {(one.metric, one.property): mark(one) for one in self.verdicts}
        rows = [[one.arrowed, *(cells.get((one.metric, name), "n/a") for name in properties)] for one in self.metrics]
        return Table(("Metric", *properties), rows, heading="Summary")

    def to_dict(self) -> dict[str, Any]:
        """Everything, section by section."""
        return {
            "metrics": [plain(one) for one in self.metrics],
            "systems": [*self.systems],
            "segments": self.segments,
            "audited": self.audited,
            "sections": {one.name: one.to_dict() for one in self.sections},
        }

    def facts(self) -> Mapping[str, Sequence[Record]]:
        """Verdicts, one per metric and property; then the facts of each section."""
        signatures = {one.metric: one.signature for one in self.metrics}
        verdicts = [{**plain(one), "signature": signatures[one.metric]} for one in self.verdicts]
        found: dict[str, Sequence[Record]] = {"verdicts": verdicts}
        for one in self.sections:
            found |= one.facts()
        return found

    def page(self, width: int | None = None) -> Page:
        """The summary, then each section with its verdicts and examples."""
        tables = [self.summary(), *(table for one in self.sections for table in one.tables(width))]
        notes = [
            "✓: the metric was not found to lack the property; ✗: it lacks it; –: these texts cannot tell; n/a: "
            "the metric has no such option. Numbers are in the units of the metric."
        ]
        notes += [note for one in self.sections for note in one.notes]
        return Page(tables, notes, [*(one.signature for one in self.metrics), self.audited])
