"""List the metrics, or explain some: equation, parameters, citation.

For example:

    tricolore metrics
    tricolore metrics bleu nist
"""

from __future__ import annotations

from ..parameters import Choice
from ..results import FORMATS, emit
from .options import add_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="metrics to explain, or all")
    add_option(
        parser, "-f", "--format", kind=Choice(FORMATS), default="text", about="output format of the list of metrics"
    )


def run(options: argparse.Namespace) -> None:
    """Print the list or the explanation."""
    from ..metrics import expanded
    from ..metrics.listing import explanation, list_metrics

    if options.names:
        print("\n\n\n".join(explanation(str(name)) for name in expanded(options.names)))
    else:
        emit(list_metrics(), options.format)
