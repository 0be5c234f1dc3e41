"""Systems of known quality, with ratings and metric scores of their segments, as noisy as those of real campaigns.

Variances follow the MQM ratings of TED talks (WMT21, English-German, 13 systems): quality of systems 0.3, segments 1.4,
single ratings 2.2. The errors of ratings and metric on one output correlate by 0.3.
"""

import numpy as np

from tricolore.judge.score_table import Column, ScoreTable


def errors(rng, shape, kind):
    """Errors with variance 1: `gaussian`, or with the `heavy` tails of Student's t with 4 degrees of freedom."""
    return rng.standard_t(4, shape) / np.sqrt(2) if kind == "heavy" else rng.standard_normal(shape)


def qualities(rng, systems, r, *, exact=True):
    """Quality of systems by annotators and by a metric, whose correlation is r exactly, or in the population."""
    pair = rng.standard_normal((systems, 2))
    if exact:
        pair = np.linalg.qr(pair - pair.mean(axis=0))[0] * np.sqrt(systems - 1)
    human, other = pair.T
    return 0.3 * human, 0.3 * (r * human + np.sqrt(1 - r * r) * other)


def rated(rng, human, *metrics, segments, kind="gaussian"):
    """A table of ratings and scores, by metrics called 0, 1, ...; `ties`: ratings are whole numbers."""
    shape = len(human), segments
    hard, said = 1.4 * errors(rng, segments, kind), errors(rng, shape, kind)
    ratings = human[:, None] + hard + 2.2 * said
    columns = []
    for i, metric in enumerate(metrics):
        own = 0.3 * hard + 0.3 * rng.standard_normal(segments)
        error = 0.3 * said + np.sqrt(1 - 0.3**2) * errors(rng, shape, kind)
        columns.append(Column.of_scores(str(i), metric[:, None] + own + 1.2 * error))
    names = (tuple(map(str, range(number))) for number in shape)
    ratings = np.rint(ratings) if kind == "ties" else ratings
    return ScoreTable(*names, Column.of_scores("human", ratings), tuple(columns))
