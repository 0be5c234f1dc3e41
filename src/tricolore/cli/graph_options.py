"""Lattices and forests in: what the commands over them have in common."""

from __future__ import annotations

from ..errors import SpecError
from ..parameters import Choice
from .nbest_options import check_output
from .options import add_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from ..graphs import Forest, Lattice
    from ..weights import Weights
    from .progress import ProgressBar

FORMATS = ("plf", "openfst", "htk", "wordgraph", "confusion", "cdec", "moses")
SCALES = ("log", "prob", "cost")
LABELS = ("acceptor", "input", "output")
EMPTY = ("accept", "refuse")

#: What only makes sense where there are lattices.
OPTIONS = ("lattice_format", "scores_are", "symbols", "labels", "epsilon", "empty")


def add_lattice_argument(group: argparse._ArgumentGroup) -> None:
    """The files, where a command takes others, too."""
    group.add_argument(
        "--lattice",
        nargs="+",
        action="extend",
        default=[],
        metavar="FILE",
        help="lattices or forests, one for each source, in one file or several ('-': standard input; plain or "
        "compressed)",
    )


def add_graph_arguments(parser: argparse.ArgumentParser, *, weights: bool = True) -> None:
    """How files of lattices and forests are to be read."""
    group = parser.add_argument_group("lattices")
    names = ("--from", "--lattice-format")
    about = f"format of lattices or forests: {', '.join(FORMATS)} (default: recognised by their first lines)"
    add_option(group, *names, dest="lattice_format", kind=Choice(FORMATS), metavar="FORMAT", about=about)
    about = "how scores are written: log, prob (probabilities) or cost (negative logarithms; default: the format's own)"
    add_option(group, "--scores-are", kind=Choice(SCALES), metavar="KIND", about=about)
    if weights:
        group.add_argument("--weights", metavar="FILE", help="feature weights, 'name= value' per line")
    about = "symbol table of openfst labels that are numbers; 'words': they are words"
    group.add_argument("--symbols", metavar="FILE", help=about)
    about = (
        "which openfst labels are the text: acceptor (one label per arc), input, or output (default: as the file "
        "shows, output for transducers)"
    )
    add_option(group, "--labels", kind=Choice(LABELS), metavar="KIND", about=about)
    about = "words treated as epsilon (the empty label), such as <s> and </s>"
    group.add_argument("--epsilon", nargs="+", action="extend", metavar="WORD", help=about)
    about = "empty lattices, such as empty lines in PLF: accept (the empty text) or refuse (default: accept)"
    add_option(group, "--empty", kind=Choice(EMPTY), metavar="RULE", about=about)


def check_graphs(options: argparse.Namespace, references: Sequence[str] = ()) -> None:
    """Reject invalid options before any work."""
    if not options.lattice:
        raise SpecError("no lattice is given; name one or more files of them")
    if inputs_of(options, references).count("-") > 1:
        raise SpecError("standard input can be read only once")
    for paths, what in ((options.lattice, "a lattice"), (references, "a reference")):
        for path in paths:
            if paths.count(path) > 1:
                raise SpecError(f"{path} is given twice as {what}")
    check_output(options.output, inputs_of(options, references))


def inputs_of(options: argparse.Namespace, references: Sequence[str] = ()) -> list[str]:
    """All files to read."""
    symbols = None if options.symbols == "words" else options.symbols
    return [*options.lattice, *filter(None, (options.weights, symbols)), *references]


def refuse_graph_options(options: argparse.Namespace, *others: str) -> None:
    """Refuse what is about lattices where there are none; `others` are options of the command that are, too."""
    for name in (*OPTIONS, *others):
        if getattr(options, name):
            shown = "from" if name == "lattice_format" else name.replace("_", "-")
            raise SpecError(f"--{shown} is for lattices; name some with --lattice")


def read(options: argparse.Namespace, bar: ProgressBar) -> Iterator[Lattice | Forest]:
    """Read the graphs one by one; say once if their scores are not what they seem to be."""
    from ..graphs.formats import read_graphs
    from ..weights import read_weights

    weights = read_weights(options.weights) if options.weights else None
    graphs = read_graphs(
        options.lattice,
        format=options.lattice_format,
        scores=options.scores_are,
        symbols=options.symbols,
        labels=options.labels,
        epsilon=options.epsilon or (),
        weights=weights,
        empty=options.empty or EMPTY[0],
        progress=lambda number: bar.step(number, number + 1),  # one more than there are: nothing is added up
    )
    if options.quiet:
        return graphs
    if weights is not None:
        return _noting_missing(graphs, weights, bar)
    return _noting(graphs, options.scores_are is None, bar)


def _noting_missing(
    graphs: Iterator[Lattice | Forest], weights: Weights, bar: ProgressBar
) -> Iterator[Lattice | Forest]:
    """Say, of the first graph that has such, which features have no weight."""
    missing: list[str] = []
    for graph in graphs:
        if not missing and graph.layout is not None:
            missing = weights.vector(graph.layout)[1]
            if missing:
                bar.note(f"{weights.warning(missing, graph.place)}")
        yield graph


def _noting(graphs: Iterator[Lattice | Forest], is_default: bool, bar: ProgressBar) -> Iterator[Lattice | Forest]:
    said: set[str] = set()
    for graph in graphs:
        note = ""
        if not graph.has_scores:
            note = "has features, but there are no weights: all scores are 0 (--weights)"
        elif is_default and graph.features is None and graph.scores.any():
            is_default = False  # the first lattice that has any shows what they are
            if graph.seems_probable:
                note = (
                    "all scores are from 0 to 1, but taken for logarithms; are they probabilities (--scores-are prob)?"
                )
        if note and note not in said:
            said.add(note)
            bar.note(f"{graph.place}: {note}")
        yield graph
