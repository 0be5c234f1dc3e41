"""Spec texts: how a metric is written. `bleu`, `bleu(order=2, smooth=7)`, `nist(tokenize="13a")`.

    spec   = name [ "(" [ param { "," param } ] ")" ]
    param  = name "=" value
    value  = number | true | false | none | word | quoted | "[" value { "," value } "]"

A word needs quotes only if it has a space, a comma, a bracket or a quote in it; around other values they may stand.
"""

from __future__ import annotations

import re

from .errors import SpecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NAME = re.compile(r"\s*((?:[0-9]+-)?[A-Za-z][A-Za-z0-9_+-]*)\s*")  # such as bleu, and 4-grr
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'")
_WORD = re.compile(r"[^\s,()\[\]=\"']+")
_INTEGER = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_CONSTANTS = {"true": True, "false": False, "none": None}


def parse(text: str) -> tuple[str, dict[str, Any]]:
    """Cut a spec text into a name and its parameters.

    >>> parse("bleu(order=2, tokenize=13a, weights=[0.5, 0.5])")
    ('bleu', {'order': 2, 'tokenize': '13a', 'weights': [0.5, 0.5]})
    """
    return _Parser(text).spec()


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
    if _WORD.fullmatch(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def compose(name: str, parameters: dict[str, Any]) -> str:
    """Write a spec text.

    >>> compose("bleu", {"order": 2}), compose("bleu", {})
    ('bleu(order=2)', 'bleu')
    """
    inside = ", ".join(f"{key}={write(item)}" for key, item in parameters.items())
    return f"{name}({inside})" if inside else name


def _word_value(word: str) -> Any:
    if word.lower() in _CONSTANTS:
        return _CONSTANTS[word.lower()]
    if _INTEGER.fullmatch(word) and len(word) < 400:
        return int(word)
    if _NUMBER.fullmatch(word):
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
        match = _NAME.match(self.text, self.at)
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
            return items
        self._skip_space()
        match = _QUOTED.match(self.text, self.at)
        if match:
            self.at = match.end()
            return _word_value(_unquote(match))
        match = _WORD.match(self.text, self.at)
        if not match:
            raise self._expected("a value")
        self.at = match.end()
        return _word_value(match.group())

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
