"""Every file of every command in every format: read as what it means, or refused by name; there is no third outcome."""

import re
import sys
from pathlib import Path

import pytest

WEBSITE = Path(__file__).parents[1] / "website"
if not WEBSITE.is_dir():
    pytest.skip("the table is made with the documentation, which is not part of this tree", allow_module_level=True)
sys.path.insert(0, str(WEBSITE))

import file_formats as table  # noqa: E402

from tricolore.cli.parser import make_parser  # noqa: E402
from tricolore.readers.recognise import recognised  # noqa: E402


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    folder = tmp_path_factory.mktemp("formats") / "example"
    table.write_example(folder)
    return folder


@pytest.fixture
def inside(example, monkeypatch):
    monkeypatch.chdir(example)


#: What is refused: of all kinds of files, and of those that have no form in JSON or as a table.
NEVER = {
    "SGM",
    "WMT XML",
    "UTF-16 with a byte-order mark",
    "UTF-16 without",
    "UTF-16 without, big-endian",
}
NO_TABLE = {"CSV with a header", "TSV with a header"}
NO_JSON = {"JSON lines"}
EXPECTED = dict.fromkeys(table.KINDS, NEVER | NO_TABLE | NO_JSON) | {
    table.TABLE: NEVER,
    table.NBEST: NEVER | NO_TABLE,
    table.LATTICES: NEVER | NO_TABLE,
}

#: What is not read from standard input, in whatever format: it says so, or there is no such file or option (-@7-12).
NO_STANDARD_INPUT = {("correlate", place) for place in ("FILE", "-i", "--human", "--scores")} | {("search", "--test")}
NO_STANDARD_INPUT |= {("audit", "--source")} | {
    ("report", place) for place in ("--source", "--docs", "--by", "--human", "--scores")
}
NO_STANDARD_INPUT |= {("search", one.place) for one in table.INPUTS if one.place.startswith("set.toml")}


@pytest.mark.parametrize("given", table.INPUTS, ids=lambda one: f"{one.command} {one.place}")
def test_a_file_in_every_format(inside, given):
    found = table.verdicts(given)
    refused = EXPECTED[given.kind]
    if (given.command, given.place) in NO_STANDARD_INPUT:
        refused = refused | {label for label in found if label.endswith("standard input")}
    assert {label for label, outcome in found.items() if outcome == table.REFUSED} == refused


def test_no_file_of_any_command_is_left_out():
    """What the help calls a file is in the table, or is written and not read."""
    written = {"segments", "curve", "errors", "ranks", "output", "log", "write", "plot", "report"}
    others = {("search", "resume"), ("score", "resume"), ("tune", "decoder"), ("tune", "work"), ("align", "text")}
    known = {(one.command, one.place) for one in table.INPUTS}
    commands = next(action for action in make_parser()._actions if action.dest == "command").choices
    for command, parser in commands.items():
        for action in parser._actions:
            names = {*action.option_strings, action.metavar if isinstance(action.metavar, str) else ""}
            names |= {"--refs"} if action.dest == "refs" else set()
            names |= {"REF"} if action.dest == "more_refs" else set()
            if not re.search("FILE|REF|HYP|NBEST|SET|RUN|CMD|FOLDER", str(action.metavar)):
                continue
            if action.dest not in written and (command, action.dest) not in others:
                assert any((command, name) in known for name in names), f"{command} {action.dest}"


# What is text, though it looks like something else at first sight --------------------------------------------------

ORDINARY = [
    "<unk> is a token of the vocabulary.",
    "<b>Save</b> the file",
    "<i>Titanic</i> & <i>Avatar</i>",
    "<s> a b c </s>",
    "<3 you all",
    "{sic} he said",
    "[applause]",
    "[1] See the notes below.",
    "{name}, welcome back!",
    "12",
    '"He left", she said.',
    "score, system and source were lost",
    "Reference: none",
    "id",
    "0 || 1",
    "1. Open the lid; 2. pour",
    "PKI and BZh are names",
    "a\tb",
]


