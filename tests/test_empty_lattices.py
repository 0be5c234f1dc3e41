"""Nothing where a lattice is expected, as recognisers write it where they hear no words: the lattice of no words."""

import gzip
import math
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_graph_formats import FOREST_FORMATS, assert_same, lattices, read, texts_of, write

from tricolore import BLEU, References, read_graphs
from tricolore.cli import run
from tricolore.errors import InputError, SpecError
from tricolore.graphs import Forest, Lattice
from tricolore.graphs.approximate_oracle import ApproximateOracle
from tricolore.graphs.drawing import draw
from tricolore.graphs.formats import FORMATS, written
from tricolore.graphs.ngram_table import NgramGain, NgramTable
from tricolore.weights import Weights

CDEC = (
    '{"rules":[1,"[X] ||| a ||| WORD"],"features":["Score"],'
    '"edges":[{"tail":[],"feats":[0,-0.5],"rule":1}],"node":{"in_edges":[0],"cat":"X"}}\n'
)
MOSES = "# target ||| features ||| source-covered\n1 1\n1\nWORD ||| Score=-0.5 ||| 1\n"
SLF = "VERSION=1.0\nUTTERANCE=u\nN=2 L=1\nI=0\nI=1\nJ=0 S=0 E=1 W=WORD a=-0.5 l=0\n"

#: What nothing looks like: the format, a graph that says "one", nothing, a graph that says "two", where nothing is.
NOTHING = {
    "plf": ("plf", "((('one', -0.5, 1),),)\n", "\n", "((('two', -0.5, 1),),)\n", "line 2"),
    "plf: spaces": ("plf", "((('one', -0.5, 1),),)\n", " \t \r\n", "((('two', -0.5, 1),),)\n", "line 2"),
    "plf: wrapped": (
        "plf",
        "<seg id='1'>((('one', -0.5, 1),),)</seg>\n",
        "<seg id='2'> </seg>\n",
        "<seg id='3'>((('two', -0.5, 1),),)</seg>\n",
        "line 2",
    ),
    "openfst": ("openfst", "0 1 one 0.5\n1\n\n", "\n", "0 1 two 0.5\n1\n\n", "line 4"),
    "openfst: named": ("openfst", "u1\n0 1 one 0.5\n1\n\n", "u2\n\n", "u3\n0 1 two 0.5\n1\n\n", "u2"),
    "htk": ("htk", SLF.replace("WORD", "one"), "VERSION=1.0\nUTTERANCE=v\nN=0 L=0\n", SLF.replace("WORD", "two"), "v"),
    "htk: ended": ("htk", f"{SLF.replace('WORD', 'one')}.\n", ".\n", f"{SLF.replace('WORD', 'two')}.\n", "line 8"),
    "wordgraph": (
        "wordgraph",
        "# sentence 0 initial_score 0 finals 1\n0 1 -0.5 0-0 one\n",
        "# sentence 1 initial_score 0 finals\n",
        "# sentence 2 initial_score 0 finals 1\n0 1 -0.5 0-0 two\n",
        "line 3",
    ),
    "confusion": ("confusion", "one 0.6065306597126334\n\n", "\n", "two 0.6065306597126334\n\n", "line 3"),
    "cdec": ("cdec", CDEC.replace("WORD", "one"), "{}\n", CDEC.replace("WORD", "two"), "hypergraph 1"),
    "cdec: no nodes": (
        "cdec",
        CDEC.replace("WORD", "one"),
        '{"rules":[],"features":["Score"]}\n',
        CDEC,
        "hypergraph 1",
    ),
    "moses": (
        "moses",
        MOSES.replace("WORD", "one"),
        "# target ||| features ||| source-covered\n0 0\n",
        MOSES.replace("WORD", "two"),
        "line 5",
    ),
}


