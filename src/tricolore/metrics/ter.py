"""TER: edits and block shifts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .. import _native
from ..parameters import Flag, OrNone, Whole, param
from .edit_rates import rate
from .per_reference import PerReferenceMetric, check_counted
from .text_metric import in_words

BEAM = "width of the search beam around the diagonal, in words (25 as in sacreBLEU); none = unlimited"
TOO_LONG = "the segment is too long: more than 1,000 million pairs of words to compare"


@dataclass(frozen=True, repr=False)
class TER(PerReferenceMetric):
    """TER: translation edit rate, edits and shifts of blocks per reference word (Snover et al. 2006).

        TER = Σ minⱼ edits(c, rⱼ) / Σ meanⱼ |rⱼ|

    edits: insertions, deletions, substitutions, and shifts of blocks of words. Blocks of the hypothesis are shifted,
    at one edit each, as long as that lowers the total. With several references, the one with the fewest edits counts,
    over their mean length. Finding the fewest shifts is intractable, so the definition is the greedy search of Tercom,
    as implemented in sacreBLEU: of all blocks of up to 10 words that occur elsewhere in the reference, at most 50 words
    away, the one whose shift helps most is shifted first; at most 1,000 shifts are tried. The edits equal sacreBLEU's.

    >>> print(TER()(["c d a b"], ["a b c d"]))
    TER = 25.00 (edits = 1 shifts = 1 ref_len = 4)

    Text is lower-cased unless `case` is set, and split at white space; `normalized` separates punctuation as Tercom
    does, `no_punct` removes it, and `asian` extends either to Chinese and Japanese characters (alone it has no effect,
    as in sacreBLEU). The rate may exceed 1. If all references are empty, it is 0 for an empty hypothesis, else 1.

    Where others disagree. Tercom, and with it MultEval, has a different beam; sacreBLEU's is `beam=25`, and `beam=none`
    is an unlimited search. They differ only on long segments that have little in common. sacreBLEU preprocesses
    references twice but hypotheses once, so that with `normalized` a text such as `....5` has edits against itself.
    """

    name = "ter"
    title = "TER"
    family = "edit rates"
    citation = (
        "Matthew Snover, Bonnie Dorr, Richard Schwartz, Linnea Micciulla, John Makhoul (2006): A study of "
        "translation edit rate with targeted human annotation. AMTA."
    )
    higher_is_better = False
    batch_size = 512
    columns = ("edits", "shifts", "hyp_len", "ref_len")
    printed_parts = "(edits = {edits:.10g} shifts = {shifts:.10g} ref_len = {ref_len:.10g})"
    tokenize = "none"
    strip_punctuation = False
    text_parameters = ("normalized", "no_punct", "asian", "case")

    normalized: bool = param(False, Flag(), "separate punctuation from words and decode XML entities, as Tercom does")
    no_punct: bool = param(False, Flag(), 'remove . , ? : ; ! " ( )')
    asian: bool = param(False, Flag(), "with normalized or no_punct: include Chinese and Japanese characters")
    case: bool = param(False, Flag(), "case-sensitive")
    beam: int | None = param(25, OrNone(Whole(1, 1_000_000)), BEAM)

    @property
    def lowercase(self) -> bool:  # type: ignore[override]
        """Whether text is lower-cased."""
        return not self.case

    @cached_property
    def changes_text(self) -> bool:
        return not self.case or self.normalized or self.no_punct

    def prepared_text(self, text: str) -> str:
        """Lower-case and normalise as Tercom does; the core splits at white space."""
        if not self.case:
            text = text.lower()
        if self.normalized:
            text = normalize(text.rstrip(), self.asian)
        if self.no_punct:
            text = (_ANY_PUNCTUATION if self.asian else _PUNCTUATION).sub("", text)
        return text

    @cached_property
    def counter(self) -> _native.TerCounter:
        return _native.TerCounter(self.tokenizer.core, strip_punctuation=False, beam=self.beam or 0)

    def row(self, pair: Sequence[Any], over: Any) -> Any:
        edits, shifts, c, r = pair
        check_counted(edits, f"ter: {TOO_LONG}")
        return *over.best((edits, shifts, c), edits), over.mean(r)

    def value(self, row: Sequence[Any]) -> Any:
        return rate(row[0], row[3])

    def settings(self) -> dict[str, Any]:
        """All parameters, under sacreBLEU's names."""
        text = {"norm": self.normalized, "punct": not self.no_punct, "asian": self.asian, "beam": self.beam}
        words = {key: in_words(value) for key, value in text.items()}
        return {"case": "mixed" if self.case else "lc", "tok": "tercom", **words}


# Tercom's normalisation, in order. sacreBLEU also has rules for kana, but they never apply: they match kana only at the
# very beginning of the text, where there is a space by then.
_ASIAN_MARKS = "\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb"
_FULL_WIDTH_MARKS = "\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09"
_PUNCTUATION = re.compile(r"[.,?:;!\"()]")
_ANY_PUNCTUATION = re.compile(rf"[.,?:;!\"(){_ASIAN_MARKS}{_FULL_WIDTH_MARKS}]")
_ESCAPES = (("\n-", ""), ("\n", " "), ("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_WESTERN = (
    (re.compile(r"([{-~[-` -&(-+:-@/])"), r" \1 "),
    (re.compile(r"'s "), r" 's "),
    (re.compile(r"'s$"), r" 's"),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)
_ASIAN = (
    (re.compile("([\u4e00-\u9fff\u3400-\u4dbf])"), r" \1 "),
    (re.compile("([\u31c0-\u31ef\u2e80-\u2eff])"), r" \1 "),
    (re.compile("([\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f])"), r" \1 "),
    (re.compile("([\u3200-\u3f22])"), r" \1 "),
    (re.compile(f"([{_ASIAN_MARKS}{_FULL_WIDTH_MARKS}])"), r" \1 "),
)


def normalize(text: str, asian: bool) -> str:
    """Separate punctuation from words as Tercom does.

    >>> normalize("it's 3.5, really", asian=False).split()
    ['it', "'s", '3.5', ',', 'really']
    """
    if not text:
        return ""
    for escaped, plain in _ESCAPES:
        text = text.replace(escaped, plain)
    text = f" {text} "
    for pattern, by in _WESTERN + (_ASIAN if asian else ()):
        text = pattern.sub(by, text)
    return text
