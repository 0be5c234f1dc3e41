"""ORANGE (Lin & Och 2004): correlations by order, ORANGE of 34 metrics, the curve over N, error analysis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import spearmanr

import tricolore as tri
from tricolore.judge.orange.options import PAPER as METRICS
from tricolore.reporting.figures import line_chart

from .data import ADEQUACY, FLUENCY, by_kind_of_error, finnish_set, fisher, mean_ratings, moses, mqm_set
from .page import Page, listed, none_found, number, outcome, span, with_interval

PAPER = (
    "C.-Y. Lin, F. J. Och. ORANGE: a method for evaluating automatic evaluation metrics for machine translation. "
    "COLING 2004."
)
NEEDS = ("ted", "bio", "finnish", "fisher", "moses")

#: Table 1: Pearson's correlation with adequacy and fluency, 8 systems.
TABLE_1 = {
    "bleu(order=1)": ("BLEU1", 0.86, 0.81), "bleu": ("BLEU4", 0.77, 0.86), "bleu(order=12)": ("BLEU12", 0.66, 0.87),
    "nist": ("NIST", 0.89, 0.81), "wer": ("WER", 0.47, 0.69), "per": ("PER", 0.67, 0.79),
    "gtm": ("GTM10", 0.82, 0.73), "gtm(e=2)": ("GTM20", 0.77, 0.86), "gtm(e=3)": ("GTM30", 0.74, 0.87),
}  # fmt: skip

#: Table 3: the same for BLEUS1 to 9.
TABLE_3 = {
    "adequacy": (0.87, 0.84, 0.80, 0.76, 0.73, 0.70, 0.65, 0.58, 0.50),
    "fluency": (0.83, 0.85, 0.87, 0.88, 0.88, 0.87, 0.85, 0.82, 0.76),
}

#: Tables 2, 4, 5 and 6: ORANGE in per cent, in the order of the metrics.
TABLES_2_TO_6 = (
    35.39, 25.51, 23.74, 23.13, 23.13, 22.91, 22.98, 23.20, 23.56,
    29.70, 36.84, 23.90,
    20.56, 20.45, 20.47, 20.69, 20.91, 21.17, 21.47, 21.72, 21.88, 22.04, 22.25,
    25.15, 22.44, 20.38, 19.81, 19.66, 19.95, 20.32, 20.77, 21.42, 21.92, 27.43,
)  # fmt: skip

#: The metrics of Table 6, and those of Table 7 and Figure 1.
SUMMARY = ("BLEUS6", "NIST", "PER", "WER", "ROUGE-L", "ROUGE-W-1.1", "ROUGE-S4")
TABLE_7 = {"BLEUS4": 18.27, "PER": 28.95, "WER": 19.36, "ROUGE-L": 16.22, "ROUGE-W-1.2": 15.87, "ROUGE-S4": 14.92}


#: The references of the biomedical set, as they are named in the ratings.
REFERENCES = ("reference", "reference_r1")

#: Pairs of metrics of which the paper calls the first significantly better; and equivalent ones.
BETTER = (
    *(("ROUGE-S4", worse) for worse in ("BLEUS6", "WER", "NIST", "PER")),
    *(("BLEUS6", worse) for worse in ("BLEUS1", "BLEUS2")),
)
EQUIVALENT = (("ROUGE-S4", "ROUGE-L"), ("ROUGE-S4", "ROUGE-W-1.1"))


@dataclass(frozen=True, eq=False)
class Candidates:
    """Lists of candidates and how their texts are to be read."""

    title: str
    texts: Sequence[Sequence[str]]
    references: Sequence[Sequence[str]]
    tokenised: bool = True

    def metrics(self) -> list[str]:
        """The 34 metrics; text that is tokenised is left as it is."""
        if not self.tokenised:
            return [*METRICS]
        return [f"{one[:-1]}, tokenize=none)" if one.endswith(")") else f"{one}(tokenize=none)" for one in METRICS]

    def orange(self, **how: Any) -> tri.Orange:
        """ORANGE of all metrics, with paired tests."""
        return tri.orange(self.texts, self.references, self.metrics(), test=True, **how)


def make(data: Path) -> Page:
    """The page."""
    page = Page("orange", "ORANGE: judging metrics by the rank of references", PAPER, NEEDS)
    _by_order(page, data)
    lists = _lists(data)
    found = {one.title: one.orange(curve=one.title == "Fisher") for one in lists}
    _summary(page, found)
    _all_metrics(page, found)
    _fair(page, lists)
    _curve(page, lists[0], found["Fisher"])
    _errors(page, lists[0])
    _as_good(page, data)
    return page


def _lists(data: Path) -> list[Candidates]:
    """All n-best lists; and the outputs of several systems, taken as lists."""
    spoken, regression = fisher(data), moses(data)
    finnish, bio = finnish_set(data), mqm_set(data, "bio")
    halves = [
        Candidates(f"Fisher, {name}", spoken.texts[part], spoken.references[part])
        for name, part in (("first half", slice(0, 100)), ("second half", slice(100, 200)))
    ]
    outputs = [
        Candidates(title, [*zip(*one.systems.values(), strict=True)], one.references, tokenised=False)
        for title, one in (("WMT16 en-fi, 6 systems", finnish), ("biomedical, 8 systems", bio))
    ]
    whole = Candidates("Fisher", spoken.texts, spoken.references)
    return [whole, *halves, Candidates("Moses it-en", regression.texts, regression.references), *outputs]


# Tables 1 and 3 ------------------------------------------------------------------------------------------------------


def _by_order(page: Page, data: Path) -> None:
    page.heading("Tables 1 and 3: correlation with adequacy and fluency, by order")
    page.text(
        """The paper begins with why correlations with judgements do not settle which metric is best: adequacy and
        fluency give different answers, and systems are few. It has 8 systems of NIST 2003; here are 13 of the TED
        talks, whose MQM errors have kinds: adequacy is Accuracy, fluency is Fluency and Style. Pearson's correlation
        at system level with 95 % intervals (over segments, corrected for their noise; 500 resamples)."""
    )
    page.code(
        """
