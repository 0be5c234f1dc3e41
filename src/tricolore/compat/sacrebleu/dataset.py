"""sacreBLEU's test sets, which must be installed for them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    from .test_sets import peer

    return getattr(peer("dataset"), name)
