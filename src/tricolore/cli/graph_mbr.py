"""`tricolore mbr --lattice`: minimum Bayes risk over lattices and forests, by a gain that is linear in n-grams."""

from __future__ import annotations

import math
import sys

from ..errors import InputError, SpecError
from .graph_options import check_graphs, paired, read
from .metric_options import make_metrics
from .nbest_options import check_output, is_watched, opened, refuse_descriptions, say_score
from .number_options import check_numbers
from .progress import ProgressBar
from .text_options import read_references

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence
    from typing import Any

    from ..graphs.graph import Graph
    from ..graphs.mbr import LinearGain
    from ..segments import References
    from .metric_options import Asked

#: What is only for lattices, as argparse has it.
OPTIONS = ("precision", "ratio", "estimate", "order", "scales")


def add_lattice_arguments(parser: argparse.ArgumentParser) -> None:
    """What the linear gain takes."""
    add = parser.add_argument_group("lattices and forests, with a gain linear in n-grams").add_argument
    add("--precision", type=float, metavar="P", help="expected precision of words (default: 0.85)")
    add("--ratio", type=float, metavar="R", help="of the precisions of one order and the one before (default: 0.72)")
    add("--estimate", action="store_true", help="take precision and ratio from the best paths, by the references")
    add("--order", type=int, metavar="N", help="longest n-grams of the gain (default: 4)")
    add("--scales", nargs="+", type=float, metavar="S", help="try these scales and take the best by the references")


def run(options: argparse.Namespace) -> None:
    """Read, choose, write."""
    metrics = make_metrics(options)
    check_usage(options, metrics)
    references, name = read_references(options) if options.more_refs else (None, "")
    say = not options.quiet
    with opened(options.output) as file, ProgressBar(quiet=options.quiet or is_watched(options)) as bar:
        graphs: Iterable[Graph] = read(options, bar)
        if references is not None:
            graphs = [graph for graph, _ in paired(graphs, references, name)]
        gain = make_gain(options, graphs, references)
        scale = find_scale(options, metrics[0], graphs, references, gain, bar)
        texts, mean = choose(options, graphs, gain, scale, file, bar)
    if options.scores and say:
        say_gain(options, mean, len(texts), items_of(gain, scale))
    if references is not None and say:
        say_results(options, metrics, graphs, references, texts, items_of(gain, scale))


def items_of(gain: LinearGain, scale: float) -> dict[str, Any]:
    """What a signature must say of the choice."""
    return {"mbr": "linear", "p": gain.precision, "r": gain.ratio, "n": gain.order, "scale": scale}


def check_usage(options: argparse.Namespace, metrics: list[Asked]) -> None:
    """Refuse what cannot be meant, before any work."""
    refuse_descriptions(metrics, "measure by another metric")
    check_numbers(options)
    needs = [flag for flag in ("estimate", "scales", "metrics") if getattr(options, flag)]
    if needs and not options.more_refs:
        raise SpecError(f"--{needs[0]} needs references; name some with --refs")
    if options.estimate and (options.precision is not None or options.ratio is not None):
        raise SpecError("--estimate takes precision and ratio from the references; --precision and --ratio say them")
    if options.scales and options.scale is not None:
        raise SpecError("--scales and --scale exclude each other")
    for scale in [*(options.scales or []), *([options.scale] if options.scale is not None else [])]:
        if not math.isfinite(scale) or scale < 0:
            raise SpecError(f"a scale must be a number, 0 or more; got {scale}")
    check_graphs(options, options.more_refs)
    check_output(options.output, [*options.lattice, *options.more_refs])


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
    asked: Asked,
    graphs: Iterable[Graph],
    references: References | None,
    gain: LinearGain,
    bar: ProgressBar,
) -> float:
    """The scale that was asked for, or the best of those to try."""
    if not options.scales or references is None:
        return 1.0 if options.scale is None else float(options.scale)
    from ..graphs.mbr import search_scale
    from ..judge.significance import with_items

    best, tried = search_scale([*graphs], references, asked.corpus, options.scales, gain, bar.begin("trying scales"))
    if not options.quiet:
        digits = asked.corpus.display_digits + 1 if options.width is None else options.width
        for one in tried:
            mark = "  (best)" if one is best else ""
            score = one.score * asked.corpus.display_scale
            signature = with_items(asked.corpus.signature(references.counts()), items_of(gain, one.scale))
            bar.note(f"tricolore: scale {one.scale:g}: {signature} = {score:.{digits}f}{mark}")
    return best.scale


def choose(
    options: argparse.Namespace, graphs: Iterable[Graph], gain: LinearGain, scale: float, file: Any, bar: ProgressBar
) -> tuple[list[str], float]:
    """Write the choice of every graph; give them all, and the mean of their expected gains."""
    from ..graphs.mbr import choose as choose_path

    step = bar.begin("choosing")
    size = len(graphs) if isinstance(graphs, list) else 0
    texts = []
    total = 0.0
    for number, graph in enumerate(graphs, 1):
        choice = choose_path(graph, gain, scale=scale)
        before = f"{choice.gain:.{digits_of(options)}f}\t" if options.scores else ""
        print(f"{before}{choice.text}", file=file)
        texts.append(choice.text)
        total += choice.gain
        if size:
            step(number, size)
    if not texts:
        raise InputError(f"{', '.join(options.lattice)}: there is no lattice in it")
    return texts, total / len(texts)


def digits_of(options: argparse.Namespace) -> int:
    """Digits after the point of an expected gain."""
    return 6 if options.width is None else int(options.width)


def say_gain(options: argparse.Namespace, mean: float, count: int, items: dict[str, Any]) -> None:
    """What the expected gains that were written depend on."""
    from .._version import __version__

    shown = "|".join(f"{key}:{value}" for key, value in {**items, "version": f"tricolore-{__version__}"}.items())
    print(
        f"tricolore: mbr: gain|{shown} = {mean:.{digits_of(options)}f} "
        f"(expected, mean of {count} source{'s' * (count != 1)})",
        file=sys.stderr,
    )


def say_results(
    options: argparse.Namespace,
    metrics: Sequence[Asked],
    graphs: Iterable[Graph],
    references: References,
    texts: list[str],
    items: dict[str, Any],
) -> None:
    """How good the choice is beside the best paths."""
    firsts = [graph.best().text for graph in graphs]
    for asked in metrics:
        for what, chosen, how in (("mbr", texts, items), ("best path", firsts, {"chosen": "best-path"})):
            say_score(what, asked.corpus(chosen, references, threads=options.threads), how, options.width)
