"""Segment scores as rewards for training, in the shape of TRL's reward functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from ..columns import kind_of, spread
from ..errors import InputError, InputTypeError, SpecError, unknown
from ..metrics import metric as as_metric
from ..metrics.base import Metric
from ..parameters import Choice, OrNone, Whole, checked
from ..segments import is_ids
from ..types import Array
from .reward_groups import advantages, check_groups
from .token_ids import as_ids, without


class Reward:
    """A reward function for TRL's GRPOTrainer and RLOOTrainer: the segment score of each completion, higher is better.

    >>> reward = Reward("chrf", reference="answer")
    >>> [round(one, 3) for one in reward(completions=["a cat sat", "a dog"], answer=["a cat sat", ["the dog", "dogs"]])]
    [1.0, 0.479]

    The trainer calls it with `prompts`, `completions`, `completion_ids`, the columns of the dataset, `log_metric` and
    more; to use it elsewhere, pass what is needed. A completion is a string, or a list of chat messages, of which the
    last one of the assistant is scored. The references of an example are a string, a list of strings, or chat messages,
    in the column `reference`, or in several columns. Rewards are `metric.segments` of these. Where lower is better they
    are 1 minus that: 1 without errors, -0.5 for a WER of 150 %. If the trainer passes `log_metric`, the corpus score of
    the batch, which is not the mean of rewards, is logged as `NAME/corpus`, in points.

    `ids`: score `completion_ids` instead, against token ids in the column `reference`.
    `ignore_ids`: token ids to drop from both, such as those of padding and special tokens.
    `extract`: a function that returns the part of a completion to score, such as what follows the reasoning.
    `num_generations`: normalise rewards in groups of so many completions of a prompt; see `advantages`. GRPO does so
    itself, with the sum of all rewards; this gives each of them the same weight, whatever its scale.
    `missing`: what to do if an example has no reference: an error (`refuse`), or no reward, None (`skip`).
    `name`: for logs (default: the metric's spec). `threads`: one per available processor if None.

    >>> Reward("ter", reference="answer").__name__
    'ter'
    """

    def __init__(
        self,
        metric: str | Metric,
        reference: str | Sequence[str],
        *,
        ids: bool = False,
        ignore_ids: int | Iterable[int] | None = None,
        extract: Callable[[str], str] | None = None,
        num_generations: int | None = None,
        missing: str = "refuse",
        name: str | None = None,
        threads: int | None = None,
    ):
        self.metric = as_metric(metric)
        self.references = tuple(reference) if isinstance(reference, list | tuple) else (reference,)
        self.ids = ids
        self.ignore_ids = as_ids("ignore_ids", ignore_ids)
        self.extract = extract
        self.num_generations = checked("num_generations", num_generations, OrNone(Whole(1, 2**31)))
        self.skips = checked("missing", missing, Choice(("refuse", "skip"))) == "skip"
        self.__name__ = name or self.metric.spec
        self.threads = threads
        self._check()

    def __repr__(self) -> str:
        columns = self.references[0] if len(self.references) == 1 else [*self.references]
        return f"{type(self).__name__}({self.metric.spec!r}, reference={columns!r})"

    def _check(self) -> None:
        if not self.metric.tells_quality:
            raise SpecError(f"{self.metric.spec} is no reward: it describes output without rating it")
        if not self.metric.is_prepared:
            raise InputError(
                f"{self.metric.spec}: the information of n-grams is learnt from all references; "
                "pass a metric that has learnt it: Reward(metric.prepare(refs), ...)"
            )
        if not self.references or not all(isinstance(one, str) and one for one in self.references):
            raise SpecError("reference: expected the name of a column, or a list of names")
        if self.ids and self.extract is not None:
            raise SpecError("extract is for texts; with ids=True token ids are scored")
        if self.ignore_ids and not self.ids:
            raise SpecError("ignore_ids requires ids=True: texts hold no token ids")

    def __call__(
        self,
        completions: Sequence[Any] | None = None,
        *,
        prompts: Sequence[Any] | None = None,
        completion_ids: Any = None,
        log_metric: Callable[[str, float], None] | None = None,
        **columns: Any,
    ) -> list[float | None]:
        """The rewards of completions, in their order; None where there is no reference, with `missing="skip"`."""
        hyps = self._hypotheses(completions, completion_ids)
        refs = self._references(columns, len(hyps))
        scored = [i for i, entry in enumerate(refs) if entry is not None]
        complete = len(scored) == len(refs)
        rewards = np.full(len(hyps), np.nan)
        if scored:
            if complete:
                rewards, total = self._counted(hyps, refs)
            else:
                rewards[scored], total = self._counted([hyps[i] for i in scored], [refs[i] for i in scored])
            if log_metric is not None:
                log_metric(f"{self.__name__}/corpus", self.metric.result(total).points)
        if self.num_generations is not None:
            check_groups(prompts, self.num_generations)
            rewards = advantages(rewards, self.num_generations)
        found: list[float | None] = rewards.tolist()
        return found if complete else [None if refs[i] is None else reward for i, reward in enumerate(found)]

    def _counted(self, hyps: list[Any], refs: list[Any]) -> tuple[Array, Array]:
        """The rewards of hypotheses, and the sum of their rows."""
        rows = self.metric.stats(hyps, refs, threads=self.threads).values
        values = np.asarray(self.metric.for_segments.score(rows))
        return values if self.metric.higher_is_better else 1 - values, rows.sum(axis=0)

    def _hypotheses(self, completions: Any, completion_ids: Any) -> list[Any]:
        name, given = ("completion_ids", completion_ids) if self.ids else ("completions", completions)
        if given is None:
            raise InputError(f"{self.__name__}: expected {name}, got none")
        if isinstance(given, str):
            raise InputTypeError(f"{name}: expected a list, got one string; put it in a list")
        if self.ids:
            return list(spread(without(self.ignore_ids, given)))
        texts = [text_of(one, f"completion {i}") for i, one in enumerate(given)]
        return texts if self.extract is None else [self.extract(text) for text in texts]

    def _references(self, columns: Mapping[str, Any], size: int) -> list[Any]:
        """The references of each example; None where there are none and that is allowed."""
        found: list[list[Any]] = []
        for name in self.references:
            if name not in columns:
                raise _no_column(name, columns)
            if isinstance(columns[name], str):
                raise InputTypeError(f"column {name!r}: expected a list with an entry per completion, got one string")
            cells = list(spread(without(self.ignore_ids, columns[name])))
            if len(cells) != size:
                raise InputError(f"column {name!r} has {len(cells)} entries, but there are {size} completions")
            if not _are_arrays_of_ids(cells):
                cells = [self._entry(cell, f"column {name!r}, example {i}") for i, cell in enumerate(cells)]
            found.append(cells)
        entries = found[0] if len(found) == 1 else [_joined(cells) for cells in zip(*found, strict=True)]
        empty = next((i for i, entry in enumerate(entries) if entry is None), None)
        if empty is not None and not self.skips:
            raise InputError(
                f"example {empty} has no reference in {' or '.join(map(repr, self.references))}: "
                'expected a string or a list of strings; missing="skip" gives it no reward'
            )
        return entries

    def _entry(self, cell: Any, where: str) -> Any:
        """The references in a cell; None if there are none."""
        cell = spread(cell)
        if cell is None or isinstance(cell, str) or is_ids(cell):
            return cell
        if not isinstance(cell, list | tuple):
            raise InputTypeError(f"{where}: expected a string, a list of strings or chat messages; got {kind_of(cell)}")
        if cell and all(isinstance(one, Mapping) for one in cell):
            return text_of(cell, where)
        if self.ids and not cell:
            return [[]]  # one reference, without tokens
        several = [one for one in cell if one is not None]
        return several or None


def _no_column(name: str, columns: Mapping[str, Any]) -> InputError:
    there = [key for key, value in columns.items() if isinstance(value, list | tuple)]
    if not there:
        return InputError(f"no column {name!r}: expected {name}=[...], with the references of each completion")
    return unknown("column", name, there)


def _are_arrays_of_ids(cells: list[Any]) -> bool:
    """Whether these are arrays that the core reads as they are, as rows of a tensor are."""
    if {*map(type, cells)} != {np.ndarray}:
        return False
    return {*map(attrgetter("dtype.kind", "dtype.isnative", "ndim"), cells)} <= {("i", True, 1), ("u", True, 1)}


def _joined(cells: Iterable[Any]) -> Any:
    """The references of several columns as one list."""
    several = [one for cell in cells if cell is not None for one in ([cell] if _is_text(cell) else cell)]
    return several or None


def _is_text(cell: Any) -> bool:
    return isinstance(cell, str) or is_ids(cell) or len(cell) == 0


def text_of(completion: Any, where: str) -> str:
    """A completion as text: a string, or the last of its chat messages that the assistant wrote.

    >>> text_of([{"role": "assistant", "content": "a cat"}], "completion 0")
    'a cat'
    >>> text_of([{"role": "assistant", "content": [{"type": "text", "text": "a cat"}]}], "completion 0")
    'a cat'
    """
    if isinstance(completion, str):
        return completion
    if not isinstance(completion, list | tuple) or not all(isinstance(one, Mapping) for one in completion):
        raise InputTypeError(f"{where}: expected a string or a list of chat messages, got {kind_of(completion)}")
    content = next((one.get("content") for one in reversed(completion) if one.get("role") == "assistant"), completion)
    if isinstance(content, str) or content is None:  # None: nothing but calls of tools
        return content or ""
    if content is completion:
        raise InputError(f"{where}: expected a message of the assistant, got none")
    try:
        return "".join(part["text"] for part in content if part["type"] == "text")
    except (KeyError, TypeError):
        raise InputTypeError(f"{where}: expected text as content of a chat message, got {kind_of(content)}") from None
