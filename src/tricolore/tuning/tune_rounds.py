"""`tune_rounds`: tune with a decoder in the loop, in one run or several."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import SpecError
from ..readers.nbest import read_nbest
from ..readers.texts import references_of
from ..weights import as_weights
from .choices import ignored, no_progress
from .methods import make_methods, norm_of
from .repeated_runs import compared
from .rounds import HeldOut, Loop
from .rounds_folder import RoundsFolder
from .run_scores import RunTest
from .tune import TuneOptions, origin_of
from .tuning_result import START, TUNE, Run, Tuning, Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..features import Floats
    from ..metrics.base import Metric
    from ..segments import References
    from ..types import Stage
    from .methods import Methods, Metrics
    from .repeated_runs import Follow
    from .rounds import Outcome, Round
    from .task import Step
    from .tune import GivenWeights


def tune_rounds(
    decoder: str,
    refs: Any,
    start: GivenWeights,
    folder: str | os.PathLike[str],
    method: Methods = "mert",
    metric: Metrics | None = None,
    *,
    rounds: int = 15,
    report: str | Metric | None = None,
    held_out: tuple[Sequence[str], Any] | None = None,
    patience: int = 10,
    fix: Sequence[str] = (),
    bounds: Sequence[str] = (),
    normalise: str | None = None,
    replicate: int = 1,
    seed: int = 12345,
    trials: int = 10_000,
    runs_as: str = "together",
    threads: int | None = None,
    progress: Stage | None = None,
    watch: Follow | None = None,
    note: Callable[[str], None] | None = None,
    **parameters: Any,
) -> Tuning:
    r"""Decode, merge the n-best lists of all rounds, tune on them, and decode again with the weights found.

    `decoder` is a shell command in which `{weights}` stands for the file to read, `{nbest}` for the one to write and
    `{round}` for the number of the round. Every round is kept in `folder`, so that an interrupted run is resumed where
    it was. It ends after `rounds` rounds, or when no weight changes or no new candidate is found, and returns the
    weights with which the decoder scored best. Several runs (`replicate`) have their own folders, `run-1` and so on.
    After every round, `note` is called with a line about it; all else is as in `tune`.

    >>> import pathlib, tempfile
    >>> work = pathlib.Path(tempfile.mkdtemp())
    >>> lines = ["0 ||| a cat ||| lm= -1 w= 1 ||| 0", "0 ||| the cat ||| lm= -2 w= 2 ||| 0"]
    >>> _ = (work / "lists").write_text("\n".join(lines) + "\n")
    >>> decoder = f"cp {work}/lists {{nbest}}  # a decoder that ignores {{weights}}"
    >>> tuning = tune_rounds(decoder, ["the cat"], {"lm": 1, "w": 0}, work / "rounds", "mert", "chrf", restarts=0)
    >>> len(tuning.rounds[0].rounds), tuning.rounds[0].reason
    (2, 'round 2 found no new hypotheses')
    """
    how: Any = {
        "replicate": replicate,
        "seed": seed,
        "trials": trials,
        "runs_as": runs_as,
        "fix": fix,
        "bounds": bounds,
    }
    options = TuneOptions(patience=patience, normalise=normalise, **how)
    methods, reported = make_methods(method, metric, report, parameters)
    if len(methods) > 1:
        raise SpecError(f"method: a decoder takes one method and one metric; got {len(methods)}")
    norm = norm_of(options.normalise, methods, bool(options.fix or options.bounds))
    references, tuner, path = references_of(refs), methods[0].tuner, os.fspath(folder)
    lists = None if held_out is None else HeldOut(tuple(held_out[0]), references_of(held_out[1]))
    runs, outcomes = {START: [], methods[0].name: []}, []  # type: tuple[dict[str, list[Run]], list[Outcome]]
    for number, own_seed in enumerate(options.seeds):
        own = path if options.replicate == 1 else os.path.join(path, f"run-{number + 1}")
        loop = Loop(
            decoder, own, tuner, methods[0].metric, reported, references, as_weights(start), rounds, own_seed,
            norm=norm, held_out=lists, patience=patience, threads=threads,
            fix=options.fix, bounds=options.bounds,
        )  # fmt: skip
        outcomes.append(_run(loop, number, options.replicate, progress or no_progress, watch, note or ignored))
        if not runs[START]:
            runs[START].append(Run(0, loop.start, {TUNE: _decoded_rows(loop, 1)}))
        rows = {TUNE: _decoded_rows(loop, outcomes[-1].chosen.number)}
        runs[methods[0].name].append(Run(own_seed, outcomes[-1].weights, rows, outcomes[-1].warnings))
    found = compared(reported, {TUNE: references}, runs, RunTest(options.trials, options.seed, options.runs_as))
    settings = options.settings(origin_of(start))
    if lists is not None:
        settings |= {"held-out": ",".join(lists.paths), "patience": options.patience}
    settings |= {"rounds": rounds, "norm": norm}
    about = tuple(_about(references, outcomes, path))
    return replace(found, methods=tuple(methods), settings=settings, sets_are=about, rounds=tuple(outcomes))


def _run(
    loop: Loop, number: int, runs: int, progress: Stage, watch: Follow | None, note: Callable[[str], None]
) -> Outcome:
    prefix = f"run {number + 1}: " if runs > 1 else ""
    over = [0]  # rounds

    def announce(one: Round) -> None:
        over[0] = one.number
        note(f"{prefix}{one.line(loop.report)}")

    def step(one: Step) -> None:
        if watch is not None:
            watch(Watched(loop.tuner.name, one, loop.report, number, runs, round=over[0] + 1))

    return loop.run(announce=announce, watch=watch and step, stage=lambda what: progress(f"{prefix}{what}"))


def _decoded_rows(loop: Loop, number: int) -> Floats:
    """Statistics of the decoder's first hypotheses in a round, one row per source."""
    path = str(RoundsFolder(loop.folder).round(number).nbest)
    texts = [nbest.texts[0] for nbest in read_nbest(path, len(loop.references))]
    ready = loop.report.ready_for(loop.references)
    return ready.stats(texts, loop.references, threads=loop.threads).values[None]


def _about(references: References, outcomes: Sequence[Outcome], folder: str) -> Iterator[str]:
    yield f"{TUNE}: first hypotheses of the decoder, {len(references):,} sources; scores on these are optimistic."
    yield "Rounds: decoded is the score of these; tuned is that of what the new weights choose from all lists so far."
    for number, outcome in enumerate(outcomes, 1):
        run = f"Run {number} ended" if len(outcomes) > 1 else "Ended"
        yield f"{run} because {outcome.reason}; round {outcome.chosen.number} decoded best."
    yield f"Every round is kept in {folder}."
