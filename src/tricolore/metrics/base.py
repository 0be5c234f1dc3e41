"""Metric: count a segment into a row of numbers, score any sum of rows."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from functools import cached_property

from .. import spec
from .._version import __version__
from ..columns import plain
from ..counting import IDS, INPUT, METRIC, TEXT, check_alike
from ..errors import InputError, SpecError, explaining_arguments, nearest
from ..parameters import checked, parameters
from ..processors import worker_count
from ..scoring import Score
from ..segments import explain, hold_ids, pair

# Not typing's, which would have to be loaded: that takes longer than scoring a small corpus.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Self

    from ..segments import References
    from ..stats import Stats
    from ..types import Array, Counted, Counting, Progress, Refs, Rows, SegmentReferences, Texts
    from .pairwise import Group


#: The signature keys that describe how text is read.
TEXT_SETTINGS = ("case", "tok", "punct", "norm", "asian")

#: Segments counted per call into the core, between two progress reports; this also bounds the memory of a call.
BATCH = 8192


class Metric(ABC):
    """A metric is an immutable value: its fields are its parameters, and it has no other state.

    Concrete metrics are frozen dataclasses. They define their columns, how to count a batch, and how to score a row;
    everything else follows. A class is either abstract or final: no metric inherits from a concrete metric.
    """

    name: str  #: as in spec texts
    title: str  #: as printed
    family: str  #: the heading under which the metric is listed
    citation: str
    in_all: tuple[str, ...] = ()  #: the specs that `all` includes, if not just the name
    needs: str = ""  #: the module of an extra without which the defaults cannot count
    higher_is_better: bool = True
    tells_quality: bool = True  #: False for a metric that describes output without rating it, such as length
    display_scale: float = 100.0  #: factor applied for printing
    display_digits: int = 1  #: decimal places in tables; a score printed alone has one more
    printed_parts: str = ""  #: format string for `describe`, with the names of `parts`
    batch_size: int = BATCH  #: segments per call; smaller where a segment takes long to count
    pairs_at_a_time: int = BATCH  #: pairs per call of `pairwise`
    averages_references: bool = False  #: whether counts of several references may be averaged; see `Group`

    # How parameters affect rows; see `counting`. Rows depend on every parameter not listed here.
    counts_as: str = ""  #: the name of a metric with the same counts, if not its own
    scoring_parameters: tuple[str, ...] = ()  #: affect scores, not counts; they may add columns
    choosing_parameters: tuple[str, ...] = ()  #: the same with one reference; with several they select the best one
    text_parameters: tuple[str, ...] = ()  #: have no effect on token ids

    # What a concrete metric defines ------------------------------------------------------------------------

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Names of the statistics."""

    @abstractmethod
    def count(self, hyps: Sequence[Any], refs: Sequence[Any], rows: Array | None, threads: int) -> Counted:
        """Count a batch; fill `rows`, one row per segment, if given."""

    def core_rows(self, references: int) -> bool:
        """Whether the core itself writes rows of segments with so many references, which need not be NumPy's then."""
        return False

    def count_part(
        self, hyps: Sequence[Any], references: References, first: int, rows: Array | None, threads: int
    ) -> Counted:
        """Count the part of a corpus that starts at segment `first`. Override to reuse what `prepare` learnt."""
        refs = references.entries[first : first + len(hyps)]
        return self.count(hyps, list(refs) if isinstance(refs, tuple) else refs, rows, threads)

    def count_one(self, hyp: str, refs: Any) -> tuple[list[float], int]:
        """Count one segment; return its row and its number of references. Override with a faster way."""
        row, number, _ = self.count([hyp], [refs], None, 1)
        return row, number

    @abstractmethod
    def value(self, row: Sequence[Any]) -> Any:
        """Score the columns of one row (floats) or of many (arrays); the class gives the formula."""

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        """The score as `value`, and the numbers behind it by name; by default the columns."""
        return {"value": self.value(row), **dict(zip(self.columns, row, strict=True))}

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """The items of the signature, other than the number of references and the version."""

    def pair_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        """The columns of every pair of texts in each group, in shapes that broadcast to hypotheses x references.

        Override to read every text once instead of once per pair.
        """
        from .pairwise import pair_by_pair

        return (pair_by_pair(self, group, threads) for group in groups)

    @property
    def for_segments(self) -> Metric:
        """The variant that `segment`, `segments` and `pairwise` score with; usually the metric itself.

        BLEU's leaves out orders longer than the segment, as sacreBLEU's sentence BLEU does, unless `short` was given.
        """
        return self

    def title_among(self, metrics: Sequence[Metric]) -> str:
        """The title, or the spec if another of these metrics has the same title."""
        alone = sum(other.title == self.title for other in metrics) == 1
        return self.title if alone or self.spec == self.name else self.spec

    def describe(self, parts: Mapping[str, Any]) -> str:
        """Format the parts for printing."""
        if self.printed_parts:
            return self.printed_parts.format_map(parts)
        return f"({' '.join(f'{name} = {part:.10g}' for name, part in parts.items() if name != 'value')})"

    def prepare(self, refs: Any) -> Metric:
        """Return a metric that has learnt what it needs from all references (NIST); by default the metric itself."""
        return self

    @property
    def is_prepared(self) -> bool:
        """Whether it has learnt what it needs from references, so that parts of a corpus can be counted."""
        return True

    def ready_for(self, references: References) -> Metric:
        """Prepare the metric for these references, unless it has been prepared; called before scoring."""
        return self.prepare(references)

    # How rows were counted ---------------------------------------------------------------------------------

    def counting(self, nrefs: tuple[int, int] | None, ids: bool) -> Counting:
        """What the rows of such segments depend on, by name; see `tricolore.counting`."""
        several = nrefs is not None and nrefs[1] > 1
        key = nrefs is None, several, ids
        known: dict[Any, Counting] = self.__dict__.setdefault("_countings", {})
        if key not in known:
            ignored = {*self.scoring_parameters}
            ignored.update(() if several else self.choosing_parameters, self.text_parameters if ids else ())
            fields = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]
            known[key] = {
                METRIC: self.counts_as or self.name,
                **({} if nrefs is None else {INPUT: IDS if ids else TEXT}),
                **{name: self.counted_with(name) for name in fields if name not in ignored},
            }
        return known[key]

    def counted_with(self, name: str) -> Any:
        """The value of a parameter as recorded with rows. Override to add versions of tools and digests of files."""
        return getattr(self, name)

    # Parameters --------------------------------------------------------------------------------------------

    def __new__(cls, *args: Any, **given: Any) -> Self:
        """Reject unknown parameters with a hint, before the dataclass rejects them without one."""
        known = [field.name for field in parameters(cls)]
        if args:  # their order differs from metric to metric
            raise SpecError(f"{cls.name}: parameters are given by name, such as {cls.__name__}({known[0]}=...)")
        for name in given:
            field = cls.__dataclass_fields__.get(name)  # type: ignore[attr-defined]
            if field is None or not field.init:
                from ..old_habits import of_parameters

                hint = of_parameters([name]) or nearest(name, known)
                raise SpecError(f"{cls.name} has no parameter {name!r}{hint} (it takes {', '.join(known)})")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for field in parameters(self):
            value = getattr(self, field.name)
            if value is None and field.default is None:
                continue
            value = checked(f"{self.name}: {field.name}", value, field.metadata["kind"])
            object.__setattr__(self, field.name, value)
        self.complete()

    def complete(self) -> None:  # noqa: B027
        """Fill in defaults that depend on other parameters, and reject invalid combinations."""

    @property
    def names_resources(self) -> bool:
        """Whether a parameter names a file or another package, so that an equal metric may count differently later."""
        return any(field.metadata["kind"].names_resource(getattr(self, field.name)) for field in parameters(self))

    @cached_property
    def spec(self) -> str:
        """The shortest text for this metric: `tricolore.metric(m.spec) == m`."""
        given = {field.name: getattr(self, field.name) for field in parameters(self)}
        for name in list(given):
            fewer = {key: value for key, value in given.items() if key != name}
            if self._same(fewer):
                given = fewer
        return spec.compose(self.name, given)

    def _same(self, given: dict[str, Any]) -> bool:
        try:
            other = type(self)(**given)
        except SpecError:  # parameters that require each other
            return False
        return all(getattr(self, field.name) == getattr(other, field.name) for field in parameters(self))

    def __repr__(self) -> str:
        return self.spec

    if not TYPE_CHECKING:  # for type checkers, what is not there is an error

        def __getattr__(self, name: str) -> Any:
            """Say what to write instead of a method that other packages have."""
            from ..old_habits import instead
            from ..other_packages import OF_METRICS

            hint = "" if name[0] == "_" else instead(OF_METRICS, name)
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}")

    def __getstate__(self) -> dict[str, Any]:
        # Cached properties hold tokenisers, which do not pickle; they are computed again when needed.
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}  # type: ignore[arg-type]

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    # Scoring -----------------------------------------------------------------------------------------------

    @explaining_arguments
    def __call__(
        self, hyps: Sequence[str], refs: Refs, *, threads: int | None = None, progress: Progress | None = None
    ) -> Score:
        """Score a corpus."""
        if type(hyps) is type(refs) is list and len(hyps) == len(refs) == 1 and threads is None and progress is None:
            score = self._score_of_one(hyps[0], refs[0])
            if score is not None:
                return score
        hyps, references = pair(hyps, refs)
        if not len(hyps):
            raise InputError("there is nothing to score: expected at least one segment, got none")
        ready = self.ready_for(references)
        row, nrefs = ready.count_all(hyps, references, None, threads, progress)
        return Score(ready, row, nrefs, hold_ids(hyps))

    def _score_of_one(self, hyp: Any, refs: Any) -> Score | None:
        """Score a corpus of one segment the short way; None if it must go the long way, which says what is wrong."""
        if not self.is_prepared:
            return None
        try:
            row, number = self.count_one(hyp, refs)
        except (TypeError, AttributeError, InputError):
            return None
        return Score(self, row, (number, number), not isinstance(hyp, str))

    @explaining_arguments
    def segment(self, hyp: str, refs: SegmentReferences) -> Score:
        """Score one segment with `for_segments`: a hypothesis and its reference, or a list of references."""
        try:
            row, number = self.count_one(hyp, refs)
        except (TypeError, AttributeError):
            hyp, refs = plain(hyp), plain(refs)
            explain([hyp], [refs])
            row, number = self.count_one(hyp, refs)
        return Score(self.for_segments, row, (number, number), not isinstance(hyp, str))

    @explaining_arguments
    def segments(
        self, hyps: Sequence[str], refs: Refs, *, threads: int | None = None, progress: Progress | None = None
    ) -> Array:
        """Score each segment on its own, with `for_segments`."""
        rows = self.stats(hyps, refs, threads=threads, progress=progress).values
        return self.for_segments.score(rows)  # type: ignore[return-value]

    @explaining_arguments
    def pairwise(
        self, hyps: Texts, refs: Texts, *, threads: int | None = None, progress: Progress | None = None
    ) -> Array:
        """Score every hypothesis against every reference: one row per hypothesis, one column per reference.

        Row i is `segments([hyps[i]] * len(refs), refs)`, but every text is read once. To compare texts with themselves,
        pass the same list twice. A metric that learns from references (NIST) learns from `refs`. `progress` is called
        with the number of hypotheses done and their total.

        >>> from tricolore import metric
        >>> metric("wer").pairwise(["a b", "a c"], ["a b", "b", "a c d"]).round(2).tolist()
        [[0.0, 1.0, 0.67], [0.5, 2.0, 0.33]]
        """
        from .pairwise import pairwise

        return pairwise(self, hyps, refs, threads, progress)

    @explaining_arguments
    def stats(
        self, hyps: Sequence[str], refs: Refs, *, threads: int | None = None, progress: Progress | None = None
    ) -> Stats:
        """Count the segments: one row of statistics per segment."""
        import numpy as np

        from ..stats import Stats

        hyps, references = pair(hyps, refs)
        ready = self.ready_for(references) if hyps else self
        rows = np.zeros((len(hyps), len(self.columns)))
        _, nrefs = ready.count_all(hyps, references, rows, threads, progress)
        ids = hold_ids(hyps)
        return Stats(rows, self.columns, nrefs, ready.counting(nrefs, ids))

    def score(self, rows: Rows) -> Array | float:
        """Score rows, or any sums of rows, over the last axis."""
        import numpy as np

        values = self.values_of(rows)
        if values.ndim == 1:
            return float(self.value(values.tolist()))
        columns = [values[..., i] for i in range(values.shape[-1])]
        return np.asarray(self.value(columns), dtype=np.float64)

    def result(self, total: Rows) -> Score:
        """Make a Score from summed statistics, as calling the metric does."""
        from ..stats import Stats

        values = self.values_of(total)
        if values.ndim != 1:
            raise InputError(f"expected one row of statistics, got an array of shape {values.shape}; sum it first")
        nrefs, ids = (total.nrefs, total.ids) if isinstance(total, Stats) else (None, False)
        return Score(self, values.tolist(), nrefs, ids)

    def values_of(self, rows: Rows) -> Array:
        """The columns of this metric, from rows counted the way it counts; other rows are rejected."""
        from ..stats import Stats, as_rows

        if isinstance(rows, Stats) and rows.counting:
            check_alike(rows.counting, self.counting(rows.nrefs, rows.ids), "be scored by", self.name)
            if rows.columns == self.columns:
                return rows.values
            if missing := [name for name in self.columns if name not in rows.columns]:
                raise InputError(
                    f"{self.spec} needs {', '.join(missing)}, which these rows do not have; count them with {self.spec}"
                )
            return rows.values[..., [*map(rows.columns.index, self.columns)]]  # there may be more, of higher orders
        values, names = as_rows(rows), getattr(rows, "columns", None)
        if names is not None and (*names,) != self.columns:
            raise InputError(
                f"{self.spec}: expected rows of {', '.join(self.columns)}, got {', '.join(map(str, names))}"
            )
        if values.shape[-1:] != (len(self.columns),):
            raise InputError(
                f"{self.spec}: expected {len(self.columns)} columns ({', '.join(self.columns)}) on the last axis, "
                f"got an array of shape {values.shape}"
            )
        return values

    def signature(self, nrefs: tuple[int, int] | None = None, ids: bool = False) -> str:
        """Everything needed to reproduce a score, as `key:value` joined by `|`; `ids` if token ids were scored."""
        items = {
            key: spec.write(value) if isinstance(value, float) else value
            for key, value in self.signature_items(nrefs, ids).items()
        }
        return "|".join([self.title, *(f"{key}:{value}" for key, value in items.items())])

    def signature_items(self, nrefs: tuple[int, int] | None = None, ids: bool = False) -> dict[str, Any]:
        """The signature as a mapping."""
        number: Any = "unknown" if nrefs is None else nrefs[0] if nrefs[0] == nrefs[1] else "var"
        settings = self.settings()
        if ids:  # no text was read
            settings = {"tok": "ids", **{key: value for key, value in settings.items() if key not in TEXT_SETTINGS}}
        return {"nrefs": number, **settings, "version": f"tricolore-{__version__}"}

    # Machinery ---------------------------------------------------------------------------------------------

    def explain_text(self, hyps: Sequence[Any], entries: Sequence[Any], first: int) -> None:  # noqa: B027
        """Raise an error that names the first segment whose text cannot be prepared, if there is one."""

    def count_all(
        self,
        hyps: Sequence[Any],
        refs: References,
        rows: Array | None,
        threads: int | None,
        progress: Progress | None,
        before: Sequence[float] | None = None,
    ) -> tuple[list[float], tuple[int, int] | None]:
        """Count a corpus batch by batch; return the sum of all rows, and the fewest and most references per segment.

        `before` is the sum of the blocks before this one, where a corpus comes in blocks.
        """
        threads = worker_count(threads)
        total = [0.0] * len(self.columns) if before is None else [*before]
        counts: list[int] = []
        for first in range(0, len(hyps), self.batch_size):
            last = first + self.batch_size
            window = rows if rows is None or len(hyps) <= self.batch_size else rows[first:last]
            try:
                row, fewest, most = self.count_part(hyps[first:last], refs, first, window, threads)
            except (TypeError, AttributeError, UnicodeDecodeError):
                explain(hyps[first:last], refs.entries[first:last], first)
                raise
            except InputError:
                self.explain_text(hyps[first:last], refs.entries[first:last], first)
                raise
            total = [a + b for a, b in zip(total, row, strict=True)]
            counts += (fewest, most)
            if progress is not None:
                progress(min(last, len(hyps)), len(hyps))
        return total, (min(counts), max(counts)) if counts else None


class Title:
    """A title that depends on the parameters; the class has a general one."""

    def __init__(self, general: str, particular: Callable[[Any], str]):
        self.general = general
        self.particular = particular

    def __get__(self, metric: Any, owner: type) -> str:
        return self.general if metric is None else self.particular(metric)
