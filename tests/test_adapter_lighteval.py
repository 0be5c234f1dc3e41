"""lighteval takes our corpus scores and standard errors as they are."""

import ast
import collections
import logging
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import pytest

import tricolore as tri
from tricolore.adapters.lighteval import corpus_metric
from tricolore.errors import InputError, SpecError
from tricolore.examples import lines
from tricolore.metrics import NAMES

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
for package in ("torch", "nltk", "sacrebleu"):
    pytest.importorskip(package)
for package in ("sklearn", "transformers", "pydantic", "requests"):
    pytest.importorskip(package, reason=f"{package} is not installed (pip install --group benchmarks)")
for package in ("lighteval", "pytablewriter", "chardet"):
    pytest.importorskip(package, reason=f"{package} is not installed (pip install --no-deps --group benchmarks-alone)")

HYPS, REFS = lines("hasty"), lines("reference-a")
BOTH = [[a, b] for a, b in zip(REFS, lines("reference-b"), strict=True)]


def metrics_logger():
    """lighteval's own class that aggregates metrics, alone: its module also imports what talks to models."""
    from lighteval.metrics.utils.stderr import get_stderr_function

    path = Path(find_spec("lighteval").submodule_search_locations[0], "logging", "info_loggers.py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    [found] = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "MetricsLogger"]
    names = {"collections": collections, "dataclass": dataclass, "field": field, "LightevalTask": object,
             "get_stderr_function": get_stderr_function, "logger": logging.getLogger()}  # fmt: skip
    exec(compile(ast.Module([found], []), str(path), "exec"), names)
    return names["MetricsLogger"]


def aggregated(metrics, hyps, refs):
    """What lighteval reports for these documents."""
    from lighteval.metrics import apply_metric
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    docs = [Doc(query="", choices=golds, gold_index=[*range(len(golds))]) for golds in refs]
    responses = [ModelResponse(text=hyp if isinstance(hyp, list) else [hyp]) for hyp in hyps]
    logger = metrics_logger()()
    for outputs in apply_metric(responses=responses, docs=docs, metrics=metrics):
        logger.log("by_heart|0", outputs)

    class Task:
        def aggregation(self):
            return {name: fn for one in metrics for name, fn in one.get_corpus_aggregations().items()}

    logger.aggregate({"by_heart|0": Task()}, bootstrap_iters=1000)
    return dict(logger.metric_aggregated["by_heart|0"])


@pytest.mark.parametrize("refs", [[[ref] for ref in REFS], BOTH])
def test_lighteval_reports_scores_and_standard_errors(refs):
    names = ["bleu", "chrf++", "ter", "nist"]
    found = aggregated([corpus_metric(name) for name in names], HYPS, refs)
    expected = {}
    for name in names:
        ours = tri.confidence(name, HYPS, refs)
        scale = ours.score.metric.display_scale
        expected |= {f"tri_{name}": ours.score.points, f"tri_{name}_stderr": ours.deviation * scale}
    assert found == expected


@pytest.mark.parametrize("name", NAMES)
def test_every_metric_scores_as_it_does_itself(name):
    metric = corpus_metric(name, resamples=20)
    assert metric.higher_is_better == tri.metric(name).higher_is_better
    assert aggregated([metric], HYPS, BOTH)[f"tri_{name}"] == tri.metric(name)(HYPS, BOTH).points
    assert aggregated([metric], HYPS[:1], BOTH[:1]) == {f"tri_{name}": tri.metric(name)(HYPS[:1], BOTH[:1]).points}


def test_names_and_parameters():
    metric = corpus_metric("bleu(tokenize=none)", "words", resamples=30, seed=4)
    ours = tri.confidence("bleu(tokenize=none)", HYPS, BOTH, resamples=30, seed=4)
    found = aggregated([metric], HYPS, BOTH)
    assert found == {"words": ours.score.points, "words_stderr": ours.deviation * 100}
    assert str(metric.corpus_level_fn) == "bleu(tokenize=none), 30 resamples, seed 4"


def test_what_the_page_says_of_lighteval_itself():
    """Its chrF takes references of a document for a stream of references, and its standard errors shrink with draws."""
    from lighteval.metrics.metrics_corpus import CorpusLevelTranslationMetric
    from lighteval.metrics.sample_preparator import GenerativeCorpusMetricInput
    from lighteval.metrics.utils.stderr import mean_stderr

    items = [GenerativeCorpusMetricInput(golds=[ref], preds=[hyp]) for ref, hyp in zip(REFS, HYPS, strict=True)]
    assert CorpusLevelTranslationMetric("chrf").compute_corpus(items) == pytest.approx(56.30, abs=0.005)
    assert tri.ChrF()(HYPS, REFS).points == pytest.approx(43.47, abs=0.005)
    assert mean_stderr([0.0, 1.0] * 500) == pytest.approx(0.5 / 1000**0.5, rel=0.001)  # that of resamples is 0.5


def test_mistakes_are_told_in_one_line():
    with pytest.raises(SpecError, match=r"unknown metric 'blue'; did you mean 'bleu'\?"):
        corpus_metric("blue")
    with pytest.raises(SpecError, match="resamples must be a whole number from 2"):
        corpus_metric("bleu", resamples=1)
    with pytest.raises(InputError, match=r"^tri_bleu: document 1: expected one prediction, got 2$"):
        aggregated([corpus_metric("bleu")], ["a", ["b", "c"]], [["a"], ["b"]])
    with pytest.raises(InputError, match=r"^segment 1 has no reference"):
        aggregated([corpus_metric("bleu")], ["a", "b"], [["a"], []])
