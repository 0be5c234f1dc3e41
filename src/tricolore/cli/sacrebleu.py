"""Score with sacreBLEU's command line: its flags, its output, its numbers.

    tricolore sacrebleu ref.txt -i output.txt -m bleu chrf ter
    tricolore sacrebleu ref.txt -i baseline.txt new.txt --paired-bs -f text
    cat output.txt | tricolore sacrebleu ref.txt -b -w 2

A drop-in for the command 'sacrebleu' 2.6.0: standard output is the same but for the version in signatures. Test sets
(-t, --echo, --list) come from the package sacrebleu, if it is installed. 'tricolore score' has more metrics, formats
and checks.
Exit status: 0 success, 1 invalid data, 2 invalid usage, 17 lines with different numbers of fields.
"""

from __future__ import annotations

import logging
import os
import sys

from ..compat.sacrebleu.metrics import BLEU, CHRF, METRICS
from ..compat.sacrebleu.streams import read_references, read_standard_input, read_systems
from ..compat.sacrebleu.tables import (
    Ink,
    explanation,
    results_json,
    results_table,
    signature_lines,
    single_results,
)  # fmt: skip
from ..compat.sacrebleu.version import SIGNED
from ..errors import InputError
from ..parameters import Whole
from ..printable import printable
from .options import Typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import Any

FORMATS = ("json", "text", "latex")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add sacreBLEU's options."""
    parser.add_argument("-V", "--version", action="version", version=f"sacrebleu {SIGNED}")
    group = parser.add_argument_group("texts")
    group.add_argument("refs", nargs="*", metavar="REF", help="reference files, before -i and -m")
    group.add_argument("-i", "--input", nargs="*", metavar="HYP", help="system outputs (default: standard input)")
    group.add_argument("-nr", "--num-refs", type=int, default=1, metavar="N",
        help="references per line of a single file, separated by tabs (default: 1)")  # fmt: skip
    group.add_argument("-e", "--encoding", default="utf-8", help="encoding of all files (default: utf-8)")
    group.add_argument("-l", "--language-pair", dest="langpair", metavar="SRC-TRG",
        help="language pair; the target chooses BLEU's tokeniser")  # fmt: skip
    add_test_sets(parser)
    add_metrics(parser)
    add_tests(parser)
    group = parser.add_argument_group("results")
    group.add_argument("-f", "--format", choices=FORMATS, default="json",
        help="json, text, or latex, for several systems; SACREBLEU_FORMAT overrides it (default: json)")  # fmt: skip
    group.add_argument("-b", "--score-only", action="store_true", help="print bare numbers")
    group.add_argument("-w", "--width", type=Typed(Whole(0, 1000)), default=1, metavar="N",
        help="digits after the point (default: 1)")  # fmt: skip
    group.add_argument("-sh", "--short", action="store_true", help="shorter signatures")
    group.add_argument("-d", "--detail", action="store_true", help="also scores by original language, with -t")
    group.add_argument("-q", "--quiet", action="store_true", help="no messages about progress")
    group.add_argument("-nc", "--no-color", action="store_true", help="no colours in the terminal")


def add_test_sets(parser: argparse.ArgumentParser) -> None:
    """Add the options about test sets."""
    group = parser.add_argument_group("test sets (from the package sacrebleu)")
    group.add_argument("-t", "--test-set", metavar="NAME", help="test set, or several joined by commas")
    group.add_argument("-ol", "--origlang", metavar="LANG", help="only segments of this original language, or non-LANG")
    group.add_argument("--subset", metavar="REGEX", help="only documents whose annotation matches")
    group.add_argument("--download", metavar="NAME", help="download a test set and leave")
    group.add_argument(
        "--echo", nargs="+", metavar="FIELD", help="print fields of the test set, such as src, and leave"
    )
    group.add_argument("--list", action="store_true", help="list test sets, or with -t language pairs, and leave")
    group.add_argument("--citation", "--cite", action="store_true", help="cite the test set and leave")


