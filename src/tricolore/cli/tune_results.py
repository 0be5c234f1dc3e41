"""What tuning found: a table of methods and sets as in Chen & Cherry (2014), the weights, and a log of every step."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from .._version import __version__
from ..tune.replication import START, TUNE
from ..tune.weights import Weights, normalised
from ..writers import writing
from . import tables

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from contextlib import AbstractContextManager
    from typing import Self, TextIO

    from ..judge.comparison import Judgement, System
    from ..tune.features import Layout
    from ..tune.replication import Method, Replications, Run
    from ..tune.task import Step


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
        self._file.write("\t".join([*place, *numbers]) + "\n")


def write_weights(found: Replications, method: str, layout: Layout, norm: str, path: str) -> None:
    """Write the weights of the run in the middle."""
    Weights.of(normalised(found.median(method).weights, norm), layout).write(path)


def print_replications(
    found: Replications, methods: Sequence[Method], layout: Layout, norm: str, options: argparse.Namespace
) -> None:
    """Print in the form asked for."""
    if options.format == "json":
        print(json.dumps(as_object(found, methods, layout, norm, options), indent=1, ensure_ascii=False))
        return
    width = found.setup.report.display_digits + 1 if options.width is None else options.width
    header, rows, best = table(found, width)
    if options.format == "tsv":
        print(tables.tsv(header, rows))
        return
    lines = notes(found, methods, options)
    if options.format == "text":
        tables.text(header, rows, best)
        print()
        print(*lines, sep="\n")
        if not options.output and len(methods) == 1:
            print()
            print(weights_of(found.median(methods[0].name), layout, norm), end="")
        return
    print((tables.markdown if options.format == "markdown" else tables.latex)(header, rows))
    print()
    print("\n".join(f"- {line}" if options.format == "markdown" else f"% {line}" for line in lines))


def weights_of(run: Run, layout: Layout, norm: str) -> Weights:
    """The weights of a run as they are written."""
    return Weights.of(normalised(run.weights, norm), layout)


def table(found: Replications, width: int) -> tuple[list[str], list[list[str]], list[tuple[int, int]]]:
    """A row a method: for every set the mean, the standard deviation if there are several runs, and p."""
    several = any(len(runs) > 1 for runs in found.runs.values())
    arrow = "" if found.setup.report.higher_is_better else " ↓"
    header = [f"{found.setup.report.title}{arrow}"]
    for name in found.setup.sets:
        header += [name, *(["std"] if several else []), "p"]
    rows, significant = [], []
    for r, method in enumerate(found.runs):
        row = [method]
        for name in found.setup.sets:
            judgement = found.judgement(name)
            system = judgement.system(method)
            p = p_value(found, judgement, method)
            if p is not None and p <= 0.05 and better(found, judgement, system):
                significant.append((r, len(row)))
            row.append(shown(system.score, judgement, width))
            if several:
                row.append("" if len(system.runs) < 2 else shown(system.optimisation, judgement, width))
            row.append("" if p is None else f"{p:.4f}")
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


def notes(found: Replications, methods: Sequence[Method], options: argparse.Namespace) -> list[str]:
    """What the columns mean, how it was computed, and what went wrong."""
    setup = found.setup
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
    against = "the weights before tuning" if found.baseline == START else found.baseline
    kind = ", stratified over runs" if options.replicate > 1 else ""
    lines.append(f"p: of the difference from {against}, by approximate randomisation{kind}.")
    if options.replicate > 1:
        lines.append(f"Means over {options.replicate} runs; std: standard deviation over runs.")
    signatures = {name: found.judgement(name).signature for name in setup.sets}
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
    setup = found.setup
    items: dict[str, Any] = {"metric": method.metric.spec, **method.tuner.signature(), "seed": seeds}
    items["start"] = options.start or "equal"
    if options.fix:
        items["fix"] = ",".join(options.fix)
    if options.bounds:
        items["bounds"] = ",".join(options.bounds)
    if setup.held_out_share or setup.held_out is not None:
        items["held-out"] = f"{setup.held_out_share:g}" if setup.held_out_share else ",".join(options.held_out_nbest)
        items["patience"] = setup.patience
    items["report"] = setup.report.spec
    items["version"] = f"tricolore-{__version__}"
    return "|".join([method.tuner.name, *(f"{key}:{value}" for key, value in items.items())])


def warnings(found: Replications) -> list[str]:
    """What went wrong in some run."""
    texts: dict[str, None] = {}
    for method, runs in found.runs.items():
        for number, run in enumerate(runs, 1):
            for text in run.tuned.warnings if run.tuned else ():
                texts[f"{method}{f', run {number}' if len(runs) > 1 else ''}: {text}"] = None
    return [*texts]


def as_object(
    found: Replications, methods: Sequence[Method], layout: Layout, norm: str, options: argparse.Namespace
) -> dict[str, Any]:
    """Everything, with the weights of every run."""
    by_name = {method.name: method for method in methods}
    rows = []
    for name, runs in found.runs.items():
        scores = {}
        for one in found.setup.sets:
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
        row["runs"] = [{"seed": run.seed, "weights": dict(weights_of(run, layout, norm).values)} for run in runs]
        rows.append(row)
    return {
        "baseline": found.baseline,
        "signatures": {name: found.judgement(name).signature for name in found.setup.sets},
        "methods": rows,
        "warnings": warnings(found),
    }
