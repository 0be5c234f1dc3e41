"""`tricolore tune` as people type it, mistakes included."""

import argparse
import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest

from tricolore import BLEU
from tricolore.candidates import CandidateReader
from tricolore.cli import run
from tricolore.cli.tune import add_tuner_arguments
from tricolore.metrics import metric
from tricolore.readers import read_segments
from tricolore.segments import References
from tricolore.tuning import parameter_owners, tuner
from tricolore.tuning.bounds import Bounds
from tricolore.tuning.repeated_runs import Setup, replicate
from tricolore.tuning.tuning_result import TUNE, Method
from tricolore.weights import normalised, read_weights

FISHER = "nbest/thot-fisher-test-es-en"
REFS = ("--refs", "reference-a.txt", "reference-b.txt")
LISTS = ("--nbest", "nbest.txt", *REFS)
METHODS = ("mert", "mira", "pro", "xbleu")


@pytest.fixture
def texts(demo):
    """The example corpus as files in the current folder, and weights that choose badly."""
    Path("bad.txt").write_text("LM0= -1\nTM0= 0.5\nWordPenalty0= 0\n", encoding="utf-8")
    return demo


def type_in(capsys, *words):
    capsys.readouterr()
    status = run(["tune", *map(str, words)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def example_lists():
    reader = CandidateReader()
    references = References.from_streams([read_segments("reference-a.txt"), read_segments("reference-b.txt")])
    return reader.read(["nbest.txt"], references), reader.layout


# Results ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_weights_are_written_and_choose_what_the_table_says(texts, capsys, method):
    status, out, err = type_in(capsys, method, *LISTS, "--start", "bad.txt", "-o", "weights.txt")
    assert (status, err) == (0, "")
    scores = {line.split()[0]: float(line.split()[1]) for line in out.splitlines()[2:4]}
    assert scores[method] > scores["start"]
    candidates, layout = example_lists()
    weights, missing = read_weights("weights.txt").vector(layout)
    assert not missing
    bleu = BLEU(smooth="none")
    assert f"{100 * candidates.objective(bleu, weights):.2f}" == f"{scores[method]:.2f}"
    assert f"\n{method}|metric:bleu" in out
    assert "|start:bad.txt|" in out


def test_mert_writes_weights_that_sum_to_one(texts, capsys):
    for norm, size in ((), 1.0), (("--normalise", "max"), None), (("--normalise", "none"), None):
        assert type_in(capsys, "mert", *LISTS, "--restarts", 3, "-o", "weights.txt", *norm)[0] == 0
        values = np.array([value for values in read_weights("weights.txt").values.values() for value in values])
        if size:
            assert np.abs(values).sum() == pytest.approx(1)
        elif "max" in norm:
            assert np.abs(values).max() == pytest.approx(1)


def test_without_a_file_the_weights_are_printed(texts, capsys):
    status, out, _ = type_in(capsys, "mert", *LISTS)
    assert status == 0
    assert re.fullmatch(r"LM0= \S+\nTM0= \S+\nWordPenalty0= \S+\n", out[out.index("LM0= ") :])
    assert "|start:equal|" in out


def test_runs_folds_and_test_sets(texts, capsys):
    words = ("xbleu", *LISTS, "--start", "bad.txt", "-m", "bleu(smooth=0|4)", "--replicate", 3, "--folds", 2)
    tests = ("--test-nbest", "nbest.txt", "--test-refs", "reference-a.txt")
    status, out, _ = type_in(capsys, *words, *tests, "-f", "json")
    assert status == 0
    found = json.loads(out)
    assert found["baseline"] == "xbleu bleu(smooth=0)"
    assert [row["method"] for row in found["methods"]] == ["start", "xbleu bleu(smooth=0)", "xbleu bleu(smooth=4)"]
    row = found["methods"][2]
    assert [*row["scores"]] == ["Tune", "2-fold", "nbest"]
    assert [one["seed"] for one in row["runs"]] == [12345, 12346, 12347]
    # The same by hand.
    candidates, _ = example_lists()
    report = BLEU(smooth="none")
    for one, score in zip(row["runs"], row["scores"]["Tune"]["runs"], strict=True):
        weights = np.array([value for name in ("LM0", "TM0", "WordPenalty0") for value in one["weights"][name]])
        assert 100 * candidates.objective(report, weights) == pytest.approx(score)
    assert row["scores"]["Tune"]["mean"] == pytest.approx(np.mean(row["scores"]["Tune"]["runs"]))
    assert row["scores"]["Tune"]["std"] == pytest.approx(np.std(row["scores"]["Tune"]["runs"], ddof=1))
    assert found["methods"][1]["scores"]["Tune"]["p"] is None
    assert "|first:100|" in row["signature"]


@pytest.mark.parametrize("method", METHODS)
def test_other_lists_do_not_change_what_is_learnt(texts, capsys, method):
    assert type_in(capsys, method, *LISTS, "-o", "alone.txt")[0] == 0
    lines = Path("nbest.txt").read_text(encoding="utf-8").splitlines()
    Path("more.txt").write_text("".join(f"{line.replace('LM0=', 'New= 3 LM0=')}\n" for line in lines), "utf-8")
    tests = ("--test-nbest", "more.txt", "--test-refs", "reference-a.txt")
    assert type_in(capsys, method, *LISTS, *tests, "-o", "beside.txt")[0] == 0
    beside = dict(read_weights("beside.txt").values)
    assert beside.pop("New") == (0.0,)
    assert beside == dict(read_weights("alone.txt").values)


def test_sets_of_the_same_name_are_told_apart(texts, capsys):
    Path("Tune").write_text(Path("nbest.txt").read_text(encoding="utf-8"), "utf-8")
    tests = [
        ("--test-nbest", name, "--test-refs", f"reference-{ref}.txt") for name in ("nbest.txt", "Tune") for ref in "abb"
    ]
    status, out, _ = type_in(capsys, "mert", *LISTS, *(word for words in tests for word in words), "-f", "json")
    assert status == 0
    names = ["Tune", "nbest", "nbest.txt", "nbest (2)", "Tune (2)", "Tune (3)", "Tune (4)"]
    scores = json.loads(out)["methods"][0]["scores"]
    assert [*scores] == names
    means = [scores[name]["mean"] for name in names]
    assert means[1] == means[4] != means[2] == means[3] == means[5] == means[6]


METHOD = Method("mert", tuner("mert", restarts=5), BLEU())


def chosen_by_folds(setup, folds, seed):
    """What is chosen from each of some folds with weights tuned on the others, by source."""
    chosen = np.zeros(setup.candidates.sources, dtype=np.int64)
    for inside in folds:
        outside = [i for fold in folds if fold is not inside for i in fold]
        task = setup.task(setup.candidates.subset(outside), METHOD, seed)
        weights = METHOD.tuner.tune(task, setup.start, seed).weights
        chosen[inside] = setup.candidates.best(weights)[inside]
    return chosen


def folds_of(fold_by, **more):
    candidates, layout = example_lists()
    start, report = np.array([-1.0, 0.5, 0.0]), BLEU(smooth="none")
    return Setup(candidates, layout, start, Bounds.none(3), report, folds=3, fold_by=fold_by, **more)


def test_folds_choose_with_weights_tuned_on_the_others(texts):
    setup = folds_of("order")
    found = replicate(setup, [METHOD], [1])
    candidates, report = setup.candidates, setup.report
    expected = float(candidates.score(report, chosen_by_folds(setup, [np.arange(i, 12, 3) for i in range(3)], 1)))
    assert found.scores["3-fold"].runs["mert"] == pytest.approx([expected])
    assert found.scores[TUNE].runs["start"] == pytest.approx([candidates.objective(report, setup.start)])


def test_every_run_and_repetition_has_other_folds(texts):
    setup = folds_of("shuffle", repeats=2)
    found = replicate(setup, [METHOD], [1, 2])
    splits = [setup.split(seed, repetition) for seed in (1, 2) for repetition in (0, 1)]
    assert len({tuple(np.concatenate(split)) for split in splits}) == 4
    for split in splits:
        assert sorted(np.concatenate(split)) == [*range(12)]
        assert {len(fold) for fold in split} == {4}
    expected = [
        float(setup.candidates.score(setup.report, chosen_by_folds(setup, split, seed)))
        for split, seed in zip(splits, (1, 1, 2, 2), strict=True)
    ]
    assert found.scores["3-fold"].runs["mert"] == pytest.approx(expected)
    assert found.scores["3-fold"].of("mert")["std"] == pytest.approx(100 * np.std(expected, ddof=1))


@pytest.mark.parametrize("method", METHODS)
def test_scores_of_folds_do_not_depend_on_the_order_of_the_sources(texts, capsys, method):
    lines = Path("nbest.txt").read_text(encoding="utf-8").splitlines()
    refs = Path("reference-a.txt").read_text(encoding="utf-8").splitlines()
    order = np.random.default_rng(5).permutation(len(refs)).tolist()
    moved = [
        f"{i} |||{line.partition('|||')[2]}"
        for i, old in enumerate(order)
        for line in lines
        if line.startswith(f"{old} |||")
    ]
    Path("moved.txt").write_text("".join(f"{line}\n" for line in moved), "utf-8")
    Path("moved.ref").write_text("".join(f"{refs[old]}\n" for old in order), "utf-8")
    found = []
    for nbest, ref in (("nbest.txt", "reference-a.txt"), ("moved.txt", "moved.ref")):
        words = ("--nbest", nbest, "--refs", ref, "--start", "bad.txt", "--folds", 2, "--repeats", 3, "-f", "json")
        status, out, _ = type_in(capsys, method, *words)
        assert status == 0
        row = json.loads(out)["methods"][1]
        found.append(row["scores"]["2-fold"]["runs"])
        assert "|folds:2|fold-by:shuffle|repeats:3|" in row["signature"]
    assert found[0] == pytest.approx(found[1], rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["tsv", "markdown", "latex"])
def test_other_forms(texts, capsys, form):
    status, out, _ = type_in(capsys, "mert,mira", *LISTS, "--start", "bad.txt", "-f", form, "--replicate", 2)
    assert status == 0
    assert "mert" in out and "mira" in out and "std" in out


def test_the_log_has_every_step(texts, capsys):
    assert type_in(capsys, "mira", *LISTS, "--epochs", 5, "--held-out", 0.25, "--log", "log.tsv")[0] == 0
    header, *rows = [line.split("\t") for line in Path("log.tsv").read_text(encoding="utf-8").splitlines()]
    assert header == ["method", "run", "fold", "step", "objective", "score", "held_out"]
    assert [row[3] for row in rows] == ["0", "1", "2", "3", "4", "5"]
    assert all(row[6] for row in rows)


def test_help_names_the_defaults_that_tuners_have():
    parser = argparse.ArgumentParser()
    add_tuner_arguments(parser)
    helps = {action.dest: action.help for action in parser._actions}
    for option, tuners in parameter_owners().items():
        defaults = [getattr(tuner(name), option) for name in tuners]
        if None not in defaults and not isinstance(defaults[0], bool):  # one that depends on the lists, or a switch
            assert f"(default: {', '.join(f'{value}'.removesuffix('.0') for value in defaults)})" in helps[option]


def test_the_table_says_what_the_start_was(texts, capsys):
    _, out, err = type_in(capsys, "mert", *LISTS, "--restarts", "0")
    assert "\nstart: the weights before tuning, all equal.\n" in out
    assert "p: " not in out  # weights were tuned on all there is
    assert err == ""
    _, out, err = type_in(capsys, "mert, mira", *LISTS, "--restarts", "0", "--epochs", "1", "--start", "weights.txt")
    assert "\nstart: the weights before tuning, from weights.txt.\n" in out
    assert err == "tricolore: use -f json to get the weights of every method and run\n"


def test_all_metrics_are_those_that_tell_quality(texts, capsys):
    words = ["--restarts", "0", "--directions", "0", "--report", "bleu", "-f", "tsv", "--trials", "1"]
    status, out, _ = type_in(capsys, "mert", *LISTS, "-m", "all", *words)
    assert status == 0
    rows = [line.split("\t")[0] for line in out.splitlines()]
    assert "mert ter" in rows
    assert "mert length" not in rows


def test_verbose_tells_every_step(texts, capsys):
    _, _, err = type_in(capsys, "mira", *LISTS, "--epochs", 2, "-v")
    assert len(err.splitlines()) == 3
    assert re.fullmatch(r"tricolore: mira: step 2/2 .*BLEU \d+\.\d\d", err.splitlines()[-1])


@pytest.mark.parametrize("method", METHODS)
def test_fixed_weights_stay_and_bounds_hold(texts, capsys, method):
    words = (method, *LISTS, "--start", "bad.txt", "-o", "weights.txt")
    assert type_in(capsys, *words, "--fix", "TM0")[0] == 0
    assert read_weights("weights.txt").values["TM0"] == (0.5,)
    assert type_in(capsys, *words, "--fix", "LM0=0.25", "--bounds", "TM0=0.1:0.3")[0] == 0
    found = read_weights("weights.txt").values
    assert found["LM0"] == (0.25,)
    assert 0.1 <= found["TM0"][0] <= 0.3


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_weights_on_any_number_of_threads(texts, capsys, method):
    outputs = []
    for threads in (1, 2):
        words = (method, *LISTS, "--start", "bad.txt", "--seed", 7, "-j", threads, "-o", f"{threads}.txt")
        assert type_in(capsys, *words)[0] == 0
        outputs.append(Path(f"{threads}.txt").read_text(encoding="utf-8"))
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize("spec", ["ter", "chrf", "rouge-s(skip=4)", "nist", "wer"])
@pytest.mark.parametrize("method", METHODS)
def test_any_metric(texts, capsys, method, spec):
    more = ("--threshold", 0.001) if method == "pro" else ()
    status, out, err = type_in(capsys, method, *LISTS, "--start", "bad.txt", "-m", spec, *more, "-o", "weights.txt")
    assert (status, err) == (0, "")
    start, tuned = (float(line.split()[1]) for line in out.splitlines()[2:4])
    assert tuned <= start if not metric(spec).higher_is_better else tuned >= start


def test_parameters_of_mira(texts, capsys):
    words = ("mira", *LISTS, "--start", "bad.txt", "--epochs", 2)
    assert "|average:yes|background:hope|" in type_in(capsys, *words)[1]
    assert "|average:no|background:model|" in type_in(capsys, *words, "--no-average", "--background", "model")[1]


def test_held_out_lists(texts, capsys):
    words = ("--held-out-nbest", "nbest.txt", "--held-out-refs", "reference-b.txt", "--patience", 2)
    status, out, _ = type_in(capsys, "mira", *LISTS, "--start", "bad.txt", *words)
    assert status == 0
    assert "|held-out:nbest.txt|patience:2|" in out


# Real lists ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_study_of_the_docs(shared, capsys):
    """What docs/explanations/tuning.md says of folds: mira, pro and xbleu gain, not all significantly."""
    folder = shared / "data" / FISHER
    words = ("--nbest", folder / "nbest.txt.gz", "--refs", *(folder / f"ref{i}.txt" for i in range(4)), "-tok", "none")
    more = ("--start", folder / "weights.txt", "--folds", 2, "--repeats", 10, "-f", "json")
    status, out, _ = type_in(capsys, "mira,pro,xbleu", *words, *more)
    assert status == 0
    found = {row["method"]: row["scores"]["2-fold"] for row in json.loads(out)["methods"]}
    assert {name: round(one["mean"], 2) for name, one in found.items()} == {
        "start": 15.42, "mira": 16.40, "pro": 16.26, "xbleu": 16.31
    }  # fmt: skip
    assert [found[name]["p"] <= 0.05 for name in ("mira", "xbleu")] == [True, False]


@pytest.mark.slow
def test_no_smoothing_is_better_on_sentences_it_has_not_seen(shared, capsys):
    """The eight rows of Table 5 of Chen & Cherry (2014), on other lists."""
    folder = shared / "data" / FISHER
    words = ("--nbest", folder / "nbest.txt.gz", "--refs", *(folder / f"ref{i}.txt" for i in range(4)), "-tok", "none")
    start = ("--start", folder / "weights.txt", "--folds", 2, "-f", "json", "-m", "bleu(smooth=0..7)")
    status, out, _ = type_in(capsys, "xbleu", *words, *start, "--repeats", 3)
    assert status == 0
    rows = json.loads(out)["methods"][1:]
    assert [row["method"] for row in rows] == [f"xbleu bleu(smooth={i})" for i in range(8)]
    p = [row["scores"]["2-fold"]["p"] for row in rows]
    assert p[0] is None  # the baseline
    assert min(p[1:]) > 0.05  # as in the paper, no two differ


# Mistakes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["mrt", *LISTS], "no method 'mrt'; did you mean 'mert'?"),
        (["mert,mert", *LISTS], "method mert is given twice"),
        (["mert", "--nbest", "nbest.txt"], "no reference file is given"),
        (["mert", *REFS], "no n-best list is given"),
        (["mert", "--nbest", "nbest.txt", "nbest.txt", *REFS], "nbest.txt is given twice"),
        (["mert", *LISTS, "--epochs", "3"], "--epochs: a parameter of mira, pro, xbleu, not of mert"),
        (["mira", *LISTS, "--lambda", "3"], "--regularisation: a parameter of xbleu, not of mira"),
        (["mert", *LISTS, "--fix", "LM"], "no feature 'LM' in the lists; did you mean 'LM0'?"),
        (["mert", *LISTS, "--fix", "LM0", "TM0", "WordPenalty0"], "all features are fixed; there is nothing to tune"),
        (["mert", *LISTS, "--bounds", "LM0"], "expected NAME=LOW:HIGH"),
        (["mert", *LISTS, "--bounds", "LM0=2:1"], "the lower bound is above the upper"),
        (["mert", *LISTS, "-m", "length"], "length"),
        (["mert", *LISTS, "-m", "blue"], "did you mean 'bleu'?"),
        (["mert", *LISTS, "-m", "chrf", "ter", "-o", "w"], "-o holds one set of weights, and 2 are tuned"),
        (
            ["mert", *LISTS, "-m", "chrf", "ter"],
            "--report: several metrics are tuned for (chrf, ter)",
        ),
        (["mert", *LISTS, "--folds", "1"], "--folds must be 2 or more"),
        (["mert", *LISTS, "--repeats", "2"], "--repeats: how often to cross-validate; requires folds"),
        (["mert", *LISTS, "--folds", "2", "--repeats", "2", "--fold-by", "order"], "requires --fold-by shuffle"),
        (["mert", *LISTS, "--folds", "13"], "from 2 to 12 (the sources)"),
        (["mert", *LISTS, "--held-out", "1.5"], "--held-out must be a number between 0 and 1, or none; got '1.5'"),
        (["mert", *LISTS, "--held-out-nbest", "nbest.txt"], "go together"),
        (["mert", *LISTS, "--test-nbest", "nbest.txt"], "--test-nbest is given 1 times and --test-refs 0 times"),
        (["mert", *LISTS, "--baseline", "mira"], "there is no row 'mira'"),
        (["mert", *LISTS, "--rounds", "3"], "--rounds requires a --decoder"),
        (["mert", *LISTS, "--decoder", "x {weights} {nbest}"], "--nbest and --decoder exclude each other"),
        (["mert", *REFS, "--decoder", "x {weights} {nbest}"], "name them with --start"),
        (["mert", *LISTS, "--replicate", "0"], "--replicate must be a whole number from 1"),
        (["mert", *LISTS, "-o", "nbest.txt"], "--output: nbest.txt is one of the files to read"),
        (["mert", *LISTS, "-o", "./reference-b.txt"], "--output: ./reference-b.txt is one of the files to read"),
        (["mert", *LISTS, "--start", "bad.txt", "--log", "bad.txt"], "--log: bad.txt is one of the files to read"),
        (["mert", *LISTS, "--nbst", "x"], "did you mean '--nbest'?"),
        (["mert", *LISTS, "--report", "blue"], "unknown metric 'blue'; did you mean 'bleu'?"),
        (["mert", *LISTS, "--report", "bleu(order=1..4)"], "--report takes one metric; got 4"),
        (["mert", *LISTS, "--log", "reference-b.txt"], "--log: reference-b.txt is one of the files to read"),
        (["mert", *LISTS, "--start", "weights.txt", "-o", "./weights.txt"], "--output: ./weights.txt is one of the"),
        (["mert", *LISTS, "-o", "new", "--log", "./new"], "--log: ./new is where the weights go"),
    ],
)
def test_mistakes_in_the_command(texts, capsys, words, message):
    status, out, err = type_in(capsys, *words)
    assert (status, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty", "", "the file is empty"),
        ("nan", "0 ||| a ||| LM0= nan ||| 1\n", "line 1: feature 'LM0' is nan; expected a finite number"),
        ("inf", "0 ||| a ||| LM0= 1 ||| 1\n0 ||| b ||| LM0= -inf ||| 1\n", "line 2: feature 'LM0' is infinite"),
        ("none", "0 ||| a ||| LM0= 1 ||| 1\n0 ||| b\n", "line 2: the hypothesis has no features"),
        ("gap", "0 ||| a ||| LM0= 1 ||| 1\n2 ||| b ||| LM0= 1 ||| 1\n", "line 2: source 2 comes after source 0"),
        ("more", "0 ||| a ||| LM0= 1 ||| 1\n0 ||| b ||| LM0= 1 2 ||| 1\n", "line 2: feature 'LM0' has 2 values"),
        ("word", "0 ||| a ||| LM0= one ||| 1\n", "line 1: expected features such as"),
        ("few", "0 ||| a ||| LM0= 1 ||| 1\n", "ends with source 0, but reference-a.txt goes on to line 12"),
    ],
)
def test_broken_lists_are_refused_before_anything_is_written(texts, capsys, name, content, message):
    Path(name).write_text(content, encoding="utf-8")
    status, out, err = type_in(capsys, "mert", "--nbest", name, *REFS, "-o", "tuned.txt")
    assert (status, out) == (1, "")
    assert err.startswith(f"tricolore: {name}: ")
    assert message in err
    assert len(err.splitlines()) == 1
    assert not Path("tuned.txt").exists()


