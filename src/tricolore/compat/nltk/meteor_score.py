"""METEOR as NLTK computes it: exact words, then stems, then synonyms, each matched from the end of the text."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache, partial
from itertools import pairwise
from typing import Any

from ... import _native
from ...errors import InputTypeError, MissingExtraError

__all__ = ["align_words", "exact_match", "meteor_score", "single_meteor_score", "stem_match", "wordnetsyn_match"]

Words = list[tuple[int, str]]  #: words with their positions
Matched = tuple[list[tuple[int, int]], Words, Words]


def meteor_score(
    references: Iterable[Iterable[str]],
    hypothesis: Iterable[str],
    preprocess: Callable[[str], str] = str.lower,
    stemmer: Any = None,
    wordnet: Any = None,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> float:
    """METEOR with the reference that scores best; `stemmer` and `wordnet` are NLTK's unless given."""
    return max(
        single_meteor_score(reference, hypothesis, preprocess, stemmer, wordnet, alpha, beta, gamma)
        for reference in references
    )


def single_meteor_score(
    reference: Iterable[str],
    hypothesis: Iterable[str],
    preprocess: Callable[[str], str] = str.lower,
    stemmer: Any = None,
    wordnet: Any = None,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> float:
    """(1 − γ (chunks / matches)^β) · P R / (α P + (1 − α) R); 0 without a match."""
    stem, memo = (_porter_stem, _STEMS) if stemmer is None else (stemmer.stem, None)
    lower = preprocess if preprocess is str.lower else None  # which the core applies to lists
    if not lower or not isinstance(hypothesis, list) or not isinstance(reference, list):
        _refuse_text(hypothesis, reference)
        hypothesis, reference = [*map(preprocess, hypothesis)], [*map(preprocess, reference)]
        lower = None
    found = _native.match_words(hypothesis, reference, lower, stem, memo)
    if found is None:
        if lower:
            hypothesis, reference = [*map(str.lower, hypothesis)], [*map(str.lower, reference)]
        pairs = _aligned([*enumerate(hypothesis)], [*enumerate(reference)], stemmer, wordnet)[0]
        matches, chunks = len(pairs), _chunks(pairs)
    else:
        matches, chunks, hyp_left, ref_left, places, hyp_at, ref_at = found
        if hyp_left and ref_left and (not wordnet or any(map(wordnet.synsets, hyp_left))):
            hyp, ref = [*zip(hyp_at, hyp_left, strict=True)], [*zip(ref_at, ref_left, strict=True)]
            matches, chunks = _with_synonyms(places, hyp, ref, wordnet)
    if not matches:
        return 0.0
    precision, recall = matches / len(hypothesis), matches / len(reference)
    mean = (precision * recall) / (alpha * precision + (1 - alpha) * recall)
    return float((1 - gamma * (chunks / matches) ** beta) * mean)


def _with_synonyms(places: list[int], hyp: Words, ref: Words, wordnet: Any) -> tuple[int, int]:
    """Matches and chunks when synonyms are matched, too; `places` are those of what is matched already."""
    for i, j in _match_synonyms(hyp, ref, wordnet)[0]:
        places[i] = j
    matches = [(i, j) for i, j in enumerate(places) if j >= 0]
    return len(matches), _chunks(matches)


def exact_match(hypothesis: Iterable[str], reference: Iterable[str]) -> Matched:
    """Match equal words; return pairs of positions, and the words left of both."""
    return _match(*_enumerated(hypothesis, reference, str.lower))


def stem_match(hypothesis: Iterable[str], reference: Iterable[str], stemmer: Any = None) -> Matched:
    """Match words of equal stems; what is left are stems."""
    return _match_stems(*_enumerated(hypothesis, reference, str.lower), stemmer)


def wordnetsyn_match(hypothesis: Iterable[str], reference: Iterable[str], wordnet: Any = None) -> Matched:
    """Match words of which one is a synonym of the other in WordNet."""
    return _match_synonyms(*_enumerated(hypothesis, reference, str.lower), wordnet)


def align_words(
    hypothesis: Iterable[str], reference: Iterable[str], stemmer: Any = None, wordnet: Any = None
) -> Matched:
    """Match equal words, then stems, then synonyms; pairs are sorted."""
    return _aligned(*_enumerated(hypothesis, reference, str.lower), stemmer, wordnet)


def _enumerated(
    hypothesis: Iterable[str], reference: Iterable[str], preprocess: Callable[[str], str]
) -> tuple[Words, Words]:
    _refuse_text(hypothesis, reference)
    return [*enumerate(map(preprocess, hypothesis))], [*enumerate(map(preprocess, reference))]


def _refuse_text(hypothesis: Iterable[str], reference: Iterable[str]) -> None:
    for what, text in (("hypothesis", hypothesis), ("reference", reference)):
        if isinstance(text, str):
            raise InputTypeError(f"{what}: expected a list of tokens, got the string {text[:40]!r}")


def _aligned(hyp: Words, ref: Words, stemmer: Any, wordnet: Any) -> Matched:
    equal, hyp, ref = _match(hyp, ref)
    stems, hyp, ref = _match_stems(hyp, ref, stemmer)
    synonyms, hyp, ref = _match_synonyms(hyp, ref, wordnet)
    return sorted(equal + stems + synonyms, key=lambda pair: pair[0]), hyp, ref


def _match(hyp: Words, ref: Words, forms: Callable[[str], Iterable[str]] | None = None) -> Matched:
    """Match each word, from the last, with the last free word of the reference that is equal or one of its forms."""
    places: dict[str, list[int]] = {}
    for j, (_, word) in enumerate(ref):
        places.setdefault(word, []).append(j)
    pairs, used_hyp, used_ref = [], set(), set()
    i = len(hyp)
    for at, word in reversed(hyp):
        i -= 1
        those = places.get(word)
        if forms:
            for form in forms(word):
                if (other := places.get(form)) and (not those or other[-1] > those[-1]):
                    those = other
        if those:
            j = those.pop()
            used_hyp.add(i)
            used_ref.add(j)
            pairs.append((at, ref[j][0]))
    if not pairs:
        return [], hyp, ref
    left_hyp = [pair for i, pair in enumerate(hyp) if i not in used_hyp]
    return pairs, left_hyp, [pair for j, pair in enumerate(ref) if j not in used_ref]


def _match_stems(hyp: Words, ref: Words, stemmer: Any) -> Matched:
    stem = _porter_stem if stemmer is None else stemmer.stem
    return _match([(i, stem(word)) for i, word in hyp], [(j, stem(word)) for j, word in ref])


def _match_synonyms(hyp: Words, ref: Words, wordnet: Any) -> Matched:
    if not hyp or not ref:  # nothing to look up
        return [], hyp, ref
    return _match(hyp, ref, partial(_synonyms, wordnet) if wordnet else _nltk_synonyms)


def _synonyms(database: Any, word: str) -> list[str]:
    """Words that share a synset with this one."""
    synsets = database.synsets(word)
    return [name for synset in synsets for lemma in synset.lemmas() if "_" not in (name := lemma.name())]


@lru_cache(maxsize=100_000)
def _nltk_synonyms(word: str) -> tuple[str, ...]:
    """The same by NLTK's WordNet, each once: looking a word up takes longer than all else here."""
    return tuple({*_synonyms(_nltk_wordnet(), word)})


_STEMS: dict[str, str] = {}  #: of words, which the core remembers and forgets


@lru_cache(maxsize=100_000)
def _porter_stem(word: str) -> str:
    """The stem by NLTK's default stemmer; the core knows those of ASCII words."""
    return _native.porter_stem(word.lower()) if word.isascii() else str(_nltk_stemmer().stem(word))


@cache
def _nltk_stemmer() -> Any:
    try:
        from nltk.stem.porter import PorterStemmer
    except ImportError as error:
        raise MissingExtraError("METEOR of other than ASCII words needs nltk: pip install 'tricolore[nltk]'") from error
    return PorterStemmer()


def _nltk_wordnet() -> Any:
    try:
        from nltk.corpus import wordnet
    except ImportError as error:
        raise MissingExtraError("METEOR needs nltk: pip install 'tricolore[nltk]'") from error
    return wordnet


def _chunks(matches: Sequence[tuple[int, int]]) -> int:
    """Runs of matches that are adjacent in both texts."""
    return 1 + sum((h + 1, r + 1) != after for (h, r), after in pairwise(matches))
