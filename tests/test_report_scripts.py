"""The scripts of reports: what they compute equals what the library computes."""

import math
import random
import re
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from report_data import SCRIPTS, call, corpus, node, run_node

import tricolore as tri
from tricolore.judge.multiplicity import clusters, holm
from tricolore.metrics import expanded, metric
from tricolore.reporting.contents import stream_state
from tricolore.reporting.formulas import formula_of
from tricolore.reporting.html_page import _environment, asset, bundle
from tricolore.results import decimal
from tricolore.tokenizers import tokenize

pytest.importorskip("jinja2", reason="Jinja2 is not installed")

ASSETS = sorted(name for name in _environment().list_templates() if name.endswith(".js"))
OTHERS = ["bleu(smooth=add-k)", "bleu(smooth=7)", "bleu(order=6)", "chrf(eps_smoothing=true)", "meteor(version=1.5)"]


def test_scripts_alone():
    command = [node(), "--test", str(SCRIPTS / "pages.test.mjs")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("first", ["main.js", "static.js"])
def test_scripts_make_one_that_ends_no_element(first, tmp_path):
    whole = bundle(first)
    file = tmp_path / "bundle.mjs"
    file.write_text(whole, encoding="utf-8")
    subprocess.run([node(), "--check", str(file)], check=True)
    assert not re.search(r"</script|<!--|^import |^export ", whole, re.IGNORECASE | re.MULTILINE)


def test_text_is_never_read_as_markup():
    for name in ASSETS:
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", asset(name)
        )


def test_what_is_exported_is_imported_elsewhere_or_tested():
    tests = "".join(file.read_text(encoding="utf-8") for file in SCRIPTS.glob("*.mjs"))
    tests += Path(__file__).read_text(encoding="utf-8")
    for name in ASSETS:
        others = tests + "".join(asset(other) for other in ASSETS if other != name)
        for exported in re.findall(r"^export (?:async )?(?:function|const|class|let) (\w+)", asset(name), re.MULTILINE):
            assert re.search(rf"\b{exported}\b", others), f"{name} exports {exported}, which nobody imports"


# Formulas ----------------------------------------------------------------------------------------------------------


def test_formulas_score_as_the_metrics():
    outputs, refs = corpus(12)
    hyps = [*outputs["poor"][:10], "", refs[11]]
    cases = []
    for text in (*map(str, expanded(["all"])), *OTHERS):
        ready = metric(text).ready_for(tri.References(refs))
        rows = ready.stats(hyps, refs).values
        cases += [(ready, np.vstack([rows, rows.cumsum(axis=0)])), (ready.for_segments, rows)]
    calls = [("formulas.js", "evaluate", [formula_of(one), rows.T.tolist(), len(rows)]) for one, rows in cases]
    assert len(cases) > 60
    for found, (one, rows) in zip(call(*calls), cases, strict=True):
        np.testing.assert_allclose(found, one.score(rows), rtol=1e-13, atol=1e-15, err_msg=one.spec)


def test_long_columns_are_scored_in_parts():
    steps = formula_of(metric("wer"))
    columns = [list(map(float, range(10_000))), [1.0] * 10_000, [4.0] * 10_000]
    (found,) = call(("formulas.js", "evaluate", [steps, columns, 10_000]))
    assert found[9_999] == 9_999 / 4


# Draws and tests ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 12345, 2**100 + 7])
@pytest.mark.parametrize("number", [2, 7, 1000, 3 * 2**18])
def test_draws_are_those_of_numpy(seed, number):
    expected = np.random.default_rng(seed).integers(number, size=500).tolist()
    assert run_node("draw.mjs", [stream_state(seed), "below", number, 500]) == expected


@pytest.mark.parametrize("width", [1, 3, 8])
def test_coins_are_those_of_numpy(width):
    coins = np.random.default_rng(3).integers(2, size=400 * width, dtype=bool).reshape(400, width)
    expected = (coins * 2 ** np.arange(width)).sum(axis=1).tolist()
    assert run_node("draw.mjs", [stream_state(3), "bits", width, 400]) == expected


def test_a_draw_of_one_is_nothing():
    assert run_node("draw.mjs", [stream_state(3), "below", 1, 3]) == [0, 0, 0]


