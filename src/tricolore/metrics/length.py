"""Length of the output relative to the reference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .. import _native
from ..elementwise import divide
from ..parameters import Choice, Flag, param
from ..tokenizers import TokenizerName
from .ngram_precision import REF_LEN, REFERENCE_LENGTHS, ngram_counter
from .text_metric import STRIP, TOKENIZE, TextMetric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from .pairwise import Group


@dataclass(frozen=True, repr=False)
class Length(TextMetric):
    """Length: hypothesis words per reference word, as MultEval reports it (Clark et al. 2011).

        Length = Σ c / Σ r

    c: length of a hypothesis; r: effective length of its references (`ref_len`, as in BLEU); both sums are over
    segments. It shows whether the output is too long (above 1) or too short (below), not whether it is good. If all
    references are empty, it is 0, like sacreBLEU's `ratio`.

    >>> print(Length()(["a b c d e"], [["a b c d", "a b c"]]))
    Length = 125.00 (hyp_len = 5 ref_len = 4)
    """

    name = "length"
    title = "Length"
    family = "length, not quality"
    citation = (
        "Jonathan Clark, Chris Dyer, Alon Lavie, Noah Smith (2011): Better hypothesis testing for statistical machine "
        "translation: controlling for optimizer instability. ACL."
    )
    tells_quality = False
    columns = ("hyp_len", "ref_len")
    pairs_at_a_time = 1 << 20
    lowercase = False  #: lower-casing does not change lengths

    ref_len: str = param("closest", Choice(REFERENCE_LENGTHS), REF_LEN)
    tokenize: str = param("none", TokenizerName(), TOKENIZE)
    strip_punctuation: bool = param(False, Flag(), STRIP)

    @cached_property
    def counter(self) -> _native.NgramCounter:
        return ngram_counter(self, self.ref_len, 0, 0)

    def pair_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        from .pairwise import shared_words

        for shared in shared_words(self, groups, 0, threads):
            yield shared.of_hyps(1), shared.of_refs(1)

    def value(self, row: Sequence[Any]) -> Any:
        return divide(row[0], row[1])
