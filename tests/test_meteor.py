"""METEOR: alignments against all alignments, scores against NLTK where its greedy choice is the best.

Version 1.5 has an oracle of its own, of alignments and of scores."""

import gzip
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from nltk.translate.meteor_score import single_meteor_score
from resources import write_paraphrases, write_wordnet
from strategies import adversarial

from tricolore import METEOR, InputError, InputTypeError, SpecError, _native, metric
from tricolore.metrics.wordnet import WordNet

PLAIN = METEOR(language="none", tokenize="none", lowercase=False)


def all_matches(hyp, ref, senses, phrases):
    """Every (start, length) in the hypothesis that matches a (start, length) in the reference."""

    def alike(a, b):
        return a == b or bool(set(senses.get(a, ())) & set(senses.get(b, ())))

    for i in range(len(hyp)):
        for j in range(len(ref)):
            if alike(hyp[i], ref[j]):
                yield i, 1, j, 1
            for a, b in phrases:
                if tuple(hyp[i : i + len(a)]) == tuple(a) and tuple(ref[j : j + len(b)]) == tuple(b):
                    yield i, len(a), j, len(b)


def best_alignment(hyp, ref, senses=None, phrases=()):
    """Try every set of matches that covers no word twice; (hyp words, ref words, chunks) of the best."""
    matches = list(all_matches(hyp, ref, senses or {}, phrases))
    best = (0, 0, 0, 0)

    def go(i, used, end, key):
        nonlocal best
        if i == len(hyp):
            best = min(best, key)
            return
        words, chunks, distance, ref_words = key
        go(i + 1, used, None, key)
        for start, length, j, ref_length in matches:
            places = set(range(j, j + ref_length))
            if start == i and not places & used:
                covered = (words - length - ref_length, chunks + (end != j), distance + abs(i - j))
                go(i + length, used | places, j + ref_length, (*covered, ref_words - ref_length))

    go(0, frozenset(), None, best)
    return best[3] - best[0], -best[3], best[1]


def counted(counter, hyp, ref):
    [row] = counter.segment(hyp, [ref])
    assert row[3:] == [len(hyp), len(ref)]
    return tuple(row[:3])


def core(senses=(), phrases=(), beam=500):
    return _native.ChunkCounter(0, False, beam, list(senses), [], list(phrases), [], False)


def numbers(most, size=7):
    return st.lists(st.integers(0, most), max_size=size)


@settings(max_examples=400)
@given(st.integers(0, 5).flatmap(lambda most: st.tuples(numbers(most), numbers(most))))
def test_the_alignment_of_equal_words_is_the_best_of_all(texts):
    assert counted(core(), *texts) == best_alignment(*texts)


@settings(max_examples=300)
@given(numbers(4, 6), numbers(4, 6), st.lists(st.lists(st.integers(0, 3), max_size=2), min_size=5, max_size=5))
def test_the_alignment_of_words_that_share_a_sense_is_the_best_of_all(hyp, ref, senses):
    assert counted(core(senses), hyp, ref) == best_alignment(hyp, ref, dict(enumerate(senses)))


spans = st.lists(st.integers(0, 3), min_size=1, max_size=3)


@settings(max_examples=400)
@given(numbers(3, 6), numbers(3, 6), st.lists(st.tuples(spans, spans), max_size=4))
def test_the_alignment_of_spans_is_the_best_of_all(hyp, ref, phrases):
    assert counted(core(phrases=phrases), hyp, ref) == best_alignment(hyp, ref, phrases=phrases)


@settings(max_examples=50)
@given(st.permutations(range(80)), st.permutations(range(90)))
def test_more_than_64_distinct_words(hyp, ref):
    place = {word: j for j, word in enumerate(ref)}
    aligned = [place[word] for word in hyp]
    chunks = sum(i == 0 or aligned[i - 1] + 1 != j for i, j in enumerate(aligned))
    assert counted(core(), hyp, ref) == (80, 80, chunks)


@given(st.lists(st.integers(0, 2), min_size=70, max_size=90), st.lists(st.integers(0, 2), min_size=70, max_size=90))
def test_a_search_that_is_not_exact_still_covers_every_word_that_it_can(hyp, ref):
    covered = sum(min(hyp.count(word), ref.count(word)) for word in range(3))
    for beam in (1, 50):
        hyp_words, ref_words, chunks = counted(core(beam=beam), hyp, ref)
        assert hyp_words == ref_words == covered
        assert 0 < chunks <= max(covered, 1)


