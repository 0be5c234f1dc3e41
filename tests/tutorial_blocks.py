"""Run the blocks of one tutorial as the site does, in a process of its own, and write what they print as JSON.

python tests/tutorial_blocks.py PAGE
"""

import json
import os
import re
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

BLOCK = re.compile(r'^```(\w+) (exec="true"[^\n]*)\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def blocks(page):
    """Language, options and code of every block that is executed."""
    for language, options, code in BLOCK.findall(page):
        yield language, dict(re.findall(r'(\w+)="([^"]*)"', options)), code


def run_shell(code, expected):
    """What commands print, standard error included."""
    found = subprocess.run(["sh", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert found.returncode == expected, f"{code}: exit status {found.returncode}\n{found.stdout}"
    return found.stdout


def run_python(code, session):
    """What code prints; names are kept in the session."""
    printed = []
    session["print"] = lambda *values, end="\n": printed.append(" ".join(map(str, values)) + end)
    exec(compile(code, "<tutorial>", "exec"), session)
    return "".join(printed)


def main(path):
    """Run all blocks of a page in order."""
    session, found = {"__name__": "__main__"}, []
    for language, options, code in blocks(Path(path).read_text(encoding="utf-8")):
        with chdir(options.get("workdir", os.curdir)):
            if language == "sh":
                output = run_shell(code, int(options.get("returncode", 0)))
            else:
                assert language == "python", language
                output = run_python(code, session)
        found.append({"options": options, "code": code, "output": output})
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
