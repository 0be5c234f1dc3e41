"""Hypotheses and references in: nothing is guessed, and errors name the segment."""

from array import array
from functools import partial

import numpy as np
import pytest

from tricolore import BLEU, NIST, WER, CharBLEU, DocumentBLEU, InputError, InputTypeError, References
from tricolore.metrics.base import BATCH

METRICS = [BLEU(), BLEU(lowercase=True), DocumentBLEU(), CharBLEU(), NIST()]


def ways(metric):
    return metric, metric.stats, metric.segments


def refused(error, hyps, refs, *parts):
    """Every metric refuses this in every way to call it, with these words in the message."""
    for metric in METRICS:
        for way in ways(metric):
            with pytest.raises(error) as caught:
                way(hyps, refs)
            message = str(caught.value)
            assert all(part in message for part in parts), f"{metric}: {message}"
            assert "\n" not in message


# Shapes that are refused -------------------------------------------------------------------------------------


def test_bare_string_for_hypotheses():
    refused(InputTypeError, "a b", ["a b"], "hypotheses", "one string", "put it in a list")


def test_bare_string_for_references():
    refused(InputTypeError, ["a b"], "a b", "references", "one string", "put it in a list")


def test_bare_strings_of_equal_length():
    refused(InputTypeError, "abc", "abd", "one string")


@pytest.mark.parametrize("thing", [None, 5, {"a": "b"}, {"a"}, frozenset({"a"}), {"a": "b"}.keys(), b"a"])
def test_not_a_sequence(thing):
    refused(InputTypeError, thing, ["a"], "hypotheses: expected a list")
    refused(InputTypeError, ["a"], thing, "references: expected a list")


def test_unequal_lengths():
    refused(InputError, ["a", "b", "c"], ["a", "b"], "3 hypotheses", "references for 2 segments")
    refused(InputError, ["a"], [["a"], ["b"]], "1 hypothesis ", "references for 2 segments")


def test_transposed_references():
    hyps, streams = ["a", "b", "c"], [["a", "b", "c"], ["x", "y", "z"]]
    refused(InputError, hyps, streams, "2 reference streams of 3 segments", "References.from_streams")
    refused(InputError, hyps, [tuple(stream) for stream in streams], "References.from_streams")
    assert float(BLEU(order=1)(hyps, References.from_streams(streams))) == pytest.approx(1)


def test_no_hint_at_streams_where_there_are_none():
    with pytest.raises(InputError) as caught:
        BLEU()(["a", "b", "c"], ["a", "b"])
    assert "from_streams" not in str(caught.value)


def test_one_stream_in_a_list():
    """The commonest mistake: sacreBLEU's [refs]."""
    refused(InputError, ["a", "b"], [["a", "b"]], "1 reference streams of 2 segments", "References.from_streams")


# Entries that are refused ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("thing", "kind"), [(5, "int"), (b"b", "bytes"), (["b"], "list"), (1.5, "float")])
def test_hypothesis_that_is_not_text(thing, kind):
    refused(InputTypeError, ["a", thing, "c"], ["a", "b", "c"], "hypothesis 1", "expected a string", f"got {kind}")


def test_hypothesis_none():
    refused(InputTypeError, ["a", None], ["a", "b"], "hypothesis 1", "got None", "empty string")


