r"""BLEU and its relatives: BLEU, BLEU-SBP, BLEUS, character BLEU and document BLEU."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import truediv
from typing import TYPE_CHECKING, Any, ClassVar

from .. import _native
from ..elementwise import all_positive, divide, exp, log, minimum, where
from ..errors import SpecError
from .base import Counted, Metric, TextMetric, parameters
from ..parameters import Choice, Flag, Real, Weights, Whole, implied, param
from ..spec import write
from ..tokenizers import TokenizerName
from . import smoothing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REFERENCE_LENGTHS = ("closest", "shortest", "average")
SMOOTHINGS = Choice(
    (*smoothing.SACREBLEU_NAMES, *smoothing.METHODS),
    aliases=tuple(smoothing.NAMES.items()),
)

_ORDER = "longest n-gram, N"
_SMOOTH = (
    "what to do about orders without a match: 0 to 7 as numbered by Chen & Cherry, or sacreBLEU's names "
    "(none = 0, floor = 1, add-k = 2, exp = 3). A name brings sacreBLEU's `short` and `zero_if_no_unigram` along, "
    "a number the paper's"
)
_REF_LEN = (
    "length of several references: that closest to the hypothesis (the shorter of two), the shortest, "
    "or their mean, not rounded"
)
_SHORT = (
    "an order longer than the hypothesis: zero = precision 0 (sacreBLEU), floor1 = divide by 1 "
    "instead of 0 (the paper, NLTK), mteval = precision 1, effective = leave the order out"
)
_TOKENIZE = "how to cut text into tokens"
_LOWERCASE = "lower-case the text first (str.lower of the whole segment)"
_STRIP = "drop every punctuation character (Unicode category P) first"


@dataclass(frozen=True, repr=False)
class NgramPrecision(TextMetric):
    r"""What BLEU and BLEU-SBP share: the (smoothed) mean of clipped n-gram precisions, times a brevity penalty.

    .. math:: \mathrm{score} = BP \cdot \exp \sum_{n=1}^N w_n \ln p_n, \qquad p_n = m'_n / l'_n
    """

    order: int = param(4, Whole(1), _ORDER)
    smooth: str | int = param("exp", SMOOTHINGS, _SMOOTH)
    epsilon: float = param(0.1, Real(0, above=True), "pseudo-count of smoothing 1 (floor)")
    add: float = param(1.0, Real(0), "what smoothing 2 (add-k) adds")
    k: float = param(5.0, Real(0, above=True), "K of smoothing 4 and 7")
    alpha: float = param(5.0, Real(0, above=True), "weight of the prior in smoothing 6")
    weights: tuple[float, ...] | None = param(None, Weights(), "w_n for n = 1..N; they need not sum to 1")
    mean: str = param("geometric", Choice(("geometric", "arithmetic")), "mean over orders")
    ref_len: str = param("closest", Choice(REFERENCE_LENGTHS), _REF_LEN)
    short: str = implied(Choice(("zero", "floor1", "mteval", "effective")), _SHORT)
    zero_if_no_unigram: bool = implied(Flag(), "score 0 where no word matches, whatever the smoothing")
    tokenize: str = param("13a", TokenizerName(), _TOKENIZE)
    lowercase: bool = param(False, Flag(), _LOWERCASE)
    strip_punctuation: bool = param(False, Flag(), _STRIP)

    #: SBP also sums min(c_i, r_i).
    counts_clipped_length: ClassVar[bool] = False

    def complete(self) -> None:
        """Take over sacreBLEU's conventions with its names for smoothing, and the paper's with numbers."""
        by_name = self.smooth in smoothing.SACREBLEU_NAMES
        if self.short is None:
            object.__setattr__(self, "short", "zero" if by_name else "floor1")
        if self.zero_if_no_unigram is None:
            object.__setattr__(self, "zero_if_no_unigram", by_name)
        if self.weights is not None and len(self.weights) != self.order:
            raise SpecError(
                f"{self.name}: weights must have one number for each order; "
                f"got {len(self.weights)} for order {self.order}"
            )
        if self.weights is not None and sum(self.weights) == 0:
            raise SpecError(f"{self.name}: at least one of the weights must be above 0")

    @cached_property
    def method(self) -> int:
        """The number of the smoothing."""
        return smoothing.SACREBLEU_NAMES.get(self.smooth, self.smooth)  # type: ignore[arg-type,return-value]

    @cached_property
    def match_orders(self) -> int:
        """How many orders of matches are counted: N, or N + 1 where the smoothing asks for it."""
        return self.order + (self.method in smoothing.NEEDS_NEXT_ORDER)

    @cached_property
    def _lengths_at(self) -> int:
        return self.match_orders + self.order

    @cached_property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """Matches and totals by order, and the lengths."""
        return (
            *(f"match_{n}" for n in range(1, self.match_orders + 1)),
            *(f"total_{n}" for n in range(1, self.order + 1)),
            "hyp_len",
            "ref_len",
            *(["clipped_len"] if self.counts_clipped_length else []),
        )

    @cached_property
    def counter(self) -> _native.NgramCounter:  # type: ignore[override]
        """The core's counter of clipped matches."""
        return _native.NgramCounter(
            tokenizer=self.tokenizer.core,
            strip_punctuation=self.core_strip,
            match_orders=self.match_orders,
            total_orders=self.order,
            reference_length=REFERENCE_LENGTHS.index(self.ref_len),
            clipped_length=self.counts_clipped_length,
            information=None,
        )

    @cached_property
    def _smooth(self) -> Callable[[Sequence[Any], Sequence[Any], Any], smoothing.Smoothed]:
        return partial(smoothing.METHODS[self.method][0], **self._smoothing_constants)

    @cached_property
    def _smoothing_constants(self) -> dict[str, float]:
        return {name: getattr(self, name) for name in smoothing.METHODS[self.method][1]}

    @cached_property
    def _weights(self) -> tuple[float, ...]:
        return self.weights if self.weights is not None else (1.0 / self.order,) * self.order

    def value(self, row: Sequence[Any]) -> Any:
        """BP times the mean of the precisions; see the class."""
        return self._value_and_factors(row)[0]

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        """The score, its factors, and the counts behind them."""
        value, p, bp = self._value_and_factors(row)
        m, l = row[: self.order], row[self.match_orders : self._lengths_at]
        c, r = row[self._lengths_at], row[self._lengths_at + 1]
        return {
            "score": value,
            "precisions": p,
            "bp": bp,
            "ratio": divide(c, r),
            "hyp_len": c,
            "ref_len": r,
            "counts": m,
            "totals": l,
        }

    def _value_and_factors(self, row: Sequence[Any]) -> tuple[Any, list[Any], Any]:
        at = self._lengths_at
        m, l, c, r = row[: self.match_orders], row[self.match_orders : at], row[at], row[at + 1]
        p, kept = self.precisions(m, l, c)
        bp = self.brevity_penalty(c, r, row)
        zero = c == 0.0
        if self.zero_if_no_unigram:
            zero = zero | (m[0] == 0.0)
            if zero is not False:
                p = [where(zero, 0.0, p_n) for p_n in p]
        return where(zero, 0.0, bp * self.mean_of(p, kept)), p, bp

    def precisions(self, m: Sequence[Any], l: Sequence[Any], c: Any) -> tuple[list[Any], list[Any] | None]:
        """p_n for n = 1..N, and which orders count (None: all of them)."""
        m, l = self._smooth(m, l, c)
        if all_positive(l):
            return [*map(truediv, m, l)], None
        # An order longer than the hypothesis has l_n = 0.
        if self.short == "floor1":
            return [m_n / where(l_n > 0.0, l_n, 1.0) for m_n, l_n in zip(m, l, strict=True)], None
        without = 0.0 if self.short == "zero" else 1.0
        p = [divide(m_n, l_n, without) for m_n, l_n in zip(m, l, strict=True)]
        return p, [l_n > 0.0 for l_n in l] if self.short == "effective" else None

    def mean_of(self, p: list[Any], kept: list[Any] | None) -> Any:
        """The weighted mean over orders; an order of weight 0 is ignored even where p_n = 0."""
        if kept is None and self._plain_root:
            return math.prod(p) ** (1.0 / self.order)
        geometric = self.mean == "geometric"
        terms = [*map(log, p)] if geometric else p
        total = self._mean_of_kept(terms, kept or [True] * self.order)
        return exp(total) if geometric else total

    @cached_property
    def _plain_root(self) -> bool:
        """Whether the mean is the N-th root of a product that cannot underflow."""
        return self.mean == "geometric" and self.weights is None and self.order <= 8

    def _mean_of_kept(self, terms: list[Any], kept: list[Any]) -> Any:
        """The mean over the orders that count, with the weight of the others shared out among them."""
        total: Any = 0.0
        weight: Any = 0.0
        for w_n, term, counts in zip(self._weights, terms, kept, strict=True):
            if w_n:
                total = total + where(counts, w_n * term, 0.0)
                weight = weight + where(counts, w_n, 0.0)
        return total * divide(sum(self._weights), weight)

    def brevity_penalty(self, c: Any, r: Any, row: Sequence[Any]) -> Any:
        """1 if c >= r, else exp(1 - r/c)."""
        raise NotImplementedError

    def settings(self) -> dict[str, Any]:
        """All parameters; the first ones under the names sacreBLEU's users know."""
        constants = ",".join(f"{name}={write(value)}" for name, value in self._smoothing_constants.items())
        text = self.text_settings()
        return {
            "case": text["case"],
            "eff": "yes" if self.short == "effective" else "no",
            "tok": text["tok"],
            "smooth": f"{self.smooth}[{constants}]" if constants else self.smooth,
            "order": self.order,
            "weights": "uniform" if self.weights is None else "/".join(map(write, self.weights)),
            "mean": self.mean,
            "ref_len": self.ref_len,
            "short": self.short,
            "nomatch": "zero" if self.zero_if_no_unigram else "literal",
            "punct": text["punct"],
        }

    def describe(self, parts: Mapping[str, Any]) -> str:
        """As sacreBLEU prints it."""
        precisions = "/".join(f"{100 * p:.1f}" for p in parts["precisions"])
        return (
            f"{precisions} (BP = {parts['bp']:.3f} ratio = {parts['ratio']:.3f} "
            f"hyp_len = {parts['hyp_len']:.10g} ref_len = {parts['ref_len']:.10g})"
        )


