"""Slow and obvious: the definitions, word for word, to hold the package to. Nothing here uses it."""

import math
import re
from collections import Counter
from fractions import Fraction

import regex

# Tokenisers --------------------------------------------------------------------------------------------------


def _western(text):
    return _points(re.sub(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])", r" \1 ", text))


def _points(text):
    text = re.sub(r"([^0-9])([\.,])", r"\1 \2 ", text)
    text = re.sub(r"([\.,])([^0-9])", r" \1 \2", text)
    text = re.sub(r"([0-9])(-)", r"\1 \2 ", text)
    return text.split()


def tokens_13a(text):
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    text = text.replace("&quot;", '"').replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
    return _western(f" {text} ")


# What sacreBLEU's ranges come to; Extension B is not among them, U+2001..U+2A6D is.
_CHINESE = re.compile(
    "([\u2001-\u2a6d\u2e80-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31ef\u3200-\u4db5\u4e00-\u9fbb"
    "\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef])"
)


def tokens_zh(text):
    return _western(_CHINESE.sub(r" \1 ", text.strip()))


def tokens_intl(text):
    text = regex.sub(r"(\P{N})(\p{P})", r"\1 \2 ", text.rstrip())
    text = regex.sub(r"(\p{P})(\P{N})", r" \1 \2", text)
    return regex.sub(r"(\p{S})", r" \1 ", text).split()


_UNSPACED = "|".join(
    rf"\p{{Script_Extensions={script}}}"
    for script in ("Han", "Hira", "Kana", "Bopo", "Yiii", "Thai", "Laoo", "Khmr", "Mymr", "Tale", "Talu")
)
_ALONE = regex.compile(
    rf"(?:[!-&(-+/:-@[-`{{-~]|(?![\0-\x7f])[\p{{P}}\p{{S}}]|(?=\p{{L}})(?:{_UNSPACED}))(?:(?![\0-\x7f])\p{{M}})*"
)


def tokens_universal(text):
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    text = text.replace("&quot;", '"').replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
    return _points(_ALONE.sub(r" \g<0> ", f" {text} "))


def tokens_char(text):
    return list("".join(text.split()))


def tokens_char_space(text):
    return list(" ".join(text.split()))


TOKENIZERS = {
    "none": str.split,
    "13a": tokens_13a,
    "intl": tokens_intl,
    "zh": tokens_zh,
    "universal": tokens_universal,
    "char": tokens_char,
    "char+space": tokens_char_space,
}


def without_punctuation(text):
    return regex.sub(r"\p{P}", "", text)


# Counting ----------------------------------------------------------------------------------------------------


def ngrams(tokens, n):
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def clip(refs, n):
    """The most often each n-gram stands in one reference."""
    most = Counter()
    for ref in refs:
        most |= ngrams(ref, n)
    return most


def match(hyp, refs, n):
    return sum((ngrams(hyp, n) & clip(refs, n)).values())


def total(hyp, n):
    return max(0, len(hyp) - n + 1)


def reference_length(hyp, refs, mode="closest"):
    lengths = [len(ref) for ref in refs]
    if mode == "shortest":
        return min(lengths)
    if mode == "average":
        return sum(lengths) / len(lengths)
    return min(lengths, key=lambda length: (abs(length - len(hyp)), length))


def row(hyp, refs, order, ref_len="closest", match_orders=None):
    """(matches, totals, hypothesis length, reference length) of one tokenised segment."""
    return (
        [match(hyp, refs, n) for n in range(1, (match_orders or order) + 1)],
        [total(hyp, n) for n in range(1, order + 1)],
        len(hyp),
        reference_length(hyp, refs, ref_len),
    )


def add_rows(rows):
    ms, ls, cs, rs = zip(*rows, strict=True)
    return [sum(m) for m in zip(*ms, strict=True)], [sum(l) for l in zip(*ls, strict=True)], sum(cs), sum(rs)


# BLEU --------------------------------------------------------------------------------------------------------


