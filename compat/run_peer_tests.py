"""Run the peers' own tests against the drop-ins of `tricolore.compat`.

    python compat/run_peer_tests.py                    # every peer
    python compat/run_peer_tests.py sacrebleu --table  # the tables of its page in docs/

The source distribution of a peer comes from the package index, into a temporary folder. Its tests run with the peer's
name bound to the drop-in. Each test has passed, failed, or is not applicable, for a reason that stands in PEERS.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PASSED, FAILED, NOT_APPLICABLE = "passed", "failed", "not applicable"


@dataclass(frozen=True)
class Peer:
    """A package with tests, and the drop-in for it."""

    version: str
    drop_in: str  #: the module that takes the place of the package
    page: str  #: the page of docs/ that has the results
    tests: tuple[str, ...]  #: files or folders with tests, in the source distribution
    package: str = ""  #: the name that is bound to the drop-in, if it is not that of the distribution
    exceptions: dict[str, str] = field(default_factory=dict)  #: a pattern of tests' names -> why they do not apply


DOWNLOADS = "downloads a test set; the drop-in hands test sets over to sacreBLEU itself"

PEERS = {
    "sacrebleu": Peer(
        version="2.6.0",
        drop_in="tricolore.compat.sacrebleu",
        page="coming-from-sacrebleu.md",
        tests=("test",),
        exceptions={
            r"test_api\.py::test_api_get_(source|reference)": DOWNLOADS,
            r"test_dataset\.py::": DOWNLOADS,
        },
    ),
}


class UnreachableError(Exception):
    """The package index cannot be reached, or does not have the distribution."""


@dataclass
class Report:
    """The outcome of every test of a peer, by its name; reasons of those that failed or do not apply."""

    outcomes: dict[str, str]
    reasons: dict[str, str]

    def number(self, outcome: str) -> int:
        """How many tests had this outcome."""
        return sum(one == outcome for one in self.outcomes.values())


def run(name: str) -> Report:
    """Get a peer's source distribution and run its tests."""
    with tempfile.TemporaryDirectory() as folder:
        return run_in(name, unpacked(name, Path(folder)))


def unpacked(name: str, folder: Path) -> Path:
    """Download a peer's source distribution and unpack it."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-binary", ":all:", "--no-deps"]
    command += ["--dest", str(folder), f"{name}=={PEERS[name].version}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=400)
    archives = [*folder.glob("*.tar.gz")]
    if done.returncode or len(archives) != 1:
        last = (done.stderr.strip() or done.stdout.strip() or "nothing was downloaded").splitlines()[-1]
        raise UnreachableError(f"{name} {PEERS[name].version} could not be downloaded: {last}")
    with tarfile.open(archives[0]) as archive:
        archive.extractall(folder, filter="data")
    return next(one for one in folder.iterdir() if one.is_dir())


def run_in(name: str, folder: Path) -> Report:
    """Run a peer's tests, in a process of their own because names are bound there."""
    with tempfile.TemporaryDirectory() as results:
        result = Path(results) / "report.json"
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = [sys.executable, __file__, name, "--inside", str(result)]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=1200
        )
        if not result.exists():
            raise RuntimeError(f"{name}: the tests could not be run:\n{done.stdout}{done.stderr}")
        return Report(**json.loads(result.read_text(encoding="utf-8")))


def run_bound(name: str, result: Path) -> None:
    """Run the tests in the current folder with the peer's name bound to the drop-in; write the report."""
    import pytest

    peer = PEERS[name]
    bind(peer.package or name, peer.drop_in)
    listener = Listener(peer)
    flags = ["-q", "-c", os.devnull, "--rootdir", ".", "-p", "no:cacheprovider", "-p", "no:xdist"]
    flags += ["--continue-on-collection-errors"]
    pytest.main([*flags, *peer.tests], plugins=[listener])
    report = {"outcomes": listener.outcomes, "reasons": listener.reasons}
    result.write_text(json.dumps(report), encoding="utf-8")


def bind(package: str, drop_in: str) -> None:
    """Let a name, and those of all its modules, stand for the drop-in and its modules."""
    from importlib import import_module
    from pkgutil import walk_packages

    top: Any = import_module(drop_in)
    names = [one.name for one in walk_packages(getattr(top, "__path__", ()), f"{drop_in}.")]
    for name in (drop_in, *names):
        sys.modules[package + name.removeprefix(drop_in)] = import_module(name)


