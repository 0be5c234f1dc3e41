"""Which metrics a command is asked for, and with which parameters; the flags are sacreBLEU's where it has them."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager

from .. import spec
from ..errors import SpecError
from ..parameters import Flag, Kind, Real, Whole
from .options import Typed, add_list, check_distinct
from .printing import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Container, Iterator, Mapping, Sequence
    from typing import Any

    from ..metrics.base import Metric

#: As `tricolore.tokenizers` has them, which is not loaded only to say so.
TOKENIZERS = (
    *("none", "13a", "intl", "zh", "universal", "rouge-score", "char", "char+space"),
    *("ja-mecab", "ko-mecab", "flores101", "flores200", "spBLEU-1K", "spm:FILE"),
)


def add_metric_arguments(parser: argparse.ArgumentParser, default: str = "default: bleu") -> argparse._ArgumentGroup:
    """The metrics, and flags that set what they leave open; `default` says what there is without any."""
    group = parser.add_argument_group("metrics (parameters in parentheses override these options)")
    add = group.add_argument
    about = f"such as bleu, 'bleu(smooth=7)', chrf ter, or all; see 'tricolore metrics' ({default})"
    add_list(group, "-m", "--metrics", metavar="METRIC", about=about, default=None)
    about = f"tokeniser: {', '.join(TOKENIZERS)} (not for chrF and TER)"
    add("-tok", "--tokenize", metavar="NAME", help=about)
    about = "language pair, such as en-zh; into zh, ja or ko the default tokeniser is zh, ja-mecab or ko-mecab, not 13a"
    add("-l", "--language-pair", metavar="SRC-TRG", help=about)
    about = "lower-case the text first (chrF has --chrf-lowercase; TER ignores case by default)"
    add("-lc", "--lowercase", action="store_true", default=None, help=about)
    about = "smoothing of BLEU: exp, floor, add-k, none, or 0 to 7"
    add("-s", "--smooth-method", type=smoothing, metavar="NAME", help=about)
    about = "smoothing constant (defaults: floor 0.1, add-k 1; 4, 6 and 7: 5)"
    add("-sv", "--smooth-value", type=Typed(Real()), metavar="X", help=about)

    add = parser.add_argument_group("chrF and TER, as in sacreBLEU").add_argument
    for option, (metric, parameter, kind) in SACREBLEU_OPTIONS.items():
        if isinstance(kind, Flag):
            add(option, action="store_true", default=None, help=f"{metric}({parameter}=true)")
        else:
            add(*SHORT.get(option, ()), option, type=Typed(kind), metavar="N", help=f"{metric}({parameter}=N)")
    return group


def smoothing(name: str) -> int | str:
    """A smoothing method by sacreBLEU's name for it, or by number."""
    return int(name) if name.isascii() and name.isdecimal() else name


#: Options of sacreBLEU that set a parameter of one metric: its name here, the parameter, and what it takes.
SACREBLEU_OPTIONS: dict[str, tuple[str, str, Kind]] = {
    "--chrf-char-order": ("chrf", "char_order", Whole(0, 10_000)),
    "--chrf-word-order": ("chrf", "word_order", Whole(0, 10_000)),
    "--chrf-beta": ("chrf", "beta", Real()),
    "--chrf-whitespace": ("chrf", "whitespace", Flag()),
    "--chrf-lowercase": ("chrf", "lowercase", Flag()),
    "--chrf-eps-smoothing": ("chrf", "eps_smoothing", Flag()),
    "--ter-case-sensitive": ("ter", "case", Flag()),
    "--ter-asian-support": ("ter", "asian", Flag()),
    "--ter-no-punct": ("ter", "no_punct", Flag()),
    "--ter-normalized": ("ter", "normalized", Flag()),
}
SHORT = {"--chrf-char-order": ("-cc",), "--chrf-word-order": ("-cw",)}

#: What sacreBLEU cuts with instead of 13a where the target language is known.
TOKENIZER_OF_LANGUAGE = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}


