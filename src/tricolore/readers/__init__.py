"""Files in. Nothing else opens inputs: whatever is wrong is told with file and line."""

from __future__ import annotations

from .files import decode, name_of, read_bytes, read_lines, stream_lines

__all__ = ["decode", "name_of", "read_bytes", "read_lines", "stream_lines"]
