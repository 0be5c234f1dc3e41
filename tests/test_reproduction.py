"""The pages of docs/reproduction: whole, and with numbers that other ways of computing them confirm."""

import doctest
import re
import shutil
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.stats import spearmanr

import tricolore as tri

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "reproduction"
sys.path.insert(0, str(ROOT))

from reproduce import index, page  # noqa: E402

PAGES = sorted(FOLDER.glob("*.md"))
PAPERS = [*index.PAPERS]


def cells(name, row, *headings):
    """The cells of a table row, by the headings of their columns; the first table that has both counts."""
    header = None
    for line in (FOLDER / f"{name}.md").read_text(encoding="utf-8").split("\n"):
        if not line.startswith("|"):
            header = None
            continue
        values = [cell.strip() for cell in line.strip("|").split("|")]
        header = values if header is None else header
        if values[0].startswith(row) and all(one in header for one in headings):
            return [values[header.index(one)] for one in headings]
    raise AssertionError(f"{name}: no row {row} with {headings}")


def numbers(text):
    """The numbers in a text, with their sign."""
    return [float(one.replace("−", "-")) for one in re.findall(r"[−+]?\d+(?:\.\d+)?", text)]


# Whole pages ---------------------------------------------------------------------------------------------------------


def test_there_is_a_page_for_every_paper():
    assert {one.stem for one in PAGES} == {"README", *(name.replace("_", "-") for name in PAPERS)}


def test_pictures_are_there_and_have_captions():
    shown = []
    for one in PAGES:
        found = re.findall(r"!\[(.+)\]\((.+)\)\n\n\*(.+)\*\n", one.read_text(encoding="utf-8"))
        assert len(found) == one.read_text(encoding="utf-8").count("](pictures/")
        for alternative, file, caption in found:
            assert alternative == caption and len(caption) > 80
            shown.append((FOLDER / file).resolve())
    assert len(shown) >= 10
    assert sorted(shown) == sorted(path.resolve() for path in (FOLDER / "pictures").iterdir())


def test_pictures_are_the_same_on_every_machine():
    for path in (FOLDER / "pictures").iterdir():
        text = path.read_text(encoding="utf-8")
        assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
        assert not re.search(r"\b(?:date|href|nan|inf)\b", text, re.IGNORECASE), path.name


def test_pages_name_no_folder_of_a_machine():
    for one in PAGES:
        text = one.read_text(encoding="utf-8")
        assert not re.search(r"/(?:home|work|tmp|root)/", text), one.name
        assert "nan" not in re.findall(r"[a-z]+", text), one.name


def test_links_lead_somewhere():
    for one in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)", one.read_text(encoding="utf-8")):
            assert (one.parent / target).exists(), f"{one.name}: {target}"


def test_the_index_is_that_of_the_pages():
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == index.index(FOLDER)


def test_every_claim_has_an_outcome():
    for name in PAPERS:
        rows = index.claims_of((FOLDER / f"{name.replace('_', '-')}.md").read_text(encoding="utf-8"))
        assert len(rows) >= 4
        for row in rows:
            assert len(row) == 4 and re.match(r"yes|no|on \d+ of \d+|for ", row[-1]), row


def test_the_page_of_audits_says_what_the_table_says():
    audit = (ROOT / "docs" / "explanations" / "audit.md").read_text(encoding="utf-8")
    claims = index.claims_of((FOLDER / "decomposability.md").read_text(encoding="utf-8"))
    a_point = next(row for row in claims if row[0].startswith("BLEU rises by a point"))
    assert f"comes out {a_point[-1]}, the TED talks" in audit
    assert "No search gains anything by 4-GRR" in audit
    assert next(row for row in claims if row[0].startswith("no segment is worth"))[-1] == "yes"
    sets = re.search(r"\| set \| systems \|.*?\n\n", (FOLDER / "decomposability.md").read_text("utf-8"), re.DOTALL)[0]
    systems = [int(line.split(" | ")[1]) for line in sets.strip().split("\n")[2:]]
    assert f"nine sets with {sum(systems)} systems" in audit and len(systems) == 9
    *_, bleu, sbp, _ = next(line for line in sets.split("\n") if "biomedical" in line).strip("| ").split(" | ")
    assert max(numbers(sbp)) > max(numbers(bleu))


