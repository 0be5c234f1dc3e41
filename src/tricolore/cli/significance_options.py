"""Intervals and paired tests beside scores, with sacreBLEU's options and habits: the first system is the baseline."""

from __future__ import annotations

import os

from ..errors import SpecError
from .printing import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..judge.significance.intervals import Confidence
    from ..metrics.base import Metric
    from ..stats import Stats
    from .progress import ProgressBar

#: As `tricolore.judge.resampling` has them, which is not loaded only to say so.
SEED, RESAMPLES, TRIALS = 12345, 1000, 10_000

#: A p-value below this gets a star.
STARRED = 0.05


def add_significance_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which intervals and tests there are."""
    add = parser.add_argument_group(
        "intervals and tests, as in sacreBLEU (more in 'tricolore compare' and docs/significance.md)"
    ).add_argument
    add("-ci", "--confidence", action="store_true", help="a 95 %% bootstrap interval for every score")
    add("-cin", "--confidence-n", type=int, metavar="N", help=f"resamples of it (default: {RESAMPLES})")
    add(
        "-par",
        "--paired-ar",
        action="store_true",
        help="test each system against the first by paired approximate randomisation",
    )
    add("-parn", "--paired-ar-n", type=int, metavar="N", help=f"shuffles of it (default: {TRIALS})")
    add(
        "-pbs",
        "--paired-bs",
        action="store_true",
        help="test each system against the first by the paired bootstrap, with intervals",
    )
    add("-pbsn", "--paired-bs-n", type=int, metavar="N", help=f"resamples of it (default: {RESAMPLES})")
    add("--seed", type=int, metavar="N", help=f"what random draws begin with (default: {SEED})")
    add(
        "--compat",
        choices=("sacrebleu",),
        help="the very intervals and p-values of sacreBLEU 2.6.0, which finds a copy of the baseline significant; "
        "SACREBLEU_SEED in the environment then sets the seed",
    )


class Tests:
    """What was asked for beside scores: intervals, a paired test, or nothing."""

    def __init__(self, options: argparse.Namespace):
        self.test = "ar" if options.paired_ar else "bs" if options.paired_bs else None
        self.intervals = options.confidence or self.test == "bs"
        self.compat: str | None = options.compat
        self.asked = self.intervals or self.test is not None
        check(options, self)
        self.seed = seed_of(options)
        self.resamples = options.paired_bs_n if options.paired_bs else options.confidence_n
        self.resamples = RESAMPLES if self.resamples is None else self.resamples
        self.trials = TRIALS if options.paired_ar_n is None else options.paired_ar_n

    def judge(
        self, metric: Metric, counted: Mapping[str, Stats], bar: ProgressBar
    ) -> dict[str, tuple[Confidence | None, float | None, dict[str, Any]]]:
        """For every system, the first being the baseline: its interval, its p-value, and what the signature gains."""
        from ..judge.significance.intervals import confidence_of

        how: dict[str, Any] = {"resamples": self.resamples, "seed": self.seed, "compat": self.compat}
        intervals: dict[str, Confidence] = {}
        if self.intervals:
            bar.stage(f"resampling {metric.name}", self.resamples * len(counted))
            intervals = {name: confidence_of(metric, rows, progress=bar.step, **how) for name, rows in counted.items()}
        p_values, exact = self.p_values(metric, counted, bar) if self.test else ({}, False)
        items = self.items(exact)
        return {name: (intervals.get(name), p_values.get(name), items) for name in counted}

    def p_values(self, metric: Metric, counted: Mapping[str, Stats], bar: ProgressBar) -> tuple[dict[str, float], bool]:
        """The p-values of all systems but the baseline, and whether all ways to deal outputs were tried."""
        import numpy as np

        from ..judge.score_table import Column
        from ..judge.significance.comparison import Criterion, Settings, compare_columns

        names = list(counted)
        rows = np.stack([counted[name].values for name in names])
        column = Column(metric.spec, metric.score(rows), rows, metric.score)  # type: ignore[arg-type]
        how = Settings(
            self.test or "ar", self.trials, self.resamples, 0.95, self.seed, baseline=names[0], compat=self.compat
        )
        bar.stage(f"testing {metric.name}")
        runs = {name: [i] for i, name in enumerate(names)}
        found = compare_columns([Criterion(column, metric.title, metric=metric)], runs, how).judgements[0]
        return {pair.first: pair.p for pair in found.pairs}, found.exact

    def items(self, exact: bool) -> dict[str, Any]:
        """What the signature says of intervals and tests, under sacreBLEU's names where it has them."""
        items: dict[str, Any] = {"test": "bs"} if self.test == "bs" else {}
        if self.intervals:
            items["bs"] = self.resamples
        if self.test == "ar":
            items["ar"] = "exact" if exact else self.trials
        items["seed"] = self.seed
        if self.compat:
            items["compat"] = self.compat
        elif self.intervals:
            items["level"] = 0.95
        return items

    def notes(self) -> list[str]:
        """Two lines for people about what was tested."""
        if self.test is None:
            return []
        kind = "paired approximate randomisation" if self.test == "ar" else "the paired bootstrap"
        lines = [
            f"p: how probable so large a difference from the baseline is by chance, by {kind}; * below {STARRED}.",
            "Where systems are many, 'tricolore compare' allows for their number.",
        ]
        if self.compat:
            number = self.trials if self.test == "ar" else self.resamples
            lines.append(
                "compat:sacrebleu does not count a tie as chance, so that a copy of the baseline has p = "
                f"{1 / (number + 1):.4f}*; without it, p = 1."
            )
        return lines


