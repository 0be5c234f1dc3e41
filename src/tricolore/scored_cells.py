"""One system by one metric: its score and what stands beside it, counted in memory or from files block by block."""

from __future__ import annotations

from functools import partial

from .metrics.block_counts import BlockCounts
from .metrics.shared_counts import corpus_scores, segment_rows
from .readers.texts import naming_the_system
from .scoring import with_items
from .segments import pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from .external_options import ExternalOptions
    from .judge.external_scores import ExternalScores
    from .judge.significance.confidence import Tested
    from .metrics.base import Metric
    from .readers.text_streams import CorpusStream
    from .scores import ScoreTests
    from .scoring import Score
    from .segment_files import SegmentFile
    from .segments import References
    from .stats import Stats
    from .types import Stage

#: A p-value below this gets a star.
STARRED = 0.05


class Cell:
    """One system by one metric."""

    def __init__(
        self,
        system: str,
        score: Score,
        rows: Stats | None = None,
        beside: Tested | None = None,
        origin: Mapping[str, str] | None = None,
        spooled: Callable[[], Iterator[float]] | None = None,
    ):
        self.system = system
        self.score = score
        self.rows = rows  #: the statistics of its segments, where they were kept
        self.beside = beside  #: interval and p-value, where they were asked for
        self.origin = origin or {}  #: the test set, where the references are of one
        self.spooled = spooled  #: scores of segments, on disk

    def with_origin(self, origin: Mapping[str, str]) -> Cell:
        """The same with the test set that the references are of."""
        return Cell(self.system, self.score, self.rows, self.beside, origin, self.spooled)

    @property
    def signature(self) -> str:
        """The signature of the score, of the test set, and of what was done beside scoring."""
        return with_items(self.score.signature, {**self.origin, **(self.beside.items if self.beside else {})})

    def digits(self, width: int | None) -> int:
        """The digits after the point asked for, or as many as the metric's users expect."""
        return self.score.metric.display_digits if width is None else width

    def shown(self, width: int | None, alone: bool = False) -> str:
        """The points, perhaps with interval and p-value, as in sacreBLEU's tables or, `alone`, in its lines."""
        digits = self.digits(width)
        text = self.score.display(digits)
        if self.beside is None:
            return text
        if self.beside.confidence is not None:
            it, scale = self.beside.confidence, self.score.metric.display_scale
            if alone:
                return f"{text} ({it.shown(digits, self.beside.items.get('compat'))})"
            text += f" ({it.mean * scale:.{digits}f} ± {it.half_width * scale:.{digits}f})"
        p = self.beside.p_value
        return text if p is None else f"{text} (p = {p:.4f}){'*' if p < STARRED else ''}"

    def to_dict(self, test: bool) -> dict[str, Any]:
        """Everything, under sacreBLEU's names where it has them; scores and intervals are in points."""
        found = {"system": self.system, **self.score.to_dict(), "signature": self.signature, **self.origin}
        if self.beside is None:
            return found
        if self.beside.confidence is not None:
            it, scale = self.beside.confidence, self.score.metric.display_scale
            mean, half, low, high = (x * scale for x in (it.mean, it.half_width, it.low, it.high))
            shown = it.shown(self.digits(None), self.beside.items.get("compat"))
            found |= {"confidence_mean": mean, "confidence_var": half, "confidence": shown}
            found |= {"confidence_low": low, "confidence_high": high, "confidence_level": it.level}
        return found | ({"p_value": self.beside.p_value} if test else {}) | dict(self.beside.items)


def counted_whole(
    metrics: Sequence[Metric],
    outputs: Mapping[str, list[Any]],
    references: References,
    how: ScoreTests,
    segments: bool,
    threads: int | None,
    progress: Stage | None,
) -> dict[str, list[Cell]]:
    """Score texts that are in memory."""
    count: Callable[..., list[Any]] = segment_rows if how.asked or segments else corpus_scores
    counted = {}
    for name, texts in outputs.items():
        step = progress(f"scoring {name}") if progress else None
        with naming_the_system(name, texts):
            hyps, _ = pair(texts, references)
            counted[name] = count(metrics, hyps, references, threads=threads, progress=step)
    if how.asked or segments:
        return with_rows(metrics, counted, how, progress)
    return {name: [Cell(name, one) for one in of] for name, of in counted.items()}


