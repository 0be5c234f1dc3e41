"""LeBLEU beside its definition, word for word."""

import math
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import adversarial, copies, corpus, sentence

from tricolore import LeBLEU, SpecError
from tricolore.metrics.lebleu import smoothed


def levenshtein(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y)))
    return row[-1]


def kept(words, most):
    """Start positions of n-grams that are looked at."""
    if most >= words:
        return range(words)
    if most / words < 0.5:
        return [i for i in range(words) if i % (words // most) == 0]
    every = words // (words - most)
    return [i for i in range(words) if i % every < every - 1]


def grams(words, order, limit):
    starts = kept(len(words), limit // order if limit else len(words))
    return Counter(" ".join(words[i : i + n]) for n in range(1, order + 1) for i in starts if i + n <= len(words))


def row(hyp, ref, order, threshold, limit, sample_ref):
    """Hits, totals and lengths of one segment with one reference."""
    hits, totals = [0.0] * order, [0] * order
    others = grams(ref.split(), 2 * order, limit if sample_ref else None)
    for gram, count in grams(hyp.split(), order, limit).items():
        similar = []
        for other, most in others.items():
            sim = 1 - levenshtein(gram, other) / max(len(gram), len(other))
            if sim >= threshold:
                similar += [sim] * min(count, most)
        n = len(gram.split()) - 1
        hits[n] += sum(sorted(similar, reverse=True)[:count])
        totals[n] += count
    return [*hits, *totals, len(hyp.strip()), len(ref.strip())]


@settings(max_examples=150)
@given(
    data=st.one_of(
        corpus(adversarial, 2, 1),
        copies(sentence(8)),
        corpus(st.text("ab ", max_size=25), 3, 1),
        corpus(sentence(6), 3, 1),
    ),
    order=st.integers(1, 4),
    threshold=st.sampled_from([0, 0.2, 0.4, 0.5, 0.8, 1]),
    limit=st.sampled_from([None, 2000, 8, 12, 20]),
    sample_ref=st.booleans(),
)
def test_counts_are_those_of_the_definition(data, order, threshold, limit, sample_ref):
    hyps, refs = data
    firsts = [entry[0] for entry in refs]
    ours = LeBLEU(order=order, threshold=threshold, limit=limit, sample_ref=sample_ref).stats(hyps, firsts).values
    theirs = [row(hyp, ref, order, threshold, limit, sample_ref) for hyp, ref in zip(hyps, firsts, strict=True)]
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("length", [5, 14, 15, 16, 17, 31, 33, 65])
def test_n_grams_longer_than_a_word_of_bits(length):
    """Four words of these lengths fill 64 characters, or 128, or more."""
    rng = random.Random(length)
    vocabulary = ["".join(rng.choices("abcdeäß東", k=max(1, length + rng.randint(-2, 2)))) for _ in range(6)]
    hyp = " ".join(rng.choices(vocabulary, k=7))
    ref = " ".join(word[: rng.randint(1, len(word))] + "x" for word in rng.choices(vocabulary, k=6))
    ours = LeBLEU(threshold=0.1).stats([hyp], [ref]).values[0]
    np.testing.assert_allclose(ours, row(hyp, ref, 4, 0.1, 2000, True), rtol=1e-12)


def test_the_score_is_a_mean_times_a_penalty():
    score = LeBLEU(order=2)(["aa bb", "cc"], ["aa bx", "cc dd ee"])
    hits, totals = np.add(row("aa bb", "aa bx", 2, 0.4, 2000, True), row("cc", "cc dd ee", 2, 0.4, 2000, True))[
        :4
    ].reshape(2, 2)
    assert float(score) == pytest.approx(math.exp(1 - 13 / 7) * (hits / totals).mean())
    geometric = LeBLEU(order=2, mean="geometric")(["aa bb", "cc"], ["aa bx", "cc dd ee"])
    assert float(geometric) == pytest.approx(math.exp(1 - 13 / 7) * math.sqrt(math.prod(hits / totals)))


def test_several_references_the_best_counts():
    best = LeBLEU()(["the houses"], [["a garden", "the house", "some trees"]])
    assert float(best) == float(LeBLEU()(["the houses"], ["the house"]))


def test_clipping_is_by_hypothesis_n_gram():
    assert LeBLEU(order=1).stats(["talo talot"], ["talo"])["hits_1"].tolist() == pytest.approx([1.8])
    assert LeBLEU(order=1).stats(["a a a"], ["a"])["hits_1"].tolist() == [1]


def test_smoothing_of_orders_without_hits():
    assert smoothed([0.0, 0.0]) == [0.5, 0.25]
    assert smoothed([2.0, 1.0]) == [2.0, 1.0]
    many = smoothed([np.array([3.0, 0.0]), np.array([0.0, 1.0]), np.array([0.0, 0.0])])
    assert np.array(many).T.tolist() == [[3, 0.5, 0.25], [0.5, 1, 0.125]]
    strict = LeBLEU(mean="geometric", threshold=1)
    assert float(strict(["a b c d"], ["a x y z"])) == 0
    eased = LeBLEU(mean="geometric", threshold=1, smooth=True)
    p = [1 / 4, 1 / 2 / 3, 1 / 4 / 2, 1 / 8 / 1]
    assert float(eased(["a b c d"], ["a x y z"])) == pytest.approx(math.prod(p) ** (1 / 4))


def test_a_limit_that_keeps_nothing_is_refused():
    with pytest.raises(SpecError, match="limit must be at least 2 \\* order = 8; got 7"):
        LeBLEU(limit=7)


@given(st.lists(st.integers(0, 3), max_size=9), st.lists(st.integers(0, 3), max_size=9), st.integers(1, 3))
def test_token_numbers_are_letters_side_by_side(hyp, ref, order):
    def grams_of(ids, order):
        return Counter(tuple(ids[i : i + n]) for n in range(1, order + 1) for i in range(len(ids) - n + 1))

    hits, totals = [0.0] * order, [0] * order
    for gram, count in grams_of(hyp, order).items():
        similar = []
        for other, most in grams_of(ref, 2 * order).items():
            sim = 1 - levenshtein(gram, other) / max(len(gram), len(other))
            similar += [sim] * min(count, most) if sim >= 0.4 else []
        hits[len(gram) - 1] += sum(sorted(similar, reverse=True)[:count])
        totals[len(gram) - 1] += count
    ours = LeBLEU(order=order).stats([hyp], [[ref]]).values[0]
    np.testing.assert_allclose(ours, [*hits, *totals, len(hyp), len(ref)], rtol=1e-12, atol=1e-12)


def test_of_equally_good_references_the_nearest_in_length_counts():
    refs = ["q", "a much longer reference that shares nothing with it at all", "vv ww"]
    assert LeBLEU().stats(["x y z"], [refs])["ref_chars"].tolist() == [5]
