"""Order n-best lists anew by weights, and choose the best candidates.

    tricolore rerank --nbest nbest.txt --weights weights.txt > best.txt
    tricolore rerank --nbest run1.gz run2.gz run3.gz --weights weights.txt --refs ref.txt -o best.txt
    tricolore rerank --nbest nbest.jsonl --weights weights.txt --list --top 10 > reranked.txt

One line for each source comes out: of all its candidates in all lists, the one with the highest sum of features times
weights, the first of equals (files in order, then lines). Without --weights the total at the end of each line decides,
the higher the better. Lists are those of Moses, Marian and cdec ('source ||| text ||| name= value ... ||| total',
sources numbered from 0) or JSON lines; they are read side by side, source by source, however long they are. Weights
are 'name= value ...' lines; a feature without a weight counts nothing. With references, how good the choice is beside
the first candidates of the first list is said on standard error. Exit status: 0 done, 1 something is wrong with the
data, 2 with the command.
"""

from __future__ import annotations

from ..errors import InputError, SpecError
from ..readers.nbest import SEPARATOR
from .metric_options import add_metric_arguments, flags_given, make_metrics
from .nbest_options import (
    add_nbest_argument,
    add_output_arguments,
    check_choosing,
    is_watched,
    one_line,
    opened,
    say_score,
)
from .printing import say
from .progress import ProgressBar
from .text_options import add_reference_arguments, advise, read_references

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from ..metrics.base import Metric
    from ..segments import References
    from ..tuning.rerank import Ranked, Reranking


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    group = add_reference_arguments(parser, words=None)
    add_nbest_argument(group)
    group.add_argument("--weights", metavar="FILE", help="weights of the features (default: the totals decide)")
    add_metric_arguments(parser, default="with --refs; default: bleu")
    add = parser.add_argument_group("results").add_argument
    add("--scores", action="store_true", help="the sum of features times weights, or the total, and a tab before each")
    add("--list", action="store_true", help="all candidates, each once, best first, as an n-best list with new totals")
    add("--top", type=int, metavar="K", help="the best K of every source (with --list)")
    add_output_arguments(add)


def run(options: argparse.Namespace) -> None:
    """Read, order and write, source by source."""
    from ..tuning.rerank import Reranking
    from ..weights import read_weights

    metrics = make_metrics(options)
    check_usage(options)
    weights = read_weights(options.weights) if options.weights else None
    references, name = read_references(options) if options.more_refs else (None, "")
    reranking = Reranking(
        options.nbest,
        weights,
        top=options.top if options.list else 1,
        sources=None if references is None else len(references),
        known=name,
    )
    firsts: list[str] = []
    chosen: list[str] = []
    with ProgressBar(quiet=options.quiet or is_watched(options)) as bar, opened(options.output) as file:
        bar.stage("reranking", None if references is None else len(references))
        for ranked in reranking:
            for line in lines_of(options, ranked):
                print(line, file=file)
            if references is not None:
                firsts.append(ranked.first)
                chosen.append(ranked.best[0].text)
                bar.step(ranked.source + 1, len(references) + 1)
    say_results(options, metrics, reranking, references, firsts, chosen)


def check_usage(options: argparse.Namespace) -> None:
    """Refuse what cannot be meant, before any work."""
    if options.top is not None and not options.list:
        raise SpecError("--top says how many candidates --list is to give, which is not asked for")
    if options.top is not None and options.top < 1:
        raise SpecError(f"--top must be 1 or more; got {options.top}")
    if options.scores and options.list:
        raise SpecError("--scores and --list exclude each other; a list has its totals")
    if not options.more_refs:
        given = [*(["--metrics"] if options.metrics else []), *flags_given(options)]
        given += ["--missing-refs"] if options.missing_refs else []
        if given:
            raise SpecError(f"{given[0]} is for scores against references; name some with --refs")
    check_choosing(options, options.weights)


def lines_of(options: argparse.Namespace, ranked: Ranked) -> Iterator[str]:
    """What to write for a source."""
    for hypothesis in ranked.best:
        text = one_line(hypothesis.text, ranked.source)
        if options.list:
            if SEPARATOR in text:
                raise InputError(
                    f"source {ranked.source}: the translation has {SEPARATOR} in it, which ends it in a list"
                )
            yield hypothesis.line(ranked.source)
        else:
            yield f"{hypothesis.score!r}\t{text}" if options.scores else text


def say_results(
    options: argparse.Namespace,
    metrics: Sequence[Metric],
    reranking: Reranking,
    references: References | None,
    firsts: list[str],
    chosen: list[str],
) -> None:
    """Say which features have no weight, and how good the choice is."""
    if options.quiet:
        return
    if reranking.warning is not None:
        say(reranking.warning)
    if references is None:
        return
    if not options.force:
        advise({options.nbest[0]: firsts}, references, metrics)
    for asked in metrics:
        for what, texts, how in (
            ("reranked", chosen, "weights" if options.weights else "totals"),
            ("first", firsts, "first"),
        ):
            score = asked(texts, references, threads=options.threads)
            say_score(what, score, {"chosen": how}, options.width)
