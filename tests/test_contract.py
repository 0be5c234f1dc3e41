"""What every metric promises. A new metric is held to all of it by its name in `tricolore.metrics.NAMES`."""

import ast
import contextlib
import copy
import dataclasses
import math
import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from resources import write_function_words, write_paraphrases, write_wordnet
from strategies import adversarial, copies, corpus, sentence

import tricolore
from tricolore import InputError, Score, SpecError, Stats, metric
from tricolore.metrics import NAMES, families, metric_class, metric_classes
from tricolore.parameters import Flag, parameters

VARIANTS = [
    *NAMES,
    *(f"bleu(smooth={smooth})" for smooth in range(8)),
    "bleu(smooth=none)",
    "bleu(smooth=3, short=effective)",
    "bleu(smooth=3, short=mteval)",
    "bleu(mean=arithmetic, ref_len=average)",
    "bleu(order=2, weights=[0.3, 0.7], lowercase=true)",
    "bleu(order=12, smooth=2, tokenize=char)",
    "bleu-sbp(smooth=7, ref_len=average)",
    "bleus(order=9, strip_punctuation=true)",
    "char-bleu(order=3, smooth=5)",
    "doc-bleu(smooth=2, tokenize=intl)",
    "nist(order=1)",
    "nist(order=3, tokenize=zh, beta=0)",
    "rouge-n(n=3, multi_ref=max_pr)",
    "rouge-l(compat=rouge-score)",
    "rouge-l(beta=recall, stem=true)",
    "rouge-w(weight=2, beta=1)",
    "rouge-s(skip=none, lowercase=true)",
    "gleu(min_order=2, order=6)",
    "ribes(alpha=1, context=before)",
    "wer(multi_ref=avg_len, lowercase=true)",
    "per(multi_ref=min_edits)",
    "gtm(e=2)",
    "grr(order=2, alpha=0.5, multi_ref=pool)",
    "meteor(language=none, tokenize=none, beam=3)",
    "meteor(version=1.5)",
    "meteor(version=1.5, language=none, tokenize=none, weights=[0.9, 0.5, 0.5, 0.5], beta=1)",
    "tbleu(smooth=7, threshold=0.8, tokenize=none)",
    "simbleu(part=recall, order=2)",
    "amber(theta1=0.2, order=2, brevity=0, char_redundancy=0.5)",
]

HYPS = ["the cat sat on the mat.", "a Dog ran, 3.5 miles", "", "yes", "the the the the"]
REFS = [["the cat is on the mat.", "a cat sat there"], ["A dog ran 3.5 miles!"], ["no"], ["yes", ""], "the the"]


@pytest.fixture(params=VARIANTS)
def any_metric(request):
    return metric(request.param)


def every_metric(test):
    """Run a Hypothesis test on every metric, with fewer examples each."""
    return pytest.mark.parametrize("made", [metric(text) for text in VARIANTS], ids=str)(
        settings(max_examples=30)(test)
    )


corpora = st.one_of(copies(sentence()), copies(adversarial))


def close(a, b):
    np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


# Rows add ----------------------------------------------------------------------------------------------------


@every_metric
@given(data=corpora)
def test_the_score_of_the_sum_is_the_score_of_the_corpus(made, data):
    ready = made.prepare(data[1])
    rows = ready.stats(*data)
    close(ready.score(rows.sum()), float(made(*data)))
    close(ready.score(rows.values.sum(0)), float(made(*data)))


@every_metric
@given(data=corpora, cut=st.integers(0, 4))
def test_rows_of_a_concatenation_are_the_rows_of_its_parts(made, data, cut):
    hyps, refs = data
    ready = made.prepare(refs)
    rows = ready.stats(hyps, refs).values
    parts = [ready.stats(hyps[:cut], refs[:cut]).values, ready.stats(hyps[cut:], refs[cut:]).values]
    np.testing.assert_array_equal(rows, np.concatenate(parts))


@every_metric
@given(data=corpora)
def test_batch_is_one_by_one(made, data):
    hyps, refs = data
    ready = made.prepare(refs)
    one_by_one = [ready.segment(hyp, entry) for hyp, entry in zip(hyps, refs, strict=True)]
    close(ready.stats(hyps, refs).values, [score.stats.values for score in one_by_one])
    close(ready.segments(hyps, refs), [float(score) for score in one_by_one])
    single = ready.for_segments
    close(ready.segments(hyps, refs), single.score(ready.stats(hyps, refs)))
    close(ready.segments(hyps, refs), [float(single([hyp], [entry])) for hyp, entry in zip(hyps, refs, strict=True)])


