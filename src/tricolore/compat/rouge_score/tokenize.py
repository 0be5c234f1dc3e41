"""rouge-score's tokenizer: runs of a-z and 0-9 of the lower-cased text."""

from typing import Any

from ... import _native
from ...errors import InputTypeError, shown
from ...tokenizers import CORE


def tokenize(text: str | bytes, stemmer: Any) -> list[str]:
    """Cut a text into words; with a stemmer, words of more than three letters become stems.

    >>> tokenize("One-two, ÜBER", None)
    ['one', 'two', 'ber']
    """
    tokens = _native.tokenize(as_text(text), CORE["rouge-score"], False)
    if not stemmer:
        return tokens
    return [stem for stem in (stemmer.stem(token) if len(token) > 3 else token for token in tokens) if stem]


def as_text(text: str | bytes, what: str = "text") -> str:
    """Text, also of bytes, whose ASCII letters alone rouge-score lower-cases."""
    if isinstance(text, str):
        return text
    if not isinstance(text, bytes):
        raise InputTypeError(f"{what}: expected a string, got {shown(text, 40)}")
    return text.lower().decode("utf-8")
