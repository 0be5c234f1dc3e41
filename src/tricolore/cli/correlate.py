"""Measure how well metrics agree with human ratings.

    tricolore correlate scores.tsv
    tricolore correlate ref.txt -i systems/*.txt --human ratings.tsv -m bleu chrf
    tricolore correlate --table data.parquet --hyp mt --ref ref --system-column system --human-column score
    tricolore correlate --human en-de.mqm.seg.score BLEU.seg.score COMET.seg.score

The first reads one table (TSV, CSV, JSONL, Parquet): columns system, segment, human, and one for each metric.
The second scores texts; systems are called by their file names, without the ending. The third scores columns of a table
that has a row for each system and segment, and a column of ratings. The last reads scores of
metrics from files: tables, what 'tricolore score --segments' writes, or SYSTEM<tab>SCORE as in WMT.
All scores are turned so that higher is better; perfect agreement is 1. "Does a metric agree with human ratings?" in the
documentation explains the statistics, intervals and tests.
"""

import argparse
from typing import Any

from ..errors import SpecError
from ..judge.correlation import options
from ..judge.correlation.correlate import correlate
from ..judge.correlation.options import CORRELATE
from ..judge.correlation.result import Correlation
from ..parameters import parameters
from ..results import emit
from .external_options import SCORES
from .metric_options import add_metric_arguments, make_metrics
from .options import add_list, add_listed, add_options, add_output_options, add_threads, naming_options
from .progress import ProgressBar
from .table_options import COLUMNS, add_table_arguments, check_table, conditions, given_columns
from .text_options import add_text_arguments, check_texts, given_references, given_systems, warn


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    first = "with -i: reference files; otherwise: tables or files of scores"
    add_text_arguments(parser, ("FILE", first), "system outputs, a file each")
    group = add_table_arguments(parser, groups="", where=False)
    group.add_argument("--system-column", metavar="COLUMN", help="the column that says which system a row is of")
    group = parser.add_argument_group("human ratings")
    group.add_argument("--human", metavar="FILE", help="the ratings (default: the column 'human' of the table)")
    add_listed(group, options.RatingOptions)
    group = parser.add_argument_group("scores from files")
    add_list(group, "--scores", metavar="[NAME=]FILE", about=f"{SCORES}; also beside texts")
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
    how = {name: getattr(options, name) for name in names} | {"threads": options.threads, "scores": options.scores}
    names += ["human", "metrics", "scores", *COLUMNS]
    with naming_options(*names), ProgressBar(quiet=options.quiet) as bar:
        bar.stage("reading")
        if options.table:
            result = of_table(options, **how, progress=bar.begin)
        else:
            given = texts_of(options, bar) if options.input or options.system else {"data": options.refs}
            result = correlate(**given, human=options.human, progress=bar.begin, **how)
    emit(result, options.format, width=options.width)


def of_table(options: argparse.Namespace, **how: Any) -> Correlation:
    """Correlate metrics with ratings in a table."""
    from ..tables.judge_table import correlate_table

    del how["where"]  # which rows are read
    columns = given_columns(options) | {"system": options.system_column, "where": conditions(options)}
    columns["human"] = how.pop("human_column") or "human"
    return correlate_table(options.table, **columns, metrics=make_metrics(options), **how)


def check_usage(options: argparse.Namespace) -> None:
    """Reject files that contradict each other, before any work."""
    check_table(options, ("--human",), ("hyp", "ref", "key"))
    if options.table:
        if not options.system_column or len(options.hyp) > 1:
            raise SpecError(
                "--table needs --system-column, the column that says which system a row is of, and one --hyp"
            )
        return
    if options.system_column:
        raise SpecError("--system-column needs --table")
    texts = options.input or options.system
    files = [text.rpartition("=")[2] for text in options.scores]
    if "-" in [options.human, *files, *([] if texts else options.refs)]:
        raise SpecError("ratings and scores are not read from standard input; name a file")
    if texts:
        check_texts(options)
    elif not [*options.refs, *filter(None, [options.test_set]), *options.more_refs, *options.scores]:
        raise SpecError("no file is given; name a table, or references and outputs (-i)")
    elif options.more_refs:
        raise SpecError("-r names references, but no outputs are given; name them with -i")
    elif options.test_set:
        raise SpecError("-t names references, but no outputs are given; name them with -i")
    elif options.metrics:
        raise SpecError("-m scores texts, but no outputs are given with -i; metrics of a table are chosen by --columns")


def texts_of(options: argparse.Namespace, bar: ProgressBar) -> dict[str, Any]:
    """The outputs of systems, their references, and the metrics to score them with."""
    metrics, references = make_metrics(options), given_references(options, bar)
    systems = given_systems(options, references)
    warn(options, systems, references, metrics)
    return {"data": systems, "refs": references, "metrics": metrics}
