"""One self-contained HTML file: the template filled in, style, scripts and data inside, and nothing else let in."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from ..compression import without_suffix
from ..errors import MissingExtraError, SpecError, shown
from ..parameters import FileName, checked
from ..writers import check_target, writing

#: What a script imports from another script, and what it exports.
IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([\w/]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?(?:function|const|class|let) (\w+))", re.MULTILINE)


def render(template: str, values: Mapping[str, Any]) -> str:
    """A template of `assets/`, filled in; every value is escaped unless it is marked as safe."""
    return str(_environment().get_template(template).render(values))


def page(template: str, values: Mapping[str, Any], *, script: str | None, data: Mapping[str, str]) -> str:
    """A whole page: `script` is the one to begin with, `data` are texts for it by id."""
    from markupsafe import Markup

    style, scripts = asset("report.css"), bundle(script) if script else ""
    policy = [
        "default-src 'none'",
        f"script-src '{digest(scripts)}'" if scripts else "script-src 'none'",
        f"style-src '{digest(style)}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    inside = {"policy": "; ".join(policy), "style": Markup(style), "script": Markup(scripts), "data": data}
    return render(template, {**values, **inside})


def write_page(path: str, text: str) -> None:
    """Write the file; it appears when all is written."""
    with writing(path) as file:
        file.write(text)


def asset(name: str) -> str:
    """One of the files of `assets/`."""
    environment = _environment()
    return str(environment.loader.get_source(environment, name)[0])


def bundle(first: str) -> str:
    """A script and all that it imports as one: every file is a function that returns what it exports."""
    done: dict[str, str] = {}

    def add(name: str) -> None:
        source = asset(name)
        for _, other in IMPORT.findall(source):
            if other not in done:
                add(other)
        names = ", ".join(found for _, found in EXPORT.findall(source))
        body = EXPORT.sub(r"\1", IMPORT.sub(lambda found: f"const {found[1]} = {_place(found[2])};\n", source))
        done[name] = f"const {_place(name)} = (() => {{\n{body}\nreturn {{ {names} }};\n}})();"

    add(first)
    return "\n".join(done.values())


def _place(name: str) -> str:
    """The variable of what a script exports."""
    return "$" + name.removesuffix(".js").replace("/", "$")


def digest(text: str) -> str:
    """How a content-security-policy names a script or style."""
    return "sha256-" + b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")


def check_templates() -> None:
    """Reject a report before any work if what fills in its templates is not installed."""
    _environment()


def page_target(path: Any) -> str:
    """The name of a page to write, checked before any work."""
    target: str = checked("path", path, FileName("a file that ends in .html or .htm"))
    if not without_suffix(target).lower().endswith((".html", ".htm")):
        raise SpecError(f"path: expected a file name that ends in .html or .htm; got {shown(target)}")
    check_target(target)
    return target


def _environment() -> Any:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise MissingExtraError("a report requires Jinja2; pip install 'tricolore[report]'") from None
    loader = PackageLoader("tricolore.reporting", "assets")
    how: dict[str, Any] = {"autoescape": True, "undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    return Environment(loader=loader, **how)
