"""Every block of every tutorial runs, and what the text says about numbers is what the blocks print."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tutorial_blocks import BLOCK, blocks

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "tutorials"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the documentation is not part of this tree")

PAGES = [
    "score-a-table",
    "is-it-better",
    "choose-a-metric",
    "audit",
    "mqm",
    "tune-weights",
    "mbr-from-samples",
    "lattices",
    "training-reward",
    "billion-pairs",
    "notebook",
]

#: What a page needs beyond the package itself.
NEEDS = {"billion-pairs": ["pyarrow"], "notebook": ["nbformat", "pandas"]}

#: Pages of the documentation that have measurements which a tutorial quotes.
SOURCES = {"billion-pairs": "scale"}


def text_of(page):
    return (FOLDER / f"{page}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_blocks_run_and_numbers_in_the_text_are_printed(page):
    for package in NEEDS.get(page, []):
        pytest.importorskip(package)
    script = ROOT / "tests" / "tutorial_blocks.py"
    command = [sys.executable, "-W", "error", script, FOLDER / f"{page}.md"]
    found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert found.returncode == 0, found.stderr
    ran = json.loads(found.stdout)
    measured = "".join(one.read_text(encoding="utf-8") for one in (ROOT / "docs").glob(f"**/{SOURCES.get(page)}.md"))
    printed = "\n".join([*(one["output"] for one in ran), *(shown for _, shown in recorded(page)), measured])
    assert all(one["output"].strip() for one in ran if has_result(one))
    assert sum(bool(one["output"].strip()) for one in ran) >= 3
    prose = re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL))
    for number in re.findall(r"(?<![\w.])\d+\.\d+(?![\w.]*\w)", prose):
        assert number in printed, f"{page}: {number} is in the text, but nothing prints it"


def has_result(one):
    return "result" in one["options"] or "html" in one["options"]


def recorded(page):
    """Code and output that are written in the page, because what they need is not installed everywhere."""
    return re.findall(r"^```python\n(.*?)^```\n+^```\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)


def test_recorded_output_of_torchmetrics_is_what_it_prints():
    pytest.importorskip("torchmetrics", reason="it is not installed (pip install --group training)")
    [(code, shown)] = recorded("training-reward")
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == shown


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_trainer_of_the_page_trains(tmp_path, monkeypatch):
    trl = pytest.importorskip("trl", reason="TRL is not installed (pip install --group training)")
    from functools import partial

    from test_adapters_rewards import tiny_model

    from tricolore.examples import lines

    small, tokenizer = tiny_model({word for text in lines("literal") for word in text.split()})
    real, logs = trl.GRPOTrainer, []

    def trainer(model, **given):
        logs.append((model, real(small, processing_class=tokenizer, **given)))
        return logs[-1][1]

    quick = {"max_steps": 1, "logging_steps": 1, "report_to": [], "save_strategy": "no", "use_cpu": True, "bf16": False}
    monkeypatch.setattr(trl, "GRPOTrainer", trainer)
    monkeypatch.setattr(trl, "GRPOConfig", partial(trl.GRPOConfig, per_device_train_batch_size=8, **quick))
    monkeypatch.chdir(tmp_path)
    [code] = re.findall(r"^```py\n(.*?)^```$", text_of("training-reward"), re.MULTILINE | re.DOTALL)
    exec(code, {})
    [(name, made)] = logs
    log = made.state.log_history[0]
    assert "/" in name and {"rewards/chrf/mean", "rewards/ter/mean", "chrf/corpus"} <= log.keys()


@pytest.mark.parametrize("page", PAGES)
def test_pages_keep_to_their_session_and_folder(page):
    first, *others = list(blocks(text_of(page)))
    session = first[1]["session"]
    assert f'start("{session}")' in first[2]
    for language, options, _ in others:
        assert options["workdir"] == f"build/tutorials/{session}"
        assert language == "sh" or options["session"] == session
    assert len(BLOCK.findall(text_of(page))) == text_of(page).count('exec="true"')


@pytest.mark.parametrize("page", PAGES)
def test_code_fits_the_page(page):
    shown = re.findall(r"^```(?:sh|python|py)\b([^\n]*)\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)
    for options, code in shown:
        if "exec" not in options or "source" in options:
            assert all(len(line) <= 95 for line in code.splitlines() if "markdown-exec: hide" not in line), code


def test_the_index_lists_every_tutorial():
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    assert list(dict.fromkeys(re.findall(r"\]\(([\w-]+)\.md\)", index))) == PAGES
    assert sorted(path.stem for path in FOLDER.glob("*.md")) == sorted([*PAGES, "index"])
