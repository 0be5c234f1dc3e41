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
    """Run the command and leave with 0, 1 (bad data) or 2 (bad usage)."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that a part of a file is cleared away
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


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
