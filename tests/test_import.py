"""Importing is cheap, and every public name is there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import tricolore
from tricolore.metrics import metric_classes


def run(code):
    """What a fresh interpreter prints."""
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


LOADED = "import sys; print('numpy' in sys.modules)"


@pytest.mark.parametrize(
    "code",
    [
        "import tricolore",
        "import tricolore; tricolore.BLEU",
        "import tricolore; tricolore.metric('bleu(order=2, smooth=7)').signature()",
        "import tricolore; str(tricolore.BLEU()(['a b c d', 'x'], [['a b c e', 'a'], 'x']))",
        "import tricolore; float(tricolore.BLEU(smooth=7, lowercase=True)(['a'] * 9000, ['a'] * 9000))",
        "import tricolore; str(tricolore.BLEUSBP().segment('a b', 'a c'))",
        "import tricolore; tricolore.tokenize('a, b', 'intl')",
    ],
)
def test_numpy_is_not_loaded(code):
    assert run(f"{code}; {LOADED}") == "False"


def test_adapters_and_what_they_adapt_are_not_loaded():
    loaded = "import sys; print([name for name in sys.modules if 'adapters' in name or name.startswith('torch')])"
    assert run(f"import tricolore; tricolore.BLEU()(['a'], ['a']); {loaded}") == "[]"


def test_other_metrics_are_not_loaded_for_bleu():
    loaded = "import sys; print([name for name in sys.modules if name.startswith('tricolore.metrics.')])"
    found = run(f"import tricolore; tricolore.metric('bleu')(['a'], ['a']); {loaded}")
    assert "tricolore.metrics.bleu'" in found and "rouge" not in found and "edit_rates" not in found


def test_the_command_loads_what_it_needs(tmp_path):
    (tmp_path / "text").write_text("a b c d\n")
    path = str(tmp_path / "text")
    unused = "import sys; print([name for name in ('numpy', 'ast', 'typing', 'locale') if name in sys.modules])"
    found = run(f"from tricolore.cli import run; run(['score', {path!r}, '-i', {path!r}, '-b']); {unused}")
    assert found.splitlines() == ["100.0", "[]"]
    later = "import inspect, sys; print(inspect.signature(run), sys.modules['inspect'].signature is inspect.signature)"
    assert run(f"from tricolore.cli import run; {later}") == "(arguments: 'list[str]') -> 'int' True"


def test_numpy_is_loaded_for_arrays():
    assert run(f"import tricolore; tricolore.BLEU().segments(['a'], ['a']); {LOADED}") == "True"


def test_adapters_load_their_packages_when_they_are_used():
    names = ["sklearn", "lm_eval", "lighteval", "dataframes"]
    code = "".join(f"import tricolore.adapters.{name}; " for name in names)
    packages = ["sklearn", "lm_eval", "lighteval", "pandas", "polars", "pyarrow", "torch", "datasets"]
    assert run(f"{code}import sys; print([name for name in {packages} if name in sys.modules])") == "[]"
    assert run("import tricolore, sys; print('tricolore.adapters' in sys.modules)") == "False"


def test_the_stub_for_type_checkers_has_every_public_name():
    stub = Path(tricolore.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    found = {name: module for module, name in re.findall(r"from \.([\w.]+) import (\w+) as", stub)}
    assert found == {**tricolore.public_names(), "__version__": "_version"}


def test_metrics_are_public_under_the_names_of_their_classes():
    for cls in metric_classes():
        assert getattr(tricolore, cls.__name__) is cls


def test_importing_all_names():
    assert run("from tricolore import *; print(BLEU.name, len(list_metrics().records()))") == "bleu 28"


@pytest.mark.parametrize("name", tricolore.__all__)
def test_public_names(name):
    assert getattr(tricolore, name) is not None
    assert name in dir(tricolore)


def test_unknown_names():
    with pytest.raises(AttributeError, match="no attribute 'COMET'"):
        tricolore.COMET  # noqa: B018


def test_version_is_that_of_the_distribution():
    from importlib.metadata import version

    assert version("tricolore") == tricolore.__version__


def test_a_metric_alive_at_exit_is_no_leak():
    run("import tricolore; kept = tricolore.BLEU(); kept(['a'], ['a']); prepared = tricolore.NIST().prepare(['a'])")


@pytest.mark.parametrize(
    "arguments", ["spark score --table x --hyp a --ref b", "score --table x.parquet --hyp a --ref b"]
)
def test_without_pyarrow_tables_say_what_to_install(arguments):
    script = (
        f"import sys; sys.modules['pyarrow'] = None; from tricolore.cli import run; sys.exit(run({arguments.split()}))"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert re.fullmatch(r"tricolore: .*pyarrow; pip install 'tricolore\[\w+\]'\n", found.stderr)