def test_a_difference_that_is_not_found_is_no_success():
    """Of claims that two things do not differ; and a tie is not a better oracle."""
    said = {"yes": 0, "on 1 of 2 sets": 1, "no: it decreases": 2, "no difference found (1 of 2 sets show none ...)": 3}
    assert {last: index.STATES.index(index.state_of(["it holds", last])) for last in said} == said
    for name, what, count in (("orange", "statistically equivalent", 2), ("smoothing", "no smoothing differs", 1)):
        rows = index.claims_of((FOLDER / f"{name}.md").read_text(encoding="utf-8"))
        assert [index.state_of(row) for row in rows if what in row[0]] == ["no difference found"] * count
    claims = index.claims_of((FOLDER / "decomposability.md").read_text(encoding="utf-8"))
    oracles = next(row for row in claims if "better oracles" in row[0])
    pairs = [one.split(" and ") for one in re.findall(r"[\d.]+ and [\d.]+", oracles[2])]
    better = sum(float(a) > float(b) for a, b in pairs)
    assert oracles[-1] == f"on {better} of {len(pairs)} sets" and better < len(pairs)


def test_helpers():
    assert doctest.testmod(page).failed == 0
    assert page.markdown_table(["a", "b"], [["x|y", "1"]]) == "| a | b |\n|:--|--:|\n| x&#124;y | 1 |"


def test_pages_are_written_with_their_pictures(tmp_path):
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "small-old.svg").write_text("old")
    made = page.Page("small", "Small", "A paper.", ["ted"])
    made.heading("First")
    made.text("some\n   text", "")
    made.figure("new", "<svg/>", "what to see")
    made.claim("it holds", "1", "2", "no")
    made.write(tmp_path)
    assert [one.name for one in (tmp_path / "pictures").iterdir()] == ["small-new.svg"]
    text = (tmp_path / "small.md").read_text(encoding="utf-8")
    assert index.claims_of(text) == [["it holds", "1", "2", "no"]]
    assert text.endswith("## First\n\nsome text\n\n![what to see](pictures/small-new.svg)\n\n*what to see*\n")


def test_without_data_it_is_said_where_they_are_published(tmp_path):
    (tmp_path / "human" / "mqm-ted-ende").mkdir(parents=True)
    words = [sys.executable, "-m", "reproduce", str(tmp_path), "smoothing"]
    run = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=False)
    assert run.returncode == 1 and run.stdout == "" and "Traceback" not in run.stderr
    first, *rest = run.stderr.strip().split("\n")
    assert first.startswith(f"{tmp_path}: 7 of 8 folders of data are missing") and "DATA=FOLDER" in first
    assert "mqm-ted-ende" not in run.stderr
    assert any("https://github.com/sheffieldnlp/mlqe-pe" in line for line in rest)
    unknown = subprocess.run([*words[:-1], "smoothings"], capture_output=True, text=True, cwd=ROOT, check=False)
    assert unknown.returncode == 2 and "unknown paper 'smoothings'" in unknown.stderr


# Samples of numbers, computed in another way -------------------------------------------------------------------------


def ngram_matches(text, reference, n):
    """Clipped matches and n-grams of one order."""
    words, others = (re.sub("[.,]", "", one).lower().split() for one in (text, reference))
    grams, known = (Counter(zip(*(some[i:] for i in range(n)), strict=False)) for some in (words, others))
    return f"{(grams & known).total()}/{grams.total()}"


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_lecture_notes_worked_examples(order):
    from reproduce.lecture_notes import BITES, BITTEN, CALM, LED

    column = ["p₁", "p₂", "p₃", "p₄"][order - 1]
    for name, text in CALM.items():
        assert cells("lecture-notes", f"{name}: *{text}*", column) == [ngram_matches(text, LED, order)]
    page_lines = (FOLDER / "lecture-notes.md").read_text(encoding="utf-8").split("\n")
    shown = [line for line in page_lines if line.startswith("| folded, no punctuation |")]
    for line, text in zip(shown, BITES.values(), strict=True):
        assert line.split(" | ")[1 + order] == ngram_matches(text, BITTEN, order)


def systems_of(lines, shared, folder):
    names = sorted(path.stem for path in (shared / "data" / folder / "systems").glob("*.txt"))
    return {name: lines(f"{folder}/systems/{name}.txt") for name in names}


def test_lecture_notes_best_system(shared, lines):
    ted, refs = systems_of(lines, shared, "human/mqm-ted-ende"), lines("human/mqm-ted-ende/references/ref.txt")
    means = dict(row.split("\t") for row in lines("human/mqm-ted-ende/mqm_sys.tsv")[1:])
    best = max(ted, key=lambda name: float(tri.BLEU()(ted[name], refs)))
    rank = 1 + sum(float(means[name]) < float(means[best]) for name in ted)
    assert cells("lecture-notes", "TED talks", "highest BLEU", "its rank by annotators") == [best, f"{rank} of 13"]


