"""BLEU equals sacreBLEU, NLTK where they agree, and the published formulas everywhere."""

import dataclasses
import logging
import math
import random
import warnings
from collections import Counter

import numpy as np
import oracles
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sacrebleu import metrics as sacrebleu
from strategies import adversarial, copies, corpus, sentence, streams

from tricolore import BLEU, BLEUS, BLEUSBP, CharBLEU, DocumentBLEU, SpecError

logging.getLogger("sacrebleu").setLevel(logging.ERROR)

TOKENIZERS = ["none", "13a", "intl", "zh", "char"]
SMOOTHINGS = [
    ("none", None), ("exp", None), ("floor", None), ("floor", 0.01), ("floor", 2.0), ("floor", 0.0),
    ("add-k", None), ("add-k", 0.5), ("add-k", 3.0), ("add-k", 0.0),
]  # fmt: skip


def both(tokenize="13a", smooth=("exp", None), order=4, lowercase=False, effective=False):
    """The same metric of both packages."""
    method, value = smooth
    constants = {} if value is None else {"floor": {"epsilon": value}, "add-k": {"add": value}}[method]
    ours = BLEU(
        order=order,
        tokenize=tokenize,
        smooth=method,
        lowercase=lowercase,
        short="effective" if effective else "zero",
        **constants,
    )
    theirs = sacrebleu.BLEU(
        tokenize=tokenize,
        smooth_method=method,
        smooth_value=value,
        max_ngram_order=order,
        lowercase=lowercase,
        effective_order=effective,
        force=True,
    )
    return ours, theirs


def assert_same(ours, theirs):
    assert float(ours) * 100 == pytest.approx(theirs.score, rel=1e-9, abs=1e-9)
    assert ours.bp == pytest.approx(theirs.bp, rel=1e-12)
    assert (ours.hyp_len, ours.ref_len) == (theirs.sys_len, theirs.ref_len)


def assert_printed_alike(ours, theirs):
    assert ours.verbose == theirs._verbose
    hundredths = theirs.score * 100
    if abs(hundredths - math.floor(hundredths) - 0.5) > 1e-6:  # not between two printed numbers
        assert str(ours) == str(theirs)


def compare(hyps, refs, **options):
    """The corpus, and each segment on its own and in a batch."""
    ours, theirs = both(**options)
    assert_same(ours(hyps, refs), theirs.corpus_score(hyps, streams(refs)))
    expected = [theirs.sentence_score(hyp, entry) for hyp, entry in zip(hyps, refs, strict=True)]
    np.testing.assert_allclose(ours.segments(hyps, refs) * 100, [s.score for s in expected], rtol=1e-9, atol=1e-9)
    for hyp, entry, score in zip(hyps[:50], refs, expected, strict=False):
        assert_same(ours.segment(hyp, entry), score)


options = st.fixed_dictionaries(
    {
        "tokenize": st.sampled_from(TOKENIZERS),
        "smooth": st.sampled_from(SMOOTHINGS),
        "order": st.integers(1, 6),
        "lowercase": st.booleans(),
        "effective": st.booleans(),
    }
)


# sacreBLEU ---------------------------------------------------------------------------------------------------


@settings(max_examples=400)
@given(data=st.one_of(copies(adversarial), corpus(adversarial)), options=options)
def test_equals_sacrebleu_on_any_text(data, options):
    compare(*data, **options)


@settings(max_examples=400)
@given(data=st.one_of(copies(sentence()), corpus(sentence())), options=options)
def test_equals_sacrebleu_where_much_matches(data, options):
    compare(*data, **options)


@given(data=st.one_of(copies(sentence()), copies(adversarial), corpus(sentence())), options=options)
def test_single_segments_score_as_sacrebleus_sentence_bleu(data, options):
    """The default: orders longer than a segment are left out for segments, and count for a corpus."""
    ours, theirs = both(**options | {"effective": True})
    default = dataclasses.replace(ours, short="auto")
    expected = [theirs.sentence_score(hyp, entry).score for hyp, entry in zip(*data, strict=True)]
    np.testing.assert_allclose(default.segments(*data) * 100, expected, rtol=1e-9, atol=1e-9)
    one_by_one = [default.segment(hyp, entry).points for hyp, entry in zip(*data, strict=True)]
    np.testing.assert_allclose(one_by_one, expected, rtol=1e-9, atol=1e-9)
    corpus_level = both(**options | {"effective": False})[1].corpus_score(data[0], streams(data[1]))
    assert default(*data).points == pytest.approx(corpus_level.score, rel=1e-9, abs=1e-9)


