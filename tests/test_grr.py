"""4-GRR against its definition: all edit scripts, and the automaton of the paper as a table."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import sentence

from tricolore import GRR, SpecError, metric

# The definition ----------------------------------------------------------------------------------------------


def scripts(hyp, ref):
    """Every edit script as a string: m match, s substitution, i insertion, d deletion."""
    if not hyp and not ref:
        yield ""
    if hyp and ref:
        for rest in scripts(hyp[1:], ref[1:]):
            yield "s" + rest
            if hyp[0] == ref[0]:
                yield "m" + rest
    if hyp:
        for rest in scripts(hyp[1:], ref):
            yield "i" + rest
    if ref:
        for rest in scripts(hyp, ref[1:]):
            yield "d" + rest


def worth(script, order, alpha, beta):
    """k-grams matched in a row, less what insertions and deletions cost."""
    grams = sum("m" * k == script[at : at + k] for k in range(1, order + 1) for at in range(len(script)))
    return grams - alpha * script.count("i") - beta * script.count("d")


def numerator_by_enumeration(hyp, ref, order, alpha, beta):
    return max(worth(script, order, alpha, beta) for script in scripts(hyp, ref))


def numerator_by_automaton(hyp, ref, order, alpha, beta):
    """The best path from (i, m) on, reading the hypothesis from word t on; the transitions are the paper's."""

    @cache
    def best(t, i, m):
        options = [0.0] if t == len(hyp) and i == len(ref) else []
        if t < len(hyp) and i < len(ref):
            options.append(best(t + 1, i + 1, 0))
            if hyp[t] == ref[i]:
                options.append(m + 1 + best(t + 1, i + 1, min(m + 1, order - 1)))
        if i < len(ref):
            options.append(best(t, i + 1, 0) - beta)
        if t < len(hyp):
            options.append(best(t + 1, i, 0) - alpha)
        return max(options)

    return best(0, 0, 0)


def denominator(ref, order):
    return sum(max(0, len(ref) - k + 1) for k in range(1, order + 1))


def levenshtein(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row, before = [i], row
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y)))
    return row[-1]


few = sentence(4, st.sampled_from("abb"))
more = sentence(14, st.sampled_from(["a", "b", "über", "中文", "😀"]))
orders = st.sampled_from([1, 2, 4, 6])
costs = st.sampled_from([-0.9, 0.0, 0.25, 1.0, 2.5])


@given(hyp=few, ref=few, order=orders, alpha=costs, beta=costs)
def test_it_is_the_best_of_all_edit_scripts(hyp, ref, order, alpha, beta):
    score = GRR(order=order, alpha=alpha, beta=beta, tokenize="none").segment(hyp, ref)
    expected = numerator_by_enumeration(tuple(hyp.split()), tuple(ref.split()), order, alpha, beta)
    assert score.numerator == pytest.approx(expected, abs=1e-12)
    assert score.denominator == denominator(ref.split(), order)


@settings(max_examples=300)
@given(hyp=more, ref=more, order=orders, alpha=costs, beta=costs)
def test_it_is_the_best_path_of_the_automaton(hyp, ref, order, alpha, beta):
    score = GRR(order=order, alpha=alpha, beta=beta, tokenize="none").segment(hyp, ref)
    expected = numerator_by_automaton(hyp.split(), ref.split(), order, alpha, beta)
    assert score.numerator == pytest.approx(expected, abs=1e-12)


@given(hyp=sentence(100, st.sampled_from("abcde")), ref=sentence(100, st.sampled_from("abcde")))
@settings(max_examples=25)
def test_longer_texts(hyp, ref):
    score = GRR(tokenize="none").segment(hyp, ref)
    assert score.numerator == numerator_by_automaton(hyp.split(), ref.split(), 4, 1, 0)


@given(hyp=more, ref=more)
def test_of_order_one_it_is_word_recognition_rate(hyp, ref):
    score = GRR(order=1, tokenize="none").segment(hyp, ref)
    assert score.numerator == len(ref.split()) - levenshtein(hyp.split(), ref.split())
    if ref.split():
        assert float(score) == pytest.approx(float(metric("wrr").segment(hyp, ref)), abs=1e-12)


# Edges -------------------------------------------------------------------------------------------------------


def test_empty_texts():
    assert GRR(beta=0.5).segment("", "a b c").numerator == -1.5
    score = GRR(alpha=2).segment("a b", "")
    assert (score.numerator, score.denominator, float(score)) == (-4, 0, 0)
    both = GRR()(["a b", "c"], ["", "c"])
    assert (both.numerator, both.denominator) == (-1, 1)
    assert float(both) == -1
    assert float(GRR()([""], [""])) == 0


