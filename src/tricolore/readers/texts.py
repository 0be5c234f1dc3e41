"""Texts of systems and references: lists and columns as they are, files read; texts from a file know their file."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import contextmanager

from ..compression import without_suffix
from ..errors import InputError, InputTypeError, SegmentError, SpecError, shown
from ..segments import References, as_column, unequal
from .files import name_of, read_columns, read_segments
from .recognise import COLUMNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any


class FromFile:
    """Segments of a file, one per line; `path` is the file, for messages."""

    __slots__ = ()
    path: str


class TextFile(list, FromFile):  # type: ignore[type-arg]
    """All segments of a file."""

    __slots__ = ("path",)

    def __init__(self, segments: Sequence[str], path: str):
        super().__init__(segments)
        self.path = path


def is_path(given: Any) -> bool:
    """Whether this names a file: a path object, or a text where a list of texts is expected."""
    return isinstance(given, str | os.PathLike)


def read_texts(path: str | os.PathLike[str], *, as_text: bool = False) -> TextFile:
    """Read the segments of a file, one per line; `-` is standard input."""
    path = os.fspath(path)
    return TextFile(read_segments(path, as_text=as_text), path)


def texts_of(given: Any, what: str, *, as_text: bool = False) -> list[Any]:
    """The segments of a file, a list or a column."""
    if isinstance(given, TextFile):
        return given
    _check_file(given, what)
    return read_texts(given, as_text=as_text) if is_path(given) else as_column(given, what)


def _check_file(given: Any, what: str) -> None:
    """Refuse a string that names no file: one text where a list of them belongs."""
    if isinstance(given, str) and given != "-" and not os.path.exists(given):
        raise InputTypeError(
            f"{what}: expected a list of texts, or the name of a file; there is no file {shown(given)}"
        )


# References --------------------------------------------------------------------------------------------------------


def read_references(
    paths: Sequence[str | os.PathLike[str]], *, num_refs: int = 1, missing: bool = False, as_text: bool = False
) -> References:
    """Read references: a file for each, or one file with `num_refs` tab-separated references per line.

    With `missing`, an empty line means that this reference is missing; else it is a reference that is empty.
    """
    names = distinct([os.fspath(path) for path in paths])
    if num_refs > 1:
        if len(names) > 1:
            raise InputError(f"num_refs: expected one file with {num_refs} references per line; got {len(names)} files")
        expected = f"{num_refs} references separated by tabs"
        streams = split_fields(read_columns(names[0], as_text=as_text), num_refs, name_of(names[0]), expected)
    else:
        streams = [read_segments(name, as_text=as_text) for name in names]
    for name, stream in zip(names, streams, strict=False):
        check_lines(names[0], len(streams[0]), name, len(stream))
    if missing:
        _check_some_reference(names, streams)
    references = References.from_streams([[line or None for line in one] for one in streams] if missing else streams)
    references.path, references.paths = names[0], names
    return references


def distinct(names: Sequence[str]) -> Sequence[str]:
    """The names of reference files; the same file twice is an error."""
    for i, name in enumerate(names):
        if any(is_same_file(name, other) for other in names[:i]):
            raise SpecError(f"{name} is given twice as a reference")
    return names


def is_same_file(name: str, other: str) -> bool:
    """Whether two names are those of one file."""
    return name == other or (os.path.exists(name) and os.path.exists(other) and os.path.samefile(name, other))


def _check_some_reference(names: Sequence[str], streams: Sequence[Sequence[str]]) -> None:
    for number, row in enumerate(zip(*streams, strict=True), 1):
        if not any(row):
            raise missing_reference(names, number)


def missing_reference(names: Sequence[str], line: int) -> InputError:
    """The error about a line without any reference."""
    return InputError(f"{', '.join(names)}: line {line}: every reference is missing; expected at least one")


def references_of(given: Any, *, as_text: bool = False) -> References:
    """The references of a file, of several files (a list of path objects), of a list or a column."""
    paths = reference_paths(given)
    return References.unchecked(given) if paths is None else read_references(paths, as_text=as_text)


def reference_paths(given: Any) -> Sequence[Any] | None:
    """The files that references are given as, if they are: one, or a list of path objects."""
    _check_file(given, "references")
    if is_path(given):
        return [given]
    several = isinstance(given, list | tuple) and given and all(isinstance(one, os.PathLike) for one in given)
    return given if several else None


def split_fields(lines: list[str], number: int, name: str, expected: str, first: int = 0) -> list[list[str]]:
    """Cut lines at tabs into so many texts each; `expected` says in words what they are, `first` numbers the first."""
    rows = [line.split("\t") for line in lines]
    for i, row in enumerate(rows, first + 1):
        if len(row) != number:
            raise InputError(f"{name}: line {i}: expected {expected}, found {len(row)}")
    return [[text.rstrip() for text in column] for column in zip(*rows, strict=True)] or [[] for _ in range(number)]


# Systems -----------------------------------------------------------------------------------------------------------


def systems_of(given: Any, *, as_text: bool = False) -> dict[str, list[Any]]:
    """The outputs of systems by name: a mapping, a list of files, or one system as a file, a list or a column.

    Outputs are files, lists or columns. A file is called by its name without folder and ending.
    """
    paths = system_paths(given)
    if paths is not None:
        return {name: read_texts(path, as_text=as_text) for name, path in paths.items()}
    if isinstance(given, Mapping):
        return {name: texts_of(output, name, as_text=as_text) for name, output in given.items()}
    return {"system": texts_of(given, "hypotheses", as_text=as_text)}


def system_paths(given: Any) -> Mapping[str, Any] | None:
    """The files that outputs are given as, by the names of their systems, if all of them are files."""
    if isinstance(given, Mapping):
        for name in given:
            if not isinstance(name, str):
                raise InputTypeError(f"systems: expected names that are strings, got {shown(name)}")
        if not given or not all(map(is_path, given.values())):
            return None
        for name, output in given.items():
            _check_file(output, name)
        return given
    _check_file(given, "systems")
    paths = [given] if is_path(given) else given
    if isinstance(paths, list | tuple) and paths and (is_path(given) or isinstance(paths[0], os.PathLike)):
        return dict(zip(system_names([*map(os.fspath, paths)]), paths, strict=True))
    return None


def system_names(paths: Sequence[str]) -> list[str]:
    """Name systems by their files, without folder and ending; those that would be called alike keep their paths.

    >>> system_names(["out/A.txt", "out/B.v2.txt.gz", "run1/C.de", "run2/C.de", "-"])
    ['A', 'B.v2', 'run1/C.de', 'run2/C.de', 'stdin']
    """
    stems = ["stdin" if path == "-" else system_name(path) for path in paths]
    return [stem if stems.count(stem) == 1 else path for stem, path in zip(stems, paths, strict=True)]


def system_name(path: str) -> str:
    """The name of a file without folder and ending; `.gz` and the like are dropped too."""
    return os.path.splitext(without_suffix(os.path.basename(path)))[0]


def read_piped_systems(*, as_text: bool = False) -> dict[str, list[str]]:
    """Read outputs from standard input: one, or several separated by tabs, as in sacreBLEU."""
    lines = read_segments("-", [COLUMNS], as_text=as_text)
    if not any("\t" in line for line in lines):
        return {"stdin": TextFile(lines, "-")}
    number = lines[0].count("\t") + 1
    outputs = split_fields(lines, number, "standard input", expected_outputs(number))
    return {f"System {i}": TextFile(output, "-") for i, output in enumerate(outputs, 1)}


def expected_outputs(number: int) -> str:
    """How many outputs are expected on each line of standard input, in words."""
    plural = "s separated by tabs" if number > 1 else ""
    return f"{number} output{plural} as in line 1 ('-i -' reads tabs as white space)"


def waits_for_input() -> bool:
    """Whether standard input is a terminal, where somebody has to type."""
    return sys.stdin is not None and sys.stdin.isatty()


# Both --------------------------------------------------------------------------------------------------------------


def check_lines(path: str, lines: int, other: str, others: int) -> None:
    """Refuse files of different length."""
    if lines == others:
        return
    if lines > others:
        path, lines, other, others = other, others, path, lines
    raise InputError(
        f"{name_of(path)}: ends at line {lines}, but {name_of(other)} goes on to line {others}; "
        "expected one line per segment"
    )


def check_segments(systems: Mapping[str, Sequence[Any]], references: References) -> None:
    """Refuse outputs with other lines, or other segments, than the references."""
    for name, texts in systems.items():
        if isinstance(texts, TextFile) and references.path is not None:
            check_lines(texts.path, len(texts), references.path, len(references))
        elif isinstance(references, References) and len(texts) != len(references):
            raise unequal(texts, references, "" if [*systems] == ["system"] else name)


@contextmanager
def naming_the_system(name: str, texts: Any, first: int = 0) -> Iterator[None]:
    """Report a segment that cannot be scored by file and line, or by the name of its system; `first` is the first."""
    try:
        yield
    except SegmentError as error:
        if isinstance(texts, FromFile):
            raise InputError(f"{name_of(texts.path)}: line {first + error.segment + 1}: {error.reason}") from None
        raise SegmentError(f"{name}: {error.what}", error.segment, error.reason) from None
