"""Every metric scores what it scored when `recorded_scores.json` was written; see `record_scores.py`."""

import json

import numpy as np
import pytest
from record_scores import RECORDED, scores

from tricolore import metric
from tricolore.metrics import NAMES

CORPORA = json.loads(RECORDED.read_text(encoding="utf-8"))
CASES = [(corpus, spec) for corpus, recorded in CORPORA.items() for spec in recorded["scores"]]
#: Mathematical functions may differ in the last digit from one processor or library to the next.
LAST_DIGIT = 1e-15


@pytest.mark.parametrize(("corpus", "spec"), CASES, ids=lambda case: case)
def test_scores_are_those_recorded(corpus, spec):
    recorded = CORPORA[corpus]
    found = scores(spec, recorded["hypotheses"], recorded["references"])
    assert found.keys() == recorded["scores"][spec].keys()
    for what, numbers in found.items():
        np.testing.assert_allclose(numbers, recorded["scores"][spec][what], rtol=4 * LAST_DIGIT, atol=0, err_msg=what)


def test_every_metric_was_recorded():
    for corpus in ("one reference", "several references"):
        assert {metric(spec).name for spec in CORPORA[corpus]["scores"]} == {*NAMES}
