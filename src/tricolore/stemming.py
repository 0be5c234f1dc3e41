"""Stemming: words to stems, with stemmers from optional packages."""

from collections.abc import Iterable

from .errors import MissingExtraError


class Porter:
    """Porter's stemmer for English (1980), in the version that NLTK uses by default.

    It stems words of more than three characters that are all a-z, A-Z or 0-9, as ROUGE does, and leaves others as they
    are. Suffixes are known in lower case only. Every word is stemmed once and then remembered.

    >>> Porter().stems(["Translations", "were", "scored", "überall", "the"])
    ['Translat', 'were', 'score', 'überall', 'the']
    """

    def __init__(self) -> None:
        try:
            import nltk
            from nltk.stem.porter import PorterStemmer
        except ImportError as error:
            raise MissingExtraError("stemming needs nltk: pip install 'tricolore[nltk]'") from error
        self.signature = f"porter-nltk{nltk.__version__}"
        self._stemmer = PorterStemmer()
        self._known: dict[str, str] = {}

    def stems(self, words: Iterable[str]) -> list[str]:
        """Stem each of the words."""
        known = self._known
        return [known.get(word) or self._learn(word) for word in words]

    def _learn(self, word: str) -> str:
        stem = word
        if len(word) > 3 and word.isascii() and word.isalnum():
            stem = str(self._stemmer.stem(word, to_lowercase=False))
        self._known[word] = stem
        return stem
