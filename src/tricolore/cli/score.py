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
from contextlib import contextmanager
from itertools import chain

from .. import spec
from ..errors import InputError, SegmentError, SpecError
from .progress import ProgressBar
from .results import FORMATS, Result, Segments, as_object, print_results, shown, text_line, write_segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from typing import Any

    from ..metrics.base import Metric
    from ..segments import References

#: As `tricolore.tokenizers` has them, which is not loaded only to say so.
TOKENIZERS = (
    *("none", "13a", "intl", "zh", "universal", "rouge-score", "char", "char+space"),
    *("ja-mecab", "ko-mecab", "spm:FILE"),
)
SEGMENT_ENDINGS = (".tsv", ".txt", ".jsonl", "")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes; the flags are sacreBLEU's where it has them."""
    add = parser.add_argument_group("texts").add_argument
    add("refs", nargs="*", metavar="REF", help="reference files, one for each reference")
    add(
        "-r",
        "--refs",
        nargs="+",
        action="extend",
        dest="more_refs",
        default=[],
        metavar="REF",
        help="reference files, named anywhere",
    )
    add(
        "-i",
        "--input",
        nargs="+",
        action="extend",
        metavar="HYP",
        help="system outputs, a file each (default: standard input)",
    )
    add(
        "-nr",
        "--num-refs",
        type=int,
        default=1,
        metavar="N",
        help="one reference file, N references a line, tabs between",
    )
    add("--missing-refs", action="store_true", help="an empty reference line means that this reference is missing")

    add = parser.add_argument_group("metrics (what a metric says in brackets goes before these options)").add_argument
    add(
        "-m",
        "--metrics",
        nargs="+",
        action="extend",
        metavar="METRIC",
        help="such as bleu (default), 'bleu(smooth=7)', chrf ter, or all; see 'tricolore metrics'",
    )
    add(
        "-tok",
        "--tokenize",
        metavar="NAME",
        help=f"tokeniser: {', '.join(TOKENIZERS)}",
    )
    add("-lc", "--lowercase", action="store_true", help="lower-case the text first")
    add("-s", "--smooth-method", metavar="NAME", help="smoothing of BLEU: exp, floor, add-k, none, or 0 to 7")
    add(
        "-sv",
        "--smooth-value",
        type=float,
        metavar="X",
        help="its constant, for floor (0.1), add-k (1), 4 and 7 (5), 6 (5)",
    )

    add = parser.add_argument_group("chrF and TER, as in sacreBLEU").add_argument
    for option, (metric, parameter, kind) in SACREBLEU_OPTIONS.items():
        if kind is bool:
            add(option, action="store_true", default=None, help=f"{metric}({parameter}=true)")
        else:
            add(option, type=kind, metavar="N", help=f"{metric}({parameter}=N)")

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
        help="also write every system x segment x metric to FILE (.tsv or .jsonl, also .gz or .zst), "
        "segments scored as by -sl",
    )
    add("-q", "--quiet", action="store_true", help="no progress and no advice on standard error")
    add("--force", action="store_true", help="no advice about text that looks unsuitable")
    add(
        "-j", "--threads", type=int, metavar="N", help="threads (default and 0: all cores); results do not depend on it"
    )


#: Options of sacreBLEU that set a parameter of one metric: its name here, the parameter, and what it takes.
SACREBLEU_OPTIONS: dict[str, tuple[str, str, type]] = {
    "--chrf-char-order": ("chrf", "char_order", int),
    "--chrf-word-order": ("chrf", "word_order", int),
    "--chrf-beta": ("chrf", "beta", float),
    "--chrf-whitespace": ("chrf", "whitespace", bool),
    "--chrf-lowercase": ("chrf", "lowercase", bool),
    "--chrf-eps-smoothing": ("chrf", "eps_smoothing", bool),
    "--ter-case-sensitive": ("ter", "case", bool),
    "--ter-asian-support": ("ter", "asian", bool),
    "--ter-no-punct": ("ter", "no_punct", bool),
    "--ter-normalized": ("ter", "normalized", bool),
}


class Asked:
    """A metric as it was asked for, and what scores single segments in its name."""

    __slots__ = ("corpus", "segment")

    def __init__(self, corpus: Metric, segment: Metric):
        self.corpus = corpus
        self.segment = segment


