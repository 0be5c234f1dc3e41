"""The drop-in for NLTK's metrics against NLTK itself, and what it rejects."""

import copy
import math
import pickle
import random
import warnings
from collections import deque
from functools import reduce
from operator import add
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk import translate as peer_package
from nltk.translate import bleu_score as peer_bleu
from nltk.translate import chrf_score as peer_chrf
from nltk.translate import gleu_score as peer_gleu
from nltk.translate import meteor_score as peer_meteor
from nltk.translate import nist_score as peer_nist
from nltk.translate import ribes_score as peer_ribes

import tricolore as tri
from tricolore import _native
from tricolore.compat import nltk as package
from tricolore.compat.nltk import bleu_score, chrf_score, gleu_score, meteor_score, nist_score, ribes_score
from tricolore.errors import InputError, InputTypeError

#: Words, and with them tokens that are no words: with white space, empty, numbers.
WORDS = st.lists(st.sampled_from("abcd"), max_size=12)
TOKENS = WORDS | st.lists(st.sampled_from(["a", "b c", "", "\t", 1, ("x", 2)]), max_size=8)
SEGMENT = st.tuples(TOKENS, st.lists(TOKENS, min_size=1, max_size=3))
CORPUS = st.lists(SEGMENT, min_size=1, max_size=4)


