"""The drop-ins pass the test suites of the packages they stand for; docs/compat.md lists what does not apply."""

from pathlib import Path

import peer_suites
import pytest

DOCS = Path(__file__).parents[1] / "docs"


@pytest.mark.slow
@pytest.mark.parametrize("peer", [*peer_suites.SUITES])
def test_the_peers_own_tests_pass(peer):
    try:
        results = peer_suites.run(peer_suites.SUITES[peer])
    except peer_suites.IndexUnreachableError as error:
        pytest.skip(f"the package index cannot be reached: {error}")
    assert [name for name, result in results.items() if result == "failed"] == []
    assert sum(result == "passed" for result in results.values()) >= peer_suites.SUITES[peer].fewest


def test_the_table_of_exceptions_is_complete():
    table = (DOCS / "compat.md").read_text(encoding="utf-8")
    for peer, suite in peer_suites.SUITES.items():
        for part, reason in suite.not_applicable.items():
            assert f"| {peer} | `{part}` | {reason} |" in table


def test_failures_are_told_from_what_does_not_apply(tmp_path):
    """On a suite of three tests of our own, so that the runner is known to find failures."""
    tests = tmp_path / "suite"
    tests.mkdir()
    (tests / "test_three.py").write_text(
        "import jiwer\n"
        "def test_right(): assert jiwer.wer('a b', 'a c') == 0.5\n"
        "def test_wrong(): assert jiwer.wer('a b', 'a c') == 0\n"
        "def test_listed(): assert jiwer.no_such_thing\n",
        encoding="utf-8",
    )
    suite = peer_suites.Suite("", "jiwer", "tricolore.compat.jiwer", (), not_applicable={"test_listed": "why"})
    results = peer_suites.run_tests(suite, tests)
    assert [*results.values()] == ["passed", "failed", "not applicable: why"]
