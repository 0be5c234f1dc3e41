"""A score: a number that knows its parts, its statistics and how to be cited."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .metrics.base import Metric
    from .stats import Stats


class Score:
    """The value of a metric on one corpus or segment.

    `float(score)` is on the metric's own scale (0 to 1 for BLEU); printing multiplies by 100 where people
    expect that. The parts are attributes, and all of them are in `parts`.

    >>> from tricolore import BLEU
    >>> score = BLEU()(["the cat sat on the mat"], ["the cat is on the mat"])
    >>> print(score)
    BLEU = 37.99 83.3/60.0/25.0/16.7 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
    >>> round(score, 4), f"{score:.2f}", score.bp, score.hyp_len
    (0.3799, '0.38', 1.0, 6.0)
    """

    __slots__ = ("_row", "ids", "metric", "nrefs", "value")

    def __init__(self, metric: Metric, row: list[float], nrefs: tuple[int, int] | None, ids: bool = False):
        self.metric = metric
        self.value: float = metric.value(row)
        self.nrefs = nrefs
        self.ids = ids  #: whether token numbers were scored, not text
        self._row = row

    def __float__(self) -> float:
        return self.value

    def __round__(self, digits: int | None = None) -> float:
        return round(self.value, digits)

    def __format__(self, form: str) -> str:
        return format(self.value, form) if form else str(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in self.__slots__:  # not a part, or asked for while unpickling
            raise AttributeError(name)
        parts = self.parts
        if name not in parts:
            raise AttributeError(f"{self.metric.title} has no part {name!r}; its parts are {', '.join(parts)}")
        return parts[name]

    @property
    def parts(self) -> dict[str, Any]:
        """What the score is made of, by name."""
        return self.metric.parts(self._row)

    @property
    def stats(self) -> Stats:
        """The summed statistics behind the score."""
        import numpy as np

        from .stats import Stats

        return Stats(np.array(self._row), self.metric.columns, self.nrefs, self.metric.counting(self.nrefs, self.ids))

    @property
    def signature(self) -> str:
        """All that is needed to compute this number again, in one line."""
        return self.metric.signature(self.nrefs, self.ids)

    @property
    def verbose(self) -> str:
        """The parts as people read them."""
        return self.metric.describe(self.parts)

    def display(self, width: int | None = None) -> str:
        """The number alone, as it is printed, with `width` digits after the point."""
        digits = self.metric.display_digits + 1 if width is None else width
        return f"{self.value * self.metric.display_scale:.{digits}f}"

    def format(self, width: int | None = None) -> str:
        """Return one line: name, number and parts."""
        return f"{self.metric.title} = {self.display(width)} {self.verbose}".rstrip()

    def __repr__(self) -> str:
        return self.format()
