"""Compare systems: by metrics on their outputs, or by external segment scores."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._version import __version__
from ...columns import listed
from ...errors import InputError, InputTypeError, SpecError, explaining_arguments, shown
from ...external_options import ExternalOptions
from ...metrics import expand
from ...metrics import listed as listed_metrics
from ...metrics.base import Metric
from ...parameters import Flag, checked, is_one_of
from ...readers.tables import LARGEST
from ...readers.texts import (
    TextFile,
    check_segments,
    is_path,
    naming_the_system,
    read_texts,
    references_of,
    system_names,
    texts_of,
)
from ...scoring import with_items
from ...segments import References, as_list, is_ids
from ...types import Stage
from ..correlation.join_scores import ScoredSystems
from ..correlation.metric_scores import scores_by_group
from ..correlation.options import JoinOptions, ScoreOptions
from ..external_scores import ExternalScores, external_scores
from ..score_table import Column, too_large
from .comparison import Compared, Comparison, Settings
from .system_tests import Criterion, Runs, compare_columns, untested


@explaining_arguments
def compare(
    systems: Any,
    refs: Any,
    metrics: Sequence[Metric | str] | Metric | str = ("bleu",),
    *,
    scores: Any = (),
    lower_is_better: Sequence[str] = (),
    higher_is_better: Sequence[str] = (),
    ignore_unknown: bool = False,
    missing: str = "refuse",
    test: str = "ar",
    trials: int | None = None,
    resamples: int | None = None,
    level: float = 0.95,
    seed: int = 12345,
    baseline: str | None = None,
    compat: str | None = None,
    runs_as: str | None = None,
    threads: int | None = None,
    progress: Stage | None = None,
) -> Comparison:
    """Compare the outputs of systems, all pairs of them or each with a `baseline`.

    `systems` maps names to outputs: a list or column of texts, a file, or a list of these for several optimiser runs;
    a list of `pathlib.Path` is systems named by their files. `refs` is as for `tricolore.score`. `test` is `ar`, paired
    approximate randomisation with `trials` shuffles (Noreen 1989), or `bs`, the paired bootstrap (Koehn 2004), both
    two-sided. Intervals are percentiles of `resamples` resamples (1,000 by default; 10,000 if they are the test, which
    takes no `trials`).
    Several runs count as `runs_as` says: `units`, so that `ar` exchanges whole runs, and intervals and `bs` hold for
    new runs and segments; or `stratified`, for these runs alone (Clark et al. 2011). p-values are reported unadjusted,
    and adjusted by Holm for all pairs of a metric; systems whose adjusted p-values are not below 1 - `level` share a
    cluster. `compat` is `sacrebleu` or `multeval`, to match their p-values.

    External `scores` of the same systems and segments are compared, too; they, and what is said about them, are given
    as for `tricolore.score`. A segment without a score is an error, or with `missing='drop'` is dropped for all
    metrics.

    >>> refs = [f"sentence {i} has some more words" for i in range(30)]
    >>> same = [f"sentence {i} has some other words" for i in range(30)]
    >>> worse = [f"sentence {i}" for i in range(30)]
    >>> found = compare({"a": same, "copy": same, "b": worse}, refs, "chrf")
    >>> [(s.name, round(s.score, 3), s.cluster) for s in found["chrf"].systems]
    [('a', 0.726, 1), ('copy', 0.726, 1), ('b', 0.355, 2)]
    >>> found["chrf"].pair("a", "copy").p, round(found["chrf"].pair("a", "b").p_adjusted, 4)
    (1.0, 0.0003)
    >>> found
    Comparison of 3 systems on 30 segments by chrf
    """
    how = Settings(test, trials, resamples, level, seed, baseline, compat, runs_as)
    outputs, runs = _outputs(systems, texts=True)
    asked = listed_metrics(metrics)
    if not asked:
        raise SpecError("metrics: expected at least one, got none")
    made, references = expand(*asked), references_of(refs)
    check_segments({runs.name_of(i): output for i, output in enumerate(outputs)}, references)
    external: list[ExternalScores] = []
    notes: list[str] = []
    options = ExternalOptions(lower_is_better, higher_is_better, ignore_unknown, missing)  # type: ignore[arg-type]
    if options.needed(scores):
        beside = [one.spec for one in made]
        external, notes = external_scores(scores, _output_names(runs), len(references), options, beside=beside)
    names = [runs.name_of(i) for i in range(len(outputs))]
    criteria = criteria_of_texts(names, outputs, references, made, threads, progress)
    kept, external = _complete(external, len(references), missing)
    whole = range(len(outputs))
    criteria = [replace(one, column=one.column.take(whole, kept)) for one in criteria] if kept else criteria
    criteria += [
        Criterion(one.column().signed(references.origin), one.metric.name)
        for one in external
        if one.segments is not None
    ]
    left_out = len(references) - len(kept) if kept else 0
    found = compare_columns(criteria, runs, how, progress, left_out)
    whole_systems = [untested(one.metric, one.systems, runs) for one in external if one.segments is None]
    compared = Compared(criteria, outputs, references, kept)
    return replace(found, judgements=(*found.judgements, *whole_systems), remarks=tuple(notes), compared=compared)


def criteria_of_texts(
    names: Sequence[str],
    outputs: Sequence[Any],
    references: References,
    metrics: Sequence[Metric],
    threads: int | None = None,
    progress: Stage | None = None,
) -> list[Criterion]:
    """Count the outputs of systems by every metric; `names` are for messages."""
    criteria = []
    for metric in metrics:
        step = progress(f"scoring {metric.name}") if progress else None
        ready = metric.ready_for(references)
        counted = []
        for name, output in zip(names, outputs, strict=True):
            with naming_the_system(name, output):
                counted.append(ready.stats(output, references, threads=threads, progress=step))
        column = Column.of_rows(ready, counted).signed(references.origin)
        criteria.append(Criterion(column, metric.title, metric.display_digits, metric))
    return criteria


def _output_names(runs: Runs) -> list[str]:
    """What outputs are called in external scores: by their systems, or if these have several runs, by their files."""
    names = [
        runs.names[i] if len(runs.numbers[runs.system_of(i)]) > 1 else runs.system_of(i) for i in range(len(runs.names))
    ]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InputError(f"scores: {twice[0]} has several runs without names; give them as files")
    return names


def _complete(external: list[ExternalScores], segments: int, missing: str) -> tuple[list[int], list[ExternalScores]]:
    """The segments with scores of all systems, or none if these are all, and the scores of these segments."""
    columns = {one.metric.name: one.segments for one in external if one.segments is not None}
    if missing == "refuse" or not columns:
        return [], external
    some = next(iter(columns.values()))
    kept = without_missing(columns, [""] * len(some), [str(i) for i in range(1, segments + 1)], missing)
    return (kept, [one.take(kept) for one in external]) if len(kept) < segments else ([], external)


def compare_scores(
    systems: Any,
    *,
    metrics: Sequence[str] = (),
    name: str = "score",
    higher_is_better: bool | Sequence[str] = True,
    lower_is_better: Sequence[str] = (),
    test: str = "ar",
    trials: int | None = None,
    resamples: int | None = None,
    level: float = 0.95,
    seed: int = 12345,
    baseline: str | None = None,
    compat: str | None = None,
    runs_as: str | None = None,
    missing: str = "refuse",
    progress: Stage | None = None,
) -> Comparison:
    """Compare systems by external segment scores; the score of a system is the mean over its segments.

    `systems` maps names to lists of numbers, or to lists of such lists for several runs; or it is a score file, or a
    list of them (tables, and files of COMET, MetricX and WMT: docs/reference/external-scores.md), of which
    `metrics` are compared (default: all). `lower_is_better` and `higher_is_better` name metrics in files for which that
    holds. A segment without a score (nan) from some system is an error, or with `missing='drop'` is dropped for all.
    The rest is as for `compare`.

    >>> found = compare_scores({"a": [3, 4, 5, 5, 6], "b": [2, 2, 5, 4, 5]})
    >>> found["score"].pair("a", "b").p, found["score"].signature
    (0.125, 'score|segments:5|ar:exact|bs:1000|seed:12345|level:0.95|version:tricolore-...')
    """
    how = Settings(test, trials, resamples, level, seed, baseline, compat, runs_as)
    if is_path(systems) or (isinstance(systems, list | tuple) and systems and is_path(systems[0])):
        paths = [os.fspath(path) for path in ([systems] if is_path(systems) else systems)]
        higher = () if isinstance(higher_is_better, bool) else tuple(higher_is_better)
        options = ScoreOptions(tuple(metrics), tuple(lower_is_better), higher)
        return _compare_files(paths, options, how, missing, progress)
    if not isinstance(name, str):
        raise SpecError(f"name must be a string, the name of the scores; got {shown(name)}")
    checked("higher_is_better", higher_is_better, Flag())
    outputs, runs = _outputs(systems, texts=False)
    try:
        values = np.array(outputs, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputTypeError(f"systems: expected numbers, one score per segment ({error})") from None
    names = [runs.system_of(i) for i in range(len(outputs))]
    kept = without_missing({name: values}, names, [str(i) for i in range(values.shape[1])], missing)
    criterion = Criterion(scores_column(name, values[:, kept], bool(higher_is_better)), name)
    return compare_columns([criterion], runs, how, progress, left_out=values.shape[1] - len(kept))


def _compare_files(
    paths: Sequence[str], options: ScoreOptions, how: Settings, missing: str, progress: Stage | None
) -> Comparison:
    files = ", ".join(paths)
    found, _ = scores_by_group(paths, options, JoinOptions())
    scores = {one.name: one for one in found.get("", ()) if one.segments}
    if not scores:
        raise InputError(f"{files}: found no segment scores")
    table = ScoredSystems.of_metrics([*scores.values()])
    if len(table.systems) < 2:
        raise InputError(f"{files}: found only one system ({table.systems[0]}); expected two or more")
    columns = {column.name: column.segments for column in table.columns}
    kept = without_missing(columns, table.systems, table.segments, missing)
    criteria = []
    for name, values in columns.items():
        one = scores[name].external
        items = {"segments": len(kept), **({"averaged": "yes"} if one.said else {})}
        signature = with_items(one.said or one.signature(), items)
        column = Column.of_scores(name, values[:, kept], higher_is_better=one.higher_is_better, signature=signature)
        criteria.append(Criterion(column, name))
    runs = Runs.single(table.systems)
    return compare_columns(criteria, runs, how, progress, left_out=len(table.segments) - len(kept))


def scores_column(name: str, values: NDArray[np.float64], higher_is_better: bool = True) -> Column:
    """A column of numbers that come from no file."""
    signature = f"{name}|segments:{values.shape[1]}|version:tricolore-{__version__}"
    return Column.of_scores(name, values, higher_is_better=higher_is_better, signature=signature)


def without_missing(
    columns: Mapping[str, NDArray[np.float64]], outputs: Sequence[str], segments: Sequence[str], missing: str
) -> list[int]:
    """The segments for which every output has a score by every metric; others are an error, or dropped."""
    if not is_one_of(missing, ("refuse", "drop")):
        raise SpecError(f"missing must be refuse or drop; got {shown(missing)}")
    lacking = np.zeros(len(segments), dtype=bool)
    for name, values in columns.items():
        if (place := too_large(values)) is not None:
            output, segment = place
            raise InputError(
                f"{outputs[output]}: segment {segments[segment]}: {name} is {values[place]:g}; "
                f"expected a number between {-LARGEST:g} and {LARGEST:g}"
            )
        lacking |= np.isnan(values).any(axis=0)
        if missing == "refuse" and lacking.any():
            output, segment = np.argwhere(np.isnan(values))[0]
            more = int(np.isnan(values).sum()) - 1
            raise InputError(
                f"{outputs[output]}: segment {segments[segment]} has no {name}"
                + (f", and {more:,} more are missing" if more else "")
                + "; missing='drop' drops segments that not all systems have"
            )
    kept = np.flatnonzero(~lacking).tolist()
    if not kept:
        raise InputError("no segment has scores of all systems")
    return kept


def _outputs(systems: Any, texts: bool) -> tuple[list[Any], Runs]:
    """The outputs of all runs of all systems in one list, and which of them belong to which system."""
    if texts and isinstance(systems, list | tuple) and systems and isinstance(systems[0], os.PathLike):
        paths = [os.fspath(path) for path in systems]
        systems = dict(zip(system_names(paths), paths, strict=True))
    if not isinstance(systems, Mapping):
        raise InputTypeError(f"systems: expected outputs by name, {{'a': ..., 'b': ...}}; got {type(systems).__name__}")
    outputs: list[Any] = []
    runs = Runs({}, [])
    for name, given in systems.items():
        if not isinstance(name, str):
            raise InputTypeError(f"systems: expected names that are strings, got {shown(name)}")
        several = _runs_of(given, name, texts)
        runs.numbers[name] = list(range(len(outputs), len(outputs) + len(several)))
        runs.names.extend(getattr(run, "path", name) for run in several)
        outputs += several
    if len(runs.numbers) < 2:
        raise InputError(f"expected two or more systems to compare, got {len(runs.numbers)}")
    for i, output in enumerate(outputs):
        if len(output) != len(outputs[0]) and not isinstance(output, TextFile):
            raise InputError(
                f"{runs.system_of(i)}: has {len(output):,} segments, but {runs.system_of(0)} has "
                f"{len(outputs[0]):,}; expected the same segments of every system"
            )
    return outputs, runs


def _runs_of(given: Any, name: str, texts: bool) -> list[Any]:
    """The runs of one system: several for a list of lists or of files, one for a list of texts or scores."""
    if texts and (is_path(given) or isinstance(given, TextFile)):
        return [texts_of(given, name)]
    several = as_list(given, name) if texts else listed(given, name)
    first = several[0] if several else ""
    if texts and isinstance(first, os.PathLike):
        return [read_texts(path) for path in several]
    if not hasattr(first, "__len__") or isinstance(first, str) or (texts and is_ids(first)):
        return [several]
    return [run if isinstance(run, TextFile) else listed(run, name) for run in several]
