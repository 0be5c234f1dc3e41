"""`audit`, decomposability: metrics known to have each property, and metrics known to lack it."""

from itertools import product

import numpy as np
import pytest

import tricolore as tri
from tricolore.examples import REFERENCES, SYSTEMS, lines
from tricolore.judge.audit import row_search
from tricolore.judge.audit.audited_metrics import AuditedMetric, Counter
from tricolore.judge.audit.audited_texts import AuditedTexts
from tricolore.judge.audit.orders import choices, reversals
from tricolore.judge.audit.row_search import best_choice

HALF = ["no reversals", "no sacrifices", "segment choice"]


def overlap(hyps, refs):
    """A mean of segment scores: the share of the words of the references that are there."""
    scores = []
    for hyp, ref in zip(hyps, refs, strict=True):
        words = {*(ref if isinstance(ref, str) else ref[0]).split()}
        scores.append(len(words & {*hyp.split()}) / len(words))
    return scores


def demo(*metrics, **how):
    refs = tri.References.from_streams([lines(name) for name in REFERENCES])
    return tri.audit({name: lines(name) for name in SYSTEMS}, refs, list(metrics), only="decomposability", **how)


def made(metrics, outputs, refs):
    references = tri.References(refs)
    audited = [AuditedMetric.of_metric(tri.metric(one), references, []) for one in metrics]
    return AuditedTexts.counted(outputs, references, Counter(audited, references, single=True), None)


def test_a_mean_of_segment_scores_has_every_property():
    found = demo(overlap)
    assert [found.verdict("overlap", one).holds for one in HALF] == [True] * 3
    assert {one.gain for one in found["decomposability"].sacrifices} == {0.0}
    assert {one.gap for one in found["decomposability"].choices} == {0.0}


def test_bleu_gains_by_sacrifices_and_wer_does_not():
    found = demo("bleu", "wer(multi_ref=avg_len)")
    assert not found.verdict("bleu", "no sacrifices").holds
    assert not found.verdict("bleu", "segment choice").holds
    assert found.verdict("wer(multi_ref=avg_len)", "no sacrifices").holds
    assert found.verdict("wer(multi_ref=avg_len)", "segment choice").holds


def test_what_is_sacrificed_is_worse_by_the_metric_itself_and_gives_the_score_reported():
    outputs = {name: lines(name) for name in SYSTEMS}
    refs = tri.References.from_streams([lines(name) for name in REFERENCES])
    for one in demo("bleu", "chrf", examples=100)["decomposability"].sacrifices:
        changed = [*outputs[one.system]]
        for each in one.examples:
            assert each.before == changed[each.segment - 1]
            changed[each.segment - 1] = each.after
            assert each.score_after <= each.score_before
            alone = tri.metric(one.metric).segment(each.after, refs.entries[each.segment - 1])
            assert 100 * float(alone) == pytest.approx(each.score_after)
        assert 100 * float(tri.metric(one.metric)(changed, refs)) == pytest.approx(one.raised)
        assert one.share == pytest.approx(len(one.examples) / len(changed))
        assert one.gain == pytest.approx(one.raised - one.score)


def bleu_rows(seed, options=3, segments=6):
    """Random statistics of BLEU-2: matches and totals, lengths of outputs and references."""
    draw = np.random.default_rng(seed)
    rows = []
    for _ in range(options + 1):
        length = draw.integers(0, 12, segments)
        one = draw.integers(0, length + 1)
        two = np.minimum(draw.integers(0, 8, segments), np.maximum(one - 1, 0))
        rows.append(np.stack([one, two, length, np.maximum(length - 1, 0), length, 6 + 0 * length], axis=1))
    return np.array(rows, dtype=float)


def exhaustive(score, total, changes, allowed):
    """The best score of all combinations, one after the other."""
    options = [[-1, *np.flatnonzero(column)] for column in allowed.T]
    best = -np.inf
    for combination in product(*options):
        here = total.copy()
        for segment, option in enumerate(combination):
            if option >= 0:
                here = here + changes[option, segment]
        best = max(best, float(score(here[None])[0]))
    return best


