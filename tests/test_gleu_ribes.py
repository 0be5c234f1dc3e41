"""GLEU and RIBES equal their definitions, written out slowly here, and NLTK where it follows them."""

import math
from itertools import combinations

import numpy as np
import oracles
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from nltk.translate.gleu_score import corpus_gleu, sentence_gleu
from nltk.translate.ribes_score import corpus_ribes, sentence_ribes
from strategies import adversarial, copies, corpus, encodable, sentence

from tricolore import GLEU, RIBES, SpecError, metric, tokenize


def words_of(hyps, refs, cut=str.split):
    return [*map(cut, hyps)], [[*map(cut, entry)] for entry in refs]


def universal(text):
    return tokenize(text, "universal")


few = st.sampled_from(["a", "b", "c", "d"])  # so that words are repeated, and contexts decide
corpora = st.one_of(copies(sentence(14)), corpus(sentence(9, few)), copies(sentence(16, few)))

# GLEU --------------------------------------------------------------------------------------------------------


def gleu_row(hyp, refs, low, high):
    found = []
    for ref in refs:
        match = sum(oracles.match(hyp, [ref], n) for n in range(low, high + 1))
        total = max(sum(oracles.total(text, n) for n in range(low, high + 1)) for text in (hyp, ref))
        found += [(match, total)] if total else []
    return max(found, key=lambda pair: pair[0] / pair[1], default=(0, 0))


@pytest.mark.parametrize(("low", "high"), [(1, 4), (1, 1), (2, 3), (3, 12)])
@given(data=corpora)
def test_gleu_equals_the_definition_and_nltk(low, high, data):
    made = GLEU(min_order=low, order=high, tokenize="none")
    hyps, refs = words_of(*data)
    expected = [gleu_row(hyp, entry, low, high) for hyp, entry in zip(hyps, refs, strict=True)]
    assert [*map(tuple, made.stats(*data).values.tolist())] == expected
    assert float(made(*data)) == corpus_gleu(refs, hyps, low, high)
    for pair, hyp, entry in zip(zip(*data, strict=True), hyps, refs, strict=True):
        assert float(made.segment(*pair)) == sentence_gleu(entry, hyp, low, high)


@given(data=copies(encodable))
def test_gleu_equals_nltk_on_any_text(data):
    hyps, refs = words_of(*data, universal)
    assert float(GLEU()(*data)) == corpus_gleu(refs, hyps)


@settings(max_examples=10)
@given(one=sentence(140, min_size=66), other=sentence(140, min_size=66))
def test_gleu_of_long_texts(one, other):
    made = GLEU(tokenize="none")
    for hyp, ref in ((one, other), (one + " x " + other, one), (one, one)):
        assert float(made.segment(hyp, ref)) == sentence_gleu([ref.split()], hyp.split())


def test_gleu_equals_nltk_on_shared_data(lines):
    refs = [[ref] for ref in lines("human/mqm-ted-ende/references/ref.txt")]
    hyps = lines("human/mqm-ted-ende/systems/Facebook-AI.txt")
    tokens = words_of(hyps, refs, universal)
    assert float(GLEU()(hyps, refs)) == corpus_gleu(*reversed(tokens))


def test_gleu_is_the_lesser_of_precision_and_recall():
    assert float(GLEU(order=1).segment("a b", "a b c d")) == 0.5
    assert float(GLEU(order=1).segment("a b c d", "a b")) == 0.5
    assert [float(GLEU().segment(*pair)) for pair in (("", "a"), ("a", ""), ("", ""), ("", ["", "a"]))] == [0] * 4


def test_gleu_refuses_orders_upside_down():
    with pytest.raises(SpecError, match="min_order must be at most order; got 5 and 4"):
        metric("gleu(min_order=5)")


# RIBES -------------------------------------------------------------------------------------------------------


def occurrences(gram, words):
    return [i for i in range(len(words) - len(gram) + 1) if words[i : i + len(gram)] == gram]


def places(hyp, ref, sides=("after", "before"), reach=None):
    """Where words of the hypothesis are found in the reference: contexts of growing length until one is unique."""
    found = []
    for i, word in enumerate(hyp):
        if len(occurrences([word], hyp)) == len(occurrences([word], ref)) == 1:
            found.append(ref.index(word))
            continue
        for size in range(1, reach(i, len(hyp)) if reach else len(hyp)):
            grams = {
                "after": (hyp[i : i + size + 1], 0) if i + size < len(hyp) else None,
                "before": (hyp[i - size : i + 1], size) if size <= i else None,
            }
            unique = [
                occurrences(gram, ref)[0] + offset
                for gram, offset in filter(None, (grams[side] for side in sides))
                if len(occurrences(gram, hyp)) == len(occurrences(gram, ref)) == 1
            ]
            if unique:
                found.append(unique[0])
                break
    return found


def ribes(hyp, refs, alpha=0.25, beta=0.1, sides=("after", "before")):
    best = 0.0
    for ref in refs:
        if not hyp or not ref:
            continue
        found = places(hyp, ref, sides)
        if len(found) == len(ref) == 1:
            tau = 1.0
        elif len(found) < 2:
            continue
        else:
            pairs = [*combinations(found, 2)]
            tau = sum(a < b for a, b in pairs) / len(pairs)
        bp = min(1.0, math.exp(1 - len(ref) / len(hyp)))
        best = max(best, tau * (len(found) / len(hyp)) ** alpha * bp**beta)
    return best


