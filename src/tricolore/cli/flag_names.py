"""Messages of the library name parameters; those of a command name its flags."""

from __future__ import annotations

import re
from contextlib import contextmanager

from ..errors import TricoloreError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


@contextmanager
def naming_flags(parameters: Collection[str]) -> Iterator[None]:
    """Rewrite parameters in the message of an error as flags."""
    try:
        yield
    except TricoloreError as error:
        if len(error.args) == 1:
            error.args = (with_flags(str(error), parameters),)
        raise


def with_flags(message: str, parameters: Collection[str]) -> str:
    """Write `name=True`, `name=...`, `name='value'` and names with an underscore as flags.

    >>> with_flags("ignore_unknown=True drops them; human_form='mqm' requires human=...", ["ignore_unknown",
    ...     "human_form", "human"])
    '--ignore-unknown drops them; --human-form mqm requires --human'
    """
    names = "|".join(sorted(parameters, key=len, reverse=True))
    values = r"=(?:(?P<flag>True\b|\.\.\.)|'(?P<text>[^']*)'|(?P<number>\d+\b))"

    def flag(found: re.Match[str]) -> str:
        name, value = found["name"], found["text"] or found["number"]
        if "=" not in found[0] and "_" not in name:
            return found[0]
        return f"--{name.replace('_', '-')}" + (f" {value}" if value else "")

    return re.sub(rf"(?<![\w./-])(?P<name>{names})(?:{values}|(?![\w./=-]))", flag, message)
