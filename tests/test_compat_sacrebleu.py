"""The drop-in for sacreBLEU beside sacreBLEU itself: the same numbers to the last digit, the same lines."""

import copy
import logging
import pickle
import random
import re
import sys
from itertools import product

import pytest
import sacrebleu as peer
import sacrebleu.metrics.helpers
import sacrebleu.tokenizers.tokenizer_ter

import tricolore.compat.sacrebleu as ours
from tricolore.compat.sacrebleu import test_sets
from tricolore.compat.sacrebleu.metrics import helpers
from tricolore.compat.sacrebleu.tokenizers import named
from tricolore.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from tricolore.errors import InputError, InputTypeError, SpecError

TEXT = """the The a cat Cat dog sat on mat. Paris 3.5 1,000 don't (maybe) "so" naïve Straße — and, but; runs & &amp; 50%
well-known I'd x-ray: «oui» ... ....5 no. 9 今天天气 很好。 テスト"""
WORDS = TEXT.split()


@pytest.fixture(scope="module", autouse=True)
def quiet():
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    yield
    logging.getLogger("sacrebleu").setLevel(logging.NOTSET)


def corpus(seed, segments=40, streams=3, missing=False):
    """Hypotheses and streams of references that have something in common; some are empty, some missing."""
    rng = random.Random(seed)
    base = [[rng.choice(WORDS) for _ in range(rng.randint(0, 14))] for _ in range(segments)]

    def changed(words):
        made = [rng.choice(WORDS) if rng.random() < 0.25 else word for word in words if rng.random() > 0.1]
        cut = rng.randrange(len(made) + 1)
        return " ".join(made[cut:] + made[:cut] if rng.random() < 0.3 else made)

    refs = [[changed(words) for words in base] for _ in range(streams)]
    if missing:
        refs[1:] = [[None if rng.random() < 0.3 else text for text in stream] for stream in refs[1:]]
    return [changed(words) for words in base], refs


METRICS = [
    ("BLEU", {}),
    ("BLEU", {"lowercase": True, "tokenize": "intl"}),
    ("BLEU", {"tokenize": "zh"}),
    ("BLEU", {"tokenize": "char", "max_ngram_order": 6}),
    ("BLEU", {"tokenize": "none", "smooth_method": "none"}),
    ("BLEU", {"smooth_method": "floor"}),
    ("BLEU", {"smooth_method": "floor", "smooth_value": 0.03, "effective_order": True}),
    ("BLEU", {"smooth_method": "add-k"}),
    ("BLEU", {"smooth_method": "add-k", "smooth_value": 2.5}),
    ("BLEU", {"effective_order": True, "max_ngram_order": 2}),
    ("BLEU", {"trg_lang": "zh"}),
    ("CHRF", {}),
    ("CHRF", {"word_order": 2}),
    ("CHRF", {"char_order": 3, "word_order": 1, "beta": 3, "lowercase": True}),
    ("CHRF", {"whitespace": True}),
    ("CHRF", {"eps_smoothing": True, "word_order": 2}),
    ("TER", {}),
    ("TER", {"case_sensitive": True}),
    ("TER", {"normalized": True}),
    ("TER", {"no_punct": True, "asian_support": True}),
    ("TER", {"normalized": True, "asian_support": True, "no_punct": True}),
]
PARTS = (
    "name",
    "score",
    "counts",
    "totals",
    "precisions",
    "bp",
    "sys_len",
    "ref_len",
    "ratio",
    "num_edits",
    "ref_length",
)


def parts(score):
    """Everything public that a score has, and all ways to print it."""
    found = {name: getattr(score, name) for name in PARTS if hasattr(score, name)}
    return found, str(score), score.format(4), score.format(1, True), score.format(3, False, "a:b|c:d", True)


def signatures(metric):
    """Both forms of a signature, without the version."""
    both = metric.get_signature().format(), metric.get_signature().format(short=True)
    return [re.sub(r"(v(?:ersion)?):.*", r"\1", one) for one in both]


