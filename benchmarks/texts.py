"""Text to measure on: made here from a seed, with the statistics of translated news, or read from files.

A hidden text is drawn from a Zipfian vocabulary of made-up words. Every reference, and the hypothesis, is the
hidden text with words replaced, dropped, inserted and swapped, so that they differ from one another as the
real ones do: BLEU is about 29 with one reference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tricolore

Ids = NDArray[np.int64]

SMALL, LARGE, CHINESE, LONG = 3_000, 100_000, 2_000, 5_000

# What a word can look like in running text, and how often.
FORMS = ("{}", "{},", '"{}"', "“{}”", "({})", "{}:", "{};", "{} –")
FORM_WEIGHTS = (0.901, 0.06, 0.015, 0.004, 0.008, 0.005, 0.003, 0.004)
ENDINGS = (".", ".", ".", ".", ".", ".", ".", ".", "?", "!", '."', "")

ONSETS = [*"bcdfghjklmnprstvwy", "br", "ch", "pr", "st", "th", "tr"]
NUCLEI = ["a", "e", "i", "o", "u", "a", "e", "i", "o", "a", "e", "ea", "ou"]
CODAS = ["", "", "", "", "", "", "l", "m", "n", "n", "r", "r", "s", "t", "st"]


@dataclass(frozen=True)
class Corpus:
    """Hypotheses and references: `refs[i]` holds the references of segment i."""

    hyps: list[str]
    refs: list[list[str]]

    def __len__(self) -> int:
        return len(self.hyps)

    @property
    def streams(self) -> list[list[str]]:
        """The references as sacreBLEU takes them: one list for each reference file."""
        return [list(stream) for stream in zip(*self.refs, strict=True)]

    def with_references(self, number: int) -> Corpus:
        """Return the same corpus with the first references only."""
        return Corpus(self.hyps, [refs[:number] for refs in self.refs])

    def where(self, keep: Callable[[str], bool]) -> Corpus:
        """Return the segments whose hypothesis is to be kept."""
        kept = [i for i, hyp in enumerate(self.hyps) if keep(hyp)]
        return Corpus([self.hyps[i] for i in kept], [self.refs[i] for i in kept])

    def tokenized(self) -> Corpus:
        """Return the corpus as ready tokens with single spaces between them."""
        return Corpus([*map(_tokenized, self.hyps)], [[*map(_tokenized, refs)] for refs in self.refs])


def english_like(segments: int, references: int = 4, seed: int = 20_02) -> Corpus:
    """Words with spaces: about 21 words and 129 characters a segment."""
    return _corpus(Language.english_like(seed), segments, references)


def chinese_like(segments: int = CHINESE, references: int = 1, seed: int = 20_05) -> Corpus:
    """Chinese characters without spaces: about 31 characters a segment."""
    return _corpus(Language.chinese_like(seed), segments, references)


def long_segment(words: int = LONG) -> Corpus:
    """One segment of many words, hypothesis and reference drifting apart."""
    corpus = english_like(words // 10, references=1)
    hyp = " ".join(corpus.hyps).split()[:words]
    ref = " ".join(refs[0] for refs in corpus.refs).split()[:words]
    return Corpus([" ".join(hyp)], [[" ".join(ref)]])


def read(hypothesis: Path, references: list[Path]) -> Corpus:
    """Read real files, one segment a line."""
    hyps, *streams = [_lines(path) for path in (hypothesis, *references)]
    for path, stream in zip(references, streams, strict=True):
        if len(stream) != len(hyps):
            raise SystemExit(f"{path} has {len(stream)} lines, but {hypothesis} has {len(hyps)}")
    return Corpus(hyps, [list(refs) for refs in zip(*streams, strict=True)])


def write(corpus: Corpus, folder: Path) -> tuple[Path, list[Path]]:
    """Write a corpus to files; return the hypothesis and the references."""
    named = {"hyp": corpus.hyps} | {f"ref{k}": stream for k, stream in enumerate(corpus.streams)}
    for name, texts in named.items():
        (folder / name).write_text("".join(text + "\n" for text in texts), encoding="utf-8", newline="\n")
    hyp, *refs = [folder / name for name in named]
    return hyp, refs


def _tokenized(text: str) -> str:
    return " ".join(tricolore.tokenize(text))


def _lines(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\r\n") for line in file]


@dataclass(frozen=True)
class Language:
    """A vocabulary of surface forms with probabilities, and how segments are put together."""

    rng: np.random.Generator
    surfaces: NDArray[np.object_]
    cumulative: NDArray[np.float64]
    mean_length: float
    edits: float  #: share of positions at which a text differs from the hidden one
    join: Callable[[list[str], int], str]

    @classmethod
    def english_like(cls, seed: int) -> Language:
        """30,000 pronounceable words."""
        rng = np.random.default_rng(seed)
        words = _words(rng, 30_000)
        surfaces = np.array([form.format(word) for word in words for form in FORMS], dtype=object)
        weights = np.outer(_zipf(len(words)), FORM_WEIGHTS).ravel()
        return cls(rng, surfaces, _cumulative(weights), 21.5, 0.270, _sentence)

    @classmethod
    def chinese_like(cls, seed: int) -> Language:
        """3,500 characters, punctuation, and a few numbers and Latin words."""
        rng = np.random.default_rng(seed)
        characters = [chr(0x4E00 + int(c)) for c in rng.permutation(20_000)[:3_500]]
        weights = 0.89 * _zipf(len(characters))
        others = {"，": 0.05, "、": 0.01, "“": 0.005, "”": 0.005, "：": 0.005}
        rare = [*_words(rng, 100), *(str(n) for n in range(2, 100)), "3.5%", "1,200"]
        surfaces = np.array([*characters, *others, *rare], dtype=object)
        weights = np.concatenate([weights, list(others.values()), [0.02 / len(rare)] * len(rare)])
        return cls(rng, surfaces, _cumulative(weights), 30.0, 0.25, _chinese_sentence)

    def draw(self, number: int) -> Ids:
        """Draw words."""
        return np.searchsorted(self.cumulative, self.rng.random(number))

    def lengths(self, segments: int) -> Ids:
        """Log-normal lengths; the longest of many is a few hundred words."""
        sigma = 0.75
        mu = np.log(self.mean_length) - sigma**2 / 2
        return np.clip(np.rint(self.rng.lognormal(mu, sigma, segments)), 1, 400).astype(np.int64)

    def edited(self, words: Ids, segment: Ids) -> tuple[Ids, Ids]:
        """Replace, drop, insert and swap words; `segment` says which segment a word belongs to."""
        words = words.copy()
        u = self.rng.random(len(words)) / self.edits
        replaced = u < 0.55
        words[replaced] = self.draw(int(replaced.sum()))
        same = segment[:-1] == segment[1:]
        left = np.flatnonzero((u[:-1] >= 0.55) & (u[:-1] < 0.63) & same)
        words[left], words[left + 1] = words[left + 1], words[left]
        starts = np.r_[True, ~same]
        times = np.ones(len(words), dtype=np.int64)
        times[(u >= 0.63) & (u < 0.82) & ~starts] = 0
        times[(u >= 0.82) & (u < 1.0)] = 2
        kept = np.repeat(np.arange(len(words)), times)
        inserted = np.r_[False, kept[1:] == kept[:-1]]
        words = words[kept]
        words[inserted] = self.draw(int(inserted.sum()))
        return words, segment[kept]

    def texts(self, words: Ids, segment: Ids, segments: int) -> list[str]:
        """Write out the segments."""
        surfaces = self.surfaces[words].tolist()
        ends = np.cumsum(np.bincount(segment, minlength=segments)).tolist()
        return [self.join(surfaces[a:b], i) for i, (a, b) in enumerate(zip([0, *ends[:-1]], ends, strict=True))]


def _corpus(language: Language, segments: int, references: int) -> Corpus:
    segment = np.repeat(np.arange(segments), language.lengths(segments))
    hidden = language.draw(len(segment))
    hyps, *streams = [language.texts(*language.edited(hidden, segment), segments) for _ in range(references + 1)]
    return Corpus(hyps, [list(refs) for refs in zip(*streams, strict=True)])


def _sentence(words: list[str], i: int) -> str:
    text = " ".join(words).rstrip(",:; –")
    return text[:1].upper() + text[1:] + ENDINGS[i * 7 % len(ENDINGS)]


def _chinese_sentence(characters: list[str], i: int) -> str:
    return "".join(characters).rstrip("，、：") + ("？" if i % 12 == 0 else "。")


def _zipf(size: int) -> NDArray[np.float64]:
    weights = 1.0 / (np.arange(size) + 2.7) ** 1.05
    return weights / weights.sum()


def _cumulative(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    cumulative = np.cumsum(weights / weights.sum())
    cumulative[-1] = 1.0
    return cumulative


def _words(rng: np.random.Generator, size: int) -> list[str]:
    """Different made-up words, the frequent ones short; names, numbers and joined words among the others."""
    words: dict[str, None] = {}
    while len(words) < size:
        words.setdefault(_word(rng, len(words)))
    return list(words)


def _word(rng: np.random.Generator, rank: int) -> str:
    if rank > 40 and rng.random() < 0.04:
        return _number(rng)
    word = "".join(_syllable(rng) for _ in range(_syllables(rng, rank)))
    kind = rng.random()
    if rank > 150 and kind < 0.15:
        return word.capitalize()
    if kind < 0.17:
        return word + str(rng.choice(["'s", "n't"]))
    if rank > 150 and kind < 0.20:
        return f"{word}-{_syllable(rng)}{_syllable(rng)}"
    if rank > 150 and kind < 0.21:
        return word.replace("e", "é").replace("u", "ü") + str(rng.choice(["", "’s"]))
    return word


def _syllables(rng: np.random.Generator, rank: int) -> int:
    if rank < 150:
        return 1
    return int(rng.integers(1, 3) if rank < 6_000 else rng.integers(2, 4))


def _syllable(rng: np.random.Generator) -> str:
    return "".join(part[int(rng.integers(len(part)))] for part in (ONSETS, NUCLEI, CODAS))


def _number(rng: np.random.Generator) -> str:
    n = int(rng.integers(1, 2_000))
    forms = (f"{n}", f"{n / 20:.2f}", f"{n * 50:,}", f"{n % 100}%", f"${n % 90}", f"{1950 + n % 75}")
    return forms[int(rng.integers(len(forms)))]
