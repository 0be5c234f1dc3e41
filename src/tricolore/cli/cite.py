"""Print what to cite for a command line, for metrics and methods, or for a signature.

For example:

    tricolore cite score ref.txt -i out.txt -m bleu chrf --paired-bs
    tricolore cite bleu ter bootstrap
    tricolore cite 'BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0'
    tricolore cite -f text tune mert --nbest dev.nbest --refs dev.ref

Papers of the metrics, of the intervals, tests and methods that the command line asks for, and Tricolore itself, each
once. Nothing is run, and files need not exist. Options of 'cite' go before the command line. Known methods include
bootstrap, holm, mert, mbr and mqm; "Bibliography: which papers stand behind a metric or method?" in the documentation
lists them all. Exit status: 0 success, 2 invalid usage.
"""

import argparse
import shlex
from collections.abc import Sequence

from ..citing import cite
from ..errors import SpecError
from ..parameters import Choice
from ..results import emit
from .cited_options import cited
from .options import add_option
from .parser import COMMANDS, Formatter, Parser, parse

FORMS = ("bibtex", "text", "json", "markdown")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    about = "a command line of tricolore, or metrics, methods and signatures"
    parser.add_argument("what", nargs=argparse.REMAINDER, metavar="WHAT", help=about)
    add_format(parser)


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add the option that may also follow names."""
    add_option(
        parser, "-f", "--format", kind=Choice(FORMS), default="bibtex", about="output format", dest="citation_format"
    )


def run(options: argparse.Namespace) -> None:
    """Print the citations."""
    words, form = list(options.what), options.citation_format
    if len(words) == 1 and " " in words[0] and "|" not in words[0]:
        words = quoted(words[0])
    words = words[1:] if words[:1] == ["tricolore"] else words
    if not words:
        raise SpecError("nothing to cite: name a command line, metrics or a signature (see 'tricolore cite --help')")
    if words[0] in COMMANDS and not (len(words) == 1 and words[0] in ("orange", "search", "audit", "sacrebleu", "mbr")):
        if words[0] == "cite":
            raise SpecError("'tricolore cite' cites other commands")
        subjects: Sequence[object] = cited(parse(words))
    else:
        subjects, form = names_and_format(words, form)
    found = cite(*subjects)  # type: ignore[arg-type]
    if form == "bibtex":
        print(found.bibtex)
    else:
        emit(found, form)


def quoted(text: str) -> list[str]:
    """A command line in one argument, as words."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise SpecError(f"{text!r} is not a command line: {str(error).lower()}") from None


def names_and_format(words: list[str], form: str) -> tuple[list[str], str]:
    """Names, and the format if it follows them."""
    parser = Parser(prog="tricolore cite", formatter_class=Formatter, allow_abbrev=False)
    parser.add_argument("names", nargs="+")
    add_format(parser)
    parser.set_defaults(citation_format=form)
    found, unknown = parser.parse_known_args(words)
    if unknown:
        parser.error(f"unrecognized arguments: {unknown[0]}")
    return found.names, found.citation_format
