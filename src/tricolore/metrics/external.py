"""Scores that were computed elsewhere, such as those of COMET: read, not counted, and from then on rows that add."""

from __future__ import annotations

from dataclasses import dataclass

from .._version import __version__
from ..elementwise import divide
from ..errors import SpecError
from ..parameters import Flag, Kind, param
from ..scoring import with_items
from .base import Metric, Title

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..types import Array, Counted


class Text(Kind):
    """Any text."""

    expects = "a text"

    def check(self, value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError
        return value


@dataclass(frozen=True, repr=False)
class ExternalMetric(Metric):
    """External scores: the mean over segments.

        Score = Σ s / N

    s: score of a segment; N: number of segments. A row is the score of a segment and 1.

    >>> comet = ExternalMetric(name="COMET", file="comet.json")
    >>> comet.score([1.6, 2]), comet.signature()
    (0.8, 'COMET|file:comet.json|better:higher|version:tricolore-...')
    """

    family = "external"
    citation = ""
    title = Title("external", lambda metric: metric.name)
    columns = ("total", "segments")
    display_scale = 1.0
    display_digits = 3

    name: str = param("score", Text(), "name of the metric")
    file: str = param("", Text(), "where its scores were read")
    higher_is_better: bool = param(True, Flag(), "whether higher scores are better")
    said: str = param("", Text(), "the signature that came with the scores")

    @property
    def spec(self) -> str:
        """The name: there is no text from which scores could be had again."""
        return self.name

    def count(self, hyps: Sequence[Any], refs: Sequence[Any], rows: Array | None, threads: int) -> Counted:
        raise SpecError(f"{self.name}: its scores were computed elsewhere; it cannot score texts")

    def value(self, row: Sequence[Any]) -> Any:
        return divide(row[0], row[1])

    def describe(self, parts: Any) -> str:
        return ""

    def title_among(self, metrics: Sequence[Metric]) -> str:
        alone = sum(other.title == self.title for other in metrics) == 1
        return self.title if alone else f"{self.title} ({self.file or 'external'})"

    def settings(self) -> dict[str, Any]:
        better = {"better": "higher" if self.higher_is_better else "lower"}
        return {"file": self.file, **better} if self.file else better

    def signature_items(self, nrefs: tuple[int, int] | None = None, ids: bool = False) -> dict[str, Any]:
        return {**self.settings(), "version": f"tricolore-{__version__}"}

    def signature(self, nrefs: tuple[int, int] | None = None, ids: bool = False) -> str:
        if not self.said:
            return super().signature(nrefs, ids)
        return with_items(self.said, {"averaged": "yes"})  # the metric itself may not be a mean


#: Names of metrics for which lower is better, in lower case.
ERROR_RATES = ("cder", "cer", "per", "ter", "wer")


def is_error_score(name: str) -> bool:
    """Whether a metric of this name is known to count errors.

    >>> is_error_score("MetricX-24-Hybrid"), is_error_score("TER"), is_error_score("COMET")
    (True, True, False)
    """
    return name.lower().startswith("metricx") or name.lower() in ERROR_RATES
