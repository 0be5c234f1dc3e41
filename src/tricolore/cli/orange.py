"""Judge metrics by where they rank references among machine translations (ORANGE).

    tricolore orange nbest.txt --refs ref0.txt ref1.txt ref2.txt ref3.txt
    tricolore orange nbest.gz -r ref*.txt -m 'bleus(order=1..9)' rouge-l 'rouge-s(skip=0..9|none)' per wer
    tricolore orange nbest.gz -r ref*.txt -m bleus rouge-l --curve curve.svg --errors errors.txt --source src.txt

n-best lists are those of Moses, Marian and cdec ('source ||| text ||| ...', sources numbered from 0), or JSON
lines with 'translations'; they are read source by source, however long they are. A metric is good if it ranks
what people wrote above what machines wrote: the smaller ORANGE is, the better. Every source needs two references
or more, because each is scored against the others. Exit status: 0 done, 1 something is wrong with the data, 2 with
the command.
"""

from __future__ import annotations

import os
from contextlib import ExitStack

from ..compression import without_suffix
from ..errors import InputError, SpecError, nearest
from .metric_options import add_metric_arguments, make_metrics
from .number_options import check_numbers
from .orange_results import print_results, write_ranks
from .progress import ProgressBar
from .results import FORMATS
from .text_options import add_reference_arguments, advise, check_lines, read_references

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    from ..judge.orange.ranking import Orange
    from ..metrics.base import Metric
    from ..segments import References
    from .orange_curve import CurveFile
    from .orange_errors import ErrorFile

CURVE_ENDINGS = (".svg", ".png", ".tsv", ".jsonl")
ERROR_ENDINGS = (".txt", ".tsv", ".jsonl")
RANK_ENDINGS = (".tsv", ".jsonl")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    texts = add_reference_arguments(parser, first=("nbest", "NBEST", "n-best lists ('-': standard input)"))
    texts.add_argument("--source", metavar="FILE", help="the source text, to be shown by --errors")
    add_metric_arguments(parser, default="default: the 34 of the paper, BLEUS1 to 9, NIST, PER, WER, ROUGE-L, -W, -S")
    add = parser.add_argument_group("ORANGE").add_argument
    add(
        "--candidates",
        choices=("all", "jackknife"),
        default="all",
        help="score translations against all references (default), or take the mean over all choices of all but one, "
        "so that they see as many as the references do",
    )
    add(
        "--average",
        choices=("score", "rank"),
        default="score",
        help="the rank of the mean score of the references (default), or the mean of their ranks",
    )
    add(
        "--ties",
        choices=("mid", "min", "max"),
        default="mid",
        help="of the translations as good as the references, half are before them (mid, default), none (min) "
        "or all (max)",
    )
    add(
        "--unequal",
        choices=("keep", "drop"),
        default="keep",
        help="lists shorter than the longest, or than -n: divide each rank by its own length + 1 (keep, default), "
        "or leave such sources out (drop), as the paper does",
    )
    add("--distinct", action="store_true", help="take every translation of a source once")
    add("-n", "--first", type=int, metavar="N", help="take the first N of every list")
    add("--level", type=float, default=0.95, metavar="X", help="confidence level of intervals (default: 0.95)")
    add("--samples", type=int, default=1000, metavar="N", help="bootstrap resamples of the sources (default: 1000)")
    add("--seed", type=int, default=12345, metavar="N", help="seed of the resamples (default: 12345)")
    add = parser.add_argument_group("results").add_argument
    add("-f", "--format", choices=FORMATS, default="text", help="how to print (default: text)")
    add("-w", "--width", type=int, metavar="N", help="digits after the point (default: 2 for ORANGE, 1 for ranks)")
    add("--sort", action="store_true", help="the best metric first, not in the order asked for")
    add(
        "--curve",
        metavar="FILE",
        help="also ORANGE by the length of the lists: a picture (.svg, .png; pip install 'tricolore[plot]') or "
        "data (.tsv, .jsonl)",
    )
    add("--curve-step", type=int, metavar="N", help="lengths N, 2N, ... (default: at most 256 lengths)")
    add(
        "--errors",
        metavar="FILE",
        help="also write, source by source, the translations ranked above the references, the worst source first: "
        ".txt for people, .tsv or .jsonl for machines, also compressed (.gz, .zst, .xz, .bz2)",
    )
    add("--errors-metric", metavar="METRIC", help="by which of the metrics (default: the first)")
    add("--errors-most", type=int, metavar="N", help="at most N sources (default: all that have any)")
    add("--errors-candidates", type=int, metavar="N", help="at most N translations of a source (default: all)")
    add("--ranks", metavar="FILE", help="also write the rank of every source by every metric (.tsv, .jsonl)")
    add("-q", "--quiet", action="store_true", help="no progress and no advice on standard error")
    add("--force", action="store_true", help="no advice about text that looks unsuitable")
    add(
        "-j", "--threads", type=int, metavar="N", help="threads (default and 0: all cores); results do not depend on it"
    )


