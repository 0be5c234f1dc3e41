"""What sacreBLEU's metrics have in common: scores, signatures, and the methods that compute them."""

from __future__ import annotations

import json
import logging
import statistics
from functools import cached_property, lru_cache
from itertools import repeat

from ....errors import InputTypeError
from ....segments import References
from ....tokenizers import CORE
from ..bootstrap import resampled, seed_of
from ..shapes import EmptyError, check_sentence, checked_hypotheses, paired, references_of
from ..version import SIGNED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeVar

    from ....metrics.base import Metric as NativeMetric
    from ....types import Array

    _Native = TypeVar("_Native", bound=NativeMetric)

sacrelogger = logging.getLogger("sacrebleu")

#: sacreBLEU warns of text that looks tokenised from so many lines on.
MANY = 100

#: Attributes that no count depends on.
_RESULTS = frozenset({"num_refs", "n_bootstrap", "seed"})
#: Methods that subclasses of sacreBLEU's metrics change.
_HOOKS = (
    "_preprocess_segment", "_extract_reference_info", "_compute_segment_statistics", "_compute_score_from_stats",
    "_aggregate_and_compute", "_extract_corpus_statistics", "_cache_references",
)  # fmt: skip


def native_metric(cls: type[_Native], **parameters: Any) -> _Native:
    """Make one of Tricolore's metrics, once unless its tokeniser is from elsewhere."""
    return _made(cls, **parameters) if parameters.get("tokenize", "none") in CORE else cls(**parameters)


@lru_cache(maxsize=64)
def _made(cls: Any, **parameters: Any) -> Any:
    return cls(**parameters)


