"""ROUGE-Lsum's hits: words of the longest common subsequences with any sentence of the prediction.

Among several longest subsequences, the one that rouge-score traces back is chosen. Tables of lengths are kept as one
integer per row, whose clear bits are the columns where the length grows (Hyyrö 2004).
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

Tokens = Sequence[Hashable]


def lcs_positions(ref: Tokens, can: Tokens) -> list[int]:
    """Positions in `ref` of a longest common subsequence.

    >>> lcs_positions("abcde", "becd")
    [1, 2, 3]
    """
    rows = _rows(ref, can)
    found = []
    i, j = len(ref), len(can)
    while i and j:
        if ref[i - 1] == can[j - 1]:
            i, j = i - 1, j - 1
            found.append(i)
        else:  # up, unless the length would shrink
            columns = (1 << j) - 1
            if (rows[i - 1] & columns).bit_count() == (rows[i] & columns).bit_count():
                i -= 1
            else:
                j -= 1
    return found[::-1]


def _rows(ref: Tokens, can: Tokens) -> list[int]:
    """The rows of the table: the bits of the columns in which the length does not grow."""
    columns: dict[Hashable, int] = {}
    for j, token in enumerate(can):
        columns[token] = columns.get(token, 0) | 1 << j
    everything = (1 << len(can)) - 1
    rows = [everything]
    for token in ref:
        row = rows[-1]
        matches = row & columns.get(token, 0)
        rows.append((row + matches | row - matches) & everything)
    return rows


def lcs_table(ref: Tokens, can: Tokens) -> list[list[int]]:
    """The lengths of the longest common subsequences of all beginnings.

    >>> lcs_table("ab", "b")
    [[0, 0], [0, 0], [0, 1]]
    """
    return [[j - (row & (1 << j) - 1).bit_count() for j in range(len(can) + 1)] for row in _rows(ref, can)]


def union_of(positions: Iterable[Iterable[int]]) -> list[int]:
    """All positions, each once and in order."""
    return sorted({*()}.union(*positions))


def summary_hits(refs: Sequence[Tokens], cans: Sequence[Tokens]) -> int:
    """Words of the references in the union of subsequences, each as often as both summaries have it."""
    left_refs, left_cans = (Counter(token for sentence in side for token in sentence) for side in (refs, cans))
    hits = 0
    for ref in refs:
        for position in union_of(lcs_positions(ref, can) for can in cans):
            token = ref[position]
            if left_refs[token] > 0 and left_cans[token] > 0:
                hits += 1
                left_refs[token] -= 1
                left_cans[token] -= 1
    return hits
