"""How many orders of the words of a segment BLEU cannot tell apart, in closed form.

Two neighbouring words of a hypothesis belong together if they are neighbours in a reference. Cutting everywhere else
leaves k = n - b blocks, n words with b such pairs. Every n-gram that a reference contains lies within a block, so in
whatever order the blocks stand, no match is lost: all k! orders score the same or better (Callison-Burch et al. 2006).
Smoothing 4 and 7 can score a further match lower in texts of more than 148 words, where their pseudo-counts exceed 1.

If no two blocks can meet at a pair that a reference contains, every order of different blocks is a different text and
has exactly the same matches: there are k! / Π mᵢ! of them, where block i occurs mᵢ times. Otherwise texts may coincide;
up to `ENUMERATED` blocks, the different texts are counted one by one, and beyond that k! / Π mᵢ! is an upper bound, at
most (n - b)!.

C. Callison-Burch, M. Osborne, P. Koehn. Re-evaluating the role of BLEU in machine translation research. EACL 2006.
"""

from __future__ import annotations

import math
from collections import Counter as Tally
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from random import Random

#: Up to this many blocks, different texts are counted one by one where they may coincide.
ENUMERATED = 7

Block = tuple[str, ...]


@dataclass(frozen=True)
class BlockOrders:
    """The blocks of a segment, and the number of their orders."""

    blocks: tuple[Block, ...]
    log10: float  #: of the number of different texts, the hypothesis itself included; a bound unless `exact`
    exact: bool

    def sample(self, number: int, seed: int) -> list[list[str]]:
        """Different orders other than that of the hypothesis, drawn at random; fewer where there are fewer."""
        draw, own = Random(seed), _words(self.blocks)
        found: dict[tuple[str, ...], None] = {}
        for _ in range(20 * number):
            words = _words(draw.sample(self.blocks, len(self.blocks)))
            if words != own and len(found) < number:
                found[words] = None
        return [list(words) for words in found]


def block_orders(words: Sequence[str], references: Sequence[Sequence[str]], order: int = 4) -> BlockOrders:
    """Count the orders of the matched blocks of a hypothesis; with BLEU of order 1, every word is a block.

    >>> found = block_orders("b c d a x b c d".split(), ["b c d e a".split()])
    >>> found.blocks
    (('b', 'c', 'd'), ('a',), ('x',), ('b', 'c', 'd'))
    >>> round(10 ** found.log10), found.exact  # 4! / 2!
    (12, True)
    """
    linked = {pair for reference in references for pair in pairwise(reference)} if order > 1 else set()
    blocks: list[list[str]] = []
    for i, word in enumerate(words):
        if i and (words[i - 1], word) in linked:
            blocks[-1].append(word)
        else:
            blocks.append([word])
    made = tuple(tuple(block) for block in blocks)
    times = Tally(made)
    exact = not _may_meet(times, linked)
    if not exact and len(made) <= ENUMERATED:
        return BlockOrders(made, math.log10(len({_words(some) for some in permutations(made)})), True)
    orders = math.lgamma(len(made) + 1) - sum(math.lgamma(number + 1) for number in times.values())
    return BlockOrders(made, max(0.0, orders) / math.log(10), exact)


def _may_meet(times: Tally[Block], linked: set[tuple[str, str]]) -> bool:
    """Whether two blocks, in some order, meet at a pair that a reference contains."""
    return any(
        (first[-1], second[0]) in linked
        for first in times
        for second in times
        if first is not second or times[first] > 1
    )


def _words(blocks: Sequence[Block]) -> tuple[str, ...]:
    return tuple(word for block in blocks for word in block)
