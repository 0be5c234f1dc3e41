"""What can go wrong, and how the command line leaves when it does."""

from __future__ import annotations

from functools import wraps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ParamSpec, TypeVar

    P = ParamSpec("P")
    R = TypeVar("R")


class TricoloreError(Exception):
    """A mistake in what was given, told in one line."""

    exit_status = 1


class InputError(TricoloreError, ValueError):
    """Data that cannot be scored: unequal lengths, a segment without a reference, a broken file."""


class InputTypeError(InputError, TypeError):
    """Data of the wrong kind: a string where a list belongs, a number where a string belongs."""


class UnknownNameError(InputError, KeyError):
    """A column, metric or system by a name that is not there."""

    __str__ = Exception.__str__  # KeyError's has quotes around it


class SegmentError(InputError):
    """One segment, counted from 0, cannot be scored."""

    def __init__(self, what: str, segment: int, reason: str):
        super().__init__(what, segment, reason)
        self.what = what
        self.segment = segment
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.what} {self.segment}: {self.reason}"


class SpecError(TricoloreError, ValueError):
    """A metric, parameter or option that does not exist or does not take the value given."""

    exit_status = 2


class MissingExtraError(TricoloreError, ImportError):
    """An optional package is needed and not installed."""


def shown(value: object, most: int = 80) -> str:
    r"""Return a value as Python writes it, on one line and not too long, for a message about it.

    >>> shown("13b"), shown([0.5] * 1000, most=20), shown("a\nb")
    ("'13b'", '[0.5, 0.5, 0.5, 0...', "'a\\nb'")
    """
    try:
        text = " ".join(repr(value).split())
    except Exception:  # whatever it is, the message is about something else
        text = f"a {type(value).__name__}"
    return text if len(text) <= most else f"{text[: most - 3]}..."


def nearest(word: str, known: list[str] | tuple[str, ...]) -> str:
    """Return a hint that names what was probably meant, or nothing.

    >>> nearest("blue", ["bleu", "nist"])
    "; did you mean 'bleu'?"
    >>> nearest("online-a", ["Online-A", "Online-B"])
    "; did you mean 'Online-A'?"
    >>> nearest("xyzzy", ["bleu", "nist"])
    ''
    """
    from difflib import get_close_matches

    by_lower = {one.lower(): one for one in reversed(known)}
    close = get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return f"; did you mean {by_lower[close[0]]!r}?" if close else ""


def unknown(what: str, name: object, known: list[str] | tuple[str, ...]) -> UnknownNameError:
    """Return the error about a name that is not there, with those that are.

    >>> print(unknown("system", "online-a", ["Online-A", "Online-B"]))
    no system 'online-a'; did you mean 'Online-A'? (there are Online-A, Online-B)
    """
    return UnknownNameError(f"no {what} {name!r}{nearest(str(name), known)} (there are {', '.join(known)})")


def counted(number: int, one: str, several: str = "") -> str:
    """A number of things in words.

    >>> counted(1, "segment"), counted(2, "hypothesis", "hypotheses")
    ('1 segment', '2 hypotheses')
    """
    return f"{number} {one if number == 1 else several or one + 's'}"


def explaining_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Add to Python's error about unknown arguments what they are called here, if other packages have them."""

    @wraps(function)
    def called(*args: P.args, **given: P.kwargs) -> R:
        try:
            return function(*args, **given)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:  # raised inside
                raise
            from .old_habits import of_arguments, of_positions

            code = function.__code__
            hint = of_arguments(given, code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
            hint = hint or of_positions(args, code.co_varnames[: code.co_argcount])
            raise (InputTypeError(f"{error}{hint}") if hint else error) from None

    return called
