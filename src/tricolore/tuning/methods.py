"""The methods to tune with, the metrics they optimise, and the metric that is reported."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from .. import spec
from ..errors import SpecError, nearest, shown
from ..metrics import expand
from ..metrics import metric as made
from ..metrics.base import Metric
from ..parameters import is_one_of
from . import make_tuners
from .task import Tuner, check_metric
from .tuning_result import START, Method

#: Names of methods, or tuners with their parameters.
Methods: TypeAlias = str | Tuner | Sequence[str | Tuner]
#: Metrics, or metrics by method; a spec may stand for several, as in `bleu(smooth=0..7)`.
Metrics: TypeAlias = str | Metric | Sequence[str | Metric] | Mapping[str, Any]

#: Parameters of the BLEU that is optimised which the reported BLEU keeps; it is not smoothed.
KEPT = ("order", "ref_len", "weights", "tokenize", "lowercase", "strip_punctuation")


def make_methods(
    method: Methods, metric: Metrics | None, report: str | Metric | None, parameters: Mapping[str, Any]
) -> tuple[list[Method], Metric]:
    """The methods, one for each tuner and metric, and the metric to report."""
    methods, asked = [], []
    for tuner in _tuners(method, parameters):
        metrics = _metrics(tuner, metric)
        asked += metrics
        labels = _differences(metrics)
        for one in metrics:
            name = tuner.name if len(metrics) == 1 else f"{tuner.name} {labels[one]}"
            methods.append(Method(name, tuner, one.for_segments if tuner.scores_segments else one))
    return methods, _reported(asked) if report is None else made(report)


def _tuners(method: Methods, parameters: Mapping[str, Any]) -> list[Tuner]:
    given = [*method] if isinstance(method, list | tuple) else [method]
    tuners = [one for one in given if isinstance(one, Tuner)]
    if tuners and (parameters or len(tuners) < len(given)):
        raise SpecError("method: expected names, with parameters beside them, or tuners that have theirs; not both")
    for one in given:
        if not isinstance(one, str | Tuner):
            raise SpecError(f"method: expected a name, such as mert; got {shown(one)}")
    return tuners or make_tuners([name.strip() for one in given for name in str(one).split(",")], parameters)


def _metrics(tuner: Tuner, metric: Metrics | None) -> list[Metric]:
    given = metric.get(tuner.name) if isinstance(metric, Mapping) else metric
    given = tuner.default_metric if given is None else given
    texts: list[Any] = [*given] if isinstance(given, list | tuple) else [given]
    found = expand(*texts)
    if "all" in texts:
        found = [one for one in found if one.tells_quality]
    if not found:
        raise SpecError("metric: expected at least one")
    for one in found:
        check_metric(one)
    return found


def _reported(asked: Sequence[Metric]) -> Metric:
    """The metric that is optimised, if there is only one; BLEU without smoothing."""
    found = []
    for one in asked:
        name, given = spec.parse(one.spec)
        kept = {key: given[key] for key in given if key in KEPT}
        found.append(made(spec.compose(name, {**kept, "smooth": "none"})) if name == "bleu" else one)
    if len(set(found)) > 1:
        several = ", ".join(one.spec for one in dict.fromkeys(found))
        raise SpecError(f"report: several metrics are tuned for ({several}); name the one to report")
    return found[0]


def _differences(metrics: Sequence[Metric]) -> dict[Metric, str]:
    """The specs of metrics, without the parameters that all have in common."""
    parsed = [spec.parse(one.spec) for one in metrics]
    alike = [item for item in parsed[0][1].items() if all(item in given.items() for _, given in parsed)]
    return {
        one: spec.compose(name, {key: value for key, value in given.items() if (key, value) not in alike})
        for one, (name, given) in zip(metrics, parsed, strict=True)
    }


def baseline_of(baseline: str | None, methods: Sequence[Method]) -> str:
    """The row that p-values are against: as given, the first of several metrics of one method, or the start."""
    names = [START, *(method.name for method in methods)]
    if baseline is None:
        several = len(methods) > 1 and len({method.tuner.name for method in methods}) == 1
        return methods[0].name if several else START
    if not is_one_of(baseline, names):
        hint = nearest(baseline, names) if isinstance(baseline, str) else ""
        raise SpecError(f"baseline: there is no row {shown(baseline)}{hint} ({', '.join(names)})")
    return baseline


def norm_of(normalise: str | None, methods: Sequence[Method], stays: bool) -> str:
    """The norm of the weights: as given, or l1 for MERT, where scale has no effect, unless some weight is fixed."""
    default = "l1" if [method.tuner.name for method in methods] == ["mert"] and not stays else "none"
    return default if normalise is None else normalise
