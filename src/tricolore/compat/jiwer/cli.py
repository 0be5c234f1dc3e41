"""jiwer's command: `python -m tricolore.compat.jiwer.cli -r reference.txt -h hypothesis.txt`."""

import argparse
import sys

from ...errors import InputError, TricoloreError
from ...readers.files import read_segments
from ..strictness import REMEDY, lenient
from .alignment import visualize_alignment
from .process import process_characters, process_words
from .transformations import cer_contiguous, cer_default, wer_contiguous, wer_default


def main(arguments: list[str] | None = None) -> int:
    """Print the error rate of a file of hypotheses, or its alignments; return the exit status."""
    given = _parser().parse_args(arguments)
    try:
        print(_result(given), end="")
    except TricoloreError as error:
        print(f"jiwer: {error}", file=sys.stderr)
        return error.exit_status
    return 0


cli = main


def _parser() -> argparse.ArgumentParser:
    # -h is the hypothesis, as in jiwer.
    parser = argparse.ArgumentParser("jiwer", description="Compute the word or character error rate.", add_help=False)
    parser.add_argument("--help", action="help", help="show this message and exit")
    parser.add_argument("-r", "--reference", required=True, help="file of references, one per line")
    parser.add_argument("-h", "--hypothesis", required=True, help="file of hypotheses, one per line")
    parser.add_argument("-c", "--cer", action="store_true", help="character instead of word error rate")
    parser.add_argument("-a", "--align", action="store_true", help="print the alignment of each sentence")
    text = "align all references with all hypotheses as one, so that their numbers may differ"
    parser.add_argument("-g", "--global", dest="contiguous", action="store_true", help=text)
    return parser


def _result(given: argparse.Namespace) -> str:
    refs, hyps = (read_segments(path) for path in (given.reference, given.hypothesis))
    refs, hyps = _without_short_lines(refs, hyps, given)
    if given.cer:
        transform = cer_contiguous if given.contiguous else cer_default
        characters = process_characters(refs, hyps, transform, transform)
        return visualize_alignment(characters) if given.align else f"{characters.cer}\n"
    transform = wer_contiguous if given.contiguous else wer_default
    words = process_words(refs, hyps, transform, transform)
    return visualize_alignment(words) if given.align else f"{words.wer}\n"


def _without_short_lines(refs: list[str], hyps: list[str], given: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Drop lines of fewer than two characters, as jiwer does; reject files in which these are different lines."""
    kept = [{i: line.strip() for i, line in enumerate(lines, 1) if len(line.strip()) > 1} for lines in (refs, hyps)]
    found = [*kept[0].values()], [*kept[1].values()]
    if given.contiguous:
        return found
    if len(found[0]) != len(found[1]):
        raise InputError(
            f"{given.reference}: {len(found[0]):,} references, but {given.hypothesis} has {len(found[1]):,} "
            "hypotheses; --global aligns all as one"
        )
    differ = kept[0].keys() ^ kept[1].keys()
    if differ and not lenient():
        raise InputError(
            f"line {min(differ)}: jiwer drops lines of fewer than two characters, here in one file only, and would "
            f"compare later lines with the wrong ones ({REMEDY})"
        )
    return found


if __name__ == "__main__":
    sys.exit(main())
