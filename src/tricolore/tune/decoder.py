"""A decoder: somebody else's command that reads weights and writes an n-best list."""

from __future__ import annotations

import os
import re
import select
import shlex
import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from io import FileIO
from typing import TYPE_CHECKING

from ..errors import InputError, SpecError, nearest

if TYPE_CHECKING:
    from pathlib import Path

#: What a command may have in it, and what stands for it.
PLACEHOLDERS = {
    "weights": "the file of weights to read",
    "nbest": "the n-best list to write",
    "round": "the number of the round",
}
NEEDED = ("weights", "nbest")

GRACE = 5.0  #: seconds from the request to end to the end
LAST = 10  #: lines of error output that are shown

# A placeholder, with the quotes right around it, if any; ${weights} is the shell's own.
_PLACEHOLDER = re.compile(r"(?<!\$)(['\"]?)\{(" + "|".join(PLACEHOLDERS) + r")\}\1")

# The command runs in a shell of its own. Beside it waits a guard that has nothing to do until the pipe that it reads
# ends, because whoever started the decoder is no more: then it ends all of them, so that no decoder is left behind
# even by a process that was killed.
_GUARDED = f"""
exec 3<&0 </dev/null
(read line; trap '' TERM; kill -TERM 0; sleep {GRACE:.0f}; kill -KILL 0) <&3 >/dev/null 2>&1 &
/bin/sh -c "$1" 3<&-
status=$?
exec 2>/dev/null
kill -KILL $!
exit $status
"""


@dataclass(frozen=True)
class Decoder:
    """A command for the shell in which {weights}, {nbest} and {round} stand for what they say.

    Other braces are left alone, as in awk '{print}'.

    >>> Decoder("decode -w {weights} --out {nbest}.gz 2>/dev/null").filled(weights="a b.txt", nbest="l", round=1)
    "decode -w 'a b.txt' --out l.gz 2>/dev/null"
    """

    command: str

    def __post_init__(self) -> None:
        found = {match[2] for match in _PLACEHOLDER.finditer(self.command)}
        for name in re.findall(r"(?<!\$)\{([\w-]+)\}", self.command):
            if name not in PLACEHOLDERS and (hint := nearest(name, [*PLACEHOLDERS])):
                raise SpecError(f"decoder: there is no {{{name}}}{hint}")
        for name in NEEDED:
            if name not in found:
                raise SpecError(
                    f"decoder: expected {{{name}}}, {PLACEHOLDERS[name]}, in the command, such as "
                    f"'decode {{weights}} {{nbest}}'; got {self.command!r}"
                )
        if sys.platform == "win32":
            raise SpecError("decoder: a decoder can be run on Linux and macOS only; tune from its n-best lists instead")

    def filled(self, **values: object) -> str:
        """The command with something in place of every placeholder."""
        return _PLACEHOLDER.sub(lambda match: shlex.quote(str(values[match[2]])), self.command)

    def run(self, weights: Path, nbest: Path, number: int, output: Path, errors: Path) -> None:
        """Run it to its end; what it prints goes to two files. Whatever ends this call early ends the decoder."""
        command = self.filled(weights=weights, nbest=nbest, round=number)
        status = _run(command, output, errors)
        if status != 0:
            raise InputError(f"{failure(status)}{last_words(output, errors)}")


def _run(command: str, output: Path, errors: Path) -> int:
    """Run a command in a session of its own, which Ctrl-C does not reach; return its exit status."""
    with ExitStack() as pipes:
        watched, _ = _pipe(pipes)  # ends for the guard when we do
        over, held = _pipe(pipes)  # ends for us when all that was started has ended
        with output.open("wb") as out, errors.open("wb") as error:
            process = subprocess.Popen(
                ["/bin/sh", "-c", _GUARDED, "decoder", command],
                stdin=watched,
                stdout=out,
                stderr=error,
                pass_fds=(held.fileno(),),
                start_new_session=True,
            )
        held.close()
        try:
            return process.wait()
        except BaseException:  # Ctrl-C, or a request to end
            _end(process, over)
            raise


def _pipe(stack: ExitStack) -> tuple[FileIO, FileIO]:
    read, write = os.pipe()
    return stack.enter_context(FileIO(read, "r")), stack.enter_context(FileIO(write, "w"))


def _end(process: subprocess.Popen[bytes], over: FileIO) -> None:
    """End a process and all that it started: ask, wait a little, insist."""
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
