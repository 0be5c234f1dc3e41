"""Metric: count a segment into a row of numbers, score any sum of rows."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from functools import cached_property

from .. import spec
from .._version import __version__
from ..columns import plain
from ..counting import IDS, INPUT, METRIC, TEXT, check_alike
from ..errors import InputError, SpecError, nearest
from ..parameters import checked, parameters
from ..processors import worker_count
from ..scoring import Score
from ..segments import explain, pair

# Not typing's, which would have to be loaded: that takes longer than scoring a small corpus.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Self

    import numpy as np
    from numpy.typing import NDArray

    from ..counting import Counting
    from ..segments import References, SegmentReferences, Text
    from ..stats import Stats
    from .pairwise import Group

    #: What one call into the core returns: column sums, fewest and most references of a segment.
    Counted = tuple[list[float], int, int]
    #: Called with (segments done, segments in all).
    Progress = Callable[[int, int], None]


#: The parts of a signature that are about text.
TEXT_SETTINGS = ("case", "tok", "punct", "norm", "asian")

#: Segments counted between two looks at the clock and at Ctrl-C; also what bounds the memory of a call.
BATCH = 8192


class Metric(ABC):
    """A metric is a value: its fields are its parameters, and it holds nothing else.

    Concrete metrics are frozen dataclasses. They say what their columns are, how to count a batch, and how to
    score a row; everything below follows from those. A class is either abstract or final: no metric inherits from
    another one that can be used.
    """

    name: str  #: as in spec texts
    title: str  #: as in print
    family: str  #: the heading under which the metric is listed
    citation: str
    aliases: tuple[tuple[str, str], ...] = ()  #: other names, each with the spec text it stands for
    in_all: tuple[str, ...] = ()  #: the spec texts that `all` stands for, if not just the name
    higher_is_better: bool = True
    tells_quality: bool = True  #: whether better output scores better; a length, say, only describes it
    display_scale: float = 100.0  #: what printing multiplies by
    display_digits: int = 1  #: digits after the point in tables; a score printed alone has one more
    batch_size: int = BATCH  #: fewer where counting a segment takes long
    pairs_at_a_time: int = BATCH  #: of two lists of texts that are compared each with each
    averages_references: bool = False  #: whether counts of several references may be averaged; see `Group`

    # Which parameters rows depend on; see `counting`. A parameter that is not named here matters to all of them.
    counts_as: str = ""  #: the name of a metric with the same counts, if not its own
    scoring_parameters: tuple[str, ...] = ()  #: change no column, and matter to scores only; they may add columns
    choosing_parameters: tuple[str, ...] = ()  #: do so where there is one reference; of several they choose
    text_parameters: tuple[str, ...] = ()  #: do not matter to token numbers

    # What a concrete metric defines ------------------------------------------------------------------------

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Names of the statistics."""

    @abstractmethod
    def count(self, hyps: list[str], refs: list[Any], rows: NDArray[np.float64] | None, threads: int) -> Counted:
        """Count a batch; fill `rows`, one a segment, if given."""

    def count_part(
        self, hyps: list[str], references: References, first: int, rows: NDArray[np.float64] | None, threads: int
    ) -> Counted:
        """Count the part of a corpus that begins at segment `first`. Override to use what `prepare` learnt."""
        return self.count(hyps, list(references.entries[first : first + len(hyps)]), rows, threads)

    def count_one(self, hyp: str, refs: Any) -> tuple[list[float], int]:
        """Count one segment: its row and how many references it has. Override where that can be faster."""
        row, number, _ = self.count([hyp], [refs], None, 1)
        return row, number

    @abstractmethod
    def value(self, row: Sequence[Any]) -> Any:
        """Score the columns of one row (floats) or of many (arrays)."""

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        """What the score is made of, by name: `value`, the score itself, and whatever explains it; else the columns."""
        return {"value": self.value(row), **dict(zip(self.columns, row, strict=True))}

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """Everything the signature must say beside the number of references and the version."""

    def pair_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        """The columns of every pair of texts of each group, in shapes that broadcast to hypotheses x references.

        Override where texts need not be read again for every pair.
        """
        from .pairwise import pair_by_pair

        return (pair_by_pair(self, group, threads) for group in groups)

    @property
    def for_segments(self) -> Metric:
        """The segment-level variant: what `segment`, `segments` and `pairwise` score with; mostly the metric itself.

        BLEU's leaves out orders longer than the segment, as sacreBLEU's sentence BLEU does, unless `short` was given.
        """
        return self

    def title_among(self, metrics: Sequence[Metric]) -> str:
        """The title, or the spec where others of these metrics have the same title."""
        alone = sum(other.title == self.title for other in metrics) == 1
        return self.title if alone or self.spec == self.name else self.spec

    def describe(self, parts: Mapping[str, Any]) -> str:
        """Say the parts in words, for print."""
        return f"({' '.join(f'{name} = {part:.10g}' for name, part in parts.items() if name != 'value')})"

    def prepare(self, refs: Any) -> Metric:
        """Return a metric that has learnt what it needs from all references (NIST); most need nothing."""
        return self

    def ready_for(self, references: References) -> Metric:
        """Prepare the metric for these references unless that has been done; called before scoring."""
        return self.prepare(references)

    # How rows were counted ---------------------------------------------------------------------------------

    def counting(self, nrefs: tuple[int, int] | None, ids: bool) -> Counting:
        """What rows of such segments depend on, by name; see `tricolore.counting`."""
        several = nrefs is not None and nrefs[1] > 1
        key = nrefs is None, several, ids
        if key not in self._countings:
            left_out = {*self.scoring_parameters}
            left_out.update(() if several else self.choosing_parameters, self.text_parameters if ids else ())
            fields = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]
            self._countings[key] = {
                METRIC: self.counts_as or self.name,
                **({} if nrefs is None else {INPUT: IDS if ids else TEXT}),
                **{name: self.counted_with(name) for name in fields if name not in left_out},
            }
        return self._countings[key]

    @cached_property
    def _countings(self) -> dict[Any, Counting]:
        return {}

    def counted_with(self, name: str) -> Any:
        """The value of a parameter as rows know it. Override where it stands for what is read from elsewhere."""
        return getattr(self, name)

    # Parameters --------------------------------------------------------------------------------------------

    def __new__(cls, *args: Any, **given: Any) -> Self:
        """Refuse unknown parameters with a hint before the dataclass refuses them without one."""
        if args:  # whose order says nothing to the reader, and differs from metric to metric
            first = parameters(cls)[0].name
            raise SpecError(f"{cls.name}: parameters are given by name, such as {cls.__name__}({first}=...)")
        check_names(cls, given)
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
        """Fill in defaults that follow from other parameters, and refuse combinations that make no sense."""

    @cached_property
    def spec(self) -> str:
        """The text that makes this metric: `tricolore.metric(m.spec) == m`."""
        given = {field.name: getattr(self, field.name) for field in parameters(self)}
        for name in list(given):
            fewer = {key: value for key, value in given.items() if key != name}
            if self._same(fewer):
                given = fewer
        return spec.compose(self.name, given)

    def _same(self, given: dict[str, Any]) -> bool:
        try:
            other = type(self)(**given)
        except SpecError:  # parameters that need each other
            return False
        return all(getattr(self, field.name) == getattr(other, field.name) for field in parameters(self))

    def __repr__(self) -> str:
        return self.spec

    def __getstate__(self) -> dict[str, Any]:
        # Cached properties hold tokenisers that do not pickle, and come back when they are needed.
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}  # type: ignore[arg-type]

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    # Scoring -----------------------------------------------------------------------------------------------

    def __call__(
        self,
        hyps: Sequence[str],
        refs: Sequence[SegmentReferences] | References,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Score:
        """Score a corpus."""
        hyps, references = pair(hyps, refs)
        if not hyps:
            raise InputError("there is nothing to score: expected at least one segment, got none")
        ready = self.ready_for(references)
        row, nrefs = ready.count_all(hyps, references, None, threads, progress)
        return Score(ready, row, nrefs, not isinstance(hyps[0], str))

    def segment(self, hyp: str, refs: SegmentReferences) -> Score:
        """Score one segment, with `for_segments`: one hypothesis, and its reference or list of references."""
        try:
            row, number = self.count_one(hyp, refs)
        except (TypeError, AttributeError):
            hyp, refs = plain(hyp), plain(refs)
            explain([hyp], [refs])
            row, number = self.count_one(hyp, refs)
        return Score(self.for_segments, row, (number, number), not isinstance(hyp, str))

    def segments(
        self,
        hyps: Sequence[str],
        refs: Sequence[SegmentReferences] | References,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> NDArray[np.float64]:
        """Score each segment on its own, with `for_segments`."""
        rows = self.stats(hyps, refs, threads=threads, progress=progress).values
        return self.for_segments.score(rows)  # type: ignore[return-value]

    def pairwise(
        self,
        hyps: Sequence[Text],
        refs: Sequence[Text],
        *,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> NDArray[np.float64]:
        """Score every hypothesis against every reference: a row for each hypothesis, a column for each reference.

        Row i is `segments([hyps[i]] * len(refs), refs)`, but every text is read once. Where texts are compared with
        themselves, pass the same list twice. What a metric learns from references (NIST) it learns from `refs`.
        `progress` is called with the hypotheses that are done, and all.

        >>> from tricolore import metric
        >>> metric("wer").pairwise(["a b", "a c"], ["a b", "b", "a c d"]).round(2).tolist()
        [[0.0, 1.0, 0.67], [0.5, 2.0, 0.33]]
        """
        from .pairwise import pairwise

        return pairwise(self, hyps, refs, threads, progress)

    def stats(
        self,
        hyps: Sequence[str],
        refs: Sequence[SegmentReferences] | References,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Stats:
        """Count: one row of statistics for each segment."""
        import numpy as np

        from ..stats import Stats

        hyps, references = pair(hyps, refs)
        ready = self.ready_for(references) if hyps else self
        rows = np.zeros((len(hyps), len(self.columns)))
        _, nrefs = ready.count_all(hyps, references, rows, threads, progress)
        ids = bool(hyps) and not isinstance(hyps[0], str)
        return Stats(rows, self.columns, nrefs, ready.counting(nrefs, ids))

    def score(self, rows: Stats | NDArray[np.float64] | Sequence[float]) -> NDArray[np.float64] | float:
        """Score rows or any sums of rows; the columns are the last axis, the others stay."""
        import numpy as np

        values = self.values_of(rows)
        if values.ndim == 1:
            return float(self.value(values.tolist()))
        columns = [values[..., i] for i in range(values.shape[-1])]
        return np.asarray(self.value(columns), dtype=np.float64)

    def result(self, total: Stats | NDArray[np.float64] | Sequence[float]) -> Score:
        """Make a Score of summed statistics, as calling the metric would."""
        from ..stats import Stats

        values = self.values_of(total)
        if values.ndim != 1:
            raise InputError(f"expected one row of statistics, got an array of shape {values.shape}; sum it first")
        nrefs, ids = (total.nrefs, total.ids) if isinstance(total, Stats) else (None, False)
        return Score(self, values.tolist(), nrefs, ids)

    def values_of(self, rows: Stats | NDArray[np.float64] | Sequence[float]) -> NDArray[np.float64]:
        """The columns of this metric, from rows that were counted as it counts; other rows are refused."""
        from ..stats import Stats, as_rows

        if isinstance(rows, Stats) and rows.counting:
            check_alike(rows.counting, self.counting(rows.nrefs, rows.ids), "be scored by", self.name)
            return self._own_columns(rows)
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

    def _own_columns(self, rows: Stats) -> NDArray[np.float64]:
        """The columns of this metric; rows that were counted alike may have more, such as those of higher orders."""
        if rows.columns == self.columns:
            return rows.values
        if missing := [name for name in self.columns if name not in rows.columns]:
            raise InputError(
                f"{self.spec} needs {', '.join(missing)}, which these rows do not have; count them with {self.spec}"
            )
        return rows.values[..., [*map(rows.columns.index, self.columns)]]

    def signature(self, nrefs: tuple[int, int] | None = None, ids: bool = False) -> str:
        """Everything needed to compute a score again, `key:value` joined by `|`; `ids` if not text was scored."""
        items = self.signature_items(nrefs, ids)
        return "|".join([self.title, *(f"{key}:{_written(value)}" for key, value in items.items())])

    def signature_items(self, nrefs: tuple[int, int] | None = None, ids: bool = False) -> dict[str, Any]:
        """The signature as a mapping."""
        number: Any = "unknown" if nrefs is None else nrefs[0] if nrefs[0] == nrefs[1] else "var"
        settings = self.settings()
        if ids:  # nothing that is done to text was done
            settings = {"tok": "ids", **{key: value for key, value in settings.items() if key not in TEXT_SETTINGS}}
        return {"nrefs": number, **settings, "version": f"tricolore-{__version__}"}

    # Machinery ---------------------------------------------------------------------------------------------

    def explain_text(self, hyps: Sequence[Any], entries: Sequence[Any], first: int) -> None:  # noqa: B027
        """Raise an error that names the segment whose text cannot be prepared, if there is one."""

    def count_all(
        self,
        hyps: list[Any],
        references: References,
        rows: NDArray[np.float64] | None,
        threads: int | None,
        progress: Progress | None,
    ) -> tuple[list[float], tuple[int, int] | None]:
        """Count a corpus batch by batch: the sum of all rows, and the fewest and most references of a segment."""
        threads = worker_count(threads)
        total = [0.0] * len(self.columns)
        counts: list[int] = []
        for first in range(0, len(hyps), self.batch_size):
            last = first + self.batch_size
            window = None if rows is None else rows[first:last]
            try:
                row, fewest, most = self.count_part(hyps[first:last], references, first, window, threads)
            except (TypeError, AttributeError):
                explain(hyps[first:last], references.entries[first:last], first)
                raise
            except InputError:
                self.explain_text(hyps[first:last], references.entries[first:last], first)
                raise
            total = [a + b for a, b in zip(total, row, strict=True)]
            counts += (fewest, most)
            if progress is not None:
                progress(min(last, len(hyps)), len(hyps))
        return total, (min(counts), max(counts)) if counts else None


class Title:
    """What a metric is called in print where that follows from its parameters; its class has a general name."""

    def __init__(self, general: str, particular: Callable[[Any], str]):
        self.general = general
        self.particular = particular

    def __get__(self, metric: Any, owner: type) -> str:
        return self.general if metric is None else self.particular(metric)


def _written(value: Any) -> str:
    return spec.write(value) if isinstance(value, float) else str(value)


#: What sacreBLEU calls things, for the people who know it.
ELSEWHERE = {
    "max_ngram_order": "order=4",
    "smooth_method": "smooth='exp'",
    "smooth_value": "epsilon=0.1 for floor, add=1 for add-k",
    "effective_order": "short='effective'",
    "trg_lang": "tokenize='zh'",
    "asian_support": "asian=True",
    "case_sensitive": "case=True",
    "use_stemmer": "stem=True",
}


def check_names(cls: type[Metric], given: Mapping[str, Any]) -> None:
    """Refuse a parameter that the metric does not have, with the list of those it has."""
    known = [field.name for field in parameters(cls)]
    for name in given:
        field = cls.__dataclass_fields__.get(name)  # type: ignore[attr-defined]
        if field is not None and field.init:
            continue
        hint = f"; here it is {ELSEWHERE[name]}" if name in ELSEWHERE else nearest(name, known)
        raise SpecError(f"{cls.name} has no parameter {name!r}{hint} (it takes {', '.join(known)})")
