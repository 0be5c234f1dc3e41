"""Transforms of sentences, by jiwer's names; a pipeline ends with lists of words or of characters.

>>> Compose([ToLowerCase(), RemovePunctuation(), ReduceToListOfListOfWords()])(["Hello, World!"])
[['hello', 'world']]
"""

import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ...errors import InputError, shown

__all__ = [
    "AbstractTransform",
    "Compose",
    "ExpandCommonEnglishContractions",
    "ReduceToListOfListOfChars",
    "ReduceToListOfListOfWords",
    "ReduceToSingleSentence",
    "RemoveEmptyStrings",
    "RemoveKaldiNonWords",
    "RemoveMultipleSpaces",
    "RemovePunctuation",
    "RemoveSpecificWords",
    "RemoveWhiteSpace",
    "Strip",
    "SubstituteRegexes",
    "SubstituteWords",
    "ToLowerCase",
    "ToUpperCase",
]


class AbstractTransform:
    """A transform of one sentence, or of each of a list; subclasses define `process_string`."""

    def __call__(self, sentences: Any) -> Any:
        if isinstance(sentences, str):
            return self.process_string(sentences)
        if isinstance(sentences, list):
            return self.process_list(sentences)
        raise InputError(f"expected a string or a list of strings, got {shown(sentences)}")

    def process_string(self, s: str) -> Any:
        """Transform one sentence."""
        raise NotImplementedError

    def process_list(self, inp: list[str]) -> Any:
        """Transform a list of sentences."""
        return [self.process_string(s) for s in inp]


class Compose:
    """Transforms one after the other."""

    def __init__(self, transforms: Sequence[Callable[[Any], Any]]):
        self.transforms = transforms

    def __call__(self, text: Any) -> Any:
        for transform in self.transforms:
            text = transform(text)
        return text


class BaseRemoveTransform(AbstractTransform):
    """Replace every occurrence of some strings, one string after the other."""

    def __init__(self, tokens_to_remove: Iterable[str], replace_token: str = ""):
        self.tokens_to_remove = tokens_to_remove
        self.replace_token = replace_token

    def process_string(self, s: str) -> str:
        for token in self.tokens_to_remove:
            s = s.replace(token, self.replace_token)
        return s


class _Reduce(AbstractTransform):
    """Cut each sentence into a list; without sentences there is one empty list."""

    def process_list(self, inp: list[str]) -> list[list[str]]:
        return [self.process_string(s)[0] for s in inp] or [[]]


class ReduceToListOfListOfWords(_Reduce):
    """Cut each sentence into words, at a delimiter.

    >>> ReduceToListOfListOfWords()(["hi", "one  two"])
    [['hi'], ['one', 'two']]
    """

    def __init__(self, word_delimiter: str = " "):
        self.word_delimiter = word_delimiter

    def process_string(self, s: str) -> list[list[str]]:
        return [[word for word in s.split(self.word_delimiter) if word]]


class ReduceToListOfListOfChars(_Reduce):
    """Cut each sentence into characters.

    >>> ReduceToListOfListOfChars()("a b")
    [['a', ' ', 'b']]
    """

    def process_string(self, s: str) -> list[list[str]]:
        return [[*s]]


class ReduceToSingleSentence(AbstractTransform):
    """Join all sentences that are not empty into one, so that their numbers need not agree.

    >>> ReduceToSingleSentence()(["one", "", "two three"])
    ['one two three']
    """

    def __init__(self, word_delimiter: str = " "):
        self.word_delimiter = word_delimiter

    def process_string(self, s: str) -> str:
        return s

    def process_list(self, inp: list[str]) -> list[str]:
        kept = [s for s in inp if s]
        return [self.word_delimiter.join(kept)] if kept else []


class SubstituteRegexes(AbstractTransform):
    r"""Replace what matches regular expressions, one expression after the other.

    >>> SubstituteRegexes({r"\b(\w+)ed\b": r"\1"})("loved and edible")
    'lov and edible'
    """

    def __init__(self, substitutions: Mapping[str, str]):
        self.substitutions = substitutions

    def process_string(self, s: str) -> str:
        for pattern, replacement in self.substitutions.items():
            s = re.sub(pattern, replacement, s)
        return s


