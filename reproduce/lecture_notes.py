"""The lecture notes on BLEU (LING83600): every worked example, then the same questions asked of real systems."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from itertools import chain, pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np

import tricolore as tri
from tricolore.reporting.figures import line_chart

from .data import TextSet, fisher, moses, mqm_sets, single_systems, unrated_sets
from .page import Page, listed, number, outcome, signed, with_interval

PAPER = "BLEU score. Lecture notes, LING83600. With examples from Callison-Burch et al. (2006) and Doddington (2002)."
NEEDS = ("ted", "bio", "wmt23", "mlqe-et", "mlqe-de", "diabla", "finnish", "webnlg-en", "webnlg-ru", "fisher", "moses")

#: The notes' footnote 1: "Standard preprocessing steps include case-folding and removing punctuation."
FOLDED = "tokenize=none, lowercase=true, strip_punctuation=true"

ALWAYS = ["I always do.", "I invariably do.", "I perpetually do."]
SYNONYMS = {"candidate 1": "I always do.", "candidate 2": "I always invariably perpetually do."}
BITTEN = "The dog bit the mailman."
BITES = {"candidate 1": "The dog snapped at the mailman.", "candidate 2": "The mailman nipped at the dog."}
LED = "Orejuela appeared calm as he was led to the American plane which will take him to Miami, Florida."
CALM = {
    "candidate 1": "Appeared calm when he was taken to the American plane, which will to Miami, Florida.",
    "candidate 2": "To Miami, Florida as he was led is to the was take him which will.",
}


def make(data: Path) -> Page:
    """The page."""
    page = Page("lecture-notes", "The lecture notes on BLEU", PAPER, NEEDS)
    rated = mqm_sets(data)
    _intuitions(page)
    _definition(page)
    _tuned(page, data)
    _swapped_regions(page)
    _informative_words(page, data)
    _orders_on_real_systems(page, [*rated, *single_systems(data), *unrated_sets(data)])
    _means(page, rated)
    _best_by_bleu(page, rated)
    return page


def matches(text: str, refs: list[str], settings: str = FOLDED, order: int = 4) -> tri.Score:
    """Unsmoothed BLEU of one candidate, with its matches."""
    return tri.metric(f"bleu(smooth=none, order={order}, {settings})").segment(text, refs)


def words_of(text: str) -> list[str]:
    """The words of a text, folded and without punctuation."""
    return "".join(one for one in text.lower() if not unicodedata.category(one).startswith("P")).split()


def fractions(score: tri.Score) -> list[str]:
    """Matches and n-grams of each order."""
    return [f"{m:.0f}/{n:.0f}" for m, n in zip(score.counts, score.totals, strict=True)]


# Section 2: intuitions -----------------------------------------------------------------------------------------------


def _intuitions(page: Page) -> None:
    page.heading("Section 2: precision, and why it is clipped")
    page.text(
        """A candidate that uses all synonyms of a word covers more of the references, so recall would reward it. The
        notes say that clipping, by which a reference word is exhausted once it is matched, discourages this."""
    )
    rows, firsts = [], []
    vocabulary = {word for ref in ALWAYS for word in tri.tokenize(ref.lower().strip("."), "none")}
    for name, text in SYNONYMS.items():
        score = matches(text, ALWAYS, order=2)
        covered = len({*tri.tokenize(text.lower().strip("."), "none")} & vocabulary)
        firsts.append(score.precisions[0])
        rows.append([f"{name}: *{text}*", f"{covered}/{len(vocabulary)}", *fractions(score), number(score.points, 1)])
    page.table(["candidate", "reference words used", "clipped p₁", "p₂", "BLEU, order 2"], rows)
    page.text(
        f"""It does not: every word of candidate 2 is in one of the references, and none is there twice, so that p₁
        is {rows[1][2]} as it is for the good one. What punishes it is the second order, p₂ = {rows[1][3]}. The
        quotation from Papineni et al. is about words that are repeated, as in the next table. (Equation 2 of the
        notes has one bag of reference words; with several references, matches are clipped by the highest count in
        any one of them.)"""
    )
    here = f"p₁ = {rows[0][2]} and {rows[1][2]}"
    page.claim("clipping discourages using all synonyms", "–", here, outcome([firsts[1] < firsts[0]]))
    rows = []
    for text in ("the", "the the the the the"):
        score = matches(text, [BITTEN], order=1)
        rows.append([f"*{text}*", *fractions(score), number(score.bp, 3), number(score.points, 1)])
    page.text(
        f"""The other pathological strategy is to say only the most likely word. Against *{BITTEN}* clipping stops
        repetition, and the brevity penalty the single word:"""
    )
    page.table(["candidate", "clipped p₁", "BP", "BLEU, order 1"], rows)
    _orders_of_words(page)


def _orders_of_words(page: Page) -> None:
    text = BITES["candidate 1"]
    texts = [" ".join(order) for order in sorted({*permutations(text.lower().strip(".").split())})]
    rows = tri.metric(f"bleu(smooth=none, order=2, {FOLDED})").stats(texts, [BITTEN] * len(texts))
    values = [sorted({*rows[f"match_{n}"].tolist()}) for n in (1, 2)]
    page.text(
        f"""“All permutations of a candidate have the same token precision.” Candidate 1 of the next example has
        {len(texts)} different orders of its words. Their matches: {listed(f"{x:.0f}" for x in values[0])} of
        {rows["total_1"][0]:.0f} words in all of them, but from {values[1][0]:.0f} to {values[1][-1]:.0f} of
        {rows["total_2"][0]:.0f} bigrams, which is why BLEU has higher orders."""
    )
    here = f"{len(values[0])} value of p₁, {len(values[1])} of p₂, in {len(texts)} orders"
    page.claim("all permutations have the same token precision", "–", here, outcome([len(values[0]) == 1]))


# Section 3: the brevity penalty --------------------------------------------------------------------------------------


def _definition(page: Page) -> None:
    page.heading("Section 3: the brevity penalty")
    words = [f"w{i}" for i in range(40)]
    reference = " ".join(words)
    lengths = [*range(4, 41), *range(44, 61, 4)]
    texts = [" ".join((words + words)[:n]) for n in lengths]
    curve = [(n / 40, matches(text, [reference], "tokenize=none").bp) for n, text in zip(lengths, texts, strict=True)]
    half = dict(curve)[0.5]
    decreases = all(a[1] <= b[1] for a, b in pairwise(curve))
    page.text(
        f"""The notes say that the penalty is “exponentially increasing when the candidate is shorter”. The factor
        exp(1 − |R|/|C|) *decreases*: it is {number(half, 3)} for a candidate half as long as its reference. It is the
        penalty in the sense of a loss that increases."""
    )
    titles = "length of the candidate / reference", "brevity penalty"
    steepest = max(pairwise(curve), key=lambda two: (two[1][1] - two[0][1]) / (two[1][0] - two[0][0]))
    page.figure(
        "brevity",
        line_chart({"BP": curve}, titles, "Brevity penalty", zero=True, alone=True),
        f"""The brevity penalty of prefixes of a sentence of 40 words: 1 from the length of the reference on. Below
        it the factor falls, most steeply at about {number((steepest[0][0] + steepest[1][0]) / 2, 1)} times that
        length, and is flat near 0 for the shortest prefixes: {number(curve[0][1], 4)} for {lengths[0]} words.""",
    )
    here = f"the factor falls from 1 to {number(half, 3)} at half the length"
    says = "the brevity penalty increases exponentially for shorter candidates"
    page.claim(says, "–", here, "no: it decreases" if decreases else "yes")


# Section 4: MERT -----------------------------------------------------------------------------------------------------


def _tuned(page: Page, data: Path) -> None:
    page.heading("Section 4: minimum error rate training")
    page.code('tri.tune(nbest, references, "mert", "bleu(tokenize=none)", start=weights, folds=2, repeats=5)')
    rows, gains = [], []
    for lists in (fisher(data), moses(data)):
        folds = {"folds": 2, "repeats": 5} if len(lists.references) > 10 else {}
        tuning = tri.tune(lists.nbest, lists.references, "mert", "bleu(tokenize=none)", start=lists.start, **folds)
        start, tuned = ({**one["scores"]} for one in tuning.to_dict()["methods"])
        unseen = "2-fold"
        gains.append(tuned["Tune"]["mean"] - start["Tune"]["mean"])
        held = ["–", "–"]
        if folds:
            held = [number(start[unseen]["mean"]), f"{number(tuned[unseen]['mean'])} (p = {tuned[unseen]['p']:.2f})"]
        seen = [number(one["Tune"]["mean"]) for one in (start, tuned)]
        rows.append([lists.title, str(len(lists.references)), *seen, *held])
    page.table(["lists", "sources", "before", "tuned", "unseen folds, before", "tuned"], rows)
    page.text(
        """The notes mention MERT as the way to make BLEU the objective. BLEU of the lists tuned on rises by
        construction; the other columns are folds that the weights have not seen (2-fold, repeated five times; the
        p-value is of approximate randomisation). Five sentences are too few to fold."""
    )
    here = listed(f"{signed(gain)} ({row[0]})" for gain, row in zip(gains, rows, strict=True))
    page.claim("MERT raises BLEU on the lists it is tuned on", "–", here, outcome(gain > 0 for gain in gains))


# Section 5: critiques ------------------------------------------------------------------------------------------------


def _swapped_regions(page: Page) -> None:
    page.heading("Section 5: swapping n-grams between non-matching regions")
    page.text(f"Reference: *{BITTEN}* Two candidates that say the opposite of each other:")
    ways = {"folded, no punctuation": FOLDED, "as written": "tokenize=none", "tokenised (13a)": "tokenize=13a"}
    rows, equal = [], {}
    for way, settings in ways.items():
        found = [matches(text, [BITTEN], settings) for text in BITES.values()]
        equal[way] = found[0].counts == found[1].counts and found[0].totals == found[1].totals
        smoothed = [tri.metric(f"bleu(smooth=2, {settings})").segment(text, [BITTEN]) for text in BITES.values()]
        for name, one, plus in zip(BITES, found, smoothed, strict=True):
            points = number(one.points, 1), number(plus.points, 1)
            rows.append([way, f"{name}: *{BITES[name]}*", *fractions(one), *points])
    page.table(["preprocessing", "candidate", "p₁", "p₂", "p₃", "p₄", "BLEU", "BLEU, smoothing 2"], rows, left=2)
    page.text(
        f"""With the notes' preprocessing both have the same matches of every order, and so the same BLEU however it
        is smoothed (without smoothing it is 0, for want of a trigram). It depends on that preprocessing: the matches
        {"differ" if not equal["as written"] else "are the same"} if the text is taken as written, where *The* begins
        a sentence and *mailman.* ends it, and {"differ" if not equal["tokenised (13a)"] else "are the same"} after
        tokenisation with case kept."""
    )
    here = "; ".join(f"{way}: {'equal' if same else 'not equal'}" for way, same in equal.items())
    as_the_notes = [*equal.values()] == [True, False, False]
    comes_out = "yes, with the notes' preprocessing" if as_the_notes else outcome(equal.values(), "ways")
    page.claim("the swapped candidates have the same BLEU", "equal", here, comes_out)
    _counted_orders(page)


def _counted_orders(page: Page) -> None:
    """The number of orders of blocks, and of words, by trying them all."""
    rows, agree = [], []
    for name, text in BITES.items():
        words, linked = words_of(text), {*pairwise(words_of(BITTEN))}
        blocks = [words[:1]]
        for pair in pairwise(words):
            blocks = [*blocks[:-1], [*blocks[-1], pair[1]]] if pair in linked else [*blocks, [pair[1]]]
        closed = len({tuple(chain(*order)) for order in permutations(blocks)})
        texts = [" ".join(words), *(" ".join(order) for order in sorted({*permutations(words)} - {tuple(words)}))]
        stats = tri.metric(f"bleu(smooth=none, {FOLDED})").stats(texts, [BITTEN] * len(texts)).values[:, :4]
        enumerated = int((stats >= stats[0]).all(axis=1).sum())
        agree.append(closed <= enumerated)
        rows.append([f"{name}: *{text}*", str(len(words)), f"{closed:,}", f"{enumerated:,}", f"{len(texts):,}"])
    page.text(
        """How many orders of a candidate's words match as much? Where two neighbours are neighbours in the reference,
        too, they stay together; all orders of the blocks that this leaves keep every match. Beside it, all orders
        of the words, tried one by one:"""
    )
    page.table(["candidate", "words", "orders of blocks", "orders that match as much, tried", "all orders"], rows)
    more = "The blocks give a lower bound: an order can also lose one match and gain another."
    page.text(more if all(agree) else "")


def _informative_words(page: Page, data: Path) -> None:
    page.heading("Section 5: not all n-grams are equal")
    page.text(f"Reference: *{LED}*")
    rows, scores, bits = [], [], []
    corpus = [LED, *(text for refs in fisher(data).references for text in refs)]
    nist = tri.metric(f"nist({FOLDED})").prepare(corpus)
    for name, text in CALM.items():
        scores.append(matches(text, [LED]))
        bits.append(float(nist.segment(text, [LED])))
        row = [f"{name}: *{text}*", *fractions(scores[-1]), number(scores[-1].points, 1), number(bits[-1])]
        rows.append(row)
    page.table(["candidate", "p₁", "p₂", "p₃", "p₄", "BLEU", "NIST"], rows)
    tie, separated = rows[0][1] == rows[1][1], scores[0] > scores[1]
    page.text(
        f"""The notes give this example for their criticism that “high-frequency n-grams are given as much credit as
        low-frequency (highly informative) n-grams”. By words alone the candidates {"tie" if tie else "do not tie"}
        ({rows[0][1]} and {rows[1][1]}). BLEU
        {"prefers the first, by its higher orders" if separated else "does not prefer the first"}: {rows[0][5]}
        against {rows[1][5]}. NIST, which weights n-grams by their information (here from this reference and the
        {len(corpus) - 1} of the Fisher set), gives {rows[0][6]} and {rows[1][6]} bits, and so prefers the
        {"first" if bits[0] > bits[1] else "second"}."""
    )
    _credit_of_words(page, corpus)


def _credit_of_words(page: Page, corpus: list[str]) -> None:
    """What the score loses with each word of the reference, which differ in frequency."""
    nist = tri.metric(f"nist(order=1, {FOLDED})").prepare(corpus)
    times = Counter(word for text in corpus for word in words_of(text))
    whole, found = LED.split(), {}
    for i in range(3, len(whole) - 3):  # words that are in as many n-grams of every order
        text = " ".join([*whole[:i], "unmatched", *whole[i + 1 :]])
        (word,) = words_of(whole[i])
        found[word] = number(matches(text, [LED]).points, 1), number(float(nist.segment(text, [LED])))
    bleu = listed(dict.fromkeys(points for points, _ in found.values()))
    often, rare = max(found, key=times.__getitem__), min(found, key=times.__getitem__)
    page.text(
        f"""To test the criticism, a single word of the reference is replaced by one that does not match. There are
        {len(found)} words with three neighbours or more on both sides, which are in equally many n-grams. Whichever of
        them is replaced, BLEU falls to {bleu}. The most frequent is *{often}* ({times[often]} times in these
        references), the rarest *{rare}* ({times[rare]}). NIST of single words falls from
        {number(float(nist.segment(LED, [LED])))} bits to {found[often][1]} without *{often}*, and to {found[rare][1]}
        without *{rare}*."""
    )
    nists = f"{found[rare][1]} to {found[often][1]}"
    here = f"one of {len(found)} words of the reference replaced: BLEU {bleu}; NIST of words {nists}"
    says = "high-frequency n-grams are given as much credit as low-frequency ones"
    page.claim(says, "–", here, outcome([len({points for points, _ in found.values()}) == 1]))


# The same questions, on real systems ---------------------------------------------------------------------------------


def _orders_on_real_systems(page: Page, sets: list[TextSet]) -> None:
    page.heading("How many orders of the words does BLEU accept on real systems?")
    page.code('tri.audit(systems, references, ["bleu"], only=["permutations"])["permutations"].orders')
    rows, series, found = [], {}, []
    for one in sets:
        audit = tri.audit(one.systems, one.first, ["bleu"], only=["permutations"], sample=20)
        orders = of_blocks(audit)
        found.append(orders)
        shown = [power(x) for x in orders.quantiles[1:]]
        above = np.cumsum(orders.histogram[::-1])[::-1] / orders.segments
        ten = float(above[1]) if len(above) > 1 else 0.0
        shares = f"{100 * ten:.0f} %", f"{100 * orders.exact:.0f} %"
        name = audit["permutations"].system
        rows.append([one.title, name, f"{orders.segments:,}", *shown, *shares])
        series[one.title] = [(float(k), 100 * float(share)) for k, share in enumerate(above[:41])]
    header = ["set", "system", "segments", "25 %", "median", "75 %", "highest", "10 or more", "counted exactly"]
    page.table(header, rows, left=2)
    titles = "number of orders, power of ten", "segments with at least as many, %"
    page.figure(
        "orders",
        line_chart(series, titles, "Orders of the words that BLEU accepts", zero=True, alone=True),
        """Share of the segments that have at least 10ᵏ orders of their words with the same BLEU or a better one, k
        from 0 to 40. For a metric that accepts a single order, the line would fall to 0 at once; the further to the
        right it runs, the more orders BLEU cannot tell apart.""",
    )
    medians = [one.median for one in found]
    least, most = (rows[medians.index(f(medians))] for f in (min, max))
    page.text(
        f"""The number of orders of the blocks, with one reference, for the system that is best by BLEU. The median
        is between {least[4]} orders ({least[0]}) and {most[4]} ({most[0]}). A segment of n words with b matched
        pairs of neighbours has n − b blocks: their number grows with the length of a segment, and every match lowers
        it. Beyond seven blocks the number may be an upper bound, where blocks can meet in ways that match; “counted
        exactly” is the share of segments for which it is not."""
    )
    page.claim(
        "many orders of a sentence have the same BLEU", "–",
        f"median from {power(min(medians))} to {power(max(medians))} orders per segment, {len(sets)} sets",
        outcome([one.median > math.log10(2) for one in found]),
    )  # fmt: skip


def of_blocks(audit: tri.Audit) -> Any:
    """The number of orders of the blocks; not what a search over the orders of the words finds."""
    (orders,) = audit["permutations"].orders
    if orders.method != "closed form":
        raise ValueError(f"the orders are counted by {orders.method}, not those of the blocks")
    return orders


def power(log10: float) -> str:
    """A number by its logarithm, in full up to a million."""
    return f"{round(10**log10):,}" if log10 <= 6 else f"10^{log10:.1f}"


def _means(page: Page, sets: list[TextSet]) -> None:
    page.heading("Section 5: why a geometric mean?")
    rows, better, apart = [], [], 0
    both = ("bleu", "bleu(mean=arithmetic)")
    for one in sets:
        found = one.correlate(both, statistics=["system pearson", "system spearman"], samples=500)
        pairs = [[found[name, f"system {kind}"] for name in both] for kind in ("pearson", "spearman")]
        better.append(pairs[0][1].value > pairs[0][0].value)
        apart += sum(a.low > b.high or b.low > a.high for a, b in pairs)
        rows.append([one.title, *(with_interval(x.value, x.low, x.high) for pair in pairs for x in pair)])
    page.text(
        """Doddington argues for the arithmetic mean of the precisions. Agreement of both means with MQM ratings, at
        system level, with 95 % intervals (over segments, corrected for their noise; 500 resamples):"""
    )
    page.table(["set", "Pearson, geometric", "arithmetic", "Spearman, geometric", "arithmetic"], rows)
    page.text(
        f"""The arithmetic mean agrees better (Pearson) on {sum(better)} of {len(better)} sets, and {apart} of
        {2 * len(sets)} pairs of intervals lie apart{": these systems do not decide the question" * (not apart)}."""
    )
    here = f"higher Pearson on {sum(better)} of {len(better)} sets"
    page.claim("an arithmetic mean of precisions is the better choice (Doddington)", "–", here, outcome(better))


def _best_by_bleu(page: Page, sets: list[TextSet]) -> None:
    page.heading("Section 5: where do annotators rank the system with the highest BLEU?")
    rows, ranks = [], []
    for one in sets:
        scores = tri.score(one.systems, one.first, "bleu")
        human = one.correlate(["bleu"], statistics=["system pearson"], intervals=False).joined.systems[0].human
        rated = dict(zip(one.systems, human.system_scores().tolist(), strict=True))
        best = max(one.systems, key=lambda name: scores[name, "bleu"].value)
        rank = 1 + sum(value > rated[best] for value in rated.values())
        ranks.append(rank)
        first = max(rated, key=lambda name: rated[name])
        rows.append([one.title, best, number(scores[best, "bleu"].points, 1), f"{rank} of {len(rated)}", first])
    page.table(["set", "highest BLEU", "BLEU", "its rank by annotators", "first by annotators"], rows, left=2)
    page.text(
        """In the NIST evaluation of 2005 the system with the highest BLEU was ranked sixth by judges. One number per
        set, and no interval: it is an anecdote there and here."""
    )
    here = listed(f"{rank} ({one.title})" for rank, one in zip(ranks, sets, strict=True))
    page.claim(
        "the system with the highest BLEU is not the annotators' first", "6th", here, outcome(r > 1 for r in ranks)
    )
