"""Names of other packages answer with the line to write instead, and that line gives the same number."""

import importlib
import inspect
import pickle
import subprocess
import sys

import jiwer
import nltk.translate
import pytest
import rouge_score.rouge_scorer
import sacrebleu
from test_coming_from import OTHER_TEXTS

import tricolore as tri
from tricolore.errors import InputTypeError
from tricolore.other_packages import (
    CONDITIONS,
    ELSEWHERE,
    OF_ARGUMENTS,
    OF_DROP_INS,
    OF_METRICS,
    OF_NAMES,
    OF_PACKAGE,
    OF_PARAMETERS,
    OF_SAME_VALUES,
    OF_SCORES,
)

HYPS = ["it is too late to go there now", "the cat sat on the big mat"]
REFS = ["it is much too late to go there", "a cat sat on the mat"]


class Evaluate:
    """Hugging Face's `evaluate` loads its metrics over the network; its sacrebleu module calls sacreBLEU's BLEU."""

    @staticmethod
    def load(name):
        assert name == "sacrebleu"
        return Evaluate

    @staticmethod
    def compute(predictions, references):
        return {"score": sacrebleu.corpus_bleu(predictions, [references]).score}


def names_of(hyps, refs, segment=0):
    scored = sacrebleu.BLEU()
    scored.corpus_score(hyps, [refs])
    for module in (
        "nltk.translate.bleu_score",
        *(f"nltk.translate.{name}_score" for name in ("gleu", "nist", "ribes")),
    ):
        importlib.import_module(module)
    importlib.import_module("tricolore.compat.jiwer")
    return {
        **{"tri": tri, "sacrebleu": sacrebleu, "jiwer": jiwer, "nltk": nltk, "rouge_score": rouge_score},
        **{"evaluate": Evaluate, "bleu": scored, "metric": tri.BLEU(), "score": tri.BLEU()(hyps, refs)},
        **{"hyps": hyps, "refs": refs, "hyp": hyps[segment], "ref": refs[segment]},
        **{"tricolore": tri, "transform": jiwer.wer_standardize},
    }


@pytest.fixture
def names():
    return names_of(HYPS, REFS)


TABLES = {"package": OF_PACKAGE, "metrics": OF_METRICS, "parameters": OF_PARAMETERS, "scores": OF_SCORES}
LINES = [(name, *row) for table in TABLES.values() for name, rows in table.items() for row in rows]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("before", "now"), [line[1:] for line in LINES], ids=[line[0] for line in LINES])
def test_both_lines_give_the_same_number(before, now, names, capsys):
    if "torchmetrics" in before:
        names["torchmetrics"] = pytest.importorskip("torchmetrics", reason="torchmetrics is not installed")
        assert eval(now, names) == pytest.approx(float(eval(before, names)), rel=1e-6)  # which is in single precision
        return
    expected, found = eval(before, names), eval(now, names)
    if isinstance(expected, str) and " = " in expected:
        assert expected.partition(" (")[0] == found.partition(" (")[0]
        return
    if isinstance(expected, str):  # a signature; ours says more
        assert expected.partition("|version")[0] in found
    elif expected is not None:
        assert found == pytest.approx(expected, rel=1e-12)
    else:
        printed = capsys.readouterr().out.split()
        assert all(printed.count(word) >= 2 for word in names["hyp"].split())


def are_the_same(before, now, names):
    """Whether both lines give the same number."""
    try:
        expected = float(eval(before, names))
    except ZeroDivisionError:
        return False
    return eval(now, names) == pytest.approx(expected, rel=1e-6 if "torchmetrics" in before else 1e-12)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", LINES, ids=[line[0] for line in LINES])
def test_lines_without_a_condition_give_the_same_number_for_all_texts(line):
    _, before, now = line
    texts = [(*texts, i) for texts in OTHER_TEXTS.values() for i in range(len(texts[0]))]
    cases = [names_of(*one) for one in texts]
    if "torchmetrics" in before:
        torchmetrics = pytest.importorskip("torchmetrics", reason="torchmetrics is not installed")
        cases = [names | {"torchmetrics": torchmetrics} for names in cases]
    if not isinstance(eval(now, cases[0]), str | None):
        conditions = [part for part in CONDITIONS if part in before]
        assert all(are_the_same(before, now, names) for names in cases) == (not conditions)


