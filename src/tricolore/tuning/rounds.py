"""Rounds with a decoder: decode, merge the lists of all rounds, tune on them, and decode again with the new weights.

Every round is kept on disk (`rounds_folder`). An interrupted run resumes in the round it was in: no finished list is
decoded again, and the result is the same as without the interruption.
"""

import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .._version import __version__
from ..candidates import CandidateReader, Candidates
from ..errors import InputError, SpecError
from ..features import Floats, Indices, Layout
from ..metrics.base import Metric
from ..parameters import SEED, Choice, Options, Real, Whole, param
from ..readers.files import digest_of
from ..results import Table, defined
from ..segments import References
from ..weights import NORMS, Weights, check_names, normalised, read_weights
from .bounds import Bounds, make_bounds
from .decoder import Decoder
from .rounds_folder import RoundFolder, RoundsFolder, read_object, write
from .task import Task, Tuner, Watch, is_collapsed, shown_gain


@dataclass(frozen=True)
class HeldOut:
    """Held-out lists for epoch selection; they stay the same in all rounds."""

    paths: tuple[str, ...]
    references: References


@dataclass(frozen=True)
class Round:
    """The result of one round. Scores are negated where lower is better."""

    number: int  #: from 1
    weights: Weights = field(repr=False)  #: those the decoder was given
    decoded: float  #: the score of its first hypotheses with these
    new: int  #: hypotheses not in any earlier round
    hypotheses: int  #: of all rounds so far
    tuned: Weights | None = field(default=None, repr=False)  #: the weights found; None after the last decoding
    score: float | None = None  #: of the tuned weights on the lists of all rounds
    held_out: float | None = None  #: the same on the held-out lists
    change: float | None = None  #: of the weight that changed most
    warnings: tuple[str, ...] = ()
    was_there: bool = field(default=False, compare=False)  #: whether an earlier process finished it

    def line(self, report: Metric) -> str:
        """The round in one line."""
        parts = [f"round {self.number}: {report.title} {shown_gain(self.decoded, report)} decoded"]
        parts += [f"{self.new:,} new hypotheses of {self.hypotheses:,}"]
        parts += [] if self.score is None else [f"{shown_gain(self.score, report)} tuned"]
        parts += [] if self.change is None else [f"largest change {self.change:.2g}"]
        return ", ".join(parts) + (" (was there)" if self.was_there else "")


