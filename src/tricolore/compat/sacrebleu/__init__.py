"""sacreBLEU's names, arguments and numbers: `import tricolore.compat.sacrebleu as sacrebleu`.

>>> bleu = BLEU()
>>> print(bleu.corpus_score(["the cat sat on the mat"], [["the cat is on the mat"], ["a cat sat there"]]))
BLEU = 42.73 100.0/80.0/25.0/16.7 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)

Scores equal those of sacreBLEU 2.6.0. What it silently misreads is an error (see `shapes`).
"""

from __future__ import annotations

from . import dataset as dataset
from . import utils
from .compat import corpus_bleu as corpus_bleu
from .compat import corpus_chrf as corpus_chrf
from .compat import corpus_ter as corpus_ter
from .compat import raw_corpus_bleu as raw_corpus_bleu
from .compat import sentence_bleu as sentence_bleu
from .compat import sentence_chrf as sentence_chrf
from .compat import sentence_ter as sentence_ter
from .metrics import BLEU as BLEU
from .metrics import CHRF as CHRF
from .metrics import TER as TER
from .metrics.helpers import extract_char_ngrams as extract_char_ngrams
from .metrics.helpers import extract_word_ngrams as extract_word_ngrams
from .utils import SACREBLEU_DIR as SACREBLEU_DIR
from .utils import TEST_SETS
from .utils import smart_open as smart_open
from .version import __version__ as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def __getattr__(name: str) -> Any:
    """Names about test sets, which come from sacreBLEU itself."""
    if name in TEST_SETS:
        return getattr(utils, name)
    raise AttributeError(f"tricolore.compat.sacrebleu has no {name!r}")
