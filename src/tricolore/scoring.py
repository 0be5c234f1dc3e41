"""A score: a number that knows its parts, its statistics and how to be cited."""

from __future__ import annotations

from .results import Page, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from .metrics.base import Metric
    from .stats import Stats
    from .types import Record


class Score(float, Result):
    """The value of a metric: as a number it is `value`, the paper's (0.2525); printed it is `points` (25.25).

    `float(score)`, arithmetic, comparison, `round` and `f"{score:.2f}"` use `value`, the metric's own scale: 0 to 1
    for BLEU, bits for NIST. `print(score)`, JSON and tables show `points`, the same times `metric.display_scale`: 100,
    except where the literature prints the value itself (NIST). There is no `score.score`.

    The parts are attributes, and all of them are in `parts`.

    >>> from tricolore import BLEU
    >>> score = BLEU()(["the cat sat on the mat"], ["the cat is on the mat"])
    >>> print(score)
    BLEU = 37.99 83.3/60.0/25.0/16.7 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
    >>> round(score.points, 2), round(score.value, 4), f"{score:.4f}", f"{score.points:.2f}"
    (37.99, 0.3799, '0.3799', '37.99')
    >>> score.bp, score.hyp_len, score > 0.3, max(score, 0.5)
    (1.0, 6.0, True, 0.5)
    """

    __slots__ = ("_row", "ids", "metric", "nrefs")

    metric: Metric
    nrefs: tuple[int, int] | None
    ids: bool  #: whether token ids were scored, not text
    _row: list[float]

    def __new__(cls, metric: Metric, row: list[float], nrefs: tuple[int, int] | None, ids: bool = False) -> Score:
        """Score a row of summed statistics."""
        self = float.__new__(cls, metric.value(row))
        self.metric, self._row, self.nrefs, self.ids = metric, row, nrefs, ids
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Score, (self.metric, self._row, self.nrefs, self.ids)

    def __getattr__(self, name: str) -> Any:
        if name == "score":
            raise AttributeError(f"a Score has no 'score': .points is {self.points:g}, .value is {self.value:g}")
        if name.startswith("_"):
            raise AttributeError(name)
        parts = self.parts
        if name not in parts:
            from .old_habits import instead
            from .other_packages import OF_SCORES

            hint = instead(OF_SCORES, name) or f"; its parts are {', '.join(parts)}"
            raise AttributeError(f"{self.metric.title} has no part {name!r}{hint}")
        return parts[name]

    @property
    def value(self) -> float:
        """The number on the metric's own scale, as in its paper: 0 to 1 for BLEU."""
        return float(self)

    @property
    def points(self) -> float:
        """The number as it is printed: 0 to 100 for BLEU."""
        return float(self) * self.metric.display_scale

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
        """The parts as printed."""
        return self.metric.describe(self.parts)

    def display(self, width: int | None = None) -> str:
        """The points alone, with `width` digits after the point."""
        digits = self.metric.display_digits + 1 if width is None else width
        return f"{self.points:.{digits}f}"

    def line(self, width: int | None = None) -> str:
        """Name, points and parts on one line."""
        return f"{self.metric.title} = {self.display(width)} {self.verbose}".rstrip()

    def __repr__(self) -> str:
        return self.line()

    __str__ = __repr__

    def __format__(self, form: str) -> str:
        return format(float(self), form) if form else self.line()

    def to_dict(self) -> dict[str, Any]:
        """The score under sacreBLEU's keys, and ours: `score` is in points, `value` on the metric's own scale."""
        return {
            "name": self.metric.title,
            "score": self.points,
            "signature": self.signature,
            "verbose_score": self.verbose,
            "metric": self.metric.spec,
            "value": self.value,
            "scale": self.metric.display_scale,
            **self.metric.signature_items(self.nrefs, self.ids),
        }

    def facts(self) -> Mapping[str, Sequence[Record]]:
        keys = ("metric", "score", "value", "signature")
        found = self.to_dict()
        return {"scores": [{key: found[key] for key in keys}]}

    def page(self, width: int | None = None) -> Page:
        return Page(lines=[self.line(width)], signatures=[self.signature])


def with_items(signature: str, items: Mapping[str, Any]) -> str:
    """Add items to a signature after the number of references (or of segments), where sacreBLEU has them.

    >>> with_items("BLEU|nrefs:1|case:mixed", {"bs": 1000, "seed": 12345})
    'BLEU|nrefs:1|bs:1000|seed:12345|case:mixed'
    """
    parts = signature.split("|")
    place = 1
    while parts[place:] and parts[place].startswith(("nrefs:", "segments:", "averaged:")):
        place += 1
    return "|".join([*parts[:place], *(f"{key}:{value}" for key, value in items.items()), *parts[place:]])
