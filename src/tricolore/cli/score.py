"""Score system outputs against references.

    tricolore score ref.txt -i output.txt
    tricolore score ref1.txt ref2.txt -i systemA.txt systemB.txt -m bleu 'bleu(smooth=7)' nist
    tricolore score ref.txt -i baseline.txt new.txt -m bleu chrf --paired-ar
    cat output.txt | tricolore score ref.txt -b

One segment a line, UTF-8, plain or compressed (gzip, zstd, xz, bzip2); '-' is standard input. Name
references before -i and -m, or with -r. Scores are printed as people expect them (BLEU 0 to 100), each with its
complete signature.
Exit status: 0 done, 1 something is wrong with the data, 2 with the command.
"""

from __future__ import annotations

import os
from itertools import chain

from ..compression import without_suffix
from ..errors import InputError, SpecError
from . import tables
from .metric_options import add_metric_arguments, make_metrics
from .number_options import check_numbers
from .printing import as_json, show
from .progress import ProgressBar
from .results import FORMATS, Judged, Result, Segments, as_object, print_results, shown, text_line, write_segments
from .significance_options import Tests, add_significance_arguments, names_of, require_pair, take_baseline
from .text_options import add_text_arguments, advise, check_texts, naming_the_line, read_references, read_systems

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    from ..metrics.base import Metric
    from ..segments import References

SEGMENT_ENDINGS = (".tsv", ".txt", ".jsonl", "")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes; the flags are sacreBLEU's where it has them."""
    add_text_arguments(parser)
    add_metric_arguments(parser)
    add_significance_arguments(parser)
    add = parser.add_argument_group("results").add_argument
    add("-f", "--format", choices=FORMATS, default="text", help="how to print (default: text)")
    add("-b", "--score-only", action="store_true", help="print bare numbers, in any format")
    add("-w", "--width", type=int, metavar="N", help="digits after the point (default: 1; 3 for NIST)")
    add(
        "-sl",
        "--sentence-level",
        action="store_true",
        help="print a score for each segment instead; as in sacreBLEU, "
        "BLEU then leaves out orders longer than the segment (short=effective)",
    )
    add(
        "--segments",
        metavar="FILE",
        help="also write every system x segment x metric to FILE (.tsv or .jsonl, also with .gz, .zst, .xz or .bz2), "
        "segments scored as by -sl",
    )
    add("-q", "--quiet", action="store_true", help="no progress and no advice on standard error")
    add("--force", action="store_true", help="no advice about text that looks unsuitable")
    add(
        "-j",
        "--threads",
        "--paired-jobs",
        type=int,
        metavar="N",
        help="threads (default and 0: all cores); results do not depend on it",
    )


def run(options: argparse.Namespace) -> None:
    """Read, score, print."""
    metrics = make_metrics(options)
    tests = Tests(options)
    take_baseline(options)
    check_usage(options)
    with ProgressBar(quiet=options.quiet) as bar:
        bar.stage("reading")
        references, name = read_references(options)
        systems = read_systems(options, references, name)
        check_systems(options, len(systems))
        require_pair(options, len(systems))
        if not options.quiet and not options.force:
            advise(systems, references, metrics)
        results = [] if options.sentence_level else score_all(options, systems, metrics, references, tests, bar)
    if options.sentence_level:
        print_sentences(options, metrics, *next(iter(systems.items())), references)
    else:
        names = names_of(list(systems), tests)
        if options.format != "tsv" and options.format != "json":
            for result in results:
                result.system = names[result.system]
        print_results(results, options.format, options.width, options.score_only, tests.notes())


def check_usage(options: argparse.Namespace) -> None:
    """Refuse what cannot be meant, before any work."""
    check_numbers(options)
    check_texts(options)
    inputs = options.input or ["-"]
    check_systems(options, len(inputs))
    if options.sentence_level and options.format not in ("text", "json", "tsv"):
        raise SpecError(f"--sentence-level prints text, json or tsv, not {options.format}")
    if options.segments is not None:
        check_segments_file(options, [*options.refs, *options.more_refs, *inputs])