def compared_by_script(name, outputs, refs, chosen, settings):
    """What the page computes of some segments."""
    one = metric(name)
    rows = [one.stats(output, refs).values for output in outputs.values()]
    columns = [[column.tolist() for column in own.T] for own in rows]
    described = {"formula": formula_of(one), "higher": one.higher_is_better}
    return call(("significance.js", "compareOn", [described, columns, chosen, settings]))[0]


@pytest.mark.parametrize("test", ["ar", "bs"])
@pytest.mark.parametrize("name", ["bleu", "chrf", "ter"])
@pytest.mark.parametrize("size", [2, 9, 40])
def test_some_segments_are_compared_as_the_library_compares_them(name, size, test):
    outputs, refs = corpus()
    outputs["copy"] = outputs["fair"]
    chosen = sorted(random.Random(size).sample(range(60), size))
    how = {"test": test, "resamples": 200, "level": 0.9} | ({"trials": 500} if test == "ar" else {})
    settings = {"trials": 500, **how, "alpha": 0.1, "stream": stream_state(7)}
    found = compared_by_script(name, outputs, refs, chosen, settings)
    part = {system: [output[i] for i in chosen] for system, output in outputs.items()}
    expected = tri.compare(part, [refs[i] for i in chosen], name, seed=7, **how)[name]
    names = [*outputs]
    assert [names[i] for i in found["order"]] == [one.name for one in expected.systems]
    for one in expected.systems:
        k = names.index(one.name)
        assert found["scores"][k] == pytest.approx(one.score, rel=1e-13)
        assert found["intervals"][k]["low"] == pytest.approx(one.interval.low, rel=1e-12)
        assert found["intervals"][k]["high"] == pytest.approx(one.interval.high, rel=1e-12)
        assert found["clusters"][k] == one.cluster
    for pair in found["pairs"]:
        one = expected.pair(names[pair["a"]], names[pair["b"]])
        assert pair["p"] == pytest.approx(one.p, rel=1e-12)
        assert pair["adjusted"] == pytest.approx(one.p_adjusted, rel=1e-12)
        assert pair["difference"] == pytest.approx(one.difference, rel=1e-10, abs=1e-15)
        assert pair["low"] == pytest.approx(one.interval.low, rel=1e-10, abs=1e-15)
        assert pair["effect"] == pytest.approx(one.effect, rel=1e-9, nan_ok=True)


def test_one_segment_has_a_score_and_no_interval():
    outputs, refs = corpus(5)
    settings = {"test": "ar", "trials": 10, "resamples": 10, "level": 0.95, "alpha": 0.05, "stream": stream_state(1)}
    found = compared_by_script("chrf", outputs, refs, [3], settings)
    assert found["pairs"] == [] and found["scores"][0] == pytest.approx(
        float(tri.ChrF()([outputs["good"][3]], [refs[3]]))
    )


def test_holm_clusters_and_quantiles():
    chance = random.Random(5)
    p_values = [[chance.random() ** 2 for _ in range(n)] for n in range(8)]
    for found, given in zip(call(*(("significance.js", "holm", [p]) for p in p_values)), p_values, strict=True):
        assert found == pytest.approx(holm(given))
    values = [chance.gauss(0, 1) for _ in range(37)]
    (found,) = call(("significance.js", "quantiles", [values, [0.025, 0.5, 0.9, 1]]))
    assert found == np.quantile(values, [0.025, 0.5, 0.9, 1]).tolist()
    assert clusters(3, lambda i, j: j - i > 1) == [1, 1, 2]


# Texts -------------------------------------------------------------------------------------------------------------

TEXTS = [
    "It costs $3.50, doesn't it? 1,000-2,000 ... a.b ,5 5, 'x' -- 7-8 U.S.",
    "Ça coûte 3,50 €, n’est-ce pas ? «Oui» – naïve…",
    "猫が好きです。今日は2.5時間、歩いた！ ภาษาไทย ข้อความ",
    "यह एक वाक्य है। वह घर गया, और सो गया।",
    "هذه جملة عربية، أليس كذلك؟ ٣٫٥",
    "",
    " \u00a0 ",
    "....5 ,, .5. a..b 5..5 5...5",
]


@pytest.mark.parametrize("text", TEXTS)
def test_words_are_those_of_the_universal_tokenizer(text):
    assert call(("tokens.js", "words", [text])) == [tokenize(text, "universal")]


def random_lists(seed, number=60, types=5, longest=14):
    chance = random.Random(seed)
    return [[chance.choices("abcdefgh"[:types], k=chance.randint(0, longest)) for _ in range(2)] for _ in range(number)]


