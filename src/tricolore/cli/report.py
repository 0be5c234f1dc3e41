"""Write one HTML file that shows which system is better, where, and how certain that is.

    tricolore report ref.txt -i A.txt B.txt C.txt -o report.html
    tricolore report ref.txt -i systems/*.txt --source src.txt --human ratings.tsv --docs docs.txt -m bleu chrf ter
    tricolore report --table outputs.parquet --hyp A B C --ref reference --by domain
    tricolore report ref.txt -i A.txt B.txt --scores comet.tsv --by domain=domains.txt --plot figures --open

The file is complete in itself: it needs no network and no server, and can be mailed. It has an overview with intervals
and clusters, tests of all pairs that follow a filter, every segment with its alignments, scores by length, document or
any column, words that one system gets right more often, and how metrics agree with each other and with ratings.
"What is in a report?" in the documentation shows each view.
Exit status: 0 success, 1 invalid data, 2 invalid usage.
"""

import argparse
import os
import shlex
import sys
from typing import Any

from ..errors import SpecError
from ..judge.correlation.options import RatingOptions
from ..judge.significance.comparison import Settings
from ..parameters import parameters
from ..reporting.report import Report, ReportOptions, report
from ..results import emit
from .external_options import add_external_arguments
from .metric_options import add_metric_arguments, make_metrics
from .options import (
    add_options,
    add_output_options,
    add_threads,
    check_distinct,
    naming_options,
)
from .progress import ProgressBar
from .table_options import COLUMNS, add_table_arguments, check_table, conditions, given_columns
from .text_options import add_text_arguments, check_texts, given_references, given_systems, warn

#: The parameters of the library that the command takes as they are.
SETTINGS = ("test", "trials", "resamples", "level", "seed")
SCORES = ("lower_is_better", "higher_is_better")
RATINGS = tuple(field.name for field in parameters(RatingOptions))
REPORT = tuple(field.name for field in parameters(ReportOptions))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_text_arguments(parser, outputs="system outputs, a file each; '-' is standard input")
    group = parser.add_argument_group("what else is known about the segments")
    group.add_argument("--source", metavar="FILE", help="source texts; with --table: their column")
    group.add_argument("--docs", metavar="FILE", help="the document of each segment, one per line (first column)")
    about = "a further column to group by, one value per line; with --table: a column; repeat for several"
    group.add_argument("--by", action="append", default=[], metavar="NAME=FILE", help=about)
    group = add_table_arguments(parser, groups="")
    about = "the column that says which system a row is of (default: every column of --hyp is a system)"
    group.add_argument("--system-column", metavar="COLUMN", help=about)
    group = parser.add_argument_group("human ratings")
    group.add_argument("--human", metavar="FILE", help="ratings of segments, in any form that 'correlate' reads")
    add_options(group, RatingOptions)
    add_external_arguments(parser)
    add_metric_arguments(parser)
    add_options(parser.add_argument_group("test"), Settings, only=SETTINGS)
    group = parser.add_argument_group("results")
    group.add_argument(
        "-o", "--output", default="report.html", metavar="FILE", help="file to write (default: report.html)"
    )
    group.add_argument("--title", metavar="TEXT", help="title of the report (default: the number of systems)")
    add_options(group, ReportOptions)
    group.add_argument("--open", action="store_true", help="open the report in a browser")
    add_output_options(group, "as in 'compare'")
    add_threads(group)


def run(options: argparse.Namespace) -> None:
    """Read, score, write."""
    check_usage(options)
    names = (*SETTINGS, *SCORES, *RATINGS, *REPORT, "human", "scores", "source", "docs", "ignore_unknown")
    with naming_options(*names, *COLUMNS, path="--output"), ProgressBar(quiet=options.quiet) as bar:
        bar.stage("reading")
        made = written(options, bar, {name: getattr(options, name) for name in names})
    emit(made, options.format, width=options.width)
    if options.open:
        from webbrowser import open_new_tab

        open_new_tab("file://" + os.path.abspath(made.path))


def written(options: argparse.Namespace, bar: ProgressBar, given: dict[str, Any]) -> Report:
    """Score the texts, or those of a table, and write the report."""
    metrics = make_metrics(options) if options.metrics else make_metrics(options, ["bleu", "chrf", "ter"])
    given |= {"path": options.output, "title": options.title, "threads": options.threads, "progress": bar.begin}
    given["command"] = f"tricolore {shlex.join(sys.argv[1:])}"
    if options.table:
        from ..reporting.report_table import report_table

        columns = {**given_columns(options), "system": options.system_column, "where": conditions(options)}
        return report_table(options.table, **columns, by=options.by, metrics=metrics, **given)
    references = given_references(options, bar)
    systems = given_systems(options, references)
    warn(options, systems, references, metrics)
    return report(systems, references, metrics, by=dict(pair.split("=", 1) for pair in options.by), **given)


def check_usage(options: argparse.Namespace) -> None:
    """Reject options that contradict each other, before any work."""
    check_table(options, ("--docs",), ("hyp", "ref", "key", "where", "system_column"))
    if options.table:
        check_beside(options)
        return
    if not options.input and not options.system:
        raise SpecError("no systems are given; name their outputs with -i, or with --system NAME=FILE")
    check_texts(options)
    check_distinct(options.scores, "--scores: ")
    for pair in options.by:
        name, equals, path = pair.partition("=")
        if not (name and equals and path):
            raise SpecError(f"--by: expected NAME=FILE, a column and the file of its values; got {pair!r}")
    check_distinct([pair.partition("=")[0] for pair in options.by], "--by: ")
    check_beside(options)


def check_beside(options: argparse.Namespace) -> None:
    """Reject ratings and scores that contradict other options."""
    named = [text.rpartition("=")[2] for text in (*options.scores, *options.by)]
    if "-" in [options.source, options.docs, options.human, *named]:
        raise SpecError("only references and outputs are read from standard input; name a file")
    if options.human is None:
        changed = [field.name for field in parameters(RatingOptions) if getattr(options, field.name) != field.default]
        if changed:
            raise SpecError(f"--{changed[0].replace('_', '-')} is about ratings; name them with --human")
        if options.ignore_unknown and not options.scores:
            raise SpecError("--ignore-unknown is for --human and --scores")
    if not options.scores and (options.lower_is_better or options.higher_is_better):
        raise SpecError(f"--{'lower' if options.lower_is_better else 'higher'}-is-better is for --scores")
