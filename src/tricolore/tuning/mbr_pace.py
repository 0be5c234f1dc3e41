"""A suggestion where scoring all pairs of candidates takes minutes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING

from ..errors import InputError, SpecError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .mbr import MBR, Source

#: Seconds for one source by estimate, or for all so far, from which a cheaper method is suggested.
SLOW = 60.0
#: Pairs per source below which another method gains little, and texts on each side of the sample that is timed.
MANY_PAIRS, SAMPLE = 2_500, 24


def watched(
    sources: Iterable[Source], way: MBR, suggest: Callable[[str], None], threads: int | None
) -> Iterator[Source]:
    """The sources as they are; the suggestion is made once, before the first that needs it."""
    start, silent = monotonic(), way.method != "exact"
    for number, source in enumerate(sources):
        pairs = 0 if silent else pairs_of(source)
        slow = pairs >= MANY_PAIRS and monotonic() - start > SLOW
        if slow or (number == 0 and pairs >= MANY_PAIRS and seconds(source, way, pairs, threads) > SLOW):
            suggest(
                f"scoring all {pairs:,} pairs per source by {way.metric.spec} takes minutes; method prune scores fewer"
            )
            silent = True
        yield source


def pairs_of(source: Source) -> int:
    """Candidates times references; 0 where these are no lists, which is told elsewhere."""
    sides = source.texts, source.texts if source.references is None else source.references
    return math.prod(len(side) if isinstance(side, Sequence) else 0 for side in sides)


def seconds(source: Source, way: MBR, pairs: int, threads: int | None) -> float:
    """The time for all pairs of a source, estimated from a few; 0 for metrics that are yet to be prepared."""
    if not way.metric.is_prepared:
        return 0.0
    texts = source.texts[:SAMPLE]
    references = texts if source.references is None else source.references[:SAMPLE]
    start = monotonic()
    try:
        way.metric.pairwise(texts, references, threads=threads)
    except (InputError, SpecError):  # told where all are scored, with the place
        return 0.0
    return (monotonic() - start) * pairs / (len(texts) * len(references))