@pytest.mark.parametrize("case", NOTHING)
@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (0, 2, 1), (1, 1, 2), (1, 1, 1)])
def test_nothing_is_a_graph_of_no_words(tmp_path, case, order):
    """One graph each, wherever nothing stands, so that references stay beside what they are of."""
    name, *texts, _ = NOTHING[case]
    texts[2] = texts[2].replace("WORD", "two")
    if name == "wordgraph":  # which are numbered
        texts = [text.split(" ", 3)[3] for text in texts]
        text = "".join(f"# sentence {i} {texts[one]}" for i, one in enumerate(order))
    else:
        text = "".join(texts[one] for one in order)
    found = read(tmp_path, text, format=name)
    expected = [("one", -0.5), ("", 0.0), ("two", -0.5)]
    best = [graph.best() for graph in found]
    assert [path.text for path in best] == [expected[one][0] for one in order]
    assert [path.score for path in best] == pytest.approx([expected[one][1] for one in order])
    assert [graph.count() for graph in found] == [1] * len(order)


@pytest.mark.parametrize("case", NOTHING)
def test_nothing_is_refused_where_that_is_asked_for(tmp_path, case):
    name, *texts, place = NOTHING[case]
    path = write(tmp_path, "".join(texts))
    graphs = read_graphs(path, format=name, empty="refuse")
    assert next(graphs).best().text == "one"
    with pytest.raises(InputError) as caught:
        next(graphs)
    what = "forest" if name in FOREST_FORMATS else "lattice"
    assert str(caught.value).startswith(f"{path}: {place}: an empty {what} (")
    assert str(caught.value).endswith("); expected words (empty='accept' accepts it)")


@pytest.mark.parametrize("name", FORMATS)
def test_what_says_that_there_are_no_words_is_never_refused(tmp_path, name):
    """As it is written here; only nothing at all is."""
    graphs = [Lattice.of([], 0, [0]), Lattice.of([(0, 1, "a", -0.5)], 0, [1]), Lattice.of([], 0, [0])]
    for graph, found in zip(
        graphs, read(tmp_path, "".join(written(graphs, name)), format=name, empty="refuse"), strict=True
    ):
        assert_same(found, graph)


def test_unknown_rules_are_refused():
    with pytest.raises(SpecError, match="empty must be one of accept, refuse; got 'accep'; did you mean 'accept'"):
        read_graphs([], empty="accep")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("wordgraph", "# sentence 0 initial_score 0 finals\n0 1 0 0-0 a\n", "line 1: there is no final state"),
        ("cdec", '{"edges":[{"rule":"[X] ||| a ||| b"}]}', "edge 0 is in no node"),
        ("moses", "# target ||| features ||| source-covered\n0 2\n", "has 0 edges; its header declares 2"),
        ("htk", "VERSION=1.0\n", "ends before the sizes"),
        ("htk", "N=0 L=1\n", "ends after 0 of 1 links"),
        ("htk", "N=2 L=0\n", "there are 0 nodes that no link leads to"),
        ("htk", "# only a comment\n", "there is no lattice or forest in it"),
        ("cdec", "\n\n", "there is no lattice or forest in it"),
        ("plf", "", "the file is empty"),
        ("plf", "((),)\n", "no path leads from the start to a final state"),
    ],
)
def test_what_is_cut_short_is_not_empty(tmp_path, name, text, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, text, format=name)


def test_files_of_nothing_but_empty_lines(tmp_path):
    assert [graph.states for graph in read_graphs(write(tmp_path, "\n\n \n", "x.plf"))] == [1, 1, 1]
    assert [graph.states for graph in read(tmp_path, "\n\n", format="confusion")] == [1, 1]
    with pytest.raises(InputError, match=r"graph: has only empty lines; name the format with format='FORMAT' \(plf"):
        read(tmp_path, "\n\n")


def test_empty_machines_alone_may_be_confusion_networks(tmp_path):
    """A final state and its cost look like a word and its probability."""
    text = "".join(written([Lattice.of([], 0, {0: -0.5})] * 2, "openfst"))
    with pytest.raises(InputError, match="may be openfst or confusion; name the format"):
        read(tmp_path, text)
    assert [texts_of(graph) for graph in read_graphs(write(tmp_path, text, "x.fst.txt"))] == [[((), -0.5)]] * 2


