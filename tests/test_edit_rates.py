"""Edit rates against their definitions, and against jiwer."""

from collections import Counter

import jiwer
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from strategies import encodable, sentence

from tricolore import metric
from tricolore.metrics.edit_rates import CDER, LER, PER, WER, WRR

# The definitions ---------------------------------------------------------------------------------------------


def levenshtein(hyp, ref):
    """The whole table."""
    table = {(i, 0): i for i in range(len(hyp) + 1)} | {(0, j): j for j in range(len(ref) + 1)}
    for i, a in enumerate(hyp, 1):
        for j, b in enumerate(ref, 1):
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (a != b))
    return table[len(hyp), len(ref)]


def bag_distance(hyp, ref):
    return max(len(hyp), len(ref)) - (Counter(hyp) & Counter(ref)).total()


def cder(hyp, ref):
    """D(i, l): the least cost of a way to (i, l), after i words of the hypothesis and l of the reference."""
    previous = None
    for l in range(len(ref) + 1):
        row = []
        for i in range(len(hyp) + 1):
            options = [0] if (i, l) == (0, 0) else []
            if i > 0:
                options.append(row[i - 1] + 1)
            if l > 0:
                options.append(previous[i] + 1)
            if i > 0 and l > 0:
                options.append(previous[i - 1] + (hyp[i - 1] != ref[l - 1]))
            row.append(min(options))
        row = [min(row[i], min(row) + 1) for i in range(len(row))]  # a jump from any i' to i
        previous = row
    return previous[-1]


def rate(edits, length):
    return edits / length if length else float(edits > 0)


DISTANCES = {WER: levenshtein, PER: bag_distance, CDER: cder}
few = sentence(10, st.sampled_from("abc"))
more = sentence(40, st.sampled_from(["a", "b", "c", "über", "中文", "😀", "the"]))


@pytest.mark.parametrize("cls", DISTANCES)
@given(hyp=st.one_of(few, more), ref=st.one_of(few, more))
def test_distances(cls, hyp, ref):
    score = cls().segment(hyp, ref)
    edits = DISTANCES[cls](hyp.split(), ref.split())
    assert (score.edits, score.hyp_len, score.ref_len) == (edits, len(hyp.split()), len(ref.split()))
    assert float(score) == pytest.approx(rate(edits, len(ref.split())), rel=1e-12)


@given(hyp=encodable, ref=encodable)
def test_letters(hyp, ref):
    hyp, ref = " ".join(hyp.split()), " ".join(ref.split())
    assert LER().segment(f" {hyp}\n", ref.replace(" ", " \t")).edits == levenshtein(hyp, ref)


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2, 62, 63, 64, 65, 66, 126, 127, 128, 129, 130, 191, 192, 193, 300])
@pytest.mark.parametrize("alphabet", [3, 1000])
def test_around_the_width_of_a_machine_word(size, alphabet):
    ref = [f"w{i * i * 31 % 1009 % alphabet}" for i in range(size)]
    for hyp in (
        ref,
        ref[1:],
        ref[:-1],
        ref[::-1],
        [*ref, "x"],
        ["x", *ref],
        ref[:60] + ref[63:],
        [f"w{i * 7 % alphabet}" for i in range(size + 3)],
        [],
    ):
        for cls, distance in DISTANCES.items():
            assert cls().segment(" ".join(hyp), " ".join(ref)).edits == distance(hyp, ref)


@given(hyp=more, ref=more)
def test_how_distances_compare(hyp, ref):
    words, bag, jumps = (cls().segment(hyp, ref).edits for cls in (WER, PER, CDER))
    assert bag <= words
    assert jumps <= words
    assert float(WRR().segment(hyp, ref)) == 1 - float(WER().segment(hyp, ref))


def test_two_blocks_that_changed_places_take_three_jumps():
    hyp, ref = "e f g h i a b c d", "a b c d e f g h i"
    assert CDER().segment(hyp, ref).edits == 3
    assert WER().segment(hyp, ref).edits == 8
    assert PER().segment(hyp, ref).edits == 0


# Several references ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", DISTANCES)
@given(hyp=few, refs=st.lists(few, min_size=1, max_size=4))
def test_what_several_references_mean(cls, hyp, refs):
    edits = [DISTANCES[cls](hyp.split(), ref.split()) for ref in refs]
    lengths = [len(ref.split()) for ref in refs]
    pairs = [*zip(edits, lengths, strict=True)]
    expected = {
        "min_ratio": min(pairs, key=lambda pair: (rate(*pair), pair[0], -pair[1])),
        "min_edits": min(pairs, key=lambda pair: (pair[0], -pair[1])),
        "avg_len": (min(edits), sum(lengths) / len(lengths)),
    }
    for mode, (d, r) in expected.items():
        for order in (refs, refs[::-1]):
            score = cls(multi_ref=mode).segment(hyp, order)
            assert (score.edits, score.ref_len) == pytest.approx((d, r), rel=1e-12)


