"""Paired tests and intervals of the drop-in for sacreBLEU beside sacreBLEU itself: the same to the last bit."""

import logging

import pytest
import sacrebleu as peer
import sacrebleu.significance
from test_compat_sacrebleu import METRICS, corpus

import tricolore.compat.sacrebleu as ours
import tricolore.compat.sacrebleu.significance as ours_significance
from tricolore.errors import InputError


@pytest.fixture(scope="module", autouse=True)
def quiet():
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    yield
    logging.getLogger("sacrebleu").setLevel(logging.NOTSET)


def described(result):
    """All numbers of a result, the precision of each, and how it is printed."""
    return vars(result), [*map(type, vars(result).values())], str(result)


def results(module, systems, metrics, refs, **how):
    """Signatures without the version, and all numbers."""
    metrics = {name: getattr(module, name)(**arguments) for name, arguments in metrics}
    signatures, found = (ours_significance if module is ours else peer.significance).PairedTest(
        systems, metrics, refs, **how
    )()
    return (
        {name: one.format().rpartition("|")[0] for name, one in signatures.items()},
        {name: [one if isinstance(one, str) else described(one) for one in column] for name, column in found.items()},
    )


PAIRED = [
    {"test_type": "ar", "n_samples": 150},
    {"test_type": "ar", "n_samples": 33, "n_ar_confidence": 80},
    {"test_type": "bs", "n_samples": 120},
    {"test_type": "bs", "n_samples": 41, "n_jobs": 0},
]


@pytest.mark.parametrize("how", PAIRED, ids=str)
@pytest.mark.parametrize(("name", "arguments"), METRICS, ids=str)
def test_paired_tests_are_the_same_to_the_last_digit(how, name, arguments, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", "5")
    refs = corpus(1, streams=1)[1]
    systems = [("base", corpus(1)[0])]
    systems += [(f"system {seed}", [*corpus(seed)[0][:5], *systems[0][1][5:]]) for seed in (2, 3)]
    systems += [("copy", systems[0][1])]
    found, expected = (results(one, systems, [(name, arguments)], refs, **how) for one in (ours, peer))
    assert found == expected


#: Hypotheses and references; where resamples have no match, or no reference, sacreBLEU's scores are floats of Python.
OF_NOTHING = {
    "no match": (["", "a b c d", "x"], ["", "a b c e", "y"]),
    "no match at all": (["a", "b", "c"], ["d", "e", "f"]),
    "no reference": (["a", "b c", "d"], ["", "b a", ""]),
    "nothing": (["", "", "a"], ["", "", ""]),
}


@pytest.mark.parametrize("how", PAIRED, ids=str)
@pytest.mark.parametrize("name", OF_NOTHING)
def test_resamples_of_nothing_have_the_precision_of_sacrebleu(how, name, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", "5")
    hyps, refs = OF_NOTHING[name]
    systems = [("a", hyps), ("b", hyps[::-1]), ("c", ["b", "a d", "y"])]
    for metric in (("BLEU", {}), ("CHRF", {}), ("CHRF", {"eps_smoothing": True, "word_order": 2}), ("TER", {})):
        found, expected = (results(one, systems, [metric], [refs], **how) for one in (ours, peer))
        assert found == expected


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_intervals_of_nothing_are_those_of_sacrebleu_where_it_has_any(name):
    for hyps, refs in OF_NOTHING.values():
        ours_scored = getattr(ours, name)().corpus_score(hyps, [refs], n_bootstrap=30)
        try:
            scored = getattr(peer, name)().corpus_score(hyps, [refs], n_bootstrap=30)
        except TypeError:  # both kinds of floats: "don't know how to coerce float and float32"
            assert name != "BLEU" and ours_scored._mean > 0
            continue
        both = [(one._mean, one._ci, type(one._mean), str(one)) for one in (ours_scored, scored)]
        assert both[0] == both[1]


@pytest.mark.parametrize("resamples", [2.0, 2.5])
def test_numbers_of_resamples_are_whole(resamples):
    for module in (ours, peer):
        with pytest.raises(TypeError) as caught:
            module.CHRF().corpus_score(["a"], [["a"]], n_bootstrap=resamples)
        assert "\n" not in str(caught.value)
    systems, refs = [("a", ["a"]), ("b", ["b"])], [["a"]]
    with pytest.raises(TypeError, match=f"should be a whole number, got {resamples}"):
        ours_significance.PairedTest(systems, {"TER": ours.TER()}, refs, test_type="bs", n_samples=resamples)


def test_paired_tests_of_several_metrics_use_cached_references():
    refs = corpus(1, streams=2)[1]
    systems = [(str(seed), corpus(seed)[0]) for seed in (1, 2)]
    metrics = [("TER", {"references": refs}), ("BLEU", {"references": refs})]
    found, expected = (results(one, systems, metrics, None, n_samples=50) for one in (ours, peer))
    assert found == expected


def test_defaults_of_paired_tests_and_mistakes():
    hyps, refs = corpus(1)
    systems = [("a", hyps), ("b", hyps[:-1])]
    for one, module in ((ours, ours_significance), (peer, peer.significance)):
        test = module.PairedTest(systems, {"TER": one.TER()}, refs, n_ar_confidence=0)
        assert (test.n_samples, test.n_ar_confidence, test.n_systems) == (10_000, 1000, 1)
    for wrong, message in (
        ({"test_type": "t"}, "must be ar or bs"),
        ({"named_systems": []}, "at least one system"),
    ):
        with pytest.raises(ValueError, match=message):
            ours_significance.PairedTest(**{"named_systems": systems, "metrics": {}, "references": refs} | wrong)
    with pytest.raises(InputError, match="39 hypotheses, but sets of references have 40"):
        ours_significance.PairedTest(systems, {"BLEU": ours.BLEU()}, refs)()
