r"""ORANGE: judge metrics by where they rank references among machine translations (Lin & Och 2004).

    ORANGE = (1/S) Σᵢ rankᵢ / (Nᵢ + 1)

S: sources; Nᵢ: candidates of source i; rankᵢ: the rank of its references, the *oracle*, among them. A good metric ranks
human translations above machine translations, so lower is better; no human judgements are needed. The parameters of
`orange` are choices that the paper leaves open; the defaults follow its text most closely.

Chin-Yew Lin, Franz Josef Och. ORANGE: a method for evaluating automatic evaluation metrics for machine translation.
COLING 2004.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...columns import kind_of, spread
from ...errors import InputError, InputTypeError, SegmentError, SpecError, shown
from ...metrics import expanded, listed, metric
from ...metrics.base import Metric
from ...metrics.shared_counts import segment_scores
from ...parameters import Whole
from ...readers.nbest import read_nbest
from ...readers.texts import references_of
from ...segments import References, as_list
from ...types import Progress, SegmentReferences
from ..resampling import resampled_sums
from .curve import CurveSums
from .metric_pairs import MetricPair, metric_pairs
from .options import LARGEST, PAPER, TIES, Settings
from .results import MetricOrange, Orange

#: Scores that differ by less than this fraction of the references' scores are equal: means have rounding errors.
SAME = 1e-12


@dataclass(frozen=True, eq=False)
class Ranking:
    """The ranking of the candidates of one source; the first axis of every array is metrics."""

    source: int  #: numbered from 0
    references: tuple[str, ...]
    texts: list[str]  #: the candidates
    scores: NDArray[np.float64]  #: of the candidates
    reference_scores: NDArray[np.float64]  #: of each reference against the others
    beaten: NDArray[np.int64]  #: how many oracles each candidate beats: at most one, or the number of references
    ranks: NDArray[np.float64]

    def reference_ranks(self, i: int, metric: Metric, ties: str) -> NDArray[np.float64]:
        """The rank of each reference alone among the candidates, by metric number `i`."""
        sign, oracles = 1.0 if metric.higher_is_better else -1.0, self.reference_scores[i]
        candidates = np.broadcast_to(self.scores[i], (len(oracles), len(self.texts)))
        beaten, tied = compare(sign * candidates, sign * oracles[:, None], SAME * np.abs(oracles).max())
        return np.asarray(1.0 + (beaten + TIES[ties] * tied).sum(axis=1))

    @property
    def ratios(self) -> NDArray[np.float64]:
        """The source's term of ORANGE."""
        return self.ranks / (len(self.texts) + 1)


