"""Completions work in their shells; man pages and completions that are installed are those of the command."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tricolore.cli import run
from tricolore.cli.parser import COMMANDS, make_parser
from tricolore.cli.shells import WRITERS, commands_of, script
from tricolore.metrics import NAMES

ROOT = Path(__file__).parents[1]
SHARE = ROOT / "share"


def shell(name):
    """A shell, or the test is skipped."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"there is no {name} here")
    return found


@pytest.fixture(scope="module")
def scripts():
    return {name: script(make_parser(), name) for name in WRITERS}


@pytest.fixture
def typed_in_fish(corpus, scripts):
    """What fish offers for a line, without descriptions."""
    (corpus / "script.fish").write_text(scripts["fish"], encoding="utf-8")
    fish = shell("fish")

    def ask(line):
        command = [fish, "--no-config", "-c", f"source script.fish; complete -C '{line}'"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=corpus)
        assert done.stderr == ""
        return {one.split("\t")[0] for one in done.stdout.splitlines()}

    return ask


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("tricolore sco", {"score"}),
        ("tricolore score --seg", {"--segments"}),
        ("tricolore score reference-a.txt -i has", {"hasty.txt"}),
        ("tricolore score reference-a.txt -i careful.txt has", {"hasty.txt"}),
        ("tricolore score reference-a.txt -m char-", {"char-bleu"}),
        ("tricolore score reference-a.txt -m bleu char-", {"char-bleu"}),
        ("tricolore score reference-a.txt -tok ja", {"ja-mecab"}),
        ("tricolore score reference-a.txt -f mark", {"markdown"}),
        ("tricolore metrics nis", {"nist"}),
        ("tricolore completion zs", {"zsh"}),
    ],
)
def test_fish_completes_commands_options_files_and_names(typed_in_fish, line, offered):
    assert typed_in_fish(line) == offered


def test_fish_offers_every_command(typed_in_fish):
    assert typed_in_fish("tricolore ") == {*COMMANDS}


ZSH = """
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; PS2=; TERM=dumb; stty -echo; autoload -Uz compinit; compinit -D -u; source ./script.zsh'
zpty -w shell 'print REA''DY'
zpty -r -m shell out '*READY*'
zpty -w -n shell "$1"$'\\t\\t'
sleep 1
zpty -w shell '; print DO''NE'
zpty -r -m shell out '*DONE*'
print -r -- "$out"
zpty -d shell
"""


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("tricolore comp", ["compare", "completion"]),
        ("tricolore score ref", ["reference-a.txt", "reference-b.txt"]),
        ("tricolore score reference-a.txt -m bleu ch", ["char-bleu", "chrf"]),
        ("tricolore score --seg", ["--segments"]),
    ],
)
def test_zsh_completes_commands_options_files_and_names(corpus, scripts, line, offered):
    (corpus / "script.zsh").write_text(scripts["zsh"], encoding="utf-8")
    command = [shell("zsh"), "-f", "-c", ZSH, "zsh", line]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=corpus, timeout=60)
    for name in offered:
        assert name in done.stdout


@pytest.mark.parametrize("name", ["bash", "zsh", "fish", "tcsh"])
def test_shells_can_read_their_scripts(scripts, name, tmp_path, capsys):
    path = tmp_path / "script"
    path.write_text(scripts[name], encoding="utf-8")
    subprocess.run([shell(name), "-n", str(path)], check=True, cwd=tmp_path)
    assert run(["completion", name]) == 0
    assert capsys.readouterr().out == scripts[name]


def test_every_option_is_known_to_the_shells(scripts):
    commands = commands_of(make_parser())
    assert {*commands} == {*COMMANDS}
    for _, options in commands.values():
        for one in options:
            for flag in one.shown:
                assert flag in scripts["bash"] and flag in scripts["zsh"]
    assert all(name in scripts["fish"] for name in NAMES)


def test_what_is_installed_is_up_to_date():
    done = subprocess.run(
        [sys.executable, str(ROOT / "release" / "share.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    pages = {path.name for path in (SHARE / "man" / "man1").iterdir()}
    assert pages == {"tricolore.1", *(f"tricolore-{name}.1" for name in COMMANDS)}


def test_man_pages_are_sound():
    pages = sorted(map(str, (SHARE / "man" / "man1").iterdir()))
    done = subprocess.run([shell("mandoc"), "-T", "lint", "-W", "error", *pages], capture_output=True, check=False)
    assert done.stdout == b""
    shown = subprocess.run(
        ["mandoc", "-T", "utf8", str(SHARE / "man/man1/tricolore-score.1")], capture_output=True, text=True, check=True
    ).stdout
    shown = re.sub(".\b", "", shown)
    assert "tricolore score ref.txt -i output.txt\n" in shown and "--paired-bs" in shown
