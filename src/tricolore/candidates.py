"""Candidates: the hypotheses of every source with their features, from n-best lists of one or more decoding rounds.

Duplicates, with the same text and the same features, are dropped. The statistics of each distinct text of a source are
counted once per metric and kept, also when lists are merged.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from .errors import InputError, SegmentError
from .features import Features, Floats, Group, Indices, Layout, spans, starts_of
from .metrics.base import Metric
from .readers import name_of
from .readers.nbest import NBest, open_lists
from .scoring import Score
from .segments import References
from .types import Progress

NO_FEATURES = Layout(())

#: Hypotheses whose features are read at a time.
BATCH = 8192


@dataclass(eq=False)
class Counted:
    """Statistics of the texts, which metrics that count alike share."""

    rows: Floats  #: one row per text
    known: NDArray[np.bool_]  #: which texts have been counted


@dataclass(frozen=True, eq=False)
class Candidates:
    """The hypotheses of all sources, in the order in which they were read."""

    references: References
    starts: Indices  #: source i has hypotheses starts[i] to starts[i + 1]
    features: Features  #: one row per hypothesis
    texts: Sequence[str]  #: the distinct texts, source by source
    text_starts: Indices  #: source i has texts text_starts[i] to text_starts[i + 1]
    text_of: NDArray[np.int32]  #: the index of each hypothesis's text
    totals: Floats  #: the model score in the list; nan where there is none
    layout: Layout = NO_FEATURES  #: the names of the features
    _counted: dict[Any, Counted] = field(default_factory=dict, repr=False)  # by what is counted
    _ready: dict[Metric, Metric] = field(default_factory=dict, repr=False)  # metrics that have learnt from references

    def __len__(self) -> int:
        return len(self.text_of)

    @property
    def sources(self) -> int:
        """The number of sources."""
        return len(self.starts) - 1

    def best(self, weights: Floats) -> Indices:
        """The hypothesis of each source with the highest score w·h; ties go to the first."""
        return self.best_by(self.features.dot(weights))

    def best_by(self, values: Floats) -> Indices:
        """The hypothesis of each source with the highest value, given one per hypothesis; ties go to the first.

        A hypothesis whose value is nan is chosen only where all are.
        """
        return _native.find_best(np.ascontiguousarray(values, dtype=np.float64), self.starts)

    def text(self, hypothesis: int) -> str:
        """The text of a hypothesis."""
        return self.texts[int(self.text_of[hypothesis])]

    def rows(self, metric: Metric, *, threads: int | None = None, progress: Progress | None = None) -> Any:
        """Statistics of the distinct texts, one row each; `rows(metric)[text_of]` are those of the hypotheses."""
        ready = self.ready(metric)
        key = (*ready.counting(self._nrefs, ids=False).items(), *metric.columns)
        if key not in self._counted:
            number = len(self.texts)
            self._counted[key] = Counted(np.zeros((number, len(metric.columns))), np.zeros(number, bool))
        counted = self._counted[key]
        missing = np.flatnonzero(~counted.known)
        sources = np.searchsorted(self.text_starts, missing, side="right") - 1
        for first in range(0, len(missing), BATCH):
            part, of = missing[first : first + BATCH], sources[first : first + BATCH]
            references = References.unchecked([self.references.entries[i] for i in of])
            try:
                counted.rows[part] = ready.stats([self.texts[i] for i in part], references, threads=threads).values
            except SegmentError as error:
                raise InputError(f"source {of[error.segment]}: {error.reason}") from None
            counted.known[part] = True
            if progress is not None:
                progress(min(first + BATCH, len(missing)), len(missing))
        return counted.rows

    def ready(self, metric: Metric) -> Metric:
        """The metric, after learning from all references if it needs to (NIST)."""
        if metric not in self._ready:
            self._ready[metric] = metric.ready_for(self.references)
        return self._ready[metric]

    @cached_property
    def _nrefs(self) -> tuple[int, int]:
        return self.references.counts()

    def gains(self, metric: Metric) -> Floats:
        """The score of each hypothesis as a segment, negated where lower is better."""
        values = np.asarray(self.ready(metric).score(self.rows(metric)))
        return np.asarray((values if metric.higher_is_better else -values)[self.text_of])

    def score(self, metric: Metric, chosen: Indices) -> Score:
        """The corpus score of one chosen hypothesis per source."""
        result = self.ready(metric).result(self.rows(metric)[self.text_of[chosen]].sum(axis=0))
        result.nrefs = self._nrefs
        return result

    def objective(self, metric: Metric, weights: Floats) -> float:
        """The corpus score of what these weights choose, negated where lower is better."""
        total = self.rows(metric)[self.text_of[self.best(weights)]].sum(axis=0)
        value = float(self.ready(metric).score(total))
        return value if metric.higher_is_better else -value

    def subset(self, sources: Sequence[int] | Indices) -> Candidates:
        """Some of the sources, in the order given, with the statistics counted so far.

        A metric that learns from references (NIST) counts again, as it must learn from those of these sources only.
        """
        chosen = np.asarray(sources, dtype=np.int64)
        hypotheses, texts = spans(self.starts, chosen), spans(self.text_starts, chosen)
        place = np.full(len(self.texts), -1, np.int64)
        place[texts] = np.arange(len(texts))
        starts, text_starts = (starts_of(np.diff(one)[chosen]) for one in (self.starts, self.text_starts))
        return Candidates(
            References.unchecked([self.references.entries[i] for i in chosen]), starts, self.features.take(hypotheses),
            [self.texts[i] for i in texts], text_starts, place[self.text_of[hypotheses]].astype(np.int32),
            self.totals[hypotheses], self.layout,
            {key: Counted(one.rows[texts], one.known[texts]) for key, one in self._counted.items()},
        )  # fmt: skip

    def merged(self, other: Candidates) -> Candidates:
        """These hypotheses, then those of `other` (of the same sources) that are not among them."""
        if other.sources != self.sources:
            raise InputError(f"cannot merge lists of {self.sources} and of {other.sources} sources")
        texts, text_starts, places = _merged_texts(self, other)
        source_of = [np.repeat(np.arange(one.sources), np.diff(one.starts)) for one in (self, other)]
        order = np.argsort(np.concatenate(source_of), kind="stable")
        text_of = np.concatenate([places[0][self.text_of], places[1][other.text_of]]).astype(np.int32)[order]
        features = Features.joined([self.features, other.features]).take(order)
        totals = np.concatenate([self.totals, other.totals])[order]
        counted = {}
        for key, one in self._counted.items():
            rows, known = np.zeros((len(texts), one.rows.shape[1])), np.zeros(len(texts), bool)
            for candidates, place in ((other, places[1]), (self, places[0])):
                if (there := candidates._counted.get(key)) is not None:
                    rows[place[there.known]] = there.rows[there.known]
                    known[place[there.known]] = True
            counted[key] = Counted(rows, known)
        starts, layout = self.starts + other.starts, max(self.layout, other.layout, key=lambda one: one.size)
        found = Candidates(self.references, starts, features, texts, text_starts, text_of, totals, layout, counted)
        return replace(found, _ready=self._ready.copy()).distinct()

    def distinct(self) -> Candidates:
        """These without duplicates: hypotheses with the text and the features of an earlier one."""
        keep = _native.mark_distinct(*self.features.arrays, self.starts, self.text_of)
        kept = np.flatnonzero(keep)
        if len(kept) == len(self):
            return self
        starts, text_of, totals = np.searchsorted(kept, self.starts), self.text_of[kept], self.totals[kept]
        return replace(self, starts=starts, features=self.features.take(kept), text_of=text_of, totals=totals)

    @staticmethod
    def of(lists: Iterable[tuple[Sequence[str], Floats]], references: References | Sequence[Any]) -> Candidates:
        """From the texts and a dense matrix of features of each source; weights call the features `features`.

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
            builder.add([texts], features, np.full(len(texts), np.nan))
        checked = references if isinstance(references, References) else References(references)
        return builder.candidates(checked, Layout((Group("features", 0, width),)))


