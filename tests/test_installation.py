"""`doctor`: what is there, what is missing, for what, and how to get it."""

import json
import os
import sys
from importlib.metadata import version

import pytest

import tricolore as tri
from tricolore import _native, installation
from tricolore.cli import run
from tricolore.extras import EXTRAS
from tricolore.processors import available


def test_what_is_found_is_what_is_there(monkeypatch, tmp_path):
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    found = tri.doctor()
    assert (found.tricolore, found.numpy) == (tri.__version__, version("numpy"))
    assert found.python.startswith(f"{sys.version_info.major}.{sys.version_info.minor}.")
    assert found.core == f"built by {_native.compiler}" and found.instructions == _native.instructions
    assert found.instructions in ("x86-64-v3", "x86-64", "aarch64", "baseline")
    assert (found.cores, found.cores_present) == (available(), os.cpu_count())
    assert (found.cache, found.cached_sets) == (str(tmp_path), 0)
    (tmp_path / "mine").mkdir()
    for field in ("src", "ref"):
        (tmp_path / "mine" / f"mine.en-de.{field}").write_text("a\n")
    assert tri.doctor().cached_sets == 1


def test_every_extra_is_listed_with_its_version_or_what_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    packages = tri.doctor().packages
    assert {one.extra for one in packages} == {extra.name for extra in EXTRAS}
    found = {one.package: one for one in packages}
    assert found["scipy"].version is None
    assert found["scipy"].install == "pip install 'tricolore[judge]'"
    assert found["jinja2"].version == version("jinja2")
    assert found["scipy"] in tri.doctor().missing and found["jinja2"] not in tri.doctor().missing


@pytest.mark.parametrize("form", ["text", "json", "tsv", "csv", "markdown", "latex"])
def test_the_command_prints_it_and_succeeds(capsys, monkeypatch, form):
    monkeypatch.setitem(sys.modules, "scipy", None)
    assert run(["doctor", "-f", form]) == 0
    out, err = capsys.readouterr()
    assert err == "" and tri.__version__ in out and "tricolore[judge]" in out
    if form == "json":
        assert json.loads(out) == tri.doctor().to_dict()


def test_a_core_that_cannot_be_loaded_is_said(monkeypatch):
    def broken(name, package):
        raise ImportError("GLIBC_2.17 not found")

    monkeypatch.setattr(installation, "import_module", broken)
    found = tri.doctor()
    assert (found.core, found.instructions) == ("cannot be loaded (GLIBC_2.17 not found)", None)
    assert "cannot be loaded" in str(found)


def test_nothing_missing(monkeypatch):
    monkeypatch.setattr(installation, "installed", lambda module: True)
    monkeypatch.setattr(installation, "_version_of", lambda distribution: "1.0")
    found = tri.doctor()
    assert found.missing == () and "All optional packages are installed." in str(found)
    assert (
        repr(found)
        == f"<Tricolore {tri.__version__}, {len(found.packages)} of {len(found.packages)} optional packages>"
    )
