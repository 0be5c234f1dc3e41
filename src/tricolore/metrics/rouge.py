"""ROUGE: n-grams, subsequences and skip-bigrams that a hypothesis shares with a reference."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from .. import _native
from ..elementwise import divide, power
from ..errors import SpecError
from ..parameters import Choice, Flag, Kind, OrNone, Real, Whole, implied, param
from ..spec import write
from ..stemming import PORTER
from ..tokenizers import TokenizerName
from .base import Title
from .per_reference import PerReferenceMetric
from .text_metric import LOWERCASE, STRIP, TOKENIZE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, Self

    from .pairwise import Group

BETA_DOC = (
    "weight of recall relative to precision in F: p/r = β is P/R in every segment, as in Lin & Och; "
    "1 = the harmonic mean; recall (or inf) = recall alone; 0 = precision alone"
)
MULTI_REF = (
    "with several references: max_f = the one with the best F (ties go to the first), "
    "max_pr = F of the best precision and the best recall, which may come from different references"
)
COMPAT = (
    "rouge-score = as Google's rouge-score 0.1.2: `tokenize=rouge-score`, which also lower-cases, "
    "and `beta=1` unless given"
)
STEM = (
    "stem words of more than three ASCII letters or digits with Porter's stemmer for English, as NLTK implements it; "
    "it recognises lower-case suffixes only, so lower-case the text, too"
)
#: Parameters that set how text is read.
READING = ("stem", "tokenize", "lowercase", "strip_punctuation")
SKIP = "maximum number of words between the two words of a skip-bigram; none = unlimited"


class Beta(Kind):
    """β of the F-measure."""

    expects = "p/r, recall, or a number, 0 or more"

    def check(self, value: Any) -> float | str:
        """Infinity means recall, and so does a number whose square would overflow."""
        if isinstance(value, str) and value in ("p/r", "recall", "inf", "infinity"):
            return value if value == "p/r" else "recall"
        number = math.inf if isinstance(value, float) and value == math.inf else Real(0).check(value)
        return number if number < 1e100 else "recall"


def f_measure(P: Any, R: Any, beta: float | str) -> Any:
    """F of a precision and a recall (Lin & Och 2004, eq. 3); 0 where either is 0.

        F = (1 + β²) R P / (R + β² P)        with β = P/R:  F = P R (P² + R²) / (P³ + R³)

    The paper defines β by equal partial derivatives and states that this is P/R; by its formula for F it would be R/P.
    We compute P/R, as stated.

    >>> f_measure(0.5, 0.5, 1.0), round(f_measure(1.0, 0.5, "p/r"), 4), f_measure(1.0, 0.5, "recall")
    (0.5, 0.5556, 0.5)
    """
    if beta == "recall":
        return R
    if isinstance(beta, str):
        return divide(P * R * (P * P + R * R), P * P * P + R * R * R)
    b = beta * beta
    return divide((1.0 + b) * R * P, R + b * P)


@dataclass(frozen=True, repr=False)
class Rouge(PerReferenceMetric):
    """Shared code of the ROUGE metrics: precision, recall and F of each segment, averaged over segments.

    P = shared / of the hypothesis        R = shared / of the reference        F = (1 + β²) R P / (R + β² P)
    """

    family = "ROUGE"
    columns = ("precision", "recall", "f", "segments")
    text_parameters = READING
    plain_counts = 3

    beta: float | str | None = implied(Beta(), BETA_DOC)
    multi_ref: str = param("max_f", Choice(("max_f", "max_pr")), MULTI_REF)
    compat: str = param("none", Choice(("none", "rouge-score")), COMPAT)
    stem: bool = param(False, Flag(), STEM)
    tokenize: str = param("universal", TokenizerName(), TOKENIZE)
    lowercase: bool = param(False, Flag(), LOWERCASE)
    strip_punctuation: bool = param(False, Flag(), STRIP)

    def complete(self) -> None:
        as_rouge_score = self.compat == "rouge-score"
        if self.beta is None:
            object.__setattr__(self, "beta", 1.0 if as_rouge_score else "p/r")
        if as_rouge_score and self.tokenize == "universal":  # the default
            object.__setattr__(self, "tokenize", "rouge-score")
        if as_rouge_score and self.tokenize != "rouge-score":
            raise SpecError(f"{self.name}: compat=rouge-score has its own tokenizer; remove tokenize={self.tokenize}")
        if as_rouge_score:  # its tokeniser lower-cases
            object.__setattr__(self, "lowercase", False)
        if as_rouge_score and self.strip_punctuation:
            raise SpecError(f"{self.name}: rouge-score splits at punctuation; remove strip_punctuation")
        if self.stem and self.tokenize in ("char", "char+space"):
            raise SpecError(f"{self.name}: stem requires words, but tokenize={self.tokenize} splits into characters")

    # Text --------------------------------------------------------------------------------------------------

    @cached_property
    def core_reading(self) -> dict[str, Any]:
        tokenizer = self.tokenizer.core + (_native.with_stems if self.stem else 0)
        return {"tokenizer": tokenizer, "strip_punctuation": self.core_strip}

    @property
    def shared_reading(self) -> tuple[Any, ...]:
        """How text is read; metrics with the same value share one reading."""
        return tuple(getattr(self, name) for name in READING)

    @property
    def overlap(self) -> _native.Overlap:
        """What the core counts."""
        raise NotImplementedError

    @cached_property
    def counter(self) -> _native.OverlapCounter:
        return _native.OverlapCounter(overlaps=[self.overlap], **self.core_reading)

    def text_settings(self) -> dict[str, Any]:
        settings = super().text_settings()
        if self.tokenize == "rouge-score":  # which lower-cases
            settings["case"] = "lc"
        if self.stem:
            settings["tok"] += f"+{PORTER}"
        return settings

    def counted_with(self, name: str) -> Any:
        return PORTER if name == "stem" and self.stem else super().counted_with(name)

    # Scores ------------------------------------------------------------------------------------------------

    def share(self, shared: Any, of: Any) -> Any:
        """Precision or recall: the fraction of one text that is shared."""
        return divide(shared, of)

    def row(self, pair: Sequence[Any], over: Any) -> Any:
        shared, c, r = pair
        P, R = self.share(shared, c), self.share(shared, r)
        if self.multi_ref == "max_pr":
            P, R = over.most(P), over.most(R)
            return P, R, self.f(P, R), 1.0
        F = self.f(P, R)
        return *over.best((P, R, F), -F), 1.0

    def f(self, P: Any, R: Any) -> Any:
        """F with this metric's β."""
        assert self.beta is not None
        return f_measure(P, R, self.beta)

    def value(self, row: Sequence[Any]) -> Any:
        return divide(row[2], row[3])

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        precision, recall, f = (divide(column, row[3]) for column in row[:3])
        return {"value": f, "precision": precision, "recall": recall, "f": f}

    def describe(self, parts: Mapping[str, Any]) -> str:
        return f"(P = {100.0 * parts['precision']:.2f} R = {100.0 * parts['recall']:.2f})"

    def settings(self) -> dict[str, Any]:
        settings = super().settings()
        del settings["compat"]  # which other parameters spell out
        return settings


