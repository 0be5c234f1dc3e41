"""Test sets: sources, references and what is known of every segment, from sacreBLEU's cache.

They are read without the sacrebleu package; what is missing is fetched by it (`set_download`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from .errors import InputError, SpecError, unknown
from .readers import read_segments
from .readers.sacrebleu_cache import PROPERTIES, CachedSet, cached_set, is_reference
from .readers.texts import TextFile, check_lines
from .results import Page, Result, Table
from .segments import References
from .types import Record, Stage


@dataclass(frozen=True, eq=False, repr=False)
class TestSet(Result):
    """Sources and references of a test set, and what is known of its segments; the result of `test_set`."""

    __test__ = False  # nothing for pytest

    name: str
    language_pair: str
    parts: tuple[CachedSet, ...] = field(repr=False)  #: one, or several that are scored together
    kept: tuple[int, ...] | None = None  #: the segments that were asked for, from 0; None: all
    asked: Mapping[str, str] = field(default_factory=dict)  #: `origlang` and `subset`, where they were given
    shown: tuple[str, ...] = ()  #: the fields in records and pages; () is all but outputs

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields that the cache has: src, ref or ref:A, docid, origlang, and outputs of systems."""
        return tuple(one for one in self.parts[0].files if all(one in part.files for part in self.parts))

    def field(self, name: str) -> list[str]:
        """A field, one text per segment; `ref` is the first reference where there is none of this name."""
        if name == "ref" and "ref" not in self.fields:
            name = min(filter(is_reference, self.fields), default=name)
        if name not in self.fields:
            raise unknown("field", name, self.fields)
        texts = [line for part in self.parts for line in self._lines(part, name)]
        return texts if self.kept is None else [texts[i] for i in self.kept]

    def _lines(self, part: CachedSet, name: str) -> list[str]:
        lines = read_segments(part.files[name], as_text=True)
        if name != "src":
            check_lines(part.files["src"], self._size(part), part.files[name], len(lines))
        return lines

    def _size(self, part: CachedSet) -> int:
        sizes: dict[str, int] = self.__dict__.setdefault("_sizes", {})
        if part.name not in sizes:
            sizes[part.name] = len(read_segments(part.files["src"], as_text=True))
        return sizes[part.name]

    @property
    def size(self) -> int:
        """The number of segments of the whole set, which outputs must have."""
        return sum(map(self._size, self.parts))

    @cached_property
    def sources(self) -> list[str]:
        """The sources."""
        return self.field("src")

    @cached_property
    def references(self) -> References:
        """The references that sacreBLEU scores with; their signatures name the set."""
        streams: list[list[str]] = []
        for part in self.parts:
            own = [self._lines(part, name) for name in part.scored_with]
            if streams and len(own) != len(streams):
                raise InputError(
                    f"{self.parts[0].name} has {len(streams)} references and {part.name} {len(own)}; expected as many"
                )
            streams = [a + b for a, b in zip(streams, own, strict=True)] if streams else own
        if self.kept is not None:
            streams = [[stream[i] for i in self.kept] for stream in streams]
        references = References.from_streams(streams)
        references.path = self.parts[0].files[self.parts[0].scored_with[0]] if len(self.parts) == 1 else self.name
        references.origin = {"test": self.name, "lang": self.language_pair, **self.asked}
        return references

    @property
    def documents(self) -> list[str] | None:
        """The document of each segment, if the cache has it."""
        return self.field("docid") if "docid" in self.fields else None

    @property
    def outputs(self) -> dict[str, list[str]]:
        """The outputs of systems that are part of the set, by system."""
        others = [one for one in self.fields if one != "src" and not is_reference(one) and one not in PROPERTIES]
        return {name: self.field(name) for name in others}

    def __len__(self) -> int:
        return self.size if self.kept is None else len(self.kept)

    def __repr__(self) -> str:
        asked = "".join(f", {key} {value}" for key, value in self.asked.items())
        return f"TestSet {self.name} {self.language_pair}{asked}: {len(self)} segments ({', '.join(self._columns)})"

    def select(self, output: Sequence[Any], name: str = "the output") -> Sequence[Any]:
        """The segments of an output of the whole set that were asked for."""
        if isinstance(output, TextFile):
            check_lines(output.path, len(output), self.parts[0].files["src"], self.size)
        elif len(output) != self.size:
            raise InputError(f"{name}: has {len(output):,} segments; expected {self.size:,}, as {self.name} has")
        return output if self.kept is None else [output[i] for i in self.kept]

    def show(self, *names: str) -> TestSet:
        """The same with only these fields in records and pages; `all` is all."""
        if "all" in names and len(names) > 1:
            raise SpecError("'all' is all fields; expected no others beside it")
        return replace(self, shown=self.fields if names == ("all",) else names)

    @property
    def _columns(self) -> tuple[str, ...]:
        known = [one for one in self.fields if one == "src" or is_reference(one) or one in PROPERTIES]
        return self.shown or tuple(known)

    def facts(self) -> Mapping[str, Sequence[Record]]:
        columns = {name: self.field(name) for name in self._columns}
        rows = zip(*columns.values(), strict=True)
        numbers = range(len(self)) if self.kept is None else self.kept
        return {
            "segments": [
                {"segment": i + 1, **dict(zip(columns, row, strict=True))} for i, row in zip(numbers, rows, strict=True)
            ]
        }

    def to_dict(self) -> dict[str, Any]:
        about = {"test_set": self.name, "language_pair": self.language_pair, **self.asked}
        return {**about, "fields": [*self.fields], "segments": self.records()}

    def page(self, width: int | None = None) -> Page:
        rows = [[str(one) for one in record.values()] for record in self.records()]
        return Page([Table(["Segment", *self._columns], rows, left=1 + len(self._columns))])

    def lines(self) -> list[str]:
        """A line per segment, fields separated by tabs, as sacreBLEU echoes them."""
        return ["\t".join(row) for row in zip(*map(self.field, self._columns), strict=True)]


