"""Tuning with a decoder in the loop: one run or several, each in a folder of its own, and what came of every round."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..errors import SpecError
from ..tuning.repeated_runs import START, TUNE, Run, compared
from ..tuning.rounds import ROUNDS, HeldOut, Loop
from ..tuning.rounds_folder import RoundsFolder
from ..weights import read_weights
from . import tables
from .tune import make_methods, norm_of, other_references, report_metric, settings_of, told
from .tune_results import Log, print_replications, write_weights

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ..metrics.base import Metric
    from ..segments import References
    from ..tuning.repeated_runs import Method
    from ..tuning.rounds import Outcome, Round
    from ..tuning.task import Step
    from .progress import ProgressBar


def tune_with_decoder(
    options: argparse.Namespace, asked: dict[str, list[Metric]], references: References, name: str, bar: ProgressBar
) -> Callable[[], None]:
    """Run the loop as often as asked for; return what shows the results."""
    report = report_metric(options, asked)
    (method,) = make_methods(options, asked)
    if options.baseline not in (None, START):
        raise SpecError(f"--baseline: with a --decoder there is no row to compare with but {START}")
    norm = norm_of(options, [method])
    folder = options.work or f"{options.output}.rounds"
    runs: list[Run] = []
    outcomes = []
    start: Run | None = None
    with Log(options.log) as log:
        for number in range(options.replicate):
            own = folder if options.replicate == 1 else os.path.join(folder, f"run-{number + 1}")
            loop = make_loop(options, method, report, references, name, norm, own, number)
            outcome = run_loop(loop, number, options, method, bar, log)
            outcomes.append(outcome)
            start = start or Run(0, loop.start, {TUNE: decoded_rows(loop, 1)})
            rows = {TUNE: decoded_rows(loop, outcome.chosen.number)}
            runs.append(Run(loop.seed, outcome.weights, rows, outcome.warnings))
    assert start is not None
    found = compared(report, {TUNE: references}, {START: [start], method.name: runs}, how=settings_of(options))
    write_weights(found, method.name, "none", options.output)  # scaled already, if they are to be
    lines = about_rounds(references, outcomes, folder)

    def show() -> None:
        if options.format == "text":
            for number, outcome in enumerate(outcomes, 1):
                if len(outcomes) > 1:
                    print(f"Run {number}\n")
                tables.text(*rounds_table(outcome, report))
                print()
        print_replications(found, [method], lines, "none", options)

    return show


def make_loop(
    options: argparse.Namespace,
    method: Method,
    report: Metric,
    references: References,
    name: str,
    norm: str,
    folder: str,
    number: int,
) -> Loop:
    """One run of the loop."""
    if number or options.replicate > 1:
        os.makedirs(os.path.dirname(folder), exist_ok=True)
    return Loop(
        options.decoder,
        folder,
        method.tuner,
        method.metric,
        report,
        references,
        read_weights(options.start),
        name,
        options.rounds or ROUNDS,
        options.seed + number,
        norm=norm,
        fix=tuple(options.fix),
        bounds=tuple(options.bounds),
        held_out=held_out_of(options),
        patience=options.patience,
        threads=options.threads,
    )


def held_out_of(options: argparse.Namespace) -> HeldOut | None:
    """Lists that choose among the steps of a tuner, if there are any."""
    if not options.held_out_nbest:
        return None
    references, name = other_references(options, options.held_out_refs)
    return HeldOut(tuple(options.held_out_nbest), references, name)


def run_loop(
    loop: Loop, number: int, options: argparse.Namespace, method: Method, bar: ProgressBar, log: Log
) -> Outcome:
    """Run one loop and tell how it goes: the rounds on standard error, the steps where they are asked for."""
    run = f"run {number + 1}: " if options.replicate > 1 else ""
    last = [""]  # what is going on

    def stage(what: str) -> None:
        last[0] = f"{run}{what}"
        bar.stage(last[0])

    def watch(step: Step) -> None:
        log.write(method.name, number, None, step)
        line = f"{last[0]}: {told(step, loop.report)}"
        bar.describe(line)
        if options.verbose:
            bar.note(f"{line}")

    def announce(one: Round) -> None:
        if not options.quiet:
            bar.note(f"{run}{line_of(one, loop.report)}")

    return loop.run(announce=announce, watch=watch, stage=stage)


def decoded_rows(loop: Loop, number: int) -> NDArray[np.float64]:
    """Statistics of what the decoder put first in a round, a row a source."""
    from ..readers.nbest import read_nbest

    path = RoundsFolder(loop.folder).round(number).nbest
    texts = [nbest.texts[0] for nbest in read_nbest(str(path), len(loop.references), loop.known)]
    ready = loop.report.ready_for(loop.references)
    return ready.stats(texts, loop.references, threads=loop.threads).values


def about_rounds(references: References, outcomes: Sequence[Outcome], folder: str) -> list[str]:
    """What the set is, and why the runs ended."""
    lines = [
        f"{TUNE}: what the decoder puts first, {len(references):,} sources; weights are tuned on these, so that scores "
        "are too good to be true.",
        "Rounds: decoded is what the decoder put first; tuned is what the new weights choose in all lists so far.",
    ]
    for number, outcome in enumerate(outcomes, 1):
        run = f"Run {number} ended" if len(outcomes) > 1 else "Ended"
        lines.append(f"{run} because {outcome.reason}; round {outcome.chosen.number} decoded best.")
    lines.append(f"Every round is kept in {folder}.")
    return lines


def rounds_table(outcome: Outcome, report: Metric) -> tuple[list[str], list[list[str]]]:
    """A row a round."""
    title = report.title
    header = ["Round", f"{title} decoded", f"{title} tuned", "new", "hypotheses", "largest change"]
    rows = []
    for one in outcome.rounds:
        rows.append(
            [
                f"{one.number}{' *' if one.number == outcome.chosen.number else ''}",
                shown(one.decoded, report),
                "" if one.score is None else shown(one.score, report),
                f"{one.new:,}",
                f"{one.hypotheses:,}",
                "" if one.change is None else f"{one.change:.2g}",
            ]
        )
    return header, rows


def line_of(one: Round, report: Metric) -> str:
    """A round in a line."""
    parts = [f"round {one.number}: {report.title} {shown(one.decoded, report)} decoded"]
    parts.append(f"{one.new:,} new hypotheses of {one.hypotheses:,}")
    if one.score is not None:
        parts.append(f"{shown(one.score, report)} tuned")
    if one.change is not None:
        parts.append(f"largest change {one.change:.2g}")
    return ", ".join(parts) + (" (was there)" if one.was_there else "")


def shown(value: float, report: Metric) -> str:
    """A score, turned back if less is better."""
    turned = value if report.higher_is_better else -value
    return f"{turned * report.display_scale:.{report.display_digits + 1}f}"
