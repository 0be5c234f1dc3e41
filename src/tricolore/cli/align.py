"""Show which words of an output stand for which of its reference.

    tricolore align ref.txt -i output.txt --only-errors
    tricolore align ref.txt -i output.txt --segment 3 17-19 --chars
    tricolore align --text 'the cat sat' 'a hat sat'

One segment a line, as for 'tricolore score'; '-' is standard input. Below reference and output stand S, I and D
where a word is substituted, inserted or deleted. The last line has the totals and the rate with its signature:
word error rate, or with --chars letter error rate.
"""

from __future__ import annotations

import sys
from itertools import chain

from ..errors import InputError, SpecError
from ..numbers import whole
from .printing import as_json, show
from .tables import cell
from .text_options import add_as_text_argument, check_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    from ..alignment import Alignment
    from ..metrics.edit_rates import LER, WER
    from ..scoring import Score

KINDS = ("hits", "substitutions", "insertions", "deletions")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    group = parser.add_argument_group("texts")
    add = group.add_argument
    add("ref", nargs="?", metavar="REF", help="reference")
    add("-i", "--input", metavar="HYP", help="system output (default: standard input)")
    add("--text", nargs=2, metavar=("REF", "HYP"), help="two texts as they are, instead of files")
    add(
        "--segment",
        nargs="+",
        type=segments,
        action="extend",
        metavar="N",
        help="only these segments, counted from 1; also 3-7",
    )
    add("--chars", action="store_true", help="align characters instead of words")
    add("-tok", "--tokenize", metavar="NAME", help="how to cut words, as for 'tricolore tokenize' (default: none)")
    add("-lc", "--lowercase", action="store_true", help="lower-case the text first")
    add("--strip-punctuation", action="store_true", help="drop punctuation first")
    add_as_text_argument(group)

    add = parser.add_argument_group("results").add_argument
    add("--only-errors", action="store_true", help="leave out segments without an error; the totals count them")
    add("-f", "--format", choices=("text", "json", "tsv"), default="text", help="how to print (default: text)")
    add("--width", type=int, metavar="N", help="columns of a line (default: the terminal's; 0: do not break lines)")


def segments(text: str) -> range:
    """The numbers that a text stands for: one, or those from one to another."""
    first, dash, last = text.partition("-")
    try:
        found = range(whole(first), whole(last if dash else first) + 1)
    except ValueError:
        found = range(0)
    if not found:
        from argparse import ArgumentTypeError

        raise ArgumentTypeError(f"expected a number, or two such as 3-7; got {text!r}")
    return found


def run(options: argparse.Namespace) -> None:
    """Read, align, print."""
    from ..alignment import align_with

    metric = make_metric(options)
    if options.width is not None and options.width < 0:
        raise SpecError(f"--width must be 0 or more; got {options.width}")
    pairs = read_pairs(options)
    found = {}
    for number in chosen(options.segment, len(pairs)):
        try:
            found[number] = align_with(metric, *pairs[number - 1])
        except InputError as error:
            raise InputError(f"segment {number}: {error}") from None
    totals = {kind: sum(getattr(one, kind) for one in found.values()) for kind in KINDS}
    score = score_of(metric, [*found.values()])
    shown = {number: one for number, one in found.items() if one.edits or not options.only_errors}
    PRINT[options.format](options, shown, totals, score)


def score_of(metric: WER | LER, found: Sequence[Alignment]) -> Score:
    """What the metric says about these segments."""
    from ..scoring import Score

    row = [sum(one.edits for one in found), sum(len(one.hypothesis) for one in found)]
    return Score(metric, [*map(float, [*row, sum(len(one.reference) for one in found)])], (1, 1))


def make_metric(options: argparse.Namespace) -> WER | LER:
    """Make the metric whose edits are shown."""
    from ..metrics.edit_rates import LER, WER

    text = {"lowercase": options.lowercase, "strip_punctuation": options.strip_punctuation}
    if not options.chars:
        return WER(tokenize=options.tokenize, **text)
    if options.tokenize is not None:
        raise SpecError("--tokenize cuts words, and --chars aligns characters; choose one")
    return LER(**text)


