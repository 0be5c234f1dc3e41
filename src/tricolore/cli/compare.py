"""Compare systems and say which differences are real.

    tricolore compare ref.txt -i A.txt B.txt C.txt -m bleu chrf
    tricolore compare ref.txt --system base=b1.txt,b2.txt,b3.txt --system new=n1.txt,n2.txt,n3.txt
    tricolore compare ref.txt -i A.txt B.txt -m bleu --scores COMET=comet.json MetricX=metricx.jsonl
    tricolore compare --scores comet.tsv bleurt.jsonl --baseline base
    tricolore compare --table data.parquet --hyp mt --ref ref --by system --key segment -m chrf

All pairs of systems are tested, or each system against the --baseline. The tables have scores and differences with
confidence intervals, raw and Holm-corrected p-values, and clusters of systems that do not differ significantly.
A system may have several optimiser runs; its score is then their mean.
"Is the difference real?" in the documentation explains each number.
Exit status: 0 success, 1 invalid data, 2 invalid usage.
"""

import argparse
from typing import Any

from ..errors import SpecError
from ..judge.significance.compare import compare, compare_scores
from ..judge.significance.comparison import Comparison, Settings
from ..parameters import Whole, parameters
from ..results import emit
from .external_options import PARAMETERS, add_external_arguments, check_external, given_external
from .metric_options import add_metric_arguments, flags_given, make_metrics
from .options import (
    add_option,
    add_options,
    add_output_options,
    add_threads,
    built,
    naming_options,
)
from .progress import ProgressBar
from .table_options import COLUMNS, add_table_arguments, check_table, conditions, given_columns
from .text_options import add_text_arguments, check_texts, given_references, given_systems, reference_paths, warn

SETTINGS = tuple(field.name for field in parameters(Settings))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_text_arguments(parser, outputs="system outputs, a file each; '-' is standard input", runs="NAME=RUN[,RUN...]")
    group = add_table_arguments(parser, groups="the column that says which system a row is of")
    about = "read the table batch by batch, and compare sums of 1,000 buckets of segments: for tables of any length"
    group.add_argument("--stream", action="store_true", help=about)
    add_external_arguments(parser, also=". Without texts, -m chooses among them (default: all)", missing=True)
    add_metric_arguments(parser)
    group = parser.add_argument_group("test")
    add_options(group, Settings)
    group.add_argument("--baseline", metavar="NAME", help="compare each system with this one only (default: all pairs)")
    group = parser.add_argument_group("results")
    about = (
        "also print the N segments on which the two best systems (or the best and the --baseline) differ most, aligned"
    )
    add_option(group, "--examples", kind=Whole(1, 1_000_000), about=about)
    add_output_options(group, "1; 3 for NIST and --scores; JSON, TSV and CSV in full")
    add_threads(group)


def run(options: argparse.Namespace) -> None:
    """Read, compare, print."""
    check_usage(options)
    with ProgressBar(quiet=options.quiet) as bar:
        bar.stage("reading")
        with naming_options(*PARAMETERS, *SETTINGS, "baseline", *COLUMNS):
            compared = compare_columns if options.table else compare_texts if has_texts(options) else compare_files
            found = compared(options, bar)
    emit(found, options.format, width=options.width)
    if options.examples:
        print()
        emit(found.examples(options.examples, second=options.baseline), width=options.width)


def compare_texts(options: argparse.Namespace, bar: ProgressBar) -> Comparison:
    """Compare systems by metrics on their outputs."""
    metrics, how = make_metrics(options), given_settings(options)
    references = given_references(options, bar)
    systems = given_systems(options, references)
    if len(systems) < 2:
        raise SpecError(f"only one system is given ({next(iter(systems))}); expected two or more to compare")
    warn(options, systems, references, metrics)
    how |= given_external(options)
    return compare(systems, references, metrics, threads=options.threads, progress=bar.begin, **how)


def compare_columns(options: argparse.Namespace, bar: ProgressBar) -> Comparison:
    """Compare the systems of a table."""
    from ..tables.judge_table import compare_table

    how = given_settings(options)
    if options.stream:  # which has neither several runs nor the arithmetic of others
        how = {name: value for name, value in how.items() if name not in ("compat", "runs_as")}
    return compare_table(
        options.table,
        **given_columns(options),
        system=options.by[0] if options.by else None,
        where=conditions(options),
        metrics=make_metrics(options),
        stream=options.stream,
        threads=options.threads,
        progress=bar.begin,
        **how,
    )


def compare_files(options: argparse.Namespace, bar: ProgressBar) -> Comparison:
    """Compare systems by segment scores from elsewhere."""
    return compare_scores(
        options.scores,
        metrics=options.metrics or (),
        lower_is_better=options.lower_is_better,
        higher_is_better=options.higher_is_better or True,
        missing=options.missing,
        progress=bar.begin,
        **given_settings(options),
    )


def given_settings(options: argparse.Namespace) -> dict[str, Any]:
    """How to compare."""
    built(Settings, options)  # which rejects what does not go together
    given = vars(options)
    return {field.name: given[field.name] for field in parameters(Settings) if field.name in given} | {
        "baseline": options.baseline
    }


def has_texts(options: argparse.Namespace) -> bool:
    """Whether there are texts, or only external scores."""
    return bool(options.input or options.system or not options.scores)


def check_usage(options: argparse.Namespace) -> None:
    """Reject options that contradict each other, before any work."""
    if options.examples and (options.table or not has_texts(options) or options.format != "text"):
        other = f"-f {options.format}" if options.format != "text" else "--table" if options.table else "--scores alone"
        raise SpecError(f"--examples prints texts and their alignment; it does not go with {other}")
    check_external(options)
    check_table(options, ("--scores",))
    if not options.scores and options.missing != "refuse":
        raise SpecError("--missing is for --scores")
    if options.table:
        check_systems(options)
        return
    if options.by or options.stream:
        raise SpecError(f"--{'by' if options.by else 'stream'} needs --table")
    if has_texts(options):
        if not options.input and not options.system:
            raise SpecError("no systems are given; name their outputs with -i, or with --system NAME=RUN,RUN")
        check_texts(options)
        return
    if reference_paths(options) or options.test_set:
        raise SpecError("references are given, but no outputs; name them with -i, or compare --scores alone")
    given = [*flags_given(options), *(["--num-refs"] if options.num_refs != 1 else [])]
    given += ["--missing-refs"] if options.missing_refs else []
    given += ["--ignore-unknown"] if options.ignore_unknown else []
    if given:
        raise SpecError(f"{given[0]} is about scoring texts; with --scores there is nothing to score")


def check_systems(options: argparse.Namespace) -> None:
    """Reject a table whose systems are not named, or in two ways."""
    if len(options.by) > 1:
        raise SpecError(f"--by: expected the column of systems, got {len(options.by)} columns")
    if options.stream and (len(options.hyp) > 1 or not options.by):
        raise SpecError("--stream needs --by, the column that says which system a row is of, and one column --hyp")
    if options.stream and (options.compat or options.runs_as):
        raise SpecError(f"--stream has no --{'compat' if options.compat else 'runs-as'}")
