"""Lists of tokens as texts that the core cuts into the same tokens."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from ..tokenizers import CORE

WORDS, CHARACTERS = CORE["none"], CORE["char"]
_FIRST_LETTER = 0xE000  # none of the characters from here on is white space
_LETTERS = 0x110000 - _FIRST_LETTER


def joined(lists: Sequence[Sequence[str]]) -> list[str] | None:
    """Tokens with spaces between them, if no token has white space in it or is empty.

    >>> joined([["a", "b"], []]), joined([["a b"]])
    (['a b', ''], None)
    """
    try:
        texts = [" ".join(tokens) for tokens in lists]
    except TypeError:
        return None
    for text, tokens in zip(texts, lists, strict=True):
        if not text.isprintable() or "" in tokens or text.count(" ") != max(len(tokens) - 1, 0):
            return None
    return texts


def lettered(lists: Iterable[Iterable[Hashable]]) -> list[Any]:
    """Tokens of any kind, each as a letter of its own, to be cut into `CHARACTERS`; where letters run out, as numbers.

    >>> [len(text) for text in lettered([["a b", 1], [1]])]
    [2, 1]
    """
    numbers: dict[Hashable, int] = {}
    found = [[numbers.setdefault(token, len(numbers)) for token in tokens] for tokens in lists]
    if len(numbers) > _LETTERS:
        return found
    return ["".join([chr(_FIRST_LETTER + number) for number in of_text]) for of_text in found]
