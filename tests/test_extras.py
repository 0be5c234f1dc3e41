"""Without optional packages: everything that scores text works, and what does not says in one line what to install."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tricolore.cli.parser import COMMANDS
from tricolore.errors import MissingExtraError
from tricolore.extras import EXTRAS, load, missing

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DECLARED = PROJECT["optional-dependencies"]

#: What extras need themselves.
BENEATH = {"markupsafe", "PIL", "dateutil", "regex", "joblib", "click", "tqdm", "portalocker", "colorama", "lxml"}
#: What no plain installation has: NumPy is all that it brings along.
BLOCKED = sorted(
    {module for extra in EXTRAS for module, _ in extra.modules} | BENEATH | {"rich", "polars", "torch", "datasets"}
)

PAIR = "reference-a.txt -i careful.txt hasty.txt"
#: Commands that work, one at least for each but those below.
WORK = [
    f"score {PAIR}",
    f"score {PAIR} -m all",
    f"cite score {PAIR} -m bleu chrf --paired-bs",
    f"score {PAIR} -ci -f json",
    f"score {PAIR} -m bleu chrf --paired-bs",
    f"score {PAIR} -f markdown --segments segments.tsv",
    f"compare {PAIR} -m bleu chrf ter",
    "orange nbest.txt --refs reference-a.txt reference-b.txt",
    f"audit {PAIR} -m bleu ter",
    "tune mert --nbest nbest.txt -r reference-a.txt reference-b.txt",
    "rerank --nbest nbest.txt --weights weights.txt",
    "oracle --nbest nbest.txt -r reference-a.txt reference-b.txt",
    "mbr --nbest nbest.txt -m bleu",
    "lattice stats lattices.plf",
    "search bleu(order=1..2) --dev set.toml@1-6 --test set.toml@7-12",
    "sets --cached",
    "metrics",
    "metrics bleu",
    "align reference-a.txt -i careful.txt",
    "tokenize careful.txt",
    "sacrebleu reference-a.txt -i careful.txt",
    "demo",
    "completion bash",
    "completion fish",
    "doctor",
    "doctor -f json",
]
#: Commands that need an extra, and which.
REFUSED = {
    f"score {PAIR} -m meteor": ("meteor needs PyStemmer", "meteor"),
    f"score {PAIR} -tok ja-mecab": ("tokenizer ja-mecab needs MeCab", "ja"),
    f"score {PAIR} --segments segments.parquet": ("writing Parquet needs pyarrow", "parquet"),
    "score packed.txt.zst -i careful.txt": ("packed.txt.zst: text compressed with zstd needs zstandard", "zstd"),
    "compare reference-a.txt --system a=careful.txt,hasty.txt --system b=fluent.txt,literal.txt": (
        "a test over several runs needs scipy",
        "judge",
    ),
    f"report {PAIR} -o report.html": ("a report requires Jinja2", "report"),
    "demo --report report.html": ("a report requires Jinja2", "report"),
    "correlate reference-a.txt -i careful.txt fluent.txt hasty.txt literal.txt --human ratings.tsv": (
        "an interval of a correlation needs scipy",
        "judge",
    ),
    "tune pro --nbest nbest.txt -r reference-a.txt reference-b.txt": ("PRO needs scipy", "judge"),
    "spark score --table x --hyp a --ref b": ("Spark needs pyarrow", "spark"),
    "score --table x.parquet --hyp a --ref b": ("tables need pyarrow", "parquet"),
    "orange nbest.txt --refs reference-a.txt reference-b.txt --curve curve.png": (
        "curve.png: plots require matplotlib",
        "plot",
    ),
}

DRIVER = """
import contextlib, io, json, shlex, sys
for name in json.loads(sys.argv[1]):
    sys.modules[name] = None
