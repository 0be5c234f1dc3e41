"""Tables of the studies in docs/explanations/ (orange, tuning, search), computed anew by the commands they name.

    python tests/studies/study_tables.py NAME [DATA]

prints the table NAME in Markdown; DATA is the folder with `nbest/` and `human/` (default: ../shared/data). The
documentation holds it between `<!-- study NAME -->` and `<!-- end -->`; `test_studies.py` compares both, but for the
longest ones.
"""

import gzip
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data"


def command(*words):
    """What a command prints as JSON."""
    run = subprocess.run([sys.executable, "-m", "tricolore", *words, "-f", "json"], stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


def markdown(header, rows):
    """A table whose first column is text."""
    lines = [f"| {' | '.join(row)} |" for row in [header, *rows]]
    return "\n".join([lines[0], "|:--" + "|--:" * (len(header) - 1) + "|", *lines[1:]])


def documented(name):
    """The table of that name in the documentation."""
    for page in sorted((ROOT / "docs").rglob("*.md")):
        found = re.search(rf"<!-- study {name} -->\n(.*?)\n<!-- end -->", page.read_text("utf-8"), re.DOTALL)
        if found:
            return found[1].strip()
    return ""


# Lists of Fisher: all sentences, the first and the last hundred ------------------------------------------------------


def fisher(data, folder, order):
    """The n-best lists of some sentences, in some order: options of commands."""
    given = data / "nbest" / "thot-fisher-test-es-en"
    by_source = {}
    with gzip.open(given / "nbest.txt.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            source, _, rest = line.partition(" ||| ")
            by_source.setdefault(int(source), []).append(rest)
    folder.mkdir()
    nbest, refs = folder / "nbest.txt", []
    text = [f"{i} ||| {rest}" for i, source in enumerate(order) for rest in by_source[source]]
    nbest.write_text("".join(text), "utf-8")
    for path in sorted(given.glob("ref?.txt")):
        lines = path.read_text("utf-8").splitlines()
        refs.append(folder / path.name)
        refs[-1].write_text("".join(f"{lines[i]}\n" for i in order), "utf-8")
    return [str(nbest)], ["--refs", *map(str, refs)], ["-tok", "none"], ["--start", str(given / "weights.txt")]


def parts(data, folder):
    """All 200 sentences, the first 100 and the last 100."""
    folder.mkdir(exist_ok=True)
    orders = {"all": range(200), "first": range(100), "last": range(100, 200)}
    return {name: fisher(data, folder / name, order) for name, order in orders.items()}


# ORANGE --------------------------------------------------------------------------------------------------------------


def orange_halves(data, folder):
    """The metrics of the paper on each half, with places and verdicts."""
    both = parts(data, folder)
    found = [command("orange", *nbest, *refs, *tok) for nbest, refs, tok, _ in (both["first"], both["last"])]
    columns = []
    for results in found:
        values = np.array([one["orange"] for one in results])
        marks = ["" if one["verdict"] == "not shown worse" else f" {one['verdict']}" for one in results]
        columns.append(
            [[f"{v:.2f}{m}", str(1 + np.sum(values < v - 1e-9))] for v, m in zip(values, marks, strict=True)]
        )
    rows = [[one["name"], *columns[0][i], *columns[1][i]] for i, one in enumerate(found[0])]
    return ["Method", "ORANGE %, first half", "place", "ORANGE %, second half", "place"], rows


TEN = ["bleus(order=1|4|7)", "nist", "per", "wer", "rouge-l", "rouge-w(weight=1.2|2)", "rouge-s(skip=4)"]
WAYS = ["", "--candidates jackknife", "--distinct", "--ties max", "--unequal drop", "--average rank"]


def orange_options(data, folder):
    """The best of ten metrics, and those that are significantly worse, by option."""
    rows = []
    sets = parts(data, folder).values()
    for way in WAYS:
        row = [f"`{way}`" if way else "as above"]
        for nbest, refs, tok, _ in sets:
            found = command("orange", *nbest, *refs, *tok, "-m", *TEN, *way.split())
            names = {v: [one["name"] for one in found if one["verdict"] == v] for v in ("best", "worse")}
            row.append(f"{', '.join(names['best'])}; {', '.join(sorted(names['worse'])) or '–'}")
        rows.append(row)
    return ["", "all 200", "first half", "second half"], rows


# Tuning --------------------------------------------------------------------------------------------------------------


def tuned(lists, methods, *how):
    """Scores of methods by set: `scores[method][set]`."""
    nbest, refs, tok, start = lists
    found = command("tune", methods, "--nbest", *nbest, *refs, *tok, *start, *how)
    return {one["method"]: one["scores"] for one in found["methods"]}


def signed(one, start):
    """A difference from the start, with p."""
    p = f"{one['p']:.3f}" if one["p"] < 0.1 else f"{one['p']:.2f}"
    difference = f"{one['mean'] - start['mean']:+.2f}".replace("-", "−")
    return f"{difference} ({p.removeprefix('0')})"


def tuning_sets(data, folder):
    """Tuners on all sentences and on each half, by folds; and each half on the other."""
    lists, methods, columns = parts(data, folder), "mert,mira,pro,xbleu", []
    for one in lists.values():
        scores = tuned(one, methods, "--folds", "2", "--repeats", "10")
        columns.append({method: of["2-fold"] for method, of in scores.items()})
    for one, other in (("first", "last"), ("last", "first")):
        nbest, refs, _, _ = lists[other]
        scores = tuned(lists[one], methods, "--test-nbest", *nbest, "--test-refs", *refs[1:])
        columns.append({method: next(of[name] for name in of if name != "Tune") for method, of in scores.items()})
    rows = [["start", *(f"{column['start']['mean']:.2f}" for column in columns)]]
    rows += [[m, *(signed(column[m], column["start"]) for column in columns)] for m in methods.split(",")]
    return ["", "all 200, folds", "first 100, folds", "last 100, folds", "first, on last", "last, on first"], rows


def tuning_orders(data, folder):
    """Folds by order of the file, and at random, for six orders of the sentences."""
    ways = {"`--fold-by order --replicate 5`": "--fold-by order --replicate 5", "`--repeats 5`": "--repeats 5"}
    found = {way: [] for way in ways}
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(200)
        lists = fisher(data, folder / str(seed), order)
        for way, words in ways.items():
            found[way].append(tuned(lists, "xbleu", "--folds", "2", *words.split())["xbleu"]["2-fold"])
    rows = [[name, *(", ".join(f"{one[key]:.2f}" for one in found[way]) for way in ways)]
            for name, key in (("xbleu, 2-fold", "mean"), ("std", "std"))]  # fmt: skip
    return ["", *ways], rows


def tuning_smoothings(data, folder):
    """Eight smoothings of BLEU as the objective of expected BLEU."""
    columns = [
        [of["2-fold"] for name, of in scores.items() if name != "start"]
        for scores in (
            tuned(one, "xbleu", "-m", "bleu(smooth=0..7)", "--folds", "2", "--repeats", "10")
            for one in parts(data, folder).values()
        )
    ]
    rows = []
    for smooth in range(8):
        row = [str(smooth)]
        for of in columns:
            p = "" if of[smooth]["p"] is None else f"{of[smooth]['p']:.2f}".removeprefix("0")
            row += [f"{of[smooth]['mean']:.2f}", f"{of[smooth]['std']:.2f}".removeprefix("0"), p]
        rows.append(row)
    return ["smoothing", *(x for name in ("all 200", "first 100", "last 100") for x in (name, "std", "p"))], rows


# Search --------------------------------------------------------------------------------------------------------------

RATED = {
    "wmt23": ("mqm-wmt23-sxs-ende", "mqm_seg_by_rater.tsv"),
    "bio": ("mqm-bio-en2de", "mqm_seg_by_annotator.tsv"),
    "ted": ("mqm-ted-ende", "mqm_seg.tsv"),
}


def search_lebleu(data, folder):
    """LeBLEU's grid: each set held out in turn, the two others choose."""
    for name, (where, ratings) in RATED.items():
        given = data / "human" / where
        text = f'references = "{sorted((given / "references").iterdir())[0]}"\nsystems = "{given}/systems/*.txt"\n'
        text += f'human = "{given / ratings}"\ncolumn = "mqm"\nlower_is_better = true\nignore_unknown = true\n'
        (folder / f"{name}.toml").write_text(text + f'name = "{name}"\n', "utf-8")
    rows = []
    for held_out in RATED:
        dev = [str(folder / f"{name}.toml") for name in RATED if name != held_out]
        test = ["--test", str(folder / f"{held_out}.toml"), "--resume", str(folder / "results.jsonl")]
        found = command("search", "lebleu(order=1..4, threshold=0.2..0.8:0.1)", "--dev", *dev, *test)
        for chosen, one in zip(found["chosen"], found["held_out"], strict=True):
            best = f"{chosen['metric']} (the default)" if chosen["metric"] == found["default"] else chosen["metric"]
            values = chosen["default_dev"], chosen["dev"], one["default"], one["chosen"], one["p"]
            rows.append([held_out, chosen["measure"], best, *(f"{value:.3f}" for value in values)])
    rows.sort(key=lambda row: row[1], reverse=True)
    header = ["Held out", "Measure", "chosen on the two others", "default, dev", "chosen, dev"]
    return [*header, "default, held out", "chosen, held out", "p"], rows


STUDIES = {
    "orange-halves": orange_halves,
    "orange-options": orange_options,
    "tuning-sets": tuning_sets,
    "tuning-orders": tuning_orders,
    "tuning-smoothings": tuning_smoothings,
    "search-lebleu": search_lebleu,
}


def table(name, data=DATA):
    """The table of that name."""
    with tempfile.TemporaryDirectory() as folder:
        return markdown(*STUDIES[name](Path(data), Path(folder)))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in STUDIES:
        sys.exit(f"expected the name of a table: {', '.join(STUDIES)}")
    print(table(*sys.argv[1:]))
