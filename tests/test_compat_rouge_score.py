"""The drop-in for rouge-score against rouge-score itself, and what it rejects."""

import copy
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score import io as peer_io
from rouge_score import rouge_scorer as peer
from rouge_score import scoring as peer_scoring
from rouge_score import tokenize as peer_tokenize

from tricolore.compat.rouge_score import io, rouge_scorer, scoring, tokenize, tokenizers
from tricolore.compat.rouge_score.rouge import main as rouge_command
from tricolore.compat.rouge_score.summary_lcs import lcs_positions, lcs_table
from tricolore.errors import InputError, InputTypeError

#: Few words, some with stems; sentences end with a line.
WORDS = [
    "the",
    "cats",
    "cat",
    "sat",
    "sitting",
    "running",
    "runs",
    "2nd",
    "É",
    "K",
    "ß",
    "İx",
    "ran-dom",
    "x's",
    "a",
    "b",
    "c",
    ".",
    "/",
]
WORD = st.sampled_from([*WORDS, "\n", "\n\n"])
TEXT = st.lists(WORD, max_size=25).map(" ".join)
TYPES = ("rouge1", "rouge2", "rouge4", "rouge9", "rougeL", "rougeLsum")


@pytest.fixture
def lenient(monkeypatch):
    monkeypatch.setenv("TRICOLORE_COMPAT", "lenient")


class Words:
    """A tokenizer of one's own, whose tokens have white space in them."""

    def tokenize(self, text):
        return [f"{word} {len(word)}" for word in text.split()]


OPTIONS = [{}, {"use_stemmer": True}, {"tokenizer": Words()}]


@pytest.mark.usefixtures("lenient")
@pytest.mark.parametrize("options", OPTIONS)
def test_scores_equal_rouge_scores(options):
    @given(TEXT, st.lists(TEXT, min_size=1, max_size=3), st.sets(st.sampled_from(TYPES), min_size=1))
    def check(prediction, targets, types):
        ours, theirs = (package.RougeScorer([*types], **options) for package in (rouge_scorer, peer))
        found, expected = (
            (one.score(targets[0], prediction), one.score_multi(targets, prediction)) for one in (ours, theirs)
        )
        assert found == expected
        assert str(found) == str(expected)  # also whether a score of nothing is 0 or 0.0

    check()


@pytest.mark.parametrize("types", [["rougeL"], ["rougeLsum"], ["rouge1", "rougeL", "rouge2", "rougeLsum"], []])
@pytest.mark.parametrize("texts", [("", ""), ("a", ""), ("", "a\nb"), ("a", "b")])
def test_scores_of_nothing_are_printed_as_rouge_scores(types, texts):
    ours, theirs = (package.RougeScorer(types) for package in (rouge_scorer, peer))
    assert str(ours.score(*texts)) == str(theirs.score(*texts))
    assert str(ours.score_multi([texts[0]], texts[1])) == str(theirs.score_multi([texts[0]], texts[1]))


def test_without_a_type_nothing_is_scored():
    assert rouge_scorer.RougeScorer([]).score_multi([], "a") == peer.RougeScorer([]).score_multi([], "a") == {}


@given(TEXT | st.text())
def test_tokens_equal_rouge_scores(text):
    from nltk.stem.porter import PorterStemmer

    assert tokenize.tokenize(text, None) == peer_tokenize.tokenize(text, None)
    stems = peer_tokenize.tokenize(text, PorterStemmer())
    assert tokenize.tokenize(text, PorterStemmer()) == stems
    assert tokenizers.DefaultTokenizer(use_stemmer=True).tokenize(text) == stems


@given(st.text("abc", max_size=80), st.text("abcd", max_size=80))
def test_subsequences_are_those_that_rouge_score_finds(ref, can):
    table = peer._lcs_table(ref, can)
    assert lcs_table(ref, can) == table
    assert lcs_positions(ref, can) == peer._backtrack_norec(table, ref, can)


def test_bytes_are_text():
    for types in (["rouge1"], ["rougeL", "rougeLsum"]):
        ours, theirs = (package.RougeScorer(types) for package in (rouge_scorer, peer))
        texts = "The cat\nsat É".encode(), b"the CAT\nran"
        assert ours.score(*texts) == theirs.score(*texts)


