"""`audit`, equal-score permutations: counts equal enumeration; metrics that ignore order, and metrics that do not."""

import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tricolore as tri
from tricolore.judge.audit.block_orders import block_orders

WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=6)


def split(text):
    return text.split()


def enumerated(found):
    """The different texts that orders of the blocks make, one by one."""
    return {tuple(word for block in order for word in block) for order in permutations(found.blocks)}


@given(WORDS, st.lists(WORDS, min_size=1, max_size=2), st.integers(1, 4))
def test_counts_equal_enumeration_and_every_order_scores_the_same_or_better(words, refs, order):
    found = block_orders(words, refs, order)
    texts = enumerated(found)
    assert found.exact
    assert round(10**found.log10) == len(texts)
    assert sum(map(len, found.blocks)) == len(words)
    bleu = tri.BLEU(order=order, tokenize="none")
    given_refs = [" ".join(ref) for ref in refs]
    own = float(bleu.segment(" ".join(words), given_refs))
    for text in texts:
        assert float(bleu.segment(" ".join(text), given_refs)) >= own - 1e-12


def test_where_no_blocks_can_meet_the_matches_stay_the_same():
    words, refs = split("a b x c d y e f z"), [split("a b q c d q e f")]
    found = block_orders(words, refs)
    assert (found.exact, len(found.blocks)) == (True, 6)
    rows = {
        tuple(tri.BLEU(tokenize="none").stats([" ".join(text)], [" ".join(refs[0])]).values[0])
        for text in enumerated(found)
    }
    assert len(rows) == 1
    assert 10**found.log10 == pytest.approx(math.factorial(6))


def test_many_blocks_are_counted_by_logarithms():
    words = [f"w{i}" for i in range(300)]
    found = block_orders(words, [["x"]])
    assert found.log10 == pytest.approx(math.lgamma(301) / math.log(10))
    assert found.exact
    linked = block_orders([*words, "a", "b"], [["b", "a"]])  # which may meet
    assert not linked.exact
    assert linked.log10 == pytest.approx(math.lgamma(303) / math.log(10))


def test_the_lecture_notes():
    """The dog and the mailman change places (Callison-Burch et al. 2006)."""
    found = block_orders(split("the dog snapped at the mailman"), [split("the dog bit the mailman")], 2)
    assert found.blocks == (("the", "dog"), ("snapped",), ("at",), ("the", "mailman"))
    assert round(10**found.log10) == 24
    assert split("the mailman snapped at the dog") in found.sample(100, seed=1)


def test_samples_are_different_and_not_the_hypothesis():
    found = block_orders(split("a b c"), [["x"]])
    sampled = found.sample(100, seed=3)
    assert sorted(map(tuple, sampled)) == sorted({*permutations("abc")} - {("a", "b", "c")})
    assert found.sample(2, seed=3) == found.sample(2, seed=3)
    assert block_orders(["a"], [["a"]]).sample(5, seed=1) == []


def bag(hyps, refs):
    """Ignores order altogether."""
    return [float(len({*hyp.split()} & {*ref.split()})) for hyp, ref in zip(hyps, refs, strict=True)]


def exactly(hyps, refs):
    """Knows one order: the nearer the words are to their places, the better."""
    return [-float(sum(abs(i - hyp.split().index(word)) for i, word in enumerate(sorted(hyp.split())))) for hyp in hyps]


TEXT = ["a b c d e", "d e f g", "a b c d e f g h i", "k l m n o p q r s t u v"]


def orders_of(metric, text=TEXT, **how):
    (found,) = tri.audit({"one": text}, text, [metric], only="permutations", **how)["permutations"].orders
    return found


def test_a_metric_that_ignores_order_has_all_permutations():
    found = orders_of(bag)
    assert found.method == "search"
    assert (found.several, found.random) == (1.0, 1.0)
    assert found.exact == 0.5  # two of the four segments have up to six words
    assert [found.quantiles[0], found.quantiles[-1]] == pytest.approx(
        [math.log10(math.factorial(4)), math.log10(math.factorial(12))]
    )
    verdict = tri.audit({"one": TEXT}, TEXT, [bag], only="permutations").verdict("bag", "one order")
    assert not verdict.holds


def test_swaps_of_neighbours_are_found_that_random_orders_miss():
    """Two wrong words side by side may stand in either order for WER; hardly any random order is as good."""
    ref = " ".join(f"w{i}" for i in range(20))
    found = tri.audit({"one": [ref.replace("w7 w8", "x y")]}, [ref], ["wer"], only="permutations")
    (orders,) = found["permutations"].orders
    assert (orders.several, orders.exact, round(10**orders.median)) == (1.0, 0.0, 2)
    assert "x y" in orders.examples[0].text and "y x" in orders.examples[0].reordered
    verdict = found.verdict("wer", "one order")
    assert (verdict.holds, verdict.shown) == (False, "≥2")
    assert verdict.sentence == (
        "Half of the segments have at least 2 orders of their words that score the same or better; one has at least 2."
    )
    assert found["permutations"].tables(None)[1].rows[0][3] == "≥0.3"


