"""`audit`: what a metric rewards, what it misses, and how it can be gamed, on the user's own texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...errors import InputError, InputTypeError, SpecError, explaining_arguments, nearest, shown
from ...metrics import expand
from ...metrics import listed as listed_metrics
from ...metrics.base import Metric
from ...parameters import ListOf, Word, checked
from ...readers.texts import check_segments, references_of, systems_of, texts_of
from ...segments import References
from ...types import Stage
from .audited_metrics import AuditedMetric, Counter, Function
from .audited_texts import AuditedTexts
from .biases import biases
from .decomposability import decomposability
from .options import AuditOptions
from .permutations import permutations
from .result import Audit, AuditedName
from .section import Section
from .sensitivity import sensitivity
from .straw_men import straw_men

#: What computes each section, in the order of the page.
COMPUTED: dict[str, Callable[[AuditedTexts, AuditOptions, Stage | None], Section]] = {
    "decomposability": decomposability,
    "permutations": permutations,
    "sensitivity": sensitivity,
    "biases": biases,
    "straw-men": straw_men,
}


@explaining_arguments
def audit(
    systems: Any,
    refs: Any,
    metrics: Sequence[Metric | str | Function] | Metric | str | Function = ("bleu",),
    *,
    source: Any = None,
    lower_is_better: Sequence[str] = (),
    only: Sequence[str] = AuditOptions.only,
    damaged: str | None = None,
    damage: Sequence[str] = AuditOptions.damage,
    shares: Sequence[float] = AuditOptions.shares,
    negations: Sequence[str] = AuditOptions.negations,
    sample: int = 100,
    trials: int = 1000,
    examples: int = 3,
    level: float = 0.95,
    seed: int = 12345,
    threads: int | None = None,
    progress: Stage | None = None,
) -> Audit:
    """Audit metrics on the outputs of systems: what they reward, what they miss, how they can be gamed.

    `systems` and `refs` are as for `tricolore.score`. `metrics` may also be functions: called with a list of hypotheses
    and a list of references (a string per segment, or a list of strings if any segment has several), and with
    `sources=` if they have such a parameter, they return one score per segment; the score of a system is the mean.
    Higher is better, unless `lower_is_better` names the function. `only` chooses sections. Results depend on the
    random `seed`, not on `threads`.

    >>> refs = ["the cat sat on the mat", "a dog barked at the postman all night", "it rains"]
    >>> outputs = ["the cat sat on a mat", "some dog barked at me and at the postman", "rain it is that is falling"]
    >>> found = audit({"a": outputs}, refs, ["bleu", "wer"])
    >>> [found.verdict(name, "no sacrifices").holds for name in ("bleu", "wer")]
    [False, True]
    """
    about: dict[str, Any] = {
        "only": only,
        "damaged": damaged,
        "damage": damage,
        "shares": shares,
        "negations": negations,
    }
    options = AuditOptions(**about, sample=sample, trials=trials, examples=examples, level=level, seed=seed)
    damage_chosen = "sensitivity" in options.only and options.damage != AuditOptions.damage
    if damage_chosen and "copy" in options.damage and source is None:
        raise SpecError("damage: copy requires source texts (source=...)")
    lower = checked("lower_is_better", lower_is_better, ListOf(Word()))
    texts = _counted(systems, refs, metrics, source, lower, threads, progress)
    if options.damaged is not None and options.damaged not in texts.names:
        hint = nearest(options.damaged, texts.names)
        raise SpecError(f"damaged: no system {shown(options.damaged)}{hint} (there are {', '.join(texts.names)})")
    sections = tuple(COMPUTED[name](texts, options, progress) for name in COMPUTED if name in options.only)
    names = tuple(AuditedName(one.name, one.title, one.signature, one.higher_is_better) for one in texts.metrics)
    audited = f"audited:{'+'.join(one.name for one in sections)}|systems:{len(texts.names)}|segments:{len(texts)}"
    return Audit(names, sections, tuple(texts.names), len(texts), f"{audited}|{options.signature()}")


def _counted(
    systems: Any, refs: Any, metrics: Any, source: Any, lower_is_better: Sequence[str], threads: Any, progress: Any
) -> AuditedTexts:
    given, references = systems_of(systems), references_of(refs)
    if not given:
        raise InputError("systems: expected at least one, got none")
    check_segments(given, references)
    if not len(references):
        raise InputError("there is nothing to audit: expected at least one segment, got none")
    outputs = {name: _strings(output, name) for name, output in given.items()}
    audited = audited_metrics(metrics, references, lower_is_better)
    sources = None if source is None else _strings(texts_of(source, "source"), "source")
    if sources is not None and len(sources) != len(references):
        raise InputError(f"source: expected {len(references):,} segments, as in the references; got {len(sources):,}")
    counter = Counter(audited, references, references.counts() == (1, 1), sources, threads)
    return AuditedTexts.counted(outputs, references, counter, progress("counting") if progress else None)


def _strings(texts: Any, name: str) -> list[str]:
    """Texts as a list of strings: words are dropped and moved, which token ids are not made for."""
    found = [texts[i] for i in range(len(texts))]
    for i, text in enumerate(found):
        if not isinstance(text, str):
            raise InputTypeError(f"{name}: segment {i}: expected a string, got {type(text).__name__}")
    return found


def audited_metrics(given: Any, references: References, lower_is_better: Sequence[str]) -> list[AuditedMetric]:
    """Metrics and functions, made ready for the references."""
    asked = [given] if callable(given) and not isinstance(given, Metric) else listed_metrics(given)
    if not asked:
        raise SpecError("metrics: expected at least one, got none")
    made: list[Any] = []
    for one in asked:
        made += [one] if callable(one) and not isinstance(one, Metric) else expand(one)
    ready = [one for one in made if isinstance(one, Metric)]
    found = [
        AuditedMetric.of_metric(one, references, ready)
        if isinstance(one, Metric)
        else AuditedMetric.of_function(one, lower_is_better)
        for one in made
    ]
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            several = f"{name} is given twice"
            if all(one.function is not None for one in found if one.name == name):
                several = f"two functions are named {name}; set __name__ of one of them"
            raise SpecError(f"metrics: {several}")
    for name in lower_is_better:
        if name not in [one.name for one in found if one.function is not None]:
            raise SpecError(f"lower_is_better: {shown(name)} is not one of the functions")
    return found
