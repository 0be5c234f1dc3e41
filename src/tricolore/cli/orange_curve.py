"""The curve of ORANGE over the length of n-best lists: a picture, or data."""

from __future__ import annotations

import io
import os
from contextlib import ExitStack
from itertools import cycle
from typing import TYPE_CHECKING, Any, Self

from ..compression import without_suffix
from ..errors import MissingExtraError
from ..writers import writing, writing_bytes
from .orange_results import title
from .printing import as_json
from .tables import name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..judge.orange.ranking import Orange

#: Metrics of a picture that are told apart by colour; more get another dash.
COLOURS, DASHES = 10, ("-", "--", ":", "-.")


class CurveFile:
    """A file for the curve: `.svg` or `.png` to look at, `.tsv` or `.jsonl` to compute with."""

    def __init__(self, path: str):
        self.path = path
        self.kind = os.path.splitext(without_suffix(path))[1]
        if self.kind in (".svg", ".png"):
            try:
                import matplotlib  # noqa: F401
            except ImportError:
                raise MissingExtraError(f"{path}: a picture needs matplotlib; pip install 'tricolore[plot]'") from None

    def __enter__(self) -> Self:
        self._open = ExitStack()
        self.stream: Any = self._open.enter_context(
            writing_bytes(self.path) if self.kind == ".png" else writing(self.path)
        )
        return self

    def __exit__(self, *error: Any) -> bool | None:
        return self._open.__exit__(*error)

    def write(self, results: Sequence[Orange]) -> None:
        """Write the curves of all metrics."""
        if self.kind in (".svg", ".png"):
            self.stream.write(picture(results, self.kind[1:]))
            return
        columns = ("metric", "n", "orange", "average_rank", "signature")
        if self.kind == ".tsv":
            print(*columns, sep="\t", file=self.stream)
        for row in points(results):
            if self.kind == ".tsv":
                print(*(name(str(item)) for item in row), sep="\t", file=self.stream)
            else:
                print(as_json(dict(zip(columns, row, strict=True))), file=self.stream)


def points(results: Sequence[Orange]) -> Iterator[tuple[str, int, float, float, str]]:
    """Every point of every curve; ORANGE in percent, as printed."""
    for one in results:
        assert one.curve is not None
        for n, orange, rank in zip(one.curve.n, one.curve.orange, one.curve.average_rank, strict=True):
            yield one.metric.spec, int(n), 100 * float(orange), float(rank), one.signature


def picture(results: Sequence[Orange], kind: str) -> Any:
    """Draw the curves, the best metric first in the legend: text of an SVG, or bytes of a PNG."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "tricolore", "svg.fonttype": "none"}):  # so that it is the same every time
        figure = Figure(figsize=(8, max(4.5, 0.2 * len(results))), layout="constrained")
        axes = figure.add_subplot()
        styles = cycle((f"C{colour}", dash) for dash in DASHES for colour in range(COLOURS))
        for one, (colour, dash) in zip(sorted(results, key=lambda one: one.orange), styles, strict=False):
            assert one.curve is not None
            marker = "o" if len(one.curve.n) == 1 else None
            look: dict[str, Any] = {"color": colour, "linestyle": dash, "marker": marker}
            axes.plot(one.curve.n, 100 * one.curve.orange, label=title(one, results), **look)
        axes.set_xlabel("translations of each source, N")
        axes.set_ylabel("ORANGE, %")
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        figure.legend(loc="outside right upper", fontsize="small")
        return rendered(figure, kind, "; ".join(one.signature for one in results))


def rendered(figure: Any, kind: str, about: str) -> Any:
    """The picture with its signatures inside, and without the time of day."""
    if kind == "svg":
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Description": about})
        return text.getvalue()
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=150, metadata={"Software": None, "Description": about})
    return data.getvalue()
