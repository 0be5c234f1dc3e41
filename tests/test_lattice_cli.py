"""tricolore lattice, from the command line."""

import gzip
import io
import json
import math
import os
import re
import sys
import xml.etree.ElementTree as ET
from argparse import Namespace

import pytest
from test_graph_formats import assert_same, reads

from tricolore import References
from tricolore.cli import run
from tricolore.cli.graph_options import refuse_graph_options
from tricolore.errors import InputError, SpecError
from tricolore.examples import LATTICES, REFERENCES, lines, text_of
from tricolore.graphs import Lattice
from tricolore.graphs.drawing import draw, draw_one
from tricolore.graphs.formats import FORMATS, read_graphs, write_graphs
from tricolore.graphs.nbest_lines import kbest_lines, sample_lines
from tricolore.graphs.sizes import graph_sizes
from tricolore.readers.nbest import read_nbest
from tricolore.tuning.oracle import paired

FOREST = (
    "# target ||| features ||| source-covered\n3 4\n1\nso ||| Score=-0.5 ||| 0\n2\n"
    "[0] the small ||| Score=-1 ||| 2\n[0] a ||| Score=-2 ||| 2\n1\n[1] cat ||| ||| 2\n"
)
FEATURES = FOREST.replace("Score", "LM").replace("[1] cat ||| ", "[1] cat ||| Glue=1 ")


@pytest.fixture
def command(capsys):
    """Run the command; return the exit status and what it printed."""

    def call(*arguments):
        status = run([str(argument) for argument in ("lattice", *arguments)])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


@pytest.fixture
def lattices(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / LATTICES).write_text(text_of(LATTICES), encoding="utf-8")
    (tmp_path / "forest.txt").write_text(FOREST, encoding="utf-8")
    (tmp_path / "features.txt").write_text(FEATURES, encoding="utf-8")
    return tmp_path


def test_examples_hold_the_first_reference(lattices):
    graphs = [*read_graphs(LATTICES)]
    references = lines(REFERENCES[0])
    assert len(graphs) == len(references)
    assert all(reads(graph, text.split()) for graph, text in zip(graphs, references, strict=True))


def test_best(command, lattices):
    status, out, err = command("best", LATTICES)
    assert (status, err) == (0, "")
    assert out.splitlines() == [graph.best().text for graph in read_graphs(LATTICES)]
    _, out, _ = command("best", LATTICES, "--scores")
    score, text = out.splitlines()[0].split("\t")
    assert float(score) == next(read_graphs(LATTICES)).best().score
    assert text == "The last ferry leaves the island at six and half in the evening."
    assert command("best", LATTICES, "-o", "best.txt.gz") == (0, "", "")
    with gzip.open("best.txt.gz", "rt", encoding="utf-8") as file:
        assert len(file.readlines()) == 12


def test_kbest_is_an_nbest_list(command, lattices):
    _, out, _ = command("kbest", "-k", 5, LATTICES)
    (lattices / "list.txt").write_text(out, encoding="utf-8")
    lists = [*read_nbest("list.txt")]
    assert [len(nbest) for nbest in lists] == [5] * 12
    paths = next(read_graphs(LATTICES)).kbest(5)
    assert lists[0].texts == [path.text for path in paths]
    assert [float(rest.split("|||")[-1]) for rest in lists[0].rest] == [path.score for path in paths]
    assert run(["rerank", "--nbest", "list.txt", "-q"]) == 0
    assert run(["oracle", "--nbest", "list.txt", "--refs", "list.txt", "-q"]) == 1  # as many references as sources


def test_kbest_of_paths(command, lattices):
    (lattices / "twice.plf").write_text("((('a', -1, 1),('a', -2, 1),('b', -3, 1)),)\n", encoding="utf-8")
    assert command("kbest", "twice.plf")[1] == "0 ||| a |||  ||| -1.0\n0 ||| b |||  ||| -3.0\n"
    assert command("kbest", "twice.plf", "--paths")[1].count("||| a |||") == 2


def test_kbest_has_features(command, lattices):
    (lattices / "weights.txt").write_text("LM= 2\nGlue= 0.25\n", encoding="utf-8")
    _, out, err = command("kbest", "features.txt", "--weights", "weights.txt")
    assert out == (
        "0 ||| so the small cat ||| LM= -1.5 Glue= 1.0 ||| -2.75\n0 ||| so a cat ||| LM= -2.5 Glue= 1.0 ||| -4.75\n"
    )
    assert err == ""
    status, out, err = command("best", "features.txt")
    assert (status, out) == (0, "so the small cat\n")
    assert err == "tricolore: features.txt: has features, but there are no weights: all scores are 0 (--weights)\n"
    assert command("best", "features.txt", "-q")[2] == ""