def test_a_perfect_short_segment_scores_1():
    assert BLEU().segments(["hello world"], ["hello world"]).tolist() == [1.0]
    assert BLEU().segment("hello world", "hello world") == 1.0
    assert BLEU()(["hello world"], ["hello world"]) == 0.0  # a corpus without any n-gram of order 3
    assert "|eff:yes|" in BLEU().segment("hello world", "hello world").signature
    assert "|eff:no|" in BLEU()(["hello world"], ["hello world"]).signature


@given(data=st.one_of(copies(sentence()), copies(adversarial)), options=options)
def test_prints_like_sacrebleu(data, options):
    ours, theirs = both(**options)
    assert_printed_alike(ours(*data), theirs.corpus_score(data[0], streams(data[1])))


@pytest.mark.parametrize(
    ("tokenize", "hyps", "refs"),
    [
        (
            "ja-mecab",
            ["今日は良い天気です。", "私は東京へ行きます。"],
            [["今日はとても良い天気です。", "今日は天気が良い。"], ["私は、東京に行きます！"]],
        ),
        (
            "ko-mecab",
            ["오늘은 날씨가 좋습니다.", "저는 서울로 가요."],
            [["오늘 날씨가 좋다."], ["저는 서울에 갑니다.", "가요."]],
        ),
    ],
)
@pytest.mark.parametrize("smooth", ["exp", "floor"])
def test_equals_sacrebleu_with_mecab(tokenize, hyps, refs, smooth):
    try:
        compare(hyps, refs, tokenize=tokenize, smooth=(smooth, None))
    except RuntimeError as error:
        pytest.skip(str(error).strip().splitlines()[0])


@pytest.mark.parametrize("matches", [(23, 80), (49, 80), (51, 80), (1, 16), (1, 3), (0, 7), (7, 7)])
def test_precisions_are_rounded_as_sacrebleu_rounds_them(matches):
    m, l = matches
    ours = BLEU(order=1).result([m, l, l, l])
    assert ours.verbose == sacrebleu.BLEU.compute_bleu([m], [l], l, l, "exp", max_ngram_order=1)._verbose


def test_an_order_left_out_prints_like_sacrebleu():
    ours, theirs = both(effective=True)
    assert_printed_alike(ours.segment("a b", "a b c"), theirs.sentence_score("a b", ["a b c"]))


def real_sets():
    """Name, hypotheses file, reference files; an empty line in a WebNLG reference means that it is missing."""
    yield "human/mqm-ted-ende", ["systems/Facebook-AI.txt", "systems/metricsystem1.txt"], ["references/ref.txt"]
    yield "human/mqm-wmt23-sxs-ende", ["systems/ONLINE-W.txt", "systems/NLLB_MBR_BLEU.txt"], ["references/refA.txt"]
    yield "human/mlqe-multiref-et-en", ["mt.txt"], ["ref1.txt", "ref2.txt"]
    yield "morph/wmt16-en-fi", ["systems/basic-constrained.txt"], ["refA.txt", "refB.txt"]
    yield "multiref/indian-hi-en", ["ref0.txt"], ["ref1.txt", "ref2.txt", "ref3.txt"]
    yield "multiref/webnlg-en", ["hyp.txt"], ["ref0.txt", "ref1.txt", "ref2.txt", "ref3.txt"]
    yield "multiref/webnlg-ru", ["hyp.txt"], ["ref0.txt"]


REAL = [(folder, system, refs) for folder, systems, refs in real_sets() for system in systems]
REAL_IDS = [f"{folder}-{system}" for folder, system, _ in REAL]


