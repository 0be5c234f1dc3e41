"""NIST: n-gram matches weighted by information."""

from __future__ import annotations

import dataclasses
import math
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .. import _native
from ..counting import ADVICE, IDS, INFORMATION, TEXT
from ..elementwise import divide, exp, log, log2, maximum, minimum, where
from ..errors import InputError, SpecError, shown
from ..parameters import Flag, Real, Whole, param
from ..scoring import Score
from ..segments import References, explain, hold_ids, is_ids
from ..tokenizers import TokenizerName
from ..types import Array, Counted, Refs, Rows, SegmentReferences
from .ngram_precision import ORDER, ngram_counter
from .text_metric import LOWERCASE, STRIP, TOKENIZE, TextMetric

#: Makes the penalty one half if the hypothesis has two thirds of the words of the reference.
BETA = math.log(2) / math.log(1.5) ** 2


class Information:
    """The information weights of a corpus, and the parameters they were learnt with."""

    def __init__(self, counts: _native.NgramCounts, settings: tuple[Any, ...], text: bool | None):
        self.counts = counts
        self.settings = settings
        self.text = text  #: whether it was learnt from text, not token ids; None if there were no references

    @cached_property
    def digest(self) -> str:
        """A short digest of all n-grams and their counts."""
        from array import array
        from hashlib import blake2b

        words, *numbers, total, _ = self.counts.__getstate__()
        found = blake2b(array("Q", [total, *map(len, words)]), digest_size=6)
        for part in (*words, *numbers):
            found.update(part)
        return found.hexdigest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Information):
            return NotImplemented
        return self.settings == other.settings and self.counts.__getstate__() == other.counts.__getstate__()

    def __hash__(self) -> int:
        return hash((self.settings, self.counts.total))


def _are_text(entries: Sequence[Any]) -> bool | None:
    """Whether references are text, not token ids; None if there are none."""
    for entry in entries:
        if isinstance(entry, str) or is_ids(entry):
            return isinstance(entry, str)
        for text in entry:
            if text is not None:
                return isinstance(text, str)
    return None


