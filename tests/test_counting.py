"""The native counts equal those of a Counter, however long, wide or many the texts are."""

import random
import sys

import numpy as np
import oracles
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import adversarial, copies, corpus, sentence

from tricolore import BLEU, BLEUSBP, NIST, References
from tricolore.metrics.base import BATCH


def expected_rows(hyps, refs, order, ref_len="closest", clipped=False, tokens=str.split):
    rows = []
    for hyp, entry in zip(hyps, refs, strict=True):
        texts = [entry] if isinstance(entry, str) else [text for text in entry if text is not None]
        m, l, c, r = oracles.row(tokens(hyp), [*map(tokens, texts)], order, ref_len)
        rows.append([*m, *l, c, r, *([min(c, r)] if clipped else [])])
    return np.array(rows, dtype=float)


def check(hyps, refs, order, **options):
    """Compare as a batch and one segment at a time."""
    metric = BLEU(order=order, tokenize="none", **options)
    expected = expected_rows(hyps, refs, order, **options)
    np.testing.assert_array_equal(metric.stats(hyps, refs).values, expected)
    for hyp, entry, row in zip(hyps, refs, expected, strict=True):
        np.testing.assert_array_equal(metric.segment(hyp, entry).stats.values, row)


def words(rng, size, vocabulary):
    return " ".join(rng.choice(vocabulary) for _ in range(size))


# Random text -------------------------------------------------------------------------------------------------


@given(
    data=corpus(sentence(), max_references=5),
    order=st.integers(1, 20),
    ref_len=st.sampled_from(["closest", "shortest", "average"]),
)
def test_bleu_rows(data, order, ref_len):
    check(*data, order, ref_len=ref_len)


@given(data=copies(sentence()), order=st.integers(1, 20), ref_len=st.sampled_from(["closest", "shortest", "average"]))
def test_sbp_rows_have_the_clipped_length(data, order, ref_len):
    metric = BLEUSBP(order=order, ref_len=ref_len, tokenize="none")
    np.testing.assert_array_equal(metric.stats(*data).values, expected_rows(*data, order, ref_len, clipped=True))


@given(data=copies(adversarial), tokenizer=st.sampled_from(list(oracles.TOKENIZERS)), order=st.integers(1, 6))
def test_rows_of_any_text_and_tokenizer(data, tokenizer, order):
    expected = expected_rows(*data, order, tokens=oracles.TOKENIZERS[tokenizer])
    np.testing.assert_array_equal(BLEU(order=order, tokenize=tokenizer).stats(*data).values, expected)


@given(data=copies(adversarial), order=st.integers(1, 5), mixed=st.booleans())
def test_lowercase_and_strip_punctuation_apply_to_both_sides(data, order, mixed):
    metric = BLEU(order=order, tokenize="none", lowercase=True, strip_punctuation=mixed)

    def tokens(text):
        text = text.lower()
        return (oracles.without_punctuation(text) if mixed else text).split()

    np.testing.assert_array_equal(metric.stats(*data).values, expected_rows(*data, order, tokens=tokens))


@given(data=copies(sentence()), order=st.integers(1, 7))
def test_nist_rows(data, order):
    hyps, refs = data
    rows = NIST(order=order, tokenize="none").stats(hyps, refs)
    cut = [[ref.split() for ref in entry] for entry in refs]
    info = oracles.information([ref for entry in cut for ref in entry], order)
    for i, (hyp, entry) in enumerate(zip(hyps, cut, strict=True)):
        num, den, c, r = oracles.nist_row(hyp.split(), entry, order, info)
        np.testing.assert_allclose(rows.values[i], [*num, *den, c, r], rtol=1e-12, atol=1e-12)


