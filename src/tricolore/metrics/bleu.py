"""BLEU."""

from __future__ import annotations

from dataclasses import dataclass

from .ngram_precision import NgramPrecision


@dataclass(frozen=True, repr=False)
class BLEU(NgramPrecision):
    """BLEU: clipped n-gram precision with a brevity penalty (Papineni et al. 2002, eq. 1-3).

        BLEU = BP · exp Σₙ wₙ ln pₙ        pₙ = mₙ / lₙ        BP = min(1, exp(1 − r/c))

    mₙ: n-grams of the hypothesis found in a reference, each clipped to its highest count in any one reference; lₙ:
    n-grams of the hypothesis; n = 1..`order`; wₙ: `weights`; c: length of the hypothesis; r: effective length of the
    references (`ref_len`). Counts and lengths are summed over segments first. The defaults are sacreBLEU's.

    Two hypotheses from well-known lecture notes tie without case and punctuation (p₁ = 4/6, p₂ = 2/5):

    >>> bleu = BLEU(order=2, tokenize="none", lowercase=True, strip_punctuation=True)
    >>> reference = "The dog bit the mailman."
    >>> [round(float(bleu.segment(hyp, reference)), 4)
    ...  for hyp in ("The dog snapped at the mailman.", "The mailman nipped at the dog.")]
    [0.5164, 0.5164]

    Smoothing 4 and 7 of Chen & Cherry applied to the first of them:

    >>> [round(float(BLEU(smooth=s, tokenize="none").segment("the dog snapped at the mailman",
    ...                                                      "the dog bit the mailman")), 4) for s in (4, 7)]
    [0.1788, 0.2716]

    An empty hypothesis scores 0 with any smoothing and any references; so does a corpus of them.

    Where others disagree. mteval-v13a counts an order longer than the segment as precision 1 (`short=mteval`). NLTK
    returns a tiny positive number if no n-gram of some order matches, computes smoothing 4, 5 and 7 differently and
    fails in 6 (see `tricolore.metrics.smoothing`). sacreBLEU scores 0 if no word matches, and so does Tricolore under
    sacreBLEU's names for smoothing; smoothing 1, 3, 4, 5 and 7 as published give such a segment a small positive score
    (`zero_if_no_unigram`).
    """

    name = "bleu"
    title = "BLEU"
    citation = (
        "Kishore Papineni, Salim Roukos, Todd Ward, Wei-Jing Zhu (2002): BLEU: a method for automatic "
        "evaluation of machine translation. ACL. Smoothing: Boxing Chen, Colin Cherry (2014): A systematic "
        "comparison of smoothing techniques for sentence-level BLEU. WMT."
    )
