"""sacreBLEU's tokeniser zh."""

from .tokenizer_base import BaseTokenizer


class TokenizerZh(BaseTokenizer):
    """Chinese characters one by one, the rest as 13a."""

    native_name = "zh"
