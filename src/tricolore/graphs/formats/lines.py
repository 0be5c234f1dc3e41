"""The lines of a file with their places, and the numbers in them."""

import re
from collections import deque
from collections.abc import Iterator
from typing import NoReturn

from ...errors import InputError
from ...numbers import real_or_infinite
from ...readers import name_of, stream_lines
from ...readers.recognise import COLUMNS, JSON, SEGMENTS

#: What lattices and forests may look like: PLF has <seg>, cdec writes JSON, OpenFst tabs.
READS = (SEGMENTS, JSON, COLUMNS)

_WHOLE = re.compile(r"[0-9]{1,18}")


class Lines:
    """Lines one by one, with a look ahead."""

    def __init__(self, path: str):
        self.name = name_of(path)
        self.number = 0  #: of the current line
        self._lines = stream_lines(path, "lattices or forests", READS)
        self._ahead: deque[str] = deque()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._ahead.popleft() if self._ahead else next(self._lines)
        self.number += 1
        return line

    def put_back(self, line: str) -> None:
        """Return the current line to those to come."""
        self._ahead.appendleft(line)
        self.number -= 1

    def are_there(self) -> bool:
        """Whether there is another line."""
        if not self._ahead and (line := next(self._lines, None)) is not None:
            self._ahead.append(line)
        return bool(self._ahead)

    def beginning(self, number: int) -> list[str]:
        """The next lines that are not empty, at most this many."""
        found = [line for line in self._ahead if line.strip()]
        while len(found) < number and (line := next(self._lines, None)) is not None:
            self._ahead.append(line)
            found += [line] * bool(line.strip())
        return found[:number]

    def blocks(self) -> Iterator[tuple[int, list[str]]]:
        """Blocks ended by empty lines, with the numbers of their first lines; an empty line may end an empty block."""
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
        """The place of the current line, for messages."""
        return f"{self.name}: line {self.number}"

    def fail(self, expected: str) -> NoReturn:
        """Report an error in the current line."""
        raise InputError(f"{self.where}: {expected}")


def number(text: str, where: str, what: str = "a score") -> float:
    """Read a number, which may be infinite."""
    try:
        return real_or_infinite(text)
    except ValueError:
        raise InputError(f"{where}: expected {what}, a number, found {quoted(text)}") from None


def whole(text: str, where: str, what: str) -> int:
    """Read a whole number, written in digits only."""
    if not is_whole(text):
        raise InputError(f"{where}: expected {what}, a whole number, found {quoted(text)}")
    return int(text)


def is_whole(text: str) -> bool:
    """Whether a text is a whole number, written in digits only."""
    return _WHOLE.fullmatch(text) is not None


def quoted(text: str) -> str:
    """A text in quotes for a message, shortened if it is long."""
    return repr(text if len(text) <= 40 else f"{text[:39]}…")