def add_metrics(parser: argparse.ArgumentParser) -> None:
    """Add metrics and their parameters; the destination of a parameter begins with the name of the metric."""
    group = parser.add_argument_group("metrics")
    group.add_argument("-m", "--metrics", nargs="+", choices=[*map(str.lower, METRICS)], default=["bleu"],
        metavar="METRIC", help="bleu, chrf, ter (default: bleu)")  # fmt: skip
    group.add_argument("-sl", "--sentence-level", action="store_true", help="print a score for each segment")
    group.add_argument("-s", "--smooth-method", dest="bleu_smooth_method", choices=[*BLEU.SMOOTH_DEFAULTS],
        default="exp", metavar="NAME", help="BLEU: smoothing, none, floor, add-k or exp (default: exp)")  # fmt: skip
    group.add_argument("-sv", "--smooth-value", dest="bleu_smooth_value", type=float, metavar="X",
        help="BLEU: smoothing constant (defaults: floor 0.1, add-k 1)")  # fmt: skip
    group.add_argument("-tok", "--tokenize", dest="bleu_tokenize", choices=[*BLEU.TOKENIZERS], metavar="NAME",
        help=f"BLEU: {', '.join(BLEU.TOKENIZERS)} (default: by target language, else 13a)")  # fmt: skip
    group.add_argument("-lc", "--lowercase", dest="bleu_lowercase", action="store_true", help="BLEU: lower-case text")
    group.add_argument("--force", dest="bleu_force", action="store_true", help="BLEU: no advice about tokenized text")
    group.add_argument("-cc", "--chrf-char-order", type=int, default=CHRF.CHAR_ORDER, metavar="N",
        help="chrF: longest character n-gram (default: 6)")  # fmt: skip
    group.add_argument("-cw", "--chrf-word-order", type=int, default=CHRF.WORD_ORDER, metavar="N",
        help="chrF: longest word n-gram, 2 for chrF++ (default: 0)")  # fmt: skip
    group.add_argument("--chrf-beta", type=int, default=CHRF.BETA, metavar="N",
        help="chrF: weight of recall relative to precision (default: 2)")  # fmt: skip
    for flag, about in (
        ("--chrf-whitespace", "chrF: count white space as characters"),
        ("--chrf-lowercase", "chrF: lower-case text"),
        ("--chrf-eps-smoothing", "chrF: average the F-scores of all orders"),
        ("--ter-case-sensitive", "TER: case-sensitive"),
        ("--ter-asian-support", "TER: include Chinese and Japanese characters"),
        ("--ter-no-punct", "TER: remove punctuation"),
        ("--ter-normalized", "TER: separate punctuation from words"),
    ):
        group.add_argument(flag, action="store_true", help=about)


def add_tests(parser: argparse.ArgumentParser) -> None:
    """Add intervals and paired tests."""
    group = parser.add_argument_group("intervals and tests")
    group.add_argument("-ci", "--confidence", action="store_true", help="95 %% interval of one system, by bootstrap")
    group.add_argument("-cin", "--confidence-n", type=int, default=1000, metavar="N", help="resamples (default: 1000)")
    choice = group.add_mutually_exclusive_group()
    choice.add_argument("-par", "--paired-ar", action="store_true",
        help="compare systems with the first by approximate randomisation")  # fmt: skip
    choice.add_argument("-pbs", "--paired-bs", action="store_true",
        help="compare systems with the first by paired bootstrap")  # fmt: skip
    group.add_argument("-parn", "--paired-ar-n", type=int, default=10_000, metavar="N", help="trials (default: 10000)")
    group.add_argument("-pbsn", "--paired-bs-n", type=int, default=1000, metavar="N", help="resamples (default: 1000)")
    group.add_argument("-j", "--paired-jobs", type=int, default=1, metavar="N", help="threads; 0 = all (default: 1)")