class CandidateReader:
    """Reads lists; a feature has the same column in all of them, so that they can be merged and share weights."""

    def __init__(self, groups: Iterable[tuple[str, int]] = ()):
        self._reader = _native.FeatureReader()
        for name, width in groups:
            self._reader.add(name, width)

    @property
    def layout(self) -> Layout:
        """The features read so far."""
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

        Each hypothesis must have features, unless `features` is false: then only the texts are read. With `first`, only
        the first hypotheses of each source are taken from each list.
        """
        merged: Candidates | None = None
        for name, lists in open_lists(nbest, len(references), references.path or "the list of references"):
            builder = _Builder()
            for batch in _batches(lists):
                for one in batch:
                    if first is not None:
                        del one.texts[first:], one.rest[first:]
                    if not features:
                        one.rest = [""] * len(one)
                builder.add([one.texts for one in batch], *self.features_of(name, batch, features))
                if progress is not None:
                    progress(batch[-1].source + 1, len(references))
            found = builder.candidates(references, self.layout)
            merged = found if merged is None else merged.merged(found)
        assert merged is not None
        return merged

    def features_of(self, path: str, lists: Sequence[NBest], needed: bool = True) -> tuple[Features, Floats]:
        """The features and totals of the hypotheses of some lists of a file."""
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
    """Lists in batches; before the error of a list that cannot be read, those before it, which may have errors too."""
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
        self.text_of = array("i")  # a compact array, as there is one number per hypothesis
        self.starts = [0]
        self.features: list[Features] = []
        self.totals: list[Floats] = []

    def add(self, lists: Sequence[Sequence[str]], features: Features, totals: Floats) -> None:
        """Add the texts of the next sources, with the features and totals of all of them."""
        for texts in lists:
            places: dict[str, int] = {}
            first = len(self.texts)
            self.text_of.extend(places.setdefault(text, first + len(places)) for text in texts)
            self.texts.extend(places)
            self.text_starts.append(len(self.texts))
            self.starts.append(len(self.text_of))
        self.features.append(features)
        self.totals.append(totals)

    def candidates(self, references: References, layout: Layout) -> Candidates:
        if len(references) != len(self.starts) - 1:
            raise InputError(
                f"there are lists for {len(self.starts) - 1} sources and references for {len(references)}; "
                "expected references for each"
            )
        starts, text_starts = np.array(self.starts, np.int64), np.array(self.text_starts, np.int64)
        text_of, totals = np.array(self.text_of, np.int32), np.concatenate([np.zeros(0), *self.totals])
        features = Features.joined(self.features)
        return Candidates(references, starts, features, self.texts, text_starts, text_of, totals, layout).distinct()


def _merged_texts(a: Candidates, b: Candidates) -> tuple[list[str], Indices, tuple[Indices, Indices]]:
    """The distinct texts of both, source by source; where sources start; and the new indices of the texts of each."""
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