def run(options: argparse.Namespace) -> None:
    """Read, score, print."""
    metrics = make_metrics(options)
    check_usage(options)
    with ProgressBar(quiet=options.quiet) as bar:
        bar.stage("reading")
        references, name = read_references(options)
        systems = read_systems(options, references, name)
        if not options.quiet and not options.force:
            advise(systems, references, metrics)
        results = [] if options.sentence_level else score_all(options, systems, metrics, references, bar)
    if options.sentence_level:
        print_sentences(options, metrics, *next(iter(systems.items())), references)
    else:
        print_results(results, options.format, options.width, options.score_only)


# What was asked for ----------------------------------------------------------------------------------------


def make_metrics(options: argparse.Namespace) -> list[Asked]:
    """Make the metrics; flags set what a spec text leaves open, in every metric that has it."""
    from ..metrics import expanded

    smooth = options.smooth_method
    flags = {
        "tokenize": options.tokenize,
        "lowercase": options.lowercase or None,
        "smooth": int(smooth) if smooth is not None and smooth.isdecimal() else smooth,
        "smooth_value": options.smooth_value,
    }
    own = {option: getattr(options, option[2:].replace("-", "_")) for option in SACREBLEU_OPTIONS}
    own = {option: value for option, value in own.items() if value is not None}
    texts = [str(text) for text in expanded(options.metrics or ["bleu"])]
    made: list[Asked] = []
    using: dict[str, list[str]] = {}
    for text in texts:
        used: set[str] = set()
        made.append(make_metric(text, flags, own, used))
        for flag in used:
            using.setdefault(flag, []).append(made[-1].corpus.name)
    check_flags(options, flags | own, using, [one.corpus.name for one in made], texts)
    corpus = [metric.corpus for metric in made]
    for metric in corpus:
        if corpus.count(metric) > 1:
            raise SpecError(f"metric {metric.spec} is given twice")
    return made


def check_flags(
    options: argparse.Namespace,
    flags: dict[str, Any],
    using: dict[str, list[str]],
    names: Sequence[str],
    texts: Sequence[str],
) -> None:
    """Refuse a flag that concerns none of the metrics, and say which metrics one does not concern."""
    for flag, value in flags.items():
        if value is None:
            continue
        option = flag if flag.startswith("--") else "--" + {"smooth": "smooth-method"}.get(flag, flag.replace("_", "-"))
        if flag not in using:
            raise SpecError(f"{option}: none of the metrics ({', '.join(texts)}) has that parameter")
        others = [name for name in dict.fromkeys(names) if name not in using[flag]]
        if others and flag in ("tokenize", "lowercase") and not (options.quiet or options.force):
            print(f"tricolore: {option} does not concern {', '.join(others)}", file=sys.stderr)


def make_metric(text: str, flags: dict[str, Any], own: dict[str, Any], used: set[str]) -> Asked:
    """Make one metric of a spec text and the flags that concern it; note which those are."""
    from ..metrics import metric_class, named, with_implied
    from ..metrics.base import parameters

    try:
        name, given = spec.parse(text)
        cls, given = metric_class(name), with_implied(name, given)
    except SpecError:
        if os.path.exists(text):
            raise SpecError(
                f"--metrics: {text} is a file, not a metric; name references before -m, or with -r"
            ) from None
        raise
    known = [field.name for field in parameters(cls)]
    for option, value in own.items():
        metric_name, parameter, _ = SACREBLEU_OPTIONS[option]
        if metric_name == named(name)[0]:
            used.add(option)
            given.setdefault(parameter, value)
    for flag in ("tokenize", "lowercase", "smooth"):
        if flags[flag] is not None and flag in known and (flag != "smooth" or "short" in known):
            used.add(flag)
            given.setdefault(flag, flags[flag])
    if flags["smooth_value"] is not None and "epsilon" in known:
        used.add("smooth_value")
        given = with_smooth_value(cls(**given), given, flags["smooth_value"])
    metric: Any = cls(**given)
    # As sacreBLEU does for single segments; its names for smoothing stand for its ways.
    if isinstance(getattr(metric, "smooth", None), str) and "short" in known and "short" not in given:
        return Asked(metric, cls(**given, short="effective"))
    return Asked(metric, metric)


def with_smooth_value(metric: Any, given: dict[str, Any], value: float) -> dict[str, Any]:
    """Set the constant that belongs to the smoothing."""
    from ..metrics.smoothing import METHODS

    constants = METHODS[metric.method][1]
    if not constants:
        raise SpecError(f"--smooth-value: smoothing {metric.smooth} has no constant (floor, add-k, 4, 6 and 7 have)")
    return {constants[0]: value, **given}


