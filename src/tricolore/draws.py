"""Random draws: the core's twin of NumPy's `default_rng(seed)`, so that anyone can repeat them; NumPy is not loaded."""

from __future__ import annotations

from . import _native
from .parameters import SEED, checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_32, _128 = 2**32 - 1, 2**128 - 1

#: The factor of PCG64 (O'Neill 2014).
_FACTOR = 0x2360ED051FC65DA44385DF649FCCF645


def stream(seed: int) -> _native.Draws:
    """The core's twin of `np.random.default_rng(seed)`."""
    state, increment = pcg64_state(checked("seed", seed, SEED))
    return _native.Draws(*divmod(state, 2**64), *divmod(increment, 2**64))


def draws(number: int, samples: int, seed: int) -> NDArray[np.int64]:
    """Draw `samples` resamples of `number` things, with replacement: their indices, one resample per row."""
    return stream(seed).integers(number, samples, number)


def pcg64_state(seed: int) -> tuple[int, int]:
    """`state` and `inc` of `np.random.PCG64(seed).state`."""
    words = _seed_words(seed)
    state, sequence = (words[i] << 64 | words[i + 1] for i in (0, 2))
    increment = (sequence << 1 | 1) & _128
    return ((increment + state) * _FACTOR + increment) & _128, increment


def _seed_words(seed: int) -> list[int]:
    """`np.random.SeedSequence(seed).generate_state(4, np.uint64)`: the hash of O'Neill's seed_seq_fe128."""
    entropy = [seed >> shift & _32 for shift in range(0, 128, 32)]
    hashed = _Hash(0x43B0D7E5, 0x931E8875)
    pool = [hashed(word) for word in entropy]
    for source in range(4):
        for target in range(4):
            if target != source:
                pool[target] = _mixed(pool[target], hashed(pool[source]))
    hashed = _Hash(0x8B51F9DD, 0x58F38DED)
    words = [hashed(pool[i % 4]) for i in range(8)]
    return [low | high << 32 for low, high in zip(words[::2], words[1::2], strict=True)]


class _Hash:
    """Hashes 32 bits, each time with another constant."""

    def __init__(self, constant: int, factor: int):
        self.constant, self.factor = constant, factor

    def __call__(self, value: int) -> int:
        value ^= self.constant
        self.constant = self.constant * self.factor & _32
        value = value * self.constant & _32
        return value ^ value >> 16


def _mixed(x: int, y: int) -> int:
    value = (0xCA01F9DD * x - 0x4973F715 * y) & _32
    return value ^ value >> 16
