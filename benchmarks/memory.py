"""How much memory scoring 100,000 segments takes above the input, for a metric of each kind."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import table
import texts
from measure import forget_peak, output, peak_memory, same
from table import Options, Row

#: Metric, and the peer whose memory is measured too if asked for.
QUESTIONS = (("bleu", "sacrebleu"), ("chrf", ""), ("ter", ""), ("lebleu", ""), ("rouge-l", ""))


def measure(options: Options) -> Iterator[Row]:
    """Peak resident memory above the input, each side in a process of its own."""
    corpus = texts.english_like(20_000 if options.quick else texts.LARGE, references=1)
    with tempfile.TemporaryDirectory() as folder:
        hyp, refs = texts.write(corpus, Path(folder))
        for metric, peer in QUESTIONS:
            ours, our_score = in_child("tricolore", metric, hyp, refs[0])
            theirs, agree = None, None
            question = f"memory above the input, {metric}, {len(corpus):,} segments"
            if peer and options.peer:
                theirs, peer_score = in_child(peer, metric, hyp, refs[0])
                agree = same(our_score, peer_score)
                question += " / sacreBLEU"
            yield Row(question, ours, theirs, "MB", 50, 15, limit=True, agree=agree)


def in_child(side: str, metric: str, hyp: Path, ref: Path) -> tuple[float, float]:
    """Score in a fresh process; return the MB above the input, and the score."""
    command = [sys.executable, __file__, "--child", side, metric, str(hyp), str(ref)]
    megabytes, score = json.loads(output(command))
    return megabytes, score


def child(side: str, metric: str, hyp: str, ref: str) -> None:
    """Read, score and print. What the library itself takes is there before the input is."""
    score = warmed_up(side, metric)
    corpus = texts.read(Path(hyp), [Path(ref)])
    streams = corpus.streams if side == "sacrebleu" else []
    forget_peak()
    before = peak_memory()
    result = score(corpus, streams)
    print(json.dumps([peak_memory() - before, result]))


def warmed_up(side: str, metric: str) -> Callable[[texts.Corpus, list[list[str]]], float]:
    """Return the function to measure, once used."""
    if side == "sacrebleu":
        from sacrebleu.metrics import BLEU

        def score(corpus: texts.Corpus, streams: list[list[str]]) -> float:
            return BLEU().corpus_score(corpus.hyps, streams).score
    else:
        import tricolore

        def score(corpus: texts.Corpus, streams: list[list[str]]) -> float:
            return 100 * float(tricolore.metric(metric)(corpus.hyps, corpus.refs))

    score(texts.Corpus(["a b c d"], [["a b c d"]]), [["a b c d"]])
    return score


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:])
    else:
        table.main(measure, __doc__)