def test_decomposability_blanked_outputs(shared, lines):
    ted, refs = systems_of(lines, shared, "human/mqm-ted-ende"), lines("human/mqm-ted-ende/references/ref.txt")
    bleu, changes = tri.BLEU(), []
    for output in ted.values():
        worst = np.argsort(bleu.segments(output, refs), kind="stable")[: round(0.07 * len(refs))]
        blanked = ["" if i in worst else text for i, text in enumerate(output)]
        changes.append(100 * (float(bleu(blanked, refs)) - float(bleu(output, refs))))
    (shown,) = cells("decomposability", "TED talks", "BLEU")
    assert numbers(shown) == [round(min(changes), 1), round(max(changes), 1)]


def test_the_longest_outputs_are_as_long_as_the_page_of_audits_says(shared, lines):
    bio, refs = systems_of(lines, shared, "human/mqm-bio-en2de"), lines("human/mqm-bio-en2de/references/reference.txt")
    sizes = [len(tri.tokenize(text, "13a")) for text in refs]
    longest = [
        max(len(tri.tokenize(text, "13a")) / size for text, size in zip(output, sizes, strict=True))
        for output in bio.values()
    ]
    audit = " ".join((ROOT / "docs" / "explanations" / "audit.md").read_text(encoding="utf-8").split())
    assert f"{min(longest):.0f} to {max(longest):.0f} times as long as its reference" in audit


def test_decomposability_correlation(shared, lines):
    for folder, title, ref in (("mqm-ted-ende", "TED talks", "ref"), ("mqm-wmt23-sxs-ende", "WMT23", "refA")):
        systems, refs = systems_of(lines, shared, f"human/{folder}"), lines(f"human/{folder}/references/{ref}.txt")
        means = dict(row.split("\t") for row in lines(f"human/{folder}/mqm_sys.tsv")[1:])
        human = [-float(means[name]) for name in systems]
        for name, metric in (("BLEU", tri.BLEU()), ("4-GRR", tri.GRR())):
            scores = [float(metric(output, refs)) for output in systems.values()]
            assert numbers(table_1(name, title))[0] == round(spearmanr(human, np.round(scores, 12)).statistic, 2)


def table_1(name, title):
    """The cell of a metric in Table 1; its name begins those of others."""
    lines = (FOLDER / "decomposability.md").read_text(encoding="utf-8").split("\n")
    row = next(line for line in lines if line.startswith(f"| {name} |"))
    return row.strip("| ").split(" | ")[4 + ("TED talks", "biomedical", "WMT23").index(title)]


def test_orange_numbers(shared, lines):
    folder = shared / "data" / "nbest" / "thot-fisher-test-es-en"
    refs = [*zip(*(lines(f"nbest/thot-fisher-test-es-en/ref{i}.txt") for i in range(4)), strict=True)]
    metrics = ["bleus(order=2, tokenize=none)", "rouge-s(skip=4, tokenize=none)", "per(tokenize=none)"]
    found = tri.orange(folder / "nbest.txt.gz", refs, metrics, n=50)
    for one in found:
        if one.metric.title != "BLEUS2":
            value, low, high = numbers(cells("orange", one.metric.title, "N = 50")[0])
            assert value == round(100 * one.orange, 2)
            assert (low, high) == tuple(round(100 * end, 2) for end in one.orange_interval)
    whole = tri.orange(folder / "nbest.txt.gz", refs, metrics)
    text = (FOLDER / "orange.md").read_text(encoding="utf-8")
    for one, paper in zip(whole, (25.51, 19.66, 36.84), strict=True):
        assert f"| {one.metric.title} | {paper} | {100 * one.orange:.2f}" in text


def test_orange_by_chance():
    """A metric by which all texts tie, as the page of LeBLEU and that of ORANGE say it."""
    chance = {n: 100 * tri.orange([["a"] * n], [["a", "a"]], "bleus")[0].orange for n in (6, 8, 100)}
    text = (FOLDER / "lebleu.md").read_text(encoding="utf-8")
    assert f"{chance[6]:.1f} % (WMT16 en-fi, N = 6) and {chance[8]:.1f} % (biomedical, N = 8)" in text
    explained = " ".join((ROOT / "docs" / "explanations" / "orange.md").read_text(encoding="utf-8").split())
    assert f"{chance[6]:.1f} % with 6 candidates, {chance[100]:.1f} % with 100" in explained