@every_metric
@given(data=corpora)
def test_duplicating_the_corpus_keeps_the_rows(made, data):
    hyps, refs = data
    ready = made.prepare(refs)
    close(ready.stats(hyps * 3, refs * 3).sum().values, 3 * ready.stats(hyps, refs).sum().values)


#: Where a peer takes the first of references that are equally good.
FIRST_OF_EQUALS = ("chrf", "gleu")


@every_metric
@given(data=st.one_of(corpora, corpus(sentence(6), 3, 4)), reversing=st.booleans())
def test_the_order_of_references_does_not_matter(made, data, reversing):
    hyps, refs = data
    turned = [entry[::-1] if reversing else entry[1:] + entry[:1] for entry in refs]
    ready = made.prepare(refs)
    close(ready.segments(hyps, turned), ready.segments(hyps, refs))
    if made.name not in FIRST_OF_EQUALS and made.spec != "gtm(e=2, multi_ref=concat)":
        close(float(ready(hyps, turned)), float(ready(hyps, refs)))


def test_score_keeps_leading_axes(any_metric):
    ready = any_metric.prepare(REFS)
    rows = ready.stats(HYPS, REFS).values
    cube = np.stack([rows[:3], rows[2:]])  # 2 x 3 x columns
    scores = ready.score(cube)
    assert scores.shape == (2, 3)
    close(scores, [[ready.score(row) for row in plane] for plane in cube])
    assert isinstance(ready.score(rows[0]), float)
    assert isinstance(ready.score(rows[0].tolist()), float)
    assert ready.score(rows[:0]).shape == (0,)


def test_resampling_is_a_product_of_matrices(any_metric):
    ready = any_metric.prepare(REFS)
    drawn = np.array([[2, 0, 1, 1, 1], [1, 1, 1, 1, 1]])
    scores = ready.score(drawn @ ready.stats(HYPS, REFS).values)
    hyps, refs = [HYPS[i] for i in (0, 0, 2, 3, 4)], [REFS[i] for i in (0, 0, 2, 3, 4)]
    close(scores, [float(ready(hyps, refs)), float(ready(HYPS, REFS))])


def test_rows_of_another_metric_are_refused(any_metric):
    other = Stats(np.zeros(2), ("x", "y"))
    with pytest.raises(InputError, match="expected rows of"):
        any_metric.score(other)
    with pytest.raises(InputError, match=f"expected {len(any_metric.columns)} columns"):
        any_metric.score(np.zeros(len(any_metric.columns) + 1))
    with pytest.raises(InputError, match="sum it first"):
        any_metric.prepare(REFS).result(any_metric.stats(HYPS, REFS))
    with pytest.raises(InputError, match="do not add"):
        any_metric.stats(HYPS, REFS).sum() + other


def test_result_of_the_sum_is_the_score(any_metric):
    direct = any_metric(HYPS, REFS)
    ready = any_metric.prepare(REFS)
    again = ready.result(ready.stats(HYPS, REFS).sum())
    assert isinstance(again, Score)
    assert again.signature == direct.signature
    assert str(again) == str(direct)
    close(float(again), float(direct))


def test_columns_are_named_once(any_metric):
    rows = any_metric.stats(HYPS, REFS)
    assert rows.columns == any_metric.columns
    assert len(set(rows.columns)) == len(rows.columns) == rows.values.shape[1]
    for i, column in enumerate(rows.columns):
        assert rows[column].tolist() == rows.values[:, i].tolist()


# Everything is defined ---------------------------------------------------------------------------------------

