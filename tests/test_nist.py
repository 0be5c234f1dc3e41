"""NIST follows mteval's arithmetic: the oracle with any references, NLTK with one."""

import dataclasses
import math
import pickle

import numpy as np
import oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import adversarial, copies, corpus, sentence

from tricolore import NIST, InputError, References


def cut(data, tokens=str.split):
    hyps, refs = data
    return [tokens(hyp) for hyp in hyps], [[tokens(ref) for ref in entry] for entry in refs]


# Values ------------------------------------------------------------------------------------------------------


@given(data=st.one_of(copies(sentence()), corpus(sentence())), order=st.integers(1, 7))
def test_equals_the_oracle(data, order):
    expected = oracles.nist(*cut(data), order)
    assert float(NIST(order=order, tokenize="none")(*data)) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(data=copies(adversarial), tokenize=st.sampled_from(list(oracles.TOKENIZERS)))
def test_equals_the_oracle_on_any_text(data, tokenize):
    expected = oracles.nist(*cut(data, oracles.TOKENIZERS[tokenize]))
    assert float(NIST(tokenize=tokenize)(*data)) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(data=corpus(sentence(30, min_size=5), max_references=1), order=st.integers(1, 5))
def test_equals_nltk_with_one_reference(data, order):
    nist_score = pytest.importorskip("nltk.translate.nist_score")
    hyps, refs = cut(data)
    theirs = nist_score.corpus_nist(refs, hyps, n=order)
    assert float(NIST(order=order, tokenize="none")(*data)) == pytest.approx(theirs, rel=1e-9, abs=1e-12)


def test_long_references():
    words = [f"w{i * i % 53}" for i in range(500)]
    hyps, refs = [" ".join(words[20:400]), "w1 w4"], [[" ".join(words), " ".join(words[::-1])], ["w1 w4 w9"]]
    assert float(NIST(tokenize="none")(hyps, refs)) == pytest.approx(oracles.nist(*cut((hyps, refs))), rel=1e-9)


def test_real_text_with_four_references(lines):
    columns = [lines(f"multiref/indian-hi-en/ref{k}.txt")[:60] for k in range(4)]
    data = columns[0], [list(row) for row in zip(*columns[1:], strict=True)]
    assert float(NIST(tokenize="none")(*data)) == pytest.approx(oracles.nist(*cut(data)), rel=1e-9)


def test_lowercase_and_strip_punctuation_reach_the_information_too():
    hyps, refs = ["The cat, the CAT."], [["the Cat! The cat?", "A cat."]]
    plain = ["the cat the cat"], [["the cat the cat", "a cat"]]
    score = NIST(lowercase=True, strip_punctuation=True)(hyps, refs)
    assert float(score) == pytest.approx(oracles.nist(*cut(plain)), rel=1e-12)


@pytest.mark.parametrize(("ratio", "penalty"), [(2 / 3, 0.5), (1, 1), (1.7, 1), (0, 0)])
def test_length_penalty(ratio, penalty):
    assert NIST().length_penalty(float(ratio)) == pytest.approx(penalty)
    assert NIST().length_penalty(np.array([ratio, ratio])) == pytest.approx(penalty)


@given(ratio=st.floats(0.01, 1), beta=st.floats(0, 20))
def test_length_penalty_formula(ratio, beta):
    assert NIST(beta=beta).length_penalty(ratio) == pytest.approx(math.exp(-beta * math.log(ratio) ** 2))


# Information -------------------------------------------------------------------------------------------------


@given(refs=st.lists(sentence(20), min_size=1, max_size=6), order=st.integers(1, 7))
def test_the_pruned_counts_weigh_every_ngram_as_brute_force_does(refs, order):
    """An n-gram against a reference that is the same n-gram: its row shows its information."""
    nist = NIST(order=order, tokenize="none").prepare(refs)
    info = oracles.information([ref.split() for ref in refs], order)
    for gram, bits in info.items():
        text = " ".join(gram)
        row = nist.segment(text, text).stats
        assert row[f"info_{len(gram)}"] == pytest.approx(bits, abs=1e-12), gram


