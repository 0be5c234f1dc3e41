"""The peers' own tests, from the package index, run against the drop-ins."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "compat"))

import run_peer_tests  # noqa: E402


@pytest.mark.slow
@pytest.mark.parametrize("name", run_peer_tests.PEERS)
def test_the_tests_of_the_peer_pass_and_the_docs_have_the_results(name):
    try:
        report = run_peer_tests.run(name)
    except run_peer_tests.UnreachableError as error:
        pytest.skip(str(error))
    failed = {test: report.reasons[test] for test, one in report.outcomes.items() if one == run_peer_tests.FAILED}
    assert failed == {}
    assert report.number(run_peer_tests.PASSED) > 0
    page = (ROOT / "docs" / run_peer_tests.PEERS[name].page).read_text(encoding="utf-8")
    assert [line for line in run_peer_tests.table({name: report}) if line and line not in page] == []


def test_the_runner_tells_tests_that_pass_from_others(tmp_path, monkeypatch):
    (tmp_path / "test_some.py").write_text(
        "import peerless.metrics\nimport pytest\n"
        "def test_bound(): assert peerless.metrics.BLEU.__module__.startswith('tricolore.')\n"
        "def test_wrong(): assert peerless.BLEU is None\n"
        "@pytest.mark.parametrize('n', [1, 2])\ndef test_download(n): raise OSError\n"
        "@pytest.mark.skip\ndef test_skipped(): pass\n"
    )
    (tmp_path / "test_unreadable.py").write_text("import peerless.nothing\n")
    peer = run_peer_tests.Peer(
        "1", "tricolore.compat.sacrebleu", "no.md", (".",), "peerless", exceptions={"test_download": "downloads"}
    )
    monkeypatch.setitem(run_peer_tests.PEERS, "peerless", peer)
    script = tmp_path / "script.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(ROOT / 'compat')!r})\n"
        "import run_peer_tests as r\nfrom pathlib import Path\n"
        f"r.PEERS['peerless'] = r.{peer!r}\nr.run_bound('peerless', Path(sys.argv[-1]))\n"
    )
    monkeypatch.setattr(run_peer_tests, "__file__", str(script))
    report = run_peer_tests.run_in("peerless", tmp_path)
    assert report.outcomes == {
        "test_unreadable.py": "failed",
        "test_some.py::test_bound": "passed",
        "test_some.py::test_wrong": "failed",
        "test_some.py::test_download[1]": "not applicable",
        "test_some.py::test_download[2]": "not applicable",
        "test_some.py::test_skipped": "not applicable",
    }
    table = "\n".join(run_peer_tests.table({"peerless": report}))
    assert "| **peerless 1** | all | 1 | 2 | 3 |" in table
    assert "| peerless 1 | `test_some.py::test_download` | 2 | downloads |" in table
