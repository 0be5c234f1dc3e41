"""Spec texts: how a metric is written. `bleu`, `bleu(order=2, smooth=7)`, `nist(tokenize="13a")`.

    spec   = name [ "(" [ param { "," param } ] ")" ]
    param  = name "=" value
    value  = number | true | false | none | word | quoted | range | choice | "[" value { "," value } "]"
    range  = number ".." number [ ":" number ]
    choice = one "|" one { "|" one }, where one = number | word | range

A word needs quotes only if it has a space, a comma, a bracket or a quote in it; around other values they may stand.

One text may stand for several metrics. `1..9` is every whole number from 1 to 9, `1.1..2.0:0.1` goes in steps of 0.1,
`none|13a` is one or the other, and several of these make every combination. In quotes such a value is an ordinary word.
"""

from __future__ import annotations

import re
from itertools import product

from .errors import SpecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Compiled when first used; `re` keeps them.
_NAME = r"\s*((?:[0-9]+-)?[A-Za-z][A-Za-z0-9_+-]*)\s*"  # such as bleu, and 4-grr
_QUOTED = r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'"
_WORD = r"[^\s,()\[\]=\"']+"
_INTEGER = r"[+-]?[0-9]+"
_NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
_DECIMAL = r"[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
_RANGE = rf"({_DECIMAL})\.\.({_DECIMAL})(?::({_DECIMAL}))?"
_CONSTANTS = {"true": True, "false": False, "none": None}


def parse(text: str) -> tuple[str, dict[str, Any]]:
    """Cut a spec text into a name and its parameters.

    >>> parse("bleu(order=2, tokenize=13a, weights=[0.5, 0.5])")
    ('bleu', {'order': 2, 'tokenize': '13a', 'weights': [0.5, 0.5]})
    """
    return _Parser(text).spec()


#: A text that stands for more metrics than this is taken for a slip.
MOST = 10_000


class Several(tuple):  # type: ignore[type-arg]
    """The values that a range or a choice stands for."""


def expand(text: str) -> list[str]:
    """Write out a text that stands for several metrics; the last range moves fastest.

    >>> expand("bleus(order=1..3)")
    ['bleus(order=1)', 'bleus(order=2)', 'bleus(order=3)']
    >>> expand("lebleu(order=1..2, threshold=0.4..0.8:0.2)")[1:4]
    ['lebleu(order=1, threshold=0.6)', 'lebleu(order=1, threshold=0.8)', 'lebleu(order=2, threshold=0.4)']
    >>> expand("bleu(tokenize=none|13a)"), expand("bleu")
    (['bleu(tokenize=none)', 'bleu(tokenize=13a)'], ['bleu'])
    """
    name, given = parse(text)
    values = [value if isinstance(value, Several) else (value,) for value in given.values()]
    number = 1
    for several in values:
        number *= len(several)
    if number > MOST:
        raise SpecError(f"metric {text!r}: stands for {number:,} metrics; the most are {MOST:,}")
    if number == 1 and not any(isinstance(value, Several) for value in given.values()):
        return [text]
    return [compose(name, dict(zip(given, one, strict=True))) for one in product(*values)]


