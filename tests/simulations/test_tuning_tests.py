"""How often `tune` finds a difference between tuned weights and the start where there is none.

Texts of sources are drawn from a pool; features are made anew. In the worlds `noise`, `long` (sentence lengths with a
heavy tail) and `ties` (three candidates, many of them copies) features say nothing about quality, so that no weights
are better than others and tuned weights vary as much as they can. In `equal` the start chooses by one feature and the
tuner by another that is equally good, so that tuned weights hardly vary.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import tables

from tricolore import BLEU, metric
from tricolore.candidates import Candidates
from tricolore.features import Features, Group, Layout
from tricolore.tuning import tuner
from tricolore.tuning.bounds import Bounds
from tricolore.tuning.repeated_runs import Setup, run_once
from tricolore.tuning.run_scores import OVERLAP, RunTest, p_values
from tricolore.tuning.tuning_result import Method

REPORT = BLEU(smooth="none", tokenize="none")
TUNERS = {
    "mert": (tuner("mert", restarts=1, directions=0), metric("bleu(tokenize=none)")),
    "mira": (tuner("mira", C=0.1, epochs=1), metric("bleu(tokenize=none)")),
    "xbleu": (tuner("xbleu", epochs=4), metric("bleu(smooth=4, tokenize=none)").for_segments),
}
WORDS = np.array([*"abcdefghijklmnop"])
SIMULATIONS = 400

#: World, tuner, sources, folds (0: a test set as large), repetitions, runs.
CELLS = (
    ("noise", "xbleu", 50, 2, 5, 1),
    ("noise", "xbleu", 50, 2, 10, 1),
    ("noise", "xbleu", 50, 5, 5, 1),
    ("noise", "xbleu", 50, 10, 3, 1),
    ("noise", "xbleu", 200, 2, 5, 1),
    ("noise", "xbleu", 50, 2, 1, 3),
    ("noise", "mira", 30, 2, 5, 1),
    ("noise", "mert", 50, 2, 5, 1),
    ("long", "xbleu", 50, 2, 5, 1),
    ("ties", "xbleu", 50, 2, 5, 1),
    ("equal", "xbleu", 50, 2, 5, 1),
    ("noise", "xbleu", 50, 0, 1, 1),
    ("noise", "mert", 50, 0, 1, 3),
)

#: As the docs say.
CONSERVATIVE = (("noise", "mira", 30, 2, 5, 1),)


@cache
def pool(world):
    """Sources to draw from, and how many words of each candidate are wrong."""
    rng, lists, references, errors = np.random.default_rng(1), [], [], []
    for _ in range(600):
        length = 8 if world != "long" else 4 + int(min(rng.pareto(1.2) * 4, 80))
        reference, number = rng.choice(WORDS, length), 3 if world == "ties" else 6
        wrong = (
            rng.integers(0, 2, number) * 3 if world == "ties" else rng.integers(length // 8, length * 5 // 8, number)
        )
        texts = [" ".join(np.where(rng.permutation(length) < n, rng.choice(WORDS, length), reference)) for n in wrong]
        lists.append((texts, rng.normal(size=(number, 1))))
        references.append(" ".join(reference))
        errors.append(wrong / length)
    candidates = Candidates.of(lists, references)
    for used in (REPORT, *(one for _, one in TUNERS.values())):
        candidates.rows(used)
    return candidates, errors


def drawn(world, sources, rng):
    """Candidates of random sources, with new features."""
    candidates, errors = pool(world)
    chosen = rng.permutation(candidates.sources)[:sources]
    features = rng.normal(size=(sum(len(errors[i]) for i in chosen), 2 if world == "equal" else 4))
    if world == "equal":
        features -= 8 * np.concatenate([errors[i] for i in chosen])[:, None]
    return replace(candidates.subset(chosen), features=Features.of(features))


@cache
def cell(world, name, sources, folds, repeats, runs):
    """The share of p-values up to .05, in per cent: as printed, of a single run and split, and stratified."""
    rng, found = np.random.default_rng(2), []
    size = 2 if world == "equal" else 4
    start, method = np.eye(size)[0], Method(name, *TUNERS[name])
    bounds = Bounds(np.array([0.0, -np.inf]), np.array([0.0, np.inf])) if world == "equal" else Bounds.none(size)
    for number in range(SIMULATIONS):
        candidates = drawn(world, sources, rng)
        tests = {} if folds else {"test": drawn(world, sources, rng)}
        setup = Setup(
            candidates, Layout((Group("f", 0, size),)), start, bounds, REPORT, tests, folds=folds, repeats=repeats
        )
        place = setup.fold_set if folds else "test"
        tuned = [run_once(setup, method, seed, 0, 1, None).rows[place] for seed in range(runs)]
        rows = {"start": setup.chosen_rows(start)[place], name: np.concatenate(tuned)}
        how = RunTest(399, number)
        single = {key: one[:1] for key, one in rows.items()}
        p = [p_values(rows, REPORT.score, how, OVERLAP * max(0, folds - 1)), p_values(single, REPORT.score, how)]
        if len(rows[name]) <= 15:
            p.append(p_values(rows, REPORT.score, replace(how, runs_as="stratified")))
        found.append([one[0][name] for one in p])
    return (100 * (np.array(found) <= 0.05).mean(axis=0)).tolist()


def row(*asked):
    """A row of the table."""
    world, name, sources, folds, repeats, runs = asked
    shares = cell(*asked)
    numbers = [f"{share:.1f}" for share in shares] + ["–"] * (3 - len(shares))
    return [world, name, str(sources), str(folds or "test set"), str(repeats if folds else "–"), str(runs), *numbers]


def tuning_table():
    """All cells."""
    header = ["world", "method", "sources", "folds", "repeats", "runs", "together", "one split", "stratified"]
    return header, [row(*one) for one in CELLS]


TABLES = {"tuning": tuning_table}


@pytest.mark.slow
@pytest.mark.parametrize("asked", CELLS, ids=lambda asked: "-".join(map(str, asked)))
def test_p_values_of_tune_hold_their_size(asked):
    assert (0.0 if asked in CONSERVATIVE else 3.0) <= cell(*asked)[0] <= 7.0
    assert f"| {' | '.join(row(*asked))} |" in tables.documented("tuning").splitlines()