class Score:
    """A score under its name; `format` and `str` print it as sacreBLEU does."""

    _verbose = ""

    def __init__(self, name: str, score: float):
        self.name = name
        self.score = score
        self._mean = -1.0
        self._ci = -1.0

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """The score with its parts and signature on a line, alone (`score_only`), or as JSON (`is_json`)."""
        number = f"{self.score:.{width}f}"
        items: dict[str, Any] = {"name": self.name, "score": float(number), "signature": signature}
        if self._mean > 0:
            mean, half = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            interval = f"μ = {mean} ± {half}"
            number = f"{number} ({interval})"
            items |= {"confidence_mean": float(mean), "confidence_var": float(half), "confidence": interval}
        if score_only:
            return number
        if is_json:
            items |= {"verbose_score": self._verbose} if self._verbose else {}
            items |= dict(item.split(":") for item in signature.split("|"))
            return json.dumps(items, indent=1, ensure_ascii=False)
        name = f"{self.name}|{signature}" if signature else self.name
        return f"{name} = {number} {self._verbose}".rstrip(" ")

    def estimate_ci(self, scores: Sequence[Score]) -> None:
        """Keep mean and half the width of the 95 % interval of resampled scores."""
        self.set_interval([one.score for one in scores])

    def set_interval(self, resampled_scores: Sequence[float]) -> None:
        """The same for numbers."""
        ordered = sorted(resampled_scores)
        outside = len(ordered) // 40
        self._ci = 0.5 * (ordered[len(ordered) - outside - 1] - ordered[outside])
        self._mean = statistics.mean(ordered)

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """All that a score depends on, as `key:value` joined by `|`; `format(short=True)` abbreviates the keys."""

    ABBREVIATIONS = (
        *(("version", "v"), ("nrefs", "#"), ("test", "t"), ("lang", "l"), ("subset", "S"), ("origlang", "o")),
        *(("bs", "bs"), ("ar", "ar"), ("seed", "rs")),
    )

    def __init__(self, args: dict[str, Any]):
        self._abbr: dict[str, str] = dict(self.ABBREVIATIONS)
        if "num_refs" not in args:
            raise ValueError("the number of references is unknown until something has been scored")
        number = args["num_refs"]
        self.info: dict[str, Any] = {
            "version": SIGNED,
            "nrefs": "var" if number == -1 else number,
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def add(self, items: dict[str, tuple[str, Any]]) -> None:
        """Add items by name, each with its abbreviation and value."""
        for name, (short, value) in items.items():
            self._abbr[name] = short
            self.info[name] = value

    def format(self, short: bool = False) -> str:
        """One line; the version comes last, and items without a value are left out."""
        names = [name for name in self.info if name != "version"]
        pairs = []
        for name in (*names, "version"):
            value = self.info[name]
            if isinstance(value, bool):
                value = "yes" if value else "no"
            if value is not None:
                pairs.append(f"{self._abbr[name] if short else name}:{value}")
        return "|".join(pairs)

    def update(self, key: str, value: Any) -> None:
        """Set an item."""
        self.info[key] = value

    def __repr__(self) -> str:
        return self.format()


class Metric:
    """A metric of sacreBLEU, counted by one of Tricolore's.

    A subclass has `native`, the metric that counts, and `score_row`, which scores a row of its statistics (a sum over
    segments) in sacreBLEU's order of operations.
    """

    _SIGNATURE_TYPE = Signature
    _force = True  #: whether text that looks tokenised is fine; only BLEU asks
    num_refs: int

    def __init__(self) -> None:
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self._ref_cache: tuple[References, int] | None = None

    @cached_property
    def native(self) -> NativeMetric:
        """The metric that counts."""
        raise NotImplementedError

    def score_row(self, row: Sequence[float]) -> Any:
        """Score a row of the native metric's statistics."""
        raise NotImplementedError

    def prepared(self, text: str, is_reference: bool) -> str:
        """Preprocess a text that the native metric would read in another way; by default none is."""
        return text

    prepares_text = False  #: whether `prepared` changes anything

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name in _HOOKS:
            if name in vars(cls):
                raise InputTypeError(
                    f"{cls.__name__}: {name} is a method of sacreBLEU's own, which is not called here; "
                    "set `tokenizer` of a BLEU to change its words"
                )

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute; unless it is a result, what counts is made anew."""
        super().__setattr__(name, value)
        if name not in _RESULTS:
            for made in ("native", "_ready_references"):
                self.__dict__.pop(made, None)

    def cache_references(self, references: Sequence[Sequence[str | None]]) -> None:
        """Keep references for later calls without any."""
        found = references_of(type(self).__name__, references)
        self.num_refs = self._number_of(found)
        self._ref_cache = found, len(references)

    @cached_property
    def _ready_references(self) -> References:
        assert self._ref_cache is not None
        return self._ready(self._ref_cache[0])

    def _ready(self, references: References) -> References:
        if not self.prepares_text:
            return references
        entries = references.entries
        return References.unchecked(
            [self._prepared(entry) if isinstance(entry, str) else [*map(self._prepared, entry)] for entry in entries]
        )

    def _prepared(self, reference: str | None) -> str | None:
        return None if reference is None else self.prepared(reference, True)

    @staticmethod
    def _number_of(references: References) -> int:
        fewest, most = references.counts()
        return fewest if fewest == most else -1

    def texts(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> tuple[list[str], References]:
        """Hypotheses and references as the native metric takes them; sets `num_refs`."""
        name = type(self).__name__
        found = checked_hypotheses(name, hypotheses)
        if references is not None:
            given = references_of(name, references)
            streams = len(references)
            self.num_refs = self._number_of(given)
            given = self._ready(given)
        elif self._ref_cache is not None:
            given, streams = self._ready_references, self._ref_cache[1]
        else:
            raise RuntimeError("No references provided and the cache is empty.")
        found, given = paired(name, found, given, streams)
        if not self._force and [*map(str.endswith, found, repeat(" ."))].count(True) >= MANY:
            sacrelogger.warning("That's %d lines that end in a tokenized period ('.')", MANY)
            sacrelogger.warning("It looks like the text is tokenized, which may lower the score; detokenize it first.")
            sacrelogger.warning("If it is not, or does not matter, `force` suppresses this message.")
        if self.prepares_text:
            found = [self.prepared(line, False) for line in found]
        return [*found], given

    def rows(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]] | None,
        threads: int | None = None,
    ) -> Array:
        """One row of the native metric's statistics per segment."""
        found, given = self.texts(hypotheses, references)
        return self.native.stats(found, given, threads=threads).values

    def total(self, rows: Array) -> list[float]:
        """The sum of rows, added in sacreBLEU's order."""
        return [*map(float, rows.sum(axis=0))]

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> Any:
        """Score one hypothesis against one or several references."""
        check_sentence(type(self).__name__, hypothesis, references)
        if None in references:
            references = [reference for reference in references if reference is not None]
        if not references:
            raise EmptyError(f"{type(self).__name__}: `refs` should have at least one string, got none")
        if self.prepares_text:
            hypothesis = self.prepared(hypothesis, False)
            references = [self.prepared(reference, True) for reference in references if reference is not None]
        row, self.__dict__["num_refs"] = self.native.count_one(hypothesis, references)
        return self.score_row(row)

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]] | None,
        n_bootstrap: int = 1,
    ) -> Any:
        """Score a corpus; `references` are a list for each set of references, or None for those of the constructor.

        With `n_bootstrap` above 1 the score has a mean and a 95 % interval from so many resamples.
        """
        if n_bootstrap <= 1:
            found, given = self.texts(hypotheses, references)
            return self.score_row(self._summed(found, given))
        rows = self.rows(hypotheses, references)
        score = self.score_row(self.total(rows))
        self.n_bootstrap = n_bootstrap
        self.seed, seed = seed_of()
        samples = resampled(self.native, rows, n_bootstrap, seed)
        score.set_interval([*samples] if samples.dtype == "float32" else samples.tolist())
        return score

    def _summed(self, hypotheses: list[str], references: References) -> list[float]:
        return self.native.count_all(hypotheses, references, None, None, None)[0]

    def get_signature(self) -> Signature:
        """The signature; something must have been scored, or references cached."""
        return self._SIGNATURE_TYPE(self.__dict__)
