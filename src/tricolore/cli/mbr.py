"""Choose the candidates that agree best with the others (minimum Bayes risk).

    tricolore mbr --samples samples.txt -n 64 -m chrf > best.txt
    tricolore mbr --samples run1.txt run2.txt run3.txt -m bleu -o best.txt
    tricolore mbr --nbest nbest.txt --scale 0.2 -m chrf --refs ref.txt > best.txt
    tricolore mbr --nbest dev.txt --scales 0.03 0.1 0.3 1 -m bleu --refs dev.ref > best.txt
    tricolore mbr --nbest nbest.txt --weights weights.txt -m ter --scores
    tricolore mbr --lattice lattices.plf --scale 0.5 > best.txt
    tricolore mbr --lattice dev.plf --refs dev.ref --estimate --scales 0.1 0.2 0.5 1 -o best.txt

One line for each source comes out: the candidate with the highest expected score, where each candidate is the reference
as probably as it is right; the first of equals. Samples are plain text: one file with N lines for each source (-n N),
or several files with one line each; all are equally probable. n-best lists are those of Moses, Marian and cdec
('source ||| text ||| name= value ... ||| total', sources numbered from 0) or JSON lines. The probability of a line is
in proportion to exp(scale x total), or with --weights to that of features times weights, and the same text with the
same features counts once; with --uniform every line counts the same. --scales finds a good scale on a development set.
Metrics score single segments, BLEU as in 'tricolore score --segments'.

All pairs are scored unless --method says otherwise: 'aggregate' compares with an average of all candidates (metrics of
n-grams only), 'coarse' then scores the best few exactly, 'prune' drops candidates that hardly ever win (worth it for
slow metrics). --check says how often these choose the same. With references, how good the choice is beside the first
candidates is said on standard error.

From lattices and forests the text is chosen, among all there are, that has the highest expected gain over all paths, by
a gain that is linear in n-grams (Tromble et al. 2008). It follows from the precision of words that is expected and the
ratio of the precisions of one order and the one before. Probabilities are in proportion to exp(scale x score of the
path). -m then only says what to measure. Exit status: 0 done, 1 something is wrong with the data, 2 with the command.
"""

from __future__ import annotations

import math
from collections import deque

from ..errors import InputError, SpecError
from . import graph_mbr
from .graph_options import add_graph_arguments, add_lattice_argument, refuse_graph_options
from .metric_options import add_metric_arguments, make_metrics
from .nbest_options import (
    add_nbest_argument,
    add_output_arguments,
    check_choosing,
    is_watched,
    one_line,
    opened,
    refuse_descriptions,
    say_score,
)
from .printing import as_json, say
from .progress import ProgressBar
from .text_options import add_reference_arguments, advise, read_references

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import Any

    from ..metrics.base import Metric
    from ..segments import References
    from ..tuning.mbr import MBR, Checked, Choice, Source
    from ..tuning.scored_lists import ScoredLists

