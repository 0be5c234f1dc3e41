"""How fast the drop-ins are: beside our own calls, and beside the peers that they replace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import starmap
from typing import Any

import table
from bleu import forget, small_corpus
from measure import alternate
from table import Options, Row

import tricolore
from tricolore.compat import sacrebleu as drop_in

#: The metrics of sacreBLEU by name: arguments, and our own metric.
SACREBLEU: dict[str, tuple[dict[str, Any], Callable[[], Any]]] = {
    "BLEU": ({"effective_order": True}, lambda: tricolore.BLEU(short="effective")),
    "CHRF": ({}, tricolore.ChrF),
    "TER": ({}, tricolore.TER),
}
#: The least share of our own speed that a drop-in has, and how much faster than the peer it is for one pair.
SHARE, PAIRS = 0.8, 15


def measure(options: Options) -> Iterator[Row]:
    """Corpora beside our own calls, then one call per pair beside sacreBLEU."""
    corpus = small_corpus(options)
    for name in SACREBLEU:
        for number in (1, 4) if name != "TER" else (1,):
            yield of_corpus(name, corpus.with_references(number), options)
    few = corpus.with_references(1)
    for name in SACREBLEU:
        yield of_pairs(name, few.hyps[:300], few.refs[:300], options)


def of_corpus(name: str, corpus: Any, options: Options) -> Row:
    """A corpus: the ratio is the speed of the drop-in as a share of our own."""
    arguments, make = SACREBLEU[name]
    streams, refs = corpus.streams, corpus.refs
    repeats = options.repeats(7)
    ours, native, agree = alternate(
        lambda: getattr(drop_in, name)(**arguments).corpus_score(corpus.hyps, streams).score,
        lambda: 100 * float(make()(corpus.hyps, refs)),
        repeats,
    )
    question = f"drop-in: corpus {name}, {len(corpus):,} segments, {len(streams)} ref / own call"
    return Row(question, ours, native, goal=SHARE, agree=agree, repeats=repeats)


def of_pairs(name: str, hyps: Any, refs: Any, options: Options) -> Row:
    """One call for each pair, beside sacreBLEU."""
    import sacrebleu

    pairs = [*zip(hyps, refs, strict=True)]
    arguments, _ = SACREBLEU[name]

    def scores(module: Any) -> list[float]:
        metric = getattr(module, name)(**arguments)
        return [score.score for score in starmap(metric.sentence_score, pairs)]

    repeats = options.repeats(7)
    ours, peer, agree = alternate(lambda: scores(drop_in), lambda: scores(sacrebleu), repeats, forget)
    question = f"drop-in: {name} of one pair / sacreBLEU"
    return Row(question, ours / len(pairs), peer / len(pairs), goal=PAIRS, agree=agree, repeats=repeats)


if __name__ == "__main__":
    table.main(measure, __doc__)