EDGES = {
    "empty hypothesis": ("", "a b c"),
    "empty reference": ("a b c", ""),
    "both empty": ("", ""),
    "white space only": (" \u3000\t", "\xa0"),
    "one of several empty": ("a b", ["", "a b c"]),
    "one token": ("a", "a"),
    "one token, no match": ("a", "b"),
    "shorter than the order": ("a b", "a b c d e f"),
    "repeated n-grams": ("the the the the the the", "the the"),
    "longer than the reference": ("a b c d e f g h", "a"),
    "Thai without spaces": ("ภาษาไทยไม่มีช่องว่าง", "ภาษาไทยไม่มีวรรค"),
    "lone surrogate": ("a \ud800 b", "\ud800 b"),
    "NUL": ("a \0 b", "\0 b"),
    "emoji": ("👩🏽‍🚀 ok 😀", "👩🏽‍🚀 ok"),
    "5,000 words": (" ".join(f"w{i % 700}" for i in range(5000)), " ".join(f"w{i % 701}" for i in range(5100))),
    "one word 5,000 times": ("w " * 5000, "w " * 4000),
}


#: What the columns of docs/reference/edge-cases.md are.
EDGES_SHOWN = {
    "hypothesis empty": EDGES["empty hypothesis"],
    "reference empty": EDGES["empty reference"],
    "both empty": EDGES["both empty"],
    "one word, the same": EDGES["one token"],
    "one word, another": EDGES["one token, no match"],
    "repeated words": EDGES["repeated n-grams"],
    "Thai": EDGES["Thai without spaces"],
    "Chinese": ("今天天气很好", "今天天气不错"),
    "5,000 words": EDGES["5,000 words"],
}
EDGE_PAGE = Path(__file__).parents[1] / "docs" / "reference" / "edge-cases.md"


@pytest.mark.skipif(not EDGE_PAGE.exists(), reason="the documentation is not part of this tree")
@pytest.mark.parametrize("name", NAMES)
def test_edges_score_what_the_page_says(name):
    rows = [line.strip("| ").split("|") for line in EDGE_PAGE.read_text(encoding="utf-8").splitlines() if "|" in line]
    header, *rows = [[cell.strip() for cell in row] for row in rows]
    expected = next(dict(zip(header, row, strict=True)) for row in rows if row[0].startswith(f"[`{name}`]"))
    for edge, (hyp, ref) in EDGES_SHOWN.items():
        assert float(metric(name)([hyp], [ref])) == pytest.approx(float(expected[edge]), rel=1e-3, abs=1e-9), edge


@pytest.mark.slow
@pytest.mark.parametrize("edge", EDGES)
def test_edges_are_defined(any_metric, edge):
    hyp, ref = EDGES[edge]
    corpus = any_metric([hyp], [ref])
    segments = any_metric.segments([hyp, "a b c d e", hyp], [ref, "a b c d f", ref])
    assert math.isfinite(float(corpus))
    assert np.isfinite(segments).all()
    assert segments[0] == segments[2]
    assert str(corpus).startswith(any_metric.title)
    assert "nan" not in str(corpus)
    assert "inf" not in str(corpus).replace("info", "")
    if not hyp.split():
        assert float(corpus) == segments[0] == score_of_nothing(any_metric, ref)


def is_rate(made):
    """Whether it is an error rate, or what one leaves of 1."""
    return not made.higher_is_better or made.name == "wrr"


def score_of_nothing(made, ref):
    """What an empty hypothesis scores: 0, but every word of the reference is an error to an error rate."""
    if not is_rate(made):
        return 0
    all_wrong = bool(ref.split())
    return all_wrong if not made.higher_is_better else not all_wrong


@every_metric
@given(data=corpora)
def test_bounds(made, data):
    segments = made.segments(*data)
    assert np.isfinite(segments).all()
    if made.name not in ("wrr", "grr"):  # to which insertions are worse than nothing
        assert (segments >= 0).all()
        assert float(made(*data)) >= 0
    if made.name in ("nist", "length") or not made.higher_is_better:
        return  # in bits, or by words of the reference: without an upper bound
    smooth = getattr(made, "smooth", None)
    if smooth != 6:  # its prior p_2^2 / p_1 exceeds 1 where p_2 > p_1
        assert (segments <= 1 + 1e-12).all()
    if smooth not in (5, 6, 7) or made.name == "doc-bleu":  # 5 averages counts, which on sums may exceed the totals
        assert float(made(*data)) <= 1 + 1e-12


