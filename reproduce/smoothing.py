"""Smoothing techniques for sentence-level BLEU (Chen & Cherry 2014): agreement with ratings, and tuning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import tricolore as tri
from tricolore.reporting.figures import dot_chart, line_chart

from .data import TextSet, fisher, mean_ratings, moses, mqm_sets, single_systems
from .page import Page, listed, none_found, number, outcome, signed, span, with_interval

PAPER = "B. Chen, C. Cherry. A systematic comparison of smoothing techniques for sentence-level BLEU. WMT 2014."
NEEDS = ("ted", "bio", "wmt23", "mlqe-et", "mlqe-de", "diabla", "fisher", "moses")

#: Tables 2 and 3: segment τ, system Pearson and Spearman; smoothings 0 to 7, into and out of English.
INTO = ((0.165, 0.759, 0.887), (0.224, 0.760, 0.887), (0.226, 0.757, 0.887), (0.224, 0.760, 0.887),
        (0.228, 0.763, 0.887), (0.234, 0.765, 0.887), (0.230, 0.754, 0.887), (0.236, 0.766, 0.887))  # fmt: skip
OUT = ((0.119, 0.715, 0.744), (0.178, 0.722, 0.748), (0.180, 0.725, 0.744), (0.178, 0.724, 0.744),
       (0.181, 0.727, 0.744), (0.184, 0.731, 0.744), (0.182, 0.725, 0.744), (0.187, 0.734, 0.744))  # fmt: skip
#: The same for BLEU of the corpus ("crp"): Pearson and Spearman.
CORPUS = ((0.720, 0.887), (0.712, 0.744))

#: Tables 5 and 6: BLEU of unseen test sets after tuning with each smoothing, small feature sets.
TUNED = {
    "zh-en, MT06": (35.6, 35.7, 35.8, 35.8, 35.7, 35.5, 35.7, 35.6),
    "zh-en, MT08": (29.0, 29.1, 29.1, 29.1, 29.1, 28.9, 29.0, 29.0),
    "ar-en, MT08": (46.5, 46.4, 46.4, 46.5, 46.5, 46.4, 46.4, 46.4),
    "ar-en, MT09": (49.1, 49.1, 49.0, 49.2, 49.2, 49.1, 49.1, 49.0),
}

#: The set whose gains are so large that in one picture they would hide the others.
APART = "DiaBLa fr-en"

EIGHT = [f"bleu(smooth={k})" for k in range(8)]
DOCUMENT = ["doc-bleu" if k == 7 else f"doc-bleu(smooth={k})" for k in range(8)]


def make(data: Path) -> Page:
    """The page."""
    page = Page("smoothing", "Smoothing BLEU for sentences", PAPER, NEEDS)
    rated = mqm_sets(data)
    _segments(page, rated, single_systems(data))
    _systems(page, rated)
    _documents(page, data, rated)
    _tuning(page, data)
    return page


# Tables 2 and 3: segments --------------------------------------------------------------------------------------------


def _segments(page: Page, rated: list[TextSet], single: list[TextSet]) -> None:
    page.heading("Tables 2 and 3: segment level")
    page.text(
        """Kendall's τ of equation 12 (`kendall-half`: metric ties are half right, human ties are left out), with the
        paper's constants: ε = 0.1, K = 5, α = 5. The paper averages WMT12 and WMT13, with pairs of systems within a
        segment. The first three sets here are of that kind, with MQM ratings; the others have ratings of one system
        (DiaBLa: of two, on different dialogues), so that pairs are of different segments. 95 % intervals over
        segments, 500 resamples."""
    )
    page.code(
        """
