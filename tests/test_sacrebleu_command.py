"""Command lines of `sacrebleu` and `tricolore sacrebleu` on the same files: the same standard output, byte for byte."""

import gzip
import logging
import os
import random
import re
import sys
from itertools import product

import pytest
import sacrebleu.sacrebleu

from tricolore.cli import run

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

ONE = "ref0 -i a"
BOTH = "ref0 ref1 -i a"
SEVERAL = "ref0 ref1 -i a b poor"
ALL = "-m bleu chrf ter"

#: Parameters of metrics, each in JSON and as text, of one system and of several.
PARAMETERS = [
    "-m bleu",
    "-m chrf",
    "-m ter",
    ALL,
    "-m ter bleu",
    "-lc",
    "-s none",
    "-s floor",
    "-s floor -sv 0.3",
    "-s add-k",
    "-s add-k -sv 2.5",
    "-tok none",
    "-tok intl",
    "-tok char",
    "-tok zh",
    "-l en-zh",
    "-l en-de --force",
    "-m chrf -cc 3",
    "-m chrf -cw 2",
    "-m chrf --chrf-beta 3 --chrf-whitespace",
    "-m chrf --chrf-lowercase --chrf-eps-smoothing",
    "-m ter --ter-case-sensitive",
    "-m ter --ter-normalized",
    "-m ter --ter-no-punct --ter-asian-support",
    "-m ter --ter-normalized --ter-asian-support --ter-no-punct",
]
#: How results of one system are printed.
PRINTING = [
    *(f"{flags} {form}" for flags, form in product(("", "-sh", "-b", "-w 0", "-w 4", "-b -w 3"), ("", "-f text"))),
    "-f latex",
    "-q -nc",
    "-ci -cin 60",
    "-ci -cin 60 -f text",
    "-ci -cin 60 -f text -sh -w 3",
    "-ci -cin 60 -b",
    "-ci -cin 60 -b -f text -w 5",
]
#: How results of several systems are printed.
TABLES = [
    *(f"{flags} {form}" for flags, form in product(("", "-sh", "-w 3"), ("-f json", "-f text", "-f latex"))),
    *(f"-par -parn 60 {form}" for form in ("-f json", "-f text", "-f latex -w 2", "-f text -sh -w 0")),
    *(f"-pbs -pbsn 60 {form}" for form in ("-f text", "-f latex", "-f text -w 3 -sh", "-f latex -w 4 -j 2")),
]
LINES = [
    *(f"{texts} {flags} -w 6" for texts, flags in product((ONE, BOTH), PARAMETERS)),
    *(
        f"{SEVERAL} {flags} -f {form} -w 4"
        for flags, form in zip(PARAMETERS, ["json", "text", "latex"] * 9, strict=False)
    ),
    *(f"{BOTH} {ALL} {flags}" for flags in PRINTING),
    *(f"{BOTH} {flags}" for flags in PRINTING),
    *(f"{SEVERAL} {ALL} {flags}" for flags in TABLES),
    f"{SEVERAL} -pbs -pbsn 60 -f json",
    f"{SEVERAL} -pbs -pbsn 60 -f json -s floor -lc",
    "ref0 -i a b a -par -parn 40 -f json",
    "ref0 -i a copy -pbs -pbsn 40 -f text",
    *(f"{BOTH} -sl {flags}" for flags in ("", "-b", "-sh -w 4", "-s floor", "-m chrf -cw 2", "-m ter -b -w 3")),
    "both.tsv -nr 2 -i a -m bleu ter",
    "ref0.gz -i a.gz",
    "latin.ref -i latin -e latin-1",
    "zh.ref -i zh -l en-zh -m bleu chrf",
    "zh.ref -i zh -m ter --ter-normalized --ter-asian-support -f text",
    "--list",
    "--list -l en-de",
    "--list -t wmt14",
    "--list -t wmt14 -l en-de",
]
#: Without -i: what is typed, and the files that are joined by tabs on standard input.
PIPED = [
    ("ref0", "a"),
    ("ref0 ref1 -m chrf ter -f text", "a"),
    ("ref0 -sl -b", "a"),
    ("ref0", "a b"),
    ("ref0 -f text -m bleu chrf", "a b poor"),
    ("ref0 -f text -par -parn 40", "a b"),
    ("ref0 -f json -pbs -pbsn 40", "a b"),
]
#: Mistakes: the same exit status, and nothing on standard output.
MISTAKES = [
    "-i a",
    "ref0 -i nothing",
    "nothing -i a",
    "ref0 -i short",
    "ref0 ref1 -nr 2 -i a",
    "ref0 -nr 3 -i a",
    "ref0 -i a a",
    "ref0 -i a -par",
    "ref0 -i a b -ci",
    "ref0 -i a b -sl",
    "ref0 -i a -sl -ci",
    "ref0 -i a -sl -m bleu chrf",
    "ref0 -t wmt14 -i a",
    "-t wmt1400 -l en-de -i a",
    "-t wmt14 -i a",
    "ref0 -i a -l zh",
    "-t wmt14 -l en-xx -i a",
    "ref0 -i a -m comet",
    "ref0 -i a -s laplace",
    "ref0 -i a -tok 14a",
    "ref0 -i a -w x",
    "ref0 -i a -f xml",
    "ref0 -i a b -par -pbs",
    "--citation",
    "empty -i empty",
    "ref0 --origlang de -i a",
]

