r"""Batch k-best MIRA: weights that separate hope from fear hypotheses (Cherry & Foster 2012).

For one source after the other, in a new random order each epoch, with model scores s = w·h and gains B:

    hope = argmax(s + B),  fear = argmax(s − B),  Δ = h_hope − h_fear
    loss = (B_hope − B_fear) − w·Δ
    w ← w + min(C, loss / ‖Δ‖²) Δ    if loss > 0

The gain B of a hypothesis is the score of its statistics added to those of a background corpus, times the length of the
references of both (Chiang, Marton & Resnik 2008), negated for error rates. The background begins as a perfect sentence
of as many words as the metric's n-grams have (four for other metrics), and collects recent hopes: b ← decay·b + hope,
wherever hope and fear differ.

The weights of an epoch are the mean of the start and of the weights after every update so far. A start whose scores are
too far apart for gains to matter is scaled down first, and weights are scaled back at the end (`Task.unit`).

Differences to Moses: its kbmira divides the same sum by one less, which scales all weights alike and so chooses the
same hypotheses. Its mean also counts updates between hypotheses with equal features, which change nothing.

Colin Cherry, George Foster. Batch tuning strategies for statistical machine translation. NAACL 2012.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..candidates import Candidates
from ..errors import InputError
from ..features import Features, Floats
from ..metrics.base import Metric
from ..metrics.bleu import BLEU
from ..parameters import Choice, Flag, Real, Whole, param
from ..segments import References
from .bounds import Bounds
from .task import Selection, Task, Tuned, Tuner, Watch

BACKGROUNDS = ("hope", "model")


@dataclass(frozen=True)
class Mira(Tuner):
    """Batch k-best MIRA. The defaults are those of the paper and of Moses.

    The objective of a step is the mean loss over the sources of its epoch, negated.
    """

    name: ClassVar[str] = "mira"

    C: float = param(0.01, Real(low=0, above=True), "largest step; smaller values change weights less")
    epochs: int = param(60, Whole(1, 1_000_000), "passes over the sources")
    decay: float = param(0.999, Real(low=0, high=1), "decay of the background corpus per sentence added")
    average: bool = param(True, Flag(), "average the weights over all updates")
    background: str = param("hope", Choice(BACKGROUNDS), "background of hopes, or of the model's best candidates")

    def tune(self, task: Task, start: Floats, seed: int, watch: Watch | None = None) -> Tuned:
        start = task.begin(start, seed)
        random = np.random.default_rng(seed)
        unit = task.unit(start)
        walk = _Walk(self, task, start / unit)
        selection = Selection(task, watch, self.epochs)
        selection.see(start)
        for _ in range(self.epochs):
            losses = [walk.visit(source) for source in random.permutation(task.candidates.sources).tolist()]
            reached = walk.mean() if self.average else walk.weights
            selection.see(reached * unit, -(sum(losses) / len(losses)))
            if selection.is_over:
                break
        return selection.tuned()


@dataclass(frozen=True, eq=False)
class Update:
    """One update, and the weights that it changes."""

    hope: int
    fear: int
    eta: float  #: the step size; 0: no update
    loss: float  #: before the update; 0 where hope and fear are far enough apart
    columns: NDArray[np.int32]  #: of the weights that change
    values: Floats  #: their new values

    def applied(self, weights: Floats) -> Floats:
        """The weights after the update."""
        changed = np.array(weights, dtype=np.float64)
        changed[self.columns] = self.values
        return changed


def mira_step(
    weights: Floats,
    features: Features,
    gains: Floats,
    C: float = 0.01,
    bounds: Bounds | None = None,
    scores: Floats | None = None,
) -> Update:
    """The update for one source: separate its hope from its fear by the difference of their gains.

    `features`, `gains` and `scores` are those of its hypotheses; ties go to the first. With bounds, only free weights
    count in ‖Δ‖, and weights stop at their bounds.

    >>> from tricolore.features import Features
    >>> update = mira_step(np.zeros(2), Features.of(np.array([[1.0, 0.0], [0.0, 1.0]])), np.array([0.3, 0.1]), C=1.0)
    >>> update.hope, update.fear, round(update.eta, 3), update.applied(np.zeros(2))
    (0, 1, 0.1, array([ 0.1, -0.1]))
    """
    if scores is None:
        scores = features.dot(np.ascontiguousarray(weights, dtype=np.float64))
    hope, fear = int(np.argmax(scores + gains)), int(np.argmax(scores - gains))
    loss = float((gains[hope] - gains[fear]) - (scores[hope] - scores[fear]))
    nothing = (np.zeros(0, np.int32), np.zeros(0))
    if hope == fear or loss <= 0:
        return Update(hope, fear, 0.0, 0.0, *nothing)
    columns, difference = _difference(features, hope, fear)
    if bounds is not None:
        free = bounds.lower[columns] < bounds.upper[columns]
        columns, difference = columns[free], difference[free]
    norm = float(difference @ difference)
    if norm == 0.0:  # they differ in no feature whose weight may change
        return Update(hope, fear, 0.0, loss, *nothing)
    eta = min(C, loss / norm)
    values = weights[columns] + eta * difference
    if bounds is not None:
        values = np.minimum(np.maximum(values, bounds.lower[columns]), bounds.upper[columns])
    return Update(hope, fear, eta, loss, columns, values)


def _difference(features: Features, a: int, b: int) -> tuple[NDArray[np.int32], Floats]:
    """The columns in which either of two rows is not 0, and the differences there."""
    (first, more), (second, less) = features.row(a), features.row(b)
    if np.array_equal(first, second):
        return first, more - less
    columns, where = np.unique(np.concatenate([first, second]), return_inverse=True)
    difference = np.bincount(where, np.concatenate([more, -less]), len(columns))
    return columns.astype(np.int32), difference.astype(np.float64)


class _Walk:
    """The state of MIRA: weights, their mean, and the background corpus."""

    def __init__(self, tuner: Mira, task: Task, start: Floats):
        self.tuner, self.task, self.candidates = tuner, task, task.candidates
        self.bounds = task.bounds if task.bounds.bounded else None
        self.candidates.rows(task.metric, threads=task.threads)
        self.background = Background(task.candidates, task.metric, tuner.decay)
        self.starts = task.candidates.starts.tolist()
        self.weights = start.copy()
        # With δ the change of update t of T, the mean of the start and of all weights since is w − Σ t δ / (T + 1).
        self.behind = np.zeros(len(start))
        self.updates = 0

    def mean(self) -> Floats:
        return self.task.bounds.project(self.weights - self.behind / (self.updates + 1))

    def visit(self, source: int) -> float:
        """Update the weights by one source; return its loss."""
        first, last = self.starts[source], self.starts[source + 1]
        if last - first < 2:
            return 0.0
        features = self.candidates.features.part(first, last)
        scores = features.dot(self.weights)
        gains = self.background.gains(source)
        update = mira_step(self.weights, features, gains, self.tuner.C, self.bounds, scores)
        if update.eta > 0:
            self.updates += 1
            self.behind[update.columns] += self.updates * (update.values - self.weights[update.columns])
            self.weights[update.columns] = update.values
        if update.hope != update.fear:
            joins = update.hope if self.tuner.background == "hope" else int(np.argmax(scores))
            self.background.add(first + joins)
        return update.loss


class Background:
    """The corpus of recent hopes: its statistics and reference length.

    >>> from tricolore.candidates import Candidates
    >>> candidates = Candidates.of([(["the cat"], np.ones((1, 1)))], ["the cat"])
    >>> background = Background(candidates, BLEU(order=2, tokenize="none"), decay=0.5)
    >>> background.row, background.length
    (array([2., 1., 2., 1., 2., 2.]), 2.0)
    >>> background.add(0)
    >>> background.row, background.length
    (array([3. , 1.5, 3. , 1.5, 3. , 3. ]), 3.0)
    """

    def __init__(self, candidates: Candidates, metric: Metric, decay: float):
        self.candidates = candidates
        self.metric = candidates.ready(metric)
        self.sign = 1.0 if metric.higher_is_better else -1.0
        self.decay = decay
        self.rows = candidates.rows(metric)
        self.lengths = _reference_lengths(candidates, metric)
        self.text_starts = candidates.text_starts.tolist()
        self.starts = candidates.starts.tolist()
        words = [f"{chr(ord('a') + i % 26)}{i // 26 or ''}" for i in range(getattr(metric, "order", 4))]
        text = " ".join(words)
        self.row = self.metric.stats([text], References.unchecked([text])).values[0]
        self.length = float(self.row[metric.columns.index("ref_len")] if "ref_len" in metric.columns else len(words))

    def gains(self, source: int) -> Floats:
        """The gain of each hypothesis of a source in this corpus, higher for better."""
        texts = slice(self.text_starts[source], self.text_starts[source + 1])
        scores = np.asarray(self.metric.score(self.rows[texts] + self.row))
        gains = self.sign * scores * (self.lengths[texts] + self.length)
        if np.isnan(gains).any():
            raise InputError(f"source {source}: {self.metric.spec} is undefined for a hypothesis; expected a number")
        of = self.candidates.text_of[self.starts[source] : self.starts[source + 1]]
        return np.asarray(gains[of - texts.start])

    def add(self, hypothesis: int) -> None:
        """Add a hypothesis to the corpus."""
        text = self.candidates.text_of[hypothesis]
        self.row = self.decay * self.row + self.rows[text]
        self.length = self.decay * self.length + float(self.lengths[text])


def _reference_lengths(candidates: Candidates, metric: Metric) -> Floats:
    """The reference length of each text: as the metric counts it, or of the closest reference in words."""
    if "ref_len" not in metric.columns:
        tokenize: str = getattr(metric, "tokenize", "universal")
        metric = BLEU(order=1, tokenize="universal" if tokenize.startswith("char") else tokenize)
    return np.asarray(candidates.rows(metric)[:, metric.columns.index("ref_len")])
