"""`mbr`: minimum Bayes risk for one source, or over n-best lists, samples, lattices and forests."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from itertools import tee
from typing import TYPE_CHECKING, Any, ClassVar, overload

import numpy as np

from .._version import __version__
from ..errors import InputError, InputTypeError, SpecError, nearest
from ..graphs import mbr as linear
from ..graphs.formats import read_graphs
from ..metrics.bleu import BLEU
from ..parameters import Choice as Words
from ..parameters import Flag, Options, OrNone, Real, checked, param
from ..readers.samples import read_samples
from ..readers.texts import references_of
from ..results import defined
from ..scoring import with_items
from ..weights import as_weights
from .choices import LIMIT, Choices, Chosen, Scored, ignored, judge_of, metrics_of, no_progress, reject, scored_by
from .mbr import MBR, METHOD_OF, METHODS, Checked, Choice, Source, softmax
from .mbr_pace import watched
from .oracle import graphs_of, paired
from .scored_lists import ScoredLists

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ..features import Floats
    from ..graphs.graph import Graph
    from ..metrics.base import Metric
    from ..segments import References
    from ..types import Stage, Text
    from .tune import GivenWeights

    Asked = str | Metric | Sequence[str | Metric] | None

SCALE, METHOD = Real(0), Words(METHODS)
#: Parameters of the linear gain of lattices and forests.
LINEAR = ("precision", "ratio", "order")
PARAMETERS = (*METHOD_OF, *LINEAR)


@dataclass(frozen=True)
class MBROptions(Options):
    """Options of all methods: which candidates are taken, and how probable they are."""

    first: int | None = param(None, LIMIT, "lines per source in one file of samples; first N of n-best lists")
    uniform: bool = param(False, Flag(), "all lines of an n-best list are equally probable")
    scale: float | None = param(None, OrNone(SCALE), "factor that makes totals log probabilities (default: 1)")
    check: int | None = param(None, LIMIT, "also choose exactly for the first N sources, and report the difference")
    estimate: bool = param(False, Flag(), "take precision and ratio from the best paths, by the references")
    least: float = param(0.0, Real(0, high=1), "ignore less probable n-grams, as an approximation for large forests")


@dataclass(frozen=True, eq=False)
class Decision(Chosen):
    """The choice for a source, and all of its candidates."""

    index: int
    candidates: Sequence[tuple[str, float, float]]  #: text, expected score in points (nan: not computed), probability

    def to_dict(self) -> dict[str, Any]:
        """The choice and all candidates; None where the score of one was not computed."""
        candidates = [{"text": text, "score": defined(score), "probability": p} for text, score, p in self.candidates]
        chosen = {"source": self.source, "index": self.index, "text": self.text, "score": self.score}
        return {**chosen, "candidates": candidates}

    @staticmethod
    def of(number: int, source: Source, choice: Choice, metric: Metric) -> Decision:
        """With scores as they are printed: in points, negated back where lower is better, without minus zeros."""
        scale = metric.display_scale * (1 if metric.higher_is_better else -1)
        texts, shares = source.texts, source.probabilities  # type: Any, Any
        shares = [1.0 / len(texts)] * len(texts) if shares is None else [*map(float, shares)]
        candidates = [*zip(texts, (choice.gains * scale + 0.0).tolist(), shares, strict=True)]
        return Decision(number, texts[choice.index], choice.gain * scale + 0.0, choice.index, candidates)


@dataclass(frozen=True, eq=False, repr=False)
class MBRChoices(Choices):
    """The text per source with the highest expected score."""

    signature: str = ""  #: how texts were chosen
    expected: float = math.nan  #: the mean of the expected scores
    tried: tuple[Scored, ...] = ()  #: the corpus score with each scale that was tried
    best: int = 0  #: the index of the best of these
    way: MBR | None = None  #: None for lattices, which have a linear gain
    checked: Checked | None = None  #: the difference from the exact choice
    first_texts: tuple[str, ...] = ()  #: the first candidate of each source, where there are references

    def summary(self, width: int | None = None) -> list[str]:
        """The scales that were tried, the expected score, the check, and scores against references."""
        digits = self.digits if width is None else width
        lines = []
        for number, one in enumerate(self.tried):
            line = one.line(one.score.metric.display_digits + 1 if width is None else width)
            lines.append(f"{line}  (best)" if number == self.best else line)
        count = len(self.chosen)
        if self.way is not None:
            lines.append(f"mbr: {self.signature} = {self.expected:.{digits}f} (expected, mean of {count} sources)")
        elif not self.scores:
            several = f"{count:,} lattice{'s' * (count != 1)}"
            lines.append(f"{self.signature} = {self.expected:.{digits}f} (expected gain, mean of {several})")
        if self.checked is not None and self.way is not None:
            lines.append(self.checked.line(self.way.method, self.way.metric, digits))
        return [*lines, *super().summary(width)]


@overload
def mbr(texts: Sequence[Text], metric: str | Metric = ..., **how: Any) -> Choice: ...
@overload
def mbr(texts: None = ..., metric: Asked = ..., **how: Any) -> MBRChoices: ...
def mbr(
    texts: Sequence[Text] | None = None,
    metric: Asked = None,
    *,
    references: Sequence[Text] | None = None,
    probabilities: Sequence[float] | Floats | None = None,
    nbest: Any = None,
    samples: Any = None,
    lattices: Any = None,
    refs: Any = None,
    method: str = "exact",
    weights: GivenWeights | None = None,
    scale: float | None = None,
    scales: Sequence[float] = (),
    uniform: bool = False,
    first: int | None = None,
    check: int | None = None,
    estimate: bool = False,
    least: float = 0.0,
    as_text: bool = False,
    threads: int | None = None,
    progress: Stage | None = None,
    each: Callable[[Any], None] | None = None,
    suggest: Callable[[str], None] | None = None,
    **parameters: Any,
) -> Choice | MBRChoices:
    """Choose the candidate with the highest expected score: e* = argmax over e' of Σ_e P(e) G(e', e).

    G(e', e) is the segment score of e' with e as its reference, by any `metric` (chrf); `bleu` is
    `bleu(short=effective)`. For one source, `texts` are compared with each other or with `references`, whose
    `probabilities` are equal unless given. Files give one choice per source:

    - `nbest`: n-best lists, as for `rerank`; P is proportional to e^(scale · total), where features times `weights`
      may replace the total, or `uniform`
    - `samples`: a list of texts for each source, a file with `first` lines per source, or several files
    - `lattices`: lattices or forests (`read_graphs`), by a gain linear in n-grams (Tromble et al. 2008; `precision`,
      `ratio`, `order`, or `estimate` them from the references); `metric` (bleu) then only scores the result

    `method` is exact, aggregate, coarse or prune; see `tricolore.tuning.mbr` for these and their parameters. `check` is
    the number of sources on which they are compared with the exact choice. With `refs`, the result has corpus scores,
    and the best of several `scales` is taken. `each` is called with every choice as soon as it is made,
    `suggest` with a line of advice where scoring all pairs takes minutes.

    >>> choice = mbr(["a cat sat", "the cat sat", "the cat sat down", "dogs"], "chrf")
    >>> choice.index, choice.text, round(choice.gain, 4)
    (2, 'the cat sat down', 0.6619)
    >>> mbr(samples=[["a cat", "the cat", "the cats"], ["dogs", "dogs", "cats"]]).texts
    ['the cats', 'dogs']
    """
    _check_names({"texts": texts, "nbest": nbest, "samples": samples, "lattices": lattices}, parameters)
    options, method = MBROptions(first, uniform, scale, check, estimate, least), checked("method", method, METHOD)
    by: Any = ("chrf" if lattices is None else "bleu") if metric is None else metric
    if texts is not None:
        files_only = {**vars(options), "refs": refs is not None, "weights": weights is not None, "scales": scales}
        reject(files_only, files_only, "for n-best lists, samples or lattices, not for the texts of one source")
        source, way = (
            Source(_of_one_source(texts), references, probabilities),
            MBR(judge_of(by).for_segments, method, **parameters),
        )
        return next(way.choose(watched([source], way, suggest or ignored, threads), threads=threads))
    if scales and (scale is not None or refs is None):
        raise SpecError(f"scales: {'requires references' if refs is None else 'excludes scale'}")
    tried = [checked("scales", one, SCALE) for one in scales]
    against = None if refs is None else references_of(refs)
    metrics = [judge_of(one) for one in (metrics_of(by) if lattices is not None else [by])]
    if lattices is not None:
        lists_only = {"method": method != "exact", "first": first, "uniform": uniform, "check": check, **parameters}
        reject(lists_only, set(lists_only) - set(LINEAR), "for n-best lists and samples, not for lattices")
        needing = {"metrics": metric is not None, "estimate": estimate}
        reject(needing, needing if refs is None else (), "requires references")
        evidence: _Lists | _Graphs = _Graphs.of(lattices, against, options, parameters)
    else:
        reject({**parameters, "estimate": estimate, "least": least}, (*LINEAR, "estimate", "least"), "for lattices")
        for name, of in METHOD_OF.items():
            reject(parameters, [name] if method != of else [], f"for method {of}; it is {method}")
        probable = {"weights": weights is not None, "scale": options.scale is not None, "scales": tried}
        if samples is not None:
            reject({"uniform": uniform, **probable}, ("uniform", *probable), "for n-best lists, not samples")
        reject(probable, probable if uniform else (), "of no use where all candidates are equally probable (uniform)")
        way = MBR(metrics[0].for_segments, method, **parameters)
        evidence = _Lists(nbest, samples, weights, options, as_text, against, way, threads, suggest or ignored)
    return _choose(evidence, metrics, against, tried, options.scale, threads, progress or no_progress, each or ignored)


def _of_one_source(texts: Sequence[Text]) -> Sequence[Text]:
    """The texts of one source; lists of those of several sources are an error."""
    first: Any = texts[0] if isinstance(texts, list) and texts else None
    if isinstance(first, list) and first and isinstance(first[0], str):
        raise InputTypeError(
            "texts: expected a string per candidate of one source, got a list; write samples=[...] for several sources"
        )
    return texts


def _check_names(ways: Mapping[str, Any], parameters: Iterable[str]) -> None:
    """Reject several kinds of candidates, or none, and parameters that there are not."""
    named = [name for name, value in ways.items() if value is not None]
    if len(named) != 1:
        raise SpecError(f"mbr: expected one of {', '.join(ways)}; got {', '.join(named) or 'none'}")
    if unknown := [name for name in parameters if name not in PARAMETERS]:
        raise SpecError(f"mbr: no parameter {unknown[0]!r}{nearest(unknown[0], PARAMETERS)} ({', '.join(PARAMETERS)})")


@dataclass(eq=False)
class _Lists:
    """The candidates of n-best lists or samples and their probabilities; read once per scale."""

    nbest: Any
    samples: Any
    weights: Any
    options: MBROptions
    as_text: bool
    references: References | None
    way: MBR
    threads: int | None
    suggest: Callable[[str], None]
    scored: ScoredLists | None = None
    beside: Checked | None = None  #: the comparison with the exact method

    what: ClassVar[tuple[str, str]] = ("chosen", "first")

    def __post_init__(self) -> None:
        if self.options.check and self.way.method == "exact":
            raise SpecError("check: compares a cheaper method with the exact one; the method is exact")
        self.weights = None if self.weights is None else as_weights(self.weights)

    def items(self, scale: float) -> dict[str, Any]:
        """How texts are chosen, for signatures."""
        items: dict[str, Any] = {**self.way.items, "evidence": "candidates", "p": "uniform"}
        if self.samples is None and not self.options.uniform:
            items |= {"p": "totals" if self.weights is None else "weights", "scale": scale}
        return {**items, "n": self.options.first} if self.nbest is not None and self.options.first else items

    def signature(self, scale: float) -> str:
        return with_items(self.way.metric.signature((1, 1)), self.items(scale))

    def told(self) -> dict[str, Any]:
        """Further attributes of the result."""
        note = None if self.scored is None else self.scored.warning
        digits = self.way.metric.display_digits + 1
        return {"way": self.way, "checked": self.beside, "notes": () if note is None else (note,), "digits": digits}

    def choose(self, scale: float) -> Iterator[tuple[Decision, str]]:
        """The choice for each source, and its first candidate; a few sources are held at a time."""
        checks = self.options.check or 0
        self.beside = Checked() if checks else None
        read, kept = tee(watched(self._read(scale), self.way, self._suggest_once, self.threads))
        for number, (choice, source) in enumerate(zip(self.way.choose(read, threads=self.threads), kept, strict=True)):
            if self.beside is not None and number < checks:
                [exact] = MBR(self.way.metric).choose([source], threads=self.threads)
                self.beside.add(choice, exact)
            yield Decision.of(number, source, choice, self.way.metric), str(source.texts[0])

    def _suggest_once(self, advice: str) -> None:
        self.suggest(advice)
        self.suggest = ignored

    def _read(self, scale: float) -> Iterator[Source]:
        sources = None if self.references is None else len(self.references)
        known = (self.references and self.references.path) or "the list of references"
        if self.samples is not None:
            samples = self._samples(sources, known)
            yield from (one if isinstance(one, Source) else Source(one) for one in samples)
            return
        instead = "weights for its features, or uniform=True if all are equally probable"
        lists = self.scored = ScoredLists(self.nbest, self.weights, sources, known, self.options.first, instead)
        if self.options.uniform:
            yield from (Source([text for nbest in one for text in nbest.texts]) for one in lists.side_by_side())
            return
        for found in lists:
            kept = found.distinct(np.arange(len(found.texts)))
            try:
                probabilities = softmax(found.scores[kept], scale)
            except InputError as error:
                raise InputError(f"source {found.source}: {error}") from None
            yield Source([found.texts[i] for i in kept], probabilities=probabilities)

    def _samples(self, sources: int | None, known: str) -> Iterable[Any]:
        given: Any = [self.samples] if isinstance(self.samples, str | os.PathLike) else self.samples
        if not (isinstance(given, list | tuple) and all(isinstance(one, str | os.PathLike) for one in given)):
            yield from given
            return
        if len(given) == 1 and self.options.first is None:
            raise SpecError("first: required with one file of samples: its lines per source")
        if len(given) > 1 and self.options.first is not None:
            raise SpecError(f"first: for one file of samples; {len(given)} files have one line per source each")
        paths = [os.fspath(one) for one in given]
        yield from read_samples(paths, self.options.first, sources, known, as_text=self.as_text)


@dataclass(eq=False)
class _Graphs:
    """Lattices and forests with a linear gain; held in memory only if there are references."""

    graphs: Iterable[Graph]
    gain: linear.LinearGain
    least: float
    referenced: bool

    what: ClassVar[tuple[str, str]] = ("mbr", "best path")

    @staticmethod
    def of(lattices: Any, references: References | None, options: MBROptions, parameters: Mapping[str, Any]) -> _Graphs:
        graphs = graphs_of(read_graphs(lattices) if isinstance(lattices, str | os.PathLike) else lattices)
        if graphs is None:
            raise InputError("lattices: expected lattices or forests, at least one; read_graphs reads them")
        gain = linear.LinearGain(**parameters)
        if references is not None:
            graphs = [graph for graph, _ in paired(graphs, references)]
            if options.estimate:
                reject(parameters, LINEAR[:2], "taken from the references (estimate); leave it out")
                texts, order = [graph.best().text for graph in graphs], gain.order
                rows = np.asarray(BLEU(order=order, tokenize="none", smooth=0).stats(texts, references))
                row = rows.sum(axis=0).tolist()
                gain = linear.LinearGain.estimated(row[:order], row[order : 2 * order], order)
        return _Graphs(graphs, gain, options.least, references is not None)

    def items(self, scale: float) -> dict[str, Any]:
        """How texts are chosen, for signatures."""
        gain = self.gain
        found = {"mbr": "linear", "p": gain.precision, "r": gain.ratio, "n": gain.order, "scale": scale}
        return {**found, "least": self.least} if self.least else found

    def signature(self, scale: float) -> str:
        items = {**self.items(scale), "version": f"tricolore-{__version__}"}
        return "|".join(f"{name}:{value}" for name, value in items.items())

    def told(self) -> dict[str, Any]:
        """Further attributes of the result."""
        return {}

    def choose(self, scale: float) -> Iterator[tuple[Chosen, str]]:
        """The choice for each graph, and its best path."""
        for number, graph in enumerate(self.graphs):
            choice = linear.choose(graph, self.gain, scale=scale, least=self.least)
            yield Chosen(number, choice.text, choice.gain), graph.best().text if self.referenced else ""


def _choose(
    evidence: _Lists | _Graphs,
    metrics: Sequence[Metric],
    references: References | None,
    scales: Sequence[float],
    scale: float | None,
    threads: int | None,
    progress: Stage,
    each: Callable[[Any], None],
) -> MBRChoices:
    """Choose for each source, with the scale of the best corpus score; ties go to the first."""
    tried: tuple[Scored, ...] = ()
    step, number = progress("trying scales"), 0 if references is None else len(references)
    for one_scale in scales:
        texts = [one.text for one, _ in evidence.choose(one_scale)]
        score = metrics[0](texts, references or (), threads=threads)
        tried += (Scored(f"scale {one_scale:g}", score, evidence.items(one_scale)),)
        step(len(tried), len(scales))
    sign = 1.0 if metrics[0].higher_is_better else -1.0
    best = max(range(len(tried)), key=lambda i: sign * tried[i].score.value, default=0)
    scale = scales[best] if tried else 1.0 if scale is None else scale
    items, step = evidence.items(scale), progress("choosing")
    chosen: list[Chosen] = []
    firsts: list[str] = []
    for one, first in evidence.choose(scale):
        each(one)
        chosen.append(Chosen(one.source, one.text, one.score))
        if number:
            firsts.append(first)
            step(len(chosen), number)
    what, beside = evidence.what
    by = {} if isinstance(evidence, _Graphs) else {"by": evidence.way.metric.spec}
    found: dict[str, Any] = {what: ([one.text for one in chosen], {**items, **by})}
    found[beside] = (firsts, {"chosen": beside.replace(" ", "-")})
    scores = scored_by(metrics, references, found, threads)
    expected = math.fsum(one.score for one in chosen) / len(chosen)
    how: dict[str, Any] = {"expected": expected, "tried": tried, "best": best, "first_texts": tuple(firsts)}
    return MBRChoices(tuple(chosen), scores, signature=evidence.signature(scale), **how, **evidence.told())
