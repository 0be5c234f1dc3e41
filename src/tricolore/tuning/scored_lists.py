"""n-best lists of the same sources, read side by side: all hypotheses of a source with their model scores.

A score is the sum of features times weights, or the total in the list. One source is held at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

import numpy as np

from .. import _native
from ..candidates import CandidateReader
from ..errors import InputError
from ..features import Features, Floats, Indices
from ..readers import name_of
from ..readers.nbest import NBest, open_lists
from ..weights import Weights


@dataclass(frozen=True, eq=False)
class ScoredList:
    """The hypotheses of a source, in the order of the files."""

    source: int  #: numbered from 0
    texts: list[str]
    rest: list[str]  #: what follows each text in its list, features and total, as in Moses' form
    features: Features
    scores: Floats

    def distinct(self, order: Indices) -> Indices:
        """The indices in `order` without duplicates, which have the text and features of an earlier one."""
        places: dict[str, int] = {}
        of = np.array([places.setdefault(self.texts[i], len(places)) for i in order], np.int32)
        starts = np.array([0, len(order)], np.int64)
        return order[_native.mark_distinct(*self.features.take(order).arrays, starts, of) > 0]


@dataclass(eq=False)
class ScoredLists:
    """Iterates over the sources of n-best lists.

    Without `weights`, the totals in the lists are the scores. `sources` is the number of sources expected: as many as
    `known` has. `first` limits the hypotheses of each list. `instead` is what messages suggest for missing totals.
    """

    nbest: Any
    weights: Weights | None = None
    sources: int | None = None
    known: str = "the list of references"
    first: int | None = None
    instead: str = "weights for its features"
    names: list[str] = field(default_factory=list)  #: of the files
    _reader: CandidateReader = field(default_factory=CandidateReader)
    _vector: Floats = field(default_factory=lambda: np.zeros(0))
    _missing: list[str] = field(default_factory=list)
    _met: bool = False  # whether any feature read so far has a weight

    @property
    def warning(self) -> str | None:
        """The message about features without a weight, among those read so far."""
        return self.weights.warning(self._missing) if self.weights is not None and self._missing else None

    def __iter__(self) -> Iterator[ScoredList]:
        """The hypotheses of each source, in order; none before a feature with a weight is found."""
        waiting: list[ScoredList] = []
        for lists in self.side_by_side():
            waiting.append(self._scored(lists))
            if self.weights is None or self._met:
                yield from waiting
                waiting = []
        if self.weights is not None:
            _, self._missing = self.weights.vector(self._reader.layout)  # which rejects weights of other features
        yield from waiting

    def side_by_side(self) -> Iterator[tuple[NBest, ...]]:
        """The lists of all files for each source, without scores."""
        files = open_lists(self.nbest, self.sources, self.known)
        self.names = [name for name, _ in files]
        before = -1
        for lists in zip_longest(*(lists for _, lists in files)):
            if None in lists:
                ended = self.names[lists.index(None)]
                path, nbest = next((path, one) for path, one in zip(self.names, lists, strict=True) if one is not None)
                raise InputError(
                    f"{name_of(ended)}: ends with source {before}, but {name_of(path)} goes on with source "
                    f"{nbest.source} at line {nbest.line}; expected the same sources in every list"
                )
            before = lists[0].source
            n = self.first
            yield tuple(replace(one, texts=one.texts[:n], rest=one.rest[:n]) for one in lists)

    def _scored(self, lists: tuple[NBest, ...]) -> ScoredList:
        parts = [
            self._reader.features_of(path, [nbest], self.weights is not None)
            for path, nbest in zip(self.names, lists, strict=True)
        ]
        features, scores = Features.joined([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
        if self.weights is not None:
            if features.columns.max(initial=-1) >= len(self._vector):  # there are new features
                layout = self._reader.layout
                self._vector, self._missing = self.weights.vector(layout, strangers=True)
                self._met = len(self._missing) < len(layout.groups)
            scores = features.dot(self._vector)
        wrong = np.flatnonzero(np.isnan(scores) | (scores == np.inf))
        if len(wrong):
            places = [(path, line) for path, nbest in zip(self.names, lists, strict=True) for line in nbest.lines]
            path, line = places[wrong[0]]
            missing = f"the hypothesis has no finite total; expected one at the end of the line, or {self.instead}"
            reason = missing if self.weights is None else "features times weights are too large for a finite score"
            raise InputError(f"{name_of(path)}: line {line}: {reason}")
        texts = [text for nbest in lists for text in nbest.texts]
        rest = [one for nbest in lists for one in nbest.rest]
        return ScoredList(lists[0].source, texts, rest, features, scores)
