"""`tricolore oracle --lattice` and `tricolore mbr --lattice`: what comes out, what is said, what is refused."""

import gzip

import pytest

import tricolore as tri
from tricolore.cli import run
from tricolore.graphs.formats import read_graphs
from tricolore.graphs.mbr import LinearGain, choose
from tricolore.graphs.oracles import ExactOracle

LATTICE = ["--lattice", "lattices.plf"]
REFS = ["--refs", "reference-a.txt", "reference-b.txt"]


@pytest.fixture
def graphs(demo):
    return list(read_graphs("lattices.plf"))


@pytest.fixture
def references(demo):
    return tri.References.from_streams(
        [(demo / name).read_text(encoding="utf-8").splitlines() for name in ("reference-a.txt", "reference-b.txt")]
    )


def out(capsys, *argv):
    assert run([*argv]) == 0
    return capsys.readouterr()


@pytest.mark.parametrize("spec", ["wer", "wrr(lowercase=true)", "grr", "grr(order=2, alpha=0.5, beta=0.25)"])
def test_exact_oracles(graphs, references, capsys, spec):
    found = out(capsys, "oracle", *LATTICE, *REFS, "-m", spec, "--scores")
    oracle = ExactOracle(tri.metric(spec))
    for line, graph, refs in zip(found.out.splitlines(), graphs, references.entries, strict=True):
        score, text = line.split("\t")
        expected = oracle(graph, refs)
        assert text == expected.text
        assert float(score) == pytest.approx(100 * expected.score, abs=0.005)
    assert "oracle:exact|by:" in found.err
    assert "best path: " in found.err


def test_with_several_references_the_corpus_is_not_its_segments(demo, capsys):
    assert "oracle:approximate" in out(capsys, "oracle", *LATTICE, *REFS, "-m", "wer", "--corpus").err
    assert "oracle:exact" in out(capsys, "oracle", *LATTICE, *REFS[:2], "-m", "wer", "--corpus").err


@pytest.mark.parametrize("more", [[], ["--corpus"]])
def test_approximate_oracles_say_how_far_they_are_from_lists(graphs, references, capsys, more):
    found = out(capsys, "oracle", *LATTICE, *REFS, "-m", "bleu", "--candidates", "2", "--rounds", "3", *more)
    texts = found.out.splitlines()
    score = float(tri.BLEU()(texts, references))
    assert score > float(tri.BLEU()([graph.best().text for graph in graphs], references))
    assert f"an approximation, {100 * score:.2f}; the best choice from the 2 best paths of each is" in found.err
    assert "candidates:2|rounds:3" in found.err


def test_forests(tmp_path, capsys):
    rules = (
        '{"rules":[1,"[X] ||| a ||| the cat",2,"[X] ||| b ||| a dog",3,"[S] ||| [X,1] c ||| [1] sat"],"features":["f"],'
        '"edges":[{"tail":[],"feats":[0,1],"rule":1},{"tail":[],"feats":[0,2],"rule":2}],'
        '"node":{"in_edges":[0,1]},"edges":[{"tail":[0],"feats":[],"rule":3}],"node":{"in_edges":[2]}}'
    )
    (tmp_path / "forest.json").write_text(rules)
    (tmp_path / "ref").write_text("the cat sat\n")
    (tmp_path / "weights").write_text("f= 1\n")
    common = ["--lattice", str(tmp_path / "forest.json"), "--refs", str(tmp_path / "ref")]
    found = out(capsys, "oracle", *common, "-m", "grr")
    assert found.out == "the cat sat\n"
    assert "there are no weights" in found.err
    assert "best path" not in found.err  # whose scores would say nothing
    found = out(capsys, "mbr", *common, "--weights", str(tmp_path / "weights"), "--scale", "5")
    assert found.out == "a dog sat\n"


def test_mbr(graphs, references, capsys):
    found = out(capsys, "mbr", *LATTICE, "--scale", "0.5", "--precision", "0.7", "--ratio", "0.6", "--order", "3")
    expected = [choose(graph, LinearGain(0.7, 0.6, 3), scale=0.5).text for graph in graphs]
    assert found.out.splitlines() == expected
    assert "mbr:linear|p:0.7|r:0.6|n:3|scale:0.5|version:" in found.err
    found = out(capsys, "mbr", *LATTICE, "--scores")
    gains = [choose(graph).gain for graph in graphs]
    assert [float(line.split("\t")[0]) for line in found.out.splitlines()] == pytest.approx(gains, abs=1e-6)
    assert f" = {sum(gains) / len(gains):.6f} (expected gain, mean of 12 lattices)\n" in found.err
    assert out(capsys, "mbr", *LATTICE, "-q").err == ""


def test_mbr_searches_its_scale(graphs, references, capsys):
    found = out(capsys, "mbr", *LATTICE, *REFS, "--estimate", "--scales", "0.1", "1", "3", "-m", "chrf")
    lines = [line for line in found.err.splitlines() if ": scale " in line]
    assert len(lines) == 3
    [best] = [line for line in lines if line.endswith("(best)")]
    scale = best.split("scale ")[1].split(":")[0]
    assert f"|scale:{float(scale)}|" in found.err
    assert all("chrF2|nrefs:2|mbr:linear|p:" in line and "|version:tricolore-" in line for line in lines)
    assert best.split("= ")[1].split()[0] == max((line.split("= ")[1].split()[0] for line in lines), key=float)
    score = 100 * float(tri.ChrF()(found.out.splitlines(), references))
    assert float(best.split("= ")[1].split()[0]) == pytest.approx(score, abs=0.006)


