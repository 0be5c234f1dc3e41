"""Scorers of scikit-learn say what the metric says of each fold, with the sign that makes higher better."""

import pickle
import sys

import numpy as np
import pytest

import tricolore as tri
from tricolore.adapters.sklearn import scorer
from tricolore.errors import InputError, MissingExtraError, SpecError
from tricolore.examples import lines
from tricolore.metrics import NAMES

pytest.importorskip("sklearn", reason="scikit-learn is not installed (pip install --group benchmarks)")
from sklearn.base import BaseEstimator
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score

HYPS, REFS = lines("hasty"), lines("reference-a")
BOTH = [[a, b] for a, b in zip(REFS, lines("reference-b"), strict=True)]


class Translator(BaseEstimator):
    """Knows translations by heart, and shouts if asked to."""

    def __init__(self, shouting=False):
        self.shouting = shouting

    def fit(self, X, y=None):
        return self

    def predict(self, X):
        return [HYPS[i].upper() if self.shouting else HYPS[i] for i in X]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "length"])
@pytest.mark.parametrize("refs", [REFS, BOTH])
def test_folds_have_the_scores_of_their_texts(name, refs):
    folds = KFold(3)
    found = cross_val_score(Translator(), range(len(HYPS)), refs, scoring=scorer(name), cv=folds, error_score="raise")
    metric = tri.metric(name)
    sign = 1 if metric.higher_is_better else -1
    expected = [sign * float(metric([HYPS[i] for i in at], [refs[i] for i in at])) for _, at in folds.split(HYPS)]
    assert found.tolist() == expected


@pytest.mark.parametrize("name", ["bleu", "ter(case=true)", "wer"])
def test_a_search_finds_the_better_parameters(name):
    search = GridSearchCV(Translator(), {"shouting": [True, False]}, scoring=scorer(name), cv=2, error_score="raise")
    assert search.fit(range(len(HYPS)), REFS).best_params_ == {"shouting": False}


def test_scorers_pickle_and_print():
    made = pickle.loads(pickle.dumps(scorer("bleu(smooth=7)")))
    assert repr(made) == "make_scorer(bleu(smooth=7), response_method='predict')"
    assert repr(scorer("ter")) == "make_scorer(ter, greater_is_better=False, response_method='predict')"
    assert made(Translator(), range(len(HYPS)), np.array(REFS)) == float(tri.metric("bleu(smooth=7)")(HYPS, REFS))


def test_mistakes_are_told_in_one_line():
    with pytest.raises(SpecError, match=r"^length is no scorer"):
        scorer("length")
    with pytest.raises(SpecError, match=r"unknown metric 'blue'; did you mean 'bleu'\?"):
        scorer("blue")
    with pytest.raises(InputError, match=r"^12 hypotheses but references for 11 segments"):
        scorer("bleu")(Translator(), range(12), REFS[:11])


def test_without_scikit_learn_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.metrics", None)
    with pytest.raises(MissingExtraError, match=r"pip install scikit-learn$"):
        scorer("bleu")
