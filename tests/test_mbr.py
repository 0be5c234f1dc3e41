"""Minimum Bayes risk: the same choice as two plain loops over scores; cheaper ways; the command, mistakes included."""

import gzip
import json
import math
import os
import subprocess
import sys
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from interrupting import interrupt
from strategies import adversarial, sentence

import tricolore as tri
from tricolore import InputError, InputTypeError, SpecError, mbr, metric
from tricolore.cli import run
from tricolore.examples import lines as example
from tricolore.metrics import NAMES
from tricolore.metrics.base import Metric
from tricolore.readers.nbest import read_nbest
from tricolore.tuning.mbr import MBR, Source, first_best, softmax

FISHER = "nbest/thot-fisher-test-es-en"
METRICS = ["bleu(short=effective)", "bleu(smooth=7)", "chrf", "chrf++", "ter", "rouge-l", "gleu", "grr", "nist"]


def loops(made, texts, references=None, probabilities=None):
    """Expected gains by two loops over the scores of single segments, summed exactly."""
    evidence = texts if references is None else references
    shares = [Fraction(1, len(evidence))] * len(evidence)
    if probabilities is not None:
        total = sum(map(Fraction, probabilities))
        shares = [Fraction(p) / total for p in probabilities]
    ready = made.prepare(tri.References([[ref] for ref in evidence]))
    gains = []
    for hyp in texts:
        scores = ready.segments([hyp] * len(evidence), [[ref] for ref in evidence])
        gain = sum(share * Fraction(float(score)) for share, score in zip(shares, scores, strict=True))
        gains.append(gain if made.higher_is_better else -gain)
    return gains


def first_of_equals(gains):
    best = max(gains)
    return next(i for i, gain in enumerate(gains) if best - gain <= Fraction(1, 10**13) * (1 + abs(best)))


def check(made, choice, texts, references=None, probabilities=None):
    gains = loops(made, texts, references, probabilities)
    np.testing.assert_allclose(choice.gains, [float(gain) for gain in gains], rtol=1e-9, atol=1e-12)
    assert choice.index == first_of_equals(gains)
    assert choice.gain == choice.gains[choice.index]


texts = st.lists(st.one_of(sentence(6), adversarial), min_size=1, max_size=6)
shares = st.lists(st.integers(0, 3), min_size=6, max_size=6).filter(any)


@settings(max_examples=60)
@given(texts, st.sampled_from(METRICS), shares, st.booleans())
def test_the_choice_of_two_loops(drawn, name, weights, weighted):
    probabilities = weights[: len(drawn)] if weighted and any(weights[: len(drawn)]) else None
    check(metric(name), mbr(drawn, name, probabilities=probabilities), drawn, None, probabilities)


@settings(max_examples=60)
@given(texts, texts, st.sampled_from(METRICS))
def test_other_evidence(drawn, evidence, name):
    check(metric(name), mbr(drawn, name, references=evidence), drawn, evidence)


@given(st.lists(texts, max_size=6), st.sampled_from(["bleu(short=effective)", "chrf", "wer", "nist"]))
def test_many_sources_are_as_many_choices(drawn, name):
    way = MBR(metric(name))
    for threads in (1, 3):
        found = [*way.choose(iter([Source(one) for one in drawn]), threads=threads)]
        for choice, one in zip(found, drawn, strict=True):
            alone_ = mbr(one, name)
            assert (choice.index, choice.gain, choice.pairs) == (alone_.index, alone_.gain, alone_.pairs)
            np.testing.assert_array_equal(choice.gains, alone_.gains)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "length"])
def test_any_metric(name):
    candidates = ["the cat sat on the mat", "a cat sat on the mat", "", "the cat sat", "dogs", "a cat sat on the mat"]
    choice = mbr(candidates, name)
    check(metric(name).for_segments, choice, candidates)  # as on the command line
    assert choice.text == candidates[choice.index]
    check(metric(name), mbr(candidates, metric(name)), candidates)


def test_sources_are_taken_as_they_are_needed():
    taken = []

    def sources():
        for i in range(2000):
            taken.append(i)
            yield Source([f"a b c d {i} {k}" for k in range(30)])

    for name in ("chrf", "wer", "nist"):
        taken.clear()
        next(MBR(metric(name)).choose(sources(), threads=1))
        assert len(taken) < 100