def read_pairs(options: argparse.Namespace) -> Sequence[tuple[str, str]]:
    """Read what to align."""
    from ..readers import read_segments

    if options.text is not None:
        for other in (options.ref, options.input):
            if other is not None:
                raise SpecError(f"--text takes the place of files; {other} was not expected")
        ref, hyp = options.text
        return [(hyp, ref)]
    if options.ref is None:
        raise SpecError("a reference is needed, and the output with -i; or --text with two texts")
    path = "-" if options.input is None else options.input
    if path == options.ref == "-":
        raise SpecError("standard input can be read only once; name the output with -i")
    hyps, refs = (read_segments(one, as_text=options.as_text) for one in (path, options.ref))
    check_lines(path, len(hyps), options.ref, len(refs))
    return [*zip(hyps, refs, strict=True)]


def chosen(ranges: Sequence[range] | None, number: int) -> Sequence[int]:
    """The segments asked for, each once, as they stand in the file."""
    if ranges is None:
        return range(1, number + 1)
    for segment in chain(*((one[0], one[-1]) for one in ranges if one)):
        if segment < 1:
            raise SpecError(f"--segment: segments are counted from 1; got {segment}")
        if segment > number:
            raise InputError(f"--segment: there is no segment {segment}; the texts end at {number}")
    return sorted(set(chain(*ranges)))


def text_of(score: Score, totals: dict[str, int]) -> str:
    """The last line."""
    counts = " ".join(f"{kind} = {number}" for kind, number in totals.items())
    return f"{score.signature} = {score.display()} {score.verbose} {counts}"


def print_text(options: argparse.Namespace, found: dict[int, Alignment], totals: dict[str, int], score: Score) -> None:
    """Print a picture of each segment."""
    for number, one in found.items():
        if options.text is None:
            show(f"segment {number}: {score_of(one.metric, [one])}")
        print(one.format(options.width), end="\n\n")
    show(text_of(score, totals))


def print_json(options: argparse.Namespace, found: dict[int, Alignment], totals: dict[str, int], score: Score) -> None:
    """Print one object: the totals, and the segments with their operations."""
    from .results import as_object

    print(as_json({**as_object(score, None), **totals}, indent=1).removesuffix("\n}"), end="")
    # A line for each segment: shorter than one for each word.
    segments = [as_json({"segment": number, **as_data(one)}) for number, one in found.items()]
    print(',\n "segments": [', ",\n".join(f"  {line}" for line in segments), " ]\n}", sep="\n")


def as_data(one: Alignment) -> dict[str, Any]:
    """An alignment as JSON has it."""
    from dataclasses import asdict

    return {
        **{kind: getattr(one, kind) for kind in KINDS},
        "rate": one.rate,
        "hypothesis": one.hypothesis,
        "reference": one.reference,
        "operations": [asdict(operation) for operation in one.operations],
    }


def print_tsv(options: argparse.Namespace, found: dict[int, Alignment], totals: dict[str, int], score: Score) -> None:
    """Print a line for each operation; the totals go to standard error, where they are in nobody's way."""
    print("segment\tkind\thyp_start\thyp_end\tref_start\tref_end\thypothesis\treference")
    for number, one in found.items():
        between = "" if options.chars else " "
        for op in one.operations:
            texts = one.hypothesis[op.hyp_start : op.hyp_end], one.reference[op.ref_start : op.ref_end]
            cells = (cell(between.join(tokens)) for tokens in texts)
            print(number, op.kind, op.hyp_start, op.hyp_end, op.ref_start, op.ref_end, *cells, sep="\t")
    show(text_of(score, totals), file=sys.stderr)


PRINT = {"text": print_text, "json": print_json, "tsv": print_tsv}
