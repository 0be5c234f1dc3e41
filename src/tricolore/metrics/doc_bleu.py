"""Document BLEU."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..elementwise import divide
from ..parameters import param, parameters
from .bleu import BLEU
from .ngram_precision import SMOOTH, SMOOTHINGS, BLEUParameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from .base import Counted
    from .pairwise import Group


@dataclass(frozen=True, repr=False)
class DocumentBLEU(BLEUParameters):
    """Document BLEU: segment scores averaged by reference length (Chen & Cherry 2014, eq. 13).

        docBLEU = Σᵢ rᵢ BLEUᵢ / Σᵢ rᵢ

    BLEUᵢ: BLEU of segment i with `smooth`; rᵢ: its effective reference length, the same as in its brevity
    penalty. 0 where all references are empty. Smoothing 7, the paper's best, is the default.

    >>> round(float(DocumentBLEU(order=1, smooth=0)(["a b", "x y z w"], ["a b", "x y q r"])), 4)
    0.6667
    """

    name = "doc-bleu"
    title = "docBLEU"
    citation = (
        "Boxing Chen, Colin Cherry (2014): A systematic comparison of smoothing techniques for sentence-level "
        "BLEU. WMT."
    )
    columns = ("weighted_score", "ref_len", "segments")
    pairs_at_a_time = 1 << 20
    averages_references = True

    smooth: str | int = param(7, SMOOTHINGS, SMOOTH)

    @cached_property
    def _segment_metric(self) -> BLEU:
        return BLEU(**{field.name: getattr(self, field.name) for field in parameters(self)})

    def count(self, hyps: list[str], refs: list[Any], rows: NDArray[np.float64] | None, threads: int) -> Counted:
        import numpy as np

        bleu = self._segment_metric
        counted = np.empty((len(hyps), len(bleu.columns)))
        _, fewest, most = bleu.count(hyps, refs, counted, threads)
        r = counted[:, bleu.columns.index("ref_len")]
        weighed = np.column_stack([r * bleu.score(counted), r, np.ones(len(hyps))])
        if rows is not None:
            rows[:] = weighed
        return weighed.sum(axis=0).tolist(), fewest, most

    def pair_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        bleu = self._segment_metric
        at = bleu.columns.index("ref_len")
        for columns in bleu.pair_columns(groups, threads):
            yield columns[at] * bleu.value(columns), columns[at], 1.0

    def count_one(self, hyp: str, refs: Any) -> tuple[list[float], int]:
        bleu = self._segment_metric
        row, number = bleu.count_one(hyp, refs)
        r = row[bleu.columns.index("ref_len")]
        return [r * bleu.value(row), r, 1.0], number

    def value(self, row: Sequence[Any]) -> Any:
        return divide(row[0], row[1])

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        return {"value": self.value(row), "ref_len": row[1], "segments": row[2]}

    def describe(self, parts: Mapping[str, Any]) -> str:
        return f"(segments = {parts['segments']:.10g} ref_len = {parts['ref_len']:.10g})"