def run(options: argparse.Namespace) -> None:
    """Score as sacreBLEU's command does."""
    logger, handler = logging.getLogger("sacrebleu"), logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("tricolore: %(message)s"))
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.WARNING if options.quiet else logging.INFO)
    form = os.environ.get("SACREBLEU_FORMAT", "").lower()
    options.format = form if form in FORMATS else options.format
    try:
        if not about_test_sets(options):
            check(options)
            score(options)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def about_test_sets(options: argparse.Namespace) -> bool:
    """Answer a question about test sets, if there is one."""
    if not (options.download or options.list or options.citation or options.echo):
        return False
    if (options.citation or options.echo) and not options.test_set:
        raise InputError("--echo and --citation require a test set (-t)")
    from ..compat.sacrebleu import test_sets

    if options.download:
        test_sets.download(options.download, options.langpair)
    elif options.list:
        print(test_sets.listing(options.test_set, options.langpair))
    elif options.citation:
        print(test_sets.citations(options.test_set))
    else:
        check(options)
        test_sets.echo(options.test_set, options.langpair, options.echo, options.origlang, options.subset)
    return True


def check(options: argparse.Namespace) -> None:
    """Reject what does not go together, before any work."""
    if options.sentence_level and len(options.metrics) > 1:
        raise InputError("--sentence-level prints one metric; name one with -m")
    if options.num_refs != 1 and (options.test_set is not None or len(options.refs) > 1):
        raise InputError("--num-refs requires a single reference file, and no test set (-t)")
    if options.test_set is None:
        if not options.refs:
            raise InputError("references are required, before -i; or a test set (-t)")
        if options.origlang is not None or options.subset is not None:
            raise InputError("--origlang and --subset require a test set (-t) and a language pair (-l)")
        if options.langpair is not None and "-" not in options.langpair:
            raise InputError(f"--language-pair: expected two languages such as en-de, got {options.langpair!r}")
        return
    if options.refs:
        raise InputError("a test set (-t) has references of its own; leave out one of them")
    from ..compat.sacrebleu.test_sets import check_pair

    check_pair(options.test_set, options.langpair)


def score(options: argparse.Namespace) -> None:
    """Read, score and print."""
    paired = options.paired_ar or options.paired_bs
    full_refs = read_references(reference_files(options), options.num_refs, options.encoding)
    if options.input is None:
        full_systems = read_standard_input(options.encoding)
        names = [f"System {i}" for i in range(1, len(full_systems) + 1)]
        names = ["Baseline", *names[:-1]] if paired else names
    else:
        names, full_systems = read_systems(options.input, paired, options.encoding)
        names = [f"Baseline: {names[0]}", *names[1:]] if paired and names else names
    names = [*map(printable, names)]
    check_systems(options, len(names), paired)
    systems, refs = full_systems, full_refs
    if options.origlang is not None or options.subset is not None:
        from ..compat.sacrebleu.test_sets import filtered

        systems, refs = filtered(
            full_systems, full_refs, options.test_set, options.langpair, options.origlang, options.subset
        )
    check_lengths(names, systems, refs, options.refs if options.test_set is None else ())
    metrics = {name.upper(): METRICS[name.upper()](**parameters(options, name, refs)) for name in options.metrics}
    ink = Ink(sys.stdout.isatty() and not options.no_color and not os.environ.get("NO_COLOR"))
    if options.sentence_level:
        show_sentences(options, metrics, systems[0], refs)
    elif len(systems) == 1:
        if options.detail and options.format == "json":
            options.format = "text"
        show_one(options, metrics, systems[0], ink)
        if options.detail:
            from ..compat.sacrebleu.test_sets import show_details

            show_details(metrics, full_systems[0], full_refs, options, ink.coloured)
    else:
        show_several(options, metrics, [*zip(names, systems, strict=True)], ink)


def reference_files(options: argparse.Namespace) -> list[list[str]]:
    """The reference files, of each test set if there are several."""
    if options.test_set is None:
        return [options.refs]
    from ..compat.sacrebleu.test_sets import reference_files

    return [reference_files(name, options.langpair) for name in options.test_set.split(",")]


