"""The examples of docs/reference/adapters.md do what the page says, in the packages themselves."""

import ast
import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import tricolore as tri
from tricolore.examples import lines

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "reference" / "adapters.md"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the documentation is not part of this tree")

#: What the neural metrics of mbrs import is not installed.
BEFORE = {
    "mbrs": f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
    "from stand_ins import stand_ins\n"
    "with stand_ins('transformers', 'comet', 'bert_score', 'bleurt_pytorch'):\n"
    "    import mbrs.metrics, tricolore.adapters.mbrs\n"
}


def section(name):
    return PAGE.read_text(encoding="utf-8").split(f"\n## {name}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize(
    ("name", "package"),
    [("evaluate", "evaluate"), ("mbrs", "mbrs"), ("scikit-learn", "sklearn"), ("pandas and polars", "pandas")],
)
def test_examples_print_what_they_say(name, package, tmp_path):
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    examples = re.findall(r"```python\n(.*?)```\n+```\n(.*?)```", section(name), re.DOTALL)
    assert len(examples) == 1
    home = {**os.environ, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    for code, shown in examples:
        command = [sys.executable, "-W", "ignore", "-c", BEFORE.get(package, "") + code]
        found = subprocess.run(command, capture_output=True, text=True, check=True, env=home)
        assert found.stdout == shown


def test_the_task_of_the_harness_is_scored_with_standard_errors(tmp_path, monkeypatch):
    for package in ("lm_eval", "evaluate", "sqlitedict", "pytablewriter"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    text = section("lm-evaluation-harness")
    (tmp_path / "tasks").mkdir()
    for kind, name in [("python", "utils.py"), ("yaml", "my_translation.yaml")]:
        [code] = re.findall(rf"```{kind}\n(# tasks/{name}\n.*?)```", text, re.DOTALL)
        (tmp_path / "tasks" / name).write_text(code, encoding="utf-8")
    hyps = lines("hasty")
    refs = [[*both] for both in zip(lines("reference-a"), lines("reference-b"), strict=True)]
    documents = [{"src": str(i), "refs": both} for i, both in enumerate(refs)]
    (tmp_path / "documents.jsonl").write_text("".join(json.dumps(one) + "\n" for one in documents), encoding="utf-8")
    script = f"""
import json
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

class Translator(LM):
    def generate_until(self, requests):
        return [{hyps!r}[int(request.args[0])] for request in requests]
    loglikelihood = loglikelihood_rolling = None

Translator.__abstractmethods__ = frozenset()
manager = TaskManager(include_path="tasks", include_defaults=False)
found = simple_evaluate(Translator(), tasks=["my_translation"], task_manager=manager, log_samples=False)
print(json.dumps(found["results"]["my_translation"]))
"""
    home = {**os.environ, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-W", "ignore", "-c", script]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path, env=home).stdout
    found = json.loads(printed.splitlines()[-1])
    for name, spec in {"bleu": "bleu", "chrf++": "chrf++", "bleu2": "bleu(order=2)"}.items():
        ours = tri.confidence(spec, hyps, refs)
        assert found[f"tri_{name},none"] == ours.score.points
        assert found[f"tri_{name}_stderr,none"] == ours.deviation * 100


def test_the_task_of_lighteval_has_the_fields_that_lighteval_has():
    if find_spec("lighteval") is None:
        pytest.skip("lighteval is not installed")
    path = Path(find_spec("lighteval").submodule_search_locations[0], "tasks", "lighteval_task.py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    config = next(node for node in tree.body if getattr(node, "name", None) == "LightevalTaskConfig")
    known = {node.target.id for node in config.body if isinstance(node, ast.AnnAssign)}
    [code] = re.findall(r"```python\n(# my_tasks.py\n.*?)```", section("lighteval"), re.DOTALL)
    calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    [made] = [call for call in calls if getattr(call.func, "id", None) == "LightevalTaskConfig"]
    assert {keyword.arg for keyword in made.keywords} <= known
