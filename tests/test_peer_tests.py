"""The peers' own tests, from the package index, run against the drop-ins."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "compat"))

import run_peer_tests as runner  # noqa: E402


def page():
    return (ROOT / "docs" / "reference" / "compat.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", runner.PEERS)
def test_the_tests_of_the_peer_pass_and_the_docs_have_the_results(name):
    pytest.importorskip("absl" if name == "rouge-score" else "nltk")
    try:
        report = runner.run(runner.PEERS[name])
    except runner.UnreachableError as error:
        pytest.skip(str(error))
    assert {test: report.reasons[test] for test, one in report.outcomes.items() if one == runner.FAILED} == {}
    assert [line for line in runner.table({name: report}) if line and line not in page()] == []
    exceptions = [why for test, why in report.reasons.items() if report.outcomes[test] == runner.NOT_APPLICABLE]
    assert sum(why != runner.DOWNLOADS for why in exceptions) <= 0.05 * len(report.outcomes)


def test_the_docs_have_the_results_of_every_peer_and_every_reason():
    for peer in runner.PEERS.values():
        assert f"| **{peer.release.replace('==', ' ')}** | all | " in page()
        assert [why for why in peer.exceptions.values() if f"| {why} |" not in page()] == []


def write_tests(folder):
    """A folder of tests, and the package that they are about."""
    tests, source = folder / "tests", folder / "source"
    (source / "peerless").mkdir(parents=True)
    (source / "peerless" / "__init__.py").write_text("def wer(reference, hypothesis): return 0.5\n")
    tests.mkdir()
    (tests / "test_some.py").write_text(
        "import peerless\nimport pytest\nimport unittest\n"
        "def test_bound(): assert peerless.wer.__module__.startswith('tricolore.')\n"
        "def test_wrong(): assert peerless.wer('a b', 'a c') == 0\n"
        "@pytest.mark.parametrize('n', [1, 2])\ndef test_download(n): raise OSError\n"
        "@pytest.mark.skip\ndef test_skipped(): pass\n"
        "class TestTexts(unittest.TestCase):\n"
        "    def test_same(self): self.assertAlmostEqual(7, peerless.wer('a b', 'a c'))\n"
        "    def test_other(self): self.assertAlmostEqual(7, peerless.wer('a b', 'a b'))\n"
        "    def test_none(self): pass\n"
    )
    (tests / "test_unreadable.py").write_text("import peerless.nothing\n")
    return tests, source


def test_the_runner_tells_tests_that_pass_from_others(tmp_path, monkeypatch):
    tests, source = write_tests(tmp_path)
    peer = runner.Peer(
        "peerless==1",
        "peerless",
        "tricolore.compat.jiwer",
        (),
        exceptions={"test_download": "downloads"},
        on_other_texts="TestTexts",
    )
    report = runner.run_in(tests, peer, source)
    assert report.outcomes == {
        "test_unreadable.py": "failed",
        "test_some.py::test_bound": "passed",
        "test_some.py::test_wrong": "failed",
        "test_some.py::test_download[1]": "not applicable",
        "test_some.py::test_download[2]": "not applicable",
        "test_some.py::test_skipped": "not applicable",
        "test_some.py::TestTexts::test_same": "same as the peer",
        "test_some.py::TestTexts::test_other": "failed",
        "test_some.py::TestTexts::test_none": "failed",
    }
    monkeypatch.setitem(runner.PEERS, "peerless", peer)
    table = "\n".join(runner.table({"peerless": report}))
    assert "| **peerless 1** | all | 1 | 1 | 4 | 3 |" in table
    assert "| peerless 1 | `test_some.py::test_download` | 2 | downloads |" in table


def test_an_index_that_cannot_be_reached_is_told_from_a_failure(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(runner.UnreachableError, match=r"peerless==1 could not be downloaded"):
        runner.download("peerless==1", tmp_path)
