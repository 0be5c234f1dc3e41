"""`df.tri.score` is `score_table` of the data frame."""

import subprocess
import sys

import pytest

import tricolore as tri
from tricolore.errors import InputError
from tricolore.examples import REFERENCES, SYSTEMS, lines

pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

REFS = {name: lines(name) for name in REFERENCES}
RECORDS = [
    {"system": system, "mt": text, **{name: texts[i] for name, texts in REFS.items()}}
    for system in SYSTEMS
    for i, text in enumerate(lines(system))
]


@pytest.fixture(params=["pandas", "polars", "lazy"])
def table(request):
    import tricolore.adapters.pandas
    import tricolore.adapters.polars  # noqa: F401

    made = pd.DataFrame(RECORDS) if request.param == "pandas" else pl.DataFrame(RECORDS)
    return made.lazy() if request.param == "lazy" else made


def test_scores_are_those_of_the_table(table):
    how = {"hyp": "mt", "refs": [*REFERENCES], "by": "system", "metrics": ["bleu", "chrf", "ter"], "confidence": True}
    assert table.tri.score(**how).to_dict() == tri.score_table(table, **how).to_dict()


def test_a_group_has_the_score_of_its_texts(table):
    found = table.tri.score(hyp="mt", refs="reference-a", by="system", metrics="chrf")
    for system in SYSTEMS:
        assert found[system, "chrf"] == tri.metric("chrf")(lines(system), REFS["reference-a"])


def test_mistakes_are_told_in_one_line(table):
    with pytest.raises(InputError, match=r"'m'.*mt") as caught:
        table.tri.score(hyp="m", refs="reference-a")
    assert "\n" not in str(caught.value)
    with pytest.raises(TypeError, match="hyp"):
        table.tri.score(refs="reference-a")


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_without_the_package_it_says_what_to_install(package):
    code = f"import sys; sys.modules['{package}'] = None; import tricolore.adapters.{package}"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.stderr.endswith(f"MissingExtraError: this adapter needs {package}; pip install {package}\n")