@pytest.mark.parametrize(("name", "arguments"), METRICS, ids=str)
@pytest.mark.parametrize("shape", [(1, False), (3, False), (3, True)], ids=str)
def test_corpus_scores_are_the_same_to_the_last_digit(name, arguments, shape):
    for seed in range(3):
        hyps, refs = corpus(seed, streams=shape[0], missing=shape[1])
        mine, theirs = getattr(ours, name)(**arguments), getattr(peer, name)(**arguments)
        assert parts(mine.corpus_score(hyps, refs)) == parts(theirs.corpus_score(hyps, refs))
        assert signatures(mine) == signatures(theirs)


@pytest.mark.parametrize(("name", "arguments"), METRICS, ids=str)
def test_sentence_scores_are_the_same_to_the_last_digit(name, arguments):
    hyps, refs = corpus(7, missing=True)
    mine, theirs = getattr(ours, name)(**arguments), getattr(peer, name)(**arguments)
    for hyp, *references in zip(hyps, *refs, strict=True):
        assert parts(mine.sentence_score(hyp, references)) == parts(theirs.sentence_score(hyp, references))
        assert signatures(mine) == signatures(theirs)


@pytest.mark.parametrize(("name", "arguments"), METRICS, ids=str)
def test_intervals_and_cached_references_are_the_same(name, arguments, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", "77")
    hyps, refs = corpus(11, streams=2)
    mine, theirs = (getattr(one, name)(references=refs, **arguments) for one in (ours, peer))
    assert signatures(mine) == signatures(theirs)
    scores = [one.corpus_score(hyps, None, n_bootstrap=90) for one in (mine, theirs)]
    assert parts(scores[0]) == parts(scores[1])
    assert [scores[0]._mean, scores[0]._ci] == [scores[1]._mean, scores[1]._ci]
    assert signatures(mine) == signatures(theirs)
    assert "bs:90|seed:77" in signatures(mine)[0]
    other, references = corpus(12, streams=1)
    assert parts(mine.corpus_score(other, references)) == parts(theirs.corpus_score(other, references))
    assert parts(mine.corpus_score(hyps, None)) == parts(theirs.corpus_score(hyps, None))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("corpus_bleu", {"smooth_method": "floor", "smooth_value": 0.2, "lowercase": True, "tokenize": "intl"}),
        ("raw_corpus_bleu", {}),
        ("raw_corpus_bleu", {"smooth_value": None}),
        ("sentence_bleu", {"use_effective_order": False}),
        ("corpus_chrf", {"char_order": 4, "word_order": 2, "beta": 1, "remove_whitespace": False}),
        ("sentence_chrf", {"eps_smoothing": True}),
        ("corpus_ter", {"normalized": True, "case_sensitive": True}),
        ("sentence_ter", {"no_punct": True, "asian_support": True}),
    ],
)
def test_functions_are_the_same(name, arguments):
    hyps, refs = corpus(5)
    if name.startswith("sentence"):
        hyps, refs = hyps[0], [stream[0] for stream in refs]
    found, expected = (getattr(one, name)(hyps, refs, **arguments) for one in (ours, peer))
    assert parts(found) == parts(expected)


@pytest.mark.parametrize("name", ["none", "13a", "intl", "zh", "char"])
def test_tokenizers_are_the_same(name):
    theirs = peer.BLEU(tokenize=name).tokenizer
    assert named(name).signature() == theirs.signature()
    for text in (*corpus(3)[0], "", " a  b ", "<skipped>x-\ny\nz"):
        assert named(name)(text) == theirs(text)


