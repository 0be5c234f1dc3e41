"""Steps of edits between lists of tokens, as the core finds them in text."""

from ... import _native
from ...tokenizers import CORE

WORDS, CHARACTERS = CORE["none"], CORE["char"]
#: Stands for a space among characters, which the core would skip. It is not printable: no text in use here has it.
SPACE = "\ue000"
_FIRST_LETTER, _LETTERS = 0xE000, 0x110000 - 0xE000  # none of them is white space


def steps_between(reference: list[str], hypothesis: list[str]) -> str:
    """Edit the reference so that it becomes the hypothesis: `=`, `S`, `I` and `D`, one letter per step.

    >>> steps_between(["a", "b", "c"], ["a", "x"])
    '=SD'
    """
    for between, tokenizer in ((" ", WORDS), ("", CHARACTERS)):
        ref, hyp = _text(reference, between), _text(hypothesis, between)
        if ref is not None and hyp is not None:
            return _native.edit_script(hyp, ref, tokenizer, False)
    return _steps_of_any(reference, hypothesis)


def _text(tokens: list[str], between: str) -> str | None:
    """Tokens as a text that the core cuts into these tokens, if there is one."""
    text = between.join(tokens)
    if not text.isprintable() or "" in tokens:
        return None
    if between:
        return text if text.count(between) == max(len(tokens) - 1, 0) else None
    return text.replace(" ", SPACE) if len(text) == len(tokens) else None


def _steps_of_any(reference: list[str], hypothesis: list[str]) -> str:
    """The same for any tokens: each becomes a letter or, where those run out, a number."""
    numbers: dict[str, int] = {}
    ref, hyp = ([numbers.setdefault(token, len(numbers)) for token in tokens] for tokens in (reference, hypothesis))
    if len(numbers) > _LETTERS:
        return _native.edit_script(hyp, [ref], WORDS, False)
    return _native.edit_script(_letters(hyp), _letters(ref), CHARACTERS, False)


def _letters(numbers: list[int]) -> str:
    return "".join([chr(_FIRST_LETTER + number) for number in numbers])
