"""`audit`, sensitivity, biases and straw men: metrics known to notice, and metrics known to miss."""

import math
import unicodedata
from hashlib import sha256
from itertools import permutations
from random import Random

import numpy as np
import pytest

import tricolore as tri
from tricolore.examples import REFERENCES, SYSTEMS, lines
from tricolore.judge.audit.biases import mean_with_p_value
from tricolore.judge.audit.damage import KINDS, Damage, negates
from tricolore.judge.correlation.statistics import spearman_rows

REFS = [
    f"Sentence {i} , with {i % 7 + 3} long and short words , is not easy to compare or to read ." for i in range(60)
]


def damaged(kind, words, share=1.0, **how):
    return Damage(kind, [words.split()], 1, **how).damaged(share)[0]


# Damage ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("drop", ""),
        ("repeat", "A A dog, dog, ran ran home home"),
        ("swap", "dog, A home ran"),
        ("reverse", "home ran dog, A"),
        ("truncate", ""),
        ("copy", "Ein Hund"),
        ("case", "a DOG, RAN HOME"),
        ("punctuation", "A dog ran home"),
        ("join", "Adog,ranhome"),
        ("digits", "A dog, ran home"),
    ],
)
def test_what_is_damaged(kind, expected):
    assert damaged(kind, "A dog, ran home", sources=[["Ein", "Hund"]]) == expected.split()


def test_damage_that_is_drawn_at_random():
    text = "alpha bravo charlie delta echo 1984"
    words = text.split()
    inserted, padded, shuffled = (damaged(kind, text) for kind in ("insert", "pad", "shuffle"))
    assert (inserted[::2], len(inserted)) == (words, 12)
    assert {*inserted} <= {*words}
    assert (padded[:6], len(padded)) == (words, 12)
    assert sorted(shuffled[:4]) == sorted(words[:4])
    assert sorted(shuffled[4:]) == sorted(words[4:])
    for before, after in zip(words[:5], damaged("letters", text)[:5], strict=True):
        assert before != after
        assert sorted(before) == sorted(after)
    for before, after in zip(words[:5], damaged("suffix", text)[:5], strict=True):
        assert before != after
        assert before[:-2] == after[: len(before) - 2]
    assert "".join(damaged("split", text)) == "".join(words)
    assert len(damaged("split", text)) == 12
    (year,) = (word for word in damaged("digits", text) if word.isdigit())
    assert all(a != b for a, b in zip(year, "1984", strict=True))


def test_negations():
    assert damaged("negation", "It is not, I said, never mine; don't!") == ["It", "is", "I", "said,", "mine;"]
    assert damaged("negation", "so wahr ich nix sage", negations=["nix"]) == ["so", "wahr", "ich", "sage"]
    assert not negates(["no"])("nose")


@pytest.mark.parametrize("kind", KINDS)
def test_more_damage_includes_less_and_depends_only_on_the_seed(kind):
    segments = [ref.split() for ref in REFS]
    sources = [["quelle", str(i)] for i in range(len(REFS))]
    made = Damage(kind, segments, 7, sources)
    little, much = (made.damaged(share) for share in (0.1, 0.6))
    assert little == Damage(kind, segments, 7, sources).damaged(0.1)
    changed = [[a != b for a, b in zip(segments, damaged, strict=True)] for damaged in (little, much)]
    assert sum(changed[1]) > 0
    if kind not in ("reverse", "swap", "shuffle"):  # of which two can undo each other
        assert all(b for a, b in zip(*changed, strict=True) if a)
    if kind not in ("reverse", "truncate", "pad", "digits", "negation"):  # whose spans are rounded, or that are rare
        assert sum(changed[0]) > 0


# Sensitivity -------------------------------------------------------------------------------------------------------


def words_kept(hyps, refs):
    """Recall of words, whatever their order and however many others there are."""
    return [len({*ref.split()} & {*hyp.split()}) / len({*ref.split()}) for hyp, ref in zip(hyps, refs, strict=True)]


def verbosity(hyps, refs):
    """The longer the better."""
    return [float(len(hyp.split())) for hyp in hyps]


def responses(*metrics, **how):
    found = tri.audit({"same": REFS}, REFS, list(metrics), only="sensitivity", **how)
    return found, {(one.metric, one.damage): one for one in found["sensitivity"].responses}


