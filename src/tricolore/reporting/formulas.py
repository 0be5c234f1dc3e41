"""The formula of a metric as data, so that a page without Python can score any sum of rows.

A metric's `value` is arithmetic over columns (see `elementwise`). It is run once on symbols instead of numbers; what it
does to them is written down as a list of steps, each an operation on columns, constants and earlier steps.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..metrics.base import Metric

#: Steps by the name of NumPy's function.
NAMES = {
    "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "true_divide": "/", "power": "**", "negative": "neg",
    "log": "log", "exp": "exp", "sqrt": "sqrt", "absolute": "abs", "minimum": "min", "maximum": "max",
    "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">=", "equal": "==", "not_equal": "!=",
    "bitwise_and": "&", "bitwise_or": "|", "invert": "!", "logical_and": "&", "logical_or": "|", "logical_not": "!",
}  # fmt: skip


class Steps:
    """The steps written down so far; the same step is written once."""

    def __init__(self) -> None:
        self.steps: list[list[Any]] = []
        self._known: dict[tuple[Any, ...], int] = {}

    def add(self, *step: Any) -> Symbol:
        """Write down a step, and return the symbol of its result."""
        if step not in self._known:
            self._known[step] = len(self.steps)
            self.steps.append([*step])
        return Symbol(self, self._known[step])

    def number_of(self, thing: Any) -> int:
        """The number of the step whose result this is; a constant is a step of its own."""
        if isinstance(thing, Symbol):
            return thing.number
        value = float(np.asarray(thing))
        return self.add("const", value if math.isfinite(value) else str(value)).number


class Symbol:
    """What stands for a column, or for what was computed of columns."""

    def __init__(self, steps: Steps, number: int):
        self.steps = steps
        self.number = number

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **how: Any) -> Any:
        if method != "__call__" or function.__name__ not in NAMES:
            return NotImplemented
        return self._step(NAMES[function.__name__], *inputs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function is np.where:
            return self._step("where", *args)
        if function is np.all:
            return False  # nothing is known about all rows, so that no formula leaves anything out
        return NotImplemented

    def _step(self, name: str, *inputs: Any) -> Symbol:
        return self.steps.add(name, *(self.steps.number_of(one) for one in inputs))


def _operator(name: str, *, turned: bool = False) -> Callable[..., Symbol]:
    def apply(self: Symbol, *others: Any) -> Symbol:
        inputs = (*others, self) if turned else (self, *others)
        return self._step(name, *inputs)

    return apply


for _method, _name in {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**", "and": "&", "or": "|",
}.items():  # fmt: skip
    setattr(Symbol, f"__{_method}__", _operator(_name))
    setattr(Symbol, f"__r{_method}__", _operator(_name, turned=True))
for _method, _name in {
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=", "neg": "neg", "invert": "!", "abs": "abs",
}.items():  # fmt: skip
    setattr(Symbol, f"__{_method}__", _operator(_name))
setattr(Symbol, "__hash__", None)  # noqa: B010


def formula_of(metric: Metric) -> list[list[Any]]:
    """The steps of a metric's formula over its columns; the last one gives the score.

    >>> from tricolore import metric
    >>> for step in formula_of(metric("length")):
    ...     print(*step)
    column 0
    column 1
    const 0.0
    == 1 2
    const 1.0
    where 3 4 1
    / 0 5
    where 3 2 6
    """
    steps = Steps()
    columns = [steps.add("column", number) for number in range(len(metric.columns))]
    last = steps.number_of(metric.value(columns))
    return [*steps.steps, *([] if last == len(steps.steps) - 1 else [["same", last]])]


#: The formula of scores from elsewhere and of ratings: the mean, over rows of value and count.
MEAN = [["column", 0], ["column", 1], ["/", 0, 1]]
