"""Every tokeniser equals sacreBLEU's, and the substitutions that define it."""

import logging

import oracles
import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import _get_tokenizer
from strategies import FRAGMENTS, WHITE_SPACE, adversarial, encodable, points

from tricolore import BLEU, NIST, InputError, MissingExtraError, SpecError, tokenize

logging.getLogger("sacrebleu").setLevel(logging.ERROR)

CORE = list(oracles.TOKENIZERS)
PEER = {name: _get_tokenizer(name)() for name in ("none", "13a", "intl", "zh", "char")}
EVERY_CODE_POINT = [chr(code) for code in range(0x110000)]


def peer_tokens(name, text):
    return PEER[name](text.rstrip()).split()


# Equal to the peer and to the definition ---------------------------------------------------------------------


@pytest.mark.parametrize("name", PEER)
@settings(max_examples=500)
@given(text=st.one_of(adversarial, points))
@example(text="")
@example(text=" \u2028 ")
@example(text="&amp;lt;skipped> -\n 5..5 ,,3 ...5")
def test_equals_sacrebleu(name, text):
    assert tokenize(text, name) == peer_tokens(name, text)


@pytest.mark.parametrize("name", CORE)
@settings(max_examples=300)
@given(text=st.one_of(adversarial, points))
def test_equals_the_definition(name, text):
    assert tokenize(text, name) == oracles.TOKENIZERS[name](text)


@pytest.mark.parametrize("name", PEER)
def test_equals_sacrebleu_on_all_short_texts_of_points_and_digits(name):
    from itertools import product

    for length in range(1, 6):
        for letters in product("a5.,- ", repeat=length):
            text = "".join(letters)
            assert tokenize(text, name) == peer_tokens(name, text), repr(text)


@pytest.mark.parametrize("name", PEER)
def test_equals_sacrebleu_on_pairs_of_fragments(name):
    for one in FRAGMENTS:
        for other in FRAGMENTS:
            for text in (one + other, f"{one} {other}", f"\u3000{one}é{other}", f"😀{one}1{other}2"):
                assert tokenize(text, name) == peer_tokens(name, text), repr(text)


@pytest.mark.slow
@pytest.mark.parametrize("name", PEER)
def test_equals_sacrebleu_around_every_character_of_the_basic_plane(name):
    for start in range(0, 0x11000, 64):
        text = " ".join(f"a{c}b {c}.5 5,{c} 7-{c}" for c in EVERY_CODE_POINT[start : start + 64])
        assert tokenize(text, name) == peer_tokens(name, text), hex(start)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("It costs $3.50, doesn't it?", "It costs $ 3.50 , doesn't it ?"),
        ("1,234.5-6", "1,234.5 - 6"),
        ("&quot;A&amp;B&quot;", '" A & B "'),
        ("<skipped>end-\nof line", "endof line"),
    ],
)
def test_13a_by_hand(text, tokens):
    assert tokenize(text) == tokens.split()


def test_universal_cuts_every_script():
    assert tokenize("It's “good”, 3.5 km!", "universal") == ["It's", "“", "good", "”", ",", "3.5", "km", "!"]
    assert tokenize("中文，ABC。", "universal") == ["中", "文", "，", "ABC", "。"]
    assert tokenize("ไม่มีช่อง", "universal") == ["ไ", "ม่", "มี", "ช่", "อ", "ง"]
    assert tokenize("سلام، دنیا؟", "universal") == ["سلام", "،", "دنیا", "؟"]
    assert tokenize("カード・きょう", "universal") == [*"カード・きょう"]


def test_intl_leaves_a_point_after_a_final_number():
    assert tokenize("in 2004.", "intl") == ["in", "2004."]
    assert tokenize("in 2004.", "13a") == ["in", "2004", "."]


# White space -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("space", WHITE_SPACE, ids=lambda c: f"U+{ord(c):04X}")
@pytest.mark.parametrize("name", CORE)
def test_all_unicode_white_space_separates(name, space):
    for letter in ("a", "ж", "😀"):  # strings of 1, 2 and 4 bytes a character
        kept = [" "] if name == "char+space" else []
        assert tokenize(f"{space}{letter}{space}{space}b{space}", name) == [letter, *kept, "b"]


@pytest.mark.parametrize("size", [0x80, 0x100, 0x10000, 0x110000])
def test_none_is_str_split_for_every_code_point(size):
    text = "".join(f"a{c}" for c in EVERY_CODE_POINT[:size])
    assert tokenize(text, "none") == text.split()


# Unicode categories ------------------------------------------------------------------------------------------


def code_points_of(category):
    return frozenset(regex.findall(rf"\p{{{category}}}", "".join(EVERY_CODE_POINT)))


