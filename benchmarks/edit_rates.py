"""How fast word and letter error rates are beside jiwer and rapidfuzz."""

from __future__ import annotations

from collections.abc import Iterator

import table
import texts
from bleu import small_corpus
from measure import alternate, least
from table import Options, Row
from texts import Corpus

import tricolore


def measure(options: Options) -> Iterator[Row]:
    """All questions about the speed of edit rates."""
    corpus = small_corpus(options).with_references(1)
    yield beside_jiwer("wer", corpus, options)
    yield beside_jiwer("cer", corpus, options)
    yield beside_rapidfuzz(corpus, options)
    yield characters_beside_rapidfuzz(corpus, options)
    yield long_segment(options)


def beside_jiwer(name: str, corpus: Corpus, options: Options) -> Row:
    """The rate of the corpus."""
    import jiwer

    refs = [one for (one,) in corpus.refs]
    peer = jiwer.wer if name == "wer" else jiwer.cer
    repeats = options.repeats(5)
    ours, theirs, agree = alternate(
        lambda: float(tricolore.metric(name)(corpus.hyps, refs, threads=1)),
        lambda: peer(refs, corpus.hyps),
        repeats,
    )
    question = f"{name.upper()}, {len(corpus):,} segments / jiwer"
    bar, goal = (28, 35) if name == "wer" else (20, 30)
    return Row(question, ours, theirs, bar=bar, goal=goal, agree=agree, repeats=repeats)


def beside_rapidfuzz(corpus: Corpus, options: Options) -> Row:
    """Word edits of each segment, with what it takes to cut the text."""
    from rapidfuzz.distance import Levenshtein

    refs = [one for (one,) in corpus.refs]
    repeats = options.repeats(5)

    def ours() -> list[float]:
        return tricolore.WER().stats(corpus.hyps, refs, threads=1)["edits"].tolist()

    def peer() -> list[float]:
        return [Levenshtein.distance(hyp.split(), ref.split()) for hyp, ref in zip(corpus.hyps, refs, strict=True)]

    mine, theirs, agree = alternate(ours, peer, repeats)
    question = "word edits of each segment / rapidfuzz"
    return Row(question, mine, theirs, bar=2, goal=3.5, agree=agree, repeats=repeats)


def characters_beside_rapidfuzz(corpus: Corpus, options: Options) -> Row:
    """Character edits of the corpus; rapidfuzz is given the strings themselves."""
    from rapidfuzz.distance import Levenshtein

    refs = [one for (one,) in corpus.refs]
    repeats = options.repeats(9)
    mine, theirs, agree = alternate(
        lambda: tricolore.metric("cer")(corpus.hyps, refs, threads=1).edits,
        lambda: sum(map(Levenshtein.distance, corpus.hyps, refs)),
        repeats,
    )
    question = f"character edits, {len(corpus):,} segments / rapidfuzz on strings"
    return Row(question, mine, theirs, bar=1.0, goal=1.5, agree=agree, repeats=repeats)


def long_segment(options: Options) -> Row:
    """One very long segment."""
    corpus = texts.long_segment()
    repeats = options.repeats(5)
    ours = least(lambda: tricolore.WER().segment(corpus.hyps[0], corpus.refs[0]), repeats)
    return Row(f"WER of one segment of {texts.LONG:,} words", ours, bar=0.010, limit=True, repeats=repeats)


if __name__ == "__main__":
    table.main(measure, __doc__)