def orange(
    nbest: str | os.PathLike[str] | Iterable[Sequence[str]],
    refs: Sequence[SegmentReferences] | References,
    metrics: Sequence[str | Metric] | str | Metric = PAPER,
    *,
    candidates: str = "all",
    average: str = "score",
    ties: str = "mid",
    unequal: str = "keep",
    distinct: bool = False,
    n: int | None = None,
    level: float = 0.95,
    samples: int = 1000,
    seed: int = 12345,
    verdict: str = "holm",
    test: bool = False,
    trials: int = 100_000,
    curve: bool | int = False,
    each: Callable[[Ranking], None] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Orange:
    """Judge metrics by where they rank references among machine translations; lower is better.

    `nbest` has an n-best list for each source: a file name (see `tricolore.readers.nbest`), or any iterable of lists,
    which is read one by one. `refs` has the references of each source, two or more.

    References are scored against the other references of their source (against themselves they would be perfect by
    every metric). Error rates are negated. NIST learns its information from all references.

    - `candidates`: what candidates are scored against. "all" = all references; "jackknife" = the mean over all subsets
      without one reference, so that candidates and references are scored against equally many.
    - `average`: "score" = the rank of the mean score of the references; "rank" = the mean of their ranks.
    - `ties`: candidates that tie with the oracle. "mid" = half of them rank above it, "min" = none, "max" = all. Scores
      that agree to twelve digits are equal.
    - `unequal`: lists shorter than the longest, or than `n`. "keep" = divide each rank by its own N + 1; "drop" = drop
      them, as the paper does.
    - `distinct`: use identical candidates of a source once.
    - `n`: use the first `n` candidates of every list (after `distinct`).
    - `level`, `samples`, `seed`: percentile bootstrap over sources.
    - `verdict`: "holm" = worse than the best by a paired test, corrected for all pairs of metrics, because the best is
      chosen by looking; "interval" = outside the interval of the best, as in the paper, without a correction.
    - `test`: also return the paired tests between any two metrics, in `pairs`. Two metrics swap places source by
      source, in `trials` random ways, or in all if there are at most 16 sources.
    - `curve`: also compute ORANGE by the length of the lists; a number is the step, True at most 256 steps.
    - `each`: called with the `Ranking` of every source, in order.

    The result has one `MetricOrange` per metric, in order, also indexed by the text of a metric. Verdicts are about
    ORANGE; if all lists have the same length, those of the average rank are equivalent.

    >>> refs = [["police killed the gunman", "the gunman was killed by police"],
    ...         ["the cat sat on the mat", "a cat sat on the mat"], ["it is too late", "it is already too late"]]
    >>> nbest = [["police kill the gunman", "gunman police killed"],
    ...          ["on the mat a cat sat", "the cat sat mat"], ["too late it is", "is late too"]]
    >>> for one in orange(nbest, refs, ["rouge-l", "per"]):
    ...     print(one)
    ROUGE-L: ORANGE = 55.56 % (average rank 1.7, 1.0 to 3.0, best)
    PER: ORANGE = 77.78 % (average rank 2.3, 2.0 to 3.0, not shown worse)
    """
    settings = Settings(candidates, average, ties, unequal, distinct, n, level, samples, seed, verdict, test, trials)
    asked = expanded(listed(metrics))
    made = _metrics(asked)
    references = _references(refs)
    whole = References(references)
    ready = [one.for_segments.ready_for(whole) for one in made]
    sums = None if curve is False else CurveSums(_step(curve), unequal == "drop")
    tally: list[tuple[int, int, NDArray[np.float64]]] = []
    lists = _checked(nbest, len(references))
    enough = min(one.batch_size for one in ready)
    for batch in _batches(lists, references, settings, enough):
        for ranking, ahead in _ranked(batch, ready, settings, threads):
            tally.append((ranking.source, len(ranking.texts), ranking.ranks))
            if sums is not None:
                sums.add(ahead)
            if each is not None:
                each(ranking)
        if progress is not None:
            progress(len(tally), len(references))
    signatures = [one.signature(whole.counts()) for one in ready]
    found, pairs = _results(tally, made, signatures, settings, sums)
    return Orange(tuple(map(str, asked)), tuple(found), tuple(pairs) if test else ())


# Inputs ----------------------------------------------------------------------------------------------------


def _metrics(metrics: Sequence[str | Metric]) -> list[Metric]:
    made = [metric(one) for one in metrics]
    if not made:
        raise SpecError("metrics: expected at least one, got none")
    for one in made:
        if made.count(one) > 1:
            raise SpecError(f"metric {one.spec} is given twice")
    return made


def _step(curve: bool | int) -> int | None:
    if curve is True:
        return None
    try:
        return Whole(1, LARGEST).check(curve)
    except ValueError:
        raise SpecError(f"curve must be true, false or a step of 1 or more; got {shown(curve)}") from None


def _references(refs: Sequence[SegmentReferences] | References) -> list[tuple[str, ...]]:
    """The references of each source, two or more."""
    entries = References(references_of(refs).entries).entries
    if not entries:
        raise InputError("references: expected at least one source, got none")
    found = []
    for i, entry in enumerate(entries):
        texts = (entry,) if isinstance(entry, str) else tuple(text for text in entry if text is not None)
        if not all(isinstance(text, str) for text in texts):
            raise InputTypeError(f"references of source {i}: expected texts, got token ids")
        if len(texts) < 2:
            raise InputError(
                f"source {i} has one reference; expected two or more, because each is scored against the others"
            )
        found.append(texts)
    return found


def _checked(nbest: Any, sources: int) -> Iterator[list[str]]:
    """The n-best lists one by one, one per source; empty lists and anything but text are errors."""
    if isinstance(nbest, str | os.PathLike):
        for one in read_nbest(os.fspath(nbest), sources):
            yield one.texts
        return
    number, lists = 0, spread(nbest)
    if not isinstance(lists, Iterable):
        raise InputTypeError(f"nbest: expected a file, or a list of translations for each source; got {kind_of(nbest)}")
    for number, given in enumerate(lists, 1):
        if number > sources:
            raise InputError(f"source {sources} has no references; there are {sources} sources with references")
        if isinstance(given, str):
            raise InputTypeError(f"source {number - 1}: expected a list of translations, got str")
        texts = as_list(given, f"source {number - 1}")
        if not texts:
            raise InputError(f"source {number - 1}: the list is empty; expected at least one translation")
        for k, text in enumerate(texts):
            if not isinstance(text, str):
                found = "is missing" if text is None else f"is {kind_of(text)}"
                raise InputTypeError(f"source {number - 1}, translation {k} {found}; expected a text")
        yield texts
    if number < sources:
        raise InputError(f"lists for {number} sources, but references for {sources}; expected a list for each source")


# Scores ----------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class _Batch:
    """A batch of sources, and the texts to score for them."""

    first: int  #: the number of the first source
    sources: list[_Source] = field(default_factory=list)
    hyps: list[str] = field(default_factory=list)
    refs: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, texts: list[str], references: tuple[str, ...], jackknife: bool) -> None:
        """Add a source; identical candidates are scored once."""
        number = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        others = [references[:k] + references[k + 1 :] for k in range(len(references))]
        self.sources.append(_Source(texts, references, [number[text] for text in texts], len(self.hyps)))
        for against in others if jackknife else [references]:
            self.hyps += number
            self.refs += [against] * len(number)
        self.hyps += references
        self.refs += others