@pytest.mark.slow
def test_intl_knows_the_category_of_every_code_point():
    """Compare with the installed `regex`; when that moves to a newer Unicode, native/unicode_ranges.inc must too."""
    punctuation, symbols, numbers = map(code_points_of, "PSN")
    assert len(punctuation) > 800 and len(symbols) > 7000 and len(numbers) > 1800

    def expected(c):
        if c.isspace():
            return ["a", "b", ".", "5"]
        around = ["a", c, "b"] if c in punctuation or c in symbols else [f"a{c}b"]
        # A point after a point that is already cut off stays with its digit.
        after = [f"{c}.5"] if c in numbers else [c, ".5"] if c in punctuation else [c, ".", "5"]
        return around + after

    wrong = [f"U+{ord(c):04X}" for c in EVERY_CODE_POINT if tokenize(f"a{c}b {c}.5", "intl") != expected(c)]
    assert wrong == []


def test_strip_punctuation_drops_category_p_and_nothing_else():
    text = "".join(EVERY_CODE_POINT)
    assert "".join(tokenize(text, "char", strip_punctuation=True)) == "".join(oracles.without_punctuation(text).split())


@pytest.mark.parametrize("name", CORE)
@given(text=adversarial)
def test_strip_punctuation_comes_before_cutting(name, text):
    assert tokenize(text, name, strip_punctuation=True) == tokenize(oracles.without_punctuation(text), name)


@pytest.mark.parametrize("name", CORE)
@given(text=adversarial)
@example(text="İSTANBUL ΣΑΣ STRASSE ẞ")
def test_lowercase_is_str_lower_of_the_whole_text(name, text):
    assert tokenize(text, name, lowercase=True) == tokenize(text.lower(), name)


# Odd input ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CORE)
@pytest.mark.parametrize("text", ["\ud800", "a\udc00.b \ud83d 5.", "\0", "a\0b \0.5", "👩🏽‍🚀!", "e\u0301.", "\ufeffa"])
def test_odd_characters_are_ordinary(name, text):
    assert tokenize(text, name) == oracles.TOKENIZERS[name](text)
    assert tokenize(text, name)


@pytest.mark.parametrize("name", CORE)
@pytest.mark.parametrize("piece", ["word, 3.5 ", "слово, 3.5 ", "😀中.", "x", "5."])
def test_a_megabyte_on_one_line(name, piece):
    text = piece * (1_000_000 // len(piece))
    tokens = tokenize(text, name)
    if name in PEER and name != "char":  # joining a million characters says nothing new
        assert tokens == peer_tokens(name, text)
    else:
        assert "".join(tokens).replace(" ", "") == text.replace(" ", "")


# Names -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["13b", "", "spm:", "None", "13A", 13, True, ["13a"]])
def test_unknown_tokenizer(name):
    with pytest.raises(SpecError, match=r"none.*13a.*intl.*zh.*char.*ja-mecab.*ko-mecab.*spm:FILE"):
        BLEU(tokenize=name)
    with pytest.raises(SpecError, match=r"13a"):
        tokenize("a", name)


def test_the_nearest_tokenizer_is_suggested():
    with pytest.raises(SpecError, match=r"did you mean 'ja-mecab'"):
        BLEU(tokenize="jamecab")


@pytest.mark.parametrize("name", ["spm", "flores200"])
def test_models_by_name_are_in_the_cache_of_sacrebleu(name, tmp_path, monkeypatch):
    pytest.importorskip("sentencepiece")
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    with pytest.raises(InputError, match=r"its model is not in sacreBLEU's cache .*spm:FILE"):
        BLEU(tokenize=name)(["a"], ["a"])


@pytest.mark.parametrize("name", CORE)
def test_the_signature_says_which(name):
    signature = BLEU(tokenize=name).signature()
    assert f"|tok:{name}|" in signature or f"|tok:{name}-unicode" in signature
    assert ("unicode" in signature) == (name in ("intl", "universal"))


# Japanese and Korean -----------------------------------------------------------------------------------------

MECAB = {
    "ja-mecab": [
        "今日は良い天気です。",
        "私は、東京に行きます！",
        " 3.5キロ歩いた。 ",
        "ｶﾀｶﾅとＡＢＣ",
        "",
        "\u3000",
        "😀と猫",
    ],
    "ko-mecab": ["오늘은 날씨가 좋습니다.", "저는 서울에 갑니다!", " 3.5킬로 걸었다. ", "", "\u3000", "😀 고양이"],
}


def mecab(name):
    try:
        return _get_tokenizer(name)()
    except RuntimeError as error:
        pytest.skip(str(error).strip().splitlines()[0])


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in MECAB.items() for text in texts])
def test_mecab_equals_sacrebleu(name, text):
    assert tokenize(text, name) == mecab(name)(text.rstrip()).split()


@pytest.mark.parametrize("name", MECAB)
@given(text=encodable)
def test_mecab_equals_sacrebleu_on_any_text(name, text):
    assert tokenize(text, name) == mecab(name)(text.rstrip()).split()


