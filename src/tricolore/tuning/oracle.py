"""`oracle`: the best candidates of n-best lists, lattices or forests by any metric."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from ..candidates import CandidateReader, Candidates
from ..errors import InputError
from ..graphs import Path
from ..graphs.approximate_oracle import ApproximateOracle, Approximation
from ..graphs.graph import Graph
from ..graphs.oracles import ExactOracle, is_exact
from ..metrics.base import Metric
from ..nbest_oracle import corpus_oracle, segment_oracle
from ..parameters import Flag, Options, param
from ..readers import name_of
from ..readers.texts import references_of
from ..segments import References
from ..types import SegmentReferences, Stage
from .choices import LIMIT, Choices, Chosen, ignored, judge_of, no_progress, reject, scored_by

#: For lattices and forests, by metrics without an exact oracle.
CANDIDATES, ROUNDS = 50, 10


@dataclass(frozen=True)
class OracleOptions(Options):
    """Which candidates are chosen, and how they are searched for."""

    corpus: bool = param(False, Flag(), "choose for the corpus score, not segment by segment")
    worst: bool = param(False, Flag(), "choose the worst candidates instead")
    first: int | None = param(None, LIMIT, "take the first N candidates of each list")
    candidates: int | None = param(None, LIMIT, f"paths tried at a time (default: {CANDIDATES})")
    rounds: int | None = param(None, LIMIT, f"rounds of search, at most (default: {ROUNDS})")


@dataclass(frozen=True, eq=False, repr=False)
class OracleChoices(Choices):
    """The best text per source. `exact`: no candidate scores better; else no other that was tried does."""

    exact: bool = True
    approximation: Approximation | None = None  #: for lattices: the gain over their n-best lists
    first_texts: tuple[str, ...] = ()  #: the first candidate of each list

    def summary(self, width: int | None = None) -> list[str]:
        lines = super().summary(width)
        found = self.approximation
        if found is None:
            return lines
        metric = self.scores[0].score.metric
        digits = metric.display_digits + 1 if width is None else width
        score, nbest, gap = (value * metric.display_scale for value in (found.score, found.nbest_score, found.gap))
        rounds = f"{found.rounds} round{'s' * (found.rounds != 1)}"
        told = f"{metric.spec}: an approximation, {score:.{digits}f}; the best choice from the {found.size} best paths"
        return [f"{told} of each is {nbest:.{digits}f} ({gap:+.{digits}f}, in {rounds})", *lines]


def oracle(
    nbest: Any,
    refs: Any,
    metric: str | Metric = "bleu",
    *,
    corpus: bool = False,
    worst: bool = False,
    first: int | None = None,
    candidates: int | None = None,
    rounds: int | None = None,
    threads: int | None = None,
    progress: Stage | None = None,
    each: Callable[[Chosen], None] | None = None,
) -> OracleChoices:
    """Choose the candidate of each source that scores best by a metric; ties go to the first.

    `nbest` is a file, several files of the same sources, lists of texts in memory, `Candidates`, or lattices and
    forests (`read_graphs`, or a list of them). `refs` are the references of each source, or a file.

    Candidates are chosen by their segment scores. With `corpus`, choices are changed one at a time as long as the
    corpus score improves: a local optimum. `worst` chooses the worst; `first` limits the candidates of each list.
    From lattices and forests the best of all their texts is chosen, exactly for wer, wrr and grr. For other metrics
    candidates are collected in `rounds` (10), `candidates` (50) at a time, and the metric chooses among them: a lower
    bound. `each` is called with every choice as soon as it is made.

    >>> choices = oracle([["a dog", "the cat"], ["dogs", "dogs bark"]], ["the cat sat", "dogs bark"], "chrf")
    >>> choices, choices.texts
    (OracleChoices of 2 sources: oracle chrF2 76.84, first chrF2 21.24, ['the cat', 'dogs bark'])
    """
    options = OracleOptions(corpus, worst, first, candidates, rounds)
    asked, references, graphs = judge_of(metric), references_of(refs), graphs_of(nbest)
    search = _Search(options, asked, references, threads, progress or no_progress, each or ignored)
    if graphs is not None:
        reject(vars(options), ("worst", "first"), "for n-best lists, not for lattices")
        return search.of_graphs(graphs)
    reject(vars(options), ("candidates", "rounds"), "for lattices, not for n-best lists")
    if not isinstance(nbest, Candidates):
        step = search.progress("reading")
        nbest = CandidateReader().read(nbest, references, features=False, first=options.first, progress=step)
    return search.of_lists(nbest)


@dataclass(eq=False)
class _Search:
    """Finds the best candidates."""

    options: OracleOptions
    asked: Metric
    references: References
    threads: int | None
    progress: Stage
    each: Callable[[Chosen], None]
    chosen: list[Chosen] = field(default_factory=list)
    firsts: list[str] = field(default_factory=list)  #: the first candidates, or the best by the scores of the graphs

    def __post_init__(self) -> None:
        self.single = self.asked.for_segments
        # With several references, the best text of a segment need not be the best for the corpus.
        self.exact = is_exact(self.single) and not (self.options.corpus and self.references.counts()[1] > 1)

    def of_lists(self, lists: Candidates) -> OracleChoices:
        options, single = self.options, self.single
        for metric in dict.fromkeys([single, self.asked]):
            lists.rows(metric, threads=self.threads, progress=self.progress(f"counting for {metric.spec}"))
        if options.corpus:
            numbers = corpus_oracle(lists, self.asked, alone=single, worst=options.worst)
        else:
            numbers = segment_oracle(lists, single, worst=options.worst)
        sign = 1 if single.higher_is_better else -1
        self.firsts = [lists.text(i) for i in lists.starts[:-1]]
        for number, value in zip(numbers, (sign * lists.gains(single)[numbers]).tolist(), strict=True):
            self._take(lists.text(number), value)
        how = ("corpus" if options.corpus else "segment") + ("-worst" if options.worst else "")
        items = {"oracle": how, "by": single.spec, **({} if options.first is None else {"n": options.first})}
        return self._choices(items, "first", exact=not options.corpus, found=None)

    def _choices(self, items: dict[str, Any], beside: str, exact: bool, found: Approximation | None) -> OracleChoices:
        """The choices with their corpus score, and that of the first candidates or best paths (`beside`)."""
        texts: dict[str, Any] = {"oracle": ([one.text for one in self.chosen], items)}
        if len(self.firsts) == len(self.chosen):
            texts[beside] = (self.firsts, {"chosen": beside.replace(" ", "-")})
        scores = scored_by([self.asked], self.references, texts, self.threads)
        digits = self.single.display_digits + 1
        return OracleChoices(tuple(self.chosen), scores, (), digits, exact, found, tuple(self.firsts))

    def _take(self, text: str, score: float) -> None:
        self.chosen.append(Chosen(len(self.chosen), text, score * self.single.display_scale + 0.0))
        self.each(self.chosen[-1])

    def of_graphs(self, graphs: Iterable[Graph]) -> OracleChoices:
        by = self.single.spec
        if self.exact:
            reject(vars(self.options), ("candidates", "rounds"), f"for metrics without an exact oracle; {by} has one")
            search, step = ExactOracle(self.single), self.progress("searching")
            for graph, references in paired(graphs, self.references):  # never holding more than one
                best = search(graph, references)
                self._take_path(graph, best.path, best.score)
                step(len(self.chosen), len(self.references))
            return self._choices({"oracle": "exact", "by": by}, "best path", exact=True, found=None)
        corpus, size, rounds = self.options.corpus, self.options.candidates or CANDIDATES, self.options.rounds or ROUNDS
        made_for = "corpus" if corpus else "segment"
        items = {"oracle": "approximate", "by": by, "for": made_for, "candidates": size, "rounds": rounds}
        held = [graph for graph, _ in paired(graphs, self.references)]
        how: dict[str, Any] = {"alone": self.single, "corpus": corpus, "size": size, "rounds": rounds}
        found = ApproximateOracle(self.asked, progress=self.progress, **how).choose(held, self.references)
        texts = [path.text for path in found.paths]
        scores = self.single.segments(texts, self.references, threads=self.threads).tolist()
        for graph, path, score in zip(held, found.paths, scores, strict=True):
            self._take_path(graph, path, score)
        return self._choices(items, "best path", exact=False, found=found)

    def _take_path(self, graph: Graph, path: Path, score: float) -> None:
        if graph.has_scores:
            self.firsts.append(graph.best().text)
        self._take(path.text, score)


def graphs_of(given: Any) -> Iterator[Graph] | Sequence[Graph] | None:
    """Lattices and forests if given, as a list or from `read_graphs`; else None."""
    if isinstance(given, Graph):
        return [given]
    if isinstance(given, list | tuple):
        return given if given and isinstance(given[0], Graph) else None
    if not hasattr(given, "__next__"):
        return None
    first = next(given, None)
    if first is None:
        raise InputError("there is no lattice to read; expected at least one")
    if not isinstance(first, Graph):
        raise InputError(f"expected lattices or forests, as read_graphs gives them; got {type(first).__name__}")
    return chain([first], given)


def paired(graphs: Iterable[Graph], references: References) -> Iterator[tuple[Graph, SegmentReferences]]:
    """The graphs with the references of each; both must be equally many."""
    number = 0
    known = name_of(references.path) if references.path else "the list of references"
    for number, graph in enumerate(graphs, 1):
        if number > len(references):
            raise InputError(f"{graph.place}: is number {number}, but {known} ends at line {len(references)}")
        yield graph, references.entries[number - 1]
    if number < len(references):
        raise InputError(f"{known}: has {len(references):,} lines, but {number:,} lattices were read")
