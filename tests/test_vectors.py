"""The golden vectors: `pytest tests/test_vectors.py --vectors FILE`, or those of ../shared when they are there."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from tricolore import (
    BLEU,
    BLEUSBP,
    GRR,
    GTM,
    LER,
    NIST,
    PER,
    TER,
    WER,
    WRR,
    CharBLEU,
    DocumentBLEU,
    LeBLEU,
    RougeL,
    RougeS,
    RougeW,
    _native,
    metric,
    spec,
)
from tricolore.features import Features
from tricolore.graphs import Forest, Lattice, Node
from tricolore.graphs.mbr import LinearGain, choose_of_list
from tricolore.judge.correlation import statistics as correlation
from tricolore.judge.orange.ranking import orange as judge
from tricolore.judge.score_table import Column, mean
from tricolore.judge.significance.compare import compare_scores
from tricolore.judge.significance.percentiles import interval_of
from tricolore.tuning.bounds import Bounds
from tricolore.tuning.expected import expected_gain
from tricolore.tuning.line_search import Lines
from tricolore.tuning.mira import mira_step as step

DEFAULT = Path(__file__).parents[1].parent / "shared" / "vectors.json"

PARAMETERS = {
    "N": "order",
    "ref_len": "ref_len",
    "smoothing": "smooth",
    "eps": "epsilon",
    "K": "k",
    "max_n": "order",
    "delta": "threshold",
    "sample": "limit",
    "alpha": "alpha",
    "w": "weight",
    "max_skip": "skip",
    # Parameters that are called here what they are called there.
    **{
        name: name
        for name in (
            "weights",
            "lowercase",
            "strip_punctuation",
            "tokenize",
            "mean",
            "short",
            "zero_if_no_unigram",
            "beta",
            "multi_ref",
            "e",
            "method",
        )
    },
}


def build(cls, params, **defaults):
    """Make a metric of a vector's parameters; one that the metric does not have is an error."""
    return cls(**defaults | {PARAMETERS[name]: value for name, value in params.items()})


def bleu(params, hyps, refs):
    return float(build(BLEU, params, smooth=0, tokenize="none")(hyps, refs))


def bleu_stats(params, hyps, refs):
    score = build(BLEU, params, smooth=0, tokenize="none")(hyps, refs)
    return {
        "matches": score.counts,
        "totals": score.totals,
        "hyp_len": score.hyp_len,
        "ref_len": score.ref_len,
        "bp": score.bp,
    }


def sentence_bleu(params, hyps, refs):
    metric = build(BLEU, params, smooth=0, tokenize="none")
    batch = metric.segments(hyps, refs).tolist()
    assert batch == pytest.approx([float(metric.segment(*pair)) for pair in zip(hyps, refs, strict=True)], rel=1e-12)
    return batch


def bleu_sbp(params, hyps, refs):
    return float(build(BLEUSBP, params, smooth=0, tokenize="none")(hyps, refs))


def document_bleu(params, hyps, refs):
    return float(build(DocumentBLEU, params, smooth=0, tokenize="none")(hyps, refs))


def char_bleu(params, hyps, refs):
    return float(build(CharBLEU, params, smooth=0)(hyps, refs))


def nist(params, hyps, refs):
    return float(build(NIST, params, tokenize="none")(hyps, refs))


def nist_length_penalty(params, hyps, refs):
    assert params.keys() == {"ratio"}
    return NIST().length_penalty(float(params["ratio"]))


def rouge_l(params, hyps, refs):
    return build(RougeL, params, tokenize="none").segments(hyps, refs).tolist()


def rouge_w(params, hyps, refs):
    return build(RougeW, params, tokenize="none").segments(hyps, refs).tolist()


def rouge_s(params, hyps, refs):
    return build(RougeS, params, tokenize="none").segments(hyps, refs).tolist()


def gtm(params, hyps, refs):
    return build(GTM, params, tokenize="none").segments(hyps, refs).tolist()


def grr(params, hyps, refs):
    return float(build(GRR, params, tokenize="none")(hyps, refs))


def grr_lattice(params, hyps, refs):
    lattice = Lattice.of(params["edges"], params["start"], [params["final"]])
    numbers = {word: i for i, word in enumerate(lattice.words)}
    reference = [numbers.setdefault(word, len(numbers)) for word in refs[0][0].split()]
    size = len(lattice.words)
    costs = {name: params[name] for name in ("alpha", "beta")}
    return lattice.best_recognised(np.arange(size + 1), np.arange(size), np.array(reference), **costs)[0]


def wer(params, hyps, refs):
    return float(build(WER, params)(hyps, refs))


def wrr(params, hyps, refs):
    return float(build(WRR, params)(hyps, refs))


