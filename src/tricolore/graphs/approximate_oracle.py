"""Oracles for metrics that no automaton of reasonable size computes, BLEU above all: by approximation.

Corpus BLEU is not a sum over segments, and n-gram counts are clipped. What is a sum is its first-order approximation
around the statistics that the corpus has now (Tromble et al. 2008; on lattices Sokolov, Wisniewski & Yvon 2012): with
totals Mₙ of matches, Lₙ of n-grams, C and R of lengths,

    Δ log BLEU ≈ Σₙ wₙ (mₙ / Mₙ − lₙ / Lₙ) + [C < R] · R/C² · c

where mₙ, lₙ and c are a segment's own. Without clipping this is a gain by n-gram, and the paths with the highest gain
are found exactly. So a list of candidates is gathered for every segment, in rounds:

  1. the best paths of the graph by its own scores, and the exact 4-GRR oracle of every reference (or that of the
     metric itself, where it has one);
  2. the metric itself chooses one of each list, for the segment or greedily for the corpus (see nbest_oracle);
  3. the best paths by the gain around what was chosen join the list; then 2 again, as long as the score gets better.

The result is a lower bound of what is possible, never below the best choice from the lists of step 1. Other metrics
choose from the same lists, which are then less their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice, product
from typing import TYPE_CHECKING

import numpy as np

from ..candidates import Candidates
from ..metrics import metric as made
from ..metrics.bleu import BLEU
from ..metrics.grr import GRR
from ..nbest_oracle import corpus_oracle, segment_oracle
from ..segments import References
from .ngram_table import NgramGain, NgramTable
from .oracles import ExactOracle, Oracle, is_exact
from .tokens import WORD_BY_WORD, TokenNumbers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from ..metrics.base import Metric
    from ..segments import SegmentReferences
    from .graph import Graph, Path

    Progress = Callable[[int, int], None]

#: Spellings of one n-gram in a graph, in upper and lower case for one, that have a gain; more are left out.
SPELLINGS = 64


@dataclass(frozen=True)
class Approximation:
    """What was chosen from every graph, and how good it is beside what the best lists of the model hold."""

    paths: list[Path]
    score: float  #: of the corpus, by the metric
    nbest_score: float  #: of the best choice from the best paths by the scores of the graphs
    rounds: int  #: in which the choice became better
    size: int  #: paths that joined each list at a time

    @property
    def gap(self) -> float:
        """How much the choice is above that from the lists; below 0 where a lower score is better."""
        return self.score - self.nbest_score


def best_text(graph: Graph, references: SegmentReferences, metric: Metric | str) -> Oracle:
    """The text of one graph that scores best, found exactly where there is a way.

    The metric scores single segments, as in `tricolore score --segments`.
    """
    metric = made(metric).for_segments
    (references,) = References([references]).entries  # checked
    if is_exact(metric):
        return ExactOracle(metric)(graph, references)
    found = ApproximateOracle(metric, corpus=False).choose([graph], [references])
    return Oracle(found.paths[0], found.score, exact=False)


@dataclass(eq=False)
class ApproximateOracle:
    """Gathers candidates and lets the metric choose; `size` is how many paths join a list at a time.

    >>> from tricolore.graphs import Lattice
    >>> lattice = Lattice.of([(0, 1, "a"), (0, 1, "the"), (1, 2, "cat"), (1, 2, "dog"), (2, 3, "sat")], 0, [3])
    >>> found = ApproximateOracle(BLEU(order=2), size=1).choose([lattice], ["the dog sat"])
    >>> found.paths[0].text, found.score
    ('the dog sat', 1.0)
    """

    metric: Metric
    alone: Metric | None = None
    corpus: bool = True
    size: int = 50
    rounds: int = 10
    progress: Callable[[str], Progress] | None = None

    def __post_init__(self) -> None:
        self._single = self.alone or self.metric
        self._counting = _counting(self.metric)
        weights = getattr(self.metric, "weights", None)
        self._weights = weights or (1.0 / self._counting.order,) * self._counting.order

    def choose(self, graphs: Sequence[Graph], references: References | Sequence[Any]) -> Approximation:
        """One path of every graph."""
        lists = _Lists(graphs, references, self.progress)
        lists.grow("best paths", lambda i: graphs[i].kbest(self.size))
        of_model = self._choice(lists)
        exact = ExactOracle(self.metric if is_exact(self.metric) else _recognition(self._counting))
        lists.grow("exact oracles", lambda i: [exact(graphs[i], one).path for one in lists.references_of(i)])
        chosen, rounds = self._choice(lists), 0
        for number in range(1, self.rounds + 1):
            gains = self._gains(lists, chosen)
            if not lists.grow(f"round {number}", lambda i: graphs[i].rescored(gains(i)).kbest(self.size)):  # noqa: B023
                break
            better = self._choice(lists)
            if not better.value > chosen.value:
                break
            chosen, rounds = better, number
        return Approximation(lists.paths_of(chosen), chosen.score, of_model.score, rounds, self.size)

    def _choice(self, lists: _Lists) -> _Choice:
        """The best of every list, for itself or for the corpus."""
        candidates = lists.candidates()
        if self.corpus:
            numbers = corpus_oracle(candidates, self.metric, alone=self._single)
        else:
            numbers = segment_oracle(candidates, self._single)
        score = float(candidates.score(self.metric, numbers))
        better = score if self.metric.higher_is_better else -score
        return _Choice(
            [candidates.text(i) for i in numbers],
            score,
            better if self.corpus else float(np.sum(candidates.gains(self._single)[numbers])),
        )

    def _gains(self, lists: _Lists, chosen: _Choice) -> Callable[[int], NgramGain]:
        """What n-grams are worth to every segment, around what is chosen now."""
        counting, numbers = self._counting, TokenNumbers(self._counting)
        rows = np.asarray(counting.stats(chosen.texts, lists.references))
        total = rows.sum(axis=0)

        def gain(i: int) -> NgramGain:
            # A segment for itself has few counts, and a match more where there is none should not seem worth the world.
            word, worth = _tangent(total if self.corpus else rows[i] + 1.0, self._weights)
            return NgramGain(_known_ngrams(lists.graphs[i].words, lists.references_of(i), numbers, worth), word)

        return gain


@dataclass(frozen=True)
class _Choice:
    texts: list[str]
    score: float  # of the corpus
    value: float  # of what is to be made better


class _Lists:
    """Candidates of every graph, each text once, with its path."""

    def __init__(
        self,
        graphs: Sequence[Graph],
        references: References | Sequence[Any],
        progress: Callable[[str], Progress] | None,
    ):
        self.graphs = graphs
        self.references = references if isinstance(references, References) else References(references)
        self._paths: list[dict[str, Path]] = [{} for _ in graphs]
        self._progress = progress

    def references_of(self, i: int) -> list[str]:
        entry = self.references.entries[i]
        return [entry] if isinstance(entry, str) else [one for one in entry if one is not None]

    def grow(self, what: str, more: Callable[[int], list[Path]]) -> bool:
        """Add paths to every list; whether any was new."""
        step = self._progress(what) if self._progress else None
        before = sum(map(len, self._paths))
        for i, known in enumerate(self._paths):
            for path in more(i):
                known.setdefault(path.text, path)
            if step is not None:
                step(i + 1, len(self.graphs))
        return sum(map(len, self._paths)) > before

    def candidates(self) -> Candidates:
        return Candidates.of(((list(known), np.zeros((len(known), 1))) for known in self._paths), self.references)

    def paths_of(self, chosen: _Choice) -> list[Path]:
        return [known[text] for known, text in zip(self._paths, chosen.texts, strict=True)]


def _counting(metric: Metric) -> BLEU:
    """BLEU that reads text as the metric does, as far as words can be read one by one."""
    tokenize = getattr(metric, "tokenize", "none")
    return BLEU(
        order=min(metric.order, 4) if isinstance(metric, BLEU) else 4,
        smooth=0,
        tokenize=tokenize if tokenize in WORD_BY_WORD else "none",
        lowercase=bool(getattr(metric, "lowercase", False)),
    )


def _recognition(counting: BLEU) -> GRR:
    return GRR(order=counting.order, tokenize=counting.tokenize, lowercase=counting.lowercase)


def _tangent(total: NDArray[np.float64], weights: Sequence[float]) -> tuple[float, list[float]]:
    """What a word and what n-grams of each order are worth, around these statistics."""
    order = len(weights)
    matches, totals = np.maximum(total[:order], 1.0), np.maximum(total[order : 2 * order], 1.0)
    c, r = np.maximum(total[2 * order : 2 * order + 2], 1.0)
    brevity = r / c**2 if c < r else 0.0
    return float(brevity - np.sum(np.asarray(weights) / totals)), [
        float(w / m) for w, m in zip(weights, matches, strict=True)
    ]


def _known_ngrams(
    words: Sequence[str], references: Sequence[str], numbers: TokenNumbers, worth: Sequence[float]
) -> NgramTable:
    """The n-grams of the references as the graph spells them, with what they are worth."""
    spellings: dict[int, list[str]] = {}
    for word in words:
        tokens = numbers.of(word)
        if len(tokens) == 1:  # a word of several tokens has no gain
            spellings.setdefault(tokens[0], []).append(word)
    values: dict[tuple[str, ...], float] = {}
    for reference in references:
        spelled = [spellings.get(token, []) for token in numbers.of(reference)]
        for n, value in enumerate(worth, 1):
            for i in range(len(spelled) - n + 1):
                if all(spelled[i : i + n]):
                    values |= dict.fromkeys(islice(product(*spelled[i : i + n]), SPELLINGS), value)
    return NgramTable.of(values, words)
