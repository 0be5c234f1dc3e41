"""Alignments as pictures: reference and hypothesis below each other, edits marked, and coloured on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .printable import printable
from .results import Page
from .terminal import columns_of


@dataclass(frozen=True)
class MarkedLine:
    """A line of a picture, and which of its characters belong to an edit: start, end, kind."""

    text: str
    marks: tuple[tuple[int, int, str], ...] = ()


class Block:
    """Reference, hypothesis and marks below each other, as far as they fit into the width."""

    def __init__(self, labels: Sequence[str], gap: int):
        self.texts, self.gap, self.empty = [*labels], gap, True
        self.used = len(labels[0])
        self.marks: list[list[tuple[int, int, str]]] = [[], [], []]

    @staticmethod
    def size_of(cells: Sequence[str | None]) -> int:
        """The columns that a pair of tokens takes."""
        return max(columns_of(cell) for cell in cells if cell is not None)

    def add(self, kind: str, cells: Sequence[str | None]) -> None:
        """Add a pair of tokens."""
        size, mark = self.size_of(cells), " " if kind == "equal" else kind[0].upper()
        for i, cell in enumerate((*("*" * size if cell is None else cell for cell in cells), mark)):
            start = len(self.texts[i])
            self.texts[i] += cell + " " * (size - columns_of(cell) + self.gap)
            if kind != "equal":
                self.marks[i].append((start, start + len(cell), kind))
        self.used += size + self.gap
        self.empty = False

    def lines(self) -> Iterator[MarkedLine]:
        """The lines without spaces at their ends; the last one only if something is marked."""
        for text, marks in zip(self.texts, self.marks, strict=True):
            if text.strip():
                yield MarkedLine(text.rstrip(" "), tuple(marks))


def page_of(lines: Sequence[MarkedLine], *signatures: str) -> Page:
    """Marked lines as a page; on a terminal, edits are coloured."""
    return Page(lines=[one.text for one in lines], marks=[one.marks for one in lines], signatures=signatures)


def shown(token: str, *, characters: bool = False) -> str:
    r"""Write a token so that it takes up room and harms nothing.

    >>> shown("a\x1b[2J"), shown(" ", characters=True), shown("\u0301")
    ('a\\x1b[2J', '␣', '◌́')
    """
    if characters and token == " ":
        return "␣"
    token = printable(token)
    return token if columns_of(token) else f"◌{token}"
