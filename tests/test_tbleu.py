"""Tolerant BLEU against all assignments of a few words, and against BLEU where nothing is tolerated."""

import itertools
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import ngrams
from strategies import adversarial, copies, sentence

from tricolore import BLEU, TolerantBLEU, _native

RAW = {"tokenize": "none"}


def levenshtein(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


def affix_distance(a, b):
    """Every common substring, the edits before it and after it."""
    least = [
        levenshtein(a[:i], b[:j]) + levenshtein(a[i + size :], b[j + size :])
        for i in range(len(a))
        for j in range(len(b))
        for size in range(1, min(len(a) - i, len(b) - j) + 1)
        if a[i : i + size] == b[j : j + size]
    ]
    return min(1.0, min(least) / max(len(a), len(b))) if least else 1.0


def left_over(words, others):
    """Places of the words that have no equal left among the others, in order."""
    others, places = list(others), []
    for i, word in enumerate(words):
        if word in others:
            others.remove(word)
        else:
            places.append(i)
    return places


def all_rows(hyp, ref, order, threshold):
    """The rows of every assignment of least cost."""
    here, there = left_over(hyp, ref), left_over(ref, hyp)
    if len(here) <= len(there):
        assignments = [list(zip(here, chosen, strict=True)) for chosen in itertools.permutations(there, len(here))]
    else:
        assignments = [list(zip(chosen, there, strict=True)) for chosen in itertools.permutations(here, len(there))]
    costs = [sum(affix_distance(hyp[i], ref[j]) for i, j in pairs) for pairs in assignments]
    for pairs, cost in zip(assignments, costs, strict=True):
        if cost < min(costs) + 1e-6:
            yield row(hyp, ref, pairs, order, threshold)


def row(hyp, ref, pairs, order, threshold):
    changed, distance = list(hyp), [0.0] * len(hyp)
    for i, j in pairs:
        if affix_distance(hyp[i], ref[j]) <= threshold:
            changed[i], distance[i] = ref[j], affix_distance(hyp[i], ref[j])
    matches = []
    for n in range(1, order + 1):
        weights = defaultdict(list)
        for i in range(len(hyp) - n + 1):
            weights[tuple(changed[i : i + n])].append(1 - sum(distance[i : i + n]) / n)
        counts = ngrams(ref, n)
        matches.append(sum(sum(sorted(some, reverse=True)[: counts[gram]]) for gram, some in weights.items()))
    totals = [max(0, len(hyp) - n + 1) for n in range(1, order + 1)]
    return [*matches, *totals, len(hyp), len(ref)]


spelled = st.text(alphabet="abcd", min_size=1, max_size=4)


@given(spelled, spelled)
def test_affix_distance(a, b):
    assert _native.affix_distance(a, b) == pytest.approx(affix_distance(a, b), abs=1e-12)


@given(st.text(min_size=1, max_size=8), st.text(min_size=1, max_size=8))
def test_affix_distance_of_any_text(a, b):
    assert _native.affix_distance(a, b) == pytest.approx(affix_distance(a, b), abs=1e-12)


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [
        ("walked", "walks", 2 / 6),
        ("a", "a", 0),
        ("ab", "cd", 1),
        ("ab", "ba", 1),
        ("aba", "ba", 1 / 3),
        ("😀x", "😀", 0.5),
    ],
)
def test_affix_distance_by_hand(a, b, distance):
    assert _native.affix_distance(a, b) == pytest.approx(distance)


texts = st.lists(
    st.sampled_from(["walk", "walks", "walked", "talk", "ab", "ba", "aba", "x", "the", "über"]), max_size=5
)


@settings(max_examples=300)
@given(texts, texts, st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_rows_are_those_of_an_assignment_of_least_cost(hyp, ref, threshold):
    made = TolerantBLEU(order=3, threshold=threshold, **RAW)
    found = made.stats([" ".join(hyp)], [" ".join(ref)]).values[0]
    possible = list(all_rows(hyp, ref, 3, threshold))
    assert any(np.allclose(found, expected, atol=1e-9) for expected in possible), (found, possible)


@settings(max_examples=60)
@given(st.one_of(copies(sentence()), copies(adversarial)), st.sampled_from(["exp", "none", 0, 2, 7]))
def test_nothing_tolerated_is_bleu(data, smooth):
    hyps, refs = data[0], [entry[0] for entry in data[1]]
    tolerant, bleu = TolerantBLEU(threshold=0, smooth=smooth), BLEU(smooth=smooth)
    assert tolerant.stats(hyps, refs).values.tolist() == bleu.stats(hyps, refs).values.tolist()
    assert float(tolerant(hyps, refs)) == float(bleu(hyps, refs))


@settings(max_examples=60)
@given(copies(sentence()))
def test_tolerance_never_lowers_the_matched_words(data):
    hyps, refs = data[0], [entry[0] for entry in data[1]]
    assert (TolerantBLEU().stats(hyps, refs)["match_1"] >= BLEU().stats(hyps, refs)["match_1"]).all()


def test_of_several_references_the_best_is_taken():
    hyp, refs = "she walked home late", ["he runs", "she walks home late", "she walked"]
    made = TolerantBLEU()
    assert float(made.segment(hyp, refs)) == max(float(made.segment(hyp, ref)) for ref in refs)
    assert made.segments([hyp], [refs])[0] == float(made.segment(hyp, refs))


def test_too_many_words_are_not_aligned():
    hyp, ref = "aa bb cc", "ab bc cd"
    assert TolerantBLEU(assign=3).segment(hyp, ref).counts[0] > 0
    assert TolerantBLEU(assign=2).segment(hyp, ref).counts[0] == 0
    assert "|assign:2|" in TolerantBLEU(assign=2).signature()


def test_token_numbers_are_equal_or_not():
    score = TolerantBLEU()([[1, 2, 3, 4, 5]], [[[1, 2, 3, 4, 6]]])
    assert score.counts == [4, 3, 2, 1]
    assert "|tok:ids|" in score.signature


def test_empty_texts():
    for hyp, ref in [("", "a"), ("a", ""), ("", "")]:
        assert float(TolerantBLEU().segment(hyp, ref)) == 0


@pytest.mark.parametrize(
    ("hyp", "ref"),
    [
        (" ".join(f"w{i}x" for i in range(400)), " ".join(f"w{i}y" for i in range(400))),
        (" ".join(f"w{i}x" for i in range(5000)), " ".join(f"w{i}y" for i in range(5000))),
        ("the " * 5000, "then " * 4000),
        ("x" * 3000, "x" * 1500 + "y" * 1500),
    ],
)
def test_long_texts_are_bounded(hyp, ref):
    assert 0 <= float(TolerantBLEU().segment(hyp, ref)) < 1
