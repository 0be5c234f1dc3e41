"""Texts and corpora for Hypothesis."""

from hypothesis import strategies as st

WHITE_SPACE = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)

_NOT_SPACE = "\u180e\u200b\u200c\u200d\u2060\ufeff\x00\x1b\x7f\x84\x86\xad"  # look like space, cut nothing
_WESTERN = "abcXYZ.,-!?'\"()[]{}<>&%$#@*+/\\:;=^_`|~0123456789"
_LATIN_1 = "äöüßéÿ¡¢£¤¥¦§¨©«¬®°±²³´µ¶·¸¹»¼½¾¿×÷ªº"
_WIDE = (
    "€–—…„“”•′‰₂⁵Ⅷ①、。「」・〇々〆一中文字龥龻鿃㐀䶵\uf900\ufa2d\ufad9"
    "，．！？０９Ａｱ￥あアきょう가각힣ॐ१२०กขไทย؟،٠٣֊אᏜ\u0300\u0301\u20dd"
)
_ASTRAL = "😀👩🚀🏽𝟘𝟙𝔸𐄁𐅀𒐀𠀀𪛖丽\U000e0001\U0010ffff\U0001f1e9"
_SURROGATES = "\ud800\udbff\udc00\udfff"

FRAGMENTS = [
    "&amp;lt;", "&amp;quot;", "&quot;", "&amp;", "&lt;", "&gt;", "&amp;amp;", "&", "<skipped>", "<skip-\nped>",
    "-<skipped>\n", "-\n", "&lt<skipped>;", "...5", "5..", ",,3", "3,,", "5.5", "1,234.56", ".5", "5.",
    "5-3", "a-b", "3-", "-3",
    "5-.3", "5.-", "--5", "5--", "1.,2", ". .", "…5", "5…", "«5»", "$5", "5$", "５．５",
    "中.5", "5.中", "é.", ".é", "\r\n", "Mr.",
    "it's", "don't", "e.g.", "U.S.A.", "http://a.b/c?d=1&e=2",
]  # fmt: skip


def _characters(*, surrogates):
    alphabets = [WHITE_SPACE, _NOT_SPACE, _WESTERN, _WESTERN, _LATIN_1, _WIDE, _ASTRAL]
    if surrogates:
        alphabets.append(_SURROGATES)
    return st.one_of(*map(st.sampled_from, alphabets))


def _texts(*, surrogates):
    anything = st.characters() if surrogates else st.characters(exclude_categories=["Cs"])
    piece = st.one_of(_characters(surrogates=surrogates), st.sampled_from(FRAGMENTS), anything, st.just(" "))
    return st.lists(piece, max_size=25).map("".join)


#: Any text at all: every kind of white space, punctuation next to digits, emoji, NUL, lone surrogates.
adversarial = _texts(surrogates=True)
#: The same without lone surrogates, for peers that encode their input.
encodable = _texts(surrogates=False)
#: Western text only, where the rules for points, digits and dashes meet most often.
points = st.text(alphabet="a5.,-& ;'\n", max_size=12)

_words = st.sampled_from(["a", "b", "c", "the", "cat", "sat.", "5", "über", "中文", "😀"])


def sentence(max_size=12, words=_words, min_size=0):
    """White-space separated words from a small vocabulary, so that many n-grams match."""
    return st.lists(words, min_size=min_size, max_size=max_size).map(" ".join)


def corpus(text, max_segments=5, max_references=4):
    """Hypotheses and a list of references for each."""
    segment = st.tuples(text, st.lists(text, min_size=1, max_size=max_references))
    segments = st.lists(segment, min_size=1, max_size=max_segments)
    return segments.map(lambda pairs: ([hyp for hyp, _ in pairs], [refs for _, refs in pairs]))


def copies(text):
    """Corpora whose references resemble their hypotheses: pieces of one text, so that scores are not all 0."""

    @st.composite
    def build(draw):
        hyps, refs = [], []
        for _ in range(draw(st.integers(1, 4))):
            base = draw(text)
            cut = draw(st.integers(0, len(base)))
            hyps.append(base[:cut] + draw(st.sampled_from(["", " ", "a b", "."])) + base[cut:])
            others = [base, base[cut:], base[:cut]]
            refs.append(draw(st.lists(st.one_of(st.sampled_from(others), text), min_size=1, max_size=4)))
        return hyps, refs

    return build()


def streams(refs):
    """References the other way round, as sacreBLEU takes them: one list a reference, None where one is missing."""
    most = max(map(len, refs))
    return [[entry[k] if k < len(entry) else None for entry in refs] for k in range(most)]