def test_a_cheaper_method_is_suggested_where_all_pairs_take_minutes(monkeypatch, tmp_path, capsys):
    texts = [f"{i} cats and {i % 7} dogs" for i in range(60)]
    heard: list[str] = []
    mbr(samples=[texts, texts], metric="chrf", suggest=heard.append)
    assert not heard
    monkeypatch.setattr("tricolore.tuning.mbr_pace.SLOW", 0.0)
    mbr(samples=[texts, texts], metric="chrf", suggest=heard.append)
    mbr(texts, "chrf", suggest=heard.append)
    assert heard == ["scoring all 3,600 pairs per source by chrf takes minutes; method prune scores fewer"] * 2
    heard.clear()
    mbr(samples=[texts[:40]], metric="chrf", suggest=heard.append)  # too few
    mbr(samples=[texts], metric="chrf", method="prune", suggest=heard.append)
    assert not heard
    file = tmp_path / "samples.txt"
    file.write_text("\n".join(texts) + "\n", encoding="utf-8")
    for quiet in ([], ["--quiet"]):
        assert run(["mbr", "--samples", str(file), "-n", "60", *quiet]) == 0
        assert ("--method prune scores fewer" in capsys.readouterr().err) == (not quiet)


def test_counts_beyond_a_byte():
    candidates = ["a " * 700 + "b", "a " * 300, "b a " * 400, "b"]
    for name in ("bleu", "chrf"):
        check(metric(name), mbr(candidates, metric(name)), candidates)


def test_token_numbers():
    candidates = [[1, 2, 3], np.array([1, 2, 4]), (1, 2, 3), [], [9]]
    choice = mbr(candidates, "bleu(smooth=7)")
    assert choice.index == 0
    assert choice.pairs == 16  # the same numbers are the same text
    assert choice.gains[0] == choice.gains[2]


def test_duplicates_count_as_often_as_they_are_there():
    choice = mbr(["a b", "c d", "c d"], "wer")
    assert (choice.index, choice.pairs) == (1, 4)
    assert choice.gain == pytest.approx(-1 / 3)
    assert choice.gains.tolist() == pytest.approx([-2 / 3, -1 / 3, -1 / 3])


def test_evidence_without_probability_is_left_out():
    choice = mbr(["a b", "c d", "e"], "wer", probabilities=[0, 1, 0])
    assert (choice.index, choice.pairs) == (1, 3)


def test_the_first_of_equals_although_sums_are_rounded():
    # Symmetric scores in three orders of summation.
    candidates = ["a b c", "b c a", "c a b"]
    for probabilities in (None, [0.1, 0.1, 0.1]):
        assert mbr(candidates, "bleu(order=1)", probabilities=probabilities).index == 0
    assert first_best(np.array([0.3, 0.1 + 0.2]), 1.0) == 0
    assert first_best(np.array([0.1, np.nan, 0.1 + 1e-9]), 1.0) == 2
    assert first_best(np.array([-np.inf, 1.0, np.inf]), np.inf) == 2
    assert first_best(np.array([np.nan]), 1.0) is None


class Broken(tri.WER):
    """An error rate that is not a number for some texts."""

    def value(self, row):
        return np.where(row[1] > 2, np.nan, super().value(row))


def test_what_is_not_a_number_is_never_chosen():
    choice = mbr(["a b c", "a b", "x"], Broken())
    assert choice.index == 2
    assert math.isnan(choice.gains[0])
    with pytest.raises(InputError, match="source 0: the expected gain of every candidate is undefined"):
        mbr(["a b c"], Broken())


def test_softmax():
    scores = np.array([-10.0, -11.0, -10000.0])
    expected = np.exp(0.5 * scores - 0.5 * scores.max())
    np.testing.assert_allclose(softmax(scores, 0.5), expected / expected.sum())
    assert softmax([1, 2], 0).tolist() == [0.5, 0.5]
    assert softmax([-np.inf, 3.0]).tolist() == [0.0, 1.0]
    for wrong in ([], [-np.inf], [1e308, 1.0], [np.nan]):
        with pytest.raises(InputError, match="finite"):
            softmax(wrong, 10.0)


