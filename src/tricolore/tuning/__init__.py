"""Choose by a metric: feature weights over n-best lists, oracles, and minimum Bayes risk."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from ..errors import SpecError, nearest, shown
from ..parameters import parameters
from .task import Tuner

#: The module and class of each tuner, loaded on use.
TUNERS = {"mert": "mert.Mert", "mira": "mira.Mira", "pro": "pro.Pro", "xbleu": "expected.ExpectedGain"}


def tuner_class(name: str) -> type[Tuner]:
    """The class of a tuner by name."""
    if name not in TUNERS:
        raise SpecError(f"no method {shown(name)}{nearest(name, [*TUNERS])} ({', '.join(TUNERS)})")
    module, cls = TUNERS[name].split(".")
    found: type[Tuner] = getattr(import_module(f".{module}", __package__), cls)
    return found


def tuner(name: str, **given: Any) -> Tuner:
    """Make a tuner by name, with its parameters.

    >>> tuner("mert", restarts=5)
    Mert(restarts=5, directions=10, gain=1e-06)
    """
    return make_tuners([name], given)[0]


def make_tuners(names: Sequence[str], given: Mapping[str, Any]) -> list[Tuner]:
    """Several tuners by name; each gets the parameters that it has, and each parameter must belong to one of them."""
    owners = parameter_owners()
    classes = {name: tuner_class(name) for name in names}
    if twice := [name for name in names if names.count(name) > 1]:
        raise SpecError(f"method {twice[0]} is given twice")
    for parameter in given:
        if parameter not in owners:
            raise SpecError(f"{parameter}: no method has such a parameter{nearest(parameter, [*owners])}")
        if not any(name in owners[parameter] for name in names):
            known = ", ".join(owners[parameter])
            raise SpecError(f"{parameter}: a parameter of {known}, not of {', '.join(names)}")
    own = {name: {key: value for key, value in given.items() if name in owners[key]} for name in names}
    return [cls(**own[name]) for name, cls in classes.items()]


def parameter_owners() -> dict[str, list[str]]:
    """The parameters of all tuners, with the names of the tuners that have each."""
    owners: dict[str, list[str]] = {}
    for name in TUNERS:
        for field in parameters(tuner_class(name)):
            owners.setdefault(field.name, []).append(name)
    return owners