def test_german_parameters_on_finnish(shared, lines):
    """Every choice for German on the page is in the table, and the claim counts all of them."""
    text = (FOLDER / "lebleu.md").read_text(encoding="utf-8")
    table = text.split("| chosen for German |")[1].split("\n\n")[0].split("\n")[2:]
    rows = {row[0]: row[1:] for row in (line.strip("| ").split(" | ") for line in table)}
    held_out = re.findall(r"^\| (?:ted|bio|wmt23) \|.*? \| (lebleu.*?) \|", text, re.MULTILINE)
    assert len(held_out) == 6 and {*held_out} - {"lebleu"} <= {*rows}
    assert {"lebleu(order=3, threshold=0.2)", "lebleu(threshold=0.2)"} <= {*rows}  # of the paper
    systems, refs = (
        systems_of(lines, shared, "morph/wmt16-en-fi"),
        [lines(f"morph/wmt16-en-fi/ref{x}.txt") for x in "AB"],
    )
    lists, both = [*zip(*systems.values(), strict=True)], [*zip(*refs, strict=True)]
    found = tri.orange(lists, both, ["lebleu", *rows], candidates="jackknife")
    changes = [100 * (found[name].orange - found["lebleu"].orange) for name in rows]
    assert [numbers(row[2])[0] for row in rows.values()] == [round(one, 1) for one in changes]
    claim = next(row for row in index.claims_of(text) if row[0].startswith("German's parameters"))
    assert claim[-1] == f"on {sum(one > 0 for one in changes)} of {len(changes)} choices"


def test_both_tuners_start_from_the_same_candidates():
    assert cells("smoothing", "start", "Moses it-en") == cells("lecture-notes", "Moses it-en", "before")


def test_a_word_has_the_same_credit_however_frequent():
    from reproduce.lecture_notes import LED

    words = re.sub("[.,]", "", LED).lower().split()
    scores = {
        tuple(ngram_matches(" ".join([*words[:i], "x", *words[i + 1 :]]), LED, n) for n in (1, 2, 3, 4))
        for i in range(3, len(words) - 3)
    }
    (fractions,) = scores
    precisions = [int(one) / int(other) for one, other in (x.split("/") for x in fractions)]
    (claim,) = [row for row in index.claims_of((FOLDER / "lecture-notes.md").read_text("utf-8")) if "credit" in row[0]]
    assert f"BLEU {100 * np.prod(precisions) ** 0.25:.1f};" in claim[2] and claim[-1] == "yes"


def pairs_of(shared, lines, scores):
    """Kendall's τ over pairs of systems within segments: concordant, discordant, tied by the metric only."""
    ratings: dict[tuple[str, str], list[float]] = {}
    for row in lines("human/mqm-wmt23-sxs-ende/mqm_seg_by_rater.tsv")[1:]:
        system, segment, _, value = row.split("\t")
        ratings.setdefault((system, segment), []).append(float(value))
    concordant = discordant = tied = 0
    for i in range(104):
        for one, other in combinations(scores, 2):
            human = np.mean(ratings[other, str(i + 1)]) - np.mean(ratings[one, str(i + 1)])
            metric = scores[one][i] - scores[other][i]
            if human:
                concordant += human * metric > 0
                discordant += human * metric < 0
                tied += metric == 0
    return (concordant - discordant) / (concordant + discordant + tied), concordant + discordant + tied


@pytest.mark.parametrize(
    ("name", "row", "metric"), [("smoothing", "0", "bleu(smooth=0)"), ("smoothing", "5", "bleu(smooth=5)"),
                                ("lebleu", "LeBLEU", "lebleu"), ("lebleu", "chrF", "chrf")],
)  # fmt: skip
def test_segment_correlations(shared, lines, name, row, metric):
    systems, refs = (
        systems_of(lines, shared, "human/mqm-wmt23-sxs-ende"),
        lines("human/mqm-wmt23-sxs-ende/references/refA.txt"),
    )
    made = tri.metric(metric)
    tau, number = pairs_of(shared, lines, {system: made.segments(output, refs) for system, output in systems.items()})
    assert numbers(cells(name, row, "WMT23")[0])[0] == pytest.approx(tau, abs=0.0005001)
    if name == "smoothing":
        assert cells("smoothing", "pairs", "WMT23") == [f"{number:,}"]


# Whole scripts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "paper",
    [pytest.param(name, marks=pytest.mark.slow if name == "orange" else pytest.mark.study) for name in PAPERS],
)
def test_a_script_writes_its_page_byte_for_byte(shared, tmp_path, paper):
    shutil.copytree(ROOT / "reproduce", tmp_path / "reproduce")
    name = paper.replace("_", "-")
    words = [sys.executable, "-m", "reproduce", str(shared / "data"), paper]
    run = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    written = tmp_path / "docs" / "reproduction"
    assert (written / f"{name}.md").read_bytes() == (FOLDER / f"{name}.md").read_bytes()
    pictures = sorted((written / "pictures").iterdir())
    assert pictures and all(one.read_bytes() == (FOLDER / "pictures" / one.name).read_bytes() for one in pictures)
