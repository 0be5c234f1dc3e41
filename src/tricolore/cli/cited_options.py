"""What the options of each command are cited for: its metrics, and the methods that it uses."""

import argparse
from collections.abc import Callable, Iterator
from typing import Any

from ..citing import methods
from ..metrics import NAMES
from ..metrics.base import Metric
from .metric_options import SACREBLEU_OPTIONS, make_metrics

#: Options of metrics that not every command has.
GENERAL = ("tokenize", "language_pair", "lowercase", "smooth_method", "smooth_value")
#: What a command cites.
Cited = str | Metric


def cited(options: argparse.Namespace) -> list[Cited]:
    """The metrics and methods of a command line that is parsed, but not run."""
    known = methods()
    found: list[Cited] = [*metrics_of(options)]
    found += [one for one in METHODS.get(options.command, nothing)(options) if one in known or one in NAMES]
    if getattr(options, "test_set", None) or getattr(options, "compat", None) == "sacrebleu":
        found.append("sacrebleu")
    return found


def metrics_of(options: argparse.Namespace) -> list[Metric]:
    """The metrics that the command would use."""
    default = DEFAULTS.get(options.command)
    if default is None or not (options.metrics or default(options)):
        return []
    if options.command == "sacrebleu":
        return sacrebleu_metrics(options)
    flags = (*GENERAL, *(option[2:].replace("-", "_") for option in SACREBLEU_OPTIONS))
    quiet = argparse.Namespace(**{**dict.fromkeys(flags), **vars(options), "quiet": True})
    return make_metrics(quiet, options.metrics or default(options))


def sacrebleu_metrics(options: argparse.Namespace) -> list[Metric]:
    """Metrics as sacreBLEU's command line has them."""
    from ..metrics import metric
    from ..spec import compose

    bleu: dict[str, Any] = {"smooth": options.bleu_smooth_method}
    if options.bleu_tokenize not in (None, "spm"):
        bleu["tokenize"] = options.bleu_tokenize
    parameters = {"bleu": bleu, "chrf": {"word_order": options.chrf_word_order}, "ter": {}}
    return [metric(compose(name, parameters[name])) for name in options.metrics]


def nothing(options: argparse.Namespace) -> Iterator[Cited]:
    """No method at all."""
    yield from ()


def score_methods(options: argparse.Namespace) -> Iterator[Cited]:
    """Intervals and tests of `score`; smoothing matters for single segments."""
    if options.confidence:
        yield "bootstrap"
    yield from ["paired bootstrap"] if getattr(options, "paired_bs", False) else []
    yield from ["approximate randomisation"] if getattr(options, "paired_ar", False) else []
    segments = getattr(options, "sentence_level", False) or getattr(options, "segments", None)
    if segments and any(one.name == "bleu" for one in metrics_of(options)):
        yield "smoothing"


def sacrebleu_methods(options: argparse.Namespace) -> Iterator[Cited]:
    """Those of `score`, and the paper behind the command line itself."""
    yield from score_methods(options)
    yield "sacrebleu"


def compare_methods(options: argparse.Namespace) -> Iterator[Cited]:
    """The test, the intervals and the correction of `compare` and `report`."""
    yield "paired bootstrap" if options.test == "bs" else "approximate randomisation"
    yield "bootstrap"
    yield "holm"
    if any("," in one for one in options.system):
        yield "several runs"
    yield from rating_methods(options)


def rating_methods(options: argparse.Namespace) -> Iterator[Cited]:
    """How ratings were collected."""
    forms = {"mqm": "mqm", "mqm-counts": "mqm", "da": "direct assessment", "da-z": "direct assessment"}
    forms["rr"] = "relative ranking"
    found = forms.get(getattr(options, "human_form", ""))
    yield from [found] if found else []


def correlate_methods(options: argparse.Namespace) -> Iterator[Cited]:
    """Statistics, intervals and tests of `correlate`."""
    from ..judge.correlation.measures import USUAL

    rankings = options.human_form == "rr"
    levels = ["rankings"] if rankings else options.levels or ["system", "segment"]
    for measure in options.statistics or [one for level in levels for one in USUAL[level]]:
        yield from measure.split()
    if options.intervals:
        yield "bootstrap"
        default = {"system": "corrected"} if "system" in levels else {}
        for how in [options.interval] if options.interval else default.values():
            yield f"{how} interval"
    yield from rating_methods(options)
    if options.test:
        yield {"permutation": "permutation test of metrics", "williams": "williams test"}[options.test]
        yield "holm"


