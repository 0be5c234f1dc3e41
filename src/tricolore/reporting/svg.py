"""Pieces of pictures: elements, text that is escaped, scales with round ticks; looks are classes of a style sheet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from ..printable import printable

#: The style of a picture that stands alone, in a file; in a page the page's own applies, which knows light and dark.
STYLE = """
text { font: 12px system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; fill: #1c2430 }
.small { font-size: 10.5px } .quiet { fill: #5d6775 } .heading { font-size: 13px; font-weight: 600 }
.strong { font-weight: 600 } .end { text-anchor: end } .middle { text-anchor: middle }
.grid { stroke: #dfe3e8; stroke-width: 1 } .axis { stroke-width: 1.4 }
.zero { stroke: #5d6775; stroke-width: 1; stroke-dasharray: 3 3 } .band { fill: #f1f3f6 }
.line { fill: none; stroke-width: 2; stroke-linejoin: round } .light { fill: #fff }
.bar { stroke-width: 5; stroke-linecap: round; opacity: .38 }
""".strip()

#: Colours of series, told apart by the colour-blind, in the order in which they are used.
COLOURS = ("#1f5fa8", "#c8553d", "#2a8a6e", "#8a5aa8", "#b8860b", "#4a90a4", "#a83f6f", "#6b7a2f", "#7a5c48", "#596273")


def element(name: str, *inside: str, **attributes: Any) -> str:
    """An element; an underscore in the name of an attribute is a hyphen, and one at its end is left out.

    >>> element("text", "a &lt; b", x=1.50, class_="small")
    '<text x="1.5" class="small">a &lt; b</text>'
    """
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{''.join(inside)}</{name}>" if inside else f"<{name}{written}/>"


def _value(value: Any) -> str:
    return f"{round(value, 2):g}" if isinstance(value, float) else escape(str(value))


def text(content: str, x: float, y: float, look: str = "", **more: Any) -> str:
    """A text at a place; what no screen shows is written as an escape."""
    return element("text", escape(printable(content)), x=float(x), y=float(y), class_=look, **more)


def line(x1: float, y1: float, x2: float, y2: float, look: str, **more: Any) -> str:
    """A straight line."""
    return element("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), class_=look, **more)


def picture(width: float, height: float, title: str, *inside: str, alone: bool = False) -> str:
    """A picture with a title for those who do not see it; `alone` gives it a style and white paper of its own."""
    own = [element("style", STYLE), element("rect", width="100%", height="100%", fill="#fff")] if alone else []
    about = element("title", escape(printable(title)))
    box = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {_value(float(width))} {_value(float(height))}"}
    return element("svg", about, *own, *inside, **box, width=float(width), height=float(height), role="img")


def wide(content: str, size: float = 7.0) -> float:
    """About how wide a text is; wide characters count double."""
    return sum(2 * size if ord(c) > 0x2E80 else size for c in printable(content))


@dataclass(frozen=True)
class Scale:
    """From values to places along an axis."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def of(
        cls, values: Sequence[float], start: float, end: float, *, margin: float = 0.05, zero: bool = False
    ) -> Scale:
        """A scale on which all finite values have a place, with a little room on both sides."""
        there = [value for value in values if math.isfinite(value)] or [0.0]
        low, high = min(there), max(there)
        low = min(low, 0.0) if zero else low
        room = (high - low) * margin or abs(high) * 0.05 or 1.0
        return cls(low if zero and low == 0 else low - room, high + room, start, end)

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, number: int = 5) -> list[float]:
        """Round numbers within the scale.

        >>> Scale(0.0, 1.0, 0, 100).ticks()
        [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
        """
        rough = (self.high - self.low) / number
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * unit for unit in (1, 2, 2.5, 5, 10) if power * unit >= rough * 0.999)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [float(f"{k * step:.10g}") for k in range(first, last + 1)]


def axis_below(scale: Scale, top: float, bottom: float, title: str = "") -> str:
    """Ticks and grid of a horizontal axis."""
    parts = []
    for tick in scale.ticks():
        at = scale(tick)
        parts += [line(at, top, at, bottom, "grid"), text(f"{tick:g}", at, bottom + 16, "small quiet middle")]
    parts += [text(title, (scale.start + scale.end) / 2, bottom + 34, "small middle")] if title else []
    return "".join(parts)


def axis_left(scale: Scale, left: float, right: float, title: str = "") -> str:
    """Ticks and grid of a vertical axis."""
    parts = []
    for tick in scale.ticks():
        at = scale(tick)
        parts += [line(left, at, right, at, "grid"), text(f"{tick:g}", left - 6, at + 4, "small quiet end")]
    if title:
        middle = (scale.start + scale.end) / 2
        turned = f"rotate(-90 12 {_value(float(middle))})"
        parts.append(text(title, 12, middle, "small middle", transform=turned))
    return "".join(parts)