CITATION = (
    "Chin-Yew Lin, Franz Josef Och (2004): ORANGE: a method for evaluating automatic evaluation metrics for machine "
    "translation. COLING."
)
PACKAGE = (
    "Chin-Yew Lin (2004): ROUGE: a package for automatic evaluation of summaries. Text Summarization Branches Out."
)


@dataclass(frozen=True, repr=False)
class RougeN(Rouge):
    """ROUGE-N: n-grams shared with a reference, `rouge-1` to `rouge-9` (Lin 2004).

        P = m / |gₙ(c)|        R = m / |gₙ(r)|        F = (1 + β²) R P / (R + β² P)

    n: `n`; m: clipped n-grams that the hypothesis c and the reference r share; gₙ: all n-grams of a text; β: `beta`,
    P/R by default (the paper on ROUGE-N uses recall alone: `beta=recall`). The corpus score is the mean over segments.
    A text without n-grams scores 0.

    >>> rouge = RougeN(n=2, tokenize="none", beta=1)
    >>> print(rouge.segment("police kill the gunman", "police killed the gunman"))
    ROUGE-2 = 33.33 (P = 33.33 R = 33.33)

    Every script is split into words, or into characters if it has no spaces, so that identical texts score 1.
    `compat=rouge-score` is Google's rouge-score: everything except a-z and 0-9 is white space.

    >>> float(RougeN().segment("ภาษาไทย", "ภาษาไทย")), float(RougeN(compat="rouge-score").segment("ภาษาไทย", "ภาษาไทย"))
    (1.0, 0.0)

    Where others disagree. With several references, rouge-score uses the one with the best F, as `max_f`; Lin's program
    ROUGE-1.5.5 averages over jackknife samples of them, unless told to use the best.
    """

    name = "rouge-n"
    in_all = ("rouge-1", "rouge-2")
    title = Title("ROUGE-N", lambda metric: f"ROUGE-{metric.n}")
    citation = PACKAGE
    pairs_at_a_time = 1 << 20
    averages_references = True

    n: int = param(1, Whole(1, 9), "length of the n-grams")

    @property
    def overlap(self) -> _native.Overlap:
        return _native.Overlap.ngrams(lowest=self.n, highest=self.n)

    def core_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        from .pairwise import shared_words

        for shared in shared_words(self, groups, self.n, threads):
            yield shared.matches(self.n), shared.of_hyps(self.n), shared.of_refs(self.n)