def test_learning():
    assert not tri.NIST().is_prepared
    assert tri.NIST().prepare(["a b"]).is_prepared
    assert tri.BLEU().is_prepared
    ready = tri.NIST().prepare(["a b", "b c", "a"])
    candidates = ["a b", "b c d"]
    choice = mbr(candidates, ready)
    scores = [[float(ready.segment(hyp, ref)) for ref in candidates] for hyp in candidates]
    assert choice.gains.tolist() == pytest.approx(np.mean(scores, axis=1))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"texts": []}, "source 0: there is no candidate; expected at least one"),
        ({"texts": "a b"}, "source 0: candidates: expected a list"),
        ({"texts": ["a"], "references": []}, "source 0: there is no reference to compare with"),
        ({"texts": ["a", None]}, "source 0: hypothesis 1: expected a string or token ids, got None"),
        (
            {"texts": ["a"], "references": ["a", 3]},
            "source 0: reference 1: expected a string or token ids, got int",
        ),
        ({"texts": ["a", "b"], "probabilities": [1]}, "source 0: expected a probability for each of 2 texts"),
        ({"texts": ["a", "b"], "probabilities": [1, -1]}, "source 0: expected probabilities of 0 or more, not all 0"),
        ({"texts": ["a", "b"], "probabilities": [0, 0]}, "source 0: expected probabilities of 0 or more, not all 0"),
        ({"texts": ["a", "b"], "probabilities": [1, np.nan]}, "source 0: expected probabilities of 0 or more"),
    ],
)
@pytest.mark.parametrize("name", ["chrf", "nist", "wer"])
def test_what_is_wrong_is_told_with_its_source(given, message, name):
    with pytest.raises(InputError) as found:
        mbr(metric=name, **given)
    assert str(found.value).startswith(message)


def test_sources_may_be_lists():
    way = MBR(metric("chrf"))
    lists = [["a b", "b c", "b c"], ["x"]]
    assert [choice.text for choice in way.choose(lists)] == ["b c", "x"]
    for wrong in ("a b", Source(["a"]), 3):
        with pytest.raises(InputTypeError, match="sources: expected a list of them"):
            next(way.choose(wrong))
    with pytest.raises(InputTypeError, match="metric: expected a metric"):
        MBR("chrf")


def test_the_source_is_named():
    sources = [Source(["a"]), Source(["b", "c"]), Source(["d", 3])]
    for name in ("chrf", "wer", "nist"):
        for method in ("exact", "prune"):
            with pytest.raises(InputError, match=r"^source 2: hypothesis 1: expected a string"):
                [*MBR(metric(name), method=method).choose(sources)]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"method": "exat"},
            "method must be one of exact, aggregate, coarse, prune; got 'exat'; did you mean",
        ),
        ({"keep": 0}, "keep must be a whole number from 1"),
        ({"start": 1}, "start must be a whole number from 2"),
        ({"confidence": 1.5}, "confidence must be a number"),
        ({"resamples": 0}, "resamples must be"),
        ({"seed": -1}, "seed must be"),
        ({"metric": metric("length")}, "length: neither higher nor lower is better"),
        ({"metric": metric("ter"), "method": "aggregate"}, "ter: method aggregate averages n-grams"),
        ({"metric": metric("tbleu"), "method": "coarse"}, "tbleu: method coarse averages n-grams"),
    ],
)
def test_ways_that_cannot_be(given, message):
    with pytest.raises(SpecError) as found:
        MBR(**{"metric": metric("chrf"), **given})
    assert str(found.value).startswith(message)


# Cheaper ways ----------------------------------------------------------------------------------------------

AVERAGED = [
    "bleu(short=effective)",
    "bleu-sbp",
    "bleus",
    "char-bleu(smooth=1)",
    "doc-bleu",
    "chrf++",
    "gleu",
    "rouge-2",
]


def candidates_of(size, seed=1):
    """Texts that resemble one another, some more than others."""
    random = np.random.default_rng(seed)
    words = np.array([f"w{i}" for i in range(40)])
    hidden = random.choice(words, 15)
    noise = random.uniform(0.05, 0.7, size)
    return [" ".join(np.where(random.random(15) < p, random.choice(words, 15), hidden)) for p in noise]


@pytest.mark.parametrize("name", AVERAGED)
def test_with_one_reference_an_average_is_exact(name):
    candidates = candidates_of(8)
    exact = mbr(candidates, name, references=candidates[:1])
    averaged = mbr(candidates, name, references=candidates[:1], method="aggregate")
    np.testing.assert_allclose(averaged.gains, exact.gains, rtol=1e-12)
    assert (averaged.index, averaged.pairs) == (exact.index, 8)


