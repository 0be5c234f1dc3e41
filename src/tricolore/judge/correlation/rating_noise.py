"""How much of the variance of mean ratings is due to who rated, and how, where outputs have several ratings.

A rating of output i by annotator r is xᵢᵣ = qᵢ + aᵣ + eᵢᵣ: quality, how lenient the annotator is, and noise. Of the
mean of kᵢ ratings, sᵢ² / kᵢ is due to the noise, and (bᵢ - b̄)² to who rated, with bᵢ for the mean of their aᵣ: nothing
if the same people rate all outputs. The aᵣ are least-squares estimates; if annotators are not named, they are 0, and
part of the noise. sᵢ² is the variance of what is left, corrected for the degrees of freedom that the aᵣ take.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..score_table import Floats

#: A system, and a segment of its output; the segment is empty if whole systems are rated.
Cell = tuple[str, str]


def noise_of_means(ratings: Mapping[Cell, Mapping[str, float]], *, named: bool) -> dict[Cell, float]:
    """The variance of the mean of each cell that is due to its ratings, by annotator; empty if no cell has several.

    A single rating is taken to vary as repeated ones do.

    >>> said = {("A", "1"): {"x": 70, "y": 90}, ("B", "1"): {"x": 50, "y": 50}, ("C", "1"): {"x": 30}}
    >>> noise_of_means(said, named=False)
    {('A', '1'): 100.0, ('B', '1'): 0.0, ('C', '1'): 100.0}
    """
    cells = np.repeat(np.arange(len(ratings)), [len(by) for by in ratings.values()])
    values = np.array([value for by in ratings.values() for value in by.values()], dtype=np.float64)
    number = np.bincount(cells, minlength=len(ratings)).astype(float)
    freedom = len(values) - len(ratings)
    if not freedom:
        return {}
    lenient = np.zeros(len(values))
    if named:
        who = np.unique([name for by in ratings.values() for name in by], return_inverse=True)[1]
        effects, taken = _effects(cells, who, values, number)
        if taken < freedom:
            lenient, freedom = effects[who], freedom - taken
    shared = np.bincount(cells, lenient) / number
    left = values - lenient
    squares = np.bincount(cells, (left - (np.bincount(cells, left) / number)[cells]) ** 2)
    all_own = (len(values) - len(ratings)) / freedom  # degrees of freedom
    own = all_own * squares / np.maximum(number - 1, 1)
    single = squares.sum() / freedom
    noise = np.where(number > 1, own / number, single) + (shared - shared.mean()) ** 2
    return dict(zip(ratings, noise.tolist(), strict=True))


def _effects(cells: Any, who: Any, values: Floats, number: Floats) -> tuple[Floats, int]:
    """How lenient each annotator is, by least squares within cells; also the degrees of freedom that it takes."""
    means = np.bincount(cells, values) / number
    present = np.zeros((len(number), who.max() + 1))
    present[cells, who] = 1.0
    equations = np.diag(present.sum(axis=0)) - present.T @ (present / number[:, None])
    right = np.bincount(who, values - means[cells])
    return np.linalg.pinv(equations, hermitian=True) @ right, int(np.linalg.matrix_rank(equations, hermitian=True))