class Listener:
    """What pytest tells about each test."""

    def __init__(self, peer: Peer):
        self.peer = peer
        self.outcomes: dict[str, str] = {}
        self.reasons: dict[str, str] = {}

    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
        """Leave out tests that do not apply."""
        kept = []
        for item in items:
            why = next((why for what, why in self.peer.exceptions.items() if re.search(what, item.nodeid)), None)
            if why is None:
                kept.append(item)
            else:
                self.outcomes[item.nodeid], self.reasons[item.nodeid] = NOT_APPLICABLE, why
        items[:] = kept

    def pytest_collectreport(self, report: Any) -> None:
        """A file that cannot be read has failed, as a whole."""
        if report.failed:
            self.outcomes[report.nodeid], self.reasons[report.nodeid] = FAILED, str(report.longrepr)[-2000:]

    def pytest_runtest_logreport(self, report: Any) -> None:
        """A test has passed if it was called and nothing about it failed."""
        if report.failed:
            self.outcomes[report.nodeid], self.reasons[report.nodeid] = FAILED, str(report.longrepr)[-2000:]
        elif report.skipped:
            self.outcomes[report.nodeid], self.reasons[report.nodeid] = NOT_APPLICABLE, "skipped by the peer's own mark"
        elif report.when == "call":
            self.outcomes[report.nodeid] = PASSED


def table(reports: dict[str, Report]) -> list[str]:
    """The results in Markdown: a row for each peer and file of tests, then every exception with its reason."""
    lines = ["| peer | tests | passed | failed | not applicable |", "| :-- | :-- | --: | --: | --: |"]
    exceptions = ["", "| peer | tests | number | why they do not apply |", "| :-- | :-- | --: | :-- |"]
    for name, report in reports.items():
        title = f"{name} {PEERS[name].version}"
        files = sorted({test.partition("::")[0] for test in report.outcomes})
        for file in files:
            of_file = Counter(one for test, one in report.outcomes.items() if test.partition("::")[0] == file)
            numbers = " | ".join(str(of_file[one]) for one in (PASSED, FAILED, NOT_APPLICABLE))
            lines.append(f"| {title} | `{file}` | {numbers} |")
        numbers = " | ".join(str(report.number(one)) for one in (PASSED, FAILED, NOT_APPLICABLE))
        lines.append(f"| **{title}** | all | {numbers} |")
        left_out = [test for test, one in report.outcomes.items() if one == NOT_APPLICABLE]
        groups = Counter((test.partition("[")[0], report.reasons[test]) for test in left_out)
        exceptions += [f"| {title} | `{test}` | {number} | {why} |" for (test, why), number in sorted(groups.items())]
    return lines + exceptions


def main() -> int:
    """Run what was asked for; leave with 1 if a test failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peers", nargs="*", metavar="PEER", help=f"peers to run, of {', '.join(PEERS)} (default: all)")
    parser.add_argument("--table", action="store_true", help="print the results as a table in Markdown")
    parser.add_argument("--source", type=Path, metavar="FOLDER", help="an unpacked source distribution, of one peer")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if unknown := [name for name in given.peers if name not in PEERS]:
        parser.error(f"unknown peer {unknown[0]!r}; expected one of {', '.join(PEERS)}")
    if given.source is not None and len(given.peers) != 1:
        parser.error("--source requires the name of one peer")
    if given.inside is not None:
        run_bound(given.peers[0], given.inside)
        return 0
    reports = {}
    for name in given.peers or PEERS:
        report = reports[name] = run_in(name, given.source) if given.source else run(name)
        print(f"{name}: " + ", ".join(f"{report.number(one)} {one}" for one in (PASSED, FAILED, NOT_APPLICABLE)))
        for test, outcome in report.outcomes.items():
            if outcome == FAILED:
                print(f"FAILED {test}\n{report.reasons[test]}")
    if given.table:
        print(*table(reports), sep="\n")
    return int(any(report.number(FAILED) for report in reports.values()))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UnreachableError as error:
        sys.exit(str(error))
