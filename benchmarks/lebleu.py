"""How fast LeBLEU is, and how it grows with the length of a segment."""

from __future__ import annotations

from collections.abc import Iterator

import table
import texts
from measure import least
from table import Options, Row

import tricolore

#: Microseconds a segment of 25 words of the authors' program, with C inside, on another day: it is for Python 2.
AUTHORS = 8650e-6


def measure(options: Options) -> Iterator[Row]:
    """Segments of 25 words, then longer ones."""
    corpus = texts.long_segment()
    hyp, ref = corpus.hyps[0].split(), corpus.refs[0][0].split()
    metric = tricolore.LeBLEU()
    repeats = options.repeats(5)
    for words in (25, 50, 100, 200):
        starts = range(0, len(ref) - words + 1, words)
        hyps = [" ".join(hyp[i : i + words]) for i in starts]
        refs = [" ".join(ref[i : i + words]) for i in starts]
        seconds = least(lambda h=hyps, r=refs: metric(h, r, threads=1), repeats) / len(hyps)  # type: ignore[misc]
        bar = (250e-6) * (words / 25) ** 2
        note = "beside the authors' program as measured elsewhere" if words == 25 else "quadratic growth allowed"
        peer = AUTHORS if words == 25 else None
        question = f"LeBLEU, a segment of {words} words"
        yield Row(question, seconds, peer, bar=bar, limit=True, repeats=repeats, note=note)
    whole = least(lambda: metric.segment(corpus.hyps[0], corpus.refs[0]), repeats)
    question = f"LeBLEU of one segment of {texts.LONG:,} words"
    yield Row(question, whole, bar=8, goal=2, limit=True, repeats=repeats)


if __name__ == "__main__":
    table.main(measure, __doc__)