def check(options: argparse.Namespace, tests: Tests) -> None:
    """Refuse options that contradict one another, or that nothing comes of."""
    if options.paired_ar and options.paired_bs:
        raise SpecError("--paired-ar and --paired-bs are two tests; choose one")
    if tests.asked and options.sentence_level:
        raise SpecError("--sentence-level scores segments, which have no intervals and tests; use one or the other")
    for option, needs, there in (
        ("--confidence-n", "--confidence", options.confidence),
        ("--paired-ar-n", "--paired-ar", options.paired_ar),
        ("--paired-bs-n", "--paired-bs", options.paired_bs),
    ):
        value = getattr(options, option[2:].replace("-", "_"))
        if value is not None and not there:
            raise SpecError(f"{option} needs {needs}")
        least = 1 if option == "--paired-ar-n" else 2
        if value is not None and not least <= value <= 100_000_000:
            raise SpecError(f"{option} must be from {least} to 100,000,000; got {value}")
    if options.paired_bs and options.confidence_n is not None:
        raise SpecError("--confidence-n: --paired-bs has intervals of its own; use --paired-bs-n")
    for option, value in (("--seed", options.seed), ("--compat", options.compat)):
        if value is not None and not tests.asked:
            raise SpecError(f"{option} needs --confidence, --paired-ar or --paired-bs")
    if options.seed is not None and options.seed < 0:
        raise SpecError(f"--seed must be 0 or more; got {options.seed}")


def seed_of(options: argparse.Namespace) -> int:
    """The seed: as given, or as in sacreBLEU's environment where its very numbers are wanted."""
    if options.seed is not None:
        return int(options.seed)
    said = os.environ.get("SACREBLEU_SEED") if options.compat else None
    if said is None:
        return SEED
    if not (said.isascii() and said.isdecimal()):
        raise SpecError(f"SACREBLEU_SEED must be a whole number, so that results can be repeated; got {said!r}")
    return int(said)


def take_baseline(options: argparse.Namespace) -> None:
    """With a paired test, the first system is the baseline; given again, it is left out, as sacreBLEU does."""
    if not (options.paired_ar or options.paired_bs) or options.input is None:
        return
    first, *rest = options.input
    others = [path for path in rest if path != first]
    require_pair(options, 1 + len(others), f" (given again, {first} is left out)" if rest else "")
    if len(others) < len(rest) and not options.quiet:
        say(f"{first} is the baseline; given again, it is left out")
    options.input = [first, *others]


def require_pair(options: argparse.Namespace, systems: int, hint: str = "") -> None:
    """Refuse a paired test where there is one system."""
    if systems < 2 and (options.paired_ar or options.paired_bs):
        option = "--paired-ar" if options.paired_ar else "--paired-bs"
        raise SpecError(f"{option} compares systems with the first; name two or more with -i{hint}")


def starred(p: float) -> str:
    """A p-value as sacreBLEU prints it."""
    return f"(p = {p:.4f})" + ("*" if p < STARRED else "")


def names_of(systems: Sequence[str], tests: Tests) -> dict[str, str]:
    """What systems are called in tables: the baseline is called that."""
    return {name: f"Baseline: {name}" if tests.test and i == 0 else name for i, name in enumerate(systems)}
