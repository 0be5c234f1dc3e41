"""Symbol tables: the words that the numbers on the arcs of a finite-state machine stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...errors import InputError
from ...readers import name_of, stream_lines
from ...readers.recognise import COLUMNS
from .lines import is_whole, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Symbols:
    """Words by number; number 0 is no word."""

    words: Mapping[str, str]  #: by the number as it is written
    origin: str = "the symbol table"

    def word(self, label: str, where: str) -> str | None:
        """The word of a label, None for number 0."""
        if label == "0":
            return None
        word = self.words.get(label)
        if word is None:
            wanted = "" if is_whole(label) else "; with a symbol table labels are numbers"
            raise InputError(f"{where}: {quoted(label)} is no number in {self.origin}{wanted}")
        return word


def read_symbols(path: str) -> Symbols:
    """Read a table as OpenFst and Kaldi write it: a word and its number a line."""
    words: dict[str, str] = {}
    for line_number, line in enumerate(
        stream_lines(path, "a symbol table, a word and its number per line", [COLUMNS]), 1
    ):
        fields = line.split()
        if not fields:
            continue
        where = f"{name_of(path)}: line {line_number}"
        if len(fields) != 2 or not is_whole(fields[1]):
            raise InputError(f"{where}: expected a word and its number, found {quoted(line)}")
        label = str(int(fields[1]))
        if words.setdefault(label, fields[0]) != fields[0]:
            raise InputError(f"{where}: number {label} is {quoted(words[label])} already; expected each number once")
    if not words:
        raise InputError(f"{name_of(path)}: there are no symbols; expected a word and its number a line")
    return Symbols(words, name_of(path))