adequacy = {"human_form": "mqm", "mqm_weights": "any:fluency=0, any:style=0, any:terminology=0, any:other=0"}
metrics = ["bleu(order=1|4|12)", "nist", "wer", "per", "gtm(e=1|2|3)", "bleus(order=1..9)"]
tri.correlate(systems, references, human="ratings.tsv.gz", metrics=metrics, **adequacy)
"""
    )
    ted, metrics = mqm_set(data, "ted"), [*TABLE_1, "bleus(order=1..9)"]
    kinds = {"adequacy": ADEQUACY, "fluency": FLUENCY}
    found = {
        kind: ted.correlate(metrics, statistics=["system pearson"], samples=500, **by_kind_of_error(data, weights))
        for kind, weights in kinds.items()
    }
    own = {kind: {one.metric: one for one in found[kind].agreements} for kind in kinds}
    rows = []
    for metric, (title, *paper) in TABLE_1.items():
        cells = [own[kind][metric] for kind in kinds]
        rows.append([title, *map(number, paper), *(with_interval(x.value, x.low, x.high) for x in cells)])
    page.table(["metric", "paper: adequacy", "fluency", "TED: adequacy", "fluency"], rows)
    _bleus(page, own)
    bleu, gtm = ("bleu(order=1)", "bleu", "bleu(order=12)"), ("gtm", "gtm(e=2)", "gtm(e=3)")
    for family, names in (("BLEU of longer orders", bleu), ("GTM with larger exponents", gtm)):
        for k, kind, sign, word in ((1, "adequacy", -1, "worse"), (2, "fluency", 1, "better")):
            values = [own[kind][name].value for name in names]
            paper = [TABLE_1[name][k] for name in names]
            holds = all(sign * (b - a) > 0 for a, b in pairwise(values))
            says = f"{family} correlates {word} with {kind}"
            page.claim(says, ", ".join(map(number, paper)), ", ".join(map(number, values)), outcome([holds]))


def _bleus(page: Page, own: Any) -> None:
    names = ["bleus" if n == 4 else f"bleus(order={n})" for n in range(1, 10)]
    series, spreads, best, moves = {}, {}, {}, {}
    for kind, paper in TABLE_3.items():
        found = [own[kind][name] for name in names]
        values = [one.value for one in found]
        series[f"{kind}, TED"] = [*enumerate(values, 1)]
        spreads[f"{kind}, TED"] = [(one.low, one.high) for one in found]
        series[f"{kind}, paper"] = [*enumerate(paper, 1)]
        best[kind] = 1 + int(np.argmax(values))
        moves[kind] = max(values) - min(values)
    cells = [[number(y) for _, y in series[f"{kind}, {whose}"]] for whose in ("paper", "TED") for kind in TABLE_3]
    rows = [[f"BLEUS{n}", *row] for n, row in enumerate(zip(*cells, strict=True), 1)]
    page.text("BLEUS1 to 9 (Table 3):")
    page.table(["metric", "paper: adequacy", "fluency", "TED: adequacy", "fluency"], rows)
    dashed = {"follows": [f"{kind}, paper" for kind in TABLE_3], "intervals": spreads}
    page.figure(
        "orders",
        line_chart(series, ("order of BLEUS", "Pearson"), "BLEUS by order", **dashed, alone=True),
        """Correlation of BLEUS1 to 9 with adequacy and fluency: the paper's (dashed), and that of the TED talks with
        95 % intervals. In the paper one line falls and the other has its top in the middle; compare the width of the
        intervals with how far the lines of the TED talks move.""",
    )
    widths = [high - low for own in spreads.values() for low, high in own]
    page.text(
        f"""Highest by adequacy: BLEUS{best["adequacy"]} (paper: BLEUS1); by fluency: BLEUS{best["fluency"]} (paper:
        BLEUS4 and 5). Between the orders adequacy moves by {number(moves["adequacy"])}, fluency by
        {number(moves["fluency"])}; {sum(w > max(moves.values()) for w in widths)} of the {len(widths)} intervals are
        wider than either. On 13 systems the dependence on the order cannot be told from noise, which is the paper's
        own point: such correlations do not settle which metric is best."""
    )
    here = f"BLEUS{best['adequacy']}"
    page.claim("BLEUS1 has the best correlation with adequacy", "BLEUS1", here, outcome([best["adequacy"] == 1]))
    here = f"BLEUS{best['fluency']}"
    says = "BLEUS4 and 5 have the best correlation with fluency"
    page.claim(says, "BLEUS4, BLEUS5", here, outcome([best["fluency"] in (4, 5)]))


# Tables 2, 4, 5 and 6 ------------------------------------------------------------------------------------------------


def _summary(page: Page, found: dict[str, tri.Orange]) -> None:
    page.heading("Table 6: seven metrics")
    page.text(
        """ORANGE is the mean rank that references have among the candidates of an n-best list, divided by the length
        of the list plus one: lower is better. The paper has 872 lists of 1,024 candidates. The lists here: Fisher,
        200 sources with 10 to 100 candidates, whole and in halves; Moses' regression test, five sources with 1,400
        candidates; and the outputs of several systems, taken as short lists, for two sets with two references.
        ORANGE in per cent with 95 % intervals of 1,000 resamples:"""
    )
    page.code('tri.orange(nbest, references, ["bleus(order=1..9)", "nist", ...], test=True)')
    rows, by_title = [], {name: {one.metric.title: one for one in result} for name, result in found.items()}
    paper = dict(zip(by_title["Fisher"], TABLES_2_TO_6, strict=True))
    for title in SUMMARY:
        cells = [by_title[name][title] for name in found]
        shown = [with_interval(100 * x.orange, *(100 * y for y in x.orange_interval), 1) for x in cells]
        rows.append([title, number(paper[title]), *shown])
    page.table(["metric", "paper", *found], rows)
    values = {name: [by_title[name][title].orange for title in SUMMARY] for name in found}
    best = {name: SUMMARY[int(np.argmin(own))] for name, own in values.items()}
    worst = {name: SUMMARY[int(np.argmax(own))] for name, own in values.items()}
    rho = {name: spearmanr([paper[t] for t in SUMMARY], np.round(own, 9)).statistic for name, own in values.items()}
    page.text(
        f"""Best of the seven: {_by_set(best)}. Worst: {_by_set(worst)}. Spearman's correlation of the order of the
        seven with the paper's: {_by_set({name: number(x) for name, x in rho.items()})}. In the table of claims the
        Fisher set counts once, without its halves."""
    )
    best, worst = _once(best), _once(worst)
    says = "ROUGE-S4 is the best of the seven metrics"
    page.claim(says, "19.66 %", _by_set(best), outcome(x == "ROUGE-S4" for x in best.values()))
    page.claim("PER is the worst of the seven", "36.84 %", _by_set(worst), outcome(x == "PER" for x in worst.values()))
    for better, worse in BETTER:
        states = _once({name: significant(result, better, worse) for name, result in found.items()})
        says, figures = f"{better} is significantly better than {worse}", f"{paper[better]} and {paper[worse]} %"
        page.claim(says, figures, _by_set(states), outcome(x == "yes" for x in states.values()))
    silent = [name for name, result in found.items() if all(x.p_adjusted >= 0.05 for x in result.pairs)]
    for one, other in EQUIVALENT:
        states = _once({name: significant(result, one, other) for name, result in found.items()})
        says, figures = f"{one} and {other} are statistically equivalent", f"{paper[one]} and {paper[other]} %"
        page.claim(
            says,
            figures,
            _by_set(states),
            none_found((x != "no difference" for x in states.values()), len(_once(dict.fromkeys(silent)))),
        )
    page.text(
        f"""In the table of claims, “no difference” means that the paired test with Holm's correction finds none, not
        that two metrics are equally good: it finds none between any two of the 34 metrics on these lists:
        {"; ".join(silent)}."""
    )


def _by_set(values: dict[str, str]) -> str:
    """What was found on each set, in a row."""
    return listed(f"{value} ({name})" for name, value in values.items())


def _once(values: dict[str, Any]) -> dict[str, Any]:
    """The same without halves of sets."""
    return {name: value for name, value in values.items() if not name.endswith("half")}


def significant(result: tri.Orange, better: str, worse: str) -> str:
    """Whether a metric is better than another by the paired test with Holm's correction for all pairs."""
    titles = [one.metric.title for one in result]
    pair = next(x for x in result.pairs if {titles[x.better], titles[x.worse]} == {better, worse})
    if pair.p_adjusted >= 0.05:
        return "no difference"
    return "yes" if titles[pair.better] == better else "the opposite"


