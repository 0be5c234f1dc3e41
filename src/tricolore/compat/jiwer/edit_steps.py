"""Steps of edits between lists of tokens, as the core finds them in text."""

from ... import _native
from ..token_texts import CHARACTERS, WORDS, joined, lettered

#: Stands for a space among characters, which the core would skip. It is not printable: no text in use here has it.
SPACE = "\ue000"


def steps_between(reference: list[str], hypothesis: list[str]) -> str:
    """Edit the reference so that it becomes the hypothesis: `=`, `S`, `I` and `D`, one letter per step.

    >>> steps_between(["a", "b", "c"], ["a", "x"])
    '=SD'
    """
    tokens = (reference, hypothesis)
    texts, tokenizer = joined(tokens), WORDS
    if texts is None:
        texts, tokenizer = lettered(tokens), CHARACTERS
    ref, hyp = texts
    return _native.edit_script(hyp, [ref], tokenizer, False)