@dataclass(frozen=True, eq=False)
class _Source:
    texts: list[str]
    references: tuple[str, ...]
    numbers: list[int]  #: the index of each candidate among the distinct texts
    begin: int  #: where its texts begin in the batch


def _batches(
    lists: Iterator[list[str]], references: list[tuple[str, ...]], settings: Settings, enough: int
) -> Iterator[_Batch]:
    """Group sources into batches with enough texts to score."""
    batch = _Batch(0)
    for i, texts in enumerate(lists):
        taken = list(dict.fromkeys(texts)) if settings.distinct else texts
        batch.add(taken[: settings.n], references[i], settings.candidates == "jackknife")
        if len(batch.hyps) >= enough:
            yield batch
            batch = _Batch(i + 1)
    if batch.sources:
        yield batch


def _ranked(
    batch: _Batch, metrics: Sequence[Metric], settings: Settings, threads: int | None
) -> Iterator[tuple[Ranking, NDArray[np.float64]]]:
    """Rank each source of a batch; also return the number of places by which each candidate lowers the oracle."""
    try:
        scores = segment_scores(metrics, batch.hyps, References.unchecked(batch.refs), threads=threads)
    except SegmentError as error:
        source = batch.first + max(k for k, one in enumerate(batch.sources) if one.begin <= error.segment)
        raise InputError(f"source {source}: {error.reason}") from None
    signs = np.array([1.0 if one.higher_is_better else -1.0 for one in metrics])[:, None]
    ends = [*(one.begin for one in batch.sources[1:]), len(batch.hyps)]
    for number, (one, end) in enumerate(zip(batch.sources, ends, strict=True), batch.first):
        own = scores[:, one.begin : end]
        for i in np.flatnonzero(np.isnan(own).any(axis=1))[:1]:
            raise InputError(f"source {number}: {metrics[i].spec} returned nan, which has no rank")
        yield _rank(number, one, own, signs, settings)


def _rank(
    number: int, one: _Source, scores: NDArray[np.float64], signs: NDArray[np.float64], settings: Settings
) -> tuple[Ranking, NDArray[np.float64]]:
    """Rank one source by the scores of its distinct candidates, which come first, and of its references.

    With `jackknife` the candidates are repeated for each reference left out.
    """
    R = len(one.references)
    of_texts, of_references = scores[:, :-R], scores[:, -R:]
    if settings.candidates == "jackknife":
        of_texts = of_texts.reshape(len(scores), R, -1).mean(axis=1)
    of_candidates = of_texts[:, one.numbers]
    oracles = of_references.mean(axis=1, keepdims=True) if settings.average == "score" else of_references
    least = SAME * np.abs(of_references).max(axis=1, keepdims=True)
    beaten, tied = compare(signs * of_candidates, signs * oracles, least)
    ahead = beaten + TIES[settings.ties] * tied  # divided after summation, so that sums are exact
    ranks = 1.0 + ahead.sum(axis=1) / oracles.shape[1]
    ranking = Ranking(number, one.references, one.texts, of_candidates, of_references, beaten, ranks)
    return ranking, ahead / oracles.shape[1]