def _all_metrics(page: Page, found: dict[str, tri.Orange]) -> None:
    page.heading("Tables 2, 4 and 5: all 34 metrics")
    page.text(
        """ORANGE in per cent. `*` marks the best of a column, `−` those that are significantly worse than it, by a
        paired test with Holm's correction for all 561 pairs of metrics."""
    )
    marks = {"best": " \\*", "worse": " −"}
    rows = []
    for paper, *cells in zip(TABLES_2_TO_6, *found.values(), strict=True):
        shown = [number(100 * x.orange) + marks.get(x.verdict, "") for x in cells]
        rows.append([cells[0].metric.title.replace("*", "\\*"), number(paper), *shown])
    page.table(["metric", "paper", *found], rows)
    pairs = {name: {(x.better, x.worse) for x in result.pairs if x.p_adjusted < 0.05} for name, result in found.items()}
    halves = [*found][1:3]
    both = pairs[halves[0]] & pairs[halves[1]]
    values = {name: np.round([x.orange for x in result], 9) for name, result in found.items()}
    transfer = spearmanr(values[halves[0]], values[halves[1]]).statistic
    rho = {name: number(spearmanr(TABLES_2_TO_6, own).statistic) for name, own in values.items()}
    page.text(
        f"""Significant differences of 561: {_by_set({name: str(len(own)) for name, own in pairs.items()})}.
        {len(both)} of them are significant in both halves of the Fisher set, whose orders of the 34 metrics have a
        Spearman correlation of {number(transfer)} with each other. Spearman's correlation with the paper's order:
        {_by_set(rho)}. The paper compares intervals of 872 lists without a correction for many comparisons; its
        order of metrics is no law for other lists."""
    )
    says = "the order of the 34 metrics is that of the paper: Spearman's correlation above 0.5"
    page.claim(says, "1", _by_set(_once(rho)), outcome(float(x.replace("−", "-")) > 0.5 for x in _once(rho).values()))


