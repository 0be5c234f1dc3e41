"""Completions of the command line for shells, made from its parser: one list of choices, written for each shell."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

#: Arguments whose values are files, by name.
FILES = {
    *("refs", "more_refs", "input", "segments", "files", "hyp", "ref", "nbest", "source", "scores", "human", "curve"),
    *("errors", "ranks", "weights", "start", "output", "held_out_nbest", "held_out_refs", "test_nbest", "test_refs"),
    *("log", "work", "lattice", "symbols", "table", "report", "plot"),
}
MANY = ("+", "*")  #: how often argparse says that an argument may have several values


@dataclass(frozen=True)
class Choices:
    """An option, or the arguments without one: how it is written, what it does, and what may follow it."""

    names: tuple[str, ...]  #: () for arguments without an option
    about: str
    takes: str  #: "none", "one" or "many" values
    words: tuple[str, ...] = ()
    files: bool = False

    @property
    def shown(self) -> tuple[str, ...]:
        """The spellings to offer: the long ones."""
        return tuple(name for name in self.names if name.startswith("--")) or self.names


def commands_of(parser: argparse.ArgumentParser) -> dict[str, tuple[str, list[Choices]]]:
    """The commands of a parser: what each does, and its options and arguments."""
    action: Any = next(one for one in parser._actions if one.dest == "command")
    about = {one.dest: one.help for one in action._choices_actions}
    return {name: (about[name], [*_choices(sub)]) for name, sub in action.choices.items()}


def _choices(parser: argparse.ArgumentParser) -> Iterator[Choices]:
    """The options of a command, then its arguments without one, all as one: a shell cannot tell which comes."""
    every = [*_each_choice(parser)]
    yield from (one for one in every if one.names)
    bare = [one for one in every if not one.names]
    if bare:
        words = tuple(word for one in bare for word in one.words)
        yield Choices((), bare[0].about, "many", words, any(one.files for one in bare))


def _each_choice(parser: argparse.ArgumentParser) -> Iterator[Choices]:
    words = named_values()
    for action in parser._actions:
        takes = "none" if action.nargs == 0 else "many" if action.nargs in MANY else "one"
        known = tuple(map(str, action.choices or words.get(action.dest) or ()))
        about = " ".join((action.help or "").replace("%%", "%").split())
        files = action.dest in FILES and takes != "none" and not known
        yield Choices(tuple(action.option_strings), about.split("; ")[0], takes, known, files)


def named_values() -> dict[str, list[str]]:
    """Arguments whose values are names that are known, and these."""
    from ..metrics import NAMES
    from ..metrics.smoothing import METHODS, SACREBLEU_NAMES
    from ..results import FORMATS
    from ..tokenizers import CORE, EXTERNAL
    from .cite import FORMS
    from .parser import COMMANDS

    return {
        "metrics": [*NAMES, "all"],
        "names": [*NAMES, "all"],
        "what": [*COMMANDS, *NAMES],
        "citation_format": [*FORMS],
        "tokenize": [*CORE, *EXTERNAL[:2]],
        "smooth_method": [*SACREBLEU_NAMES, *map(str, METHODS)],
        "format": [*FORMATS],
    }


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The completion script for a shell."""
    return WRITERS[shell](commands_of(parser))


Commands = dict[str, tuple[str, list[Choices]]]


def _cases(commands: Commands) -> list[str]:
    """Lines of a shell's `case`: for a command and an option that takes values, how many, and which."""
    lines = []
    for command, (_, options) in commands.items():
        for one in (one for one in options if one.takes != "none"):
            patterns = " | ".join(f'"{command} {name}"' for name in one.names or ("",))
            lines.append(f"    {patterns}) takes={one.takes} files={int(one.files)} words={_words(one.words)} ;;")
    return lines


def _words(words: Sequence[str]) -> str:
    return shlex.quote(" ".join(words)) if words else "''"


# What bash and zsh have in common: the last option before the cursor decides what may come.
_DECIDE = """
  for (( at = {first}; at < place; ++at )); do
    if [[ ${{typed[at]}} == -?* ]]; then option=${{typed[at]}} given=0; else (( ++given )); fi
  done
  case "$command $option" in
{cases}
  esac
  if [[ -n $option ]] && [[ $takes == none || ( $takes == one && $given -gt 0 ) ]]; then
    option=''
    case "$command " in
{positional}
    *) files=0 words='' ;;
    esac
  fi
"""


def _decide(commands: Commands, first: int) -> str:
    cases = _cases(commands)
    positional = [line for line in cases if ' ")' in line]
    return _DECIDE.format(first=first, cases="\n".join(cases), positional="\n".join(positional)).strip("\n")


def _flags(commands: Commands) -> str:
    """Lines of a shell's `case`: the options of each command."""
    return "\n".join(
        f"    {name}) flags={_words([flag for one in options for flag in one.shown])} ;;"
        for name, (_, options) in commands.items()
    )


