"""sacreBLEU's tokenisers by name; each is loaded when it is asked for."""

from functools import cache
from importlib import import_module

from ....errors import SpecError
from .tokenizer_base import BaseTokenizer as BaseTokenizer

TOKENIZERS = {
    "none": "tokenizer_none.NoneTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "char": "tokenizer_char.TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spm": "tokenizer_spm.TokenizerSPM",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
}


def named(name: str) -> BaseTokenizer:
    """Make a tokeniser ready."""
    if name not in TOKENIZERS:
        raise SpecError(f"tokenize must be one of {', '.join(TOKENIZERS)}; got {name!r}")
    return _class_of(name)()


def is_native(tokenizer: object) -> bool:
    """Whether this is one of those above, which the core has; others, such as TER's, are called line by line."""
    here = type(tokenizer).__module__.startswith(f"{__name__}.")
    return here and getattr(tokenizer, "native_name", None) in TOKENIZERS


@cache
def _class_of(name: str) -> type[BaseTokenizer]:
    module, _, cls = TOKENIZERS[name].partition(".")
    found: type[BaseTokenizer] = getattr(import_module(f".{module}", __name__), cls)
    return found
