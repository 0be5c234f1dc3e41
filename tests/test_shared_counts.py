"""Several metrics at once are the metrics one by one."""

import pytest
from hypothesis import given, settings
from strategies import adversarial, copies

from tricolore import BLEU, InputError, RougeL, SpecError, metric, score_all

SPECS = ["rouge-1", "bleu", "rouge-l", "rouge-2(compat=rouge-score)", "rouge-l(compat=rouge-score)", "nist", "rouge-w"]


@settings(max_examples=50)
@given(data=copies(adversarial))
def test_the_same_scores(data):
    scores = score_all(SPECS, *data)
    for score, spec in zip(scores, SPECS, strict=True):
        alone = metric(spec)(*data)
        assert float(score) == float(alone)
        assert score.signature == alone.signature
        assert str(score) == str(alone)


WEIGHTS = [f"rouge-w(weight={weight})" for weight in (1, 1.5, 2, 1.1, 3, 10)]


@settings(max_examples=50)
@given(data=copies(adversarial))
def test_weights_together_or_with_others_between(data):
    for specs in (WEIGHTS, [*WEIGHTS[:5], "rouge-l", WEIGHTS[5]], [WEIGHTS[0], "rouge-1", *WEIGHTS[1:3]]):
        for score, spec in zip(score_all(specs, *data), specs, strict=True):
            assert str(score) == str(metric(spec)(*data))


def test_metrics_of_every_kind_and_token_numbers():
    scores = score_all([BLEU(), RougeL(), "rouge-1"], [[1, 2, 3, 4]], [[1, 2, 3, 5]])
    assert [float(score) for score in scores][1:] == [0.75, 0.75]
    assert all("|tok:ids|" in score.signature for score in scores)


def test_progress_is_told_for_every_reading():
    steps = []
    score_all(["rouge-1", "rouge-2", "wer"], ["a", "b"], ["a", "c"], progress=lambda done, of: steps.append((done, of)))
    assert steps == [(2, 2), (2, 2)]


def test_mistakes():
    with pytest.raises(SpecError, match=r"expected a list of them, got one text; write \['bleu'\]"):
        score_all("bleu", ["a"], ["a"])
    with pytest.raises(SpecError, match="unknown metric"):
        score_all(["blue"], ["a"], ["a"])
    with pytest.raises(InputError, match="nothing to score"):
        score_all(["bleu"], [], [])
    with pytest.raises(InputError, match="references of segment 1"):
        score_all(["rouge-1", "rouge-2"], ["a", "b"], ["a", 5])
