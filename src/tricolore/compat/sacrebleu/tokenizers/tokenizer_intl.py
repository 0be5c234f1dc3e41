"""sacreBLEU's tokeniser intl."""

from .tokenizer_base import BaseTokenizer


class TokenizerV14International(BaseTokenizer):
    """Unicode punctuation and symbols, as mteval-v14."""

    native_name = "intl"
