"""ROUGE equals its definition, written out slowly here, and Google's rouge-score where that is asked for."""

import builtins
import math
from collections import Counter
from itertools import combinations

import numpy as np
import oracles
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rouge_score import rouge_scorer
from strategies import adversarial, copies, corpus, encodable, sentence

import tricolore as tri
from tricolore import (
    RougeL,
    RougeN,
    RougeS,
    RougeSU,
    RougeW,
    SpecError,
    metric,
    score_all,
    tokenize,
)
from tricolore.spec import parse

# Slow and obvious --------------------------------------------------------------------------------------------


def lcs(x, y):
    table = [[0] * (len(y) + 1) for _ in range(len(x) + 1)]
    for i, a in enumerate(x, 1):
        for j, b in enumerate(y, 1):
            table[i][j] = table[i - 1][j - 1] + 1 if a == b else max(table[i - 1][j], table[i][j - 1])
    return table[-1][-1]


def wlcs(x, y, w):
    """The recurrence, word for word."""
    c = [[0.0] * (len(y) + 1) for _ in range(len(x) + 1)]
    run = [[0] * (len(y) + 1) for _ in range(len(x) + 1)]
    for i, a in enumerate(x, 1):
        for j, b in enumerate(y, 1):
            if a == b:
                k = run[i - 1][j - 1]
                c[i][j] = c[i - 1][j - 1] + (k + 1) ** w - k**w
                run[i][j] = k + 1
            elif c[i - 1][j] > c[i][j - 1]:
                c[i][j] = c[i - 1][j]
            else:
                c[i][j] = c[i][j - 1]
    return c[-1][-1]


def skip_bigrams(words, skip):
    pairs = combinations(range(len(words)), 2)
    return Counter((words[i], words[j]) for i, j in pairs if skip is None or j - i - 1 <= skip)


def ratios(common, hyp, ref):
    return (common / hyp if hyp else 0.0), (common / ref if ref else 0.0)


def bags(hyp, ref):
    return ratios(sum((hyp & ref).values()), sum(hyp.values()), sum(ref.values()))


def precision_recall(made, hyp, ref):
    """Of two lists of words."""
    if isinstance(made, RougeN):
        return bags(oracles.ngrams(hyp, made.n), oracles.ngrams(ref, made.n))
    if isinstance(made, RougeSU):
        return bags(skip_bigrams(hyp, made.skip) + Counter(hyp), skip_bigrams(ref, made.skip) + Counter(ref))
    if isinstance(made, RougeS):
        return bags(skip_bigrams(hyp, made.skip), skip_bigrams(ref, made.skip))
    if isinstance(made, RougeW):
        p, r = ratios(wlcs(hyp, ref, made.weight), len(hyp) ** made.weight, len(ref) ** made.weight)
        return p ** (1 / made.weight), r ** (1 / made.weight)
    return ratios(lcs(hyp, ref), len(hyp), len(ref))


def f(p, r, beta):
    if p == 0 or r == 0:
        return 0.0
    if beta == "recall":
        return r
    beta = p / r if beta == "p/r" else beta
    return (1 + beta**2) * r * p / (r + beta**2 * p)


def oracle(made, hyp, refs):
    """Precision, recall and F of lists of words."""
    found = [precision_recall(made, hyp, ref) for ref in refs]
    if made.multi_ref == "max_pr":
        p, r = max(p for p, _ in found), max(r for _, r in found)
    else:
        p, r = max(found, key=lambda pair: f(*pair, made.beta))
    return p, r, f(p, r, made.beta)


VARIANTS = [
    "rouge-1",
    "rouge-2(beta=1)",
    "rouge-n(n=3, beta=recall, multi_ref=max_pr)",
    "rouge-9",
    "rouge-l",
    "rouge-l(beta=8, multi_ref=max_pr)",
    "rouge-w",
    "rouge-w(weight=2, beta=1)",
    "rouge-w(weight=1)",
    "rouge-w(weight=1.5, multi_ref=max_pr)",
    "rouge-s",
    "rouge-s(skip=0)",
    "rouge-s(skip=none, beta=0)",
    "rouge-s(skip=none, multi_ref=max_pr)",
    "rouge-su",
    "rouge-su(skip=none, beta=2)",
]


def untokenized(text):
    """Make a metric that cuts at white space."""
    name, parameters = parse(text)
    name, implied = tri.metrics.named(name)
    return tri.metrics.metric_class(name)(**implied | parameters, tokenize="none")


