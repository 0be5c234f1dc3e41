"""GTM against its definition: all matches, and the greedy rule step by step."""

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import sentence

from tricolore import GTM, InputError, SpecError, metric

# The definition ----------------------------------------------------------------------------------------------


def runs(match):
    """Lengths of the diagonal blocks of a match, which is a set of pairs of positions."""
    return [next(n for n in range(1, len(match) + 2) if (i + n, j + n) not in match)
            for i, j in match if (i - 1, j - 1) not in match]  # fmt: skip


def all_matches(hyp, ref):
    """Every match, by what each word of the hypothesis is paired with."""
    options = [[None, *(j for j, word in enumerate(ref) if word == one)] for one in hyp]
    for chosen in product(*options):
        used = [j for j in chosen if j is not None]
        if len(set(used)) == len(used):
            yield {(i, j) for i, j in enumerate(chosen) if j is not None}


def exact(hyp, ref, e):
    return max(sum(n**e for n in runs(match)) for match in all_matches(hyp, ref))


def greedy(hyp, ref, e):
    """The longest block of unused words, ties by its place in the hypothesis and then in the reference."""
    free_hyp, free_ref, total = set(range(len(hyp))), set(range(len(ref))), 0
    while True:
        best = (0, 0, 0)
        for i, j in product(sorted(free_hyp), sorted(free_ref)):
            n = 0
            while i + n in free_hyp and j + n in free_ref and hyp[i + n] == ref[j + n]:
                n += 1
            best = max(best, (n, -i, -j))
        n, i, j = best[0], -best[1], -best[2]
        if n == 0:
            return total
        total += n**e
        free_hyp -= set(range(i, i + n))
        free_ref -= set(range(j, j + n))


def f_measure(size, c, r):
    if size == 0:
        return 0.0
    p, rec = size / c, size / r
    return 2 * p * rec / (p + rec)


def score(search, hyp, ref, e):
    hyp, ref = hyp.split(), ref.split()
    return f_measure(search(hyp, ref, e) ** (1 / e), len(hyp), len(ref))


letters = st.sampled_from("aab")
few = sentence(7, st.sampled_from("abc"))
more = sentence(12, st.sampled_from(["a", "b", "über", "中文", "😀", "x"]))
exponents = st.sampled_from([1, 1.2, 2, 3, 7.5])


@pytest.mark.slow
@settings(max_examples=300)
@given(hyp=few, ref=few, e=exponents)
def test_exact_is_the_best_of_all_matches(hyp, ref, e):
    found = float(GTM(e=e, method="exact", tokenize="none").segment(hyp, ref))
    assert found == pytest.approx(score(exact, hyp, ref, e), rel=1e-12)


@settings(max_examples=300)
@given(hyp=more, ref=more, e=exponents)
def test_greedy_follows_the_rule(hyp, ref, e):
    found = float(GTM(e=e, tokenize="none").segment(hyp, ref))
    assert found == pytest.approx(score(greedy, hyp, ref, e), rel=1e-12)


@given(hyp=sentence(60, letters), ref=sentence(60, letters))
def test_greedy_follows_the_rule_in_repetitive_text(hyp, ref):
    found = float(GTM(e=2, tokenize="none").segment(hyp, ref))
    assert found == pytest.approx(score(greedy, hyp, ref, 2), rel=1e-12)


@given(hyp=sentence(150, st.sampled_from("abcdefghij")), ref=sentence(150, st.sampled_from("abcdefghij")))
@settings(max_examples=15)
def test_greedy_follows_the_rule_in_long_text(hyp, ref):
    found = float(GTM(e=3, tokenize="none").segment(hyp, ref))
    assert found == pytest.approx(score(greedy, hyp, ref, 3), rel=1e-12)


@given(hyp=more, ref=more, e=exponents)
def test_exact_is_never_below_greedy(hyp, ref, e):
    best, quick = (float(GTM(e=e, method=method).segment(hyp, ref)) for method in ("exact", "greedy"))
    assert best >= quick - 1e-12


@given(hyp=more, ref=more)
def test_without_exponent_it_is_the_overlap_of_bags(hyp, ref):
    overlap = (Counter(hyp.split()) & Counter(ref.split())).total()
    expected = f_measure(overlap, len(hyp.split()), len(ref.split()))
    for method in ("exact", "greedy"):
        assert float(GTM(method=method, tokenize="none").segment(hyp, ref)) == pytest.approx(expected, rel=1e-12)


# Several references ------------------------------------------------------------------------------------------


@given(hyp=more, refs=st.lists(more, min_size=1, max_size=4))
def test_the_best_reference_counts(hyp, refs):
    gtm = GTM(e=2, tokenize="none")
    alone = [gtm.segment(hyp, ref) for ref in refs]
    best = max(alone, key=float)
    together = gtm.segment(hyp, refs)
    assert float(together) == float(best)
    assert (together.precision, together.recall) in [(one.precision, one.recall) for one in alone]
    assert gtm.segment(hyp, refs[::-1]).stats.values.tolist() == together.stats.values.tolist()


