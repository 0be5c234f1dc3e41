"""Intervals and paired tests beside scores, by sacreBLEU's options."""

from __future__ import annotations

import os

from ..errors import SpecError
from ..parameters import DRAWS, SEED, Choice, Whole
from .options import add_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

RESAMPLES = Whole(2, 100_000_000)


def add_significance_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of intervals and tests."""
    group = parser.add_argument_group("intervals and tests, as in sacreBLEU (more in 'tricolore compare --help')")
    add = group.add_argument
    add("-ci", "--confidence", action="store_true", help="95 %% bootstrap confidence interval of every score")
    add_option(group, "-cin", "--confidence-n", kind=RESAMPLES, about="resamples for it (default: 1000)")
    add("-par", "--paired-ar", action="store_true", help="test each system against the first by paired approximate "
        "randomisation")  # fmt: skip
    add_option(group, "-parn", "--paired-ar-n", kind=DRAWS, about="shuffles for it (default: 10000)")
    add("-pbs", "--paired-bs", action="store_true", help="test each system against the first by the paired bootstrap, "
        "with intervals")  # fmt: skip
    add_option(group, "-pbsn", "--paired-bs-n", kind=RESAMPLES, about="resamples for it (default: 1000)")
    add_option(group, "--seed", kind=SEED, about="random seed (default: 12345)")
    about = (
        "the intervals and p-values of sacreBLEU 2.6.0, digit by digit; it finds a copy of the baseline significant. "
        "SACREBLEU_SEED in the environment then sets the seed"
    )
    add_option(group, "--compat", kind=Choice(("sacrebleu",)), about=about)


def given_tests(options: argparse.Namespace) -> dict[str, Any]:
    """The arguments of `tricolore.score` about intervals and tests."""
    check_tests(options)
    resamples = options.paired_bs_n if options.paired_bs else options.confidence_n
    return {
        "confidence": options.confidence,
        "test": "ar" if options.paired_ar else "bs" if options.paired_bs else None,
        "resamples": 1000 if resamples is None else resamples,
        "trials": options.paired_ar_n,
        "seed": given_seed(options),
        "compat": options.compat,
    }


def check_tests(options: argparse.Namespace) -> None:
    """Reject options that contradict each other, or that have no effect."""
    asked = options.confidence or options.paired_ar or options.paired_bs
    if options.paired_ar and options.paired_bs:
        raise SpecError("--paired-ar and --paired-bs are two tests; choose one")
    if asked and options.sentence_level:
        raise SpecError("--sentence-level scores segments, which have no intervals and tests; use one or the other")
    for option, needs, there in (
        ("--confidence-n", "--confidence", options.confidence),
        ("--paired-ar-n", "--paired-ar", options.paired_ar),
        ("--paired-bs-n", "--paired-bs", options.paired_bs),
    ):
        if getattr(options, option[2:].replace("-", "_")) is not None and not there:
            raise SpecError(f"{option} needs {needs}")
    if options.paired_bs and options.confidence_n is not None:
        raise SpecError("--confidence-n: --paired-bs has intervals of its own; use --paired-bs-n")
    for option, value in (("--seed", options.seed), ("--compat", options.compat)):
        if value is not None and not asked:
            raise SpecError(f"{option} needs --confidence, --paired-ar or --paired-bs")


def given_seed(options: argparse.Namespace) -> int:
    """The seed: as given, or as in sacreBLEU's environment where its numbers are asked for."""
    if options.seed is not None:
        return int(options.seed)
    said = os.environ.get("SACREBLEU_SEED") if options.compat else None
    if said is None:
        return 12345
    if not (said.isascii() and said.isdecimal()):
        raise SpecError(f"SACREBLEU_SEED must be a whole number, so that results can be repeated; got {said!r}")
    return int(said)