def test_probabilities_that_are_taken_for_logarithms(command, lattices):
    (lattices / "prob.plf").write_text("((('a', 0.75, 1),('b', 0.25, 1),),)\n" * 2, encoding="utf-8")
    assert command("best", "prob.plf", "--scores") == (
        0,
        "0.75\ta\n0.75\ta\n",
        "tricolore: prob.plf: line 1: all scores are between 0 and 1, but read as logarithms; "
        "are they probabilities (--scores-are prob)?\n",
    )
    status, out, err = command("best", "prob.plf", "--scores", "--scores-are", "prob")
    assert (status, err) == (0, "")
    assert float(out.split("\t")[0]) == pytest.approx(math.log(0.75))
    assert command("best", "prob.plf", "--scores", "--scores-are", "log")[2] == ""


def test_graphs_and_references_are_as_many(lattices):
    graphs = [*read_graphs(LATTICES)]
    references = References(lines(REFERENCES[0]))
    references.path = "ref.txt"
    pairs = [*paired(graphs, references)]
    assert [found for _, found in pairs] == lines(REFERENCES[0])
    with pytest.raises(InputError, match=r"ref.txt: has 12 lines, but 11 lattices were read"):
        [*paired(graphs[:-1], references)]
    with pytest.raises(InputError, match=r"lattices.plf: line 1: is number 13, but ref.txt ends at line 12"):
        [*paired([*graphs, graphs[0]], references)]


def test_options_of_lattices_need_some():
    options = Namespace(lattice_format=None, scores_are=None, symbols=None, labels=None, epsilon=None, empty=None)
    refuse_graph_options(options)
    with pytest.raises(SpecError, match="--from is for lattices; name some with --lattice"):
        refuse_graph_options(Namespace(**{**vars(options), "lattice_format": "plf"}))


def test_sample_is_reproducible(command, lattices):
    first = command("sample", LATTICES, "-n", 20, "--seed", 1)
    assert first == command("sample", LATTICES, "-n", 20, "--seed", 1)
    assert first != command("sample", LATTICES, "-n", 20, "--seed", 2)
    graphs = [*read_graphs(LATTICES)]
    assert first[1].count("\n") == 20 * len(graphs)
    for line in first[1].splitlines():
        source, text, *_ = line.split(" ||| ")
        assert reads(graphs[int(source)], text.split())
    # All mass on the best path.
    certain = command("sample", LATTICES, "-n", 1, "--scale", 1000)[1]
    assert [line.split(" ||| ")[1] for line in certain.splitlines()] == [graph.best().text for graph in graphs]
    assert command("sample", LATTICES)[1].count("\n") == 10 * len(graphs)


def test_stats(command, lattices):
    _, out, _ = command("stats", LATTICES)
    table = out.splitlines()
    assert table[0].split() == ["graph", "states", "arcs", "words", "ε", "paths", "density", "best", "score"]
    assert len(table) == 2 + 12 + 1
    graphs = [*read_graphs(LATTICES)]
    _, out, _ = command("stats", LATTICES, "-f", "tsv")
    rows = [line.split("\t") for line in out.splitlines()[1:]]
    assert [int(row[5]) for row in rows[:-1]] == [graph.count() for graph in graphs]
    assert int(rows[-1][2]) == sum(map(len, graphs))
    assert rows[-1][0] == "all 12"
    _, out, _ = command("stats", LATTICES, "-f", "json")
    found = json.loads(out)
    assert [graph["paths"] for graph in found["graphs"]] == [graph.count() for graph in graphs]
    assert found["all"]["graphs"] == 12
    _, out, _ = command("stats", LATTICES, "forest.txt", "-f", "json", "--summary")
    assert json.loads(out)["graphs"] == 13
    _, out, _ = command("stats", "forest.txt", "-f", "markdown", "-w", 1)
    assert out.splitlines()[-1].split("|")[1:-1] == [
        " forest.txt ", "      3 ", "    4 ", "     5 ", " 0 ", "     2 ", "     1.0 ", "       -1.5 "
    ]  # fmt: skip
    assert command("stats", LATTICES, "-f", "latex", "-o", "table.tex") == (0, "", "")
    assert (lattices / "table.tex").read_text(encoding="utf-8").startswith(r"\begin{tabular}")


