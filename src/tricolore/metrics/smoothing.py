r"""Smoothing 0 to 7 of Chen & Cherry (2014), section 2.2.

Each function takes the match counts m_1.., the n-gram totals l_1..l_N and the length c = |T| of a hypothesis, and
returns m'_n and l'_n; the smoothed precision is p_n = m'_n / l'_n. They work on floats and on arrays.

==  ================  =====================================================================================
0   `none`            m'_n = m_n
1   `floor`           m'_n = epsilon where m_n = 0
2   `add-k`           m'_n = m_n + add, l'_n = l_n + add for n >= 2 (Lin & Och 2004: add = 1)
3   `exp`             the k-th order without a match gets m'_n = 1/2^k (mteval-v13a)
4   `length`          the k-th order without a match gets m'_n = (ln|T| / K)^k; the constant K is the parameter `k`
5   `average`         m'_0 = m_1 + 1, m'_n = (m'_{n-1} + m_n + m_{n+1}) / 3
6   `interpolate`     p_n = (m_n + alpha q_n) / (l_n + alpha), q_n = p_{n-1}^2 / p_{n-2} for n >= 3
7   `length-average`  4, then 5
==  ================  =====================================================================================

All are meant for single segments; for a corpus, the same formulas are applied to the sums, with |T| the length of the
corpus. The formulas are applied literally, with some odd results: 5 and 7 give a perfect segment shorter than N less
than 1, have precisions above 1, and can exceed 1 on corpus counts; 6 can exceed 1 on a segment whose bigrams match
better than its words.

Where others disagree. NLTK's method 4 uses ln|T| / (2^k K) instead of (ln|T| / K)^k and does not smooth one-word
hypotheses; its method 5 averages precisions, not counts, and always uses order 5 as the order above; its method 7
inherits both; its method 6 fails with an AssertionError if no trigram matches, the very case for smoothing; its method
0 returns a tiny positive number instead of 0. Moses' smoothed sentence BLEU also adds to unigrams.
"""

from __future__ import annotations

from ..elementwise import all_positive, divide, log, maximum, where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    #: The columns m'_1..m'_N and l'_1..l'_N.
    Smoothed = tuple[Sequence[Any], Sequence[Any]]


def none(m: Sequence[Any], l: Sequence[Any], c: Any) -> Smoothed:
    """Smoothing 0."""
    return m, l


def floor(m: Sequence[Any], l: Sequence[Any], c: Any, epsilon: float) -> Smoothed:
    """Smoothing 1 (eq. 5)."""
    if all_positive(m):
        return m, l
    return [where(m_n == 0.0, epsilon, m_n) for m_n in m], l


def add_k(m: Sequence[Any], l: Sequence[Any], c: Any, add: float) -> Smoothed:
    """Smoothing 2 (eq. 6, 7); unigrams are not smoothed."""
    return [m[0], *(m_n + add for m_n in m[1:])], [l[0], *(l_n + add for l_n in l[1:])]


def geometric(m: Sequence[Any], l: Sequence[Any], factor: Any) -> Smoothed:
    """Smoothing 3 and 4: the k-th order without a match gets factor^k; k counts only such orders."""
    if all_positive(m):
        return m, l
    pseudo_count: Any = 1.0
    smoothed = []
    for m_n in m:
        zero = m_n == 0.0
        pseudo_count = where(zero, pseudo_count * factor, pseudo_count)
        smoothed.append(where(zero, pseudo_count, m_n))
    return smoothed, l


def exponential(m: Sequence[Any], l: Sequence[Any], c: Any) -> Smoothed:
    """Smoothing 3."""
    return geometric(m, l, 0.5)


def length(m: Sequence[Any], l: Sequence[Any], c: Any, k: float) -> Smoothed:
    """Smoothing 4 (eq. 8).

    A single word has ln|T| = 0 and no pseudo-count, the limit of the formula. Beyond e^K words (148 for K = 5)
    pseudo-counts exceed 1, as the formula says.
    """
    return geometric(m, l, log(maximum(c, 1.0)) / k)


def average(m: Sequence[Any], l: Sequence[Any], c: Any) -> Smoothed:
    """Smoothing 5 (eq. 9); m has one order more than l."""
    before = m[0] + 1.0
    smoothed = []
    for n in range(len(l)):
        before = (before + m[n] + m[n + 1]) / 3.0
        smoothed.append(before)
    return smoothed, l


def interpolate(m: Sequence[Any], l: Sequence[Any], c: Any, alpha: float) -> Smoothed:
    """Smoothing 6 (eq. 10, 11), computed from smoothed precisions; unigrams and bigrams are not smoothed."""
    smoothed, totals = [*m[:2]], [*l[:2]]
    p = [*map(divide, smoothed, totals)]
    for m_n, l_n in zip(m[2:], l[2:], strict=True):
        q = divide(p[-1] * p[-1], p[-2])
        smoothed.append(m_n + alpha * q)
        totals.append(l_n + alpha)
        p.append(divide(smoothed[-1], totals[-1]))
    return smoothed, totals


def length_average(m: Sequence[Any], l: Sequence[Any], c: Any, k: float) -> Smoothed:
    """Smoothing 7: 4 on orders 1..N, then 5; the count of order N + 1 is not smoothed."""
    filled, _ = length(m[: len(l)], l, c, k)
    return average([*filled, m[len(l)]], l, c)


#: By number: the function and its constants.
METHODS: dict[int, tuple[Callable[..., Smoothed], tuple[str, ...]]] = {
    0: (none, ()),
    1: (floor, ("epsilon",)),
    2: (add_k, ("add",)),
    3: (exponential, ()),
    4: (length, ("k",)),
    5: (average, ()),
    6: (interpolate, ("alpha",)),
    7: (length_average, ("k",)),
}

#: sacreBLEU's names for four of them, which imply its rules for short segments and for segments without a match.
SACREBLEU_NAMES = {"none": 0, "floor": 1, "add-k": 2, "exp": 3}

#: Names for the others, mere aliases of the numbers.
NAMES = {"length": 4, "average": 5, "interpolate": 6, "length-average": 7}

#: The methods that change only orders without a match.
ONLY_ZEROS = frozenset({0, 1, 3, 4})

#: The methods that need the matches of order N + 1.
NEEDS_NEXT_ORDER = frozenset({5, 7})
