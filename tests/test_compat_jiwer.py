"""The drop-in for jiwer against jiwer itself, and what it rejects."""

from dataclasses import asdict

import jiwer as peer
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore import _native
from tricolore.compat import jiwer
from tricolore.compat.jiwer import cli
from tricolore.compat.jiwer.edit_steps import steps_between
from tricolore.errors import InputError

#: Few letters, so that much is equal; white space of all kinds, punctuation, stars, a letter of Unicode's private use.
TEXT = st.text("ab *.'\t\n\u3000\u2028é\u0301<>[]nt\ue000\U0001f600", max_size=12)
PAIRS = st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=4)
TRANSFORMS = [
    "wer_default",
    "wer_contiguous",
    "wer_standardize",
    "wer_standardize_contiguous",
    "cer_default",
    "cer_contiguous",
]


@given(PAIRS)
def test_measures_equal_jiwers(pairs):
    refs, hyps = ([*side] for side in zip(*pairs, strict=True))
    for measure in ("wer", "mer", "wil", "wip", "cer"):
        ours, theirs = getattr(jiwer, measure), getattr(peer, measure)
        assert ours(refs, hyps) == theirs(refs, hyps)
        assert ours(refs[0], hyps[0]) == theirs(refs[0], hyps[0])


@given(PAIRS, st.sampled_from(TRANSFORMS))
def test_outputs_equal_jiwers(pairs, transform):
    refs, hyps = ([*side] for side in zip(*pairs, strict=True))
    for process in ("process_words", "process_characters"):
        outcomes = []
        for package in (jiwer, peer):
            how = getattr(package, transform)
            try:
                outcomes.append(asdict(getattr(package, process)(refs, hyps, how, how)))
            except ValueError:
                outcomes.append("refused")
        assert outcomes[0] == outcomes[1]


@given(PAIRS)
def test_outputs_of_one_pair_equal_jiwers(pairs):
    for ref, hyp in pairs:
        for process in ("process_words", "process_characters"):
            ours, theirs = (getattr(package, process)(ref, hyp) for package in (jiwer, peer))
            assert asdict(ours) == asdict(theirs)
            assert repr(ours) == repr(theirs)


def test_outputs_keep_what_was_given():
    """Lists of words are made when they are asked for, of what was there then."""
    refs, hyps = ["a b", "c"], ["a c", "c"]
    output = jiwer.process_words(refs, hyps)
    refs[0] = hyps[0] = "x"
    assert (output.references, output.hypotheses) == ([["a", "b"], ["c"]], [["a", "c"], ["c"]])
    output.references[0].append("d")
    assert output.references[0] == ["a", "b", "d"]
    output.wer = 0.5
    assert output.wer == 0.5
    assert output.mer == 1 / 3


@given(PAIRS, st.booleans(), st.booleans(), st.none() | st.integers(0, 30), st.none() | st.integers(1, 3))
def test_pictures_equal_jiwers(pairs, measures, skip, width, top):
    refs, hyps = ([*side] for side in zip(*pairs, strict=True))
    for process in ("process_words", "process_characters"):
        ours, theirs = (getattr(package, process)(refs, hyps) for package in (jiwer, peer))
        assert jiwer.visualize_alignment(ours, measures, skip, width) == peer.visualize_alignment(
            theirs, measures, skip, width
        )
        assert jiwer.collect_error_counts(ours) == peer.collect_error_counts(theirs)
        assert jiwer.visualize_error_counts(ours, top_k=top) == peer.visualize_error_counts(theirs, top_k=top)
        assert jiwer.visualize_error_counts(ours, measures, skip) == peer.visualize_error_counts(theirs, measures, skip)


@given(st.lists(TEXT, max_size=4))
def test_transforms_equal_jiwers(texts):
    simple = [
        "ExpandCommonEnglishContractions ReduceToListOfListOfChars ReduceToListOfListOfWords ReduceToSingleSentence",
        "RemoveEmptyStrings RemoveKaldiNonWords RemoveMultipleSpaces RemovePunctuation RemoveWhiteSpace Strip",
        "ToLowerCase ToUpperCase",
    ]
    cases = [(name, ()) for name in " ".join(simple).split()]
    cases += [("SubstituteRegexes", ({"a+": "b", r"(b)\s": r"\1"},)), ("SubstituteWords", ({"a": "b", "b'": "*"},))]
    cases += [("RemoveSpecificWords", (["a", "b"],)), ("RemoveWhiteSpace", (True,)), ("ReduceToSingleSentence", ("_",))]
    for name, arguments in cases:
        ours, theirs = (getattr(package, name)(*arguments) for package in (jiwer, peer))
        assert ours(texts) == theirs(texts), name
        assert [ours(text) for text in texts] == [theirs(text) for text in texts], name