def test_a_wider_beam_finds_what_a_narrow_one_misses():
    assert counted(core(beam=1), [3, 1, 2, 3, 1], [1, 3, 1, 1, 2])[2] == 3
    assert counted(core(beam=500), [3, 1, 2, 3, 1], [1, 3, 1, 1, 2])[2] == 2


@pytest.mark.parametrize(
    ("hyp", "ref", "matches", "chunks"),
    [
        ([0] * 5000, [0] * 4000, 4000, 1),
        ([i % 714 for i in range(5000)], [i % 714 for i in range(5000)], 5000, 1),
        ([i * 3 % 714 for i in range(5000)], [i * 5 % 714 for i in range(5000)], None, None),
        ([i * i % 31 for i in range(5000)], [i * i * i % 29 for i in range(5000)], None, None),
    ],
)
def test_long_texts_of_repeated_words_are_bounded(hyp, ref, matches, chunks):
    found = counted(core(), hyp, ref)
    if matches:
        assert found == (matches, matches, chunks)


# Scores ------------------------------------------------------------------------------------------------------


class NoWordNet:
    def synsets(self, word):
        return []


#: Forms on which Porter's stemmer and Snowball's for English agree, by stem.
FORMS = {
    "cat": ["cat", "cats"],
    "walk": ["walk", "walked", "walking"],
    "house": ["house", "houses"],
    "run": ["run", "runs", "running"],
    "connect": ["connect", "connection", "connected"],
    "tree": ["tree", "trees"],
    "blue": ["blue"],
    "on": ["on"],
}


def test_the_stemmers_agree_on_the_words_below():
    import Stemmer

    stem, porter = Stemmer.Stemmer("english").stemWord, PorterStemmer().stem
    for forms in FORMS.values():
        assert {stem(form) for form in forms} == {porter(form) for form in forms}
        assert len({stem(form) for form in forms}) == 1


distinct = st.lists(st.sampled_from(sorted(FORMS)), unique=True, max_size=8).flatmap(
    lambda stems: st.tuples(*(st.sampled_from(FORMS[stem]) for stem in stems))
)


@given(distinct, distinct)
def test_distinct_words_score_as_in_nltk(hyp, ref):
    expected = single_meteor_score(list(ref), list(hyp), wordnet=NoWordNet())
    found = float(METEOR(tokenize="none").segment(" ".join(hyp), " ".join(ref)))
    assert found == pytest.approx(expected, rel=1e-12)


@given(distinct, distinct, st.floats(0.01, 0.99), st.floats(0, 5), st.floats(0, 1))
def test_parameters_score_as_in_nltk(hyp, ref, alpha, beta, gamma):
    expected = single_meteor_score(list(ref), list(hyp), wordnet=NoWordNet(), alpha=alpha, beta=beta, gamma=gamma)
    made = METEOR(tokenize="none", alpha=alpha, beta=beta, gamma=gamma)
    assert float(made.segment(" ".join(hyp), " ".join(ref))) == pytest.approx(expected, rel=1e-12)


def test_the_formula_by_hand():
    score = PLAIN.segment("a b c x", "a b y c z")
    P, R = 3 / 4, 3 / 5
    assert score.precision == P and score.recall == R and score.chunks == 2
    assert score.penalty == pytest.approx(0.5 * (2 / 3) ** 3)
    assert float(score) == pytest.approx(P * R / (0.9 * P + 0.1 * R) * (1 - 0.5 * (2 / 3) ** 3))


def test_nothing_matches_and_nothing_is_there():
    for hyp, ref in [("a", "b"), ("", "a"), ("a", ""), ("", "")]:
        assert float(METEOR().segment(hyp, ref)) == 0
        assert METEOR().segments([hyp], [ref])[0] == 0


def test_a_perfect_translation_is_one_chunk():
    assert float(PLAIN.segment("a b c d", "a b c d")) == 1 - 0.5 / 4**3


