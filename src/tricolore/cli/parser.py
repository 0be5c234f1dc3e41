"""The command line as a whole: its subcommands, and mistakes in one line with a hint."""

from __future__ import annotations

import os
import re
import sys
from importlib import import_module
from types import ModuleType

from .._version import __version__
from ..errors import SpecError, nearest


def load_argparse() -> None:
    """Load argparse without gettext, which takes long: messages are rewritten below, so they must be English ones."""
    loaded = sys.modules.get("gettext")
    english = sys.modules["gettext"] = ModuleType("gettext")
    vars(english).update(gettext=str, ngettext=lambda one, several, number: one if number == 1 else several)
    import argparse

    vars(argparse).update(_=english.gettext, ngettext=english.ngettext)  # others may have loaded it
    del sys.modules["gettext"]
    if loaded is not None:
        sys.modules["gettext"] = loaded


load_argparse()
import argparse  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

#: The commands, each a module of this package, and the first line of its documentation.
COMMANDS = {
    "score": "Score system outputs against references.",
    "compare": "Compare systems and say which differences are real.",
    "report": "Write one HTML file that shows which system is better, where, and how certain that is.",
    "correlate": "Measure how well metrics agree with human ratings.",
    "search": "Search for the metric parameters that agree best with human ratings.",
    "orange": "Judge metrics by where they rank references among machine translations (ORANGE).",
    "audit": "Audit metrics: what they reward, what they miss, and how they can be gamed, on your own texts.",
    "tune": "Tune feature weights over n-best lists to optimise a metric.",
    "rerank": "Rerank n-best lists by feature weights.",
    "oracle": "Choose the best candidates of n-best lists, lattices or forests by a metric (oracle).",
    "mbr": "Choose candidates by minimum Bayes risk, from lists, samples, lattices or forests.",
    "lattice": "Inspect lattices and forests: size, best texts, conversion, pictures.",
    "sets": "List test sets, or print the texts of one.",
    "spark": "Score tables on a Spark cluster.",
    "metrics": "List the metrics, or explain some: equation, parameters, citation.",
    "cite": "Print what to cite for a command line, for metrics and methods, or for a signature.",
    "align": "Show the word alignment and edits between an output and its reference.",
    "tokenize": "Show the tokens that a metric sees.",
    "sacrebleu": "Score with sacreBLEU's command line: its flags, its output, its numbers.",
    "demo": "Score a small example that ships with the package.",
    "completion": "Print a shell completion script.",
    "doctor": "Show versions, cores, caches, and which optional packages are missing for what.",
}


#: How words that were not expected are named, by the options that a command has.
NAMED_WITH = {
    "--nbest": "; n-best lists are named with --nbest",
    "--input": "; outputs are named with -i",
    "--test-set": "; test sets are named with -t",
}


def instead_of(word: str, known: list[str]) -> str:
    """What to write for an option that other commands have, or nothing."""
    from ..other_packages import OF_OPTIONS

    if word in ("-f", "--format") and "--json" in known:
        return "; use --json"
    if word in ("-o", "--output"):
        return "; write > FILE" + (", or --segments FILE for scores of segments" if "--segments" in known else "")
    here = [f"--{name}" for name in OF_OPTIONS.get(word.lstrip("-").replace("-", "_"), ())]
    return next((f"; did you mean {name!r}?" for name in here if name in known), "")


def nearest_option(word: str, known: list[str]) -> str:
    """The long option that was probably meant; of a single letter nothing can be told.

    >>> nearest_option("--lowcase", ["--lowercase"]), nearest_option("--alpha", ["--help"])
    ("; did you mean '--lowercase'?", '')
    """
    names = {option.lstrip("-"): option for option in known}
    hint = nearest(word.lstrip("-"), [*names]) if len(word.lstrip("-")) > 1 else ""
    found = hint.removeprefix("; did you mean ").rstrip("?").strip("'")
    return f"; did you mean {names[found]!r}?" if found else ""


class UsageError(SpecError):
    """A mistake in the arguments."""


