"""ORANGE beside a slow, obvious rendering of its definition, on vectors, and on real lists."""

import math
import statistics
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tricolore as tri
from tricolore.errors import SegmentError
from tricolore.judge.multiplicity import holm
from tricolore.judge.orange.curve import POINTS, CurveSums
from tricolore.judge.orange.metric_pairs import metric_pairs
from tricolore.judge.orange.options import PAPER, Settings
from tricolore.judge.orange.ranking import SAME, _verdicts, orange
from tricolore.metrics import expand
from tricolore.metrics.shared_counts import segment_scores
from tricolore.segments import References

FISHER = "nbest/thot-fisher-test-es-en"
METRICS = ["bleus(order=2)", "bleus", "bleu(smooth=7, order=3)", "rouge-l", "rouge-s(skip=1)", "nist", "per", "ter"]

# The definition --------------------------------------------------------------------------------------------


def slow_rank(metric, texts, refs, candidates, average, ties):
    """The rank of the references of one source, candidate by candidate."""
    sign = 1 if metric.higher_is_better else -1
    others = [refs[:k] + refs[k + 1 :] for k in range(len(refs))]
    of_refs = [sign * float(metric.segment(ref, rest)) for ref, rest in zip(refs, others, strict=True)]
    oracles = [statistics.fmean(of_refs)] if average == "score" else of_refs
    against = others if candidates == "jackknife" else [refs]
    scores = [statistics.fmean(sign * float(metric.segment(text, some)) for some in against) for text in texts]
    ranks = []
    for oracle in oracles:
        better = equal = 0
        for score in scores:
            if abs(score - oracle) <= SAME * max(map(abs, of_refs)):
                equal += 1
            elif score > oracle:
                better += 1
        ranks.append(1 + better + {"mid": equal / 2, "min": 0, "max": equal}[ties])
    return statistics.fmean(ranks)


def slow_orange(nbest, refs, metric, candidates, average, ties, unequal, distinct, n):
    lists = [list(dict.fromkeys(texts)) if distinct else texts for texts in nbest]
    lists = [texts[:n] for texts in lists]
    longest = n or max(map(len, lists))
    pairs = [(i, texts) for i, texts in enumerate(lists) if unequal == "keep" or len(texts) == longest]
    ready = metric.prepare(refs)
    ranks = [slow_rank(ready, texts, refs[i], candidates, average, ties) for i, texts in pairs]
    ratios = [rank / (len(texts) + 1) for rank, (_, texts) in zip(ranks, pairs, strict=True)]
    return [i for i, _ in pairs], ranks, statistics.fmean(ratios)


words = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)
choices = {
    "candidates": st.sampled_from(["all", "jackknife"]),
    "average": st.sampled_from(["score", "rank"]),
    "ties": st.sampled_from(["mid", "min", "max"]),
    "unequal": st.sampled_from(["keep", "drop"]),
    "distinct": st.booleans(),
}


@st.composite
def lists_and_references(draw):
    sources = draw(st.integers(1, 4))
    nbest = [draw(st.lists(words, min_size=1, max_size=7)) for _ in range(sources)]
    refs = [draw(st.lists(words, min_size=2, max_size=4)) for _ in range(sources)]
    for texts, some in zip(nbest, refs, strict=True):  # what people say machines say, too
        texts.extend(draw(st.lists(st.sampled_from([*some, *texts]), max_size=3)))
    return nbest, refs


