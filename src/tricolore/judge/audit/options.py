"""Options of `audit`: the name, default, check and help of each, for Python and the command line."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ...errors import SpecError
from ...parameters import DRAWS, LEVEL, SEED, Choice, ListOf, Options, Real, Whole, Word, param
from .damage import KINDS, NEGATIONS

SECTIONS = ("decomposability", "permutations", "sensitivity", "biases", "straw-men")

#: Shares of words that are damaged.
SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)


class Shares(ListOf):
    """Ascending fractions above 0, at most 1."""

    def __init__(self) -> None:
        super().__init__(Real(0, above=True, high=1))
        self.expects = "a list of numbers above 0, 1 or less, in ascending order"

    def check(self, value: Any) -> tuple[Any, ...]:
        found = super().check(value)
        if not found or any(a >= b for a, b in pairwise(found)):
            raise ValueError
        return found


@dataclass(frozen=True)
class AuditOptions(Options):
    """What is audited, and how thoroughly."""

    only: tuple[str, ...] = param(
        SECTIONS, ListOf(Choice(SECTIONS)), f"sections to compute: {', '.join(SECTIONS)} (default: all)"
    )
    damaged: str | None = param(
        None, Word(), "system whose outputs are damaged and permuted (default: the best by the first metric)"
    )
    damage: tuple[str, ...] = param(
        tuple(KINDS), ListOf(Choice(tuple(KINDS))), f"kinds of damage: {', '.join(KINDS)} (default: all)"
    )
    shares: tuple[float, ...] = param(SHARES, Shares(), "shares of words to damage, ascending")
    negations: tuple[str, ...] = param(
        NEGATIONS, ListOf(Word()), "negation words to drop (default: common ones of several languages)"
    )
    sample: int = param(
        100,
        Whole(1, 1_000_000),
        "segments drawn at random for what takes long: permutations of words (but for BLEU), tokenisers",
    )
    trials: int = param(1000, DRAWS, "shuffles of the paired test")
    examples: int = param(3, Whole(0, 1000), "examples kept of each finding")
    level: float = param(0.95, LEVEL, "confidence level of tests")
    seed: int = param(12345, SEED, "random seed")

    def complete(self) -> None:
        for name in ("only", "damage"):
            if not getattr(self, name):
                raise SpecError(f"{name}: expected at least one, got none")

    def signature(self) -> str:
        """The part of the signature that describes the audit; defaults of lists are left out."""
        items = {
            "damaged": self.damaged or "best",
            "damage": "all" if self.damage == tuple(KINDS) else "+".join(self.damage),
            "shares": "/".join(f"{share:g}" for share in self.shares),
            "negations": "usual" if self.negations == NEGATIONS else "+".join(self.negations),
            "sample": self.sample,
            "ar": self.trials,
            "level": f"{self.level:g}",
            "seed": self.seed,
        }
        return "|".join(f"{key}:{value}" for key, value in items.items())