def write(value: Any) -> str:
    """Write a value so that it reads back as itself.

    >>> write(4.0), write(True), write("13a"), write("my model"), write((0.5, 0.5)), write(None)
    ('4', 'true', '13a', '"my model"', '[0.5, 0.5]', 'none')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "none"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{value:.17g}" if float(f"{value:g}") != value else f"{value:g}"
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(write, value)) + "]"
    text = str(value)
    if re.fullmatch(_WORD, text) and not _is_several(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def compose(name: str, parameters: dict[str, Any]) -> str:
    """Write a spec text.

    >>> compose("bleu", {"order": 2}), compose("bleu", {})
    ('bleu(order=2)', 'bleu')
    """
    inside = ", ".join(f"{key}={write(item)}" for key, item in parameters.items())
    return f"{name}({inside})" if inside else name


def _is_several(word: str) -> bool:
    return "|" in word or (".." in word and re.fullmatch(_RANGE, word) is not None)


def word_value(word: str) -> Any:
    """What a word stands for: a constant, a number, or itself."""
    if word.lower() in _CONSTANTS:
        return _CONSTANTS[word.lower()]
    if re.fullmatch(_INTEGER, word) and len(word) < 400:
        return int(word)
    if re.fullmatch(_NUMBER, word):
        return float(word)
    return word


def _unquote(match: re.Match[str]) -> str:
    body = match.group(1) if match.group(1) is not None else match.group(2)
    return re.sub(r"\\(.)", r"\1", body)


class _Parser:
    """Reads left to right; `at` is the next character."""

    def __init__(self, text: str):
        self.text = text
        self.at = 0

    def spec(self) -> tuple[str, dict[str, Any]]:
        name = self._name("the name of a metric")
        parameters: dict[str, Any] = {}
        if self._take("("):
            while not self._take(")"):
                if parameters:
                    self._expect(",", "',' or ')'")
                key = self._name("the name of a parameter")
                self._expect("=", f"'=' after {key!r}")
                if key in parameters:
                    raise SpecError(f"metric {self.text!r}: {key} is given twice")
                parameters[key] = self._value()
        if self.text[self.at :].strip():
            raise self._expected("nothing more")
        return name, parameters

    def _name(self, what: str) -> str:
        match = re.compile(_NAME).match(self.text, self.at)
        if not match:
            raise self._expected(what)
        self.at = match.end()
        return match.group(1)

    def _value(self) -> Any:
        if self._take("["):
            items: list[Any] = []
            while not self._take("]"):
                if items:
                    self._expect(",", "',' or ']'")
                items.append(self._value())
                if isinstance(items[-1], Several):
                    raise SpecError(f"metric {self.text!r}: a range cannot stand inside a list")
            return items
        self._skip_space()
        match = re.compile(_QUOTED).match(self.text, self.at)
        if match:
            self.at = match.end()
            return word_value(_unquote(match))
        match = re.compile(_WORD).match(self.text, self.at)
        if not match:
            raise self._expected("a value")
        self.at = match.end()
        return self._one_or_several(match.group())

    def _one_or_several(self, word: str) -> Any:
        if not _is_several(word):
            return word_value(word)
        values: list[Any] = []
        for part in word.split("|"):
            match = re.fullmatch(_RANGE, part)
            values += self._range(*match.groups()) if match else [word_value(part)]
        if "" in values or len(set(map(repr, values))) < len(values):
            raise SpecError(f"metric {self.text!r}: expected different values around '|', such as none|13a")
        return Several(values)

    def _range(self, first: str, last: str, step: str | None) -> list[Any]:
        """Count in decimals, because 0.1 + 0.2 is not 0.3 in binary."""
        from decimal import Decimal

        low, high, by = Decimal(first), Decimal(last), Decimal(step or 1)
        if by <= 0 or high < low:
            raise SpecError(f"metric {self.text!r}: expected a range that goes up, such as 1..9 or 0.2..0.8:0.1")
        steps = (high - low) // by
        if steps >= MOST:
            raise SpecError(f"metric {self.text!r}: the range has {steps + 1:,} values; the most are {MOST:,}")
        return [word_value(str(low + i * by)) for i in range(int(steps) + 1)]

    def _skip_space(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def _take(self, character: str) -> bool:
        self._skip_space()
        if not self.text.startswith(character, self.at):
            return False
        self.at += 1
        return True

    def _expect(self, character: str, what: str) -> None:
        if not self._take(character):
            raise self._expected(what)

    def _expected(self, expected: str) -> SpecError:
        rest = self.text[self.at :].strip()
        found = f"found {rest!r}" if rest else "the text ends"
        if rest.startswith(",") and "(" not in self.text:
            found += "; several metrics are separated by spaces"
        return SpecError(f"metric {self.text!r}: expected {expected} at character {self.at + 1}, but {found}")
