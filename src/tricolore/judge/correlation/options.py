"""Options of `correlate` and `search`: the name, default, check and help of each, for Python and the command line."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from textwrap import fill, indent
from typing import Any, TypeVar

from ...errors import SpecError
from ...external_options import HIGHER, LOWER, check_directions
from ...parameters import (
    DRAWS,
    LEVEL,
    SEED,
    Choice,
    Flag,
    Fraction,
    Kind,
    ListOf,
    Options,
    PathName,
    Word,
    param,
    parameters,
)
from ...readers.tables import number_of
from .mqm import mqm_weights

Function = TypeVar("Function", bound=Callable[..., Any])

FORMS = ("scores", "mqm", "mqm-counts", "da", "da-z", "rr")
LEVELS = ("system", "segment")
GROUPINGS = ("segment", "system", "pooled")
RESAMPLED = ("segments", "systems", "both", "tables")
INTERVALS = ("corrected", "disattenuated", "expanded", "bca", "percentile")
TESTS = ("permutation", "williams")
EXCHANGED = ("both", "inputs", "systems")
PERMUTE = (
    "what the permutation test swaps: systems, inputs (segments) or both; the last two reject too often where metrics "
    "favour systems (default: systems; inputs if there is only one system)"
)
STRAW_MEN = ("short", "long", "shuffled", "repeated")


class Condition(Kind):
    """A column and its value, as `COLUMN=VALUE` or as two texts."""

    expects = "COLUMN=VALUE"

    def check(self, value: Any) -> tuple[str, str]:
        column, equals, wanted = value.partition("=") if isinstance(value, str) else (value[0], "=", value[1])
        if not (column and equals):
            raise ValueError
        return str(column), str(wanted)


class Conditions(ListOf):
    """Columns and their values: a mapping, or a list of texts such as `domain=news`."""

    expects = "a mapping of columns to values, or a list of texts such as 'domain=news'"

    def __init__(self) -> None:
        self.kind = Condition()

    def check(self, value: Any) -> tuple[Any, ...]:
        return super().check(value.items() if isinstance(value, Mapping) else value)


class MQMWeights(Kind):
    """Weights of MQM errors, as a text or a mapping."""

    expects = "weights such as major=5,minor:fluency/punctuation=0.1"

    def check(self, value: Any) -> Mapping[str, float]:
        """Return all weights, with defaults for those not given."""
        text = ",".join(f"{key}={weight}" for key, weight in value.items()) if isinstance(value, Mapping) else value
        try:
            return mqm_weights(text)
        except (SpecError, AttributeError):
            raise ValueError from None


class StrawScore(Kind):
    """The human score of straw men."""

    expects = "worst, segment or a number"

    def check(self, value: Any) -> str | float:
        if isinstance(value, str) and value in ("worst", "segment"):
            return value
        number = number_of(value)
        if math.isnan(number):
            raise ValueError
        return number


class ConfidenceLevel(Fraction):
    """A number between 0 and 1; `level` is easily confused with `levels`."""

    def read(self, text: str) -> float:
        """Read a number; a level of scores gets a hint."""
        if text in LEVELS:
            raise ValueError("; system and segment are 'levels'")
        return super().read(text)


@dataclass(frozen=True)
class RatingOptions(Options):
    """How human ratings are read."""

    human_form: str = param(
        "scores",
        Choice(FORMS),
        "form of the ratings: scores, mqm (one line per error), mqm-counts (n_minor, n_major, ...), da (direct "
        "assessments), da-z (standardised per annotator), rr (relative rankings)",
    )
    human_column: str | None = param(None, Word(), "column of the ratings, if not called human, score, mqm, ...")
    human_lower_is_better: bool = param(False, Flag(), "lower ratings are better, as for error counts")
    mqm_weights: Mapping[str, float] | None = param(
        None,
        MQMWeights(),
        "such as major=5,minor=1,minor:fluency/punctuation=0.1,critical=10; others keep Google's weights (major 5, "
        "minor 1, minor punctuation 0.1, non-translation 25)",
    )
    keep_repeats: bool = param(False, Flag(), "accept repeats by one annotator: average scores, count all errors")
    first_segment: int = param(1, Choice((0, 1)), "number of the first segment in the ratings")

    def complete(self) -> None:
        if self.mqm_weights is not None and not self.human_form.startswith("mqm"):
            raise SpecError(f"mqm_weights requires human_form='mqm' or 'mqm-counts'; got {self.human_form!r}")


@dataclass(frozen=True)
class ScoreOptions(Options):
    """How scores of metrics are read from files."""

    columns: tuple[str, ...] = param((), ListOf(Word()), "metrics to read (default: all columns of numbers)")
    lower_is_better: tuple[str, ...] = param((), ListOf(Word()), LOWER)
    higher_is_better: tuple[str, ...] = param((), ListOf(Word()), HIGHER)
    system_scores: str = param(
        "given",
        Choice(("given", "means")),
        "system-level scores: given (as in the files, if they have them) or means (of the segment scores)",
    )

    def complete(self) -> None:
        check_directions(self.lower_is_better, self.higher_is_better)


@dataclass(frozen=True)
class JoinOptions(Options):
    """Which ratings and scores are compared."""

    within: tuple[str, ...] = param(
        (),
        ListOf(Word()),
        "compare only within each value of a column (campaign, language pair, domain); correlations are averaged, "
        "pairs added up",
    )
    where: tuple[tuple[str, str], ...] = param((), Conditions(), "read only rows with this value in a column")
    ignore_unknown: bool = param(
        False, Flag(), "drop systems and segments that are not both rated and scored, with a note (default: an error)"
    )
    rated_only: bool = param(False, Flag(), "compute system-level metric scores on rated segments only")
    common: bool = param(False, Flag(), "where scores are missing, use only outputs that all metrics score")
    without_noise: bool = param(False, Flag(), "segment scores equal to 12 digits are ties (default: if equal)")


@dataclass(frozen=True)
class StatisticOptions(Options):
    """Statistics of agreement."""

    statistics: tuple[str, ...] | None = param(
        None,
        ListOf(Word()),
        "such as pearson, kendall-b, accuracy, or in full 'segment kendall-b by segment'; known: pearson, spearman, "
        "kendall-b, kendall-c, kendall-half, kendall-wmt12, kendall-wmt13, kendall-wmt14, accuracy, soft-accuracy "
        "(systems), accuracy-ties",
    )
    levels: tuple[str, ...] | None = param(None, ListOf(Choice(LEVELS)), "system, segment (default: both)")
    by: tuple[str, ...] | None = param(
        None,
        ListOf(Choice(GROUPINGS)),
        "compare segment scores within each segment, within each system, or all together (pooled)",
    )


@dataclass(frozen=True)
class IntervalOptions(Options):
    """Confidence intervals."""

    intervals: bool = param(True, Flag(), "compute confidence intervals")
    samples: int = param(1000, DRAWS, "bootstrap resamples")
    level: float = param(0.95, ConfidenceLevel(), "confidence level")
    over: str | None = param(
        None,
        Choice(RESAMPLED),
        "what to resample: segments, systems, both or tables (default: segments; without segment scores, the tables of "
        "'within' if there are ten or more, otherwise systems)",
    )
    interval: str | None = param(
        None,
        Choice(INTERVALS),
        "corrected for the noise of a finite number of segments, which lowers system-level agreement; disattenuated "
        "(the same, and segment-level Pearson without the noise of repeated ratings); expanded (percentiles further "
        "out, for few segments); bca (bias-corrected and accelerated); or percentile (default: corrected at system "
        "level, otherwise expanded)",
    )
    seed: int = param(12345, SEED, "random seed")


@dataclass(frozen=True)
class TestOptions(Options):
    """Tests between metrics."""

    test: str | None = param(None, Choice(TESTS), "test all pairs of metrics, with Holm's correction and clusters")
    permute: str | None = param(None, Choice(EXCHANGED), PERMUTE)
    shuffles: int = param(1000, DRAWS, "permutations")
    alpha: float = param(0.05, LEVEL, "significance level of corrected p-values")


@dataclass(frozen=True)
class StrawManOptions(Options):
    """Bad systems made from the real ones."""

    straw_men: tuple[str, ...] | None = param(
        None,
        ListOf(Choice(STRAW_MEN)),
        "add bad systems made from the real ones, and show how each correlation changes: "
        f"{', '.join(STRAW_MEN)} (default: all but repeated)",
    )
    straw_score: str | float | None = param(
        None,
        StrawScore(),
        "human score of straw men: worst (the lowest rating of all; default), segment (the lowest of that segment), or "
        "a number; in rankings they are always last",
    )

    def complete(self) -> None:
        if self.straw_score is not None and self.straw_men is None:
            raise SpecError("straw_score requires straw_men")


@dataclass(frozen=True)
class SearchOptions(Options):
    """The test on held-out sets, and the file of results."""

    resume: str | None = param(None, PathName("a file to keep results in"), "file to keep and resume results")
    permute: str | None = param(None, Choice(EXCHANGED), PERMUTE)
    shuffles: int = param(1000, DRAWS, "permutations of the test on held-out sets")
    seed: int = param(12345, SEED, "random seed of the test")


#: The options of `correlate`, in the order of its help.
CORRELATE = (RatingOptions, ScoreOptions, JoinOptions, StatisticOptions, IntervalOptions, TestOptions, StrawManOptions)


def listing(*classes: type) -> Callable[[Function], Function]:
    """Append the options of some classes to the docstring of a function that takes them."""

    def documented(function: Function) -> Function:
        fields = [field for cls in classes for field in parameters(cls)]
        lines = [fill(f"- `{one.name}`: {one.metadata['doc']}", 116, subsequent_indent="  ") for one in fields]
        function.__doc__ = f"{function.__doc__}\n" + indent("Options:\n\n" + "\n".join(lines), "    ") + "\n"
        return function

    return documented


@dataclass(frozen=True)
class CorrelateOptions(
    RatingOptions, ScoreOptions, JoinOptions, StatisticOptions, IntervalOptions, TestOptions, StrawManOptions
):
    """All options of `correlate`."""

    def complete(self) -> None:
        RatingOptions.complete(self)
        ScoreOptions.complete(self)
        StrawManOptions.complete(self)