def test_corpora_sum_edits_and_lengths():
    hyps, refs = ["a b", "", "x"], [["a c", "a"], "a b c", ["", "x y z"]]
    score = WER()(hyps, refs)
    assert (score.edits, score.ref_len) == (1 + 3 + 2, 2 + 3 + 3)
    assert float(WER()(["", "a"], ["", ""])) == 1
    assert float(WER()([""], [""])) == 0


def test_names():
    assert metric("cer") == LER()
    assert metric("wer(multi_ref=avg_len)") == WER(multi_ref="avg_len")


# jiwer -------------------------------------------------------------------------------------------------------

#: Words that jiwer leaves as they are: it strips and cuts at plain spaces.
plain = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=6)
line = st.lists(plain, min_size=1, max_size=12).map(" ".join)
lines_of_text = st.lists(st.tuples(line, line), min_size=1, max_size=5)


@given(pairs=lines_of_text)
def test_equal_to_jiwer(pairs):
    hyps, refs = map(list, zip(*pairs, strict=True))
    assert float(WER()(hyps, refs)) == pytest.approx(jiwer.wer(refs, hyps), rel=1e-12)
    assert float(LER()(hyps, refs)) == pytest.approx(jiwer.cer(refs, hyps), rel=1e-12)


@given(hyp=sentence(90, st.sampled_from("abcd"), min_size=1), ref=sentence(90, st.sampled_from("abcd"), min_size=1))
def test_equal_to_jiwer_on_longer_text(hyp, ref):
    assert float(WER()([hyp], [ref])) == pytest.approx(jiwer.wer(ref, hyp), rel=1e-12)


@given(pairs=lines_of_text)
def test_equal_to_jiwer_by_segment(pairs):
    hyps, refs = map(list, zip(*pairs, strict=True))
    theirs = [jiwer.wer(ref, hyp) for hyp, ref in zip(hyps, refs, strict=True)]
    assert WER().segments(hyps, refs).tolist() == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize(
    ("hyp", "ref"),
    [
        ("human/mlqe-pe-en-de/mt.txt", "human/mlqe-pe-en-de/post_edit.txt"),
        ("multiref/webnlg-en/hyp.txt", "multiref/webnlg-en/ref0.txt"),
    ],
)
def test_equal_to_jiwer_on_real_systems(lines, hyp, ref):
    texts = ([" ".join(text.split()) for text in lines(name)] for name in (hyp, ref))
    kept = [pair for pair in zip(*texts, strict=True) if all(pair)]  # jiwer refuses an empty reference
    hyps, refs = map(list, zip(*kept, strict=True))
    assert len(kept) > 100
    assert float(WER()(hyps, refs)) == pytest.approx(jiwer.wer(refs, hyps), rel=1e-12)
    assert float(LER()(hyps, refs)) == pytest.approx(jiwer.cer(refs, hyps), rel=1e-12)


BYTES = st.one_of(
    st.text("ab é", max_size=200),
    st.integers(0, 450).flatmap(lambda size: st.text("abc dÿ", min_size=size, max_size=size + 3)),
)


@given(BYTES, BYTES, st.text("ab ", max_size=70))
def test_characters_that_are_bytes_have_the_edits_of_rapidfuzz(start, other, common):
    hyp, ref = f"{common}{start}{common}", f"{common}{other}{common}"
    row, _ = LER().count_one(hyp, ref)
    hyp, ref = (" ".join(text.split()) for text in (hyp, ref))
    assert row == [Levenshtein.distance(hyp, ref), len(hyp), len(ref)]


def test_long_texts_of_bytes_have_the_edits_of_rapidfuzz():
    for size in (63, 64, 65, 128, 129, 383, 384, 385, 5000):
        hyp, ref = "xy" * size, "xz" * (size + 7) + "y"
        assert LER().count_one(hyp, ref)[0][0] == Levenshtein.distance(hyp, ref)


@given(*[st.text("ab é“–\u2009", max_size=40)] * 2, st.text("ab“é ", max_size=400))
def test_a_few_characters_beyond_bytes_have_the_edits_of_rapidfuzz(start, other, common):
    hyp, ref = f"“{start}{common}", f"{other}{common}"
    edits, *_ = LER().stats([hyp], [ref]).values[0]
    assert edits == Levenshtein.distance(" ".join(hyp.split()), " ".join(ref.split()))
    many = "".join(map(chr, range(0x2010, 0x2028)))  # with them there are too many to be told by bytes
    edits, *_ = LER().stats([hyp + many + "абвгдежзий"], [ref + many]).values[0]
    assert edits == Levenshtein.distance(" ".join((hyp + many + "абвгдежзий").split()), " ".join((ref + many).split()))
