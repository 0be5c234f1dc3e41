"""External scores beside those that a command computes: which files, and which scores are better."""

from __future__ import annotations

from ..errors import SpecError
from .options import add_list, check_distinct

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from .options import Group

SCORES = (
    "external scores: files of comet-score (text, --to_json), MetricX or BLEURT; tables (.tsv, .csv, .jsonl, .parquet) "
    "with the columns system, segment, and metric and score or one for each metric; SYSTEM<tab>SCORE or a folder of "
    "mt-metrics-eval. NAME=FILE names the metric, NAME:SYSTEM=FILE also the system"
)
LOWER = "metrics for which lower is better (known already: MetricX, TER, WER, CER, PER, CDER, and our own)"
HIGHER = "metrics for which higher is better, though known to count errors"
UNKNOWN = "drop external scores of other systems (default: an error)"

#: The parameters of the library that messages name as options.
PARAMETERS = ("scores", "lower_is_better", "higher_is_better", "ignore_unknown", "missing")


def add_external_arguments(parser: argparse.ArgumentParser, also: str = "") -> Group:
    """Add the options; `also` says what else --scores does."""
    group = parser.add_argument_group("external scores")
    add_list(group, "--scores", metavar="[NAME=]FILE", about=SCORES + also)
    add_list(group, "--lower-is-better", metavar="NAME", about=LOWER)
    add_list(group, "--higher-is-better", metavar="NAME", about=HIGHER)
    group.add_argument("--ignore-unknown", action="store_true", help=UNKNOWN)
    return group


def given_external(options: argparse.Namespace) -> dict[str, Any]:
    """The arguments of the library's function about external scores."""
    check_external(options)
    return {name: getattr(options, name) for name in PARAMETERS if hasattr(options, name)}


def check_external(options: argparse.Namespace) -> None:
    """Reject options about external scores where there are none, and files that are given twice."""
    check_distinct(options.scores, "--scores: ")
    texts = [*options.refs, *options.more_refs, *(options.input or [])]
    if "-" in [text.rpartition("=")[2] for text in options.scores] and texts:
        raise SpecError("--scores: beside texts, scores are not read from standard input; name a file")
    if options.scores:
        return
    for name in ("lower_is_better", "higher_is_better", "ignore_unknown"):
        if getattr(options, name):
            raise SpecError(f"--{name.replace('_', '-')} is for --scores")
