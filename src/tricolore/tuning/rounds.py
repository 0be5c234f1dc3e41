"""Rounds with a decoder: decode, merge the lists of all rounds, tune on them, and again with the weights found.

Every round is kept on disk (`rounds_folder`). A run that was ended, however that happened, goes on at the round it was
in: what a decoder has finished is not decoded again, and the end is the same as if nothing had happened.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .._version import __version__
from ..candidates import CandidateReader
from ..errors import InputError, SpecError
from ..parameters import SEED, Choice, Options, Real, Whole, param
from ..readers.files import digest_of
from ..results import defined
from ..weights import NORMS, Weights, check_names, normalised, read_weights
from .bounds import Bounds, make_bounds
from .decoder import Decoder
from .round_results import Outcome, Round
from .rounds_folder import RoundsFolder, read_object, write
from .task import Task, is_collapsed

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..candidates import Candidates
    from ..features import Floats, Indices, Layout
    from ..metrics.base import Metric
    from ..segments import References
    from .rounds_folder import RoundFolder
    from .task import Tuner, Watch


@dataclass(frozen=True)
class HeldOut:
    """Lists of other sources, which choose among the steps of a tuner. They stay the same in all rounds."""

    paths: tuple[str, ...]
    references: References


@dataclass(frozen=True, eq=False)
class Loop(Options):
    """A tuner and a decoder in turns.

    The answer is `best` by default: of all weights that the decoder was given, the start among them, those with which
    the first hypotheses of its own list scored best; so it is never worse than the start, as far as the references of
    the tuning set tell. For that, the weights found last are decoded, too, though nothing is tuned on that list.
    `last` is the weights found last, as they are.
    """

    command: str  #: what runs the decoder, with {weights} and {nbest}
    folder: str  #: where rounds are kept
    tuner: Tuner
    metric: Metric  #: what is to become good
    report: Metric  #: of the corpus: what is reported, and what chooses
    references: References
    start: Weights
    rounds: int = param(15, Whole(1, 1_000_000), "rounds of decoding and tuning, at most; then one more decoding")
    seed: int = param(12345, SEED, "random seed")
    choose: str = param("best", Choice(("best", "last")), "which weights are the answer: best decoded, or found last")
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
        """What makes the run what it is: with another of these it would be another run."""
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
        stage: Callable[[str], None] | None = None,
    ) -> Outcome:
        """Run until as many rounds are over as were asked for, or nothing changes any more.

        `announce` is called after every round, also after one that was on disk already; `watch` after every step of
        the tuner; `stage` with what begins: `round 2: decoding`.
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
        return self._outcome(rounds, reason)

    def _started(self) -> Weights:
        """The start as the decoder gets it, within the bounds; names that cannot be meant are refused."""
        layout = self.start.layout
        vector, _ = self.start.vector(layout)
        _, projected = make_bounds(layout, vector, self.fix, self.bounds)
        if not projected.any():
            raise InputError(f"{self.start.origin}: all weights are 0; a decoder needs others to begin with")
        return Weights(Weights.of(projected, layout).values, self.start.origin)

    def _reason(self, rounds: list[Round]) -> str:
        """Why to stop after these rounds; nothing if not."""
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

    def _outcome(self, rounds: list[Round], reason: str) -> Outcome:
        """Choose; of equals, the earliest."""
        last = rounds[-1]
        if self.choose == "last":
            return Outcome(last.tuned or last.weights, tuple(rounds), last, reason)
        best = max(rounds, key=lambda one: -math.inf if math.isnan(one.decoded) else one.decoded)
        return Outcome(best.weights, tuple(rounds), best, reason)