tau = "segment kendall-half by segment"
tri.correlate(systems, references, human=ratings, metrics=["bleu(smooth=0..7)"], statistics=[tau])
"""
    )
    found: dict[str, Any] = {}
    for one in rated:
        found[one.title] = one.correlate(
            EIGHT, statistics=["segment kendall-half by segment"], samples=500, test="permutation"
        )
    for one in single:
        found[one.title] = one.correlate(EIGHT, statistics=["segment kendall-half by system"], samples=500)
    values = {name: [x.value for x in result.agreements] for name, result in found.items()}
    rows = []
    for k in range(8):
        cells = [result.agreements[k] for result in found.values()]
        rows.append(
            [
                str(k),
                number(INTO[k][0], 3),
                number(OUT[k][0], 3),
                *(with_interval(x.value, x.low, x.high, 3) for x in cells),
            ]
        )
    rows.append(["pairs", "", "", *(f"{result.agreements[0].pairs:,}" for result in found.values())])
    page.table(["smoothing", "paper: into English", "out of English", *found], rows)
    paper = {"paper, into English": [x[0] for x in INTO], "paper, out of English": [x[0] for x in OUT]}
    series = {name: [(float(k), y - own[0]) for k, y in enumerate(own)] for name, own in {**values, **paper}.items()}
    apart = [y for _, y in series.pop(APART)[1:]]
    page.figure(
        "segments",
        line_chart(
            series,
            ("smoothing", "τ minus τ without smoothing"),
            "Gain by smoothing",
            labels=[str(k) for k in range(8)],
            zero=True,
            alone=True,
        ),
        f"""What each smoothing adds to Kendall's τ at segment level over BLEU without smoothing. Lines above zero are
        gains; where a line is flat from 1 to 7, it hardly matters which smoothing is used. {APART}, left out, is far
        above: {span(apart, 3, signed)}.""",
    )
    _segment_claims(page, rated, found, values)


def _segment_claims(page: Page, rated: list[TextSet], found: dict[str, Any], values: dict[str, list[float]]) -> None:
    improved = {name: sum(x > own[0] for x in own[1:]) for name, own in values.items()}
    best = {name: int(np.argmax(np.round(own, 9))) for name, own in values.items()}
    p_values = [found[one.title].comparisons[0].difference(EIGHT[0], EIGHT[7]).p for one in rated]
    gains = {name: own[7] - own[0] for name, own in values.items()}
    page.text(
        f"""Smoothings that are better than none: {listed(f"{n} of 7 ({name})" for name, n in improved.items())}.
        Smoothing 7, the paper's best, adds {listed(f"{signed(x, 3)} ({name})" for name, x in gains.items())}; the
        paper has +0.071 and +0.068. The best smoothing is {listed(f"{k} ({name})" for name, k in best.items())}. Is
        smoothing 7 better than none? p =
        {listed(f"{p:.3f} ({one.title})" for p, one in zip(p_values, rated, strict=True))}, by a permutation test
        that swaps systems, not corrected."""
    )
    here = listed(f"{n} of 7 ({name})" for name, n in improved.items())
    page.claim(
        "all smoothings improve τ over no smoothing", "7 of 7, twice", here, outcome(n == 7 for n in improved.values())
    )
    here = listed(f"{k} ({name})" for name, k in best.items())
    page.claim("smoothing 7 has the best τ", "7, twice", here, outcome(k == 7 for k in best.values()))


# Tables 2 and 3: systems ---------------------------------------------------------------------------------------------


def _systems(page: Page, rated: list[TextSet]) -> None:
    page.heading("Tables 2 and 3: system level")
    page.text(
        """A system is scored by the average of its sentence scores, weighted by reference length (equation 13,
        `doc-bleu`), beside BLEU of the corpus. Correlations with the MQM ratings of systems; intervals as above,
        corrected for the noise of segments."""
    )
    how: dict[str, Any] = {"statistics": ["system pearson", "system spearman"], "samples": 500}
    found = {one.title: one.correlate(["bleu(smooth=none)", *DOCUMENT], **how) for one in rated}
    for column, kind in enumerate(("Pearson", "Spearman")):
        rows = []
        for k, metric in enumerate(["bleu(smooth=none)", *DOCUMENT], -1):
            paper = CORPUS if k < 0 else (INTO[k][1:], OUT[k][1:])
            cells = [found[one.title][metric, f"system {kind.lower()}"] for one in rated]
            shown = [with_interval(x.value, x.low, x.high) for x in cells]
            rows.append(["corpus" if k < 0 else str(k), *(number(x[column], 3) for x in paper), *shown])
        page.table([f"{kind}, smoothing", "paper: into English", "out of English", *found], rows)
        page.text("The same by Spearman's correlation:" * (not column))
    pearson = {
        name: [result[metric, "system pearson"].value for metric in ("bleu(smooth=none)", "doc-bleu")]
        for name, result in found.items()
    }
    ranks = {
        name: [round(result[metric, "system spearman"].value, 9) for metric in DOCUMENT]
        for name, result in found.items()
    }
    same = {name: sum(x == own[0] for x in own[1:]) for name, own in ranks.items()}
    page.text(
        f"""The average of sentence scores, with smoothing 7, against BLEU of the corpus by Pearson:
        {listed(f"{number(b, 3)} against {number(a, 3)} ({name})" for name, (a, b) in pearson.items())}. Spearman's
        correlation is that without smoothing for
        {listed(f"{n} of 7 smoothings ({name})" for name, n in same.items())}; over all eight it ranges over
        {listed(f"{number(max(own) - min(own))} ({name})" for name, own in ranks.items())}."""
    )
    here = listed(f"{number(b, 3)} and {number(a, 3)} ({name})" for name, (a, b) in pearson.items())
    page.claim(
        "the average of sentence scores correlates better than BLEU of the corpus (Pearson, smoothing 7)",
        "0.766 and 0.720; 0.734 and 0.712",
        here,
        outcome(b > a for a, b in pearson.values()),
    )
    here = listed(f"{n} of 7 ({name})" for name, n in same.items())
    page.claim(
        "smoothing does not change the rank correlation of systems",
        "13 of 14",
        here,
        outcome(n >= 6 for n in same.values()),
    )


def _documents(page: Page, data: Path, rated: list[TextSet]) -> None:
    page.heading("Document level")
    page.text(
        """The paper calls its average document-level BLEU, but has one document per system. With documents (talks,
        abstracts, articles): Pearson's correlation over systems within a document, the mean over documents, with 95
        % intervals over documents."""
    )
    found = {}
    for one in rated:
        ratings = mean_ratings(data, one.name)
        numbers = {doc: [i for i, own in enumerate(one.docs) if own == doc] for doc in dict.fromkeys(one.docs)}
        table: dict[str, list[Any]] = {
            name: [] for name in ("system", "segment", "human", "corpus", *map(str, range(8)))
        }
        made = {"corpus": tri.metric("bleu(smooth=none)"), **{str(k): tri.metric(DOCUMENT[k]) for k in range(8)}}
        for system, output in one.systems.items():
            rows = {name: metric.stats(output, one.first).values for name, metric in made.items()}
            for doc, own in numbers.items():
                table["system"].append(system)
                table["segment"].append(doc)
                table["human"].append(-float(np.mean([ratings[system, i + 1] for i in own])))
                for name, metric in made.items():
                    table[name].append(float(metric.score(rows[name][own].sum(axis=0))))
        found[one.title] = (len(numbers), tri.correlate(table, statistics=["segment pearson by segment"], samples=500))
    rows = [
        [name, *(with_interval(*_found(result, name)) for _, result in found.values())]
        for name in ("corpus", *map(str, range(8)))
    ]
    page.table(["smoothing", *(f"{title}, {number_of} documents" for title, (number_of, _) in found.items())], rows)
    values = {title: [_found(result, str(k))[0] for k in range(8)] for title, (_, result) in found.items()}
    moves = listed(f"{number(max(own) - min(own))} ({title})" for title, own in values.items())
    page.text(f"Between smoothings the correlation differs by {moves}.")


def _found(result: tri.Correlation, name: str) -> tuple[float, float, float]:
    one = result[name, "segment pearson by segment"]
    return one.value, one.low, one.high


# Tables 5 to 8: tuning -----------------------------------------------------------------------------------------------


def _tuning(page: Page, data: Path) -> None:
    page.heading("Tables 5 to 8: tuning with each smoothing")
    page.text(
        """The paper tunes a decoder by expected BLEU with each smoothing as the objective, and finds the results
        alike. Here n-best lists are re-ranked: the Fisher lists (8 features), whole and in halves, with weights
        tuned on one fold and scored on the other (2-fold, repeated five times; BLEU without smoothing, std over
        repetitions, p of the difference from smoothing 0 by approximate randomisation), and Moses' five lists (14
        features), which are too few to fold: there BLEU is of the lists tuned on, over three seeds. `mira` is batch
        k-best MIRA, the paper's check. Both tuners have all candidates, by the option `first`: its default for
        `xbleu` alone is 100 candidates of each list, as in the paper, of which the Fisher lists have no more. The
        large feature sets of Tables 7 and 8 are not public."""
    )
    page.code(
        """
