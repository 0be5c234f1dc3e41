"""Porter's stemmer in the core, held against NLTK's; and words as the numbers of their stems."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from strategies import adversarial

from tricolore import RougeN, _native
from tricolore.stemming import Porter
from tricolore.tokenizers import CORE, tokenize

PEER = PorterStemmer()
SUFFIXES = [
    *("sses", "ies", "ss", "s", "ied", "eed", "ed", "ing", "at", "bl", "iz", "y", "ational", "tional", "enci", "anci"),
    *("izer", "bli", "alli", "entli", "eli", "ousli", "ization", "ation", "ator", "alism", "iveness", "fulness"),
    *("ousness", "aliti", "iviti", "biliti", "fulli", "logi", "icate", "ative", "alize", "iciti", "ical", "ful"),
    *("ness", "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "sion", "tion", "ion"),
    *("ou", "ism", "ate", "iti", "ous", "ive", "ize", "e", "ll"),
]
letters = st.text("abyeioulstzwxdgYA1", max_size=6)
words = st.builds(lambda start, ends: start + "".join(ends), letters, st.lists(st.sampled_from(SUFFIXES), max_size=3))
IRREGULAR = [*PEER.pool, "skys", "agreed", "feed", "hopping", "falling", "controlling", "yyyy", "yying", "y" * 40]


@given(words)
def test_stems_are_nltks(word):
    assert _native.porter_stem(word) == PEER.stem(word, to_lowercase=False)


@pytest.mark.parametrize("word", IRREGULAR)
def test_irregular_stems_are_nltks(word):
    assert _native.porter_stem(word) == PEER.stem(word, to_lowercase=False)


def stemmed(text: str) -> str:
    """The oracle: tokens stemmed one by one, by NLTK."""
    return " ".join(
        PEER.stem(token, to_lowercase=False) if len(token) > 3 and token.isascii() and token.isalnum() else token
        for token in tokenize(text, "universal")
    )


@given(*[st.lists(words | adversarial, max_size=6).map(" ".join)] * 2)
def test_rouge_reads_stems(hyp, ref):
    expected = RougeN(tokenize="none").count_one(stemmed(hyp), stemmed(ref))
    assert RougeN(stem=True).count_one(hyp, ref) == expected


def test_words_that_share_a_place_in_the_memory_do_not_share_stems():
    made = [f"{start}{middle}ation" for start in "bcdfghjklm" for middle in range(1000)]  # more than there are places
    hyp, ref = " ".join([*made, *made]), " ".join(f"{word}s" for word in made)
    assert RougeN(stem=True).count_one(hyp, ref) == RougeN().count_one(stemmed(hyp), stemmed(ref))


def test_known_words_keep_their_stems():
    stemmer = Porter()
    for _ in range(2):
        assert stemmer.stems(["running", "ran", "über", "run"]) == ["run", "ran", "über", "run"]


@given(st.lists(st.lists(words | adversarial, max_size=5).map(" ".join), max_size=4))
def test_numbers_are_equal_where_stems_are(texts):
    asked = []

    def stem(words):
        asked.extend(words)
        return [word.lower()[:3] for word in words]

    numbers = _native.StemNumbers(CORE["13a"], False, stem)
    read = [number for text in texts for number in numbers.read(text)]
    stems = [token.lower()[:3] for text in texts for token in tokenize(text, "13a")]
    assert len(read) == len(stems)
    known = {}
    assert read == [known.setdefault(stem, len(known)) for stem in stems]
    assert len(asked) == len({*asked}) == len(numbers)


def test_an_error_of_the_stemmer_is_raised_and_words_can_be_learnt_later():
    answers = [ValueError("no stems today"), ["only one"], ["a", "b"]]

    def stem(words):
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    numbers = _native.StemNumbers(CORE["none"], False, stem)
    with pytest.raises(ValueError, match="no stems today"):
        numbers.read("x y")
    with pytest.raises(ValueError, match="as many stems as words"):
        numbers.read("x y")
    assert numbers.read("y x y") == [1, 0, 1]


def test_threads_may_share_numbers():
    def stem(words):
        threading.Event().wait(0.001)  # lets others in
        return words

    numbers = _native.StemNumbers(CORE["none"], False, stem)
    texts = [" ".join(f"w{(7 * i + j) % 50}" for j in range(20)) for i in range(40)]
    found = {}

    def read(part):
        for text in part:
            found[text] = numbers.read(text)

    threads = [threading.Thread(target=read, args=(texts[k::4],)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    of_word = {}
    for text, read_numbers in found.items():
        for word, number in zip(text.split(), read_numbers, strict=True):
            assert of_word.setdefault(word, number) == number
    assert len({*of_word.values()}) == len(of_word)
