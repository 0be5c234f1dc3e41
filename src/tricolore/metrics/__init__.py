"""The metrics by name. To add one, add its class and a line here."""

from __future__ import annotations

from collections.abc import Mapping, Set
from importlib import import_module

from .. import spec
from ..errors import SpecError, nearest, shown
from .base import Metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Never

#: Name in spec texts -> module and class. A module is loaded when one of its metrics is requested.
NAMES = {
    "bleu": ("bleu", "BLEU"),
    "bleu-sbp": ("bleu_variants", "BLEUSBP"),
    "bleus": ("bleu_variants", "BLEUS"),
    "char-bleu": ("bleu_variants", "CharBLEU"),
    "doc-bleu": ("bleu_variants", "DocumentBLEU"),
    "nist": ("nist", "NIST"),
    "gleu": ("gleu", "GLEU"),
    "wer": ("edit_rates", "WER"),
    "wrr": ("edit_rates", "WRR"),
    "ler": ("edit_rates", "LER"),
    "per": ("edit_rates", "PER"),
    "cder": ("edit_rates", "CDER"),
    "ter": ("ter", "TER"),
    "rouge-n": ("rouge", "RougeN"),
    "rouge-l": ("rouge", "RougeL"),
    "rouge-w": ("rouge", "RougeW"),
    "rouge-s": ("rouge", "RougeS"),
    "rouge-su": ("rouge", "RougeSU"),
    "gtm": ("gtm", "GTM"),
    "grr": ("grr", "GRR"),
    "chrf": ("chrf", "ChrF"),
    "lebleu": ("lebleu", "LeBLEU"),
    "meteor": ("meteor", "METEOR"),
    "ribes": ("ribes", "RIBES"),
    "tbleu": ("tbleu", "TolerantBLEU"),
    "simbleu": ("ngram_averages", "SimBLEU"),
    "amber": ("ngram_averages", "AMBER"),
    "length": ("length", "Length"),
}

#: Other common names of metrics, and the spec texts they stand for: here, so that a name needs one module alone.
ALIASES = {
    "cer": "ler",
    **{f"rouge{dash}{n}": f"rouge-n(n={n})" for n in range(1, 10) for dash in ("-", "")},
    "rougel": "rouge-l",
    "4-grr": "grr",
    "chrf++": "chrf(word_order=2)",
    "chrf+": "chrf(word_order=1)",
}

#: Metrics that are not available, and what each requires.
NOT_HERE = {
    "RED": "a decision tree trained on human judgements, over features that its paper does not define in full",
    "ParaEval": "a table of paraphrases drawn from a large parallel corpus, and the weights of its two tiers",
    "SRL": "a parser of semantic roles for the target language",
    "SPEDE": "a probabilistic edit model and a regression, both trained on human judgements",
    **dict.fromkeys(
        ("COMET", "MetricX", "BLEURT", "BERTScore"),
        "a neural model; run it where it is installed, and pass its scores by --scores FILE (scores= in Python)",
    ),
}


def metric_classes() -> list[type[Metric]]:
    """Every metric, loaded."""
    return [*map(metric_class, NAMES)]


def families() -> dict[str, list[type[Metric]]]:
    """The metrics by family, in the order of `NAMES`."""
    found: dict[str, list[type[Metric]]] = {}
    for cls in metric_classes():
        found.setdefault(cls.family, []).append(cls)
    return found


def aliases_of(name: str) -> list[str]:
    """Other common names of a metric and of its variants.

    >>> aliases_of("chrf"), aliases_of("bleu")
    (['chrf++', 'chrf+'], [])
    """
    return [alias for alias, text in ALIASES.items() if text.partition("(")[0] == name]


def every_metric() -> list[str]:
    """The metrics that `all` stands for: every metric, and a few variants with names of their own.

    Those whose extra is not installed are not among them; `left_out` has these.
    """
    without = left_out()
    return [text for cls in metric_classes() if cls.name not in without for text in cls.in_all or (cls.name,)]


def left_out() -> dict[str, str]:
    """The metrics that `all` leaves out, since an optional package is not installed, and what to install."""
    from ..extras import installed, missing

    needing = [cls for cls in metric_classes() if cls.needs and not installed(cls.needs)]
    return {cls.name: str(missing(cls.needs, cls.name)) for cls in needing}


def listed(metrics: Any) -> list[Any]:
    """One metric, or any ordered collection of them, as a list."""
    if isinstance(metrics, str | Metric):
        return [metrics]
    try:
        if isinstance(metrics, bytes | bytearray | Mapping | Set):
            raise TypeError
        return list(metrics)
    except TypeError:
        raise SpecError(f"metrics: expected a list of them, such as ['bleu', 'chrf']; got {shown(metrics)}") from None