@dataclass(frozen=True, repr=False)
class RougeL(Rouge):
    """ROUGE-L: the longest common subsequence (Lin & Och 2004, eq. 1-3).

        P = LCS(c, r) / |c|        R = LCS(c, r) / |r|        F = (1 + β²) R P / (R + β² P)

    LCS: length of the longest common subsequence, in words; β: `beta`, P/R by default as in the paper. The paper's
    examples have β = 1:

    >>> rouge = RougeL(tokenize="none", beta=1)
    >>> S1, S2, S3 = "police killed the gunman", "police kill the gunman", "the gunman kill police"
    >>> float(rouge.segment(S2, S1)), float(rouge.segment(S3, S1))
    (0.75, 0.5)

    The corpus score is the mean over segments. An empty hypothesis or reference scores 0.

    Where others disagree. rouge-score has β = 1 and reads a-z and 0-9 only (`compat=rouge-score`).
    """

    name = "rouge-l"
    title = "ROUGE-L"
    citation = CITATION

    @property
    def overlap(self) -> _native.Overlap:
        return _native.Overlap.subsequence()


@dataclass(frozen=True, repr=False)
class RougeW(Rouge):
    """ROUGE-W: the longest common subsequence, worth more where it is not interrupted (Lin & Och 2004, eq. 4-6).

        P = f⁻¹(WLCS(c, r) / f(|c|))        R = f⁻¹(WLCS(c, r) / f(|r|))        f(k) = kʷ

    WLCS: the result of the paper's recurrence, in which k consecutive matches are worth f(k); w: `weight`, 1 for
    ROUGE-L; F as in ROUGE-L. The paper's example has w = 2 and β = 1:

    >>> rouge = RougeW(weight=2, tokenize="none", beta=1)
    >>> [round(float(rouge.segment(Y, "A B C D E F G")), 3) for Y in ("A B C D H I K", "A H B K C I D")]
    [0.571, 0.286]

    The recurrence is greedy and may miss a better choice of runs; that is how the metric is defined. Here Y = "b d d a"
    has the run "b d" of X = "d b d", worth 4, but the recurrence finds 2:

    >>> rouge.counter.segment("d b d", "b d d a")
    [[2.0, 9.0, 16.0]]

    The corpus score is the mean over segments. An empty hypothesis or reference scores 0.

    Where others disagree. ROUGE-1.5.5 traces back one subsequence and looks at runs in the reference only, so that it
    scores the two sequences above alike; and it applies f twice to the length of the reference.
    """

    name = "rouge-w"
    title = Title("ROUGE-W", lambda metric: f"ROUGE-W-{metric.weight:g}")
    citation = CITATION
    plain_counts = 0  # there are roots

    weight: float = param(1.2, Real(1, high=10), "w, the exponent that rewards consecutive matches")

    @property
    def overlap(self) -> _native.Overlap:
        return _native.Overlap.weighted(weight=self.weight)

    def share(self, shared: Any, of: Any) -> Any:
        return power(divide(shared, of), 1.0 / self.weight)


