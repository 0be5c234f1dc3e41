"""`python -m tricolore` is the command."""

from .cli import main

main()