@every_metric
@given(text=sentence(30, min_size=18))
def test_a_perfect_translation_is_better_than_another(made, text):
    ready = made.prepare([text, "something else"])
    perfect, other = float(ready.segment(text, text)), float(ready.segment("something else", text))
    assert (perfect > other) if made.higher_is_better else (perfect < other)
    # NIST is in bits; METEOR of 2005 takes a little off for the one chunk that a perfect translation is, and the weight
    # of an exact match may be below 1; RIBES leaves out words whose place is not certain, as in "a a a".
    if made.name not in ("nist", "meteor", "ribes") or made.spec == "meteor(version=1.5)":
        assert perfect == pytest.approx(1 if made.higher_is_better else 0, rel=1e-12)


#: Metrics over characters with the spaces between them; numbers have none.
WITH_SPACES = ("char-bleu", "ler", "lebleu")


@every_metric
@given(data=corpus(sentence(9, words=st.sampled_from("abcd")), 3, 3))
def test_token_numbers_are_words_of_a_letter(made, data):
    """A number stands for a word of one letter that is no punctuation, has no case and no stem."""
    if "tokenize" in (takes := {field.name for field in parameters(made)}):
        made = dataclasses.replace(made, tokenize="none", **({"compat": "none"} if "compat" in takes else {}))
    hyps, refs = data
    if made.name in WITH_SPACES:
        hyps, refs = ["".join(text.split()) for text in hyps], [["".join(text.split()) for text in e] for e in refs]

    def numbers(text):
        return [100_000 + 7 * ord(letter) for letter in text if not letter.isspace()]

    ids = [*map(numbers, hyps)], [[*map(numbers, entry)] for entry in refs]
    if made.name != "lebleu":  # which needs spaces to have words; see its own tests
        close(made.segments(*ids), made.segments(hyps, refs))
        close(float(made(*ids)), float(made(hyps, refs)))
    assert "|tok:ids|" in made(*ids).signature


# Values ------------------------------------------------------------------------------------------------------


def test_pickles_copies_and_reads_back(any_metric):
    any_metric(HYPS, REFS)  # used metrics hold tokenisers and counters
    for again in (pickle.loads(pickle.dumps(any_metric)), copy.deepcopy(any_metric), metric(any_metric.spec)):
        assert again == any_metric
        assert float(again(HYPS, REFS)) == float(any_metric(HYPS, REFS))


def test_scores_pickle_and_copy(any_metric):
    score = any_metric(HYPS, REFS)
    for again in (pickle.loads(pickle.dumps(score)), copy.copy(score), copy.deepcopy(score)):
        assert float(again) == float(score)
        assert str(again) == str(score)
        assert again.signature == score.signature
        assert again.stats.values.tolist() == score.stats.values.tolist()
    stats = pickle.loads(pickle.dumps(score.stats))
    assert (stats.values.tolist(), stats.columns, stats.nrefs) == (
        score.stats.values.tolist(),
        score.stats.columns,
        score.stats.nrefs,
    )


def test_scores_have_parts(any_metric):
    score = any_metric(HYPS, REFS)
    assert score.parts["value"] == float(score) == score.value
    for name, part in score.parts.items():
        assert getattr(score, name) == part
    with pytest.raises(
        AttributeError, match=re.escape(f"{any_metric.title} has no part 'colour'; its parts are value, ")
    ):
        score.colour  # noqa: B018
    assert score.metric.name == any_metric.name
    assert isinstance(repr(score), str)
    assert score.display(3) == f"{float(score) * any_metric.display_scale:.3f}"
    assert str(score).startswith(f"{any_metric.title} = {score.display()}")


def test_scoring_is_a_pure_function(any_metric):
    first = any_metric(HYPS, REFS).stats.values.tolist()
    any_metric(["x y"], ["z"])
    assert any_metric(HYPS, REFS).stats.values.tolist() == first


# Signatures --------------------------------------------------------------------------------------------------