def outcome(function, *arguments, **options):
    """What a function returns, or the kind of its error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*arguments, **options)
        except (AssertionError, ZeroDivisionError, ValueError, OverflowError) as error:
            return "refused" if isinstance(error, AssertionError | ZeroDivisionError | ValueError) else "overflow"


@given(CORPUS, st.sampled_from([None, *range(8)]), st.sampled_from([(0.25,) * 4, (1,), (0.5, 0.5), (0.1, 0, 0.4, 0.5)]))
def test_bleu_equals_nltks(corpus, method, weights):
    refs, hyps = [refs for _, refs in corpus], [hyp for hyp, _ in corpus]
    how = [
        None if method is None else getattr(one.SmoothingFunction(), f"method{method}")
        for one in (bleu_score, peer_bleu)
    ]
    if method == 6 and len(weights) < 3:
        return
    for reweigh in (False, True):
        ours = outcome(bleu_score.corpus_bleu, refs, hyps, weights, how[0], reweigh)
        assert ours == outcome(peer_bleu.corpus_bleu, refs, hyps, weights, how[1], reweigh)
        ours = outcome(bleu_score.sentence_bleu, refs[0], hyps[0], [weights, weights], how[0], reweigh)
        assert ours == outcome(peer_bleu.sentence_bleu, refs[0], hyps[0], [weights, weights], how[1], reweigh)


@pytest.mark.parametrize("module", [bleu_score, peer_bleu])
def test_an_empty_corpus_has_no_bleu(module):
    with pytest.raises(ZeroDivisionError):
        module.corpus_bleu([], [])
    with pytest.raises(ZeroDivisionError):
        module.corpus_bleu([], [], [(0.5, 0.5), (1,)])


@given(SEGMENT, st.integers(1, 5))
def test_parts_of_bleu_equal_nltks(segment, n):
    hyp, refs = segment
    ours, theirs = (one.modified_precision(refs, hyp, n) for one in (bleu_score, peer_bleu))
    assert (ours.numerator, ours.denominator, float(ours)) == (theirs.numerator, theirs.denominator, float(theirs))
    length = bleu_score.closest_ref_length(refs, len(hyp))
    assert length == peer_bleu.closest_ref_length(refs, len(hyp))
    assert bleu_score.brevity_penalty(length, len(hyp)) == peer_bleu.brevity_penalty(length, len(hyp))


@given(CORPUS, st.integers(1, 3), st.integers(0, 3))
def test_gleu_equals_nltks(corpus, lowest, more):
    refs, hyps = [refs for _, refs in corpus], [hyp for hyp, _ in corpus]
    limits = (lowest, lowest + more)
    assert gleu_score.corpus_gleu(refs, hyps, *limits) == peer_gleu.corpus_gleu(refs, hyps, *limits)
    assert gleu_score.sentence_gleu(refs[0], hyps[0], *limits) == peer_gleu.sentence_gleu(refs[0], hyps[0], *limits)


TEXT = st.text("ab \t\u3000é\ue000", max_size=10) | st.lists(st.sampled_from("ab"), max_size=5)


@given(
    st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=3), st.integers(1, 2), st.booleans(), st.sampled_from([1, 3.0])
)
def test_chrf_equals_nltks(pairs, lowest, ignore, beta):
    refs, hyps = ([*side] for side in zip(*pairs, strict=True))
    options = (lowest, 4, beta, ignore)
    assert chrf_score.corpus_chrf(refs, hyps, *options) == peer_chrf.corpus_chrf(refs, hyps, *options)
    assert chrf_score.sentence_chrf(refs[0], hyps[0]) == peer_chrf.sentence_chrf(refs[0], hyps[0])
    ours, theirs = (one.chrf_precision_recall_fscore_support(refs[0], hyps[0], 2) for one in (chrf_score, peer_chrf))
    assert ours == theirs


@given(CORPUS, st.integers(1, 5))
def test_nist_equals_nltks(corpus, n):
    refs, hyps = [refs for _, refs in corpus], [hyp for hyp, _ in corpus]
    ours, theirs = (outcome(one.corpus_nist, refs, hyps, n) for one in (nist_score, peer_nist))
    assert ours == theirs


@given(SEGMENT, st.integers(1, 5))
def test_nist_of_one_sentence_is_nltks_to_the_last_bit(segment, n):
    hyp, refs = segment
    ours, theirs = (outcome(one.sentence_nist, refs, hyp, n) for one in (nist_score, peer_nist))
    assert ours == theirs


class Word(str):
    """A token that is a string, but not only."""

    __slots__ = ()


@given(st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1, max_size=3))
def test_tokens_of_any_kind_score_as_their_strings(corpus):
    """The core reads plain strings at once; other tokens take the long way to the same score."""
    for hyp, refs in corpus:
        others = [Word(word) for word in hyp], [[Word(word) for word in ref] for ref in refs]
        tuples = tuple(hyp), tuple(map(tuple, refs))
        for function in (
            bleu_score.sentence_bleu,
            gleu_score.sentence_gleu,
            nist_score.sentence_nist,
            ribes_score.sentence_ribes,
        ):
            score = outcome(function, refs, hyp)
            assert outcome(function, *others[::-1]) == score
            assert outcome(function, *tuples[::-1]) == score


@given(CORPUS)
def test_ribes_equals_nltks(corpus):
    refs, hyps = [refs for _, refs in corpus], [hyp for hyp, _ in corpus]
    for ref in refs[0]:
        order = ribes_score.word_rank_alignment(ref, hyps[0])
        assert order == peer_ribes.word_rank_alignment(ref, hyps[0])
        if len(order) > 1:
            assert ribes_score.spearman_rho(order) == peer_ribes.spearman_rho(order)
        runs = [[*one.find_increasing_sequences(order)] for one in (ribes_score, peer_ribes)]
        assert runs[0] == runs[1]
        assert ribes_score.kendall_tau(order, normalize=False) == peer_ribes.kendall_tau(order, normalize=False)
    assert ribes_score.corpus_ribes(refs, hyps) == peer_ribes.corpus_ribes(refs, hyps)
    assert ribes_score.sentence_ribes(refs[0], hyps[0], 0.5, 0.3) == peer_ribes.sentence_ribes(
        refs[0], hyps[0], 0.5, 0.3
    )


def segments(seed, number, references, most=30):
    """Hypotheses and lists of references: words as frequent as in texts, with some n-grams in common."""
    draw = random.Random(seed)
    words = [f"w{int(draw.paretovariate(0.7))}" for _ in range(4000)]

    def text():
        parts = [words[at : at + draw.randint(1, 7)] for at in draw.choices(range(400), k=draw.randint(1, 6))]
        return [word for part in parts for word in part][: draw.randint(5, most)]

    hyps = [text() for _ in range(number)]
    refs = [[[*hyp[draw.randint(0, 4) :], *text()] for _ in range(draw.randint(1, references))] for hyp in hyps]
    return refs, hyps


@pytest.mark.parametrize("references", [1, 4])
def test_corpora_score_as_nltks_to_the_last_bit(references):
    refs, hyps = segments(references, 150, references)
    hyps[7] = []
    refs[9][0] = []
    for ours, theirs in (
        (gleu_score.corpus_gleu, peer_gleu.corpus_gleu),
        (nist_score.corpus_nist, peer_nist.corpus_nist),
        (ribes_score.corpus_ribes, peer_ribes.corpus_ribes),
    ):
        score = theirs(refs, hyps)
        assert ours(refs, hyps) == score > 0
        # Tokens of other kinds, and lists of other kinds, take the long way.
        numbers = {word: number for number, word in enumerate({word for hyp in hyps for word in hyp})}
        others = [[[numbers.get(word, word) for word in ref] for ref in those] for those in refs]
        assert ours(others, [[numbers[word] for word in hyp] for hyp in hyps]) == score
        assert ours(tuple(tuple(map(deque, those)) for those in refs), [*map(tuple, hyps)]) == score
    lists = [those[0] for those in refs]
    texts = [*map(" ".join, lists)]
    for these, those in (
        (lists, hyps),
        (texts, [*map(" ".join, hyps)]),
        (texts, hyps),
        ([*lists[:9], *texts[9:]], hyps),
    ):
        assert chrf_score.corpus_chrf(these, those) == peer_chrf.corpus_chrf(these, those)


def exact_information(refs, hyps, n, summed):
    """What NIST gains for an order, from n-grams counted one by one."""
    every = [ref for those in refs for ref in those]

    def count(ngram, texts):
        size = len(ngram)
        return sum(text[i : i + size] == ngram for text in texts for i in range(len(text) - size + 1))

    gained, ngrams, length = 0.0, 0, 0
    for hyp, those in zip(hyps, refs, strict=True):
        found = [hyp[i : i + n] for i in range(len(hyp) - n + 1)]
        best = []
        for ref in those:
            gains = []
            for i, ngram in enumerate(found):
                matches = min(found.count(ngram), count(ngram, [ref]))
                if matches and ngram not in found[:i]:
                    before = count(ngram[:-1], every) if n > 1 else sum(map(len, every))
                    gains.append(math.log(before / count(ngram, every)) / math.log(2) * matches)
            best.append((summed(gains), len(ref)))
        gained, ngrams, length = gained + max(best)[0], ngrams + len(found), length + max(best)[1]
    return gained, ngrams, length


def plain_sum(numbers):
    return reduce(add, numbers, 0.0)


def compensated_sum(numbers):
    """A sum as Python has it from 3.12 on."""
    total = lost = 0.0
    for x in numbers:
        larger, smaller = (total, x) if abs(total) >= abs(x) else (x, total)
        lost += larger - (total + x) + smaller
        total += x
    return total + lost


@pytest.mark.parametrize("references", [1, 3])
def test_information_is_summed_as_python_sums(references):
    refs, hyps = segments(5, 12, references, most=60)
    found = {}
    for compensated, summed in ((False, plain_sum), (True, compensated_sum)):
        found[compensated] = _native.information_gains(hyps, refs, 4, math.log(2), compensated)
        assert found[compensated] == [exact_information(refs, hyps, n, summed) for n in range(1, 5)]
    assert found[False] != found[True]


def test_a_corpus_without_a_reference_is_refused_by_nist():
    with pytest.raises(InputError, match="one reference or more"):
        nist_score.corpus_nist([[["a"]], []], [["a"], ["b"]])
    for name in ("corpus_nist", "corpus_gleu", "corpus_ribes"):
        module = {"nist": nist_score, "gleu": gleu_score, "ribes": ribes_score}[name.removeprefix("corpus_")]
        with pytest.raises(InputTypeError, match="got the string"):
            getattr(module, name)([["a b"]], [["a", "b"]])
    with pytest.raises(ValueError, match="1 <= min_len"):
        chrf_score.corpus_chrf(["a"], ["a"], 0)
    with pytest.raises(ValueError, match="1 or more"):
        chrf_score.chrf_precision_recall_fscore_support("a", "a", -1)


class Senses:
    """A WordNet of three words."""

    def synsets(self, word):
        groups = [("cat", "feline", "big_cat"), ("sit", "rest"), ("rest", "cat")]
        named = [[SimpleNamespace(name=lambda one=one: one) for one in group] for group in groups if word in group]
        return [SimpleNamespace(lemmas=lambda those=those: those) for those in named]


SENTENCE = st.lists(
    st.sampled_from(["cat", "Cats", "feline", "sit", "sitting", "rest", "rests", "the", "Größe"]), max_size=9
)


@given(SENTENCE, SENTENCE, st.sampled_from([str.lower, str, str.upper, Word]))
def test_meteor_of_one_reference_equals_nltks(hyp, ref, preprocess):
    ours, theirs = (
        one.single_meteor_score(ref, hyp, preprocess, wordnet=Senses()) for one in (meteor_score, peer_meteor)
    )
    assert ours == theirs


@given(SENTENCE, st.lists(SENTENCE, min_size=1, max_size=3))
def test_meteor_equals_nltks(hyp, refs):
    ours, theirs = (one.meteor_score(refs, hyp, wordnet=Senses()) for one in (meteor_score, peer_meteor))
    assert ours == theirs
    for name, options in [("exact_match", {}), ("stem_match", {}), ("align_words", {"wordnet": Senses()})]:
        assert getattr(meteor_score, name)(hyp, refs[0], **options) == getattr(peer_meteor, name)(
            hyp, refs[0], **options
        )
    assert meteor_score.wordnetsyn_match(hyp, refs[0], Senses()) == peer_meteor.wordnetsyn_match(hyp, refs[0], Senses())


@given(st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=2)), min_size=1, max_size=3), st.integers(0, 7))
def test_strict_scores_are_the_native_ones(corpus, method):
    refs, hyps = [refs for _, refs in corpus], [hyp for hyp, _ in corpus]
    texts, lists = [" ".join(hyp) for hyp in hyps], [[" ".join(ref) for ref in those] for those in refs]
    how = getattr(bleu_score.SmoothingFunction(), f"method{method}")
    strict = bleu_score.corpus_bleu(refs, hyps, smoothing_function=how, strict=True)
    assert strict == pytest.approx(float(tri.BLEU(smooth=method, tokenize="none")(texts, lists)), rel=1e-12)
    assert nist_score.corpus_nist(refs, hyps, strict=True) == float(tri.NIST(tokenize="none")(texts, lists))
    native = float(tri.RIBES(tokenize="none")(texts, lists))
    assert ribes_score.corpus_ribes(refs, hyps, strict=True) == pytest.approx(native, rel=1e-12)


def test_strict_differs_where_nltk_differs_from_the_paper():
    ref, hyp = [*"abcde"], [*"abcxe"]
    assert bleu_score.sentence_bleu([ref], hyp, strict=True) == 0
    with pytest.warns(UserWarning, match="shares no 4-gram"):
        assert 0 < bleu_score.sentence_bleu([ref], hyp) < 1e-70
    with pytest.raises(ValueError, match="expected a method of SmoothingFunction"):
        bleu_score.sentence_bleu([ref], hyp, smoothing_function=lambda p_n, **_: p_n, strict=True)


@pytest.mark.parametrize(
    ("references", "hypothesis"),
    [(["a b c"], ["a", "b"]), ([["a", "b"]], "a b"), ("a b c", ["a"]), (["a", "b"], ["a", "b"])],
)
def test_strings_are_no_lists_of_tokens(references, hypothesis, monkeypatch):
    """NLTK takes characters for words, and a list of words for a list of references."""
    pairs = [
        (bleu_score.sentence_bleu, peer_bleu.sentence_bleu),
        (gleu_score.sentence_gleu, peer_gleu.sentence_gleu),
        (nist_score.sentence_nist, peer_nist.sentence_nist),
        (ribes_score.sentence_ribes, peer_ribes.sentence_ribes),
    ]
    for ours, _ in pairs:
        with pytest.raises(InputTypeError, match="got the string"):
            ours(references, hypothesis)
    with pytest.raises(InputTypeError, match="got the string"):
        bleu_score.corpus_bleu([references], [hypothesis])
    monkeypatch.setenv("TRICOLORE_COMPAT", "lenient")
    for ours, theirs in pairs:
        found, expected = outcome(ours, references, hypothesis), outcome(theirs, references, hypothesis)
        assert found == (expected if isinstance(expected, str) else pytest.approx(expected, rel=1e-12))


def test_several_references_are_no_tokens_of_chrf(monkeypatch):
    with pytest.raises(InputTypeError, match="it has no several references"):
        chrf_score.sentence_chrf(["a cat", "the cat"], "a cat")
    with pytest.raises(InputTypeError, match="references: expected a list of references"):
        chrf_score.corpus_chrf("a cat", "a cat")
    monkeypatch.setenv("TRICOLORE_COMPAT", "lenient")
    expected = peer_chrf.sentence_chrf(["a cat", "the cat"], "a cat")
    assert chrf_score.sentence_chrf(["a cat", "the cat"], "a cat") == pytest.approx(expected)


def test_unequal_numbers_are_refused_as_in_nltk():
    for function in (bleu_score.corpus_bleu, gleu_score.corpus_gleu, nist_score.corpus_nist, chrf_score.corpus_chrf):
        with pytest.raises(AssertionError):
            function([[["a"]]], [])
    with pytest.raises(ValueError, match="number of reference sets"):
        ribes_score.corpus_ribes([[["a"]]], [["a"], ["b"]])
    with pytest.raises(InputError, match="at most 2,000 words"):
        ribes_score.sentence_ribes([["a"]], ["a"] * 2001)
    assert math.isclose(bleu_score.sentence_bleu([["a"] * 5], ["a"] * 5), 1.0)


@pytest.mark.parametrize("function", [bleu_score.sentence_bleu, bleu_score.modified_precision])
@pytest.mark.parametrize("refs", [[], ()])
def test_references_are_needed(function, refs):
    with pytest.raises(InputError, match="references: expected at least one, got none"):
        function(refs, ["a"], *([1] if function is bleu_score.modified_precision else []))
    with pytest.raises(InputError, match="at least one reference for hypothesis 1, got none"):
        bleu_score.corpus_bleu([[["a"]], refs], [["a"], ["b"]])
    with pytest.raises(InputTypeError, match="expected a list of lists of tokens, got list_iterator"):
        bleu_score.sentence_bleu(iter([["a"]]), ["a"])


def test_fractions_are_printed_as_given():
    for one in (bleu_score, peer_bleu):
        half = one.modified_precision([["a", "b"]], ["a", "c", "d", "b"], 1)
        assert (repr(half), str(half)) == ("Fraction(2, 4)", "2/4")
        assert str(one.Fraction(3, 1)) == "3"


@given(*[st.integers(-3, 6)] * 2, *[st.integers(1, 6)] * 2)
def test_fractions_are_compared_and_copied_as_given(a, b, c, d):
    outcomes = []
    for one in (bleu_score, peer_bleu):
        x, y = one.Fraction(a, c), one.Fraction(b, d)
        copies = [pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x), one.Fraction(x)]
        made = [*copies, x + y, x * y, x**2, -x, abs(x), x + 1, x / 2, one.Fraction("1/2"), one.Fraction(0.5)]
        kept = (
            x == y,
            x in [y],
            len({x, y}),
            x == x,
            x == one.Fraction(a, c),
            hash(x),
            x == 0,
            x == 0.5,
            x < y,
            max(x, y),
        )
        outcomes.append((*map(repr, made), *map(str, kept), repr(one.Fraction(2, 4, _normalize=True))))
    assert outcomes[0] == outcomes[1]


@given(st.lists(st.sampled_from("ab"), max_size=6), st.lists(st.sampled_from("ab"), min_size=1, max_size=2))
def test_positions_of_ngrams_equal_nltks(sentence, ngram):
    assert ribes_score.position_of_ngram((*ngram,), sentence) == peer_ribes.position_of_ngram((*ngram,), sentence)


def test_the_package_has_nltks_short_names():
    for name in ("bleu", "chrf", "gleu", "nist", "ribes"):
        hyp, ref = ["a", "b", "c", "d", "e"], ["a", "b", "c", "d", "f"]
        arguments = (ref, hyp) if name == "chrf" else ([ref], hyp)
        assert getattr(package, name)(*arguments) == outcome(getattr(peer_package, name), *arguments)
    assert package.meteor is meteor_score.meteor_score


def test_gleu_has_no_ngrams_of_no_words():  # NLTK counts empty ones
    with pytest.raises(ValueError, match="min_len must be 1 or more; got 0"):
        gleu_score.sentence_gleu([["a"]], ["a"], min_len=0)


def test_chrf_has_one_reference():
    with pytest.raises(TypeError, match="no several references"):
        chrf_score.sentence_chrf([["a", "b"]], ["a", "b"])
    for function in (chrf_score.corpus_chrf, peer_chrf.corpus_chrf, nist_score.corpus_nist, peer_nist.corpus_nist):
        with pytest.raises(ZeroDivisionError):
            function([], [])
    for function in (bleu_score.corpus_bleu, chrf_score.corpus_chrf, nist_score.corpus_nist):
        with pytest.raises(InputError, match="hypotheses: expected at least one, got none"):
            function([], [])
