"""Inspect lattices and forests: size, best texts, conversion, pictures.

    tricolore lattice stats lattices.plf.gz
    tricolore lattice best lattices.plf > best.txt
    tricolore lattice kbest -k 100 forest.json.gz --weights weights.txt > nbest.txt
    tricolore lattice sample -n 64 --seed 1 lattices.plf > samples.txt
    tricolore lattice convert lattices.plf --to openfst -o lattices.fst.txt
    tricolore lattice draw lattices.plf --number 3 -o third.svg

Formats are plf (Python Lattice Format of Moses, cdec and Joshua), openfst (AT&T text of OpenFst and Kaldi), htk (SLF),
wordgraph (thot), confusion (networks of Moses), and the hypergraphs of cdec (JSON) and moses (text);
docs/lattice-formats.md has them in full. One file may hold many graphs, or each of many files one; they are numbered
as they come.

stats counts states, arcs, different words, epsilon arcs (ε, without a word) and paths; density is arcs per word of the
best path. best prints one line per graph; kbest and sample write n-best lists, which other commands read
('0 ||| text ||| name= value ... ||| score'). Exit status: 0 done, 1 invalid data, 2 invalid command.
"""

from __future__ import annotations

import os
from itertools import chain, islice

from ..errors import InputError, SpecError
from ..parameters import SEED, Choice, Real, Whole
from ..results import FORMATS as RESULTS
from ..results import emit
from .graph_options import FORMATS, add_graph_arguments, check_graphs, inputs_of, read
from .nbest_options import check_output, is_watched, opened
from .options import DIGITS, add_option
from .progress import ProgressBar

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator
    from typing import Any

    from ..graphs import Forest, Lattice

    Graph = Lattice | Forest

#: Ends of names of pictures that are not SVG.
OTHER_PICTURES = (".png", ".pdf", ".jpg", ".jpeg", ".gif", ".webp", ".eps", ".ps", ".dot")

#: The options of single verbs, what they are without, and the verbs.
OPTIONS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "k": (None, ("kbest",)),
    "paths": (False, ("kbest",)),
    "number": (None, ("sample", "draw")),
    "seed": (None, ("sample",)),
    "scale": (None, ("sample",)),
    "to": (None, ("convert",)),
    "prune": (None, ("draw",)),
    "scores": (False, ("best",)),
    "summary": (False, ("stats",)),
    "format": (None, ("stats",)),
    "width": (None, ("stats",)),
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
    add("--paths", action="store_true", help="kbest: paths or derivations, though they may have the same text")
    about = "sample: how many per graph (default: 10); draw: which graph, counted from 1 (default: the first)"
    add_option(group, "-n", "--number", kind=some, about=about)
    add_option(group, "--seed", kind=SEED, about="sample: random seed (default: 12345; graph i has N + i)")
    add_option(group, "--scale", kind=Real(0), about="sample: paths are drawn by e^(X score) (default: 1)")
    add_option(group, "--to", kind=Choice(FORMATS), metavar="FORMAT", about="convert: the format to write")
    add_option(group, "--prune", kind=many, about="draw: only N arcs, those of the best paths")
    add("--scores", action="store_true", help="best: the score and a tab before each line")
    add("--summary", action="store_true", help="stats: only the totals")
    group = parser.add_argument_group("results")
    group.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write to a file, which appears when all is written (compressed: .gz, .zst, .xz, .bz2); "
        "convert: a folder, or a name that ends in /, for one file each",
    )
    add_option(group, "-f", "--format", kind=Choice(RESULTS), about="stats: output format (default: text)")
    add_option(group, "-w", "--width", kind=DIGITS, about="stats: digits after the decimal point (default: 2)")
    group.add_argument("-q", "--quiet", action="store_true", help="no progress and no notes on standard error")


def run(options: argparse.Namespace) -> None:
    """Read the graphs one by one and do what was asked for."""
    check_usage(options)
    with ProgressBar(quiet=options.quiet or is_watched(options)) as bar:
        bar.stage("reading")
        VERBS[options.verb](options, read(options, bar))


