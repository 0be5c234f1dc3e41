"""How rows were counted. Rows that were counted alike add; a metric scores no others.

A counting is a mapping: the metric, whether it read text or token ids, and every parameter that counts depend on;
versions and digests stand for what was read from files or learnt. What makes no difference to some rows is left out of
theirs: how a reference is chosen if every segment has one, how text is tokenised if there was none. So two countings
are alike if nothing that both name differs; rows made by hand, which name nothing, are like any.
"""

from __future__ import annotations

from .errors import InputError
from .spec import compose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .types import Counting


METRIC = "metric"  #: the name of the metric that counted
INPUT = "input"  #: what it read:
TEXT, IDS = "text", "token ids"
INFORMATION = "information"  #: a digest of what NIST learnt from references

ADVICE = {
    INFORMATION: "call prepare(refs) with the references of the whole corpus first, "
    "then count and score with the metric it returns",
}


def check_alike(rows: Counting, others: Counting, what: str, name: str = "") -> None:
    """Refuse rows that were counted in another way; `what` says what cannot be done with them, `name` by which metric.

    >>> wer = {"metric": "wer", "tokenize": "13a", "lowercase": False}
    >>> check_alike(wer, {"metric": "wer", "lowercase": False, "input": "text"}, "be scored by")
    >>> check_alike(wer, {"metric": "per", "tokenize": "none", "lowercase": False}, "be scored by")
    Traceback (most recent call last):
        ...
    tricolore.errors.InputError: rows counted by wer(tokenize=13a) cannot be scored by per(tokenize=none)
    """
    if rows is others:
        return
    different = [key for key in rows if key in others and rows[key] != others[key]]
    if different:
        advice = "".join(f"; {ADVICE[key]}" for key in different if key in ADVICE)
        one, other = _named(rows, different), _named(others, different, name)
        raise InputError(f"rows counted by {one} cannot {what} {other}{advice}")


def _named(counting: Counting, keys: list[str], name: str = "") -> str:
    """The metric that counts so, with no more of its parameters than these."""
    parameters = {key: counting[key] for key in keys if key not in (METRIC, INPUT)}
    read = f" from {counting[INPUT]}" if INPUT in keys else ""
    return compose(name or counting[METRIC], parameters) + read
