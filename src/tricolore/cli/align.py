"""Show the word alignment and edits between an output and its reference.

    tricolore align ref.txt -i output.txt --only-errors
    tricolore align ref.txt -i output.txt --segment 3 17-19 --chars
    tricolore align ref.txt -i A.txt B.txt C.txt --segment 3
    tricolore align --text 'the cat sat' 'a hat sat'

One segment per line, as for 'tricolore score'; '-' is standard input. Below reference and output, S, I and D mark words
that were substituted, inserted or deleted. The last line has the totals and the error rate with its signature: word
error rate, or with --chars character error rate (letter error rate). Several systems are shown one below the other.
"""

import argparse
import sys
from argparse import ArgumentTypeError
from dataclasses import replace
from itertools import chain
from typing import Any

from ..alignment import AlignmentOptions, align_all
from ..errors import SpecError
from ..numbers import whole
from ..parameters import Choice, Whole, parameters
from ..readers.texts import read_texts, system_names
from ..results import emit
from ..system_alignments import align_systems
from .options import add_list, add_option, add_options, check_distinct, naming_options
from .printing import show
from .text_options import add_as_text_argument


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    group = parser.add_argument_group("texts")
    add = group.add_argument
    add("ref", nargs="?", metavar="REF", help="reference file")
    add_list(group, "-i", "--input", metavar="HYP", about="system outputs, a file each (default: standard input)")
    add("--text", nargs=2, metavar=("REF", "HYP"), help="two texts instead of files")
    about = "only these segments, counted from 1; also 3-7"
    add("--segment", nargs="+", type=segments, action="extend", metavar="N", help=about)
    spelled = {"tokenize": ("-tok", "--tokenize"), "lowercase": ("-lc", "--lowercase")}
    add_options(group, AlignmentOptions, spelled=spelled)
    add_as_text_argument(group)

    group = parser.add_argument_group("results")
    about = "leave out segments without an error; the totals count them"
    group.add_argument("--only-errors", action="store_true", help=about)
    formats = Choice(("text", "json", "tsv", "csv"))
    add_option(group, "-f", "--format", kind=formats, default="text", about="output format")
    about = "columns of a line (default: those of the terminal; 0: do not break lines)"
    add_option(group, "--width", kind=Whole(0, 1_000_000), about=about)


def segments(text: str) -> range:
    """The numbers that a text stands for: one, or those from one to another."""
    first, dash, last = text.partition("-")
    try:
        found = range(whole(first), whole(last if dash else first) + 1)
    except ValueError:
        found = range(0)
    if not found:
        raise ArgumentTypeError(f"expected a number, or two such as 3-7; got {text!r}")
    return found


def run(options: argparse.Namespace) -> None:
    """Align, and print."""
    given = {field.name: getattr(options, field.name) for field in parameters(AlignmentOptions)}
    asked = None if options.segment is None else {*chain(*options.segment)}
    outputs, references = texts(options)
    with naming_options(*given):
        how: dict[str, Any] = {"segments": asked, "only_errors": options.only_errors, **given}
        if len(outputs) > 1:
            several = align_systems(outputs, references, **how)
            emit(replace(several, columns=options.width), options.format)
            return
        found = align_all(next(iter(outputs.values())), references, **how)
    emit(replace(found, columns=options.width), options.format)
    if options.format in ("tsv", "csv"):
        show(found.summary, file=sys.stderr)  # not among the records


def texts(options: argparse.Namespace) -> tuple[dict[str, Any], Any]:
    """Outputs by system, and references."""
    if options.text is not None:
        for other in (options.ref, *options.input):
            if other is not None:
                raise SpecError(f"--text takes the place of files; {other} was not expected")
        ref, hyp = options.text
        return {"": [hyp]}, [ref]
    if options.ref is None:
        raise SpecError("a reference is needed, and the output with -i; or --text with two texts")
    paths = options.input or ["-"]
    check_distinct(paths, "", " as a system")
    if [options.ref, *paths].count("-") > 1:
        raise SpecError("standard input can be read only once; name the output with -i")
    outputs = {
        name: read_texts(path, as_text=options.as_text) for name, path in zip(system_names(paths), paths, strict=True)
    }
    return outputs, read_texts(options.ref, as_text=options.as_text)
