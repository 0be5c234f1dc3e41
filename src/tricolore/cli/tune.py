"""Tune feature weights over n-best lists to optimise a metric.

    tricolore tune mert --nbest run1.gz run2.gz --refs ref0 ref1 -m bleu --start start.txt -o weights.txt
    tricolore tune xbleu --nbest dev.nbest --refs ref -m 'bleu(smooth=0..7)' --folds 2 --repeats 5
    tricolore tune mert,mira,pro,xbleu --nbest dev.nbest --refs ref --test-nbest test.nbest --test-refs test.ref
    tricolore tune mira --decoder 'CMD {weights} {nbest}' --rounds 15 --refs ref --start start.txt -o weights.txt

METHOD is mert (line searches, any corpus metric), mira (batch k-best MIRA), pro (pairwise ranking) or xbleu (expected
segment score, any metric); several methods, separated by commas, or several metrics are compared in a table. Lists are
in the format of Moses, Marian or cdec, 'id ||| text ||| name= v v ||| total', or JSON lines; see "How do I tune feature
weights to a metric?" in the documentation. Exit status: 0 success, 1 invalid data, 2 invalid usage.
"""

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

from ..errors import SpecError
from ..metrics.base import Metric
from ..parameters import Choice, Flag, Whole, parameters
from ..readers.texts import read_references
from ..rendering import separated
from ..results import emit
from ..segments import References
from ..spec import write
from ..tuning import make_tuners, parameter_owners, tuner_class
from ..tuning.rounds import Loop
from ..tuning.tune import TuneOptions, tune
from ..tuning.tune_rounds import tune_rounds
from ..tuning.tuning_result import Tuning, Watched
from ..writers import check_kept, check_target, writing
from .metric_options import add_metric_arguments, make_metrics
from .nbest_options import add_unset_options, given_options
from .options import Typed, add_options, add_output_options, add_threads, check_distinct, naming_options
from .printing import say
from .progress import ProgressBar
from .text_options import add_reference_arguments, given_references, reference_paths, warn

#: Parameters of tuners that are spelled otherwise as options.
SPELLED = {"C": ("-C", "--aggressiveness"), "regularisation": ("--lambda", "--regularisation")}
LOG_COLUMNS = ("method", "run", "fold", "step", "objective", "score", "held_out")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("method", metavar="METHOD", help="mert, mira, pro or xbleu; several separated by commas")
    group = add_reference_arguments(parser)
    add = group.add_argument
    add("--nbest", nargs="+", action="extend", metavar="FILE", help="n-best lists with features; several are merged")
    add_options(group, TuneOptions, only=("first",))
    add("--start", metavar="FILE", help="initial weights (default: all equal)")
    add("-o", "--output", metavar="FILE", help="write the weights to a file (default: print them)")
    group = parser.add_argument_group("other lists")
    add = group.add_argument
    add_options(group, TuneOptions, only=("held_out",))
    add("--held-out-nbest", nargs="+", action="extend", metavar="FILE", help="or n-best lists to hold out")
    add("--held-out-refs", nargs="+", action="extend", metavar="REF", help="their references")
    add_options(group, TuneOptions, only=("patience", "folds", "repeats", "fold_by"))
    add("--test-nbest", nargs="+", action="append", default=[], metavar="FILE", help="test lists; repeat for each set")
    add("--test-refs", nargs="+", action="append", default=[], metavar="REF", help="references of each test set")
    add = add_metric_arguments(parser, "default: bleu; pro: 'bleu(smooth=2)'; xbleu: 'bleu(smooth=4)'").add_argument
    add("--report", metavar="METRIC", help="corpus metric that is reported and selects epochs (default: the metric "
        "tuned for; BLEU without smoothing)")  # fmt: skip
    group = parser.add_argument_group("weights")
    add = group.add_argument
    listed: dict[str, Any] = {"nargs": "+", "action": "extend", "default": []}
    add("--fix", **listed, metavar="NAME[=X]", help="features whose weights stay, or stay at X")
    add("--bounds", **listed, metavar="NAME=LOW:HIGH", help="bounds of weights, such as lm=0:1 or tm=0:")
    add_options(group, TuneOptions, only=("normalise",))
    add_tuner_arguments(parser)
    group = parser.add_argument_group("a decoder in the loop")
    add = group.add_argument
    add("--decoder", metavar="CMD", help="command that reads {weights} and writes {nbest}; lists of all rounds are "
        "merged")  # fmt: skip
    add_unset_options(group, Loop, "rounds")
    add("--work", metavar="FOLDER", help="folder that keeps every round, to resume from (default: OUTPUT.rounds)")
    group = parser.add_argument_group("replications")
    add_options(group, TuneOptions, only=("replicate", "seed", "trials", "runs_as"))
    group.add_argument("--baseline", metavar="NAME", help="row of the table that p-values are against (default: the "
        "first of several metrics, or start)")  # fmt: skip
    group = parser.add_argument_group("results")
    add_output_options(group, "2; weights in full")
    group.add_argument("--log", metavar="FILE", help="write every step of every run to a table")
    group.add_argument("-v", "--verbose", action="store_true", help="print every step on standard error")
    add_threads(group)


