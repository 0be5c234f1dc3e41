"""Measure how well metrics agree with human ratings.

    tricolore correlate scores.tsv
    tricolore correlate ref.txt -i systems/*.txt --human ratings.tsv -m bleu chrf
    tricolore correlate --human en-de.mqm.seg.score BLEU.seg.score COMET.seg.score

The first reads one table (TSV, CSV, JSONL, Parquet): columns system, segment, human, and one for each metric.
The second scores texts; systems are called by their file names, without the ending. The third reads scores of
metrics from files: tables, what 'tricolore score --segments' writes, or SYSTEM<tab>SCORE as in WMT.
All scores are turned so that higher is better; perfect agreement is 1. See docs/correlation.md.
"""

import argparse
from typing import Any

from ..errors import SpecError
from ..judge.correlation import options
from ..judge.correlation.correlate import correlate
from ..judge.correlation.options import CORRELATE
from ..parameters import parameters
from ..results import emit
from .metric_options import add_metric_arguments, make_metrics
from .options import add_list, add_listed, add_options, add_output_options, add_threads, naming_options
from .progress import ProgressBar
from .text_options import add_text_arguments, check_texts, given_references, given_systems, warn


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    first = "with -i: reference files; otherwise: tables or files of scores"
    add_text_arguments(parser, ("FILE", first), "system outputs, a file each")
    group = parser.add_argument_group("human ratings")
    group.add_argument("--human", metavar="FILE", help="the ratings (default: the column 'human' of the table)")
    add_listed(group, options.RatingOptions)
    group = parser.add_argument_group("scores from files")
    add_list(group, "--scores", metavar="FILE", about="files of scores, also beside texts")
    add_listed(group, options.ScoreOptions)
    add_listed(parser.add_argument_group("what is compared"), options.JoinOptions)
    add_metric_arguments(parser)
    add_listed(parser.add_argument_group("statistics"), options.StatisticOptions)
    group = parser.add_argument_group("confidence intervals")
    group.add_argument("--no-intervals", dest="intervals", action="store_false", help="only the values")
    add_options(group, options.IntervalOptions, only=("samples", "level", "over", "interval", "seed"))
    add_listed(parser.add_argument_group("tests between metrics"), options.TestOptions)
    add_listed(parser.add_argument_group("straw men (with -i)"), options.StrawManOptions)
    group = parser.add_argument_group("results")
    add_output_options(group, "3; json, tsv and csv: all")
    add_threads(group)


def run(options: argparse.Namespace) -> None:
    """Read, measure, print."""
    names = [field.name for cls in CORRELATE for field in parameters(cls)]
    check_usage(options)
    with naming_options(*names, "human", "metrics", "scores"), ProgressBar(quiet=options.quiet) as bar:
        bar.stage("reading")
        result = correlate(
            **(texts_of(options) if options.input or options.system else {"data": options.refs}),
            human=options.human,
            scores=options.scores,
            threads=options.threads,
            progress=bar.begin,
            **{name: getattr(options, name) for name in names},
        )
    emit(result, options.format, width=options.width)


def check_usage(options: argparse.Namespace) -> None:
    """Reject files that contradict each other, before any work."""
    texts = options.input or options.system
    if "-" in [options.human, *options.scores, *([] if texts else options.refs)]:
        raise SpecError("ratings and scores are not read from standard input; name a file")
    if texts:
        check_texts(options)
    elif not [*options.refs, *options.more_refs, *options.scores]:
        raise SpecError("no file is given; name a table, or references and outputs (-i)")
    elif options.more_refs:
        raise SpecError("-r names references, but no outputs are given; name them with -i")
    elif options.metrics:
        raise SpecError("-m scores texts, but no outputs are given with -i; metrics of a table are chosen by --columns")


def texts_of(options: argparse.Namespace) -> dict[str, Any]:
    """The outputs of systems, their references, and the metrics to score them with."""
    metrics, references = make_metrics(options), given_references(options)
    systems = given_systems(options, references)
    warn(options, systems, references, metrics)
    return {"data": systems, "refs": references, "metrics": metrics}
