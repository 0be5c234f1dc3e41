"""Made n-best lists with features, of any size."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tricolore.segments import References
from tricolore.tune.candidates import Candidates
from tricolore.tune.features import Features

VOCABULARY = [f"w{i}" for i in range(2000)]
LENGTH = 20  # words of a segment


def synthetic(sources: int, hypotheses: int, features: int, seed: int = 1) -> Candidates:
    """Lists whose hypotheses have other words than the reference here and there, and features that know of some."""
    return _with(sources, hypotheses, seed, lambda wrong, rng: Features.of(_dense(wrong, features, rng)))


def sparse(sources: int, hypotheses: int, names: int, each: int, seed: int = 1) -> Candidates:
    """The same, with many names of which a hypothesis has `each`, beside one that it always has."""

    def made(wrong: np.ndarray, rng: np.random.Generator) -> Features:
        columns = np.sort(rng.integers(0, (names - 1) // each, (len(wrong), each)) + np.arange(each) * (names // each))
        columns = np.column_stack([columns, np.full(len(wrong), names - 1)])
        values = np.column_stack([np.ones((len(wrong), each)), -wrong + rng.normal(size=len(wrong))])
        begins = np.arange(len(wrong) + 1, dtype=np.int64) * (each + 1)
        return Features(begins, columns.ravel().astype(np.int32), values.ravel())

    return _with(sources, hypotheses, seed, made)


def _dense(wrong: np.ndarray, features: int, rng: np.random.Generator) -> np.ndarray:
    """Features of which each knows a little about how many words are wrong, on scales that differ."""
    knowledge = rng.random(features)
    noise = rng.normal(size=(len(wrong), features)) * 3
    return (noise - knowledge * wrong[:, None]) * 10.0 ** rng.uniform(-1, 1, features)


def _with(
    sources: int, hypotheses: int, seed: int, make: Callable[[np.ndarray, np.random.Generator], Features]
) -> Candidates:
    """Lists of texts, with the features that `make` gives them, being told how many words of each are wrong."""
    rng = np.random.default_rng(seed)
    words = np.array(VOCABULARY)
    references = words[rng.integers(0, len(words), (sources, LENGTH))]
    changed = rng.random((sources, hypotheses, LENGTH)) < rng.uniform(0.1, 0.7, (sources, hypotheses, 1))
    other = words[rng.integers(0, len(words), changed.shape)]
    texts = np.where(changed, other, references[:, None, :])
    wrong = changed.sum(axis=2).ravel().astype(np.float64)
    number = len(wrong)
    return Candidates(
        References.unchecked([" ".join(reference) for reference in references]),
        np.arange(sources + 1, dtype=np.int64) * hypotheses,
        make(wrong, rng),
        [" ".join(text) for text in texts.reshape(number, LENGTH)],
        np.arange(sources + 1, dtype=np.int64) * hypotheses,
        np.arange(number, dtype=np.int32),
        np.full(number, np.nan),
    )
