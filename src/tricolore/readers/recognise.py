"""What a text file is, where it is not what its reader expects: by strong evidence in its first lines.

Ordinary text may begin with `<` or `{` and may have tabs and commas in it. So mark-up needs a declaration or a tag that
opens a document; JSON, an n-best list and columns need every one of the first lines; a header needs names of columns.
"""

from __future__ import annotations

import re
from itertools import islice

from ..errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

MARKUP = "SGML or XML mark-up"
SEGMENTS = "SGML mark-up (<seg> on every line)"
JSON = "JSON"
NBEST = "an n-best list"
TSV = "a table (TSV with a header)"
CSV = "a table (CSV with a header)"
COLUMNS = "tab-separated columns"

#: What to do about each where plain text is expected.
REMEDIES = {
    MARKUP: "extract the segments first, or read it as a table (--table)",
    SEGMENTS: "extract the segments first, or read it as a table (--table)",
    JSON: "extract one field first, such as with jq -r .mt, or read it as a table (--table)",
    NBEST: "choose one candidate for each source first, such as with tricolore rerank",
    TSV: "cut out one column first, or read it as a table (--table)",
    CSV: "cut out one column first, or read it as a table (--table)",
    COLUMNS: "cut out one column first, or say how many references a line has",
}

FORMS = frozenset(REMEDIES)

LINES = 100  #: that are looked at
CHARACTERS = 1 << 20  #: that they have together, at most, but for the last

# Compiled where a line looks like one, which those of most files do not.
_DOCUMENT = (
    r"(?i)\s*<(\?xml|!doctype|!--|(refset|srcset|tstset|dataset|mteval|docset|doc|tmx|xliff|tei|html|corpus)[\s>])"
)
_SEGMENT = r"(?i)\s*<seg\b[^>]*>"
_CANDIDATE = r"\s*[0-9]+ \|\|\| "
_NAME = r'"?[A-Za-z][\w.+-]*"?'

#: What columns are called, in lower case and without a number.
_COLUMNS = frozenset(
    [
        "annotator",
        "da",
        "doc",
        "doc_id",
        "docid",
        "document",
        "domain",
        "human",
        "hyp",
        "hypothesis",
        "id",
        "lang",
        "line",
        "lp",
        "metric",
        "mqm",
        "mt",
        "output",
        "rank",
        "rater",
        "rating",
        "ref",
        "reference",
        "references",
        "refs",
        "score",
        "scores",
        "seg",
        "seg_id",
        "segid",
        "segment",
        "segment_id",
        "source",
        "src",
        "sys",
        "system",
        "target",
        "text",
        "tgt",
        "translation",
    ]
)


def peek(lines: Iterator[str]) -> list[str]:
    """Take the first lines, as far as they are looked at."""
    taken: list[str] = []
    size = 0
    for line in islice(lines, LINES):
        taken.append(line)
        size += len(line)
        if size >= CHARACTERS:
            break
    return taken


def refuse_others(
    beginning: Sequence[str], name: str, expected: str, reads: Collection[str] = (), as_text: str = ""
) -> None:
    """Refuse a file whose first lines have another form than those that are read.

    `as_text` is how to say that it is plain text all the same, where that can be said.
    """
    found = recognised(beginning, reads)
    if found is not None:
        remedy = f"; {REMEDIES[found]} ({as_text} if it is plain text)" if as_text else ""
        raise InputError(f"{name}: found {found}; expected {expected}{remedy}")


def recognised(beginning: Sequence[str], but: Collection[str] = ()) -> str | None:
    """Name the form of a file by its first lines, if it is one of those known here and no one of `but`.

    >>> recognised(['<refset setid="a" srclang="en">', "<doc>"]), recognised(["<unk> is a token"])
    ('SGML or XML mark-up', None)
    >>> recognised(['{"mt": "a"}', '{"mt": "b"}']), recognised(["{sic} he said", "[applause]"])
    ('JSON', None)
    """
    lines = [line for line in beginning if line.strip()]
    return next((form for form, fits in _FITS.items() if form not in but and lines and fits(lines)), None)


def _is_json(lines: Sequence[str]) -> bool:
    """Objects or lists, one on every line, or one over many lines of which these are the first."""
    if not lines[0].lstrip().startswith(("{", "[")):
        return False
    return all(map(_is_record, lines)) or (len(lines) > 1 and _is_json_so_far("\n".join(lines)))


def _is_record(line: str) -> bool:
    import json

    try:
        return isinstance(json.loads(line), dict | list)
    except (ValueError, RecursionError):
        return False


def _is_json_so_far(text: str) -> bool:
    """Whether a text is JSON, or only breaks off where it ends."""
    import json

    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.pos >= len(text.rstrip())
    except (ValueError, RecursionError):
        return False
    return True


def _has_header(line: str, delimiter: str) -> bool:
    """Whether a line is names of columns, one of which is usual."""
    if " " in line:  # as in most texts
        return False
    names = line.split(delimiter)
    return len(names) > 1 and all(re.fullmatch(_NAME, name) for name in names) and any(map(_usual, names))


def _is_csv(lines: Sequence[str], delimiter: str) -> bool:
    """A header, and rows as long as it."""
    if not _has_header(lines[0], delimiter):
        return False
    import csv

    try:
        first, *rows = csv.reader(lines, delimiter=delimiter)
    except csv.Error:
        return False
    return all(len(row) == len(first) for row in (rows[:-1] or rows))  # the last may go on


def _usual(name: str) -> bool:
    return re.sub(r"(?<=..)[_-]?([0-9]+|[a-d])$", "", name.strip('"').lower()) in _COLUMNS or name.lower() in _COLUMNS


def _has_columns(lines: Sequence[str]) -> bool:
    """As many tabs on every line."""
    number = lines[0].count("\t")
    return number > 0 and all(line.count("\t") == number for line in lines)


_FITS: dict[str, Callable[[Sequence[str]], bool]] = {
    MARKUP: lambda lines: "<" in lines[0] and re.match(_DOCUMENT, lines[0]) is not None,
    SEGMENTS: lambda lines: all("<" in line and re.match(_SEGMENT, line) for line in lines),
    JSON: _is_json,
    NBEST: lambda lines: all(" ||| " in line and re.match(_CANDIDATE, line) for line in lines),
    TSV: lambda lines: _has_header(lines[0], "\t"),
    CSV: lambda lines: _is_csv(lines, ",") or _is_csv(lines, ";"),
    COLUMNS: _has_columns,
}
