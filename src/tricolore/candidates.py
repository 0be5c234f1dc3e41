"""Candidates: the hypotheses of every source with their features, from n-best lists of one or more decoding rounds.

Hypotheses with the same text and the same features are one. Statistics are counted once for every distinct text of a
source and metric, and kept, also when lists are merged.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from .errors import InputError, SegmentError
from .features import Features, Group, Layout
from .readers import name_of
from .readers.nbest import open_lists
from .segments import References

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from .features import Floats, Indices
    from .metrics.base import Metric, Progress
    from .readers.nbest import NBest
    from .scoring import Score

NO_FEATURES = Layout(())

#: Hypotheses whose features are read in one go.
BATCH = 8192


@dataclass(eq=False)
class Counted:
    """Statistics of the texts, as one metric counts them or several: those that were counted so far."""

    rows: Floats  #: a row a text
    known: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Candidates:
    """Hypotheses source by source; within a source in the order in which they were read."""

    references: References
    starts: Indices  #: where the hypotheses of each source begin; one more than there are sources
    features: Features  #: a row a hypothesis
    texts: Sequence[str]  #: the distinct texts, source by source
    text_starts: Indices  #: where the texts of each source begin; one more than there are sources
    text_of: NDArray[np.int32]  #: which of the texts each hypothesis is
    totals: Floats  #: the score that the list gives a hypothesis; nan where it gives none
    layout: Layout = NO_FEATURES  #: the names of the features
    _counted: dict[Any, Counted] = field(default_factory=dict, repr=False)  # by what is counted
    _ready: dict[Metric, Metric] = field(default_factory=dict, repr=False)  # those that have learnt

    def __len__(self) -> int:
        """How many hypotheses there are."""
        return len(self.text_of)

    @property
    def sources(self) -> int:
        """How many sources there are."""
        return len(self.starts) - 1

    # Choosing ----------------------------------------------------------------------------------------------

    def best(self, weights: Floats) -> Indices:
        """The hypothesis of every source with the highest score by these weights, the first of equals."""
        return self.best_by(self.features.dot(weights))

    def best_by(self, values: Floats) -> Indices:
        """The hypothesis of every source with the highest of these values (one a hypothesis), the first of equals.

        One whose value is nan is chosen only where there is no other.
        """
        return _native.find_best(np.ascontiguousarray(values, dtype=np.float64), self.starts)

    def text(self, hypothesis: int) -> str:
        """The text of a hypothesis."""
        return self.texts[int(self.text_of[hypothesis])]

    # Counting ----------------------------------------------------------------------------------------------

    def rows(self, metric: Metric, *, threads: int | None = None, progress: Progress | None = None) -> Any:
        """Statistics of the distinct texts with a metric, a row each; `rows(metric)[text_of]` is for hypotheses."""
        ready = self.ready(metric)
        key = (*ready.counting(self._nrefs, ids=False).items(), *metric.columns)
        counted = self._counted.get(key)
        if counted is None:
            counted = Counted(np.zeros((len(self.texts), len(metric.columns))), np.zeros(len(self.texts), bool))
            self._counted[key] = counted
        missing = np.flatnonzero(~counted.known)
        if len(missing):
            self._count(ready, counted, missing, threads, progress)
        return counted.rows

    def _count(
        self, ready: Metric, counted: Counted, missing: Indices, threads: int | None, progress: Progress | None
    ) -> None:
        sources = np.searchsorted(self.text_starts, missing, side="right") - 1
        for first in range(0, len(missing), BATCH):
            part = missing[first : first + BATCH]
            of = sources[first : first + BATCH]
            texts = [self.texts[i] for i in part]
            entries = References.unchecked([self.references.entries[i] for i in of])
            try:
                counted.rows[part] = ready.stats(texts, entries, threads=threads).values
            except SegmentError as error:
                raise InputError(f"source {of[error.segment]}: {error.reason}") from None
            counted.known[part] = True
            if progress is not None:
                progress(min(first + BATCH, len(missing)), len(missing))

    def ready(self, metric: Metric) -> Metric:
        """The metric, having learnt from all references what it needs (NIST)."""
        if metric not in self._ready:
            self._ready[metric] = metric.ready_for(self.references)
        return self._ready[metric]

    @cached_property
    def _nrefs(self) -> tuple[int, int]:
        return self.references.counts()

    def gains(self, metric: Metric) -> Floats:
        """The score of every hypothesis on its own, turned so that more is better."""
        rows = self.rows(metric)
        values = np.asarray(self.ready(metric).score(rows))
        return np.asarray((values if metric.higher_is_better else -values)[self.text_of])

    def score(self, metric: Metric, chosen: Indices) -> Score:
        """Score the corpus of one chosen hypothesis a source."""
        total = self.rows(metric)[self.text_of[chosen]].sum(axis=0)
        result = self.ready(metric).result(total)
        result.nrefs = self._nrefs
        return result

    def objective(self, metric: Metric, weights: Floats) -> float:
        """The corpus score of what these weights choose, turned so that more is better."""
        total = self.rows(metric)[self.text_of[self.best(weights)]].sum(axis=0)
        value = float(self.ready(metric).score(total))
        return value if metric.higher_is_better else -value

    # Making others -----------------------------------------------------------------------------------------

    def subset(self, sources: Sequence[int] | Indices) -> Candidates:
        """Some of the sources, in the order given; statistics that were counted come along.

        A metric that learns from references (NIST) is to know of these sources only; it counts anew.
        """
        chosen = np.asarray(sources, dtype=np.int64)
        hypotheses = _spans(self.starts, chosen)
        texts = _spans(self.text_starts, chosen)
        place = np.full(len(self.texts), -1, np.int64)
        place[texts] = np.arange(len(texts))
        references = References.unchecked([self.references.entries[i] for i in chosen])
        return Candidates(
            references,
            _starts(np.diff(self.starts)[chosen]),
            self.features.take(hypotheses),
            [self.texts[i] for i in texts],
            _starts(np.diff(self.text_starts)[chosen]),
            place[self.text_of[hypotheses]].astype(np.int32),
            self.totals[hypotheses],
            self.layout,
            {key: Counted(one.rows[texts], one.known[texts]) for key, one in self._counted.items()},
        )

    def merged(self, other: Candidates) -> Candidates:
        """These and the hypotheses of another reading of the same sources that are not among them."""
        if other.sources != self.sources:
            raise InputError(f"cannot merge lists of {self.sources} and of {other.sources} sources")
        texts, text_starts, places = _merged_texts(self, other)
        order = np.argsort(_numbers(self.starts, other.starts), kind="stable")
        text_of = np.concatenate([places[0][self.text_of], places[1][other.text_of]]).astype(np.int32)[order]
        features = Features.joined([self.features, other.features]).take(order)
        starts = _starts(np.diff(self.starts) + np.diff(other.starts))
        totals = np.concatenate([self.totals, other.totals])[order]
        counted = {}
        for key, one in self._counted.items():
            rows, known = np.zeros((len(texts), one.rows.shape[1])), np.zeros(len(texts), bool)
            for candidates, place in ((other, places[1]), (self, places[0])):
                if (there := candidates._counted.get(key)) is not None:
                    rows[place[there.known]] = there.rows[there.known]
                    known[place[there.known]] = True
            counted[key] = Counted(rows, known)
        ready = self._ready.copy()
        layout = max(self.layout, other.layout, key=lambda one: one.size)
        return Candidates(
            self.references, starts, features, texts, text_starts, text_of, totals, layout, counted, ready
        ).distinct()

    def distinct(self) -> Candidates:
        """These without hypotheses that have the text and the features of one before them."""
        features = self.features
        keep = _native.mark_distinct(features.begins, features.columns, features.values, self.starts, self.text_of)
        kept = np.flatnonzero(keep)
        if len(kept) == len(self):
            return self
        before = np.concatenate([[0], np.cumsum(keep, dtype=np.int64)])
        starts, text_of, totals = before[self.starts], self.text_of[kept], self.totals[kept]
        return replace(self, starts=starts, features=features.take(kept), text_of=text_of, totals=totals)

    @staticmethod
    def of(lists: Iterable[tuple[Sequence[str], Floats]], references: References | Sequence[Any]) -> Candidates:
        """From texts and an ordinary matrix of features for every source, called `features` in weights.

        >>> lists = [(["a cat", "the cat"], np.array([[-1.0, 0.5], [-2.0, 0.0]])), (["a dog"], np.array([[-1.0, 1.0]]))]
        >>> candidates = Candidates.of(lists, ["the cat", "a dog"])
        >>> [candidates.text(i) for i in candidates.best(np.array([1.0, 0.0]))]
        ['a cat', 'a dog']
        """
        builder = _Builder()
        width = 0
        for source, (texts, matrix) in enumerate(lists):
            dense = np.atleast_2d(np.asarray(matrix, dtype=np.float64))
            features, width = Features.of(dense), max(width, dense.shape[1])
            if len(features) != len(texts) or not len(texts):
                raise InputError(
                    f"source {source}: expected a row of features for each hypothesis, and at least one; "
                    f"got {len(texts)} hypotheses and {len(features)} rows"
                )
            if not all(isinstance(text, str) for text in texts):
                raise InputError(f"source {source}: expected hypotheses that are texts")
            if not np.isfinite(features.values).all():
                raise InputError(f"source {source}: expected finite features, got nan or an infinite one")
            builder.add(texts)
            builder.extend(features, np.full(len(texts), np.nan))
        checked = references if isinstance(references, References) else References(references)
        return builder.candidates(checked, Layout((Group("features", 0, width),)))


class CandidateReader:
    """Reads lists with one numbering of features, so that what it reads can be merged and shares weights."""

    def __init__(self, groups: Iterable[tuple[str, int]] = ()):
        self._reader = _native.FeatureReader()
        for name, width in groups:
            self._reader.add(name, width)

    @property
    def layout(self) -> Layout:
        """The features that were read so far."""
        return Layout(tuple(Group(*group) for group in self._reader.groups))

    def read(
        self,
        nbest: Any,
        references: References,
        *,
        features: bool = True,
        first: int | None = None,
        progress: Progress | None = None,
    ) -> Candidates:
        """Read n-best lists and merge those of several files of the same sources; see `open_lists`.

        A hypothesis that has no features is refused; without `features` only the texts are read, whatever follows
        them. With `first`, only so many hypotheses of a source are taken from each list.
        """
        merged: Candidates | None = None
        for name, lists in open_lists(nbest, len(references), references.path or "the list of references"):
            found = self._read(name, lists, references, features, first, progress)
            merged = found if merged is None else merged.merged(found)
        assert merged is not None
        return merged

    def _read(
        self,
        path: str,
        sources: Iterator[NBest],
        references: References,
        features: bool,
        first: int | None,
        progress: Progress | None,
    ) -> Candidates:
        builder = _Builder()
        for lists in _batches(sources):
            for nbest in lists:
                if first is not None:
                    del nbest.texts[first:], nbest.rest[first:]
                if not features:
                    nbest.rest = [""] * len(nbest)
                builder.add(nbest.texts)
            builder.extend(*self.features_of(path, lists, features))
            if progress is not None:
                progress(lists[-1].source + 1, len(references))
        return builder.candidates(references, self.layout)

    def features_of(self, path: str, lists: Sequence[NBest], needed: bool = True) -> tuple[Features, Floats]:
        """The features and the totals of the hypotheses of some lists of a file."""
        rest = [text for nbest in lists for text in nbest.rest]
        lines = [line for nbest in lists for line in nbest.lines]
        begins, columns, values, totals, wrong, reason = self._reader.read(rest)
        if wrong >= 0:
            raise InputError(f"{name_of(path)}: line {lines[wrong]}: {reason}")
        if needed:
            for line, text in zip(lines, rest, strict=True):
                if not text or text.startswith("|||"):
                    raise InputError(
                        f"{name_of(path)}: line {line}: the hypothesis has no features; "
                        "expected 'source ||| text ||| name= value ... ||| total'"
                    )
        return Features(begins, columns, values), totals


def _batches(lists: Iterator[NBest]) -> Iterator[list[NBest]]:
    """Lists in batches; where one cannot be read, those before it come first, so that the first mistake is told."""
    batch: list[NBest] = []
    number = 0
    try:
        for nbest in lists:
            batch.append(nbest)
            number += len(nbest)
            if number >= BATCH:
                yield batch
                batch, number = [], 0
    except InputError:
        if batch:
            yield batch
        raise
    if batch:
        yield batch


class _Builder:
    """Collects the lists of one file."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.text_starts = [0]
        self.text_of = array("i")  # a number a hypothesis: of all that is kept here there are most of these
        self.starts = [0]
        self.features: list[Features] = []
        self.totals: list[Floats] = []

    def add(self, texts: Sequence[str]) -> None:
        """The texts of the next source."""
        places: dict[str, int] = {}
        first = len(self.texts)
        for text in texts:
            place = places.setdefault(text, first + len(places))
            self.text_of.append(place)
        self.texts.extend(places)
        self.text_starts.append(len(self.texts))
        self.starts.append(len(self.text_of))

    def extend(self, features: Features, totals: Floats) -> None:
        """The features of the next hypotheses, those of one or more sources."""
        self.features.append(features)
        self.totals.append(totals)

    def candidates(self, references: References, layout: Layout) -> Candidates:
        """All of them."""
        if len(references) != len(self.starts) - 1:
            raise InputError(
                f"there are lists for {len(self.starts) - 1} sources and references for {len(references)}; "
                "expected references for each"
            )
        return Candidates(
            references,
            np.array(self.starts, np.int64),
            Features.joined(self.features),
            self.texts,
            np.array(self.text_starts, np.int64),
            np.array(self.text_of, np.int32),
            np.concatenate(self.totals) if self.totals else np.zeros(0),
            layout,
        ).distinct()


