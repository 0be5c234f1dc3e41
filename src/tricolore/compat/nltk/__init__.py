"""NLTK's metrics of translation, drop-in: `from tricolore.compat.nltk import bleu_score` for `from nltk.translate`.

>>> from tricolore.compat.nltk.bleu_score import sentence_bleu
>>> round(sentence_bleu(["the cat sat on the mat".split()], "the cat sat on a mat".split()), 4)
0.5373
"""

from .bleu_score import sentence_bleu as bleu
from .chrf_score import sentence_chrf as chrf
from .gleu_score import sentence_gleu as gleu
from .meteor_score import meteor_score as meteor
from .nist_score import sentence_nist as nist
from .ribes_score import sentence_ribes as ribes

__all__ = ["bleu", "chrf", "gleu", "meteor", "nist", "ribes"]
