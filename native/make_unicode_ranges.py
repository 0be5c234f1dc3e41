"""Write unicode_ranges.inc: the code points that tokenisers tell apart.

Those are punctuation (P), symbols (S), numbers (N), marks (M), and the letters of scripts that are written without
spaces. The `intl` tokeniser must agree with the `regex` package that sacreBLEU uses, so the classes are read
from there. Run `python native/make_unicode_ranges.py` with a newer `regex` to move to a newer Unicode;
tests/test_tokenizers.py compares the result with the installed `regex`, code point by code point.
"""

import sys
from pathlib import Path

import regex

UNSPACED = ("Han", "Hiragana", "Katakana", "Bopomofo", "Yi", "Thai", "Lao", "Khmer", "Myanmar", "Tai_Le", "New_Tai_Lue")
LETTERS = "|".join(rf"\p{{Script_Extensions={script}}}" for script in UNSPACED)
CLASSES = {r"\p{P}": 1, r"\p{S}": 2, r"\p{N}": 3, r"\p{M}": 4, rf"(?=\p{{L}})(?:{LETTERS})": 5}
UNICODE_VERSION = "17.0"  # that of the installed `regex`, which does not say; its changelog does


def ranges():
    """Yield (first, last, class) in code point order."""
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    found = []
    for pattern, number in CLASSES.items():
        for match in regex.finditer(rf"(?:{pattern})+", everything):
            found.append((match.start(), match.end() - 1, number))
    return sorted(found)


def main():
    """Write the file beside this script."""
    rows = ranges()
    lines = [
        "// Made by make_unicode_ranges.py from the `regex` package; do not edit.",
        f'inline constexpr const char* unicode_version = "{UNICODE_VERSION}";',
        f"inline constexpr CharacterRange unicode_ranges[{len(rows)}] = {{",
    ]
    cells = [f"{{0x{a:X}, 0x{b:X}, {c}}}," for a, b, c in rows]
    for i in range(0, len(cells), 4):
        lines.append("    " + " ".join(cells[i : i + 4]))
    lines.append("};")
    Path(__file__).with_name("unicode_ranges.inc").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
