"""Weights of MQM errors by severity and category."""

import math
from collections.abc import Mapping

from ...errors import SpecError
from ...numbers import real
from ...readers.tables import LARGEST

#: The weights of google/wmt-mqm-human-evaluation, by severity, or by `severity:category`; `any` is every severity.
#:
#: M. Freitag, G. Foster, D. Grangier, V. Ratnakar, Q. Tan, W. Macherey. Experts, Errors, and Context: A Large-Scale
#: Study of Human Evaluation for Machine Translation. TACL 9, 2021.
MQM_WEIGHTS: Mapping[str, float] = {
    "major": 5.0,
    "minor": 1.0,
    "neutral": 0.0,
    "no-error": 0.0,
    "hotw-test": 0.0,  # planted errors, to check the annotators
    "minor:fluency/punctuation": 0.1,
    "any:non-translation": 25.0,
}


def mqm_weights(text: str) -> dict[str, float]:
    """Read weights such as `major=5,minor:fluency/punctuation=0.1,critical=10`; others keep their defaults.

    >>> weights = mqm_weights("critical=10, major:accuracy=6")
    >>> weights["critical"], weights["major:accuracy"], weights["minor"]
    (10.0, 6.0, 1.0)
    """
    weights = dict(MQM_WEIGHTS)
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = part.rpartition("=")
        try:
            weight = real(value) if equals and key.strip() else math.nan
        except ValueError:
            weight = math.nan
        if not 0 <= weight <= LARGEST:
            raise SpecError(
                f"MQM weights: expected severity=weight or severity:category=weight, such as major=5 or "
                f"minor:fluency/punctuation=0.1, found {part!r}"
            )
        severity, colon, category = key.partition(":")
        weights[severity_of(severity) + (f":{category_of(category)}" if colon else "")] = weight
    return weights


def mqm_weight(weights: Mapping[str, float], severity: str, category: str = "") -> float | None:
    """The most specific weight of an error, or None.

    A category takes precedence over its parent, and a severity with its category over `any` with it.

    >>> mqm_weight(MQM_WEIGHTS, "Minor", "Fluency/Punctuation"), mqm_weight(MQM_WEIGHTS, "Minor", "Fluency/Spelling")
    (0.1, 1.0)
    >>> mqm_weight(MQM_WEIGHTS, "Major", "Non-translation!"), mqm_weight(MQM_WEIGHTS, "Critical", "Accuracy")
    (25.0, None)
    """
    level, kind = severity_of(severity), category_of(category)
    while kind:
        for key in (f"{level}:{kind}", f"any:{kind}"):
            if key in weights:
                return weights[key]
        kind = kind.rpartition("/")[0]
    return weights.get(level)


def severity_of(text: str) -> str:
    """A severity in canonical spelling."""
    return text.strip().lower().replace(" ", "-")


def category_of(text: str) -> str:
    """A category in canonical spelling."""
    return text.strip().lower().rstrip("!")


def settings_of(weights: Mapping[str, float]) -> str:
    """The weights in a signature, without the default weights of 0."""
    shown = {key: weight for key, weight in weights.items() if weight or MQM_WEIGHTS.get(key) != 0}
    return "weights:" + ",".join(f"{key}={weight:g}" for key, weight in shown.items())


def known_severities(weights: Mapping[str, float]) -> list[str]:
    """The severities that have a weight."""
    return [key for key in weights if ":" not in key]
