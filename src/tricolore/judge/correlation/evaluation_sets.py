"""Evaluation sets: outputs of systems, their references, and human ratings of them.

A set is described by a TOML file beside its texts (docs/explanations/search.md lists the keys); file names are relative
to it and may contain `*`. A folder with a `set.toml` in it is that set.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..._version import __version__
from ...errors import InputError, nearest
from ...metrics.base import Metric
from ...readers import read_lines, read_segments
from ...readers.texts import system_names
from ...segments import References
from ..score_table import Column, ScoreTable
from .join_scores import same_names
from .options import JoinOptions, RatingOptions
from .rankings import Rankings
from .rating_files import ratings_by_group
from .ratings import Ratings


@dataclass(frozen=True, eq=False)
class EvaluationSet:
    """Outputs of systems, their references, and human ratings of them."""

    name: str
    systems: Mapping[str, Sequence[str]]
    references: References
    ratings: Ratings | Rankings
    segments: tuple[str, ...] = ()  #: their names in the ratings (default: numbers from 1)
    group: str = ""  #: the language pair; parameters are chosen for each group
    files: frozenset[str] = frozenset()  #: the files of the outputs, if they were read

    def __post_init__(self) -> None:
        if not self.segments:
            names = tuple(str(number) for number in range(1, len(self.references) + 1))
            object.__setattr__(self, "segments", names)

    @cached_property
    def human(self) -> Column:
        """The ratings as a column."""
        return self.ratings.column(tuple(self.systems), self.segments)

    @property
    def rankings(self) -> list[Rankings]:
        """The ratings as a list if they are rankings, or an empty one."""
        return [self.ratings] if isinstance(self.ratings, Rankings) else []

    def scored_by(self, metrics: Sequence[Metric], threads: int | None = None) -> ScoreTable:
        """Score the outputs with metrics."""
        outputs = [*self.systems.values()]
        columns = [Column.of_texts(one, outputs, self.references, threads=threads) for one in metrics]
        return ScoreTable(tuple(self.systems), self.segments, self.human, tuple(columns), self.name)

    def shared_with(self, other: EvaluationSet) -> list[str]:
        """The segments that are in both sets: the same lines of the same outputs."""
        theirs = set(other.segments) if self.files & other.files else set()
        return [one for one in self.segments if one in theirs]

    def fingerprint(self) -> str:
        """A digest of the texts, the ratings and the version of this package."""
        digest = hashlib.sha256(__version__.encode())
        texts = [*self.systems.items()], [*self.references.entries]
        for part in (*texts, self.human.rows.tolist(), self.ratings.signature):
            digest.update(json.dumps(part).encode())
        return digest.hexdigest()[:16]


#: The keys of a description, and the types of their values.
KEYS: dict[str, Any] = {
    **dict.fromkeys(("references", "systems"), (str, list)),
    **dict.fromkeys(("human", "form", "column", "segments", "group", "name"), str),
    **dict.fromkeys(("lower_is_better", "missing_references", "as_text", "ignore_unknown"), bool),
}


def read_set(path: str | os.PathLike[str]) -> EvaluationSet:
    """Read the set described by a TOML file, or a folder with `set.toml` in it; `@1-264` after it chooses lines."""
    path = os.fspath(path)
    where, at, lines = (path, "", "") if os.path.exists(path) else path.rpartition("@")
    where, lines = (where, lines) if at else (path, "")
    file = os.path.join(where, "set.toml") if os.path.isdir(where) else where
    if os.path.isdir(where) and not os.path.exists(file):
        raise InputError(f"{where}: has no set.toml; expected a folder with one, which names texts and ratings")
    given = described(file)
    called = os.path.basename(os.path.abspath(where)).removesuffix(".toml")
    name = given.get("name", called) + (f"@{lines}" if lines else "")
    chosen = lines_of(lines or given.get("segments", ""), path if lines else f"{file}: segments")
    return _texts_and_ratings(file, name, given, chosen)


def _texts_and_ratings(file: str, name: str, given: dict[str, Any], chosen: range | None) -> EvaluationSet:
    reference_files, system_files = files(file, given, "references"), files(file, given, "systems")
    how: dict[str, Any] = {"as_text": given.get("as_text", False), "remedy": f"as_text = true in {file}"}
    streams = [read_segments(path, **how) for path in reference_files]
    outputs = [read_segments(path, **how) for path in system_files]
    for path, lines in zip([*reference_files, *system_files], [*streams, *outputs], strict=True):
        if len(lines) != len(streams[0]):
            raise InputError(f"{path}: has {len(lines)} lines, but {reference_files[0]} has {len(streams[0])}")
    if chosen is not None and chosen.stop > len(streams[0]):
        raise InputError(f"{name}: expected {chosen.stop} lines, but {reference_files[0]} has {len(streams[0])}")
    options = RatingOptions(
        given.get("form", "scores"), given.get("column"), human_lower_is_better=given.get("lower_is_better", False)
    )
    human = os.path.join(os.path.dirname(file), given["human"])
    human = "./-" if human == "-" else human  # a file, and not standard input
    names = system_names(system_files)
    ratings = ratings_by_group(human, options, JoinOptions(), names)[""]
    ratings = ratings.renamed(same_names(ratings.systems, names))
    _check_known(file, given, ratings, names, len(streams[0]))
    wanted = chosen if chosen is not None else range(len(streams[0]))
    missing = None if given.get("missing_references", False) else ""
    return EvaluationSet(
        name,
        {system: [output[i] for i in wanted] for system, output in zip(names, outputs, strict=True)},
        References.from_streams([[stream[i] or missing for i in wanted] for stream in streams]),
        ratings,
        tuple(str(i + 1) for i in wanted),
        given.get("group", ""),
        frozenset(map(os.path.realpath, system_files)),
    )


def _check_known(file: str, given: dict[str, Any], ratings: Any, names: Sequence[str], lines: int) -> None:
    """Reject ratings of unknown systems or segments, unless they are to be ignored."""
    if ratings.of_systems:
        raise InputError(f"{ratings.path}: rates whole systems; expected ratings of segments")
    unrated = [name for name in names if name not in ratings.systems]
    unknown = [name for name in ratings.systems if name not in names]
    beyond = [name for name in ratings.segments if not (re.fullmatch("[0-9]{1,18}", name) and 1 <= int(name) <= lines)]
    differ = f"names differ: {ratings.path} rates {', '.join(ratings.systems)}; the systems are {', '.join(names)}"
    if unrated:
        raise InputError(f"{file}: {differ} (not rated: {', '.join(unrated)})")
    ignore = given.get("ignore_unknown", False)
    if unknown and not ignore:
        raise InputError(f"{file}: {differ} (only rated: {', '.join(unknown)}; ignore_unknown = true drops them)")
    if "0" in beyond or (beyond and not ignore):  # numbered from 0, each segment would match the wrong line
        raise InputError(f"{ratings.path}: rates segment {beyond[0]!r}; expected lines of the texts, 1 to {lines}")


def described(file: str) -> dict[str, Any]:
    """Read a description; unknown keys are errors."""
    try:
        given = tomllib.loads("\n".join(read_lines(file, "a set described in TOML")))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file}: invalid TOML ({error})") from None
    for key, value in given.items():
        if key not in KEYS:
            raise InputError(f"{file}: unknown key {key!r}{nearest(key, [*KEYS])} (known: {', '.join(KEYS)})")
        if not isinstance(value, KEYS[key]):
            raise InputError(f"{file}: {key}: did not expect {value!r}")
    for key in ("references", "systems", "human"):
        if key not in given:
            raise InputError(f"{file}: expected a line {key} = ...")
    return given


def files(file: str, given: dict[str, Any], key: str) -> list[str]:
    """The files named by a description, in order; a pattern without a match is an error."""
    patterns = [given[key]] if isinstance(given[key], str) else given[key]
    found: list[str] = []
    for pattern in patterns:
        if not isinstance(pattern, str):
            raise InputError(f"{file}: {key}: expected names of files, found {pattern!r}")
        matches = sorted(glob.glob(os.path.join(os.path.dirname(file), pattern)))
        if not matches:
            raise InputError(f"{file}: {key}: no file matches {pattern}")
        found += matches
    return list(dict.fromkeys(found))


def lines_of(text: str, what: str) -> range | None:
    """The lines of a text such as `1-264` or `17`, as indices from 0; None if it is empty.

    >>> lines_of("3-5", "segments"), lines_of("", "segments")
    (range(2, 5), None)
    """
    if not text:
        return None
    match = re.fullmatch(r"\s*([0-9]+)\s*(?:-\s*([0-9]+))?\s*", text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last:
        raise InputError(f"{what}: expected lines such as 1-264, found {text!r}")
    return range(first - 1, last)
