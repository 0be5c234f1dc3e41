"""Files of lattices and forests, in the formats of decoders and recognisers: read one by one, and written.

plf          Python Lattice Format of Moses, cdec and Joshua
openfst      finite-state machines as text (AT&T), as OpenFst and Kaldi print them
htk          HTK's Standard Lattice Format
wordgraph    word graphs of thot
confusion    confusion networks of Moses
cdec         hypergraphs of cdec (JSON)
moses        hypergraphs of Moses (text)
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from os import PathLike, fspath
from typing import Any, TextIO

from ...compression import without_suffix
from ...errors import InputError, SpecError
from ...numbers import real_or_infinite
from ...parameters import Choice, OrNone, checked
from ...weights import Weights, as_weights
from ..forest import Forest
from ..lattice import Lattice
from . import cdec, confusion, htk, moses, openfst, plf, wordgraph
from .lines import Lines, is_whole
from .reading import EMPTY, LABELS, SCALES, Reading, Symbols

__all__ = ["EMPTY", "FORMATS", "LABELS", "SCALES", "Format", "format_of", "read_graphs", "write_graphs", "written"]

#: Instead of a symbol table: labels that are all numbers are words.
WORDS = "words"


@dataclass(frozen=True)
class Format:
    """A format, and what its files can hold."""

    name: str
    module: Any  #: with `read` and `write`
    suffix: str  #: of file names
    holds_forests: bool = False
    holds_several: bool = False  #: in one file


FORMATS = {
    "plf": Format("plf", plf, ".plf", holds_several=True),
    "openfst": Format("openfst", openfst, ".fst.txt", holds_several=True),
    "htk": Format("htk", htk, ".slf"),
    "wordgraph": Format("wordgraph", wordgraph, ".wordgraph", holds_several=True),
    "confusion": Format("confusion", confusion, ".cn", holds_several=True),
    "cdec": Format("cdec", cdec, ".json", holds_forests=True),
    "moses": Format("moses", moses, ".hypergraph", holds_forests=True),
}
FORMAT = Choice((*FORMATS,))


def read_graphs(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    format: str | None = None,
    scores: str | None = None,
    symbols: str | PathLike[str] | None = None,
    labels: str | None = None,
    epsilon: Sequence[str] = (),
    weights: Weights | Mapping[str, float] | str | PathLike[str] | None = None,
    empty: str = "accept",
    progress: Callable[[int], None] | None = None,
) -> Iterator[Lattice | Forest]:
    """Read lattices or forests one by one, file after file; compressed files are unpacked on the way.

    The default `format` is recognised by the first lines, if they are unambiguous. `scores` are `log`, `prob`
    (probabilities) or `cost` (negative logarithms); every format has its own default. `symbols` is the symbol table of
    numeric labels, or `words` if the numbers are words; `labels` are those of a finite-state machine that make the text
    (`acceptor`, `input`, `output`). Words in `epsilon` are treated as epsilon. `weights`, a dictionary or a file, turn
    features into scores. Empty graphs, such as an empty line in PLF, are `empty` texts (`accept`) or errors (`refuse`).
    `progress` is called with the number of graphs read so far.
    """
    names = [fspath(path) for path in ([paths] if isinstance(paths, str | PathLike) else paths)]
    format = checked("format", format, OrNone(FORMAT))
    scores = checked("scores", scores, OrNone(Choice(SCALES)))
    labels = checked("labels", labels, OrNone(Choice(LABELS)))
    checked("empty", empty, Choice(EMPTY))
    table = Symbols.read(fspath(symbols)) if symbols is not None and symbols != WORDS else None
    known_weights = None if weights is None else as_weights(weights)
    how = Reading(scores, table, symbols == WORDS, labels, tuple(epsilon), known_weights, empty)
    return _read(names, format, how, progress)


def _read(
    paths: Sequence[str], name: str | None, how: Reading, progress: Callable[[int], None] | None
) -> Iterator[Lattice | Forest]:
    number = 0
    for path in paths:
        lines = Lines(path)
        if not lines.are_there():
            raise InputError(f"{lines.name}: the file is empty; expected a lattice or forest")
        known = FORMATS[name or format_of(lines, path)]
        if known.name != "openfst" and (how.labels or how.symbols):
            raise SpecError(f"{lines.name}: is {known.name}; {'labels' if how.labels else 'symbols'} require openfst")
        before = number
        for graph in known.module.read(lines, how):
            number += 1
            if progress is not None:
                progress(number)
            yield graph if how.weights is None else graph.weighted(how.weights)
        if number == before:
            raise InputError(f"{lines.name}: there is no lattice or forest in it; expected one or more")


def format_of(lines: Lines, path: str) -> str:
    """The format of a file by its first lines or, where these fit several, by its name."""
    beginning = lines.beginning(20)
    fitting = [name for name, fits in _FITS.items() if not beginning or fits(beginning)]
    plain = without_suffix(path)
    named = [name for name in fitting if plain.endswith(FORMATS[name].suffix)]
    if len(fitting) > 1 and len(named) == 1:
        fitting = named
    if len(fitting) != 1:
        what = f"may be {' or '.join(fitting)}" if fitting else "is in an unknown format"
        if not beginning:
            what = "has only empty lines"
        elif not fitting and " ||| " in beginning[0]:
            what = "seems to be an n-best list, or is in an unknown format"
        raise InputError(f"{lines.name}: {what}; name the format with format='FORMAT' ({', '.join(FORMATS)})")
    return fitting[0]


def _fits_openfst(lines: list[str]) -> bool:
    """Arcs and final states; one word on a line may be a name, if there are other lines."""
    rows = [line.split() for line in lines]
    if len(rows) == 1 and len(rows[0]) == 1:
        return is_whole(rows[0][0])
    if not any(len(row) > 2 for row in rows) and not all(len(row) == 2 for row in rows):
        return False
    return all(
        len(row) == 1 or (len(row) <= 5 and is_whole(row[0]) and (len(row) == 2 or is_whole(row[1]))) for row in rows
    )


def _fits_htk(lines: list[str]) -> bool:
    """A field of the header, perhaps after comments, as in files of SRILM."""
    first = next((line for line in lines if not line.startswith("#")), "")
    return re.match(r"\s*(VERSION|V|UTTERANCE|U|N|NODES|L|LINKS|base|[a-z0-9]+scale|wdpenalty)=", first) is not None


def _fits_confusion(lines: list[str]) -> bool:
    """Alternating words and numbers that may be the probabilities of a column."""
    for line in lines:
        fields = line.split()
        try:
            values = [real_or_infinite(field) for field in fields[1::2]]
        except ValueError:
            return False
        if len(fields) % 2 or min(values) < 0 or sum(values) > 1.01:
            return False
    return True


_FITS: dict[str, Callable[[list[str]], bool]] = {
    "plf": lambda lines: re.match(r"\s*(<seg\b[^>]*>\s*)?\(", lines[0]) is not None,
    "openfst": _fits_openfst,
    "htk": _fits_htk,
    "wordgraph": lambda lines: lines[0].startswith("# sentence "),
    "confusion": _fits_confusion,
    "cdec": lambda lines: lines[0].lstrip().startswith("{"),
    "moses": lambda lines: lines[0].strip() == moses.HEADER,
}


def written(graphs: Lattice | Forest | Iterable[Lattice | Forest], format: str) -> Iterator[str]:
    """The texts of graphs in a format, one by one, so that one file can hold them all.

    Formats of lattices cannot hold forests; formats of forests hold lattices, too. Scores are written in full, as the
    format has them; those of forests as features, if there are any.

    >>> print(*written(Lattice.of([(0, 1, "a", -0.5), (0, 1, None, -1.0)], 0, [1]), "openfst"), end="")
    0 1 a 0.5
    0 1 <eps> 1.0
    1 0.0
    """
    checked("format", format, FORMAT)
    several = [graphs] if isinstance(graphs, Lattice | Forest) else graphs
    return (_written(graph, number, FORMATS[format]) for number, graph in enumerate(several))


def write_graphs(
    graphs: Lattice | Forest | Iterable[Lattice | Forest],
    output: str | PathLike[str] | TextIO,
    format: str,
    *,
    inputs: Sequence[str | PathLike[str]] = (),
) -> None:
    """Write lattices or forests in a format: to a stream, to a file, or to a folder with one file per graph.

    `output` is a folder if it is an existing one or ends in a slash. Its files are named by number, from
    `000000.plf` on, the suffix depending on the format. Files appear once all graphs are written, compressed if their
    name ends in .gz, .zst, .xz or .bz2. Formats that hold one graph per file (htk, cdec, moses) require a folder for
    several. None of the files named in `inputs` is overwritten.

    >>> import sys
    >>> write_graphs(Lattice.of([(0, 1, "a", -0.5)], 0, [1]), sys.stdout, "openfst")
    0 1 a 0.5
    1 0.0
    """
    known = FORMATS[checked("format", format, FORMAT)]
    several = iter([graphs] if isinstance(graphs, Lattice | Forest) else graphs)
    if not isinstance(output, str | PathLike):
        output.writelines(written(_one_per_file(several, known), format))
        return
    from ...writers import check_kept, writing, writing_folder

    path = fspath(output)
    if not (path.endswith(("/", os.sep)) or os.path.isdir(path)):
        check_kept("output", path, *inputs)
        with writing(path) as file:
            file.writelines(written(_one_per_file(several, known), format))
        return
    with writing_folder(path) as folder:
        for number, graph in enumerate(several):
            name = f"{number:06}{known.suffix}"
            check_kept("output", os.path.join(path, name), *inputs)
            with writing(str(folder / name)) as file:
                file.writelines(written(graph, format))


def _one_per_file(graphs: Iterator[Lattice | Forest], known: Format) -> Iterator[Lattice | Forest]:
    """Reject a second graph if a file cannot hold it, before anything is written."""
    first = [*islice(graphs, 1 if known.holds_several else 2)]
    if len(first) > 1:
        raise InputError(
            f"{first[1].place}: is a second graph, but a {known.name} file holds one; write to a folder "
            "(output='FOLDER/')"
        )
    return chain(first, graphs)


def _written(graph: Lattice | Forest, number: int, known: Format) -> str:
    """A graph as text, after `number` others."""
    if known.holds_forests:
        return str(known.module.write(Forest.of_lattice(graph) if isinstance(graph, Lattice) else graph))
    if isinstance(graph, Forest):
        others = ", ".join(name for name, other in FORMATS.items() if other.holds_forests)
        raise InputError(f"{graph.place}: is a forest, which {known.name} cannot hold; expected one of {others}")
    if known.name == "wordgraph":
        return wordgraph.write(graph, number)
    between = "\n" if number and known.name in ("openfst", "confusion") else ""
    return between + str(known.module.write(graph))