@pytest.mark.slow
@settings(max_examples=150)
@given(data=lists_and_references(), how=st.fixed_dictionaries(choices), n=st.sampled_from([None, 1, 3]))
def test_the_same_as_the_definition(data, how, n):
    nbest, refs = data
    longest = max(len(set(texts) if how["distinct"] else texts) for texts in nbest)
    if n is not None and how["unequal"] == "drop" and longest < n:
        with pytest.raises(tri.InputError, match=f"no source has {n} candidates"):
            orange(nbest, refs, METRICS, n=n, **how)
        return
    results = orange(nbest, refs, METRICS, n=n, samples=20, curve=1, **how)
    for spec, found in zip(METRICS, results, strict=True):
        sources, ranks, value = slow_orange(nbest, refs, tri.metric(spec), n=n, **how)
        assert found.metric == tri.metric(spec)
        assert found.sources.tolist() == sources
        assert found.ranks.tolist() == pytest.approx(ranks, abs=1e-9)
        assert found.orange == pytest.approx(value, abs=1e-12)
        assert found.average_rank == pytest.approx(statistics.fmean(ranks), abs=1e-9)
        for k, length in enumerate(found.curve.n.tolist()):  # of the same sources, if all that is dropped is the end
            short = [texts if i in sources else [] for i, texts in enumerate(nbest)]
            if how["unequal"] == "keep":
                _, _, value = slow_orange(short, refs, tri.metric(spec), **{**how, "n": length})
            else:
                kept = [i for i in range(len(nbest)) if i in sources]
                ready = tri.metric(spec).prepare(refs)
                texts = [list(dict.fromkeys(nbest[i])) if how["distinct"] else nbest[i] for i in kept]
                rule = (how["candidates"], how["average"], how["ties"])
                value = statistics.fmean(
                    slow_rank(ready, t[:length], refs[i], *rule) / (length + 1)
                    for i, t in zip(kept, texts, strict=True)
                )
            assert found.curve.orange[k] == pytest.approx(value, abs=1e-12)


def test_ties_are_ties_although_a_mean_is_off_by_its_last_digit():
    third = (0.1 + 0.1 + 0.1) / 3
    assert third != 0.1
    ranks = [
        orange([["a b c x y", "q"]], [["a b c d e"] * 3], ["wer"], ties=ties, average=average)[0].average_rank
        for ties in ("min", "mid", "max")
        for average in ("score", "rank")
    ]
    assert ranks == [1.0] * 6  # references that are the same are perfect, and nothing here is
    alike = [["a b", "a b c", "a b c d"]]
    assert [orange(alike, [["a b", "a b"]], ["wer"], ties=t)[0].average_rank for t in ("min", "mid", "max")] == [
        1,
        1.5,
        2,
    ]


@given(data=lists_and_references())
@settings(max_examples=40)
def test_negated_error_rates_and_order_of_metrics(data):
    nbest, refs = data
    wer, wrr = orange(nbest, refs, ["wer", "wrr"], samples=10)
    assert wer.ranks.tolist() == wrr.ranks.tolist()
    assert wer.orange == orange(nbest, refs, ["per", "wer"], samples=10)[1].orange


@given(data=lists_and_references())
@settings(max_examples=40)
def test_many_metrics_score_segments_as_each_alone(data):
    nbest, refs = data
    metrics = expand(
        *PAPER, "bleu", "bleu(smooth=5)", "bleu(order=6, ref_len=shortest)", "chrf", "bleus(lowercase=true)"
    )
    ready = [metric.prepare(refs) for metric in metrics]
    hyps = [text for texts in nbest for text in texts]
    entries = References([refs[i] for i, texts in enumerate(nbest) for _ in texts])
    found = segment_scores(ready, hyps, entries, threads=1)
    for row, metric in zip(found, ready, strict=True):
        assert row.tolist() == metric.segments(hyps, entries).tolist(), metric


def test_a_long_list_is_scored_in_parts(monkeypatch):
    monkeypatch.setattr("tricolore.metrics.shared_counts.BATCH", 3)
    hyps, refs = [f"a b {i}" for i in range(8)], [["a b 3", "b a"]] * 8
    metrics = expand("bleus(order=1..3)", "rouge-l", "rouge-1", "wer")
    for row, metric in zip(segment_scores(metrics, hyps, References(refs)), metrics, strict=True):
        assert row.tolist() == metric.segments(hyps, refs).tolist()


# The paper -------------------------------------------------------------------------------------------------


def test_the_metrics_of_the_paper():
    titles = [metric.title for metric in expand(*PAPER)]
    assert len(titles) == len(set(titles)) == 34
    assert {"BLEUS1", "BLEUS9", "NIST", "PER", "WER", "ROUGE-L", "ROUGE-W-1.1", "ROUGE-S0", "ROUGE-S*"} <= set(titles)


