"""What the drop-in for NLTK's metrics takes for lists of tokens, beside NLTK itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate import bleu_score as peer_bleu
from nltk.translate import gleu_score as peer_gleu
from nltk.translate import ribes_score as peer_ribes

from tricolore.compat.nltk import bleu_score, gleu_score, ribes_score
from tricolore.errors import InputTypeError

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