def _fair(page: Page, lists: Sequence[Candidates]) -> None:
    page.heading("As many references for candidates as for references")
    page.text(
        """A reference is scored against the others, so against one fewer than candidates are. Most metrics grow with
        the number of references, and with two of them the difference is large. `candidates="jackknife"` scores
        candidates against every subset without one reference, too:"""
    )
    found = {one.title: one.orange(candidates="jackknife") for one in lists}
    by_title = {name: {one.metric.title: one for one in result} for name, result in found.items()}
    rows = [[title, *(number(100 * by_title[name][title].orange) for name in found)] for title in SUMMARY]
    page.table(["metric", *found], rows)
    best = {name: min(SUMMARY, key=lambda title: by_title[name][title].orange) for name in found}
    page.text(f"Best of the seven: {listed(f'{metric} ({name})' for name, metric in best.items())}.")


# Table 7 and Figure 1 ------------------------------------------------------------------------------------------------


def _curve(page: Page, lists: Candidates, found: tri.Orange) -> None:
    page.heading("Table 7 and Figure 1: longer lists")
    page.text(
        """The paper repeats the comparison with 16,384 candidates for 474 sources. Here the Fisher lists are cut
        after 1 to 100 candidates. 95 % intervals of 1,000 resamples of the sources."""
    )
    curves = {one.metric.title: one.curve for one in found if one.metric.title in TABLE_7}
    points = (10, 25, 50, 100)
    at = {title: {int(n): 100 * float(x) for n, x in zip(c.n, c.orange, strict=True)} for title, c in curves.items()}
    metrics = [one.metric for one in found if one.metric.title in TABLE_7]
    cut = {n: _ends(lists, metrics, n) for n in points}
    rows = [[title, number(TABLE_7[title]), *(with_interval(at[title][n], *cut[n][title]) for n in points)]
            for title in TABLE_7]  # fmt: skip
    page.table(["metric", "paper, N = 16,384", *(f"N = {n}" for n in points)], rows)
    lowest = [sorted(one[n] for one in at.values()) for n in at["PER"] if n >= points[0]]
    apart = max(own[3] - own[0] for own in lowest)
    series = {title: [(n, value) for n, value in at[title].items() if n >= points[0]] for title in TABLE_7}
    titles = "candidates of each source, N", "ORANGE, %"
    page.figure(
        "curve",
        line_chart(series, titles, "ORANGE by length of the lists", zero=True, alone=True),
        f"""ORANGE over the first N candidates of each Fisher list, from N = {points[0]}. The paper's lines keep their
        order from N = 64 to 16,384; see which stay apart here. The four lowest are never further apart than
        {apart:.1f} points, and all of them still fall as lists grow.""",
    )
    orders = {n: sorted(TABLE_7, key=lambda title: round(at[title][n], 9)) for n in points}
    same = [orders[n] == orders[100] for n in points[:-1]]
    groups = [orders[n][-1] == "PER" for n in points]
    page.text(
        f"""The order of the six at N = 100: {", ".join(orders[100])}. It is the same at
        {listed((f"N = {n}" for n, x in zip(points, same, strict=False) if x), "none of the shorter lengths")}. PER is
        last at {sum(groups)} of the {len(points)} lengths. At N = 100 the interval of the first includes
        {_included(at, cut[100], orders[100])}: what changes places is within what 200 sources leave open."""
    )
    here = f"the order at N = 100 is that at {sum(same)} of {len(same)} shorter lengths"
    page.claim("relative performance stays the same over the range of N", "–", here, outcome(same, "lengths"))


