"""Compile the core for macOS on ARM and for 64-bit Windows, with Zig and without linking: a check that it is portable.

    python release/portable.py [--only PART ...]

Warnings are errors. What knows Python is compiled with the headers of this one, for Windows with the
answers that Windows would give (release/windows/pyconfig.h). Files are compiled again only where something changed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from wheels import ROOT, environment

WORK = ROOT / "build" / "portable"
TARGETS = {"macOS": "aarch64-macos", "Windows": "x86_64-windows-gnu"}
FLAGS = (
    "-std=c++20",
    "-O0",
    "-g0",
    "-fno-sanitize=all",
    "-Wall",
    "-Wextra",
    "-Wmissing-declarations",
    "-Werror",
    "-Wno-unused-command-line-argument",  # some that Zig itself adds
    "-ffp-contract=off",
)


def main() -> None:
    """Compile every file for every system, and say what does not compile."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="PART", help="files whose name has one of these in it")
    options = parser.parse_args()
    tools = environment("tools", sys.executable, "--group", "build", "--group", "wheels")
    files = [path for path in sources() if not options.only or any(one in path.name for one in options.only)]
    work = [(system, path) for system in TARGETS for path in files]
    include = {system: headers(system, tools) for system in TARGETS}
    with ThreadPoolExecutor(int(os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", os.cpu_count() or 1))) as pool:
        told = [*pool.map(lambda one: compiled(tools, *one, include[one[0]]), work)]
    failed = [text for text in told if text]
    print(*failed, sep="\n", end="\n" if failed else "")
    if failed:
        sys.exit(f"{len(failed)} of {len(work)} compilations failed")
    print(f"{len(files)} files compile for {' and '.join(TARGETS)}")


def sources() -> list[Path]:
    """The files of the core, as CMakeLists.txt names them."""
    listed = re.findall(r"^  (native/\w+\.cpp)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.MULTILINE)
    return [ROOT / name for name in listed]


def headers(system: str, tools: str) -> list[str]:
    """The folders of headers: those of Python as on this system, and nanobind's."""
    folder = WORK / system / "python"
    if not folder.exists():
        shutil.copytree(sysconfig.get_path("include"), folder)
        if system == "Windows":
            shutil.copy(ROOT / "release" / "windows" / "pyconfig.h", folder)
    found = subprocess.run(
        [tools, "-c", "import nanobind; print(nanobind.include_dir())"], capture_output=True, text=True, check=True
    )
    nanobind = Path(found.stdout.strip())
    return [str(one) for one in (folder, nanobind, nanobind.parent / "ext" / "robin_map" / "include")]


def compiled(tools: str, system: str, path: Path, include: list[str]) -> str:
    """Compile one file; return what is wrong, or nothing."""
    made = WORK / system / f"{path.stem}.o"
    newest = max(one.stat().st_mtime for one in (path, *path.parent.glob("*.hpp")))
    if made.exists() and made.stat().st_mtime > newest:
        return ""
    folders = [word for one in include for word in ("-isystem", one)]
    command = ["-m", "ziglang", "c++", "-target", TARGETS[system], *FLAGS, *folders, "-c", str(path), "-o", str(made)]
    done = subprocess.run([tools, *command], capture_output=True, text=True, check=False)
    return f"{path.name} for {system}:\n{done.stderr}" if done.returncode else ""


if __name__ == "__main__":
    main()
