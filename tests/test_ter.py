"""TER beside sacreBLEU: the same edits."""

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import TER as PEER
from sacrebleu.metrics import lib_ter
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from strategies import adversarial, copies, corpus, sentence, streams

from tricolore import TER

FLAGS = st.fixed_dictionaries(
    {}, optional={name: st.booleans() for name in ("normalized", "no_punct", "asian", "case")}
)
PEER_NAMES = {"asian": "asian_support", "case": "case_sensitive"}


def peer_of(given):
    return PEER(**{PEER_NAMES.get(name, name): value for name, value in given.items()})


@settings(max_examples=200)
@given(data=st.one_of(copies(adversarial), corpus(adversarial), corpus(sentence(20))), given=FLAGS)
def test_equal_to_sacrebleu(data, given):
    hyps, refs = data
    ours, theirs = TER(**given), peer_of(given)
    # sacreBLEU prepares references twice, which now and then cuts more than preparing them once; see below.
    assume(all(is_settled(ours, ref) for entry in refs for ref in ([entry] if isinstance(entry, str) else entry)))
    scores = [theirs.sentence_score(*pair) for pair in zip(hyps, refs, strict=True)]
    rows = ours.stats(hyps, refs)
    assert rows["edits"].tolist() == [score.num_edits for score in scores]
    assert rows["ref_len"].tolist() == pytest.approx([score.ref_length for score in scores], rel=1e-12)
    assert 100 * float(ours(hyps, refs)) == pytest.approx(theirs.corpus_score(hyps, streams(refs)).score, rel=1e-12)


def is_settled(metric, text):
    once = metric.prepared_text(text).split()
    return metric.prepared_text(" ".join(once)).split() == once


def test_references_are_prepared_once_and_so_a_copy_has_no_edits():
    assert PEER(normalized=True).sentence_score("....5", ["....5"]).num_edits == 2
    assert TER(normalized=True).segment("....5", "....5").edits == 0


@given(text=adversarial, given=FLAGS)
def test_text_is_prepared_as_sacrebleu_does(text, given):
    theirs = TercomTokenizer(**{PEER_NAMES.get(name, name): value for name, value in given.items()})
    assert TER(**given).prepared_text(text).split() == theirs(text.rstrip()).split()


def shuffled(rng, words, moves):
    """The words with blocks moved and some replaced."""
    words = list(words)
    for _ in range(moves):
        start, size = rng.randrange(len(words)), rng.randint(1, 8)
        block = words[start : start + size]
        del words[start : start + size]
        to = rng.randrange(len(words) + 1)
        words[to:to] = block
        words[rng.randrange(len(words))] = "new"
    return words


def pairs(size, vocabulary, count, seed):
    rng = random.Random(seed)
    for _ in range(count):
        ref = [f"w{rng.randrange(vocabulary)}" for _ in range(max(1, size + rng.randint(-3, 3)))]
        far = [f"w{rng.randrange(vocabulary)}" for _ in range(rng.randint(1, 2 * size))]
        yield " ".join(rng.choice([shuffled(rng, ref, rng.randint(0, 6)), far])), " ".join(ref)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "count"), [(12, 60), (30, 20), (63, 3), (66, 3), (130, 1)])
@pytest.mark.parametrize("vocabulary", [4, 30, 400])
def test_equal_to_sacrebleu_on_longer_segments(size, count, vocabulary):
    if size > 100 and vocabulary < 30:
        pytest.skip("sacreBLEU takes minutes")
    for hyp, ref in pairs(size, vocabulary, count, f"{size} {vocabulary}"):
        assert TER().segment(hyp, ref).edits == PEER().sentence_score(hyp, [ref]).num_edits


