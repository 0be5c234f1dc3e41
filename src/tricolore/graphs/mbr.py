"""Minimum Bayes risk over lattices and forests, with a gain that is linear in n-grams (Tromble et al. 2008).

    G(e', e) = θ₀|e'| + Σ_{n≤N} θₙ Σ_{g: |g|=n} #g(e') 1[g in e]          θ₀ = −1/T,  θₙ = 1 / (N·T·p·r^{n−1})

is the first-order approximation of the contribution of a text to the logarithm of corpus BLEU: p is the expected
unigram precision, r the ratio of the precisions of one order and the one before; T only scales. Its expectation over
all paths e of a graph, with probabilities proportional to e^(scale·score), is again linear,

    E[G(e', e)] = θ₀|e'| + Σ_g θ_|g| p(g) #g(e')

where p(g) is the probability that a path contains g at least once, not the expected count. The path with the highest
expectation is found exactly, with states split by the last N − 1 words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import InputError
from ..parameters import Options, Real, Whole, param
from .ngram_table import NgramGain, NgramTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .graph import Graph


@dataclass(frozen=True)
class LinearGain(Options):
    """θ₀ to θ_N by unigram precision and ratio; the defaults are those of Tromble et al.

    >>> gain = LinearGain()
    >>> gain.theta(0), round(gain.theta(1), 4), round(gain.theta(4), 4)
    (-1.0, 0.2941, 0.788)
    """

    precision: float = param(0.85, Real(0, above=True, high=1), "p: expected unigram precision")
    ratio: float = param(0.72, Real(0, above=True), "r: ratio of the precisions of one order and the one before")
    order: int = param(4, Whole(1, 10), "N: longest n-grams of the gain")
    length: float = param(1.0, Real(0, above=True), "T: a factor that only scales")

    def theta(self, n: int) -> float:
        """The gain of a word (n = 0) or of an n-gram."""
        if n == 0:
            return -1.0 / self.length
        return 1.0 / (self.order * self.length * self.precision * self.ratio ** (n - 1))

    def expected(self, posteriors: NgramTable) -> NgramGain:
        """The expected gain, given the probabilities of n-grams."""
        values = tuple(self.theta(n) * p for n, p in enumerate(posteriors.values_by_order, 1))
        return NgramGain(NgramTable(posteriors.words, posteriors.keys_by_order, values), self.theta(0))

    @staticmethod
    def estimated(matches: Sequence[float], totals: Sequence[float], order: int = 4) -> LinearGain:
        """With the precision and ratio of a corpus: p = p₁, r = the geometric mean of pₙ₊₁ / pₙ.

        `matches` and `totals` are those of BLEU, by order.

        >>> gain = LinearGain.estimated([50, 20, 8, 4], [100, 80, 60, 40])
        >>> gain.precision, round(gain.ratio, 4)
        (0.5, 0.5848)
        """
        if min(*matches[:order], *totals[:order]) <= 0:
            raise InputError("precision and ratio cannot be estimated: n-grams of some order have no match")
        precisions = [m / t for m, t in zip(matches[:order], totals[:order], strict=True)]
        ratio = (precisions[-1] / precisions[0]) ** (1 / (order - 1)) if order > 1 else LinearGain.ratio
        return LinearGain(precisions[0], ratio, order)


@dataclass(frozen=True)
class Choice:
    """The text with the highest expected gain, and that gain."""

    words: tuple[str, ...]
    gain: float

    @property
    def text(self) -> str:
        """The words, separated by spaces."""
        return " ".join(self.words)

    def __str__(self) -> str:
        return self.text


def choose(graph: Graph, gain: LinearGain | None = None, *, scale: float = 1.0, least: float = 0.0) -> Choice:
    """The text of a graph with the highest expected gain.

    States are split by all n-grams, which can be too many in a large forest. N-grams less probable than `least` are
    left out of the search, which then is an approximation: the gain of each is below `least` times θₙ. The gain of the
    choice always includes all n-grams.

    Here the best path is "a cat", but "the" is more probable than "a":

    >>> from tricolore.graphs import Lattice
    >>> arcs = [(0, 1, "a", 0.3), (0, 2, "the", 0.1), (0, 3, "the", 0.1), (1, 4, "cat"), (2, 4, "cat"), (3, 4, "dog")]
    >>> choice = choose(Lattice.of(arcs, 0, [4]))
    >>> choice.text, round(choice.gain, 4)
    ('the cat', -1.4878)
    """
    gain = gain or LinearGain()
    posteriors = graph.ngram_posteriors(gain.order, scale)
    try:
        path = graph.rescored(gain.expected(posteriors.above(least))).best()
    except InputError as error:
        raise InputError(f"{error}; or leave out improbable n-grams (least)") from None
    return Choice(path.words, path.score if least <= 0.0 else gain.expected(posteriors)(path.words))


def choose_of_list(
    texts: Sequence[str], probabilities: Sequence[float], gain: LinearGain | None = None
) -> tuple[int, float]:
    """The index of the text with the highest expected gain over all of them (ties go to the first), and that gain.

    >>> choose_of_list(["a cat", "the cat", "the cat sat"], [0.4, 0.3, 0.3])[0]
    1
    """
    gain = gain or LinearGain()
    posteriors: dict[tuple[str, ...], float] = {}
    split = [text.split() for text in texts]
    for words, probability in zip(split, probabilities, strict=True):
        for ngram in {tuple(words[i : i + n]) for n in range(1, gain.order + 1) for i in range(len(words) - n + 1)}:
            posteriors[ngram] = posteriors.get(ngram, 0.0) + probability
    expected = gain.expected(NgramTable.of(posteriors))
    gains = [*map(expected, split)]
    best = max(range(len(gains)), key=gains.__getitem__)
    return best, gains[best]
