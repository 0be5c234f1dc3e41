"""`RougeScorer`, as in rouge-score: ROUGE-1 to ROUGE-9, ROUGE-L and ROUGE-Lsum."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from ... import _native
from ...errors import InputError, MissingExtraError, SpecError, shown
from ...tokenizers import CORE
from ..strictness import REMEDY, lenient, refuse_text
from ..token_texts import CHARACTERS, lettered
from .scoring import BaseScorer, Score, fmeasure
from .summary_lcs import Tokens, lcs_positions, summary_hits, union_of
from .summary_lcs import lcs_table as _lcs_table
from .summary_lcs import union_of as _find_union
from .tokenize import as_text, tokenize
from .tokenizers import DefaultTokenizer

__all__ = ["RougeScorer", "_find_union", "_lcs_table"]

_NGRAMS = re.compile("rouge[1-9]")


class RougeScorer(BaseScorer):
    """Scores of texts by several types; the core counts n-grams and subsequences in one pass.

    >>> RougeScorer(["rougeL"]).score("testing one two", "testing two")["rougeL"].fmeasure
    0.8
    """

    def __init__(
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Any = None,
    ):
        self.rouge_types = rouge_types
        self._tokenizer = tokenizer or DefaultTokenizer(use_stemmer)
        self._split_summaries = split_summaries
        self._own_tokenizer = bool(tokenizer)
        self._stems = use_stemmer
        self._counter: tuple[list[str], _native.OverlapCounter] | None = None

    def score_multi(self, targets: Iterable[str], prediction: str) -> dict[str, Score]:
        """For every type, the score with the target of the highest F; the first of those."""
        refuse_text(targets, "targets", "a list of texts")
        scores = [self.score(target, prediction) for target in targets]
        if not scores and self.rouge_types:
            raise InputError("targets: expected at least one text, got none")
        return {kind: max((one[kind] for one in scores), key=lambda score: score.fmeasure) for kind in self.rouge_types}

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Score a prediction against a target, by every type."""
        kinds, counter = self._counter or self._make_counter()
        if kinds != self.rouge_types:  # a tuple, or changed since
            kinds, counter = self._make_counter()
        if not kinds:
            return {}
        if kinds == ["rougeLsum"]:
            return {"rougeLsum": self._summary(target, prediction)}
        if type(target) is type(prediction) is str and not self._own_tokenizer:
            [cells] = counter.segment(prediction, target)
        else:
            [cells] = counter.segment(*self._texts(prediction, target))
        if not (cells[1] and cells[2]):
            self._check_script(target=target, prediction=prediction)
        if len(kinds) == 1:
            return {kinds[0]: _score_of(kinds[0], *cells)}
        found = {}
        for i, kind in enumerate(kinds):
            if kind == "rougeLsum":
                found[kind] = self._summary(target, prediction)
            else:
                found[kind] = _score_of(kind, *cells[3 * i : 3 * i + 3])
        return found

    def __getstate__(self) -> dict[str, Any]:
        """What is copied and pickled, for pools of processes: not the counters, which are made anew."""
        return {name: value for name, value in vars(self).items() if name != "_single"} | {"_counter": None}

    def _make_counter(self) -> tuple[list[str], _native.OverlapCounter]:
        kinds = [*self.rouge_types]
        self._counter = kinds, self._counter_of(kinds)
        return self._counter

    @cached_property
    def _single(self) -> _native.OverlapCounter:
        return self._counter_of(["rougeL"])

    def _counter_of(self, kinds: list[str]) -> _native.OverlapCounter:
        stems = _native.with_stems if self._stems else 0
        tokenizer = CHARACTERS if self._own_tokenizer else CORE["rouge-score"] + stems
        return _native.OverlapCounter(tokenizer, False, [_overlap(kind) for kind in kinds])

    def _texts(self, prediction: str, target: str) -> tuple[Any, Any]:
        """The two as the core takes them."""
        if not self._own_tokenizer:
            return as_text(prediction, "prediction"), as_text(target, "target")
        of_prediction, of_target = lettered([self._tokens(text) for text in (prediction, target)])
        return of_prediction, [of_target]

    def _tokens(self, text: str) -> Any:
        tokens = self._tokenizer.tokenize(text)
        refuse_text(tokens, "tokenizer", "a list of tokens")
        return tokens

    def _summary(self, target: str, prediction: str) -> Score:
        sentences = self._sentences(target, "target"), self._sentences(prediction, "prediction")
        if len(sentences[0]) == len(sentences[1]) == 1:  # as ROUGE-L
            [cells] = self._single.segment(*self._texts(sentences[1][0], sentences[0][0]))
            if not (cells[1] and cells[2]):
                self._check_script(target=target, prediction=prediction)
            return _score_of("rougeLsum", *cells)
        refs, cans = ([self._tokens(one) for one in of_text] for of_text in sentences)
        if not (any(refs) and any(cans)):
            self._check_script(target=target, prediction=prediction)
        return _summary_level_lcs(refs, cans)

    def _check_script(self, **texts: str) -> None:
        """Reject letters of which no word is left: rouge-score reads a-z and 0-9 alone, and scores 0."""
        if self._own_tokenizer or lenient():
            return
        for what, text in texts.items():
            if any(map(str.isalpha, as_text(text))) and not tokenize(text, None):
                raise InputError(
                    f"{what}: rouge-score reads a-z and 0-9 alone, and nothing is left of {shown(text, 40)}; "
                    f"pass a tokenizer, or use tricolore's rouge-1 ({REMEDY})"
                )

    def _sentences(self, text: str | bytes, what: str) -> list[str]:
        as_text(text, what)  # an error if it is neither
        if not self._split_summaries:
            return [line for line in (text.decode() if isinstance(text, bytes) else text).split("\n") if line]
        try:
            from nltk import sent_tokenize
        except ImportError as error:
            raise MissingExtraError("split_summaries needs nltk: pip install 'tricolore[nltk]'") from error
        try:
            return [sentence for sentence in sent_tokenize(text) if sentence]
        except LookupError:
            raise MissingDataError from None


