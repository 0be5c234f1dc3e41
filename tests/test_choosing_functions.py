"""tune, rerank, oracle and mbr as functions: the same numbers as the commands, over files and over lists in memory."""

import json

import pytest

import tricolore as tri
from tricolore.cli import run
from tricolore.examples import LATTICES, NBEST, REFERENCES, WEIGHTS, lines
from tricolore.readers.nbest import read_nbest
from tricolore.weights import read_weights

FILES = [f"{name}.txt" for name in REFERENCES]
LISTS = ("--nbest", f"{NBEST}.txt")
REFS = ("--refs", *FILES)


@pytest.fixture
def refs():
    return tri.References.from_streams([lines(name) for name in REFERENCES])


@pytest.fixture
def nbest(demo):
    """The example lists in memory, as (text, features, total)."""
    lists = []
    for one in read_nbest(f"{NBEST}.txt"):
        rows = [rest.split("|||") for rest in one.rest]
        words = [row[0].split() for row in rows]
        features = [{n[:-1]: float(v) for n, v in zip(some[::2], some[1::2], strict=True)} for some in words]
        lists.append([*zip(one.texts, features, (float(row[1]) for row in rows), strict=True)])
    return lists


def printed(capsys, *words):
    capsys.readouterr()
    assert run([*map(str, words)]) == 0
    return capsys.readouterr()


# Tune ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["mert", "mira", "pro", "xbleu"])
def test_tuning_is_that_of_the_command(nbest, refs, capsys, method):
    words = ("tune", method, *LISTS, *REFS, "--folds", 2, "--seed", 7, "--trials", 99, "-f", "json")
    expected = json.loads(printed(capsys, *words).out)
    how = {"folds": 2, "seed": 7, "trials": 99}
    for lists in (f"{NBEST}.txt", [f"{NBEST}.txt"], nbest):
        found = tri.tune(lists, refs, method, **how)
        assert json.loads(json.dumps(found.to_dict())) == expected
    assert [one["method"] for one in found.records()] == ["start"] * 2 + [method] * 2
    assert repr(found).startswith("Tuning: BLEU on the lists tuned on: start ")
    assert found._repr_html_().startswith("<div")


def test_several_methods_metrics_runs_and_sets(nbest, refs, capsys):
    words = (
        "--replicate",
        2,
        "--held-out",
        0.25,
        "--epochs",
        3,
        "--start",
        f"{WEIGHTS}.txt",
        "-m",
        "chrf",
        "-f",
        "json",
    )
    tests = ("--test-nbest", f"{NBEST}.txt", "--test-refs", FILES[0])
    expected = json.loads(printed(capsys, "tune", "mira,xbleu", *LISTS, *REFS, *words, *tests).out)
    how = {"replicate": 2, "held_out": 0.25, "epochs": 3, "start": f"{WEIGHTS}.txt"}
    found = tri.tune(f"{NBEST}.txt", refs, ["mira", "xbleu"], "chrf", **how, test=(f"{NBEST}.txt", FILES[0]))
    assert json.loads(json.dumps(found.to_dict())) == expected
    assert found.sets == ["Tune", NBEST]
    assert found.weights_of("mira") == found.median("mira").weights
    with pytest.raises(tri.SpecError, match="call weights_of with one of mira, xbleu"):
        _ = found.weights
    named = tri.tune(nbest, refs, "mira", "chrf", epochs=3, test={"other": (nbest, lines(REFERENCES[0]))})
    assert named.sets == ["Tune", "other"]


def test_candidates_are_lists_too(nbest, refs):
    from tricolore.candidates import CandidateReader

    read = CandidateReader().read(nbest, refs)
    assert tri.tune(read, refs, "mira", epochs=2).to_dict() == tri.tune(nbest, refs, "mira", epochs=2).to_dict()


def test_candidates_that_have_been_read_are_all_tuned_on(nbest, refs):
    from tricolore.candidates import CandidateReader

    read = CandidateReader().read(nbest, refs)
    assert "first" not in tri.tune(read, refs, "xbleu", epochs=2).settings
    assert tri.tune(nbest, refs, "xbleu", epochs=2).settings["first"] == 100
    with pytest.raises(tri.SpecError, match="first is for lists that are still to be read"):
        tri.tune(read, refs, "mira", first=5)