@pytest.mark.slow
@pytest.mark.parametrize("size", [10, 40, 70])
def test_without_a_beam_the_search_is_sacrebleus_with_one_that_holds_everything(monkeypatch, size):
    monkeypatch.setattr(lib_ter, "_BEAM_WIDTH", 10**6)
    for hyp, ref in pairs(size, 40, 200 // size, size):
        assert TER(beam=None).segment(hyp, ref).edits == PEER().sentence_score(hyp, [ref]).num_edits


def test_the_beam_is_sacrebleus_too(monkeypatch):
    """A narrow beam, so that it matters in short segments."""
    differ = 0
    for beam in (1, 2, 3, 5):
        monkeypatch.setattr(lib_ter, "_BEAM_WIDTH", beam)
        for hyp, ref in pairs(15, 20, 40, beam):
            edits = PEER().sentence_score(hyp, [ref]).num_edits
            assert TER(beam=beam).segment(hyp, ref).edits == edits
            differ += TER(beam=None).segment(hyp, ref).edits != edits
    assert differ > 5


def test_equal_on_real_text(lines):
    hyps = lines("human/mqm-ted-ende/systems/Nemo.txt")
    ref = lines("human/mqm-ted-ende/references/ref.txt")
    peer = PEER()
    assert TER().stats(hyps, ref)["edits"].tolist() == [
        peer.sentence_score(hyp, [one]).num_edits for hyp, one in zip(hyps, ref, strict=True)
    ]


def test_published_hter(shared, lines):
    """HTER of MLQE-PE is TER of the output against its post-edit, at most 1, to six digits: for all segments."""
    folder = "human/mlqe-pe-en-de"
    published = [float(line.split("\t")[1]) for line in lines(f"{folder}/scores.tsv")[1:]]
    ours = TER().segments(lines(f"{folder}/mt.txt"), lines(f"{folder}/post_edit.txt"))
    assert [min(1, score) for score in ours] == pytest.approx(published, abs=5.1e-7)


def test_a_segment_of_thousands_of_words_is_no_trouble():
    rng = random.Random(1)
    words = [f"w{rng.randrange(800)}" for _ in range(5000)]
    score = TER().segment(" ".join(shuffled(rng, words, 300)), " ".join(words))
    assert 0 < score.value < 1


#: Edits and shifts by size, vocabulary and beam, as counted one distance at a time, before there were tables.
RECORDED = {
    (20, 10, 25): (168, 30),
    (20, 10, None): (168, 30),
    (20, 10, 4): (170, 30),
    (20, 1000, 25): (217, 9),
    (20, 1000, None): (217, 9),
    (20, 1000, 4): (217, 9),
    (64, 10, 25): (559, 58),
    (64, 10, None): (559, 58),
    (64, 10, 4): (586, 52),
    (64, 1000, 25): (500, 23),
    (64, 1000, None): (500, 23),
    (64, 1000, 4): (505, 24),
    (130, 10, 25): (631, 27),
    (130, 10, None): (630, 26),
    (130, 10, 4): (893, 5),
    (130, 1000, 25): (1169, 51),
    (130, 1000, None): (1127, 56),
    (130, 1000, 4): (1241, 52),
    (200, 10, 25): (1253, 26),
    (200, 10, None): (1252, 26),
    (200, 10, 4): (1630, 6),
    (200, 1000, 25): (1279, 62),
    (200, 1000, None): (1275, 63),
    (200, 1000, 4): (1819, 53),
    (256, 10, 25): (1011, 19),
    (256, 10, None): (1011, 19),
    (256, 10, 4): (1515, 4),
    (256, 1000, 25): (3247, 140),
    (256, 1000, None): (3236, 118),
    (256, 1000, 4): (3549, 156),
    (400, 10, 25): (1584, 34),
    (400, 10, None): (1582, 34),
    (400, 10, 4): (2623, 0),
    (400, 1000, 25): (2133, 68),
    (400, 1000, None): (2128, 66),
    (400, 1000, 4): (3434, 56),
}


@pytest.mark.parametrize(("size", "vocabulary", "beam"), RECORDED)
def test_long_and_mostly_different_segments_count_as_ever(size, vocabulary, beam):
    hyps, refs = zip(*pairs(size, vocabulary, 12, f"{size} {vocabulary}"), strict=True)
    total = TER(beam=beam).stats(list(hyps), list(refs)).sum()
    assert (total["edits"], total["shifts"]) == RECORDED[size, vocabulary, beam]
