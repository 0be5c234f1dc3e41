"""The test sets that there are: in sacreBLEU's cache, and those that the sacrebleu package can fetch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import SpecError, nearest
from .readers import read_segments
from .readers.sacrebleu_cache import cache_folder, cached_sets
from .results import Page, Result, Table
from .set_download import known_sets
from .types import Record


@dataclass(frozen=True)
class ListedSet:
    """One test set for one language pair."""

    name: str
    pair: str
    description: str = ""
    fields: tuple[str, ...] = ()  #: in the cache; () if it is not there
    segments: int | None = None

    @property
    def cached(self) -> bool:
        """Whether it is in the cache."""
        return bool(self.fields)


@dataclass(frozen=True, repr=False)
class TestSets(Result):
    """Test sets by name and language pair; the result of `test_sets`."""

    __test__ = False  # nothing for pytest

    sets: tuple[ListedSet, ...]
    folder: str  #: of the cache
    installed: bool  #: whether the sacrebleu package is there, to fetch others
    detailed: bool = False  #: whether pages have a row per language pair

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sets."""
        return tuple(dict.fromkeys(one.name for one in self.sets))

    def __len__(self) -> int:
        return len(self.sets)

    def __repr__(self) -> str:
        cached = sum(one.cached for one in self.sets)
        return f"<{len(self.names)} test sets, {len(self)} language pairs, {cached} of them in {self.folder}>"

    def to_dict(self) -> dict[str, Any]:
        return {
            "folder": self.folder,
            "installed": self.installed,
            "sets": [{**_record(one), "fields": [*one.fields]} for one in self.sets],
        }

    def facts(self) -> Mapping[str, Sequence[Record]]:
        return {"sets": [{**_record(one), "fields": " ".join(one.fields)} for one in self.sets]}

    def page(self, width: int | None = None) -> Page:
        tables = [self._pairs() if self.detailed else self._names()] if self.sets else []
        notes = ["'tricolore sets -t NAME' lists language pairs, '-t NAME -l SRC-TRG --echo src ref' prints texts."]
        if not self.sets:
            notes = [f"There is no test set in {self.folder}."]
        if not self.installed:
            notes.append("To list and fetch those that sacreBLEU knows: pip install 'tricolore[sets]'.")
        return Page(tables, notes)

    def _names(self) -> Table:
        rows = []
        for name in self.names:
            own = [one for one in self.sets if one.name == name]
            cached = [one.pair for one in own if one.cached]
            shown = " ".join(cached) if len(cached) <= 4 else f"{len(cached)} pairs"
            rows.append([name, str(len(own)), shown or "–", own[0].description])
        return Table(["Test set", "Pairs", "In the cache", "Description"], rows, left=4)

    def _pairs(self) -> Table:
        rows = [
            [one.name, one.pair, "–" if one.segments is None else f"{one.segments:,}", " ".join(one.fields) or "–"]
            for one in self.sets
        ]
        return Table(["Test set", "Pair", "Segments", "Fields in the cache"], rows, left=4)


def test_sets(name: str | None = None, language_pair: str | None = None, *, cached: bool = False) -> TestSets:
    """The test sets in sacreBLEU's cache and, if the sacrebleu package is installed, those that it can fetch.

    `name` and `language_pair` keep sets of that name and pair, `cached=True` those in the cache. Nothing is fetched.
    """
    found = {
        (one.name, one.pair): ListedSet(
            one.name, one.pair, "", tuple(one.files), len(read_segments(one.files["src"], as_text=True))
        )
        for one in cached_sets()
    }
    known = known_sets()
    for one in (known or {}).values():
        for pair in one.pairs:
            there = found.get((one.name, pair), ListedSet(one.name, pair))
            found[one.name, pair] = ListedSet(one.name, pair, one.description, there.fields, there.segments)
    sets = [found[key] for key in sorted(found)]
    if cached:
        sets = [one for one in sets if one.cached]
    for what, wanted, have in (
        ("test set", name, [one.name for one in sets]),
        ("language pair", language_pair, [one.pair for one in sets]),
    ):
        if wanted is not None and wanted not in have:
            where = f" in {cache_folder()}" if cached or known is None else ""
            raise SpecError(f"no {what} {wanted!r}{where}{nearest(wanted, [*dict.fromkeys(have)])}")
    chosen = [one for one in sets if name in (None, one.name) and language_pair in (None, one.pair)]
    return TestSets(tuple(chosen), cache_folder(), known is not None, name is not None or language_pair is not None)


test_sets.__test__ = False  # type: ignore[attr-defined]


def _record(one: ListedSet) -> Record:
    return {
        "test_set": one.name,
        "language_pair": one.pair,
        "cached": one.cached,
        "segments": one.segments,
        "description": one.description,
    }
