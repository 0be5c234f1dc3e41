"""Approximate oracles, for metrics that no automaton of reasonable size computes, BLEU above all.

Corpus BLEU is not a sum over segments, and n-gram counts are clipped. Its first-order approximation around the current
statistics of the corpus is a sum (Tromble et al. 2008; on lattices Sokolov, Wisniewski & Yvon 2012): with totals Mₙ of
matches, Lₙ of n-grams, C and R of lengths,

    Δ log BLEU ≈ Σₙ wₙ (mₙ / Mₙ − lₙ / Lₙ) + [C < R] · R/C² · c

where mₙ, lₙ and c are those of a segment. Without clipping this is a gain per n-gram, and the paths with the highest
gain are found exactly. So a list of candidates is collected for every segment, in rounds:

  1. the best paths of the graph by its own scores, and the exact 4-GRR oracle of every reference (or that of the
     metric itself, where it has one);
  2. the metric itself chooses one of each list, for the segment or greedily for the corpus (see nbest_oracle);
  3. the best paths by the gain around that choice join the list; then 2 again, as long as the score improves.

The result is a lower bound, never below the best choice from the lists of step 1. Other metrics choose from the same
lists, which suit them less.
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
from .oracles import WORD_BY_WORD, ExactOracle, Oracle, TokenIds, is_exact

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from ..metrics.base import Metric
    from ..types import Progress, SegmentReferences
    from .graph import Graph, Path


#: Limit on the spellings of one n-gram in a graph, such as upper and lower case, that have a gain.
SPELLINGS = 64


@dataclass(frozen=True)
class Approximation:
    """The paths chosen from every graph, and their score beside that of the best choice from n-best lists."""

    paths: list[Path]
    score: float  #: of the corpus, by the metric
    nbest_score: float  #: of the best choice from the n-best lists
    rounds: int  #: in which the choice improved
    size: int  #: of the lists: paths added to each at a time

    @property
    def gap(self) -> float:
        """The difference between both scores; negative where lower is better."""
        return self.score - self.nbest_score


def best_text(graph: Graph, references: SegmentReferences, metric: Metric | str) -> Oracle:
    """The text of one graph that scores best, found exactly where possible.

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
    """Collects candidates and lets the metric choose; `size` is the number of paths added to a list at a time.

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
        how = {name: getattr(self._counting, name) for name in ("order", "tokenize", "lowercase")}
        exact = ExactOracle(self.metric if is_exact(self.metric) else GRR(**how))
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
        paths = [known[text] for known, text in zip(lists.paths, chosen.texts, strict=True)]
        return Approximation(paths, chosen.score, of_model.score, rounds, self.size)

    def _choice(self, lists: _Lists) -> _Choice:
        """The best of every list, for the segment or for the corpus."""
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
        """The gain of every segment around the current choice."""
        ids = TokenIds(self._counting)
        rows = np.asarray(self._counting.stats(chosen.texts, lists.references))
        total = rows.sum(axis=0)

        def gain(i: int) -> NgramGain:
            # A single segment has few counts; without smoothing, the first match would be worth far too much.
            word, worth = _tangent(total if self.corpus else rows[i] + 1.0, self._weights)
            return NgramGain(_known_ngrams(lists.graphs[i].words, lists.references_of(i), ids, worth), word)

        return gain


@dataclass(frozen=True)
class _Choice:
    texts: list[str]
    score: float  # of the corpus
    value: float  # to be maximised


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
        self.paths: list[dict[str, Path]] = [{} for _ in graphs]
        self._progress = progress

    def references_of(self, i: int) -> list[str]:
        entry = self.references.entries[i]
        return [entry] if isinstance(entry, str) else [one for one in entry if one is not None]

    def grow(self, what: str, more: Callable[[int], list[Path]]) -> bool:
        """Add paths to every list; return whether any was new."""
        step = self._progress(what) if self._progress else None
        before = sum(map(len, self.paths))
        for i, known in enumerate(self.paths):
            for path in more(i):
                known.setdefault(path.text, path)
            if step is not None:
                step(i + 1, len(self.graphs))
        return sum(map(len, self.paths)) > before

    def candidates(self) -> Candidates:
        return Candidates.of(((list(known), np.zeros((len(known), 1))) for known in self.paths), self.references)


def _counting(metric: Metric) -> BLEU:
    """BLEU that reads text as the metric does, as far as words can be read one by one."""
    tokenize = getattr(metric, "tokenize", "none")
    return BLEU(
        order=min(metric.order, 4) if isinstance(metric, BLEU) else 4,
        smooth=0,
        tokenize=tokenize if tokenize in WORD_BY_WORD else "none",
        lowercase=bool(getattr(metric, "lowercase", False)),
    )


def _tangent(total: NDArray[np.float64], weights: Sequence[float]) -> tuple[float, list[float]]:
    """The gains of a word and of n-grams of each order, around these statistics."""
    order = len(weights)
    matches, totals = np.maximum(total[:order], 1.0), np.maximum(total[order : 2 * order], 1.0)
    c, r = np.maximum(total[2 * order : 2 * order + 2], 1.0)
    brevity = r / c**2 if c < r else 0.0
    return float(brevity - np.sum(np.asarray(weights) / totals)), (np.asarray(weights) / matches).tolist()


def _known_ngrams(words: Sequence[str], references: Sequence[str], ids: TokenIds, worth: Sequence[float]) -> NgramTable:
    """The n-grams of the references as the graph spells them, with their gains."""
    spellings: dict[int, list[str]] = {}
    for word in words:
        tokens = ids.of(word)
        if len(tokens) == 1:  # a word of several tokens has no gain
            spellings.setdefault(tokens[0], []).append(word)
    values: dict[tuple[str, ...], float] = {}
    for reference in references:
        spelled = [spellings.get(token, []) for token in ids.of(reference)]
        for n, value in enumerate(worth, 1):
            for i in range(len(spelled) - n + 1):
                if all(spelled[i : i + n]):
                    values |= dict.fromkeys(islice(product(*spelled[i : i + n]), SPELLINGS), value)
    return NgramTable.of(values, words)