@pytest.mark.parametrize(
    ("best", "interval", "means", "equivalent"),
    [  # tables 2, 5 and 6: the best, its interval, the average ranks, and what the text says is equivalent
        (6, (211, 257), [363, 261, 243, 237, 237, 235, 236, 238, 241], {3, 4, 5, 7, 8, 9}),
        (5, (177, 224), [258, 230, 209, 203, 202, 204, 208, 213, 220, 225, 281], {3, 4, 6, 7, 8, 9}),
        (7, (177, 224), [235, 304, 378, 245, 211, 210, 202], {5, 6}),
    ],
)
def test_the_reading_of_the_papers_tables(best, interval, means, equivalent):
    verdicts = _verdicts(best - 1, np.array(means), interval[1], [], Settings(verdict="interval"))
    assert verdicts[best - 1] == "best"
    assert {i for i, verdict in enumerate(verdicts, 1) if verdict == "not shown worse"} == equivalent


# Paired tests ----------------------------------------------------------------------------------------------


def slow_pair_p(first, second):
    """Every way to swap two metrics, source by source, in exact arithmetic."""
    differences = [Fraction(a) - Fraction(b) for a, b in zip(first, second, strict=True)]
    ways = [abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
            for signs in product((1, -1), repeat=len(differences))]  # fmt: skip
    return sum(way >= ways[0] for way in ways) / len(ways)


@given(st.lists(st.tuples(*[st.integers(1, 5)] * 3), min_size=2, max_size=8))
def test_every_swap_of_two_metrics_is_tried_where_there_are_few(ranks):
    columns = np.array(ranks, dtype=float)
    found = metric_pairs(columns, 10, 1)
    assert {frozenset((one.better, one.worse)) for one in found} == {frozenset(x) for x in ((0, 1), (0, 2), (1, 2))}
    for one in found:
        assert one.p == slow_pair_p(columns[:, one.better], columns[:, one.worse])
        assert one.difference == pytest.approx(columns[:, one.worse].mean() - columns[:, one.better].mean())
        assert one.difference >= 0
    assert [one.p_adjusted for one in found] == holm([one.p for one in found])


def test_drawn_swaps_come_close_to_all(monkeypatch):
    ranks = np.random.default_rng(6).random((14, 2))
    exact = metric_pairs(ranks, 1, 1)[0].p
    monkeypatch.setattr("tricolore.judge.orange.metric_pairs.ENUMERATED", 2)
    assert metric_pairs(ranks, 50_000, 1)[0].p == pytest.approx(exact, abs=0.01)


def test_verdicts_follow_the_paired_tests():
    nbest = [[f"a b c {i} x", f"a {i} c x y", f"{i} b d x y z"] for i in range(12)]
    refs = [[f"a b c d {i}", f"a b c {i}"] for i in range(12)]
    found = orange(nbest, refs, ["rouge-l", "per", "length"], test=True)
    best = min(range(3), key=lambda i: found[i].orange)
    worse = {one.worse for one in found.pairs if one.better == best and one.p_adjusted < 0.05}
    assert {i for i, one in enumerate(found) if one.verdict == "worse"} == worse != set()
    assert "|verdict:holm|swaps:exact" in found[0].signature
    assert len(found.to_dict()["pairs"]) == len(found.facts()["pairs"]) == 3
    assert "p (Holm)" in str(found)
    ordered = found.sorted()
    assert [one["p"] for one in ordered.tests()] != []
    assert all(one.better < one.worse or one.difference == 0 for one in ordered.pairs)
    alone = orange(nbest, refs, ["rouge-l", "per", "length"], verdict="interval")
    assert alone.pairs == ()
    assert alone[0].signature.count("verdict:interval") == 1


# Intervals -------------------------------------------------------------------------------------------------


def test_the_interval_is_the_percentile_bootstrap_of_the_mean_rank():
    generator = np.random.default_rng(1)
    nbest = [[" ".join(generator.choice([*"abcde"], 5)) for _ in range(9)] for _ in range(12)]
    refs = [[" ".join(generator.choice([*"abcde"], 5)) for _ in range(3)] for _ in range(12)]
    found = orange(nbest, refs, ["rouge-l"], samples=200, seed=7, level=0.9)[0]
    drawn = np.random.default_rng(7).integers(0, 12, size=(200, 12))
    means = [statistics.fmean(found.ranks[one]) for one in drawn]
    assert found.interval == pytest.approx(np.percentile(means, [5, 95]))
    assert found.orange_interval == pytest.approx(np.percentile(means, [5, 95]) / 10)
    assert "|level:0.9|bs:200|seed:7|" in found.signature
    assert orange(nbest, refs, ["rouge-l"], samples=200, seed=8, level=0.9)[0].interval != found.interval


