"""The metrics by name. Adding one is adding a file and a line here."""

from __future__ import annotations

from importlib import import_module

from .. import spec
from ..errors import SpecError, nearest
from .base import Metric

#: Name in spec texts -> module and class. Modules are loaded when a metric of theirs is asked for.
NAMES = {
    "bleu": ("bleu", "BLEU"),
    "bleu-sbp": ("bleu_sbp", "BLEUSBP"),
    "bleus": ("bleus", "BLEUS"),
    "char-bleu": ("char_bleu", "CharBLEU"),
    "doc-bleu": ("doc_bleu", "DocumentBLEU"),
    "nist": ("nist", "NIST"),
}

#: Families, in the order in which people meet them.
FAMILIES = {
    "n-gram precision": ("bleu", "bleu-sbp", "bleus", "char-bleu", "doc-bleu", "nist"),
}


def metric_class(name: str) -> type[Metric]:
    """Return the class of a metric by name, in upper or lower case."""
    if name.lower() not in NAMES:
        raise SpecError(f"unknown metric {name!r}{nearest(name, list(NAMES))} (known: {', '.join(NAMES)})")
    module, title = NAMES[name.lower()]
    cls: type[Metric] = getattr(import_module(f".{module}", __package__), title)
    return cls


def metric(text: str | Metric) -> Metric:
    """Make a metric from its spec text.

    >>> metric("bleu(order=2, smooth=7)")
    bleu(order=2, smooth=7)
    >>> metric("blue")
    Traceback (most recent call last):
        ...
    tricolore.errors.SpecError: unknown metric 'blue'; did you mean 'bleu'? (known: bleu, bleu-sbp, ...)
    """
    if isinstance(text, Metric):
        return text
    if not isinstance(text, str):
        raise SpecError(f"a metric is written as text, such as 'bleu(order=2)'; got {type(text).__name__}")
    name, given = spec.parse(text)
    return metric_class(name)(**given)
