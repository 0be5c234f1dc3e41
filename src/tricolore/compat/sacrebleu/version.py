"""Versions: of the interface, and the one that signatures name, which is ours."""

from ..._version import __version__ as _ours

#: What scripts compare: that of sacreBLEU, with ours as its local part.
__version__ = f"2.6.0+tricolore.{_ours}"
SIGNED = f"tricolore-{_ours}"
