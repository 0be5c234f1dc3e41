"""What mkdocstrings is told about our docstrings: examples and equations stand as they are."""

from __future__ import annotations

from typing import Any

import griffe


def fenced(text: str) -> str:
    r"""A docstring whose examples (`>>>`) and indented equations are code blocks.

    >>> print(fenced("Twice.\n\n>>> twice(2)\n4\n\nThat is all."))
    Twice.
    <BLANKLINE>
    ```pycon
    >>> twice(2)
    4
    ```
    <BLANKLINE>
    That is all.
    """
    blocks = [block for block in text.split("\n\n") if block.strip()]
    made: list[str] = []
    for block in blocks:
        if block.lstrip("\n").startswith(">>> "):
            made.append(f"```pycon\n{block.strip()}\n```")
        elif all(line.startswith("    ") for line in block.strip("\n").split("\n")):
            lines = "\n".join(line[4:] for line in block.strip("\n").split("\n"))
            made.append(f"```text\n{lines}\n```")
        else:
            made.append(block)
    return "\n\n".join(made)


class Docstrings(griffe.Extension):
    """Prepares every docstring once it is read."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Prepare the docstring of a class, function or attribute."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)