class MissingDataError(InputError, LookupError):
    """NLTK has no model that finds sentences; it raises a LookupError."""

    def __init__(self) -> None:
        super().__init__("split_summaries needs NLTK's model punkt_tab: python -m nltk.downloader punkt_tab")


def _overlap(kind: str) -> _native.Overlap:
    if kind in ("rougeL", "rougeLsum"):
        return _native.Overlap.subsequence()
    if isinstance(kind, str) and _NGRAMS.fullmatch(kind):
        return _native.Overlap.ngrams(int(kind[5:]), int(kind[5:]))
    raise SpecError(f"invalid ROUGE type {shown(kind)}; expected rouge1 to rouge9, rougeL or rougeLsum")


def _score_of(kind: str, shared: float, of_prediction: float, of_target: float) -> Score:
    if not (of_prediction and of_target) and kind in ("rougeL", "rougeLsum"):
        return Score(0, 0, 0)  # whole numbers, as in rouge-score
    precision, recall = shared / (of_prediction or 1), shared / (of_target or 1)
    return Score(precision, recall, fmeasure(precision, recall))


# rouge-score's own tests call these --------------------------------------------------------------------------------


def _summary_level_lcs(ref_sent: Sequence[Tokens], can_sent: Sequence[Tokens]) -> Score:
    """ROUGE-Lsum of two summaries, lists of sentences."""
    of_target, of_prediction = sum(map(len, ref_sent)), sum(map(len, can_sent))
    return _score_of("rougeLsum", summary_hits(ref_sent, can_sent), of_prediction, of_target)


def _union_lcs(ref: Tokens, c_list: Iterable[Tokens]) -> list[Any]:
    """Tokens of a sentence in a longest common subsequence with any of the others."""
    return [ref[position] for position in union_of(lcs_positions(ref, can) for can in c_list)]


def _backtrack_norec(t: object, ref: Tokens, can: Tokens) -> list[int]:
    """Positions of a longest common subsequence; the table is not needed."""
    return lcs_positions(ref, can)