def check_usage(options: argparse.Namespace) -> None:
    """Reject invalid options before any work."""
    for name, (unset, verbs) in OPTIONS.items():
        if options.verb not in verbs and getattr(options, name) != unset:
            dashes = "-" if len(name) == 1 else "--"
            raise SpecError(f"{dashes}{name} is for 'tricolore lattice {' and '.join(verbs)}', not for {options.verb}")
    if options.verb == "draw" and (options.output or "").lower().endswith(OTHER_PICTURES):
        raise SpecError(f"--output: {options.output}: pictures are SVG; expected a name that ends in .svg")
    if options.verb == "convert" and options.to is None:
        raise SpecError(f"--to is missing: the format to write, one of {', '.join(FORMATS)}")
    check_graphs(options)


def best(options: argparse.Namespace, graphs: Iterator[Graph]) -> None:
    """Write the best text of each graph, one line each."""
    with opened(options.output) as file:
        for graph in graphs:
            path = graph.best()
            print(f"{path.score!r}\t{path.text}" if options.scores else path.text, file=file)


def kbest(options: argparse.Namespace, graphs: Iterator[Graph]) -> None:
    """The best texts or paths of each graph as an n-best list."""
    from ..graphs.nbest_lines import nbest_lines

    number = 10 if options.k is None else options.k
    with opened(options.output) as file:
        for i, graph in enumerate(graphs):
            for line in nbest_lines(i, graph, graph.kbest(number, distinct=not options.paths)):
                print(line, file=file)


def sample(options: argparse.Namespace, graphs: Iterator[Graph]) -> None:
    """Paths of each graph by their probability as an n-best list."""
    from ..graphs.nbest_lines import nbest_lines

    number = 10 if options.number is None else options.number
    seed = 12345 if options.seed is None else options.seed
    scale = 1.0 if options.scale is None else options.scale
    with opened(options.output) as file:
        for i, graph in enumerate(graphs):
            for line in nbest_lines(i, graph, graph.sample(number, seed=seed + i, scale=scale)):
                print(line, file=file)


def convert(options: argparse.Namespace, graphs: Iterator[Graph]) -> None:
    """Write in another format: one file, or a folder of files."""
    from ..graphs.formats import FORMATS as KNOWN
    from ..graphs.formats import written

    target = options.output
    if target is not None and (target.endswith(("/", os.sep)) or os.path.isdir(target)):
        write_folder(options, graphs)
        return
    if not KNOWN[options.to].holds_several:
        first = [*islice(graphs, 2)]
        if len(first) > 1:
            raise InputError(
                f"{first[1].place}: is a second graph, but a file of {options.to} has one; name a folder (-o FOLDER/)"
            )
        graphs = chain(first, graphs)
    with opened(target) as file:
        for text in written(graphs, options.to):
            file.write(text)


def write_folder(options: argparse.Namespace, graphs: Iterable[Graph]) -> None:
    """A file for each graph, called by its number from 0 on; they appear when all are written."""
    from ..graphs.formats import FORMATS as KNOWN
    from ..graphs.formats import written
    from ..writers import writing, writing_folder

    with writing_folder(options.output) as folder:
        for number, graph in enumerate(graphs):
            name = f"{number:06}{KNOWN[options.to].suffix}"
            check_output(os.path.join(options.output, name), inputs_of(options))
            with writing(str(folder / name)) as file:
                file.write("".join(written(graph, options.to)))


def draw(options: argparse.Namespace, graphs: Iterator[Graph]) -> None:
    """A picture of one graph."""
    from ..graphs.drawing import draw as draw_graph

    wanted = 1 if options.number is None else options.number
    found = 0
    for found, graph in enumerate(graphs, 1):
        if found == wanted:
            picture = draw_graph(graph, prune=options.prune)
            with opened(options.output) as file:
                file.write(picture)
            return
    raise InputError(f"--number: there is no graph {wanted}; there are {found}")


def stats(options: argparse.Namespace, graphs: Iterator[Graph]) -> None:
    """A table: how large graphs are, and how many paths they have."""
    from ..graphs.sizes import graph_sizes

    sizes = graph_sizes(graphs, summary=options.summary)
    with opened(options.output) as file:
        emit(sizes, options.format or "text", width=options.width, stream=file)


VERBS = {"stats": stats, "best": best, "kbest": kbest, "sample": sample, "convert": convert, "draw": draw}
