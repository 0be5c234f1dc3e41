"""The version that signatures name: ours, not sacreBLEU's."""

from ..._version import __version__ as _ours

__version__ = f"tricolore-{_ours}"
