"""Fetch the scripts of others that the site has, once, so that pages load nothing from elsewhere.

    python website/fetch_scripts.py

KaTeX sets the equations; iframe-worker lets the search work in pages opened as files. Both are under the MIT licence.
Releases are pinned, and checked by the digests that their registry publishes. npm knows the mirrors of this computer;
without npm they come from the registry itself. Files go to docs/assets/PACKAGE.
"""

from __future__ import annotations

import base64
import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory

FOLDER = Path(__file__).parents[1] / "docs" / "assets"
#: Version, SHA-512, and the files that pages load, by package.
PACKAGES = {
    "katex": (
        "0.19.1",
        "jG8uKntjSEcm2EpQOh0XturpPuuC9r3Sq5HLHdsFdWZT27E672SF19QEi+of0/YeOy15lDgRhKvr5614uRrEfA==",
        ("LICENSE", "dist/katex.min.js", "dist/katex.min.css", "dist/fonts/*.woff2"),
    ),
    "iframe-worker": (
        "1.0.4",
        "roeaaI+Lg1LJNfgpCjoRe/+WzEjy9+Z08LoEvu85MCPbBjwm+qXz8Ag5U05lHa6V1CysZyGzE0SOkAtSUA5q7Q==",
        ("LICENSE", "shim/index.js"),
    ),
}


def release(package: str, version: str) -> bytes:
    """The release as its registry has it."""
    if npm := shutil.which("npm"):
        with TemporaryDirectory() as folder:
            command = [npm, "pack", "--silent", f"{package}@{version}"]
            if subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0:
                return (Path(folder) / f"{package}-{version}.tgz").read_bytes()
    address = f"https://registry.npmjs.org/{package}/-/{package}-{version}.tgz"
    with urllib.request.urlopen(address, timeout=60) as answer:
        found: bytes = answer.read()
    return found


def fetch(package: str) -> None:
    """Fetch a release, check it, and unpack what pages load."""
    version, digest, wanted = PACKAGES[package]
    home = FOLDER / package
    stamp = home / f"version-{version}"
    if stamp.exists():
        return
    data = release(package, version)
    if base64.b64encode(hashlib.sha512(data).digest()).decode() != digest:
        sys.exit(f"{package} {version}: what was fetched is not the release that was pinned")
    shutil.rmtree(home, ignore_errors=True)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive.getmembers():
            path = Path(member.name).relative_to("package")
            content = archive.extractfile(member) if any(path.match(one) for one in wanted) else None
            if content:
                target = home / (path.relative_to("dist") if path.parts[0] == "dist" else path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content.read())
    stamp.touch()


if __name__ == "__main__":
    for each in PACKAGES:
        fetch(each)
