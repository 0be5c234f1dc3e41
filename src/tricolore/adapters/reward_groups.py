"""Rewards by group, the completions of one prompt: normalised as in GRPO, and weights of minimum risk training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..columns import spread
from ..errors import InputError
from ..parameters import Choice, Real, Whole, checked
from ..types import Array

#: What TRL adds to the standard deviation of a group before it divides by it.
EPSILON = 1e-4
SCALES = ("group", "batch", "none")


def check_groups(prompts: Sequence[Any] | None, num_generations: int) -> None:
    """Reject prompts that do not come in groups of equal ones."""
    for i, prompt in enumerate(() if prompts is None else prompts):
        first = i - i % num_generations
        if prompts is not None and prompt != prompts[first]:
            raise InputError(
                f"num_generations={num_generations}: completions {first} and {i} belong to different prompts; expected "
                f"{num_generations} completions of each, one after the other"
            )


def grouped(name: str, values: ArrayLike, num_generations: int) -> Array:
    """Numbers by group: one row per prompt. None is read as nan."""
    size = checked("num_generations", num_generations, Whole(1, 2**31))
    if hasattr(values, "detach"):  # a tensor, maybe of a kind that NumPy does not have
        values = values.detach().cpu().double()
    found = np.asarray(spread(values), dtype=np.float64)
    if found.ndim != 1 or len(found) % size:
        raise InputError(
            f"{name}: expected {size} for each prompt, one after the other; got an array of shape {found.shape}"
        )
    return found.reshape(-1, size)


def advantages(rewards: ArrayLike, num_generations: int, scale: str = "group") -> Array:
    r"""Rewards normalised in groups, as GRPO does (Shao et al. 2024).

    .. math:: A_i = (r_i - mean(r)) / (std(r) + 10^{-4})

    mean(r): over the `num_generations` completions of a prompt, which stand one after the other. std(r): the standard
    deviation, with N - 1, over the same; with `scale="batch"` over all rewards; with `scale="none"` nothing is divided
    (Liu et al. 2025). A completion without a reward (None or nan) is left out, and has nan.

    >>> advantages([0.5, 0.5, 0.2, 0.8], num_generations=2).round(3).tolist()
    [0.0, 0.0, -0.707, 0.707]
    >>> advantages([0.5, 0.5, 0.2, 0.8], num_generations=2, scale="none").round(3).tolist()
    [0.0, 0.0, -0.3, 0.3]
    """
    checked("scale", scale, Choice(SCALES))
    groups = grouped("rewards", rewards, num_generations)
    if not groups.size:
        return groups.reshape(-1)
    known = ~np.isnan(groups)
    zeroed, numbers = np.where(known, groups, 0.0), known.sum(axis=1, keepdims=True)
    centred = groups - zeroed.sum(axis=1, keepdims=True) / np.maximum(numbers, 1)
    if scale == "none":
        return np.asarray(centred).reshape(-1)
    if scale == "batch":
        deviations = np.array(_deviation(groups))
    else:
        deviations = np.array([[_deviation(group)] for group in groups])
    return np.asarray(centred / (deviations + EPSILON)).reshape(-1)


def _deviation(values: Array) -> float:
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1)) if len(known) > 1 else 0.0


@dataclass(frozen=True)
class ExpectedReward:
    """Expected rewards of prompts, and what each completion contributes; see `expected_reward`."""

    expected: Array  #: per prompt
    probabilities: Array  #: per completion; they sum to 1 for each prompt
    weights: Array  #: per completion: the derivative of the expected reward by its log-probability


def expected_reward(
    rewards: ArrayLike, log_probabilities: ArrayLike, num_generations: int, alpha: float = 1.0
) -> ExpectedReward:
    r"""The expected reward of samples, and the weights of minimum risk training (Shen et al. 2016).

    .. math:: E = \sum_i Q_i r_i, \quad Q_i = \frac{P_i^α}{\sum_j P_j^α}, \quad
              w_i = \frac{∂E}{∂\log P_i} = α Q_i (r_i - E)

    P_i: the probability that the model gives completion i, the product over its tokens; `log_probabilities` has the
    logarithms. Sums are over the `num_generations` completions of a prompt, which stand one after the other; Q is the
    sharper the larger α is, `alpha`. The loss -Σ wᵢ log Pᵢ, in which the weights are constants, has the gradient of -E.
    Pass completions that are equal once, as the paper does.

    >>> found = expected_reward([0.2, 0.8], [-1.0, -1.0], num_generations=2)
    >>> found.expected.tolist(), found.weights.round(3).tolist()
    ([0.5], [-0.15, 0.15])
    """
    alpha = checked("alpha", alpha, Real(0, above=True))
    r = grouped("rewards", rewards, num_generations)
    log_p = grouped("log_probabilities", log_probabilities, num_generations)
    if r.shape != log_p.shape:
        raise InputError(f"there are {r.size} rewards but {log_p.size} log_probabilities; expected one per completion")
    for name, values in (("rewards", r), ("log_probabilities", log_p)):
        if not np.isfinite(values).all():
            raise InputError(f"{name}: expected finite numbers, got {values[~np.isfinite(values)][0]}")
    scaled = np.exp(alpha * (log_p - log_p.max(axis=1, keepdims=True)))
    q = scaled / scaled.sum(axis=1, keepdims=True)
    expected = (q * r).sum(axis=1, keepdims=True)
    weights = alpha * q * (r - expected)
    return ExpectedReward(expected.reshape(-1), q.reshape(-1), weights.reshape(-1))
