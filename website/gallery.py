"""Make the pictures and reports of docs/gallery.md, by running the code that the page shows.

    python website/gallery.py [--check | --only-reports FOLDER]

The blocks are run in order, in a folder with the example texts. A picture of the page is the file of its name; pictures
of a result's report are numbered: `tuning-3.svg` is the third of tuning.html. What is written below `alignment` stands
in the page as its output. With --check, only say whether all of it is up to date; with --only-reports, keep nothing but
the reports, for the site.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from tutorial import STYLED, commands_on_path

from tricolore.examples import write_example

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "gallery.md"
PICTURES = ROOT / "docs" / "pictures" / "gallery"
SHOWN = re.compile(r"\]\(pictures/gallery/([\w.-]+)\)")
PRINTED = re.compile(r"(<!-- printed: ([\w.-]+) -->\n+```\n).*?(```)", re.DOTALL)


def run_blocks(page: str) -> None:
    """Run what the page shows, in this folder."""
    names: dict[str, object] = {}
    for language, code in re.findall(r"^```(sh|python)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        if language == "python":
            exec(compile(code, str(PAGE), "exec"), names)
        else:
            subprocess.run(["sh", "-c", code], check=True, stdout=subprocess.PIPE)


def split_report(path: Path) -> None:
    """Write every picture of a result's report to a file of its own."""
    pictures = re.findall(r"<svg xmlns=.*?</svg>", path.read_text(encoding="utf-8"), re.DOTALL)
    for number, svg in enumerate(pictures, 1):
        text = svg.replace("</title>", STYLED, 1)
        path.with_name(f"{path.stem}-{number}.svg").write_text(text, encoding="utf-8")


def made(folder: Path, page: str) -> tuple[dict[str, str], str]:
    """The pictures of the page by name, and the page with what its commands print."""
    found = {path.name: path for path in sorted(folder.rglob("*.svg"))}
    pictures = {name: found[name].read_text(encoding="utf-8") for name in SHOWN.findall(page)}
    printed = PRINTED.sub(lambda one: one[1] + (folder / one[2]).read_text(encoding="utf-8") + one[3], page)
    return pictures, printed


def main() -> int:
    """Write or check pictures and page; return 1 if they are not up to date."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--check", action="store_true")
    options.add_argument("--only-reports", type=Path, metavar="FOLDER")
    asked = options.parse_args()
    commands_on_path()
    page = PAGE.read_text(encoding="utf-8")
    reports = asked.only_reports and asked.only_reports.resolve()
    with TemporaryDirectory() as temporary:
        folder = Path(temporary) / "texts"
        write_example(str(folder))
        with chdir(folder):
            run_blocks(page)
        if reports:
            reports.mkdir(parents=True, exist_ok=True)
            for report in folder.glob("*.html"):
                shutil.copy(report, reports)
            return 0
        for report in folder.glob("*.html"):
            split_report(report)
        pictures, printed = made(folder, page)
    before = {path.name: path.read_text(encoding="utf-8") for path in PICTURES.glob("*.svg")}
    if asked.check:
        stale = sorted({"gallery.md"} if printed != page else set())
        stale += sorted(name for name in before.keys() | pictures if before.get(name) != pictures.get(name))
        print(*(f"{name}: not what the code makes; run 'python website/gallery.py'" for name in stale), sep="\n")
        return bool(stale)
    if (before, page) != (pictures, printed):
        shutil.rmtree(PICTURES, ignore_errors=True)
        PICTURES.mkdir(parents=True)
        for name, svg in pictures.items():
            (PICTURES / name).write_text(svg, encoding="utf-8")
        PAGE.write_text(printed, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
