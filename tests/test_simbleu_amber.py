"""SIMBLEU and AMBER's building blocks against their formulas, word for word."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import match, total
from strategies import adversarial, copies, sentence

from tricolore import AMBER, SimBLEU, SpecError

corpora = copies(sentence(20))


def sums(pairs, order):
    """Matches, n-grams of hypotheses and of references, by order, over pairs of token lists."""
    orders = range(1, order + 1)
    return [
        (
            sum(match(hyp, [ref], n) for hyp, ref in pairs),
            sum(total(hyp, n) for hyp, _ in pairs),
            sum(total(ref, n) for _, ref in pairs),
        )
        for n in orders
    ]


def ratio(a, b):
    return a / b if b else 0.0


def simbleu(pairs, part, order=4, beta=1.0):
    values = []
    for m, l, k in sums(pairs, order):
        if l == k == 0:
            continue
        p, r = ratio(m, l), ratio(m, k)
        f = ratio((1 + beta**2) * p * r, beta**2 * p + r)
        values.append({"precision": p, "recall": r, "f": f}[part])
    return sum(values) / len(values) if values else 0.0


def amber(pairs, theta1, theta2, alpha, order, recall_order, weights):
    counts = sums(pairs, order)
    p, r = [ratio(m, l) for m, l, _ in counts], [ratio(m, k) for m, _, k in counts]

    def f(x, y):
        return ratio(x * y, alpha * x + (1 - alpha) * y)

    M = min(order, recall_order)
    avg_p, avg_r = sum(p) / order, sum(r[:M]) / M
    avg_f = sum(map(f, p, r)) / order
    score = theta1 * avg_p + theta2 * f(avg_p, avg_r) + (1 - theta1 - theta2) * avg_f
    words = [(len(hyp), len(ref)) for hyp, ref in pairs]
    characters = [(len("".join(hyp)), len("".join(ref))) for hyp, ref in pairs]
    for lengths, (brevity, redundancy) in ((words, weights[:2]), (characters, weights[2:])):
        wanted, short = sum(r for _, r in lengths), sum(map(min, lengths))
        long = sum(map(max, lengths))
        if brevity:
            score *= math.exp(1 - wanted / short) ** brevity if short else 0.0
        if redundancy:
            score *= math.exp(1 - long / wanted) ** redundancy if wanted else 0.0
    return score


def chosen(metric, hyps, refs):
    """The pairs of each hypothesis with the reference that scores best on its own, of equals the nearest in length."""

    def key(hyp, ref):
        c, r = len(hyp.split()), len(ref.split())
        counts = metric.stats([hyp], [ref]).values[0]
        return float(metric.segment(hyp, ref)), -abs(c - r), -r, [-x for x in counts]

    best = [max(entry, key=partial(key, hyp)) for hyp, entry in zip(hyps, refs, strict=True)]
    return [(hyp.split(), ref.split()) for hyp, ref in zip(hyps, best, strict=True)]


@given(corpora, st.sampled_from(["precision", "recall", "f"]), st.integers(1, 5), st.sampled_from([0.5, 1.0, 2.0]))
def test_simbleu(data, part, order, beta):
    hyps, refs = data
    made = SimBLEU(part=part, order=order, beta=beta, tokenize="none")
    assert float(made(hyps, refs)) == pytest.approx(simbleu(chosen(made, hyps, refs), part, order, beta), abs=1e-12)
    for hyp, entry, found in zip(hyps, refs, made.segments(hyps, refs), strict=True):
        each = [simbleu([(hyp.split(), ref.split())], part, order, beta) for ref in entry]
        assert found == pytest.approx(max(each), abs=1e-12)


@given(
    corpora,
    st.tuples(st.floats(0, 0.5), st.floats(0, 0.5)),
    st.floats(0.1, 0.9),
    st.integers(1, 4),
    st.integers(1, 5),
    st.tuples(*[st.sampled_from([0.0, 0.5, 1.0])] * 4),
)
def test_amber(data, thetas, alpha, order, recall_order, weights):
    hyps, refs = data
    recall_order = min(recall_order, order)
    names = ("brevity", "redundancy", "char_brevity", "char_redundancy")
    made = AMBER(
        theta1=thetas[0], theta2=thetas[1], alpha=alpha, order=order, recall_order=recall_order,
        tokenize="none", lowercase=False, **dict(zip(names, weights, strict=True)),
    )  # fmt: skip
    given_to_oracle = (*thetas, alpha, order, recall_order, weights)
    expected = amber(chosen(made, hyps, refs), *given_to_oracle)
    assert float(made(hyps, refs)) == pytest.approx(expected, abs=1e-12)
    for hyp, entry, found in zip(hyps, refs, made.segments(hyps, refs), strict=True):
        assert found == pytest.approx(
            max(amber([(hyp.split(), ref.split())], *given_to_oracle) for ref in entry), abs=1e-12
        )


@settings(max_examples=50)
@given(adversarial, adversarial)
def test_any_text(hyp, ref):
    for made in (SimBLEU(), AMBER(), SimBLEU(part="recall", tokenize="universal")):
        assert 0 <= float(made.segment(hyp, [ref, hyp])) <= 1 + 1e-12
        stats = made.stats([hyp], [[ref]]).values
        assert stats.tolist() == [made.segment(hyp, ref).stats.values.tolist()]


def test_long_texts():
    hyp, ref = [f"w{i % 70}" for i in range(200)], [f"w{i % 69}" for i in range(180)]
    made = SimBLEU(tokenize="none")
    assert float(made.segment(" ".join(hyp), " ".join(ref))) == pytest.approx(simbleu([(hyp, ref)], "f"))


def test_edges():
    for made in (SimBLEU(), AMBER()):
        for hyp, ref in [("", "a"), ("a", ""), ("", "")]:
            assert float(made.segment(hyp, ref)) == 0
            assert made.segments([hyp], [ref])[0] == 0
    assert float(SimBLEU().segment("a", "a")) == 1
    assert float(SimBLEU().segment("a b", "a b c d")) == pytest.approx((2 / 3 + 0.5) / 4)


def test_characters_leave_out_white_space():
    stats = AMBER(tokenize="none").stats(["ab  c\td"], ["über alles"])
    assert stats["hyp_chars"][0] == 4 and stats["ref_chars"][0] == 9
    assert stats["min_chars"][0] == 4 and stats["max_chars"][0] == 9


def test_token_numbers():
    for made in (SimBLEU(), AMBER()):
        score = made([[1, 2, 3], [7]], [[[1, 2, 3], [4]], [[8]]])
        assert "|tok:ids|" in score.signature
        assert 0 < float(score) < 1
    assert AMBER().stats([np.array([1, 2])], [[[1, 2, 3]]])["ref_chars"][0] == 3


def test_weights_that_exceed_the_whole_are_refused():
    with pytest.raises(SpecError, match=r"theta1 \+ theta2 must not exceed 1"):
        AMBER(theta1=0.6, theta2=0.5)
    with pytest.raises(SpecError, match="alpha must be a number from 0 to 1"):
        AMBER(alpha=3)


def test_the_signature_leaves_beta_to_f():
    assert "|part:recall|order:4|beta:none|" in SimBLEU(part="recall", beta=2).signature()
    assert "|part:f|order:4|beta:2|" in SimBLEU(beta=2).signature()


def test_the_list_of_metrics_ends_with_what_is_not_here():
    from tricolore import list_metrics

    shown = str(list_metrics())
    for name in ("RED", "ParaEval", "SRL", "SPEDE"):
        assert f"\n{name} " in shown
