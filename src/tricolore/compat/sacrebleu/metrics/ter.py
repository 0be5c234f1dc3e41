"""sacreBLEU's TER."""

from __future__ import annotations

from functools import cached_property

from ....metrics import ter as native
from ..tokenizers.tokenizer_ter import TercomTokenizer
from .base import Metric, Score, Signature, native_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ....segments import References
    from ....types import Array


class TERSignature(Signature):
    """The signature of TER."""

    def __init__(self, args: dict[str, Any]):
        super().__init__(args)
        self.add(
            {
                "case": ("c", "mixed" if args["case_sensitive"] else "lc"),
                "tok": ("t", args["tokenizer_signature"]),
                "norm": ("nr", args["normalized"]),
                "punct": ("pn", not args["no_punct"]),
                "asian": ("as", args["asian_support"]),
            }
        )


class TERScore(Score):
    """TER with its number of edits and the (mean) length of the references."""

    def __init__(self, score: float, num_edits: float, ref_length: float):
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


class TER(Metric):
    """TER with sacreBLEU's parameters; `references` are kept for calls without any.

    >>> TER().corpus_score(["c d a b"], [["a b c d"]])
    TER = 25.00
    """

    _SIGNATURE_TYPE = TERSignature

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
    ):
        super().__init__()
        self.no_punct = no_punct
        self.normalized = normalized
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self.tokenizer = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)
        self.tokenizer_signature = self.tokenizer.signature()
        self.prepares_text = bool(normalized)
        if references is not None:
            self.cache_references(references)

    @cached_property
    def native(self) -> native.TER:
        if self.prepares_text:  # by `prepared`
            return native_metric(native.TER, case=True)
        case, no_punct, asian = map(bool, (self.case_sensitive, self.no_punct, self.asian_support))
        return native_metric(native.TER, case=case, no_punct=no_punct, asian=asian)

    def prepared(self, text: str, is_reference: bool) -> str:
        # sacreBLEU normalises references twice, which makes a difference for texts such as "....5".
        once = self.tokenizer(text.rstrip())
        return self.tokenizer(once) if is_reference else once

    def score_row(self, row: Sequence[float]) -> TERScore:
        edits, length = row[0], row[3]
        rate = edits / length if length > 0 else float(edits > 0)
        return TERScore(100 * rate, edits, length)

    def total(self, rows: Array) -> list[float]:
        # Mean lengths of references are not whole, so that the order of additions shows in the last digit.
        return [sum(column.tolist()) for column in rows.T]

    def _summed(self, hypotheses: list[str], references: References) -> list[float]:
        if self.num_refs == 1:
            return super()._summed(hypotheses, references)
        return self.total(self.native.stats(hypotheses, references).values)