class SubstituteWords(AbstractTransform):
    """Replace whole words: those with a word boundary on both sides.

    >>> SubstituteWords({"foo": "bar"})("foo foobar")
    'bar foobar'
    """

    def __init__(self, substitutions: Mapping[str, str]):
        self.substitutions = substitutions

    def process_string(self, s: str) -> str:
        for word, replacement in self.substitutions.items():
            s = re.sub(rf"\b{re.escape(word)}\b", replacement, s)
        return s


class RemoveSpecificWords(SubstituteWords):
    """Replace some words by a space; clean up with `RemoveMultipleSpaces` and `Strip`.

    >>> RemoveSpecificWords(["the"])("the apple")
    '  apple'
    """

    def __init__(self, words_to_remove: list[str]):
        super().__init__(dict.fromkeys(words_to_remove, " "))


class RemoveWhiteSpace(BaseRemoveTransform):
    r"""Remove ASCII white space, or replace each character of it by a space.

    >>> RemoveWhiteSpace()("a b\tc"), RemoveWhiteSpace(replace_by_space=True)("a b\tc")
    ('abc', 'a b c')
    """

    def __init__(self, replace_by_space: bool = False):
        super().__init__([*string.whitespace], replace_token=" " if replace_by_space else "")


class _WithoutPunctuation(dict[int, int | None]):
    """A table for `str.translate`, filled as characters occur: jiwer looks at all of Unicode first."""

    def __missing__(self, code: int) -> int | None:
        self[code] = None if unicodedata.category(chr(code)).startswith("P") else code
        return self[code]


class RemovePunctuation(AbstractTransform):
    """Remove all characters of Unicode's categories P*.

    >>> RemovePunctuation()("«this», is it!")
    'this is it'
    """

    _table = _WithoutPunctuation()

    def process_string(self, s: str) -> str:
        return s.translate(self._table)


class RemoveMultipleSpaces(AbstractTransform):
    """Replace each run of two or more white-space characters by a space.

    >>> RemoveMultipleSpaces()("a   b ")
    'a b '
    """

    _runs = re.compile(r"\s\s+")

    def process_string(self, s: str) -> str:
        return self._runs.sub(" ", s)


class Strip(AbstractTransform):
    """Remove white space at both ends."""

    def process_string(self, s: str) -> str:
        return s.strip()


class RemoveEmptyStrings(AbstractTransform):
    """Drop sentences that are empty or white space alone.

    >>> RemoveEmptyStrings()(["", "one", " "])
    ['one']
    """

    def process_string(self, s: str) -> str:
        return s.strip()

    def process_list(self, inp: list[str]) -> list[str]:
        return [s for s in inp if self.process_string(s) != ""]


class ExpandCommonEnglishContractions(AbstractTransform):
    """Write common English contractions in full.

    >>> ExpandCommonEnglishContractions()("she'll make sure you can't")
    'she will make sure you can not'
    """

    #: Whole words first, then endings; the order matters.
    _expansions = (
        ("won't", "will not"),
        ("can't", "can not"),
        ("let's", "let us"),
        ("n't", " not"),
        ("'re", " are"),
        ("'s", " is"),
        ("'d", " would"),
        ("'ll", " will"),
        ("'t", " not"),
        ("'ve", " have"),
        ("'m", " am"),
    )

    def process_string(self, s: str) -> str:
        if "'" in s:
            for contraction, words in self._expansions:
                s = s.replace(contraction, words)
        return s


class ToLowerCase(AbstractTransform):
    """Lower-case every character."""

    def process_string(self, s: str) -> str:
        return s.lower()


class ToUpperCase(AbstractTransform):
    """Upper-case every character."""

    def process_string(self, s: str) -> str:
        return s.upper()


class RemoveKaldiNonWords(AbstractTransform):
    """Remove what stands in square or angle brackets, such as `[laugh]` and `<unk>`.

    >>> RemoveKaldiNonWords()("you <unk> like [laugh]")
    'you  like '
    """

    _brackets = re.compile(r"[<\[][^>\]]*[>\]]")

    def process_string(self, s: str) -> str:
        return self._brackets.sub("", s)
