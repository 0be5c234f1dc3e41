"""TER: edits and block shifts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from .. import _native
from ..parameters import Flag, OrNone, Whole, param
from .edit_rates import rate
from .per_reference import PerReferenceMetric, check_counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

BEAM = (
    "how many words to either side of the diagonal edits are looked for, as a safeguard for long segments "
    "(25 in sacreBLEU); none = anywhere"
)
TOO_LONG = "the segment is too long: more than a thousand million pairs of words to compare"


@dataclass(frozen=True, repr=False)
class TER(PerReferenceMetric):
    """TER: translation edit rate, edits and shifts of blocks per reference word (Snover et al. 2006).

        TER = Σ minⱼ edits(c, rⱼ) / Σ meanⱼ |rⱼ|

    edits: blocks of the hypothesis are moved, each move an edit, as long as that lowers the number of insertions,
    deletions and substitutions that are left, which count too. Of several references the one with the fewest edits
    counts, over their mean length. To find the fewest moves is intractable, so the definition is a greedy search,
    that of Tercom as sacreBLEU renders it: of the blocks of up to 10 words that stand elsewhere in the reference, not
    more than 50 words away, the one whose move helps most goes first; at most 1,000 moves are tried. The edits are
    the same as sacreBLEU's.

    >>> print(TER()(["c d a b"], ["a b c d"]))
    TER = 25.00 (edits = 1 shifts = 1 ref_len = 4)

    Text is lower-cased unless `case` is set, and cut at white space; `normalized` cuts punctuation off as Tercom does,
    `no_punct` drops it, and `asian` extends either to Chinese and Japanese characters (alone it does nothing, as in
    sacreBLEU).
    The rate may exceed 1. Without reference words it is 0 if there is nothing to edit, else 1.

    Where others disagree. Tercom itself, and MultEval with it, look for edits within a beam of their own; sacreBLEU's
    is `beam=25`, and `beam=none` looks everywhere. They differ only on long segments that have little in common.
    sacreBLEU prepares references twice, hypotheses once, so that with `normalized` a text such as `....5` has edits
    against itself there.
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
    tokenize = "none"
    strip_punctuation = False
    text_parameters = ("normalized", "no_punct", "asian", "case")

    normalized: bool = param(False, Flag(), "cut punctuation off words, and undo XML's escapes, as Tercom does")
    no_punct: bool = param(False, Flag(), 'drop . , ? : ; ! " ( )')
    asian: bool = param(False, Flag(), "with normalized or no_punct: treat Chinese and Japanese characters too")
    case: bool = param(False, Flag(), "whether upper and lower case differ")
    beam: int | None = param(25, OrNone(Whole(1, 1_000_000)), BEAM)

    @property
    def lowercase(self) -> bool:  # type: ignore[override]
        """Whether text is lower-cased."""
        return not self.case

    @cached_property
    def changes_text(self) -> bool:
        return not self.case or self.normalized or self.no_punct

    def prepared_text(self, text: str) -> str:
        """Lower-case and normalise as Tercom does; cutting at white space is left to the core."""
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

    def describe(self, parts: Mapping[str, Any]) -> str:
        return f"(edits = {parts['edits']:.10g} shifts = {parts['shifts']:.10g} ref_len = {parts['ref_len']:.10g})"

    def settings(self) -> dict[str, Any]:
        """All parameters, under the names sacreBLEU's users know."""
        return {
            "case": "mixed" if self.case else "lc",
            "tok": "tercom",
            "norm": "yes" if self.normalized else "no",
            "punct": "no" if self.no_punct else "yes",
            "asian": "yes" if self.asian else "no",
            "beam": self.beam or "none",
        }


# Tercom's normalisation, in the order in which it is done. sacreBLEU has rules for kana too, but they ask for kana at
# the very beginning of the text, where there is a space by then.
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
    """Cut punctuation off words as Tercom does.

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