def test_the_function_and_the_command_count_the_same(command, lattices):
    sizes = graph_sizes(read_graphs([LATTICES, "forest.txt"]))
    _, out, _ = command("stats", LATTICES, "forest.txt", "-f", "json")
    assert json.loads(out) == sizes.to_dict()
    assert repr(sizes).startswith("<sizes of 13 graphs: ")
    assert sizes.to_pandas()["arcs"].iloc[-1] == sizes.total.arcs
    assert "<table>" in sizes._repr_html_()


def test_stats_of_very_many_paths(command, lattices):
    column = "(('a', 0, 1),('b', 0, 1),),"
    (lattices / "many.plf").write_text(f"({column * 20_000})\n", encoding="utf-8")
    _, out, _ = command("stats", "many.plf")
    assert " 4.0e6020 " in out
    _, out, _ = command("stats", "many.plf", "-f", "json")
    (found,) = json.loads(out)["graphs"]
    assert found["paths"] is None
    assert found["log10_paths"] == pytest.approx(6020.5999)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "confusion"])
def test_convert(command, lattices, name):
    one = (lattices / LATTICES).read_text(encoding="utf-8").splitlines(keepends=True)[0]
    (lattices / "one.plf").write_text(one, encoding="utf-8")
    (expected,) = read_graphs("one.plf")
    assert command("convert", "one.plf", "--to", name, "-o", "out") == (0, "", "")
    (found,) = read_graphs("out")
    assert_same(found, expected)
    _, out, _ = command("convert", "one.plf", "--to", name)
    assert out == (lattices / "out").read_text(encoding="utf-8")
    # And back again, as far as it is still a lattice.
    if isinstance(found, Lattice):
        _, out, _ = command("convert", "out", "--to", "plf")
        assert out.count("\n") == 1


@pytest.mark.parametrize("name", FORMATS)
def test_convert_many(command, lattices, name):
    text = "((('a', -0.5, 1),),)\n((('b', -0.5, 1),('c', -1, 1)),)\n"
    (lattices / "two.plf").write_text(text, encoding="utf-8")
    status, out, err = command("convert", "two.plf", "--to", name)
    if FORMATS[name].holds_several:
        assert status == 0
        (lattices / "two").write_text(out, encoding="utf-8")
        assert len([*read_graphs("two", format=name)]) == 2
    else:
        assert (status, out) == (1, "")
        assert err == (
            f"tricolore: two.plf: line 2: is a second graph, but a {name} file holds one; "
            "write to a folder (--output FOLDER/)\n"
        )
    assert command("convert", "two.plf", "--to", name, "-o", "folder/") == (0, "", "")
    files = sorted(path.name for path in (lattices / "folder").iterdir())
    assert files == [f"{i:06}{FORMATS[name].suffix}" for i in range(2)]
    assert len([*read_graphs([f"folder/{file}" for file in files], format=name)]) == 2


@pytest.mark.parametrize("name", ["plf", "openfst", "htk", "cdec"])
def test_the_function_and_the_command_convert_the_same(command, lattices, name):
    def files(folder):
        return {path.name: path.read_text(encoding="utf-8") for path in (lattices / folder).iterdir()}

    write_graphs(read_graphs(LATTICES), "function/", name)
    assert command("convert", LATTICES, "--to", name, "-o", "command/") == (0, "", "")
    assert files("function") == files("command")
    assert len(files("function")) == 12
    if FORMATS[name].holds_several:
        write_graphs(read_graphs(LATTICES), lattices / "function.txt.gz", name)
        assert command("convert", LATTICES, "--to", name, "-o", "command.txt.gz") == (0, "", "")
        found = [gzip.decompress((lattices / f"{one}.txt.gz").read_bytes()) for one in ("function", "command")]
        assert found[0] == found[1]
        stream = io.StringIO()
        write_graphs(read_graphs(LATTICES), stream, name)
        assert command("convert", LATTICES, "--to", name)[1] == stream.getvalue()
    else:
        with pytest.raises(InputError, match=r"a second graph, .*; write to a folder \(output='FOLDER/'\)"):
            write_graphs(read_graphs(LATTICES), lattices / "function.txt", name)
        assert not (lattices / "function.txt").exists()


def test_folders_are_not_written_over_what_is_read(command, lattices):
    write_graphs(read_graphs(LATTICES), "folder/", "plf")
    name = os.path.join("folder", "000001.plf")
    before = (lattices / name).read_bytes()
    for output in ("folder", name):
        with pytest.raises(SpecError) as caught:
            write_graphs(read_graphs(LATTICES), output, "plf", inputs=[name])
        assert str(caught.value) == f"output: {name} is one of the files to read; name another file"
    status, _, err = command("convert", LATTICES, name, "--to", "plf", "-o", "folder")
    assert (status, err) == (2, f"tricolore: --output: {name} is one of the files to read; name another file\n")
    assert (lattices / name).read_bytes() == before