@dataclass(frozen=True, repr=False)
class BLEU(NgramPrecision):
    r"""BLEU: clipped n-gram precision with a brevity penalty (Papineni et al. 2002, eq. 1-3).

    .. math::
        BLEU = BP \cdot \exp \sum_{n=1}^N w_n \ln p_n, \quad p_n = m_n / l_n, \quad
        BP = \min(1, \exp(1 - r/c))

    m_n: n-grams of the hypothesis found in a reference, each at most as often as in the reference that has it
    most often; l_n: n-grams of the hypothesis; c: its length; r: the effective reference length (`ref_len`);
    N: `order`; w_n: `weights`. Counts and lengths are summed over segments first. The defaults are sacreBLEU's.

    The two candidates of the lecture's dog and mailman tie once case and punctuation are gone (p_1 = 4/6, p_2 = 2/5):

    >>> bleu = BLEU(order=2, tokenize="none", lowercase=True, strip_punctuation=True)
    >>> reference = "The dog bit the mailman."
    >>> [round(float(bleu.segment(hyp, reference)), 4)
    ...  for hyp in ("The dog snapped at the mailman.", "The mailman nipped at the dog.")]
    [0.5164, 0.5164]

    Smoothing 4 and 7 of Chen & Cherry on the first of them:

    >>> [round(float(BLEU(smooth=s, tokenize="none").segment("the dog snapped at the mailman",
    ...                                                      "the dog bit the mailman")), 4) for s in (4, 7)]
    [0.1788, 0.2716]

    An empty hypothesis scores 0, whatever the smoothing and the references; so does a corpus of them.

    Where others disagree. mteval-v13a counts an order longer than the segment as precision 1
    (`short=mteval`). NLTK returns a tiny positive number where no n-gram of some order matches, computes
    smoothing 4, 5 and 7 differently and fails in 6 (see `tricolore.metrics.smoothing`). sacreBLEU scores 0 where
    nothing matches at all, and so do we under its names for smoothing; smoothing 1, 3, 4, 5 and 7 as
    published give such a segment a small positive score (`zero_if_no_unigram`).
    """

    name: ClassVar[str] = "bleu"
    title: ClassVar[str] = "BLEU"
    citation: ClassVar[str] = (
        "Kishore Papineni, Salim Roukos, Todd Ward, Wei-Jing Zhu (2002): BLEU: a method for automatic "
        "evaluation of machine translation. ACL. Smoothing: Boxing Chen, Colin Cherry (2014): A systematic "
        "comparison of smoothing techniques for sentence-level BLEU. WMT."
    )

    def brevity_penalty(self, c: Any, r: Any, row: Sequence[Any]) -> Any:
        """1 if c >= r, else exp(1 - r/c); 0 for an empty hypothesis of a reference that is not empty."""
        return where(r == 0.0, 1.0, exp(minimum(0.0, 1.0 - divide(r, c, math.inf))))


