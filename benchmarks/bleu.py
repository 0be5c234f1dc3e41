"""How fast BLEU is beside sacreBLEU and NLTK."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import partial
from itertools import starmap
from typing import Any

import table
import texts
from measure import alternate, least
from table import Options, Row
from texts import Corpus

import tricolore


def measure(options: Options) -> Iterator[Row]:
    """All questions about the speed of BLEU."""
    corpus = small_corpus(options)
    yield from corpus_rows(corpus, options)
    yield from segment_rows(corpus.with_references(1), options)
    yield ready_tokens(corpus.with_references(1), options)
    yield long_segment(options)
    yield beside_sacrebleu("intl", corpus.with_references(1), options, tokenize="intl")
    yield beside_sacrebleu("zh", texts.chinese_like(), options, tokenize="zh")
    large = texts.english_like(20_000 if options.quick else texts.LARGE)
    yield two_threads(large.with_references(1), options)
    yield beside_sacrebleu("13a", large.with_references(1), options, *bars_of(1), repeats=1)
    yield beside_sacrebleu("13a", large, options, *bars_of(4), repeats=1)


def small_corpus(options: Options) -> Corpus:
    """Return the text of most questions: made here, or real files."""
    if options.data and options.hyp:
        return texts.read(options.hyp, list(options.data))
    return texts.english_like(texts.SMALL)


def bars_of(references: int) -> tuple[float, float]:
    """The bar and the goal against sacreBLEU."""
    return (45, 65) if references == 1 else (50, 75)


def corpus_rows(corpus: Corpus, options: Options) -> Iterator[Row]:
    """Corpus BLEU with one reference, and with all."""
    for number in sorted({1, len(corpus.refs[0])}):
        part = corpus.with_references(number)
        yield beside_sacrebleu("13a", part, options, *bars_of(number), repeats=9 if number == 1 else 5)


def beside_sacrebleu(
    name: str,
    corpus: Corpus,
    options: Options,
    bar: float | None = None,
    goal: float | None = None,
    repeats: int = 5,
    tokenize: str = "13a",
) -> Row:
    """Corpus BLEU beside sacreBLEU's, whose caches are emptied before each repeat."""
    from sacrebleu.metrics import BLEU

    streams = corpus.streams
    repeats = options.repeats(repeats)
    ours, peer, agree = alternate(
        lambda: 100 * float(tricolore.BLEU(tokenize=tokenize)(corpus.hyps, corpus.refs, threads=1)),
        lambda: BLEU(tokenize=tokenize, force=True).corpus_score(corpus.hyps, streams).score,
        repeats,
        forget,
    )
    references = f"{len(streams)} ref" + ("s" if len(streams) > 1 else "")
    question = f"corpus BLEU {name}, {len(corpus):,} segments, {references} / sacreBLEU"
    return Row(question, ours, peer, bar=bar, goal=goal, agree=agree, repeats=repeats)


def segment_rows(corpus: Corpus, options: Options) -> Iterator[Row]:
    """BLEU of each segment: one call for all, and one call a pair."""
    from sacrebleu.metrics import BLEU

    repeats = options.repeats(7)
    pairs = list(zip(corpus.hyps, corpus.refs, strict=True))

    def peer() -> list[float]:
        metric = BLEU(effective_order=True)
        return [metric.sentence_score(hyp, refs).score for hyp, refs in pairs]

    def in_one_call() -> list[float]:
        return 100 * tricolore.BLEU(short="effective").segments(corpus.hyps, corpus.refs, threads=1)

    def one_by_one() -> list[float]:
        metric = tricolore.BLEU(short="effective")
        return [100 * float(score) for score in starmap(metric.segment, pairs)]

    for ours, name, bar, goal in (
        (in_one_call, f"segment BLEU, one call for {len(corpus):,}", 25, 40),
        (one_by_one, "segment BLEU, one call a pair", 15, 25),
    ):
        mine, theirs, agree = alternate(ours, peer, repeats, forget)
        yield Row(f"{name} / sacreBLEU", mine, theirs, "s", bar, goal, agree=agree, repeats=repeats)


def ready_tokens(corpus: Corpus, options: Options) -> Row:
    """BLEU on tokens that are there already, beside NLTK, which gets lists instead of text.

    NLTK counts an n-gram that is not there in segments of fewer than four tokens; these are left out.
    """
    from nltk.translate.bleu_score import corpus_bleu

    ready = corpus.tokenized().where(lambda hyp: len(hyp.split()) >= 4)
    hyps = [hyp.split() for hyp in ready.hyps]
    refs = [[ref.split() for ref in one] for one in ready.refs]
    repeats = options.repeats(7)
    ours, peer, agree = alternate(
        lambda: float(tricolore.BLEU(tokenize="none", smooth="none")(ready.hyps, ready.refs, threads=1)),
        lambda: corpus_bleu(refs, hyps),
        repeats,
    )
    question = f"corpus BLEU, {len(ready):,} segments, ready tokens / NLTK"
    return Row(question, ours, peer, "s", 25, 40, agree=agree, repeats=repeats)


def long_segment(options: Options) -> Row:
    """One very long segment."""
    from sacrebleu.metrics import BLEU

    corpus = texts.long_segment()
    repeats = options.repeats(7)
    ours, peer, agree = alternate(
        lambda: 100 * float(tricolore.BLEU(short="effective").segment(corpus.hyps[0], corpus.refs[0])),
        lambda: BLEU(effective_order=True).sentence_score(corpus.hyps[0], corpus.refs[0]).score,
        repeats,
        forget,
    )
    question = f"BLEU of one segment of {texts.LONG:,} words / sacreBLEU"
    return Row(question, ours, peer, bar=0.010, limit=True, agree=agree, repeats=repeats)


def two_threads(corpus: Corpus, options: Options) -> Row:
    """Two threads beside one: the clock on the wall counts, and a busy second core shows."""
    score = partial(tricolore.BLEU(), corpus.hyps, corpus.refs)
    repeats = options.repeats(15)
    agree = float(score(threads=1)) == float(score(threads=2))
    one, two = [], []
    for _ in range(repeats):
        two.append(least(partial(score, threads=2), 1, time.perf_counter))
        one.append(least(partial(score, threads=1), 1, time.perf_counter))
    question = f"two threads, {len(corpus):,} segments / one thread (wall time)"
    note = f"load of the machine {os.getloadavg()[0]:.1f}, this process included"
    return Row(question, min(two), min(one), "s", 1.2, agree=agree, repeats=repeats, note=note)


def forget() -> None:
    """Empty the caches of sacreBLEU's tokenisers: text is scored for the first time, as a user does."""
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
    from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

    cached: list[Any] = [Tokenizer13a.__call__, TokenizerV14International.__call__, TokenizerRegexp.__call__]
    cached += [TokenizerZh.__call__, TokenizerZh._is_chinese_char]
    for function in cached:
        function.cache_clear()


if __name__ == "__main__":
    table.main(measure, __doc__)