def ler(params, hyps, refs):
    return float(build(LER, params)(hyps, refs))


def per(params, hyps, refs):
    return float(build(PER, params)(hyps, refs))


def ter(params, hyps, refs):
    return float(build(TER, params, case=True)(hyps, refs))


def lebleu(params, hyps, refs):
    return float(build(LeBLEU, params)(hyps, refs))


def lebleu_kept_positions(params, hyps, refs):
    assert params.keys() == {"words", "limit"}
    return _native.sampled_positions(params["words"], params["limit"])


def kendall(params, hyps, refs):
    return correlation.kendall(**params)


def kendall_tau_b(params, hyps, refs):
    return correlation.kendall_tau_b(**params)


def pearson(params, hyps, refs):
    return correlation.pearson(**params)


def spearman(params, hyps, refs):
    return correlation.spearman(**params)


def pairwise_accuracy(params, hyps, refs):
    return correlation.pairwise_accuracy(**params)


def orange(params, hyps, refs):
    names = {"bleus": "bleus", "rouge_l": "rouge-l", "rouge_w": "rouge-w", "rouge_s": "rouge-s"}
    given = {PARAMETERS[name]: value for name, value in params["metric_params"].items()}
    name = names.get(params["metric"], params["metric"])
    judged = metric(spec.compose(name, {"tokenize": "none", **given} if name not in ("ter", "ler") else given))
    how = {"candidates": params["candidates"], "ties": params["ties"], "average": params["mode"].removeprefix("avg_")}
    assert not hyps
    return judge(params["nbest"], refs, [judged], **how)[0].orange


def plain_mean(params, hyps, refs):
    column = Column.of_scores("values", [params["values"]])
    return float(column.systems()[0])


def bootstrap_ci(params, hyps, refs):
    rows = Column.of_scores("values", [params["values"]]).rows[0]
    found = interval_of(mean(np.array([rows[picked].sum(axis=0) for picked in params["samples"]])), params["level"])
    return [found.low, found.high]


def ar_exact(params, hyps, refs):
    return compare_scores({"a": params["a"], "b": params["b"]})["score"].pairs[0].p


def ar_stratified_exact(params, hyps, refs):
    found = compare_scores({"A": params["A"], "B": params["B"]}, runs_as="stratified")["score"]
    assert "|ar:exact|" in found.signature
    return found.pairs[0].p


def expected_bleu(params, hyps, refs):
    data = params["data"]
    loss, gradient = expected_gain(
        Features.of(np.concatenate([one["features"] for one in data])),
        np.cumsum([0, *(len(one["gain"]) for one in data)]),
        np.concatenate([one["gain"] for one in data]),
        np.array([one["ref_len"] for one in data], dtype=np.float64),
        np.array(params["w"], dtype=np.float64),
        params["lambda"],
    )
    assert params.keys() == {"w", "lambda", "data"}
    return {"loss": loss, "gradient": gradient.tolist()}


def mira_step(params, hyps, refs):
    assert params.keys() == {"w", "features", "gain", "C"}
    w = np.array(params["w"])
    update = step(w, Features.of(params["features"]), np.array(params["gain"]), params["C"])
    return {"w": update.applied(w).tolist(), "hope": update.hope, "fear": update.fear, "eta": update.eta}


def mert_line(params, hyps, refs):
    """Errors are statistics of one column, and the score of a sum is its negative."""
    assert params.keys() == {"w", "d", "data"}
    sizes = [len(source["features"]) for source in params["data"]]
    features = Features.of(np.array([row for source in params["data"] for row in source["features"]]))
    errors = np.array([[float(error)] for source in params["data"] for error in source["errors"]])
    starts, own = np.concatenate([[0], np.cumsum(sizes)]), np.arange(sum(sizes), dtype=np.int32)
    lines = Lines(features, starts, own, errors, lambda sums: -sums[..., 0], len(params["w"]))
    found = lines.find(np.array(params["w"], float), np.array(params["d"], float), Bounds.none(len(params["w"])))
    intervals = [[None if math.isinf(end) else end for end in interval] for interval in found.intervals]
    return {"errors": -found.score, "intervals": intervals}


def linear_mbr(params, hyps, refs):
    gain = LinearGain(params.pop("p"), params.pop("r"), 4, params.pop("T"))
    index, value = choose_of_list(hyps, params.pop("probs"), gain)
    assert not params
    return {"gain": value, "index": index}


