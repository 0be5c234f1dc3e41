"""What the drop-in for NLTK's metrics takes for lists of tokens, beside NLTK itself."""

from collections import deque
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk import translate
from nltk.translate import bleu_score as peer_bleu
from nltk.translate import gleu_score as peer_gleu
from nltk.translate import ribes_score as peer_ribes

from tricolore.compat import nltk as compat
from tricolore.compat.nltk import bleu_score, gleu_score, ribes_score
from tricolore.errors import InputTypeError, SpecError

#: Functions that read references once, for which NLTK takes generators, too; NLTK's own.
READ_ONCE, PEERS = (
    {
        "sentence_gleu": gleu.sentence_gleu,
        "sentence_ribes": ribes.sentence_ribes,
        "modified_precision": lambda refs, hyp, bleu=bleu: bleu.modified_precision(refs, hyp, 1),
    }
    for bleu, gleu, ribes in ((bleu_score, gleu_score, ribes_score), (peer_bleu, peer_gleu, peer_ribes))
)


@pytest.mark.parametrize("name", READ_ONCE)
def test_arrays_and_generators_are_scored_as_lists(name):
    hyp, ref = ["the", "cat", "sat", "on", "a", "mat"], ["the", "cat", "is", "on", "a", "mat"]
    function = READ_ONCE[name]
    expected = function([ref, hyp[:3]], hyp)
    assert expected == PEERS[name]([ref, hyp[:3]], hyp)
    assert function(iter([ref, hyp[:3]]), hyp) == expected
    assert function(np.array([ref, ref]), np.array(hyp)) == function([ref], hyp)


#: Calls with lists turned into something else, which NLTK reads once.
WITH_ITERATORS = {
    "chrF": lambda m, of: m.chrf_score.sentence_chrf(of(REF), of(HYP)),
    "chrF, a text": lambda m, of: m.chrf_score.sentence_chrf("the cat", of(HYP)),
    "chrF of a corpus": lambda m, of: m.chrf_score.corpus_chrf([of(REF), "x", REF], [HYP, of(["x"]), of(REF)]),
    "GLEU": lambda m, of: m.gleu_score.sentence_gleu([of(REF), HYP[:2]], of(HYP)),
    "GLEU of a corpus": lambda m, of: m.gleu_score.corpus_gleu([of([of(REF)]), [REF, HYP]], [of(HYP), REF]),
    "RIBES of a corpus": lambda m, of: m.ribes_score.corpus_ribes([[REF], of([REF, HYP])], [HYP, HYP]),
    "runs": lambda m, of: [*m.ribes_score.find_increasing_sequences(of([5, 7, 8, 9, 0, 3, 4]))],
    "one run": lambda m, of: [*m.ribes_score.find_increasing_sequences(of([2, 3]))],
    "place": lambda m, of: m.ribes_score.position_of_ngram(("cat", "is"), of(REF)),
}
REF, HYP = ["the", "cat", "is", "on", "a", "mat"], ["the", "cat", "sat"]


@pytest.mark.parametrize("name", WITH_ITERATORS)
def test_iterators_are_scored_as_lists(name):
    call = WITH_ITERATORS[name]
    expected = call(translate, list)
    assert call(compat, iter) == expected == call(compat, list) == call(translate, iter)


def test_views_and_deques_are_sequences_of_positions():
    for name, of in product(("runs", "place"), (deque, lambda given: dict.fromkeys(given).keys())):
        assert WITH_ITERATORS[name](compat, of) == WITH_ITERATORS[name](translate, of)


@pytest.mark.parametrize("name", READ_ONCE)
@pytest.mark.parametrize(
    ("refs", "hyp", "message"),
    [
        ([["a"]], None, "hypothesis: expected a list of tokens, got NoneType"),
        (None, ["a"], "references: expected a list of lists of tokens, got NoneType"),
        ([["a"], None], ["a"], "reference 1: expected a list of tokens, got NoneType"),
    ],
)
def test_none_is_no_list_of_tokens(name, refs, hyp, message):
    for function in (READ_ONCE[name], bleu_score.sentence_bleu):
        with pytest.raises(InputTypeError, match=message):
            function(refs, hyp)


@given(
    st.lists(st.sampled_from(["a", "the", "cat", "at", ""]), min_size=1), st.lists(st.sampled_from(["a", "cat", "the"]))
)
def test_ribes_finds_words_in_strings_where_lenient(hyp, words):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRICOLORE_COMPAT", "lenient")
        ref = " ".join(words)
        ours, theirs = (one.sentence_ribes([ref], hyp) for one in (ribes_score, peer_ribes))
    assert ours == pytest.approx(theirs, abs=1e-15)


def test_there_is_a_weight():
    for function, of in ((bleu_score.sentence_bleu, ["a"]), (bleu_score.corpus_bleu, [["a"]])):
        with pytest.raises(SpecError, match="weights: expected at least one, got none"):
            function([of], of, weights=())


@pytest.mark.parametrize("n", [0, 1, 4])
@pytest.mark.parametrize("k", [0, 2, 5, -1])
def test_ways_to_choose(n, k):
    assert ribes_score.choose(n=n, k=k) == peer_ribes.choose(n=n, k=k)