def test_what_metrics_are_known_to_notice_and_to_miss():
    found, of = responses(words_kept, verbosity, "bleu", "chrf", source=["quelle"] * len(REFS))
    assert of["words_kept", "drop"].detected is not None
    assert of["words_kept", "letters"].detected is not None
    for kind in ("repeat", "insert", "swap", "shuffle", "reverse", "pad"):
        assert of["words_kept", kind].detected is None, kind
    assert of["verbosity", "repeat"].rewarded
    assert not of["verbosity", "repeat"].monotone
    assert not found.verdict("verbosity", "monotone").holds
    assert of["verbosity", "drop"].detected is not None
    assert not of["words_kept", "repeat"].rewarded
    assert found.verdict("bleu", "monotone").holds
    assert found.verdict("bleu", "detects damage").holds
    assert not found.verdict("words_kept", "detects damage").holds
    assert of["chrf", "split"].detected is None  # chrF ignores spaces
    assert of["bleu", "split"].detected <= 0.05
    assert of["bleu", "copy"].detected is not None


def test_damage_of_too_few_segments_does_not_count_against_a_metric():
    """With five damaged segments no two-sided paired test has p < 0.05, whatever the metric; with six it has."""
    plain = [f"all the words of segment number {'abcdefghijkl'[i]} are letters" for i in range(12)]
    for few, testable in ((5, False), (6, True)):
        texts = [text.replace("words", "2024 words") if i < few else text for i, text in enumerate(plain)]
        found = tri.audit(
            {"a": texts}, texts, ["wer"], only="sensitivity", damage=["drop", "digits"], shares=[0.5, 1.0]
        )
        of = {one.damage: one for one in found["sensitivity"].responses}
        assert (of["digits"].segments[1], of["digits"].testable) == (few, testable)
        assert (of["digits"].detected is not None) == testable
        assert of["drop"].testable
        assert found.verdict("wer", "detects damage").shown == ("2/2" if testable else "1/1")
        assert any("6 damaged segments: digits" in note for note in found["sensitivity"].notes) != testable
    alone = tri.audit({"a": texts[:1]}, texts[:1], ["wer"], only="sensitivity")
    assert alone.verdict("wer", "detects damage").holds is None


def test_a_metric_of_noise_detects_no_more_damage_than_the_level_allows():
    """Scores that only depend on chance: at most 5 % of the kinds are detected by mistake, six shares or not."""
    found = []
    for seed in range(20):

        def noise(hyps, refs, seed=seed):
            return [int.from_bytes(sha256(f"{seed}{hyp}".encode()).digest()[:4]) / 2**32 for hyp in hyps]

        kinds = [kind for kind in KINDS if kind not in ("copy", "negation")]
        (audit,) = [tri.audit({"a": REFS}, REFS, [noise], only="sensitivity", trials=199, damage=kinds, seed=seed + 1)]
        found += audit["sensitivity"].responses
    assert len(found) > 250
    assert sum(one.detected is not None for one in found) / len(found) < 0.05
    assert sum(one.rewarded for one in found) / len(found) < 0.05
    assert any(np.less(one.p_values, 0.05).any() for one in found)


def test_text_without_spaces_keeps_its_other_spaces_and_sources():
    texts = ["我用 iPhone 15 拍照,然后我们去纽约中央公园散步吧。", "我不喜欢吃苹果,因为它太酸了。"] * 6
    sources = ["I take pictures with it , then we go .", "I do not like apples ."] * 6
    found = tri.audit({"a": texts}, texts, ["bleu(tokenize=zh)"], only="sensitivity", source=sources, negations=["不"])
    shown = {one.damage: one for one in found["sensitivity"].examples}
    assert shown["copy"].after in sources
    assert shown["negation"].after == "我喜欢吃苹果,因为它太酸了。"
    assert "iPhone 15 拍" in shown["punctuation"].after.replace(" 拍", " 拍")
    assert "我用 iPhone " in shown["digits"].after
    assert shown["digits"].after.endswith(" 拍照,然后我们去纽约中央公园散步吧。")
    assert "join" not in shown  # words are joined already
    assert any("join" in note for note in found["sensitivity"].notes)


