"""Test sets, of which sacreBLEU itself knows: its list, and what it downloads."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import module_from_spec, spec_from_file_location

from ...errors import MissingExtraError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

#: The name under which sacreBLEU is loaded: its own may be bound to the drop-in.
NAME = "_tricolore_sacrebleu"


def peer(module: str) -> ModuleType:
    """A module of sacreBLEU."""
    if NAME not in sys.modules:
        found = PathFinder.find_spec("sacrebleu")
        if found is None or found.origin is None:
            raise MissingExtraError("test sets are listed and downloaded by sacreBLEU: pip install sacrebleu")
        spec = spec_from_file_location(NAME, found.origin, submodule_search_locations=found.submodule_search_locations)
        assert spec is not None and spec.loader is not None  # it is a file
        sys.modules[NAME] = module_from_spec(spec)
        try:
            spec.loader.exec_module(sys.modules[NAME])
        except BaseException:
            del sys.modules[NAME]
            raise
    return import_module(f"{NAME}.{module}")