def test_of_several_references_the_best_is_taken():
    hyps, refs = ["a b c d", "x y"], [["d c b a", "a b c", "q"], ["x z", "y x"]]
    each = [[float(PLAIN.segment(hyp, ref)) for ref in entry] for hyp, entry in zip(hyps, refs, strict=True)]
    np.testing.assert_allclose(PLAIN.segments(hyps, refs), [max(scores) for scores in each])
    assert float(PLAIN.segment(hyps[0], refs[0])) == max(each[0])
    assert PLAIN(hyps, refs).stats.values.tolist() == [5, 5, 3, 6, 5]


def test_rows_are_the_words_and_chunks():
    stats = PLAIN.stats(["a b c x"], ["a b y c z"])
    assert stats.columns == ("hyp_matches", "ref_matches", "chunks", "hyp_len", "ref_len")
    assert stats.values.tolist() == [[3, 3, 2, 4, 5]]


# Stages ------------------------------------------------------------------------------------------------------


def test_stems():
    assert METEOR().segment("two cats", "a cat").hyp_matches == 1
    assert METEOR(language="none").segment("two cats", "a cat").hyp_matches == 0
    assert METEOR(language="german").segment("des Hauses", "das Haus").hyp_matches == 1
    assert METEOR(language="Russian").segment("книги", "книга").hyp_matches == 1
    with pytest.raises(SpecError, match="did you mean 'english'"):
        METEOR(language="englisch")


@given(adversarial, adversarial)
def test_any_text_has_stems(hyp, ref):
    score = METEOR().segment(hyp, [ref, hyp])
    exact = METEOR(language="none").segment(hyp, [ref, hyp])
    assert 0 <= float(score) <= 1 and math.isfinite(float(score))
    assert METEOR().segment(hyp, ref).hyp_matches >= METEOR(language="none").segment(hyp, ref).hyp_matches
    assert exact.hyp_len == score.hyp_len


@pytest.fixture
def wordnet(tmp_path):
    return write_wordnet(tmp_path / "dict")


@pytest.mark.parametrize(
    ("hyp", "ref", "matches"),
    [
        ("car", "automobile", 1),
        ("cars", "automobiles", 1),
        ("children", "kids", 1),
        ("boxes", "box", 1),
        ("boxesful", "boxful", 1),
        ("men", "man", 1),
        ("buying", "purchased", 1),
        ("went", "travels", 1),
        ("larger", "big", 1),
        ("better", "good", 1),
        ("well", "good", 0),
        ("car", "kid", 0),
        ("buy the car", "the automobile purchases", 3),
    ],
)
def test_synonyms(wordnet, hyp, ref, matches):
    assert METEOR(wordnet=wordnet, language="none").segment(hyp, ref).hyp_matches == matches
    assert METEOR(wordnet=wordnet, language="none")([hyp], [ref]).hyp_matches == matches


def test_base_forms(wordnet):
    words = WordNet(wordnet)
    assert words.base_forms("children", "noun") == ["child"]
    assert words.base_forms("boxes", "noun") == ["box"]
    assert words.base_forms("cars", "verb") == []
    assert words.base_forms("s", "noun") == words.base_forms("boss", "noun") == []