@pytest.mark.parametrize("types", [2, 4, 8])
def test_edits_are_those_of_align(types):
    pairs = random_lists(types, types=types)
    letters = {"equal": "=", "substitute": "S", "insert": "I", "delete": "D"}
    for found, (hyp, ref) in zip(call(*(("alignment.js", "editScript", pair) for pair in pairs)), pairs, strict=True):
        made = tri.align(" ".join(hyp), " ".join(ref))
        assert found == "".join(letters[one.kind] * len(one) for one in made.operations), (hyp, ref)


@pytest.mark.parametrize("types", [3, 5, 8])
def test_shifts_and_edits_are_those_of_ter(types):
    pairs = random_lists(100 + types, number=80, types=types, longest=20)
    pairs += [(hyp, ref) for hyp, ref in random_lists(9, number=6, types=8, longest=90)]
    rows = tri.TER().stats([" ".join(hyp) for hyp, _ in pairs], [" ".join(ref) for _, ref in pairs])
    for k, found in enumerate(call(*(("alignment.js", "terAlignment", pair) for pair in pairs))):
        hyp, ref = pairs[k]
        expected = rows["edits"][k] if ref else len(hyp)
        assert (found["edits"], len(found["shifts"])) == (expected, rows["shifts"][k]), pairs[k]
        assert sorted(found["order"]) == [*range(len(hyp))]


def slow_counts(segments, n):
    """How often references, a and b have each n-gram, and how often it is right."""
    total = {}
    for references, a, b in segments:
        most = Counter()
        for reference in references:
            most |= Counter(zip(*(reference[k:] for k in range(n)), strict=False))
        of_a, of_b = (Counter(zip(*(text[k:] for k in range(n)), strict=False)) for text in (a, b))
        for gram in {*most, *of_a, *of_b}:
            row = (most[gram], of_a[gram], of_b[gram], min(most[gram], of_a[gram]), min(most[gram], of_b[gram]))
            total[" ".join(gram)] = tuple(map(sum, zip(total.get(" ".join(gram), (0,) * 5), row, strict=True)))
    return total


@pytest.mark.parametrize("n", [1, 2, 3])
def test_n_grams_are_counted_with_clipping_over_all_references(n):
    outputs, refs = corpus(30)
    _, others = corpus(30, seed=2)
    texts = [
        {"references": [ref, other], "a": a, "b": b}
        for ref, other, a, b in zip(refs, others, outputs["good"], outputs["poor"], strict=True)
    ]
    counts, sides, wrong = run_node("count.mjs", [texts, n])
    cut = [[[*map(words_of, one["references"])], words_of(one["a"]), words_of(one["b"])] for one in texts]
    expected = slow_counts(cut, n)
    keys = ("reference", "a", "b", "rightA", "rightB")
    assert {one["gram"]: tuple(one[key] for key in keys) for one in counts} == expected
    for one in sides["better"] + sides["worse"]:
        total, _, _, a, b = expected[one["gram"]]
        odds = math.log((a + 0.5) / (total - a + 0.5)) - math.log((b + 0.5) / (total - b + 0.5))
        assert one["odds"] == pytest.approx(odds)
    assert {one["gram"] for one in sides["better"]} == {gram for gram, row in expected.items() if row[3] > row[4]}
    excess = {gram: row[2] - row[0] for gram, row in expected.items() if row[2] > row[0]}
    assert {one["gram"]: one["excess"] for one in wrong["over"]} == excess


def words_of(text):
    return tokenize(text, "universal")


def test_compounds_are_words_apart_or_joined():
    found = call(
        ("word_counts.js", "compounds", [["die", "haus", "tür", "ist"], [["die", "haustür", "ist"]]]),
        ("word_counts.js", "compounds", [["die", "haustür"], [["die", "haus", "tür"]]]),
        ("word_counts.js", "compounds", [["die", "haustür"], [["die", "haustür"]]]),
    )
    assert found == [[["haustür", "apart"]], [["haustür", "joined"]], []]


def test_numbers_are_written_as_the_library_writes_them():
    chance = random.Random(3)
    cases = [(chance.gauss(0, 50), chance.randint(0, 4)) for _ in range(300)]
    cases += [(k / 8, digits) for k in range(-40, 40) for digits in (0, 1, 2)]
    found = call(*(("numbers.js", "decimal", [value, digits, True]) for value, digits in cases))
    assert found == [decimal(value, digits, "+") for value, digits in cases]
