"""Rows add, and know how they were counted."""

import dataclasses
import pickle
from dataclasses import dataclass

import numpy as np
import pytest

from tricolore import BLEU, NIST, PER, WER, ChrF, InputError, InputTypeError, SpecError, Stats, confidence, metric
from tricolore.judge.significance.intervals import confidence_of
from tricolore.parameters import Whole, param

HYPS = ["the cat sat on the mat", "a dog ran", "yes"]
REFS = ["the cat is on the mat", "the dog ran fast", "no"]


def rows(of, hyps=HYPS, refs=REFS):
    return metric(of).stats(hyps, refs)


# Zero --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("zero", [0, 0.0, np.float64(0), False])
def test_zero_may_stand_on_either_side(zero):
    total = rows("bleu").sum()
    assert (total + zero) is total
    assert zero + total is total or isinstance(zero, np.float64)  # which NumPy adds by itself
    assert sum([total, total], start=0).values.tolist() == (2 * total.values).tolist()


@pytest.mark.parametrize("other", [1, 0.5, "x", None, [], {}])
def test_nothing_else_adds(other):
    total = rows("bleu").sum()
    with pytest.raises(TypeError, match="unsupported operand"):
        total + other
    with pytest.raises(TypeError):
        other + total


def test_rows_of_different_shapes_do_not_add():
    with pytest.raises(InputError, match=r"\(3, 3\) and \(3,\); sum\(\) both first"):
        rows("wer") + rows("wer").sum()
    with pytest.raises(InputError, match=r"\(3, 3\) and \(2, 3\)"):
        rows("wer") + rows("wer")[:2]


# How they were counted ---------------------------------------------------------------------------------------


def test_the_error_names_both_and_what_differs():
    for counted, scored, message in (
        ("wer", "per", "rows counted by wer cannot be scored by per"),
        (
            "wer(tokenize=13a)",
            "per",
            "rows counted by wer(tokenize=13a) cannot be scored by per(tokenize=none)",
        ),
        ("bleu", "bleus(tokenize=none)", "rows counted by bleu(tokenize=13a) cannot be scored by bleus(tokenize=none)"),
        ("bleu", "bleu(smooth=7)", "bleu(smooth=7) needs match_5, which these rows do not have; "
         "count them with bleu(smooth=7)"),
    ):  # fmt: skip
        with pytest.raises(InputError) as error:
            metric(scored).result(rows(counted).sum())
        assert str(error.value) == message
        with pytest.raises(InputError):
            metric(scored).score(rows(counted))
    with pytest.raises(InputError) as error:
        rows("wer(tokenize=13a)") + rows("wer")
    assert str(error.value) == "rows counted by wer(tokenize=13a) cannot be added to rows counted by wer(tokenize=none)"
    with pytest.raises(InputError, match="cannot be added to"):
        Stats.joined([rows("bleu"), rows("bleu(lowercase=true)")])


@pytest.mark.parametrize(
    "other",
    ["bleu(smooth=2)", "bleu(smooth=none, short=effective)", "bleu(weights=[1, 1, 1, 1])", "bleu(order=2)", "bleus"],
)
def test_rows_of_bleu_are_scored_by_what_counts_alike(other):
    made = metric(other)
    assert made.result(rows("bleu").sum()).parts == made(HYPS, REFS).parts
    assert made.for_segments.score(rows("bleu")).tolist() == made.segments(HYPS, REFS).tolist()
    assert made.result(rows("bleu").sum()).signature == made(HYPS, REFS).signature


def test_rows_with_more_columns_hold_those_of_others():
    counted = rows("bleu-sbp(smooth=7, order=6, ref_len=closest)")
    for text in ("bleu", "bleu(smooth=7)", "bleus(order=6)", "bleu-sbp(ref_len=closest)"):
        made = metric(text)
        assert float(made.result(counted.sum())) == float(made(HYPS, REFS))
    found = confidence_of(BLEU(), counted, resamples=50)
    assert found.interval == confidence("bleu", HYPS, REFS, resamples=50).interval


def test_of_several_references_the_score_chooses():
    """chrF takes the reference with the best F, so that with several references β decides what is counted."""
    one, several = ChrF(beta=3).stats(HYPS, REFS), ChrF(beta=3).stats(HYPS, [[ref, "a b"] for ref in REFS])
    assert float(ChrF().result(one.sum())) == float(ChrF()(HYPS, REFS))
    for total in (one.sum() + several.sum(), several.sum() + one.sum(), several.sum()):
        assert float(ChrF(beta=3).result(total)) > 0
        with pytest.raises(InputError, match=r"rows counted by chrf\(beta=3\) cannot be scored by chrf\(beta=2\)"):
            ChrF().result(total)
    assert (one.sum() + ChrF().stats(HYPS, REFS).sum()).nrefs == (1, 1)


def test_versions_of_tokenizers_count():
    counted = rows("bleu(tokenize=intl)").sum()
    older = Stats(counted.values, counted.columns, counted.nrefs, {**counted.counting, "tokenize": "intl-unicode9.0"})
    with pytest.raises(InputError, match=r"rows counted by bleu\(tokenize=intl-unicode9.0\) cannot be scored by bleu"):
        metric("bleu(tokenize=intl)").result(older)


def test_how_ids_would_be_tokenised_does_not_matter():
    ids = [[1, 2, 3, 4, 5]], [[1, 2, 3, 4, 6]]
    counted = BLEU(tokenize="none").stats(*ids).sum()
    assert str(BLEU(lowercase=True).result(counted)) == str(BLEU()(*ids))
    assert "|tok:ids|" in BLEU().result(counted).signature


