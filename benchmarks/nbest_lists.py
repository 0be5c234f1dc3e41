"""n-best lists with features, made up: texts near their references, features that know something of how near."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import texts

import tricolore
from tricolore.candidates import Candidates


def synthetic(sources: int, hypotheses: int, features: int, seed: int = 1) -> Candidates:
    """Lists of so many hypotheses with so many features: dense up to 100, else a hypothesis has about 20 of them."""
    corpus = texts.english_like(sources, 1)
    return Candidates.of(_lists(corpus, hypotheses, features, seed), tricolore.References(corpus.refs))


def _lists(corpus: texts.Corpus, hypotheses: int, features: int, seed: int) -> Iterator[tuple[list[str], np.ndarray]]:
    """One after the other: as ordinary matrices, many features take much room."""
    random = np.random.default_rng(seed)
    words = np.array(sorted({word for hyp in corpus.hyps for word in hyp.split()}))
    for refs in corpus.refs:
        reference = np.array(refs[0].split())
        noise = random.uniform(0.05, 0.6, hypotheses)
        wrong = random.random((hypotheses, len(reference))) < noise[:, None]
        chosen = np.where(wrong, random.choice(words, (hypotheses, len(reference))), reference)
        if features <= 100:
            matrix = random.normal(size=(hypotheses, features))
        else:
            matrix = np.zeros((hypotheses, features))
            places = random.integers(0, features, (hypotheses, 20))
            np.put_along_axis(matrix, places, random.normal(size=places.shape), axis=1)
        matrix[:, : min(4, features)] -= noise[:, None]
        yield [" ".join(row) for row in chosen], matrix
