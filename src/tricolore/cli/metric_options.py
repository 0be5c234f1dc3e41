"""Which metrics a command is asked for, and with which parameters; the flags are sacreBLEU's where it has them."""

from __future__ import annotations

import os

from .. import spec
from ..errors import SpecError
from .printing import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    from ..metrics.base import Metric

#: As `tricolore.tokenizers` has them, which is not loaded only to say so.
TOKENIZERS = (
    *("none", "13a", "intl", "zh", "universal", "rouge-score", "char", "char+space"),
    *("ja-mecab", "ko-mecab", "spm:FILE"),
)


def add_metric_arguments(parser: argparse.ArgumentParser, default: str = "default: bleu") -> argparse._ArgumentGroup:
    """The metrics, and flags that set what they leave open; `default` says what there is without any."""
    group = parser.add_argument_group("metrics (what a metric says in brackets goes before these options)")
    add = group.add_argument
    add(
        "-m",
        "--metrics",
        nargs="+",
        action="extend",
        metavar="METRIC",
        help=f"such as bleu, 'bleu(smooth=7)', chrf ter, or all; see 'tricolore metrics' ({default})",
    )
    add(
        "-tok",
        "--tokenize",
        metavar="NAME",
        help=f"tokeniser: {', '.join(TOKENIZERS)}",
    )
    add("-lc", "--lowercase", action="store_true", help="lower-case the text first")
    add("-s", "--smooth-method", metavar="NAME", help="smoothing of BLEU: exp, floor, add-k, none, or 0 to 7")
    add(
        "-sv",
        "--smooth-value",
        type=float,
        metavar="X",
        help="its constant, for floor (0.1), add-k (1), 4 and 7 (5), 6 (5)",
    )

    add = parser.add_argument_group("chrF and TER, as in sacreBLEU").add_argument
    for option, (metric, parameter, kind) in SACREBLEU_OPTIONS.items():
        if kind is bool:
            add(option, action="store_true", default=None, help=f"{metric}({parameter}=true)")
        else:
            add(option, type=kind, metavar="N", help=f"{metric}({parameter}=N)")
    return group


#: Options of sacreBLEU that set a parameter of one metric: its name here, the parameter, and what it takes.
SACREBLEU_OPTIONS: dict[str, tuple[str, str, type]] = {
    "--chrf-char-order": ("chrf", "char_order", int),
    "--chrf-word-order": ("chrf", "word_order", int),
    "--chrf-beta": ("chrf", "beta", float),
    "--chrf-whitespace": ("chrf", "whitespace", bool),
    "--chrf-lowercase": ("chrf", "lowercase", bool),
    "--chrf-eps-smoothing": ("chrf", "eps_smoothing", bool),
    "--ter-case-sensitive": ("ter", "case", bool),
    "--ter-asian-support": ("ter", "asian", bool),
    "--ter-no-punct": ("ter", "no_punct", bool),
    "--ter-normalized": ("ter", "normalized", bool),
}


class Asked:
    """A metric as it was asked for, and what scores single segments in its name."""

    __slots__ = ("corpus", "segment")

    def __init__(self, corpus: Metric, segment: Metric):
        self.corpus = corpus
        self.segment = segment


def make_metrics(options: argparse.Namespace) -> list[Asked]:
    """Make the metrics; flags set what a spec text leaves open, in every metric that has it."""
    from ..metrics import expanded

    smooth = options.smooth_method
    flags = {
        "tokenize": options.tokenize,
        "lowercase": options.lowercase or None,
        "smooth": int(smooth) if smooth is not None and smooth.isascii() and smooth.isdecimal() else smooth,
        "smooth_value": options.smooth_value,
    }
    own = {option: getattr(options, option[2:].replace("-", "_")) for option in SACREBLEU_OPTIONS}
    own = {option: value for option, value in own.items() if value is not None}
    texts = [str(text) for text in expanded(options.metrics or ["bleu"])]
    made: list[Asked] = []
    using: dict[str, list[str]] = {}
    for text in texts:
        used: set[str] = set()
        made.append(make_metric(text, flags, own, used))
        for flag in used:
            using.setdefault(flag, []).append(made[-1].corpus.name)
    check_flags(options, flags | own, using, [one.corpus.name for one in made], texts)
    corpus = [metric.corpus for metric in made]
    for metric in corpus:
        if corpus.count(metric) > 1:
            raise SpecError(f"metric {metric.spec} is given twice")
    return made


def check_flags(
    options: argparse.Namespace,
    flags: dict[str, Any],
    using: dict[str, list[str]],
    names: Sequence[str],
    texts: Sequence[str],
) -> None:
    """Refuse a flag that concerns none of the metrics, and say which metrics one does not concern."""
    for flag, value in flags.items():
        if value is None:
            continue
        option = flag if flag.startswith("--") else "--" + {"smooth": "smooth-method"}.get(flag, flag.replace("_", "-"))
        if flag not in using:
            raise SpecError(f"{option}: none of the metrics ({', '.join(texts)}) has that parameter")
        others = [name for name in dict.fromkeys(names) if name not in using[flag]]
        if others and flag in ("tokenize", "lowercase") and not (options.quiet or options.force):
            say(f"{option} does not concern {', '.join(others)}")


def make_metric(text: str, flags: dict[str, Any], own: dict[str, Any], used: set[str]) -> Asked:
    """Make one metric of a spec text and the flags that concern it; note which those are."""
    from ..metrics import alone, metric_class, named, with_implied
    from ..metrics.base import parameters

    try:
        name, given = spec.parse(text)
        cls, given = metric_class(name), with_implied(name, given)
    except SpecError:
        if os.path.exists(text):
            raise SpecError(
                f"--metrics: {text} is a file, not a metric; name references before -m, or with -r"
            ) from None
        raise
    known = [field.name for field in parameters(cls)]
    for option, value in own.items():
        metric_name, parameter, _ = SACREBLEU_OPTIONS[option]
        if metric_name == named(name)[0]:
            used.add(option)
            given.setdefault(parameter, value)
    for flag in ("tokenize", "lowercase", "smooth"):
        if flags[flag] is not None and flag in known and (flag != "smooth" or "short" in known):
            used.add(flag)
            given.setdefault(flag, flags[flag])
    if flags["smooth_value"] is not None and "epsilon" in known:
        used.add("smooth_value")
        given = with_smooth_value(cls(**given), given, flags["smooth_value"])
    return Asked(cls(**given), alone(name, given))


def with_smooth_value(metric: Any, given: dict[str, Any], value: float) -> dict[str, Any]:
    """Set the constant that belongs to the smoothing."""
    from ..metrics.smoothing import METHODS

    constants = METHODS[metric.method][1]
    if not constants:
        raise SpecError(f"--smooth-value: smoothing {metric.smooth} has no constant (floor, add-k, 4, 6 and 7 have)")
    return {constants[0]: value, **given}
