"""Sums of rows over random draws: bootstrap resamples and shuffles."""

from collections.abc import Callable, Iterator

import numpy as np

from ..draws import stream
from ..errors import SpecError
from ..types import Progress
from .score_table import Floats

#: The most memory, in bytes, that the sums over all draws may take.
ROOM = 4 * 2**30

#: Sums are computed in parts of about this many additions; progress is reported after each.
PART = 200_000_000


def check_room(name: str, number: int, columns: int) -> None:
    """Reject a number of draws whose sums would take too much memory."""
    room = 8 * number * columns
    if room > ROOM:
        raise SpecError(
            f"{name}: {number:,} would take {room / 2**30:.0f} GB of memory for {columns:,} sums each; "
            f"expected {ROOM // (8 * columns):,} at most"
        )


def resampled_sums(rows: Floats, samples: int, seed: int, progress: Progress | None = None) -> Floats:
    """Sum rows (segments x columns) over each of `samples` bootstrap resamples of the segments.

    Each row is multiplied by its number of draws, and added in the order of the segments, independently of the number
    of threads. Further axes are columns, too.
    """
    return _summed(stream(seed).resampled_sums, rows, samples, progress)


def selected_sums(rows: Floats, trials: int, seed: int, progress: Progress | None = None) -> Floats:
    """Sum rows (segments x columns) over random halves of the segments, one coin flip per segment and trial.

    The coins are `default_rng(seed).integers(2, size=(trials, segments), dtype=bool)`.
    """
    # Tables of sums are computed for every part, and eight rows are added at a time.
    return _summed(stream(seed).selected_sums, rows, trials, progress, part=16 * PART)


def chosen_sums(
    first: Floats, second: Floats, trials: int, seed: int, progress: Progress | None = None
) -> tuple[Floats, Floats]:
    """Per segment and trial, choose as many of the runs of two systems as the first has; sum the chosen runs of each.

    The rows are segments x runs x columns. The choice is number `default_rng(seed).integers(C)` of the C combinations
    in the order of `itertools.combinations`, trial by trial and segment by segment.
    """
    (segments, _, a), b = first.shape, second.shape[2]
    first, second = (np.ascontiguousarray(rows, dtype=np.float64) for rows in (first, second))
    source = stream(seed)
    parts = []
    for some in _parts(trials, segments * (first.shape[1] * a + second.shape[1] * b), progress):
        both = source.chosen_sums(first, second, some)[0]
        parts.append((both[: some * a].reshape(some, a), both[some * a :].reshape(some, b)))
    return np.concatenate([part for part, _ in parts]), np.concatenate([part for _, part in parts])


def multeval_sums(runs: Floats, trials: int, seed: int, progress: Progress | None = None) -> Floats:
    """Sum runs (segments x runs x columns) as MultEval shuffles them; see `Draws` in the core.

    Returns (4, trials, columns): the sums of kept and of swapped runs in one pseudo-system, then in the other.
    """
    segments, number, columns = runs.shape
    runs = np.ascontiguousarray(runs, dtype=np.float64)
    source = stream(seed)
    steps = _parts(trials, 2 * segments * number * columns, progress)
    return np.concatenate([source.multeval_sums(runs, some).reshape(4, some, columns) for some in steps], axis=1)


def _summed(
    sums: Callable[[Floats, int], Floats], rows: Floats, number: int, progress: Progress | None, part: int | None = None
) -> Floats:
    flat = np.ascontiguousarray(rows.reshape(len(rows), -1), dtype=np.float64)
    found = [sums(flat, some) for some in _parts(number, flat.size, progress, part)]
    return (found[0] if len(found) == 1 else np.concatenate(found)).reshape(number, *rows.shape[1:])


def _parts(number: int, work: int, progress: Progress | None, part: int | None = None) -> Iterator[int]:
    """Cut a number of draws, of `work` additions each, into parts, and report progress after each."""
    size = max(1, (part or PART) // max(work, 1))
    for first in range(0, number, size):
        yield min(size, number - first)
        if progress is not None:
            progress(min(first + size, number), number)
