"""sacreBLEU's cache of test sets: plain text, `NAME/NAME.SRC-TRG.FIELD`, in `$SACREBLEU` or `~/.sacrebleu`.

A field is a text or a property of every segment: `src`, `ref` or `ref:A` (in file names `ref-A`), `docid`, `origlang`,
`genre`, `domain`; the sets of WMT since 2021 have the outputs of systems, too, by name. A slash in the name of a set
makes a folder, and an underscore in names of files: `wmt21/B/wmt21_B.en-de.src`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import InputError

#: Which references a set is scored with where it has several, as sacreBLEU 2.6.0 has it; "" has no label.
LABELS: dict[str, tuple[str, ...]] = {
    "wmt21": ("A",),
    "wmt21/systems": ("A",),
    "wmt21/B": ("B",),
    "wmt21/C": ("C",),
    "wmt21/D": ("D",),
    "wmt21/AB": ("A", "B"),
    "wmt21/AC": ("A", "C"),
    "wmt21/dev": ("A", ""),
    "wmt22": ("A",),
    "wmt23": ("refA",),
    "wmt24": ("refA",),
}
#: Language pairs for which it is another.
LABELS_OF_PAIRS: dict[tuple[str, str], tuple[str, ...]] = {
    ("wmt22", "cs-en"): ("B",),
    ("wmt22", "en-cs"): ("B",),
    ("wmt22", "liv-en"): ("",),
    ("wmt22", "ru-sah"): ("",),
    ("wmt23", "en-he"): ("refB",),
    ("wmt23", "he-en"): ("refB",),
}
#: Fields that are neither a text to translate nor a translation.
PROPERTIES = ("docid", "domain", "genre", "origlang")

_NAME = re.compile(r"(?!\.)[\w.+-]+(/(?!\.)[\w.+-]+)*")
_PAIR = re.compile(r"[\w]+-[\w-]+")
_OTHERS = ("raw", "models")  # folders of what was downloaded
_DEEPEST = 4  #: folders; the names of sets have up to three parts


def cache_folder() -> str:
    """Where sacreBLEU keeps test sets and models."""
    return os.environ.get("SACREBLEU") or os.path.join(os.path.expanduser("~"), ".sacrebleu")


@dataclass(frozen=True)
class CachedSet:
    """The files of a test set for one language pair."""

    name: str
    pair: str
    files: Mapping[str, str]  #: by field

    @property
    def labels(self) -> list[str]:
        """The labels of all references: "" for `ref`, A for `ref:A`."""
        return [field.partition(":")[2] for field in self.files if is_reference(field)]

    @property
    def scored_with(self) -> list[str]:
        """The fields of the references to score with."""
        there = [field for field in self.files if is_reference(field)]
        chosen = LABELS_OF_PAIRS.get((self.name, self.pair), LABELS.get(self.name))
        if chosen is not None:
            wanted = {reference_field(label) for label in chosen}
            return [field for field in there if field in wanted]
        if len(there) > 1 and not all(label.isdecimal() for label in self.labels):
            files = " ".join(self.files[field] for field in there)
            raise InputError(
                f"{self.name} {self.pair}: has the references {', '.join(self.labels)}, and which are meant is not "
                f"known; name files ({files})"
            )
        return there

    @property
    def complete(self) -> bool:
        """Whether the source and a reference are there."""
        return "src" in self.files and bool(self.scored_with)


def is_reference(field: str) -> bool:
    """Whether a field is a reference."""
    return field == "ref" or field.startswith("ref:")


def reference_field(label: str) -> str:
    """The field of a reference by its label."""
    return f"ref:{label}" if label else "ref"


def cached_set(name: str, pair: str) -> CachedSet:
    """A set as far as the cache has it; its files may be none."""
    if not _NAME.fullmatch(name):
        raise InputError(f"{name!r} is not the name of a test set; expected one such as wmt22 or wmt21/B")
    return next((one for one in _sets_in(name) if one.pair == pair), CachedSet(name, pair, {}))


def cached_sets() -> list[CachedSet]:
    """All sets in the cache that have a source and a reference, by name and language pair."""
    folder = cache_folder()
    found: list[CachedSet] = []
    for path, folders, _ in os.walk(folder):
        folders[:] = sorted(one for one in folders if one not in _OTHERS and not one.startswith("."))
        name = os.path.relpath(path, folder).replace(os.sep, "/")
        if name.count("/") >= _DEEPEST - 1:
            folders.clear()
        if name != "." and _NAME.fullmatch(name):
            found += _sets_in(name)
    return [one for one in found if "src" in one.files and any(map(is_reference, one.files))]


def _sets_in(name: str) -> list[CachedSet]:
    """The sets of one name, one for each language pair."""
    folder = os.path.join(cache_folder(), *name.split("/"))
    prefix = name.replace("/", "_") + "."
    try:
        files = sorted(os.listdir(folder))
    except OSError:
        return []
    pairs: dict[str, dict[str, str]] = {}
    for file in files:
        pair, dot, field = file.removeprefix(prefix).partition(".")
        path = os.path.join(folder, file)
        if file.startswith(prefix) and dot and _PAIR.fullmatch(pair) and os.path.isfile(path):
            field = f"ref:{field.removeprefix('ref-')}" if field.startswith("ref-") else field
            pairs.setdefault(pair, {})[field] = path
    return [CachedSet(name, pair, _ordered(fields)) for pair, fields in pairs.items()]


def _ordered(fields: Mapping[str, str]) -> dict[str, str]:
    """The source first, then references by label, properties, outputs of systems."""

    def place(field: str) -> tuple[int, int, str]:
        label = field.partition(":")[2]
        kind = 0 if field == "src" else 1 if is_reference(field) else 2 if field in PROPERTIES else 3
        return kind, int(label) if label.isdecimal() else 0, field

    return {field: fields[field] for field in sorted(fields, key=place)}
