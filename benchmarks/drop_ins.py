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
from measure import alternate
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
    """Corpora beside our own calls, then one call per pair beside the peers."""
    corpus = small_corpus(options)
    for name in SACREBLEU:
        for number in (1, 4):
            yield of_corpus(name, corpus.with_references(number), options)
    few = corpus.with_references(1)
    yield from functions_of_corpora(corpus, options)
    for name in SACREBLEU:
        yield of_pairs(name, few.hyps[:300], few.refs[:300], options)
    yield from functions_of_pairs([*zip(few.hyps, [ref for (ref,) in few.refs], strict=True)][:1000], options)


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
    return Row(question, ours, native, bar=SHARE, agree=agree, repeats=repeats)


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
    return Row(question, ours / len(pairs), peer / len(pairs), bar=PAIRS, agree=agree, repeats=repeats)


def functions_of_corpora(corpus: Any, options: Options) -> Iterator[Row]:
    """Corpora by functions of jiwer and NLTK: the ratio is the speed of the drop-in as a share of our own."""
    from tricolore.compat import jiwer
    from tricolore.compat.nltk.chrf_score import corpus_chrf

    few = corpus.with_references(1)
    hyps, refs = few.hyps, [ref for (ref,) in few.refs]
    calls: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "jiwer wer": (lambda: jiwer.wer(refs, hyps), lambda: float(tricolore.WER()(hyps, refs))),
        "jiwer cer": (lambda: jiwer.cer(refs, hyps), lambda: float(tricolore.LER()(hyps, refs))),
        "NLTK corpus_chrf": (lambda: corpus_chrf(refs, hyps), lambda: float(tricolore.ChrF()(hyps, refs))),
    }
    for number in (1, 4):
        calls |= nltk_functions_of_corpora(corpus.with_references(number))
    repeats = options.repeats(7)
    for name, (ours, native) in calls.items():
        drop_in_time, native_time, agree = alternate(ours, native, repeats)
        agrees = agree if name.startswith("jiwer") else None  # NLTK's definitions differ from ours
        question = f"drop-in: {name}, {len(hyps):,} segments / own call"
        yield Row(question, drop_in_time, native_time, bar=SHARE, agree=agrees, repeats=repeats)


def nltk_functions_of_corpora(corpus: Any) -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """NLTK's functions of lists of tokens by name: the drop-in, and our own call.

    Our own call takes texts, so that lists of tokens have to be joined for it, too.
    """
    tokens = [hyp.split() for hyp in corpus.hyps]
    lists = [[ref.split() for ref in refs] for refs in corpus.refs]
    metrics: dict[str, Any] = {
        "bleu": tricolore.BLEU(tokenize="none", smooth="none"),
        "gleu": tricolore.GLEU(tokenize="none"),
        "nist": tricolore.NIST(tokenize="none"),
        "ribes": tricolore.RIBES(tokenize="none"),
    }

    def native(metric: Any) -> float:
        texts = [*map(" ".join, tokens)]
        return float(metric(texts, [[*map(" ".join, refs)] for refs in lists]))

    found = {}
    for name, metric in metrics.items():
        call = getattr(import_module(f"tricolore.compat.nltk.{name}_score"), f"corpus_{name}")
        found[f"NLTK corpus_{name}, {len(lists[0])} ref"] = (partial(call, lists, tokens), partial(native, metric))
    return found


def functions_of_pairs(pairs: list[tuple[str, str]], options: Options) -> Iterator[Row]:
    """One call for each pair, of functions that take strings (jiwer, rouge-score) or tokens (NLTK)."""
    warnings.simplefilter("ignore")  # NLTK and its drop-in say where no n-gram matches
    tokens = [(hyp.split(), ref.split()) for hyp, ref in pairs]
    tokens = [pair for pair in tokens if min(map(len, pair)) >= SHORTEST]
    repeats = options.repeats(5)
    for name, ours, peer in functions():
        given: list[Any] = tokens if name.startswith("NLTK") else pairs
        mine, theirs, agree = alternate(
            lambda ours=ours, given=given: [*starmap(ours, given)],  # type: ignore[misc]
            lambda peer=peer, given=given: [*starmap(peer, given)],  # type: ignore[misc]
            repeats,
        )
        size = len(given)
        question = f"drop-in: {name}, one pair / itself"
        yield Row(question, mine / size, theirs / size, bar=PAIRS, agree=agree, repeats=repeats)


def functions() -> Iterator[tuple[str, Any, Any]]:
    """Functions of a hypothesis and a reference by name: ours and the peer's. Each returns a number."""
    yield (
        "sacreBLEU sentence_bleu",
        *(lambda hyp, ref, one=one: one.sentence_bleu(hyp, [ref]).score for one in both("sacrebleu")),
    )
    for name in ("wer", "mer", "wil", "wip", "cer"):
        yield f"jiwer {name}", *(turned(getattr(one, name)) for one in both("jiwer"))
    # Lists and measures of the drop-in are made when they are asked for: one measure is.
    for name, measure in (("process_words", "wer"), ("process_characters", "cer")):
        calls = (getattr(one, name) for one in both("jiwer"))
        yield (
            f"jiwer {name}",
            *(lambda hyp, ref, call=call, measure=measure: getattr(call(ref, hyp), measure) for call in calls),
        )
    for kinds, stem in ((["rouge1"], False), (["rouge1", "rouge2", "rougeL"], True), (["rougeLsum"], False)):
        scorers = (one.RougeScorer(kinds, use_stemmer=stem).score for one in both("rouge_score.rouge_scorer"))
        yield (
            f"rouge-score {'+'.join(kinds)}{' stemmed' if stem else ''}",
            *(lambda hyp, ref, call=call, last=kinds[-1]: call(ref, hyp)[last].fmeasure for call in scorers),
        )
    yield from nltk_functions()


def nltk_functions() -> Iterator[tuple[str, Any, Any]]:
    """NLTK's functions, without WordNet."""
    for metric in ("bleu", "gleu", "nist", "ribes"):
        calls = (getattr(one, f"sentence_{metric}") for one in both(f"nltk.translate.{metric}_score"))
        yield f"NLTK sentence_{metric}", *(turned(call, listed=True) for call in calls)
    smoothed = (
        partial(one.sentence_bleu, smoothing_function=one.SmoothingFunction().method1)
        for one in both("nltk.translate.bleu_score")
    )
    yield "NLTK sentence_bleu, method1", *(turned(call, listed=True) for call in smoothed)
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
