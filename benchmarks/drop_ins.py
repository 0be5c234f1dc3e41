"""How fast the drop-ins are: beside our own calls, and beside the peers that they replace."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from itertools import starmap
from typing import Any

import table
from bleu import forget, small_corpus
from measure import alternate, least
from meteor import NoWordNet
from table import Options, Row

import tricolore
from tricolore.compat import sacrebleu as drop_in

#: The metrics of sacreBLEU by name: arguments, and our own metric.
SACREBLEU: dict[str, tuple[dict[str, Any], Callable[[], Any]]] = {
    "BLEU": ({"effective_order": True}, lambda: tricolore.BLEU(short="effective")),
    "CHRF": ({}, tricolore.ChrF),
    "TER": ({}, tricolore.TER),
}
#: The least share of our own speed that a drop-in has, and how much faster than the peer it is for one pair.
SHARE, PAIRS = 0.8, 15
#: Words of a text for NLTK's metrics at least: its NIST divides by the number of 5-grams.
SHORTEST = 5


def measure(options: Options) -> Iterator[Row]:
    """Corpora beside our own calls, then one call per pair beside sacreBLEU."""
    corpus = small_corpus(options)
    for name in SACREBLEU:
        for number in (1, 4) if name != "TER" else (1,):
            yield of_corpus(name, corpus.with_references(number), options)
    few = corpus.with_references(1)
    for name in SACREBLEU:
        yield of_pairs(name, few.hyps[:300], few.refs[:300], options)
    yield from functions_of_pairs([*zip(few.hyps[:300], [ref for (ref,) in few.refs[:300]], strict=True)], options)


def of_corpus(name: str, corpus: Any, options: Options) -> Row:
    """A corpus: the ratio is the speed of the drop-in as a share of our own."""
    arguments, make = SACREBLEU[name]
    streams, refs = corpus.streams, corpus.refs
    repeats = options.repeats(7)
    ours, native, agree = alternate(
        lambda: getattr(drop_in, name)(**arguments).corpus_score(corpus.hyps, streams).score,
        lambda: 100 * float(make()(corpus.hyps, refs)),
        repeats,
    )
    question = f"drop-in: corpus {name}, {len(corpus):,} segments, {len(streams)} ref / own call"
    return Row(question, ours, native, goal=SHARE, agree=agree, repeats=repeats)


def of_pairs(name: str, hyps: Any, refs: Any, options: Options) -> Row:
    """One call for each pair, beside sacreBLEU."""
    import sacrebleu

    pairs = [*zip(hyps, refs, strict=True)]
    arguments, _ = SACREBLEU[name]

    def scores(module: Any) -> list[float]:
        metric = getattr(module, name)(**arguments)
        return [score.score for score in starmap(metric.sentence_score, pairs)]

    repeats = options.repeats(7)
    ours, peer, agree = alternate(lambda: scores(drop_in), lambda: scores(sacrebleu), repeats, forget)
    question = f"drop-in: {name} of one pair / sacreBLEU"
    return Row(question, ours / len(pairs), peer / len(pairs), goal=PAIRS, agree=agree, repeats=repeats)


def functions_of_pairs(pairs: list[tuple[str, str]], options: Options) -> Iterator[Row]:
    """One call for each pair, of functions that take strings (jiwer, rouge-score) or tokens (NLTK)."""
    warnings.simplefilter("ignore")  # NLTK and its drop-in say where no n-gram matches
    tokens = [(hyp.split(), ref.split()) for hyp, ref in pairs]
    tokens = [pair for pair in tokens if min(map(len, pair)) >= SHORTEST]
    repeats = options.repeats(5)
    for name, ours, peer in functions():
        given: list[Any] = tokens if name.startswith("NLTK") else pairs
        mine, theirs = (
            least(lambda call=call, given=given: [*starmap(call, given)], repeats) / len(given)  # type: ignore[misc]
            for call in (ours, peer)
        )
        yield Row(f"drop-in: {name}, one pair / itself", mine, theirs, goal=PAIRS, repeats=repeats)


def functions() -> Iterator[tuple[str, Any, Any]]:
    """Functions of a hypothesis and a reference by name: ours and the peer's."""
    for name in ("wer", "mer", "wil", "wip", "cer", "process_words", "process_characters"):
        yield f"jiwer {name}", *(turned(getattr(one, name)) for one in both("jiwer"))
    for kinds, stem in ((["rouge1"], False), (["rouge1", "rouge2", "rougeL"], True), (["rougeLsum"], False)):
        scorers = (one.RougeScorer(kinds, use_stemmer=stem).score for one in both("rouge_score.rouge_scorer"))
        yield f"rouge-score {'+'.join(kinds)}{' stemmed' if stem else ''}", *map(turned, scorers)
    for metric in ("bleu", "gleu", "nist", "ribes"):
        calls = (getattr(one, f"sentence_{metric}") for one in both(f"nltk.translate.{metric}_score"))
        yield f"NLTK sentence_{metric}", *(turned(call, listed=True) for call in calls)
    yield "NLTK sentence_chrf", *(turned(one.sentence_chrf) for one in both("nltk.translate.chrf_score"))
    meteors = (one.single_meteor_score for one in both("nltk.translate.meteor_score"))
    yield "NLTK single_meteor_score", *(turned(partial(call, wordnet=NoWordNet())) for call in meteors)


def both(name: str) -> Iterator[Any]:
    """The drop-in of a module, and the module."""
    yield import_module(f"tricolore.compat.{name.replace('.translate', '')}")
    yield import_module(name)


def turned(call: Callable[..., Any], listed: bool = False) -> Callable[[Any, Any], Any]:
    """A function that takes the reference first, or a list of references, as one that takes it last."""
    return (lambda hyp, ref: call([ref], hyp)) if listed else (lambda hyp, ref: call(ref, hyp))


if __name__ == "__main__":
    table.main(measure, __doc__)
