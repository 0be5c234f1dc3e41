"""`evaluate.load` loads every metric from the file of the adapter, without a network, and scores as the metric does."""

import json
import subprocess
import sys
import threading

import pytest

import tricolore as tri
from tricolore.errors import InputError, InputTypeError, SpecError
from tricolore.examples import lines
from tricolore.metrics import NAMES

evaluate = pytest.importorskip("evaluate", reason="evaluate is not installed (pip install --group benchmarks)")

HYPS, REFS = lines("hasty"), lines("reference-a")
BOTH = [[a, b] for a, b in zip(REFS, lines("reference-b"), strict=True)]


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Load modules into a folder of their own, with no way to the network."""
    from tricolore.adapters.evaluate import path

    monkeypatch.setattr("evaluate.config.HF_EVALUATE_OFFLINE", True)
    monkeypatch.setattr("evaluate.loading.init_dynamic_modules", in_folder(tmp_path, evaluate.loading))
    return lambda *args, **options: evaluate.load(path(), *args, cache_dir=str(tmp_path), **options)


def in_folder(folder, loading):
    original = loading.init_dynamic_modules
    name = f"modules_of_{folder.name}"
    return lambda: original(name=name, hf_modules_cache=folder)


@pytest.mark.parametrize("name", NAMES)
def test_every_metric_scores_as_it_does_itself(load, name):
    found = load(name, keep_in_memory=True).compute(predictions=HYPS, references=BOTH)
    score = tri.metric(name)(HYPS, BOTH)
    assert (found["score"], found["value"], found["signature"]) == (score.points, score.value, score.signature)
    assert found["metric"] == score.metric.spec
    assert [*found["counts"].items()] == [*zip(score.metric.columns, score.stats.values.tolist(), strict=True)]
    assert json.loads(json.dumps(found)) == found


def test_texts_may_come_one_by_one_and_in_batches(load):
    module = load("bleu")
    module.add(prediction=HYPS[0], reference=REFS[0])
    module.add(predictions=HYPS[1], references=BOTH[1])
    module.add_batch(predictions=HYPS[2:6], references=BOTH[2:6])
    assert len(module) == 6
    found = module.compute(predictions=HYPS[6:], references=REFS[6:])
    refs = [REFS[0], *BOTH[1:6], *REFS[6:]]
    assert found["score"] == tri.BLEU()(HYPS, refs).points
    assert module.compute(predictions=HYPS, references=REFS)["score"] == tri.BLEU()(HYPS, REFS).points  # starts anew


def test_parameters_are_given_in_the_name_and_by_name(load):
    expected = tri.BLEU(order=2, smooth=7, tokenize="none")(HYPS, REFS)
    texts = {"predictions": HYPS, "references": REFS}
    for module, parameters in [
        (load("bleu(order=2, smooth=7, tokenize=none)"), {}),
        (load("bleu", order=2, smooth=7, tokenize="none"), {}),
        (load("bleu(order=2)", smooth=7), {"tokenize": "none"}),
        (load("bleu(order=3)", order=2), {"smooth": 7, "tokenize": "none"}),
    ]:
        found = module.compute(**texts, **parameters)
        assert (found["score"], found["signature"]) == (expected.points, expected.signature)
    assert load("cer").compute(**texts)["score"] == tri.metric("cer")(HYPS, REFS).points
    assert load("chrf++").compute(**texts)["score"] == tri.metric("chrf++")(HYPS, REFS).points


def test_modules_combine(load):
    both = evaluate.combine([load("bleu"), load("ter")])
    found = both.compute(predictions=HYPS, references=REFS)
    expected = [tri.BLEU()(HYPS, REFS).points, tri.TER()(HYPS, REFS).points]
    assert [found["tricolore_0_score"], found["tricolore_1_score"]] == expected


def test_two_processes_have_one_score(load):
    shared = {"num_process": 2, "experiment_id": "both"}
    first, second = (load("chrf", process_id=i, **shared) for i in range(2))
    helper = threading.Thread(target=lambda: second.compute(predictions=HYPS[5:], references=REFS[5:]))
    helper.start()
    found = first.compute(predictions=HYPS[:5], references=REFS[:5])
    helper.join()
    assert found["score"] == tri.ChrF()(HYPS, REFS).points


@pytest.mark.parametrize(
    ("texts", "error", "message"),
    [
        ({"predictions": "a", "references": "a"}, InputTypeError, "predictions: expected a list .* got one string"),
        ({"predictions": ["a"], "references": ["a", "b"]}, InputError, "1 hypothesis but references for 2 segments"),
        ({"predictions": ["a", 3], "references": ["a", "b"]}, InputTypeError, "hypothesis 1: expected a string"),
        ({"predictions": ["a"], "references": [[]]}, InputError, "segment 0 has no reference"),
        ({"predictions": ["a"]}, InputTypeError, "references: expected a list .* got None"),
        ({"predictions": [[1, 2]], "references": [[1, 2]]}, InputTypeError, "predictions: expected texts, got token"),
        (
            {"predictions": ["a"], "references": ["a"], "ordr": 2},
            SpecError,
            "no parameter 'ordr'; did you mean",
        ),
    ],
)
def test_mistakes_are_told_in_one_line(load, texts, error, message):
    module = load("bleu")
    with pytest.raises(error, match=message) as caught:
        module.compute(**texts)
    assert "\n" not in str(caught.value)
    assert module.compute(predictions=HYPS, references=REFS)["score"] == tri.BLEU()(HYPS, REFS).points  # still works


def test_a_module_needs_a_metric(load):
    with pytest.raises(SpecError, match=r"expected a metric, such as evaluate\.load\(path\(\), 'chrf\+\+'\)"):
        load()
    with pytest.raises(SpecError, match=r"unknown metric 'blue'; did you mean 'bleu'\?"):
        load("blue")


def test_without_evaluate_it_says_what_to_install():
    code = "import sys; sys.modules['evaluate'] = None; import tricolore.adapters.evaluate"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.stderr.endswith("MissingExtraError: this module needs evaluate; pip install evaluate\n")
