"""Every hypothesis against every reference: the same numbers as one by one, for every metric, bit for bit."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import adversarial, encodable, sentence
from test_contract import VARIANTS
from test_gtm import HARD

import tricolore as tri
from tricolore import InputError, InputTypeError, metric
from tricolore.metrics.pairwise import Group, pairwise_many

MORE = [
    "bleu(short=effective)",
    "bleu(smooth=7, short=effective)",
    "chrf++",
    "chrf(char_order=9, word_order=3, whitespace=true, lowercase=true)",
    "chrf(word_order=1, eps_smoothing=true, beta=1)",
    "gtm(e=2, multi_ref=concat)",
    "rouge-n(n=2, compat=rouge-score)",
]

HYPS = [
    "the cat sat on the mat.",
    "a Dog ran, 3.5 miles",
    "",
    "yes",
    "the the the the",
    "cat",
    "the cat sat on the mat.",
]
REFS = ["the cat is on the mat.", "a cat sat there", "no", "", "A dog ran 3.5 miles!", "yes"]


def row_by_row(made, hyps, refs):
    refs = [[ref] for ref in refs]  # so that no token ids at all are a text, not no reference
    return np.array([made.segments([hyp] * len(refs), refs) for hyp in hyps]).reshape(len(hyps), len(refs))


def check(made, hyps, refs):
    np.testing.assert_array_equal(made.pairwise(hyps, refs, threads=1), row_by_row(made, hyps, refs))


@pytest.mark.parametrize("name", [*VARIANTS, *MORE])
def test_equals_segments_row_by_row(name):
    check(metric(name), HYPS, REFS)
    check(metric(name), HYPS, HYPS)


texts = st.lists(st.one_of(sentence(8), adversarial), max_size=5)


@pytest.mark.parametrize("made", [metric(name) for name in [*VARIANTS, *MORE]], ids=str)
@settings(max_examples=12)
@given(hyps=texts, refs=texts)
def test_any_texts(made, hyps, refs):
    if hyps and refs:
        check(made, hyps, refs)
        check(made, hyps, hyps)


@given(st.lists(sentence(5), min_size=1, max_size=12), st.lists(sentence(5), min_size=1, max_size=12))
def test_the_families_that_are_read_once(hyps, refs):
    for name in ("bleu(smooth=7)", "chrf++", "char-bleu(order=18, smooth=1)", "rouge-2", "per", "rouge-l", "wer"):
        check(metric(name), hyps, refs)
        check(metric(name), refs, refs)


ids = st.lists(st.integers(0, 5), max_size=8)


@pytest.mark.parametrize(
    "name",
    ["bleu(smooth=7)", "chrf++", "wer", "rouge-l", "ter", "nist", "meteor", "meteor(version=1.5)", "lebleu", "gleu"],
)
@settings(max_examples=20)
@given(hyps=st.lists(ids, min_size=1, max_size=5), refs=st.lists(ids, min_size=1, max_size=5))
def test_token_numbers(name, hyps, refs):
    made = metric(name)
    arrays = [np.array(text, dtype=np.int64) for text in refs]
    np.testing.assert_array_equal(made.pairwise(hyps, refs), row_by_row(made, hyps, arrays))
    check(made, hyps, hyps)


# Large, long and varied ------------------------------------------------------------------------------------


def test_more_texts_than_bits_in_a_word():
    random = np.random.default_rng(1)
    words = np.array(["a", "bb", "ccc", "a.", "d", "e"])
    many = [" ".join(random.choice(words, random.integers(0, 12))) for _ in range(150)]
    for name in ("bleu(smooth=7)", "chrf"):
        check(metric(name), many, many)
        check(metric(name), many[:70], many[70:])
        check(metric(name), many[:3], many)


def test_counts_beyond_a_byte_and_beyond_all_rows():
    long = ["a " * 1000 + "b " * 300, "a " * 700, "b a " * 900, "a b c " * 250, "c"]
    for name in ("bleu(smooth=7)", "chrf", "rouge-n", "per"):
        check(metric(name), long, long)
        check(metric(name), long[:2], long[2:])


def test_more_types_than_sixteen_bits():
    wide = [" ".join(f"w{i * step}" for i in range(40_000)) for step in (1, 2, 3)] + ["w1 w2 w3 w4"]
    for name in ("bleu", "per", "wer(tokenize=none)"):
        check(metric(name), wide, wide)
    characters = ["".join(map(chr, range(0x4E00, 0x9FFF))) * 2, "".join(map(chr, range(0x20000, 0x2A000)))]
    check(metric("chrf"), characters, [characters[0][5000:30000] + characters[1][:9000], characters[1]])


def test_more_skip_bigrams_than_can_be_listed():
    rng = random.Random(4)
    long = [" ".join(rng.choices("abcdefgh", k=6000)) for _ in range(2)]  # 18 million pairs of words
    many = [" ".join(f"w{rng.randrange(100_000)}" for _ in range(20_000)) for _ in range(3)]  # squares overflow
    for name, texts in (("rouge-s(skip=none)", long), ("rouge-su(skip=1)", many)):
        check(metric(name), texts, texts[1:])


def test_orders_beyond_what_fits_into_a_number():
    many = ["a b c d e f g h " * 20, "b c d e f g h a " * 19, "a b c d e f g h x " * 5]
    check(metric("bleu(order=40, smooth=2)"), many, many)
    check(metric("chrf(char_order=70)"), many, many[:2])


@pytest.mark.parametrize("name", ["chrf", "wer"])
def test_parts_of_a_large_table(name, monkeypatch):
    made = metric(name)
    whole = made.pairwise(HYPS, REFS)
    monkeypatch.setattr(type(made), "pairs_at_a_time", 13)
    seen = []
    found = made.pairwise(HYPS, REFS, progress=lambda *step: seen.append(step))
    np.testing.assert_array_equal(found, whole)
    assert seen == [(2, 7), (4, 7), (6, 7), (7, 7)]


@pytest.mark.parametrize("name", ["bleu(smooth=7)", "chrf++", "wer", "meteor"])
def test_groups_together_are_groups_alone(name, monkeypatch):
    made = metric(name)
    groups = [Group(HYPS, REFS), Group(HYPS, HYPS), Group(REFS[:1], HYPS), Group(["a"], ["b"])] * 3
    alone = [made.pairwise(group.hyps, group.refs, threads=1) for group in groups]
    for together in (1, 100, 1 << 18):
        monkeypatch.setattr("tricolore.metrics.pairwise.TOGETHER", together)
        for threads in (1, 3):
            for found, expected in zip(pairwise_many(made, groups, threads), alone, strict=True):
                np.testing.assert_array_equal(found, expected)


def test_nothing_to_compare():
    for name in ("bleu", "wer", "nist"):
        assert metric(name).pairwise([], ["a"]).shape == (0, 1)
        assert metric(name).pairwise(["a"], []).shape == (1, 0)
        assert metric(name).pairwise([], []).shape == (0, 0)


def test_what_was_learnt_before_is_kept():
    ready = tri.NIST().prepare(["the cat", "a dog", "the dog"])
    hyps, refs = ["the cat"], ["the cat", "a dog"]
    np.testing.assert_array_equal(ready.pairwise(hyps, refs), row_by_row(ready, hyps, refs))
    assert ready.pairwise(hyps, refs)[0, 0] != tri.NIST().pairwise(hyps, refs)[0, 0]


# Mistakes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bleu", "chrf", "wer", "nist", "meteor", "lebleu", "length", "doc-bleu"])
@pytest.mark.parametrize(
    ("hyps", "refs", "message"),
    [
        ("a b", ["a"], "hypotheses: expected a list"),
        (["a"], "a b", "references: expected a list"),
        (["a"], ["b", None], "reference 1: expected a string or token ids, got None"),
        (["a", 3], ["b"], "hypothesis 1: expected a string or token ids, got int"),
        (["a"], [["b", "c"]], "reference 0: expected a string or token ids, got list"),
        (["a"], ["b", [1, 2]], "reference 1: expected text as in reference 0, got token ids"),
        (["a", [1]], ["b"], "hypothesis 1: expected text as in hypothesis 0, got token ids"),
        ([[1, -1]], [[1]], "hypothesis 0: expected token ids from 0"),
        ([[1]], ["a"], "reference 0: expected token ids as in the hypotheses, got text"),
        (["a"], [], None),
        (["a", None], [], "hypothesis 1: expected a string or token ids, got None"),
    ],
)
def test_what_is_no_text_is_named(name, hyps, refs, message):
    if message is None:
        assert metric(name).pairwise(hyps, refs).shape == (1, 0)
        return
    with pytest.raises(InputTypeError) as found:
        metric(name).pairwise(hyps, refs)
    assert str(found.value).startswith(message)


def test_two_texts_that_cannot_be_compared_are_named():
    exact = metric("gtm(e=2, method=exact)")
    with pytest.raises(InputError) as found:
        exact.pairwise(["a", HARD[0]], ["b", "a b a", HARD[1]])
    assert str(found.value).startswith("hypothesis 1 and reference 2: gtm: ")
    with pytest.raises(InputError) as found:
        [*pairwise_many(exact, [Group(["a"], ["b"]), Group([HARD[0]], [HARD[1]])])]
    assert str(found.value).startswith("group 1: hypothesis 0 and reference 0: gtm: ")


def test_threads_must_be_a_number():
    with pytest.raises(tri.SpecError):
        metric("bleu").pairwise(["a"], ["a"], threads=-1)


# An average of the references ------------------------------------------------------------------------------


def bag(tokens, n):
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def expected_counts(tokens, n, weights):
    counts = Counter()
    for text, weight in zip(tokens, weights, strict=True):
        for gram, times in bag(text, n).items():
            counts[gram] += weight * times
    return counts


weighted = st.lists(st.tuples(sentence(6), st.integers(0, 4)), min_size=1, max_size=6).filter(
    lambda drawn: any(weight for _, weight in drawn)
)


@given(st.lists(sentence(6), min_size=1, max_size=5), weighted, st.booleans())
def test_against_averaged_bags(hyps, drawn, same):
    refs, weights = [text for text, _ in drawn], np.array([weight for _, weight in drawn], float)
    weights /= weights.sum()
    hyps = refs if same else hyps
    bleu, chrf = metric("bleu(smooth=7)"), metric("chrf")
    for made, tokenized, orders in ((bleu, tri.tokenize, 5), (chrf, lambda text: [*"".join(text.split())], 6)):
        [found] = pairwise_many(made, [Group(hyps, refs, weights)], 1)
        of_refs = [tokenized(ref) for ref in refs]
        for i, hyp in enumerate(hyps):
            tokens = tokenized(hyp)
            c, r = len(tokens), float(np.dot(weights, [*map(len, of_refs)]))
            row = []
            for n in range(1, orders + 1):
                counts = expected_counts(of_refs, n, weights)
                match = sum(min(times, counts[gram]) for gram, times in bag(tokens, n).items())
                total = sum(counts.values())
                row.append((max(0.0, c - n + 1.0) if total or made is bleu else 0.0, total, match))
            if made is bleu:
                columns = [*(float(one[2]) for one in row), *(one[0] for one in row[:4]), float(c), r]
            else:
                columns = [float(cell) for one in row for cell in one]
            assert found[i, 0] == pytest.approx(made.for_segments.score(columns), abs=1e-9)


# Peers -----------------------------------------------------------------------------------------------------

lists = st.lists(st.one_of(sentence(8), encodable), min_size=1, max_size=4)


@given(lists, lists)
def test_chrf_is_fastchrf(hyps, refs):
    fastchrf = pytest.importorskip("fastchrf")
    # It takes U+001C to U+001F, white space to Python and sacreBLEU, for characters; and it works in single precision.
    hyps, refs = ([text.translate(dict.fromkeys(range(0x1C, 0x20), " ")) for text in some] for some in (hyps, refs))
    for smoothing in (False, True):
        [peer] = fastchrf.pairwise_chrf([hyps], [refs], eps_smoothing=smoothing)
        found = 100 * tri.ChrF(eps_smoothing=smoothing).pairwise(hyps, refs)
        np.testing.assert_allclose(found, peer, atol=1e-3)
    [peer] = fastchrf.aggregate_chrf([hyps], [refs])
    [found] = pairwise_many(tri.ChrF(), [Group(hyps, refs, np.full(len(refs), 1 / len(refs)))], 1)
    np.testing.assert_allclose(100 * found[:, 0], peer, atol=1e-3)


@given(lists, lists)
def test_bleu_is_sacrebleu(hyps, refs):
    sacrebleu = pytest.importorskip("sacrebleu")
    peer = sacrebleu.BLEU(effective_order=True)
    expected = [[peer.sentence_score(hyp, [ref]).score for ref in refs] for hyp in hyps]
    np.testing.assert_allclose(100 * metric("bleu").pairwise(hyps, refs), expected, atol=1e-9)