def run(options: argparse.Namespace) -> None:
    """Read, rank, print."""
    from ..judge.orange.ranking import PAPER, Settings
    from ..writers import writing

    options.metrics = options.metrics or list(PAPER)
    metrics = make_metrics(options)
    check_usage(options)
    Settings(**settings_of(options))
    by = errors_metric(options, metrics)
    with ProgressBar(quiet=options.quiet) as bar:
        bar.stage("reading")
        references, name = read_references(options)
        check_references(options, references)
        source = read_source(options, name, len(references))
        if not options.quiet and not options.force:
            firsts = [entry[0] for entry in references.entries]
            advise({name: firsts}, references, metrics)
        with ExitStack() as files:  # opened first: a file that cannot be written costs no work
            curve = files.enter_context(open_curve(options)) if options.curve else None
            errors = files.enter_context(open_errors(options, metrics, by, source)) if options.errors else None
            ranks = files.enter_context(writing(options.ranks)) if options.ranks else None
            bar.stage("ranking", len(references))
            results = judge(options, metrics, references, name, errors, bar)
            bar.stage("writing")
            if curve is not None:
                curve.write(results)
            if errors is not None:
                errors.write(results[by])
            if ranks is not None:
                write_ranks(ranks, options.ranks, results)
    print_results(results, options.format, options.width, options.sort)


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """The parameters of ORANGE."""
    names = ("candidates", "average", "ties", "unequal", "distinct", "level", "samples", "seed")
    return {"n": options.first, **{name: getattr(options, name) for name in names}}


def judge(
    options: argparse.Namespace,
    metrics: Sequence[Metric],
    references: References,
    name: str,
    errors: ErrorFile | None,
    bar: ProgressBar,
) -> list[Orange]:
    """Rank every source with every metric, reading the lists on the way."""
    from dataclasses import replace

    from ..judge.orange.ranking import orange
    from ..readers.nbest import read_nbest

    results = orange(
        (nbest.texts for nbest in read_nbest(options.nbest, len(references), name)),
        references,
        [asked.for_segments for asked in metrics],
        **settings_of(options),
        curve=(options.curve_step or True) if options.curve else False,
        each=errors.add if errors is not None else None,
        threads=options.threads,
        progress=bar.step,
    )
    # What scores single segments is in the signature; people find it under the name they asked for.
    return [replace(one, metric=asked) for one, asked in zip(results, metrics, strict=True)]


# Checks ----------------------------------------------------------------------------------------------------


def check_usage(options: argparse.Namespace) -> None:
    """Refuse what cannot be meant, before any work."""
    check_numbers(options)
    for option in ("curve_step", "errors_most", "errors_candidates", "first"):
        value = getattr(options, option)
        if value is not None and value < 1:
            raise SpecError(f"--{option.replace('_', '-')} must be 1 or more; got {value}")
    for option, of in (("curve_step", "curve"), *((f"errors_{x}", "errors") for x in ("metric", "most", "candidates"))):
        if getattr(options, option) is not None and not getattr(options, of):
            raise SpecError(f"--{option.replace('_', '-')} says how to write --{of} FILE, which is not asked for")
    if options.source is not None and not options.errors:
        raise SpecError("--source is shown by --errors FILE, which is not asked for")
    check_files(options)


