"""A list of one segment takes a short way; it must lead to the same score, to the last bit, as the long one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record_scores import VARIANTS
from strategies import adversarial, copies, sentence

import tricolore
from tricolore import InputError, metric
from tricolore.metrics import MOST_MADE, every_metric

NUMBERS = np.linspace(0.001, 1, 1000)
#: Some processors have their own functions for arrays, whose last digit may differ.
LAST_DIGIT = 0.0 if all(np.exp(NUMBERS) == [*map(np.exp, NUMBERS)]) and all(
    [float(number) ** 0.3 for number in NUMBERS] == NUMBERS**0.3
) else 4e-15  # fmt: skip

SPECS = [*every_metric(), *VARIANTS]
every = pytest.mark.parametrize("spec", SPECS)
ids = st.lists(st.integers(0, 5), max_size=8)
#: A hypothesis and its references, as text or token ids.
segments = st.one_of(
    st.one_of(copies(sentence()), copies(adversarial)).map(lambda corpus: (corpus[0][0], corpus[1][0])),
    copies(sentence()).map(lambda corpus: (corpus[0][0], corpus[1][0][0])),
    st.tuples(ids, st.lists(ids.filter(bool), min_size=1, max_size=3)),
)
#: What is no segment.
wrong = st.one_of(st.none(), st.just([]), st.just([None]), st.just(["a", 3]), st.just([-1]), st.floats(), st.binary())


def outcome(made, hyps, refs):
    """What scoring returns, or the error that it raises."""
    try:
        score = made(hyps, refs)
    except (InputError, TypeError) as error:
        return type(error), str(error)
    return score


def assert_both_ways_agree(spec, hyp, refs):
    made = metric(spec)
    short, long = outcome(made, [hyp], [refs]), outcome(made, (hyp,), (refs,))  # only lists take the short way
    assert type(short) is type(long)
    if isinstance(short, tuple):
        assert short == long
        return
    np.testing.assert_allclose(short.stats.values, long.stats.values, rtol=LAST_DIGIT, atol=0)
    np.testing.assert_allclose(float(short), float(long), rtol=LAST_DIGIT, atol=0)
    assert short.signature == long.signature
    assert short.nrefs == long.nrefs


@every
@settings(max_examples=25)
@given(segment=segments)
def test_the_short_way_leads_to_the_same_score(spec, segment):
    assert_both_ways_agree(spec, *segment)


@every
@settings(max_examples=10)
@given(segment=st.one_of(st.tuples(wrong, st.just("a")), st.tuples(st.just("a"), wrong)))
def test_the_short_way_leads_to_the_same_error(spec, segment):
    assert_both_ways_agree(spec, *segment)


def test_threads_are_checked_for_one_segment_too():
    with pytest.raises(tricolore.SpecError, match="threads must be"):
        metric("bleu")(["a"], ["a"], threads=-1)


def test_progress_is_reported_for_one_segment_too():
    done = []
    metric("bleu")(["a"], ["a"], progress=lambda *numbers: done.append(numbers))
    assert done == [(1, 1)]


def test_metrics_are_made_once():
    assert metric("bleu(order=3)") is metric("bleu(order=3)")
    assert metric("rouge-1") is metric("rouge-1")


def test_metrics_that_read_files_are_made_anew(tmp_path):
    words = tmp_path / "words"
    words.write_text("the\n", encoding="utf-8")
    spec = f'meteor(version=1.5, function_words="{words}")'
    before = metric(spec)
    assert before.counted_with("function_words") == metric(spec).counted_with("function_words")
    words.write_text("of\n", encoding="utf-8")
    assert before is not metric(spec)
    assert before.counted_with("function_words") != metric(spec).counted_with("function_words")


def test_only_so_many_metrics_are_kept():
    for order in range(1, MOST_MADE + 10):
        assert metric(f"bleu(order={order})").order == order
    assert metric("bleu") == tricolore.BLEU()
