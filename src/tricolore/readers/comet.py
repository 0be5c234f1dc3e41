"""What COMET writes: the lines of `comet-score`, and the JSON of `comet-score` and `comet-compare` (`--to_json`).

    out/A.txt<tab>Segment 0<tab>score: 0.8275    (before version 1.1: Segment 0<tab>score: 0.8275)
    out/A.txt<tab>score: 0.8431                  (before version 1.1: System score: 0.8431)

The JSON is an object of lists, one for each file of translations; before version 1.1 it is one list. Every item has the
texts of a segment and its score as `COMET`. That of `comet-compare` has `translations`, each with a name and scores.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from ..errors import InputError
from .files import name_of
from .tables import MISSING, number_of

#: The system of output that names none.
UNNAMED = ""

_SEGMENT = re.compile(
    r"(?:(?P<system>[^\t]+)\t)?Segment (?P<number>[0-9]+)\tscore: (?P<score>\S+)(\tvariance: \S+)?\s*"
)
_SYSTEM = re.compile(r"(?:(?P<system>[^\t]+)\tscore|System score): (?P<score>\S+)\s*")
_OTHER = re.compile(r"(Predictions saved in: |CacheInfo\().*")  # what COMET also prints there

#: The scores of a file: of segments and of whole systems, by system, and where a score is missing.
Found = tuple[dict[str, list[float]], dict[str, float], dict[tuple[str, int], str]]


def is_comet_line(line: str) -> bool:
    r"""Whether a line is one that `comet-score` prints.

    >>> is_comet_line("A.txt\tSegment 0\tscore: 0.8275"), is_comet_line("A.txt\t0.8275")
    (True, False)
    """
    return bool(_SEGMENT.fullmatch(line) or _SYSTEM.fullmatch(line))


def comet_lines(path: str, lines: Sequence[str]) -> Found:
    """Read what `comet-score` prints; segments, numbered from 0, must come in their order."""
    segments: dict[str, list[float]] = {}
    systems: dict[str, float] = {}
    gaps: dict[tuple[str, int], str] = {}
    for number, line in enumerate(lines, 1):
        where = f"{name_of(path)}: line {number}"
        if found := _SEGMENT.fullmatch(line):
            system = found["system"] or UNNAMED
            own = segments.setdefault(system, [])
            if int(found["number"]) != len(own):
                raise InputError(
                    f"{where}: found segment {found['number']} of {system or 'the system'}; expected {len(own)}"
                )
            own.append(_score(found["score"], where, (system, len(own)), gaps))
        elif found := _SYSTEM.fullmatch(line):
            system = found["system"] or UNNAMED
            if system in systems:
                raise InputError(f"{where}: the score of {system or 'the system'} is there twice; expected it once")
            systems[system] = _score(found["score"], where, (system, -1), gaps)
        elif line.strip() and not _OTHER.fullmatch(line):
            raise InputError(f"{where}: expected a line of comet-score, such as FILE<tab>Segment 0<tab>score: 0.8275")
    return segments, systems, gaps


def as_comet_json(path: str, lines: Sequence[str]) -> Found | None:
    """Read JSON of COMET; None if it is JSON of another kind: one object per line."""
    full = [line for line in lines if line.strip()]
    try:
        first = json.loads(full[0])
    except (ValueError, RecursionError):
        first = None
    if isinstance(first, dict) and (len(full) > 1 or not _is_comet(first)):
        return None
    found = first if len(full) == 1 and first is not None else _parsed(path, "\n".join(lines))
    systems = _systems(path, found)
    gaps: dict[tuple[str, int], str] = {}
    scores: dict[str, list[float]] = {}
    for system, items in systems.items():
        places = [f"{name_of(path)}: {system + ': ' if system else ''}segment {i}" for i in range(1, len(items) + 1)]
        scores[system] = [
            _score(_comet_of(item, where), where, (system, i), gaps)
            for i, (item, where) in enumerate(zip(items, places, strict=True))
        ]
    return scores, {}, gaps


def _parsed(path: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise InputError(f"{name_of(path)}: not JSON ({error})") from None
    except RecursionError:
        raise InputError(f"{name_of(path)}: lists within lists without end; expected JSON of COMET") from None


def _is_comet(found: dict[str, Any]) -> bool:
    return "translations" in found or (bool(found) and all(isinstance(value, list) for value in found.values()))


def _systems(path: str, found: Any) -> dict[str, list[Any]]:
    """The items of each system, one per segment."""
    if isinstance(found, list):
        return {UNNAMED: found}
    translations = found.get("translations") if isinstance(found, dict) else None
    if isinstance(translations, list):
        if all(isinstance(one, dict) and isinstance(one.get("scores"), list) for one in translations):
            named = [str(one.get("name", UNNAMED)) for one in translations]
            if len({*named}) < len(named):
                raise InputError(f"{name_of(path)}: a name is there twice in translations; expected different systems")
            return {name: one["scores"] for name, one in zip(named, translations, strict=True)}
    elif isinstance(found, dict) and _is_comet(found):
        return found
    raise InputError(
        f'{name_of(path)}: expected JSON of COMET, {{FILE: [{{..., "COMET": 0.8}}, ...]}}, or one object per line'
    )


def _comet_of(item: Any, where: str) -> Any:
    if not isinstance(item, dict):
        return item
    if "COMET" not in item:
        raise InputError(f"{where}: expected a key COMET (found {', '.join(map(str, item)) or 'none'})")
    return item["COMET"]


def _score(value: Any, where: str, place: tuple[str, int], gaps: dict[tuple[str, int], str]) -> float:
    """A score; a missing one is nan, and its place is kept."""
    if value is None or (isinstance(value, str) and value.lower() in MISSING):
        value = float("nan")
    try:
        number = number_of(value)
    except ValueError:
        raise InputError(f"{where}: expected a number, found {value!r}") from None
    if number != number:
        gaps[place] = where
    return number