@dataclass(frozen=True, repr=False)
class BLEUSBP(NgramPrecision):
    r"""BLEU-SBP: BLEU with a strict brevity penalty (Chiang et al. 2008, eq. 4).

    .. math:: BP = \varphi\Big(\frac{\sum_i \min(c_i, r_i)}{\sum_i r_i}\Big), \quad \varphi(x) = \exp(1 - 1/x)

    c_i, r_i: lengths of segment i and of its references; φ(0) = 0. A long segment can no longer pay for a short
    one. All else is BLEU. Where all references are empty the penalty is 1.

    >>> hyps, refs = ["a b c d x y", "a b"], ["a b c d", "a b c d"]
    >>> [round(float(metric(hyps, refs)), 4) for metric in (BLEUSBP(order=1), BLEU(order=1))]
    [0.5374, 0.75]

    `ref_len` is `shortest` by default: with it (and with `average`) the sum of r_i does not depend on the system,
    which is what the paper wants from its weights.
    """

    name: ClassVar[str] = "bleu-sbp"
    title: ClassVar[str] = "BLEU-SBP"
    citation: ClassVar[str] = (
        "David Chiang, Steve DeNeefe, Yee Seng Chan, Hwee Tou Ng (2008): Decomposability of translation metrics "
        "for improved evaluation and efficient algorithms. EMNLP."
    )
    counts_clipped_length: ClassVar[bool] = True

    ref_len: str = param("shortest", Choice(REFERENCE_LENGTHS), _REF_LEN)

    def brevity_penalty(self, c: Any, r: Any, row: Sequence[Any]) -> Any:
        """φ of the clipped length over the reference length."""
        x = divide(row[-1], r, 1.0)
        return where(x == 0.0, 0.0, exp(1.0 - divide(1.0, x, 1.0)))


