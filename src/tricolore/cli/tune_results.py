"""What tuning found: a table of methods and sets as in Chen & Cherry (2014), the weights, and a log of every step."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .. import spec
from .._version import __version__
from ..tuning.repeated_runs import START, TUNE
from ..tuning.rounds import ROUNDS
from ..writers import writing
from . import tables
from .printing import as_json, say, show

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from contextlib import AbstractContextManager
    from typing import Self, TextIO

    from ..judge.significance.comparison import Judgement, System
    from ..tuning.repeated_runs import Method, Replications, Setup
    from ..tuning.task import Step


ALPHA = 0.05  #: what p is at most where a difference is marked


class Log:
    """Every step of every run, a line each, in a file that appears when all is done."""

    COLUMNS = ("method", "run", "fold", "step", "objective", "score", "held_out")

    def __init__(self, path: str | None):
        self.path = path
        self._opened: AbstractContextManager[TextIO] | None = None
        self._file: TextIO | None = None

    def __enter__(self) -> Self:
        if self.path is not None:
            self._opened = writing(self.path)
            self._file = self._opened.__enter__()
            self._file.write("\t".join(self.COLUMNS) + "\n")
        return self

    def __exit__(self, *how: Any) -> None:
        if self._opened is not None:
            self._opened.__exit__(*how)

    def write(self, method: str, number: int, fold: int | None, step: Step) -> None:
        """Take note of a step."""
        if self._file is None:
            return
        values = [step.objective, step.score, math.nan if step.held_out is None else step.held_out]
        numbers = ["" if math.isnan(value) else repr(value) for value in values]
        place = [method, str(number + 1), "" if fold is None else str(fold + 1), str(step.number)]
        self._file.write(tables.tsv([*place, *numbers], []) + "\n")


def write_weights(found: Replications, method: str, norm: str, path: str) -> None:
    """Write the weights of the run in the middle."""
    found.median(method).weights.normalised(norm).write(path)


def print_replications(
    found: Replications, methods: Sequence[Method], sets: Sequence[str], norm: str, options: argparse.Namespace
) -> None:
    """Print in the form asked for; `sets` says in lines what the sets are."""
    if options.format == "json":
        print(as_json(as_object(found, methods, norm, options), indent=1))
        return
    width = found.report.display_digits + 1 if options.width is None else options.width
    if options.format == "tsv":
        print(tables.tsv(*table(found, width, marked=False)[:2]))
        return
    header, rows, best = table(found, width)
    lines = [*sets, *notes(found, methods, options)]
    if options.format == "text":
        tables.text(header, rows, best)
        print()
        show(*lines)
        if not options.output and len(methods) == 1:
            print()
            print(found.median(methods[0].name).weights.normalised(norm), end="")
        elif not options.output and not options.quiet:
            say("with -f json come the weights of every method and run")
        return
    print((tables.markdown if options.format == "markdown" else tables.latex)(header, rows))
    print()
    show(*(f"- {line}" if options.format == "markdown" else f"% {line}" for line in lines))


def table(
    found: Replications, width: int, marked: bool = True
) -> tuple[list[str], list[list[str]], list[tuple[int, int]]]:
    """A row a method: for every set the mean, the standard deviation if there are several runs, and p.

    p-values of what is significantly better are `marked`.
    """
    several = any(len(runs) > 1 for runs in found.runs.values())
    arrow = "" if found.report.higher_is_better else " ↓"
    header = [f"{found.report.title}{arrow}"]
    for name in found.sets:
        header += [name, *(["std"] if several else []), "p"]
    rows, significant = [], []
    for r, method in enumerate(found.runs):
        row = [method]
        for name in found.sets:
            judgement = found.judgement(name)
            system = judgement.system(method)
            p = p_value(found, judgement, method)
            star = p is not None and p <= ALPHA and better(found, judgement, system)
            if star:
                significant.append((r, len(row)))
            row.append(shown(system.score, judgement, width))
            if several:
                row.append("" if len(system.runs) < 2 else shown(system.optimisation, judgement, width))
            mark = ("*" if star else " ") if marked else ""
            row.append(f"{p:.4f}{mark}" if p is not None else "")
        rows.append(row)
    return header, rows, significant


def p_value(found: Replications, judgement: Judgement, method: str) -> float | None:
    """Of a method against the baseline; none for the baseline itself."""
    return None if method == found.baseline else judgement.pair(method, found.baseline).p


def better(found: Replications, judgement: Judgement, system: System) -> bool:
    """Whether a method is better than the baseline."""
    difference = system.score - judgement.system(found.baseline).score
    return difference > 0 if judgement.higher_is_better else difference < 0


def shown(value: float, judgement: Judgement, width: int) -> str:
    """A score as it is printed."""
    return f"{value * judgement.scale:.{width}f}"


def about_lists(setup: Setup) -> list[str]:
    """What the sets are, where lists were given."""
    lines = [
        f"{TUNE}: the lists tuned on, {setup.candidates.sources:,} sources, {len(setup.candidates):,} hypotheses; "
        "scores on these are too good to be true."
    ]
    if setup.folds:
        lines.append(f"{setup.fold_set}: each part of the sources, chosen for by weights tuned on the others.")
    for name, candidates in setup.tests.items():
        lines.append(f"{name}: {candidates.sources:,} sources, {len(candidates):,} hypotheses, not tuned on.")
    if len(setup.sets) == 1:
        lines.append("To see what the weights are worth elsewhere, give --folds K or --test-nbest FILE.")
    return lines


def notes(found: Replications, methods: Sequence[Method], options: argparse.Namespace) -> list[str]:
    """What the numbers mean, how they were computed, and what went wrong."""
    against = found.baseline
    kind = ", stratified over runs, which count as independent" if options.replicate > 1 else ""
    lines = [f"{START}: the weights before tuning, {f'from {options.start}' if options.start else 'all equal'}."]
    lines.append(
        f"p: of the difference from {against}, by approximate randomisation{kind}; * better, p at most {ALPHA:g}."
    )
    if not any(system.score for name in found.sets for system in found.judgement(name).systems):
        lines.append(f"All scores are 0: {found.report.title} does not tell these apart; --report another metric.")
    if options.replicate > 1:
        lines.append(f"Means over {options.replicate} runs; std: standard deviation over runs.")
    signatures = {name: found.judgement(name).signature for name in found.sets}
    if len(set(signatures.values())) == 1:
        lines.append(signatures[TUNE])
    else:
        lines += [f"{name}: {text}" for name, text in signatures.items()]
    lines += [signature(method, found, options) for method in methods]
    lines += [f"Warning: {text}" for text in warnings(found)]
    return lines


def signature(method: Method, found: Replications, options: argparse.Namespace) -> str:
    """Everything needed to tune again."""
    runs = found.runs[method.name]
    seeds = str(runs[0].seed) if len(runs) == 1 else f"{runs[0].seed}..{runs[-1].seed}"
    parameters = {key: written(value) for key, value in method.tuner.signature().items()}
    items: dict[str, Any] = {"metric": method.metric.spec, **parameters, "seed": seeds}
    items["start"] = options.start or "equal"
    items |= {key: ",".join(getattr(options, key)) for key in ("fix", "bounds") if getattr(options, key)}
    if options.held_out or options.held_out_nbest:
        items["held-out"] = f"{options.held_out:g}" if options.held_out else ",".join(options.held_out_nbest)
        items["patience"] = options.patience
    if options.first:
        items["first"] = options.first
    if options.decoder:
        from .tune import norm_of

        items |= {"rounds": options.rounds or ROUNDS, "norm": norm_of(options, [method])}
    items |= {"report": found.report.spec, "version": f"tricolore-{__version__}"}
    return "|".join([method.tuner.name, *(f"{key}:{value}" for key, value in items.items())])


def written(value: Any) -> str:
    """A parameter as signatures have it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return spec.write(value) if isinstance(value, float) else str(value)