@pytest.mark.parametrize("name", MECAB)
def test_what_mecab_cannot_read_is_refused_by_segment(name):
    with pytest.raises(InputError, match=r"hypothesis 1: .* cannot read a lone surrogate"):
        BLEU(tokenize=name)(["a", "b\ud800c"], ["a", "b"])
    with pytest.raises(InputError, match=r"references of segment 1: .* cannot read a lone surrogate"):
        BLEU(tokenize=name)(["a", "b"], ["a", ["b", "\ud800"]])
    with pytest.raises(InputError, match=r"references of segment 1: .* cannot read a lone surrogate"):
        NIST(tokenize=name).prepare(["a", ["b", "\ud800"]])


@pytest.mark.slow
def test_a_text_too_long_for_mecab_is_refused():
    with pytest.raises(InputError, match="cannot read a text as long as 300,000 characters"):
        tokenize("a" * 300_000, "ja-mecab")


@pytest.mark.parametrize("name", MECAB)
def test_mecab_signature_has_its_version(name):
    assert f"|tok:{mecab(name).signature()}|" in BLEU(tokenize=name).signature()


@pytest.mark.parametrize("name", MECAB)
def test_mecab_strips_punctuation_first(name):
    peer = mecab(name)
    for text in MECAB[name]:
        stripped = oracles.without_punctuation(" ".join(text.split()))
        assert tokenize(text, name, strip_punctuation=True) == peer(stripped).split()


@pytest.mark.parametrize("name", MECAB)
def test_mecab_refuses_a_lone_surrogate_in_plain_words(name):
    mecab(name)
    with pytest.raises(InputError, match="lone surrogate"):
        tokenize("a\ud800", name)
    with pytest.raises(InputError, match="lone surrogate"):
        BLEU(tokenize=name)(["a\ud800"], ["a"])


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [("ja-mecab", "MeCab", "ja"), ("ko-mecab", "mecab_ko", "ko"), ("spm:model", "sentencepiece", "spm")],
)
def test_a_missing_package_is_named(monkeypatch, name, module, extra):
    monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(MissingExtraError, match=rf"pip install 'tricolore\[{extra}\]'"):
        tokenize("a", name)


# SentencePiece -----------------------------------------------------------------------------------------------

SUBJECTS = ["the old captain", "a small grey donkey", "my neighbour", "the tall miller", "your clever aunt"]
VERBS = ["carries", "paints", "forgets", "repairs", "counts", "polishes"]
OBJECTS = ["seven wooden boats", "the broken clock", "a basket of plums", "every red door", "some heavy barrels"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    sentencepiece = pytest.importorskip("sentencepiece")
    folder = tmp_path_factory.mktemp("spm model")
    text = [f"{s} {v} {o}." for s in SUBJECTS for v in VERBS for o in OBJECTS]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(text),
        model_prefix=str(folder / "tiny"),
        vocab_size=80,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return folder / "tiny.model"


@pytest.mark.parametrize(
    "text", ["my neighbour paints the broken clock.", "unseen wörds, 中文 😀", "", "  two  spaces ", "\u3000"]
)
def test_spm_equals_sentencepiece(model, text):
    import sentencepiece

    pieces = sentencepiece.SentencePieceProcessor(model_file=str(model))
    assert tokenize(text, f"spm:{model}") == " ".join(pieces.encode(text.rstrip(), out_type=str)).split()


def test_spm_in_a_metric(model):
    import hashlib

    metric = BLEU(tokenize=f"spm:{model}")
    score = metric(["my neighbour paints the broken clock."], ["my neighbour paints the broken clock."])
    assert float(score) == pytest.approx(1)
    assert score.hyp_len == len(tokenize("my neighbour paints the broken clock.", f"spm:{model}")) > 6
    assert hashlib.sha256(model.read_bytes()).hexdigest()[:12] in score.signature


def test_spm_signature_follows_the_contents_of_the_file(model, tmp_path):
    same = tmp_path / "tiny.model"
    same.write_bytes(model.read_bytes())
    sign = [BLEU(tokenize=f"spm:{path}").signature() for path in (model, same)]
    assert sign[0] == sign[1]


def test_spm_refuses_a_lone_surrogate_in_plain_words(model):
    with pytest.raises(InputError, match="lone surrogate"):
        tokenize("a\ud800", f"spm:{model}")


def test_spm_without_its_file(tmp_path):
    pytest.importorskip("sentencepiece")
    with pytest.raises(InputError, match=r"nowhere\.model"):
        tokenize("a", f"spm:{tmp_path / 'nowhere.model'}")
    with pytest.raises(InputError, match="SentencePiece model"):
        tokenize("a", f"spm:{tmp_path}")


def test_spm_with_a_file_that_is_not_a_model(tmp_path):
    pytest.importorskip("sentencepiece")
    for content in (b"this is not a model", b"", b"\0" * 100):
        path = tmp_path / "text.model"
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"text\.model: not a SentencePiece model"):
            tokenize("a", f"spm:{path}")


@given(st.text("ab \t\x1c\x85\xa0é", max_size=260), st.integers(0, 70))
def test_white_space_is_found_across_blocks_of_64_bytes(text, more):
    for padded in (text, "x" * more + text, text + "x" * more, " " * more + text + " " * more):
        assert tokenize(padded, "none") == padded.split()