tri.tune(nbest, references, "xbleu", "bleu(smooth=0..7, tokenize=none)", start=weights, folds=2, repeats=5)
tri.tune(nbest, references, "mira", "bleu(smooth=4, tokenize=none)", start=weights, folds=2, repeats=5)
"""
    )
    lists, small, columns = fisher(data), moses(data), {}
    parts = {"Fisher": slice(0, 200), "Fisher, first half": slice(0, 100), "Fisher, second half": slice(100, 200)}
    candidates = scored_candidates(lists.nbest)
    how: dict[str, Any] = {"start": lists.start, "folds": 2, "repeats": 5, "trials": 2000}
    for name, part in parts.items():
        columns[name] = _tuned("2-fold", candidates[part], lists.references[part], **how)
    most = max(len(texts) for texts in small.texts)
    columns["Moses it-en"] = _tuned("Tune", small.nbest, small.references, replicate=3, first=most)
    rows = []
    for name in ("start", "mira", *map(str, range(8))):
        paper = [number(own[int(name)], 1) if name.isdigit() else "–" for own in TUNED.values()]
        rows.append([name, *paper, *(_told(own[name]) for own in columns.values())])
    page.table(["smoothing", *(f"paper: {name}" for name in TUNED), *columns], rows)
    _tuning_claims(page, columns)


def _tuned(on: str, nbest: Any, refs: Any, **how: Any) -> dict[str, Any]:
    """Scores of the start, of MIRA, and of expected BLEU with each smoothing, by its number."""
    metrics = [f"bleu(smooth={k}, tokenize=none)" for k in range(8)]
    start, *expected = tri.tune(nbest, refs, "xbleu", metrics, **how).to_dict()["methods"]
    same, mira = tri.tune(nbest, refs, "mira", metrics[4], **how).to_dict()["methods"]
    if same["scores"][on]["mean"] != start["scores"][on]["mean"]:
        raise ValueError("the tuners start from different scores, so that they do not have the same candidates")
    found = {str(k): one["scores"][on] for k, one in enumerate(expected)}
    return {"start": start["scores"][on], "mira": {**mira["scores"][on], "p": None}, **found}


def scored_candidates(path: Path) -> list[list[tuple[str, dict[str, float]]]]:
    """The candidates of n-best lists in Moses' format, with their features."""
    import gzip

    found: dict[int, list[tuple[str, dict[str, float]]]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            source, text, features, _ = line.split(" ||| ")
            words = features.split()
            values = {name.rstrip("="): float(value) for name, value in zip(words[::2], words[1::2], strict=True)}
            found.setdefault(int(source), []).append((text, values))
    return [found[i] for i in sorted(found)]


def _told(one: dict[str, Any]) -> str:
    spread = "" if one["std"] is None else f" ± {number(one['std'])}"
    return number(one["mean"]) + spread + ("" if one["p"] is None else f" (p = {one['p']:.2f})")


def _tuning_claims(page: Page, columns: dict[str, Any]) -> None:
    folded = [name for name in columns if name.startswith("Fisher")]
    dots = {f"smoothing {k}": columns["Fisher"][str(k)]["runs"] for k in range(8)}
    dots["mira"] = columns["Fisher"]["mira"]["runs"]
    page.figure(
        "tuning",
        dot_chart(dots, "Fisher: BLEU of unseen folds", "BLEU", alone=True),
        """BLEU of the Fisher lists on folds that were not tuned on, once for each of five ways to fold them; the bar
        is the mean and its standard deviation. Compare how far the bars of the smoothings are apart with how long
        they are.""",
    )
    least = {name: min(columns[name][str(k)]["p"] for k in range(1, 8)) for name in folded}
    means = {name: [columns[name][str(k)]["mean"] for k in range(8)] for name in folded}
    reached = [round(run, 9) for k in range(8) for run in columns["Moses it-en"][str(k)]["runs"]]
    page.text(
        f"""The eight smoothings lie within
        {listed(f"{number(max(own) - min(own))} BLEU ({name})" for name, own in means.items())}; in the paper within
        {span([max(x) - min(x) for x in TUNED.values()], 1)}. The least of the seven p-values against smoothing 0 is
        {listed(f"{p:.2f} ({name})" for name, p in least.items())}, not corrected for their number. On Moses' lists
        the {len(reached)} runs of expected BLEU, three for each smoothing, end at {len({*reached})} different values
        of BLEU: five sentences are too few to compare smoothings."""
    )
    here = f"least p of 7: {listed(f'{p:.2f} ({name})' for name, p in least.items())}"
    page.claim(
        "no smoothing differs significantly in tuning, small feature sets (here: from none)",
        "none",
        here,
        none_found((p < 0.05 for p in least.values()), 0),
    )
