"""Every metric as a metric of torchmetrics, exact over batches, processes and devices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, MissingExtraError, SpecError
from ..metrics import metric as as_metric
from ..metrics.base import Metric
from ..scoring import Score
from ..types import Refs
from .token_ids import as_ids, without

try:
    import torch
    from torchmetrics import Metric as TorchMetric
except ImportError as error:
    raise MissingExtraError(
        f"the adapter for torchmetrics needs {error.name}; pip install 'tricolore[torchmetrics]'"
    ) from None

#: Sums of multiples of these are exact in any order: of the first up to 2³¹, of the rest for 2²⁴ segments.
COARSE, FINE = 2.0**-22, 2.0**-52


class TricoloreMetric(TorchMetric):  # type: ignore[misc]
    """A metric for torchmetrics: `update`, `compute`, `reset` and `forward`, in collections and in Lightning.

    >>> metric = TricoloreMetric("chrf++")
    >>> metric.update(["the cat sat on the mat"], [["the cat is on the mat", "a cat sat on the mat"]])
    >>> metric.update(["so it is"], ["so it was"])
    >>> f"{metric.compute():.4f}"
    '0.7616'
    >>> metric.higher_is_better, TricoloreMetric("ter").higher_is_better
    (True, False)

    The state is the sum of the rows of all segments, in float64. Rows add, so that many batches in many processes give
    the score of the whole corpus, not an average of scores; and its sums are exact, so that the order of segments, the
    size of batches and the number of processes make no difference to any bit. Values are on the metric's own scale:
    0 to 1 for BLEU.

    `metric`: a spec or a metric. NIST learns from all references first: `tri.metric("nist").prepare(refs)`.
    `ignore_ids`: token ids to drop from hypotheses and references, such as those of padding and special tokens.
    `threads`: for counting a batch; one per available processor if None. Other options are those of torchmetrics:
    `sync_on_compute`, `process_group` and so on.
    """

    _seen: torch.Tensor
    is_differentiable = False
    full_state_update = False

    def __init__(
        self,
        metric: str | Metric,
        *,
        ignore_ids: int | Iterable[int] | None = None,
        threads: int | None = None,
        **options: Any,
    ):
        made = as_metric(metric)
        try:
            super().__init__(**options)
        except ValueError as error:
            if "Unexpected keyword" not in str(error):
                raise
            raise SpecError(
                f'{error}; parameters of a metric go into its parentheses: {type(self).__name__}("{made.name}(...)")'
            ) from None
        self.metric = made
        self.ignore_ids = as_ids("ignore_ids", ignore_ids)
        self.threads = threads
        if not self.metric.is_prepared:
            raise InputError(
                f"{self.metric.spec}: the information of n-grams is not part of the summed rows; "
                "pass a metric that has learnt it: TricoloreMetric(metric.prepare(refs))"
            )
        # A collection takes metrics for one whose states have equal names, and equal values after the first batch.
        # WER and PER often do, so that the name has to say what is summed. Metrics that count alike share their state.
        self._sums = f"sums_{self._digest()}"
        self.add_state(self._sums, torch.zeros(2, len(self.metric.columns), dtype=torch.float64), "sum")
        # Fewest references of a segment, negative; most references; whether there were texts; whether token ids.
        self.add_state("_seen", torch.tensor([-torch.inf, 0, 0, 0], dtype=torch.float64), "max")

    def _digest(self) -> str:
        counted = self.metric.counting((2, 2), False), self.metric.columns, self.ignore_ids
        return blake2b(repr(counted).encode(), digest_size=8).hexdigest()

    @property
    def higher_is_better(self) -> bool | None:
        """Whether higher is better; None for a metric that does not rate, such as length."""
        return self.metric.higher_is_better if self.metric.tells_quality else None

    def update(self, preds: Sequence[Any], target: Refs) -> None:
        """Add a batch: hypotheses, and for each its reference or a list of them; texts or token ids."""
        hyps, refs = without(self.ignore_ids, preds), without(self.ignore_ids, target)
        rows = self.metric.stats(hyps, refs, threads=self.threads)
        if rows.nrefs is None:
            return
        sums, seen = getattr(self, self._sums), self._seen
        fewest, most = rows.nrefs
        now = torch.tensor([-fewest, most, not rows.ids, rows.ids], dtype=torch.float64, device=seen.device)
        setattr(self, self._sums, sums + torch.from_numpy(exact_sums(rows.values)).to(sums.device))
        self._seen = torch.maximum(seen, now)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Add a batch and return its own score; a batch that is refused leaves what was added before."""
        before = dict(self.__dict__)
        try:
            return super().forward(*args, **kwargs)
        except BaseException:
            self.__dict__.update(before)
            raise

    def compute(self) -> torch.Tensor:
        """The score of all segments of all processes, on the metric's own scale; nan if there were none."""
        score = self._score()
        in_full = torch.float64 if self._seen.device == self.device else torch.float32
        return torch.tensor(float("nan") if score is None else float(score), dtype=in_full, device=self.device)

    def result(self) -> Score:
        """The same as a Score, with its parts and signature; like `compute`, call it in every process."""
        with self.sync_context(dist_sync_fn=self.dist_sync_fn, should_sync=self.sync_on_compute):
            score = self._score()
        if score is None:
            raise InputError("there is nothing to score: expected update() with at least one segment before result()")
        return score

    def _score(self) -> Score | None:
        fewest, most, texts, ids = self._seen.tolist()
        if texts and ids:
            raise InputError(f"{self.metric.spec}: some batches were text, others token ids; a corpus is one of them")
        if not most:
            return None
        row = getattr(self, self._sums).sum(dim=0).tolist()
        return Score(self.metric, row, (int(-fewest), int(most)), bool(ids))

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Plot one value or several, by default that of `compute`, with matplotlib."""
        return self._plot(val, ax)

    def _apply(self, fn: Callable[..., Any], exclude_state: Sequence[str] = "") -> Any:
        """Go to another device; sums stay in float64, also in a model that is made half as precise."""
        values = self._computed, self._forward_cache
        this = super()._apply(fn, (*self._defaults, *exclude_state))
        home = torch.device("cpu") if this.device.type == "mps" else this.device  # which has no float64
        for name, default in this._defaults.items():
            this._defaults[name] = default.to(home)
            setattr(this, name, getattr(this, name).to(home))
        this._computed, this._forward_cache = (None if one is None else one.to(this.device) for one in values)
        return this

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.metric.spec!r})"


def exact_sums(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sums of rows as two rows, of multiples of a coarse and of a fine number, so that no addition rounds.

    >>> exact_sums(np.array([[1.0, 0.1], [2.0, 0.2]])).sum(axis=0)
    array([3. , 0.3])
    """
    coarse = np.round(rows / COARSE) * COARSE
    fine = np.round((rows - coarse) / FINE) * FINE
    return np.stack([coarse.sum(axis=0), fine.sum(axis=0)])
