"""Options of the commands that read lattices and forests."""

from __future__ import annotations

from ..errors import InputError, SpecError
from ..parameters import Choice
from ..writers import check_kept
from .options import add_option, naming_options

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

#: Options that require lattices.
OPTIONS = ("lattice_format", "scores_are", "symbols", "labels", "epsilon", "empty")


def add_lattice_argument(group: argparse._ArgumentGroup) -> None:
    """Add --lattice to a command that also reads other files."""
    group.add_argument(
        "--lattice",
        nargs="+",
        action="extend",
        default=[],
        metavar="FILE",
        help="lattices or forests, one per source, in one or several files ('-': standard input; plain or compressed)",
    )


def add_graph_arguments(parser: argparse.ArgumentParser, *, weights: bool = True) -> None:
    """Add the options for reading lattices and forests."""
    group = parser.add_argument_group("lattices")
    names = ("--from", "--lattice-format")
    about = f"format of the files: {', '.join(FORMATS)} (default: recognised by their first lines)"
    add_option(group, *names, dest="lattice_format", kind=Choice(FORMATS), metavar="FORMAT", about=about)
    about = "scores are logarithms (log), probabilities (prob) or negative logarithms (cost; default: by format)"
    add_option(group, "--scores-are", kind=Choice(SCALES), metavar="KIND", about=about)
    if weights:
        group.add_argument("--weights", metavar="FILE", help="feature weights, 'name= value' per line")
    about = "symbol table of numeric openfst labels; 'words' if the numbers are words"
    group.add_argument("--symbols", metavar="FILE", help=about)
    about = (
        "openfst labels that make the text: acceptor (one label per arc), input, or output (default: the only labels, "
        "or the output of transducers)"
    )
    add_option(group, "--labels", kind=Choice(LABELS), metavar="KIND", about=about)
    about = "words treated as epsilon (the empty label), such as <s> and </s>"
    group.add_argument("--epsilon", nargs="+", action="extend", metavar="WORD", help=about)
    about = "empty lattices, such as empty lines in PLF: accept (the empty text) or refuse (default: accept)"
    add_option(group, "--empty", kind=Choice(EMPTY), metavar="RULE", about=about)


def check_graphs(options: argparse.Namespace, references: Sequence[str] = ()) -> None:
    """Reject invalid options before any work."""
    if not options.lattice:
        raise SpecError("no lattice is given; name one or more files")
    if inputs_of(options, references).count("-") > 1:
        raise SpecError("standard input can be read only once")
    for paths, what in ((options.lattice, "a lattice"), (references, "a reference")):
        for path in paths:
            if paths.count(path) > 1:
                raise SpecError(f"{path} is given twice as {what}")
    check_kept("--output", options.output, *inputs_of(options, references))


def inputs_of(options: argparse.Namespace, references: Sequence[str] = ()) -> list[str]:
    """All input files."""
    symbols = None if options.symbols == "words" else options.symbols
    return [*options.lattice, *filter(None, (options.weights, symbols)), *references]


def refuse_graph_options(options: argparse.Namespace, *others: str) -> None:
    """Reject options that require lattices where there are none; `others` are further ones of the command."""
    for name in (*OPTIONS, *others):
        if getattr(options, name):
            shown = "from" if name == "lattice_format" else name.replace("_", "-")
            raise SpecError(f"--{shown} is for lattices; name some with --lattice")


def read(options: argparse.Namespace, bar: ProgressBar) -> Iterator[Lattice | Forest]:
    """Read the graphs one by one, with notes about scores that are missing or not what they seem to be."""
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
    said: set[str] = set()
    is_default = options.scores_are is None
    try:
        with naming_options("symbols", "labels", "empty", "format"):
            for graph in graphs:
                kind, note = ("", "") if options.quiet else _note(graph, weights, is_default)
                is_default = is_default and not (graph.features is None and graph.scores.any())  # the first one tells
                if note and kind not in said:
                    said.add(kind)
                    bar.note(note)
                yield graph
    except InputError as error:
        error.args = (str(error).replace("--format ", "--from "),)  # --format is that of the output
        raise


def _note(graph: Lattice | Forest, weights: Weights | None, is_default: bool) -> tuple[str, str]:
    """A kind of note, and what it says about a graph."""
    if weights is not None:
        missing = [] if graph.layout is None else weights.vector(graph.layout)[1]
        return "missing", weights.warning(missing, graph.place) if missing else ""
    if not graph.has_scores:
        return "features", f"{graph.place}: has features, but there are no weights: all scores are 0 (--weights)"
    if is_default and graph.features is None and graph.seems_probable:
        about = "all scores are between 0 and 1, but read as logarithms; are they probabilities (--scores-are prob)?"
        return "scores", f"{graph.place}: {about}"
    return "", ""
