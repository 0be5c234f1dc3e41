"""Score, judge and tune machine translation.

>>> import tricolore as tri
>>> print(tri.BLEU()(["the cat sat on the mat"], [["the cat is on the mat", "a cat sat there"]]))
BLEU = 42.73 100.0/80.0/25.0/16.7 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
"""

from __future__ import annotations

from ._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .alignment import Alignment, align
    from .errors import InputError, InputTypeError, MissingExtraError, SpecError, TricoloreError
    from .graphs.forest import Forest
    from .graphs.formats import read_graphs
    from .graphs.lattice import Lattice
    from .judge.correlation.correlate import correlate
    from .judge.correlation.result import Correlation
    from .judge.correlation.search import Search, search
    from .judge.orange.ranking import Orange, orange
    from .judge.significance.comparison import compare, compare_scores
    from .judge.significance.intervals import confidence
    from .metrics import expand, metric
    from .metrics.amber import AMBER
    from .metrics.base import Metric
    from .metrics.bleu import BLEU
    from .metrics.bleu_sbp import BLEUSBP
    from .metrics.bleus import BLEUS
    from .metrics.char_bleu import CharBLEU
    from .metrics.chrf import ChrF
    from .metrics.doc_bleu import DocumentBLEU
    from .metrics.edit_rates import CDER, LER, PER, WER, WRR
    from .metrics.gleu import GLEU
    from .metrics.grr import GRR
    from .metrics.gtm import GTM
    from .metrics.lebleu import LeBLEU
    from .metrics.length import Length
    from .metrics.meteor import METEOR
    from .metrics.nist import NIST
    from .metrics.ribes import RIBES
    from .metrics.rouge import RougeL, RougeN, RougeS, RougeSU, RougeW
    from .metrics.several import score_all
    from .metrics.simbleu import SimBLEU
    from .metrics.tbleu import TolerantBLEU
    from .metrics.ter import TER
    from .scoring import Score
    from .segments import References
    from .stats import Stats
    from .tokenizers import tokenize
    from .tuning.mbr import mbr

# Loaded when first used, so that importing the package, and asking the command for help, costs next to nothing.
_HOME = {
    "AMBER": "metrics.amber",
    "Alignment": "alignment",
    "BLEU": "metrics.bleu",
    "BLEUS": "metrics.bleus",
    "BLEUSBP": "metrics.bleu_sbp",
    "CDER": "metrics.edit_rates",
    "CharBLEU": "metrics.char_bleu",
    "ChrF": "metrics.chrf",
    "Correlation": "judge.correlation.result",
    "DocumentBLEU": "metrics.doc_bleu",
    "Forest": "graphs.forest",
    "GLEU": "metrics.gleu",
    "GRR": "metrics.grr",
    "GTM": "metrics.gtm",
    "InputError": "errors",
    "InputTypeError": "errors",
    "LER": "metrics.edit_rates",
    "Lattice": "graphs.lattice",
    "LeBLEU": "metrics.lebleu",
    "Length": "metrics.length",
    "METEOR": "metrics.meteor",
    "Metric": "metrics.base",
    "MissingExtraError": "errors",
    "NIST": "metrics.nist",
    "Orange": "judge.orange.ranking",
    "PER": "metrics.edit_rates",
    "RIBES": "metrics.ribes",
    "References": "segments",
    "RougeL": "metrics.rouge",
    "RougeN": "metrics.rouge",
    "RougeS": "metrics.rouge",
    "RougeSU": "metrics.rouge",
    "RougeW": "metrics.rouge",
    "Score": "scoring",
    "Search": "judge.correlation.search",
    "SimBLEU": "metrics.simbleu",
    "SpecError": "errors",
    "Stats": "stats",
    "TER": "metrics.ter",
    "TolerantBLEU": "metrics.tbleu",
    "TricoloreError": "errors",
    "WER": "metrics.edit_rates",
    "WRR": "metrics.edit_rates",
    "align": "alignment",
    "compare": "judge.significance.comparison",
    "compare_scores": "judge.significance.comparison",
    "confidence": "judge.significance.intervals",
    "correlate": "judge.correlation.correlate",
    "expand": "metrics",
    "mbr": "tuning.mbr",
    "metric": "metrics",
    "orange": "judge.orange.ranking",
    "read_graphs": "graphs.formats",
    "score_all": "metrics.several",
    "search": "judge.correlation.search",
    "tokenize": "tokenizers",
}

__all__ = [
    "AMBER",
    "BLEU",
    "BLEUS",
    "BLEUSBP",
    "CDER",
    "GLEU",
    "GRR",
    "GTM",
    "LER",
    "METEOR",
    "NIST",
    "PER",
    "RIBES",
    "TER",
    "WER",
    "WRR",
    "Alignment",
    "CharBLEU",
    "ChrF",
    "Correlation",
    "DocumentBLEU",
    "Forest",
    "InputError",
    "InputTypeError",
    "Lattice",
    "LeBLEU",
    "Length",
    "Metric",
    "MissingExtraError",
    "Orange",
    "References",
    "RougeL",
    "RougeN",
    "RougeS",
    "RougeSU",
    "RougeW",
    "Score",
    "Search",
    "SimBLEU",
    "SpecError",
    "Stats",
    "TolerantBLEU",
    "TricoloreError",
    "__version__",
    "align",
    "compare",
    "compare_scores",
    "confidence",
    "correlate",
    "expand",
    "mbr",
    "metric",
    "orange",
    "read_graphs",
    "score_all",
    "search",
    "tokenize",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'tricolore' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