#: Options of the ways that are cheaper, and the way that each belongs to.
OPTIONS = {"keep": "coarse", "start": "prune", "confidence": "prune", "resamples": "prune", "seed": "prune"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    group = add_reference_arguments(parser, words=None)
    add_nbest_argument(group)
    add = group.add_argument
    add(
        "--samples",
        nargs="+",
        action="extend",
        default=[],
        metavar="FILE",
        help="plain text instead of n-best lists: one file with N lines for each source (-n N), or several files",
    )
    add_lattice_argument(group)
    add_metric_arguments(parser, default="one of them; default: chrf, to measure what lattices give: bleu")
    add = parser.add_argument_group("choice").add_argument
    add(
        "-n",
        "--first",
        type=int,
        metavar="N",
        help="lines of each source in one file of samples; of n-best lists, take the first N",
    )
    add("--uniform", action="store_true", help="all lines of an n-best list are equally probable")
    add("--scale", type=float, metavar="S", help="what totals are multiplied by to be log probabilities (default: 1)")
    add("--scales", nargs="+", type=float, metavar="S", help="try these scales and take the best by the references")
    add("--weights", metavar="FILE", help="weights of the features, whose sum counts instead of the totals")
    add("--method", metavar="NAME", default="exact", help="exact (default), aggregate, coarse or prune")
    add("--keep", type=int, metavar="K", help="candidates that 'coarse' scores exactly (default: 20)")
    add("--start", type=int, metavar="K", help="candidates that 'prune' compares with first; then twice as many (16)")
    add("--confidence", type=float, metavar="C", help="'prune' drops what loses in this share of resamples (0.99)")
    add("--resamples", type=int, metavar="N", help="resamples of 'prune' (500)")
    add("--seed", type=int, metavar="N", help="seed of 'prune' (12345)")
    add(
        "--check", type=int, metavar="N", help="choose exactly, too, for the first N sources, and say what that changes"
    )
    graph_mbr.add_lattice_arguments(parser)
    add_graph_arguments(parser, weights=False)
    add = parser.add_argument_group("results").add_argument
    add(
        "--scores", action="store_true", help="the expected score of the choice, as printed, and a tab before each line"
    )
    add(
        "--json", action="store_true", help="a line of JSON for each source: the choice, and all candidates with scores"
    )
    add_output_arguments(add)


def run(options: argparse.Namespace) -> None:
    """Read, decide and write."""
    if options.lattice:
        refuse_with_lattices(options)
        graph_mbr.run(options)
    else:
        refuse_graph_options(options, *graph_mbr.OPTIONS)
        run_lists(options)


def refuse_with_lattices(options: argparse.Namespace) -> None:
    """Refuse what is for n-best lists and samples where there are lattices."""
    if options.nbest or options.samples:
        raise SpecError(f"--{'nbest' if options.nbest else 'samples'} and --lattice exclude each other")
    if options.method != "exact":
        raise SpecError("--method is for n-best lists and samples, not for --lattice")
    for option in ("first", "uniform", "check", "json", *OPTIONS):
        if getattr(options, option):
            raise SpecError(f"--{option} is for n-best lists and samples, not for --lattice")


def run_lists(options: argparse.Namespace) -> None:
    """Lists and samples, some sources at a time."""
    from ..tuning.mbr import MBR, Checked

    options.metrics = options.metrics or ["chrf"]
    metrics = make_metrics(options)
    check_usage(options, metrics)
    given = {name: value for name in OPTIONS if (value := getattr(options, name)) is not None}
    way = MBR(metrics[0].for_segments, method=options.method, **given)
    references, name = read_references(options) if options.more_refs else (None, "")
    checked = Checked() if options.check else None
    with ProgressBar(quiet=options.quiet or is_watched(options)) as bar, opened(options.output) as file:
        if options.scales and references is not None:
            options.scale = find_scale(options, metrics[0], way, references, name, bar)
        decisions = Decisions(options, way, None if references is None else len(references), name)
        bar.stage("deciding", None if references is None else len(references))
        for number, (source, choice) in enumerate(decisions):
            print(line_of(options, way, number, source, choice), file=file)
            if checked is not None and number < options.check:
                [exact] = MBR(way.metric).choose([source], threads=options.threads)
                checked.add(choice, exact)
            if references is not None:
                bar.step(number + 1, len(references) + 1)
    if not options.quiet:
        say_results(options, metrics, way, decisions, references, checked)


def find_scale(
    options: argparse.Namespace, asked: Metric, way: MBR, references: References, name: str, bar: ProgressBar
) -> float:
    """The scale with which the choice scores best against references, the first of equals."""
    from ..graphs.mbr import Tried, best_of

    step = bar.begin("trying scales")
    tried: list[tuple[Tried, dict[str, Any]]] = []
    for scale in options.scales:
        options.scale = scale
        decisions = Decisions(options, way, len(references), name)
        for _ in decisions:
            step(len(tried) * len(references) + decisions.count, len(options.scales) * len(references))
        score = float(asked(decisions.chosen, references, threads=options.threads))
        tried.append((Tried(scale, score), items_of(options, way)))
    if not options.quiet:
        graph_mbr.say_scales(options, asked, references, tried, bar)
    return best_of([one for one, _ in tried], asked).scale


def check_usage(options: argparse.Namespace, metrics: list[Metric]) -> None:
    """Refuse what cannot be meant, before any work."""
    if len(metrics) > 1:
        raise SpecError(f"--metrics: one metric decides; got {len(metrics)}")
    refuse_descriptions(metrics, "choose by another metric")
    if options.first is not None and options.first < 1:
        raise SpecError(f"--first must be 1 or more; got {options.first}")
    check_choosing(options, options.weights)
    if options.nbest and options.samples:
        raise SpecError("--nbest and --samples exclude each other")
    if options.samples:
        check_samples(options)
    for option, is_given in (
        ("--weights", options.weights),
        ("--scale", options.scale is not None),
        ("--scales", options.scales),
    ):
        if options.uniform and is_given:
            raise SpecError(f"--uniform asks for no probabilities; leave out {option}")
    graph_mbr.check_scales(options)
    if options.scales and not options.more_refs:
        raise SpecError("--scales needs references; name some with --refs")
    if options.scales and "-" in options.nbest:
        raise SpecError("--scales goes through the lists several times; standard input can be read only once")
    for option, method in OPTIONS.items():
        if getattr(options, option) is not None and options.method != method:
            raise SpecError(f"--{option} is for --method {method}; it is {options.method}")
    if options.check is not None and (options.check < 1 or options.method == "exact"):
        raise SpecError(
            f"--check must be 1 or more; got {options.check}"
            if options.check < 1
            else "--check compares a cheaper --method with the exact one, which was asked for"
        )
    if options.scores and options.json:
        raise SpecError("--scores and --json exclude each other; JSON has the scores")


def check_samples(options: argparse.Namespace) -> None:
    """Refuse what is for n-best lists."""
    for option, given in (
        ("--uniform", options.uniform),
        ("--weights", options.weights),
        ("--scale", options.scale is not None),
        ("--scales", options.scales),
    ):
        if given:
            raise SpecError(f"{option} is for n-best lists; samples are equally probable")
    if len(options.samples) == 1 and options.first is None:
        raise SpecError("--samples: how many lines of the file belong to each source? Say so with -n")
    if len(options.samples) > 1 and options.first is not None:
        raise SpecError(
            f"-n is for one file of samples; {len(options.samples)} files have one line for each source each"
        )


class Decisions:
    """Goes through the sources, and gives each with its choice; keeps what is to be said in the end."""

    def __init__(self, options: argparse.Namespace, way: MBR, sources: int | None, known: str):
        self.options = options
        self.way = way
        self.sources = sources
        self.known = known
        self.firsts: list[str] = []
        self.chosen: list[str] = []
        self.gain = 0.0
        self.count = 0
        self.lists: ScoredLists | None = None

    def __iter__(self) -> Iterator[tuple[Source, Choice]]:
        waiting: deque[Source] = deque()

        def noted() -> Iterator[Source]:
            for source in self._sources():
                waiting.append(source)
                yield source

        for choice in self.way.choose(noted(), threads=self.options.threads):
            source: Any = waiting.popleft()
            self.gain += choice.gain
            self.count += 1
            if self.sources is not None:  # for the score against references
                self.firsts.append(source.texts[0])
                self.chosen.append(source.texts[choice.index])
            yield source, choice

    def _sources(self) -> Iterator[Source]:
        from ..tuning.mbr import Source

        if self.options.samples:
            from ..readers.samples import read_samples

            for texts in read_samples(
                self.options.samples, self.options.first, self.sources, self.known, as_text=self.options.as_text
            ):
                yield Source(texts)
            return
        from ..tuning.scored_lists import ScoredLists
        from ..weights import read_weights

        weights = read_weights(self.options.weights) if self.options.weights else None
        self.lists = ScoredLists(
            self.options.nbest,
            weights,
            sources=self.sources,
            known=self.known,
            first=self.options.first,
            instead="weights for its features, or --uniform if all are equally probable",
        )
        if self.options.uniform:
            for lists in self.lists.side_by_side():
                yield Source([text for nbest in lists for text in nbest.texts])
        else:
            yield from self._with_probabilities(self.lists)

    def _with_probabilities(self, lists: ScoredLists) -> Iterator[Source]:
        import numpy as np

        from ..tuning.mbr import Source, softmax

        scale = 1.0 if self.options.scale is None else self.options.scale
        for found in lists:
            kept = found.distinct(np.arange(len(found.texts)))
            try:
                probabilities = softmax(found.scores[kept], scale)
            except InputError as error:
                raise InputError(f"source {found.source}: {error}") from None
            yield Source([found.texts[i] for i in kept], probabilities=probabilities)


def shown_gain(way: MBR, gain: float) -> float:
    """An expected score as it is printed, of which minus zero is zero."""
    return gain * way.metric.display_scale * (1 if way.metric.higher_is_better else -1) + 0.0


def digits_of(options: argparse.Namespace, way: MBR) -> int:
    """Digits after the point of a score that is printed alone."""
    return way.metric.display_digits + 1 if options.width is None else int(options.width)


def line_of(options: argparse.Namespace, way: MBR, number: int, source: Source, choice: Choice) -> str:
    """What to write for a source."""
    texts: Any = source.texts
    text = one_line(texts[choice.index], number)
    if options.scores:
        return f"{shown_gain(way, choice.gain):.{digits_of(options, way)}f}\t{text}"
    return json_line(way, number, source, choice) if options.json else text


def json_line(way: MBR, number: int, source: Source, choice: Choice) -> str:
    """The choice, and all candidates with their expected scores and probabilities."""
    texts: Any = source.texts
    shares = [1.0 / len(texts)] * len(texts) if source.probabilities is None else [*map(float, source.probabilities)]
    candidates = [
        {"text": text, "score": None if math.isnan(gain) else shown_gain(way, gain), "probability": share}
        for text, gain, share in zip(texts, choice.gains.tolist(), shares, strict=True)
    ]
    chosen = {"source": number, "index": choice.index, "text": texts[choice.index]}
    return as_json({**chosen, "score": shown_gain(way, choice.gain), "candidates": candidates}, allow_nan=False)


def items_of(options: argparse.Namespace, way: MBR) -> dict[str, Any]:
    """What a signature must say of the choice."""
    items = {**way.items, "evidence": "candidates"}
    if options.samples or options.uniform:
        items["p"] = "uniform"
    else:
        items["p"] = "weights" if options.weights else "totals"
        items["scale"] = 1.0 if options.scale is None else options.scale
    if options.nbest and options.first is not None:
        items["n"] = options.first
    return items


def say_results(
    options: argparse.Namespace,
    metrics: list[Metric],
    way: MBR,
    decisions: Decisions,
    references: References | None,
    checked: Checked | None,
) -> None:
    """Say how the choice was made, what it costs, and how good it is."""
    from ..judge.significance.intervals import with_items

    items = items_of(options, way)
    digits = digits_of(options, way)
    count = decisions.count
    mean = shown_gain(way, decisions.gain / count)
    if decisions.lists is not None and decisions.lists.warning is not None:
        say(decisions.lists.warning)
    signature = with_items(way.metric.signature((1, 1)), items)
    say(f"mbr: {signature} = {mean:.{digits}f} (expected, mean of {count} sources)")
    if checked is not None:
        lost = checked.lost / checked.sources * way.metric.display_scale
        say(
            f"check: {way.method} beside exact on {checked.sources} sources: "
            f"{100 * checked.same / checked.sources:.1f} % the same choice, an expected score {lost:.{digits + 1}f} "
            f"lower on average, {100 * (1 - checked.pairs / checked.exact_pairs):.1f} % of pairs saved"
        )
    if references is None:
        return
    if not options.force:
        advise({(options.nbest or options.samples)[0]: decisions.firsts}, references, metrics)
    corpus = metrics[0]
    chosen = {**items, "by": way.metric.spec}
    say_score("chosen", corpus(decisions.chosen, references, threads=options.threads), chosen, options.width)
    say_score(
        "first", corpus(decisions.firsts, references, threads=options.threads), {"chosen": "first"}, options.width
    )
