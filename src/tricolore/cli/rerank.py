"""Rerank n-best lists by feature weights.

    tricolore rerank --nbest nbest.txt --weights weights.txt > best.txt
    tricolore rerank --nbest run1.gz run2.gz run3.gz --weights weights.txt --refs ref.txt -o best.txt
    tricolore rerank --nbest nbest.jsonl --weights weights.txt --list --top 10 > reranked.txt

Prints one line per source: of all its candidates in all lists, the one with the highest sum of features times
weights; ties go to the first (files in order, then lines). Without --weights the total at the end of each line decides,
higher is better. Lists are those of Moses, Marian and cdec ('source ||| text ||| name= value ... ||| total', sources
numbered from 0) or JSON lines; they are read side by side, source by source, however long they are. Weights are
'name= value ...' lines; features without a weight have weight 0. With references, corpus scores of the choice and of
the first candidates go to standard error. Exit status: 0 success, 1 invalid data, 2 invalid usage.
"""

import argparse
from collections.abc import Callable
from typing import TextIO

from ..errors import SpecError
from ..parameters import OrNone, Whole
from ..tuning.rerank import Ranked, rerank
from .metric_options import add_metric_arguments, flags_given, make_metrics
from .nbest_options import add_nbest_argument, add_output_arguments, check_choosing, is_watched, opened, say_summary
from .options import add_option
from .progress import ProgressBar
from .text_options import add_reference_arguments, given_references, warn


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    group = add_reference_arguments(parser, words=None)
    add_nbest_argument(group)
    group.add_argument("--weights", metavar="FILE", help="weights of the features (default: the totals decide)")
    add_metric_arguments(parser, default="with --refs; default: bleu")
    group = parser.add_argument_group("results")
    add = group.add_argument
    add("--scores", action="store_true", help="the sum of features times weights, or the total, and a tab before each")
    add("--list", action="store_true", help="all candidates, each once, best first, as an n-best list with new totals")
    about = "the best N candidates of each source (with --list)"
    add_option(group, "--top", kind=OrNone(Whole(1, 1_000_000_000)), about=about)
    add_output_arguments(group)


def run(options: argparse.Namespace) -> None:
    """Rerank, and write source by source."""
    metrics = make_metrics(options)
    check_usage(options)
    references = given_references(options) if options.more_refs else None
    with ProgressBar(quiet=options.quiet or is_watched(options)) as bar, opened(options.output) as file:
        found = rerank(
            options.nbest,
            options.weights,
            refs=references,
            metric=metrics,
            top=options.top if options.list else 1,
            threads=options.threads,
            progress=bar.begin,
            each=printer(options, file),
        )
    if references is not None:
        warn(options, {options.nbest[0]: [one.first for one in found.ranked]}, references, metrics)
    say_summary(found, options)


def check_usage(options: argparse.Namespace) -> None:
    """Reject options that contradict each other, before any work."""
    if options.top is not None and not options.list:
        raise SpecError("--top requires --list")
    if options.scores and options.list:
        raise SpecError("--scores and --list exclude each other; a list has its totals")
    if not options.more_refs:
        given = [*(["--metrics"] if options.metrics else []), *flags_given(options)]
        given += ["--missing-refs"] if options.missing_refs else []
        if given:
            raise SpecError(f"{given[0]} is for scores against references; name some with --refs")
    check_choosing(options, options.weights)


def printer(options: argparse.Namespace, file: TextIO) -> Callable[[Ranked], None]:
    """Print the lines of a source."""

    def show(ranked: Ranked) -> None:
        if options.list:
            for hypothesis in ranked.best:
                print(hypothesis.line(ranked.source), file=file)
        else:
            one = ranked.chosen
            print(f"{one.score!r}\t{one.line()}" if options.scores else one.line(), file=file)

    return show