def bash(commands: Commands) -> str:
    """The script for bash."""
    return f"""# Completions of tricolore for bash.
_tricolore() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} option='' takes=none files=0 words='' flags=''
  local place=$COMP_CWORD given=0 at
  local -a typed=("${{COMP_WORDS[@]}}")
  COMPREPLY=()
  if (( place == 1 )); then
    COMPREPLY=($(compgen -W {_words([*commands, "--help", "--version"])} -- "$current"))
    return
  fi
  case $command in
{_flags(commands)}
  esac
{_decide(commands, 2)}
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  else
    [[ -n $words ]] && COMPREPLY=($(compgen -W "$words" -- "$current"))
    (( files )) && COMPREPLY+=($(compgen -f -- "$current")) && compopt -o filenames 2> /dev/null
  fi
  return 0
}}
complete -F _tricolore tricolore
"""


def zsh(commands: Commands) -> str:
    """The script for zsh."""
    names = "\n".join(f"    {shlex.quote(f'{name}:{about}')}" for name, (about, _) in commands.items())
    abouts = {flag: one.about for _, options in commands.values() for one in options for flag in one.shown}
    described = "\n".join(f"    {shlex.quote(flag)} {shlex.quote(about)}" for flag, about in abouts.items())
    return f"""#compdef tricolore
# Completions of tricolore for zsh.
_tricolore() {{
  local current=$words[CURRENT] command=$words[2] option='' takes=none files=0 place=$CURRENT given=0 at
  local flags=''
  local -a typed=("${{words[@]}}") names
  if (( place == 2 )); then
    names=(
{names}
    )
    _describe command names
    return
  fi
  case $command in
{_flags(commands)}
  esac
  local words=''
{_decide(commands, 3)}
  if [[ $current == -* ]]; then
    local -A about=(
{described}
    )
    for at in ${{=flags}}; do names+=("$at:${{about[$at]}}"); done
    _describe option names
  else
    [[ -n $words ]] && compadd -- ${{=words}}
    (( files )) && _files
  fi
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _tricolore "$@"; else compdef _tricolore tricolore; fi
"""


def fish(commands: Commands) -> str:
    """The script for fish."""
    lines = [
        "# Completions of tricolore for fish.",
        "function __tricolore_after --description 'Whether the words at the cursor belong to one of these options'",
        "    set -l last",
        "    for word in (commandline -opc)[3..-1]",
        "        string match -q -- '-*' $word; and set last $word",
        "    end",
        '    contains -- "$last" $argv',
        "end",
        "complete -c tricolore -f",
        "complete -c tricolore -n __fish_use_subcommand -s h -l help -d 'Show help'",
        "complete -c tricolore -n __fish_use_subcommand -s V -l version -d 'Show the version'",
    ]
    having: dict[Choices, list[str]] = {}  # most options are those of several commands
    for name, (about, options) in commands.items():
        lines.append(f"complete -c tricolore -n __fish_use_subcommand -a {name} -d {_fish(about)}")
        for one in options:
            having.setdefault(one, []).append(name)
    several = dict.fromkeys(flag for one in having if one.takes == "many" and one.words for flag in one.names)
    for one, names in having.items():
        here = f"__fish_seen_subcommand_from {' '.join(names)}"
        lines += _fish_lines(here if one.names else f"{here}; and not __tricolore_after {' '.join(several)}", one)
    return "\n".join(lines) + "\n"


def _fish_lines(here: str, one: Choices) -> Iterator[str]:
    """The lines for one option, or for arguments without one."""
    values = "".join([f" -a {_fish(' '.join(one.words))}" if one.words else "", " -F" if one.files else ""])
    if not one.names:
        if values:
            yield f"complete -c tricolore -n {_fish(here)}{values} -d {_fish(one.about)}"
        return
    spelled = " ".join(_fish_option(name) for name in one.names)
    takes = "" if one.takes == "none" else " -r" if one.files else " -x"
    yield f"complete -c tricolore -n {_fish(here)} {spelled}{takes}{values} -d {_fish(one.about)}"
    if one.takes == "many" and values:
        after = f"{here}; and __tricolore_after {' '.join(one.names)}"
        yield f"complete -c tricolore -n {_fish(after)}{values}"


def _fish_option(name: str) -> str:
    if name.startswith("--"):
        return f"-l {name[2:]}"
    return f"-s {name[1:]}" if len(name) == 2 else f"-o {name[1:]}"


def _fish(text: str) -> str:
    """A text in quotation marks of fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def tcsh(commands: Commands) -> str:
    """The script for tcsh, which knows no commands within commands: their names, options, metrics, then files."""
    every = dict.fromkeys(flag[2:] for _, all_of in commands.values() for one in all_of for flag in one.shown)
    options = [flag for flag in every if re.fullmatch(r"[\w-]+", flag)]
    metrics = " ".join(named_values()["metrics"])
    return (
        f"complete tricolore 'p/1/({' '.join(commands)})/' 'c/--/({' '.join(options)})/' "
        f"'n/-m/({metrics})/' 'n/--metrics/({metrics})/' 'p/*/f/'\n"
    )


WRITERS = {"bash": bash, "zsh": zsh, "fish": fish, "tcsh": tcsh}