from tricolore.cli import run
found = {}
for line in json.loads(sys.argv[2]):
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = run(line.split())
    except BaseException as error:
        status = repr(error)
    found[line] = status, out.getvalue(), err.getvalue()
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """What each command does where only what a plain installation has can be imported."""
    from tricolore.examples import REFERENCES, SYSTEMS, lines

    folder = tmp_path_factory.mktemp("plain")
    examples = ROOT / "src" / "tricolore" / "examples"
    for path in examples.iterdir():
        if path.suffix in (".txt", ".tsv", ".plf", ".toml"):
            (folder / path.name).write_bytes(path.read_bytes())
    for name in (*SYSTEMS, *REFERENCES):
        (folder / f"{name}.txt").write_text("\n".join(lines(name)) + "\n", encoding="utf-8")
    (folder / "packed.txt.zst").write_bytes(bytes.fromhex("28b52ffd0458290000612062206320640a"))
    command = [sys.executable, "-c", DRIVER, json.dumps(BLOCKED), json.dumps([*WORK, *REFUSED])]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("line", WORK)
def test_plain_installations_do_what_needs_no_extra(outcomes, line):
    status, out, err = outcomes[line]
    assert status == 0, err
    assert out.strip()


@pytest.mark.parametrize("line", REFUSED)
def test_what_needs_an_extra_says_which_in_one_line(outcomes, line):
    status, _, err = outcomes[line]
    expected, extra = REFUSED[line]
    assert status in (1, 2)
    last = err.splitlines()[-1]
    assert last.startswith(f"tricolore: {expected}")
    assert last.endswith(f"pip install 'tricolore[{extra}]'")
    assert "Traceback" not in err


def test_every_command_was_tried():
    assert {line.split()[0] for line in [*WORK, *REFUSED]} == {*COMMANDS}


def test_all_leaves_out_aloud_what_needs_an_extra(outcomes):
    _, out, err = outcomes[f"score {PAIR} -m all"]
    assert "METEOR" not in out and "ROUGE-L" in out
    assert "left out of all: meteor needs PyStemmer; pip install 'tricolore[meteor]'" in err


def test_extras_are_those_of_the_package():
    def names(requirements):
        return {re.match(r"[\w-]+", one)[0].lower() for one in requirements}

    assert {one.name for one in EXTRAS} == {*DECLARED} - {"all"}
    for extra in EXTRAS:
        assert {distribution.lower() for _, distribution in extra.modules} == names(DECLARED[extra.name])
    (everything,) = DECLARED["all"]
    assert {*re.findall(r"[\w]+", everything.partition("[")[2])} == {*DECLARED} - {"all", "spark", "torchmetrics"}


def test_every_advice_names_an_extra_that_there_is():
    told = [
        (path.name, extra)
        for path in [*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
        for names in re.findall(r"tricolore\[([a-z,]+)\]", path.read_text(encoding="utf-8"))
        for extra in names.split(",")
    ]
    assert {extra for _, extra in told} >= {"judge", "parquet", "report", "sets"}
    assert [one for one in told if one[1] not in DECLARED] == []


def test_plain_scoring_needs_numpy_and_little_else():
    assert [re.match(r"[\w-]+", one)[0] for one in PROJECT["dependencies"]] == ["numpy"]


def test_a_package_that_lacks_something_itself_is_not_called_missing(tmp_path, monkeypatch):
    (tmp_path / "zstandard.py").write_text("import nothing_of_this_name\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "zstandard", raising=False)
    with pytest.raises(ModuleNotFoundError, match="nothing_of_this_name"):
        load("zstandard", "zstd")
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtraError, match=r"^zstd needs zstandard; pip install 'tricolore\[zstd\]'$"):
        load("zstandard", "zstd")
    assert str(missing("MeCab", "x")) == "x needs mecab-python3; pip install 'tricolore[ja]'"


def test_the_page_on_installing_has_every_extra_and_what_it_brings():
    text = (ROOT / "docs" / "how-to" / "install.md").read_text(encoding="utf-8")
    rows = {
        row[0].strip("`"): row for row in (re.split(r" *\| *", line)[1:-1] for line in text.splitlines() if "|" in line)
    }
    for extra in EXTRAS:
        _, brings, purpose = rows[extra.name]
        assert brings == ", ".join(distribution for _, distribution in extra.modules)
        assert purpose.replace("`", "").startswith(extra.purpose)
