"""How fast ROUGE is beside rouge-score."""

from __future__ import annotations

from collections.abc import Iterator

import table
import texts
from bleu import small_corpus
from measure import alternate, least
from table import Options, Row

import tricolore

SPECS = ("rouge-1", "rouge-2", "rouge-l")


KINDS = ("rouge1", "rouge2", "rougeL")


def measure(options: Options) -> Iterator[Row]:
    """ROUGE-1, 2 and L of a corpus, read once and one by one, without and with stems; then a long segment."""
    corpus = small_corpus(options).with_references(1)
    for stem in (False, True):
        yield from of_corpus(corpus, stem, options)
    long = texts.long_segment()
    metric = tricolore.metric("rouge-l")
    seconds = least(lambda: metric.segment(long.hyps[0], long.refs[0]), options.repeats(5))
    yield Row(f"ROUGE-L of one segment of {texts.LONG:,} words", seconds, bar=0.010, limit=True)


def of_corpus(corpus: texts.Corpus, stem: bool, options: Options) -> Iterator[Row]:
    """All three at once; without stems also one by one."""
    from rouge_score.rouge_scorer import RougeScorer

    refs = [one for (one,) in corpus.refs]
    repeats = options.repeats(3)
    stems = ", stem=true" if stem else ""
    metrics = [tricolore.metric(f"{spec}(compat=rouge-score{stems})") for spec in SPECS]

    def at_once() -> list[float]:
        return [float(score) for score in tricolore.score_all(metrics, corpus.hyps, refs, threads=1)]

    def one_by_one() -> list[float]:
        return [float(metric(corpus.hyps, refs, threads=1)) for metric in metrics]

    def peer() -> list[float]:
        scorer = RougeScorer([*KINDS], use_stemmer=stem)
        scores = [scorer.score(ref, hyp) for ref, hyp in zip(refs, corpus.hyps, strict=True)]
        return [sum(score[name].fmeasure for score in scores) / len(scores) for name in KINDS]

    ways = {"at once, stemmed": (at_once, (60, 100))} if stem else {"at once": (at_once, (90, 110))}
    if not stem:
        ways["one by one"] = one_by_one, (None, None)
    for how, (ours, bar) in ways.items():
        mine, theirs, agree = alternate(ours, peer, repeats)
        question = f"ROUGE-1+2+L, {len(corpus):,} segments, {how} / rouge-score"
        yield Row(question, mine, theirs, "s", *bar, agree=agree, repeats=repeats)


if __name__ == "__main__":
    table.main(measure, __doc__)