def test_weights_are_never_rounded(demo, capsys):
    words = ("tune", "mira", *LISTS, *REFS, "--epochs", 2, "-f", "json")
    full, short = (json.loads(printed(capsys, *words, *more).out)["methods"][1] for more in ((), ("-w", 1)))
    assert full["runs"] == short["runs"]
    assert round(full["scores"]["Tune"]["mean"], 1) == short["scores"]["Tune"]["mean"]


def test_rounds_are_those_of_the_command(demo, refs, capsys):
    decoder = f"cp {NBEST}.txt {{nbest}}; : {{weights}}"
    words = ("--start", f"{WEIGHTS}.txt", "-o", "found.txt", "--rounds", 2, "--decoder", decoder, "-f", "json")
    expected = json.loads(printed(capsys, "tune", "mira", *REFS, *words).out)
    notes = []
    found = tri.tune_rounds(decoder, refs, f"{WEIGHTS}.txt", "rounds", "mira", rounds=2, note=notes.append)
    assert json.loads(json.dumps(found.to_dict())) == expected
    assert found.weights.values == read_weights("found.txt").values
    assert [note.split(":")[0] for note in notes] == ["round 1", "round 2"]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"folds": 1}, "folds must be 2 or more; got 1"),
        ({"epochs": 3}, "epochs: a parameter of mira, pro, xbleu, not of mert"),
        ({"epoch": 3}, "epoch: no method has such a parameter; did you mean 'epochs'?"),
        ({"held_out": 1.5}, "held_out must be a number between 0 and 1, or none; got 1.5"),
        ({"held_out": "lists"}, "held_out: expected (nbest, refs)"),
        ({"test": [3]}, "test: expected (nbest, refs)"),
        ({"metric": ["ter", "chrf"]}, "report: several metrics are tuned for (ter, chrf)"),
        ({"normalise": "l1", "fix": ["LM0"]}, "normalise: scales all weights"),
        ({"bounds": ["LM0=2:1"]}, "bounds: 'LM0=2:1': the lower bound is above the upper"),
        ({"method": ["mert", "mert"]}, "method mert is given twice"),
    ],
)
def test_mistakes_name_parameters(nbest, refs, how, message):
    with pytest.raises(tri.TricoloreError) as found:
        tri.tune(nbest, refs, **how)
    assert str(found.value).startswith(message)


# Choose ----------------------------------------------------------------------------------------------------


def check(found, capsys, *words):
    """What a function chose is what the command writes, and the scores are those it tells."""
    shown = printed(capsys, *words)
    assert found.texts == shown.out.splitlines()
    assert [f"tricolore: {line}" for line in (*found.notes, *found.summary())] == shown.err.splitlines()
    records = found.records()
    assert [one["text"] for one in records] == found.texts
    assert json.loads(json.dumps(found.to_dict()))["choices"] == records
    assert "\n" not in repr(found)


@pytest.mark.parametrize("weights", [None, f"{WEIGHTS}.txt", "some.txt"])
def test_reranking_is_that_of_the_command(demo, nbest, refs, capsys, weights):
    (demo / "some.txt").write_text("LM0= 1\n", encoding="utf-8")
    words = [] if weights is None else ["--weights", weights]
    for lists in (f"{NBEST}.txt", nbest):
        found = tri.rerank(lists, weights, refs=refs, metric=["bleu", "ter"])
        check(found, capsys, "rerank", *LISTS, *REFS, *words, "-m", "bleu", "ter")
    whole = tri.rerank(nbest, weights, top=2)
    assert [one.best[0].text for one in whole.ranked] == found.texts
    assert all(len(one.best) == 2 for one in whole.ranked)


@pytest.mark.parametrize("metric", ["bleu", "ter"])
@pytest.mark.parametrize("how", [{}, {"corpus": True}, {"worst": True, "first": 3}])
def test_oracles_of_lists_are_those_of_the_command(nbest, refs, capsys, metric, how):
    words = [word for name, value in how.items() for word in ([f"--{name}"] + ([] if value is True else [value]))]
    for lists in (f"{NBEST}.txt", nbest, [[one[0] for one in some] for some in nbest]):
        found = tri.oracle(lists, refs, metric, **how)
        check(found, capsys, "oracle", *LISTS, *REFS, "-m", metric, *words)


