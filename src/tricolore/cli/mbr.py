"""Choose candidates by minimum Bayes risk, from lists, samples, lattices or forests.

    tricolore mbr --samples samples.txt -n 64 -m chrf > best.txt
    tricolore mbr --samples run1.txt run2.txt run3.txt -m bleu -o best.txt
    tricolore mbr --nbest nbest.txt --scale 0.2 -m chrf --refs ref.txt > best.txt
    tricolore mbr --nbest dev.txt --scales 0.03 0.1 0.3 1 -m bleu --refs dev.ref > best.txt
    tricolore mbr --nbest nbest.txt --weights weights.txt -m ter --scores
    tricolore mbr --lattice lattices.plf --scale 0.5 > best.txt
    tricolore mbr --lattice dev.plf --refs dev.ref --estimate --scales 0.1 0.2 0.5 1 -o best.txt

Prints one line per source: the candidate with the highest expected score, where each candidate serves as reference,
weighted by its probability; ties go to the first. Samples are plain text: one file with N lines per source (-n N), or
several files with one line each; all are equally probable. n-best lists are those of Moses, Marian and cdec
('source ||| text ||| name= value ... ||| total', sources numbered from 0) or JSON lines. The probability of a line is
proportional to exp(scale x total), or with --weights to that of features times weights, and the same text with the
same features counts once; with --uniform every line counts the same. --scales finds a good scale on a dev set.
Metrics score single segments, BLEU as in 'tricolore score --segments'.

All pairs are scored unless --method says otherwise: 'aggregate' compares with an average of all candidates (n-gram
metrics only), 'coarse' then scores the best few exactly, 'prune' drops candidates that hardly ever win (worth it for
slow metrics). --check says how often these choose the same. With references, corpus scores of the choice and of the
first candidates go to standard error.

From lattices and forests the text is chosen, among all there are, that has the highest expected gain over all paths, by
a gain that is linear in n-grams (Tromble et al. 2008). It follows from the expected unigram precision and the ratio of
the precisions of one order and the one before. Probabilities are proportional to exp(scale x score of the path). -m
then only says what to measure. Exit status: 0 success, 1 invalid data, 2 invalid usage.
"""

import argparse
from collections.abc import Callable
from typing import Any, TextIO

from ..errors import SpecError
from ..graphs.mbr import LinearGain
from ..metrics.base import Metric
from ..rendering import json
from ..tuning.mbr import MBR
from ..tuning.mbr_choices import SCALE, MBROptions, mbr
from .graph_options import add_graph_arguments, add_lattice_argument, check_graphs, read, refuse_graph_options
from .metric_options import add_metric_arguments, make_metrics
from .nbest_options import (
    add_nbest_argument,
    add_output_arguments,
    add_unset_options,
    check_choosing,
    given_options,
    is_watched,
    opened,
    say_summary,
)
from .options import Typed, add_list, add_options, naming_options
from .printing import say
from .progress import ProgressBar
from .text_options import add_reference_arguments, given_references, warn

#: Options that are passed on as they are: of all candidates, of the methods, of lattices.
COMMON = ("method", "scale", "scales", "uniform", "first", "check", "estimate", "least")
METHOD = ("keep", "start", "confidence", "resamples", "seed")
LINEAR = ("precision", "ratio", "order")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    group = add_reference_arguments(parser, words=None)
    add_nbest_argument(group)
    about = "plain text instead of n-best lists: one file with N lines per source (-n N), or several files"
    add_list(group, "--samples", metavar="FILE", about=about)
    add_lattice_argument(group)
    add_metric_arguments(parser, default="one of them; default: chrf, to measure what lattices give: bleu")
    group = parser.add_argument_group("choice")
    add_options(group, MBROptions, only=("first", "uniform", "scale", "check"), spelled={"first": ("-n", "--first")})
    about = "try these scales and take the best by the references"
    group.add_argument("--scales", nargs="+", type=Typed(SCALE), metavar="X", help=about)
    group.add_argument("--weights", metavar="FILE", help="weights of the features, whose sum counts instead of totals")
    add_options(group, MBR, only=("method",))
    add_unset_options(group, MBR, *METHOD)
    group = parser.add_argument_group("lattices and forests, with a gain linear in n-grams")
    add_unset_options(group, LinearGain, *LINEAR)
    add_options(group, MBROptions, only=("estimate", "least"))
    add_graph_arguments(parser, weights=False)
    group = parser.add_argument_group("results")
    about = "the expected score of the choice and a tab before each line"
    group.add_argument("--scores", action="store_true", help=about)
    about = "a line of JSON per source: the choice, and all candidates with scores"
    group.add_argument("--json", action="store_true", help=about)
    add_output_arguments(group)


def run(options: argparse.Namespace) -> None:
    """Choose, and write one line per source."""
    metrics = make_metrics(options, options.metrics or ["bleu" if options.lattice else "chrf"])
    check_usage(options)
    references = given_references(options) if options.more_refs else None
    how: dict[str, Any] = given_options(options, (*COMMON, *METHOD, *LINEAR))
    with (
        ProgressBar(quiet=options.quiet or is_watched(options)) as bar,
        opened(options.output) as file,
        naming_options("metrics", *COMMON, *METHOD, *LINEAR),
    ):
        if options.lattice:
            how |= {"lattices": read(options, bar)}
        else:
            how |= {"nbest": options.nbest or None, "samples": options.samples or None, "weights": options.weights}
        found = mbr(
            metric=metrics if options.metrics or not options.lattice else None,
            refs=references,
            as_text=options.as_text,
            threads=options.threads,
            progress=bar.begin,
            each=printer(options, metrics[0], file),
            suggest=None if options.quiet else suggest,
            **how,
        )
    if references is not None and not options.lattice:
        warn(options, {(options.nbest or options.samples)[0]: [*found.first_texts]}, references, metrics)
    say_summary(found, options)


def suggest(advice: str) -> None:
    """Print advice on the method, naming the option."""
    say(advice.replace("method prune", "--method prune"))


def check_usage(options: argparse.Namespace) -> None:
    """Reject options that contradict each other, before any work."""
    if options.scores and options.json:
        raise SpecError("--scores and --json exclude each other; JSON has the scores")
    for one, other in (("nbest", "lattice"), ("samples", "lattice"), ("nbest", "samples")):
        if getattr(options, one) and getattr(options, other):
            raise SpecError(f"--{one} and --{other} exclude each other")
    if options.lattice:
        if options.json:
            raise SpecError("--json is for n-best lists and samples, not for --lattice")
        check_graphs(options, options.more_refs)
        return
    refuse_graph_options(options)
    check_choosing(options, options.weights)
    if options.scales and "-" in options.nbest:
        raise SpecError("--scales reads the lists several times; standard input can be read only once")


def printer(options: argparse.Namespace, metric: Metric, file: TextIO) -> Callable[[Any], None]:
    """Print the line of a source."""
    digits = 6 if options.lattice else metric.for_segments.display_digits + 1
    digits = digits if options.width is None else options.width

    def show(one: Any) -> None:
        text = one.line()
        if options.json:
            text = json(one.to_dict(), allow_nan=False)
        elif options.scores:
            text = f"{one.score:.{digits}f}\t{text}"
        print(text, file=file)

    return show
