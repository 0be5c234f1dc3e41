"""A decoder: somebody else's command that reads weights and writes an n-best list."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from io import FileIO
from typing import TYPE_CHECKING, NamedTuple

from ..errors import InputError, SpecError, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: What a command may have in it, and what stands for it.
PLACEHOLDERS = {
    "weights": "the file of weights to read",
    "nbest": "the n-best list to write",
    "round": "the number of the round",
}
NEEDED = ("weights", "nbest")

#: Where the command finds the files: in variables, so that no name of a folder is ever read as a part of a command.
VARIABLES = {name: f"TRICOLORE_{name.upper()}" for name in NEEDED}

GRACE = 5.0  #: seconds from the request to end to the end
LAST = 10  #: lines of error output that are shown

# The command runs in a shell of its own, which has fd 4 open, as does all that it starts. Beside it waits a guard that
# has nothing to do until the pipe that it reads ends, because whoever started the decoder is no more: then it ends all
# of them, so that no decoder is left behind even by a process that was killed. As long as the guard is there, the
# number of the group is nobody else's; so it stays until the whole group is ended.
_GUARDED = f"""
exec 3<&0 4>&1 </dev/null >"$2"
(trap '' TERM; read line; kill -TERM 0; sleep {GRACE:.0f}; kill -KILL 0) <&3 4>&- >/dev/null 2>&1 &
/bin/sh -c "$1" 3<&-
exit $?
"""


@dataclass(frozen=True)
class Decoder:
    """A command for the shell in which {weights}, {nbest} and {round} stand for what they say.

    Each is one argument, or a part of one, whatever is in the names of folders. Other braces are left alone, as in
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
                    "shell may run; expected it as an argument of its own, "
                    f"as in sh -c 'decode \"$1\"' sh {{{place.name}}}"
                )
        for name in NEEDED:
            if name not in {place.name for place in places}:
                raise SpecError(
                    f"decoder: expected {{{name}}}, {PLACEHOLDERS[name]}, in the command, such as "
                    f"'decode {{weights}} {{nbest}}'; got {self.command!r}"
                )
        if sys.platform == "win32":
            raise SpecError("decoder: a decoder can be run on Linux and macOS only; tune from its n-best lists instead")

    def filled(self, number: int) -> str:
        """The command for a round: the number itself, and variables for files."""
        parts, at = [], 0
        for place in placeholders(self.command):
            value = f'"${VARIABLES[place.name]}"' if place.name in VARIABLES else str(number)
            parts += [self.command[at : place.start], value]
            at = place.end
        return "".join([*parts, self.command[at:]])

    def run(self, weights: Path, nbest: Path, number: int, output: Path, errors: Path) -> None:
        """Run it to its end; what it prints goes to two files. Nothing that it started in its group outlives this."""
        variables = {VARIABLES["weights"]: str(weights), VARIABLES["nbest"]: str(nbest)}
        status = _run(self.filled(number), variables, output, errors)
        if status != 0:
            raise InputError(f"{failure(status)}{last_words(output, errors)}")


# Placeholders -----------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """Where a placeholder stands in a command, with the quotation marks right around it."""

    name: str
    start: int
    end: int
    quotation: str  #: the larger quotation that it is in, as far as it


# Marks that matter, by what they stand in: the command, quotations, a comment. ${weights} is the shell's own.
_NAMED = r"(?<!\$)\{(?P<name>" + "|".join(PLACEHOLDERS) + r")\}"
_OPEN = re.compile(rf"""\\.|(?<![^\s;&|()])\#|\$\(|(?P<quote>['"]?){_NAMED}(?P=quote)|['"`()]""", re.DOTALL)
_MARKS = {
    "'": re.compile(rf"'|{_NAMED}"),
    '"': re.compile(rf'\\.|\$\(|["`]|{_NAMED}', re.DOTALL),
    "#": re.compile(rf"\n|{_NAMED}"),
}
_CLOSING = {"'": "'", '"': '"', "#": "\n", "`": "`", "(": ")", "$(": ")"}


def placeholders(command: str) -> Iterator[Place]:
    r"""The placeholders of a command for the shell, and the larger quotations that they are in.

    >>> [place.quotation for place in placeholders("a {weights} '{nbest}' \"$(b {weights})\" | sh -c 'c {nbest}'")]
    ['', '', '', "'c {nbest}"]
    """
    opened = [("", 0)]  # quotations and commands within one another: the mark, and where it is
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


# The process ------------------------------------------------------------------------------------------------


def _run(command: str, variables: dict[str, str], output: Path, errors: Path) -> int:
    """Run a command in a session of its own, which Ctrl-C does not reach; return its exit status.

    However that ends, nothing of its process group is left: children that it leaves behind are given a little time to
    end by themselves if it succeeded, and are ended. Only what has begun a session of its own is beyond reach.
    """
    with ExitStack() as pipes:
        watched, _ = _pipe(pipes)  # ends for the guard when we do
        over, held = _pipe(pipes)  # ends for us when all that was started has ended
        with errors.open("wb") as error:
            process = subprocess.Popen(
                ["/bin/sh", "-c", _GUARDED, "decoder", command, str(output)],
                stdin=watched,
                stdout=held,
                stderr=error,
                start_new_session=True,
                env=os.environ | variables,
            )
        try:
            held.close()
            status = process.wait()
            if status == 0:
                select.select([over], [], [], GRACE)
            return status
        finally:  # also after Ctrl-C, or a request to end
            _end(process, over)


def _pipe(stack: ExitStack) -> tuple[FileIO, FileIO]:
    read, write = os.pipe()
    return stack.enter_context(FileIO(read, "r")), stack.enter_context(FileIO(write, "w"))


def _end(process: subprocess.Popen[bytes], over: FileIO) -> None:
    """End a process and all of its group: ask, wait a little, insist."""
    try:
        _signal(process.pid, signal.SIGTERM)
        select.select([over], [], [], GRACE)
    finally:  # at once, if we are told again
        _signal(process.pid, signal.SIGKILL)
        process.wait()


def _signal(group: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # macOS says the latter where only the dead are left
        os.killpg(group, number)


def failure(status: int) -> str:
    """Say how a command ended.

    >>> failure(3), failure(137)
    ('the decoder failed with exit status 3', 'the decoder was ended by SIGKILL')
    """
    if status == 127:
        return "the decoder was not found by the shell"
    if status == 126:
        return "the decoder cannot be run by the shell"
    number = status - 128 if status > 128 else -status
    if number in {one.value for one in signal.Signals}:
        return f"the decoder was ended by {signal.Signals(number).name}"
    return f"the decoder failed with exit status {status}"


def last_words(output: Path, errors: Path) -> str:
    """The last lines of error output, or of standard output if there is none, and where all of it is."""
    for path in (errors, output):
        if lines := last_lines(path):
            return f"; {path} ends with\n" + "\n".join(f"  {line}" for line in lines)
    return f"; it printed nothing ({errors})"


def last_lines(path: Path, number: int = LAST) -> list[str]:
    """The last lines of a file that are not empty, as far as they can be shown."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - (1 << 16)))
        text = file.read().decode("utf-8", "replace")
    # A progress bar writes a line over and over: what stood there last counts.
    lines = [line.rstrip().rpartition("\r")[2] for line in text.split("\n")]
    shown = ["".join(c if c.isprintable() else " " for c in line)[:300].rstrip() for line in lines]
    return [line for line in shown if line][-number:]
