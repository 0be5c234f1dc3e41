"""Choose the best candidates of n-best lists, lattices or forests by any metric (oracle).

    tricolore oracle --nbest nbest.txt --refs ref0.txt ref1.txt -m bleu > best.txt
    tricolore oracle --nbest run1.gz run2.gz --refs ref.txt -m chrf --corpus -o best.txt
    tricolore oracle --nbest nbest.txt --refs ref.txt -m ter --scores
    tricolore oracle --lattice lattices.plf.gz --refs ref0.txt ref1.txt -m wer > best.txt
    tricolore oracle --lattice forests/*.json --refs ref.txt -m grr --scores

One line for each source comes out: the candidate that scores best, the first of equals. Lists are those of Moses,
Marian and cdec ('source ||| text ||| ...', sources numbered from 0) or JSON lines; they need no features. How good the
choice is beside the first candidates is said on standard error.

Segment by segment a candidate is chosen for its own score (BLEU then leaves out orders longer than the segment, as in
'tricolore score --segments'). With --corpus one choice at a time is changed for another, round after round, as long as
the score of the whole corpus gets better: never worse than segment by segment, but a local optimum, not a proven one.

From lattices and forests the best of all their texts is chosen: exactly for wer, wrr and grr, of equals the one with
the best score of the graph. For other metrics, bleu among them, candidates are gathered in rounds, the best by n-gram
gains around what was chosen before, and the metric chooses among them: an approximation from below. How much better it
is than the best of the n-best lists of the graphs is said on standard error.
Exit status: 0 done, 1 something is wrong with the data, 2 with the command.
"""

from __future__ import annotations

from ..errors import SpecError
from . import graph_oracle
from .graph_options import add_graph_arguments, add_lattice_argument, refuse_graph_options
from .graph_oracle import add_lattice_arguments
from .metric_options import add_metric_arguments, make_metrics
from .nbest_options import (
    add_nbest_argument,
    add_output_arguments,
    check_choosing,
    one_line,
    opened,
    refuse_descriptions,
    say_score,
)
from .progress import ProgressBar
from .text_options import add_reference_arguments, advise, read_references

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from ..candidates import Candidates
    from ..metrics.base import Metric
    from ..segments import References


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    group = add_reference_arguments(parser, words=None)
    add_nbest_argument(group)
    add_lattice_argument(group)
    add_metric_arguments(parser, default="one of them; default: bleu")
    add = parser.add_argument_group("choice").add_argument
    add("--corpus", action="store_true", help="choose for the score of the corpus, not segment by segment")
    add("--worst", action="store_true", help="choose the worst candidates instead")
    add("-n", "--first", type=int, metavar="N", help="take the first N of every list")
    add_lattice_arguments(parser)
    add_graph_arguments(parser)
    add = parser.add_argument_group("results").add_argument
    add("--scores", action="store_true", help="the score of the segment, as printed, and a tab before each line")
    add_output_arguments(add)


def run(options: argparse.Namespace) -> None:
    """Read, choose, write."""
    if options.lattice and options.nbest:
        raise SpecError("--nbest and --lattice exclude each other")
    if options.lattice:
        graph_oracle.run(options)
    else:
        run_lists(options)


def run_lists(options: argparse.Namespace) -> None:
    """The same for n-best lists."""
    metrics = make_metrics(options)
    refuse_graph_options(options, "weights", "candidates", "rounds")
    check_usage(options, metrics)
    references, name = read_references(options)
    with opened(options.output) as file:  # first: a file that cannot be written costs no work
        with ProgressBar(quiet=options.quiet) as bar:
            candidates = read_candidates(options, references, name, bar)
            chosen = choose(options, metrics[0], candidates, bar)
        for line in lines_of(options, metrics[0], candidates, chosen):
            print(line, file=file)
    if not options.quiet:
        say_results(options, metrics, candidates, chosen)


def check_usage(options: argparse.Namespace, metrics: list[Metric]) -> None:
    """Refuse what cannot be meant, before any work."""
    if len(metrics) > 1:
        raise SpecError(f"--metrics: one metric chooses; got {len(metrics)}")
    refuse_descriptions(metrics, "choose by another metric")
    if options.first is not None and options.first < 1:
        raise SpecError(f"--first must be 1 or more; got {options.first}")
    check_choosing(options)
    if not options.more_refs:
        raise SpecError("no reference file is given; name one or more with --refs")


def read_candidates(options: argparse.Namespace, references: References, name: str, bar: ProgressBar) -> Candidates:
    """Read the texts of the lists."""
    from ..candidates import CandidateReader
    from ..readers import name_of

    bar.stage("reading", len(references) * len(options.nbest))
    return CandidateReader().read(
        options.nbest, references, name_of(name), features=False, first=options.first, progress=bar.step
    )


def choose(options: argparse.Namespace, asked: Metric, candidates: Candidates, bar: ProgressBar) -> Any:
    """The number of the hypothesis for every source."""
    from ..nbest_oracle import corpus_oracle, segment_oracle

    for metric in {asked.for_segments.spec: asked.for_segments, asked.spec: asked}.values():
        bar.stage(f"counting for {metric.spec}", len(candidates.texts))
        candidates.rows(metric, threads=options.threads, progress=bar.step)
    bar.stage("choosing")
    if not options.corpus:
        return segment_oracle(candidates, asked.for_segments, worst=options.worst)
    return corpus_oracle(candidates, asked, alone=asked.for_segments, worst=options.worst)


def lines_of(options: argparse.Namespace, asked: Metric, candidates: Candidates, chosen: Any) -> list[str]:
    """What to write, one line a source."""
    texts = [one_line(candidates.text(hypothesis), source) for source, hypothesis in enumerate(chosen)]
    if not options.scores:
        return texts
    scale = asked.for_segments.display_scale * (1 if asked.for_segments.higher_is_better else -1)
    digits = asked.for_segments.display_digits + 1 if options.width is None else options.width
    values = candidates.gains(asked.for_segments)[chosen] * scale + 0.0  # of which minus zero is zero
    return [f"{value:.{digits}f}\t{text}" for value, text in zip(values.tolist(), texts, strict=True)]


def say_results(options: argparse.Namespace, metrics: list[Metric], candidates: Candidates, chosen: Any) -> None:
    """Say how good the choice is."""
    firsts = candidates.starts[:-1]
    if not options.force:
        advise({options.nbest[0]: [candidates.text(i) for i in firsts]}, candidates.references, metrics)
    how = ("corpus" if options.corpus else "segment") + ("-worst" if options.worst else "")
    items: dict[str, Any] = {"oracle": how, "by": metrics[0].for_segments.spec}
    if options.first is not None:
        items["n"] = options.first
    metric = metrics[0]
    say_score("oracle", candidates.score(metric, chosen), items, options.width)
    say_score("first", candidates.score(metric, firsts), {"chosen": "first"}, options.width)
