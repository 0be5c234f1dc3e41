"""Commands that choose among candidates: n-best lists in, one line per source out."""

from __future__ import annotations

import sys
from contextlib import contextmanager

from ..errors import SpecError
from ..parameters import parameters
from ..spec import write
from ..writers import check_kept, writing
from .options import DIGITS, add_list, add_option, add_threads, check_distinct
from .printing import say
from .text_options import reference_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator
    from typing import Any, TextIO

    from ..tuning.choices import Choices
    from .options import Group


def add_nbest_argument(group: argparse._ArgumentGroup) -> None:
    """The lists."""
    about = "n-best lists of the same sources, which are merged ('-': standard input; plain or compressed)"
    add_list(group, "--nbest", metavar="FILE", about=about)


def add_output_arguments(group: argparse._ArgumentGroup) -> None:
    """Where results are written, and how much is said on the way."""
    about = "write to a file, which appears when all is written (compressed: .gz, .zst, .xz, .bz2)"
    group.add_argument("-o", "--output", metavar="FILE", help=about)
    add_option(group, "-w", "--width", kind=DIGITS, about="digits after the decimal point of metric scores")
    group.add_argument("-q", "--quiet", action="store_true", help="nothing on standard error but errors")
    group.add_argument("--force", action="store_true", help="no warnings about text that looks unsuitable")
    add_threads(group)


def add_unset_options(group: Group, cls: type, *names: str) -> None:
    """Add options of a class that are None unless given, so that those that do not apply are noticed."""
    for field in parameters(cls):
        if field.name in names:
            about, default = field.metadata["doc"], field.default
            about += "" if default is None or "(default" in about else f" (default: {write(default)})"
            add_option(group, f"--{field.name.replace('_', '-')}", kind=field.metadata["kind"], about=about)


def given_options(options: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """The options that were given or have a default, by name."""
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def check_choosing(options: argparse.Namespace, *others: str | None) -> None:
    """Reject files that contradict each other, before any work; `others` are further files to read."""
    samples = getattr(options, "samples", None)
    if not options.nbest and not samples:
        others_too = "" if samples is None else ", samples with --samples"
        others_too += ", or lattices with --lattice" * hasattr(options, "lattice")
        raise SpecError(f"no n-best list is given; name one or more with --nbest{others_too}")
    refs = reference_paths(options)
    if options.num_refs > 1 and len(refs) > 1:
        raise SpecError(f"--num-refs takes one file with {options.num_refs} references per line; got {len(refs)} files")
    inputs = [*options.nbest, *(samples or ()), *refs, *filter(None, others)]
    if inputs.count("-") > 1:
        raise SpecError("standard input can be read only once")
    for paths, what in ((options.nbest, "an n-best list"), (samples or [], "samples")):
        check_distinct(paths, "", f" as {what}")
    check_kept("--output", options.output, *inputs)


@contextmanager
def opened(path: str | None) -> Iterator[TextIO]:
    """A file that appears when all is written, or standard output."""
    if path is None or path == "-":
        yield sys.stdout
        return
    with writing(path) as file:
        yield file


def is_watched(options: argparse.Namespace) -> bool:
    """Whether the lines go to a terminal, where a progress bar would be in their way."""
    return options.output in (None, "-") and sys.stdout.isatty()


def say_summary(found: Choices, options: argparse.Namespace) -> None:
    """Say on standard error how the texts were chosen and how good they are."""
    for line in (*found.notes, *found.summary(options.width)) if not options.quiet else ():
        say(line)