def compare(
    candidates: NDArray[np.float64], oracles: NDArray[np.float64], least: Any
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The number of oracles that each candidate beats, by more than `least`, and with which it ties.

    The last axes are candidates and oracles.

    >>> beaten, tied = compare(np.array([0.3, 0.1 + 0.2, 0.9]), np.array([0.3, 0.5]), 1e-12)
    >>> beaten.tolist(), tied.tolist()
    ([0, 0, 2], [1, 1, 0])
    """
    beaten = np.zeros(candidates.shape, dtype=np.int64)
    tied = np.zeros(candidates.shape, dtype=np.int64)
    for k in range(oracles.shape[-1]):
        difference = candidates - oracles[..., k, None]
        beaten += difference > least
        tied += np.abs(difference) <= least
    return beaten, tied


# Results ---------------------------------------------------------------------------------------------------


def _results(
    tally: list[tuple[int, int, NDArray[np.float64]]],
    metrics: Sequence[Metric],
    signatures: Sequence[str],
    settings: Settings,
    sums: CurveSums | None,
) -> tuple[list[MetricOrange], list[MetricPair]]:
    """The result of each metric and pair, from the number, the size and the ranks of every source."""
    sources, sizes, ranks = (np.array(column) for column in zip(*tally, strict=True))
    if settings.unequal == "drop":
        longest = settings.n or int(sizes.max())
        kept = sizes == longest
        if not kept.any():
            have = f"no source has {longest} candidates (the most are {sizes.max()})"
            raise InputError(f"{have}, and unequal='drop' drops shorter lists; choose a smaller n")
        sources, ranks, sizes = sources[kept], ranks[kept], sizes[kept]
    M = len(metrics)
    rows = np.hstack([ranks, ranks / (sizes + 1)[:, None]])
    means, (low, high) = rows.mean(axis=0), _intervals(rows, settings)
    best = int(np.argmin(means[M:]))
    tested = len(sources) > 1 and (settings.test or settings.verdict == "holm")
    pairs = metric_pairs(rows[:, M:], settings.trials, settings.seed) if tested else []
    verdicts = _verdicts(best, means[M:], high[M + best], pairs, settings)
    curves = sums.curves(ranks, sizes) if sums is not None else [None] * M
    judged = settings.signature(len(sources), sizes)
    found = [
        MetricOrange(
            metric=metrics[i],
            orange=float(means[M + i]),
            average_rank=float(means[i]),
            interval=(float(low[i]), float(high[i])),
            orange_interval=(float(low[M + i]), float(high[M + i])),
            sources=sources,
            ranks=ranks[:, i],
            sizes=sizes,
            verdict=verdicts[i],
            level=settings.level,
            metric_signature=signatures[i],
            judged=judged,
            curve=curves[i],
        )
        for i in range(M)
    ]
    return found, pairs


def _intervals(rows: NDArray[np.float64], settings: Settings) -> Any:
    """The percentile bootstrap interval of each column's mean, over sources; nan for a single source."""
    if len(rows) < 2:
        return np.full((2, rows.shape[1]), np.nan)
    means = resampled_sums(rows, settings.samples, settings.seed) / len(rows)
    outside = (1.0 - settings.level) / 2.0
    return np.quantile(means, [outside, 1.0 - outside], axis=0)


def _verdicts(
    best: int, means: NDArray[np.float64], most: float, pairs: Sequence[MetricPair], settings: Settings
) -> list[str]:
    """Which metrics are worse than the best: by the paired tests, or by the paper's criterion."""
    if math.isnan(most):
        worse = dict.fromkeys(range(len(means)), "unknown")
    elif settings.verdict == "interval":
        worse = {i: "worse" for i, mean in enumerate(means) if mean > most}
    else:
        alpha = round(1 - settings.level, 12)
        worse = {one.worse: "worse" for one in pairs if one.better == best and one.p_adjusted < alpha}
    return ["best" if i == best else worse.get(i, "not shown worse") for i in range(len(means))]
