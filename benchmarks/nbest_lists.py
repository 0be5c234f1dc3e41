"""n-best lists with features, made up: texts near their references, features that know something of how near."""

from __future__ import annotations

import numpy as np
import texts

import tricolore
from tricolore.tune.candidates import Candidates


def synthetic(sources: int, hypotheses: int, features: int, seed: int = 1) -> Candidates:
    """Lists of so many hypotheses with so many features: dense up to 100, else a hypothesis has about 20 of them."""
    random = np.random.default_rng(seed)
    corpus = texts.english_like(sources, 1)
    words = np.array(sorted({word for hyp in corpus.hyps for word in hyp.split()}))
    lists = []
    for refs in corpus.refs:
        reference = np.array(refs[0].split())
        noise = random.uniform(0.05, 0.6, hypotheses)
        wrong = random.random((hypotheses, len(reference))) < noise[:, None]
        chosen = np.where(wrong, random.choice(words, (hypotheses, len(reference))), reference)
        matrix = random.normal(size=(hypotheses, features)) if features <= 100 else np.zeros((hypotheses, features))
        if features > 100:
            places = random.integers(0, features, (hypotheses, 20))
            np.put_along_axis(matrix, places, random.normal(size=places.shape), axis=1)
        matrix[:, : min(4, features)] -= noise[:, None]
        lists.append(([" ".join(row) for row in chosen], matrix))
    return Candidates.of(lists, tricolore.References(corpus.refs))