def test_a_broken_wordnet_is_told_once(tmp_path):
    with pytest.raises(InputError, match=r"nowhere.*index\.noun: no such file"):
        METEOR(wordnet=str(tmp_path / "nowhere")).segment("a", "b")
    folder = write_wordnet(tmp_path / "dict")
    index = tmp_path / "dict" / "index.verb"
    index.write_text(index.read_text(encoding="utf-8") + "rubbish\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"index\.verb: line 6: invalid line of a WordNet index: 'rubbish'"):
        METEOR(wordnet=folder)(["a"], ["b"])
    write_wordnet(tmp_path / "dict")
    (tmp_path / "dict" / "adj.exc").write_text("better good\nworse\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"adj\.exc: line 2: expected a word and its base forms, got 'worse'"):
        METEOR(wordnet=folder)(["a"], ["b"])


def test_paraphrases(tmp_path):
    table = write_paraphrases(tmp_path / "table.tsv", ["the best\tvery good indeed\t0.7", "ok\tfine"])
    made = METEOR(paraphrases=table, language="none")
    score = made.segment("it is the best", "it is very good indeed")
    assert (score.hyp_matches, score.ref_matches, score.chunks) == (4, 5, 1)
    back = made.segment("it is very good indeed", "it is the best")
    assert (back.hyp_matches, back.ref_matches, back.chunks) == (5, 4, 1)
    assert made(["Fine", "a"], ["OK", "a"]).hyp_matches == 2
    assert made.segment("the worst", "very good indeed").hyp_matches == 0


def test_a_compressed_table(tmp_path):
    table = tmp_path / "table.tsv.gz"
    table.write_bytes(gzip.compress(b"ok\tfine\r\n\nso so\tpoor\n"))
    assert METEOR(paraphrases=table).segment("it is so so", "it is poor").ref_matches == 3
    assert METEOR(paraphrases=str(table)).segment("ok", "fine").hyp_matches == 1


def test_a_broken_table_is_told_once(tmp_path):
    with pytest.raises(InputError, match=r"none\.tsv: no such file"):
        METEOR(paraphrases=str(tmp_path / "none.tsv")).segment("a", "b")
    table = write_paraphrases(tmp_path / "t.tsv", ["a\tb", "just one"])
    with pytest.raises(InputError, match=r"t\.tsv: line 2: expected a phrase, a tab and a paraphrase, got 'just one'"):
        METEOR(paraphrases=table)(["a"], ["b"])
    table = write_paraphrases(tmp_path / "u.tsv", ["a\t \tc"])
    with pytest.raises(InputError, match=r"u\.tsv: line 1: a phrase has no words"):
        METEOR(paraphrases=table)(["a"], ["b"])


WORDS = ["car", "automobile", "kids", "child", "went", "go", "a", "the"]
words = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)


@settings(max_examples=100)
@given(words, words)
def test_all_stages_together_are_the_best_of_all(tmp_path_factory, hyp, ref):
    base = tmp_path_factory.getbasetemp()
    folder = write_wordnet(base / "meteor-dict")
    table = write_paraphrases(base / "meteor-table.tsv", ["the car\tit", "a kids went\tthe child", "go\tcar a"])
    made = METEOR(wordnet=folder, paraphrases=table)
    known = WordNet(folder)
    senses = {word: known.senses(word) for word in WORDS}
    pairs = [("the car", "it"), ("a kids went", "the child"), ("go", "car a")]
    pairs = [(tuple(a.split()), tuple(b.split())) for a, b in [*pairs, *((b, a) for a, b in pairs)]]
    score = made.segment(hyp, ref)
    expected = best_alignment(hyp.split(), ref.split(), senses, pairs)
    assert (score.hyp_matches, score.ref_matches, score.chunks) == expected


def test_the_signature_says_which_stages_ran(wordnet, tmp_path):
    import Stemmer

    plain = METEOR(language="none").signature()
    assert "|stages:exact|alpha:0.9|beta:3|gamma:0.5|beam:500|" in plain
    assert f"|stages:exact+stem[english,pystemmer{Stemmer.version()}]|" in METEOR().signature()
    table = write_paraphrases(tmp_path / "t.tsv")
    both = METEOR(wordnet=wordnet, paraphrases=table).signature()
    assert "+synonym[wordnet-" in both and "+paraphrase[" in both and str(tmp_path) not in both
    write_paraphrases(tmp_path / "t.tsv", ["x\ty"])
    assert METEOR(wordnet=wordnet, paraphrases=table).signature() != both


# Version 1.5 -------------------------------------------------------------------------------------------------

NEW = METEOR(version=1.5, language="none", tokenize="none", lowercase=False)
EXACT, STEM, SYNONYM, PARAPHRASE = range(4)


def staged_alignment(hyp, ref, senses, stems, phrases, functions):
    """Try every set of matches; words by stage, those of the hypothesis and of the reference, and chunks, of the best.

    Words by stage: [content words by stage, function words by stage].
    """
    matches = []
    for i, j in itertools.product(range(len(hyp)), range(len(ref))):
        a, b = hyp[i], ref[j]
        if a == b:
            matches.append((i, 1, j, 1, EXACT))
        elif a in stems and stems[a] == stems.get(b):
            matches.append((i, 1, j, 1, STEM))
        elif set(senses.get(a, ())) & set(senses.get(b, ())):
            matches.append((i, 1, j, 1, SYNONYM))
        for a, b in phrases:
            if tuple(hyp[i : i + len(a)]) == tuple(a) and tuple(ref[j : j + len(b)]) == tuple(b):
                matches.append((i, len(a), j, len(b), PARAPHRASE))
    best = None

    def ranked(chosen):
        counts = [0] * 16
        words = chunks = distance = ref_words = 0
        end = None
        for i, size, j, ref_size, stage in chosen:
            chunks += end != (i, j)
            end = i + size, j + ref_size
            words, ref_words, distance = words + size + ref_size, ref_words + ref_size, distance + abs(i - j)
            for k in range(size):
                counts[4 * (hyp[i + k] in functions) + stage] += 1
            for k in range(ref_size):
                counts[8 + 4 * (ref[j + k] in functions) + stage] += 1
        return (-words, chunks, distance, -ref_words, [-count for count in counts]), counts, chunks

    def go(i, used, chosen):
        nonlocal best
        if i == len(hyp):
            best = min([ranked(chosen)] if best is None else [best, ranked(chosen)], key=lambda one: one[0])
            return
        go(i + 1, used, chosen)
        for match in matches:
            places = set(range(match[2], match[2] + match[3]))
            if match[0] == i and not places & used:
                go(i + match[1], used | places, [*chosen, match])

    go(0, set(), [])
    return best[1], best[2]


def score_by_definition(
    counts, chunks, lengths, functions, weights=(1, 0.6, 0.8, 0.6), parameters=(0.85, 0.2, 0.6, 0.75)
):
    """Meteor Universal, section 2, of one segment."""
    alpha, beta, gamma, delta = parameters
    rates = []
    for side in range(2):
        content, function = counts[8 * side : 8 * side + 4], counts[8 * side + 4 : 8 * side + 8]
        matched = sum(w * (delta * c + (1 - delta) * f) for w, c, f in zip(weights, content, function, strict=True))
        length = delta * (lengths[side] - functions[side]) + (1 - delta) * functions[side]
        rates.append(matched / length if length else 0.0)
    P, R = rates
    if alpha * P + (1 - alpha) * R == 0:
        return 0.0
    F = P * R / (alpha * P + (1 - alpha) * R)
    matched = sum(counts)
    if matched == sum(lengths) and chunks == 1:
        return F
    return F * (1 - gamma * (chunks / (matched / 2)) ** beta)


def staged_core(senses=(), stems=(), phrases=(), functions=(), beam=500):
    return _native.ChunkCounter(0, False, beam, [*senses], [*stems], [*phrases], [*functions], True)


@settings(max_examples=400)
@given(
    numbers(4, 5),
    numbers(4, 5),
    st.lists(st.lists(st.integers(0, 3), max_size=2), min_size=5, max_size=5),
    st.one_of(st.just([]), st.lists(st.integers(0, 2), min_size=5, max_size=5)),
    st.lists(st.tuples(spans, spans), max_size=3),
    st.sets(st.integers(0, 4)),
)
def test_words_by_stage_are_those_of_the_best_of_all_alignments(hyp, ref, senses, stems, phrases, functions):
    [found] = staged_core(senses, stems, phrases, functions).segment(hyp, [ref])
    by_word = dict(enumerate(senses)), dict(enumerate(stems))
    counts, chunks = staged_alignment(hyp, ref, *by_word, phrases, functions)
    function_words = [sum(word in functions for word in text) for text in (hyp, ref)]
    assert found == [*counts, chunks, len(hyp), len(ref), *function_words]


@given(numbers(5), numbers(5), st.sets(st.integers(0, 5)))
def test_words_and_chunks_are_the_same_in_both_versions(hyp, ref, functions):
    hyp_words, ref_words, chunks = counted(core(), hyp, ref)
    [found] = staged_core(functions=functions).segment(hyp, [ref])
    assert (sum(found[:8]), sum(found[8:16]), found[16]) == (hyp_words, ref_words, chunks)


rates = st.floats(0.05, 0.95)


@settings(max_examples=100)
@given(words, words, st.tuples(rates, st.floats(0, 3), rates, rates), st.tuples(*[st.floats(0, 1)] * 4))
def test_scores_are_those_of_the_definition(tmp_path_factory, hyp, ref, parameters, weights):
    base = tmp_path_factory.getbasetemp()
    folder = write_wordnet(base / "meteor-dict")
    table = write_paraphrases(base / "meteor-table.tsv", ["the car\tit", "a kids went\tthe child", "go\tcar a"])
    listed = base / "function-words.txt"
    listed.write_text("the\na\nit\n", encoding="utf-8")
    greek = dict(zip(("alpha", "beta", "gamma", "delta"), parameters, strict=True))
    made = METEOR(version=1.5, wordnet=folder, paraphrases=table, function_words=listed, weights=weights, **greek)
    import Stemmer

    known, stem = WordNet(folder), Stemmer.Stemmer("english").stemWord
    pairs = [("the car", "it"), ("a kids went", "the child"), ("go", "car a")]
    pairs = [(tuple(a.split()), tuple(b.split())) for a, b in [*pairs, *((b, a) for a, b in pairs)]]
    of_word = {word: known.senses(word) for word in WORDS}, {word: stem(word) for word in WORDS}
    counts, chunks = staged_alignment(hyp.split(), ref.split(), *of_word, pairs, {"the", "a", "it"})
    texts = hyp.split(), ref.split()
    functions = [sum(word in ("the", "a", "it") for word in text) for text in texts]
    expected = score_by_definition(counts, chunks, [*map(len, texts)], functions, weights, parameters)
    score = made.segment(hyp, ref)
    assert float(score) == pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert made.segments([hyp], [ref])[0] == pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert made.pairwise([hyp], [ref])[0, 0] == pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert score.stats.values.tolist()[:17] == [*counts, chunks]


def test_version_1_5_by_hand(tmp_path):
    listed = tmp_path / "functions.txt"
    listed.write_text("The\non\n\n", encoding="utf-8")
    made = METEOR(version=1.5, function_words=listed)
    score = made.segment("the cats sat on a mat", "the cat sat there")
    # the (function, exact), cats (stem) and sat (exact) in one chunk; the and on are function words, there is not
    P = (0.25 + 0.75 * (0.6 + 1)) / (0.75 * 4 + 0.25 * 2)
    R = (0.25 + 0.75 * (0.6 + 1)) / (0.75 * 3 + 0.25)
    assert (score.precision, score.recall) == (pytest.approx(P), pytest.approx(R))
    assert score.penalty == pytest.approx(0.6 * (1 / 3) ** 0.2)
    assert float(score) == pytest.approx(P * R / (0.85 * P + 0.15 * R) * (1 - 0.6 * (1 / 3) ** 0.2))
    assert (score.hyp_matches, score.hyp_exact_function, score.hyp_stem_content, score.hyp_function) == (3, 1, 1, 2)


def test_a_perfect_text_scores_1_in_version_1_5():
    texts = ["a b c d", "a", "b a b a", "x y z"]
    assert [float(NEW.segment(text, text)) for text in texts] == [1, 1, 1, 1]
    assert NEW.segments(texts, texts).tolist() == [1, 1, 1, 1]
    assert float(NEW(texts, texts)) == 1
    assert float(NEW([*texts, ""], [*texts, ""])) == 1
    # One segment in disorder, one incomplete, one with a word too many: chunks of all segments count.
    for other in (("b a", "a b"), ("a", "a b"), ("a b", "a")):
        sums = NEW.stats([*texts, other[0]], [*texts, other[1]])
        assert NEW.segments([other[0]], [other[1]])[0] < 0.9
        matches, chunks = sums["hyp_exact_content"].sum(), sums["chunks"].sum()
        assert NEW.result(sums.sum()).penalty == pytest.approx(0.6 * (chunks / matches) ** 0.2)
    assert float(METEOR(version=1.5).segment("two cats", "two cat")) == pytest.approx(0.8)  # a stem: no chunk counts
    assert float(PLAIN(texts, texts)) < 1


def test_content_words_only_without_a_list(tmp_path):
    """If all words are content words, delta cancels."""
    hyps, refs = ["a b c x", "d e"], ["a b y c z", "e d"]
    for delta in (0.1, 0.75, 1):
        changed = METEOR(version=1.5, language="none", tokenize="none", lowercase=False, delta=delta)
        np.testing.assert_allclose(changed.segments(hyps, refs), NEW.segments(hyps, refs), rtol=1e-12)
    listed = tmp_path / "none.txt"
    listed.write_text("zzz\n", encoding="utf-8")
    made = METEOR(version=1.5, language="none", tokenize="none", lowercase=False, function_words=listed)
    assert made.segments(hyps, refs).tolist() == NEW.segments(hyps, refs).tolist()


@given(adversarial, adversarial)
def test_any_text_in_version_1_5(tmp_path_factory, hyp, ref):
    listed = tmp_path_factory.getbasetemp() / "any-functions.txt"
    listed.write_text("a\nthe\nüber\n.\n", encoding="utf-8")
    made = METEOR(version=1.5, function_words=listed)
    score = made.segment(hyp, [ref, hyp])
    assert 0 <= float(score) <= 1 and math.isfinite(float(score))
    old, new = METEOR().segment(hyp, ref), made.segment(hyp, ref)
    assert (new.hyp_matches, new.ref_matches, new.chunks) == (old.hyp_matches, old.ref_matches, old.chunks)
    if new.hyp_len:
        assert float(made.segment(hyp, hyp)) == pytest.approx(1, rel=1e-12)


def test_versions_and_their_parameters(tmp_path):
    assert METEOR() == METEOR(version=2005) == metric("meteor(version=2005)") == metric("meteor(alpha=0.9)")
    assert METEOR(version="1.5") == METEOR(version=1.5) == metric("meteor(version=1.5, delta=0.75)")
    assert METEOR(version=1.5).spec == "meteor(version=1.5)"
    assert (METEOR.title, METEOR().title, NEW.title) == ("METEOR", "METEOR-2005", "METEOR-1.5")
    assert METEOR().signature().startswith("METEOR-2005|nrefs:unknown|definition:2005|")
    assert "|definition:1.5|" in NEW.signature()
    assert (
        "|alpha:0.85|beta:0.2|gamma:0.6|beam:500|delta:0.75|weights:1/0.6/0.8/0.6|function_words:none|"
        in NEW.signature()
    )
    listed = tmp_path / "functions.txt"
    listed.write_text("the\n", encoding="utf-8")
    made = METEOR(version=1.5, function_words=str(listed))
    before = made.signature()
    assert str(tmp_path) not in before and "|function_words:none|" not in before
    listed.write_text("the\na\n", encoding="utf-8")
    assert METEOR(version=1.5, function_words=str(listed)).signature() != before
    ids = made([[1, 2]], [[[1, 2]]])
    assert (
        float(ids) == 1 and "|definition:1.5|stages:exact|" in ids.signature and "function_words:none" in ids.signature
    )
    with pytest.raises(SpecError, match=r"version must be one of 2005, 1\.5; got 1\.4"):
        METEOR(version=1.4)
    for name, value in {"delta": 0.5, "weights": [1, 1, 1, 1], "function_words": "words.txt"}.items():
        with pytest.raises(SpecError, match=f"version 2005 has no {name}; set version=1.5, or remove {name}"):
            METEOR(**{name: value})
    for weights in ([1, 0.5, 0.5], [1, 1, 1, 2], "1", [1, 1, 1, -1]):
        with pytest.raises(SpecError, match="weights must be a list of four numbers from 0 to 1"):
            METEOR(version=1.5, weights=weights)
    with pytest.raises(InputError, match=r"nowhere\.txt: no such file"):
        METEOR(version=1.5, function_words=str(tmp_path / "nowhere.txt")).segment("a", "a")


def test_version_1_5_is_near_what_the_program_gave_with_its_word_lists(shared):
    """The table of MultEval: 29.3 and 30.3 with synonyms, paraphrases and function words, which add a point or two."""
    folder = shared / "data" / "copyleft" / "multeval-example"

    def read(name):
        return gzip.decompress((folder / name).read_bytes()).decode().removesuffix("\n").split("\n")

    made = METEOR(version=1.5)
    for name, published in {"baseline": 29.3, "sys1": 30.3}.items():
        assert published - 2.5 < made(read(f"{name}.opt0.txt.gz"), read("ref.txt.gz")).points < published


def test_of_several_references_the_best_is_taken_in_version_1_5():
    hyps, refs = ["a b c d", "x y"], [["d c b a", "a b c d e", "a b c d"], ["x z", "y x"]]
    each = [[float(NEW.segment(hyp, ref)) for ref in entry] for hyp, entry in zip(hyps, refs, strict=True)]
    np.testing.assert_allclose(NEW.segments(hyps, refs), [max(scores) for scores in each])
    assert float(NEW.segment(hyps[0], refs[0])) == 1


# Token ids -----------------------------------------------------------------------------------------------


def test_token_numbers_match_exactly():
    score = METEOR()([[1, 2, 3], []], [[[3, 1, 2], [9]], [[5]]])
    assert score.stats.values.tolist() == [3, 3, 2, 3, 4]
    assert "|tok:ids|definition:2005|stages:exact|" in score.signature
    assert METEOR().segment([1, 2], [1, 2]).chunks == 1
    assert float(METEOR()([np.array([1, 2])], [np.array([1, 2])])) == float(PLAIN.segment("a b", "a b"))


@pytest.mark.parametrize(("hyps", "refs"), [(["a"], [[[1, 2]]]), ([[1, 2]], ["a"]), (["a", [1]], ["a", "b"])])
def test_text_and_token_numbers_do_not_mix(hyps, refs):
    with pytest.raises(InputTypeError, match="a corpus is all text or all token ids"):
        METEOR()(hyps, refs)


def test_what_is_no_text_is_named():
    with pytest.raises(InputTypeError, match="hypothesis 1"):
        METEOR()(["a", None], ["a", "b"])
    with pytest.raises(InputError, match="segment 1 has no reference"):
        METEOR()(["a", "b"], ["a", []])
    with pytest.raises(InputError, match="segment 1 has no reference"):
        METEOR()(["a", "b"], ["a", [None]])


def test_weights_above_one_are_refused():
    with pytest.raises(SpecError, match=r"alpha must be a number from 0 to 1; got 1\.5"):
        METEOR(alpha=1.5)
    with pytest.raises(SpecError, match="gamma must be a number from 0 to 1; got 2"):
        metric("meteor(gamma=2)")


FEW = st.sampled_from(["the", "cat", "sat", "on", "a", "mat", "and", "ran", "far"])


@given(*[st.lists(FEW, max_size=24).map(" ".join)] * 2)
def test_no_search_finds_fewer_chunks_than_those_that_are_proven(hyp, ref):
    proven, _ = METEOR(language="none").count_one(hyp, ref)
    searched, _ = METEOR(language="none", beam=499).count_one(hyp, ref)  # a smaller beam goes from word to word
    assert proven[2] <= searched[2]
    assert [*proven[:2], *proven[3:]] == [*searched[:2], *searched[3:]]


def chunks_by_trying_all(hyp, ref):
    """The fewest chunks of alignments with the most matches, from all sets of bonds that exclude no other."""
    bonds = [
        (i, j)
        for i, j in itertools.product(range(len(hyp) - 1), range(len(ref) - 1))
        if hyp[i : i + 2] == ref[j : j + 2]
    ]

    def most(left):
        if not left:
            return 0
        (i, j), *others = left
        apart = [(x, y) for x, y in others if x - y == i - j or (abs(x - i) > 1 and abs(y - j) > 1)]
        return max(1 + most(apart), most(others) if len(apart) < len(others) else 0)

    return sum(min(hyp.count(word), ref.count(word)) for word in {*hyp}) - most(bonds)


@settings(max_examples=300)
@given(*[st.lists(st.integers(0, 3), max_size=9)] * 2)
def test_chunks_of_repeated_words_are_the_fewest(hyp, ref):
    assert counted(core(), hyp, ref)[2] == chunks_by_trying_all(hyp, ref)


def test_many_repeated_words_in_a_long_text():
    rng = np.random.default_rng(6)
    for size, types in [(40, 6), (80, 12), (150, 40)]:
        hyp = rng.integers(types, size=size).tolist()
        ref = [*hyp[size // 2 :], *hyp[: size // 3], *hyp[size // 3 : size // 2]]
        hyp_words, ref_words, chunks = counted(core(), hyp, ref)
        assert (hyp_words, ref_words) == (size, size) and chunks <= 3


@pytest.mark.parametrize("size", [63, 64, 65, 200, 3000])
def test_two_halves_exchanged_are_two_chunks_however_long(size):
    words = [f"w{i}" for i in range(size)]
    turned = [*words[size // 2 :], *words[: size // 2]]
    row, _ = METEOR(language="none").count_one(" ".join(turned), " ".join(words))
    assert row == [size, size, 2, size, size]
