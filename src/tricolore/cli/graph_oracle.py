"""`tricolore oracle --lattice`: the best texts of lattices and forests."""

from __future__ import annotations

from ..errors import SpecError
from .graph_options import check_graphs, has_scores, paired, read
from .metric_options import make_metrics
from .nbest_options import opened, refuse_descriptions, say_score
from .number_options import check_numbers
from .printing import say
from .progress import ProgressBar
from .text_options import read_references

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import Any, TextIO

    from ..graphs.graph import Graph
    from ..graphs.path import Path
    from ..metrics.base import Metric
    from ..segments import References

#: Options that are for n-best lists only, and what they are without being given.
OF_LISTS = {"first": None, "worst": False}

CANDIDATES, ROUNDS = 50, 10


def add_lattice_arguments(parser: argparse.ArgumentParser) -> None:
    """What only the search in graphs takes."""
    add = parser.add_argument_group("lattices and forests, by metrics without an exact oracle").add_argument
    add("--candidates", type=int, metavar="N", help=f"paths that are tried at a time (default: {CANDIDATES})")
    add("--rounds", type=int, metavar="N", help=f"how often to look for better ones at most (default: {ROUNDS})")


def run(options: argparse.Namespace) -> None:
    """Read, search, write."""
    metrics = make_metrics(options)
    check_usage(options, metrics)
    references, name = read_references(options)
    Search(options, metrics[0], references, name).run()


def check_usage(options: argparse.Namespace, metrics: list[Metric]) -> None:
    """Refuse what cannot be meant, before any work."""
    if len(metrics) > 1:
        raise SpecError(f"--metrics: one metric chooses; got {len(metrics)}")
    refuse_descriptions(metrics, "choose by another metric")
    for option, unset in OF_LISTS.items():
        if getattr(options, option) != unset:
            raise SpecError(f"--{option} is for n-best lists, not for --lattice")
    for option in ("candidates", "rounds"):
        if getattr(options, option) is not None and getattr(options, option) < 1:
            raise SpecError(f"--{option} must be 1 or more; got {getattr(options, option)}")
    check_numbers(options)
    if not options.more_refs:
        raise SpecError("no reference file is given; name one or more with --refs")
    check_graphs(options, options.more_refs)


class Search:
    """One line a graph, the best text; what it was worth on standard error."""

    def __init__(self, options: argparse.Namespace, asked: Metric, references: References, name: str):
        from ..graphs.oracles import is_exact

        self.options, self.asked, self.references, self.name = options, asked, references, name
        # With several references a segment's best text need not be the best for the corpus.
        self.exact = is_exact(asked.for_segments) and not (options.corpus and references.counts()[1] > 1)
        if self.exact and (options.candidates or options.rounds):
            option = "candidates" if options.candidates else "rounds"
            raise SpecError(f"--{option} is for metrics without an exact oracle; {asked.for_segments.spec} has one")
        self.found: list[str] = []
        self.firsts: list[str] = []  # the best by the scores of the graphs

    def run(self) -> None:
        """Search, write and say."""
        options = self.options
        with opened(options.output) as file, ProgressBar(quiet=options.quiet) as bar:
            items = self.search_exactly(file, bar) if self.exact else self.search_around(file, bar)
        if options.quiet:
            return
        self.say("oracle", self.found, {"oracle": "exact" if self.exact else "approximate", **items})
        if len(self.firsts) == len(self.found):
            self.say("best path", self.firsts, {"chosen": "best-path"})

    def graphs(self, bar: ProgressBar) -> Iterator[tuple[Graph, Any]]:
        """The graphs and the references of each."""
        return paired(read(self.options, bar), self.references, self.name)

    def search_exactly(self, file: TextIO, bar: ProgressBar) -> dict[str, Any]:
        """Graph by graph, never holding more than one."""
        from ..graphs.oracles import ExactOracle

        oracle = ExactOracle(self.asked.for_segments)
        bar.stage("searching", len(self.references))
        for number, (graph, references) in enumerate(self.graphs(bar), 1):
            found = oracle(graph, references)
            self.take(graph, found.path, found.score, file)
            bar.step(number, len(self.references) + 1)
        return {"by": self.asked.for_segments.spec}

    def search_around(self, file: TextIO, bar: ProgressBar) -> dict[str, Any]:
        """All graphs at once, in rounds."""
        from ..graphs.approximate_oracle import ApproximateOracle

        options, asked = self.options, self.asked
        graphs = [graph for graph, _ in self.graphs(bar)]
        size, rounds = options.candidates or CANDIDATES, options.rounds or ROUNDS
        oracle = ApproximateOracle(
            asked, alone=asked.for_segments, corpus=options.corpus, size=size, rounds=rounds, progress=bar.begin
        )
        found = oracle.choose(graphs, self.references)
        texts = [path.text for path in found.paths]
        scores = asked.for_segments.segments(texts, self.references, threads=options.threads).tolist()
        for graph, path, score in zip(graphs, found.paths, scores, strict=True):
            self.take(graph, path, score, file)
        by = "corpus" if options.corpus else "segment"
        if not options.quiet:
            scale = asked.display_scale
            digits = asked.display_digits + 1 if options.width is None else options.width
            say(
                f"{asked.spec}: an approximation, {found.score * scale:.{digits}f}; the best choice "
                f"from the {size} best paths of each is {found.nbest_score * scale:.{digits}f} "
                f"({found.gap * scale:+.{digits}f}, in {found.rounds} round{'s' * (found.rounds != 1)})"
            )
        return {"by": asked.for_segments.spec, "for": by, "candidates": size, "rounds": rounds}

    def take(self, graph: Graph, path: Path, score: float, file: TextIO) -> None:
        """Write the line of a graph."""
        self.found.append(path.text)
        if has_scores(graph):
            self.firsts.append(graph.best().text)
        metric = self.asked.for_segments
        digits = metric.display_digits + 1 if self.options.width is None else self.options.width
        before = f"{score * metric.display_scale + 0.0:.{digits}f}\t" if self.options.scores else ""
        print(f"{before}{path.text}", file=file)

    def say(self, what: str, texts: list[str], items: dict[str, Any]) -> None:
        """How good texts are, with all that this depends on."""
        score = self.asked(texts, self.references, threads=self.options.threads)
        say_score(what, score, items, self.options.width)
