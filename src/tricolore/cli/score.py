"""Score system outputs against references.

    tricolore score ref.txt -i output.txt
    tricolore score ref1.txt ref2.txt -i systemA.txt systemB.txt -m bleu 'bleu(smooth=7)' nist
    cat output.txt | tricolore score ref.txt -b

One segment a line, UTF-8, plain, .gz or .zst; '-' is standard input. Name references before -i and -m, or
with -r. Scores are printed as people expect them (BLEU 0 to 100), each with its complete signature.
Exit status: 0 done, 1 something is wrong with the data, 2 with the command.
"""

from __future__ import annotations

import os
import sys
from itertools import chain

from .. import spec
from ..errors import InputError, SpecError
from .progress import ProgressBar
from .results import FORMATS, Result, as_object, print_results, shown, text_line, write_segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    from ..metrics.base import Metric
    from ..segments import References


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes; the flags are sacreBLEU's where it has them."""
    add = parser.add_argument_group("texts").add_argument
    add("refs", nargs="*", metavar="REF", help="reference files, one for each reference")
    add(
        "-r",
        "--refs",
        nargs="+",
        dest="more_refs",
        default=[],
        metavar="REF",
        help="reference files, named anywhere",
    )
    add(
        "-i",
        "--input",
        nargs="+",
        metavar="HYP",
        help="system outputs, one file for each system (default: standard input)",
    )
    add(
        "-nr",
        "--num-refs",
        type=int,
        default=1,
        metavar="N",
        help="the reference file has N references a line, separated by tabs",
    )
    add(
        "--missing-refs",
        action="store_true",
        help="an empty reference line means that this reference is missing",
    )

    add = parser.add_argument_group("metrics").add_argument
    add(
        "-m",
        "--metrics",
        nargs="+",
        default=["bleu"],
        metavar="METRIC",
        help="such as bleu, 'bleu(smooth=7)', nist (default: bleu); see 'tricolore metrics'",
    )
    add(
        "-tok",
        "--tokenize",
        metavar="NAME",
        help="tokeniser of all metrics that have one: none, 13a, intl, zh, char, ja-mecab, ko-mecab, spm:FILE",
    )
    add("-lc", "--lowercase", action="store_true", help="lower-case the text first")
    add("-s", "--smooth-method", metavar="NAME", help="smoothing of BLEU: exp, floor, add-k, none, or 0 to 7")
    add(
        "-sv",
        "--smooth-value",
        type=float,
        metavar="X",
        help="the constant of the smoothing (floor: 0.1, add-k: 1)",
    )

    add = parser.add_argument_group("results").add_argument
    add("-f", "--format", choices=FORMATS, default="text", help="how to print (default: text)")
    add("-b", "--score-only", action="store_true", help="print bare numbers")
    add("-w", "--width", type=int, metavar="N", help="digits after the point (default: 1; 3 for NIST)")
    add("-sl", "--sentence-level", action="store_true", help="print a score for each segment instead")
    add(
        "--segments",
        metavar="FILE",
        help="also write every system x segment x metric to a TSV file (.jsonl: JSON lines; .gz: packed)",
    )
    add("-q", "--quiet", action="store_true", help="no progress and no advice on standard error")
    add("--force", action="store_true", help="no advice about text that looks tokenised")
    add(
        "-j",
        "--threads",
        type=int,
        metavar="N",
        help="threads (default: all cores); results do not depend on it",
    )


def run(options: argparse.Namespace) -> None:
    """Read, score, print."""
    metrics = make_metrics(options)
    check_usage(options)
    references, names = read_references(options)
    systems = read_systems(options, references, names)
    if not options.quiet and not options.force:
        advise(systems, metrics)
    if options.sentence_level:
        print_sentences(options, metrics, *next(iter(systems.items())), references)
        return
    if options.segments:
        from ..writers import writing

        with writing(options.segments) as stream:  # opened first: a file that cannot be written costs no work
            results, values = score_all(options, systems, metrics, references)
            write_segments(stream, options.segments, results, values)
    else:
        results, _ = score_all(options, systems, metrics, references)
    print_results(results, options.format, options.width, options.score_only)


# What was asked for ----------------------------------------------------------------------------------------