@dataclass(frozen=True, repr=False)
class DocumentBLEU(NgramPrecision):
    r"""Document BLEU: segment scores averaged by reference length (Chen & Cherry 2014, eq. 13).

    .. math:: BLEU_d = \frac{\sum_i r_i \, BLEU_i}{\sum_i r_i}

    BLEU_i: BLEU of segment i with `smooth`; r_i: its effective reference length, the same as in its brevity
    penalty. 0 where all references are empty. Smoothing 7, the paper's best, is the default.

    >>> round(float(DocumentBLEU(order=1, smooth=0)(["a b", "x y z w"], ["a b", "x y q r"])), 4)
    0.6667
    """

    name: ClassVar[str] = "doc-bleu"
    title: ClassVar[str] = "docBLEU"
    citation: ClassVar[str] = (
        "Boxing Chen, Colin Cherry (2014): A systematic comparison of smoothing techniques for sentence-level BLEU. WMT."
    )

    smooth: str | int = param(7, SMOOTHINGS, _SMOOTH)

    @cached_property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """An average is a sum too."""
        return ("weighted_score", "ref_len", "segments")

    @cached_property
    def _segment_metric(self) -> BLEU:
        return BLEU(**{field.name: getattr(self, field.name) for field in parameters(self)})

    def count(
        self, hyps: list[str], refs: list[Any], rows: NDArray[np.float64] | None, threads: int
    ) -> Counted:
        """Score each segment, and weigh it."""
        import numpy as np

        bleu = self._segment_metric
        counted = np.empty((len(hyps), len(bleu.columns)))
        _, fewest, most = bleu.count(hyps, refs, counted, threads)
        r = counted[:, bleu.columns.index("ref_len")]
        weighed = np.column_stack([r * bleu.score(counted), r, np.ones(len(hyps))])
        if rows is not None:
            rows[:] = weighed
        return weighed.sum(axis=0).tolist(), fewest, most

    def value(self, row: Sequence[Any]) -> Any:
        """Divide the weighted sum by the weights."""
        return divide(row[0], row[1])

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        """The score, and what it is a mean of."""
        return {"score": self.value(row), "ref_len": row[1], "segments": row[2]}

    def describe(self, parts: Mapping[str, Any]) -> str:
        """What was averaged."""
        return f"(segments = {parts['segments']:.10g} ref_len = {parts['ref_len']:.10g})"


