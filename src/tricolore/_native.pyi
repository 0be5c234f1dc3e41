from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

unicode_version: str
compiler: str
instructions: str

def affix_distance(a: str, b: str) -> float: ...
def all_plain(cells: list[Any]) -> bool: ...
def whole_characters(data: bytes) -> tuple[int, int] | None: ...
def tokenize(text: str, tokenizer: int, strip_punctuation: bool) -> list[str]: ...
def porter_stem(word: str) -> str: ...

with_stems: int

class NumberedSegments: ...

class StemNumbers:
    def __init__(self, tokenizer: int, strip_punctuation: bool, stem: Callable[[list[str]], list[str]]) -> None: ...
    def __len__(self) -> int: ...
    def read(self, text: str) -> list[int]: ...
    def read_segments(
        self, hypotheses: list[str], references: list[Any], prepare: Callable[[str], str] | None
    ) -> NumberedSegments: ...

def edit_script(
    hypothesis: Any, reference: Any, tokenizer: int, strip_punctuation: bool, room: int | None = None
) -> str: ...
def limit_lanes(most: int) -> int: ...
def spaces_only(texts: list[Any]) -> bool: ...
def hold_no_spaces(lists: list[Any]) -> bool: ...
def edit_counts(hypothesis: Any, reference: Any, characters: bool) -> tuple[int, int, int, int] | None: ...
def edit_output(kind: type, names: tuple[str, ...], hypothesis: Any, reference: Any, characters: bool) -> Any: ...
def word_edits(hypothesis: Any, reference: Any) -> tuple[float, float, float] | None: ...
def information_gains(
    hypotheses: Any, references: Any, order: int, log_of_two: float, compensated: bool
) -> list[tuple[float, int, int]] | None: ...
def match_words(
    hypothesis: Any,
    reference: Any,
    lower: Callable[[str], str] | None,
    stem: Callable[[str], str],
    memo: dict[str, str] | None,
) -> tuple[int, int, list[str], list[str], list[int], list[int], list[int]] | None: ...

class Column:
    """A column in Arrow's memory: texts, lists of texts, or lists of token ids."""

    has_lists: bool
    has_ids: bool
    def __init__(self, stream: Any) -> None: ...
    @staticmethod
    def of_array(schema: Any, array: Any) -> Column: ...
    @staticmethod
    def of_lines(data: bytes, end: int, strip: bool) -> Column: ...
    @staticmethod
    def joined(columns: list[Column]) -> Column: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: Any) -> Any: ...
    def tolist(self) -> list[Any]: ...
    def first_null(self) -> int | None: ...
    def hashes(self) -> NDArray[np.uint64]: ...
    def text_counts(self) -> tuple[int, int]: ...

class Columns:
    """Columns of texts side by side, together the references of each segment."""

    def __init__(self, columns: list[Column]) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: Any) -> Any: ...
    def text_counts(self) -> tuple[int, int]: ...

class NgramCounts:
    def __init__(
        self, references: Sequence[Any] | Column | Columns, tokenizer: int, strip_punctuation: bool, order: int
    ) -> None: ...
    @property
    def total(self) -> int: ...
    def counts(self) -> NDArray[np.uint32]: ...
    def prefix_counts(self) -> NDArray[np.uint32]: ...
    def __getstate__(self) -> tuple[Any, ...]: ...
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
        self,
        hypotheses: Sequence[Any] | Column,
        references: Sequence[Any] | Column | Columns,
        rows: NDArray[np.float64] | None,
        threads: int,
    ) -> tuple[list[float], int, int]: ...
    def batch_learnt(
        self, hypotheses: Sequence[Any] | Column, first: int, rows: NDArray[np.float64] | None, threads: int
    ) -> tuple[list[float], int, int]: ...
    def segment(self, hypothesis: str, references: Any) -> tuple[list[float], int]: ...
    def tokens(self, hypothesis: Any, references: Any) -> list[float] | None: ...
    def batch_tokens(self, hypotheses: Any, references: Any, threads: int) -> list[float] | None: ...

