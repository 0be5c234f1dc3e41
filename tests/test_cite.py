"""What to cite: every paper once, the same as the metrics say, for command lines, names, signatures and results."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tricolore as tri
from tricolore.bibliography import entries, latex
from tricolore.citing import ITEMS, OTHER_NAMES, PARTS, cite, methods, papers_of
from tricolore.cli import run
from tricolore.cli.cited_options import METHODS
from tricolore.cli.parser import COMMANDS
from tricolore.metrics import NAMES, metric_class

ROOT = Path(__file__).parents[1]


def typed(capsys, *words):
    status = run(["cite", *words])
    out, err = capsys.readouterr()
    return status, out, err


def keys(capsys, line):
    status, out, err = typed(capsys, *line.split())
    assert (status, err) == (0, "")
    return re.findall(r"(?m)^@\w+\{(.*),$", out)


# The data ---------------------------------------------------------------------------------------------------------


def plain(text):
    return " ".join(text.split())


@pytest.mark.parametrize("name", NAMES)
def test_bibliography_and_metrics_agree(name):
    """Title and year of every paper are in the metric's citation, and no paper of the citation is missing."""
    citation = plain(metric_class(name).citation)
    papers = papers_of(name)
    for paper in papers:
        assert f"({paper.year}): {paper.title}." in citation
        assert paper.authors[0].split()[-1] in citation
    assert len(re.findall(r"\(\d{4}\): ", citation)) == len(papers)


@pytest.mark.parametrize("key", entries())
def test_every_entry_is_whole(key):
    entry = entries()[key]
    assert entry.type in ("inproceedings", "article", "book", "misc", "software")
    assert entry.title and entry.authors and entry.venue and entry.subjects
    assert (entry.year is None) == (entry.type == "software")
    if entry.type in ("inproceedings", "article"):
        assert entry.place
    assert entry.bibtex.isascii()
    assert entry.bibtex.count("{") == entry.bibtex.count("}")
    assert re.match(r"@(inproceedings|article|book|misc)\{" + key + ",\n", entry.bibtex)
    assert re.fullmatch(r"\d+-\d+|", entry.pages)
    assert key == "tricolore" or re.search(str(entry.year), key)


def test_papers_are_listed_once():
    assert len({entry.title for entry in entries().values()}) == len(entries())


def test_accents():
    assert latex("ž ö é à") == r"{\v z} {\"o} {\'e} {\`a}"


def test_what_is_named_elsewhere_is_in_the_bibliography():
    known = {*methods()}
    assert {subject for _, _, subject in ITEMS} | {*OTHER_NAMES.values()} <= known
    assert {part for parts in PARTS.values() for part in parts} <= known
    assert {*METHODS} <= {*COMMANDS}


def test_tricolore_is_cited_as_in_its_citation_file():
    path = ROOT / "CITATION.cff"
    if not path.is_file():
        pytest.skip("CITATION.cff is not part of this tree")
    text = path.read_text(encoding="utf-8")
    entry = entries()["tricolore"]
    assert f'title: "{entry.title}"' in text
    assert f'name: "{entry.authors[0]}"' in text
    assert tri.__version__ in entry.bibtex


# The function -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        (("bleu",), "papineni-2002"),
        (("BLEU", "bleu"), "papineni-2002"),
        (("bleu(smooth=7)",), "papineni-2002 chen-cherry-2014"),
        (("chrf",), "popovic-2015"),
        (("chrF++",), "popovic-2015 popovic-2017"),
        (("CER",), "levenshtein-1966 tillmann-1997"),
        (("meteor",), "banerjee-lavie-2005"),
        (("meteor(version=1.5)",), "banerjee-lavie-2005 denkowski-lavie-2014 denkowski-lavie-2011"),
        (("bleu(tokenize=flores101)",), "papineni-2002 kudo-richardson-2018 goyal-2022"),
        (("bleu(tokenize=ja-mecab)",), "papineni-2002 kudo-2004"),
        (("holm", "paired-ar"), "riezler-maxwell-2005 noreen-1989 holm-1979"),
        (("Approximate Randomization",), "riezler-maxwell-2005 noreen-1989"),
        (("rouge-2|nrefs:1|version:tricolore-0.1.0",), "lin-2004"),
        (("4-GRR|nrefs:1|order:4|version:tricolore-0.1.0",), "chiang-2008-decomposability"),
        (("METEOR-1.5|nrefs:1|definition:1.5",), "banerjee-lavie-2005 denkowski-lavie-2014 denkowski-lavie-2011"),
        ((tri.TER(),), "snover-2006"),
    ],
)
def test_functions_find_papers(what, expected):
    assert cite(*what).keys == (*expected.split(), "tricolore")