def _merged_texts(a: Candidates, b: Candidates) -> tuple[list[str], Indices, tuple[Indices, Indices]]:
    """The distinct texts of both, source by source; where sources begin; and where the texts of either are now."""
    texts: list[str] = []
    starts = [0]
    places = (np.zeros(len(a.texts), np.int64), np.zeros(len(b.texts), np.int64))
    for source in range(a.sources):
        known: dict[str, int] = {}
        for candidates, place in zip((a, b), places, strict=True):
            begin, end = candidates.text_starts[source : source + 2].tolist()
            for i in range(begin, end):
                place[i] = known.setdefault(candidates.texts[i], len(texts) + len(known))
        texts.extend(known)
        starts.append(len(texts))
    return texts, np.array(starts, np.int64), places


def _starts(sizes: Indices) -> Indices:
    """Where lists of these sizes begin, and where the last ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _spans(starts: Indices, chosen: Indices) -> Indices:
    """The numbers of everything in the chosen lists."""
    sizes = np.diff(starts)[chosen]
    return np.repeat(starts[:-1][chosen] - _starts(sizes)[:-1], sizes) + np.arange(sizes.sum())


def _numbers(*all_starts: Indices) -> Indices:
    """For each item of several collections the number of its list."""
    return np.concatenate([np.repeat(np.arange(len(starts) - 1), np.diff(starts)) for starts in all_starts])