@pytest.mark.parametrize("line", ORDINARY)
def test_ordinary_text_is_scored(inside, line):
    """Among other lines, and, but for tabs, alone."""
    assert recognised([line, "An ordinary line of text."]) is None
    assert recognised([line]) is None or "\t" in line
    Path("ordinary.txt").write_text(f"{line}\nAn ordinary line of text.\n", encoding="utf-8")
    given = table.Input("score", "REF", table.TEXT, "ordinary.txt", "FILE -i ordinary.txt -b")
    form = table.Form("as it is", "ordinary.txt", Path("ordinary.txt").read_bytes(), "")
    assert table.outcome(given, form)[0] == 0


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("\n\n  <?XML version='1.0'?>\n", "SGML or XML mark-up"),
        ("<!DOCTYPE mteval SYSTEM 'x'>\n", "SGML or XML mark-up"),
        ("<TSTSET setid=a>\n<hl>\n", "SGML or XML mark-up"),
        ("<seg id=1>a</seg>\n<seg id=2>b</seg>\n", "<seg> on every line"),
        ('{"a": 1}\n\n{"a": 2}\n', "JSON"),
        ("[1, 2]\n[]\n", "JSON"),
        ('[\n {"a": 1},\n {"a": 2}\n]\n', "JSON"),
        ('{\n "a": [\n  1,\n', "JSON"),
        ("0 ||| a ||| lm= 1\n0 ||| b ||| lm= 2\n", "n-best list"),
        ("src\tmt\na\n", "TSV"),
        ("ref_a\trefB\n1\t2\n", "TSV"),
        ('system,score\n"a, b",1\n', "CSV"),
        ("seg_id;mt\n1;a\n2;b\n", "CSV"),
        ("a\tb\nc\td\n\ne\tf\n", "tab-separated columns"),
    ],
)
def test_what_is_no_text(inside, text, form):
    Path("no.txt").write_text(text, encoding="utf-8")
    given = table.Input("tokenize", "FILE", table.TEXT, "no.txt", "FILE -tok none")
    data = table.Form("", "no.txt", text.encode(), "")
    status, out, err = table.outcome(given, data)
    assert (status, out) == (1, "")
    assert err.startswith("tricolore: forms/no.txt: found ")
    assert form in err
    assert err.endswith("(--as-text if it is plain text)\n")
    as_text = table.Input("tokenize", "FILE", table.TEXT, "no.txt", "FILE -tok none --as-text")
    status, out, err = table.outcome(as_text, data)
    assert (status, err) == (0, "")
    assert out == "".join(" ".join(line.split()) + "\n" for line in text.splitlines())


def test_tabs_where_several_references_are_expected(inside):
    Path("refs.txt").write_text("a b\tc d\n" * 3)
    Path("hyps.txt").write_text("c d\n" * 3)
    given = table.Input("score", "REF", table.TEXT, "refs.txt", "FILE -i hyps.txt -b -nr 2 -m wer")
    form = table.Form("", "refs.txt", Path("refs.txt").read_bytes(), "")
    assert table.outcome(given, form) == (0, "0.0\n", "")


def test_texts_of_a_set_may_be_said_to_be_text(inside):
    Path("tabs.txt").write_text("a\tb\n" * 12)
    described = 'references = "tabs.txt"\nsystems = ["careful.txt", "fluent.txt", "hasty.txt", "literal.txt"]\n'
    described += 'human = "ratings.tsv"\n'
    given = table.Input("search", "--dev", table.SET, "tabs.toml", f"{table.GRID} --dev FILE -f json -q")
    status, _, err = table.outcome(given, table.Form("", "tabs.toml", described.encode(), ""))
    assert status == 1
    assert "tabs.txt: found tab-separated columns" in err
    assert "(as_text = true in tabs.toml if it is plain text)" in err
    described += "as_text = true\n"
    assert table.outcome(given, table.Form("", "tabs.toml", described.encode(), ""))[0] == 0