@pytest.mark.parametrize("seed", range(12))
def test_the_search_is_never_above_the_optimum_and_equals_it_where_it_says_so(seed, monkeypatch):
    metric = tri.BLEU(order=2, smooth="none")
    rows = bleu_rows(seed)
    changes, total = rows[1:] - rows[0], rows[0].sum(axis=0)
    allowed = np.random.default_rng(seed).random(changes.shape[:2]) < 0.6

    def score(sums):
        return np.asarray(metric.score(sums))

    optimum = exhaustive(score, total, changes, allowed)
    exact = best_choice(score, total, changes, allowed)
    assert exact.exact
    assert exact.score == pytest.approx(optimum, abs=1e-12)
    monkeypatch.setattr(row_search, "ENUMERATED", 0)
    greedy = best_choice(score, total, changes, allowed)
    assert not greedy.exact
    assert float(score(total[None])[0]) <= greedy.score <= optimum + 1e-12
    where = greedy.chosen >= 0
    there = total + changes[greedy.chosen[where], np.flatnonzero(where)].sum(axis=0)
    assert greedy.score == pytest.approx(float(score(there[None])[0]))


def test_greedy_search_is_exact_for_sums():
    """Where each change adds what it adds, the best choice is the best of each segment."""
    draw = np.random.default_rng(7)
    changes, allowed = draw.normal(size=(3, 200, 1)), np.ones((3, 200), dtype=bool)
    found = best_choice(lambda sums: sums[..., 0], np.zeros(1), changes, allowed)
    assert not found.exact
    assert found.score == pytest.approx(np.maximum(changes.max(axis=0), 0).sum())


def test_reversed_orders_of_a_metric_made_for_them():
    """Precision: 1/1 and 4/10 beat 8/9 and 1/10 on every segment, if scored so; the pooled counts say otherwise."""
    refs = ["a", "b c d e"]
    outputs = {"a": ["a", "b c x x x x x x x x x x"], "b": ["a y z w", "b x x x x x x"]}
    texts = made(["bleu(order=1, smooth=none, tokenize=none)"], outputs, refs)
    rows = texts.rows[0].copy()
    columns = [*texts.metrics[0].metric.columns]
    match, total = columns.index("match_1"), columns.index("total_1")
    for column in (total, columns.index("hyp_len"), columns.index("ref_len")):
        rows[0, :, column], rows[1, :, column] = (1, 10), (9, 1)
    rows[0, :, match], rows[1, :, match] = (1, 1), (8, 0)
    texts = AuditedTexts(outputs, texts.references, texts.counter, [rows])
    assert (texts.alone[0][0] > texts.alone[0][1]).all()
    assert texts.scores[0][0] < texts.scores[0][1]
    found = reversals(texts, 0, seed=1)
    assert (found.tried, found.reversed) == (2, 2)  # as a test set of two segments, and as the whole
    assert found.worst.better == "a"
    assert found.worst.gap == pytest.approx(100 * (8 / 10 - 2 / 11))


def test_the_verdict_about_reversals():
    """a: 1/1 and 2/20 matches, b: 19/20 and 0/1. a is better on both segments, b on the whole; not so for a mean."""
    words = " ".join(f"w{i}" for i in range(20))
    refs = [["w0", words], ["w0", words]]
    outputs = {
        "a": ["w0", "w0 w1" + " x" * 18],
        "b": [words.replace("w19", "x"), "x"],
    }
    bleu = "bleu(order=1, smooth=none, tokenize=none)"

    def precision(hyps, refs):
        return [len({*hyp.split()} & {*ref[1].split()}) / max(1, len(hyp.split()))
                for hyp, ref in zip(hyps, refs, strict=True)]  # fmt: skip

    found = tri.audit(outputs, refs, [bleu, precision], only="decomposability")
    verdict = found.verdict(bleu, "no reversals")
    assert verdict.holds is False
    assert "has the worse score, at worst by 76.2 (a and b, segments 1, 2)" in verdict.sentence
    assert found.verdict("precision", "no reversals").holds
    same = tri.audit({"a": outputs["a"], "b": outputs["a"]}, refs, "bleu", only="decomposability")
    assert same.verdict("bleu", "no reversals").holds is None  # neither is better on any segment
    assert same.verdict("bleu", "segment choice").holds is None  # nor is there a choice


