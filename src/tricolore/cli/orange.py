"""Judge metrics by where they rank references among machine translations (ORANGE).

    tricolore orange nbest.txt --refs ref0.txt ref1.txt ref2.txt ref3.txt
    tricolore orange nbest.gz -r ref*.txt -m 'bleus(order=1..9)' rouge-l 'rouge-s(skip=0..9|none)' per wer
    tricolore orange nbest.gz -r ref*.txt -m bleus rouge-l --curve curve.svg --errors errors.txt --source src.txt

n-best lists are those of Moses, Marian and cdec ('source ||| text ||| ...', sources numbered from 0), or JSON lines
with 'translations'; they are read source by source, however long they are. A metric is good if it ranks human
translations above machine translations: the lower ORANGE is, the better. Every source needs two references or more,
because each is scored against the others.
Exit status: 0 success, 1 invalid data, 2 invalid usage.
"""

import argparse
import os
from collections.abc import Sequence

from ..compression import without_suffix
from ..errors import InputError, SpecError, nearest
from ..judge.orange.curve import writing_curve
from ..judge.orange.error_analysis import writing_errors
from ..judge.orange.options import PAPER, Settings
from ..judge.orange.ranking import orange
from ..metrics import metric
from ..metrics.base import Metric
from ..parameters import OrNone, Whole
from ..readers.nbest import read_nbest
from ..readers.texts import check_segments, read_texts
from ..results import emit
from ..segments import References
from ..writers import check_kept, writing_records
from .metric_options import add_metric_arguments, make_metrics
from .options import add_option, add_options, add_output_options, add_threads, built, naming_options
from .progress import ProgressBar
from .text_options import add_reference_arguments, given_references, reference_paths, warn

#: The endings of the files that can be written.
ENDINGS = {
    "curve": (".svg", ".png", ".tsv", ".csv", ".jsonl"),
    "errors": (".txt", ".tsv", ".jsonl"),
    "ranks": (".tsv", ".csv", ".jsonl"),
}
COUNT = OrNone(Whole(1, 2**53))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    texts = add_reference_arguments(parser, first=("nbest", "NBEST", "n-best lists ('-': standard input)"))
    texts.add_argument("--source", metavar="FILE", help="the source text, to be shown by --errors")
    add_metric_arguments(parser, default="default: the 34 of the paper, BLEUS1 to 9, NIST, PER, WER, ROUGE-L, -W, -S")
    group = parser.add_argument_group("ORANGE")
    add_options(group, Settings, spelled={"n": ("-n", "--first")})
    group = parser.add_argument_group("results")
    add_output_options(group, "2 for ORANGE, 1 for ranks; JSON, TSV and CSV in full")
    add = group.add_argument
    add("--sort", action="store_true", help="best metric first (default: in the order given)")
    add("--curve", metavar="FILE", help="also write ORANGE by the length of the lists: a picture (.svg, .png; "
        "pip install 'tricolore[plot]') or data (.tsv, .csv, .jsonl)")  # fmt: skip
    add_option(group, "--curve-step", kind=COUNT, about="lengths N, 2N, ... (default: at most 256 lengths)")
    add("--errors", metavar="FILE", help="also write the candidates ranked above the references of each source, the "
        "worst source first: .txt for people, .tsv or .jsonl for programs; may be compressed (.gz, .zst)")  # fmt: skip
    add("--errors-metric", metavar="METRIC", help="the metric of --errors (default: the first)")
    add_option(group, "--errors-most", kind=COUNT, about="at most N sources (default: all that have any)")
    add_option(group, "--errors-candidates", kind=COUNT, about="at most N candidates of a source (default: all)")
    add("--ranks", metavar="FILE", help="also write the rank of every source by every metric (.tsv, .csv, .jsonl)")
    add_threads(group)


