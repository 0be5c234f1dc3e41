"""How long rewards of a batch take: 512 completions of 256 token ids, as tensors, on one thread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import table
from measure import least
from table import Options, Row

import tricolore
from tricolore.adapters.rewards import Reward

COMPLETIONS, TOKENS, VOCABULARY = 512, 256, 32_000
#: The most seconds that each metric may take on one thread.
LIMITS = {"rouge-l": 0.004, "wer": 0.005, "chrf": 0.008, "bleu": 0.008}
#: The same for TER.
TER = 0.5


def measure(options: Options) -> Iterator[Row]:
    """Completions with half of their tokens right; for TER also such as have little in common with the reference."""
    near, far, refs = batch()
    for name, limit in LIMITS.items():
        yield of_batch(name, "half right", near, refs, limit, options.repeats(60))
    yield of_batch("ter", "half right", near, refs, TER, options.repeats(5))
    yield of_batch("ter", "mostly different", far, refs, TER, options.repeats(5))


def batch() -> tuple[Any, Any, Any]:
    """Completions near the references, others far from them, and references: tensors if there is torch, else arrays."""
    rng = np.random.default_rng(1)

    def drawn() -> Any:
        return np.minimum(rng.zipf(1.3, (COMPLETIONS, TOKENS)), VOCABULARY)

    refs, far = drawn(), drawn()
    near = np.where(rng.random(refs.shape) < 0.5, refs, drawn())
    try:
        import torch
    except ImportError:
        return near, far, refs
    return torch.from_numpy(near), torch.from_numpy(far), torch.from_numpy(refs)


def of_batch(name: str, what: str, hyps: Any, refs: Any, limit: float, repeats: int) -> Row:
    """The rewards of a batch, which are segment scores."""
    reward = Reward(name, "labels", ids=True, threads=1)
    found = np.array(reward(completion_ids=hyps, labels=refs))
    expected = tricolore.metric(name).segments(hyps, refs)
    agree = bool((found == (expected if reward.metric.higher_is_better else 1 - expected)).all())
    ours = least(lambda: reward(completion_ids=hyps, labels=refs), repeats)
    question = f"rewards: {name} of {COMPLETIONS} x {TOKENS} token ids, {what}"
    return Row(question, ours, bar=limit, limit=True, agree=agree, repeats=repeats)


if __name__ == "__main__":
    table.main(measure, __doc__)
