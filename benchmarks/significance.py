"""How fast intervals and paired tests are beside sacreBLEU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import table
import texts
from bleu import small_corpus
from measure import alternate
from table import Options, Row
from texts import Corpus

import tricolore
from tricolore.judge.significance.intervals import confidence_of

RESAMPLES, TRIALS, SYSTEMS = 1_000, 10_000, 8


def measure(options: Options) -> Iterator[Row]:
    """All questions about the speed of significance."""
    corpus = small_corpus(options).with_references(1)
    yield interval(corpus, options)
    yield resampling(corpus, options)
    systems, refs = eight_systems()
    yield paired("bs", RESAMPLES, systems, refs, options, bar=25, goal=40)
    yield paired("ar", TRIALS, systems, refs, options, bar=18, goal=40)


def interval(corpus: Corpus, options: Options) -> Row:
    """Score a corpus with a bootstrap interval."""
    import sacrebleu

    refs = [one for (one,) in corpus.refs]
    repeats = options.repeats(5)
    ours, theirs, agree = alternate(
        lambda: 100 * float(tricolore.confidence("bleu", corpus.hyps, refs, resamples=RESAMPLES, threads=1)),
        lambda: sacrebleu.BLEU().corpus_score(corpus.hyps, [refs], n_bootstrap=RESAMPLES).score,
        repeats,
    )
    question = f"BLEU with interval, {RESAMPLES:,} resamples / sacreBLEU"
    return Row(question, ours, theirs, bar=30, goal=40, agree=agree, repeats=repeats)


def resampling(corpus: Corpus, options: Options) -> Row:
    """The resampling alone, from statistics that are there; the means must be the same to single precision."""
    import sacrebleu
    from sacrebleu.significance import _bootstrap_resample, estimate_ci

    refs = [one for (one,) in corpus.refs]
    metric, peer = tricolore.BLEU(), sacrebleu.BLEU()
    rows = metric.stats(corpus.hyps, refs)
    stats = peer._extract_corpus_statistics(corpus.hyps, [refs])
    repeats = options.repeats(5)

    def theirs() -> float:
        _, scores = _bootstrap_resample(stats, peer, RESAMPLES)
        return round(float(estimate_ci([score.score for score in scores])[0]), 4)

    mine, other, agree = alternate(
        lambda: round(100 * confidence_of(metric, rows, resamples=RESAMPLES).mean, 4), theirs, repeats
    )
    question = f"resampling alone, {RESAMPLES:,} resamples / sacreBLEU"
    return Row(question, mine, other, bar=8, goal=15, agree=agree, repeats=repeats)


def eight_systems() -> tuple[dict[str, list[str]], list[str]]:
    """Eight outputs of one text, and a reference."""
    corpus = texts.english_like(texts.SMALL, references=SYSTEMS)
    *outputs, refs = [corpus.hyps, *corpus.streams]
    return {f"system{i}": output for i, output in enumerate(outputs)}, refs


def paired(
    test: str,
    number: int,
    systems: dict[str, list[str]],
    refs: list[str],
    options: Options,
    bar: float,
    goal: float,
) -> Row:
    """Seven systems against the first, from texts to p-values; by sacreBLEU's rule they must be the same."""
    import sacrebleu
    from sacrebleu.significance import PairedTest

    how: dict[str, Any] = {"test": test, "resamples": RESAMPLES, "threads": 1, "baseline": "system0"}
    how |= {"trials": number} if test == "ar" else {}

    def ours() -> list[float]:
        return [100 * system.score for system in ordered(tricolore.compare(systems, refs, "bleu", **how))]

    def theirs() -> list[float]:
        _, found = PairedTest(list(systems.items()), {"BLEU": sacrebleu.BLEU()}, [refs], test, number)()
        p_values.append([result.p_value for result in found["BLEU"][1:]])
        return [result.score for result in found["BLEU"]]

    p_values: list[list[float]] = []
    repeats = options.repeats(2 if test == "bs" else 1)
    mine, other, agree = alternate(ours, theirs, repeats)
    same = tricolore.compare(systems, refs, "bleu", compat="sacrebleu", **how).judgements[0]
    agree = agree and all(one == [pair.p for pair in same.pairs] for one in p_values)
    name = "paired bootstrap" if test == "bs" else "approximate randomisation"
    question = f"{name}, {SYSTEMS} systems x {number:,} / sacreBLEU"
    return Row(question, mine, other, bar=bar, goal=goal, agree=agree, repeats=repeats)


def ordered(found: tricolore.judge.significance.comparison.Comparison) -> list[Any]:
    """The systems in the order in which they were given."""
    return [found.judgements[0].system(name) for name in found.names]


if __name__ == "__main__":
    table.main(measure, __doc__)
