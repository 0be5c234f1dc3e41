"""Files of lattices and forests: what is read, what is written and read again, what is refused."""

import gzip
import math
import re
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.cli import graph_options
from tricolore.errors import InputError, SpecError
from tricolore.graphs import Forest, Lattice, Node
from tricolore.graphs.formats import EMPTY, FORMATS, LABELS, SCALES, read_graphs, written
from tricolore.weights import Weights

LATTICE_FORMATS = ("plf", "openfst", "htk", "wordgraph")
FOREST_FORMATS = ("cdec", "moses")

NUMBERS = st.floats(-1e4, 1e4) | st.sampled_from([0.0, -0.5, 1.0, -1e-300, 1e300])
WORDS = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp")) | st.sampled_from("'\"\\()[],|=#<>0123456789"),
    min_size=1,
    max_size=4,
)


@st.composite
def lattices(draw, words=WORDS):
    """Small lattices with arcs forward, some without a word, and any final states; none without a path."""
    states = draw(st.integers(1, 5))
    arcs = []
    for source in range(states - 1):
        for _ in range(draw(st.integers(1, 3))):
            target = draw(st.integers(source + 1, states - 1))
            arcs.append((source, target, draw(words | st.none()), draw(NUMBERS)))
    finals = {states - 1: draw(NUMBERS)}
    for state in draw(st.sets(st.integers(0, states - 1), max_size=2)):
        finals[state] = draw(NUMBERS)
    return Lattice.of(arcs, 0, finals)


@st.composite
def forests(draw, words=WORDS):
    """Small forests, whose nodes are made of those before."""
    nodes = draw(st.integers(1, 4))
    edges = []
    for node in range(nodes):
        items = words | st.builds(Node, st.integers(0, node - 1)) if node else words
        for _ in range(draw(st.integers(1, 2))):
            edges.append((node, draw(st.lists(items, max_size=3)), draw(NUMBERS)))
    return Forest.of(edges, nodes - 1)


def lattice_paths(lattice):
    """The words and the score of every path, by following the arcs."""
    found = [(state, (), 0.0) for state in (0,)]
    done = []
    while found:
        state, words, score = found.pop()
        if lattice.finals[state] > -np.inf:
            done.append((words, score + float(lattice.finals[state])))
        for i in np.flatnonzero(lattice.sources == state):
            label = lattice.labels[i]
            more = () if label < 0 else (lattice.words[label],)
            found.append((int(lattice.targets[i]), words + more, score + float(lattice.scores[i])))
    return sorted(done)


def forest_derivations(forest):
    """The words and the score of every derivation, from the leaves on."""
    of_node = defaultdict(list)
    for i, head in enumerate(forest.heads.tolist()):
        partial = [((), float(forest.scores[i]))]
        for item in forest.items[forest.starts[i] : forest.starts[i + 1]].tolist():
            choices = [((forest.words[item],), 0.0)] if item >= 0 else of_node[~item]
            partial = [(words + more, score + extra) for words, score in partial for more, extra in choices]
        of_node[head] += partial
    return sorted(of_node[forest.nodes - 1])


def texts_of(graph):
    return lattice_paths(graph) if isinstance(graph, Lattice) else forest_derivations(graph)


def assert_same(found, expected):
    """The same texts with the same scores, but for the order of sums."""
    by_words = [defaultdict(list), defaultdict(list)]
    for table, graph in zip(by_words, (found, expected), strict=True):
        for words, score in texts_of(graph):
            table[words].append(score)
    assert by_words[0].keys() == by_words[1].keys()
    for words, scores in by_words[0].items():
        assert sorted(scores) == pytest.approx(sorted(by_words[1][words]), rel=1e-9, abs=1e-9)