def smoothed_precisions(m, l, c, method, eps=0.1, K=5.0, alpha=5.0, add=1.0, short="floor1"):
    """p_1..p_N by one of Chen and Cherry's seven methods; None where `short` leaves an order out.

    m holds one order more than l, which methods 5 and 7 need.
    """
    N = len(l)
    m = [float(x) for x in m]
    l = [float(x) for x in l]
    if method == 1:
        m = [eps if x == 0 else x for x in m]
    if method == 2:
        m = [m[0]] + [x + add for x in m[1:]]
        l = [l[0]] + [x + add for x in l[1:]]
    if method == 3:
        inv = 1.0
        for n in range(N):
            if m[n] == 0:
                inv *= 2
                m[n] = 1 / inv
    if method in (4, 7):
        inv = 1.0
        for n in range(N):
            if m[n] == 0:
                inv = inv * K / math.log(c) if c > 1 else math.inf
                m[n] = 1 / inv
    if method in (5, 7):
        raw, before, m = m, m[0] + 1, []
        for n in range(N):
            before = (before + raw[n] + raw[n + 1]) / 3
            m.append(before)
    if method == 6:
        p = []
        for n in range(N):
            if n < 2:
                p.append(m[n] / l[n] if l[n] else 0.0)
                continue
            q = p[n - 1] ** 2 / p[n - 2] if p[n - 2] else 0.0
            p.append((m[n] + alpha * q) / (l[n] + alpha))
        return [p[n] if l[n] or short == "floor1" else _short(m[n], short) for n in range(N)]
    return [m[n] / l[n] if l[n] else _short(m[n], short) for n in range(N)]


def _short(m, policy):
    return {"zero": 0.0, "floor1": m, "mteval": 1.0, "effective": None}[policy]


def mean(p, weights=None, arithmetic=False):
    """Weighted mean over the orders that are not None, the weight of the others shared out among them."""
    weights = weights or [1 / len(p)] * len(p)
    kept = [(w, x) for w, x in zip(weights, p, strict=True) if x is not None and w > 0]
    share = sum(weights) / sum(w for w, _ in kept)
    if arithmetic:
        return share * sum(w * x for w, x in kept)
    if any(x == 0 for _, x in kept):
        return 0.0
    return math.exp(share * math.fsum(w * math.log(x) for w, x in kept))


def brevity_penalty(c, r):
    if c == 0:
        return 0.0
    return 1.0 if c >= r else math.exp(1 - r / c)


def strict_brevity_penalty(pairs):
    """Of (c_i, r_i) for all segments i."""
    r = sum(r_i for _, r_i in pairs)
    if r == 0:
        return 1.0
    x = sum(min(c_i, r_i) for c_i, r_i in pairs) / r
    return math.exp(1 - 1 / x) if x > 0 else 0.0


def bleu(rows, method=0, *, weights=None, arithmetic=False, zero_if_no_unigram=False, bp=None, **constants):
    """BLEU of rows as `row` gives them, with one order of matches more than of totals."""
    m, l, c, r = add_rows(rows)
    if c == 0 or (zero_if_no_unigram and m[0] == 0):
        return 0.0
    p = smoothed_precisions(m, l, c, method, **constants)
    return (brevity_penalty(c, r) if bp is None else bp) * mean(p, weights, arithmetic)


def document_bleu(rows, method=0, **options):
    lengths = [r for _, _, _, r in rows]
    if sum(lengths) == 0:
        return 0.0
    return sum(r * bleu([one], method, **options) for r, one in zip(lengths, rows, strict=True)) / sum(lengths)


# NIST --------------------------------------------------------------------------------------------------------


def information(all_refs, order):
    """Info of every n-gram of the references, from brute counts."""
    counts = [Counter({(): sum(map(len, all_refs))})]
    for n in range(1, order + 1):
        counts.append(sum((ngrams(ref, n) for ref in all_refs), Counter()))
    return {
        gram: math.log2(Fraction(counts[n - 1][gram[:-1]], count))
        for n in range(1, order + 1)
        for gram, count in counts[n].items()
    }


def nist_row(hyp, refs, order, info):
    """(information matched by order, totals, hypothesis length, mean reference length)."""
    matched = []
    for n in range(1, order + 1):
        common = ngrams(hyp, n) & clip(refs, n)
        matched.append(math.fsum(count * info.get(gram, 0.0) for gram, count in common.items()))
    return matched, [total(hyp, n) for n in range(1, order + 1)], len(hyp), reference_length(hyp, refs, "average")


BETA = math.log(2) / math.log(1.5) ** 2


def nist_of_rows(rows, beta=BETA):
    num, den, c, r = add_rows(rows)
    if c == 0 or r == 0:
        return 0.0
    return sum(a / max(b, 1) for a, b in zip(num, den, strict=True)) * math.exp(-beta * math.log(min(1, c / r)) ** 2)


def nist(hyps, refs, order=5):
    """NIST of tokenised segments; the information comes from their own references."""
    info = information([ref for entry in refs for ref in entry], order)
    return nist_of_rows([nist_row(hyp, entry, order, info) for hyp, entry in zip(hyps, refs, strict=True)])