def test_responses_are_scores_of_the_damaged_text():
    _, of = responses("bleu", "ter", damage=["drop", "case"], shares=[0.1, 0.5])
    for kind in ("drop", "case"):
        for i, share in enumerate((0.1, 0.5)):
            made = Damage(kind, [ref.split() for ref in REFS], 12345).damaged(share)
            texts = [" ".join(words) for words in made]
            for name in ("bleu", "ter"):
                score = 100 * float(tri.metric(name)(texts, REFS))
                assert of[name, kind].scores[i] == pytest.approx(score)
    assert of["bleu", "drop"].damaged[1] == pytest.approx(0.5, abs=0.05)


def test_the_test_is_that_of_compare():
    _, of = responses("chrf", damage=["letters"], shares=[0.02], trials=2000)
    made = Damage("letters", [ref.split() for ref in REFS], 12345).damaged(0.02)
    systems = {"same": REFS, "hurt": [" ".join(words) for words in made]}
    compared = tri.compare(systems, REFS, "chrf", trials=2000)
    assert of["chrf", "letters"].p_values[0] == pytest.approx(compared["chrf"].pair("same", "hurt").p, abs=0.01)


def test_damage_that_does_not_apply_is_told():
    found = tri.audit({"a": ["yes it is", "so"]}, ["yes it is", "so"], "wer", only="sensitivity")
    assert any("copy" in note and "digits" in note for note in found["sensitivity"].notes)
    empty = tri.audit({"a": ["", ""]}, ["yes it is", "so"], "wer", only="sensitivity")
    assert (empty.verdict("wer", "detects damage").holds, empty.summary().rows[0][-1]) == (None, "–")


def test_copies_of_the_source_that_are_asked_for_require_it():
    for how in ({"damage": ["copy"]}, {"damage": ["drop", "copy"], "only": "sensitivity"}):
        with pytest.raises(tri.SpecError, match=r"^damage: copy requires source texts \(source=\.\.\.\)$"):
            tri.audit({"a": ["x"]}, ["x"], "wer", **how)
    tri.audit({"a": ["x"]}, ["x"], "wer", only="straw-men", damage=["copy"])


def test_functions_of_the_same_name_are_told():
    with pytest.raises(
        tri.SpecError, match=r"^metrics: two functions are named <lambda>; set __name__ of one of them$"
    ):
        tri.audit({"a": ["x"]}, ["x"], [lambda hyps, refs: [1.0], lambda hyps, refs: [2.0]])
    with pytest.raises(tri.SpecError, match=r"^metrics: ter is given twice$"):
        tri.audit({"a": ["x"]}, ["x"], ["ter", "ter"])


@pytest.mark.parametrize("names", ["ab", "ba"])
def test_whether_words_have_spaces_is_seen_from_the_references(names):
    """A system that leaves the source untranslated does not decide it, whatever the order of systems."""
    refs = ["我不喜欢吃苹果,因为它太酸了。", "我们去纽约中央公园散步吧。"] * 4
    outputs = {"a": ["I do not like apples.", "Let us take a walk."] * 4, "b": [ref[1:] for ref in refs]}
    systems = {name: outputs[name] for name in names}
    found = tri.audit(systems, refs, "chrf", only=["sensitivity", "straw-men"], damage=["drop"], damaged="b")
    (shown,) = found["sensitivity"].examples
    assert 1 < len(shown.after) < len(shown.before)
    (rank,) = [one for one in found["straw-men"].ranks if one.name == "straw-shuffled"]
    assert "a" in rank.above


def test_damage_that_hits_nothing_is_told_apart():
    found = tri.audit(
        {"a": ["7 boats"]}, ["7 boats"], "wer", only="sensitivity", shares=[1e-9], damage=["digits", "case"]
    )
    (note,) = [note for note in found["sensitivity"].notes if "changed nothing" in note]
    assert "digits" in note and "case" in note
    assert not any("does not apply" in note for note in found["sensitivity"].notes)


def test_in_text_without_spaces_those_after_a_word_are_no_part_of_it():
    words = ["iPhone ", "很", "not "]
    assert Damage("letters", [words], 1).applicable() == 2
    assert Damage("negation", [words], 1).applicable() == 1
    assert Damage("suffix", [words], 1).damaged(1.0)[0][0].endswith(" ")


