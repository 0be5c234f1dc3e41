"""How fast METEOR is beside NLTK: words and stems, without WordNet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import table
from bleu import small_corpus
from measure import least
from table import Options, Row

import tricolore


class NoWordNet:
    """Stands for WordNet, with no synonyms in it."""

    def synsets(self, word: str) -> list[Any]:
        """No synset has the word."""
        return []


def measure(options: Options) -> Iterator[Row]:
    """Every segment of a corpus; NLTK aligns greedily and stems by Porter, so scores may differ a little."""
    from nltk.translate.meteor_score import single_meteor_score

    ready = small_corpus(options).with_references(1).tokenized()
    refs = [one for (one,) in ready.refs]
    pairs = [(ref.split(), hyp.split()) for hyp, ref in zip(ready.hyps, refs, strict=True)]
    none: Any = NoWordNet()
    repeats = options.repeats(3)
    ours = least(lambda: tricolore.metric("meteor(tokenize=none)").segments(ready.hyps, refs, threads=1), 3 * repeats)
    peer = least(lambda: [single_meteor_score(ref, hyp, wordnet=none) for ref, hyp in pairs], repeats)
    question = f"METEOR exact + stem, {len(ready):,} segments, ready tokens / NLTK"
    yield Row(question, ours, peer, "s", 25, 60, repeats=repeats)


if __name__ == "__main__":
    table.main(measure, __doc__)
