"""A paraphrase table: pairs of phrases, of one or more words, with the same meaning."""

from collections.abc import Callable, Iterator, Sequence

from ..errors import InputError
from ..readers import read_lines
from ..readers.recognise import COLUMNS

Phrase = tuple[str, ...]


class Paraphrases:
    """The paraphrases of a file with lines `phrase<TAB>paraphrase`; further columns and empty lines are ignored.

    Pairs apply in both directions. Phrases are tokenised as texts are. `digest` is a short digest of the file.
    """

    def __init__(self, path: str, words_of: Callable[[str], list[str]]):
        from hashlib import sha256

        lines = read_lines(path, "paraphrases: a phrase, a tab and a paraphrase per line", [COLUMNS])
        self.digest = sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()[:12]
        self._of: dict[Phrase, list[Phrase]] = {}
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            columns = line.split("\t")
            if len(columns) < 2:
                raise InputError(f"{path}: line {number}: expected a phrase, a tab and a paraphrase, got {line!r:.60}")
            a, b = tuple(words_of(columns[0])), tuple(words_of(columns[1]))
            if not a or not b:
                raise InputError(f"{path}: line {number}: a phrase has no words: {line!r:.60}")
            if a != b:
                self._of.setdefault(a, []).append(b)
                self._of.setdefault(b, []).append(a)
        self._longest = max(map(len, self._of), default=0)

    def pairs(self, hypothesis: Sequence[str], reference: Sequence[str]) -> Iterator[tuple[Phrase, Phrase]]:
        """Yield the phrases of the hypothesis that have a paraphrase in the reference, with the paraphrase."""
        there = None
        for phrase in dict.fromkeys(self._spans(hypothesis)):
            if phrase in self._of:
                there = set(self._spans(reference)) if there is None else there
                for paraphrase in self._of[phrase]:
                    if paraphrase in there:
                        yield phrase, paraphrase

    def _spans(self, words: Sequence[str]) -> Iterator[Phrase]:
        for begin in range(len(words)):
            for end in range(begin + 1, min(len(words), begin + self._longest) + 1):
                yield tuple(words[begin:end])