def counted_stream(
    metrics: Sequence[Metric],
    corpus: CorpusStream,
    how: ScoreTests,
    target: SegmentFile | None,
    keep: bool,
    threads: int | None,
    progress: Stage | None,
) -> dict[str, list[Cell]]:
    """Score files block by block; rows are kept only for tests, or where the scores of segments are to be kept."""
    spool = target.spool(metrics) if target and not keep and not how.asked else None
    take = spool.add if spool else None
    kept = keep or how.asked
    counts = count_stream(metrics, corpus, keep_rows=kept, take_rows=take, threads=threads, progress=progress)
    if kept:
        if not keep and not target and (found := with_plain_intervals(metrics, counts, how, len(corpus.references))):
            return found
        return with_rows(metrics, {name: one.rows() for name, one in counts.items()}, how, progress)
    found = {}
    for n, (name, one) in enumerate(counts.items()):
        first = n * len(metrics)
        on_disk = [partial(spool.values, first + k) if spool else None for k in range(len(metrics))]
        found[name] = [Cell(name, it, spooled=values) for it, values in zip(one.scores(), on_disk, strict=True)]
    return found


def with_plain_intervals(
    metrics: Sequence[Metric], counts: Mapping[str, BlockCounts], how: ScoreTests, segments: int
) -> dict[str, list[Cell]]:
    """Intervals without NumPy, where that is quicker; else nothing."""
    from .judge.significance.plain_bootstrap import is_enough, tested_plainly

    if not (is_enough(how, segments) and all(one.plain for one in counts.values())):
        return {}
    found: dict[str, list[Any]] = {name: [None] * len(metrics) for name in counts}
    for name, one in counts.items():
        for rows, members in one.kept():
            served = [(metrics[i], columns) for i, columns in members]
            for (i, _), (score, beside) in zip(members, tested_plainly(served, rows, one.nrefs, how), strict=True):
                found[name][i] = Cell(name, score, beside=beside)
    return found


def with_rows(
    metrics: Sequence[Metric], counted: Mapping[str, list[Stats]], how: ScoreTests, progress: Stage | None
) -> dict[str, list[Cell]]:
    """Score rows of segments, and resample and test where that was asked for."""
    beside: list[Mapping[str, Tested]] = [{}] * len(metrics)
    if how.asked:
        from .judge.significance.system_tests import tested

        for i, one in enumerate(metrics):
            step = progress(f"testing {one.name}") if progress else None
            beside[i] = tested(one, {name: rows[i] for name, rows in counted.items()}, how, step)
    return {
        name: [Cell(name, one.result(rows.sum()), rows, beside[i].get(name)) for i, (one, rows) in enumerate(pairs)]
        for name, stats in counted.items()
        for pairs in [list(zip(metrics, stats, strict=True))]
    }


def external_cells(
    external: Sequence[ExternalScores], systems: Sequence[str], how: ScoreTests, progress: Stage | None
) -> dict[str, list[Cell]]:
    """The cells of each system by external scores; without scores of segments there are no intervals and tests."""
    found: dict[str, list[Cell]] = {name: [] for name in systems}
    for one in external:
        rows = {name: one.rows(i) for i, name in enumerate(systems)}
        counted = {name: [stats] for name, stats in rows.items() if stats is not None}
        tested = with_rows([one.metric], counted, how, progress) if counted else {}
        for i, name in enumerate(systems):
            found[name] += tested.get(name) or [Cell(name, one.metric.result([float(one.systems[i]), 1.0]))]
    return found


def count_stream(
    metrics: Sequence[Metric],
    corpus: CorpusStream,
    *,
    keep_rows: bool = False,
    take_rows: Callable[[list[list[Stats]]], None] | None = None,
    threads: int | None = None,
    progress: Stage | None = None,
) -> dict[str, BlockCounts]:
    """Count every system by every metric; `take_rows` is given the rows of each block, of each system and metric."""
    counts = {name: BlockCounts(metrics, corpus.references.most) for name in corpus.outputs}
    step = progress("scoring") if progress else None
    in_core = not any(getattr(one, "changes_text", True) for one in metrics)
    first = 0
    for references, outputs in corpus.blocks(as_strings=not in_core):
        rows = []
        for name, hyps in outputs.items():
            with naming_the_system(name, corpus.outputs[name], first):
                if keep_rows and not take_rows and counts[name].plain:
                    counts[name].keep(hyps, references, threads)
                elif keep_rows or take_rows:
                    rows.append(counts[name].add_rows(hyps, references, threads, keep=keep_rows))
                else:
                    counts[name].add(hyps, references, threads)
        if take_rows:
            take_rows(rows)
        first += len(references)
        if step:
            step(corpus.read_bytes, corpus.bytes)
    return counts


class External:
    """External scores that were asked for."""

    def __init__(self, scores: Any, options: ExternalOptions, beside: list[str], of_segments: bool):
        self.scores, self.options, self.beside, self.of_segments = scores, options, beside, of_segments
        self.notes: list[str] = []

    def read(self, outputs: Mapping[str, Any], segments: int) -> Sequence[ExternalScores]:
        """The scores, fitted to systems and segments."""
        from .judge.external_scores import external_scores

        about: dict[str, Any] = {"of_segments": self.of_segments, "beside": self.beside}
        found, self.notes = external_scores(self.scores, [*outputs], segments, self.options, **about)
        return found