def test_features_that_are_all_equal_are_refused(texts, capsys):
    lines = Path("nbest.txt").read_text(encoding="utf-8").splitlines()
    flat = [re.sub(r"LM0= \S+ TM0= \S+ WordPenalty0= \S+", "LM0= 1 TM0= 2", line) for line in lines]
    with gzip.open("flat.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(flat) + "\n")
    for method in METHODS:
        status, _, err = type_in(capsys, method, "--nbest", "flat.gz", *REFS)
        assert status == 1
        assert "no feature differs between hypotheses of a source" in err


def test_weights_for_other_features_are_refused(texts, capsys):
    Path("other.txt").write_text("lm= 1\n", encoding="utf-8")
    status, _, err = type_in(capsys, "mert", *LISTS, "--start", "other.txt")
    assert status == 1
    assert "other.txt: no weight is for a feature of the lists (weights: lm; lists: LM0, TM0, WordPenalty0)" in err
    Path("some.txt").write_text("LM0= 1\n", encoding="utf-8")
    status, _, err = type_in(capsys, "mert", *LISTS, "--start", "some.txt")
    assert status == 0
    assert "no weight for 2 features of the lists ('TM0', 'WordPenalty0'), taken as 0" in err
    Path("more.txt").write_text("LM0= 1\nTM0= 1\nWordPenalty0= 0\nJump= 1 2\n", encoding="utf-8")
    status, out, err = type_in(capsys, "mert", *LISTS, "--start", "more.txt")
    assert (status, err) == (
        0,
        "tricolore: more.txt: 1 name in no list ('Jump'), left out of the result\n",
    )
    assert "Jump=" not in out


def test_lists_with_quite_other_features_are_refused(texts, capsys):
    Path("other.txt").write_text("0 ||| a ||| lm= 1\n0 ||| b ||| lm= 2\n", encoding="utf-8")
    Path("other.ref").write_text("a\n", encoding="utf-8")
    for kind in ("test", "held-out"):
        words = (f"--{kind}-nbest", "other.txt", f"--{kind}-refs", "other.ref")
        status, out, err = type_in(capsys, "mert", *LISTS, *words)
        assert (status, out) == (1, "")
        assert "other.txt: no feature is in the lists to tune on (LM0, TM0, WordPenalty0)" in err


def test_advice_on_text(texts, capsys):
    lines = Path("reference-b.txt").read_text(encoding="utf-8").splitlines()
    Path("gap.txt").write_text("\n".join(["", *lines[1:]]) + "\n", encoding="utf-8")
    words = ("mert", "--nbest", "nbest.txt", "--refs", "reference-a.txt", "gap.txt", "--restarts", "0")
    assert "1 of 24 references are empty lines (--missing-refs" in type_in(capsys, *words)[2]
    for flag in ("--missing-refs", "--force", "-q"):
        assert type_in(capsys, *words, flag)[2] == ""


def test_a_folder_that_is_not_there(texts, capsys):
    for words in (("-o", "nowhere/weights.txt"), ("--log", "nowhere/log.tsv")):
        status, _, err = type_in(capsys, "mert", "--nbest", "not read yet", *REFS, *words)
        assert status == 1
        assert "there is no folder nowhere" in err


def test_normalised_weights():
    assert normalised(np.zeros(2), "l1").tolist() == [0, 0]
    assert normalised(np.array([3.0, 4.0]), "l2").tolist() == [0.6, 0.8]
