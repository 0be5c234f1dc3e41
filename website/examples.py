"""Run the examples of pages, and write what they print into the pages.

    python website/examples.py [--check] PAGE ...

A ```console block has a line `$ tricolore ...` and its output; a ```python block may be followed by a plain block with
what it prints. All blocks of a page run in one folder with the texts of `tricolore demo --write`. "..." on a line of
its own stands for the rest; `@5` in place of the output asks for its first five lines.
"""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

from tricolore.cli import run

BLOCK = re.DOTALL | re.MULTILINE
CONSOLE = re.compile(r"(?<=```console\n)\$ tricolore (?P<command>[^\n]*)\n(?P<said>.*?)(?=^```$)", BLOCK)
PYTHON = re.compile(r"```python\n(?P<code>(?:(?!```).)*)```\n\n```\n(?P<said>.*?)(?=^```$)", BLOCK)
#: What changes with every release.
VERSION = re.compile(r"(tricolore-|Version )[0-9][\w.+-]*")


def printed_by_command(command: str) -> str:
    """What a command prints on standard output; it must succeed."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = run(shlex.split(command))
    if status:
        raise SystemExit(f"tricolore {command}: status {status}\n{err.getvalue()}")
    return out.getvalue()


def printed_by_code(code: str) -> str:
    """What a program prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{code}\n{done.stderr}")
    return done.stdout


def shortened(found: str, said: str) -> str:
    """The output as it is shown: as much of it as before, or as asked for."""
    asked = re.match(r"@(\d+)\n", said)
    lines = found.splitlines(keepends=True)
    if asked:
        kept = int(asked[1])
    elif said.endswith("...\n"):
        kept = len(said.splitlines()) - 1
    else:
        kept = len(lines)
    return "".join(lines[:kept]) + ("...\n" if kept < len(lines) else "")


def refreshed(page: str) -> str:
    """A page with the output of all its examples as it is now."""

    def told(run_it: Callable[[str], str], group: str) -> Callable[[re.Match[str]], str]:
        def replaced(found: re.Match[str]) -> str:
            before = found[0][: found.start("said") - found.start()]
            return before + shortened(run_it(found[group]), found["said"])

        return replaced

    with TemporaryDirectory() as folder, chdir(folder):
        with redirect_stdout(io.StringIO()):
            run(["demo", "--write", "texts"])
        with chdir("texts"):
            page = CONSOLE.sub(told(printed_by_command, "command"), page)
            return PYTHON.sub(told(printed_by_code, "code"), page)


def same(one: str, other: str) -> bool:
    """Whether two pages differ in nothing but versions."""
    return VERSION.sub("", one) == VERSION.sub("", other)


def main(*asked: str) -> int:
    """Write or check pages."""
    stale = []
    for name in [one for one in asked if one != "--check"]:
        path = Path(name)
        before = path.read_text(encoding="utf-8")
        now = refreshed(before)
        if "--check" not in asked:
            path.write_text(now, encoding="utf-8")
        elif not same(before, now):
            stale.append(name)
    if stale:
        print(f"{', '.join(stale)}: examples print something else; run website/examples.py", file=sys.stderr)
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
