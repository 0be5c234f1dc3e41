"""Types that many signatures share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .segments import References
    from .stats import Stats

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
Array: TypeAlias = "NDArray[np.float64]"
Texts: TypeAlias = Sequence[Text]
#: The references of a corpus, as users pass them.
Refs: TypeAlias = "Sequence[SegmentReferences] | References"
#: Statistics, with or without a record of how they were counted.
Rows: TypeAlias = "Stats | Array | Sequence[float]"
#: What one call into the core returns: column sums, fewest and most references of a segment.
Counted: TypeAlias = tuple[list[float], int, int]
#: How rows were counted: parameters by name; see `counting`.
Counting: TypeAlias = Mapping[str, Any]
