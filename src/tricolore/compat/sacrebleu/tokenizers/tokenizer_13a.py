"""sacreBLEU's tokeniser 13a."""

from .tokenizer_base import BaseTokenizer


class Tokenizer13a(BaseTokenizer):
    """Western punctuation, as mteval-v13a."""

    native_name = "13a"
