"""Search for the metric parameters that agree best with human ratings.

    tricolore search 'lebleu(order=1..4, threshold=0.2..0.8:0.1)' --dev talks13 talks14 --test talks15
    tricolore search 'chrf(char_order=4..8, beta=1..3)' --dev talks.toml@1-264 --test talks.toml@265-529

A set is a folder with set.toml in it, or a TOML file, that says where texts and ratings are:

    references = "references/*.txt"
    systems = "systems/*.txt"
    human = "ratings.tsv"

It may also have form and lower_is_better (see 'tricolore correlate --help'), segments = "1-264", name, as_text = true,
and group: the language pair, for each of which parameters are chosen. Every combination is scored; the best has the
best average agreement over the --dev sets. What that is worth shows on the --test sets, which choose nothing.
"""

import argparse

from ..errors import SpecError
from ..judge.correlation.options import SearchOptions
from ..judge.correlation.search import MEASURES, search
from ..parameters import parameters
from ..results import emit
from .options import add_options, add_output_options, add_threads, naming_options
from .progress import ProgressBar


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add = parser.add_argument
    add("grid", metavar="METRIC", help="a metric with ranges: order=1..4, threshold=0.2..0.8:0.1, tokenize=13a|intl")
    add("--dev", nargs="+", action="extend", default=[], metavar="SET", help="sets to choose on; SET@1-264: some lines")
    add("--test", nargs="+", action="extend", default=[], metavar="SET", help="held-out sets, which choose nothing")
    about = "agreement to choose by (default: 'system pearson' 'segment kendall-wmt14'); see 'tricolore correlate'"
    add("--measure", nargs="+", action="extend", metavar="NAME", help=about)
    add_options(parser, SearchOptions)
    add_output_options(parser, "3; json, tsv and csv: all", force=False)
    add_threads(parser)


def run(options: argparse.Namespace) -> None:
    """Read, search, print."""
    if not options.dev:
        raise SpecError("no development set is given; name one or more with --dev")
    names = [field.name for field in parameters(SearchOptions)]
    with naming_options(*names), ProgressBar(quiet=options.quiet) as bar:
        found = search(
            options.grid,
            options.dev,
            options.test,
            measures=options.measure or MEASURES,
            threads=options.threads,
            progress=bar.begin,
            **{name: getattr(options, name) for name in names},
        )
    emit(found, options.format, width=options.width)
