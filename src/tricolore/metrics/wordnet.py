"""A WordNet folder: the senses of a word, through its base forms.

A sense is a synset: a part of speech and a number. The base forms of an inflected word come from the exception lists
(`noun.exc` and so on); for other words, the endings of a part of speech are replaced by its rules, if the result is a
word of WordNet.
"""

import os
from functools import lru_cache

from ..errors import InputError
from ..numbers import whole
from ..readers import read_text

pass

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")

#: Endings and their replacements.
ENDINGS = {
    "noun": (
        ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
        ("ies", "y"),
    ),
    "verb": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip


class WordNet:
    """The words of a WordNet folder. `digest` is a short digest of the files."""

    def __init__(self, folder: str):
        from hashlib import sha256

        read = sha256()
        #: By part of speech: the synsets of each word, and the base forms of each exception.
        self._synsets: dict[str, dict[str, list[int]]] = {}
        self._exceptions: dict[str, dict[str, list[str]]] = {}
        for part, name in enumerate(PARTS_OF_SPEECH):
            index, exceptions = os.path.join(folder, f"index.{name}"), os.path.join(folder, f"{name}.exc")
            texts = read_text(index), read_text(exceptions)
            read.update("".join(texts).encode())
            self._synsets[name] = _read_index(texts[0], index, part)
            self._exceptions[name] = _read_exceptions(texts[1], exceptions)
        self.digest = read.hexdigest()[:12]
        self.senses = lru_cache(maxsize=1 << 16)(self._senses)

    def _senses(self, word: str) -> tuple[int, ...]:
        """Return the senses of a word and of its base forms, in any part of speech."""
        found: set[int] = set()
        for part in PARTS_OF_SPEECH:
            synsets = self._synsets[part]
            for form in (word, *self.base_forms(word, part)):
                found.update(synsets.get(form, ()))
        return tuple(sorted(found))

    def base_forms(self, word: str, part: str) -> list[str]:
        """Return the base forms of a word as one part of speech, if it is an inflected form there."""
        exceptions = self._exceptions[part].get(word)
        if exceptions is not None:
            return exceptions
        ending = ""
        if part == "noun":
            if word.endswith("ful"):  # boxesful
                word, ending = word.removesuffix("ful"), "ful"
            elif word.endswith("ss") or len(word) <= 2:
                return []
        forms = [word.removesuffix(old) + new + ending for old, new in ENDINGS[part] if word.endswith(old)]
        return [form for form in forms if form in self._synsets[part]]


def _read_index(text: str, path: str, part: int) -> dict[str, list[int]]:
    """Read `lemma pos synsets pointers [pointer...] senses tagged offset...`; the licence is indented."""
    words: dict[str, list[int]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line or line.startswith("  "):
            continue
        fields = line.split()
        try:
            count = whole(fields[2])
            offsets = fields[6 + whole(fields[3]) :]
            if count != len(offsets):
                raise ValueError
            words[fields[0]] = [4 * whole(offset) + part for offset in offsets]
        except (ValueError, IndexError):
            raise InputError(f"{path}: line {number}: invalid line of a WordNet index: {line!r:.60}") from None
    return words


def _read_exceptions(text: str, path: str) -> dict[str, list[str]]:
    """Read `inflected base...`."""
    forms: dict[str, list[str]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        fields = line.split()
        if len(fields) == 1:
            raise InputError(f"{path}: line {number}: expected a word and its base forms, got {line!r:.60}")
        if fields:
            forms.setdefault(fields[0], []).extend(fields[1:])
    return forms
