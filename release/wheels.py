"""Build a source distribution and wheels that run on any Linux since 2014 (manylinux2014), without containers.

    python release/wheels.py [--python 3.12 ...] [--no-sdist]

Zig is the compiler, since it brings along the headers of every version of glibc; auditwheel checks what the wheel needs
of a system. Each Python from 3.11 on that is found gets a wheel; which are missing is said. Everything lands in dist/.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build" / "wheels"
DIST = ROOT / "dist"
MINORS = (11, 12, 13, 14)
GLIBC = "2.17"  # that of manylinux2014 (PEP 599)
LARGEST = 2_000_000  #: bytes of a wheel
PIP = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]


def main() -> None:
    """Build what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", nargs="+", metavar="VERSION", help="versions of Python (all from 3.11 on)")
    parser.add_argument("--no-sdist", action="store_true", help="wheels only")
    options = parser.parse_args()
    wanted = [one.removeprefix("python") for one in options.python or []] or [f"3.{minor}" for minor in MINORS]
    if platform.system() != "Linux":
        sys.exit("wheels for other systems than Linux are made by .github/workflows/wheels.yml")
    found = {version: python for version in wanted if (python := interpreter(version))}
    for version in wanted:
        if version not in found:
            print(f"no Python {version} was found on PATH or among pyenv's: no wheel for it")
    if not found:
        sys.exit("no wheel can be built")
    DIST.mkdir(exist_ok=True)
    tools = environment("tools", sys.executable, "--group", "build", "--group", "wheels")
    compilers = compiler_wrappers(tools)
    if not options.no_sdist:
        run(tools, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(DIST), str(ROOT))
    made = [wheel(version, python, tools, compilers) for version, python in found.items()]
    for path in made:
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1e6:.2f} MB")
    if too_large := [path.name for path in made if path.stat().st_size > LARGEST]:
        sys.exit(f"larger than {LARGEST / 1e6:.0f} MB: {', '.join(too_large)}")


def interpreter(version: str) -> str | None:
    """The path of a Python of this version that runs: on PATH, or installed by pyenv."""
    homes = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    of_pyenv = sorted(homes.glob(f"{version}.*/bin/python{version}"))
    for candidate in (shutil.which(f"python{version}"), *map(str, reversed(of_pyenv))):
        if candidate and includes_headers(candidate):
            return candidate
    return None


def includes_headers(python: str) -> bool:
    """Whether an interpreter runs, and has what extensions are compiled with."""
    path = "pathlib.Path(sysconfig.get_path('include'), 'Python.h')"
    code = f"import ensurepip, pathlib, sysconfig, venv; print({path}.is_file())"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip() == "True"


def environment(name: str, python: str, *packages: str) -> str:
    """The interpreter of a virtual environment with these packages; made once."""
    folder = WORK / name
    inside = folder / "bin" / "python"
    if not inside.exists():
        if python == sys.executable:
            venv.create(folder, with_pip=True)
        else:
            subprocess.run([python, "-m", "venv", str(folder)], check=True)
        run(str(inside), *PIP, "--upgrade", "pip>=25.1")
    run(str(inside), *PIP, *packages)
    return str(inside)


def compiler_wrappers(tools: str) -> dict[str, str]:
    """Programs named as CMake expects compilers to be, each with the target of the wheels built in."""
    folder = WORK / "compilers"
    folder.mkdir(parents=True, exist_ok=True)
    target = f"{platform.machine()}-linux-gnu.{GLIBC}"
    for name, command in {
        "cc": f"cc -target {target}",
        "c++": f"c++ -target {target}",
        "ar": "ar",
        "ranlib": "ranlib",
    }.items():
        path = folder / f"zig-{name}"
        path.write_text(f'#!/bin/sh\nexec "{tools}" -m ziglang {command} "$@"\n', encoding="utf-8")
        path.chmod(0o755)
    programs = {"CC": folder / "zig-cc", "CXX": folder / "zig-c++"}
    # Without precompiled headers, what knows nothing of Python is compiled once for all wheels: Zig remembers it.
    defined = {"CMAKE_AR": "zig-ar", "CMAKE_RANLIB": "zig-ranlib"}
    arguments = [f"-D{name}={folder / program}" for name, program in defined.items()]
    arguments.append("-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON")
    return {name: str(path) for name, path in programs.items()} | {"CMAKE_ARGS": " ".join(arguments)}


def wheel(version: str, python: str, tools: str, compilers: dict[str, str]) -> Path:
    """Build a wheel for one version of Python and check it; return its path."""
    inside = environment(f"python{version}", python, "--group", "build")
    built = WORK / "unchecked" / version
    shutil.rmtree(built, ignore_errors=True)
    run(
        inside,
        *("-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"),
        *("--wheel-dir", str(built), f"--config-settings=build-dir={WORK}/{{wheel_tag}}", str(ROOT)),
        **compilers,
    )
    [raw] = built.glob("*.whl")
    where = {"PATH": f"{Path(tools).parent}{os.pathsep}{os.environ['PATH']}"}
    plat = f"manylinux2014_{platform.machine()}"
    told = run(tools, "-m", "auditwheel", "repair", "--plat", plat, "--wheel-dir", str(DIST), str(raw), **where)
    [name] = re.findall(r"\S+\.whl$", told.strip().splitlines()[-1])
    return DIST / Path(name).name


def run(python: str, *arguments: str, **variables: str) -> str:
    """Run an interpreter; return what it prints, or end with it."""
    command = [python, *arguments]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}")
    return done.stdout


if __name__ == "__main__":
    main()
