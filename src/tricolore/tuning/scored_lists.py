"""n-best lists of the same sources, read side by side: all hypotheses of a source with their scores.

A score is the sum of features times weights, or the total that the list gives. Never more than one source is held.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _native
from ..candidates import CandidateReader
from ..errors import InputError
from ..features import Features
from ..readers import name_of
from ..readers.nbest import open_lists

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..features import Floats, Indices
    from ..readers.nbest import NBest
    from ..weights import Weights


@dataclass(frozen=True, eq=False)
class ScoredList:
    """The hypotheses of a source, those of the first file first."""

    source: int  #: numbered from 0
    texts: list[str]
    rest: list[str]  #: what follows each text in its list, features and total, as in Moses' form
    features: Features
    scores: Floats

    def distinct(self, order: Indices) -> Indices:
        """Those in some order whose text and features have not been there before."""
        places: dict[str, int] = {}
        of = np.array([places.setdefault(self.texts[i], len(places)) for i in order], np.int32)
        rows, starts = self.features.take(order), np.array([0, len(order)], np.int64)
        return order[_native.mark_distinct(rows.begins, rows.columns, rows.values, starts, of) > 0]


@dataclass(eq=False)
class ScoredLists:
    """Goes through lists, one source after the other.

    Without `weights` the totals of the lists are the scores. With `sources` there must be as many, because `known` has
    as many lines. `first` is how many hypotheses of every list to take; all with None. `instead` is what else could be
    given where a total is missing.
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
    _met: bool = False  # whether a weight is for a feature that has been read

    @property
    def warning(self) -> str | None:
        """Which features have no weight, of those that have been read."""
        return self.weights.warning(self._missing) if self.weights is not None and self._missing else None

    def __iter__(self) -> Iterator[ScoredList]:
        """The hypotheses of every source, in order.

        With weights nothing is given before one of them is for a feature: all else could be a file of other weights.
        """
        waiting: list[ScoredList] = []
        for lists in self.side_by_side():
            waiting.append(self._scored(lists))
            if self.weights is None or self._met:
                yield from waiting
                waiting = []
        if self.weights is not None:
            _, self._missing = self.weights.vector(self._reader.layout)  # which refuses weights of nothing
        yield from waiting

    def side_by_side(self) -> Iterator[tuple[NBest, ...]]:
        """The lists of all files for one source after the other, without scores."""
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
        features = Features.joined([part[0] for part in parts])
        scores = np.concatenate([part[1] for part in parts]) if self.weights is None else self._scores(features)
        self._check(scores, lists)
        texts = [text for nbest in lists for text in nbest.texts]
        rest = [one for nbest in lists for one in nbest.rest]
        return ScoredList(lists[0].source, texts, rest, features, scores)

    def _scores(self, features: Features) -> Floats:
        if features.columns.max(initial=-1) >= len(self._vector):  # there are new features
            assert self.weights is not None
            layout = self._reader.layout
            self._vector, self._missing = self.weights.vector(layout, strangers=True)
            self._met = len(self._missing) < len(layout.groups)
        return features.dot(self._vector)

    def _check(self, scores: Floats, lists: tuple[NBest, ...]) -> None:
        """Refuse scores that say nothing, and one that nothing could beat."""
        wrong = np.flatnonzero(np.isnan(scores) | (scores == np.inf))
        if not len(wrong):
            return
        places = [(path, line) for path, nbest in zip(self.names, lists, strict=True) for line in nbest.lines]
        path, line = places[wrong[0]]
        raise InputError(
            f"{name_of(path)}: line {line}: "
            + (
                "the hypothesis has no total that is a finite number; expected one at the end of the line, or "
                f"{self.instead}"
                if self.weights is None
                else "features times weights are too large for a finite score"
            )
        )