def test_intervals_cover():
    """Sources drawn from a population whose mean rank is known: near 95 of 100 intervals hold it."""
    # WER of the references against each other is 1/4; that of the candidates is 0, `rank` times, then 3/4.
    nbest = [["a b c d"] * rank + ["x y z d"] * (20 - rank) for rank in range(20)]
    refs = [["a b c d", "a b c e"]] * 20
    ranks = orange(nbest, refs, ["wer"])[0].ranks
    assert ranks.tolist() == list(range(1, 21))
    generator, held = np.random.default_rng(5), 0
    for _ in range(200):
        chosen = generator.integers(0, 20, 40)
        low, high = orange([nbest[i] for i in chosen], refs * 2, ["wer"], samples=300)[0].interval
        held += low <= ranks.mean() <= high
    assert 180 <= held <= 199


def test_one_source_has_no_interval():
    best, other = orange([["a", "b"]], [["a", "a b"]], ["wer", "bleus"])
    assert all(map(math.isnan, (*best.interval, *other.interval, *best.orange_interval)))
    assert {best.verdict, other.verdict} == {"best", "unknown"}


# Lists -----------------------------------------------------------------------------------------------------


def test_lists_are_taken_one_by_one(monkeypatch):
    """Never more lists are read than the batch that is scored needs, and none is kept."""
    monkeypatch.setattr("tricolore.metrics.edit_rates.WER.batch_size", 50)
    alive, most = 0, 0

    class Translations(list):
        def __init__(self, texts):
            nonlocal alive, most
            super().__init__(texts)
            alive += 1
            most = max(most, alive)

        def __del__(self):
            nonlocal alive
            alive -= 1

    seen = []
    lists = (Translations(f"a {i} {k}" for k in range(30)) for i in range(40))
    orange(lists, [["a b", "a c"]] * 40, ["wer"], each=lambda ranking: seen.append(ranking.source), samples=10)
    assert seen == list(range(40))
    assert most <= 4


def test_a_duplicate_counts_as_often_as_it_is_there_and_is_scored_once(monkeypatch):
    scored = []

    def spy(metrics, hyps, references, **how):
        scored.append(list(hyps))
        return segment_scores(metrics, hyps, references, **how)

    monkeypatch.setattr("tricolore.judge.orange.ranking.segment_scores", spy)
    nbest, refs = [["a b c", "x", "a b c", "a b c"]], [["a b c", "a b d"]]
    assert orange(nbest, refs, ["wer"])[0].average_rank == 4
    assert orange(nbest, refs, ["wer"], distinct=True)[0].average_rank == 2
    assert scored[0] == ["a b c", "x", "a b c", "a b d"]


def test_threads_do_not_matter():
    generator = np.random.default_rng(3)
    nbest = [[" ".join(generator.choice([*"abcdefg"], 7)) for _ in range(100)] for _ in range(30)]
    refs = [[" ".join(generator.choice([*"abcdefg"], 7)) for _ in range(3)] for _ in range(30)]
    one, two = (orange(nbest, refs, threads=threads, samples=50) for threads in (1, 2))
    assert [(a.orange, a.interval, a.signature) for a in one] == [(a.orange, a.interval, a.signature) for a in two]


def test_each_ranking_says_what_was_ranked():
    seen = []
    orange([["a b c", "x"], ["b"]], [["a b c", "a b d"], ["a", "b", "c"]], ["wer", "bleus"], each=seen.append)
    first, second = seen
    assert (first.texts, first.references) == (["a b c", "x"], ("a b c", "a b d"))
    assert first.scores.shape == (2, 2)
    assert first.reference_scores.shape == (2, 2)
    assert first.reference_scores[0].tolist() == pytest.approx([1 / 3, 1 / 3])
    assert first.beaten[0].tolist() == [1, 0]
    assert first.ratios[0] == pytest.approx(2 / 3)
    assert second.reference_scores.shape == (2, 3)


# The curve -------------------------------------------------------------------------------------------------


