"""n-best lists in, one line a source out: what the commands that choose among candidates have in common."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager

from ..errors import InputError, SpecError
from .number_options import check_numbers
from .printing import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, TextIO

    from ..metrics.base import Metric
    from ..scoring import Score


def add_nbest_argument(group: argparse._ArgumentGroup) -> None:
    """The lists."""
    group.add_argument(
        "--nbest",
        nargs="+",
        action="extend",
        default=[],
        metavar="FILE",
        help="n-best lists of the same sources, which are taken together ('-': standard input; plain or compressed)",
    )


def add_output_arguments(add: Any) -> None:
    """Where to, and how loud."""
    add(
        "-o",
        "--output",
        metavar="FILE",
        help="write to a file, which appears when all is written (compressed: .gz, .zst, .xz, .bz2)",
    )
    add("-w", "--width", type=int, metavar="N", help="digits after the point of scores by a metric")
    add("-q", "--quiet", action="store_true", help="nothing on standard error but mistakes")
    add("--force", action="store_true", help="no advice about text that looks unsuitable")
    add(
        "-j", "--threads", type=int, metavar="N", help="threads (default and 0: all cores); results do not depend on it"
    )


def check_choosing(options: argparse.Namespace, *others: str | None) -> None:
    """Refuse what cannot be meant, before any work; `others` are further files to read."""
    check_numbers(options)
    samples = getattr(options, "samples", None)
    if not options.nbest and not samples:
        others_too = "" if samples is None else ", samples with --samples"
        others_too += ", or lattices with --lattice" * hasattr(options, "lattice")
        raise SpecError(f"no n-best list is given; name one or more with --nbest{others_too}")
    refs = [*options.refs, *options.more_refs]
    if options.num_refs > 1 and len(refs) > 1:
        raise SpecError(f"--num-refs takes one file with {options.num_refs} references a line; got {len(refs)} files")
    inputs = [*options.nbest, *(samples or ()), *refs, *filter(None, others)]
    if inputs.count("-") > 1:
        raise SpecError("standard input can be read only once")
    for paths, what in ((options.nbest, "an n-best list"), (samples or [], "samples"), (refs, "a reference")):
        for path in paths:
            if paths.count(path) > 1:
                raise SpecError(f"{path} is given twice as {what}")
    check_output(options.output, inputs)


def check_output(path: str | None, inputs: Sequence[str], option: str = "--output") -> None:
    """Refuse to write over what is to be read."""
    for other in inputs if path and os.path.isfile(path) else ():
        if os.path.exists(other) and os.path.samefile(str(path), other):
            raise SpecError(f"{option}: {path} is one of the files to read; name another file")


def refuse_descriptions(metrics: Sequence[Metric], instead: str) -> None:
    """Refuse metrics of which neither more nor less is better."""
    for one in (asked for asked in metrics):
        if not one.tells_quality:
            raise SpecError(f"{one.spec}: neither more nor less of it is better; {instead}")


@contextmanager
def opened(path: str | None) -> Iterator[TextIO]:
    """A file that appears when all is written, or standard output."""
    if path is None or path == "-":
        yield sys.stdout
        return
    from ..writers import writing

    with writing(path) as file:
        yield file


def is_watched(options: argparse.Namespace) -> bool:
    """Whether the lines go to a terminal, where a progress bar would be in their way."""
    return options.output in (None, "-") and sys.stdout.isatty()


def one_line(text: str, source: int) -> str:
    """The text, if it is one line; JSON can hold others."""
    if "\n" in text or "\r" in text:
        raise InputError(f"source {source}: the translation has a line break in it; expected one line")
    return text


def say_score(what: str, score: Score, items: Mapping[str, Any], width: int | None) -> None:
    """Print a score with all that it depends on, on standard error."""
    from ..judge.significance.intervals import with_items
    from .results import shown

    line = f"{with_items(score.signature, items)} = {shown(score, width)} {score.verbose}".rstrip()
    say(f"{what}: {line}")
