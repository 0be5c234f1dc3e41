"""JSON Schemas of what commands print with `-f json`, and the page about them, from json_keys.py.

python website/schemas.py [--check]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from json_keys import SCHEMAS, Schema

ROOT = Path(__file__).parents[1] / "docs" / "reference"
DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema_of(name: str) -> Schema:
    """The whole schema of what a command prints."""
    command, about, alternatives = SCHEMAS[name]
    head = {"$schema": DRAFT, "title": command, "description": about}
    return head | (alternatives[0] if len(alternatives) == 1 else {"anyOf": alternatives})


# The page ---------------------------------------------------------------------------------------------------------

HEAD = """# What is in the JSON of each command?

`-f json` prints what is described here, key by key; a JSON Schema (draft 2020-12) of each is beside this page, such as
[score.json](schemas/score.json). Made by `make pages` from `website/json_keys.py`; the tests run every command on the
texts of `tricolore demo` and validate what it prints.

```sh
tricolore score ref.txt -i output.txt -f json > score.json
python -m jsonschema -i score.json docs/reference/schemas/score.json
```

Keys stay; one that is renamed or removed is named in the changelog. New keys may come with any version, so a program
should not reject those it does not know; the schemas do, so that the tests see every change. Numbers are in
full precision (`-w 2` rounds), and what is undefined is `null`. `score`, intervals and differences are in points.
"""


def page() -> str:
    """The page about all schemas."""
    links = " · ".join(f"[{name}](#{name})" for name in SCHEMAS)
    parts = [HEAD, links, ""]
    for name, (command, about, alternatives) in SCHEMAS.items():
        parts += [f"## {name}", "", f"`{command}`. {about} Schema: [{name}.json](schemas/{name}.json)", ""]
        parts += ["| key | type | meaning |", "|:--|:--|:--|"]
        for i, one in enumerate(alternatives):
            same = one.get("items") in alternatives[:i]
            parts += [] if same else [f"| `{key}` | {type_} | {told} |" for key, type_, told in rows(one)]
        parts.append("")
    return "\n".join(parts).rstrip() + "\n"


def rows(schema: Schema, before: str = "") -> list[tuple[str, str, str]]:
    """The keys of a schema, those inside others with a path: `systems[].score`."""
    found = []
    if schema.get("type") == "array":
        return rows(schema["items"], f"{before}[]")
    for one in schema.get("anyOf", ()):
        found += rows(one, before)
    for key, what in schema.get("properties", {}).items():
        path = f"{before}.{key}".lstrip(".")
        optional = "" if key in schema["required"] else ", optional"
        found.append((path, described_type(what) + optional, what["description"]))
        found += rows(what, path)
    others = schema.get("additionalProperties")
    if isinstance(others, dict) and (others.get("items") or others.get("properties")):
        found += rows(others, f"{before}.*".lstrip("."))
    return found


def described_type(schema: Schema) -> str:
    """The type in words."""
    if "enum" in schema:
        return ", ".join("null" if one is None else f'"{one}"' for one in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(map(described_type, schema["anyOf"]))
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return " or ".join("list" if one == "array" else one for one in types)


def files() -> dict[Path, str]:
    """All files and what is to be in them."""
    found = {ROOT / "schemas" / f"{name}.json": json.dumps(schema_of(name), indent=1) + "\n" for name in SCHEMAS}
    return {**found, ROOT / "json.md": page()}


def main(*asked: str) -> int:
    """Write or check the files."""
    wanted = files()
    if "--check" not in asked:
        for path, text in wanted.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return 0
    return int(any(not path.exists() or path.read_text(encoding="utf-8") != text for path, text in wanted.items()))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
