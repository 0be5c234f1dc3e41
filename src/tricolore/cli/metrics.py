"""List the metrics, or explain some: equation, parameters, citation.

For example:

    tricolore metrics
    tricolore metrics bleu nist
"""

import argparse

from ..metrics import expanded
from ..metrics.listing import explanation, list_metrics
from ..parameters import Choice
from ..results import FORMATS, emit
from .options import add_option


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="metrics to explain, or all")
    add_option(
        parser, "-f", "--format", kind=Choice(FORMATS), default="text", about="output format of the list of metrics"
    )


def run(options: argparse.Namespace) -> None:
    """Print the list or the explanation."""
    if options.names:
        print("\n\n\n".join(explanation(str(name)) for name in expanded(options.names)))
    else:
        emit(list_metrics(), options.format)
