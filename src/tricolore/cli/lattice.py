"""Inspect lattices and forests: size, best texts, conversion, pictures.

    tricolore lattice stats lattices.plf.gz
    tricolore lattice best lattices.plf > best.txt
    tricolore lattice kbest -k 100 forest.json.gz --weights weights.txt > nbest.txt
    tricolore lattice sample -n 64 --seed 1 lattices.plf > samples.txt
    tricolore lattice convert lattices.plf --to openfst -o lattices.fst.txt
    tricolore lattice draw lattices.plf --number 3 -o third.svg

Formats are plf (Python Lattice Format of Moses, cdec and Joshua), openfst (AT&T text of OpenFst and Kaldi), htk (SLF),
wordgraph (thot), confusion (networks of Moses), and the hypergraphs of cdec (JSON) and moses (text);
"Which lattice and forest formats are supported?" in the documentation describes them. There may be several files, with
one or several graphs each, numbered in order.

stats counts states, arcs, distinct words, epsilon arcs (ε, without a word) and paths; density is arcs per word of the
best path. best prints one line per graph; kbest and sample write n-best lists, which other commands read
('0 ||| text ||| name= value ... ||| score'). Exit status: 0 success, 1 invalid data, 2 invalid usage.
"""

from __future__ import annotations

import sys

from ..errors import SpecError
from ..parameters import SEED, Choice, Real, Whole
from ..results import FORMATS as RESULTS
from ..results import emit
from .graph_options import FORMATS, add_graph_arguments, check_graphs, inputs_of, read
from .nbest_options import given_options, is_watched, opened
from .options import DIGITS, add_option, naming_options
from .progress import ProgressBar

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from ..graphs import Forest, Lattice

    Graph = Lattice | Forest

#: Suffixes of pictures that are not SVG.
OTHER_PICTURES = (".png", ".pdf", ".jpg", ".jpeg", ".gif", ".webp", ".eps", ".ps", ".dot")

#: The options of single verbs.
OPTIONS = {
    "k": ("kbest",),
    "paths": ("kbest",),
    "number": ("sample", "draw"),
    "seed": ("sample",),
    "scale": ("sample",),
    "to": ("convert",),
    "prune": ("draw",),
    "scores": ("best",),
    "summary": ("stats",),
    "format": ("stats",),
    "width": ("stats",),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("verb", choices=(*VERBS,), metavar="VERB", help=", ".join(VERBS))
    parser.add_argument(
        "lattice",
        nargs="+",
        metavar="FILE",
        help="lattices or forests ('-': standard input; plain or compressed)",
    )
    add_graph_arguments(parser)
    group = parser.add_argument_group("what to do")
    many, some = Whole(1, 100_000_000), Whole(1, 10_000_000)
    add_option(group, "-k", kind=many, about="kbest: distinct texts per graph (default: 10)")
    add = group.add_argument
    add("--paths", action="store_true", help="kbest: the best paths or derivations, which may have the same text")
    about = "sample: paths per graph (default: 10); draw: number of the graph, from 1 (default: 1)"
    add_option(group, "-n", "--number", kind=some, about=about)
    add_option(group, "--seed", kind=SEED, about="sample: random seed (default: 12345; N + i for graph i)")
    about = "sample: paths have probabilities proportional to e^(X score) (default: 1)"
    add_option(group, "--scale", kind=Real(0), about=about)
    add_option(group, "--to", kind=Choice(FORMATS), metavar="FORMAT", about="convert: the format to write")
    add_option(group, "--prune", kind=many, about="draw: keep only N arcs, those of the best paths")
    add("--scores", action="store_true", help="best: print the score and a tab before each text")
    add("--summary", action="store_true", help="stats: print only the totals")
    group = parser.add_argument_group("results")
    group.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write to a file, which appears once it is complete (compressed: .gz, .zst, .xz, .bz2); "
        "convert: one file per graph in a folder (an existing one, or a name that ends in /)",
    )
    add_option(group, "-f", "--format", kind=Choice(RESULTS), about="stats: output format (default: text)")
    add_option(group, "-w", "--width", kind=DIGITS, about="stats: digits after the decimal point (default: 2)")
    group.add_argument("-q", "--quiet", action="store_true", help="no progress and no notes on standard error")


def run(options: argparse.Namespace) -> None:
    """Read the graphs one by one and do what was asked for."""
    check_usage(options)
    with (
        ProgressBar(quiet=options.quiet or is_watched(options)) as bar,
        naming_options("number", "output", "prune"),
    ):
        bar.stage("reading")
        VERBS[options.verb](options, read(options, bar))


def check_usage(options: argparse.Namespace) -> None:
    """Reject invalid options before any work."""
    for name, verbs in OPTIONS.items():
        if options.verb not in verbs and getattr(options, name) not in (None, False):
            dashes = "-" if len(name) == 1 else "--"
            raise SpecError(f"{dashes}{name} is for 'tricolore lattice {' and '.join(verbs)}', not for {options.verb}")
    if options.verb == "draw" and (options.output or "").lower().endswith(OTHER_PICTURES):
        raise SpecError(f"--output: {options.output}: pictures are SVG; expected a name that ends in .svg")
    if options.verb == "convert" and options.to is None:
        raise SpecError(f"--to is missing: the format to write, one of {', '.join(FORMATS)}")
    check_graphs(options)


def stats(options: argparse.Namespace, graphs: Iterator[Graph]) -> None:
    """Write a table of the sizes of graphs."""
    from ..graphs.sizes import graph_sizes

    sizes = graph_sizes(graphs, summary=options.summary)
    with opened(options.output) as file:
        emit(sizes, options.format or "text", width=options.width, stream=file)


def best(options: argparse.Namespace, graphs: Iterator[Graph]) -> None:
    """Write the best text of each graph, one per line."""
    paths = (graph.best() for graph in graphs)
    write_lines((f"{path.score!r}\t{path.text}" if options.scores else path.text for path in paths), options)


def kbest(options: argparse.Namespace, graphs: Iterator[Graph]) -> None:
    """Write the best texts or paths of each graph as an n-best list."""
    from ..graphs.nbest_lines import kbest_lines

    write_lines(kbest_lines(graphs, distinct=not options.paths, **given_options(options, ["k"])), options)


def sample(options: argparse.Namespace, graphs: Iterator[Graph]) -> None:
    """Write random paths of each graph as an n-best list."""
    from ..graphs.nbest_lines import sample_lines

    write_lines(sample_lines(graphs, **given_options(options, ["number", "seed", "scale"])), options)


def write_lines(lines: Iterable[str], options: argparse.Namespace) -> None:
    """Write lines to the output."""
    with opened(options.output) as file:
        for line in lines:
            print(line, file=file)


def convert(options: argparse.Namespace, graphs: Iterator[Graph]) -> None:
    """Write graphs in another format: to one file, or to a folder of files."""
    from ..graphs.formats import write_graphs

    output = sys.stdout if options.output in (None, "-") else options.output
    write_graphs(graphs, output, options.to, inputs=inputs_of(options))


def draw(options: argparse.Namespace, graphs: Iterator[Graph]) -> None:
    """Draw one of the graphs."""
    from ..graphs.drawing import draw_one

    picture = draw_one(graphs, prune=options.prune, **given_options(options, ["number"]))
    with opened(options.output) as file:
        file.write(picture)


VERBS = {"stats": stats, "best": best, "kbest": kbest, "sample": sample, "convert": convert, "draw": draw}
