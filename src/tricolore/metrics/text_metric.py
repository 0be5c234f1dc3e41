"""Metrics over words or characters: text is prepared and tokenised, then counted by the native core."""

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
    from typing import Any, Protocol

    import numpy as np
    from numpy.typing import NDArray

    from .base import Counted

    class Counter(Protocol):
        """What the core offers for a metric: batches, and one segment without a detour."""

        def batch(
            self, hypotheses: list[str], references: list[Any], rows: NDArray[np.float64] | None, threads: int
        ) -> Counted:
            """Count a batch."""

        def segment(self, hypothesis: str, references: Any) -> tuple[list[float], int]:
            """Count one segment."""


class TextMetric(Metric):
    """A metric with the parameters that prepare text: `tokenize`, `lowercase` and `strip_punctuation`."""

    tokenize: str
    lowercase: bool
    strip_punctuation: bool

    text_parameters: tuple[str, ...] = ("tokenize", "lowercase", "strip_punctuation")

    def counted_with(self, name: str) -> Any:
        """The value of a parameter as rows know it; tokenisers have versions."""
        return self.tokenizer.signature if name == "tokenize" else super().counted_with(name)

    @property
    def counter(self) -> Counter:
        """The part of the core that counts for this metric."""
        raise NotImplementedError

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokeniser, ready to use."""
        return load(self.tokenize)

    @cached_property
    def core_strip(self) -> bool:
        """Whether the core is to drop punctuation (an external tokeniser has had it dropped before)."""
        return self.strip_punctuation and self.tokenizer.before is None

    @cached_property
    def core_reading(self) -> dict[str, Any]:
        """How the core is to read text."""
        return {"tokenizer": self.tokenizer.core, "strip_punctuation": self.core_strip}

    @cached_property
    def changes_text(self) -> bool:
        """Whether anything happens to the text before it reaches the core."""
        return self.lowercase or self.tokenizer.before is not None

    def prepared(self, text: Any) -> Any:
        """Prepare one text, or each text of a segment's references."""
        if isinstance(text, str):
            return self.prepared_text(text)
        if not isinstance(text, list | tuple) or is_ids(text):
            return text  # token numbers, or something that the core will refuse
        return [None if one is None else self.prepared(one) for one in text]

    def prepared_text(self, text: str) -> str:
        """What happens to a text before it reaches the core."""
        return prepare(text, self.tokenizer, self.lowercase, self.strip_punctuation)

    def explain_text(self, hyps: Sequence[Any], entries: Sequence[Any], first: int) -> None:
        for i, texts in enumerate(zip(hyps, entries, strict=True), first):
            for what, text in zip(("hypothesis", "references of segment"), texts, strict=True):
                try:
                    self.prepared(text)
                except InputError as error:
                    raise SegmentError(what, i, str(error)) from None

    def count(self, hyps: list[str], refs: list[Any], rows: NDArray[np.float64] | None, threads: int) -> Counted:
        if self.changes_text:
            hyps, refs = [*map(self.prepared, hyps)], [*map(self.prepared, refs)]
        return self.counter.batch(hyps, refs, rows, threads)

    def count_one(self, hyp: str, refs: Any) -> tuple[list[float], int]:
        if self.changes_text:
            hyp, refs = self.prepared(hyp), self.prepared(refs)
        return self.counter.segment(hyp, refs)

    def settings(self) -> dict[str, Any]:
        others = [field.name for field in parameters(self) if field.name not in self.text_parameters]
        return {**self.text_settings(), **{name: getattr(self, name) for name in others}}

    def text_settings(self) -> dict[str, Any]:
        """The part of the signature about text."""
        return {
            "case": "lc" if self.lowercase else "mixed",
            "tok": self.tokenizer.signature,
            "punct": "no" if self.strip_punctuation else "yes",
        }