@given(
    sizes=st.lists(st.integers(1, 40), min_size=1, max_size=6),
    step=st.one_of(st.none(), st.integers(1, 45)),
    drop=st.booleans(),
    points=st.integers(1, 12),
)
def test_the_curve_is_the_mean_over_shortened_lists(sizes, step, drop, points):
    generator = np.random.default_rng(len(sizes))
    ahead = [generator.integers(0, 3, (2, size)) / 2 for size in sizes]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tricolore.judge.orange.curve.POINTS", points)
        sums = CurveSums(step, drop)
        for one in ahead:
            sums.add(one)
    kept = [one for one in ahead if not drop or one.shape[1] == max(sizes)]
    whole = np.array([1 + one.sum(axis=1) for one in kept])
    curves = sums.curves(whole, np.array([one.shape[1] for one in kept]))
    n = curves[0].n.tolist()
    assert n[-1] == max(sizes)
    assert n == sorted({*range(sums.step, max(sizes) + 1, sums.step), max(sizes)})
    assert step is not None or len(n) <= points + 1
    for m in range(2):
        for k, length in enumerate(n):
            ranks = [1 + one[m, :length].sum() for one in kept]
            ratios = [rank / (min(length, one.shape[1]) + 1) for rank, one in zip(ranks, kept, strict=True)]
            assert curves[m].average_rank[k] == pytest.approx(statistics.fmean(ranks))
            assert curves[m].orange[k] == pytest.approx(statistics.fmean(ratios))


def test_the_step_is_the_papers_for_its_lists():
    sums = CurveSums(None, drop=False)
    sums.add(np.zeros((1, 100)))
    assert sums.step == 1
    sums.add(np.zeros((1, 16384)))
    assert sums.step == 64 == 16384 // POINTS


# Mistakes --------------------------------------------------------------------------------------------------

GOOD = [["a", "b"], ["c"]]
REFS = [["a", "b"], ["c", "d"]]


@pytest.mark.parametrize(
    ("nbest", "refs", "message"),
    [
        (GOOD, [["a", "b"], ["c"]], "source 1 has one reference; expected two or more"),
        (GOOD, ["a", "b"], "source 0 has one reference"),
        (GOOD, [["a", "b"], ["c", None]], "source 1 has one reference"),
        (GOOD, [["a", "b"], [None]], "segment 1 has no reference"),
        (GOOD, [["a", "b"]], "source 1 has no references; there are 1 sources with references"),
        (GOOD, [*REFS, ["e", "f"]], "lists for 2 sources, but references for 3"),
        (GOOD, [], "references: expected at least one source"),
        (GOOD, [[[1, 2], [3, 4]], ["c", "d"]], "references of source 0: expected texts, got token ids"),
        ([["a"], []], REFS, "source 1: the list is empty"),
        ([["a"], "b"], REFS, "source 1: expected a list of translations, got str"),
        ([["a"], ["b", None]], REFS, "source 1, translation 1 is missing; expected a text"),
        ([], REFS, "lists for 0 sources, but references for 2"),
    ],
)
def test_bad_data(nbest, refs, message):
    with pytest.raises(tri.InputError) as caught:
        orange(nbest, refs, ["wer"])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"metrics": ["wer", "rouge-w", "rouge-w(weight=1.2)"]}, "metric rouge-w is given twice"),
        ({"metrics": []}, "expected at least one"),
        ({"metrics": ["blue"]}, "unknown metric 'blue'"),
        ({"candidates": "some"}, "candidates must be one of all, jackknife; got 'some'"),
        ({"average": "mean"}, "average must be one of score, rank"),
        ({"ties": "first"}, "ties must be one of mid, min, max"),
        ({"unequal": "pad"}, "unequal must be one of keep, drop"),
        ({"level": 95}, "level must be a number between 0 and 1; got 95"),
        ({"level": math.nan}, "level must be a number between 0 and 1"),
        ({"samples": 0}, "samples must be a whole number from 1 to 100,000,000; got 0"),
        ({"seed": -1}, "seed must be a whole number, 0 or more"),
        ({"n": 0}, "n must be a whole number, 1 or more"),
        ({"curve": -3}, "curve must be true, false or a step"),
    ],
)
def test_bad_usage(how, message):
    with pytest.raises(tri.SpecError) as caught:
        orange(GOOD, REFS, **{"metrics": ["wer"], **how})
    assert message in str(caught.value)