ALTERNATIVES = {
    "order": [1, 2, 3],
    "smooth": ["none", "floor", "add-k", "exp", 0, 1, 2, 3, 4, 5, 6, 7],
    "epsilon": [0.1, 0.01],
    "add": [1.0, 0.5],
    "k": [5.0, 2.0],
    "alpha": [5.0, 1.0],
    "beta": [1.0, 2.0],
    "e": [1.0, 2.0],
    "weights": [None, [0.4, 0.3, 0.2, 0.1], [1, 0, 0, 0], [2, 1, 1, 1]],
    "tokenize": ["none", "13a", "intl", "zh", "char", "char+space"],
    "min_order": [1, 2],
    "n": [1, 2],
    "skip": [None, 0, 4],
    "weight": [1.0, 1.2, 2.0],
    "char_order": [6, 2],
    "word_order": [0, 2],
    "limit": [None, 8],
    "gamma": [0.5, 0.2],
    "language": ["none", "english", "german"],
    "beam": [1, 500],
    "threshold": [0.5, 0.0, 1.0],
    "assign": [400, 1],
    "theta1": [0.0, 0.3],
    "theta2": [0.5, 0.2],
    "recall_order": [1, 2],
    "brevity": [1.0, 0.0],
    "redundancy": [1.0, 0.5],
    "char_brevity": [1.0, 0.0],
    "char_redundancy": [1.0, 0.5],
}


def alternatives(cls, folder):
    """What to try for each parameter of a metric: a choice names its own, some name files."""
    particular = {
        "meteor": {
            "alpha": [0.9, 0.5],
            "delta": [0.75, 0.4],
            "weights": [(1.0, 0.6, 0.8, 0.6), (0.5, 0.5, 0.5, 0.5)],
            "function_words": [None, write_function_words(folder / "functions.txt")],
            "wordnet": [None, write_wordnet(folder / "dict")],
            "paraphrases": [None, write_paraphrases(folder / "paraphrases.tsv")],
        },
        "amber": {"alpha": [0.9, 0.5]},
        "ter": {"beam": [None, 1, 25]},
        "lebleu": {"mean": ["arithmetic", "geometric"], "threshold": [0.4, 1.0]},
    }
    own = {
        field.name: [False, True] if isinstance(field.metadata["kind"], Flag) else field.metadata["kind"].values
        for field in parameters(cls)
        if hasattr(field.metadata["kind"], "values") or isinstance(field.metadata["kind"], Flag)
    }
    return ALTERNATIVES | own | particular.get(cls.name, {})


#: Texts on which every parameter above matters for some metric.
TELLING = [
    (
        "The cat, sat on-the mat. 3.5",
        ["the Cat sat, on-the mat 3.5", "a cat", "The cat sat on the mat today and tomorrow"],
    ),
    ("x y", ["a b", "a b c"]),
    ("cat", ["cat"]),
    ("xyz", ["abc"]),
    ("中文 «word» it's 5.", ["中文字 «word» its 5.", "中"]),
    ("a b d e f g h i", ["a c d e i j k l m n"]),
    ("HELLO World again", ["hello world Again here"]),
    ("short one", ["short one here", "short one here and more words after it"]),
    ("the dog the cat", ["the cat the dog"]),
    ("he was translating words", ["he has translated a word"]),
    ("a b c d", ["a b", "a b c d e f g h"]),
    ("he read it because he was old", ["he was old because he read it"]),
    ("x y", ["x", "x y z w v u"]),
    ("c a b c", ["a c c b c a c a"]),
    ("short one, two cars", ["a brief thing, an automobile"]),
    ("c a b c a", ["a c a a b"]),
    ("walking cats", ["a walk of the cat"]),
]


#: What some parameters matter beside.
BESIDE = {
    "gtm": {"e": 2.0},
    "ter": {"normalized": True},
    "lebleu": {"limit": 8},
    "length": {"tokenize": "13a"},
    "meteor": {"version": "1.5"},
}


def allowed(cls, choices):
    """Metrics with these parameters, but for those that are refused together."""
    for parameters_given in choices:
        with contextlib.suppress(SpecError):
            yield cls(**parameters_given)


@pytest.mark.parametrize("name", NAMES)
def test_whatever_changes_a_score_changes_the_signature(name, tmp_path):
    cls = metric_class(name)
    values = alternatives(cls, tmp_path)
    takes = [field.name for field in parameters(cls)]
    bases = [{}]
    if "smooth" in takes:
        bases += [{"smooth": smooth} for smooth in values["smooth"]]
    bases += [BESIDE[name]] if name in BESIDE else []
    bases += [{**BESIDE[name], "function_words": values["function_words"][1]}] if name == "meteor" else []
    changed = set()
    for base in bases:
        for parameter in takes:
            order = {"order": 4} if parameter == "weights" and "order" in takes else {}  # which are four
            made = [*allowed(cls, ({**base, **order, parameter: value} for value in values[parameter]))]
            refs = [entry for _, entry in TELLING]
            # Rounded, so that weights 1/4 and none are one and the same.
            results = [tuple(np.round(one.segments([hyp for hyp, _ in TELLING], refs), 12)) for one in made]
            for i, a in enumerate(made):
                for j, b in enumerate(made[:i]):
                    if results[i] != results[j]:
                        changed.add(parameter)
                        assert a.for_segments.signature() != b.for_segments.signature(), f"{a} and {b}"
    assert changed == set(takes)  # or the texts above would prove nothing


