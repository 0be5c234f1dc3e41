"""How long ORANGE takes, and how much memory: the metrics of the paper on short lists, and lists of 16,384.

No other tool has it, so these are times. Lists are made of a sentence in which words may be this or that: 14 such words
make 16,384 different translations.
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path

import table
import texts
from measure import forget_peak, least, output, peak_memory
from table import Options, Row

import tricolore

#: Those of the paper's table 7.
SIX = ("bleus", "per", "wer", "rouge-l", "rouge-w", "rouge-s")
CHOICES = 14
REFERENCES = 4


def measure(options: Options) -> Iterator[Row]:
    """34 metrics on 200 lists of 100; 6 metrics on 100 lists of 16,384, from a file, in a process of its own."""
    lists, refs = [*short_lists(200, 100)], references(200)
    seconds = least(lambda: tricolore.orange(lists, refs, threads=1), options.repeats(3))
    yield Row("ORANGE, 34 metrics, 200 x 100-best", seconds, bar=5, limit=True, repeats=options.repeats(3))

    sources = 5 if options.quick else 100
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "nbest.gz"
        write(path, sources)
        wall, cpu, megabytes = json.loads(output([sys.executable, __file__, "--child", str(path), str(sources)]))
    question = f"ORANGE, {len(SIX)} metrics, {sources} x {2**CHOICES:,}-best"
    yield Row(f"{question}, all cores, wall time", wall, bar=3 * sources, limit=True)
    yield Row(f"{question}, CPU time", cpu)
    yield Row(f"{question}, memory above the library", megabytes, unit="MB", bar=100, limit=True)


def references(sources: int) -> list[list[str]]:
    return texts.english_like(sources, REFERENCES).refs


def short_lists(sources: int, length: int) -> Iterator[list[str]]:
    """Lists of some length: the first ways of choosing words."""
    corpus = texts.english_like(sources, REFERENCES)
    words = sorted({word for hyp in corpus.hyps for word in hyp.split()})
    for i, hyp in enumerate(corpus.hyps):
        yield [*islice(translations(hyp.split(), words, i), length)]


def translations(sentence: list[str], words: list[str], seed: int) -> Iterator[str]:
    """Every way of choosing words of a sentence; where it has too few, words are added."""
    sentence = sentence + [words[(seed + k) % len(words)] for k in range(CHOICES - len(sentence))]
    step = len(sentence) / CHOICES
    free = {int(k * step) for k in range(CHOICES)}
    choices = [
        [word, words[(31 * seed + 17 * place) % len(words)] + "'"] if place in free else [word]
        for place, word in enumerate(sentence)
    ]
    return map(" ".join, product(*choices))


def write(path: Path, sources: int) -> None:
    """Write lists as Moses does."""
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as file:
        for i, nbest in enumerate(short_lists(sources, 2**CHOICES)):
            file.writelines(f"{i} ||| {text} ||| LM0= -9.1 TM0= -2.5 ||| -4.2\n" for text in nbest)


def child(path: str, sources: str) -> None:
    """Judge and print wall time, CPU time and memory; the library is loaded before."""
    refs = references(int(sources))
    tricolore.orange([["a b"]] * 2, [["a b", "b a"]] * 2, SIX)
    forget_peak()
    before, wall, cpu = peak_memory(), time.perf_counter(), time.process_time()
    tricolore.orange(path, refs, SIX, curve=64)
    print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu, peak_memory() - before]))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:])
    else:
        table.main(measure, __doc__)