def check_usage(options: argparse.Namespace) -> None:
    """Refuse what cannot be meant, before any work."""
    if options.width is not None and not 0 <= options.width <= 15:
        raise SpecError(f"--width must be from 0 to 15; got {options.width}")
    if options.num_refs < 1:
        raise SpecError(f"--num-refs must be 1 or more; got {options.num_refs}")
    if options.threads is not None and not 0 <= options.threads <= 1024:
        raise SpecError(f"--threads must be from 0 (all cores) to 1024; got {options.threads}")
    refs = [*options.refs, *options.more_refs]
    inputs = options.input or ["-"]
    if not refs:
        taken = f" ({', '.join(inputs)} were read as systems)" if len(inputs) > 1 else ""
        raise SpecError(f"no reference file is given{taken}; name references before -i, or with -r")
    if options.num_refs > 1 and len(refs) > 1:
        raise SpecError(f"--num-refs takes one file with {options.num_refs} references a line; got {len(refs)} files")
    if [*refs, *inputs].count("-") > 1:
        raise SpecError("standard input can be read only once" + ("" if options.input else "; name the output with -i"))
    for path in inputs:
        if inputs.count(path) > 1:
            raise SpecError(f"{path} is given twice as a system")
    if options.sentence_level and len(inputs) > 1:
        raise SpecError("--sentence-level prints one system; use --segments FILE for several")
    if options.sentence_level and options.format not in ("text", "json", "tsv"):
        raise SpecError(f"--sentence-level prints text, json or tsv, not {options.format}")
    if options.segments is not None:
        check_segments_file(options, [*refs, *inputs])


def check_segments_file(options: argparse.Namespace, inputs: Sequence[str]) -> None:
    """Refuse a file for segments that is not one, or that is an input."""
    path = options.segments
    if options.sentence_level:
        raise SpecError("--sentence-level and --segments both ask for segments; choose one")
    if os.path.splitext(path.removesuffix(".gz").removesuffix(".zst"))[1] not in SEGMENT_ENDINGS or path in ("", "-"):
        raise SpecError(
            f"--segments: expected the name of a .tsv or .jsonl file, perhaps with .gz or .zst; got {path!r}"
        )
    for other in inputs:
        if os.path.isfile(path) and os.path.exists(other) and os.path.samefile(path, other):
            raise SpecError(f"--segments: {path} is one of the texts to read; name another file")


# Texts -----------------------------------------------------------------------------------------------------


def read_references(options: argparse.Namespace) -> tuple[References, str]:
    """Read the references; also return the name of the first file, for messages."""
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
                f"{', '.join(paths)}: line {number}: with --missing-refs a line must not be empty everywhere"
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
    if "-" in paths and sys.stdin is not None and sys.stdin.isatty() and not options.quiet:
        print("tricolore: reading the output from standard input; end it with Ctrl-D", file=sys.stderr)
    bases = ["stdin" if path == "-" else os.path.basename(path) for path in paths]
    systems = {}
    for path, base in zip(paths, bases, strict=True):
        try:
            lines = read_lines(path)
        except InputError as error:
            if options.input is None and len(options.refs) > 1:
                raise InputError(f"{error}; name the output with -i") from None
            raise
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


def advise(systems: dict[str, list[str]], references: References, metrics: Sequence[Asked]) -> None:
    """Warn where text does not suit what is done to it, which hurts scores."""
    for message in (*advice_on_references(references), *advice_on_systems(systems, metrics)):
        print(f"tricolore: {message}, --force for silence)", file=sys.stderr)


def advice_on_references(references: References) -> Iterator[str]:
    """Lines that may mean something else: a missing reference, or several in one."""
    several = [entry for entry in references.entries if not isinstance(entry, str)]
    empty = sum(text == "" for entry in several for text in entry)
    if empty:
        yield (
            f"{empty} of {sum(map(len, several))} references are empty lines "
            "(--missing-refs if they stand for references that are missing"
        )
    elif sum("\t" in entry for entry in references.entries if isinstance(entry, str)) > len(references) / 2:
        yield "the lines of the reference have tabs in them (-nr N if they hold N references each"