def test_output_files(demo, capsys):
    assert out(capsys, "oracle", *LATTICE, *REFS, "-m", "wer", "-o", "best.txt.gz", "-q").err == ""
    with gzip.open("best.txt.gz", "rt", encoding="utf-8") as file:
        assert len(file.readlines()) == 12


@pytest.mark.parametrize(
    ("argv", "status", "message"),
    [
        (["oracle", *LATTICE], 2, "no reference file is given"),
        (["oracle", *LATTICE, *REFS, "--nbest", "nbest.txt"], 2, "--nbest and --lattice exclude each other"),
        (["oracle", *LATTICE, *REFS, "--worst"], 2, "--worst: for n-best lists, not for lattices"),
        (["oracle", *LATTICE, *REFS, "-n", "3"], 2, "--first: for n-best lists, not for lattices"),
        (["oracle", *LATTICE, *REFS, "-m", "wer", "bleu"], 2, "expected one metric to choose by; got 2"),
        (["oracle", *LATTICE, *REFS, "-m", "length"], 2, "choose by another metric"),
        (["oracle", *LATTICE, *REFS, "--candidates", "0"], 2, "--candidates must be a whole number from 1"),
        (
            ["oracle", *LATTICE, *REFS, "-m", "wer", "--candidates", "9"],
            2,
            "without an exact oracle; wer has one",
        ),
        (["oracle", *LATTICE, *REFS[:2], REFS[1]], 2, "reference-a.txt is given twice as a reference"),
        (["oracle", *REFS], 2, "or lattices with --lattice"),
        (["oracle", *LATTICE, *REFS, "-m", "grr(multi_ref=pool)"], 2, "have no exact oracle"),
        (
            ["oracle", *LATTICE, *REFS, "-m", "grr(tokenize=intl)"],
            2,
            "with tokenize=intl the tokens of a word depend",
        ),
        (["oracle", "--nbest", "nbest.txt", *REFS, "--from", "plf"], 2, "--from is for lattices"),
        (["oracle", "--nbest", "nbest.txt", *REFS, "--rounds", "2"], 2, "--rounds: for lattices, not for n-best lists"),
        (["oracle", "--lattice", "none.plf", *REFS], 1, "none.plf: no such file"),
        (["oracle", *LATTICE, "--refs", "short.txt", "-m", "wer"], 1, "short.txt ends at line 2"),
        (
            ["oracle", "--lattice", "two.plf", *REFS, "-m", "wer"],
            1,
            "reference-a.txt: has 12 lines, but 2 lattices were",
        ),
        (["oracle", "--lattice", "wrong.plf", *REFS, "-m", "wer"], 1, "wrong.plf: line 2"),
        (["oracle", *LATTICE, *REFS, "-o", "lattices.plf"], 2, "lattices.plf is one of the files to read"),
        (["mbr", *LATTICE, "--scales", "1"], 2, "--scales: requires references"),
        (["mbr", *LATTICE, "-m", "chrf"], 2, "--metrics: requires references"),
        (["mbr", *LATTICE, *REFS, "--scales", "1", "--scale", "2"], 2, "--scales: excludes scale"),
        (["mbr", *LATTICE, *REFS, "--estimate", "--ratio", "2"], 2, "--ratio: taken from the references (estimate)"),
        (["mbr", *LATTICE, "--scale", "-1"], 2, "--scale must be a number, 0 or more, or none; got '-1'"),
        (["mbr", *LATTICE, *REFS, "--scales", "1", "nan"], 2, "--scales must be a number, 0 or more; got 'nan'"),
        (["mbr", *LATTICE, "--precision", "2"], 2, "--precision must be a number above 0, 1 or less"),
        (["mbr", *LATTICE, "--order", "0"], 2, "--order must be a whole number from 1 to 10"),
        (["mbr", *LATTICE, "--least", "2"], 2, "--least must be a number from 0 to 1; got '2'"),
        (["mbr", *LATTICE, "--uniform"], 2, "--uniform: for n-best lists and samples"),
        (["mbr", *LATTICE, "--method", "prune"], 2, "--method: for n-best lists and samples"),
        (["mbr", *LATTICE, "--nbest", "nbest.txt"], 2, "--nbest and --lattice exclude each other"),
        (["mbr", "--nbest", "nbest.txt", "--ratio", "0.5"], 2, "--ratio: for lattices"),
        (["mbr", "--lattice", "empty"], 1, "empty: the file is empty"),
    ],
)
def test_mistakes_get_one_line(demo, capsys, argv, status, message):
    lines = (demo / "lattices.plf").read_text(encoding="utf-8").splitlines(keepends=True)
    (demo / "two.plf").write_text("".join(lines[:2]), encoding="utf-8")
    (demo / "wrong.plf").write_text(lines[0] + lines[1][:40] + "\n" + lines[2], encoding="utf-8")
    (demo / "short.txt").write_text("a\nb\n", encoding="utf-8")
    (demo / "empty").write_text("")
    assert run(argv) == status
    found = capsys.readouterr().err
    assert message in found
    assert len(found.splitlines()) == 1
