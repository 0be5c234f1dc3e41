"""Text that a terminal prints and does not obey."""

from __future__ import annotations

import re

#: Control characters, ends of lines, changes of direction; and halves of characters, which cannot be written.
_UNPRINTABLE = "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"


def printable(text: str) -> str:
    r"""Write what a terminal would obey as an escape, and a byte of a file name that is not UTF-8 as that byte.

    >>> printable("a\x1b[31m.txt"), printable("caf\udce9"), printable("naïve 你好 👋")
    ('a\\x1b[31m.txt', 'caf\\xe9', 'naïve 你好 👋')
    """
    return text if text.isprintable() else re.sub(_UNPRINTABLE, _escape, text)


def printable_json(text: str) -> str:
    r"""Do so in a JSON text, with escapes that JSON reads back as the same characters; its own line ends stay.

    >>> printable_json('{"name": "a\x9b31m"}')
    '{"name": "a\\u009b31m"}'
    """
    return re.sub(_UNPRINTABLE, lambda match: "\n" if match[0] == "\n" else f"\\u{ord(match[0]):04x}", text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:  # how Python holds such a byte
        return f"\\x{code - 0xDC00:02x}"
    return match[0].encode("unicode_escape").decode()
