"""The harness prints our corpus scores and standard errors, which equal its own where it has the metric."""

import json

import pytest

import tricolore as tri
from tricolore.adapters.lm_eval import CorpusScore, StandardError, register
from tricolore.errors import InputError, InputTypeError, SpecError
from tricolore.examples import lines
from tricolore.metrics import NAMES

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
pytest.importorskip("evaluate", reason="evaluate is not installed (pip install --group benchmarks)")
for package in ("lm_eval", "sqlitedict", "pytablewriter"):
    pytest.importorskip(package, reason=f"{package} is not installed (pip install --no-deps --group benchmarks-alone)")

HYPS, REFS = lines("hasty"), lines("reference-a")
BOTH = [[a, b] for a, b in zip(REFS, lines("reference-b"), strict=True)]
OURS = ("bleu", "chrf", "chrf++", "ter")


def evaluated(folder, monkeypatch, metrics, **task):
    """What the harness says of a task whose documents are translated by heart."""
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    monkeypatch.setenv("DISABLE_MULTIPROC", "1")
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", folder)
    documents = [{"number": i, "ref": REFS[i], "refs": BOTH[i]} for i in range(len(REFS))]
    (folder / "documents.jsonl").write_text("".join(json.dumps(one) + "\n" for one in documents), encoding="utf-8")

    class Translator(LM):
        def generate_until(self, requests):
            return [HYPS[int(request.args[0])] for request in requests]

        loglikelihood = loglikelihood_rolling = None

    Translator.__abstractmethods__ = frozenset()
    config = {
        "task": "by_heart",
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": str(folder / "documents.jsonl")}, "cache_dir": str(folder)},
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "{{number}}",
        "doc_to_target": "{{ref}}",
        "generation_kwargs": {"until": ["\n"]},
        "metric_list": [{"metric": name} for name in metrics],
        **task,
    }
    manager = TaskManager(include_defaults=False)
    return simple_evaluate(Translator(), tasks=[config], task_manager=manager, bootstrap_iters=100, log_samples=False)


def test_scores_are_the_harness_s_own_with_their_standard_errors(tmp_path, monkeypatch):
    from lm_eval.utils import make_table

    names = register(*OURS, words="bleu(tokenize=none)")
    assert names[:2] == ("tri_bleu", "tri_bleu_stderr") and names[-2:] == ("tri_words", "tri_words_stderr")
    results = evaluated(tmp_path, monkeypatch, [*names, *OURS])
    found = results["results"]["by_heart"]
    for name in OURS:
        ours = tri.confidence(name, HYPS, REFS)
        assert found[f"tri_{name},none"] == ours.score.points == pytest.approx(found[f"{name},none"], rel=1e-12)
        assert found[f"tri_{name}_stderr,none"] == ours.deviation * 100
        assert found[f"{name}_stderr,none"] == pytest.approx(ours.deviation * 100, rel=0.25)  # from 100 resamples
        assert results["higher_is_better"]["by_heart"][f"tri_{name}"] == (name != "ter")
    assert found["tri_words,none"] == tri.BLEU(tokenize="none")(HYPS, REFS).points
    row = next(line for line in make_table(results).splitlines() if "tri_chrf++" in line)
    assert f"{found['tri_chrf++,none']:.4f}|±  |{found['tri_chrf++_stderr,none']:.4f}|" in row


def test_several_references_come_from_process_results(tmp_path, monkeypatch):
    names = register("chrf", "ter")
    pairs = {"process_results": lambda doc, results: dict.fromkeys(names, (doc["refs"], results[0]))}
    found = evaluated(tmp_path, monkeypatch, names, **pairs)["results"]["by_heart"]
    for name in ("chrf", "ter"):
        assert found[f"tri_{name},none"] == tri.metric(name)(HYPS, BOTH).points
        assert found[f"tri_{name}_stderr,none"] == tri.confidence(name, HYPS, BOTH).deviation * 100


def test_several_targets_are_refused_as_the_harness_makes_one_number_of_them(tmp_path, monkeypatch):
    names = register("chrf")
    with pytest.raises(InputTypeError, match=r"^tri_chrf: document 0: expected \(references, hypothesis\), got 1\.0"):
        evaluated(tmp_path, monkeypatch, names, doc_to_target="refs")


def test_parameters_in_the_task_are_refused(tmp_path, monkeypatch):
    register("chrf")
    with pytest.raises(SpecError, match=r"^tri_chrf: expected parameters in register\(.*\), got beta$"):
        evaluated(tmp_path, monkeypatch, [], metric_list=[{"metric": "tri_chrf", "beta": 3}])


@pytest.mark.parametrize("name", NAMES)
def test_every_metric_aggregates_pairs(name):
    metric = tri.metric(name)
    pairs = [*zip(BOTH, HYPS, strict=True)]
    assert CorpusScore("it", metric)(pairs) == metric(HYPS, BOTH).points
    expected = tri.confidence(metric, HYPS, BOTH, resamples=50, seed=7).deviation * metric.display_scale
    assert StandardError("it", metric, 50, 7)(pairs) == expected
    assert StandardError("it", metric, 50, 7)(pairs[:1]) == "N/A"


def test_registering_twice_is_no_mistake_unless_it_is_another_metric():
    assert register(mine="bleu(order=2)") == register(mine="bleu(order=2)")
    with pytest.raises(ValueError, match="alias 'tri_mine' already registered"):
        register(mine="bleu(order=3)")


def test_the_metrics_of_the_harness_stay():
    from lm_eval.api.registry import get_metric

    register("bleu")
    assert get_metric("acc") is not None and get_metric("bleu") is not get_metric("tri_bleu")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: register("blue"), r"unknown metric 'blue'; did you mean 'bleu'\?"),
        (lambda: register("bleu(order=2)"), r"'bleu\(order=2\)': parameters require a name, as in register\(mine="),
        (lambda: register("bleu", resamples=0), "resamples must be a whole number from 2"),
        (lambda: CorpusScore("it", tri.BLEU())([("a", "b"), 1.0]), r"it: document 1: expected \(references, hyp"),
        (lambda: CorpusScore("it", tri.BLEU())([("a", None)]), "hypothesis 0: expected a string"),
    ],
)
def test_mistakes_are_told_in_one_line(call, message):
    with pytest.raises((SpecError, InputError), match=message) as caught:
        call()
    assert "\n" not in str(caught.value)