@given(texts, st.sampled_from(AVERAGED))
def test_what_is_kept_is_scored_exactly(drawn, name):
    way = MBR(metric(name), method="coarse", keep=2)
    [choice] = way.choose([Source(drawn)])
    exact = mbr(drawn, metric(name))
    kept = ~np.isnan(choice.gains)
    assert 1 <= len({text for text, one in zip(drawn, kept, strict=True) if one}) <= 2
    np.testing.assert_allclose(choice.gains[kept], exact.gains[kept], rtol=1e-12, atol=1e-15)
    assert choice.gain <= exact.gain + 1e-12
    [everything] = MBR(metric(name), method="coarse", keep=100).choose([Source(drawn)])
    assert everything.index == exact.index


@pytest.mark.parametrize("name", ["chrf", "ter", "nist"])
def test_pruning(name):
    candidates = candidates_of(60)
    way = MBR(metric(name), method="prune", start=8)
    exact = mbr(candidates, name)
    [choice] = way.choose([Source(candidates)])
    assert choice.index == exact.index
    assert choice.pairs < 0.8 * exact.pairs
    assert np.isnan(choice.gains).any()
    for threads in (1, 3):
        [again] = way.choose([Source(candidates)], threads=threads)
        np.testing.assert_array_equal(again.gains, choice.gains)
        assert again.pairs == choice.pairs


@given(texts, st.integers(0, 5))
def test_pruning_takes_all_evidence_where_it_is_little(drawn, seed):
    way = MBR(metric("chrf"), method="prune", start=50, seed=seed)
    [choice] = way.choose([Source(drawn)])
    exact = mbr(drawn, "chrf")
    np.testing.assert_allclose(choice.gains, exact.gains, rtol=1e-12, atol=1e-15)
    assert choice.index == exact.index


def test_pruning_weighs_evidence():
    candidates = candidates_of(40)
    probabilities = softmax(np.linspace(0, -8, 40))
    [choice] = MBR(metric("chrf"), method="prune", start=10).choose([Source(candidates, probabilities=probabilities)])
    assert choice.index == mbr(candidates, "chrf", probabilities=probabilities).index


def test_a_metric_of_ones_own():
    assert not Metric.averages_references
    assert MBR(metric("chrf"), "prune").items == {
        "mbr": "prune", "start": 16, "confidence": 0.99, "resamples": 500, "seed": 12345,
    }  # fmt: skip
    assert MBR(metric("chrf"), "coarse", keep=3).items == {"mbr": "coarse", "keep": 3}


# The command -----------------------------------------------------------------------------------------------

LISTS = ("--nbest", "nbest.txt")
REFS = ("--refs", "reference-a.txt", "reference-b.txt")