@dataclass(frozen=True, repr=False)
class NIST(TextMetric):
    """NIST: matched n-grams weighted by their information (Doddington 2002).

        NIST = [Σₙ Iₙ / lₙ] · exp(−β ln² min(1, c/r̄))

        Iₙ = Σ over n-grams g of min(#(g in c), max over references #(g in r)) · Info(g)
        Info(w₁..wₙ) = log₂ (#(w₁..wₙ₋₁) / #(w₁..wₙ))

    The counts # in Info are over all references of all segments (the number of words for n = 1); lₙ: n-grams of the
    hypotheses; c: their length; r̄: the mean length of a segment's references, summed; N: `order`. The score is in bits,
    has no upper bound, and is computed as in mteval. An empty system output, or empty references, score 0.

    >>> refs = ["it is a guide to action that ensures that the military will forever heed party commands",
    ...         "it is the guiding principle which guarantees the military forces always being under "
    ...         "the command of the party"]
    >>> hyps = ["it is a guide to action which ensures that the military always obeys the commands of the party",
    ...         "it is to insure the troops forever hearing the activity guidebook that party direct"]
    >>> print(NIST()(hyps, refs).display())
    2.3449

    The information is learnt from the references passed with the hypotheses. To score single segments, or a corpus in
    parts, learn it from the whole corpus first:

    >>> nist = NIST().prepare(refs)
    >>> nist.segment(hyps[0], refs[0]).display()
    '3.2428'
    >>> nist.result(sum(nist.stats([hyp], [ref]).sum() for hyp, ref in zip(hyps, refs))).display()
    '2.3449'

    Rows counted with different information can be neither added nor scored. An n-gram missing from the prepared counts
    has no information.

    Where others disagree. With several references, NLTK uses the best single reference for each order, and its length;
    mteval and Tricolore clip against all of them and average the lengths. mteval lower-cases by default (`lowercase`).
    """

    name = "nist"
    title = "NIST"
    family = "n-gram precision"
    citation = (
        "George Doddington (2002): Automatic evaluation of machine translation quality using n-gram co-occurrence "
        "statistics. HLT."
    )
    display_scale = 1.0
    display_digits = 3
    scoring_parameters = ("beta",)

    order: int = param(5, Whole(1, 10_000), ORDER)
    beta: float = param(BETA, Real(0), "strength of the length penalty; ln 2 / ln² 1.5 halves the score at 2/3")
    tokenize: str = param("13a", TokenizerName(), TOKENIZE)
    lowercase: bool = param(False, Flag(), LOWERCASE)
    strip_punctuation: bool = param(False, Flag(), STRIP)
    #: Not a parameter, but what `prepare` has learnt.
    information: Information | None = dataclasses.field(default=None, repr=False)

    def prepare(self, refs: Refs) -> NIST:
        import numpy as np

        references = References.unchecked(refs)
        entries = references.entries
        try:
            ready = [*map(self.prepared, entries)] if self.changes_text else list(entries)
            counts = _native.NgramCounts(ready, self.tokenizer.core, self.core_strip, self.order)
        except (TypeError, AttributeError, UnicodeDecodeError):
            explain([], entries)
            raise
        except InputError:
            self.explain_text([""] * len(entries), entries, 0)
            raise
        # Info(g) = log2(#(prefix) / #(g)).
        counts.set_weights(log2(counts.prefix_counts() / np.maximum(counts.counts(), 1)))
        information = Information(counts, self._learning_settings, _are_text(entries))
        prepared = dataclasses.replace(self, information=information)
        # The counts hold these references as words; while they exist, they need not be read again.
        prepared.__dict__["_learnt_from"] = weakref.ref(references)
        return prepared

    @property
    def is_prepared(self) -> bool:
        return self.information is not None

    def ready_for(self, references: References) -> NIST:
        return self if self.is_prepared else self.prepare(references)

    @property
    def _learning_settings(self) -> tuple[Any, ...]:
        return self.order, self.tokenize, self.lowercase, self.strip_punctuation

    def complete(self) -> None:
        if self.information is None:
            return
        if not isinstance(self.information, Information):
            raise SpecError(f"nist: information is learnt by prepare(refs), not given; got {shown(self.information)}")
        if self.information.settings != self._learning_settings:
            object.__setattr__(self, "information", None)

    def counted_with(self, name: str) -> Any:
        if name == INFORMATION and self.information is not None:
            return self.information.digest
        return super().counted_with(name)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        orders = range(1, self.order + 1)
        return (*(f"info_{n}" for n in orders), *(f"total_{n}" for n in orders), "hyp_len", "ref_len")

    def segment(self, hyp: str, refs: SegmentReferences) -> Score:
        self._check_learnt("cannot be learnt from one segment")
        return super().segment(hyp, refs)

    def result(self, total: Rows) -> Score:
        self._check_learnt("is not part of summed rows")
        return super().result(total)

    def _check_learnt(self, why: str) -> None:
        if self.information is None:
            raise InputError(f"nist: the information of n-grams {why}; {ADVICE[INFORMATION]}")

    def count(self, hyps: Sequence[Any], refs: Sequence[Any], rows: Array | None, threads: int) -> Counted:
        self._check_kind(hyps)
        return super().count(hyps, refs, rows, threads)

    def count_one(self, hyp: str, refs: Any) -> tuple[list[float], int]:
        self._check_kind((hyp,))
        return super().count_one(hyp, refs)

    def _check_kind(self, hyps: Sequence[Any]) -> None:
        learnt = None if self.information is None else self.information.text
        if learnt is not None and hyps and learnt == hold_ids(hyps):
            words = (TEXT, IDS) if learnt else (IDS, TEXT)
            raise InputError(f"nist: prepared with references that are {words[0]}, but got {words[1]} to score")

    def count_part(
        self, hyps: Sequence[Any], references: References, first: int, rows: Array | None, threads: int
    ) -> Counted:
        learnt_from = self.__dict__.get("_learnt_from")
        if learnt_from is None or learnt_from() is not references:
            return super().count_part(hyps, references, first, rows, threads)
        if self.changes_text:
            hyps = [*map(self.prepared, hyps)]
        return self.counter.batch_learnt(hyps, first, rows, threads)

    @cached_property
    def counter(self) -> _native.NgramCounter:
        counts = None if self.information is None else self.information.counts
        return ngram_counter(self, "average", self.order, self.order, information=counts)

    def value(self, row: Sequence[Any]) -> Any:
        return self.parts(row)["value"]

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        info, l = row[: self.order], row[self.order : 2 * self.order]
        c, r = row[2 * self.order], row[2 * self.order + 1]
        per_order = [info_n / maximum(l_n, 1.0) for info_n, l_n in zip(info, l, strict=True)]
        ratio = divide(c, r)
        penalty = self.length_penalty(ratio)
        score = where((c == 0.0) | (r == 0.0), 0.0, sum(per_order) * penalty)
        factors = {"value": score, "per_order": per_order, "penalty": penalty, "ratio": ratio}
        return {**factors, "hyp_len": c, "ref_len": r}

    def length_penalty(self, ratio: Any) -> Any:
        """1 if the ratio is 1 or more, 1/2 at 2/3, 0 at 0.

        >>> round(NIST().length_penalty(2 / 3), 12)
        0.5
        """
        x = log(minimum(1.0, ratio))
        return exp(-self.beta * x * x) if self.beta else where(ratio >= 0.0, 1.0, 0.0)

    def describe(self, parts: Mapping[str, Any]) -> str:
        per_order = "/".join(f"{x:.2f}" for x in parts["per_order"])
        return (
            f"{per_order} (penalty = {parts['penalty']:.3f} ratio = {parts['ratio']:.3f} "
            f"hyp_len = {parts['hyp_len']:.10g} ref_len = {parts['ref_len']:.10g})"
        )

    def settings(self) -> dict[str, Any]:
        words = "unknown" if self.information is None else self.information.counts.total
        beta = "mteval" if self.beta == BETA else self.beta
        return {**super().settings(), "beta": beta, "ref_len": "average", "info_words": words}
