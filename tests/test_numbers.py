"""What is a number where text becomes one: the same everywhere."""

import math
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.cli import run
from tricolore.errors import TricoloreError
from tricolore.numbers import real, real_or_infinite, whole

#: What Python's float or int reads, and what is no number all the same.
NO_NUMBERS = ["1_5", "１２", "٣", "1_000.5", "nan", "-NaN", "0x10", "1e1_0", "1\u00a0", "", " ", "+-1", "1 2", "1,5"]


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_no_number(text):
    for read in (real, whole, real_or_infinite):
        with pytest.raises(ValueError, match="not a number"):
            read(text)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_read_as_they_are_written(value):
    for text in (repr(value), f"{value:.17g}", f" {value!r}\r", f"{value:+.17e}"):
        assert real(text) == value
        assert real_or_infinite(text) == value


@given(st.integers())
def test_whole_numbers_are_read_as_they_are_written(value):
    assert whole(str(value)) == whole(f"{value:+}") == value


@given(st.text(string.printable + "_١１", max_size=6))
def test_what_is_read_is_what_python_reads(text):
    """No more than Python, and never anything else."""
    for read, python in ((real, float), (whole, int), (real_or_infinite, float)):
        try:
            found = read(text)
        except ValueError:
            continue
        assert found == python(text)


@pytest.mark.parametrize("text", ["inf", "-Infinity", "+INF"])
def test_infinity_is_a_number_only_where_it_may_be_one(text):
    assert math.isinf(real_or_infinite(text))
    with pytest.raises(ValueError, match="not a number"):
        real(text)


# In every place ----------------------------------------------------------------------------------------------------

PLF = "((('a', {}, 1),),)\n"
HTK = "VERSION=1.0\nN=2 L=1\nI=0\nI=1\nJ=0 S=0 E=1 W=a a={}\n"
HYPERGRAPH = "# target ||| features ||| source-covered\n1 1\n1\na ||| lm={} ||| 1\n"