def check_files(options: argparse.Namespace) -> None:
    """Refuse files that cannot be meant."""
    refs = [*options.refs, *options.more_refs]
    if not refs:
        raise SpecError("no reference file is given; name two or more with --refs")
    if len(refs) == 1 and options.num_refs == 1:
        raise SpecError(
            f"--refs: {refs[0]} alone gives every source one reference; ORANGE needs two or more, because each is "
            "scored against the others (-nr N if the file has N references a line)"
        )
    if len(refs) > 1 and options.num_refs > 1:
        raise SpecError(f"--num-refs takes one file with {options.num_refs} references a line; got {len(refs)} files")
    for path in refs:
        if refs.count(path) > 1:
            raise SpecError(f"{path} is given twice as a reference")
    inputs = [options.nbest, *refs, *([options.source] if options.source else [])]
    if inputs.count("-") > 1:
        raise SpecError("standard input can be read only once")
    outputs: dict[str, str] = {}
    for option, endings in (("curve", CURVE_ENDINGS), ("errors", ERROR_ENDINGS), ("ranks", RANK_ENDINGS)):
        if path := getattr(options, option):
            check_output(f"--{option}", path, endings, inputs)
            other = outputs.setdefault(os.path.abspath(path), option)
            if other != option:
                raise SpecError(f"--{other} and --{option} are the same file, {path}")


def check_output(option: str, path: str, endings: Sequence[str], inputs: Sequence[str]) -> None:
    """Refuse a file to write that has no known ending, or that is to be read."""
    plain = without_suffix(path)
    ending = os.path.splitext(plain)[1]
    if ending not in endings or (ending == ".png" and plain != path):
        raise SpecError(f"{option}: expected the name of a file that ends in {', '.join(endings)}; got {path!r}")
    for other in inputs:
        if os.path.isfile(path) and os.path.exists(other) and os.path.samefile(path, other):
            raise SpecError(f"{option}: {path} is one of the files to read; name another file")


def check_references(options: argparse.Namespace, references: References) -> None:
    """Refuse a source with one reference, naming the line."""
    for number, entry in enumerate(references.entries, 1):
        if isinstance(entry, str) or len(entry) < 2:
            raise InputError(
                f"{', '.join([*options.refs, *options.more_refs])}: line {number}: there is one reference; "
                "expected two or more, because each is scored against the others"
            )


def read_source(options: argparse.Namespace, name: str, lines: int) -> list[str] | None:
    """Read the source text, where it is there to be shown."""
    if options.source is None:
        return None
    from ..readers import read_segments

    source = read_segments(options.source, as_text=options.as_text)
    check_lines(options.source, len(source), name, lines)
    return source


def errors_metric(options: argparse.Namespace, metrics: Sequence[Metric]) -> int:
    """Which of the metrics the error analysis goes by: its name in print, or as it is asked for."""
    if options.errors_metric is None:
        return 0
    from ..metrics import metric

    corpus = list(metrics)
    for names in ([one.spec for one in corpus], [one.title for one in corpus]):
        if names.count(options.errors_metric) == 1:
            return names.index(options.errors_metric)
    known = [one.spec for one in corpus]
    try:
        return corpus.index(metric(options.errors_metric))
    except SpecError as error:
        raise SpecError(f"--errors-metric: {error}") from None
    except ValueError:
        raise SpecError(
            f"--errors-metric: {options.errors_metric} is not one of the metrics"
            f"{nearest(options.errors_metric, known)} ({', '.join(known)})"
        ) from None


# Files to write --------------------------------------------------------------------------------------------


def open_curve(options: argparse.Namespace) -> CurveFile:
    """The file for the curve."""
    from .orange_curve import CurveFile

    return CurveFile(options.curve)


def open_errors(options: argparse.Namespace, metrics: Sequence[Metric], by: int, source: list[str] | None) -> ErrorFile:
    """The file for the error analysis."""
    from .orange_errors import ErrorFile

    judged = metrics[by].for_segments
    return ErrorFile(options.errors, judged, by, source, options.ties, options.errors_most, options.errors_candidates)
