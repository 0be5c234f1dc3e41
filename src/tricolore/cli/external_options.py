"""External scores beside those that a command computes: which files, and which scores are better."""

from __future__ import annotations

from ..errors import SpecError
from ..external_options import HIGHER, LOWER, ExternalOptions
from .options import add_list, add_options, check_distinct

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

SCORES = (
    "external scores: files of comet-score (text, --to_json), MetricX or BLEURT; tables (.tsv, .csv, .jsonl, .parquet) "
    "with the columns system, segment, and metric and score or one for each metric; SYSTEM<tab>SCORE or a folder of "
    "mt-metrics-eval. NAME=FILE names the metric, NAME:SYSTEM=FILE also the system"
)
#: The parameters of the library that messages name as options.
PARAMETERS = ("scores", "lower_is_better", "higher_is_better", "ignore_unknown", "missing")


def add_external_arguments(parser: argparse.ArgumentParser, also: str = "", *, missing: bool = False) -> None:
    """Add the options; `also` says what else --scores does, `missing` whether scores may be missing."""
    group = parser.add_argument_group("external scores")
    add_list(group, "--scores", metavar="[NAME=]FILE", about=SCORES + also)
    for name, about in (("--lower-is-better", LOWER), ("--higher-is-better", HIGHER)):
        add_list(group, name, metavar="NAME", about=about)
    add_options(group, ExternalOptions, only=("ignore_unknown", *(["missing"] if missing else [])))


def given_external(options: argparse.Namespace) -> dict[str, Any]:
    """The arguments of the library's function about external scores."""
    check_external(options)
    return {name: getattr(options, name) for name in PARAMETERS if hasattr(options, name)}


def check_external(options: argparse.Namespace) -> None:
    """Reject options about external scores where there are none, and files that are given twice."""
    check_distinct(options.scores, "--scores: ")
    texts = [*options.refs, *options.more_refs, *(options.input or [])]
    if [*texts, *(text.rpartition("=")[2] for text in options.scores)].count("-") > 1:
        raise SpecError("--scores: standard input can be read only once")
    if options.scores:
        return
    for name in ("lower_is_better", "higher_is_better", "ignore_unknown"):
        if getattr(options, name):
            raise SpecError(f"--{name.replace('_', '-')} is for --scores")
