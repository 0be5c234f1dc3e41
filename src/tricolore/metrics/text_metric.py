"""Metrics over words or characters: text is preprocessed here, then tokenised and counted by the native core."""

from __future__ import annotations

from functools import cached_property

from ..errors import InputError, SegmentError
from ..parameters import parameters
from ..segments import is_ids
from ..tokenizers import Tokenizer, load, prepare
from .base import Metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..types import Array, Counted

TOKENIZE = "tokeniser"
LOWERCASE = "lower-case the text (str.lower of the whole segment)"
STRIP = "remove punctuation (Unicode category P)"


class TextMetric(Metric):
    """A metric with the text parameters: `tokenize`, `lowercase` and `strip_punctuation`."""

    tokenize: str
    lowercase: bool
    strip_punctuation: bool

    text_parameters: tuple[str, ...] = ("tokenize", "lowercase", "strip_punctuation")

    def counted_with(self, name: str) -> Any:
        return self.tokenizer.signature if name == "tokenize" else super().counted_with(name)

    @property
    def counter(self) -> Any:
        """The core's counter for this metric: `batch` counts a batch, `segment` one segment; see `_native.pyi`."""
        raise NotImplementedError

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokeniser, ready to use."""
        return load(self.tokenize)

    @cached_property
    def core_strip(self) -> bool:
        """Whether the core drops punctuation; it is dropped before an external tokeniser runs."""
        return self.strip_punctuation and self.tokenizer.before is None

    @cached_property
    def core_reading(self) -> dict[str, Any]:
        """The arguments that tell the core how to read text."""
        return {"tokenizer": self.tokenizer.core, "strip_punctuation": self.core_strip}

    @cached_property
    def changes_text(self) -> bool:
        """Whether text is changed before it reaches the core."""
        return self.lowercase or self.tokenizer.before is not None

    def prepared(self, text: Any) -> Any:
        """Preprocess one text, or each of a segment's references."""
        if isinstance(text, str):
            return self.prepared_text(text)
        if not isinstance(text, list | tuple) or is_ids(text):
            return text  # token ids, or something that the core rejects
        return [None if one is None else self.prepared(one) for one in text]

    def prepared_text(self, text: str) -> str:
        """Preprocess a text for the core."""
        return prepare(text, self.tokenizer, self.lowercase, self.strip_punctuation)

    def explain_text(self, hyps: Sequence[Any], entries: Sequence[Any], first: int) -> None:
        for i, texts in enumerate(zip(hyps, entries, strict=True), first):
            for what, text in zip(("hypothesis", "references of segment"), texts, strict=True):
                try:
                    self.prepared(text)
                except InputError as error:
                    raise SegmentError(what, i, str(error)) from None

    def count(self, hyps: Sequence[Any], refs: Sequence[Any], rows: Array | None, threads: int) -> Counted:
        if self.changes_text:
            hyps, refs = [*map(self.prepared, hyps)], [*map(self.prepared, refs)]
        return self.counter.batch(hyps, refs, rows, threads)  # type: ignore[no-any-return]

    def count_one(self, hyp: str, refs: Any) -> tuple[list[float], int]:
        if self.changes_text:
            hyp, refs = self.prepared(hyp), self.prepared(refs)
        return self.counter.segment(hyp, refs)  # type: ignore[no-any-return]

    def settings(self) -> dict[str, Any]:
        others = [field.name for field in parameters(self) if field.name not in self.text_parameters]
        return {**self.text_settings(), **{name: in_words(getattr(self, name)) for name in others}}

    def text_settings(self) -> dict[str, Any]:
        """The part of the signature that describes how text is read."""
        return {
            "case": "lc" if self.lowercase else "mixed",
            "tok": self.tokenizer.signature,
            "punct": in_words(not self.strip_punctuation),
        }


def in_words(value: Any) -> Any:
    """A parameter as signatures write it: `yes`, `no` and `none` as words."""
    if value is None:
        return "none"
    return ("yes" if value else "no") if isinstance(value, bool) else value
