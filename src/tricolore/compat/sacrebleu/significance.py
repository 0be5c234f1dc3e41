"""sacreBLEU's paired tests: approximate randomisation and the paired bootstrap."""

from __future__ import annotations

import logging
from dataclasses import replace

import numpy as np

from ...errors import InputError, SpecError
from ...judge.resampling import selected_sums
from ...judge.significance.sacrebleu import bootstrap_p, resampled_scores, scores, shuffle_p
from .bootstrap import resampled, seed_of
from .metrics.base import Metric, Signature
from .shapes import EmptyError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from ...types import Array

sacrelogger = logging.getLogger("sacrebleu")


class Result:
    """A system's score; its p-value against the baseline, and mean and interval, where they were computed."""

    def __init__(self, score: float, p_value: float | None = None, mean: float | None = None, ci: float | None = None):
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __repr__(self) -> str:
        return ",".join(f"{name}={value!s}" for name, value in vars(self).items())


def estimate_ci(scores: NDArray[Any]) -> tuple[Any, Any]:
    """The mean of resampled scores, and half the width of their 95 % interval, in their precision."""
    ordered = np.sort(scores)
    outside = len(ordered) // 40
    return ordered.mean(), 0.5 * (ordered[len(ordered) - outside - 1] - ordered[outside])


class PairedTest:
    """Test each system against the first one; call it for signatures and results by metric.

    `named_systems` are pairs of a name and hypotheses, `metrics` are by name. `references` may be None if the metrics
    have been given some. `test_type` is `ar` (approximate randomisation) or `bs` (paired bootstrap), `n_samples` its
    number of trials or resamples (0 for 10,000 and 1,000). With `n_ar_confidence` resamples, `ar` has intervals, too (0
    for 1,000, -1 for none). `n_jobs` is the number of threads that count; 0 means all cores.

    The random seed is SACREBLEU_SEED in the environment, or 12345.

    >>> from tricolore.compat.sacrebleu import BLEU
    >>> systems = [("a", ["one two three four", "five"]), ("b", ["one two three", "six"])]
    >>> test = PairedTest(systems, {"BLEU": BLEU()}, [["one two three four", "five"]], n_samples=100)
    >>> signatures, results = test()
    >>> results["BLEU"][1].p_value <= 1
    True
    """

    _DEFAULT_SAMPLES = (("ar", 10_000), ("bs", 1000))

    def __init__(
        self,
        named_systems: Sequence[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Metric],
        references: Sequence[Sequence[str | None]] | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ):
        defaults = dict(self._DEFAULT_SAMPLES)
        if test_type not in defaults:
            raise SpecError(f"test_type must be ar or bs; got {test_type!r}")
        if not named_systems:
            raise EmptyError("named_systems: expected at least one system, got none")
        self.test_type = test_type
        self.named_systems = [*named_systems]
        self.references = references
        self.n_samples = n_samples if n_samples > 0 else defaults[test_type]
        self.n_ar_confidence = defaults["bs"] if n_ar_confidence == 0 else n_ar_confidence
        self.n_jobs = n_jobs
        self.n_systems = len(self.named_systems) - 1
        self._seed_name, self._seed = seed_of()
        self._signatures: dict[str, Signature] = {}
        self._baselines: dict[str, tuple[Array, Result]] = {}
        self.metrics: dict[str, Metric] = {}
        for name, metric in metrics.items():
            self._add_baseline(name, metric)

    def _add_baseline(self, name: str, metric: Metric) -> None:
        system, hypotheses = self.named_systems[0]
        sacrelogger.info("Pre-computing %s statistics for %r", name, system)
        rows = self._rows(metric, hypotheses)
        score = metric.score_row(metric.total(rows))
        result = Result(score.score)
        samples = self.n_samples if self.test_type == "bs" else self.n_ar_confidence
        if samples > 0:
            result.mean, result.ci = estimate_ci(resampled(metric.native, rows, samples, self._seed))
        signature = metric.get_signature()
        signature.update("seed", self._seed_name)
        signature.update(self.test_type, self.n_samples)
        if self.n_ar_confidence > 0:
            signature.update("bs", self.n_ar_confidence)
        self._signatures[score.name] = signature
        self._baselines[score.name] = rows, result
        self.metrics[score.name] = metric

    def _rows(self, metric: Metric, hypotheses: Sequence[str]) -> Array:
        return metric.rows(hypotheses, self.references, self.n_jobs if self.n_jobs > 0 else None)

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        """Signatures by metric; names of systems under `System`, and results by metric, the baseline first."""
        found: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        for metric, (_, result) in self._baselines.items():
            found[metric] = [result]
        for system, hypotheses in self.named_systems[1:]:
            for name in self.metrics:
                sacrelogger.info("Computing %s for %r and extracting sufficient statistics", name, system)
                found[name].append(self._tested(name, hypotheses))
        return self._signatures, found

    def _tested(self, name: str, hypotheses: Sequence[str]) -> Result:
        metric = self.metrics[name]
        baseline, of_baseline = self._baselines[name]
        rows = self._rows(metric, hypotheses)
        if len(rows) != len(baseline):
            raise InputError(f"systems must have equal lengths, got {len(baseline)} and {len(rows)} segments")
        result = Result(metric.score_row(metric.total(rows)).score)
        difference = abs(of_baseline.score - result.score)
        both = np.stack([baseline, rows], axis=1)
        if self.test_type == "bs":
            sacrelogger.info(" > Performing paired bootstrap resampling test (# resamples: %d)", self.n_samples)
            of_base, of_system = resampled_scores(metric.native, both, self.n_samples, self._seed)
            result.p_value = bootstrap_p(difference, of_system, of_base)
            result.mean, result.ci = estimate_ci(of_system)
            return result
        sacrelogger.info(" > Performing approximate randomization test (# trials: %d)", self.n_samples)
        result.p_value = shuffle_p(difference, *self._shuffled(metric, both))
        if self.n_ar_confidence > 0:
            sacrelogger.info(" > Performing bootstrap resampling for confidence interval")
            result.mean, result.ci = estimate_ci(self._resampled_after_shuffles(metric, rows))
        return result

    def _shuffled(self, metric: Metric, both: Array) -> list[Array]:
        """The scores of both pseudo-systems in each trial."""
        kept = selected_sums(both, self.n_samples, self._seed)
        total = both.sum(axis=0)
        native: Any = metric.native
        if native.name == "bleu":  # sacreBLEU adds to whole counts here, and cuts off fractions
            native = replace(native, add=float(int(native.add)))
        pseudo = (kept[:, 0] + (total[1] - kept[:, 1]), kept[:, 1] + (total[0] - kept[:, 0]))
        return [scores(native, sums) for sums in pseudo]

    def _resampled_after_shuffles(self, metric: Metric, rows: Array) -> NDArray[Any]:
        """Scores of bootstrap resamples; as in sacreBLEU, the draws follow those of the shuffles."""
        source = np.random.default_rng(self._seed)
        source.integers(2, size=(self.n_samples, len(rows)), dtype=bool)
        single = rows.astype(np.float32)
        sums = [
            single[source.choice(len(rows), size=len(rows), replace=True)].sum(0) for _ in range(self.n_ar_confidence)
        ]
        return scores(metric.native, np.stack(sums))
