"""Write what a package puts where systems look for it: man pages, and completions for bash, zsh and fish.

    python release/share.py [--check]

The files below share/ are made from the parser of the command; wheels and packages install them. With --check, only say
whether they are up to date.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tricolore.cli.parser import COMMANDS, Formatter, make_parser
from tricolore.cli.shells import script

ROOT = Path(__file__).parents[1]
SHARE = ROOT / "share"
COMPLETIONS = {
    "bash": "bash-completion/completions/tricolore",
    "zsh": "zsh/site-functions/_tricolore",
    "fish": "fish/vendor_completions.d/tricolore.fish",
}


def main() -> None:
    """Write the files, or check them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is out of date")
    options = parser.parse_args()
    made = files()
    stale = [path for path, text in made.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    left = [path for path in SHARE.rglob("*") if path.is_file() and path not in made]
    if options.check:
        if stale or left:
            names = ", ".join(str(path.relative_to(ROOT)) for path in [*stale, *left])
            sys.exit(f"out of date: {names}; python release/share.py")
        return
    for path in left:
        path.unlink()
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made[path], encoding="utf-8")


def files() -> dict[Path, str]:
    """The files and what is in them."""
    Formatter.columns = 79
    parser = make_parser()
    commands: Any = next(action for action in parser._actions if action.dest == "command")
    made = {SHARE / path: script(parser, shell) for shell, path in COMPLETIONS.items()}
    made[SHARE / "man/man1/tricolore.1"] = overview(parser)
    for name, sub in commands.choices.items():
        made[SHARE / f"man/man1/tricolore-{name}.1"] = command_page(name, sub)
    return made


def overview(parser: argparse.ArgumentParser) -> str:
    """The page of the command as a whole."""
    lines = [
        *header("tricolore", "score, judge and tune machine translation"),
        ".SH SYNOPSIS",
        r".B tricolore",
        r"\fICOMMAND\fR [\fIOPTION\fR ...]",
        ".SH DESCRIPTION",
        *paragraphs(f"{parser.description} {parser.epilog}"),
        "Each command has a page of its own, such as",
        r".BR tricolore\-score (1).",
        ".SH COMMANDS",
    ]
    for name, about in COMMANDS.items():
        lines += [".TP", rf".BR tricolore\-{escaped(name)} (1)", escaped(about)]
    lines += [".SH OPTIONS", *listed_options(parser._actions), *ENDING]
    return "\n".join(lines) + "\n"


def command_page(name: str, parser: argparse.ArgumentParser) -> str:
    """The page of one command: what it does with examples, then its options by group."""
    about, _, rest = (parser.description or "").partition("\n")
    usage = " ".join(parser.format_usage().removeprefix("usage:").split())
    lines = [
        *header(f"tricolore-{name}", about[:1].lower() + about[1:].rstrip(".")),
        ".SH SYNOPSIS",
        escaped(usage),
        ".SH DESCRIPTION",
        escaped(about),
        *paragraphs(rest),
    ]
    for group in parser._action_groups:
        if group._group_actions:
            lines.append(f".SH {escaped((group.title or 'options').upper())}")
            lines += listed_options(group._group_actions)
    return "\n".join([*lines, *ENDING]) + "\n"


#: How every page ends.
ENDING = (
    ".SH EXIT STATUS",
    "0 for success, 1 for a problem with the data, 2 for a problem with the command.",
    ".SH SEE ALSO",
    ".BR tricolore (1)",
)


def header(name: str, about: str) -> list[str]:
    """The beginning of a page."""
    title = escaped(name.upper())
    return [f'.TH "{title}" 1 "" Tricolore "User Commands"', ".SH NAME", rf"{escaped(name)} \- {escaped(about)}"]


def escaped(text: str) -> str:
    r"""A text of which roff obeys nothing.

    >>> escaped("-m 'a\\b'")
    "\\-m \\(aqa\\eb\\(aq"
    """
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    return re.sub(r"^(?=\.)", r"\\&", text, flags=re.MULTILINE)


def paragraphs(text: str) -> Iterator[str]:
    """Paragraphs of a description; indented lines, which are examples, stay as they are."""
    for part in filter(None, (one.strip("\n") for one in re.split(r"\n\s*\n", text))):
        yield ".PP"
        indented = [line for line in part.split("\n") if line.startswith("    ")]
        if indented and len(indented) == len(part.split("\n")):
            yield from (".RS 4", ".nf", *(escaped(line[4:]) for line in indented), ".fi", ".RE")
        else:
            yield from (escaped(line.strip()) for line in part.split("\n"))


def listed_options(actions: list[argparse.Action]) -> Iterator[str]:
    """Options or arguments, each with its help."""
    formatter = Formatter("tricolore")
    for action in actions:
        if isinstance(action, argparse._SubParsersAction):
            continue
        yield ".TP"
        yield rf"\fB{escaped(formatter._format_action_invocation(action))}\fR"
        yield escaped(" ".join(formatter._expand_help(action).split()) if action.help else "")


if __name__ == "__main__":
    main()