def type_in(capsys, *words):
    capsys.readouterr()
    status = run(["mbr", *map(str, words)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def lists_of(path="nbest.txt"):
    return [(one.texts, [float(rest.split("|||")[1]) for rest in one.rest]) for one in read_nbest(path)]


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter", "nist"])
@pytest.mark.parametrize("flags", [["--uniform"], [], ["--scale", "0.25"]], ids=" ".join)
def test_lines_and_summary(demo, capsys, name, flags):
    status, out, err = type_in(capsys, *LISTS, *REFS, "-m", name, *flags)
    assert status == 0
    segment = metric(name).for_segments
    scale = float(flags[1]) if "--scale" in flags else 1.0
    expected, gains = [], []
    for texts_, totals in lists_of():
        probabilities = None if "--uniform" in flags else softmax(totals, scale)
        choice = mbr(texts_, segment, probabilities=probabilities)
        expected.append(texts_[choice.index])
        gains.append(choice.gain)
    assert out.splitlines() == expected
    how, chosen, first = err.splitlines()
    p = "p:uniform" if "--uniform" in flags else f"p:totals|scale:{scale}"
    assert how.startswith(f"tricolore: mbr: {segment.title}|nrefs:1|mbr:exact|evidence:candidates|{p}|")
    mean = np.mean(gains) * segment.display_scale * (1 if segment.higher_is_better else -1)
    assert how.endswith(f" = {mean:.{segment.display_digits + 1}f} (expected, mean of 12 sources)")
    references = tri.References.from_streams([example(ref) for ref in ("reference-a", "reference-b")])
    score = metric(name)(expected, references)
    assert chosen.startswith(
        f"tricolore: chosen: {segment.title}|nrefs:2|mbr:exact|evidence:candidates|{p}|by:{segment.spec}|"
    )
    assert f" = {score.display(metric(name).display_digits)}" in chosen
    assert first.startswith(f"tricolore: first: {segment.title}|nrefs:2|chosen:first|")


def test_the_default_is_chrf(demo, capsys):
    assert type_in(capsys, *LISTS) == type_in(capsys, *LISTS, "-m", "chrf")


def test_scores_and_json(demo, capsys):
    _, out, _ = type_in(capsys, *LISTS, "-m", "ter", "--scores", "-w", "4")
    _, rows, _ = type_in(capsys, *LISTS, "-m", "ter", "--json", "-q")
    for number, (line, row, (texts_, totals)) in enumerate(
        zip(out.splitlines(), map(json.loads, rows.splitlines()), lists_of(), strict=True)
    ):
        choice = mbr(texts_, "ter", probabilities=softmax(totals))
        assert line == f"{-100 * choice.gain:.4f}\t{texts_[choice.index]}"
        assert (row["source"], row["index"], row["text"]) == (number, choice.index, texts_[choice.index])
        assert row["score"] == pytest.approx(-100 * choice.gain)
        assert [one["text"] for one in row["candidates"]] == texts_
        assert [one["score"] for one in row["candidates"]] == pytest.approx((-100 * choice.gains).tolist())
        assert sum(one["probability"] for one in row["candidates"]) == pytest.approx(1)


def test_json_says_nothing_of_what_was_not_scored(demo, capsys):
    _, rows, _ = type_in(capsys, *LISTS, "--method", "coarse", "--keep", "2", "--json", "-q")
    scores = [one["score"] for one in json.loads(rows.splitlines()[0])["candidates"]]
    assert scores.count(None) == len(scores) - 2


def test_samples(demo, capsys):
    lists = [texts_[:5] for texts_, _ in lists_of()]
    (demo / "all.txt").write_text("".join(f"{text}\n" for texts_ in lists for text in texts_))
    for k in range(5):
        (demo / f"s{k}.txt.gz").write_bytes(gzip.compress("".join(f"{texts_[k]}\n" for texts_ in lists).encode()))
    together = type_in(capsys, "--samples", "all.txt", "-n", "5", *REFS)
    assert together[0] == 0
    assert together == type_in(capsys, "--samples", *(f"s{k}.txt.gz" for k in range(5)), *REFS)
    assert together[1] == type_in(capsys, *LISTS, "-n", "5", "--uniform")[1]
    assert "|p:uniform|" in together[2]


def test_weights_instead_of_totals(demo, capsys):
    status, out, err = type_in(capsys, *LISTS, "--weights", "weights.txt", "--scale", "0.3")
    assert status == 0
    assert "|p:weights|scale:0.3|" in err
    from tricolore.tuning.scored_lists import ScoredLists
    from tricolore.weights import read_weights

    expected = []
    for found in ScoredLists(["nbest.txt"], read_weights("weights.txt")):
        expected.append(found.texts[mbr(found.texts, "chrf", probabilities=softmax(found.scores, 0.3)).index])
    assert out.splitlines() == expected


def test_the_same_hypothesis_in_two_lists_counts_once(demo, capsys):
    (demo / "again.txt").write_text((demo / "nbest.txt").read_text())
    twice = ["--nbest", "nbest.txt", "again.txt"]
    assert type_in(capsys, *twice, "--json") == type_in(capsys, *LISTS, "--json")
    rows = type_in(capsys, *twice, "--uniform", "--json")[1].splitlines()
    assert len(json.loads(rows[0])["candidates"]) == 12  # here lines are samples


def test_check(demo, capsys):
    for method in (["aggregate"], ["coarse", "--keep", "2"], ["prune", "--start", "2", "--seed", "7"]):
        status, _, err = type_in(capsys, *LISTS, "--uniform", "--method", *method, "--check", "5")
        assert status == 0
        assert f"|mbr:{method[0]}|" in err
        said = err.splitlines()[1]
        assert said.startswith(f"tricolore: check: {method[0]} beside exact on 5 sources: ")
        assert said.endswith(" % of pairs saved")
    assert "|start:2|confidence:0.99|resamples:500|seed:7|" in err


def test_the_file_is_what_would_be_printed(demo, capsys):
    _, out, _ = type_in(capsys, *LISTS)
    assert type_in(capsys, *LISTS, "-o", "best.txt.gz", "-q") == (0, "", "")
    assert gzip.decompress((demo / "best.txt.gz").read_bytes()).decode() == out


def test_threads_change_nothing(demo, capsys):
    for flags in ([], ["-m", "ter"], ["--method", "prune", "--start", "2"]):
        assert type_in(capsys, *LISTS, *flags, "-j", "1") == type_in(capsys, *LISTS, *flags, "-j", "3")


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (
            [],
            2,
            "no n-best list is given; name one or more with --nbest, samples with --samples",
        ),
        (["nbest.txt"], 2, "'nbest.txt' was not expected; n-best lists are named with --nbest"),
        ([*LISTS, "--samples", "a.txt"], 2, "--nbest and --samples exclude each other"),
        (["--samples", "a.txt"], 2, "--first: required with one file of samples: its lines per source"),
        (["--samples", "a.txt", "b.txt", "-n", "2"], 2, "--first: for one file of samples; 2 files have one line"),
        (["--samples", "a.txt", "a.txt"], 2, "a.txt is given twice as samples"),
        (["--samples", "a.txt", "-n", "2", "--scale", "1"], 2, "--scale: for n-best lists, not samples"),
        (["--samples", "a.txt", "-n", "2", "--uniform"], 2, "--uniform: for n-best lists, not samples"),
        (
            [*LISTS, "--uniform", "--scale", "2"],
            2,
            "--scale: of no use where all candidates are equally",
        ),
        (
            [*LISTS, *REFS, "--uniform", "--scales", "2"],
            2,
            "--scales: of no use where all candidates are equally",
        ),
        ([*LISTS, "--scales", "2"], 2, "--scales: requires references"),
        (["--nbest", "-", "--scales", "2", "--refs", "ref.txt"], 2, "--scales reads the lists several times"),
        ([*LISTS, "--scale", "-1"], 2, "--scale must be a number, 0 or more, or none; got '-1'"),
        ([*LISTS, "--scale", "nan"], 2, "--scale must be a number, 0 or more, or none; got 'nan'"),
        ([*LISTS, "-m", "bleu", "ter"], 2, "--metrics: expected one metric to choose by; got 2"),
        ([*LISTS, "-m", "length"], 2, "length: neither higher nor lower is better"),
        (
            [*LISTS, "--method", "exakt"],
            2,
            "--method must be one of exact, aggregate, coarse, prune; got 'exakt'",
        ),
        ([*LISTS, "--method", "aggregate", "-m", "ter"], 2, "ter: method aggregate averages n-grams"),
        ([*LISTS, "--keep", "3"], 2, "--keep: for method coarse; it is exact"),
        ([*LISTS, "--method", "coarse", "--seed", "3"], 2, "--seed: for method prune; it is coarse"),
        ([*LISTS, "--method", "coarse", "--keep", "0"], 2, "--keep must be a whole number from 1"),
        ([*LISTS, "--check", "3"], 2, "--check: compares a cheaper method with the exact one"),
        ([*LISTS, "--method", "coarse", "--check", "0"], 2, "--check must be a whole number from 1"),
        ([*LISTS, "--json", "--scores"], 2, "--scores and --json exclude each other"),
        ([*LISTS, "-n", "0"], 2, "--first must be a whole number from 1"),
        ([*LISTS, "-o", "nbest.txt"], 2, "--output: nbest.txt is one of the files to read"),
        (["--samples", "a.txt", "-n", "2", "-o", "a.txt"], 2, "--output: a.txt is one of the files to read"),
        (["--nbest", "-", "--refs", "-"], 2, "standard input can be read only once"),
        (
            ["--nbest", "bare.txt"],
            1,
            "bare.txt: line 1: the hypothesis has no finite total; expected ",
        ),
        (["--nbest", "gone.txt"], 1, "gone.txt: no such file"),
        (
            ["--samples", "a.txt", "-n", "3"],
            1,
            "a.txt: ends at line 4, 1 lines into source 1; expected 3 lines for each",
        ),
        (
            ["--samples", "a.txt", "b.txt"],
            1,
            "b.txt: ends at line 3, but a.txt goes on; expected a line for each source",
        ),
        (["--samples", "empty.txt", "-n", "3"], 1, "empty.txt: the file is empty; expected samples, one a line"),
        (
            ["--samples", "a.txt", "-n", "2", *REFS],
            1,
            "a.txt: ends with source 1, but reference-a.txt goes on to line 12",
        ),
        (
            ["--samples", "a.txt", "-n", "1", "-r", "b.txt"],
            1,
            "a.txt: line 4: source 3 has no references; b.txt ends at",
        ),
        (["--nbest", "low.txt"], 1, "source 0: expected at least one finite score after scaling"),
        ([*LISTS, "-o", "gone/best.txt"], 1, "gone/best.txt: cannot be written (there is no folder gone)"),
        (["--nbest", "breaks.jsonl", "--uniform"], 1, "source 0: the translation contains a line break"),
    ],
)
def test_mistakes(demo, capsys, words, status, message):
    (demo / "a.txt").write_text("a\nb\nc\nd\n")
    (demo / "b.txt").write_text("a\nb\nc\n")
    (demo / "empty.txt").write_text("")
    (demo / "bare.txt").write_text("0 ||| a b\n0 ||| c\n")
    (demo / "low.txt").write_text("0 ||| a b ||| lm= 1 ||| -inf\n")
    (demo / "breaks.jsonl").write_text('{"translations": ["a\\nb"]}\n')
    found, out, err = type_in(capsys, *words)
    assert found == status
    assert err.startswith(f"tricolore: {message}"), err
    assert err.count("\n") == 1
    if status == 2:
        assert not out
    assert not list(demo.glob(".*"))


