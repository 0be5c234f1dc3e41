"""The tables of the studies in the documentation are what the commands print."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from study_tables import ROOT, STUDIES, command, documented, parts, table

pytestmark = pytest.mark.study


#: These take several minutes each; run study_tables.py to check them.
LONG = ("tuning-sets", "tuning-smoothings")


@pytest.mark.parametrize("name", [name for name in STUDIES if name not in LONG])
def test_documented_tables(name, shared):
    assert table(name, shared / "data") == documented(name)


def test_orange_of_all_sentences(shared, tmp_path):
    nbest, refs, tok, _ = parts(shared / "data", tmp_path / "lists")["all"]
    words = [sys.executable, "-m", "tricolore", "orange", *nbest, *refs, *tok, "-f", "markdown"]
    printed = subprocess.run(words, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    page = (ROOT / "docs" / "explanations" / "orange.md").read_text("utf-8")
    lines = [line for line in printed.splitlines() if line.startswith("|")]
    assert len(lines) == 36 and "\n".join(lines) in page


def test_what_transfers_between_halves(shared, tmp_path):
    """As docs/explanations/orange.md says: significant differences in halves and in the whole, and correlated ranks."""
    from scipy.stats import spearmanr

    found = [
        command("orange", *nbest, *refs, *tok, "--test")
        for nbest, refs, tok, _ in parts(shared / "data", tmp_path / "lists").values()
    ]
    whole, first, last = ({(p["better"], p["worse"]) for p in one["pairs"] if p["p_holm"] < 0.05} for one in found)
    assert (len(first), len(last), len(whole), len(found[0]["pairs"])) == (0, 26, 19, 561)
    values = [[one["orange"] for one in half["metrics"]] for half in found[1:]]
    assert round(spearmanr(*np.round(values, 9)).statistic, 2) == 0.05
