"""Releases: one version everywhere, and a recipe, workflows and wheels that agree with the project."""

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RELEASE = ROOT / "release"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def script(name):
    """A script of release/ as a module."""
    spec = importlib.util.spec_from_file_location(f"release_{name}", RELEASE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


release, wheels = script("release"), script("wheels")


@pytest.fixture
def copy(tmp_path):
    """The files that the version stands in."""
    for name in (*release.PLACES, "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    return tmp_path


def test_the_version_is_the_same_everywhere():
    found = {
        name: re.search(pattern, (ROOT / name).read_text(encoding="utf-8"))[1]
        for name, pattern in release.PLACES.items()
    }
    assert {*found.values()} == {PROJECT["project"]["version"]}


def test_setting_a_version_makes_everything_agree(copy):
    changelog = copy / "CHANGELOG.md"
    text = re.sub(release.DATED, "## Unreleased", changelog.read_text(encoding="utf-8"), count=1)
    changelog.write_text(text, encoding="utf-8")
    page = copy / "docs" / "deep" / "page.md"
    page.parent.mkdir(parents=True)
    page.write_text("chrF2|version:tricolore-0.1.0 = 75.4\ntricolore-0.1.0-cp311.whl\n")
    release.set_version(copy, "9.8.7", "2031-02-03")
    assert page.read_text() == "chrF2|version:tricolore-9.8.7 = 75.4\ntricolore-0.1.0-cp311.whl\n"
    assert release.disagreements(copy) == []
    assert "## 9.8.7 (2031-02-03)" in changelog.read_text(encoding="utf-8")
    assert "version: 9.8.7\ndate-released: 2031-02-03\n" in (copy / "CITATION.cff").read_text(encoding="utf-8")
    assert 'version = "9.8.7"' in (copy / "pyproject.toml").read_text(encoding="utf-8")
    release.set_version(copy, "9.8.7", "2031-02-03")  # again changes nothing
    assert release.disagreements(copy) == []
    with pytest.raises(SystemExit, match=r"three numbers, such as 0\.2\.0; got '1\.0rc1'"):
        release.set_version(copy, "1.0rc1", "2031-02-03")


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("CITATION.cff", "version: 9.8.7", "version: 9.8.6", "versions differ: .*CITATION.cff 9.8.6"),
        ("CITATION.cff", "date-released: 2031-02-03", "date-released: 2031-02-04", "date-released is not 2031-02-03"),
        ("CHANGELOG.md", "## 9.8.7 (2031-02-03)", "## Unreleased", "has a section that is not released"),
        ("CHANGELOG.md", "## 9.8.7 (2031-02-03)", "## 9.8.7", "first dated section is not"),
        ("recipe/recipe.yaml", 'version: "9.8.7"', "version: none", "names no version"),
    ],
)
def test_what_does_not_agree_is_said(copy, name, old, new, told):
    changelog = (copy / "CHANGELOG.md").read_text(encoding="utf-8")
    (copy / "CHANGELOG.md").write_text(re.sub(release.DATED, "## Unreleased", changelog, count=1), encoding="utf-8")
    release.set_version(copy, "9.8.7", "2031-02-03")
    text = (copy / name).read_text(encoding="utf-8")
    assert old in text
    (copy / name).write_text(text.replace(old, new), encoding="utf-8")
    assert re.search(told, "\n".join(release.disagreements(copy)))


def test_files_that_are_not_committed_are_named(tmp_path):
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert release.uncommitted(tmp_path) == []
    (tmp_path / "new.txt").write_text("")
    assert release.uncommitted(tmp_path) == ["not committed: ?? new.txt"]


def test_wheels_that_are_too_large_are_named(tmp_path):
    assert release.large_wheels(tmp_path) == ["dist/ has no wheels"]
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "a.whl").write_bytes(b"x")
    assert release.large_wheels(tmp_path) == []
    (tmp_path / "dist" / "b.whl").write_bytes(bytes(2_000_001))
    assert release.large_wheels(tmp_path) == ["b.whl: larger than 2 MB"]


def requirements(lines):
    """Requirements by name, with the least version: 'numpy>=1.26' is numpy, 1.26."""
    return {re.match(r"[\w.-]+", one)[0].lower(): re.search(r"(?:>=)([\d.]+)", one)[1] for one in lines}