def test_ties_are_no_proof_that_a_better_segment_is_good():
    """BLEU of texts without 4-grams is 0, though their segments are scored by shorter n-grams."""
    refs = ["a b c", "d e f", "g h i"]
    outputs = {"a": refs, "b": ["a b x", "d e x", "g h x"]}
    (found,) = tri.audit(outputs, refs, "bleu", only="decomposability")["decomposability"].reversals
    assert (found.tried, found.tied, found.reversed) == (2, 2, 0)
    verdict = tri.audit(outputs, refs, "bleu", only="decomposability").verdict("bleu", "no reversals")
    assert (verdict.holds, verdict.shown) == (None, "–")
    some = {name: [*output, "k l m n"] for name, output in outputs.items()}
    found = tri.audit(some, [*refs, "k l m n"], "bleu", only="decomposability")
    assert found.verdict("bleu", "no reversals").holds
    assert found.verdict("bleu", "no reversals").sentence.endswith("never has the worse score (1 tie).")


def test_the_output_of_another_system_is_no_sacrifice_if_it_scores_the_same():
    """By BLEU of segments without smoothing all score 0, and a is better than b on both."""
    refs = ["the cat sat on a mat", "a dog ran to the door", "it rains on the town again"]
    outputs = {"b": ["the x x x x x", "a x x x x x", "it rains on the town again"],
               "a": ["the cat sat x x x", "a dog ran x x x", "x x x x x x"]}  # fmt: skip
    found = tri.audit(outputs, refs, "bleu(smooth=0, tokenize=none)", only="decomposability", examples=9)
    first, second = found["decomposability"].sacrifices
    assert (first.system, first.kinds["swap"], first.offered) == ("b", 0, 3)
    assert tri.BLEU(smooth=0, tokenize="none")([*outputs["a"][:2], refs[2]], refs) > first.score / 100
    assert all(one.kind != "swap" or one.score_after < one.score_before for one in (*first.examples, *second.examples))


def test_what_cannot_be_made_worse_is_no_evidence():
    found = tri.audit({"a": ["", ""], "b": ["", ""]}, ["x", "y"], "wer", only="decomposability")
    assert [found.verdict("wer", one).holds for one in HALF] == [None] * 3


def test_choices_say_which_systems_were_compared():
    systems = {f"s{i}": [*lines(SYSTEMS[0])[:-i], *lines(SYSTEMS[1])[-i:]] for i in range(1, 8)}
    few, many = (
        tri.audit(dict([*systems.items()][:number]), lines(REFERENCES[0]), "ter", only="decomposability").verdict(
            "ter", "segment choice"
        )
        for number in (2, 7)
    )
    assert few.holds and many.holds
    assert few.sentence.startswith("No choice between two outputs per segment beats taking the better one (")
    assert many.sentence.startswith("Between any two of the 6 best systems, no choice between two outputs per segment ")


def test_choices_are_those_of_the_segments_for_a_mean():
    refs = ["a b c", "d e f", "g h i"]
    outputs = {"x": ["a b c", "d", "g h i"], "y": ["a", "d e f", "g z i"]}
    texts = made(["wer", "bleu(order=1)"], outputs, refs)
    (found,) = choices(texts, 0)
    assert (found.by_segment, found.gap, found.exact) == (0.0, 0.0, True)


@pytest.mark.parametrize("name", ["chrf", "ter"])
def test_influence_is_the_score_minus_the_score_without_the_segment(name):
    """As printed, also where lower is better: a bad segment raises TER."""
    audit = demo(name)
    found = audit["decomposability"].influences
    assert len(found) == 10
    refs = tri.References.from_streams([lines(name) for name in REFERENCES])
    metric = tri.metric(name)
    for one in found:
        output = lines(one.system)
        kept = [i for i in range(len(output)) if i != one.segment - 1]
        without = float(metric([output[i] for i in kept], [refs.entries[i] for i in kept]))
        assert one.influence == pytest.approx(100 * (float(metric(output, refs)) - without))
        assert one.text == output[one.segment - 1]
    verb = "raises" if found[0].influence > 0 else "lowers"
    assert f" {verb} the score most" in audit.verdict(name, "influence").sentence


