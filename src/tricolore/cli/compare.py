"""Compare systems and say which differences are real.

    tricolore compare ref.txt -i A.txt B.txt C.txt -m bleu chrf
    tricolore compare ref.txt --system base=b1.txt,b2.txt,b3.txt --system new=n1.txt,n2.txt,n3.txt
    tricolore compare --scores comet.tsv bleurt.jsonl --baseline base

All pairs of systems are tested, or each system against the --baseline. The tables have scores and differences with
confidence intervals, p-values as they are and corrected for the number of pairs (Holm), and clusters of systems that
do not differ significantly. A system may have several optimiser runs; its score is then their mean.
docs/significance.md says what each number means.
Exit status: 0 success, 1 invalid data, 2 invalid usage.
"""

import argparse
from typing import Any

from ..errors import SpecError
from ..judge.significance.compare import compare, compare_scores
from ..judge.significance.comparison import Comparison, Settings
from ..parameters import Choice, Whole
from ..results import emit
from .metric_options import add_metric_arguments, flags_given, make_metrics
from .options import (
    add_list,
    add_option,
    add_options,
    add_output_options,
    add_threads,
    built,
    check_distinct,
    naming_options,
)
from .progress import ProgressBar
from .text_options import add_text_arguments, check_texts, given_references, given_systems, reference_paths, warn


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_text_arguments(parser, outputs="system outputs, a file each; '-' is standard input", runs="NAME=RUN[,RUN...]")
    group = parser.add_argument_group("scores from elsewhere, instead of texts")
    about = (
        "segment scores: a table (.tsv, .csv, .jsonl, .parquet) with the columns system, segment, and metric and score "
        "or a column for each metric; or lines SYSTEM<tab>SCORE; -m chooses metrics (default: all)"
    )
    add_list(group, "--scores", metavar="FILE", about=about)
    about = "what to do about a segment for which not every system has a score"
    add_option(group, "--missing", kind=Choice(("refuse", "drop")), default="refuse", about=about)
    about = "metrics for which lower is better (known already for scores with a signature of ours)"
    add_list(group, "--lower-is-better", metavar="NAME", about=about)
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
        with naming_options("missing", "lower_is_better", "baseline"):
            found = compare_files(options, bar) if options.scores else compare_texts(options, bar)
    emit(found, options.format, width=options.width)
    if options.examples:
        print()
        emit(found.examples(options.examples, second=options.baseline), width=options.width)


def compare_texts(options: argparse.Namespace, bar: ProgressBar) -> Comparison:
    """Compare systems by metrics on their outputs."""
    metrics, how = make_metrics(options), given_settings(options)
    references = given_references(options)
    systems = given_systems(options, references)
    if len(systems) < 2:
        raise SpecError(f"only one system is given ({next(iter(systems))}); expected two or more to compare")
    warn(options, systems, references, metrics)
    return compare(systems, references, metrics, threads=options.threads, progress=bar.begin, **how)


def compare_files(options: argparse.Namespace, bar: ProgressBar) -> Comparison:
    """Compare systems by segment scores from elsewhere."""
    return compare_scores(
        options.scores,
        metrics=options.metrics or (),
        lower_is_better=options.lower_is_better,
        missing=options.missing,
        progress=bar.begin,
        **given_settings(options),
    )


def given_settings(options: argparse.Namespace) -> dict[str, Any]:
    """How to compare; with the bootstrap as the test, its resamples may also be given as --trials."""
    default = Settings.trials  # that of the field
    if options.test == "bs" and options.trials != default:
        if options.resamples not in (None, options.trials):
            raise SpecError("--trials and --resamples are the same thing with --test bs; give one")
        options.resamples, options.trials = options.trials, default
    return {**vars(built(Settings, options)), "baseline": options.baseline}


def check_usage(options: argparse.Namespace) -> None:
    """Reject options that contradict each other, before any work."""
    if options.examples and (options.scores or options.format != "text"):
        other = "--scores" if options.scores else f"-f {options.format}"
        raise SpecError(f"--examples prints texts and their alignment; it does not go with {other}")
    if not options.scores:
        if options.missing != "refuse" or options.lower_is_better:
            option = "--lower-is-better" if options.lower_is_better else "--missing"
            raise SpecError(f"{option} is for --scores")
        if not options.input and not options.system:
            raise SpecError("no systems are given; name their outputs with -i, or with --system NAME=RUN,RUN")
        check_texts(options)
        return
    texts = {"references": reference_paths(options), "-i": options.input, "--system": options.system}
    for option, files in texts.items():
        if files:
            raise SpecError(f"--scores and {option} exclude each other: compare scores, or texts with references")
    check_distinct(options.scores, "--scores: ")
    given = [*flags_given(options), *(["--num-refs"] if options.num_refs != 1 else [])]
    given += ["--missing-refs"] if options.missing_refs else []
    if given:
        raise SpecError(f"{given[0]} is about scoring texts; with --scores there is nothing to score")
