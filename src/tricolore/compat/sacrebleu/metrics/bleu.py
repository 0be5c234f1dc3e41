"""sacreBLEU's BLEU."""

from __future__ import annotations

import math
from functools import cached_property
from types import MappingProxyType

from ....errors import SpecError
from ....metrics import bleu as native
from ..tokenizers import TOKENIZERS, is_native, named
from .base import Metric, Score, Signature, native_metric, sacrelogger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

MAX_NGRAM_ORDER = 4

#: What sacreBLEU takes for the logarithm of 0.
LOG_OF_ZERO = -9999999999


class BLEUSignature(Signature):
    """The signature of BLEU."""

    def __init__(self, args: dict[str, Any]):
        super().__init__(args)
        smooth, value = args["smooth_method"], args["smooth_value"]
        default = BLEU.SMOOTH_DEFAULTS[smooth]
        if default is not None:
            smooth = f"{smooth}[{default if value is None else value:.2f}]"
        self.add(
            {
                "case": ("c", "lc" if args["lowercase"] else "mixed"),
                "eff": ("e", "yes" if args["effective_order"] else "no"),
                "tok": ("tok", args["tokenizer_signature"]),
                "smooth": ("s", smooth),
            }
        )


class BLEUScore(Score):
    """BLEU with its counts, totals and precisions of n-grams, its brevity penalty, and both lengths."""

    def __init__(
        self,
        score: float,
        counts: Sequence[float],
        totals: Sequence[float],
        precisions: Sequence[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ):
        self.name = "BLEU"
        self.score = score
        self._mean = self._ci = -1.0
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions

    @cached_property
    def prec_str(self) -> str:
        """The precisions as printed."""
        return "/".join(f"{p:.1f}" for p in self.precisions)

    @cached_property
    def ratio(self) -> float:
        """The length of the hypotheses over that of the references."""
        return self.sys_len / self.ref_len if self.ref_len else 0

    @cached_property
    def _verbose(self) -> str:  # type: ignore[override]
        return (
            f"{self.prec_str} (BP = {self.bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.sys_len:d} ref_len = {self.ref_len:d})"
        )


class BLEU(Metric):
    """BLEU with sacreBLEU's parameters.

    `tokenize` is by default that of the target language `trg_lang`: zh, ja-mecab, ko-mecab, else 13a. `references` are
    kept for calls with `references=None`. `force` says that text which looks tokenised is fine.

    >>> bleu = BLEU()
    >>> bleu.corpus_score(["the cat sat on the mat"], [["the cat is on the mat"], ["a cat sat there"]])
    BLEU = 42.73 100.0/80.0/25.0/16.7 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
    >>> bleu.get_signature().format(short=True).rpartition("|")[0]
    '#:2|c:mixed|e:no|tok:13a|s:exp'
    """

    SMOOTH_DEFAULTS: Mapping[str, float | None] = MappingProxyType(
        {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    )
    TOKENIZERS = TOKENIZERS.keys()
    TOKENIZER_DEFAULT = "13a"
    _TOKENIZER_MAP = MappingProxyType({"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"})
    _SIGNATURE_TYPE = BLEUSignature

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Sequence[str | None]] | None = None,
    ):
        super().__init__()
        _check_smoothing(smooth_method)
        self._force = force
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_value = smooth_value
        self.smooth_method = smooth_method
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        usual = self._TOKENIZER_MAP.get(trg_lang)
        if tokenize is not None and usual is not None and tokenize != usual:
            language = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean"}[trg_lang]
            sacrelogger.warning("Consider using the '%s' or 'spm' tokenizer for %s.", usual, language)
        self.tokenizer = named((usual or self.TOKENIZER_DEFAULT) if tokenize is None else tokenize)
        if references is not None:
            self.cache_references(references)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name == "tokenizer":
            self.prepares_text = not is_native(value)
            signed = getattr(value, "signature", None)
            self.tokenizer_signature = signed() if signed else getattr(value, "__name__", type(value).__name__)

    def prepared(self, text: str, is_reference: bool) -> str:
        return self.tokenizer((text.lower() if self.lowercase else text).rstrip())

    @cached_property
    def native(self) -> native.BLEU:
        value = self.SMOOTH_DEFAULTS[self.smooth_method] if self.smooth_value is None else self.smooth_value
        constant = {"floor": "epsilon", "add-k": "add"}.get(self.smooth_method)
        return native_metric(
            native.BLEU,
            order=self.max_ngram_order,
            smooth=self.smooth_method,
            short="effective" if self.effective_order else "zero",
            tokenize="none" if self.prepares_text else self.tokenizer.native_name,
            lowercase=bool(self.lowercase) and not self.prepares_text,
            **({constant: value} if constant else {}),
        )

    @staticmethod
    def compute_bleu(
        correct: Any,
        total: Any,
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """BLEU of n-gram counts and lengths; add-k changes the counts in place, as in sacreBLEU.

            BLEU = BP · exp(Σₙ ln pₙ / N)        pₙ = 100 · correctₙ / totalₙ

        N is `max_ngram_order`, or with `effective_order` the longest n with n-grams in the hypothesis.
        """
        _check_smoothing(smooth_method)
        if smooth_value is None:
            smooth_value = BLEU.SMOOTH_DEFAULTS[smooth_method]
        bp = 1.0
        if sys_len < ref_len:
            bp = math.exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0
        precisions = [0.0] * max_ngram_order
        if not any(correct):
            return BLEUScore(0.0, correct, total, precisions, bp, sys_len, ref_len)
        halved, orders = 1.0, max_ngram_order
        for n in range(max_ngram_order):
            if n and smooth_method == "add-k":
                correct[n] += smooth_value
                total[n] += smooth_value
            if total[n] == 0:
                break
            if effective_order:
                orders = n + 1
            if correct[n]:
                precisions[n] = 100.0 * correct[n] / total[n]
            elif smooth_method == "exp":
                halved *= 2
                precisions[n] = 100.0 / (halved * total[n])
            elif smooth_method == "floor":
                precisions[n] = 100.0 * smooth_value / total[n]  # type: ignore[operator]
        logs = [math.log(p) if p else LOG_OF_ZERO for p in precisions[:orders]]
        return BLEUScore(bp * math.exp(sum(logs) / orders), correct, total, precisions, bp, sys_len, ref_len)

    def score_row(self, row: Sequence[float]) -> BLEUScore:
        order = self.max_ngram_order
        counts = [*map(int, row)]
        if all(counts) and self.smooth_method != "add-k":  # nothing to smooth and nothing to leave out
            *_, sys_len, ref_len = counts
            correct, total = counts[:order], counts[order : 2 * order]
            precisions = [100.0 * m / l for m, l in zip(correct, total, strict=True)]
            bp = math.exp(1 - ref_len / sys_len) if sys_len < ref_len else 1.0
            score = bp * math.exp(sum(map(math.log, precisions)) / order)
            return BLEUScore(score, correct, total, precisions, bp, sys_len, ref_len)
        return self.compute_bleu(
            counts[:order],
            counts[order : 2 * order],
            counts[2 * order],
            counts[2 * order + 1],
            self.smooth_method,
            self.smooth_value,
            self.effective_order,
            order,
        )

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        if not self.effective_order:
            sacrelogger.warning("It is recommended to enable `effective_order` for sentence-level BLEU.")
        return super().sentence_score(hypothesis, references)  # type: ignore[no-any-return]


def _check_smoothing(method: str) -> None:
    if method not in BLEU.SMOOTH_DEFAULTS:
        raise SpecError(f"smooth_method must be one of {', '.join(BLEU.SMOOTH_DEFAULTS)}; got {method!r}")
