"""Agreement without noise, which lowers (attenuates) it: that of a finite number of segments, and that of ratings.

The scores x̂_j of a system j (human, metric) are means over segments: x̂_j = x_j + e_j. Over systems, with S for sums of
squares and products around the mean, S(x̂) is S(x) + N in expectation, where N is S of the noise. A bootstrap resample
over segments adds noise of the same size once more: S(x*) is S(x) + 2N in expectation. N is the mean of S(x* - x̂).

Scores are moved by the linear map A that changes S into S - N (or S - 2N) with the least movement: the optimal
transport map of centred normal distributions (Olkin and Pukelsheim, The distance between two random vectors with given
dispersion matrices, Linear Algebra and its Applications 1982), A = S⁻¹ # (S - N), where # is the geometric mean of
matrices. The correlation of the scores is then Spearman's correction for attenuation (The proof and measurement of
association between two things, American Journal of Psychology 1904), and ranks follow the scores.

At segment level, the score of an output is a mean of k ratings, and s² / k estimates the variance that these add. Where
ratings are repeated (k ≥ 2), Spearman's correction gives the correlation with the mean of unlimited ratings,
r = cov(h, m) / √((var h - mean of s² / k) var m). Metrics always score a text alike, so nothing is removed from m.
"""

import numpy as np

from ..score_table import Floats

#: At least this share of the observed variance is taken to be real; beyond, there is too little to correct.
LEAST_RELIABILITY = 0.05


def scatter(scores: Floats) -> Floats:
    """Sums of squares and products around the mean over systems: (..., 2, systems) to (..., 2, 2)."""
    centred = scores - scores.mean(axis=-1, keepdims=True)
    found: Floats = centred @ centred.swapaxes(-1, -2)
    return found


def sampling_noise(observed: Floats, resampled: Floats) -> Floats:
    """The scatter that sampling segments adds, from (2, systems) and resamples (samples, 2, systems)."""
    found: Floats = scatter(resampled - observed).mean(axis=0)
    return found


def reliability(observed: Floats, noise: Floats) -> Floats:
    """The share of the variance of system scores, human and metric, that is not noise; 0 where all is noise."""
    whole = np.diagonal(scatter(observed))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.clip(1 - np.diagonal(noise) / whole, 0, 1)


def deattenuated(scores: Floats, noise: Floats, times: float) -> Floats:
    """Scores (..., 2, systems) without `times` the noise; their mean stays.

    >>> scores = np.array([[0.0, 1.0, 2.0, 5.0], [0.0, 2.0, 1.0, 5.0]])
    >>> better = deattenuated(scores, np.array([[2.0, 0.0], [0.0, 2.0]]), 1)
    >>> print(np.corrcoef(scores)[0, 1].round(3), np.corrcoef(better)[0, 1].round(3))
    0.929 1.0
    """
    observed = scatter(scores)
    wanted = _possible(observed, observed - times * noise)
    # Of 2 x 2 matrices, S⁻¹ # T is (√|T| adj(S) / √|S| + T) / √(2 √|S||T| + tr(S T)).
    roots = [np.sqrt(np.maximum(_determinant(one), 0.0)) for one in (observed, wanted)]
    with np.errstate(divide="ignore", invalid="ignore"):
        first = np.where(roots[0] > 0, roots[1] / roots[0], 0.0)[..., None, None] * _adjugate(observed)
        trace = (observed * wanted.swapaxes(-1, -2)).sum(axis=(-1, -2))
        map_ = (first + wanted) / np.sqrt(2 * roots[0] * roots[1] + trace)[..., None, None]
    mean = scores.mean(axis=-1, keepdims=True)
    found: Floats = mean + map_ @ (scores - mean)
    return found


def _possible(observed: Floats, wanted: Floats) -> Floats:
    """The nearest scatter that real scores could have: enough variance, and a correlation within ±1."""
    least = LEAST_RELIABILITY * np.diagonal(observed, axis1=-2, axis2=-1)
    variances = np.maximum(np.diagonal(wanted, axis1=-2, axis2=-1), least)
    limit = np.sqrt(variances.prod(axis=-1))
    product = np.clip(wanted[..., 0, 1], -limit, limit)
    return np.stack([variances[..., 0], product, product, variances[..., 1]], axis=-1).reshape(wanted.shape)


def _determinant(matrix: Floats) -> Floats:
    found: Floats = matrix[..., 0, 0] * matrix[..., 1, 1] - matrix[..., 0, 1] * matrix[..., 1, 0]
    return found


def _adjugate(matrix: Floats) -> Floats:
    a, b, c, d = (matrix[..., i, j] for i in (0, 1) for j in (0, 1))
    return np.stack([d, -b, -c, a], axis=-1).reshape(matrix.shape)


def rating_moments(human: Floats, metric: Floats, noise: Floats) -> Floats:
    """Number, sums and products of scores, and the noise of ratings: systems x segments x 7, 0 where one is missing."""
    present = ~(np.isnan(human) | np.isnan(metric))
    if not present.any():
        return np.zeros((*human.shape, 7))
    x, y = (np.where(present, side - np.mean(side, where=present), 0.0) for side in (human, metric))
    return np.stack([present, x, y, x * x, y * y, x * y, np.where(present, noise, 0.0)], axis=-1)


def pearson_without_rating_noise(sums: Floats) -> tuple[Floats, Floats]:
    """From sums of moments: Pearson's correlation without the noise of ratings; the reliability of ratings.

    >>> rng = np.random.default_rng(1)
    >>> quality = rng.standard_normal((5, 1000))
    >>> ratings = quality[..., None] + rng.standard_normal((5, 1000, 2))
    >>> moments = rating_moments(ratings.mean(axis=-1), quality, ratings.var(axis=-1, ddof=1) / 2)
    >>> value, share = pearson_without_rating_noise(moments.sum(axis=(0, 1)))
    >>> observed = np.corrcoef(ratings.mean(axis=-1).ravel(), quality.ravel())[0, 1]
    >>> print(observed.round(2), value.round(2), share.round(2))
    0.82 1.0 0.67
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y, xx, yy, xy, noise = np.moveaxis(sums[..., 1:] / sums[..., :1], -1, 0)
        whole, other = xx - x * x, yy - y * y
        share = np.clip(1 - noise / whole, 0.0, 1.0)
        value = (xy - x * y) / np.sqrt(np.maximum(share, LEAST_RELIABILITY) * whole * other)
    usable = (whole > 1e-12 * xx) & (other > 1e-12 * yy)
    return np.where(usable, np.clip(value, -1.0, 1.0), np.nan), np.where(usable, share, np.nan)
