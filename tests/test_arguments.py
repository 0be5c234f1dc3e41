"""Arguments of the wrong kind are told in one line, by name: no other error, whatever is given, and nothing misread."""

import contextlib
import dataclasses
import decimal
import fractions
import inspect
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tricolore as tri
from tricolore.errors import TricoloreError, shown
from tricolore.metrics import NAMES, metric_class
from tricolore.tuning.mbr import MBR


class Odd:
    """An object that can be neither compared nor printed."""

    __hash__ = None

    def __eq__(self, other):
        raise RuntimeError("cannot be compared")

    def __repr__(self):
        raise RuntimeError("cannot be printed")


class Lines:
    """An object that takes two lines to print."""

    def __repr__(self):
        return "one\ntwo"


KINDS = [
    3, -1, 0, 10**30, 10**5000, 1e308, -0.0, 0.5, math.nan, math.inf, True, False, None, 1j,
    "x", "", "none", "true", "0.5", "a\nb", "\0", "\ud800", "x" * 5000, b"x", bytearray(b"x"),
    [], (), [1], [[1]], ["x"], {}, {1: 2}, set(), range(3), [math.nan] * 4, [True] * 4, [0.1] * 5000,
    np.float64(0.5), np.float32("nan"), np.int64(3), np.bool_(True), np.str_("x"),
    np.array([1, 2]), np.array(1), np.array([]), np.zeros(5000), np.array(["x"]),
    decimal.Decimal("0.5"), decimal.Decimal("nan"), decimal.Decimal("sNaN"), decimal.Decimal("1e400"),
    fractions.Fraction(1, 2), object(), int, len, Odd(), Lines(),
]  # fmt: skip

anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(), st.complex_numbers()),
    lambda some: st.one_of(st.lists(some), st.tuples(some), st.dictionaries(st.text(), some)),
    max_leaves=4,
)


def is_one_line(error):
    text = str(error)
    assert text and text.splitlines() == [text], text
    assert len(text) < 800
    return True


# Metrics -----------------------------------------------------------------------------------------------------


def check_parameter(cls, name, value):
    """The metric is made and works, or the error names the parameter."""
    try:
        made = cls(**{name: value})
    except TricoloreError as error:
        assert is_one_line(error)
        assert str(error).startswith(f"{cls.name}: ")
        return
    assert tri.metric(made.spec) == made
    assert pickle.loads(pickle.dumps(made)) == made
    assert hash(made) == hash(tri.metric(made.spec))
    with contextlib.suppress(TricoloreError):  # such as a file that is not there
        assert math.isfinite(float(made(["a b c"], ["a b d"], threads=1)))


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_takes_what_it_can_and_names_what_it_cannot(name):
    cls = metric_class(name)
    for field in dataclasses.fields(cls):
        for value in KINDS if field.init else ():
            check_parameter(cls, field.name, value)


PARAMETERS = [(name, field.name) for name in NAMES for field in dataclasses.fields(metric_class(name)) if field.init]


@given(of=st.sampled_from(PARAMETERS), value=anything)
@settings(max_examples=400)
def test_parameters_of_any_value(of, value):
    check_parameter(metric_class(of[0]), of[1], value)


@pytest.mark.parametrize("value", KINDS, ids=lambda value: shown(value).split(" at 0x")[0])
def test_what_is_no_metric(value):
    for call in (tri.metric, tri.expand, lambda one: tri.expand("bleu", one)):
        if value is not KINDS[22]:  # a long name is a name
            with pytest.raises(tri.SpecError) as error:
                call(value)
            assert "\n" not in str(error.value)


# Functions ---------------------------------------------------------------------------------------------------

HYPS = ["the cat sat", "a dog ran", "yes we can"]
REFS = [["the cat is", "a cat sat"], ["the dog ran", "a dog"], ["yes", "we can"]]

NBEST = [[(one, {"f": -i}, -i) for i, one in enumerate(HYPS)]] * 3
#: Arguments that are lists or functions.
LISTS = ("nbest", "samples", "lattices", "weights", "each", "suggest")

