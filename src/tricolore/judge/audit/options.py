"""Options of `audit`: the name, default, check and help of each, for Python and the command line."""

from dataclasses import dataclass

from ...parameters import LEVEL, SEED, Choice, ListOf, Options, Whole, Word, param

SECTIONS = ("decomposability",)


@dataclass(frozen=True)
class AuditOptions(Options):
    """What is audited, and how thoroughly."""

    only: tuple[str, ...] = param(
        SECTIONS, ListOf(Choice(SECTIONS)), f"sections to compute: {', '.join(SECTIONS)} (default: all)"
    )
    damaged: str | None = param(
        None, Word(), "system whose outputs are damaged and permuted (default: the best by the first metric)"
    )
    examples: int = param(3, Whole(0, 1000), "examples kept of each finding")
    level: float = param(0.95, LEVEL, "confidence level of tests")
    seed: int = param(12345, SEED, "random seed")
