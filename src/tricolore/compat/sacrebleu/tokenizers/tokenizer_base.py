"""A tokeniser of sacreBLEU: called with a line, it returns the line with spaces between tokens."""

from __future__ import annotations

from functools import cached_property

from ....tokenizers import Tokenizer, cut, load


class BaseTokenizer:
    """A tokeniser that Tricolore has under `native_name`; subclasses of users may define `__call__` alone."""

    native_name: str

    @cached_property
    def native(self) -> Tokenizer:
        """The tokeniser, ready to use."""
        return load(self.native_name)

    def signature(self) -> str:
        """Its name in signatures."""
        return getattr(self, "native_name", type(self).__name__)

    def __call__(self, line: str) -> str:
        return " ".join(cut(line, self.native, lowercase=False, strip_punctuation=False))