def test_the_functions_and_the_command_list_and_draw_the_same(command, lattices):
    graphs = [*read_graphs(LATTICES)]
    assert command("kbest", LATTICES, "-k", 3)[1].splitlines() == [*kbest_lines(graphs, 3)]
    assert command("kbest", LATTICES, "--paths")[1].splitlines() == [*kbest_lines(graphs, distinct=False)]
    assert command("sample", LATTICES)[1].splitlines() == [*sample_lines(graphs)]
    _, out, _ = command("sample", LATTICES, "-n", 3, "--seed", 7, "--scale", 0.5)
    assert out.splitlines() == [*sample_lines(graphs, 3, seed=7, scale=0.5)]
    assert command("draw", LATTICES)[1] == draw_one(graphs) == draw(graphs[0])
    assert command("draw", LATTICES, "-n", 2, "--prune", 20)[1] == draw(graphs[1], prune=20)


def test_draw(command, lattices):
    _, out, _ = command("draw", LATTICES, "--number", 3)
    root = ET.fromstring(out)
    assert root.tag.endswith("svg")
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert '"Bring' in texts
    assert command("draw", "forest.txt", "-o", "forest.svg") == (0, "", "")
    drawn = (lattices / "forest.svg").read_text(encoding="utf-8")
    assert "[0] the small" in drawn
    assert command("draw", LATTICES, "--number", 13)[::2] == (
        1,
        "tricolore: --number: there is no graph 13; there are 12\n",
    )


def test_draw_what_is_too_large(command, lattices):
    column = "(('a', -0.5, 1),('b', -1, 1),),"
    (lattices / "large.plf").write_text(f"({column * 200})\n", encoding="utf-8")
    status, _, err = command("draw", "large.plf", "-o", "large.svg")
    assert (status, err) == (
        1,
        "tricolore: large.plf: line 1: has 400 arcs, too many for a readable picture (300); prune it, for "
        "example with --prune 60\n",
    )
    assert not (lattices / "large.svg").exists()
    _, out, _ = command("draw", "large.plf", "--prune", 210)
    assert re.search("<desc>201 states, 210 arcs of 400, those of the best paths", out)


