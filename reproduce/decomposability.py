"""Decomposability of metrics (Chiang et al. 2008): correlations, straw men, gaming, choices, oracles."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import spearmanr

import tricolore as tri
from tricolore.reporting.figures import heat_map, line_chart, system_scatter

from .data import (
    ADEQUACY,
    FLUENCY,
    SOURCES,
    TextSet,
    by_kind_of_error,
    fisher,
    lines,
    mqm_sets,
    single_systems,
    unrated_sets,
)  # fmt: skip
from .page import UNBROKEN, Page, listed, number, outcome, signed, span, with_interval

PAPER = (
    "D. Chiang, S. DeNeefe. USC/ISI metric description: BLEU-SBP and 4-GRR. MetricsMATR 2008. The metrics are those of "
    "D. Chiang, S. DeNeefe, Y. S. Chan, H. T. Ng. Decomposability of translation metrics for improved evaluation and "
    "efficient algorithms. EMNLP 2008."
)
NEEDS = (
    "ted", "bio", "wmt23", "mlqe-et", "mlqe-de", "diabla", "finnish", "webnlg-en", "webnlg-ru", "fisher", "lattices",
    "forest",
)  # fmt: skip

#: Table 1 of the paper, in per cent: adequacy, fluency, rank, constituents, average.
TABLE_1 = {
    "meteor(language=german)": (70.1, 71.9, 74.5, 66.9, 70.9),
    "bleu": (68.9, 72.1, 67.2, 60.2, 67.1),
    "wer": (51.0, 54.2, 34.5, 52.4, 48.0),
    "bleu-sbp": (73.9, 76.7, 73.5, 63.4, 71.9),
    "grr": (72.3, 75.5, 74.3, 64.2, 71.6),
    "grr(alpha=-0.9, beta=1)": (None, None, None, None, 78.9),
}
TITLES = {
    "meteor(language=german)": "METEOR", "bleu": "BLEU", "wer": "WER", "bleu-sbp": "BLEU-SBP", "grr": "4-GRR",
    "grr(alpha=-0.9, beta=1)": "4-GRR, α = −0.9, β = 1",
}  # fmt: skip
REWARDING = "grr(alpha=-0.9, beta=1)"

#: The metrics whose decomposability is in question.
THREE = ("bleu", "bleu-sbp", "grr")


def make(data: Path) -> Page:
    """The page."""
    page = Page("decomposability", "Decomposability: BLEU, BLEU-SBP and 4-GRR", PAPER, NEEDS)
    rated = mqm_sets(data)
    _correlations(page, data, rated)
    _straw_men(page, rated)
    sets = [*rated, *single_systems(data), *unrated_sets(data)]
    audits = {one.name: tri.audit(one.systems, one.first, THREE, only=["decomposability"]) for one in sets}
    _gaming(page, sets, audits)
    _choices(page, [one for one in sets if len(one.systems) > 1], audits)
    _genres(page, rated)
    _oracles(page, data)
    return page


# Table 1 -------------------------------------------------------------------------------------------------------------


def _correlations(page: Page, data: Path, sets: list[TextSet]) -> None:
    page.heading("Table 1: correlation with human judgements")
    page.text(
        """The paper correlates metrics with the judgements of WMT07 (adequacy, fluency, rank, constituents). Here
        are three sets with MQM ratings, one reference, at system level: Spearman's correlation, with 95 % intervals
        (over segments, corrected for their noise; 500 resamples). Adequacy and fluency are the MQM errors of the TED
        talks by kind: Accuracy, and Fluency with Style."""
    )
    page.code(
        'tri.correlate(systems, references, human=ratings, metrics=["bleu", "bleu-sbp", "4-grr"], test="permutation")'
    )
    how: dict[str, Any] = {"statistics": ["system spearman", "system pearson"], "samples": 500, "test": "permutation"}
    found = {one.title: one.correlate([*TABLE_1], **how) for one in sets}
    for name, weights in (("TED, adequacy", ADEQUACY), ("TED, fluency", FLUENCY)):
        found[name] = sets[0].correlate([*TABLE_1], **how, **by_kind_of_error(data, weights))
    rows = []
    for metric, paper in TABLE_1.items():
        cells = [found[name][metric, "system spearman"] for name in found]
        shown = [number(x / 100, 3) if x is not None else "–" for x in (paper[0], paper[1], paper[4])]
        rows.append([TITLES[metric], *shown, *(with_interval(x.value, x.low, x.high) for x in cells)])
    page.table(["metric", "paper: adequacy", "fluency", "average", *found], rows)
    pearson = [[number(found[name][metric, "system pearson"].value) for name in found] for metric in TABLE_1]
    page.text("The same by Pearson's correlation:")
    page.table(["metric", *found], [[TITLES[m], *row] for m, row in zip(TABLE_1, pearson, strict=True)])
    differences, p_values = _differences(page, found)
    significant = sum(p < 0.05 for p in p_values)
    page.text(
        f"""BLEU-SBP and 4-GRR against BLEU, by Spearman's correlation (two-sided p-value of the permutation test that
        swaps systems, not corrected): {"; ".join(differences)}. {significant} of these {len(p_values)} differences
        {"is" if significant == 1 else "are"} significant at 0.05: an advantage of 4 to 5 points, as in the paper, is
        within what 8 to 13 systems leave open, as the width of the intervals says. WER, far below BLEU in the paper,
        is below it on {_count(found, sets, "wer")} of the three sets. Rank and constituents, the paper's two other
        columns, were not judged here."""
    )


def _count(found: Any, sets: list[TextSet], metric: str) -> int:
    """On how many of the rated sets a metric agrees less than BLEU."""
    key = "system spearman"
    return sum(found[one.title][metric, key].value < found[one.title]["bleu", key].value for one in sets)


def _differences(page: Page, found: Any) -> tuple[list[str], list[float]]:
    """What BLEU-SBP and 4-GRR gain over BLEU on each set, with p-values; the claims about them."""
    sets = [*found][:3]
    texts, p_values = [], []
    for metric, paper in (("bleu-sbp", "71.9 and 67.1"), ("grr", "71.6 and 67.1")):
        gains, shown = [], []
        for name in sets:
            test = found[name].comparisons[0].difference(metric, "bleu")
            gains.append(found[name][metric, "system spearman"].value - found[name]["bleu", "system spearman"].value)
            p_values.append(test.p)
            shown.append(f"{signed(gains[-1], 2)} ({name}, p = {test.p:.2f})")
        texts.append(f"{TITLES[metric]} {listed(shown)}")
        here = listed(f"{signed(gain, 2)} ({name})" for gain, name in zip(gains, sets, strict=True))
        says = f"{TITLES[metric]} correlates better than BLEU (Spearman)"
        page.claim(says, paper, here, outcome(gain > 0 for gain in gains))
    gains = [found[n][REWARDING, "system spearman"].value - found[n]["grr", "system spearman"].value for n in sets]
    here = listed(f"{signed(gain, 2)} ({name})" for gain, name in zip(gains, sets, strict=True))
    says = "4-GRR that rewards every inserted word (α = −0.9, β = 1) correlates better than 4-GRR"
    page.claim(says, "78.9 and 71.6", here, outcome(gain > 0 for gain in gains))
    return texts, p_values


# Straw men -----------------------------------------------------------------------------------------------------------


def _straw_men(page: Page, sets: list[TextSet]) -> None:
    page.heading("With straw men")
    page.text(
        f"""In the paper 4-GRR correlates better if it rewards every inserted word: {TABLE_1[REWARDING][4]} instead of
        {TABLE_1["grr"][4]}. The authors assume that this is because there are not enough data points (systems) in
        the sample. As a general remark they add that it may be beneficial to include a few straw-man systems, with
        very short or very long translations. They do not try it. The test here is ours. It adds three straw men: the
        first quarter of an output, three outputs one after the other, and shuffled words, each with the lowest
        rating."""
    )
    page.code('tri.correlate(..., straw_men=["short", "long", "shuffled"])')
    rows, values, columns, fooled = [], {name: [] for name in TABLE_1}, [], {name: set() for name in TABLE_1}
    for one in sets:
        found = one.correlate([*TABLE_1], statistics=["system spearman"], intervals=False, straw_men=())
        columns += [one.title, f"{one.title}, straw men"]
        for plain, straw in zip(found.agreements, found.with_straw_men, strict=True):
            values[plain.metric] += [plain.value, straw.value]
        for straw in found.straw_men:
            if straw.beaten:
                kind = straw.system.removeprefix("straw-")
                fooled[straw.metric].add(f"{kind} on {one.title} ({straw.beaten} of {straw.systems})")
    for name, own in values.items():
        pairs = [f"{number(a)}{UNBROKEN}→{UNBROKEN}{number(b)}" for a, b in zip(own[::2], own[1::2], strict=True)]
        rows.append([TITLES[name], *pairs, listed(sorted(fooled[name]), "–")])
    page.table(["metric", *(one.title for one in sets), "straw men that beat real systems (how many)"], rows)
    names, cells = [TITLES[name] for name in TABLE_1], [values[name] for name in TABLE_1]
    page.figure(
        "straw-men",
        heat_map(names, columns, cells, "Spearman's correlation", span=(-1.0, 1.0), alone=True),
        """Spearman's correlation with the ratings of systems, without and with straw men; darker is better. Compare
        the two columns of each set, above all in the last row, the variant that rewards insertions.""",
    )
    pays = [[own > plain for own, plain in zip(values[REWARDING], values["grr"], strict=True)][k::2] for k in (0, 1)]
    both = [[number(values[name][2 * k + 1]) for name in (REWARDING, "grr")] for k in range(len(sets))]
    here = listed(f"{a} against {b} ({one.title})" for (a, b), one in zip(both, sets, strict=True))
    says = "with straw men, 4-GRR that rewards every inserted word correlates worse than 4-GRR (our test)"
    page.claim(says, "–", here, outcome(not one for one in pays[1]))
    names = [TITLES[name] for name in TABLE_1 if fooled[name]]
    page.text(
        f"""Without straw men, 4-GRR that rewards insertions correlates better than 4-GRR on {sum(pays[0])} of
        {len(sets)} sets; with them on {sum(pays[1])}. Metrics that rank a straw man above some real system of a set:
        {listed(names)}."""
    )


# Gaming --------------------------------------------------------------------------------------------------------------


def _sacrifices(audit: tri.Audit, metric: str) -> list[Any]:
    return [one for one in audit["decomposability"].sacrifices if one.metric == metric]


def _gaming(page: Page, sets: list[TextSet], audits: dict[str, tri.Audit]) -> None:
    page.heading("Gaming: blank the worst outputs")
    page.text(
        """BLEU's brevity penalty is one for the whole corpus, so a long output elsewhere pays for an empty one: Chiang,
        DeNeefe, Chan and Ng (EMNLP 2008) gained a point by emptying the worst 7 % of the outputs of a system. Here the
        7 % of a system's outputs that the metric scores lowest are emptied, without any search; and a greedy search
        makes single segments worse (empties, truncates, pads, or takes another system's worse output), as long as the
        corpus score rises. Changes of the score in points: the range over the systems of each set, with one
        reference."""
    )
    page.code('tri.audit(systems, references, ["bleu", "bleu-sbp", "4-grr"], only=["decomposability"])')
    rows: list[list[str]] = []
    ratios: list[float] = []
    gains: list[float] = []
    for one in sets:
        scores = tri.score(one.systems, one.first, "bleu")
        lengths = [scores[name, "bleu"].ratio for name in one.systems]
        own = {metric: _sacrifices(audits[one.name], metric) for metric in THREE}
        emptied = {metric: [x.emptied_gain for x in own[metric]] for metric in THREE}
        ratios += lengths
        gains += emptied["bleu"]
        row = [one.title, str(len(one.systems)), f"{len(one.first):,}", span(lengths, 2)]
        row += [span(emptied[metric], 1, signed) for metric in THREE]
        rows.append([*row, *(span([x.gain for x in own[metric]], 1, signed) for metric in THREE)])
    header = ["set", "systems", "segments", "length / reference", "BLEU", "BLEU-SBP", "4-GRR"]
    page.table([*header, "BLEU, search", "BLEU-SBP, search", "4-GRR, search"], rows)
    _gaming_figures(page, sets, audits, ratios, gains)
    _gaming_claims(page, sets, audits)


def _gaming_figures(page: Page, sets: list[TextSet], audits: Any, ratios: list[float], gains: list[float]) -> None:
    best = max(_sacrifices(audits["ted"], "bleu"), key=lambda one: one.emptied_gain).system
    series = {}
    for metric in THREE:
        own = next(one for one in _sacrifices(audits["ted"], metric) if one.system == best)
        series[TITLES[metric]] = [(100 * share, score - own.score) for share, score in own.curve if share <= 0.3]
    tops = [f"{name} to {signed(max(y for _, y in own))}" for name, own in series.items()]
    titles = "worst outputs emptied, %", "change of the score, points"
    page.figure(
        "blanked",
        line_chart(series, titles, f"Outputs of {best} emptied", alone=True),
        f"""TED talks, {best}, the system that gains most: the change of the score if more and more of its worst
        outputs are emptied. See how far each metric rises before it falls: {listed(tops)}.""",
    )
    rho = spearmanr(np.round(ratios, 9), np.round(gains, 9)).statistic
    page.figure(
        "length",
        system_scatter(ratios, gains, [""] * len(gains), ("length / reference", "change of BLEU, points"), alone=True),
        f"""Each dot is one of the {len(gains)} systems of all sets: the length of its outputs beside the reference,
        and what BLEU gains if the worst 7 % are emptied. Dots rise to the right (Spearman's correlation
        {number(rho)}): words to spare pay for empty outputs.""",
    )
    long, short = ([g for r, g in zip(ratios, gains, strict=True) if (r > 1) is above] for above in (True, False))
    page.text(
        f"""Of the {len(long)} systems that are longer than their reference, {sum(g > 0 for g in long)} gain by it; of
        the {len(short)} that are not, {sum(g > 0 for g in short)}."""
    )


def _gaming_claims(page: Page, sets: list[TextSet], audits: dict[str, tri.Audit]) -> None:
    def most(metric: str, what: str) -> list[float]:
        return [max(getattr(x, what) for x in _sacrifices(audits[one.name], metric)) for one in sets]

    def shown(values: list[float]) -> str:
        first = sets[int(np.argmax(values))].title
        return f"the most of each of {len(sets)} sets: {span(values, 1, signed)} (highest: {first})"

    emptied = {metric: most(metric, "emptied_gain") for metric in THREE}
    searched = {metric: most(metric, "gain") for metric in THREE}
    a_point = [x >= 1 for x in emptied["bleu"]]
    says = "BLEU rises by a point if the worst 7 % of a system's outputs are blanked"
    page.claim(says, "+1 point (EMNLP 2008)", shown(emptied["bleu"]), outcome(a_point))
    for metric in THREE[1:]:
        falls = [float(f"{x:.1f}") <= 0 for x in emptied[metric]]
        page.claim(f"{TITLES[metric]} does not rise if they are blanked", "–", shown(emptied[metric]), outcome(falls))
    here = f"a search gains {span(searched['grr'], 2, signed)}; by BLEU {span(searched['bleu'], 2, signed)}"
    page.claim("no segment is worth sacrificing by 4-GRR", "–", here, outcome(x <= 0 for x in searched["grr"]))
    there = [k for k, holds in enumerate(a_point) if holds]
    beside = listed(f"{signed(emptied[m][k])} by {TITLES[m]}" for k in there for m in THREE[1:])
    above = [one.title for one, a, b in zip(sets, searched["bleu-sbp"], searched["bleu"], strict=True) if a > b]
    page.text(
        f"""That BLEU rises by a point comes out on {listed((sets[k].title for k in there), "no set")}, where the
        most that a system gains is {beside or "–"}. BLEU-SBP reduces nondecomposability but does not remove it, as
        its authors say: its precisions are still pooled, and a search gains more by it than by BLEU on
        {listed(above, "no set")}. By 4-GRR a search gains {span(searched["grr"], 2, signed)}. Where 4-GRR rises
        without a search, some outputs had scores below zero, which an empty one does not get: to 4-GRR these became
        better, and it is no sacrifice."""
    )


# Choices -------------------------------------------------------------------------------------------------------------


def _choices(page: Page, sets: list[TextSet], audits: dict[str, tri.Audit]) -> None:
    page.heading("Sentence by sentence: choosing between two systems")
    page.text(
        """If a metric is decomposable, the better output of every segment makes the best corpus. The gap is what a
        search over corpus scores finds beyond that, for the pairs of the six best systems: the mean over pairs, and
        the most. Reversals: test sets of 2 to all segments on which one system is no worse on any segment, and the
        other has the better corpus score."""
    )
    rows, turned = [], dict.fromkeys(THREE, 0)
    gaps = {metric: [] for metric in THREE}
    for one in sets:
        row = [one.title]
        for metric in THREE:
            own = [x.gap for x in audits[one.name]["decomposability"].choices if x.metric == metric]
            gaps[metric] += own
            row.append(f"{number(float(np.mean(own)))} / {number(max(own))}")
        for metric in THREE:
            found = next(x for x in audits[one.name]["decomposability"].reversals if x.metric == metric)
            turned[metric] += found.reversed
            row.append(f"{found.reversed:,} of {found.tried:,}")
        rows.append(row)
    names = [TITLES[metric] for metric in THREE]
    page.table(["set", *(f"{name}, gap" for name in names), *(f"{name}, reversals" for name in names)], rows)
    means = {metric: float(np.mean(gaps[metric])) for metric in THREE}
    page.text(
        f"""On average the gap is {listed(f"{number(means[m])} points by {TITLES[m]}" for m in THREE)}. With one
        reference, 4-GRR is a mean of segment scores whose weights, the n-grams of the references, do not depend on the
        system. Reversals in all: {listed(f"{turned[m]:,} ({TITLES[m]})" for m in THREE)}."""
    )
    here = f"largest gap: {listed(f'{number(max(gaps[m]))} ({TITLES[m]})' for m in THREE)}"
    says = "the better output of each sentence makes the best corpus by 4-GRR, not by BLEU"
    page.claim(says, "–", here, outcome([max(gaps["grr"]) < 1e-9 < max(gaps["bleu"])]))


def _genres(page: Page, sets: list[TextSet]) -> None:
    page.heading("Genre by genre")
    page.text(
        """A test set of two genres, each translated by a system of its own. If a metric is decomposable, which of
        two systems is better for the first genre does not depend on who translates the second. Here two rated sets
        are put together; every system of one is combined with every system of the other. The number of pairs of
        systems whose order changes with the partner, and whether the best combination is that of the two winners."""
    )
    rows, changed = [], {metric: [] for metric in THREE}
    for first, second in combinations(sets, 2):
        row = [f"{first.title} + {second.title}"]
        for metric in THREE:
            made = tri.metric(metric)
            sums = [_summed(made, one) for one in (first, second)]
            together = made.score(sums[0][:, None] + sums[1][None])
            alone = [made.score(own) for own in sums]
            moved, pairs = _order_changes(together)
            changed[metric].append(moved)
            best = np.unravel_index(int(together.argmax()), together.shape) == tuple(int(x.argmax()) for x in alone)
            row += [f"{moved} of {pairs}", "yes" if bool(np.all(best)) else "no"]
        rows.append(row)
    page.table(["test set", *(x for m in THREE for x in (f"{TITLES[m]}: orders that change", "winners best"))], rows)
    here = listed(f"{sum(changed[m])} ({TITLES[m]})" for m in THREE)
    says = "the order of systems on one genre depends on the other genre by BLEU, not by 4-GRR"
    page.claim(says, "–", f"pairs that change: {here}", outcome([sum(changed["grr"]) == 0 < sum(changed["bleu"])]))
    page.text(f"Pairs whose order changes, over the three test sets: {here}.")


def _summed(metric: tri.Metric, one: TextSet) -> np.ndarray:
    """The statistics of each system, summed over segments."""
    return np.stack([metric.stats(output, one.first).sum().values for output in one.systems.values()])


def _order_changes(together: np.ndarray) -> tuple[int, int]:
    """Pairs of rows, and of columns, whose order is not the same throughout; and the number of pairs."""
    moved = pairs = 0
    for table in (together, together.T):
        for i, j in combinations(range(len(table)), 2):
            signs = np.sign(np.round(table[i] - table[j], 12))
            moved += int(signs.min() < 0 < signs.max())
            pairs += 1
    return moved, pairs


# Oracles -------------------------------------------------------------------------------------------------------------


def _oracles(page: Page, data: Path) -> None:
    page.heading("Oracles of lattices and forests")
    page.text(
        """4-GRR and WRR decompose below the sentence: the reference becomes an automaton, and the best path of a
        lattice or forest is found exactly. For BLEU there is only a search (candidates in rounds). The scores of
        what is chosen, in points:"""
    )
    page.code('tri.oracle(tri.read_graphs("wordgraphs.txt.gz"), references, "4-grr(tokenize=none)")')
    folders = {name: data / SOURCES[name].folder for name in ("fisher", "lattices", "forest")}
    words = [*tri.read_graphs(str(folders["fisher"] / "wordgraphs.txt.gz"))]
    spoken = [*tri.read_graphs(str(folders["lattices"] / "lattices.plf.gz"))]
    forest = [*tri.read_graphs(str(folders["forest"] / "zh-en.0.json.gz"))]
    meant = [lines(folders["forest"] / f"zh-en.0.ref{i}.txt")[0] for i in range(4)]
    heard = lines(folders["lattices"] / "lattice_oracle.txt")
    sets = {
        "Fisher word graphs, es-en, 4 references": (words, [*fisher(data).references][: len(words)]),
        "forest of cdec, zh-en, 4 references": (forest, [meant]),
        "Fisher lattices, Spanish, the authors' oracle as reference": (spoken, heard),
    }
    rows, better, own = [], [], []
    for name, (graphs, refs) in sets.items():
        chosen = {"best path": [one.best().text for one in graphs] if all(one.has_scores for one in graphs) else None}
        for metric, title in (("wrr", "oracle by WRR"), ("grr", "oracle by 4-GRR"), ("bleu", "search by BLEU")):
            chosen[title] = tri.oracle(graphs, refs, f"{metric}(tokenize=none)").texts
        scored = {}
        for title, texts in chosen.items():
            if texts is not None:
                scored[title] = [tri.metric(f"{m}(tokenize=none)")(texts, refs).points for m in ("bleu", "grr", "wrr")]
                rows.append([name, f"{len(graphs):,}", title, *(number(x, 1) for x in scored[title])])
        better.append((scored["oracle by 4-GRR"][0], scored["oracle by WRR"][0]))
        own.append(
            all(
                scored[f"oracle by {m}"][k] >= max(x[k] for x in scored.values()) for m, k in (("4-GRR", 1), ("WRR", 2))
            )
        )
    page.table(["graphs", "number", "chosen", "BLEU", "4-GRR", "WRR"], rows, left=3)
    holds = [a > b + 1e-9 for a, b in better]
    page.text(
        f"""4-GRR's oracle has the higher BLEU of the two exact ones on {sum(holds)} of {len(holds)} sets, and the same
        on {sum(abs(a - b) <= 1e-9 for a, b in better)}. Each exact oracle has the highest score of all rows by its
        own metric on {sum(own)} of {len(own)}, as it must where weights of segments do not depend on what is chosen.
        The forest is one short sentence, which the references have word for word; it has no scores, and so no best
        path."""
    )
    here = listed(f"{number(a, 1)} and {number(b, 1)}" for a, b in better)
    page.claim("4-GRR gives better oracles for n-gram metrics than WRR: BLEU of both", "–", here, outcome(holds))
