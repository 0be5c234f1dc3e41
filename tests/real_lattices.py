"""Lattices of the shared data, read in the plainest way."""

import ast
import gzip

from tricolore.graphs import Lattice


def open_text(path):
    return gzip.open(path, "rt", encoding="utf-8")


def speech_lattices(shared):
    """Lattices of a speech recogniser; None where there is nothing."""
    with open_text(shared / "data/lattices/fisher-test-es/lattices.plf.gz") as file:
        return [_of_columns(ast.literal_eval(line) if line.strip() else ()) for line in file]


def _of_columns(columns):
    arcs = [
        (start, start + distance, word, float(score))
        for start, column in enumerate(columns)
        for word, score, distance in column
    ]
    return Lattice.of(arcs, 0, [len(columns)]) if arcs else None


def word_graphs(shared):
    """Word graphs of a translation system; an arc may have several words, with spaces in between."""
    graphs, arcs, finals = [], [], []
    with open_text(shared / "data/nbest/thot-fisher-test-es-en/wordgraphs.txt.gz") as file:
        for line in file:
            if line.startswith("#"):
                if arcs:
                    graphs.append(Lattice.of(arcs, 0, finals))
                arcs, finals = [], [*map(int, line.split(" finals ")[1].split())]
            else:
                source, target, score, _, words = line.rstrip("\n").split("\t")
                arcs.append((int(source), int(target), words, float(score)))
    return [*graphs, Lattice.of(arcs, 0, finals)]


def nbest_texts(shared):
    """The different texts of each n-best list."""
    texts = {}
    with open_text(shared / "data/nbest/thot-fisher-test-es-en/nbest.txt.gz") as file:
        for line in file:
            number, text, *_ = line.split(" ||| ")
            texts.setdefault(int(number), {})[text] = None
    return {number: [*of] for number, of in texts.items()}