@pytest.mark.parametrize(
    ("metric", "how"), [("wer", {}), ("bleu", {"candidates": 5, "rounds": 2}), ("bleu", {"corpus": True})]
)
def test_oracles_of_lattices_are_those_of_the_command(demo, refs, capsys, metric, how):
    words = [word for name, value in how.items() for word in ([f"--{name}"] + ([] if value is True else [value]))]
    graphs = [*tri.read_graphs(LATTICES)]
    for given in (graphs, iter(graphs), tri.read_graphs(LATTICES)):
        found = tri.oracle(given, refs, metric, **how)
        check(found, capsys, "oracle", "--lattice", LATTICES, *REFS, "-m", metric, *words)
    assert found.exact == (metric == "wer")


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({}, []),
        ({"scale": 0.3, "metric": "bleu"}, ["--scale", 0.3, "-m", "bleu"]),
        ({"scales": [0.1, 1.0], "metric": "ter"}, ["--scales", 0.1, 1, "-m", "ter"]),
        ({"uniform": True, "first": 4}, ["--uniform", "-n", 4]),
        (
            {"weights": f"{WEIGHTS}.txt", "method": "coarse", "keep": 2},
            ["--weights", f"{WEIGHTS}.txt", "--method", "coarse", "--keep", 2],
        ),
        ({"method": "prune", "start": 2, "check": 5}, ["--method", "prune", "--start", 2, "--check", 5]),
    ],
)
def test_mbr_over_lists_is_that_of_the_command(nbest, refs, capsys, how, words):
    for lists in (f"{NBEST}.txt", nbest if "first" not in how else [some[:4] for some in nbest]):
        check(tri.mbr(nbest=lists, refs=refs, **how), capsys, "mbr", *LISTS, *REFS, *words)


def test_mbr_over_samples_is_that_of_the_command(demo, nbest, capsys):
    samples = [[one[0] for one in some] for some in nbest]
    (demo / "samples.txt").write_text("".join(f"{text}\n" for some in samples for text in some), encoding="utf-8")
    for given, first in ((samples, None), (iter(samples), None), ("samples.txt", 6)):
        check(tri.mbr(samples=given, first=first), capsys, "mbr", "--samples", "samples.txt", "-n", 6)
    assert [tri.mbr(some).text for some in samples] == tri.mbr(samples=samples).texts


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({}, []),
        ({"refs": True, "estimate": True, "scales": [0.1, 1.0]}, [*REFS, "--estimate", "--scales", 0.1, 1]),
        ({"refs": True, "metric": ["chrf", "ter"], "least": 0.1}, [*REFS, "-m", "chrf", "ter", "--least", 0.1]),
        ({"precision": 0.7, "ratio": 0.6, "order": 3}, ["--precision", 0.7, "--ratio", 0.6, "--order", 3]),
    ],
)
def test_mbr_over_lattices_is_that_of_the_command(demo, refs, capsys, how, words):
    how = {**how, "refs": refs} if "refs" in how else how
    check(tri.mbr(lattices=tri.read_graphs(LATTICES), **how), capsys, "mbr", "--lattice", LATTICES, *words)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({}, "mbr: expected one of texts, nbest, samples, lattices; got none"),
        ({"texts": ["a"], "nbest": "x"}, "mbr: expected one of texts, nbest, samples, lattices; got texts, nbest"),
        ({"texts": ["a"], "scale": 2}, "scale: for n-best lists, samples or lattices, not for the texts of one source"),
        ({"texts": ["a"], "ordr": 2}, "mbr: no parameter 'ordr'; did you mean 'order'?"),
        ({"samples": [["a"]], "scale": 2}, "scale: for n-best lists, not samples"),
        ({"samples": "x"}, "first: required with one file of samples"),
        ({"nbest": [["a"]], "least": 0.5}, "least: for lattices"),
        ({"nbest": [["a"]], "scales": [1]}, "scales: requires references"),
        ({"lattices": [3]}, "lattices: expected lattices or forests"),
    ],
)
def test_mistakes_of_mbr_name_parameters(how, message):
    with pytest.raises(tri.TricoloreError) as found:
        tri.mbr(**how)
    assert str(found.value).startswith(message)
