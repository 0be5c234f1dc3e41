"""What is audited: metrics, and functions that return segment scores; both count texts into rows that add."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from ..._version import __version__
from ...errors import InputError, SpecError
from ...metrics.base import Metric
from ...metrics.shared_counts import segment_rows
from ...parameters import parameters
from ...segments import References
from ..score_table import Floats, mean

#: Relative differences up to this are rounding errors.
NOISE = 1e-10

#: Texts counted at a time, so that the memory of a call is bounded.
AT_A_TIME = 65_536

Function = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class AuditedMetric:
    """A metric, or a function of a user; its scores are oriented here so that higher is better."""

    name: str  #: as it was typed
    title: str
    signature: str
    higher_is_better: bool
    scale: float  #: factor for printing
    digits: int
    metric: Metric | None = None  #: ready for the references
    given: Metric | None = None  #: the same before it learnt from them
    function: Function | None = None

    @classmethod
    def of_metric(cls, metric: Metric, references: References, among: Sequence[Metric]) -> AuditedMetric:
        """A metric, made ready for these references."""
        ready, nrefs = metric.ready_for(references), references.counts()
        about = (metric.higher_is_better, metric.display_scale, metric.display_digits)
        return cls(metric.spec, metric.title_among(among), ready.signature(nrefs), *about, metric=ready, given=metric)

    @classmethod
    def of_function(cls, function: Function, lower_is_better: Iterable[str] = ()) -> AuditedMetric:
        """A function of hypotheses and references (and `sources`, if it has such a parameter); the score is the mean.

        Higher is better, unless it has an attribute `higher_is_better` that is false, or is named.
        """
        name = getattr(function, "__name__", type(function).__name__)
        higher = bool(getattr(function, "higher_is_better", True)) and name not in lower_is_better
        better = "higher" if higher else "lower"
        signature = f"{name}|function:{function_name(function)}|better:{better}|version:tricolore-{__version__}"
        return cls(name, name, signature, higher, 1.0, 3, function=function)

    @property
    def parameters(self) -> list[str]:
        """The names of the parameters that can be set; none for a function."""
        return [] if self.given is None else [one.name for one in parameters(self.given) if one.init]

    @property
    def sign(self) -> float:
        """1 if higher is better, otherwise -1."""
        return 1.0 if self.higher_is_better else -1.0

    def score(self, sums: Floats) -> Floats:
        """Scores of sums of rows, higher is better."""
        values = mean(sums) if self.metric is None else np.asarray(self.metric.score(sums))
        return np.where(np.isnan(values), -np.inf, self.sign * values)

    def alone(self, rows: Floats) -> Floats:
        """Scores of single segments, higher is better."""
        values = mean(rows) if self.metric is None else np.asarray(self.metric.for_segments.score(rows))
        return np.where(np.isnan(values), -np.inf, self.sign * values)

    def printed(self, score: Any) -> Any:
        """A score, or a difference of scores, as it is printed."""
        return self.sign * self.scale * score

    def points(self, gain: Any) -> Any:
        """A gain in printed units; positive is better, whatever the direction of the metric."""
        return self.scale * gain


def function_name(function: Function) -> str:
    """Where a function comes from, for signatures."""
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{getattr(function, '__module__', '')}.{name}"


def load_function(text: str) -> Function:
    """The function that `module:name` stands for.

    >>> load_function("math:fsum")([1, 2])
    3.0
    """
    module, colon, name = text.partition(":")
    if not (module and colon and name) or module.startswith("."):
        raise SpecError(f"function: expected module:name, such as my_metrics:comet; got {text!r}")
    try:
        found = import_module(module)
    except ImportError as error:
        raise SpecError(f"function: {text}: module {module} cannot be imported ({error})") from None
    except (Exception, SystemExit) as error:
        raise SpecError(
            f"function: {text}: module {module} fails when it is imported ({type(error).__name__}: {error})"
        ) from error
    function = getattr(found, name, None)
    if not callable(function):
        raise SpecError(f"function: {text}: module {module} has no function {name}")
    return function  # type: ignore[no-any-return]


def texts_of_entry(entry: str | Sequence[str | None]) -> list[str]:
    """The references of a segment."""
    return [entry] if isinstance(entry, str) else [one for one in entry if one is not None]


@dataclass(frozen=True, eq=False)
class Counter:
    """Counts variants of single segments for all metrics at once; nothing that did not change is counted again."""

    metrics: Sequence[AuditedMetric]
    references: References
    single: bool  #: whether each segment has one reference in the whole audit, which functions then get as a string
    sources: Sequence[str] | None = None
    threads: int | None = None

    def rows(self, texts: Sequence[str], segments: Sequence[int]) -> list[Floats]:
        """The rows of each metric for each text, which is a variant of the segment of that number."""
        places: dict[tuple[int, str], int] = {}
        where = [places.setdefault(key, len(places)) for key in zip(map(int, segments), texts, strict=True)]
        keys = [*places]
        parts = [self._counted(keys[first : first + AT_A_TIME]) for first in range(0, len(keys), AT_A_TIME)]
        if not parts:
            return [np.zeros((0, len(one.metric.columns) if one.metric else 2)) for one in self.metrics]
        return [np.concatenate(of_metric)[where] for of_metric in zip(*parts, strict=True)]

    def _counted(self, keys: Sequence[tuple[int, str]]) -> list[Floats]:
        texts = [text for _, text in keys]
        entries = [self.references.entries[segment] for segment, _ in keys]
        refs = References.unchecked(entries)
        ready = [one.metric for one in self.metrics if one.metric is not None]
        counted = iter(segment_rows(ready, texts, refs, threads=self.threads) if ready else ())
        sources = None if self.sources is None else [self.sources[segment] for segment, _ in keys]
        return [
            next(counted).values if one.function is None else self._scored(one, texts, entries, sources, keys)
            for one in self.metrics
        ]

    def _scored(
        self,
        one: AuditedMetric,
        texts: list[str],
        entries: list[Any],
        sources: list[str] | None,
        keys: Sequence[tuple[int, str]],
    ) -> Floats:
        """Rows of value and count: the scores that a function of the user returns."""
        assert one.function is not None
        given = {"sources": sources} if _takes_sources(one.function) else {}
        if given and sources is None:
            raise InputError(f"{one.name}: the function has a parameter sources; source texts are required")
        references: list[Any] = [*map(texts_of_entry, entries)]
        if self.single:
            references = [only for (only,) in references]
        try:
            found = one.function(texts, references, **given)
        except (Exception, SystemExit) as error:
            empty = "" if all(text.strip() for text in texts) else " (some of the hypotheses are empty)"
            raise InputError(f"{one.name}: the function failed: {type(error).__name__}: {error}{empty}") from error
        try:
            values = np.asarray(found, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"{one.name}: expected a list of numbers from the function") from None
        if values.shape != (len(texts),):
            shape = "x".join(map(str, values.shape)) or "one number"
            raise InputError(f"{one.name}: expected {len(texts):,} scores, one per segment; the function gave {shape}")
        if not np.isfinite(values).all():
            bad = int(np.flatnonzero(~np.isfinite(values))[0])
            raise InputError(f"{one.name}: segment {keys[bad][0] + 1}: expected a finite score, got {values[bad]}")
        return np.stack([values, np.ones(len(values))], axis=1)


def _takes_sources(function: Function) -> bool:
    try:
        return "sources" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # written in C
        return False
