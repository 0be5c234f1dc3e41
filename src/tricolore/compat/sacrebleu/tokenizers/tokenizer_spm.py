"""sacreBLEU's SentencePiece tokenisers, with models from its cache; none is downloaded."""

from .tokenizer_base import BaseTokenizer


class TokenizerSPM(BaseTokenizer):
    """The pieces of a SentencePiece model: `pip install 'tricolore[spm]'`; `spm` is an old name for flores101."""

    def __init__(self, key: str = "spm"):
        self.name = self.native_name = "flores101" if key == "spm" else key
        _ = self.native  # a missing model or package shows here, as in sacreBLEU

    def __call__(self, line: str) -> str:
        before = self.native.before
        assert before is not None  # SentencePiece runs in Python, before the core
        return before(line)


class Flores101Tokenizer(TokenizerSPM):
    """The model of FLORES-101."""

    def __init__(self) -> None:
        super().__init__("flores101")


class Flores200Tokenizer(TokenizerSPM):
    """The model of FLORES-200."""

    def __init__(self) -> None:
        super().__init__("flores200")


class spBLEU1KTokenizer(TokenizerSPM):  # noqa: N801 - the peer's name
    """The model of spBLEU-1K."""

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")