def test_columns_are_named():
    rows = BLEUSBP(order=2, tokenize="none").stats(["a b a x", "b"], [["a b", "a a c"], "b c"])
    assert rows.columns == ("match_1", "match_2", "total_1", "total_2", "hyp_len", "ref_len", "clipped_len")
    assert rows["match_1"].tolist() == [3, 1]
    assert rows["match_2"].tolist() == [1, 0]
    assert rows["total_2"].tolist() == [3, 0]
    assert rows["hyp_len"].tolist() == [4, 1]
    assert rows["ref_len"].tolist() == [2, 2]
    assert rows["clipped_len"].tolist() == [2, 1]
    assert NIST(order=1).columns == ("info_1", "total_1", "hyp_len", "ref_len")
    assert BLEU(order=1, smooth=7).columns == ("match_1", "match_2", "total_1", "hyp_len", "ref_len")
    with pytest.raises(KeyError, match="no column 'match_9'; did you mean 'match_2'"):
        rows["match_9"]


def test_the_order_above_is_counted_where_smoothing_needs_it():
    hyp, ref = "a b c d e x", "a b c d e f"
    for smooth in (5, 7):
        assert BLEU(order=2, smooth=smooth, tokenize="none").stats([hyp], [ref])["match_3"].tolist() == [3]


# Short and long references: two kernels ----------------------------------------------------------------------


@pytest.mark.parametrize("length", [0, 1, 62, 63, 64, 65, 66, 127, 128, 129, 200])
@pytest.mark.parametrize("vocabulary", ["a", "ab", "abcdef"])
def test_around_64_tokens(length, vocabulary):
    rng = random.Random(length)
    hyps, refs = [], []
    for size in (0, 1, 5, 63, 64, 65, 150):
        refs.append([words(rng, length, vocabulary), words(rng, rng.randrange(length + 1), vocabulary)])
        hyps.append(words(rng, size, vocabulary))
    for order in (1, 4, 20):
        check(hyps, refs, order)


@pytest.mark.parametrize("length", [10, 64, 65])
@pytest.mark.parametrize("order", [63, 64, 65, 100])
def test_orders_beyond_64(length, order):
    text = " ".join(f"w{i % 97}" for i in range(length))
    hyps = [text, f"{text} {text}", f"x {text}", "a " * length]
    check(hyps, [text, [text, f"y {text}"], text, "a " * length], order)


@pytest.mark.parametrize("references", [1, 2, 63, 64, 65, 300])
@pytest.mark.parametrize("length", [7, 70])
def test_many_references(references, length):
    rng = random.Random(references)
    refs = [words(rng, rng.randrange(length + 1), "abc") for _ in range(references)]
    check([words(rng, length, "abcd")], [refs], 5)
    check([words(rng, 3 * length, "abcd")], [refs[::-1]], 5, ref_len="average")


@pytest.mark.parametrize("length", [3, 64, 65, 300])
def test_one_token_many_times(length):
    check(["same " * 300, "same", "same " * 64], ["same " * length, ["same " * length, "same"], "same " * length], 20)


@given(
    hyp=sentence(90, st.sampled_from("abc")),
    refs=st.lists(sentence(90, st.sampled_from("abc")), min_size=1, max_size=3),
    order=st.integers(1, 20),
)
def test_lengths_on_both_sides_of_64(hyp, refs, order):
    check([hyp], [refs], order)


