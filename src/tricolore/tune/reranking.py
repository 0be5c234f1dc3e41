"""Reranking: the union of n-best lists, ordered anew by weights of features or by the totals that the lists give.

Files are read side by side, source by source; never more than one source is held.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from .. import _native
from ..errors import InputError
from ..readers import name_of
from ..readers.nbest import SEPARATOR, read_nbest
from .candidates import CandidateReader
from .features import Features

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from ..readers.nbest import NBest
    from .weights import Weights


@dataclass(frozen=True)
class Hypothesis:
    """One translation and its score."""

    text: str
    score: float
    rest: str  #: what follows the text in its list, features and total, as in Moses' form

    def line(self, source: int) -> str:
        """The hypothesis in Moses' form, with its score as the total.

        >>> Hypothesis("a cat", -0.5, "lm= -1 ||| 9 ||| 0-0 1-1").line(3)
        '3 ||| a cat ||| lm= -1 ||| -0.5 ||| 0-0 1-1'
        """
        features, *after = self.rest.split(SEPARATOR, 2)
        fields = [str(source), self.text, features.strip(), repr(self.score), *(field.strip() for field in after[1:])]
        return f" {SEPARATOR} ".join(fields)


@dataclass(frozen=True)
class Ranked:
    """What was found for a source."""

    source: int  #: numbered from 0
    first: str  #: the text that comes first in the first list
    best: tuple[Hypothesis, ...]  #: the best first


class Reranking:
    """Goes through lists, and gives the best hypotheses of one source after the other.

    Of hypotheses with the same score the first is better: files in order, then lines. The same text with the same
    features is taken once. Without `weights` the totals of the lists decide. `top` is how many to give of a source; all
    with None. With `sources` there must be as many, because `known` has as many lines.
    """

    def __init__(
        self,
        paths: Sequence[str],
        weights: Weights | None = None,
        *,
        top: int | None = 1,
        sources: int | None = None,
        known: str = "the list of references",
    ):
        self.paths = paths
        self.weights = weights
        self.top = top
        self.sources = sources
        self.known = known
        self._reader = CandidateReader()
        self._vector = np.zeros(0)
        self._missing: list[str] = []
        self._met = False  # whether a weight is for a feature that has been read

    @property
    def warning(self) -> str | None:
        """Which features have no weight, of those that have been read."""
        return self.weights.warning(self._missing) if self.weights is not None and self._missing else None

    def __iter__(self) -> Iterator[Ranked]:
        """The best of every source, in order.

        With weights nothing is given before one of them is for a feature: all else could be a file of other weights.
        """
        waiting: list[Ranked] = []
        for lists in self._side_by_side():
            waiting.append(self._ranked(lists))
            if self.weights is None or self._met:
                yield from waiting
                waiting = []
        if self.weights is not None:
            _, self._missing = self.weights.vector(self._reader.layout)  # which refuses weights of nothing
        yield from waiting

    def _side_by_side(self) -> Iterator[tuple[NBest, ...]]:
        """The lists of all files for one source after the other."""
        if not self.paths:
            raise InputError("there is no n-best list to read; expected at least one")
        files = [read_nbest(path, self.sources, self.known) for path in self.paths]
        before = -1
        for lists in zip_longest(*files):
            if None in lists:
                ended = self.paths[lists.index(None)]
                path, nbest = next((path, one) for path, one in zip(self.paths, lists, strict=True) if one is not None)
                raise InputError(
                    f"{name_of(ended)}: ends with source {before}, but {name_of(path)} goes on with source "
                    f"{nbest.source} at line {nbest.line}; expected the same sources in every list"
                )
            before = lists[0].source
            yield lists

    def _ranked(self, lists: tuple[NBest, ...]) -> Ranked:
        parts = [
            self._reader.features_of(path, [nbest], self.weights is not None)
            for path, nbest in zip(self.paths, lists, strict=True)
        ]
        features = Features.joined([part[0] for part in parts])
        scores = np.concatenate([part[1] for part in parts]) if self.weights is None else self._scores(features)
        self._check(scores, lists)
        texts = [text for nbest in lists for text in nbest.texts]
        rest = [one for nbest in lists for one in nbest.rest]
        order = self._order(scores, features, texts)
        best = tuple(Hypothesis(texts[i], float(scores[i]), rest[i]) for i in order)
        return Ranked(lists[0].source, texts[0], best)

    def _scores(self, features: Features) -> NDArray[np.float64]:
        if features.columns.max(initial=-1) >= len(self._vector):  # there are new features
            assert self.weights is not None
            layout = self._reader.layout
            self._vector, self._missing = self.weights.vector(layout, strangers=True)
            self._met = len(self._missing) < len(layout.groups)
        return features.dot(self._vector)

    def _check(self, scores: NDArray[np.float64], lists: tuple[NBest, ...]) -> None:
        """Refuse scores that say nothing, and one that nothing could beat."""
        wrong = np.flatnonzero(np.isnan(scores) | (scores == np.inf))
        if not len(wrong):
            return
        places = [(path, line) for path, nbest in zip(self.paths, lists, strict=True) for line in nbest.lines]
        path, line = places[wrong[0]]
        raise InputError(
            f"{name_of(path)}: line {line}: "
            + (
                "the hypothesis has no total that is a finite number; expected one at the end of the line, or weights "
                "for its features"
                if self.weights is None
                else "features times weights are too large for a finite score"
            )
        )

    def _order(self, scores: NDArray[np.float64], features: Features, texts: list[str]) -> list[int]:
        """The best hypotheses, each once, the best first."""
        if self.top == 1:
            return [int(np.argmax(scores))]
        order = np.argsort(-scores, kind="stable")
        places: dict[str, int] = {}
        of = np.array([places.setdefault(texts[i], len(places)) for i in order], np.int32)
        rows, starts = features.take(order), np.array([0, len(order)], np.int64)
        keep = _native.mark_distinct(rows.begins, rows.columns, rows.values, starts, of)
        return [int(i) for i in order[keep > 0][: self.top]]
