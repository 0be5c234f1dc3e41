"""How fast NIST is beside NLTK."""

from __future__ import annotations

from collections.abc import Iterator

import table
from bleu import small_corpus
from measure import alternate
from table import Options, Row

import tricolore


def measure(options: Options) -> Iterator[Row]:
    """NIST on ready tokens, with one reference: with several NLTK computes something else."""
    from nltk.translate.nist_score import corpus_nist

    ready = small_corpus(options).with_references(1).tokenized()
    hyps = [hyp.split() for hyp in ready.hyps]
    refs = [[ref.split() for ref in one] for one in ready.refs]
    repeats = options.repeats(5)
    ours, peer, agree = alternate(
        lambda: float(tricolore.NIST(tokenize="none")(ready.hyps, ready.refs, threads=1)),
        lambda: corpus_nist(refs, hyps),
        repeats,
    )
    question = f"NIST, {len(ready):,} segments, ready tokens / NLTK"
    yield Row(question, ours, peer, "s", 75, 90, agree=agree, repeats=repeats)


if __name__ == "__main__":
    table.main(measure, __doc__)