@given(st.lists(st.text("ab \n", max_size=2), max_size=6), st.lists(st.text("ab \n", max_size=2), max_size=6))
def test_any_tokens_are_aligned(ref, hyp):
    """Tokens with white space in them, and empty ones, as transforms of one's own may make."""
    theirs = peer.process_words("x", "x", lambda _: [ref], lambda _: [hyp])
    ours = jiwer.process_words("x", "x", lambda _: [ref], lambda _: [hyp])
    assert asdict(ours) == asdict(theirs)


def test_more_words_than_letters_are_aligned():
    words = [f"{i} {i}" for i in range(0x110000 - 0xE000 + 1)]
    assert steps_between(words, words[:-1]) == "=" * (len(words) - 1) + "D"


def test_long_lists_are_searched_for_white_space():
    texts = ["a b c"] * 300
    for space in " \t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u2028":
        other = [*texts, f"a{space}b"]
        assert jiwer.wer(other, [*texts, "a b"]) == peer.wer(other, [*texts, "a b"])


def test_outputs_are_data():
    import copy
    import pickle

    output = jiwer.process_words("a b", "a c")
    same = pickle.loads(pickle.dumps(output))
    assert same == copy.deepcopy(output) == output
    assert repr(output) == repr(peer.process_words("a b", "a c"))
    assert not hasattr(output, "cer")


def test_what_jiwer_refuses_is_refused():
    for reference, hypothesis in [(None, "a"), (("a",), ["a"]), ([1], ["a"]), (["a", "b"], ["a"])]:
        for package in (jiwer, peer):
            with pytest.raises((ValueError, TypeError, AttributeError)):
                package.wer(reference, hypothesis)
    with pytest.raises(ValueError, match="reference_transform: expected lists of lists of strings"):
        jiwer.wer("a", "a", jiwer.Strip(), jiwer.Strip())


def test_chunks_are_checked():
    assert jiwer.AlignmentChunk("replace", 0, 1, 0, 1).type == "substitute"
    for arguments in [("swap", 0, 1, 0, 1), ("equal", 1, 0, 0, 1), ("equal", 0, 1, 1, 0)]:
        with pytest.raises(ValueError, match=r"expected one of|is larger than"):
            jiwer.AlignmentChunk(*arguments)


def test_changed_defaults_are_used():
    jiwer.wer_default.transforms.insert(0, jiwer.ToLowerCase())
    try:
        assert jiwer.wer("A b", "a b") == 0
    finally:
        del jiwer.wer_default.transforms[0]
    assert jiwer.wer("A b", "a b") == 0.5


def test_transforms_that_shift_sentences_are_refused(monkeypatch):
    """jiwer compares `b` with `x` and `x` with `c`, and says nothing."""
    how = [jiwer.RemoveEmptyStrings(), jiwer.ReduceToListOfListOfWords()]
    refs, hyps = ["a", "", "b", "x"], ["a", "x", "", "c"]
    with pytest.raises(InputError, match="sentence 2: the transforms drop the reference only"):
        jiwer.wer(refs, hyps, jiwer.Compose(how), jiwer.Compose(how))
    assert jiwer.wer(["a", "", "b"], ["a", " ", "b"], jiwer.Compose(how), jiwer.Compose(how)) == 0
    monkeypatch.setenv("TRICOLORE_COMPAT", "lenient")
    theirs = [peer.RemoveEmptyStrings(), peer.ReduceToListOfListOfWords()]
    expected = peer.wer(refs, hyps, peer.Compose(theirs), peer.Compose(theirs))
    assert jiwer.wer(refs, hyps, jiwer.Compose(how), jiwer.Compose(how)) == expected


WORDLESS = "RemoveEmptyStrings RemoveKaldiNonWords RemoveMultipleSpaces Strip ReduceToListOfListOfWords"


