"""How fast TER is beside sacreBLEU."""

from __future__ import annotations

from collections.abc import Iterator

import table
import texts
from bleu import small_corpus
from measure import alternate, least
from table import Options, Row
from texts import Corpus

import tricolore

#: sacreBLEU takes tens of milliseconds a segment.
SEGMENTS = 300


def measure(options: Options) -> Iterator[Row]:
    """All questions about the speed of TER."""
    corpus = small_corpus(options)
    first = Corpus(corpus.hyps[:SEGMENTS], corpus.refs[:SEGMENTS])
    yield beside_sacrebleu(first.with_references(1), options)
    few = Corpus(corpus.hyps[: SEGMENTS // 5], corpus.refs[: SEGMENTS // 5])
    yield beside_sacrebleu(few, options)
    yield long_segment(options)


def beside_sacrebleu(corpus: Corpus, options: Options) -> Row:
    """The same edits, segment by segment."""
    from sacrebleu.metrics import TER

    repeats = options.repeats(2)

    def ours() -> list[float]:
        return tricolore.TER().stats(corpus.hyps, corpus.refs, threads=1)["edits"].tolist()

    def peer() -> list[float]:
        metric = TER()
        pairs = zip(corpus.hyps, corpus.refs, strict=True)
        return [metric.sentence_score(hyp, refs).num_edits for hyp, refs in pairs]

    mine, theirs, agree = alternate(ours, peer, repeats, forget)
    number = len(corpus.refs[0])
    references = f"{number} ref" + ("s" if number > 1 else "")
    question = f"TER, {len(corpus):,} segments, {references} / sacreBLEU"
    return Row(question, mine, theirs, bar=200, goal=500, agree=agree, repeats=repeats)


def long_segment(options: Options) -> Row:
    """One very long segment; sacreBLEU takes minutes."""
    corpus = texts.long_segment()
    repeats = options.repeats(3)
    ours = least(lambda: tricolore.TER().segment(corpus.hyps[0], corpus.refs[0]), repeats)
    return Row(f"TER of one segment of {texts.LONG:,} words", ours, bar=8, goal=2, limit=True, repeats=repeats)


def forget() -> None:
    """Empty the cache of sacreBLEU's tokeniser."""
    from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

    TercomTokenizer.__call__.cache_clear()  # type: ignore[attr-defined]


if __name__ == "__main__":
    table.main(measure, __doc__)
