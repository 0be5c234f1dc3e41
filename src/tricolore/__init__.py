"""Score, judge and tune machine translation.

>>> import tricolore as tri
>>> print(tri.BLEU()(["the cat sat on the mat"], [["the cat is on the mat", "a cat sat there"]]))
BLEU = 42.73 100.0/80.0/25.0/16.7 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._version import __version__

if TYPE_CHECKING:
    from .errors import InputError, InputTypeError, MissingExtra, SpecError, TricoloreError
    from .metrics import metric
    from .metrics.base import Metric
    from .metrics.bleu import BLEU, BLEUS, BLEUSBP, CharBLEU, DocumentBLEU
    from .metrics.nist import NIST
    from .score import Score
    from .segments import References
    from .stats import Stats
    from .tokenizers import tokenize

# Loaded when first used, so that importing the package, and asking the command for help, costs next to nothing.
_HOME = {
    "BLEU": "metrics.bleu",
    "BLEUS": "metrics.bleu",
    "BLEUSBP": "metrics.bleu",
    "CharBLEU": "metrics.bleu",
    "DocumentBLEU": "metrics.bleu",
    "InputError": "errors",
    "InputTypeError": "errors",
    "Metric": "metrics.base",
    "MissingExtra": "errors",
    "NIST": "metrics.nist",
    "References": "segments",
    "Score": "score",
    "SpecError": "errors",
    "Stats": "stats",
    "TricoloreError": "errors",
    "metric": "metrics",
    "tokenize": "tokenizers",
}

__all__ = [
    "BLEU",
    "BLEUS",
    "BLEUSBP",
    "NIST",
    "CharBLEU",
    "DocumentBLEU",
    "InputError",
    "InputTypeError",
    "Metric",
    "MissingExtra",
    "References",
    "Score",
    "SpecError",
    "Stats",
    "TricoloreError",
    "__version__",
    "metric",
    "tokenize",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'tricolore' has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
