"""Arithmetic that reads the same for one row and for many.

A metric's formula is written once, over the columns of its statistics. A column is a float when one row is
scored and a NumPy array when many are. These functions do to either what the formula means; with floats
they never load NumPy, so that scoring one pair or one corpus starts and runs fast. Logarithms, exponentials
and powers of arrays are the C library's, as those of floats are: a score is the same alone and among others,
and does not depend on the vectors that a processor has.
"""

from __future__ import annotations

import math
from functools import reduce
from itertools import repeat
from operator import add, mul, neg

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


class Column(list[float]):
    """A column of a short corpus, which adds and multiplies like an array, without loading NumPy.

    >>> shared, length = Column([1.0, 2.0]), Column([2.0, 2.0])
    >>> shared * length + 1.0, divide(shared, length)
    ([3.0, 5.0], [0.5, 1.0])
    """

    __slots__ = ()

    def _each(self, operation: Callable[[float, float], float], other: Any) -> Column:
        return Column(map(operation, self, other if type(other) is Column else repeat(other)))

    def __add__(self, other: Any) -> Column:  # type: ignore[override]
        return self._each(add, other)

    def __mul__(self, other: Any) -> Column:
        return self._each(mul, other)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Column:
        return Column(map(neg, self))

    def total(self) -> float:
        """The sum, added up in order, as rows are."""
        return reduce(add, self, 0.0)


def where(condition: Any, yes: Any, no: Any) -> Any:
    """`yes` where the condition holds, `no` elsewhere.

    >>> where(2 > 1, 10.0, 20.0)
    10.0
    """
    if condition is True:
        return yes
    if condition is False:
        return no
    import numpy as np

    return np.where(condition, yes, no)


def divide(a: Any, b: Any, otherwise: float = 0.0) -> Any:
    """`a / b`, and `otherwise` where b is zero.

    >>> divide(1.0, 4.0), divide(1.0, 0.0), divide(0.0, 0.0, otherwise=1.0)
    (0.25, 0.0, 1.0)
    """
    if type(b) is float:
        return a / b if b != 0.0 else otherwise
    if type(b) is Column:
        return Column([x / y if y != 0.0 else otherwise for x, y in zip(a, b, strict=True)])
    import numpy as np

    zero = b == 0.0
    return np.where(zero, otherwise, a / np.where(zero, 1.0, b))


def log(x: Any) -> Any:
    """Natural logarithm; minus infinity at zero.

    >>> log(1.0), log(0.0)
    (0.0, -inf)
    """
    if type(x) is float:
        return math.log(x) if x > 0.0 else -math.inf
    import numpy as np

    return _of_array(np.log, "logs", x)


def exp(x: Any) -> Any:
    """Exponential; infinity where it is too large for a number.

    >>> exp(0.0)
    1.0
    """
    if type(x) is float:
        try:
            return math.exp(x)
        except OverflowError:
            return math.inf
    import numpy as np

    return _of_array(np.exp, "exponentials", x)


def log2(x: Any) -> Any:
    """Binary logarithms of an array; minus infinity at zero."""
    import numpy as np

    return _of_array(np.log2, "binary_logs", x)


def power(x: Any, exponent: float) -> Any:
    """`x` to the power of a number; square roots and squares are rounded correctly, as NumPy's are.

    >>> power(9.0, 0.5), power(3.0, 2.0), power(2.0, 3.0)
    (3.0, 9.0, 8.0)
    """
    if exponent == 2.0:
        return x * x
    if type(x) is float:
        return math.sqrt(x) if exponent == 0.5 else x**exponent
    import numpy as np

    return np.sqrt(x) if exponent == 0.5 else _of_array(pow, "powers", x, exponent)


def _of_array(written_down: Callable[..., Any], function: str, x: Any, *more: float) -> Any:
    import numpy as np

    from . import _native

    if hasattr(x, "__array_ufunc__") and not isinstance(x, np.ndarray | np.generic):
        return written_down(x, *more)  # no numbers, but the symbol of a column in a formula (reporting/formulas.py)
    numbers = np.asarray(x, dtype=np.float64, order="C")
    out = np.empty_like(numbers)
    getattr(_native, function)(numbers.reshape(-1), out.reshape(-1), *more)
    return out if out.ndim else out[()]


def all_positive(columns: Sequence[Any]) -> bool:
    """Whether no row has a zero in any of the columns, so that what is done to zeros can be left out.

    >>> all_positive([1.0, 2.0]), all_positive([1.0, 0.0])
    (True, False)
    """
    if type(columns[0]) is float:
        return all(columns)
    import numpy as np

    return all(np.all(column > 0.0) for column in columns)


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two.

    >>> minimum(1.0, 2.0)
    1.0
    """
    if type(a) is float and type(b) is float:
        return a if a < b else b
    import numpy as np

    return np.minimum(a, b)


def maximum(a: Any, b: Any) -> Any:
    """The larger of two.

    >>> maximum(1.0, 2.0)
    2.0
    """
    if type(a) is float and type(b) is float:
        return a if a > b else b
    import numpy as np

    return np.maximum(a, b)
