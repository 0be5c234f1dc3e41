"""Damage to words: graded, seeded, and independent of the language.

Each word gets a random number once; it is damaged if that is below the share asked for. So what is damaged at 1 % is
damaged at 2 %, too. Where a kind of damage applies to some words only, such as digits, the share is one of those words.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

#: Words that negate, in a few languages; `n't` at the end of a word counts, too.
NEGATIONS = (
    *("no", "not", "never", "nothing", "nobody", "none", "neither", "nor", "cannot"),
    *("nicht", "kein", "keine", "keinen", "keinem", "keiner", "keines", "nie", "niemand", "nichts"),
    *("ne", "pas", "non", "jamais", "rien", "nunca", "nada", "ningún", "mai", "niente", "não"),
    *("не", "нет", "ни", "никогда", "ei", "eivät", "ikke", "inte", "niet", "geen", "nie"),
)

#: Words of a window in which they are shuffled.
WINDOW = 4


@dataclass(frozen=True)
class Wounds:
    """What damage a segment is to suffer: its words, which are hit, and a random number for each."""

    words: list[str]
    hit: list[bool]
    pick: list[float]  #: from 0 to 1, one per word, the same at every share
    share: float
    vocabulary: Sequence[str]
    source: list[str] | None

    def word(self, i: int) -> str:
        """A word of the system's outputs, drawn at random for the word of this number."""
        return self.vocabulary[int(self.pick[i] * len(self.vocabulary))]

    @property
    def span(self) -> int:
        """How many words a stretch of the text has that is damaged as a whole."""
        return round(self.share * len(self.words))


def _drop(of: Wounds) -> list[str]:
    return [word for word, hit in zip(of.words, of.hit, strict=True) if not hit]


def _repeat(of: Wounds) -> list[str]:
    return [each for word, hit in zip(of.words, of.hit, strict=True) for each in ([word, word] if hit else [word])]


def _insert(of: Wounds) -> list[str]:
    return [each for i, word in enumerate(of.words) for each in ([word, of.word(i)] if of.hit[i] else [word])]


def _swap(of: Wounds) -> list[str]:
    words, i = [*of.words], 0
    while i + 1 < len(words):
        if of.hit[i]:
            words[i], words[i + 1] = words[i + 1], words[i]
            i += 1
        i += 1
    return words


def _shuffle(of: Wounds) -> list[str]:
    words = [*of.words]
    for first in range(0, len(words), WINDOW):
        if of.hit[first]:
            places = range(first, min(first + WINDOW, len(words)))
            words[first : first + WINDOW] = [of.words[i] for i in sorted(places, key=lambda i: of.pick[i])]
    return words


def _reverse(of: Wounds) -> list[str]:
    words, span = of.words, of.span
    first = int(of.pick[0] * (len(words) - span + 1)) if words else 0
    return [*words[:first], *reversed(words[first : first + span]), *words[first + span :]]


def _truncate(of: Wounds) -> list[str]:
    return of.words[: len(of.words) - of.span]


def _pad(of: Wounds) -> list[str]:
    return [*of.words, *(of.word(i) for i in range(of.span))]


def _copy(of: Wounds) -> list[str]:
    return of.source if of.source is not None and of.hit[:1] == [True] else of.words


def _by_word(change: Callable[[Wounds, int], str]) -> Callable[[Wounds], list[str]]:
    """Damage that replaces single words; spaces after a word are kept."""

    def damaged(spaced: Wounds) -> list[str]:
        words: list[str] = []
        of = replace(spaced, words=[word.rstrip() for word in spaced.words])
        for i, word in enumerate(spaced.words):
            parts = change(of, i).split() if of.hit[i] else [word]
            if of.hit[i] and parts:
                parts[-1] += word[len(word.rstrip()) :]
            words += parts
        return words

    return damaged


def _case(of: Wounds, i: int) -> str:
    return of.words[i].swapcase()


def _punctuation(of: Wounds, i: int) -> str:
    return "".join(c for c in of.words[i] if not _is_punctuation(c))


def _digits(of: Wounds, i: int) -> str:
    turned = 1 + int(of.pick[i] * 9)
    return "".join(str((int(c) + turned) % 10) if c in "0123456789" else c for c in of.words[i])


