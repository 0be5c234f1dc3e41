"""Fetch KaTeX, which sets the equations of the site, once: the files that a page loads go to docs/assets/katex.

    python website/katex.py

The release is pinned, and checked by the digest that its registry publishes. npm knows the mirrors of this computer;
without npm the file comes from the registry itself.
"""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import sys
import tarfile
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory

FOLDER = Path(__file__).parents[1] / "docs" / "assets" / "katex"
VERSION = "0.19.1"
SHA512 = "jG8uKntjSEcm2EpQOh0XturpPuuC9r3Sq5HLHdsFdWZT27E672SF19QEi+of0/YeOy15lDgRhKvr5614uRrEfA=="
WANTED = ("LICENSE", "dist/katex.min.js", "dist/katex.min.css", "dist/fonts/")


def release(folder: Path) -> bytes:
    """The release as its registry has it."""
    if npm := shutil.which("npm"):
        command = [npm, "pack", "--silent", f"katex@{VERSION}"]
        if subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0:
            return (folder / f"katex-{VERSION}.tgz").read_bytes()
    with urllib.request.urlopen(f"https://registry.npmjs.org/katex/-/katex-{VERSION}.tgz", timeout=60) as answer:
        found: bytes = answer.read()
    return found


def main() -> int:
    """Fetch the release, check it, and unpack what pages load."""
    stamp = FOLDER / f"version-{VERSION}"
    if stamp.exists():
        return 0
    with TemporaryDirectory() as name:
        folder = Path(name)
        data = release(folder)
        if base64.b64encode(hashlib.sha512(data).digest()).decode() != SHA512:
            print(f"katex {VERSION}: the file is not the release that was pinned", file=sys.stderr)
            return 1
        packed = folder / "release.tgz"
        packed.write_bytes(data)
        shutil.rmtree(FOLDER, ignore_errors=True)
        with tarfile.open(packed) as archive:
            for member in archive.getmembers():
                path = member.name.removeprefix("package/").removesuffix("/")
                fonts_others = path.startswith("dist/fonts/") and not path.endswith(".woff2")
                if member.isfile() and path.startswith(WANTED) and not fonts_others:
                    target = FOLDER / path.removeprefix("dist/")
                    target.parent.mkdir(parents=True, exist_ok=True)
                    content = archive.extractfile(member)
                    assert content
                    target.write_bytes(content.read())
    stamp.touch()
    return 0


if __name__ == "__main__":
    sys.exit(main())