def _ends(lists: Candidates, metrics: Sequence[Any], most: int) -> dict[str, tuple[float, float]]:
    """The intervals of ORANGE in per cent, with the first candidates of each list."""
    found = tri.orange(lists.texts, lists.references, metrics, n=most)
    return {one.metric.title: (100 * one.orange_interval[0], 100 * one.orange_interval[1]) for one in found}


def _included(at: dict[str, dict[int, float]], ends: dict[str, tuple[float, float]], order: list[str]) -> str:
    """The metrics within the interval of the first."""
    low, high = ends[order[0]]
    return listed((title for title in order[1:] if low <= at[title][100] <= high), "no other")


# Error analysis ------------------------------------------------------------------------------------------------------


def _errors(page: Page, lists: Candidates) -> None:
    page.heading("Error analysis: candidates above the references")
    noted: list[tuple[Any, Any]] = []
    found = lists.orange(each=lambda one: noted.append((one.beaten.any(axis=1).tolist(), one.ratios.tolist())))
    titles = [one.metric.title for one in found]
    rows, shares, worst_sources = [], [], []
    for title in SUMMARY:
        i = titles.index(title)
        above, ratios = [one[i] for one, _ in noted], np.array([one[i] for _, one in noted])
        order = np.argsort(-ratios, kind="stable")[:10]
        worst_sources.append({*order.tolist()})
        shares.append(100 * ratios[order].sum() / ratios.sum())
        rows.append([title, f"{sum(above)} of {len(above)}", f"{shares[-1]:.0f} %"])
    shared = set.intersection(*worst_sources)
    page.text(
        """The authors suggest to look at sources with candidates that a metric ranks above the references. How many
        of the Fisher sources have any, and how much of ORANGE is due to the ten worst:"""
    )
    page.table(["metric", "sources with a candidate above", "the ten worst sources make"], rows)
    page.text(
        f"""The ten worst of {len(noted)} sources make {min(shares):.0f} to {max(shares):.0f} % of ORANGE, and
        {len(shared)} of the ten are the same by all seven metrics.
        [The explanation of ORANGE](../explanations/orange.md) shows why: in four of the worst, the first reference
        translates another utterance. That is an error of the data, not of a metric."""
    )