def search_methods(options: argparse.Namespace) -> Iterator[Cited]:
    """Statistics that choose parameters, and the test on held-out sets."""
    from ..judge.correlation.search import MEASURES
    from ..metrics import named
    from ..spec import parse

    yield "search"
    yield named(parse(options.grid)[0])[0]
    for measure in options.measure or MEASURES:
        yield from str(measure).split()
    yield from ["permutation test of metrics"] if options.test else []


def orange_methods(options: argparse.Namespace) -> Iterator[Cited]:
    """ORANGE, its intervals, and its tests."""
    yield "orange"
    yield "bootstrap"
    yield from ["holm"] if options.verdict == "holm" or options.test else []


def audit_methods(options: argparse.Namespace) -> Iterator[Cited]:
    """The sections of an audit."""
    sections = options.only or ["decomposability", "permutations", "sensitivity"]
    yield from ["audit"] if "decomposability" in sections else []
    yield from ["permutations of blocks"] if "permutations" in sections else []
    yield from ["approximate randomisation"] if "sensitivity" in sections else []


def tune_methods(options: argparse.Namespace) -> Iterator[Cited]:
    """Tuners, and what compares several runs."""
    for method in options.method.split(","):
        yield {"xbleu": "expected bleu"}.get(method.strip(), method.strip())
    if options.test_nbest or options.folds:
        yield "approximate randomisation"
    if options.replicate > 1:
        yield "several runs"


def mbr_methods(options: argparse.Namespace) -> Iterator[Cited]:
    """Minimum Bayes risk, by method and by what is chosen from."""
    yield "mbr"
    yield from ["mbr from samples"] if options.samples else []
    yield from ["lattice mbr"] if options.lattice else []
    yield from [] if options.method == "exact" or options.lattice else [f"mbr {options.method}"]


def oracle_methods(options: argparse.Namespace) -> Iterator[Cited]:
    """Oracles of lattices."""
    if options.lattice:
        exact = all(one.name in ("wer", "wrr", "grr") for one in metrics_of(options))
        yield "lattice oracle" if exact else "approximate lattice oracle"


def orange_default(options: argparse.Namespace) -> list[str]:
    """The metrics of the paper."""
    from ..judge.orange.options import PAPER

    return list(PAPER)


def unless_scored(options: argparse.Namespace) -> list[str]:
    """BLEU, but none where only scores are given."""
    scores = options.scores or options.command == "correlate"
    return ["bleu"] if options.input or options.system or options.table or not scores else []


def with_references(options: argparse.Namespace) -> list[str]:
    """BLEU where there are references to score with."""
    return ["bleu"] if options.refs else []


def tuned_for(options: argparse.Namespace) -> list[str]:
    """The default of the tuner."""
    from ..tuning import tuner_class

    return [tuner_class(one.strip()).default_metric for one in options.method.split(",")]


def of_demo(options: argparse.Namespace) -> list[str]:
    """The metrics that the example is scored by."""
    from .demo import METRICS

    return list(METRICS)


Default = Callable[[argparse.Namespace], list[str]]
#: The metrics of a command where none are named.
DEFAULTS: dict[str, Default] = {
    **dict.fromkeys(("score", "spark", "audit", "oracle"), lambda _: ["bleu"]),
    **dict.fromkeys(("compare", "report", "correlate"), unless_scored),
    "sacrebleu": lambda _: ["bleu"],
    "demo": of_demo,
    "orange": orange_default,
    "tune": tuned_for,
    "rerank": with_references,
    "mbr": lambda options: ["bleu" if options.lattice else "chrf"],
}
METHODS: dict[str, Callable[[argparse.Namespace], Iterator[Cited]]] = {
    "score": score_methods,
    "spark": score_methods,
    "sacrebleu": sacrebleu_methods,
    "compare": compare_methods,
    "report": compare_methods,
    "correlate": correlate_methods,
    "search": search_methods,
    "orange": orange_methods,
    "audit": audit_methods,
    "tune": tune_methods,
    "mbr": mbr_methods,
    "oracle": oracle_methods,
}