#: What to call, with arguments that are right; those named last are not tried here, because they are not scalars.
CALLS = {
    "confidence": (tri.confidence, {"metric": "bleu", "hyps": HYPS, "refs": REFS, "resamples": 9}, ()),
    "compare": (
        tri.compare,
        {"systems": {"a": HYPS, "b": HYPS[::-1]}, "refs": REFS, "metrics": "wer", "resamples": 9, "trials": 9},
        ("systems",),
    ),
    "compare_scores": (
        tri.compare_scores,
        {"systems": {"a": [1, 2, 3], "b": [2, 3, 1.0]}, "resamples": 9, "trials": 9},
        ("systems",),
    ),
    "mbr": (tri.mbr, {"texts": HYPS}, ("texts", "references", "probabilities", *LISTS, "scales", "parameters")),
    "mbr of files": (
        tri.mbr,
        {"nbest": NBEST},
        ("texts", "references", "probabilities", *LISTS, "scales", "parameters"),
    ),
    "rerank": (tri.rerank, {"nbest": NBEST}, LISTS),
    "oracle": (tri.oracle, {"nbest": NBEST, "refs": REFS}, LISTS),
    "tune": (
        tri.tune,
        {"nbest": NBEST, "refs": REFS, "restarts": 0, "directions": 0, "trials": 9},
        (*LISTS, "start", "held_out", "test", "fix", "bounds", "watch", "note", "parameters"),
    ),
    "MBR": (MBR, {"metric": tri.ChrF(), "method": "prune"}, ()),
    "orange": (
        tri.orange,
        {"nbest": [HYPS] * 3, "refs": REFS, "metrics": ["wer"], "samples": 9},
        ("nbest", "each"),
    ),
    "audit": (
        tri.audit,
        {"systems": {"a": HYPS, "b": HYPS[::-1]}, "refs": REFS, "metrics": "wer", "trials": 9, "only": "sensitivity"},
        ("systems", "metrics"),
    ),
    "align": (tri.align, {"hyp": "a b", "ref": "a c"}, ("hyp", "ref")),
    "tokenize": (tri.tokenize, {"text": "a b"}, ()),
    "score_all": (tri.score_all, {"metrics": ["wer"], "hyps": HYPS, "refs": REFS}, ()),
    "corpus": (tri.BLEU(), {"hyps": HYPS, "refs": REFS}, ()),
    "segments": (tri.BLEU().segments, {"hyps": HYPS, "refs": REFS}, ()),
    "stats": (tri.BLEU().stats, {"hyps": HYPS, "refs": REFS}, ()),
    "pairwise": (tri.BLEU().pairwise, {"hyps": HYPS, "refs": HYPS}, ()),
}
ARGUMENTS = [
    (name, argument)
    for name, (call, _, leave) in CALLS.items()
    for argument in inspect.signature(call).parameters
    if argument not in ("hyps", "refs", "progress", *leave)
]


def check_argument(name, argument, value):
    call, right, _ = CALLS[name]
    try:
        call(**{**right, argument: value})
    except TricoloreError as error:
        assert is_one_line(error)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("name", "argument"), ARGUMENTS)
def test_every_scalar_argument_takes_what_it_can_and_refuses_the_rest_in_one_line(name, argument):
    for value in KINDS:
        if argument == "metric" and isinstance(value, str) and len(value) > 1000:
            continue  # a long name is told in full
        check_argument(name, argument, value)


@given(
    of=st.sampled_from([one for one in ARGUMENTS if one[1] not in ("resamples", "trials", "samples")]), value=anything
)
@settings(max_examples=300, deadline=None)
def test_arguments_of_any_value(of, value):
    check_argument(*of, value)


@pytest.mark.parametrize("name", ["audit", "compare", "compare_scores", "confidence", "orange"])
@pytest.mark.parametrize("argument", ["seed", "level"])
def test_the_error_names_the_argument(name, argument):
    call, right, _ = CALLS[name]
    for value in ("x", None, math.nan, [], -1):
        with pytest.raises(tri.SpecError, match=f"{argument} must be .*; got "):
            call(**{**right, argument: value})


@pytest.mark.parametrize("value", ["no", "false", 1, None, np.array([True, False])])
def test_only_true_and_false_are_flags(value):
    """'no' is true to Python."""
    for call, name in (
        (lambda: tri.tokenize("A b", lowercase=value), "lowercase"),
        (lambda: tri.tokenize("A b", strip_punctuation=value), "strip_punctuation"),
        (lambda: tri.align("A b", "a b", lowercase=value), "lowercase"),
        (lambda: tri.align("A b", "a b", chars=value), "chars"),
        (lambda: tri.compare_scores({"a": [1], "b": [2]}, higher_is_better=value), "higher_is_better"),
        (lambda: tri.orange([HYPS] * 3, REFS, "wer", distinct=value), "distinct"),
    ):
        with pytest.raises(tri.SpecError, match=f"^{name} must be true or false; got "):
            call()


def test_names_of_systems_are_texts():
    for call, data in (
        (tri.compare_scores, ([1, 2], [2, 3])),
        (lambda systems: tri.compare(systems, REFS), (HYPS, HYPS)),
    ):
        with pytest.raises(tri.InputTypeError, match="systems: expected names that are strings, got 1"):
            call({"a": data[0], 1: data[1]})
