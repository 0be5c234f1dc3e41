"""How much CPU time it takes to build the core: all of it, and again after one file of bindings has changed."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import table
from measure import child_usage, output
from table import Options, Row

ROOT = Path(__file__).parents[1]
BINDINGS = sorted((ROOT / "native").glob("bind*.cpp"))


def measure(options: Options) -> Iterator[Row]:
    """CMake as pip runs it, without ccache; time stamps of sources are put back."""
    import nanobind

    os.environ["CCACHE_DISABLE"] = "1"
    tools = str(Path(sys.executable).parent)  # the environment's own CMake and Ninja, as pip uses them
    os.environ["PATH"] = os.pathsep.join([tools, os.environ["PATH"]])
    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "CMAKE_BUILD_TYPE": "Release",
            "Python_EXECUTABLE": sys.executable,
            "nanobind_DIR": nanobind.cmake_dir(),
            "SKBUILD": "2",
        }
        defined = [f"-D{name}={value}" for name, value in settings.items()]
        output(["cmake", "-S", str(ROOT), "-B", folder, "-G", "Ninja", *defined])
        build = ["cmake", "--build", folder]
        yield Row("build: all of the core, CPU", child_usage(build, 1).cpu, bar=90, limit=True)
        size = sum(path.stat().st_size for path in Path(folder).glob("_native*.so")) / 1e6
        yield Row("build: size of the core", size, None, "MB", 2, limit=True)
        taken = {path.name: rebuild(path, build) for path in (BINDINGS[:1] if options.quick else BINDINGS)}
        slowest = max(taken, key=lambda name: taken[name])
        yield Row("build: after a change of one binding file, CPU", taken[slowest], bar=25, limit=True, note=slowest)


def rebuild(path: Path, build: list[str]) -> float:
    """Touch a file and build again."""
    before = path.stat()
    path.touch()
    try:
        return child_usage(build, 1).cpu
    finally:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


if __name__ == "__main__":
    table.main(measure, __doc__)
