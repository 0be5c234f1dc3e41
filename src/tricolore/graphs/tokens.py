"""What a metric makes of the words of a graph: its tokens, as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import SpecError
from ..tokenizers import cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ..metrics.base import Metric

#: Tokenisers that cut a text into the same tokens as its words one by one, whatever stands beside them.
WORD_BY_WORD = ("none", "13a", "universal", "rouge-score", "char")


class TokenNumbers:
    """Numbers the tokens that a metric cuts words and references into, the same for all graphs it is shown.

    >>> from tricolore import WER
    >>> numbers = TokenNumbers(WER(lowercase=True))
    >>> numbers.of("The cat"), numbers.of("the CAT the")
    ([0, 1], [0, 1, 0])
    """

    def __init__(self, metric: Metric):
        self._metric = metric
        name = getattr(metric, "tokenize", None)
        if name not in WORD_BY_WORD:
            raise SpecError(
                f"{metric.spec}: tokenize={name} reads words in the light of their neighbours, which differ from path "
                f"to path; expected one of {', '.join(WORD_BY_WORD)}"
            )
        self._numbers: dict[str, int] = {}
        self._known: dict[str, list[int]] = {}

    def cut(self, text: str) -> list[str]:
        """The tokens of a text."""
        metric = self._metric
        tokens: list[str] = cut(
            text,
            metric.tokenizer,  # type: ignore[attr-defined]
            metric.lowercase,  # type: ignore[attr-defined]
            getattr(metric, "strip_punctuation", False),
        )
        return tokens

    def of(self, text: str) -> list[int]:
        """The numbers of the tokens of a text."""
        found = self._known.get(text)
        if found is None:
            found = [self._numbers.setdefault(token, len(self._numbers)) for token in self.cut(text)]
            self._known[text] = found
        return found

    def of_words(self, words: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The numbers of the tokens of every word, one after the other, and where those of each begin."""
        rows = [*map(self.of, words)]
        starts = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([*map(len, rows)], out=starts[1:])
        return starts, np.array([number for row in rows for number in row], np.int32)
