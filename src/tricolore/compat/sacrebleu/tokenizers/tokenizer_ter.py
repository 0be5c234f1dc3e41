"""Tercom's tokeniser, which TER uses."""

from ....metrics.ter import TER
from .tokenizer_base import BaseTokenizer


class TercomTokenizer(BaseTokenizer):
    """Lower case unless `case_sensitive`, punctuation as Tercom has it.

    >>> TercomTokenizer(normalized=True)("It's 3.5, really")
    "it 's 3.5 , really"
    """

    native_name = "tercom"

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ):
        self._metric = TER(
            normalized=bool(normalized), no_punct=bool(no_punct), asian=bool(asian_support), case=bool(case_sensitive)
        )

    def __call__(self, sent: str) -> str:
        return " ".join(self._metric.prepared_text(sent).split())
