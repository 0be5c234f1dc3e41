"""What the command prints: results on standard output, messages on standard error; nothing that a terminal obeys."""

from __future__ import annotations

import os
import sys

from ..printable import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


def show(*lines: str, file: TextIO | None = None) -> None:
    """Print lines of results, each as one line."""
    print(*map(printable, lines), sep="\n", file=file)


def say(message: str) -> None:
    """Print a message on standard error; a closed standard error is not a failure."""
    try:
        print(one_message(message), file=sys.stderr, flush=True)
    except OSError:
        drop(sys.stderr)


def drop(stream: TextIO) -> None:
    """Forget what a stream still has to write; Python would try again on its way out, and fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def one_message(message: str) -> str:
    """Write a message as it is printed: one line, and below it what it quotes, by two spaces to the right."""
    return "tricolore: " + "\n  ".join(map(printable, message.split("\n  ")))
