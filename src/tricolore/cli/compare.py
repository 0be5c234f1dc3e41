"""Compare systems and say which differences are real.

    tricolore compare ref.txt -i A.txt B.txt C.txt -m bleu chrf
    tricolore compare ref.txt --system base=b1.txt,b2.txt,b3.txt --system new=n1.txt,n2.txt,n3.txt
    tricolore compare --scores comet.tsv bleurt.jsonl --baseline base

All pairs of systems are tested, or each with the --baseline. There are scores and differences with
intervals, p-values as they are and adjusted for the number of pairs (Holm), and clusters of systems that
cannot be told apart. A system may have several optimiser runs; its score is then their mean.
docs/significance.md says what each number means.
Exit status: 0 done, 1 something is wrong with the data, 2 with the command.
"""

from __future__ import annotations

from ..errors import InputError, SpecError
from ..readers import name_of
from .metric_options import add_metric_arguments, flags_given, make_metrics
from .number_options import check_numbers
from .progress import ProgressBar
from .results import FORMATS
from .text_options import (
    add_text_arguments,
    advise,
    check_lines,
    check_texts,
    naming_the_line,
    read_references,
    read_systems,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from ..judge.significance.comparison import Comparison, Criterion, Settings
    from ..metrics.base import Metric
    from ..segments import References


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add_text_arguments(parser, outputs="system outputs, a file each; '-' is standard input")
    add = parser.add_argument_group("systems, if not with -i").add_argument
    add(
        "--system",
        action="append",
        default=[],
        metavar="NAME=RUN[,RUN...]",
        help="a system by name, with the outputs of one optimiser run or of several; repeat for each system",
    )
    add(
        "--scores",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="scores of segments from elsewhere instead of texts: a table (.tsv, .csv, .jsonl, .parquet) with the "
        "columns system, segment, and metric and score or a column for each metric; or lines SYSTEM<tab>SCORE; -m "
        "says which metrics (default: all)",
    )
    add("--missing", choices=("refuse", "drop"), default="refuse", help="with --scores: what to do about a segment "
        "for which not every system has a score (default: refuse)")  # fmt: skip
    add(
        "--lower-is-better",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME",
        help="with --scores: metrics of which less is better; where there are signatures of ours, that is known",
    )
    add_metric_arguments(parser)
    add = parser.add_argument_group("the test").add_argument
    add("--test", choices=("ar", "bs"), default="ar", help="paired approximate randomisation (default), or bootstrap")
    add("--trials", type=int, metavar="N", help="shuffles of ar (default: 10000), or resamples of bs (default: 10000)")
    add("--resamples", type=int, metavar="N", help="bootstrap resamples for intervals (default: 1000)")
    add("--level", type=float, default=0.95, metavar="X", help="of intervals and clusters (default: 0.95)")
    add("--seed", type=int, default=12345, metavar="N", help="what random draws begin with (default: 12345)")
    add("--baseline", metavar="NAME", help="compare each system with this one only (default: all pairs)")
    add(
        "--compat",
        choices=("sacrebleu", "multeval"),
        help="p-values by the rule of sacreBLEU 2.6.0 or MultEval 0.5.1, which find a copy of a system significant",
    )
    add = parser.add_argument_group("results").add_argument
    add("-f", "--format", choices=FORMATS, default="text", help="how to print (default: text)")
    add("-w", "--width", type=int, metavar="N", help="digits after the point (default: 1; 3 for NIST and --scores)")
    add("-q", "--quiet", action="store_true", help="no progress and no advice on standard error")
    add("--force", action="store_true", help="no advice about text that looks unsuitable")
    add(
        "-j", "--threads", type=int, metavar="N", help="threads (default and 0: all cores); results do not depend on it"
    )


def run(options: argparse.Namespace) -> None:
    """Read, compare, print."""
    from .comparisons import print_comparison

    check_usage(options)
    with ProgressBar(quiet=options.quiet) as bar:
        bar.stage("reading")
        found, runs = compare_files(options, bar) if options.scores else compare_texts(options, bar)
    print_comparison(found, runs, options.format, options.width)


def check_usage(options: argparse.Namespace) -> None:
    """Refuse what cannot be meant, before any work."""
    check_numbers(options)
    if options.scores:
        for option, given in (
            ("references", options.refs or options.more_refs),
            ("-i", options.input),
            ("--system", options.system),
        ):
            if given:
                raise SpecError(f"--scores and {option} exclude each other: compare scores, or texts with references")
        for path in options.scores:
            if options.scores.count(path) > 1:
                raise SpecError(f"--scores: {path} is given twice")
        check_no_text_options(options)
        return
    if options.missing != "refuse" or options.lower_is_better:
        option = "--lower-is-better" if options.lower_is_better else "--missing"
        raise SpecError(f"{option} is for --scores")
    if not options.input and not options.system:
        raise SpecError("no systems are given; name their outputs with -i, or with --system NAME=RUN,RUN")
    if options.system and not options.input:  # then nothing comes from standard input
        options.input = []
    check_texts(options)


def check_no_text_options(options: argparse.Namespace) -> None:
    """Refuse what says how to read and score texts where there are none."""
    given = [*flags_given(options), *(["--num-refs"] if options.num_refs != 1 else [])]
    given += ["--missing-refs"] if options.missing_refs else []
    if given:
        raise SpecError(f"{given[0]} is about scoring texts; with --scores there is nothing to score")


def settings_of(options: argparse.Namespace) -> Settings:
    """How to compare, with mistakes named by their options."""
    from ..judge.resampling import TRIALS
    from ..judge.significance.comparison import Settings

    resamples, trials = options.resamples, options.trials
    if options.test == "bs":
        if trials is not None and resamples is not None and trials != resamples:
            raise SpecError("--trials and --resamples are the same thing with --test bs; give one")
        resamples, trials = (trials if resamples is None else resamples), None
    for option, value in (("--trials", options.trials), ("--resamples", options.resamples), ("--seed", options.seed)):
        least = 0 if option == "--seed" else 1 if option == "--trials" and options.test == "ar" else 2
        if value is not None and value < least:
            raise SpecError(f"{option} must be {least} or more; got {value}")
    try:
        return Settings(
            options.test,
            TRIALS if trials is None else trials,
            resamples or 0,  # 0: as is good for the test
            options.level,
            options.seed,
            options.baseline,
            options.compat,
        )
    except SpecError as error:
        raise SpecError(f"--{error}") from None


# From texts --------------------------------------------------------------------------------------------------------


def compare_texts(options: argparse.Namespace, bar: ProgressBar) -> tuple[Comparison, dict[str, list[str]]]:
    """Score all outputs of all systems, and compare them."""
    metrics = make_metrics(options)
    how = settings_of(options)
    named = systems_by_name(options)
    check_systems([*(options.input or []), *named])
    references, name = read_references(options)
    outputs = (
        {path: [lines] for path, lines in read_systems(options, references, name).items()} if options.input else {}
    )
    runs = {system: [system] for system in outputs}
    for system, paths in named.items():
        if system in outputs:
            raise SpecError(f"system {system} is given with -i and with --system")
        outputs[system] = [read_run(path, references, name, options.as_text) for path in paths]
        runs[system] = paths
    if not options.quiet and not options.force:
        advise({path: text for system in runs for path, text in zip(runs[system], outputs[system], strict=True)},
               references, metrics)  # fmt: skip
    return compare_measures(options, how, metrics, runs, outputs, references, bar), runs


def systems_by_name(options: argparse.Namespace) -> dict[str, list[str]]:
    """The systems given with --system: name and files."""
    named: dict[str, list[str]] = {}
    for text in options.system:
        name, equals, paths = text.partition("=")
        runs = paths.split(",")
        if not equals or not name or not all(runs):
            raise SpecError(f"--system: expected NAME=RUN or NAME=RUN,RUN,..., got {text!r}")
        if name in named:
            raise SpecError(f"--system: {name} is given twice; name all its runs at once, with commas between")
        for path in runs:
            if runs.count(path) > 1:
                raise SpecError(f"--system: {path} is given twice as a run of {name}")
        named[name] = runs
    return named


def check_systems(systems: Sequence[str]) -> None:
    """One system alone cannot be compared."""
    if len(systems) < 2:
        raise SpecError(f"only one system is given ({systems[0]}); expected two or more to compare")


def read_run(path: str, references: References, name: str, as_text: bool) -> list[str]:
    """Read the output of one run."""
    from ..readers import read_segments

    lines = read_segments(path, as_text=as_text)
    check_lines(path, len(lines), name, len(references))
    return lines


def compare_measures(
    options: argparse.Namespace,
    how: Settings,
    metrics: Sequence[Metric],
    runs: dict[str, list[str]],
    outputs: dict[str, list[list[str]]],
    references: References,
    bar: ProgressBar,
) -> Comparison:
    """Score and compare metric by metric."""
    from dataclasses import replace

    from ..judge.significance.comparison import compare_columns

    numbers, at = {}, 0
    for system, paths in runs.items():
        numbers[system] = list(range(at, at + len(paths)))
        at += len(paths)
    found = []
    for asked in metrics:
        bar.stage(f"scoring {asked.name}", at * len(references))
        criterion = measured(asked, runs, outputs, references, options.threads, bar)
        bar.stage(f"comparing by {asked.name}", how.resamples + (how.trials if how.test == "ar" else 0))
        found.append(compare_columns([criterion], numbers, how, bar.step))
    return replace(found[0], judgements=tuple(one.judgements[0] for one in found))


def measured(
    asked: Metric,
    runs: dict[str, list[str]],
    outputs: dict[str, list[list[str]]],
    references: References,
    threads: int | None,
    bar: ProgressBar,
) -> Criterion:
    """Count all outputs with one metric."""
    import numpy as np

    from ..judge.score_table import Column
    from ..judge.significance.comparison import Criterion

    metric = asked
    ready = metric.ready_for(references)
    counted = []
    for system, paths in runs.items():
        for path, lines in zip(paths, outputs[system], strict=True):
            with naming_the_line(path):
                counted.append(ready.stats(lines, references, threads=threads, progress=bar.step))
    rows = np.stack([one.values for one in counted])
    column = Column(
        metric.spec,
        np.asarray(ready.score(rows)),
        rows,
        ready.score,  # type: ignore[arg-type]
        metric.higher_is_better,
        ready.signature(counted[0].nrefs, counted[0].ids),
        metric.display_scale,
    )
    return Criterion(column, metric.title, metric.display_digits, metric)


# From scores -------------------------------------------------------------------------------------------------------


def compare_files(options: argparse.Namespace, bar: ProgressBar) -> tuple[Comparison, dict[str, list[str]]]:
    """Compare systems by scores of segments that are there already."""
    from ..judge.correlation.join_scores import ScoredSystems
    from ..judge.correlation.metric_scores import scores_by_group
    from ..judge.correlation.options import JoinOptions, ScoreOptions
    from ..judge.significance.comparison import Criterion, compare_columns, scores_column, without_missing

    how = settings_of(options)
    files = ", ".join(map(name_of, options.scores))
    found, _ = scores_by_group(options.scores, ScoreOptions(columns=tuple(options.metrics or ())), JoinOptions())
    scores = {one.name: one for one in found.get("", ()) if one.segments}
    if not scores:
        raise InputError(f"{files}: no scores of segments were found")
    for name in options.lower_is_better:
        if name not in scores:
            raise SpecError(f"--lower-is-better: there is no metric {name!r} (found {', '.join(scores)})")
    table = ScoredSystems.of_metrics([*scores.values()])
    if len(table.systems) < 2:
        raise InputError(f"{files}: only one system is there ({table.systems[0]}); expected two or more")
    columns = {column.name: column.segments for column in table.columns}
    kept = without_missing(columns, table.systems, table.segments, options.missing, "--missing drop")
    criteria = []
    for name, values in columns.items():
        better = name not in options.lower_is_better and scores[name].higher_is_better
        said = scores[name].said
        column = scores_column(name, values[:, kept], better, (said[0] or None) if len(said) == 1 else None)
        criteria.append(Criterion(column, name))
    bar.stage("comparing", len(criteria) * (how.resamples + (how.trials if how.test == "ar" else 0)))
    runs = {system: [i] for i, system in enumerate(table.systems)}
    compared = compare_columns(criteria, runs, how, bar.step, left_out=len(table.segments) - len(kept))
    return compared, {system: [system] for system in table.systems}
