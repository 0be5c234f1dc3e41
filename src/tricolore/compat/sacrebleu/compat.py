"""sacreBLEU's functions: a metric made of the arguments, kept for the next call with the same."""

from __future__ import annotations

from functools import lru_cache

from .metrics import BLEU, CHRF, TER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .metrics import BLEUScore, CHRFScore, TERScore

    Streams = Sequence[Sequence[str | None]]


#: A metric costs as much as a sentence, and calls for single sentences come in loops.
_bleu, _chrf, _ter = (lru_cache(maxsize=16, typed=True)(metric) for metric in (BLEU, CHRF, TER))


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Streams,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
) -> BLEUScore:
    """BLEU of a corpus.

    >>> corpus_bleu(["the cat sat on the mat"], [["the cat is on the mat"]]).precisions
    [83.33333333333333, 60.0, 25.0, 16.666666666666668]
    """
    metric = _bleu(lowercase, force, tokenize, smooth_method, smooth_value, effective_order=use_effective_order)
    return metric.corpus_score(hypotheses, references)  # type: ignore[no-any-return]


def raw_corpus_bleu(
    hypotheses: Sequence[str], references: Streams, smooth_value: float | None = BLEU.SMOOTH_DEFAULTS["floor"]
) -> BLEUScore:
    """BLEU of a tokenised corpus, with floor smoothing and effective order."""
    return corpus_bleu(hypotheses, references, "floor", smooth_value, True, False, "none", True)


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str | None],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """BLEU of one hypothesis."""
    metric = _bleu(lowercase, False, tokenize, smooth_method, smooth_value, effective_order=use_effective_order)
    return metric.sentence_score(hypothesis, references)  # type: ignore[no-any-return]


def corpus_chrf(
    hypotheses: Sequence[str],
    references: Streams,
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """ChrF of a corpus."""
    metric = _chrf(char_order, word_order, beta, whitespace=not remove_whitespace, eps_smoothing=eps_smoothing)
    return metric.corpus_score(hypotheses, references)  # type: ignore[no-any-return]


def sentence_chrf(
    hypothesis: str,
    references: Sequence[str | None],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """ChrF of one hypothesis."""
    metric = _chrf(char_order, word_order, beta, whitespace=not remove_whitespace, eps_smoothing=eps_smoothing)
    return metric.sentence_score(hypothesis, references)  # type: ignore[no-any-return]


def corpus_ter(
    hypotheses: Sequence[str],
    references: Streams,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """TER of a corpus."""
    metric = _ter(normalized, no_punct, asian_support, case_sensitive)
    return metric.corpus_score(hypotheses, references)  # type: ignore[no-any-return]


def sentence_ter(
    hypothesis: str,
    references: Sequence[str | None],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """TER of one hypothesis."""
    metric = _ter(normalized, no_punct, asian_support, case_sensitive)
    return metric.sentence_score(hypothesis, references)  # type: ignore[no-any-return]