def advice_on_systems(systems: dict[str, list[str]], metrics: Sequence[Asked]) -> Iterator[str]:
    """Tokenisers that do not suit a text."""
    by_tokenizer = {name: asked for asked in metrics if (name := getattr(asked.corpus, "tokenize", None))}
    by_words = [a.corpus.name for a in metrics if getattr(a.corpus, "tokenize", None) in ("none", "13a", "intl")]
    by_words = [name for name in by_words if name not in ("lebleu", "tbleu")]  # these look into words
    for ter in (asked.corpus for asked in metrics if asked.corpus.name == "ter"):
        if getattr(ter, "asian", False) and not (getattr(ter, "normalized", False) or getattr(ter, "no_punct", False)):
            yield f"{ter.spec}: asian does nothing alone (write ter(asian=true, normalized=true)"
    for name, lines in systems.items():
        tokenised = sum(line.endswith(" .") for line in lines)
        if tokenised >= 100 and by_tokenizer.keys() & {"13a", "intl", "zh"}:
            yield (
                f"{name}: {tokenised} lines end in ' .', as tokenised text does; scores expect plain text "
                "(-tok none for text tokenised on purpose"
            )
        if by_words and lacks_spaces("\n".join(lines[:200])):
            others = [word for word in by_words if word != "ter"]
            ways = ["-tok universal cuts every script"] if others else []
            ways += ["ter(asian=true, normalized=true) cuts Chinese and Japanese"] if "ter" in by_words else []
            yield f"{name}: the text has few spaces, and {', '.join(by_words)} go by words ({'; '.join(ways)}"


def lacks_spaces(sample: str) -> bool:
    """Whether much of a text is in a script that is written without spaces."""
    from ..tokenizers import tokenize

    if sample.isascii():
        return False
    return len(tokenize(sample, "universal")) > 3 * len(tokenize(sample, "13a"))


# Scores ----------------------------------------------------------------------------------------------------


def score_all(
    options: argparse.Namespace,
    systems: dict[str, list[str]],
    metrics: Sequence[Asked],
    references: References,
    bar: ProgressBar,
) -> list[Result]:
    """Score every system with every metric; with --segments also write the scores of segments."""
    if not options.segments:
        return score_systems(options, systems, metrics, references, bar)
    from ..writers import writing

    with writing(options.segments) as stream:  # opened first: a file that cannot be written costs no work
        results = score_systems(options, systems, metrics, references, bar)
        bar.stage("writing")
        write_segments(stream, options.segments, results)
    return results


def score_systems(
    options: argparse.Namespace,
    systems: dict[str, list[str]],
    metrics: Sequence[Asked],
    references: References,
    bar: ProgressBar,
) -> list[Result]:
    """Score metric by metric, so that each learns from the references once; the results are system by system."""
    results: dict[str, list[Result]] = {name: [] for name in systems}
    for asked in metrics:
        bar.stage(f"learning {asked.corpus.name}")
        ready = asked.corpus.prepare(references)
        alone = ready if asked.segment == asked.corpus else asked.segment
        runs = 2 if options.segments and alone is not ready else 1
        bar.stage(f"scoring {asked.corpus.name}", len(systems) * len(references) * runs)
        how: dict[str, Any] = {"threads": options.threads, "progress": bar.step}
        for name, lines in systems.items():
            with naming_the_line(name):
                if not options.segments:
                    results[name].append(Result(name, asked.corpus, ready(lines, references, **how)))
                    continue
                rows = ready.stats(lines, references, **how)
                values = ready.score(rows) if alone is ready else alone.segments(lines, references, **how)
                score = ready.result(rows.sum())
                segments = Segments(values, alone.signature(score.nrefs))
                results[name].append(Result(name, asked.corpus, score, segments))
    return [*chain(*results.values())]


@contextmanager
def naming_the_line(system: str) -> Iterator[None]:
    """Say where in a file the segment is that cannot be scored."""
    try:
        yield
    except SegmentError as error:
        raise InputError(f"{system}: line {error.segment + 1}: {error.reason}") from None


def print_sentences(
    options: argparse.Namespace, metrics: Sequence[Asked], name: str, lines: list[str], references: References
) -> None:
    """Print a score for each segment."""
    import json

    ready = [metric.segment.prepare(references) for metric in metrics]
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
                print(text_line(score, options.width))
            elif options.format == "json":
                print(json.dumps(as_object(score, options.width, system=name, segment=number), ensure_ascii=False))
            else:
                print(number, score.metric.spec, shown(score, options.width), score.signature, sep="\t")