def check(made, hyps, refs):
    rows = made.stats(hyps, refs).values
    expected = [
        (*oracle(made, hyp.split(), [ref.split() for ref in entry]), 1) for hyp, entry in zip(hyps, refs, strict=True)
    ]
    np.testing.assert_allclose(rows[:, 2:], np.array(expected)[:, 2:], rtol=1e-9, atol=1e-12)
    if made.multi_ref == "max_pr" or all(len(entry) == 1 for entry in refs):  # else equals in F may differ in P and R
        np.testing.assert_allclose(rows, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("text", VARIANTS)
@given(data=st.one_of(corpus(sentence(10)), copies(sentence(14))))
def test_equals_the_definition(text, data):
    check(untokenized(text), *data)


@pytest.mark.parametrize("text", VARIANTS)
@settings(max_examples=5)
@given(data=st.data())
def test_long_texts_equal_the_definition(text, data):
    """Longer than a machine word has bits, on either side, and so that a strip ends in the middle of a match."""
    made = untokenized(text)
    words = st.sampled_from(["a", "b", "c", "d", "e", "f", "the", "of"])
    for low, high in ((60, 70), (120, 140)):
        one, other = (data.draw(sentence(high, words, low)) for _ in range(2))
        check(made, [one, one, other + " " + one, "a b"], [[other, "a"], [one + " x " + other], [one], [one]])


@pytest.mark.parametrize("length", [63, 64, 65, 127, 128, 129])
@pytest.mark.parametrize("text", VARIANTS)
def test_identical_texts_of_any_length_score_one(text, length):
    words = " ".join(f"w{i % 40}" for i in range(length))
    assert float(untokenized(text).segment(words, words)) == 1.0


@pytest.mark.parametrize("weight", [1, 1.1, 1.2, 1.5, 2, 10])
@given(data=copies(sentence(12)))
def test_rouge_w_is_symmetric_and_bounded(weight, data):
    made = RougeW(weight=weight, tokenize="none", beta=1)
    for hyp, entry in zip(*data, strict=True):
        one, other = made.segment(hyp, entry[0]), made.segment(entry[0], hyp)
        assert float(one) == pytest.approx(float(other), rel=1e-12)
        assert (one.precision, one.recall) == (other.recall, other.precision)
        assert 0 <= float(one) <= 1
        if weight == 1:
            assert float(one) == pytest.approx(float(RougeL(tokenize="none", beta=1).segment(hyp, entry[0])))


@given(data=copies(sentence(12)))
def test_skip_0_is_rouge_2(data):
    assert RougeS(skip=0).segments(*data).tolist() == RougeN(n=2).segments(*data).tolist()


def test_five_thousand_words_are_bounded():
    rng = np.random.default_rng(5)
    texts = [" ".join(f"w{i}" for i in rng.zipf(1.3, size=5000)) for _ in range(2)]
    for made in (RougeS(skip=None), RougeSU(skip=9), RougeW(), RougeL(), RougeN(n=9)):
        assert 0 <= float(made.segment(*texts)) < 1
        assert 0.99 < float(made.segment("w " * 5000, "w " * 4999)) < 1


# The paper ---------------------------------------------------------------------------------------------------


def test_derivatives_are_equal_at_the_other_beta():
    """What the paper says of β = P/R holds for R/P."""

    def slopes(p, r, beta, step=1e-6):
        by_p = (f(p + step, r, beta) - f(p - step, r, beta)) / (2 * step)
        by_r = (f(p, r + step, beta) - f(p, r - step, beta)) / (2 * step)
        return by_p / by_r

    assert slopes(0.3, 0.6, 0.6 / 0.3) == pytest.approx(1, rel=1e-6)
    assert slopes(0.3, 0.6, 0.3 / 0.6) == pytest.approx(16, rel=1e-6)
    score = RougeN(tokenize="none").segment("a b c x y z 1 2 3 4", "a b c d e")
    assert float(score) == pytest.approx(f(0.3, 0.6, 0.3 / 0.6), rel=1e-12)


def test_max_f_and_max_pr_differ():
    hyp, refs = "a b c d", ["a", "a b c d e f g h"]
    scores = [RougeL(tokenize="none", beta=1, multi_ref=m).segment(hyp, refs) for m in ("max_f", "max_pr")]
    assert [(s.precision, s.recall) for s in scores] == [(1.0, 0.5), (1.0, 1.0)]
    assert [round(float(s), 4) for s in scores] == [0.6667, 1.0]


def test_single_words_that_rouge_155_forgets():
    """Its loop over first words ends before the last one; we count it."""
    assert RougeSU(tokenize="none").counter.segment("a b", "a b") == [[3.0, 3.0, 3.0]]
    assert float(RougeSU().segment("yes", "yes")) == 1.0
    assert float(RougeS().segment("yes", "yes")) == 0.0


# Every script ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["ภาษาไทยไม่มีช่องว่าง", "我喜欢机器翻译。", "أحب الترجمة الآلية", "मुझे अनुवाद पसंद है", "私は翻訳が好き"]
)
@pytest.mark.parametrize("name", ["rouge-1", "rouge-2", "rouge-l", "rouge-w", "rouge-s", "rouge-su"])
def test_identical_texts_of_any_script_score_one(name, text):
    made = metric(name)
    assert float(made.segment(text, text)) == 1.0
    assert 0 < float(made.segment(text[: len(text) * 2 // 3], text)) < 1


@pytest.mark.parametrize("name", ["rouge-1", "rouge-2", "rouge-l", "rouge-w", "rouge-s", "rouge-su"])
@pytest.mark.parametrize(("hyp", "ref"), [("", "a b"), ("a b", ""), ("", ""), ("...", ""), (" ", "\u3000")])
def test_empty_texts_score_zero(name, hyp, ref):
    score = metric(name).segment(hyp, ref)
    assert (float(score), score.precision, score.recall, score.f) == (0, 0, 0, 0)


@given(data=copies(adversarial))
def test_ids_are_words(data):
    hyps, refs = data
    for made in (RougeN(n=2), RougeL(), RougeW(), RougeS(), RougeSU()):
        cut = [[tokenize(text, "universal") for text in (hyp, *entry)] for hyp, entry in zip(hyps, refs, strict=True)]
        known = {word: i for i, word in enumerate(sorted({word for texts in cut for text in texts for word in text}))}
        ids = [[[known[word] for word in text] for text in texts] for texts in cut]
        got = [made.segment(texts[0], texts[1:]).stats.values for texts in ids]
        np.testing.assert_allclose(got, made.stats(hyps, refs).values, rtol=1e-14)


# Equal to rouge-score ----------------------------------------------------------------------------------------

PEERS = {"rouge1": "rouge-1", "rouge2": "rouge-2", "rouge5": "rouge-5", "rougeL": "rouge-l"}
SCORERS = {stem: rouge_scorer.RougeScorer([*PEERS], use_stemmer=stem) for stem in (False, True)}


def compatible(name, stem):
    name, implied = tri.metrics.named(name)
    return tri.metrics.metric_class(name)(**implied, compat="rouge-score", stem=stem)


OURS = {(peer, stem): compatible(name, stem) for peer, name in PEERS.items() for stem in (False, True)}


def check_peer(hyps, refs, stem):
    theirs = [SCORERS[stem].score_multi(entry, hyp) for hyp, entry in zip(hyps, refs, strict=True)]
    for peer in PEERS:
        made = OURS[peer, stem]
        rows = made.stats(hyps, refs).values
        expected = np.array([score[peer] for score in theirs])
        np.testing.assert_array_equal(rows[:, :3], expected)
        one = made.segment(hyps[0], refs[0])
        assert (one.precision, one.recall, one.f) == tuple(theirs[0][peer])
        assert float(made(hyps, refs)) == pytest.approx(expected[:, 2].mean(), rel=1e-12)


ENGLISH = """
    Translations translated translating the cats were happily HAPPIER, 1990s don't running-ran skies dying agreed
    relational İstanbul Kelvin K2 naïve university universe ab3ings conflated Sensational
"""
english = sentence(12, st.sampled_from(ENGLISH.split()))


@pytest.mark.parametrize("stem", [False, True])
@settings(max_examples=300)
@given(data=st.one_of(copies(english), corpus(english), copies(encodable), copies(adversarial)))
@example(data=(["İİ aİb İ \u212a ẞ"], [["i i a b i k", "İ"]]))
def test_equals_rouge_score(stem, data):
    check_peer(*data, stem)


@settings(max_examples=300)
@given(text=adversarial)
@example(text="".join(map(chr, range(0x110000))))
@example(text="a".join(map(chr, range(0xD800))))
def test_tokenizer_equals_rouge_score(text):
    from rouge_score.tokenize import tokenize as peer

    assert tokenize(text, "rouge-score") == peer(text, None)


@pytest.mark.parametrize("stem", [False, True])
def test_equals_rouge_score_on_shared_data(lines, stem):
    refs = lines("human/mqm-ted-ende/references/ref.txt")
    for system in ("Facebook-AI", "metricsystem3"):
        check_peer(lines(f"human/mqm-ted-ende/systems/{system}.txt"), [[ref] for ref in refs], stem)


@pytest.mark.parametrize("stem", [False, True])
def test_equals_rouge_score_on_shared_english_with_two_references(lines, stem):
    texts = [lines(f"human/mlqe-multiref-et-en/{name}.txt")[:400] for name in ("mt", "ref1", "ref2")]
    check_peer(texts[0], [[*entry] for entry in zip(*texts[1:], strict=True)], stem)


# Together ----------------------------------------------------------------------------------------------------


@given(data=st.one_of(copies(adversarial), copies(english)))
def test_together_is_one_by_one(data):
    for more in ({}, {"compat": "rouge-score"}, {"stem": True, "lowercase": True, "multi_ref": "max_pr"}):
        made = [RougeN(n=2, **more), RougeL(**more), RougeW(**more), RougeS(**more), RougeSU(skip=None, **more)]
        scores = score_all(made, *data, threads=1)
        alone = [one(*data) for one in made]
        assert [score.parts for score in scores] == [score.parts for score in alone]
        assert [score.signature for score in scores] == [score.signature for score in alone]


# Parameters --------------------------------------------------------------------------------------------------


def test_compat_is_a_set_of_defaults():
    made = RougeL(compat="rouge-score")
    assert (made.beta, made.tokenize) == (1.0, "rouge-score")
    assert made.spec == "rouge-l(compat=rouge-score)"
    assert RougeL(compat="rouge-score", beta="p/r").spec == "rouge-l(beta=p/r, compat=rouge-score)"
    assert RougeL().spec == "rouge-l"
    assert metric("rouge-2") == RougeN(n=2)
    assert metric("ROUGE-2(beta=1)") == RougeN(n=2, beta=1)
    assert "case:lc|tok:rouge-score|" in made.signature()


@pytest.mark.parametrize("beta", ["inf", "infinity", math.inf, 1e200, "recall"])
def test_infinite_beta_is_recall(beta):
    made = RougeL(beta=beta, tokenize="none")
    assert made.beta == "recall"
    assert float(made.segment("a b", "a b c d")) == 0.5
    assert metric(made.spec) == made


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rouge-l(beta=-1)", "beta must be p/r, recall, or a number, 0 or more; got -1"),
        ("rouge-l(beta=r/p)", "beta must be p/r, recall"),
        ("rouge-l(beta=true)", "beta must be p/r, recall"),
        ("rouge-n(n=0)", "n must be a whole number from 1 to 9"),
        ("rouge-10", "unknown metric 'rouge-10'"),
        ("rouge-w(weight=0.9)", "weight must be a number from 1 to 10; got 0.9"),
        ("rouge-w(weight=11)", "weight must be a number from 1 to 10; got 11"),
        ("rouge-s(skip=-1)", "skip must be a whole number from 0 to 1,000,000, or none; got -1"),
        ("rouge-s(skip=1.5)", "skip must be"),
        ("rouge-l(compat=rouge)", "did you mean 'rouge-score'?"),
        ("rouge-l(compat=rouge-score, tokenize=13a)", "has its own tokenizer; remove tokenize=13a"),
        ("rouge-l(compat=rouge-score, strip_punctuation=true)", "remove strip_punctuation"),
        ("rouge-l(stem=true, tokenize=char)", "stem requires words, but tokenize=char splits into characters"),
        ("rouge-l(weight=2)", "rouge-l has no parameter 'weight'"),
    ],
)
def test_wrong_parameters_get_one_line(text, message):
    with pytest.raises(SpecError) as caught:
        metric(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_titles():
    specs = ["rouge-2", "rouge-s", "rouge-s(skip=none)", "rouge-su(skip=9)", "rouge-w", "rouge-w(weight=2)", "rouge-l"]
    titles = "ROUGE-2 ROUGE-S4 ROUGE-S* ROUGE-SU9 ROUGE-W-1.2 ROUGE-W-2 ROUGE-L"
    assert [metric(spec).title for spec in specs] == titles.split()
    assert [RougeN.title, RougeS.title] == ["ROUGE-N", "ROUGE-S"]


# Stems -------------------------------------------------------------------------------------------------------


def test_stems_without_compat():
    made = RougeN(stem=True, beta=1)
    assert float(made.segment("translated cats", "translating cat")) == 1.0
    assert float(made.segment("was", "wa")) == 0.0  # of three letters
    assert float(made.segment("Translated", "translating")) == 0.0
    assert float(RougeN(stem=True, lowercase=True).segment("TRANSLATED", "translating")) == 1.0
    assert float(made.segment("übersetzung", "übersetzungs")) == 0.0
    assert float(made.segment("ภาษาไทย", "ภาษาไทย")) == 1.0
    assert "+porter-nltk" in made.signature()
    assert "porter" not in made.segment([1, 2], [1, 2]).signature


def test_stemming_does_not_need_nltk(monkeypatch):
    real = builtins.__import__

    def without_nltk(name, *rest, **more):
        if name.split(".")[0] == "nltk":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_nltk)
    assert float(RougeL(stem=True).segment("running", "run")) == 1.0


def test_nltk_is_loaded_for_stems_only():
    import subprocess
    import sys

    code = (
        "import sys, tricolore as tri; tri.RougeL(compat='rouge-score').segment('a', 'b'); tri.RIBES(); "
        "print('nltk' in sys.modules, 'numpy' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found.strip() == "False False"
