"""The command `tricolore`: one file for each subcommand; parse, call, print."""

from __future__ import annotations

import os
import sys

from ..errors import TricoloreError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and leave with 0, 1 (bad data) or 2 (bad usage)."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    from .parser import parse

    try:
        options = parse(arguments)
        options.run(options)
        sys.stdout.flush()
    except TricoloreError as error:
        print(f"tricolore: {error}", file=sys.stderr)
        return error.exit_status
    except BrokenPipeError:  # the reader had enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("tricolore: interrupted", file=sys.stderr)
        return 130
    return 0
