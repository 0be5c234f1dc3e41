"""Samples: several translations of every source in plain text, without scores.

Either one file, so many lines for each source one after the other, or several files, each with a line for each source.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest

from ..errors import InputError
from .files import name_of, stream_segments


def read_samples(
    paths: Sequence[str],
    number: int | None,
    sources: int | None = None,
    known: str = "the list of references",
    *,
    as_text: bool = False,
) -> Iterator[list[str]]:
    """Read samples source by source, never holding more than one.

    `number` is how many lines of one file belong to a source. With `sources` there must be as many, because `known` has
    as many lines. Errors name file and line. A file that does not look like plain text is refused unless `as_text`.
    """
    found = 0
    name = name_of(paths[0])
    texts = [stream_segments(path, as_text=as_text) for path in paths]
    for samples in _blocks(name, texts[0], number) if number is not None else _side_by_side(paths, texts):
        if sources is not None and found == sources:
            line = found * (number or 1) + 1
            raise InputError(f"{name}: line {line}: source {found} has no references; {known} ends at line {sources}")
        found += 1
        yield samples
    if not found:
        raise InputError(f"{name}: the file is empty; expected samples, one a line")
    if sources is not None and found < sources:
        raise InputError(
            f"{name}: ends with source {found - 1}, but {known} goes on to line {sources}; "
            f"expected samples for each of {sources} sources"
        )


def _blocks(name: str, lines: Iterator[str], number: int) -> Iterator[list[str]]:
    for source, block in enumerate(iter(lambda: [*islice(lines, number)], [])):
        if len(block) < number:
            last = source * number + len(block)
            raise InputError(
                f"{name}: ends at line {last}, {len(block)} lines into source {source}; "
                f"expected {number} lines for each source"
            )
        yield block


def _side_by_side(paths: Sequence[str], texts: Sequence[Iterator[str]]) -> Iterator[list[str]]:
    for source, lines in enumerate(zip_longest(*texts)):
        if None in lines:
            ended, goes_on = (
                paths[i] for i in (lines.index(None), next(i for i, x in enumerate(lines) if x is not None))
            )
            raise InputError(
                f"{name_of(ended)}: ends at line {source}, but {name_of(goes_on)} goes on; "
                "expected a line for each source in every file"
            )
        yield [*lines]
