"""chrF beside sacreBLEU, and the matcher of one sequence against another beside counters."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import CHRF
from strategies import copies, corpus, encodable, sentence, streams

from tricolore import ChrF, metric

CHOICES = {
    "char_order": st.integers(1, 8),
    "word_order": st.integers(0, 3),
    "beta": st.integers(0, 3),
    "whitespace": st.booleans(),
    "lowercase": st.booleans(),
    "eps_smoothing": st.booleans(),
}
PARAMETERS = st.fixed_dictionaries({}, optional=CHOICES)


def close(a, b):
    np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


@given(data=st.one_of(copies(encodable), corpus(encodable), copies(sentence(40))), given=PARAMETERS)
def test_equal_to_sacrebleu(data, given):
    hyps, refs = data
    ours, theirs = ChrF(**given), CHRF(**given)
    close(100 * float(ours(hyps, refs)), theirs.corpus_score(hyps, streams(refs)).score)
    close(
        100 * ours.segments(hyps, refs), [theirs.sentence_score(*pair).score for pair in zip(hyps, refs, strict=True)]
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec", ["chrf", "chrf++", "chrf(whitespace=true, lowercase=true)", "chrf(eps_smoothing=true)"]
)
@pytest.mark.parametrize(
    "files",
    [
        ("human/mqm-ted-ende/systems/Nemo.txt", ["human/mqm-ted-ende/references/ref.txt"]),
        (
            "morph/wmt16-en-fi/systems/basic-constrained.txt",
            ["morph/wmt16-en-fi/refA.txt", "morph/wmt16-en-fi/refB.txt"],
        ),
        ("multiref/indian-hi-en/ref0.txt", [f"multiref/indian-hi-en/ref{k}.txt" for k in (1, 2, 3)]),
    ],
)
def test_equal_to_sacrebleu_on_real_text(lines, spec, files):
    hyp, refs = files
    hyps, references = lines(hyp), [lines(name) for name in refs]
    ours = metric(spec)
    theirs = CHRF(**{name: getattr(ours, name) for name in CHOICES})
    close(100 * float(ours(hyps, [*zip(*references, strict=True)])), theirs.corpus_score(hyps, references).score)


def test_named_as_sacrebleu_names_it():
    for parameters in ({}, {"word_order": 1}, {"word_order": 2}, {"beta": 3}):
        theirs = str(CHRF(**parameters).corpus_score(["a b"], [["a c"]])).split(" = ")[0]
        assert ChrF(**parameters).title == theirs
    assert metric("chrf++") == ChrF(word_order=2)
    assert metric("chrF++(beta=1)") == ChrF(word_order=2, beta=1)
    assert metric("chrf++").spec == "chrf(word_order=2)"


# One sequence against another --------------------------------------------------------------------------------


def matches(hyp, ref, order):
    """Clipped matches, from counters."""

    def grams(text, n):
        return Counter(text[i : i + n] for i in range(len(text) - n + 1))

    return [(grams(hyp, n) & grams(ref, n)).total() for n in range(1, order + 1)]


def counted(hyp, ref, order):
    return [
        *ChrF(char_order=order, whitespace=True).stats([hyp], [ref]).values[0, 2::3],
    ]


@given(st.text("ab", max_size=90), st.text("abc", max_size=90), st.integers(1, 9))
def test_matches_of_short_texts(hyp, ref, order):
    assert counted(hyp, ref, order) == matches(hyp, ref, order)


@pytest.mark.parametrize(
    "size", [1, 63, 64, 65, 127, 128, 129, 192, 193, 256, 257, 320, 385, 448, 511, 512, 513, 600, 3000]
)
@pytest.mark.parametrize("alphabet", ["a", "ab", "abcdefgh", "aä€中😀𝟘"])
def test_matches_around_the_borders_of_words_of_bits(size, alphabet):
    rng = random.Random(f"{size} {alphabet}")
    ref = "".join(rng.choices(alphabet, k=size))
    hyp = list(ref)
    for _ in range(1 + size // 10):
        hyp[rng.randrange(size)] = rng.choice(alphabet + "x")
    hyp = "".join(hyp)[rng.randrange(3) :] + "".join(rng.choices(alphabet, k=rng.randrange(80)))
    assert counted(hyp, ref, 7) == matches(hyp, ref, 7)


def test_many_different_characters():
    """More far characters than the first table has room for."""
    ref = "".join(chr(0x20000 + i % 700) for i in range(2000))
    hyp = ref[500:] + ref[:300]
    assert counted(hyp, ref, 3) == matches(hyp, ref, 3)
    assert counted(hyp, "😀" + ref, 3) == matches(hyp, "😀" + ref, 3)
