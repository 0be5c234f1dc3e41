"""N-grams of words and of characters, counted as sacreBLEU's functions of these names count them."""

from __future__ import annotations

from collections import Counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def extract_all_word_ngrams(line: str, min_order: int, max_order: int) -> tuple[Counter[tuple[str, ...]], int]:
    """The word n-grams of several orders, as tuples, and the number of words."""
    words = line.split()
    found: Counter[tuple[str, ...]] = Counter()
    for n in range(min_order, max_order + 1):
        found.update(zip(*(words[i:] for i in range(n)), strict=False))
    return found, len(words)


def extract_word_ngrams(tokens: Sequence[str], n: int) -> Counter[str]:
    """The word n-grams of one order, as strings.

    >>> extract_word_ngrams(["a", "b", "a", "b"], 2)
    Counter({'a b': 2, 'b a': 1})
    """
    return Counter(" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """The character n-grams of one order.

    >>> extract_char_ngrams("a bb", 2)
    Counter({'ab': 1, 'bb': 1})
    """
    text = line if include_whitespace else "".join(line.split())
    return Counter(text[i : i + n] for i in range(len(text) - n + 1))


def extract_all_char_ngrams(line: str, max_order: int, include_whitespace: bool = False) -> list[Counter[str]]:
    """The character n-grams of each order."""
    return [extract_char_ngrams(line, n, include_whitespace) for n in range(1, max_order + 1)]
