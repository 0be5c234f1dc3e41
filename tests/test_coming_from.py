"""The pages for users of other packages: every line of ours runs, and gives the number of the line beside it."""

import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import tricolore
from tricolore.cli import run

DOCS = Path(__file__).parents[1] / "docs"
pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="the documentation is not part of this tree")

#: Pages by name; the modules whose names lines of the left column use, as the peer and the drop-in have them.
PAGES = {
    "sacrebleu": {"sacrebleu": "sacrebleu", "sacrebleu.significance": "PairedTest"},
    "nltk": {
        "nltk.translate.bleu_score": "sentence_bleu corpus_bleu SmoothingFunction",
        "nltk.translate.nist_score": "corpus_nist",
        "nltk.translate.gleu_score": "sentence_gleu corpus_gleu",
        "nltk.translate.ribes_score": "corpus_ribes",
        "nltk.translate.chrf_score": "corpus_chrf",
    },
    "jiwer": {"jiwer": "jiwer"},
    "rouge-score": {"rouge_score.rouge_scorer": "rouge_scorer", "rouge_score.scoring": "scoring"},
    "multeval": {},
    "moses": {},
}
HYPS = ["It is too late, to go there now.", "the cat sat on the big mat"]
REFS = ["It is much too late to go there.", "a cat sat on the mat"]
TEXTS = {
    **{"hyps": HYPS, "hyp": HYPS[0], "hyps2": [hyp.upper() for hyp in HYPS]},
    **{"refs": REFS, "ref": REFS[0], "refs2": HYPS[::-1], "ref2": "it is late"},
    **{"tri": tricolore, "tricolore": tricolore},
}


#: Hypotheses and references on which packages differ: short, without a match, empty, with spaces, repetitive.
OTHER_TEXTS = {
    "short": (["the cat", "so it is"], ["the cat sat", "so is it"]),
    "one word": (["so", "a"], ["so", "the"]),
    "unmatched": (["one two three four five", "x"], ["the cat sat on the mat", "y z"]),
    "a segment unmatched": (["x", "a cat sat on mats today"], ["y z", "the cat sits on the mat"]),
    "empty": (["", "a b c d"], ["x", "a b c d"]),
    "spaces": (["a  cat sat  on the mat"], ["a cat sat on  a mat"]),
    "repeated": (["so so so", "the cat sat on the mat"], ["so so so", "the cat the mat"]),
    "contracted": (["I can't [laugh] go", "it's so"], ["i cannot go", "IT IS so"]),
}


def rows(name):
    """The lines of a page's tables: before, now, and what differs."""
    page = (DOCS / "coming-from" / f"{name}.md").read_text(encoding="utf-8")
    tables = re.findall(r"\| today \| now \| what differs \|\n.*\n((?:\|.*\n)+)", page)
    assert tables
    found = [re.fullmatch(r"\| (.+?) \| `(.+?)` \| ?(.*?) ?\|", row) for one in tables for row in one.splitlines()]
    assert all(found)
    return [match.groups() for match in found]


ROWS = [(name, *row) for name in PAGES for row in rows(name)] if DOCS.is_dir() else []
IN_PYTHON = [row for row in ROWS if not re.match(r"tricolore |python ", row[2])]
COMMANDS = [row for row in ROWS if row not in IN_PYTHON]


def names_of(page, module_name, texts=TEXTS):
    """What lines of the left column use, from modules by names that are made of those of the peer."""
    found = {**TEXTS, **texts}
    for module, names in PAGES[page].items():
        for name in names.split():
            home = import_module(module_name(module))
            found[name] = home if name == module.rpartition(".")[2] else getattr(home, name)
    return found


def like(value):
    """The same text, or the same number but for rounding."""
    return value if isinstance(value, str) else pytest.approx(value, rel=1e-12)


def drop_in(module):
    return "tricolore.compat." + module.replace("nltk.translate", "nltk")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("page", "before", "now", "differs"), IN_PYTHON)
def test_lines_in_python_give_the_number_of_the_peer(page, before, now, differs, capsys):
    line = before.strip("`")
    peer, ours = (eval(line, names_of(page, one)) for one in (str, drop_in))
    own = eval(now, names_of(page, str))
    if differs.startswith("other"):
        return
    assert isinstance(peer, float | int | str)
    assert ours == peer
    assert own == like(peer)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("texts", OTHER_TEXTS)
def test_rows_that_say_nothing_give_the_number_of_the_peer_for_all_texts(texts):
    hyps, refs = OTHER_TEXTS[texts]
    for i, (hyp, ref) in enumerate(zip(hyps, refs, strict=True)):
        given = {"hyps": hyps, "refs": refs, "hyp": hyp, "ref": ref, "refs2": hyps[::-1], "ref2": refs[i - 1]}
        for page, before, now, differs in IN_PYTHON:
            if not differs:
                peer = eval(before.strip("`"), names_of(page, str, given))
                assert eval(before.strip("`"), names_of(page, drop_in, given)) == peer, before
                assert eval(now, names_of(page, str, given)) == like(peer), before


@pytest.mark.parametrize(("page", "before", "now", "differs"), COMMANDS)
def test_commands_run(page, before, now, differs, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["demo", "--write", "texts"]) == 0
    monkeypatch.chdir(tmp_path / "texts")
    program, *arguments = shlex.split(now)
    if program == "python":
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    else:
        assert run(arguments) == 0
        assert capsys.readouterr().out


def test_most_rows_give_the_same_number():
    """Those that do not say so, and why."""
    other = [row for row in ROWS if row[3].startswith("other")]
    assert len(ROWS) > 60 and len(other) <= 9
    assert all(len(row[3].split()) > 1 for row in other)
