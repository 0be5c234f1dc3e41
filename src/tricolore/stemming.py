"""Porter's stemmer for English (1980), with the changes that NLTK makes to it by default; it is in the core."""

from collections.abc import Iterable

from . import _native

#: As signatures name it.
PORTER = "porter-nltk"
#: Words to be remembered at a time.
MOST_KNOWN = 100_000


class Porter:
    """Stems words of more than three characters that are all a-z, A-Z or 0-9, as ROUGE does, and leaves others alone.

    Suffixes are known in lower case only. Every word is stemmed once and then remembered.

    >>> Porter().stems(["Translations", "were", "scored", "überall", "the"])
    ['Translat', 'were', 'score', 'überall', 'the']
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def stems(self, words: Iterable[str]) -> list[str]:
        """Stem each of the words."""
        known = self._known
        return [known.get(word) or self._learn(word) for word in words]

    def _learn(self, word: str) -> str:
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        stem = self._known[word] = porter_stem(word)
        return stem


def porter_stem(word: str) -> str:
    """The stem of one word.

    >>> porter_stem("relational"), porter_stem("flies")
    ('relat', 'fli')
    """
    return _native.porter_stem(word) if len(word) > 3 and word.isascii() and word.isalnum() else word
