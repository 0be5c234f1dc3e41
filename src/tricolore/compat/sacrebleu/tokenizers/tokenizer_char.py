"""sacreBLEU's tokeniser char."""

from .tokenizer_base import BaseTokenizer


class TokenizerChar(BaseTokenizer):
    """Every character; metrics drop those that are white space."""

    native_name = "char"

    def __call__(self, line: str) -> str:
        return " ".join(line)
