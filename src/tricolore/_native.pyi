from typing import Any

import numpy as np
from numpy.typing import NDArray

unicode_version: str

def tokenize(text: str, tokenizer: int, strip_punctuation: bool) -> list[str]: ...

class NgramCounts:
    def __init__(self, references: list[Any], tokenizer: int, strip_punctuation: bool, order: int) -> None: ...
    @property
    def total(self) -> int: ...
    def counts(self) -> NDArray[np.uint32]: ...
    def prefix_counts(self) -> NDArray[np.uint32]: ...
    def set_weights(self, weights: NDArray[np.float64]) -> None: ...

class NgramCounter:
    def __init__(
        self,
        tokenizer: int,
        strip_punctuation: bool,
        match_orders: int,
        total_orders: int,
        reference_length: int,
        clipped_length: bool,
        information: NgramCounts | None,
    ) -> None: ...
    def batch(
        self, hypotheses: list[str], references: list[Any], rows: NDArray[np.float64] | None, threads: int
    ) -> tuple[list[float], int, int]: ...
    def batch_learnt(
        self, hypotheses: list[str], first: int, rows: NDArray[np.float64] | None, threads: int
    ) -> tuple[list[float], int, int]: ...
    def segment(self, hypothesis: str, references: Any) -> tuple[list[float], int]: ...
