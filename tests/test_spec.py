"""Spec texts: what you type is what is printed is what you cite."""

import copy
import dataclasses
import pickle
from decimal import Decimal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tricolore import BLEU, BLEUS, BLEUSBP, METEOR, NIST, CharBLEU, DocumentBLEU, SpecError, metric, spec
from tricolore.metrics import ALIASES, NAMES, metric_class
from tricolore.metrics.meteor import StageWeights
from tricolore.metrics.rouge import Beta
from tricolore.parameters import Flag, OrNone, Real, Whole, is_file_name, parameters

# Reading -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bleu", BLEU()),
        ("bleu()", BLEU()),
        ("bleu(order=2, smooth=7)", BLEU(order=2, smooth=7)),
        ("  bleu ( order = 2 ,smooth=exp ) ", BLEU(order=2)),
        ("bleu-sbp", BLEUSBP()),
        ("bleus(order=6)", BLEUS(order=6)),
        ("char-bleu(order=18)", CharBLEU()),
        ("doc-bleu(smooth=4, k=2.5)", DocumentBLEU(smooth=4, k=2.5)),
        ("nist(order=5)", NIST()),
        ("nist(beta=0.4)", NIST(beta=0.4)),
        ("bleu(tokenize=13a)", BLEU(tokenize="13a")),
        ("bleu(tokenize='13a')", BLEU(tokenize="13a")),
        ('bleu(tokenize="13a", smooth="floor")', BLEU(smooth="floor")),
        ("bleu(tokenize=none, smooth=none)", BLEU(tokenize="none", smooth="none")),
        ('bleu(tokenize="none")', BLEU(tokenize="none")),
        ("bleu(lowercase=true)", BLEU(lowercase=True)),
        ("bleu(lowercase=False)", BLEU()),
        ("bleu(weights=[0.5, 0.5], order=2)", BLEU(order=2, weights=(0.5, 0.5))),
        ("bleu(weights=[ 1,.5e0 , 0, 2. ])", BLEU(weights=(1, 0.5, 0, 2))),
        ("bleu(weights=none)", BLEU()),
        ("bleu(epsilon=1e-3, smooth=1)", BLEU(epsilon=0.001, smooth=1)),
        ("bleu(ref_len=shortest)", BLEU(ref_len="shortest")),
        ("bleu(tokenize=spm:/a/b.model)", BLEU(tokenize="spm:/a/b.model")),
        ('bleu(tokenize="spm:/my models/b, c.model")', BLEU(tokenize="spm:/my models/b, c.model")),
    ],
)
def test_reading(text, expected):
    assert metric(text) == expected


def test_a_metric_is_its_own_spec():
    bleu = BLEU(order=2)
    assert metric(bleu) is bleu


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (BLEU(), "bleu"),
        (BLEU(order=4, smooth="exp"), "bleu"),
        (BLEU(smooth=7, order=2), "bleu(order=2, smooth=7)"),
        (BLEU(smooth="length-average"), "bleu(smooth=7)"),
        (BLEU(smooth=7, short="floor1", zero_if_no_unigram=False), "bleu(smooth=7)"),
        (BLEU(short="auto"), "bleu"),
        (BLEU(short="zero"), "bleu(short=zero)"),
        (BLEU(k=3), "bleu(k=3)"),
        (BLEU(lowercase=True), "bleu(lowercase=true)"),
        (BLEU(order=2, weights=[0.25, 0.75]), "bleu(order=2, weights=[0.25, 0.75])"),
        (BLEU(tokenize="spm:a b"), 'bleu(tokenize="spm:a b")'),
        (BLEUSBP(ref_len="closest"), "bleu-sbp(ref_len=closest)"),
        (NIST(), "nist"),
    ],
)
def test_writing_leaves_out_what_is_the_default(made, text):
    assert made.spec == repr(made) == str(made) == text


# Round trips -------------------------------------------------------------------------------------------------

tokenizers = st.sampled_from(["none", "13a", "intl", "zh", "universal", "char", "char+space", "ja-mecab", "ko-mecab"])
file_names = st.one_of(st.text(min_size=1), st.sampled_from(["true", "2024", "None", "1..3"])).filter(is_file_name)
#: Kinds of parameters that do not say all they take, or take more than is good for a test.
VALUES = {
    "smooth": st.sampled_from(["none", "floor", "add-k", "exp", *range(8), "length", "average"]),
    "weights": st.none() | st.lists(st.floats(0, 1e12) | st.integers(0, 1000), min_size=1, max_size=5),
    "tokenize": tokenizers | file_names.map("spm:".__add__),
    "compat": st.sampled_from(["none", None, "rouge-score"]),
    "wordnet": st.none() | file_names,
    "paraphrases": st.none() | file_names,
    "function_words": st.none() | file_names,
    "language": st.sampled_from(["none", "english", "german", "yiddish"]),
    "theta1": st.floats(0, 0.5),
    "theta2": st.floats(0, 0.5),
    "limit": st.none() | st.integers(2000, 10_000),
}


