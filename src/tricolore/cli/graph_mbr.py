"""`tricolore mbr --lattice`: minimum Bayes risk over lattices and forests, by a gain that is linear in n-grams."""

from __future__ import annotations

import math

from ..errors import InputError, SpecError
from .graph_options import check_graphs, paired, read
from .metric_options import make_metrics
from .nbest_options import is_watched, opened, refuse_descriptions, say_score
from .number_options import check_numbers
from .printing import say
from .progress import ProgressBar
from .text_options import read_references

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence
    from typing import Any

    from ..graphs.graph import Graph
    from ..graphs.mbr import Choice, LinearGain, Tried
    from ..metrics.base import Metric
    from ..segments import References

#: What is only for lattices, as argparse has it.
OPTIONS = ("precision", "ratio", "estimate", "order", "least")


def add_lattice_arguments(parser: argparse.ArgumentParser) -> None:
    """What the linear gain takes."""
    add = parser.add_argument_group("lattices and forests, with a gain linear in n-grams").add_argument
    add("--precision", type=float, metavar="P", help="expected precision of words (default: 0.85)")
    add("--ratio", type=float, metavar="R", help="of the precisions of one order and the one before (default: 0.72)")
    add("--estimate", action="store_true", help="take precision and ratio from the best paths, by the references")
    add("--order", type=int, metavar="N", help="longest n-grams of the gain (default: 4)")
    add(
        "--least",
        type=float,
        metavar="P",
        help="leave n-grams out of the search that are less probable: for large forests, an approximation (default: 0)",
    )


def run(options: argparse.Namespace) -> None:
    """Read, choose, write."""
    metrics = make_metrics(options)
    check_usage(options, metrics)
    references, name = read_references(options) if options.more_refs else (None, "")
    with opened(options.output) as file, ProgressBar(quiet=options.quiet or is_watched(options)) as bar:
        graphs: Iterable[Graph] = read(options, bar)
        if references is not None:
            graphs = [graph for graph, _ in paired(graphs, references, name)]
        gain = make_gain(options, graphs, references)
        scale = find_scale(options, metrics[0], graphs, references, gain, bar)
        choices = choose(options, graphs, gain, scale, file, bar)
    if options.quiet:
        return
    items = items_of(options, gain, scale)
    if references is None:
        say_gain(options, choices, items)
    else:
        say_results(options, metrics, graphs, references, [choice.text for choice in choices], items)


def items_of(options: argparse.Namespace, gain: LinearGain, scale: float) -> dict[str, Any]:
    """What a signature must say of the choice."""
    items: dict[str, Any] = {"mbr": "linear", "p": gain.precision, "r": gain.ratio, "n": gain.order, "scale": scale}
    return {**items, "least": options.least} if options.least else items


def check_usage(options: argparse.Namespace, metrics: list[Metric]) -> None:
    """Refuse what cannot be meant, before any work."""
    refuse_descriptions(metrics, "measure by another metric")
    check_numbers(options)
    needs = [flag for flag in ("estimate", "scales", "metrics") if getattr(options, flag)]
    if needs and not options.more_refs:
        raise SpecError(f"--{needs[0]} needs references; name some with --refs")
    if options.estimate and (options.precision is not None or options.ratio is not None):
        raise SpecError("--estimate takes precision and ratio from the references; --precision and --ratio say them")
    check_scales(options)
    if options.least is not None and not 0.0 <= options.least <= 1.0:
        raise SpecError(f"--least must be a probability, 0 to 1; got {options.least}")
    check_graphs(options, options.more_refs)


def check_scales(options: argparse.Namespace) -> None:
    """Refuse scales that cannot be."""
    if options.scales and options.scale is not None:
        raise SpecError("--scales and --scale exclude each other")
    for option, scales in (("--scale", [options.scale]), ("--scales", options.scales or [])):
        for scale in scales:
            if scale is not None and not (math.isfinite(scale) and scale >= 0):
                raise SpecError(f"{option} must be a number, 0 or more; got {scale}")


