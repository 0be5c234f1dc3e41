"""Coverage of intervals, and size of tests, of `compare`, `confidence` and `score`, for systems that do not differ."""

from functools import cache

import numpy as np
import pytest
from tables import agrees

import tricolore as tri
from tricolore.judge.score_table import Column
from tricolore.judge.significance.comparison import Settings
from tricolore.judge.significance.intervals import confidence_of, interval_of_scores
from tricolore.judge.significance.system_tests import Criterion, Runs, compare_columns
from tricolore.stats import Stats

pytestmark = pytest.mark.slow

DRAWS = 400
BLEU = tri.BLEU(tokenize="none")
ALPHA = 0.05

# Outputs of two equal systems ----------------------------------------------------------------------------------------


def noise(rng, data, *shape):
    """Errors of variance 1: heavy tails are t with 3 degrees of freedom."""
    return rng.standard_t(3, shape) / np.sqrt(3) if data == "heavy tails" else rng.normal(size=shape)


def outputs(rng, data, runs, segments, between=0.0, own=0.0):
    """Rows of runs of two systems: segments are easy for all, for one system (`own`), for one run; runs vary.

    `between` is the deviation of a run's quality, in units of that of its mean error over segments.
    """
    easy, easy_for_one = noise(rng, data, 1, 1, segments), own * noise(rng, data, 2, 1, segments)
    quality = between / np.sqrt(segments) * rng.normal(size=(2, runs, 1))
    scores = easy + easy_for_one + quality + noise(rng, data, 2, runs, segments)
    scores = scores.reshape(2 * runs, segments)
    if data == "BLEU":
        return bleu_rows(rng, scores)
    return scores if data != "ties" else np.clip(np.round(1.5 + scores), 0, 3)


def bleu_rows(rng, scores):
    """Matches of n-grams in segments of 8 to 30 words, which are right as often as the score says."""
    right = 1 / (1 + np.exp(-1.0 - 0.5 * scores))
    lengths = np.broadcast_to(rng.integers(8, 31, scores.shape[-1]), scores.shape)
    totals = [lengths - n for n in range(4)]
    matches = [rng.binomial(total, right ** (n + 1)) for n, total in enumerate(totals)]
    return np.stack([*matches, *totals, lengths, lengths], axis=-1).astype(float)


@cache
def truth(data, segments, between, own):
    """The expected score over runs and segments."""
    if data != "BLEU":
        return 1.5 if data == "ties" else 0.0
    rng = np.random.default_rng(1)
    latent = np.sqrt(2 + own**2) * rng.normal(size=(1, 200_000))
    runs = between / np.sqrt(segments) * rng.normal(size=40)
    return float(np.mean([BLEU.score(bleu_rows(rng, latent + run)[0].sum(axis=0)) for run in runs]))


def judged(rows, runs, seed, **how):
    """One comparison of two systems."""
    if rows.ndim == 3:
        column = Column("bleu", np.asarray(BLEU.score(rows)), rows, BLEU.score)
    else:
        column = Column.of_scores("score", rows)
    belong = Runs({"a": [*range(runs)], "b": [*range(runs, 2 * runs)]}, [""] * 2 * runs)
    trials = None if how.get("test") == "bs" else DRAWS - 1
    settings = Settings(trials=trials, resamples=DRAWS, seed=seed, **how)
    return compare_columns([Criterion(column, "score")], belong, settings).judgements[0]


def shares(data, runs, segments, between, own, measure, repeats):
    """The share, in per cent, of simulations in which each measure is true."""
    rng = np.random.default_rng((len(data), runs, segments, int(10 * between), int(10 * own), 15))
    target = truth(data, segments, between, own)
    found = [measure(outputs(rng, data, runs, segments, between, own), seed, target) for seed in range(repeats)]
    return [float(share) for share in 100 * np.mean(found, axis=0)]


# One run of each system ----------------------------------------------------------------------------------------------

ONE_RUN = [
    *[(data, segments) for data in ("Gaussian", "heavy tails", "ties", "BLEU") for segments in (50, 500)],
    *[(data, few) for few in (30, 12) for data in ("Gaussian", "heavy tails", "ties")],
]


def one_run(data, segments):
    """Coverage of a score and of the difference, then the size of ar and bs."""

    def measure(rows, seed, target):
        if rows.ndim == 3:
            alone = confidence_of(BLEU, Stats(rows[0], BLEU.columns), resamples=DRAWS, seed=seed).interval
        else:
            alone = interval_of_scores(rows[0], resamples=DRAWS, seed=seed)
        by_ar, by_bs = (judged(rows, 1, seed, test=test) for test in ("ar", "bs"))
        assert by_ar.exact == (segments == 12)
        pair = by_bs.pairs[0]
        return target in alone, 0.0 in pair.interval, by_ar.pairs[0].p <= ALPHA, pair.p <= ALPHA

    return [data, str(segments), *shares(data, 1, segments, 0.0, 0.5, measure, 600)]