@pytest.mark.parametrize("name", OF_PACKAGE)
def test_the_package_says_what_to_write(name):
    with pytest.raises(AttributeError) as caught:
        getattr(tri, name)
    with pytest.raises(ImportError) as imported:
        exec(f"from tricolore import {name}")
    for before, now in OF_PACKAGE[name]:
        assert f"{now} for {before}" in str(caught.value) and f"{now} for {before}" in str(imported.value)
    assert "\n" not in str(caught.value)
    assert not hasattr(tri, name)


@pytest.mark.parametrize("name", OF_METRICS)
def test_metrics_say_what_to_write(name):
    for cls in (tri.BLEU, tri.TER):
        with pytest.raises(
            AttributeError, match=f"'{cls.__name__}' object has no attribute '{name}'; write "
        ) as caught:
            getattr(cls(), name)
        assert OF_METRICS[name][0][1] in str(caught.value)


@pytest.mark.parametrize("name", OF_PARAMETERS)
def test_parameters_say_what_to_write(name):
    with pytest.raises(tri.SpecError, match=f"bleu has no parameter '{name}'; write ") as caught:
        tri.BLEU(**{name: 1})
    if name in OF_SAME_VALUES:
        assert f"; write {OF_SAME_VALUES[name]}= for {name}= (it takes" in str(caught.value)
        assert f"{OF_SAME_VALUES[name]}=" in OF_PARAMETERS[name][0][1]
    else:
        assert OF_PARAMETERS[name][0][1] in str(caught.value)


@pytest.mark.parametrize("name", OF_SCORES)
def test_scores_say_what_to_write(name):
    with pytest.raises(AttributeError) as caught:
        getattr(tri.BLEU()(HYPS, REFS), name)
    assert OF_SCORES[name][0][1] in str(caught.value) or name == "score"


@pytest.mark.parametrize(("module", "name"), [(module, name) for module, names in ELSEWHERE.items() for name in names])
def test_names_that_are_elsewhere_say_where(module, name):
    line = f"from {module} import {name}"
    with pytest.raises(AttributeError, match=f"; write {line}$"):
        getattr(tri, name)
    with pytest.raises(ImportError, match=f"; write {line}$"):
        exec(f"from tricolore import {name}")
    package = module.split(".")[-1]
    if package in ("torchmetrics", "evaluate"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    exec(line)


def test_names_in_other_letters_say_what_is_meant():
    for name, meant in {"bleu": "BLEU", "chrF": "ChrF", "Ter": "TER", "ROUGEL": "RougeL", "gleu": "GLEU"}.items():
        with pytest.raises(AttributeError, match=f"; did you mean '{meant}'"):
            getattr(tri, name)


def test_names_of_metrics_say_what_they_are_called_here():
    for name, spec in OF_NAMES.items():
        with pytest.raises(tri.SpecError, match="unknown metric") as caught:
            tri.metric(name)
        assert f"; write {spec} for it (" in str(caught.value)
        if "flores" not in spec:  # which reads a model
            tri.metric(spec)
    for name, package in OF_DROP_INS.items():
        with pytest.raises(tri.SpecError, match=f"; it is in the drop-in tricolore.compat.{package} "):
            tri.metric(name)
        importlib.import_module(f"tricolore.compat.{package}")


def test_options_say_what_they_are_called_here():
    for function, arguments, here in (
        (tri.confidence, ("bleu", HYPS, REFS), "resamples= for n_bootstrap="),
        (tri.compare, ({"a": HYPS, "b": REFS}, REFS), "resamples= for n_bootstrap="),
        (tri.compare, ({"a": HYPS, "b": REFS}, REFS), "trials= for n_samples="),
    ):
        with pytest.raises(TypeError, match=f"; write {here}$"):
            function(*arguments, **{here.split()[-1][:-1]: 100})


def test_other_functions_say_what_arguments_are_called_here():
    with pytest.raises(TypeError, match="write ref= for reference=, hyp= for hypothesis="):
        tri.align(reference="a", hypothesis="b")
    with pytest.raises(TypeError, match="write hyp= for predictions=, refs= for references="):
        tri.score_table({"mt": HYPS, "ref": REFS}, predictions="mt", references="ref")


def test_names_of_no_package_have_no_hint():
    with pytest.raises(AttributeError, match=r"has no attribute 'nonsense'$"):
        tri.nonsense  # noqa: B018
    with pytest.raises(AttributeError, match=r"has no attribute 'nonsense'$"):
        tri.BLEU().nonsense  # noqa: B018
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'nonsense'$"):
        tri.BLEU()(HYPS, REFS, nonsense=1)


FUNCTIONS = {"metric": tri.BLEU(), "score": tri.score, "compare": tri.compare}
FUNCTIONS |= {name: getattr(tri.BLEU(), name) for name in ("segments", "stats", "pairwise")}


@pytest.mark.parametrize("name", OF_ARGUMENTS)
@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS.keys())
def test_names_of_arguments_say_what_they_are_called_here(name, function):
    """And the call with those names works."""
    systems = {"a": HYPS, "b": REFS} if function is tri.compare else HYPS
    wanted = [*inspect.signature(function).parameters][:2]
    given = dict(zip(wanted, (systems, REFS), strict=True))
    function(**given)
    here = wanted[OF_ARGUMENTS[name][0] == "refs"]
    given[name] = given.pop(here)
    with pytest.raises(TypeError) as caught:
        function(**given)
    assert f"; write {here}= for {name}= (hypotheses come first)" in str(caught.value)


