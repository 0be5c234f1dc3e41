"""Score system outputs against references.

    tricolore score ref.txt -i output.txt
    tricolore score ref1.txt ref2.txt -i systemA.txt systemB.txt -m bleu 'bleu(smooth=7)' nist
    tricolore score ref.txt -i baseline.txt new.txt -m bleu chrf --paired-ar
    tricolore score ref.txt -i A.txt B.txt -m bleu --scores COMET=comet.json -ci
    cat output.txt | tricolore score -t wmt22 -l en-de -b
    tricolore score --table data.parquet --hyp mt --ref ref --by system domain -m bleu chrf

One segment per line, UTF-8, plain or compressed (gzip, zstd, xz, bzip2); '-' is standard input. Name references before
-i and -m, or with -r. Scores are printed in points (BLEU 0 to 100), each with its complete signature. A system is named
after its file, without folder and extension. Texts and tables are read block by block, and need not fit into memory.
Exit status: 0 success, 1 invalid data, 2 invalid usage.
"""

from __future__ import annotations

import os

from ..compression import without_suffix
from ..errors import SpecError
from ..parameters import Whole
from ..results import emit
from .external_options import PARAMETERS, add_external_arguments, given_external
from .metric_options import add_metric_arguments, make_metrics
from .options import Typed, add_list, add_output_options, add_threads, naming_options
from .printing import say, show
from .progress import ProgressBar
from .significance_options import add_significance_arguments, given_tests
from .table_options import COLUMNS, add_table_arguments, check_table, conditions, given_columns
from .text_options import (
    add_text_arguments,
    check_texts,
    given_references,
    given_systems,
    open_texts,
    warn,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from ..metrics.base import Metric
    from ..scores import Scores

SEGMENT_ENDINGS = (".tsv", ".csv", ".jsonl", ".parquet")
TAB_SEPARATED = (".txt", "")  #: endings of files that are written as .tsv


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options; they are sacreBLEU's where it has them."""
    add_text_arguments(parser)
    group = add_table_arguments(parser, groups="a score for each value of this column, or of several together; without "
        "--table: FILE with an id per line, such as of documents")  # fmt: skip
    about = "group by the number of words of the first reference, too; groups begin at LIMIT, such as 10 20 30"
    add_list(group, "--by-length", metavar="LIMIT", about=about, type=Typed(Whole(1, 10**9)))
    group.add_argument(
        "--resume", metavar="FILE", help="record progress over several tables in FILE, and resume from it"
    )
    add_metric_arguments(parser)
    add_external_arguments(parser)
    add_significance_arguments(parser)
    group = parser.add_argument_group("results")
    add_output_options(group, "1, NIST 3; JSON, TSV and CSV in full")
    group.add_argument("-b", "--score-only", action="store_true", help="print bare numbers, in any format")
    group.add_argument("-sl", "--sentence-level", action="store_true", help="print a score for each segment instead; "
        "as in sacreBLEU, BLEU then leaves out orders longer than the segment (short=effective)")  # fmt: skip
    group.add_argument("--segments", metavar="FILE", help="also write a row for each system, segment and metric to "
        "FILE (.tsv, .csv, .jsonl, also with .gz, .zst, .xz or .bz2; .parquet), segments scored as by -sl")  # fmt: skip
    group.add_argument("--texts", action="store_true", help="with --segments: also hypotheses and references")
    add_threads(group, "--paired-jobs")


def run(options: argparse.Namespace) -> None:
    """Read, score, print."""
    from ..scores import score

    metrics = make_metrics(options)
    tests = given_tests(options)
    check_usage(options)
    if options.table or options.by or options.by_length:
        run_groups(options, metrics, tests)
        return
    with ProgressBar(quiet=options.quiet) as bar:
        bar.stage("reading")
        references, systems = open_texts(options, bar)
        if options.sentence_level and len(systems) > 1:
            raise SpecError("--sentence-level prints one system; use --segments FILE for several")
        if tests["test"] and len(systems) < 2:
            raise SpecError(f"--paired-{tests['test']} compares systems with the first; name two or more with -i")
        warn(options, systems, references, metrics)
        how = {"segments": options.segments or options.sentence_level, "texts": options.texts}
        how |= {"threads": options.threads, **tests, **given_external(options)}
        with naming_options(*PARAMETERS, "segments"):
            found = score(systems, references, metrics, progress=bar.begin, **how)
    if options.sentence_level:
        print_segments(found, options)
    elif options.score_only:
        print(*found.numbers(options.width), sep="\n")  # with tabs between metrics
    else:
        emit(found, options.format, width=options.width)


def run_groups(options: argparse.Namespace, metrics: list[Metric], tests: dict[str, Any]) -> None:
    """Score the groups of a table, or those that files of ids make of texts."""
    how = {name: tests[name] for name in ("confidence", "resamples", "seed")} | {"threads": options.threads}
    with ProgressBar(quiet=options.quiet) as bar, naming_options(*COLUMNS):
        bar.stage("reading")
        how["progress"] = bar.begin
        if options.table:
            from ..tables.score_table import score_table

            where, to = conditions(options), {"segments": options.segments or False, "resume": options.resume}
            columns = given_columns(options) | {"by": options.by, "where": where}
            found = score_table(options.table, **columns, metrics=metrics, **to, **how)
        else:
            from ..readers.texts import system_names
            from ..tables.text_groups import score_by

            references = given_references(options, bar)
            systems = given_systems(options, references)
            warn(options, systems, references, metrics)
            by = dict(zip(system_names(options.by), options.by, strict=True))
            found = score_by(systems, references, metrics, by=by, lengths=options.by_length, **how)
    emit(found, options.format, width=options.width)


def check_usage(options: argparse.Namespace) -> None:
    """Reject options that contradict each other, before any work."""
    if (options.paired_ar or options.paired_bs) and options.input:
        leave_out_baseline(options)
    only_texts = ("--sentence-level", "--texts", "--paired-ar", "--paired-bs", "--compat", "--score-only", "--scores")
    check_table(options, (*only_texts, "--by-length"))
    if options.table:
        if len(options.hyp) > 1:
            raise SpecError(f"--hyp: expected one column, got {len(options.hyp)}; 'tricolore compare' takes several")
        return
    check_texts(options)
    given_external(options)
    if options.resume:
        raise SpecError("--resume needs --table")
    if options.by or options.by_length:
        for name in (*only_texts, "--segments"):
            if getattr(options, name[2:].replace("-", "_")):
                raise SpecError(f"--by scores groups of segments; it has no {name}")
    if options.sentence_level and options.format in ("markdown", "latex"):
        raise SpecError(f"--sentence-level prints text, json, tsv or csv, not {options.format}")
    if options.texts and not options.segments:
        raise SpecError("--texts needs --segments FILE")
    if options.segments is not None:
        check_segments_file(options)


def leave_out_baseline(options: argparse.Namespace) -> None:
    """In a paired test the first system is the baseline; given again, it is left out, as sacreBLEU does."""
    first, *rest = options.input
    others = [path for path in rest if path != first]
    if rest and not others:
        test, hint = "ar" if options.paired_ar else "bs", f" (given again, {first} is left out)"
        raise SpecError(f"--paired-{test} compares systems with the first; name two or more with -i{hint}")
    if len(others) < len(rest) and not options.quiet:
        say(f"{first} is the baseline; given again, it is left out")
    options.input = [first, *others]


def check_segments_file(options: argparse.Namespace) -> None:
    """Reject a file for segments that has no known ending."""
    path = options.segments
    if options.sentence_level:
        raise SpecError("--sentence-level and --segments both ask for segments; choose one")
    if os.path.splitext(without_suffix(path))[1] not in (*SEGMENT_ENDINGS, *TAB_SEPARATED) or path in ("", "-"):
        raise SpecError(
            f"--segments: expected a file name that ends in {', '.join(SEGMENT_ENDINGS)} (the first three also "
            f"with .gz, .zst, .xz or .bz2); got {path!r}"
        )


def print_segments(found: Scores, options: argparse.Namespace) -> None:
    """Print a score for each segment: in text a line as sacreBLEU's, else records."""
    scores = found.segments
    if options.score_only or options.format == "text":
        row: list[str] = []
        for _, _, _, one in scores.each():
            digits = one.metric.display_digits if options.width is None else options.width
            if options.score_only:
                row.append(one.display(digits))
                if len(row) == len(found.asked):
                    print(*row, sep="\t")
                    row = []
            else:
                show(f"{one.signature} = {one.display(digits)} {one.verbose}".rstrip())
    else:
        emit(scores, options.format, width=options.width)
