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

    from .errors import InputError, InputTypeError, MissingExtraError, SpecError, TricoloreError
    from .metrics import metric
    from .metrics.amber import AMBER
    from .metrics.base import Metric
    from .metrics.bleu import BLEU
    from .metrics.bleu_sbp import BLEUSBP
    from .metrics.bleus import BLEUS
    from .metrics.char_bleu import CharBLEU
    from .metrics.doc_bleu import DocumentBLEU
    from .metrics.meteor import METEOR
    from .metrics.nist import NIST
    from .metrics.simbleu import SimBLEU
    from .metrics.tbleu import TolerantBLEU
    from .score import Score
    from .segments import References
    from .stats import Stats
    from .tokenizers import tokenize

# Loaded when first used, so that importing the package, and asking the command for help, costs next to nothing.
_HOME = {
    "AMBER": "metrics.amber",
    "BLEU": "metrics.bleu",
    "BLEUS": "metrics.bleus",
    "BLEUSBP": "metrics.bleu_sbp",
    "CharBLEU": "metrics.char_bleu",
    "DocumentBLEU": "metrics.doc_bleu",
    "InputError": "errors",
    "InputTypeError": "errors",
    "METEOR": "metrics.meteor",
    "Metric": "metrics.base",
    "MissingExtraError": "errors",
    "NIST": "metrics.nist",
    "References": "segments",
    "Score": "score",
    "SimBLEU": "metrics.simbleu",
    "SpecError": "errors",
    "Stats": "stats",
    "TolerantBLEU": "metrics.tbleu",
    "TricoloreError": "errors",
    "metric": "metrics",
    "tokenize": "tokenizers",
}

__all__ = [
    "AMBER",
    "BLEU",
    "BLEUS",
    "BLEUSBP",
    "METEOR",
    "NIST",
    "CharBLEU",
    "DocumentBLEU",
    "InputError",
    "InputTypeError",
    "Metric",
    "MissingExtraError",
    "References",
    "Score",
    "SimBLEU",
    "SpecError",
    "Stats",
    "TolerantBLEU",
    "TricoloreError",
    "__version__",
    "metric",
    "tokenize",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'tricolore' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
