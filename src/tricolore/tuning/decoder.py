"""A decoder: a shell command that reads weights and writes an n-best list."""

import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError, SpecError, nearest
from ..platforms import check_shell, run_in_shell

#: The placeholders of a command.
PLACEHOLDERS = {
    "weights": "the file of weights to read",
    "nbest": "the n-best list to write",
    "round": "the number of the round",
}
NEEDED = ("weights", "nbest")

#: Environment variables with the files, so that the name of a folder is never read as part of a command.
VARIABLES = {name: f"TRICOLORE_{name.upper()}" for name in NEEDED}

LAST = 10  #: lines of error output that are shown


@dataclass(frozen=True)
class Decoder:
    """A shell command with the placeholders {weights}, {nbest} and {round}.

    Each is one argument or part of one, whatever characters are in its path. Other braces are left alone, as in
    awk '{print}'.

    >>> Decoder("decode -w {weights} --out {nbest}.gz 2>log.{round}").filled(1)
    'decode -w "$TRICOLORE_WEIGHTS" --out "$TRICOLORE_NBEST".gz 2>log.1'
    """

    command: str

    def __post_init__(self) -> None:
        places = [*placeholders(self.command)]
        for name in re.findall(r"(?<!\$)\{([\w-]+)\}", self.command):
            if name not in PLACEHOLDERS and (hint := nearest(name, [*PLACEHOLDERS])):
                raise SpecError(f"decoder: there is no {{{name}}}{hint}")
        for place in places:
            if place.quotation and place.name in VARIABLES:
                raise SpecError(
                    f"decoder: {{{place.name}}} is inside a larger quotation, {_short(place.quotation)}, which another "
                    f"shell may run; expected its own argument, as in sh -c 'decode \"$1\"' sh {{{place.name}}}"
                )
        for name in NEEDED:
            if name not in {place.name for place in places}:
                raise SpecError(
                    f"decoder: expected {{{name}}}, {PLACEHOLDERS[name]}, in the command, such as "
                    f"'decode {{weights}} {{nbest}}'; got {self.command!r}"
                )
        check_shell()

    def filled(self, number: int) -> str:
        """The command for a round, with its number, and with variables for files."""
        parts, at = [], 0
        for place in placeholders(self.command):
            value = f'"${VARIABLES[place.name]}"' if place.name in VARIABLES else str(number)
            parts += [self.command[at : place.start], value]
            at = place.end
        return "".join([*parts, self.command[at:]])

    def run(self, weights: Path, nbest: Path, number: int, output: Path, errors: Path) -> None:
        """Run the command, with its output in two files; no process of its group outlives this call."""
        variables = {VARIABLES["weights"]: str(weights), VARIABLES["nbest"]: str(nbest)}
        status = run_in_shell(self.filled(number), variables, output, errors)
        if status != 0:
            path = errors if last_lines(errors) else output
            lines = "\n".join(f"  {line}" for line in last_lines(path))
            told = f"{path} ends with\n{lines}" if lines else f"it printed nothing ({errors})"
            raise InputError(f"{failure(status)}; {told}")


class Place(NamedTuple):
    """A placeholder in a command, with the quotation marks around it alone."""

    name: str
    start: int
    end: int
    quotation: str  #: the larger quotation around it, up to its end


# The marks to look for within the command, quotations and comments. ${weights} is a variable of the shell.
_NAMED = r"(?<!\$)\{(?P<name>" + "|".join(PLACEHOLDERS) + r")\}"
_OPEN = re.compile(rf"""\\.|(?<![^\s;&|()])\#|\$\(|(?P<quote>['"]?){_NAMED}(?P=quote)|['"`()]""", re.DOTALL)
_MARKS = {
    "'": re.compile(rf"'|{_NAMED}"),
    '"': re.compile(rf'\\.|\$\(|["`]|{_NAMED}', re.DOTALL),
    "#": re.compile(rf"\n|{_NAMED}"),
}
_CLOSING = {"'": "'", '"': '"', "#": "\n", "`": "`", "(": ")", "$(": ")"}


def placeholders(command: str) -> Iterator[Place]:
    r"""The placeholders of a shell command, with the larger quotations around them.

    >>> [place.quotation for place in placeholders("a {weights} '{nbest}' \"$(b {weights})\" | sh -c 'c {nbest}'")]
    ['', '', '', "'c {nbest}"]
    """
    opened = [("", 0)]  # nested quotations and commands: the mark that opens each, and its position
    at = 0
    while match := _MARKS.get(opened[-1][0], _OPEN).search(command, at):
        at = match.end()
        mark, start = opened[-1]
        if match["name"]:
            yield Place(match["name"], match.start(), at, command[start:at] if mark in ("'", '"') else "")
        elif match[0] == _CLOSING.get(mark):
            opened.pop()
        elif match[0] in _CLOSING:
            opened.append((match[0], match.start()))


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:29]} … {text[-28:]}"


def failure(status: int) -> str:
    """How a command ended, in words.

    >>> failure(3), failure(137)
    ('the decoder failed with exit status 3', 'the decoder was ended by SIGKILL')
    """
    by_shell = {126: "the decoder cannot be run by the shell", 127: "the decoder was not found by the shell"}
    number = status - 128 if status > 128 else -status
    ended = {one.value: f"the decoder was ended by {one.name}" for one in signal.Signals}.get(number)
    return by_shell.get(status) or ended or f"the decoder failed with exit status {status}"


def last_lines(path: Path, number: int = LAST) -> list[str]:
    """The last nonempty lines of a file, with printable characters only."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - (1 << 16)))
        text = file.read().decode("utf-8", "replace")
    # A progress bar overwrites its line: the last text counts.
    lines = [line.rstrip().rpartition("\r")[2] for line in text.split("\n")]
    shown = ["".join(c if c.isprintable() else " " for c in line)[:300].rstrip() for line in lines]
    return [line for line in shown if line][-number:]
