"""Print a shell completion script.

Packages put them where bash, zsh and fish look. Where they do not, put the script where your shell reads it:

    eval "$(tricolore completion bash)"                 # in ~/.bashrc
    tricolore completion zsh > ~/.zfunc/_tricolore      # with ~/.zfunc in $fpath
    tricolore completion fish > ~/.config/fish/completions/tricolore.fish
"""

import argparse

from .parser import make_parser
from .shells import WRITERS, script


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("shell", choices=tuple(WRITERS), metavar="SHELL", help="your shell: bash, zsh, fish or tcsh")


def run(options: argparse.Namespace) -> None:
    """Print the script."""
    print(script(make_parser(), options.shell), end="")