@pytest.mark.parametrize("context", ["after", "before"])
@given(data=corpora)
def test_ribes_equals_the_definition(context, data):
    made = RIBES(tokenize="none", alpha=0.3, beta=0.2, context=context)
    sides = ("after", "before") if context == "after" else ("before", "after")
    expected = [ribes(hyp, entry, 0.3, 0.2, sides) for hyp, entry in zip(*words_of(*data), strict=True)]
    np.testing.assert_allclose(made.segments(*data), expected, rtol=1e-12)
    assert float(made(*data)) == pytest.approx(sum(expected) / len(expected), rel=1e-12)


def follows_the_definition(hyp, refs):
    """Whether NLTK must give the same number: no one-word reference, and no context that it leaves out matters."""

    def reach(i, length):
        return max(i, length - i + 1)

    return all(len(ref) != 1 and places(hyp, ref) == places(hyp, ref, reach=reach) for ref in refs)


@given(data=corpora)
def test_ribes_equals_nltk_where_it_follows_the_definition(data):
    made = RIBES(tokenize="none")
    hyps, refs = words_of(*data)
    kept = [i for i, (hyp, entry) in enumerate(zip(hyps, refs, strict=True)) if follows_the_definition(hyp, entry)]
    assume(kept)
    theirs = [sentence_ribes(refs[i], hyps[i]) for i in kept]
    np.testing.assert_allclose(made.segments(*data)[kept], theirs, rtol=1e-12)
    if len(kept) == len(hyps):
        assert float(made(*data)) == pytest.approx(corpus_ribes(refs, hyps), rel=1e-12)


@pytest.mark.slow
def test_ribes_equals_nltk_on_shared_data(lines):
    refs = [[ref] for ref in lines("human/mqm-ted-ende/references/ref.txt")]
    hyps = lines("human/mqm-ted-ende/systems/Facebook-AI.txt")
    cut = words_of(hyps, refs, universal)
    kept = [i for i, (hyp, entry) in enumerate(zip(*cut, strict=True)) if follows_the_definition(hyp, entry)]
    theirs = [sentence_ribes(cut[1][i], cut[0][i]) for i in kept]
    assert len(kept) > 0.9 * len(hyps)
    np.testing.assert_allclose(RIBES().segments(hyps, refs)[kept], theirs, rtol=1e-12)


def test_nltk_does_not_look_back_to_the_beginning():
    """The last b is certain only by all that stands before it."""
    hyp, ref = "a b b", "a b b c b b"
    ours, theirs = RIBES(tokenize="none").segment(hyp, ref), sentence_ribes([ref.split()], hyp.split())
    assert places(hyp.split(), ref.split()) == [0, 1, 2]
    assert float(ours) == pytest.approx(ribes(hyp.split(), [ref.split()]))
    assert theirs != pytest.approx(float(ours))


def test_nltk_gives_nothing_to_a_reference_of_one_word():
    made = RIBES(tokenize="none")
    assert float(made.segment("yes", "yes")) == 1.0
    assert float(made.segment("yes sir", "yes")) == pytest.approx(0.5**0.25)
    assert sentence_ribes([["yes"]], ["yes"]) == 0.0


def test_nltk_refuses_long_texts():
    text = " ".join(f"w{i}" for i in range(2001))
    assert float(RIBES().segment(text, text)) == 1.0
    with pytest.raises(ValueError, match="MAX_ALIGNMENT_LEN"):
        sentence_ribes([text.split()], text.split())


def test_the_authors_program_looks_at_the_words_before_first():
    """In the paper's example "because he" and "he was" are both unique, and name different places."""
    hyp = "he read the book because he was interested in world history"
    ref = "he was interested in world history because he read the book"
    assert places(hyp.split(), ref.split()) == [7, 8, 9, 10, 6, 0, 1, 2, 3, 4, 5]  # as in the paper
    scores = [float(RIBES(tokenize="none", context=side).segment(hyp, ref)) for side in ("after", "before")]
    assert scores == pytest.approx([21 / 55, 17 / 55])


@pytest.mark.parametrize(
    ("hyp", "ref", "pairs"),
    [
        ("Bob hit John yesterday", "John hit Bob yesterday", [4, 3]),
        ("the book was read by the boy", "the boy read the book", [5, 2]),
    ],
)
def test_examples_of_the_paper(hyp, ref, pairs):
    assert RIBES(tokenize="none").counter.segment(hyp, ref)[0][:2] == pairs


@given(data=copies(adversarial))
def test_ribes_is_defined_on_any_text(data):
    scores = RIBES().segments(*data)
    assert ((scores >= 0) & (scores <= 1)).all()


def test_long_texts_are_bounded():
    rng = np.random.default_rng(5)
    texts = [" ".join(f"w{i}" for i in rng.zipf(1.3, size=5000)) for _ in range(2)]
    for made in (RIBES(), GLEU()):
        assert 0 <= float(made.segment(*texts)) < 1
        assert 0 <= float(made.segment("w " * 5000, "w " * 4999)) < 1