class _Run:
    """Where a loop is."""

    def __init__(
        self, loop: Loop, folder: RoundsFolder, start: Weights, watch: Watch | None, stage: Callable[[str], None] | None
    ):
        self.loop = loop
        self.folder = folder
        self.weights = start  #: the next to be decoded with
        self.number = 0  #: of the round that is on
        self.tunes = True  #: whether it is to tune; else it only tells how good the weights are
        self.watch = watch
        self.stage = stage
        self.reader = CandidateReader()  # one for all lists, so that features have the same columns in all of them
        self.candidates: Candidates | None = None  #: those of all rounds
        self.held_out: Candidates | None = None
        if loop.held_out is not None:
            self._say("reading the lists held out")
            self.held_out = self.reader.read(loop.held_out.paths, loop.held_out.references)

    def next(self, tune: bool) -> Round:
        """The next round; if it is on disk, from there."""
        self.number += 1
        self.tunes = tune
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
        self.candidates = found if self.candidates is None else self.candidates.merged(found)
        size = len(self.candidates)
        one = Round(self.number, self.weights, self._decoded(found), size - before, size, was_there=was_there)
        if not self.tunes:
            return one
        one = self._earlier(files, one) if files.result.exists() else self._tuned(files, one)
        self.weights = one.tuned or self.weights
        return one

    # Decoding ----------------------------------------------------------------------------------------------

    def _give(self, files: RoundFolder) -> None:
        """Write the weights for the decoder; if they are there, they must be the same."""
        if not files.weights.exists():
            write(files.weights, str(self.weights))
        elif str(read_weights(str(files.weights))) != str(self.weights):
            raise InputError(
                f"{files.weights}: these are not the weights that this round begins with; was a file changed?"
            )

    def _decode(self, files: RoundFolder) -> Candidates:
        self._say("decoding")
        with files.attempt() as nbest:
            Decoder(self.loop.command).run(files.weights, nbest, self.number, files.output, files.errors)
            self._give(files)  # if the decoder changed them, nobody knows what it decoded with
            unchecked = files.receive(nbest)
        found = self._read_list(str(unchecked))
        files.accept(unchecked)
        return found

    def _read_list(self, path: str) -> Candidates:
        """Read a list; what weights have to do with its features is checked, too, while it can still be refused."""
        self._say("reading")
        found = self.reader.read([path], self.loop.references)
        check_names(self.reader.layout)
        self.weights.vector(self.reader.layout)
        return found

    def _decoded(self, found: Candidates) -> float:
        """The score of the first hypotheses of a list."""
        texts = [found.text(i) for i in found.starts[:-1]]
        return self._turned(self.loop.report(texts, self.loop.references, threads=self.loop.threads).value)

    # Tuning ------------------------------------------------------------------------------------------------

    def _tuned(self, files: RoundFolder, one: Round) -> Round:
        """Tune on all there is, and keep what was found."""
        assert self.candidates is not None
        given, missing = self.weights.vector(self.reader.layout)
        whole = self._with(missing)
        warnings = [self.weights.warning(missing)] if missing else []
        tuned = whole
        if one.new:  # else these weights were found on these very lists in the round before
            self._say("tuning")
            found, said = self._tune(given, whole)
            tuned = self._whole(whole, found)
            warnings += said
        vector, _ = tuned.vector(self.reader.layout)
        score = self.candidates.objective(self.loop.report, vector)
        held_out = None if self.held_out is None else self.held_out.objective(self.loop.report, vector)
        change = _largest_change(whole, tuned)
        one = replace(one, tuned=tuned, score=score, held_out=held_out, change=change, warnings=tuple(warnings))
        write(files.tuned, str(tuned))
        write(files.result, json.dumps(self._as_object(one), indent=1, ensure_ascii=False) + "\n")
        return replace(one, was_there=False)

    def _tune(self, given: Floats, whole: Weights) -> tuple[Floats, list[str]]:
        """The weights found for the features of the lists, and what is to be said about them."""
        loop = self.loop
        assert self.candidates is not None
        lists, bounds = self.candidates, self._bounds(whole)
        # Not the start: the weights of an epoch that is no better here may lead the decoder to what is.
        task = Task(lists, loop.metric, loop.report, bounds, self.held_out, loop.patience, loop.threads, False)
        found = loop.tuner.tune(task, given, round_seed(loop.seed, self.number), self.watch)
        if is_collapsed(self.candidates, found.weights):
            said = (
                f"round {self.number}: the weights found make no difference between hypotheses; those before are kept"
            )
            return given, [*found.warnings, said]
        return found.weights, list(found.warnings)

    def _bounds(self, whole: Weights) -> Bounds:
        """Bounds of the features of the lists; what no hypothesis of these lists has stays as it is."""
        assert self.candidates is not None
        everything, layout = whole.layout, self.reader.layout
        vector, _ = whole.vector(everything)
        given, _ = make_bounds(everything, vector, self.loop.fix, self.loop.bounds)
        columns = _columns(layout, everything)
        unseen = np.ones(layout.size, bool)
        unseen[self.candidates.features.columns] = False
        lower, upper, now = given.lower[columns], given.upper[columns], vector[columns]
        return Bounds(np.where(unseen, now, lower), np.where(unseen, now, upper))

    def _with(self, missing: list[str]) -> Weights:
        """The weights of this round and those of features that had none."""
        groups = self.reader.layout.by_name
        new = {name: (0.0,) * groups[name].width for name in missing}
        return Weights({**self.weights.values, **new}, self.weights.origin)

    def _whole(self, whole: Weights, found: Floats) -> Weights:
        """All weights with those that were found, scaled as asked for; names that no list has are among them."""
        everything = whole.layout
        vector, _ = whole.vector(everything)
        vector[_columns(self.reader.layout, everything)] = found
        return Weights(Weights.of(normalised(vector, self.loop.norm), everything).values, self.weights.origin)

    # Results -----------------------------------------------------------------------------------------------

    def _earlier(self, files: RoundFolder, one: Round) -> Round:
        """A round that an earlier process has finished."""
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
        score = self._turned(score)
        return replace(
            one, tuned=tuned, score=score, held_out=held_out, change=change, warnings=warnings, was_there=True
        )

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
    """The seed of a round, so that rounds draw differently and each of them always alike."""
    return int(np.random.SeedSequence([seed, number]).generate_state(1)[0])


def _columns(layout: Layout, everything: Layout) -> Indices:
    """Where the columns of one layout are in another that has all its names."""
    return np.array([i for group in layout.groups for i in everything.by_name[group.name].columns], np.int64)


def _largest_change(before: Weights, after: Weights) -> float:
    changes = [
        abs(a - b) for name, values in after.values.items() for a, b in zip(before.values[name], values, strict=True)
    ]
    return max(changes, default=0.0)


def fingerprint(thing: Any) -> str:
    """A short text that changes with what it stands for."""
    return hashlib.sha256(json.dumps(thing, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()[:16]