def test_equal_metrics_have_equal_signatures(any_metric):
    assert metric(any_metric.spec).signature((1, 2)) == any_metric.signature((1, 2))


def test_signature_shape(any_metric):
    from tricolore import __version__

    signature = any_metric(HYPS, REFS).signature
    assert signature.startswith(f"{any_metric.title}|nrefs:var|")
    assert signature.endswith(f"|version:tricolore-{__version__}")
    items = any_metric.signature_items((2, 2))
    assert items["nrefs"] == 2
    # chrF has sacreBLEU's keys: its characters are not tokens.
    assert ({"case", "space"} if any_metric.name == "chrf" else {"case", "tok", "punct"}) <= items.keys()
    assert hasattr(any_metric, "order") == ("order" in items)
    assert "\n" not in signature and " " not in signature


# How rows were counted ---------------------------------------------------------------------------------------

ONE_REFERENCE = [(hyp, entry[:1]) for hyp, entry in TELLING]
_NUMBERS = {
    word: 7 * i for i, word in enumerate(dict.fromkeys(" ".join(f"{h} {' '.join(e)}" for h, e in TELLING).split()))
}


def numbered(text):
    return [_NUMBERS[word] for word in text.split()]


#: The texts that tell parameters apart: with several references, with one, and as numbers.
KINDS = {
    "several": ([hyp for hyp, _ in TELLING], [entry for _, entry in TELLING]),
    "one": ([hyp for hyp, _ in ONE_REFERENCE], [entry for _, entry in ONE_REFERENCE]),
    "ids": ([numbered(hyp) for hyp, _ in TELLING], [[*map(numbered, entry)] for _, entry in TELLING]),
}


def declared(made, kind):
    """The parameters that do not matter to such rows, as the metric says."""
    names = {*made.scoring_parameters}
    return names | {*(made.choosing_parameters if kind == "one" else made.text_parameters if kind == "ids" else ())}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_rows_are_scored_with_other_parameters_only_if_these_do_not_change_them(name, kind, tmp_path):
    cls, (hyps, refs) = metric_class(name), KINDS[kind]
    values = alternatives(cls, tmp_path)
    bases = [{}, *([{"smooth": 5}] if hasattr(cls, "smooth") and name != "lebleu" else [])]
    bases += [BESIDE[name]] if name == "meteor" else []
    for base in bases:
        for parameter in [field.name for field in parameters(cls)]:
            order = {"order": 4} if parameter == "weights" and hasattr(cls, "order") else {}
            made = [
                one.prepare(refs)
                for one in allowed(cls, ({**base, **order, parameter: value} for value in values[parameter]))
            ]
            rows = [one.stats(hyps, refs) for one in made]
            for i, a in enumerate(made):
                for j, b in enumerate(made):
                    if parameter in declared(a, kind):
                        needs = {*b.columns} - {*a.columns}
                        if needs:
                            with pytest.raises(InputError, match=f"needs {b.columns[0][:3]}.*do not have; count them"):
                                b.score(rows[i])
                        else:
                            assert b.values_of(rows[i]).tolist() == rows[j].values.tolist(), f"{a} and {b}"
                    elif a.for_segments != b.for_segments:
                        with pytest.raises(InputError, match=f"^rows counted by .*cannot be scored by {name}"):
                            b.result(rows[i].sum())


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_every_metric_are_scored_rightly_by_every_metric_or_refused(kind):
    hyps, refs = KINDS[kind]
    made = [metric(text).prepare(refs) for text in VARIANTS]
    rows = [one.stats(hyps, refs) for one in made]
    shared = set()
    for a, counted in zip(made, rows, strict=True):
        for b, own in zip(made, rows, strict=True):
            try:
                values = b.values_of(counted)
            except InputError as error:
                assert a != b
                assert re.search("^rows counted by .* cannot be scored by |, which these rows do not have", str(error))
                continue
            assert values.tolist() == own.values.tolist(), f"{a} and {b}"
            shared.add((a.name, b.name))
    assert {("wer", "wrr"), ("wrr", "wer"), ("bleu", "bleus"), ("bleus", "bleu")} <= shared
    assert (
        not {("wer", "per"), ("per", "cder"), ("bleu", "doc-bleu"), ("bleu", "tbleu"), ("rouge-l", "rouge-w")} & shared
    )


