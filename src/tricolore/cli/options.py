"""Command-line options made from the parameters of the library: one name, kind, default and help for both."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from contextlib import contextmanager

from ..errors import InputError, SpecError, shown
from ..parameters import Choice, Flag, Kind, Whole, parameters
from ..results import FORMATS
from ..spec import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import Any

    Group = argparse.ArgumentParser | argparse._ArgumentGroup

#: What the values of options that take several are called in help.
PLACEHOLDERS = {"columns": "NAME", "lower_is_better": "NAME", "higher_is_better": "NAME"}
PLACEHOLDERS |= {"within": "COLUMN", "where": "COLUMN=VALUE"}
PLACEHOLDERS |= {"statistics": "NAME", "levels": "LEVEL", "by": "GROUP", "straw_men": "KIND", "only": "NAME"}
PLACEHOLDERS |= {"damage": "KIND", "shares": "X", "negations": "WORD"}

THREADS = Whole(0, 1024)
DIGITS = Whole(0, 15)


class Typed:
    """Reads the value of an option as a kind of parameter does; for argparse's `type`."""

    def __init__(self, kind: Kind):
        self.kind = kind

    def __call__(self, text: str) -> Any:
        """Read a value; a bad one is reported with what was expected."""
        try:
            return self.kind.read(text)
        except ValueError as error:
            hint = str(error) if str(error).startswith(";") else ""
            raise ArgumentTypeError(f"must be {self.kind.expects}; got {shown(text)}{hint}") from None


def add_options(
    group: Group,
    cls: type,
    *,
    only: Collection[str] | None = None,
    spelled: Mapping[str, tuple[str, ...]] | None = None,
) -> None:
    """Add an option for each parameter of a class of options, or for `only` some; `spelled` are other spellings."""
    for field in parameters(cls):
        if only is not None and field.name not in only:
            continue
        names = (spelled or {}).get(field.name) or (f"--{field.name.replace('_', '-')}",)
        how = {"kind": field.metadata["kind"], "default": field.default, "about": field.metadata["doc"]}
        add_option(group, *names, dest=field.name, **how)


def add_listed(group: Group, cls: type, *, only: Collection[str] | None = None) -> None:
    """Add the options of a class, or `only` some, of which some take several values."""
    for field in parameters(cls):
        if only is not None and field.name not in only:
            continue
        kind = getattr(field.metadata["kind"], "kind", None)
        if kind is None:
            add_options(group, cls, only=(field.name,))
            continue
        group.add_argument(
            f"--{field.name.replace('_', '-')}",
            nargs="*" if field.name == "straw_men" else "+",
            type=Typed(kind),
            default=field.default,
            metavar=PLACEHOLDERS[field.name],
            help=field.metadata["doc"],
        )


def add_list(group: Group, *names: str, metavar: str, about: str, **how: Any) -> None:
    """Add an option that takes several values and may be repeated."""
    group.add_argument(*names, nargs="+", action="extend", metavar=metavar, help=about, **{"default": [], **how})


def check_distinct(values: Sequence[Any], where: str, what: str = "") -> None:
    """Reject a value that is given twice."""
    for value in values:
        if values.count(value) > 1:
            raise SpecError(f"{where}{value} is given twice{what}")


def add_option(
    group: Group, *names: str, kind: Kind, default: Any = None, about: str, metavar: str = "", dest: str | None = None
) -> None:
    """Add one option: a flag, a choice, or a value of some kind; the default stands in parentheses."""
    about = about.replace("%", "%%")
    if isinstance(kind, Flag):
        group.add_argument(*names, dest=dest, action="store_true", help=about)
        return
    known = "" if default is None or "(default" in about else f" (default: {write(default)})"
    if not metavar:
        metavar = _placeholder(kind)
    group.add_argument(*names, dest=dest, type=Typed(kind), default=default, metavar=metavar, help=about + known)


def _placeholder(kind: Kind) -> str:
    inner = getattr(kind, "kind", kind)
    if isinstance(inner, Choice):
        return f"{{{','.join(map(str, inner.values))}}}"
    return "N" if isinstance(inner, Whole) else "FILE" if "file" in inner.expects else "X"


def built(cls: type, options: argparse.Namespace) -> Any:
    """The options of a class as they were given on the command line."""
    given = vars(options)
    return cls(**{field.name: given[field.name] for field in parameters(cls) if field.name in given})


def add_output_options(group: Group, width: str, *, force: bool = True) -> None:
    """How results are printed, and how much is said on the way; `width` says how many digits there are by default."""
    add_option(group, "-f", "--format", kind=Choice(FORMATS), default="text", about="output format")
    add_option(group, "-w", "--width", kind=DIGITS, about=f"digits after the decimal point (default: {width})")
    group.add_argument("-q", "--quiet", action="store_true", help="no progress and no warnings on standard error")
    if force:
        group.add_argument("--force", action="store_true", help="no warnings about text that looks unsuitable")


def add_threads(group: Group, *names: str) -> None:
    """How many threads to use."""
    about = "threads (default and 0: all cores); results do not depend on it"
    add_option(group, "-j", "--threads", *names, kind=THREADS, about=about)


@contextmanager
def naming_options(*names: str, **spelled: str) -> Iterator[None]:
    """Let messages about parameters of a function name options: `missing='drop'` becomes `--missing drop`.

    Those that are called otherwise as options are `spelled` so.
    """
    try:
        yield
    except (InputError, SpecError) as error:
        if len(error.args) == 1:
            error.args = (with_options(str(error), names, spelled),)
        raise


def with_options(message: str, names: Collection[str], spelled: Mapping[str, str] | None = None) -> str:
    """Write parameters in a message as options: `name=True`, `name=...`, `name='value'`, and those with an underscore.

    >>> names = ["ignore_unknown", "human_form", "human", "seed"]
    >>> with_options("ignore_unknown=True drops them; human_form='mqm' requires human=...", names)
    '--ignore-unknown drops them; --human-form mqm requires --human'
    >>> with_options("seed must be 0 or more", names)
    '--seed must be 0 or more'
    """
    values = r"=(?:True\b|\.\.\.|'(?P<text>[^']*)'|(?P<number>\d+\b))"
    options = {name: f"--{name.replace('_', '-')}" for name in names} | dict(spelled or {})
    known = "|".join(sorted(options, key=len, reverse=True))

    def option(found: re.Match[str]) -> str:
        name, value = found["name"], found["text"] or found["number"]
        told = found.start() == 0 and re.match(r":| must be ", message[found.end() :])
        if "=" not in found[0] and "_" not in name and not told:
            return found[0]
        return options[name] + (f" {value}" if value else "")

    return re.sub(rf"(?<![\w./-])(?P<name>{known})(?:{values}|(?![\w./=-]))", option, message)