def expanded(texts: Iterable[str | Metric]) -> list[str | Metric]:
    """Expand `all` and ranges, and drop duplicates.

    >>> expanded(["nist", "all"])[:3], expanded(["bleus(order=1..2)", "per"])
    (['nist', 'bleu', 'bleu-sbp'], ['bleus(order=1)', 'bleus(order=2)', 'per'])
    """
    return list(dict.fromkeys(one for text in texts for one in _spelled_out(text)))


def _spelled_out(text: str | Metric) -> Iterable[str | Metric]:
    if not isinstance(text, str | Metric):
        raise no_metric(text)
    if text == "all":
        return every_metric()
    return spec.expand(text) if isinstance(text, str) and "(" in text else (text,)


def named(name: str) -> tuple[str, dict[str, object]]:
    """Resolve a name: return the metric's own name, and the parameters that an alias sets.

    >>> named("CER"), named("bleu")
    (('ler', {}), ('bleu', {}))
    """
    if name.lower() in NAMES:
        return name.lower(), {}
    if name.lower() not in ALIASES:
        for known, required in NOT_HERE.items():
            if name.lower() == known.lower():
                raise SpecError(f"metric {shown(name)} requires {required}")
        from ..old_habits import of_metric_name

        hint = of_metric_name(name) or nearest(name, [*NAMES, *ALIASES])
        raise SpecError(f"unknown metric {shown(name)}{hint} (known: {', '.join(NAMES)})")
    return spec.parse(ALIASES[name.lower()])


def with_implied(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters given and those that the name sets, which must not contradict each other."""
    _, implied = named(name)
    for key, value in implied.items():
        if given.get(key, value) != value:
            raise SpecError(f"{name} has {key}={value}; {key}={given[key]} contradicts it")
    return implied | given


def metric_class(name: str) -> type[Metric]:
    """Return the class of a metric by name; case does not matter."""
    name, _ = named(name)
    module, title = NAMES[name]
    cls: type[Metric] = getattr(import_module(f".{module}", __package__), title)
    return cls


#: Metrics by the text they were made from: they never change, and making one takes longer than scoring a segment.
_MADE: dict[str, Metric] = {}
MOST_MADE = 1000


def metric(text: str | Metric, **unknown: Never) -> Metric:
    """Make a metric from its spec text.

    >>> metric("bleu(order=2, smooth=7)")
    bleu(order=2, smooth=7)
    >>> metric("blue")
    Traceback (most recent call last):
        ...
    tricolore.errors.SpecError: unknown metric 'blue'; did you mean 'bleu'? (known: bleu, bleu-sbp, ...)
    """
    if unknown:
        from ..old_habits import of_parameters

        raise SpecError(f"metric: parameters belong in the text, such as 'bleu(order=2)'{of_parameters(unknown)}")
    known = _MADE.get(text) if type(text) is str else None
    if known is not None:
        return known
    if isinstance(text, Metric):
        return text
    if not isinstance(text, str):
        raise no_metric(text)
    made = _made(text)
    if not made.names_resources:
        if len(_MADE) >= MOST_MADE:
            _MADE.clear()
        _MADE[text] = made
    return made


def _made(text: str) -> Metric:
    name, given = spec.parse(text)
    if any(isinstance(value, spec.Several) for value in given.values()):
        raise SpecError(f"metric {text!r}: stands for several metrics; expected one here")
    return metric_class(name)(**with_implied(name, given))


def no_metric(thing: object) -> SpecError:
    """Return the error for something that is not a metric."""
    got = f"the class {thing.__name__}; write {thing.__name__}()" if isinstance(thing, type) else type(thing).__name__
    return SpecError(f"a metric is written as text, such as 'bleu(order=2)'; got {got}")


def __getattr__(name: str) -> Any:
    """Say where the class of a metric is imported from."""
    import sys

    titles = {title.lower(): title for _, title in NAMES.values()}
    title = titles.get(name.lower()) if name[0].isupper() else None
    message = f"cannot import name {name!r} from {__name__!r}; write from tricolore import {title}"
    if title and "importlib" in sys._getframe(1).f_globals["__name__"]:  # which replaces messages of attributes
        raise ImportError(message)
    raise AttributeError(message if title else f"module {__name__!r} has no attribute {name!r}")


def expand(*texts: str | Metric) -> list[Metric]:
    """Make all metrics that the texts stand for.

    >>> expand("bleus(order=1..3)", "rouge-w(weight=1.1..1.2:0.1)", "per")
    [bleus(order=1), bleus(order=2), bleus(order=3), rouge-w(weight=1.1), rouge-w, per]
    """
    return [metric(one) for one in expanded(texts)]