def add_tuner_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the parameters of all tuners; one that several have is one option."""
    group = parser.add_argument_group("parameters of the methods")
    for name, owners in parameter_owners().items():
        fields = [next(one for one in parameters(tuner_class(owner)) if one.name == name) for owner in owners]
        kind, about = fields[0].metadata["kind"], f"{', '.join(owners)}: {fields[0].metadata['doc']}"
        if isinstance(kind, Flag):
            add = group.add_argument
            defaults = ", ".join(
                f"{one} {'on' if of.default else 'off'}" for one, of in zip(owners, fields, strict=True)
            )
            add(f"--{name}", action="store_true", default=None, help=f"{about} (default: {defaults})")
            add(
                f"--no-{name}",
                action="store_false",
                default=None,
                dest=name,
                help=f"{', '.join(owners)}: do not {name}",
            )
        else:
            known = ", ".join(write(one.default) for one in fields if one.default is not None)
            about += f" (default: {known})" if known else ""
            names, place = SPELLED.get(name, (f"--{name}",)), "N" if isinstance(kind, Whole) else "X"
            place = f"{{{','.join(kind.values)}}}" if isinstance(kind, Choice) else place
            group.add_argument(*names, type=Typed(kind), dest=name, metavar=place, help=about)


def run(options: argparse.Namespace) -> None:
    """Tune, write the weights, print the results."""
    methods = [name.strip() for name in options.method.split(",")]
    check_usage(options, methods)
    with naming_options(
        "fix", "bounds", "report", "baseline", "folds", "repeats", "fold_by", "normalise", *parameter_owners()
    ):
        tuners = make_tuners(methods, given_options(options, parameter_owners()))
        asked = {name: metrics_of(options, name) for name in methods}
        check_output_holds(options, sum(map(len, asked.values())))
        check_targets(options)
        how: dict[str, Any] = {"method": tuners, "metric": asked, "report": report_of(options)}
        with ProgressBar(quiet=options.quiet) as bar, step_log(options.log) as log:
            how |= {"progress": bar.begin, "watch": watcher(bar, log, options.verbose)}
            how |= {"note": None if options.quiet else bar.note}
            bar.stage("reading")
            references = given_references(options)
            found = (with_decoder if options.decoder else over_lists)(options, references, how)
    if options.output:
        found.weights.write(options.output)
    warn(options, {options.nbest[0]: [*found.firsts]} if options.nbest else {}, references, [*chain(*asked.values())])
    emit(found, options.format, width=options.width)
    if options.format == "text" and not options.output:
        if len(found.methods) == 1:
            print(f"\n{found.weights}", end="")
        elif not options.quiet:
            say("use -f json to get the weights of every method and run")


COMMON = ("fix", "bounds", "normalise", "patience", "replicate", "seed", "trials", "runs_as", "threads")


def over_lists(options: argparse.Namespace, references: References, how: dict[str, Any]) -> Tuning:
    """Tune over lists that are there."""
    held_out: Any = options.held_out
    if options.held_out_nbest:
        held_out = (options.held_out_nbest, other_references(options, options.held_out_refs))
    test = [
        (nbest, other_references(options, refs))
        for nbest, refs in zip(options.test_nbest, options.test_refs, strict=True)
    ]
    how |= given_options(options, (*COMMON, "first", "folds", "repeats", "fold_by", "baseline"))
    return tune(options.nbest, references, start=options.start, held_out=held_out, test=test, **how)


def with_decoder(options: argparse.Namespace, references: References, how: dict[str, Any]) -> Tuning:
    """Tune with a decoder in the loop."""
    held_out = None
    if options.held_out_nbest:
        held_out = (options.held_out_nbest, other_references(options, options.held_out_refs))
    folder = options.work or f"{options.output}.rounds"
    how |= given_options(options, (*COMMON, "rounds"))
    return tune_rounds(options.decoder, references, options.start, folder, held_out=held_out, **how)


def other_references(options: argparse.Namespace, refs: list[str]) -> References:
    """Read references of other lists, in the same form."""
    return read_references(refs, num_refs=options.num_refs, missing=options.missing_refs, as_text=options.as_text)


def watcher(bar: ProgressBar, log: Callable[[Any], None], verbose: bool) -> Callable[[Watched], None]:
    """Show and log each step of a tuner."""

    def watch(one: Watched) -> None:
        log(one.record())
        bar.describe(str(one))
        if verbose:
            bar.note(str(one))

    return watch


@contextmanager
def step_log(path: str | None) -> Iterator[Callable[[dict[str, Any]], None]]:
    """A table of steps, one line each, in a file that appears when all is done."""
    if path is None:
        yield lambda record: None
        return
    with writing(path) as file:
        print(*LOG_COLUMNS, sep="\t", file=file)
        yield lambda record: print(separated([record]).partition("\n")[2], file=file)


# What is asked for -----------------------------------------------------------------------------------------


def metrics_of(options: argparse.Namespace, method: str) -> list[Metric]:
    """The metrics to tune for."""
    made = make_metrics(options, options.metrics or [tuner_class(method).default_metric])
    return [one for one in made if one.tells_quality] if "all" in (options.metrics or ()) else made


def report_of(options: argparse.Namespace) -> Metric | None:
    """The metric to report, if one was named."""
    if options.report is None:
        return None
    made = make_metrics(options, [options.report])
    if len(made) > 1:
        raise SpecError(f"--report takes one metric; got {len(made)}")
    return made[0]


def check_usage(options: argparse.Namespace, methods: list[str]) -> None:
    """Reject options that contradict each other, before any work."""
    if not reference_paths(options):
        raise SpecError("no reference file is given; name references with --refs")
    if not options.nbest and not options.decoder:
        raise SpecError("no n-best list is given; name one or more with --nbest, or a --decoder that writes them")
    if options.nbest and options.decoder:
        raise SpecError("--nbest and --decoder exclude each other: the decoder writes the lists")
    check_distinct(options.nbest or (), "--nbest: ")
    if bool(options.held_out_nbest) != bool(options.held_out_refs):
        raise SpecError("--held-out-nbest and --held-out-refs go together")
    if options.held_out is not None and options.held_out_nbest:
        raise SpecError("--held-out and --held-out-nbest exclude each other: a fraction of the lists, or other lists")
    if len(options.test_nbest) != len(options.test_refs):
        raise SpecError(
            f"--test-nbest is given {len(options.test_nbest)} times and --test-refs {len(options.test_refs)} times; "
            "expected the references of each set"
        )
    if options.decoder:
        check_decoder(options, methods)
    for option in ("rounds", "work"):
        if getattr(options, option) is not None and not options.decoder:
            raise SpecError(f"--{option} requires a --decoder")


def check_decoder(options: argparse.Namespace, methods: list[str]) -> None:
    """Reject options that do not go with a decoder."""
    if not options.start:
        raise SpecError("--decoder requires initial weights: name them with --start")
    if not options.output:
        raise SpecError("--decoder requires -o FILE: weights are written there, and every round is kept beside it")
    for option in ("folds", "held_out", "test_nbest", "first"):
        if getattr(options, option):
            hint = "; use --held-out-nbest" if option == "held_out" else ""
            raise SpecError(f"--{option.replace('_', '-')} is for n-best lists, not for a --decoder{hint}")
    if len(methods) > 1:
        raise SpecError(f"--decoder takes one method; got {', '.join(methods)}")
    if options.baseline not in (None, "start"):
        raise SpecError("--baseline: with a --decoder there is no row to compare with but start")


def check_output_holds(options: argparse.Namespace, number: int) -> None:
    """Reject one file of weights for several methods or metrics."""
    if number > 1 and options.output:
        raise SpecError(
            f"-o holds one set of weights, and {number} are tuned; tune one method for one metric, or take them all "
            "from -f json"
        )


def check_targets(options: argparse.Namespace) -> None:
    """Reject files that cannot be written, or that are among those to read."""
    refs = [*reference_paths(options), *(options.held_out_refs or ()), *chain(*options.test_refs)]
    lists = [*(options.nbest or ()), *(options.held_out_nbest or ()), *chain(*options.test_nbest)]
    inputs = [*lists, *refs, *([options.start] if options.start else [])]
    for option in ("output", "log"):
        path = getattr(options, option)
        if path is not None:
            check_kept(f"--{option}", path, *inputs)
            check_target(path)
    if options.log and options.output and os.path.realpath(options.log) == os.path.realpath(options.output):
        raise SpecError(f"--log: {options.log} is where the weights go; name another file")