def values_of(field):
    """What a parameter may be set to, by its kind."""
    kind = field.metadata["kind"]
    values = st.none() if field.default is None else st.nothing()  # none where it follows from others
    if isinstance(kind, OrNone):
        kind, values = kind.kind, st.none()
    if isinstance(kind, Flag):
        return values | st.booleans()
    if isinstance(kind, StageWeights):
        return values | st.lists(st.floats(0, 1), min_size=4, max_size=4)
    if field.name in VALUES:
        return VALUES[field.name]
    if isinstance(kind, Whole):
        return values | st.integers(kind.low, min(kind.high, 1000))
    if isinstance(kind, Beta):
        return values | st.sampled_from(["p/r", "recall", "inf"]) | st.floats(0, 1e12)
    if isinstance(kind, Real):
        return values | st.floats(max(kind.low, -1e12), min(kind.high, 1e12), exclude_min=kind.above)
    return values | st.sampled_from([*kind.values, *(other for other, _ in getattr(kind, "aliases", ()))])


@st.composite
def metrics_of(draw, cls):
    """A metric with any of its parameters set to anything it takes."""
    given = draw(st.fixed_dictionaries({}, optional={field.name: values_of(field) for field in parameters(cls)}))
    if cls is METEOR:
        if any(given.get(name) is not None for name in ("delta", "weights", "function_words")):
            given["version"] = draw(st.sampled_from(["1.5", 1.5]))
    elif given.get("weights") is not None:
        assume(sum(given["weights"]) > 0)
        given["order"] = len(given["weights"])
    assume(given.get("min_order", 1) <= given.get("order", 4))
    if given.get("compat") == "rouge-score":
        given = {key: value for key, value in given.items() if key not in ("tokenize", "strip_punctuation")}
    assume(given.get("recall_order", 1) <= given.get("order", 4))
    assume(not (given.get("stem") and str(given.get("tokenize")).startswith("char")))
    return cls(**given)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=200)
@given(data=st.data())
def test_round_trip(name, data):
    made = data.draw(metrics_of(metric_class(name)))
    again = metric(made.spec)
    assert again == made
    assert hash(again) == hash(made)
    assert again.spec == made.spec
    assert type(again) is type(made)


def test_large_orders_read_back_and_larger_ones_are_refused():
    assert metric(BLEU(order=10_000).spec) == BLEU(order=10_000)
    with pytest.raises(SpecError, match="from 1 to 10,000"):
        BLEU(order=10_001)


def test_quotes_are_optional():
    assert metric("bleu(order='2', smooth=\"7\", tokenize='none', lowercase=\"true\")") == BLEU(
        order=2, smooth=7, tokenize="none", lowercase=True
    )


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_pickle_and_copy(name, data):
    made = data.draw(metrics_of(metric_class(name)))
    for again in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
        assert again == made
        assert again.spec == made.spec


def is_plain_word(text):
    """Words that stand for a number, true, false or none are that, in quotes or not."""
    return isinstance(spec.word_value(text), str)


@given(
    value=st.recursive(
        st.none()
        | st.booleans()
        | st.text().filter(is_plain_word)
        | st.integers(-(2**53), 2**53)
        | st.floats(allow_nan=False, allow_infinity=False),
        lambda values: st.lists(values, max_size=3),
    )
)
def test_every_value_reads_back(value):
    name, given = spec.parse(spec.compose("m", {"x": value}))
    assert name == "m"
    assert given == {"x": value}


def test_used_metrics_still_pickle_and_compare():
    used = BLEU(tokenize="intl", lowercase=True)
    used(["a b"], ["a b"])
    assert pickle.loads(pickle.dumps(used)) == used == BLEU(tokenize="intl", lowercase=True)


def test_equality_and_hash():
    assert BLEU(k=5) == BLEU(k=5.0) == BLEU()
    assert BLEU() != BLEU(order=3)
    assert BLEU() != BLEUSBP(ref_len="closest")
    assert BLEUS() != BLEU(smooth=2)
    assert len({BLEU(), BLEU(order=4), BLEU(order=3), NIST(), NIST()}) == 3


