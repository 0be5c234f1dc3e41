"""Print a script that completes commands and options in your shell.

tricolore completion bash >> ~/.bash_completion
tricolore completion zsh > ~/.zfunc/_tricolore
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"), help="your shell")


def run(options: argparse.Namespace) -> None:
    """Print the script."""
    import shtab

    from .parser import make_parser

    print(shtab.complete(make_parser(), options.shell))
