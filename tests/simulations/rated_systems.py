"""Systems of known quality, with ratings and metric scores of their segments, as noisy as those of real campaigns.

Variances follow the MQM ratings of TED talks (WMT21, English-German, 13 systems): quality of systems 0.3, segments 1.4,
single ratings 2.2. The errors of ratings and metric on one output correlate by 0.3. Where ratings are repeated, half
of the variance of a rating is that of its output, and half that of the annotator.
"""

from dataclasses import replace

import numpy as np

from tricolore.judge.score_table import Column, ScoreTable

#: Instead of a number of ratings: the mean of very many.
UNLIMITED = 0


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


def rated(rng, human, *metrics, segments, kind="gaussian", ratings=1):
    """A table of ratings and scores, by metrics called 0, 1, ...; `ties`: ratings are whole numbers."""
    shape = len(human), segments
    hard, said = 1.4 * errors(rng, segments, kind), errors(rng, shape, kind)
    means = human[:, None] + hard
    columns = []
    for i, metric in enumerate(metrics):
        own = 0.3 * hard + 0.3 * rng.standard_normal(segments)
        error = 0.3 * said + np.sqrt(1 - 0.3**2) * errors(rng, shape, kind)
        columns.append(Column.of_scores(str(i), metric[:, None] + own + 1.2 * error))
    names = (tuple(map(str, range(number))) for number in shape)
    return ScoreTable(*names, _ratings(rng, means, said, kind, ratings), tuple(columns))


def _ratings(rng, means, said, kind, ratings):
    whole = np.rint if kind == "ties" else np.asarray
    if ratings == 1:
        return Column.of_scores("human", whole(means + 2.2 * said))
    outputs = means + 2.2 * np.sqrt(0.5) * said
    if ratings == UNLIMITED:
        return Column.of_scores("human", outputs)
    every = whole(outputs + 2.2 * np.sqrt(0.5) * errors(rng, (ratings, *said.shape), kind))
    return replace(Column.of_scores("human", every.mean(axis=0)), noise=every.var(axis=0, ddof=1) / ratings)