def read_set(lines, folder, system, references):
    columns = [lines(f"{folder}/{name}") for name in references]
    missing = "webnlg" in folder
    refs = [[text for text in row if text or not missing] for row in zip(*columns, strict=True)]
    return lines(f"{folder}/{system}"), refs


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "system", "references"), REAL, ids=REAL_IDS)
@pytest.mark.parametrize("tokenize", TOKENIZERS)
def test_equals_sacrebleu_on_real_corpora(lines, folder, system, references, tokenize):
    hyps, refs = read_set(lines, folder, system, references)
    ours, theirs = both(tokenize)
    score, expected = ours(hyps, refs), theirs.corpus_score(hyps, streams(refs))
    assert_same(score, expected)
    assert_printed_alike(score, expected)


@pytest.mark.parametrize(("folder", "system", "references"), REAL, ids=REAL_IDS)
@pytest.mark.parametrize(
    ("smooth", "order", "lowercase", "effective"),
    [(("floor", None), 6, True, True), (("add-k", None), 2, False, False), (("exp", None), 4, True, True)],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_equals_sacrebleu_on_real_segments(lines, folder, system, references, smooth, order, lowercase, effective):
    hyps, refs = read_set(lines, folder, system, references)
    compare(hyps[:250], refs[:250], smooth=smooth, order=order, lowercase=lowercase, effective=effective)


def test_missing_references_are_none_for_both(lines):
    columns = [lines(f"multiref/webnlg-en/ref{k}.txt") for k in range(4)]
    hyps = lines("multiref/webnlg-en/hyp.txt")
    with_none = [[text or None for text in row] for row in zip(*columns, strict=True)]
    assert any(None in row for row in with_none)
    theirs = sacrebleu.BLEU(force=True).corpus_score(hyps, [list(column) for column in zip(*with_none, strict=True)])
    assert_same(BLEU()(hyps, with_none), theirs)


# Smoothing 0 to 7 --------------------------------------------------------------------------------------------


def oracle_rows(hyps, refs, order, ref_len="closest"):
    pairs = zip(hyps, refs, strict=True)
    return [
        oracles.row(hyp.split(), [ref.split() for ref in entry], order, ref_len, match_orders=order + 1)
        for hyp, entry in pairs
    ]


constants = st.fixed_dictionaries(
    {
        "epsilon": st.sampled_from([0.1, 0.01, 1.5]),
        "k": st.sampled_from([5.0, 2.0, 0.7]),
        "alpha": st.sampled_from([5.0, 0.5, 20.0]),
        "add": st.sampled_from([1.0, 0.5, 0.0]),
    }
)


def as_oracle(constants):
    return {{"epsilon": "eps", "k": "K"}.get(name, name): value for name, value in constants.items()}


@pytest.mark.parametrize("smooth", range(8))
@settings(max_examples=150)
@given(
    data=copies(sentence()),
    order=st.integers(1, 12),
    constants=constants,
    short=st.sampled_from(["floor1", "zero", "mteval", "effective"]),
    ref_len=st.sampled_from(["closest", "shortest", "average"]),
    no_unigram=st.booleans(),
)
def test_smoothing_follows_the_paper(smooth, data, order, constants, short, ref_len, no_unigram):
    metric = BLEU(
        order=order,
        smooth=smooth,
        short=short,
        ref_len=ref_len,
        zero_if_no_unigram=no_unigram,
        tokenize="none",
        **constants,
    )
    rows = oracle_rows(*data, order, ref_len)
    options = {"short": short, "zero_if_no_unigram": no_unigram, **as_oracle(constants)}
    expected = [oracles.bleu([row], smooth, **options) for row in rows]
    np.testing.assert_allclose(metric.segments(*data), expected, rtol=1e-9, atol=1e-12)
    for hyp, entry, value in zip(*data, expected, strict=True):
        assert float(metric.segment(hyp, entry)) == pytest.approx(value, rel=1e-9, abs=1e-12)
    assert float(metric(*data)) == pytest.approx(oracles.bleu(rows, smooth, **options), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("name", "number"), [("none", 0), ("floor", 1), ("add-k", 2), ("exp", 3)])
def test_names_bring_sacrebleus_conventions_and_numbers_the_papers(name, number):
    named, numbered = BLEU(smooth=name), BLEU(smooth=number)
    assert (named.short, named.zero_if_no_unigram) == ("auto", True)
    assert (numbered.short, numbered.zero_if_no_unigram) == ("floor1", False)
    assert named.signature() != numbered.signature()


@pytest.mark.parametrize(("name", "number"), [("length", 4), ("average", 5), ("interpolate", 6), ("length-average", 7)])
def test_names_of_the_others_are_aliases(name, number):
    assert BLEU(smooth=name) == BLEU(smooth=number)


def test_smoothing_3_and_4_count_zero_orders_only():
    """Orders 2 and 4 have no match here: 1/2 and 1/4, not 1/4 and 1/16."""
    row = [5, 0, 1, 0, 8, 7, 6, 5, 8, 8]
    assert BLEU(smooth=3).result(row).precisions == pytest.approx([5 / 8, 1 / 2 / 7, 1 / 6, 1 / 4 / 5])
    x = math.log(8) / 5
    assert BLEU(smooth=4).result(row).precisions == pytest.approx([5 / 8, x / 7, 1 / 6, x * x / 5])


def test_smoothing_4_exceeds_one_beyond_148_words():
    assert BLEU(smooth=4, order=1).result([0, 200, 200, 200]).precisions[0] * 200 == pytest.approx(math.log(200) / 5)


def test_smoothing_5_leaves_a_perfect_match_alone():
    assert BLEU(smooth=5, tokenize="none").segment("a b c d e", "a b c d e").precisions == pytest.approx([1] * 4)


@pytest.mark.parametrize("smooth", range(8))
def test_one_word_and_no_word(smooth):
    metric = BLEU(smooth=smooth, tokenize="none")
    expected = {0: 0, 1: 0.1**0.75, 2: 1, 3: 2 ** (-6 / 4), 4: 0, 6: 0}
    one = float(metric.segment("police", "police"))
    assert one == pytest.approx(expected[smooth]) if smooth in expected else one > 0
    assert float(metric.segment("", "police")) == 0
    assert float(metric.segment("", "")) == 0


@pytest.mark.parametrize("smooth", range(8))
def test_no_match_at_all(smooth):
    literal = float(BLEU(smooth=smooth, tokenize="none").segment("x y z u v", "a b c d e"))
    assert (literal > 0) == (smooth in {1, 3, 4, 5, 7})
    assert float(BLEU(smooth=smooth, zero_if_no_unigram=True).segment("x y z u v", "a b c d e")) == 0


# Means and weights -------------------------------------------------------------------------------------------


@given(
    data=copies(sentence()),
    weights=st.lists(st.sampled_from([0.0, 0.1, 0.5, 1.0, 2.0]), min_size=1, max_size=6),
    mean=st.sampled_from(["geometric", "arithmetic"]),
    smooth=st.sampled_from([0, 2, 3]),
    short=st.sampled_from(["floor1", "zero", "mteval"]),
)
def test_weights_and_means(data, weights, mean, smooth, short):
    assume(sum(weights) > 0)
    order = len(weights)
    metric = BLEU(order=order, weights=weights, mean=mean, smooth=smooth, short=short, tokenize="none")
    rows = oracle_rows(*data, order)
    options = {"weights": weights, "arithmetic": mean == "arithmetic", "short": short}
    expected = [oracles.bleu([row], smooth, **options) for row in rows]
    np.testing.assert_allclose(metric.segments(*data), expected, rtol=1e-9, atol=1e-12)
    assert float(metric(*data)) == pytest.approx(oracles.bleu(rows, smooth, **options), rel=1e-9, abs=1e-12)


@given(data=copies(sentence()), weights=st.lists(st.sampled_from([0.1, 0.5, 1.0]), min_size=1, max_size=6))
def test_effective_shares_out_the_weight_of_dropped_orders(data, weights):
    metric = BLEU(order=len(weights), weights=weights, smooth=3, short="effective", tokenize="none")
    rows = oracle_rows(*data, len(weights))
    expected = [oracles.bleu([row], 3, weights=weights, short="effective") for row in rows]
    np.testing.assert_allclose(metric.segments(*data), expected, rtol=1e-9, atol=1e-12)


def test_an_order_of_weight_zero_is_ignored_even_without_a_match():
    metric = BLEU(order=3, weights=[1, 0, 0], smooth=0, tokenize="none")
    assert float(metric.segment("a x b", "a y b")) == pytest.approx(2 / 3)


def test_equal_weights_are_the_default():
    row = [5, 4, 3, 2, 8, 7, 6, 5, 8, 9]
    assert BLEU(weights=[0.25] * 4).score(row) == pytest.approx(BLEU().score(row), rel=1e-12)


@pytest.mark.parametrize("weights", [[0.5], [0.2] * 5, [0, 0, 0, 0], [-1, 1, 1, 1], "0.5", [0.5, "x", 1, 1], 0.25])
def test_bad_weights(weights):
    with pytest.raises(SpecError, match="weights"):
        BLEU(weights=weights)


@pytest.mark.parametrize("order", [9, 60, 200])
@pytest.mark.parametrize("mean", ["geometric", "arithmetic"])
def test_high_orders(order, mean):
    text = " ".join(f"w{i}" for i in range(70))
    other = text.replace("w35", "x")
    metric = BLEU(order=order, smooth=3, mean=mean, tokenize="none")
    rows = oracle_rows([other], [[text]], order)
    expected = oracles.bleu(rows, 3, arithmetic=mean == "arithmetic")
    assert 0 < expected < 1
    assert float(metric.segment(other, text)) == pytest.approx(expected, rel=1e-9)
    assert metric.segments([other, text], [text, text])[0] == pytest.approx(expected, rel=1e-9)


def test_a_product_of_small_precisions_does_not_underflow():
    row = [1] * 8 + [10**60] * 8 + [1, 1]
    assert BLEU(order=8).score(row) == pytest.approx(1e-60, rel=1e-9)


# The brevity penalty -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ref_len", "length"), [("closest", 2), ("shortest", 1), ("average", (1 + 2 + 4 + 10) / 4)])
def test_reference_length(ref_len, length):
    refs = ["a b c d", "a b", "a", "a b c d e f g h i j"]
    score = BLEU(ref_len=ref_len, tokenize="none").segment("a b c", refs)  # 2 and 4 are equally close
    assert score.ref_len == length


def test_brevity_penalty():
    metric = BLEU(order=1, tokenize="none")
    assert metric.segment("a b c", "a b c").bp == 1
    assert metric.segment("a b c d", "a b c").bp == 1
    assert metric.segment("a b", "a b c").bp == pytest.approx(math.exp(-1 / 2))
    assert metric.segment("", "a b c").bp == 0


@given(data=copies(sentence()), order=st.integers(1, 4), ref_len=st.sampled_from(["closest", "shortest", "average"]))
def test_sbp_follows_the_paper(data, order, ref_len):
    rows = oracle_rows(*data, order, ref_len)
    penalty = oracles.strict_brevity_penalty([(c, r) for _, _, c, r in rows])
    score = BLEUSBP(order=order, ref_len=ref_len, smooth=3, tokenize="none")(*data)
    assert score.bp == pytest.approx(penalty, rel=1e-12)
    assert float(score) == pytest.approx(oracles.bleu(rows, 3, bp=penalty), rel=1e-9)


@given(data=copies(sentence()), ref_len=st.sampled_from(["closest", "shortest", "average"]))
def test_strict_penalty_is_never_milder(data, ref_len):
    assume(any(hyp.split() for hyp in data[0]))
    strict, plain = BLEUSBP(ref_len=ref_len)(*data), BLEU(ref_len=ref_len)(*data)
    assert strict.bp <= plain.bp + 1e-15


@given(data=copies(sentence()), ref_len=st.sampled_from(["shortest", "average"]), more=st.integers(1, 9))
def test_lengthening_a_long_segment_never_raises_the_strict_penalty(data, ref_len, more):
    hyps, refs = data
    metric = BLEUSBP(ref_len=ref_len, tokenize="none")
    rows = metric.stats(hyps, refs)
    longer = [
        hyp + " x" * more if c >= r else hyp for hyp, c, r in zip(hyps, rows["hyp_len"], rows["ref_len"], strict=True)
    ]
    assert metric(longer, refs).bp <= metric(hyps, refs).bp


def test_lengthening_a_long_segment_can_raise_the_plain_penalty():
    refs = ["a b c d", "a b c d"]
    short, long = ["a b c d", "a b"], ["a b c d x", "a b"]
    assert BLEU()(long, refs).bp > BLEU()(short, refs).bp
    assert BLEUSBP()(long, refs).bp == BLEUSBP()(short, refs).bp


# Relatives ---------------------------------------------------------------------------------------------------


@given(
    data=copies(sentence()),
    order=st.integers(1, 6),
    smooth=st.integers(0, 7),
    ref_len=st.sampled_from(["closest", "shortest", "average"]),
)
def test_document_bleu(data, order, smooth, ref_len):
    metric = DocumentBLEU(order=order, smooth=smooth, ref_len=ref_len, tokenize="none")
    rows = oracle_rows(*data, order, ref_len)
    assert float(metric(*data)) == pytest.approx(oracles.document_bleu(rows, smooth), rel=1e-9, abs=1e-12)


@given(data=copies(sentence()))
def test_document_bleu_of_one_segment_is_its_bleu(data):
    hyps, refs = data
    document, plain = DocumentBLEU(tokenize="none"), BLEU(smooth=7, tokenize="none")
    for hyp, entry in zip(hyps, refs, strict=True):
        length = plain.segment(hyp, entry).ref_len
        expected = float(plain.segment(hyp, entry)) if length else 0.0
        assert float(document([hyp], [entry])) == pytest.approx(expected, rel=1e-12)
        assert float(document.segment(hyp, entry)) == pytest.approx(expected, rel=1e-12)


@given(data=copies(adversarial), order=st.integers(1, 9), tokenize=st.sampled_from(TOKENIZERS))
def test_bleus_is_bleu_with_smoothing_2(data, order, tokenize):
    bleus, bleu = BLEUS(order=order, tokenize=tokenize), BLEU(order=order, smooth=2, tokenize=tokenize)
    assert bleus.segments(*data).tolist() == bleu.segments(*data).tolist()
    assert float(bleus(*data)) == float(bleu(*data))


@given(data=copies(adversarial), order=st.integers(1, 18))
def test_character_bleu_is_bleu_over_characters(data, order):
    hyps, refs = data
    rows = [
        oracles.row(
            oracles.tokens_char_space(hyp), [*map(oracles.tokens_char_space, entry)], order, match_orders=order + 1
        )
        for hyp, entry in zip(hyps, refs, strict=True)
    ]
    assert float(CharBLEU(order=order)(hyps, refs)) == pytest.approx(oracles.bleu(rows), rel=1e-9)
    assert float(CharBLEU(order=order, smooth=2)(hyps, refs)) == pytest.approx(oracles.bleu(rows, 2), rel=1e-9)


def test_character_bleu_has_18_orders():
    assert CharBLEU().order == 18
    assert float(CharBLEU()(["eighteen character"], ["eighteen character"])) == pytest.approx(1)
    assert float(CharBLEU()(["seventeen letters"], ["seventeen letters"])) == 0


# NLTK --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", range(4))
@given(data=copies(sentence()))
def test_equals_nltk_where_nltk_follows_the_paper(method, data):
    bleu_score = pytest.importorskip("nltk.translate.bleu_score")
    smooth = getattr(bleu_score.SmoothingFunction(), f"method{method}")
    metric = BLEU(smooth=method, tokenize="none")
    for hyp, entry in zip(*data, strict=True):
        tokens, refs = hyp.split(), [ref.split() for ref in entry]
        if len(tokens) < 4 or oracles.match(tokens, refs, 1) == 0:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns where no n-gram of an order matches
            theirs = bleu_score.sentence_bleu(refs, tokens, smoothing_function=smooth)
        assert float(metric.segment(hyp, entry)) == pytest.approx(theirs, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("size", [63, 64, 65, 127, 128, 129, 255, 256, 257])
@pytest.mark.parametrize("vocabulary", [1, 3, 40])
def test_long_references_are_clipped_as_defined(size, vocabulary):
    rng = random.Random(f"{size} {vocabulary}")
    hyp, ref = ([rng.randrange(vocabulary) for _ in range(size)] for _ in range(2))
    row = BLEU().stats([hyp], [ref])
    for n in range(1, 5):
        ours, theirs = (Counter(zip(*(ids[k:] for k in range(n)), strict=False)) for ids in (hyp, ref))
        assert row[f"match_{n}"] == (ours & theirs).total()