# Biases ------------------------------------------------------------------------------------------------------------


def biases(systems, refs, *metrics, **how):
    return tri.audit(systems, refs, list(metrics), only="biases", **how)


def test_length_and_position():
    def shortness(hyps, refs):
        return [-float(len(hyp.split())) for hyp in hyps]

    texts = [" ".join(["word"] * n) for n in range(1, 12)]
    found = biases({"a": texts}, texts, verbosity, shortness)["biases"]
    assert [one.length for one in found.biases] == pytest.approx([1, -1])
    assert [one.position for one in found.biases] == pytest.approx([1, -1])
    assert found.agreements[0].segments == pytest.approx(-1)
    assert found.clusters == (("verbosity",), ("shortness",))


def test_sentences_about_length_know_which_direction_is_better():
    texts = [" ".join(["word"] * n) for n in range(1, 12)]
    sentences = [
        tri.audit({"a": texts}, texts, [verbosity], only="biases", lower_is_better=lower)
        .verdict("verbosity", "length")
        .sentence
        for lower in ((), ("verbosity",))
    ]
    assert sentences == [
        f"Longer outputs tend to get the {which} score (Spearman +1.00, p = 0.002)." for which in ("better", "worse")
    ]


def test_length_has_no_direction_that_chance_explains():
    """A hash as a metric knows nothing of length: 5 % of its correlations have p < 0.05."""
    said = []
    for seed in range(60):
        draw = Random(seed)

        def mood(hyps, refs, seed=seed):
            return [int.from_bytes(sha256(f"{seed}{hyp}".encode()).digest()[:4], "big") / 2**32 for hyp in hyps]

        refs = [" ".join(f"w{draw.randrange(9)}" for _ in range(draw.randint(3, 25))) for _ in range(12)]
        systems = {name: [f"{name} {ref}" for ref in refs] for name in "abcd"}
        said.append(biases(systems, refs, mood).verdict("mood", "length").sentence)
    assert sum("cannot be told from 0 on 12 segments" in one for one in said) >= 54


def test_the_variance_of_the_mean_correlation_is_that_of_all_permutations():
    x, y = np.array([[1, 2, 3, 4, 9], [1, 3, 2, 5, 4.0]]), np.array([[3, 1, 2, 5, 4], [5, 1, 1, 2, 3.0]])
    means = [spearman_rows(x, y[:, list(order)]).mean() for order in permutations(range(5))]
    value, p = mean_with_p_value(x, y, spearman_rows(x, y))
    assert value == pytest.approx(means[0])
    assert p == pytest.approx(math.erfc(abs(value) / math.sqrt(2 * np.mean(np.square(means)))))


def test_case_and_unicode():
    texts = ["Der Bär schläft Ökologisch"] * 4
    found = biases({"a": texts}, texts, "bleu", "ter", "bleu(lowercase=true)")
    assert [found.verdict(name, "ignores case").holds for name in ("bleu", "ter", "bleu(lowercase=true)")] == [
        False,
        True,
        True,
    ]
    assert not found.verdict("bleu", "ignores Unicode form").holds
    decomposed = [unicodedata.normalize("NFD", text) for text in texts]
    change = 100 * (float(tri.BLEU()(decomposed, texts)) - 1)
    assert found.verdict("bleu", "ignores Unicode form").number == pytest.approx(change)

    def blind(hyps, refs):
        return [float(unicodedata.normalize("NFC", hyp) == ref) for hyp, ref in zip(hyps, refs, strict=True)]

    assert biases({"a": texts}, texts, blind).verdict("blind", "ignores Unicode form").holds
    assert biases({"a": ["plain"]}, ["plain"], "bleu").verdict("bleu", "ignores Unicode form").holds is None