TEXT = """the The a cat Cat dog sat on under mat. Paris 3.5 1,000 don't e.g (maybe) "so" naïve Straße — and, but; house
runs & &amp; 50% well-known I'd x-ray: «oui» ... ....5 no. 9"""
WORDS = TEXT.split()
HAN = "今天天气很好我们去公园玩吧明天也许下雨日本語のテストです。，！ ab9"


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """Texts of 60 segments in the current folder."""
    folder, rng = tmp_path_factory.mktemp("texts"), random.Random(21)

    def changed(tokens, vocabulary, rate):
        kept = [rng.choice(vocabulary) if rng.random() < rate else token for token in tokens if rng.random() > rate / 3]
        cut = rng.randrange(len(kept) + 1)
        return kept[cut:] + kept[:cut] if rng.random() < rate else kept

    def write(name, lines, encoding="utf-8"):
        data = "".join(line + rng.choice(["\n", "\n", "  \n", "\r\n"]) for line in lines).encode(encoding)
        (folder / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)

    base = [[rng.choice(WORDS) for _ in range(rng.randint(2, 15))] for _ in range(60)]
    spoken = {"ref0": 0, "ref1": 0.2, "a": 0.25, "b": 0.35}
    made = {name: [" ".join(changed(tokens, WORDS, rate)) or "-" for tokens in base] for name, rate in spoken.items()}
    made |= {
        "poor": [" other ".join(tokens) for tokens in base],
        "copy": made["a"],
        "short": made["a"][:-1],
        "empty": [],
    }
    made |= {"both.tsv": [*map("\t".join, zip(made["ref0"], made["ref1"], strict=True))]}
    made |= {"ref0.gz": made["ref0"], "a.gz": made["a"]}
    signs = [[rng.choice(HAN) for _ in range(rng.randint(3, 15))] for _ in range(40)]
    made |= {"zh.ref": map("".join, signs), "zh": ["".join(changed(line, HAN, 0.3)) for line in signs]}
    for name, lines in made.items():
        write(name, lines)
    latin = ["".join(sign for sign in line if ord(sign) < 256) for line in made["ref0"]]
    write("latin.ref", latin, "latin-1")
    write("latin", [line.replace("a", "e", 1) for line in latin], "latin-1")
    return folder


