"""Reranking: the union of lists by weights or totals, streamed; the command, mistakes included."""

import gzip
import json
import os
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from interrupting import interrupt

import tricolore as tri
from tricolore.cli import run
from tricolore.errors import InputError
from tricolore.readers.nbest import read_nbest
from tricolore.weights import Weights

MOSES = "copyleft/moses-mert-it-en"
FISHER = "nbest/thot-fisher-test-es-en"

# The best of the union -------------------------------------------------------------------------------------

values = st.integers(-3, 3).map(lambda k: k / 2)  # few, so that there are ties
hypotheses = st.tuples(st.sampled_from(["a", "b", "a b", "c d"]), values, values, values)
files = st.integers(1, 3).flatmap(
    lambda sources: st.lists(
        st.lists(st.lists(hypotheses, min_size=1, max_size=5), min_size=sources, max_size=sources),
        min_size=1,
        max_size=3,
    )
)


def written(folder, lists_of_files):
    paths = []
    for number, lists in enumerate(lists_of_files):
        path = folder / f"{number}.txt"
        path.write_text(
            "".join(
                f"{i} ||| {text} ||| lm= {lm} tm= {tm} 0.5 ||| {total}\n"
                for i, nbest in enumerate(lists)
                for text, lm, tm, total in nbest
            )
        )
        paths.append(str(path))
    return paths


@given(files, values, values, st.booleans(), st.sampled_from([1, 2, None]))
def test_against_sorting_everything(tmp_path_factory, lists, lm, tm, weighted, top):
    paths = written(tmp_path_factory.mktemp("lists"), lists)
    weights = Weights({"lm": (lm,), "tm": (tm, 1.0)}) if weighted else None
    found = tri.rerank(paths, weights, top=top).ranked
    for source, ranked in enumerate(found):
        union = [one for file in lists for one in file[source]]
        scores = [lm * a + tm * b + 0.5 if weighted else total for _, a, b, total in union]
        order = sorted(range(len(union)), key=lambda k: -scores[k])  # stable
        expected, seen = [], set()
        for k in order:
            if union[k][:3] not in seen:
                seen.add(union[k][:3])
                expected.append((union[k][0], scores[k]))
        assert ranked.source == source
        assert ranked.first == union[0][0]
        assert [(one.text, one.score) for one in ranked.best] == expected[:top]


def test_a_list_can_be_read_again(tmp_path):
    path = tmp_path / "nbest.txt"
    path.write_text("0 ||| a ||| lm= 1 tm= 2 3 ||| 9 ||| 0-0\n0 ||| b ||| lm= 2 tm= 0 0 ||| 8 ||| 0-1\n")
    [ranked] = tri.rerank([path], {"lm": 1, "tm": [0.25, 0]}, top=None).ranked
    assert [one.line(0) for one in ranked.best] == [
        "0 ||| b ||| lm= 2 tm= 0 0 ||| 2.0 ||| 0-1",
        "0 ||| a ||| lm= 1 tm= 2 3 ||| 1.5 ||| 0-0",
    ]