@pytest.mark.parametrize("name", [*NAMES, "chrf++", "bleu(smooth=4)", "meteor(version=1.5)", "rouge-7"])
def test_signatures_name_the_same_papers_as_their_metrics(name):
    assert cite(tri.metric(name).signature()).keys == cite(name).keys


def test_signatures_of_sacrebleu():
    sacrebleu = pytest.importorskip("sacrebleu")
    for metric, expected in (
        (sacrebleu.BLEU(), "papineni-2002"),
        (sacrebleu.CHRF(word_order=2), "popovic-2015 popovic-2017"),
        (sacrebleu.TER(), "snover-2006"),
    ):
        metric.corpus_score(["a b c d"], [["a b c e"]])
        for signature in (metric.get_signature().format(), metric.get_signature().format(short=True)):
            assert cite(signature).keys == (*expected.split(), "post-2018")


def test_results_are_cited_by_their_signatures():
    outputs, refs = {"a": ["a b c d", "e f"], "b": ["a b d c", "e g"]}, ["a b c d", "e f g"]
    assert cite(tri.BLEU()(outputs["a"], refs)).keys == ("papineni-2002", "tricolore")
    found = cite(tri.compare(outputs, refs, ["bleu", "chrf"], trials=9, resamples=9))
    expected = "papineni-2002 popovic-2015 koehn-2004 riezler-maxwell-2005 noreen-1989 holm-1979 tricolore"
    assert found.keys == tuple(expected.split())


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("blue", "nothing is known to cite for 'blue'; did you mean 'bleu'?"),
        ("hom", "did you mean 'holm'?"),
        ("bleu(order=x)", "order"),
        ("", "what to cite is a metric, a signature, a method or a result; got ''"),
        (3, "what to cite is a metric, a signature, a method or a result; got 3"),
        ("XYZ|nrefs:1", "signature 'XYZ': no metric is called that"),
        ("foo:1|bar:2", "expected one that begins with a metric"),
    ],
)
def test_what_cannot_be_cited(what, message):
    with pytest.raises(tri.SpecError) as error:
        cite(what)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_importing_the_package_reads_no_bibliography():
    code = "import sys, tricolore; print([name for name in sys.modules if 'bibliography' in name or name == 'tomllib'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# The command ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("score ref.txt -i out.txt -m bleu chrf --paired-bs", "papineni-2002 popovic-2015 koehn-2004"),
        ("score ref.txt -i out.txt -m bleu -ci -par", "papineni-2002 koehn-2004 riezler-maxwell-2005 noreen-1989"),
        ("score ref.txt -i out.txt -tok flores200", "papineni-2002 kudo-richardson-2018 nllb-2022"),
        ("score ref.txt -i out.txt -m ter -sl", "snover-2006"),
        ("score -t wmt22 -l en-ja -i out.txt", "papineni-2002 post-2018 kudo-2004"),
        ("score ref.txt -i out.txt -sl", "papineni-2002 chen-cherry-2014"),
        ("tricolore score ref.txt -i out.txt -m chrf -cw 2", "popovic-2015 popovic-2017"),
        ("compare r -i a b", "papineni-2002 koehn-2004 riezler-maxwell-2005 noreen-1989 holm-1979"),
        ("compare r -i a b --test bs", "papineni-2002 koehn-2004 holm-1979"),
        ("compare r --system a=1,2 --system b=3,4 --test bs", "papineni-2002 clark-2011 koehn-2004 holm-1979"),
        ("compare --scores comet.tsv --test bs", "koehn-2004 holm-1979"),
        ("report r -i a --human h --human-form mqm --test bs -m ter",
         "snover-2006 koehn-2004 holm-1979 freitag-2021 lommel-2014"),
        ("correlate s.tsv --statistics soft-accuracy --no-intervals", "thompson-2024"),
        ("correlate s.tsv --statistics accuracy-ties --no-intervals --test permutation",
         "holm-1979 deutsch-2023 deutsch-2021"),
        ("correlate s.tsv --statistics kendall-b --levels segment --interval bca",
         "koehn-2004 efron-1987 kendall-1945"),
        ("search lebleu(order=1..4) --dev a --test b", "virpioja-2015 machacek-bojar-2014 deutsch-2021"),
        ("orange n -r a b -m bleus --verdict interval", "lin-och-2004-orange koehn-2004"),
        ("audit r -i a --only decomposability -m bleu", "papineni-2002 chiang-2008-decomposability"),
        ("tune mert --nbest n --refs r", "papineni-2002 och-2003"),
        ("tune mert,mira,pro --nbest n --refs r --replicate 3 -m bleu",
         "papineni-2002 clark-2011 och-2003 cherry-foster-2012 hopkins-may-2011"),
        ("tune xbleu --nbest n --refs r", "papineni-2002 chen-cherry-2014"),
        ("rerank --nbest n", ""),
        ("rerank --nbest n --refs r -m chrf", "popovic-2015"),
        ("mbr --samples s -n 8", "popovic-2015 kumar-byrne-2004 eikema-aziz-2020"),
        ("mbr --nbest s --method prune", "popovic-2015 kumar-byrne-2004 cheng-vlachos-2023"),
        ("mbr --samples s --method aggregate -m bleu",
         "papineni-2002 kumar-byrne-2004 eikema-aziz-2020 denero-2009 vamvas-sennrich-2024"),
        ("mbr --lattice l", "papineni-2002 kumar-byrne-2004 tromble-2008"),
        ("oracle --lattice l --refs r -m wer", "levenshtein-1966 chiang-2008-decomposability tillmann-1997"),
        ("oracle --lattice l --refs r", "papineni-2002 sokolov-2012"),
        ("oracle --nbest n --refs r", "papineni-2002"),
        ("sacrebleu r -i a -m bleu chrf -cw 2", "papineni-2002 popovic-2015 popovic-2017 post-2018"),
        ("spark score --table t --hyp a --ref b -ci", "papineni-2002 koehn-2004"),
        ("tokenize a", ""),
        ("bleu ter bootstrap", "papineni-2002 snover-2006 koehn-2004"),
        ("mbr", "kumar-byrne-2004"),
    ],
)  # fmt: skip
def test_command_lines(capsys, line, expected):
    found = keys(capsys, line)
    assert sorted(found) == sorted([*expected.split(), "tricolore"])


