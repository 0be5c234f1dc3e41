"""How confidence intervals are made from resampled values.

- corrected: percentiles of values without the noise of a finite number of segments (see `attenuation`);
- disattenuated: at segment level, expanded percentiles of values without the noise of repeated ratings (there, too);
- expanded: percentiles further out, as resamples of few units vary too little (T. Hesterberg. What teachers should know
  about the bootstrap. The American Statistician 69, 2015);
- bca: percentiles moved by the bias and the skewness of the values (B. Efron. Better bootstrap confidence intervals.
  JASA 82, 1987);
- percentile: the percentiles themselves.
"""

from collections.abc import Sequence

import numpy as np

from ...extras import load
from ..score_table import Floats
from . import statistics as correlation
from .measures import Measure

#: System-level statistics that depend on more than the scores of systems, or gain from noise: they are not corrected.
UNCORRECTED = ("soft-accuracy", "accuracy-ties")

#: The variance of Fisher's z over samples of n systems is a / (n - b): a, b. For others, see Kendall's. (E. C. Fieller,
#: H. O. Hartley, E. S. Pearson. Tests for rank correlation coefficients. Biometrika 44, 1957.)
SAMPLED_SYSTEMS = {"pearson": (1.0, 3), "spearman": (1.06, 3)}
SAMPLED_SYSTEMS_OF_KENDALL = (0.437, 4)

#: Correlations are at most this before Fisher's z, which has no value for 1.
MOST = 0.995


def interval_of(measure: Measure, over: str, asked: str | None, tables: int) -> str:
    """The kind of interval: the one asked for, or expanded, where the measure cannot be corrected or disattenuated.

    Several tables may have too few systems each for the variance of Fisher's z, so systems are then resampled.
    """
    if asked == "disattenuated" and over != "tables" and can_disattenuate(measure):
        return asked
    if asked in (None, "corrected", "disattenuated"):
        able = measure.level == "system" and measure.statistic not in UNCORRECTED
        return "corrected" if able and (over == "segments" or (over != "tables" and tables == 1)) else "expanded"
    return str(asked)


def can_disattenuate(measure: Measure) -> bool:
    """Whether the noise of ratings can be removed: there must be more than the few points of a segment."""
    return measure.level == "segment" and measure.statistic == "pearson" and measure.by != "segment"


def expanded(level: float, units: Sequence[int]) -> float:
    """The level whose percentiles, by the normal distribution, are those of t for estimated variances.

    Resamples of n units have (n - 1) / n of the variance, and n - 1 degrees of freedom; those of tables add up.

    >>> round(expanded(0.95, [12]), 3), round(expanded(0.95, [50]), 3), round(expanded(0.95, [500]), 3)
    (0.978, 0.958, 0.951)
    """
    least, freedom = min(units), sum(units) - len(units)
    if least < 2:
        return level
    special = load("scipy.special", "an interval of a correlation")
    return float(1 - 2 * special.ndtr(-np.sqrt(least / (least - 1)) * special.stdtrit(freedom, (1 + level) / 2)))


def percentiles(values: Floats, level: float) -> tuple[float, float]:
    """The percentiles that enclose a share of the values, interpolated linearly between order statistics."""
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def expanded_percentiles(values: Floats, level: float, units: Sequence[int]) -> tuple[float, float]:
    """Percentiles at the expanded level; a further value is beyond the k-th of B with probability k / (B + 1)."""
    wider = expanded(level, units)
    low, high = np.quantile(values, [(1 - wider) / 2, (1 + wider) / 2], method="weibull")
    return float(low), float(high)


def influences(left_out: Floats, units: int | None = None) -> Floats:
    """How each unit moves the value, from the values without it; if some of all `units` were left out, they repeat."""
    n, defined = units or len(left_out), left_out[~np.isnan(left_out)]
    return np.resize((defined.mean() - defined) * (n - 1) / n, n) if len(defined) else defined


def bca_bounds(values: Floats, observed: float, moved: Floats, level: float) -> tuple[float, float]:
    """Percentiles moved for the bias z₀ of the values and the acceleration a, from the influence of each unit."""
    special = load("scipy.special", "an interval of a correlation")
    ndtr, ndtri = special.ndtr, special.ndtri
    below = (np.sum(values < observed) + np.sum(values == observed) / 2) / len(values)
    z_0 = ndtri(np.clip(below, 0.5 / len(values), 1 - 0.5 / len(values)))
    squares = np.sum(moved**2) ** 1.5
    a = np.sum(moved**3) / (6 * squares) if squares > 0 else 0.0
    z = z_0 + ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    low, high = np.quantile(values, ndtr(z_0 + z / (1 - a * z)))
    return float(low), float(high)


def with_sampled_systems(measure: Measure, tallies: Sequence[Floats], systems: Sequence[int], seed: int) -> Floats:
    """Values of resamples with the noise of a sample of systems, of which each table has some number."""
    total = weights = np.zeros(len(tallies[0]))
    for k, (one, n) in enumerate(zip(tallies, systems, strict=True)):
        a, b = SAMPLED_SYSTEMS.get(measure.statistic, SAMPLED_SYSTEMS_OF_KENDALL)
        deviation = np.sqrt(a / (n - b)) if n > b else np.inf
        values = measure.how.value(one)
        share = measure.statistic == "accuracy"  # of pairs, where a correlation is twice that less 1
        most = min(MOST, 1 - 2 / max(2, n * (n - 1))) if b == 4 else MOST  # half a pair less than all
        z = np.arctanh(np.clip(2 * values - 1 if share else values, -most, most))
        drawn = np.tanh(z + deviation * np.random.default_rng((seed + k, 1)).standard_normal(len(values)))
        weight = correlation.usable_pairs(one) if measure.how.adds_pairs else 1.0 * ~np.isnan(values)
        total = total + np.where(weight > 0, weight * ((drawn + 1) / 2 if share else drawn), 0.0)
        weights = weights + weight
    return np.where(weights > 0, total / np.maximum(weights, 1e-300), np.nan)
