"""The command `tricolore`: one file for each subcommand; parse, call, print."""

from __future__ import annotations

import io
import os
import signal
import sys

from ..errors import TricoloreError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and leave with 0, 1 (bad data) or 2 (bad usage), 130 (Ctrl-C) or 143 (terminated)."""
    told: list[int] = []

    def stop(number: int, _: object) -> NoReturn:
        told.append(number)
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(143)  # a part of a file is cleared away

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:  # as in the background of a shell
            signal.signal(number, stop)
    try:
        status = run(sys.argv[1:] if arguments is None else arguments)
    except Exception:
        if not told:
            raise
        # A library that is being loaded may turn the interruption into an error of its own; NumPy does.
        status = 143 if told[0] == signal.SIGTERM else complain("interrupted", 130)
    sys.exit(status)


def run(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    from .parser import parse

    use_utf8()
    try:
        options = parse(arguments)
        options.run(options)
        if sys.stdout is not None:
            sys.stdout.flush()
    except TricoloreError as error:
        return complain(str(error), error.exit_status)
    except BrokenPipeError:  # the reader had enough, as `head` does
        drop_output()
        return 0
    except OSError as error:
        drop_output()
        return complain(f"{error.filename or 'standard output'}: {error.strerror or error}", 1)
    except KeyboardInterrupt:
        return complain("interrupted", 130)
    return 0


def complain(message: str, status: int) -> int:
    """Print one line on standard error."""
    print(f"tricolore: {message}", file=sys.stderr)
    return status


def use_utf8() -> None:
    """Write UTF-8 wherever no terminal says otherwise, and never fail over a character."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="surrogateescape")


def drop_output() -> None:
    """Forget what is still to be printed; Python would try again on its way out, and fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