BAD = [
    (["kbest", "x", "-k", "0"], "-k must be a whole number from 1 to 100,000,000; got '0'"),
    (["best", "x", "-k", "3"], "-k is for 'tricolore lattice kbest', not for best"),
    (["stats", "x", "--number", "3"], "--number is for 'tricolore lattice sample and draw', not for stats"),
    (["convert", "x"], "--to is missing: the format to write"),
    (["convert", "x", "--to", "dot"], "--to must be one of plf, openfst, htk"),
    (["worst", "x"], "'worst' is not one of stats, best"),
    (["best"], "FILE is missing (see"),
    (["best", "x", "x"], "x is given twice as a lattice"),
    (["best", "-", "--weights", "-"], "standard input can be read only once"),
    (["sample", "x", "--scale", "nan"], "--scale must be a number, 0 or more; got 'nan'"),
    (["sample", "x", "--scale", "-1"], "--scale must be a number, 0 or more; got '-1'"),
    (["draw", "x", "-o", "x.PNG"], "x.PNG: pictures are SVG; expected a name that ends in .svg"),
    (["best", "lattices.plf", "--symbols", "symbols"], "lattices.plf: is plf; symbols require openfst"),
    (["best", "lattices.plf", "--labels", "input"], "lattices.plf: is plf; labels require openfst"),
    (["sample", "x", "--seed", "-1"], "--seed must be a whole number, 0 or more"),
    (["stats", "x", "-w", "20"], "--width must be a whole number from 0 to 15; got '20'"),
    (
        ["best", "x", "--scores-are", "logs"],
        "must be one of log, prob, cost; got 'logs'; did you mean 'log'?",
    ),
    (["best", "lattices.plf", "-o", "lattices.plf"], "--output: lattices.plf is one of the files to read"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_usage(command, lattices, arguments, message):
    (lattices / "symbols").write_text("<eps> 0\na 1\n", encoding="utf-8")
    status, out, err = command(*arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_folders_that_cannot_be_written(command, lattices):
    (lattices / "file").touch()
    for name in ("file/", "file/below/"):
        status, out, err = command("convert", LATTICES, "--to", "plf", "-o", name)
        assert (status, out) == (1, "")
        assert err.startswith(f"tricolore: {name}: cannot be written (")


@pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX")
@pytest.mark.parametrize("name", [LATTICES, "weights", "symbols", "refs"])
@pytest.mark.parametrize("how", ["name", "symlink", "hardlink"])
def test_nothing_is_written_over_what_is_read(lattices, capsys, name, how):
    """Whatever it is called, and before anything is read."""
    for other in ("weights", "symbols", "refs"):
        (lattices / other).write_text("precious")
    before = (lattices / name).read_bytes()
    target = name if how == "name" else "link"
    if how == "symlink":
        (lattices / "link").symlink_to(name)
    if how == "hardlink":
        os.link(name, "link")
    options = ["--weights", "weights", "--symbols", "symbols", "-o", target]
    asked = [
        ["lattice", "best", LATTICES],
        ["oracle", "--lattice", LATTICES, "--refs", "refs"],
        ["mbr", "--lattice", LATTICES, "--refs", "refs"],
    ]
    for words in asked[name == "refs" :]:
        assert run([*words, *options]) == 2
        assert capsys.readouterr().err == (
            f"tricolore: --output: {target} is one of the files to read; name another file\n"
        )
        assert (lattices / name).read_bytes() == before


def test_bad_data_leaves_no_file(command, lattices):
    (lattices / "bad.plf").write_text("((('a', 0, 1),),)\n(((oops\n", encoding="utf-8")
    for arguments in (["best"], ["kbest"], ["convert", "--to", "openfst"], ["stats"]):
        status, _, err = command(*arguments, "bad.plf", "-o", "out.txt")
        assert status == 1
        assert err.startswith("tricolore: bad.plf: line 2: column 3: expected ('word', score, distance)")
        assert not (lattices / "out.txt").exists()
    before = sorted(lattices.rglob("*"))
    assert command("convert", "bad.plf", "--to", "openfst", "-o", "new/")[0] == 1
    assert sorted(lattices.rglob("*")) == before
    (lattices / "old").mkdir()
    (lattices / "old" / "000000.fst.txt").write_text("kept")
    assert command("convert", "bad.plf", "--to", "openfst", "-o", "old")[0] == 1
    assert [path.name for path in (lattices / "old").iterdir()] == ["000000.fst.txt"]
    assert (lattices / "old" / "000000.fst.txt").read_text() == "kept"
    assert command("best", "none.plf")[::2] == (1, "tricolore: none.plf: no such file\n")


def test_the_best_paths_of_fisher(command, shared, lines):
    folder = shared / "data/lattices/fisher-test-es"
    _, out, _ = command("best", folder / "lattices.plf.gz")
    best = lines("lattices/fisher-test-es/asr_1best.txt")
    same = sum(one == other for one, other in zip(out.splitlines(), best, strict=True) if one)
    assert same == 1482


def test_more_paths_than_can_be_counted(command, lattices, monkeypatch):
    monkeypatch.setattr("tricolore.graphs.graph.MOST_BITS", 100)
    (lattices / "long.plf").write_text("(" + "(('a',0,1),('b',0,1),)," * 1000 + ")\n")
    status, out, _ = command("stats", "long.plf", "-f", "json")
    assert status == 0
    assert '"paths": null' in out
    assert json.loads(re.search(r'"log10_paths": ([\d.]+)', out).group(1)) == pytest.approx(1000 * math.log10(2))
    status, out, _ = command("stats", "long.plf")
    assert "~1e301 " in out


def test_features_without_a_weight_are_named_once(command, lattices):
    arcs = "((('a', x=-1, y=2, 1), ('b', x=-2, y=1, 1)),)\n"
    (lattices / "features.plf").write_text(arcs * 2, encoding="utf-8")
    (lattices / "weights").write_text("x= 1\n", encoding="utf-8")
    status, out, err = command("best", "features.plf", "--weights", "weights")
    assert (status, out) == (0, "a\na\n")
    assert err == "tricolore: weights: no weight for 1 feature of features.plf: line 1 ('y'), taken as 0\n"
    assert command("best", "features.plf", "--weights", "weights", "-q")[2] == ""


def test_tables_of_one_file_do_not_repeat_its_name(command, lattices):
    _, out, _ = command("stats", LATTICES)
    assert out.splitlines()[2].startswith("line 1 ")
    _, out, _ = command("stats", LATTICES, "-f", "tsv")
    assert out.splitlines()[1].startswith(f"{LATTICES}: line 1\t")