def fewer_errors_if_empty(hyps, refs):
    """Words that are not in the reference: lower is better, and an empty output has none."""
    return [float(len({*hyp.split()} - {*ref.split()})) for hyp, ref in zip(hyps, refs, strict=True)]


def test_sentences_say_better_and_worse_not_higher_and_lower():
    """A mean never gains by sacrifices; emptying outputs made of errors is none, but makes the score better."""
    outputs = ["x y z a b", "a b c", "d e"] * 6
    refs = ["a b", "a b c", "d e"] * 6
    audit = tri.audit(
        {"one": outputs, "two": refs},
        refs,
        [fewer_errors_if_empty],
        lower_is_better=["fewer_errors_if_empty"],
        only="decomposability",
    )
    first = next(one for one in audit["decomposability"].sacrifices if one.system == "one")
    assert first.score == pytest.approx(1)
    assert first.emptied_gain == pytest.approx(3 / 18)  # one of 18 segments, with three errors
    assert first.gain == 0
    assert audit.verdict("fewer_errors_if_empty", "no sacrifices").holds
    influence = next(one for one in audit["decomposability"].influences)
    assert (influence.system, influence.influence > 0) == ("one", True)
    worse = demo("bleu").verdict("bleu", "no sacrifices").sentence
    assert "emptying the worst 7 % makes scores worse by 2.43 on average" in worse


def test_what_is_too_few_to_measure_is_not_told():
    found = tri.audit({"a": ["a b c", "d e"], "b": ["a b", "d"]}, ["a b c", "d e"], "wer", only="decomposability")
    assert all(np.isnan(one.emptied_gain) for one in found["decomposability"].sacrifices)
    assert "Trying all combinations" in found.verdict("wer", "no sacrifices").sentence


REAL = "human/mqm-ted-ende"


def test_emptying_the_worst_outputs_raises_bleu_by_a_point_but_not_its_decomposable_relatives(shared):
    folder = shared / "data" / REAL
    systems = sorted((folder / "systems").glob("*.txt"))[:3]
    found = tri.audit(systems, folder / "references" / "ref.txt", ["bleu", "bleu-sbp", "4-grr"], only="decomposability")
    gains = {}
    for one in found["decomposability"].sacrifices:
        gains.setdefault(one.metric, []).append(one.emptied_gain)
    assert all(1 < gain < 2 for gain in gains["bleu"])
    assert all(gain < 0 for gain in gains["bleu-sbp"])
    assert all(abs(gain) < 0.1 for gain in gains["grr"])
    assert found.verdict("grr", "no sacrifices").holds


def test_what_bleu_gains_follows_the_length_of_the_systems(shared):
    """As docs/explanations/audit.md says: words to spare pay for empty outputs."""
    folder = shared / "data" / "human" / "mqm-ted-ende"
    systems = sorted((folder / "systems").glob("*.txt"))
    ref = folder / "references" / "ref.txt"
    found = tri.audit(systems, ref, ["bleu"], only="decomposability")["decomposability"].sacrifices
    lengths = [tri.score(path, ref, "bleu")["bleu"].parts["ratio"] for path in systems]
    assert len(found) == 13
    assert np.corrcoef(lengths, [one.emptied_gain for one in found])[0, 1] > 0.8
    assert min(one.emptied_gain for one in found) == pytest.approx(0.69, abs=0.01)
    assert max(one.emptied_gain for one in found) == pytest.approx(1.70, abs=0.01)


def test_outputs_far_too_long_let_bleu_sbp_gain_more_than_bleu(shared):
    """4-GRR rises only where it scored outputs below zero, which is no sacrifice."""
    folder = shared / "data" / "human" / "mqm-bio-en2de"
    systems = sorted((folder / "systems").glob("*.txt"))[:2]
    ref = folder / "references" / "reference.txt"
    found = tri.audit(systems, ref, ["bleu", "bleu-sbp", "4-grr"], only="decomposability")["decomposability"].sacrifices
    gains = {(one.metric, one.system): one.gain for one in found}
    for path in systems:
        assert gains["bleu-sbp", path.stem] > 1 > gains["bleu", path.stem]
        assert gains["grr", path.stem] == 0
    assert all(one.emptied_gain > 0.3 for one in found if one.metric == "grr")
