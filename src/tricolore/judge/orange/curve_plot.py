"""A plot of ORANGE over the length of the n-best lists (Lin & Och 2004, figure 1)."""

from __future__ import annotations

import io
import os
from contextlib import contextmanager
from itertools import cycle
from typing import TYPE_CHECKING, Any

from ...errors import MissingExtraError
from ...writers import writing, writing_bytes, writing_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .results import Orange

#: Colours and line styles; a new style begins when the colours are used up.
COLOURS, DASHES = 10, ("-", "--", ":", "-.")


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