def check_systems(options: argparse.Namespace, systems: int) -> None:
    """Refuse several systems where one is to be printed segment by segment."""
    if options.sentence_level and systems > 1:
        raise SpecError("--sentence-level prints one system; use --segments FILE for several")


def check_segments_file(options: argparse.Namespace, inputs: Sequence[str]) -> None:
    """Refuse a file for segments that is not one, or that is an input."""
    path = options.segments
    if options.sentence_level:
        raise SpecError("--sentence-level and --segments both ask for segments; choose one")
    if os.path.splitext(without_suffix(path))[1] not in SEGMENT_ENDINGS or path in ("", "-"):
        raise SpecError(
            f"--segments: expected the name of a .tsv or .jsonl file, perhaps with .gz, .zst, .xz or .bz2; got {path!r}"
        )
    for other in inputs:
        if os.path.isfile(path) and os.path.exists(other) and os.path.samefile(path, other):
            raise SpecError(f"--segments: {path} is one of the texts to read; name another file")


def score_all(
    options: argparse.Namespace,
    systems: dict[str, list[str]],
    metrics: Sequence[Metric],
    references: References,
    tests: Tests,
    bar: ProgressBar,
) -> list[Result]:
    """Score every system with every metric; with --segments also write the scores of segments."""
    if not options.segments:
        return score_systems(options, systems, metrics, references, tests, bar)
    from ..writers import writing

    with writing(options.segments) as stream:  # opened first: a file that cannot be written costs no work
        results = score_systems(options, systems, metrics, references, tests, bar)
        bar.stage("writing")
        write_segments(stream, options.segments, results)
    return results


def score_systems(
    options: argparse.Namespace,
    systems: dict[str, list[str]],
    metrics: Sequence[Metric],
    references: References,
    tests: Tests,
    bar: ProgressBar,
) -> list[Result]:
    """Score metric by metric, so that each learns from the references once; the results are system by system."""
    results: dict[str, list[Result]] = {name: [] for name in systems}
    for asked in metrics:
        bar.stage(f"learning {asked.name}")
        ready = asked.prepare(references)
        alone = ready if asked.for_segments == asked else asked.for_segments
        runs = 2 if options.segments and alone is not ready else 1
        bar.stage(f"scoring {asked.name}", len(systems) * len(references) * runs)
        how: dict[str, Any] = {"threads": options.threads, "progress": bar.step}
        counted = {}
        for name, lines in systems.items():
            with naming_the_line(name):
                if not options.segments and not tests.asked:
                    results[name].append(Result(name, asked, ready(lines, references, **how)))
                    continue
                rows = counted[name] = ready.stats(lines, references, **how)
                score = ready.result(rows.sum())
                segments = None
                if options.segments:
                    values = ready.score(rows) if alone is ready else alone.segments(lines, references, **how)
                    segments = Segments(values, alone.signature(score.nrefs))
                results[name].append(Result(name, asked, score, segments))
        if tests.asked:
            for name, judged in tests.judge(ready, counted, bar).items():
                results[name][-1].judged = Judged(*judged, paired=tests.test is not None, compat=tests.compat)
    return [*chain(*results.values())]


def print_sentences(
    options: argparse.Namespace, metrics: Sequence[Metric], name: str, lines: list[str], references: References
) -> None:
    """Print a score for each segment."""
    ready = [metric.for_segments.prepare(references) for metric in metrics]
    if options.format == "tsv" and not options.score_only:
        print("segment\tmetric\tscore\tsignature")
    for number, (line, refs) in enumerate(zip(lines, references.entries, strict=True), 1):
        try:
            scores = [metric.segment(line, refs) for metric in ready]
        except InputError as error:
            raise InputError(f"{name}: line {number}: {error}") from None
        if options.score_only:
            print(*(shown(score, options.width) for score in scores), sep="\t")
            continue
        for score in scores:
            if options.format == "text":
                show(text_line(score, options.width))
            elif options.format == "json":
                print(as_json(as_object(score, options.width, system=name, segment=number)))
            else:
                cells = (score.metric.spec, shown(score, options.width), score.signature)
                print(number, *map(tables.name, cells), sep="\t")
