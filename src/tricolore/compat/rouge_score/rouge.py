"""rouge-score's command: `python -m tricolore.compat.rouge_score.rouge --target_filepattern=*.targets ...`."""

import argparse
import sys
import warnings

from ...errors import TricoloreError
from .io import compute_scores_and_write_to_csv
from .rouge_scorer import RougeScorer
from .scoring import BootstrapAggregator


def main(arguments: list[str] | None = None) -> int:
    """Score files and write a file of scores; return the exit status."""
    given = _parser().parse_args(arguments)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            compute_scores_and_write_to_csv(
                given.target_filepattern,
                given.prediction_filepattern,
                given.output_filename,
                RougeScorer(given.rouge_types, given.use_stemmer, given.split_summaries),
                BootstrapAggregator() if given.aggregate else None,
                delimiter=given.delimiter,
            )
    except TricoloreError as error:
        print(f"rouge: {error}", file=sys.stderr)
        return error.exit_status
    for warning in caught:
        print(f"rouge: {warning.message}", file=sys.stderr)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("rouge", description="Compute ROUGE of files of texts.", allow_abbrev=False)
    parser.add_argument("--target_filepattern", required=True, metavar="GLOB", help="files of targets")
    parser.add_argument("--prediction_filepattern", required=True, metavar="GLOB", help="files of predictions")
    parser.add_argument("--output_filename", required=True, metavar="FILE", help="CSV file to write")
    parser.add_argument("--delimiter", default="\n", help="end of a record (default: end of line)")
    types = "comma-separated ROUGE types (default: rouge1,rouge2,rougeL)"
    parser.add_argument("--rouge_types", default="rouge1,rouge2,rougeL", type=lambda text: text.split(","), help=types)
    _add_switch(parser, "use_stemmer", False, "reduce words to Porter's stems")
    _add_switch(parser, "aggregate", True, "write intervals of means instead of the scores of every record")
    _add_switch(parser, "split_summaries", False, "split texts into sentences for rougeLsum")
    return parser


def _add_switch(parser: argparse.ArgumentParser, name: str, default: bool, text: str) -> None:
    """Add `--name`, `--noname` and `--name=true`, as absl has them."""
    text += f" (default: {str(default).lower()})"
    parser.add_argument(f"--{name}", nargs="?", const=True, default=default, type=_truth, metavar="BOOL", help=text)
    parser.add_argument(f"--no{name}", dest=name, action="store_false", default=default, help=argparse.SUPPRESS)


def _truth(text: str) -> bool:
    if text.lower() in ("true", "t", "1"):
        return True
    if text.lower() in ("false", "f", "0"):
        return False
    raise argparse.ArgumentTypeError(f"expected true or false, got {text!r}")


if __name__ == "__main__":
    sys.exit(main())