def test_places(tmp_path):
    path = write(tmp_path, "((('a', 0, 1),),)\n\n()\n")
    assert [graph.place for graph in read_graphs(path)] == [f"{path}: line {i}" for i in (1, 2, 3)]
    path = write(tmp_path, "\n\nu1\n0 1 a 0.5\n1\n\nu2\n")
    assert [graph.place for graph in read_graphs(path, format="openfst")] == [
        f"{path}: {place}" for place in ("line 1", "line 2", "u1", "u2")
    ]


SIMPLE = st.sampled_from(["a", "b", "cat's", "ü"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("empty")


@given(graphs=st.lists(st.none() | lattices(SIMPLE), min_size=1, max_size=6), blank=st.sampled_from(["", " ", "\t\r"]))
@pytest.mark.parametrize("name", ["plf", "openfst"])
def test_empty_lines_leave_the_others_as_they_are(folder, name, graphs, blank):
    """A file with empty lines is the file without, and an empty lattice for each of them where it stands."""
    end = "\n" if name == "openfst" else ""
    parts = [f"{blank}\n" if graph is None else "".join(written(graph, name)) + end for graph in graphs]
    found = read(folder, "".join(parts), format=name)
    without = [part for part, graph in zip(parts, graphs, strict=True) if graph is not None]
    others = iter(read(folder, "".join(without), format=name) if without else [])
    for graph, given_graph in zip(found, graphs, strict=True):
        if given_graph is None:
            assert texts_of(graph) == [((), 0.0)]
        else:
            assert texts_of(graph) == texts_of(next(others))
            assert_same(graph, given_graph)


@given(columns=st.lists(st.none() | st.lists(SIMPLE, min_size=1, max_size=3), min_size=1, max_size=8))
def test_empty_lines_end_confusion_networks(folder, columns):
    """A line a column, None for an empty line."""
    text = "".join("\n" if one is None else " ".join(f"{word} 0.25" for word in one) + "\n" for one in columns)
    networks, now = [], []
    for one in columns:
        if one is None:
            networks.append(now)
            now = []
        else:
            now.append(one)
    networks += [now] if now else []
    found = read(folder, text, format="confusion")
    assert [graph.states for graph in found] == [1 + len(network) for network in networks]
    assert [graph.count() for graph in found] == [math.prod(map(len, network)) for network in networks]


# What can be asked of them ----------------------------------------------------------------------------------

EMPTY = [
    Lattice.of([], 0, [0], place="it"),
    Lattice.of([(0, 1, None)], 0, [1], place="it"),
    Forest.of([("S", [])], "S", place="it"),
    Forest.of_lattice(Lattice.of([], 0, [0], place="it")),
]


@pytest.mark.parametrize("graph", EMPTY, ids=["state", "epsilon", "forest", "lattice as forest"])
class TestOperations:
    def test_paths(self, graph):
        assert graph.count() == 1
        for path in (graph.best(), *graph.kbest(3), *graph.kbest(3, distinct=False), *graph.paths()):
            assert (path.words, path.text, path.score) == ((), "", 0.0)
        assert len(graph.kbest(3)) == len(graph.kbest(3, distinct=False)) == len(graph.paths()) == 1
        assert [path.text for path in graph.sample(4, seed=1, scale=0.5)] == [""] * 4

    def test_sums(self, graph):
        assert graph.total() == graph.total(0.3) == 0.0
        assert graph.posteriors().tolist() == [1.0] * len(graph)
        assert dict(graph.expected_ngrams()) == dict(graph.ngram_posteriors()) == {}

    def test_rescoring(self, graph):
        gain = NgramGain(NgramTable.of({("a",): 1.0, ("a", "b"): 0.5}), word=-0.25)
        found = graph.rescored(gain, model=0.5).best()
        assert (found.text, found.score) == ("", 0.0)
        assert graph.with_scores(graph.scores).best().text == ""
        if not len(graph):
            assert graph.weighted(Weights({"x": (1.0,)})) is graph

    @pytest.mark.parametrize("metric", ["wer", "wrr", "grr", "grr(order=2, alpha=0.5)", "bleu", "chrf", "ter"])
    @pytest.mark.parametrize("references", ["", "a cat", ["a cat", "the dog sat"], ["", "a"]])
    def test_oracles(self, graph, metric, references):
        found = graph.oracle(references, metric)
        assert (str(found), found.path.words) == ("", ())

    @pytest.mark.parametrize("corpus", [True, False])
    def test_approximate_oracle_of_a_corpus(self, graph, corpus):
        other = Lattice.of([(0, 1, "a"), (0, 1, "the"), (1, 2, "cat")], 0, [2])
        oracle = ApproximateOracle(BLEU(order=2), corpus=corpus, size=2)
        found = oracle.choose([graph, other, graph], References(["a cat", "the cat", ""]))
        assert [path.text for path in found.paths] == ["", "the cat", ""]

    def test_mbr(self, graph):
        choice = graph.mbr(scale=0.5)
        assert (choice.text, choice.gain) == ("", 0.0)
        assert graph.mbr(least=0.1, order=2).text == ""

    def test_pictures(self, graph):
        for options in ({}, {"best": False}, {"prune": 1}, {"width": 100}):
            assert ET.fromstring(draw(graph, **options)).tag.endswith("svg")
        assert "best: ε" in draw(graph)
        assert 'class="node best"' in draw(graph)
        assert 'class="node best"' not in draw(graph, best=False)
        assert graph._repr_svg_() == draw(graph)

    @pytest.mark.parametrize("name", FORMATS)
    def test_written_and_read_again(self, graph, name, tmp_path):
        if isinstance(graph, Forest) and name not in FOREST_FORMATS:
            with pytest.raises(InputError, match=f"it: is a forest, which {name} cannot hold"):
                [*written(graph, name)]
            return
        text = "".join(written([graph, graph], name))
        found = read(tmp_path, text, format=name, empty="refuse")
        assert [texts_of(one) for one in found] == [[((), 0.0)]] * 2


@pytest.mark.parametrize(("name", "score"), [("plf", 2.0), ("htk", 2.0), ("openfst", 2.0)])
def test_the_score_of_a_final_state_is_kept(tmp_path, name, score):
    graph = Lattice.of([], 0, {0: score})
    (found,) = read(tmp_path, "".join(written(graph, name)), format=name)
    assert texts_of(found) == [((), score)]


def test_weights_leave_empty_lattices_as_they_are(tmp_path):
    """Of files whose other lattices have features."""
    weights = {"Score0": 1.0, "Score1": 0.5}
    text = "((('a', 1, 2, 1),),)\n\n()\n((('b', 3, 4, 1),),)\n"
    assert [graph.best().score for graph in read(tmp_path, text, weights=weights)] == [2.0, 0.0, 0.0, 5.0]
    kaldi = "u1\n0 1 a 1,2\n1\n\nu2\n\nu3\n0\n\nu4\n0 1 b 3,4\n1\n\n"
    found = read(tmp_path, kaldi, weights={"graph": 1.0, "acoustic": 0.5})
    assert [graph.best().score for graph in found] == [-2.0, 0.0, 0.0, -5.0]
    for name in ("cdec", "moses", "htk"):
        _, first, nothing, last, _ = NOTHING[name]
        key = "acoustic" if name == "htk" else "Score"
        found = read(tmp_path, first + nothing + last.replace("WORD", "two"), format=name, weights={key: 2.0})
        assert [graph.best().score for graph in found] == [-1.0, 0.0, -1.0]


# The commands -----------------------------------------------------------------------------------------------


@pytest.fixture
def command(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "((('a', -1, 1),),)\n\n((('b', -0.5, 1),('c', -0.2, 1),),)\n\n", "x.plf")
    write(tmp_path, "a\n\nc\nd\n", "ref")

    def call(*arguments):
        status = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


LINES = [
    ("lattice", "best", "x.plf"),
    ("oracle", "--lattice", "x.plf", "--refs", "ref", "-m", "wer"),
    ("oracle", "--lattice", "x.plf", "--refs", "ref", "-m", "grr"),
    ("oracle", "--lattice", "x.plf", "--refs", "ref", "-m", "bleu"),
    ("oracle", "--lattice", "x.plf", "--refs", "ref", "-m", "chrf", "--corpus"),
    ("mbr", "--lattice", "x.plf"),
    ("mbr", "--lattice", "x.plf", "--refs", "ref", "--scales", "0.5", "1"),
    ("mbr", "--lattice", "x.plf", "--refs", "ref", "--estimate", "--order", "1"),
]


@pytest.mark.parametrize("words", LINES, ids=" ".join)
def test_commands_write_a_line_for_each_lattice(command, words):
    status, out, err = command(*words)
    assert (status, out) == (0, "a\n\nc\n\n"), err


@pytest.mark.parametrize(
    "words",
    [
        *LINES,
        *(("lattice", verb, "x.plf") for verb in ("stats", "kbest", "sample")),
        ("lattice", "convert", "x.plf", "--to", "openfst"),
        ("lattice", "draw", "x.plf", "-n", "2"),
    ],
    ids=" ".join,
)
def test_commands_refuse_empty_lattices_where_that_is_asked_for(command, words, tmp_path):
    before = sorted(tmp_path.iterdir())
    status, out, err = command(*words, "--empty", "refuse", "-o", "out")
    assert (status, out) == (1, "")
    assert err == (
        "tricolore: x.plf: line 2: an empty lattice (an empty line); expected words (--empty accept accepts it)\n"
    )
    assert sorted(tmp_path.iterdir()) == before


def test_lists_of_empty_lattices_are_read(command):
    for verb in ("kbest", "sample"):
        status, _, err = command("lattice", verb, "x.plf", "-o", "list")
        assert (status, err) == (0, "")
        assert command("rerank", "--nbest", "list", "-q")[:2] == (0, "a\n\nc\n\n")


def test_stats_and_pictures(command):
    _, out, _ = command("lattice", "stats", "x.plf", "-f", "tsv")
    assert out.splitlines()[2].split("\t") == ["x.plf: line 2", "1", "0", "0", "0", "1", "", "0.0"]
    status, out, _ = command("lattice", "draw", "x.plf", "-n", "4")
    assert status == 0
    assert ET.fromstring(out).tag.endswith("svg")


@pytest.mark.parametrize("name", FORMATS)
def test_converted(command, name):
    """There and back, the same lines."""
    assert command("lattice", "convert", "x.plf", "--to", name, "-o", "out/")[0] == 0
    paths = [f"out/{i:06}{FORMATS[name].suffix}" for i in range(4)]
    assert command("lattice", "best", *paths, "--from", name)[:2] == (0, "a\n\nc\n\n")
    assert "weights" not in command("lattice", "best", paths[1], "--from", name)[2]


def test_only_for_lattices(command):
    status, _, err = command("oracle", "--nbest", "x", "--refs", "ref", "--empty", "accept")
    assert (status, err) == (2, "tricolore: --empty is for lattices; name some with --lattice\n")


@pytest.mark.slow
def test_empty_lines_of_a_recogniser(command, shared, tmp_path, lines):
    """Fisher's lattices as its recogniser wrote them, with empty lines where the file here has ()."""
    text = gzip.decompress((shared / "data/lattices/fisher-test-es/lattices.plf.gz").read_bytes()).decode()
    blank = [i for i, line in enumerate(text.splitlines()) if line == "()"]
    assert len(blank) == 5
    write(tmp_path, text, "brackets.plf")
    write(tmp_path, text.replace("\n()\n", "\n\n"), "blank.plf")
    write(tmp_path, "\n".join(lines("lattices/fisher-test-es/asr_1best.txt")) + "\n", "ref.es")
    for words in (("lattice", "best"), ("oracle", "-m", "wer", "--refs", "ref.es", "--lattice")):
        status, out, err = command(*words, "blank.plf")
        assert (status, out, err) == command(*words, "brackets.plf")
        assert status == 0
        assert out.count("\n") == 1500
        assert [i for i, line in enumerate(out.split("\n")[:-1]) if not line] == blank
