"""Tune weights of features over n-best lists, so that a metric becomes good.

    tricolore tune mert --nbest run1.gz run2.gz --refs ref0 ref1 -m bleu --start start.txt -o weights.txt
    tricolore tune xbleu --nbest dev.nbest --refs ref -m 'bleu(smooth=0..7)' --replicate 5 --folds 2
    tricolore tune mert,mira,pro,xbleu --nbest dev.nbest --refs ref --test-nbest test.nbest --test-refs test.ref
    tricolore tune mira --decoder 'CMD {weights} {nbest}' --rounds 15 --refs ref --start start.txt -o weights.txt

METHOD is mert (line searches, any metric of the corpus), mira (batch k-best MIRA), pro (pairwise ranking) or xbleu
(expected score of segments, any metric); several, with commas between, or several metrics are compared in a table.
Lists are as Moses, Marian or cdec write them, 'id ||| text ||| name= v v ||| total', or JSON lines; see docs/tuning.md.
Exit status: 0 done, 1 something is wrong with the data, 2 with the command.
"""

from __future__ import annotations

import os
from itertools import chain

from ..compression import without_suffix
from ..errors import InputError, SpecError, nearest
from ..writers import check_target
from .metric_options import add_metric_arguments, make_metrics
from .nbest_options import check_output, refuse_descriptions
from .number_options import check_numbers
from .progress import ProgressBar
from .results import FORMATS
from .text_options import add_reference_arguments, advice, read_references

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from ..candidates import CandidateReader, Candidates
    from ..features import Layout
    from ..judge.significance.comparison import Settings
    from ..metrics.base import Metric
    from ..segments import References
    from ..tuning.repeated_runs import Follow, Method, Setup
    from ..tuning.task import Step

METHODS = ("mert", "mira", "pro", "xbleu")

#: What each method makes good where nothing is said.
DEFAULT_METRICS = {"mert": "bleu", "mira": "bleu", "pro": "bleu(smooth=2)", "xbleu": "bleu(smooth=4)"}

