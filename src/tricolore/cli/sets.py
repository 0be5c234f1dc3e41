"""List test sets, or print the texts of one.

For example:

    tricolore sets
    tricolore sets -l en-de --cached
    tricolore sets -t wmt22 -l en-de
    tricolore sets -t wmt22 -l en-de --echo src ref docid

Test sets are those of sacreBLEU: in its cache ($SACREBLEU, or ~/.sacrebleu), and if the sacrebleu package is installed
(pip install 'tricolore[sets]') those that it can fetch. 'tricolore score -t wmt22 -l en-de' scores with one.
Exit status: 0 success, 1 invalid data, 2 invalid usage.
"""

import argparse

from ..errors import SpecError
from ..parameters import Choice
from ..results import FORMATS, emit
from ..set_listing import test_sets
from ..sets import test_set
from .options import add_list, add_option, naming_options
from .progress import ProgressBar
from .set_options import add_subset_arguments


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("-t", "--test-set", metavar="NAME", help="only this test set")
    add("-l", "--language-pair", metavar="SRC-TRG", help="only this language pair")
    add("--cached", action="store_true", help="only what is in the cache")
    about = "print fields of a test set, tab-separated: src, ref, docid, ...; all: every field (fetches a missing set)"
    add_list(parser, "--echo", metavar="FIELD", about=about)
    add("--download", action="store_true", help="fetch a test set if it is not in the cache")
    add_subset_arguments(parser, "with --echo: ")
    add_option(parser, "-f", "--format", kind=Choice(FORMATS), default="text", about="output format")
    add("-q", "--quiet", action="store_true", help="no progress on standard error")


def run(options: argparse.Namespace) -> None:
    """Print the list, or the texts."""
    check_usage(options)
    with naming_options("name", "language_pair", "origlang", "subset"), ProgressBar(quiet=options.quiet) as bar:
        if options.echo or options.download:
            how = {"origlang": options.origlang, "subset": options.subset, "progress": bar.begin}
            found = test_set(options.test_set, options.language_pair, **how)
        chosen = found.show(*options.echo) if options.echo else None
        lines = chosen.lines() if chosen and options.format == "text" else []
        listed = test_sets(options.test_set, options.language_pair, cached=options.cached) if chosen is None else None
    if lines:
        print(*lines, sep="\n")
    else:
        emit(chosen or listed, options.format)  # type: ignore[arg-type]


def check_usage(options: argparse.Namespace) -> None:
    """Reject options that contradict each other, before any work."""
    for option in ("echo", "download"):
        if getattr(options, option) and not (options.test_set and options.language_pair):
            raise SpecError(f"--{option} needs a test set (-t) and a language pair (-l)")
    for option in ("origlang", "subset"):
        if getattr(options, option) is not None and not options.echo:
            raise SpecError(f"--{option} needs --echo")
