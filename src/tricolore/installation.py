"""`doctor`: what is installed, what the core was built with, what is missing for what, and how to get it."""

from __future__ import annotations

import locale
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ._version import __version__
from .extras import EXTRAS, installed
from .platforms import bound_processors
from .processors import available, own_quota
from .readers.sacrebleu_cache import cache_folder, cached_sets
from .results import Page, Result, Table
from .types import Record


@dataclass(frozen=True)
class OptionalPackage:
    """A package that an extra brings: its version if it is installed, what needs it, and the line that installs it."""

    extra: str
    package: str
    version: str | None
    purpose: str
    install: str


@dataclass(frozen=True, repr=False)
class Installation(Result):
    """What a computer has for Tricolore; the result of `doctor`."""

    tricolore: str
    python: str
    system: str
    core: str
    instructions: str | None  #: the level of the processor's instructions that the core uses; None without a core
    numpy: str | None
    cores: int  #: that are used
    cores_present: int
    cores_bound: int  #: that this process may run on
    quota: int | None  #: of its control group, rounded up
    encoding: str
    output_encoding: str
    cache: str
    cached_sets: int
    packages: tuple[OptionalPackage, ...]

    @property
    def missing(self) -> tuple[OptionalPackage, ...]:
        """The optional packages that are not installed."""
        return tuple(one for one in self.packages if one.version is None)

    def __repr__(self) -> str:
        there = len(self.packages) - len(self.missing)
        return f"<Tricolore {self.tricolore}, {there} of {len(self.packages)} optional packages>"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"packages": [asdict(one) for one in self.packages]}

    def facts(self) -> Mapping[str, Sequence[Record]]:
        own = {name: value for name, value in asdict(self).items() if name != "packages"}
        return {
            "facts": [{"name": name, "value": value} for name, value in own.items()],
            "packages": [asdict(one) for one in self.packages],
        }

    def page(self, width: int | None = None) -> Page:
        quota = "" if self.quota is None else f", quota {self.quota}"
        level = "" if self.instructions is None else f", instructions of {self.instructions}"
        sets = "no test sets" if self.cached_sets == 0 else f"test sets for {self.cached_sets} language pairs"
        rows = [
            ["Tricolore", self.tricolore],
            ["Python", self.python],
            ["System", self.system],
            ["Core", self.core + level],
            ["NumPy", self.numpy or "missing; pip install numpy"],
            ["Cores", f"{self.cores} used ({self.cores_present} present, {self.cores_bound} allowed{quota})"],
            ["Encoding", f"{self.encoding} (standard output: {self.output_encoding})"],
            ["sacreBLEU's cache", f"{self.cache} ({sets})"],
        ]
        extras = [
            [one.extra, one.package, one.version or "–", one.purpose, "" if one.version else one.install]
            for one in self.packages
        ]
        notes = ["Scoring text needs no extra; a dash is an optional package that is not installed."]
        if not self.missing:
            notes = ["All optional packages are installed."]
        return Page(
            [
                Table(["What", "Found"], rows, left=2),
                Table(["Extra", "Package", "Installed", "Needed for", "To install"], extras, left=5),
            ],
            notes,
        )


def doctor() -> Installation:
    """Look at the installation: versions, the core, cores, encodings, caches, and which optional packages are missing.

    Nothing is written or fetched, and nothing that is missing is an error.

    >>> import tricolore as tri
    >>> found = tri.doctor()
    >>> found.tricolore == tri.__version__, found.cores >= 1
    (True, True)
    """
    core, instructions = _core()
    return Installation(
        tricolore=__version__,
        python=f"{platform.python_version()} ({platform.python_implementation()}, {sys.executable or 'embedded'})",
        system=f"{platform.system()} {platform.release()}, {platform.machine()}",
        core=core,
        instructions=instructions,
        numpy=_version_of("numpy"),
        cores=available(),
        cores_present=os.cpu_count() or 1,
        cores_bound=bound_processors(),
        quota=own_quota(),
        encoding=locale.getpreferredencoding(False),
        output_encoding=getattr(sys.stdout, "encoding", None) or "unknown",
        cache=cache_folder(),
        cached_sets=_cached_sets(),
        packages=tuple(
            OptionalPackage(
                extra.name,
                distribution,
                _version_of(distribution) if installed(module) else None,
                extra.purpose,
                extra.command,
            )
            for extra in EXTRAS
            for module, distribution in extra.modules
        ),
    )


def _core() -> tuple[str, str | None]:
    """What built the core, and what it uses of the processor; or why it cannot be loaded."""
    try:
        core: Any = import_module("._native", __package__)
    except ImportError as error:
        return f"cannot be loaded ({error})", None
    return f"built by {core.compiler}", core.instructions


def _version_of(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _cached_sets() -> int:
    try:
        return len(cached_sets())
    except OSError:  # a folder that cannot be read
        return 0