def make_metrics(options: argparse.Namespace) -> list[Metric]:
    """Make the metrics; flags set what a spec text leaves open, in every metric that has it."""
    from ..metrics import metric_class
    from ..metrics.base import build, parameters

    smooth = options.smooth_method
    flags = {
        "tokenize": options.tokenize,
        "lowercase": options.lowercase or None,
        "smooth": int(smooth) if smooth is not None and smooth.isdecimal() else smooth,
    }
    used = set()
    made: list[Metric] = []
    for text in options.metrics:
        if os.path.exists(text):
            raise SpecError(f"--metrics: {text} is a file, not a metric; name references before -m, or with -r")
        name, given = spec.parse(text)
        cls = metric_class(name)
        known = [field.name for field in parameters(cls)]
        for flag, value in flags.items():
            if value is not None and flag in known:
                used.add(flag)
                given.setdefault(flag, value)
        if options.sentence_level and "short" in known and isinstance(given.get("smooth", "exp"), str):
            given.setdefault("short", "effective")  # as sacreBLEU does for single sentences
        if options.smooth_value is not None and "smooth" in known:
            used.add("smooth_value")
            given = with_smooth_value(cls, given, options.smooth_value)
        made.append(build(cls, given))
    flags["smooth_value"] = options.smooth_value
    for flag, value in flags.items():
        if value is not None and flag not in used:
            option = "smooth-method" if flag == "smooth" else flag.replace("_", "-")
            raise SpecError(f"--{option}: none of the metrics ({', '.join(options.metrics)}) has that parameter")
    doubles = {m.spec for m in made if made.count(m) > 1}
    if doubles:
        raise SpecError(f"metric {doubles.pop()} is given twice")
    return made


def with_smooth_value(cls: type[Metric], given: dict[str, Any], value: float) -> dict[str, Any]:
    """Set the constant that belongs to the smoothing."""
    from ..metrics.base import build
    from ..metrics.smoothing import METHODS

    metric: Any = build(cls, given)
    method = getattr(metric, "definition", metric).method
    constants = METHODS[method][1]
    if not constants:
        raise SpecError(f"--smooth-value: smoothing {metric.smooth} has no constant (floor, add-k, 4, 6 and 7 have)")
    return {constants[0]: value, **given}


def check_usage(options: argparse.Namespace) -> None:
    """Refuse what cannot be meant."""
    if options.width is not None and not 0 <= options.width <= 15:
        raise SpecError(f"--width must be from 0 to 15; got {options.width}")
    if options.num_refs < 1:
        raise SpecError(f"--num-refs must be 1 or more; got {options.num_refs}")
    if options.threads is not None and options.threads < 1:
        raise SpecError(f"--threads must be 1 or more; got {options.threads}")
    refs = [*options.refs, *options.more_refs]
    if not refs:
        raise SpecError("no reference file is given; expected: tricolore score REF [REF ...] -i HYP [HYP ...]")
    if options.num_refs > 1 and len(refs) > 1:
        raise SpecError(f"--num-refs takes one file with {options.num_refs} references a line; got {len(refs)} files")
    inputs = options.input or ["-"]
    if [*refs, *inputs].count("-") > 1:
        raise SpecError("standard input can be read only once" + ("" if options.input else "; name the output with -i"))
    for path in inputs:
        if inputs.count(path) > 1:
            raise SpecError(f"{path} is given twice as a system")
    if options.sentence_level and len(inputs) > 1:
        raise SpecError("--sentence-level prints one system; use --segments FILE for several")
    if options.sentence_level and options.segments:
        raise SpecError("--sentence-level and --segments both ask for segments; choose one")


# Texts -----------------------------------------------------------------------------------------------------


def read_references(options: argparse.Namespace) -> tuple[References, str]:
    """Read the references; also return a name for them, for messages."""
    from ..readers import name_of, read_lines
    from ..segments import References

    paths = [*options.refs, *options.more_refs]
    if options.num_refs > 1:
        streams = split_fields(read_lines(paths[0]), options.num_refs, name_of(paths[0]))
    else:
        streams = [read_lines(path) for path in paths]
    for path, stream in zip(paths, streams, strict=False):
        check_lines(paths[0], len(streams[0]), path, len(stream))
    if not options.missing_refs:
        return References.from_streams(streams), paths[0]
    for number, row in enumerate(zip(*streams, strict=True), 1):
        if not any(row):
            raise InputError(
                f"{', '.join(paths)}: line {number}: no reference; with --missing-refs one must not be empty"
            )
    return References.from_streams([[line or None for line in stream] for stream in streams]), paths[0]


