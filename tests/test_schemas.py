"""What commands print as JSON is what the schemas say, and nothing else."""

import copy
import json
import shlex
import sys
from pathlib import Path

import pytest

from tricolore.cli import run
from tricolore.cli.parser import COMMANDS, make_parser

jsonschema = pytest.importorskip("jsonschema", reason="it is not installed (pip install --group test)")

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "reference" / "schemas"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the documentation is not part of this tree")

FOUR = "reference-a.txt -i careful.txt fluent.txt hasty.txt literal.txt"
TWO = "reference-a.txt -i careful.txt hasty.txt"
LISTS = "--nbest nbest.txt --refs reference-a.txt"
#: Command lines by schema; those that need more than the demo texts say what in `more_files`.
RUNS = {
    "score": [
        "score reference-a.txt -i careful.txt",
        f"score {FOUR} -m all -q",
        f"score {FOUR} -m bleu ter nist -ci -par",
        f"score {FOUR} -m bleu -pbs --compat sacrebleu",
        f"score {TWO} --scores external.tsv -ci -pbs",
        f"score {TWO} --scores whole.sys.score -par",
    ],
    "score-segments": ["score reference-a.txt -i careful.txt -sl -m bleu chrf"],
    "score-groups": [
        f"score {TWO} --by documents.txt -m bleu chrf",
        f"score {TWO} --by documents.txt --by-length 10 12 -ci",
        "score --table table.csv --hyp mt --ref ref --by system domain -m chrf ter",
        "score --table table.csv --hyp mt --ref ref",
    ],
    "compare": [
        f"compare {FOUR} -m bleu ter",
        f"compare {FOUR} --test bs --baseline fluent",
        "compare reference-a.txt --system a=fluent.txt,literal.txt --system b=careful.txt,fluent.txt -m chrf",
        "compare reference-a.txt --system a=fluent.txt,literal.txt --system b=hasty.txt --runs-as stratified",
        "compare --scores external.tsv",
        f"compare {TWO} --scores whole.sys.score",
        f"compare {TWO} --compat sacrebleu --test bs",
    ],
    "report": [f"report {TWO} -o one.html -m bleu ter --plot plots"],
    "correlate": [
        f"correlate {FOUR} --human ratings.tsv -m bleu chrf",
        f"correlate {FOUR} --human ratings.tsv -m bleu chrf --test permutation --shuffles 50",
        f"correlate {FOUR} --human ratings.tsv -m bleu chrf --test williams --statistics 'system pearson'",
        f"correlate {FOUR} --human ratings.tsv --no-intervals --statistics soft-accuracy accuracy-ties kendall-wmt14",
        f"correlate {FOUR} --human ratings.tsv --straw-men --samples 50",
        f"correlate {FOUR} --human ratings.tsv --over systems --interval bca",
        "correlate reference-a.txt -i careful.txt --human ratings.tsv --ignore-unknown",
    ],
    "search": [
        "search 'chrf(char_order=4..5)' --dev set.toml@1-6 --test set.toml@7-12 --shuffles 20",
        "search 'chrf(char_order=4..5)' --dev set.toml",
    ],
    "orange": [
        "orange nbest.txt -r reference-a.txt reference-b.txt -m bleus rouge-l wer",
        "orange nbest.txt -r reference-a.txt reference-b.txt -m bleus rouge-l wer --test",
        "orange nbest.txt -r reference-a.txt reference-b.txt -m bleus --verdict interval",
    ],
    "audit": [
        f"audit {FOUR} -m bleu chrf per --trials 99 --damage drop negation",
        f"audit {FOUR} -r reference-b.txt -m bleu --only biases straw-men --trials 99",
        f"audit {TWO} -m bleu --only decomposability",
    ],
    "tune": [
        f"tune mert {LISTS} -m bleu",
        f"tune mert,mira,pro,xbleu {LISTS} --epochs 2 --replicate 2",
        f"tune mira {LISTS} --test-nbest nbest.txt --test-refs reference-b.txt --epochs 2 --trials 50",
        f"tune mira {LISTS} --folds 2 --epochs 2 --trials 50",
    ],
    "mbr": ["mbr --nbest nbest.txt --json", "mbr --nbest nbest.txt --json --method coarse --keep 2"],
    "lattice": ["lattice stats lattices.plf", "lattice stats lattices.plf --summary"],
    "align": [
        "align reference-a.txt -i careful.txt",
        "align reference-a.txt -i careful.txt --chars --segment 2",
        "align reference-a.txt -i careful.txt hasty.txt",
    ],
    "sets": ["sets", "sets -t mine -l en-de --echo src ref"],
    "metrics": ["metrics"],
    "doctor": ["doctor"],
    "cite": ["cite -f json score ref -i out -m all -ci -pbs", "cite -f json holm", "cite -f json bleu"],
}
#: Commands whose JSON is not ours.
OTHERS = {"sacrebleu"}