#: Hypotheses, references (None: the same texts), and a weight for each reference (None: every pair is counted).
_Group = tuple[list[Any], list[Any] | None, NDArray[np.float64] | None]
#: Matches by order, lengths of hypotheses and of references.
_Matches = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]

def pairwise_words(
    groups: list[_Group], tokenizer: int, strip_punctuation: bool, orders: int, threads: int
) -> list[list[_Matches]]: ...
def pairwise_skip_bigrams(
    groups: list[_Group], tokenizer: int, strip_punctuation: bool, overlap: Overlap, threads: int
) -> list[list[_Matches]]: ...
def pairwise_characters(
    groups: list[_Group], character_orders: int, word_orders: int, whitespace: bool, threads: int
) -> list[list[_Matches]]: ...

class PairCounter:
    def batch(
        self,
        hypotheses: Sequence[Any] | Column,
        references: Sequence[Any] | Column | Columns,
        rows: NDArray[np.float64] | None,
        threads: int,
    ) -> tuple[list[float] | None, int, int]: ...
    def pairs(
        self, hypotheses: Sequence[Any] | Column, references: Sequence[Any] | Column | Columns, threads: int
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]: ...
    def numbered_pairs(
        self, segments: NumberedSegments, threads: int
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]: ...
    def each(self, hypotheses: list[Any], references: list[Any], threads: int) -> NDArray[np.float64]: ...
    def segment(self, hypothesis: Any, references: Any) -> list[list[float]]: ...
    def tokens(self, hypothesis: Any, references: Any) -> list[list[float]] | None: ...
    def batch_tokens(self, hypotheses: Any, references: Any, threads: int) -> list[list[list[float]]] | None: ...

class EditCounter(PairCounter):
    def __init__(self, tokenizer: int, strip_punctuation: bool, distance: int) -> None: ...

class ChrfCounter(PairCounter):
    def __init__(self, character_orders: int, word_orders: int, whitespace: bool) -> None: ...

class TerCounter(PairCounter):
    def __init__(self, tokenizer: int, strip_punctuation: bool, beam: int) -> None: ...

class FuzzyCounter(PairCounter):
    def __init__(self, order: int, threshold: float, limit: int, sample_reference: bool) -> None: ...

def sampled_positions(words: int, most: int) -> list[int]: ...

class Overlap:
    @staticmethod
    def ngrams(lowest: int, highest: int) -> Overlap: ...
    @staticmethod
    def subsequence() -> Overlap: ...
    @staticmethod
    def weighted(weight: float) -> Overlap: ...
    @staticmethod
    def skip_bigrams(skip: int | None, unigrams: bool) -> Overlap: ...

class OverlapCounter(PairCounter):
    def __init__(self, tokenizer: int, strip_punctuation: bool, overlaps: list[Overlap]) -> None: ...

class OrderCounter(PairCounter):
    def __init__(self, tokenizer: int, strip_punctuation: bool, left_first: bool, as_nltk: bool = False) -> None: ...

class RunCounter(PairCounter):
    def __init__(self, tokenizer: int, strip_punctuation: bool, exponent: float, search: int, joined: bool) -> None: ...

class RecognitionCounter(PairCounter):
    def __init__(self, tokenizer: int, strip_punctuation: bool, order: int, alpha: float, beta: float) -> None: ...

class ChunkCounter(PairCounter):
    def __init__(
        self,
        tokenizer: int,
        strip_punctuation: bool,
        beam: int,
        senses: list[Sequence[int]],
        stems: list[int],
        phrases: list[tuple[Sequence[int], Sequence[int]]],
        functions: list[int],
        by_stage: bool,
    ) -> None: ...

class NgramPairCounter(PairCounter):
    def __init__(self, tokenizer: int, strip_punctuation: bool, order: int, characters: bool) -> None: ...