@pytest.mark.parametrize("cell", ONE_RUN, ids=str)
def test_one_run(cell):
    row = one_run(*cell)
    score, difference, ar, bs = map(round, row[2:])
    assert ar <= 7
    if cell[1] > 12:
        assert min(score, difference) >= 92
        assert max(score, difference) <= 97
        assert min(ar, bs) >= 3
        assert bs <= 7
    agrees("significance", HEADERS, row)


# Several runs --------------------------------------------------------------------------------------------------------

#: Data, runs, segments, how much runs vary, and how much segments are easy for one system only.
SEVERAL = [
    *[("Gaussian", 3, n, between, own) for n in (50, 500) for between, own in ((0.0, 0.0), (3.0, 0.0), (0.0, 1.0))],
    *[(data, 3, n, 2.0, 0.5) for data in ("heavy tails", "ties", "BLEU") for n in (50, 500)],
    *[("Gaussian", 5, n, between, own) for n in (50, 500) for between, own in ((3.0, 0.0), (0.0, 1.0))],
    *[("Gaussian", 2, *others) for others in ((50, 3.0, 0.0), (500, 3.0, 0.0), (50, 0.0, 1.0))],
]


def several_runs(data, runs, segments, between, own):
    """Coverage of a score and of the difference, and the size of ar and bs, as units and stratified."""

    def measure(rows, seed, target):
        found = []
        for runs_as in ("units", "stratified"):
            by_ar, by_bs = (judged(rows, runs, seed, test=test, runs_as=runs_as) for test in ("ar", "bs"))
            system, pair = by_bs.system("a"), by_bs.pairs[0]
            assert by_ar.pairs[0].interval == pair.interval
            found += [target in system.interval, 0.0 in pair.interval, by_ar.pairs[0].p <= ALPHA, pair.p <= ALPHA]
            if runs_as == "units":
                found.append(by_ar.pairs[0].p_runs <= ALPHA)
        return found

    about = [data, f"{runs} + {runs}", str(segments), f"{between:g}", f"{own:g}"]
    return [*about, *shares(data, runs, segments, between, own, measure, 600)]


@pytest.mark.parametrize("cell", SEVERAL, ids=str)
def test_several_runs(cell):
    row = several_runs(*cell)
    score, difference, ar, bs, _, *stratified = map(round, row[5:])
    assert ar <= 7
    assert ar == 0 or cell[1] > 3
    assert bs <= 7
    if cell[1] > 2:
        assert 92 <= score <= 97
        assert 92 <= difference <= 99  # conservative
    if cell[3] == 3.0:  # runs that differ as systems do
        assert stratified[2] > 30
    agrees("significance-runs", HEADERS, row)


# Tables --------------------------------------------------------------------------------------------------------------

HEADERS = {
    "significance": ["scores", "segments", "score covered", "difference covered", "`ar`", "`bs`"],
    "significance-runs": [
        *("scores", "runs", "segments", "runs vary", "own segments", "score covered", "difference covered"),
        *("`ar`", "`bs`", "exchange alone", "stratified: score", "difference", "`ar`", "`bs`"),
    ],
}
TABLES = {
    "significance": lambda: (HEADERS["significance"], [one_run(*cell) for cell in ONE_RUN]),
    "significance-runs": lambda: (HEADERS["significance-runs"], [several_runs(*cell) for cell in SEVERAL]),
}


# Real systems --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["mqm-ted-ende", "mqm-bio-en2de", "mqm-wmt23-sxs-ende"])
def test_six_systems_posing_as_runs(name, shared):
    """Any three of six systems are called runs of one, the others of another."""
    folder = shared / "data" / "human" / name
    refs, *outputs = (
        path.read_text("utf-8").removesuffix("\n").split("\n")
        for path in [sorted((folder / "references").iterdir())[0], *sorted((folder / "systems").iterdir())]
    )
    rows = np.stack([tri.BLEU().stats(output, refs).values for output in outputs])
    rng, found = np.random.default_rng(1), []
    for seed in range(200):
        six = rows[rng.permutation(len(rows))[:6]]
        ways = ({"test": "ar", "runs_as": "stratified"}, {"test": "ar"}, {"test": "bs"})
        found.append([judged(six, 3, seed, **how).pairs[0].p <= ALPHA for how in ways])
    stratified, exchanged, both = 100 * np.mean(found, axis=0)
    assert stratified > 40
    assert exchanged == 0
    assert both <= 7
