"""Measure how well metrics agree with people.

    tricolore correlate scores.tsv
    tricolore correlate ref.txt -i systems/*.txt --human ratings.tsv -m bleu chrf
    tricolore correlate --human en-de.mqm.seg.score BLEU.seg.score COMET.seg.score

The first reads one table (TSV, CSV, JSONL, Parquet): columns system, segment, human, and one for each metric.
The second scores texts on the way; systems are called as their files, without the ending. The third reads scores
of metrics from files: tables, what 'tricolore score --segments' writes, or SYSTEM<tab>SCORE as in WMT.
Everything is turned so that higher is better; agreement is 1 at best. See docs/correlation.md.
"""

from __future__ import annotations

from ..errors import InputError, SpecError
from .metric_options import add_metric_arguments, make_metrics
from .number_options import check_numbers
from .progress import ProgressBar
from .results import FORMATS
from .text_options import add_text_arguments, advise, check_texts, read_references, read_systems

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from ..judge.correlation.evidence import Evidence
    from ..judge.correlation.join_scores import Measured, Rules
    from ..judge.correlation.score_sources import Metrics, People, Rows
    from ..judge.correlation.study import Intervals, Test
    from ..metrics.base import Metric
    from ..segments import References

#: As `judge.ratings.FORMS`, `judge.measures.LEVELS`, `GROUPINGS` and `judge.straw_men.KINDS`, not loaded to say so.
FORMS = ("scores", "mqm", "mqm-counts", "da", "da-z", "rr")
LEVELS = ("system", "segment")
GROUPINGS = ("segment", "system", "pooled")
STRAW_MEN = ("short", "long", "shuffled", "repeated")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    first = "with -i: reference files; otherwise: tables or files of scores"
    add_text_arguments(parser, ("FILE", first), "system outputs, a file each")
    add_human_arguments(parser)
    add_score_arguments(parser)
    add_metric_arguments(parser)
    add_statistic_arguments(parser)
    add_test_arguments(parser)
    add = parser.add_argument_group("straw men (with -i)").add_argument
    add(
        "--straw-men",
        nargs="*",
        metavar="KIND",
        help="add bad systems made from those present, and show what becomes of each correlation: "
        f"{', '.join(STRAW_MEN)} (default: all but repeated)",
    )
    add(
        "--straw-score",
        metavar="SCORE",
        help="what people would say of them: worst (default: the worst they said of anything), "
        "segment (of that segment), or a number; in rankings they are always last",
    )
    add = parser.add_argument_group("results").add_argument
    add("-f", "--format", choices=FORMATS, default="text", help="how to print (default: text)")
    add("-w", "--width", type=int, default=3, metavar="N", help="digits after the point (default: 3)")
    add("-q", "--quiet", action="store_true", help="no progress and no advice on standard error")
    add("--force", action="store_true", help="no advice about text that looks unsuitable")
    add(
        "-j", "--threads", type=int, metavar="N", help="threads (default and 0: all cores); results do not depend on it"
    )


