"""Show the tokens that a metric sees.

One line per input line, tokens separated by single spaces.

    tricolore tokenize -tok 13a < output.txt
"""

import argparse

from ..readers import read_segments
from ..tokenizers import TokenizerName, cut, named
from .options import add_option
from .text_options import add_as_text_argument


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    about = "texts (default: standard input)"
    parser.add_argument("files", nargs="*", default=["-"], metavar="FILE", help=about)
    about = (
        "none, 13a (default), intl, zh, universal, rouge-score, char, char+space, ja-mecab, ko-mecab, flores101, "
        "flores200, spBLEU-1K, spm:FILE"
    )
    add_option(parser, "-tok", "--tokenize", kind=TokenizerName(), default="13a", about=about, metavar="NAME")
    parser.add_argument("-lc", "--lowercase", action="store_true", help="lower-case the text first")
    parser.add_argument("--strip-punctuation", action="store_true", help="drop punctuation first")
    add_as_text_argument(parser)


def run(options: argparse.Namespace) -> None:
    """Print the tokens of each line."""
    tokenizer = named(options.tokenize)
    for path in options.files:
        for line in read_segments(path, as_text=options.as_text):
            print(*cut(line, tokenizer, options.lowercase, options.strip_punctuation))