def test_a_list_without_totals_asks_what_is_meant(demo, capsys):
    (demo / "bare.txt").write_text("0 ||| a b\n0 ||| c\n0 ||| c\n")
    _, _, err = type_in(capsys, "--nbest", "bare.txt")
    assert err.endswith("or weights for its features, or --uniform if all are equally probable\n")
    assert type_in(capsys, "--nbest", "bare.txt", "--uniform", "-q") == (0, "c\n", "")


def test_ctrl_c_leaves_nothing_half_written(tmp_path):
    samples = tmp_path / "samples.txt"
    line = " ".join(f"w{i}" for i in range(300))
    samples.write_text("".join(f"{line} x{i}\n" for i in range(8000)))
    command = [
        sys.executable,
        "-m",
        "tricolore",
        "mbr",
        "--samples",
        samples,
        "-n",
        "200",
        "-m",
        "ter",
        "-o",
        tmp_path / "out",
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as child:
        while child.poll() is None and not list(tmp_path.glob(".out.*.part")):
            time.sleep(0.01)
        assert interrupt(child) == 130
        assert child.stderr.read() == "tricolore: interrupted\n"
    assert os.listdir(tmp_path) == ["samples.txt"]


def test_scales_are_tried(demo, capsys):
    common = ["mbr", "--nbest", "nbest.txt", "--refs", "reference-a.txt", "-m", "bleu"]
    scales = ["0", "0.3", "1", "3"]
    scores = []
    for scale in scales:
        assert run([*common, "--scale", scale]) == 0
        found = capsys.readouterr()
        scores.append(
            float(metric("bleu")(found.out.splitlines(), (demo / "reference-a.txt").read_text().splitlines()))
        )
    best = scales[scores.index(max(scores))]
    assert run([*common, "--scale", best]) == 0
    expected = capsys.readouterr().out
    assert run([*common, "--scales", *scales]) == 0
    found = capsys.readouterr()
    assert found.out == expected
    lines = [line for line in found.err.splitlines() if line.startswith("tricolore: scale ")]
    assert [float(line.split(" = ")[1].split()[0]) for line in lines] == pytest.approx(
        [100 * score for score in scores], abs=0.006
    )
    assert [line.endswith("(best)") for line in lines] == [scale == best for scale in scales]


def test_real_lists(shared, capsys):
    path = shared / "data" / FISHER / "nbest.txt.gz"
    references = [shared / "data" / FISHER / f"ref{k}.txt" for k in range(4)]
    flags = ["-m", "bleu(tokenize=none)", "--scale", "0.1", "--refs", *references, "--force", "-w", "4"]
    status, out, err = type_in(capsys, "--nbest", path, *flags)
    assert status == 0
    assert len(out.splitlines()) == 200
    chosen, first = (float(line.rsplit(" = ")[1].split()[0]) for line in err.splitlines()[1:])
    assert chosen > first + 0.3
