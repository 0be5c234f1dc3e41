"""Show versions, cores, caches, and which optional packages are missing for what.

For example:

    tricolore doctor
    tricolore doctor -f json

Include its output in bug reports. Exit status: 0, whatever is missing.
"""

import argparse

from ..installation import doctor
from ..parameters import Choice
from ..results import FORMATS, emit
from .options import add_option


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_option(parser, "-f", "--format", kind=Choice(FORMATS), default="text", about="output format")


def run(options: argparse.Namespace) -> None:
    """Print what is found."""
    emit(doctor(), options.format)
