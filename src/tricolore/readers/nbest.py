"""n-best lists: several translations of every source, best first, one source after the other.

    0 ||| it is a cat ||| LM0= -9.1 TM0= -2.5 -1.7 ||| -4.2        as Moses and Marian write them
    0 ||| it is a cat ||| LanguageModel=-9.1 ||| -4.2               as cdec does
    0 ||| it is a cat                                               only what is needed
    {"translations": ["it is a cat", "a cat"]}                      JSON lines, one source a line, as Sockeye does

Sources are numbered from 0, in order, and none is left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..errors import InputError
from .files import name_of, stream_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

SEPARATOR = "|||"


@dataclass
class NBest:
    """The translations of one source."""

    source: int  #: numbered from 0
    line: int  #: where the list begins in its file
    texts: list[str] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)  #: what follows each text, features and total, as it stands there

    def __len__(self) -> int:
        return len(self.texts)


def read_nbest(path: str, sources: int | None = None, known: str = "the list of references") -> Iterator[NBest]:
    """Read an n-best list source by source, never holding more than one; `.gz` and `.zst` are unpacked on the way.

    With `sources` there must be as many, because `known` has as many lines. Whatever is wrong is told with file and
    line.
    """
    name = name_of(path)
    expected = 0
    for nbest in _lists(path):
        where = f"{name}: line {nbest.line}: source {nbest.source}"
        if nbest.source < expected:
            raise InputError(
                f"{where} comes after source {expected - 1}; expected sources in order, each in one block of lines"
            )
        if nbest.source > expected:
            after = f"comes after source {expected - 1}" if expected else "is the first"
            raise InputError(f"{where} {after}; expected source {expected} (sources are numbered from 0, without gaps)")
        if sources is not None and expected >= sources:
            raise InputError(
                f"{where} has no references; {known} ends at line {sources}, which is source {sources - 1}"
            )
        expected += 1
        yield nbest
    if sources is not None and expected < sources:
        raise InputError(
            f"{name}: ends with source {expected - 1}, but {known} goes on to line {sources}; "
            f"expected a list for each of {sources} sources, numbered from 0"
        )


def _lists(path: str) -> Iterator[NBest]:
    """The lists as they come, in whichever form the first line is written."""
    lines = enumerate(stream_lines(path), 1)
    first = next(lines, None)
    if first is None:
        raise InputError(f"{name_of(path)}: the file is empty; expected an n-best list, 'source ||| text' a line")
    rest = _chain(first, lines)
    return _json_lists(path, rest) if first[1].lstrip().startswith("{") else _text_lists(path, rest)


def _chain(first: tuple[int, str], others: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    yield first
    yield from others


def _text_lists(path: str, lines: Iterator[tuple[int, str]]) -> Iterator[NBest]:
    nbest: NBest | None = None
    before = ""  # the number of the source as the line before wrote it
    for number, line in lines:
        source, *fields = line.split(SEPARATOR, 2)
        if not fields:
            raise InputError(f"{name_of(path)}: line {number}: expected 'source ||| text', found {_quoted(line)}")
        if nbest is None or source != before:
            before = source
            found = _source(source, path, number)
            if nbest is None or found != nbest.source:
                if nbest is not None:
                    yield nbest
                nbest = NBest(found, number)
        nbest.texts.append(fields[0].strip())
        nbest.rest.append(fields[1].strip() if len(fields) > 1 else "")
    if nbest is not None:
        yield nbest


def _source(written: str, path: str, number: int) -> int:
    written = written.strip()
    if not (written.isascii() and written.isdecimal() and len(written) <= 18):
        raise InputError(
            f"{name_of(path)}: line {number}: expected the number of a source, 0 or more, before the first |||, "
            f"found {_quoted(written)}"
        )
    return int(written)


def _json_lists(path: str, lines: Iterator[tuple[int, str]]) -> Iterator[NBest]:
    """One object a line; sources are numbered by their lines."""
    import json

    for source, (number, line) in enumerate(lines):
        where = f"{name_of(path)}: line {number}"
        if not line.strip():
            raise InputError(f"{where}: expected a JSON object with 'translations', found an empty line")
        try:
            found = json.loads(line)
        except ValueError as error:
            raise InputError(f"{where}: not JSON ({error})") from None
        texts = found.get("translations") if isinstance(found, dict) else None
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise InputError(f"{where}: expected a JSON object with 'translations', a list of texts")
        if not texts:
            raise InputError(f"{where}: source {source} has an empty list of translations; expected at least one")
        yield NBest(source, number, [text.strip() for text in texts], [""] * len(texts))


def _quoted(text: str) -> str:
    """Show a text that may be long."""
    return repr(text if len(text) <= 40 else text[:40] + "…")