#: Options that are parameters of tuners: the option, and what it is called in each tuner that has it.
TUNER_OPTIONS: dict[str, dict[str, str]] = {
    "restarts": {"mert": "restarts"},
    "directions": {"mert": "directions"},
    "aggressiveness": {"mira": "C"},
    "decay": {"mira": "decay"},
    "background": {"mira": "background"},
    "no_average": {"mira": "average"},
    "epochs": {"mira": "epochs", "pro": "epochs", "xbleu": "epochs"},
    "samples": {"pro": "samples"},
    "keep": {"pro": "keep"},
    "threshold": {"pro": "threshold"},
    "interpolation": {"pro": "interpolation"},
    "l2": {"pro": "l2"},
    "regularisation": {"xbleu": "regularisation"},
    "rate": {"xbleu": "rate"},
    "weighting": {"xbleu": "weighting"},
    "average": {"xbleu": "average"},
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("method", metavar="METHOD", help="mert, mira, pro or xbleu; several with commas between")
    group = add_reference_arguments(parser)
    add = group.add_argument
    add("--nbest", nargs="+", action="extend", metavar="FILE", help="n-best lists with features; several are merged")
    add("--first", type=int, metavar="K", help="tune on the first K hypotheses of each list (default: all; 100 where "
        "xbleu is the only method)")  # fmt: skip
    add("--start", metavar="FILE", help="weights to begin with (default: all equal)")
    add("-o", "--output", metavar="FILE", help="where to write the weights (default: print them, as text or json)")
    add = parser.add_argument_group("other lists").add_argument
    add("--held-out", type=float, metavar="X", help="hold out a share of the sources; they choose the epoch and stop")
    add("--held-out-nbest", nargs="+", action="extend", metavar="FILE", help="lists that do so, instead of a share")
    add("--held-out-refs", nargs="+", action="extend", metavar="REF", help="their references")
    add("--patience", type=int, default=10, metavar="N", help="epochs without a better one to stop after (default: 10)")
    add("--folds", type=int, default=0, metavar="K", help="cross-validate: tune on K - 1 parts of K, choose from the "
        "other")  # fmt: skip
    add("--test-nbest", nargs="+", action="append", default=[], metavar="FILE", help="lists to try the weights on; "
        "repeat for several sets")  # fmt: skip
    add("--test-refs", nargs="+", action="append", default=[], metavar="REF", help="their references, as often")
    add = add_metric_arguments(parser, "default: bleu; pro: 'bleu(smooth=2)'; xbleu: 'bleu(smooth=4)'").add_argument
    add("--report", metavar="METRIC", help="metric of the corpus that is reported and chooses epochs (default: the "
        "metric tuned for; BLEU without smoothing)")  # fmt: skip
    add = parser.add_argument_group("weights").add_argument
    add("--fix", nargs="+", action="extend", default=[], metavar="NAME[=X]", help="features whose weights stay, or "
        "stay at X")  # fmt: skip
    add("--bounds", nargs="+", action="extend", default=[], metavar="NAME=LOW:HIGH", help="where weights may be, such "
        "as lm=0:1 or tm=0:")  # fmt: skip
    add("--normalise", choices=("l1", "l2", "max", "none"), help="scale the weights that are written (default: l1 for "
        "mert, else none)")  # fmt: skip
    add_tuner_arguments(parser)
    add = parser.add_argument_group("a decoder in the loop").add_argument
    add("--decoder", metavar="CMD", help="command that reads {weights} and writes {nbest}; lists of all rounds are "
        "merged")  # fmt: skip
    add("--rounds", type=int, metavar="N", help="decode and tune at most so often, and then decode once more, to "
        "see what the last weights are worth (default: 15)")  # fmt: skip
    add("--work", metavar="FOLDER", help="where every round is kept, to go on from (default: OUTPUT.rounds)")
    add = parser.add_argument_group("replications").add_argument
    add("--replicate", type=int, default=1, metavar="N", help="run with N seeds, --seed and those after it")
    add("--seed", type=int, default=12345, metavar="N", help="of all random draws (default: 12345)")
    add("--baseline", metavar="NAME", help="what the p-values are against: a row of the table (default: the first of "
        "several metrics, or start)")  # fmt: skip
    add("--trials", type=int, default=10_000, metavar="N", help="shuffles of the test (default: 10000)")
    add = parser.add_argument_group("results").add_argument
    add("-f", "--format", choices=FORMATS, default="text", help="how to print (default: text); json has all weights")
    add("-w", "--width", type=int, metavar="N", help="digits after the point (default: 2)")
    add("--log", metavar="FILE", help="write every step of every run as a line: objective, score, held-out score")
    add("-v", "--verbose", action="store_true", help="print every step on standard error")
    add("-q", "--quiet", action="store_true", help="no progress and no advice on standard error")
    add("--force", action="store_true", help="no advice about text that looks unsuitable")
    add(
        "-j", "--threads", type=int, metavar="N", help="threads (default and 0: all cores); results do not depend on it"
    )


def add_tuner_arguments(parser: argparse.ArgumentParser) -> None:
    """Parameters of the tuners; which of them have one is said by TUNER_OPTIONS."""
    add = parser.add_argument_group("how to tune").add_argument
    add("--restarts", type=int, metavar="N", help="mert: random starts beside the given one (default: 20, and more "
        "below 100 sources, up to 400)")  # fmt: skip
    add("--directions", type=int, metavar="N", help="mert: random directions a pass, beside each feature's own "
        "(default: 10)")  # fmt: skip
    add("-C", "--aggressiveness", type=float, metavar="X", help="mira: largest step, C (default: 0.01)")
    add("--decay", type=float, metavar="X", help="mira: of the background (default: 0.999)")
    add("--background", choices=("hope", "model"), help="mira: what joins the background (default: hope)")
    add("--no-average", action="store_false", default=None, help="mira: the last weights of an epoch, not the mean")
    add("--epochs", type=int, metavar="N", help="mira, pro, xbleu: times to go through the sources (default: "
        "60, 30, 50)")  # fmt: skip
    add("--samples", type=int, metavar="N", help="pro: pairs drawn for each source (default: 5000)")
    add("--keep", type=int, metavar="N", help="pro: pairs kept of them (default: 50)")
    add("--threshold", type=float, metavar="X", help="pro: smallest difference of a pair (default: 0.05)")
    add("--interpolation", type=float, metavar="X", help="pro: share of new weights (default: 0.1)")
    add("--l2", type=float, metavar="X", help="pro: regularisation of the classifier (default: 0.5)")
    add("--lambda", dest="regularisation", type=float, metavar="X", help="xbleu: regularisation (default: 10)")
    add("--rate", type=float, metavar="X", help="xbleu: first step size (default: 30)")
    add("--average", action="store_true", default=None, help="xbleu: take the mean of the weights over an epoch")
    add("--weighting", choices=("length", "equal"), help="xbleu: what sentences count (default: length)")


def run(options: argparse.Namespace) -> None:
    """Read, tune, print, write."""
    methods = methods_of(options)
    check_usage(options, methods)
    asked = {name: metrics_of(options, name) for name in methods}
    check_rows(options, asked)
    check_targets(options)
    with ProgressBar(quiet=options.quiet) as bar:
        bar.stage("reading")
        references, name = read_references(options)
        if options.decoder:
            from .tune_rounds import tune_with_decoder

            say_advice(options, {}, references, [], bar)
            show = tune_with_decoder(options, asked, references, name, bar)
        else:
            show = tune_lists(options, asked, references, name, bar)
    show()


def check_targets(options: argparse.Namespace) -> None:
    """Refuse files that cannot be written, or that are among those to read."""
    refs = [*options.refs, *options.more_refs, *(options.held_out_refs or ()), *chain(*options.test_refs)]
    lists = [*(options.nbest or ()), *(options.held_out_nbest or ()), *chain(*options.test_nbest)]
    inputs = [*lists, *refs, *([options.start] if options.start else [])]
    for option in ("output", "log"):
        path = getattr(options, option)
        if path is not None:
            check_output(path, inputs, f"--{option}")
            check_target(path)
    if options.log and options.output and os.path.realpath(options.log) == os.path.realpath(options.output):
        raise SpecError(f"--log: {options.log} is where the weights go; name another file")


# What is asked for -----------------------------------------------------------------------------------------


def methods_of(options: argparse.Namespace) -> list[str]:
    """The methods, each once."""
    names = [name.strip() for name in options.method.split(",")]
    for name in names:
        if name not in METHODS:
            raise SpecError(f"no method {name!r}{nearest(name, METHODS)} ({', '.join(METHODS)})")
        if names.count(name) > 1:
            raise SpecError(f"method {name} is given twice")
    return names


def check_usage(options: argparse.Namespace, methods: Sequence[str]) -> None:
    """Refuse what cannot be meant, before any work."""
    if not [*options.refs, *options.more_refs]:
        raise SpecError("no reference file is given; name references with --refs")
    if not options.nbest and not options.decoder:
        raise SpecError("no n-best list is given; name one or more with --nbest, or a --decoder that writes them")
    if options.nbest and options.decoder:
        raise SpecError("--nbest and --decoder exclude each other: the decoder writes the lists")
    if options.normalise not in (None, "none") and (options.fix or options.bounds):
        raise SpecError("--normalise scales all weights, so that none of them stays where --fix or --bounds wants it")
    for path in options.nbest or ():
        if options.nbest.count(path) > 1:
            raise SpecError(f"--nbest: {path} is given twice")
    for option, least in (("first", 1), ("patience", 1), ("replicate", 1), ("trials", 1), ("seed", 0), ("rounds", 1)):
        value = getattr(options, option)
        if value is not None and value < least:
            raise SpecError(f"--{option} must be {least} or more; got {value}")
    check_numbers(options)
    check_sets(options)
    check_decoder(options, methods)
    for option, known in TUNER_OPTIONS.items():
        if getattr(options, option) is not None and not any(name in known for name in methods):
            shown = {"regularisation": "lambda"}.get(option, option.replace("_", "-"))
            raise SpecError(f"--{shown} is a parameter of {', '.join(known)}, not of {', '.join(methods)}")


def check_sets(options: argparse.Namespace) -> None:
    """Refuse lists without references and references without lists."""
    if bool(options.held_out_nbest) != bool(options.held_out_refs):
        raise SpecError("--held-out-nbest and --held-out-refs go together")
    if options.held_out is not None and options.held_out_nbest:
        raise SpecError("--held-out and --held-out-nbest exclude each other: a share of the lists, or other lists")
    if options.held_out is not None and not 0 < options.held_out < 1:
        raise SpecError(f"--held-out must be a share between 0 and 1; got {options.held_out:g}")
    if len(options.test_nbest) != len(options.test_refs):
        raise SpecError(
            f"--test-nbest is given {len(options.test_nbest)} times and --test-refs {len(options.test_refs)} times; "
            "expected the references of each set"
        )
    if options.folds < 0 or options.folds == 1:
        raise SpecError(f"--folds must be 2 or more; got {options.folds}")


def check_decoder(options: argparse.Namespace, methods: Sequence[str]) -> None:
    """Refuse what makes no sense with a decoder, or without one."""
    if not options.decoder:
        for option in ("rounds", "work"):
            if getattr(options, option) is not None:
                raise SpecError(f"--{option} is for a --decoder, which is not given")
        return
    if not options.start:
        raise SpecError("--decoder needs weights to begin with: name them with --start")
    if not options.output:
        raise SpecError("--decoder needs -o FILE: weights are written there, and every round is kept beside it")
    for option in ("folds", "held_out", "test_nbest", "first"):
        if getattr(options, option):
            hint = "; use --held-out-nbest" if option == "held_out" else ""
            raise SpecError(f"--{option.replace('_', '-')} is for lists that are there, not for a --decoder{hint}")
    if len(methods) > 1:
        raise SpecError(f"--decoder takes one method; got {', '.join(methods)}")


def metrics_of(options: argparse.Namespace, method: str) -> list[Metric]:
    """The metrics to tune for."""
    asked = options.metrics
    options.metrics = asked or [DEFAULT_METRICS[method]]
    try:
        made = make_metrics(options)
    finally:
        options.metrics = asked
    if asked and "all" in asked:  # all that tell quality
        made = [one for one in made if one.tells_quality]
    refuse_descriptions(made, "tune for another metric")
    return made


def check_rows(options: argparse.Namespace, asked: dict[str, list[Metric]]) -> None:
    """Refuse to write one file of weights for several methods or metrics."""
    number = sum(map(len, asked.values()))
    if number > 1 and options.output:
        raise SpecError(
            f"-o holds one set of weights, and {number} are tuned; tune one method for one metric, or take them all "
            "from -f json"
        )
    if number > 1 and options.decoder:
        raise SpecError("--decoder takes one metric to tune for")


def report_metric(options: argparse.Namespace, asked: dict[str, list[Metric]]) -> Metric:
    """What is reported: as asked for; or the metric tuned for, if that is one, but BLEU without smoothing."""
    from .. import spec
    from ..metrics import metric

    if options.report is not None:
        given = options.metrics
        options.metrics = [options.report]
        try:
            made = make_metrics(options)
        finally:
            options.metrics = given
        if len(made) > 1:
            raise SpecError(f"--report takes one metric; got {len(made)}")
        return made[0]
    found = []
    for one in (one for metrics in asked.values() for one in metrics):
        name, given = spec.parse(one.spec)
        if name == "bleu":
            kept = {key: given[key] for key in given if key in ("order", "ref_len", "weights", *TEXT_PARAMETERS)}
            found.append(metric(spec.compose(name, {**kept, "smooth": "none"})))
        else:
            found.append(one)
    if len(set(found)) > 1:
        raise SpecError(
            f"metrics of several kinds are tuned for ({', '.join(one.spec for one in dict.fromkeys(found))}); "
            "say with --report which is to be reported"
        )
    return found[0]


TEXT_PARAMETERS = ("tokenize", "lowercase", "strip_punctuation")


def make_methods(options: argparse.Namespace, asked: dict[str, list[Metric]]) -> list[Method]:
    """The tuners with their parameters, one for each metric."""
    from ..tuning.repeated_runs import Method

    methods = []
    for name, metrics in asked.items():
        tuner = make_tuner(options, name)
        labels = differences(metrics)
        for one in metrics:
            # Line searches and MIRA score sums of rows; the others score single segments.
            metric = one if name in ("mert", "mira") else one.for_segments
            methods.append(Method(name if len(metrics) == 1 else f"{name} {labels[one]}", tuner, metric))
    return methods


def differences(metrics: Sequence[Metric]) -> dict[Metric, str]:
    """The metrics as spec texts, without the parameters that all of them have alike."""
    from .. import spec

    parsed = [spec.parse(one.spec) for one in metrics]
    alike = [item for item in parsed[0][1].items() if all(item in given.items() for _, given in parsed)]
    return {
        one: spec.compose(name, {key: value for key, value in given.items() if (key, value) not in alike})
        for one, (name, given) in zip(metrics, parsed, strict=True)
    }


def make_tuner(options: argparse.Namespace, name: str) -> Any:
    """A tuner with the parameters that were given."""
    from ..tuning import tuner

    given = {known[name]: getattr(options, option) for option, known in TUNER_OPTIONS.items() if name in known}
    return tuner(name, **{key: value for key, value in given.items() if value is not None})


# Fixed lists -----------------------------------------------------------------------------------------------


def tune_lists(
    options: argparse.Namespace, asked: dict[str, list[Metric]], references: References, name: str, bar: ProgressBar
) -> Callable[[], None]:
    """Tune over lists that are there; return what shows the results."""
    from ..tuning.repeated_runs import replicate
    from .tune_results import Log, about_lists, print_replications, write_weights

    report = report_metric(options, asked)
    methods = make_methods(options, asked)
    setup = read_setup(options, asked, report, references, name, bar)
    baseline = baseline_of(options, asked, methods)
    for method in methods:  # all that can be wrong is told before the first hour of work
        setup.task(setup.candidates, method, options.seed).check()
    seeds = [options.seed + i for i in range(options.replicate)]
    with Log(options.log) as log:
        found = replicate(
            setup,
            methods,
            seeds,
            baseline=baseline,
            how=settings_of(options),
            follow=follower(options, bar, log, report, len(seeds)),
        )
    norm = norm_of(options, methods)
    if options.output:
        write_weights(found, methods[0].name, norm, options.output)
    return lambda: print_replications(found, methods, about_lists(setup), norm, options)


def norm_of(options: argparse.Namespace, methods: Sequence[Method]) -> str:
    """How weights are scaled: as asked for, or MERT's, whose scale means nothing, if none of them must stay."""
    if options.normalise is not None:
        return str(options.normalise)
    stays = options.fix or options.bounds
    return "l1" if [method.tuner.name for method in methods] == ["mert"] and not stays else "none"


def read_setup(
    options: argparse.Namespace,
    asked: dict[str, list[Metric]],
    report: Metric,
    references: References,
    name: str,
    bar: ProgressBar,
) -> Setup:
    """Read all lists and weights."""
    from ..candidates import CandidateReader
    from ..tuning.bounds import make_bounds
    from ..tuning.repeated_runs import TUNE, Setup
    from ..weights import check_names

    reader = CandidateReader()
    if options.first is None and [*asked] == ["xbleu"]:
        options.first = 100  # K of the paper
    candidates = reader.read(options.nbest, references, name, first=options.first, progress=bar.begin("reading lists"))
    tuned = reader.layout.size
    firsts = {options.nbest[0]: [candidates.text(i) for i in candidates.starts[:-1]]}
    say_advice(options, firsts, references, [one for metrics in asked.values() for one in metrics], bar)
    held_out = None
    if options.held_out_nbest:
        held_out = read_other(reader, options, options.held_out_nbest, options.held_out_refs)
    tests: dict[str, Candidates] = {}
    for nbest, refs in zip(options.test_nbest, options.test_refs, strict=True):
        taken = [TUNE, f"{options.folds}-fold", *tests]
        tests[name_of_set(nbest[0], taken)] = read_other(reader, options, nbest, refs)
    layout = reader.layout
    check_names(layout)
    start = start_weights(options, layout, tuned, bar)
    space, start = make_bounds(layout, start, options.fix, options.bounds)
    bar.stage("counting")
    for metric in (report, *(one for metrics in asked.values() for one in metrics)):
        candidates.rows(metric, threads=options.threads, progress=bar.begin("counting"))
    for other in (*([held_out] if held_out else []), *tests.values()):
        other.rows(report, threads=options.threads, progress=bar.begin("counting"))
    share = options.held_out or 0.0
    return Setup(
        candidates,
        layout,
        start,
        space,
        report,
        tests,
        options.folds,
        held_out,
        share,
        options.patience,
        options.threads,
    )


def say_advice(
    options: argparse.Namespace,
    systems: dict[str, list[str]],
    references: References,
    metrics: Sequence[Metric],
    bar: ProgressBar,
) -> None:
    """Warn of text that does not suit the metrics."""
    for line in advice(systems, references, metrics) if not (options.quiet or options.force) else ():
        bar.note(line)


def read_other(
    reader: CandidateReader, options: argparse.Namespace, nbest: Sequence[str], refs: Sequence[str]
) -> Candidates:
    """Read lists with references of their own."""
    references, name = other_references(options, refs)
    known = reader.layout
    candidates = reader.read(nbest, references, name)
    if candidates.features.columns.size and candidates.features.columns.min() >= known.size:
        there = ", ".join([*known.by_name][:5])
        raise InputError(f"{nbest[0]}: no feature is one of the lists to tune on ({there}); expected the same features")
    return candidates


def other_references(options: argparse.Namespace, refs: Sequence[str]) -> tuple[References, str]:
    """Read references of other lists, in the same form."""
    import argparse

    return read_references(
        argparse.Namespace(
            refs=refs,
            more_refs=[],
            num_refs=options.num_refs,
            missing_refs=options.missing_refs,
            as_text=options.as_text,
        )
    )


def name_of_set(path: str, taken: Sequence[str]) -> str:
    """What a set is called in the table."""
    name = without_suffix(os.path.basename(path)).removesuffix(".txt")
    names = (name, path, *(f"{name} ({number})" for number in range(2, len(taken) + 4)))
    return next(one for one in names if one not in taken)


def start_weights(options: argparse.Namespace, layout: Layout, tuned: int, bar: ProgressBar) -> NDArray[np.float64]:
    """The weights to begin with; the first columns, so many, are of features that the lists tuned on have."""
    import numpy as np

    from ..weights import read_weights

    if options.start is None:
        # Of a feature that only other lists have nothing can be learnt, and they must not change what is.
        return np.where(np.arange(layout.size) < tuned, 1 / max(tuned, 1), 0.0)
    weights = read_weights(options.start)
    vector, missing = weights.vector(layout)
    notes = [weights.warning(missing)] if missing else []
    if unused := [name for name in weights.values if name not in layout.by_name]:
        notes.append(weights.unused_warning(unused))
    for note in notes if not options.quiet else ():
        bar.note(f"{note}")
    return vector


def baseline_of(options: argparse.Namespace, asked: dict[str, list[Metric]], methods: Sequence[Method]) -> str:
    """What p-values are against: as asked for, or the first of several metrics, or the start."""
    from ..tuning.repeated_runs import START

    names = [START, *(method.name for method in methods)]
    if options.baseline is None:
        return methods[0].name if len(asked) == 1 and len(methods) > 1 else START
    if options.baseline not in names:
        raise SpecError(
            f"--baseline: there is no row {options.baseline!r}{nearest(options.baseline, names)} ({', '.join(names)})"
        )
    return str(options.baseline)


def settings_of(options: argparse.Namespace) -> Settings:
    """How methods are compared."""
    from ..judge.significance.comparison import Settings

    return Settings(trials=options.trials, seed=options.seed)


def follower(options: argparse.Namespace, bar: ProgressBar, log: Any, report: Metric, runs: int) -> Follow:
    """Show where a tuner is."""

    def follow(method: Method, number: int, fold: int | None, step: Step) -> None:
        log.write(method.name, number, fold, step)
        where = method.name
        where += f", run {number + 1} of {runs}" if runs > 1 else ""
        where += f", fold {fold + 1}" if fold is not None else ""
        line = f"{where}: {told(step, report)}"
        bar.describe(line)
        if options.verbose:
            bar.note(f"{line}")

    return follow


def told(step: Step, report: Metric) -> str:
    """A step in words."""
    sign = 1 if report.higher_is_better else -1
    digits = report.display_digits + 1
    of = f"/{step.of}" if step.of else ""
    parts = [f"step {step.number}{of}"]
    if step.objective == step.objective:
        parts.append(f"objective {step.objective:.6g}")
    parts.append(f"{report.title} {sign * step.score * report.display_scale:.{digits}f}")
    if step.held_out is not None:
        parts.append(f"held out {sign * step.held_out * report.display_scale:.{digits}f}")
    return " ".join(parts)