def grr_forest(params, hyps, refs):
    """Right-hand sides mix words and ["N", node]; nothing else is in the parameters."""
    assert params.keys() == {"forest", "root", "alpha", "beta"}
    edges = [
        (head, [item if isinstance(item, str) else Node(item[1]) for item in right])
        for head, rights in params["forest"].items()
        for right in rights
    ]
    forest = Forest.of(edges, params["root"])
    numbers = {word: i for i, word in enumerate(forest.words)}
    words = np.arange(len(numbers), dtype=np.int32)
    reference = [numbers.setdefault(word, len(numbers)) for word in refs[0][0].split()]
    value, _ = forest.best_recognised(
        np.arange(len(words) + 1), words, np.array(reference, np.int32), alpha=params["alpha"], beta=params["beta"]
    )
    return value


KNOWN = {
    "mean": plain_mean,
    **{
        function.__name__: function
        for function in (
            bleu,
            bleu_stats,
            sentence_bleu,
            bleu_sbp,
            document_bleu,
            char_bleu,
            nist,
            nist_length_penalty,
            rouge_l,
            rouge_w,
            rouge_s,
            gtm,
            grr,
            grr_lattice,
            wer,
            wrr,
            ler,
            per,
            ter,
            lebleu,
            lebleu_kept_positions,
            kendall,
            kendall_tau_b,
            pearson,
            spearman,
            pairwise_accuracy,
            orange,
            bootstrap_ci,
            ar_exact,
            ar_stratified_exact,
            expected_bleu,
            mira_step,
            mert_line,
            linear_mbr,
            grr_forest,
        )
    },
}


def vectors_of(config):
    """The vectors, or None where there is no file."""
    path = Path(config.getoption("--vectors") or DEFAULT)
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def pytest_generate_tests(metafunc):
    if "vector" not in metafunc.fixturenames:
        return
    vectors = vectors_of(metafunc.config)
    if vectors is None:
        vectors = [pytest.param(None, id="none", marks=pytest.mark.skip(reason="../shared is not here"))]
    else:
        vectors = [
            pytest.param(
                vector,
                id=vector["id"],
                marks=()
                if vector["metric"] in KNOWN
                else pytest.mark.skip(reason=f"metric not built yet: {vector['metric']}"),
            )
            for vector in vectors
        ]
    metafunc.parametrize("vector", vectors)


def differences(got, expected, tolerance, where="value"):
    """Say where a result is not what it should be."""
    if isinstance(expected, dict):
        if got.keys() != expected.keys():
            return [f"{where}: {sorted(got)} instead of {sorted(expected)}"]
        return [line for key in expected for line in differences(got[key], expected[key], tolerance, f"{where}.{key}")]
    if isinstance(expected, list):
        if len(got) != len(expected):
            return [f"{where}: {len(got)} numbers instead of {len(expected)}"]
        pairs = enumerate(zip(got, expected, strict=True))
        return [line for i, (a, b) in pairs for line in differences(a, b, tolerance, f"{where}[{i}]")]
    if got is None or expected is None:
        return [] if got is expected else [f"{where}: {got!r} instead of {expected!r}"]
    close = abs(got - expected) <= tolerance * max(1, abs(expected))  # false for nan
    return [] if close else [f"{where}: {got!r} instead of {expected!r}"]


def test_vector(vector):
    got = KNOWN[vector["metric"]](vector["params"], vector["hypotheses"], vector["references"])
    assert differences(got, vector["expected"], vector["tolerance"]) == []


def test_every_family_built_so_far_has_vectors(request):
    if request.config.getoption("--vectors"):
        pytest.skip("a file of one's own may hold what it likes")
    vectors = vectors_of(request.config)
    if vectors is None:
        pytest.skip("../shared is not here")
    assert KNOWN.keys() <= {vector["metric"] for vector in vectors}


@pytest.mark.parametrize(
    "cls", [BLEU, BLEUSBP, DocumentBLEU, CharBLEU, NIST, RougeL, RougeW, RougeS, GTM, GRR, WER, TER, LeBLEU]
)
def test_an_unknown_parameter_is_not_ignored(cls):
    with pytest.raises((KeyError, TypeError)):
        build(cls, {"colour": 4})


def test_wrong_results_are_seen():
    assert differences(0.5, 0.5 + 2e-9, 1e-9)
    assert differences(float("nan"), 0.5, 1e-9)
    assert differences([1.0], [1.0, 1.0], 1e-9)
    assert differences([None], [1.0], 1e-9) == ["value[0]: None instead of 1.0"]
    assert differences([1.0, 2.0], [1.0, 2.1], 1e-9) == ["value[1]: 2.0 instead of 2.1"]
    assert differences({"a": 1.0}, {"a": 1.0, "b": 2.0}, 1e-9)
    assert not differences({"a": [1.0, 1000.0]}, {"a": [1, 1000.0000005]}, 1e-9)