@pytest.fixture(scope="module")
def schemas():
    sys.path.append(str(ROOT / "website"))
    import schemas

    return schemas


@pytest.fixture
def texts(tmp_path, monkeypatch, capsys):
    run(["demo", "--write", str(tmp_path / "texts")])
    monkeypatch.chdir(tmp_path / "texts")
    cache = tmp_path / "cache"
    monkeypatch.setenv("SACREBLEU", str(cache))
    (cache / "mine").mkdir(parents=True)
    more_files(cache / "mine")
    capsys.readouterr()


def more_files(test_set):
    """Documents, external scores, a table, and a test set in a cache of its own."""
    Path("documents.txt").write_text("a\n" * 6 + "b\n" * 6)
    rows = [f"{name}\t{i}\t{best - i / 100}" for name, best in (("careful", 0.9), ("hasty", 0.5)) for i in range(1, 13)]
    Path("external.tsv").write_text("\n".join(["system\tsegment\tCOMET", *rows]) + "\n")
    Path("whole.sys.score").write_text("careful\t0.8\nhasty\t0.4\n")
    table = [f'{name},{i % 2},"a b {i}","a b c {i}"' for name in ("A", "B") for i in range(6)]
    Path("table.csv").write_text("\n".join(["system,domain,mt,ref", *table]) + "\n")
    for field in ("src", "ref"):
        (test_set / f"mine.en-de.{field}").write_text(f"{field} one\n{field} two\n")


def printed(capsys, line):
    words = shlex.split(line)
    words += [] if words[0] in ("mbr", "cite") else ["-f", "json"]
    status = run(words)
    out, err = capsys.readouterr()
    assert status == 0, err
    return [json.loads(one) for one in out.splitlines()] if words[0] == "mbr" else [json.loads(out)]


def validator(name):
    schema = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


CASES = [(name, line) for name, lines in RUNS.items() for line in lines]


@pytest.mark.parametrize(("name", "line"), CASES, ids=[line for _, line in CASES])
def test_output_is_valid(texts, capsys, name, line):
    check = validator(name)
    for value in printed(capsys, line):
        error = jsonschema.exceptions.best_match(check.iter_errors(value))
        assert error is None, f"{list(error.absolute_path)}: {error.message}"


def objects(value, path=()):
    """The first object at every place; lists are alike throughout."""
    if isinstance(value, dict):
        yield path, value
        for key, inner in value.items():
            yield from objects(inner, (*path, key))
    elif isinstance(value, list) and value:
        yield from objects(value[0], (*path, 0))


#: Objects whose keys are names of the user's or of metrics: a renamed key is another name.
OPEN = {"weights", "scores", "signatures", "tokenisers"}
#: Keys that are items of a signature, in objects that have these beside their own keys.
SCORED = {"name", "score", "signature", "verbose_score", "metric", "value", "scale", "version", "system", "segments"}


@pytest.mark.parametrize("name", RUNS)
def test_a_renamed_key_is_found(texts, capsys, name):
    check = validator(name)
    (value, *_) = printed(capsys, RUNS[name][0])
    tried = 0
    for path, found in objects(value):
        if (path and path[-1] in OPEN) or (name == "metrics" and not path):
            continue
        for key in found:
            own = SCORED - {"system"} if name == "score-groups" else SCORED  # a column of the user's
            if "verbose_score" in found and key not in own | {"hits"}:
                continue
            wrong = copy.deepcopy(value)
            place = wrong
            for step in path:
                place = place[step]
            place[f"{key}_"] = place.pop(key)
            assert not check.is_valid(wrong), f"{path}: {key}"
            tried += 1
    assert tried >= 4


def test_every_command_with_json_has_a_schema(schemas):
    for command in COMMANDS.keys() - OTHERS:
        parser = next(a for a in make_parser(command)._actions if a.dest == "command").choices[command]
        formats = [a for a in parser._actions if "--format" in a.option_strings and "json" in (a.metavar or "")]
        flags = [a for a in parser._actions if "--json" in a.option_strings]
        documented = any(f"tricolore {command}" in about for about, _, _ in schemas.SCHEMAS.values())
        assert documented == bool(formats or flags), command


def test_every_schema_is_tried(schemas):
    assert {*RUNS} == {*schemas.SCHEMAS}


def test_files_are_up_to_date(schemas):
    assert schemas.main("--check") == 0, "docs/reference/json.md or a schema is not what website/json_keys.py says"
    assert {path.stem for path in FOLDER.glob("*.json")} == {*schemas.SCHEMAS}


def test_every_key_is_described():
    def check(schema, place):
        for key, inner in schema.get("properties", {}).items():
            assert inner.get("description"), f"{place}.{key}"
        for inner in [*schema.get("properties", {}).values(), schema.get("items"), *schema.get("anyOf", ())]:
            if isinstance(inner, dict):
                check(inner, place)

    for path in FOLDER.glob("*.json"):
        check(json.loads(path.read_text(encoding="utf-8")), path.stem)