@given(hyp=few, refs=st.lists(sentence(4, st.sampled_from("abc")), min_size=1, max_size=3))
def test_concatenated_references_have_barriers(hyp, refs):
    joined = " | ".join(refs).split()  # a bar is no word of the hypothesis
    mean = sum(len(ref.split()) for ref in refs) / len(refs)
    for method, search in (("exact", exact), ("greedy", greedy)):
        found = float(GTM(e=2, method=method, multi_ref="concat", tokenize="none").segment(hyp, refs))
        size = math.sqrt(search(hyp.split(), joined, 2))
        assert found == pytest.approx(f_measure(size, len(hyp.split()), mean) if mean else 0, rel=1e-12)


def test_one_reference_is_the_same_either_way():
    for e in (1, 2):
        best, concat = (GTM(e=e, multi_ref=mode) for mode in ("max", "concat"))
        assert float(best.segment("a b c a b", "a b a b c")) == float(concat.segment("a b c a b", "a b a b c"))


def test_no_run_crosses_from_one_reference_to_the_next():
    gtm = GTM(e=2, multi_ref="concat")
    assert float(gtm.segment("a b c d", ["a b", "c d"])) == pytest.approx(f_measure(math.sqrt(8), 4, 2))


# The corpus --------------------------------------------------------------------------------------------------


def test_the_corpus_is_the_mean_of_its_segments():
    hyps, refs = ["a b c", "", "x y", "a"], ["a b", "a", ["y x", "x z z"], ""]
    gtm = GTM(e=2)
    assert float(gtm(hyps, refs)) == pytest.approx(np.mean(gtm.segments(hyps, refs)), rel=1e-15)
    rows = gtm.stats(hyps, refs)
    assert rows.columns == ("precision", "recall", "f", "segments")
    assert rows["segments"].tolist() == [1, 1, 1, 1]
    assert rows.values[1].tolist() == rows.values[3].tolist() == [0, 0, 0, 1]


def test_token_numbers():
    assert float(GTM(e=2).segment([1, 2, 3, 9], [[1, 2, 7], [1, 2, 3]])) == float(GTM(e=2).segment("a b c x", "a b c"))


# Size --------------------------------------------------------------------------------------------------------


def numbers(count, modulus, kinds):
    return " ".join(str(i * i % modulus % kinds) for i in range(count))


@pytest.mark.parametrize(
    ("hyp", "ref"),
    [
        ("w " * 5000, "w " * 4000),
        (" ".join(f"w{i % 700}" for i in range(5000)), " ".join(f"w{i % 701}" for i in range(5000))),
        (numbers(5000, 7, 2), numbers(5000, 11, 2)),
    ],
    ids=["one word", "almost periodic", "two words"],
)
def test_long_texts(hyp, ref):
    assert 0 < float(GTM(e=2).segment(hyp, ref)) < 1


def test_one_word_many_times_is_one_run():
    score = GTM(e=3).segment("w " * 5000, "w " * 4000)
    assert (score.precision, score.recall) == (0.8, 1.0)


@pytest.mark.parametrize("e", [1, 2, 50, 1000, 1e9])
def test_no_exponent_is_too_large(e):
    text = " ".join(f"w{i}" for i in range(3000))
    assert float(GTM(e=e).segment(text, text)) == 1
    if e >= 50:  # nothing but the longest run is left
        score = GTM(e=e).segment("a b c x d e", "a b c y d e")
        assert score.precision == pytest.approx(0.5, rel=1e-6)
        best = GTM(e=e, method="exact").segment("a b c x d e", "a b c y d e")
        assert best.precision == pytest.approx(0.5, rel=1e-6)


@pytest.mark.parametrize("words", [30, 200])
def test_exact_finds_the_obvious_in_repetitive_text(words):
    text = " ".join(["a"] * words)
    assert float(GTM(e=2, method="exact").segment(text, text)) == 1
    assert float(GTM(e=2, method="exact").segment(text, text + " a a a")) == pytest.approx(2 * words / (2 * words + 3))


HARD = numbers(300, 101, 5), numbers(300, 103, 5)


def test_beyond_the_bound_exact_names_the_segment():
    exact_gtm = GTM(e=2, method="exact")
    hyps, refs = ["a b", "a", HARD[0], "b"], ["a b", "a", HARD[1], "b"]
    with pytest.raises(InputError, match=r"^segment 2: gtm: .* use method=greedy$"):
        exact_gtm(hyps, refs)
    with pytest.raises(InputError, match=r"^segment 2: gtm: .* use method=greedy$"):
        exact_gtm.segments(hyps, [[ref, "z"] for ref in refs])
    with pytest.raises(InputError, match=r"^gtm: .* use method=greedy$"):
        exact_gtm.segment(*HARD)
    assert 0 < float(GTM(e=2).segment(*HARD)) < 1
    assert 0 < float(GTM(e=1, method="exact").segment(*HARD)) < 1  # needs no search


# Parameters --------------------------------------------------------------------------------------------------


def test_spec_and_signature():
    assert metric("gtm(e=2, method=exact)") == GTM(e=2, method="exact")
    assert GTM() == metric("gtm")
    assert "|e:2.0|method:greedy|" in GTM(e=2).signature() or "|e:2|method:greedy|" in GTM(e=2).signature()
    assert GTM(method="exact").signature() == GTM().signature()  # one and the same where e is 1


@pytest.mark.parametrize("e", [0.5, 0, -1, "two", math.nan, math.inf])
def test_exponents_below_one_are_refused(e):
    with pytest.raises(SpecError, match="gtm: e must be a number, 1 or more"):
        GTM(e=e)
