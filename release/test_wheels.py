"""Install each wheel of dist/ into a new environment without a compiler, and run the tests of the package there.

    python release/test_wheels.py [--sdist] [WHEEL ...]

What is checked is the installed package, not the source tree: tests are copied to a folder of their own. Then a file is
scored by the command, and the size of what `pip install` brought along is compared with what is allowed. With --sdist,
the source distribution is built and installed instead, with the compiler that there is.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from wheels import DIST, PIP, ROOT, interpreter

WORK = ROOT / "build" / "test-wheels"
LARGEST = 80_000_000  #: bytes of all files that installing puts into site-packages, NumPy included
SLOWEST = 10.0  #: seconds to score a file
#: Tests of the package as users have it: metrics by golden vectors and contract, inputs, the command, platforms.
TESTS = (
    *("test_vectors.py", "test_recorded_scores.py", "test_contract.py", "test_readers.py", "test_tables.py"),
    *("test_bleu.py", "test_chrf.py", "test_cli.py", "test_terminal.py", "test_platforms.py", "test_installation.py"),
    *("test_oracle.py", "test_lattice.py", "test_resampling.py", "test_hostile_files.py"),
)


def main() -> None:
    """Test what the options name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheels", nargs="*", type=Path, metavar="WHEEL", help="wheels (all of dist/)")
    parser.add_argument("--sdist", action="store_true", help="the source distribution instead of wheels")
    parser.add_argument("--install-only", action="store_true", help="install, score a file, measure; no tests")
    options = parser.parse_args()
    found = options.wheels or sorted(DIST.glob("*.tar.gz" if options.sdist else "*.whl"))
    if not found:
        sys.exit(f"nothing to test in {DIST}; make wheels")
    for path in found:
        check(path.resolve(), options.install_only)


def check(path: Path, install_only: bool) -> None:
    """Install one distribution and test it."""
    tag = re.search(r"-cp3(\d+)-", path.name)
    version = f"3.{tag[1]}" if tag else f"{sys.version_info.major}.{sys.version_info.minor}"
    python = interpreter(version)
    if python is None:
        print(f"{path.name}: no Python {version} here; not tested")
        return
    print(f"{path.name} with Python {version}", flush=True)
    folder = WORK / (tag[0].strip("-") if tag else "sdist")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    subprocess.run([python, "-m", "venv", "--symlinks", str(folder / "venv")], check=True)
    environment = without_compilers(folder) if tag else dict(os.environ)
    inside = str(folder / "venv" / "bin" / "python")
    before = size(folder / "venv" / "lib")
    run(inside, *PIP, str(path), where=folder, environment=environment)
    brought = size(folder / "venv" / "lib") - before
    print(f"  pip install put {brought / 1e6:.1f} MB into site-packages, NumPy included", flush=True)
    if brought > LARGEST:
        sys.exit(f"more than {LARGEST / 1e6:.0f} MB")
    score_a_file(folder, environment)
    if not install_only:
        groups = [word for name in ("test", "peers") for word in ("--group", f"{ROOT}/pyproject.toml:{name}")]
        extras = f"{path}[judge,meteor,report,zstd]"
        run(inside, *PIP, extras, *groups, where=folder, environment=environment, upgrade=True)
        run_tests(folder, inside, environment)


def without_compilers(folder: Path) -> dict[str, str]:
    """An environment whose PATH has a shell and its tools, and no compiler."""
    programs = folder / "programs"
    programs.mkdir()
    for name in ("sh", "bash", "cat", "sleep", "env", "python3", "sed", "ls", "mkfifo", "true", "head", "kill"):
        if found := shutil.which(name):
            (programs / name).symlink_to(found)
    assert not any(shutil.which(name, path=str(programs)) for name in ("cc", "c++", "g++", "gcc", "clang++"))
    kept = {name: value for name, value in os.environ.items() if name not in ("CC", "CXX", "CMAKE_ARGS", "PYTHONPATH")}
    return kept | {"PATH": f"{folder / 'venv' / 'bin'}{os.pathsep}{programs}"}


def size(folder: Path) -> int:
    """The bytes of all files in a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def score_a_file(folder: Path, environment: dict[str, str]) -> None:
    """Score a file by the installed command, as a newcomer would."""
    (folder / "ref.txt").write_text("the cat is on the mat\n", encoding="utf-8")
    (folder / "out.txt").write_text("the cat sat on the mat\n", encoding="utf-8")
    command = [str(folder / "venv" / "bin" / "tricolore"), "score", "ref.txt", "-i", "out.txt", "-m", "chrf", "-b"]
    begin = time.monotonic()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    took = time.monotonic() - begin
    print(f"  chrF of a file: {done.stdout.strip()}, in {took:.1f} s", flush=True)
    if took > SLOWEST:
        sys.exit(f"it took longer than {SLOWEST:.0f} s")


def run_tests(folder: Path, inside: str, environment: dict[str, str]) -> None:
    """Run a part of the tests against what is installed."""
    shutil.copytree(
        ROOT / "tests", folder / "checkout" / "tests", ignore=shutil.ignore_patterns("__pycache__", "studies")
    )
    shutil.copy(ROOT / "pyproject.toml", folder / "checkout")
    if (shared := ROOT.parent / "shared").is_dir():
        (folder / "shared").symlink_to(shared)
    where = "import tricolore; print(tricolore.__file__)"
    assert "site-packages" in run(inside, "-c", where, where=folder / "checkout", environment=environment)
    tests = [f"tests/{name}" for name in TESTS]
    options = ["-q", "-n", "0", "-m", "not slow and not study and not spark", "-p", "no:cacheprovider"]
    command = ["-m", "pytest", *options, "--override-ini=addopts=--import-mode=importlib", "--hypothesis-profile=quick"]
    told = run(inside, *command, *tests, where=folder / "checkout", environment=environment)
    print(f"  {told.strip().splitlines()[-1]}", flush=True)


def run(inside: str, *arguments: str, where: Path, environment: dict[str, str], upgrade: bool = False) -> str:
    """Run the interpreter of the environment; return what it prints, or end with it."""
    if upgrade:  # groups of dependencies are known to newer versions of pip
        run(inside, *PIP, "--upgrade", "pip>=25.1", where=where, environment=environment)
    done = subprocess.run(
        [inside, *arguments], cwd=where, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{' '.join(arguments)} failed:\n{done.stdout}")
    return done.stdout


if __name__ == "__main__":
    main()
