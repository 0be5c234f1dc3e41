"""Let a metric choose: weights of features over n-best lists, and the best of what there is."""

from __future__ import annotations

from dataclasses import fields
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
    made = getattr(import_module(f".{module}", __package__), cls)
    known = [field.name for field in fields(made)]
    for parameter in parameters:
        if parameter not in known:
            raise SpecError(f"{name} has no parameter {parameter!r}{nearest(parameter, known)} ({', '.join(known)})")
    ready: Tuner = made(**parameters)
    return ready
