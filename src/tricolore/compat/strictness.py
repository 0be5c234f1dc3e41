"""Whether drop-ins reject what the package they stand for silently misreads."""

import os

from ..errors import InputTypeError, shown

_TEXT = (str, bytes)  # a union would be made anew in every call
REMEDY = "set TRICOLORE_COMPAT=lenient for the old behaviour"


def lenient() -> bool:
    """Whether the user asked for the old behaviour, by `TRICOLORE_COMPAT=lenient` in the environment."""
    return os.environ.get("TRICOLORE_COMPAT") == "lenient"


def refuse_text(value: object, what: str, expected: str) -> None:
    """Reject a string where a sequence belongs: its characters would be taken for the items."""
    if isinstance(value, _TEXT) and not lenient():
        raise InputTypeError(f"{what}: expected {expected}, got the string {shown(value, 40)}; {REMEDY}")
