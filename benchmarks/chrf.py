"""How fast chrF is beside sacreBLEU and fastchrf."""

from __future__ import annotations

from collections.abc import Iterator

import table
import texts
from bleu import small_corpus
from measure import alternate
from table import Options, Row
from texts import Corpus

import tricolore


def measure(options: Options) -> Iterator[Row]:
    """All questions about the speed of chrF."""
    corpus = small_corpus(options)
    one = corpus.with_references(1)
    yield beside_sacrebleu("chrF", one, options, 0)
    yield beside_sacrebleu("chrF++", one, options, 2)
    yield beside_sacrebleu("chrF", corpus, options, 0)
    yield beside_fastchrf(one, options)
    yield long_segment(options)


def beside_sacrebleu(name: str, corpus: Corpus, options: Options, word_order: int) -> Row:
    """Corpus chrF beside sacreBLEU's."""
    from sacrebleu.metrics import CHRF

    streams = corpus.streams
    repeats = options.repeats(5)
    ours, peer, agree = alternate(
        lambda: 100 * float(tricolore.ChrF(word_order=word_order)(corpus.hyps, corpus.refs, threads=1)),
        lambda: CHRF(word_order=word_order).corpus_score(corpus.hyps, streams).score,
        repeats,
    )
    references = f"{len(streams)} ref" + ("s" if len(streams) > 1 else "")
    question = f"corpus {name}, {len(corpus):,} segments, {references} / sacreBLEU"
    return Row(question, ours, peer, bar=35, goal=50, agree=agree, repeats=repeats)


def beside_fastchrf(corpus: Corpus, options: Options) -> Row:
    """ChrF of each segment beside fastchrf, which smoothes too-short orders in a way of its own."""
    from fastchrf import pairwise_chrf

    hyps = [[hyp] for hyp in corpus.hyps]
    repeats = options.repeats(5)
    ours, peer, _ = alternate(
        lambda: 100 * tricolore.ChrF().segments(corpus.hyps, corpus.refs, threads=1),
        lambda: [score for ((score,),) in pairwise_chrf(hyps, corpus.refs)],
        repeats,
    )
    return Row("chrF of each segment / fastchrf", ours, peer, bar=12, goal=18, repeats=repeats)


def long_segment(options: Options) -> Row:
    """One very long segment."""
    from sacrebleu.metrics import CHRF

    corpus = texts.long_segment()
    repeats = options.repeats(5)
    ours, peer, agree = alternate(
        lambda: 100 * float(tricolore.ChrF().segment(corpus.hyps[0], corpus.refs[0])),
        lambda: CHRF().sentence_score(corpus.hyps[0], corpus.refs[0]).score,
        repeats,
    )
    question = f"chrF of one segment of {texts.LONG:,} words / sacreBLEU"
    return Row(question, ours, peer, bar=0.010, limit=True, agree=agree, repeats=repeats)


if __name__ == "__main__":
    table.main(measure, __doc__)