@pytest.mark.parametrize(
    "flags", [{}, *({name: True} for name in ("normalized", "no_punct", "case_sensitive"))], ids=str
)
@pytest.mark.parametrize("asian", [False, True])
def test_the_tokenizer_of_ter_is_the_same(flags, asian):
    mine = TercomTokenizer(asian_support=asian, **flags)
    theirs = sacrebleu.tokenizers.tokenizer_ter.TercomTokenizer(asian_support=asian, **flags)
    for text in (*corpus(3)[0], "", " a  b ", "It's 5-3 &quot;x&quot;"):
        assert mine(text) == theirs(text)


def test_ngrams_are_the_same():
    theirs = sacrebleu.metrics.helpers
    line = "a b  a b, c a b"
    assert helpers.extract_all_word_ngrams(line, 1, 3) == theirs.extract_all_word_ngrams(line, 1, 3)
    assert helpers.extract_word_ngrams(line.split(), 2) == theirs.extract_word_ngrams(line.split(), 2)
    for spaces in (False, True):
        assert helpers.extract_char_ngrams(line, 3, spaces) == theirs.extract_char_ngrams(line, 3, spaces)
        assert helpers.extract_all_char_ngrams(line, 3, spaces) == theirs.extract_all_char_ngrams(line, 3, spaces)


#: Shapes that sacreBLEU misreads without a word, and what the error says.
MISREAD = [
    ("abc", [["x", "y", "z"]], "got one string"),
    (["a b", "c"], ["a b", "c"], "element 0 is a string, write \\[refs\\]"),
    (["a", "b", "c"], [["a", "x"], ["b", "y"], ["c", "z"]], "look transposed"),
    (["a", "b"], [["a", "b", "c"]], "2 hypotheses, but sets of references have 3 segments"),
    (["a", "b"], [["a", "b"], ["a"]], "equal lengths, got 2, 1 segments"),
    (["a cat", "so"], ["a dog"], "element 0 is a string"),
]


@pytest.mark.parametrize(("hyps", "refs", "message"), MISREAD, ids=str)
@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_what_sacrebleu_misreads_is_an_error(name, hyps, refs, message, monkeypatch):
    with pytest.raises(InputError, match=message):
        getattr(ours, name)().corpus_score(hyps, refs)
    with pytest.raises(InputError, match=message):
        getattr(ours, name)(references=refs).corpus_score(hyps, None)
    monkeypatch.setenv("TRICOLORE_COMPAT", "lenient")
    found, expected = (getattr(one, name)().corpus_score(hyps, refs) for one in (ours, peer))
    assert parts(found) == parts(expected)


@pytest.mark.parametrize(
    ("hyps", "refs"),
    [(None, [["a"]]), (["a", None], [["a", "b"]]), ([1], [["a"]]), (["a"], 5), (["a"], [5]), ([], [[]]), (["a"], [])],
    ids=str,
)
def test_what_is_no_text_is_an_error(hyps, refs):
    with pytest.raises(InputError):
        ours.BLEU().corpus_score(hyps, refs)


@pytest.mark.parametrize(
    "streams", [[[["a"], ["b"]]], [[("a",), ("b",)]], [["a", "b"], [["a"], ["b"]]], [[1, "b"]]], ids=str
)
@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_lists_of_references_for_each_segment_are_a_type_error(name, streams, monkeypatch):
    for _ in range(2):
        with pytest.raises((TypeError, AttributeError)):  # an AttributeError for a later segment or stream
            getattr(peer, name)().corpus_score(["a", "b"], streams)
        with pytest.raises(InputTypeError, match=r"a sequence of strings, .* has (list|tuple|int) for segment 0"):
            getattr(ours, name)().corpus_score(["a", "b"], streams)
        with pytest.raises(InputTypeError, match="for segment 0"):
            getattr(ours, name)(references=streams)
        monkeypatch.setenv("TRICOLORE_COMPAT", "lenient")


