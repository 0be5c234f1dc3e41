"""Metrics as scorers of scikit-learn, for `cross_val_score`, `GridSearchCV` and whatever else takes one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import MissingExtraError, SpecError
from ..metrics import metric as as_metric
from ..metrics.base import Metric


@dataclass(frozen=True)
class TextMeasure:
    """The corpus score of predicted texts, with the arguments in scikit-learn's order: the references come first."""

    metric: Metric

    def __call__(self, y_true: Any, y_pred: Any) -> float:
        return float(self.metric(y_pred, y_true))

    @property
    def __name__(self) -> str:  # scikit-learn prints it
        return self.metric.spec


def scorer(metric: str | Metric) -> Any:
    """A scorer of scikit-learn for estimators whose `predict` returns texts.

    `y` has the references of each text: a string, or a list of strings. The score is that of the whole fold, on the
    metric's own scale (0 to 1 for BLEU). scikit-learn maximises, so a metric of which lower is better is negated, as in
    its own `neg_mean_squared_error`: `cross_val_score(estimator, X, y, scoring=scorer("ter"), error_score="raise")`.
    """
    try:
        from sklearn.metrics import make_scorer
    except ImportError as error:
        raise MissingExtraError(f"scorers need {error.name}; pip install scikit-learn") from None
    made = as_metric(metric)
    if not made.tells_quality:
        raise SpecError(f"{made.spec} is no scorer: it describes output without rating it")
    return make_scorer(TextMeasure(made), greater_is_better=made.higher_is_better)
