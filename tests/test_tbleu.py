"""Tolerant BLEU against all alignments of a few words, and against BLEU where nothing is tolerated."""

import itertools
from collections import defaultdict
from fractions import Fraction
from functools import cache

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


@cache
def affix_distance(a, b):
    """Every common substring, the edits before it and after it; an exact fraction."""
    least = [
        levenshtein(a[:i], b[:j]) + levenshtein(a[i + size :], b[j + size :])
        for i in range(len(a))
        for j in range(len(b))
        for size in range(1, min(len(a) - i, len(b) - j) + 1)
        if a[i : i + size] == b[j : j + size]
    ]
    return min(Fraction(1), Fraction(min(least), max(len(a), len(b)))) if least else Fraction(1)


def left_over(words, others):
    """Places of the words that have no equal left among the others, in order."""
    others, places = list(others), []
    for i, word in enumerate(words):
        if word in others:
            others.remove(word)
        else:
            places.append(i)
    return places


def least_cost_alignments(hyp, ref):
    """Every alignment of least cost of the words that are left, as (place, place in the reference) in order."""
    here, there = left_over(hyp, ref), left_over(ref, hyp)
    if len(here) <= len(there):
        alignments = [[*zip(here, chosen, strict=True)] for chosen in itertools.permutations(there, len(here))]
    else:
        alignments = [sorted(zip(chosen, there, strict=True)) for chosen in itertools.permutations(here, len(there))]
    costs = [sum(affix_distance(hyp[i], ref[j]) for i, j in pairs) for pairs in alignments]
    return [pairs for pairs, cost in zip(alignments, costs, strict=True) if cost == min(costs)]


def first_alignment(hyp, ref):
    """Of these, one whose words are nearest, and of those the first; to be left alone comes last."""

    def rank(pairs):
        partner = dict(pairs)
        return sum(abs(i - j) for i, j in pairs), [partner.get(i, len(ref)) for i in range(len(hyp))]

    return min(least_cost_alignments(hyp, ref), key=rank)


def row(hyp, ref, pairs, order, threshold):
    changed, distance = list(hyp), [0.0] * len(hyp)
    for i, j in pairs:
        if affix_distance(hyp[i], ref[j]) <= threshold:
            changed[i], distance[i] = ref[j], float(affix_distance(hyp[i], ref[j]))
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


#: Words at many distances whose sums are equal: 1/3 + 1/3 + 1/3 = 1/2 + 1/2 = 1/4 + 3/4.
similar = st.lists(st.text(alphabet="ab", min_size=1, max_size=4), max_size=6)
strange = st.lists(st.sampled_from(["über", "uber", "中文", "中", "文字", "😀x", "😀", "a\u0301", "a"]), max_size=5)


@settings(max_examples=400)
@given(
    st.one_of(st.tuples(texts, texts), st.tuples(similar, similar), st.tuples(strange, strange)),
    st.sampled_from([0.0, 0.3, 0.5, 1.0]),
)
def test_of_all_alignments_of_least_cost_the_first_is_taken(pair, threshold):
    hyp, ref = pair
    made = TolerantBLEU(order=3, threshold=threshold, **RAW)
    found = made.stats([" ".join(hyp)], [" ".join(ref)]).values[0]
    np.testing.assert_allclose(found, row(hyp, ref, first_alignment(hyp, ref), 3, threshold), atol=1e-12)


@pytest.mark.parametrize(
    ("hyp", "ref", "cheapest", "chosen"),
    [
        ("ab ac", "ad ac", 1, [(0, 0)]),
        ("aac aab", "aad aae", 2, [(0, 0), (1, 1)]),  # the nearest
        ("x aa aa", "ab", 2, [(1, 0)]),
        ("p q aac r s aad", "p q r s x aae", 2, [(2, 4), (5, 5)]),
        ("p aac q r s aad", "q r p aae s", 2, [(1, 3)]),  # both are 2 words away: the first word is aligned
        ("p q aac r", "aad p q r aae", 2, [(2, 0)]),  # both are 2 words away: with the first word
    ],
)
def test_equal_costs_by_hand(hyp, ref, cheapest, chosen):
    hyp, ref = hyp.split(), ref.split()
    assert len(least_cost_alignments(hyp, ref)) == cheapest
    assert first_alignment(hyp, ref) == chosen
    found = TolerantBLEU(order=2, **RAW).stats([" ".join(hyp)], [" ".join(ref)]).values[0]
    np.testing.assert_allclose(found, row(hyp, ref, chosen, 2, 0.5), atol=1e-12)


def test_sums_of_thirds_and_halves_are_compared_exactly():
    """In double precision 1/3 + 1/3 + 1/3 is 1, but 1/10 added ten times is less."""
    hyp = [f"{letter * 9}{digit}" for digit, letter in enumerate("abcdefghij")]
    ref = [f"{letter * 9}x" for letter in "abcdefghij"]
    words = TolerantBLEU(order=1, threshold=1, **RAW).segment(" ".join(hyp), " ".join(ref[::-1]))
    assert words.counts == [pytest.approx(9.0)]


@pytest.mark.slow
def test_real_segments_against_every_alignment_of_least_cost(lines):
    """Where few words are left; alignments of least cost differ in score in some segments."""
    hyps, refs = (lines(f"human/mlqe-multiref-et-en/{name}.txt") for name in ("mt", "ref1"))
    made = TolerantBLEU(**RAW)
    found, tried, open_ = made.stats(hyps, refs).values, 0, 0
    for values, hyp, ref in zip(found, (h.split() for h in hyps), (r.split() for r in refs), strict=True):
        if max(len(left_over(hyp, ref)), len(left_over(ref, hyp))) > 5:
            continue
        tried += 1
        np.testing.assert_allclose(values, row(hyp, ref, first_alignment(hyp, ref), 4, 0.5), atol=1e-12)
        scores = [made.score(np.array(row(hyp, ref, pairs, 4, 0.5))) for pairs in least_cost_alignments(hyp, ref)]
        open_ += max(scores) - min(scores) > 1e-9
    assert tried > 100
    assert open_ > 0


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
