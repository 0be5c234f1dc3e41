"""What to write instead of lines that other packages taught: hints of errors about names that are not here.

Loaded only when such an error is raised; the lines are in `other_packages`.
"""

from __future__ import annotations

from .other_packages import (
    CONDITIONS,
    ELSEWHERE,
    NEURAL,
    OF_ARGUMENTS,
    OF_DROP_INS,
    OF_NAMES,
    OF_OPTIONS,
    OF_PACKAGE,
    OF_PARAMETERS,
    OF_SAME_VALUES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any


def of_package(name: str) -> str:
    """A hint for the end of an error about an attribute of the package, or nothing.

    >>> of_package("mer")
    '; write from tricolore.compat.jiwer import mer'
    """
    home = next((module for module, names in ELSEWHERE.items() if name in names), None)
    if home:
        return f"; write from {home} import {name}"
    if name.lower().startswith(NEURAL):
        passed = f"tri.score(hyps, refs, scores={{{name!r}: numbers}})"
        return f"; it requires a neural model: run it where it is installed, and write {passed}"
    return instead(OF_PACKAGE, name) or instead(OF_PACKAGE, name.lower())


def of_metric_name(name: str) -> str:
    """A hint for the end of an error about the name of a metric, or nothing.

    >>> of_metric_name("sacreBLEU"), of_metric_name("wil")
    ('; write bleu for it', '; it is in the drop-in tricolore.compat.jiwer')
    """
    name = name.lower()
    if name in OF_NAMES:
        return f"; write {OF_NAMES[name]} for it"
    if name in OF_DROP_INS:
        return f"; it is in the drop-in tricolore.compat.{OF_DROP_INS[name]}"
    return ""


def of_parameters(given: Iterable[str]) -> str:
    """A hint for the end of an error about parameters of a metric, or nothing.

    >>> of_parameters(["max_ngram_order"])
    '; write order= for max_ngram_order='
    """
    for name in given:
        if name in OF_SAME_VALUES:
            return f"; write {OF_SAME_VALUES[name]}= for {name}="
        if name in OF_PARAMETERS:
            return instead(OF_PARAMETERS, name)
    return ""


def instead(table: Mapping[str, tuple[tuple[str, str], ...]], name: str) -> str:
    """A hint for the end of an error about a name, or nothing.

    >>> from tricolore.other_packages import OF_METRICS, OF_PACKAGE
    >>> instead(OF_PACKAGE, "CharErrorRate").partition(" for ")[2]
    'torchmetrics.text.CharErrorRate()(hyps, refs) (the same number if spaces are single)'
    >>> instead(OF_METRICS, "corpus_score")
    '; write metric(hyps, refs).points for sacrebleu.BLEU().corpus_score(hyps, [refs]).score'
    >>> instead(OF_METRICS, "nonsense")
    ''
    """
    advice = ", or ".join(f"{now} for {before}{_condition(before)}" for before, now in table.get(name, ()))
    return f"; write {advice}" if advice else ""


def _condition(before: str) -> str:
    return "".join(f" (the same number if {condition})" for part, condition in CONDITIONS.items() if part in before)


def of_arguments(given: Mapping[str, Any], known: Sequence[str]) -> str:
    """A hint for the end of an error about the names of arguments, or nothing.

    >>> of_arguments({"predictions": [], "references": []}, ["systems", "refs", "metrics"])
    '; write systems= for predictions=, refs= for references= (hypotheses come first)'
    >>> of_arguments({"lowercase": True}, ["systems", "refs", "metrics"])
    "; write metrics='bleu(lowercase=true)', for parameters belong to metrics"
    """
    names = {**OF_ARGUMENTS, **OF_OPTIONS}
    here = {name: next((one for one in names.get(name, ()) if one in known), None) for name in given}
    advice = ", ".join(f"{now}= for {name}=" for name, now in here.items() if now and name not in known)
    order = " (hypotheses come first)" if advice and any(name in OF_ARGUMENTS for name in given) else ""
    if not advice and "metrics" in known:
        advice = _of_metrics({name: value for name, value in given.items() if name not in known})
    return f"; write {advice}{order}" if advice else ""


def _of_metrics(given: Mapping[str, Any]) -> str:
    """What to write for parameters of metrics that were given to a function."""
    own = [f"{name}={value}" for name, value in given.items() if name in ("tokenize", "lowercase", "smooth", "order")]
    return f"metrics='bleu({', '.join(own).lower()})', for parameters belong to metrics" if own else ""


def of_positions(given: Sequence[Any], known: Sequence[str]) -> str:
    """A hint for the end of an error about too many positional arguments, or nothing.

    >>> of_positions([[], [], "bleu", "chrf"], ["systems", "refs", "metrics"])
    "; write ['bleu', 'chrf'] for several metrics"
    """
    metrics = [*given[len(known) - 1 :]]
    several = len(given) > len(known) and known[-1] == "metrics" and all(isinstance(one, str) for one in metrics)
    return f"; write {metrics} for several metrics" if several else ""
