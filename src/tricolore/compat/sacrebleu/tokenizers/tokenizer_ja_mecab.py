"""sacreBLEU's tokeniser ja-mecab."""

from .tokenizer_base import BaseTokenizer


class TokenizerJaMecab(BaseTokenizer):
    """Japanese words by MeCab with the IPA dictionary: `pip install 'tricolore[ja]'`."""

    native_name = "ja-mecab"

    def __init__(self) -> None:
        self._signature = self.native.signature

    def signature(self) -> str:
        return self._signature
