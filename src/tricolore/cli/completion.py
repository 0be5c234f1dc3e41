"""Print a shell completion script.

Put it where your shell reads it:

    eval "$(tricolore completion bash)"                 # in ~/.bashrc
    tricolore completion zsh > ~/.zfunc/_tricolore      # with ~/.zfunc in $fpath
"""

import argparse
from typing import Any

from ..metrics import NAMES
from ..metrics.smoothing import METHODS, SACREBLEU_NAMES
from ..tokenizers import CORE, EXTERNAL
from .parser import COMMANDS, make_parser


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"), help="your shell")


def run(options: argparse.Namespace) -> None:
    """Print the script."""
    import shtab

    parser = make_parser()
    describe_values(parser)
    print(shtab.complete(parser, options.shell))


def describe_values(parser: argparse.ArgumentParser) -> None:
    """Say which arguments are files and which are names; only this copy of the parser is to know."""
    import shtab

    files = {"refs", "more_refs", "input", "segments", "files", "hyp", "ref"}
    files |= {"nbest", "source", "scores", "human", "curve", "errors", "ranks", "weights"}
    files |= {"start", "output", "held_out_nbest", "held_out_refs", "test_nbest", "test_refs", "log", "work"}
    files |= {"lattice", "symbols"}
    names = {
        "metrics": [*NAMES],
        "names": [*NAMES],
        "what": [*COMMANDS, *NAMES],
        "tokenize": [*CORE, *EXTERNAL[:2]],
        "smooth_method": [*SACREBLEU_NAMES, *map(str, METHODS)],
    }
    commands: Any = next(action for action in parser._actions if action.dest == "command")
    for sub in commands.choices.values():
        for action in sub._actions:
            if action.dest in files and action.nargs != 0:  # not a flag of the same name
                action.complete = shtab.FILE
            elif action.dest in names:
                action.choices = names[action.dest]