def test_metrics_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        BLEU().order = 2


# Mistakes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("blue", ["unknown metric 'blue'", "did you mean 'bleu'?", "bleu, bleu-sbp, bleus, char-bleu, doc-bleu, nist"]),
        ("nits", ["did you mean 'nist'?"]),
        ("xyzzy", ["unknown metric 'xyzzy' (known: bleu"]),
        ("comet", ["metric 'comet' requires a neural model", "--scores FILE"]),
        ("red", ["metric 'red' requires a decision tree"]),
        ("bleu(ordr=2)", ["bleu has no parameter 'ordr'", "did you mean 'order'?", "it takes order, smooth"]),
        ("bleu(lower_case=true)", ["did you mean 'lowercase'?"]),
        ("nist(smooth=2)", ["nist has no parameter 'smooth'", "order, beta, tokenize"]),
        ("bleu(order=0)", ["order must be a whole number from 1 to 10,000", "got 0"]),
        ("bleu(order=1.5)", ["order must be a whole number", "got 1.5"]),
        ("bleu(order=true)", ["order must be a whole number", "got True"]),
        ("bleu(order=many)", ["order must be a whole number", "got 'many'"]),
        ("bleu(order=[1])", ["order must be a whole number"]),
        ("bleu(order=none)", ["order must be a whole number"]),
        ("bleu(smooth=8)", ["smooth must be one of none, floor, add-k, exp, 0, 1, 2, 3, 4, 5, 6, 7", "got 8"]),
        ("bleu(smooth=flor)", ["did you mean 'floor'?"]),
        ("bleu(smooth=true)", ["smooth must be one of"]),
        ("bleu(ref_len=closet)", ["one of closest, shortest, average", "did you mean 'closest'?"]),
        ("bleu(short=efective)", ["zero, floor1, mteval, effective", "did you mean 'effective'?"]),
        ("bleu(mean=harmonic)", ["geometric, arithmetic"]),
        ("bleu(lowercase=yes)", ["lowercase must be true or false", "got 'yes'"]),
        ("bleu(lowercase=1)", ["lowercase must be true or false"]),
        ("bleu(epsilon=-1)", ["epsilon must be a number, 0 or more"]),
        ("bleu(epsilon=1e999)", ["epsilon must be a number, 0 or more"]),
        ("bleu(k=nan)", ["k must be a number above 0"]),
        ("nist(beta=-1)", ["beta must be a number, 0 or more", "got -1"]),
        ("bleu(tokenize=13b)", ["tokenize must be one of none, 13a, intl", "did you mean '13a'?"]),
        ("bleu(weights=[1])", ["one number for each order", "got 1 for order 4"]),
        ("bleu(weights=0.5)", ["a list of numbers", "[0.5, 0.5]"]),
        ("bleu(weights=[a, b])", ["a list of numbers"]),
        ("", ["expected the name of a metric at character 1", "the text ends"]),
        ("   ", ["expected the name of a metric"]),
        ("7", ["expected the name of a metric", "found '7'"]),
        ("bleu(", ["expected the name of a parameter", "the text ends"]),
        ("bleu(order", ["expected '=' after 'order'"]),
        ("bleu(order=", ["expected a value"]),
        ("bleu(order=)", ["expected a value", "found ')'"]),
        ("bleu(order=2", ["expected ',' or ')'"]),
        ("bleu(order=2,)", ["expected the name of a parameter"]),
        ("bleu(order=2 3)", ["expected ',' or ')'", "found '3)'"]),
        ("bleu(2)", ["expected the name of a parameter"]),
        ("bleu(order=2))", ["expected nothing more", "found ')'"]),
        ("bleu nist", ["expected nothing more", "found 'nist'"]),
        ("bleu(weights=[1, 2)", ["expected ',' or ']'"]),
        ("bleu(tokenize='13a)", ["expected a value"]),
        ("bleu(order=2, order=3)", ["order is given twice"]),
    ],
)  # fmt: skip
def test_mistakes_are_told_in_one_line(text, parts):
    with pytest.raises(SpecError) as caught:
        metric(text)
    message = str(caught.value)
    assert all(part in message for part in parts), message
    assert "\n" not in message
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    "text",
    [
        "bleu(epsilon=1" + "0" * 400 + ")",
        "bleu(order=" + "9" * 5000 + ")",
        "bleu(weights=[1, 1, 1, 1" + "0" * 400 + "])",
    ],
    ids=["real", "whole", "weights"],
)
def test_enormous_numbers_are_mistakes_too(text):
    with pytest.raises(SpecError):
        metric(text)