def test_references_and_tokenisers_give_the_scores_of_the_metric():
    refs = [lines(name) for name in REFERENCES]
    systems = {name: lines(name) for name in SYSTEMS}
    found = biases(systems, tri.References.from_streams(refs), "bleu", "nist", "chrf", damaged="fluent")["biases"]
    bleu, nist, chrf = found.biases
    for one in (bleu, nist, chrf):
        metric = tri.metric(one.metric)
        scale = metric.display_scale
        alone = float(metric(systems["fluent"], refs[0])) * scale
        both = float(metric(systems["fluent"], tri.References.from_streams(refs))) * scale
        assert one.with_references == pytest.approx((alone, both))
    assert chrf.tokenisers == {}
    for name, score in bleu.tokenisers.items():
        other = tri.BLEU(tokenize=name)(systems["fluent"], tri.References.from_streams(refs))
        assert score == pytest.approx(100 * float(other))
    assert math.isnan(bleu.references)


def test_tokenisers_that_reorder_systems_are_counted():
    refs = ["a b c d e f g h i j"]
    systems = {"words": ["a b c d x x x x x x"], "letters": ["abcdefghij"]}
    found = biases(systems, refs, "bleu(order=1)", "bleu(order=1, tokenize=char)")
    assert not found.verdict("bleu(order=1)", "tokenisers agree").holds
    assert found["biases"].biases[0].reordered == 1
    assert "1 of 1 pair of systems" in found.verdict("bleu(order=1)", "tokenisers agree").sentence
    same = biases({"a": ["a b"], "b": ["x y"]}, ["a b"], "bleu(order=1)")
    assert same.verdict("bleu(order=1)", "tokenisers agree").holds
    tied = biases({"a": ["y"], "b": ["x"]}, ["a b"], "bleu(order=1)", "ter")
    assert tied.verdict("bleu(order=1)", "tokenisers agree").holds is None
    assert [row[-1] for row in tied.summary().rows] == ["±0.00", "n/a"]
    alone = biases({"a": ["a b"]}, ["a b"], "bleu(order=1)")
    assert alone.verdict("bleu(order=1)", "tokenisers agree").holds is None


def test_metrics_that_say_the_same_are_a_cluster():
    systems = {name: lines(name) for name in SYSTEMS}
    found = biases(systems, lines(REFERENCES[0]), "wer", "wrr", verbosity)["biases"]
    assert found.clusters == (("wer", "wrr"), ("verbosity",))
    first = next(one for one in found.agreements if {one.first, one.second} == {"wer", "wrr"})
    assert (first.segments, first.systems) == (pytest.approx(1), pytest.approx(1))


# Straw men ---------------------------------------------------------------------------------------------------------


def test_straw_men_fool_metrics_that_are_known_to_be_fooled():
    systems = {name: lines(name) for name in SYSTEMS}
    found = tri.audit(systems, lines(REFERENCES[0]), [verbosity, words_kept, "ter"], only="straw-men")
    assert not found.verdict("verbosity", "straw men").holds
    assert found.verdict("ter", "straw men").holds
    ranks = {(one.metric, one.name): one for one in found["straw-men"].ranks}
    assert ranks["verbosity", "straw-repeated"].rank == 1
    assert ranks["verbosity", "straw-short"].rank == 5
    assert ranks["words_kept", "straw-shuffled"].above != ()
    assert all(one.systems == 4 for one in ranks.values())
    assert np.isfinite([one.score for one in ranks.values()]).all()


def test_straw_men_that_are_a_system_are_left_out():
    systems = {"a": ["one two three four", "five"], "b": ["one", "five"]}  # the first quarter of each output
    found = tri.audit(systems, ["one two three four", "five"], "wer", only="straw-men")
    assert "straw-short" not in {one.name for one in found["straw-men"].ranks}
    assert found["straw-men"].notes == ("Left out, as their outputs are those of a system: straw-short.",)
    empty = tri.audit({"a": ["", ""]}, ["x", "y"], "wer", only="straw-men")
    assert empty.verdict("wer", "straw men").holds is None
    assert empty["straw-men"].ranks == ()


def test_examples_show_each_kind_of_damage():
    found = tri.audit({"same": REFS}, REFS, "wer", only="sensitivity", damage=["drop", "case"], shares=[0.3])
    shown = {one.damage: one for one in found["sensitivity"].examples}
    assert [*shown] == ["drop", "case"]
    for kind, one in shown.items():
        made = Damage(kind, [ref.split() for ref in REFS], 12345).damaged(0.3)
        assert (one.before, one.after) == (REFS[one.segment - 1], " ".join(made[one.segment - 1]))
        assert one.before != one.after