def run(options: argparse.Namespace) -> None:
    """Read, rank, print."""
    options.metrics = options.metrics or list(PAPER)
    metrics = make_metrics(options)
    check_usage(options)
    settings = built(Settings, options)
    by = errors_metric(options, metrics)
    with ProgressBar(quiet=options.quiet) as bar:
        bar.stage("reading")
        references = given_references(options)
        check_references(options, references)
        source = read_source(options, references)
        warn(options, {str(references.path): [entry[0] for entry in references.entries]}, references, metrics)
        shown = {"most": options.errors_most, "candidates": options.errors_candidates}
        with (  # opened first: a file that cannot be written costs no work
            writing_curve(options.curve) as write_curve,
            writing_errors(options.errors, metrics[by], by, source, settings.ties, **shown) as errors,
            writing_records(options.ranks) as write_ranks,
            naming_options("n", "unequal"),
        ):
            found = orange(
                (nbest.texts for nbest in read_nbest(options.nbest, len(references), str(references.path))),
                references,
                metrics,
                **vars(settings),
                curve=(options.curve_step or True) if options.curve else False,
                each=errors.add if errors else None,
                threads=options.threads,
                progress=bar.begin("ranking"),
            )
            bar.stage("writing")
            write_curve(found)
            write_ranks(found.ranks())
            if errors:
                errors.write(found[by])
    emit(found.sorted() if options.sort else found, options.format, width=options.width)


def check_usage(options: argparse.Namespace) -> None:
    """Reject options that contradict each other, before any work."""
    needs = {"curve_step": "curve", "errors_metric": "errors", "errors_most": "errors", "errors_candidates": "errors"}
    for option, of in (needs | {"source": "errors"}).items():
        if getattr(options, option) is not None and not getattr(options, of):
            raise SpecError(f"--{option.replace('_', '-')} needs --{of} FILE")
    refs = reference_paths(options)
    if not refs:
        raise SpecError("no reference file is given; name two or more with --refs")
    if len(refs) == 1 and options.num_refs == 1:
        raise SpecError(
            f"--refs: {refs[0]} alone gives every source one reference; ORANGE needs two or more, because each is "
            "scored against the others (-nr N if the file has N references per line)"
        )
    if len(refs) > 1 and options.num_refs > 1:
        raise SpecError(f"--num-refs takes one file with {options.num_refs} references per line; got {len(refs)} files")
    inputs = [options.nbest, *refs, *([options.source] if options.source else [])]
    if inputs.count("-") > 1:
        raise SpecError("standard input can be read only once")
    check_outputs(options, inputs)


def check_outputs(options: argparse.Namespace, inputs: Sequence[str]) -> None:
    """Reject files to write that have no known ending, that are to be read, or that are the same."""
    outputs: dict[str, str] = {}
    for option, endings in ENDINGS.items():
        if path := getattr(options, option):
            plain = without_suffix(path)
            ending = os.path.splitext(plain)[1]
            if ending not in endings or (ending in (".png", ".svg") and plain != path):
                raise SpecError(f"--{option}: expected a file name that ends in {', '.join(endings)}; got {path!r}")
            check_kept(f"--{option}", path, *inputs)
            first = outputs.setdefault(os.path.abspath(path), option)
            if first != option:
                raise SpecError(f"--{first} and --{option} are the same file, {path}")


def check_references(options: argparse.Namespace, references: References) -> None:
    """Reject a source with one reference, naming the line."""
    for number, entry in enumerate(references.entries, 1):
        if isinstance(entry, str) or len(entry) < 2:
            raise InputError(
                f"{', '.join(reference_paths(options))}: line {number}: there is one reference; "
                "expected two or more, because each is scored against the others"
            )


def read_source(options: argparse.Namespace, references: References) -> list[str] | None:
    """Read the source text, where it is there to be shown."""
    if options.source is None:
        return None
    source = read_texts(options.source, as_text=options.as_text)
    check_segments({"source": source}, references)
    return source


def errors_metric(options: argparse.Namespace, metrics: Sequence[Metric]) -> int:
    """The number of the metric of the error analysis: by its spec or its title."""
    asked = options.errors_metric
    if asked is None:
        return 0
    known = [one.spec for one in metrics]
    for names in (known, [one.title for one in metrics]):
        if names.count(asked) == 1:
            return names.index(asked)
    try:
        return list(metrics).index(metric(asked))
    except SpecError as error:
        raise SpecError(f"--errors-metric: {error}") from None
    except ValueError:
        raise SpecError(
            f"--errors-metric: {asked} is not one of the metrics{nearest(asked, known)} ({', '.join(known)})"
        ) from None