@dataclass(frozen=True)
class Outcome:
    """The weights of a run, and its rounds."""

    weights: Weights
    rounds: tuple[Round, ...]
    chosen: Round  #: the round with these weights: those the decoder was given, or those found if it is the last
    reason: str  #: why the run ended

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings of all rounds, each once."""
        return tuple(dict.fromkeys(text for one in self.rounds for text in one.warnings))

    def table(self, report: Metric, heading: str = "") -> Table:
        """One row per round."""
        title = report.title
        header = ["Round", f"{title} decoded", f"{title} tuned", "new", "hypotheses", "largest change"]
        rows = []
        for one in self.rounds:
            number, decoded = (
                f"{one.number}{' *' * (one.number == self.chosen.number)}",
                shown_gain(one.decoded, report),
            )
            tuned = "" if one.score is None else shown_gain(one.score, report)
            change = "" if one.change is None else f"{one.change:.2g}"
            rows.append([number, decoded, tuned, f"{one.new:,}", f"{one.hypotheses:,}", change])
        return Table(header, rows, heading)


@dataclass(frozen=True, eq=False)
class Loop(Options):
    """A decoder and a tuner in turn.

    The result is `best` by default: of all weights that the decoder was given, including the start, those with which
    its first hypotheses scored best; so it is never worse than the start on the dev set. For that, the weights found
    last are decoded with, too, though nothing is tuned on that list. `last` is the weights found last.
    """

    command: str  #: of the decoder, with {weights} and {nbest}
    folder: str  #: where rounds are kept
    tuner: Tuner
    metric: Metric  #: to optimise
    report: Metric  #: the corpus metric that is reported and selects weights
    references: References
    start: Weights
    rounds: int = param(15, Whole(1, 1_000_000), "rounds of decoding and tuning, at most; then one more decoding")
    seed: int = param(12345, SEED, "random seed")
    choose: str = param("best", Choice(("best", "last")), "which weights to return: best decoded, or found last")
    threshold: float = param(1e-5, Real(0), "stop when no weight changes by more, as in Moses")
    norm: str = param("none", Choice(NORMS), "how weights are scaled")
    fix: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()
    held_out: HeldOut | None = None
    patience: int = param(10, Whole(1, 1_000_000), "epochs without improvement before stopping")
    threads: int | None = None

    def complete(self) -> None:
        """Reject a command without placeholders, and norms that would move fixed weights."""
        Decoder(self.command)
        if self.norm != "none" and (self.fix or self.bounds):
            raise SpecError("norm scales all weights, so none can be fixed or have bounds")

    def settings(self) -> dict[str, Any]:
        """The settings that identify a run: it cannot be resumed with others."""
        held_out = self.held_out
        return {
            "version": __version__,
            "decoder": self.command,
            "tuner": self.tuner.name,
            "parameters": json.loads(json.dumps(self.tuner.signature())),
            "metric": self.metric.spec,
            "report": self.report.spec,
            "seed": self.seed,
            "norm": self.norm,
            "fix": list(self.fix),
            "bounds": list(self.bounds),
            "patience": self.patience,
            "references": fingerprint(self.references.entries),
            "start": fingerprint(str(self.start)),
            "held-out lists": held_out and [*map(digest_of, held_out.paths)],
            "held-out references": held_out and fingerprint(held_out.references.entries),
        }

    def run(
        self,
        *,
        announce: Callable[[Round], None] | None = None,
        watch: Watch | None = None,
        stage: Callable[[str], object] | None = None,
    ) -> Outcome:
        """Run until all rounds are over, or nothing changes.

        `announce` is called after every round, also if it was on disk already; `watch` after every step of the tuner;
        `stage` at the beginning of each stage, such as `round 2: decoding`.
        """
        started = self._started()
        folder = RoundsFolder(self.folder)
        with folder.opened(self.settings()):
            run = _Run(self, folder, started, watch, stage)
            rounds: list[Round] = []
            reason = ""
            while not reason:
                rounds.append(run.next(tune=len(rounds) < self.rounds))
                if announce is not None:
                    announce(rounds[-1])
                reason = self._reason(rounds)
        chosen = rounds[-1]
        if self.choose == "best":  # ties go to the earliest
            chosen = max(rounds, key=lambda one: -math.inf if math.isnan(one.decoded) else one.decoded)
        found = chosen.weights if self.choose == "best" else chosen.tuned or chosen.weights
        return Outcome(found, tuple(rounds), chosen, reason)

    def _started(self) -> Weights:
        """The start within the bounds, as the decoder gets it."""
        layout = self.start.layout
        vector, _ = self.start.vector(layout)
        _, projected = make_bounds(layout, vector, self.fix, self.bounds)
        if not projected.any():
            raise InputError(f"{self.start.origin}: all weights are 0; a decoder requires others")
        return Weights(Weights.of(projected, layout).values, self.start.origin)

    def _reason(self, rounds: list[Round]) -> str:
        """Why to stop after these rounds; empty to go on."""
        last = rounds[-1]
        all_over = f"{self.rounds} round{' is' if self.rounds == 1 else 's are'} over"
        if last.tuned is None:
            return all_over
        if last.new == 0:
            return f"round {last.number} found no new hypotheses"
        if last.change is not None and last.change <= self.threshold:
            return f"no weight changed by more than {self.threshold:g} in round {last.number}"
        if last.number == self.rounds and self.choose == "last":
            return all_over
        return ""


class _Run:
    """The state of a loop."""

    def __init__(
        self,
        loop: Loop,
        folder: RoundsFolder,
        start: Weights,
        watch: Watch | None,
        stage: Callable[[str], object] | None,
    ):
        self.loop, self.folder, self.watch, self.stage = loop, folder, watch, stage
        self.weights = start  #: for the next decoding
        self.number = 0  #: of the current round
        self.tunes = True  #: whether it tunes; else it only decodes
        self.reader = CandidateReader()  # one for all lists, so that features have the same columns in all of them
        self.candidates: Candidates | None = None  #: those of all rounds
        self.held_out: Candidates | None = None
        if loop.held_out is not None:
            self._say("reading the lists held out")
            self.held_out = self.reader.read(loop.held_out.paths, loop.held_out.references)

    def next(self, tune: bool) -> Round:
        """Run the next round, or read it if it is on disk."""
        self.number, self.tunes = self.number + 1, tune
        try:
            return self._round(self.folder.round(self.number))
        except InputError as error:
            raise InputError(f"round {self.number}: {error}") from None

    def _round(self, files: RoundFolder) -> Round:
        files.make()
        self._give(files)
        was_there = files.nbest is not None
        found = self._read_list(str(files.nbest)) if was_there else self._decode(files)
        before = 0 if self.candidates is None else len(self.candidates)
        lists = self.candidates = found if self.candidates is None else self.candidates.merged(found)
        firsts = [found.text(i) for i in found.starts[:-1]]
        decoded = self._turned(self.loop.report(firsts, self.loop.references, threads=self.loop.threads).value)
        one = Round(self.number, self.weights, decoded, len(lists) - before, len(lists), was_there=was_there)
        if not self.tunes:
            return one
        one = self._earlier(files, one) if files.result.exists() else self._tuned(files, one, lists)
        self.weights = one.tuned or self.weights
        return one

    def _give(self, files: RoundFolder) -> None:
        """Write the weights for the decoder; if they are there, they must be the same."""
        if not files.weights.exists():
            write(files.weights, str(self.weights))
        elif str(read_weights(str(files.weights))) != str(self.weights):
            raise InputError(f"{files.weights}: not the weights that this round begins with; was a file changed?")

    def _decode(self, files: RoundFolder) -> Candidates:
        self._say("decoding")
        with files.attempt() as nbest:
            Decoder(self.loop.command).run(files.weights, nbest, self.number, files.output, files.errors)
            self._give(files)  # the decoder may have changed them while it ran
            unchecked = files.receive(nbest)
        found = self._read_list(str(unchecked))
        files.accept(unchecked)
        return found

    def _read_list(self, path: str) -> Candidates:
        """Read a list, and check that its features agree with the weights before it is accepted."""
        self._say("reading")
        found = self.reader.read([path], self.loop.references)
        check_names(self.reader.layout)
        self.weights.vector(self.reader.layout)
        return found

    def _tuned(self, files: RoundFolder, one: Round, lists: Candidates) -> Round:
        """Tune on all lists, and write the result."""
        layout, report = self.reader.layout, self.loop.report
        given, missing = self.weights.vector(layout)
        new = {name: (0.0,) * layout.by_name[name].width for name in missing}
        before = tuned = Weights({**self.weights.values, **new}, self.weights.origin)
        warnings = [self.weights.warning(missing)] if missing else []
        if one.new:  # else these weights were found on the same lists in the round before
            self._say("tuning")
            found, said = self._tune(given, before, lists)
            warnings += said
            vector, _ = before.vector(before.layout)  # which may have features that no list has
            vector[_columns(layout, before.layout)] = found
            scaled = Weights.of(normalised(vector, self.loop.norm), before.layout)
            tuned = Weights(scaled.values, self.weights.origin)
        vector, _ = tuned.vector(layout)
        score = lists.objective(report, vector)
        held_out = None if self.held_out is None else self.held_out.objective(report, vector)
        changes = tuned.vector(before.layout)[0] - before.vector(before.layout)[0]
        change = float(np.abs(changes).max(initial=0.0))
        one = replace(one, tuned=tuned, score=score, held_out=held_out, change=change, warnings=tuple(warnings))
        write(files.tuned, str(tuned))
        write(files.result, json.dumps(self._as_object(one), indent=1, ensure_ascii=False) + "\n")
        return replace(one, was_there=False)

    def _tune(self, given: Floats, before: Weights, lists: Candidates) -> tuple[Floats, list[str]]:
        """The weights found for the features of the lists, and warnings about them."""
        loop, bounds = self.loop, self._bounds(before, lists)
        # The start is not kept: an epoch that is no better on these lists may lead the decoder to better hypotheses.
        task = Task(lists, loop.metric, loop.report, bounds, self.held_out, loop.patience, loop.threads, False)
        found = loop.tuner.tune(task, given, round_seed(loop.seed, self.number), self.watch)
        if is_collapsed(lists, found.weights):
            said = f"round {self.number}: the weights found give all hypotheses the same score; those before are kept"
            return given, [*found.warnings, said]
        return found.weights, [*found.warnings]

    def _bounds(self, before: Weights, lists: Candidates) -> Bounds:
        """The bounds of the features of the lists; weights of features that no hypothesis has are fixed."""
        vector, _ = before.vector(before.layout)
        given, _ = make_bounds(before.layout, vector, self.loop.fix, self.loop.bounds)
        columns = _columns(self.reader.layout, before.layout)
        unseen = np.ones(len(columns), bool)
        unseen[lists.features.columns] = False
        lower, upper, now = given.lower[columns], given.upper[columns], vector[columns]
        return Bounds(np.where(unseen, now, lower), np.where(unseen, now, upper))

    def _earlier(self, files: RoundFolder, one: Round) -> Round:
        """A round that an earlier process finished."""
        found = read_object(files.result)
        if (found.get("new"), found.get("hypotheses")) != (one.new, one.hypotheses):
            raise InputError(
                f"{files.nbest}: has {one.new:,} new hypotheses, but had {found.get('new')} when {files.result} was "
                "written; was it changed?"
            )
        tuned = Weights(read_weights(str(files.tuned)).values, self.weights.origin)
        names = ("tuned score", "held-out score", "largest change")
        try:
            score, held, change = (math.nan if found[name] is None else float(found[name]) for name in names)
            warnings = tuple(found["warnings"])
        except (KeyError, TypeError, ValueError):
            raise InputError(f"{files.result}: not as it was written; was it changed?") from None
        held_out = None if self.held_out is None else self._turned(held)
        one = replace(one, tuned=tuned, score=self._turned(score), held_out=held_out, change=change, warnings=warnings)
        return replace(one, was_there=True)

    def _as_object(self, one: Round) -> dict[str, Any]:
        """For result.json, with scores as the metric has them."""
        return {
            "round": one.number,
            "signature": self.loop.report.signature(self.loop.references.counts()),
            "decoder's score": defined(self._turned(one.decoded)),
            "tuned score": None if one.score is None else defined(self._turned(one.score)),
            "held-out score": None if one.held_out is None else defined(self._turned(one.held_out)),
            "new": one.new,
            "hypotheses": one.hypotheses,
            "largest change": one.change,
            "seed": round_seed(self.loop.seed, one.number),
            "warnings": list(one.warnings),
        }

    def _turned(self, value: float) -> float:
        return value if self.loop.report.higher_is_better else -value

    def _say(self, what: str) -> None:
        if self.stage is not None:
            where = f"round {self.number}" if self.tunes else "after the last round"
            self.stage(f"{where}: {what}" if self.number else what)


def round_seed(seed: int, number: int) -> int:
    """The random seed of a round, derived from that of the run."""
    return int(np.random.SeedSequence([seed, number]).generate_state(1)[0])


def _columns(layout: Layout, everything: Layout) -> Indices:
    """The columns of one layout in another that has all of its names."""
    return np.array([i for group in layout.groups for i in everything.by_name[group.name].columns], np.int64)


def fingerprint(thing: Any) -> str:
    """A short hash of a JSON value."""
    return hashlib.sha256(json.dumps(thing, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()[:16]
