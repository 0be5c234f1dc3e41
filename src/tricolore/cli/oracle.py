"""Choose the best candidates of n-best lists, lattices or forests by a metric (oracle).

    tricolore oracle --nbest nbest.txt --refs ref0.txt ref1.txt -m bleu > best.txt
    tricolore oracle --nbest run1.gz run2.gz --refs ref.txt -m chrf --corpus -o best.txt
    tricolore oracle --nbest nbest.txt --refs ref.txt -m ter --scores
    tricolore oracle --lattice lattices.plf.gz --refs ref0.txt ref1.txt -m wer > best.txt
    tricolore oracle --lattice forests/*.json --refs ref.txt -m grr --scores

Prints one line per source: the candidate that scores best; ties go to the first. Lists are those of Moses, Marian
and cdec ('source ||| text ||| ...', sources numbered from 0) or JSON lines; they need no features. Corpus scores of the
choice and of the first candidates go to standard error.

Segment by segment a candidate is chosen for its own score (BLEU then leaves out orders longer than the segment, as in
'tricolore score --segments'). With --corpus one choice at a time is changed for another, round after round, as long as
the corpus score improves: never worse than segment by segment, but a local optimum, not a proven one.

From lattices and forests the best of all their texts is chosen: exactly for wer, wrr and grr; ties go to
the best score of the graph. For other metrics, bleu among them, candidates are gathered in rounds, the best by n-gram
gains around what was chosen before, and the metric chooses among them: an approximation from below. How much better it
is than the best of the n-best lists of the graphs goes to standard error.
Exit status: 0 success, 1 invalid data, 2 invalid usage.
"""

import argparse

from ..errors import SpecError
from ..tuning.choices import Chosen
from ..tuning.oracle import OracleOptions, oracle
from .graph_options import add_graph_arguments, add_lattice_argument, check_graphs, read, refuse_graph_options
from .metric_options import add_metric_arguments, make_metrics
from .nbest_options import add_nbest_argument, add_output_arguments, check_choosing, given_options, opened, say_summary
from .options import add_options, naming_options
from .progress import ProgressBar
from .text_options import add_reference_arguments, given_references, warn

PARAMETERS = ("corpus", "worst", "first", "candidates", "rounds")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    group = add_reference_arguments(parser, words=None)
    add_nbest_argument(group)
    add_lattice_argument(group)
    add_metric_arguments(parser, default="one of them; default: bleu")
    group = parser.add_argument_group("choice")
    add_options(group, OracleOptions, only=("corpus", "worst", "first"), spelled={"first": ("-n", "--first")})
    group = parser.add_argument_group("lattices and forests, by metrics without an exact oracle")
    add_options(group, OracleOptions, only=("candidates", "rounds"))
    add_graph_arguments(parser)
    group = parser.add_argument_group("results")
    group.add_argument("--scores", action="store_true", help="the score of the segment and a tab before each line")
    add_output_arguments(group)


def run(options: argparse.Namespace) -> None:
    """Choose, and write one line per source."""
    metrics = make_metrics(options)
    check_usage(options)
    single = metrics[0].for_segments
    digits = single.display_digits + 1 if options.width is None else options.width
    references = given_references(options)
    with (
        opened(options.output) as file,  # first: a file that cannot be written costs no work
        ProgressBar(quiet=options.quiet) as bar,
        naming_options("metrics", *PARAMETERS),
    ):

        def show(one: Chosen) -> None:
            print(f"{one.score:.{digits}f}\t{one.line()}" if options.scores else one.line(), file=file)

        found = oracle(
            read(options, bar) if options.lattice else options.nbest,
            references,
            metrics,  # type: ignore[arg-type]
            threads=options.threads,
            progress=bar.begin,
            each=show,
            **given_options(options, PARAMETERS),
        )
    if options.nbest:
        warn(options, {options.nbest[0]: [*found.first_texts]}, references, metrics)
    say_summary(found, options)


def check_usage(options: argparse.Namespace) -> None:
    """Reject options that contradict each other, before any work."""
    if options.lattice and options.nbest:
        raise SpecError("--nbest and --lattice exclude each other")
    if not options.lattice:
        refuse_graph_options(options, "weights")
        check_choosing(options)
    if not options.more_refs:
        raise SpecError("no reference file is given; name one or more with --refs")
    if options.lattice:
        check_graphs(options, options.more_refs)
