"""Text on a terminal: how many columns it takes, and stretches in bold or in colour."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

#: Looks of text, as numbers of ECMA-48 (SGR).
BOLD, RED, GREEN, YELLOW, BLUE = 1, 31, 32, 33, 34
COLOURS = range(30, 38)

_JOINER, _EMOJI_STYLE, _SOFT_HYPHEN = "\u200d", "\ufe0f", "\u00ad"
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_INNER_JAMO = {*range(0x1160, 0x1200), *range(0xD7B0, 0xD800)}  # vowels and finals, which join the initial before


def columns_of(text: str) -> int:
    """The columns that a text takes on a terminal: two for wide characters, none for marks that join the one before.

    >>> columns_of("naïve"), columns_of("日本語"), columns_of("e\u0301")
    (5, 6, 1)
    """
    if text.isascii():
        return len(text) if text.isprintable() else sum(map(str.isprintable, text))
    from unicodedata import category, east_asian_width

    total = last = 0
    joined = False
    for character in text:
        code = ord(character)
        if character == _EMOJI_STYLE:
            width = 1 if last == 1 else 0
        elif (
            joined
            or (code in _SKIN_TONES and last == 2)
            or code in _INNER_JAMO
            or (category(character) in ("Mn", "Me", "Cf", "Cc") and character != _SOFT_HYPHEN)
        ):
            width = 0
        else:
            width = last = 2 if east_asian_width(character) in "WF" else 1
        joined = character == _JOINER
        total += width
    return total


def padded(text: str, width: int, *, left: bool = True) -> str:
    """The text with spaces up to a width, after it or before it."""
    space = " " * (width - columns_of(text))
    return text + space if left else space + text


class Paint:
    """Sets text in bold or colour, as far as a stream shows it: a terminal, unless TERM or NO_COLOR say otherwise."""

    def __init__(self, stream: TextIO):
        import os

        from .platforms import obeys_escapes

        self.bold = stream.isatty() and os.environ.get("TERM") not in ("dumb", "unknown") and obeys_escapes(stream)
        self.colour = self.bold and not os.environ.get("NO_COLOR")

    def __call__(self, text: str, *looks: int) -> str:
        """The text with these looks."""
        shown = [str(one) for one in looks if (self.colour if one in COLOURS else self.bold)]
        return f"\x1b[{';'.join(shown)}m{text}\x1b[0m" if shown and text else text


def without_looks(text: str) -> str:
    r"""A text as it was before it was painted.

    >>> without_looks("\x1b[1;32m29.3\x1b[0m")
    '29.3'
    """
    return re.sub(r"\x1b\[[\d;]*m", "", text)