def test_a_command_line_in_one_argument(capsys):
    status, out, _ = typed(capsys, "tricolore score 'my ref.txt' -i out.txt -m ter")
    assert (status, "snover-2006" in out) == (0, True)


def test_every_command_can_be_cited(capsys):
    """Whatever options a command has, those of metrics are there, and nothing is run."""
    needed = {
        "search": ["bleu(order=1..2)"], "tune": ["mert"], "lattice": ["stats", "l"], "spark": ["score"],
        "completion": ["bash"],
    }  # fmt: skip
    for command in COMMANDS.keys() - {"cite"}:
        status, out, err = typed(capsys, command, *needed.get(command, []), *["-"] * (command in ("orange", "audit")))
        assert (status, err) == (0, ""), command
        assert "@misc{tricolore," in out


def test_formats(capsys):
    for words in (("-f", "text", "bleu"), ("bleu", "-f", "text")):
        _, out, _ = typed(capsys, *words)
        assert out.startswith("bleu: Kishore Papineni, ")
    _, out, _ = typed(capsys, "-f", "json", "score", "r", "-i", "o", "-m", "chrf")
    assert [one["key"] for one in json.loads(out)["citations"]] == ["popovic-2015", "tricolore"]
    assert json.loads(out) == cite("chrf").to_dict()
    _, out, _ = typed(capsys, "-f", "markdown", "bleu")
    assert "| papineni-2002 | bleu " in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "nothing to cite"),
        (["score", "ref.txt", "-i", "a", "-m", "blue"], "unknown metric 'blue'; did you mean 'bleu'?"),
        (["score", "--paired"], "--paired"),
        (["cite", "bleu"], "'tricolore cite' cites other commands"),
        (["bleu", "-f", "xml"], "--format must be one of bibtex, text, json, markdown; got 'xml'"),
        (["bleu", "--foo"], "unknown option '--foo'"),
        (["score ref 'x"], "is not a command line: no closing quotation"),
    ],
)
def test_mistakes_are_one_line(capsys, words, message):
    status, out, err = typed(capsys, *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_completion_knows_names(capsys):
    assert run(["completion", "zsh"]) == 0
    assert "Print what to cite for a command line" in capsys.readouterr().out
    assert run(["completion", "bash"]) == 0
    assert "words='bibtex text json markdown'" in capsys.readouterr().out


# The page ---------------------------------------------------------------------------------------------------------


def test_the_page_of_papers_is_up_to_date():
    script = ROOT / "website" / "bibliography.py"
    if not script.is_file():
        pytest.skip("the documentation is not part of this tree")
    found = subprocess.run([sys.executable, script, "--check"], check=False)
    assert found.returncode == 0, "docs/bibliography.md is not what the code says; run 'make pages'"
