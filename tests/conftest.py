"""Options, profiles and fixtures that all tests share."""

import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))  # so that tests can import oracles and strategies

SHARED = Path(__file__).parents[1].parent / "shared"

settings.register_profile(
    "default",
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("quick", settings.get_profile("default"), max_examples=25)  # make test
settings.register_profile("thorough", settings.get_profile("default"), max_examples=3000)
settings.load_profile("default")


def pytest_addoption(parser):
    parser.addoption("--vectors", metavar="FILE", help="golden vectors (default: ../shared/vectors.json)")


def pytest_configure(config):
    # What a shell runs in the background ignores Ctrl-C, and so would every process that a test starts.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # What nohup runs ignores that its terminal is gone. So does a handler, but what a test starts does not inherit it.
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)
    given = config.getoption("--vectors", None)
    if given is not None and not Path(given).is_file():
        raise pytest.UsageError(f"--vectors: there is no file {given}")


@pytest.fixture(scope="session")
def shared():
    """The folder of shared data."""
    if not SHARED.is_dir():
        pytest.skip("../shared is not here")
    return SHARED


@pytest.fixture(scope="session")
def lines(shared):
    """Read the lines of a file below ../shared/data."""

    def read(name):
        return (shared / "data" / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")

    return read


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """The example corpus as files in the current folder."""
    from tricolore.examples import REFERENCES, SYSTEMS, lines

    monkeypatch.chdir(tmp_path)
    for name in (*SYSTEMS, *REFERENCES):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines(name)) + "\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def demo(tmp_path, monkeypatch, capsys):
    """Everything that ships with the package as examples, as files in the current folder."""
    from tricolore.cli import run

    assert run(["demo", "--write", str(tmp_path / "texts")]) == 0
    monkeypatch.chdir(tmp_path / "texts")
    capsys.readouterr()
    return tmp_path / "texts"
