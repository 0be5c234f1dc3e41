"""N-grams matched in lanes of vectors: the same as one order after another, whatever vectors the processor has."""

import random

import pytest

import tricolore as tri
from tricolore import _native

ALL = 8
#: Around the numbers of words, or characters, from which on more words of bits are needed, and no lanes are used.
EDGES = [edge + one for edge in (0, 64, 128, 192, 256, 384, 512, 768, 1024) for one in (-1, 0, 1) if edge + one > 0]
METRICS = [tri.BLEU(order=n, tokenize="none") for n in (2, 4, 5, 8, 9)] + [tri.metric("chrf++"), tri.ChrF(char_order=8)]


@pytest.fixture(params=[4, ALL])
def lanes(request):
    """As many as the processor has; without any there is nothing to compare."""
    if _native.limit_lanes(request.param) != request.param:
        _native.limit_lanes(ALL)
        pytest.skip(f"this processor has no vectors of {request.param} lanes, or the core is compiled without")
    yield request.param
    _native.limit_lanes(ALL)


def texts(seed):
    """Words of few letters, so that n-grams repeat; a word, or a character without spaces, a place."""
    rng = random.Random(seed)
    for places in EDGES:
        for types in (1, 2, 7, 300):
            for length in (places, max(1, places + rng.randint(-9, 9)), rng.randint(1, 3 * places)):
                yield (*(" ".join(chr(33 + rng.randrange(types) % 90) for _ in range(n)) for n in (length, places)),)
                yield (*(" ".join(f"w{rng.randrange(types)}" for _ in range(n)) for n in (length, places)),)


@pytest.mark.parametrize("seed", range(2))
def test_lanes_match_as_single_orders_do(lanes, seed):
    hyps, refs = zip(*texts(seed), strict=True)
    counted = [metric.stats([*hyps], [*refs]).values for metric in METRICS]
    _native.limit_lanes(0)
    for metric, rows in zip(METRICS, counted, strict=True):
        assert (rows == metric.stats([*hyps], [*refs]).values).all(), metric