def test_a_metric_that_declares_nothing_scores_its_own_rows_only():
    @dataclass(frozen=True, repr=False)
    class Plain(BLEU):
        name = "plain"
        scoring_parameters = ()
        depth: int = param(1, Whole(1, 9), "does nothing")

    counted = Plain().stats(HYPS, REFS).sum()
    assert float(Plain().result(counted)) == float(BLEU()(HYPS, REFS))
    for other in (Plain(depth=2), Plain(smooth=2), BLEU()):
        with pytest.raises(InputError, match=r"rows counted by plain.* cannot be scored by"):
            other.result(counted)


# Made by hand ------------------------------------------------------------------------------------------------


def test_rows_made_by_hand_are_what_their_columns_say():
    counted = rows("wer")
    mine = Stats(counted.values.tolist(), counted.columns)
    assert mine.counting == {} and not mine.ids and mine.nrefs is None
    for made in (WER(), PER(), WER(tokenize="13a")):
        assert made.score(mine.sum()) == WER().score(counted.sum())
    assert (mine + counted).counting == (counted + mine).counting == counted.counting
    with pytest.raises(InputError, match="expected rows of edits, hyp_len, ref_len, got hyp_len, edits, ref_len"):
        WER().score(Stats(counted.values, ("hyp_len", "edits", "ref_len")))
    with pytest.raises(InputError, match="expected rows of edits, hyp_len, ref_len, got edits, shifts, hyp_len"):
        WER().score(Stats(np.zeros(4), metric("ter").columns))  # a column by the name of another metric's


def test_named_columns_of_a_data_frame_must_be_the_metric_s():
    class Frame:
        def __init__(self, values, columns):
            self.values, self.columns = values, np.array(columns)

        def __array__(self, dtype=None, copy=None):
            return self.values

    counted = rows("wer")
    assert WER().score(Frame(counted.values, counted.columns)).tolist() == WER().score(counted).tolist()
    with pytest.raises(InputError, match="expected rows of edits, hyp_len, ref_len, got ref_len, hyp_len, edits"):
        WER().score(Frame(counted.values[:, ::-1], counted.columns[::-1]))


@pytest.mark.parametrize("values", ["x", ["a"], [[1], [1, 2]], object(), {"a": 1}])
def test_what_is_no_array_of_numbers_is_refused(values):
    with pytest.raises(InputTypeError, match="expected rows of statistics, an array of numbers"):
        Stats(values, ("x",))
    with pytest.raises(InputTypeError, match="expected rows of statistics, an array of numbers"):
        BLEU().result(values)


@pytest.mark.parametrize("values", [None, 3.0, [], [[1.0, 2.0]]])
def test_columns_must_fit(values):
    with pytest.raises(InputError, match="on the last axis, got an array of shape"):
        Stats(values, ("x",))
    with pytest.raises(InputError, match="on the last axis, got an array of shape"):
        BLEU().score(values)


def test_nothing_to_join():
    with pytest.raises(InputError, match="at least one part"):
        Stats.joined([])


# What was learnt ---------------------------------------------------------------------------------------------


def test_nist_counted_part_by_part_without_preparing_is_refused():
    parts = [NIST().stats([hyp], [ref]).sum() for hyp, ref in zip(HYPS, REFS, strict=True)]
    with pytest.raises(InputError, match=r"nist\(information=\w+\) cannot be added to .*; call prepare\(refs\) with"):
        sum(parts)
    for total in (parts[0], parts[0].values):
        with pytest.raises(InputError, match=r"of n-grams is not part of summed rows; call prepare\(refs\)"):
            NIST().result(total)
    with pytest.raises(InputError, match=r"cannot be scored by nist\(information=none\); call prepare"):
        NIST().score(parts[0])
    with pytest.raises(InputError, match=r"nist\(information=\w+\) cannot be scored by nist\(information=\w+\); call"):
        NIST().prepare(REFS).result(parts[0])


def test_nist_prepared_counts_part_by_part():
    nist = NIST().prepare(REFS)
    whole = NIST()(HYPS, REFS)
    for ready in (nist, pickle.loads(pickle.dumps(nist)), NIST().prepare(REFS), dataclasses.replace(nist, beta=2.0)):
        parts = [ready.stats([hyp], [ref]).sum() for hyp, ref in zip(HYPS, REFS, strict=True)]
        score = nist.result(sum(parts))
        assert float(score) == pytest.approx(float(whole))
        assert score.signature == whole.signature
        assert "unknown" not in score.signature
    # rows of a whole corpus are those of a metric prepared with it
    assert float(nist.result(NIST().stats(HYPS, REFS).sum())) == float(whole)


@pytest.mark.parametrize(
    ("one", "other"), [(["a b", "c"], ["x y", "z"]), (["a b"], ["b a"]), (["ab c"], ["a bc"]), (["a a b"], ["a b b"])]
)
def test_other_references_teach_other_information(one, other):
    digests = {NIST().prepare(refs).information.digest for refs in (one, other, list(one))}
    assert len(digests) == 2


@pytest.mark.parametrize("information", [3, "x", [], object(), True, float("nan"), np.float64(1)])
def test_information_is_not_a_parameter(information):
    with pytest.raises(SpecError, match=r"nist: information is learnt by prepare\(refs\), not given; got"):
        NIST(information=information)