@pytest.mark.parametrize("streams", [[[]], [""], [[], ["a"]]], ids=str)
def test_streams_without_segments_are_an_error(streams, monkeypatch):
    monkeypatch.setenv("TRICOLORE_COMPAT", "lenient")
    with pytest.raises(IndexError):
        peer.corpus_chrf(["a"], streams)
    with pytest.raises(IndexError, match="a reference for each hypothesis, got none") as caught:
        ours.corpus_chrf(["a"], streams)
    assert isinstance(caught.value, InputError)


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_what_is_empty_is_an_index_error_in_both(name):
    calls = [("corpus_score", [], [[]]), ("corpus_score", ["a"], []), ("corpus_score", ["a"], [[]])]
    for module, (method, *arguments) in product((ours, peer), [*calls, ("sentence_score", "a", [])]):
        with pytest.raises(IndexError) as caught:
            getattr(getattr(module, name)(), method)(*arguments)
        assert isinstance(caught.value, InputError) == (module is ours)


def test_parts_of_a_score_can_be_set():
    for module in (ours, peer):
        score = module.corpus_bleu(["a b c d"], [["a b c d e"]])
        score.ratio, score.prec_str = 1.0, "x"
        assert (score.ratio, score.prec_str) == (1.0, "x")


@pytest.mark.parametrize(("hyp", "refs"), [(["a"], ["a"]), ("a", "a"), ("a", [1]), ("a", [["a"]])], ids=str)
def test_what_is_no_sentence_is_a_type_error_in_both(hyp, refs):
    for one in (ours, peer):
        with pytest.raises(TypeError):
            one.sentence_bleu(hyp, refs)
    with pytest.raises(InputTypeError):
        ours.sentence_bleu(hyp, refs)


def test_references_and_signatures_are_needed():
    with pytest.raises(RuntimeError, match="cache is empty"):
        ours.BLEU().corpus_score(["a"], None)
    with pytest.raises(ValueError, match="unknown until something has been scored"):
        ours.BLEU().get_signature()
    for wrong in ({"tokenize": "14a"}, {"smooth_method": "laplace"}):
        with pytest.raises(SpecError, match=r"must be one of .*; got"):
            ours.BLEU(**wrong)


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
@pytest.mark.parametrize("refs", [[], [None]])
def test_a_sentence_without_a_reference_is_an_error(name, refs):
    with pytest.raises(InputError, match="at least one string, got none"):
        getattr(ours, name)().sentence_score("a", refs)


def test_attributes_that_change_change_the_score():
    hyps, refs = corpus(7, missing=True)
    hyps = [*map(str.upper, hyps)]
    found = []
    for one in (ours, peer):
        metric = one.BLEU(smooth_method="floor")
        before = metric.corpus_score(hyps, refs).score
        metric.lowercase = metric.effective_order = True
        found.append((before, metric.corpus_score(hyps, refs).score, metric.sentence_score("a B", ["A b c"]).score))
    assert found[0] == found[1]
    assert found[0][0] < found[0][1]


def underscored(package):
    """A tokenizer of a user, without a signature."""
    base = sys.modules[f"{package.BLEU.__module__.partition('.metrics')[0]}.tokenizers.tokenizer_base"].BaseTokenizer
    return type("Underscored", (base,), {"__call__": lambda _, line: letters(line)})()


@pytest.mark.parametrize("name", ["Underscored", "tercom", "normalized"])
def test_any_tokenizer_object_can_be_set(name):
    hyps, refs = corpus(11, missing=True)
    found = []
    for one in (ours, peer):
        metric = one.BLEU(smooth_method="floor")
        tercom = type(one.TER().tokenizer)
        metric.tokenizer = underscored(one) if name == "Underscored" else tercom(normalized=name == "normalized")
        found.append([parts(metric.corpus_score(hyps, refs)), parts(metric.sentence_score(hyps[0], [refs[0][0]]))])
        if one is ours:
            assert f"tok:{name.replace('normalized', 'tercom')}|" in str(metric.get_signature())
    assert found[0] == found[1]


def letters(line):
    return " ".join(line.replace(" ", "_"))


