"""The command `tricolore`: one file for each subcommand; parse, call, print."""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
from importlib import import_module


class LoadedLater(type(sys)):  # type: ignore[misc]
    """A module of the standard library that is loaded when something in it is used."""

    __name__: str

    def __getattr__(self, name: str) -> object:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


# Dataclasses import them, but use them only for classes without a docstring and for copies; loading takes long.
for later in ("inspect", "copy"):
    sys.modules.setdefault(later, LoadedLater(later))

from ..errors import TricoloreError  # noqa: E402
from ..platforms import start_no_blas_threads  # noqa: E402
from .printing import drop, say  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and leave with 0, 1 (bad data) or 2 (bad usage), 130 (Ctrl-C) or 143 (terminated)."""
    told: list[int] = []
    start_no_blas_threads()
    gc.set_threshold(100_000)  # modules make many objects and no cycles worth looking for while the command starts

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
    gc.freeze()  # or Python would look for cycles in all that is left, although it goes away with the process
    sys.exit(status)


def run(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    open_closed_streams()
    use_utf8()
    try:
        return carry_out(arguments)
    except TricoloreError as error:
        message, status = str(error).replace("as_text=True", "--as-text"), error.exit_status
    except BrokenPipeError:  # the reader had enough, as `head` does
        drop(sys.stdout)
        return 0
    except OSError as error:
        drop(sys.stdout)
        message, status = f"{error.filename or 'standard output'}: {error.strerror or error}", 1
    except (MemoryError, ImportError, SystemError) as error:
        if not means_out_of_memory(error):
            raise
        message, status = f"out of memory: {too_much(error)}", 1
    except KeyboardInterrupt:
        message, status = "interrupted", 130
    # Only here, where the error and all that it held are gone, is there memory again for sure.
    return complain(message, status)


def means_out_of_memory(error: Exception) -> bool:
    """Whether an error is due to a lack of memory; the system's loader and NumPy say so in words of their own."""
    signs = ("failed to map segment", "annot allocate memory", "returned NULL without setting an exception")
    return isinstance(error, MemoryError) or any(sign in str(error) for sign in signs)


def too_much(error: Exception) -> str:
    """What there is no memory for, where that is known: NumPy and the core say it."""
    known = isinstance(error, MemoryError) and str(error) not in ("", "std::bad_alloc")
    return str(error) if known else "the data does not fit into the memory that there is"


def carry_out(arguments: list[str]) -> int:
    """Parse, run, and see to it that all results are written."""
    from .parser import parse

    try:
        options = parse(arguments)
        options.run(options)
    except SystemExit as leaving:  # --help and --version print and leave
        if leaving.code:
            raise
    sys.stdout.flush()
    return 0


def complain(message: str, status: int) -> int:
    """Print one line on standard error, after the results that came before it."""
    try:
        sys.stdout.flush()
    except OSError:
        drop(sys.stdout)
    say(message)
    return status


def open_closed_streams() -> None:
    """Let a closed standard output fail where something is written to it, and a closed standard error be silent."""
    while (number := os.open(os.devnull, os.O_RDONLY)) <= 2:  # no file that is opened later may take their numbers
        pass
    os.close(number)
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115 - the null device, but to be read
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def use_utf8() -> None:
    """Write UTF-8 wherever no terminal says otherwise, and never fail over a character."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="surrogateescape")
