"""METEOR."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from .. import _native
from ..elementwise import divide
from ..errors import SpecError, nearest
from ..parameters import Flag, Kind, PathName, Real, Whole, param
from ..tokenizers import TokenizerName, cut
from .ngram_precision import LOWERCASE, STRIP, TOKENIZE
from .paraphrases import Paraphrases
from .per_reference import PerReferenceMetric, nearest_length
from .wordnet import WordNet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from .base import Array, Counted
    from .pairwise import Group

#: The stemmers of PyStemmer 3.1; an older one may lack a few.
LANGUAGES = (
    "arabic", "armenian", "basque", "catalan", "czech", "danish", "dutch", "dutch_porter", "english",
    "esperanto", "estonian", "finnish", "french", "german", "greek", "hindi", "hungarian", "indonesian",
    "irish", "italian", "lithuanian", "nepali", "norwegian", "persian", "polish", "porter", "portuguese",
    "romanian", "russian", "serbian", "sesotho", "spanish", "swedish", "tamil", "turkish", "yiddish",
)  # fmt: skip

#: ISO 639-1 codes of these languages.
CODES = {
    "ar": "arabic", "hy": "armenian", "eu": "basque", "ca": "catalan", "cs": "czech", "da": "danish", "nl": "dutch",
    "en": "english", "eo": "esperanto", "et": "estonian", "fi": "finnish", "fr": "french", "de": "german",
    "el": "greek", "hi": "hindi", "hu": "hungarian", "id": "indonesian", "ga": "irish", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "no": "norwegian", "fa": "persian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho", "es": "spanish", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip

_STEMS_FROM = 1 << 31  #: the first id of a stem; smaller ids are synsets


class Language(Kind):
    """The language of a Snowball stemmer."""

    expects = "none, an ISO 639-1 code such as de, or one of " + ", ".join(LANGUAGES)

    def check(self, value: Any) -> str:
        if value is not None and not isinstance(value, str):
            raise ValueError
        name = "none" if value is None else value.lower()
        name = CODES.get(name, name)
        if name not in ("none", *LANGUAGES):
            raise ValueError(nearest(name, LANGUAGES))
        return name


@dataclass(frozen=True, repr=False)
class METEOR(PerReferenceMetric):
    """METEOR: words aligned in as few chunks as possible (Banerjee & Lavie 2005, Denkowski & Lavie 2011).

        METEOR = F · (1 − Pen)        Pen = γ (ch / m)^β
        F = P R / (α P + (1 − α) R)   P = m_c / |c|        R = m_r / |r|

    m_c, m_r: aligned words of the hypothesis c and of the reference r; m: their mean; ch: chunks, runs of matches that
    are adjacent and in the same order in both; α, β, γ: `alpha`, `beta`, `gamma`, by default the values of 2005. All
    counts are summed over segments, and the corpus score is computed from the sums. With several references, each
    segment uses the one with the best score; ties go to the one nearest in length.

    Words match in stages: exact; stem, if they have the same Snowball stem in `language`; synonym, if `wordnet` names a
    WordNet folder and they share a synset, by WordNet's rules for base forms; paraphrase, if `paraphrases` names a
    table, where phrases of several words match. All stages have the same weight. The alignment covers each word at most
    once. In order of priority, it (1) covers as many words of both sides as possible, (2) has the fewest chunks, (3)
    has the smallest sum of distances between the starts of matches, and (4) covers most of the reference. The search is
    not greedy but exact, within the limits of `beam`.

    >>> meteor = METEOR()
    >>> print(meteor.segment("the cat sat on the mat", "on the mat sat the cat"))
    METEOR = 93.75 (P = 1.000 R = 1.000 penalty = 0.062 chunks = 3 hyp_len = 6 ref_len = 6)
    >>> round(float(METEOR(language="none").segment("two cats sleeping", "the cat slept")), 4)
    0.0
    >>> round(float(meteor.segment("two cats sleeping", "a cat sleeps")), 4)
    0.625

    A perfect translation of n words scores 1 − γ / n^β, slightly less than 1. Without a match the score is 0, as for an
    empty hypothesis or reference. Token ids match if they are equal.

    Where others disagree. Meteor 1.5 has weights for stages, distinguishes content from function words, and has tuned
    values of α, β, γ for each language; its alignment is a beam search by the same criteria. NLTK aligns greedily from
    the end of the hypothesis, stage by stage, so that it may find more chunks if a word is repeated; it uses Porter's
    stemmer instead of `english`, lower-cases but does not tokenise, and has no corpus score.
    """

    name = "meteor"
    title = "METEOR"
    family = "word alignment"
    citation = (
        "Satanjeev Banerjee, Alon Lavie (2005): METEOR: an automatic metric for MT evaluation with improved "
        "correlation with human judgments. ACL workshop on evaluation measures. Alignment: Michael Denkowski, Alon "
        "Lavie (2011): Meteor 1.3: automatic metric for reliable optimization and evaluation of machine translation "
        "systems. WMT."
    )
    columns = ("hyp_matches", "ref_matches", "chunks", "hyp_len", "ref_len")
    printed_parts = (
        "(P = {precision:.3f} R = {recall:.3f} penalty = {penalty:.3f} chunks = {chunks:.10g} "
        "hyp_len = {hyp_len:.10g} ref_len = {ref_len:.10g})"
    )
    choosing_parameters = ("alpha", "beta", "gamma")
    text_parameters = ("language", "wordnet", "paraphrases", *PerReferenceMetric.text_parameters)

    alpha: float = param(0.9, Real(0, high=1), "α, the weight of recall in F; 0.9 is nine times that of precision")
    beta: float = param(3.0, Real(0), "β, the exponent of the chunk penalty")
    gamma: float = param(0.5, Real(0, high=1), "γ, the maximum chunk penalty")
    language: str = param("english", Language(), "language of the Snowball stemmer, or none to skip the stem stage")
    wordnet: str | None = param(
        None, PathName("a folder with WordNet's index.noun, noun.exc and so on"), "WordNet folder for the synonym stage"
    )
    paraphrases: str | None = param(
        None,
        PathName("a file of lines phrase<TAB>paraphrase, plain or compressed"),
        "paraphrase table for the paraphrase stage; pairs apply in both directions, further columns are ignored",
    )
    beam: int = param(
        500,
        Whole(1, 1_000_000),
        "partial alignments kept after each word; the search is exact if that many suffice. The beam is reduced if the "
        "hypothesis has more than 100,000 / beam words, and at most 32 positions of a word are tried; the alignment is "
        "then good, but not provably optimal",
    )
    tokenize: str = param("universal", TokenizerName(), TOKENIZE)
    lowercase: bool = param(True, Flag(), LOWERCASE)
    strip_punctuation: bool = param(False, Flag(), STRIP)

    # Counting ----------------------------------------------------------------------------------------------

    @cached_property
    def counter(self) -> _native.ChunkCounter:
        return self._counter([], [])

    def _counter(self, senses: list[Sequence[int]], phrases: list[Any]) -> _native.ChunkCounter:
        return _native.ChunkCounter(**self.core_reading, beam=self.beam, senses=senses, phrases=phrases)

    @cached_property
    def _stems_of(self) -> Callable[[list[str]], list[str]]:
        """The function that stems words; a word with a lone surrogate, which PyStemmer rejects, is its own stem."""
        import Stemmer

        try:
            stemmer = Stemmer.Stemmer(self.language)
        except KeyError:
            raise SpecError(
                f"{self.name}: PyStemmer {Stemmer.version()} has no stemmer for {self.language} "
                f"(it has {', '.join(Stemmer.algorithms())})"
            ) from None

        def stems(words: list[str]) -> list[str]:
            try:
                return stemmer.stemWords(words)  # type: ignore[no-any-return]
            except UnicodeEncodeError:
                return words if len(words) == 1 else [stem for word in words for stem in stems([word])]

        return stems

    @cached_property
    def _wordnet(self) -> WordNet | None:
        return None if self.wordnet is None else WordNet(self.wordnet)

    @cached_property
    def _paraphrases(self) -> Paraphrases | None:
        return None if self.paraphrases is None else Paraphrases(self.paraphrases, self._words)

    def _words(self, text: str) -> list[str]:
        return cut(text, self.tokenizer, self.lowercase, self.strip_punctuation)

    def count(self, hyps: list[str], refs: list[Any], rows: Array | None, threads: int) -> Counted:
        counter, hyps, refs = self._numbered(hyps, refs)
        return self.rows_of_pairs(*counter.pairs(hyps, refs, threads), rows)

    def count_one(self, hyp: str, refs: Any) -> tuple[list[float], int]:
        counter, [hyp], [refs] = self._numbered([hyp], [refs])
        return self.row_of_one(counter.segment(hyp, refs))

    def core_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        from .pairwise import table_columns

        for group in groups:
            counter, hyps, entries = self._numbered(group.hyps, [[ref] for ref in group.refs])
            yield table_columns(counter.each(hyps, [ref for [ref] in entries], threads), group)

    @property
    def counts_pairs(self) -> bool:  # type: ignore[override]
        return self.paraphrases is None  # which depend on both texts of a pair

    def _numbered(self, hyps: list[Any], refs: list[Any]) -> tuple[_native.ChunkCounter, list[Any], list[Any]]:
        """Convert words to ids, equal if the words match; return them with a counter that knows what else matches."""
        if not hyps or not isinstance(hyps[0], str):
            return self.counter, hyps, refs  # token ids
        stem = self._stems_of if self.language != "none" else None
        numbers: dict[str, int] = {}

        def numbered(words: list[str]) -> list[int]:
            return [numbers.setdefault(word, len(numbers)) for word in words]

        if self.wordnet is None and self.paraphrases is None:
            read = self._words if stem is None else lambda text: stem(self._words(text))
            texts = [numbered(read(_text(hyp))) for hyp in hyps]
            return self.counter, texts, [[numbered(read(text)) for text in _texts(entry)] for entry in refs]

        # Stems are further senses of a word; paraphrases apply to the word itself.
        hyp_words = [self._words(_text(hyp)) for hyp in hyps]
        ref_words = [[self._words(text) for text in _texts(entry)] for entry in refs]
        texts = [*map(numbered, hyp_words)]
        entries = [[*map(numbered, entry)] for entry in ref_words]
        words, senses = [*numbers], [()] * len(numbers)  # type: list[str], list[tuple[int, ...]]
        if self._wordnet is not None:
            senses = [*map(self._wordnet.senses, words)]
        if stem is not None:
            of_stem: dict[str, int] = {}
            stems = [of_stem.setdefault(one, _STEMS_FROM + len(of_stem)) for one in stem(words)]
            senses = [(*some, one) for some, one in zip(senses, stems, strict=True)]
        phrases: dict[Any, None] = {}
        if self._paraphrases is not None:
            for hyp, entry in zip(hyp_words, ref_words, strict=True):
                for ref in entry:
                    phrases.update(dict.fromkeys(self._paraphrases.pairs(hyp, ref)))
        pairs = [(numbered([*a]), numbered([*b])) for a, b in phrases]
        return self._counter([*senses], pairs), texts, entries

    def row(self, pair: Sequence[Any], over: Any) -> Any:
        return over.best(pair, -self.value(pair), *nearest_length(pair[3], pair[4], pair))

    # Scoring -----------------------------------------------------------------------------------------------

    def value(self, row: Sequence[Any]) -> Any:
        return self._value_and_factors(row)[0]

    def _value_and_factors(self, row: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
        m_c, m_r, ch, c, r = row
        P, R = divide(m_c, c), divide(m_r, r)
        F = divide(P * R, self.alpha * P + (1.0 - self.alpha) * R)
        penalty = self.gamma * divide(ch, (m_c + m_r) / 2.0) ** self.beta
        return F * (1.0 - penalty), P, R, penalty

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        score, P, R, penalty = self._value_and_factors(row)
        factors = {"value": score, "precision": P, "recall": R, "penalty": penalty}
        return {**factors, **dict(zip(self.columns, row, strict=True))}

    def counted_with(self, name: str) -> Any:
        if name == "language" and self.language != "none":
            import Stemmer

            return f"{self.language},pystemmer{Stemmer.version()}"
        if name == "wordnet" and self._wordnet is not None:
            return f"wordnet-{self._wordnet.digest}"
        if name == "paraphrases" and self._paraphrases is not None:
            return self._paraphrases.digest
        return super().counted_with(name)

    def settings(self) -> dict[str, Any]:
        stages = {"stem": "language", "synonym": "wordnet", "paraphrase": "paraphrases"}
        there = {stage: name for stage, name in stages.items() if getattr(self, name) not in (None, "none")}
        described = ["exact", *(f"{stage}[{self.counted_with(name)}]" for stage, name in there.items())]
        return {**self.text_settings(), "stages": "+".join(described), **super().settings()}

    def signature_items(self, nrefs: tuple[int, int] | None = None, ids: bool = False) -> dict[str, Any]:
        """The signature as a mapping; token ids only have the exact stage."""
        if not ids:
            return super().signature_items(nrefs)
        exact_only = replace(self, language="none", wordnet=None, paraphrases=None)
        return super(METEOR, exact_only).signature_items(nrefs, ids)


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError("expected text")  # the metric then names the segment
    return text


def _texts(entry: Any) -> list[str]:
    """The references of a segment that are not None; at least one."""
    if isinstance(entry, str):
        return [entry]
    if not isinstance(entry, list | tuple):
        raise TypeError("expected text")
    texts = [_text(text) for text in entry if text is not None]
    if not texts:
        raise TypeError("expected a reference")
    return texts