@pytest.fixture
def typed(texts, monkeypatch, tmp_path):
    """Run a command in this process; return exit status and standard output, without the version."""
    monkeypatch.chdir(texts)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(logging, "basicConfig", lambda **_: None)
    for name in ("SACREBLEU_FORMAT", "SACREBLEU_SEED"):
        monkeypatch.delenv(name, raising=False)

    def command(call, words, stdin=b""):
        (tmp_path / "in").write_bytes(stdin)
        numbers = os.open(tmp_path / "in", os.O_RDONLY), os.open(tmp_path / "out", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        mine = call is ours  # sacreBLEU opens them again, and closes them
        monkeypatch.setattr(sys, "stdin", open(numbers[0], closefd=mine))  # noqa: SIM115
        monkeypatch.setattr(sys, "stdout", open(numbers[1], "w", closefd=mine, encoding="utf-8"))  # noqa: SIM115
        monkeypatch.setattr(sys, "argv", ["sacrebleu", *words])
        try:
            status = call(words) or 0
        except SystemExit as leaving:
            status = leaving.code or 0
        except Exception:  # Python leaves with 1, and a traceback
            status = 1
        sys.stdout.flush()
        printed = (tmp_path / "out").read_text(encoding="utf-8")
        sys.stdin.close()
        sys.stdout.close()
        return status, re.sub(r'((?:v|version)(?::|": "))(?:2\.6\.0|tricolore-[\w.+-]+)', r"\1V", printed)

    return command


def ours(words):
    return run(["sacrebleu", *words])


def theirs(_):
    return sacrebleu.sacrebleu.main()


@pytest.mark.parametrize("line", LINES)
def test_standard_output_is_the_same(typed, line):
    found, expected = typed(ours, line.split()), typed(theirs, line.split())
    assert expected[0] == 0 and expected[1]
    assert found == expected


@pytest.mark.parametrize(("line", "files"), PIPED)
def test_standard_input_is_the_same(typed, texts, line, files):
    columns = [[one.rstrip() for one in (texts / name).read_text("utf-8").split("\n")[:-1]] for name in files.split()]
    stdin = "".join("\t".join(row) + "\n" for row in zip(*columns, strict=True)).encode()
    found, expected = typed(ours, line.split(), stdin), typed(theirs, line.split(), stdin)
    assert expected[0] == 0 and expected[1]
    assert found == expected


@pytest.mark.parametrize("line", MISTAKES)
def test_mistakes_leave_with_the_same_status(typed, line):
    found, expected = typed(ours, line.split()), typed(theirs, line.split())
    assert expected[0] != 0
    assert found == expected


def test_a_file_that_is_no_text_is_refused_unless_asked_for(typed, texts, monkeypatch, capfd):
    """sacreBLEU scores mark-up, JSON, tables and byte-order marks as if they were words."""
    for name, text in {
        "columns": (texts / "both.tsv").read_text("utf-8"),
        "sgm": '<refset setid="a" srclang="en">\n<doc>\n<seg id="1">a</seg>\n',
        "json": '{"mt": "a b"}\n{"mt": "c d"}\n',
        "utf16": "\ufeffa b c d\n".encode("utf-16-le").decode("latin-1"),
    }.items():
        (texts / name).write_bytes(text.encode("latin-1" if name == "utf16" else "utf-8"))
        words = ["ref0", "-i", name]
        assert typed(ours, words) == (1, "")
        err = capfd.readouterr().err
        assert err.startswith(f"tricolore: {name}: ") and err.count("\n") == 1
    monkeypatch.setenv("TRICOLORE_COMPAT", "lenient")
    words = ["both.tsv", "-i", "a"]
    found = typed(ours, words)
    assert found == typed(theirs, words) and found[0] == 0


def test_fields_that_differ_leave_with_17(typed):
    assert typed(ours, ["ref0"], b"a\tb\nc\n") == typed(theirs, ["ref0"], b"a\tb\nc\n") == (17, "")


def test_the_environment_chooses_format_and_seed(typed, monkeypatch):
    monkeypatch.setenv("SACREBLEU_FORMAT", "text")
    monkeypatch.setenv("SACREBLEU_SEED", "8")
    words = ["ref0", "-i", "a", "-ci", "-cin", "50", "-w", "6"]
    found, expected = typed(ours, words), typed(theirs, words)
    assert found == expected
    assert "seed:8" in found[1] and not found[1].startswith("{")


def test_there_are_many_command_lines():
    assert len(LINES) + len(PIPED) + len(MISTAKES) >= 150


def test_citations_are_printed(typed):
    """sacreBLEU 2.6.0 fails here."""
    assert typed(theirs, ["--citation", "-t", "wmt14,wmt15"])[0] == 1
    status, out = typed(ours, ["--citation", "-t", "wmt14,wmt15"])
    assert status == 0 and out.count("@") >= 2


def test_means_in_single_precision_are_printed(typed):
    """For chrF and TER sacreBLEU fails here, because JSON knows no 32-bit floats."""
    words = f"{SEVERAL} -m chrf ter -pbs -pbsn 30 -f json".split()
    assert typed(theirs, words)[0] == 1
    status, out = typed(ours, words)
    assert status == 0 and out.count('"mean"') == 6


def test_mistakes_are_told_in_one_line(typed, capfd):
    for line in MISTAKES:
        capfd.readouterr()
        typed(ours, line.split())
        err = capfd.readouterr().err
        assert err.startswith("tricolore: ") and err.count("\n") == 1, (line, err)


@pytest.mark.parametrize("seed", ["abc", "-1", "1.5"])
def test_a_seed_that_is_no_number_is_told_in_one_line(typed, monkeypatch, capfd, seed):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    for words in (ONE + " -ci", SEVERAL + " -pbs"):
        assert typed(theirs, words.split())[0] == 1
        capfd.readouterr()
        assert typed(ours, words.split()) == (2, "")
        err = capfd.readouterr().err
        assert (
            err.count("\n") == 1 and f"SACREBLEU_SEED: expected a whole number, 0 or more, or none; got '{seed}'" in err
        )


def test_advice_about_marked_up_files_names_what_reads_them(typed, capfd, tmp_path):
    (tmp_path / "x.sgm").write_text('<refset setid="x">\n<doc docid="d">\n<seg id="1">a</seg>\n')
    assert typed(ours, ["ref0", "-i", str(tmp_path / "x.sgm")]) == (1, "")
    err = capfd.readouterr().err
    assert "extract the segments first, or use tricolore score --table (TRICOLORE_COMPAT=lenient" in err


def test_a_negative_width_is_invalid_usage(typed, capfd):
    """sacreBLEU writes a traceback."""
    assert typed(theirs, ["ref0", "-i", "a", "-w", "-1"])[0] == 1
    capfd.readouterr()
    assert typed(ours, ["ref0", "-i", "a", "-w", "-1"]) == (2, "")
    assert "--width must be a whole number from 0 to 1,000; got '-1'" in capfd.readouterr().err
