"""Files in. Nothing else opens inputs: whatever is wrong is told with file and line."""

from __future__ import annotations

from .files import (
    check_regular,
    name_of,
    read_bytes,
    read_columns,
    read_lines,
    read_segments,
    read_text,
    read_whole,
    stream_lines,
    stream_segments,
)

__all__ = [
    "check_regular",
    "name_of",
    "read_bytes",
    "read_columns",
    "read_lines",
    "read_segments",
    "read_text",
    "read_whole",
    "stream_lines",
    "stream_segments",
]
