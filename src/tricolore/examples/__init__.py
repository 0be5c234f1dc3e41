"""A small corpus that ships with the package: four systems, an n-best list and two references, written for it."""

from __future__ import annotations

from importlib.resources import files

SYSTEMS = ("careful", "fluent", "literal", "hasty")
REFERENCES = ("reference-a", "reference-b")
NBEST = "nbest"


def lines(name: str) -> list[str]:
    """Return the lines of one of the texts.

    >>> len(lines("careful")) == len(lines("reference-b"))
    True
    """
    text = files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return text.removesuffix("\n").split("\n")
