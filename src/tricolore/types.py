"""Types that many signatures share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

#: A text, or the ids of its tokens.
Text: TypeAlias = str | Sequence[int]
#: The references of one segment: a text, or a list of texts in which None means missing.
SegmentReferences: TypeAlias = Text | Sequence[Text | None]
#: A fact: plain values by name.
Record: TypeAlias = dict[str, Any]
#: Called with how many steps are done, and how many there are.
Progress: TypeAlias = Callable[[int, int], None]
#: Called with the name of each stage of long work; returns what is told of its progress.
Stage: TypeAlias = Callable[[str], Progress]