@pytest.mark.slow
@pytest.mark.parametrize("size", [1000, 65_534, 65_535, 65_536, 70_001])
def test_more_types_than_16_bits_can_number(size):
    reference = [f"w{i}" for i in range(size)]
    hypothesis = reference[::-1][:100] + reference[: size // 2] + ["new"] * 10 + reference[-500:]
    check([" ".join(hypothesis)], [" ".join(reference)], 3)


def test_long_words_that_share_all_but_one_character():
    stem = "supercalifragilistic" * 3
    refs = [f"{stem}{a} {a}{stem} {stem[: ord(a) % 17]}{a}" for a in "abcdefgh"]
    hyp = " ".join(f"{stem}{a} {a}{stem} {stem[: ord(a) % 17]}{a}" for a in "hgfxyedz")
    check([hyp], [refs], 4)


def test_words_that_differ_in_zero_bytes_only():
    texts = ["a", "a\0", "a\0\0", "\0", "\0\0", "\0a", "ab", "ab\0", "abcdefg", "abcdefg\0", "abcdefgh", "abcdefgh\0"]
    for wide in ("", "ж", "😀"):
        words_ = [text + wide for text in texts]
        for word in words_:
            assert BLEU(order=1, tokenize="none").stats([word], [" ".join(words_)])["match_1"].tolist() == [1]
            others = [other for other in words_ if other != word]
            assert BLEU(order=1, tokenize="none").stats([word], [" ".join(others)])["match_1"].tolist() == [0]


# Strings of 1, 2 and 4 bytes a character ---------------------------------------------------------------------


@pytest.mark.parametrize("hyp", ["a é b", "a é b ж", "a é b 😀", "a é b ж 😀 \ud800"])
@pytest.mark.parametrize("ref", ["b a é", "ж a é b", "😀 é b a", "a é b ж 😀 \ud800"])
def test_widths_mix_within_a_segment(hyp, ref):
    check([hyp, hyp, ref], [ref, [ref, hyp, "a b"], [hyp, "中 😀"]], 4)


@given(st.data())
def test_widths_mix_within_a_batch(data):
    letters = [st.sampled_from(w) for w in (["a", "é"], ["a", "ж", "é"], ["😀", "a", "ж"])]
    text = st.one_of(*(sentence(8, letter) for letter in letters))
    check(*data.draw(corpus(text)), 3)


# Batches, threads, shapes ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large():
    """A corpus over several internal batches, with 1 to 3 references a segment."""
    rng = random.Random(7)
    vocabulary = [f"w{i}" for i in range(30)] + ["é", "ж", "😀"]
    size = 2 * BATCH + 300
    refs = [[words(rng, rng.randrange(1, 9), vocabulary) for _ in range(rng.randrange(1, 4))] for _ in range(size)]
    hyps = [words(rng, rng.randrange(9), vocabulary) if rng.random() < 0.7 else rng.choice(entry) for entry in refs]
    return hyps, refs


def test_batches(large):
    hyps, refs = large
    np.testing.assert_array_equal(BLEU(tokenize="none").stats(hyps, refs).values, expected_rows(hyps, refs, 4))


@pytest.mark.parametrize("size", [BATCH - 1, BATCH, BATCH + 1, 2 * BATCH])
def test_sums_do_not_depend_on_where_batches_end(large, size):
    hyps, refs = large[0][:size], large[1][:size]
    metric = BLEU(tokenize="none")
    assert metric(hyps, refs).stats.values.tolist() == metric.stats(hyps, refs).values.sum(0).tolist()


@pytest.mark.parametrize("metric", [BLEU(), BLEUSBP(ref_len="average"), NIST()], ids=str)
def test_threads_change_no_bit(large, metric):
    rows = [metric.stats(*large, threads=threads).values.tobytes() for threads in (1, 2, 5)]
    totals = [metric(*large, threads=threads).stats.values.tobytes() for threads in (1, 2, 5)]
    assert len(set(rows)) == len(set(totals)) == 1


@pytest.mark.parametrize("metric", [BLEU(), BLEUSBP(ref_len="average")], ids=str)
def test_batch_is_one_by_one(large, metric):
    hyps, refs = large[0][:500], large[1][:500]
    one_by_one = [metric.segment(hyp, entry).stats.values for hyp, entry in zip(hyps, refs, strict=True)]
    np.testing.assert_array_equal(metric.stats(hyps, refs).values, one_by_one)


def test_progress_is_told(large):
    calls = []
    BLEU().stats(*large, progress=lambda done, size: calls.append((done, size)))
    size = len(large[0])
    assert calls == [(BATCH, size), (2 * BATCH, size), (size, size)]


@pytest.mark.parametrize("threads", [-1, 1.5, "2", True, False, 1025])
def test_threads_must_be_a_number_within_reason(threads):
    with pytest.raises(ValueError, match="threads must be a whole number from 0"):
        BLEU()(["a"], ["a"], threads=threads)


@pytest.mark.parametrize("threads", [None, 0, 1, np.int64(2), 1024])
def test_threads_do_not_change_the_score(threads):
    assert float(BLEU()(["a b c d"] * 1000, ["a b c d e"] * 1000, threads=threads)) == float(
        BLEU()(["a b c d"] * 1000, ["a b c d e"] * 1000, threads=1)
    )


@given(data=copies(sentence()), seed=st.randoms(use_true_random=False))
def test_the_order_of_references_does_not_matter(data, seed):
    hyps, refs = data
    shuffled = [seed.sample(entry, len(entry)) for entry in refs]
    for metric in (BLEU(), BLEUSBP(ref_len="average"), NIST()):
        np.testing.assert_allclose(metric.stats(hyps, shuffled).values, metric.stats(hyps, refs).values, rtol=1e-12)


@given(data=copies(sentence()))
def test_a_reference_given_twice_adds_nothing(data):
    hyps, refs = data
    doubled = [entry + entry for entry in refs]
    np.testing.assert_array_equal(BLEU().stats(hyps, doubled).values, BLEU().stats(hyps, refs).values)


def test_missing_references_are_left_out():
    hyps = ["a b c", "a b", ""]
    with_none = [["a b", None, "a c"], [None, "b"], (None, "", None)]
    without = [["a b", "a c"], "b", [""]]
    rows = BLEU(order=2).stats(hyps, with_none)
    np.testing.assert_array_equal(rows.values, BLEU(order=2).stats(hyps, without).values)
    assert rows.nrefs == (1, 2)
    assert BLEU(lowercase=True).stats(hyps, with_none).nrefs == (1, 2)
    check(hyps, with_none, 3)


def test_an_empty_reference_counts():
    assert BLEU().stats(["a b c"], [["", "a b c d e f g"]])["ref_len"].tolist() == [0]


class Text(str):
    __slots__ = ()


def test_subclasses_of_str_count_as_their_text():
    rows = BLEU(order=2).stats([Text("a b c")], [[Text("a b"), "c"]])
    np.testing.assert_array_equal(rows.values, BLEU(order=2).stats(["a b c"], [["a b", "c"]]).values)


def test_references_object_and_lists_agree():
    refs = [["a b", "b"], "c"]
    np.testing.assert_array_equal(
        BLEU().stats(["a b", "c"], References(refs)).values, BLEU().stats(["a b", "c"], refs).values
    )


def test_counting_keeps_no_reference_to_the_texts():
    hyp, ref = "".join(["a ", "b"]), "".join(["a ", "c"])
    before = sys.getrefcount(hyp), sys.getrefcount(ref)
    for _ in range(10):
        BLEU().stats([hyp], [[ref]])
        BLEU().segment(hyp, [ref])
        with pytest.raises(TypeError):
            BLEU().stats([hyp, 5], [[ref], [ref]])
    assert (sys.getrefcount(hyp), sys.getrefcount(ref)) == before


@example(hyps=["a " * 5000 + "é", "b"], order=4)
@example(hyps=["b", "a " * 5000, "é"], order=4)
@given(hyps=st.lists(sentence(), min_size=1), order=st.integers(1, 6))
def test_counters_carry_nothing_from_segment_to_segment(hyps, order):
    metric = BLEU(order=order, tokenize="none")
    refs = hyps[1:] + hyps[:1]
    forwards = metric.stats(hyps, refs).values
    backwards = metric.stats(hyps[::-1], refs[::-1]).values[::-1]
    np.testing.assert_array_equal(forwards, backwards)