class TolerantCounter(PairCounter):
    def __init__(
        self,
        tokenizer: int,
        strip_punctuation: bool,
        match_orders: int,
        total_orders: int,
        threshold: float,
        assign: int,
    ) -> None: ...

def pair_counts(
    first: NDArray[np.float64], second: NDArray[np.float64], out: NDArray[np.float64], threads: int
) -> None: ...
def logs(numbers: NDArray[np.float64], out: NDArray[np.float64]) -> None: ...
def binary_logs(numbers: NDArray[np.float64], out: NDArray[np.float64]) -> None: ...
def exponentials(numbers: NDArray[np.float64], out: NDArray[np.float64]) -> None: ...
def powers(numbers: NDArray[np.float64], out: NDArray[np.float64], exponent: float) -> None: ...
def midranks(values: NDArray[np.float64], out: NDArray[np.float64], threads: int) -> None: ...
def swapped_statistics(
    human: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    swaps: NDArray[np.uint8],
    out: NDArray[np.float64],
    threads: int,
) -> None: ...
def swapped_ties(
    human: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    swaps: NDArray[np.uint8],
    out: NDArray[np.float64],
) -> None: ...
def resampled_pair_counts(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    places: NDArray[np.uint32],
    times: NDArray[np.uint32],
    out: NDArray[np.float64],
    threads: int,
) -> None: ...
def calibrate_ties(
    first: NDArray[np.float64], second: NDArray[np.float64], out: NDArray[np.float64], threads: int
) -> None: ...
def calibrate_resampled_ties(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    group_times: NDArray[np.float64],
    point_times: NDArray[np.float64],
    out: NDArray[np.float64],
    threads: int,
) -> None: ...

class Draws:
    def __init__(self, state_high: int, state_low: int, inc_high: int, inc_low: int) -> None: ...
    def integers(self, below: int, rows: int, columns: int) -> NDArray[np.int64]: ...
    def resampled_sums(self, rows: NDArray[np.float64], samples: int) -> NDArray[np.float64]: ...
    def resampled_lists(self, rows: Any, samples: int) -> list[list[float]]: ...
    def resampled_sums_single(self, rows: NDArray[np.float32], samples: int) -> NDArray[np.float32]: ...
    def selected_sums(self, rows: NDArray[np.float64], trials: int) -> NDArray[np.float64]: ...
    def chosen_sums(
        self, first: NDArray[np.float64], second: NDArray[np.float64], trials: int
    ) -> NDArray[np.float64]: ...
    def multeval_sums(self, runs: NDArray[np.float64], trials: int) -> NDArray[np.float64]: ...

class FeatureReader:
    def __init__(self) -> None: ...
    def read(
        self, texts: list[str]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64], NDArray[np.float64], int, str]: ...
    def add(self, name: str, width: int) -> bool: ...
    @property
    def groups(self) -> list[tuple[str, int, int]]: ...

