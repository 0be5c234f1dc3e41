"""sacreBLEU's tokeniser ko-mecab."""

from .tokenizer_base import BaseTokenizer


class TokenizerKoMecab(BaseTokenizer):
    """Korean words by MeCab-ko: `pip install 'tricolore[ko]'`."""

    native_name = "ko-mecab"

    def __init__(self) -> None:
        self._signature = self.native.signature

    def signature(self) -> str:
        return self._signature
