"""Test sets in mark-up, as tables: the SGML of NIST and WMT, the XML of WMT since 2021, translation memories (TMX)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from ..errors import InputError
from .files import name_of, read_text
from .texts import system_name

Columns = dict[str, list[Any]]

#: A tag of SGML that matters, and the text up to the next tag.
_TAG = re.compile(r"<\s*(/?)\s*(refset|srcset|tstset|doc|seg)\b([^>]*)>([^<]*)", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""")

#: Attributes of SGML's sets and documents that are columns.
_SGM_COLUMNS = {"setid": "set", "genre": "genre"}


def read_sgm(*paths: str) -> Columns:
    """Read SGML files of one test set, joined by document and segment.

    Outputs (`<tstset>`) are rows with the columns system, doc, segment and hyp; sources (`<srcset>`) and references
    (`<refset>`) are columns beside them, src and ref, or `ref.NAME` where there are several. Without outputs, rows are
    segments. Further columns are set and genre.
    """
    outputs: dict[tuple[str, ...], str] = {}
    beside: dict[str, dict[tuple[str, ...], str]] = {}
    about: dict[tuple[str, ...], dict[str, str]] = {}
    for path in paths:
        for kind, above, place, text in _segments(path):
            name = above.get("sysid") or system_name(path)
            found, key = beside.setdefault(kind if kind == "src" else f"ref.{name}", {}), place
            if kind == "tst":
                del beside[f"ref.{name}"]
                found, key = outputs, (name, *place)
            if key in found:
                raise InputError(
                    f"{name_of(path)}: document {place[0]}: segment {place[1]} is there twice; expected once"
                )
            found[key] = text
            about.setdefault(place, {}).update(
                {_SGM_COLUMNS[item]: above[item] for item in above if item in _SGM_COLUMNS}
            )
    references = [name for name in beside if name != "src"]
    if len(references) == 1:
        beside["ref"] = beside.pop(references[0])
    places = dict.fromkeys(key[1:] for key in outputs) or dict.fromkeys(key for some in beside.values() for key in some)
    keys = [*outputs] or [("", *place) for place in places]
    columns: Columns = {"system": [key[0] or None for key in keys]}
    columns |= {"doc": [key[1] for key in keys], "segment": [key[2] for key in keys]}
    columns |= {name: [about[key[1:]].get(name) for key in keys] for name in _SGM_COLUMNS.values()}
    columns |= {name: [some.get(key[1:]) for key in keys] for name, some in beside.items()}
    columns["hyp"] = [outputs.get(key) for key in keys]
    return _with_rows(columns, paths[0], "SGML with <seg> in it")


def _segments(path: str) -> Iterator[tuple[str, dict[str, str], tuple[str, ...], str]]:
    """Every segment of a file: the kind of its set, attributes of the tags around it, document and id, and the text."""
    around: dict[str, dict[str, str]] = {"set": {}, "doc": {}}
    kind = "tst"
    for closing, tag, attributes, text in _TAG.findall(read_text(path)):
        if closing:
            continue
        level = tag.lower()
        found = {name.lower(): html.unescape("".join(values)) for name, *values in _ATTRIBUTE.findall(attributes)}
        if level.endswith("set"):
            kind, around = level[:3], {"set": found, "doc": {}}
        elif level == "doc":
            around["doc"] = found
        else:
            above = around["set"] | around["doc"]
            if "id" not in found or "docid" not in above:
                raise InputError(f"{name_of(path)}: expected <seg id=...> within <doc docid=...>; one has no id")
            yield kind, above, (above["docid"], found["id"]), " ".join(html.unescape(text).split())


def read_wmt_xml(path: str) -> Columns:
    """Read the XML of WMT's test sets: a row per `<seg>` of the sources, with the columns doc, segment and src.

    References are columns named `ref`, or `ref.A` for translator A, outputs `hyp.NAME`; a segment that a document
    does not have in one of them is None there. Attributes of documents are columns, too: domain, origlang, testsuite.
    """
    root = _parsed(path)
    rows: list[dict[str, Any]] = []
    for doc in root.iter("doc"):
        about = {name: doc.get(name) for name in ("domain", "origlang", "testsuite") if doc.get(name) is not None}
        texts: dict[str, dict[str, str]] = {}
        for child in doc:
            if child.tag in ("src", "ref", "hyp"):
                label = child.get("translator" if child.tag == "ref" else "system") if child.tag != "src" else None
                name = child.tag if label is None else f"{child.tag}.{label}"
                if name in texts:
                    raise InputError(f"{name_of(path)}: document {doc.get('id')!r} has {name} twice; expected it once")
                texts[name] = {_id(seg, path): "".join(seg.itertext()).strip() for seg in child.iter("seg")}
        segments = dict.fromkeys(segment for some in texts.values() for segment in some)
        rows += [
            {
                "doc": doc.get("id"),
                "segment": segment,
                **about,
                **{name: some.get(segment) for name, some in texts.items()},
            }
            for segment in segments
        ]
    names = dict.fromkeys(name for row in rows for name in row)
    return _with_rows({name: [row.get(name) for row in rows] for name in names}, path, "the XML of WMT's test sets")


def read_tmx(path: str) -> Columns:
    """Read a translation memory: a row per `<tu>`, and a column per language, in lower case as `de` or `en-gb`.

    A unit without some language has None there; its `tuid` is the column id.
    """
    rows: list[dict[str, Any]] = []
    for unit in _parsed(path).iter("tu"):
        row: dict[str, Any] = {"id": unit.get("tuid")}
        for variant in unit.iter("tuv"):
            language = variant.get("{http://www.w3.org/XML/1998/namespace}lang") or variant.get("lang")
            segment = variant.find("seg")
            if language is None or segment is None:
                raise InputError(f"{name_of(path)}: unit {len(rows) + 1}: expected <tuv> with xml:lang and <seg>")
            row[language.lower()] = "".join(segment.itertext()).strip()
        rows.append(row)
    names = dict.fromkeys(name for row in rows for name in row)
    return _with_rows({name: [row.get(name) for row in rows] for name in names}, path, "TMX with <tu> in it")


def _id(segment: ElementTree.Element, path: str) -> str:
    found = segment.get("id")
    if found is None:
        raise InputError(f"{name_of(path)}: a <seg> has no id; expected one for each")
    return found


def _parsed(path: str) -> ElementTree.Element:
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", read_text(path))  # it is text already, whatever encoding that says
    if re.search(r"<!ENTITY", text, re.IGNORECASE):  # which could be made to fill the memory
        raise InputError(f"{name_of(path)}: defines entities; expected plain XML")
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise InputError(f"{name_of(path)}: invalid XML ({error})") from None


def _with_rows(columns: Columns, path: str, expected: str) -> Columns:
    if not columns or not next(iter(columns.values())):
        raise InputError(f"{name_of(path)}: found no segments; expected {expected}")
    return {name: cells for name, cells in columns.items() if any(cell is not None for cell in cells)}
