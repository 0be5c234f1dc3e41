"""Let simulations import each other; mark the cells that take longest."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

#: Cells of more than about twelve seconds, where smaller ones of the same kind are run every time.
LONGEST = re.compile(
    r"test_(correlation|metric).*\b(8|30), 500\b|-10000\]|buckets.*documentation|other_tables.*30"
    r"|expanded.*\b30, 50\b|several_runs.*, 500, |-50-(5|10)-|-200-2-|-2-10-|noise-mira|\(34, 200,"
)


def pytest_collection_modifyitems(items):
    for item in items:
        if "simulations" in item.path.parts and LONGEST.search(item.nodeid):
            item.add_marker(pytest.mark.exhaustive)