def write(tmp_path, text, name="graph"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def read(tmp_path, text, **how):
    return [*read_graphs(write(tmp_path, text), **how)]


def one(tmp_path, text, **how):
    (graph,) = read(tmp_path, text, **how)
    return graph


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("graphs")


def again(folder, graphs, name, **how):
    """Write and read."""
    return read(folder, "".join(written(graphs, name)), format=name, **how)


def holds(name, word):
    """Whether a format can hold a word."""
    if name in FOREST_FORMATS:
        bracketed = re.fullmatch(r"\[([^\[\]\s,]+,)?[0-9]+\]", word)
        no_word = name == "moses" and word in ("<s>", "</s>")
        return "|||" not in word and not bracketed and not no_word and len(word.split()) == 1
    return name == "plf" or word.split() == [word]


@pytest.mark.parametrize("name", LATTICE_FORMATS)
@given(lattice=lattices())
def test_lattices_are_read_as_they_were_written(folder, name, lattice):
    if not all(holds(name, word) for word in lattice.words):
        return
    (found,) = again(folder, lattice, name, symbols="words")
    assert_same(found, lattice)


@given(lattice=lattices(), name=st.sampled_from(FOREST_FORMATS))
def test_lattices_are_written_as_forests(folder, name, lattice):
    assert_same(Forest.of_lattice(lattice), lattice)
    if all(holds(name, word) for word in lattice.words):
        (found,) = again(folder, lattice, name)
        assert isinstance(found, Forest)
        assert_same(found, lattice)


@pytest.mark.parametrize("name", FOREST_FORMATS)
@given(forest=forests())
def test_forests_are_read_as_they_were_written(folder, name, forest):
    if not all(holds(name, word) for word in forest.words):
        return
    (found,) = again(folder, forest, name)
    assert_same(found, forest)


@given(
    st.lists(st.lists(st.tuples(WORDS | st.none(), st.floats(1e-3, 1)), min_size=1, max_size=3), min_size=1, max_size=4)
)
def test_confusion_networks_are_read_as_they_were_written(folder, columns):
    arcs = [(i, i + 1, word, math.log(p)) for i, column in enumerate(columns) for word, p in column]
    lattice = Lattice.of(arcs, 0, {len(columns): -0.25})
    if not all(word.split() == [word] for word in lattice.words):
        return
    (found,) = again(folder, lattice, "confusion")
    assert_same(found, lattice)


@pytest.mark.parametrize("name", [*LATTICE_FORMATS, "confusion", *FOREST_FORMATS])
def test_several_graphs_in_one_file(tmp_path, name):
    graphs = [
        Lattice.of([(0, 1, "a", -0.5), (1, 2, "cat", -0.25)], 0, [2]),
        Lattice.of([], 0, [0]),
        Lattice.of([(0, 1, "a", -0.5), (0, 1, None, -2.0)], 0, [1]),
    ]
    found = again(tmp_path, graphs, name)
    assert len(found) == 3
    for graph, expected in zip(found, graphs, strict=True):
        assert_same(graph, expected)
    # And without being told what it is, unless it could be something else.
    if name != "confusion":
        assert len(read(tmp_path, "".join(written(graphs, name)))) == 3


def test_several_files_are_one_corpus(tmp_path):
    paths = [write(tmp_path, f"((('{word}', 0, 1),),)\n", f"{word}.plf") for word in "abc"]
    told = []
    graphs = [*read_graphs(paths, progress=told.append)]
    assert [graph.words for graph in graphs] == [("a",), ("b",), ("c",)]
    assert told == [1, 2, 3]
    assert graphs[1].place == f"{paths[1]}: line 1"


def test_the_command_knows_the_same_names():
    assert tuple(FORMATS) == graph_options.FORMATS
    assert graph_options.SCALES == SCALES
    assert graph_options.LABELS == LABELS
    assert graph_options.EMPTY == EMPTY


# --- each format by its peculiarities


def test_plf_quotes_commas_and_spaces(tmp_path):
    text = r"""( ( ( "l'été", -0.5 , 1 , ) , ( 'a\'b\\c' ,-1e-1,2) ) , (('*EPS*', 0, 1),('', -3, 1)), ) """
    lattice = one(tmp_path, text)
    assert texts_of(lattice) == [(("a'b\\c",), -0.1), (("l'été",), -3.5), (("l'été",), -0.5)]
    assert texts_of(one(tmp_path, "<seg id='3'> ((('a', 0, 1),),) </seg>")) == [(("a",), 0.0)]
    assert texts_of(one(tmp_path, "()")) == [((), 0.0)]


def test_plf_scores(tmp_path):
    text = "((('a', 0.5, 1),),)"
    assert texts_of(one(tmp_path, text))[0][1] == 0.5
    assert texts_of(one(tmp_path, text, scores="prob"))[0][1] == pytest.approx(math.log(0.5))
    assert texts_of(one(tmp_path, text, scores="cost"))[0][1] == -0.5
    weights = Weights({"Score0": (1.0,), "Score1": (2.0,), "tag": (10.0,)})
    several = "((('a', 0.5, 0.25, tag=3, 1), ('b', 1, 1, 1)),)"
    found = one(tmp_path, several, weights=weights)
    assert texts_of(found) == [(("a",), 31.0), (("b",), 3.0)]
    assert found.layout.labels == ("Score0", "Score1", "tag")
    found = one(tmp_path, several, weights=weights, scores="prob")
    assert dict(texts_of(found))[("a",)] == pytest.approx(math.log(0.5) + 2 * math.log(0.25) + 30)


def test_openfst_acceptors_and_transducers(tmp_path):
    acceptor = "3 1 a 0.5\n3 1 <eps>\n1 2 cat 0.25\n2 1.0\n1 inf\n"
    assert texts_of(one(tmp_path, acceptor)) == [(("a", "cat"), -1.75), (("cat",), -1.25)]
    transducer = "0 1 un a 0.5\n1 2 chat cat\n2\n"
    assert texts_of(one(tmp_path, transducer)) == [(("a", "cat"), -0.5)]
    assert texts_of(one(tmp_path, transducer, labels="input")) == [(("un", "chat"), -0.5)]
    numbers = "0 1 4 5 0.5\n1 2 6 0\n2\n"
    symbols = write(tmp_path, "<eps> 0\na 4\nb\t5\nc 6\n", "symbols")
    assert texts_of(one(tmp_path, numbers, symbols=symbols)) == [(("b",), -0.5)]
    assert texts_of(one(tmp_path, numbers, symbols=symbols, labels="input")) == [(("a", "c"), -0.5)]
    assert texts_of(one(tmp_path, numbers, symbols="words")) == [(("5", "0"), -0.5)]
    assert texts_of(one(tmp_path, "0 1 a 2\n1\n", labels="acceptor")) == [(("a",), -2.0)]
    assert texts_of(one(tmp_path, "0 1 a 2\n1\n", labels="output", symbols="words")) == [(("2",), 0.0)]
    assert texts_of(one(tmp_path, "5\n", format="openfst")) == [((), 0.0)]


def test_openfst_archives_of_kaldi(tmp_path):
    text = "utt-1 \n0 1 a 1.5,2.0,3_4_5\n0 1 b 1.0,2.0\n1 0.5,0.25,\n\nutt-2 \n0 1 c\n1\n\n"
    first, second = read(tmp_path, text)
    assert texts_of(first) == [(("a",), -4.25), (("b",), -3.75)]
    assert first.layout.labels == ("graph", "acoustic")
    assert first.place.endswith("graph: utt-1")
    assert texts_of(second) == [(("c",), 0.0)]
    weights = Weights({"graph": (1.0,), "acoustic": (0.1,)})
    (found,) = read(tmp_path, text.split("\n\n")[0], weights=weights)
    assert dict(texts_of(found))[("a",)] == pytest.approx(-1.5 - 0.2 - 0.5 - 0.025)


SLF = """VERSION=1.0
UTTERANCE=take-1
base=10
lmscale=2.0 wdpenalty=-0.5 acscale=0.1
# a comment
N=3 L=3
I=0 t=0.00
I=1 t=0.36 W=node
I=2 t=0.75 W=!NULL
J=0 S=0 E=1 v=0 a=-30 l=-1
J=1 S=0 E=1 W="it\\'s" a=-40 l=-2 d=:a,0.1:
J=2 S=1 E=2 a=-1 l=-4
"""


def test_htk_words_on_nodes_and_links(tmp_path):
    lattice = one(tmp_path, SLF)
    ten = math.log(10)
    assert texts_of(lattice) == [
        (("it's",), pytest.approx((0.1 * -41 + 2 * -6 - 0.5) * ten)),
        (("node",), pytest.approx((0.1 * -31 + 2 * -5 - 0.5) * ten)),
    ]
    assert lattice.place.endswith("graph: take-1")
    assert lattice.layout.labels == ("acoustic", "lm", "words")
    found = one(tmp_path, SLF, weights=Weights({"acoustic": (0.0,), "lm": (1.0,), "words": (7.0,)}))
    assert dict(texts_of(found))[("node",)] == pytest.approx(-5 * ten + 7)
    linear = re.sub(r"\b([al])=-", r"\1=0.", SLF.replace("base=10", "base=0"))
    assert dict(texts_of(one(tmp_path, linear)))[("node",)] == pytest.approx(
        0.1 * (math.log(0.3) + math.log(0.1)) + 2 * (math.log(0.1) + math.log(0.4)) - 0.5
    )


def test_htk_first_nodes_long_names_and_bytes(tmp_path):
    text = (
        "VERSION=1.1\nNODES=3 LINKS=2\nx1scale=2\nI=0 W=so\nJ=0 START=0 END=1 W=caf\\303\\251 x1=-0.5\nJ=1 S=1 E=2\n.\n"
    )
    assert texts_of(one(tmp_path, text)) == [(("so", "café"), -1.0)]
    assert len(read(tmp_path, text + text)) == 2
    assert texts_of(one(tmp_path, "VERSION=1.0\nN=1 L=0\n")) == [((), 0.0)]
    assert texts_of(one(tmp_path, text, epsilon=["so"])) == [(("café",), -1.0)]


def test_htk_scores_of_other_models(tmp_path):
    # As Moses writes them: a score for each of its features, the scales after the sizes, each with a comment.
    text = (
        "UTTERANCE=Sentence_3\nVERSION=1.1\nbase=2.71828182845905\nNODES=3\nLINKS=2\n"
        "# LM LM 1 of 1\nx1scale=0.5\n# TM TM 1 of 2\nx2scale=2.0\n# TM TM 2 of 2\nx10scale=-1.0\n"
        "J=0 S=0 E=1 W=a x1=-1.5 x2=-0.25 x10=4.0 \nJ=1 S=1 E=2\n"
    )
    lattice = one(tmp_path, text)
    assert texts_of(one(tmp_path, f"# Header (generated by SRILM)\n{text}")) == texts_of(lattice)
    assert texts_of(lattice) == [(("a",), pytest.approx(-0.75 - 0.5 - 4.0))]
    assert lattice.layout.labels == ("acoustic", "lm", "x1", "x2", "x10", "words")
    # As SRILM reads them: what has no scale does not count, and nodes may have the scores of the links to them.
    text = "N=2 L=1\nprscale=3\nI=0\nI=1 a=-1 r=-2 ds=-4 x1=-8\nJ=0 S=0 E=1 W=a l=-16 x3=-32\n"
    assert texts_of(one(tmp_path, text)) == [(("a",), -1.0 - 3 * 2 - 16)]
    assert texts_of(one(tmp_path, f"duscale=0.5 x1scale=2 {text}")) == [(("a",), -1.0 - 3 * 2 - 16 - 2 - 16)]
    assert texts_of(one(tmp_path, text.replace("x3", "r=-1 x3"))) == [(("a",), -1.0 - 3 - 16)]


def test_word_graphs_have_chains_and_initial_scores(tmp_path):
    text = "# sentence 7 initial_score -2 finals 1 9\n0\t1\t-0.5\t0-0\ta small  cat\n1\t9\t-1\t1-2\t\n"
    text += "# sentence 8 initial_score 0 finals 0\n"
    first, second = read(tmp_path, text)
    assert texts_of(first) == [(("a", "small", "cat"), -3.5), (("a", "small", "cat"), -2.5)]
    assert first.states == 5
    assert first.place.endswith("graph: sentence 7")
    assert texts_of(second) == [((), 0.0)]
    (found,) = read(tmp_path, "# sentence 0 initial_score 0.5 finals 1\n0 1 0.25 0-0 a b\n", scores="prob")
    assert texts_of(found) == [(("a", "b"), pytest.approx(math.log(0.125)))]


def test_confusion_networks(tmp_path):
    text = "a 0.75 the 0.25\nsmall 0.5 *EPS* 0.5\n\nb 1.0\n\n"
    first, second = read(tmp_path, text)
    assert len(texts_of(first)) == 4
    assert dict(texts_of(first))[("the",)] == pytest.approx(math.log(0.125))
    assert second.place.endswith("line 4")


def test_moses_hypergraphs(tmp_path):
    text = (
        "# target ||| features ||| source-covered\n3 4\n# node 0\n1\n<s> |||  ||| 0\n# node 1\n2\n"
        "[0] the small  ||| LM0=-1.5 TM=x=-0.5  ||| 2\n[0] a ||| LM0=-2 ||| 2\n1\n[1] </s> |||  ||| 2\n"
    )
    forest = one(tmp_path, text)
    assert texts_of(forest) == [(("a",), 0.0), (("the", "small"), 0.0)]
    forest = one(tmp_path, text, weights=Weights({"LM0": (1.0,), "TM=x": (2.0,)}))
    assert texts_of(forest) == [(("a",), -2.0), (("the", "small"), -2.5)]
    assert_same(again(tmp_path, forest, "moses", weights=Weights({"LM0": (1.0,), "TM=x": (2.0,)}))[0], forest)


def cdec_text(**changes):
    parts = {
        "rules": '[1,"[X] ||| le ||| the",2,"[X] ||| chat [X,1] ||| [1] \\"cat\\" ||| f=1"]',
        "features": '["LM","Glue"]',
        "edge": '{"tail":[],"spans":[0,1,-1,-1],"feats":[0,-1.5],"rule":1}',
        "tail": "[0]",
        "in_edges": "[1]",
    } | changes
    return (
        f'{{"rules":{parts["rules"]},"features":{parts["features"]},"edges":[{parts["edge"]}],'
        '"node":{"in_edges":[0],"cat":"X"},\n'
        f'"edges":[{{"tail":{parts["tail"]},"feats":[0,-0.5,"Own",1],"rule":2}}],"node":{{"in_edges":{parts["in_edges"]}}}}}'
    )


def test_cdec_hypergraphs(tmp_path):
    forest = one(tmp_path, cdec_text(), weights=Weights({"LM": (2.0,), "Own": (0.25,)}))
    assert texts_of(forest) == [(("the", '"cat"'), -3.75)]
    assert forest.layout.labels == ("LM", "Glue", "Own")
    assert len(read(tmp_path, cdec_text() + "\n" + cdec_text() + '"\n')) == 2
    assert read(tmp_path, cdec_text() + cdec_text())[1].place.endswith("graph: hypergraph 1")
    edge = '{"tail":null,"feats":null,"rule":"[X] ||| le ||| la"}'
    assert texts_of(one(tmp_path, cdec_text(edge=edge))) == [(("la", '"cat"'), 0.0)]


def test_words_that_say_nothing(tmp_path):
    text = "((('<s>', 0, 1),),(('a', 0, 1),),)"
    assert texts_of(one(tmp_path, text)) == [(("<s>", "a"), 0.0)]
    assert texts_of(one(tmp_path, text, epsilon=["<s>", "</s>"])) == [(("a",), 0.0)]


# --- what is refused

BAD = {
    # PLF
    "plf: no bracket": ("plf", "('a', 0, 1)", r"line 1: column 2: expected '\(' at the beginning of a column"),
    "plf: cut short": ("plf", "((('a', 0, 1),),(('b', 0", r"line 1: column 18: expected \('word', score, distance\)"),
    "plf: no end": ("plf", "((('a', 0, 1),),", r"column 17: .*found the end of the line"),
    "plf: no comma": ("plf", "((('a', 0, 1)('b', 0, 1)),)", r"column 14: expected ',' or '\)' after an arc"),
    "plf: no comma between columns": ("plf", "((('a', 0, 1),)(('b', 0, 1),),)", "expected ',' or '\\)' after a column"),
    "plf: more": ("plf", "((('a', 0, 1),),) x", "column 19: expected the end of the line"),
    "plf: no distance": ("plf", "((('a', 1),),)", r"expected \('word', score, distance\)"),
    "plf: distance 0": ("plf", "((('a', 0, 0),),)", "expected a distance, a whole number above 0, found '0'$"),
    "plf: distance huge": ("plf", "((('a', 0, 99999999999),),)", "expected a distance"),
    "plf: distance beyond": ("plf", "((('a', 0, 2),),)", "state 0: 'a' has a distance of 2, .* expected at most 1"),
    "plf: score": ("plf", "((('a', x, 1),),)", "line 1: expected a score, a number, found 'x'"),
    "plf: nan": ("plf", "((('a', nan, 1),),)", "expected a score, a number, found 'nan'"),
    "plf: inf": ("plf", "((('a', inf, 1),),)", "expected a score below infinity, found inf"),
    "plf: two scores": ("plf", "((('a', 0, 0, 1),),)", "several scores per arc; expected one, or weights"),
    "plf: escape": ("plf", r"((('\xe9', 0, 1),),)", r"is not a valid escape in a word"),
    "plf: no path": ("plf", "((),)", "no path leads from the start to a final state"),
    # OpenFst
    "fst: cycle": ("openfst", "0 1 a\n1 0 b\n1\n", r"line 1: states form a cycle \((0 -> 1 -> 0|1 -> 0 -> 1)\)"),
    "fst: state": ("openfst", "0 x a\n", "line 1: expected a state, a whole number, found 'x'"),
    "fst: cost": ("openfst", "0 1 a\n0 1 b c\n1\n", "line 2: expected a cost, a number, found 'c'"),
    "fst: fields": ("openfst", "0 1 a\n0 1 a b 2 3\n1\n", "line 2: expected from, to, label and cost of an acceptor"),
    "fst: both": ("openfst", "0 1 a\n0 1 a b 2.0\n1\n", "line 2: 5 fields, but 3 on line 1"),
    "fst: doubt": ("openfst", "0 1 a 2\n1\n", "line 1: the last of 4 fields may be a label or a cost"),
    "fst: numbers": ("openfst", "0 1 4 5 0.5\n1\n", "all labels are numbers; name their symbol table"),
    "fst: no end": ("openfst", "0 1 a\n", "no path leads"),
    "fst: name or state": ("openfst", "0\n0 1 a\n1\n", "line 1: '0' may be the name of what follows or a final state"),
    "fst: final twice": ("openfst", "0 1 a\n1 2\n1 3\n", "line 3: state 1 is final already"),
    "fst: one of two costs": ("openfst", "0 1 a 1,2\n1 3\n", "line 2: expected two costs"),
    "fst: minus infinity": ("openfst", "0 1 a -inf\n1\n", "line 1: expected a cost above minus infinity, found -inf"),
    # SLF
    "slf: no sizes": ("htk", "VERSION=1.0\nJ=0 S=0 E=1 W=a\n", "line 2: a node or link before the sizes"),
    "slf: only header": ("htk", "VERSION=1.0\n", "ends before the sizes"),
    "slf: too few": ("htk", "VERSION=1.0\nN=2 L=2\nJ=0 S=0 E=1 W=a\n", "ends after 1 of 2 links"),
    "slf: too many": (
        "htk",
        "N=2 L=1\nJ=0 S=0 E=1 W=a\nJ=1 S=0 E=1 W=b\n",
        "line 3: more links than L=1",
    ),
    "slf: header within": ("htk", "N=2 L=2\nJ=0 S=0 E=1 W=a\nVERSION=1.0\n", "line 3: a header after 1 of 2 links"),
    "slf: no such node": ("htk", "N=2 L=1\nJ=0 S=0 E=2 W=a\n", "line 2: E=2, but there are 2 nodes"),
    "slf: no end": ("htk", "N=2 L=1\nJ=0 S=0 W=a\n", "line 2: E= is missing"),
    "slf: huge": ("htk", "N=1000000000000 L=1000000000000\nJ=0 S=0 E=1 W=a\n", "ends after 1 of 1000000000000 links"),
    "slf: score": ("htk", "N=2 L=1\nJ=0 S=0 E=1 W=a a=x\n", "line 2: expected a=, a number, found 'x'"),
    "slf: sub-lattice": ("htk", "SUBLAT=x\nN=2 L=1\n", "line 1: has a sub-lattice"),
    "slf: sub-lattice for a node": ("htk", "N=2 L=1\nI=0 L=x\n", "line 2: has a sub-lattice"),
    "slf: backwards": ("htk", "VERSION=1.0 dir=b\n", "line 1: is a backward lattice"),
    "slf: two ends": ("htk", "N=3 L=2\nJ=0 S=0 E=1 W=a\nJ=1 S=0 E=2 W=b\n", "2 nodes that no link leaves"),
    "slf: cycle": ("htk", "N=2 L=2 start=0 end=1\nJ=0 S=0 E=1 W=a\nJ=1 S=1 E=0 W=b\n", "states form a cycle"),
    "slf: quotation": ("htk", "N=2 L=1\nJ=0 S=0 E=1 W='cause a=1\n", r"column 13: .* begins a word is written \\'"),
    "slf: no field": ("htk", "N=2 L=1\nJ=0 nonsense\n", "line 2: column 5: expected 'name=value', found 'nonsense'"),
    "slf: twice": ("htk", "N=2 L=1\nJ=0 S=0 S=1\n", "line 2: S= is given twice"),
    "slf: base": ("htk", "base=1\nN=2 L=1\nJ=0 S=0 E=1 W=a a=1\n", "base=1; expected a base"),
    "slf: bytes": ("htk", "N=2 L=1\nJ=0 S=0 E=1 W=\\377\n", "line 2: .* is not valid UTF-8"),
    # word graphs
    "wordgraph: header": ("wordgraph", "# sentence 0\n", "line 1: expected '# sentence N initial_score X finals"),
    "wordgraph: no header": ("wordgraph", "0\t1\t0\t0-0\ta\n", "line 1: expected '# sentence N"),
    "wordgraph: arc": (
        "wordgraph",
        "# sentence 0 initial_score 0 finals 1\n0 1 0 a\n",
        "line 2: expected 'from to score",
    ),
    "wordgraph: score": (
        "wordgraph",
        "# sentence 0 initial_score 0 finals 1\n0 1 x 0-0 a\n",
        "line 2: expected a score",
    ),
    "wordgraph: gap": (
        "wordgraph",
        "# sentence 0 initial_score 0 finals 0\n# sentence 2 initial_score 0 finals 0\n",
        "line 2: sentence 2 comes after sentence 0; expected sentence 1",
    ),
    # confusion networks
    "cn: odd": ("confusion", "a 0.5 b\n", "line 1: expected words, each with its probability"),
    "cn: word": ("confusion", "a b\n", "line 1: expected a probability, a number, found 'b'"),
    "cn: more than 1": ("confusion", "a 0.5\nb 1.5\n", "line 2: expected a probability, from 0 to 1, found 1.5"),
    "cn: negative": ("confusion", "a -0.5\n", "line 1: expected a probability, from 0 to 1"),
    # cdec
    "cdec: not JSON": ("cdec", '{"rules":[1,\n}', "line 2: column 1: not JSON"),
    "cdec: NaN": ("cdec", '{"rules":NaN}', "not JSON .*NaN is not a number"),
    "cdec: digits": ("cdec", cdec_text(edge=f'{{"feats":[0,{"9" * 5000}],"rule":1}}'), "not JSON .*digits"),
    "cdec: infinite": ("cdec", cdec_text(edge='{"feats":[0,1e999],"rule":1}'), "feature 'LM' is inf"),
    "cdec: list": ("cdec", "[1]", "expected a JSON object with 'rules'"),
    "cdec: deep": ("cdec", "[" * 200_000, "lists nested too deeply"),
    "cdec: key": ("cdec", '{"nodes":[]}', "unknown key 'nodes'"),
    "cdec: rule": ("cdec", cdec_text(rules='[1,"[X] ||| le"]'), "expected '\\[X\\] ||| source ||| target'"),
    "cdec: no rule": (
        "cdec",
        cdec_text(edge='{"tail":[],"rule":9}'),
        "edge 0: rule: expected the number of an earlier",
    ),
    "cdec: tail": ("cdec", cdec_text(tail="[0,0]"), r"edge 1: its rule has \[1\], but its tail 2"),
    "cdec: no such node": ("cdec", cdec_text(tail="[7]"), "edge 1: there is no node 7; there are 2"),
    "cdec: made of itself": ("cdec", cdec_text(tail="[1]"), "the root has no derivation"),
    "cdec: feature": ("cdec", cdec_text(edge='{"feats":[5,1],"rule":1}'), "edge 0: there is no feature 5"),
    "cdec: feature value": ("cdec", cdec_text(edge='{"feats":[0,"x"],"rule":1}'), "expected a feature and a number"),
    "cdec: feature twice": ("cdec", cdec_text(edge='{"feats":[0,1,0,2],"rule":1}'), "feature 'LM' is given twice"),
    "cdec: edge of two": ("cdec", cdec_text(in_edges="[0,1]"), "edge 0 is in node 0 already"),
    "cdec: loose edge": ("cdec", cdec_text(in_edges="[]"), "edge 1 is in no node"),
    "cdec: no such edge": ("cdec", cdec_text(in_edges="[2]"), "there is no edge '2' before it"),
    "cdec: more": ("cdec", cdec_text() + " x", "line 2: column .*: not JSON"),
    # Moses
    "moses: cycle": (
        "moses",
        "# target ||| features ||| source-covered\n1 2\n2\na ||| ||| 1\n[0] b ||| ||| 1\n",
        r"nodes form a cycle \(0 -> 0\)",
    ),
    "moses: header": ("moses", "3 4\n", "line 1: expected '# target"),
    "moses: sizes": (
        "moses",
        "# target ||| features ||| source-covered\nx\n",
        "line 2: expected the numbers of",
    ),
    "moses: ends": (
        "moses",
        "# target ||| features ||| source-covered\n2 2\n1\n",
        "ends after 0 of 1 edges of vertex 0",
    ),
    "moses: huge": (
        "moses",
        "# target ||| features ||| source-covered\n1000000000000 1000000000000\n1\na ||| ||| 1\n",
        "ends after line 4; expected the number of edges of vertex 1",
    ),
    "moses: edges": (
        "moses",
        "# target ||| features ||| source-covered\n1 2\n1\na ||| ||| 1\n",
        "has 1 edges; its header declares 2",
    ),
    "moses: fields": (
        "moses",
        "# target ||| features ||| source-covered\n1 1\n1\na ||| b\n",
        "line 4: expected 'words",
    ),
    "moses: feature": (
        "moses",
        "# target ||| features ||| source-covered\n1 1\n1\na ||| x ||| 1\n",
        "line 4: expected features, 'name=value', found 'x'",
    ),
    "moses: vertex": (
        "moses",
        "# target ||| features ||| source-covered\n1 1\n1\n[1] a ||| ||| 1\n",
        "line 4: there is no vertex 1; there are 1",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_broken_files_are_refused_with_their_place(tmp_path, case):
    name, text, message = BAD[case]
    with pytest.raises(InputError, match=message) as caught:
        read(tmp_path, text, format=name)
    assert str(caught.value).startswith(str(tmp_path / "graph"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", FORMATS)
@given(data=st.data())
def test_damaged_files_are_read_or_refused(folder, name, data):
    lattice = Lattice.of([(0, 1, "a", -0.5), (1, 2, "cat's", -0.25), (1, 2, None, -1.0)], 0, [2])
    text = "".join(written([lattice, lattice], name))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        text = (
            text[:at] + data.draw(st.sampled_from(["", "\n", " ", "(", "'", "9", "-", "x", "[", "="])) + text[at + 1 :]
        )
    try:
        for graph in read(folder, text, format=name, symbols="words"):
            assert len(texts_of(graph)) >= 1
    except InputError as error:
        assert str(error).startswith(str(folder / "graph"))


def test_truncated_packed_files(tmp_path):
    data = gzip.compress(b"((('a', 0, 1),),)\n" * 10_000)
    path = write(tmp_path, data[: len(data) // 2], "lattices.plf.gz")
    with pytest.raises(InputError, match="corrupt gzip data"):
        [*read_graphs(path)]


def test_symbol_tables_that_are_none(tmp_path):
    graph = write(tmp_path, "0 1 4 0.5\n1\n")
    for text, message in (
        ("a\n", "line 1: expected a word and its number"),
        ("a x\n", "line 1: expected a word and its number"),
        ("a 4\nb 4\n", "line 2: number 4 is 'a' already"),
        ("\n", "there are no symbols"),
        ("a 3\n", "'4' is not a number in .*symbols"),
    ):
        with pytest.raises(InputError, match=message):
            [*read_graphs(graph, symbols=write(tmp_path, text, "symbols"))]
    with pytest.raises(InputError, match=r"'cat' is not a number in .*; with a symbol table labels are numbers"):
        read(tmp_path, "0 1 cat 0.5\n1\n", symbols=write(tmp_path, "cat 1\n", "symbols"))


def test_formats_that_cannot_be_told(tmp_path):
    for text, message in (
        ("0 1 a 0\n", "may be openfst or confusion; name the format"),
        ("hello world\n", r"is in an unknown format; name the format with format='FORMAT' \(plf, "),
        ("0 ||| a text ||| lm= 1 ||| 2\n", "found an n-best list; expected lattices or forests"),
        ("", "the file is empty"),
        ("\n \n", "has only empty lines; name the format"),
    ):
        with pytest.raises(InputError, match=message):
            read(tmp_path, text)
    path = write(tmp_path, "0 1 a 0\n", "x.cn")
    assert texts_of(next(read_graphs(path))) == [(("0",), 0.0), (("a",), -math.inf)][:1]
    with pytest.raises(SpecError, match=r"format must be one of plf, .*; got 'plv'; did you mean 'plf'"):
        read_graphs([], format="plv")
    with pytest.raises(SpecError, match="scores must be one of log, prob, cost, or none; got 'logs'; did you"):
        read_graphs([], scores="logs")
    with pytest.raises(SpecError, match="labels must be one of acceptor, input, output"):
        read_graphs([], labels="both")
    with pytest.raises(InputError, match="pairs of numbers are costs"):
        read(tmp_path, "0 1 a 1,2\n1\n", scores="log")
    with pytest.raises(SpecError, match="format must be one of"):
        written([], "dot")


def test_graphs_that_a_format_cannot_hold():
    forest = Forest.of([("S", ["a"])], "S", place="it")
    for name in (*LATTICE_FORMATS, "confusion"):
        with pytest.raises(InputError, match=f"it: is a forest, which {name} cannot hold; expected one of cdec, moses"):
            [*written(forest, name)]
    for name, word in {
        "plf": "*EPS*",
        "openfst": "<eps>",
        "htk": "!NULL",
        "wordgraph": "new york",
        "confusion": "a b",
        "cdec": "[1]",
        "moses": "</s>",
    }.items():
        lattice = Lattice.of([(0, 1, word)], 0, [1], place="it")
        with pytest.raises(InputError, match=re.escape(repr(word))):
            [*written(lattice, name)]
    for name in FOREST_FORMATS:
        with pytest.raises(InputError, match=r"cannot hold the word 'a\|\|\|b'"):
            [*written(Forest.of([("S", ["a|||b"])], "S"), name)]
    skipping = Lattice.of([(0, 1, "a"), (1, 2, "b"), (0, 2, "c")], 0, [2], place="it")
    with pytest.raises(InputError, match=r"it: is not a confusion network \('c' leads from state 0 to 2\)"):
        [*written(skipping, "confusion")]
    for score, message in ((0.5, "not a log probability"), (-1e4, "is too small to be written")):
        with pytest.raises(InputError, match=message):
            [*written(Lattice.of([(0, 1, "a", score)], 0, [1]), "confusion")]


def test_weights_need_features(tmp_path):
    with pytest.raises(InputError, match="line 1: there are no features to weigh"):
        read(tmp_path, "((('a', 0, 1),),)", weights=Weights({"x": (1.0,)}))


# --- files of others


def reads(lattice, words):
    """Whether the words are those of a path."""
    numbers = {word: i for i, word in enumerate(lattice.words)}
    sought = [numbers.get(word, -2) for word in words]
    at = [set() for _ in range(lattice.states)]
    at[0].add(0)
    for source, target, label in zip(
        lattice.sources.tolist(), lattice.targets.tolist(), lattice.labels.tolist(), strict=True
    ):
        at[target] |= {i + (label >= 0) for i in at[source] if label < 0 or (i < len(sought) and sought[i] == label)}
    return any(len(sought) in places for places, final in zip(at, lattice.finals, strict=True) if final > -np.inf)


def test_fisher_lattices(shared, lines):
    found = [*read_graphs(str(shared / "data/lattices/fisher-test-es/lattices.plf.gz"))]
    best = lines("lattices/fisher-test-es/asr_1best.txt")
    assert len(found) == 1500
    empty = [lattice.states == 1 for lattice in found]
    assert sum(empty) == 5
    there = sum(reads(lattice, text.split()) for lattice, text in zip(found, best, strict=True))
    assert there - sum(empty) == 1489
    for name in LATTICE_FORMATS:
        (again_there,) = [*written(found[2], name)]
        assert found[2].words[0] in again_there


def test_word_graphs_hold_the_lists(shared):
    folder = shared / "data/nbest/thot-fisher-test-es-en"
    graphs = [*read_graphs(str(folder / "wordgraphs.txt.gz"))]
    assert len(graphs) == 100
    with gzip.open(folder / "nbest.txt.gz", "rt", encoding="utf-8") as file:
        first = {int(i): text for i, text, *_ in (line.split(" ||| ") for line in reversed(file.readlines()))}
    assert all(reads(graph, first[i].split()) for i, graph in enumerate(graphs))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "edges", "nodes"),
    [
        ("hg_test.hg.json", 8, 6),
        ("hg_test.lattice.json", 9, 4),
        ("hg_test.tiny_lattice.json", 5, 3),
        ("perro.json.gz", 21, 10),
        ("zh-en.0.json.gz", 1026, 350),
        ("urdu-en.json.gz", 23174, 3450),
    ],
)
def test_forests_of_cdec(shared, tmp_path, name, edges, nodes):
    (forest,) = read_graphs(str(shared / "data/forests/cdec-json" / name))
    assert (len(forest), forest.nodes) == (edges, nodes)
    (same,) = again(tmp_path, forest, "cdec")
    assert same.items.tolist() == forest.items.tolist()
    assert same.features.values.tolist() == forest.features.values.tolist()
    if name == "hg_test.lattice.json":
        weighted = forest.weighted(Weights({"Feature_1": (1.0,)}))
        best = max(texts_of(weighted), key=lambda pair: pair[1])
        assert best == (("A", "B", "C"), -0.01)