def make_gain(options: argparse.Namespace, graphs: Iterable[Graph], references: References | None) -> LinearGain:
    """The gain that was asked for, or that the best paths suggest."""
    from ..graphs.mbr import PRECISION, RATIO, LinearGain

    order = 4 if options.order is None else options.order
    if options.estimate and references is not None:
        import numpy as np

        from ..metrics.bleu import BLEU

        LinearGain(order=order)  # refuses an order that cannot be
        texts = [graph.best().text for graph in graphs]
        row = np.asarray(BLEU(order=order, tokenize="none", smooth=0).stats(texts, references)).sum(axis=0).tolist()
        return LinearGain.estimated(row[:order], row[order : 2 * order], order)
    precision = PRECISION if options.precision is None else options.precision
    return LinearGain(precision, RATIO if options.ratio is None else options.ratio, order)


def find_scale(
    options: argparse.Namespace,
    asked: Metric,
    graphs: Iterable[Graph],
    references: References | None,
    gain: LinearGain,
    bar: ProgressBar,
) -> float:
    """The scale that was asked for, or the best of those to try."""
    if not options.scales or references is None:
        return 1.0 if options.scale is None else float(options.scale)
    from ..graphs.mbr import search_scale

    step, least = bar.begin("trying scales"), options.least or 0.0
    best, tried = search_scale([*graphs], references, asked, options.scales, gain, least=least, progress=step)
    if not options.quiet:
        say_scales(options, asked, references, [(one, items_of(options, gain, one.scale)) for one in tried], bar)
    return best.scale


def say_scales(
    options: argparse.Namespace,
    asked: Metric,
    references: References,
    tried: Sequence[tuple[Tried, dict[str, Any]]],
    bar: ProgressBar,
) -> None:
    """What the corpus scores with every scale, with all that this depends on."""
    from ..graphs.mbr import best_of
    from ..judge.significance.intervals import with_items

    best = best_of([one for one, _ in tried], asked)
    digits = asked.display_digits + 1 if options.width is None else options.width
    for one, items in tried:
        mark = "  (best)" if one is best else ""
        signature = with_items(asked.signature(references.counts()), items)
        score = one.score * asked.display_scale
        bar.note(f"scale {one.scale:g}: {signature} = {score:.{digits}f}{mark}")


def choose(
    options: argparse.Namespace, graphs: Iterable[Graph], gain: LinearGain, scale: float, file: Any, bar: ProgressBar
) -> list[Choice]:
    """Write the choice of every graph."""
    from ..graphs.mbr import choose as choose_path

    step = bar.begin("choosing")
    size = len(graphs) if isinstance(graphs, list) else 0
    choices = []
    for number, graph in enumerate(graphs, 1):
        choice = choose_path(graph, gain, scale=scale, least=options.least or 0.0)
        before = f"{choice.gain:.{digits_of(options)}f}\t" if options.scores else ""
        print(f"{before}{choice.text}", file=file)
        choices.append(choice)
        if size:
            step(number, size)
    if not choices:
        raise InputError(f"{', '.join(options.lattice)}: there is no lattice in it")
    return choices


def digits_of(options: argparse.Namespace) -> int:
    """Digits of gains, which are small."""
    return 6 if options.width is None else options.width


def say_gain(options: argparse.Namespace, choices: list[Choice], items: dict[str, Any]) -> None:
    """How it was done, and the gain that is expected."""
    from .._version import __version__

    how = "|".join(f"{name}:{value}" for name, value in {**items, "version": f"tricolore-{__version__}"}.items())
    mean = math.fsum(choice.gain for choice in choices) / len(choices)
    graphs = f"{len(choices):,} lattice{'s' * (len(choices) != 1)}"
    say(f"{how} = {mean:.{digits_of(options)}f} (expected gain, mean of {graphs})")


def say_results(
    options: argparse.Namespace,
    metrics: Sequence[Metric],
    graphs: Iterable[Graph],
    references: References,
    texts: list[str],
    items: dict[str, Any],
) -> None:
    """How good the choice is beside the best paths."""
    firsts = [graph.best().text for graph in graphs]
    for asked in metrics:
        for what, chosen, how in (("mbr", texts, items), ("best path", firsts, {"chosen": "best-path"})):
            say_score(what, asked(chosen, references, threads=options.threads), how, options.width)
