"""Tokenizers for `RougeScorer`; one's own are subclasses of `Tokenizer`."""

from abc import ABC, abstractmethod
from typing import Any

from ...stemming import Porter
from .tokenize import tokenize


class Tokenizer(ABC):
    """What a tokenizer offers."""

    @abstractmethod
    def tokenize(self, text: str) -> Any:
        """Cut a text into a list of tokens."""


class DefaultTokenizer(Tokenizer):
    """Runs of a-z and 0-9 of the lower-cased text, stemmed if asked for.

    >>> DefaultTokenizer().tokenize("This is a TEST!")
    ['this', 'is', 'a', 'test']
    """

    def __init__(self, use_stemmer: bool = False):
        self._stemmer = Porter() if use_stemmer else None

    def tokenize(self, text: str) -> list[str]:
        tokens = tokenize(text, None)
        return self._stemmer.stems(tokens) if self._stemmer else tokens