@dataclass(frozen=True, repr=False)
class SkipBigrams(Rouge):
    """Shared code of ROUGE-S and ROUGE-SU: ordered pairs of words with a limited gap."""

    unigrams = False  #: whether single words count, too

    skip: int | None = param(4, OrNone(Whole(0, 1_000_000)), SKIP)

    @property
    def limit(self) -> str:
        """The limit as the paper writes it."""
        return "*" if self.skip is None else str(self.skip)

    @property
    def overlap(self) -> _native.Overlap:
        return _native.Overlap.skip_bigrams(skip=self.skip, unigrams=self.unigrams)

    def core_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        from .pairwise import shared_skip_bigrams

        for shared in shared_skip_bigrams(self, groups, threads):
            yield shared.matches(1), shared.of_hyps(1), shared.of_refs(1)

    def settings(self) -> dict[str, Any]:
        return {**super().settings(), "skip": write(self.skip)}


@dataclass(frozen=True, repr=False)
class RougeS(SkipBigrams):
    """ROUGE-S: skip-bigrams, pairs of words in order that need not be adjacent (Lin & Och 2004, eq. 7-9).

        P = SKIP2(c, r) / skip-bigrams of c        R = SKIP2(c, r) / skip-bigrams of r

    A skip-bigram is a pair of words in order, with at most `skip` words between them; without a limit, m words have
    C(m, 2) of them. SKIP2: clipped skip-bigrams that both texts share; F as in ROUGE-L. The default, 4, did best in the
    paper and is the most reported. The paper's examples have no limit, and β = 1:

    >>> rouge = RougeS(skip=None, tokenize="none", beta=1)
    >>> S1 = "police killed the gunman"
    >>> S2, S3, S4 = "police kill the gunman", "the gunman kill police", "the gunman police killed"
    >>> [round(float(rouge.segment(S, S1)), 3) for S in (S2, S3, S4)]
    [0.5, 0.167, 0.333]

    The corpus score is the mean over segments. A text of fewer than two words has no skip-bigram and scores 0.
    """

    name = "rouge-s"
    title = Title("ROUGE-S", lambda metric: f"ROUGE-S{metric.limit}")
    citation = CITATION


@dataclass(frozen=True, repr=False)
class RougeSU(SkipBigrams):
    """ROUGE-SU: skip-bigrams and single words (Lin 2004).

        P = (SKIP2(c, r) + m) / (skip-bigrams of c + |c|)        R = (SKIP2(c, r) + m) / (skip-bigrams of r + |r|)

    m: words that both texts share; the rest as in ROUGE-S. Single words are added so that a text may score above 0 even
    if no pair matches; without a limit, this equals ROUGE-S with a start marker before both texts.

    >>> rouge = RougeSU(skip=None, tokenize="none", beta=1)
    >>> round(float(rouge.segment("gunman the killed police", "police killed the gunman")), 3)
    0.4

    The corpus score is the mean over segments. An empty hypothesis or reference scores 0.

    Where others disagree. ROUGE-1.5.5 omits the last word of a text when it adds single words.
    """

    name = "rouge-su"
    title = Title("ROUGE-SU", lambda metric: f"ROUGE-SU{metric.limit}")
    citation = PACKAGE
    unigrams = True


class Together(Rouge):
    """Several ROUGE metrics that read text the same way, counted in one pass; the columns are theirs, side by side."""

    name = "rouge"
    metrics: tuple[Rouge, ...]

    def __new__(cls, metrics: Sequence[Rouge]) -> Self:
        """Skip the check of parameters; there are none."""
        return object.__new__(cls)

    def __init__(self, metrics: Sequence[Rouge]):
        self.__dict__.update(
            metrics=(*metrics,),
            plain_counts=3 * len(metrics) if all(one.plain_counts for one in metrics) else 0,
            **{name: getattr(metrics[0], name) for name in READING},
        )

    @property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        return Rouge.columns * len(self.metrics)

    @cached_property
    def counter(self) -> _native.OverlapCounter:
        return _native.OverlapCounter(overlaps=[metric.overlap for metric in self.metrics], **self.core_reading)

    def prepared_text(self, text: str) -> str:
        return self.metrics[0].prepared_text(text)

    def row(self, pair: Sequence[Any], over: Any) -> Any:
        return [cell for i, metric in enumerate(self.metrics) for cell in metric.row(pair[3 * i : 3 * i + 3], over)]
