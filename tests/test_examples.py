"""Segments on which two systems differ most."""

import numpy as np
import pytest
from report_data import corpus

import tricolore as tri
from tricolore.cli import run


@pytest.fixture
def compared():
    outputs, refs = corpus(40)
    return tri.compare(outputs, refs, ["bleu", "ter"], trials=50, resamples=20), outputs, refs


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_the_largest_differences_come_first(compared, metric):
    found, outputs, refs = compared
    made = found.examples(4, "good", "poor", metric)
    good, poor = (100 * tri.metric(metric).segments(outputs[name], refs) for name in ("good", "poor"))
    order = np.argsort(-np.abs(good - poor), kind="stable")[:4]
    assert [one.segment for one in made.found] == [i + 1 for i in order]
    assert [one.difference for one in made.found] == pytest.approx((good - poor)[order].tolist())
    assert made.found[0].alignments[1] == tri.align(outputs["poor"][order[0]], refs[order[0]])
    assert len(made.to_dict()["examples"]) == len(made.records()) == 4


def test_the_two_best_systems_are_compared_unless_others_are_named(compared):
    found, _, _ = compared
    assert found.examples().systems == tuple(one.name for one in found["bleu"].systems[:2])
    assert found.examples(second=found["bleu"].systems[0].name).systems[1] == found["bleu"].systems[0].name
    with pytest.raises(tri.TricoloreError, match="nobody"):
        found.examples(first="nobody")


def test_the_closest_reference_is_aligned_and_equal_outputs_are_no_example():
    found = tri.compare({"a": ["x y", "b"], "b": ["x z", "b"]}, [["q", "x y"], ["b"]], "chrf", trials=9, resamples=9)
    made = found.examples(5, "a", "b")
    assert [one.segment for one in made.found] == [1]
    assert made.found[0].alignments[0].edits == 0 and made.found[0].alignments[1].reference == ("x", "y")


def test_scores_and_runs_have_no_examples(compared):
    with pytest.raises(tri.InputError, match="examples need the texts"):
        tri.compare_scores({"a": [1, 2, 3], "b": [2, 2, 4]}).examples()


def test_command(compared, tmp_path, capsys):
    _, outputs, refs = compared
    for name, texts in {"ref": refs, **outputs}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(texts) + "\n")
    paths = [str(tmp_path / f"{name}.txt") for name in ("ref", "good", "poor")]
    command = ["compare", paths[0], "-i", *paths[1:], "--trials", "9", "--resamples", "9", "-q", "--examples", "2"]
    assert run(command) == 0
    out = capsys.readouterr().out
    assert "Segments on which good and poor differ most by BLEU:" in out and out.count("\nsegment ") == 2
    assert "REF: " in out and "HYP: " in out
    assert run([*command, "-f", "json"]) == 2
    assert "--examples prints texts and their alignment; it does not go with -f json" in capsys.readouterr().err