def test_rows_remember_how_they_were_counted(any_metric):
    ready = any_metric.prepare(REFS)
    rows = ready.stats(HYPS, REFS)
    assert rows.counting["metric"] and rows.counting["input"] == "text"
    parts = rows[:2], rows[2:]
    for total in (
        rows.sum(),
        parts[0].sum() + parts[1].sum(),
        sum(part.sum() for part in parts),
        sum(rows[i] for i in range(len(rows))),
        Stats.joined(parts).sum(),
        Stats.joined(rows[i] for i in range(len(rows))).sum(),
        pickle.loads(pickle.dumps(rows)).sum(),
        copy.deepcopy(rows).sum() + 0,
        ready(HYPS, REFS).stats,
        ready.result(rows.sum()).stats,
    ):
        assert total.counting == rows.counting
        assert total.nrefs == rows.nrefs
        close(total.values, rows.values.sum(axis=0))
    assert rows[0].counting == ready.segment(HYPS[0], REFS[0]).stats.counting == rows.counting
    again = pickle.loads(pickle.dumps(ready))
    assert float(again.result(rows.sum())) == float(ready.result(rows.sum()))


def test_text_and_token_ids_do_not_add(any_metric):
    hyps, refs = KINDS["ids"]
    text, ids = any_metric.stats(HYPS, REFS).sum(), any_metric.stats(hyps, refs).sum()
    assert ids.ids and not text.ids
    name = text.counting["metric"]
    with pytest.raises(
        InputError, match=f"rows counted by {name}.* from text cannot be added to rows counted by {name}"
    ):
        text + ids


def test_no_rows_add_to_any(any_metric):
    hyps, refs = KINDS["ids"]
    ready = any_metric.prepare(refs)
    rows = ready.stats(hyps, refs).sum()
    for total in (rows + ready.stats([], []).sum(), ready.stats([], []).sum() + rows):
        assert total.ids
        assert float(ready.result(total)) == float(ready.result(rows))


# Documentation -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_metrics_are_documented_and_cited(name):
    cls = metric_class(name)
    assert cls.name == name
    assert dataclasses.is_dataclass(cls) and cls.__dataclass_params__.frozen
    text = cls.__doc__
    first = text.splitlines()[0]
    assert first.endswith(".") and re.search(r"\b(19|20)\d\d\b", first), "the first line says what it is, and from when"
    assert ">>>" in text, "a runnable example"
    prose = re.sub(r"(?m)^\s*(>>>|\.\.\.).*$", "", text)
    assert " = " in prose or "It is" in prose or "instead of" in prose, "an equation, or what it is"
    assert re.search(r"\(\d{4}\)", cls.citation), "a citation with its year"
    for field in parameters(cls):
        assert field.metadata["doc"] and field.metadata["kind"].expects


@pytest.mark.parametrize("name", NAMES)
def test_parameters_are_given_by_name(name):
    cls = metric_class(name)
    with pytest.raises(SpecError, match=f"{name}: parameters are given by name, such as {cls.__name__}"):
        cls(2)


def test_metrics_of_a_family_stand_together():
    assert [cls.name for classes in families().values() for cls in classes] == [*NAMES]


def test_a_metric_is_abstract_or_final():
    for cls in metric_classes():
        assert not {*cls.__mro__[1:]} & {*metric_classes()}, f"{cls.__name__} inherits from a metric that can be used"


def test_no_metric_reaches_past_its_parent():
    """No method calls `Grandparent.method(self, ...)`."""
    for path in Path(tricolore.metrics.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                owner, first = node.func.value, node.args[0]
                by_class = isinstance(owner, ast.Name) and owner.id[0].isupper()
                assert not (by_class and ast.unparse(first) == "self"), f"{path.name}:{node.lineno}"