def split_fields(lines: list[str], number: int, name: str) -> list[list[str]]:
    """Cut tab-separated references."""
    rows = [line.split("\t") for line in lines]
    for i, row in enumerate(rows, 1):
        if len(row) != number:
            raise InputError(f"{name}: line {i}: expected {number} references separated by tabs, found {len(row)}")
    return [list(column) for column in zip(*rows, strict=True)]


def read_systems(options: argparse.Namespace, references: References, name: str) -> dict[str, list[str]]:
    """Read the system outputs, by the name to print."""
    from ..readers import read_lines

    paths = options.input or ["-"]
    if "-" in paths and sys.stdin.isatty() and not options.quiet:
        print("tricolore: reading the output from standard input; end it with Ctrl-D", file=sys.stderr)
    bases = ["stdin" if path == "-" else os.path.basename(path) for path in paths]
    systems = {}
    for path, base in zip(paths, bases, strict=True):
        lines = read_lines(path)
        check_lines(path, len(lines), name, len(references))
        systems[base if bases.count(base) == 1 else path] = lines
    return systems


def check_lines(path: str, lines: int, other: str, others: int) -> None:
    """Refuse files of different length."""
    from ..readers import name_of

    if lines == others:
        return
    if lines > others:
        path, lines, other, others = other, others, path, lines
    raise InputError(
        f"{name_of(path)}: ends at line {lines}, but {name_of(other)} goes on to line {others}; "
        "expected one line for each segment"
    )


def advise(systems: dict[str, list[str]], metrics: Sequence[Metric]) -> None:
    """Warn where text looks tokenised already, which hurts scores that tokenise again."""
    if not any(getattr(metric, "tokenize", "none") in ("13a", "intl", "zh") for metric in metrics):
        return
    for name, lines in systems.items():
        tokenised = sum(line.endswith(" .") for line in lines)
        if tokenised >= 100:
            print(
                f"tricolore: {name}: {tokenised} lines end in ' .', as tokenised text does; scores expect plain text "
                "(-tok none for text tokenised on purpose, --force for silence)",
                file=sys.stderr,
            )


# Scores ----------------------------------------------------------------------------------------------------


def score_all(
    options: argparse.Namespace,
    systems: dict[str, list[str]],
    metrics: Sequence[Metric],
    references: References,
) -> tuple[list[Result], list[Any]]:
    """Score every system with every metric; with --segments also keep the segment scores."""
    results: dict[str, list[Result]] = {name: [] for name in systems}
    values: dict[str, list[Any]] = {name: [] for name in systems}
    with ProgressBar(len(systems) * len(metrics) * len(references), quiet=options.quiet) as bar:
        for metric in (m.prepare(references) for m in metrics):
            for name, lines in systems.items():
                if options.segments:
                    rows = metric.stats(lines, references, threads=options.threads, progress=bar.step)
                    values[name].append(metric.score(rows))
                    score = metric.result(rows.sum())
                else:
                    score = metric(lines, references, threads=options.threads, progress=bar.step)
                results[name].append(Result(name, metric, score))
    return [*chain(*results.values())], [*chain(*values.values())]


def print_sentences(
    options: argparse.Namespace,
    metrics: Sequence[Metric],
    name: str,
    lines: list[str],
    references: References,
) -> None:
    """A score for each segment."""
    import json

    ready = [metric.prepare(references) for metric in metrics]
    if options.format not in ("text", "json", "tsv"):
        raise SpecError(f"--sentence-level prints text, json or tsv, not {options.format}")
    if options.format == "tsv" and not options.score_only:
        print("segment\tmetric\tscore\tsignature")
    for number, (line, refs) in enumerate(zip(lines, references.entries, strict=True), 1):
        for metric in ready:
            score = metric.segment(line, refs)
            if options.score_only:
                print(shown(score, options.width))
            elif options.format == "text":
                print(text_line(score, options.width))
            elif options.format == "json":
                print(json.dumps(as_object(score, options.width, system=name, segment=number), ensure_ascii=False))
            else:
                print(number, metric.spec, shown(score, options.width), score.signature, sep="\t")