def flags_given(options: argparse.Namespace) -> dict[str, Any]:
    """The flags that set parameters of metrics, as far as they were given, and their values."""
    names = ("--tokenize", "--language-pair", "--lowercase", "--smooth-method", "--smooth-value", *SACREBLEU_OPTIONS)
    values = {name: getattr(options, name[2:].replace("-", "_")) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def make_metrics(options: argparse.Namespace, texts: Sequence[str] | None = None) -> list[Metric]:
    """Make the metrics asked for, or those of some texts; flags set what a text leaves open, wherever they apply."""
    from ..metrics import expanded, left_out

    asked_for = list(texts or options.metrics or ["bleu"])
    if "all" in asked_for and not (options.quiet or options.force):
        for reason in left_out().values():
            say(f"left out of all: {reason}")
    flags = flags_given(options)
    default_tokenizer = tokenizer_for(flags.pop("--language-pair", None))
    made: list[Metric] = []
    using: dict[str, set[str]] = {option: set() for option in flags}
    for text in expanded(asked_for):
        asked, used = make_metric(str(text), flags, default_tokenizer)
        made.append(asked)
        for option in used:
            using[option].add(asked.name)
    names = list(dict.fromkeys(asked.name for asked in made))
    check_flags(using, names, quiet=options.quiet or options.force)
    check_distinct(made, "metric ")
    return made


def tokenizer_for(language_pair: str | None) -> str | None:
    """The tokeniser that sacreBLEU uses for a language pair, if it is not the usual one."""
    if language_pair is None:
        return None
    source, hyphen, target = language_pair.partition("-")
    if not (source and hyphen and target):
        raise SpecError(f"--language-pair: expected SRC-TRG, such as en-zh; got {language_pair!r}")
    return TOKENIZER_OF_LANGUAGE.get(target.split("-")[0])


def check_flags(using: dict[str, set[str]], names: Sequence[str], quiet: bool) -> None:
    """Refuse a flag that applies to none of the metrics; say to which metrics one does not apply."""
    for option, users in using.items():
        others = [name for name in names if name not in users]
        own = [flag for name in others for flag in own_flags(name) if flag == f"--{name}-{option[2:]}"]
        message = f"{option} does not apply to {', '.join(others)}" + (f"; use {own[0]}" if own else "")
        if not users:
            raise SpecError(message)
        if others and option in ("--tokenize", "--lowercase") and not quiet:
            say(message)


def own_flags(name: str) -> dict[str, str]:
    """The flags that sacreBLEU has for one metric alone, and the parameters they set."""
    return {option: parameter for option, (metric, parameter, _) in SACREBLEU_OPTIONS.items() if metric == name}


def flags_of(name: str, parameters: Container[str]) -> dict[str, str]:
    """The flags that apply to a metric, and the parameters they set.

    As in sacreBLEU, what a metric has a flag of its own for is set by that flag alone: chrF is lower-cased by
    --chrf-lowercase, not by --lowercase.
    """
    own = own_flags(name)
    general = {"--tokenize": "tokenize", "--lowercase": "lowercase"}
    if "short" in parameters:  # smoothing as in BLEU
        general["--smooth-method"] = "smooth"
    return own | {flag: one for flag, one in general.items() if one in parameters and one not in own.values()}


def make_metric(text: str, flags: dict[str, Any], default_tokenizer: str | None) -> tuple[Metric, set[str]]:
    """Make one metric of a spec text and the flags that apply to it; also return those."""
    from ..metrics import metric_class, named, with_implied
    from ..parameters import parameters

    try:
        name, given = spec.parse(text)
        cls, given = metric_class(name), with_implied(name, given)
    except SpecError:
        if os.path.exists(text):
            raise SpecError(
                f"--metrics: {text} is a file, not a metric; name references before -m, or with -r"
            ) from None
        raise
    known = {field.name: field.default for field in parameters(cls)}
    used = {option: parameter for option, parameter in flags_of(named(name)[0], known).items() if option in flags}
    in_text = {*given}
    given = {parameter: flags[option] for option, parameter in used.items()} | given
    if default_tokenizer is not None and known.get("tokenize") == "13a":
        given.setdefault("tokenize", default_tokenizer)
    named_by = {parameter: option for option, parameter in used.items()}
    named_by |= dict.fromkeys(("epsilon", "add", "k"), "--smooth-value")
    with naming_flags({parameter: option for parameter, option in named_by.items() if parameter not in in_text}):
        if "--smooth-value" in flags and "epsilon" in known:
            used["--smooth-value"] = "epsilon"
            given = with_smooth_value(cls(**given), given, flags["--smooth-value"])
        return cls(**given), set(used)


@contextmanager
def naming_flags(flags: Mapping[str, str]) -> Iterator[None]:
    """Let messages about parameters that flags have set name the flags."""
    try:
        yield
    except SpecError as error:
        found = re.match(r"[\w-]+: (\w+) must be ", str(error))
        if found and found[1] in flags:
            error.args = (f"{flags[found[1]]} {str(error)[found.end() - len('must be ') :]}",)
        raise


def with_smooth_value(metric: Any, given: dict[str, Any], value: float) -> dict[str, Any]:
    """Set the constant that belongs to the smoothing."""
    from ..metrics.smoothing import METHODS

    constants = METHODS[metric.method][1]
    if not constants:
        raise SpecError(f"--smooth-value: smoothing {metric.smooth} has no constant (floor, add-k, 4, 6 and 7 have)")
    return {constants[0]: value, **given}