def test_one_source_at_a_time(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_text("0 ||| a ||| f= 1\n1 ||| b ||| f= 1\nbroken\n")
    found = []
    with pytest.raises(InputError, match="a: line 3"):
        tri.rerank([tmp_path / "a", tmp_path / "b"], {"f": 1.0}, each=lambda one: found.append(one.best[0].text))
    assert found == ["a"]


def test_nothing_is_given_before_a_weight_is_of_use(tmp_path):
    path = tmp_path / "nbest.txt"
    path.write_text("0 ||| a ||| f= 1\n1 ||| b ||| f= 1\n2 ||| c ||| g= 1\n2 ||| d ||| g= 2\n")
    reranking = tri.rerank(path, Weights({"g": (1.0,)}, "w.txt"))
    assert reranking.texts == ["a", "b", "d"]
    assert reranking.notes == ("w.txt: no weight for 1 feature of the lists ('f'), taken as 0",)
    with pytest.raises(InputError, match=r"w.txt: no weight is for a feature of the lists \(weights: h; lists: f, g\)"):
        tri.rerank(path, Weights({"h": (1.0,)}, "w.txt"))


def test_features_that_come_late(tmp_path):
    path = tmp_path / "nbest.txt"
    path.write_text("".join(f"{i} ||| a ||| x{i}= 1\n{i} ||| b ||| y{i}= 1\n" for i in range(300)))
    weights = Weights({f"{'xy'[i % 2]}{i}": (1.0,) for i in range(300)})
    reranking = tri.rerank(path, weights)
    assert reranking.texts == ["a", "b"] * 150
    assert "no weight for 300 features" in reranking.notes[0]


def test_moses_weights_give_moses_scores(shared, lines, tmp_path, capsys):
    """Through the command: the union of runs 1 to k, reranked with Moses' weights of run k."""
    folder = shared / "data" / MOSES
    expected = dict(line.split(": ") for line in lines(f"{MOSES}/expected_mert.txt"))
    names = first_names(str(folder / "run1.nbest.txt.gz"))
    refs = [str(folder / f"ref{i}.txt") for i in range(3)]
    streams = [lines(f"{MOSES}/ref{i}.txt") for i in range(3)]
    bleu = tri.BLEU(tokenize="none", smooth="none")
    for k in range(1, 8):
        numbers = expected[f"weights_{k}"].split()
        weights = tmp_path / f"weights{k}.txt"
        weights.write_text(
            "".join(f"{name}= {' '.join(numbers[first : first + width])}\n" for name, first, width in names)
        )
        runs = [str(folder / f"run{i}.nbest.txt.gz") for i in range(1, k + 1)]
        words = ["rerank", "--nbest", *runs, "--weights", str(weights), "--refs", *refs]
        capsys.readouterr()
        assert run([*words, "-m", "bleu(smooth=none)", "-tok", "none", "-w", "4"]) == 0
        out, err = capsys.readouterr()
        score = bleu(out.splitlines(), tri.References.from_streams(streams))
        assert f"{float(score):.6f}" == f"{float(expected[f'best_{k}']):.6f}"
        assert f" = {100 * float(score):.4f} " in err.splitlines()[0]


def first_names(path):
    """The names of the features in the order of the weights, each with its place and number of values."""
    rest = next(read_nbest(path)).rest[0].split("|||")[0].split()
    names, place = [], 0
    for word in rest:
        if word[-1] in ":=":
            names.append([word[:-1], place, 0])
        else:
            names[-1][2] += 1
            place += 1
    return names


def test_the_totals_are_those_of_the_weights(shared, capsys):
    folder = shared / "data" / FISHER
    run(["rerank", "--nbest", str(folder / "nbest.txt.gz"), "--weights", str(folder / "weights.txt")])
    by_weights = capsys.readouterr().out
    run(["rerank", "--nbest", str(folder / "nbest.txt.gz")])
    assert capsys.readouterr().out == by_weights


# The command -----------------------------------------------------------------------------------------------


LISTS = ("--nbest", "nbest.txt")
WEIGHTS = ("--weights", "weights.txt")
REFS = ("--refs", "reference-a.txt", "reference-b.txt")


def type_in(capsys, *words):
    capsys.readouterr()
    status = run(["rerank", *map(str, words)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_lines(demo, capsys):
    status, out, err = type_in(capsys, *LISTS, *WEIGHTS)
    assert (status, err) == (0, "")
    best = tri.rerank("nbest.txt", "weights.txt").chosen
    assert out.splitlines() == [one.text for one in best]
    _, scored, _ = type_in(capsys, *LISTS, *WEIGHTS, "--scores")
    assert scored.splitlines() == [f"{one.score!r}\t{one.text}" for one in best]


def test_the_example_weights_choose_better(demo, capsys):
    _, out, err = type_in(capsys, *LISTS, *WEIGHTS, *REFS)
    reranked, first = err.splitlines()
    assert reranked.startswith("tricolore: reranked: BLEU|nrefs:2|chosen:weights|case:mixed|")
    assert first.startswith("tricolore: first: BLEU|nrefs:2|chosen:first|case:mixed|")
    numbers = [float(line.split(" = ")[1].split()[0]) for line in (reranked, first)]
    assert numbers[0] > numbers[1]
    (demo / "best.txt").write_text(out)
    run(["score", *REFS[1:], "-i", "best.txt", "-b"])
    assert float(capsys.readouterr().out) == numbers[0]


def test_several_metrics(demo, capsys):
    _, _, err = type_in(capsys, *LISTS, *REFS, "-m", "chrf", "ter", "-w", "3")
    heads = [" ".join(line.split("|")[:3]) for line in err.splitlines()]
    kinds = [(what, name) for name in ("chrF2", "TER") for what in ("reranked", "first")]
    assert heads == [
        f"tricolore: {what}: {name} nrefs:2 chosen:{'totals' if what == 'reranked' else 'first'}"
        for what, name in kinds
    ]


def test_a_new_list(demo, capsys):
    _, out, _ = type_in(capsys, *LISTS, *WEIGHTS, "--list", "--top", "2")
    lines = [line.split(" ||| ") for line in out.splitlines()]
    assert [int(line[0]) for line in lines] == [i for i in range(12) for _ in range(2)]
    assert all(float(a[3]) >= float(b[3]) for a, b in zip(lines[::2], lines[1::2], strict=True))
    (demo / "new.txt").write_text(out)
    assert type_in(capsys, "--nbest", "new.txt")[1] == type_in(capsys, *LISTS, *WEIGHTS)[1]
    _, whole, _ = type_in(capsys, *LISTS, "--list")
    assert sorted(whole.splitlines()) != sorted(out.splitlines())
    assert len(whole.splitlines()) == len((demo / "nbest.txt").read_text().splitlines())


def test_the_file_is_what_would_be_printed(demo, capsys):
    _, out, _ = type_in(capsys, *LISTS, *WEIGHTS)
    assert type_in(capsys, *LISTS, *WEIGHTS, "-o", "best.gz") == (0, "", "")
    assert gzip.decompress((demo / "best.gz").read_bytes()).decode() == out


def test_features_without_weights_are_said_once(demo, capsys):
    (demo / "some.txt").write_text("LM0= 1\n")
    status, _, err = type_in(capsys, *LISTS, "--weights", "some.txt")
    assert status == 0
    assert err == ("tricolore: some.txt: no weight for 2 features of the lists ('TM0', 'WordPenalty0'), taken as 0\n")
    assert type_in(capsys, *LISTS, "--weights", "some.txt", "-q")[2] == ""


def test_json_lists(demo, capsys):
    with (demo / "nbest.jsonl").open("w") as file:
        for one in read_nbest("nbest.txt"):
            for text, rest in zip(one.texts, one.rest, strict=True):
                words = rest.split("|||")[0].split()
                features = {name[:-1]: float(value) for name, value in zip(words[::2], words[1::2], strict=True)}
                print(json.dumps({"id": one.source, "text": text, "features": features}), file=file)
    assert type_in(capsys, "--nbest", "nbest.jsonl", *WEIGHTS) == type_in(capsys, *LISTS, *WEIGHTS)


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ([*LISTS, "--wieghts", "weights.txt"], 2, "unknown option '--wieghts'; did you mean '--weights'?"),
        (["nbest.txt"], 2, "'nbest.txt' was not expected; n-best lists are named with --nbest"),
        (WEIGHTS, 2, "no n-best list is given; name one or more with --nbest"),
        ([*LISTS, "-m", "bleu"], 2, "--metrics is for scores against references; name some with --refs"),
        ([*LISTS, "--chrf-beta", "3", "-m", "chrf"], 2, "--metrics is for scores against references"),
        ([*LISTS, *REFS, "-m", "blue"], 2, "unknown metric 'blue'; did you mean 'bleu'?"),
        ([*LISTS, "--top", "3"], 2, "--top requires --list"),
        ([*LISTS, "--list", "--top", "0"], 2, "--top must be a whole number from 1"),
        ([*LISTS, "--list", "--scores"], 2, "--scores and --list exclude each other"),
        ([*LISTS, *WEIGHTS, "-o", "weights.txt"], 2, "--output: weights.txt is one of the files to read"),
        ([*LISTS, "--weights", "gone.txt"], 1, "gone.txt: no such file"),
        ([*LISTS, "--weights", "empty.txt"], 1, "empty.txt: there are no weights; expected"),
        ([*LISTS, "--weights", "wide.txt"], 1, "wide.txt: 'LM0' has 2 weights, but 1 value in the lists"),
        ([*LISTS, "--weights", "other.txt"], 1, "other.txt: no weight is for a feature of the lists (weights: lm;"),
        ([*LISTS, "--weights", "nan.txt"], 1, "nan.txt: line 1: expected a finite number, found 'nan'"),
        (["--nbest", "empty.txt"], 1, "empty.txt: the file is empty; expected an n-best list"),
        (["--nbest", "cut.gz"], 1, "cut.gz: corrupt gzip data"),
        (["--nbest", "nan.nbest", *WEIGHTS], 1, "nan.nbest: line 1: feature 'LM0' is nan; expected a finite number"),
        (["--nbest", "bare.txt", *WEIGHTS], 1, "bare.txt: line 1: the hypothesis has no features; expected"),
        (["--nbest", "bare.txt"], 1, "bare.txt: line 1: the hypothesis has no finite total"),
        (["--nbest", "nbest.txt", "total.txt"], 1, "total.txt: line 2: the hypothesis has no finite total"),
        (["--nbest", "inf.txt"], 1, "inf.txt: line 1: the hypothesis has no finite total"),
        (["--nbest", "huge.txt", *WEIGHTS], 1, "huge.txt: line 1: features times weights are too large for a finite"),
        (
            ["--nbest", "nbest.txt", "short.txt", *WEIGHTS],
            1,
            "short.txt: ends with source 10, but nbest.txt goes on with source 11 at line 67; expected the same",
        ),
        (["--nbest", "short.txt", "nbest.txt"], 1, "short.txt: ends with source 10, but nbest.txt goes on with source"),
        (["--nbest", "short.txt", *REFS], 1, "short.txt: ends with source 10, but reference-a.txt goes on to line 12"),
        (["--nbest", "-", "-"], 2, "standard input can be read only once"),
        ([*LISTS, "-o", "gone/best.txt"], 1, "gone/best.txt: cannot be written (there is no folder gone)"),
    ],
)
def test_mistakes(demo, capsys, words, status, message):
    text = (demo / "nbest.txt").read_text()
    files = {
        "empty.txt": "",
        "wide.txt": "LM0= 1 2\n",
        "other.txt": "lm= 1\n",
        "nan.txt": "LM0= nan\n",
        "nan.nbest": text.replace("LM0= -14.2", "LM0= nan"),
        "bare.txt": "0 ||| a\n",
        "total.txt": "0 ||| a ||| f= 1 ||| 2\n0 ||| b ||| f= 1\n",
        "inf.txt": "0 ||| a ||| f= 1 ||| inf\n",
        "huge.txt": "0 ||| a ||| LM0= 1e308 TM0= 1e308 WordPenalty0= -1e308\n",
        "short.txt": "".join(line for line in text.splitlines(True) if not line.startswith("11 ")),
    }
    for name, content in files.items():
        (demo / name).write_text(content)
    (demo / "cut.gz").write_bytes(gzip.compress(text.encode())[:-20])
    before = sorted(path.name for path in demo.iterdir())
    found, _, err = type_in(capsys, *words, *([] if "-o" in words else ["-o", "out.txt"]))
    assert found == status
    assert err.startswith(f"tricolore: {message}"), err
    assert err.count("\n") == 1
    assert sorted(path.name for path in demo.iterdir()) == before


def test_a_closed_pipe_is_no_error(demo):
    (demo / "long.txt").write_text("".join(f"{i} ||| some words ||| f= 1 ||| {i}\n" for i in range(50_000)))
    line = f"set -o pipefail; {sys.executable} -m tricolore rerank --nbest long.txt | head -n 1"
    found = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True)
    assert (found.stdout, found.stderr) == ("some words\n", "")