@given(
    st.lists(st.tuples(*[st.floats(0, 1)] * 3), min_size=1, max_size=30),
    st.sampled_from([0.0, 0.5, 0.95, 1.0]),
    st.sampled_from([1, 7, 100]),
)
def test_intervals_equal_rouge_scores(rows, confidence, samples):
    found = []
    for package in (scoring, peer_scoring):
        np.random.seed(7)
        aggregator = package.BootstrapAggregator(confidence, samples)
        for row in rows:
            aggregator.add_scores({"rouge1": package.Score(*row), "rougeL": package.Score(*row[::-1])})
        found.append(aggregator.aggregate())
    assert found[0] == found[1]
    assert isinstance(found[0]["rouge1"].low, scoring.Score)


def test_long_lists_are_drawn_in_parts(monkeypatch):
    monkeypatch.setattr(scoring, "_CELLS_AT_A_TIME", 50)
    found = []
    for package in (scoring, peer_scoring):
        np.random.seed(7)
        aggregator = package.BootstrapAggregator(n_samples=31)
        for i in range(11):
            aggregator.add_scores({"rouge1": package.Score(i / 11, 1 / (i + 1), 0.1 * i)})
        found.append(aggregator.aggregate())
    assert found[0] == found[1]


def test_types_may_change():
    scorer = rouge_scorer.RougeScorer(("rouge1",))
    assert [*scorer.score("a", "a")] == ["rouge1"]
    scorer.rouge_types = ["rougeL"]
    assert [*scorer.score("a", "a")] == ["rougeL"]


@pytest.mark.parametrize("types", [["rouge0"], ["rouge10"], ["rougen"], ["rouge-1"], "rouge1", [1]])
def test_unknown_types_are_refused(types):
    with pytest.raises(ValueError, match="invalid ROUGE type"):
        rouge_scorer.RougeScorer(types).score("a", "a")


@pytest.mark.parametrize("arguments", [{"confidence_interval": 1.1}, {"confidence_interval": -1}, {"n_samples": 0}])
def test_aggregators_check_their_arguments(arguments):
    with pytest.raises(ValueError, match="must be"):
        scoring.BootstrapAggregator(**arguments)


def test_a_text_is_no_list_of_targets(monkeypatch):
    scorer = rouge_scorer.RougeScorer(["rouge1"])
    with pytest.raises(InputTypeError, match="targets: expected a list of texts, got the string 'a cat'"):
        scorer.score_multi("a cat", "a cat")
    with pytest.raises(InputError, match="targets: expected at least one text"):
        scorer.score_multi([], "a cat")
    monkeypatch.setenv("TRICOLORE_COMPAT", "lenient")
    assert scorer.score_multi("a cat", "a cat") == peer.RougeScorer(["rouge1"]).score_multi("a cat", "a cat")


def test_scripts_of_which_nothing_is_left_are_refused(monkeypatch):
    """rouge-score scores identical Thai texts 0."""
    for options in OPTIONS[:2]:
        with pytest.raises(InputError, match="target: rouge-score reads a-z and 0-9 alone"):
            rouge_scorer.RougeScorer(["rouge1"], **options).score("ภาษาไทย", "ภาษาไทย")
        with pytest.raises(InputError, match="prediction: rouge-score reads a-z and 0-9 alone"):
            rouge_scorer.RougeScorer(["rougeLsum"], **options).score("a", "ภาษาไทย")
    assert rouge_scorer.RougeScorer(["rouge1"], tokenizer=Words()).score("ภาษาไทย", "ภาษาไทย")["rouge1"].fmeasure == 1
    assert rouge_scorer.RougeScorer(["rouge1"]).score("a", "/")["rouge1"].fmeasure == 0
    monkeypatch.setenv("TRICOLORE_COMPAT", "lenient")
    assert rouge_scorer.RougeScorer(["rouge1"]).score("ภาษาไทย", "ภาษาไทย")["rouge1"].fmeasure == 0


FLAGS = [
    ["--noaggregate"],
    ["--aggregate=false", "--rouge_types=rouge2,rougeLsum", "--use_stemmer"],
    ["--noaggregate", "--delimiter=:", "--rouge_types=rouge1"],
]


@pytest.mark.parametrize("flags", FLAGS)
def test_the_command_writes_the_file_that_rouge_scores_writes(flags, tmp_path):
    for name, text in (("a.target", "the cats sat: on\nmats\n"), ("b.target", "one: two:\nthree\n")):
        (tmp_path / name).write_text(text)
        (tmp_path / name.replace("target", "decode")).write_text(text.replace("on", "cat"))
    files = [f"--target_filepattern={tmp_path}/*.target", f"--prediction_filepattern={tmp_path}/*.decode"]
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    assert rouge_command([*files, f"--output_filename={ours}", *flags]) == 0
    command = [sys.executable, "-m", "rouge_score.rouge", *files, f"--output_filename={theirs}", *flags]
    subprocess.run(command, check=True, capture_output=True)
    assert ours.read_bytes() == theirs.read_bytes()