def _letters(of: Wounds, i: int) -> str:
    word = of.words[i]
    at = int(of.pick[i] * (len(word) - 1))
    different = [k for k in (*range(at, len(word) - 1), *range(at)) if word[k] != word[k + 1]]
    k = different[0]
    return word[:k] + word[k + 1] + word[k] + word[k + 2 :]


def _suffix(of: Wounds, i: int) -> str:
    word, other = of.words[i], of.word(i).rstrip()
    return word[:-2] + (other[-2:] if other[-2:] != word[-2:] else "")


def _split(of: Wounds, i: int) -> str:
    word = of.words[i]
    at = 2 + int(of.pick[i] * (len(word) - 3))
    return f"{word[:at]} {word[at:]}"


def _join(of: Wounds) -> list[str]:
    words: list[str] = []
    joins = False
    for word, hit in zip(of.words, of.hit, strict=True):
        if joins:
            words[-1] += word
        else:
            words.append(word)
        joins = hit
    return words


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] == "P"


#: What each kind of damage does.
KINDS: dict[str, Callable[[Wounds], list[str]]] = {
    "drop": _drop,
    "repeat": _repeat,
    "insert": _insert,
    "swap": _swap,
    "shuffle": _shuffle,
    "reverse": _reverse,
    "truncate": _truncate,
    "pad": _pad,
    "copy": _copy,
    "case": _by_word(_case),
    "punctuation": _by_word(_punctuation),
    "digits": _by_word(_digits),
    "letters": _by_word(_letters),
    "suffix": _by_word(_suffix),
    "split": _by_word(_split),
    "join": _join,
    "negation": _drop,
}

#: Words to which a kind of damage applies, where these are not all.
APPLIES: dict[str, Callable[[str], bool]] = {
    "case": lambda word: word.swapcase() != word,
    "punctuation": lambda word: any(map(_is_punctuation, word)),
    "digits": lambda word: any(c in "0123456789" for c in word),
    "letters": lambda word: len({*word.rstrip()}) > 1 and word.rstrip().isalpha(),
    "suffix": lambda word: len(word.rstrip()) > 3 and word.rstrip().isalpha(),
    "split": lambda word: len(word.rstrip()) > 3,
}


def negates(words: Sequence[str]) -> Callable[[str], bool]:
    """Whether a word is one of those that negate, whatever its case and the punctuation around it."""
    known = {word.casefold() for word in words}

    def is_negation(word: str) -> bool:
        bare = "".join(c for c in word.strip().casefold() if not _is_punctuation(c) or c in "'’").strip("'’")
        return bare in known or bare.replace("’", "'").endswith("n't")

    return is_negation


@dataclass(frozen=True, eq=False)
class Damage:
    """Damage of one kind to the segments of a text, at any share; the same words are hit for the same seed."""

    kind: str
    segments: Sequence[Sequence[str]]
    seed: int
    sources: Sequence[Sequence[str]] | None = None
    negations: Sequence[str] = NEGATIONS

    def damaged(self, share: float) -> list[list[str]]:
        """The words of all segments, damaged at a share."""
        draw = Random(f"{self.seed}/{self.kind}")
        applies = negates(self.negations) if self.kind == "negation" else APPLIES.get(self.kind)
        vocabulary = [word for words in self.segments for word in words] or [""]
        change = KINDS[self.kind]
        found = []
        for number, words in enumerate(self.segments):
            chance, pick = ([draw.random() for _ in words] for _ in range(2))
            if self.kind == "shuffle":  # a window is hit as a whole
                chance = [chance[i - i % WINDOW] for i in range(len(words))]
            hit = [x < share and (applies is None or applies(word)) for x, word in zip(chance, words, strict=True)]
            source = None if self.sources is None else [*self.sources[number]]
            found.append(change(Wounds([*words], hit, pick, share, vocabulary, source)))
        return found

    def applicable(self) -> int:
        """How many words this kind of damage applies to."""
        applies = negates(self.negations) if self.kind == "negation" else APPLIES.get(self.kind, lambda _: True)
        return sum(applies(word) for words in self.segments for word in words)