@given(data=copies(sentence()), order=st.integers(1, 6))
def test_prepared_segments_use_the_information_of_the_corpus(data, order):
    hyps, refs = data
    nist = NIST(order=order, tokenize="none").prepare(refs)
    cut_hyps, cut_refs = cut(data)
    info = oracles.information([ref for entry in cut_refs for ref in entry], order)
    rows = [oracles.nist_row(hyp, entry, order, info) for hyp, entry in zip(cut_hyps, cut_refs, strict=True)]
    expected = [oracles.nist_of_rows([row]) for row in rows]
    one_by_one = [float(nist.segment(hyp, entry)) for hyp, entry in zip(hyps, refs, strict=True)]
    np.testing.assert_allclose(one_by_one, expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(nist.segments(hyps, refs), expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(NIST(order=order, tokenize="none").segments(hyps, refs), expected, rtol=1e-9, atol=1e-12)


@given(data=copies(sentence()))
def test_rows_of_parts_add_up_when_prepared(data):
    hyps, refs = data
    nist = NIST().prepare(refs)
    half = len(hyps) // 2
    total = nist.stats(hyps[:half], refs[:half]).sum() + nist.stats(hyps[half:], refs[half:]).sum()
    assert nist.score(total) == pytest.approx(float(NIST()(hyps, refs)), rel=1e-12)


def test_preparing_again_learns_anew():
    first, second = ["a b", "a c"], ["a b", "a b", "x y"]
    assert NIST().prepare(first).prepare(second) == NIST().prepare(second)
    assert NIST().prepare(first) != NIST().prepare(second)
    # but scoring uses what was learnt
    nist = NIST().prepare(second)
    assert nist.stats(["a b"], ["a b"]).values.tolist() == [nist.segment("a b", "a b").stats.values.tolist()]


def test_other_parameters_forget_what_was_learnt():
    nist = NIST().prepare(["a b", "a c"])
    assert dataclasses.replace(nist, beta=1.0).information is not None
    assert dataclasses.replace(nist, order=7).information is None
    assert dataclasses.replace(nist, lowercase=True).information is None


def test_references_cannot_change_after_they_were_learnt_from():
    texts = [["a b", "a c"], "a b"]
    references = References(texts)
    nist = NIST().prepare(references)
    before = float(nist(["a b", "a b"], references))
    texts[0][0] = texts[1] = "zzz"
    with pytest.raises(TypeError):
        references.entries[0] = "zzz"
    assert float(nist(["a b", "a b"], references)) == before
    assert float(nist(["a b", "a b"], [["a b", "a c"], "a b"])) == before


def test_unseen_ngrams_carry_no_information():
    assert float(NIST().prepare(["a b c"]).segment("x y", "x y")) == 0


@pytest.mark.parametrize("text", ["a é ж 😀 \ud800 \0", "é", "ж ж", "😀"])
def test_words_are_the_same_in_strings_of_any_width(text):
    narrow = NIST(order=1, tokenize="none").prepare([*text.split(), "other"])
    wide = NIST(order=1, tokenize="none").prepare([text + " 😀 other"])
    for word in text.split():
        assert float(narrow.segment(word, word)) > 0
        assert float(wide.segment(word, word + " 😀 ж")) > 0


def test_what_was_learnt_from_text_says_nothing_of_token_numbers():
    text, numbers = ["a b c", "a b"], [[1, 2, 3], [1, 2]]
    for learnt, texts, message in (
        (text, numbers, "references that are text, but got token ids to score"),
        ([[one] for one in numbers], text, "references that are token ids, but got text to score"),
    ):
        nist = NIST().prepare(learnt)
        for call in (
            lambda nist=nist, texts=texts: nist(texts, texts),
            lambda nist=nist, texts=texts: nist.stats(texts, texts),
            lambda nist=nist, texts=texts: nist.segment(texts[0], texts[0]),
            lambda nist=nist, texts=texts: nist.pairwise(texts, texts),
        ):
            with pytest.raises(InputError, match=message):
                call()
    assert float(NIST().prepare(numbers)(numbers, numbers)) > 0
    assert NIST().prepare([]).information.text is None


def test_a_segment_alone_is_refused():
    with pytest.raises(InputError, match="prepare"):
        NIST().segment("a b", "a b")


@given(data=copies(adversarial))
def test_a_prepared_metric_pickles(data):
    hyps, refs = data
    nist = NIST(order=3, tokenize="none").prepare(refs)
    again = pickle.loads(pickle.dumps(nist))
    assert again.spec == nist.spec
    assert again.signature((1, 1)) == nist.signature((1, 1))
    np.testing.assert_array_equal(again.stats(hyps, refs).values, nist.stats(hyps, refs).values)


def test_the_signature_says_how_many_words_taught_it():
    assert "|info_words:5|" in NIST()(["a"], [["a b", "c d e"]]).signature
    assert "|info_words:unknown|" in NIST().signature()


# Edges -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("beta", [None, 0.0, 1.0])
@pytest.mark.parametrize(("hyp", "ref"), [("", "a b"), ("a b", ""), ("", ""), ("x", "a")])
def test_empty_or_without_a_match_is_zero(hyp, ref, beta):
    metric = NIST() if beta is None else NIST(beta=beta)
    score = metric([hyp], [ref])
    assert float(score) == 0
    assert metric.segments([hyp, hyp], [ref, ref]).tolist() == [0, 0]
    assert 0 <= score.penalty <= 1
    assert str(score).startswith("NIST = 0.00")


def test_generators_of_references_are_read_once():
    refs = ["a b c", "a d"]
    assert float(NIST()(["a b c", "a d"], iter(refs))) == float(NIST()(["a b c", "a d"], refs)) > 0
    np.testing.assert_array_equal(
        NIST().stats(["a b", "a d"], (ref for ref in refs)).values, NIST().stats(["a b", "a d"], refs).values
    )


def test_parts():
    score = NIST(order=2)(["a b c"], ["a b d"])
    assert score.per_order == pytest.approx([2 * math.log2(3) / 3, 0])
    assert (score.penalty, score.ratio, score.hyp_len, score.ref_len) == (1, 1, 3, 3)


FEW_WORDS = st.lists(st.sampled_from("abc"), max_size=70).map(" ".join)


@given(
    st.lists(st.tuples(FEW_WORDS, st.lists(FEW_WORDS, min_size=1, max_size=3)), min_size=1, max_size=4),
    st.integers(1, 10),
)
def test_references_that_were_learnt_from_need_not_be_looked_up(segments, order):
    hyps, refs = [hyp for hyp, _ in segments], [entry for _, entry in segments]
    ready = NIST(order=order, tokenize="none").prepare(refs)
    # Scoring at once reads off where n-grams stood; other lists, equal though they are, are looked up.
    at_once = NIST(order=order, tokenize="none").stats(hyps, refs)
    np.testing.assert_array_equal(at_once.values, ready.stats(hyps, [[*entry] for entry in refs]).values)