def check_systems(options: argparse.Namespace, number: int, paired: bool) -> None:
    """Reject what does not go with so many systems."""
    if not number:
        raise InputError("--input: expected at least one file")
    if options.sentence_level and number > 1:
        raise InputError("--sentence-level prints one system; name one with -i")
    if options.sentence_level and (options.confidence or paired):
        raise InputError("--sentence-level has neither intervals nor tests")
    if paired and number == 1:
        raise InputError("paired tests require several systems (-i)")
    if options.confidence and number > 1:
        raise InputError("--confidence takes one system; use --paired-bs for several")


def check_lengths(names: list[str], systems: list[list[str]], refs: list[list[str]], files: Any) -> None:
    """Reject files of different lengths, and empty ones."""
    for name, system in zip(names, systems, strict=True):
        if not system:
            raise InputError(f"{name}: contains no segment")
        for i, stream in enumerate(refs, 1):
            if len(stream) != len(system):
                of = files[i - 1] if len(files) == len(refs) else f"reference {i}"
                raise InputError(f"{name}: has {len(system)} lines, but {of} has {len(stream)}")


def parameters(options: argparse.Namespace, name: str, refs: list[list[str]]) -> dict[str, Any]:
    """The arguments of a metric: the options whose destinations begin with its name, and the references."""
    prefix = f"{name}_"
    found = {key.removeprefix(prefix): value for key, value in vars(options).items() if key.startswith(prefix)}
    if name == "bleu":
        language = options.langpair.partition("-")[2] if options.langpair else ""
        found |= {"trg_lang": language, "effective_order": options.sentence_level}
    return found | {"references": refs}


def show_sentences(options: argparse.Namespace, metrics: Any, system: list[str], refs: list[list[str]]) -> None:
    """Print a score for each segment."""
    (metric,) = metrics.values()

    def lines() -> Iterator[str]:
        for hypothesis, *references in zip(system, *refs, strict=True):
            found = metric.sentence_score(hypothesis, references)
            yield found.format(options.width, options.score_only, metric.get_signature().format(options.short))

    print("\n".join(lines()))


def show_one(options: argparse.Namespace, metrics: Any, system: list[str], ink: Ink) -> None:
    """Print the scores of one system."""
    as_json = options.format == "json"
    resamples = options.confidence_n if options.confidence else 1
    results = []
    for name in sorted(metrics):
        found = metrics[name].corpus_score(system, None, n_bootstrap=resamples)
        signature = metrics[name].get_signature().format(options.short and not as_json)
        results.append(found.format(options.width, options.score_only, signature, as_json))
    print("\n".join(single_results(results, as_json, ink)))


def show_several(options: argparse.Namespace, metrics: Any, systems: list[tuple[str, list[str]]], ink: Ink) -> None:
    """Print the scores of several systems, with paired tests if asked for."""
    paired = options.paired_ar or options.paired_bs
    trials = options.paired_bs_n if options.paired_bs else options.paired_ar_n
    signatures: dict[str, str] = {}
    results: dict[str, list[Any]] = {"System": [name for name, _ in systems]}
    if paired:
        from ..compat.sacrebleu.significance import PairedTest

        kind = "bs" if options.paired_bs else "ar"
        test = PairedTest(systems, metrics, None, kind, trials, n_jobs=options.paired_jobs)
        found, results = test()
        signatures = {name: one.format(options.short) for name, one in found.items()}
    else:
        for _, system in systems:
            for name in sorted(metrics):
                one = metrics[name].corpus_score(system, None)
                signatures[one.name] = metrics[name].get_signature().format(options.short)
                results.setdefault(one.name, []).append(one.format(options.width, True))
    if options.format == "json":
        print(results_json(results))
        return
    table, baseline = results_table(results, options.width, options.format == "latex", ink)
    print(f"{table}\n")
    if paired:
        print(explanation(options.paired_bs, trials, baseline, ink))
    print(signature_lines(signatures))
