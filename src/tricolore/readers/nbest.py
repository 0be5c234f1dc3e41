"""n-best lists: several translations of every source, best first, one source after the other.

    0 ||| it is a cat ||| LM0= -9.1 TM0= -2.5 -1.7 ||| -4.2        as Moses and Marian write them
    0 ||| it is a cat ||| LanguageModel=-9.1 ||| -4.2               as cdec does
    0 ||| it is a cat                                               only what is needed
    {"translations": ["it is a cat", "a cat"]}                      JSON lines, one source a line, as Sockeye does
    {"id": 0, "text": "it is a cat", "features": {"lm": -9.1, "tm": [-2.5, -1.7]}, "score": -4.2}     or one text a line

Sources are numbered from 0, in order, and none is left out. A line with `translations` may have `scores`, one for each
(a number or a list of them), and `features`, an object for each. Lists in memory are taken, too (`open_lists`).
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import InputError, InputTypeError
from .files import name_of, stream_lines
from .json_objects import parse_object
from .recognise import COLUMNS, JSON, NBEST

SEPARATOR = "|||"

EXPECTED = "an n-best list, 'source ||| text' per line"


@dataclass
class NBest:
    """The translations of one source."""

    source: int  #: numbered from 0
    line: int  #: where the list begins in its file
    texts: list[str] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)  #: what follows each text, features and total, as in Moses' form
    step: int = 1  #: lines from one text to the next; 0 where all are on one line

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def lines(self) -> list[int]:
        """The line of each text."""
        return [self.line + self.step * i for i in range(len(self.texts))]


def read_nbest(path: str, sources: int | None = None, known: str = "the list of references") -> Iterator[NBest]:
    """Read an n-best list source by source, never holding more than one; compressed files are unpacked on the way.

    With `sources` there must be as many, because `known` has as many lines. Whatever is wrong is told with file and
    line.
    """
    return _in_order(_lists(path), name_of(path), sources, known)


def open_lists(
    nbest: Any, sources: int | None = None, known: str = "the list of references"
) -> list[tuple[str, Iterator[NBest]]]:
    """The n-best lists of a file, of several files, or in memory: the name of each, and its sources one by one.

    In memory, a source is a list of candidates: `text`, `(text, features)` or `(text, features, total)`, where features
    are numbers, or lists of them, by name.

    >>> [(name, lists)] = open_lists([[("a cat", {"lm": -1.5, "tm": [-2, -1]}), ("cats", {"lm": -2}, -4)], ["dogs"]])
    >>> [(one.source, one.texts, one.rest) for one in lists]
    [(0, ['a cat', 'cats'], ['lm= -1.5 tm= -2.0 -1.0', 'lm= -2.0 ||| -4.0']), (1, ['dogs'], [''])]
    """
    if isinstance(nbest, str | os.PathLike):
        nbest = [nbest]
    elif not isinstance(nbest, Iterable) or isinstance(nbest, Mapping | bytes):
        raise InputTypeError(f"nbest: expected a file, or a list of candidates per source; got {type(nbest).__name__}")
    given = nbest if isinstance(nbest, list | tuple) else [*nbest]
    if not given:
        raise InputError("there is no n-best list to read; expected at least one")
    if all(isinstance(one, str | os.PathLike) for one in given):
        paths = [os.fspath(one) for one in given]
        return [(path, read_nbest(path, sources, known)) for path in paths]
    return [("nbest", _in_order(_given_lists(given), "nbest", sources, known))]


def _given_lists(lists: Iterable[Any]) -> Iterator[NBest]:
    for source, candidates in enumerate(lists):
        if isinstance(candidates, NBest):
            yield candidates
            continue
        where = f"nbest: source {source}"
        if isinstance(candidates, str) or not isinstance(candidates, Iterable):
            raise InputTypeError(f"{where}: expected a list of candidates, got {type(candidates).__name__}")
        nbest = NBest(source, source + 1, step=0)
        for candidate in candidates:
            text, features, total, *more = (candidate, None, None) if isinstance(candidate, str) else _filled(candidate)
            if not isinstance(text, str) or more:
                raise InputTypeError(f"{where}: expected text, (text, features) or (text, features, total)")
            nbest.texts.append(text)
            nbest.rest.append(_rest(features, total, where))
        if not nbest.texts:
            raise InputError(f"{where}: there is no candidate; expected at least one")
        yield nbest


def _filled(candidate: Any) -> list[Any]:
    parts = [*candidate] if isinstance(candidate, list | tuple) else [None]
    return [*parts, None, None][: max(3, len(parts))]


def _in_order(lists: Iterator[NBest], name: str, sources: int | None, known: str) -> Iterator[NBest]:
    """Lists in the order of their sources, none left out, and as many as there are references."""
    expected = 0
    for nbest in lists:
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
    lines = enumerate(stream_lines(path, EXPECTED, [NBEST, JSON, COLUMNS]), 1)
    first = next(lines, None)
    if first is None:
        raise InputError(f"{name_of(path)}: the file is empty; expected {EXPECTED}")
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
    """One object a line, for a source or for a text."""
    nbest: NBest | None = None
    for number, line in lines:
        where = f"{name_of(path)}: line {number}"
        if not line.strip():
            raise InputError(f"{where}: expected a JSON object with 'translations' or 'text', found an empty line")
        found = parse_object(line, where)
        if "\\ud" in line.lower():
            _refuse_surrogates(found, where)
        if "translations" in found and nbest is None:  # sources are numbered by their lines
            yield _json_source(found, number, where)
            continue
        source, text, rest = _json_text(found, where)
        if nbest is None or source != nbest.source:
            if nbest is not None:
                yield nbest
            nbest = NBest(source, number)
        nbest.texts.append(text)
        nbest.rest.append(rest)
    if nbest is not None:
        yield nbest


def _refuse_surrogates(found: dict[str, Any], where: str) -> None:
    """Refuse halves of characters, which JSON can write and UTF-8 cannot."""
    import json

    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InputError(f"{where}: lone surrogate (half of a character); expected whole characters") from None


def _json_source(found: dict[str, Any], number: int, where: str) -> NBest:
    """All texts of a source."""
    texts = found["translations"]
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InputError(f"{where}: expected a JSON object with 'translations', a list of texts")
    if not texts:
        raise InputError(f"{where}: source {number - 1} has an empty list of translations; expected at least one")
    rest = []
    columns = [_json_column(found, name, len(texts), where) for name in ("features", "scores")]
    for features, scores in zip(*columns, strict=True):
        total = None if isinstance(scores, list) else scores
        given = {"score": scores} if features is None and scores is not None else features
        rest.append(_rest(given, total, where))
    return NBest(number - 1, number, [text.strip() for text in texts], rest, step=0)


def _json_column(found: dict[str, Any], name: str, size: int, where: str) -> list[Any]:
    values = found.get(name)
    if values is None:
        return [None] * size
    if not isinstance(values, list) or len(values) != size:
        raise InputError(f"{where}: expected {name!r} to be a list with one entry for each of {size} translations")
    return values


def _json_text(found: dict[str, Any], where: str) -> tuple[int, str, str]:
    """One text: the number of its source, the text, and its features as Moses would write them."""
    source, text = found.get("id"), found.get("text")
    if not isinstance(source, int) or isinstance(source, bool) or source < 0:
        raise InputError(f"{where}: expected a JSON object with 'translations', or with 'id' (0 or more) and 'text'")
    if not isinstance(text, str):
        raise InputError(f"{where}: expected a JSON object with 'id' and 'text', a text")
    return source, text.strip(), _rest(found.get("features"), found.get("score"), where)


def _rest(features: Any, total: Any, where: str) -> str:
    """Features and total in Moses' form."""
    if features is None:
        features = {}
    if not isinstance(features, Mapping):
        raise InputError(f"{where}: expected 'features' to be an object of names and numbers")
    words = []
    for name, values in features.items():
        if not name or len(name.split()) != 1 or name != name.strip() or SEPARATOR in name:
            raise InputError(f"{where}: expected the name of a feature without spaces or |||, found {_quoted(name)}")
        words.append(f"{name}=")
        for value in values if isinstance(values, list | tuple) else [values]:
            words.append(_number(value, f"feature {_quoted(name)}", where))
    if total is not None:
        words += [SEPARATOR, _number(total, "score", where)]
    return " ".join(words)


def _number(value: Any, what: str, where: str) -> str:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise InputError(f"{where}: {what}: expected a number, found {_quoted(str(value))}")
    try:
        return repr(float(value))
    except OverflowError:  # of a whole number
        raise InputError(f"{where}: {what} is too large; expected a finite number") from None


def _quoted(text: str) -> str:
    """Show a text that may be long."""
    return repr(text if len(text) <= 40 else text[:40] + "…")
