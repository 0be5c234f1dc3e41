"""Word graphs of thot, a phrase-based decoder.

    # sentence 0 initial_score -95.877661 finals 156 162
    0	1	-7.813126	2-3	i am
    1	156	-5.533720	4-4	here

A line with the number of the sentence, the score that every path begins with and the final states; then one arc per
line: from, to, score, the source words it translates, and its words. The start is state 0. An arc with several words
becomes a chain of arcs, one without words an epsilon arc. The initial score is added where a path ends, so that totals
are the decoder's. A sentence without final states and arcs is the empty text. Sentences of a file are numbered without
gaps.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from ...errors import InputError
from ..lattice import ArcList, Lattice
from .lines import Lines, number, quoted, whole
from .reading import Reading, logarithms
from .writing import check_words, is_spaced, rows_of

_HEADER = re.compile(r"#\s*sentence\s+(\S+)\s+initial_score\s+(\S+)\s+finals((?:\s+\S+)*)\s*", re.ASCII)
_SPAN = re.compile(r"\d+-\d+", re.ASCII)


def read(lines: Lines, how: Reading) -> Iterator[Lattice]:
    """Read graph by graph."""
    sentence: int | None = None
    for line in lines:
        if not line.strip():
            continue
        header = _HEADER.fullmatch(line)
        if header is None:
            lines.fail(f"expected '# sentence N initial_score X finals STATE ...', found {quoted(line)}")
        found = whole(header.group(1), lines.where, "the number of a sentence")
        if sentence is not None and found != sentence + 1:
            lines.fail(f"sentence {found} comes after sentence {sentence}; expected sentence {sentence + 1}")
        sentence = found
        yield _graph(lines, header, how)


def _graph(lines: Lines, header: re.Match[str], how: Reading) -> Lattice:
    where, scale = lines.where, how.scale or "log"
    initial = logarithms([number(header.group(2), where, "the initial score")], scale, lambda _: where).tolist()[0]
    finals = {whole(state, where, "a final state"): initial for state in header.group(3).split()}
    arcs = ArcList(f"{lines.name}: sentence {header.group(1)}", how.epsilon)
    heads, values, places = [], [], []  # of chains: their first arcs, the numbers in the file, their lines
    for line in lines:
        if line.startswith("#"):
            lines.put_back(line)
            break
        fields = line.split(None, 4)
        if not fields:
            continue
        if len(fields) < 4 or not _SPAN.fullmatch(fields[3]):
            lines.fail(f"expected 'from to score first-last words', found {quoted(line)}")
        source, target = (whole(field, lines.where, "a state") for field in fields[:2])
        words: list[str | None] = [*fields[4].split()] if len(fields) > 4 else [None]
        heads.append(len(arcs))
        values.append(number(fields[2], lines.where))
        places.append(lines.where)
        chain = [source, *((lines.number, i) for i in range(1, len(words))), target]
        for (before, after), word in zip(pairwise(chain), words, strict=True):
            arcs.add(before, after, word, 0.0)
    if not finals and not len(arcs):
        return how.empty_lattice(where, "no final state and no arc", initial)
    if not finals:
        raise InputError(f"{where}: there is no final state; expected one or more after 'finals'")
    scores = np.zeros(len(arcs))  # only the first arc of a chain has one
    scores[heads] = logarithms(values, scale, places.__getitem__)
    return arcs.lattice(0, finals, scores)


def write(lattice: Lattice, sentence: int = 0) -> str:
    """Write a header and the arcs; the source words they translate, which are unknown, are written as 0-0."""
    check_words(lattice.words, lattice.place, "a word graph", is_spaced)
    finals = np.flatnonzero(lattice.finals > -np.inf)
    arcs = [(source, target, score, word or "") for source, target, word, score in rows_of(lattice)]
    if len({*lattice.finals[finals].tolist()}) == 1:
        initial, ends = float(lattice.finals[finals[0]]), finals.tolist()
    else:  # the format has one score for all
        initial, ends = 0.0, [lattice.states]
        arcs += [(state, lattice.states, float(lattice.finals[state]), "") for state in finals.tolist()]
    header = f"# sentence {sentence} initial_score {initial!r} finals {' '.join(map(str, ends))}\n"
    return header + "".join(f"{source}\t{target}\t{score!r}\t0-0\t{word}\n" for source, target, score, word in arcs)
