"""Let a metric choose: weights of features over n-best lists, and the best of what there is."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..errors import SpecError, nearest

if TYPE_CHECKING:
    from .task import Tuner

#: The tuners by name: module and class.
TUNERS = {
    "mert": ("mert", "Mert"),
    "mira": ("mira", "Mira"),
    "pro": ("pro", "Pro"),
    "xbleu": ("expected", "ExpectedGain"),
}


def tuner(name: str, **parameters: Any) -> Tuner:
    """Make a tuner by name, with its parameters."""
    if name not in TUNERS:
        raise SpecError(f"no tuner {name!r}{nearest(name, [*TUNERS])} ({', '.join(TUNERS)})")
    module, cls = TUNERS[name]
    made: Tuner = getattr(import_module(f".{module}", __package__), cls)(**parameters)
    return made