def sparse_dot(
    begins: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> NDArray[np.float64]: ...
def sparse_sum(
    begins: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    factors: NDArray[np.float64],
    size: int,
) -> NDArray[np.float64]: ...
def expected_gain(
    begins: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    starts: NDArray[np.int64],
    gains: NDArray[np.float64],
    lengths: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> tuple[float, NDArray[np.float64]]: ...
def descend_expected_gain(
    begins: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    starts: NDArray[np.int64],
    gains: NDArray[np.float64],
    lengths: NDArray[np.float64],
    order: NDArray[np.int64],
    steps: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    shrink: float,
    rate: float,
    epochs: float,
    weights: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None: ...
def sparse_variances(
    begins: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    starts: NDArray[np.int64],
    factors: NDArray[np.float64],
    size: int,
) -> NDArray[np.float64]: ...
def mark_distinct(
    begins: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    starts: NDArray[np.int64],
    of: NDArray[np.int32],
) -> NDArray[np.uint8]: ...
def find_best(scores: NDArray[np.float64], starts: NDArray[np.int64]) -> NDArray[np.int64]: ...

class EnvelopeSearch:
    def __init__(
        self,
        begins: NDArray[np.int64],
        columns: NDArray[np.int32],
        values: NDArray[np.float64],
        starts: NDArray[np.int64],
        text_of: NDArray[np.int32],
        rows: NDArray[np.float64],
        width: int,
    ) -> None: ...
    def along(
        self,
        scores: NDArray[np.float64],
        best: NDArray[np.int64],
        total: NDArray[np.float64],
        slopes: NDArray[np.float64],
        low: float,
        high: float,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def along_axis(
        self,
        scores: NDArray[np.float64],
        best: NDArray[np.int64],
        total: NDArray[np.float64],
        column: int,
        low: float,
        high: float,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def varying(self) -> NDArray[np.int64]: ...
    def rescored(
        self, column: int, weights: NDArray[np.float64], scores: NDArray[np.float64], best: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]: ...

def order_lattice(
    sources: NDArray[np.int32], targets: NDArray[np.int32], start: int, is_final: NDArray[np.uint8]
) -> tuple[NDArray[np.int32], int, NDArray[np.int32]]: ...
def order_forest(
    heads: NDArray[np.int32], starts: NDArray[np.int64], items: NDArray[np.int32], nodes: int, root: int
) -> tuple[NDArray[np.int32], int, NDArray[np.int32]]: ...

class Lattice:
    def __init__(
        self,
        sources: NDArray[np.int32],
        targets: NDArray[np.int32],
        labels: NDArray[np.int32],
        scores: NDArray[np.float64],
        finals: NDArray[np.float64],
    ) -> None: ...
    def best(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]: ...
    def kbest(
        self, number: int, distinct: bool, limit: int, most_arcs: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]: ...
    def drawn(self, rows: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]: ...
    def longest(self) -> int: ...
    def posteriors(self) -> tuple[float, NDArray[np.float64]]: ...
    def expected_ngrams(self, order: int, limit: int) -> list[tuple[NDArray[np.int32], NDArray[np.float64]]]: ...
    def ngram_posteriors(self, order: int, limit: int) -> list[tuple[NDArray[np.int32], NDArray[np.float64]]]: ...
    def split(
        self,
        starts: NDArray[np.int64],
        words: NDArray[np.int32],
        values: NDArray[np.float64],
        word: float,
        limit: int,
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]: ...
    def recognise(
        self,
        token_starts: NDArray[np.int64],
        tokens: NDArray[np.uint32],
        reference: NDArray[np.uint32],
        order: int,
        alpha: float,
        beta: float,
    ) -> tuple[float, NDArray[np.int32]]: ...

class ForestArrays:
    def __init__(
        self,
        heads: NDArray[np.int32],
        starts: NDArray[np.int64],
        items: NDArray[np.int32],
        scores: NDArray[np.float64],
        nodes: int,
    ) -> None: ...
    def best(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
    def kbest(self, number: int, distinct: bool, limit: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
    def sample(self, scale: float, number: int, draws: Draws) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
    def all(self, most: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
    def read(
        self, starts: NDArray[np.int64], edges: NDArray[np.int32]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int32]]: ...
    def branching(self, scale: float) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]: ...
    def best_recognised(
        self,
        token_starts: NDArray[np.int64],
        token_ids: NDArray[np.int32],
        reference: NDArray[np.int32],
        order: int,
        alpha: float,
        beta: float,
        limit: int,
    ) -> tuple[float, NDArray[np.int64], NDArray[np.int32]]: ...
    def ngrams(
        self, order: int, scale: float, limit: int, once: bool
    ) -> tuple[list[NDArray[np.int32]], list[NDArray[np.float64]]]: ...
    def rescored(
        self,
        word: float,
        starts: NDArray[np.int64],
        words: NDArray[np.int32],
        values: NDArray[np.float64],
        model: float,
        limit: int,
    ) -> tuple[
        NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.float64], int, NDArray[np.int32]
    ]: ...