def add_human_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the ratings are, and in which form."""
    add = parser.add_argument_group("people").add_argument
    add("--human", metavar="FILE", help="the ratings (default: the column 'human' of the table)")
    add(
        "--human-form",
        choices=FORMS,
        default="scores",
        help="scores (default), mqm (a line for each error), mqm-counts (n_minor, n_major, ...), "
        "da (direct assessments), da-z (standardised for each annotator), rr (relative rankings)",
    )
    add("--human-column", metavar="NAME", help="the column of scores, where it is not called human, score, mqm, ...")
    add("--human-lower-is-better", action="store_true", help="less is better, as for counts of errors")
    add(
        "--mqm-weights",
        metavar="TEXT",
        help="such as major=5,minor=1,minor:fluency/punctuation=0.1,critical=10; what is not named stays as Google has "
        "it (major 5, minor 1, minor punctuation 0.1, non-translation 25)",
    )
    add(
        "--keep-repeats",
        action="store_true",
        help="what a rater said twice is kept, scores averaged and errors counted each (else an error)",
    )
    add(
        "--first-segment",
        type=int,
        choices=(0, 1),
        default=1,
        help="the number of the first line of a text, where ratings number segments (default: 1)",
    )
    add(
        "--ignore-unknown",
        action="store_true",
        help="leave out systems and segments that only one side has, and say which (else an error)",
    )
    add("--rated-only", action="store_true", help="metrics score systems only on what people rated of them")
    add(
        "--within",
        nargs="+",
        metavar="COLUMN",
        default=[],
        help="compare only within each value of a column (campaign, language pair, domain); correlations are averaged, "
        "pairs added up",
    )
    add("--where", nargs="+", metavar="COLUMN=VALUE", default=[], help="read only the rows that have this value")


def add_score_arguments(parser: argparse.ArgumentParser) -> None:
    """Scores of metrics that were computed elsewhere."""
    add = parser.add_argument_group("scores from elsewhere").add_argument
    add("--scores", nargs="+", action="extend", metavar="FILE", default=[], help="files of scores, also beside texts")
    add("--columns", nargs="+", metavar="NAME", default=[], help="metrics to read (default: all columns with numbers)")
    add("--lower-is-better", nargs="+", metavar="NAME", default=[], help="metrics of which less is better")
    add("--common", action="store_true", help="judge metrics only on what all of them score, where scores are missing")
    add(
        "--system-scores",
        choices=("given", "means"),
        default="given",
        help="score systems as the files do, where they do (default), or by the means of their segments",
    )


def add_statistic_arguments(parser: argparse.ArgumentParser) -> None:
    """What is measured, and how sure it is."""
    add = parser.add_argument_group("statistics").add_argument
    add(
        "--statistics",
        nargs="+",
        metavar="NAME",
        help="such as pearson, kendall-b, accuracy, or in full 'segment kendall-b by segment'; there are pearson, "
        "spearman, kendall-b, kendall-c, kendall-half, kendall-wmt12, kendall-wmt13, kendall-wmt14, accuracy, "
        "soft-accuracy (systems), accuracy-ties",
    )
    add("--levels", nargs="+", choices=LEVELS, metavar="LEVEL", help="system, segment (default: both)")
    add(
        "--by",
        nargs="+",
        choices=GROUPINGS,
        metavar="GROUP",
        help="what segment scores are compared with: those of the same segment, of the same system, or pooled",
    )
    add(
        "--without-noise",
        action="store_true",
        help="scores of segments that are equal in twelve digits are ties (else only equal numbers are, as in scipy)",
    )
    add("--samples", type=int, default=1000, metavar="N", help="resamples for intervals (default: 1000)")
    add("--level", type=share, default=0.95, metavar="P", help="of the intervals (default: 0.95)")
    add("--seed", type=int, default=12345, metavar="N", help="of everything random (default: 12345)")
    add(
        "--over",
        choices=("segments", "systems", "both", "tables"),
        help="what is resampled (default: segments; where there are none, the values of --within if they are ten or "
        "more, which are the tables, or else systems)",
    )
    add("--no-intervals", action="store_true", help="only the values")


def share(text: str) -> float:
    """A number between 0 and 1."""
    from argparse import ArgumentTypeError

    from ..numbers import real

    try:
        value = real(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1:
        hint = "; --levels chooses system or segment level" if text in LEVELS else ""
        raise ArgumentTypeError(f"expected a number between 0 and 1, got {text!r}{hint}")
    return value


def add_test_arguments(parser: argparse.ArgumentParser) -> None:
    """Tests between metrics."""
    add = parser.add_argument_group("tests between metrics").add_argument
    add("--test", choices=("permutation", "williams"), help="test all pairs, with Holm's correction and clusters")
    add("--permute", choices=("both", "inputs", "systems"), default="both", help="what is swapped (default: both)")
    add("--shuffles", type=int, default=1000, metavar="N", help="permutations (default: 1000)")
    add("--alpha", type=share, default=0.05, metavar="P", help="corrected p below which metrics differ (default: 0.05)")


# What is done ----------------------------------------------------------------------------------------------


def run(options: argparse.Namespace) -> None:
    """Read, measure, print."""
    from ..judge.correlation.study import measures_for, study
    from .agreement_tables import print_study

    check_usage(options)
    with ProgressBar(quiet=options.quiet) as bar:
        bar.stage("reading")
        evidence = read_evidence(options, bar)
        measures = measures_for(evidence, options.statistics, options.levels, options.by)
        results = study(
            evidence,
            measures,
            interval=wanted_intervals(options),
            test=wanted_test(options),
            seed=options.seed,
            stage=bar.begin,
        )
    print_study(results, options)


def wanted_intervals(options: argparse.Namespace) -> Intervals | None:
    """How intervals are to be made."""
    from ..judge.correlation.study import Intervals

    return None if options.no_intervals else Intervals(options.samples, options.level, options.over)


def wanted_test(options: argparse.Namespace) -> Test | None:
    """How metrics are to be tested."""
    from ..judge.correlation.study import Test

    return None if options.test is None else Test(options.test, options.permute, options.shuffles, options.alpha)


def check_usage(options: argparse.Namespace) -> None:
    """Refuse what cannot be meant, before any work."""
    if not 0 <= options.width <= 15:
        raise SpecError(f"--width must be from 0 to 15; got {options.width}")
    check_numbers(options)
    for name, least in (("samples", 1), ("shuffles", 1), ("seed", 0)):
        if getattr(options, name) < least:
            raise SpecError(f"--{name} must be {least} or more; got {getattr(options, name)}")
    files = [options.human, *options.scores, *([] if options.input else options.refs)]
    if "-" in files:
        raise SpecError("ratings and scores are not read from standard input; name a file")
    if options.input:
        check_texts(options)
        if options.human is None:
            raise SpecError("no ratings are given; name them with --human")
        if not options.scores and (options.columns or options.lower_is_better):
            option = "--columns" if options.columns else "--lower-is-better"
            raise SpecError(f"{option} is about scores from elsewhere, but none are given with --scores")
    else:
        check_files(options)
    check_straw_men(options)
    if options.mqm_weights is not None and not options.human_form.startswith("mqm"):
        raise SpecError(f"--mqm-weights goes with --human-form mqm or mqm-counts, not {options.human_form}")


def check_files(options: argparse.Namespace) -> None:
    """Without texts there must be files of scores, and nothing that needs texts."""
    if not [*options.refs, *options.more_refs, *options.scores]:
        raise SpecError("no file is given; name a table, or references and outputs (-i)")
    if options.more_refs:
        raise SpecError("-r names references, but no outputs are given; name them with -i")
    if options.metrics:
        raise SpecError("-m scores texts, but no outputs are given with -i; metrics of a table are chosen by --columns")
    if options.human is None and options.human_form not in ("scores", "da", "da-z"):
        raise SpecError(f"--human-form {options.human_form}: the ratings must be in a file of their own, by --human")
    if options.human is None and len([*options.refs, *options.scores]) > 1:
        raise SpecError("several files are given, but no ratings; name them with --human")


def check_straw_men(options: argparse.Namespace) -> None:
    """Straw men are made of texts, and rated with numbers."""
    if options.straw_score is not None and options.straw_men is None:
        raise SpecError("--straw-score goes with --straw-men")
    if options.straw_men is None:
        return
    if not options.input:
        raise SpecError("--straw-men are made from the outputs of systems; name them with -i")
    if options.human_form == "rr" and options.straw_score is not None:
        raise SpecError("--straw-score: in rankings (rr) there are no scores; straw men come last")
    if options.scores:
        raise SpecError("--straw-men: scores from elsewhere (--scores) say nothing about them; leave these out")


# What is read ----------------------------------------------------------------------------------------------


def read_evidence(options: argparse.Namespace, bar: ProgressBar) -> Evidence:
    """Read ratings and scores, and bring them together."""
    from ..judge.correlation.evidence import gathered, own_table
    from ..judge.correlation.join_scores import Rules, measured, named_as_rated

    rows, people, metrics = ways_to_read(options)
    rules = Rules(
        ignore_unknown=options.ignore_unknown,
        only_rated=options.rated_only,
        common=options.common,
        without_noise=options.without_noise,
        means=options.system_scores == "means",
    )
    if options.input:
        return read_texts(options, rows, people, metrics, rules, bar)
    paths = [*options.refs, *options.scores]
    if options.human is None:
        return own_table(paths[0], rows, people, metrics, rules)
    rated = people.read(options.human, rows)
    scores, notes = metrics.read(paths, rows)
    known = {system for one in rated.values() for system in one.systems}
    found = {name: measured([named_as_rated(one, known) for one in group]) for name, group in scores.items()}
    return gathered(rated, found, notes, rules=rules)


def ways_to_read(options: argparse.Namespace) -> tuple[Rows, People, Metrics]:
    """What the options say about files."""
    from ..judge.correlation.ratings import mqm_weights
    from ..judge.correlation.score_sources import Metrics, People, Rows

    conditions = []
    for text in options.where:
        column, equals, value = text.partition("=")
        if not (column and equals):
            raise SpecError(f"--where: expected COLUMN=VALUE, got {text!r}")
        conditions.append((column, value))
    weights = None if options.mqm_weights is None else mqm_weights(options.mqm_weights)
    people = People(
        options.human_form, options.human_column, weights, options.keep_repeats, options.human_lower_is_better
    )
    rows = Rows(tuple(options.within), tuple(conditions))
    return rows, people, Metrics(tuple(options.columns), tuple(options.lower_is_better))


def read_texts(
    options: argparse.Namespace, rows: Rows, people: People, metrics: Metrics, rules: Rules, bar: ProgressBar
) -> Evidence:
    """Read and score texts; straw men are among the systems."""
    from ..judge.correlation.evidence import gathered, with_straw_men
    from ..judge.correlation.join_scores import measured, named_as_rated, system_names

    asked = make_metrics(options)
    named = ["stdin" if path == "-" else path for path in options.input]
    rated = people.read(options.human, rows, system_names(named, [])[0] if len(named) == 1 else None)
    names = system_names(named, [system for one in rated.values() for system in one.systems])
    references, first = read_references(options)
    read = read_systems(options, references, first)
    if not options.quiet and not options.force:
        advise(read, references, asked)
    systems = dict(zip(names, read.values(), strict=True))
    straw: tuple[str, ...] = ()
    if options.straw_men is not None:
        score = options.straw_score or "worst"
        systems, rated, straw = with_straw_men(systems, rated, options.straw_men, score, options.seed)
    scored = score_texts(options, systems, references, asked, bar)
    notes: list[str] = []
    if options.scores:
        others, notes = metrics.read(options.scores, rows)
        if set(others) != {""}:
            raise InputError("--scores beside texts must not be cut by --within; give them without that column")
        scored = scored.joined(measured([named_as_rated(one, names) for one in others[""]]))
    return gathered(rated, {"": scored}, notes, rules=rules, straw=straw)


def score_texts(
    options: argparse.Namespace,
    systems: dict[str, list[str]],
    references: References,
    metrics: Sequence[Metric],
    bar: ProgressBar,
) -> Measured:
    """Score all systems with all metrics."""
    from ..judge.correlation.join_scores import Measured
    from ..judge.score_table import Column

    columns = []
    for asked in metrics:
        bar.stage(f"scoring {asked.name}", len(systems) * len(references))
        columns.append(
            Column.of_texts(
                asked,
                [*systems.values()],
                references,
                systems=[*systems],
                threads=options.threads,
                progress=bar.step,
            )
        )
    start = options.first_segment
    segments = tuple(str(number) for number in range(start, start + len(references)))
    return Measured("the texts", tuple(systems), segments, tuple(columns))
