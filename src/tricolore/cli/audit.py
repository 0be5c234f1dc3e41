"""Audit metrics: what they reward, what they miss, and how they can be gamed, on your own texts.

    tricolore audit ref.txt -i A.txt B.txt C.txt -m bleu bleu-sbp 4-grr ter chrf
    tricolore audit ref0.txt ref1.txt -i A.txt B.txt -m bleu chrf --only decomposability
    tricolore audit ref.txt -i A.txt B.txt -m bleu chrf --plot pictures
    tricolore audit ref.txt -i A.txt B.txt -m bleu --function my_metrics:comet --source src.txt

The first table is a summary of metrics by properties. Then each section has its verdicts in plain sentences, the
numbers behind them, and examples from the texts. "What does my metric reward?" in the documentation explains each
number. Exit status: 0 success, 1 invalid data, 2 invalid usage.
"""

import argparse
import os
import sys
from collections.abc import Callable
from typing import Any

from ..errors import SpecError
from ..judge.audit.audit import audit
from ..judge.audit.audited_metrics import load_function
from ..judge.audit.options import AuditOptions
from ..parameters import parameters
from ..results import emit
from .metric_options import add_metric_arguments, flags_given, make_metrics
from .options import add_list, add_listed, add_output_options, add_threads, built, naming_options
from .progress import ProgressBar
from .text_options import add_text_arguments, check_texts, given_references, given_systems, named_systems, warn

#: The parameters of the library, for messages.
NAMES = (*(field.name for field in parameters(AuditOptions)), "lower_is_better", "source", "function")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_text_arguments(parser, outputs="system outputs, a file each; '-' is standard input")
    group = parser.add_argument_group("what else is audited")
    about = "functions of your own that return a score per segment; modules may be in the current folder"
    add_list(group, "--function", metavar="MODULE:NAME", about=about)
    add_list(group, "--lower-is-better", metavar="NAME", about="functions for which lower is better")
    group.add_argument("--source", metavar="FILE", help="source texts, for untranslated copies and for functions")
    add_metric_arguments(parser)
    group = parser.add_argument_group("audit")
    add_listed(group, AuditOptions)
    group = parser.add_argument_group("results")
    group.add_argument("--plot", metavar="FOLDER", help="also write pictures to this folder, as SVG")
    add_output_options(group, "one more than the metric has in other tables; JSON, TSV and CSV in full")
    add_threads(group)


def run(options: argparse.Namespace) -> None:
    """Read, audit, print."""
    check_usage(options)
    with naming_options(*NAMES), ProgressBar(quiet=options.quiet) as bar:
        bar.stage("reading")
        functions = own_functions(options.function)
        metrics = make_metrics(options) if options.metrics or not functions else []
        references = given_references(options, bar)
        systems = given_systems(options, references)
        warn(options, systems, references, metrics)
        found = audit(
            systems,
            references,
            [*metrics, *functions],
            source=options.source,
            lower_is_better=options.lower_is_better,
            **vars(built(AuditOptions, options)),
            threads=options.threads,
            progress=bar.begin,
        )
        if options.plot:
            bar.stage("writing")
            found.plot(options.plot)
    emit(found, options.format, width=options.width)


def own_functions(names: list[str]) -> list[Callable[..., Any]]:
    """The functions of the user; their modules may be in the current folder."""
    if names and os.curdir not in sys.path and "" not in sys.path:
        sys.path.insert(0, os.getcwd())
    return [load_function(name) for name in names]


def check_usage(options: argparse.Namespace) -> None:
    """Reject options that contradict each other, before any work."""
    if not options.input and not options.system:
        raise SpecError("no systems are given; name their outputs with -i, or with --system NAME=FILE")
    check_texts(options)
    for name, runs in named_systems(options).items():
        if len(runs) > 1:
            raise SpecError(f"--system: {name} has {len(runs)} runs; expected one output per system")
    if options.source == "-":
        raise SpecError("only references and outputs are read from standard input; name a file")
    if options.lower_is_better and not options.function:
        raise SpecError("--lower-is-better is for --function")
    if options.function and not options.metrics and flags_given(options):
        raise SpecError(f"{next(iter(flags_given(options)))} is about metrics; name them with -m")
