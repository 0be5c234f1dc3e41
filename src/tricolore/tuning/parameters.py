"""Parameters of tuners: fields with a kind and a word of explanation, checked as those of metrics are."""

from __future__ import annotations

import dataclasses
from typing import Any

from ..errors import SpecError


def check_parameters(tuner: Any) -> None:
    """Bring the parameters of a tuner into canonical form; refuse what they cannot be."""
    for field in dataclasses.fields(tuner):
        kind, value = field.metadata["kind"], getattr(tuner, field.name)
        if value is None and field.default is None:
            continue
        try:
            object.__setattr__(tuner, field.name, kind.check(value))
        except ValueError as error:
            raise SpecError(f"{tuner.name}: {field.name} must be {kind.expects}; got {value!r}{error}") from None
