"""METEOR."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from operator import add

from .. import _native
from ..elementwise import divide, power, where
from ..errors import SpecError, nearest
from ..extras import load
from ..parameters import Choice, Flag, Kind, PathName, Real, Weights, Whole, implied, param
from ..readers import read_lines
from ..segments import hold_ids
from ..spec import write
from ..tokenizers import TokenizerName, cut
from .base import Title
from .paraphrases import Paraphrases
from .per_reference import PerReferenceMetric, nearest_length
from .text_metric import LOWERCASE, STRIP, TOKENIZE
from .wordnet import WordNet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from ..types import Array, Counted
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

#: Words whose stems are remembered at a time.
MOST_WORDS = 200_000

STAGES = ("exact", "stem", "synonym", "paraphrase")
KINDS = ("content", "function")

#: By version: the defaults of the parameters that it has; those of 1.5 are the program's for English.
VERSIONS: dict[str, dict[str, Any]] = {
    "2005": {"alpha": 0.9, "beta": 3.0, "gamma": 0.5},
    "1.5": {"alpha": 0.85, "beta": 0.2, "gamma": 0.6, "delta": 0.75, "weights": (1.0, 0.6, 0.8, 0.6)},
}


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


class Version(Choice):
    """A version of METEOR; it may be written as a number."""

    def check(self, value: Any) -> str:
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 10_000
        return super().check(f"{value:g}" if is_number else value)  # type: ignore[no-any-return]


class StageWeights(Weights):
    """A weight for each stage."""

    expects = "a list of four numbers from 0 to 1, for exact, stem, synonym and paraphrase matches"

    def check(self, value: Any) -> tuple[float, ...] | None:
        weights = super().check(value)
        if weights is not None and (len(weights) != len(STAGES) or max(weights) > 1):
            raise ValueError
        return weights


@dataclass(frozen=True, repr=False)
class METEOR(PerReferenceMetric):
    """METEOR: words aligned in few chunks, as of 2005 or version 1.5 (Banerjee & Lavie 2005, Denkowski & Lavie 2014).

        METEOR = F · (1 − Pen)        Pen = γ (ch / m)^β        m = (m_c + m_r) / 2
        F = P R / (α P + (1 − α) R)

        version 2005:   P = m_c / |c|        R = m_r / |r|
        version 1.5:    P = Σₛ wₛ (δ m_c,s + (1 − δ) f_c,s) / (δ |c| + (1 − δ) |f_c|), and R from r likewise
                        Pen = 0 if the hypothesis equals the reference

    m_c, m_r: aligned words of the hypothesis c and of the reference r; ch: chunks, runs of matches that are adjacent
    and in the same order in both; α, β, γ: `alpha`, `beta`, `gamma`. In P and R of version 1.5, c and r are the content
    words only, and f_c and f_r the function words, which `function_words` lists (without it, all words are content
    words); m_c,s and f_c,s: those aligned in stage s; wₛ: `weights`; δ: `delta`. `version` is 2005 by default, and the
    other defaults depend on it.

    Words match in stages: exact; stem, if they have the same Snowball stem in `language`; synonym, if `wordnet` names a
    WordNet folder and they share a synset, by WordNet's rules for base forms; paraphrase, if `paraphrases` names a
    table, where phrases of several words match. The stage of two words is the first in which they match. The alignment
    covers each word at most once. In order of priority, it (1) covers as many words of both sides as possible, (2) has
    the fewest chunks, (3) has the smallest sum of distances between the starts of matches, and (4) covers most of the
    reference; in version 1.5, the counts of the row decide at last, in the order of its columns, the greater the
    better. The search is not greedy but exact, within the limits of `beam`.

    All counts are summed over segments, and the corpus score is computed from the sums. The row of version 1.5 has the
    aligned words by side, content or function, and stage, so that it can be scored with other weights. With several
    references, each segment uses the one with the best score; ties go to the one nearest in length.

    >>> meteor = METEOR()
    >>> print(meteor.segment("the cat sat on the mat", "on the mat sat the cat"))
    METEOR-2005 = 93.75 (P = 1.000 R = 1.000 penalty = 0.062 chunks = 3 hyp_len = 6 ref_len = 6)
    >>> print(METEOR(version=1.5).segment("the cat sat on the mat", "on the mat sat the cat"))
    METEOR-1.5 = 47.77 (P = 1.000 R = 1.000 penalty = 0.522 chunks = 3 hyp_len = 6 ref_len = 6)
    >>> round(float(METEOR(language="none").segment("two cats sleeping", "the cat slept")), 4)
    0.0
    >>> [round(float(METEOR(version=v).segment("two cats sleeping", "a cat sleeps")), 4) for v in (2005, 1.5)]
    [0.625, 0.1911]

    A perfect translation of n words scores 1 − γ / n^β in version 2005, slightly less than 1. In version 1.5, a segment
    has penalty 0 if all words of both sides are aligned in one chunk, so that a copy scores 1; a corpus has penalty 0
    if this holds for all of its segments, and otherwise the chunks of perfect segments count as others do. Without a
    match the score is 0, as for an empty hypothesis or reference. Token ids match if they are equal.

    Where others disagree. The program Meteor 1.5 computes version 1.5, with tokenisation, word lists, paraphrases and
    values of α, β, γ, δ and weights for each language, which are not included here; the defaults are those of English,
    tuned for ranking.
    Its corpus score is computed from sums, too, but a corpus of several perfect segments scores less than 1. It aligns
    by a beam search that counts a match by stem, synonym or paraphrase as half an exact one in criterion (1), whatever
    the weights; here all stages count alike there, as the papers say. The default of this metric has neither weights
    nor function words, so its scores are not comparable with the program's. NLTK computes version 2005, but aligns
    greedily from the end of the hypothesis, stage by stage, so that it may find more chunks if a word is repeated; it
    uses Porter's stemmer instead of `english`, lower-cases but does not tokenise, and has no corpus score.
    """

    name = "meteor"
    title = Title("METEOR", lambda metric: f"METEOR-{metric.version}")
    family = "word alignment"
    citation = (
        "Satanjeev Banerjee, Alon Lavie (2005): METEOR: an automatic metric for MT evaluation with improved "
        "correlation with human judgments. ACL workshop on evaluation measures. Version 1.5: Michael Denkowski, Alon "
        "Lavie (2014): Meteor Universal: language specific translation evaluation for any target language. WMT. "
        "Alignment: Michael Denkowski, Alon Lavie (2011): Meteor 1.3: automatic metric for reliable optimization and "
        "evaluation of machine translation systems. WMT."
    )
    printed_parts = (
        "(P = {precision:.3f} R = {recall:.3f} penalty = {penalty:.3f} chunks = {chunks:.10g} "
        "hyp_len = {hyp_len:.10g} ref_len = {ref_len:.10g})"
    )
    choosing_parameters = ("alpha", "beta", "gamma", "delta", "weights")
    needs = "Stemmer"
    text_parameters = ("language", "wordnet", "paraphrases", "function_words", *PerReferenceMetric.text_parameters)

    version: str = param(
        "2005",
        Version((*VERSIONS,)),
        "2005 = the definition of 2005; 1.5 = that of Meteor Universal (2014), with weights for stages and function "
        "words, and without a penalty if hypothesis and reference are equal",
    )
    alpha: float = implied(Real(0, high=1), "α, the weight of recall in F (2005: 0.9; 1.5: 0.85)")
    beta: float = implied(Real(0), "β, the exponent of the chunk penalty (2005: 3; 1.5: 0.2)")
    gamma: float = implied(Real(0, high=1), "γ, the maximum chunk penalty (2005: 0.5; 1.5: 0.6)")
    delta: float = implied(
        Real(0, high=1), "δ, the weight of content words; that of function words is 1 − δ (version 1.5 only: 0.75)"
    )
    weights: tuple[float, ...] = implied(
        StageWeights(),
        "weights of exact, stem, synonym and paraphrase matches (version 1.5 only: [1, 0.6, 0.8, 0.6])",
    )
    language: str = param("english", Language(), "language of the Snowball stemmer, or none to skip the stem stage")
    wordnet: str | None = param(
        None, PathName("a folder with WordNet's index.noun, noun.exc and so on"), "WordNet folder for the synonym stage"
    )
    paraphrases: str | None = param(
        None,
        PathName("a file of lines phrase<TAB>paraphrase, plain or compressed"),
        "paraphrase table for the paraphrase stage; pairs apply in both directions, further columns are ignored",
    )
    function_words: str | None = param(
        None,
        PathName("a file with a function word per line"),
        "file with a function word per line, tokenised as texts are (version 1.5 only); without it, all words are "
        "content words",
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

    def complete(self) -> None:
        defaults = VERSIONS[self.version]
        for name in ("alpha", "beta", "gamma", "delta", "weights", "function_words"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, defaults.get(name))
            elif name not in defaults and not self._weighted:
                raise SpecError(f"{self.name}: version {self.version} has no {name}; set version=1.5, or remove {name}")

    @property
    def _weighted(self) -> bool:
        """Whether matches are counted by stage, and content and function words apart."""
        return self.version == "1.5"

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """By side, matched content words by stage, then function words; in version 2005 only their sums."""
        if not self._weighted:
            return "hyp_matches", "ref_matches", "chunks", "hyp_len", "ref_len"
        matches = [f"{side}_{stage}_{kind}" for side in ("hyp", "ref") for kind in KINDS for stage in STAGES]
        return *matches, "chunks", "hyp_len", "ref_len", "hyp_function", "ref_function", "segments"

    # Counting ----------------------------------------------------------------------------------------------

    @cached_property
    def counter(self) -> _native.ChunkCounter:
        return self._counter([], [], [], [])

    def _counter(
        self, senses: list[Sequence[int]], stems: list[int], phrases: list[Any], functions: list[int]
    ) -> _native.ChunkCounter:
        return _native.ChunkCounter(
            **self.core_reading,
            beam=self.beam,
            senses=senses,
            stems=stems,
            phrases=phrases,
            functions=functions,
            by_stage=self._weighted,
        )

    @cached_property
    def _stems_of(self) -> Callable[[list[str]], list[str]]:
        """The function that stems words; a word with a lone surrogate, which PyStemmer rejects, is its own stem."""
        Stemmer = load("Stemmer", self.name)
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
    def _stem_numbers(self) -> _native.StemNumbers:
        """Reads text as the numbers of its stems."""
        stem = list if self.language == "none" else self._stems_of
        return _native.StemNumbers(self.tokenizer.core, self.core_strip, stem)

    def _stem_reader(self) -> _native.StemNumbers:
        """The same, with room for new words."""
        if len(self._stem_numbers) > MOST_WORDS:
            del self.__dict__["_stem_numbers"]  # which is then made anew
        return self._stem_numbers

    @property
    def _has_plain_words(self) -> bool:
        """Whether words match if and only if their stems are equal, and are counted alike."""
        return not self._weighted and self.wordnet is None and self.paraphrases is None

    @cached_property
    def _wordnet(self) -> WordNet | None:
        return None if self.wordnet is None else WordNet(self.wordnet)

    @cached_property
    def _paraphrases(self) -> Paraphrases | None:
        return None if self.paraphrases is None else Paraphrases(self.paraphrases, self._words)

    @cached_property
    def _function_words(self) -> tuple[frozenset[str], str]:
        """The function words, and a short digest of them."""
        from hashlib import sha256

        assert self.function_words is not None
        lines = read_lines(self.function_words, "function words: one per line")
        words = frozenset(word for line in lines for word in self._words(line))
        return words, sha256("\n".join(sorted(words)).encode(errors="surrogatepass")).hexdigest()[:12]

    def _words(self, text: str) -> list[str]:
        return cut(text, self.tokenizer, self.lowercase, self.strip_punctuation)

    def count(self, hyps: Sequence[Any], refs: Sequence[Any], rows: Array | None, threads: int) -> Counted:
        if len(hyps) and self._has_plain_words and not hold_ids(hyps):
            prepare = self.prepared_text if self.tokenizer.before else str.lower if self.lowercase else None
            segments = self._stem_reader().read_segments([*hyps], [*refs], prepare)
            return self.rows_of_pairs(*self.counter.numbered_pairs(segments, threads), rows)
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

    def _numbered(self, hyps: Sequence[Any], refs: Sequence[Any]) -> tuple[_native.ChunkCounter, Any, Any]:
        """Convert words to ids, equal if the words match; return them with a counter that knows what else matches."""
        if not len(hyps) or hold_ids(hyps):
            return self.counter, hyps, refs  # token ids
        if self._has_plain_words:
            read, ready = self._stem_reader().read, self.prepared_text
            texts = [read(ready(_text(hyp))) for hyp in hyps]
            return self.counter, texts, [[read(ready(text)) for text in _texts(entry)] for entry in refs]
        stem = self._stems_of if self.language != "none" else None
        numbers: dict[str, int] = {}

        def numbered(words: list[str]) -> list[int]:
            return [numbers.setdefault(word, len(numbers)) for word in words]

        # Paraphrases apply to the word itself, not to its stem.
        hyp_words = [self._words(_text(hyp)) for hyp in hyps]
        ref_words = [[self._words(text) for text in _texts(entry)] for entry in refs]
        texts, entries = [*map(numbered, hyp_words)], [[*map(numbered, entry)] for entry in ref_words]
        words = [*numbers]
        senses = [] if self._wordnet is None else [*map(self._wordnet.senses, words)]
        of_stem: dict[str, int] = {}
        stems = [] if stem is None else [of_stem.setdefault(one, len(of_stem)) for one in stem(words)]
        phrases: dict[Any, None] = {}
        if self._paraphrases is not None:
            for hyp, entry in zip(hyp_words, ref_words, strict=True):
                for ref in entry:
                    phrases.update(dict.fromkeys(self._paraphrases.pairs(hyp, ref)))
        pairs = [(numbered([*a]), numbered([*b])) for a, b in phrases]
        functions = [] if self.function_words is None else [numbers[one] for one in self._function_words[0] & {*words}]
        return self._counter([*senses], stems, pairs, functions), texts, entries

    def row(self, pair: Sequence[Any], over: Any) -> Any:
        at = self.columns.index("chunks")
        chunks, c, r = pair[at : at + 3]
        if self._weighted:
            pair = [*pair, where(chunks > 0.0, 1.0, 0.0)]  # segments with a match
        return over.best(pair, -self.value(pair), *nearest_length(c, r, pair))

    # Scoring -----------------------------------------------------------------------------------------------

    def value(self, row: Sequence[Any]) -> Any:
        return self._value_and_factors(row)[0]

    def _value_and_factors(self, row: Sequence[Any]) -> tuple[Any, dict[str, Any]]:
        if self._weighted:
            sides = row[:8], row[8:16]
            m_c, m_r = (sum(side) for side in sides)
            ch, c, r, f_c, f_r, segments = row[16:]
            P, R = map(divide, map(self._weighted_words, sides), map(self._weighted_length, (c, r), (f_c, f_r)))
            perfect = (m_c == c) & (m_r == r) & (ch == segments)
        else:
            m_c, m_r, ch, c, r = row
            P, R = divide(m_c, c), divide(m_r, r)
            perfect = False
        F = divide(P * R, self.alpha * P + (1.0 - self.alpha) * R)
        penalty = where(perfect, 0.0, self.gamma * power(divide(ch, (m_c + m_r) / 2.0), self.beta))
        matches = {"hyp_matches": m_c, "ref_matches": m_r}
        return F * (1.0 - penalty), {"precision": P, "recall": R, "penalty": penalty, **matches}

    def _weighted_words(self, matches: Sequence[Any]) -> Any:
        """Σₛ wₛ (δ m_s + (1 − δ) f_s) of content words by stage, then function words by stage."""
        content, function = matches[: len(STAGES)], matches[len(STAGES) :]
        terms = zip(self.weights, map(self._weighted_length, map(add, content, function), function), strict=True)
        return sum(w * words for w, words in terms)

    def _weighted_length(self, words: Any, function: Any) -> Any:
        """δ times the content words plus 1 − δ times the function words."""
        return self.delta * (words - function) + (1.0 - self.delta) * function

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        score, factors = self._value_and_factors(row)
        return {"value": score, **factors, **dict(zip(self.columns, row, strict=True))}

    def counted_with(self, name: str) -> Any:
        if name == "language" and self.language != "none":
            Stemmer = load("Stemmer", self.name)
            return f"{self.language},pystemmer{Stemmer.version()}"
        if name == "wordnet" and self._wordnet is not None:
            return f"wordnet-{self._wordnet.digest}"
        if name == "paraphrases" and self._paraphrases is not None:
            return self._paraphrases.digest
        if name == "function_words" and self.function_words is not None:
            return self._function_words[1]
        return super().counted_with(name)

    def settings(self) -> dict[str, Any]:
        stages = {"stem": "language", "synonym": "wordnet", "paraphrase": "paraphrases"}
        there = {stage: name for stage, name in stages.items() if getattr(self, name) not in (None, "none")}
        described = ["exact", *(f"{stage}[{self.counted_with(name)}]" for stage, name in there.items())]
        others = super().settings()
        del others["version"], others["delta"], others["weights"]  # `version` is that of the package
        if self._weighted:
            words = "none" if self.function_words is None else self.counted_with("function_words")
            others |= {"delta": self.delta, "weights": "/".join(map(write, self.weights)), "function_words": words}
        return {"definition": self.version, **self.text_settings(), "stages": "+".join(described), **others}

    def signature_items(self, nrefs: tuple[int, int] | None = None, ids: bool = False) -> dict[str, Any]:
        """The signature as a mapping; token ids only have the exact stage."""
        if not ids:
            return super().signature_items(nrefs)
        exact_only = replace(self, language="none", wordnet=None, paraphrases=None, function_words=None)
        return super(METEOR, exact_only).signature_items(nrefs, ids)


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError("expected text")  # the metric then names the segment
    return text


def _texts(entry: Any) -> list[str]:
    """The references of a segment that are not None; at least one."""
    if not isinstance(entry, list | tuple):
        return [_text(entry)]
    if not (texts := [_text(text) for text in entry if text is not None]):
        raise TypeError("expected a reference")
    return texts
