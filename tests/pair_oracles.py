"""Slow, obvious statistics of people and metrics, straight from their definitions: every pair is looked at."""

import itertools
import math

import numpy as np


def present(human, metric):
    return [(h, m) for h, m in zip(human, metric, strict=True) if not (math.isnan(h) or math.isnan(m))]


def sign(a, b):
    return int(a > b) - int(a < b)


def pair_counts(human, metric):
    """C, D, T_h, T_m, T_hm, points, different values of people and of the metric."""
    points = present(human, metric)
    counts = [0] * 5
    for (h1, m1), (h2, m2) in itertools.combinations(points, 2):
        by_human, by_metric = sign(h1, h2), sign(m1, m2)
        if by_human == 0 and by_metric == 0:
            counts[4] += 1
        elif by_human == 0:
            counts[2] += 1
        elif by_metric == 0:
            counts[3] += 1
        elif by_human == by_metric:
            counts[0] += 1
        else:
            counts[1] += 1
    return [*counts, len(points), len({h for h, _ in points}), len({m for _, m in points})]


def accuracy_at(human_rows, metric_rows, epsilon):
    """Mean over groups of the share of pairs that agree, with metric differences up to epsilon as ties."""
    shares = []
    for human, metric in zip(human_rows, metric_rows, strict=True):
        right = [
            sign(h1, h2) == (0 if abs(m1 - m2) <= epsilon else sign(m1, m2))
            for (h1, m1), (h2, m2) in itertools.combinations(present(human, metric), 2)
        ]
        if right:
            shares.append(sum(right) / len(right))
    return sum(shares) / len(shares) if shares else math.nan


def accuracy_with_ties(human_rows, metric_rows):
    """The best accuracy, and the least epsilon that reaches it."""
    differences = {0.0}
    for human, metric in zip(human_rows, metric_rows, strict=True):
        differences |= {abs(m1 - m2) for (_, m1), (_, m2) in itertools.combinations(present(human, metric), 2)}
    tried = [(accuracy_at(human_rows, metric_rows, epsilon), epsilon) for epsilon in sorted(differences)]
    if math.isnan(tried[0][0]):
        return math.nan, math.nan
    best = max(value for value, _ in tried)
    return best, min(epsilon for value, epsilon in tried if value > best - 1e-12)


def random_swaps(segments, number, seed):
    return np.random.default_rng(seed).integers(2, size=(number, segments), dtype=bool)


def soft_accuracy(human, metric, swapped):
    """From segment scores that are all there; swaps are rows of 0 and 1."""
    differences = []
    for i, j in itertools.combinations(range(len(human)), 2):
        p = [confidence(side[i], side[j], swapped) for side in (human, metric)]
        differences.append(abs(p[0] - p[1]))
    return 1 - sum(differences) / len(differences)


def confidence(one, other, swapped):
    observed = np.mean(one) - np.mean(other)
    hits = 0.0
    for swap in swapped:
        left = [b if s else a for a, b, s in zip(one, other, swap, strict=True)]
        right = [a if s else b for a, b, s in zip(one, other, swap, strict=True)]
        lead = np.mean(left) - np.mean(right)
        hits += 0.5 if abs(lead - observed) < 1e-9 else lead > observed
    return hits / len(swapped)