def _as_good(page: Page, data: Path) -> None:
    """Whether outputs above the references are as good as these, by the ratings of both."""
    page.heading("Are candidates above the references as good as the references?")
    bio, ratings, above = mqm_set(data, "bio"), mean_ratings(data, "bio"), []
    lists = Candidates(bio.title, [*zip(*bio.systems.values(), strict=True)], bio.references, tokenised=False)
    found = lists.orange(each=lambda one: above.append(one.beaten > 0))
    titles, segments = [one.metric.title for one in found], range(1, len(lists.texts) + 1)
    human = np.array([[ratings[name, i] for name in bio.systems] for i in segments])
    refs = np.array([[ratings[name, i] for name in REFERENCES] for i in segments]).mean(axis=1)
    as_good = human <= refs[:, None] + 1e-9
    rows, shares, others = [], [], []
    for title in SUMMARY:
        beaten = np.stack([one[titles.index(title)] for one in above])
        shares.append(100 * as_good[beaten].mean())
        others.append(100 * as_good[~beaten].mean())
        rows.append([title, f"{beaten.sum():,} of {beaten.size:,}", f"{shares[-1]:.0f} %", f"{others[-1]:.0f} %"])
    page.text(
        """“What if machine translations are as good as reference translations?” The authors conjecture that this is
        rare, and plan to sample such cases. In the biomedical set, annotators rated the two references like the
        systems. Outputs that a metric ranks above the references, and how many of them have an MQM score no worse
        than the mean of the references; beside it, the same for the outputs that it ranks below:"""
    )
    page.table(["metric", "outputs above the references", "as good, of those above", "as good, of those below"], rows)
    told = f"{span(shares, 0)} %"
    small = "small" if max(shares) < 10 else "not small"
    page.text(
        f"""{told} of the outputs above are as good as the references by the ratings, and {span(others, 0)} % of
        those below. The authors ask for a small portion before ORANGE is applied with confidence; here it is {small}.
        Being ranked above the references says
        {"hardly more than" if max(shares) - min(others) < 5 else "something beyond"} what is true of any output."""
    )
    says = "outputs ranked above the references are rarely as good (conjecture)"
    page.claim(says, "–", f"{told} are as good (biomedical)", outcome([max(shares) < 10]))
