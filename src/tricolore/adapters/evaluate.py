"""Every metric as a module of Hugging Face's `evaluate`: `evaluate.load(path(), "chrf++")`, without a network.

`evaluate` copies this file to a folder of its own and imports the copy, which is why it imports by absolute names.
"""

from __future__ import annotations

import os
from typing import Any

from tricolore.errors import InputTypeError, MissingExtraError, SpecError
from tricolore.metrics import metric, metric_class, with_implied
from tricolore.metrics.base import Metric
from tricolore.segments import as_list, explain, hold_ids, pair
from tricolore.spec import parse

try:
    import evaluate  # by name: `evaluate.load` takes the first class of a module that is a metric
    from datasets import Features, Sequence, Value
except ImportError as error:
    raise MissingExtraError(f"this module needs {error.name}; pip install evaluate") from None

#: The arguments of `evaluate.load` that are not parameters of a metric.
OF_EVALUATE = (
    "keep_in_memory", "cache_dir", "num_process", "process_id", "seed", "experiment_id", "hash",
    "max_concurrent_cache_files", "timeout",
)  # fmt: skip


def path() -> str:
    """The file that `evaluate.load` takes as its first argument.

    >>> os.path.basename(path())
    'evaluate.py'
    """
    return os.path.abspath(__file__)


class Tricolore(evaluate.Metric):  # type: ignore[misc]
    """A metric for `evaluate`: `compute`, `add`, `add_batch`, also in several processes and in `evaluate.combine`.

    >>> chrf = Tricolore("chrf", word_order=2, keep_in_memory=True)
    >>> chrf.add(prediction="the cat sat on the mat", reference=["the cat is on the mat", "a cat sat on the mat"])
    >>> chrf.add_batch(predictions=["so it is"], references=["so it was"])
    >>> found = chrf.compute()
    >>> round(found["score"], 2), found["signature"]
    (76.16, 'chrF2++|nrefs:var|case:mixed|eff:yes|nc:6|nw:2|space:no|beta:2|version:...')

    `config_name` is a metric, with or without parameters in parentheses; parameters may also be given by name, here and
    to `compute`. References are a text or a list of texts per prediction. `score` is in points, 0 to 100 for BLEU.
    """

    def __init__(self, config_name: str | None = None, **options: Any):
        if config_name is None:
            raise SpecError("config_name: expected a metric, such as evaluate.load(path(), 'chrf++'); got none")
        self.parameters = {name: value for name, value in options.items() if name not in OF_EVALUATE}
        self.asked = config_name
        self.metric = self._made({})
        options = {name: value for name, value in options.items() if name in OF_EVALUATE}
        super().__init__(config_name=self.metric.spec.replace(os.sep, "_"), **options)  # part of a path

    def _made(self, parameters: dict[str, Any]) -> Metric:
        """The metric with these parameters, too."""
        name, given = parse(metric(self.asked).spec if "(" in self.asked else self.asked)
        return metric_class(name)(**with_implied(name, {**given, **self.parameters, **parameters}))

    def _info(self) -> Any:
        return evaluate.EvaluationModuleInfo(
            description=f"{type(self.metric).__doc__}",
            citation=self.metric.citation,
            inputs_description="predictions: texts; references: a text or a list of texts for each",
            features=Features({"predictions": Value("string"), "references": Sequence(Value("string"))}),
        )

    def add_batch(self, *, predictions: Any = None, references: Any = None) -> None:
        """Add predictions, and the references of each."""
        texts = as_list(predictions, "predictions")
        texts, refs = pair(texts, references)
        explain(texts, refs.entries)
        if hold_ids(texts):
            raise InputTypeError("predictions: expected texts, got token ids, which `evaluate` does not store")
        listed = [[entry] if isinstance(entry, str) else list(entry) for entry in refs.entries]
        super().add_batch(predictions=texts, references=listed)

    def add(self, *, prediction: Any = None, reference: Any = None, **others: Any) -> None:
        """Add one prediction and its references; also under the names `predictions` and `references`."""
        given = {"predictions": prediction, "references": reference, **others}
        self.add_batch(**{name: [value] for name, value in given.items()})

    def compute(self, *, predictions: Any = None, references: Any = None, **parameters: Any) -> Any:
        """Score what was added, and these; `parameters` of the metric are for this call alone."""
        self._made(parameters)  # what is wrong with them is told before files are written
        return super().compute(predictions=predictions, references=references, **parameters)

    def _compute(self, predictions: Any, references: Any, **parameters: Any) -> dict[str, Any]:
        found = self._made(parameters)(list(predictions), list(references))
        return {
            "score": found.points,
            "value": found.value,
            "metric": found.metric.spec,
            "signature": found.signature,
            "parts": {name: part for name, part in found.parts.items() if name != "value"},
            "counts": dict(zip(found.stats.columns, found.stats.values.tolist(), strict=True)),
        }
