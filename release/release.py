"""What must hold before a release, as a script; and the one place that sets the version.

    python release/release.py --set 0.2.0     write the version everywhere, signatures in pages included; then make docs
    python release/release.py --check         is everything consistent? (seconds)
    python release/release.py --check --all   the same, then tests, documentation, wheels and their sizes (an hour)

The version stands in pyproject.toml, _version.py, CITATION.cff and the conda recipe, and heads the changelog.
"""

from __future__ import annotations

import argparse
import datetime
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Where the version stands: the line, with the version as its first group.
PLACES = {
    "pyproject.toml": r'(?m)^version = "([^"]*)"$',
    "src/tricolore/_version.py": r'(?m)^__version__ = "([^"]*)"$',
    "CITATION.cff": r"(?m)^version: (\S+)$",
    "recipe/recipe.yaml": r'(?m)^  version: "([^"]*)"$',
}
DATED = r"(?m)^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$"
#: How signatures in pages name the version.
SIGNED = re.compile(r"\btricolore-\d+\.\d+\.\d+\b(?!-|\.tar)")
LARGEST_WHEEL = 2_000_000
#: What --all runs, in this order.
COMMANDS = ("make test", "make docs", "make wheels", "make test-wheels", "make portable")


def main() -> None:
    """Set or check what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", metavar="VERSION", help="write this version everywhere")
    parser.add_argument("--date", default=datetime.date.today().isoformat(), help="of the release (today)")
    parser.add_argument("--check", action="store_true", help="check that everything is consistent")
    parser.add_argument("--all", action="store_true", help="with --check: run tests, build and test wheels, too")
    options = parser.parse_args()
    if not (options.set or options.check):
        parser.error("--set VERSION or --check is needed")
    if options.set:
        set_version(ROOT, options.set, options.date)
    if options.check:
        problems = [*disagreements(ROOT), *uncommitted(ROOT)]
        if not problems and options.all:
            problems = [*failures(), *large_wheels(ROOT)]
        for problem in problems:
            print(f"- {problem}")
        sys.exit(1 if problems else 0)


def set_version(root: Path, version: str, date: str) -> None:
    """Write a version everywhere, and date what was not released yet."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        sys.exit(f"a version is three numbers, such as 0.2.0; got {version!r}")
    for name, pattern in PLACES.items():
        path = root / name
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(pattern, lambda one: one[0].replace(one[1], version), text, count=1), encoding="utf-8")
    for path in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:  # outputs with signatures
        if path.is_file() and SIGNED.search(text := path.read_text(encoding="utf-8")):
            path.write_text(SIGNED.sub(f"tricolore-{version}", text), encoding="utf-8")
    citation = root / "CITATION.cff"
    text = re.sub(r"(?m)^date-released: .*\n", "", citation.read_text(encoding="utf-8"))
    citation.write_text(re.sub(r"(?m)^(version: .*\n)", rf"\1date-released: {date}\n", text), encoding="utf-8")
    changelog = root / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    changelog.write_text(re.sub(r"(?m)^## Unreleased$", f"## {version} ({date})", text, count=1), encoding="utf-8")


def disagreements(root: Path) -> list[str]:
    """What does not agree about the version, or is not ready."""
    found = {name: re.search(pattern, (root / name).read_text(encoding="utf-8")) for name, pattern in PLACES.items()}
    versions = {name: match[1] for name, match in found.items() if match}
    problems = [f"{name}: names no version" for name, match in found.items() if not match]
    if len({*versions.values()}) > 1:
        problems.append("versions differ: " + ", ".join(f"{name} {one}" for name, one in versions.items()))
    version = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.search(DATED, changelog)
    if released is None or released[1] != version:
        problems.append(f"CHANGELOG.md: the first dated section is not '## {version} (YYYY-MM-DD)'")
    elif f"date-released: {released[2]}\n" not in (root / "CITATION.cff").read_text(encoding="utf-8"):
        problems.append(f"CITATION.cff: date-released is not {released[2]}, as the changelog has it")
    for path in sorted((root / "docs").rglob("*.md")):
        others = {*SIGNED.findall(path.read_text(encoding="utf-8"))} - {f"tricolore-{version}"}
        problems += [f"{path.relative_to(root)}: an output has {one}" for one in sorted(others)]
    if re.search(r"(?m)^## Unreleased$", changelog):
        problems.append("CHANGELOG.md: has a section that is not released")
    return problems


def uncommitted(root: Path) -> list[str]:
    """Files that are not committed."""
    done = subprocess.run(["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True, check=False)
    return [f"not committed: {line.strip()}" for line in done.stdout.splitlines()]


def failures() -> list[str]:
    """Run the long checks; the first that fails ends them."""
    for command in COMMANDS:
        print(f"{command} ...", flush=True)
        if subprocess.run(command.split(), cwd=ROOT, check=False).returncode:
            return [f"{command} failed"]
    return []


def large_wheels(root: Path) -> list[str]:
    """Wheels that are too large, or that are missing."""
    wheels = sorted((root / "dist").glob("*.whl"))
    problems = [f"{path.name}: larger than 2 MB" for path in wheels if path.stat().st_size > LARGEST_WHEEL]
    return problems or ([] if wheels else ["dist/ has no wheels"])


if __name__ == "__main__":
    main()
