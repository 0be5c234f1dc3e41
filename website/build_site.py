"""Build the site into build/site, strictly: warnings are errors, and so are links and anchors that lead nowhere.

    python website/build_site.py [FOLDER]

Needs no network once `website/fetch_scripts.py` has run. Tells where the site is, and how large.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from check_site import problems

ROOT = Path(__file__).parents[1]
#: What the generator has pages load from elsewhere if they are to work as files, and where the site has it.
SHIM = ("https://unpkg.com/iframe-worker/shim", "assets/iframe-worker/shim/index.js")


#: The generator, with what its plugins log: code of a page that fails is only logged.
GENERATOR = """
import logging, sys
logging.basicConfig(level="WARNING", format="WARNING: %(message)s")
from zensical.main import cli
cli(["build", "--clean", "--strict", "-f", sys.argv[1]])
"""


def generate(config: Path) -> str:
    """Run the generator, and return what it finds wrong: nothing, if all is well."""
    command = [sys.executable, "-c", GENERATOR, str(config)]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # pages may run the command, too
    home = {**os.environ, "PATH": path, "COLUMNS": "100"}
    made = subprocess.run(command, cwd=config.parent, capture_output=True, text=True, check=False, env=home)
    said = re.sub(r"\x1b\[[0-9;]*m", "", made.stdout + made.stderr).strip()
    return said if made.returncode or re.search(r"(?im)^\W*(warning|error)\b|^Traceback", said) else ""


def build(folder: Path) -> list[str]:
    """Build the site into a folder, and say what is wrong with it."""
    config = ROOT / "mkdocs.build.yml"
    config.write_text(f"INHERIT: mkdocs.yml\nsite_dir: {folder}\n", encoding="utf-8")
    try:
        shutil.rmtree(folder, ignore_errors=True)
        if wrong := generate(config):
            return [wrong]
    finally:
        config.unlink()
    for path in folder.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        up = "/" if path.name == "404.html" else "../" * (len(path.relative_to(folder).parts) - 1)
        path.write_text(text.replace(SHIM[0], up + SHIM[1]), encoding="utf-8")
    subprocess.run([sys.executable, ROOT / "website" / "gallery.py", "--only-reports", folder / "reports"], check=True)
    _search_less(folder)
    return problems(folder)


def _search_less(folder: Path) -> None:
    """Leave members of classes out of the search, which would come before pages that explain; their classes stay."""
    path = folder / "search.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    found["items"] = [
        one for one in found["items"] if one["level"] < 3 or not one["location"].startswith("reference/python/")
    ]
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    path.write_text(text, encoding="utf-8")
    (folder / "search.js").write_text(f"var __index = {text}", encoding="utf-8")


def main(name: str = "build/site") -> int:
    """Build, and tell."""
    folder = (ROOT / name).resolve()
    began = time.perf_counter()
    if found := build(folder):
        print("\n".join(found), file=sys.stderr)
        return 1
    files = [path for path in folder.rglob("*") if path.is_file()]
    pages = sum(path.suffix == ".html" for path in files)
    size = sum(path.stat().st_size for path in files) / 1e6
    print(f"{pages} pages, {size:.1f} MB, {time.perf_counter() - began:.1f} s: {folder / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