#: A file with a number in it, and the command that reads it.
FILES = {
    "scores": ("system\tsegment\tBLEU\nA\t1\t{}\nA\t2\t1\nB\t1\t3\nB\t2\t4\n", "compare --scores FILE --trials 9"),
    "scores as WMT has them": ("A\t1\nA\t{}\nB\t2\nB\t3\n", "compare --scores FILE --trials 9"),
    "scores in JSON": ('{{"system": "A", "segment": 1, "BLEU": "{}"}}\n{{"system": "B", "segment": 1, "BLEU": 2}}\n'
                       '{{"system": "A", "segment": 2, "BLEU": 1}}\n{{"system": "B", "segment": 2, "BLEU": 2}}\n',
                       "compare --scores FILE --trials 9"),
    "ratings": ("system\tsegment\thuman\tBLEU\nA\t1\t{}\t1\nB\t1\t2\t2\n", "correlate FILE"),
    "ratings in a list": ('system\tsegment\thuman\tBLEU\nA\t1\t["{}"]\t1\nB\t1\t[2]\t2\n', "correlate FILE"),
    "rankings": ("system\tsegment\trank\nA\t1\t{}\nB\t1\t2\n", "correlate scores.tsv --human FILE --human-form rr"),
    "MQM counts": ("system\tsegment\tn_minor\nA\t1\t{}\nB\t1\t2\n",
                   "correlate scores.tsv --human FILE --human-form mqm-counts"),
    "n-best list": ("0 ||| a ||| lm= {} ||| 1\n0 ||| b ||| lm= 2 ||| 1\n", "tune mert --nbest FILE --refs ref.txt"),
    "total of an n-best list": ("0 ||| a ||| lm= 1 ||| {}\n", "mbr --nbest FILE"),
    "number of a source": ("{} ||| a ||| lm= 1 ||| 1\n", "rerank --nbest FILE"),
    "weights": ("lm= {}\n", "rerank --nbest nbest.txt --weights FILE"),
    "PLF": (PLF, "lattice best FILE"),
    "confusion network": ("a {} b 0.5\n", "lattice best FILE --from confusion"),
    "HTK": (HTK, "lattice best FILE"),
    "OpenFst": ("0 1 a 0.5\n0 2 a {}\n1\n2\n", "lattice best FILE --from openfst --labels acceptor"),
    "thot": ("# sentence 0 initial_score 0 finals 1\n0 1 {} 0-0 a\n", "lattice best FILE --from wordgraph"),
    "Moses": (HYPERGRAPH, "lattice best FILE"),
    "symbols": ("<eps> 0\na {}\n", "lattice best numbers.fst.txt --symbols FILE"),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.tsv").write_text("system\tsegment\tBLEU\nA\t1\t1\nB\t1\t2\n")
    (tmp_path / "nbest.txt").write_text("0 ||| a ||| lm= 1 ||| 1\n")
    (tmp_path / "ref.txt").write_text("a\n")
    (tmp_path / "numbers.fst.txt").write_text("0 1 1 0.5\n1\n")
    return tmp_path


@pytest.mark.parametrize("number", ["1_5", "１", "nane"])
@pytest.mark.parametrize("name", FILES)
def test_numbers_in_files(folder, capsys, name, number):
    text, command = FILES[name]
    Path("given.txt").write_text(text.format(number), encoding="utf-8")
    status = run(command.replace("FILE", "given.txt").split())
    out, err = capsys.readouterr()
    assert (status, out) == (1, "")
    assert err.startswith("tricolore: ")
    assert err.count("\n") == 1
    assert "given.txt" in err


@pytest.mark.parametrize("name", FILES)
def test_numbers_in_files_that_are_some(folder, capsys, name):
    """So that nothing but the number is wrong above."""
    text, command = FILES[name]
    Path("given.txt").write_text(text.format("0" if name in ("number of a source", "confusion network") else "1"))
    assert run(command.replace("FILE", "given.txt").split()) == 0, capsys.readouterr().err


#: An option with a number in it.
OPTIONS = [
    "score ref.txt -i ref.txt -w {}",
    "score ref.txt -i ref.txt -j {}",
    "score ref.txt -i ref.txt --seed {} --confidence",
    "score ref.txt -i ref.txt -m bleu(order={})",
    "score ref.txt -i ref.txt -s {}",
    "score ref.txt -i ref.txt -s floor -sv {}",
    "align ref.txt -i ref.txt --segment {}",
    "align ref.txt -i ref.txt --segment 1-{}",
    "correlate scores.tsv --level {}",
    "compare --scores scores.tsv --level {}",
    "mbr --nbest nbest.txt --scale {}",
    "tune mert --nbest nbest.txt --refs ref.txt --held-out {}",
    "tune mert --nbest nbest.txt --refs ref.txt --bounds lm={}:",
    "tune mert --nbest nbest.txt --refs ref.txt --fix lm={}",
    "correlate ref.txt -i ref.txt --human scores.tsv --human-form mqm --mqm-weights major={}",
    "correlate ref.txt -i ref.txt --human scores.tsv --human-column BLEU --straw-men short --straw-score {}",
    "lattice sample x.plf --scale {}",
]


@pytest.mark.parametrize("number", ["1_5", "１", "nan"])
@pytest.mark.parametrize("command", OPTIONS)
def test_numbers_in_options(folder, capsys, command, number):
    status = run(command.format(number).split())
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert number in err


@pytest.mark.parametrize("seed", ["1_5", "１"])
def test_the_seed_of_the_environment(folder, capsys, monkeypatch, seed):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    Path("two.txt").write_text("a\nb\n")
    assert run(["score", "two.txt", "-i", "two.txt", "--confidence", "--compat", "sacrebleu"]) == 2
    assert "SACREBLEU_SEED must be a whole number" in capsys.readouterr().err


def test_the_score_of_straw_men_is_a_number():
    from tricolore.judge.correlation.options import StrawScore
    from tricolore.parameters import checked

    assert checked("straw_score", "-1.5", StrawScore()) == -1.5
    with pytest.raises(TricoloreError, match="must be worst, segment or a number; got '1_5'"):
        checked("straw_score", "1_5", StrawScore())