class Defined(Metric):
    """A metric that is another one with some of its parameters set."""

    @property
    def definition(self) -> Metric:
        """The metric it is."""
        raise NotImplementedError

    @property
    def columns(self) -> tuple[str, ...]:
        """Those of the definition."""
        return self.definition.columns

    def count(
        self, hyps: list[str], refs: list[Any], rows: NDArray[np.float64] | None, threads: int
    ) -> Counted:
        """Count as the definition does."""
        return self.definition.count(hyps, refs, rows, threads)

    def value(self, row: Sequence[Any]) -> Any:
        """Score as the definition does."""
        return self.definition.value(row)

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        """The parts of the definition."""
        return self.definition.parts(row)

    def describe(self, parts: Mapping[str, Any]) -> str:
        """Describe as the definition does."""
        return self.definition.describe(parts)

    def settings(self) -> dict[str, Any]:
        """All settings of the definition."""
        return self.definition.settings()


@dataclass(frozen=True, repr=False)
class BLEUS(Defined):
    r"""BLEUS: BLEU with one added to matches and totals of orders above 1 (Lin & Och 2004, section 4).

    .. math:: p_1 = m_1 / l_1, \quad p_n = (m_n + 1) / (l_n + 1) \text{ for } n \ge 2

    It is `bleu(smooth=2)`: candidates shorter than n words still get a score above 0, candidates without a
    matching word get 0. The paper uses orders 1 to 9, one segment at a time.

    >>> bleus = BLEUS(tokenize="none")
    >>> round(float(bleus.segment("police killed", "police killed the gunman")), 4)
    0.3679
    >>> float(bleus.segment("x y z", "police killed the gunman"))
    0.0
    """

    name: ClassVar[str] = "bleus"
    title: ClassVar[str] = "BLEUS"
    citation: ClassVar[str] = (
        "Chin-Yew Lin, Franz Josef Och (2004): ORANGE: a method for evaluating automatic evaluation metrics for "
        "machine translation. COLING."
    )

    order: int = param(4, Whole(1), _ORDER)
    ref_len: str = param("closest", Choice(REFERENCE_LENGTHS), _REF_LEN)
    tokenize: str = param("13a", TokenizerName(), _TOKENIZE)
    lowercase: bool = param(False, Flag(), _LOWERCASE)
    strip_punctuation: bool = param(False, Flag(), _STRIP)

    @cached_property
    def definition(self) -> BLEU:  # type: ignore[override]
        """BLEU with smoothing 2."""
        return BLEU(smooth=2, **{field.name: getattr(self, field.name) for field in parameters(self)})


@dataclass(frozen=True, repr=False)
class CharBLEU(Defined):
    r"""Character BLEU: BLEU over characters instead of words (Denoual & Lepage 2005).

    A token is a code point; runs of white space count as one space, an ordinary character. Orders are in
    characters, 18 in the paper, so short texts score 0 unless smoothed. All else is BLEU. No word segmentation
    is needed, so it compares output in Chinese, Japanese or Thai as it does in English.

    >>> round(float(CharBLEU(order=4)(["and saw", "house"], ["and saw", "in"])), 4)
    0.618
    """

    name: ClassVar[str] = "char-bleu"
    title: ClassVar[str] = "charBLEU"
    citation: ClassVar[str] = (
        "Etienne Denoual, Yves Lepage (2005): BLEU in characters: towards automatic MT evaluation in languages "
        "without word delimiters. IJCNLP."
    )

    order: int = param(18, Whole(1), _ORDER + ", in characters")
    smooth: str | int = param("none", SMOOTHINGS, _SMOOTH)
    ref_len: str = param("closest", Choice(REFERENCE_LENGTHS), _REF_LEN)
    lowercase: bool = param(False, Flag(), _LOWERCASE)
    strip_punctuation: bool = param(False, Flag(), _STRIP)

    @cached_property
    def definition(self) -> BLEU:  # type: ignore[override]
        """BLEU over characters."""
        return BLEU(tokenize="char+space", **{field.name: getattr(self, field.name) for field in parameters(self)})
