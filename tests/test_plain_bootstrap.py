"""Intervals of short corpora without NumPy: the same numbers as with it."""

import subprocess
import sys
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tricolore as tri
from tricolore.draws import pcg64_state
from tricolore.judge.significance import plain_bootstrap
from tricolore.judge.significance.percentiles import interval_of
from tricolore.judge.significance.plain_bootstrap import pairwise_sum, percentile_interval

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "two", "dogs", "that", "ran", "away", "."]


@given(st.integers(0, 2**128 - 1))
def test_states_are_those_of_numpy(seed):
    state = np.random.PCG64(seed).state["state"]
    assert pcg64_state(seed) == (state["state"], state["inc"])


@given(st.integers(1, 2000), st.integers(0, 1000))
def test_sums_are_those_of_numpy(number, seed):
    numbers = np.random.default_rng(seed).normal(size=number) * 1e3
    assert pairwise_sum(numbers.tolist()) == numbers.sum()


@given(st.integers(2, 2000), st.integers(0, 1000), st.floats(0.01, 0.99))
def test_intervals_are_those_of_numpy(number, seed, level):
    scores = np.random.default_rng(seed).normal(size=number).round(2)  # with ties
    expected, found = interval_of(scores, level), percentile_interval(scores.tolist(), level)
    assert astuple(found) == astuple(expected)


@pytest.fixture
def files(tmp_path):
    """A corpus, as texts and as files."""
    rng = np.random.default_rng(3)
    texts = [[" ".join(rng.choice(WORDS, rng.integers(1, 20))) for _ in range(300)] for _ in range(3)]
    paths = [tmp_path / name for name in ("hyp", "ref", "other")]
    for path, lines in zip(paths, texts, strict=True):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return texts, paths


@pytest.mark.parametrize("metrics", [["bleu"], ["chrf"], ["bleu", "bleu(order=2)", "chrf++", "wer"]])
def test_files_have_the_intervals_of_texts(files, metrics, monkeypatch):
    (hyps, refs, _), (hyp, ref, _) = files
    used = []
    plain = plain_bootstrap.tested_plainly
    monkeypatch.setattr(plain_bootstrap, "tested_plainly", lambda *given: used.append(1) or plain(*given))
    expected = tri.score(hyps, refs, metrics, confidence=True, resamples=500)
    assert not used
    found = tri.score(hyp, ref, metrics, confidence=True, resamples=500)
    assert used
    assert [cell.to_dict(False) | {"system": ""} for cell in found.cells] == [
        cell.to_dict(False) | {"system": ""} for cell in expected.cells
    ]
    assert str(found) == str(expected)


def test_what_is_no_short_corpus_goes_through_numpy(files, monkeypatch):
    (hyps, refs, others), (hyp, ref, other) = files
    monkeypatch.setattr(plain_bootstrap, "tested_plainly", None)
    several = [[*pair] for pair in zip(refs, others, strict=True)]
    for text, file, how in (
        (several, [ref, other], {"metrics": "chrf", "confidence": True}),
        (refs, ref, {"metrics": "ter", "confidence": True}),
        (refs, ref, {"metrics": "bleu", "confidence": True, "resamples": 3000}),
        (refs, ref, {"metrics": "bleu", "confidence": True, "compat": "sacrebleu"}),
    ):
        expected, found = tri.score(hyps, text, **how), tri.score(hyp, file, **how)
        assert found.cells[0].beside.confidence.interval == expected.cells[0].beside.confidence.interval


def test_rows_of_several_blocks_are_joined(files, monkeypatch):
    (hyps, refs, _), (hyp, ref, _) = files
    monkeypatch.setattr("tricolore.readers.text_streams.BLOCK", 128)
    expected, found = (tri.score(*pair, "bleu", confidence=True) for pair in ((hyps, refs), (hyp, ref)))
    assert found.cells[0].beside.confidence.interval == expected.cells[0].beside.confidence.interval


def test_the_command_loads_no_numpy_for_intervals(files):
    _, (hyp, ref, _) = files
    code = "import sys; from tricolore.cli import run; run(sys.argv[1:]); print('numpy' in sys.modules)"
    command = [sys.executable, "-c", code, "score", str(ref), "-i", str(hyp), "-m", "bleu", "chrf", "-ci"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.endswith("False\n")


ROUGE = ("rouge-1", "rouge-2(beta=1)", "rouge-l(compat=rouge-score, stem=true)", "rouge-s(multi_ref=max_pr)")


def test_rouge_of_few_segments_needs_no_numpy(files):
    (hyps, refs, _), (hyp, ref, _) = files
    code = (
        "import sys, tricolore as tri\n"
        "found = tri.score(*sys.argv[1:3], sys.argv[3:])\n"
        "print(*(one.hex() for one in found), 'numpy' in sys.modules)"
    )
    command = [sys.executable, "-c", code, str(hyp), str(ref), *ROUGE]
    assert np is not None  # here the same goes through NumPy
    expected = [score.hex() for score in tri.score(hyps, refs, ROUGE)]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert found == [*expected, "False"]
