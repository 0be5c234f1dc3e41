"""How scores computed elsewhere are fitted to systems and segments: which are better, which may be missing."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import SpecError
from .parameters import Choice, Flag, ListOf, Options, Word, param

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

LOWER = "metrics for which lower is better (known already: MetricX, TER, WER, CER, PER, CDER, and our own)"
HIGHER = "metrics for which higher is better, though known to count errors"


@dataclass(frozen=True, eq=False, repr=False)
class ExternalOptions(Options):
    """How external scores are fitted to systems and segments."""

    lower_is_better: tuple[str, ...] = param((), ListOf(Word()), LOWER)
    higher_is_better: tuple[str, ...] = param((), ListOf(Word()), HIGHER)
    ignore_unknown: bool = param(False, Flag(), "drop external scores of other systems (default: an error)")
    missing: str = param(
        "refuse",
        Choice(("refuse", "drop")),
        "a segment for which not every system has an external score: an error (refuse), or dropped for all (drop)",
    )

    def complete(self) -> None:
        check_directions(self.lower_is_better, self.higher_is_better)

    def needed(self, scores: Any) -> bool:
        """Whether there are external scores; other options than the defaults need some.

        >>> ExternalOptions().needed(["comet.json"]), ExternalOptions().needed(())
        (True, False)
        """
        if scores is not None and not (isinstance(scores, list | tuple | dict) and not scores):
            return True
        if self.lower_is_better or self.higher_is_better or self.ignore_unknown or self.missing != "refuse":
            raise SpecError("lower_is_better, higher_is_better, ignore_unknown and missing require scores=...")
        return False


def check_directions(lower_is_better: Collection[str], higher_is_better: Collection[str]) -> None:
    """Reject a metric for which both lower and higher are to be better."""
    for name in lower_is_better:
        if name in higher_is_better:
            raise SpecError(f"lower_is_better and higher_is_better both name {name!r}; expected one of them")