def warnings(found: Replications) -> list[str]:
    """What went wrong in some run."""
    texts: dict[str, None] = {}
    for method, runs in found.runs.items():
        for number, run in enumerate(runs, 1):
            for text in run.warnings:
                texts[f"{method}{f', run {number}' if len(runs) > 1 else ''}: {text}"] = None
    return [*texts]


def as_object(found: Replications, methods: Sequence[Method], norm: str, options: argparse.Namespace) -> dict[str, Any]:
    """Everything, with the weights of every run."""
    by_name = {method.name: method for method in methods}
    rows = []
    for name, runs in found.runs.items():
        scores = {}
        for one in found.sets:
            judgement = found.judgement(one)
            system = judgement.system(name)
            scores[one] = {
                "mean": system.score * judgement.scale,
                "std": None if len(system.runs) < 2 else system.optimisation * judgement.scale,
                "runs": [value * judgement.scale for value in system.runs],
                "p": p_value(found, judgement, name),
            }
        row: dict[str, Any] = {"method": name, "scores": scores}
        if name in by_name:
            row["signature"] = signature(by_name[name], found, options)
        row["runs"] = [
            {"seed": None if name == START else run.seed, "weights": dict(run.weights.normalised(norm).values)}
            for run in runs
        ]
        rows.append(row)
    return {
        "baseline": found.baseline,
        "signatures": {name: found.judgement(name).signature for name in found.sets},
        "methods": rows,
        "warnings": warnings(found),
    }