@given(*[st.lists(st.sampled_from(["", " ", "[laugh]", "a", "b c"]), min_size=1, max_size=4)] * 2, st.booleans())
def test_only_sentences_dropped_on_one_side_are_refused(refs, hyps, joins):
    hyps = (hyps * 4)[: len(refs)]
    outcomes = []
    for package in (jiwer, peer):
        how = [getattr(package, name)() for name in WORDLESS.split()]
        how = package.Compose([*how[:-1], *[package.ReduceToSingleSentence()] * joins, how[-1]])
        try:
            outcomes.append(package.wer(refs, hyps, how, how))
        except ValueError as error:
            outcomes.append("the transforms drop the" in str(error) or "lengths")
    places = [[bool(text.strip()) for text in side] for side in (refs, hyps)]
    words = [any(text in ("a", "b c") for text in side) for side in (refs, hyps)]
    if outcomes[0] is True:
        assert not joins
        assert all(words)
        assert places[0] != places[1]
    else:
        assert outcomes[0] == outcomes[1]
        assert joins or places[0] == places[1] or not all(words) or outcomes[0] == "lengths"


def test_the_one_sentence_left_on_each_side_must_be_the_same():
    how = jiwer.Compose([jiwer.RemoveEmptyStrings(), jiwer.ReduceToListOfListOfWords()])
    with pytest.raises(InputError, match="sentence 1: the transforms drop the reference only"):
        jiwer.wer(["", "b c"], ["b c", ""], how, how)
    wordless = jiwer.Compose([getattr(jiwer, name)() for name in WORDLESS.split()])
    assert jiwer.wer(["", "[laugh]", "a b"], ["", "x", "a b"], wordless, wordless) == 0.5


@pytest.mark.parametrize("flags", ["", "-c", "-a", "-a -c", "-g", "-g -c", "-g -a --cer", "--align --global"])
def test_the_command_prints_what_jiwer_prints(tmp_path, capsys, flags):
    from click.testing import CliRunner
    from jiwer.cli import cli as their_cli

    (tmp_path / "ref").write_text("short one here\n\nquite a bit of longer sentence\nI\n", encoding="utf-8")
    (tmp_path / "hyp").write_text("shoe order one\n\nquite bit of an even longest\na\n", encoding="utf-8")
    arguments = ["-r", str(tmp_path / "ref"), "-h", str(tmp_path / "hyp"), *flags.split()]
    assert cli.main(arguments) == 0
    assert capsys.readouterr().out == CliRunner().invoke(their_cli, arguments).stdout


def test_the_command_refuses_lines_that_shift(tmp_path, capsys, monkeypatch):
    (tmp_path / "ref").write_text("one\n\nthree\nfour\n", encoding="utf-8")
    (tmp_path / "hyp").write_text("one\ntwo\nI\nfour\n", encoding="utf-8")
    arguments = ["-r", str(tmp_path / "ref"), "-h", str(tmp_path / "hyp")]
    assert cli.main(arguments) == 1
    assert "line 2: jiwer drops lines of fewer than two characters" in capsys.readouterr().err
    monkeypatch.setenv("TRICOLORE_COMPAT", "lenient")
    assert cli.main(arguments) == 0
    (tmp_path / "ref").write_text("one\n", encoding="utf-8")
    assert cli.main(arguments) == 1
    assert "--global aligns all as one" in capsys.readouterr().err


@pytest.mark.parametrize("beside", ["", "\u4e00", "\U0001f600"])  # which decides how wide the characters of a text are
def test_white_space_is_told_from_the_space(beside):
    found = {c for c in map(chr, range(0x3100)) if not _native.spaces_only([f"a{c}b{beside}"])}
    assert found == {c for c in map(chr, range(0x3100)) if c.isspace() and c != " "}


@pytest.mark.parametrize("name", ["wer", "mer", "wil", "wip", "cer", "process_words", "process_characters"])
def test_what_is_missing_is_told_in_one_line(name):
    for texts in ((None, "a"), ("a", None), (None, None)):
        for module in (jiwer, peer):
            with pytest.raises(ValueError, match=r"string.*None|None.*string"):
                getattr(module, name)(*texts)
    with pytest.raises(TypeError, match=r"^hypothesis 1: expected a string, got None$"):
        getattr(jiwer, name)(["a", "b"], ["a", None])
    with pytest.raises(TypeError, match=r"^reference 1: expected a string, got nan$"):
        getattr(jiwer, name)(["a", float("nan")], ["a", "b"])


@pytest.mark.parametrize("name", ["wer", "mer", "wil", "wip", "cer"])
@pytest.mark.parametrize("texts", [(), ("a",), (np.array(["a b", "c"]), np.array(["a", "c"])), (np.array(["a"]), "a")])
def test_what_is_no_list_of_texts_is_a_value_error_in_both(name, texts):
    for module in (jiwer, peer):
        with pytest.raises(ValueError, match=r"string or (a )?list of strings"):
            getattr(module, name)(*texts)
