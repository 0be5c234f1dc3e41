"""How fast minimum-Bayes-risk decoding is beside fastchrf, mbrs and a loop over sacreBLEU, by ordered pair of texts."""

from __future__ import annotations

import contextlib
import resource
import time
import warnings
from collections.abc import Callable, Iterator

import numpy as np
import table
import texts
from measure import OURS_PER_REPEAT, alternate, least, timed
from table import Options, Row

import tricolore
from tricolore.tuning.mbr import MBR, Source

SOURCES, CANDIDATES, MANY = 50, 64, 1024

Texts = list[list[str]]


def measure(options: Options) -> Iterator[Row]:
    """All questions about the speed of minimum Bayes risk."""
    lists = candidates(SOURCES, CANDIDATES)
    yield beside_fastchrf(lists, options)
    yield averaged_beside_fastchrf(lists, options)
    yield beside_sacrebleu(lists, options)
    yield beside_mbrs(lists, options)
    yield from cheaper_ways(options)
    yield from other_metrics(lists[:10], options)


def candidates(sources: int, number: int) -> Texts:
    """Lists of so many texts, each a hidden text with a quarter of its words changed."""
    corpus = texts.english_like(sources, number - 1)
    return [[hyp, *refs] for hyp, refs in zip(corpus.hyps, corpus.refs, strict=True)]


def choices(way: MBR, lists: Texts) -> list[int]:
    """What is chosen, in one thread."""
    return [choice.index for choice in way.choose(map(Source, lists), threads=1)]


def question(name: str, lists: Texts, peer: str = "") -> str:
    return f"MBR {name}, {len(lists)} x {len(lists[0])}, by pair" + (f" / {peer}" if peer else "")


def per_pair(seconds: float, lists: Texts) -> float:
    return seconds / sum(len(one) ** 2 for one in lists)


def beside_fastchrf(lists: Texts, options: Options) -> Row:
    """All pairs and the choice, beside all pairs and the choice in Rust and NumPy."""
    from fastchrf import pairwise_chrf

    def peer() -> list[int]:
        return [int(np.mean(scores, axis=1).argmax()) for scores in pairwise_chrf(lists, lists)]

    repeats = options.repeats(3)
    ours, theirs, agree = alternate(lambda: choices(MBR(tricolore.ChrF()), lists), peer, repeats)
    return Row(
        question("chrF", lists, "fastchrf"),
        per_pair(ours, lists),
        per_pair(theirs, lists),
        bar=60,
        goal=140,
        agree=agree,
        repeats=repeats,
    )


def averaged_beside_fastchrf(lists: Texts, options: Options) -> Row:
    """An average of all candidates in place of them."""
    from fastchrf import aggregate_chrf

    def peer() -> list[int]:
        return [int(np.argmax(scores)) for scores in aggregate_chrf(lists, lists)]

    repeats = options.repeats(3)
    way = MBR(tricolore.ChrF(), method="aggregate")
    ours, theirs, agree = alternate(lambda: choices(way, lists), peer, repeats)
    named = question("chrF, averaged", lists, "fastchrf")
    return Row(named, per_pair(ours, lists), per_pair(theirs, lists), agree=agree, repeats=repeats)


def beside_sacrebleu(lists: Texts, options: Options) -> Row:
    """BLEU of single segments, beside a loop over all pairs of a few of the lists."""
    from sacrebleu.metrics import BLEU

    few = lists[: 1 if options.quick else 3]
    peer = BLEU(effective_order=True)

    def loop() -> list[int]:
        scores = [[[peer.sentence_score(hyp, [ref]).score for ref in one] for hyp in one] for one in few]
        return [int(np.mean(values, axis=1).argmax()) for values in scores]

    way = MBR(tricolore.metric("bleu").for_segments)
    seconds, chosen = timed(loop)
    ours = least(lambda: choices(way, lists), OURS_PER_REPEAT * options.repeats(3))
    return Row(
        question("BLEU", lists, "sacreBLEU in a loop"),
        per_pair(ours, lists),
        per_pair(seconds, few),
        bar=300,
        goal=700,
        agree=chosen == choices(way, few),
    )


def beside_mbrs(lists: Texts, options: Options) -> Row:
    """The same beside mbrs, where it is installed; its processes are counted, too."""
    named = question("BLEU", lists, "mbrs")
    try:
        with warnings.catch_warnings(), contextlib.redirect_stderr(None):
            warnings.simplefilter("ignore")
            from mbrs.decoders import DecoderMBR
            from mbrs.metrics import MetricBLEU
    except ImportError:
        return Row(named, bar=300, goal=700, note="mbrs is not installed")
    few = lists[: 1 if options.quick else 3]
    decoder = DecoderMBR(DecoderMBR.Config(), MetricBLEU(MetricBLEU.Config(num_workers=1)))
    way = MBR(tricolore.metric("bleu").for_segments)
    seconds, chosen = timed(lambda: [decoder.decode(one, one, nbest=1).idx[0] for one in few], with_children)
    ours = least(lambda: choices(way, lists), OURS_PER_REPEAT * options.repeats(3))
    agree = chosen == choices(way, few)
    return Row(named, per_pair(ours, lists), per_pair(seconds, few), bar=300, goal=700, agree=agree)


def with_children() -> float:
    """CPU time of this process and of those it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def cheaper_ways(options: Options) -> Iterator[Row]:
    """Many candidates: what averages save."""
    lists = candidates(1 if options.quick else 4, MANY)
    exact = least(lambda: choices(MBR(tricolore.ChrF()), lists), options.repeats(3))
    yield Row(question("chrF", lists), per_pair(exact, lists))
    for method in ("aggregate", "coarse"):
        way = MBR(tricolore.ChrF(), method=method)
        ours = least(lambda way=way: choices(way, lists), options.repeats(3))
        named = question(f"chrF, {method}", lists, "exact")
        yield Row(named, per_pair(ours, lists), per_pair(exact, lists), note=same_choices(way, lists))


def same_choices(way: MBR, lists: Texts) -> str:
    """How often a cheaper way chooses the same."""
    both = zip(choices(way, lists), choices(MBR(way.metric), lists), strict=True)
    return f"the same choice {sum(a == b for a, b in both)} of {len(lists)} times"


def other_metrics(lists: Texts, options: Options) -> Iterator[Row]:
    """Metrics that compare two texts at a time, and one that is slow enough to prune for."""
    timings: dict[str, float] = {}
    for name in ("wer", "rouge-l", "meteor", "ter"):
        run: Callable[[], list[int]] = lambda name=name: choices(MBR(tricolore.metric(name)), lists)  # noqa: E731
        timings[name] = per_pair(least(run, options.repeats(2)), lists)
        yield Row(question(tricolore.metric(name).title, lists), timings[name])
    way = MBR(tricolore.TER(), method="prune")
    ours = per_pair(least(lambda: choices(way, lists), options.repeats(2)), lists)
    yield Row(question("TER, pruned", lists, "exact"), ours, timings["ter"], note=same_choices(way, lists))


if __name__ == "__main__":
    table.main(measure, __doc__)
