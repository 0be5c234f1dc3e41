"""Metrics that are another metric with some of its parameters set."""

from __future__ import annotations

from .base import Metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from ..counting import Counting
    from .base import Counted
    from .pairwise import Group


class Defined(Metric):
    """A metric that is another one with some of its parameters set."""

    @property
    def definition(self) -> Metric:
        """The metric it is."""
        raise NotImplementedError

    @property
    def columns(self) -> tuple[str, ...]:
        """Those of the definition."""
        return self.definition.columns

    def counting(self, nrefs: tuple[int, int] | None, ids: bool) -> Counting:
        """As the definition."""
        return self.definition.counting(nrefs, ids)

    def count(self, hyps: list[str], refs: list[Any], rows: NDArray[np.float64] | None, threads: int) -> Counted:
        """Count as the definition does."""
        return self.definition.count(hyps, refs, rows, threads)

    @property
    def pairs_at_a_time(self) -> int:  # type: ignore[override]
        """As many as of the definition."""
        return self.definition.pairs_at_a_time

    @property
    def averages_references(self) -> bool:  # type: ignore[override]
        """As in the definition."""
        return self.definition.averages_references

    def pair_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        """Count as the definition does."""
        return self.definition.pair_columns(groups, threads)

    def value(self, row: Sequence[Any]) -> Any:
        """Score as the definition does."""
        return self.definition.value(row)

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        """The parts of the definition."""
        return self.definition.parts(row)

    def describe(self, parts: Mapping[str, Any]) -> str:
        """Describe as the definition does."""
        return self.definition.describe(parts)

    def settings(self) -> dict[str, Any]:
        """All settings of the definition."""
        return self.definition.settings()