def test_ctrl_c_leaves_nothing_behind(tmp_path):
    fifo = tmp_path / "nbest.txt"
    os.mkfifo(fifo)  # a list that never ends
    words = [sys.executable, "-m", "tricolore", "rerank", "--nbest", "nbest.txt", "-o", "out.txt"]
    child = subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    with fifo.open("w") as file:
        file.write("0 ||| a ||| f= 1 ||| 1\n")
        file.flush()
        while child.poll() is None and not list(tmp_path.glob(".out.txt.*.part")):
            time.sleep(0.01)
        assert interrupt(child) == 130
    assert child.stderr.read() == "tricolore: interrupted\n"
    child.stderr.close()
    assert [path.name for path in tmp_path.iterdir()] == ["nbest.txt"]


def test_memory_does_not_grow_with_the_list(tmp_path):
    """A list ten times as long takes hardly more memory."""

    def peak(sources):
        path = tmp_path / f"{sources}.txt"
        path.write_text(
            "".join(f"{i} ||| {'some words ' * 20} ||| f= {k} ||| 1\n" for i in range(sources) for k in range(20))
        )
        code = (
            "import sys, tracemalloc\n"
            "from tricolore import rerank\n"
            "tracemalloc.start()\n"
            "rerank(sys.argv[1], {'f': 1.0}, each=lambda one: None)\n"
            "print(tracemalloc.get_traced_memory()[1])\n"
        )
        found = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
        return int(found.stdout)

    assert peak(2000) < 1.5 * peak(200)


def test_a_text_that_a_list_cannot_hold(tmp_path, capsys):
    path = tmp_path / "nbest.jsonl"
    path.write_text('{"id": 0, "text": "a ||| b", "score": 1}\n')
    assert run(["rerank", "--nbest", str(path)]) == 0
    assert capsys.readouterr().out == "a ||| b\n"
    assert run(["rerank", "--nbest", str(path), "--list"]) == 1
    assert "source 0: the translation contains |||" in capsys.readouterr().err
