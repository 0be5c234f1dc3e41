"""Files of targets and predictions in, a file of scores out, as in rouge-score."""

import glob
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...errors import InputError, SpecError
from ...readers.files import read_text
from ...writers import writing
from .scoring import AggregateScore, BaseScorer, Score


def compute_scores_and_write_to_csv(
    target_filepattern: str,
    prediction_filepattern: str,
    output_filename: str,
    scorer: BaseScorer,
    aggregator: Any,
    delimiter: str = "\n",
) -> None:
    """Score the records of files; write intervals, or the scores of every record if `aggregator` is None.

    Files that match the two patterns belong together in alphabetical order.
    """
    if not delimiter:
        raise SpecError("delimiter: expected what ends a record, got an empty string")
    targets, predictions = sorted(glob.glob(target_filepattern)), sorted(glob.glob(prediction_filepattern))
    if not targets or len(targets) != len(predictions):
        raise InputError(
            f"{target_filepattern!r} matches {len(targets)} files, {prediction_filepattern!r} {len(predictions)}; "
            "expected the same number, at least one"
        )
    pairs = [pair for files in zip(targets, predictions, strict=True) for pair in _pairs(*files, delimiter)]
    scores = [scorer.score(target, prediction) for target, prediction in pairs]
    if not scores:
        raise InputError(f"{', '.join(targets)}: no records; expected at least one that ends in {delimiter!r}")
    if aggregator is None:
        lines = _score_lines(scores)
    else:
        for score in scores:
            aggregator.add_scores(score)
        lines = _interval_lines(aggregator.aggregate())
    with writing(output_filename) as stream:
        stream.writelines(f"{line}\n" for line in lines)


def _pairs(target: str, prediction: str, delimiter: str) -> Iterator[tuple[str, str]]:
    """The records of two files side by side."""
    targets, predictions = _records(target, delimiter), _records(prediction, delimiter)
    if len(targets) != len(predictions):
        raise InputError(f"{target}: {len(targets):,} records, but {prediction} has {len(predictions):,}")
    return zip(targets, predictions, strict=True)


def _records(path: str, delimiter: str) -> list[str]:
    """Texts that end in the delimiter; what follows the last one is a text too."""
    records = read_text(path).replace("\r\n", "\n").split(delimiter)
    if not records[-1]:
        return records[:-1]
    warnings.warn(f"{path}: expected {delimiter!r} at the end of the file", stacklevel=4)
    return records


def _interval_lines(intervals: Mapping[str, AggregateScore]) -> Iterator[str]:
    yield "score_type,low,mid,high"
    for kind, interval in sorted(intervals.items()):
        for letter, part in (("R", "recall"), ("P", "precision"), ("F", "fmeasure")):
            yield f"{kind}-{letter}," + ",".join(f"{getattr(end, part):f}" for end in interval)


def _score_lines(scores: Sequence[Mapping[str, Score]]) -> Iterator[str]:
    kinds = sorted(scores[0])
    yield "id" + "".join(f",{kind}-P,{kind}-R,{kind}-F" for kind in kinds)
    for number, score in enumerate(scores):
        yield f"{number}" + "".join(f",{value:f}" for kind in kinds for value in score[kind])
