"""Checks of what NLTK's functions take: lists of tokens, and lists of those."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from ...errors import InputError, InputTypeError
from ..strictness import lenient, refuse_text
from ..token_texts import CHARACTERS, WORDS, joined, lettered

Tokens = Sequence[Any]
#: Tokenizers of the core by name.
TOKENIZERS = {WORDS: "none", CHARACTERS: "char"}
_LISTS = {list}


def check_pair(references: Sequence[Tokens], hypothesis: Tokens) -> None:
    """Reject strings where lists of tokens belong: NLTK takes their characters for words."""
    if type(hypothesis) is type(references) is list and {*map(type, references)} <= _LISTS:
        return
    refuse_text(hypothesis, "hypothesis", "a list of tokens")
    refuse_text(references, "references", "a list of references, each a list of tokens")
    _check_sized(hypothesis, "hypothesis: expected a list of tokens")
    _check_sized(references, "references: expected a list of lists of tokens")
    for number, reference in enumerate(references):
        refuse_text(reference, "references", "lists of tokens")
        _check_sized(reference, f"reference {number}: expected a list of tokens")


def _check_sized(value: object, expected: str) -> None:
    if not hasattr(value, "__len__"):
        raise InputTypeError(f"{expected}, got {type(value).__name__}")


def listed(given: Any, within: int = 0) -> Any:
    """What is to be read several times, also from a generator, which NLTK takes where it reads once.

    `within` is how deep generators may be: 1 for those in a list, 2 for those in lists in a list.
    """
    found = [*given] if isinstance(given, Iterator) else given
    if not within or not isinstance(found, list | tuple) or (within == 1 and {*map(type, found)} <= _LISTS):
        return found
    return [listed(one, within - 1) for one in found]


def check_corpus(list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens]) -> None:
    """The same for a corpus; as many lists of references as hypotheses."""
    check_sizes(list_of_references, hypotheses)
    if {*map(type, hypotheses), *map(type, list_of_references), *map(type, chain(*list_of_references))} <= _LISTS:
        return
    refuse_text(hypotheses, "hypotheses", "a list of hypotheses, each a list of tokens")
    if not lenient():
        for references, hypothesis in zip(list_of_references, hypotheses, strict=True):
            check_pair(references, hypothesis)


def check_sizes(list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens]) -> None:
    """Reject a corpus without a list of references for every hypothesis."""
    if len(list_of_references) != len(hypotheses):
        # NLTK asserts it, except for RIBES; users may catch either.
        raise UnequalError(
            f"there are {len(hypotheses):,} hypotheses, but the number of reference sets is {len(list_of_references):,}"
        )


class UnequalError(InputError, AssertionError):
    """As many lists of references as hypotheses are needed."""


class EmptyError(InputError, ZeroDivisionError):
    """A corpus must have a hypothesis; NLTK divides by zero."""

    def __init__(self) -> None:
        super().__init__("hypotheses: expected at least one, got none")


def core_texts(lists: list[Tokens]) -> tuple[list[Any], int]:
    """Texts that the core cuts into these tokens, and the number of the tokenizer that does so."""
    texts = joined(lists)
    return (lettered(lists), CHARACTERS) if texts is None else (texts, WORDS)


def pair_texts(references: Sequence[Tokens], hypothesis: Tokens) -> tuple[Any, list[Any], int]:
    """The same for one segment: hypothesis, references, tokenizer."""
    if not len(references):
        raise InputError("references: expected at least one, got none")
    texts, tokenizer = core_texts([hypothesis, *references])
    return texts[0], texts[1:], tokenizer


def corpus_texts(
    references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens]
) -> tuple[list[Any], list[Any], int]:
    """The same for a corpus."""
    if not all(map(len, references)):
        number = [*map(len, references)].index(0)
        raise InputError(f"list_of_references: expected at least one reference for hypothesis {number}, got none")
    flat = [*hypotheses, *(reference for of_one in references for reference in of_one)]
    texts, tokenizer = core_texts(flat)
    found, at = [], len(hypotheses)
    for of_one in references:
        found.append(texts[at : at + len(of_one)])
        at += len(of_one)
    return texts[: len(hypotheses)], found, tokenizer
