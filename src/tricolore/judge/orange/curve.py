"""ORANGE by the length of the n-best lists (Lin & Och 2004, figure 1): computed in one pass, written and plotted."""

from __future__ import annotations

import io
import os
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import MissingExtraError
from ...writers import writing, writing_bytes, writing_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from .results import Orange

#: The default step is the smallest power of two with at most this many points. For lists of 16,384 candidates it is
#: 64, as in the paper.
POINTS = 256

#: Colours and line styles; a new style begins when the colours are used up.
COLOURS, DASHES = 10, ("-", "--", ":", "-.")


@dataclass(frozen=True, eq=False)
class Curve:
    """ORANGE and the average rank if only the first candidates of each list are used."""

    n: NDArray[np.int64]  #: the number of candidates
    orange: NDArray[np.float64]
    average_rank: NDArray[np.float64]


class CurveSums:
    """Sums over sources at every point; a list shorter than a point contributes its whole length."""

    def __init__(self, step: int | None, drop: bool):
        self.step = step or 1
        self._free = step is None
        self._drop = drop  # only the longest lists count
        self._reset()

    def _reset(self) -> None:
        self._longest = 0
        self._points: NDArray[np.float64] | None = None  # (rank, ratio) x metrics x multiples of the step
        self._ends: NDArray[np.float64] | None = None  # the same for whole lists

    def add(self, ahead: NDArray[np.float64]) -> None:
        """Add a source: metrics x candidates, the number of places by which each candidate lowers the oracle."""
        size = ahead.shape[1]
        if self._drop and size != self._longest:
            if size < self._longest:
                return
            self._reset()
        if self._points is None or self._ends is None:
            self._points = np.zeros((2, len(ahead), 0))
            self._ends = np.zeros((2, len(ahead), 1))
        self._longest = max(self._longest, size)
        while self._free and self._longest > POINTS * self.step:
            self.step *= 2
            self._points = self._points[..., 1::2]
        more = self._longest // self.step - self._points.shape[-1]
        self._points = np.concatenate([self._points, np.repeat(self._ends, more, axis=-1)], axis=-1)
        n = np.minimum(self._multiples(), size)
        ranks = 1.0 + np.cumsum(ahead, axis=1)
        self._points += [ranks[:, n - 1], ranks[:, n - 1] / (n + 1)]
        self._ends += [ranks[:, -1:], ranks[:, -1:] / (size + 1)]

    def _multiples(self) -> NDArray[np.int64]:
        return np.arange(self.step, self._longest + 1, self.step)

    def curves(self, ranks: NDArray[np.float64], sizes: NDArray[np.int64]) -> list[Curve]:
        """One curve per metric; the last point is for whole lists."""
        assert self._points is not None
        n = self._multiples()
        sums = self._points
        if not len(n) or n[-1] != self._longest:
            n = np.append(n, self._longest)
        else:
            sums = sums[..., :-1]
        ends = np.stack([ranks.sum(axis=0), (ranks / (sizes + 1)[:, None]).sum(axis=0)])
        means = np.concatenate([sums, ends[..., None]], axis=-1) / len(sizes)
        return [Curve(n, orange, rank) for rank, orange in zip(*means, strict=True)]


@contextmanager
def writing_curve(path: str | None) -> Iterator[Callable[[Orange], None]]:
    """Open a file for the curve: a plot (`.svg`, `.png`) or data (`.tsv`, `.csv`, `.jsonl`)."""
    kind = "" if path is None else os.path.splitext(path)[1]
    if path is None or kind not in (".svg", ".png"):
        with writing_records(path) as write:
            yield lambda found: write(found.curve())
        return
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise MissingExtraError(f"{path}: plots require matplotlib; pip install 'tricolore[plot]'") from None
    open_file: Any = writing_bytes if kind == ".png" else writing
    with open_file(path) as stream:
        yield lambda found: stream.write(picture(found, kind[1:]))


def picture(results: Orange, kind: str) -> Any:
    """Plot the curves, the best metric first in the legend: the text of an SVG, or the bytes of a PNG."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "tricolore", "svg.fonttype": "none"}):  # for reproducible files
        figure = Figure(figsize=(8, max(4.5, 0.2 * len(results))), layout="constrained")
        axes = figure.add_subplot()
        styles = cycle((f"C{colour}", dash) for dash in DASHES for colour in range(COLOURS))
        for one, (colour, dash) in zip(sorted(results, key=lambda one: one.orange), styles, strict=False):
            assert one.curve is not None
            marker = "o" if len(one.curve.n) == 1 else None
            look: dict[str, Any] = {"color": colour, "linestyle": dash, "marker": marker}
            axes.plot(one.curve.n, 100 * one.curve.orange, label=results.title(one), **look)
        axes.set_xlabel("candidates of each source, N")
        axes.set_ylabel("ORANGE, %")
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        figure.legend(loc="outside right upper", fontsize="small")
        file: Any = io.StringIO() if kind == "svg" else io.BytesIO()
        about = {"Date" if kind == "svg" else "Software": None, "Description": "; ".join(x.signature for x in results)}
        figure.savefig(file, format=kind, dpi="figure" if kind == "svg" else 150, metadata=about)
        return file.getvalue()