def test_arguments_of_one_segment_say_what_they_are_called_here():
    with pytest.raises(TypeError, match=r"write hyp= for hypothesis=, refs= for reference= \(hypotheses come first\)"):
        tri.BLEU().segment(hypothesis="a b", reference="a c")


def test_parameters_beside_the_name_of_a_metric_say_what_to_write():
    with pytest.raises(
        tri.SpecError, match=r"in the text, such as 'bleu\(order=2\)'; write order= for max_ngram_order=$"
    ):
        tri.metric("bleu", max_ngram_order=2)
    with pytest.raises(tri.SpecError, match=r"in the text, such as 'bleu\(order=2\)'$"):
        tri.metric("bleu", order=2)


@pytest.mark.parametrize("name", ["COMET", "comet", "XCOMET", "BERTScore", "BLEURT", "MetricX"])
def test_neural_metrics_say_how_their_scores_are_passed(name):
    line = f"tri.score(hyps, refs, scores={{{name!r}: numbers}})"
    with pytest.raises(AttributeError, match="it requires a neural model") as caught:
        getattr(tri, name)
    assert str(caught.value).endswith(f"and write {line}")
    assert f"\n{name} = 0.5000" in repr(eval(line, {"tri": tri, "hyps": HYPS, "refs": REFS, "numbers": [0.4, 0.6]}))


def test_errors_inside_a_call_stay_what_they_are():
    def progress(done, total):
        raise TypeError("mine")

    with pytest.raises(TypeError, match=r"^mine$"):
        tri.BLEU()(HYPS, REFS, progress=progress)


def test_references_first_are_told_from_tokens():
    with pytest.raises(InputTypeError, match="hypotheses come first, then references"):
        tri.BLEU()([[ref] for ref in REFS], HYPS)
    with pytest.raises(InputTypeError, match="join tokens with spaces"):
        tri.BLEU()([hyp.split() for hyp in HYPS], [[ref.split()] for ref in REFS])


def test_metrics_still_pickle_and_are_told_from_others():
    metric = tri.BLEU(order=2)
    assert pickle.loads(pickle.dumps(metric)) == metric
    assert not hasattr(metric, "compute") and not hasattr(metric, "__array__")