@pytest.mark.parametrize("thing", [None, 4, ["bleu"], b"bleu"])
def test_a_spec_is_text(thing):
    with pytest.raises(SpecError, match="written as text"):
        metric(thing)


@given(text=st.text(alphabet="bleunist()=[],\"'\\ 0.-order", max_size=30))
def test_any_text_is_a_metric_or_a_mistake(text):
    try:
        made = metric(text)
    except SpecError:
        return
    assert metric(made.spec) == made


# Ranges ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    {
        "bleus(order=1..9)": [f"bleus(order={n})" for n in range(1, 10)],
        "rouge-w(weight=1.1..2.0:0.1)": [f"rouge-w(weight={w / 10:g})" for w in range(11, 21)],
        "rouge-s(skip=0..2|none)": ["rouge-s(skip=0)", "rouge-s(skip=1)", "rouge-s(skip=2)", "rouge-s(skip=none)"],
        "bleu(order=1..4:2, tokenize=none|13a)": [
            f"bleu(order={n}, tokenize={t})" for n in (1, 3) for t in ("none", "13a")
        ],
        "grr(beta=-0.9..-0.7:0.1)": ["grr(beta=-0.9)", "grr(beta=-0.8)", "grr(beta=-0.7)"],
        "bleu(order=2..2)": ["bleu(order=2)"],
        "bleu": ["bleu"],
        'bleu(tokenize="spm:a|b")': ['bleu(tokenize="spm:a|b")'],
    }.items(),
)
def test_a_text_may_stand_for_several_metrics(text, expected):
    assert spec.expand(text) == expected


@pytest.mark.parametrize(
    ("text", "complaint"),
    {
        "bleu(order=4..1)": "goes up",
        "bleu(order=1..4:0)": "goes up",
        "bleu(order=1..4:-1)": "goes up",
        "bleu(order=1..99999999)": "the range has 99,999,999 values",
        "lebleu(order=1..200, limit=1..200)": "stands for 40,000 metrics",
        "bleu(weights=[1..2, 1])": "inside a list",
        "bleu(tokenize=13a|)": "different values around",
        "bleu(tokenize=13a|13a)": "different values around",
        "bleu(order=1..2|2)": "different values around",
    }.items(),
)
def test_a_range_that_cannot_be_meant(text, complaint):
    with pytest.raises(SpecError, match=complaint):
        spec.expand(text)


def test_ranges_work_wherever_metrics_are_named(capsys):
    from tricolore import expand, score_all
    from tricolore.cli import run

    assert [one.spec for one in expand("bleus(order=1..2)", "per")] == ["bleus(order=1)", "bleus(order=2)", "per"]
    assert len(score_all(["bleu(order=1..3)"], ["a b c"], ["a b d"])) == 3
    assert run(["demo", "-m", "bleus(order=1..9)"]) == 0
    header = next(line for line in capsys.readouterr().out.splitlines() if line.startswith(("System", "Metric")))
    assert header.startswith("Metric")  # nine metrics go down the page
    with pytest.raises(SpecError, match="stands for several metrics"):
        metric("bleu(order=1..3)")


@given(first=st.integers(-50, 50), steps=st.integers(0, 30), by=st.sampled_from(["1", "0.1", "0.25", "3", ".05"]))
def test_ranges_count_in_decimals(first, steps, by):
    last = Decimal(first) + steps * Decimal(by)
    values = spec.parse(f"m(x={first}..{last}:{by})")[1]["x"]
    assert list(values) == [float(Decimal(first) + i * Decimal(by)) for i in range(steps + 1)]


def test_the_list_of_metrics_is_a_result(capsys):
    import json

    import tricolore as tri
    from tricolore.cli import run

    found = tri.list_metrics()
    assert [one["name"] for one in found.records()] == [*NAMES]
    assert found.to_pandas()["family"].nunique() == len(found.to_dict())
    assert "cer" in next(one for one in found.to_dict()["edit rates"] if one["name"] == "ler")["aliases"]
    assert repr(found) == "<28 metrics in 8 families>"
    assert "<table>" in found._repr_html_()
    assert run(["metrics", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == found.to_dict()


@pytest.mark.parametrize("alias", ALIASES)
def test_other_names_stand_for_metrics_that_are_there(alias):
    assert alias not in NAMES and metric(alias) == metric(ALIASES[alias])
    assert spec.parse(ALIASES[alias])[0] in NAMES