@pytest.mark.parametrize("lowercase", [False, True])
def test_other_tokenizers_can_be_set(lowercase):
    hyps, refs = corpus(8, missing=True)
    found = []
    for one in (ours, peer):
        metric = one.BLEU(lowercase=lowercase)
        metric.tokenizer = letters
        found.append((str(metric.corpus_score(hyps, refs)), metric.corpus_score(hyps, refs, n_bootstrap=20)._mean))
        found[-1] += (str(metric.sentence_score(hyps[3], [refs[0][3]])),)
    assert found[0] == found[1]
    cached = ours.BLEU(lowercase=lowercase, references=refs)
    cached.tokenizer = letters  # sacreBLEU keeps references as the first tokenizer cut them
    assert str(cached.corpus_score(hyps, None)) == found[0][0]
    assert "|tok:letters|" in str(cached.get_signature())  # 13a in sacreBLEU


def test_subclasses_cannot_change_what_is_never_called():
    for base in (ours.BLEU, ours.CHRF, ours.TER):
        with pytest.raises(InputTypeError, match="Mine: _preprocess_segment is a method of sacreBLEU's own"):
            type("Mine", (base,), {"_preprocess_segment": str.lower})


def test_metrics_can_be_copied_and_pickled_after_use():
    hyps, refs = corpus(9)
    for name in ("BLEU", "CHRF", "TER"):
        metric = getattr(ours, name)(references=refs)
        score = str(metric.corpus_score(hyps, None))
        for other in (copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
            assert str(other.corpus_score(hyps, None)) == score
            assert str(other.get_signature()) == str(metric.get_signature())
        assert str(pickle.loads(pickle.dumps(metric.corpus_score(hyps, None)))) == score


def test_versions():
    assert ours.__version__.startswith(peer.__version__ + "+tricolore.")
    assert "version:tricolore-" in str(ours.BLEU(references=[["a"]]).get_signature())


def test_warnings_are_those_of_sacrebleu(caplog):
    logging.getLogger("sacrebleu").setLevel(logging.WARNING)
    hyps = ["This is a test ."] * 100
    found = []
    for one in (ours, peer):
        caplog.clear()
        one.BLEU().sentence_score("a", ["a"])
        one.BLEU(tokenize="13a", trg_lang="ja", force=True).corpus_score(hyps, [hyps])
        one.BLEU().corpus_score(hyps, [hyps])
        found.append([(record.name, record.levelname) for record in caplog.records])
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    assert found[0] == found[1] == [("sacrebleu", "WARNING")] * 5


def test_the_models_of_sentencepiece_are_not_downloaded(monkeypatch, tmp_path):
    pytest.importorskip("sentencepiece")
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    with pytest.raises(InputError, match=r"its model is not in sacreBLEU's cache .*flores200sacrebleuspm"):
        ours.BLEU(tokenize="flores200")


def test_names_about_test_sets_come_from_sacrebleu_itself(monkeypatch, tmp_path):
    assert ours.get_available_testsets() == peer.get_available_testsets()
    assert ours.dataset.DATASETS["wmt14"].langpairs == peer.dataset.DATASETS["wmt14"].langpairs
    assert ours.get_langpairs_for_testset("wmt14") == peer.get_langpairs_for_testset("wmt14")
    with ours.smart_open(str(tmp_path / "x.gz"), "wt") as file:
        file.write("a\r\nb\n")
    assert ours.smart_open(str(tmp_path / "x.gz")).readlines() == ["a\r\n", "b\n"]
    with pytest.raises(AttributeError, match="has no 'corpus_comet'"):
        ours.corpus_comet  # noqa: B018
    monkeypatch.setitem(sys.modules, "sacrebleu", ours)
    assert test_sets.peer("utils").__name__ == "_tricolore_sacrebleu.utils"
    assert ours.get_available_testsets() == peer.get_available_testsets()
    for name in ("sacrebleu", "sacrebleu.utils"):  # as if it were not installed
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"pip install 'tricolore\[sets\]'"):
        ours.DATASETS  # noqa: B018