def test_an_empty_delimiter_is_told_in_one_line(tmp_path, capsys):
    """rouge-score writes a traceback."""
    (tmp_path / "a").write_text("a\n")
    files = [f"--target_filepattern={tmp_path}/a", f"--prediction_filepattern={tmp_path}/a", "--output_filename=x"]
    assert rouge_command([*files, "--delimiter="]) == 2
    assert capsys.readouterr().err == "rouge: delimiter: expected what ends a record, got an empty string\n"


def test_missing_data_of_nltk_is_told_in_one_line(monkeypatch):
    def nothing(text):
        raise LookupError("\n*****\n  Resource punkt_tab not found.\n")

    monkeypatch.setattr("nltk.sent_tokenize", nothing)
    scorer = rouge_scorer.RougeScorer(["rougeLsum"], split_summaries=True)
    with pytest.raises(LookupError, match="needs NLTK's model punkt_tab: python -m nltk"):
        scorer.score("One. Two.", "Two.")
    assert issubclass(rouge_scorer.MissingDataError, InputError)


@pytest.mark.parametrize("kind", ["rouge1", "rougeL", "rougeLsum"])
def test_what_is_no_text_is_a_type_error(kind):
    scorer = rouge_scorer.RougeScorer([kind])
    with pytest.raises(InputTypeError, match="prediction: expected a string, got None"):
        scorer.score("a", None)
    with pytest.raises(InputTypeError, match="target: expected a string, got 3"):
        scorer.score(3, "a")


def test_files_of_intervals_equal_rouge_scores(tmp_path):
    (tmp_path / "target").write_text("a b c\nd e\nf g\n")
    (tmp_path / "prediction").write_text("a b\nd d\nf g h")  # no end of line: a warning, as there
    written = []
    for package_io, package_scoring, scorer in ((io, scoring, rouge_scorer), (peer_io, peer_scoring, peer)):
        np.random.seed(7)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            package_io.compute_scores_and_write_to_csv(
                str(tmp_path / "target"),
                str(tmp_path / "prediction"),
                str(tmp_path / "out"),
                scorer.RougeScorer(["rougeL", "rouge1"]),
                package_scoring.BootstrapAggregator(),
            )
        written.append((tmp_path / "out").read_bytes())
    assert written[0] == written[1]


@pytest.mark.parametrize(
    ("target", "prediction", "message"),
    [
        ("a\nb\n", "a\n", "target: 2 records, but "),
        ("", "", "no records; expected at least one"),
        ("a\n", None, "prediction' 0; expected the same number"),
    ],
)
def test_files_that_do_not_fit_leave_nothing_behind(target, prediction, message, tmp_path, capsys):
    (tmp_path / "target").write_text(target)
    if prediction is not None:
        (tmp_path / "prediction").write_text(prediction)
    patterns = [f"--{name}_filepattern={tmp_path / name}" for name in ("target", "prediction")]
    assert rouge_command([*patterns, f"--output_filename={tmp_path / 'out'}"]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_scorers_can_be_copied_and_pickled_after_use():  # for pools of processes
    texts = ("The cats sat.\nIt rained", "A cat sits.\nIt rains")
    for kinds in (["rougeLsum"], ["rouge1", "rougeL", "rougeLsum"]):
        scorer = rouge_scorer.RougeScorer(kinds, use_stemmer=True)
        expected = scorer.score(*texts)
        for other in (copy.deepcopy(scorer), pickle.loads(pickle.dumps(scorer))):
            assert other.score(*texts) == expected


def test_no_types_give_no_scores():
    assert rouge_scorer.RougeScorer([]).score("a", "b") == peer.RougeScorer([]).score("a", "b") == {}


@pytest.mark.parametrize(
    ("texts", "message"), [((None, "a"), "target: .*, got None"), (("a", 1.5), "prediction: .*, got 1.5")]
)
def test_what_is_no_text_is_refused(texts, message):
    with pytest.raises(InputTypeError, match=message):
        rouge_scorer.RougeScorer(["rouge1"]).score(*texts)


def test_single_numbers_have_intervals():
    found = []
    for module in (scoring, peer_scoring):
        np.random.seed(3)
        aggregator = module.BootstrapAggregator()
        for number in (0.5, 0.25, 1.0):
            aggregator.add_scores({"mine": number})
        found.append(tuple(aggregator.aggregate()["mine"]))
    assert found[0] == found[1]