def test_one_metric_needs_no_list():
    assert [one.orange for one in orange(GOOD, REFS, "wer")] == [one.orange for one in orange(GOOD, REFS, [tri.WER()])]


def test_no_list_is_long_enough():
    with pytest.raises(tri.InputError, match=r"no source has 5 candidates \(the most are 2\)"):
        orange(GOOD, REFS, ["wer"], unequal="drop", n=5)


def test_a_score_that_is_not_a_number_has_no_rank(monkeypatch):
    monkeypatch.setattr("tricolore.metrics.edit_rates.EditRate.value", lambda self, row: row[0] * np.nan)
    with pytest.raises(tri.InputError, match="source 0: wer returned nan"):
        orange(GOOD, REFS, ["wer"])


def test_a_text_that_cannot_be_scored_is_named_by_its_source(monkeypatch):
    def fails(metrics, hyps, references, **how):
        raise SegmentError("hypothesis", hyps.index("e"), "cannot be read")

    monkeypatch.setattr("tricolore.judge.orange.ranking.segment_scores", fails)
    with pytest.raises(tri.InputError, match=r"^source 2: cannot be read$"):
        orange([["a", "b"], ["c"], ["d", "e"], ["f"]], [["r", "s"]] * 4, ["wer"])


# Real lists ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fisher(shared, lines):
    references = References.from_streams([lines(f"{FISHER}/ref{i}.txt") for i in range(4)])
    return str(shared / "data" / FISHER / "nbest.txt.gz"), references


def test_real_lists(fisher):
    results = orange(*fisher, curve=True)
    by_title = {one.metric.title: one for one in results}
    assert len(results) == 34
    assert results[0].sizes.min() == 10
    assert results[0].sizes.max() == 100
    # As in the paper: PER is the worst, and BLEUS with bigrams is better than without.
    assert max(results, key=lambda one: one.orange).metric.title == "PER"
    assert by_title["PER"].verdict == "worse"
    assert by_title["BLEUS2"].orange < by_title["BLEUS1"].orange
    for one in results:
        assert one.interval[0] < one.average_rank < one.interval[1]
        assert one.curve.orange[-1] == pytest.approx(one.orange)
        assert one.curve.average_rank[-1] == pytest.approx(one.average_rank)


@pytest.mark.slow
def test_no_difference_is_significant_in_both_halves(fisher):
    """As docs/explanations/orange.md says."""
    from tricolore.readers.nbest import read_nbest

    path, references = fisher
    lists, significant, best = [one.texts for one in read_nbest(path, 200)], [], []
    for half in (slice(100), slice(100, 200)):
        found = orange(lists[half], references.entries[half], test=True)
        significant.append({(one.better, one.worse) for one in found.pairs if one.p_adjusted < 0.05})
        best.append(found.sorted()[0].metric.title)
    assert significant[0] & significant[1] == set()
    assert best[0] != best[1]


def test_some_real_ranks_by_the_definition(fisher):
    from tricolore.readers.nbest import read_nbest

    path, references = fisher
    results = orange(path, references, ["bleus", "wer", "rouge-s"], average="rank", candidates="jackknife", samples=10)
    for nbest in read_nbest(path):
        if nbest.source % 40 == 0:
            for one in results:
                refs = list(references.entries[nbest.source])
                rank = slow_rank(one.metric, nbest.texts, refs, "jackknife", "rank", "mid")
                assert one.ranks[nbest.source] == pytest.approx(rank, abs=1e-9)


def test_dropping_shorter_lists(fisher):
    kept, whole = (orange(*fisher, ["rouge-l"], unequal=how)[0] for how in ("drop", "keep"))
    assert (len(kept.ranks), len(whole.ranks)) == (139, 200)
    assert kept.ranks.tolist() == whole.ranks[whole.sizes == 100].tolist()
    assert "|sources:139|nbest:100|" in kept.signature
    assert "|sources:200|nbest:10-100|" in whole.signature
    first = orange(*fisher, ["rouge-l"], n=10)[0]
    assert set(first.sizes.tolist()) == {10}