class Parser(argparse.ArgumentParser):
    """argparse, with mistakes reported in one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where to read more."""
        message = re.sub(r"^argument (?:-\w+/)*(-[\w-]+)(?:/\S+)?: (?=must be )", r"\1 ", message)
        message = re.sub(r"invalid choice: '?([^']*)'? \(choose from (.*)\)", _choice, message)
        if message.startswith("the following arguments are required: "):
            message = self.missing(message.rpartition(": ")[2])
        if message.startswith("unrecognized arguments: "):
            message = self.unknown(message.removeprefix("unrecognized arguments: ").split()[0].split("=")[0])
        raise UsageError(f"{message} (see '{self.prog} --help')")

    def missing(self, names: str) -> str:
        """Say which argument is missing, what it may be, and where it goes if an option may have taken it."""
        known = next((one.choices for one in self._actions if one.metavar == names and one.choices), None)
        if known:
            return f"{names} is missing; expected one of {', '.join(known)}"
        takes_all = "--refs" in self._option_string_actions
        return f"{names} is missing" + (
            "; name it before --refs, which takes all words that follow" if takes_all else ""
        )

    def unknown(self, word: str) -> str:
        """Say what is wrong about a word that no option or argument takes."""
        from .sacrebleu_flags import REFUSALS

        known = [option for action in self._actions for option in action.option_strings]
        if not word.startswith("-"):
            return f"{word!r} was not expected" + next((hint for name, hint in NAMED_WITH.items() if name in known), "")
        longer = [option for option in known if word.startswith("--") and option.startswith(word)]
        if longer:
            return f"unknown option {word!r}; options are written in full: {', '.join(longer)}"
        for option, instead in REFUSALS.items():
            if option == word or (word.startswith("--") and option.startswith(word)):
                return f"{option} is not supported: {instead}"
        return f"unknown option {word!r}{instead_of(word, known) or nearest_option(word, known)}"

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help, and report a failure to write it; argparse would ignore one."""
        file.write(message)

    def _get_option_tuples(self, option_string: str) -> list[Any]:
        """Take no option for another that begins like it: -t is not -tok, and sacreBLEU's -sh is not -s h."""
        found = [one for one in super()._get_option_tuples(option_string) if one[-1] is not None]
        if found:
            from .sacrebleu_flags import REFUSALS

            found = [] if option_string in REFUSALS else found
        return found


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal, or 100 columns where there is none; quicker to make than argparse's own."""

    columns: int | None = None  #: set where the width must not depend on the terminal

    def __init__(self, prog: str):
        super().__init__(prog, max_help_position=32, width=self.columns or self.terminal_columns())

    def _format_action_invocation(self, action: argparse.Action) -> str:
        """Name the value once, as newer versions of argparse do: `-i, --input HYP`."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"

    @staticmethod
    def terminal_columns() -> int:
        """The width of the terminal, within reason."""
        try:
            return max(40, min(os.get_terminal_size().columns, 120))
        except OSError:
            return 100


def _choice(match: re.Match[str]) -> str:
    known = [word.strip(" '") for word in match.group(2).split(",")]
    return f"{match.group(1)!r} is not one of {', '.join(known)}{nearest(match.group(1), known)}"


def make_parser(only: str | None = None) -> Parser:
    """The parser of the whole command; with `only`, the other subcommands are there in name alone."""
    parser = Parser(
        prog="tricolore",
        description="Score, judge and tune machine translation.",
        epilog="Start with 'tricolore demo', then 'tricolore score --help'.",
        formatter_class=Formatter,
        allow_abbrev=False,
    )
    parser.add_argument("-V", "--version", action="version", version=f"tricolore {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", dest="command", parser_class=Parser, prog="tricolore")
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(name, help=summary, formatter_class=Formatter, allow_abbrev=False)
        if only in (None, name):
            fill_in(sub, name)
    return parser


def fill_in(parser: Parser, name: str) -> None:
    """Give the parser of a subcommand its description and options."""
    command: Any = import_module(f".{name}", __package__)
    parser.description = command.__doc__
    command.add_arguments(parser)
    parser.set_defaults(run=command.run, parser=parser, command=name)


def parse(arguments: list[str]) -> argparse.Namespace:
    """Parse, or raise a one-line error."""
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    # Loading and building only what is asked for keeps the command quick to start.
    if arguments and arguments[0] in COMMANDS:
        name, *arguments = arguments
        parser = Parser(prog=f"tricolore {name}", formatter_class=Formatter, allow_abbrev=False)
        fill_in(parser, name)
    else:
        parser = make_parser(only=next((word for word in arguments if not word.startswith("-")), ""))
    options, unknown = parser.parse_known_args(arguments)
    if unknown:  # the subcommand complains, because it knows what was nearly meant
        getattr(options, "parser", parser).error(f"unrecognized arguments: {' '.join(unknown)}")
    if options.command is None:
        parser.error(f"a command is needed: {', '.join(COMMANDS)}")
    return options