def test_it_is_1_for_a_copy_and_never_more():
    for text in ("a", "a b", "a b c", "a b c d e f g"):
        assert float(GRR().segment(text, text)) == 1


@given(hyp=more, ref=more, order=orders)
def test_at_most_1(hyp, ref, order):
    assert float(GRR(order=order, tokenize="none").segment(hyp, ref)) <= 1


def test_inserted_words_may_be_rewarded():
    assert float(GRR(alpha=-0.9, beta=1).segment("x " * 100, "a")) > 20


# Several references ------------------------------------------------------------------------------------------


def test_the_best_ratio_counts():
    grr = GRR(order=1)
    score = grr.segment("a b x", ["a b c d", "a b c"])
    assert (score.numerator, score.denominator) == (2, 3)
    tie = grr.segment("a b", ["a c", "a b c d"])  # both 1/2: the one with more n-grams
    assert (tie.numerator, tie.denominator) == (2, 4)


def test_an_empty_reference_is_no_way_out():
    score = GRR().segment("x y", ["", "a b c"])
    assert (score.numerator, score.denominator) == (0, 6)


@given(hyp=more, ref=more.filter(str.split), alpha=costs, beta=costs)
def test_an_empty_reference_never_counts_beside_a_real_one(hyp, ref, alpha, beta):
    grr = GRR(alpha=alpha, beta=beta, tokenize="none")
    alone = grr.stats([hyp], [ref]).values.tolist()
    for refs in (["", ref], [ref, ""], ["", ref, "", ref]):
        assert grr.stats([hyp], [refs]).values.tolist() == alone
        assert grr.segment(hyp, refs).stats.values.tolist() == alone[0]


def test_an_empty_reference_beside_a_real_one_where_insertions_are_rewarded():
    score = GRR(alpha=-0.9, beta=1).segment("a b", ["", "a b c"])
    assert (score.numerator, score.denominator) == (2, 6)  # matches a b and their bigram, less a deletion
    empty = GRR(alpha=-0.9, beta=1).segment("a b", ["", ""])
    assert (empty.numerator, empty.denominator, float(empty)) == (1.8, 0, 0)


def test_pooled_references_add_up():
    hyp, refs = "a b x d", ["a b c d", "b x", "d"]
    alone = [GRR().segment(hyp, ref) for ref in refs]
    pooled = GRR(multi_ref="pool").segment(hyp, refs)
    assert pooled.numerator == sum(one.numerator for one in alone)
    assert pooled.denominator == sum(one.denominator for one in alone)


@given(hyp=more, refs=st.lists(more, min_size=1, max_size=4))
def test_the_order_of_references_does_not_matter(hyp, refs):
    for mode in ("max", "pool"):
        grr = GRR(multi_ref=mode)
        assert grr.segment(hyp, refs).stats.values.tolist() == grr.segment(hyp, refs[::-1]).stats.values.tolist()


def test_with_one_reference_a_better_segment_makes_a_better_corpus():
    refs = ["a b c d e", "f g h"]
    better, worse = GRR()(["a b c d x", "f g x"], refs), GRR()(["a b c x x", "f g x"], refs)
    assert float(better) > float(worse)
    assert better.denominator == worse.denominator


# Size, names -------------------------------------------------------------------------------------------------


def test_long_texts():
    hyp, ref = (" ".join(f"w{i % n}" for i in range(5000)) for n in (700, 701))
    score = GRR().segment(hyp, ref)
    assert 0 < float(score) < 1
    same = GRR().segment(ref, ref)
    assert float(same) == 1


def test_orders_beyond_the_reference():
    score = GRR(order=100).segment("a b c", "a b c")
    assert (score.numerator, score.denominator, score.metric.title) == (6, 6, "100-GRR")


def test_names():
    assert metric("4-grr") == metric("grr") == GRR()
    assert (GRR.title, GRR().title, GRR(order=2).title) == ("4-GRR", "4-GRR", "2-GRR")
    assert GRR().signature().startswith("4-GRR|nrefs:unknown|")
    with pytest.raises(SpecError, match="order must be a whole number from 1 to 100"):
        GRR(order=0)


def test_token_numbers():
    assert float(GRR().segment([5, 6, 9, 8], [5, 6, 7, 8])) == float(GRR().segment("a b x d", "a b c d"))