def of_recipe(section):
    """The requirements in a section of the recipe."""
    text = (ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8")
    lines = re.search(rf"(?m)^  {section}:\n((?:    - .*\n)+)", text)[1].splitlines()
    found = [line.strip("- ").replace(" >=", ">=") for line in lines]
    return requirements([one for one in found if ">=" in one])


def test_the_recipe_has_the_requirements_of_the_project():
    project = PROJECT["project"]
    assert of_recipe("run") == requirements(project["dependencies"]) | {"python": project["requires-python"][2:]}
    assert of_recipe("host").items() >= requirements(PROJECT["build-system"]["requires"]).items()
    optional = requirements([one for some in project["optional-dependencies"].values() for one in some if ">=" in one])
    named = {"matplotlib-base": "matplotlib"}
    for name, least in of_recipe("run_constraints").items():
        extras = project["optional-dependencies"]
        assert least == next(
            requirements(some)[named.get(name, name)]
            for some in extras.values()
            if named.get(name, name) in [re.match(r"[\w.-]+", one)[0].lower() for one in some]
        )
        assert named.get(name, name) in optional
    text = (ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8")
    assert f'summary: "{project["description"]}"' in text and f"license: {project['license']}" in text
    assert f"tricolore = {project['scripts']['tricolore']}" in text


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_are_sound(path):
    yaml = pytest.importorskip("yaml")
    text = path.read_text(encoding="utf-8")
    found = yaml.safe_load(text)
    targets = {*re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"))}
    for job in found["jobs"].values():
        assert {"runs-on", "steps"} <= {*job}
        for step in job["steps"]:
            if "uses" in step:
                assert re.search(r"@(v\d+|release/v\d+)$", step["uses"]), step["uses"]
            for target in re.findall(r"\bmake ([\w-]+)", step.get("run", "")):
                assert target in targets
            for extras in re.findall(r"\.\[([\w,]+)\]", step.get("run", "")):
                assert {*extras.split(",")} <= {*PROJECT["project"]["optional-dependencies"]}
            for group in re.findall(r"--group (\w+)", step.get("run", "")):
                assert group in PROJECT["dependency-groups"]


def test_there_are_workflows_for_every_system():
    assert [path.stem for path in WORKFLOWS] == ["ci", "docs", "wheels"]
    text = (ROOT / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8")
    assert all(system in text for system in ("ubuntu-latest", "ubuntu-24.04-arm", "macos-14", "windows-latest"))
    built = PROJECT["tool"]["cibuildwheel"]["build"].split()
    told = [line for line in PROJECT["project"]["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert [f"cp{line.rpartition(' ')[2].replace('.', '')}-*" for line in told] == built
    assert [f"3.{minor}" for minor in wheels.MINORS] == [line.rpartition(" ")[2] for line in told]


def test_interpreters_are_found_by_version_and_absent_ones_are_not():
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    found = wheels.interpreter(version)
    if found is None:
        pytest.skip(f"no python{version} with headers on PATH")
    told = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    assert told.startswith(f"Python {version}.")
    assert wheels.interpreter("3.99") is None


def test_compilers_of_wheels_have_the_target_built_in(tmp_path, monkeypatch):
    monkeypatch.setattr(wheels, "WORK", tmp_path)
    programs = wheels.compiler_wrappers("/tools/python")
    text = Path(programs["CXX"]).read_text(encoding="utf-8")
    assert re.search(r'exec "/tools/python" -m ziglang c\+\+ -target \w+-linux-gnu\.2\.17 "\$@"', text)
    assert Path(programs["CC"]).stat().st_mode & 0o111 and "CMAKE_AR" in programs["CMAKE_ARGS"]


def test_the_core_is_compiled_for_other_systems_as_a_whole():
    sys.path.insert(0, str(RELEASE))
    try:
        portable = script("portable")
    finally:
        sys.path.remove(str(RELEASE))
    listed = {path.name for path in portable.sources()}
    present = {path.name for path in (ROOT / "native").glob("*.cpp")}
    # For Linux only: where the tool chain has no library for clones, and where the C++ library is a static one.
    assert present - listed == {"processor_features.cpp", "type_names.cpp"}
