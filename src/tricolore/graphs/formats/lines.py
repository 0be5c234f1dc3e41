"""The lines of a file, each with its place; and the numbers in them."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

from ...errors import InputError
from ...numbers import real_or_infinite
from ...readers import name_of, stream_lines
from ...readers.recognise import COLUMNS, JSON, SEGMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn

#: What lattices and forests may look like: PLF has <seg>, cdec writes JSON, OpenFst tabs.
READS = (SEGMENTS, JSON, COLUMNS)

_WHOLE = re.compile(r"[0-9]{1,18}")


class Lines:
    """Lines one by one, with a look at those to come."""

    def __init__(self, path: str):
        self.name = name_of(path)
        self.number = 0  #: of the line that was taken last
        self._lines = stream_lines(path, "lattices or forests", READS)
        self._ahead: deque[str] = deque()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._ahead.popleft() if self._ahead else next(self._lines)
        self.number += 1
        return line

    def put_back(self, line: str) -> None:
        """Take a line that was taken last as not yet taken."""
        self._ahead.appendleft(line)
        self.number -= 1

    def are_there(self) -> bool:
        """Whether there is a line to come."""
        if not self._ahead and (line := next(self._lines, None)) is not None:
            self._ahead.append(line)
        return bool(self._ahead)

    def beginning(self, number: int) -> list[str]:
        """The first few of the lines to come that are not empty."""
        found = sum(map(bool, map(str.strip, self._ahead)))
        while found < number and (line := next(self._lines, None)) is not None:
            self._ahead.append(line)
            found += bool(line.strip())
        return [line for line in self._ahead if line.strip()][:number]

    def blocks(self) -> Iterator[tuple[int, list[str]]]:
        """What empty lines end, with the number of its first line; a line that ends nothing is an empty block."""
        block: list[str] = []
        for line in self:
            if line.strip():
                block.append(line)
            else:
                yield self.number - len(block), block
                block = []
        if block:
            yield self.number - len(block) + 1, block

    @property
    def where(self) -> str:
        """The place of the line that was taken last, for messages."""
        return f"{self.name}: line {self.number}"

    def fail(self, expected: str) -> NoReturn:
        """Complain about the line that was taken last."""
        raise InputError(f"{self.where}: {expected}")


def number(text: str, where: str, what: str = "a score") -> float:
    """Read a number, which may be infinite."""
    try:
        return real_or_infinite(text)
    except ValueError:
        raise InputError(f"{where}: expected {what}, a number, found {quoted(text)}") from None


def whole(text: str, where: str, what: str) -> int:
    """Read a number from 0 on without a sign or a point."""
    if not is_whole(text):
        raise InputError(f"{where}: expected {what}, a whole number, found {quoted(text)}")
    return int(text)


def is_whole(text: str) -> bool:
    """Whether a text is a number from 0 on, without a sign or a point."""
    return _WHOLE.fullmatch(text) is not None


def quoted(text: str) -> str:
    """A text for a message, cut where it is long."""
    return repr(text if len(text) <= 40 else f"{text[:39]}…")