def test_set(
    name: str,
    language_pair: str,
    *,
    origlang: str | None = None,
    subset: str | None = None,
    progress: Stage | None = None,
) -> TestSet:
    """A test set by its name in sacreBLEU, such as `wmt22`, and a language pair, such as `en-de`.

    It is read from sacreBLEU's cache (`$SACREBLEU`, or `~/.sacrebleu`). If it is not there, the sacrebleu package
    fetches it, if it is installed (`pip install 'tricolore[sets]'`). Names of several sets, separated by commas, are
    one set. `origlang` keeps the segments of one original language (`de`; `non-de`: of all others), `subset` those
    whose domain matches a regular expression, or in wmt18 and wmt19 whose documents are so annotated in sacreBLEU.

    `tri.score(output, tri.test_set("wmt22", "en-de").references)` scores the output of a whole set.
    """
    if not isinstance(name, str) or not isinstance(language_pair, str):
        raise SpecError(f"expected the names of a test set and a language pair; got {name!r} and {language_pair!r}")
    if not re.fullmatch(r"[^-]+-[^-].*", language_pair):
        raise SpecError(f"language_pair: expected SRC-TRG, such as en-zh; got {language_pair!r}")
    parts = tuple(_part(one, language_pair, progress) for one in name.split(","))
    whole = TestSet(name, language_pair, parts)
    given = {"origlang": origlang, "subset": subset}
    asked = {key: value for key, value in given.items() if value is not None}
    if not asked:
        return whole
    kept = tuple(i for i, keep in enumerate(_chosen(whole, origlang, subset)) if keep)
    if not kept:
        wanted = " and ".join(f"{key} {value!r}" for key, value in asked.items())
        there = f" (found {', '.join(sorted({*whole.field('origlang')}))})" if origlang is not None else ""
        raise InputError(f"{name} {language_pair}: no segment has {wanted}{there}")
    return replace(whole, kept=kept, asked=asked)


test_set.__test__ = False  # type: ignore[attr-defined]


def _part(name: str, pair: str, progress: Stage | None) -> CachedSet:
    found = cached_set(name, pair)
    if found.complete:
        return found
    from .set_download import fetch

    if progress:
        progress(f"fetching {name} {pair} with sacreBLEU")
    fetch(name, pair)
    found = cached_set(name, pair)
    if not found.complete:
        raise InputError(f"{name} {pair}: sacreBLEU fetched it, but wrote no reference")
    return found


def _chosen(whole: TestSet, origlang: str | None, subset: str | None) -> list[bool]:
    """Which segments are kept, as sacreBLEU's --origlang and --subset do."""
    kept = [True] * whole.size
    if origlang is not None:
        if "origlang" not in whole.fields:
            raise InputError(f"{whole.name} {whole.language_pair}: has no original languages (origlang) in the cache")
        without = origlang.startswith("non-")
        language = origlang.removeprefix("non-")
        kept = [(one == language) != without for one in whole.field("origlang")]
    if subset is not None:
        try:
            pattern = re.compile(subset.removeprefix("country:"))
        except re.error as error:
            raise SpecError(f"subset: {subset!r} is not a regular expression ({error})") from None
        kept = [keep and bool(pattern.search(tag)) for keep, tag in zip(kept, _tags(whole), strict=True)]
    return kept


def _tags(whole: TestSet) -> list[str]:
    """The domain of each segment, or what sacreBLEU says of its document."""
    found = []
    for part in whole.parts:
        one = replace(whole, parts=(part,), kept=None)
        if "domain" in part.files:
            found += one.field("domain")
            continue
        from .set_download import known_sets

        known = known_sets()
        tags = known[part.name].tags if known is not None and part.name in known else {}
        if not tags or "docid" not in part.files:
            needs = (
                "; those of wmt18 and wmt19 are in sacreBLEU: pip install 'tricolore[sets]'" if known is None else ""
            )
            raise InputError(f"{part.name} {part.pair}: has no domains{needs}")
        found += [tags.get(document, "") for document in one.field("docid")]
    return found