def test_nothing_is_loaded_unless_a_name_is_unknown():
    code = (
        "import sys, tricolore as tri; tri.BLEU()(['a b'], ['a c']); tri.BLEU().segment('a', 'b'); "
        "print('tricolore.old_habits' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


@pytest.mark.parametrize(
    ("name", "options", "spec", "hyps", "refs", "numbers"),
    [
        ("TranslationEditRate", {}, "ter", ["", "a b c d"], [["x"], ["a b c d"]], (0, 0.2)),
        ("CHRFScore", {}, "chrf++(eps_smoothing=true)", ["", "a b c d"], [["x"], ["a b c d"]], (0.75, 0.7083)),
        (
            *("BLEUScore", {"n_gram": 2, "smooth": True}, "bleu(order=2, tokenize=none, smooth=2)"),
            *(["hello, world! 3.5"], [["hello world 3.5"]], (0, 0.3333)),
        ),
        ("CharErrorRate", {}, "cer", ["a  b "], ["a b"], (0.6667, 0)),
        *(
            (name, {}, spec, ["a b c d e"], [refs], (theirs, 1))
            for name, spec in (
                ("BLEUScore", "bleu(tokenize=none, smooth=none)"),
                ("SacreBLEUScore", "bleu(smooth=none)"),
            )
            for refs, theirs in ((["a b c d e f", "a b c d"], 0.8187), (["a b c d", "a b c d e f"], 1))
        ),
        ("WordErrorRate", {}, "wer", ["so, it is!"], ["so it is"], (0.6667, 0.6667)),
    ],
)
def test_torchmetrics_differs_where_the_documentation_says_so(name, options, spec, hyps, refs, numbers):
    """As docs/coming-from/torchmetrics.md has them."""
    text = pytest.importorskip("torchmetrics.text")
    theirs = float(getattr(text, name)(**options)(hyps, refs))
    assert (round(theirs, 4), round(float(tri.metric(spec)(hyps, refs)), 4)) == numbers


SYSTEMS = {"a": HYPS, "b": REFS}
TABLE = {"mt": HYPS, "ref": REFS}


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda: tri.score(HYPS, REFS, metric="bleu"), "; write metrics= for metric="),
        (lambda: tri.compare(SYSTEMS, REFS, metric="bleu"), "; write metrics= for metric="),
        (lambda: tri.audit(HYPS, REFS, metric="bleu"), "; write metrics= for metric="),
        (lambda: tri.score_table(TABLE, hyp="mt", ref="ref"), "; write refs= for ref= (hypotheses come first)"),
        (
            lambda: tri.score(HYPS, REFS, lowercase=True),
            "; write metrics='bleu(lowercase=true)', for parameters belong",
        ),
        (lambda: tri.score(HYPS, REFS, tokenize="zh"), "; write metrics='bleu(tokenize=zh)', for parameters belong to"),
        (lambda: tri.score(HYPS, REFS, "bleu", "chrf"), "; write ['bleu', 'chrf'] for several metrics"),
        (lambda: tri.score(HYPS, REFS)["score"], "; write score.points for"),
        (lambda: tri.score([HYPS, HYPS], [REFS[0]] * 3), "2 hypotheses but references for 3 segments"),
        (lambda: tri.score([HYPS * 2] * 2, REFS * 2), ". Several systems go by name, such as {'a': [...], 'b': [...]}"),
        (lambda: tri.score({"A": HYPS, "B": HYPS[:1]}, REFS), "B: 1 hypothesis but references for 2 segments"),
        (lambda: tri.confidence(HYPS, REFS, "bleu"), "metric: comes first, then hypotheses and references; got list"),
        (lambda: tri.metric(tri.BLEU), "got the class BLEU; write BLEU()"),
        (lambda: tri.mbr([HYPS, REFS]), "got a list; write samples=[...] for several sources"),
        (lambda: tri.BLEU()(__file__, __file__), "got one string; tricolore.score reads files"),
    ],
)
def test_habits_get_a_hint(call, hint):
    with pytest.raises(tri.TricoloreError) as caught:
        call()
    assert hint in str(caught.value)


def test_classes_of_metrics_say_where_they_are_imported_from():
    for name, meant in {"BLEU": "BLEU", "CHRF": "ChrF", "TER": "TER"}.items():
        with pytest.raises(ImportError, match=f"; write from tricolore import {meant}$"):
            exec(f"from tricolore.metrics import {name}")
    with pytest.raises(ImportError, match="cannot import name 'Nonsense'"):
        exec("from tricolore.metrics import Nonsense")
    import tricolore.metrics

    assert not hasattr(tricolore.metrics, "__wrapped__")