@pytest.mark.parametrize(
    ("thing", "kind"),
    [
        (5, "int"),
        (b"b", "bytes"),
        ({"b": 1}, "dict"),
        ({"b"}, "set"),
        (iter(["b"]), "list_iterator"),
        (np.array([b"b"]), "ndarray of |S1"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_references_that_are_not_text(thing, kind):
    refused(InputTypeError, ["a", "b"], ["a", thing], "references of segment 1", f"got {kind}")


@pytest.mark.parametrize(("thing", "kind"), [(5, "int"), (b"b", "bytes"), (["b"], "list"), (("b",), "tuple")])
def test_one_reference_that_is_not_text(thing, kind):
    refused(InputTypeError, ["a", "b"], ["a", ["b", thing]], "reference 1 of segment 1", f"got {kind}")


@pytest.mark.parametrize("entry", [[], (), [None], [None, None], None], ids=repr)
def test_segment_without_any_reference(entry):
    refused(InputError, ["a", "b", "c"], ["a", "b", entry], "segment 2 has no reference")


def test_nothing_to_score():
    for metric in METRICS:
        with pytest.raises(InputError, match="nothing to score"):
            metric([], [])


def test_no_segments_have_no_rows():
    for metric in METRICS:
        assert metric.stats([], []).values.shape == (0, len(metric.columns))
        assert metric.segments([], []).shape == (0,)


@pytest.mark.parametrize("metric", METRICS, ids=str)
@pytest.mark.parametrize("at", [0, 255, 256, BATCH - 1, BATCH, BATCH + 1, 2 * BATCH + 5])
def test_errors_name_the_segment_in_any_batch(metric, at):
    size = 2 * BATCH + 10
    hyps, refs = ["a"] * size, ["a"] * size
    hyps[at] = None
    with pytest.raises(InputTypeError, match=rf"hypothesis {at}:"):
        metric(hyps, refs)
    hyps[at], refs[at] = "a", [None]
    with pytest.raises(InputError, match=rf"segment {at} has no reference"):
        metric(hyps, refs)
    refs[at] = ["a", 7]
    with pytest.raises(InputTypeError, match=rf"reference 1 of segment {at}:"):
        metric.stats(hyps, refs)


@pytest.mark.parametrize("metric", [BLEU(), BLEU(lowercase=True), DocumentBLEU(), CharBLEU()], ids=str)
def test_one_segment_is_checked_too(metric):
    for hyp, refs, message in [
        (None, "a", "hypothesis 0: expected a string or token ids, got None"),
        (5, "a", "hypothesis 0: expected a string or token ids, got int"),
        (["a"], "a", "hypothesis 0: expected a string or token ids, got list"),
        ("a", None, "segment 0 has no reference"),
        ("a", [], "segment 0 has no reference"),
        ("a", [None], "segment 0 has no reference"),
        ("a", 5, "references of segment 0: expected a string or a list of strings, got int"),
        ("a", ["a", 5], "reference 1 of segment 0: expected a string, or None where it is missing, got int"),
        ("a", [["a"]], "reference 0 of segment 0: expected a string"),
        ("a", {"a": 1}, "references of segment 0: expected a string or a list of strings, got dict"),
    ]:
        with pytest.raises(InputError) as caught:
            metric.segment(hyp, refs)
        assert message in str(caught.value)


def test_input_errors_are_value_errors_and_type_errors():
    assert issubclass(InputError, ValueError)
    assert issubclass(InputTypeError, InputError)
    assert issubclass(InputTypeError, TypeError)


# Shapes that are taken ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", METRICS, ids=str)
@pytest.mark.parametrize("make", [list, tuple, iter, lambda items: (item for item in items), np.array])
def test_any_ordered_collection_of_segments(metric, make):
    hyps, refs = ["the cat sat down over here", "a dog"], ["the cat sat down over there", "a dog ran"]
    assert float(metric(make(hyps), make(refs))) == float(metric(hyps, refs)) > 0
    np.testing.assert_array_equal(metric.stats(make(hyps), make(refs)).values, metric.stats(hyps, refs).values)


def test_references_in_lists_and_tuples_of_different_size():
    score = BLEU(order=1)(["a b", "c", "d"], ["a b", ("x", "c"), ["y", None, "d", "z"]])
    assert float(score) == pytest.approx(1)
    assert "|nrefs:var|" in score.signature
    assert "|nrefs:2|" in BLEU()(["a"], [["a", "b"]]).signature


def test_empty_is_not_missing():
    missing = BLEU(order=1)(["a b"], [["a b c", None]])
    empty = BLEU(order=1)(["a b"], [["a b c", ""]])
    assert (missing.ref_len, empty.ref_len) == (3, 3)
    assert (missing.nrefs, empty.nrefs) == ((1, 1), (2, 2))
    assert BLEU(ref_len="shortest")(["a b"], [["a b c", ""]]).ref_len == 0


def test_inputs_are_left_alone():
    hyps, refs = ["A b.", "c"], [["A b", None], ["c", "d"]]
    for metric in METRICS:
        metric(hyps, refs)
    assert (hyps, refs) == (["A b.", "c"], [["A b", None], ["c", "d"]])


# References --------------------------------------------------------------------------------------------------


def test_from_streams():
    refs = References.from_streams([["a", "b", "c"], ["x", None, ""]])
    assert refs.entries == (("a", "x"), ("b",), ("c", ""))
    assert len(refs) == 3
    assert refs.counts() == (1, 2)


def test_from_streams_takes_any_collection():
    assert References.from_streams(iter([("a", "b"), iter(["c", "d"])])).entries == (("a", "c"), ("b", "d"))


def test_streams_of_unequal_length():
    with pytest.raises(InputError, match="stream 1 has 2 segments and stream 3 has 1"):
        References.from_streams([["a", "b"], ["c", "d"], ["e"]])


def test_no_streams():
    with pytest.raises(InputError, match="at least one"):
        References.from_streams([])


@pytest.mark.parametrize("streams", ["ab", ["ab", "cd"], [["a"], None], [["a"], 5], None])
def test_streams_that_are_no_lists(streams):
    with pytest.raises(InputTypeError, match="stream"):
        References.from_streams(streams)


def test_streams_with_a_segment_all_missing():
    with pytest.raises(InputError, match="segment 1 has no reference"):
        References.from_streams([["a", None], ["b", None]])


def test_streams_with_something_else_than_text():
    with pytest.raises(InputTypeError, match="reference stream 2, segment 0"):
        References.from_streams([["a"], [5]])


def test_references_check_themselves():
    with pytest.raises(InputTypeError, match="references of segment 1"):
        References(["a", 5])
    with pytest.raises(InputError, match="segment 0 has no reference"):
        References([[]])
    with pytest.raises(InputTypeError, match="one string"):
        References("a")


def test_references_of_another_length():
    with pytest.raises(InputError, match="1 hypothesis but references for 2 segments"):
        BLEU()(["a"], References(["a", "b"]))


# Token ids instead of text -------------------------------------------------------------------------------

IDS = [[1, 2, 3, 4, 5], [7], []]
ID_REFS = [[[1, 2, 3, 9, 5], [1, 2]], [7], [[4, 4], None]]


def as_text(ids):
    return " ".join(f"w{number}" for number in ids)


@pytest.mark.parametrize("metric", [*METRICS, WER(), BLEU(lowercase=True, strip_punctuation=True)], ids=str)
def test_token_numbers_are_words(metric):
    texts = [[as_text(one) for one in ([refs] if refs[:1] == [7] else refs) if one is not None] for refs in ID_REFS]
    expected = metric.segments([as_text(ids) for ids in IDS], texts) if metric.name != "char-bleu" else None
    for kind in (list, tuple, np.array, partial(np.array, dtype=np.uint16), partial(array, "q")):
        hyps = [kind(ids) if ids or kind in (list, tuple) else np.array([], dtype=int) for ids in IDS]
        refs = [[None if one is None else kind(one) for one in ID_REFS[0]], kind(ID_REFS[1]), ID_REFS[2]]
        score = metric(hyps, refs)
        assert "|tok:ids|" in score.signature and "case:" not in score.signature
        assert metric.stats(hyps, refs).sum().ids
        ready = metric.prepare(refs)
        assert ready.result(ready.stats(hyps, refs).sum()).signature == score.signature
        if expected is not None:
            assert metric.segments(hyps, refs).tolist() == pytest.approx(expected.tolist())
            alone = [float(ready.segment(*pair)) for pair in zip(hyps, refs, strict=True)]
            assert alone == pytest.approx(expected.tolist())


def test_token_numbers_are_told_apart_whatever_their_size():
    largest = 2**32 - 2 - 0x110000
    assert float(WER()([[0, 1, 255, 256, 65536, largest]], [[0, 1, 255, 256, 65536, largest - 1]])) == 1 / 6
    assert float(WER()([np.arange(10)[::2]], [[0, 2, 4, 6, 8]])) == 0
    assert float(WER()([np.array([1, 256], dtype=">i4")], [[1, 256]])) == 0


@pytest.mark.parametrize(
    ("hyps", "refs", "message"),
    [
        (
            [[1, -100]],
            [[1]],
            "hypothesis 0: expected token ids from 0 to 4,293,853,182, got -100; leave out padding",
        ),
        ([[1]], [[2**32]], "references of segment 0: expected token ids from 0 to 4,293,853,182, got 4294967296"),
        ([[1]], [[[1], [2**70]]], "reference 1 of segment 0: expected token ids from 0"),
        ([[1, True]], [[1]], "hypothesis 0: expected whole numbers, got True"),
        ([[1, "a"]], [[1]], "hypothesis 0: expected whole numbers, got 'a'"),
        ([[1.5]], [[1]], "hypothesis 0: expected a string or token ids, got list"),
        ([np.array([1.5])], [[1]], "hypothesis 0: expected a string or token ids, got ndarray of float64"),
        (
            [np.array([[1, 2]])],
            [[1]],
            "hypothesis 0: expected a string or token ids, got list",
        ),
        ([[1], "a"], [[1], "a"], "hypothesis 1: expected token ids as in hypothesis 0, got text"),
        (["a", "b"], ["a", [1, 2]], "reference of segment 1: expected text as in hypothesis 0, got token ids"),
        ([[1, 2]], ["a"], "reference of segment 0: expected token ids as in hypothesis 0, got text"),
        ([[1, 2]], [[]], "segment 0 has no reference"),
        ([bytearray(b"ab")], [[1]], "hypothesis 0: expected a string or token ids, got bytearray"),
        ([range(3)], [[1]], "hypothesis 0: expected a string or token ids, got range"),
    ],
)
def test_wrong_token_numbers(hyps, refs, message):
    for metric in (BLEU(), BLEU(lowercase=True), WER(), DocumentBLEU()):
        with pytest.raises(InputError) as caught:
            metric(hyps, refs)
        assert message in str(caught.value)
        with pytest.raises(InputError):
            metric.segments(hyps, refs)


def test_references_of_token_numbers_cannot_change():
    ids = [1, 2]
    refs = References([ids, [ids, None]])
    ids.append(3)
    assert refs.entries == ((1, 2), ((1, 2), None))
    assert refs.counts() == (1, 1)
    assert float(WER()([[1, 2], [1, 2]], refs)) == 0