def test_a_count_is_called_exact_an_estimate_or_a_bound():
    """Six words are enumerated; of more, a bag of words takes all random orders, and WER none."""
    short, long = "a b c d e f", " ".join(f"w{i}" for i in range(20))
    for metric, bounds, half in (
        (bag, ("exact", "exact"), "720 or more"),
        (bag, ("about", "about"), "about 10^18.4 or more"),
        ("wer", ("at least", "at least"), None),
    ):
        text = [short] if bounds[0] == "exact" else [long]
        (orders,) = tri.audit({"one": text}, text, [metric], only="permutations")["permutations"].orders
        assert (orders.bounds[0], orders.bounds[-1]) == bounds
        sentence = tri.audit({"one": text}, text, [metric], only="permutations").verdicts[0].sentence
        assert f"have {half} orders" in sentence if half else sentence.endswith("or better, but not all were tried.")
    mixed = tri.audit({"one": [short, long]}, [short, long], [bag], only="permutations")["permutations"].orders[0]
    assert {*mixed.bounds} == {"about"}
    few = tri.audit({"one": [short, long]}, [short, long], ["wer"], only="permutations")["permutations"].orders[0]
    assert ({*few.bounds}, few.exact) == ({"at least"}, 0.5)


def test_without_two_words_there_is_no_verdict():
    found = tri.audit({"one": ["a", "b b"]}, ["a", "b"], ["wer", "bleu"], only="permutations")
    assert [found.verdict(name, "one order").holds for name in ("wer", "bleu")] == [None, None]


def test_per_has_all_permutations_of_words_that_repeat():
    found = orders_of("per", ["a a b c"])
    assert 10**found.median == pytest.approx(12)


def test_a_metric_that_knows_one_order_has_no_other():
    found = orders_of(exactly)
    assert (found.several, found.quantiles[-1]) == (0.0, 0.0)
    assert tri.audit({"one": TEXT}, TEXT, [exactly], only="permutations").verdict("exactly", "one order").holds


def test_bleu_of_order_1_has_all_permutations_in_closed_form():
    found = orders_of("bleu(order=1, tokenize=none)")
    assert found.method == "closed form"
    assert found.quantiles[-1] == pytest.approx(math.log10(math.factorial(12)))
    assert orders_of("bleu(tokenize=none)").quantiles[-1] == 0.0  # perfect: one block


def test_all_orders_of_few_words_are_found_where_blocks_have_fewer():
    """In one of the orders of its words, the text is better than in any order of its blocks."""
    found = tri.audit({"one": ["go we can"]}, [["we can go", "then go we"]], ["bleu"], only="permutations")
    assert not found.verdict("bleu", "one order").holds
    hyp, ref = "the cat sat on a mat", "the cat sat on the mat"
    (orders,) = tri.audit({"one": [hyp]}, [ref], ["bleu"], only="permutations")["permutations"].orders
    bleu = tri.metric("bleu").for_segments
    scores = [float(bleu.segment(" ".join(order), ref)) for order in {*permutations(hyp.split())}]
    own = float(bleu.segment(hyp, ref))
    assert round(10**orders.median) == sum(score >= own - 1e-12 for score in scores) > 6
    assert orders.exact == 1.0


def test_examples_score_what_they_say():
    refs, hyps = ["the dog bit the mailman on monday"], ["the dog snapped at the mailman yesterday"]
    found = tri.audit({"one": hyps}, refs, ["bleu(tokenize=none)", "wer"], only="permutations", examples=5)
    for one in found["permutations"].orders:
        for each in one.examples:
            metric = tri.metric(one.metric)
            assert sorted(each.reordered.split()) == sorted(hyps[0].split())
            assert 100 * float(metric.segment(each.reordered, refs[0])) == pytest.approx(each.reordered_score)
            assert 100 * float(metric.segment(each.text, refs[0])) == pytest.approx(each.score)
    assert len(found["permutations"].orders[0].examples) == 5


@given(WORDS)
def test_search_counts_what_enumeration_counts(words):
    """Up to six words, all orders are tried."""
    text = " ".join(words)
    if len({*words}) < 2:
        return
    wer = tri.metric("wer")
    own = float(wer.segment(text, "a b c d"))
    by_hand = sum(float(wer.segment(" ".join(order), "a b c d")) <= own + 1e-12 for order in {*permutations(words)})
    (found,) = tri.audit({"one": [text]}, ["a b c d"], ["wer"], only="permutations")["permutations"].orders
    assert round(10**found.median) == by_hand
