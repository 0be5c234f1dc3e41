"""Minimum Bayes risk: the candidate of a source with the highest expected score.

    e* = argmax over candidates e' of Σ_e P(e) G(e', e)

G is the gain: the score of e' by any metric with e as its reference, negated where lower is better. e ranges over the
pseudo-references: the candidates themselves (each is a reference of itself, too) or other samples. P is uniform, or
softmax(scale · score) of model scores (Kumar & Byrne 2004; Eikema & Aziz 2020 for samples).

Cheaper methods, which may make another choice than the exact one:

aggregate   every candidate is scored once, against a bag of n-grams with expected counts (DeNero et al. 2009; Vamvas &
            Sennrich 2024)
coarse      aggregate selects the best few, which are then scored exactly (aggregate-to-fine of Vamvas & Sennrich 2024)
prune       pseudo-references are added in random order; candidates that hardly ever win against the best one in
            resamples of those added so far are dropped (Cheng & Vlachos 2023)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import tee
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..columns import spread
from ..errors import InputError, InputTypeError, SegmentError, SpecError, shown
from ..features import Floats, Indices
from ..metrics.base import Metric
from ..metrics.pairwise import Group, pairwise, pairwise_many, ready_for
from ..parameters import SEED, Options, Real, Whole, param
from ..parameters import Choice as Words
from ..results import Page, Result, defined
from ..segments import as_list, explain_texts
from ..types import Record, Text
from .choices import check_quality

METHODS = ("exact", "aggregate", "coarse", "prune")

#: Parameters of the cheaper methods, and the method that each belongs to.
METHOD_OF = {"keep": "coarse", "start": "prune", "confidence": "prune", "resamples": "prune", "seed": "prune"}

#: Gains that differ by less, relative to the scores they are sums of, are equal up to rounding.
SAME = 1e-12


@dataclass(frozen=True, eq=False)
class Choice(Result):
    """The candidate chosen for a source."""

    index: int  #: of the candidate; ties go to the first
    text: Any  #: the candidate itself
    gain: float  #: its expected gain: the expected score, negated where lower is better
    gains: Floats = field(repr=False)  #: of each candidate; nan where a cheaper method did not compute it
    pairs: int  #: of texts that were scored; an average of all references counts as one text

    def to_dict(self) -> dict[str, Any]:
        """The choice, and the expected gain of each candidate; None where it was not computed."""
        gains = [defined(gain) for gain in self.gains.tolist()]
        return {"index": self.index, "text": self.text, "gain": self.gain, "gains": gains, "pairs": self.pairs}

    def facts(self) -> Mapping[str, Sequence[Record]]:
        """One record per candidate."""
        gains = enumerate(self.gains.tolist())
        return {"candidates": [{"candidate": i, "gain": defined(x), "chosen": i == self.index} for i, x in gains]}

    def page(self, width: int | None = None) -> Page:
        return Page(lines=[f"{self.text} ({self.gain:.{6 if width is None else width}f} expected)"])


@dataclass(frozen=True, eq=False)
class Source:
    """The candidates of a source, and the pseudo-references they are compared with."""

    texts: Sequence[Text]
    references: Sequence[Text] | None = None  #: None: the candidates
    probabilities: Sequence[float] | Floats | None = None  #: of the references; None: uniform


def softmax(scores: Sequence[float] | Floats, scale: float = 1.0) -> Floats:
    """Probabilities proportional to exp(scale · score).

    >>> softmax([0.0, 0.0, -1000.0]).tolist()
    [0.5, 0.5, 0.0]
    """
    with np.errstate(over="ignore", invalid="ignore"):
        exponents = scale * np.asarray(scores, dtype=np.float64)
    if not exponents.size or not np.isfinite(exponents.max()):
        raise InputError("expected at least one finite score after scaling, and none that overflows")
    found = np.exp(exponents - exponents.max())
    return np.asarray(found / found.sum())


@dataclass(frozen=True)
class MBR(Options):
    """Minimum Bayes risk by a metric and a method.

    `metric` scores segments, so for BLEU take `bleu(short=effective)`. `coarse` scores `keep` candidates exactly.
    `prune` begins with `start` references, then takes twice as many, and so on; it drops candidates that win in no more
    than 1 - `confidence` of `resamples` resamples.
    """

    metric: Metric
    method: str = param("exact", Words(METHODS), "how candidates are scored")
    keep: int = param(20, Whole(1, 10**9), "coarse: candidates that are scored exactly")
    start: int = param(16, Whole(2, 10**9), "prune: candidates to compare with first; then twice as many")
    confidence: float = param(0.99, Real(0.5, high=1.0), "prune: drop what loses in this fraction of resamples")
    resamples: int = param(500, Whole(1, 1_000_000), "prune: number of resamples")
    seed: int = param(12345, SEED, "prune: random seed")

    def complete(self) -> None:
        """Reject metrics that the method cannot use."""
        if not isinstance(self.metric, Metric):
            raise InputTypeError(f"metric: expected a metric, such as tri.metric('chrf'); got {shown(self.metric)}")
        check_quality([self.metric])
        if self.method in ("aggregate", "coarse") and not self.metric.averages_references:
            raise SpecError(
                f"{self.metric.spec}: method {self.method} averages n-grams of references, so it requires a metric of "
                "n-grams (BLEU and its variants, chrF, GLEU, ROUGE-N)"
            )

    @property
    def items(self) -> dict[str, Any]:
        """The method and its parameters, for signatures."""
        names = [name for name, method in METHOD_OF.items() if method == self.method]
        return {"mbr": self.method, **{name: getattr(self, name) for name in names}}

    def choose(self, sources: Iterable[Source | Sequence[Text]], *, threads: int | None = None) -> Iterator[Choice]:
        """Choose for one source after the other, holding a few at a time. Errors name the source.

        A source may be just a list of candidates.

        >>> from tricolore import ChrF
        >>> way = MBR(ChrF())
        >>> [choice.text for choice in way.choose([["a b", "b c", "b c"], Source(["x", "y"], references=["y"])])]
        ['b c', 'y']
        """
        if isinstance(sources, str | Source) or not isinstance(sources, Iterable):
            raise InputTypeError(f"sources: expected a list of them, got {type(sources).__name__}; put it in a list")
        given: Iterable[Any] = spread(sources)
        tasks = (_Task(one if isinstance(one, Source) else Source(one), i) for i, one in enumerate(given))
        if self.method == "prune":
            for task in tasks:
                yield self._pruned(task, threads)
        else:
            for task, values in self._scored(tasks, threads):
                yield self._decided(task, values, threads)

    def _scored(self, tasks: Iterator[_Task], threads: int | None) -> Iterator[tuple[_Task, Floats]]:
        """The scores of candidates against references, or their average; several sources are counted together."""
        averaged = self.method != "exact"
        if not self.metric.is_prepared:
            for task in tasks:
                [values] = _naming(pairwise_many(task.ready(self.metric), [task.group(averaged)], threads), task.number)
                yield task, values
            return
        tasks, kept = tee(tasks)
        groups = (task.group(averaged) for task in tasks)
        scores = _naming(pairwise_many(self.metric, groups, threads), 0)
        yield from ((task, values) for values, task in zip(scores, kept, strict=True))

    def _decided(self, task: _Task, values: Floats, threads: int | None) -> Choice:
        values = self._turned(values)
        if self.method == "exact":
            return task.choice(values, values.size)
        if self.method == "aggregate":
            return task.chosen(values[:, 0], float(np.abs(values).max(initial=0.0)), values.size)
        # The best by the average; ties go to the first, and nan comes last.
        kept = np.sort(np.argsort(-values[:, 0], kind="stable")[: self.keep])
        part = self._turned(_one(self.metric, [task.texts[i] for i in kept], task.references, task.number, threads))
        exact = np.full((len(task.texts), part.shape[1]), np.nan)
        exact[kept] = part
        return task.choice(exact, values.size + part.size)

    def _turned(self, values: Floats) -> Floats:
        """Negated where lower is better."""
        return values if self.metric.higher_is_better else -values

    def _pruned(self, task: _Task, threads: int | None) -> Choice:
        """Add references step by step, and drop candidates on the way (Cheng & Vlachos 2023, algorithm 1)."""
        random = np.random.default_rng([self.seed, task.number])
        metric = task.ready(self.metric) if not self.metric.is_prepared else self.metric
        order = random.permutation(len(task.references))
        alive = np.arange(len(task.texts))
        taken, pairs = 0, 0
        seen = np.zeros((len(alive), 0))  # scores of those alive against the references taken so far
        while taken < len(order) and (len(alive) > 1 or taken == 0):
            more = order[taken : max(self.start, 2 * taken)]
            texts, references = [task.texts[i] for i in alive], [task.references[i] for i in more]
            values = self._turned(_one(metric, texts, references, task.number, threads))
            seen = np.hstack([seen, values])
            taken, pairs = taken + len(more), pairs + values.size
            if taken < len(order):
                kept = self._kept(seen, task.shares[order[:taken]], random)
                alive, seen = alive[kept], seen[kept]
        shares = task.shares[order[:taken]]
        gains = np.full(len(task.texts), np.nan)
        gains[alive] = _sums(seen, shares / shares.sum())
        return task.chosen(gains, float(np.abs(seen).max(initial=0.0)), pairs)

    def _kept(self, seen: Floats, shares: Floats, random: np.random.Generator) -> NDArray[np.bool_]:
        """Which candidates win often enough against the best when references are resampled."""
        best = first_best(_sums(seen, shares), float(np.abs(seen).max(initial=0.0)))
        if best is None:
            return np.ones(len(seen), bool)
        drawn = random.integers(0, len(shares), (self.resamples, len(shares)))
        times = np.zeros((self.resamples, len(shares)))
        np.add.at(times, (np.arange(self.resamples)[:, None], drawn), 1.0)
        sums = np.einsum("ij,bj->ib", seen, times * shares)
        wins = (sums >= sums[best]).mean(axis=1)
        return np.asarray(wins > 1.0 - self.confidence)


class _Task:
    """A source with each text once, without references of probability 0."""

    def __init__(self, source: Source, number: int):
        self.number = number
        candidates = as_list(source.texts, f"source {number}: candidates")
        if not candidates:
            raise InputError(f"source {number}: there is no candidate; expected at least one")
        self._check_texts(candidates, "hypothesis")
        self.texts, self._of = _distinct(candidates)
        self._all_references = candidates
        self.references, of = self.texts, self._of
        if source.references is not None:
            self._all_references = as_list(source.references, f"source {number}: references")
            if not self._all_references:
                raise InputError(f"source {number}: there is no reference to compare with; expected at least one")
            self._check_texts(self._all_references, "reference")
            self.references, of = _distinct(self._all_references)
        probabilities = _checked(source.probabilities, len(self._all_references), number)
        self.shares: Floats = np.bincount(of, probabilities, len(self.references)).astype(np.float64)
        if not self.shares.all():
            self.references = [text for text, share in zip(self.references, self.shares, strict=True) if share]
            self.shares = self.shares[self.shares > 0.0]

    def ready(self, metric: Metric) -> Metric:
        """The metric, after learning from the references."""
        try:
            return ready_for(metric, self._all_references)
        except InputError as error:
            raise InputError(f"source {self.number}: {error}") from None

    def _check_texts(self, texts: list[Any], what: str) -> None:
        if _native.all_plain(texts) and isinstance(texts[0], str):
            return
        try:
            explain_texts(texts, what)
        except InputError as error:
            raise InputTypeError(f"source {self.number}: {error}") from None

    def group(self, averaged: bool) -> Group:
        return Group(self.texts, self.references, self.shares if averaged else None)

    def choice(self, values: Floats, pairs: int) -> Choice:
        """Choose by scores against the references."""
        size = float(max(values.max(initial=0.0), -values.min(initial=0.0)))
        size = size if size == size else float(np.nanmax(np.abs(values), initial=0.0))
        return self.chosen(_sums(values, self.shares), size, pairs)

    def chosen(self, gains: Floats, size: float, pairs: int) -> Choice:
        """Choose by expected gains, which are sums of scores up to `size`."""
        best = first_best(gains, size)
        if best is None:
            raise InputError(f"source {self.number}: the expected gain of every candidate is undefined (nan)")
        index = int(np.argmax(self._of == best))
        return Choice(index, self.texts[best], float(gains[best]), gains[self._of], pairs)


def first_best(gains: Floats, size: float) -> int | None:
    """The index of the highest gain; ties go to the first, and nan is ignored.

    >>> first_best(np.array([np.nan, 0.1 + 0.2, 0.3, 0.2]), 1.0)
    1
    """
    best = np.fmax.reduce(gains)
    if np.isnan(best):
        return None
    near = SAME * size if np.isfinite(best) and np.isfinite(size) else 0.0
    return int(np.argmax(gains >= best - near))


def _sums(values: Floats, shares: Floats) -> Floats:
    # Not by BLAS, whose last digits depend on threads.
    return np.asarray(np.einsum("ij,j->i", values, shares))


def _distinct(texts: list[Any]) -> tuple[list[Any], Indices]:
    """Each text once, in order, and the index among these of each text given."""
    keys = [text if isinstance(text, str) or not hasattr(text, "__iter__") else tuple(text) for text in texts]
    places: dict[Any, int] = {}
    of = np.array([places.setdefault(key, len(places)) for key in keys], np.int64)
    return texts if len(places) == len(texts) else [texts[i] for i in np.unique(of, return_index=True)[1]], of


def _checked(probabilities: Any, size: int, number: int) -> Floats:
    """Probabilities that sum to 1."""
    if probabilities is None:
        return np.full(size, 1.0 / size)
    try:
        found = np.asarray(probabilities, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputTypeError(f"source {number}: expected probabilities, numbers; got {shown(probabilities)}") from None
    if found.shape != (size,):
        raise InputError(f"source {number}: expected a probability for each of {size} texts, got shape {found.shape}")
    if not (np.isfinite(found) & (found >= 0.0)).all() or not 0.0 < found.sum() < np.inf:
        raise InputError(f"source {number}: expected probabilities of 0 or more, not all 0")
    return np.asarray(found / found.sum())


def _one(metric: Metric, hyps: list[Any], refs: list[Any], number: int, threads: int | None) -> Floats:
    try:
        return pairwise(metric, hyps, refs, threads)
    except InputError as error:
        raise InputError(f"source {number}: {error}") from None


def _naming(scores: Iterator[Floats], first: int) -> Iterator[Floats]:
    """Name the source that cannot be scored; `first` is the number of the first."""
    try:
        yield from scores
    except SegmentError as error:
        raise InputError(f"source {first + error.segment}: {error.reason}") from None


@dataclass
class Checked:
    """How much expected gain a cheaper method loses, and how much work it saves, compared with the exact one."""

    sources: int = 0
    same: int = 0  #: sources with the same choice
    lost: float = 0.0  #: expected gain, summed
    pairs: int = 0
    exact_pairs: int = 0

    def line(self, method: str, metric: Metric, digits: int) -> str:
        """The comparison in one line."""
        lost = self.lost / self.sources * metric.display_scale
        return (
            f"check: {method} beside exact on {self.sources} sources: "
            f"{100 * self.same / self.sources:.1f} % the same choice, an expected score {lost:.{digits + 1}f} "
            f"lower on average, {100 * (1 - self.pairs / self.exact_pairs):.1f} % of pairs saved"
        )

    def add(self, choice: Choice, exact: Choice) -> None:
        """Add the choices for a source."""
        self.sources += 1
        self.same += choice.index == exact.index
        self.lost += exact.gain - float(exact.gains[choice.index])
        self.pairs += choice.pairs
        self.exact_pairs += exact.pairs
